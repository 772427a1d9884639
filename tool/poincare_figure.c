/* The figure of `hooke poincare`: points of a section, or basins. */
#include "figure.h"
#include "poincare.h"
#include <stdlib.h>

enum { MOST_ATTRACTORS = 7 }; /* number of attractors with distinct colours */

typedef struct drawing {
  hk_plot_series *series;
  char (*name)[80];
  double *x, *y;
  int n;
} drawing;

/* Plots each value over the previous one, or the first two channels over each other. */
static void add_orbit(const hk_orbit *o, double *x, double *y, int64_t *n) {
  int m = o->n_channels;
  for (int i = 0; i < o->n; i++) {
    if (m == 1 && i + 1 == o->n) break;
    x[*n] = o->point[(size_t)i * (size_t)m];
    y[*n] = m == 1 ? o->point[i + 1] : o->point[(size_t)i * (size_t)m + 1];
    ++*n;
  }
}

int tool_basin_share(const tool_basin *b, int attractor, int *first) {
  int n = 0;
  for (int i = b->n - 1; i >= 0; i--)
    if (b->attractor[i] == attractor) n++, *first = i;
  return n;
}

static void name_attractor(const tool_basin *b, int a, int first, int share, char *name,
                           size_t size) {
  int period = b->sweep.point[first].orbit.repeat.period;
  char what[40] = "not periodic";
  if (period) snprintf(what, sizeof what, "period %d", period);
  snprintf(name, size, "%d: %s, %d starts", a + 1, what, share);
}

/* Plots the starts as dots in the colour of the attractor that they lead to. */
static void add_starts(drawing *d, const tool_basin *b, int a, int64_t *at) {
  int64_t n = 0;
  for (int i = 0; i < b->n; i++) {
    const hk_orbit *o = &b->sweep.point[i].orbit;
    if (b->attractor[i] != a || o->n_channels < 2) continue;
    d->x[*at + n] = o->first[0];
    d->y[*at + n++] = o->first[1];
  }
  d->series[d->n++] =
      (hk_plot_series){.x = d->x + *at,
                       .y = d->y + *at,
                       .n = n,
                       .line = HK_LINE_NONE,
                       .colour = a < MOST_ATTRACTORS ? HK_COLOUR_FIRST + a : HK_COLOUR_GREY,
                       .marker = HK_MARKER_DOT};
  *at += n;
}

static hk_status prepare(const tool_poincare *p, drawing *d, hk_error *err) {
  const tool_basin *b = &p->b;
  int n_series = b->n ? b->n_attractors : 1;
  size_t room = (size_t)(p->t.o.points + 1) * (size_t)(b->n ? b->n : 1) + 1;
  d->series = calloc(2 * (size_t)n_series + 1, sizeof *d->series);
  d->name = calloc((size_t)n_series + 1, sizeof *d->name);
  d->x = malloc(room * sizeof *d->x);
  d->y = malloc(room * sizeof *d->y);
  if (!d->series || !d->name || !d->x || !d->y) return hk_fail(err, HK_ENOMEM, "out of memory");
  int64_t at = 0;
  for (int a = 0; a < b->n_attractors; a++) add_starts(d, b, a, &at);
  for (int a = 0; a < n_series; a++) {
    int64_t n = 0;
    int first = 0;
    if (!b->n) add_orbit(&p->orbit, d->x, d->y, &n);
    for (int i = 0; i < b->n; i++)
      if (b->attractor[i] == a) add_orbit(&b->sweep.point[i].orbit, d->x + at, d->y + at, &n);
    if (b->n) {
      int share = tool_basin_share(b, a, &first);
      name_attractor(b, a, first, share, d->name[a], sizeof d->name[a]);
    }
    bool few = b->n ? b->sweep.point[first].orbit.repeat.period > 0 : p->orbit.repeat.period > 0;
    d->series[d->n++] =
        (hk_plot_series){.name = b->n ? d->name[a] : NULL,
                         .x = d->x + at,
                         .y = d->y + at,
                         .n = n,
                         .line = HK_LINE_NONE,
                         .colour = a < MOST_ATTRACTORS ? HK_COLOUR_FIRST + a : HK_COLOUR_GREY,
                         .marker = !few   ? HK_MARKER_POINT
                                   : b->n ? HK_MARKER_CROSS
                                          : HK_MARKER_DOT};
    at += n;
  }
  return HK_OK;
}

hk_status tool_poincare_draw(const tool_poincare *p, const char *path, hk_error *err) {
  const tool_orbit *t = &p->t;
  drawing d = {0};
  char next[320];
  bool map = t->o.n_channels == 1;
  const char *unit = hk_model_channel_unit(t->model.model, t->index[0]);
  snprintf(next, sizeof next, "next %.300s", t->channel[0]);
  hk_status status = prepare(p, &d, err);
  const hk_plot_panel panel = {
      .x = {.label = t->channel[0], .unit = unit},
      .y = {.label = map ? next : t->channel[1],
            .unit = map ? unit : hk_model_channel_unit(t->model.model, t->index[1])},
      .series = d.series,
      .n_series = d.n};
  const char *title = hk_model_title(t->model.model);
  const hk_plot_figure figure = {.title = "Poincar\xC3\xA9 section",
                                 .subtitle = title && title[0] ? title : t->model.path,
                                 .panel = &panel,
                                 .n_panels = 1,
                                 .panel_height = 420};
  if (!status) status = tool_figure_save(&figure, path, err);
  free(d.series);
  free(d.name);
  free(d.x);
  free(d.y);
  return status;
}
