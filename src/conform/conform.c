/* hk_conform: the list of checks and their execution.  See hooke/conform.h. */
#include "base/options.h"
#include "conform/checks.h"
#include "conform/subject.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OF(category) (1u << (category))
enum { ALL = -1, CONSTRAINTS = OF(HK_JOINT) | OF(HK_MOTION), COMPOSITES = OF(HK_N_CATEGORIES) };

/* The category of a type; composite joints are a special case of joints. */
static int kinds(const hk_type *type) {
  return OF(type->category) | (hk_subject_is_composite(type) ? COMPOSITES : 0);
}

static void check_table(hk_trial *t) {
  hk_error err = {0};
  t->check->cases = 1;
  if (hk_type_sound(t->type, &err)) hk_trial_fail(t, "%s", err.text);
}

static const struct check {
  const char *name, *what;
  int categories;
  void (*run)(hk_trial *t);
} CHECKS[] = {
    {"table", "names, units, ranges, defaults and functions", ALL, check_table},
    {"parameters", "set values are in the struct, invalid values are refused", ALL,
     hk_check_parameters},
    {"jacobian", "rows against differences of the constrained quantities", CONSTRAINTS,
     hk_check_jacobian},
    {"bias", "second derivatives along a motion", CONSTRAINTS | OF(HK_FORCE) | OF(HK_SENSOR),
     hk_check_bias},
    {"tangent", "the Newton matrix against differences, on every kind of node",
     CONSTRAINTS | OF(HK_FORCE) | OF(HK_CONTACT), hk_check_tangent},
    {"balance", "action and reaction", CONSTRAINTS | OF(HK_FORCE) | OF(HK_CONTACT),
     hk_check_balance},
    {"power", "power is supplied power minus losses and stored energy",
     OF(HK_FORCE) | OF(HK_CONTACT) | COMPOSITES, hk_check_power},
    {"invariance", "no dependence on the position of the whole model", CONSTRAINTS | OF(HK_FORCE),
     hk_check_invariance},
    {"load path", "bodies move according to channels, for any position and orientation",
     CONSTRAINTS | OF(HK_BODY) | OF(HK_FORCE) | OF(HK_CONTACT), hk_check_load_path},
    {"work", "an ideal joint does no work", OF(HK_JOINT), hk_check_work},
    {"energy", "the error of the energy balance decreases with the square of the step",
     CONSTRAINTS | OF(HK_FORCE) | OF(HK_BODY) | OF(HK_CONTACT), hk_check_ledger},
    {"restart", "a saved state has the same future, to the last bit",
     CONSTRAINTS | OF(HK_FORCE) | OF(HK_BODY), hk_check_restart},
    {"step", "the derivative of steps against repeated steps",
     CONSTRAINTS | OF(HK_FORCE) | OF(HK_BODY), hk_check_step},
    {"gap", "rate, normal, point and tangent against differences; invariance", OF(HK_CONTACT),
     hk_check_gap},
    {"finite", "finite at every position", OF(HK_CONTACT), hk_check_finite},
    {"order", "errors decrease with the step size according to the order", OF(HK_STEPPER),
     hk_check_order},
    {"tolerance", "errors follow the tolerance", OF(HK_STEPPER), hk_check_tolerance},
    {"dense", "interpolated values agree with the step ends", OF(HK_STEPPER), hk_check_dense},
    {"future", "a saved state has the same future, to the last bit", OF(HK_STEPPER),
     hk_check_future},
    {"allocation", "steps and interpolated values need no new memory", OF(HK_STEPPER),
     hk_check_allocation},
    {"law", "slopes, potential, no generated energy, friction against sliding", OF(HK_LAW),
     hk_check_law},
};
enum { N_CHECKS = sizeof CHECKS / sizeof *CHECKS };

/* Returns the reason why a check of the category does not apply to this type, or NULL. */
static const char *exception(const struct check *c, const hk_trial *t) {
  const hk_type *type = t->type;
  if (c->run == check_table || c->run == hk_check_parameters) return NULL;
  if (type->in_programs_only && !type->sample && !t->option->complete)
    return "its items need data that only a C program can provide (hk_conform_options.complete)";
  bool pair = c->run == hk_check_balance || c->run == hk_check_invariance ||
              c->run == hk_check_work || c->run == hk_check_ledger || c->run == hk_check_restart ||
              c->run == hk_check_step;
  if (pair && hk_subject_needs_ground(type))
    return "it is fixed to the ground, and this check needs two free bodies";
  return NULL;
}

static hk_status run_check(hk_trial *t, const struct check *c) {
  t->turn = 1.8;
  t->check->verdict = HK_PASSED;
  const char *why = exception(c, t);
  if (setjmp(t->end)) {
    t->check->verdict = t->how == HK_TRIAL_NOT_MEANT ? HK_NOT_APPLICABLE : HK_FAILED;
  } else if (why) {
    hk_trial_not_meant(t, "%s", why);
  } else {
    t->how = 0, t->tried = 0, t->rig = (hk_rig){0}, t->contacts = t->pressed = t->tied = false;
    c->run(t);
    if (t->check->cases == 0) hk_trial_not_meant(t, "no random model could be tested");
    if (hk_subject_is_staged(t->type) && t->tried)
      hk_stage_note(t, t->check->text, sizeof t->check->text);
  }
  hk_trial_case(t);
  return t->how == HK_TRIAL_NO_MEMORY ? HK_ENOMEM : HK_OK;
}

hk_status hk_conform(const hk_registry *registry, hk_category category, const char *name,
                     const hk_conform_options *options, hk_conform_report *report, hk_error *err) {
  hk_conform_options taken;
  HK_TAKE_OPTIONS(taken, options);
  if (!report) {
    hk_conform_report *unread = malloc(sizeof *unread);
    if (!unread) return hk_fail(err, HK_ENOMEM, "out of memory");
    hk_status status = hk_conform(registry, category, name, options, unread, err);
    free(unread);
    return status;
  }
  memset(report, 0, sizeof *report);
  const hk_type *type = hk_registry_find(registry, category, name);
  if (!type)
    return hk_fail(err, HK_EINPUT, "there is no type of %s named '%s'", hk_category_name(category),
                   name ? name : "");
  hk_trial t = {.types = registry, .type = type, .option = &taken};
  hk_arena_init(&t.arena);
  hk_status status = HK_OK;
  bool known = false;
  for (int i = 0; i < N_CHECKS && !status; i++) {
    const struct check *c = &CHECKS[i];
    bool wanted = !t.option->only || strcmp(t.option->only, c->name) == 0;
    known = known || wanted;
    if (!wanted || !(c->categories & kinds(type))) continue;
    t.check = &report->check[report->n++];
    t.check->name = c->name;
    t.check->what = c->what;
    status = run_check(&t, c);
    bool physics = c->run != check_table && c->run != hk_check_parameters;
    report->failed += t.check->verdict == HK_FAILED;
    report->of_physics += physics;
    report->judged += physics && t.check->verdict != HK_NOT_APPLICABLE;
  }
  report->numerical = t.numerical || type->numerical;
  free(t.kept);
  hk_arena_free(&t.arena);
  if (status) return hk_fail(err, status, "out of memory");
  if (!known) return hk_fail(err, HK_EINPUT, "there is no check '%s'", t.option->only);
  if (report->failed == 0) return HK_OK;
  return hk_fail(err, HK_EFAIL, "%s '%s' fails %d of %d checks", hk_category_name(category), name,
                 report->failed, report->n);
}
