/* Curves out of results files: see curves.h. */
#define _GNU_SOURCE
#include "curves.h"
#include "lack.h"
#include "analysis/spectral_lines.h"
#include "expr/units.h"
#include "results/csv.h"
#include "quantity.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Higher orders describe the sampling and not the motion. They are drawn only on request. */
static const double MOST_ORDER = 60;

typedef struct wish {
  const char *list, *right, *match, *over, *phase, *orders, *units;
  bool spectrum;
  bool samples; /* the caller computes spectra from these curves */
  bool si_over; /* the variable of the horizontal axis stays in SI units */
  double from, to;
  double highest; /* largest frequency or order that is drawn */
} wish;

void tool_curves_free(tool_curves *c) {
  for (int i = 0; i < c->n; i++) free(c->curve[i].name), free(c->curve[i].x), free(c->curve[i].y);
  free(c->curve);
  *c = (tool_curves){0};
}

static hk_status no_memory(hk_error *err) { return hk_fail(err, HK_ENOMEM, "out of memory"); }

/* ---- units ---- */

hk_status tool_unit_for(const char *list, const char *si, char text[64], double *factor,
                        double *offset, hk_error *err) {
  *factor = 1, *offset = 0;
  snprintf(text, 64, "%.63s", si);
  hk_unit own;
  bool known = si[0] && hk_unit_parse(si, strlen(si), &own, NULL) == HK_OK;
  for (const char *at = list; at && *at;) {
    hk_unit u;
    hk_error why = {0};
    size_t n = strcspn(at, ",");
    if (n && hk_unit_parse(at, n, &u, &why))
      return hk_fail(err, HK_EINPUT, "--unit %.*s: %s", (int)n, at, why.text);
    if (n && known && hk_dim_equal(u.dim, own.dim)) {
      *factor = own.factor / u.factor;
      *offset = -u.offset / u.factor;
      snprintf(text, 64, "%.*s", (int)(n < 63 ? n : 63), at);
      return HK_OK;
    }
    at += n + (at[n] == ',');
  }
  return HK_OK;
}

/* ---- channels and rows ---- */

static hk_status read_wish(wish *w, const tool_args *args, hk_error *err) {
  *w = (wish){.list = tool_value(args, "channels"),
              .right = tool_value(args, "right"),
              .match = tool_value(args, "match"),
              .over = tool_value(args, "over") ? tool_value(args, "over") : tool_value(args, "x"),
              .phase = tool_value(args, "phase"),
              .orders = tool_value(args, "orders"),
              .units = tool_value(args, "unit"),
              .spectrum = tool_flag(args, "spectrum"),
              .from = -INFINITY,
              .to = INFINITY,
              .highest = INFINITY};
  const char *from = tool_value(args, "from"), *to = tool_value(args, "to");
  hk_status status = from ? tool_quantity(from, "s", "--from", &w->from, err) : HK_OK;
  if (!status && to) status = tool_quantity(to, "s", "--to", &w->to, err);
  if (!status &&
      (w->spectrum != 0) + (w->orders != NULL) + (w->over != NULL) + (w->phase != NULL) > 1)
    status = hk_fail(err, HK_EINPUT,
                     "only one of --over, --phase, --spectrum and --orders can be drawn");
  const char *up_to = tool_value(args, "up-to");
  if (w->orders) w->highest = MOST_ORDER;
  if (!status && up_to && (w->orders || w->spectrum))
    status = tool_quantity(up_to, w->orders ? "1" : "Hz", "--up-to", &w->highest, err);
  if (!status && !(w->highest > 0))
    status = hk_fail(err, HK_EINPUT, "--up-to: %g is not positive", w->highest);
  return status;
}

static hk_status select_channels(const wish *w, hk_results *r, int **channel, int *n,
                                 hk_error *err) {
  if (w->phase) {
    char rate[1100];
    snprintf(rate, sizeof rate, "%.1050s_rate", w->phase);
    *channel = malloc(2 * sizeof **channel);
    if (!*channel) return no_memory(err);
    *n = 2;
    hk_status status = hk_results_channel(r, w->phase, &(*channel)[0], err);
    return status ? status : hk_results_channel(r, rate, &(*channel)[1], err);
  }
  if (!w->list && !w->match)
    return hk_fail(err, HK_EINPUT,
                   "no channels given; use --channels NAME,NAME or --match REGEX: this file has "
                   "'%s' and %d more",
                   hk_results_name(r, 1), hk_results_channel_count(r) - 2);
  char *copy = NULL;
  if (asprintf(&copy, "%s,%s", w->list ? w->list : "", w->right ? w->right : "") < 0) copy = NULL;
  const char **name = copy ? calloc(strlen(copy) + 1, sizeof *name) : NULL;
  hk_status status = name ? HK_OK : no_memory(err);
  if (!status) {
    const hk_csv_selection s = {.name = name, .n_names = tool_split(copy, name), .regex = w->match};
    if (s.n_names ||
        w->match) /* if neither names nor --match are given, all channels would be drawn */
      status = hk_csv_select(r, &s, channel, n, err);
    else
      status = hk_fail(err, HK_EINPUT, "--channels is empty; give at least one channel");
  }
  const char *x = w->over ? w->over : w->orders;
  if (!status && x) status = hk_results_channel(r, x, &(*channel)[0], err);
  if (!status && *n > TOOL_MOST_CHANNELS + 1)
    status = hk_fail(err, HK_EINPUT, "%d channels are too many for one figure; the maximum is %d",
                     *n - 1, TOOL_MOST_CHANNELS);
  if (!status && *n < 2) status = hk_fail(err, HK_EINPUT, "no channel to draw is given");
  free(name);
  free(copy);
  return status;
}

/* Selects the rows with from <= t <= to; time never decreases. */
static hk_status select_rows(const wish *w, hk_results *r, int64_t *first, int64_t *count,
                             hk_error *err) {
  int64_t rows = hk_results_row_count(r), last = rows;
  double *t = malloc(sizeof *t * (size_t)(rows + 1));
  hk_status status = t ? HK_OK : no_memory(err);
  *first = 0;
  if (!status && rows) status = hk_results_read_column(r, 0, t, err);
  if (!status) {
    double slack = rows ? 1e-9 * (t[rows - 1] - t[0]) : 0; /* times of rows are rounded */
    while (*first < rows && !(t[*first] >= w->from - slack)) ++*first;
    while (last > *first && !(t[last - 1] <= w->to + slack)) last--;
    *count = last - *first;
    if (rows == 0)
      status = hk_fail(err, HK_EINPUT, "'%s' contains no rows yet", hk_results_path(r));
    else if (*count == 0)
      status =
          hk_fail(err, HK_EINPUT, "no rows between --from and --to: the run covers %g s to %g s",
                  t[0], t[rows - 1]);
  }
  free(t);
  return status;
}

/* ---- one file ---- */

/* Reads a column in its unit, limited to the window; allocated by malloc. */
static hk_status column(const wish *w, hk_results *r, int channel, int64_t first, int64_t count,
                        double **out, char unit[64], hk_error *err) {
  double factor, offset;
  double *all = malloc(sizeof *all * (size_t)(hk_results_row_count(r) + 1));
  hk_status status = all ? hk_results_read_column(r, channel, all, err) : no_memory(err);
  if (!status)
    status = tool_unit_for(w->units, hk_results_unit(r, channel), unit, &factor, &offset, err);
  if (status) {
    free(all);
    return status;
  }
  memmove(all, all + first, sizeof *all * (size_t)count);
  for (int64_t i = 0; i < count; i++) all[i] = all[i] * factor + offset;
  *out = all;
  return HK_OK;
}

void tool_curve_holes(const tool_curve *c) {
  int64_t holes = 0;
  for (int64_t i = 0; i < c->n; i++) holes += !isfinite(c->y[i]);
  if (holes && holes < c->n)
    tool_warning(
        "'%s' has no value in %lld of %lld rows: a cubic spline bridges them, so that the "
        "spectrum is not that of the motion; give a part without holes by --from and --to",
        tool_name(c->name), (long long)holes, (long long)c->n);
}

static hk_status transform(const wish *w, tool_curve *c, hk_error *err) {
  hk_spectrum s;
  hk_error why = {0};
  tool_curve_holes(c);
  if (w->orders)
    for (int64_t i = 0; i < c->n; i++) c->x[i] /= 2 * M_PI;
  hk_status status = hk_lines_of(c->x, c->y, c->n, w->orders != NULL, &s, &why);
  if (status) return hk_fail(err, status, "'%.200s': %.700s", c->name, why.text);
  double *x = malloc(sizeof *x * (size_t)s.n), *y = malloc(sizeof *y * (size_t)s.n);
  if (x && y) {
    memcpy(x, s.frequency, sizeof *x * (size_t)s.n);
    memcpy(y, s.amplitude, sizeof *y * (size_t)s.n);
    free(c->x), free(c->y);
    c->x = x, c->y = y, c->n = s.n;
  } else {
    free(x), free(y);
    status = no_memory(err);
  }
  hk_spectrum_free(&s);
  if (status) return status;
  while (c->n > 2 && c->x[c->n - 1] > w->highest) c->n--;
  return HK_OK;
}

/* Adds the extremes of a curve between its rows as points. Extremes that are too small to be visible are omitted. */
static hk_status show_extremes(const wish *w, hk_results *r, int channel, int64_t first,
                               tool_curve *c, hk_error *err) {
  static const double visible = 2e-3;
  char unit[64];
  double factor, offset, least = INFINITY, most = -INFINITY;
  tool_lack lack;
  hk_status status =
      tool_unit_for(w->units, hk_results_unit(r, channel), unit, &factor, &offset, err);
  if (!status) status = tool_lack_read(r, channel, first, c->n, &lack, err);
  if (status) return status;
  double *x = malloc(3 * sizeof *x * (size_t)c->n), *y = malloc(3 * sizeof *y * (size_t)c->n);
  int64_t n = 0;
  for (int64_t i = 0; i < c->n; i++) least = fmin(least, c->y[i]), most = fmax(most, c->y[i]);
  for (int64_t i = 0; x && y && i < c->n; i++) {
    double below = factor * lack.below[first + i], above = factor * lack.above[first + i];
    double time = i ? c->x[i] - c->x[i - 1] : 0;
    if (i && fmax(below, above) > visible * (most - least)) {
      x[n] = c->x[i] - time * 2 / 3, y[n++] = fmin(c->y[i - 1], c->y[i]) - below;
      x[n] = c->x[i] - time / 3, y[n++] = fmax(c->y[i - 1], c->y[i]) + above;
    }
    x[n] = c->x[i], y[n++] = c->y[i];
  }
  tool_lack_free(&lack);
  if (!x || !y) {
    free(x), free(y);
    return no_memory(err);
  }
  free(c->x), free(c->y);
  c->x = x, c->y = y, c->n = n;
  return HK_OK;
}

static hk_status add_curve(tool_curves *c, const wish *w, hk_results *r, int file, bool several,
                           int x, int y, int64_t first, int64_t count, hk_error *err) {
  tool_curve *grown = realloc(c->curve, sizeof *grown * (size_t)(c->n + 1));
  if (!grown) return no_memory(err);
  c->curve = grown;
  tool_curve *k = &c->curve[c->n++];
  *k = (tool_curve){.file = file, .n = count};
  const char *path = hk_results_path(r), *slash = strrchr(path, '/');
  if (asprintf(&k->name, several ? "%s (%s)" : "%s", hk_results_name(r, y),
               slash ? slash + 1 : path) < 0) {
    k->name = NULL;
    return no_memory(err);
  }
  wish plain = *w;
  if (w->si_over || w->spectrum || w->orders) plain.units = NULL; /* Hz or orders */
  hk_status status = column(&plain, r, x, first, count, &k->x, c->x_unit, err);
  if (!status) status = column(w, r, y, first, count, &k->y, k->unit, err);
  bool spectral = w->spectrum || w->orders || w->samples;
  if (!status && spectral) status = tool_lack_check(r, y, first, count, "a spectrum", err);
  if (!status && (w->spectrum || w->orders)) status = transform(w, k, err);
  if (!status && !spectral && x == 0) status = show_extremes(w, r, y, first, k, err);
  return status;
}

static hk_status add_file(tool_curves *c, const wish *w, hk_results *r, int file, bool several,
                          hk_error *err) {
  int *channel = NULL, n = 0;
  int64_t first = 0, count = 0;
  hk_status status = select_channels(w, r, &channel, &n, err);
  if (!status) status = select_rows(w, r, &first, &count, err);
  if (!status && w->orders && strcmp(hk_results_unit(r, channel[0]), "rad") != 0)
    status =
        hk_fail(err, HK_EINPUT, "--orders needs an angle, but the unit of '%s' is %s", w->orders,
                hk_results_unit(r, channel[0])[0] ? hk_results_unit(r, channel[0]) : "no unit");
  int x = status || w->spectrum ? 0 : channel[0];
  for (int i = 1; i < n && !status; i++)
    status = add_curve(c, w, r, file, several, x, channel[i], first, count, err);
  if (!status) {
    c->over_time = x == 0 && !w->spectrum;
    c->spectrum = w->spectrum || w->orders;
    snprintf(c->x_label, sizeof c->x_label, "%s", hk_results_name(r, x));
    if (w->spectrum)
      snprintf(c->x_label, sizeof c->x_label, "frequency"), snprintf(c->x_unit, 64, "Hz");
    if (w->orders)
      snprintf(c->x_label, sizeof c->x_label, "order: cycles per revolution of %.900s", w->orders),
          c->x_unit[0] = 0;
  }
  free(channel);
  return status;
}

hk_status tool_curves_over(tool_curves *c, const tool_args *args, hk_results *file,
                           const char *over, hk_error *err) {
  wish w;
  *c = (tool_curves){0};
  hk_status status = read_wish(&w, args, err);
  w.spectrum = false, w.orders = w.phase = NULL;
  w.over = over, w.si_over = w.samples = true;
  return status ? status : add_file(c, &w, file, 0, false, err);
}

hk_status tool_curves_read(tool_curves *c, const tool_args *args, hk_results *const *file,
                           int n_files, hk_error *err) {
  wish w;
  *c = (tool_curves){0};
  hk_status status = read_wish(&w, args, err);
  for (int i = 0; i < n_files && !status; i++)
    status = add_file(c, &w, file[i], i, n_files > 1, err);
  return status;
}
