/* Models around one item of the type: see subject.h. */
#include "conform/subject.h"
#include "sim/sim.h"
#include <stdio.h>
#include <string.h>

static void give_back_spec(void *spec) { hk_spec_destroy(spec); }
static void give_back_model(void *model) { hk_model_destroy(model); }
static void give_back_sim(void *sim) { hk_sim_destroy(sim); }

hk_sim *hk_subject_sim_try(hk_trial *t, const hk_model *m, const hk_sim_options *options,
                           hk_error *err) {
  hk_sim *sim = NULL;
  /* Allows penetration: random bodies overlap, and the energy balance of the laws must hold there too. */
  static const hk_setting anywhere = {.name = "initial_penetration", .text = "allow"};
  hk_sim_options o = {0};
  if (options) o = *options;
  if (!o.n_set) o.set = &anywhere, o.n_set = 1;
  if (hk_sim_create(m, &o, &sim, NULL, err)) return NULL;
  hk_trial_keep(t, sim, give_back_sim);
  return sim;
}

hk_sim *hk_subject_sim(hk_trial *t, const hk_model *m, const hk_sim_options *options) {
  hk_error err = {0};
  hk_sim *sim = hk_subject_sim_try(t, m, options, &err);
  if (!sim) hk_trial_fail(t, "%s", err.text);
  return sim;
}

double hk_subject_value(hk_trial *t, hk_sim *sim, const char *owner, const char *what) {
  char name[160];
  snprintf(name, sizeof name, "%s.%s", owner, what);
  int i = hk_model_channel_find(sim->model, name);
  if (i < 0) hk_trial_fail(t, "there is no channel '%s'", name);
  return hk_sim_value(sim, i);
}

/* Creates the test world with one item called "subject"; NULL if these random parameters were rejected, with the
 * reason. */
static hk_model *draw_subject(hk_trial *t, const hk_type *type, const hk_between *s,
                              char why[1024]) {
  hk_spec *spec = hk_spec_create_with(t->types);
  hk_error err = {0};
  hk_diag diag;
  hk_trial_keep(t, spec, give_back_spec);
  hk_world_build(t, spec);
  hk_item *item = hk_world_add(t, spec, type->category, type->name, "subject");
  if (hk_draw_item(t, item, s, &err) ||
      (t->option->complete && t->option->complete(t->option->context, item, &err)) ||
      (t->tied && hk_world_tie(t, spec, item, &err)) || hk_stage_set(t, spec, item, &err) ||
      hk_rig_vary(t, spec, item, &err)) {
    snprintf(why, 1024, "%s", err.text);
    hk_trial_drop(t, spec);
    return NULL;
  }
  hk_diag_init(&diag);
  hk_trial_forget(t, spec); /* compilation takes ownership */
  hk_model *model = hk_model_compile(spec, &diag);
  for (int i = 0; !model && i < diag.n; i++)
    if (diag.message[i].severity == HK_ERROR) snprintf(why, 1024, "%s", diag.message[i].text);
  hk_diag_free(&diag);
  if (!model) return NULL;
  hk_trial_keep(t, model, give_back_model);
  hk_trial_note(t, model);
  return model;
}

/* Index of the subject's force, or -1. */
int hk_subject_force(const hk_model *m) {
  for (int i = 0; i < m->n_forces; i++)
    if (strcmp(m->force[i].name, "subject") == 0) return i;
  return -1;
}

/* Returns true if a joint is always fixed to the ground: it cannot be tested between two free bodies. */
bool hk_subject_needs_ground(const hk_type *type) {
  return type->category == HK_JOINT && ((const hk_joint_ops *)type->ops)->ground;
}

/* Draws until one is accepted.  Returns NULL if no draw with these sides is accepted; `why` gives the reason. */
hk_model *hk_subject_try(hk_trial *t, const hk_type *type, const hk_between *s, char why[1024]) {
  const bool free = s->a == HK_ON_BODY && s->b == HK_ON_BODY;
  const int tries = hk_subject_is_staged(type) && !free ? 60 : 400;
  if (t->drawn && t->random == t->drawn_from) {
    hk_model *drawn = t->drawn;
    t->drawn = NULL;
    t->random = t->drawn_to;
    return drawn;
  }
  for (int i = 0; i < tries; i++) {
    hk_model *model = draw_subject(t, type, s, why);
    if (!model) continue;
    hk_check_state probe;
    bool mild = hk_check_state_try(t, model, &probe);
    hk_check_state_free(t, &probe);
    if (mild) return model;
    snprintf(why, 1024, "it is always near a position at which an angle is undefined");
    hk_trial_drop(t, model);
  }
  return NULL;
}

/* Same as hk_subject_try; a rejected subject makes the check fail. */
hk_model *hk_subject(hk_trial *t, const hk_type *type, const hk_between *s) {
  char why[1024] = "";
  hk_model *model = hk_subject_try(t, type, s, why);
  if (!model)
    hk_trial_fail(
        t,
        "%s '%s' cannot be drawn from its parameter table (last refusal: %s). If it needs "
        "something that the world of src/conform/test_world.c lacks, add it there",
        hk_category_name(type->category), type->name, why);
  return model;
}

/* Makes a draw between free bodies, with joints that are closed as placed. */
hk_model *hk_subject_closed(hk_trial *t, const hk_type *type, const hk_between *at) {
  for (int i = 0; i < 200; i++) {
    hk_model *m = hk_subject(t, type, at);
    hk_check_state s;
    hk_check_state_try(t, m, &s);
    hk_check_state_as_placed(t, &s);
    bool closed = hk_check_state_is_closed(&s);
    hk_check_state_free(t, &s);
    if (closed) return m;
    hk_trial_drop(t, m);
  }
  hk_trial_fail(t, "%s '%s' is never closed in the initial position, not even with 'at'",
                hk_category_name(type->category), type->name);
}

static void judge(hk_trial *t, const hk_model *m, const hk_between *s, hk_subject_check *check) {
  check(t, m, t->type, s);
  t->check->cases++;
  t->tried |= (uint64_t)1 << t->variant;
  hk_trial_case(t);
}

void hk_subject_each(hk_trial *t, int draws, hk_subject_check *check) {
  int accepted = 0;
  char why[1024] = "";
  const int variants = hk_stage_variants(t->type);
  if (t->option->draws > 0) draws *= t->option->draws;
  for (int pair = 0; pair < HK_N_SIDES * HK_N_SIDES; pair++) {
    hk_between s = {(hk_side)(pair / HK_N_SIDES), (hk_side)(pair % HK_N_SIDES), true, true};
    bool other = s.a == HK_ON_OTHER || s.b == HK_ON_OTHER;
    if ((s.a == HK_ON_GROUND && s.b == HK_ON_GROUND) || (other && !hk_world_other(t))) continue;
    int n = other ? (draws + 1) / 2 : draws;
    /* Types with many parts and variants: every variant between two free bodies, some of them also on other sides. */
    if (hk_subject_is_staged(t->type)) n = pair > 0 ? (draws + 7) / 8 : n < variants ? variants : n;
    for (int k = 0; k < n; k++) {
      hk_random_seed(t, 50 * (uint64_t)pair + (uint64_t)k);
      t->variant = pair == 0 ? k % variants : hk_random_pick(t, variants);
      hk_model *m = hk_subject_try(t, t->type, &s, why);
      if (!m && variants == 1) break;
      if (m) accepted++, judge(t, m, &s, check);
    }
  }
  if (!accepted) /* fails with the reason */
    hk_subject(t, t->type, &(hk_between){HK_ON_BODY, HK_ON_BODY, true, true});
}

void hk_subject_repeat(hk_trial *t, int draws, uint64_t seed, const hk_between *s,
                       void (*check)(hk_trial *t, const hk_between *s)) {
  const int variants = hk_stage_variants(t->type);
  char why[1024];
  int judged = 0;
  if (t->option->draws > 0) draws *= t->option->draws;
  for (int draw = 0; draw < draws || draw < variants; draw++) {
    t->variant = draw % variants;
    hk_random_seed(t, seed + (uint64_t)draw);
    bool last = judged == 0 && draw + 1 >= draws && draw + 1 >= variants;
    if (variants > 1 && !last) { /* true: the variant can be drawn */
      const uint64_t from = t->random;
      hk_model *first = hk_subject_try(t, t->type, s, why);
      if (!first) hk_trial_case(t);
      if (!first) continue;
      t->drawn = first, t->drawn_from = from, t->drawn_to = t->random;
      t->random = from; /* the check begins with this random draw */
    }
    check(t, s);
    t->check->cases++;
    t->tried |= (uint64_t)1 << t->variant;
    hk_trial_case(t);
    judged++;
  }
}
