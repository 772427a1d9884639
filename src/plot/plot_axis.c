/* Scales: limits, ticks and their labels.
 *
 * Linear ticks are at multiples of 1, 2 or 5 times a power of ten; the finest step at which labels do not touch is
 * chosen.  All labels share a power of ten and, if the values are nearly equal, an offset, which the axis title
 * states: "x - 1000 [10^-6 m]".  Logarithmic ticks are at decades, with 2 and 5 between them if there is space. */
#include "base/number.h"
#include "plot/plot_svg.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { GAP_ALONG = 16, GAP_ACROSS = 14 }; /* between neighbouring labels */

void hk_plot_range_add(hk_plot_range *r, const double *value, int64_t n, bool log) {
  for (int64_t i = 0; i < n; i++) {
    double v = value[i];
    if (!isfinite(v) || (log && v <= 0)) continue;
    if (v < r->min) r->min = v;
    if (v > r->max) r->max = v;
  }
}

static void linear_limits(hk_plot_scale *s, hk_plot_range r, bool tight) {
  if (!(r.min <= r.max)) r = (hk_plot_range){0, 1};
  /* Differences of huge numbers must not overflow. */
  const double huge = DBL_MAX / 8;
  s->min = r.min < -huge ? -huge : r.min, s->max = r.max > huge ? huge : r.max;
  double size = fmax(fabs(s->min), fabs(s->max)), range = s->max - s->min;
  /* A range smaller than round-off is drawn as constant. */
  if (range <= 1e-12 * size || range < 1e-290) {
    double pad = size > 1e-280 ? 0.1 * size : 1;
    s->min -= pad, s->max += pad;
  } else if (!tight) {
    s->min -= 0.04 * range, s->max += 0.04 * range;
  }
}

static void log_limits(hk_plot_scale *s, hk_plot_range r, bool tight) {
  if (!(r.min <= r.max)) r = (hk_plot_range){1, 10};
  /* Ratios must not overflow. */
  s->min = fmin(fmax(r.min, 1e-140), 1e140), s->max = fmin(fmax(r.max, 1e-140), 1e140);
  double decades = log10(s->max / s->min), pad = tight ? 0 : 0.04 * decades;
  if (decades < 1e-9) pad = 0.5;
  s->min *= pow(10, -pad), s->max *= pow(10, pad);
}

void hk_plot_scale_limits(hk_plot_scale *s, const hk_plot_axis *axis, hk_plot_range range) {
  bool given = axis->min < axis->max && isfinite(axis->min) && isfinite(axis->max) &&
               !(axis->log && axis->min <= 0);
  s->log = axis->log;
  if (given) range = (hk_plot_range){axis->min, axis->max};
  if (axis->log)
    log_limits(s, range, given || axis->tight);
  else
    linear_limits(s, range, given || axis->tight);
}

double hk_plot_scale_px(const hk_plot_scale *s, double v) {
  double u = s->log ? v > 0 ? log(v / s->min) / log(s->max / s->min) : NAN
                    : (v - s->min) / (s->max - s->min);
  return s->p0 + u * (s->p1 - s->p0);
}

double hk_plot_scale_label_width(const hk_plot_scale *s) {
  double w = 0;
  for (int i = 0; i < s->n_ticks; i++) w = fmax(w, hk_text_width(s->tick[i].text, HK_PLOT_TEXT));
  return w;
}

/* Formats a tick label with a true minus sign. */
static void format_tick(char out[32], double v, int decimals) {
  char text[64];
  hk_number_print(text, sizeof text, "%.*f", decimals, fabs(v));
  bool zero = strspn(text, "0.") == strlen(text);
  snprintf(out, 32, "%s%.27s", v < 0 && !zero ? "\xE2\x88\x92" : "", text);
}

static int floor_log10(double v) { return (int)floor(log10(v) + 1e-9); }

/* Finds the common power of ten and offset of labels with this step. */
static void label_format(hk_plot_scale *s, double step, int *decimals) {
  double size = fmax(fabs(s->min), fabs(s->max)), range = s->max - s->min;
  s->offset = 0;
  if (range < 1e-4 * size) {
    double unit = pow(10, ceil(log10(range)) + 1);
    s->offset = round(0.5 * (s->min + s->max) / unit) * unit;
    size = fmax(fabs(s->min - s->offset), fabs(s->max - s->offset));
  }
  int magnitude = floor_log10(size);
  s->exponent = magnitude >= 5 || magnitude < -2 ? 3 * (int)floor(magnitude / 3.0) : 0;
  int digits = s->exponent - floor_log10(step);
  *decimals = digits > 0 ? digits < 15 ? digits : 15 : 0;
}

/* Tries ticks at multiples of step; false if there are too many or their labels are too close. */
static bool try_step(hk_plot_scale *s, double step, bool along) {
  double length = fabs(s->p1 - s->p0), first = ceil(s->min / step - 1e-9),
         last = floor(s->max / step + 1e-9);
  if (!(last - first < HK_MAX_TICKS - 1)) return false;
  int decimals;
  label_format(s, step, &decimals);
  s->n_ticks = 0;
  for (double k = first; k <= last; k++) {
    hk_plot_tick *t = &s->tick[s->n_ticks++];
    t->value = k * step;
    format_tick(t->text, (t->value - s->offset) / pow(10, s->exponent), decimals);
  }
  double spacing = length * step / (s->max - s->min);
  if (s->log) { /* on a logarithmic axis the last two labels are the closest */
    spacing = INFINITY;
    for (int i = 1; i < s->n_ticks; i++)
      spacing = fmin(spacing, fabs(hk_plot_scale_px(s, s->tick[i].value) -
                                   hk_plot_scale_px(s, s->tick[i - 1].value)));
  }
  return along ? spacing >= fmax(hk_plot_scale_label_width(s) + GAP_ALONG, 60)
               : spacing >= HK_PLOT_TEXT + GAP_ACROSS;
}

static void linear_ticks(hk_plot_scale *s, double wish, bool along) {
  if (wish > 0 && try_step(s, wish, along)) return;
  double range = s->max - s->min;
  s->n_ticks = 0;
  if (!(range > 0 && range < DBL_MAX)) return;
  int decade = floor_log10(range) - 2;
  for (; decade < 310; decade++) {
    static const double nice[] = {1, 2, 5};
    for (int i = 0; i < 3; i++)
      if (try_step(s, nice[i] * pow(10, decade), along)) return;
    if (pow(10, decade) > 10 * range) break;
  }
  s->n_ticks = 0; /* an axis too short for labels */
}

static void format_decade(char out[32], int k, bool plain) {
  if (plain)
    format_tick(out, pow(10, k), k < 0 ? -k : 0);
  else
    snprintf(out, 32, "10^{%s%d}", k < 0 ? "\xE2\x88\x92" : "", k < 0 ? -k : k);
}

static void add_minor(hk_plot_scale *s, double v) {
  if (v >= s->min && v <= s->max && s->n_minor < HK_MAX_MINOR) s->minor[s->n_minor++] = v;
}

/* Adds ticks at 2 and 5 between decades, labelled if a decade is long enough for three labels. */
static void between_decades(hk_plot_scale *s, int k, bool labels, bool plain) {
  for (int i = 2; i < 10; i++) {
    double v = i * pow(10, k);
    bool label = labels && plain && (i == 2 || i == 5) && v >= s->min && v <= s->max &&
                 s->n_ticks < HK_MAX_TICKS;
    if (!label) {
      add_minor(s, v);
      continue;
    }
    s->tick[s->n_ticks].value = v;
    format_tick(s->tick[s->n_ticks++].text, v, k < 0 ? -k : 0);
  }
}

static void log_ticks(hk_plot_scale *s, bool along) {
  double decades = log10(s->max / s->min), length = fabs(s->p1 - s->p0);
  if (!(decades >= 1)) {
    linear_ticks(s, 0, along);
    s->offset = 0;
    return;
  }
  int first = (int)ceil(log10(s->min) - 1e-9), last = (int)floor(log10(s->max) + 1e-9);
  bool plain = first >= -3 && last <= 4;
  double room = along ? 56 : HK_PLOT_TEXT + GAP_ACROSS, per_decade = length / decades;
  int every = 1;
  while (every * per_decade < room || (last - first) / every > HK_MAX_TICKS / 2) every++;
  s->n_ticks = s->n_minor = 0;
  for (int k = first - 1; k <= last; k++) {
    if (every == 1 && per_decade > 45)
      between_decades(s, k, per_decade > (along ? 190 : 90), plain);
    if (k < first) continue;
    double v = pow(10, k);
    if (k % every) {
      if (every <= 10) add_minor(s, v);
      continue;
    }
    s->tick[s->n_ticks].value = v;
    format_decade(s->tick[s->n_ticks++].text, k, plain);
  }
}

void hk_plot_scale_ticks(hk_plot_scale *s, const hk_plot_axis *axis, double p0, double p1,
                         bool along) {
  s->p0 = p0, s->p1 = p1;
  s->n_ticks = s->n_minor = s->exponent = 0;
  s->offset = 0;
  if (s->log)
    log_ticks(s, along);
  else
    linear_ticks(s, axis->step, along);
}

/* Appends a unit such as "N*m/s^2" with a raised dot and raised exponents. */
static void add_unit(char *buf, size_t size, const char *unit) {
  for (const char *s = unit; *s;) {
    size_t n = *s == '^' ? strspn(s + 1, "-0123456789./") : 0;
    while (n > 0 && s[n] == '/') n--; /* a division within the unit, as in m^2/Hz */
    if (n > 0) {
      bool minus = s[1] == '-';
      hk_text_add(buf, size, "^{%s%.*s}", minus ? "\xE2\x88\x92" : "", (int)(n - minus),
                  s + 1 + minus);
      s += n + 1;
    } else {
      hk_text_add(buf, size, *s == '*' ? "\xC2\xB7" : "%c", *s);
      s++;
    }
  }
}

void hk_plot_scale_title(const hk_plot_scale *s, const char *label, const char *unit, char *buf,
                         size_t size) {
  bool has_unit = unit && unit[0] && strcmp(unit, "1") != 0;
  snprintf(buf, size, "%s", label ? label : "");
  if (s->offset != 0)
    hk_text_add(buf, size, " %s %.15g", s->offset < 0 ? "+" : "\xE2\x88\x92", fabs(s->offset));
  if (!has_unit && s->exponent == 0) return;
  hk_text_add(buf, size, "%s[", buf[0] ? " " : "");
  if (s->exponent)
    hk_text_add(buf, size, "10^{%s%d}%s", s->exponent < 0 ? "\xE2\x88\x92" : "",
                s->exponent < 0 ? -s->exponent : s->exponent, has_unit ? " " : "");
  if (has_unit) add_unit(buf, size, unit);
  hk_text_add(buf, size, "]");
}
