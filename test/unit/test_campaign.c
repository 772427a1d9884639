/* A campaign from C: variants, keys, duplicates, journals, the collected table, evaluators. */
#include "study/campaign.h"
#include "study/evaluate.h"
#include "study/study_table.h"
#include "support/check.h"
#include <unistd.h>

static char folder[] = "/tmp/hooke-campaign-XXXXXX";
static char model[100], work[100];

static void write_model(void) {
  snprintf(model, sizeof model, "%s/model.yaml", folder);
  FILE *out = fopen(model, "w");
  assert_non_null(out);
  fputs(
      "format: 1\n"
      "parameters: {L: 1 m, g: 9.81 m/s^2}\n"
      "bodies: {bob: {type: point_mass, mass: 1 kg, position: [L, 0, 0]}}\n"
      "forces: {weight: {type: gravity, acceleration: [0, -g, 0]}}\n"
      "measures: {fall: {of: bob.y, take: final}, far: {of: bob.x, take: final}}\n"
      "analysis: {duration: 0.1 s}\n",
      out);
  fclose(out);
}

static hk_study *open_study(const char *text, hk_plan *plan) {
  char path[120];
  hk_diag diag;
  hk_error err = {0};
  hk_diag_init(&diag);
  snprintf(path, sizeof path, "%s/study.yaml", folder);
  FILE *out = fopen(path, "w");
  assert_non_null(out);
  fprintf(out, "format: 1\nmodel: model.yaml\n%s", text);
  fclose(out);
  hk_study *s = hk_study_read(path, &diag);
  if (!s || hk_study_bind(s, &diag)) fail_msg("%s", diag.n ? diag.message[0].text : "?");
  hk_diag_free(&diag);
  hk_plan_of_study(s, plan);
  assert_int_equal(hk_plan_open(plan, &err), HK_OK);
  return s;
}

static void numbers_and_keys(void **state) {
  (void)state;
  hk_plan plan;
  hk_variant v, w;
  hk_study *s = open_study(
      "axes: {L: [1 m, 2 m, 1 m], g: 1..3:3 m/s^2, bob.mass: [1 kg, 2 kg, 3 kg]}\n"
      "zip: [[L, bob.mass]]\n"
      "samples: {count: 4, of: {bob.velocity: \"[0, 0, 0], [1 m/s, 0, 0]\"}}\n",
      &plan);
  assert_int_equal(plan.n, 3 * 3 * 4);
  assert_int_equal(hk_variant_init(&v, s, NULL), HK_OK);
  assert_int_equal(hk_variant_init(&w, s, NULL), HK_OK);
  hk_variant_make(&v, &plan, 4 * 5 + 1); /* L and mass 1, g 2, sample 1 */
  assert_near(v.value[0], 2, 1e-15, "L");
  assert_near(v.value[1], 3, 1e-15, "g");
  assert_near(v.value[2], 2, 1e-15, "mass");
  assert_string_equal(v.set[0].value, "2 m");
  /* Keys: equal for equal numbers, different otherwise. */
  for (int i = 0; i < plan.n; i++)
    for (int k = 0; k < i; k++) {
      hk_variant_make(&v, &plan, i);
      hk_variant_make(&w, &plan, k);
      bool same_words = strcmp(v.set[3].value, w.set[3].value) == 0 && i / 4 == k / 4;
      if (!same_words) assert_int_not_equal(memcmp(v.key, w.key, HK_KEY_SIZE), 0);
    }
  hk_variant_free(&v);
  hk_variant_free(&w);
  /* L is the same in groups 0 and 2, but the mass is not. */
  assert_int_equal(hk_plan_first_alike(&plan, plan.n - 1), plan.n - 1);
  hk_study_destroy(s);
  s = open_study("axes: {L: [1 m, 2 m, 1 m], g: 1..3:3 m/s^2}\n", &plan);
  assert_int_equal(hk_plan_first_alike(&plan, 7), 1);
  assert_int_equal(hk_plan_first_alike(&plan, 4), 4);
  hk_study_destroy(s);
}

static void runs_and_collects(void **state) {
  (void)state;
  hk_plan plan;
  hk_campaign_report report;
  hk_collection c;
  hk_table t;
  hk_diag diag;
  hk_error err = {0};
  char journals[200], sqlite[200];
  hk_diag_init(&diag);
  hk_study *s = open_study(
      "axes: {g: [1 m/s^2, 2 m/s^2, 1 m/s^2], bob.mass: [1 kg, -1 kg]}\n"
      "goals: {depth: {maximize: -fall/(2 m)}}\n"
      "set: {L: 2 m}\n"
      "constraints: [fall >= -7 mm]\n",
      &plan);
  const hk_campaign_options o = {.folder = work, .jobs = 2, .no_sync = true};
  assert_int_equal(hk_campaign_run(&plan, &o, &report, &diag, &err), HK_OK);
  assert_int_equal(report.todo, 4); /* two of six are duplicates */
  assert_int_equal(hk_campaign_run(&plan, &o, &report, &diag, &err), HK_EINPUT);
  hk_campaign_path(work, "journals", journals, sizeof journals);
  hk_campaign_path(work, "table.sqlite", sqlite, sizeof sqlite);
  assert_int_equal(hk_collect(&plan, journals, sqlite, &c, &err), HK_OK);
  assert_int_equal(c.done, 6);
  assert_int_equal(c.failed, 3);
  assert_int_equal(c.infeasible, 1);
  assert_int_equal(hk_table_read(sqlite, &t, &err), HK_OK);
  assert_int_equal(t.n, 3);
  assert_int_equal(t.number[1], 2);
  assert_int_equal(t.failure[0], 1);
  assert_non_null(strstr(t.failure_error[0], "mass"));
  int fall, depth, feasible;
  assert_int_equal(hk_table_find(&t, "fall", &fall, &err), HK_OK);
  assert_int_equal(hk_table_find(&t, "depth", &depth, &err), HK_OK);
  assert_int_equal(hk_table_find(&t, "feasible", &feasible, &err), HK_OK);
  assert_int_equal(hk_table_find(&t, "fal", &fall, &err), HK_EINPUT);
  assert_non_null(strstr(err.text, "did you mean 'fall'"));
  hk_table_find(&t, "fall", &fall, NULL);
  for (int i = 0; i < 3; i++) {
    double g = t.column[0].value[i]; /* y = -g t^2/2 */
    assert_near(t.column[fall].value[i], -g * 0.005, 1e-9, "fall");
    assert_near(t.column[depth].value[i], g * 0.0025, 1e-9, "depth");
    assert_int_equal((int)t.column[feasible].value[i], g < 1.4);
  }
  hk_table_free(&t);
  hk_campaign_remove(work);
  assert_int_not_equal(access(work, F_OK), 0);
  hk_study_destroy(s);
  hk_diag_free(&diag);
}

static void evaluates(void **state) {
  (void)state;
  hk_plan plan;
  hk_evaluator e;
  hk_diag diag;
  hk_error err = {0};
  hk_diag_init(&diag);
  hk_study *s = open_study(
      "axes: {g: \"1..3:2 m/s^2\", L: \"log(1 m, 100 m, 2)\"}\n"
      "goals: {fall: minimize}\nconstraints: [far <= 20 m]\n",
      &plan);
  const hk_campaign_options o = {.folder = work, .jobs = 2, .no_sync = true};
  const double u[] = {0, 0.5, 1, 0.5, 0.5, 1};
  assert_int_equal(hk_evaluator_open(&e, s, "a test", &o, &diag, &err), HK_OK);
  assert_int_equal(hk_evaluator_run(&e, u, 3, &err), HK_OK);
  double wanted[] = {-0.005, -0.015, -0.01}, far[] = {10, 10, 100}, scratch[8];
  for (int i = 0; i < 3; i++) {
    assert_near(e.measure[2 * i], wanted[i], 1e-9, "fall");
    int64_t entry[2];
    double value[2];
    hk_study_unit_point(s, u + 2 * i, entry, value);
    hk_score score = hk_study_score(s, 0, value, e.measure + 2 * i, scratch);
    assert_near(score.value, wanted[i], 1e-9, "score");
    assert_near(score.violation, far[i] > 20 ? 4 : 0, 1e-9, "excess over the bound");
  }
  /* The next batch does not change the first one, and an equal point gives the same result. */
  assert_int_equal(hk_evaluator_run(&e, u + 2, 1, &err), HK_OK);
  assert_near(e.measure[0], -0.015, 1e-9, "fall again");
  hk_evaluator_close(&e);
  hk_campaign_remove(work);
  hk_study_destroy(s);
  hk_diag_free(&diag);
}

static int begin(void **state) {
  (void)state;
  if (!mkdtemp(folder)) return 1;
  snprintf(work, sizeof work, "%s/work", folder);
  write_model();
  return 0;
}
static int end(void **state) {
  (void)state;
  hk_campaign_remove(work);
  hk_campaign_remove(folder);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_and_keys),
                                     cmocka_unit_test(runs_and_collects),
                                     cmocka_unit_test(evaluates)};
  return cmocka_run_group_tests(tests, begin, end);
}
