/* Cache of steps computed before the run: see step_cache.h. */
#include "control/step_cache.h"
#include "control/controller.h"
#include "sim/dense_output.h"
#include "sim/sim.h"
#include "sim/quality.h"
#include <stdlib.h>
#include <string.h>

/* Maximum memory of all cached states. */
static const size_t most_bytes = 32 << 20;

struct hk_snapshot {
  hk_snapshot *next;
  /* the state at the start of this step, if it differs from the state of the previous snapshot; otherwise
   * NULL */
  double *start;
  hk_sim_stats stats;
  hk_quality_record quality;
  double x[]; /* the state, then the arrays of the quality record */
};

static size_t size_of_snapshot(const hk_sim *s) {
  return sizeof(hk_snapshot) + hk_sim_state_size(s) +
         (size_t)hk_quality_list_count(s) * sizeof(double);
}

hk_snapshot *hk_snapshot_keep(const hk_sim *s) {
  hk_snapshot *p = malloc(size_of_snapshot(s));
  if (!p) return NULL;
  p->next = NULL;
  p->start = NULL;
  p->stats = s->stats;
  p->quality = s->quality;
  hk_sim_state_get(s, p->x);
  hk_quality_lists_get(s, p->x + s->state_size);
  return p;
}

static void return_records(hk_sim *s, const hk_snapshot *p) {
  s->stats = p->stats;
  s->quality = p->quality;
  hk_quality_lists_set(s, p->x + s->state_size);
}

hk_status hk_snapshot_return(hk_sim *s, const hk_snapshot *p) {
  hk_status status = hk_sim_state_set(s, p->x);
  return_records(s, p);
  return status;
}

void hk_snapshot_free(hk_snapshot *p) {
  if (p) free(p->start);
  free(p);
}

void hk_step_cache_free(hk_step_cache *a) {
  for (hk_snapshot *p = a->first, *next; p; p = next) {
    next = p->next;
    hk_snapshot_free(p);
  }
  *a = (hk_step_cache){0};
}

/* Keeps the state at the start of a step if the step has changed it. A step changes its start state if it
 * selects other constraint rows, needs the full tangent or searches breakpoints. Interpolated values read these
 * data. */
static bool keep_start(hk_step_cache *a, hk_snapshot *p, const hk_sim *s) {
  size_t bytes = hk_sim_state_size(s);
  if (!s->out.have_step) return false;
  if (memcmp(a->last->x, s->x_next, bytes) == 0) return true;
  p->start = malloc(bytes);
  if (!p->start) return false;
  memcpy(p->start, s->x_next, bytes);
  a->bytes += bytes;
  return true;
}

void hk_step_cache_keep(hk_step_cache *a, const hk_sim *s) {
  a->bytes += size_of_snapshot(s);
  hk_snapshot *p = a->full || a->bytes > most_bytes ? NULL : hk_snapshot_keep(s);
  if (p && a->last && !keep_start(a, p, s)) {
    hk_snapshot_free(p);
    p = NULL;
  }
  a->full = !p;
  if (!p) return;
  if (a->last)
    a->last->next = p;
  else
    a->first = p;
  a->last = p;
}

/* If a step is far from the cached and from the requested end time, it does not depend on these times. */
static bool is_same_step(const hk_sim *s, double t_end) {
  const hk_layout *at = &s->model->at;
  double left = fmin(t_end, s->cache.end) - s->x[at->t];
  return t_end == s->cache.end || left > (HK_EVEN_STEPS + 1) * *hk_control_wanted(s, s->x);
}

static bool leads_on(const hk_sim *s, double t_end) {
  const hk_snapshot *here = s->cache.first;
  return here->next && is_same_step(s, t_end) && memcmp(s->x, here->x, hk_sim_state_size(s)) == 0;
}

/* Puts the simulation into the state after the cached step. Frames and forces are computed again when they are needed. */
static hk_status go_to(hk_sim *s, const hk_snapshot *p) {
  double *x = s->x_next;
  int time = s->model->at.t;
  if (p->start && p->start[time] > s->x[time]) hk_dense_carried(s);
  memcpy(x, p->x, hk_sim_state_size(s));
  s->x_next = s->x;
  s->x = x;
  if (p->start) memcpy(s->x_next, p->start, hk_sim_state_size(s));
  s->kept_past = true;
  hk_output *o = &s->out;
  o->have_accelerations = o->have_frames = o->have_loads = o->have_variables = false;
  o->have_step = true;
  hk_status status = hk_sim_follow_state(s, NULL);
  return_records(s, p);
  return status;
}

bool hk_step_cache_step(hk_sim *s, double t_end, hk_status *status) {
  hk_step_cache *a = &s->cache;
  if (!a->first) return false;
  bool leads = leads_on(s, t_end);
  if (leads) {
    hk_snapshot *here = a->first;
    a->first = here->next;
    hk_snapshot_free(here);
    *status = go_to(s, a->first);
  }
  if (!leads || *status || a->first == a->last) hk_step_cache_free(a);
  return leads;
}
