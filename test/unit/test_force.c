/* Every registered force with random parameters and frames: tangents against finite differences, action =
 * reaction, and power on the bodies = supplied - lost - stored. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "unit/probe.h"
#include "registry/builtin.h"

/* Sets all parameters; if a type rejects two parameters with the same meaning, one of them is omitted. */
static void random_force(probe *pr, const hk_type *t, hk_force_binding *b) {
  const hk_force_ops *ops = t->ops;
  hk_error err;
  const hk_param *p;
  probe_init(pr, t);
  for (int i = 0; (p = hk_type_param(t, i)); i++) {
    fill(pr, p);
    pr->item.param_state[i] |= HK_PARAM_GIVEN;
  }
  if (t->sample) assert_int_equal(t->sample(&pr->item, &err), HK_OK);
  *b = (hk_force_binding){0};
  if (ops->bind(&pr->item, b, &err) == HK_OK) return;
  for (int i = 0; (p = hk_type_param(t, i)); i++) {
    char keep[64] = {0};
    size_t size = kind_size(p);
    if (size > sizeof keep || (p->flags & HK_REQUIRED)) continue;
    memcpy(keep, (char *)pr->data + p->offset, size);
    memcpy((char *)pr->data + p->offset, (const char *)t->defaults + p->offset, size);
    *b = (hk_force_binding){0};
    if (ops->bind(&pr->item, b, &err) == HK_OK) return;
    memcpy((char *)pr->data + p->offset, keep, size);
  }
  print_error("force '%s' cannot be bound: %s\n", t->name, err.text);
  fail();
}

typedef struct situation {
  const hk_type *type;
  const void *data;
  hk_frame A, B;
  hk_force_in in;
  bool frames, along; /* acts between frames; acts along a coordinate */
} situation;

static hk_frame random_frame(void) {
  return (hk_frame){.x = random_vector(2),
                    .R = hk_quat_matrix(hk_quat_exp(random_vector(3))),
                    .v = random_vector(2),
                    .w = random_vector(2)};
}

static situation random_situation(const probe *pr, const hk_force_binding *b) {
  situation s = {.type = pr->item.type, .data = pr->data};
  s.along = b->relation || b->coordinate;
  s.frames = !s.along && (b->a || b->b || b->joint);
  s.A = random_frame();
  s.B = random_frame();
  /* Relative rotations up to 2.7 rad, far and near. */
  hk_vec3 phi = hk_scale(uniform(0, 1) < 0.3 ? 1e-2 : 1, random_vector(1.55));
  hk_mat3 relative = hk_quat_matrix(hk_quat_exp(phi));
  s.B.R = hk_matmul(&s.A.R, &relative);
  s.in.t = uniform(0, 1);
  s.in.c = uniform(0.5, 3);
  s.in.rate = uniform(-2, 2);
  s.in.load = uniform(0.1, 3);
  for (int i = 0; i < b->n_expr; i++) s.in.e[i] = uniform(-2, 2);
  return s;
}

static void evaluate(const situation *s, bool tangent, hk_force_out *out) {
  hk_force_in in = s->in;
  memset(out, 0, sizeof *out);
  out->tangent = tangent;
  if (s->frames) in.A = &s->A, in.B = &s->B;
  ((const hk_force_ops *)s->type->ops)->eval(s->data, &in, out);
}

static hk_frame moved(hk_frame F, const double *d, double h) {
  hk_mat3 turn = hk_quat_matrix(hk_quat_exp(hk_v3(h * d[3], h * d[4], h * d[5])));
  F.x = hk_add(F.x, hk_v3(h * d[0], h * d[1], h * d[2]));
  F.R = hk_matmul(&turn, &F.R);
  return F;
}
static hk_frame faster(hk_frame F, const double *d, double h) {
  F.v = hk_add(F.v, hk_v3(h * d[0], h * d[1], h * d[2]));
  F.w = hk_add(F.w, hk_v3(h * d[3], h * d[4], h * d[5]));
  return F;
}

/* What a difference varies. */
typedef enum axis { POSITION, VELOCITY, COORDINATE, RATE, LOAD, EXPRESSION } axis;

static situation varied(const situation *s, axis a, int i, double h) {
  situation q = *s;
  double d[12] = {0};
  if (a == POSITION || a == VELOCITY) d[i] = 1;
  if (a == POSITION) q.A = moved(s->A, d, h), q.B = moved(s->B, d + 6, h);
  if (a == VELOCITY) q.A = faster(s->A, d, h), q.B = faster(s->B, d + 6, h);
  if (a == COORDINATE) q.in.c += h;
  if (a == RATE) q.in.rate += h;
  if (a == LOAD) q.in.load += h;
  if (a == EXPRESSION) q.in.e[i] += h;
  return q;
}

/* Fourth-order differences of w[0..11], F and the potential. */
static void slope(const situation *s, axis a, int i, double d[14]) {
  static const double at[4] = {-2, -1, 1, 2}, weight[4] = {1, -8, 8, -1};
  const double h = 1e-3;
  memset(d, 0, 14 * sizeof *d);
  for (int k = 0; k < 4; k++) {
    situation q = varied(s, a, i, at[k] * h);
    hk_force_out out;
    evaluate(&q, false, &out);
    for (int j = 0; j < 12; j++) d[j] += weight[k] * out.w[j] / (12 * h);
    d[12] += weight[k] * out.F / (12 * h);
    d[13] += weight[k] * out.potential / (12 * h);
  }
}

static void assert_near(const situation *s, const char *what, double got, double wanted) {
  if (fabs(got - wanted) <= 1e-7 * (1 + fabs(wanted))) return;
  print_error("%s of force '%s': %.12g, but differences give %.12g\n", what, s->type->name, got,
              wanted);
  fail();
}

static void check_tangents(const situation *s, int n_expr) {
  hk_force_out out, plain;
  double d[14];
  evaluate(s, true, &out);
  evaluate(s, false, &plain);
  assert_memory_equal(out.w, plain.w, sizeof out.w);
  assert_true(out.F == plain.F && out.potential == plain.potential);
  for (int j = 0; j < 12 && s->frames; j++) {
    slope(s, POSITION, j, d);
    for (int i = 0; i < 12; i++) assert_near(s, "K", out.has_K ? out.K[i][j] : 0, -d[i]);
    slope(s, VELOCITY, j, d);
    for (int i = 0; i < 12; i++) assert_near(s, "C", out.has_C ? out.C[i][j] : 0, -d[i]);
  }
  slope(s, COORDINATE, 0, d);
  assert_near(s, "F_c", out.F_c, d[12]);
  slope(s, RATE, 0, d);
  assert_near(s, "F_rate", out.F_rate, d[12]);
  slope(s, LOAD, 0, d);
  assert_near(s, "F_load", out.F_load, d[12]);
  for (int i = 0; i < 12; i++) assert_near(s, "w_load", out.w_load[i], d[i]);
  for (int e = 0; e < n_expr; e++) {
    slope(s, EXPRESSION, e, d);
    assert_near(s, "F_e", out.F_e[e], d[12]);
    for (int i = 0; i < 12; i++) assert_near(s, "w_e", out.w_e[e][i], d[i]);
  }
}

/* Power on the bodies = supplied - lost - stored. */
static void check_power(const situation *s) {
  hk_force_out out;
  double d[14], power, stored = 0;
  evaluate(s, false, &out);
  assert_true(out.dissipated >= 0);
  if (s->frames) {
    const double v[12] = {s->A.v.x, s->A.v.y, s->A.v.z, s->A.w.x, s->A.w.y, s->A.w.z,
                          s->B.v.x, s->B.v.y, s->B.v.z, s->B.w.x, s->B.w.y, s->B.w.z};
    power = 0;
    for (int i = 0; i < 12; i++) {
      slope(s, POSITION, i, d);
      stored += d[13] * v[i];
      power += out.w[i] * v[i];
    }
  } else {
    slope(s, COORDINATE, 0, d);
    stored = d[13] * s->in.rate;
    power = out.F * s->in.rate;
  }
  assert_near(s, "power", power, out.applied - out.dissipated - stored);
}

static void check_balance(const situation *s) {
  hk_force_out out;
  evaluate(s, false, &out);
  if (!s->frames) return;
  const double *w = out.w;
  hk_vec3 FA = hk_v3(w[0], w[1], w[2]), MA = hk_v3(w[3], w[4], w[5]);
  hk_vec3 FB = hk_v3(w[6], w[7], w[8]), MB = hk_v3(w[9], w[10], w[11]);
  hk_vec3 moment = hk_add(hk_add(MA, MB), hk_add(hk_cross(s->A.x, FA), hk_cross(s->B.x, FB)));
  assert_float_equal(hk_norm(hk_add(FA, FB)), 0, 1e-12);
  assert_float_equal(hk_norm(moment), 0, 1e-11);
}

static void check_field(const probe *pr) {
  const hk_force_ops *ops = pr->item.type->ops;
  hk_vec3 x = random_vector(2), step[3] = {{1e-3, 0, 0}, {0, 1e-3, 0}, {0, 0, 1e-3}};
  double p, up, down;
  hk_vec3 a = ops->field(pr->data, 0, x, &p);
  const double component[3] = {a.x, a.y, a.z};
  for (int i = 0; i < 3; i++) {
    ops->field(pr->data, 0, hk_add(x, step[i]), &up);
    ops->field(pr->data, 0, hk_sub(x, step[i]), &down);
    assert_float_equal(component[i], -(up - down) / 2e-3, 1e-9);
  }
}

static void check_force(const probe *pr, const hk_force_binding *b) {
  const hk_force_ops *ops = pr->item.type->ops;
  if (b->field) check_field(pr);
  /* Forces with internal variables need a model: test/conformance checks them. */
  if (b->field || ops->prepare || ops->accept) return;
  situation s = random_situation(pr, b);
  check_tangents(&s, b->n_expr);
  check_power(&s);
  check_balance(&s);
  for (int i = 0; i < b->n_expr; i++) assert_non_null(b->expr[i]);
}

static void every_force_obeys_its_physics(void **state) {
  (void)state;
  for (int i = 0; i < hk_registry_count(hk_registry_builtin(), HK_FORCE); i++) {
    if (hk_registry_at(hk_registry_builtin(), HK_FORCE, i)->in_programs_only) continue;
    for (int trial = 0; trial < 50; trial++) {
      probe pr;
      hk_force_binding b;
      random_force(&pr, hk_registry_at(hk_registry_builtin(), HK_FORCE, i), &b);
      check_force(&pr, &b);
      hk_arena_free(&pr.arena);
    }
  }
}

/* Friction of a spherical joint acts on the relative angular velocity, that of a plain bush (cylindrical) on
 * sliding and rotation together: this is known only from the spec. */
static void friction_in(const char *type, hk_status without_radius) {
  hk_error err;
  hk_spec *spec = hk_spec_create();
  assert_non_null(spec);
  hk_item *joint = hk_spec_add(spec, HK_JOINT, type, "hinge", &err);
  assert_non_null(joint);
  for (int trial = 0; trial < 50; trial++) {
    probe pr;
    hk_force_binding b = {0};
    random_force(&pr, hk_registry_find(hk_registry_builtin(), HK_FORCE, "joint_friction"), &b);
    int coordinate = hk_type_param_find(pr.item.type, "coordinate");
    *(const char **)((char *)pr.data + hk_type_param(pr.item.type, coordinate)->offset) = NULL;
    pr.item.spec = spec;
    b = (hk_force_binding){0};
    const hk_force_ops *ops = pr.item.type->ops;
    assert_int_equal(ops->bind(&pr.item, &b, &err), HK_OK);
    assert_null(b.coordinate);
    assert_string_equal(b.joint, "hinge");
    situation s = random_situation(&pr, &b);
    assert_true(s.frames);
    assert_int_equal(ops->prepare(&pr.item, &pr.arena, &s.in.constants, &err), HK_OK);
    if (trial % 2) { /* the series near rest */
      hk_vec3 arm = hk_sub(s.B.x, s.A.x);
      s.B.w = hk_add(s.A.w, random_vector(0.02));
      s.B.v = hk_add(hk_add(s.A.v, hk_cross(s.A.w, arm)), random_vector(1e-4));
    }
    check_tangents(&s, 0);
    check_power(&s);
    check_balance(&s);
    memset(pr.state, 0, sizeof pr.state);
    b = (hk_force_binding){0};
    assert_int_equal(ops->bind(&pr.item, &b, &err), without_radius);
    hk_arena_free(&pr.arena);
  }
  hk_spec_destroy(spec);
}

static void friction_in_a_spherical_joint(void **state) {
  (void)state;
  friction_in("spherical", HK_EINPUT);
}

static void friction_in_a_plain_bush(void **state) {
  (void)state;
  friction_in("cylindrical", HK_OK); /* then it needs a coordinate, which the core reports */
}

static hk_status bind_bushing(const char *param, int row, int column, double value, hk_error *err) {
  probe pr;
  hk_force_binding b = {0};
  const hk_type *t = hk_registry_find(hk_registry_builtin(), HK_FORCE, "bushing");
  probe_init(&pr, t);
  size_t offset = hk_type_param(t, hk_type_param_find(t, param))->offset;
  double *M = (double *)((char *)pr.data + offset);
  for (int i = 0; i < 6; i++) M[7 * i] = i < 3 ? 1e6 : 1;
  M[6 * row + column] = value;
  return ((const hk_force_ops *)t->ops)->bind(&pr.item, &b, err);
}

static void bushings_that_make_energy_are_refused(void **state) {
  (void)state;
  hk_error err;
  assert_int_equal(bind_bushing("stiffness_matrix", 0, 0, 2, &err), HK_OK);
  assert_int_equal(bind_bushing("stiffness_matrix", 0, 4, 2, &err), HK_EINPUT);
  assert_non_null(strstr(err.text, "symmetric"));
  assert_int_equal(bind_bushing("stiffness_matrix", 0, 0, NAN, &err), HK_EINPUT);
  assert_int_equal(bind_bushing("stiffness_matrix", 2, 2, -5, &err), HK_OK); /* may push away */
  assert_int_equal(bind_bushing("damping_matrix", 0, 0, 2, &err), HK_OK);
  assert_int_equal(bind_bushing("damping_matrix", 4, 4, -1e-3, &err), HK_EINPUT);
  assert_non_null(strstr(err.text, "energy"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_force_obeys_its_physics),
      cmocka_unit_test(friction_in_a_spherical_joint),
      cmocka_unit_test(friction_in_a_plain_bush),
      cmocka_unit_test(bushings_that_make_energy_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
