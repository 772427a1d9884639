/* The model file of a gearbox. */
#include "rexs/gearbox.h"
#include "base/number.h"
#include "base/safe_text.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Smallest backlash recommended by ISO/TR 10064-2, from the centre distance and the module. */
static double usual_backlash(double distance, double module) {
  return 2.0 / 3 * (60e-6 + 0.0005 * distance + 0.03 * module);
}

static void put(FILE *out, const char *format, ...) HK_PRINTF(2, 3);
static void put(FILE *out, const char *format, ...) {
  char text[1200];
  va_list args;
  va_start(args, format);
  hk_number_vprint(text, sizeof text, format, args);
  va_end(args);
  fputs(text, out);
}

/* Writes the name of a component in a comment. */
static const char *title(const hk_rexs_component *c, char out[200]) {
  char name[140];
  hk_safe_text(c->name, name, sizeof name);
  snprintf(out, 200, "%.50s %d%s%s%s", c->type, c->id, *name ? " '" : "", name, *name ? "'" : "");
  return out;
}

/* Writes a list of lengths in mm; the numbers are `stride` bytes apart. */
static void put_lengths(FILE *out, const char *key, const double *first, size_t stride, int n,
                        const char *from) {
  put(out, "    %s: [", key);
  for (int i = 0; i < n; i++)
    put(out, "%s%.12g mm", i ? ", " : "",
        1e3 * *(const double *)(const void *)((const char *)first + (size_t)i * stride));
  put(out, "] # %s\n", from);
}

/* ---- frames ---- */

static void to_quaternion(const double A[3][3], double q[4]) {
  const double t = A[0][0] + A[1][1] + A[2][2];
  if (t > 0) {
    q[0] = 0.5 * sqrt(1 + t);
    for (int i = 0; i < 3; i++)
      q[i + 1] = (A[(i + 2) % 3][(i + 1) % 3] - A[(i + 1) % 3][(i + 2) % 3]) / (4 * q[0]);
    return;
  }
  int i = A[1][1] > A[0][0] ? 1 : 0;
  if (A[2][2] > A[i][i]) i = 2;
  const int j = (i + 1) % 3, k = (i + 2) % 3;
  const double r = sqrt(1 + A[i][i] - A[j][j] - A[k][k]);
  q[i + 1] = 0.5 * r;
  q[0] = (A[k][j] - A[j][k]) / (2 * r);
  q[j + 1] = (A[j][i] + A[i][j]) / (2 * r);
  q[k + 1] = (A[k][i] + A[i][k]) / (2 * r);
}

static void put_marker(FILE *out, const char *name, int id, const double at[3],
                       const double A[3][3]) {
  double q[4];
  to_quaternion(A, q);
  put(out, "      %s_%d: ", name, id);
  const bool turned = fabs(q[0]) < 1 - 1e-14;
  if (turned) put(out, "{at: ");
  put(out, "[%.12g mm, %.12g mm, %.12g mm]", 1e3 * at[0], 1e3 * at[1], 1e3 * at[2]);
  if (turned)
    put(out, ", orientation: {quaternion: [%.15g, %.15g, %.15g, %.15g]}}", q[0], q[1], q[2], q[3]);
  put(out, "\n");
}

static void put_bodies(const hk_rexs_gearbox *b, FILE *out) {
  put(out, "bodies:\n  ground: # the casing, rigid\n    markers:\n");
  for (int i = 0; i < b->n_shafts; i++)
    put_marker(out, "shaft", b->shaft[i].c->id, b->shaft[i].pose.at, b->shaft[i].pose.axes);
  for (int i = 0; i < b->n_supports; i++) {
    const hk_rexs_support *p = &b->support[i];
    const hk_rexs_pose *on = &b->shaft[p->inner].pose;
    double at[3];
    if (p->outer >= 0) continue;
    for (int k = 0; k < 3; k++) at[k] = on->at[k] + p->at * on->axes[k][2];
    put_marker(out, "bearing", p->c->id, at, on->axes);
  }
  for (int i = 0; i < b->n_gears; i++)
    if (b->gear[i].shaft < 0)
      put_marker(out, "gear", b->gear[i].c->id, b->gear[i].pose.at, b->gear[i].pose.axes);
}

/* ---- shafts ---- */

static void put_shaft(const hk_rexs_shaft *shaft, FILE *out) {
  char name[200];
  const hk_rexs_section *first = shaft->section;
  const size_t stride = sizeof *first;
  bool tapered = false, hollow = false;
  for (int i = 0; i < shaft->n_sections; i++) {
    tapered |= first[i].outer_end != first[i].outer;
    hollow |= first[i].inner > 0;
  }
  put(out,
      "  shaft_%d: # %s\n    type: shaft\n    a: ground.shaft_%d # support_vector, u_axis_vector, "
      "w_axis_vector\n    hold: none\n",
      shaft->c->id, title(shaft->c, name), shaft->c->id);
  put(out, "    speed: running*speed_%d\n", shaft->c->id);
  put_lengths(out, "lengths", &first->length, stride, shaft->n_sections, "length of shaft_section");
  put_lengths(out, "outer_diameters", &first->outer, stride, shaft->n_sections,
              shaft->way > 0 ? "outer_diameter_begin" : "outer_diameter_end");
  if (tapered) {
    double end[HK_REXS_MAX_SECTIONS];
    for (int i = 0; i < shaft->n_sections; i++)
      end[i] = first[i].outer_end == first[i].outer ? 0 : first[i].outer_end;
    put_lengths(out, "end_diameters", end, sizeof *end, shaft->n_sections,
                shaft->way > 0 ? "outer_diameter_end" : "outer_diameter_begin");
  }
  if (hollow)
    put_lengths(out, "inner_diameters", &first->inner, stride, shaft->n_sections,
                "inner_diameter_begin, inner_diameter_end");
  put(out,
      "    youngs_modulus: %.12g GPa # elastic_modulus\n    poisson_ratio: %.12g\n    density: "
      "%.12g kg/m^3\n    damping: shaft_damping\n",
      1e-9 * shaft->youngs_modulus, shaft->poisson_ratio, shaft->density);
  if (shaft->n_stations)
    put_lengths(out, "stations", shaft->station, sizeof *shaft->station, shaft->n_stations,
                "places of gears, bearings and loads");
  if (!shaft->n_discs) return;
  put_lengths(out, "disc_positions", &shaft->disc->at, sizeof *shaft->disc, shaft->n_discs,
              "gears and additional masses");
  put(out, "    disc_masses: [");
  for (int i = 0; i < shaft->n_discs; i++)
    put(out, "%s%.9g kg", i ? ", " : "", shaft->disc[i].mass);
  put(out, "]\n    disc_inertias: [");
  for (int i = 0; i < shaft->n_discs; i++)
    put(out, "%s%.9g kg*m^2", i ? ", " : "", shaft->disc[i].inertia);
  put(out, "]\n");
}

/* ---- bearings and couplings ---- */

/* Writes both frames of a bearing or coupling. */
static void name_frames(const hk_rexs_gearbox *b, const hk_rexs_support *p, char inner[60],
                        char outer[60]) {
  hk_rexs_station_name(&b->shaft[p->inner], p->at, inner, 60);
  if (p->outer >= 0)
    hk_rexs_station_name(&b->shaft[p->outer], p->at_outer, outer, 60);
  else
    snprintf(outer, 60, "ground.bearing_%d", p->c->id);
}

static void put_support(const hk_rexs_gearbox *b, const hk_rexs_support *p, FILE *out) {
  char name[200], inner[60], outer[60];
  name_frames(b, p, inner, outer);
  if (p->coupling) {
    put(out, "  coupling_%d: # %s\n    type: bushing\n    a: %s\n    b: %s\n", p->c->id,
        title(p->c, name), outer, inner);
    put(out,
        "    stiffness: [%.12g N/m, %.12g N/m, %.12g N/m] # radial_stiffness, axial_stiffness\n",
        p->radial, p->radial, p->axial);
    put(out,
        "    rotational_stiffness: [%.12g N*m/rad, %.12g N*m/rad, %.12g N*m/rad] # "
        "bending_stiffness, rotational_stiffness\n",
        p->tilt, p->tilt, p->torsion);
    return;
  }
  put(out, "  bearing_%d: # %s\n    type: bearing\n    a: %s\n    b: %s # inner_part\n", p->c->id,
      title(p->c, name), outer, inner);
  if (p->default_radial)
    put(out, "    radial_stiffness: radial_stiffness\n    radial_damping: bearing_damping\n");
  else if (p->radial > 0)
    put(out, "    radial_stiffness: %.12g N/m\n    radial_damping: bearing_damping\n", p->radial);
  if (p->axial > 0 && p->default_axial)
    put(out,
        "    axial_stiffness: axial_stiffness # axial_force_absorption\n    axial_damping: "
        "bearing_damping\n");
  else if (p->axial > 0)
    put(out, "    axial_stiffness: %.12g N/m\n    axial_damping: bearing_damping\n", p->axial);
}

static void put_rigid_couplings(const hk_rexs_gearbox *b, FILE *out) {
  for (int i = 0; i < b->n_supports; i++) {
    const hk_rexs_support *p = &b->support[i];
    if (!p->coupling || !p->rigid) continue;
    char name[200], inner[60], outer[60];
    name_frames(b, p, inner, outer);
    put(out, "  coupling_%d: {type: fixed, a: %s, b: %s} # %s\n", p->c->id, outer, inner,
        title(p->c, name));
  }
}

/* ---- meshes ---- */

static void put_frame(const hk_rexs_gearbox *b, const hk_rexs_gear *g, char *text, size_t size) {
  if (g->shaft < 0)
    snprintf(text, size, "ground.gear_%d", g->c->id);
  else
    hk_rexs_station_name(&b->shaft[g->shaft], g->at, text, size);
}

static void put_modifications(const hk_rexs_gear *g, char side, FILE *out) {
  const struct {
    const char *key;
    double value, scale;
    const char *unit;
  } all[] = {{"tip_relief", g->tip_relief, 1e6, "um"},
             {"tip_relief_length", g->tip_length, 1e3, "mm"},
             {"root_relief", g->root_relief, 1e6, "um"},
             {"root_relief_length", g->root_length, 1e3, "mm"},
             {"profile_crowning", g->profile_crowning, 1e6, "um"},
             {"lead_crowning", g->lead_crowning, 1e6, "um"},
             {"lead_slope", g->lead_slope, 1e6, "um"}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i].value != 0)
      put(out, "    %s_%c: %.12g %s\n", all[i].key, side, all[i].scale * all[i].value, all[i].unit);
}

static void put_mesh(hk_rexs_gearbox *b, const hk_rexs_mesh *m, FILE *out) {
  char name[200], fa[60], fb[60];
  const hk_rexs_gear *p = &b->gear[m->a], *q = &b->gear[m->b];
  put_frame(b, p, fa, sizeof fa);
  put_frame(b, q, fb, sizeof fb);
  put(out, "  stage_%d: # %s\n    type: gear_pair\n    a: %s # gear %d\n    b: %s # gear %d\n",
      m->c->id, title(m->c, name), fa, p->c->id, fb, q->c->id);
  if (q->ring) put(out, "    ring: true\n");
  if (b->viscosity > 0) put(out, "    law: oil\n");
  put(out,
      "    teeth_a: %d # number_of_teeth\n    teeth_b: %d\n    module: %.12g mm # normal_module\n",
      (int)p->teeth, (int)q->teeth, 1e3 * p->module);
  put(out,
      "    pressure_angle: %.12g deg # normal_pressure_angle\n    helix_angle: %.12g deg # "
      "helix_angle_reference_diameter, positive: right-handed\n",
      p->pressure_angle * 180 / M_PI, p->helix * 180 / M_PI);
  put(out, "    center_distance: %.12g mm # of the axes\n", 1e3 * m->distance);
  if (p->has_shift)
    put(out, "    profile_shift_a: %.12g # addendum_modification_coefficient\n", p->shift);
  if (q->has_shift) put(out, "    profile_shift_b: %.12g\n", q->shift);
  put(out, "    face_width: %.12g mm\n", 1e3 * p->face_width);
  if (q->face_width != p->face_width) put(out, "    face_width_b: %.12g mm\n", 1e3 * q->face_width);
  if (p->tip > 0) put(out, "    tip_diameter_a: %.12g mm\n", 1e3 * p->tip);
  if (q->tip > 0) put(out, "    tip_diameter_b: %.12g mm\n", 1e3 * q->tip);
  if (p->shaft >= 0)
    put(out, "    youngs_modulus_a: %.12g GPa\n    poisson_ratio_a: %.12g\n",
        1e-9 * b->shaft[p->shaft].youngs_modulus, b->shaft[p->shaft].poisson_ratio);
  if (q->shaft >= 0)
    put(out, "    youngs_modulus_b: %.12g GPa\n    poisson_ratio_b: %.12g\n",
        1e-9 * b->shaft[q->shaft].youngs_modulus, b->shaft[q->shaft].poisson_ratio);
  put_modifications(p, 'a', out);
  put_modifications(q, 'b', out);
  put(out, "    backlash: backlash_%d\n", m->c->id);
  if (!m->has_torque) return;
  put(out, "    initial_mesh: %s # the flank that carries the load\n    torque: mesh_torque_%d\n",
      hk_rexs_flank(m->torque), m->c->id);
  put(out, "    speed: speed_%d\n", b->shaft[p->shaft].c->id);
}

/* ---- loads ---- */

static const char AXES[] = "xyz";

/* Writes the three components of a vector, rotated from the axes of the shaft's start to the axes of the ground. */
static void put_turned(const double A[3][3], const char text[3][160], FILE *out) {
  put(out, "[");
  for (int i = 0; i < 3; i++) {
    bool any = false;
    put(out, i ? ", " : "");
    for (int j = 0; j < 3; j++) {
      if (!*text[j] || fabs(A[i][j]) < 1e-12) continue;
      if (any) put(out, " + ");
      if (fabs(A[i][j] - 1) < 1e-12)
        put(out, "%s", text[j]);
      else
        put(out, "(%.15g)*(%s)", A[i][j], text[j]);
      any = true;
    }
    if (!any) put(out, "0");
  }
  put(out, "]\n");
}

static void put_load(const hk_rexs_gearbox *b, const hk_rexs_load *l, FILE *out) {
  char name[200], force[3][160] = {"", "", ""}, torque[3][160] = {"", "", ""};
  const hk_rexs_shaft *on = &b->shaft[l->shaft];
  const int id = l->c->id;
  char at[60];
  hk_rexs_station_name(on, l->at, at, sizeof at);
  bool any = false;
  for (int i = 0; i < 3; i++) {
    if (l->has_force[i])
      snprintf(force[i], sizeof force[i], "force_%d_%c", id, AXES[i]), any = true;
    if (l->has_torque[i])
      snprintf(torque[i], sizeof torque[i], "torque_%d_%c", id, AXES[i]), any = true;
  }
  if (l->balances) {
    snprintf(torque[2], sizeof torque[2],
             "running*torque_%d_z*speed_of_%d/speed_%d - (1 - running)*hold*angle_of_%d", id, id,
             on->c->id, id);
    if (on->speed == 0) snprintf(torque[2], sizeof torque[2], "-hold*angle_of_%d", id);
    any = true;
  } else if (l->has_torque[2] && on->speed != 0) {
    snprintf(torque[2], sizeof torque[2],
             "torque_%d_z*(1 + running*slip*(1 - speed_of_%d/speed_%d))", id, id, on->c->id);
  }
  if (!any) {
    put(out, "  # %s: no force and no torque in this load case\n", title(l->c, name));
    return;
  }
  put(out, "  load_%d: # %s\n    type: load\n    b: %s\n", id, title(l->c, name), at);
  put(out, "    force: ");
  put_turned(on->pose.axes, force, out);
  put(out, "    torque: ");
  put_turned(on->pose.axes, torque, out);
}

static bool needs_speed(const hk_rexs_gearbox *b, const hk_rexs_load *l) {
  return l->balances || (l->has_torque[2] && b->shaft[l->shaft].speed != 0);
}

static void put_sensors(const hk_rexs_gearbox *b, FILE *out) {
  bool any = false;
  for (int i = 0; i < b->n_loads; i++) {
    const hk_rexs_load *l = &b->load[i];
    const hk_rexs_shaft *on = &b->shaft[l->shaft];
    if (!needs_speed(b, l)) continue;
    if (!any) put(out, "sensors:\n");
    any = true;
    char at[60];
    hk_rexs_station_name(on, l->at, at, sizeof at);
    put(out, "  angle_of_%d: {type: angle, a: ground.shaft_%d, b: %s}\n", l->c->id, on->c->id, at);
    put(out, "  speed_of_%d: {value: angle_of_%d_rate}\n", l->c->id, l->c->id);
  }
}

/* ---- parameters ---- */

static void put_parameters(hk_rexs_gearbox *b, FILE *out) {
  char name[200];
  put(out,
      "parameters:\n  running: 1 # 1: at speed; 0: at rest, held at the output, for `hooke static` "
      "and `hooke modes`\n");
  for (int i = 0; i < b->n_shafts; i++) {
    const hk_rexs_shaft *shaft = &b->shaft[i];
    if (shaft->root == i)
      put(out, "  speed_%d: %.12g rpm # rotational_speed of %s\n", shaft->c->id,
          shaft->speed * 30 / M_PI, title(shaft->c, name));
  }
  for (int i = 0; i < b->n_shafts; i++) {
    const hk_rexs_shaft *shaft = &b->shaft[i];
    if (shaft->root == i) put(out, "  ratio_%d: 1\n", shaft->c->id);
  }
  for (int i = 0; i < b->n_shafts; i++) {
    const hk_rexs_shaft *shaft = &b->shaft[i];
    if (shaft->root == i) continue;
    put(out, "  ratio_%d: %s # speed relative to shaft %d\n  speed_%d: speed_%d*ratio_%d\n",
        shaft->c->id, shaft->law, b->shaft[shaft->root].c->id, shaft->c->id,
        b->shaft[shaft->root].c->id, shaft->c->id);
  }
  for (int i = 0; i < b->n_loads; i++) {
    const hk_rexs_load *l = &b->load[i];
    for (int k = 0; k < 3; k++) {
      if (l->has_force[k]) put(out, "  force_%d_%c: %.12g N\n", l->c->id, AXES[k], l->force[k]);
      if (l->has_torque[k] && !(k == 2 && l->balances))
        put(out, "  torque_%d_%c: %.12g N*m\n", l->c->id, AXES[k], l->torque[k]);
    }
  }
  for (int i = 0; i < b->n_loads; i++) {
    const hk_rexs_load *l = &b->load[i];
    const hk_rexs_shaft *on = &b->shaft[l->shaft];
    if (!l->balances) continue;
    put(out, "  torque_%d_z: -(0 N*m", l->c->id);
    for (int k = 0; k < b->n_loads; k++) {
      const hk_rexs_load *other = &b->load[k];
      if (other != l && other->has_torque[2] && b->shaft[other->shaft].root == on->root)
        put(out, " + torque_%d_z*ratio_%d", other->c->id, b->shaft[other->shaft].c->id);
    }
    put(out, ")/ratio_%d # what the other loads leave\n", on->c->id);
  }
  for (int i = 0; i < b->n_meshes; i++) {
    const hk_rexs_mesh *m = &b->mesh[i];
    const hk_rexs_gear *p = &b->gear[m->a], *q = &b->gear[m->b];
    if (m->has_torque) {
      put(out, "  mesh_torque_%d: (0 N*m", m->c->id);
      for (int k = 0; k < b->n_loads; k++) {
        const hk_rexs_load *l = &b->load[k];
        if (m->feeds[k] && (l->has_torque[2] || l->balances))
          put(out, " + torque_%d_z*ratio_%d", l->c->id, b->shaft[l->shaft].c->id);
      }
      put(out, ")/ratio_%d # of shaft %d on gear %d\n", b->shaft[p->shaft].c->id,
          b->shaft[p->shaft].c->id, p->c->id);
    }
    const double backlash =
        usual_backlash(m->distance, p->module > q->module ? p->module : q->module);
    put(out, "  backlash_%d: %.3g um\n", m->c->id, 1e6 * backlash);
  }
  put(out,
      "  radial_stiffness: 3e8 N/m # of bearings without one in the file\n  axial_stiffness: 1e8 "
      "N/m\n  bearing_damping: 2 kN*s/m\n"
      "  shaft_damping: 3e-6 s\n  slip: 3 # relative rise of a driving torque over the relative "
      "fall of its speed\n  hold: 1e7 N*m/rad\n");
}

/* ---- the whole ---- */

static double longest_period(const hk_rexs_gearbox *b) {
  double longest = 0;
  for (int i = 0; i < b->n_meshes; i++) {
    const hk_rexs_gear *p = &b->gear[b->mesh[i].a];
    const double speed = p->shaft >= 0 ? fabs(b->shaft[p->shaft].speed) : 0;
    if (speed > 0) longest = fmax(longest, 2 * M_PI / (speed * p->teeth));
  }
  return longest;
}

static void put_measures(const hk_rexs_gearbox *b, FILE *out) {
  put(out, "measures:\n");
  for (int i = 0; i < b->n_meshes; i++)
    put(out, "  force_of_stage_%d: {of: stage_%d.load, take: mean}\n", b->mesh[i].c->id,
        b->mesh[i].c->id);
  for (int i = 0; i < b->n_supports; i++)
    if (!b->support[i].coupling)
      put(out, "  force_of_bearing_%d: {of: bearing_%d.force, take: mean}\n", b->support[i].c->id,
          b->support[i].c->id);
}

static void put_head(const hk_rexs_gearbox *b, const char *what, FILE *out) {
  const hk_rexs_file *f = b->s.file;
  char safe[200];
  hk_safe_text(what, safe, sizeof safe);
  put(out, "# Imported from %s, REXS %.20s", safe, f->version);
  hk_safe_text(f->application, safe, sizeof safe);
  if (*safe) put(out, " of %s", safe);
  if (b->s.load_case) {
    hk_safe_text(b->s.load_case->name, safe, sizeof safe);
    put(out, ", load case %s of %d", safe, hk_rexs_case_count(f));
  }
  put(out, ".\n# z, x and y are u, v and w of REXS; numbers in names are ids of components.\n");
  for (int i = 0; i < b->s.n_notes; i++) put(out, "#   %s\n", b->s.note[i]);
}

char *hk_rexs_write_model(hk_rexs_gearbox *b, const char *name) {
  char *text = NULL, title_text[300];
  size_t size = 0;
  for (int i = 0; i < b->n_meshes; i++)
    hk_rexs_note(
        &b->s, b->mesh[i].c,
        "backlash is taken from the smallest one of ISO/TR 10064-2 for its centre distance "
        "and module");
  if (b->n_shafts)
    hk_rexs_note(&b->s, NULL,
                 "damping of shafts and bearings is assumed; see the parameters of the model");
  hk_rexs_note_unused(&b->s);
  FILE *out = open_memstream(&text, &size);
  if (!out) return NULL;
  put_head(b, name, out);
  snprintf(title_text, sizeof title_text, "Gearbox of %s", name);
  put(out, "format: 1\ntitle: ");
  hk_put_yaml_text(out, title_text);
  put(out, "\n\n");
  put_parameters(b, out);
  put(out, "\n");
  put_bodies(b, out);
  put(out, "\njoints:\n");
  for (int i = 0; i < b->n_shafts; i++) put_shaft(&b->shaft[i], out);
  put_rigid_couplings(b, out);
  if (b->viscosity > 0)
    put(out,
        "\nlaws:\n  oil: {type: ehl_line, viscosity: %.6g Pa*s, pressure_viscosity: 2e-8 1/Pa} # "
        "lubricant at %.6g C\n",
        b->viscosity, b->temperature);
  put(out, "\nforces:\n");
  for (int i = 0; i < b->n_supports; i++)
    if (!b->support[i].rigid) put_support(b, &b->support[i], out);
  for (int i = 0; i < b->n_meshes; i++) put_mesh(b, &b->mesh[i], out);
  for (int i = 0; i < b->n_loads; i++) put_load(b, &b->load[i], out);
  const double *g = b->gravity;
  if (g[0] != 0 || g[1] != 0 || g[2] != 0)
    put(out, "  gravity: {type: gravity, acceleration: [%.9g m/s^2, %.9g m/s^2, %.9g m/s^2]}\n",
        g[0], g[1], g[2]);
  put(out, "\n");
  put_sensors(b, out);
  put(out, "\n");
  put_measures(b, out);
  const double period = longest_period(b);
  put(out, "\nanalysis: {duration: %.3g ms}\n", period > 0 ? 1e3 * 20 * period : 10.0);
  if (fclose(out)) {
    free(text);
    return NULL;
  }
  return text;
}
