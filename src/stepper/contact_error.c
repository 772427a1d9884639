/* The local error of compliant contacts, judged by energy.
 *
 * A step sees the force of a contact at its two ends only.  While a contact closes or opens, the mean
 * of these may be far from the true one, and the bodies leave with another speed than they should: an
 * undamped ball rises higher than it fell.  The error of the positions tells too little of it,
 * because the overlap of stiff bodies is small against any tolerance.  So each contact is judged on its
 * own: its force in the middle of the step, from the cubic through the gap and its rate at both
 * ends, makes Simpson's rule, and the difference of the impulses is a difference of speed
 *
 *   dv = h/(3 m) |N0 - 2 Nm + N1|,    1/m = n.(M^-1 of both bodies) n
 *
 * whose energy, dv (u + dv/2) per mass with u the speed that the contact holds, is compared with
 * the energies at hand: a share of that of the step, of the least energetic of the touching bodies, of the
 * work of what presses the bodies together over the tolerance, and of a speed that the tolerance
 * hides.  What stiffness and damping take back within the step is no error: the divisor
 * 1 + h/2 c/m + h^2/4 k/m.  An energy that the step itself has made is always one.
 */
#include "stepper/contact_error.h"
#include "core/contact.h"
#include "node/node.h"

/* Share of the contact's own energy, and of that of the least energetic body, that an error may have. */
static const double own_share = 3e-5, body_share = 1e-4;
static const double press_share = 0.1; /* of the work of a lasting force over the tolerance */
static const double quiet = 1e-7;      /* of the tolerance over the step: a speed that counts as none */

typedef struct touch_end {
  double gap, rate, N, U, k, c; /* stored energy; derivatives by depth and rate */
} touch_end;

static touch_end at_end(const hk_contact *c, hk_law_in *in, double gap, double rate) {
  touch_end e = {.gap = gap, .rate = rate};
  if (gap >= 0) return e;
  hk_normal n = {0};
  in->depth = -gap;
  in->rate = -rate;
  c->law->normal(c->l, in, &n);
  e.N = n.N, e.U = n.potential, e.k = n.N_depth, e.c = n.N_rate;
  return e;
}

/* What the state keeps of a point from one step to the next. */
typedef struct kept {
  double gap, rate, N, U, mean, press;
} kept;
static kept *kept_of(const hk_model *m, double *x, int point) {
  return (kept *)(x + m->at.touch + point * HK_N_TOUCH + HK_TOUCH_GAP);
}
static const kept *kept_in(const hk_model *m, const double *x, int point) {
  return (const kept *)(x + m->at.touch + point * HK_N_TOUCH + HK_TOUCH_GAP);
}

/* Could the surfaces have met within the step?  Far from each other, their distance at both ends
 * says that they did not. */
static bool near(double g0, double g1) { return fmin(g0, g1) < 4 * fabs(g1 - g0) || g0 < 0 || g1 < 0; }

/* Energy per mass that the contacts of each body hold at the step's start: the largest, INFINITY for
 * the ground. */
static double held_energy(const hk_sim *s, int marker) {
  int node = s->model->marker[marker].node;
  return node == HK_GROUND ? INFINITY : s->contact_energy[node];
}

static void find_held_energies(hk_sim *s, const double *x0) {
  const hk_model *m = s->model;
  for (int i = 0; i < m->n_nodes; i++) s->contact_energy[i] = 0;
  for (int i = 0; i < m->n_points; i++) {
    const hk_contact *c = &m->contact[m->point_contact[i]];
    const kept *k = kept_in(m, x0, i);
    if (c->law->set_valued || !(k->gap < 0)) continue;
    double e = 0.5 * k->rate * k->rate + k->U * s->contact_mobility[i];
    for (int end = 0; end < 2; end++) {
      int node = m->marker[end ? c->b : c->a].node;
      if (node != HK_GROUND) s->contact_energy[node] = fmax(s->contact_energy[node], e);
    }
  }
}

static double least(double a, double b, double c) { return fmin(a, fmin(b, c)); }

/* One point: error over what is allowed.  w = 1/m. */
static double judge(const hk_sim *s, const hk_contact *c, hk_law_in *in, double w, double mean,
                    double h, const touch_end *a, const touch_end *b, kept *next) {
  const hk_analysis_dynamics *o = &s->option;
  double tol = o->atol + o->rtol * s->model->length;
  /* What presses besides the contact, and its lasting part, which ringing does not feel. */
  double P = mean * w - (b->rate - a->rate) / h;
  touch_end shallow = at_end(c, in, -tol, 0);
  double lag = h * sqrt(fmax(shallow.k, 0) * w) / 100;
  next->press = (next->press + lag * P) / (1 + lag);
  double gm = 0.5 * (a->gap + b->gap) + h * (a->rate - b->rate) / 8;
  double gm_rate = 1.5 * (b->gap - a->gap) / h - 0.25 * (a->rate + b->rate);
  if (a->gap >= 0 && b->gap >= 0 && gm >= 0) return 0;
  touch_end middle = at_end(c, in, gm, gm_rate);
  double dv = h / 3 * w * fabs(a->N - 2 * middle.N + b->N);
  double u = sqrt(a->rate * a->rate + 2 * a->U * w), v = u + h * fmax(P, 0), z = quiet * tol / h;
  double limit = own_share * v * v / 2 +
                 body_share * fmin(held_energy(s, c->a), held_energy(s, c->b)) +
                 press_share * tol * fmax(0, fmin(P, next->press)) + z * (u + z);
  double k = least(a->k, middle.k, b->k), d = least(a->c, middle.c, b->c);
  double error = dv * (u + dv / 2) / (1 + h / 2 * d * w + h * h / 4 * k * w);
  if (b->U * w > v * v) error = fmax(error, b->U * w - v * v / 2);
  return error / limit;
}
