/* Sections, positions and nodes of a shaft.
 *
 * Nodes are at ends, changes of section, stations, discs and splines, and evenly in between.
 * The number of nodes follows from `elements`, or from the allowed error of the natural
 * frequencies. A bending wave of the wave number k = (rho A w^2/EI)^(1/4), on beams of the
 * length h with masses by the rule of shaft.c, has a frequency that is too low by at most 0.012
 * (k h)^2.5 (measured on free, pinned and clamped shafts, modes 1 and 2, 8 to 32 beams), a wave
 * of torsion or tension by (w h/c)^2/24. */
#include "composite/shaft_plan.h"
#include <math.h>
#include <stdlib.h>

/* Positions closer than this fraction of the length are equal. */
static const double SAME = 1e-9;
/* Beams shorter than this fraction of the length are rejected. */
static const double SHORTEST = 1e-5;

/* ---- sections ---- */

static bool by_stiffness(const hk_shaft *p, int i) {
  return p->axial_stiffnesses[i] > 0 && p->shear_stiffnesses[i] > 0 &&
         p->torsion_stiffnesses[i] > 0 && p->bending_stiffnesses[i] > 0 && p->line_masses[i] > 0;
}

/* Properties of a round section of the shaft's material. */
static void round_section(const hk_shaft *p, int i, double outer, hk_shaft_section *s) {
  double ro = outer / 2, ri = p->inner_diameters[i] / 2, nu = p->poisson_ratio;
  double E = p->section_youngs_modulus[i] > 0 ? p->section_youngs_modulus[i] : p->youngs_modulus,
         G = E / (2 * (1 + nu));
  double rho = p->section_density[i] > 0 ? p->section_density[i] : p->density;
  double A = M_PI * (ro * ro - ri * ri), I = M_PI / 4 * (pow(ro, 4) - pow(ri, 4));
  double q2 = ri * ri / (ro * ro), r = (1 + q2) * (1 + q2);
  s->axial = E * A;
  s->shear = 6 * (1 + nu) * r / ((7 + 6 * nu) * r + (20 + 12 * nu) * q2) * G * A;
  s->torsion = 2 * G * I;
  s->bending = E * I;
  s->mass = rho * A;
  s->across = rho * I;
  s->along = 2 * rho * I;
}

/* Properties at the distance z from the start of the section.  Given values take precedence over
 * those of a round section. Without a diameter, the inertias follow from the radius of gyration
 * sqrt(EI/EA). */
static hk_shaft_section section_at(const hk_shaft *p, int i, double z) {
  hk_shaft_section s = {.inner = p->inner_diameters[i]};
  double outer = p->outer_diameters[i], end = p->end_diameters[i];
  if (end > 0) outer += (end - outer) * z / p->lengths[i];
  s.outer = outer;
  if (outer > 0) round_section(p, i, outer, &s);
  s.axial = hk_given_or(p->axial_stiffnesses[i], s.axial);
  s.shear = hk_given_or(p->shear_stiffnesses[i], s.shear);
  s.torsion = hk_given_or(p->torsion_stiffnesses[i], s.torsion);
  s.bending = hk_given_or(p->bending_stiffnesses[i], s.bending);
  s.mass = hk_given_or(p->line_masses[i], s.mass);
  if (!(outer > 0)) {
    s.across = s.mass * s.bending / s.axial;
    s.along = 2 * s.across;
  }
  return s;
}

static hk_status check_section(const hk_shaft *p, int i, hk_error *err) {
  double outer = p->outer_diameters[i], inner = p->inner_diameters[i], end = p->end_diameters[i];
  if (!(p->lengths[i] > 0))
    return hk_fail(err, HK_EINPUT, "the length of section %d must be positive, not %g mm", i,
                   1e3 * p->lengths[i]);
  if (!(outer > 0) && !by_stiffness(p, i))
    return hk_fail(err, HK_EINPUT,
                   "section %d has no stiffness: give its outer diameter, or all of "
                   "axial_stiffnesses, shear_stiffnesses, torsion_stiffnesses, bending_stiffnesses "
                   "and line_masses",
                   i);
  if (!(inner >= 0) || !(end >= 0) || (outer > 0 && !(inner < outer)) ||
      (end > 0 && !(inner < end)))
    return hk_fail(err, HK_EINPUT,
                   "section %d: inner diameter %g mm must be smaller than the outer one, %g mm", i,
                   1e3 * inner, 1e3 * (end > 0 && end < outer ? end : outer));
  return HK_OK;
}

static hk_status check_sections(hk_shaft_plan *s, hk_error *err) {
  const hk_shaft *p = s->p;
  const double *list[] = {
      p->outer_diameters,     p->inner_diameters,   p->end_diameters,     p->section_youngs_modulus,
      p->section_density,     p->axial_stiffnesses, p->shear_stiffnesses, p->torsion_stiffnesses,
      p->bending_stiffnesses, p->line_masses};
  int last = -1;
  for (int i = 0; i < HK_SHAFT_SECTIONS; i++) {
    if (p->lengths[i] != 0 || p->outer_diameters[i] != 0) s->n_sections = i + 1;
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
      if (list[k][i] != 0) last = i;
  }
  if (s->n_sections == 0) return hk_fail(err, HK_EINPUT, "a shaft needs a section");
  if (last >= s->n_sections)
    return hk_fail(err, HK_EINPUT,
                   "there are %d lengths, but %d diameters, stiffnesses or materials; give one "
                   "value per section",
                   s->n_sections, last + 1);
  for (int i = 0; i < s->n_sections; i++) {
    hk_status status = check_section(p, i, err);
    if (status) return status;
    s->length += p->lengths[i];
  }
  return HK_OK;
}

/* ---- positions ---- */

static int count(const double *list) {
  int n = HK_SHAFT_PLACES;
  while (n > 0 && list[n - 1] == 0) n--;
  return n;
}

static hk_status check_places(const hk_shaft_plan *s, const char *what, const double *place, int n,
                              bool ends, const char *name, hk_error *err) {
  for (int k = 0; k < n; k++) {
    double z = place[k], from = ends ? 0 : SAME * s->length, to = s->length - from;
    if (!(z >= from * (1 - 1e-6) && z <= to * (1 + 1e-9)) || (!ends && (z <= from || z >= to)))
      return hk_fail(
          err, HK_EINPUT,
          "%s %d at %g mm is not between the ends of the shaft, which is %g mm long%s%s%s", what, k,
          1e3 * z, 1e3 * s->length, ends ? "" : "; the ends themselves are ", ends ? "" : name,
          ends ? "" : ".start and .end");
    for (int i = 0; i < k; i++)
      if (fabs(place[i] - z) < SAME * s->length)
        return hk_fail(err, HK_EINPUT, "%ss %d and %d are at the same position, %g mm", what, i, k,
                       1e3 * z);
  }
  return HK_OK;
}

static hk_status check_discs(hk_shaft_plan *s, hk_error *err) {
  const hk_shaft *p = s->p;
  int by_mass = count(p->disc_masses), by_size = count(p->disc_diameters);
  s->n_discs = by_mass > by_size ? by_mass : by_size;
  for (int k = 0; k < s->n_discs; k++)
    if (!(p->disc_masses[k] > 0 && p->disc_inertias[k] > 0) &&
        !(p->disc_diameters[k] > 0 && p->disc_widths[k] > 0))
      return hk_fail(
          err, HK_EINPUT,
          "disc %d needs disc_masses and disc_inertias, or disc_diameters and disc_widths", k);
  if (count(p->disc_positions) > s->n_discs || count(p->disc_inertias) > s->n_discs ||
      count(p->disc_widths) > s->n_discs)
    return hk_fail(err, HK_EINPUT,
                   "there are more disc_positions than discs with a mass or a size");
  return check_places(s, "disc", p->disc_positions, s->n_discs, true, "", err);
}

static hk_status check_splines(hk_shaft_plan *s, hk_error *err) {
  const hk_shaft *p = s->p;
  s->n_splines = count(p->spline_stiffnesses);
  for (int k = 0; k < s->n_splines; k++)
    if (!(p->spline_stiffnesses[k] > 0))
      return hk_fail(err, HK_EINPUT, "spline %d needs a stiffness", k);
  if (count(p->spline_positions) > s->n_splines || count(p->spline_backlashes) > s->n_splines ||
      count(p->spline_dampings) > s->n_splines)
    return hk_fail(err, HK_EINPUT, "there are more splines than spline_stiffnesses");
  return check_places(s, "spline", p->spline_positions, s->n_splines, true, "", err);
}

int hk_shaft_place_at(const hk_shaft_plan *s, const double *place, int n, int k) {
  for (int i = 0; i < n; i++)
    if (fabs(place[i] - s->z[k]) < 2 * SAME * s->length) return i;
  return -1;
}

/* ---- nodes ---- */

/* Wave numbers of a section at the angular frequency w. */
static double bending_wave(const hk_shaft_section *s, double w) {
  return sqrt(w) * pow(s->mass / s->bending, 0.25);
}
static double torsion_wave(const hk_shaft_section *s, double w) {
  return w * sqrt(fmax(s->along / s->torsion, s->mass / s->axial));
}

static double expected_error(const hk_shaft_section *s, double w, double h) {
  double twist = torsion_wave(s, w) * h;
  return fmax(0.012 * pow(bending_wave(s, w) * h, 2.5), twist * twist / 24);
}

/* Length of the longest beam that has the required accuracy. */
static double longest(const hk_shaft_section *s, double w, double accuracy) {
  return fmin(pow(accuracy / 0.012, 0.4) / bending_wave(s, w),
              sqrt(24 * accuracy) / torsion_wave(s, w));
}

/* Default of the highest frequency to be resolved [rad/s]: the third bending mode of the free shaft, for which the
 * bending wave has a total phase of 3.5 pi over the length of the shaft. */
static double highest(const hk_shaft_plan *s) {
  double waves = 0;
  for (int i = 0; i < s->n_sections; i++) {
    hk_shaft_section mean = section_at(s->p, i, s->p->lengths[i] / 2);
    waves += bending_wave(&mean, 1) * s->p->lengths[i];
  }
  double root = 3.5 * M_PI / waves;
  return root * root;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static int section_of(const hk_shaft_plan *s, double z, double *begin) {
  *begin = 0;
  for (int i = 0; i < s->n_sections - 1; i++) {
    if (z < *begin + s->p->lengths[i]) return i;
    *begin += s->p->lengths[i];
  }
  return s->n_sections - 1;
}

static int gather_places(const hk_shaft_plan *s, double *must) {
  const hk_shaft *p = s->p;
  double at = 0;
  int n = 0;
  must[n++] = 0;
  for (int i = 0; i < s->n_sections; i++) must[n++] = at += p->lengths[i];
  for (int k = 0; k < s->n_stations; k++) must[n++] = p->stations[k];
  for (int k = 0; k < s->n_discs; k++) must[n++] = p->disc_positions[k];
  for (int k = 0; k < s->n_splines; k++) must[n++] = p->spline_positions[k];
  qsort(must, (size_t)n, sizeof *must, compare);
  return n;
}

/* Adds evenly spaced nodes from the last one to `to`. */
static hk_status divide(hk_shaft_plan *s, double to, double w, hk_error *err) {
  double from = s->z[s->n_nodes - 1], span = to - from, begin;
  if (span < SAME * s->length) return HK_OK;
  if (span < SHORTEST * s->length)
    return hk_fail(err, HK_EINPUT,
                   "two nodes nearly coincide, at %.9g mm and %.9g mm: sections, stations, discs "
                   "and splines must be at the same position or further apart",
                   1e3 * from, 1e3 * to);
  int section = section_of(s, from + span / 2, &begin);
  hk_shaft_section middle = section_at(s->p, section, from + span / 2 - begin);
  double beams = s->p->elements > 0 ? s->p->elements * span / s->length
                                    : span / longest(&middle, w, s->p->accuracy);
  int n = beams < 1 ? 1 : beams > HK_SHAFT_NODES ? HK_SHAFT_NODES : (int)ceil(beams - 1e-9);
  if (s->n_nodes + n > HK_SHAFT_NODES)
    return hk_fail(err, HK_EINPUT,
                   "more than %d nodes; use fewer elements, a lower highest_frequency or a larger "
                   "value of 'accuracy'",
                   HK_SHAFT_NODES);
  s->error = fmax(s->error, expected_error(&middle, w, span / n));
  for (int k = 1; k <= n; k++) s->z[s->n_nodes++] = from + span * k / n;
  return HK_OK;
}

hk_status hk_shaft_plan_make(const hk_item *item, hk_shaft_plan *s, hk_error *err) {
  double must[HK_SHAFT_SECTIONS + 3 * HK_SHAFT_PLACES + 1];
  *s = (hk_shaft_plan){.p = hk_item_data(item)};
  hk_status status = check_sections(s, err);
  if (!status) {
    s->n_stations = count(s->p->stations);
    status =
        check_places(s, "station", s->p->stations, s->n_stations, false, hk_item_name(item), err);
  }
  if (!status) status = check_discs(s, err);
  if (!status) status = check_splines(s, err);
  if (status) return status;
  double w = s->p->highest_frequency > 0 ? 2 * M_PI * s->p->highest_frequency : highest(s);
  s->frequency = w / (2 * M_PI);
  int n = gather_places(s, must);
  s->z[s->n_nodes++] = 0;
  for (int i = 1; i < n && !status; i++) status = divide(s, must[i], w, err);
  return status;
}

/* ---- beams ---- */

/* Properties of beam k: means along a cone by Gauss quadrature. Flexibilities are averaged, which
 * is exact for a constant moment and torque along the beam, and masses are averaged. */
hk_shaft_section hk_shaft_beam(const hk_shaft_plan *s, int k) {
  static const double at[4] = {-0.8611363115940526, -0.3399810435848563, 0.3399810435848563,
                               0.8611363115940526},
                      weight[4] = {0.1739274225687269, 0.3260725774312731, 0.3260725774312731,
                                   0.1739274225687269};
  double begin, h = s->z[k + 1] - s->z[k];
  int i = section_of(s, s->z[k] + h / 2, &begin);
  if (!(s->p->end_diameters[i] > 0)) return section_at(s->p, i, 0);
  hk_shaft_section sum = {.inner = s->p->inner_diameters[i]};
  for (int m = 0; m < 4; m++) {
    hk_shaft_section x = section_at(s->p, i, s->z[k] + (1 + at[m]) * h / 2 - begin);
    sum.axial += weight[m] / x.axial;
    sum.shear += weight[m] / x.shear;
    sum.torsion += weight[m] / x.torsion;
    sum.bending += weight[m] / x.bending;
    sum.mass += weight[m] * x.mass;
    sum.across += weight[m] * x.across;
    sum.along += weight[m] * x.along;
  }
  sum.axial = 1 / sum.axial, sum.shear = 1 / sum.shear;
  sum.torsion = 1 / sum.torsion, sum.bending = 1 / sum.bending;
  sum.outer =
      /* of a conical section: the stress is largest at the thin end */
      fmin(section_at(s->p, i, s->z[k] - begin).outer,
           section_at(s->p, i, s->z[k + 1] - begin).outer);
  return sum;
}

void hk_shaft_add_half(const hk_shaft_plan *s, int k, double towards, hk_shaft_lump *to) {
  double h = s->z[k + 1] - s->z[k];
  hk_shaft_section beam = hk_shaft_beam(s, k);
  double m = beam.mass * h / 2;
  to->mass += m;
  to->moment += towards * m * h / 6;
  to->across += beam.across * h / 2;
  to->along += beam.along * h / 2;
}

void hk_shaft_add_discs(const hk_shaft_plan *s, int k, hk_shaft_lump *to) {
  const hk_shaft *p = s->p;
  int i = hk_shaft_place_at(s, p->disc_positions, s->n_discs, k);
  if (i < 0) return;
  if (p->disc_masses[i] > 0) {
    to->mass += p->disc_masses[i];
    to->along += p->disc_inertias[i];
    to->across += p->disc_inertias[i] / 2;
    return;
  }
  double begin, d = p->disc_diameters[i], w = p->disc_widths[i];
  int section = section_of(s, s->z[k], &begin);
  double bore = fmin(section_at(p, section, s->z[k] - begin).outer, d);
  double m = p->density * M_PI / 4 * (d * d - bore * bore) * w;
  double along = m * (d * d + bore * bore) / 8;
  to->mass += m;
  to->along += along;
  to->across += along / 2 + m * w * w / 12;
}
