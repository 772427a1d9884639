/* The gear rig of examples/gear_rig over time: orders of its transmission error against those of an
 * independent program (plane model with six coordinates, the same teeth), for R0, R1 and R2; only orders of
 * tooth passing; reversal of the load. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <hooke/hooke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define RIG HOOKE_SOURCE_DIR "/examples/gear_rig/"

typedef struct run {
  double *x; /* transmission error of the last turns, um */
  int n, turns;
  double least, most; /* load of the last turns, N */
} run;

/* Runs for `settle` turns and records `turns` more. */
static run simulate(const char *file, double rpm, const hk_override *set, int n_set, double settle,
                    int turns) {
  hk_diag diag;
  hk_error err = {0};
  hk_sim *sim;
  hk_diag_init(&diag);
  hk_spec *spec = hk_model_file_read(file, set, n_set, &diag);
  if (!spec) fail_msg("%s", diag.message[0].text);
  hk_model *m = hk_model_compile(spec, &diag);
  if (!m) fail_msg("%s", diag.message[0].text);
  if (hk_sim_create(m, NULL, &sim, NULL, &err)) fail_msg("%s", err.text);
  int error = hk_model_channel_find(m, "mesh.transmission_error"),
      load = hk_model_channel_find(m, "mesh.load");
  double turn = 60 / rpm;
  run r = {
      .n = (int)lround(turns * turn / 1e-5), .turns = turns, .least = INFINITY, .most = -INFINITY};
  r.x = calloc((size_t)r.n, sizeof *r.x);
  if (hk_sim_advance(sim, settle * turn, &err)) fail_msg("%s", err.text);
  for (int i = 0; i < r.n; i++) {
    if (hk_sim_advance(sim, settle * turn + (i + 1) * 1e-5, &err)) fail_msg("%s", err.text);
    r.x[i] = 1e6 * hk_sim_value(sim, error);
    double F = hk_sim_value(sim, load);
    r.least = fmin(r.least, F);
    r.most = fmax(r.most, F);
  }
  hk_sim_destroy(sim);
  hk_model_destroy(m);
  hk_diag_free(&diag);
  return r;
}

static double order(const run *r, double k) {
  double re = 0, im = 0, mean = 0;
  for (int i = 0; i < r->n; i++) mean += r->x[i] / r->n;
  for (int i = 0; i < r->n; i++) {
    double a = 2 * M_PI * k * r->turns * i / r->n;
    re += 2 * (r->x[i] - mean) * cos(a) / r->n;
    im += 2 * (r->x[i] - mean) * sin(a) / r->n;
  }
  return hypot(re, im);
}

static void near_order(const run *r, int k, double wanted) {
  double got = order(r, 57 * k), allowed = wanted > 0.1 ? 0.05 * wanted : 0.01;
  if (!(fabs(got - wanted) <= allowed))
    fail_msg("order %d: %.4f um, not %.4f", 57 * k, got, wanted);
}

typedef struct expected {
  const char *file, *law, *speed;
  double rpm, order[4];
} expected;

static void orders(void **state) {
  static const expected of[] = {
      {RIG "rig_r0.yaml", "ehl", "1500 rpm", 1500, {1.521, .190, .049, .012}},
      {RIG "rig_r0.yaml", "dry", "1500 rpm", 1500, {1.585, .328, .078, .014}},
      {RIG "rig.yaml", "ehl", "1500 rpm", 1500, {.882, .289, .054, .014}},
      {RIG "rig_r2.yaml", "ehl", "1500 rpm", 1500, {.995, 1.520, .034, .006}},
  };
  double wet[4] = {0};
  for (int i = 0; i < 4; i++) {
    const hk_override set[] = {{"law", of[i].law}, {"speed", of[i].speed}};
    run r = simulate(of[i].file, of[i].rpm, set, 2, 1.5, 1);
    for (int k = 1; k <= 4; k++) near_order(&r, k, of[i].order[k - 1]);
    if (i == 0) {
      for (int k = 0; k < 4; k++) wet[k] = order(&r, 57 * (k + 1));
      for (int k = 1; k < 280; k++) /* nothing between the orders of tooth passing */
        if (k % 57) assert_true(order(&r, k) < 1e-2);
    }
    if (i == 1) /* the film softens engagement */
      assert_true(wet[1] < 0.8 * order(&r, 114) && wet[2] < 0.8 * order(&r, 171));
    assert_true(r.least > 0);
    free(r.x);
  }
}

/* With torque and speed reversed the backward flank carries the same load, by the backlash further on. */
static void reversal(void **state) {
  const hk_override back[] = {
      {"torque", "-150 N*m"}, {"speed", "-1500 rpm"}, {"press", "-109.87 um"}};
  run fore = simulate(RIG "rig_r0.yaml", 1500, NULL, 0, 1, 1);
  run aft = simulate(RIG "rig_r0.yaml", 1500, back, 3, 1, 1);
  double mean[2] = {0};
  for (int i = 0; i < fore.n; i++) mean[0] += fore.x[i] / fore.n, mean[1] += aft.x[i] / aft.n;
  if (!(fabs(mean[0] + mean[1] + 100) < 1e-3)) fail_msg("%.6f and %.6f um", mean[0], mean[1]);
  assert_true(fabs(fore.most + aft.least) < 1e-4 * fore.most);
  for (int k = 1; k < 4; k++) assert_true(fabs(order(&fore, 57 * k) - order(&aft, 57 * k)) < 1e-3);
  free(fore.x);
  free(aft.x);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(orders), cmocka_unit_test(reversal)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
