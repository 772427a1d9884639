/* Dry friction in a joint under its reaction force.
 *   along a coordinate   F = -r N mu(s) tanh(s/v) c'/|c'|,  s = r |c'|   (r = 1 for sliding coordinates)
 *   in a spherical joint M = -r N mu(s) tanh(s/v) w/|w|,    s = r |w|, w = wB - wA
 *   in a plain bush      (F, M/r) = -N mu(s) tanh(s/v) (u, q)/s,  s = |(u, q)|
 *   mu(s) = mu + (mu_static - mu) exp(-(s/stribeck_velocity)^2)
 * with N the magnitude of the reaction force, r the radius of the sliding surfaces and v the
 * regularization velocity of Coulomb's law. mu(s) is the Stribeck curve, with the exponent that
 * is smooth at rest [Marques2016]. A plain bush is a cylindrical joint without a
 * specified coordinate: it slides along its axis with u and rotates about it with q = r w, and a
 * single friction force opposes the resultant, so that a rotating pin slides easily. At speeds
 * below v a loaded joint slides slowly; it never sticks. Choose v well below the sliding speeds
 * of interest; the damping coefficient of the law is mu N/v. N contains the reaction force only:
 * moments, which a short bearing carries as pairs of forces, do not contribute. */
#include "base/arena.h"
#include <hooke/element.h>
#include <string.h>

typedef struct joint_friction {
  const char *joint, *coordinate;
  double mu, mu_static, radius, friction_velocity, stribeck_velocity;
} joint_friction;

static const joint_friction defaults = {.friction_velocity = 1e-3, .stribeck_velocity = 1e-2};

static const hk_param params[] = {
    HK_JOINT_NAME(joint_friction, joint, HK_REQUIRED, "joint with friction"),
    HK_COORDINATE(joint_friction, coordinate, 0,
                  "coordinate of that joint; required if it has several. A cylindrical joint "
                  "without a coordinate, but with a radius, is a plain bush: one friction against "
                  "combined sliding and rotation"),
    HK_REAL(joint_friction, mu, NULL, HK_REQUIRED, "coefficient of friction when sliding",
            HK_MIN(0)),
    HK_REAL(joint_friction, mu_static, NULL, 0, "coefficient near rest; default: mu", HK_MIN(0)),
    HK_REAL(joint_friction, radius, "m", HK_POSITIVE,
            "radius of the sliding surfaces; required for angles, not for displacements"),
    HK_REAL(joint_friction, friction_velocity, "m/s", HK_POSITIVE,
            "regularization velocity: sliding speed below which friction decreases to zero"),
    HK_REAL(joint_friction, stribeck_velocity, "m/s", HK_POSITIVE,
            "Stribeck velocity: sliding speed over which mu_static decreases to mu"),
};

static bool is(const char *a, const char *b) { return strcmp(a, b) == 0; }

/* Returns true if the friction acts on an angle: decided by its coordinate, if given, otherwise by the type of the
 * joint. */
static bool turns(const hk_item *joint, const hk_relation_type *coordinate) {
  if (coordinate) return coordinate->angular;
  return is(hk_item_type_name(joint), "revolute") || is(hk_item_type_name(joint), "spherical");
}

static hk_status bind(const hk_item *item, hk_force_binding *b, hk_error *err) {
  const joint_friction *p = hk_item_data(item);
  const hk_item *joint = hk_spec_find(hk_item_spec(item), HK_JOINT, p->joint);
  b->joint = p->joint;
  b->coordinate = p->coordinate ? p->coordinate : p->joint;
  if (!joint) return HK_OK; /* unknown names are reported by the compiler of models */
  const char *dot = p->coordinate ? strrchr(p->coordinate, '.') : NULL;
  bool named = p->coordinate && !is(p->coordinate, p->joint);
  const hk_relation_type *type = named && dot ? hk_joint_coordinate_type(joint, dot + 1) : NULL;
  /* coordinates of other joints are reported by the compiler of models, too */
  if (named && !type) return HK_OK;
  bool has_radius = hk_item_given(item, hk_type_param_find(hk_item_type(item), "radius"));
  bool bush = !named && has_radius && is(hk_item_type_name(joint), "cylindrical");
  bool angular = bush || turns(joint, type);
  if (angular && !has_radius)
    return hk_fail(err, HK_EINPUT, "it acts on an angle; give the radius of the sliding surfaces");
  if (!angular && has_radius)
    return hk_fail(err, HK_EINPUT, "it acts on a displacement and must not have a radius");
  /* Without coordinate and frames, the friction acts on the frames of its joint. */
  if (bush || is(hk_item_type_name(joint), "spherical")) b->coordinate = NULL;
  return HK_OK;
}

/* The constant of this force is a flag, which is true for a plain bush. */
static hk_status prepare(const hk_item *item, hk_arena *arena, const void **constants,
                         hk_error *err) {
  const joint_friction *p = hk_item_data(item);
  const hk_item *joint = hk_spec_find(hk_item_spec(item), HK_JOINT, p->joint);
  bool *bush = HK_NEW(arena, bool);
  if (!bush) return hk_fail(err, HK_ENOMEM, "out of memory");
  *bush = joint && is(hk_item_type_name(joint), "cylindrical");
  *constants = bush;
  return HK_OK;
}

/* mu(s), and mu'(s)/s. */
static double coefficient(const joint_friction *p, double s, double *slope) {
  *slope = 0;
  if (!(p->mu_static > 0)) return p->mu;
  double x = s / p->stribeck_velocity, more = (p->mu_static - p->mu) * exp(-x * x);
  *slope = -2 * more / (p->stribeck_velocity * p->stribeck_velocity);
  return p->mu + more;
}

static void along_coordinate(const joint_friction *p, double r, const hk_force_in *in,
                             hk_force_out *out) {
  double mu_s, speed = r * in->rate, s = tanh(speed / p->friction_velocity), N = in->load;
  double mu = coefficient(p, speed, &mu_s);
  out->F = -mu * r * N * s;
  out->F_rate = -r * r * N * (mu * (1 - s * s) / p->friction_velocity + mu_s * speed * s);
  out->F_load = -mu * r * s;
  out->dissipated = mu * r * N * s * in->rate;
}

/* f = tanh(x)/x and g = f'/x, by series near x = 0, where the quotients lose digits. */
static void saturation(double x, double *f, double *g) {
  double x2 = x * x;
  if (x2 < 1e-2) {
    *f = 1 - x2 * (1.0 / 3 - x2 * (2.0 / 15 - x2 * (17.0 / 315 - x2 * (62.0 / 2835))));
    *g = -2.0 / 3 +
         x2 * (8.0 / 15 - x2 * (34.0 / 105 - x2 * (496.0 / 2835 - x2 * (2764.0 / 31185))));
    return;
  }
  double s = tanh(x);
  *f = s / x;
  *g = (1 - s * s - *f) / x2;
}

static void spherical(const joint_friction *p, double r, const hk_force_in *in, hk_force_out *out) {
  hk_vec3 w = hk_sub(in->B->w, in->A->w);
  double size = hk_norm(w), r_v = r / p->friction_velocity, f, g, mu_s, N = in->load;
  double mu = coefficient(p, r * size, &mu_s), mu_r = mu * r;
  saturation(r_v * size, &f, &g);
  /* M = -r N mu(s) (r/v) f(x) w with x = r |w|/v */
  double k = mu_r * r_v * f;
  double *u = out->w, m[3] = {w.x, w.y, w.z};
  for (int i = 0; i < 3; i++) {
    u[3 + i] = k * N * m[i];
    u[9 + i] = -u[3 + i];
  }
  out->dissipated = k * N * size * size;
  if (!out->tangent) return;
  for (int i = 0; i < 3; i++) {
    out->w_load[3 + i] = k * m[i];
    out->w_load[9 + i] = -k * m[i];
  }
  hk_mat3 D = hk_mat3_add(hk_mat3_scale(k, hk_mat3_identity()),
                          hk_mat3_scale(mu_r * r_v * r_v * r_v * g, hk_outer(w, w)));
  /* the coefficient decreases with the speed */
  D = hk_mat3_add(D, hk_mat3_scale(r * mu_s * r * r * r_v * f, hk_outer(w, w)));
  hk_block_add(out->C, 3, 3, N, &D);
  hk_block_add(out->C, 3, 9, -N, &D);
  hk_block_add(out->C, 9, 3, -N, &D);
  hk_block_add(out->C, 9, 9, N, &D);
  out->has_C = true;
}

/* ---- plain bush ---- */

static void put(double g[12], int at, hk_vec3 a) { g[at] = a.x, g[at + 1] = a.y, g[at + 2] = a.z; }

/* Gradients of the two sliding speeds with respect to the velocities of the frames: u = z.(vB - vA - wA x d) and q = r
 * z.(wB - wA), where z is the axis and d the vector from A to B. The friction wrench is a combination of the two
 * gradients. */
typedef struct bush_speeds {
  hk_vec3 z, d, slip, turn; /* slip: vB - vA - wA x d, turn: wB - wA */
  double u, q, g_u[12], g_q[12];
} bush_speeds;

static void find_speeds(double r, const hk_force_in *in, bush_speeds *b) {
  b->z = hk_column(&in->A->R, 2);
  b->d = hk_sub(in->B->x, in->A->x);
  b->slip = hk_sub(hk_sub(in->B->v, in->A->v), hk_cross(in->A->w, b->d));
  b->turn = hk_sub(in->B->w, in->A->w);
  b->u = hk_dot(b->z, b->slip);
  b->q = r * hk_dot(b->z, b->turn);
  const hk_vec3 zero = {0, 0, 0}, rz = hk_scale(r, b->z);
  put(b->g_u, 0, hk_neg(b->z));
  put(b->g_u, 3, hk_neg(hk_cross(b->d, b->z)));
  put(b->g_u, 6, b->z);
  put(b->g_u, 9, zero);
  put(b->g_q, 0, zero);
  put(b->g_q, 3, hk_neg(rz));
  put(b->g_q, 6, zero);
  put(b->g_q, 9, rz);
}

/* Changes of g_u and g_q with a change dz of the axis and dd of the vector d. */
static void turn_gradients(double r, const bush_speeds *b, hk_vec3 dz, hk_vec3 dd, double d_u[12],
                           double d_q[12]) {
  const hk_vec3 zero = {0, 0, 0};
  put(d_u, 0, hk_neg(dz));
  put(d_u, 3, hk_neg(hk_add(hk_cross(dd, b->z), hk_cross(b->d, dz))));
  put(d_u, 6, dz);
  put(d_u, 9, zero);
  put(d_q, 0, zero);
  put(d_q, 3, hk_scale(-r, dz));
  put(d_q, 6, zero);
  put(d_q, 9, hk_scale(r, dz));
}

static void bush(const joint_friction *p, double r, const hk_force_in *in, hk_force_out *out) {
  bush_speeds b;
  double f, g, mu_s, N = in->load, v = p->friction_velocity;
  find_speeds(r, in, &b);
  double s = hypot(b.u, b.q), mu = coefficient(p, s, &mu_s);
  saturation(s / v, &f, &g);
  /* w = -N k (u g_u + q g_q) with k = mu(s) f(s/v)/v; more = k'(s)/s */
  double k = mu * f / v, more = mu_s * f / v + mu * g / (v * v * v);
  for (int i = 0; i < 12; i++) {
    out->w_load[i] = -k * (b.u * b.g_u[i] + b.q * b.g_q[i]);
    out->w[i] = N * out->w_load[i];
  }
  out->dissipated = N * k * s * s;
  if (!out->tangent) return;
  double uu = k + more * b.u * b.u, uq = more * b.u * b.q, qq = k + more * b.q * b.q;
  for (int i = 0; i < 12; i++)
    for (int j = 0; j < 12; j++)
      out->C[i][j] += N * (b.g_u[i] * (uu * b.g_u[j] + uq * b.g_q[j]) +
                           b.g_q[i] * (uq * b.g_u[j] + qq * b.g_q[j]));
  static const hk_vec3 e[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int c = 0; c < 9; c++) { /* the orientation of B has no effect */
    hk_vec3 zero = {0, 0, 0}, dz = c / 3 == 1 ? hk_cross(e[c - 3], b.z) : zero;
    hk_vec3 dd = c < 3 ? hk_neg(e[c]) : c >= 6 ? e[c - 6] : zero;
    double du = hk_dot(dz, b.slip) - hk_dot(b.z, hk_cross(in->A->w, dd));
    double dq = r * hk_dot(dz, b.turn), d_u[12], d_q[12];
    turn_gradients(r, &b, dz, dd, d_u, d_q);
    for (int i = 0; i < 12; i++)
      out->K[i][c] += N * (b.g_u[i] * (uu * du + uq * dq) + b.g_q[i] * (uq * du + qq * dq) +
                           k * (b.u * d_u[i] + b.q * d_q[i]));
  }
  out->has_C = out->has_K = true;
}

static void eval(const void *data, const hk_force_in *in, hk_force_out *out) {
  const joint_friction *p = data;
  const bool *is_bush = in->constants;
  double r = p->radius > 0 ? p->radius : 1;
  if (!in->A)
    along_coordinate(p, r, in, out);
  else if (is_bush && *is_bush)
    bush(p, r, in, out);
  else
    spherical(p, r, in, out);
}

/* tanh(2.65) = 0.99 */
static hk_vec3 sliding(const void *data, const hk_force_in *in, double *full_speed) {
  const joint_friction *p = data;
  const bool *is_bush = in->constants;
  double r = p->radius > 0 ? p->radius : 1;
  *full_speed = 2.65 * p->friction_velocity;
  if (!in->A) return hk_v3(r * in->rate, 0, 0);
  if (!(is_bush && *is_bush)) return hk_scale(r, hk_sub(in->B->w, in->A->w));
  bush_speeds b;
  find_speeds(r, in, &b);
  return hk_v3(b.u, b.q, 0);
}

static const hk_quantity channels[] = {
    {"normal_force", "N", "magnitude of the reaction force of the joint"},
};

static void read(const void *data, const hk_force_in *in, const hk_force_out *out, double *value) {
  value[0] = in->load;
}

static const hk_force_ops ops = {.bind = bind,
                                 .prepare = prepare,
                                 .eval = eval,
                                 .sliding = sliding,
                                 .read = read,
                                 .rate_only = true,
                                 HK_CHANNELS(channels)};

const hk_type hk_type_force_joint_friction = {
    .name = "joint_friction",
    .category = HK_FORCE,
    .doc = "Dry friction in a joint under its reaction force.",
    .source = "Coulomb's law regularized by tanh [Marques2016]",
    .size = sizeof(joint_friction),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
