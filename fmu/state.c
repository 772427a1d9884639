/* States of an instance: everything that its future depends on, in one block: see instance.h. */
#include "instance.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char MAGIC[8] = "hkfmu01";

struct fmu_state {
  char magic[8];
  char token[64];
  uint64_t size; /* of the block */
  uint64_t n_given, sim_size;
  double mode, time, tolerance, start, stop, changed;
  /* fmu_given [n_given], then the state of the simulation [sim_size] */
};

static fmu_given *given_of(const fmu_state *s) { return (fmu_given *)(uintptr_t)(s + 1); }
static void *sim_of(const fmu_state *s) { return given_of(s) + s->n_given; }

size_t fmu_state_size(const fmu_state *s) { return s ? s->size : 0; }

static void copy_token(const fmu_instance *f, char token[64]) {
  memset(token, 0, 64);
  strncpy(token, f->manifest.token, 63);
}

fmu_status fmu_state_get(fmu_instance *f, fmu_state **state) {
  size_t n_given = (size_t)fmu_n_given(f), sim_size = f->sim ? hk_sim_state_size(f->sim) : 0;
  size_t size = sizeof **state + n_given * sizeof *f->given + sim_size;
  fmu_state *s = *state; /* one that was filled before may be filled again */
  if (!s || s->size != size) {
    s = realloc(s, size);
    if (!s) return fmu_refuse(f, "out of memory");
    *state = s;
    memset(s, 0, sizeof *s);
    memcpy(s->magic, MAGIC, sizeof s->magic);
    copy_token(f, s->token);
  }
  s->size = size, s->n_given = n_given, s->sim_size = sim_size;
  s->mode = f->mode, s->time = f->time, s->changed = f->parameters_changed;
  s->tolerance = f->tolerance, s->start = f->start, s->stop = f->stop;
  memcpy(given_of(s), f->given, n_given * sizeof *f->given);
  if (f->sim) hk_sim_state_get(f->sim, sim_of(s));
  return FMU_OK;
}

static bool same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

/* Whether the simulation is one of the same model and options as that of the state. */
static bool fits(const fmu_instance *f, const fmu_state *s) {
  size_t inputs = 2 * (size_t)f->n_inputs;
  return f->sim && !f->parameters_changed && same(f->tolerance, s->tolerance) &&
         same(f->start, s->start) && same(f->stop, s->stop) &&
         memcmp(f->given + inputs, given_of(s) + inputs,
                (size_t)f->n_parameters * sizeof *f->given) == 0;
}

fmu_status fmu_state_set(fmu_instance *f, const fmu_state *s) {
  if (!s) return fmu_refuse(f, "there is no such state");
  bool fit = fits(f, s);
  memcpy(f->given, given_of(s), s->n_given * sizeof *f->given);
  f->tolerance = s->tolerance, f->start = s->start, f->stop = s->stop;
  f->parameters_changed = s->changed != 0;
  if (!fit) {
    hk_sim_destroy(f->sim);
    f->sim = NULL;
  }
  if (s->sim_size) {
    /* Parameters that were set and not used yet belong to the next simulation, not to that of the state; such a state
     * is rare and its positions are valid for both. */
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
  return FMU_OK;
}

fmu_status fmu_state_write(const fmu_instance *f, const fmu_state *s, void *bytes, size_t size) {
  if (!s || size < s->size)
    return fmu_refuse(f, "%zu bytes are too few for the state, which has %zu", size,
                      fmu_state_size(s));
  memcpy(bytes, s, s->size);
  return FMU_OK;
}

fmu_status fmu_state_read(const fmu_instance *f, const void *bytes, size_t size,
                          fmu_state **state) {
  fmu_state head;
  char token[64];
  copy_token(f, token);
  if (size < sizeof head) return fmu_refuse(f, "%zu bytes are too few for a state", size);
  memcpy(&head, bytes, sizeof head);
  if (memcmp(head.magic, MAGIC, sizeof MAGIC) != 0 || memcmp(head.token, token, sizeof token) != 0)
    return fmu_refuse(f, "the bytes are no state of this FMU");
  if (head.size != size || head.n_given != (uint64_t)fmu_n_given(f) || head.sim_size > size ||
      sizeof head + head.n_given * sizeof *f->given + head.sim_size != size ||
      !(head.mode >= FMU_INSTANTIATED && head.mode <= FMU_TERMINATED))
    return fmu_refuse(f, "the state is damaged");
  fmu_state *s = malloc(size);
  if (!s) return fmu_refuse(f, "out of memory");
  memcpy(s, bytes, size);
  *state = s;
  return FMU_OK;
}
