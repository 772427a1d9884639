/* Data that methods of the library keep between attempts of one step: see hooke/integrator.h. */
#ifndef HK_SIM_INTEGRATOR_H
#define HK_SIM_INTEGRATOR_H
#include <hooke/integrator.h>
#include <math.h>

/* A contact that a step would reach. */
typedef struct hk_met {
  int point;
  double time;  /* time from the start of the step; INFINITY or 0: no contact */
  double first; /* the longest step that may begin there */
} hk_met;

/* Attempts of a step with ends dominated by round-off, which a nearby singular position magnifies. */
typedef struct hk_step_beside {
  int tries;
  double h, crept; /* the attempt with the smallest noise */
  int stage;       /* position of this attempt: see hk_multistep_beside */
  bool settled;    /* it is taken */
} hk_step_beside;

/* Attempts that were rejected because of the energy integrals: see hk_ledger_is_noise. */
typedef struct hk_ledger_refused {
  double error, h; /* [J, s] error and length of the last one */
  int refused,
      stuck; /* their number; and how many in succession were not improved by a shorter step */
} hk_ledger_refused;

typedef struct hk_attempt_memory {
  /* Newton's iteration stagnated at corrections of this magnitude relative to the tolerance, or left noise of this
   * magnitude in velocities or accelerations; or 0 */
  double crept;
  bool hopeless; /* Newton's iteration was stopped: the step would be rejected anyway */
  bool unsolved; /* the equations of one of the attempts were not solved */
  hk_met land;   /* the contact before which this step is to end: see hk_contact_land */
  hk_step_beside beside;
  hk_ledger_refused ledger;
} hk_attempt_memory;

/* Adds a source of error to the step; it has no safety margin. */
static inline void hk_attempt_raise(hk_attempt *a, double error) {
  if (!(a->made > 0)) a->made = a->error;
  a->error = fmax(a->error, error);
  a->made = fmax(a->made, error);
}
#endif
