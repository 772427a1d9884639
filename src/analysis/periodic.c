/* Periodic orbits: see hooke/nonlinear.h and docs/periodic.md.
 *
 *   1. Simulation to `from`, then two ordinary periods: they give the scales and let fast modes decay.
 *   2. Anderson's mixing on a frozen grid of steps.
 *   3. Newton's method with the derivative of the steps, if the residual decreases slowly.
 *   4. One ordinary period with adaptive steps and without a restart: its change is the stated error. */
#include "control/event.h"
#include "base/required.h"
#include "analysis/anderson.h"
#include "analysis/floquet.h"
#include "analysis/periodic_search.h"
#include "base/options.h"
#include "model/layout.h"
#include <hooke/state.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double DEFAULT_TOLERANCE = 1e-6;
enum {
  MOST_RUNS = 200,
  MOST_PLAIN = 5000,
  PLAIN_FIRST = 2,
  PATIENCE = 4,
  MOST_GRIDS = 3,
  MOST_JUDGED = 150 /* unknowns */
};
/* change over the whole period, if only one of its equal parts was searched */
static const double MOST_UNEQUAL = 0.01;
/* The derivative can also be used for the stability of the orbit if it was computed at an
 * iterate with a residual below this value. */
static const double NEAR_ORBIT = 1e-3;
static const double SLOW = 0.5; /* reduction of the residual per period (mean factor) above which
                                 * Newton's method is used instead */

/* ---- iterations ---- */

static void keep_best(hk_search *q) {
  if (!(q->residual < q->best_residual)) return;
  q->best_residual = q->residual;
  q->best_T = q->p.T;
  memcpy(q->best, q->x, hk_search_bytes(q));
}

/* Simulates one period from q->x to q->end. Writes the unknowns of both into y and g, and their difference, the
 * residual, into r. */
hk_status hk_search_period(hk_search *q, bool columns, hk_error *err) {
  hk_shooter_chart(&q->p, q->x, q->y);
  hk_status status = hk_shooter_run(&q->p, q->x, q->end, columns, err);
  if (status) return status;
  hk_shooter_chart(&q->p, q->end, q->g);
  for (int i = 0; i < q->p.n; i++) q->r[i] = q->g[i] - q->y[i];
  q->residual = hk_shooter_size(&q->p, q->r);
  if (columns) q->derived_residual = q->residual;
  if (!isfinite(q->residual)) return hk_fail(err, HK_EFAIL, "the motion is not finite");
  keep_best(q);
  return HK_OK;
}

hk_status hk_search_plain(hk_search *q, int most, hk_error *err) {
  hk_status status = HK_OK;
  for (int k = 0; k < most && !status && !hk_search_done(q) && !hk_search_spent(q); k++) {
    if (k) hk_search_go_on(q);
    status = hk_search_period(q, false, err);
  }
  return status;
}

/* Anderson's mixing. *slow: it was ended because Newton's method is faster. */
static hk_status anderson(hk_search *q, bool may_end, bool *slow, hk_error *err) {
  hk_anderson a;
  double past[PATIENCE + 1] = {0};
  hk_status status = hk_anderson_create(&a, q->p.n, err);
  *slow = false;
  for (int k = 0; !status && !hk_search_done(q) && !hk_search_spent(q); k++) {
    double before = q->residual;
    status = hk_anderson_next(&a, q->y, q->g, q->c, err);
    if (status) break;
    for (int i = 0; i < q->p.n; i++) q->c[i] -= q->g[i];
    hk_search_go_on(q);
    status = hk_shooter_move(&q->p, q->x, q->c, err);
    if (!status) status = hk_search_period(q, false, err);
    if (status == HK_EFAIL && k == 0) break;
    if (!status && q->residual > 4 * before) hk_anderson_forget(&a);
    memmove(past + 1, past, PATIENCE * sizeof *past);
    past[0] = q->residual;
    if (k < PATIENCE || status) continue;
    q->out->reduction = pow(past[0] / past[PATIENCE], 1.0 / PATIENCE);
    if (may_end && q->out->reduction > SLOW) {
      *slow = !hk_search_done(q);
      break;
    }
  }
  hk_anderson_free(&a);
  return status;
}

static hk_status iterate(hk_search *q, hk_error *err) {
  hk_periodic_method method = q->o->method;
  bool slow = false;
  hk_status status = HK_OK;
  if (method == HK_PERIODIC_PLAIN) return hk_search_plain(q, q->most_runs, err);
  if (q->o->unknown) method = HK_PERIODIC_NEWTON;
  if (method != HK_PERIODIC_NEWTON) status = anderson(q, method == HK_PERIODIC_AUTO, &slow, err);
  if (status == HK_EFAIL && method == HK_PERIODIC_AUTO) status = HK_OK, slow = true;
  if (!status && (method == HK_PERIODIC_NEWTON || slow) && !hk_search_done(q)) {
    if (slow) memcpy(q->x, q->best, hk_search_bytes(q));
    q->residual = INFINITY;
    status = hk_search_newton(q, err);
  }
  return status;
}

/* ---- the end ---- */

static void name_coordinate(const hk_model *m, int j, bool rate, char *text, size_t size) {
  hk_state_entry e;
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    if (j < n->v || j >= n->v + n->nv) continue;
    hk_layout_entry(m, m->at.v + j, &e);
    size_t length = strlen(e.name);
    if (!rate && length > 5 && strcmp(e.name + length - 5, ".rate") == 0) e.name[length - 5] = '\0';
    snprintf(text, size, "%.150s", e.name);
    return;
  }
}

/* Finds the coordinate that changes most over the period, relative to its scale. */
static void find_worst(hk_search *q) {
  const hk_model *m = q->m;
  const hk_shooter *p = &q->p;
  double most = -1;
  int at = 0;
  memcpy(p->ref, q->x, hk_search_bytes(q)); /* differences from the start */
  hk_shooter_chart(p, q->end, q->g);
  for (int j = 0; j < 2 * m->nv; j++) {
    if (j < m->nv && p->cyclic[j]) continue;
    if (fabs(p->d[j]) > most) most = fabs(p->d[j]), at = j;
  }
  name_coordinate(m, at % m->nv, at >= m->nv, q->out->worst, sizeof q->out->worst);
}

static hk_status tell_drifts(hk_search *q, hk_error *err) {
  const hk_model *m = q->m;
  hk_periodic *out = q->out;
  double *d = malloc((size_t)(m->nv + 1) * sizeof *d);
  out->drift = calloc((size_t)m->nv + 1, sizeof *out->drift);
  if (!d || !out->drift) {
    free(d);
    return hk_fail(err, HK_ENOMEM, "out of memory");
  }
  hk_configuration_sub(m, q->end + m->at.q, q->x + m->at.q, d);
  double parts = q->p.sym.parts ? q->p.sym.parts : 1;
  for (int i = 0; i < m->n_nodes; i++)
    for (int k = 0; k < m->node[i].nv; k++) {
      int j = m->node[i].v + k;
      bool rigid = m->node[i].moves == HK_MOVES_RIGID;
      const hk_alike *alike = &q->p.sym.node[i];
      /* The orientation of balls and rollers has no effect. The angle of a ring is compared modulo whole revolutions. */
      if (!q->p.cyclic[j] || alike->next != i || (rigid && alike->free == HK_ANY_AXIS)) continue;
      hk_drift *to = &out->drift[out->n_drifts++];
      name_coordinate(m, j, false, to->name, sizeof to->name);
      to->unit = m->node[i].coordinate[k].angular ? "rad" : "m";
      to->amount = rigid ? remainder(q->p.mean[j] * q->p.T * parts, 2 * M_PI) : d[j] * parts;
    }
  free(d);
  return HK_OK;
}

hk_status hk_search_plan(hk_search *q, hk_error *err) {
  double residual = q->residual;
  q->p.frozen = q->s->option.step > 0;
  hk_status status = hk_search_period(q, false, err);
  q->out->error = q->residual;
  q->residual = residual;
  return status;
}

/* Checks the orbit with adaptive steps. The grid of this period replaces the frozen one if the orbit needs other
 * steps. */
static hk_status confirm(hk_search *q, hk_error *err) {
  double *kept = malloc(hk_search_bytes(q));
  if (!kept) return hk_fail(err, HK_ENOMEM, "out of memory");
  memcpy(kept, q->x, hk_search_bytes(q));
  hk_search_go_on(q);
  hk_status status = hk_search_plan(q, err);
  if (status) memcpy(q->x, kept, hk_search_bytes(q));
  free(kept);
  return status;
}

/* ---- symmetry ---- */

/* The grid of a fixed step, if the model has one. */
static hk_status keep_fixed_step(hk_search *q, hk_error *err) {
  double h = q->s->option.step;
  return h > 0 && !hk_integrator_can(q->s, HK_IMPACTS) ? hk_shooter_divide(&q->p, h, err) : HK_OK;
}

/* From now on the map covers only one of `parts` equal parts of the caller's period. */
static hk_status divide_period(hk_search *q, int parts, hk_error *err) {
  q->p.T = q->whole_T / parts;
  return keep_fixed_step(q, err);
}

/* Finds the symmetry that the types of the model declare. The caller must check this symmetry. */
static hk_status guess_symmetry(hk_search *q, hk_error *err) {
  hk_shooter *p = &q->p;
  q->whole_T = p->T;
  if (q->o->whole) return HK_OK;
  hk_symmetry_guess(&p->sym, q->s, q->x, q->mean, p->T);
  return p->sym.parts ? divide_period(q, p->sym.parts, err) : HK_OK;
}

/* Uses the symmetry only if the accelerations also have it, after the part of the period from q->x to q->end. */
static hk_status check_symmetry(hk_search *q, hk_error *err) {
  hk_shooter *p = &q->p;
  hk_status status = hk_shooter_rebase(p, q->x, err);
  if (!status) status = hk_shooter_find_cyclic(p, q->x, q->end, err);
  if (!status && hk_symmetry_check(&p->sym, q->s, q->x, q->end))
    status = hk_fail(err, HK_ENOMEM, "out of memory");
  q->out->unequal = p->sym.unequal;
  if (status || p->sym.parts) return status;
  hk_search_go_on(q);
  status = divide_period(q, 1, err);
  return status ? status : hk_shooter_run(p, q->x, q->end, false, err);
}

/* Simulates the other parts of a period, after the part from q->x to q->end. Returns false if the motion does not
 * repeat after the whole period; the parts are then not equal. */
static hk_status check_whole(hk_search *q, bool *repeats, hk_error *err) {
  hk_shooter *p = &q->p;
  double part = q->out->error;
  hk_status status = HK_OK;
  *repeats = true;
  if (p->sym.parts < 2) return HK_OK;
  memcpy(p->ref, q->x, hk_search_bytes(q));
  for (int k = 1; k < p->sym.parts && !status; k++) {
    p->frozen = q->s->option.step > 0;
    status = hk_shooter_run(p, q->end, q->end, false, err);
  }
  if (status) return status;
  hk_shooter_chart(p, q->end, q->g);
  double change = hk_shooter_size(p, q->g);
  *repeats = change <= fmax(MOST_UNEQUAL, 30 * part);
  if (!*repeats) q->out->unequal = change;
  q->out->error = fmax(part, change);
  return HK_OK;
}

/* If the period is unknown, the period that was found may be a multiple of the time in which the channel changes by
 * `amount`, because angles are compared modulo a revolution. Sets *rounds to this multiple; fails if the change is not
 * a multiple of `amount`. */
static hk_status count_rounds(hk_search *q, int *rounds, hk_error *err) {
  const hk_periodic_options *o = q->o;
  *rounds = 1;
  if (!o->unknown || o->amount == 0 || o->turn < 1) return HK_OK;
  double value[2];
  const double *state[] = {q->x, q->end};
  for (int i = 0; i < 2; i++) {
    if (hk_sim_state_set(q->s, state[i])) return hk_fail(err, HK_ENOMEM, "out of memory");
    value[i] = hk_sim_value(q->s, o->turn);
  }
  double parts = q->p.sym.parts ? q->p.sym.parts : 1,
         ratio = (value[1] - value[0]) * parts / o->amount;
  *rounds = (int)lround(fmax(1, fmin(1000, ratio)));
  if (fabs(ratio - *rounds) <= 0.02) return HK_OK;
  q->out->found = false;
  return hk_fail(err, HK_EFAIL,
                 "the orbit that was found has the period %.9g s, in which channel '%s' changes by "
                 "%.4g times the amount of "
                 "--turn; give --from a time at which the speed is nearly steady, or a first guess "
                 "by --period",
                 q->p.T, hk_model_channel_name(q->m, o->turn), ratio);
}

/* ---- the search ---- */

/* Searches the orbit with the steps of the last simulated period. These steps may have been selected for a motion that
 * differs from the orbit. In that case the search is repeated with the steps of the orbit that was found. */
static hk_status search_on_grids(hk_search *q, hk_error *err) {
  hk_shooter *p = &q->p;
  hk_status status = HK_OK;
  for (int grid = 0; !status; grid++) {
    status = hk_shooter_freeze(p, err);
    if (!status) status = hk_shooter_rebase(p, q->x, err);
    q->residual = q->best_residual = INFINITY;
    hk_search_go_on(q);
    bool newton = (q->o->method == HK_PERIODIC_NEWTON ||
                   (q->o->unknown && q->o->method != HK_PERIODIC_PLAIN)) &&
                  grid == 0; /* Newton's method simulates the first period itself */
    if (!status && !newton) status = hk_search_period(q, false, err);
    if (!status) status = iterate(q, err);
    if (!status) q->out->per_period = p->accurate ? p->per_period : p->n_tau;
    q->out->found = !status && hk_search_done(q);
    if (status || !q->out->found) break;
    memcpy(q->best, q->x, hk_search_bytes(q));
    q->best_T = p->T;
    find_worst(q);
    status = confirm(q, err);
    /* The steps were selected for another motion; the search is repeated with the steps of the orbit. */
    if (status || grid >= MOST_GRIDS - 1 || q->out->error <= fmax(100 * q->tolerance, 1e-3)) break;
  }
  return status;
}

static hk_status search_orbit(hk_search *q, bool symmetric, hk_error *err) {
  hk_shooter *p = &q->p;
  hk_status status = symmetric ? guess_symmetry(q, err) : HK_OK;
  if (!status) status = hk_shooter_run(p, q->x, q->end, false, err);
  if (!status && p->sym.parts) status = check_symmetry(q, err);
  /* the caller's state is near an orbit, so its transients have already decayed */
  bool near = q->o->start != NULL;
  if (!status && near && !p->sym.parts) {
    status = hk_shooter_rebase(p, q->x, err);
    if (!status) status = hk_shooter_find_cyclic(p, q->x, q->end, err);
  }
  for (int k = near ? PLAIN_FIRST : p->sym.parts ? 1 : 0; k < PLAIN_FIRST && !status; k++) {
    status = hk_shooter_rebase(p, q->end, err);
    if (!status && k == PLAIN_FIRST - 1) {
      status = hk_shooter_find_cyclic(p, q->x, q->end, err);
      if (!status) status = hk_shooter_rebase(p, q->end, err);
    }
    hk_search_go_on(q);
    if (!status) status = hk_search_period(q, false, err);
  }
  if (!status) status = search_on_grids(q, err);
  int rounds = 1;
  if (!status && q->out->found) status = count_rounds(q, &rounds, err);
  /* starts from a state of the orbit, with the exact period */
  if (!status && rounds > 1 && !q->divided) {
    q->divided = true;
    p->T *= (double)(p->sym.parts ? p->sym.parts : 1) / rounds;
    hk_symmetry_forget(&p->sym);
    hk_copy(q->mean, p->mean, q->m->nv);
    p->frozen = false;
    status = keep_fixed_step(q, err);
    return status ? status : search_orbit(q, symmetric, err);
  }
  bool repeats = true, wound = false;
  char ignored[1];
  /* this is tested separately, because a spring may wind up so slowly that its change in one period is below the
   * tolerance */
  if (!status && q->out->found)
    status = hk_search_revolutions(q, ignored, sizeof ignored, &wound, err);
  if (!status && q->out->found && !wound) status = check_whole(q, &repeats, err);
  if (wound || !repeats) q->out->found = false;
  if (wound) return status;
  bool none = status == HK_EFAIL || (!status && !q->out->found);
  if (!symmetric || !p->sym.parts || !none || hk_search_spent(q)) return status;
  /* There may still be orbits that do not have the symmetry of the model. */
  hk_symmetry_forget(&p->sym);
  memcpy(q->x, q->best, hk_search_bytes(q));
  status = divide_period(q, 1, err);
  return status ? status : search_orbit(q, false, err);
}

static hk_status no_orbit(hk_search *q, hk_error *err) {
  hk_periodic *out = q->out;
  char what[300] = "the motion has another period, a second frequency, drifts, or is chaotic";
  char how[80];
  hk_error ignored = {0};
  double r = q->best_residual;
  memcpy(q->x, q->best, hk_search_bytes(q));
  q->p.T = q->best_T;
  hk_status status = hk_search_period(q, false, &ignored);
  if (!status) find_worst(q);
  if (status != HK_STOPPED) status = hk_search_diagnose(q, what, sizeof what, &ignored);
  if (status == HK_STOPPED || status == HK_ENOMEM) return hk_fail(err, status, "%s", ignored.text);
  if (out->runs >= q->most_runs)
    snprintf(how, sizeof how, " in %d periods of %.9g s", out->runs, q->best_T);
  else
    snprintf(how, sizeof how, ": after %d periods of %.9g s the residual no longer falls",
             out->runs, q->best_T);
  return hk_fail(err, HK_EFAIL,
                 "no periodic orbit was found%s; '%s' still changes by %.3g of its range per "
                 "period; %s (see `hooke poincare`)",
                 how, out->worst, r, what);
}

/* The search has changed the state, so the energy balance restarts at the start of the orbit. */
static hk_status reset_ledger(hk_search *q) {
  hk_sim *s = q->s;
  const hk_model *m = q->m;
  double *ledger = q->best + m->at.ledger;
  if (hk_sim_state_set(s, q->best)) return HK_ENOMEM;
  const hk_instant in = hk_instant_last(m, q->best, q->best + m->at.lambda);
  hk_kinematics(s->work, &in, HK_FRAMES_MOVING);
  if (hk_forces(s->work, &in)) return HK_OK; /* the caller receives the state unchanged */
  ledger[HK_LEDGER_DISSIPATED] = ledger[HK_LEDGER_MOTION] = ledger[HK_LEDGER_APPLIED] = 0;
  ledger[HK_LEDGER_START] = hk_kinetic_energy(s->work, q->best + m->at.v) + s->work->potential;
  s->out.have_frames = s->out.have_loads = s->out.have_variables = false;
  return HK_OK;
}

hk_status hk_search_copy(hk_search *q, const double *x, void **state, size_t *size, hk_error *err) {
  *size = hk_sim_state_size(hk_search_outer(q));
  *state = malloc(*size);
  if (!*state) return hk_fail(err, HK_ENOMEM, "out of memory");
  if (q->accurate) return hk_shooter_convert(q->accurate, x, *state, err);
  memcpy(*state, x, *size);
  return HK_OK;
}

static hk_status finish(hk_search *q, hk_status status, hk_error *err) {
  hk_periodic *out = q->out;
  out->runs = q->p.runs;
  out->derivatives = q->p.derivatives;
  out->cuts = q->p.cuts;
  out->steps = q->p.steps;
  out->unknowns = q->p.n;
  out->choose = q->chosen;
  out->residual = out->found ? q->residual : q->best_residual;
  out->parts = q->p.sym.parts > 1 ? q->p.sym.parts : 1;
  out->period = q->best_T * out->parts;
  snprintf(out->alike, sizeof out->alike, "%s", q->p.sym.parts ? q->p.sym.name : "");
  if (!q->best) return status;
  if (reset_ledger(q)) return hk_fail(err, HK_ENOMEM, "out of memory");
  hk_status copied = hk_search_copy(q, q->best, &out->state, &out->state_size, err);
  if (copied) return copied;
  if (!status && !out->found) status = no_orbit(q, err);
  return status;
}

hk_status hk_periodic_run(const hk_model *model, const hk_periodic_options *options,
                          hk_periodic *out, hk_diag *diag, hk_error *err) {
  HK_REQUIRE(out, err);
  hk_periodic_options o;
  HK_TAKE_OPTIONS(o, options);
  *out = (hk_periodic){
      .residual = NAN, .error = NAN, .trivial = NAN, .uncertainty = NAN, .stepper = ""};
  if (!model) return hk_fail(err, HK_EINPUT, HK_NO_MODEL);
  hk_status refused = hk_events_refuse(model, "the search of a periodic motion", err);
  if (refused) return refused;
  bool is_plain = o.method == HK_PERIODIC_PLAIN;
  hk_search q = {.o = &o,
                 .out = out,
                 .m = model,
                 .derived_residual = INFINITY,
                 .tolerance = o.tolerance > 0 ? o.tolerance : DEFAULT_TOLERANCE,
                 .most_runs = o.most_runs > 0 ? o.most_runs
                              : is_plain      ? MOST_PLAIN
                                              : MOST_RUNS};
  hk_status status = hk_search_begin(&q, diag, err);
  if (!status) {
    status = search_orbit(&q, true, err);
    if (status == HK_RETRY) status = HK_EFAIL;
    if (!status && out->found) status = tell_drifts(&q, err);
    /* Newton's method also finds unstable orbits, which a real machine does not follow: therefore stability is
     * part of the result. */
    bool cheap = q.p.tangent && q.p.n <= MOST_JUDGED && o.method != HK_PERIODIC_PLAIN;
    if (!status && out->found && (o.floquet || cheap)) {
      status = hk_shooter_freeze(&q.p, err);
      const hk_floquet_aim aim = o.floquet ? HK_FLOQUET_VALUES : HK_FLOQUET_STABILITY;
      bool derived = !o.floquet && q.p.frozen && q.derived_residual < NEAR_ORBIT;
      if (!status) status = hk_floquet(&q.p, q.x, o.unknown, aim, derived, out, err);
    }
    status = finish(&q, status, err);
  }
  hk_shooter_free(&q.p);
  free(q.x);
  free(q.y);
  free(q.mean);
  hk_sim_destroy(q.s);
  hk_sim_destroy(q.accurate);
  return status;
}

void hk_periodic_free(hk_periodic *o) {
  if (!o) return;
  free(o->drift);
  free(o->re);
  free(o->im);
  free(o->state);
  *o = (hk_periodic){0};
}
