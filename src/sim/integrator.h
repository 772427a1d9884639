/* Data that methods of the library keep between attempts of one step: see hooke/integrator.h. */
#ifndef HK_SIM_INTEGRATOR_H
#define HK_SIM_INTEGRATOR_H
#include <hooke/integrator.h>
#include <math.h>

/* A contact that closes within a step. */
typedef struct hk_met {
  int point;
  double time;  /* time from the start of the step; INFINITY or 0: no contact */
  double first; /* allowed length of the first step after the contact has closed */
} hk_met;

/* Attempts of a step whose ends are dominated by round-off, which a nearby singular position
 * magnifies. */
typedef struct hk_step_beside {
  int tries;
  double h, crept; /* length and noise of the attempt with the least noise so far */
  int stage;       /* progress of these attempts: see hk_multistep_beside */
  bool settled;    /* the attempt with the least noise is accepted */
} hk_step_beside;

/* Attempts that were rejected because of the energy integrals: see hk_ledger_is_noise. */
typedef struct hk_ledger_refused {
  double error, h; /* error [J] and length [s] of the last of these attempts */
  int refused;     /* number of these attempts */
  int stuck; /* number of successive attempts in which a shorter step did not reduce the error */
} hk_ledger_refused;

typedef struct hk_attempt_memory {
  /* noise of the attempt relative to the tolerance: the magnitude of the corrections at which Newton's iteration
   * stagnated, or the remaining noise of velocities or accelerations; 0: no noise */
  double crept;
  bool hopeless; /* Newton's iteration was stopped because the step would be rejected anyway */
  bool unsolved; /* the equations were not solved in one of the attempts */
  hk_met land;   /* the contact before whose closing this step must end: see hk_contact_land */
  hk_step_beside beside;
  hk_ledger_refused ledger;
} hk_attempt_memory;

/* Adds a source of error to the step, without a safety factor. */
static inline void hk_attempt_raise(hk_attempt *a, double error) {
  if (!(a->made > 0)) a->made = a->error;
  a->error = fmax(a->error, error);
  a->made = fmax(a->made, error);
}
#endif
