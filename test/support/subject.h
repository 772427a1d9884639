/* A model around one item of any registered type, with parameters drawn at random.
 *
 * Nothing here knows a type by name: values come from its parameter table, frames and coordinates
 * from a small world of bodies and joints, and what compilation refuses is drawn again.  A new type
 * is therefore tested as soon as it is in the registry; one that no draw satisfies fails the tests
 * with the last refusal. */
#ifndef HK_TEST_SUBJECT_H
#define HK_TEST_SUBJECT_H
#include "support/check.h"
#include "core/work.h"
#include "registry/builtin.h"
#include "toy/toys.h"

/* What a frame stands on. */
typedef enum side { ON_BODY, ON_GROUND, ON_POINT, ON_ROTOR, N_SIDES } side;
static const char *const SIDE_A[] = {"first.m", "ground.m", "spot", "wheel.m"};
static const char *const SIDE_B[] = {"second.m", "ground.n", "speck", "disc.m"};

typedef struct setting {
  side a, b;
  bool rotors;   /* coordinates may be those of rotors */
  bool feedback; /* expressions read channels, else the time only */
} setting;

static inline void set_inertia(hk_item *body, double size) {
  /* I = tr(S) - S with S positive definite: always that of a body. */
  hk_mat3 A, S;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) A.m[i][j] = uniform(-1, 1) + (i == j);
  S = hk_mat3_scale(size, hk_matmult(&A, &A));
  double trace = S.m[0][0] + S.m[1][1] + S.m[2][2];
  const double I[6] = {trace - S.m[0][0], trace - S.m[1][1], trace - S.m[2][2],
                       -S.m[0][1],        -S.m[0][2],        -S.m[1][2]};
  MUST(hk_item_reals(body, "inertia", I, 6, err));
}

static inline void place_body(hk_item *body) {
  set_vec3(body, "position", random_vector(1));
  MUST(hk_item_rotation(body, "orientation", random_rotation(), err));
  set_vec3(body, "velocity", random_vector(1));
  set_vec3(body, "angular_velocity", random_vector(1));
}

static inline void add_world_body(hk_spec *spec, const char *type, const char *name) {
  hk_item *body = add_item(spec, HK_BODY, type, name);
  place_body(body);
  if (strcmp(type, "rotor") == 0) {
    set_real(body, "inertia", uniform(0.5, 2));
    set_vec3(body, "axis", random_vector(1));
    set_real(body, "angle", uniform(-1, 1));
    set_real(body, "rate", uniform(-1, 1));
  } else {
    set_real(body, "mass", uniform(0.5, 2));
  }
  if (strcmp(type, "rigid_body") == 0) {
    set_inertia(body, 0.3);
    set_vec3(body, "center_of_mass", random_vector(0.3));
  }
  if (strcmp(type, "point_mass"))
    MUST(hk_spec_marker(spec, body, "m", random_vector(0.5), random_rotation(), err));
}

/* Four bodies, two points, two rotors, three joints and some sensors. */
static inline void build_world(hk_spec *spec) {
  static const char *const rigid[] = {"first", "second", "third", "fourth"};
  for (int i = 0; i < 4; i++) add_world_body(spec, "rigid_body", rigid[i]);
  add_world_body(spec, "point_mass", "spot");
  add_world_body(spec, "point_mass", "speck");
  add_world_body(spec, "rotor", "wheel");
  add_world_body(spec, "rotor", "disc");
  MUST(hk_spec_marker(spec, NULL, "m", random_vector(1), random_rotation(), err));
  MUST(hk_spec_marker(spec, NULL, "n", random_vector(1), random_rotation(), err));
  static const char *const joint[][4] = {{"revolute", "hinge", "third.m", "fourth.m"},
                                         {"cylindrical", "arm", "first.m", "third"},
                                         {"spherical", "ball", "fourth", "second.m"}};
  for (int i = 0; i < 3; i++) { /* closed as the bodies stand */
    hk_item *j = add_item(spec, HK_JOINT, joint[i][0], joint[i][1]);
    set_text(j, "a", joint[i][2]);
    set_text(j, "b", joint[i][3]);
    set_vec3(j, "at", random_vector(1));
    set_vec3(j, "axis", random_vector(1));
  }
  hk_item *gap = add_item(spec, HK_SENSOR, "distance", "gap");
  set_text(gap, "a", "wheel.m");
  set_text(gap, "b", "fourth.m");
  hk_item *bend = add_item(spec, HK_SENSOR, "angle", "bend");
  set_text(bend, "a", "second");
  set_text(bend, "b", "first.m");
  hk_item *inner = add_item(spec, HK_SENSOR, "expression", "inner");
  set_expr(inner, "value", 0, "first.m.vx * gap / (1 m/s)");
  hk_item *outer = add_item(spec, HK_SENSOR, "expression", "outer");
  set_expr(outer, "value", 0, "inner / (1 m) + 0.3 * sin(bend) * t / (1 s)");
}

/* ---- parameters ---- */

static inline double random_real(const hk_param *p) {
  if (p->flags & HK_POSITIVE) return uniform(0.5, p->max > 0.5 && p->max < 2 ? p->max : 2);
  if (p->min == 0 && p->max == 0) return uniform(-1, 1);
  double low = isfinite(p->min) ? p->min : (isfinite(p->max) ? p->max : 0) - 2;
  return uniform(low, isfinite(p->max) ? p->max : low + 2);
}

/* A square matrix is drawn symmetric and positive definite. */
static inline void random_reals(double *x, int count) {
  int n = (int)lround(sqrt(count));
  double a[64];
  for (int i = 0; i < count; i++) x[i] = uniform(-1, 1);
  if (n * n != count || count > 64) return;
  memcpy(a, x, (size_t)count * sizeof *a);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      x[i * n + j] = 0;
      for (int k = 0; k < n; k++) x[i * n + j] += a[i * n + k] * a[j * n + k];
    }
}

/* A factor without a unit that depends on the time or on two channels. */
static inline void random_factor(bool feedback, char *text, size_t size) {
  static const char *const CHANNEL[] = {"first.m.x/(1 m)",
                                        "second.vz/(1 m/s)",
                                        "third.wx/(1 rad/s)",
                                        "hinge.angle/(1 rad)",
                                        "arm.angle_rate/(1 rad/s)",
                                        "arm.displacement/(1 m)",
                                        "gap/(1 m)",
                                        "arm.displacement_rate/(1 m/s)",
                                        "wheel.angle/(1 rad)",
                                        "spot.y/(1 m)",
                                        "disc.angle_rate/(1 rad/s)",
                                        "speck.vx/(1 m/s)",
                                        "fourth.m.vy/(1 m/s)",
                                        "wheel.m.vx/(1 m/s)",
                                        "disc.m.y/(1 m)",
                                        "bend/(1 rad)",
                                        "first.wz/(1 rad/s)",
                                        "hinge.angle_rate/(1 rad/s)"};
  enum { N = sizeof CHANNEL / sizeof *CHANNEL };
  if (!feedback)
    snprintf(text, size, "(0.3 + sin(2.3 rad/s * t + %.3f rad))", uniform(0, 3));
  else if (pick(4) == 0)
    snprintf(text, size, "(0.4 + %.3f * outer)", uniform(0.2, 1));
  else
    snprintf(text, size, "(cos(t * 2 rad/s) + %.3f * %s * sin(1 rad * %s))", uniform(0.2, 1),
             CHANNEL[pick(N)], CHANNEL[pick(N)]);
}

static inline void random_expression(const hk_param *p, bool feedback, char *text, size_t size) {
  static const char *const ANY[] = {"N", "N*m", "m", "rad", "1"};
  char factor[256], unit[64];
  random_factor(feedback, factor, sizeof factor);
  snprintf(unit, sizeof unit, "%s",
           p->flags & HK_ANY_UNIT ? ANY[pick(5)]
           : p->unit              ? p->unit
                                  : "1");
  for (char *c = unit; *c; c++)
    if (*c == ' ') *c = '*';
  snprintf(text, size, "%s * (1 %s)", factor, strcmp(unit, "1") ? unit : "");
}

static inline const char *random_coordinate(bool rotors) {
  static const char *const C[] = {"hinge.angle", "arm.angle", "arm.displacement", "wheel.angle",
                                  "disc.angle"};
  return C[pick(rotors ? 5 : 3)];
}

/* Set one parameter to a random value; the status is that of the setter. */
static inline hk_status random_param(hk_item *item, const hk_param *p, const setting *s,
                                     hk_error *err) {
  static const char *const JOINT[] = {"hinge", "arm", "ball"};
  double x[64];
  char text[512];
  bool feedback = s->feedback && item->type->category != HK_MOTION &&
                  item->type->category != HK_BODY; /* they know the time only */
  switch (p->kind) {
    case HK_PARAM_REAL:
      return hk_item_real(item, p->name, random_real(p), err);
    case HK_PARAM_INT:
      return hk_item_int(item, p->name, (long)random_real(p), err);
    case HK_PARAM_BOOL:
      return hk_item_bool(item, p->name, pick(2), err);
    case HK_PARAM_ENUM: {
      int n = 0;
      while (p->choices[n]) n++;
      return hk_item_text(item, p->name, p->choices[pick(n)], err);
    }
    case HK_PARAM_VEC3:
      for (int i = 0; i < 3; i++) x[i] = random_real(p);
      return hk_item_reals(item, p->name, x, 3, err);
    case HK_PARAM_DIRECTION:
      return hk_item_vec3(item, p->name, random_vector(1), err);
    case HK_PARAM_ROTATION:
      return hk_item_rotation(item, p->name, random_rotation(), err);
    case HK_PARAM_INERTIA:
      set_inertia(item, 0.3);
      return HK_OK;
    case HK_PARAM_REALS:
      assert_true(p->count <= 64);
      random_reals(x, p->count);
      return hk_item_reals(item, p->name, x, p->count, err);
    case HK_PARAM_STRING:
      return hk_item_text(item, p->name, "text", err);
    case HK_PARAM_FRAME:
      return hk_item_text(item, p->name, strcmp(p->name, "a") ? SIDE_B[s->b] : SIDE_A[s->a], err);
    case HK_PARAM_JOINT:
      return hk_item_text(item, p->name, JOINT[pick(3)], err);
    case HK_PARAM_LAW:
      return hk_item_text(item, p->name, "law", err);
    case HK_PARAM_STEPPER:
      return hk_item_text(item, p->name, "auto", err);
    case HK_PARAM_COORDINATE:
      return hk_item_text(item, p->name, random_coordinate(s->rotors), err);
    case HK_PARAM_CHANNEL:
      return hk_item_text(item, p->name, "first.m.x", err);
    case HK_PARAM_EXPR:
    case HK_PARAM_EXPR3:
      for (int i = 0; i < (p->kind == HK_PARAM_EXPR3 ? 3 : 1); i++) {
        random_expression(p, feedback, text, sizeof text);
        hk_status status = hk_item_expression(item, p->name, i, text, err);
        if (status) return status;
      }
      return HK_OK;
    case HK_PARAM_POINTS: {
      const double at[3] = {0, 0.5, 1}, y[3] = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
      return hk_item_points(item, p->name, at, y, 3, "s", NULL, err);
    }
    case HK_PARAM_TERMS: {
      hk_status status =
          hk_item_term(item, p->name, random_coordinate(s->rotors), uniform(0.5, 2), err);
      for (int i = pick(3); i > 0 && !status; i--)
        hk_item_term(item, p->name, random_coordinate(s->rotors), uniform(-2, -0.5), NULL);
      return status;
    }
  }
  return hk_fail(err, HK_EINPUT, "no values can be drawn for parameter kind %d", (int)p->kind);
}

/* All frames or none, every required parameter and some of the others. */
static inline hk_status random_item(hk_item *item, const setting *s, hk_error *err) {
  const hk_param *p;
  bool frames = pick(10) < 7;
  double share = uniform(0, 1);
  for (int i = 0; (p = hk_type_param(item->type, i)); i++) {
    bool set = p->flags & HK_REQUIRED || uniform(0, 1) < share;
    if (p->kind == HK_PARAM_FRAME) set = frames;
    if (!set) continue;
    hk_status status = random_param(item, p, s, err);
    if (status) return status;
  }
  return HK_OK;
}

/* ---- models ---- */

/* The world with one item called "subject"; NULL if this draw was refused, with the reason. */
static inline hk_model *draw_subject(const hk_type *type, const setting *s, char why[1024]) {
  hk_spec *spec = hk_spec_create_with(subjects());
  hk_error err = {0};
  hk_diag diag;
  assert_non_null(spec);
  build_world(spec);
  hk_item *item = add_item(spec, type->category, type->name, "subject");
  if (random_item(item, s, &err)) {
    snprintf(why, 1024, "%s", err.text);
    hk_spec_destroy(spec);
    return NULL;
  }
  hk_diag_init(&diag);
  hk_model *model = hk_model_compile(spec, &diag);
  if (!model) snprintf(why, 1024, "%s", diag.n ? diag.message[0].text : "no message");
  hk_diag_free(&diag);
  return model;
}

/* Index of the subject's force, or -1. */
static inline int subject_force(const hk_model *m) {
  for (int i = 0; i < m->n_forces; i++)
    if (strcmp(m->force[i].name, "subject") == 0) return i;
  return -1;
}

/* ---- states ---- */

/* A random state: positions that satisfy no joint, so that nothing is hidden by zeros. */
typedef struct moment {
  const hk_model *model;
  hk_work *work;
  double t, h, *q, *v, *lambda, *turn, *memory, *block;
} moment;

/* Is the state far from where some angle or distance is not defined?  There slopes are steep and
 * differences tell nothing. */
static inline bool is_mild(const hk_work *w, const hk_relation_type *type, const double *k, int a,
                           int b) {
  double K[12][12] = {{0}}, one[HK_RELATION_MAX_ROWS] = {1, 1, 1};
  if (type->curvature) type->curvature(k, &w->frame[a], &w->frame[b], one, K);
  for (int i = 0; i < 144; i++)
    if (!(fabs(K[i / 12][i % 12]) < 8)) return false;
  return true;
}
static inline bool moment_is_mild(const moment *s) {
  const hk_model *m = s->model;
  for (int i = 0; i < m->n_coordinates; i++) {
    const hk_coordinate *c = &m->coordinate[i];
    if (!is_mild(s->work, c->type, c->k, c->a, c->b)) return false;
  }
  for (int i = 0; i < m->n_constraints; i++) {
    const hk_constraint *c = &m->constraint[i];
    for (int k = 0; k < c->n_held; k++)
      if (!is_mild(s->work, m->held[c->held + k].type, m->held[c->held + k].k, m->port[c->port],
                   m->port[c->port + 1]))
        return false;
  }
  return true;
}

/* False: no draw is far enough from such a position. */
/* The moment as one instant. */
static inline hk_instant moment_instant(const moment *s) {
  return (hk_instant){.t = s->t,
                      .h = s->h,
                      .q = s->q,
                      .v = s->v,
                      .lambda = s->lambda,
                      .turn = s->turn,
                      .memory = s->memory};
}

static inline bool moment_try(const hk_model *m, moment *out) {
  moment s = {.model = m, .work = hk_work_create(m)};
  size_t n = (size_t)(m->nq + 2 * m->nv + m->nc + m->n_turns + m->n_memory + 1);
  s.block = calloc(n, sizeof *s.block);
  assert_true(s.work && s.block);
  s.q = s.block;
  s.v = s.q + m->nq;
  s.lambda = s.v + m->nv;
  s.turn = s.lambda + m->nc;
  s.memory = s.turn + m->n_turns;
  double *d = s.memory + m->n_memory;
  const double steps[] = {0, uniform(0.05, 1), INFINITY};
  s.t = uniform(0, 2);
  s.h = INFINITY;
  bool mild = false;
  for (int draw = 0; draw < 300 && !mild; draw++) {
    for (int i = 0; i < m->nv; i++) d[i] = uniform(-0.8, 0.8), s.v[i] = uniform(-1.5, 1.5);
    hk_configuration_add(m, m->q0, d, s.q);
    const hk_instant in = moment_instant(&s);
    if (draw == 1) hk_memory_start(s.work, &in, s.memory); /* where the first draw stood */
    hk_kinematics(s.work, &in, HK_FRAMES_ALL);
    mild = moment_is_mild(&s) && draw > 0;
  }
  for (int i = 0; i < m->nc; i++) s.lambda[i] = uniform(-2, 2);
  hk_coordinates_accept(s.work, s.turn);
  s.h = steps[pick(3)];
  *out = s;
  return mild;
}

static inline moment moment_create(const hk_model *m) {
  moment s;
  for (int i = 0; i < 20; i++) {
    if (moment_try(m, &s)) return s;
    hk_work_destroy(s.work);
    free(s.block);
  }
  fail_msg("no state of this model is far from a singular position");
  return s;
}

static inline void moment_free(moment *s) {
  hk_work_destroy(s->work);
  free(s->block);
}

/* A joint that only stands on the ground: it cannot be tried between two free bodies. */
static inline bool needs_ground(const hk_type *type) {
  return type->category == HK_JOINT && ((const hk_joint_ops *)type->ops)->ground;
}

/* ---- accepted draws ---- */

/* Draws until one is accepted.  NULL only if no draw with these sides is: then `why` says why. */
static inline hk_model *try_subject(const hk_type *type, const setting *s, char why[1024]) {
  for (int i = 0; i < 400; i++) {
    hk_model *model = draw_subject(type, s, why);
    if (!model) continue;
    moment probe;
    bool mild = moment_try(model, &probe);
    moment_free(&probe);
    if (mild) return model;
    snprintf(why, 1024, "it is always near a position where an angle is not defined");
    hk_model_destroy(model);
  }
  return NULL;
}

/* The same where refusal is a failure. */
static inline hk_model *subject(const hk_type *type, const setting *s) {
  char why[1024] = "";
  hk_model *model = try_subject(type, s, why);
  if (!model)
    fail_msg(
        "%s '%s' cannot be drawn from its parameter table (last refusal: %s). If it needs "
        "something the world of test/support/subject.h lacks, add it there",
        hk_category_name(type->category), type->name, why);
  return model;
}

/* The moment as the bodies stand in the file. */
static inline void moment_stand(moment *s) {
  memcpy(s->q, s->model->q0, (size_t)s->model->nq * sizeof *s->q);
  const hk_instant in = moment_instant(s);
  hk_kinematics(s->work, &in, HK_FRAMES_ALL);
  memset(s->turn, 0, (size_t)s->model->n_turns * sizeof *s->turn);
  hk_coordinates_accept(s->work, s->turn);
  hk_constraints(s->work, &in);
}

/* What elements remember is of this moment. */
static inline void moment_begin(moment *s) {
  s->h = INFINITY;
  const hk_instant in = moment_instant(s);
  hk_kinematics(s->work, &in, HK_FRAMES_ALL);
  hk_memory_start(s->work, &in, s->memory);
  s->h = 0;
}

/* Are all joints closed there (motions aside)? */
static inline bool moment_is_closed(const moment *s) {
  const hk_model *m = s->model;
  for (int r = 0; r < m->nc; r++)
    if (!m->constraint[m->row_constraint[r]].value && fabs(s->work->g[r]) > 1e-12) return false;
  return true;
}

/* Frames, constraints, bias and forces of the moment in its work. */
static inline void moment_evaluate(const moment *s, const double *q, const double *v,
                                   const double *lambda, double t) {
  hk_instant in = moment_instant(s);
  in.t = t, in.q = q, in.v = v, in.lambda = lambda;
  hk_kinematics(s->work, &in, HK_FRAMES_ALL);
  hk_constraints(s->work, &in);
  hk_constraint_bias(s->work, &in);
  assert_int_equal(hk_forces(s->work, &in), HK_OK);
}

/* G as a dense [nc][nv] matrix; free it. */
static inline double *dense_jacobian(const hk_work *w) {
  const hk_model *m = w->model;
  double *G = calloc((size_t)m->nc * (size_t)m->nv + 1, sizeof *G);
  assert_non_null(G);
  for (int i = 0; i < m->n_constraints; i++) {
    const hk_constraint *c = &m->constraint[i];
    for (int r = 0; r < c->n_rows; r++)
      for (int p = 0; p < c->n_ports; p++) {
        int node = m->marker[m->port[c->port + p]].node;
        const double *at = w->G + c->jacobian + 6 * (r * c->n_ports + p);
        for (int k = 0; node != HK_GROUND && k < m->node[node].nv; k++)
          G[(c->row + r) * m->nv + m->node[node].v + k] += at[k];
      }
  }
  return G;
}

/* A draw between free bodies whose joints are closed as the bodies stand. */
static inline hk_model *closed_subject(const hk_type *type, const setting *at) {
  for (int i = 0; i < 200; i++) {
    hk_model *m = subject(type, at);
    moment s;
    moment_try(m, &s);
    moment_stand(&s);
    bool closed = moment_is_closed(&s);
    moment_free(&s);
    if (closed) return m;
    hk_model_destroy(m);
  }
  fail_msg("%s '%s' is never closed as the bodies stand, not even with 'at'",
           hk_category_name(type->category), type->name);
  return NULL;
}

/* Joints of several bodies have tests of their own: random numbers make none of them. */
static inline bool is_composite(const hk_type *type) {
  return type->category == HK_JOINT && ((const hk_joint_ops *)type->ops)->expand;
}

/* Calls check(model, type, setting) for draws of every type of a category on every pair of sides.
 * Sides that a type refuses are passed over, but not all of them may be. */
typedef void subject_check(const hk_model *m, const hk_type *type, const setting *s);
static inline void for_every_subject(hk_category category, int draws, subject_check *check) {
  for (int i = 0; i < hk_registry_count(subjects(), category); i++) {
    const hk_type *type = hk_registry_at(subjects(), category, i);
    if (is_composite(type)) continue;
    int accepted = 0;
    char why[1024] = "";
    for (int pair = 0; pair < N_SIDES * N_SIDES; pair++) {
      setting s = {(side)(pair / N_SIDES), (side)(pair % N_SIDES), true, true};
      if (s.a == ON_GROUND && s.b == ON_GROUND) continue;
      for (int k = 0; k < draws; k++) {
        random_seed((uint64_t)(1000 * i + 50 * pair + k));
        hk_model *m = try_subject(type, &s, why);
        if (!m) break;
        accepted++;
        check(m, type, &s);
        hk_model_destroy(m);
      }
    }
    if (!accepted) subject(type, &(setting){ON_BODY, ON_BODY, true, true}); /* fails and says why */
  }
}
#endif
