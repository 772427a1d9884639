/* Event-driven integrator: smooth motion with a fixed set of closed contacts up to the instant at which one opens,
 * closes, begins or stops sliding; then the contact states are determined again.  Slower than time stepping, but as
 * accurate as its tolerance: the reference for the time-stepping methods.
 *
 * Smooth motion: Dormand and Prince's method of order 5(4) on (theta, v), q = q0 (+) theta, theta' = T^-1(theta) v,
 * accelerations by contact_acceleration.c; near the beginning and the end of sliding in space another method,
 * event_driven_stick_slip.c. If there is an event within a step, the step is repeated with other lengths until it ends
 * at the first event, to the last bits of the time. So events occur only at the ends of steps. An impact is a separate
 * step of zero length: the states before and after it have the same time. After every step the state is projected onto
 * joints and closed contacts. */
#include "control/contact_error.h"
#include "core/contact.h"
#include "integrator/impact/event_driven.h"
#include <stdlib.h>
#include <string.h>

static const double C[HK_EVENT_STAGES] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
static const double A[HK_EVENT_STAGES][6] = {
    {0},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
/* Weights of order 5 minus those of order 4. */
static const double E[HK_EVENT_STAGES] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                          -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

/* ---- smooth motion ---- */

static double *stage(const hk_event_driven *e, int i) {
  return e->K + (size_t)i * (size_t)e->width;
}

/* Derivatives at the last evaluated motion: theta', v', and the powers of the energy integrals. */
static void store(const hk_sim *s, const hk_event_driven *e, const double *theta, const double *v,
                  double *K) {
  const hk_model *m = s->model;
  hk_copy(K, v, m->nv);
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    if (n->turn < 0) continue;
    int at = n->v + n->turn;
    const double *a = theta + at, *o = v + at;
    hk_vec3 r = hk_so3_tangent_inv(hk_v3(a[0], a[1], a[2]), hk_v3(o[0], o[1], o[2]));
    double *out = K + at;
    out[0] = r.x, out[1] = r.y, out[2] = r.z;
  }
  hk_copy(K + m->nv, e->z, m->nv);
  hk_copy(K + 2 * m->nv, e->power, HK_EVENT_POWERS);
  hk_copy(K + 2 * m->nv + HK_EVENT_POWERS, e->sliding, e->n);
}

hk_status hk_event_stage(hk_sim *s, hk_event_driven *e, double h, double c, const double *a, int n,
                         int to) {
  const hk_model *m = s->model;
  const double *q0 = e->start + m->at.q, *v0 = e->start + m->at.v;
  hk_zero(e->sum, e->width);
  for (int j = 0; j < n; j++) {
    const double *K = stage(e, j);
    for (int k = 0; a[j] != 0 && k < e->width; k++) e->sum[k] += h * a[j] * K[k];
  }
  hk_configuration_add(m, q0, e->sum, e->q);
  for (int k = 0; k < m->nv; k++) e->v[k] = v0[k] + e->sum[m->nv + k];
  hk_status status = hk_event_motion(s, e, e->start[m->at.t] + c * h, e->q, e->v);
  if (status) return status;
  store(s, e, e->sum, e->v, stage(e, to));
  e->sample_at[to] = c;
  hk_event_functions(s, e, e->sample + (size_t)to * 2 * (size_t)e->n, e->probe_rate);
  return HK_OK;
}

hk_status hk_event_integrate(hk_sim *s, hk_event_driven *e, double h) {
  if (e->n_slow) return hk_event_integrate_slow(s, e, h);
  for (int i = 1; i < HK_EVENT_STAGES; i++) {
    hk_status status = hk_event_stage(s, e, h, C[i], A[i], i, i);
    if (status) return status;
  }
  return HK_OK;
}

/* Local error, as a displacement relative to the tolerance. A velocity error is included as the displacement that it
 * causes in ten steps. On return, e->d contains the displacements due to velocity errors. */
static double local_error(const hk_sim *s, hk_event_driven *e, double h) {
  const hk_model *m = s->model;
  double *d = e->d, norm[2], slow[4];
  const double *weight = E;
  int stages = HK_EVENT_STAGES;
  if (e->n_slow) {
    hk_event_slow_error(slow);
    weight = slow;
    stages = 4;
  }
  for (int part = 0; part < 2; part++) {
    for (int k = 0; k < m->nv; k++) {
      double sum = 0;
      for (int i = 0; i < stages; i++) sum += weight[i] * stage(e, i)[part * m->nv + k];
      d[k] = h * sum * (part ? 10 * h : 1);
    }
    norm[part] = hk_error_norm(s, d);
  }
  return norm[0] + norm[1]; /* NaN stays */
}

/* ---- the step ---- */

void hk_event_load(const hk_model *m, hk_event_driven *e, const double *x) {
  e->why = NULL;
  e->n_slow = 0;
  hk_event_scale(m, e, x);
  for (int i = 0; i < e->n; i++) {
    const double *a = x + m->at.touch + e->row[i].point * HK_N_TOUCH;
    e->point[i] = (hk_event_point){.mode = (hk_touch_mode)(int)fabs(a[HK_TOUCH_MODE]),
                                   .side = a[HK_TOUCH_MODE] < 0 ? -1 : 1,
                                   .slip = {a[HK_TOUCH_SLIP_T], a[HK_TOUCH_SLIP_S]},
                                   .approach = a[HK_TOUCH_APPROACH]};
    if (e->point[i].mode != HK_MODE_HIT) continue;
    e->point[i].mode = HK_MODE_OPEN;
    e->point[i].hit = true;
  }
  hk_zero(e->lost_sliding, e->n);
  hk_zero(e->jump, HK_EVENT_POWERS);
}

static bool any_hit(const hk_event_driven *e) {
  for (int i = 0; i < e->n; i++)
    if (e->point[i].hit) return true;
  return false;
}

static void save_point(const hk_event_driven *e, int i, double h, double *a, double *other) {
  const hk_event_point *p = &e->point[i];
  const hk_contact_row *row = &e->row[i];
  a[HK_TOUCH_MODE] = p->side * (p->hit ? HK_MODE_HIT : p->mode);
  a[HK_TOUCH_SLIP_T] = p->slip[0];
  a[HK_TOUCH_SLIP_S] = p->slip[1];
  a[HK_TOUCH_APPROACH] = p->approach;
  a[HK_TOUCH_IMPACTS] += p->impacts;
  a[HK_TOUCH_SLIDING_POWER] = e->sliding[i];
  /* A force at the end of the step is stored as its impulse over the step. */
  for (int k = 0; k < HK_N_DIR; k++) {
    double P = p->struck ? p->impulse[k] : p->force[k] * h;
    a[HK_TOUCH_IMPULSE_N + k] = row->two_sided && p->side < 0 && k == 0 ? 0 : P;
    if (row->two_sided) other[HK_TOUCH_IMPULSE_N + k] = p->side < 0 && k == 0 ? P : 0;
  }
}

/* Writes the end of the step over h into x1, with all integrals. */
static void save_end(const hk_sim *s, const hk_event_driven *e, double h, double *x1) {
  const hk_model *m = s->model;
  memcpy(x1, e->start, (size_t)m->at.size * sizeof *x1);
  x1[m->at.t] = e->start[m->at.t] + h;
  hk_copy(x1 + m->at.q, e->q, m->nq);
  hk_copy(x1 + m->at.v, e->v, m->nv);
  for (int k = 0; k < HK_EVENT_POWERS; k++) x1[m->at.ledger + k] += e->sum[2 * m->nv + k];
  for (int i = 0; i < e->n; i++) {
    double *a = x1 + m->at.touch + e->row[i].point * HK_N_TOUCH;
    a[HK_TOUCH_SLIDING_WORK] += e->sum[2 * m->nv + HK_EVENT_POWERS + i];
    if (hk_event_held(&e->point[i])) a[HK_TOUCH_CLOSED] += h;
  }
}

/* Contact states, forces and accelerations at the end, including impacts. */
static void save_contacts(const hk_sim *s, const hk_event_driven *e, double h, double *x1) {
  const hk_model *m = s->model;
  for (int i = 0; i < e->n; i++) {
    double *a = x1 + m->at.touch + e->row[i].point * HK_N_TOUCH;
    save_point(e, i, h, a, a + HK_N_TOUCH);
    a[HK_TOUCH_SLIDING_WORK] += e->lost_sliding[i];
    a[HK_TOUCH_CLOSED] -= e->point[i].early;
  }
  if (m->n_points) hk_contact_ledger(s->work, e->start, h, x1);
  double *ledger = x1 + m->at.ledger;
  for (int k = 0; k < HK_EVENT_POWERS; k++) ledger[k] += e->jump[k];
  hk_copy(ledger + HK_LEDGER_POWER, e->power, HK_EVENT_POWERS);
  x1[m->at.h] = h;
  hk_copy(x1 + m->at.vd, e->z, m->nv);
  hk_zero(x1 + m->at.lambda, m->nc);
  hk_zero(x1 + m->at.lambda_shift, m->nc);
  const hk_system *sys = s->index1;
  for (int k = 0; k < sys->n_kept; k++) x1[m->at.lambda + sys->kept_row[k]] = e->z[m->nv + k];
}

/* Returns true if the step starts at a kink of a prescribed motion. At a kink the prescribed velocity jumps, but the
 * velocities in the state are still those before the kink, so they violate the constraints by much more than
 * round-off. At all other times the violation is only round-off, because every step projects the velocities onto the
 * constraints. */
static bool is_behind_corner(hk_sim *s, const hk_event_driven *e) {
  const hk_system *sys = s->index1;
  double most = 0;
  if (sys->n_kept == 0) return false;
  hk_constraint_velocity(s->work, e->start + s->model->at.v, s->y);
  for (int k = 0; k < sys->n_kept; k++) most = fmax(most, fabs(s->y[sys->kept_row[k]]));
  return most > 1e-8 * (1 + e->speed);
}

static hk_status start_of_step(hk_sim *s, hk_event_driven *e) {
  const hk_model *m = s->model;
  bool unknown = false;
  for (int i = 0; i < e->n; i++) unknown = unknown || e->point[i].mode == HK_MODE_UNKNOWN;
  hk_status status = unknown ? hk_event_begin(s, e, e->start) : HK_OK;
  if (!status)
    status = hk_event_motion(s, e, e->start[m->at.t], e->start + m->at.q, e->start + m->at.v);
  if (!status && is_behind_corner(s, e)) {
    hk_event_hold_velocity(s, e, e->start);
    status = hk_event_motion(s, e, e->start[m->at.t], e->start + m->at.q, e->start + m->at.v);
  }
  if (status) return status;
  hk_zero(e->sum, e->width);
  store(s, e, e->sum, e->start + m->at.v, stage(e, 0));
  hk_event_functions(s, e, e->lo, e->lo_rate);
  return HK_OK;
}

static hk_status end_of_step(hk_sim *s, hk_event_driven *e, double h, bool event, double *x1) {
  const hk_model *m = s->model;
  save_end(s, e, h, x1);
  if (event) hk_event_mark(s, e);
  for (int i = 0; i < e->n; i++) e->point[i].slow = false;
  hk_status status = hk_event_project(s, e, x1);
  if (!status && event && !any_hit(e))
    status = hk_event_pass(s, e, x1);
  else if (!status)
    status = hk_event_motion(s, e, x1[m->at.t], x1 + m->at.q, x1 + m->at.v);
  if (status) return status;
  save_contacts(s, e, h, x1);
  return HK_OK;
}

static hk_status jump(hk_sim *s, hk_event_driven *e, double *x1) {
  memcpy(x1, e->start, (size_t)s->model->at.size * sizeof *x1);
  hk_status status = hk_event_pass(s, e, x1);
  if (!status) save_contacts(s, e, 0, x1);
  return status;
}

/* Error of a fixed step, relative to the model's size, above which the step does not follow the motion. A light body,
 * such as a pin in its clearance, oscillates faster than the rest of the model; with a longer step of an explicit
 * formula this oscillation would grow without limit. */
static const double lost = 1e-3;

static hk_status check_fixed(const hk_sim *s, hk_event_driven *e, double h, double error) {
  const hk_model *m = s->model;
  double off = error * hk_tolerance(s);
  if (!(off > lost * m->length)) return HK_OK;
  return hk_event_refuse(e,
                         "the fixed step is too long for the motion at t = %.9g s: a step of %.3g "
                         "s has an error of %.2g m. Light bodies in a clearance oscillate fast; "
                         "use a shorter step, or omit `step` for adaptive steps",
                         e->start[m->at.t], h, off);
}

/* Returns true if a point of a compliant contact closes or opens between the start of a step and its end, which is in
 * work. */
static bool any_closes(const hk_sim *s, const double *x0) {
  const hk_model *m = s->model;
  for (int i = 0; i < m->n_contacts; i++) {
    const hk_contact *c = &m->contact[i];
    for (int k = c->point; k < c->point + c->n_points; k++) {
      bool before = x0[m->at.touch + k * HK_N_TOUCH + HK_TOUCH_GAP] < c->reach;
      if (before != (s->work->touch[k].gap < c->reach)) return true;
    }
  }
  return false;
}

/* Error test of compliant contacts. The contact force has no second derivative at the instant of closing. If a contact
 * closes within a step, the two formulas of the embedded pair may agree by chance. Simpson's rule then gives a better
 * error estimate. */
static void judge_contacts(hk_sim *s, const hk_event_driven *e, double h, double *x1,
                           hk_attempt *info) {
  if (!hk_has_kinks(s->model) || !(h > 0)) return;
  const hk_step_rule rule = {
      .am = 0.5, .af = 0.5, .gamma = 0.5, .scale = any_closes(s, e->start) ? 0 : 1};
  for (int i = 0; i < s->model->nv; i++) s->u[i] = e->d[i] / (10 * h);
  hk_attempt_raise(info, hk_contact_error(s, e->start, h, x1, &rule, s->u));
  if (info->error > 1)
    hk_contact_land(s, h, info);
  else
    info->next = hk_contact_leave(s, h, info, x1);
}

/* Integrates from e->start over h, or to the first event. info->error > 1: the step is too long. */
static hk_status smooth(hk_sim *s, hk_event_driven *e, double whole, double *x1, hk_attempt *info) {
  bool event = false;
  hk_status status = start_of_step(s, e);
  if (status) return status;
  double h = hk_event_near_rest(s, e, whole);
  status = hk_event_integrate(s, e, h);
  if (status) return status;
  double error = local_error(s, e, h);
  if (!isfinite(error)) return HK_RETRY;
  info->error = error;
  info->order = e->n_slow ? 3 : 4;
  info->judged = h;
  if (hk_sim_adapts(s) && error > 1) return HK_OK;
  if (!hk_sim_adapts(s)) status = check_fixed(s, e, h, error);
  if (!status) status = hk_event_find(s, e, &h, &event);
  if (!status) status = end_of_step(s, e, h, event, x1);
  if (!status && hk_sim_adapts(s)) judge_contacts(s, e, h, x1, info);
  info->reached = h;
  return status;
}

/* Replaces -0 by 0 (-0 + 0 is 0). The sign of a zero reaction depends on the factorization of the matrix. A simulation
 * that continues from a saved state computes this factorization again and may obtain the other sign, so the results
 * would not be bit-identical. */
static void forget_signs_of_zero(const hk_model *m, double *x) {
  for (int i = 0; i < m->at.size; i++) x[i] += 0.0;
}

static hk_status attempt(hk_sim *s, const double *x0, double h, double *x1, hk_attempt *info) {
  hk_event_driven *e = s->own;
  e->N = s->index1->n;
  e->chatter = 0.01 * h;
  info->why =
      "the motion between two events cannot be followed. Look for a jump in a load or motion, or "
      "for many contacts that change at the same time; stepper: moreau supports such contacts";
  memcpy(e->start, x0, (size_t)s->model->at.size * sizeof *x0);
  hk_event_load(s->model, e, x0);
  hk_status status;
  if (any_hit(e)) {
    info->reached = 0;
    status = jump(s, e, x1);
  } else {
    status = smooth(s, e, h, x1, info);
    if (!status && hk_sim_adapts(s) && info->error > 1) return HK_OK;
  }
  /* Maximum number of consecutive events of zero duration. */
  int nothing = s->model->at.size; /* the integrator's part of the state, one number */
  x1[nothing] = info->reached <= 1e-9 * h ? x0[nothing] + 1 : 0;
  if (!status && x1[nothing] > 200)
    status =
        hk_event_refuse(e,
                        "the contacts change without end at t = %.9g s%s; use fewer contacts, a "
                        "compliant law, or stepper: moreau or nonsmooth_alpha, which do not follow "
                        "each change",
                        x0[s->model->at.t],
                        s->quality.worst[HK_QUALITY_INDETERMINATE].count > 0
                            ? ", some with indeterminate normal forces"
                            : "");
  if (status && e->why) info->why = e->why;
  if (!status) forget_signs_of_zero(s->model, x1);
  return status;
}

/* ---- creation ---- */

static hk_status allocate(const hk_model *m, hk_event_driven *e) {
  size_t n = (size_t)e->n, N = (size_t)e->N, u = HK_N_DIR * n, width = (size_t)e->width;
  size_t newton = 6 * (n < HK_EVENT_MOST_SLOW ? n : HK_EVENT_MOST_SLOW);
  e->row = calloc(6 * n + 1, sizeof *e->row);
  e->point = calloc(n + 1, sizeof *e->point);
  e->list = calloc(n + 1, sizeof *e->list);
  e->mover = calloc(2 * n + 1, sizeof *e->mover);
  struct {
    double **at;
    size_t size;
  } part[] = {{&e->z, N},
              {&e->z_free, N},
              {&e->r, u},
              {&e->b, u},
              {&e->P, u},
              {&e->xi, u},
              {&e->weight, u},
              {&e->mu, n},
              {&e->sliding, n},
              {&e->lost_sliding, n},
              {&e->K, HK_EVENT_STAGES * width},
              {&e->sum, width},
              {&e->d, (size_t)m->nv},
              {&e->v, (size_t)m->nv},
              {&e->q, (size_t)m->nq},
              {&e->shifted, (size_t)m->nq},
              {&e->start, (size_t)m->at.size},
              {&e->lo, 2 * n},
              {&e->hi, 2 * n},
              {&e->probe, 2 * n},
              {&e->sample, HK_EVENT_STAGES * 2 * n},
              {&e->lo_rate, n},
              {&e->hi_rate, n},
              {&e->probe_rate, n},
              {&e->mobility, 4 * n * n},
              {&e->alone, 2 * n},
              {&e->newton, newton * newton},
              {&e->u, 2 * newton},
              {&e->du, newton}};
  size_t total = 1;
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) total += part[i].size;
  double *at = e->block = calloc(total, sizeof *at);
  e->doubles = (int)total;
  e->delassus = hk_delassus_create(m, e->n, NULL);
  if (!e->row || !e->point || !e->list || !e->mover || !e->block || !e->delassus) return HK_ENOMEM;
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) *part[i].at = at, at += part[i].size;
  e->at_stage = e->row + 3 * n;
  for (int k = 0; k < 3; k++) hk_contact_rows_bind(m, e->row + k * e->n);
  return HK_OK;
}

void hk_event_destroy(hk_event_driven *e) {
  if (!e) return;
  hk_delassus_destroy(e->delassus);
  free(e->row);
  free(e->point);
  free(e->list);
  free(e->mover);
  free(e->block);
  free(e);
}

hk_event_driven *hk_event_create(const hk_model *m) {
  hk_event_driven *e = calloc(1, sizeof *e);
  if (!e) return NULL;
  e->n = hk_contact_rows_count(m);
  e->N = m->nv + m->nc; /* rows may be included again later */
  e->width = 2 * m->nv + HK_EVENT_POWERS + e->n;
  if (allocate(m, e) == HK_OK) return e;
  hk_event_destroy(e);
  return NULL;
}

static hk_status create(hk_sim *s, hk_error *err) {
  s->own = hk_event_create(s->model);
  return s->own ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
}

static void destroy(hk_sim *s) {
  hk_event_destroy(s->own);
  s->own = NULL;
}

/* Number of consecutive steps in which the time does not advance. */
static int state_size(const hk_model *m) { return 1; }

void hk_event_poison(hk_event_driven *e) {
  hk_fill_nan(e->block, e->doubles);
  hk_contact_rows_poison(e->row, 6 * e->n);
  hk_delassus_poison(e->delassus);
}

static void poison(hk_sim *s) { hk_event_poison(s->own); }

/* Finds a force or contact that computes rates as differences from the last step; NULL: none.
 * At the first stage of a step the time difference is zero, so these rates do not exist there,
 * even if steps are short. */
static const char *differing(const hk_model *m) {
  for (int i = 0; i < m->n_forces; i++)
    if (m->force[i].n_memory > 0) return m->force[i].item->name;
  for (int i = 0; i < m->n_contacts; i++)
    if (m->contact[i].law->memory > 0 && !m->contact[i].law->memory_constant)
      return m->contact[i].name;
  return NULL;
}

static hk_status supports(const hk_model *m, hk_error *why) {
  const char *name = differing(m);
  if (name)
    return hk_fail(why, HK_EINPUT,
                   "does not support '%s', because its forces depend on the previous step", name);
  if (m->n_states)
    return hk_fail(why, HK_EINPUT, "cannot integrate states such as '%s'", m->state[0].name);
  if (m->friction)
    return hk_fail(why, HK_EINPUT,
                   "does not support friction in joints; use a contact with friction");
  return HK_OK;
}

/* The integrator serves as a reference and needs more digits than the usual default tolerance gives. */
/* The forces of all contacts are computed together at every stage of a step, so the integrator is less suitable the
 * more contacts there are. */
enum { FEW_POINTS = 12 };

static int score(const hk_model *m, const char **why) {
  *why = "rigid contacts, without a fixed step";
  return m->set_valued ? m->n_points <= FEW_POINTS ? 2 : 1 : 0;
}

static const hk_integrator ops = {.order = 5,
                                  .can = HK_ADAPTIVE | HK_IMPACTS | HK_MEANS | HK_OWN_LEDGER,
                                  .rtol = 1e-10,
                                  .attempt = attempt,
                                  .state_size = state_size,
                                  .create = create,
                                  .destroy = destroy,
                                  .poison = poison,
                                  .supports = supports,
                                  .score = score};

const hk_type hk_type_stepper_event_driven = {
    .name = "event_driven",
    .category = HK_STEPPER,
    .doc =
        "Smooth motion of fifth order between changes of the contacts, which are located to "
        "round-off; the reference for set-valued contacts. Default rtol: 1e-10.",
    .source = "[DormandPrince1980]",
    .ops = &ops,
};
