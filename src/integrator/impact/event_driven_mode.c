/* Changes of contact states: impacts, end of chatter, opening, sticking and sliding.
 *
 * Impact: Newton's law with Coulomb's friction on the impulses of all touching points, joints eliminated
 * (contact_problem.h). A separating point keeps its velocity unless the impulses of other points push it back:
 * restitution applies only to points that approach. Points with a sequential law, closed or not, are part of the
 * problem only while they approach. The problem is solved again until no such point approaches.
 *
 * Chatter: with the gap's acceleration a < 0 the flights after a rebound at v last 2 v/|a| (1 + e + e^2 + ...) = 2
 * v/(|a| (1 - e)) in total.  If that is short compared with the step, the rest of the series is replaced by its
 * limit. During this time the impulse of the series of impacts equals the impulse of a lasting contact minus v/G. So
 * it is sufficient to remove v by an impulse along the contact's force and to keep the contact closed from this time
 * on. In both cases gap and rate are zero at the end of the series, and the errors are of third order in the length of
 * the series.
 *
 * Contact states: the complementarity problem on accelerations.  A sliding point has one unknown, the normal force
 * including its friction, so that the matrix is not symmetric. All other points have the same unknowns as in the
 * problem of impulses. If the velocity of a sliding point is zero, the solution decides whether the point sticks or
 * slides. */
#include "integrator/impact/event_driven.h"
#include "sim/quality.h"
#include <string.h>

/* ---- problem over a list of points ---- */

/* Returns true if a direction of a point is an unknown of the problem. Other directions are only placeholders, so that
 * every point has `dim` rows. */
static bool is_real(const hk_event_driven *e, int i, int k, bool sliding_known) {
  if (k == HK_DIR_N) return true;
  if (k > e->row[i].tangents || !(e->row[i].mu > 0)) return false;
  return !(sliding_known && e->point[i].mode == HK_MODE_SLIP);
}

static double sign_of(const hk_event_driven *e, int i, int k) {
  return k == HK_DIR_N ? e->point[i].side : 1;
}

static int dimension(const hk_event_driven *e, int n, bool sliding_known) {
  for (int a = 0; a < n; a++)
    if (is_real(e, e->list[a], HK_DIR_S, sliding_known)) return 3;
  return 2;
}

static bool slides(const hk_event_driven *e, int i) {
  return e->point[i].mode == HK_MODE_SLIP && e->row[i].mu > 0;
}

static void build(hk_sim *s, hk_event_driven *e, int n, int dim, bool sliding_known) {
  bool symmetric = true;
  hk_delassus_begin(e->delassus, e->N);
  for (int a = 0; a < n; a++) {
    int i = e->list[a];
    e->mu[a] = is_real(e, i, HK_DIR_T, sliding_known) ? e->row[i].mu : 0;
    symmetric = symmetric && !(sliding_known && slides(e, i));
    for (int k = 0; k < dim; k++) {
      bool real = is_real(e, i, k, sliding_known);
      hk_direction f = {.row = real ? &e->row[i] : NULL, .k = k, .sign = sign_of(e, i, k)};
      f.c[k] = f.sign;
      if (sliding_known && k == HK_DIR_N) f = hk_event_direction(e, i, k);
      hk_delassus_add(e->delassus, &f);
    }
  }
  hk_delassus_set_up(e->delassus, s->index1->solver);
  if (symmetric) hk_delassus_symmetrise(e->delassus);
  hk_delassus_ease(e->delassus, dim);
}

/* If a point without clearance would open on one side, it is loaded on the other side instead. */
static bool turn_sides(hk_event_driven *e, int n, int dim) {
  bool turned = false;
  for (int a = 0; a < n; a++) {
    int r = a * dim;
    if (!e->row[e->list[a]].two_sided || e->P[r] > 0 || !(e->xi[r] > 0)) continue;
    e->point[e->list[a]].side *= -1;
    turned = true;
  }
  return turned;
}

/* ---- impacts ---- */

/* A gap counts as closed at an impact if it closes within this time [s], with an allowance for round-off: this share of the
 * model's length. */
static const double closing_time = 1e-11, closed_share = 1e-15;

/* Lists the points that touch at the frames in `work`; those that approach have an impact. */
static int touching(const hk_sim *s, hk_event_driven *e) {
  int n = 0;
  for (int i = 0; i < e->n; i++) {
    hk_event_point *p = &e->point[i];
    double reach = closing_time * fabs(p->rate[HK_DIR_N]) + closed_share * s->model->length;
    if (!hk_event_held(p) && !p->hit && e->row[i].gap <= reach && p->rate[HK_DIR_N] < 0)
      p->hit = true;
    bool touches = hk_event_held(p) || p->hit || e->row[i].gap <= reach;
    if (e->row[i].in_turn && touches) {
      if (!(p->rate[HK_DIR_N] < -hk_event_still * e->speed)) continue;
      p->hit = true;
    }
    if (touches) e->list[n++] = i;
  }
  return n;
}

static hk_status solve_impact(hk_sim *s, hk_event_driven *e, int n, double fastest, int *dim) {
  *dim = dimension(e, n, false);
  hk_status status = HK_RETRY;
  for (int turn = 0; turn < 4; turn++) {
    build(s, e, n, *dim, false);
    for (int a = 0; a < n; a++)
      for (int k = 0; k < *dim; k++) {
        int i = e->list[a], r = a * *dim + k;
        double rate = sign_of(e, i, k) * e->point[i].rate[k];
        bool rests = hk_event_held(&e->point[i]) && !e->row[i].in_turn;
        double back = k ? e->row[i].eT : rate < 0 && !rests ? e->row[i].eN : 0;
        if (k && (rests || !e->point[i].hit)) back = 0;
        e->b[r] = is_real(e, i, k, false) ? (1 + back) * rate : 0;
        e->P[r] = 0;
      }
    status = hk_delassus_solve(e->delassus, *dim, e->b, e->mu, 1e-3 * fastest, e->P, e->xi);
    s->stats.contact_merit = e->delassus->result.merit;
    s->stats.contact_pivots += e->delassus->result.pivots + e->delassus->result.iterations;
    if (!turn_sides(e, n, *dim)) break;
  }
  return status;
}

static void apply_impact(const hk_sim *s, hk_event_driven *e, int n, int dim, double *v) {
  const hk_system *sys = s->index1;
  int nv = s->model->nv;
  /* memory for one additional column */
  double *z = hk_delassus_column(e->delassus, e->delassus->n);
  hk_zero(z, e->N);
  hk_delassus_apply(e->delassus, e->P, e->N, z);
  for (int i = 0; i < nv; i++) v[i] += z[i];
  for (int i = 0; i < sys->n_kept; i++) /* motions receive their part of the impulse */
    e->jump[1] += z[nv + i] * s->work->gt[sys->kept_row[i]];
  for (int a = 0; a < n; a++) {
    hk_event_point *p = &e->point[e->list[a]];
    p->struck = p->struck || e->P[a * dim] > 0;
    if (p->hit && e->P[a * dim] > 0 && -p->rate[HK_DIR_N] > e->row[e->list[a]].count_above) {
      p->impacts++;
      p->approach = -p->rate[HK_DIR_N];
    }
    if (hk_event_held(p)) p->fresh = true;
    for (int k = 0; k < dim; k++) {
      if (!is_real(e, e->list[a], k, false)) continue;
      double after = hk_contact_row_rate(&e->row[e->list[a]], k, v), P = e->P[a * dim + k];
      double lost = -0.5 * P * sign_of(e, e->list[a], k) * (p->rate[k] + after);
      p->impulse[k] += P;
      e->jump[0] += lost;
      e->jump[2] -= P * sign_of(e, e->list[a], k) * e->row[e->list[a]].drift[k];
      if (k) e->lost_sliding[e->list[a]] += lost;
    }
  }
}

/* Points that were closed and now separate. */
static void release(hk_event_driven *e, int n, double rest, const double *v) {
  for (int a = 0; a < n; a++) {
    int i = e->list[a];
    hk_event_point *p = &e->point[i];
    if (!hk_event_held(p) || e->row[i].two_sided) continue;
    if (!(hk_contact_row_rate(&e->row[i], HK_DIR_N, v) > rest)) continue;
    p->mode = HK_MODE_OPEN;
    p->hit = true; /* the point may close again during chatter */
  }
}

/* Approach velocities that an impact leaves below this share of the fastest one are round-off. Impulses below `small_share`
 * of another one do not count. */
static const double left_over = 1e-9, small_share = 1e-3;

/* Returns true if an impulse was transmitted through a point that touched but did not approach. Newton's law applied
 * to all points at once then gives only one of several possible results. */
static bool pushes_on(const hk_event_driven *e, int n, int dim, double fastest) {
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++) {
      const hk_event_point *hit = &e->point[e->list[a]], *other = &e->point[e->list[b]];
      if (a == b || !(e->P[a * dim] > 0) || !(e->P[b * dim] > small_share * e->P[a * dim]))
        continue;
      if (!hit->hit || !(e->row[e->list[a]].eN > 0) || e->row[e->list[b]].in_turn) continue;
      if (other->rate[HK_DIR_N] < -left_over * fastest) continue;
      if (hk_delassus_couples(e->delassus, a * dim, b * dim)) return true;
    }
  return false;
}

/* Maximum number of rounds of impacts at the same time: usually, and if contacts with a sequential law pass impulses
 * on. */
enum { ROUNDS = 50, ROUNDS_IN_TURN = 5000 };

static hk_status impact(hk_sim *s, hk_event_driven *e, double *x) {
  const hk_model *m = s->model;
  double *v = x + m->at.v, fastest = 0;
  int rounds = ROUNDS;
  for (int i = 0; i < e->n; i++)
    if (e->row[i].in_turn) rounds = ROUNDS_IN_TURN;
  e->impulses_only = true;
  hk_status status = hk_event_evaluate(s, e, x[m->at.t], x + m->at.q, v);
  e->impulses_only = false;
  if (status) return status;
  for (int round = 0; round < rounds; round++) {
    if (round) hk_event_rates(m, e, v);
    int n = touching(s, e), dim;
    double towards = 0;
    for (int a = 0; a < n; a++) {
      double rate = e->point[e->list[a]].rate[HK_DIR_N];
      fastest = fmax(fastest, fabs(rate));
      if (e->point[e->list[a]].hit) towards = fmax(towards, -rate);
    }
    if (!(towards > (round ? left_over * fastest : 0))) return HK_OK;
    if (solve_impact(s, e, n, fastest, &dim))
      return hk_event_refuse(e, "no impulses were found for the impact of contact '%s'",
                             hk_event_point_name(s, e, e->list[0]));
    if (pushes_on(e, n, dim, fastest))
      hk_quality_event(s, HK_QUALITY_SIMULTANEOUS, 0, x[m->at.t], NULL, NULL);
    apply_impact(s, e, n, dim, v);
    release(e, n, left_over * fastest, v);
  }
  return hk_event_refuse(e, "contact '%s' has one impact after another at the same instant",
                         hk_event_point_name(s, e, e->list[0]));
}

/* ---- modes ---- */

/* z: the accelerations without contact forces. */
static hk_status solve_forces(hk_sim *s, hk_event_driven *e, int n, int dim, const double *z) {
  build(s, e, n, dim, true);
  for (int a = 0; a < n; a++)
    for (int k = 0; k < dim; k++) {
      int i = e->list[a], r = a * dim + k;
      double acceleration = hk_event_along(&e->row[i], k, z) + e->point[i].bias[k];
      e->b[r] = is_real(e, i, k, true) ? sign_of(e, i, k) * acceleration : 0;
      e->P[r] = 0;
    }
  return hk_delassus_solve(e->delassus, dim, e->b, e->mu, 0, e->P, e->xi);
}

static int list_held(hk_event_driven *e) {
  int n = 0;
  for (int i = 0; i < e->n; i++)
    if (hk_event_held(&e->point[i])) e->list[n++] = i;
  return n;
}

/* Threshold for the slip of a sticking point, relative to the accelerations of the problem. */
static const double hardly = 1e-8;
static double moving_of(const double *xi, int dim) {
  return dim == 3 ? hypot(xi[1], xi[2]) : fabs(xi[1]);
}

bool hk_event_can_stick(hk_sim *s, hk_event_driven *e) {
  int n = list_held(e), dim = dimension(e, n, true);
  if (solve_forces(s, e, n, dim, e->z_free)) return false;
  double size = hk_max_abs(e->b, n * dim, NULL);
  for (int a = 0; a < n; a++) {
    const double *xi = e->xi + a * dim;
    bool sticks = e->point[e->list[a]].mode == HK_MODE_STICK;
    if (xi[0] > 2 * hardly * size || (sticks && moving_of(xi, dim) > 2 * hardly * size))
      return false;
  }
  return true;
}

/* Determines the contact states of the listed points from the solution. The force of a point that hardly moves may not
 * be unique: the point is then closed and sticks for the present. */
static void choose_modes(hk_event_driven *e, int n, int dim) {
  double size = hk_max_abs(e->b, n * dim, NULL);
  for (int a = 0; a < n; a++) {
    hk_event_point *p = &e->point[e->list[a]];
    const hk_contact_row *row = &e->row[e->list[a]];
    const double *P = e->P + a * dim, *xi = e->xi + a * dim;
    p->frozen = p->stopped = false;
    p->idle = !(P[0] > 0) && !row->two_sided;
    if (p->idle && xi[0] > hardly * size) p->mode = HK_MODE_OPEN;
    if (p->mode == HK_MODE_OPEN) continue;
    if (p->mode == HK_MODE_SLIP) continue;
    double T = dim == 3 ? hypot(P[1], P[2]) : fabs(P[1]);
    double moving = moving_of(xi, dim);
    if (!(moving > hardly * size)) continue;
    p->mode = HK_MODE_SLIP;
    for (int k = 0; k < 2; k++)
      p->slip[k] = k >= dim - 1 ? 0 : T > 0 ? -P[1 + k] / T : xi[1 + k] / moving;
  }
}

/* Normal forces below this share of the largest one are 0; negative ones beyond round-off pull. */
static const double no_force = 1e-9, pulling = 1e-12;

/* Opens one of the points without load or with tension: the point with the largest tension, if the other points still
 * support the bodies. */
static bool find_idle(hk_event_driven *e) {
  double most = 0, least = INFINITY;
  int worst = -1;
  bool open = e->delassus->rank < e->delassus->n;
  for (int i = 0; i < e->n; i++)
    if (hk_event_held(&e->point[i])) most = fmax(most, fabs(e->point[i].force[HK_DIR_N]));
  for (int i = 0; i < e->n; i++) {
    const hk_event_point *p = &e->point[i];
    if (!hk_event_held(p) || e->row[i].two_sided) continue;
    double N = p->force[HK_DIR_N];
    if (!(p->idle && N <= no_force * most) && !(open && N < -pulling * most)) continue;
    if (N < least) least = N, worst = i;
  }
  if (worst >= 0) e->point[worst].mode = HK_MODE_OPEN;
  return worst >= 0;
}

/* Makes all points slide that stick beyond their friction limit. Returns true if there are such points. */
static bool find_limits(hk_event_driven *e) {
  bool found = false;
  for (int i = 0; i < e->n; i++) {
    hk_event_point *p = &e->point[i];
    double T = hypot(p->force[HK_DIR_T], p->force[HK_DIR_S]);
    if (p->mode != HK_MODE_STICK || p->propped || !(T > 0)) continue;
    if (!(T >= e->row[i].mu * p->force[HK_DIR_N] * (1 - 1e-12))) continue;
    p->mode = HK_MODE_SLIP;
    p->limit = found = true;
    for (int k = 0; k < 2; k++) p->slip[k] = -p->force[1 + k] / T;
  }
  return found;
}

/* Points at their friction limit continue to stick if other points prevent sliding. The forces of these points are
 * not unique. */
static bool find_propped(hk_sim *s, hk_event_driven *e) {
  bool any = false, found = false;
  int b = 0;
  for (int i = 0; i < e->n; i++) any = any || e->point[i].limit;
  if (!any) return false;
  for (int i = 0; i < e->n; i++) e->point[i].slow = e->point[i].limit;
  int m = hk_event_mobility(s, e);
  for (int i = 0; i < e->n; i++) {
    hk_event_point *p = &e->point[i];
    if (!p->slow) continue;
    double moves = 0, alone = 0;
    for (int k = 0; k < 2; k++) {
      alone += p->slip[k] * p->slip[k] * e->alone[b + k];
      for (int l = 0; l < 2; l++)
        moves += p->slip[k] * p->slip[l] * e->mobility[(b + k) * m + b + l];
    }
    p->slow = p->limit = false;
    b += 2;
    if (fabs(moves) > 1e-9 * alone) continue;
    p->mode = HK_MODE_STICK;
    p->propped = found = true;
  }
  return found;
}

/* Computes the motion with the assumed contact states. Repeats this until no normal force is tensile and no point
 * sticks beyond its friction limit. */
static hk_status settle_forces(hk_sim *s, hk_event_driven *e, double t) {
  for (int i = 0; i < e->n; i++) e->point[i].limit = e->point[i].propped = false;
  hk_copy(e->z_free, e->z, e->N);
  do {
    hk_copy(e->z, e->z_free, e->N);
    hk_event_columns(s, e);
    hk_status status = hk_event_unique(s, e, t);
    if (status) return status;
    hk_event_forces(s, e);
  } while (find_idle(e) || find_limits(e) || find_propped(s, e));
  return HK_OK;
}

/* Returns true if the direction of sliding passes through zero, as for a trunnion at the dead point of its
 * oscillation. The sliding then continues in the opposite direction, because no friction could stop it. */
static bool vanishes(const hk_contact_row *r) {
  double T = 0, N = 0;
  for (int k = 0; k < 12; k++) {
    T = fmax(T, fabs(r->W[HK_DIR_T][k]));
    N = fmax(N, fabs(r->W[HK_DIR_N][k]));
  }
  return r->tangents == 1 && T < 1e-9 * N;
}

/* Sets preliminary contact states before the problem is set up. These states depend on whether a sliding point has
 * come to rest, has received an impulse or has just closed. */
static void tentative_modes(hk_event_driven *e) {
  for (int i = 0; i < e->n; i++) {
    hk_event_point *p = &e->point[i];
    const hk_contact_row *row = &e->row[i];
    if (!hk_event_held(p)) continue;
    double slide =
        row->tangents == 2 ? hypot(p->rate[HK_DIR_T], p->rate[HK_DIR_S]) : fabs(p->rate[HK_DIR_T]);
    if (!(row->mu > 0) || row->tangents == 0) {
      p->mode = HK_MODE_SLIP;
      p->slip[0] = p->slip[1] = 0;
    } else if (p->stopped && vanishes(row)) {
      p->slip[0] = p->bias[HK_DIR_T] < 0 ? -1 : 1;
      p->slip[1] = 0;
    } else if (p->stopped || !(slide > (p->fresh ? 1e-10 : hk_event_still) * e->speed)) {
      p->mode = HK_MODE_STICK;
    } else if (p->fresh) {
      p->mode = HK_MODE_SLIP;
      p->slip[0] = p->rate[HK_DIR_T] / slide;
      p->slip[1] = row->tangents == 2 ? p->rate[HK_DIR_S] / slide : 0;
    }
    p->fresh = false;
  }
}

/* Returns true if a series of impacts ends here; its points become closed. */
static bool close_chatter(hk_event_driven *e) {
  bool closed = false;
  for (int i = 0; i < e->n; i++) {
    hk_event_point *p = &e->point[i];
    if (!p->hit || hk_event_held(p)) continue;
    double a = hk_event_along(&e->row[i], HK_DIR_N, e->z) + p->bias[HK_DIR_N];
    double v = fmax(p->rate[HK_DIR_N], 0), left = -a * (1 - e->row[i].eN);
    bool ends = left > 0 && 2 * v <= left * e->chatter;
    bool short_hop = a < 0 && 2 * v <= -a * e->flight && v * v <= -2 * a * e->height;
    if (!ends && !short_hop) continue;
    p->mode = HK_MODE_SLIP;
    p->fresh = closed = true;
    p->early = ends ? 2 * v / left : 0;
  }
  return closed;
}

/* Closes the open points that touch and have no normal velocity. */
static void take_in(const hk_sim *s, hk_event_driven *e) {
  for (int i = 0; i < e->n; i++) {
    hk_event_point *p = &e->point[i];
    if (hk_event_held(p) || p->mode == HK_MODE_UNKNOWN) continue;
    if (fabs(e->row[i].gap) > 1e-12 * s->model->length) continue;
    if (fabs(p->rate[HK_DIR_N]) > 1e-11 * e->speed) continue;
    p->mode = HK_MODE_SLIP;
    p->fresh = true;
  }
}

static hk_status settle(hk_sim *s, hk_event_driven *e, double *x) {
  const hk_model *m = s->model;
  double *v = x + m->at.v;
  for (int round = 0; round <= e->n + 1; round++) {
    hk_status status = hk_event_evaluate(s, e, x[m->at.t], x + m->at.q, v);
    if (status) return status;
    if (round == 0) take_in(s, e);
    tentative_modes(e);
    hk_event_columns(s, e);
    hk_event_find_open(e);
    int n = list_held(e), dim = dimension(e, n, true);
    if (n > 0) {
      double before = hk_kinetic_energy(s->work, v);
      double motion = hk_event_hold_velocity(s, e, x);
      e->jump[0] += before + motion - hk_kinetic_energy(s->work, v);
      e->jump[1] += motion;
      status = hk_event_evaluate(s, e, x[m->at.t], x + m->at.q, v);
      if (status) return status;
    }
    for (int turn = 0; n > 0 && turn < 4; turn++) {
      if (solve_forces(s, e, n, dim, e->z)) return hk_event_no_forces(s, e, n, dim, x[m->at.t]);
      if (!turn_sides(e, n, dim)) break;
    }
    choose_modes(e, n, dim);
    status = settle_forces(s, e, x[m->at.t]);
    if (status) return status;
    hk_event_doubt_slide(s, e, x[m->at.t]);
    if (!close_chatter(e)) break;
  }
  return HK_OK;
}

hk_status hk_event_pass(hk_sim *s, hk_event_driven *e, double *x) {
  hk_status status = impact(s, e, x);
  if (!status) status = settle(s, e, x);
  for (int i = 0; i < e->n; i++) e->point[i].hit = e->point[i].stopped = false;
  return status;
}

hk_status hk_event_begin(hk_sim *s, hk_event_driven *e, double *x) {
  const hk_model *m = s->model;
  double reach = 1e-10 * m->length;
  hk_status status = hk_event_evaluate(s, e, x[m->at.t], x + m->at.q, x + m->at.v);
  if (status) return status;
  for (int i = 0; i < e->n; i++) {
    hk_event_point *p = &e->point[i];
    if (p->mode != HK_MODE_UNKNOWN) continue;
    double gap = e->row[i].gap, rate = p->rate[HK_DIR_N];
    p->mode = HK_MODE_OPEN;
    if (e->row[i].two_sided) {
      p->mode = HK_MODE_SLIP;
      p->fresh = true;
      continue;
    }
    if (gap < -reach)
      return hk_event_refuse(e, "the bodies of contact '%s' overlap by %.3g m at the start",
                             hk_event_point_name(s, e, i), -gap);
    if (gap > reach || rate > hk_event_still * e->speed) continue;
    p->hit = rate < -hk_event_still * e->speed;
    p->fresh = !p->hit;
    if (p->fresh) p->mode = HK_MODE_SLIP;
  }
  status = hk_event_pass(s, e, x);
  if (!status) status = hk_event_project(s, e, x);
  return status;
}
