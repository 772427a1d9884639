/* Shaft: a bar of several sections that bends, twists, stretches and has mass.
 *
 * It begins at the frame a and runs along that frame's z axis.  The joint adds, named after itself,
 *
 *   bodies   start, end, station[k], and node[k] at changes of section and evenly between; z along the
 *            shaft.  Whatever is mounted on the shaft stands on one of these
 *   forces   beam[k], from a on
 *   joints   hold_a, hold_b: the ends on the frames a and b
 *   markers  section on every body: x along the shaft, where beams begin and end
 *
 * A beam of length h gives each of its nodes the mass rho A h/2, the first moment rho A h^2/12 towards its
 * middle and half of its section's inertias.  With stiffnesses that are exact at any length this leaves
 * errors of frequencies of the third to fourth order in h also at free ends, and the deflection under its
 * own weight is exact at the nodes.
 */
#include "assembly/assembly.h"
#include <hooke/joint.h>
#include "shape/drawing.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECTIONS = 16, STATIONS = 16, MOST_NODES = 400 };

typedef struct shaft {
  hk_joint_common joint;
  double lengths[SECTIONS], outer_diameters[SECTIONS], end_diameters[SECTIONS],
      inner_diameters[SECTIONS], stations[STATIONS];
  double young, poisson, density, damping;
  int elements, hold;
} shaft;

static const char *const HOLD[] = {"both", "a", "b", "none", NULL};
enum { HOLD_BOTH, HOLD_A, HOLD_B, HOLD_NONE };

static const shaft defaults = {.joint = HK_JOINT_COMMON_DEFAULTS,
                               .young = 2.1e11,
                               .poisson = 0.3,
                               .density = 7850,
                               .elements = 16};

static const hk_param params[] = {
    HK_REALS(shaft, lengths, SECTIONS, "m", HK_REQUIRED | HK_UP_TO,
             "of its sections, from a on; up to 16"),
    HK_REALS(shaft, outer_diameters, SECTIONS, "m", HK_REQUIRED | HK_UP_TO, "of each section"),
    HK_REALS(shaft, end_diameters, SECTIONS, "m", HK_UP_TO,
             "outer diameter at the far end of each section that is tapered; 0: it is not"),
    HK_REALS(shaft, inner_diameters, SECTIONS, "m", HK_UP_TO, "of each section that is a tube"),
    HK_REALS(shaft, stations, STATIONS, "m", HK_UP_TO,
             "distances from a at which the bodies station[k] stand, to mount something on"),
    HK_REAL(shaft, young, "Pa", HK_POSITIVE, "modulus of elasticity"),
    HK_REAL(shaft, poisson, NULL, 0, "Poisson's ratio", HK_RANGE(0, 0.5)),
    HK_REAL(shaft, density, "kg/m^3", HK_POSITIVE, "of the material"),
    HK_REAL(shaft, damping, "s", 0,
            "of the material: 2 zeta/omega for the damping ratio zeta at omega", HK_MIN(0)),
    HK_INT(shaft, elements, 0,
           "beams along the whole shaft, at least; 16 have the first three bending modes to about "
           "0.2 %, the first torsional mode of a free shaft to 0.2 %",
           HK_RANGE(1, 300)),
    HK_ENUM(shaft, hold, HOLD, 0, "which ends are fixed to the frames a and b"),
};

/* ---- sections ---- */

typedef struct plan {
  const shaft *p;
  int n_sections, n_stations, n_nodes;
  double length;
  double z[MOST_NODES];    /* of the nodes */
  int section[MOST_NODES]; /* of the beam behind node k */
} plan;

static hk_status check_sections(plan *s, hk_error *err) {
  const shaft *p = s->p;
  for (int i = 0; i < SECTIONS; i++) {
    double outer = p->outer_diameters[i], inner = p->inner_diameters[i], end = p->end_diameters[i];
    if (p->lengths[i] == 0 && outer == 0) {
      s->n_sections = i;
      break;
    }
    s->n_sections = i + 1;
    if (!(p->lengths[i] > 0))
      return hk_fail(err, HK_EINPUT, "the length of section %d must be positive, not %g mm", i,
                     1e3 * p->lengths[i]);
    if (!(outer > 0)) return hk_fail(err, HK_EINPUT, "section %d needs an outer diameter", i);
    if (!(inner >= 0 && inner < outer) || !(end >= 0) || (end > 0 && !(inner < end)))
      return hk_fail(err, HK_EINPUT,
                     "section %d: inner diameter %g mm must be smaller than the outer one, %g mm",
                     i, 1e3 * inner, 1e3 * (end > 0 && end < outer ? end : outer));
    s->length += p->lengths[i];
  }
  for (int i = s->n_sections; i < SECTIONS; i++)
    if (p->lengths[i] != 0 || p->outer_diameters[i] != 0 || p->inner_diameters[i] != 0)
      return hk_fail(err, HK_EINPUT, "there are %d lengths and more diameters", s->n_sections);
  return s->n_sections ? HK_OK : hk_fail(err, HK_EINPUT, "a shaft needs a section");
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static int section_at(const plan *s, double z) {
  double end = 0;
  for (int i = 0; i < s->n_sections - 1; i++)
    if (z < (end += s->p->lengths[i])) return i;
  return s->n_sections - 1;
}

/* Nodes where they must stand, then evenly between. */
static hk_status place_nodes(plan *s, const hk_item *item, hk_error *err) {
  double must[SECTIONS + STATIONS + 2], at = 0;
  int n = 0;
  must[n++] = 0;
  for (int i = 0; i < s->n_sections; i++) must[n++] = at += s->p->lengths[i];
  if (hk_item_has(item, "stations"))
    for (int k = STATIONS - 1; k >= 0 && !s->n_stations; k--)
      if (s->p->stations[k] != 0) s->n_stations = k + 1;
  for (int k = 0; k < s->n_stations; k++) {
    double z = s->p->stations[k];
    if (!(z > 1e-6 * s->length && z < (1 - 1e-6) * s->length))
      return hk_fail(
          err, HK_EINPUT,
          "station %d at %g mm does not lie between the ends of the shaft, which is %g mm "
          "long; the ends themselves are %s.start and %s.end",
          k, 1e3 * z, 1e3 * s->length, item->name, item->name);
    for (int i = 0; i < k; i++)
      if (fabs(s->p->stations[i] - z) < 1e-6 * s->length)
        return hk_fail(err, HK_EINPUT, "stations %d and %d are the same, at %g mm", i, k, 1e3 * z);
    must[n++] = z;
  }
  qsort(must, (size_t)n, sizeof *must, compare);
  s->z[s->n_nodes++] = 0;
  for (int i = 1; i < n; i++) {
    double from = s->z[s->n_nodes - 1], span = must[i] - from;
    if (span < 1e-7 * s->length) continue;
    int beams = (int)ceil(s->p->elements * span / s->length - 1e-9);
    if (beams < 1) beams = 1;
    if (s->n_nodes + beams > MOST_NODES)
      return hk_fail(err, HK_EINPUT, "more than %d nodes; ask for fewer elements", MOST_NODES);
    for (int k = 1; k <= beams; k++) {
      s->section[s->n_nodes - 1] = section_at(s, from + span * (k - 0.5) / beams);
      s->z[s->n_nodes++] = from + span * k / beams;
    }
  }
  return HK_OK;
}

/* Outer diameter at the place z. */
static double outer_at(const plan *s, int section, double z) {
  const shaft *p = s->p;
  double begin = 0;
  for (int i = 0; i < section; i++) begin += p->lengths[i];
  double d = p->outer_diameters[section], e = p->end_diameters[section];
  return e > 0 ? d + (e - d) * (z - begin) / p->lengths[section] : d;
}

/* ---- parts ---- */

typedef struct lump {
  double mass, moment, across, along;
} lump;

/* What the beam behind node k gives to a node; a tapered one counts with the section of its middle. */
static void add_half(const plan *s, int k, double towards, lump *to) {
  double h = s->z[k + 1] - s->z[k],
         ro = outer_at(s, s->section[k], (s->z[k] + s->z[k + 1]) / 2) / 2;
  double ri = s->p->inner_diameters[s->section[k]] / 2, rho = s->p->density;
  double I = rho * M_PI / 4 * (pow(ro, 4) - pow(ri, 4)),
         m = rho * M_PI * (ro * ro - ri * ri) * h / 2;
  to->mass += m;
  to->moment += towards * m * h / 6;
  to->across += I * h / 2;
  to->along += I * h;
}

/* Its name without the shaft's, and its number or -1. */
static const char *node_name(const plan *s, int k, int *index) {
  *index = -1;
  if (k == 0) return "start";
  if (k == s->n_nodes - 1) return "end";
  for (int i = 0; i < s->n_stations; i++)
    if (fabs(s->p->stations[i] - s->z[k]) < 1e-7 * s->length) return *index = i, "station";
  *index = k;
  return "node";
}

static void add_node(const plan *s, hk_parts *parts, const hk_stand *a, int k) {
  static const hk_mat3 along = {{{0, 0, -1}, {0, 1, 0}, {1, 0, 0}}}; /* x of the marker is z here */
  hk_mat3 R = hk_quat_matrix(a->q);
  hk_vec3 arm = hk_scale(s->z[k], hk_column(&R, 2));
  lump l = {0};
  if (k > 0) add_half(s, k - 1, -1, &l);
  if (k < s->n_nodes - 1) add_half(s, k, 1, &l);
  int index;
  const char *name = node_name(s, k, &index);
  hk_part_add(parts, HK_BODY, "rigid_body", name, index);
  hk_part_real(parts, "mass", l.mass);
  hk_part_vec3(parts, "center_of_mass", hk_v3(0, 0, l.moment / l.mass));
  if (!parts->status)
    parts->status = hk_item_reals(parts->item, "inertia", (double[]){l.across, l.across, l.along},
                                  3, parts->err);
  hk_part_vec3(parts, "position", hk_add(a->x, arm));
  hk_part_rotation(parts, "orientation", a->q);
  hk_part_vec3(parts, "velocity", hk_add(a->v, hk_cross(a->w, arm)));
  hk_part_vec3(parts, "angular_velocity", a->w);
  const hk_stand node = {.body = parts->item, .turn = {1, 0, 0, 0}};
  hk_part_marker(parts, &node, "section", -1, hk_v3(0, 0, 0), &along);
}

static void add_beam(const plan *s, hk_parts *parts, int k) {
  const shaft *p = s->p;
  char end[2][300];
  for (int i = 0; i < 2; i++) {
    int index;
    const char *name = node_name(s, k + i, &index);
    if (index < 0)
      snprintf(end[i], sizeof end[i], "%s.%s.section", parts->owner, name);
    else
      snprintf(end[i], sizeof end[i], "%s.%s[%d].section", parts->owner, name, index);
  }
  hk_part_add(parts, HK_FORCE, "beam", "beam", k);
  hk_part_text(parts, "a", end[0]);
  hk_part_text(parts, "b", end[1]);
  hk_part_real(parts, "length", s->z[k + 1] - s->z[k]);
  hk_part_real(parts, "outer_diameter", outer_at(s, s->section[k], (s->z[k] + s->z[k + 1]) / 2));
  hk_part_real(parts, "inner_diameter", p->inner_diameters[s->section[k]]);
  hk_part_real(parts, "young", p->young);
  hk_part_real(parts, "poisson", p->poisson);
  hk_part_real(parts, "damping", p->damping);
}

static void add_hold(hk_parts *parts, const char *name, const char *frame, const char *end,
                     hk_vec3 at) {
  hk_part_add(parts, HK_JOINT, "fixed", name, -1);
  hk_part_text(parts, "a", frame);
  hk_part_frame(parts, "b", end, -1);
  hk_part_vec3(parts, "at", at); /* as they stand: the frame b may be turned about the shaft */
}

static hk_status check_end(const plan *s, const hk_stand *a, const hk_stand *b, hk_error *err) {
  hk_mat3 R = hk_quat_matrix(a->q);
  hk_vec3 end = hk_axpy(a->x, s->length, hk_column(&R, 2));
  double off = hk_norm(hk_sub(b->x, end));
  if (off <= 1e-6 * s->length) return HK_OK;
  return hk_fail(
      err, HK_EINPUT,
      "the shaft is %g mm long and ends %g mm away from the frame b, which is %g mm from "
      "a; change a length or move the body",
      1e3 * s->length, 1e3 * off, 1e3 * hk_norm(hk_sub(b->x, a->x)));
}

static hk_status expand(const hk_item *item, hk_spec *spec, hk_error *err) {
  plan s = {.p = item->data};
  hk_parts parts = {.spec = spec, .owner = item->name, .err = err};
  hk_stand a, b;
  int hold = s.p->hold;
  bool at_b = s.p->joint.b && (hold == HOLD_BOTH || hold == HOLD_B);
  if (hk_item_has(item, "at") || hk_item_has(item, "axis") || hk_item_has(item, "x_axis"))
    return hk_fail(err, HK_EINPUT,
                   "a shaft begins at the frame a and runs along its z axis; use a marker, not at "
                   "and axis");
  hk_status status = check_sections(&s, err);
  if (!status) status = place_nodes(&s, item, err);
  if (!status) status = hk_stand_find(spec, s.p->joint.a, &a, err);
  if (!status && s.p->joint.b) status = hk_stand_find(spec, s.p->joint.b, &b, err);
  if (!status && at_b) status = check_end(&s, &a, &b, err);
  if (status) return status;
  for (int k = 0; k < s.n_nodes; k++) add_node(&s, &parts, &a, k);
  for (int k = 0; k < s.n_nodes - 1; k++) add_beam(&s, &parts, k);
  if (hold == HOLD_BOTH || hold == HOLD_A) add_hold(&parts, "hold_a", s.p->joint.a, "start", a.x);
  if (at_b) add_hold(&parts, "hold_b", s.p->joint.b, "end", b.x);
  return parts.status;
}

static const hk_joint_ops ops = {.frames = true, .expand = expand};

const hk_type hk_type_joint_shaft = {
    .name = "shaft",
    .category = HK_JOINT,
    .doc =
        "Elastic shaft of round sections between two frames: bodies and beams along the z axis of "
        "a.",
    .source = "Timoshenko beams between rigid nodes; masses by the first moments of each half",
    .size = sizeof(shaft),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
