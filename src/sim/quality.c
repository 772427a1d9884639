/* Quality of a run, kept step by step: see quality.h. */
#include "sim/quality.h"
#include "sim/creep.h"
#include "sim/far.h"
#include "core/map.h"
#include "sim/ledger.h"
#include "node/dispatch.h"
#include "spec/signal.h"
#include <stdlib.h>

static bool is_guessed(const hk_model *m, int state) {
  return ((const hk_state_params *)m->state[state].item->data)->guessed;
}

static hk_status find_limits(hk_sim *s) {
  const hk_model *m = s->model;
  hk_quality_record *r = &s->quality;
  int n = 0;
  for (int i = 0; i < m->n_coordinates; i++) n += m->coordinate[i].limit > 0;
  if (n == 0) return HK_OK;
  if (!(r->limit = calloc((size_t)n, sizeof *r->limit))) return HK_ENOMEM;
  for (int i = 0; i < m->n_coordinates; i++)
    if (m->coordinate[i].limit > 0) r->limit[r->n_limits++].coordinate = i;
  return HK_OK;
}

/* Returns true if the error test of steps covers the motion. Contacts have their own error test, and steps of fixed
 * length have no tolerance. */
static bool judges_motion(const hk_sim *s) {
  return s->model->n_points == 0 && s->model->nq > 0 && s->option.step == 0;
}

hk_status hk_quality_create(hk_sim *s, hk_error *err) {
  const hk_model *m = s->model;
  int n = 0;
  bool guessed = false;
  for (int i = 0; i < m->n_states; i++) guessed = guessed || is_guessed(m, i);
  if (guessed && !(s->quality.reached = calloc((size_t)m->n_states, sizeof *s->quality.reached)))
    return hk_fail(err, HK_ENOMEM, "out of memory");
  if (find_limits(s) || hk_creep_create(s)) return hk_fail(err, HK_ENOMEM, "out of memory");
  if (m->nq > 0) {
    s->quality.start = calloc((size_t)m->nq + (size_t)m->nv, sizeof *s->quality.start);
    if (!s->quality.start) return hk_fail(err, HK_ENOMEM, "out of memory");
    s->quality.way = s->quality.start + m->nq;
  }
  for (int i = 0; i < m->n_forces; i++) n += m->force[i].fine > 0;
  if (n == 0) return HK_OK;
  s->quality.fine = calloc((size_t)n, sizeof *s->quality.fine);
  if (!s->quality.fine) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < m->n_forces; i++)
    if (m->force[i].fine > 0) s->quality.fine[s->quality.n_fine++].force = i;
  return HK_OK;
}

void hk_quality_free(hk_sim *s) {
  free(s->quality.fine);
  free(s->quality.reached);
  free(s->quality.limit);
  free(s->quality.creep);
  free(s->quality.start);
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
  for (int i = 0; i < s->quality.n_fine; i++) s->quality.fine[i].step = s->quality.fine[i].kept = 0;
  if (s->quality.reached) hk_zero(s->quality.reached, s->model->n_states);
  for (int i = 0; i < s->quality.n_limits; i++)
    s->quality.limit[i].most = s->quality.limit[i].time = 0;
  hk_creep_begin(s);
}

void hk_quality_begin(hk_sim *s) {
  hk_balance b = hk_ledger_balance(s);
  s->quality = (hk_quality_record){.worst[HK_QUALITY_CONSTRAINT].amount = s->stats.constraint_error,
                                   .fine = s->quality.fine,
                                   .n_fine = s->quality.n_fine,
                                   .reached = s->quality.reached,
                                   .start = s->quality.start,
                                   .way = s->quality.way,
                                   .inertia = inertia_of(s->model),
                                   .limit = s->quality.limit,
                                   .n_limits = s->quality.n_limits,
                                   .creep = s->quality.creep,
                                   .n_creeps = s->quality.n_creeps,
                                   .kinetic = b.kinetic,
                                   .least = b.potential,
                                   .most = b.potential};
  if (s->quality.start) hk_copy(s->quality.start, s->x + s->model->at.q, s->model->nq);
  begin_lists(s);
}

void hk_quality_again(hk_sim *s, const hk_quality_record *begun) {
  s->quality = *begun;
  begin_lists(s);
}

static int n_reached(const hk_sim *s) { return s->quality.reached ? s->model->n_states : 0; }

int hk_quality_list_count(const hk_sim *s) {
  return 2 * s->quality.n_fine + 2 * s->quality.n_limits + HK_CREEP_KEPT * s->quality.n_creeps +
         n_reached(s);
}

void hk_quality_lists_get(const hk_sim *s, double *out) {
  const hk_quality_record *r = &s->quality;
  for (int i = 0; i < r->n_fine; i++) *out++ = r->fine[i].step, *out++ = r->fine[i].kept;
  for (int i = 0; i < r->n_limits; i++) *out++ = r->limit[i].most, *out++ = r->limit[i].time;
  for (int i = 0; i < r->n_creeps; i++, out += HK_CREEP_KEPT) hk_creep_save(&r->creep[i], out);
  hk_copy(out, r->reached, n_reached(s));
}

void hk_quality_lists_set(hk_sim *s, const double *in) {
  hk_quality_record *r = &s->quality;
  for (int i = 0; i < r->n_fine; i++) r->fine[i].step = *in++, r->fine[i].kept = *in++;
  for (int i = 0; i < r->n_limits; i++) r->limit[i].most = *in++, r->limit[i].time = *in++;
  for (int i = 0; i < r->n_creeps; i++, in += HK_CREEP_KEPT) hk_creep_restore(&r->creep[i], in);
  hk_copy(r->reached, in, n_reached(s));
}

/* ---- limits ---- */

static void keep_limits(hk_sim *s, double now) {
  const hk_model *m = s->model;
  for (int i = 0; i < s->quality.n_limits; i++) {
    hk_limit_passed *p = &s->quality.limit[i];
    double value = hk_coordinate_value(s->work, p->coordinate, s->x + m->at.turn);
    double limit = m->coordinate[p->coordinate].limit;
    if (value > limit && !(p->most > limit)) p->time = now;
    p->most = fmax(p->most, value);
  }
}

/* ---- motion ---- */

void hk_quality_way(hk_sim *s) {
  const hk_model *m = s->model;
  hk_configuration_chord(m, s->x + m->at.q, s->quality.start, s->quality.way);
}

/* Returns the displacements of the points of the bodies from their initial positions, in the same norm as errors. */
static double way_from_start(const hk_sim *s) {
  const hk_model *m = s->model;
  double most = 0;
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    double l, a;
    if (n->type->number) continue;
    hk_node_squares(n, s->quality.way + n->v, &l, &a);
    most = fmax(most, fmax(l, a * n->arm * n->arm));
  }
  return sqrt(most);
}

/* ---- films ---- */

/* Displacement of a marker's origin caused by displacements u of the coordinates. */
static hk_vec3 displaced(const hk_work *w, int marker, const double *u) {
  const hk_node *n = hk_map_node(w, marker);
  double d[3] = {0};
  if (!n) return hk_v3(0, 0, 0);
  double J[3 * n->nv];
  hk_map_point(w, marker, 1, J, n->nv);
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < n->nv; i++) d[k] += J[k * n->nv + i] * u[n->v + i];
  return hk_v3(d[0], d[1], d[2]);
}

void hk_quality_displaced(hk_sim *s, const double *error) {
  for (int i = 0; i < s->quality.n_fine; i++) {
    const hk_force *f = &s->model->force[s->quality.fine[i].force];
    hk_vec3 d = hk_sub(displaced(s->work, f->b, error), displaced(s->work, f->a, error));
    s->quality.fine[i].step = hk_norm(d);
  }
}

/* ---- states ---- */

static double state_value(const hk_sim *s, int i) {
  const hk_node *n = &s->model->node[s->model->state[i].node];
  return s->x[s->model->at.q + n->q] * *(const double *)n->data;
}

/* Updates the accumulated position errors in films. Earlier errors lose their influence while
 * the journal moves through the clearance. */
static void keep_fine_errors(hk_sim *s, double now) {
  hk_worst *w = &s->quality.worst[HK_QUALITY_FILM];
  for (int i = 0; i < s->quality.n_fine; i++) {
    hk_fine_error *e = &s->quality.fine[i];
    const hk_force *f = &s->model->force[e->force];
    double speed = hk_norm(hk_sub(s->work->frame[f->b].v, s->work->frame[f->a].v));
    e->kept = (e->kept + e->step) / (1 + s->stats.step * speed / f->fine);
    if (w->element && e->kept <= w->amount * f->fine) continue;
    w->amount = e->kept / f->fine, w->time = now, w->element = f->name;
  }
}

/* Returns the exchanged energy: the sum of the maximum kinetic energy, the range of the stored
 * energy, and all work. */
static double turned_over(hk_quality_record *r, const hk_balance *b) {
  r->kinetic = fmax(r->kinetic, b->kinetic);
  r->least = fmin(r->least, b->potential);
  r->most = fmax(r->most, b->potential);
  return r->kinetic + (r->most - r->least) + b->worked;
}

/* Returns the round-off of the energies. Bodies that move by less than the round-off of the model's length are
 * considered at rest. */
static double energy_floor(const hk_quality_record *r, const hk_balance *b, double since) {
  double size = fmax(fabs(r->least), fabs(r->most)) + r->kinetic + b->worked;
  return fmin(1e-9, 1e-12 * size + (since > 0 ? 1e-17 * r->inertia / (since * since) : INFINITY));
}

/* Returns the deepest penetration of rigid contacts. Penetration of compliant contacts is their deformation and does
 * not count. */
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

/* Records compliant contacts whose penetration is deeper than the geometry of the bodies allows. Beyond this depth a
 * ball would leave the other body on the opposite side. */
static void keep_depths(hk_sim *s, double now) {
  const hk_model *m = s->model;
  const hk_worst *worst = &s->quality.worst[HK_QUALITY_DEPTH];
  for (int i = 0; m->compliant && i < m->n_points; i++) {
    double depth = -s->work->touch[i].gap;
    if (!(depth > 0)) continue;
    const hk_contact *c = &m->contact[m->point_contact[i]];
    if (depth > worst->amount * c->deepest && !c->law->set_valued)
      hk_quality_note(s, HK_QUALITY_DEPTH, depth / c->deepest, now, c->name);
  }
}

/* Largest rotation of a body in the last step. */
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

/* The frequency of a nonlinear oscillation depends on its energy (for a pendulum weakly, as E^(angle^2/16)), and the
 * effect of an energy error accumulates over the cycles.  Half a cycle lasts from one maximum of the kinetic energy
 * to the next; an exponent of 1/2, that of an impact oscillator, is the largest common one. */
static void keep_phase(hk_quality_record *r, const hk_balance *b) {
  bool highest = r->swing[1] > r->swing[0] && r->swing[1] >= b->kinetic;
  /* a driven system follows the phase of its excitation, so its phase error does not accumulate */
  bool alone = b->worked <= 1e-6 * r->kinetic;
  if (highest && alone && r->kinetic > 0 && r->swing[1] > 0.5 * r->kinetic)
    r->worst[HK_QUALITY_PHASE].amount += M_PI * 0.5 * fabs(b->defect) / r->kinetic;
  r->swing[0] = r->swing[1];
  r->swing[1] = b->kinetic;
}

/* Returns the reference energy of the balance. A load that alternately supplies and takes energy transfers much more
 * energy than is ever stored, and the error of its work is proportional to this total. Therefore, if the motion is
 * accurate, the balance error is compared with the total. The motion is accurate if the sum of the errors of all steps
 * is a small fraction of the displacement of the bodies. */
static double energy_scale(hk_sim *s, const hk_balance *b) {
  const hk_model *m = s->model;
  hk_quality_record *r = &s->quality;
  int power = m->at.ledger + HK_LEDGER_POWER + HK_LEDGER_APPLIED;
  double turned = turned_over(r, b);
  r->passed += 0.5 * s->stats.step * (fabs(s->x[power]) + fabs(s->x_next[power]));
  return r->worst[HK_QUALITY_LOCAL_ERROR].amount <= HK_ACCURATE_MOTION * r->moved
             ? fmax(turned, r->passed)
             : turned;
}

void hk_quality_step(hk_sim *s, double error) {
  hk_quality_record *r = &s->quality;
  if (error > 0) r->worst[HK_QUALITY_LOCAL_ERROR].amount += error * hk_tolerance(s);
  /* Time-stepping methods make many short steps, so it is sufficient to evaluate some of them. */
  if (s->model->set_valued && hk_integrator_can(s, HK_IMPACTS) && s->stats.steps % 8) return;
  hk_balance b = hk_ledger_balance(s);
  hk_ledger_mend(s, &b);
  double now = s->x[s->model->at.t];
  r->energy_work = b.worked;
  keep_phase(r, &b);
  r->energy_floor = energy_floor(r, &b, now - s->option.start);
  if (r->start && judges_motion(s) && r->moved < s->model->length) {
    hk_quality_way(s);
    r->moved = fmax(r->moved, way_from_start(s));
  }
  hk_far_step(s);
  r->energy_scale = energy_scale(s, &b);
  hk_worst *energy = &r->worst[HK_QUALITY_ENERGY];
  if (!(fabs(b.defect) <= energy->amount)) energy->amount = fabs(b.defect), energy->time = now;
  hk_worst *constraint = &r->worst[HK_QUALITY_CONSTRAINT];
  if (!(s->stats.constraint_error <= constraint->amount))
    constraint->amount = s->stats.constraint_error, constraint->time = now;
  /* Not needed for adaptive steps, because the rotation of bodies limits them. */
  if (s->option.step > 0) hk_quality_note(s, HK_QUALITY_ROTATION, largest_turn(s), now, NULL);
  hk_quality_note(s, HK_QUALITY_PENETRATION, deepest_overlap(s), now, NULL);
  keep_depths(s, now);
  keep_fine_errors(s, now);
  keep_limits(s, now);
  hk_creep_step(s, now);
  for (int i = 0; r->reached && i < s->model->n_states; i++)
    r->reached[i] = fmax(r->reached[i], fabs(state_value(s, i)));
}

void hk_quality_event(hk_sim *s, hk_quality_kind kind, double amount, double t, const char *element,
                      const char *other) {
  hk_worst *w = &s->quality.worst[kind];
  if (w->count++ > 0) return;
  w->amount = amount;
  w->time = t;
  w->element = element;
  w->other = other;
}
