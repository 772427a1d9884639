/* The coupling partners of a simulation: running FMUs (spec/coupling.h), and their part of a saved
 * state. */
#ifndef HK_SIM_FMU_PARTNERS_H
#define HK_SIM_FMU_PARTNERS_H
#include "sim/sim.h"

typedef struct hk_partners {
  void **partner; /* [n_exchanges] NULL: not started */
  size_t *bytes;  /* [n_exchanges] sizes of their saved states; 0: the state cannot be saved */
  int *word; /* [n_exchanges + 1] offsets of the saved states, in doubles after the state of model
             * and integrator */
  double *u, *y; /* scratch memory: inputs of all partners, outputs of one */
  bool started;
} hk_partners;

/* Memory for the partners of s; they are started by hk_exchange_begin (control/fmu_start.h). */
hk_status hk_partners_create(hk_sim *s, hk_error *err);
void hk_partners_free(hk_sim *s);
/* Doubles that they add to a saved state. */
int hk_partners_words(const hk_sim *s);
void hk_partners_save(const hk_sim *s, double *words);
hk_status hk_partners_restore(hk_sim *s, const double *words);
/* Warnings and errors that the partners have reported. */
void hk_partners_tell(const hk_sim *s, hk_diag *diag);
/* For analyses that do not support FMUs: HK_EINPUT with a message if the model has any. */
hk_status hk_partners_refuse(const hk_model *m, const char *what, hk_error *err);
#endif
