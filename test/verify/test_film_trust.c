/* Films and the size of the model: a tolerance relative to the size of the machine may be too large
 * within a clearance.  A run reports the possible error (HK_QUALITY_FILM), which agrees with the
 * actual error within an order of magnitude. */
#include "verify.h"
#include <hooke/run.h>

typedef struct told {
  double place[2]; /* position of the journal in its housing at the end, relative to the
                    * clearance */
  double film_error;
  int doubts;
} told;

static told run(const hk_sim_options *o) {
  static const hk_override none[1];
  told t = {0};
  hk_diag diag;
  hk_run_report r;
  hk_diag_init(&diag);
  hk_spec *spec = hk_model_file_read(
      HOOKE_SOURCE_DIR "/examples/slider_crank_clearance/lubricated.yaml", none, 0, &diag);
  hk_model *m = spec ? hk_model_compile(spec, &diag) : NULL;
  assert_non_null(m);
  assert_int_equal(hk_run(m, &(hk_run_options){.sim = o}, &r, &diag), HK_OK);
  for (int i = 0; i < r.n_measures; i++)
    for (int k = 0; k < 2; k++)
      if (strcmp(r.measure[i].name, k ? "ty_end" : "tx_end") == 0)
        t.place[k] = r.measure[i].value / 50e-6;
  const hk_indicator *film = hk_quality_find(r.quality, HK_QUALITY_FILM);
  assert_non_null(film);
  assert_string_equal(film->element, "wrist.film");
  t.film_error = film->amount;
  t.doubts = r.doubts;
  hk_run_report_free(&r);
  hk_model_destroy(m);
  hk_diag_free(&diag);
  return t;
}

static void films_are_judged_by_their_clearance(void **state) {
  (void)state;
  const told fine = run(&(hk_sim_options){.stepper = "bdf", .rtol = 1e-12, .atol = 1e-14});
  const told usual = run(&(hk_sim_options){.stepper = "bdf"});
  assert_int_equal(fine.doubts, 0);
  assert_int_equal(usual.doubts, 0);
  assert_true(usual.film_error < 1e-4);
  double before = INFINITY;
  for (int i = 0; i < 2; i++) {
    const told alpha = run(&(hk_sim_options){
        .stepper = "generalized_alpha", .rtol = i ? 1e-8 : 2e-7, .atol = i ? 1e-10 : 2e-9});
    double error = hypot(alpha.place[0] - fine.place[0], alpha.place[1] - fine.place[1]);
    print_message("error %.2e of the clearance, told %.2e\n", error, alpha.film_error);
    assert_true(alpha.film_error > error && alpha.film_error < 5 * error);
    assert_true(alpha.film_error < 0.5 * before);
    assert_int_equal(alpha.doubts, i ? 0 : 1);
    before = alpha.film_error;
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(films_are_judged_by_their_clearance)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
