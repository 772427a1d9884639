/* Every gap with every suitable compliant law, between every two kinds of nodes, in contact: the Newton matrix,
 * action and reaction, power, and the energy ledger of a run.
 *
 * Random parameters of the gap and the law are drawn from their parameter tables, and random states are drawn until
 * contact points carry load. States near a kink are drawn again, because finite differences do not approximate a
 * derivative there. Frames are both at and off the bodies' centres, so that the fast path for balls
 * (core/contact_ball.c) is tested like the general one. */
#include "conform/checks.h"
#include "conform/draw_contact.h"
#include "conform/subject.h"
#include <stdio.h>
#include <string.h>

enum { STATE_DRAWS = 2000, TRIES = 120 };
static const double MARGIN =
    0.02; /* smallest distance of a point from the gap at which the law begins to act */

static void give_back_spec(void *spec) { hk_spec_destroy(spec); }
static void give_back_model(void *model) { hk_model_destroy(model); }

/* Adds a body called `name`, and writes the name of the contact's frame on it. */
static void add_side(hk_trial *t, hk_spec *spec, hk_side side, const char *name, bool centred,
                     bool at_mass, char frame[32]) {
  static const char *const TYPE[] = {"rigid_body", NULL, "point_mass", "rotor", NULL};
  const hk_vec3 zero = {0, 0, 0};
  hk_error ignored; /* bodies of other types may not have this parameter */
  if (side == HK_ON_GROUND) {
    hk_spec_marker(spec, NULL, "m", hk_random_vector(t, 0.3), hk_random_rotation(t), &ignored);
    snprintf(frame, 32, "%s", centred ? "ground" : "ground.m");
    return;
  }
  if (side == HK_ON_OTHER)
    hk_world_other_body(t, spec, name);
  else
    hk_world_body(t, spec, TYPE[side], name);
  if (side == HK_ON_ROTOR && at_mass) /* a gap between angles acts about the z axes of the frames */
    hk_item_vec3(hk_spec_find(spec, HK_BODY, name), "axis", hk_v3(0, 0, 1), &ignored);
  if (side == HK_ON_BODY && (centred || at_mass))
    hk_item_vec3(hk_spec_find(spec, HK_BODY, name), "center_of_mass", zero, &ignored);
  snprintf(frame, 32, "%s%s", name, centred || side == HK_ON_POINT ? "" : ".m");
}

/* Places a body at the position of the same body in another model that was made with the same random numbers. */
static void put(hk_item *body, const hk_node *n, const hk_check_state *at) {
  const double *q = at->q + n->q, *v = at->v + n->v;
  hk_error ignored;
  if (n->nv == 1) { /* a rotor */
    hk_item_real(body, "angle", q[0], &ignored);
    hk_item_real(body, "rate", v[0], &ignored);
    return;
  }
  hk_quat o = {q[3], q[4], q[5], q[6]};
  hk_mat3 R = hk_quat_matrix(o);
  hk_item_vec3(body, "position", hk_v3(q[0], q[1], q[2]), &ignored);
  hk_item_rotation(body, "orientation", o, &ignored);
  hk_item_vec3(body, "velocity", hk_v3(v[0], v[1], v[2]), &ignored);
  hk_item_vec3(body, "angular_velocity", hk_mul(&R, hk_v3(v[3], v[4], v[5])), &ignored);
}

/* Creates a model of two bodies, the law and the contact; NULL: the random parameters were rejected. */
hk_model *hk_contact_draw(hk_trial *t, const hk_type *law, const hk_between *s, bool for_run,
                          const hk_check_state *at) {
  hk_spec *spec = hk_spec_create_with(t->types);
  hk_trial_keep(t, spec, give_back_spec);
  char a[32], b[32];
  bool middle = (hk_random_pick(t, 2) || for_run) && !t->rig.eccentric;
  add_side(t, spec, s->a, "one", middle, for_run, a);
  add_side(t, spec, s->b, "two", middle, for_run, b);
  hk_error err = {0};
  hk_item *its_law = hk_world_add(t, spec, HK_LAW, law->name, "law");
  hk_item *contact = hk_world_add(t, spec, HK_CONTACT, t->type->name, "subject");
  bool good = !hk_draw_item(t, its_law, s, &err) && !hk_draw_item(t, contact, s, &err) &&
              !hk_item_text(contact, "a", a, &err) && !hk_item_text(contact, "b", b, &err) &&
              !hk_item_text(contact, "law", "law", &err);
  if (for_run) hk_draw_soften(t, its_law, false);
  for (int i = 0; at && i < 2; i++)
    put(hk_spec_find(spec, HK_BODY, i ? "two" : "one"), &at->model->node[i], at);
  if (good) good = !hk_rig_vary(t, spec, contact, &err);
  if (!good) {
    hk_trial_drop(t, spec);
    return NULL;
  }
  hk_diag diag;
  hk_diag_init(&diag);
  hk_trial_forget(t, spec); /* compilation takes ownership */
  hk_model *m = hk_model_compile(spec, &diag);
  hk_diag_free(&diag);
  if (!m) return NULL;
  hk_trial_keep(t, m, give_back_model);
  hk_trial_note(t, m);
  return m;
}

/* Returns true if at least one point carries load, and no point is about to close or open. */
static bool is_pressed(const hk_check_state *s) {
  const hk_contact *c = &s->model->contact[0];
  bool any = false;
  for (int p = 0; p < c->n_points; p++) {
    const hk_contact_eval *touch = &s->work->touch[c->point + p];
    if (fabs(touch->gap - c->reach) < MARGIN || touch->N > 50) return false;
    any = any || touch->N > 0.02;
  }
  return any;
}

bool hk_contact_find_touch(hk_trial *t, const hk_model *m, hk_check_state *s) {
  double *d = hk_trial_room(t, (size_t)m->nv + 1, sizeof *d);
  if (!hk_check_state_try(t, m, s)) return false;
  for (int i = 0; i < STATE_DRAWS; i++) {
    for (int k = 0; k < m->nv; k++)
      d[k] = hk_random(t, -1.5, 1.5), s->v[k] = hk_random(t, -1.5, 1.5);
    hk_configuration_add(m, m->q0, d, s->q);
    hk_check_state_evaluate(t, s, s->q, s->v, s->lambda, s->t);
    if (is_pressed(s)) return true;
  }
  return false;
}

/* Returns true if the law computes a normal force at contact points. Other laws are made for other gaps or for
 * integrators of impacts. */
static const hk_type *compliant(const hk_trial *t, int i) {
  const hk_type *type = hk_registry_at(t->types, HK_LAW, i);
  const hk_law_ops *ops = type->ops;
  return ops->set_valued || ops->line || type->in_programs_only ? NULL : type;
}

hk_contact_outcome hk_contact_at_touch(hk_trial *t, const hk_type *law, const hk_between *s,
                                       const char *who,
                                       bool (*check)(hk_trial *t, hk_check_state *at,
                                                     const char *who)) {
  hk_model *m = hk_contact_draw(t, law, s, false, NULL);
  hk_check_state at;
  if (!m) return HK_CONTACT_REFUSED;
  return hk_contact_find_touch(t, m, &at) && check(t, &at, who) ? HK_CONTACT_JUDGED
                                                                : HK_CONTACT_NOT_FIT;
}

static const hk_between PAIRS[] = {
    {HK_ON_BODY, HK_ON_BODY},   {HK_ON_BODY, HK_ON_POINT}, {HK_ON_GROUND, HK_ON_BODY},
    {HK_ON_BODY, HK_ON_GROUND}, {HK_ON_ROTOR, HK_ON_BODY}, {HK_ON_OTHER, HK_ON_BODY},
};
enum { ONE_PAIR = 1, ALL_PAIRS = sizeof PAIRS / sizeof *PAIRS };

/* Tests every suitable law between the first `pairs` of sides; each law must be tested between two free bodies. */
void hk_contact_every_law(hk_trial *t, int pairs, int draws, hk_contact_judge_fn *check) {
  if (!((const hk_gap_ops *)t->type->ops)->eval)
    hk_trial_not_meant(t, "it is a gap between coordinates, for set-valued laws");
  bool any = false;
  for (int i = 0; i < hk_registry_count(t->types, HK_LAW); i++) {
    const hk_type *law = compliant(t, i);
    bool fits = false;
    for (int p = 0; p < pairs && law; p++) {
      int judged = 0;
      if (PAIRS[p].a == HK_ON_OTHER && !hk_world_other(t)) continue;
      for (int k = 0; k < TRIES && judged < draws; k++) {
        char who[200];
        snprintf(who, sizeof who, "%s with %s between %s and %s", t->type->name, law->name,
                 HK_SIDE_A[PAIRS[p].a], HK_SIDE_B[PAIRS[p].b]);
        hk_random_seed(t, hk_random_name(law->name) + (uint64_t)(1000 * p + k));
        hk_contact_outcome o = check(t, law, &PAIRS[p], who);
        hk_trial_case(t);
        fits = fits || o != HK_CONTACT_REFUSED;
        judged += o == HK_CONTACT_JUDGED;
      }
      t->check->cases += judged;
      if (fits && p == 0 && !judged)
        hk_trial_fail(
            t, "no random parameters of '%s' with law '%s' give a contact state that can be tested",
            t->type->name, law->name);
    }
    any = any || fits;
  }
  if (!any) hk_trial_fail(t, "no compliant law fits '%s'", t->type->name);
}

static bool judge_tangent(hk_trial *t, hk_check_state *at, const char *who) {
  return hk_check_tangent_at(t, at, who);
}
static hk_contact_outcome tangent(hk_trial *t, const hk_type *law, const hk_between *s,
                                  const char *who) {
  return hk_contact_at_touch(t, law, s, who, judge_tangent);
}
void hk_check_contact_tangent(hk_trial *t) { hk_contact_every_law(t, ALL_PAIRS, 1, tangent); }

static bool judge_balance(hk_trial *t, hk_check_state *at, const char *who) {
  hk_check_balance_at(t, at, who);
  return true;
}
static hk_contact_outcome balance(hk_trial *t, const hk_type *law, const hk_between *s,
                                  const char *who) {
  return hk_contact_at_touch(t, law, s, who, judge_balance);
}
void hk_check_contact_balance(hk_trial *t) { hk_contact_every_law(t, ONE_PAIR, 6, balance); }

static bool judge_power(hk_trial *t, hk_check_state *at, const char *who) {
  hk_check_power_at(t, at, who);
  return true;
}
static hk_contact_outcome power(hk_trial *t, const hk_type *law, const hk_between *s,
                                const char *who) {
  return hk_contact_at_touch(t, law, s, who, judge_power);
}
void hk_check_contact_power(hk_trial *t) { hk_contact_every_law(t, ALL_PAIRS, 2, power); }

/* Makes a run that begins in contact. The model is created twice with the same random numbers.
 * The first one is used to find a position with contact, and the second one starts at this
 * position. */
static hk_contact_outcome ledger(hk_trial *t, const hk_type *law, const hk_between *s,
                                 const char *who) {
  uint64_t seed = t->random;
  hk_model *m = hk_contact_draw(t, law, s, true, NULL);
  hk_check_state at;
  if (!m) return HK_CONTACT_REFUSED;
  if (!hk_contact_find_touch(t, m, &at)) return HK_CONTACT_NOT_FIT;
  t->random = seed;
  hk_model *there = hk_contact_draw(t, law, s, true, &at);
  hk_trial_claim(t, there != NULL);
  const double end = 0.1;
  hk_error err = {0};
  if (!hk_check_runs(t, there, 5e-4, end, &err)) return HK_CONTACT_NOT_FIT;
  hk_check_closes(t, there, end, who);
  return HK_CONTACT_JUDGED;
}
void hk_check_contact_ledger(hk_trial *t) { hk_contact_every_law(t, ONE_PAIR, 4, ledger); }
