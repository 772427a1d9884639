/* Elastic shaft of several sections, with bending, torsion, tension and mass.
 *
 * The shaft starts at the frame `a` and extends along the z axis of this frame. The joint adds these items, whose
 * names begin with the name of the joint:
 *
 *   bodies   start, end, station[k], and node[k] at changes of section and evenly in between; z along the shaft.  Parts on the
 *            shaft are mounted on these bodies.  After spline k the shaft continues with splined[k]
 *   forces   beam[k], from `a` on; spline[k]
 *   joints   hold_a, hold_b: the ends on the frames `a` and `b`; spline[k]
 *   markers  out, in on every body: x along the beam that begins or ends there
 *   sensors  stress_max, torsion_max over all beams; twist of the end relative to the start; frequency_error and
 *            highest_frequency: estimates of shaft_plan.c
 *
 * A beam of length h gives each of its nodes the mass rho A h/2, the first moment rho A h^2/12 towards its middle and half of
 * its section's inertias.  Together with stiffnesses that are exact at any length, this gives frequency errors
 * of third to fourth order in h, even with free ends, and the exact deflection under gravity at the nodes.
 * A residual bow is modelled by straight beams between nodes on half a sine wave. */
#include "composite/parts.h"
#include "composite/shaft_plan.h"
#include "spec/item.h"
#include <stdio.h>
#include <string.h>

static const char *const HOLD[] = {"both", "a", "b", "none", NULL};
enum { HOLD_BOTH, HOLD_A, HOLD_B, HOLD_NONE };
static const char *const SPLINES[] = {"slide", "fixed", NULL};
enum { SPLINES_SLIDE, SPLINES_HELD };

static const hk_shaft defaults = {.joint = HK_JOINT_COMMON_DEFAULTS,
                                  .youngs_modulus = 2.1e11,
                                  .poisson_ratio = 0.3,
                                  .density = 7850,
                                  .accuracy = 0.005};

#define BY_SECTION(member, unit, flags, doc) \
  HK_REALS(hk_shaft, member, HK_SHAFT_SECTIONS, unit, HK_UP_TO | (flags), doc)
#define BY_PLACE(member, unit, doc) HK_REALS(hk_shaft, member, HK_SHAFT_PLACES, unit, HK_UP_TO, doc)

static const hk_param params[] = {
    BY_SECTION(lengths, "m", HK_REQUIRED, "lengths of the sections, from a on"),
    BY_SECTION(outer_diameters, "m", 0,
               "outer diameter of each section; 0 if its stiffnesses and line_masses are given"),
    BY_SECTION(end_diameters, "m", 0,
               "outer diameter at the far end of each tapered section; 0: not tapered"),
    BY_SECTION(inner_diameters, "m", 0, "inner diameter of each hollow section"),
    BY_SECTION(section_youngs_modulus, "Pa", 0,
               "modulus of elasticity of sections of another material; 0: that of the shaft"),
    BY_SECTION(section_density, "kg/m^3", 0,
               "density of sections of another material; 0: that of the shaft"),
    BY_SECTION(axial_stiffnesses, "N", 0, "EA of each section that is not round; else 0"),
    BY_SECTION(shear_stiffnesses, "N", 0,
               "GA times the shear factor of each section that is not round; else 0"),
    BY_SECTION(torsion_stiffnesses, "N m^2", 0, "GJ, likewise"),
    BY_SECTION(bending_stiffnesses, "N m^2", 0,
               "EI about both axes of each section that is not round; else 0"),
    BY_SECTION(line_masses, "kg/m", 0, "mass per length of each section that is not round; else 0"),
    BY_PLACE(stations, "m",
             "distances from a of the bodies station[k], on which other parts can be mounted"),
    BY_PLACE(disc_positions, "m", "distances from a of discs and flanges; ends included"),
    BY_PLACE(disc_masses, "kg", "mass of each disc"),
    BY_PLACE(disc_inertias, "kg m^2",
             "axial moment of inertia of each disc with a mass; the transverse one is half of it"),
    BY_PLACE(disc_diameters, "m",
             "diameter of each disc without a mass, which has the shaft's density"),
    BY_PLACE(disc_widths, "m", "width of each disc without a mass"),
    BY_PLACE(spline_positions, "m",
             "distances from a of splines; at 0 or the whole length between the shaft and a or b"),
    BY_PLACE(spline_stiffnesses, "N m/rad", "torsional, of each spline"),
    BY_PLACE(spline_backlashes, "rad", "angle between the flanks, of each spline"),
    BY_PLACE(spline_dampings, "N m s/rad", "torsional, of each spline"),
    HK_ENUM(hk_shaft, splines, SPLINES, 0, "whether splines slide along the shaft"),
    HK_REAL(hk_shaft, youngs_modulus, "Pa", HK_POSITIVE, "modulus of elasticity"),
    HK_REAL(hk_shaft, poisson_ratio, NULL, 0, "Poisson's ratio", HK_RANGE(0, 0.5)),
    HK_REAL(hk_shaft, density, "kg/m^3", HK_POSITIVE, "density of the material"),
    HK_REAL(hk_shaft, damping, "s", 0,
            "stiffness-proportional damping of the material: 2 zeta/omega for the damping ratio "
            "zeta at omega",
            HK_MIN(0)),
    HK_INT(hk_shaft, elements, 0,
           "minimum number of beams; 0: as many as highest_frequency and accuracy require",
           HK_RANGE(0, 300)),
    HK_REAL(hk_shaft, highest_frequency, "Hz", 0,
            "frequency up to which natural frequencies must be accurate; 0: estimate of the third "
            "bending mode of the free shaft",
            HK_MIN(0)),
    HK_REAL(hk_shaft, accuracy, NULL, 0,
            "allowed relative error of these frequencies; the channel frequency_error gives the "
            "estimated one",
            HK_RANGE(1e-5, 0.1)),
    HK_REAL(hk_shaft, bow, "m", 0,
            "residual bow: deflection of the centre from the line between the ends without load, "
            "half a sine wave"),
    HK_REAL(hk_shaft, bow_angle, "rad", 0, "direction of the bow, from x of a about z"),
    HK_REAL(hk_shaft, speed, "rad/s", 0,
            "initial angular velocity about its axis, in addition to that of a"),
    HK_ENUM(hk_shaft, hold, HOLD, 0, "which ends are fixed to the frames a and b"),
};

/* ---- parts ---- */

typedef struct build {
  hk_shaft_plan plan;
  hk_parts parts;
  hk_stand a, b;
} build;

static int spline_at(const hk_shaft_plan *s, int k) {
  return hk_shaft_place_at(s, s->p->spline_positions, s->n_splines, k);
}

static bool is_inner(const hk_shaft_plan *s, int k) { return k > 0 && k < s->n_nodes - 1; }

/* Returns the name of node k without the name of the shaft. *index: the number in brackets
 * after this name, or -1. */
static const char *node_name(const hk_shaft_plan *s, int k, int *index) {
  *index = -1;
  if (k == 0) return "start";
  if (k == s->n_nodes - 1) return "end";
  *index = hk_shaft_place_at(s, s->p->stations, s->n_stations, k);
  if (*index >= 0) return "station";
  *index = k;
  return "node";
}

/* Position of node k and direction of the axis there, in the axes of `a`. */
static hk_vec3 place_of(const hk_shaft_plan *s, int k) {
  double off = s->p->bow * sin(M_PI * s->z[k] / s->length);
  if (!is_inner(s, k)) off = 0;
  return hk_v3(off * cos(s->p->bow_angle), off * sin(s->p->bow_angle), s->z[k]);
}

/* Axes with x along the beam after node k. */
static hk_mat3 beam_axes(const hk_shaft_plan *s, int k, double *length) {
  hk_vec3 way = hk_sub(place_of(s, k + 1), place_of(s, k));
  *length = hk_norm(way);
  hk_vec3 x = hk_scale(1 / *length, way);
  hk_vec3 y = hk_cross(x, hk_v3(1, 0, 0)); /* for a straight shaft, the y axis equals that of `a` */
  y = hk_scale(1 / hk_norm(y), y);
  hk_vec3 z = hk_cross(x, y);
  return (hk_mat3){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
}

static void add_body(build *j, const char *name, int index, int k, const hk_shaft_lump *l) {
  hk_parts *parts = &j->parts;
  hk_mat3 R = hk_quat_matrix(j->a.q);
  hk_vec3 arm = hk_mul(&R, place_of(&j->plan, k));
  hk_vec3 w = hk_axpy(j->a.w, j->plan.p->speed, hk_column(&R, 2));
  hk_part_add(parts, HK_BODY, "rigid_body", name, index);
  hk_part_real(parts, "mass", l->mass);
  hk_part_vec3(parts, "center_of_mass", hk_v3(0, 0, l->moment / l->mass));
  if (!parts->status)
    parts->status = hk_item_reals(parts->item, "inertia",
                                  (double[]){l->across, l->across, l->along}, 3, parts->err);
  hk_part_vec3(parts, "position", hk_add(j->a.x, arm));
  hk_part_rotation(parts, "orientation", j->a.q);
  hk_part_vec3(parts, "velocity", hk_add(j->a.v, hk_cross(w, arm)));
  hk_part_vec3(parts, "angular_velocity", w);
}

/* Adds the markers of the body just added at which the beams after and before node k begin and
 * end. */
static void add_markers(build *j, int k, bool out, bool in) {
  const hk_stand node = {.body = j->parts.item, .turn = {1, 0, 0, 0}};
  double length;
  if (out) {
    hk_mat3 axes = beam_axes(&j->plan, k, &length);
    hk_part_marker(&j->parts, &node, "out", -1, hk_v3(0, 0, 0), &axes);
  }
  if (in) {
    hk_mat3 axes = beam_axes(&j->plan, k - 1, &length);
    hk_part_marker(&j->parts, &node, "in", -1, hk_v3(0, 0, 0), &axes);
  }
}

static void add_node(build *j, int k) {
  const hk_shaft_plan *s = &j->plan;
  bool first = k == 0, last = k == s->n_nodes - 1, cut = is_inner(s, k) && spline_at(s, k) >= 0;
  hk_shaft_lump l = {0}, behind = {0};
  int index;
  if (!first) hk_shaft_add_half(s, k - 1, -1, &l);
  if (!last) hk_shaft_add_half(s, k, 1, cut ? &behind : &l);
  hk_shaft_add_discs(s, k, &l);
  const char *name = node_name(s, k, &index);
  add_body(j, name, index, k, &l);
  add_markers(j, k, !last && !cut, !first);
  if (!cut) return;
  add_body(j, "splined", spline_at(s, k), k, &behind);
  add_markers(j, k, true, false);
}

/* "owner.node[3].out" */
static void name_marker(const build *j, int k, const char *marker, char out[300]) {
  const hk_shaft_plan *s = &j->plan;
  int index;
  const char *name = node_name(s, k, &index);
  if (strcmp(marker, "out") == 0 && is_inner(s, k) && spline_at(s, k) >= 0)
    name = "splined", index = spline_at(s, k);
  if (index < 0)
    snprintf(out, 300, "%s.%s.%s", j->parts.owner, name, marker);
  else
    snprintf(out, 300, "%s.%s[%d].%s", j->parts.owner, name, index, marker);
}

static void add_beam(build *j, int k) {
  hk_parts *parts = &j->parts;
  hk_shaft_section beam = hk_shaft_beam(&j->plan, k);
  char end[2][300];
  double length;
  beam_axes(&j->plan, k, &length);
  name_marker(j, k, "out", end[0]);
  name_marker(j, k + 1, "in", end[1]);
  hk_part_add(parts, HK_FORCE, "beam", "beam", k);
  hk_part_text(parts, "a", end[0]);
  hk_part_text(parts, "b", end[1]);
  hk_part_real(parts, "length", length);
  if (beam.outer > 0) { /* dimensions for stresses and drawings */
    hk_part_real(parts, "outer_diameter", beam.outer);
    hk_part_real(parts, "inner_diameter", beam.inner);
    hk_part_real(parts, "youngs_modulus", j->plan.p->youngs_modulus);
  }
  hk_part_real(parts, "axial_stiffness", beam.axial);
  hk_part_real(parts, "shear_stiffness_y", beam.shear);
  hk_part_real(parts, "torsion_stiffness", beam.torsion);
  hk_part_real(parts, "bending_stiffness_y", beam.bending);
  hk_part_real(parts, "damping", j->plan.p->damping);
}

/* ---- splines and ends ---- */

/* Adds the spring of spline i along the angle of a joint. */
static void add_spline_spring(build *j, int i, const char *joint) {
  const hk_shaft *p = j->plan.p;
  char coordinate[300];
  snprintf(coordinate, sizeof coordinate, "%s.%s.angle", j->parts.owner, joint);
  hk_part_add(&j->parts, HK_FORCE, "torsion_spring", "spline", i);
  hk_part_text(&j->parts, "coordinate", coordinate);
  hk_part_real(&j->parts, "stiffness", p->spline_stiffnesses[i]);
  hk_part_real(&j->parts, "backlash", p->spline_backlashes[i]);
  hk_part_real(&j->parts, "damping", p->spline_dampings[i]);
}

static const char *spline_joint(const build *j) {
  return j->plan.p->splines == SPLINES_HELD ? "revolute" : "cylindrical";
}

static void add_inner_spline(build *j, int k) {
  int i = spline_at(&j->plan, k), index;
  const char *name = node_name(&j->plan, k, &index);
  char joint[40];
  hk_part_add(&j->parts, HK_JOINT, spline_joint(j), "spline", i);
  hk_part_frame(&j->parts, "a", name, index);
  hk_part_frame(&j->parts, "b", "splined", i);
  snprintf(joint, sizeof joint, "spline[%d]", i);
  add_spline_spring(j, i, joint);
}

/* Connects an end to its frame: fixed, or by a spline if there is one. */
static void add_hold(build *j, const char *name, const char *frame, const char *end, int k,
                     hk_vec3 at) {
  hk_parts *parts = &j->parts;
  int i = spline_at(&j->plan, k);
  hk_mat3 R = hk_quat_matrix(j->a.q);
  hk_part_add(parts, HK_JOINT, i >= 0 ? spline_joint(j) : "fixed", name, -1);
  hk_part_text(parts, "a", frame);
  hk_part_frame(parts, "b", end, -1);
  hk_part_vec3(
      parts, "at",
      /* both frames in their initial orientation, because the frame `b` may be rotated about the shaft */
      at);
  if (i < 0) return;
  hk_part_vec3(parts, "axis", hk_column(&R, 2));
  add_spline_spring(j, i, name);
}

static hk_status check_end(const build *j, hk_error *err) {
  double length = j->plan.length;
  hk_mat3 R = hk_quat_matrix(j->a.q);
  hk_vec3 end = hk_axpy(j->a.x, length, hk_column(&R, 2));
  double off = hk_norm(hk_sub(j->b.x, end));
  if (off <= 1e-6 * length) return HK_OK;
  return hk_fail(err, HK_EINPUT,
                 "the shaft is %g mm long and ends %g mm away from the frame b, which is %g mm "
                 "from the frame a; change a length or move the body",
                 1e3 * length, 1e3 * off, 1e3 * hk_norm(hk_sub(j->b.x, j->a.x)));
}

/* Rejects the parameter `speed` if the shaft is fixed to frame `a` and the body of this frame rotates about the axis.
 * The fixed end has the angular velocity of this body, and the assembly, which closes the joints, would change any
 * other speed. */
static hk_status check_speed(const build *j, bool at_a, hk_error *err) {
  hk_mat3 R = hk_quat_matrix(j->a.q);
  double turn = hk_dot(j->a.w, hk_column(&R, 2)), speed = j->plan.p->speed;
  if (!at_a || speed == 0 || turn == 0) return HK_OK;
  return hk_fail(
      err, HK_EINPUT,
      "speed (%.6g rad/s) is in addition to the angular velocity of frame a (%.6g rad/s about "
      "the axis), but the "
      "shaft is fixed to frame a and rotates with it; omit speed",
      speed, turn);
}

/* Checks that an end with a spline is held: the spline connects the shaft with the frame at this end. */
static hk_status check_end_splines(const build *j, bool at_a, bool at_b, hk_error *err) {
  int last = j->plan.n_nodes - 1;
  if ((spline_at(&j->plan, 0) < 0 || at_a) && (spline_at(&j->plan, last) < 0 || at_b)) return HK_OK;
  return hk_fail(err, HK_EINPUT,
                 "a spline at an end of the shaft connects it with its frame: hold that end, or "
                 "move the spline");
}

/* ---- sensors ---- */

enum { GROUP = 24 }; /* number of beams in one expression */

/* Adds the sensor "name" of the largest |channel| of all beams; many beams are split into groups
 * "name_of[k]". */
static void add_largest(build *j, const char *name, const char *channel) {
  int beams = j->plan.n_nodes - 1, groups = (beams + GROUP - 1) / GROUP;
  char text[4000], part[80];
  for (int g = 0; g < groups; g++) {
    size_t n = 0;
    int end = (g + 1) * GROUP < beams ? (g + 1) * GROUP : beams;
    for (int k = g * GROUP; k < end; k++)
      n += (size_t)snprintf(text + n, sizeof text - n, "%sabs(%.60s.beam[%d].%s)",
                            k > g * GROUP ? ", " : "", j->parts.owner, k, channel);
    snprintf(part, sizeof part, "%s_of", name);
    hk_part_add(&j->parts, HK_SENSOR, "expression", groups > 1 ? part : name, groups > 1 ? g : -1);
    hk_part_expression(&j->parts, "value", end - g * GROUP > 1 ? "max(%s)" : "%s", text);
  }
  if (groups < 2) return;
  size_t n = 0;
  for (int g = 0; g < groups; g++)
    n += (size_t)snprintf(text + n, sizeof text - n, "%s%.60s.%s_of[%d]", g ? ", " : "",
                          j->parts.owner, name, g);
  hk_part_add(&j->parts, HK_SENSOR, "expression", name, -1);
  hk_part_expression(&j->parts, "value", "max(%s)", text);
}

static void add_sensors(build *j) {
  hk_parts *parts = &j->parts;
  add_largest(j, "stress_max", "stress");
  add_largest(j, "torsion_max", "torsion");
  hk_part_add(parts, HK_SENSOR, "twist", "twist", -1);
  hk_part_frame(parts, "a", "start", -1);
  hk_part_frame(parts, "b", "end", -1);
  hk_part_add(parts, HK_SENSOR, "expression", "frequency_error", -1);
  hk_part_expression(parts, "value", "%.4g", j->plan.error);
  hk_part_add(parts, HK_SENSOR, "expression", "highest_frequency", -1);
  hk_part_expression(parts, "value", "%.6g Hz", j->plan.frequency);
}

/* ---- the joint ---- */

static void add_parts(build *j, bool at_a, bool at_b) {
  const hk_shaft_plan *s = &j->plan;
  for (int k = 0; k < s->n_nodes; k++) add_node(j, k);
  for (int k = 0; k < s->n_nodes - 1; k++) add_beam(j, k);
  for (int k = 1; k < s->n_nodes - 1; k++)
    if (spline_at(s, k) >= 0) add_inner_spline(j, k);
  if (at_a) add_hold(j, "hold_a", s->p->joint.a, "start", 0, j->a.x);
  if (at_b) add_hold(j, "hold_b", s->p->joint.b, "end", s->n_nodes - 1, j->b.x);
  add_sensors(j);
}

static hk_status expand(const hk_item *item, hk_spec *spec, hk_error *err) {
  build j = {.parts = {.spec = spec, .owner = hk_item_name(item), .err = err}};
  if (hk_item_has(item, "at") || hk_item_has(item, "axis") || hk_item_has(item, "x_axis"))
    return hk_fail(err, HK_EINPUT,
                   "a shaft starts at the frame a and extends along its z axis; use a marker, not "
                   "at and axis");
  hk_status status = hk_shaft_plan_make(item, &j.plan, err);
  if (status) return status;
  const hk_shaft *p = j.plan.p;
  bool at_a = p->hold == HOLD_BOTH || p->hold == HOLD_A;
  bool at_b = p->joint.b && (p->hold == HOLD_BOTH || p->hold == HOLD_B);
  status = check_end_splines(&j, at_a, at_b, err);
  if (!status) status = hk_stand_find(spec, p->joint.a, &j.a, err);
  if (!status && p->joint.b) status = hk_stand_find(spec, p->joint.b, &j.b, err);
  if (!status) status = check_speed(&j, at_a, err);
  if (!status && at_b) status = check_end(&j, err);
  if (status) return status;
  add_parts(&j, at_a, at_b);
  return j.parts.status;
}

static const hk_quantity channels[] = {
    {"twist", "rad", "twist: angle by which the end leads the start"},
    {"stress_max", "Pa", "largest equivalent stress of the beams"},
    {"torsion_max", "N*m", "largest torsional moment of the beams"},
    {"frequency_error", "1", "estimated relative error at the highest required frequency"},
    {"highest_frequency", "1/s", "highest frequency for which the number of beams was chosen"},
};

static const hk_joint_ops ops = {.frames = true, .expand = expand, HK_CHANNELS(channels)};

static const char *const assumptions[] = {
    "Sections are round and stay plane; the beams follow Timoshenko's theory with large rotations.",
    "Strains are small and the material is linear.",
    "Mass and inertia are lumped at the nodes. Gyroscopic effects are computed from these lumped "
    "inertias.",
    "Damping is proportional to stiffness: stress = damping times the strain rate.",
    "Stress concentrations are not modelled: sections have their full stiffness up to a step of "
    "the "
    "diameter.",
    NULL};

/* For the conformance tests: two sections with a total length of 1 m, compliant and light, with a disc, a station and one or
 * two splines. */
static const double SAMPLE_LENGTHS[2] = {0.6, 0.4};

static hk_status sample(hk_item *item, hk_error *err) {
  const hk_shaft *p = hk_item_data(item);
  hk_parts s = {.item = item, .err = err};
  const double spline = p->spline_positions[0], disc = p->disc_positions[0];
  const hk_param *list;
  for (int i = 0; (list = hk_type_param(hk_item_type(item), i)); i++)
    if (list->kind == HK_PARAM_REALS) {
      hk_part_reals(&s, list->name, (double[]){0}, 1);
      if (!s.status) hk_item_forget(item, list->name);
    }
  if (p->hold == HOLD_A) { /* the other end of the shaft has no frame */
    ((hk_shaft *)hk_item_edit(item))->joint.b = NULL;
    hk_item_forget(item, "b");
  }
  hk_part_reals(&s, "lengths", SAMPLE_LENGTHS, 2);
  hk_part_reals(&s, "outer_diameters", (double[]){0.3, 0.2}, 2);
  hk_part_reals(&s, "end_diameters", (double[]){0.25, 0}, 2);
  hk_part_reals(&s, "inner_diameters", (double[]){0, 0.1}, 2);
  hk_part_reals(&s, "stations", (double[]){0.3}, 1);
  if (disc != 0) {
    hk_part_reals(&s, "disc_positions", (double[]){0.5}, 1);
    hk_part_reals(&s, "disc_masses", (double[]){0.4}, 1);
    hk_part_reals(&s, "disc_inertias", (double[]){0.05}, 1);
  }
  if (spline != 0) {
    hk_part_reals(&s, "spline_positions", (double[]){0.6}, 1);
    hk_part_reals(&s, "spline_stiffnesses", (double[]){2}, 1);
    hk_part_reals(&s, "spline_backlashes", (double[]){0.02}, 1);
    hk_part_reals(&s, "spline_dampings", (double[]){0.1}, 1);
  }
  hk_part_real(&s, "youngs_modulus", 500);
  hk_part_real(&s, "density", 20);
  hk_part_real(&s, "damping", 0.01 * fmin(p->damping, 1));
  hk_part_int(&s, "elements", 3);
  hk_part_real(&s, "highest_frequency", 0.01);
  hk_part_real(&s, "accuracy", 0.1);
  hk_part_real(&s, "bow", 0.02 * p->bow);
  /* A shaft that is fixed to a rotating frame must not have a speed of its own. */
  if (p->hold == HOLD_BOTH || p->hold == HOLD_A) hk_part_real(&s, "speed", 0);
  return s.status;
}

static void stage(const hk_item *item, hk_stage *out) {
  out->at = hk_v3(0, 0, SAMPLE_LENGTHS[0] + SAMPLE_LENGTHS[1]);
  out->length = 0.03;
  out->angle = 0.05;
  out->speed = 0.1;
}

static void mirror(hk_item *item) {
  hk_shaft *p = hk_item_edit(item);
  p->bow_angle = -p->bow_angle;
  p->speed = -p->speed;
}

const hk_type hk_type_joint_shaft = {
    .name = "shaft",
    .assumptions = assumptions,
    .category = HK_JOINT,
    .doc =
        "Elastic shaft of round or other sections between two frames: bodies and beams along the z "
        "axis of a, with discs, splines and a bow.",
    .source = "Timoshenko beams between rigid nodes; masses by the first moments of each half",
    .size = sizeof(hk_shaft),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
    .sample = sample,
    .stage = stage,
    .symmetry = HK_MIRRORS,
    .mirror = mirror,
};
