/* A simulation of a changed model that continues from the state of another one: see hk_sim_create_from in
 * hooke/sim.h. */
#include "sim/fmu_partners.h"
#include "base/required.h"
#include "sim/sim.h"
#include <stdlib.h>
#include <string.h>

/* If a change of the model has opened joints by more than this, relative to the model's size, the state is
 * rejected. */
static const double OPEN = 1e-6;

/* Returns the settings used by the old simulation; they may come from the model, the caller or the defaults. */
static hk_sim_options options_of(const hk_sim *old) {
  return (hk_sim_options){.step = old->option.step,
                          .rtol = old->option.rtol,
                          .atol = old->option.atol,
                          .initial_step = old->option.initial_step,
                          .max_step = old->option.max_step,
                          .min_step = old->option.min_step,
                          .max_newton = old->option.max_newton,
                          .stepper = old->stepper->name,
                          .no_stepping = true,
                          .progress = old->progress,
                          .context = old->progress_context};
}

/* Returns the first item that has another type or name in the changed model, or is missing there; NULL: all agree.  States
 * have no names, so items in another order would exchange their positions. */
static const hk_item *differing_item(const hk_spec *now, const hk_spec *old) {
  static const hk_category with_state[] = {HK_BODY,   HK_JOINT, HK_FORCE, HK_CONTACT,
                                           HK_MOTION, HK_INPUT, HK_STATE, HK_FMU};
  for (size_t k = 0; k < sizeof with_state / sizeof *with_state; k++) {
    const hk_category c = with_state[k];
    for (int i = 0; i < old->n[c]; i++) {
      const hk_item *a = old->item[c][i], *b = i < now->n[c] ? now->item[c][i] : NULL;
      if (!b || a->type != b->type || strcmp(a->name, b->name) != 0) return a;
    }
    if (now->n[c] > old->n[c]) return now->item[c][old->n[c]];
  }
  return NULL;
}

static hk_status check_layout(const hk_sim *a, const hk_sim *b, hk_error *err) {
  const hk_model *m = a->model, *k = b->model;
  const hk_item *other = differing_item(k->spec, m->spec);
  if (other)
    return hk_fail(err, HK_EINPUT,
                   "'%s' is not the same item in both models, or has another position in the list: "
                   "only values of parameters may change, not items",
                   other->name);
  if (a->state_size == b->state_size && memcmp(&m->at, &k->at, sizeof m->at) == 0 &&
      m->nq == k->nq && m->nv == k->nv && m->nc == k->nc)
    return HK_OK;
  return hk_fail(err, HK_EINPUT,
                 "the changed model has a state of another layout (%d values instead of %d): only "
                 "values of parameters may change, not items",
                 b->state_size, a->state_size);
}

static hk_status check_joints(hk_sim *s, hk_error *err) {
  const hk_model *m = s->model;
  hk_instant in = hk_instant_at(m, s->x);
  int row = -1;
  hk_kinematics(s->work, &in, HK_FRAMES_MOVING);
  hk_constraints(s->work, &in);
  double open = hk_max_abs(s->work->g, m->nc, &row);
  if (open <= OPEN * fmax(1, m->length)) return HK_OK;
  hk_fail(
      err, HK_EINPUT,
      "the change violates the constraints of joints by %.3g (m or rad): start a new simulation",
      open);
  return row < 0 ? HK_EINPUT : hk_blame_row(s, row, HK_EINPUT, err);
}

/* Creates a simulation with the settings of another one, in the same state. */
static hk_status create_alike(const hk_model *m, const hk_sim *old, hk_sim **out, hk_error *err) {
  hk_sim_options o = options_of(old);
  hk_status status = hk_sim_create(m, &o, out, NULL, err);
  if (!status) status = check_layout(old, *out, err);
  if (status) return status;
  memcpy((*out)->parameter, old->parameter, old->stepper->size);
  (*out)->option.initial_state = old->option.initial_state;
  return HK_OK;
}

hk_status hk_sim_copy(const hk_sim *sim, hk_sim **out, hk_error *err) {
  if (out) *out = NULL;
  if (!sim || !out)
    return hk_fail(err, HK_EINPUT, "the simulation or the pointer to its copy is NULL");
  hk_status status = hk_sim_state_savable(sim, err);
  void *bytes = status ? NULL : malloc(hk_sim_state_size(sim));
  if (!status && !bytes) status = hk_fail(err, HK_ENOMEM, "out of memory");
  if (!status) status = create_alike(sim->model, sim, out, err);
  if (!status) {
    hk_sim_state_get(sim, bytes);
    status = hk_sim_state_set(*out, bytes);
    if (status) hk_fail(err, status, "the state does not fit the copy");
  }
  free(bytes);
  if (!status) return HK_OK;
  hk_sim_destroy(*out);
  *out = NULL;
  return status;
}

hk_status hk_sim_create_from(const hk_model *changed, const hk_sim *old, hk_sim **out,
                             hk_error *err) {
  HK_REQUIRE(out, err);
  *out = NULL;
  if (!old) return hk_fail(err, HK_EINPUT, "the simulation is NULL");
  hk_status refused = hk_partners_refuse(changed, "a changed simulation", err);
  if (refused) return refused;
  hk_status status = create_alike(changed, old, out, err);
  hk_sim *s = *out;
  if (!status && (status = hk_sim_state_set(s, old->x))) hk_fail(err, status, "out of memory");
  if (!status) status = check_joints(s, err);
  if (status) {
    hk_sim_destroy(s);
    *out = NULL;
    return status;
  }
  s->x[changed->at.jump] = 1; /* forces have jumped: the next step begins like the first one */
  s->out.have_accelerations = s->out.have_frames = s->out.have_loads = s->out.have_variables =
      false;
  return HK_OK;
}
