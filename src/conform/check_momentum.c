/* A run does not change the linear and angular momentum of a free assembly: forces, joints and contacts act on both of
 * their bodies along the same line. */
#include "conform/checks.h"
#include "conform/subject.h"
#include "core/map.h"
#include "sim/sim.h"

static bool is_free(const hk_node *n) { return hk_node_translates(n) && !n->guided; }

/* Returns true if coordinates 3 to 5 are a rotation in the axes of the body. */
static bool rotates(const hk_node *n) { return n->moves == HK_MOVES_RIGID || n->type->turn == 3; }

/* Linear momentum and angular momentum about the origin, of all bodies and of each. */
typedef struct momentum {
  hk_vec3 p, L, *body; /* body: [2 n_nodes] */
  double size;
} momentum;

static momentum momentum_of(hk_trial *t, hk_sim *sim) {
  const hk_model *m = sim->model;
  double *y = hk_trial_room(t, (size_t)m->nv + 1, sizeof *y);
  momentum out = {.body = hk_trial_room(t, 2 * (size_t)m->n_nodes, sizeof *out.body)};
  const hk_instant in = hk_instant_last(m, sim->x, sim->out.lambda);
  hk_kinematics(sim->work, &in, HK_FRAMES_ALL);
  hk_mass_multiply(sim->work, sim->x + m->at.v, y);
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    if (!is_free(n)) continue;
    const double *at = y + n->v, *q = sim->x + m->at.q + n->q;
    hk_vec3 p = hk_v3(at[0], at[1], at[2]), L = hk_cross(hk_v3(q[0], q[1], q[2]), p);
    if (rotates(n)) L = hk_add(L, hk_mul(&sim->work->R[i], hk_v3(at[3], at[4], at[5])));
    out.p = hk_add(out.p, p), out.L = hk_add(out.L, L);
    out.body[2 * i] = p, out.body[2 * i + 1] = L;
    out.size += hk_norm(p) + hk_norm(L);
  }
  return out;
}

/* Momentum that the bodies have exchanged: without forces each body keeps its own momentum. */
static double exchanged(const hk_model *m, const momentum *before, const momentum *after) {
  double sum = 0;
  for (int i = 0; i < 2 * m->n_nodes; i++) sum += hk_norm(hk_sub(after->body[i], before->body[i]));
  return sum;
}

/* Compares the momentum at the end of a run with the momentum at the start. Returns the momentum that the bodies have
 * exchanged.
 *
 * The tolerance is the sum of two terms. The first term is 1e-9 of the exchanged momentum. The second term allows in
 * each step an error of rtol times the length of the model, relative to the initial momentum, because errors of
 * positions change the angular momentum.
 *
 * The second term matters in two cases: if the bodies exchange little momentum, or if a contact law with internal
 * variables restricts the integrator to second order. In the second case the error of the angular momentum is
 * proportional to rtol^(2/3), while the linear momentum is exact to round-off. Example: for a ball in a bore with the
 * cushion law of the tests, the error is 4e-9 of the exchanged momentum. With a tenth of this rtol it is 1e-9. */
double hk_check_momentum(hk_trial *t, const hk_model *m, const char *stepper, const char *who) {
  enum { MOST_STEPS = 4000 };
  const double end = 0.01, rtol = 1e-12, exact = 1e-9;
  hk_error err = {0};
  hk_sim *sim = hk_subject_sim_try(
      t, m, &(hk_sim_options){.stepper = stepper, .rtol = rtol, .atol = 1e-14}, &err);
  if (!sim) return 0;
  const momentum before = momentum_of(t, sim);
  double passed = 0;
  int steps = 0;
  for (; steps < MOST_STEPS && hk_sim_time(sim) < end; steps++) {
    if (hk_sim_step(sim, end, &err)) break; /* a body may leave its range of validity */
    const momentum now = momentum_of(t, sim);
    passed = fmax(passed, exchanged(m, &before, &now));
  }
  if (!steps) return 0;
  const momentum after = momentum_of(t, sim);
  const double p = hk_norm(hk_sub(after.p, before.p)), L = hk_norm(hk_sub(after.L, before.L));
  const double off =
      fmax(p, L) / (exact * passed + fmin(steps * rtol * fmax(1, m->length), exact) * before.size);
  hk_trial_worst(t, off);
  if (!(off <= 1))
    hk_trial_fail(t,
                  "%s: within %.3g s a free assembly gains a momentum of %.3g N s and %.3g N m s, "
                  "while its bodies exchange %.3g",
                  who, hk_sim_time(sim), p, L, passed);
  hk_trial_drop(t, sim);
  return passed / before.size;
}
