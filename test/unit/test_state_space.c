/* State space and matrix files, against closed forms. */
#include "linear_case.h"
#include "results/matrix_file.h"
#include <complex.h>

static void state_space(void **state) {
  solution s;
  hk_state_space p;
  at_rest(&s, OSCILLATOR);
  assert_int_equal(hk_linear_input_find(s.linear, "push.force.y"), 1);
  assert_int_equal(hk_linear_input_find(s.linear, "push.force.w"), -1);
  assert_int_equal(hk_linear_state_space(s.linear, NULL, 0, &p, &s.err), HK_OK);
  assert_int_equal(p.n, 2);
  assert_int_equal(p.inputs, 3);
  /* rail.displacement, way, speed in the order of channels */
  int way = -1, speed = -1;
  for (int i = 0; i < p.outputs; i++) {
    const char *name = hk_model_channel_name(s.model, p.output[i]);
    if (strcmp(name, "way") == 0) way = i;
    if (strcmp(name, "speed") == 0) speed = i;
  }
  assert_true(way >= 0 && speed >= 0);
  /* Trace and determinant of A, then C B = 1/m for the speed and the static gain 1/k. */
  assert_near(p.A[0] + p.A[3], -1.5, 1e-12, "trace");
  assert_near(p.A[0] * p.A[3] - p.A[1] * p.A[2], 100, 1e-12, "determinant");
  const double *C = p.C + 2 * speed;
  assert_near(C[0] * p.B[0] + C[1] * p.B[3], 0.5, 1e-12, "CB");
  double det = p.A[0] * p.A[3] - p.A[1] * p.A[2];
  double x0 = -(p.A[3] * p.B[0] - p.A[1] * p.B[3]) / det;
  double x1 = -(-p.A[2] * p.B[0] + p.A[0] * p.B[3]) / det;
  C = p.C + 2 * way;
  assert_near(C[0] * x0 + C[1] * x1 + p.D[3 * way], 1.0 / 200, 1e-14, "static gain");
  hk_state_space_free(&p);
  release(&s);
}

/* C (s - A)^-1 B + D for one input and output, by Gauss. */
static double complex transfer(const hk_state_space *p, int input, int output, double complex s) {
  int n = p->n;
  double complex A[20][21];
  assert_true(n <= 20);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) A[i][j] = (i == j ? s : 0) - p->A[i * n + j];
    A[i][n] = p->B[i * p->inputs + input];
  }
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k; i < n; i++)
      if (cabs(A[i][k]) > cabs(A[best][k])) best = i;
    for (int j = 0; j <= n; j++) {
      double complex t = A[k][j];
      A[k][j] = A[best][j];
      A[best][j] = t;
    }
    for (int i = 0; i < n; i++) {
      double complex f = i == k ? 0 : A[i][k] / A[k][k];
      for (int j = k; j <= n; j++) A[i][j] -= f * A[k][j];
    }
  }
  double complex y = p->D[output * p->inputs + input];
  for (int i = 0; i < n; i++) y += p->C[output * n + i] * A[i][n] / A[i][i];
  return y;
}

static int output_named(const solution *s, const hk_state_space *p, const char *name) {
  for (int i = 0; i < p->outputs; i++)
    if (strcmp(hk_model_channel_name(s->model, p->output[i]), name) == 0) return i;
  fail_msg("no output %s", name);
  return -1;
}

static void assert_close(double complex a, double complex b, const char *what) {
  if (!(cabs(a - b) <= 1e-9 * cabs(b)))
    fail_msg("%s: %.12g %+.12gi, expected %.12g %+.12gi", what, creal(a), cimag(a), creal(b),
             cimag(b));
}

/* A base with displacement u, a massless seat on a spring k0 above it, a mass connected to the seat
 * by k1, c1; a force f acts on the seat.  Damper between base and mass: c. */
static void motions_as_inputs(void **state) {
  static const char text[] =
      "format: 1\n"
      "bodies:\n"
      "  base: {mass: 3 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2]}\n"
      "  seat: {mass: 0 kg, position: [0, 0, 1 m]}\n"
      "  cart: {mass: 2 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2], position: [0, 0, 2 m]}\n"
      "joints:\n"
      "  a: {type: prismatic, b: base, axis: z}\n"
      "  b: {type: prismatic, b: seat, at: [0, 0, 1 m], axis: z}\n"
      "  c: {type: prismatic, b: cart, at: [0, 0, 2 m], axis: z}\n"
      "forces:\n"
      "  k0: {type: spring_damper, a: base, b: seat, stiffness: 300 N/m, length: 1 m}\n"
      "  k1: {type: spring_damper, a: seat, b: cart, stiffness: 100 N/m, length: 1 m}\n"
      "  c: {type: spring_damper, a: base, b: cart, stiffness: 0 N/m, damping: 4 N*s/m,\n"
      "      length: 2 m}\n"
      "  push: {type: load, b: seat, force: [0, 0, 0 N]}\n"
      "motions: {road: {coordinate: a.displacement, value: 0 m}}\n"
      "sensors:\n"
      "  seat_up: {value: seat.z}\n"
      "  cart_up: {value: cart.z}\n"
      "  speed: {value: cart.vz - base.vz}\n"
      "%s";
  solution s;
  hk_state_space p;
  char full[1500], name[80];
  snprintf(full, sizeof full, text, "");
  at_rest(&s, full);
  if (hk_linear_state_space(s.linear, NULL, 0, &p, &s.err)) fail_msg("%s", s.err.text);
  assert_int_equal(p.n, 4);
  assert_int_equal(p.motions, 1);
  assert_int_equal(p.inputs, 4);
  hk_state_space_input_name(s.linear, &p, 3, name, sizeof name);
  assert_string_equal(name, "road.acceleration");
  static const char *const states[] = {"z1", "z1.rate", "road", "road.rate"};
  for (int i = 0; i < 4; i++) {
    hk_state_space_state_name(s.linear, &p, i, name, sizeof name);
    assert_string_equal(name, states[i]);
  }
  for (int i = 0; i < 4; i++) {
    double complex w = I * (0.7 + 3 * i), c = 4 * w;
    /* seat: (300 + 100) x0 = 300 u + 100 x1 + f; cart: (2 w^2 + 100 + c) x1 = 100 x0 + c u */
    double complex x1u = (75 + c) / (2 * w * w + 75 + c), x0u = (300 + 100 * x1u) / 400;
    double complex x1f = 0.25 / (2 * w * w + 75 + c), x0f = (1 + 100 * x1f) / 400;
    int seat = output_named(&s, &p, "seat_up"), cart = output_named(&s, &p, "cart_up");
    int speed = output_named(&s, &p, "speed");
    assert_close(transfer(&p, 3, seat, w) * w * w, x0u, "seat by the road");
    assert_close(transfer(&p, 3, cart, w) * w * w, x1u, "cart by the road");
    assert_close(transfer(&p, 3, speed, w) * w * w, (x1u - 1) * w, "speed by the road");
    assert_close(transfer(&p, 2, seat, w), x0f, "seat by the force");
    assert_close(transfer(&p, 2, cart, w), x1f, "cart by the force");
  }
  hk_state_space_free(&p);
  release(&s);
  /* The speed of the massless seat jumps with the force. */
  snprintf(full, sizeof full, text, "  seat_speed: {value: seat.vz}\n");
  at_rest(&s, full);
  assert_int_equal(hk_linear_state_space(s.linear, NULL, 0, &p, &s.err), HK_EINPUT);
  if (!strstr(s.err.text, "'seat_speed'") || !strstr(s.err.text, "'push.force.z'"))
    fail_msg("%s", s.err.text);
  release(&s);
}

/* A massless bead on a spring and a damper, a mass connected to it by a spring, and the integrator
 * of a controller: first-order states.  Transfer functions derived by hand. */
static void states_of_first_order(void **state) {
  solution s;
  hk_state_space p;
  at_rest(&s,
          "format: 1\n"
          "inputs: {u: {unit: N}}\n"
          "states: {e: {unit: m*s, rate: 0.5 m - bead.x - 1 1/s * e}}\n"
          "bodies: {bead: {mass: 0 kg, position: [1 m, 0, 0]}}\n"
          "joints: {lock: {type: prismatic, b: bead, axis: x}}\n"
          "forces:\n"
          "  d: {type: spring_damper, b: bead, stiffness: 3 N/m, length: 1 m, damping: 2 N*s/m}\n"
          "  push: {type: actuator, coordinate: lock.displacement, force: u + 4 N/m/s * (e + 0.5 m*s)}\n"
          "sensors: {way: {value: bead.x}, speed: {value: bead.vx}, sum: {value: e}}\n");
  assert_int_equal(hk_linear_state_space(s.linear, NULL, 0, &p, &s.err), HK_OK);
  assert_int_equal(p.n, 2);
  assert_int_equal(p.first_order, 2);
  int way = output_named(&s, &p, "way"), speed = output_named(&s, &p, "speed"),
      sum = output_named(&s, &p, "sum"), u = hk_linear_input_find(s.linear, "u");
  assert_int_equal(u, 0);
  for (int k = 0; k < 3; k++) {
    /* (2 w + 3) x = u + 4 e, (w + 1) e = -x */
    double complex w = k == 0 ? 0.1 : k == 1 ? 2 * I : -0.3 + 5 * I;
    double complex x = 1 / (2 * w + 3 + 4 / (w + 1));
    assert_close(transfer(&p, u, way, w), x, "way");
    assert_close(transfer(&p, u, speed, w), w * x, "speed");
    assert_close(transfer(&p, u, sum, w), -x / (w + 1), "sum");
  }
  char name[100];
  hk_state_space_state_name(s.linear, &p, 1, name, sizeof name);
  assert_string_equal(name, "y2");
  hk_state_space_free(&p);
  release(&s);
}

static void assert_no_state_space(solution *s, const char *word) {
  hk_state_space p;
  assert_int_equal(hk_linear_state_space(s->linear, NULL, 0, &p, &s->err), HK_EINPUT);
  if (!strstr(s->err.text, word)) fail_msg("%s", s->err.text);
  release(s);
}

/* A rolling constraint, partial damping without mass, a motion that is prescribed twice, and a
 * model that is too large. */
static void no_state_space(void **state) {
  solution s;
  at_rest(&s,
          "format: 1\n"
          "bodies: {sledge: {mass: 1 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2]}}\n"
          "joints: {ice: {type: knife_edge, b: sledge, axis: x}}\n");
  assert_no_state_space(&s, "rolling model");
  at_rest(&s,
          "format: 1\n"
          "bodies:\n"
          "  bead: {mass: 0 kg, position: [1 m, 0, 0]}\n"
          "  other: {mass: 0 kg, position: [2 m, 0, 0]}\n"
          "joints:\n"
          "  lock: {type: prismatic, b: bead, axis: x}\n"
          "  lock2: {type: prismatic, b: other, at: [2 m, 0, 0], axis: x}\n"
          "forces:\n"
          "  d: {type: spring_damper, b: bead, stiffness: 1 N/m, length: 1 m, damping: 2 N*s/m}\n"
          "  k: {type: spring_damper, a: bead, b: other, stiffness: 1 N/m, length: 1 m}\n");
  assert_no_state_space(&s, "are damped and others are not");
  at_rest(&s,
          "format: 1\n"
          "bodies: {cart: {mass: 1 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2]}}\n"
          "joints: {lock: {type: prismatic, b: cart, axis: x}}\n"
          "motions: {one: {coordinate: lock.displacement, value: 0 m},\n"
          "          two: {coordinate: lock.displacement, value: 0 m}}\n");
  assert_no_state_space(&s, "motion 'one' cannot be varied");
  if (try_static(&s, OSCILLATOR, false)) fail_msg("%s", s.err.text);
  linearise(&s, 1, NULL);
  assert_no_state_space(&s, "too large");
}

static void matrix_files(void **state) {
  const double A[] = {1, 2, 3, 4, 5, 6};
  const char *const label[] = {"ab", "c"};
  const hk_named_matrix m[] = {{"A", 2, 3, A, NULL}, {"names", 2, 0, NULL, label}};
  char path[600];
  hk_error err = {0};
  snprintf(path, sizeof path, "%s/test_matrix.mat", HOOKE_BINARY_DIR);
  assert_int_equal(hk_matrix_file_write(path, m, 2, &err), HK_OK);
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  int32_t head[5];
  double value[6];
  char name[8];
  assert_int_equal(fread(head, 4, 5, f), 5);
  const int32_t wanted[] = {0, 2, 3, 0, 2};
  assert_memory_equal(head, wanted, sizeof wanted);
  assert_int_equal(fread(name, 1, 2, f), 2);
  assert_string_equal(name, "A");
  assert_int_equal(fread(value, 8, 6, f), 6);
  const double columns[] = {1, 4, 2, 5, 3, 6};
  assert_memory_equal(value, columns, sizeof columns);
  assert_int_equal(fread(head, 4, 5, f), 5);
  const int32_t text[] = {1, 2, 2, 0, 6};
  assert_memory_equal(head, text, sizeof text);
  fclose(f);
  remove(path);
  snprintf(path, sizeof path, "%s/test_matrix.csv", HOOKE_BINARY_DIR);
  assert_int_equal(hk_matrix_file_write(path, m, 2, &err), HK_OK);
  f = fopen(path, "r");
  assert_non_null(f);
  char line[100] = "";
  size_t n = fread(line, 1, 99, f);
  line[n] = '\0';
  assert_string_equal(line, "# A 2 3\n1,2,3\n4,5,6\n# names 2 1\nab\nc\n");
  fclose(f);
  remove(path);
  assert_int_equal(hk_matrix_file_write("x.txt", m, 2, &err), HK_EINPUT);
  assert_int_equal(hk_matrix_file_write("/nowhere/x.mat", m, 2, &err), HK_EIO);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(state_space),
      cmocka_unit_test(motions_as_inputs),
      cmocka_unit_test(states_of_first_order),
      cmocka_unit_test(no_state_space),
      cmocka_unit_test(matrix_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
