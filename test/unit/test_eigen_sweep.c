/* Eigenvalues as functions of a parameter: branches keep their identity, values agree with closed forms. */
#include "support/check.h"
#include "study/eigen_sweep.h"
#include <math.h>

/* ---- joining ---- */

/* Modes of one point: eigenvalues i f, each with a shape in the plane at an angle. */
static void add_point(hk_eigen_sweep *s, const double *f, const double *angle, int n, int *order) {
  hk_mode mode[8];
  double shape[8][4];
  for (int k = 0; k < n; k++) {
    int i = order[k];
    const double p[4] = {cos(angle[i]), 0, sin(angle[i]), 0};
    memcpy(shape[k], p, sizeof p);
    mode[k] = (hk_mode){.im = f[i], .shape = shape[k]};
  }
  hk_error err = {0};
  const hk_modes m = {.n = n, .mode = mode};
  if (hk_eigen_sweep_add(s, &m, 2, NULL, &err)) fail_msg("%s", err.text);
}

/* Two straight branches cross; the solver gives them sorted.  Their shapes distinguish them. */
static void test_crossing(void **state) {
  enum { N = 21 };
  double p[N];
  hk_eigen_sweep s;
  hk_error err = {0};
  for (int i = 0; i < N; i++) p[i] = i / 10.0;
  assert_int_equal(hk_eigen_sweep_init(&s, p, N, &err), HK_OK);
  for (int i = 0; i < N; i++) {
    const double f[2] = {1 + p[i], 2.05}, angle[2] = {0.1, 0.1 + M_PI / 2};
    int order[2] = {f[0] > f[1], f[0] <= f[1]};
    add_point(&s, f, angle, 2, order);
  }
  assert_int_equal(s.n_branches, 2);
  for (int i = 0; i < N; i++) {
    assert_float_equal(s.branch[0].im[i], 1 + p[i], 0);
    assert_float_equal(s.branch[1].im[i], 2.05, 0);
    if (i) assert_float_equal(s.branch[0].mac[i], 1, 1e-12);
  }
  assert_true(isnan(s.branch[0].mac[0]));
  hk_eigen_sweep_free(&s);
}

/* Two branches approach and veer away from each other, and their shapes are exchanged: the lower one stays the
 * lower one. */
static void test_veering(void **state) {
  enum { N = 81 };
  double p[N];
  hk_eigen_sweep s;
  hk_error err = {0};
  for (int i = 0; i < N; i++) p[i] = -1 + i / 40.0;
  hk_eigen_sweep_init(&s, p, N, &err);
  for (int i = 0; i < N; i++) {
    /* Eigenvectors of [[p, e], [e, -p]]. */
    const double e = 0.2, r = hypot(p[i], e), turn = 0.5 * atan2(e, p[i]);
    const double f[2] = {5 - r, 5 + r}, angle[2] = {turn + M_PI / 2, turn};
    int order[2] = {i % 2, 1 - i % 2}; /* in any order */
    add_point(&s, f, angle, 2, order);
  }
  assert_int_equal(s.n_branches, 2);
  for (int i = 0; i < N; i++) {
    double r = hypot(p[i], 0.2);
    assert_float_equal(fabs(s.branch[0].im[i] - 5), r, 1e-12);
    if (i) assert_true((s.branch[0].im[i] > 5) == (s.branch[0].im[0] > 5));
  }
  hk_eigen_sweep_free(&s);
}

/* A mode appears, a point is omitted, a mode disappears. */
static void test_changing_number(void **state) {
  const double p[5] = {0, 1, 2, 3, 4}, f[3] = {1, 2, 3}, angle[3] = {0, 1.5, 0.8};
  hk_eigen_sweep s;
  hk_error err = {.text = "because"};
  hk_eigen_sweep_init(&s, p, 5, &err);
  add_point(&s, f, angle, 2, (int[]){0, 1});
  add_point(&s, f, angle, 3, (int[]){2, 1, 0});
  hk_eigen_sweep_skip(&s, HK_EFAIL, &err);
  add_point(&s, f, angle, 3, (int[]){1, 2, 0});
  add_point(&s, f, angle, 1, (int[]){1});
  assert_int_equal(s.n_branches, 3);
  assert_int_equal(s.n_failed, 1);
  assert_string_equal(s.first_failure.text, "because");
  for (int k = 0; k < 3; k++) {
    const bool there[5] = {k < 2, true, false, true, k == 1};
    for (int i = 0; i < 5; i++)
      if (there[i])
        assert_float_equal(s.branch[k].im[i], f[k], 0);
      else
        assert_true(isnan(s.branch[k].im[i]));
  }
  const hk_modes none = {0};
  assert_int_equal(hk_eigen_sweep_add(&s, &none, 2, NULL, &err), HK_EINPUT); /* full */
  hk_eigen_sweep_free(&s);
}

/* ---- models ---- */

static void sweep_file(hk_eigen_sweep *s, const char *file, const char *path, const char *unit,
                       double first, double last, int n, hk_operating_mode mode) {
  double p[200];
  char full[512];
  hk_diag diag;
  hk_error err = {0};
  hk_diag_init(&diag);
  for (int i = 0; i < n; i++) p[i] = first + i * (last - first) / (n - 1);
  snprintf(full, sizeof full, "%s/examples/%s", HOOKE_SOURCE_DIR, file);
  hk_status status = hk_eigen_sweep_init(s, p, n, &err);
  const hk_sweep_axis axis = {path, unit};
  const hk_operating_point point = {.mode = mode};
  if (!status) status = hk_eigen_sweep_run(s, NULL, full, NULL, 0, &axis, &point, &diag, &err);
  if (status || s->n_failed) fail_msg("%s%s", err.text, s->first_failure.text);
  hk_diag_free(&diag);
}

/* Overhung rotor: (k11 - m w^2) (k22 + Ip W w - It w^2) = k12^2, forward for w > 0. */
static void test_campbell(void **state) {
  enum { N = 46 };
  const double radius = 0.25, l = 0.4, EI = 210e9 * M_PI * pow(0.025, 4) / 64;
  const double k11 = 12 * EI / (l * l * l), k12 = -6 * EI / (l * l), k22 = 4 * EI / l;
  const double m = 10, It = 9.5 * radius * radius / 4 + 2e-3, Ip = 9.5 * radius * radius / 2;
  hk_eigen_sweep s;
  sweep_file(&s, "linear/rotor_campbell.yaml", "parameters.speed", "rpm", 0, 9000, N,
             HK_OPERATE_AT);
  assert_int_equal(s.n_branches, 14);
  int whirls = 0, rising = 0, falling = 0;
  for (int k = 0; k < s.n_branches; k++) {
    const double *w = s.branch[k].im;
    double axial = sqrt(1e8 / m), torsion = sqrt(1e5 / 2e-3);
    if (w[0] <= 0 || fabs(w[0] / axial - 1) < 1e-6 || fabs(w[0] / torsion - 1) < 1e-6) continue;
    whirls++;
    bool forward = w[N - 1] > w[0];
    rising += forward, falling += !forward;
    for (int i = 0; i < N; i++) {
      double W = s.parameter[i] * 2 * M_PI / 60, x = forward ? w[i] : -w[i];
      /* The error is one Newton step of the closed form from the computed value. */
      double a = k11 - m * x * x, b = k22 + Ip * W * x - It * x * x;
      double f = a * b - k12 * k12, slope = -2 * m * x * b + a * (Ip * W - 2 * It * x);
      if (fabs(f / slope / x) > 1e-9)
        fail_msg("branch %d at %g rpm: %.12g is off by %.3g", k, s.parameter[i], w[i],
                 f / slope / x);
      if (i) assert_true(forward ? w[i] > w[i - 1] : w[i] < w[i - 1]);
      assert_true(fabs(s.branch[k].re[i]) < 1e-9 * w[i]);
    }
  }
  assert_int_equal(whirls, 4);
  assert_int_equal(rising, 2);
  assert_int_equal(falling, 2);
  hk_eigen_sweep_free(&s);
}

/* Constant-velocity joint: |s|^2 = 1.5 torque/(5 inertia + m r^2), |re| = |im|. */
static void test_root_locus(void **state) {
  enum { N = 21 };
  hk_eigen_sweep s;
  sweep_file(&s, "cv_linear/point.yaml", "parameters.torque", "N*m", 0.5, 10.5, N,
             HK_OPERATE_STATIC);
  assert_int_equal(s.n_branches, 6);
  int moving = 0;
  for (int k = 0; k < 6; k++) {
    const hk_branch *b = &s.branch[k];
    if (fabs(b->re[0]) < 1e-6) continue;
    moving++;
    for (int i = 0; i < N; i++) {
      double part = sqrt(1.5 * s.parameter[i] / 6 / 2);
      assert_float_equal(fabs(b->re[i]), part, 1e-9 * part);
      assert_float_equal(fabs(b->im[i]), part, 1e-9 * part);
      assert_true((b->re[i] > 0) == (b->re[0] > 0) && (b->im[i] > 0) == (b->im[0] > 0));
    }
  }
  assert_int_equal(moving, 4);
  hk_eigen_sweep_free(&s);
}

static void test_bad_path(void **state) {
  hk_eigen_sweep s;
  hk_diag diag;
  hk_error err = {0};
  const double p[2] = {1, 2};
  hk_diag_init(&diag);
  hk_eigen_sweep_init(&s, p, 2, &err);
  const hk_sweep_axis axis = {"parameters.torqe", "N*m"};
  const hk_operating_point point = {0};
  assert_int_equal(hk_eigen_sweep_run(&s, NULL, HOOKE_SOURCE_DIR "/examples/cv_linear/point.yaml",
                                      NULL, 0, &axis, &point, &diag, &err),
                   HK_EINPUT);
  assert_true(diag.n_errors > 0);
  assert_non_null(strstr(diag.message[0].text, "torque"));
  hk_eigen_sweep_free(&s);
  hk_diag_free(&diag);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_crossing),        cmocka_unit_test(test_veering),
      cmocka_unit_test(test_changing_number), cmocka_unit_test(test_campbell),
      cmocka_unit_test(test_root_locus),      cmocka_unit_test(test_bad_path),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
