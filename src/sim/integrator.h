/* What an integrator provides, and what one attempt of a step is told and tells.
 *
 * An integrator knows how to make one step of a given length.  It does not decide whether that step is taken, how long the
 * next one is, or where a step has to end: the controller and the sources of events do (src/control).
 */
#ifndef HK_SIM_INTEGRATOR_H
#define HK_SIM_INTEGRATOR_H
#include "spec/type.h"
#include <hooke/sim.h>

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

typedef struct hk_attempt {
  /* What the integrator is told. */
  double wanted; /* the length that the controller would choose if the step did not have to end somewhere */
  bool due;      /* the step has to end where it does */
  int rejected;  /* attempts of this step before this one */
  bool unsolved; /* the equations of one of them were not solved */

  /* What it tells of the step from x0 to x1; all 0 before each attempt except `reached` and `judged`, which are h. */
  double error;     /* estimated local error over tolerance: up to 1 it may be accepted */
  double made;      /* the same without any safety margin that `error` contains; 0: there is none in it */
  int order;        /* `error` grows with the length as h^(order + 1); 0: the integrator's own order */
  double judged;    /* the length to which `error` belongs */
  double reached;   /* the length after which the integrator ended the step by itself; 0: only velocities jumped */
  bool elsewhere;   /* round-off spoils this end: a step of length `next` is to be attempted instead */
  double next;      /* length suggested for the next step, or for the next attempt; 0: by the error */
  int newton;       /* iterations */
  const char *why;  /* of a negative status, or what to try where no step succeeds; or NULL */

  /* What it keeps from one attempt of a step to the next. */
  double crept;     /* Newton's iteration stagnated at corrections of this size over tolerance, or left velocities or
                     * accelerations with noise of this size; or 0 */
  hk_step_beside beside;
  hk_met land;      /* the contact before which this step is to end: see hk_contact_land */
  bool hopeless;    /* Newton's iteration was not finished: the step would be rejected anyway */
} hk_attempt;

/* A further source of error in the step, which contains no safety margin. */
static inline void hk_attempt_raise(hk_attempt *a, double error) {
  if (!(a->made > 0)) a->made = a->error;
  a->error = fmax(a->error, error);
  a->made = fmax(a->made, error);
}

/* What an integrator can do. */
typedef enum hk_capability {
  HK_ADAPTIVE = 1 << 0,      /* estimates its error; otherwise the step must be given */
  HK_ADAPTIVE_ONLY = 1 << 1, /* ... and chooses every step itself: none may be given */
  HK_IMPACTS = 1 << 2,       /* takes set-valued contacts */
  HK_MEANS = 1 << 3,         /* accelerations and multipliers of its states are means over the step, impulses included:
                              * the next step does not continue from them */
  HK_OWN_LEDGER = 1 << 4,    /* its steps write the energy ledger themselves */
  HK_LEAVES_FRAMES = 1 << 5, /* after a step the work holds frames, constraints and forces of its end */
  HK_KEEPS_PAST = 1 << 6,    /* needs earlier steps: a multistep method */
  HK_DENSE_BY_ENDS = 1 << 7, /* values between steps come from the two ends alone */
  HK_NOISE_FADES = 1 << 8,   /* computes velocities anew from positions in each step: noise of one does not last */
  /* Undamped modes that are too fast for the step ... */
  HK_WAKES_MODES = 1 << 9,    /* are excited and keep it short */
  HK_DAMPS_MODES = 1 << 10,   /* die out */
  HK_FOLLOWS_MODES = 1 << 11, /* are followed at the least cost */
  HK_KEEPS_STEADY = 1 << 12   /* constant velocities, of rotation too, are integrated exactly in steps of any length */
} hk_capability;

/* What a type of HK_STEPPER provides; its parameter table says which keys it reads from the analysis beside the common
 * ones, and its struct of these is s->parameter.  A new integrator is a file and a line in integrators.list. */
typedef struct hk_integrator {
  int order;         /* the highest, if it varies */
  unsigned can;      /* hk_capability */
  double rtol, atol; /* its default tolerances; 0: those of the analysis */

  /* One step from x0 (never written) into x1, which is x0 from the angles on (hk_layout.turn to size) and otherwise
   * anything.  HK_RETRY: the equations of the step could not be solved. */
  hk_status (*attempt)(hk_sim *s, const double *x0, double h, double *x1, hk_attempt *a);
  /* Begins anew at x, whose accelerations and multipliers are known: nothing of the past counts.  NULL: it has none. */
  void (*restart)(const hk_sim *s, double *x);
  /* Fills the state at a time t within the last accepted step, from s->x_next (its start) and s->x (its end).
   * NULL: steps must end where values are wanted. */
  void (*dense)(const hk_sim *s, double t, double *x);

  /* Doubles that it keeps in the state, after the model's own; NULL: none. */
  int (*state_size)(const hk_model *m);
  /* Working memory s->own, made once the systems stand and released with the simulation; NULL: none. */
  hk_status (*create)(hk_sim *s, hk_error *err);
  void (*destroy)(hk_sim *s);
  /* Fills the working memory with what must not be used; NULL: there is none. */
  void (*poison)(hk_sim *s);
  /* Accelerations and multipliers that the output shows at the state x, if they are not those of the state. */
  hk_status (*accelerations)(hk_sim *s, const double *x, double *vd, double *lambda, hk_error *err);

  /* Whether it can integrate the model.  If not: HK_EINPUT, and what it cannot do in `why`: "cannot hold joints, and ...". */
  hk_status (*supports)(const hk_model *m, hk_error *why);
  /* How well it fits a model that it supports, and why: `auto` chooses the largest.  NULL or 0: only by name. */
  int (*score)(const hk_model *m, const char **why);
  /* Its keys as they should be for a model where nobody gives them; NULL: the defaults. */
  void (*suit)(const hk_model *m, void *keys);
} hk_integrator;

/* For hk_integrator.supports: refuses set-valued contacts. */
hk_status hk_integrator_needs_smooth(const hk_model *m, hk_error *why);
#endif
