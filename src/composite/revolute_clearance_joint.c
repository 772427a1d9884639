/* Revolute joint at four levels of fidelity (clearance.h): frame `a` is at the centre of the bush, frame `b` on the
 * axis of the journal, both with z along the axis.
 *
 *   ideal       joint pin (revolute; cylindrical if it may slide)
 *   compliant   force bushing (elastic_bush), radial stiffness at the centre of the bush, and tilt stiffness
 *   clearance   contact contact: at both ends of the bush (pin_in_bush), or in one plane
 *   lubricated  force film (film_journal), and the contact, with a clearance smaller by the roughness
 *
 * Along the axis the journal is held by a joint axial (point_on_plane) unless it may slide. In addition to the sensors
 * of clearance.h, the joint has the sensors `angle`, the rotation of `b` about the z axis of `a`, and `tilt`, the
 * angle between the axes. */
#include "composite/clearance.h"
#include "mesh/drawing.h"

typedef struct revolute_clearance {
  hk_clearance play;
  int axial, planes, slices;
  double length, tilt_stiffness, tilt_damping;
} revolute_clearance;

enum { HELD, FREE };
static const char *const AXIAL[] = {"fixed", "free", NULL};

static const revolute_clearance defaults = {
    .play.joint = HK_JOINT_COMMON_DEFAULTS, .planes = 2, .slices = 3};

static const hk_param params[] = {
    HK_CLEARANCE_PARAMS(revolute_clearance, "journal"),
    HK_REAL(revolute_clearance, length, "m", HK_POSITIVE,
            "length of the bush along its axis; lubricated, and clearance with two planes"),
    HK_INT(revolute_clearance, planes, 0,
           "number of contact planes: 2, at the ends of the bush, for a journal that may tilt; 1, "
           "at its centre, if other joints keep the axes parallel",
           HK_RANGE(1, 2)),
    HK_INT(revolute_clearance, slices, 0,
           "number of sections of the film along the axis; 1: no effect of misalignment",
           HK_RANGE(1, 9)),
    HK_ENUM(revolute_clearance, axial, AXIAL, 0,
            "whether the journal is held or free along the axis"),
    HK_REAL(revolute_clearance, tilt_stiffness, "N m/rad", 0,
            "tilt stiffness; compliant; default: springs distributed along the length", HK_MIN(0)),
    HK_REAL(revolute_clearance, tilt_damping, "N m s/rad", 0, "against tilting; compliant",
            HK_MIN(0)),
};

static hk_status check(const hk_item *item, const revolute_clearance *p, hk_error *err) {
  bool film = p->play.fidelity == HK_JOINT_LUBRICATED,
       ends = p->play.fidelity >= HK_JOINT_CLEARANCE && p->planes == 2;
  if ((film || ends) && !hk_item_has(item, "length"))
    return hk_fail(err, HK_EINPUT, "fidelity '%s' needs the length of the bush%s",
                   hk_clearance_fidelities[p->play.fidelity],
                   film ? "" : "; or give planes: 1 for one plane of contact");
  return HK_OK;
}

static void add_bushing(hk_clearance_build *k, const revolute_clearance *p) {
  const hk_clearance *c = k->p;
  /* tilt stiffness of springs distributed evenly along the bush */
  double tilt = hk_item_has(k->item, "tilt_stiffness") ? p->tilt_stiffness
                                                       : c->stiffness * p->length * p->length / 12;
  hk_clearance_part(k, HK_FORCE, "elastic_bush", "bushing");
  hk_part_real(&k->parts, "stiffness", c->stiffness);
  hk_part_real(&k->parts, "damping", c->damping);
  hk_part_real(&k->parts, "tilt_stiffness", tilt);
  hk_part_real(&k->parts, "tilt_damping", p->tilt_damping);
}

static void add_contact(hk_clearance_build *k, const revolute_clearance *p) {
  hk_clearance_part(k, HK_CONTACT, p->planes == 2 ? "pin_in_bush" : "pin_in_bush_planar",
                    "contact");
  hk_part_text(&k->parts, "law", k->p->law);
  hk_part_real(&k->parts, "bore_radius", k->p->radius + hk_clearance_left(k));
  hk_part_real(&k->parts, "pin_radius", k->p->radius);
  if (p->planes == 2) hk_part_real(&k->parts, "length", p->length);
}

static void add_film(hk_clearance_build *k, const revolute_clearance *p) {
  hk_clearance_part(k, HK_FORCE, "film_journal", "film");
  hk_part_real(&k->parts, "radius", k->p->radius);
  hk_part_real(&k->parts, "clearance", k->p->clearance);
  hk_part_real(&k->parts, "length", p->length);
  hk_part_real(&k->parts, "viscosity", k->p->viscosity);
  hk_part_real(&k->parts, "roughness", hk_clearance_roughness(k));
  hk_part_int(&k->parts, "slices", p->slices);
}

static void add_sensors(hk_clearance_build *k, const revolute_clearance *p) {
  static const char *const planes[2] = {"contact.near", "contact.far"};
  static const char *const plane[2] = {"contact", NULL};
  hk_clearance_part(k, HK_SENSOR, "angle", "angle");
  hk_clearance_part(k, HK_SENSOR, "articulation_angle", "tilt");
  hk_clearance_sensors(k, 2, p->planes == 2 ? planes : plane);
}

static hk_status expand(const hk_item *item, hk_spec *spec, hk_error *err) {
  const revolute_clearance *p = hk_item_data(item);
  const int fidelity = p->play.fidelity;
  hk_clearance_build k = {.item = item,
                          .p = &p->play,
                          .parts = {.spec = spec, .owner = hk_item_name(item), .err = err}};
  hk_status status = hk_clearance_begin(&k, "the middles");
  if (!status) status = check(item, p, err);
  if (status) return status;
  if (fidelity == HK_JOINT_IDEAL)
    hk_clearance_part(&k, HK_JOINT, p->axial == FREE ? "cylindrical" : "revolute", "pin");
  else if (p->axial == HELD)
    hk_clearance_part(&k, HK_JOINT, "point_on_plane", "axial");
  if (fidelity == HK_JOINT_COMPLIANT) add_bushing(&k, p);
  if (fidelity >= HK_JOINT_CLEARANCE) add_contact(&k, p);
  if (fidelity == HK_JOINT_LUBRICATED) add_film(&k, p);
  add_sensors(&k, p);
  return k.parts.status;
}

static const hk_quantity channels[] = {
    {"angle", "rad", "rotation of b about the axis of a"},
    {"tilt", "rad", "angle between the axes of a and b"},
    HK_CLEARANCE_CHANNELS,
};

static const hk_joint_ops ops = {.frames = true, .expand = expand, HK_CHANNELS(channels)};

/* Draws a journal in a bush, in the same way at every fidelity. Missing dimensions are replaced by dimensions that
 * are large enough to be visible. */
static void draw(const hk_item *item, hk_drawing *d) {
  const revolute_clearance *p = hk_item_data(item);
  const double r = p->play.radius > 0 ? p->play.radius : d->size;
  const double c = p->play.fidelity >= HK_JOINT_CLEARANCE ? p->play.clearance : 0, R = r + c;
  const double length = p->length > 0 ? p->length : 2 * r;
  hk_draw_cylinder(d, p->play.joint.a, 1.4 * R, R, length,
                   (hk_draw_style){.bore = c > 0 ? R : 0, .clearance = c});
  hk_draw_cylinder(d, p->play.joint.b, r, 0, 1.3 * length,
                   (hk_draw_style){.paint = HK_PAINT_STEEL});
}

static void stage(const hk_item *item, hk_stage *out) {
  const revolute_clearance *p = hk_item_data(item);
  hk_clearance_stage(item, out);
  /* With one plane of contact the axes are assumed parallel, and frame `b` is in this plane. */
  out->slides_b = p->axial == FREE && (p->planes == 2 || p->play.fidelity < HK_JOINT_CLEARANCE);
}

static const char *const assumptions[] = {
    "Journal and bush are rigid and round; only the contact law, the film or the bushing is "
    "compliant.",
    "clearance: the journal touches the bush at its two ends or, with planes: 1, at its centre; "
    "contacts are points, without a pressure distribution along the bush.",
    "lubricated: Reynolds' equation of a bearing of finite length, with constant viscosity and "
    "temperature and full oil supply; film pressures below ambient pressure are set to zero; the "
    "effect of misalignment is that of a short bearing, with a fitted correction for longer ones "
    "(error about 10 %); the surfaces are rigid. For gaps below the roughness the contact carries "
    "load.",
    "A frictionless joint holds the journal along the axis, unless axial: free.",
    "compliant: linear springs and dampers along the bush, the same in all radial directions.",
    NULL};

const hk_type hk_type_joint_revolute_clearance_joint = {
    .name = "revolute_clearance_joint",
    .assumptions = assumptions,
    .category = HK_JOINT,
    .doc =
        "Journal (b, z along its axis) in a bush (a at its centre, z along its axis): ideal, "
        "compliant, with clearance or lubricated (fidelity); adds its parts and sensors named "
        "after the joint.",
    .source = "definition; film of [Booker1965]",
    .size = sizeof(revolute_clearance),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
    .draw = draw,
    .sample = hk_clearance_sample,
    .stage = stage,
    .symmetry = HK_MIRRORS,
};
