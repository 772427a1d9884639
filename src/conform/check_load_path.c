/* Points of action.  Action equals reaction even if both act at a wrong point, so this is tested separately:
 *
 *   newton     each body accelerates according to the channels of joints, forces and composite joints: forces and
 *              moments about its centre of mass, on each side; a load with a name like that of a part counts once
 *   shared     two joints at the same position: each reports half of the load
 *   unstressed a composite joint begins without load
 *   known      the cases of the type with known forces: see check_known.c
 *   places     placed, rotated, swapped, mirrored: see check_symmetry.c
 *   channels   listed, readable and offered names exist, and have values: see check_channels.c
 *   alarm      energy alarms and analyses with default values: see check_alarm.c
 *   momentum   a run does not change the linear and angular momentum of a free assembly */
#include "conform/checks.h"
#include "conform/subject.h"
#include "core/force.h"
#include "core/map.h"
#include "sim/sim.h"
#include <stdio.h>
#include <string.h>

static const hk_between FREE = {HK_ON_BODY, HK_ON_BODY, false, false},
                        GROUNDED = {HK_ON_GROUND, HK_ON_BODY, false, false};

static void wrench(hk_trial *t, hk_sim *sim, const char *owner, const char *side, hk_vec3 *F,
                   hk_vec3 *M) {
  static const char *const part[6] = {"fx", "fy", "fz", "tx", "ty", "tz"};
  double value[6];
  for (int i = 0; i < 6; i++) {
    char what[16];
    snprintf(what, sizeof what, "%s%s", part[i], side);
    value[i] = hk_subject_value(t, sim, owner, what);
  }
  *F = hk_v3(value[0], value[1], value[2]);
  *M = hk_v3(value[3], value[4], value[5]);
}

/* ---- newton ---- */

/* Allowed deviation of the acceleration of a body, as a fraction of the forces on it: round-off of the linear system of
 * the accelerations. */
static const double NEWTON = 1e-10;

/* Applies a force and a moment to `b` at its origin, and their opposites at the same point to `a`. */
static void add_pair(hk_sim *sim, int a, int b, hk_vec3 F, hk_vec3 M, double *out) {
  const hk_frame *frame = sim->work->frame;
  hk_vec3 about_a = hk_add(M, hk_cross(hk_sub(frame[b].x, frame[a].x), F));
  hk_map_wrench(sim->work, b, F, M, out);
  hk_map_wrench(sim->work, a, hk_neg(F), hk_neg(about_a), out);
}

/* The coupled row that contributes to the reaction of this constraint, as in a screw joint. */
static bool is_thread(const hk_model *m, int constraint) {
  for (int i = 0; i < m->n_constraints; i++)
    if (m->constraint[i].thread == constraint && constraint > 0) return true;
  return false;
}

static double effort_of_row(hk_sim *sim, int row) {
  const hk_model *m = sim->model;
  for (int i = 0; i < m->n_channels; i++)
    if (m->channel[i].owner == HK_OF_ROW && m->channel[i].index == row) return hk_sim_value(sim, i);
  return 0;
}

/* Adds the generalized force of a coupling or motion, which constrains a weighted sum of coordinates. */
static void add_effort(hk_sim *sim, const hk_constraint *c, double *out) {
  const hk_model *m = sim->model;
  const double effort = effort_of_row(sim, c->row);
  for (int i = 0; i < c->n_terms; i++) {
    const hk_model_term *term = &m->term[c->term + i];
    const hk_coordinate *q = &m->coordinate[term->coordinate];
    const hk_frame *A = &sim->work->frame[q->a], *B = &sim->work->frame[q->b];
    hk_row J = {0};
    q->type->gradient(q->k, A, B, &J);
    const double f = effort * term->factor;
    hk_map_wrench(sim->work, q->a, hk_scale(f, J.xa), hk_scale(f, J.ta), out);
    hk_map_wrench(sim->work, q->b, hk_scale(f, J.xb), hk_scale(f, J.tb), out);
  }
}

static void add_force(hk_trial *t, hk_sim *sim, const hk_force *f, double *out) {
  const hk_model *m = sim->model;
  hk_force_result e;
  hk_action on;
  hk_vec3 F, M;
  const hk_instant in = hk_instant_last(m, sim->x, sim->out.lambda);
  hk_force_evaluate(sim->work, f, &in, false, &e);
  hk_force_action(m, f, &e, &on); /* the frames that the element connects */
  wrench(t, sim, f->name, "", &F, &M);
  add_pair(sim, on.a, on.b, F, M, out);
}

/* A field pulls each mass at its centre of mass, to which the coordinates of bodies belong.  Other nodes have a function. */
static void add_field(hk_sim *sim, const hk_force *f, double *out) {
  const hk_model *m = sim->model;
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    const double *q = sim->x + m->at.q + n->q;
    double potential = 0;
    if (!hk_node_translates(n)) {
      const hk_field field = {f->ops->field, f->item->data, hk_sim_time(sim)};
      const hk_pose p = hk_map_pose(sim->work, i);
      if (n->type->field) n->type->field(&p, q, &field, out + n->v, &potential);
      continue;
    }
    const hk_vec3 g = f->ops->field(f->item->data, hk_sim_time(sim), hk_v3(q[0], q[1], q[2]),
                                    &potential),
                  F = hk_scale(n->mass, g);
    out[n->v] += F.x, out[n->v + 1] += F.y, out[n->v + 2] += F.z;
  }
}

/* Generalized force on each coordinate according to the channels. */
static void add_channels(hk_trial *t, hk_sim *sim, double *out) {
  const hk_model *m = sim->model;
  hk_vec3 F, M;
  hk_subject_value(t, sim, "first", "ax"); /* updates reactions and frames */
  for (int i = 0; i < m->n_constraints; i++) {
    const hk_constraint *c = &m->constraint[i];
    if (c->item->made_by || is_thread(m, i)) continue;
    if (c->n_held) {
      wrench(t, sim, c->name, "", &F, &M);
      add_pair(sim, m->port[c->port], m->port[c->port + 1], F, M, out);
    } else {
      add_effort(sim, c, out);
    }
  }
  for (int i = 0; i < m->n_forces; i++)
    if (m->force[i].field)
      add_field(sim, &m->force[i], out);
    else if (!m->force[i].item->made_by)
      add_force(t, sim, &m->force[i], out);
  for (int i = 0; i < m->n_composites; i++)
    for (int side = 0; side < 2; side++) {
      const hk_composite *k = &m->composite[i];
      if (k->end[side] < 0) continue;
      wrench(t, sim, k->name, side ? "_b" : "_a", &F, &M);
      hk_map_wrench(sim->work, k->end[side], F, M, out);
    }
}

/* Tests whether each body moves according to the channels of all elements that act on it. */
static void judge_newton(hk_trial *t, hk_sim *sim) {
  const hk_model *m = sim->model;
  double *told = hk_trial_room(t, 2 * (size_t)m->nv, sizeof *told), *due = told + m->nv;
  add_channels(t, sim, told);
  hk_mass_multiply(sim->work, sim->out.vd, due);
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_pose p = hk_map_pose(sim->work, i);
    double own[p.node->nv], size = 1;
    if (p.node->item->made_by) continue; /* parts of composite joints have no load channels */
    p.node->type->force(&p, sim->x + m->at.v + p.node->v, own);
    for (int k = 0; k < p.node->nv; k++)
      size += fabs(due[p.node->v + k]) + fabs(told[p.node->v + k]);
    for (int k = 0; k < p.node->nv; k++) {
      double off = fabs(due[p.node->v + k] - own[k] - told[p.node->v + k]) / (NEWTON * size);
      hk_trial_worst(t, off);
      if (!(off <= 1))
        hk_trial_fail(t,
                      "%s '%s': according to the channels %.9g acts on '%s' (component %d), but "
                      "its motion requires %.9g",
                      hk_category_name(t->type->category), t->type->name, told[p.node->v + k],
                      p.node->name, k, due[p.node->v + k] - own[k]);
    }
  }
}

static void check_alarm(hk_trial *t, const hk_between *at) {
  hk_model *m;
  hk_trial_drop(t, hk_check_moving(t, at, &m));
  hk_check_alarm(t, m);
  hk_trial_drop(t, m);
}

static void check_newton(hk_trial *t, const hk_between *at) {
  hk_model *m;
  hk_error err = {0};
  hk_sim *sim = hk_check_moving(t, at, &m);
  if (!hk_sim_advance(sim, 0.01, &err))
    judge_newton(t, sim); /* a body may leave its range of validity; other checks test this */
  hk_check_channels(t, sim);
  hk_trial_drop(t, sim);
  hk_trial_drop(t, m);
}

/* ---- shared ---- */

/* Checks two equal joints at the same position. The two joints are redundant: for rigid bodies the load sharing is
 * undetermined, and the reported solution of minimum norm gives half of the load to each joint. */
static void check_shared(hk_trial *t, const hk_between *at) {
  hk_model *m;
  hk_error err = {0};
  double size = 1;
  hk_sim *sim = hk_check_moving(t, at, &m);
  if (hk_sim_advance(sim, 0.01, &err))
    hk_trial_fail(t, "a model with two of these joints at the same position fails: %s", err.text);
  judge_newton(t, sim);
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < m->n_channels; i++) {
      const hk_channel *c = &m->channel[i];
      if ((c->owner != HK_OF_JOINT && c->owner != HK_OF_ROW) ||
          strncmp(c->name, "subject.", 8) != 0)
        continue;
      const double one = hk_sim_value(sim, i),
                   other = hk_subject_value(t, sim, "twin", c->name + 8);
      if (!pass) size += fabs(one) + fabs(other);
      if (!pass) continue;
      hk_trial_worst(t, fabs(one - other) / (1e-9 * size));
      if (!(fabs(one - other) <= 1e-9 * size))
        hk_trial_fail(
            t, "joint '%s': two such joints at the same position report a %s of %.9g and of %.9g",
            t->type->name, c->name + 8, one, other);
    }
  hk_trial_drop(t, sim);
  hk_trial_drop(t, m);
}

/* ---- unstressed ---- */

/* Checks that the parts of a composite joint carry no load at the start if its frames are exactly in their nominal
 * relative position. */
static void check_unstressed(hk_trial *t, const hk_between *at) {
  char why[1024] = "";
  hk_error err = {0};
  hk_model *m = hk_subject_try(t, t->type, at, why);
  hk_sim *sim = m ? hk_subject_sim_try(t, m, &(hk_sim_options){.step = 2e-3}, &err) : NULL;
  if (!sim || hk_check_reaches(m) || t->stage.stressed) return;
  const double kinetic = hk_subject_value(t, sim, "energy", "kinetic"),
               stored = hk_subject_value(t, sim, "energy", "potential"),
               limit = 1e-9 * (1 + kinetic);
  hk_trial_worst(t, fabs(stored) / limit);
  if (!(fabs(stored) <= limit))
    hk_trial_fail(t,
                  "joint '%s' begins with a stored energy of %.3g J although its frames are in "
                  "their nominal position",
                  t->type->name, stored);
  hk_trial_drop(t, sim);
  hk_trial_drop(t, m);
}

/* ---- momentum ---- */

/* Returns true if the subject is always held by the world: a joint of the ground, a body on a given axis or with a given
 * rotation. A model that contains such a subject is not free. */
static bool is_on_ground(const hk_type *type) {
  if (type->category != HK_BODY) return hk_subject_needs_ground(type);
  const hk_body_ops *ops = type->ops;
  const hk_node_type *node = ops->node;
  return ops->guide || !(node->moves == HK_MOVES_RIGID || node->moves == HK_MOVES_TRANSLATION ||
                         node->translates);
}

static void check_momentum(hk_trial *t, const hk_between *at) {
  hk_model *m;
  char who[128];
  hk_trial_drop(t, hk_check_moving(t, at, &m));
  if (hk_check_stands_in_world(m)) return;
  snprintf(who, sizeof who, "%s '%s'", hk_category_name(t->type->category), t->type->name);
  hk_check_momentum(t, m, NULL, who);
}

static void repeat(hk_trial *t, int draws, uint64_t seed,
                   void (*check)(hk_trial *t, const hk_between *s), hk_rig rig) {
  t->rig = rig;
  hk_subject_repeat(t, draws, seed, hk_subject_needs_ground(t->type) ? &GROUNDED : &FREE, check);
  t->rig = (hk_rig){0};
}

void hk_check_load_path(hk_trial *t) {
  if (t->type->category == HK_CONTACT) {
    hk_check_contact_path(t);
    return;
  }
  const bool composite = hk_subject_is_composite(t->type);
  hk_check_known(t);
  t->turn = HK_MILD_TURN;
  t->tied = t->type->category == HK_BODY;
  repeat(t, 6, 300, check_newton, (hk_rig){.alike = composite});
  repeat(t, 24, 400, hk_check_places, (hk_rig){0});
  repeat(t, 3, 800, check_alarm, (hk_rig){0});
  if (!is_on_ground(t->type)) repeat(t, 3, 500, check_momentum, (hk_rig){0});
  if (composite)
    repeat(t, 6, 600, check_unstressed, (hk_rig){.exact = true});
  else if (t->type->category == HK_JOINT)
    repeat(t, 3, 700, check_shared, (hk_rig){.twin = true});
}
