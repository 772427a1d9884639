/* What a run can tell of its own quality: see trust.h and hk_trust in include/hooke/sim.h. */
#include "sim/trust.h"
#include "core/map.h"
#include "node/dispatch.h"
#include "spec/signal.h"
#include <stdlib.h>

typedef struct balance {
  double kinetic, potential, worked, defect, error;
} balance;

static balance energies(const hk_sim *s) {
  const hk_model *m = s->model;
  const double *l = s->x + m->at.ledger;
  balance b = {.kinetic = hk_kinetic_energy(s->work, s->x + m->at.v),
               .potential = s->work->potential,
               .worked = fabs(l[HK_LEDGER_DISSIPATED]) + fabs(l[HK_LEDGER_MOTION]) +
                         fabs(l[HK_LEDGER_APPLIED]),
               .error = fabs(l[HK_LEDGER_ERROR])};
  b.defect = b.kinetic + b.potential + l[HK_LEDGER_DISSIPATED] - l[HK_LEDGER_MOTION] -
             l[HK_LEDGER_APPLIED] - l[HK_LEDGER_START];
  return b;
}

static bool is_guessed(const hk_model *m, int state) {
  return ((const hk_state_params *)m->state[state].item->data)->guessed;
}

static hk_status find_limits(hk_sim *s) {
  const hk_model *m = s->model;
  hk_trust_record *r = &s->trust;
  int n = 0;
  for (int i = 0; i < m->n_coordinates; i++) n += m->coordinate[i].limit > 0;
  if (n == 0) return HK_OK;
  if (!(r->limit = calloc((size_t)n, sizeof *r->limit))) return HK_ENOMEM;
  for (int i = 0; i < m->n_coordinates; i++)
    if (m->coordinate[i].limit > 0) r->limit[r->n_limits++].coordinate = i;
  return HK_OK;
}

/* Contacts are judged by their energies, and steps of fixed length have no tolerance. */
static bool judges_motion(const hk_sim *s) {
  return s->model->n_points == 0 && s->model->nq > 0 && s->option.step == 0;
}

hk_status hk_trust_create(hk_sim *s, hk_error *err) {
  const hk_model *m = s->model;
  int n = 0;
  bool guessed = false;
  for (int i = 0; i < m->n_states; i++) guessed = guessed || is_guessed(m, i);
  if (guessed && !(s->trust.reached = calloc((size_t)m->n_states, sizeof *s->trust.reached)))
    return hk_fail(err, HK_ENOMEM, "out of memory");
  if (find_limits(s)) return hk_fail(err, HK_ENOMEM, "out of memory");
  if (judges_motion(s)) {
    s->trust.start = calloc((size_t)m->nq + (size_t)m->nv, sizeof *s->trust.start);
    if (!s->trust.start) return hk_fail(err, HK_ENOMEM, "out of memory");
    s->trust.way = s->trust.start + m->nq;
  }
  for (int i = 0; i < m->n_forces; i++) n += m->force[i].fine > 0;
  if (n == 0) return HK_OK;
  s->trust.fine = calloc((size_t)n, sizeof *s->trust.fine);
  if (!s->trust.fine) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < m->n_forces; i++)
    if (m->force[i].fine > 0) s->trust.fine[s->trust.n_fine++].force = i;
  return HK_OK;
}

void hk_trust_free(hk_sim *s) {
  free(s->trust.fine);
  free(s->trust.reached);
  free(s->trust.limit);
  free(s->trust.start);
}

static double inertia_of(const hk_model *m) {
  double sum = 0;
  for (int i = 0; i < m->n_nodes; i++)
    for (int k = 0; k < m->node[i].nv; k++) {
      double mass = 1 / m->give[m->node[i].v + k];
      if (isfinite(mass))
        sum += m->node[i].coordinate[k].angular ? mass : mass * m->length * m->length;
    }
  return sum;
}

static void begin_lists(hk_sim *s) {
  for (int i = 0; i < s->trust.n_fine; i++) s->trust.fine[i].step = s->trust.fine[i].kept = 0;
  if (s->trust.reached) hk_zero(s->trust.reached, s->model->n_states);
  for (int i = 0; i < s->trust.n_limits; i++) s->trust.limit[i].most = s->trust.limit[i].time = 0;
}

void hk_trust_begin(hk_sim *s) {
  balance b = energies(s);
  s->trust = (hk_trust_record){.worst = {.constraint_error = s->stats.constraint_error},
                               .fine = s->trust.fine,
                               .n_fine = s->trust.n_fine,
                               .reached = s->trust.reached,
                               .start = s->trust.start,
                               .way = s->trust.way,
                               .inertia = inertia_of(s->model),
                               .limit = s->trust.limit,
                               .n_limits = s->trust.n_limits,
                               .kinetic = b.kinetic,
                               .least = b.potential,
                               .most = b.potential};
  if (s->trust.start) hk_copy(s->trust.start, s->x + s->model->at.q, s->model->nq);
  begin_lists(s);
}

void hk_trust_again(hk_sim *s, const hk_trust_record *begun) {
  s->trust = *begun;
  begin_lists(s);
}

static int n_reached(const hk_sim *s) { return s->trust.reached ? s->model->n_states : 0; }

int hk_trust_list_count(const hk_sim *s) {
  return 2 * s->trust.n_fine + 2 * s->trust.n_limits + n_reached(s);
}

void hk_trust_lists_get(const hk_sim *s, double *out) {
  const hk_trust_record *r = &s->trust;
  for (int i = 0; i < r->n_fine; i++) *out++ = r->fine[i].step, *out++ = r->fine[i].kept;
  for (int i = 0; i < r->n_limits; i++) *out++ = r->limit[i].most, *out++ = r->limit[i].time;
  hk_copy(out, r->reached, n_reached(s));
}

void hk_trust_lists_set(hk_sim *s, const double *in) {
  hk_trust_record *r = &s->trust;
  for (int i = 0; i < r->n_fine; i++) r->fine[i].step = *in++, r->fine[i].kept = *in++;
  for (int i = 0; i < r->n_limits; i++) r->limit[i].most = *in++, r->limit[i].time = *in++;
  hk_copy(r->reached, in, n_reached(s));
}

/* ---- limits ---- */

static void keep_limits(hk_sim *s, double now) {
  const hk_model *m = s->model;
  for (int i = 0; i < s->trust.n_limits; i++) {
    hk_limit_passed *p = &s->trust.limit[i];
    double value = hk_coordinate_value(s->work, p->coordinate, s->x + m->at.turn);
    double limit = m->coordinate[p->coordinate].limit;
    if (value > limit && !(p->most > limit)) p->time = now;
    p->most = fmax(p->most, value);
  }
}

/* The joint that is farthest beyond its limit. */
static void judge_limits(const hk_sim *s, hk_trust *t) {
  double farthest = 1;
  for (int i = 0; i < s->trust.n_limits; i++) {
    const hk_limit_passed *p = &s->trust.limit[i];
    const hk_coordinate *c = &s->model->coordinate[p->coordinate];
    if (!(p->most > farthest * c->limit)) continue;
    farthest = p->most / c->limit;
    t->bend = p->most, t->bend_limit = c->limit, t->bend_time = p->time, t->bent = c->name;
  }
}

/* ---- motion ---- */

/* How far points of the bodies are from where they began, as errors count. */
static double way_from_start(const hk_sim *s) {
  const hk_model *m = s->model;
  double most = 0;
  hk_configuration_chord(m, s->x + m->at.q, s->trust.start, s->trust.way);
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    double l, a;
    if (n->type->number) continue;
    hk_node_squares(n, s->trust.way + n->v, &l, &a);
    most = fmax(most, fmax(l, a * n->arm * n->arm));
  }
  return sqrt(most);
}

/* ---- films ---- */

/* The displacement of a marker's origin by displacements of the coordinates. */
static hk_vec3 displaced(const hk_work *w, int marker, const double *u) {
  const hk_node *n = hk_map_node(w, marker);
  double J[3 * HK_NODE_MAX], d[3] = {0};
  if (!n) return hk_v3(0, 0, 0);
  hk_map_point(w, marker, 1, J, HK_NODE_MAX);
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < n->nv; i++) d[k] += J[k * HK_NODE_MAX + i] * u[n->v + i];
  return hk_v3(d[0], d[1], d[2]);
}

void hk_trust_displaced(hk_sim *s, const double *error) {
  for (int i = 0; i < s->trust.n_fine; i++) {
    const hk_force *f = &s->model->force[s->trust.fine[i].force];
    hk_vec3 d = hk_sub(displaced(s->work, f->b, error), displaced(s->work, f->a, error));
    s->trust.fine[i].step = hk_norm(d);
  }
}

/* ---- states ---- */

static double state_value(const hk_sim *s, int i) {
  const hk_node *n = &s->model->node[s->model->state[i].node];
  return s->x[s->model->at.q + n->q] * *(const double *)n->data;
}

/* A state that starts from 0 counts its error from 1 in SI units, as nothing else is known of it.  One that
 * stayed far below has hardly any digits; one that stayed at the noise of numbers may be meant to be 0. */
static void judge_states(const hk_sim *s, hk_trust *t) {
  static const double noise = 1e-14;
  const hk_model *m = s->model;
  double tolerance = hk_tolerance(s);
  for (int i = 0; s->trust.reached && s->option.step == 0 && i < m->n_states; i++) {
    double most = s->trust.reached[i];
    if (!is_guessed(m, i) || !(most > noise) || tolerance <= t->state_error * most) continue;
    t->state_error = tolerance / most, t->state_most = most, t->state = m->state[i].name;
  }
}

/* A film forgets where its journal came from as that travels through the clearance. */
static void keep_fine_errors(hk_sim *s, double now) {
  hk_trust *t = &s->trust.worst;
  for (int i = 0; i < s->trust.n_fine; i++) {
    hk_fine_error *e = &s->trust.fine[i];
    const hk_force *f = &s->model->force[e->force];
    double speed = hk_norm(hk_sub(s->work->frame[f->b].v, s->work->frame[f->a].v));
    e->kept = (e->kept + e->step) / (1 + s->stats.step * speed / f->fine);
    if (t->film && e->kept <= t->film_error * f->fine) continue;
    t->film_error = e->kept / f->fine, t->film_time = now, t->film = f->name;
  }
}

/* Energy that has changed its form: what the kinetic energy reached, the range of the stored one, and all
 * work. */
static double turned_over(hk_trust_record *r, const balance *b) {
  r->kinetic = fmax(r->kinetic, b->kinetic);
  r->least = fmin(r->least, b->potential);
  r->most = fmax(r->most, b->potential);
  return r->kinetic + (r->most - r->least) + b->worked;
}

/* Sums of energies are known to their round-off, and what moves by less than that of the model's size is at rest. */
static double energy_floor(const hk_trust_record *r, const balance *b, double since) {
  double size = fmax(fabs(r->least), fabs(r->most)) + r->kinetic + b->worked;
  return fmin(1e-9, 1e-12 * size + (since > 0 ? 1e-17 * r->inertia / (since * since) : INFINITY));
}

/* Rigid surfaces cannot overlap; the depth of compliant ones is their deformation. */
static double deepest_overlap(const hk_sim *s) {
  const hk_model *m = s->model;
  double depth = 0;
  hk_gap point[HK_CONTACT_MAX_POINTS];
  hk_gap_rows row[HK_CONTACT_MAX_POINTS];
  for (int i = 0; m->set_valued && i < m->n_contacts; i++) {
    const hk_contact *c = &m->contact[i];
    const hk_frame *A = &s->work->frame[c->a], *B = &s->work->frame[c->b];
    if (!c->law->set_valued) continue;
    if (c->gap->rows)
      c->gap->rows(c->k, A, B, row);
    else
      c->gap->eval(c->k, A, B, -INFINITY, false, point);
    for (int k = 0; k < c->n_points; k++)
      depth = fmax(depth, -(c->gap->rows ? row[k].gap : point[k].gap));
  }
  return depth;
}

/* By how much the fastest of the bodies that turn in space has turned in the last step. */
static double largest_turn(const hk_sim *s) {
  const hk_model *m = s->model;
  double most = 0;
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    double lengths, angles;
    if (n->turn < 0) continue;
    hk_node_squares(n, s->x + m->at.v + n->v, &lengths, &angles);
    most = fmax(most, angles);
  }
  return s->stats.step * sqrt(most);
}

/* The frequency of an oscillation that is not linear goes with its energy, of a pendulum as little as E^(angle^2/16), and
 * what an error of energy makes of it adds up over the swings.  A swing lasts from one maximum of the kinetic energy to the
 * next, half a turn of the phase; an exponent of 1/2 is the most that is common, that of an impact oscillator. */
static void keep_phase(hk_trust_record *r, const balance *b) {
  bool highest = r->swing[1] > r->swing[0] && r->swing[1] >= b->kinetic;
  bool alone =
      b->worked <= 1e-6 * r->kinetic; /* what is driven keeps the phase of what drives it */
  if (highest && alone && r->kinetic > 0 && r->swing[1] > 0.5 * r->kinetic)
    r->worst.phase += M_PI * 0.5 * fabs(b->defect) / r->kinetic;
  r->swing[0] = r->swing[1];
  r->swing[1] = b->kinetic;
}

/* Adams' formulas integrate velocities and powers by one rule.  A power is a product of two motions, so its frequency
 * is twice theirs, and at order k the rule's relative error is 2^k times theirs: where a load gives and takes back
 * much more than is stored, the balance is off in a good run.  That part of the defect does not count, up to this
 * share of the energy turned over. */
static const double most_error = 0.1;

void hk_trust_step(hk_sim *s, double error) {
  hk_trust *t = &s->trust.worst;
  /* Time stepping takes many short steps, which a look now and then judges as well. */
  if (hk_integrator_can(s, HK_IMPACTS) && s->stats.steps % 8) return;
  balance b = energies(s);
  double now = s->x[s->model->at.t];
  t->energy_scale = turned_over(&s->trust, &b);
  t->energy_work = b.worked;
  keep_phase(&s->trust, &b);
  t->energy_floor = energy_floor(&s->trust, &b, now - s->option.start);
  if (s->trust.start && t->moved < s->model->length) t->moved = fmax(t->moved, way_from_start(s));
  if (!(fabs(b.defect) <= t->energy_defect))
    t->energy_defect = fabs(b.defect), t->energy_time = now;
  t->energy_excess =
      fmax(t->energy_excess, fabs(b.defect) - fmin(b.error, most_error * t->energy_scale));
  if (!(s->stats.constraint_error <= t->constraint_error))
    t->constraint_error = s->stats.constraint_error, t->constraint_time = now;
  /* Steps that choose their length see how far a body turns. */
  double turn = s->option.step > 0 ? largest_turn(s) : 0;
  if (turn > t->turn) t->turn = turn, t->turn_time = now;
  double depth = deepest_overlap(s);
  if (depth > t->overlap) t->overlap = depth, t->overlap_time = now;
  keep_fine_errors(s, now);
  keep_limits(s, now);
  for (int i = 0; s->trust.reached && i < s->model->n_states; i++)
    s->trust.reached[i] = fmax(s->trust.reached[i], fabs(state_value(s, i)));
  if (error > 0) t->local_error += error * hk_tolerance(s);
}

void hk_trust_shared(hk_sim *s, double t) {
  hk_trust *w = &s->trust.worst;
  if (w->shared_impacts++ == 0) w->shared_time = t;
}

void hk_trust_kick(hk_sim *s, double t, const char *constraint, double jump) {
  hk_trust *w = &s->trust.worst;
  if (w->kicks++ > 0) return;
  w->kick_time = t;
  w->kick = jump;
  w->kicked = constraint;
}

void hk_trust_open(hk_sim *s, double t, const char *contact, const char *other) {
  hk_trust *w = &s->trust.worst;
  if (w->open_pressures++ > 0) return;
  w->open_time = t;
  w->open_contact = contact;
  w->open_other = other;
}

hk_trust hk_sim_trust(const hk_sim *s) {
  hk_trust t = s->trust.worst;
  judge_states(s, &t);
  judge_limits(s, &t);
  return t;
}
