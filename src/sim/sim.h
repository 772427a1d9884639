/* Private parts of a simulation, used by integrators and by the analyses that prepare it. */
#ifndef HK_SIM_H
#define HK_SIM_H
#include "core/work.h"
#include "sim/dynamics.h"
#include "sim/integrator.h"
#include <hooke/sim.h>

/* Output data of the current state; recomputed for each state (output.c). */
typedef struct hk_output {
  double *vd, *lambda;            /* accelerations and multipliers, by hk_sim_accelerations */
  double *variable;               /* [n_variables] for sensors */
  struct hk_contact_point *point; /* [n_points] */
  double *reaction;               /* [nc] and more: see self_stress.c; NULL: not requested yet */
  int n_self;                     /* number of redundant rows for which there is memory */
  double (*load)[6];              /* [n_nodes] forces and moments */
  double *x_between;              /* a state within the last step */
  bool between;                   /* x_between is being read: it is exchanged with x */
  bool have_accelerations, have_frames, have_loads, have_variables;
  bool have_step; /* x_next is the start state of the last step */
  /* the state from which x_next was extrapolated across an event: see dense.h; NULL: not allocated */
  double *before;
  bool carried;        /* whether x_next was extrapolated */
  bool steps_show_all; /* the frames left by a step are those of all markers, with velocities */
} hk_output;

/* Errors of a relative motion within a film. */
typedef struct hk_fine_error {
  int force;
  double step,
      kept; /* [m] of the last step, and of all steps as far as the film still depends on them */
} hk_fine_error;

/* A coordinate with a limit: its largest value, and the time at which it first exceeded the limit. */
typedef struct hk_limit_passed {
  int coordinate;
  double most, time;
} hk_limit_passed;

/* Regularised friction of a force or of a contact: see creep.h. */
typedef struct hk_creep {
  int force, contact; /* index of the force or of the contact; the other one is -1 */
  /* [m] distance slid below its regularisation velocity, with direction; contacts: the first loaded point */
  hk_vec3 way;
  double time;      /* [s] duration of this sliding */
  double full;      /* [m/s] that speed */
  double slid;      /* [m] distance of all sliding, at any speed */
  double slow;      /* 1: the sliding velocity was below `full` at the last evaluation */
  hk_vec3 velocity; /* sliding velocity at that evaluation */
} hk_creep;

/* The worst value of one kind of indicator, or the first of its events. */
typedef struct hk_worst {
  double amount, time;
  long count;
  const char *element, *other; /* names of the model; NULL: none */
} hk_worst;

/* Quality of the steps since the start: see quality.h. */
typedef struct hk_quality_record {
  hk_worst worst[HK_N_QUALITY_KINDS];
  double energy_scale; /* [J] energy exchanged: largest kinetic, range of stored, all work */
  double energy_work;  /* [J] the part of it that is work: dissipated, by motions, by loads */
  double energy_floor; /* [J] round-off of the energies: smaller balance errors have no meaning */
  double moved; /* [m] largest displacement of a point of a body from its start; 0: not computed */
  hk_fine_error *fine;
  int n_fine;
  double *reached;        /* [n_states] largest magnitude of each; NULL: all have a scale */
  hk_limit_passed *limit; /* coordinates with a limit */
  int n_limits;
  hk_creep *creep;
  int n_creeps;
  double crept;        /* the time up to which creep has been evaluated */
  double far_distance; /* [m] largest distance of a body from the origin */
  double far_motion;   /* [m] motion of the bodies relative to each other, or of a single one */
  double far_force,
      most_force; /* [N] change of contact forces by round-off of positions; largest contact force */
  double kinetic, least, most; /* largest kinetic, smallest and largest stored energy so far */
  double passed;               /* [J] energy transferred by loads, in both directions */
  double swing[2];             /* kinetic energies of the two previous steps */
  double inertia;              /* [kg m^2] of the whole model, with masses at the model's length */
  /* [nq], [nv] initial positions, and the displacement from there; NULL: there are no coordinates */
  double *start, *way;
} hk_quality_record;

/* Result of a batch of contacts, used when the energies of all bodies are known: see contact_error_four.c. */
typedef struct hk_batch_verdict {
  hk_v4 top[2], limit[2], share[2]; /* error = top/(limit + share times the energy of the bodies) */
  hk_v4 mobility[2];
} hk_batch_verdict;

/* Working memory of the error estimate of contacts: see contact_error.h. */
typedef struct hk_contact_judge {
  double tolerance; /* tolerance of lengths; constant */
  double
      share; /* factor of hk_judge_own_share and hk_judge_body_share for the tolerance of the run; constant */
  double grain; /* [m] displacement within a step below which a velocity counts as zero; constant */
  double *stiffness;      /* [n_contacts] stiffness at a depth of the tolerance; constant */
  double *mobility;       /* [n_points] along the normal, at the end of the step; 0: far away */
  double *off;            /* [n_points] error of the normal velocity at the end */
  double *energy;         /* [n_nodes] per mass, maximum over the contacts */
  hk_batch_verdict *four; /* [n_batches]; contains mobility and off of their points */
  hk_met met;             /* the first contact that makes the step too long */
  double *block;
} hk_contact_judge;

/* Cache of steps computed during integrator selection: see control/step_cache.h. */
typedef struct hk_snapshot hk_snapshot;
typedef struct hk_step_cache {
  hk_snapshot *first, *last; /* from the present state to the end of the last of these steps */
  double end;                /* their end time */
  size_t bytes;              /* of all snapshots */
  bool full;                 /* no more steps are added */
} hk_step_cache;

/* Relation between the error of the motion and that of the energy integrals: see sim/ledger.c. */
typedef enum hk_ledger_control {
  /* no motion is prescribed, or contacts limit the steps: the error of the motion limits that of the integrals */
  HK_LEDGER_FOLLOWS,
  HK_LEDGER_BESIDE, /* some bodies are driven, others are free */
  HK_LEDGER_ALONE   /* no degree of freedom: the motion has no error */
} hk_ledger_control;

/* The state x is complete: model, options and parameters never change, and everything else is computed from the state
 * when needed.  hk_sim_poison and the tests verify this. */
struct hk_sim {
  const hk_model *model;
  const hk_type *stepper; /* see hk_integrator_of */
  const char *why;        /* reason for this choice */
  bool damps_modes;       /* `auto` has selected it in a trial: see hk_integrator.rtol_coarse */
  void *parameter;        /* the integrator's keys, in its struct */
  void *own;              /* the integrator's scratch memory: see hk_integrator.create */
  hk_analysis_dynamics option;
  double *x, *x_next; /* states: current, and the one a step writes */
  int state_size;     /* their number of doubles: those of the model and of the integrator */
  /* x_next is the state before x, or an attempt of the step after it: the common history of x0 and x1 need not be
   * copied */
  bool kept_past;
  hk_work *work;
  hk_ledger_control ledger;
  hk_system
      *system; /* equations of steps; its rows and coupling are those specified in the state */
  hk_system *index1; /* equations of accelerations and reactions */
  /* within an attempt: the formula recomputes velocities from positions, so that noise of one step does not persist */
  bool noise_fades;
  double told;   /* [m] within a step: the smallest error that positions can resolve; otherwise 0 */
  uint8_t *kept; /* [nc] rows that are not redundant, according to the state */
  double *r, *d, *u, *y; /* scratch: [n], [nv], [2 nv], [nc] */
  double *full;          /* scratch: [nc] lambda to second order */
  hk_output out;
  double *block; /* the allocation of states and scratch memory */
  hk_sim_stats stats;
  hk_quality_record quality;
  hk_contact_judge judge;
  const char *limit;        /* see hk_sim_step_limit */
  hk_progress_fn *progress; /* see hk_sim_options; NULL: none */
  void *progress_context;
  struct hk_scan *scan; /* data of the scan of steps: see scan.h; NULL: no expressions to scan */
  hk_step_cache
      cache; /* steps that follow from the state and were computed before: see control/step_cache.h */
};

/* Contact forces have kinks: predictions are more cautious, and Newton's iteration is monitored more closely. */
static inline bool hk_has_kinks(const hk_model *m) { return m->n_points > 0 && !m->set_valued; }

static inline const hk_integrator *hk_integrator_of(const hk_sim *s) { return s->stepper->ops; }
static inline bool hk_integrator_can(const hk_sim *s, unsigned what) {
  return (hk_integrator_of(s)->can & what) != 0;
}
/* Whether the controller chooses the step size. */
static inline bool hk_sim_adapts(const hk_sim *s) { return !(s->option.step > 0); }

/* Call after a step from `start` to `end`: false if the caller requests to stop. */
static inline bool hk_sim_goes_on(const hk_sim *s, double start, double end) {
  if (!s->progress) return true;
  double t = s->x[s->model->at.t];
  const hk_progress now = {.what = "steps",
                           .done = end > start ? (t - start) / (end - start) : NAN,
                           .time = t,
                           .count = s->stats.steps};
  return s->progress(s->progress_context, &now);
}

/* src/setup/settings.c: s->option, s->stepper and s->parameter from the model's analysis and the caller's options.
 * Keys that the integrator selected by `auto` does not have are reported in diag. */
hk_status hk_sim_choose(hk_sim *s, const hk_sim_options *options, hk_diag *diag, hk_error *err);
/* If the integrator selected by `auto` excites fast modes: one that damps them; if it is of high order: one for which
 * a steady motion is trivial.  NULL: not needed, or not available. */
typedef enum hk_rival { HK_RIVAL_DAMPS, HK_RIVAL_STEADY } hk_rival;
const hk_type *hk_sim_rival(const hk_sim *s, const hk_sim_options *options, hk_rival kind);

/* A simulation that is assembled but has neither velocities nor accelerations: the starting point of equilibrium
 * analyses.  Redundant rows are known. */
hk_status hk_sim_assemble(const hk_model *model, const hk_sim_options *options, hk_sim **out,
                          hk_diag *diag, hk_error *err);
/* src/setup/equilibrium_start.c: positions and velocities of the moving equilibrium. */
hk_status hk_static_start(hk_sim *s, hk_error *err);
/* src/sim/initial.c: projects positions and velocities onto the constraints. */
hk_status hk_initial_positions(hk_sim *s, hk_error *err);
hk_status hk_initial_velocities(hk_sim *s, hk_error *err);
/* Positions and velocities in the view hk_model.start: the parts of composite joints, and the bodies that they
 * connect.  Its first `joint_rows` rows are those of the model.  The others may contradict each other: the remaining
 * violation is not checked. */
hk_status hk_place_parts(hk_sim *s, int joint_rows, hk_error *err);
/* src/sim/redundancy.c: selects the rows to keep; builds s->system and s->index1. */
hk_status hk_find_redundancy(hk_sim *s, hk_diag *diag, hk_error *err);
/* Two constraints that contradict each other at the position in work, found from the values (or rates) of all rows;
 * returns the row of one, -1: none found. */
int hk_explain_conflict(hk_sim *s, const double *value, bool rate, char *text, size_t size);
/* The same for the present position at a later time: motions that become contradictory. */
bool hk_explain_later_conflict(hk_sim *s, double ahead, char *text, size_t size);
/* Rows that are kept but almost dependent on the others; false: none. */
bool hk_explain_dead_point(hk_sim *s, char *text, size_t size);
/* Builds s->system and s->index1 from the rows s->kept, which become part of the state together with `full`. */
hk_status hk_build_systems(hk_sim *s, bool full, hk_error *err);
/* Rebuilds them for the rows and the coupling specified in the state. */
hk_status hk_sim_follow_state(hk_sim *s, hk_error *err);
/* Adds to err which row a failure is about: its joint, the time and the row. */
hk_status hk_blame_row(const hk_sim *s, int row, hk_status status, hk_error *err);
/* src/sim/poison.c: fills all scratch memory with NaN.  No result may change by a bit.  Debug and sanitizer builds do
 * so between steps. */
void hk_sim_poison(hk_sim *s);
void hk_fill_nan(double *x, int n);
/* Metric of displacements for assembly and rank: [nv], positive. */
void hk_metric(const hk_sim *s, bool for_velocity, double *weight);

/* src/sim/acceleration.c: vd and lambda at x from M vd + G^T lambda = f, G vd + bias = 0. */
hk_status hk_sim_accelerations(hk_sim *s, const double *x, double *vd, double *lambda,
                               hk_error *err);
/* Factors the index-1 equations at the state with frames and constraints in work. */
hk_status hk_accelerations_factor(hk_sim *s, const hk_instant *in);
/* Initial memory of the elements, into x. */
void hk_sim_start_memory(hk_sim *s);
/* src/control/input.c: computes accelerations, multipliers and powers at x again and resets the history, because an
 * input has jumped. */
hk_status hk_sim_restart(hk_sim *s, hk_error *err);
/* src/sim/state.c: computes the rates of states at x, if no step has done so. */
hk_status hk_states_begin(hk_sim *s, double *x, hk_error *err);
/* Result of the projection of velocities. */
typedef struct hk_projected {
  bool rubs; /* the factorization contains strong friction; the velocities were not changed */
  double
      noise; /* displacement, relative to the tolerance, of a correction that was omitted because it is noise; or 0 */
} hk_projected;
/* src/integrator/projection.c: projects v of x1 onto the constraints at the frames in work, with the factorization
 * of the step, and writes the impulse divided by h into lambda_shift; noisy: the velocities are not changed by
 * corrections that are only round-off.  HK_RETRY: no valid correction, or the remaining velocity error would violate
 * the constraints by more than the tolerance within a step of the same length. */
hk_status hk_velocity_project(hk_sim *s, double h, bool noisy, double *x1, hk_projected *told);
/* Kept rows of the right side s->r: -y, y of all rows. */
void hk_put_rows(hk_sim *s, const double *y);
/* b = a, for arrays so short that a loop is faster than memcpy. */
void hk_copy(double *restrict b, const double *restrict a, int n);
static inline void hk_zero(double *x, int n) {
  for (int i = 0; i < n; i++) x[i] = 0;
}
/* Largest |x|; NaN if an entry is NaN; `where` may be NULL. */
double hk_max_abs(const double *x, int n, int *where);
/* [m] The smallest step error that the positions of the current state can resolve. */
double hk_least_told(const hk_sim *s);
/* [m] The error that a step may make. */
static inline double hk_tolerance(const hk_sim *s) {
  double asked = s->option.atol + s->option.rtol * s->model->length;
  return asked > s->told ? asked : s->told;
}
/* No step is shorter, except to end at an event. */
static inline double hk_smallest_step(const hk_sim *s) {
  double t = s->x[s->model->at.t];
  return s->option.min_step > 0 ? s->option.min_step : 1e-12 * fmax(1, fabs(t));
}
/* Magnitude, relative to the tolerance, of a displacement from the current state that is only round-off; smaller
 * ones cannot be resolved. */
double hk_round_off(const hk_sim *s);
/* [m] Largest distance from the origin at the start of the step, of positions and of points at the arm of rotating
 * bodies. */
double hk_farthest(const hk_sim *s);
/* Error norm: largest displacement component over its tolerance. */
double hk_error_norm(const hk_sim *s, const double *d);
#endif
