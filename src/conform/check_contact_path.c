/* Tests of the points of action of contacts:
 * - friction of compliant laws acts only along the tangents of the gap;
 * - for rigid contacts, the channels of a point and the loads of its bodies agree with the change of momentum;
 * - a run does not change the momentum of two free bodies; its channels and energy alarms are tested too
 *   (check_channels.c, check_alarm.c);
 * - the result does not depend on the position and orientation of the model, nor on an exchange of `a` and `b` or a
 *   reflection (check_symmetry.c). */
#include "conform/checks.h"
#include "conform/draw_contact.h"
#include "core/contact.h"
#include "sim/sim.h"
#include <stdio.h>

/* Part of the momentum that the bodies of a run must exchange: otherwise they have hardly touched, and the run shows
 * nothing about their contact. */
static const double EXCHANGED = 1e-4;

/* ---- compliant ---- */

static bool judge_tangents(hk_trial *t, hk_check_state *at, const char *who) {
  const hk_contact *c = &at->model->contact[0];
  const hk_instant in = hk_check_state_instant(at);
  hk_contact_point p[HK_CONTACT_MAX_POINTS];
  hk_contact_evaluate(at->work, c, &in, false, p);
  for (int i = 0; i < c->n_points; i++) {
    hk_vec3 rest = hk_axpy(p[i].force, -hk_dot(p[i].force, p[i].gap.n), p[i].gap.n);
    if (c->gap->tangents > 0) rest = hk_axpy(rest, -hk_dot(rest, p[i].gap.t), p[i].gap.t);
    double off = c->gap->tangents < 2 ? hk_norm(rest) / (1e-12 * (1 + p[i].normal.N)) : 0;
    hk_trial_worst(t, off);
    if (!(off <= 1))
      hk_trial_fail(t,
                    "%s: friction of %.3g N acts in a direction in which the gap has no friction",
                    who, hk_norm(rest));
  }
  return true;
}

static hk_contact_outcome tangents(hk_trial *t, const hk_type *law, const hk_between *s,
                                   const char *who) {
  return hk_contact_at_touch(t, law, s, who, judge_tangents);
}

/* Makes a run from a state in contact. The model is created twice with the same random numbers;
 * the second one starts at the position in which the first one has a contact. */
static hk_contact_outcome in_motion(hk_trial *t, const hk_type *law, const hk_between *s,
                                    const char *who) {
  const uint64_t seed = t->random;
  hk_model *first = hk_contact_draw(t, law, s, true, NULL);
  hk_check_state at;
  if (!first) return HK_CONTACT_REFUSED;
  if (!hk_contact_find_touch(t, first, &at)) return HK_CONTACT_NOT_FIT;
  t->random = seed;
  hk_model *m = hk_contact_draw(t, law, s, true, &at);
  hk_trial_claim(t, m != NULL);
  hk_error err = {0};
  hk_sim *sim = hk_subject_sim_try(t, m, NULL, &err);
  if (sim && !hk_sim_advance(sim, 1e-3, &err)) hk_check_channels(t, sim);
  hk_check_alarm(t, m);
  return hk_check_momentum(t, m, NULL, who) > EXCHANGED ? HK_CONTACT_JUDGED : HK_CONTACT_NOT_FIT;
}

/* ---- rigid ---- */

static int read_index(hk_trial *t, const hk_model *m, const char *owner, const char *what) {
  char name[120];
  snprintf(name, sizeof name, "%s.%s", owner, what);
  int i = hk_model_channel_find(m, name);
  if (i < 0) hk_trial_fail(t, "there is no channel '%s'", name);
  return i;
}

/* Compares the forces on the bodies of a loaded point, in the middle of a step. */
static void judge_between(hk_trial *t, hk_sim *sim, const char *who) {
  static const char *const xyz[2][3] = {{"load_fx", "load_fy", "load_fz"}, {"fx", "fy", "fz"}};
  const hk_model *m = sim->model;
  const hk_contact *c = &m->contact[0];
  double sum[3] = {0}, load[2][3], size = 0,
         when = 0.5 * (hk_sim_step_start(sim) + hk_sim_time(sim));
  for (int p = 0; p < c->n_points; p++) {
    char point[64];
    snprintf(point, sizeof point, c->n_points > 1 ? "%s.%s" : "%s", c->name,
             c->n_points > 1 ? c->gap->point_names[p] : "");
    int index[5];
    double value[5];
    for (int k = 0; k < 3; k++) index[k] = read_index(t, m, point, xyz[1][k]);
    index[3] = read_index(t, m, point, "normal_force"),
    index[4] = read_index(t, m, point, "friction_force");
    if (hk_sim_values_at(sim, when, index, 5, value, NULL))
      hk_trial_fail(t, "%s: no values between steps", who);
    for (int k = 0; k < 3; k++) sum[k] += value[k];
    double force = hypot(hypot(value[0], value[1]), value[2]), parts = hypot(value[3], value[4]);
    size += parts;
    hk_trial_near(t, force, parts, 1e-9, "%s: force of a point between steps", who);
  }
  for (int b = 0; b < 2; b++)
    for (int k = 0; k < 3; k++) {
      int index = read_index(t, m, b ? "two" : "one", xyz[0][k]);
      if (hk_sim_values_at(sim, when, &index, 1, &load[b][k], NULL))
        hk_trial_fail(t, "%s: no loads", who);
      hk_trial_near(t, load[b][k], b ? sum[k] : -sum[k], 1e-9 * (1 + size), "%s: load of a body",
                    who);
    }
}

/* Returns true if the gap is a function of coordinates: it then has rows instead of a point. */
static bool is_of_coordinates(const hk_type *gap) { return !((const hk_gap_ops *)gap->ops)->eval; }

/* Gap and its rate at each point. */
static void approach(const hk_work *w, const hk_contact *c, double *gap, double *rate) {
  const hk_frame *A = &w->frame[c->a], *B = &w->frame[c->b];
  hk_gap point[HK_CONTACT_MAX_POINTS];
  hk_gap_rows row[HK_CONTACT_MAX_POINTS] = {0};
  if (c->gap->eval)
    hk_contact_approach(w, c, point, rate);
  else
    c->gap->rows(c->k, A, B, row);
  for (int p = 0; p < c->n_points; p++) {
    gap[p] = c->gap->eval ? point[p].gap : row[p].gap;
    if (!c->gap->eval) rate[p] = hk_dot(row[p].N.ta, A->w) + hk_dot(row[p].N.tb, B->w);
  }
}

/* Finds a state in which bodies overlap slightly or are about to touch; its frames are in `work`. */
static bool find_near(hk_trial *t, const hk_model *m, hk_check_state *s) {
  enum { STATES = 4000 };
  const hk_contact *c = &m->contact[0];
  double *d = hk_trial_room(t, (size_t)m->nv + 1, sizeof *d);
  double gap[HK_CONTACT_MAX_POINTS], rate[HK_CONTACT_MAX_POINTS];
  if (!hk_check_state_try(t, m, s)) return false;
  for (int i = 0; i < STATES; i++) {
    for (int k = 0; k < m->nv; k++)
      d[k] = hk_random(t, -1.5, 1.5), s->v[k] = hk_random(t, -1.5, 1.5);
    hk_configuration_add(m, m->q0, d, s->q);
    hk_check_state_evaluate(t, s, s->q, s->v, s->lambda, s->t);
    approach(s->work, c, gap, rate);
    bool near = false, far = true;
    for (int p = 0; p < c->n_points; p++) {
      near = near || (fabs(gap[p]) < 2e-3 && rate[p] < -0.3);
      far = far && gap[p] > -2e-3;
    }
    if (near && far) return true;
  }
  return false;
}

/* Checks two bodies that are about to touch, in a run of an integrator that gives values inside steps. */
static hk_contact_outcome rigid(hk_trial *t, const hk_type *law, const char *who, bool *exchanged) {
  static const hk_between pair = {HK_ON_BODY, HK_ON_BODY, false, false};
  const uint64_t seed = t->random;
  hk_model *first = hk_contact_draw(t, law, &pair, true, NULL);
  hk_check_state at;
  hk_error err = {0};
  if (!first) return HK_CONTACT_REFUSED;
  if (!find_near(t, first, &at)) return HK_CONTACT_NOT_FIT;
  t->random = seed;
  hk_model *m = hk_contact_draw(t, law, &pair, true, &at);
  if (!m) return HK_CONTACT_REFUSED;
  if (hk_check_momentum(t, m, "event_driven", who) > EXCHANGED) *exchanged = true;
  hk_sim *sim =
      hk_subject_sim_try(t, m, &(hk_sim_options){.stepper = "nonsmooth_alpha", .step = 1e-3}, &err);
  for (int i = 0; sim && i < 20; i++) {
    bool pressed = false;
    if (hk_sim_step(sim, 1, &err)) return HK_CONTACT_NOT_FIT;
    for (int p = 0; p < m->n_points; p++)
      pressed = pressed || sim->x[m->at.touch + p * HK_N_TOUCH + HK_TOUCH_IMPULSE_N] > 0;
    if (!pressed || !(hk_sim_time(sim) > hk_sim_step_start(sim)))
      continue; /* an impact takes no time, so that there is no state in the middle of an impact */
    judge_between(t, sim, who);
    return HK_CONTACT_JUDGED;
  }
  return HK_CONTACT_NOT_FIT;
}

/* ---- between coordinates ---- */

static double about_axis(hk_vec3 v, const hk_frame *f) { return hk_dot(v, hk_column(&f->R, 2)); }

/* Lever arms of the normal forces about the rotors, computed by differences of the gaps; they
 * do not use the rows of the gaps. */
static void set_arms(const hk_contact *c, const hk_frame *const f[2],
                     double arm[2][HK_CONTACT_MAX_POINTS]) {
  static const double STEP = 1e-4;
  for (int i = 0; i < 2; i++) {
    hk_gap_rows at[2][HK_CONTACT_MAX_POINTS] = {0};
    for (int k = 0; k < 2; k++) {
      hk_frame g[2] = {*f[0], *f[1]};
      g[i].angle += k ? STEP : -STEP;
      c->gap->rows(c->k, &g[0], &g[1], at[k]);
    }
    for (int p = 0; p < c->n_points; p++) arm[i][p] = (at[1][p].gap - at[0][p].gap) / (2 * STEP);
  }
}

/* Compares the change of momentum of each rotor in a step with the impulses of the points times their lever arms. The
 * lever arms of friction are known; the friction impulse is only known to be at most mu times the normal impulse. */
static void judge_rotors(hk_trial *t, hk_sim *sim, const double *before, double mu,
                         const char *who) {
  const hk_model *m = sim->model;
  const hk_contact *c = &m->contact[0];
  const hk_frame *f[2] = {&sim->work->frame[c->a], &sim->work->frame[c->b]};
  double now[2], due[2] = {0}, rubbed[2] = {0}, arm[2][HK_CONTACT_MAX_POINTS], size = 1e-9;
  hk_gap_rows at[HK_CONTACT_MAX_POINTS] = {0};
  hk_subject_value(t, sim, "one", "angle"); /* updates frames */
  c->gap->rows(c->k, f[0], f[1], at);
  set_arms(c, f, arm);
  hk_mass_multiply(sim->work, sim->x + m->at.v, now);
  for (int p = 0; p < c->n_points; p++) {
    const double push = sim->x[m->at.touch + p * HK_N_TOUCH + HK_TOUCH_IMPULSE_N];
    for (int i = 0; i < 2; i++) {
      due[i] += push * arm[i][p];
      rubbed[i] += mu * push * fabs(about_axis(i ? at[p].T[0].tb : at[p].T[0].ta, f[i]));
      size += fabs(due[i]);
    }
  }
  for (int i = 0; i < 2; i++) {
    const double off = fabs(now[i] - before[i] - due[i]), limit = 1e-7 * size + 1.01 * rubbed[i];
    hk_trial_worst(t, off / limit);
    if (!(off <= limit))
      hk_trial_fail(t,
                    "%s: the angular momentum of rotor %d changes by %.9g N m s, but the impulses "
                    "of the contact points give %.9g N m s",
                    who, i + 1, now[i] - before[i], due[i]);
  }
}

static double friction_of(const hk_model *m) {
  const hk_item *law = hk_spec_find(m->spec, HK_LAW, "law");
  double mu = 0; /* a law without this parameter has no friction */
  hk_item_get_reals(law, "mu", &mu, 1);
  return mu;
}

/* A run of two rotors that are about to touch. */
static hk_contact_outcome rotors(hk_trial *t, const hk_type *law, const char *who,
                                 bool *exchanged) {
  static const hk_between pair = {HK_ON_ROTOR, HK_ON_ROTOR, false, false};
  const uint64_t seed = t->random;
  hk_model *m = hk_contact_draw(t, law, &pair, true, NULL);
  hk_check_state at;
  hk_error err = {0};
  double before[2];
  bool pressed = false;
  if (!m) return HK_CONTACT_REFUSED;
  if (!find_near(t, m, &at)) return HK_CONTACT_NOT_FIT;
  t->random = seed;
  m = hk_contact_draw(t, law, &pair, true, &at);
  hk_sim *sim = m ? hk_subject_sim_try(
                        t, m, &(hk_sim_options){.stepper = "nonsmooth_alpha", .step = 1e-3}, &err)
                  : NULL;
  for (int i = 0; sim && i < 20; i++) {
    hk_mass_multiply(sim->work, sim->x + m->at.v, before);
    if (hk_sim_step(sim, 1, &err)) break;
    for (int p = 0; p < m->n_points; p++)
      pressed = pressed || sim->x[m->at.touch + p * HK_N_TOUCH + HK_TOUCH_IMPULSE_N] > 0;
    judge_rotors(t, sim, before, friction_of(m), who);
  }
  *exchanged = *exchanged || pressed;
  return pressed ? HK_CONTACT_JUDGED : HK_CONTACT_NOT_FIT;
}

/* Tests every set-valued law. For some gaps, the surfaces may not meet in any of the random models. */
static void every_rigid_law(hk_trial *t) {
  enum { TRIES = 40, JUDGED = 2 };
  for (int i = 0; i < hk_registry_count(t->types, HK_LAW); i++) {
    const hk_type *law = hk_registry_at(t->types, HK_LAW, i);
    if (!((const hk_law_ops *)law->ops)->set_valued || law->in_programs_only) continue;
    int judged = 0;
    bool exchanged = false;
    for (int k = 0; k < TRIES && judged < JUDGED; k++) {
      char who[120];
      snprintf(who, sizeof who, "%s with %s", t->type->name, law->name);
      hk_random_seed(t, hk_random_name(law->name) + (uint64_t)k);
      if (is_of_coordinates(t->type))
        judged += rotors(t, law, who, &exchanged) == HK_CONTACT_JUDGED;
      else
        judged += rigid(t, law, who, &exchanged) == HK_CONTACT_JUDGED;
      hk_trial_case(t);
    }
    if (judged && !exchanged)
      hk_trial_fail(t, "%s with %s: no run of the integrator 'event_driven' exchanges momentum",
                    t->type->name, law->name);
    t->check->cases += judged;
  }
}

void hk_check_contact_path(hk_trial *t) {
  if (is_of_coordinates(t->type)) { /* compliant laws need a point */
    every_rigid_law(t);
    return;
  }
  hk_contact_every_law(t, 1, 4, tangents);
  hk_contact_every_law(t, 1, 4, hk_check_contact_places);
  hk_contact_every_law(t, 1, 2, in_motion);
  every_rigid_law(t);
}
