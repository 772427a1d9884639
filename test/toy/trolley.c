/* A node type outside of the library: a trolley on an arm that rotates about a fixed axis.
 *
 * Coordinates: radius r and angle phi.  With z the axis, e(phi) along the arm and n = z x e, the trolley's
 * centre of mass is at x0 + r e, and a frame at the offset s from it, L = r e + s, moves by
 *   dx = e dr + z x L dphi,   dtheta = z dphi
 * Its mass matrix, inertia forces, map and weight all depend on its position.
 */
#include "node/node.h"
#include <hooke/element.h>

typedef struct trolley {
  hk_body_common body; /* position: the pivot; orientation: of the arm at angle 0, x along it */
  double mass, inertia, radius, angle, radius_rate, rate;
} trolley;

static const trolley TROLLEY_DEFAULTS = {.body = {.orientation = {1, 0, 0, 0}}};

static const hk_param TROLLEY_PARAMS[] = {
    HK_REAL(trolley, mass, "kg", HK_REQUIRED | HK_POSITIVE, "mass"),
    HK_REAL(trolley, inertia, "kg m^2", HK_REQUIRED | HK_POSITIVE, "about the axis"),
    HK_REAL(trolley, radius, "m", HK_REQUIRED, "distance from the pivot at the start"),
    HK_REAL(trolley, angle, "rad", 0, "of the arm at the start"),
    HK_REAL(trolley, radius_rate, "m/s", 0, "at the start"),
    HK_REAL(trolley, rate, "rad/s", 0, "at the start"),
};

static hk_status trolley_mass(const hk_item *item, hk_mass_properties *out, hk_error *err) {
  const trolley *p = hk_item_data(item);
  if (!(p->mass > 0) || !(p->inertia > 0))
    return hk_fail(err, HK_EINPUT, "mass and inertia must be positive");
  out->mass = p->mass;
  out->inertia[2] = p->inertia;
  return HK_OK;
}

/* Its own numbers. */
typedef struct stand {
  hk_vec3 e, n, z;
  double r, r_rate, rate;
} stand;

static void trolley_start(hk_node *n, const hk_mass_properties *p, double *q, double *v) {
  const trolley *t = hk_item_data(n->item);
  q[0] = t->radius, q[1] = t->angle;
  v[0] = t->radius_rate, v[1] = t->rate;
}

static hk_mass_rank trolley_rank(const hk_node *n) { return HK_MASS_FULL; }

static void trolley_diagonal(const hk_node *n, double *out) {
  const trolley *t = hk_item_data(n->item);
  out[0] = n->mass;
  out[1] = t->inertia + n->mass * t->radius * t->radius;
}

static double trolley_gyration(const hk_node *n) {
  double J[2];
  trolley_diagonal(n, J);
  return sqrt(J[1] / J[0]);
}

static double trolley_resistance(const hk_node *n, bool angular, double length) {
  return angular ? n->inertia.m[2][2] : n->mass;
}

static void trolley_place(const hk_node *n, double t, bool still, const double *q, const double *v,
                          hk_mat3 *R, double *own) {
  double c = cos(q[1]), s = sin(q[1]);
  hk_mat3 Z = {{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
  *R = hk_matmul(&n->R0, &Z);
  *(stand *)own = (stand){hk_column(R, 0), hk_column(R, 1), hk_column(R, 2), q[0], v[0], v[1]};
}

static const stand *stand_of(const hk_pose *p) { return (const stand *)p->own; }

static hk_vec3 lever(const hk_pose *p, const hk_frame *F) {
  return hk_axpy(F->s, stand_of(p)->r, stand_of(p)->e);
}

static void trolley_frame(const hk_pose *p, const hk_marker *k, const double *q, const double *v,
                          hk_frame *F) {
  const stand *s = stand_of(p);
  F->R = hk_matmul(p->R, &k->R);
  F->s = hk_mul(p->R, k->s);
  F->x = hk_add(p->node->x0, lever(p, F));
  F->w = hk_scale(v[1], s->z);
  F->v = hk_axpy(hk_cross(F->w, lever(p, F)), v[0], s->e);
  F->angle = F->rate = 0;
}

static void trolley_map(const hk_pose *p, const hk_marker *k, const hk_frame *F, hk_vec3 jx,
                        hk_vec3 jt, double *out) {
  out[0] = hk_dot(stand_of(p)->e, jx);
  out[1] = hk_dot(stand_of(p)->z, hk_add(jt, hk_cross(lever(p, F), jx)));
}

static void trolley_geometric(const hk_pose *p, const hk_marker *k, const hk_frame *F, hk_vec3 f,
                              hk_vec3 m, double c, double *out, int stride) {
  const stand *s = stand_of(p);
  out[1] += c * hk_dot(s->n, f);
  out[stride] += c * hk_dot(s->n, f);
  out[stride + 1] += c * hk_dot(s->z, hk_cross(hk_cross(s->z, lever(p, F)), f));
}

static void trolley_turning(const hk_pose *p, const hk_marker *k, const hk_frame *F, hk_vec3 jv,
                            hk_vec3 jw, double *out) {
  const stand *s = stand_of(p);
  out[0] += s->rate * hk_dot(s->n, jv);
  out[1] += s->r_rate * hk_dot(s->n, jv);
  out[1] += hk_dot(jv, hk_cross(F->w, hk_cross(s->z, lever(p, F))));
}

static void trolley_bias(const hk_pose *p, const hk_marker *k, const hk_frame *F, hk_vec3 *a,
                         hk_vec3 *alpha) {
  const stand *s = stand_of(p);
  *alpha = hk_v3(0, 0, 0);
  *a = hk_axpy(hk_cross(F->w, hk_cross(F->w, lever(p, F))), 2 * s->r_rate * s->rate, s->n);
}

static double turned_inertia(const hk_pose *p) {
  double r = stand_of(p)->r;
  return p->node->inertia.m[2][2] + p->node->mass * r * r;
}

static void trolley_multiply(const hk_pose *p, const double *x, double *y) {
  y[0] = p->node->mass * x[0];
  y[1] = turned_inertia(p) * x[1];
}

static double trolley_energy(const hk_pose *p, const double *v) {
  return 0.5 * (p->node->mass * v[0] * v[0] + turned_inertia(p) * v[1] * v[1]);
}

/* Centrifugal and Coriolis. */
static void trolley_force(const hk_pose *p, const double *v, double *out) {
  double m = p->node->mass, r = stand_of(p)->r;
  out[0] = m * r * v[1] * v[1];
  out[1] = -2 * m * r * v[0] * v[1];
}

static void trolley_tangent(const hk_pose *p, const hk_inertia_weights *c, double *out,
                            int stride) {
  const double m = p->node->mass, r = stand_of(p)->r, *v = c->v;
  out[0] += c->cM * m - c->cK * m * v[1] * v[1];
  out[1] -= c->cC * 2 * m * r * v[1];
  out[stride] += c->cC * 2 * m * r * v[1] + c->cK * 2 * m * v[0] * v[1];
  out[stride + 1] += c->cM * turned_inertia(p) + c->cC * 2 * m * r * v[0];
}

static hk_vec3 pull(const hk_pose *p, const hk_field *field, double *potential) {
  const stand *s = stand_of(p);
  double per_mass = 0;
  hk_vec3 x = hk_axpy(p->node->x0, s->r, s->e), a = field->at(field->data, field->t, x, &per_mass);
  *potential += p->node->mass * per_mass;
  return hk_scale(p->node->mass, a);
}

static void trolley_field(const hk_pose *p, const double *q, const hk_field *field, double *f,
                          double *potential) {
  hk_vec3 F = pull(p, field, potential);
  f[0] += hk_dot(stand_of(p)->e, F);
  f[1] += stand_of(p)->r * hk_dot(stand_of(p)->n, F);
}

static void trolley_field_tangent(const hk_pose *p, const double *q, const hk_field *field,
                                  double c, double *out, int stride) {
  const stand *s = stand_of(p);
  double unused = 0;
  hk_vec3 F = pull(p, field, &unused);
  out[1] -= c * hk_dot(s->n, F);
  out[stride] -= c * hk_dot(s->n, F);
  out[stride + 1] += c * s->r * hk_dot(s->e, F);
}

static const hk_node_coordinate TROLLEY_COORDINATE[2] = {{"radius", "force", false},
                                                         {"angle", "moment", true}};

static const hk_node_type TROLLEY_NODE = {
    .name = "trolley",
    .noun = "trolley",
    .nv = 2,
    .coordinate = TROLLEY_COORDINATE,
    .turn = -1,
    .own = sizeof(stand) / sizeof(double),
    .records = HK_RECORDS_ALL,
    .start = trolley_start,
    .rank = trolley_rank,
    .gyration = trolley_gyration,
    .diagonal = trolley_diagonal,
    .resistance = trolley_resistance,
    .place = trolley_place,
    .frame = trolley_frame,
    .map = trolley_map,
    .geometric = trolley_geometric,
    .turning = trolley_turning,
    .bias = trolley_bias,
    .multiply = trolley_multiply,
    .energy = trolley_energy,
    .force = trolley_force,
    .tangent = trolley_tangent,
    .field = trolley_field,
    .field_tangent = trolley_field_tangent,
};

static const hk_body_ops TROLLEY_OPS = {.node = &TROLLEY_NODE, .mass = trolley_mass};

const hk_type hk_type_body_trolley = {
    .name = "trolley",
    .category = HK_BODY,
    .doc = "Mass that slides along an arm, which turns about an axis fixed in the world.",
    .source = "Lagrange's equations in polar coordinates",
    .size = sizeof(trolley),
    .defaults = &TROLLEY_DEFAULTS,
    HK_TABLE(TROLLEY_PARAMS),
    .ops = &TROLLEY_OPS,
};
