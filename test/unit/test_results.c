/* Results files and their CSV: data are read back bit by bit; any other file is rejected with a
 * message. */
#include "base/file.h"
#include "results/csv.h"
#include "results/results.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64], file[96];

static int make_folder(void **state) {
  strcpy(folder, "hooke-results-XXXXXX");
  if (!mkdtemp(folder)) return -1;
  snprintf(file, sizeof file, "%s/out.h5", folder);
  return 0;
}

static int remove_folder(void **state) {
  unlink(file);
  return rmdir(folder); /* fails if anything else, such as a temporary file, was left */
}

static const hk_channel_info three[] = {
    {"time", "s", "simulated time"}, {"crank.x", "m", "position"}, {"ratio", NULL, NULL}};

static double value_at(int64_t row, int column) {
  return column == 0 ? 1e-3 * (double)row : sin(0.1 * (double)row + column) / 3;
}

static void write_rows(const hk_channel_info *channel, int n, int64_t rows, const char *status) {
  hk_error err;
  hk_results_writer *w;
  double row[64];
  assert_int_equal(hk_results_create(file, channel, n, NULL, &w, &err), HK_OK);
  for (int64_t k = 0; k < rows; k++) {
    for (int i = 0; i < n; i++) row[i] = value_at(k, i);
    assert_int_equal(hk_results_append(w, row, &err), HK_OK);
  }
  assert_int_equal(hk_results_writer_rows(w), rows);
  assert_int_equal(hk_results_close(w, status, &err), HK_OK);
}

static void check_rows(hk_results *r, int64_t rows) {
  hk_error err;
  int n = hk_results_channel_count(r);
  assert_int_equal(hk_results_row_count(r), rows);
  assert_int_equal(hk_results_lost_count(r), 0);
  double *column = malloc((size_t)(rows + 1) * sizeof *column), *row = malloc(64 * sizeof *row);
  for (int i = 0; i < n; i++) {
    assert_int_equal(hk_results_read_column(r, i, column, &err), HK_OK);
    for (int64_t k = 0; k < rows; k++) assert_true(column[k] == value_at(k, i));
  }
  for (int64_t k = 0; k < rows; k += 997) {
    assert_int_equal(hk_results_read_rows(r, k, 1, row, &err), HK_OK);
    for (int i = 0; i < n; i++) assert_true(row[i] == value_at(k, i));
  }
  free(column);
  free(row);
}

static void reads_back_what_was_written(void **state) {
  const int64_t sizes[] = {0, 1, 5460, 5461, 5462, 20000}; /* a chunk holds 5461 rows of three */
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    hk_error err;
    hk_results *r;
    write_rows(three, 3, sizes[k], NULL);
    assert_int_equal(hk_results_open(file, &r, &err), HK_OK);
    assert_string_equal(hk_results_status(r), "finished");
    assert_string_equal(hk_results_name(r, 1), "crank.x");
    assert_string_equal(hk_results_unit(r, 0), "s");
    assert_string_equal(hk_results_unit(r, 2), "");
    assert_string_equal(hk_results_doc(r, 0), "simulated time");
    assert_string_equal(hk_results_name(r, 3), "");
    check_rows(r, sizes[k]);
    hk_results_destroy(r);
  }
}

static void keeps_where_it_came_from(void **state) {
  hk_error err;
  hk_results_writer *w;
  hk_results *r;
  char *big = malloc(300001);
  memset(big, 'x', 300000);
  big[300000] = 0;
  const char *const set[] = {"joint.clearance=50 um", "end=2 s"};
  const hk_results_attribute own[] = {{"host", "caf\xc3\xa9"}, {"big", big}, {"empty", ""}};
  const hk_results_meta meta = {"Kurbel", "crank.yaml", big, set, 2, own, 3};
  assert_int_equal(hk_results_create(file, three, 3, &meta, &w, &err), HK_OK);
  assert_int_equal(hk_results_close(w, "failed: step size too small", &err), HK_OK);
  assert_int_equal(hk_results_open(file, &r, &err), HK_OK);
  assert_string_equal(hk_results_attribute_value(r, "title"), "Kurbel");
  assert_string_equal(hk_results_attribute_value(r, "model_file"), "crank.yaml");
  assert_string_equal(hk_results_attribute_value(r, "overrides"), "joint.clearance=50 um\nend=2 s");
  assert_string_equal(hk_results_attribute_value(r, "hooke_version"), hk_version());
  assert_string_equal(hk_results_attribute_value(r, "host"), "caf\xc3\xa9");
  assert_string_equal(hk_results_attribute_value(r, "big"), big);
  assert_string_equal(hk_results_attribute_value(r, "empty"), "");
  assert_null(hk_results_attribute_value(r, "nothing"));
  assert_string_equal(hk_results_model_text(r), big);
  assert_string_equal(hk_results_status(r), "failed: step size too small");
  assert_int_equal(hk_results_attribute_count(r), 8);
  assert_string_equal(hk_results_attribute_at(r, 0).key, "big");
  assert_null(hk_results_attribute_at(r, 8).key);
  hk_results_destroy(r);
  free(big);
}

/* Results of older versions have only the name of the model that the user typed: here the model did not exist during the run. */
static void a_model_is_an_input_without_its_path_too(void **state) {
  hk_error err;
  hk_results_writer *w;
  hk_results *r;
  const hk_results_meta meta = {.model_file = "late.yaml"};
  char model[96];
  assert_int_equal(hk_results_create(file, three, 3, &meta, &w, &err), HK_OK);
  assert_int_equal(hk_results_close(w, NULL, &err), HK_OK);
  for (int i = 0; i < 2; i++) {
    snprintf(model, sizeof model, i ? "late.yaml" : "%s/late.yaml", folder);
    fclose(fopen(model, "w"));
    hk_files_record();
    assert_int_equal(hk_results_open(file, &r, &err), HK_OK);
    assert_null(hk_results_attribute_value(r, "model_path"));
    assert_int_equal(hk_new_file_check(model, &err), HK_EINPUT);
    hk_results_destroy(r);
    hk_files_forget();
    unlink(model);
  }
}

static void can_be_read_while_written(void **state) {
  hk_error err;
  hk_results_writer *w;
  hk_results *r;
  double row[3] = {0};
  assert_int_equal(hk_results_create(file, three, 3, NULL, &w, &err), HK_OK);
  assert_int_equal(hk_results_open(file, &r, &err), HK_OK);
  assert_int_equal(hk_results_row_count(r), 0);
  assert_string_equal(hk_results_status(r), "running");
  for (int64_t k = 0; k < 12000; k++) {
    for (int i = 0; i < 3; i++) row[i] = value_at(k, i);
    assert_int_equal(hk_results_append(w, row, &err), HK_OK);
    if (k % 1000 != 17) continue;
    assert_int_equal(hk_results_flush(w, &err), HK_OK);
    assert_int_equal(hk_results_refresh(r, &err), HK_OK);
    check_rows(r, k + 1);
  }
  assert_int_equal(hk_results_close(w, "stopped", &err), HK_OK);
  assert_int_equal(hk_results_refresh(r, &err), HK_OK);
  assert_string_equal(hk_results_status(r), "stopped");
  check_rows(r, 12000);
  hk_results_destroy(r);
}

/* A reader of an unfinished file stays with that file if its name is given to another one. */
static void a_reader_keeps_its_file(void **state) {
  enum { ROWS = 12000 };
  hk_error err;
  hk_results_writer *w;
  hk_results *r;
  double row[3];
  char moved[120];
  snprintf(moved, sizeof moved, "%s.moved", file);
  assert_int_equal(hk_results_create(file, three, 3, NULL, &w, &err), HK_OK);
  assert_int_equal(hk_results_open(file, &r, &err), HK_OK);
  assert_int_equal(rename(file, moved), 0);
  write_rows(three, 3, 1, "another run");
  for (int64_t k = 0; k < ROWS; k++) {
    for (int i = 0; i < 3; i++) row[i] = value_at(k, i);
    assert_int_equal(hk_results_append(w, row, &err), HK_OK);
  }
  assert_int_equal(hk_results_close(w, NULL, &err), HK_OK);
  assert_int_equal(hk_results_refresh(r, &err), HK_OK);
  assert_int_equal(hk_results_lost_count(r), 0);
  check_rows(r, ROWS);
  assert_string_equal(hk_results_status(r), "finished");
  hk_results_destroy(r);
  unlink(moved);
}

static void flushes_by_the_clock(void **state) {
  hk_error err;
  hk_results_writer *w;
  hk_results *r;
  double row[3] = {1, 2, 3};
  assert_int_equal(hk_results_create(file, three, 3, NULL, &w, &err), HK_OK);
  assert_int_equal(hk_results_append(w, row, &err), HK_OK);
  usleep(1100000);
  assert_int_equal(hk_results_append(w, row, &err), HK_OK);
  assert_int_equal(hk_results_open(file, &r, &err), HK_OK);
  assert_int_equal(hk_results_row_count(r), 2);
  hk_results_destroy(r);
  assert_int_equal(hk_results_close(w, NULL, &err), HK_OK);
}

static void an_older_file_stays_until_the_new_one_stands(void **state) {
  hk_error err;
  hk_results_writer *w;
  hk_results *old;
  write_rows(three, 3, 100, NULL);
  const hk_channel_info twice[] = {{"time"}, {"a"}, {"a"}};
  assert_int_equal(hk_results_create(file, twice, 3, NULL, &w, &err), HK_EINPUT);
  assert_non_null(strstr(err.text, "'a'"));
  assert_null(w);
  assert_int_equal(hk_results_open(file, &old, &err), HK_OK);
  write_rows(three, 2, 7, NULL);
  check_rows(old, 100); /* the reader of the old file is not disturbed */
  hk_results_destroy(old);
  assert_int_equal(hk_results_open(file, &old, &err), HK_OK);
  check_rows(old, 7);
  hk_results_destroy(old);
}

static void follows_links_and_spares_devices(void **state) {
  hk_error err;
  hk_results_writer *w;
  hk_results *r;
  char link_name[96];
  struct stat st;
  snprintf(link_name, sizeof link_name, "%s/link.h5", folder);
  write_rows(three, 3, 1, NULL);
  assert_int_equal(symlink("out.h5", link_name), 0);
  assert_int_equal(hk_results_create(link_name, three, 3, NULL, &w, &err), HK_OK);
  assert_int_equal(hk_results_close(w, NULL, &err), HK_OK);
  assert_int_equal(lstat(link_name, &st), 0);
  assert_true(S_ISLNK(st.st_mode));
  assert_int_equal(hk_results_open(file, &r, &err), HK_OK);
  assert_int_equal(hk_results_row_count(r), 0);
  hk_results_destroy(r);
  /* A link to a file that does not exist yet is followed too; a link to itself is reported. */
  unlink(file);
  assert_int_equal(hk_results_create(link_name, three, 3, NULL, &w, &err), HK_OK);
  assert_int_equal(hk_results_close(w, NULL, &err), HK_OK);
  assert_int_equal(lstat(link_name, &st), 0);
  assert_true(S_ISLNK(st.st_mode));
  assert_int_equal(lstat(file, &st), 0);
  assert_true(S_ISREG(st.st_mode));
  unlink(link_name);
  assert_int_equal(symlink("link.h5", link_name), 0);
  assert_int_equal(hk_results_create(link_name, three, 3, NULL, &w, &err), HK_EIO);
  assert_non_null(strstr(err.text, "form a cycle"));
  unlink(link_name);
  assert_int_equal(symlink("none/x.h5", link_name), 0);
  assert_int_equal(hk_results_create(link_name, three, 3, NULL, &w, &err), HK_EIO);
  assert_non_null(strstr(err.text, "the folder does not exist"));
  unlink(link_name);
  const char *const bad[] = {"/dev/null", folder, "no/such/folder/x.h5", "/proc/x.h5"};
  for (int i = 0; i < 4; i++) {
    assert_int_equal(hk_results_create(bad[i], three, 3, NULL, &w, &err), HK_EIO);
    assert_non_null(strstr(err.text, bad[i]));
    assert_null(w);
  }
  assert_int_equal(stat("/dev/null", &st), 0);
  assert_true(S_ISCHR(st.st_mode));
  assert_int_equal(hk_results_create("", three, 3, NULL, &w, &err), HK_EINPUT);
  assert_int_equal(hk_results_create(file, three, 0, NULL, &w, &err), HK_EINPUT);
  assert_int_equal(hk_results_close(NULL, NULL, &err), HK_OK);
}

static void refuse(const char *part) {
  hk_error err = {0};
  hk_results *r = (hk_results *)&err;
  assert_true(hk_results_open(file, &r, &err) < 0);
  assert_null(r);
  if (!strstr(err.text, part)) fail_msg("'%s' is not in '%s'", part, err.text);
}

static void put_file(const void *bytes, size_t n) {
  FILE *f = fopen(file, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(bytes, 1, n, f), n);
  fclose(f);
}

static void refuses_what_is_not_a_results_file(void **state) {
  unlink(file);
  refuse("No such file");
  put_file("", 0);
  refuse("empty");
  put_file("time,x\n0,1\n", 11);
  refuse("not HDF5");
  put_file("\x89HDF\r\n\x1a\n\x03", 9);
  refuse("damaged");
  hid_t f = H5Fcreate(file, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT); /* the oldest format */
  H5Fclose(f);
  refuse("not a results file of hooke");
}

/* A file that claims 2^40 rows but has none, and one with 10^12 channels. */
static void is_not_impressed_by_sizes(void **state) {
  const hsize_t sizes[2][2] = {{(hsize_t)1 << 40, 2}, {1, (hsize_t)1000000000000}};
  for (int k = 0; k < 2; k++) {
    hsize_t chunk[2] = {1, 2};
    int format = 1;
    hid_t f = H5Fcreate(file, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t scalar = H5Screate(H5S_SCALAR), space = H5Screate_simple(2, sizes[k], NULL);
    hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(plist, 2, chunk);
    hid_t a = H5Acreate2(f, "hooke_results", H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(a, H5T_NATIVE_INT, &format);
    hid_t d = H5Dcreate2(f, "data", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, plist, H5P_DEFAULT);
    assert_true(d >= 0);
    H5Dclose(d), H5Aclose(a), H5Pclose(plist), H5Sclose(space), H5Sclose(scalar), H5Fclose(f);
    refuse(k == 0 ? "/names" : "size of /data");
  }
}

/* A dataset of texts whose bytes belong to another file: a report would disclose them. */
static void texts_of_other_files_are_not_read(void **state) {
  static const char *const name[] = {"model", "status", "summary"};
  for (int k = 0; k < 6; k++) {
    hk_error err;
    hk_results_writer *w;
    char what[40];
    assert_int_equal(hk_results_create(file, three, 3, NULL, &w, &err), HK_OK);
    assert_int_equal(hk_results_close(w, "complete", &err), HK_OK);
    hid_t f = H5Fopen(file, H5F_ACC_RDWR, H5P_DEFAULT), space = H5Screate(H5S_SCALAR);
    hid_t type = H5Tcopy(H5T_C_S1), plist = H5Pcreate(H5P_DATASET_CREATE);
    H5Tset_size(type, 40);
    H5Pset_external(plist, "/etc/passwd", 0, 40);
    if (H5Lexists(f, name[k / 2], H5P_DEFAULT) > 0) H5Ldelete(f, name[k / 2], H5P_DEFAULT);
    hid_t d = -1;
    if (k % 2 == 0) {
      d = H5Dcreate2(f, name[k / 2], type, space, H5P_DEFAULT, plist, H5P_DEFAULT);
      assert_true(d >= 0);
      H5Dclose(d);
    } else {
      assert_true(
          H5Lcreate_external("/tmp/other.h5", "/x", f, name[k / 2], H5P_DEFAULT, H5P_DEFAULT) >= 0);
    }
    H5Pclose(plist), H5Tclose(type), H5Sclose(space), H5Fclose(f);
    snprintf(what, sizeof what, "/%s", name[k / 2]);
    refuse(what);
  }
}

static size_t slurp(char **bytes) {
  FILE *f = fopen(file, "rb");
  assert_non_null(f);
  fseek(f, 0, SEEK_END);
  size_t n = (size_t)ftell(f);
  rewind(f);
  *bytes = malloc(n);
  assert_int_equal(fread(*bytes, 1, n, f), n);
  fclose(f);
  return n;
}

/* Cut at any length: the file is rejected, or every row that it claims to have is correct. */
static void a_truncated_file_shows_no_invented_rows(void **state) {
  hk_error err;
  char *bytes;
  int opened = 0, cuts = 0;
  write_rows(three, 3, 20000, NULL);
  size_t n = slurp(&bytes);
  for (size_t cut = 8; cut < n; cut += cut < 8000 ? 61 : 30011, cuts++) {
    hk_results *r;
    put_file(bytes, cut);
    if (hk_results_open(file, &r, &err) != HK_OK) continue;
    opened++;
    int64_t rows = hk_results_row_count(r);
    assert_int_equal(rows + hk_results_lost_count(r), 20000);
    assert_true(rows < 20000);
    double *column = malloc(20000 * sizeof *column);
    assert_int_equal(hk_results_read_column(r, 1, column, &err), HK_OK);
    for (int64_t k = 0; k < rows; k++) assert_true(column[k] == value_at(k, 1));
    free(column);
    hk_results_destroy(r);
  }
  print_message("          truncated: %d of %d cuts still open\n", opened, cuts);
  free(bytes);
}

static void finds_channels_by_name(void **state) {
  hk_error err;
  hk_results *r;
  int i;
  write_rows(three, 3, 1, NULL);
  assert_int_equal(hk_results_open(file, &r, &err), HK_OK);
  assert_int_equal(hk_results_find(r, "ratio"), 2);
  assert_int_equal(hk_results_find(r, "rati"), -1);
  assert_int_equal(hk_results_channel(r, "crnak.X", &i, &err), HK_EINPUT);
  assert_non_null(strstr(err.text, "did you mean 'crank.x'?"));
  assert_int_equal(hk_results_channel(r, "quite.other", &i, &err), HK_EINPUT);
  assert_null(strstr(err.text, "did you mean"));
  assert_int_equal(hk_results_read_column(r, 3, NULL, &err), HK_EINPUT);
  assert_int_equal(hk_results_read_rows(r, 0, 2, NULL, &err), HK_EINPUT);
  assert_int_equal(hk_results_read_rows(r, INT64_MAX, INT64_MAX, NULL, &err), HK_EINPUT);
  hk_results_destroy(r);
}

/* ---- CSV ---- */
static hk_status to_text(const hk_csv_selection *sel, char *text, size_t size, hk_error *err) {
  hk_results *r;
  FILE *out = tmpfile();
  assert_int_equal(hk_results_open(file, &r, err), HK_OK);
  hk_status s = hk_csv_export(r, out, sel, err);
  rewind(out);
  text[fread(text, 1, size - 1, out)] = 0;
  fclose(out);
  hk_results_destroy(r);
  return s;
}

static void write_odd(void) {
  const hk_channel_info channel[] = {
      {"time", "s"}, {"a\"b", "m"}, {"f(x,y)", "N"}, {"crank.x", ""}, {"crank.y", "rad/s"}};
  const double rows[3][5] = {{0, 0.1, -0.0, NAN, 1e300},
                             {0.5, 1.0 / 3, INFINITY, -INFINITY, 5e-324},
                             {1, 2, 3, 4, 0.1 + 0.2}};
  hk_error err;
  hk_results_writer *w;
  assert_int_equal(hk_results_create(file, channel, 5, NULL, &w, &err), HK_OK);
  for (int k = 0; k < 3; k++) assert_int_equal(hk_results_append(w, rows[k], &err), HK_OK);
  assert_int_equal(hk_results_close(w, NULL, &err), HK_OK);
}

static void csv_has_names_units_and_quotes(void **state) {
  hk_error err;
  char text[2048];
  write_odd();
  assert_int_equal(to_text(NULL, text, sizeof text, &err), HK_OK);
  assert_string_equal(text,
                      "time [s],\"a\"\"b [m]\",\"f(x,y) [N]\",crank.x,crank.y [rad/s]\n"
                      "0,0.1,-0,nan,1e+300\n"
                      "0.5,0.3333333333333333,inf,-inf,4.94065645841247e-324\n"
                      "1,2,3,4,0.30000000000000004\n");
}

static void csv_selects_channels_and_rows(void **state) {
  hk_error err;
  char text[2048];
  const char *const names[] = {"crank.y", "time", "crank.x"}, *const wrong[] = {"crank.z"};
  write_odd();
  hk_csv_selection sel = {names, 3, NULL, 2};
  assert_int_equal(to_text(&sel, text, sizeof text, &err), HK_OK);
  assert_string_equal(text,
                      "time [s],crank.y [rad/s],crank.x\n0,1e+300,nan\n"
                      "1,0.30000000000000004,4\n");
  sel = (hk_csv_selection){names, 1, "^crank", INT64_MAX};
  assert_int_equal(to_text(&sel, text, sizeof text, &err), HK_OK);
  assert_string_equal(text, "time [s],crank.y [rad/s],crank.x\n0,1e+300,nan\n");
  sel = (hk_csv_selection){wrong, 1, NULL, 0};
  assert_int_equal(to_text(&sel, text, sizeof text, &err), HK_EINPUT);
  assert_non_null(strstr(err.text, "did you mean 'crank."));
  assert_string_equal(text, "");
  sel = (hk_csv_selection){NULL, 0, "([", 0};
  assert_int_equal(to_text(&sel, text, sizeof text, &err), HK_EINPUT);
  assert_non_null(strstr(err.text, "regular expression"));
  sel.regex = "^nothing$";
  assert_int_equal(to_text(&sel, text, sizeof text, &err), HK_EINPUT);
}

static void csv_numbers_read_back(void **state) {
  uint64_t seed = 88172645463325252u;
  for (int k = 0; k < 200000; k++) {
    char text[HK_CSV_NUMBER_SIZE];
    double x;
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    memcpy(&x, &seed, sizeof x);
    int n = hk_csv_number(text, x);
    assert_int_equal(n, strlen(text));
    if (isnan(x))
      assert_string_equal(text, "nan");
    else
      assert_true(strtod(text, NULL) == x);
  }
}

static void csv_reports_a_full_disk(void **state) {
  hk_error err;
  hk_results *r;
  FILE *out = fopen("/dev/full", "w");
  if (!out) skip();
  write_rows(three, 3, 1000, NULL);
  assert_int_equal(hk_results_open(file, &r, &err), HK_OK);
  assert_int_equal(hk_csv_export(r, out, NULL, &err), HK_EIO);
  assert_non_null(strstr(err.text, "disk is full"));
  hk_results_destroy(r);
  fclose(out);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make_folder, remove_folder)
int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(reads_back_what_was_written),
      TEST(keeps_where_it_came_from),
      TEST(a_model_is_an_input_without_its_path_too),
      TEST(can_be_read_while_written),
      TEST(a_reader_keeps_its_file),
      TEST(flushes_by_the_clock),
      TEST(an_older_file_stays_until_the_new_one_stands),
      TEST(follows_links_and_spares_devices),
      TEST(refuses_what_is_not_a_results_file),
      TEST(is_not_impressed_by_sizes),
      TEST(texts_of_other_files_are_not_read),
      TEST(a_truncated_file_shows_no_invented_rows),
      TEST(finds_channels_by_name),
      TEST(csv_has_names_units_and_quotes),
      TEST(csv_selects_channels_and_rows),
      TEST(csv_numbers_read_back),
      TEST(csv_reports_a_full_disk),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
