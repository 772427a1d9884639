/* Values just after the end of a step agree with those at its end, for every channel.
 *
 * Elements with memory compute rates from the differences over a step. A row that is a few bits later than the end of a
 * step must not divide round-off by a time of a few bits. */
#include "support/check.h"
#include <hooke/hooke.h>
#include <float.h>
#include <math.h>

/* The first steps of each example only give the channels their scales. */
enum { MOST = 600, STEPS = 100, SKIPPED = 40 };

/* Times after the start of the step: as multiples of the spacing of floating-point numbers, and as shares of the step. */
static const double BITS[] = {1, 2, 7, 60, 1000}, SHARE[] = {1e-12, 1e-9, 1e-6, 1e-4, 9e-4};

typedef struct values {
  double t, y[MOST];
} values;

/* Compares values at a time after the end `b` of a step with those at its end. a, c: the step ends before and after. */
static void compare(hk_sim *s, double t, int n, const int *channel, const values *a,
                    const values *b, const values *c, const double *scale, double *worst,
                    int *where) {
  static double y[MOST];
  if (!(t > b->t) || !(t < c->t)) return;
  MUST(hk_sim_values_at(s, t, channel, n, y, err));
  double share = (t - b->t) / (c->t - b->t);
  for (int k = 0; k < n; k++) {
    double change = fabs(c->y[k] - b->y[k]) + fabs(b->y[k] - a->y[k]);
    double off = fabs(y[k] - b->y[k]) / ((0.05 + 2 * share) * change + 1e-6 * scale[k] + DBL_MIN);
    if (!(off <= *worst)) *worst = off, *where = k;
  }
}

/* All channels but those of the integrator itself. */
static int motion_channels(const hk_model *m, int *channel) {
  int n = 0;
  for (int k = 1; k < hk_model_channel_count(m) && n < MOST; k++)
    if (strncmp(hk_model_channel_name(m, k), "solver.", 7) != 0) channel[n++] = k;
  return n;
}

/* The scale of a channel is the largest value of all channels with its unit. */
static void widen(const hk_model *m, int n, const int *channel, const values *v, double *scale) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      if (strcmp(hk_model_channel_unit(m, channel[k]), hk_model_channel_unit(m, channel[i])) == 0)
        scale[k] = fmax(scale[k], fabs(v->y[i]));
}

static void near_step_ends(const char *name) {
  char path[400];
  hk_diag diag;
  hk_diag_init(&diag);
  snprintf(path, sizeof path, "%s/examples/%s", HOOKE_SOURCE_DIR, name);
  hk_model *m = hk_model_compile(hk_model_file_read(path, NULL, 0, &diag), &diag);
  assert_non_null(m);
  hk_sim *s = NULL;
  MUST(hk_sim_create(m, NULL, &s, &diag, err));
  int channel[MOST], n;
  n = motion_channels(m, channel);
  static values end[3];
  static double scale[MOST];
  memset(scale, 0, sizeof scale);
  double worst = 0;
  int where = 0;
  for (int i = 0; i < STEPS; i++) {
    values *a = &end[i % 3], *b = &end[(i + 1) % 3], *c = &end[(i + 2) % 3];
    MUST(hk_sim_step(s, INFINITY, err));
    c->t = hk_sim_time(s);
    MUST(hk_sim_values(s, channel, n, c->y, err));
    widen(m, n, channel, c, scale);
    for (size_t j = 0; i >= SKIPPED && j < sizeof BITS / sizeof *BITS; j++)
      compare(s, b->t + BITS[j] * DBL_EPSILON * b->t, n, channel, a, b, c, scale, &worst, &where);
    for (size_t j = 0; i >= SKIPPED && j < sizeof SHARE / sizeof *SHARE; j++)
      compare(s, b->t + SHARE[j] * (c->t - b->t), n, channel, a, b, c, scale, &worst, &where);
  }
  printf("%-36s %3d channels: %.2g of the limit (%s)\n", name, n, worst,
         hk_model_channel_name(m, channel[where]));
  assert_true(worst <= 1);
  hk_sim_destroy(s);
  hk_model_destroy(m);
  hk_diag_free(&diag);
}

static void examples(void **state) {
  (void)state;
  static const char *const list[] = {
      "gear_rig/rig.yaml",         "gears/two_stage.yaml",
      "cv_joint/plunging.yaml",    "clearance/four_bar_films.yaml",
      "half_shaft/bar.yaml",       "bearings/rotor.yaml",
      "control/hydraulic.yaml",    "slider_crank_clearance/lubricated.yaml",
      "tutorial/slider_crank.yaml"};
  const char *one = getenv("HOOKE_EXAMPLE");
  if (one) near_step_ends(one);
  for (size_t i = 0; !one && i < sizeof list / sizeof *list; i++) near_step_ends(list[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(examples)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
