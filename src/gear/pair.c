/* See pair.h. */
#include "gear/pair.h"
#include <math.h>
#include <string.h>

static size_t doubles(size_t bytes) { return (bytes + sizeof(double) - 1) / sizeof(double); }

int hk_gear_flank_room(const hk_gear_pair *p) {
  size_t n = (size_t)p->slices * (size_t)p->teeth_at_once;
  return (int)(doubles(n * sizeof(hk_gear_touched)) + doubles(n * sizeof(hk_mesh_slice)) +
               doubles(n * sizeof(hk_gear_touch)) + 3 * n * n) +
         hk_mesh_room((int)n);
}

void hk_gear_flank_lay(const hk_gear_pair *p, double *scratch, hk_gear_flank_load *out) {
  size_t n = (size_t)p->slices * (size_t)p->teeth_at_once;
  *out = (hk_gear_flank_load){.touched = (hk_gear_touched *)scratch};
  scratch += doubles(n * sizeof *out->touched);
  out->slice = (hk_mesh_slice *)scratch;
  scratch += doubles(n * sizeof *out->slice);
  out->touch = (hk_gear_touch *)scratch;
  scratch += doubles(n * sizeof *out->touch);
  out->C = scratch;
  out->C_roll[0] = out->C + n * n;
  out->C_roll[1] = out->C_roll[0] + n * n;
  out->room = out->C_roll[1] + n * n;
}

/* Way beyond the tip of a gear, and how that changes with its roll length. */
static double beyond_tip(const hk_involute *g, int gear, double roll, double *turn) {
  *turn = gear == 1 ? g->sign : 1;
  return *turn * (roll - g->tip_roll[gear]);
}

/* The corner of a tip that has left the path of contact: gap to the other flank; adds its slopes by both roll lengths. */
static double corner_gap(const hk_involute *g, int gear, const double roll[2], double slope[2]) {
  double turn, t = beyond_tip(g, gear, roll[gear], &turn);
  if (!(t > 0)) return 0;
  double r = g->tip_roll[gear], rb = g->base_radius[gear], least = 1e-3 * rb;
  double other = fmax(roll[1 - gear], least), by_other = gear == 0 ? 1 : g->sign;
  double sum = gear == 0 ? g->sign * r + other : r + g->sign * other;
  double curve = r * fabs(sum) / (rb * rb * other);
  slope[gear] += turn * curve * t;
  if (roll[1 - gear] > least)
    slope[1 - gear] += 0.5 * curve * t * t * (by_other / sum - 1 / other);
  return 0.5 * curve * t * t;
}

/* Part of the width that touches, where contact ends at the tip; slope of its logarithm. */
static double tip_weight(const hk_gear_pair *p, int gear, double roll, double *slope) {
  double turn, t = 0.5 - beyond_tip(&p->geometry, gear, roll, &turn) / p->edge;
  *slope = 0;
  if (t >= 1) return 1;
  if (t <= 1e-4) return 0;
  double w = t * t * (3 - 2 * t);
  *slope = -turn * 6 * t * (1 - t) / (p->edge * w);
  return w;
}

double hk_gear_path_margin(const hk_gear_pair *p) {
  return p->corner ? 0.45 * p->geometry.base_pitch : 0.5 * p->edge;
}

/* Fills touched and slice number n of pair k; false if the slice is out of the path of contact. */
static bool touch(const hk_gear_pair *p, const hk_gear_section *c, int k, int i, hk_gear_touched *t,
                  hk_mesh_slice *s) {
  const hk_involute *g = &p->geometry;
  double pitch = k * g->base_pitch, limit = hk_gear_path_margin(p), depth_slope, turn, e = 0,
         weight = 1;
  *t = (hk_gear_touched){.pair = k, .slice = i};
  t->roll[0] = c->roll[0] + pitch;
  t->roll[1] = c->roll[1] - g->sign * pitch;
  if (beyond_tip(g, 0, t->roll[0], &turn) > limit || beyond_tip(g, 1, t->roll[1], &turn) > limit)
    return false;
  if (!(t->roll[0] > 0.01 * p->shape[0].first && t->roll[1] > 0.01 * p->shape[1].first))
    return false;
  double depth2 = 1;
  for (int j = 0; j < 2; j++) {
    double slope;
    e += hk_gear_shape_at(&p->shape[j], t->roll[j], p->axial[i], &slope);
    t->shape_slope[j] += slope;
    if (p->corner)
      e += corner_gap(g, j, t->roll, t->shape_slope);
    else
      weight *= tip_weight(p, j, t->roll[j], &t->weight_slope[j]);
    double depth = hk_involute_depth(g, j, t->roll[j], &depth_slope);
    double least = 0.05 * g->module; /* under the corner of a tip */
    if (depth < least) depth = least, depth_slope = 0;
    t->depth_slope[j] = depth_slope / depth;
    depth2 *= depth;
  }
  t->speed = c->turn[0] * t->roll[0] + c->turn[1] * t->roll[1];
  t->sliding = c->turn[0] * t->roll[0] - c->turn[1] * t->roll[1] + c->radial;
  s->spot = (hk_line_spot){.width = p->width,
                           .radius = hk_involute_radius(g, t->roll[0], t->roll[1], t->radius_slope),
                           .depth2 = depth2,
                           .speed = t->speed,
                           .modulus = p->modulus,
                           .poisson = p->poisson};
  s->overlap = c->overlap - e;
  s->weight = weight;
  return weight > 0;
}

/* Newton's method begins where the last steps lead to. */
static void recall_slice(const double *m, int i, double dt, hk_mesh_slice *s) {
  static const double MOST = 0.7;
  s->past = (hk_line_past){0};
  s->x = NAN;
  if (!m || m[HK_GEAR_TRACE * i + HK_GEAR_X] == 0) return;
  m += HK_GEAR_TRACE * i;
  s->x = m[HK_GEAR_X];
  if (!hk_gear_moves(dt)) return;
  s->past = (hk_line_past){m[HK_GEAR_FILM], dt};
  double on = dt * (m[HK_GEAR_X_RATE] + dt * m[HK_GEAR_X_BEND]);
  s->x += fmax(-MOST, fmin(MOST, on));
}

/* By how much the flanks of pair k overlap more because their teeth are displaced. */
static double pitch_overlap(const hk_gear_pair *p, const hk_gear_side *side, int k) {
  int turn = side->flank > 0 ? k : -k, ring = p->geometry.sign < 0;
  double a = hk_gear_pitch_error(&p->shape[0], side->tooth[0] + turn);
  double b = hk_gear_pitch_error(&p->shape[1], side->tooth[1] + (ring ? turn : -turn));
  return side->flank * p->pitch_normal * (a + p->geometry.sign * b);
}

/* All slices of all pairs on the path of contact that may be loaded. */
static void gather(const hk_gear_pair *p, const hk_gear_section *section, const hk_gear_side *side,
                   const hk_gear_recall *recall, hk_gear_flank_load *f) {
  double pb = p->geometry.base_pitch, low = INFINITY, high = -INFINITY,
         limit = hk_gear_path_margin(p);
  double reach = p->ops->reach ? p->ops->reach(p->law) : 0;
  for (int i = 0; i < p->slices; i++) {
    low = fmin(low, section[i].roll[0]);
    high = fmax(high, section[i].roll[0]);
  }
  int first = (int)ceil((p->geometry.path[0] - 2 * limit - high) / pb);
  int last = (int)floor((p->geometry.path[1] + limit - low) / pb);
  f->n = 0;
  for (int k = first; k <= last && f->n + p->slices <= p->slices * p->teeth_at_once; k++) {
    const double *m = recall->of ? recall->of(recall->context, k) : NULL;
    double more = pitch_overlap(p, side, k);
    for (int i = 0; i < p->slices; i++) {
      hk_mesh_slice *s = &f->slice[f->n];
      if (!touch(p, &section[i], k, i, &f->touched[f->n], s)) continue;
      s->overlap += more;
      if (s->overlap <= -reach) continue;
      recall_slice(m, i, recall->dt, s);
      f->n++;
    }
  }
}

static void set_compliance(const hk_gear_pair *p, double flank, bool slopes,
                           hk_gear_flank_load *f) {
  size_t nn = (size_t)f->n * (size_t)f->n * sizeof(double);
  memset(f->C, 0, nn);
  for (int j = 0; j < 2; j++) {
    const hk_gear_compliance *g = &p->compliance[j];
    if (slopes) memset(f->C_roll[j], 0, nn);
    if (!g->stations) continue;
    int up = j == 0 || p->geometry.sign < 0 ? 1 : -1; /* teeth are numbered by rising roll length */
    for (int i = 0; i < f->n; i++)
      f->touch[i] = (hk_gear_touch){
          .tooth = up * f->touched[i].pair,
          .slice = flank > 0 ? f->touched[i].slice : p->slices - 1 - f->touched[i].slice,
          .roll = f->touched[i].roll[j]};
    hk_gear_compliance_locate(g, f->touch, f->n);
    hk_gear_compliance_add(g, f->touch, f->n, 1, f->C, slopes ? f->C_roll[j] : NULL);
  }
}

bool hk_gear_flank_solve(const hk_gear_pair *p, const hk_gear_section *section,
                         const hk_gear_side *side, const hk_gear_recall *recall, bool slopes,
                         hk_gear_flank_load *out) {
  gather(p, section, side, recall, out);
  out->iterations = 0;
  if (!out->n) return true;
  set_compliance(p, side->flank, slopes, out);
  out->iterations = hk_mesh_solve(p->ops, p->law, out->slice, out->n, out->C, out->room);
  return out->iterations >= 0;
}
