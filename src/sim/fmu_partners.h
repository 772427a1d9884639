/* The coupling partners of a simulation: running FMUs (spec/coupling.h), and their part of a saved
 * state. */
#ifndef HK_SIM_FMU_PARTNERS_H
#define HK_SIM_FMU_PARTNERS_H
#include "sim/sim.h"

typedef struct hk_partners {
  void **partner; /* [n_exchanges] NULL: not started */
  size_t *
      bytes; /* [n_exchanges] sizes of their saved states in bytes; 0: the FMU cannot save its state */
  int *word; /* [n_exchanges + 1] offsets of the saved states, in doubles after the state of model
             * and integrator */
  double *u, *y; /* scratch memory: inputs of all partners, outputs of one */
  bool started;
} hk_partners;

/* Allocates the memory of the partners of s; hk_exchange_begin (control/fmu_start.h) starts them. */
hk_status hk_partners_create(hk_sim *s, hk_error *err);
void hk_partners_free(hk_sim *s);
/* Number of doubles by which the partners extend a saved state. */
int hk_partners_words(const hk_sim *s);
void hk_partners_save(const hk_sim *s, double *words);
hk_status hk_partners_restore(hk_sim *s, const double *words);
/* Adds the warnings and errors that the partners have reported to diag. */
void hk_partners_tell(const hk_sim *s, hk_diag *diag);
/* For analyses that do not support FMUs: HK_EINPUT with a message if the model has any. */
hk_status hk_partners_refuse(const hk_model *m, const char *what, hk_error *err);
#endif
