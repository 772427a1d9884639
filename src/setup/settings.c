/* Settings of a simulation: the analysis of the model, the caller's options, and the integrator, which is specified
 * or, by `auto`, the most suitable one. */
#include "spec/item.h"
#include "spec/registry.h"
#include "spec/stepper_keys.h"
#include "sim/sim.h"
#include "integrator/smooth/multistep.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const hk_integrator *ops_of(const hk_type *type) { return type->ops; }

static hk_status supports(const hk_type *type, const hk_model *m, hk_error *why) {
  return ops_of(type)->supports ? ops_of(type)->supports(m, why) : HK_OK;
}
static bool can(const hk_type *type, unsigned what) { return (ops_of(type)->can & what) != 0; }

/* ---- the stepper ---- */

/* Lists steppers as in "generalized_alpha, moreau and event_driven": all, or those that support the
 * model. */
static void list_steppers(const hk_model *m, bool fit, const char *last, char *text, size_t size) {
  const hk_type *type, *before = NULL;
  size_t used = 0;
  *text = '\0';
  for (int i = 0; (type = hk_registry_at(m->spec->registry, HK_STEPPER, i)) && used < size; i++) {
    if (fit && supports(type, m, NULL) != HK_OK) continue;
    if (before)
      used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", before->name);
    before = type;
  }
  if (before && used < size)
    snprintf(text + used, size - used, "%s%s", used ? last : "", before->name);
}

static hk_status find_stepper(const hk_model *m, const char *name, const hk_type **out,
                              hk_error *err) {
  *out = hk_registry_find(m->spec->registry, HK_STEPPER, name);
  if (*out) return HK_OK;
  char list[300];
  list_steppers(m, false, " and ", list, sizeof list);
  return hk_fail(err, HK_EINPUT, "there is no stepper '%s'; choose one of %s", name, list);
}

/* Returns true if the user has given keys, in the file or by the program, that belong to this integrator only. */
static bool is_meant(const hk_type *type, const hk_model *m, const hk_sim_options *o) {
  const hk_item *file = hk_spec_find(m->spec, HK_STEPPER, type->name);
  for (int i = 0; file && i < hk_type_param_count(type); i++)
    if (hk_item_given(file, i)) return true;
  for (int i = 0; o && i < o->n_set; i++)
    if (o->set[i].name && hk_type_param_find(type, o->set[i].name) >= 0) return true;
  return false;
}

/* Selects the most suitable integrator. An integrator that has the keys given by the user is preferred. If a step is
 * given, adaptive integrators that have no fixed steps are excluded. With `chooses` and without a step, integrators
 * that need a step are excluded. */
static const hk_type *best_fit(const hk_model *m, double step, bool chooses,
                               const hk_sim_options *o, const char **why) {
  const hk_type *best = NULL, *type;
  int most = 0;
  for (int i = 0; (type = hk_registry_at(m->spec->registry, HK_STEPPER, i)); i++) {
    const char *reason = "it fits the model";
    if (can(type, HK_ADAPTIVE_ONLY) && step > 0) continue;
    if (chooses && !can(type, HK_ADAPTIVE) && !(step > 0)) continue;
    if (can(type, HK_KEEPS_PAST) && o && o->one_step) continue;
    int fit = ops_of(type)->score && !supports(type, m, NULL) ? ops_of(type)->score(m, &reason) : 0;
    if (fit > 0 && is_meant(type, m, o)) fit += 100, reason = "keys of it are given";
    if (fit > most) most = fit, best = type, *why = reason;
  }
  return best;
}

/* Selects an integrator; a model without a step gets an adaptive one, if one supports the model. */
static const hk_type *fitting_stepper(const hk_model *m, double step, const hk_sim_options *o,
                                      const char **why) {
  const hk_type *best = best_fit(m, step, true, o, why);
  return best ? best : best_fit(m, step, false, o, why);
}

static bool is_auto(const hk_sim *s) { return strcmp(s->option.stepper, "auto") == 0; }

static unsigned asked_of(hk_rival kind) {
  return kind == HK_RIVAL_DAMPS ? HK_DAMPS_MODES : HK_EXACT_STEADY;
}

/* Returns true if the model has modes that could be excited. There are none if only gravity acts. */
static bool wakes_modes(const hk_sim *s) {
  const char *why;
  return hk_integrator_can(s, HK_EXCITES_MODES) && hk_adams_score(s->model, &why) == 0;
}

const hk_type *hk_sim_rival(const hk_sim *s, const hk_sim_options *o, hk_rival kind) {
  const hk_model *m = s->model;
  const hk_integrator *own = hk_integrator_of(s);
  const hk_type *type;
  /* a motion that is steady now is not after the calling program has changed an input */
  bool needed = kind == HK_RIVAL_STEADY ? own->order > 2 && m->n_own_inputs == 0 : wakes_modes(s);
  if (!is_auto(s) || !needed || is_meant(s->stepper, m, o)) return NULL;
  /* contacts limit the steps anyway, so excited modes cost nothing */
  if (m->n_points > 0) return NULL;
  for (int i = 0; (type = hk_registry_at(m->spec->registry, HK_STEPPER, i)); i++)
    if (can(type, asked_of(kind)) && supports(type, m, NULL) == HK_OK) return type;
  return NULL;
}

static hk_status check_stepper(const hk_type *type, const hk_model *m, double step, hk_error *err) {
  hk_error why = {0};
  if (can(type, HK_ADAPTIVE_ONLY) && step > 0)
    return hk_fail(err, HK_EINPUT,
                   "the %s stepper chooses the length of its steps; give max_step instead of step, "
                   "or use stepper: generalized_alpha",
                   type->name);
  if (supports(type, m, &why) == HK_OK) return HK_OK;
  char list[300];
  list_steppers(m, true, " or ", list, sizeof list);
  hk_fail(err, HK_EINPUT, "the %s stepper %s%s%s", type->name, why.text,
          *list ? "; use stepper: " : "", list);
  hk_error_about(err, why.element, NAN, -1);
  return HK_EINPUT;
}

/* ---- keys ---- */

static hk_status set_key(hk_item *item, const hk_setting *set, hk_error *err) {
  if (set->text) return hk_item_text(item, set->name, set->text, err);
  const hk_param *p = hk_type_param(item->type, hk_type_param_find(item->type, set->name));
  if (p->kind == HK_PARAM_BOOL) return hk_item_bool(item, set->name, set->value != 0, err);
  if (p->kind == HK_PARAM_INT && set->value == floor(set->value) && fabs(set->value) < 1e9)
    return hk_item_int(item, set->name, (long)set->value, err);
  return hk_item_real(item, set->name, set->value, err);
}

/* Sets the caller's further keys that the item has. rest: any other key is an error. */
static hk_status set_keys(hk_item *item, const hk_sim_options *o, const hk_type *rest,
                          hk_error *err) {
  for (int i = 0; o && i < o->n_set; i++) {
    const hk_setting *set = &o->set[i];
    const char *name = set->name ? set->name : "";
    char text[600];
    hk_status status = HK_OK;
    if (hk_type_param_find(item->type, name) >= 0)
      status = set_key(item, set, err);
    else if (!rest || hk_type_param_find(rest, name) >= 0)
      continue;
    else if (hk_stepper_misplaced(item->spec->registry, item->type, name, text, sizeof text))
      status = hk_fail(err, HK_EINPUT, "%s", text);
    else
      status = hk_fail(err, HK_EINPUT, "unknown key '%s' of the analysis and of the stepper %s",
                       name, item->type->name);
    if (status) return status;
  }
  return HK_OK;
}

static void set_common(hk_analysis_dynamics *d, const hk_sim_options *o) {
  if (o->step > 0) d->step = o->step;
  if (o->rtol > 0) d->rtol = o->rtol;
  if (o->atol > 0) d->atol = o->atol;
  if (o->initial_step > 0) d->initial_step = o->initial_step;
  if (o->max_step > 0) d->max_step = o->max_step;
  if (o->min_step > 0) d->min_step = o->min_step;
  if (o->max_newton > 0) d->max_newton = o->max_newton;
  if (o->stepper) d->stepper = o->stepper;
}

static const hk_item *find_analysis(const hk_model *m) {
  const hk_item *item = m->spec->n[HK_ANALYSIS] ? m->spec->item[HK_ANALYSIS][0] : NULL;
  return item && strcmp(item->type->name, "dynamics") == 0 ? item : NULL;
}

/* Sets s->option and *common, an item with the keys common to all integrators; the caller frees its param_state. */
static hk_status choose_common(hk_sim *s, const hk_sim_options *o, hk_item *common, hk_error *err) {
  const hk_item *file = find_analysis(s->model);
  const int n = hk_type_param_count(&hk_type_analysis_dynamics);
  s->option = file ? *HK_DATA(file, hk_analysis_dynamics) : hk_dynamics_defaults;
  *common = (hk_item){.type = &hk_type_analysis_dynamics,
                      .data = &s->option,
                      .param_state = calloc((size_t)n + 1, 1),
                      .spec = s->model->spec};
  if (!common->param_state) return hk_fail(err, HK_ENOMEM, "out of memory");
  if (file) memcpy(common->param_state, file->param_state, (size_t)n);
  if (o) set_common(&s->option, o);
  hk_status status = o && o->tangent ? hk_item_text(common, "tangent", o->tangent, err) : HK_OK;
  if (!status) status = set_keys(common, o, NULL, err);
  if (s->option.max_newton < 2) s->option.max_newton = 10;
  return status;
}

static hk_status choose_parameters(hk_sim *s, const hk_sim_options *o, const hk_type *common,
                                   hk_error *err) {
  const hk_type *type = s->stepper;
  const hk_item *file = hk_spec_find(s->model->spec, HK_STEPPER, type->name);
  s->parameter = calloc(1, type->size + 1);
  if (!s->parameter) return hk_fail(err, HK_ENOMEM, "out of memory");
  if (type->size) memcpy(s->parameter, type->defaults, type->size);
  if (ops_of(type)->adjust_defaults) ops_of(type)->adjust_defaults(s->model, s->parameter);
  const hk_param *p;
  for (int i = 0; file && (p = hk_type_param(type, i)); i++)
    if (hk_item_given(file, i) ||
        file->param_place[i].file) /* specified by the model or by `defaults` of the file */
      memcpy((char *)s->parameter + p->offset, (const char *)file->data + p->offset,
             hk_param_size(p));
  hk_item own = {.type = type,
                 .data = s->parameter,
                 .param_state = calloc((size_t)hk_type_param_count(type) + 1, 1),
                 .spec = s->model->spec};
  if (!own.param_state) return hk_fail(err, HK_ENOMEM, "out of memory");
  hk_status status = set_keys(&own, o, common, err);
  free(own.param_state);
  return status;
}

/* Tolerances are relative to the size of the model, but the errors of a film matter relative to its clearance. By
 * default the error of a step is at most this fraction of the smallest length that a force specifies. coarse: see
 * hk_integrator.rtol_coarse. */
static const double film_share = 1e-7, film_share_coarse = 5e-6;

/* For integrators without a tolerance: time-stepping methods, which do not use it, and integrators of plugins. */
static const double rtol_unknown = 1e-5;

static double finest_length(const hk_model *m) {
  double finest = INFINITY;
  for (int i = 0; i < m->n_forces; i++)
    if (m->force[i].fine > 0) finest = fmin(finest, m->force[i].fine);
  for (int i = 0; i < m->n_contacts; i++) {
    const hk_contact *c = &m->contact[i];
    if (c->gap->length_scale && !c->law->set_valued)
      finest = fmin(finest, c->gap->length_scale(c->k));
  }
  return finest;
}

/* The default tolerance. Contacts limit the steps by their own error estimate. Methods of higher order do not support
 * forces with internal variables (such as rolling bearings). If such a force specifies its characteristic length, the
 * fraction film_share_coarse of this length is sufficient. Without a length the coarse tolerance is not accurate
 * enough: only rtol limits the error of an oscillator with a Maxwell element. */
static double default_rtol(const hk_sim *s, bool by_model) {
  const hk_model *m = s->model;
  const hk_integrator *k = hk_integrator_of(s);
  const double finest = finest_length(m);
  bool by_element = m->n_points > 0 || (m->n_moving > 0 && isfinite(finest));
  bool coarse = k->rtol_coarse > 0 && (s->damps_modes || (by_model && by_element));
  double rtol = coarse ? k->rtol_coarse : k->rtol;
  if (!(rtol > 0)) return rtol_unknown;
  return fmin(rtol, (coarse ? film_share_coarse : film_share) * finest / m->length);
}

/* Ratio of the absolute tolerance [m, rad] to the relative one. The absolute tolerance matters in models smaller than a
 * centimetre. */
#define ATOL_OVER_RTOL 0.01

static hk_status choose_stepper(hk_sim *s, const hk_sim_options *o, const hk_item *common,
                                hk_diag *diag, hk_error *err) {
  const hk_model *m = s->model;
  hk_status status = HK_OK;
  bool by_model = is_auto(s);
  s->why = "requested";
  if (by_model)
    s->stepper = fitting_stepper(m, s->option.step, o, &s->why);
  else
    status = find_stepper(m, s->option.stepper, &s->stepper, err);
  if (!status && !s->stepper)
    status = hk_fail(
        err, HK_EINPUT,
        "no stepper can be selected automatically for this model; set `stepper` in the analysis");
  if (!status) status = check_stepper(s->stepper, m, s->option.step, err);
  if (!status) status = choose_parameters(s, o, common->type, err);
  if (status) return status;
  if (by_model) hk_stepper_check(m->spec, s->stepper, HK_WARNING, diag);
  if (!(s->option.rtol > 0)) s->option.rtol = default_rtol(s, by_model);
  /* With a fixed default, atol would limit the accuracy as soon as a user reduces rtol alone. */
  if (!(s->option.atol > 0)) s->option.atol = ATOL_OVER_RTOL * s->option.rtol;
  return HK_OK;
}

hk_status hk_sim_choose(hk_sim *s, const hk_sim_options *o, hk_diag *diag, hk_error *err) {
  hk_item common;
  hk_status status = choose_common(s, o, &common, err);
  if (!status) status = choose_stepper(s, o, &common, diag, err);
  free(common.param_state);
  return status;
}
