/* Integrators: the methods that make steps, and how a program or a plugin adds one.
 *
 * An integrator computes one step of a given length.  The step controller and the event sources decide whether the step is
 * accepted, how long the next one is, and where a step has to end.  A new one is a type of HK_STEPPER whose `ops` is an
 * hk_integrator; its parameter table holds the keys that it reads from the analysis in addition to the common ones.
 *
 * A state is one array of doubles (hooke/state.h).  hk_integrator_parts gives the offsets of its parts.  Past data of a
 * method is the last part of the state, so that a run continued from a saved state gives bit-identical results.
 */
#ifndef HOOKE_INTEGRATOR_H
#define HOOKE_INTEGRATOR_H
#include <hooke/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One attempt of a step. */
typedef struct hk_attempt {
  /* Input of the integrator. */
  double wanted; /* step size requested by the controller, before limits */
  bool due;      /* the end time of the step is prescribed */
  int rejected;  /* attempts of this step before this one */

  /* Results.  All are 0 before each attempt, except `reached` and `judged`, which are the length of the step. */
  double error;    /* estimated local error divided by the tolerance (hk_integrator_error); <= 1: the step may be accepted */
  double made;     /* the same without the safety factor that `error` contains; 0: `error` contains none */
  int order;       /* `error` is proportional to h^(order + 1); 0: the order of the integrator */
  double judged;   /* the step size for which `error` was estimated */
  double reached;  /* the step size at which the integrator ended the step early; 0: only velocities jumped */
  bool elsewhere;  /* round-off dominates at this step end: attempt a step of length `next` instead */
  double next;     /* length suggested for the next step, or for the next attempt; 0: by the error */
  int newton;      /* iterations */
  const char *why; /* reason of a negative status, or advice if no step succeeds; or NULL */

  struct hk_attempt_memory *memory; /* data that methods of the library keep between attempts of one step */
} hk_attempt;

/* Properties of an integrator. */
typedef enum hk_capability {
  HK_ADAPTIVE = 1 << 0,      /* estimates its error; otherwise a fixed step must be given */
  HK_ADAPTIVE_ONLY = 1 << 1, /* chooses every step itself: a fixed step is rejected */
  HK_IMPACTS = 1 << 2,       /* supports set-valued contacts */
  HK_MEANS = 1 << 3,         /* accelerations and multipliers of its states are means over the step, impulses included:
                              * the next step does not continue from them */
  HK_OWN_LEDGER = 1 << 4,    /* its steps update the energy balance themselves */
  HK_LEAVES_FRAMES = 1 << 5, /* after a step, frames, constraints and forces of its end are in the working memory */
  HK_KEEPS_PAST = 1 << 6,    /* needs earlier steps: a multistep method */
  HK_DENSE_BY_ENDS = 1 << 7, /* values between steps come from the two ends alone */
  /* Undamped modes that are too fast for the step size: */
  HK_EXCITES_MODES = 1 << 8, /* are excited and limit the step size */
  HK_DAMPS_MODES = 1 << 9, /* are damped */
  HK_EXACT_STEADY = 1 << 10 /* constant velocities and angular velocities are integrated exactly with any step size */
} hk_capability;

typedef struct hk_integrator {
  int order;         /* the highest order, if it varies */
  unsigned can;      /* hk_capability */
  double rtol;       /* default tolerance; 0: 1e-5 */
  /* default tolerance where `auto` selects the method for contacts, or for modes that are damped, not followed; 0: rtol */
  double rtol_coarse;

  /* One step from x0 (never written) into x1: time, positions, velocities, accelerations, multipliers, length of the step and
   * the part of the method; the rest of x1 is a copy of x0.  HK_RETRY: the equations of the step could not be solved. On
   * return the working memory holds the frames and forces of x1: see hk_integrator_finish. */
  hk_status (*attempt)(hk_sim *s, const double *x0, double h, double *x1, hk_attempt *a);
  /* Restarts at x, whose accelerations and multipliers are known, without history.  NULL: the method has no history. */
  void (*restart)(const hk_sim *s, double *x);
  /* Fills the state x at a time t within the last accepted step.  NULL: no interpolation; steps must end at output times.
   * hk_integrator_dense is suitable for methods up to third order. */
  void (*dense)(const hk_sim *s, double t, double *x);

  /* Number of doubles that the method keeps at the end of the state; NULL: none. */
  int (*state_size)(const hk_model *m);
  /* Working memory (hk_integrator_memory): created before the first step, released with the simulation; NULL: none. */
  hk_status (*create)(hk_sim *s, hk_error *err);
  void (*destroy)(hk_sim *s);
  /* Fills the working memory with NaN, so that tests detect the use of stale data; NULL: no working memory. */
  void (*poison)(hk_sim *s);
  /* Accelerations and multipliers for output at the state x, if they differ from those in the state. */
  hk_status (*accelerations)(hk_sim *s, const double *x, double *vd, double *lambda, hk_error *err);

  /* Whether it can integrate the model.  If not: HK_EINPUT, and the unsupported feature in `why`: "does not support joints,
   * but ...". NULL: every model. */
  hk_status (*supports)(const hk_model *m, hk_error *why);
  /* Suitability for a supported model, with the reason: `auto` chooses the largest value.  NULL or 0: used only if requested
   * by name. */
  int (*score)(const hk_model *m, const char **why);
  /* Adapts the default values of its keys to a model; NULL: the defaults of the table. */
  void (*adjust_defaults)(const hk_model *m, void *keys);
} hk_integrator;

/* ---- functions for methods ---- */

/* Offsets of the parts of a state, and their numbers of doubles. */
typedef struct hk_state_parts {
  int t, q, v, vd, lambda; /* time, positions [nq], velocities and accelerations [nv], multipliers [nc] */
  int h;                   /* length of the last step, written by `attempt` */
  int own;                 /* the part of the method */
  int nq, nv, nc;
} hk_state_parts;
HK_API hk_state_parts hk_integrator_parts(const hk_sim *s);
/* The struct of its keys; and its working memory, set by `create`. */
HK_API const void *hk_integrator_keys(const hk_sim *s);
HK_API void *hk_integrator_memory(const hk_sim *s);
HK_API void hk_integrator_memory_set(hk_sim *s, void *memory);

/* q1 = q0 moved by the displacement d [nv], with rotations on the rotation group; q1 may be q0. */
HK_API void hk_integrator_move(const hk_sim *s, const double *q0, const double *d, double *q1);
/* The displacement from q0 to q1. */
HK_API void hk_integrator_difference(const hk_sim *s, const double *q0, const double *q1, double *d);
/* The rate of the displacement d, given the velocity v at its end.  The two differ because rotations do not commute.  In
 * place. */
HK_API void hk_integrator_rate(const hk_sim *s, const double *d, double *v);
/* Accelerations and multipliers at x: M v' + G^T lambda = f, with the constraints' second derivative 0.  HK_RETRY: no
 * solution. */
HK_API hk_status hk_integrator_accelerations(hk_sim *s, const double *x, double *vd, double *lambda);
/* Projects positions and velocities of x onto the joints, with the smallest change in the mass metric. */
HK_API hk_status hk_integrator_project(hk_sim *s, double *x);
/* Must be the last call of `attempt`: computes frames and forces at the end of a step of length h, which the energy balance
 * and the revolution counts need, and writes the length. */
HK_API hk_status hk_integrator_finish(hk_sim *s, double h, double *x1);
/* The norm of a displacement [nv] divided by the tolerance of the run. */
HK_API double hk_integrator_error(const hk_sim *s, const double *d);
/* As hk_integrator.dense: the cubic through positions and velocities of both ends. */
HK_API void hk_integrator_dense(const hk_sim *s, double t, double *x);
/* For hk_integrator.supports.  They reject set-valued contacts; joints; bodies without mass and states of differential
 * equations, which have no acceleration. */
HK_API hk_status hk_integrator_needs_smooth(const hk_model *m, hk_error *why);
HK_API hk_status hk_integrator_needs_free(const hk_model *m, hk_error *why);
HK_API hk_status hk_integrator_needs_mass(const hk_model *m, hk_error *why);

#ifdef __cplusplus
}
#endif
#endif
