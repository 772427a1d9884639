/* Gears and cylindrical stages of a REXS file. */
#include "rexs/gearbox.h"
#include <math.h>
#include <string.h>

/* ---- gears ---- */

static int gear_index(const hk_rexs_gearbox *b, int id) {
  for (int i = 0; i < b->n_gears; i++)
    if (b->gear[i].c->id == id) return i;
  return -1;
}

/* The shaft to which a component is attached; -1: none. */
static int carrier_of(hk_rexs_gearbox *b, const hk_rexs_component *c) {
  hk_rexs_relation *at = NULL;
  hk_rexs_component *owner;
  while ((owner = hk_rexs_related(&b->s, "assembly", "part", c->id, "assembly", &at))) {
    const int shaft = hk_rexs_shaft_index(b, owner->id);
    if (shaft >= 0) return shaft;
  }
  return -1;
}

/* Pressure angle and profile shift. They are attributes of the flanks or, in old files, of the gear. */
static void read_flanks(hk_rexs_gearbox *b, hk_rexs_gear *g) {
  static const char *const SIDES[] = {"left", "right"};
  hk_rexs_source *s = &b->s;
  hk_rexs_component *from[3] = {g->c};
  int n = 1;
  for (int i = 0; i < 2; i++) {
    hk_rexs_relation *at = NULL;
    hk_rexs_component *flank = hk_rexs_related(s, "flank", "gear", g->c->id, SIDES[i], &at);
    if (flank) from[n++] = flank;
  }
  double value, first[2] = {0};
  bool has[2] = {false, false};
  for (int i = n - 1; i >= 0; i--) {
    double found[2];
    bool is[2];
    is[0] = hk_rexs_number(s, from[i], "normal_pressure_angle", HK_REXS_ANGLE, &found[0]);
    is[1] =
        hk_rexs_number(s, from[i], "addendum_modification_coefficient", HK_REXS_NUMBER, &found[1]);
    if (!is[1] && hk_rexs_number(s, from[i], "addendum_modification", HK_REXS_LENGTH, &value)) {
      is[1] = g->module > 0;
      found[1] = value / g->module;
    }
    for (int k = 0; k < 2; k++) {
      if (!is[k]) continue;
      if (has[k] && fabs(found[k] - first[k]) > 1e-9)
        hk_rexs_note(s, g->c, "its flanks have different %s; those of the left flank are used",
                     k ? "profile shifts" : "pressure angles");
      first[k] = found[k];
      has[k] = true;
    }
  }
  g->pressure_angle = has[0] ? first[0] : M_PI / 9;
  if (!has[0]) hk_rexs_note(s, g->c, "normal_pressure_angle is missing; assumed: 20 deg");
  g->has_shift = has[1];
  g->shift = first[1];
}

/* The body of a gear: a ring from the bore (or the surface of the shaft) to the reference circle. */
static void add_disc(hk_rexs_gearbox *b, hk_rexs_gear *g) {
  hk_rexs_source *s = &b->s;
  hk_rexs_shaft *shaft = &b->shaft[g->shaft];
  double inner = 0, outer = hk_rexs_reference_diameter(g), mass = 0, z = 0;
  for (int i = 0; i < shaft->n_sections; i++) {
    z += shaft->section[i].length;
    if (g->at <= z + 1e-9) {
      inner = 0.5 * (shaft->section[i].outer + shaft->section[i].outer_end);
      break;
    }
  }
  if (g->bore > 0) inner = g->bore;
  if (g->ring) {
    inner = outer;
    outer = inner + 6 * g->module;
    hk_rexs_note(s, g->c,
                 "the outer diameter of the ring is not read; assumed for its inertia: %.6g mm",
                 1e3 * outer);
  }
  if (inner >= outer) {
    hk_rexs_note(s, g->c, "its reference circle is inside of the shaft: it has no body of its own");
    return;
  }
  const double solid = M_PI / 4 * (outer * outer - inner * inner) * g->face_width * shaft->density;
  mass = solid;
  if (hk_rexs_number(s, g->c, "mass_of_component", HK_REXS_MASS, &mass) && !(mass > 0))
    mass = solid;
  if (shaft->n_discs == HK_REXS_MAX_STATIONS) {
    hk_rexs_fail(s, shaft->c, "it has more than %d gears and masses", HK_REXS_MAX_STATIONS);
    return;
  }
  shaft->disc[shaft->n_discs++] =
      (hk_rexs_disc){g->at, mass, mass * (outer * outer + inner * inner) / 8};
}

static void read_gear(hk_rexs_gearbox *b, hk_rexs_component *c) {
  hk_rexs_source *s = &b->s;
  if (b->n_gears == HK_REXS_MAX_PARTS) {
    hk_rexs_fail(s, c, "the file has more than %d gears", HK_REXS_MAX_PARTS);
    return;
  }
  hk_rexs_gear *g = &b->gear[b->n_gears++];
  g->c = c;
  g->ring = strcmp(c->type, "ring_gear") == 0;
  hk_rexs_required(s, c, "number_of_teeth", HK_REXS_NUMBER, &g->teeth);
  hk_rexs_required(s, c, "normal_module", HK_REXS_LENGTH, &g->module);
  hk_rexs_required(s, c, "face_width", HK_REXS_LENGTH, &g->face_width);
  if (!hk_rexs_number(s, c, "helix_angle_reference_diameter", HK_REXS_ANGLE, &g->helix))
    hk_rexs_note(s, c, "helix_angle_reference_diameter is missing; assumed: spur gear");
  if (g->teeth < 0) g->ring = true, g->teeth = -g->teeth;
  hk_rexs_number(s, c, "tip_diameter", HK_REXS_LENGTH, &g->tip);
  hk_rexs_number(s, c, "inner_diameter", HK_REXS_LENGTH, &g->bore);
  g->tip = fabs(g->tip);
  if (s->status) return;
  if (g->teeth != floor(g->teeth) || !(g->module > 0) || !(g->face_width > 0) ||
      fabs(g->helix) > 1) {
    hk_rexs_fail(s, c,
                 "%.6g teeth, module %.6g mm, face width %.6g mm and helix angle %.6g deg do not "
                 "define a cylindrical gear",
                 g->teeth, 1e3 * g->module, 1e3 * g->face_width, g->helix * 180 / M_PI);
    return;
  }
  read_flanks(b, g);
  g->pose = hk_rexs_pose_of(b, c);
  g->shaft = carrier_of(b, c);
  if (g->shaft < 0) {
    if (!g->pose.given) hk_rexs_fail(s, c, "it has neither a shaft nor a support_vector");
    if (!g->ring && !s->status) hk_rexs_fail(s, c, "no shaft carries it");
    if (!s->status) hk_rexs_note(s, c, "no shaft carries it: it is fixed to the casing");
    return;
  }
  hk_rexs_shaft *shaft = &b->shaft[g->shaft];
  double u, off = 0;
  const bool has_u = hk_rexs_number(s, c, "u_coordinate_on_shaft", HK_REXS_LENGTH, &u);
  if (g->pose.given) {
    g->at = hk_rexs_along(shaft, g->pose.at, &off);
    if (off > 1e-6)
      hk_rexs_note(
          s, c, "its centre is %.6g mm from the axis of its shaft; the axis of the shaft is used",
          1e3 * off);
  } else if (has_u) {
    g->at = shaft->way > 0 ? u - shaft->first : shaft->length - (u - shaft->first);
    hk_rexs_note(
        s, c, "it has no support_vector; u_coordinate_on_shaft is taken as the middle of the face");
  } else {
    hk_rexs_fail(s, c, "it has neither a support_vector nor a u_coordinate_on_shaft");
  }
  if (s->status) return;
  hk_rexs_add_station(b, shaft, g->at, c);
  add_disc(b, g);
}

/* ---- stages ---- */

/* Direction of the shaft of a gear; for a gear of the casing: direction of the casing. */
static void axis_of(const hk_rexs_gearbox *b, const hk_rexs_gear *g, double at[3], double z[3]) {
  const hk_rexs_pose *p = g->shaft >= 0 ? &b->shaft[g->shaft].pose : &g->pose;
  const double along = g->shaft >= 0 ? g->at : 0;
  for (int i = 0; i < 3; i++) z[i] = p->axes[i][2], at[i] = p->at[i] + along * z[i];
}

static void check_place(hk_rexs_gearbox *b, hk_rexs_mesh *m) {
  hk_rexs_source *s = &b->s;
  const hk_rexs_gear *p = &b->gear[m->a], *q = &b->gear[m->b];
  double pa[3], za[3], pb[3], zb[3], d[3], along = 0, across = 0, same = 0, given = 0;
  axis_of(b, p, pa, za);
  axis_of(b, q, pb, zb);
  for (int i = 0; i < 3; i++) d[i] = pb[i] - pa[i], along += d[i] * za[i], same += za[i] * zb[i];
  for (int i = 0; i < 3; i++) across += (d[i] - along * za[i]) * (d[i] - along * za[i]);
  m->distance = sqrt(across);
  if (fabs(same) < 1 - 1e-8) {
    hk_rexs_fail(s, m->c, "the axes of gears %d and %d are not parallel", p->c->id, q->c->id);
    return;
  }
  const double overlap = 0.5 * (p->face_width + q->face_width) - fabs(along);
  if (overlap <= 0)
    hk_rexs_fail(
        s, m->c,
        "the faces of gears %d and %d do not overlap: their middles are %.6g mm apart along "
        "the axis",
        p->c->id, q->c->id, 1e3 * fabs(along));
  else if (fabs(along) > 1e-6)
    hk_rexs_note(s, m->c,
                 "the middles of the faces of gears %d and %d are %.6g mm apart along the axis",
                 p->c->id, q->c->id, 1e3 * fabs(along));
  if (hk_rexs_number(s, m->c, "center_distance", HK_REXS_LENGTH, &given) &&
      fabs(given - m->distance) > 1e-6 * m->distance)
    hk_rexs_note(
        s, m->c,
        "center_distance is %.9g mm, but the distance of the axes is %.9g mm; the positions "
        "are used",
        1e3 * given, 1e3 * m->distance);
}

static void check_pair(hk_rexs_gearbox *b, hk_rexs_mesh *m) {
  hk_rexs_source *s = &b->s;
  const hk_rexs_gear *p = &b->gear[m->a], *q = &b->gear[m->b];
  if (fabs(p->module - q->module) > 1e-9 || fabs(p->pressure_angle - q->pressure_angle) > 1e-9)
    hk_rexs_fail(s, m->c, "gears %d and %d have different modules or pressure angles", p->c->id,
                 q->c->id);
  const double sum = q->ring ? p->helix - q->helix : p->helix + q->helix;
  if (!s->status && fabs(sum) > 1e-6)
    hk_rexs_fail(s, m->c,
                 "helix angles of %.6g and %.6g deg do not mesh: those of %s gears have %s signs",
                 p->helix * 180 / M_PI, q->helix * 180 / M_PI, q->ring ? "internal" : "external",
                 q->ring ? "the same" : "opposite");
}

/* Computes the working pitch circles and the helix angle there. */
static void work_out(hk_rexs_gearbox *b, hk_rexs_mesh *m) {
  const hk_rexs_gear *p = &b->gear[m->a], *q = &b->gear[m->b];
  const double sum = q->ring ? q->teeth - p->teeth : q->teeth + p->teeth;
  m->working_radius_a = m->distance * p->teeth / sum;
  m->working_radius_b = m->distance * q->teeth / sum;
  m->tan_working_helix = tan(p->helix) * 2 * m->working_radius_a / hk_rexs_reference_diameter(p);
}

/* Some programs write an impossible tip diameter. It is replaced by the tip diameter of the basic rack. */
static void check_tips(hk_rexs_gearbox *b, const hk_rexs_mesh *m) {
  for (int side = 0; side < 2; side++) {
    hk_rexs_gear *g = &b->gear[side ? m->b : m->a], *mate = &b->gear[side ? m->a : m->b];
    if (!(g->tip > 0)) continue;
    const double d = hk_rexs_reference_diameter(g), sign = g->ring ? -1 : 1;
    double low = d - sign * 2 * g->module * (1.25 - sign * g->shift);
    double high = 2 * m->distance -
                  (hk_rexs_reference_diameter(mate) - 2 * mate->module * (1.25 - mate->shift));
    if (g->ring || mate->ring) low = d - 4 * g->module, high = d + 4 * g->module;
    if (g->tip > low && g->tip < high) continue;
    hk_rexs_note(
        &b->s, g->c,
        "tip_diameter %.6g mm is not possible (%.6g to %.6g mm); that of the basic rack is used",
        1e3 * g->tip, 1e3 * low, 1e3 * high);
    g->tip = 0;
  }
}

static void read_stage(hk_rexs_gearbox *b, hk_rexs_relation *r) {
  hk_rexs_source *s = &b->s;
  hk_rexs_component *c = hk_rexs_find(s->file, hk_rexs_role(r, "stage"));
  const int id[2] = {hk_rexs_role(r, "gear_1"), hk_rexs_role(r, "gear_2")};
  if (!c) {
    hk_rexs_fail(s, NULL, "relation %d refers to a stage %d that does not exist", r->id,
                 hk_rexs_role(r, "stage"));
    return;
  }
  c->used = true;
  if (strcmp(c->type, "cylindrical_stage") != 0) {
    hk_rexs_fail(s, c, "only cylindrical stages can be imported");
    return;
  }
  if (b->n_meshes == HK_REXS_MAX_PARTS) {
    hk_rexs_fail(s, c, "the file has more than %d stages", HK_REXS_MAX_PARTS);
    return;
  }
  hk_rexs_mesh *m = &b->mesh[b->n_meshes++];
  m->c = c;
  m->a = gear_index(b, id[0]);
  m->b = gear_index(b, id[1]);
  if (m->a < 0 || m->b < 0) {
    hk_rexs_fail(s, c, "its gear_%d, component %d, is missing or is not a cylindrical gear",
                 m->a < 0 ? 1 : 2, id[m->a < 0 ? 0 : 1]);
    return;
  }
  if (b->gear[m->a].ring && b->gear[m->b].ring) {
    hk_rexs_fail(s, c, "both gears have internal teeth");
    return;
  }
  if (b->gear[m->a].ring) { /* hooke requires that the ring is gear b */
    const int ring = m->a;
    m->a = m->b;
    m->b = ring;
  }
  check_pair(b, m);
  check_place(b, m);
  if (s->status) return;
  work_out(b, m);
  check_tips(b, m);
}

void hk_rexs_read_gears(hk_rexs_gearbox *b) {
  hk_rexs_source *s = &b->s;
  for (hk_rexs_component *c = s->file->component; c && !s->status; c = c->next) {
    if (strcmp(c->type, "cylindrical_gear") == 0 || strcmp(c->type, "ring_gear") == 0)
      read_gear(b, c);
  }
  for (hk_rexs_relation *r = s->file->relation; r && !s->status; r = r->next)
    if (strcmp(r->type, "stage") == 0) read_stage(b, r);
  for (int i = 0; i < b->n_meshes && !s->status; i++) hk_rexs_read_modifications(b, &b->mesh[i]);
  for (int i = 0; i < b->n_gears && !s->status; i++) {
    bool meshes = false;
    for (int k = 0; k < b->n_meshes; k++) meshes |= b->mesh[k].a == i || b->mesh[k].b == i;
    if (!meshes) hk_rexs_note(s, b->gear[i].c, "it is in no stage; only its mass is in the model");
  }
}
