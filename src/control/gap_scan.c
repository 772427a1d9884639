/* Gaps of rigid contacts between the two ends of a step: see gap_scan.h. */
#include "control/gap_scan.h"
#include "sim/dense.h"

/* Velocities between the ends of a step that an error estimate has passed differ little from those at its ends: a bound
 * by these times this holds in all but steps that are wrong anyway. */
static const double more = 1.5;

/* Pieces that are looked at for one gap: a near miss takes one for every halving of the distance. */
enum { MOST_PIECES = 400, DEPTH = 60 };

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

/* How fast two frames come together at most, wherever on them they touch. */
static double approach(const hk_work *w, const hk_contact *c) {
  const hk_frame *A = &w->frame[c->a], *B = &w->frame[c->b];
  double distance = hk_norm(hk_sub(B->x, A->x));
  return hk_norm(hk_sub(B->v, A->v)) + distance * (hk_norm(A->w) + hk_norm(B->w));
}

/* The earliest time that is found at which gap i is closed, before `end`. */
static double first_closed(hk_sim *s, const hk_gap_way *way, hk_contact_row *row, int i, double end,
                           double depth) {
  const hk_contact *c = &s->model->contact[row[i].contact];
  double later[DEPTH], gap_later[DEPTH], from = 0, to = end, found = INFINITY;
  int n = 0;
  go_to(s, way, to);
  hk_contact_rows_at(s->work, -INFINITY, row);
  double g1 = row[i].gap, fastest = approach(s->work, c);
  if (g1 < -depth) found = to;
  go_to(s, way, 0);
  hk_contact_rows_at(s->work, -INFINITY, row);
  double g0 = row[i].gap;
  fastest = more * fmax(fastest, approach(s->work, c));
  for (int pieces = 0; pieces < MOST_PIECES; pieces++) {
    bool may_close = g0 + g1 + 2 * depth < fastest * (to - from);
    if (may_close && n < DEPTH && to - from > 1e-12 * way->h) {
      double middle = 0.5 * (from + to);
      go_to(s, way, middle);
      hk_contact_rows_at(s->work, -INFINITY, row);
      if (row[i].gap < -depth) { /* what comes later does not count */
        found = to = middle, g1 = row[i].gap, n = 0;
        if (to - from <= 1e-3 * way->h) return found;
        continue;
      }
      later[n] = to, gap_later[n++] = g1;
      to = middle, g1 = row[i].gap;
      continue;
    }
    if (n == 0) return found;
    from = to, g0 = g1;
    to = later[--n], g1 = gap_later[n];
  }
  return found;
}

double hk_gap_scan(hk_sim *s, const hk_gap_way *way, hk_contact_row *row, int n,
                   hk_gap_open_fn *open, const void *context, double depth) {
  double end = way->h, found = INFINITY;
  for (int i = 0; i < n; i++) {
    if (s->model->contact[row[i].contact].gap->concave || !open(context, i)) continue;
    double time = first_closed(s, way, row, i, end, depth);
    if (time <= end) found = end = time;
  }
  return found;
}
