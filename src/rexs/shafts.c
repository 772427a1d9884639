/* Poses and shafts of a REXS file. */
#include "rexs/gearbox.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- poses ---- */

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static bool normalise(double v[3]) {
  const double n = sqrt(dot(v, v));
  for (int i = 0; i < 3; i++) v[i] /= n;
  return n > 1e-12;
}

/* Converts the components of a vector along u, v, w (REXS) to components along x = v, y = w, z
 * = u (hooke). */
static void to_hooke(const double uvw[3], double xyz[3]) {
  xyz[0] = uvw[1];
  xyz[1] = uvw[2];
  xyz[2] = uvw[0];
}

static hk_rexs_pose pose_at_depth(hk_rexs_gearbox *b, hk_rexs_component *c, int depth) {
  hk_rexs_source *s = &b->s;
  double at[3] = {0}, u[3] = {1, 0, 0}, w[3] = {0, 0, 1}, id = -1;
  hk_rexs_pose own = {.axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  own.given = hk_rexs_vector(s, c, "support_vector", HK_REXS_LENGTH, at);
  hk_rexs_vector(s, c, "u_axis_vector", HK_REXS_DIRECTION, u);
  hk_rexs_vector(s, c, "w_axis_vector", HK_REXS_DIRECTION, w);
  hk_rexs_number(s, c, "reference_component_for_position", HK_REXS_NUMBER, &id);
  if (!own.given || s->status) return own;
  double x[3], y[3], z[3];
  to_hooke(at, own.at);
  to_hooke(u, z);
  to_hooke(w, y);
  if (!normalise(z) || !normalise(y) || fabs(dot(y, z)) > 1e-6) {
    hk_rexs_fail(s, c, "u_axis_vector and w_axis_vector are not perpendicular directions");
    return own;
  }
  for (int i = 0; i < 3; i++) y[i] -= dot(y, z) * z[i];
  normalise(y);
  for (int i = 0; i < 3; i++)
    x[i] = y[(i + 1) % 3] * z[(i + 2) % 3] - y[(i + 2) % 3] * z[(i + 1) % 3];
  for (int i = 0; i < 3; i++) own.axes[i][0] = x[i], own.axes[i][1] = y[i], own.axes[i][2] = z[i];
  hk_rexs_component *to = hk_rexs_find(s->file, (int)id);
  if (!to || to == c) return own;
  if (depth == 30) {
    hk_rexs_fail(s, c, "the references reference_component_for_position form a loop");
    return own;
  }
  const hk_rexs_pose base = pose_at_depth(b, to, depth + 1);
  if (!base.given) return own; /* a component without a position has the axes of the gear unit */
  hk_rexs_pose out = {.given = true};
  for (int i = 0; i < 3; i++) {
    out.at[i] = base.at[i];
    for (int j = 0; j < 3; j++) {
      out.at[i] += base.axes[i][j] * own.at[j];
      for (int k = 0; k < 3; k++) out.axes[i][j] += base.axes[i][k] * own.axes[k][j];
    }
  }
  return out;
}

hk_rexs_pose hk_rexs_pose_of(hk_rexs_gearbox *b, hk_rexs_component *c) {
  return pose_at_depth(b, c, 0);
}

double hk_rexs_along(const hk_rexs_shaft *shaft, const double at[3], double *off) {
  double d[3], z[3];
  for (int i = 0; i < 3; i++) d[i] = at[i] - shaft->pose.at[i], z[i] = shaft->pose.axes[i][2];
  const double along = dot(d, z);
  *off = sqrt(fmax(0, dot(d, d) - along * along));
  return along;
}

/* ---- stations ---- */

#define NEAR 1e-9

void hk_rexs_add_station(hk_rexs_gearbox *b, hk_rexs_shaft *shaft, double at,
                         const hk_rexs_component *who) {
  if (at < -NEAR || at > shaft->length + NEAR) {
    hk_rexs_fail(&b->s, who, "it is at %.6g mm, outside of shaft %d, which has a length of %.6g mm",
                 1e3 * at, shaft->c->id, 1e3 * shaft->length);
    return;
  }
  if (at < NEAR || at > shaft->length - NEAR) return; /* the ends already have names */
  int i = 0;
  while (i < shaft->n_stations && shaft->station[i] < at - NEAR) i++;
  if (i < shaft->n_stations && shaft->station[i] < at + NEAR) return;
  if (shaft->n_stations == HK_REXS_MAX_STATIONS) {
    hk_rexs_fail(&b->s, shaft->c, "more than %d places carry parts", HK_REXS_MAX_STATIONS);
    return;
  }
  memmove(shaft->station + i + 1, shaft->station + i,
          (size_t)(shaft->n_stations - i) * sizeof *shaft->station);
  shaft->station[i] = at;
  shaft->n_stations++;
}

void hk_rexs_station_name(const hk_rexs_shaft *shaft, double at, char *out, size_t size) {
  const int id = shaft->c->id;
  if (at < NEAR) {
    snprintf(out, size, "shaft_%d.start", id);
  } else if (at > shaft->length - NEAR) {
    snprintf(out, size, "shaft_%d.end", id);
  } else {
    int i = 0;
    while (i < shaft->n_stations - 1 && shaft->station[i] < at - NEAR) i++;
    snprintf(out, size, "\"shaft_%d.station[%d]\"", id, i);
  }
}

/* ---- shafts ---- */

int hk_rexs_shaft_index(const hk_rexs_gearbox *b, int id) {
  for (int i = 0; i < b->n_shafts; i++)
    if (b->shaft[i].c->id == id) return i;
  return -1;
}

static void read_material(hk_rexs_gearbox *b, hk_rexs_shaft *shaft) {
  hk_rexs_source *s = &b->s;
  hk_rexs_relation *at = NULL;
  hk_rexs_component *c;
  shaft->youngs_modulus = 210e9;
  shaft->poisson_ratio = 0.3;
  shaft->density = 7850;
  bool found = false;
  while ((c = hk_rexs_related(s, "reference", "origin", shaft->c->id, "referenced", &at))) {
    if (strcmp(c->type, "material") != 0) continue;
    found = hk_rexs_number(s, c, "elastic_modulus", HK_REXS_PRESSURE, &shaft->youngs_modulus);
    hk_rexs_number(s, c, "poisson_ratio", HK_REXS_NUMBER, &shaft->poisson_ratio);
    hk_rexs_number(s, c, "density", HK_REXS_DENSITY, &shaft->density);
  }
  if (!found)
    hk_rexs_note(s, shaft->c, "no material is given; assumed: steel, 210 GPa, 0.3, 7850 kg/m^3");
}

static int by_start(const void *a, const void *b) {
  const hk_rexs_section *p = a, *q = b;
  return (p->start > q->start) - (p->start < q->start);
}

static void read_sections(hk_rexs_gearbox *b, hk_rexs_shaft *shaft) {
  hk_rexs_source *s = &b->s;
  hk_rexs_relation *at = NULL;
  hk_rexs_component *c;
  while (!s->status &&
         (c = hk_rexs_related(s, "assembly", "assembly", shaft->c->id, "part", &at))) {
    if (strcmp(c->type, "shaft_section") != 0) continue;
    if (shaft->n_sections == HK_REXS_MAX_SECTIONS) {
      hk_rexs_fail(s, shaft->c, "it has more than %d sections", HK_REXS_MAX_SECTIONS);
      return;
    }
    hk_rexs_section *k = &shaft->section[shaft->n_sections++];
    double inner_end;
    hk_rexs_required(s, c, "u_coordinate_on_shaft", HK_REXS_LENGTH, &k->start);
    hk_rexs_required(s, c, "length", HK_REXS_LENGTH, &k->length);
    hk_rexs_required(s, c, "outer_diameter_begin", HK_REXS_LENGTH, &k->outer);
    k->outer_end = k->outer;
    hk_rexs_number(s, c, "outer_diameter_end", HK_REXS_LENGTH, &k->outer_end);
    hk_rexs_number(s, c, "inner_diameter_begin", HK_REXS_LENGTH, &k->inner);
    inner_end = k->inner;
    hk_rexs_number(s, c, "inner_diameter_end", HK_REXS_LENGTH, &inner_end);
    if (inner_end != k->inner) {
      hk_rexs_note(s, c,
                   "the bore of %.6g to %.6g mm is not tapered in the model: the mean is used",
                   1e3 * k->inner, 1e3 * inner_end);
      k->inner = 0.5 * (k->inner + inner_end);
    }
    if (!s->status &&
        !(k->length > 0 && k->outer > k->inner && k->outer_end > k->inner && k->inner >= 0))
      hk_rexs_fail(
          s, c,
          "length %.6g mm and diameters %.6g, %.6g and %.6g mm do not define a section of a shaft",
          1e3 * k->length, 1e3 * k->outer, 1e3 * k->outer_end, 1e3 * k->inner);
  }
  if (s->status) return;
  if (!shaft->n_sections) {
    hk_rexs_fail(s, shaft->c, "it has no shaft_section");
    return;
  }
  qsort(shaft->section, (size_t)shaft->n_sections, sizeof *shaft->section, by_start);
  shaft->first = shaft->section[0].start;
  double end = shaft->first;
  for (int i = 0; i < shaft->n_sections && !s->status; i++) {
    hk_rexs_section *k = &shaft->section[i];
    if (fabs(k->start - end) > 1e-6)
      hk_rexs_fail(
          s, shaft->c,
          "sections do not follow each other: one ends at u = %.6g mm, the next begins at %.6g mm",
          1e3 * end, 1e3 * k->start);
    end = k->start + k->length;
    shaft->length += k->length;
  }
}

/* Reverses a shaft, so that its z axis is -u. */
static void turn_round(hk_rexs_shaft *shaft) {
  shaft->way = -1;
  for (int i = 0, j = shaft->n_sections - 1; i <= j; i++, j--) {
    hk_rexs_section p = shaft->section[i], q = shaft->section[j],
                    *to[2] = {&shaft->section[j], &shaft->section[i]};
    *to[0] = p;
    *to[1] = q;
    for (int k = 0; k < (i == j ? 1 : 2); k++) {
      const double outer = to[k]->outer;
      to[k]->outer = to[k]->outer_end;
      to[k]->outer_end = outer;
    }
  }
  for (int i = 0; i < 3; i++) {
    shaft->pose.at[i] += shaft->length * shaft->pose.axes[i][2];
    shaft->pose.axes[i][1] = -shaft->pose.axes[i][1];
    shaft->pose.axes[i][2] = -shaft->pose.axes[i][2];
  }
}

void hk_rexs_read_shafts(hk_rexs_gearbox *b) {
  hk_rexs_source *s = &b->s;
  for (hk_rexs_component *c = s->file->component; c && !s->status; c = c->next) {
    if (strcmp(c->type, "shaft") != 0) continue;
    if (b->n_shafts == HK_REXS_MAX_PARTS) {
      hk_rexs_fail(s, c, "the file has more than %d shafts", HK_REXS_MAX_PARTS);
      return;
    }
    hk_rexs_shaft *shaft = &b->shaft[b->n_shafts++];
    shaft->c = c;
    shaft->way = 1;
    shaft->pose = hk_rexs_pose_of(b, c);
    if (!shaft->pose.given) hk_rexs_fail(s, c, "support_vector is missing");
    read_sections(b, shaft);
    read_material(b, shaft);
    for (int i = 0; i < 3; i++) shaft->pose.at[i] += shaft->first * shaft->pose.axes[i][2];
    const hk_rexs_shaft *to = &b->shaft[0];
    double same = 0;
    for (int i = 0; i < 3; i++) same += shaft->pose.axes[i][2] * to->pose.axes[i][2];
    if (same < 0 && !s->status) {
      turn_round(shaft);
      hk_rexs_note(s, c,
                   "its u axis is opposite to that of shaft %d; the shaft begins at its other end, "
                   "and z is -u",
                   to->c->id);
    }
    shaft->defined = hk_rexs_number(s, c, "rotational_speed", HK_REXS_SPEED, &shaft->speed);
    shaft->speed *= shaft->way;
    hk_rexs_flag(s, c, "defines_speed", false);
  }
  if (!b->n_shafts && !s->status) hk_rexs_fail(s, NULL, "the file has no shaft");
}
