/* Every type in the registry, without being told which there are: its table, and for forces the
 * physics (tangents against differences, action = reaction, power balance).  Then the mass
 * properties of body shapes and the input that must be refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "analysis/measure.h"
#include "base/eigen_small.h"
#include "core/element.h"
#include <hooke/model.h>

/* ---- tables ---------------------------------------------------------------------------------- */

static size_t kind_size(const hk_param *p) {
  switch (p->kind) {
    case HK_PARAM_REAL:
      return sizeof(double);
    case HK_PARAM_INT:
    case HK_PARAM_ENUM:
      return sizeof(int);
    case HK_PARAM_BOOL:
      return sizeof(bool);
    case HK_PARAM_VEC3:
    case HK_PARAM_DIRECTION:
      return sizeof(hk_vec3);
    case HK_PARAM_ROTATION:
      return sizeof(hk_quat);
    case HK_PARAM_INERTIA:
      return 6 * sizeof(double);
    case HK_PARAM_REALS:
      return (size_t)p->count * sizeof(double);
    case HK_PARAM_EXPR3:
      return 3 * sizeof(hk_expr *);
    case HK_PARAM_TERMS:
      return sizeof(hk_terms);
    default:
      return sizeof(void *);
  }
}

static bool is_name(const char *s) {
  if (!s || !*s || !(*s >= 'a' && *s <= 'z')) return false;
  for (; *s; s++)
    if (!((*s >= 'a' && *s <= 'z') || (*s >= '0' && *s <= '9') || *s == '_')) return false;
  return true;
}

static void check_defaults(const hk_type *t, const hk_param *p) {
  const char *at = (const char *)t->defaults + p->offset;
  double value;
  if (p->kind == HK_PARAM_ENUM) {
    int n = 0;
    while (p->choices[n]) assert_true(is_name(p->choices[n++]));
    assert_true(n >= 2);
    assert_in_range(*(const int *)at, 0, n - 1);
  }
  if (p->kind == HK_PARAM_INT)
    assert_true(*(const int *)at >= p->min && *(const int *)at <= p->max);
  if (p->kind == HK_PARAM_REAL && !(p->flags & HK_REQUIRED)) {
    memcpy(&value, at, sizeof value);
    assert_true(isfinite(value));
    if ((p->min != 0 || p->max != 0) && !(p->flags & HK_POSITIVE))
      assert_true(value >= p->min && value <= p->max);
  }
  if (p->kind == HK_PARAM_ROTATION) {
    hk_quat q = *(const hk_quat *)at;
    assert_float_equal(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, 1e-15);
  }
}

static void check_param(const hk_type *t, int i) {
  const hk_param *p = hk_type_param(t, i);
  if (!is_name(p->name) || !p->doc || !*p->doc || p->offset + kind_size(p) > t->size) {
    print_error("parameter %d of %s '%s' has a bad name, doc or offset\n", i,
                hk_category_name(t->category), t->name);
    fail();
  }
  assert_int_equal(hk_type_param_index(t, p->name), i); /* also: no name twice */
  hk_unit unit;
  hk_error err;
  if (p->unit && hk_unit_parse(p->unit, strlen(p->unit), &unit, &err)) {
    print_error("unit of '%s' of '%s': %s\n", p->name, t->name, err.text);
    fail();
  }
  if (p->unit) assert_true(unit.factor == 1 && unit.offset == 0);
  assert_true(p->min <= p->max || p->max == 0);
  assert_true((p->kind == HK_PARAM_ENUM) == (p->choices != NULL));
  assert_true((p->kind == HK_PARAM_REALS) == (p->count > 0));
  check_defaults(t, p);
  /* No two parameters share memory. */
  for (int j = 0; j < i; j++) {
    const hk_param *q = hk_type_param(t, j);
    assert_true(q->offset + kind_size(q) <= p->offset || p->offset + kind_size(p) <= q->offset);
  }
}

static void every_type_has_a_sound_table(void **state) {
  (void)state;
  for (hk_category c = 0; c < HK_N_CATEGORIES; c++) {
    assert_true(hk_type_count(c) > 0);
    assert_null(hk_type_at(c, hk_type_count(c)));
    assert_null(hk_type_at(c, -1));
    assert_true(is_name(hk_category_name(c)) && is_name(hk_category_section(c)));
    const char *usual = hk_category_default_type(c);
    if (usual) assert_non_null(hk_type_find(c, usual));
    for (int i = 0; i < hk_type_count(c); i++) {
      const hk_type *t = hk_type_at(c, i);
      assert_true(is_name(t->name) && t->doc && *t->doc && t->source && *t->source);
      assert_true(t->category == c && t->defaults && t->size > 0);
      assert_ptr_equal(hk_type_find(c, t->name), t); /* also: no name twice */
      assert_true(t->ops || c == HK_MEASURE || c == HK_ANALYSIS);
      int n = 0;
      while (hk_type_param(t, n)) check_param(t, n++);
      assert_true(n > 0 && n <= HK_MAX_PARAMS);
      assert_int_equal(hk_type_param_index(t, "no_such_parameter"), -1);
      assert_null(hk_type_param(t, -1));
    }
  }
  assert_null(hk_type_find(HK_JOINT, "no_such_joint"));
  assert_null(hk_category_name(HK_N_CATEGORIES));
}

static void measures_take_what_the_measure_module_knows(void **state) {
  (void)state;
  const hk_type *t = hk_type_find(HK_MEASURE, "channel");
  const char *const *take = hk_type_param(t, hk_type_param_index(t, "take"))->choices;
  for (int k = 0; k < HK_MEASURE_N_KINDS; k++)
    assert_string_equal(take[k], hk_measure_kind_name((hk_measure_kind)k));
  assert_null(take[HK_MEASURE_N_KINDS]);
}

/* ---- random items ---------------------------------------------------------------------------- */

static uint64_t seed = 77;
static double uniform(double low, double high) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}
static hk_vec3 random_vector(double size) {
  return hk_v3(uniform(-size, size), uniform(-size, size), uniform(-size, size));
}

typedef struct probe {
  hk_item item;
  double data[512];
  hk_arena arena;
} probe;

static double random_real(const hk_param *p) {
  if (p->flags & HK_POSITIVE) return uniform(0.5, 2);
  if (p->min == 0 && p->max == 0) return uniform(-1, 1);
  return uniform(p->min, isfinite(p->max) ? p->max : p->min + 2);
}

/* A square matrix is made symmetric and positive definite, which suits every type so far. */
static void random_reals(double *x, int count) {
  int n = (int)lround(sqrt(count));
  double a[64];
  for (int i = 0; i < count && i < 64; i++) x[i] = a[i] = uniform(-1, 1);
  if (n * n != count || count > 64) return;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      x[i * n + j] = 0;
      for (int k = 0; k < n; k++) x[i * n + j] += a[i * n + k] * a[j * n + k];
    }
}

static void fill(probe *pr, const hk_param *p) {
  char *at = (char *)pr->data + p->offset;
  hk_dim none = {{0}};
  switch (p->kind) {
    case HK_PARAM_REAL:
      *(double *)at = random_real(p);
      break;
    case HK_PARAM_ENUM: {
      int n = 0;
      while (p->choices[n]) n++;
      *(int *)at = (int)uniform(0, n);
      break;
    }
    case HK_PARAM_VEC3:
      *(hk_vec3 *)at = hk_v3(random_real(p), random_real(p), random_real(p));
      break;
    case HK_PARAM_REALS:
      random_reals((double *)at, p->count);
      break;
    case HK_PARAM_FRAME:
      *(const char **)at = strcmp(p->name, "a") ? "second" : "first";
      break;
    case HK_PARAM_JOINT:
      *(const char **)at = "hinge";
      break;
    case HK_PARAM_COORDINATE:
      *(const char **)at = "hinge.angle";
      break;
    case HK_PARAM_EXPR:
      *(hk_expr **)at = hk_expr_constant(&pr->arena, 1, none);
      break;
    case HK_PARAM_EXPR3:
      for (int i = 0; i < 3; i++) ((hk_expr **)at)[i] = hk_expr_constant(&pr->arena, 1, none);
      break;
    default:
      break;
  }
}

static void probe_init(probe *pr, const hk_type *t) {
  memset(pr, 0, sizeof *pr);
  assert_true(t->size <= sizeof pr->data);
  memcpy(pr->data, t->defaults, t->size);
  pr->item = (hk_item){.type = t, .name = "probe", .data = pr->data};
  hk_arena_init(&pr->arena);
}

static void set_real(probe *pr, const char *name, double value) {
  int i = hk_type_param_index(pr->item.type, name);
  assert_true(i >= 0);
  *(double *)((char *)pr->data + hk_type_param(pr->item.type, i)->offset) = value;
  pr->item.given |= (uint64_t)1 << i;
}

/* Fill everything; where a type refuses two ways of saying the same, leave one out. */
static void random_force(probe *pr, const hk_type *t, hk_force_binding *b) {
  const hk_force_ops *ops = t->ops;
  hk_error err;
  const hk_param *p;
  probe_init(pr, t);
  for (int i = 0; (p = hk_type_param(t, i)); i++) {
    fill(pr, p);
    pr->item.given |= (uint64_t)1 << i;
  }
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

/* ---- forces ---------------------------------------------------------------------------------- */

typedef struct situation {
  const hk_type *type;
  const void *data;
  hk_frame A, B;
  hk_force_in in;
  bool frames, along; /* stands between frames; acts along a coordinate */
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

/* Power on the bodies = fed in - lost - stored. */
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
  if (b->field) {
    check_field(pr);
    return;
  }
  situation s = random_situation(pr, b);
  check_tangents(&s, b->n_expr);
  check_power(&s);
  check_balance(&s);
  for (int i = 0; i < b->n_expr; i++) assert_non_null(b->expr[i]);
}

static void every_force_obeys_its_physics(void **state) {
  (void)state;
  for (int i = 0; i < hk_type_count(HK_FORCE); i++)
    for (int trial = 0; trial < 50; trial++) {
      probe pr;
      hk_force_binding b;
      random_force(&pr, hk_type_at(HK_FORCE, i), &b);
      check_force(&pr, &b);
      hk_arena_free(&pr.arena);
    }
}

/* In a spherical joint friction acts on the relative angular velocity: known only with the spec. */
static void friction_in_a_spherical_joint(void **state) {
  (void)state;
  hk_error err;
  hk_spec *spec = hk_spec_create();
  assert_non_null(spec);
  hk_item *joint = hk_spec_add(spec, HK_JOINT, "spherical", "hinge", &err);
  assert_non_null(joint);
  for (int trial = 0; trial < 50; trial++) {
    probe pr;
    hk_force_binding b = {0};
    random_force(&pr, hk_type_find(HK_FORCE, "joint_friction"), &b);
    int coordinate = hk_type_param_index(pr.item.type, "coordinate");
    *(const char **)((char *)pr.data + hk_type_param(pr.item.type, coordinate)->offset) = NULL;
    pr.item.spec = spec;
    b = (hk_force_binding){0};
    const hk_force_ops *ops = pr.item.type->ops;
    assert_int_equal(ops->bind(&pr.item, &b, &err), HK_OK);
    assert_null(b.coordinate);
    assert_string_equal(b.joint, "hinge");
    situation s = random_situation(&pr, &b);
    assert_true(s.frames);
    if (trial % 2) s.B.w = hk_add(s.A.w, random_vector(0.02)); /* the series near rest */
    check_tangents(&s, 0);
    check_power(&s);
    check_balance(&s);
    pr.item.given = 0;
    assert_int_equal(ops->bind(&pr.item, &b, &err), HK_EINPUT); /* no radius */
    hk_arena_free(&pr.arena);
  }
  hk_spec_destroy(spec);
}

static hk_status bind_bushing(const char *param, int row, int column, double value, hk_error *err) {
  probe pr;
  hk_force_binding b = {0};
  const hk_type *t = hk_type_find(HK_FORCE, "bushing");
  probe_init(&pr, t);
  size_t offset = hk_type_param(t, hk_type_param_index(t, param))->offset;
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

/* ---- joints ---------------------------------------------------------------------------------- */

/* A model of one joint between two bodies, standing apart where the joint is a link. */
static hk_model *joint_alone(const char *type, hk_diag *diag) {
  hk_error err;
  hk_spec *spec = hk_spec_create();
  const double inertia[3] = {1, 1, 1};
  static const char *const name[2] = {"first", "second"};
  assert_non_null(spec);
  for (int i = 0; i < 2; i++) {
    hk_item *body = hk_spec_add(spec, HK_BODY, "rigid_body", name[i], &err);
    assert_non_null(body);
    assert_int_equal(hk_item_real(body, "mass", 1, &err), HK_OK);
    assert_int_equal(hk_item_reals(body, "inertia", inertia, 3, &err), HK_OK);
    assert_int_equal(hk_item_vec3(body, "position", hk_v3(i, 0, 0), &err), HK_OK);
  }
  hk_item *joint = hk_spec_add(spec, HK_JOINT, type, "joint", &err);
  assert_non_null(joint);
  assert_int_equal(hk_item_text(joint, "a", "first", &err), HK_OK);
  assert_int_equal(hk_item_text(joint, "b", "second", &err), HK_OK);
  if (strcmp(type, "distance"))
    assert_int_equal(hk_item_vec3(joint, "at", hk_v3(0.5, 0, 0), &err), HK_OK);
  const hk_param *p;
  for (int i = 0; (p = hk_type_param(joint->type, i)); i++)
    if (p->kind == HK_PARAM_REAL && (p->flags & HK_REQUIRED))
      assert_int_equal(hk_item_real(joint, p->name, 0.01, &err), HK_OK);
  return hk_model_compile(spec, diag);
}

static void joints_hold_as_many_rows_as_their_mechanics_says(void **state) {
  (void)state;
  static const struct {
    const char *type;
    int rows;
    const char *coordinate[4];
  } known[] = {
      {"fixed", 6, {NULL}},
      {"revolute", 5, {"angle"}},
      {"prismatic", 5, {"displacement"}},
      {"cylindrical", 4, {"displacement", "angle"}},
      {"planar", 3, {"x", "y", "angle"}},
      {"spherical", 3, {NULL}},
      {"universal", 4, {NULL}},
      {"constant_velocity", 4, {NULL}},
      {"distance", 1, {NULL}},
      {"point_on_line", 2, {"displacement"}},
      {"point_on_plane", 1, {"x", "y"}},
      {"screw", 5, {"angle", "displacement"}},
  };
  int n_known = sizeof known / sizeof *known, checked = 0;
  for (int i = 0; i < hk_type_count(HK_JOINT); i++) {
    const hk_type *t = hk_type_at(HK_JOINT, i);
    if (!((const hk_joint_ops *)t->ops)->frames) continue;
    hk_diag diag;
    hk_diag_init(&diag);
    hk_model *m = joint_alone(t->name, &diag);
    if (!m) print_error("joint '%s': %s\n", t->name, diag.n ? diag.message[0].text : "");
    assert_non_null(m);
    assert_in_range(hk_model_constraints(m), 1, 6);
    for (int k = 0; k < n_known; k++) {
      if (strcmp(known[k].type, t->name)) continue;
      checked++;
      assert_int_equal(hk_model_constraints(m), known[k].rows);
      for (int c = 0; known[k].coordinate[c]; c++) {
        char channel[64] = "joint.";
        strcat(channel, known[k].coordinate[c]);
        assert_true(hk_model_channel_find(m, channel) > 0);
      }
    }
    hk_model_destroy(m);
    hk_diag_free(&diag);
  }
  assert_int_equal(checked, n_known);
}

/* ---- bodies ---------------------------------------------------------------------------------- */

static hk_status mass_of(probe *pr, hk_mass_properties *m, hk_error *err) {
  *m = (hk_mass_properties){0};
  return ((const hk_body_ops *)pr->item.type->ops)->mass(&pr->item, m, err);
}

static void assert_inertia(const hk_mass_properties *m, double mass, double xx, double yy,
                           double zz) {
  const double wanted[6] = {xx, yy, zz, 0, 0, 0};
  assert_float_equal(m->mass, mass, 1e-13 * mass);
  for (int i = 0; i < 6; i++) assert_float_equal(m->inertia[i], wanted[i], 1e-13 * (1 + xx));
}

static void shapes_have_their_mass_and_inertia(void **state) {
  (void)state;
  hk_mass_properties m, outer, inner;
  hk_error err;
  hk_builtin_marker marker[6];
  probe p;
  probe_init(&p, hk_type_find(HK_BODY, "rod"));
  set_real(&p, "length", 3);
  set_real(&p, "mass", 2);
  assert_int_equal(mass_of(&p, &m, &err), HK_OK);
  assert_inertia(&m, 2, 0.5 * 2 * 0.03 * 0.03, 1.5, 1.5);
  assert_int_equal(((const hk_body_ops *)p.item.type->ops)->markers(&p.item, marker), 2);
  assert_string_equal(marker[1].name, "end");
  assert_float_equal(marker[1].at.x, 1.5, 0);

  probe_init(&p, hk_type_find(HK_BODY, "box"));
  *(hk_vec3 *)((char *)p.data + sizeof(hk_body_common)) = hk_v3(1, 2, 3);
  set_real(&p, "density", 2);
  assert_int_equal(mass_of(&p, &m, &err), HK_OK);
  assert_inertia(&m, 12, 13, 10, 5);

  /* A hollow shape is the outer solid without the inner one. */
  static const char *const hollow[] = {"cylinder", "sphere"};
  for (int i = 0; i < 2; i++) {
    probe_init(&p, hk_type_find(HK_BODY, hollow[i]));
    if (i == 0) set_real(&p, "length", 0.7);
    set_real(&p, "density", 1000);
    set_real(&p, "radius", 0.2);
    assert_int_equal(mass_of(&p, &inner, &err), HK_OK);
    set_real(&p, "radius", 0.3);
    assert_int_equal(mass_of(&p, &outer, &err), HK_OK);
    set_real(&p, "inner_radius", 0.2);
    assert_int_equal(mass_of(&p, &m, &err), HK_OK);
    assert_inertia(&m, outer.mass - inner.mass, outer.inertia[0] - inner.inertia[0],
                   outer.inertia[1] - inner.inertia[1], outer.inertia[2] - inner.inertia[2]);
    set_real(&p, "inner_radius", 0.3);
    assert_int_equal(mass_of(&p, &m, &err), HK_EINPUT);
  }
  assert_inertia(&outer, 36 * M_PI, 0.4 * 36 * M_PI * 0.09, 0.4 * 36 * M_PI * 0.09,
                 0.4 * 36 * M_PI * 0.09); /* solid sphere: 4/3 pi r^3 rho, 2/5 m r^2 */
}

/* Every shape with both mass and density insists on exactly one of them. */
static void shapes_take_mass_or_density(void **state) {
  (void)state;
  int shapes = 0;
  for (int i = 0; i < hk_type_count(HK_BODY); i++) {
    const hk_type *t = hk_type_at(HK_BODY, i);
    if (hk_type_param_index(t, "density") < 0) continue;
    for (int c = 0; c < 6; c++) {
      static const double mass[] = {1, 0, 1, -1, NAN, 1e308}, density[] = {0, 2, 2, 0, 0, 0};
      static const bool has_mass[] = {1, 0, 1, 1, 1, 1}, has_density[] = {0, 1, 1, 0, 0, 0};
      probe p;
      hk_mass_properties m;
      hk_error err;
      probe_init(&p, t);
      const hk_param *q;
      for (int k = 0; (q = hk_type_param(t, k)); k++)
        if (strcmp(q->name, "inner_radius") &&
            (q->kind == HK_PARAM_REAL || q->kind == HK_PARAM_VEC3)) {
          fill(&p, q);
          p.item.given |= (uint64_t)1 << k;
        }
      if (hk_type_param_index(t, "length") >= 0) set_real(&p, "length", 5);
      p.item.given &= ~((uint64_t)1 << hk_type_param_index(t, "mass"));
      p.item.given &= ~((uint64_t)1 << hk_type_param_index(t, "density"));
      assert_int_equal(mass_of(&p, &m, &err), HK_EINPUT);
      if (has_mass[c]) set_real(&p, "mass", mass[c]);
      if (has_density[c]) set_real(&p, "density", density[c]);
      hk_status wanted = c < 2 ? HK_OK : HK_EINPUT, got = mass_of(&p, &m, &err);
      if (c == 5)
        assert_true(got == HK_EINPUT || isfinite(m.inertia[0] + m.inertia[2]));
      else
        assert_int_equal(got, wanted);
    }
    shapes++;
  }
  assert_true(shapes >= 4);
}

static hk_status rigid_body(double mass, const double *inertia, hk_error *err) {
  probe p;
  hk_mass_properties m;
  probe_init(&p, hk_type_find(HK_BODY, "rigid_body"));
  set_real(&p, "mass", mass);
  int i = hk_type_param_index(p.item.type, "inertia");
  if (inertia) {
    memcpy((char *)p.data + hk_type_param(p.item.type, i)->offset, inertia, 6 * sizeof *inertia);
    p.item.given |= (uint64_t)1 << i;
  }
  return mass_of(&p, &m, err);
}

static void impossible_bodies_are_refused(void **state) {
  (void)state;
  hk_error err;
  const double good[6] = {1, 2, 2.9, 0.1, 0, 0}, flat[6] = {1, 2, 3}, zero[6] = {0};
  const double barely[6] = {1, 2, 3 + 1e-10}, over[6] = {1, 2, 3 + 1e-8};
  const double negative[6] = {1, -1, 1}, twisted[6] = {1, 1, 1, 2, 0, 0}, bad[6] = {1, NAN, 1};
  assert_int_equal(rigid_body(1, good, &err), HK_OK);
  assert_int_equal(rigid_body(1, flat, &err), HK_OK);
  assert_int_equal(rigid_body(1, barely, &err), HK_OK);
  assert_int_equal(rigid_body(1, over, &err), HK_EINPUT);
  assert_non_null(strstr(err.text, "no rigid body has this inertia"));
  assert_int_equal(rigid_body(1, negative, &err), HK_EINPUT);
  assert_non_null(strstr(err.text, "negative"));
  assert_int_equal(rigid_body(1, twisted, &err), HK_EINPUT);
  assert_int_equal(rigid_body(1, bad, &err), HK_EINPUT);
  assert_int_equal(rigid_body(1, NULL, &err), HK_EINPUT);
  assert_int_equal(rigid_body(-1, good, &err), HK_EINPUT);
  assert_int_equal(rigid_body(NAN, good, &err), HK_EINPUT);
  assert_int_equal(rigid_body(0, good, &err), HK_EINPUT);
  assert_int_equal(rigid_body(0, zero, &err), HK_OK);
  assert_int_equal(rigid_body(0, NULL, &err), HK_OK);
}

static void eigenvalues_of_small_matrices(void **state) {
  (void)state;
  /* Second differences: 2 - 2 cos(k pi/7). */
  double A[36] = {0}, lambda[6];
  for (int i = 0; i < 6; i++) {
    A[7 * i] = 2;
    if (i) A[7 * i - 1] = A[7 * i - 6] = -1;
  }
  hk_symmetric_eigenvalues(A, 6, lambda);
  for (int k = 0; k < 6; k++) assert_float_equal(lambda[k], 2 - 2 * cos((k + 1) * M_PI / 7), 1e-14);
  double zero[9] = {0};
  hk_symmetric_eigenvalues(zero, 3, lambda);
  assert_true(lambda[0] == 0 && lambda[2] == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_type_has_a_sound_table),
      cmocka_unit_test(measures_take_what_the_measure_module_knows),
      cmocka_unit_test(every_force_obeys_its_physics),
      cmocka_unit_test(friction_in_a_spherical_joint),
      cmocka_unit_test(bushings_that_make_energy_are_refused),
      cmocka_unit_test(joints_hold_as_many_rows_as_their_mechanics_says),
      cmocka_unit_test(shapes_have_their_mass_and_inertia),
      cmocka_unit_test(shapes_take_mass_or_density),
      cmocka_unit_test(impossible_bodies_are_refused),
      cmocka_unit_test(eigenvalues_of_small_matrices),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
