/* Cases of a type with known forces (hk_known_case).  Two bodies of 1 kg, with their centres at the frames of the item, have
 * accelerations equal to the forces on them. */
#include "base/number.h"
#include "conform/checks.h"
#include "sim/sim.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MUST(t, call)                                       \
  do {                                                      \
    hk_error must_error = {0}, *err = &must_error;          \
    if ((call) != HK_OK) hk_trial_fail(t, "%s", err->text); \
  } while (0)

static void give_back_spec(void *spec) { hk_spec_destroy(spec); }
static void give_back_model(void *model) { hk_model_destroy(model); }

/* "law hertz" adds a law of this type, and "law.stiffness 1e10" sets one of its parameters. */
static hk_item *law_of(hk_trial *t, hk_item *item, const char *type) {
  hk_item *law = hk_spec_find(item->spec, HK_LAW, "law");
  if (law) return law;
  MUST(t, hk_item_text(item, "law", "law", err));
  return hk_world_add(t, item->spec, HK_LAW, type, "law");
}

static void set_value(hk_trial *t, hk_item *item, const char *name, const char *value) {
  if (strncmp(name, "law.", 4) == 0) {
    set_value(t, law_of(t, item, ""), name + 4, value);
    return;
  }
  const int i = hk_type_param_find(item->type, name);
  if (i < 0)
    hk_trial_fail(t, "a known case sets the parameter '%s', but the type has no such parameter",
                  name);
  char *end;
  const double number = hk_number_read(value, &end);
  switch (hk_type_param(item->type, i)->kind) {
    case HK_PARAM_REAL:
      MUST(t, hk_item_real(item, name, number, err));
      break;
    case HK_PARAM_INT:
      MUST(t, hk_item_int(item, name, (long)number, err));
      break;
    case HK_PARAM_BOOL:
      MUST(t, hk_item_bool(item, name, strcmp(value, "true") == 0, err));
      break;
    case HK_PARAM_LAW:
      law_of(t, item, value);
      break;
    default:
      MUST(t, hk_item_text(item, name, value, err));
  }
}

/* "name value, name value" */
static void set_values(hk_trial *t, hk_item *item, const char *values) {
  char name[64], value[64];
  int used = 0;
  for (const char *at = values; at && *at; at += used) {
    used = 0;
    if (sscanf(at, " %63[a-z0-9_.] %63[^,]%n", name, value, &used) != 2)
      hk_trial_fail(t, "the values of a known case are not understood: '%s'", at);
    set_value(t, item, name, value);
    used += at[used] == ',';
  }
}

/* Inertia of a part with a size of some centimetres. The size of the bodies is the scale for
 * the accuracy of the initial positions. */
#define INERTIA 1e-3 /* kg m^2 */

static void add_body(hk_trial *t, hk_spec *spec, const char *name, const hk_known_case *c) {
  static const double round[6] = {INERTIA, INERTIA, INERTIA, 0, 0, 0};
  hk_item *body = hk_world_add(t, spec, HK_BODY, "rigid_body", name);
  MUST(t, hk_item_real(body, "mass", 1, err));
  MUST(t, hk_item_reals(body, "inertia", round, 6, err));
  if (!c) return;
  MUST(t, hk_item_vec3(body, "position", c->at, err));
  MUST(t, hk_item_rotation(body, "orientation", hk_quat_exp(c->turn), err));
  MUST(t, hk_item_vec3(body, "velocity", c->v, err));
  MUST(t, hk_item_vec3(body, "angular_velocity", c->w, err));
}

static hk_model *compile(hk_trial *t, const hk_known_case *c) {
  hk_spec *spec = hk_spec_create_with(t->types);
  hk_diag diag;
  char why[1024] = "";
  hk_trial_keep(t, spec, give_back_spec);
  add_body(t, spec, "first", NULL);
  add_body(t, spec, "second", c);
  hk_item *item = hk_world_add(t, spec, t->type->category, t->type->name, "subject");
  set_value(t, item, "a", "first");
  set_value(t, item, "b", "second");
  set_values(t, item, c->values);
  hk_diag_init(&diag);
  hk_trial_forget(t, spec); /* compilation takes ownership */
  hk_model *model = hk_model_compile(spec, &diag);
  for (int i = 0; !model && i < diag.n; i++)
    if (diag.message[i].severity == HK_ERROR) snprintf(why, sizeof why, "%s", diag.message[i].text);
  hk_diag_free(&diag);
  if (!model) hk_trial_fail(t, "%s: %s", c->what, why);
  hk_trial_keep(t, model, give_back_model);
  return model;
}

static hk_vec3 acceleration(hk_trial *t, hk_sim *sim, const char *body, const char *what) {
  double a[3];
  for (int i = 0; i < 3; i++) {
    char name[16];
    snprintf(name, sizeof name, "%s%c", what, "xyz"[i]);
    a[i] = hk_subject_value(t, sim, body, name);
  }
  return hk_v3(a[0], a[1], a[2]);
}

static void judge(hk_trial *t, const hk_known_case *c, const char *body, const char *what,
                  hk_vec3 got, hk_vec3 wanted, double error) {
  const double off = hk_norm(hk_sub(got, wanted));
  hk_trial_worst(t, off / error);
  if (!(off <= error))
    hk_trial_fail(t, "%s: the %s on %s is (%.6g, %.6g, %.6g) instead of (%.6g, %.6g, %.6g)",
                  c->what, what, body, got.x, got.y, got.z, wanted.x, wanted.y, wanted.z);
}

void hk_check_known(hk_trial *t) {
  for (const hk_known_case *c = t->type->known; c && c->what; c++) {
    const hk_model *m = compile(t, c);
    hk_sim *sim = hk_subject_sim(t, m, NULL);
    const hk_vec3 on_a = hk_neg(hk_add(c->moment, hk_cross(c->at, c->force)));
    const double arm = hk_norm(c->at) * c->force_error;
    judge(t, c, "b", "force", acceleration(t, sim, "second", "a"), c->force, c->force_error);
    judge(t, c, "b", "moment", hk_scale(INERTIA, acceleration(t, sim, "second", "alpha")),
          c->moment, c->moment_error);
    judge(t, c, "a", "force", acceleration(t, sim, "first", "a"), hk_neg(c->force), c->force_error);
    judge(t, c, "a", "moment", hk_scale(INERTIA, acceleration(t, sim, "first", "alpha")), on_a,
          c->moment_error + arm);
    t->check->cases++;
    hk_trial_case(t);
  }
}
