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

/* Computes the gradient g of the sum of weight_i value_i over n values, and the derivative D of
 * g. */
static void combine(const hk_gear_value *const *value, const double *weight, int n, bool second,
                    double g[6], double D[6][6]) {
  for (int k = 0; k < n; k++) {
    add_scaled(weight[k], value[k]->g, 6, k == 0, g);
    if (second) add_scaled(weight[k], &value[k]->D[0][0], 36, k == 0, &D[0][0]);
  }
}

/* Adds whole revolutions to `angle` so that it is as near to `to` as possible. This is
 * necessary because the angles of the sections may be on both sides of 180 degrees. */
static double near_angle(double angle, double to) { return to + remainder(angle - to, 2 * M_PI); }

void hk_gear_set_angles(const hk_involute *g, const hk_gear_centers *centers, int n,
                        hk_gear_rows *rows) {
  const double B = g->base_radius[1] + g->sign * g->base_radius[0];
  for (int i = 0; i < n; i++) {
    const double a = centers[i].distance.v, cosine = B / a, alpha = acos(cosine), sine = sin(alpha);
    rows[i].angle = (hk_gear_mesh_angle){alpha, sine, cosine, tan(alpha), cosine / (a * sine)};
  }
}

/* Computes X and Y of flank.h, the components of the contact position perpendicular to the axes. */
static double across(const hk_gear_flank_at *k, const hk_gear_centers *s,
                     const hk_gear_mesh_angle *m, double w, double *Y) {
  const hk_involute *g = &k->p->geometry;
  const double sign = g->sign, f = k->f, per = f * g->tan_base * g->cos_base;
  *Y = per * 2 * sign * f * w * m->cosine;
  return per * (2 * sign * (g->base_radius[0] / m->cosine + w * m->sine) - s->distance.v);
}

/* Adds the contribution of inclined axes to the derivatives of the penetration of pair 0.
 * Second derivatives of X and Y are omitted: multiplied by the inclination they are smaller than
 * the square of the tilt. */
static void add_lean(const hk_gear_flank_at *k, const hk_gear_centers *s,
                     const hk_gear_mesh_angle *m, double w, bool second, hk_gear_rows *r) {
  const hk_involute *g = &k->p->geometry;
  const hk_gear_value *E = &k->axes->lean[0], *T = &k->axes->lean[1], *a = &s->distance;
  double sign = g->sign, f = k->f, rb1 = g->base_radius[0], per = f * g->tan_base * g->cos_base;
  double Y, X = across(k, s, m, w, &Y), X_q[6], Y_q[6];
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

/* Computes the weights of the two inclinations E and T in the difference between the penetrations of the next pair and
 * of this pair. This difference is the change of X E + Y T (see flank.h) if w increases by one base pitch. */
static void step_weights(const hk_gear_flank_at *k, const hk_gear_mesh_angle *m, double weight[2],
                         double bend[2]) {
  const hk_involute *g = &k->p->geometry;
  const double f = k->f, per = 2 * g->sign * f * g->tan_base * g->cos_base * g->base_pitch;
  weight[0] = per * m->sine, weight[1] = per * f * m->cosine;
  bend[0] = per * m->cosine * m->by_distance, bend[1] = -per * f * m->sine * m->by_distance;
}

static void set_step(hk_gear_flank_at *k, int mid, bool second) {
  const hk_gear_value *lean[2] = {&k->axes->lean[0], &k->axes->lean[1]},
                      *a = &k->centers[mid].distance;
  hk_gear_value *out = &k->step;
  double weight[2], bend[2], other[6];
  step_weights(k, &k->rows[mid].angle, weight, bend);
  combine(lean, weight, 2, second, out->g, out->D);
  for (int j = 0; j < 6; j++) {
    out->g[j] += (bend[0] * lean[0]->v + bend[1] * lean[1]->v) * a->g[j];
    other[j] = bend[0] * lean[0]->g[j] + bend[1] * lean[1]->g[j];
  }
  for (int i = 0; i < 6 && second; i++)
    for (int j = 0; j < 6; j++) out->D[i][j] += a->g[i] * other[j] + other[i] * a->g[j];
}

/* Roll length of gear 1 in section i. Multiples of the pitch are not included. */
static double first_roll(const hk_gear_flank_at *k, int i, double near) {
  const hk_involute *g = &k->p->geometry;
  double c1 = -near_angle(k->centers[i].angle[0].v, near) - (g->sign < 0 ? M_PI : 0);
  return g->base_radius[0] * (k->f * c1 + g->half_angle[0] + k->rows[i].angle.alpha) +
         k->f * g->tan_base * k->centers[i].height[0];
}

/* Transverse penetration of section i without the inclination of the axes, for the roll length R1. The result includes
 * whole base pitches, because the roll lengths of both gears are those of the nearest teeth. */
static double plain_overlap(const hk_gear_flank_at *k, int i, double near, double R1) {
  const hk_involute *g = &k->p->geometry;
  const hk_gear_mesh_angle *m = &k->rows[i].angle;
  const hk_gear_centers *s = &k->centers[i];
  double sign = g->sign, rb1 = g->base_radius[0], rb2 = g->base_radius[1], B = rb2 + sign * rb1,
         twist = k->f * g->tan_base, c2 = k->p->phase - near_angle(s->angle[1].v, near) - M_PI;
  return R1 - rb1 * m->alpha - twist * s->height[0] +
         sign * (rb2 * (k->f * c2 + g->half_angle[1]) - B * (m->tangent - m->alpha)) +
         twist * k->axes->shift.v;
}

/* Computes w of flank.h, the position of the contact along the line of action. */
static double along_action(const hk_gear_flank_at *k, int i) {
  const hk_gear_mesh_angle *m = &k->rows[i].angle;
  return k->section[i].roll[0] - k->p->geometry.base_radius[0] * m->sine / m->cosine;
}

/* Completes section i, which contains the roll length of gear 1 and the penetration by plain_overlap. The tooth of gear 1
 * in pair 0 is `on` base pitches after that of first_roll, and `back` base pitches are subtracted from the penetration. */
static void set_section(const hk_gear_flank_at *k, int i, double on, double back) {
  const hk_involute *g = &k->p->geometry;
  const hk_gear_centers *s = &k->centers[i];
  const hk_gear_mesh_angle *m = &k->rows[i].angle;
  hk_gear_section *out = &k->section[i];
  const double R1 = out->roll[0], deep = out->overlap - back * g->base_pitch;
  out->roll[0] = R1 + on * g->base_pitch - 0.5 * deep;
  out->roll[1] = s->distance.v * m->sine - g->sign * out->roll[0];
  out->overlap = g->cos_base * deep;
  if (g->tan_base != 0) {
    double Y, X = across(k, s, m, along_action(k, i), &Y);
    out->overlap += X * k->axes->lean[0].v + Y * k->axes->lean[1].v;
  }
  for (int j = 0; j < 2; j++) {
    out->height[j] = s->height[j];
    out->height_slope[j] = s->height_slope[j];
  }
  out->part = k->axes->face.width / k->p->face;
}

static void set_rows(const hk_gear_flank_at *k, int i, bool second) {
  const hk_involute *g = &k->p->geometry;
  const hk_gear_centers *s = &k->centers[i];
  const hk_gear_value *z = &k->axes->shift;
  hk_gear_section *out = &k->section[i];
  hk_gear_rows *r = &k->rows[i];
  const hk_gear_mesh_angle *m = &r->angle;
  double f = k->f, sign = g->sign, rb1 = g->base_radius[0], rb2 = g->base_radius[1],
         twist = f * g->tan_base;
  const hk_gear_value *all[4] = {&s->angle[0], &s->angle[1], &s->distance, z};
  const double w[4] = {-f * rb1 * g->cos_base, -sign * f * rb2 * g->cos_base,
                       -sign * m->sine * g->cos_base, twist * g->cos_base};
  combine(all, w, twist != 0 ? 4 : 3, second, r->overlap, r->overlap_q);
  for (int j = 0; j < 6; j++) {
    r->roll[0][j] = rb1 * (-f * s->angle[0].g[j] + m->by_distance * s->distance.g[j]) +
                    twist * s->height_slope[0] * z->g[j] - 0.5 * r->overlap[j] / g->cos_base;
    r->roll[1][j] = s->distance.g[j] / m->sine - sign * r->roll[0][j];
  }
  const double turn[2] = {-f, sign * f}, radial = sign * m->cosine;
  for (int j = 0; j < 2; j++) combine(&all[j], &turn[j], 1, second, r->turn[j], r->turn_q[j]);
  combine(&all[2], &radial, 1, second, r->radial, r->radial_q);
  for (int j = 0; j < 6 && second; j++)
    for (int l = 0; l < 6; l++) {
      double aa = s->distance.g[j] * s->distance.g[l];
      r->overlap_q[j][l] -= sign * m->cosine * m->by_distance * g->cos_base * aa;
      r->radial_q[j][l] -= sign * m->sine * m->by_distance * aa;
    }
  if (twist != 0) add_lean(k, s, m, along_action(k, i), second, r);
  out->turn[0] = hk_gear_along(r->turn[0], k->at->rate);
  out->turn[1] = hk_gear_along(r->turn[1], k->at->rate);
  out->radial = hk_gear_along(r->radial, k->at->rate);
}

void hk_gear_set_sections(hk_gear_flank_at *k) {
  const hk_gear_pair *p = k->p;
  const hk_involute *g = &p->geometry;
  int mid = p->slices / 2;
  const double near[2] = {k->centers[mid].angle[0].v, k->centers[mid].angle[1].v};
  for (int i = 0; i < p->slices; i++) {
    k->section[i].roll[0] = first_roll(k, i, near[0]);
    k->section[i].overlap = plain_overlap(k, i, near[1], k->section[i].roll[0]);
  }
  double on = round((g->pitch_roll[0] - k->section[mid].roll[0]) / g->base_pitch);
  double back = round((k->section[mid].overlap + 0.5 * g->backlash / g->cos_base) / g->base_pitch);
  for (int i = 0; i < p->slices; i++) set_section(k, i, on, back);
  k->step.v = 0;
  if (g->tan_base != 0) {
    double weight[2], bend[2];
    step_weights(k, &k->rows[mid].angle, weight, bend);
    k->step.v = weight[0] * k->axes->lean[0].v + weight[1] * k->axes->lean[1].v;
  }
  k->narrower = k->axes->face.slope / k->axes->face.width;
  k->slots.tooth = (int)on;
  k->other = -(int)(g->sign * (on + back));
}

void hk_gear_set_rows(hk_gear_flank_at *k, bool second) {
  const hk_gear_pair *p = k->p;
  for (int i = 0; i < p->slices; i++) set_rows(k, i, second);
  if (p->geometry.tan_base != 0)
    set_step(k, p->slices / 2, second);
  else
    memset(&k->step, 0, sizeof k->step);
}
