/* Dry friction in a joint, loaded by the joint's own reaction force.
 *   along a coordinate   F = -r N mu(s) tanh(s/v) c'/|c'|,  s = r |c'|   (r = 1 for sliding coordinates)
 *   in a spherical joint M = -r N mu(s) tanh(s/v) w/|w|,    s = r |w|, w = wB - wA
 *   mu(s) = mu + (mu_static - mu) exp(-(s/static_velocity)^2)
 * with N the size of the reaction force, the radius r at which the surfaces rub and the speed v
 * that rounds off the jump of Coulomb's law; mu(s) is Stribeck's fall from rest to sliding, with the exponent
 * that is smooth at rest [Marques et al. 2016].  Below v the joint
 * creeps: it never sticks.  Choose v well below the sliding speeds of interest; the stiffness of
 * the law is mu N/v.  The size of N is that of the force only, so moments that a short bearing
 * carries by pairs of forces are not felt.
 */
#include <hooke/element.h>
#include <string.h>

typedef struct joint_friction {
  const char *joint, *coordinate;
  double mu, mu_static, radius, velocity, static_velocity;
} joint_friction;

static const joint_friction defaults = {.velocity = 1e-3, .static_velocity = 1e-2};

static const hk_param params[] = {
    HK_JOINT_NAME(joint_friction, joint, HK_REQUIRED, "joint that rubs"),
    HK_COORDINATE(joint_friction, coordinate, 0,
                  "coordinate of that joint; required if it has several"),
    HK_REAL(joint_friction, mu, NULL, HK_REQUIRED, "coefficient of friction when sliding",
            HK_MIN(0)),
    HK_REAL(joint_friction, mu_static, NULL, 0,
            "coefficient near rest; that of sliding if left out", HK_MIN(0)),
    HK_REAL(joint_friction, radius, "m", HK_POSITIVE,
            "where the surfaces rub; required for angles, not for displacements"),
    HK_REAL(joint_friction, velocity, "m/s", HK_POSITIVE,
            "sliding speed below which friction fades to zero"),
    HK_REAL(joint_friction, static_velocity, "m/s", HK_POSITIVE,
            "Stribeck's speed: sliding speed over which mu_static falls to mu"),
};

static bool is(const char *a, const char *b) { return strcmp(a, b) == 0; }

/* Whether the friction acts on an angle: by the coordinate it names, else by the joint's type. */
static bool turns(const hk_item *joint, const hk_relation_type *coordinate) {
  if (coordinate) return coordinate->angular;
  return is(joint->type->name, "revolute") || is(joint->type->name, "spherical");
}

static hk_status bind(const hk_item *item, hk_force_binding *b, hk_error *err) {
  const joint_friction *p = item->data;
  const hk_item *joint = item->spec ? hk_spec_find(item->spec, HK_JOINT, p->joint) : NULL;
  b->joint = p->joint;
  b->coordinate = p->coordinate ? p->coordinate : p->joint;
  if (!joint) return HK_OK; /* the core reports names that are not there */
  const char *dot = p->coordinate ? strrchr(p->coordinate, '.') : NULL;
  bool named = p->coordinate && !is(p->coordinate, p->joint);
  const hk_relation_type *type = named && dot ? hk_joint_coordinate_type(joint, dot + 1) : NULL;
  if (named && !type) return HK_OK; /* and coordinates that are not this joint's */
  bool angular = turns(joint, type);
  bool has_radius = hk_item_given(item, hk_type_param_index(item->type, "radius"));
  if (angular && !has_radius)
    return hk_fail(err, HK_EINPUT, "it acts on an angle; give the radius at which surfaces rub");
  if (!angular && has_radius)
    return hk_fail(err, HK_EINPUT, "it acts on a displacement, which takes no radius");
  /* Without coordinate and frames it acts on the frames of its joint. */
  if (is(joint->type->name, "spherical")) b->coordinate = NULL;
  return HK_OK;
}

/* mu(s), and its slope over s, mu'(s)/s. */
static double coefficient(const joint_friction *p, double s, double *slope) {
  double x = s / p->static_velocity;
  double more = (p->mu_static > 0 ? p->mu_static - p->mu : 0) * exp(-x * x);
  *slope = -2 * more / (p->static_velocity * p->static_velocity);
  return p->mu + more;
}

static void along_coordinate(const joint_friction *p, double r, const hk_force_in *in,
                             hk_force_out *out) {
  double mu_s, speed = r * in->rate, s = tanh(speed / p->velocity), N = in->load;
  double mu = coefficient(p, speed, &mu_s);
  out->F = -mu * r * N * s;
  out->F_rate = -r * r * N * (mu * (1 - s * s) / p->velocity + mu_s * speed * s);
  out->F_load = -mu * r * s;
  out->dissipated = mu * r * N * s * in->rate;
}

/* f = tanh(x)/x and g = f'/x, with series where the quotients cancel. */
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
  double size = hk_norm(w), r_v = r / p->velocity, f, g, mu_s, N = in->load;
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
  /* the coefficient falls with the speed */
  D = hk_mat3_add(D, hk_mat3_scale(r * mu_s * r * r * r_v * f, hk_outer(w, w)));
  hk_block_add(out->C, 3, 3, N, &D);
  hk_block_add(out->C, 3, 9, -N, &D);
  hk_block_add(out->C, 9, 3, -N, &D);
  hk_block_add(out->C, 9, 9, N, &D);
  out->has_C = true;
}

static void eval(const void *data, const hk_force_in *in, hk_force_out *out) {
  const joint_friction *p = data;
  double r = p->radius > 0 ? p->radius : 1;
  (in->A ? spherical : along_coordinate)(p, r, in, out);
}

static const hk_quantity channels[] = {
    {"normal_force", "N",
     "size of the joint's reaction force, which presses the surfaces together"},
};

static void read(const void *data, const hk_force_in *in, const hk_force_out *out, double *value) {
  value[0] = in->load;
}

static const hk_force_ops ops = {.bind = bind, .eval = eval, .read = read, HK_CHANNELS(channels)};

const hk_type hk_type_force_joint_friction = {
    .name = "joint_friction",
    .category = HK_FORCE,
    .doc = "Dry friction in a joint under the joint's own reaction force.",
    .source = "Coulomb's law rounded off by tanh [Marques et al. 2016]",
    .size = sizeof(joint_friction),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
