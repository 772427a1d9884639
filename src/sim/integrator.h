/* What the methods of the library keep from one attempt of a step to the next: see hooke/integrator.h. */
#ifndef HK_SIM_INTEGRATOR_H
#define HK_SIM_INTEGRATOR_H
#include <hooke/integrator.h>
#include <math.h>

/* A contact that a step would meet. */
typedef struct hk_met {
  int point;
  double time;  /* from the start of the step; INFINITY or 0: there is none */
  double first; /* the longest step that may begin there */
} hk_met;

/* Attempts whose ends were spoilt by round-off, which a singular position nearby magnifies. */
typedef struct hk_step_beside {
  int tries;
  double h, crept; /* the attempt with the least noise */
  int stage;       /* ... and where it was found: see hk_multistep_beside */
  bool settled;    /* it is taken */
} hk_step_beside;

typedef struct hk_attempt_memory {
  double crept;   /* Newton's iteration stagnated at corrections of this size over tolerance, or left velocities or
                   * accelerations with noise of this size; or 0 */
  bool hopeless;  /* Newton's iteration was not finished: the step would be rejected anyway */
  bool unsolved;  /* the equations of one of the attempts were not solved */
  hk_met land;    /* the contact before which this step is to end: see hk_contact_land */
  hk_step_beside beside;
} hk_attempt_memory;

/* A further source of error in the step, which contains no safety margin. */
static inline void hk_attempt_raise(hk_attempt *a, double error) {
  if (!(a->made > 0)) a->made = a->error;
  a->error = fmax(a->error, error);
  a->made = fmax(a->made, error);
}
#endif
