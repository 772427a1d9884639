/* See flank.h. */
#include "gear/flank.h"
#include <math.h>
#include <string.h>

/* out = weight x if `start`, otherwise out += weight x; n numbers. */
static inline void add_scaled(double weight, const double *restrict x, int n, bool start,
                              double *restrict out) {
  for (int i = 0; i < n && start; i++) out[i] = weight * x[i];
  for (int i = 0; i < n && !start; i++) out[i] += weight * x[i];
}

/* Gradient g, and derivative D of the gradient, of the sum of weight_i value_i over n values. */
static void combine(const hk_gear_value *const *value, const double *weight, int n, bool second,
                    double g[6], double D[6][6]) {
  for (int k = 0; k < n; k++) {
    add_scaled(weight[k], value[k]->g, 6, k == 0, g);
    if (second) add_scaled(weight[k], &value[k]->D[0][0], 36, k == 0, &D[0][0]);
  }
}

/* Returns the angle that is equivalent to `angle` and nearest to `to`; the angles of the sections may be on both
 * sides of 180 degrees. */
static double near_angle(double angle, double to) { return to + remainder(angle - to, 2 * M_PI); }

/* The pressure angle of a section. */
typedef struct mesh_angle {
  double alpha, sine, cosine, by_distance;
} mesh_angle;
static mesh_angle angle_at(const hk_gear_flank_at *k, int i) {
  const hk_involute *g = &k->p->geometry;
  double a = k->centers[i].distance.v, B = g->base_radius[1] + g->sign * g->base_radius[0];
  double cosine = B / a, alpha = acos(cosine), sine = sin(alpha);
  return (mesh_angle){alpha, sine, cosine, cosine / (a * sine)};
}

/* Adds the contribution of inclined axes to the penetration of pair 0 and its derivatives.
 * Second derivatives of X and Y are omitted: multiplied by the inclination they are smaller than
 * the square of the tilt. */
static void add_lean(const hk_gear_flank_at *k, const hk_gear_centers *s, const mesh_angle *m,
                     double w, bool second, double *value, hk_gear_rows *r) {
  const hk_involute *g = &k->p->geometry;
  const hk_gear_value *E = &k->axes->lean[0], *T = &k->axes->lean[1], *a = &s->distance;
  double sign = g->sign, f = k->f, rb1 = g->base_radius[0], per = f * g->tan_base * g->cos_base;
  double X = per * (2 * sign * (rb1 / m->cosine + w * m->sine) - a->v),
         Y = per * 2 * sign * f * w * m->cosine, X_q[6], Y_q[6];
  *value += X * E->v + Y * T->v;
  for (int j = 0; j < 6; j++) {
    double roll = r->roll[0][j], turn = m->by_distance * a->g[j];
    X_q[j] = per * (2 * sign * (roll * m->sine + w * m->cosine * turn) - a->g[j]);
    Y_q[j] = per * 2 * sign * f * (roll * m->cosine - (rb1 / m->cosine + w * m->sine) * turn);
    r->overlap[j] += X * E->g[j] + Y * T->g[j] + E->v * X_q[j] + T->v * Y_q[j];
  }
  if (!second) return;
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      r->overlap_q[i][j] += X * E->D[i][j] + Y * T->D[i][j] + X_q[i] * E->g[j] + E->g[i] * X_q[j] +
                            Y_q[i] * T->g[j] + T->g[i] * Y_q[j];
}

/* Computes the difference of the penetrations of the next pair and this pair. It is the change of the result of
 * add_lean if w increases by one base pitch. */
static void set_step(hk_gear_flank_at *k, int mid, bool second) {
  const hk_involute *g = &k->p->geometry;
  const hk_gear_value *lean[2] = {&k->axes->lean[0], &k->axes->lean[1]},
                      *a = &k->centers[mid].distance;
  const mesh_angle m = angle_at(k, mid);
  double f = k->f, per = 2 * g->sign * f * g->tan_base * g->cos_base * g->base_pitch;
  const double weight[2] = {per * m.sine, per * f * m.cosine},
               bend[2] = {per * m.cosine * m.by_distance, -per * f * m.sine * m.by_distance};
  hk_gear_value *out = &k->step;
  double other[6];
  out->v = weight[0] * lean[0]->v + weight[1] * lean[1]->v;
  combine(lean, weight, 2, second, out->g, out->D);
  for (int j = 0; j < 6; j++) {
    out->g[j] += (bend[0] * lean[0]->v + bend[1] * lean[1]->v) * a->g[j];
    other[j] = bend[0] * lean[0]->g[j] + bend[1] * lean[1]->g[j];
  }
  for (int i = 0; i < 6 && second; i++)
    for (int j = 0; j < 6; j++) out->D[i][j] += a->g[i] * other[j] + other[i] * a->g[j];
}

/* Roll length of gear 1 in section i. Multiples of the pitch are not included. */
static double first_roll(const hk_gear_flank_at *k, int i, double near, const mesh_angle *m) {
  const hk_involute *g = &k->p->geometry;
  double c1 = -near_angle(k->centers[i].angle[0].v, near) - (g->sign < 0 ? M_PI : 0);
  return g->base_radius[0] * (k->f * c1 + g->half_angle[0] + m->alpha) +
         k->f * g->tan_base * k->centers[i].height[0];
}

/* Transverse penetration of section i without the inclination of the axes, for the roll length R1. The result includes
 * whole base pitches, because the roll lengths of both gears are those of the nearest teeth. */
static double plain_overlap(const hk_gear_flank_at *k, int i, double near, double R1,
                            const mesh_angle *m) {
  const hk_involute *g = &k->p->geometry;
  const hk_gear_centers *s = &k->centers[i];
  double sign = g->sign, rb1 = g->base_radius[0], rb2 = g->base_radius[1], B = rb2 + sign * rb1,
         twist = k->f * g->tan_base, c2 = k->p->phase - near_angle(s->angle[1].v, near) - M_PI;
  return R1 - rb1 * m->alpha - twist * s->height[0] +
         sign * (rb2 * (k->f * c2 + g->half_angle[1]) - B * (tan(m->alpha) - m->alpha)) +
         twist * k->axes->shift.v;
}

/* Computes section i. The tooth of gear 1 in pair 0 is `on` base pitches after that of first_roll, and `back` base
 * pitches are subtracted from the penetration. */
static void set_section(const hk_gear_flank_at *k, int i, const double near[2], double on,
                        double back, bool second) {
  const hk_involute *g = &k->p->geometry;
  const hk_gear_centers *s = &k->centers[i];
  const hk_gear_value *z = &k->axes->shift;
  const mesh_angle m = angle_at(k, i);
  hk_gear_section *out = &k->section[i];
  hk_gear_rows *r = &k->rows[i];
  double f = k->f, sign = g->sign, a = s->distance.v, rb1 = g->base_radius[0],
         rb2 = g->base_radius[1], twist = f * g->tan_base;
  double R1 = first_roll(k, i, near[0], &m),
         deep = plain_overlap(k, i, near[1], R1, &m) - back * g->base_pitch;
  out->roll[0] = R1 + on * g->base_pitch - 0.5 * deep;
  out->roll[1] = a * m.sine - sign * out->roll[0];
  out->overlap = g->cos_base * deep;
  const hk_gear_value *all[4] = {&s->angle[0], &s->angle[1], &s->distance, z};
  const double w[4] = {-f * rb1 * g->cos_base, -sign * f * rb2 * g->cos_base,
                       -sign * m.sine * g->cos_base, twist * g->cos_base};
  combine(all, w, twist != 0 ? 4 : 3, second, r->overlap, r->overlap_q);
  for (int j = 0; j < 6; j++) {
    r->roll[0][j] = rb1 * (-f * s->angle[0].g[j] + m.by_distance * s->distance.g[j]) +
                    twist * s->height_slope[0] * z->g[j] - 0.5 * r->overlap[j] / g->cos_base;
    r->roll[1][j] = s->distance.g[j] / m.sine - sign * r->roll[0][j];
  }
  const double turn[2] = {-f, sign * f}, radial = sign * m.cosine;
  for (int j = 0; j < 2; j++) combine(&all[j], &turn[j], 1, second, r->turn[j], r->turn_q[j]);
  combine(&all[2], &radial, 1, second, r->radial, r->radial_q);
  for (int j = 0; j < 6 && second; j++)
    for (int l = 0; l < 6; l++) {
      double aa = s->distance.g[j] * s->distance.g[l];
      r->overlap_q[j][l] -= sign * m.cosine * m.by_distance * g->cos_base * aa;
      r->radial_q[j][l] -= sign * m.sine * m.by_distance * aa;
    }
  if (twist != 0)
    add_lean(k, s, &m, out->roll[0] - rb1 * m.sine / m.cosine, second, &out->overlap, r);
  out->turn[0] = hk_gear_along(r->turn[0], k->at->rate);
  out->turn[1] = hk_gear_along(r->turn[1], k->at->rate);
  out->radial = hk_gear_along(r->radial, k->at->rate);
  for (int j = 0; j < 2; j++) {
    out->height[j] = s->height[j];
    out->height_slope[j] = s->height_slope[j];
  }
  out->part = k->axes->face.width / k->p->face;
}

void hk_gear_set_sections(hk_gear_flank_at *k, bool second) {
  const hk_gear_pair *p = k->p;
  const hk_involute *g = &p->geometry;
  int mid = p->slices / 2;
  const double near[2] = {k->centers[mid].angle[0].v, k->centers[mid].angle[1].v};
  const mesh_angle m = angle_at(k, mid);
  double R1 = first_roll(k, mid, near[0], &m);
  double on = round((g->pitch_roll[0] - R1) / g->base_pitch);
  double back = round((plain_overlap(k, mid, near[1], R1, &m) + 0.5 * g->backlash / g->cos_base) /
                      g->base_pitch);
  for (int i = 0; i < p->slices; i++) set_section(k, i, near, on, back, second);
  if (g->tan_base != 0)
    set_step(k, mid, second);
  else
    memset(&k->step, 0, sizeof k->step);
  k->narrower = k->axes->face.slope / k->axes->face.width;
  k->slots.tooth = (int)on;
  k->other = -(int)(g->sign * (on + back));
}
