/* The derivative of a step against repeated steps: central differences of steps on the same grid
 * from nearby states. */
#include "support/check.h"
#include "integrator/tangent.h"
#include "integrator/smooth/generalized_alpha.h"
#include "base/random.h"
#include <hooke/hooke.h>
#include <hooke/state.h>
#include <stdlib.h>
#include <string.h>

typedef struct scene {
  const char *file;
  const char *set[2][2];
  int warm;         /* adaptive steps before the derivative */
  double tolerance; /* relative to the largest entry of each part of a column */
} scene;

static const double tight = 1e-6;
enum { STEPS = 12, COLUMNS = 6 };

/* x displaced along a column by eps; the result is the start of the next step. */
static void move_state(const hk_sim *s, const double *x, const double *c, double eps, double *out) {
  const hk_model *m = s->model;
  const hk_column_parts at = hk_column_at(m);
  double *d = malloc((size_t)(m->nv + 1) * sizeof *d);
  memcpy(out, x, hk_sim_state_size(s));
  for (int i = 0; i < m->nv; i++) {
    d[i] = eps * c[at.d + i];
    out[m->at.v + i] += eps * c[at.w + i];
    out[m->at.vd + i] += eps * c[at.vd + i];
    out[hk_alpha_at(m).a + i] += eps * c[at.a + i];
  }
  hk_configuration_add(m, x + m->at.q, d, out + m->at.q);
  for (int r = 0; r < m->nc && m->friction; r++)
    out[m->at.lambda_shift + r] += eps * c[at.shift + r];
  for (int i = 0; i < m->n_memory; i++) out[m->at.memory + i] += eps * c[at.memory + i];
  free(d);
}

static bool replay(hk_sim *s, const double *x, const double *end, double *out) {
  hk_error err = {0};
  hk_sim_state_set(s, x);
  for (int k = 0; k < STEPS; k++)
    if (hk_sim_step_exactly(s, end[k], tight, &err)) return false;
  hk_sim_state_get(s, out);
  return true;
}

/* Largest difference of a part of two columns, relative to the largest entry of the part. */
static double apart(const double *a, const double *b, int n) {
  double most = 0, size = 0;
  for (int i = 0; i < n; i++) {
    most = fmax(most, fabs(a[i] - b[i]));
    size = fmax(size, fabs(b[i]));
  }
  return size > 0 ? most / size : most;
}

static void check_scene(const scene *c) {
  char path[512];
  hk_error err = {0};
  hk_diag diag;
  hk_diag_init(&diag);
  snprintf(path, sizeof path, "%s/%s", HOOKE_SOURCE_DIR, c->file);
  hk_override set[2];
  int n_set = 0;
  for (int i = 0; i < 2 && c->set[i][0]; i++)
    set[n_set++] = (hk_override){c->set[i][0], c->set[i][1]};
  hk_spec *spec = hk_model_file_read(path, set, n_set, &diag);
  hk_model *m = spec ? hk_model_compile(spec, &diag) : NULL;
  if (!m) fail_msg("%s: %s", c->file, diag.n ? diag.message[0].text : "cannot be read");
  hk_sim *s, *other;
  const hk_sim_options o = {.stepper = "generalized_alpha"};
  if (hk_sim_create(m, &o, &s, &diag, &err) || hk_sim_create(m, &o, &other, &diag, &err))
    fail_msg("%s: %s", c->file, err.text);
  for (int k = 0; k < c->warm; k++)
    if (hk_sim_step(s, 1e9, &err)) fail_msg("%s: %s", c->file, err.text);

  const hk_column_parts at = hk_column_at(m);
  size_t bytes = hk_sim_state_size(s), width = (size_t)at.size;
  double *x = malloc(bytes), *before = malloc(bytes), *high = malloc(bytes), *low = malloc(bytes),
         *from = malloc(bytes), *now = malloc(bytes);
  double *column = calloc(COLUMNS * width + 1, sizeof *column),
         *first = calloc(COLUMNS * width + 1, sizeof *first),
         *seen = calloc(width + 1, sizeof *seen), end[STEPS];
  hk_sim_state_get(s, x);
  /* The step grid of an adaptive run; repeated with converged equations. */
  double h = hk_sim_statistics(s).step;
  for (int k = 0; k < STEPS; k++) end[k] = hk_sim_time(s) + h * (k + 1) * (1 + 0.02 * k);
  hk_tangent *t;
  if (hk_tangent_create(s, &t, &err)) fail_msg("%s", err.text);
  /* Random directions on the constraints. */
  uint64_t random = hk_random_stream(7, 1);
  double length = m->length > 0 ? m->length : 1;
  for (int j = 0; j < COLUMNS; j++) {
    double *col = column + (size_t)j * width;
    double *q = now + m->at.q;
    memcpy(now, x, bytes);
    for (int i = 0; i < 2 * m->nv; i++)
      col[i] = length * hk_random_signed(&random) / (i < m->nv ? 1 : h);
    /* tangent to the position constraints: the difference of two projected states */
    for (int i = 0; i < m->nv; i++) col[i] *= 1e-6;
    hk_configuration_add(m, x + m->at.q, col, q);
    if (hk_sim_project(s, hk_sim_time(s), q, now + m->at.v, &err)) fail_msg("%s", err.text);
    hk_configuration_sub(m, q, x + m->at.q, col);
    for (int i = 0; i < m->nv; i++) col[i] *= 1e6;
  }
  hk_sim_state_set(s, x);
  if (hk_tangent_project(t, x, column, COLUMNS, &err)) fail_msg("%s", err.text);
  if (hk_tangent_start(t, x, column, COLUMNS, &err)) fail_msg("%s", err.text);
  memcpy(first, column, COLUMNS * width * sizeof *first);
  hk_sim_state_set(s, x);
  for (int k = 0; k < STEPS; k++) {
    hk_sim_state_get(s, before);
    if (hk_sim_step_exactly(s, end[k], tight, &err)) fail_msg("%s: %s", c->file, err.text);
    hk_sim_state_get(s, now);
    if (hk_tangent_step(t, before, now[m->at.t] - before[m->at.t], now, column, COLUMNS, &err))
      fail_msg("%s: %s", c->file, err.text);
  }
  double worst[3] = {0};
  for (int j = 0; j < COLUMNS; j++) {
    const double *col = column + (size_t)j * width;
    double eps = 1e-6, best[3] = {INFINITY, INFINITY, INFINITY};
    for (int scale = 0; scale < 5; scale++, eps *= 0.1) { /* the best of several difference steps */
      move_state(s, x, first + (size_t)j * width, eps, from);
      if (!replay(other, from, end, high)) continue;
      move_state(s, x, first + (size_t)j * width, -eps, from);
      if (!replay(other, from, end, low)) continue;
      hk_configuration_sub(m, high + m->at.q, low + m->at.q, seen);
      for (int i = 0; i < m->nv; i++) {
        seen[at.w + i] = high[m->at.v + i] - low[m->at.v + i];
        seen[at.vd + i] = high[m->at.vd + i] - low[m->at.vd + i];
      }
      for (int i = 0; i < 3 * m->nv; i++) seen[i] /= 2 * eps;
      for (int part = 0; part < 3; part++) {
        double off = apart(col + part * m->nv, seen + part * m->nv, m->nv);
        best[part] = fmin(best[part], off);
      }
    }
    for (int part = 0; part < 3; part++) worst[part] = fmax(worst[part], best[part]);
  }
  printf("%-45s h %.2e: d %.1e, w %.1e, vd %.1e\n", c->file, h, worst[0], worst[1], worst[2]);
  assert_true(worst[0] <= c->tolerance);
  assert_true(worst[1] <= c->tolerance);
  /* Accelerations are positions divided by h^2: their differences have more round-off. */
  assert_true(worst[2] <= 100 * c->tolerance);
  hk_tangent_destroy(t);
  free(x), free(before), free(high), free(low), free(from), free(now);
  free(column), free(first), free(seen);
  hk_sim_destroy(s);
  hk_sim_destroy(other);
  hk_model_destroy(m);
  hk_diag_free(&diag);
}

static const scene scenes[] = {
    {"examples/nonlinear/duffing.yaml", {{0}}, 30, 1e-6},
    {"examples/benchmarks/a01_pendulum.yaml", {{0}}, 30, 1e-5},
    {"examples/benchmarks/a02_four_bar.yaml", {{0}}, 30, 1e-5},
    {"examples/benchmarks/a05_governor.yaml", {{0}}, 30, 1e-5},
    {"examples/benchmarks/spatial_slider_crank.yaml", {{0}}, 30, 1e-5},
    {"examples/benchmarks/rotating_shaft.yaml", {{0}}, 30, 1e-5},
    {"examples/bearings/rotor.yaml", {{0}}, 40, 1e-4},
    {"examples/gear_rig/rig.yaml", {{0}}, 60, 1e-4},
    {"examples/clearance/four_bar_films.yaml", {{0}}, 40, 1e-4},
    /* rtol: shorter steps have more round-off in the accelerations than the tolerance allows */
    {"examples/slider_crank_clearance/lubricated.yaml", {{"analysis.rtol", "1e-8"}}, 40, 1e-4},
    {"examples/cv_joint/plunging.yaml", {{0}}, 60, 1e-3},
    {"examples/half_shaft/tripod.yaml", {{0}}, 60, 1e-4},
    {"examples/control/quarter_car.yaml", {{0}}, 40, 1e-4},
};

static void every_scene(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) check_scene(&scenes[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_scene)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
