/* hooke bearing: figure and page.
 *
 * The polar plot shows the load of each element at its azimuth, seen along z. The stiffness over the load is computed
 * for multiples of the given load, the stiffness over the speed for the given load. */
#include "bearing.h"
#include "base/file.h"
#include "figure.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
  POINTS = 25,
  CIRCLE = 73,
  MOST_PANELS = 5,
  RINGS = 5,
  MOST_SERIES = 2 * HK_BEARING_MAX_ROWS
};

static const double DEG = 180 / M_PI, RPM = 30 / M_PI;

/* Stiffness in some directions over one variable; NAN if there is no equilibrium. */
typedef struct sweep {
  double x[POINTS], K[5][POINTS];
} sweep;

typedef struct figure {
  const tool_bearing *b;
  int rows, n;
  double *block, *polar_x[2], *polar_y[2], *at, *angle[2], *pressure[2]; /* [rows][n + 1] */
  double ring_x[RINGS][CIRCLE], ring_y[RINGS][CIRCLE];
  char row_name[3 * MOST_SERIES][40];
  int n_names;
  hk_plot_note ring_note[RINGS];
  char ring_text[RINGS][24];
  sweep load, speed;
  hk_plot_series polar[MOST_SERIES + RINGS], angles[MOST_SERIES], pressures[MOST_SERIES],
      stiff[2][5];
  hk_plot_panel panel[MOST_PANELS];
  int n_panels;
} figure;

/* ---- data ---- */

static void take_elements(figure *f) {
  const tool_bearing *b = f->b;
  const size_t all = (size_t)f->rows * (size_t)(f->n + 1);
  double **const part[] = {&f->polar_x[0], &f->polar_x[1], &f->polar_y[0],  &f->polar_y[1], &f->at,
                           &f->angle[0],   &f->angle[1],   &f->pressure[0], &f->pressure[1]};
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) *part[i] = f->block + i * all;
  for (int row = 0; row < f->rows; row++)
    for (int k = 0; k <= f->n; k++) { /* repeats the first element, to close the curve */
      const int from = row * f->n + k % f->n, to = row * (f->n + 1) + k;
      const hk_bearing_element *e = &b->s.element[from];
      const double phi = b->s.task.cage + 2 * M_PI * k / f->n;
      f->at[to] = DEG * phi;
      for (int race = 0; race < 2; race++) {
        const double Q = race ? e->Q_o : e->Q_i;
        f->polar_x[race][to] = Q * cos(phi), f->polar_y[race][to] = Q * sin(phi);
        f->angle[race][to] = Q > 0 ? DEG * (race ? e->angle_o : e->angle_i) : NAN;
        f->pressure[race][to] = 1e-9 * b->s.contact[from].pressure[race];
      }
    }
}

/* Returns the distance of ticks: 1, 2 or 5 times a power of ten, and at least a quarter of
 * `most`. */
static double even_step(double most) {
  const double decade = pow(10, floor(log10(most / 4))), part = most / 4 / decade;
  return decade * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}

static int draw_rings(figure *f) {
  double most = 0;
  int n = 0;
  for (int i = 0; i < f->rows * f->n; i++)
    most = fmax(most, fmax(f->b->s.element[i].Q_i, f->b->s.element[i].Q_o));
  const double step = most > 0 ? even_step(most) : 1;
  for (; n < RINGS && n * step < most; n++) {
    const double r = (n + 1) * step;
    for (int i = 0; i < CIRCLE; i++) {
      const double phi = 2 * M_PI * i / (CIRCLE - 1);
      f->ring_x[n][i] = r * cos(phi), f->ring_y[n][i] = r * sin(phi);
    }
    snprintf(f->ring_text[n], sizeof f->ring_text[n], "%g N", r);
    f->ring_note[n] = (hk_plot_note){r * cos(M_PI / 4), r * sin(M_PI / 4), f->ring_text[n]};
  }
  return n;
}

static void take_stiffness(const tool_bearing *b, const hk_bearing_task *t, int i, sweep *out) {
  hk_bearing_balance balance;
  hk_bearing_element e[HK_BEARING_MOST];
  hk_error err;
  const bool failed = hk_bearing_state_hold(&b->s, t, &balance, e, &err) != HK_OK;
  for (int k = 0; k < 5; k++) out->K[k][i] = failed ? NAN : (k < 3 ? 1e-6 : 1e-3) * balance.K[k][k];
}

static void over_load(figure *f) {
  hk_bearing_task t = f->b->s.task;
  const double *load = f->b->s.task.load;
  const double size = sqrt(load[0] * load[0] + load[1] * load[1] + load[2] * load[2]);
  for (int i = 0; i < POINTS; i++) {
    const double part = 0.02 + 1.98 * i / (POINTS - 1);
    for (int k = 0; k < 6; k++) t.load[k] = part * load[k];
    f->load.x[i] = part * size;
    take_stiffness(f->b, &t, i, &f->load);
  }
}

/* Computes the stiffness over the speed: up to twice the given speed, or up to a speed at which inertia is usually
 * important, 5e5 mm/min. */
static void over_speed(figure *f) {
  const hk_bearing *p = &f->b->s.made->bearing;
  const double dm = hk_bearing_has_rollers(p) ? p->roller.dm : p->ball.dm,
               given = fabs(f->b->s.task.speed.inner),
               most = given > 0 ? 2 * given : 500 / dm / RPM;
  hk_bearing_task t = f->b->s.task;
  for (int i = 0; i < POINTS; i++) {
    t.speed.inner = most * i / (POINTS - 1);
    f->speed.x[i] = RPM * t.speed.inner;
    take_stiffness(f->b, &t, i, &f->speed);
  }
}

/* ---- panels ---- */

static bool differs(const figure *f) {
  for (int i = 0; i < f->rows * f->n; i++) {
    const hk_bearing_element *e = &f->b->s.element[i];
    if (fabs(e->Q_i - e->Q_o) > 1e-6 * (e->Q_i + e->Q_o)) return true;
  }
  return false;
}

/* Makes the curves of all rows, and of both races if their loads differ. Returns their number. */
static int row_curves(figure *f, double *const x[2], double *const y[2], bool both,
                      hk_plot_series *out) {
  static const char *const RACE[] = {"inner race", "outer race"};
  int n = 0;
  for (int row = 0; row < f->rows; row++)
    for (int race = 0; race < 1 + both; race++, n++) {
      const char *which = both ? RACE[race] : "both races";
      char *name = f->row_name[f->n_names++];
      if (f->rows > 1)
        snprintf(name, sizeof f->row_name[0], "row %d, %s", row, which);
      else
        snprintf(name, sizeof f->row_name[0], "%s", which);
      out[n] = (hk_plot_series){.name = name,
                                .x = x[race] + row * (f->n + 1),
                                .y = y[race] + row * (f->n + 1),
                                .n = f->n + 1,
                                .line = race ? HK_LINE_DASHED : HK_LINE_SOLID,
                                .marker = race ? HK_MARKER_CIRCLE : HK_MARKER_DOT,
                                .colour = HK_COLOUR_FIRST + n};
    }
  return n;
}

static void add_polar(figure *f, bool both) {
  const int rings = draw_rings(f);
  for (int i = 0; i < rings; i++)
    f->polar[i] = (hk_plot_series){.x = f->ring_x[i],
                                   .y = f->ring_y[i],
                                   .n = CIRCLE,
                                   .line = HK_LINE_DOTTED,
                                   .colour = HK_COLOUR_GREY,
                                   .width = 0.8};
  const int n = row_curves(f, f->polar_x, f->polar_y, both, f->polar + rings);
  f->panel[f->n_panels++] =
      (hk_plot_panel){.x = {.label = "load, in the direction of x", .unit = "N"},
                      .y = {.label = "in the direction of y", .unit = "N"},
                      .series = f->polar,
                      .n_series = rings + n,
                      .note = f->ring_note,
                      .n_notes = rings,
                      .zero_lines = true,
                      .equal = true};
}

static void add_over_azimuth(figure *f, double *const y[2], bool both, hk_plot_series *series,
                             const char *label, const char *unit) {
  double *const x[2] = {f->at, f->at};
  const int n = row_curves(f, x, y, both, series);
  f->panel[f->n_panels++] =
      (hk_plot_panel){.x = {.label = "azimuth", .unit = "deg", .step = 45, .tight = true},
                      .y = {.label = label, .unit = unit},
                      .series = series,
                      .n_series = n};
}

static void add_stiffness(figure *f, const sweep *s, hk_plot_series *series, const char *label,
                          const char *unit) {
  static const char *const NAME[5] = {"x", "y", "axial", "tilt about x", "tilt about y"};
  for (int k = 0; k < 5; k++)
    series[k] = (hk_plot_series){.name = NAME[k],
                                 .x = s->x,
                                 .y = s->K[k],
                                 .n = POINTS,
                                 .right = k >= 3,
                                 .line = k >= 3 ? HK_LINE_DASHED : HK_LINE_SOLID,
                                 .colour = HK_COLOUR_FIRST + k};
  f->panel[f->n_panels++] =
      (hk_plot_panel){.x = {.label = label, .unit = unit},
                      .y = {.label = "stiffness", .unit = "N/um"},
                      .right = {.label = "tilting stiffness", .unit = "N m/mrad"},
                      .series = series,
                      .n_series = 5};
}

static void add_panels(figure *f) {
  const bool both = differs(f);
  const double *load = f->b->s.task.load;
  add_polar(f, both);
  if (!hk_bearing_has_rollers(&f->b->s.made->bearing))
    add_over_azimuth(f, f->angle, both, f->angles, "contact angle", "deg");
  add_over_azimuth(f, f->pressure, true, f->pressures, "largest pressure", "GPa");
  if (fabs(load[0]) + fabs(load[1]) + fabs(load[2]) > 0) {
    over_load(f);
    add_stiffness(f, &f->load, f->stiff[0], "load", "N");
  }
  if (f->b->s.made->bearing.dynamics == HK_BEARING_STATIC) return;
  over_speed(f);
  add_stiffness(f, &f->speed, f->stiff[1], "speed of the inner ring", "rpm");
}

/* ---- output ---- */

static void put(FILE *out, const char *text) {
  for (; *text; text++) {
    if (*text == '<')
      fputs("&lt;", out);
    else if (*text == '&')
      fputs("&amp;", out);
    else
      putc(*text, out);
  }
}

static hk_status put_page(const tool_bearing *b, const hk_plot_figure *drawn, const char *path,
                          hk_error *err) {
  hk_new_file output;
  char *svg = NULL, *table = NULL;
  size_t length;
  hk_status status = hk_plot_text(drawn, &svg, err);
  FILE *memory = status ? NULL : open_memstream(&table, &length);
  if (!status && !memory) status = hk_fail(err, HK_ENOMEM, "out of memory");
  if (memory) tool_bearing_table(b, memory), fclose(memory);
  if (!status) status = hk_new_file_open(&output, path, err);
  if (!status) {
    FILE *out = output.file;
    const char *drawing = strstr(svg, "<svg");
    fputs(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta "
        "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
        "'unsafe-inline'\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>",
        out);
    put(out, b->force->name);
    fputs(
        "</title>\n<style>body{font:15px/1.5 Helvetica,Arial,sans-serif;color:#222;max-width:72rem;"
        "margin:2rem auto;padding:0 1rem}h1{font-size:1.5rem}svg{max-width:100%;height:auto}"
        "pre{font-size:13px;line-height:1.4;overflow-x:auto;background:#f6f6f6;padding:1rem}"
        "</style></head><body>\n<h1>Bearing ",
        out);
    put(out, b->force->name);
    fprintf(out, "</h1>\n<p>%s. hooke %s.</p>\n", drawn->subtitle, hk_version());
    fputs(drawing ? drawing : svg, out);
    fputs("\n<pre>", out);
    put(out, table ? table : "");
    fputs("</pre>\n</body></html>\n", out);
    status = hk_new_file_close(&output, HK_OK, err);
  }
  free(svg), free(table);
  return status;
}

hk_status tool_bearing_draw(const tool_bearing *b, const char *path, hk_error *err) {
  const hk_bearing *p = &b->s.made->bearing;
  const hk_bearing_task *t = &b->s.task;
  const char *dot = strrchr(path, '.');
  figure *f = calloc(1, sizeof *f);
  double *block = calloc(9 * (size_t)p->rows * (size_t)(p->n + 1), sizeof *block);
  hk_status status = HK_OK;
  if (!f || !block) {
    status = hk_fail(err, HK_ENOMEM, "out of memory");
  } else {
    char subtitle[160];
    *f = (figure){.b = b, .rows = p->rows, .n = p->n, .block = block};
    take_elements(f);
    add_panels(f);
    snprintf(subtitle, sizeof subtitle, "load (%.5g, %.5g, %.5g) N, (%.4g, %.4g) N m at %.6g rpm",
             t->load[0], t->load[1], t->load[2], t->load[3], t->load[4], RPM * t->speed.inner);
    const hk_plot_figure all = {.title = b->force->name,
                                .subtitle = subtitle,
                                .panel = f->panel,
                                .n_panels = f->n_panels,
                                .columns = 2};
    if (dot && strcasecmp(dot, ".html") == 0)
      status = put_page(b, &all, path, err);
    else
      status = tool_figure_save(&all, path, err);
  }
  free(block), free(f);
  return status;
}
