/* Output shaft of a universal joint together with the cross, as a function of the angle phi of
 * the cross about the input axis: one degree of freedom with a variable inertia I, where b is the articulation angle
 * [Ali2025, eq 3, with J2x and J2z exchanged to their correct positions]:
 *   I(phi) = J3 eta^2 + Jy nu^2 + Jx sin^2 phi2 + Jz cos^2 phi2
 *   eta = cos b/D, nu = -sin b cos phi eta, cos^2 phi2 = cos b eta, D = 1 - sin^2 b cos^2 phi
 * The angle of the shaft, tan phi4 = tan phi/cos b, is the coordinate "output_angle": springs
 * and loads of the output side act along it. */
#include "body/body.h"
#include "relation/universal.h"

typedef struct universal_shaft {
  hk_body_common body;
  double inertia;
  double cross_inertia[3];
  double articulation_angle;
  hk_vec3 axis;
  double angle, rate;
} universal_shaft;

static const universal_shaft defaults = {.body = HK_BODY_COMMON_DEFAULTS, .axis = {0, 0, 1}};

static const hk_param params[] = {
    HK_REAL(universal_shaft, inertia, "kg m^2", HK_REQUIRED,
            "moment of inertia of the output shaft about its axis", HK_MIN(0)),
    HK_REALS(universal_shaft, cross_inertia, 3, "kg m^2", 0,
             "moments of inertia of the cross about its axes x (trunnions of the output yoke), y "
             "(trunnions of the input yoke) and z (normal to both)"),
    HK_REAL(universal_shaft, articulation_angle, "rad", HK_REQUIRED,
            "articulation angle between the shafts", HK_RANGE(-1.5, 1.5)),
    HK_DIRECTION(universal_shaft, axis, 0, "axis of the input side, in body axes"),
    HK_REAL(universal_shaft, angle, "rad", 0, "initial angle of the cross"),
    HK_REAL(universal_shaft, rate, "rad/s", 0, "initial angular velocity of the cross"),
};

static void inertia(const void *data, double angle, double J[3]) {
  const universal_shaft *p = data;
  double cb = cos(p->articulation_angle), sb = sin(p->articulation_angle);
  hk_universal u = hk_universal_ratio(cb, sb * sb, angle);
  double nu = -sb * u.co * u.eta, nu_1 = sb * (u.si * u.eta - u.co * u.eta_1);
  double nu_2 = sb * (u.co * u.eta + 2 * u.si * u.eta_1 - u.co * u.eta_2);
  const double *I = p->cross_inertia;
  double J3 = p->inertia, d = (I[2] - I[0]) * cb;
  J[0] = J3 * u.eta * u.eta + I[1] * nu * nu + I[0] + d * u.eta;
  J[1] = 2 * J3 * u.eta * u.eta_1 + 2 * I[1] * nu * nu_1 + d * u.eta_1;
  J[2] = 2 * J3 * (u.eta_1 * u.eta_1 + u.eta * u.eta_2) + 2 * I[1] * (nu_1 * nu_1 + nu * nu_2) +
         d * u.eta_2;
}

static hk_status mass(const hk_item *item, hk_mass_properties *out, hk_error *err) {
  const universal_shaft *p = hk_item_data(item);
  double J[3];
  out->axis = p->axis;
  out->angle = p->angle;
  out->rate = p->rate;
  for (int i = 0; i < 3; i++)
    if (!(p->cross_inertia[i] >= 0) || !isfinite(p->cross_inertia[i]))
      return hk_fail(err, HK_EINPUT,
                     "the moments of inertia of the cross must be finite and not negative");
  if (!isfinite(p->inertia) || !isfinite(p->angle) || !isfinite(p->rate))
    return hk_fail(err, HK_EINPUT, "inertia, angle and rate must be finite");
  inertia(p, p->angle, J);
  out->inertia[2] = J[0];
  return HK_OK;
}

static const hk_relation_type *follower(const hk_item *item, const char **name, double *k) {
  const universal_shaft *p = hk_item_data(item);
  *name = "output_angle";
  k[0] = p->articulation_angle, k[1] = cos(p->articulation_angle),
  k[2] = sin(p->articulation_angle) * sin(p->articulation_angle);
  return &hk_relation_universal_turn;
}

static const hk_body_ops ops = {
    .node = &hk_node_rotor, .mass = mass, .inertia = inertia, .follower = follower};

const hk_type hk_type_body_universal_shaft = {
    .name = "universal_shaft",
    .category = HK_BODY,
    .doc =
        "Output shaft of a universal joint with its cross: one degree of freedom, the angle of the "
        "cross about the input axis; the inertia varies with the ratio of the joint.",
    .source = "[Ali2025, eq 3], corrected",
    .size = sizeof(universal_shaft),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
