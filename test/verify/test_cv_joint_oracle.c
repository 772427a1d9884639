/* The ball joint against a second method: its contact forces at random states, and its motion by
 * SUNDIALS CVODE, both from equations independent of the library (cv_joint_reference.h). */
#include "model/model.h"
#include "verify/cv_joint_reference.h"
#include "verify/verify.h"
#ifdef HOOKE_CVODE
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#endif

static uint64_t seed = 1;
static double uniform(double a, double b) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return a + (b - a) * (double)(seed >> 11) / 9007199254740992.0;
}

static const hk_node *node_of(const hk_model *m, const char *name) {
  for (int i = 0; i < m->n_nodes; i++)
    if (strcmp(m->node[i].name, name) == 0) return &m->node[i];
  fail_msg("no body '%s'", name);
  return NULL;
}

/* A state near the start, in which all contacts penetrate and slide slightly. */
static void random_state(const cv_joint *j, double *y) {
  cv_start(j, y);
  y[0] += uniform(-1e-5, 1e-5), y[1] += uniform(-0.01, 0.01);
  for (int i = 0; i < 3; i++) {
    y[CV_INNER + i] += uniform(-1e-6, 1e-6), y[CV_INNER + 3 + i] += uniform(-1e-3, 1e-3);
    y[CV_CAGE + i] += uniform(-1e-6, 1e-6), y[CV_CAGE + 3 + i] += uniform(-1e-3, 1e-3);
    y[CV_CAGE + 7 + i] += uniform(-2e-5, 2e-5), y[CV_CAGE + 10 + i] += uniform(-0.1, 0.1);
  }
  for (int i = CV_BALL; i < CV_STATES; i++)
    y[i] += (i - CV_BALL) % CV_PER_BALL < 3   ? uniform(-2e-6, 2e-6)
            : (i - CV_BALL) % CV_PER_BALL < 6 ? uniform(-5e-3, 5e-3)
                                              : uniform(-5, 5);
  double n = 0;
  for (int i = 6; i < 10; i++) n += y[CV_CAGE + i] * y[CV_CAGE + i];
  for (int i = 6; i < 10; i++) y[CV_CAGE + i] /= sqrt(n);
}

/* The library stores angular velocities in body axes; the orientation of a ball is that of the
 * world. */
static void put_state(vf_case *c, double t, const double *y) {
  const hk_model *m = c->model;
  double *x = malloc(hk_sim_state_size(c->sim)), A[3][3];
  assert_non_null(x);
  hk_sim_state_get(c->sim, x);
  x[m->at.t] = t;
  const hk_node *outer = node_of(m, "outer"), *inner = node_of(m, "inner");
  const hk_node *cage = node_of(m, "cvj.cage");
  x[m->at.q + outer->q] = y[0], x[m->at.v + outer->v] = y[1];
  memcpy(x + m->at.q + inner->q, y + CV_INNER, 3 * sizeof *x);
  memcpy(x + m->at.v + inner->v, y + CV_INNER + 3, 3 * sizeof *x);
  memcpy(x + m->at.q + cage->q, y + CV_CAGE, 3 * sizeof *x);
  memcpy(x + m->at.v + cage->v, y + CV_CAGE + 3, 3 * sizeof *x);
  memcpy(x + m->at.q + cage->q + 3, y + CV_CAGE + 6, 4 * sizeof *x);
  cv_rotation(y + CV_CAGE + 6, A);
  for (int i = 0; i < 3; i++) {
    double w = 0;
    for (int l = 0; l < 3; l++) w += A[l][i] * y[CV_CAGE + 10 + l];
    x[m->at.v + cage->v + 3 + i] = w;
  }
  for (int k = 0; k < CV_BALLS; k++) {
    char name[40];
    snprintf(name, sizeof name, "cvj.ball[%d]", k);
    const hk_node *ball = node_of(m, name);
    const double *b = y + CV_BALL + CV_PER_BALL * k, unit[4] = {1, 0, 0, 0};
    memcpy(x + m->at.q + ball->q, b, 3 * sizeof *x);
    memcpy(x + m->at.q + ball->q + 3, unit, sizeof unit);
    memcpy(x + m->at.v + ball->v, b + 3, 6 * sizeof *x);
  }
  hk_sim_state_set(c->sim, x);
  free(x);
}

static double load_error(vf_case *c, const char *body, const double *load, int from) {
  static const char *const what[] = {"fx", "fy", "fz", "tx", "ty", "tz"};
  double worst = 0;
  for (int i = from; i < 6; i++) {
    char name[80];
    snprintf(name, sizeof name, "%s.load_%s", body, what[i]);
    worst = fmax(worst, fabs(vf_value(c, name) - load[i]));
  }
  return worst;
}

static void contact_forces_by_a_second_route(void **state) {
  (void)state;
  static const char *const point[] = {"inner[%d].loaded",  "inner[%d].counter", "outer[%d].loaded",
                                      "outer[%d].counter", "window[%d].front",  "window[%d].back"};
  vf_case c;
  vf_file(&c, "examples/cv_joint/plunging.yaml", NULL, 0);
  vf_start(&c, NULL);
  double normal = 0, load = 0, largest = 0;
  int touching = 0;
  for (int trial = 0; trial < 20; trial++) {
    double y[CV_STATES], t = 0.021 + 1e-5 * trial; /* hardly bent yet */
    cv_loads l;
    random_state(&CV_PAPER, y);
    y[0] = CV_PAPER.speed * t + uniform(-1e-5, 1e-5);
    double cs = cos(CV_PAPER.speed * t), sn = sin(CV_PAPER.speed * t);
    for (int i = CV_BALL; i < CV_STATES; i += 3) { /* balls turn along */
      double x0 = y[i], y0 = y[i + 1];
      y[i] = cs * x0 - sn * y0, y[i + 1] = sn * x0 + cs * y0;
    }
    cv_evaluate(&CV_PAPER, t, y, &l);
    put_state(&c, t, y);
    for (int k = 0; k < CV_BALLS; k++) {
      char name[80], body[40];
      for (int i = 0; i < 6; i++) {
        int n = snprintf(name, sizeof name, "cvj.");
        n += snprintf(name + n, sizeof name - (size_t)n, point[i], k);
        snprintf(name + n, sizeof name - (size_t)n, ".normal_force");
        normal = fmax(normal, fabs(vf_value(&c, name) - l.normal[k][i]));
        largest = fmax(largest, l.normal[k][i]);
        touching += l.normal[k][i] > 0;
      }
      snprintf(body, sizeof body, "cvj.ball[%d]", k);
      load = fmax(load, load_error(&c, body, l.ball[k], 0));
    }
    load = fmax(load, load_error(&c, "cvj.cage", l.cage, 0));
    load = fmax(load, load_error(&c, "inner", l.inner, 0));
    double brake = l.outer[5] - CV_PAPER.torque; /* the channel has the same value */
    load = fmax(load, fabs(vf_value(&c, "outer.load_tz") - brake));
  }
  assert_true(touching > 20 * CV_BALLS && largest > 1e3);
  vf_note("cv_joint", "random states", "largest normal force [N]", largest, "second route");
  vf_bound("cv_joint", "random states", "normal forces, largest difference [N]", normal, 1e-6,
           "second route");
  vf_bound("cv_joint", "random states", "forces and moments on bodies [N, N m]", load, 1e-6,
           "second route");
  vf_close(&c);
}

#ifdef HOOKE_CVODE
static int derivative(sunrealtype t, N_Vector y, N_Vector d, void *data) {
  cv_derivative(data, t, N_VGetArrayPointer(y), N_VGetArrayPointer(d));
  return 0;
}

typedef struct cvode_run {
  SUNContext context;
  N_Vector y, atol;
  SUNMatrix A;
  SUNLinearSolver solver;
  void *cvode;
} cvode_run;

static void cvode_open(cvode_run *r, cv_joint *j) {
  assert_int_equal(SUNContext_Create(NULL, &r->context), 0);
  r->y = N_VNew_Serial(CV_STATES, r->context);
  r->atol = N_VNew_Serial(CV_STATES, r->context);
  r->A = SUNDenseMatrix(CV_STATES, CV_STATES, r->context);
  r->solver = SUNLinSol_Dense(r->y, r->A, r->context);
  r->cvode = CVodeCreate(CV_BDF, r->context);
  cv_start(j, N_VGetArrayPointer(r->y));
  double *a = N_VGetArrayPointer(r->atol);
  for (int i = 0; i < CV_STATES; i++) a[i] = 1e-6; /* velocities */
  a[0] = 1e-10;
  for (int i = 0; i < 3; i++) {
    a[CV_INNER + i] = a[CV_CAGE + i] = 1e-11;
    for (int k = 0; k < CV_BALLS; k++) {
      a[CV_BALL + CV_PER_BALL * k + i] = 1e-11;
      a[CV_BALL + CV_PER_BALL * k + 6 + i] = 1e-4;
    }
  }
  for (int i = 6; i < 10; i++) a[CV_CAGE + i] = 1e-10;
  assert_int_equal(CVodeInit(r->cvode, derivative, 0, r->y), 0);
  CVodeSVtolerances(r->cvode, 1e-8, r->atol);
  CVodeSetUserData(r->cvode, j);
  CVodeSetLinearSolver(r->cvode, r->solver, r->A);
  CVodeSetMaxNumSteps(r->cvode, 5000000);
  CVodeSetMaxStep(r->cvode, 1e-4);
}

static void cvode_close(cvode_run *r) {
  CVodeFree(&r->cvode);
  SUNLinSolFree(r->solver);
  SUNMatDestroy(r->A);
  N_VDestroy(r->y);
  N_VDestroy(r->atol);
  SUNContext_Free(&r->context);
}

static void compare(vf_case *c, const double *y, double t) {
  char text[60], name[80];
  cv_loads l;
  cv_joint j = CV_PAPER;
  snprintf(text, sizeof text, "CVODE, %g ms", 1e3 * t);
  cv_evaluate(&j, t, y, &l);
  double F0 = 2 * j.torque / (CV_BALLS * j.pcd * sin(j.aca)), force = 0, place = 0;
  static const char axis[] = "xyz";
  for (int k = 0; k < CV_BALLS; k++) {
    snprintf(name, sizeof name, "cvj.inner[%d].loaded.normal_force", k);
    force = fmax(force, fabs(vf_value(c, name) - l.normal[k][0]) / F0);
    for (int i = 0; i < 3; i++) {
      snprintf(name, sizeof name, "cvj.ball[%d].%c", k, axis[i]);
      place = fmax(place, fabs(vf_value(c, name) - y[CV_BALL + CV_PER_BALL * k + i]));
    }
  }
  vf_bound("cv_joint", text, "track forces over F0", force, 1e-3, "SUNDIALS CVODE");
  vf_bound("cv_joint", text, "positions of the balls [m]", place, 3e-7, "SUNDIALS CVODE");
  vf_check("cv_joint", text, "angle of the outer race [rad]", vf_value(c, "outer.angle"), y[0],
           1e-7, "SUNDIALS CVODE");
  vf_check("cv_joint", text, "axial position of the inner race [m]", vf_value(c, "inner.z"),
           y[CV_INNER + 2], 3e-7, "SUNDIALS CVODE");
  double A[3][3];
  cv_rotation(y + CV_CAGE + 6, A);
  vf_check("cv_joint", text, "angle of the cage [rad]", vf_value(c, "cvj.cage_angle"),
           atan2(hypot(A[0][2], A[1][2]), A[2][2]), 1e-6, "SUNDIALS CVODE");
}

static void cvode_finds_the_same_motion(void **state) {
  (void)state;
  double t;
  const double at[] = {0.02, 0.045, 0.1, 0.27};
  cv_joint j = CV_PAPER;
  cvode_run r;
  vf_case c;
  cvode_open(&r, &j);
  vf_file(&c, "examples/cv_joint/plunging.yaml", NULL, 0);
  /* A finer tolerance than that of the example, whose error depends on the step at which contacts
   * close. */
  vf_start(&c, &(hk_sim_options){.rtol = 3e-10, .atol = 3e-10, .max_step = 2e-5});
  for (int i = 0; i < (vf_long() ? 4 : 3); i++) {
    assert_true(CVode(r.cvode, at[i], r.y, &t, CV_NORMAL) >= 0);
    vf_advance(&c, at[i]);
    compare(&c, N_VGetArrayPointer(r.y), at[i]);
  }
  long steps = 0;
  CVodeGetNumSteps(r.cvode, &steps);
  vf_note("cv_joint", "CVODE", "its steps", (double)steps, "SUNDIALS CVODE");
  vf_close(&c);
  cvode_close(&r);
}
#else
static void cvode_finds_the_same_motion(void **state) {
  (void)state;
  skip();
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contact_forces_by_a_second_route),
      cmocka_unit_test(cvode_finds_the_same_motion),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
