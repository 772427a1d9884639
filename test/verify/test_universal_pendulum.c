/* Pendulums on a universal joint against ADAMS and against a reference in two angles.  The
 * pendulum's axes are R0 Rx(alpha) Ry(beta): the cross rotates about the x axis of the ground's
 * marker, the pendulum rotates relative to the cross about its own y axis.  Cases 1 and 2 rotate
 * about one arm only.  With the arms exchanged (ground y, pendulum x) case 3 would be a different
 * motion: the data show which one ADAMS uses. */
#include "verify/benchmark.h"

typedef struct pendulum {
  real e[3][3]; /* axes of the markers at the start, as rows */
  bool exchanged;
} pendulum;

/* 3-1-3 Euler angles in degrees, about the rotating axes. */
static void euler(const double angle[3], real e[3][3]) {
  real I[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  memcpy(e, I, sizeof I);
  for (int i = 0; i < 3; i++) {
    real n[3], next[3][3];
    memcpy(n, e[i == 1 ? 0 : 2], sizeof n);
    for (int k = 0; k < 3; k++) ref_turn(n, (real)angle[i] * acosl(0) / 90, e[k], next[k]);
    memcpy(e, next, sizeof next);
  }
}

static void axes(const pendulum *p, const real *q, real e[3][3]) {
  int outer = p->exchanged ? 1 : 0, inner = 1 - outer;
  real a[3][3], n[3];
  for (int k = 0; k < 3; k++) ref_turn(p->e[outer], q[0], p->e[k], a[k]);
  memcpy(n, a[inner], sizeof n);
  for (int k = 0; k < 3; k++) ref_turn(n, q[1], a[k], e[k]);
}

static void place(const void *data, const real *q, real (*y)[3]) {
  real e[3][3], x[3];
  axes(data, q, e);
  for (int k = 0; k < 3; k++) x[k] = -2 * e[2][k];
  ref_body_place(x, e, y);
}

static ref_system make_system(const pendulum *p) {
  ref_system s = {
      .n = 2, .n_points = REF_BODY_POINTS, .data = p, .place = place, .gravity = {0, 0, -9.80665L}};
  static const real I[3] = {0.1L, 0.1L, 0.04L};
  ref_body_weights(1, I, s.weight);
  return s;
}

static const double EULER[3][3] = {{0, 90, 0}, {90, 90, -90}, {-45, 90, 45}};
enum { ROWS = 51 };
typedef struct row {
  double t, x[3], v[3], f[3], m[3];
} row;

static void read_data(int number, row *r) {
  char path[600], line[400];
  snprintf(path, sizeof path, "%s/test/verify/data/universal_%d.txt", HOOKE_SOURCE_DIR, number);
  FILE *f = fopen(path, "r");
  assert_non_null(f);
  int n = 0;
  while (fgets(line, sizeof line, f)) {
    if (line[0] == '#') continue;
    assert_true(n < ROWS);
    row *k = &r[n++];
    assert_int_equal(sscanf(line, "%lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf", &k->t,
                            &k->x[0], &k->x[1], &k->x[2], &k->v[0], &k->v[1], &k->v[2], &k->f[0],
                            &k->f[1], &k->f[2], &k->m[0], &k->m[1], &k->m[2]),
                     13);
  }
  fclose(f);
  assert_int_equal(n, ROWS);
}

/* Position, velocity and joint force on the pendulum, m (x'' - g), from the reference. */
static void reference(const pendulum *p, int substeps, row *r) {
  ref_system s = make_system(p);
  real x[REF_MAX_STATE] = {0};
  for (int i = 0; i < ROWS; i++) {
    if (i > 0) ref_advance(&s, x, 0.1L / substeps, substeps);
    real q[REF_MAX_Q] = {x[0], x[1]}, qd[REF_MAX_Q] = {x[2], x[3]}, qdd[REF_MAX_Q];
    ref_cloud y, y1, y2, e0, e1;
    place(p, q, y);
    ref_derive(&s, q, qd, y1, y2); /* speeds below 5 rad/s: differences over 0.01 rad */
    ref_acceleration(&s, q, qd, qdd);
    ref_derive(&s, q, (real[REF_MAX_Q]){1}, e0, NULL);
    ref_derive(&s, q, (real[REF_MAX_Q]){0, 1}, e1, NULL);
    for (int k = 0; k < 3; k++) {
      r[i].x[k] = (double)y[0][k];
      r[i].v[k] = (double)y1[0][k];
      r[i].f[k] = (double)(y2[0][k] + e0[0][k] * qdd[0] + e1[0][k] * qdd[1] - s.gravity[k]);
    }
  }
}

typedef struct worst {
  double x, v, f, m;
} worst;

static double apart(const double *a, const double *b) {
  double most = 0;
  for (int k = 0; k < 3; k++) most = fmax(most, fabs(a[k] - b[k]));
  return most;
}

static worst compare(const row *a, const row *b) {
  worst w = {0};
  for (int i = 0; i < ROWS; i++) {
    w.x = fmax(w.x, apart(a[i].x, b[i].x));
    w.v = fmax(w.v, apart(a[i].v, b[i].v));
    w.f = fmax(w.f, apart(a[i].f, b[i].f));
    w.m = fmax(w.m, apart(a[i].m, b[i].m));
  }
  return w;
}

static void simulate(const char *file, row *r) {
  static const char *const name[4][3] = {{"pendulum.x", "pendulum.y", "pendulum.z"},
                                         {"pendulum.vx", "pendulum.vy", "pendulum.vz"},
                                         {"cross.fx", "cross.fy", "cross.fz"},
                                         {"cross.tx", "cross.ty", "cross.tz"}};
  vf_case c;
  vf_file(&c, file, NULL, 0);
  vf_start(&c, NULL);
  for (int i = 0; i < ROWS; i++) {
    vf_advance(&c, 0.1 * i);
    double *to[4] = {r[i].x, r[i].v, r[i].f, r[i].m};
    for (int j = 0; j < 4; j++)
      for (int k = 0; k < 3; k++) to[j][k] = vf_value(&c, name[j][k]);
  }
  vf_close(&c);
}

static void channels(const void *data, const real *x, double *y) {
  real q[REF_MAX_Q] = {x[0], x[1]};
  ref_cloud cloud;
  const ref_system *s = data;
  s->place(s->data, q, cloud);
  for (int k = 0; k < 3; k++) y[k] = (double)cloud[0][k];
}
static void start(real *x) { (void)x; }

static void one_case(int number) {
  char file[80], name[40];
  snprintf(file, sizeof file, "examples/benchmarks/universal_pendulum_%d.yaml", number);
  snprintf(name, sizeof name, "universal pendulum %d", number);
  pendulum p = {.exchanged = false};
  euler(EULER[number - 1], p.e);
  ref_system s = make_system(&p);
  const benchmark b = {name,
                       file,
                       NULL,
                       0,
                       5,
                       3,
                       {"pendulum.x", "pendulum.y", "pendulum.z"},
                       4,
                       start,
                       ref_system_rate,
                       &s,
                       channels,
                       4};
  static bench_track y;
  double final[3];
  bench_make_reference(&b, y);
  bench_track_file(&b, y, final);
  static const char *const end[3] = {"x_end", "y_end", "z_end"};
  for (int k = 0; k < 3; k++)
    vf_check("iftomm", name, end[k], bench_measure(&b, end[k]), y[BENCH_POINTS][k], 1e-4,
             "own reference");

  static row adams[ROWS], ours[ROWS], exact[ROWS];
  read_data(number, adams);
  for (int i = 0; i < ROWS; i++) /* ADAMS lists the force on the ground */
    for (int k = 0; k < 3; k++) adams[i].f[k] = -adams[i].f[k], adams[i].m[k] = -adams[i].m[k];
  simulate(file, ours);
  reference(&p, 50, exact);
  worst us = compare(ours, exact), them = compare(adams, exact), both = compare(ours, adams);
  vf_bound("adams", name, "position, hooke [m]", us.x, 1e-4, "own reference");
  vf_note("adams", name, "position, ADAMS [m]", them.x, "own reference");
  vf_bound("adams", name, "velocity, hooke [m/s]", us.v, 3e-4, "own reference");
  vf_note("adams", name, "velocity, ADAMS [m/s]", them.v, "own reference");
  vf_bound("adams", name, "joint force, hooke [N]", us.f, 1e-3, "own reference");
  vf_note("adams", name, "joint force, ADAMS [N]", them.f, "own reference");
  vf_bound("adams", name, "position, hooke - ADAMS [m]", both.x, 1.1 * them.x + 1e-5, "ADAMS");
  vf_bound("adams", name, "velocity, hooke - ADAMS [m/s]", both.v, 1.1 * them.v + 1e-5, "ADAMS");
  vf_bound("adams", name, "joint force, hooke - ADAMS [N]", both.f, 1.1 * them.f + 1e-4, "ADAMS");
  vf_bound("adams", name, "joint moment, hooke - ADAMS [N m]", both.m, 2e-3, "ADAMS");
}

static void test_case_1(void **state) { one_case(1); }
static void test_case_2(void **state) { one_case(2); }
static void test_case_3(void **state) { one_case(3); }

/* With the two arms of the cross exchanged, the motion differs from that of ADAMS. */
static void test_arms(void **state) {
  pendulum right = {.exchanged = false}, wrong = {.exchanged = true};
  euler(EULER[2], right.e);
  euler(EULER[2], wrong.e);
  static row adams[ROWS], a[ROWS], b[ROWS];
  read_data(3, adams);
  reference(&right, 50, a);
  reference(&wrong, 50, b);
  vf_note("adams", "arms: ground x, pendulum y", "position, reference - ADAMS [m]",
          compare(a, adams).x, "ADAMS");
  vf_note("adams", "arms: ground y, pendulum x", "position, reference - ADAMS [m]",
          compare(b, adams).x, "ADAMS");
  assert_true(compare(b, adams).x > 20 * compare(a, adams).x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_case_1),
      cmocka_unit_test(test_case_2),
      cmocka_unit_test(test_case_3),
      cmocka_unit_test(test_arms),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
