/* Tables from files: accepted and rejected files, and the location in the message. */
#include "model_file_case.h"
#include "results/results.h"
#include "prepare/prepare.h"
#include <hooke/element.h>
#include <hdf5.h>
#include <hooke/hooke.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64];

static const char *path_of(const char *name) {
  static char path[2][200];
  static int turn;
  turn = !turn;
  snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
  return path[turn];
}

static const char *write_file(const char *name, const char *text) {
  const char *path = path_of(name);
  FILE *out = fopen(path, "wb");
  assert_non_null(out);
  fputs(text, out);
  fclose(out);
  return path;
}

static bool read_points(const hk_table_request *q, hk_table_points *out, char *message,
                        size_t size) {
  hk_diag diag;
  hk_diag_init(&diag);
  bool ok = hk_table_file_read(q, hk_table_hdf5_read, out, &diag);
  message[0] = 0;
  if (diag.n) hk_diag_format(&diag.message[0], message, size);
  if (ok == (diag.n_errors > 0)) fail_msg("%d errors: %s", diag.n_errors, message);
  hk_diag_free(&diag);
  return ok;
}

static hk_table_points must_read(hk_table_request q) {
  hk_table_points p;
  char message[2000];
  if (!read_points(&q, &p, message, sizeof message)) fail_msg("%s", message);
  return p;
}

static void assert_points(hk_table_points p, int n, const double *x, const double *y) {
  assert_int_equal(p.n, n);
  for (int i = 0; i < n; i++)
    if (p.x[i] != x[i] || p.y[i] != y[i]) fail_msg("point %d is %.17g, %.17g", i, p.x[i], p.y[i]);
  hk_table_points_free(&p);
}

static void csv_in_its_many_forms(void **state) {
  (void)state;
  const double x[] = {0, 0.5, 1}, y[] = {0, 0.001, -0.002};
  static const char *const same[] = {
      "time [s],height [mm]\n0,0\n0.5,1\n1,-2\n",
      "time [s];height (mm)\r\n0;0\r\n0.5;1\r\n1;-2", /* no line end at the end */
      "\xEF\xBB\xBF# a comment\n\ntime\theight\ns\tmm\n0\t0\n0.5\t1\n\n1\t-2\n",
      "time height\n [s] [mm]\n  0   0\n  0.5 1e0\n  1.0 -2 \n# the end\n",
      "time [s]  height [mm]\n0 0\n0.5 1\n1 -2\n",
      "\"time [s]\",\"height [mm]\"\n\"0\",0\n.5,+1\n1,-2\n",
  };
  for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
    const char *path = write_file("a.csv", same[i]);
    hk_table_points p = must_read((hk_table_request){.path = path});
    assert_true(p.x_dim.twelfths[2] == 12 && p.y_dim.twelfths[0] == 12);
    assert_points(p, 3, x, y);
    assert_points(must_read((hk_table_request){.path = path, .x = "time", .y = "height"}), 3, x, y);
    assert_points(must_read((hk_table_request){.path = path, .x = "1", .y = "2", .y_unit = "mm"}),
                  3, x, y);
  }
  /* Without names and units. */
  const char *path = write_file("b.csv", "0,7,0\n0.5,x,1\n1,8,-2\n");
  assert_points(
      must_read((hk_table_request){.path = path, .y = "3", .x_unit = "s", .y_unit = "mm"}), 3, x,
      y);
  const double celsius[] = {293.15, 273.15};
  write_file("c.csv", "time [s],temperature [degC]\n0,20\n0.5,0\n");
  assert_points(must_read((hk_table_request){.path = path_of("c.csv")}), 2, x, celsius);
}

static void bad_files_are_refused_where_they_are_wrong(void **state) {
  (void)state;
  static const struct {
    const char *text, *y, *y_unit, *line, *why;
  } bad[] = {
      {"time [s],y\n0,1\n1,nan\n", NULL, NULL, ":3:3:", "'nan' is not a number"},
      {"time [s],y\n0,1\n1,\n", NULL, NULL, ":3:3:", "a number is missing"},
      {"time [s],y\n0,1\n1,1e999\n", NULL, NULL, ":3:3:", "is too large"},
      {"time [s];y\n0;1\n1;1,5\n", NULL, NULL, ":3:3:", "write a decimal point"},
      {"time [s],y\n0,1\n2,1\n1,1\n", NULL, NULL, ":4:1:", "x must ascend, but 1 follows 2"},
      {"time [s],y\n0,1\n0,1\n", NULL, NULL, ":3:1:", "x must ascend"},
      {"time [s],y\n0,1\n1,2,3\n", NULL, NULL, ":3:1:", "3 columns, but the first line has 2"},
      {"time [s],y\n0,1\n1\n", NULL, NULL, ":3:1:", "1 column, but"},
      {"time [s],\"y\n0,1\n", NULL, NULL, ":1:10:", "never closed"},
      {"time [s],y [furlong]\n0,1\n1,2\n", NULL, NULL, "model:7:", "unit of column 'y'"},
      {"time [s],y [m]\n0,1\n1,2\n", NULL, "mm",
       "model:7:", "is in m according to the file, not in mm"},
      {"time [s],y [m]\n0,1\n1,2\n", NULL, "km/parsec", "model:7:", "unit of column 'y'"},
      {"time [s],height\n0,1\n1,2\n", "hieght", NULL, "model:7:", "did you mean 'height'?"},
      {"time [s],height\n0,1\n1,2\n", "3", NULL, "model:7:", "it has time, height"},
      {"time [s],a,b\n0,1,1\n1,2,1\n", NULL, NULL, "model:7:", "give the column of y"},
      {"time [s]\n0\n1\n", NULL, NULL, "model:7:", "has no column for y; it has time"},
      {"time [s],y\n0,1\n", NULL, NULL, "model:7:", "one point; a table needs at least two"},
      {"time [s],y\n", NULL, NULL, "model:7:", "no points"},
      {"# nothing\n", NULL, NULL, "model:7:", "has no column for x"},
      {"", NULL, NULL, "model:7:", "is empty"},
  };
  const hk_location from = {"model", 7, 3};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    hk_table_points p;
    char message[2000];
    hk_table_request q = {.path = write_file("bad.csv", bad[i].text),
                          .y = bad[i].y,
                          .y_unit = bad[i].y_unit,
                          .from = &from};
    if (read_points(&q, &p, message, sizeof message)) fail_msg("accepted: %s", bad[i].text);
    if (!strstr(message, bad[i].line) || !strstr(message, bad[i].why))
      fail_msg("%s should say %s %s", message, bad[i].line, bad[i].why);
  }
  char message[2000];
  hk_table_points p;
  hk_table_request q = {.path = path_of("missing.csv"), .from = &from};
  assert_false(read_points(&q, &p, message, sizeof message));
  assert_non_null(strstr(message, "model:7:3: error: cannot read"));
  q.path = folder;
  assert_false(read_points(&q, &p, message, sizeof message));
  assert_non_null(strstr(message, "not a regular file"));
  FILE *out = fopen(path_of("binary"), "wb");
  fwrite("a\0b\n1,2\n", 1, 8, out);
  fclose(out);
  q.path = path_of("binary");
  assert_false(read_points(&q, &p, message, sizeof message));
  assert_non_null(strstr(message, "neither text nor HDF5"));
}

static void a_long_file_is_read_whole(void **state) {
  (void)state;
  const char *path = path_of("long.csv");
  FILE *out = fopen(path, "wb");
  fprintf(out, "time [s],y [N]\n");
  for (int i = 0; i < 60000; i++) fprintf(out, "%.6f,%d\n", 1e-3 * i, i % 97);
  fclose(out);
  hk_table_points p = must_read((hk_table_request){.path = path});
  assert_int_equal(p.n, 60000);
  assert_true(p.y[59999] == 59999 % 97 && fabs(p.x[59999] - 59.999) < 1e-12);
  hk_table_points_free(&p);
}

static void results_are_tables(void **state) {
  (void)state;
  const char *path = path_of("run.h5");
  const hk_channel_info channel[] = {{"time", "s", ""}, {"bob.x", "m", ""}, {"bob.vx", "m/s", ""}};
  hk_results_writer *w;
  hk_error err = {0};
  assert_int_equal(hk_results_create(path, channel, 3, NULL, &w, &err), HK_OK);
  const double rows[3][3] = {{0, 1, 2}, {0.5, 3, 4}, {1, 5, 6}};
  for (int i = 0; i < 3; i++) assert_int_equal(hk_results_append(w, rows[i], &err), HK_OK);
  assert_int_equal(hk_results_close(w, NULL, &err), HK_OK);
  const double x[] = {0, 0.5, 1}, y[] = {2, 4, 6}, bob[] = {1, 3, 5};
  hk_table_points p = must_read((hk_table_request){.path = path, .y = "bob.vx"});
  assert_true(p.y_dim.twelfths[0] == 12 && p.y_dim.twelfths[2] == -12);
  assert_points(p, 3, x, y);
  assert_points(must_read((hk_table_request){.path = path, .x = "bob.x", .y = "bob.vx"}), 3, bob,
                y);
  char message[2000];
  hk_table_request q = {.path = path, .y = "bob.vy"};
  assert_false(read_points(&q, &p, message, sizeof message));
  assert_non_null(strstr(message, "has no column 'bob.vy'; did you mean 'bob.vx'?"));
  q.y = NULL;
  assert_false(read_points(&q, &p, message, sizeof message));
  assert_non_null(strstr(message, "3 channels; give the column of y"));
}

static void put_dataset(hid_t file, const char *name, int n, const double *v, const char *unit) {
  hsize_t size = (hsize_t)n, one = 1;
  hid_t space = H5Screate_simple(1, &size, NULL), scalar = H5Screate_simple(1, &one, NULL);
  hid_t set =
      H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
  if (unit) {
    hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, strlen(unit));
    hid_t a = H5Acreate2(set, "units", text, scalar, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(a, text, unit);
    H5Aclose(a);
    H5Tclose(text);
  }
  H5Dclose(set);
  H5Sclose(space);
  H5Sclose(scalar);
}

/* As h5py writes it: a text of variable length, `n` of them. */
static void put_variable_units(hid_t file, const char *name, hsize_t n, const char *const *unit) {
  hid_t set = H5Dopen2(file, name, H5P_DEFAULT), text = H5Tcopy(H5T_C_S1);
  hid_t space = n == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &n, NULL);
  H5Tset_size(text, H5T_VARIABLE);
  H5Tset_cset(text, H5T_CSET_UTF8);
  hid_t a = H5Acreate2(set, "unit", text, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(a, text, unit);
  H5Aclose(a);
  H5Sclose(space);
  H5Tclose(text);
  H5Dclose(set);
}

static void units_of_variable_length_are_read(void **state) {
  (void)state;
  const char *path = path_of("variable.h5");
  const double t[] = {0, 1, 2}, y[] = {3, 4, 5}, m[] = {0.003, 0.004, 0.005};
  const char *const units[] = {"mm", "cm"};
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  put_dataset(file, "t", 3, t, "s");
  put_dataset(file, "y", 3, y, NULL);
  put_dataset(file, "two", 3, y, NULL);
  put_variable_units(file, "two", 2, units);
  put_variable_units(file, "y", 1, units);
  H5Fclose(file);
  hk_table_points p = must_read((hk_table_request){.path = path, .x = "/t", .y = "y"});
  assert_points(p, 3, t, m);
  char message[2000];
  hk_table_request q = {.path = path, .x = "/t", .y = "two"};
  assert_false(read_points(&q, &p, message, sizeof message));
  assert_non_null(strstr(message, "the unit of 'two' is not a short text that can be read"));
}

static void other_hdf5_files_have_datasets(void **state) {
  (void)state;
  const char *path = path_of("other.h5");
  const double t[] = {0, 1, 2}, y[] = {3, 4, 5}, z[] = {1, NAN, 2};
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  put_dataset(file, "t", 3, t, "s");
  put_dataset(file, "y", 3, y, NULL);
  put_dataset(file, "z", 3, z, NULL);
  put_dataset(file, "short", 2, y, NULL);
  H5Fclose(file);
  const double m[] = {0.003, 0.004, 0.005};
  hk_table_points p =
      must_read((hk_table_request){.path = path, .x = "/t", .y = "y", .y_unit = "mm"});
  assert_true(p.x_dim.twelfths[2] == 12);
  assert_points(p, 3, t, m);
  static const char *const bad[][2] = {{"w", "no dataset 'w'"},
                                       {"short", "has 3 values, but 'short' has 2"},
                                       {"z", "row 2 is not finite"},
                                       {NULL, "give the name of the dataset of y"}};
  for (int i = 0; i < 4; i++) {
    char message[2000];
    hk_table_request q = {.path = path, .x = "t", .y = bad[i][0]};
    assert_false(read_points(&q, &p, message, sizeof message));
    if (!strstr(message, bad[i][1])) fail_msg("%s", message);
  }
}

/* Three ways in which an HDF5 file refers to numbers of another file, and a group that belongs to
 * another file. */
static void numbers_of_other_files_are_not_read(void **state) {
  (void)state;
  const double t[] = {0, 1, 2}, y[] = {3, 4, 5};
  const hsize_t three = 3;
  char path[200], secret[200], raw[200], message[2000];
  snprintf(path, sizeof path, "%s", path_of("shows.h5"));
  snprintf(secret, sizeof secret, "%s", path_of("secret.h5"));
  snprintf(raw, sizeof raw, "%s", write_file("raw", "swordfish swordfish swordfish"));
  hid_t file = H5Fcreate(secret, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  put_dataset(file, "y", 3, y, NULL);
  H5Fclose(file);
  file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  put_dataset(file, "t", 3, t, "s");
  hid_t space = H5Screate_simple(1, &three, NULL), stored = H5Pcreate(H5P_DATASET_CREATE),
        virtual = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(stored, raw, 0, sizeof t);
  H5Pset_virtual(virtual, space, secret, "y", space);
  hid_t a = H5Dcreate2(file, "stored", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, stored, H5P_DEFAULT);
  hid_t b =
      H5Dcreate2(file, "virtual", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, virtual, H5P_DEFAULT);
  assert_true(a >= 0 && b >= 0);
  assert_true(H5Lcreate_external(secret, "y", file, "linked", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  assert_true(H5Lcreate_external(secret, "/", file, "group", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  H5Dclose(a), H5Dclose(b), H5Pclose(stored), H5Pclose(virtual), H5Sclose(space), H5Fclose(file);
  static const char *const name[] = {"stored", "virtual", "linked", "group/y"};
  for (int i = 0; i < 4; i++) {
    hk_table_points p;
    hk_table_request q = {.path = path, .x = "t", .y = name[i]};
    assert_false(read_points(&q, &p, message, sizeof message));
    if (!strstr(message, "has no dataset")) fail_msg("%s: %s", name[i], message);
  }
}

/* ---- in a model file ---- */

static void assert_says(const char *body, const char *what) {
  reading r = read_text(body);
  char all[8000] = "";
  size_t n = 0;
  for (int i = 0; i < r.diag.n && n < sizeof all; i++)
    n += (size_t)hk_diag_format(&r.diag.message[i], all + n, sizeof all - n);
  if (!strstr(all, what)) fail_msg("%s\n... should say: %s", r.spec ? "accepted" : all, what);
  done(&r);
}

static void model_files_have_tables(void **state) {
  (void)state;
  char body[1000];
  write_file("road.csv", "s [m],z [mm]\n0,0\n1,10\n2,0\n");
  assert_int_equal(chdir(folder), 0); /* the folder of a model that has none */
  snprintf(body, sizeof body,
           "parameters: {v: 2 m/s}\n"
           "tables:\n"
           "  road: {file: road.csv, interpolation: akima, outside: hold}\n"
           "  torque: {points: [[0, 0], [1 s, 5 N*m], [2 s, 0]], outside: line}\n"
           "sensors:\n"
           "  height: {value: road(v*t)}\n"
           "  drive: {value: torque(t) * 2}\n");
  reading r = read_text(body);
  assert_read(&r);
  const hk_expr *e = *(hk_expr **)field(item_of(&r, HK_SENSOR, "height"), "value");
  double t = 0.5;
  assert_true(fabs(hk_expr_value(e, &t) - 0.01) < 1e-15);
  e = *(hk_expr **)field(item_of(&r, HK_SENSOR, "drive"), "value");
  assert_true(fabs(hk_expr_value(e, &t) - 5) < 1e-15);
  done(&r);
  assert_says("tables: {a: {points: [[0, 0], [1 s, 1 m], [2 m, 2 m]]}}\n",
              "m.yaml:2:44: error: x of table 'a': the points before are in s, not m");
  assert_says("tables: {a: {points: [[0, 0], [1 s, 1 m], [1 s, 2 m]]}}\n", "x must ascend");
  assert_says("tables: {a: {points: [[0, 0], [1 s]]}}\n", "must be a list of points");
  assert_says("tables: {a: {points: [[0, 0]]}}\n", "at least two points");
  assert_says("tables: {a: {}}\n", "table 'a': needs a 'file' or 'points'");
  assert_says("tables: {a: {file: x.csv, points: [[0, 0], [1, 1]]}}\n", "either a file or points");
  assert_says("tables: {a: {x: time, points: [[0, 0], [1, 1]]}}\n", "this key needs 'file'");
  assert_says("tables: {sin: {points: [[0, 0], [1, 1]]}}\n", "the name of a function");
  assert_says("tables: {a: {file: none.csv}}\nsensors: {b: {value: a(t)}}\n",
              "m.yaml:2:20: error: cannot read 'none.csv'");
  assert_says("tables: {a: {points: [[0, 0], [1, 1]]}}\nparameters: {p: a(1)}\n",
              "not in parameters, indices and markers");
  assert_says("tables: {a: {points: [[0, 0], [1, 1]], outside: periodic}}\n",
              "must end with its first value");
}

/* One message about an invalid table, none about the items that use it; the table is found next to
 * the file that names it. */
static void files_are_found_beside_the_model(void **state) {
  (void)state;
  char text[300];
  mkdir(path_of("sub"), 0777);
  write_file("sub/b.csv", "t [s],y\n0,1\n1,2\n");
  write_file("sub/part.yaml",
             "tables: {b: {file: b.csv, outside: line}}\nsensors: {c: {value: b(t)}}\n");
  write_file("main.yaml", "format: 1\ninclude: sub/part.yaml\n");
  hk_diag diag;
  hk_diag_init(&diag);
  hk_spec *spec = hk_model_file_read(path_of("main.yaml"), NULL, 0, &diag);
  if (!spec) {
    hk_diag_format(&diag.message[0], text, sizeof text);
    fail_msg("%s", text);
  }
  hk_spec_destroy(spec);
  hk_diag_free(&diag);
  reading r = read_text("tables: {a: {file: none.csv}}\nsensors: {b: {value: a(t)}}\n");
  assert_int_equal(r.diag.n_errors, 1);
  done(&r);
}

static void programs_load_files_too(void **state) {
  (void)state;
  hk_spec *spec = hk_spec_create();
  hk_error err = {0};
  hk_diag diag;
  hk_diag_init(&diag);
  hk_item *t = hk_spec_add(spec, HK_TABLE, "table", "road", &err);
  hk_item *s = hk_spec_add(spec, HK_SENSOR, "expression", "h", &err);
  assert_int_equal(hk_item_expression(s, "value", 0, "road(t)", &err), HK_EINPUT);
  assert_non_null(strstr(err.text, "unknown function 'road'; table 'road' has no points yet"));
  assert_int_equal(hk_table_load(t, NULL, &diag), HK_EINPUT);
  assert_int_equal(hk_table_load(s, "x", &diag), HK_EINPUT);
  assert_int_equal(hk_item_text(t, "outside", "hold", &err), HK_OK);
  assert_int_equal(hk_table_load(t, write_file("p.csv", "t [s],y [m]\n0,1\n2,2\n"), &diag), HK_OK);
  assert_int_equal(hk_item_expression(s, "value", 0, "road(t)", &err), HK_OK);
  double now = 1;
  assert_true(hk_expr_value(*(hk_expr **)s->data, &now) == 1.5);
  hk_spec_destroy(spec);
  hk_diag_free(&diag);
}

static int make_folder(void **state) {
  (void)state;
  snprintf(folder, sizeof folder, "/tmp/hooke_table_XXXXXX");
  return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
  (void)state;
  char command[100];
  snprintf(command, sizeof command, "rm -r %s", folder);
  return system(command);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(csv_in_its_many_forms),
      cmocka_unit_test(bad_files_are_refused_where_they_are_wrong),
      cmocka_unit_test(a_long_file_is_read_whole),
      cmocka_unit_test(results_are_tables),
      cmocka_unit_test(other_hdf5_files_have_datasets),
      cmocka_unit_test(units_of_variable_length_are_read),
      cmocka_unit_test(numbers_of_other_files_are_not_read),
      cmocka_unit_test(model_files_have_tables),
      cmocka_unit_test(files_are_found_beside_the_model),
      cmocka_unit_test(programs_load_files_too),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
