/* Does a type act where it should?  Action equals reaction even if both act in a wrong place, so this is asked apart:
 *
 *   newton     each body accelerates as the channels of joints, forces and composite joints say, forces and
 *              moments about its own centre of mass, on each side; a load that is called like a part counts once
 *   placed     the model as a part that is turned and moved: turned accelerations
 *   turned     frames turned about axes of symmetry, moved along lines that do not matter (hk_stage): the same
 *   swapped    a and b exchanged (HK_SWAPS): the same
 *   mirrored   the whole model (HK_MIRRORS): mirrored accelerations
 *   momentum   of a free assembly: a run changes neither it nor its moment
 */
#include "conform/checks.h"
#include "conform/subject.h"
#include "core/force.h"
#include "core/map.h"
#include "stepper/sim.h"
#include <stdio.h>
#include <string.h>

static const hk_between FREE = {HK_ON_BODY, HK_ON_BODY, false, false};
static const char *const BODY[] = {"first", "second", "third", "fourth"};
enum { N_BODIES = 4 };

static double channel(hk_trial *t, hk_sim *sim, const char *owner, const char *what) {
  char name[160];
  snprintf(name, sizeof name, "%s.%s", owner, what);
  int i = hk_model_channel_find(sim->model, name);
  if (i < 0) hk_trial_fail(t, "there is no channel '%s'", name);
  return hk_sim_value(sim, i);
}

static void wrench(hk_trial *t, hk_sim *sim, const char *owner, const char *side, hk_vec3 *F, hk_vec3 *M) {
  static const char *const part[6] = {"fx", "fy", "fz", "tx", "ty", "tz"};
  double value[6];
  for (int i = 0; i < 6; i++) {
    char what[16];
    snprintf(what, sizeof what, "%s%s", part[i], side);
    value[i] = channel(t, sim, owner, what);
  }
  *F = hk_v3(value[0], value[1], value[2]);
  *M = hk_v3(value[3], value[4], value[5]);
}

/* ---- newton ---- */

/* A force and a moment on b at its origin, their opposites at the same place on a. */
static void add_pair(hk_sim *sim, int a, int b, hk_vec3 F, hk_vec3 M, double *out) {
  const hk_frame *frame = sim->work->frame;
  hk_vec3 about_a = hk_add(M, hk_cross(hk_sub(frame[b].x, frame[a].x), F));
  hk_map_wrench(sim->work, b, F, M, out);
  hk_map_wrench(sim->work, a, hk_neg(F), hk_neg(about_a), out);
}

/* The constraint whose reaction includes this one: the thread of a screw. */
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

/* Weighted sums of coordinates: couplings and motions. */
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
  hk_force_action(m, f, &e, &on); /* which frames it stands between */
  wrench(t, sim, f->name, "", &F, &M);
  add_pair(sim, on.a, on.b, F, M, out);
}

/* What the channels say acts on each coordinate. */
static void add_channels(hk_trial *t, hk_sim *sim, double *out) {
  const hk_model *m = sim->model;
  hk_vec3 F, M;
  channel(t, sim, "first", "ax"); /* brings reactions and frames up to date */
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
    if (!m->force[i].item->made_by && !m->force[i].field) add_force(t, sim, &m->force[i], out);
  for (int i = 0; i < m->n_composites; i++)
    for (int side = 0; side < 2; side++) {
      const hk_composite *k = &m->composite[i];
      if (k->end[side] < 0) continue;
      wrench(t, sim, k->name, side ? "_b" : "_a", &F, &M);
      hk_map_wrench(sim->work, k->end[side], F, M, out);
    }
}

static void check_newton(hk_trial *t, const hk_between *at) {
  hk_model *m;
  hk_error err = {0};
  t->rig.alike = hk_subject_is_composite(t->type);
  hk_sim *sim = hk_check_moving(t, at, &m);
  t->rig.alike = false;
  if (hk_sim_advance(sim, 0.01, &err)) {
    hk_trial_drop(t, sim);
    hk_trial_drop(t, m);
    return; /* a stage may be left: that is the matter of other checks */
  }
  int subject = hk_subject_force(m);
  if (subject >= 0 && m->force[subject].field)
    hk_trial_not_meant(t, "it acts on every mass: its reaction is outside of the model");
  double *told = hk_trial_room(t, 2 * (size_t)m->nv, sizeof *told), *due = told + m->nv;
  add_channels(t, sim, told);
  hk_mass_multiply(sim->work, sim->out.vd, due);
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_pose p = hk_map_pose(sim->work, i);
    double own[HK_NODE_MAX], size = 1;
    if (p.node->item->made_by) continue; /* what is inside has no channel of its own */
    p.node->type->force(&p, sim->x + m->at.v + p.node->v, own);
    for (int k = 0; k < p.node->nv; k++) size += fabs(due[p.node->v + k]) + fabs(told[p.node->v + k]);
    for (int k = 0; k < p.node->nv; k++) {
      double off = fabs(due[p.node->v + k] - own[k] - told[p.node->v + k]) / (1e-7 * size);
      hk_trial_worst(t, off);
      if (!(off <= 1))
        hk_trial_fail(t, "%s '%s': channels say that %.9g acts on '%s' (component %d), which moves as by %.9g",
                      hk_category_name(t->type->category), t->type->name, told[p.node->v + k], p.node->name, k,
                      due[p.node->v + k] - own[k]);
    }
  }
  hk_trial_drop(t, sim);
  hk_trial_drop(t, m);
}

/* ---- placed, turned ---- */

typedef struct sight {
  double mass; /* tells whether two draws are the same */
  hk_vec3 a[N_BODIES], alpha[N_BODIES];
  double size;
} sight;

/* Accelerations as a simulation begins; false: it does not. */
static bool look(hk_trial *t, hk_model *m, sight *out, hk_error *err) {
  hk_sim *sim = hk_subject_sim_try(t, m, &(hk_sim_options){.step = 2e-3}, err);
  if (!sim) return false;
  *out = (sight){.mass = m->node[0].mass, .size = 1};
  for (int i = 0; i < N_BODIES; i++) {
    out->a[i] = hk_v3(channel(t, sim, BODY[i], "ax"), channel(t, sim, BODY[i], "ay"), channel(t, sim, BODY[i], "az"));
    out->alpha[i] = hk_v3(channel(t, sim, BODY[i], "alphax"), channel(t, sim, BODY[i], "alphay"),
                          channel(t, sim, BODY[i], "alphaz"));
    out->size += hk_norm(out->a[i]) + hk_norm(out->alpha[i]);
  }
  hk_trial_drop(t, sim);
  return true;
}

/* The draw that begins with this random number, varied: it must be seen as before, turned. */
static void compare(hk_trial *t, const hk_between *at, uint64_t seed, const hk_rig *rig, const sight *before,
                    const char *how) {
  char why[1024] = "";
  hk_error err = {0};
  sight after;
  t->random = seed;
  t->rig = *rig;
  hk_model *m = hk_subject_try(t, t->type, at, why);
  t->rig = (hk_rig){0};
  if (!m) return; /* another draw altogether */
  bool same = m->node[0].mass == before->mass;
  if (same && !look(t, m, &after, &err))
    hk_trial_fail(t, "%s '%s' does not start %s: %s", hk_category_name(t->type->category), t->type->name, how, err.text);
  /* Parts of a composite joint are placed by iteration, to a share of the model's size. */
  const double limit = (m->spec->n_holds ? 1e-3 : 1e-6) * before->size;
  for (int i = 0; same && i < N_BODIES; i++) {
    hk_mat3 R = hk_quat_matrix(rig->placed ? rig->turn : (hk_quat){1, 0, 0, 0});
    hk_vec3 a = hk_mul(&R, before->a[i]), alpha = hk_mul(&R, before->alpha[i]);
    if (rig->mirrored) a = hk_v3(-a.x, a.y, a.z), alpha = hk_v3(alpha.x, -alpha.y, -alpha.z);
    double off = hk_norm(hk_sub(after.a[i], a)) + hk_norm(hk_sub(after.alpha[i], alpha));
    hk_trial_worst(t, off / limit);
    if (!(off <= limit))
      hk_trial_fail(t, "%s '%s' acts otherwise %s: accelerations of '%s' differ by %.3g of %.3g",
                    hk_category_name(t->type->category), t->type->name, how, BODY[i], off, before->size);
  }
  hk_trial_drop(t, m);
}

static bool stands_in_world(const hk_model *m) {
  const int i = hk_subject_force(m);
  if (i < 0) return false;
  const hk_item *item = m->force[i].item;
  const int axes = hk_type_param_index(item->type, "axes");
  return m->force[i].field || (axes >= 0 && *(const int *)((const char *)item->data +
                                                           hk_type_param(item->type, axes)->offset) == 0);
}

/* Open joints are closed by moving bodies, by how much depends on the size of the model and so on where it stands. */
static bool is_closed(hk_trial *t, const hk_model *m) {
  hk_moment s;
  hk_moment_try(t, m, &s);
  hk_moment_stand(t, &s);
  bool closed = hk_moment_is_closed(&s);
  hk_moment_free(t, &s);
  return closed;
}

static void check_places(hk_trial *t, const hk_between *at) {
  const uint64_t seed = t->random;
  char why[1024] = "";
  hk_error err = {0};
  sight before;
  hk_model *m = hk_subject_try(t, t->type, at, why);
  if (!m || stands_in_world(m) || !is_closed(t, m) || !look(t, m, &before, &err)) return;
  const hk_stage stage = t->stage;
  const bool staged = t->staged;
  bool reaches = false; /* a law that acts before surfaces touch has no direction in the middle of a bore */
  for (int i = 0; i < m->n_contacts; i++) reaches = reaches || m->contact[i].reach > 0;
  hk_trial_drop(t, m);
  /* Assembly goes by the model's size, which counts from the origin: parts that it places stay near. */
  const hk_rig placed = {
      .placed = true, .turn = hk_random_rotation(t), .origin = hk_random_vector(t, staged ? 0 : 3)};
  compare(t, at, seed, &placed, &before, "as a part that is turned and moved");
  const hk_rig swapped = {.swapped = true}, mirrored = {.mirrored = true};
  if (t->type->symmetry & HK_SWAPS) compare(t, at, seed, &swapped, &before, "with a and b exchanged");
  if (t->type->symmetry & HK_MIRRORS && !reaches) compare(t, at, seed, &mirrored, &before, "mirrored");
  if (!staged) return;
  const hk_rig turned = {.turn_b = 2.9}, over = {.turn_b = M_PI}, slid = {.slide_b = 0.2},
               folded = {.turn_a = 2 * M_PI / (stage.fold ? stage.fold : 1), .turn_b = folded.turn_a};
  if (stage.round_b && !reaches) compare(t, at, seed, &turned, &before, "with b turned about its axis");
  if (stage.round_b && !reaches) compare(t, at, seed, &over, &before, "with b turned by half a turn about its axis");
  if (stage.slides_b && !reaches) compare(t, at, seed, &slid, &before, "with b moved along its axis");
  if (stage.fold) compare(t, at, seed, &folded, &before, "with both frames turned by an angle of symmetry");
}

/* ---- momentum ---- */

typedef struct momentum {
  hk_vec3 p, L;
  double size;
} momentum;

static momentum momentum_of(hk_trial *t, hk_sim *sim) {
  const hk_model *m = sim->model;
  double *y = hk_trial_room(t, (size_t)m->nv + 1, sizeof *y);
  momentum out = {.size = 1};
  channel(t, sim, "first", "x"); /* brings frames up to date */
  hk_mass_multiply(sim->work, sim->x + m->at.v, y);
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    if (n->moves != HK_MOVES_RIGID && !(n->moves == HK_MOVES_PLACE && !n->guided)) continue;
    const double *at = y + n->v, *q = sim->x + m->at.q + n->q;
    hk_vec3 p = hk_v3(at[0], at[1], at[2]), L = hk_cross(hk_v3(q[0], q[1], q[2]), p);
    if (n->moves == HK_MOVES_RIGID) L = hk_add(L, hk_mul(&sim->work->R[i], hk_v3(at[3], at[4], at[5])));
    out.p = hk_add(out.p, p), out.L = hk_add(out.L, L);
    out.size += hk_norm(p) + hk_norm(L);
  }
  return out;
}

static void check_momentum(hk_trial *t, const hk_between *at) {
  enum { MOST_STEPS = 4000 };
  const double end = 0.01;
  hk_model *m;
  hk_error err = {0};
  hk_trial_drop(t, hk_check_moving(t, at, &m));
  hk_sim *sim = hk_subject_sim_try(t, m, &(hk_sim_options){.rtol = 1e-12, .atol = 1e-14}, &err);
  if (!sim || stands_in_world(m)) return;
  /* In the first steps, shorter than a microsecond, the round-off of places shows in velocities. */
  momentum before = momentum_of(t, sim), after;
  bool begun = false;
  for (int i = 0; i < MOST_STEPS && hk_sim_time(sim) < end; i++) {
    if (hk_sim_step(sim, end, &err)) break; /* a stage may be left */
    if (begun || hk_sim_time(sim) < 0.1 * end) continue;
    before = momentum_of(t, sim);
    begun = true;
  }
  if (!begun) return;
  after = momentum_of(t, sim);
  double off = fmax(hk_norm(hk_sub(after.p, before.p)), hk_norm(hk_sub(after.L, before.L))) / (1e-9 * before.size);
  hk_trial_worst(t, off);
  if (!(off <= 1))
    hk_trial_fail(t, "%s '%s': within %.3g s a free assembly gains a momentum of %.3g N s and %.3g N m s",
                  hk_category_name(t->type->category), t->type->name, hk_sim_time(sim),
                  hk_norm(hk_sub(after.p, before.p)), hk_norm(hk_sub(after.L, before.L)));
}

void hk_check_load_path(hk_trial *t) {
  if (t->type->category == HK_CONTACT) {
    hk_check_contact_path(t);
    return;
  }
  t->turn = HK_MILD_TURN;
  hk_subject_repeat(t, 6, 300, &FREE, check_newton);
  hk_subject_repeat(t, 24, 400, &FREE, check_places);
  hk_subject_repeat(t, 3, 500, &FREE, check_momentum);
}
