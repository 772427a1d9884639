/* hk_sim: creation, and the accelerations at the start. */
#include "core/contact.h"
#include "base/required.h"
#include "core/force.h"
#include "setup/initial_snapshot.h"
#include "setup/assembly_report.h"
#include "control/event.h"
#include "control/fmu_start.h"
#include "control/step_cache.h"
#include "setup/stepper_selection.h"
#include "control/contact_error.h"
#include "control/controller.h"
#include "sim/fmu_partners.h"
#include "sim/ledger.h"
#include "sim/table_lookup.h"
#include "control/scan.h"
#include "sim/sim.h"
#include "base/options.h"
#include "sim/quality.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void hk_sim_destroy(hk_sim *s) {
  if (!s) return;
  if (s->own) hk_integrator_of(s)->destroy(s);
  hk_partners_free(s);
  free(s->parameter);
  hk_system_destroy(s->system);
  hk_system_destroy(s->index1);
  hk_work_destroy(s->work);
  free(s->kept);
  free(s->out.point);
  free(s->out.reaction);
  free(s->judge.block);
  hk_quality_free(s);
  hk_scan_free(s);
  hk_events_free(s);
  hk_step_cache_free(&s->cache);
  free(s->block);
  free(s);
}

static hk_status allocate(hk_sim *s, hk_error *err) {
  const hk_model *m = s->model;
  s->work = hk_work_create(m);
  s->kept = calloc((size_t)m->nc + 1, 1);
  s->out.point = calloc((size_t)m->n_points + 1, sizeof *s->out.point);
  if (!s->work || !s->kept || !s->out.point) return hk_fail(err, HK_ENOMEM, "out of memory");
  hk_status status = hk_sim_make_states(s, err);
  if (!status) status = hk_contact_judge_create(s, err);
  return status ? status : hk_scan_create(s, err);
}

/* Reports a body without mass that the joints do not constrain in every direction. */
static hk_status massless_error(const hk_sim *s, hk_error *err) {
  const hk_model *m = s->model;
  int row = s->index1->solver->singular_row;
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    bool empty = n->type->rank(n) == HK_MASS_NONE, known = row >= n->v && row < n->v + n->nv;
    if (row >= 0 && row < m->nv ? known : empty) {
      hk_status status = hk_fail(
          err, HK_EINPUT,
          "body '%s' has too little mass for its motion to be determined%s%s: its joints leave a "
          "direction free in which nothing has inertia. Give it mass and inertia, or constrain it",
          n->name, known ? ", coordinate " : "", known ? n->coordinate[row - n->v].name : "");
      hk_error_about(err, n->name, s->x[m->at.t], -1);
      return status;
    }
  }
  const char *about = "";
  for (int r = 0; r < m->nc && row >= m->nv; r++)
    if (s->kept[r] && s->index1->row_at[r] == row) about = m->row_name[r];
  return hk_fail(err, HK_EFAIL, "the equations of motion are singular at the start%s%s",
                 *about ? ", at " : "", about);
}

/* Reports why accelerations cannot be computed: the cause is an element, or the masses. */
static hk_status start_error(hk_sim *s, hk_error *err) {
  const hk_model *m = s->model;
  const hk_instant in = hk_instant_with(m, s->x, s->out.lambda);
  if (s->work->failure.item) {
    hk_work_failed(s->work, err);
    return HK_EFAIL;
  }
  char why[600];
  const hk_item *reader = hk_lookups_explain(m, s->work->variable, false, why, sizeof why);
  if (reader) {
    hk_fail(err, HK_EINPUT, "at the start, t = %.9g s, %s", in.t, why);
    hk_error_about(err, reader->name, in.t, -1);
    return HK_EINPUT;
  }
  const hk_item *element = hk_forces_not_finite(s->work, &in);
  if (!element) return massless_error(s, err);
  hk_fail(err, HK_EINPUT, "%s '%s' is not a finite number at the start, t = %.9g s",
          hk_category_name(element->type->category), element->name, s->x[m->at.t]);
  hk_error_about(err, element->name, s->x[m->at.t], -1);
  return HK_EINPUT;
}

static hk_status start(hk_sim *s, hk_diag *diag, hk_error *err) {
  const hk_model *m = s->model;
  if (!hk_integrator_can(s, HK_ADAPTIVE) && hk_sim_adapts(s))
    return hk_fail(
        err, HK_EINPUT,
        "the %s stepper needs a fixed step; set it in the analysis, as in 'step: 1e-4 s'",
        s->stepper->name);
  hk_status status = hk_initial_velocities(s, err);
  if (!status && s->option.initial_state == HK_BEGIN_AS_PLACED) hk_tell_speeds(s, diag);
  if (!status) status = hk_tell_overlaps(s, diag, err);
  if (!status) status = hk_build_systems(s, s->option.tangent == HK_TANGENT_FULL, err);
  if (status) return status;
  hk_sim_start_memory(s);
  status = hk_states_begin(s, s->x, err);
  if (!status) status = hk_sim_accelerations(s, s->x, s->out.vd, s->out.lambda, err);
  if (status == HK_RETRY) return start_error(s, err);
  if (status) return status;
  memcpy(s->x + m->at.vd, s->out.vd, (size_t)m->nv * sizeof *s->x);
  memcpy(s->x + m->at.lambda, s->out.lambda, (size_t)m->nc * sizeof *s->x);
  s->out.have_accelerations = true;
  double *ledger = s->x + m->at.ledger;
  ledger[HK_LEDGER_START] = hk_kinetic_energy(s->work, s->x + m->at.v) + s->work->potential;
  hk_ledger_advance(s, s->x, 0, s->x);
  hk_contact_note(s, s->x);
  hk_lookups_accept(s, s->x);
  *hk_control_wanted(s, s->x) = hk_first_step(s);
  s->out.steps_show_all = true;
  for (int i = 0; i < m->n_markers; i++)
    if (m->marker[i].node != HK_GROUND && !(m->marker[i].active && m->marker[i].moving))
      s->out.steps_show_all = false;
  for (int i = 0; i < m->n_contacts; i++)
    if (!m->contact[i].gap->rows) s->out.steps_show_all = false;
  s->stats.constraint_error = hk_max_abs(s->work->g, m->nc, NULL);
  hk_scan_begin(s);
  status = hk_quality_create(s, err);
  if (status) return status;
  hk_quality_begin(s);
  if (hk_integrator_of(s)->restart) hk_integrator_of(s)->restart(s, s->x);
  return hk_integrator_of(s)->create ? hk_integrator_of(s)->create(s, err) : HK_OK;
}

/* Overlap of the parts of composite joints, relative to the model's size, above which parts and bodies are moved: more than
 * round-off. The limit is so small because a misfit is a load: in a double offset joint at 10 degrees, a misfit of 31
 * um stores up to 0.015 J. */
static const double ROUND_OFF = 1e-9;

/* Places the parts of composite joints, and the bodies that they connect. */
static hk_status place_parts(hk_sim *s, hk_error *err) {
  const hk_model *m = s->model, *k = m->start;
  if (!k || !(hk_deepest_part_overlap(s) > ROUND_OFF * m->length)) return HK_OK;
  hk_sim *view = calloc(1, sizeof *view);
  if (!view) return hk_fail(err, HK_ENOMEM, "out of memory");
  view->model = k;
  view->stepper = s->stepper;
  view->option = s->option;
  hk_status status = allocate(view, err);
  if (!status) {
    view->x[k->at.t] = s->x[m->at.t];
    memcpy(view->x + k->at.q, s->x + m->at.q, (size_t)m->nq * sizeof *s->x);
    memcpy(view->x + k->at.v, s->x + m->at.v, (size_t)m->nv * sizeof *s->x);
    memcpy(view->x + k->at.input, s->x + m->at.input,
           HK_INPUT_PARTS * (size_t)m->n_inputs * sizeof *s->x);
    memcpy(view->x + k->at.turn, s->x + m->at.turn, (size_t)m->n_turns * sizeof *s->x);
    status = hk_place_parts(view, m->nc, err);
    memcpy(s->x + m->at.q, view->x + k->at.q, (size_t)m->nq * sizeof *s->x);
    memcpy(s->x + m->at.v, view->x + k->at.v, (size_t)m->nv * sizeof *s->x);
  }
  /* the state of the model `view` contains no data of the integrator, so only positions and velocities are copied */
  hk_sim_destroy(view);
  return status;
}

hk_status hk_sim_assemble(const hk_model *model, const hk_sim_options *options, hk_sim **out,
                          hk_diag *diag, hk_error *err) {
  *out = NULL;
  hk_sim *s = calloc(1, sizeof *s);
  if (!s) return hk_fail(err, HK_ENOMEM, "out of memory");
  s->model = model;
  if (options) s->progress = options->progress, s->progress_context = options->context;
  hk_status status = hk_sim_choose(s, options, diag, err);
  if (!status) status = allocate(s, err);
  if (!status) {
    s->x[model->at.t] = s->option.start;
    memcpy(s->x + model->at.q, model->q0, (size_t)model->nq * sizeof *s->x);
    memcpy(s->x + model->at.v, model->v0, (size_t)model->nv * sizeof *s->x);
    for (int i = 0; i < model->n_inputs; i++) s->x[model->at.input + i] = model->input[i].start;
    status = hk_initial_positions(s, err);
    if (!status) status = place_parts(s, err);
    if (!status && model->start) status = hk_initial_positions(s, err);
  }
  if (!status) status = hk_find_redundancy(s, diag, err);
  if (!status) hk_tell_assembly(s, diag);
  if (status) {
    hk_sim_destroy(s);
    return status;
  }
  *out = s;
  return HK_OK;
}

static hk_status create(const hk_model *model, const hk_sim_options *options, hk_sim **out,
                        hk_diag *diag, hk_error *err) {
  hk_status status = hk_sim_assemble(model, options, out, diag, err);
  if (!status && (*out)->option.initial_state == HK_BEGIN_EQUILIBRIUM)
    status = hk_static_start(*out, err);
  if (!status) status = start(*out, diag, err);
  if (status) {
    hk_error_about(err, NULL, hk_spec_start_time(model->spec), -1);
    hk_sim_destroy(*out);
    *out = NULL;
  }
  return status;
}

hk_status hk_sim_create(const hk_model *model, const hk_sim_options *options, hk_sim **out,
                        hk_diag *diag, hk_error *err) {
  HK_REQUIRE(out, err);
  hk_sim_options o;
  if (!model) return *out = NULL, hk_fail(err, HK_EINPUT, HK_NO_MODEL);
  HK_TAKE_OPTIONS(o, options);
  /* Outputs of FMUs jump at every sample.  Trial integrations would make steps of the FMUs, which cannot be taken
   * back. */
  bool coupled = model->n_exchanges > 0 || model->event_sets;
  if (coupled) o.one_step = true;
  hk_status status = create(model, &o, out, diag, err);
  if (!status) status = hk_events_begin(*out, err);
  if (!status && coupled && !o.no_stepping) {
    status = hk_exchange_begin(*out, err);
    hk_partners_tell(*out, diag);
  }
  if (!status && !o.no_stepping && !coupled) status = hk_trial_choose(*out, &o, err);
  if (status) {
    hk_sim_destroy(*out);
    *out = NULL;
  }
  return status;
}
