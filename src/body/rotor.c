/* Rotor: an inertia with one degree of freedom, the rotation about a fixed axis.
 *
 * The element of driveline models. The bearing of the rotor is ideal and rigid, so mass and position matter only for
 * results and drawings, and gyroscopic moments are carried by the ground. J phi'' = sum of moments about the axis; phi
 * is unwrapped. */
#include "body/body.h"
#include "mesh/drawing.h"

typedef struct rotor {
  hk_body_common body;
  double inertia;
  hk_vec3 axis;
  double angle, rate;
  double mass;
} rotor;

static const rotor defaults = {.body = HK_BODY_COMMON_DEFAULTS, .axis = {0, 0, 1}};

static const hk_param params[] = {
    HK_REAL(rotor, inertia, "kg m^2", HK_REQUIRED, "moment of inertia about the axis; 0: massless",
            HK_MIN(0)),
    HK_DIRECTION(rotor, axis, 0,
                 "axis of rotation, in body axes, which follow the orientation of the body"),
    HK_REAL(rotor, angle, "rad", 0, "initial angle"),
    HK_REAL(rotor, rate, "rad/s", 0, "initial angular velocity"),
    HK_REAL(rotor, mass, "kg", 0, "mass, for information only: the bearing carries it", HK_MIN(0)),
};

static hk_status mass(const hk_item *item, hk_mass_properties *out, hk_error *err) {
  const rotor *p = hk_item_data(item);
  out->mass = p->mass;
  out->inertia[2] = p->inertia;
  out->axis = p->axis;
  out->angle = p->angle;
  out->rate = p->rate;
  if (!(p->inertia >= 0) || !isfinite(p->inertia) || !(p->mass >= 0) || !isfinite(p->mass))
    return hk_fail(err, HK_EINPUT, "inertia and mass must be finite and not negative");
  if (!isfinite(p->angle) || !isfinite(p->rate))
    return hk_fail(err, HK_EINPUT, "angle and rate must be finite");
  return HK_OK;
}

static const hk_body_ops ops = {&hk_node_rotor, mass, NULL};

/* Draws a disc with the inertia of the rotor if its mass is known, otherwise with a size that suits
 * the model; an eccentric pin shows its rotation. */
static void draw(const hk_item *item, hk_drawing *d) {
  const rotor *p = hk_item_data(item);
  double r = p->mass > 0 && p->inertia > 0 ? sqrt(2 * p->inertia / p->mass) : 5 * d->size;
  hk_mat3 R = hk_frame_from_z(hk_norm(p->axis) > 0 ? p->axis : hk_v3(0, 0, 1));
  hk_quat turn = hk_quat_from_matrix(&R);
  hk_mesh disc = {0}, pin = {0};
  hk_mesh_cylinder(&disc, r, 0, 0.3 * r);
  hk_mesh_cylinder(&pin, 0.12 * r, 0, 0.42 * r);
  hk_draw_at(d, hk_item_name(item), hk_v3(0, 0, 0), turn, &disc, (hk_draw_style){.part = true});
  hk_draw_at(d, hk_item_name(item), hk_mul(&R, hk_v3(0.7 * r, 0, 0)), turn, &pin,
             (hk_draw_style){.paint = HK_PAINT_DARK, .part = true});
}

static void mirror(hk_item *item) {
  rotor *p = hk_item_edit(item);
  p->angle = -p->angle;
  p->rate = -p->rate;
}

const hk_type hk_type_body_rotor = {
    .name = "rotor",
    .category = HK_BODY,
    .doc = "Inertia that rotates about an axis fixed in the world: one degree of freedom.",
    .source = "Euler's equation about a fixed axis",
    .size = sizeof(rotor),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
    .draw = draw,
    .mirror = mirror,
};
