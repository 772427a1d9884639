/* Accelerations with closed rigid contacts, held at the level of accelerations (index 1):
 *
 *   M v' + G^T lambda = f + sum_i F_i lambda_i,   G v' + bias = 0,   r_i . v' + bias_i = 0
 *
 * A sticking point has the rows and force directions W_N, W_T, W_S; a sliding one has the row W_N
 * and the direction W_N - mu u W_T, where u is the direction of sliding. The joints are eliminated with the
 * factorization of the system matrix for accelerations; a small dense matrix for the contacts remains. The biases of
 * the contacts, d/dt(W v) at constant v, are central differences of fourth order along the motion, because gap
 * functions have no second derivatives; projections remove the remaining error. */
#include "core/map.h"
#include "integrator/impact/event_driven.h"
#include "node/dispatch.h"
#include <string.h>

/* ---- biases of the contacts ---- */

/* Rotation [rad], and displacement relative to the model's length (at least least_length [m]), over which biases are
 * computed as differences. */
static const double short_way = 1e-3, least_length = 1e-6;

/* Returns a time so short that no body moves farther than allowed for a difference; 0: all bodies are at rest. */
static double short_time(const hk_sim *s, const double *v) {
  const hk_model *m = s->model;
  double fastest = 0;
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    double way, turn;
    hk_vec3 alpha;
    hk_node_squares(n, v + n->v, &way, &turn);
    fastest = fmax(fastest, sqrt(way) / fmax(m->length, least_length));
    turn = sqrt(turn) + hk_norm(hk_map_guide(s->work, i, &alpha));
    turn += sqrt(hk_norm(alpha));
    fastest = fmax(fastest, turn);
  }
  return fastest > 0 ? fmin(short_way / fastest, 1) : 0;
}

/* Contact directions at the time h after the present state, along the motion. */
static void look_along(hk_sim *s, hk_event_driven *e, double t, const double *q, const double *v,
                       double h, hk_contact_row *row) {
  const hk_model *m = s->model;
  for (int k = 0; k < m->nv; k++) s->u[k] = h * v[k];
  hk_configuration_add(m, q, s->u, e->shifted);
  const hk_instant in = {.t = t + h, .q = e->shifted, .v = v};
  hk_kinematics(s->work, &in, HK_FRAMES_MOVING);
  hk_contact_rows_at(s->work, INFINITY, row);
}

/* Difference between two direction vectors, divided by the length of the longest direction
 * vector of the point, because the length of a single direction vector may be zero. */
static double turn_between(const hk_event_driven *e, const hk_contact_row *a,
                           const hk_contact_row *b) {
  double most = 0;
  for (int i = 0; i < e->n; i++) {
    double change = 0, size = 0;
    if (!hk_event_held(&e->point[i]) && !e->point[i].hit) continue;
    for (int k = 0; k <= a[i].tangents; k++)
      for (int c = 0; c < 12; c++) {
        change = fmax(change, fabs(a[i].W[k][c] - b[i].W[k][c]));
        size = fmax(size, fabs(a[i].W[k][c]));
      }
    if (size > 0) most = fmax(most, change / size);
  }
  return most;
}

/* The time interval of the difference is shortened until the contact directions rotate by less than most_turn [rad] in
 * it; the new interval is chosen for wanted_turn. most_cut limits the reduction in one attempt, and least_time the
 * ratio of the interval to the first one. */
static const double wanted_turn = 4e-3, most_turn = 8e-3, most_cut = 1e-3, least_time = 1e-7;
enum { MOST_SHORTENED = 8 };

/* In a small clearance the normal rotates faster than the bodies, so that the difference needs a shorter time. */
static void find_biases(hk_sim *s, hk_event_driven *e, double t, const double *q, const double *v) {
  hk_contact_row *back = e->row + e->n, *ahead = e->row + 2 * e->n;
  double h = short_time(s, v), least = least_time * h;
  for (int i = 0; i < e->n; i++)
    for (int k = 0; k < HK_N_DIR; k++) e->point[i].bias[k] = 0;
  for (int attempt = 0; h > 0 && attempt < MOST_SHORTENED; attempt++) {
    look_along(s, e, t, q, v, -h, back);
    look_along(s, e, t, q, v, h, ahead);
    double turn = turn_between(e, ahead, back);
    if (turn <= most_turn || h <= least) break;
    h = fmax(least, h * fmax(wanted_turn / turn, most_cut));
  }
  for (int far = 1; h > 0 && far <= 2; far++) {
    double weight = (far == 1 ? 8 : -1) / (12 * h);
    if (far == 2) {
      look_along(s, e, t, q, v, -2 * h, back);
      look_along(s, e, t, q, v, 2 * h, ahead);
    }
    for (int i = 0; i < e->n; i++)
      for (int k = 0; k <= e->row[i].tangents; k++)
        e->point[i].bias[k] +=
            weight * (hk_contact_row_rate(&ahead[i], k, v) - hk_contact_row_rate(&back[i], k, v));
  }
}

/* ---- evaluation ---- */

/* Reference speed: the speed of the bodies, or the speed that they reach within the model's length with their present
 * acceleration. The second speed keeps the reference above zero when the bodies come to rest. */
static double usual_speed(const hk_model *m, const double *x) {
  double fastest = 0;
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    double way, turn, pull, twist, arm = n->arm * n->arm;
    hk_node_squares(n, x + m->at.v + n->v, &way, &turn);
    hk_node_squares(n, x + m->at.vd + n->v, &pull, &twist);
    fastest = fmax(fastest, sqrt(fmax(way, arm * turn)));
    fastest = fmax(fastest, sqrt(m->length * sqrt(fmax(pull, arm * twist))));
  }
  return isfinite(fastest) ? fastest : 0;
}

void hk_event_scale(const hk_model *m, hk_event_driven *e, const double *x) {
  e->usual_speed = usual_speed(m, x);
}

void hk_event_rates(const hk_model *m, hk_event_driven *e, const double *v) {
  e->speed = fmax(e->usual_speed, hk_max_abs(v, m->nv, NULL));
  for (int i = 0; i < e->n; i++) {
    hk_event_point *p = &e->point[i];
    for (int k = 0; k <= e->row[i].tangents; k++)
      p->rate[k] = hk_contact_row_rate(&e->row[i], k, v);
    if (e->row[i].tangents < 2 || p->frozen || p->slow || p->mode != HK_MODE_SLIP) continue;
    double slide = hypot(p->rate[HK_DIR_T], p->rate[HK_DIR_S]);
    if (!(slide > 1e-13 * e->speed)) continue;
    p->slip[0] = p->rate[HK_DIR_T] / slide;
    p->slip[1] = p->rate[HK_DIR_S] / slide;
  }
}

hk_status hk_event_evaluate(hk_sim *s, hk_event_driven *e, double t, const double *q,
                            const double *v) {
  const hk_model *m = s->model;
  hk_work *w = s->work;
  hk_system *sys = s->index1;
  hk_instant in = hk_instant_with(m, e->start, e->start + m->at.lambda);
  in.h = t - in.t;
  in.t = t;
  in.q = q;
  in.v = v;
  bool touching = false;
  for (int i = 0; i < e->n; i++)
    touching = touching || hk_event_held(&e->point[i]) || e->point[i].hit;
  if (touching && !e->impulses_only) find_biases(s, e, t, q, v);
  hk_kinematics(w, &in, HK_FRAMES_MOVING);
  hk_constraints(w, &in);
  hk_constraint_bias(w, &in);
  hk_status status = hk_forces(w, &in);
  if (status) return status;
  hk_contact_rows_at(w, INFINITY, e->row);
  hk_event_rates(m, e, v);
  const hk_coefficients c = {.cM = 1, .ideal = true};
  status = hk_assemble(sys, w, &c, &in);
  for (int i = 0; i < m->n_states; i++) *sys->diagonal[m->state[i].node].at += 1;
  if (!status) status = hk_linear_solver_factor(sys->solver, sys->matrix);
  s->stats.factorizations++;
  if (status) return status;
  hk_copy(e->z, w->f, m->nv);
  for (int k = 0; k < sys->n_kept; k++) e->z[m->nv + k] = -w->bias[sys->kept_row[k]];
  hk_linear_solver_solve(sys->solver, e->z);
  return isfinite(hk_max_abs(e->z, sys->n, NULL)) ? HK_OK : HK_RETRY;
}

/* ---- held directions ---- */

static double row_sign(const hk_event_point *p, int k) { return k == HK_DIR_N ? p->side : 1; }

static void count_unknowns(hk_event_driven *e) {
  int n = 0;
  for (int i = 0; i < e->n; i++) {
    hk_event_point *p = &e->point[i];
    p->first = n;
    p->unknowns = !hk_event_held(p) ? 0 : p->mode == HK_MODE_STICK ? 1 + e->row[i].tangents : 1;
    n += p->unknowns;
  }
}

hk_direction hk_event_direction(const hk_event_driven *e, int i, int k) {
  const hk_event_point *p = &e->point[i];
  const hk_contact_row *row = &e->row[i];
  hk_direction f = {.row = row, .k = k, .sign = row_sign(p, k)};
  f.c[k] = f.sign;
  if (p->mode == HK_MODE_SLIP && k == HK_DIR_N)
    f.c[HK_DIR_T] = -row->mu * p->slip[0], f.c[HK_DIR_S] = -row->mu * p->slip[1];
  return f;
}

static void add_held(hk_event_driven *e) {
  count_unknowns(e);
  hk_delassus_begin(e->delassus, e->N);
  for (int j = 0; j < e->n; j++)
    for (int k = 0; k < e->point[j].unknowns; k++) {
      hk_direction f = hk_event_direction(e, j, k);
      hk_delassus_add(e->delassus, &f);
    }
}

void hk_event_columns(hk_sim *s, hk_event_driven *e) {
  add_held(e);
  hk_delassus_set_up(e->delassus, s->index1->solver);
  hk_delassus_factor(e->delassus);
}

int hk_event_mobility(hk_sim *s, hk_event_driven *e) {
  hk_delassus *d = e->delassus;
  add_held(e);
  int n = 0;
  for (int i = 0; i < e->n; i++)
    for (int k = HK_DIR_T; k <= HK_DIR_S && e->point[i].slow; k++) {
      const bool real = k <= e->row[i].tangents;
      hk_direction f = {.row = &e->row[i], .k = real ? k : HK_DIR_T, .sign = 1};
      f.c[k] = real;
      e->mover[n++] = f;
      hk_delassus_add_column(d, &f);
    }
  hk_delassus_set_up(d, s->index1->solver);
  hk_delassus_factor(d);
  for (int b = 0; b < n; b++) {
    double *y = hk_delassus_column(d, d->n + b);
    for (int i = 0; i < d->n; i++) e->r[i] = -d->E[i * d->more + b];
    e->alone[b] = hk_direction_along(&e->mover[b], y);
    hk_delassus_hold(d, e->r);
    hk_delassus_apply(d, e->r, s->model->nv, y);
    for (int a = 0; a < n; a++) e->mobility[a * n + b] = hk_direction_along(&e->mover[a], y);
  }
  return n;
}

void hk_event_forces(hk_sim *s, hk_event_driven *e) {
  const hk_model *m = s->model;
  const hk_work *w = s->work;
  for (int i = 0; i < e->n; i++)
    for (int k = 0; k < e->point[i].unknowns; k++)
      e->r[e->point[i].first + k] =
          -row_sign(&e->point[i], k) * (hk_event_along(&e->row[i], k, e->z) + e->point[i].bias[k]);
  hk_delassus_hold(e->delassus, e->r);
  bool open = e->delassus->rank < e->delassus->n;
  double size = open ? hk_max_abs(e->z, m->nv, NULL) : 0;
  if (open) hk_copy(e->z_free, e->z, e->N);
  if (open) hk_event_share(e);
  hk_delassus_apply(e->delassus, e->r, e->N, e->z);
  e->power[0] = w->dissipated;
  e->power[1] = 0;
  e->power[2] = w->applied;
  const hk_system *sys = s->index1;
  for (int k = 0; k < sys->n_kept; k++) e->power[1] += e->z[m->nv + k] * w->gt[sys->kept_row[k]];
  for (int i = 0; i < e->n; i++) {
    hk_event_point *p = &e->point[i];
    for (int k = 0; k < HK_N_DIR; k++) p->force[k] = k < p->unknowns ? e->r[p->first + k] : 0;
    for (int k = 0; k < HK_N_DIR; k++) p->torn[k] = 0;
    if (p->mode == HK_MODE_SLIP)
      for (int k = 0; k < 2; k++) p->force[1 + k] = -e->row[i].mu * p->slip[k] * p->force[HK_DIR_N];
    e->sliding[i] = 0;
    for (int k = HK_DIR_T; k <= e->row[i].tangents; k++) e->sliding[i] -= p->force[k] * p->rate[k];
    for (int k = 0; k <= e->row[i].tangents;
         k++) /* power that prescribed rotations supply to the contact */
      e->power[2] -= row_sign(p, k) * p->force[k] * e->row[i].drift[k];
    e->power[0] += e->sliding[i];
  }
  if (open) hk_event_find_torn(e, size);
}

hk_status hk_event_motion(hk_sim *s, hk_event_driven *e, double t, const double *q,
                          const double *v) {
  hk_status status = hk_event_evaluate(s, e, t, q, v);
  if (status) return status;
  hk_event_columns(s, e);
  status = hk_event_unique(s, e, t);
  if (!status) hk_event_forces(s, e);
  return status;
}

/* ---- projections ---- */

/* Computes the motion of all nodes that changes the joint errors by -y and the gaps in constrained contact directions
 * by -r. Stores the motion in s->r, and overwrites e->r. */
static void correction(hk_sim *s, hk_event_driven *e, const double *y) {
  const hk_model *m = s->model;
  const hk_system *sys = s->index1;
  hk_zero(s->r, sys->n);
  for (int k = 0; k < sys->n_kept; k++) s->r[m->nv + k] = -y[sys->kept_row[k]];
  if (sys->n_kept) hk_linear_solver_solve(sys->solver, s->r);
  for (int i = 0; i < e->n; i++)
    for (int k = 0; k < e->point[i].unknowns; k++) {
      double *r = &e->r[e->point[i].first + k];
      *r = -row_sign(&e->point[i], k) * (*r + hk_event_along(&e->row[i], k, s->r));
    }
  hk_delassus_hold(e->delassus, e->r);
  hk_delassus_apply(e->delassus, e->r, sys->n, s->r);
}

double hk_event_hold_velocity(hk_sim *s, hk_event_driven *e, double *x) {
  const hk_model *m = s->model;
  const hk_system *sys = s->index1;
  double *v = x + m->at.v, motion = 0;
  for (int pass = 0; pass < 2; pass++) {
    hk_constraint_velocity(s->work, v, s->y);
    for (int i = 0; i < e->n; i++)
      for (int k = 0; k < e->point[i].unknowns; k++)
        e->r[e->point[i].first + k] = hk_contact_row_rate(&e->row[i], k, v);
    correction(s, e, s->y);
    for (int i = 0; i < m->nv; i++) v[i] += s->r[i];
    for (int i = 0; i < sys->n_kept; i++) motion += s->r[m->nv + i] * s->work->gt[sys->kept_row[i]];
  }
  return motion;
}

/* Writes the gaps of the closed contacts into e->r. Returns the largest of these gaps and of the joint errors. */
static double position_error(const hk_sim *s, hk_event_driven *e) {
  double largest = hk_max_abs(s->work->g, s->model->nc, NULL);
  for (int i = 0; i < e->n; i++)
    for (int k = 0; k < e->point[i].unknowns; k++) {
      double gap = k == HK_DIR_N ? e->row[i].gap : 0;
      e->r[e->point[i].first + k] = gap;
      largest = fmax(largest, fabs(gap));
    }
  return largest;
}

hk_status hk_event_project(hk_sim *s, hk_event_driven *e, double *x) {
  const hk_model *m = s->model;
  bool held = m->nc > 0;
  for (int i = 0; i < e->n; i++) held = held || hk_event_held(&e->point[i]);
  for (int pass = 0; held; pass++) {
    hk_status status = hk_event_evaluate(s, e, x[m->at.t], x + m->at.q, x + m->at.v);
    if (status) return status;
    hk_event_columns(s, e);
    if (position_error(s, e) <= 1e-16 * m->length || pass == 2) break;
    correction(s, e, s->work->g);
    hk_configuration_add(m, x + m->at.q, s->r, x + m->at.q);
  }
  if (held) hk_event_hold_velocity(s, e, x);
  return HK_OK;
}
