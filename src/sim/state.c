/* Access to the state of a simulation: time, statistics, saved states, single numbers. */
#include "core/contact.h"
#include "model/layout.h"
#include "sim/fmu_partners.h"
#include "sim/sim.h"
#include <stdio.h>
#include <string.h>

void hk_sim_start_memory(hk_sim *s) {
  const hk_model *m = s->model;
  if (!m->n_memory) return;
  const hk_instant in = hk_instant_settled(m, s->x, s->x + m->at.lambda);
  hk_kinematics(s->work, &in, HK_FRAMES_MOVING);
  hk_memory_start(s->work, &in, s->x + m->at.memory);
  hk_copy(s->x + m->at.memory_old, s->x + m->at.memory, m->n_memory);
}

double hk_sim_time(const hk_sim *s) { return s ? s->x[s->model->at.t] : NAN; }
hk_sim_stats hk_sim_statistics(const hk_sim *s) { return s ? s->stats : (hk_sim_stats){0}; }
const char *hk_sim_stepper_name(const hk_sim *s) { return s ? s->stepper->name : ""; }
const char *hk_sim_stepper_why(const hk_sim *s) { return s ? s->why : ""; }
const char *hk_sim_step_limit(const hk_sim *s) {
  return s ? s->limit ? s->limit : "nothing yet" : "";
}
size_t hk_sim_state_size(const hk_sim *s) {
  return s ? (size_t)hk_sim_state_count(s) * sizeof(double) : 0;
}
void hk_sim_state_get(const hk_sim *s, void *bytes) {
  if (!s || !bytes) return;
  memcpy(bytes, s->x, (size_t)s->state_size * sizeof(double));
  hk_partners_save(s, (double *)bytes + s->state_size);
}

hk_status hk_sim_follow_state(hk_sim *s, hk_error *err) {
  const hk_model *m = s->model;
  const double *kept = s->x + m->at.kept;
  bool full = s->x[m->at.full] != 0, same = s->system && s->system->full == full;
  s->stats.redundant = 0;
  for (int r = 0; r < m->nc; r++) {
    same = same && s->kept[r] == (kept[r] != 0);
    s->kept[r] = kept[r] != 0;
    s->stats.redundant += !s->kept[r];
  }
  return same ? HK_OK : hk_build_systems(s, full, err);
}

hk_status hk_sim_state_set(hk_sim *s, const void *bytes) {
  if (!bytes) return HK_EINPUT;
  if (!s) return HK_EINPUT;
  hk_status status = hk_partners_restore(s, (const double *)bytes + s->state_size);
  if (status) return status;
  memcpy(s->x, bytes, (size_t)s->state_size * sizeof(double));
  s->kept_past = false;
  s->out.carried = false;
  hk_output *o = &s->out;
  o->have_accelerations = o->have_frames = o->have_loads = o->have_variables = o->have_step = false;
  s->stats.step = s->x[s->model->at.h];
  return hk_sim_follow_state(s, NULL);
}

int hk_sim_state_count(const hk_sim *s) { return s ? s->state_size + hk_partners_words(s) : 0; }

hk_status hk_sim_state_entry(const hk_sim *s, int i, hk_state_entry *out) {
  if (!out) return HK_EINPUT;
  if (!s) return HK_EINPUT;
  *out = (hk_state_entry){.part = HK_PART_STEPPER, .unit = ""};
  if (i < 0 || i >= hk_sim_state_count(s)) return HK_EINPUT;
  int size = s->model->at.size;
  if (i < size)
    hk_layout_entry(s->model, i, out);
  else if (i >= s->state_size)
    out->part = HK_PART_FMU, snprintf(out->name, sizeof out->name, "fmu[%d]", i - s->state_size);
  else
    snprintf(out->name, sizeof out->name, "%s[%d]", s->stepper->name, i - size);
  return HK_OK;
}

int hk_sim_state_find(const hk_sim *s, const char *name) {
  if (!s) return -1;
  hk_state_entry e;
  for (int i = 0; i < hk_sim_state_count(s); i++)
    if (hk_sim_state_entry(s, i, &e) == HK_OK && strcmp(e.name, name) == 0) return i;
  return -1;
}

hk_status hk_sim_state_difference(const hk_sim *s, const void *from, const void *to, double *out) {
  if (!s || !from || !to || !out) return HK_EINPUT;
  const hk_model *m = s->model;
  const double *x = from, *y = to;
  hk_configuration_sub(m, y + m->at.q, x + m->at.q, out);
  for (int i = 0; i < m->nv; i++) out[m->nv + i] = y[m->at.v + i] - x[m->at.v + i];
  return HK_OK;
}

hk_status hk_sim_state_move(const hk_sim *s, void *state, const double *d) {
  if (!s || !state || !d) return HK_EINPUT;
  const hk_model *m = s->model;
  double *x = state;
  hk_configuration_add(m, x + m->at.q, d, x + m->at.q);
  for (int i = 0; i < m->nv; i++) x[m->at.v + i] += d[m->nv + i];
  return HK_OK;
}

hk_status hk_sim_body_pose(const hk_sim *s, int i, hk_body_pose *out) {
  if (!s) return HK_EINPUT;
  return hk_model_body_pose(s->model, i, s->x, out);
}
