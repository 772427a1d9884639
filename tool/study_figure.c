/* Figures of a table: lines, maps, scatter matrices, slices, Pareto fronts. */
#include "figure.h"
#include "quantity.h"
#include "statistics/pareto.h"
#include "statistics/surrogate.h"
#include "variants.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of curves and panels: all columns that the user requests, but only FEW_PANELS if none is requested. */
enum { MOST_LINES = 12, FEW_PANELS = 6, MOST_PANELS = 24, MOST_MATRIX = 7, SLICE_POINTS = 60 };

typedef struct drawing {
  const hk_study *study;
  const hk_table *t;
  const char *path;
  int shown[64], n_shown; /* columns that are drawn as results */
  bool chosen;            /* by name */
  hk_arena arena;
} drawing;

static hk_status no_memory(hk_error *err) { return hk_fail(err, HK_ENOMEM, "out of memory"); }

/* Chooses the requested columns, or the goals, or all measures. */
static hk_status choose(drawing *d, const char *show, hk_error *err) {
  const hk_table *t = d->t;
  if (show) {
    char *text = hk_arena_strdup(&d->arena, show);
    const char **name = HK_NEW_ARRAY(&d->arena, const char *, strlen(show) + 2);
    if (!text || !name) return no_memory(err);
    int n = tool_split(text, name);
    if (n > MOST_PANELS)
      return hk_fail(err, HK_EINPUT, "a figure can show at most %d columns, but --show lists %d",
                     MOST_PANELS, n);
    for (int i = 0; i < n; i++) {
      hk_status status = hk_table_find(t, name[i], &d->shown[d->n_shown++], err);
      if (status) return status;
    }
    d->chosen = d->n_shown > 0;
    if (d->chosen) return HK_OK;
  }
  for (int g = 0; g < d->study->n_goals; g++)
    if (!hk_table_find(t, d->study->goal[g].name, &d->shown[d->n_shown], NULL)) d->n_shown++;
  for (int k = 0; k < t->n_columns && d->n_shown < 64 && !d->study->n_goals; k++)
    if (t->column[k].role == HK_COLUMN_MEASURE) d->shown[d->n_shown++] = k;
  return d->n_shown ? HK_OK : hk_fail(err, HK_EINPUT, "there is no data to draw");
}

static int panels_of(const drawing *d) {
  return d->chosen || d->n_shown < FEW_PANELS ? d->n_shown : FEW_PANELS;
}

static hk_plot_axis axis_of(const hk_table_column *c) {
  return (hk_plot_axis){.label = c->name, .unit = c->unit};
}

static hk_status save(const drawing *d, const hk_plot_panel *panel, int n, int columns,
                      double height, const char *title, hk_error *err) {
  const hk_plot_figure figure = {
      .title = d->study->title && d->study->title[0] ? d->study->title : title,
      .subtitle = d->study->title && d->study->title[0] ? title : NULL,
      .panel = panel,
      .n_panels = n,
      .columns = columns,
      .panel_height = height};
  return tool_figure_save(&figure, d->path, err);
}

/* ---- axes that are crossed and are numbers ---- */

static int numeric_axes(const drawing *d, int *axis) {
  int n = 0;
  for (int i = 0; i < d->study->n_crossed; i++) {
    bool in_step = false; /* the axis varies together with an earlier axis */
    for (int k = 0; k < i; k++) in_step = in_step || d->study->group[k] == d->study->group[i];
    if (!d->study->axis[i].words && d->study->axis[i].n > 1 && !in_step) axis[n++] = i;
  }
  return n;
}

static double value(const drawing *d, int column, int64_t row) {
  return d->t->column[column].value[row];
}

/* Returns true if two rows agree in all crossed axes except these. */
static bool same_line(const drawing *d, int64_t a, int64_t b, int x) {
  const hk_study *s = d->study;
  int64_t na = d->t->number[a] / s->sample.n, nb = d->t->number[b] / s->sample.n;
  for (int g = s->n_groups - 1; g >= 0; g--) {
    if (g != s->group[x] && na % s->group_count[g] != nb % s->group_count[g]) return false;
    na /= s->group_count[g];
    nb /= s->group_count[g];
  }
  return d->t->number[a] % s->sample.n == d->t->number[b] % s->sample.n;
}

static const char *name_line(drawing *d, int64_t row, int x) {
  hk_plan plan;
  hk_variant v;
  char text[300] = "";
  size_t used = 0;
  hk_plan_of_study(d->study, &plan);
  if (hk_variant_init(&v, d->study, NULL)) return NULL;
  hk_variant_make(&v, &plan, d->t->number[row]);
  for (int i = 0; i < d->study->n_crossed; i++) {
    const hk_axis *a = &d->study->axis[i];
    if (d->study->group[i] == d->study->group[x] || a->n < 2) continue;
    if (used < sizeof text - 1)
      used += (size_t)(a->words ? snprintf(text + used, sizeof text - used, "%s%s",
                                           used ? ", " : "", a->text[v.entry[i]])
                                : snprintf(text + used, sizeof text - used, "%s%s = %.4g %s",
                                           used ? ", " : "", a->path, v.value[i], a->unit));
  }
  hk_variant_free(&v);
  return text[0] ? hk_arena_strdup(&d->arena, text) : NULL;
}

/* ---- lines ---- */

static hk_status draw_lines(drawing *d, hk_error *err) {
  const hk_table *t = d->t;
  int axis[HK_STUDY_MAX_AXES], n_panels = panels_of(d);
  if (!numeric_axes(d, axis))
    return hk_fail(err, HK_EINPUT,
                   "a line figure needs a numeric study axis with at least two values");
  /* The axis with the largest number of values is horizontal. */
  int x = axis[0];
  for (int i = 1; i < numeric_axes(d, axis); i++)
    if (d->study->axis[axis[i]].n > d->study->axis[x].n) x = axis[i];
  int64_t *first = HK_NEW_ARRAY(&d->arena, int64_t, MOST_LINES), n_lines = 0;
  for (int64_t i = 0; i < t->n && n_lines < MOST_LINES; i++) {
    bool known = false;
    for (int64_t k = 0; k < n_lines; k++) known = known || same_line(d, first[k], i, x);
    if (!known) first[n_lines++] = i;
  }
  hk_plot_panel *panel = HK_NEW_ARRAY(&d->arena, hk_plot_panel, n_panels);
  for (int p = 0; p < n_panels; p++) {
    hk_plot_series *series = HK_NEW_ARRAY(&d->arena, hk_plot_series, MOST_LINES);
    if (!panel || !series || !first) return no_memory(err);
    for (int64_t k = 0; k < n_lines; k++) {
      double *xs = HK_NEW_ARRAY(&d->arena, double, t->n),
             *ys = HK_NEW_ARRAY(&d->arena, double, t->n);
      int64_t n = 0;
      if (!xs || !ys) return no_memory(err);
      for (int64_t i = 0; i < t->n; i++) {
        if (!same_line(d, first[k], i, x)) continue;
        xs[n] = value(d, x, i);
        ys[n++] = value(d, d->shown[p], i);
      }
      series[k] = (hk_plot_series){
          .name = name_line(d, first[k], x), .x = xs, .y = ys, .n = n, .marker = HK_MARKER_DOT};
    }
    panel[p] = (hk_plot_panel){.x = axis_of(&t->column[x]),
                               .y = axis_of(&t->column[d->shown[p]]),
                               .series = series,
                               .n_series = (int)n_lines};
    panel[p].x.log = d->study->axis[x].kind == HK_AXIS_LOG;
  }
  return save(d, panel, n_panels, n_panels > 1 ? 2 : 1, 0, NULL, err);
}

/* ---- maps ---- */

/* Sets the limits of an axis with half a cell at each end. */
static void widen(hk_plot_axis *out, const hk_axis *a) {
  double lo = INFINITY, hi = -INFINITY;
  for (int64_t i = 0; i < a->n; i++) {
    lo = fmin(lo, hk_axis_value(a, i));
    hi = fmax(hi, hk_axis_value(a, i));
  }
  out->log = a->kind == HK_AXIS_LOG;
  double half = 0.5 / (double)(a->n - 1);
  out->min = out->log ? lo * pow(hi / lo, -half) : lo - half * (hi - lo);
  out->max = out->log ? hi * pow(hi / lo, half) : hi + half * (hi - lo);
}

static hk_status draw_maps(drawing *d, hk_error *err) {
  const hk_table *t = d->t;
  int axis[HK_STUDY_MAX_AXES], n_panels = panels_of(d);
  if (numeric_axes(d, axis) < 2)
    return hk_fail(err, HK_EINPUT, "a map needs two numeric axes with at least two values each");
  const hk_axis *a = &d->study->axis[axis[0]], *b = &d->study->axis[axis[1]];
  hk_plot_panel *panel = HK_NEW_ARRAY(&d->arena, hk_plot_panel, n_panels);
  hk_plot_series *series = HK_NEW_ARRAY(&d->arena, hk_plot_series, n_panels);
  if (!panel || !series) return no_memory(err);
  for (int p = 0; p < n_panels; p++) {
    const hk_table_column *c = &t->column[d->shown[p]];
    series[p] = (hk_plot_series){.x = t->column[axis[0]].value,
                                 .y = t->column[axis[1]].value,
                                 .shade = c->value,
                                 .n = t->n,
                                 .line = HK_LINE_NONE,
                                 .marker = HK_MARKER_SQUARE,
                                 .cells_x = (int)a->n,
                                 .cells_y = (int)b->n};
    panel[p] = (hk_plot_panel){.x = axis_of(&t->column[axis[0]]),
                               .y = axis_of(&t->column[axis[1]]),
                               .series = &series[p],
                               .n_series = 1,
                               .shade_label = c->name,
                               .shade_unit = c->unit};
    widen(&panel[p].x, a);
    widen(&panel[p].y, b);
  }
  int columns = n_panels > FEW_PANELS ? 3 : n_panels > 1 ? 2 : 1;
  return save(d, panel, n_panels, columns, 0, NULL, err);
}

/* ---- scatter matrix ---- */

static hk_status draw_matrix(drawing *d, hk_error *err) {
  const hk_table *t = d->t;
  int column[MOST_MATRIX], n = 0;
  if (d->chosen && d->n_shown > MOST_MATRIX)
    return hk_fail(err, HK_EINPUT, "a matrix can show at most %d columns, but --show lists %d",
                   MOST_MATRIX, d->n_shown);
  /* Shows the requested columns; without a request the first axes, then the measures. */
  for (int k = d->study->n_crossed; k < d->study->n_axes && n < 4 && !d->chosen; k++)
    column[n++] = k;
  for (int k = 0; k < d->study->n_crossed && n < 4 && !d->chosen; k++)
    if (!d->study->axis[k].words && d->study->axis[k].n > 1) column[n++] = k;
  for (int k = 0; k < d->n_shown && n < MOST_MATRIX; k++) column[n++] = d->shown[k];
  hk_plot_panel *panel = HK_NEW_ARRAY(&d->arena, hk_plot_panel, n * n);
  hk_plot_series *series = HK_NEW_ARRAY(&d->arena, hk_plot_series, n * n);
  if (!panel || !series) return no_memory(err);
  for (int r = 0; r < n; r++)
    for (int c = 0; c < n; c++) {
      int i = r * n + c;
      series[i] = (hk_plot_series){.x = t->column[column[c]].value,
                                   .y = t->column[column[r]].value,
                                   .n = t->n,
                                   .line = HK_LINE_NONE,
                                   .marker = HK_MARKER_POINT,
                                   .colour = r == c ? HK_COLOUR_GREY : HK_COLOUR_FIRST};
      panel[i] = (hk_plot_panel){.x = axis_of(&t->column[column[c]]),
                                 .y = axis_of(&t->column[column[r]]),
                                 .series = &series[i],
                                 .n_series = 1};
      if (r < n - 1) panel[i].x.label = NULL, panel[i].x.unit = NULL;
      if (c > 0) panel[i].y.label = NULL, panel[i].y.unit = NULL;
    }
  const hk_plot_figure figure = {.title = d->study->title,
                                 .panel = panel,
                                 .n_panels = n * n,
                                 .columns = n,
                                 .width = 280.0 * n,
                                 .panel_height = 150};
  return tool_figure_save(&figure, d->path, err);
}

/* ---- slices: effect of one variable, with the others at their centres ---- */

static hk_status draw_slices(drawing *d, hk_error *err) {
  const hk_table *t = d->t;
  int column[64] = {0}, n = 0;
  for (int k = 0; k < d->study->n_axes && n < 9; k++)
    if (!d->study->axis[k].words && (k >= d->study->n_crossed || d->study->axis[k].n > 1))
      column[n++] = k;
  if (!n)
    return hk_fail(err, HK_EINPUT,
                   "a slice figure needs a numeric study axis with at least two values");
  hk_surrogate *model = NULL;
  hk_status status = hk_table_fit(t, column, n, d->shown[0], HK_SURROGATE_AUTO, &model, err);
  if (status) return status;
  hk_plot_panel *panel = HK_NEW_ARRAY(&d->arena, hk_plot_panel, n);
  for (int p = 0; p < n && !status; p++) {
    hk_plot_series *series = HK_NEW_ARRAY(&d->arena, hk_plot_series, 2);
    double *x = HK_NEW_ARRAY(&d->arena, double, SLICE_POINTS),
           *y = HK_NEW_ARRAY(&d->arena, double, SLICE_POINTS);
    if (!panel || !series || !x || !y) {
      status = no_memory(err);
      break;
    }
    double at[64];
    for (int i = 0; i < SLICE_POINTS; i++) {
      for (int k = 0; k < n; k++) at[k] = hk_surrogate_middle(model, k);
      at[p] = hk_surrogate_inside(model, p, (double)i / (SLICE_POINTS - 1));
      x[i] = at[p];
      y[i] = hk_surrogate_value(model, at, NULL);
    }
    series[0] = (hk_plot_series){.x = t->column[column[p]].value,
                                 .y = t->column[d->shown[0]].value,
                                 .n = t->n,
                                 .line = HK_LINE_NONE,
                                 .marker = HK_MARKER_POINT,
                                 .colour = HK_COLOUR_GREY};
    series[1] = (hk_plot_series){.x = x, .y = y, .n = SLICE_POINTS, .colour = HK_COLOUR_FIRST};
    panel[p] = (hk_plot_panel){.x = axis_of(&t->column[column[p]]),
                               .y = axis_of(&t->column[d->shown[0]]),
                               .series = series,
                               .n_series = 2};
  }
  char title[200];
  snprintf(title, sizeof title, "others at their centres; %s, leave-one-out error %.2g of spread",
           hk_surrogate_name(model), hk_surrogate_error(model));
  hk_surrogate_free(model);
  return status ? status : save(d, panel, n, n > 1 ? n > 4 ? 3 : 2 : 1, 0, title, err);
}

/* ---- Pareto front ---- */

static int compare_points(const void *a, const void *b) {
  double d = *(const double *)a - *(const double *)b;
  return d < 0 ? -1 : d > 0;
}

static hk_status draw_pareto(drawing *d, hk_error *err) {
  const hk_table *t = d->t;
  const hk_study *s = d->study;
  int goal[2], feasible = -1;
  if (s->n_goals < 2) return hk_fail(err, HK_EINPUT, "a Pareto front needs two goals");
  for (int g = 0; g < 2; g++) {
    hk_status status = hk_table_find(t, s->goal[g].name, &goal[g], err);
    if (status) return status;
  }
  hk_table_find(t, "feasible", &feasible, NULL);
  bool *allowed = HK_NEW_ARRAY(&d->arena, bool, t->n + 1),
       *front = HK_NEW_ARRAY(&d->arena, bool, t->n + 1);
  double *v[2], *other = HK_NEW_ARRAY(&d->arena, double, 2 * t->n + 2),
                *bad = HK_NEW_ARRAY(&d->arena, double, 2 * t->n + 2),
                *line = HK_NEW_ARRAY(&d->arena, double, 2 * t->n + 2);
  for (int g = 0; g < 2; g++) v[g] = HK_NEW_ARRAY(&d->arena, double, t->n + 1);
  if (!allowed || !front || !v[0] || !v[1] || !other || !bad || !line) return no_memory(err);
  for (int64_t i = 0; i < t->n; i++) {
    allowed[i] = feasible < 0 || feasible >= t->n_columns || value(d, feasible, i) > 0;
    for (int g = 0; g < 2; g++)
      v[g][i] = (s->goal[g].sense == HK_MAXIMIZE ? -1 : 1) * value(d, goal[g], i);
  }
  int64_t n_front = hk_pareto_front((const double *const *)v, 2, t->n, allowed, front), n = 0,
          m = 0, k = 0;
  for (int64_t i = 0; i < t->n; i++)
    if (front[i]) line[2 * k] = value(d, goal[0], i), line[2 * k++ + 1] = value(d, goal[1], i);
  qsort(line, (size_t)n_front, 2 * sizeof *line, compare_points);
  double *fx = HK_NEW_ARRAY(&d->arena, double, n_front + 1),
         *fy = HK_NEW_ARRAY(&d->arena, double, n_front + 1);
  if (!fx || !fy) return no_memory(err);
  for (k = 0; k < n_front; k++) fx[k] = line[2 * k], fy[k] = line[2 * k + 1];
  for (int64_t i = 0; i < t->n; i++) {
    if (front[i]) continue;
    double *list = allowed[i] ? other : bad;
    int64_t *count = allowed[i] ? &n : &m;
    list[*count] = value(d, goal[0], i);
    list[t->n + 1 + (*count)++] = value(d, goal[1], i);
  }
  const hk_plot_series series[] = {{.name = m ? "beyond a constraint" : NULL,
                                    .x = bad,
                                    .y = bad + t->n + 1,
                                    .n = m,
                                    .line = HK_LINE_NONE,
                                    .marker = HK_MARKER_CROSS,
                                    .colour = HK_COLOUR_GREY},
                                   {.name = "variants",
                                    .x = other,
                                    .y = other + t->n + 1,
                                    .n = n,
                                    .line = HK_LINE_NONE,
                                    .marker = HK_MARKER_CIRCLE,
                                    .colour = HK_COLOUR_FIRST},
                                   {.name = "Pareto front",
                                    .x = fx,
                                    .y = fy,
                                    .n = n_front,
                                    .marker = HK_MARKER_DOT,
                                    .colour = HK_COLOUR_FIRST + 1}};
  const hk_plot_panel panel = {.x = axis_of(&t->column[goal[0]]),
                               .y = axis_of(&t->column[goal[1]]),
                               .series = series,
                               .n_series = 3};
  return save(d, &panel, 1, 1, 420, NULL, err);
}

/* ---- which ---- */

static const char *automatic(const drawing *d) {
  int axis[HK_STUDY_MAX_AXES], n = numeric_axes(d, axis);
  if (d->study->n_goals >= 2) return "pareto";
  if (d->study->n_axes > d->study->n_crossed) return "matrix";
  return n == 2 && d->study->axis[axis[0]].n > 4 && d->study->axis[axis[1]].n > 4 ? "map" : "line";
}

hk_status tool_study_figure(const hk_study *study, const hk_table *t, const char *kind,
                            const char *show, const char *path, hk_error *err) {
  static const struct {
    const char *name;
    hk_status (*draw)(drawing *d, hk_error *err);
  } kinds[] = {{"line", draw_lines},
               {"map", draw_maps},
               {"matrix", draw_matrix},
               {"slice", draw_slices},
               {"pareto", draw_pareto}};
  drawing d = {.study = study, .t = t, .path = path};
  if (t->n == 0) return hk_fail(err, HK_EINPUT, "there is no data to draw: no variant succeeded");
  hk_arena_init(&d.arena);
  if (strcmp(kind, "auto") == 0) kind = automatic(&d);
  hk_status status = choose(&d, show, err);
  bool known = false;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !status; i++)
    if (strcmp(kind, kinds[i].name) == 0) {
      known = true;
      status = kinds[i].draw(&d, err);
    }
  if (!status && !known)
    status = hk_fail(err, HK_EINPUT, "--figure is " TOOL_FIGURE_KINDS ", not '%s'", kind);
  hk_arena_free(&d.arena);
  return status;
}
