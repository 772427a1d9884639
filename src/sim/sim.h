/* Private parts of a simulation, used by integrators and by the analyses that prepare it. */
#ifndef HK_SIM_SIM_H
#define HK_SIM_SIM_H
#include "core/work.h"
#include "sim/dynamics.h"
#include "sim/integrator.h"
#include <hooke/sim.h>

/* Data for output at the current state, which are computed again for each state (output.c). */
typedef struct hk_output {
  double *vd, *lambda;            /* accelerations and multipliers, by hk_sim_accelerations */
  double *variable;               /* [n_variables] for sensors */
  struct hk_contact_point *point; /* [n_points] */
  /* [nc] reported reactions, followed by scratch memory: see self_stress.c; NULL: never requested */
  double *reaction;
  int n_self;        /* number of redundant rows for which memory is allocated */
  double (*load)[6]; /* [n_nodes] forces and moments on the nodes */
  double *x_between; /* a state within the last step */
  bool between;      /* x_between has been exchanged with x, because channels are read from it */
  bool have_accelerations, have_frames, have_loads, have_variables;
  bool have_step; /* x_next contains the state at the start of the last step */
  /* the state from which x_next was extrapolated across an event: see dense_output.h; NULL: not allocated */
  double *before;
  bool carried; /* whether x_next was extrapolated */
  /* the frames in `work` after a step include the frames of all markers, with velocities */
  bool steps_show_all;
} hk_output;

/* Position error of the relative motion in a film. */
typedef struct hk_fine_error {
  int force;
  double step; /* [m] error of the last step */
  double kept; /* [m] accumulated error of the steps on which the film still depends */
} hk_fine_error;

/* A coordinate with a limit: its largest value, and the time at which it first exceeded the limit. */
typedef struct hk_limit_passed {
  int coordinate;
  double most, time;
} hk_limit_passed;

/* Regularised friction of a force or of a contact: see creep.h. */
typedef struct hk_creep {
  int force, contact; /* index of the force or of the contact; the other one is -1 */
  /* [m] vector of the distance slid below the regularisation velocity; contacts: of the first loaded point */
  hk_vec3 way;
  double time;      /* [s] duration of this sliding */
  double full;      /* [m/s] that speed */
  double slid;      /* [m] distance of all sliding, at any speed */
  double slow;      /* 1: the sliding velocity was below the limit `full` at the last evaluation */
  hk_vec3 velocity; /* sliding velocity at the last evaluation */
} hk_creep;

/* The worst value of one kind of indicator, or the first event of this kind. */
typedef struct hk_worst {
  double amount, time;
  long count;
  const char *element, *other; /* names of the model; NULL: none */
} hk_worst;

/* Quality of the steps since the start: see quality.h. */
typedef struct hk_quality_record {
  hk_worst worst[HK_N_QUALITY_KINDS];
  /* [J] exchanged energy: largest kinetic energy, range of the stored energy, all work */
  double energy_scale;
  double energy_work;  /* [J] part of energy_scale that is work: dissipated, by motions, by loads */
  double energy_floor; /* [J] round-off of the energies: smaller balance errors have no meaning */
  /* [m] largest displacement of a point of a body from its initial position; 0: not computed */
  double moved;
  hk_fine_error *fine;
  int n_fine;
  /* [n_states] largest magnitude of each state; NULL: all states have a scale */
  double *reached;
  hk_limit_passed *limit; /* coordinates with a limit */
  int n_limits;
  hk_creep *creep;
  int n_creeps;
  double crept;        /* [s] time up to which creep has been evaluated */
  double far_distance; /* [m] largest distance of a body from the origin */
  double far_motion;   /* [m] relative motion of the bodies, or motion of a single body */
  double far_force;    /* [N] change of contact forces by round-off of positions */
  double most_force;   /* [N] largest contact force */
  /* largest kinetic energy, and smallest and largest stored energy so far */
  double kinetic, least, most;
  /* [J] energy transferred by loads: the sum of the supplied and of the removed energy */
  double passed;
  double swing[2]; /* kinetic energies of the two previous steps */
  /* [kg m^2] inertia of the whole model, with masses at a distance of the model's length */
  double inertia;
  /* [nq], [nv]: initial positions, and displacements from them; NULL: the model has no coordinates */
  double *start, *way;
} hk_quality_record;

/* Intermediate result of a batch of contacts. It is completed when the energies of all bodies are known: see
 * contact_error_four.c. */
typedef struct hk_batch_verdict {
  hk_v4 top[2], limit[2], share[2]; /* error = top/(limit + share times the energy of the bodies) */
  hk_v4 mobility[2];
} hk_batch_verdict;

/* Working memory of the error estimate of contacts: see contact_error.h. */
typedef struct hk_contact_judge {
  double tolerance; /* tolerance of lengths; constant */
  /* factor on hk_judge_own_share and hk_judge_body_share, which follows from the tolerance; constant during a run */
  double share;
  /* [m] displacement within a step below which a velocity is treated as zero; constant */
  double grain;
  double *stiffness; /* [n_contacts] stiffness at a depth of the tolerance; constant */
  /* [n_points] mobility along the normal at the end of the step; 0: the point is far away */
  double *mobility;
  double *off;    /* [n_points] error of the normal velocity at the end of the step */
  double *energy; /* [n_nodes] energy per mass, maximum over the contacts */
  /* [n_batches] results of batches, including mobility and off of their points */
  hk_batch_verdict *four;
  hk_met met; /* the first contact that makes the step too long */
  double *block;
} hk_contact_judge;

/* Cache of steps computed during integrator selection: see control/step_cache.h. */
typedef struct hk_snapshot hk_snapshot;
typedef struct hk_step_cache {
  /* cached states from the present one to the end of the last cached step */
  hk_snapshot *first, *last;
  double end;   /* their end time */
  size_t bytes; /* size of all snapshots together */
  bool full;    /* set: no further steps are added to the cache */
} hk_step_cache;

/* How the error of the motion is related to the error of the energy integrals: see sim/ledger.c. */
typedef enum hk_ledger_control {
  /* no motion is prescribed, or contacts limit the steps: a step that meets the tolerance of positions also meets the
   * tolerance of the energy integrals */
  HK_LEDGER_FOLLOWS,
  HK_LEDGER_BESIDE, /* some bodies are driven and others are free: both errors are tested */
  HK_LEDGER_ALONE   /* no degree of freedom: the motion has no error */
} hk_ledger_control;

/* An attempt of the present step that passes more points of a table than are allowed: see
 * control/table_points.c. */
typedef struct hk_table_try {
  double t, h; /* start and length of the attempt */
  double pace; /* number of passed points relative to the allowed number */
} hk_table_try;

/* The state x is complete: model, options and parameters never change, and everything else is computed from the state
 * when needed.  hk_sim_poison and the tests verify this. */
struct hk_sim {
  const hk_model *model;
  const hk_type *stepper; /* see hk_integrator_of */
  const char *why;        /* reason for the choice of the integrator */
  bool damps_modes;       /* `auto` has selected it in a trial: see hk_integrator.rtol_coarse */
  void *parameter;        /* struct with the values of the integrator's keys */
  void *own;              /* the integrator's scratch memory: see hk_integrator.create */
  hk_analysis_dynamics option;
  double *x, *x_next; /* states: the current one, and the one that a step writes */
  /* number of doubles of a state: part of the model and part of the integrator */
  int state_size;
  /* true: x_next contains the state before x, or a rejected attempt of the step from x. Then a part of the history in
   * x_next equals the history in x and need not be copied */
  bool kept_past;
  hk_work *work;
  hk_ledger_control ledger;
  /* equations of a step, for the constraint rows that are kept and the coupling that the state requires */
  hk_system *system;
  hk_system *index1; /* equations of accelerations and reactions */
  /* set during an attempt of a step; true: the formula computes velocities from positions in every step, so that noise
   * in the velocities of one step does not affect later steps */
  bool noise_fades;
  /* [m] during a step: the smallest error that can be distinguished from the round-off of positions; 0 outside of a
   * step */
  double told;
  uint8_t *kept;         /* [nc] rows that are not redundant, according to the state */
  double *r, *d, *u, *y; /* scratch: [n], [nv], [2 nv], [nc] */
  double *full;          /* [nc] scratch memory: multipliers lambda, accurate to second order */
  hk_output out;
  double *block; /* allocation that holds states and scratch memory */
  hk_sim_stats stats;
  hk_quality_record quality;
  hk_contact_judge judge;
  hk_table_try table_try;   /* within a step */
  const char *limit;        /* see hk_sim_step_limit */
  hk_progress_fn *progress; /* progress callback of hk_sim_options; NULL: none */
  void *progress_context;
  struct hk_events *events;     /* memory of control/event.c; NULL: not allocated yet */
  struct hk_partners *partners; /* FMUs: see fmu_partners.h; NULL: none, or not started */
  struct hk_scan *scan; /* data of the scan of steps: see scan.h; NULL: no expressions to scan */
  /* following steps that have already been computed: see control/step_cache.h */
  hk_step_cache cache;
};

/* Returns true if contact forces have kinks: predictions are then more conservative, and Newton's iteration is
 * checked more strictly. */
static inline bool hk_has_kinks(const hk_model *m) { return m->n_points > 0 && !m->set_valued; }

static inline const hk_integrator *hk_integrator_of(const hk_sim *s) { return s->stepper->ops; }
static inline bool hk_integrator_can(const hk_sim *s, unsigned what) {
  return (hk_integrator_of(s)->can & what) != 0;
}
/* Returns true if the controller chooses the step size. */
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

/* src/setup/settings.c: sets s->option, s->stepper and s->parameter from the model's analysis and
 * the caller's options. Keys that the integrator selected by `auto` does not have are reported in
 * diag. */
hk_status hk_sim_choose(hk_sim *s, const hk_sim_options *options, hk_diag *diag, hk_error *err);
/* Returns an alternative to the integrator selected by `auto`: an integrator that damps fast modes, if the selected
 * integrator excites them; or an integrator that is exact for steady motions, if the selected one is of high order.
 * NULL: not needed, or not available. */
typedef enum hk_rival { HK_RIVAL_DAMPS, HK_RIVAL_STEADY } hk_rival;
const hk_type *hk_sim_rival(const hk_sim *s, const hk_sim_options *options, hk_rival kind);

/* Creates a simulation that is assembled but has neither velocities nor accelerations: the starting
 * point of equilibrium analyses. The redundant rows of the simulation are known. */
hk_status hk_sim_assemble(const hk_model *model, const hk_sim_options *options, hk_sim **out,
                          hk_diag *diag, hk_error *err);
/* src/setup/equilibrium_start.c: positions and velocities of the moving equilibrium. */
hk_status hk_static_start(hk_sim *s, hk_error *err);
/* src/setup/assembly.c: projects positions and velocities onto the constraints. */
hk_status hk_initial_positions(hk_sim *s, hk_error *err);
hk_status hk_initial_velocities(hk_sim *s, hk_error *err);
/* Computes positions and velocities in the view hk_model.start, which consists of the parts of composite joints and the
 * bodies that they connect. The first `joint_rows` rows of the view are the rows of the model. The other rows may
 * contradict each other, and their remaining violation is not checked. */
hk_status hk_place_parts(hk_sim *s, int joint_rows, hk_error *err);
/* src/sim/redundancy.c: selects the rows to keep; builds s->system and s->index1. */
hk_status hk_find_redundancy(hk_sim *s, hk_diag *diag, hk_error *err);
/* Finds two constraints that contradict each other at the position in `work`, from the values (or
 * rates) of all rows; returns a row of one of these two constraints; -1: none found. */
int hk_explain_conflict(hk_sim *s, const double *value, bool rate, char *text, size_t size);
/* Same as hk_explain_conflict, for a conflict of motions in the future: evaluates the constraints at the time t +
 * `ahead` with the present coordinates. Returns true if a conflict is found. */
bool hk_explain_later_conflict(hk_sim *s, double ahead, char *text, size_t size);
/* Describes constraint rows that are almost dependent on others but were kept; false: there are none. */
bool hk_explain_dead_point(hk_sim *s, char *text, size_t size);
/* Builds s->system and s->index1 from the rows s->kept; stores these rows and `full` in the
 * state. */
hk_status hk_build_systems(hk_sim *s, bool full, hk_error *err);
/* Rebuilds s->system and s->index1 for the rows and the coupling specified in the state. */
hk_status hk_sim_follow_state(hk_sim *s, hk_error *err);
/* Adds the constraint row that caused a failure to the message in err: its joint, the row and the time. */
hk_status hk_blame_row(const hk_sim *s, int row, hk_status status, hk_error *err);
/* src/sim/poison.c: fills all scratch memory with NaN.  No result may change by a bit.  Debug and sanitizer builds do
 * so between steps. */
void hk_sim_poison(hk_sim *s);
void hk_fill_nan(double *x, int n);
/* Computes the metric of displacements for the assembly and for the rank analysis: [nv] positive weights. */
void hk_metric(const hk_sim *s, bool for_velocity, double *weight);

/* src/sim/acceleration.c: vd and lambda at x from M vd + G^T lambda = f, G vd + bias = 0. */
hk_status hk_sim_accelerations(hk_sim *s, const double *x, double *vd, double *lambda,
                               hk_error *err);
/* Factorizes the matrix of the index-1 equations at the state whose frames and constraints are in `work`. */
hk_status hk_accelerations_factor(hk_sim *s, const hk_instant *in);
/* Computes the initial internal variables of the elements and stores them in the state. */
void hk_sim_start_memory(hk_sim *s);
/* src/control/restart.c: computes accelerations, multipliers and powers at x again and resets the history, because an
 * input has jumped. */
hk_status hk_sim_restart(hk_sim *s, hk_error *err);
/* src/sim/state_rates.c: computes the rates of states at x, if no step has done so. */
hk_status hk_states_begin(hk_sim *s, double *x, hk_error *err);
/* Result of a projection of velocities onto the constraints. */
typedef struct hk_projected {
  bool rubs; /* the factorization contains strong friction, so the velocities were not changed */
  double
      /* displacement, relative to the tolerance, of a correction that was omitted as noise; 0: none was omitted */
      noise;
} hk_projected;
/* src/integrator/projection.c: projects v of x1 onto the constraints at the frames in `work`, with
 * the factorization of the step, and writes the impulse divided by h into lambda_shift; noisy:
 * corrections that are only round-off are not applied.  HK_RETRY: no valid correction, or the
 * remaining velocity error would violate the constraints by more than the tolerance within a step
 * of the same length. */
hk_status hk_velocity_project(hk_sim *s, double h, bool noisy, double *x1, hk_projected *told);
/* Writes -y to the kept rows of the right-hand side s->r; y has all rows. */
void hk_put_rows(hk_sim *s, const double *y);
/* Copies a to b, for arrays so short that a loop is faster than memcpy. */
void hk_copy(double *restrict b, const double *restrict a, int n);
static inline void hk_zero(double *x, int n) {
  for (int i = 0; i < n; i++) x[i] = 0;
}
/* Returns the largest |x|; NaN if an entry is NaN.  *where: its index; `where` may be NULL. */
double hk_max_abs(const double *x, int n, int *where);
/* Smallest error [m] of a step that the positions of the current state can resolve. */
double hk_least_told(const hk_sim *s);
/* Error [m] that a step may make. */
static inline double hk_tolerance(const hk_sim *s) {
  double asked = s->option.atol + s->option.rtol * s->model->length;
  return asked > s->told ? asked : s->told;
}
/* Lower limit of step sizes; only steps that end at an event may be shorter. */
static inline double hk_smallest_step(const hk_sim *s) {
  double t = s->x[s->model->at.t];
  return s->option.min_step > 0 ? s->option.min_step : 1e-12 * fmax(1, fabs(t));
}
/* Magnitude, relative to the tolerance, of a displacement from the current state that is only round-off. Smaller
 * displacements cannot be resolved. */
double hk_round_off(const hk_sim *s);
/* Largest distance [m] from the origin at the start of the step: of positions, and of points of rotating bodies at
 * their lever arm. */
double hk_farthest(const hk_sim *s);
/* Error norm: largest displacement component over its tolerance. */
double hk_error_norm(const hk_sim *s, const double *d);
#endif
