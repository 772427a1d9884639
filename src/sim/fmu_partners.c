/* Partners of a simulation: see fmu_partners.h.
 *
 * A saved state ends with one block for each partner: a 1 and the saved state of the FMU, or a 0 if the FMU could not
 * save its state. */
#include "sim/fmu_partners.h"
#include <stdlib.h>
#include <string.h>

hk_status hk_partners_create(hk_sim *s, hk_error *err) {
  const hk_model *m = s->model;
  size_t n = (size_t)m->n_exchanges, u = 0, y = 0;
  if (s->partners || n == 0) return HK_OK;
  for (size_t i = 0; i < n; i++) {
    u += (size_t)m->exchange[i].coupling->n_inputs;
    size_t more = (size_t)m->exchange[i].coupling->n_outputs;
    y = more > y ? more : y;
  }
  hk_partners *p = s->partners = calloc(1, sizeof *p);
  if (p) {
    p->partner = calloc(n, sizeof *p->partner);
    p->bytes = calloc(n, sizeof *p->bytes);
    p->word = calloc(n + 1, sizeof *p->word);
    p->u = calloc(u + 1, sizeof *p->u);
    p->y = calloc(y + 1, sizeof *p->y);
  }
  if (p && p->partner && p->bytes && p->word && p->u && p->y) return HK_OK;
  return hk_fail(err, HK_ENOMEM, "out of memory");
}

void hk_partners_free(hk_sim *s) {
  hk_partners *p = s->partners;
  if (!p) return;
  for (int i = 0; p->partner && i < s->model->n_exchanges; i++)
    if (p->partner[i]) s->model->exchange[i].coupling->ops->close(p->partner[i]);
  free(p->partner);
  free(p->bytes);
  free(p->word);
  free(p->u);
  free(p->y);
  free(p);
  s->partners = NULL;
}

int hk_partners_words(const hk_sim *s) {
  return s->partners ? s->partners->word[s->model->n_exchanges] : 0;
}

void hk_partners_save(const hk_sim *s, double *words) {
  const hk_partners *p = s->partners;
  for (int i = 0; p && i < s->model->n_exchanges; i++) {
    double *at = words + p->word[i];
    memset(at, 0, (size_t)(p->word[i + 1] - p->word[i]) * sizeof *at);
    if (p->partner[i] && p->bytes[i])
      at[0] = s->model->exchange[i].coupling->ops->save(p->partner[i], at + 1, p->bytes[i], NULL) ==
              HK_OK;
  }
}

hk_status hk_partners_restore(hk_sim *s, const double *words) {
  const hk_partners *p = s->partners;
  hk_status status = HK_OK;
  for (int i = 0; p && p->started && i < s->model->n_exchanges && !status; i++) {
    const double *at = words + p->word[i];
    status = at[0] == 1 ? s->model->exchange[i].coupling->ops->restore(p->partner[i], at + 1,
                                                                       p->bytes[i], NULL)
                        : HK_EINPUT;
  }
  return status;
}

typedef struct listener {
  hk_diag *diag;
  const hk_item *item;
} listener;

static void hear(void *context, const char *text) {
  const listener *l = context;
  hk_diag_add(l->diag, HK_WARNING, hk_item_location(l->item, NULL), "%s", text);
}

void hk_partners_tell(const hk_sim *s, hk_diag *diag) {
  for (int i = 0; s->partners && diag && i < s->model->n_exchanges; i++) {
    listener l = {diag, s->model->exchange[i].item};
    if (s->partners->partner[i])
      s->model->exchange[i].coupling->ops->messages(s->partners->partner[i], hear, &l);
  }
}

hk_status hk_partners_refuse(const hk_model *m, const char *what, hk_error *err) {
  if (!m || m->n_exchanges == 0) return HK_OK;
  const char *name = m->exchange[0].coupling->name;
  hk_fail(err, HK_EINPUT,
          "%s does not include the states of fmu '%s'; replace its outputs by inputs or "
          "expressions for this analysis",
          what, name);
  hk_error_about(err, name, NAN, -1);
  return HK_EINPUT;
}

hk_status hk_sim_state_savable(const hk_sim *s, hk_error *err) {
  if (!s) return hk_fail(err, HK_EINPUT, "the simulation is NULL");
  for (int i = 0; i < s->model->n_exchanges; i++) {
    if (s->partners && s->partners->started && s->partners->bytes[i]) continue;
    const char *name = s->model->exchange[i].coupling->name;
    hk_fail(err, HK_EINPUT, "states cannot be saved: fmu '%s' %s", name,
            s->partners && s->partners->started ? "cannot save its own (canSerializeFMUState)"
                                                : "has not started yet");
    hk_error_about(err, name, hk_sim_time(s), -1);
    return HK_EINPUT;
  }
  return HK_OK;
}
