/* Every type in motion: ideal joints do no work, and the energy ledger closes with the square of
 * the step for whatever is conserved, lost, fed in or driven. */
#include "support/subject.h"
#include "core/force.h"
#include "stepper/sim.h"
#include "registry/builtin.h"

/* Does the subject keep a small positive default, such as the speed that rounds off friction?  Its
 * law is then too sharp for the steps taken here. */
static bool is_sharp(const hk_model *m, hk_category category) {
  const hk_item *item = hk_spec_find(m->spec, category, "subject");
  const hk_param *p;
  for (int i = 0; (p = hk_type_param(item->type, i)); i++) {
    if (p->kind != HK_PARAM_REAL || !(p->flags & HK_POSITIVE) || hk_item_given(item, i)) continue;
    double value = *(const double *)((const char *)item->data + p->offset);
    if (value > 0 && value < 0.05) return true;
  }
  return false;
}

/* Does a force follow a joint's reaction so strongly that the joint may jam?  Such equations need
 * not have a solution. */
static bool is_strong(const hk_model *m) {
  int i = subject_force(m);
  if (i < 0 || m->force[i].joint < 0) return false;
  moment s;
  hk_force_result r;
  moment_try(m, &s);
  for (int k = 0; k < m->nv; k++) s.v[k] *= 1e4; /* far beyond any speed that rounds it off */
  moment_evaluate(&s, s.q, s.v, s.lambda, s.t);
  const hk_instant in = moment_instant(&s);
  hk_force_evaluate(s.work, &m->force[i], &in, true, &r);
  double most = fabs(r.out.F_load);
  for (int k = 0; k < 12; k++) most = fmax(most, fabs(r.out.w_load[k]));
  moment_free(&s);
  return most > 0.1;
}

/* A simulation of a draw that can be assembled.  (A motion may ask for what its loop cannot reach.)
 */
static hk_sim *moving_subject(const hk_type *type, const setting *at, hk_model **model) {
  char why[1024] = "";
  for (int i = 0; i < 2000; i++) {
    *model = type->category == HK_JOINT ? closed_subject(type, at) : subject(type, at);
    hk_sim *sim = NULL;
    hk_error err = {0};
    if (!is_sharp(*model, type->category) && !is_strong(*model) &&
        hk_sim_create(*model, &(hk_sim_options){.step = 2e-3}, &sim, NULL, &err) == HK_OK)
      return sim;
    snprintf(why, sizeof why, "%s", err.text);
    hk_model_destroy(*model);
  }
  fail_msg("%s '%s' cannot be simulated: %s", hk_category_name(type->category), type->name, why);
  return NULL;
}

/* ---- ideal joints do no work ---- */

static void read_reaction(hk_sim *sim, const char *joint, hk_vec3 *F, hk_vec3 *M) {
  static const char *const suffix[6] = {"fx", "fy", "fz", "tx", "ty", "tz"};
  double value[6];
  for (int i = 0; i < 6; i++) {
    char name[64];
    snprintf(name, sizeof name, "%s.%s", joint, suffix[i]);
    value[i] = channel(sim, sim->model, name);
  }
  *F = hk_v3(value[0], value[1], value[2]);
  *M = hk_v3(value[3], value[4], value[5]);
}

/* The reaction that is recorded, F at the origin of B and M, and its counterpart on A. */
static void check_reaction(hk_sim *sim, const hk_constraint *c, const hk_type *type) {
  const hk_model *m = sim->model;
  hk_vec3 F, M;
  read_reaction(sim, c->name, &F, &M);
  const hk_frame *A = &sim->work->frame[m->port[c->port]];
  const hk_frame *B = &sim->work->frame[m->port[c->port + 1]];
  hk_vec3 on_a = hk_add(M, hk_cross(hk_sub(B->x, A->x), F));
  double power = hk_dot(F, hk_sub(B->v, A->v)) + hk_dot(M, B->w) - hk_dot(on_a, A->w);
  double size = 1 + hk_norm(F) + hk_norm(M);
  if (fabs(power) > 1e-7 * size)
    fail_msg("joint '%s': the reaction of '%s' has a power of %.3g W", type->name, c->name, power);
}

static void check_ideal(const hk_type *type) {
  hk_model *m;
  hk_error err = {0};
  hk_sim *sim = moving_subject(type, &(setting){ON_BODY, ON_BODY, true, false}, &m);
  if (hk_sim_advance(sim, 0.02, &err)) fail_msg("%s", err.text);
  channel(sim, m, "first.ax"); /* brings reactions and frames up to date */
  double *y = calloc((size_t)m->nc + 1, sizeof *y);
  assert_non_null(y);
  hk_constraint_rate(sim->work, sim->x + m->at.v, y);
  for (int i = 0; i < m->n_constraints; i++) {
    const hk_constraint *c = &m->constraint[i];
    double power = 0;
    for (int r = c->row; r < c->row + c->n_rows; r++) power += sim->out.lambda[r] * y[r];
    if (!c->value && fabs(power) > 1e-7)
      fail_msg("joint '%s': '%s' does work, %.3g W", type->name, c->name, power);
  }
  for (int i = 0; i < m->n_constraints; i++)
    if (m->constraint[i].n_held) check_reaction(sim, &m->constraint[i], type);
  free(y);
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

static void ideal_joints_do_no_work(void **state) {
  (void)state;
  for (int i = 0; i < hk_registry_count(hk_registry_builtin(), HK_JOINT); i++)
    for (int draw = 0; draw < 10; draw++) {
      if (is_composite(hk_registry_at(hk_registry_builtin(), HK_JOINT, i))) continue;
      if (needs_ground(hk_registry_at(hk_registry_builtin(), HK_JOINT, i))) continue; /* test/verify/test_rolling.c */
      random_seed((uint64_t)(100 * i + draw));
      check_ideal(hk_registry_at(hk_registry_builtin(), HK_JOINT, i));
    }
}

/* ---- the ledger ---- */

/* Largest error of the energy balance over a short run. */
static double balance_error(const hk_model *m, double h, double *energy) {
  hk_error err = {0};
  hk_sim *sim = sim_of(m, &(hk_sim_options){.step = h, .rtol = 1e-9, .atol = 1e-12});
  int error = hk_model_channel_find(m, "energy.balance_error");
  double most = 0;
  assert_true(error > 0);
  *energy = fabs(channel(sim, m, "energy.kinetic")) + fabs(channel(sim, m, "energy.potential"));
  while (hk_sim_time(sim) < 0.25) {
    if (hk_sim_step(sim, 0.25, &err)) fail_msg("%s", err.text);
    most = fmax(most, fabs(hk_sim_value(sim, error)));
  }
  hk_sim_destroy(sim);
  return most;
}

static void check_ledger(const hk_type *type, const setting *at) {
  hk_model *m;
  hk_sim_destroy(moving_subject(type, at, &m));
  double energy, coarse = balance_error(m, 4e-3, &energy), fine = balance_error(m, 1e-3, &energy);
  /* 16 in theory; what Newton leaves floors what is conserved exactly. */
  if (!(fine <= coarse / 10 || fine < 1e-8 * (1 + energy)))
    fail_msg("%s '%s': the energy balance is off by %.3g J at h = 4 ms and %.3g J at 1 ms",
             hk_category_name(type->category), type->name, coarse, fine);
  if (!(coarse < 2e-3 * (1 + energy)))
    fail_msg("%s '%s': the energy balance is off by %.3g J of %.3g J at h = 4 ms",
             hk_category_name(type->category), type->name, coarse, energy);
  hk_model_destroy(m);
}

static void ledger_of(hk_category category, const setting *at) {
  for (int i = 0; i < hk_registry_count(hk_registry_builtin(), category); i++)
    for (int draw = 0; draw < 12; draw++) {
      if (is_composite(hk_registry_at(hk_registry_builtin(), category, i)) || needs_ground(hk_registry_at(hk_registry_builtin(), category, i))) continue;
      random_seed((uint64_t)(100 * i + draw + 7));
      check_ledger(hk_registry_at(hk_registry_builtin(), category, i), at);
    }
}

static void energy_of_joints(void **state) {
  (void)state;
  ledger_of(HK_JOINT, &(setting){ON_BODY, ON_BODY, true, false});
}
static void energy_of_forces(void **state) {
  (void)state;
  ledger_of(HK_FORCE, &(setting){ON_BODY, ON_BODY, true, true});
  ledger_of(HK_FORCE, &(setting){ON_GROUND, ON_BODY, true, false});
}
static void energy_of_motions(void **state) {
  (void)state;
  ledger_of(HK_MOTION, &(setting){ON_GROUND, ON_BODY, true, false});
}
static void energy_of_bodies(void **state) {
  (void)state;
  ledger_of(HK_BODY, &(setting){ON_BODY, ON_BODY, true, false});
}

int main(void) {
  random_turn = 0.4; /* no angle comes near half a turn during the run */
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ideal_joints_do_no_work), cmocka_unit_test(energy_of_joints),
      cmocka_unit_test(energy_of_forces),        cmocka_unit_test(energy_of_motions),
      cmocka_unit_test(energy_of_bodies),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
