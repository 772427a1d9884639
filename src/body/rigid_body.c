/* Rigid body with mass properties given directly.
 *
 * Valid if the deformation of the body is negligible. The inertia is that about the centre of
 * mass, in body axes, as matrix elements (products with the sign of the matrix: Ixy = -int xy
 * dm). A body with mass 0 and no inertia is massless: such a body only transmits forces, and the other parts of the
 * mechanism must determine its motion. A body with a density takes mass, centre and inertia from its shapes.
 * Newton-Euler equations: [Shabana, Dynamics of Multibody Systems, ch. 3]. */
#include "body/body.h"
#include "shape/shape.h"
#include <string.h>

typedef struct rigid_body {
  hk_body_common body;
  double mass, density;
  double inertia[6];
  hk_vec3 center_of_mass;
} rigid_body;

static const rigid_body defaults = {.body = HK_BODY_COMMON_DEFAULTS};

static const hk_param params[] = {
    HK_REAL(rigid_body, mass, "kg", 0, "mass; 0 makes the body massless; this or density",
            HK_MIN(0)),
    HK_REAL(rigid_body, density, "kg/m^3", HK_POSITIVE,
            "density of its shapes, which then give mass, centre of mass and inertia"),
    HK_INERTIA(rigid_body, inertia, 0,
               "inertia about the centre of mass in body axes: three principal moments, or "
               "xx, yy, zz, xy, xz, yz of the matrix; required if there is mass"),
    HK_VEC3(rigid_body, center_of_mass, "m", 0,
            "centre of mass from the origin of the body, in body axes"),
};

/* Computes mass, centre and inertia from the shapes. */
static hk_status shaped(const hk_item *item, hk_mass_properties *out, hk_error *err) {
  const rigid_body *p = hk_item_data(item);
  static const char *const given[] = {"mass", "inertia", "center_of_mass"};
  for (int i = 0; i < 3; i++)
    if (hk_item_has(item, given[i]))
      return hk_fail(err, HK_EINPUT, "it has both density and %s; give only one of them", given[i]);
  hk_volume v;
  int n;
  hk_status status = hk_shapes_volume(item, &v, &n, err);
  if (status) return status;
  if (n == 0)
    return hk_fail(err, HK_EINPUT, "it has a density but no shape; give it one, or a mass");
  out->mass = p->density * v.volume;
  out->center = v.center;
  for (int i = 0; i < 6; i++) out->inertia[i] = p->density * v.inertia[i];
  return hk_body_check(out, err);
}

static hk_status mass(const hk_item *item, hk_mass_properties *out, hk_error *err) {
  const rigid_body *p = hk_item_data(item);
  if (hk_item_has(item, "density")) return shaped(item, out, err);
  if (!hk_item_has(item, "mass"))
    return hk_fail(err, HK_EINPUT,
                   "it has no mass; give mass and inertia, or a density and a shape");
  if (p->mass != 0 && !hk_item_given(item, hk_type_param_find(hk_item_type(item), "inertia")))
    return hk_fail(err, HK_EINPUT,
                   "it has mass but no inertia; give its inertia, or make it a point_mass");
  out->mass = p->mass;
  out->center = p->center_of_mass;
  memcpy(out->inertia, p->inertia, sizeof p->inertia);
  return hk_body_check(out, err);
}

static const hk_body_ops ops = {&hk_node_rigid, mass, NULL};

const hk_type hk_type_body_rigid_body = {
    .name = "rigid_body",
    .category = HK_BODY,
    .doc = "Rigid body with mass, centre of mass and inertia given directly.",
    .source = "Newton-Euler equations [Shabana2013, ch. 3]",
    .size = sizeof(rigid_body),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
