/* Random states: positions that satisfy no joint, so that no error is hidden by zeros. */
#include "conform/subject.h"
#include "relation/derive.h"
#include <string.h>

/* Returns true if the state is far from positions at which an angle or distance is undefined. Near such positions
 * derivatives are very large, and finite differences do not approximate them. */
static bool is_mild(const hk_work *w, const hk_relation_type *type, const double *k, int a, int b) {
  double K[12][12] = {{0}}, one[HK_RELATION_MAX_ROWS] = {1, 1, 1};
  hk_relation_curvature(type, k, &w->frame[a], &w->frame[b], one, K);
  for (int i = 0; i < 144; i++)
    if (!(fabs(K[i / 12][i % 12]) < 8)) return false;
  return true;
}
static bool moment_is_mild(const hk_check_state *s) {
  const hk_model *m = s->model;
  for (int i = 0; i < m->n_coordinates; i++) {
    const hk_coordinate *c = &m->coordinate[i];
    if (!is_mild(s->work, c->type, c->k, c->a, c->b)) return false;
  }
  for (int i = 0; i < m->n_constraints; i++) {
    const hk_constraint *c = &m->constraint[i];
    for (int k = 0; k < c->n_held; k++)
      if (!is_mild(s->work, m->held[c->held + k].type, m->held[c->held + k].k, m->port[c->port],
                   m->port[c->port + 1]))
        return false;
  }
  return true;
}

/* The state at one instant. */
hk_instant hk_check_state_instant(const hk_check_state *s) {
  return (hk_instant){.t = s->t,
                      .h = s->h,
                      .q = s->q,
                      .v = s->v,
                      .lambda = s->lambda,
                      .turn = s->turn,
                      .memory = s->memory};
}

/* Returns true if all forces are defined at this state. A force may be undefined, for example that of a bushing that
 * was rotated by more than 180 degrees. */
static bool forces_exist(const hk_check_state *s) {
  const hk_instant in = hk_check_state_instant(s);
  hk_kinematics(s->work, &in, HK_FRAMES_ALL);
  hk_constraints(s->work, &in);
  hk_constraint_bias(s->work, &in);
  return hk_forces(s->work, &in) == HK_OK;
}

static void give_back_work(void *work) { hk_work_destroy(work); }

/* Maximum deviation of random states from the positions in the file, by coordinate. */
static void spread(const hk_trial *t, const hk_model *m, double *off) {
  for (int i = 0; i < m->n_nodes; i++)
    for (int k = 0; k < m->node[i].nv; k++)
      off[m->node[i].v + k] = !t->staged                         ? 0.8
                              : m->node[i].coordinate[k].angular ? t->stage.angle
                                                                 : t->stage.length;
}

/* Returns true if forces exist at the state and at a small distance, at which differences are taken. An element may
 * fail: for example a bar with ends that point away from each other. */
static bool forces_exist_around(hk_trial *t, const hk_check_state *s) {
  enum { PLACES = 8 };
  const hk_model *m = s->model;
  double *d = hk_trial_room(t, 2 * (size_t)m->nv + (size_t)m->nq + 1, sizeof *d), *q = d + m->nv,
         *off = q + m->nq;
  hk_instant in = hk_check_state_instant(s);
  spread(t, m, off);
  bool exist = true;
  /* the last attempt uses the state without a displacement */
  for (int place = PLACES; place >= 0 && exist; place--) {
    for (int i = 0; i < m->nv; i++)
      d[i] = place == 0                                                          ? 0
             : (((unsigned)i * 2654435761u + (unsigned)place * 40503u) >> 9) & 1 ? 0.025 * off[i]
                                                                                 : -0.025 * off[i];
    hk_configuration_add(m, s->q, d, q);
    in.q = q;
    hk_kinematics(s->work, &in, HK_FRAMES_ALL);
    hk_constraints(s->work, &in);
    hk_constraint_bias(s->work, &in);
    exist = !hk_forces(s->work, &in);
  }
  in.q = s->q;
  hk_kinematics(s->work, &in, HK_FRAMES_ALL);
  return exist;
}

bool hk_check_state_try(hk_trial *t, const hk_model *m, hk_check_state *out) {
  hk_check_state s = {.model = m, .work = hk_work_create(m)};
  hk_trial_keep(t, s.work, give_back_work);
  size_t n = (size_t)m->nq + 3 * (size_t)m->nv + (size_t)m->nc + (size_t)m->n_turns +
             (size_t)m->n_memory + 1;
  s.block = hk_trial_room(t, n, sizeof *s.block);
  s.q = s.block;
  s.v = s.q + m->nq;
  s.lambda = s.v + m->nv;
  s.turn = s.lambda + m->nc;
  s.memory = s.turn + m->n_turns;
  double *d = s.memory + m->n_memory, *off = d + m->nv;
  const double speed = t->staged ? t->stage.speed : 1.5;
  spread(t, m, off);
  const double steps[] = {0, hk_random(t, 0.05, 1), INFINITY};
  s.t = hk_random(t, 0, 2);
  s.h = INFINITY;
  bool mild = false, pressed = t->staged && m->n_points && hk_random_pick(t, 3);
  for (int draw = 0; draw < 300 && !mild; draw++) {
    for (int i = 0; i < m->nv; i++)
      d[i] = hk_random(t, -off[i], off[i]), s.v[i] = hk_random(t, -speed, speed);
    hk_configuration_add(m, m->q0, d, s.q);
    const hk_instant in = hk_check_state_instant(&s);
    if (draw == 1) hk_memory_start(s.work, &in, s.memory); /* position of the first draw */
    hk_kinematics(s.work, &in, HK_FRAMES_ALL);
    mild = moment_is_mild(&s) && draw > 0 && forces_exist_around(t, &s) &&
           (!t->staged || hk_stage_acts(t, &s, pressed && draw < 150));
  }
  for (int i = 0; i < m->nc; i++) s.lambda[i] = hk_random(t, -2, 2);
  hk_coordinates_accept(s.work, s.turn);
  s.h = steps[hk_random_pick(t, 3)];
  *out = s;
  return mild && forces_exist(&s);
}

hk_check_state hk_check_state_create(hk_trial *t, const hk_model *m) {
  hk_check_state s;
  for (int i = 0; i < 20; i++) {
    if (hk_check_state_try(t, m, &s)) return s;
    if (i < 19) hk_trial_drop(t, s.work);
  }
  hk_check_state_evaluate(t, &s, s.q, s.v, s.lambda,
                          s.t); /* reports why the force is undefined in every draw */
  hk_trial_fail(t, "every state of this model is near a singular position");
}

void hk_check_state_free(hk_trial *t, hk_check_state *s) { hk_trial_drop(t, s->work); }

/* The state as placed in the file. */
void hk_check_state_as_placed(hk_trial *t, hk_check_state *s) {
  memcpy(s->q, s->model->q0, (size_t)s->model->nq * sizeof *s->q);
  const hk_instant in = hk_check_state_instant(s);
  hk_kinematics(s->work, &in, HK_FRAMES_ALL);
  memset(s->turn, 0, (size_t)s->model->n_turns * sizeof *s->turn);
  hk_coordinates_accept(s->work, s->turn);
  hk_constraints(s->work, &in);
}

/* Sets the internal variables of elements to their values for this state, as if it had lasted for an infinite time. */
void hk_check_state_begin(hk_trial *t, hk_check_state *s) {
  s->h = INFINITY;
  const hk_instant in = hk_check_state_instant(s);
  hk_kinematics(s->work, &in, HK_FRAMES_ALL);
  hk_memory_start(s->work, &in, s->memory);
  s->h = 0;
}

/* Returns true if all joints are closed there (except for motions). */
bool hk_check_state_is_closed(const hk_check_state *s) {
  const hk_model *m = s->model;
  for (int r = 0; r < m->nc; r++)
    if (!m->constraint[m->row_constraint[r]].value && fabs(s->work->g[r]) > 1e-12) return false;
  return true;
}

/* Computes frames, constraints, bias and forces of the state in its work. */
void hk_check_state_evaluate(hk_trial *t, const hk_check_state *s, const double *q, const double *v,
                             const double *lambda, double time) {
  hk_instant in = hk_check_state_instant(s);
  in.t = time, in.q = q, in.v = v, in.lambda = lambda;
  hk_kinematics(s->work, &in, HK_FRAMES_ALL);
  hk_constraints(s->work, &in);
  hk_constraint_bias(s->work, &in);
  if (hk_forces(s->work, &in)) {
    hk_error err = {0};
    hk_work_failed(s->work, &err);
    hk_trial_fail(t, "%s", err.text);
  }
}

/* G as a dense [nc][nv] matrix. */
double *hk_check_state_jacobian(hk_trial *t, const hk_work *w) {
  const hk_model *m = w->model;
  double *G = hk_trial_room(t, (size_t)m->nc * (size_t)m->nv + 1, sizeof *G);
  for (int i = 0; i < m->n_constraints; i++) {
    const hk_constraint *c = &m->constraint[i];
    for (int r = 0; r < c->n_rows; r++)
      for (int p = 0; p < c->n_ports; p++) {
        int node = m->marker[m->port[c->port + p]].node;
        const double *at = w->G + c->jacobian + c->width * (r * c->n_ports + p);
        for (int k = 0; node != HK_GROUND && k < m->node[node].nv; k++)
          G[(c->row + r) * m->nv + m->node[node].v + k] += at[k];
      }
  }
  return G;
}
