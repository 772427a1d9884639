/* Gaps between the two ends of a step: see gap_scan.h. */
#include "control/gap_scan.h"
#include "sim/dense_output.h"

/* Bound of the velocities within a step, as a multiple of the velocities at its two ends. The step has passed the
 * error test, so the velocities within it differ little from those at the ends. */
static const double more = 1.5;

/* Maximum number of intervals for one gap. A near miss needs one interval for every halving of the distance. */
enum { MOST_PIECES = 400, DEPTH = 60 };

/* Relative to the step: shortest interval that is examined, and length of the interval in which a closing gap is
 * located. */
static const double shortest = 1e-12, located = 1e-3;

/* Frames of a state within the step. */
static void go_to(hk_sim *s, const hk_gap_way *way, double time) {
  const hk_model *m = s->model;
  double *x = s->out.x_between;
  hk_copy(x, way->x0, m->at.size);
  hk_dense_motion(s, way->x0 + m->at.q, way->x0 + m->at.v, way->q1, way->v1, way->h, time / way->h,
                  x + m->at.q, x + m->at.v);
  x[m->at.t] = way->x0[m->at.t] + time;
  const hk_instant in = hk_instant_at(m, x);
  hk_kinematics(s->work, &in, HK_FRAMES_MOVING);
}

/* Maximum approach velocity of two frames, for any point of contact on them. */
static double approach(const hk_work *w, const hk_contact *c) {
  const hk_frame *A = &w->frame[c->a], *B = &w->frame[c->b];
  double straight = hk_norm(hk_sub(B->v, A->v)), distance = hk_norm(hk_sub(B->x, A->x));
  return c->gap->round ? straight : straight + distance * (hk_norm(A->w) + hk_norm(B->w));
}

double hk_gap_at(const hk_work *w, const hk_contact *c, int point) {
  const hk_frame *A = &w->frame[c->a], *B = &w->frame[c->b];
  hk_gap gap[HK_CONTACT_MAX_POINTS];
  hk_gap_rows row[HK_CONTACT_MAX_POINTS];
  if (c->gap->rows) {
    c->gap->rows(c->k, A, B, row);
    return row[point].gap;
  }
  c->gap->eval(c->k, A, B, -INFINITY, false, gap);
  return gap[point].gap;
}

double hk_gap_closes(hk_sim *s, const hk_gap_way *way, const hk_contact *c, int point, double end,
                     double depth) {
  double later[DEPTH], gap_later[DEPTH], from = 0, to = end, found = INFINITY;
  int n = 0;
  go_to(s, way, to);
  double g1 = hk_gap_at(s->work, c, point), fastest = approach(s->work, c);
  if (g1 < -depth) found = to;
  go_to(s, way, 0);
  double g0 = hk_gap_at(s->work, c, point);
  fastest = more * fmax(fastest, approach(s->work, c));
  for (int pieces = 0; pieces < MOST_PIECES; pieces++) {
    bool may_close = g0 + g1 + 2 * depth < fastest * (to - from);
    if (may_close && n < DEPTH && to - from > shortest * way->h) {
      double middle = 0.5 * (from + to);
      go_to(s, way, middle);
      double gap = hk_gap_at(s->work, c, point);
      if (gap < -depth) { /* later times are not needed */
        found = to = middle, g1 = gap, n = 0;
        if (to - from <= located * way->h) return found;
        continue;
      }
      later[n] = to, gap_later[n++] = g1;
      to = middle, g1 = gap;
      continue;
    }
    if (n == 0) return found;
    from = to, g0 = g1;
    to = later[--n], g1 = gap_later[n];
  }
  return fmin(found, from > 0 ? from : to);
}

double hk_gap_scan(hk_sim *s, const hk_gap_way *way, const hk_contact_row *row, int n,
                   hk_gap_open_fn *open, const void *context, double depth) {
  double end = way->h, found = INFINITY;
  for (int i = 0; i < n; i++) {
    const hk_contact *c = &s->model->contact[row[i].contact];
    if (c->gap->concave || !open(context, i)) continue;
    double time = hk_gap_closes(s, way, c, row[i].point - c->point, end, depth);
    if (time <= end) found = end = time;
  }
  return found;
}
