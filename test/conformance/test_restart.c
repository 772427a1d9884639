/* The state is complete: a state saved at any time and restored, in the same simulation or in a new one, gives
 * bit-identical results afterwards.  Every example with every integrator that supports it; in one of the two
 * simulations scratch memory is filled with NaN between the steps. */
#include "support/check.h"
#include "base/sanitizer.h"
#include "support/flat_parallelogram.h"
#include "registry/builtin.h"
#include "sim/sim.h"
#include <dirent.h>
#include <hooke/hooke.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { MOMENTS = 3, BETWEEN = 7, AFTER = 9 };

static int n_pairs, n_models;

static hk_sim *create(const hk_model *m, const hk_sim_options *o) {
  hk_sim *sim = NULL;
  hk_error err = {0};
  return hk_sim_create(m, o, &sim, NULL, &err) ? NULL : sim;
}

/* An integrator may fail at some point of a model: both simulations must then fail in the same way. */
static hk_status step(hk_sim *sim) { return hk_sim_step(sim, 1e9, NULL); }

static void assert_same(const hk_sim *a, const hk_sim *b, const char *what, const char *file) {
  for (int i = 0; i < a->state_size; i++)
    if (memcmp(a->x + i, b->x + i, sizeof *a->x))
      fail_msg("%s with %s: %s; entry %d of the state is %.17g and %.17g at t = %.9g", file,
               hk_sim_stepper_name(a), what, i, a->x[i], b->x[i], hk_sim_time(a));
}

/* All channels except the counters, which describe the simulation and not the motion. */
static void assert_same_values(hk_sim *a, hk_sim *b, const hk_model *m, const char *file) {
  for (int k = 0; k < hk_model_channel_count(m); k++) {
    const char *name = hk_model_channel_name(m, k);
    double x = hk_sim_value(a, k), y = hk_sim_value(b, k);
    if (strncmp(name, "solver.", 7) && memcmp(&x, &y, sizeof x) && !(isnan(x) && isnan(y)))
      fail_msg("%s with %s: channel %s is %.17g and %.17g", file, hk_sim_stepper_name(a), name, x,
               y);
  }
}

static void check_pair(const hk_model *m, const hk_sim_options *o, const char *file) {
  hk_sim *run = create(m, o), *again = create(m, o);
  if (!run || !again) {
    hk_sim_destroy(run);
    hk_sim_destroy(again);
    return;
  }
  n_pairs++;
  void *saved = malloc(hk_sim_state_size(run)), *end = malloc(hk_sim_state_size(run));
  assert_true(saved && end);
  for (int moment = 0; moment < MOMENTS; moment++) {
    for (int i = 0; i < (moment == 0 ? 1 : BETWEEN * moment * moment); i++) step(run);
    hk_sim_state_get(run, saved);
    hk_sim *fresh = create(m, o);
    assert_non_null(fresh);
    assert_int_equal(hk_sim_state_set(fresh, saved), HK_OK);
    assert_int_equal(hk_sim_state_set(again, saved), HK_OK); /* came from elsewhere */
    for (int i = 0; i < AFTER; i++) {
      hk_error one = {0}, two = {0};
      hk_status status = hk_sim_step(run, 1e9, &one);
      if (hk_sim_step(fresh, 1e9, &two) != status)
        fail_msg("%s with %s: a fresh one ends otherwise: '%s', '%s'", file, o->stepper, one.text,
                 two.text);
      hk_sim_poison(again);
      if (hk_sim_step(again, 1e9, &two) != status)
        fail_msg("%s with %s: a restored and poisoned one ends otherwise: '%s', '%s'", file,
                 o->stepper, one.text, two.text);
      assert_same(run, fresh, "a fresh simulation differs", file);
      assert_same(run, again, "a restored and poisoned one differs", file);
    }
    assert_same_values(run, fresh, m, file);
    /* Back in the same simulation. */
    hk_sim_state_get(run, end);
    assert_int_equal(hk_sim_state_set(run, saved), HK_OK);
    for (int i = 0; i < AFTER; i++) step(run);
    assert_same(run, fresh, "the same one, set back, differs", file);
    hk_sim_destroy(fresh);
  }
  free(saved), free(end);
  hk_sim_destroy(run);
  hk_sim_destroy(again);
}

static void check_model(const char *file) {
  hk_diag diag;
  hk_diag_init(&diag);
  hk_spec *spec = hk_model_file_read(file, NULL, 0, &diag);
  hk_model *m = spec ? hk_model_compile(spec, &diag) : NULL;
  hk_diag_free(&diag);
  if (!m) return; /* an included part or a study */
  n_models++;
  const hk_type *type;
  for (int i = 0; (type = hk_registry_at(hk_registry_builtin(), HK_STEPPER, i)); i++) {
    const hk_integrator *k = type->ops;
    hk_sim *probe = create(m, NULL);
    bool given = probe && probe->option.step > 0;
    hk_sim_destroy(probe);
    /* Settings of the file; with a step size if the integrator needs one, and adaptive if it supports that. */
    hk_sim_options o = {.stepper = type->name, .step = (k->can & HK_ADAPTIVE) || given ? 0 : 1e-4};
    check_pair(m, &o, file);
    if ((k->can & HK_ADAPTIVE) && !(k->can & HK_ADAPTIVE_ONLY) && !given) {
      o.step = 1e-4;
      check_pair(m, &o, file);
    }
  }
  hk_model_destroy(m);
}

/* The sanitizer build tests one half of the examples, unless HOOKE_ALL is set (script/verify); the half depends
 * on the names of the files. */
static bool left_out(const char *name) {
  unsigned sum = 0;
  for (; *name; name++) sum += (unsigned char)*name;
  return HK_ADDRESS_SANITIZER && !getenv("HOOKE_ALL") && sum % 2;
}

static void walk(const char *folder) {
  DIR *d = opendir(folder);
  assert_non_null(d);
  for (struct dirent *e; (e = readdir(d));) {
    char path[1000];
    struct stat info;
    if (e->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    if (stat(path, &info)) continue;
    size_t n = strlen(path);
    if (S_ISDIR(info.st_mode)) walk(path);
    if (S_ISREG(info.st_mode) && n > 5 && strcmp(path + n - 5, ".yaml") == 0 &&
        !left_out(e->d_name))
      check_model(path);
  }
  closedir(d);
}

static void every_example_goes_on_from_its_state(void **state) {
  (void)state;
  walk(HOOKE_SOURCE_DIR "/examples");
  print_message("%d models, %d pairs of model and stepper\n", n_models, n_pairs);
  bool half = left_out("a") || left_out("b");
  assert_true(n_models >= (half ? 15 : 30) && n_pairs >= (half ? 50 : 100));
}

/* A row that is redundant at the start becomes active again, and another row is removed from then on. */
static void rows_that_come_back_are_part_of_the_state(void **state) {
  (void)state;
  hk_model *m = model_of("format: 1\n" FLAT_PARALLELOGRAM);
  const hk_sim_options o = {.stepper = "generalized_alpha", .rtol = 1e-7};
  hk_sim *run = create(m, &o), *other = create(m, &o);
  assert_true(run && other);
  int first = hk_sim_statistics(run).redundant, steps = 0;
  assert_true(first > 0);
  void *start = malloc(hk_sim_state_size(run)), *later = malloc(hk_sim_state_size(run));
  hk_sim_state_get(run, start);
  while (hk_sim_statistics(run).redundant == first && steps++ < 2000)
    assert_int_equal(step(run), HK_OK);
  assert_true(hk_sim_statistics(run).redundant < first);
  for (int i = 0; i < 10; i++) step(run);
  hk_sim_state_get(run, later);
  assert_int_equal(hk_sim_state_set(other, later), HK_OK);
  assert_int_equal(hk_sim_statistics(other).redundant, hk_sim_statistics(run).redundant);
  for (int i = 0; i < 20; i++) {
    assert_int_equal(step(run), step(other));
    assert_same(run, other, "rows of the state are not followed", "flat");
  }
  /* Back to the position in which the row was redundant, in the simulation in which it is active. */
  hk_sim *fresh = create(m, &o);
  assert_int_equal(hk_sim_state_set(run, start), HK_OK);
  assert_int_equal(hk_sim_statistics(run).redundant, first);
  for (int i = 0; i < steps + 20; i++) {
    assert_int_equal(step(run), step(fresh));
    assert_same(run, fresh, "a run set back to its start differs", "flat");
  }
  hk_sim_destroy(run);
  hk_sim_destroy(other);
  hk_sim_destroy(fresh);
  free(start), free(later);
  hk_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_example_goes_on_from_its_state),
      cmocka_unit_test(rows_that_come_back_are_part_of_the_state),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
