/* The n-th allocation fails while data files are read and functions are fitted: results, tables in CSV and
 * HDF5, compliances of gears, matrices, surrogates, the evolution strategy.  See support/starve.h. */
#include "base/arena.h"
#include "prepare/gear_file.h"
#include "results/matrix_file.h"
#include "results/results.h"
#include "prepare/prepare.h"
#include "statistics/optimiser.h"
#include "statistics/surrogate.h"
#include "support/starve.h"
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

static char folder[] = "/tmp/hooke-starve-XXXXXX", rows[100], fresh[100], csv[100], gear[100],
            matrices[100];

/* ---- files ---- */

static void write_numbers(hid_t file, const char *name, int rank, const hsize_t *size,
                          const double *x) {
  hid_t space = H5Screate_simple(rank, size, NULL);
  hid_t set =
      H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) >= 0);
  H5Dclose(set);
  H5Sclose(space);
}

static void write_gear(void) {
  const hsize_t n = 3, size[5] = {1, 3, 1, 3, 1};
  const double roll[] = {0.020, 0.021, 0.022}, c[] = {1e-9, 0, 0, 0, 1e-9, 0, 0, 0, 1e-9};
  hid_t file = H5Fcreate(gear, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  write_numbers(file, "roll_length", 1, &n, roll);
  write_numbers(file, "compliance", 5, size, c);
  H5Fclose(file);
}

static hk_status write_rows(const char *path, hk_error *err) {
  static const hk_channel_info channel[] = {{.name = "t", .unit = "s"}, {.name = "x", .unit = "m"}};
  hk_results_writer *w;
  hk_status status = hk_results_create(path, channel, 2, NULL, &w, err);
  if (status) return status;
  for (int i = 0; i < 5 && !status; i++)
    status = hk_results_append(w, (const double[]){i, 2 * i}, err);
  hk_status end = hk_results_close(w, "finished", err);
  return status ? status : end;
}

static int make_files(void **state) {
  (void)state;
  hk_error err = {0};
  if (!mkdtemp(folder)) return -1;
  snprintf(rows, sizeof rows, "%s/rows.h5", folder);
  snprintf(fresh, sizeof fresh, "%s/fresh.h5", folder);
  snprintf(csv, sizeof csv, "%s/rows.csv", folder);
  snprintf(gear, sizeof gear, "%s/gear.h5", folder);
  snprintf(matrices, sizeof matrices, "%s/matrices.h5", folder);
  FILE *f = fopen(csv, "w");
  if (!f) return -1;
  fputs("t [s], x [mm]\n0, 1\n1, 2\n2, 4\n", f);
  fclose(f);
  write_gear();
  return write_rows(rows, &err);
}

static int remove_files(void **state) {
  (void)state;
  unlink(rows), unlink(fresh), unlink(csv), unlink(gear), unlink(matrices);
  return rmdir(folder);
}

/* ---- tasks ---- */

static outcome go_table(const char *path, bool print) {
  static const hk_location here = {"m.yaml", 1, 1};
  outcome o = {0};
  const hk_error none = {0};
  hk_diag diag;
  hk_diag_init(&diag);
  hk_table_points p;
  o.done = hk_table_file_read(&(hk_table_request){.path = path, .from = &here}, hk_table_hdf5_read,
                              &p, &diag);
  if (o.done) o.value[0] = p.y[p.n - 1];
  o.told = told(&none, &diag);
  if (print && diag.n) print_message("%s\n", diag.message[0].text);
  hk_table_points_free(&p);
  hk_diag_free(&diag);
  return o;
}

static outcome go_gear(const char *path, bool print) {
  outcome o = {0};
  hk_error err = {0};
  hk_arena arena;
  hk_gear_compliance c;
  hk_arena_init(&arena);
  o.done = hk_gear_file_read(path, NULL, false, &arena, &c, &err) == HK_OK;
  if (o.done) o.value[0] = c.roll[2];
  o.told = err.code == HK_ENOMEM;
  if (print && !o.done) print_message("%s\n", err.text);
  hk_arena_free(&arena);
  return o;
}

static outcome go_rows(const char *path, bool print) {
  outcome o = {0};
  hk_error err = {0};
  hk_results *r = NULL;
  hk_status status = hk_results_open(path, &r, &err);
  double x[5] = {0};
  if (!status) status = hk_results_read_column(r, 1, x, &err);
  o.done = status == HK_OK;
  o.value[0] = x[4];
  o.told = err.code == HK_ENOMEM;
  if (print && !o.done) print_message("%s\n", err.text);
  hk_results_destroy(r);
  return o;
}

static outcome go_write(const char *path, bool print) {
  (void)print;
  hk_error err = {0};
  unlink(path); /* the path of an existing file comes from realpath, whose allocations are not counted */
  outcome o = {.done = write_rows(path, &err) == HK_OK};
  o.told = err.code == HK_ENOMEM;
  return o;
}

static outcome go_matrices(const char *path, bool print) {
  static const double value[] = {1, 2, 3, 4};
  static const char *const label[] = {"u", "v"};
  const hk_named_matrix m[] = {{"A", 2, 2, value, NULL}, {"names", 2, 1, NULL, label}};
  hk_error err = {0};
  outcome o = {.done = hk_matrix_file_write(path, m, 2, &err) == HK_OK};
  o.told = err.code == HK_ENOMEM;
  if (print && !o.done) print_message("%s\n", err.text);
  return o;
}

static outcome go_fit(const char *kind, bool print) {
  enum { N = 12 };
  outcome o = {0};
  hk_error err = {0};
  double x[N][2], y[N];
  for (int i = 0; i < N; i++) {
    x[i][0] = i % 4, x[i][1] = (i * 5) % 7;
    y[i] = 1 + x[i][0] * x[i][0] - 0.3 * x[i][0] * x[i][1] + sin(x[i][1]);
  }
  hk_surrogate *s = NULL;
  hk_surrogate_kind which = kind[0] == 'q' ? HK_SURROGATE_QUADRATIC : HK_SURROGATE_GAUSSIAN;
  o.done = hk_surrogate_fit(x[0], y, N, 2, which, &s, &err) == HK_OK;
  if (o.done) o.value[0] = hk_surrogate_error(s);
  o.told = err.code == HK_ENOMEM;
  if (print && !o.done) print_message("%s\n", err.text);
  hk_surrogate_free(s);
  return o;
}

static hk_status bowl(void *context, const double *x, int count, hk_score *score, hk_error *err) {
  (void)context, (void)err;
  for (int k = 0; k < count; k++)
    score[k] = (hk_score){pow(x[2 * k] - 0.3, 2) + 3 * pow(x[2 * k + 1] - 0.6, 2), 0};
  return HK_OK;
}

static outcome go_search(const char *text, bool print) {
  (void)text;
  double x[2] = {0.5, 0.5};
  hk_error err = {0};
  const hk_objective f = {.n = 2, .evaluate = bowl};
  const hk_search_options how = {.evaluations = 120, .seed = 1};
  hk_search s = {.x = x};
  outcome o = {.done = hk_cma_es(&f, &how, &s, &err) == HK_OK};
  if (o.done) o.value[0] = x[0], o.value[1] = x[1];
  o.told = err.code == HK_ENOMEM;
  if (print && !o.done) print_message("%s\n", err.text);
  return o;
}

static void both_ways(task *go, const char *text) {
  every_allocation(go, text, false);
  every_allocation(go, text, true);
}
static void tables(void **state) {
  (void)state, both_ways(go_table, csv), both_ways(go_table, rows);
}
static void compliances(void **state) { (void)state, both_ways(go_gear, gear); }
static void results_are_read(void **state) { (void)state, both_ways(go_rows, rows); }
static void results_are_written(void **state) { (void)state, both_ways(go_write, fresh); }
static void matrices_are_written(void **state) { (void)state, both_ways(go_matrices, matrices); }
static void surrogates(void **state) {
  (void)state, both_ways(go_fit, "quadratic"), both_ways(go_fit, "gaussian");
}
static void searches(void **state) { (void)state, both_ways(go_search, NULL); }

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tables),
      cmocka_unit_test(compliances),
      cmocka_unit_test(results_are_read),
      cmocka_unit_test(results_are_written),
      cmocka_unit_test(matrices_are_written),
      cmocka_unit_test(surrogates),
      cmocka_unit_test(searches),
  };
  return cmocka_run_group_tests(tests, make_files, remove_files);
}
