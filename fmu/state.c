/* States of an instance: everything that its future depends on, in one block: see instance.h. */
#include "instance.h"
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char MAGIC[8] = "hkfmu02";

struct fmu_state {
  char magic[8];
  char token[64];
  uint64_t size; /* of the block */
  uint64_t sum;  /* checksum of the serialised bytes, computed with this member set to 0 */
  uint64_t n_given, n_states, sim_size;
  double mode, time, tolerance, start, stop, changed;
  double event[4]; /* next and last time event */
  /* fmu_given [n_given], states of the importer [n_states], state of the simulation [sim_size] */
};

static fmu_given *given_of(const fmu_state *s) { return (fmu_given *)(uintptr_t)(s + 1); }
static double *x_of(const fmu_state *s) { return (double *)(void *)(given_of(s) + s->n_given); }
static void *sim_of(const fmu_state *s) { return x_of(s) + s->n_states; }

size_t fmu_state_size(const fmu_state *s) { return s ? s->size : 0; }

/* States of importers exist in instances for model exchange only. */
static size_t n_states_of(const fmu_instance *f) {
  return f->importer.exchange ? (size_t)f->n_states : 0;
}

/* FNV-1a checksum: detects damaged bytes, with which the simulation could not continue. */
static uint64_t sum_of(const fmu_state *s) {
  const unsigned char *byte = (const unsigned char *)s;
  uint64_t sum = 0xcbf29ce484222325u;
  for (size_t i = 0; i < s->size; i++) sum = (sum ^ byte[i]) * 0x100000001b3u;
  return sum;
}

static void copy_token(const fmu_instance *f, char token[64]) {
  memset(token, 0, 64);
  strncpy(token, f->manifest.token, 63);
}

fmu_status fmu_state_get(fmu_instance *f, fmu_state **state) {
  if (!f || fmu_need(f, state, 1)) return FMU_ERROR;
  size_t n_states = n_states_of(f);
  /* a state with parameters that wait for the next step is at the communication point */
  fmu_status status = f->parameters_changed && f->sim ? fmu_step_back(f) : FMU_OK;
  if (status) return status;
  size_t n_given = (size_t)fmu_n_given(f), sim_size = f->sim ? hk_sim_state_size(f->sim) : 0;
  size_t size = sizeof **state + n_given * sizeof *f->given + n_states * sizeof *f->x + sim_size;
  fmu_state *s = *state; /* a state that was filled before may be filled again */
  if (!s || s->size != size) {
    s = realloc(s, size);
    if (!s) return fmu_refuse(f, "out of memory");
    *state = s;
    memset(s, 0, sizeof *s);
    memcpy(s->magic, MAGIC, sizeof s->magic);
    copy_token(f, s->token);
  }
  s->sum = 0;
  s->size = size, s->n_given = n_given, s->n_states = n_states, s->sim_size = sim_size;
  s->mode = f->mode, s->time = f->time, s->changed = f->parameters_changed;
  s->tolerance = f->tolerance, s->start = f->start, s->stop = f->stop;
  memcpy(given_of(s), f->given, n_given * sizeof *f->given);
  const double event[4] = {f->next.left, f->next.right, f->passed.left, f->passed.right};
  memcpy(s->event, event, sizeof event);
  if (n_states) memcpy(x_of(s), f->x, n_states * sizeof *f->x);
  bool passed = f->ahead && f->mode > FMU_INITIALIZING && hk_sim_time(f->sim) > f->time;
  if (passed)
    memcpy(sim_of(s), f->before, sim_size);
  else if (f->sim)
    hk_sim_state_get(f->sim, sim_of(s));
  return FMU_OK;
}

static bool same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

/* Returns true if the simulation has the same model and options as that of the state. */
static bool fits(const fmu_instance *f, const fmu_state *s) {
  size_t inputs = 2 * (size_t)f->n_inputs;
  return f->sim && !f->parameters_changed && same(f->tolerance, s->tolerance) &&
         same(f->start, s->start) && same(f->stop, s->stop) &&
         memcmp(f->given + inputs, given_of(s) + inputs,
                (size_t)f->n_parameters * sizeof *f->given) == 0;
}

fmu_status fmu_state_set(fmu_instance *f, const fmu_state *s) {
  char token[64];
  if (!f || !s) return fmu_refuse(f, "there is no such state");
  copy_token(f, token);
  if (memcmp(s->token, token, sizeof token) != 0 || s->n_given != (uint64_t)fmu_n_given(f) ||
      s->n_states != n_states_of(f))
    return fmu_refuse(f, "the state belongs to another FMU, or to an instance of the other kind");
  bool fit = fits(f, s);
  memcpy(f->given, given_of(s), s->n_given * sizeof *f->given);
  f->tolerance = s->tolerance, f->start = s->start, f->stop = s->stop;
  f->parameters_changed = s->changed != 0;
  if (!fit) {
    hk_sim_destroy(f->sim);
    f->sim = NULL;
  }
  if (s->sim_size) {
    /* Parameters that were set but not used yet apply to the next simulation and not to that of
     * the state. Such a state is rare, and its positions are valid for both simulations. */
    f->mode = FMU_INSTANTIATED;
    fmu_status status = f->sim ? FMU_OK : fmu_settle(f);
    if (status) return status;
    f->parameters_changed = s->changed != 0;
    if (hk_sim_state_size(f->sim) != s->sim_size)
      return fmu_refuse(f, "the state belongs to another model: its size differs");
    if (hk_sim_state_set(f->sim, sim_of(s))) return fmu_refuse(f, "out of memory");
  }
  f->mode = (fmu_mode)s->mode;
  f->time = s->time;
  f->next = (hk_knot){.left = s->event[0], .right = s->event[1]};
  f->passed = (hk_knot){.left = s->event[2], .right = s->event[3]};
  if (s->n_states) memcpy(f->x, x_of(s), s->n_states * sizeof *f->x);
  f->placed = f->have_rates = false;
  return FMU_OK;
}

fmu_status fmu_state_write(const fmu_instance *f, const fmu_state *s, void *bytes, size_t size) {
  if (!f || fmu_need(f, bytes, size)) return FMU_ERROR;
  if (!s || size < s->size)
    return fmu_refuse(f, "%zu bytes are too few for the state, which has %zu", size,
                      fmu_state_size(s));
  memcpy(bytes, s, s->size);
  uint64_t sum = sum_of(s); /* the bytes need not be aligned */
  memcpy((char *)bytes + offsetof(fmu_state, sum), &sum, sizeof sum);
  return FMU_OK;
}

fmu_status fmu_state_read(const fmu_instance *f, const void *bytes, size_t size,
                          fmu_state **state) {
  fmu_state head;
  char token[64];
  if (!f || fmu_need(f, bytes, size) || fmu_need(f, state, 1)) return FMU_ERROR;
  copy_token(f, token);
  if (size < sizeof head) return fmu_refuse(f, "%zu bytes are too few for a state", size);
  memcpy(&head, bytes, sizeof head);
  if (memcmp(head.magic, MAGIC, sizeof MAGIC) != 0 || memcmp(head.token, token, sizeof token) != 0)
    return fmu_refuse(f, "the bytes are no state of this FMU");
  if (head.size != size || head.n_given != (uint64_t)fmu_n_given(f) || head.sim_size > size ||
      head.n_states > size ||
      sizeof head + head.n_given * sizeof *f->given + head.n_states * sizeof *f->x +
              head.sim_size !=
          size ||
      !(head.mode >= FMU_INSTANTIATED && head.mode <= FMU_TERMINATED))
    return fmu_refuse(f, "the state is damaged");
  fmu_state *s = malloc(size);
  if (!s) return fmu_refuse(f, "out of memory");
  memcpy(s, bytes, size);
  s->sum = 0;
  if (sum_of(s) != head.sum) {
    free(s);
    return fmu_refuse(f, "the state is damaged");
  }
  *state = s;
  return FMU_OK;
}
