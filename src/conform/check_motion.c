/* Every type in motion: ideal joints do no work, and the error of the energy balance (stored, lost, supplied and
 * driven energy) decreases with the square of the step. */
#include "conform/checks.h"
#include "conform/subject.h"
#include "core/force.h"
#include "sim/sim.h"
#include <stdio.h>
#include <string.h>

/* Returns true if a parameter of the subject still has a small positive default, such as the
 * regularisation velocity of friction. The force law of the subject is then too steep for the steps of this test. */
static bool is_sharp(const hk_model *m, hk_category category) {
  const hk_item *item = hk_spec_find(m->spec, category, "subject");
  const hk_param *p;
  for (int i = 0; (p = hk_type_param(item->type, i)); i++) {
    if (p->kind != HK_PARAM_REAL || !(p->flags & HK_POSITIVE) || hk_item_given(item, i)) continue;
    const void *at = (const char *)item->data + p->offset;
    double value = *(const double *)at;
    if (value > 0 && value < 0.05) return true;
  }
  return false;
}

/* Returns true if a force depends on a joint's reaction so strongly that the joint may jam. Such equations need not
 * have a solution. */
static bool is_strong(hk_trial *t, const hk_model *m) {
  bool follows = false;
  for (int i = 0; i < m->n_forces; i++) follows = follows || m->force[i].joint >= 0;
  if (!follows) return false;
  hk_check_state s;
  hk_force_result r;
  double most = 0;
  hk_check_state_try(t, m, &s);
  for (int k = 0; k < m->nv; k++) s.v[k] *= 1e4; /* far above any regularisation velocity */
  hk_check_state_evaluate(t, &s, s.q, s.v, s.lambda, s.t);
  const hk_instant in = hk_check_state_instant(&s);
  for (int i = 0; i < m->n_forces; i++) {
    if (m->force[i].joint < 0) continue;
    hk_force_evaluate(s.work, &m->force[i], &in, true, &r);
    most = fmax(most, fabs(r.out.F_load));
    for (int k = 0; k < 12; k++) most = fmax(most, fabs(r.out.w_load[k]));
  }
  hk_check_state_free(t, &s);
  return most > 0.1;
}

/* A motion may prescribe a position that a closed loop of joints cannot reach. */
hk_sim *hk_check_moving(hk_trial *t, const hk_between *at, hk_model **model) {
  const hk_type *type = t->type;
  char why[1024] = "";
  for (int i = 0; i < 2000; i++) {
    *model = type->category == HK_JOINT ? hk_subject_closed(t, type, at) : hk_subject(t, type, at);
    hk_error err = {0};
    if (!is_sharp(*model, type->category) && !is_strong(t, *model)) {
      hk_sim *sim = hk_subject_sim_try(t, *model, &(hk_sim_options){.step = 2e-3}, &err);
      if (sim) return sim;
    }
    snprintf(why, sizeof why, "%s", err.text);
    hk_trial_drop(t, *model);
  }
  hk_trial_fail(t, "%s '%s' cannot be simulated: %s", hk_category_name(type->category), type->name,
                why);
}

/* ---- ideal joints do no work ---- */

static void read_reaction(hk_trial *t, hk_sim *sim, const char *joint, hk_vec3 *F, hk_vec3 *M) {
  static const char *const suffix[6] = {"fx", "fy", "fz", "tx", "ty", "tz"};
  double value[6];
  for (int i = 0; i < 6; i++) value[i] = hk_subject_value(t, sim, joint, suffix[i]);
  *F = hk_v3(value[0], value[1], value[2]);
  *M = hk_v3(value[3], value[4], value[5]);
}

/* The recorded reaction on B (force F at the origin of B, moment M), and the opposite reaction
 * on A. */
static void check_reaction(hk_trial *t, hk_sim *sim, const hk_constraint *c, const hk_type *type) {
  const hk_model *m = sim->model;
  hk_vec3 F, M;
  read_reaction(t, sim, c->name, &F, &M);
  const hk_frame *A = &sim->work->frame[m->port[c->port]];
  const hk_frame *B = &sim->work->frame[m->port[c->port + 1]];
  hk_vec3 on_a = hk_add(M, hk_cross(hk_sub(B->x, A->x), F));
  double power = hk_dot(F, hk_sub(B->v, A->v)) + hk_dot(M, B->w) - hk_dot(on_a, A->w);
  double size = 1 + hk_norm(F) + hk_norm(M);
  hk_trial_worst(t, fabs(power) / (1e-7 * size));
  if (fabs(power) > 1e-7 * size)
    hk_trial_fail(t, "joint '%s': the reaction of '%s' has a power of %.3g W", type->name, c->name,
                  power);
}

static void check_ideal(hk_trial *t, const hk_between *at) {
  const hk_type *type = t->type;
  hk_model *m;
  hk_error err = {0};
  hk_sim *sim = hk_check_moving(t, at, &m);
  if (hk_sim_advance(sim, 0.02, &err)) hk_trial_fail(t, "%s", err.text);
  hk_subject_value(t, sim, "first", "ax"); /* updates reactions and frames */
  double *y = hk_trial_room(t, (size_t)m->nc + 1, sizeof *y);
  hk_constraint_rate(sim->work, sim->x + m->at.v, y);
  for (int i = 0; i < m->n_constraints; i++) {
    const hk_constraint *c = &m->constraint[i];
    /* size: magnitude to which the error is relative, the same as for the recorded reaction */
    double power = 0, size = 1;
    for (int r = c->row; r < c->row + c->n_rows; r++) {
      power += sim->out.lambda[r] * y[r];
      size += fabs(sim->out.lambda[r]);
    }
    if (!c->value && fabs(power) > 1e-7 * size)
      hk_trial_fail(t, "joint '%s': '%s' does work, %.3g W", type->name, c->name, power);
  }
  for (int i = 0; i < m->n_constraints; i++)
    if (m->constraint[i].n_held) check_reaction(t, sim, &m->constraint[i], type);
  hk_trial_drop(t, sim);
  hk_trial_drop(t, m);
}

/* ---- the ledger ---- */

hk_sim *hk_check_sim(hk_trial *t, const hk_model *m, double h) {
  const hk_setting overlap = {.name = "initial_penetration",
                              .text = "allow"}; /* contacts are drawn in contact */
  const hk_type *analysis = hk_registry_find(m->spec->registry, HK_ANALYSIS, "dynamics");
  bool refuses =
      m->n_contacts && analysis && hk_type_param_find(analysis, "initial_penetration") >= 0;
  return hk_subject_sim(
      t, m,
      &(hk_sim_options){.step = h, .rtol = 1e-9, .atol = 1e-12, .set = &overlap, .n_set = refuses});
}

/* Largest error of the energy balance over a short run. */
double hk_check_balance_error(hk_trial *t, const hk_model *m, double h, double end,
                              double *energy) {
  hk_error err = {0};
  hk_sim *sim = hk_check_sim(t, m, h);
  int error = hk_model_channel_find(m, "energy.balance_error");
  double most = 0;
  /* Returns true if the run is short. In the step in which a contact with damping closes or
   * opens, its power jumps, and the energy balance has an error until the next step. */
  const bool brief = t->staged && m->n_points > 0;
  hk_trial_claim(t, error > 0);
  *energy = fabs(hk_subject_value(t, sim, "energy", "kinetic")) +
            fabs(hk_subject_value(t, sim, "energy", "potential"));
  while (hk_sim_time(sim) < end) {
    if (hk_sim_step(sim, end, &err)) hk_trial_fail(t, "%s", err.text);
    most = fmax(brief ? 0 : most, fabs(hk_sim_value(sim, error)));
  }
  hk_trial_drop(t, sim);
  return most;
}

/* Requirements for runs with steps of h and h/4. */
typedef struct promise {
  double h;
  double least; /* minimum factor by which the error decreases: 16 in theory */
  double floor; /* error, as a fraction of the energy, above which the factor is required */
  double bound; /* largest error that is allowed, as a fraction of the energy */
  bool fine;    /* true: `bound` applies only to the run with the shorter step */
} promise;

static promise promise_of(const hk_trial *t, const hk_model *m) {
  /* The internal variables of elements are usually integrated by Euler's rule, for which the factor is 4 in theory. */
  if (t->staged && m->n_memory) return (promise){2.5e-4, 2.5, 1e-7, 1e-2, true};
  /* Factor between the two step sizes; it is smaller if a contact closes or opens during the run. Laws of any
   * stiffness are tested, and a contact may last only 2 ms, so only the shorter step has to satisfy a bound. */
  if (t->staged) return (promise){1e-3, 5, 1e-7, 4e-4, true};
  if (m->n_contacts) return (promise){2e-3, 5, 1e-7, 4e-4, true};
  /* For quantities that are conserved exactly, the error cannot be below the residual of
   * Newton's method. */
  return (promise){4e-3, 10, 1e-8, 2e-3, false};
}

/* Checks that the energy balance closes. Errors of both signs may cancel for one step and not for the other: subjects
 * with many parts, and runs in which a contact closes or opens, may show their order only with shorter steps. The power
 * of a film that is squeezed out of the end of a tooth grows like 1/sqrt(time) until it is gone; the error then
 * decreases with the root of the step, and two reductions are compared. A wrong energy does not depend on the step. */
void hk_check_closes(hk_trial *t, const hk_model *m, double end, const char *who) {
  const promise p = promise_of(t, m);
  const int tries = t->staged || m->n_contacts ? 3 : 1;
  double h = p.h, energy, coarse = 0, before = 0,
         fine = hk_check_balance_error(t, m, h, end, &energy), part = 2;
  for (int i = 0; i < tries && !(part <= 1); i++, h /= 4) {
    before = m->n_memory ? coarse : 0;
    coarse = fine;
    fine = hk_check_balance_error(t, m, h / 4, end, &energy);
    if (coarse == 0 && fine == 0) return;
    double falls = fmin(fine / (fmax(coarse, before) / p.least), fine / (p.floor * (1 + energy)));
    part = fmax(falls, (p.fine ? fine : coarse) / (p.bound * (1 + energy)));
  }
  hk_trial_worst(t, part);
  if (!(part <= 1))
    hk_trial_fail(
        t,
        "%s: the error of the energy balance is %.3g J of %.3g J at h = %g ms and %.3g J at %g ms",
        who, coarse, energy, 4e3 * h, fine, 1e3 * h);
}

/* Largest allowed change of a gap's rate from one step to the next. */
static const double MOST_JUMP = 0.02;

bool hk_check_runs(hk_trial *t, const hk_model *m, double h, double end, hk_error *err) {
  hk_sim *sim = hk_check_sim(t, m, h);
  double *last = hk_trial_room(t, 2 * (size_t)m->n_points + 1, sizeof *last),
         *change = last + m->n_points;
  bool well = true;
  for (int step = 0; well && hk_sim_time(sim) < end; step++) {
    well = !hk_sim_step(sim, end, err);
    for (int p = 0; p < m->n_points && well; p++) {
      double gap = sim->work->touch[p].gap, by = gap - last[p];
      if (step > 1 && fabs(by - change[p]) > MOST_JUMP)
        well = hk_fail(err, HK_EFAIL, "contact %d passes an edge", p) == HK_OK;
      last[p] = gap, change[p] = by;
    }
  }
  hk_trial_drop(t, sim);
  return well;
}

/* Draws subjects until a run reaches its end. With some random parameters, a subject may leave its range of
 * validity. */
static hk_model *staged_subject(hk_trial *t, const hk_between *at, double end) {
  enum { TRIES = 20 };
  hk_error err = {0};
  for (int i = 0; i < TRIES; i++) {
    hk_model *m;
    hk_trial_drop(t, hk_check_moving(t, at, &m));
    if (hk_check_runs(t, m, 5e-4, end, &err)) return m;
    hk_trial_drop(t, m);
  }
  hk_trial_fail(t, "%s '%s': no run of %g s succeeds (last one: %s)",
                hk_category_name(t->type->category), t->type->name, end, err.text);
}

static void check_ledger(hk_trial *t, const hk_between *at) {
  const bool staged = hk_subject_is_staged(t->type);
  const double end = staged ? 0.05 : 0.25;
  hk_model *m = NULL;
  char who[128];
  snprintf(who, sizeof who, "%s '%s'", hk_category_name(t->type->category), t->type->name);
  if (staged)
    m = staged_subject(t, at, end);
  else
    hk_trial_drop(t, hk_check_moving(t, at, &m));
  hk_check_closes(t, m, end, who);
  hk_trial_drop(t, m);
}

static void ledger_of(hk_trial *t, const hk_between *at) {
  hk_subject_repeat(t, 12, 7, at, check_ledger);
}

void hk_check_work(hk_trial *t) {
  t->turn = HK_MILD_TURN;
  hk_subject_repeat(t, 10, 0, &(hk_between){HK_ON_BODY, HK_ON_BODY, true, false}, check_ideal);
}

void hk_check_ledger(hk_trial *t) {
  if (t->type->category == HK_CONTACT) {
    hk_check_contact_ledger(t);
    return;
  }
  bool force = t->type->category == HK_FORCE, motion = t->type->category == HK_MOTION;
  t->turn = HK_MILD_TURN;
  if (!motion) ledger_of(t, &(hk_between){HK_ON_BODY, HK_ON_BODY, true, force});
  if (force || motion) ledger_of(t, &(hk_between){HK_ON_GROUND, HK_ON_BODY, true, false});
}
