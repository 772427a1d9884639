/* Integrators: the methods that make steps, and how a program or a plugin adds one.
 *
 * An integrator knows how to make one step of a given length.  It does not decide whether that step is taken, how long the next
 * one is, or where a step has to end: the controller and the sources of events do.  A new one is a type of HK_STEPPER whose
 * `ops` is an hk_integrator; its parameter table holds the keys that it reads from the analysis in addition to the common ones.
 *
 * A state is one array of doubles (hooke/state.h).  hk_integrator_parts says where its parts stand; what a method keeps of the
 * past is a part of its own at the end, so that a saved state has the same future to the last bit.
 */
#ifndef HOOKE_INTEGRATOR_H
#define HOOKE_INTEGRATOR_H
#include <hooke/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One attempt of a step. */
typedef struct hk_attempt {
  /* What the integrator is told. */
  double wanted; /* the length that the controller would choose if the step did not have to end somewhere */
  bool due;      /* the step has to end where it does */
  int rejected;  /* attempts of this step before this one */

  /* What it tells of the step; all 0 before each attempt except `reached` and `judged`, which are its length. */
  double error;    /* estimated local error over tolerance (hk_integrator_error): up to 1 it may be accepted */
  double made;     /* the same without any safety margin that `error` contains; 0: there is none in it */
  int order;       /* `error` grows with the length as h^(order + 1); 0: the integrator's own order */
  double judged;   /* the length to which `error` belongs */
  double reached;  /* the length after which the integrator ended the step by itself; 0: only velocities jumped */
  bool elsewhere;  /* round-off spoils this end: a step of length `next` is to be attempted instead */
  double next;     /* length suggested for the next step, or for the next attempt; 0: by the error */
  int newton;      /* iterations */
  const char *why; /* of a negative status, or what to try where no step succeeds; or NULL */

  struct hk_attempt_memory *memory; /* what methods of the library keep from one attempt of a step to the next */
} hk_attempt;

/* What an integrator can do. */
typedef enum hk_capability {
  HK_ADAPTIVE = 1 << 0,      /* estimates its error; otherwise the step must be given */
  HK_ADAPTIVE_ONLY = 1 << 1, /* ... and chooses every step itself: none may be given */
  HK_IMPACTS = 1 << 2,       /* takes set-valued contacts */
  HK_MEANS = 1 << 3,         /* accelerations and multipliers of its states are means over the step, impulses included:
                              * the next step does not continue from them */
  HK_OWN_LEDGER = 1 << 4,    /* its steps write the energy ledger themselves */
  HK_LEAVES_FRAMES = 1 << 5, /* after a step frames, constraints and forces of its end are known without asking */
  HK_KEEPS_PAST = 1 << 6,    /* needs earlier steps: a multistep method */
  HK_DENSE_BY_ENDS = 1 << 7, /* values between steps come from the two ends alone */
  /* Undamped modes that are too fast for the step ... */
  HK_WAKES_MODES = 1 << 8, /* are excited and keep it short */
  HK_DAMPS_MODES = 1 << 9, /* die out */
  HK_KEEPS_STEADY = 1 << 10 /* constant velocities, of rotation too, are integrated exactly in steps of any length */
} hk_capability;

typedef struct hk_integrator {
  int order;         /* the highest, if it varies */
  unsigned can;      /* hk_capability */
  double rtol; /* its default tolerance; 0: 1e-5 */

  /* One step from x0 (never written) into x1: time, positions, velocities, accelerations, multipliers, length of the step and
   * the method's own part; the rest of x1 is that of x0 already.  HK_RETRY: the equations of the step could not be solved.
   * Ends with the frames and forces of x1 in the simulation's working memory: see hk_integrator_finish. */
  hk_status (*attempt)(hk_sim *s, const double *x0, double h, double *x1, hk_attempt *a);
  /* Begins anew at x, whose accelerations and multipliers are known: nothing of the past counts.  NULL: it has none. */
  void (*restart)(const hk_sim *s, double *x);
  /* Fills the state x at a time t within the last accepted step.  NULL: steps must end where values are wanted.
   * hk_integrator_dense does for methods up to third order. */
  void (*dense)(const hk_sim *s, double t, double *x);

  /* Doubles that it keeps in the state, at its end; NULL: none. */
  int (*state_size)(const hk_model *m);
  /* Working memory, hk_integrator_memory: made before the first step and released with the simulation; NULL: none. */
  hk_status (*create)(hk_sim *s, hk_error *err);
  void (*destroy)(hk_sim *s);
  /* Fills the working memory with what must not be used; NULL: there is none. */
  void (*poison)(hk_sim *s);
  /* Accelerations and multipliers that the output shows at the state x, if they are not those of the state. */
  hk_status (*accelerations)(hk_sim *s, const double *x, double *vd, double *lambda, hk_error *err);

  /* Whether it can integrate the model.  If not: HK_EINPUT, and what it cannot do in `why`: "cannot hold joints, and ...".
   * NULL: every model. */
  hk_status (*supports)(const hk_model *m, hk_error *why);
  /* How well it fits a model that it supports, and why: `auto` chooses the largest.  NULL or 0: only by name. */
  int (*score)(const hk_model *m, const char **why);
  /* Its keys as they should be for a model where nobody gives them; NULL: the defaults. */
  void (*suit)(const hk_model *m, void *keys);
} hk_integrator;

/* ---- what a method is made of ---- */

/* Where the parts of a state stand, and how many doubles they have. */
typedef struct hk_state_parts {
  int t, q, v, vd, lambda; /* time, positions [nq], velocities and accelerations [nv], multipliers [nc] */
  int h;                   /* length of the last step, which `attempt` writes */
  int own;                 /* the method's own part */
  int nq, nv, nc;
} hk_state_parts;
HK_API hk_state_parts hk_integrator_parts(const hk_sim *s);
/* The struct of its keys; and its working memory, which `create` sets. */
HK_API const void *hk_integrator_keys(const hk_sim *s);
HK_API void *hk_integrator_memory(const hk_sim *s);
HK_API void hk_integrator_memory_set(hk_sim *s, void *memory);

/* q1 = q0 moved by the displacement d [nv], rotations on their group; q1 may be q0. */
HK_API void hk_integrator_move(const hk_sim *s, const double *q0, const double *d, double *q1);
/* The displacement that leads from q0 to q1. */
HK_API void hk_integrator_difference(const hk_sim *s, const double *q0, const double *q1, double *d);
/* The rate of that displacement d where the velocity there is v: rotations in a row do not commute.  In place. */
HK_API void hk_integrator_rate(const hk_sim *s, const double *d, double *v);
/* Accelerations and multipliers at x: M v' + G^T lambda = f, with the constraints' second derivative 0.  HK_RETRY: there are none. */
HK_API hk_status hk_integrator_accelerations(hk_sim *s, const double *x, double *vd, double *lambda);
/* Positions and velocities of x onto the joints, by the smallest change in the metric of the masses. */
HK_API hk_status hk_integrator_project(hk_sim *s, double *x);
/* The last call of `attempt`: frames and forces of the end of a step of length h, from which energies and angles are
 * counted; writes the length. */
HK_API hk_status hk_integrator_finish(hk_sim *s, double h, double *x1);
/* The size of a displacement [nv] over the tolerance of the run. */
HK_API double hk_integrator_error(const hk_sim *s, const double *d);
/* As hk_integrator.dense: the cubic through positions and velocities of both ends. */
HK_API void hk_integrator_dense(const hk_sim *s, double t, double *x);
/* For hk_integrator.supports: refuses set-valued contacts; joints; bodies without mass and states of differential equations,
 * which have no acceleration. */
HK_API hk_status hk_integrator_needs_smooth(const hk_model *m, hk_error *why);
HK_API hk_status hk_integrator_needs_free(const hk_model *m, hk_error *why);
HK_API hk_status hk_integrator_needs_mass(const hk_model *m, hk_error *why);

#ifdef __cplusplus
}
#endif
#endif
