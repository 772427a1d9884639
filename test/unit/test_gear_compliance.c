/* Compliance of gears: a table from a file of another program, influence matrices made from it, ISO 6336, and
 * rejected files. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "gear/compliance.h"
#include "prepare/gear_file.h"
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REFERENCE HOOKE_SOURCE_DIR "/examples/gear_rig/compliance_reference.h5"

/* The pair of the rig: pitch point at T on both flanks, path of contact +-REACH, base pitch PITCH. */
static const double T = 27.865620e-3, REACH = 6.297322e-3, PITCH = 7.675539e-3;

/* the assertion of cmocka compares floats */
#define assert_about(got, wanted, tolerance)                                                 \
  do {                                                                                       \
    double got_ = (got), wanted_ = (wanted);                                                 \
    if (!(fabs(got_ - wanted_) <= (tolerance))) fail_msg("%.12g, not %.12g", got_, wanted_); \
  } while (0)

static hk_gear_compliance must_read(hk_arena *arena, const char *path, const char *group) {
  hk_gear_compliance g;
  hk_error err = {0};
  if (hk_gear_file_read(path, group, false, arena, &g, &err)) fail_msg("%s", err.text);
  return g;
}

static void the_reference_file(void **state) {
  (void)state;
  /* Compliance at the pitch point in um/kN. */
  static const double solid[3][3] = {
      {2.524, 1.232, .708}, {1.232, 2.026, 1.232}, {.708, 1.232, 2.524}};
  static const double web[3][3] = {
      {4.117, 1.967, .685}, {1.967, 2.747, 1.967}, {.685, 1.967, 4.117}};
  hk_arena arena;
  hk_arena_init(&arena);
  for (int which = 0; which < 2; which++) {
    hk_gear_compliance g = must_read(&arena, REFERENCE, which ? "SUC" : "P2");
    assert_int_equal(g.stations, 25);
    assert_int_equal(g.slices, 3);
    assert_int_equal(g.reach, 1);
    hk_gear_touch touch[3];
    double C[9] = {0};
    for (int i = 0; i < 3; i++) touch[i] = (hk_gear_touch){.tooth = 7, .slice = i, .roll = T};
    hk_gear_compliance_locate(&g, touch, 3);
    hk_gear_compliance_add(&g, touch, 3, C, NULL);
    for (int i = 0; i < 9; i++)
      assert_about(1e9 * C[i], which ? web[i / 3][i % 3] : solid[i / 3][i % 3], 6e-4);
  }
  hk_arena_free(&arena);
}

/* Two pairs of teeth, three slices: the sum of both gears, at xi and one base pitch before it. */
static void influence(const hk_gear_compliance *drives, const hk_gear_compliance *driven, double xi,
                      double *C, double *C_s) {
  hk_gear_touch a[6], b[6];
  for (int k = 0; k < 6; k++) {
    double at = xi - PITCH * (k / 3);
    a[k] = (hk_gear_touch){.tooth = -(k / 3), .slice = k % 3, .roll = T + at};
    b[k] = (hk_gear_touch){.tooth = k / 3, .slice = k % 3, .roll = T - at};
  }
  memset(C, 0, 36 * sizeof *C);
  hk_gear_compliance_locate(drives, a, 6);
  hk_gear_compliance_locate(driven, b, 6);
  double by_a[36] = {0}, by_b[36] = {0};
  hk_gear_compliance_add(drives, a, 6, C, by_a);
  hk_gear_compliance_add(driven, b, 6, C, by_b);
  for (
      int i = 0; C_s && i < 36;
      i++) { /* along the path all roll lengths of one gear increase and those of the other decrease */
    int turned = i % 6 * 6 + i / 6;
    C_s[i] = by_a[i] + by_a[turned] - by_b[i] - by_b[turned];
  }
}

static void two_pairs_of_teeth(void **state) {
  (void)state;
  /* The matrix of an independent program for this case, with the web driving. */
  static const double known[6][6] = {{7.171225712e-09, 3.362672323e-09, 1.397963486e-09,
                                      3.472486151e-09, 2.353702691e-09, 1.334884759e-09},
                                     {3.362672323e-09, 5.119929788e-09, 3.362672323e-09,
                                      2.365941901e-09, 2.410794070e-09, 2.365941901e-09},
                                     {1.397963486e-09, 3.362672323e-09, 7.171225712e-09,
                                      1.334884759e-09, 2.353702691e-09, 3.472486151e-09},
                                     {3.472486151e-09, 2.365941901e-09, 1.334884759e-09,
                                      7.967359741e-09, 3.517187757e-09, 1.447143846e-09},
                                     {2.353702691e-09, 2.410794070e-09, 2.353702691e-09,
                                      3.517187757e-09, 5.883125640e-09, 3.517187757e-09},
                                     {1.334884759e-09, 2.365941901e-09, 3.472486151e-09,
                                      1.447143846e-09, 3.517187757e-09, 7.967359741e-09}};
  hk_arena arena;
  hk_arena_init(&arena);
  hk_gear_compliance web = must_read(&arena, REFERENCE, "SUC"),
                     solid = must_read(&arena, REFERENCE, "P2");
  double C[36];
  influence(&web, &solid, 2.675539e-3, C, NULL);
  for (int k = 0; k < 36; k++)
    if (fabs(C[k] - known[k / 6][k % 6]) > 1e-6 * known[k / 6][k % 6])
      fail_msg("entry %d, %d is %.10g, not %.10g", k / 6, k % 6, C[k], known[k / 6][k % 6]);
  hk_arena_free(&arena);
}

static void derivative_along_the_path(void **state) {
  (void)state;
  hk_arena arena;
  hk_arena_init(&arena);
  hk_gear_compliance web = must_read(&arena, REFERENCE, "SUC"),
                     solid = must_read(&arena, REFERENCE, "P2");
  /* Between stations of each table, in the middle and beyond its end, where the values are constant. */
  static const double place[] = {2.675539e-3, 1.4e-3, 6.2e-3, 7.1e-3};
  for (int p = 0; p < 4; p++) {
    double C[36], C_s[36], less[36], more[36], h = 1e-7;
    influence(&web, &solid, place[p], C, C_s);
    influence(&web, &solid, place[p] - h, less, NULL);
    influence(&web, &solid, place[p] + h, more, NULL);
    for (int k = 0; k < 36; k++)
      assert_about(C_s[k], (more[k] - less[k]) / (2 * h), 1e-8 * C[0] / 1e-3);
  }
  hk_arena_free(&arena);
}

static void is_it_this_gear(void **state) {
  (void)state;
  hk_arena arena;
  hk_arena_init(&arena);
  hk_gear_compliance g = must_read(&arena, REFERENCE, "P2");
  hk_gear_flank flank = {3, T - REACH, T + REACH, T + REACH};
  hk_error err = {0};
  assert_int_equal(hk_gear_compliance_fits(&g, &flank, &err), HK_OK);
  flank.slices = 5;
  assert_int_equal(hk_gear_compliance_fits(&g, &flank, &err), HK_EINPUT);
  assert_non_null(strstr(err.text, "3 slices, but the gear has 5"));
  flank = (hk_gear_flank){3, T - REACH, T + 1.1 * REACH, T + 1.1 * REACH};
  assert_int_equal(hk_gear_compliance_fits(&g, &flank, &err), HK_EINPUT);
  assert_non_null(strstr(err.text, "from 21.5683 to 34.1629 mm"));
  flank = (hk_gear_flank){3, T - 0.5 * REACH, T + 0.5 * REACH, T + 0.6 * REACH};
  assert_int_equal(hk_gear_compliance_fits(&g, &flank, &err), HK_EINPUT);
  assert_non_null(strstr(err.text, "the flank ends at 31.644 mm"));
  hk_arena_free(&arena);
}

/* ---- another part of the face ---- */

static void refit(void **state) {
  enum { STATIONS = 2, SLICES = 4, SIZE = STATIONS * SLICES * STATIONS * SLICES };
  const double roll[STATIONS] = {1, 2};
  double c[SIZE];
  hk_gear_compliance g = {STATIONS, SLICES, 0, roll, c}, out;
  hk_error err = {0};
  hk_arena arena;
  hk_arena_init(&arena);
  /* Symmetric, and linear over the face: c = 10 + x + y with x, y in slices. */
  for (int r = 0; r < STATIONS; r++)
    for (int i = 0; i < SLICES; i++)
      for (int s = 0; s < STATIONS; s++)
        for (int j = 0; j < SLICES; j++)
          c[((r * SLICES + i) * STATIONS + s) * SLICES + j] = 10 + i + j + r + s;
  assert_int_equal(hk_gear_compliance_refit(&arena, &g, -0.5, 0.5, &out, &err), HK_OK);
  for (int i = 0; i < SIZE; i++) assert_about(out.c[i], c[i], 1e-12);
  /* The upper half: its slices are halves of the previous ones. */
  assert_int_equal(hk_gear_compliance_refit(&arena, &g, 0, 0.5, &out, &err), HK_OK);
  for (int i = 0; i < SLICES; i++)
    for (int j = 0; j < SLICES; j++)
      assert_about(hk_gear_compliance_entry(&out, 0, 1, i, 0, j), 11 + 2 + i / 2 + 2 + j / 2,
                   1e-12);
  /* Half a slice further: the mean of two. */
  assert_int_equal(hk_gear_compliance_refit(&arena, &g, -0.375, 0.375, &out, &err), HK_OK);
  assert_about(hk_gear_compliance_entry(&out, 0, 0, 0, 0, 0), 10 + 2 / 3.0, 1e-12);
  hk_arena_free(&arena);
}

/* ---- ISO 6336 ---- */

static hk_iso_pair rig_pair(void) {
  return (hk_iso_pair){.z1 = 57,
                       .z2 = 57,
                       .x1 = 0.361389,
                       .x2 = 0.361389,
                       .module = 2.6e-3,
                       .pressure_angle = 20 * M_PI / 180,
                       .dedendum = 1.25,
                       .contact_ratio = 1.640880,
                       .face_width = 23e-3,
                       .youngs_modulus = {210e9, 210e9},
                       .line_load = 1e5};
}

static void iso_stiffness(void **state) {
  (void)state;
  hk_iso_pair p = rig_pair();
  hk_iso_stiffness s;
  hk_error err = {0};
  assert_int_equal(hk_iso_stiffness_of(&p, &s, &err), HK_OK);
  assert_about(s.theoretical / 1e9, 19.94, 5e-3);
  assert_about(s.single / 1e9, 15.55, 5e-3);
  assert_about(s.mesh / 1e9, 23.03, 5e-3); /* 15.55 (0.75 eps + 0.25) */
  p.line_load = 88e3;
  assert_int_equal(hk_iso_stiffness_of(&p, &s, &err), HK_OK);
  assert_about(s.single / 1e9, 15.07, 1e-2);
  assert_about(s.mesh / 1e9, 22.3, 2e-2);
  double soft = s.single;
  p.youngs_modulus[0] = p.youngs_modulus[1] = 103e9;
  assert_int_equal(hk_iso_stiffness_of(&p, &s, &err), HK_OK);
  assert_about(s.single / soft, 0.5, 1e-12);
  /* The softer of the two bodies counts, whichever it is; a solid mating gear has no effect. */
  for (int i = 0; i < 2; i++) {
    double web[2] = {0}, rim[2] = {0};
    web[i] = 5e-3, rim[i] = 5e-3;
    memcpy(p.web, web, sizeof web);
    memcpy(p.rim, rim, sizeof rim);
    assert_int_equal(hk_iso_stiffness_of(&p, &s, &err), HK_OK);
    assert_about(2 * s.single / soft, 1 + log(5.0 / 23) / (5 * exp(5 / 2.6 / 5)), 1e-12);
    p.web[1 - i] = 23e-3;
    assert_int_equal(hk_iso_stiffness_of(&p, &s, &err), HK_OK);
    assert_about(2 * s.single / soft, 1 + log(5.0 / 23) / (5 * exp(5 / 2.6 / 5)), 1e-12);
  }
}

/* Two such gears and the local contact in series have the stiffness c' at the middle, and c_gamma/eps on
 * average. */
static void iso_table(void **state) {
  (void)state;
  hk_arena arena;
  hk_arena_init(&arena);
  hk_iso_pair p = rig_pair();
  hk_iso_stiffness s;
  hk_gear_compliance g;
  hk_error err = {0};
  const hk_gear_flank flank = {3, T - REACH, T + REACH, T + REACH};
  double b = p.face_width, local = 0.02e-9;
  hk_iso_teeth teeth = {p.contact_ratio, local, b, 1}, soft = {1.6, 1e-10, b, 1}, leaning = teeth;
  assert_int_equal(hk_iso_stiffness_of(&p, &s, &err), HK_OK);
  assert_int_equal(hk_gear_compliance_iso(&arena, &s, &teeth, &flank, &g, &err), HK_OK);
  assert_int_equal(hk_gear_compliance_check(&g, &err), HK_OK);
  double sum = 0;
  enum { STEPS = 4000 };
  for (int k = 0; k <= STEPS; k++) {
    hk_gear_touch touch[2] = {{.tooth = 1, .slice = 1, .roll = T - REACH + 2 * REACH * k / STEPS},
                              {.tooth = 0, .slice = 1, .roll = T - REACH}};
    double C[4] = {0};
    hk_gear_compliance_locate(&g, touch, 2);
    hk_gear_compliance_add(&g, touch, 2, C, NULL);
    assert_true(C[1] == 0 && C[2] == 0);
    double stiffness = 1 / (2 * C[0] * b / 3 + local);
    sum += stiffness * (k % STEPS ? 1 : 0.5) / STEPS;
    if (k == STEPS / 2) assert_about(stiffness / s.single, 1, 1e-9);
  }
  assert_about(sum * p.contact_ratio / s.mesh, 1, 2e-3);
  assert_int_equal(hk_gear_compliance_iso(&arena, &s, &soft, &flank, &g, &err), HK_EINPUT);
  assert_non_null(strstr(err.text, "deflection of the local contact"));
  /* Helical: c' b = F_t/delta_t with F_t = F cos, delta_t = delta/cos; lines of contact are 1/cos longer. */
  leaning.cos_base = 0.9;
  assert_int_equal(hk_gear_compliance_iso(&arena, &s, &leaning, &flank, &g, &err), HK_OK);
  double whole = 2 * hk_gear_compliance_entry(&g, 0, 12, 1, 12, 1) / 3 + local / (b / 0.9);
  assert_about(0.9 * 0.9 / (whole * b) / s.single, 1, 1e-12);
  hk_arena_free(&arena);
}

static void rigid_teeth(void **state) {
  (void)state;
  const hk_gear_compliance rigid = {0};
  hk_gear_touch touch[2] = {{.roll = 1}, {.roll = 2}};
  double C[4] = {1, 2, 3, 4};
  hk_gear_compliance_locate(&rigid, touch, 2);
  hk_gear_compliance_add(&rigid, touch, 2, C, NULL);
  assert_true(C[0] == 1 && C[1] == 2 && C[2] == 3 && C[3] == 4);
}

/* ---- files ---- */

typedef struct fake {
  const char *group, *roll_unit, *unit;
  int teeth, stations, slices, columns; /* columns: stations on the side of the force */
  int bad;                              /* index of an entry to be damaged, -1: none */
  double with;
} fake;

static void put(hid_t at, const char *name, int rank, const hsize_t *size, const double *x,
                const char *unit) {
  hid_t space = H5Screate_simple(rank, size, NULL);
  hid_t set = H5Dcreate2(at, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) >= 0);
  if (unit) {
    hid_t one = H5Screate(H5S_SCALAR), text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, strlen(unit) + 1);
    hid_t a = H5Acreate2(set, "unit", text, one, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(a, text, unit);
    H5Aclose(a), H5Tclose(text), H5Sclose(one);
  }
  H5Dclose(set);
  H5Sclose(space);
}

static char path[] = "/tmp/hooke_gear_XXXXXX";

/* Springs of 1 um/kN, each coupled with all others by a tenth of it. */
static void write_fake(fake f) {
  hsize_t n = (hsize_t)f.stations;
  hsize_t size[5] = {(hsize_t)f.teeth, n, (hsize_t)f.slices, (hsize_t)f.columns, (hsize_t)f.slices};
  size_t total = (size_t)(f.teeth * f.stations * f.slices * f.columns * f.slices);
  double roll[16], *c = calloc(total, sizeof *c);
  for (int i = 0; i < f.stations; i++) roll[i] = 20 + i;
  for (size_t k = 0; k < total; k++) c[k] = 0.1;
  for (int k = 0; k < f.stations * f.slices && f.columns == f.stations; k++)
    c[((size_t)(f.teeth / 2 * f.stations * f.slices) + (size_t)k) * (size_t)(f.columns * f.slices) +
      (size_t)k] = 1;
  if (f.bad >= 0) c[f.bad] = f.with;
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t at = f.group ? H5Gcreate2(file, f.group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) : file;
  put(at, "roll_length", 1, &n, roll, f.roll_unit);
  put(at, "compliance", 5, size, c, f.unit);
  if (f.group) H5Gclose(at);
  H5Fclose(file);
  free(c);
}

static void other_units(void **state) {
  (void)state;
  hk_arena arena;
  hk_arena_init(&arena);
  write_fake((fake){NULL, "mm", "um/kN", 3, 4, 2, 4, -1, 0});
  hk_gear_compliance g = must_read(&arena, path, NULL);
  assert_about(g.roll[3], 23e-3, 1e-15);
  assert_about(hk_gear_compliance_entry(&g, 0, 2, 1, 2, 1), 1e-9, 1e-20);
  assert_about(hk_gear_compliance_entry(&g, 1, 2, 1, 2, 1), 1e-10, 1e-20);
  write_fake((fake){"wheel", "mm", "um/kN", 1, 4, 1, 4, -1, 0});
  g = must_read(&arena, path, NULL); /* the only one there is */
  assert_int_equal(g.reach, 0);
  hk_arena_free(&arena);
}

static void assert_refused(const char *file, const char *group, const char *why) {
  hk_arena arena;
  hk_gear_compliance g;
  hk_error err = {0};
  hk_arena_init(&arena);
  assert_int_equal(hk_gear_file_read(file, group, false, &arena, &g, &err), HK_EINPUT);
  if (!strstr(err.text, why)) fail_msg("'%s' does not say '%s'", err.text, why);
  hk_arena_free(&arena);
}

static void refused(void **state) {
  (void)state;
  assert_refused(REFERENCE, NULL, "several gears; specify one of its groups: P2, SUC");
  assert_refused(REFERENCE, "P3", "no group 'P3'; it has P2, SUC");
  assert_refused("/nowhere/x.h5", NULL, "cannot read '/nowhere/x.h5': No such file");
  assert_refused(HOOKE_SOURCE_DIR "/CMakeLists.txt", NULL, "it is not HDF5, or damaged");
  write_fake((fake){NULL, "mm", "um/kN", 3, 4, 2, 4, 3 * 8 + 5, NAN});
  assert_refused(
      path, NULL,
      "compliance of tooth -1, station 2, slice 2 under a force at station 3, slice 2 is nan");
  write_fake((fake){NULL, "mm", "um/kN", 3, 4, 2, 4, 64 + 3 * 8 + 5, 0.2});
  assert_refused(path, NULL, "compliance is not symmetric: tooth +0, station 2, slice 2");
  write_fake((fake){NULL, "mm", "um/kN", 3, 4, 2, 4, 64, -1});
  assert_refused(path, NULL, "compliance at station 1 is not positive");
  write_fake((fake){NULL, "mm", "um/kN", 2, 4, 2, 4, -1, 0});
  assert_refused(path, NULL, "it must be odd");
  write_fake((fake){NULL, "mm", "um/kN", 3, 4, 2, 3, -1, 0});
  assert_refused(path, NULL, "3 x 4 x 2 x 3 x 2 with 4 roll lengths");
  write_fake((fake){NULL, "mm", "N/m", 3, 4, 2, 4, -1, 0});
  assert_refused(path, NULL, "'compliance' is in N/m, not in m/N");
  write_fake((fake){NULL, "mm", "um/kN", 11, 4, 2, 4, -1, 0});
  assert_refused(path, NULL, "dimension 1 of 'compliance' is 11; it may be 1 to 9");
}

static int make_path(void **state) {
  int fd = mkstemp(path);
  if (fd >= 0) close(fd);
  return fd < 0;
}

static int remove_path(void **state) { return unlink(path); }

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_reference_file),
                                     cmocka_unit_test(two_pairs_of_teeth),
                                     cmocka_unit_test(derivative_along_the_path),
                                     cmocka_unit_test(is_it_this_gear),
                                     cmocka_unit_test(refit),
                                     cmocka_unit_test(iso_stiffness),
                                     cmocka_unit_test(iso_table),
                                     cmocka_unit_test(rigid_teeth),
                                     cmocka_unit_test(other_units),
                                     cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, make_path, remove_path);
}
