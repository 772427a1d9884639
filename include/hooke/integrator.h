/* Integrators: the methods that make steps, and how a program or a plugin adds one.
 *
 * An integrator computes one step of a given length.  The step controller and the event sources decide whether the step is
 * accepted, how long the next one is, and where a step has to end.  A new integrator is a type of
 * category HK_STEPPER whose `ops` is an hk_integrator; its parameter table holds the keys that it
 * reads from the analysis in addition to the common ones.
 *
 * A state is one array of doubles (hooke/state.h).  hk_integrator_parts gives the offsets of its
 * parts.  The data that a multistep method keeps from earlier steps is the last part of the
 * state, so that a run continued from a saved state gives bit-identical results. */
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
  int rejected;  /* number of rejected attempts of this step so far */

  /* Results. Before each attempt `reached` and `judged` are set to the length of the step, and all other results to 0. */
  double
      error; /* estimated local error divided by the tolerance (hk_integrator_error); <= 1: the step may be accepted */
  double made;   /* `error` without its safety factor; 0: `error` contains no safety factor */
  int order;     /* `error` is proportional to h^(order + 1); 0: the order of the integrator */
  double judged; /* the step size for which `error` was estimated */
  /* length of the step if the integrator ended it early; 0: only velocities jumped */
  double reached;
  bool elsewhere; /* round-off dominates at this end time: try a step of length `next` instead */
  /* suggested length of the next step or attempt; 0: the controller derives it from the error */
  double next;
  int newton; /* iterations */
  /* reason for a negative status, or advice for the case that no step succeeds; may be NULL */
  const char *why;

  struct hk_attempt_memory
      *memory; /* data that methods of the library keep between attempts of one step */
} hk_attempt;

/* Properties of an integrator. */
typedef enum hk_capability {
  HK_ADAPTIVE = 1 << 0,      /* estimates its error; without this flag a fixed step must be given */
  HK_ADAPTIVE_ONLY = 1 << 1, /* chooses every step itself: a fixed step is rejected */
  HK_IMPACTS = 1 << 2,       /* supports set-valued contacts */
  /* the stored accelerations and multipliers are mean values over the step and include
   * impulses; therefore the next step does not start from them */
  HK_MEANS = 1 << 3,
  /* the method updates the energy balance in its attempts; the library then does not */
  HK_OWN_LEDGER = 1 << 4,
  /* after a step, the working memory holds frames, constraints and forces at its end */
  HK_LEAVES_FRAMES = 1 << 5,
  HK_KEEPS_PAST = 1 << 6,    /* a multistep method: it needs data of earlier steps */
  HK_DENSE_BY_ENDS = 1 << 7, /* interpolates between steps from the states at both ends only */
  /* Behaviour with undamped modes that are too fast for the step size: */
  HK_EXCITES_MODES = 1 << 8, /* are excited and limit the step size */
  HK_DAMPS_MODES = 1 << 9,   /* are damped */
  HK_EXACT_STEADY =
      1
      << 10 /* constant velocities and angular velocities are integrated exactly with any step size */
} hk_capability;

typedef struct hk_integrator {
  int order;    /* the highest order, if it varies */
  unsigned can; /* hk_capability */
  double rtol;  /* default tolerance; 0: 1e-5 */
  /* default tolerance if `auto` selects the method for contacts, or if fast modes are damped instead of resolved;
   * 0: rtol */
  double rtol_coarse;

  /* Makes one step from x0, which it must not change, to x1: writes time, positions, velocities, accelerations,
   * multipliers, the length of the step and the method's own part. On entry the rest of x1 is a copy of x0. HK_RETRY:
   * the equations of the step could not be solved. On return the working memory holds the frames and forces of x1: see
   * hk_integrator_finish. */
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

  /* Tests whether the integrator supports the model. If not, returns HK_EINPUT and writes the unsupported feature into
   * `why`: "does not support joints, but ...". NULL: every model. */
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
  int t, q, v, vd,
      lambda; /* time, positions [nq], velocities and accelerations [nv], multipliers [nc] */
  int h;      /* length of the last step, written by `attempt` */
  int own;    /* the method's own part */
  int nq, nv, nc;
} hk_state_parts;
HK_API hk_state_parts hk_integrator_parts(const hk_sim *s);
/* Return the struct with the integrator's keys, and the working memory that `create` has set. */
HK_API const void *hk_integrator_keys(const hk_sim *s);
HK_API void *hk_integrator_memory(const hk_sim *s);
HK_API void hk_integrator_memory_set(hk_sim *s, void *memory);

/* Computes q1 = q0 moved by the displacement d [nv], with rotations on the rotation group; q1 may
 * be q0. */
HK_API void hk_integrator_move(const hk_sim *s, const double *q0, const double *d, double *q1);
/* Computes the displacement from q0 to q1. */
HK_API void hk_integrator_difference(const hk_sim *s, const double *q0, const double *q1,
                                     double *d);
/* Converts the velocity v at the end of the displacement d to the rate of d, in place. Rate and velocity differ because
 * rotations do not commute. */
HK_API void hk_integrator_rate(const hk_sim *s, const double *d, double *v);
/* Computes accelerations and multipliers at x: M v' + G^T lambda = f, with the second time
 * derivative of the constraints equal to 0.  HK_RETRY: no solution. */
HK_API hk_status hk_integrator_accelerations(hk_sim *s, const double *x, double *vd,
                                             double *lambda);
/* Projects positions and velocities of x onto the constraints of the joints, with the smallest
 * change in the mass metric. */
HK_API hk_status hk_integrator_project(hk_sim *s, double *x);
/* Must be the last call of `attempt`: computes frames and forces at the end of a step of length h, which the energy balance
 * and the revolution counts need, and writes the length. */
HK_API hk_status hk_integrator_finish(hk_sim *s, double h, double *x1);
/* Returns the norm of a displacement [nv] divided by the tolerance of the run. */
HK_API double hk_integrator_error(const hk_sim *s, const double *d);
/* Interpolation for hk_integrator.dense: the cubic through positions and velocities at both ends of
 * the step. */
HK_API void hk_integrator_dense(const hk_sim *s, double t, double *x);
/* Functions for hk_integrator.supports. The first one rejects models with set-valued contacts,
 * the second one models with joints. The third one rejects models in which some coordinates
 * have no acceleration: bodies without mass, and states of differential equations. */
HK_API hk_status hk_integrator_needs_smooth(const hk_model *m, hk_error *why);
HK_API hk_status hk_integrator_needs_free(const hk_model *m, hk_error *why);
HK_API hk_status hk_integrator_needs_mass(const hk_model *m, hk_error *why);

#ifdef __cplusplus
}
#endif
#endif
