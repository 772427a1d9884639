/* See pair.h. */
#include "gear/pair.h"
#include <math.h>
#include <string.h>

static size_t doubles(size_t bytes) { return (bytes + sizeof(double) - 1) / sizeof(double); }

int hk_gear_flank_scratch(const hk_gear_pair *p) {
  size_t n = (size_t)p->slices * (size_t)p->teeth_at_once;
  return (int)(doubles(n * sizeof(hk_gear_touched)) + doubles(n * sizeof(hk_mesh_slice)) +
               doubles(n * sizeof(hk_gear_touch)) + 3 * n * n) +
         hk_mesh_scratch((int)n);
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

/* Distance from the end of contact at the tip of a gear, positive beyond the tip. *turn: derivative with respect to
 * the roll length. */
static double beyond_tip(const hk_involute *g, int gear, double roll, double *turn) {
  *turn = gear == 1 ? g->sign : 1;
  return *turn * (roll - g->end_roll[gear]);
}

/* Gap between the corner of a tip and the other flank, for a tip that has left the path of contact or for the end of an
 * undercut flank. Adds its derivatives with respect to both roll lengths. */
static double corner_gap(const hk_involute *g, int gear, const double roll[2], double slope[2]) {
  double turn, t = beyond_tip(g, gear, roll[gear], &turn);
  if (!(t > 0)) return 0;
  bool tip = g->end_roll[gear] == g->tip_roll[gear];
  int owner = tip ? gear : 1 - gear, mate = 1 - owner;
  double r = tip ? g->tip_roll[gear] : g->form_roll[owner], rb = g->base_radius[owner],
         least = 1e-3 * g->base_radius[gear];
  double other = fmax(roll[mate], least), by_other = owner == 0 ? 1 : g->sign;
  double sum = owner == 0 ? g->sign * r + other : r + g->sign * other;
  double curve = r * fabs(sum) / (rb * rb * other);
  slope[gear] += turn * curve * t;
  if (roll[mate] > least) slope[mate] += 0.5 * curve * t * t * (by_other / sum - 1 / other);
  return 0.5 * curve * t * t;
}

/* Smooth step from 0 to 1 and its integral. */
static double step_at(double t) { return t <= 0 ? 0 : t >= 1 ? 1 : t * t * (3 - 2 * t); }
static double step_integral(double t) {
  return t <= 0 ? 0 : t >= 1 ? t - 0.5 : t * t * t * (1 - 0.5 * t);
}

/* Fraction of the width in contact near the end of contact at the tip of a gear. Slices of
 * helical teeth enter and leave from one end to the other: their fraction is the mean of the
 * smooth step over the roll lengths between their ends, so that the total width in contact does
 * not depend on the number of slices. `slope`: derivative with respect to the roll length. */
static double tip_weight(const hk_gear_pair *p, int gear, double roll, double *slope) {
  double turn, t = 0.5 - beyond_tip(&p->geometry, gear, roll, &turn) / p->edge;
  double half = 0.5 * p->spread / p->edge, low = t - half, high = t + half, w, w_t;
  *slope = 0;
  if (low >= 1) return 1;
  if (half < 1e-6) {
    w = step_at(t);
    w_t = 6 * t * (1 - t);
  } else {
    w = (step_integral(high) - step_integral(low)) / (high - low);
    w_t = (step_at(high) - step_at(low)) / (high - low);
  }
  if (!(high > 0)) return 0;
  *slope = -turn * w_t / p->edge;
  return w;
}

/* Fraction of the slice width in contact after both tips have reduced it, each at another end,
 * with the derivatives of the logarithm of this fraction. */
static double weight_of(const hk_gear_pair *p, const double roll[2], double slope[2]) {
  static const double LEAST = 3e-8;
  double w = tip_weight(p, 0, roll[0], &slope[0]) + tip_weight(p, 1, roll[1], &slope[1]) - 1;
  if (!(w > LEAST)) return 0;
  slope[0] /= w, slope[1] /= w;
  return w;
}

double hk_gear_path_margin(const hk_gear_pair *p) {
  return p->corner ? 0.45 * p->geometry.base_pitch : 0.5 * (p->edge + p->spread);
}

/* Moves the contact point from the middle of the slice to the middle of the part of the slice that is in contact. If a
 * length of the slice is beyond a tip, the contact point moves by half of this length. */
static void move_inside(const hk_gear_pair *p, hk_gear_touched *t) {
  const hk_involute *g = &p->geometry;
  double out[2], turn[2];
  for (int j = 0; j < 2; j++) out[j] = beyond_tip(g, j, t->roll[j], &turn[j]) + 0.5 * p->spread;
  for (int j = 0; j < 2; j++) {
    if (!(out[j] > 0)) continue;
    t->roll[j] -= 0.5 * turn[j] * out[j];
    t->roll[1 - j] += 0.5 * turn[j] * g->sign * out[j];
    t->moves[j][j] -= 0.5;
    t->moves[1 - j][j] += 0.5 * g->sign;
  }
}

/* Fills t and s for slice i of pair k; returns false if the slice is outside the path of
 * contact. */
static bool touch(const hk_gear_pair *p, const hk_gear_section *c, int k, int i, hk_gear_touched *t,
                  hk_mesh_slice *s) {
  const hk_involute *g = &p->geometry;
  double pitch = k * g->base_pitch, limit = hk_gear_path_margin(p), depth_slope, turn, e = 0;
  *t = (hk_gear_touched){.pair = k, .slice = i, .weight = 1, .moves = {{1, 0}, {0, 1}}};
  t->roll[0] = c->roll[0] + pitch;
  t->roll[1] = c->roll[1] - g->sign * pitch;
  if (beyond_tip(g, 0, t->roll[0], &turn) > limit || beyond_tip(g, 1, t->roll[1], &turn) > limit)
    return false;
  if (!(t->roll[0] > 0.01 * p->shape[0].first && t->roll[1] > 0.01 * p->shape[1].first))
    return false;
  double depth2 = 1;
  if (!p->corner) t->weight = weight_of(p, t->roll, t->weight_slope);
  if (!(t->weight > 0)) return false;
  if (t->weight < 1 && p->spread > 0) move_inside(p, t);
  for (int j = 0; j < 2; j++) {
    double slope[2];
    e += hk_gear_shape_at(&p->shape[j], t->roll[j], c->height[j], slope);
    t->shape_slope[j] += slope[0];
    t->shape_shift += slope[1] * c->height_slope[j];
    if (p->corner) e += corner_gap(g, j, t->roll, t->shape_slope);
    double depth = hk_involute_depth(g, j, t->roll[j], &depth_slope);
    double least = 0.05 * g->module; /* the slice is below the corner of a tip */
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
  s->weight = t->weight * c->part;
  return true;
}

/* Initial value of Newton's iteration, extrapolated from the last steps. */
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

/* Change of the penetration of pair k due to the pitch deviations of its teeth. */
static double pitch_overlap(const hk_gear_pair *p, const hk_gear_side *side, int k) {
  int turn = side->flank > 0 ? k : -k, ring = p->geometry.sign < 0;
  double a = hk_gear_pitch_error(&p->shape[0], side->tooth[0] + turn);
  double b = hk_gear_pitch_error(&p->shape[1], side->tooth[1] + (ring ? turn : -turn));
  return side->flank * p->pitch_normal * (a + p->geometry.sign * b);
}

/* Collects all slices of all pairs on the path of contact that may be loaded. */
static void gather(const hk_gear_pair *p, const hk_gear_section *section, const hk_gear_side *side,
                   const hk_gear_recall *recall, hk_gear_flank_load *f) {
  const hk_involute *g = &p->geometry;
  double past[2] = {INFINITY, INFINITY}, turn, limit = hk_gear_path_margin(p);
  double reach = p->ops->reach ? p->ops->reach(p->law) : 0;
  for (int i = 0; i < p->slices; i++)
    for (int j = 0; j < 2; j++)
      past[j] = fmin(past[j], beyond_tip(g, j, section[i].roll[j], &turn) - limit);
  /* Pair k is k base pitches nearer to the tip of gear 1 and farther from that of gear 2. Which pairs are on the path
   * depends on the centre distance. */
  int first = (int)ceil(past[1] / g->base_pitch), last = (int)floor(-past[0] / g->base_pitch);
  f->n = 0;
  for (int k = first; k <= last && f->n + p->slices <= p->slices * p->teeth_at_once; k++) {
    const double *m = recall->of ? recall->of(recall->context, k) : NULL;
    double more = pitch_overlap(p, side, k) + k * side->step;
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

/* A slice in contact with a fraction of its width deflects more than one under the same load
 * over its full width: the part of its compliance that it does not share with its neighbours is
 * that of a narrower strip. For uncoupled slices this is all of the compliance. Only the part `spread` of the entry,
 * which is due to the twist of helical teeth, reduces the width in this way: spur teeth enter over their whole width
 * (q = 0). In the same way, all slices deflect more if the common face width of the gears has become smaller than in
 * the position given by the model file. Adds the additional compliance for gear j and slice i, where c is the own
 * compliance of the slice:
 *   (N - 1) c,   N = (1 + q (1/w - 1))/v
 * Here w is the fraction of the width that the tips leave in contact, v is the present common face width divided by
 * the initial one, and q = spread/(spread + edge). */
static void add_narrow(const hk_gear_pair *p, const hk_gear_section *section,
                       const hk_gear_compliance *g, int j, int i, bool slopes,
                       hk_gear_flank_load *f) {
  hk_gear_touched *t = &f->touched[i];
  double w = t->weight, v = section[t->slice].part, part = p->spread / (p->spread + p->edge);
  if (v == 1 && (!(w < 1) || !(part > 0))) return;
  double slope, own = hk_gear_compliance_own(g, &f->touch[i], &slope),
                times = (1 + part * (1 / w - 1)) / v;
  int at = i * f->n + i;
  f->C[at] += (times - 1) * own;
  if (!slopes) return;
  f->C_roll[j][at] += 0.5 * (times - 1) * slope;
  t->narrow[0] -= part / (w * v) * own;
  t->narrow[1] -= times * own;
}

static void set_compliance(const hk_gear_pair *p, const hk_gear_section *section, double flank,
                           bool slopes, hk_gear_flank_load *f) {
  size_t nn = (size_t)f->n * (size_t)f->n * sizeof(double);
  memset(f->C, 0, nn);
  for (int j = 0; j < 2 && slopes; j++) memset(f->C_roll[j], 0, nn);
  for (int j = 0; j < 2; j++) {
    const hk_gear_compliance *g = &p->compliance[j][flank > 0 ? 0 : 1];
    if (!g->stations) continue;
    int up = j == 0 || p->geometry.sign < 0 ? 1 : -1; /* teeth are numbered by increasing roll
                                                       * length */
    for (int i = 0; i < f->n; i++)
      f->touch[i] = (hk_gear_touch){
          .tooth = up * f->touched[i].pair,
          .slice = flank > 0 ? f->touched[i].slice : p->slices - 1 - f->touched[i].slice,
          .roll = f->touched[i].roll[j]};
    hk_gear_compliance_locate(g, f->touch, f->n);
    hk_gear_compliance_add(g, f->touch, f->n, f->C, slopes ? f->C_roll[j] : NULL);
    for (int i = 0; i < f->n; i++) add_narrow(p, section, g, j, i, slopes, f);
  }
}

bool hk_gear_flank_solve(const hk_gear_pair *p, const hk_gear_section *section,
                         const hk_gear_side *side, const hk_gear_recall *recall, bool slopes,
                         hk_gear_flank_load *out) {
  gather(p, section, side, recall, out);
  out->iterations = 0;
  if (!out->n) return true;
  set_compliance(p, section, side->flank, slopes, out);
  out->iterations = hk_mesh_solve(p->ops, p->law, out->slice, out->n, out->C, out->room);
  return out->iterations >= 0;
}
