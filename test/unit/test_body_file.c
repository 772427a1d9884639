/* Files of flexible bodies: written and read back bit by bit; wrong data is refused with its name. */
#include "support/check.h"
#include "flexible/flexible_packed.h"
#include "flexible/flexible_sample.h"
#include "base/arena.h"
#include "prepare/body_file.h"
#include "results/results_hdf5.h"
#include <unistd.h>

static char path[64];

static int set_up(void **state) {
  (void)state;
  snprintf(path, sizeof path, "/tmp/hooke-body-XXXXXX");
  int fd = mkstemp(path);
  if (fd >= 0) close(fd);
  return fd < 0;
}

static int tear_down(void **state) {
  (void)state;
  return unlink(path);
}

static void round_trip(void **state) {
  (void)state;
  for (int stiffening = 0; stiffening < 2; stiffening++) {
    hk_flexible_sample c;
    hk_arena arena;
    hk_flexible_data d;
    hk_flexible_sample_make(&c, stiffening);
    const float vertex[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, moved[27] = {1, 2, 3}, stress[54] = {5, 6};
    const int32_t triangle[3] = {0, 1, 2};
    const double fixed[2] = {1e4, 2e4};
    c.data.surface =
        (hk_flexible_surface){3, 1, vertex, triangle, moved, stiffening ? stress : NULL};
    c.data.n_fixed = 2, c.data.fixed_w2 = fixed;
    c.data.hash = "0123";
    c.interface[1].observed = true;
    MUST(hk_body_file_write(path, &c.data, err));
    hk_arena_init(&arena);
    MUST(hk_body_file_read(path, true, false, &arena, &d, err));
    assert_int_equal(d.m, HK_SAMPLE_MODES);
    assert_true(d.mass == c.data.mass && d.center.y == c.data.center.y);
    assert_memory_equal(d.w2, c.w2, sizeof c.w2);
    for (int i = 0; i < 27; i++) assert_near(d.J1[i], (&c.J1[0][0][0])[i], 1e-15, "J1 %d", i);
    for (int i = 0; i < 81; i++) assert_near(d.J2[i], (&c.J2[0][0][0][0])[i], 1e-15, "J2 %d", i);
    for (int i = 0; i < 27; i++) assert_near(d.c[i], (&c.c[0][0][0])[i], 1e-15, "c %d", i);
    assert_true(!d.K == !stiffening && !d.interface[0].G == !stiffening);
    for (int i = 0; i < 81 && d.K; i++)
      assert_near(d.K[i], (&c.K[0][0][0][0])[i], 1e-15, "K %d", i);
    for (int k = 0; k < 3; k++) /* the symmetry is exact for any contents of the file */
      for (int l = 0; l < 3; l++)
        for (int a = 0; a < 3; a++) {
          assert_true(d.c[(k * 3 + l) * 3 + a] == -d.c[(l * 3 + k) * 3 + a]);
          for (int b = 0; b < 3; b++)
            assert_true(d.J2[(k * 3 + l) * 9 + 3 * a + b] == d.J2[(l * 3 + k) * 9 + 3 * b + a]);
        }
    assert_int_equal(d.n_interfaces, 2);
    assert_string_equal(d.interface[0].name, "left");
    assert_int_equal(hk_flexible_interface_find(&d, "right"), 1);
    assert_int_equal(hk_flexible_interface_find(&d, "wrong"), -1);
    assert_true(d.interface[1].observed && !d.interface[0].observed);
    assert_memory_equal(d.interface[1].phi, c.phi[1], sizeof c.phi[1]);
    assert_memory_equal(d.interface[1].psi, c.psi[1], sizeof c.psi[1]);
    assert_int_equal(d.n_fixed, 2);
    assert_true(d.fixed_w2[1] == 2e4);
    assert_string_equal(d.source, "four point masses");
    assert_string_equal(d.hash, "0123");
    assert_int_equal(d.surface.n_vertices, 3);
    assert_true(d.surface.displacement[2] == 3 && !d.surface.stress == !stiffening);
    MUST(hk_body_file_read(path, false, false, &arena, &d, err));
    assert_int_equal(d.surface.n_vertices, 3);
    assert_true(d.surface.triangle && !d.surface.displacement && !d.surface.stress);
    hk_arena_free(&arena);
  }
}

/* The form in an FMU: the same bits without the surface; every damaged file is recognised. */
static void packed(void **state) {
  (void)state;
  for (int stiffening = 0; stiffening < 2; stiffening++) {
    hk_flexible_sample c;
    hk_arena arena;
    hk_flexible_data d;
    hk_error e = {0};
    hk_flexible_sample_make(&c, stiffening);
    const double fixed[2] = {1e4, 2e4};
    c.data.n_fixed = 2, c.data.fixed_w2 = fixed;
    c.interface[1].observed = true;
    hk_arena_init(&arena);
    MUST(hk_flexible_packed_write(path, &c.data, err));
    MUST(hk_flexible_packed_read(path, &arena, &d, err));
    assert_int_equal(d.m, HK_SAMPLE_MODES);
    assert_true(d.mass == c.data.mass && d.center.y == c.data.center.y);
    assert_memory_equal(&d.J0, &c.data.J0, sizeof d.J0);
    assert_memory_equal(d.w2, c.w2, sizeof c.w2);
    assert_memory_equal(d.J1, c.J1, sizeof c.J1);
    assert_memory_equal(d.J2, c.J2, sizeof c.J2);
    assert_memory_equal(d.c, c.c, sizeof c.c);
    assert_true(!d.K == !stiffening && !d.interface[0].G == !stiffening);
    if (d.K) assert_memory_equal(d.K, c.K, sizeof c.K);
    assert_true(d.n_fixed == 2 && d.fixed_w2[1] == 2e4);
    assert_int_equal(d.n_interfaces, 2);
    assert_string_equal(d.interface[1].name, "right");
    assert_true(d.interface[1].observed && !d.interface[0].observed);
    assert_true(d.interface[1].s.x == c.interface[1].s.x);
    assert_memory_equal(d.interface[1].psi, c.psi[1], sizeof c.psi[1]);
    FILE *f = fopen(path, "r+b");
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    long size = ftell(f);
    for (long at = 0; at < size; at++) { /* one wrong bit anywhere */
      fseek(f, at, SEEK_SET);
      int byte = fgetc(f);
      fseek(f, at, SEEK_SET);
      fputc(byte ^ 1 << at % 8, f);
      fflush(f);
      assert_int_equal(hk_flexible_packed_read(path, &arena, &d, &e), HK_EINPUT);
      fseek(f, at, SEEK_SET);
      fputc(byte, f);
    }
    fclose(f);
    for (long n = size; n-- > 0;) { /* the end is missing */
      assert_int_equal(truncate(path, n), 0);
      assert_int_equal(hk_flexible_packed_read(path, &arena, &d, &e), HK_EINPUT);
    }
    assert_true(strstr(e.text, "damaged"));
    assert_int_equal(hk_flexible_packed_write("/nowhere/body", &c.data, &e), HK_EIO);
    assert_int_equal(hk_flexible_packed_read("/nowhere/body", &arena, &d, &e), HK_EIO);
    hk_arena_free(&arena);
  }
}

/* Expects that the body cannot be written, with these words in the message. */
static void refused(const hk_flexible_sample *c, const char *words) {
  hk_error err = {0};
  assert_int_equal(hk_body_file_write(path, &c->data, &err), HK_EINPUT);
  if (!strstr(err.text, words)) fail_msg("'%s' does not contain '%s'", err.text, words);
}

static void wrong_numbers(void **state) {
  (void)state;
  hk_flexible_sample c;
#define WRONG(change, words)           \
  do {                                 \
    hk_flexible_sample_make(&c, true); \
    change;                            \
    refused(&c, words);                \
  } while (0)
  WRONG(c.data.mass = 0, "'mass' is 0 kg");
  WRONG(c.data.J0.m[0][0] = -1, "'inertia' is impossible for a body");
  WRONG(c.data.J0.m[0][1] += 1, "'inertia' is not symmetric");
  WRONG(c.w2[1] = 0, "mode 2 in 'squared_frequency' has 0");
  WRONG(c.J1[1][0][2] = NAN, "'inertia_1' is not finite");
  WRONG(c.J1[1][0][2] += 1, "matrix 2 of 'inertia_1' is not symmetric");
  WRONG(c.J2[0][0][1][1] *= 2, "not orthonormal with the mass");
  WRONG(c.J2[1][0][1][1] += 0.1, "'inertia_2' is not symmetric in the modes 2 and 1");
  WRONG(c.c[1][0][1] = -c.c[1][0][1] - 1, "'coriolis' is not antisymmetric in the modes 2 and 1");
  WRONG(c.K[0][2][0][0] += 1, "'stiffening' is not symmetric in the modes 3 and 1");
  WRONG(c.G[1][2][0][1] += 1, "interface 'right': 'second_order' is not symmetric");
  WRONG(c.psi[0][2][1] = INFINITY, "interface 'left': number 8 of 'rotation' is not finite");
  WRONG(c.interface[1].name = "left", "two interfaces have the name 'left'");
  WRONG(c.interface[1].name = "a b", "interface 2 has the name 'a b'");
  WRONG(c.data.m = 0, "it has 0 modes");
}

static void wrong_files(void **state) {
  (void)state;
  hk_arena arena;
  hk_flexible_data d;
  hk_error why = {0};
  hk_arena_init(&arena);
  assert_int_equal(hk_body_file_read("/nowhere.h5", true, false, &arena, &d, &why), HK_EINPUT);
  assert_non_null(strstr(why.text, "cannot read '/nowhere.h5'"));
  FILE *f = fopen(path, "w");
  fputs("not HDF5", f);
  fclose(f);
  assert_int_equal(hk_body_file_read(path, true, false, &arena, &d, &why), HK_EINPUT);
  assert_non_null(strstr(why.text, "not an HDF5 file"));
  /* A file of another program, and a body without a dataset. */
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(file);
  assert_int_equal(hk_body_file_read(path, true, false, &arena, &d, &why), HK_EINPUT);
  assert_non_null(strstr(why.text, "it is not a flexible body"));
  hk_flexible_sample c;
  hk_flexible_sample_make(&c, true);
  static const char *const set[] = {"mass", "coriolis", "interfaces", "interfaces/left/rotation"};
  for (int i = 0; i < 4; i++) {
    MUST(hk_body_file_write(path, &c.data, err));
    file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    H5Ldelete(file, set[i], H5P_DEFAULT);
    H5Fclose(file);
    assert_int_equal(hk_body_file_read(path, true, false, &arena, &d, &why), HK_EINPUT);
    const char *name = strrchr(set[i], '/') ? strrchr(set[i], '/') + 1 : set[i];
    if (!strstr(why.text, name)) fail_msg("'%s' does not name '%s'", why.text, name);
  }
  hk_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(round_trip, set_up, tear_down),
      cmocka_unit_test_setup_teardown(packed, set_up, tear_down),
      cmocka_unit_test_setup_teardown(wrong_numbers, set_up, tear_down),
      cmocka_unit_test_setup_teardown(wrong_files, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
