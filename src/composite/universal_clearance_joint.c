/* Universal joint with clearance in the bores of its yokes, at two fidelities with one interface.
 *
 * `a` is the input shaft, `b` the output shaft. Both fidelities have the same
 *   body      cross
 *   sensors   delta_a, delta_b: angle by which each yoke leads the cross, with its rate
 *             impulse_a, impulse_b: sum of the normal impulses of the pins in the last step
 *             impacts_a, impacts_b: impacts of the pins since the start
 *             closed_a, closed_b: 1 while a pin is in contact with its bore, else 0
 * so that the fidelity can be changed, or a clearance set to zero, without other changes of the model file.  The clearance is
 * the radius of the bores minus that of the pins.  `arm` is the distance from the joint's centre at which a pin touches when
 * the cross rotates in its yoke: the outer end of the bores.
 *   reduced   `a` and `b` are rotors; the cross is one degree of freedom [Ali2025]: this file
 *   spatial   yokes and cross are bodies in space: universal_clearance_spatial.c
 * A side without clearance is a bilateral joint with Coulomb's friction at both fidelities.
 * docs/joints/universal-spatial.md compares the two. */
#include "composite/universal_clearance.h"
#include "spec/item.h"
#include "node/node.h"
#include "mesh/drawing.h"
#include <stdio.h>
#include <string.h>

typedef hk_universal_clearance universal;

static const universal defaults = {
    .joint = HK_JOINT_COMMON_DEFAULTS, .friction_velocity = 1e-4, .cross_density = 7850};

enum { REDUCED, SPATIAL };
static const char *const FIDELITIES[] = {"reduced", "spatial", NULL};
static const char *const BORES[] = {"round", "slotted", NULL};
static const char *const FRICTIONS[] = {"circumferential", "full", NULL};

static const hk_param params[] = {
    HK_ENUM(universal, fidelity, FIDELITIES, HK_REQUIRED,
            "reduced: between rotors, the cross as one degree of freedom; spatial: yokes and cross "
            "in space, with pins in bores"),
    HK_REAL(universal, clearance_a, "m", 0,
            "radius of the bores of yoke a minus that of the pins; 0: no clearance"),
    HK_REAL(universal, clearance_b, "m", 0,
            "the same for yoke b; reduced: one of the two must be 0"),
    HK_REAL(
        universal, arm, "m", HK_REQUIRED | HK_POSITIVE,
        "distance from the joint's centre to the outer ends of the bores, at which the pins touch"),
    HK_REAL(universal, pin_radius, "m", HK_REQUIRED | HK_POSITIVE, "radius of the pins"),
    HK_REAL(universal, length, "m", HK_POSITIVE,
            "spatial: length of the bores, inwards from the arm; default: half of the arm"),
    HK_REAL(universal, articulation_angle, "rad", 0,
            "angle between the shafts; spatial: optional, given by the frames"),
    HK_REAL(universal, cross_density, "kg/m^3", HK_POSITIVE,
            "density of the cross, if cross_mass is omitted"),
    HK_REAL(
        universal, cross_mass, "kg", HK_POSITIVE,
        "mass of the cross; default: two crossed cylinders of pin_radius and length 2 arm, with "
        "cross_density"),
    HK_REALS(universal, cross_inertia, 3, "kg m^2", 0,
             "moments of inertia of the cross about the pins of a, about those of b, and about the "
             "normal of both; default: from the geometry and the mass"),
    HK_LAW_NAME(universal, law, 0, "law between pins and bores"),
    HK_ENUM(universal, bores, BORES, 0,
            "spatial, sides with clearance: round, or slotted: the pins have clearance around the "
            "shaft, but none along it, as in the reduced joint"),
    HK_ENUM(universal, friction, FRICTIONS, 0,
            "spatial, sides with clearance: friction around the pins only, or also along them"),
    HK_REAL(
        universal, mu_no_clearance, NULL, 0,
        "spatial: coefficient of friction of a side without clearance; default: that of the law",
        HK_MIN(0)),
    HK_REAL(universal, friction_velocity, "m/s", HK_POSITIVE,
            "spatial: regularisation velocity of the friction of a side without clearance"),
    HK_REALS_EACH(universal, clearance_error, 4, "m", "pin",
                  "spatial: added to the radius of the bore; pins 0 and 1 are those of yoke a at "
                  "-x and +x, pins 2 and 3 those of yoke b at -y and +y"),
    HK_REALS_EACH(universal, pitch_error, 4, "m", "pin",
                  "spatial: displacement of the bore around the shaft"),
    HK_REALS_EACH(universal, axial_error, 4, "m", "pin",
                  "spatial, round bores: displacement of the bore along the shaft"),
};

/* ---- checks ---- */

static hk_status check_sizes(const universal *p, hk_error *err) {
  const struct {
    const char *name;
    double value;
  } play[] = {{"clearance_a", p->clearance_a}, {"clearance_b", p->clearance_b}};
  for (int i = 0; i < 2; i++) {
    if (!(play[i].value >= 0))
      return hk_fail(err, HK_EINPUT,
                     "%s is %g um: the bores of radius %g mm would be smaller than the pins of "
                     "%g mm",
                     play[i].name, 1e6 * play[i].value, 1e3 * (p->pin_radius + play[i].value),
                     1e3 * p->pin_radius);
    if (!(play[i].value < 0.1 * p->pin_radius))
      return hk_fail(err, HK_EINPUT, "%s %g mm must be less than a tenth of the pins' radius %g mm",
                     play[i].name, 1e3 * play[i].value, 1e3 * p->pin_radius);
  }
  for (int i = 0; i < 3; i++)
    if (!(p->cross_inertia[i] >= 0) || !isfinite(p->cross_inertia[i]) ||
        (p->cross_inertia[i] == 0) != (p->cross_inertia[0] == 0))
      return hk_fail(err, HK_EINPUT, "the cross's moments of inertia must be positive");
  if (!isfinite(p->arm) || !isfinite(p->pin_radius) || !isfinite(p->articulation_angle))
    return hk_fail(err, HK_EINPUT, "arm, pin_radius and articulation_angle must be finite");
  return HK_OK;
}

/* Checks that deviations are given only for bores with clearance, and that the pins still fit. */
static hk_status check_errors(const universal *p, hk_error *err) {
  for (int i = 0; i < 4; i++) {
    double off = hypot(p->pitch_error[i], p->axial_error[i]), wide = p->clearance_error[i];
    double play = hk_universal_play(p, i / 2);
    if (off == 0 && wide == 0) continue;
    if (p->fidelity == REDUCED || !(play > 0))
      return hk_fail(err, HK_EINPUT, "pin %d has deviations, but %s", i,
                     p->fidelity == REDUCED ? "fidelity: reduced does not distinguish the pins"
                                            : "its side has no clearance");
    if (p->axial_error[i] != 0 && p->bores == HK_UNIVERSAL_SLOTTED)
      return hk_fail(err, HK_EINPUT,
                     "axial_error of pin %d has no effect, because slotted bores hold the pins "
                     "along the shaft; remove it",
                     i);
    if (!(off <= play + wide))
      return hk_fail(err, HK_EINPUT,
                     "the bore of pin %d is displaced by %g um, more than its clearance of %g um",
                     i, 1e6 * off, 1e6 * (play + wide));
  }
  return HK_OK;
}

static hk_status check(const hk_universal_build *u, hk_error *err) {
  const universal *p = u->p;
  static const char *const unused[] = {"at", "axis", "x_axis"};
  for (int i = 0; i < 3; i++)
    if (hk_item_has(u->item, unused[i]))
      return hk_fail(err, HK_EINPUT, "this joint uses the frames a and b; remove '%s'", unused[i]);
  if (!p->joint.b || !p->joint.a)
    return hk_fail(err, HK_EINPUT, "this joint needs two shafts a and b");
  hk_status status = check_sizes(p, err);
  if (!status && p->cross_inertia[0] == 0 && hk_item_has(u->item, "cross_inertia"))
    status = hk_fail(err, HK_EINPUT, "the cross's moments of inertia must be positive");
  if (!status) status = check_errors(p, err);
  if (status) return status;
  if ((p->clearance_a > 0 || p->clearance_b > 0 || p->fidelity == REDUCED) && !p->law)
    return hk_fail(err, HK_EINPUT, "pins in bores need a law, such as one of type signorini");
  if (p->law && !u->law) return hk_fail(err, HK_EINPUT, "there is no law '%s'", p->law);
  return HK_OK;
}

/* ---- reduced ---- */

typedef struct shaft {
  const hk_item *rotor;
  hk_quat axis; /* rotation of z onto the rotor's axis, in body axes */
  hk_mass_properties m;
} shaft;

static hk_status find_rotor(const hk_stand *at, const char *name, shaft *out, hk_error *err) {
  const hk_body_ops *ops = at->body ? at->body->type->ops : NULL;
  if (!ops || !ops->node->axis)
    return hk_fail(err, HK_EINPUT,
                   "fidelity: reduced needs rotors, but '%s' is not a rotor; fidelity: spatial "
                   "supports any bodies",
                   name);
  *out = (shaft){.rotor = at->body};
  hk_status status = ops->mass(at->body, &out->m, err);
  if (status) return status;
  hk_vec3 z = hk_norm(out->m.axis) > 0 ? hk_unit3(out->m.axis) : hk_v3(0, 0, 1);
  hk_vec3 side = fabs(z.x) < 0.9 ? hk_v3(1, 0, 0) : hk_v3(0, 1, 0);
  hk_vec3 y = hk_unit3(hk_cross(z, side)), x = hk_cross(y, z);
  hk_mat3 R = {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
  out->axis = hk_quat_from_matrix(&R);
  return HK_OK;
}

/* Adds the cross, which starts in the centre of its clearance. The initial rate of the cross is the rate of the shaft
 * without clearance or, if the file gives no rate for this shaft, the rate of the yoke with clearance. */
static void add_reduced_cross(hk_universal_build *u, const shaft *yoke, const shaft *fitted,
                              int side) {
  const universal *p = u->p;
  hk_parts *s = &u->parts;
  const hk_body_common *body = yoke->rotor->data;
  const double *J = u->inertia;
  /* In the axes of the cross: x along the pins of the other yoke, y along the pins of this yoke. */
  const double own[3] = {J[1 - side], J[side], J[2]};
  hk_part_add(s, HK_BODY, "universal_shaft", "cross", -1);
  hk_part_real(s, "inertia", 0);
  if (!s->status) s->status = hk_item_reals(s->item, "cross_inertia", own, 3, s->err);
  hk_part_real(s, "articulation_angle", p->articulation_angle);
  hk_part_real(s, "angle", yoke->m.angle);
  bool led = hk_item_has(fitted->rotor, "rate");
  if (led || hk_item_has(yoke->rotor, "rate"))
    hk_part_real(s, "rate", led ? fitted->m.rate : yoke->m.rate);
  if (led && !s->status)
    /* not marked as given by the user, so that assembly may change the rate according to the
     * transmission ratio of the joint */
    hk_item_forget(s->item, "rate");
  hk_part_vec3(s, "position", body->position);
  hk_part_rotation(s, "orientation", hk_quat_mul(body->orientation, yoke->axis));
}

/* Adds a sensor "what_side" that reads an expression. */
void hk_universal_sensor(hk_universal_build *u, int side, const char *what, const char *text) {
  char name[60];
  snprintf(name, sizeof name, "%s_%c", what, "ab"[side]);
  hk_part_add(&u->parts, HK_SENSOR, "expression", name, -1);
  hk_part_expression(&u->parts, "value", "%s", text);
}

void hk_universal_closed(hk_universal_build *u, int side) {
  char text[220];
  snprintf(text, sizeof text, "if(%s.impulse_%c > 0 N*s, 1, 0)", u->parts.owner, "ab"[side]);
  hk_universal_sensor(u, side, "closed", text);
}

void hk_universal_fitted(hk_universal_build *u, int side) {
  hk_universal_sensor(u, side, "impulse", "0 N*s");
  hk_universal_sensor(u, side, "impacts", "0");
  hk_universal_sensor(u, side, "closed", "1");
}

static void add_rate(hk_universal_build *u, int side, const char *text) {
  char name[40];
  snprintf(name, sizeof name, "delta_%c_rate", "ab"[side]);
  hk_part_add(&u->parts, HK_SENSOR, "expression", name, -1);
  hk_part_expression(&u->parts, "value", "%s", text);
}

static void add_reduced_sensors(hk_universal_build *u, const char *yoke, int side) {
  const char *owner = u->parts.owner;
  char text[1200];
  snprintf(text, sizeof text, "%s.angle - %s.cross.angle", yoke, owner);
  hk_universal_sensor(u, side, "delta", text);
  snprintf(text, sizeof text, "%s.angle_rate - %s.cross.angle_rate", yoke, owner);
  add_rate(u, side, text);
  snprintf(text, sizeof text, "max(%s.bores.left.impulse, %s.bores.right.impulse)", owner, owner);
  hk_universal_sensor(u, side, "impulse", text);
  snprintf(text, sizeof text, "%s.bores.left.impacts + %s.bores.right.impacts", owner, owner);
  hk_universal_sensor(u, side, "impacts", text);
  hk_universal_closed(u, side);
  hk_universal_sensor(u, 1 - side, "delta", "0 rad");
  add_rate(u, 1 - side, "0 rad/s");
  hk_universal_fitted(u, 1 - side);
}

static hk_status check_reduced(const hk_universal_build *u, hk_error *err) {
  const universal *p = u->p;
  if (!hk_item_has(u->item, "articulation_angle"))
    return hk_fail(err, HK_EINPUT,
                   "fidelity: reduced needs 'articulation_angle', the angle between the shafts");
  if (!(fabs(p->articulation_angle) < 1.5))
    return hk_fail(err, HK_EINPUT,
                   "articulation_angle %g deg must be less than 85.9 deg: at 90 deg a universal "
                   "joint transmits no rotation",
                   57.29577951308232 * p->articulation_angle);
  if (p->clearance_a > 0 && p->clearance_b > 0)
    return hk_fail(err, HK_EINPUT,
                   "fidelity: reduced has clearance in one yoke; with both clearance_a and "
                   "clearance_b use fidelity: spatial");
  return HK_OK;
}

hk_status hk_universal_expand_reduced(hk_universal_build *u) {
  const universal *p = u->p;
  hk_parts *s = &u->parts;
  const int side = p->clearance_b > 0 ? HK_SIDE_B : HK_SIDE_A;
  const hk_stand *at[2] = {&u->a, &u->b};
  const char *name[2] = {p->joint.a, p->joint.b};
  shaft shafts[2];
  char marker[160], frame[420], coordinate[300];
  hk_status status = check_reduced(u, s->err);
  for (int i = 0; i < 2 && !status; i++) status = find_rotor(at[i], name[i], &shafts[i], s->err);
  if (status) return status;
  const shaft *yoke = &shafts[side], *other = &shafts[1 - side];
  const hk_stand body = {.body = at[side]->body, .turn = yoke->axis};
  snprintf(marker, sizeof marker, "%s_yoke", u->prefix);
  snprintf(frame, sizeof frame, "%s.%s", yoke->rotor->name, marker);
  hk_part_marker(s, &body, marker, -1, hk_v3(0, 0, 0), NULL);
  add_reduced_cross(u, yoke, other, side);
  hk_part_add(s, HK_CONTACT, "universal_clearance", "bores", -1);
  hk_part_text(s, "a", frame);
  hk_part_frame(s, "b", "cross", -1);
  hk_part_text(s, "law", p->law);
  hk_part_real(s, "clearance", hk_universal_play(p, side));
  hk_part_real(s, "arm", p->arm);
  hk_part_real(s, "pin_radius", p->pin_radius);
  hk_part_real(s, "angle", p->articulation_angle);
  hk_part_add(s, HK_JOINT, "coupling", "shaft", -1);
  snprintf(coordinate, sizeof coordinate, "%s.cross.output_angle", s->owner);
  if (!s->status) s->status = hk_item_term(s->item, "terms", coordinate, 1, s->err);
  snprintf(coordinate, sizeof coordinate, "%s.angle", other->rotor->name);
  if (!s->status) s->status = hk_item_term(s->item, "terms", coordinate, -1, s->err);
  add_reduced_sensors(u, yoke->rotor->name, side);
  return s->status;
}

/* ---- both ---- */

/* Mass and inertia of the cross, as given or those of two cylinders of radius r and length 2 `a` that cross at right
 * angles. Their intersection (Steinmetz' solid) has the volume 16/3 r^3 and, about an axis of a cylinder, the inertia
 * 112/45 r^5, about the normal of both 128/45 r^5, at density 1. */
static void fill_cross(hk_universal_build *u) {
  const universal *p = u->p;
  const double r = p->pin_radius, r2 = r * r, a = fmax(p->arm, r), r5 = r2 * r2 * r;
  const double rod = 2 * M_PI * r2 * a, volume = 2 * rod - 16.0 / 3 * r2 * r;
  const double along = 0.5 * rod * r2, across = rod * (0.25 * r2 + a * a / 3);
  const double shape[3] = {along + across - 112.0 / 45 * r5, along + across - 112.0 / 45 * r5,
                           2 * across - 128.0 / 45 * r5};
  const bool mass = p->cross_mass > 0, inertia = p->cross_inertia[0] > 0;
  u->mass = mass ? p->cross_mass : p->cross_density * volume;
  for (int i = 0; i < 3; i++)
    u->inertia[i] = inertia ? p->cross_inertia[i] : u->mass / volume * shape[i];
  const hk_filled filled[] = {{"cross_mass", u->mass, "kg", mass || p->fidelity == REDUCED},
                              {"cross_inertia", u->inertia[0], "kg*m^2 about the pins", inertia},
                              {"and", u->inertia[2], "kg*m^2 about their normal", inertia}};
  char from[96];
  snprintf(from, sizeof from, "two crossed cylinders, cross_density %g kg/m^3", p->cross_density);
  hk_part_filled(&u->parts, filled, 3, from);
}

static hk_status expand(const hk_item *item, hk_spec *spec, hk_error *err) {
  hk_universal_build u = {.item = item,
                          .p = hk_item_data(item),
                          .parts = {.spec = spec, .owner = hk_item_name(item), .err = err}};
  if (strlen(hk_item_name(item)) > 100) return hk_fail(err, HK_EINPUT, "its name is too long");
  if (u.p->law) u.law = hk_spec_find(spec, HK_LAW, u.p->law);
  hk_status status = check(&u, err);
  if (!status) fill_cross(&u);
  if (!status) status = hk_stand_find(spec, u.p->joint.a, &u.a, err);
  if (!status) status = hk_stand_find(spec, u.p->joint.b, &u.b, err);
  if (status) return status;
  snprintf(u.prefix, sizeof u.prefix, "%s", hk_item_name(item));
  for (char *c = u.prefix; *c; c++)
    if (*c == '.' || *c == '[' || *c == ']') *c = '_';
  return u.p->fidelity == REDUCED ? hk_universal_expand_reduced(&u)
                                  : hk_universal_expand_spatial(&u);
}

static const hk_quantity channels[] = {
    {"delta_a", "rad", "angle by which the yoke of a leads the cross"},
    {"delta_b", "rad", "angle by which the yoke of b leads the cross"},
    {"delta_a_rate", "rad/s", "rate of delta_a"},
    {"delta_b_rate", "rad/s", "rate of delta_b"},
    {"impulse_a", "N*s", "normal impulse in the bores of a in the last step; set-valued laws"},
    {"impulse_b", "N*s", "normal impulse in the bores of b in the last step; set-valued laws"},
    {"impacts_a", "1", "impacts in the bores of a since the start; set-valued laws"},
    {"impacts_b", "1", "impacts in the bores of b since the start; set-valued laws"},
    {"closed_a", "1", "1 while the bores of a are in contact, else 0; set-valued laws"},
    {"closed_b", "1", "1 while the bores of b are in contact, else 0; set-valued laws"},
    {"force_a", "N", "normal force in the bores of a; compliant laws"},
    {"force_b", "N", "normal force in the bores of b; compliant laws"},
};

static const hk_joint_ops ops = {.frames = true, .expand = expand, HK_CHANNELS(channels)};

/* Draws yokes and cross.  The reduced joint has angles only: its yokes are drawn at their rotors,
 * and the cross rotates with the shaft without tilting. */
static void draw(const hk_item *item, hk_drawing *d) {
  const universal *p = hk_item_data(item);
  double width = p->length > 0 ? p->length : 0.5 * p->arm;
  /* maps x to y, and z to -z */
  const hk_quat flip = hk_quat_exp(hk_v3(M_PI / sqrt(2), M_PI / sqrt(2), 0));
  char frame[420];
  hk_mesh a = {0}, b = {0}, cross = {0};
  hk_mesh_yoke(&a, p->arm, p->pin_radius + p->clearance_a, width);
  hk_mesh_yoke(&b, p->arm, p->pin_radius + p->clearance_b, width);
  hk_mesh_cross(&cross, p->arm, p->pin_radius);
  hk_draw_style style = {.part = true};
  hk_draw(d, p->joint.a, &a, style);
  hk_draw_at(d, p->joint.b, hk_v3(0, 0, 0), flip, &b, style);
  snprintf(frame, sizeof frame, "%s.cross", hk_item_name(item));
  hk_draw(d, frame, &cross, (hk_draw_style){.paint = HK_PAINT_STEEL, .part = true});
}

static const char *const assumptions[] = {
    "Yokes, cross, pins and bores are rigid; impacts and friction are those of the law.",
    "reduced: the shafts are rotors at a fixed articulation angle. The cross has one degree of "
    "freedom, and one side has clearance. A pin touches its bore at the arm, on one side or the "
    "other. The pins have no clearance along the shaft.",
    "spatial: a pin is a cylinder that may touch its bore at the bore's two ends; the cross stays "
    "centred between the bottoms of the bores, without friction there.",
    "A side without clearance is a revolute joint with Coulomb friction, regularised at "
    "friction_velocity.",
    "The distribution of a load over two pins with clearance may be indeterminate for rigid "
    "bodies; their sum is unique.",
    NULL};

/* For the conformance tests: a joint with sizes of about 1 m, with an articulation angle, with or without clearance on each
 * side. */
static const double BEND = 0.2;

static hk_status sample(hk_item *item, hk_error *err) {
  const universal *p = hk_item_data(item);
  hk_parts s = {.item = item, .err = err};
  const double r = 0.6 + 0.2 * p->pin_radius, J[3] = {0.3, 0.4, 0.5};
  const double play[2] = {p->clearance_a < 0 ? 0 : 0.05 * r, p->clearance_b > 0 ? 0.07 * r : 0};
  static const char *const errors[] = {"clearance_error", "pitch_error", "axial_error"};
  const double *const drawn[] = {p->clearance_error, p->pitch_error, p->axial_error};
  for (int i = 0; i < 3; i++) {
    double list[4];
    bool none = p->fidelity == REDUCED || p->clearance_error[0] <= 0 ||
                /* many are without */ (i == 2 && p->bores == HK_UNIVERSAL_SLOTTED);
    for (int k = 0; k < 4; k++) list[k] = none ? 0 : 0.3 * play[k / 2] * drawn[i][k];
    hk_part_reals(&s, errors[i], list, 4);
  }
  hk_part_real(&s, "clearance_a", play[0]);
  hk_part_real(&s, "clearance_b", play[1]);
  hk_part_real(&s, "pin_radius", r);
  hk_part_real(&s, "arm", 2 * r);
  hk_part_real(&s, "length", 0.8 * r);
  hk_part_real(&s, "cross_mass", hk_given_or(p->cross_mass, 1));
  hk_part_reals(&s, "cross_inertia", J, 3);
  hk_part_real(&s, "mu_no_clearance", 0.04 * fmin(p->mu_no_clearance, 2));
  hk_part_real(&s, "articulation_angle", BEND);
  if (!s.status && p->fidelity != REDUCED)
    hk_item_forget(item, "articulation_angle"); /* in this case the frames determine the angle */
  return s.status;
}

static void stage(const hk_item *item, hk_stage *out) {
  const universal *p = hk_item_data(item);
  out->turn = hk_quat_exp(hk_v3(BEND, 0, 0));
  out->length = 0.1 * p->pin_radius;
  out->angle = 0.05;
  out->speed = 0.2;
  bool even = p->fidelity == SPATIAL;
  for (int i = 0; i < 4; i++)
    even = even && p->clearance_error[i] == 0 && p->pitch_error[i] == 0 && p->axial_error[i] == 0;
  if (even) out->fold = 2;
}

static void exchange(double *x, double *y) {
  const double kept = *x;
  *x = *y, *y = kept;
}

/* Exchanges the pins of `b` at -y and +y; the circumferential errors of all bores change sign. */
static void mirror(hk_item *item) {
  universal *p = hk_item_edit(item);
  for (int i = 0; i < 4; i++) p->pitch_error[i] = -p->pitch_error[i];
  exchange(&p->pitch_error[2], &p->pitch_error[3]);
  exchange(&p->axial_error[2], &p->axial_error[3]);
  exchange(&p->clearance_error[2], &p->clearance_error[3]);
}

const hk_type hk_type_joint_universal_clearance_joint = {
    .name = "universal_clearance_joint",
    .assumptions = assumptions,
    .category = HK_JOINT,
    .doc =
        "Universal joint with its cross, clearance and dry friction in the bores of the yokes, "
        "between rotors (reduced) or bodies in space (spatial: frames at the joint's centre, z "
        "along the shafts, pins along x of a and y of b).",
    .source = "reduced: [Ali2025]; spatial: the same contact law with bodies in space",
    .size = sizeof(universal),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
    .draw = draw,
    .sample = sample,
    .stage = stage,
    .symmetry = HK_MIRRORS,
    .mirror = mirror,
};
