/* The inside of a simulation, seen by integrators and by the analyses that prepare it. */
#ifndef HK_SIM_H
#define HK_SIM_H
#include "core/work.h"
#include "sim/dynamics.h"
#include "sim/integrator.h"
#include <hooke/sim.h>

/* What the output knows of the current state.  Nothing of it lives on: see output.c. */
typedef struct hk_output {
  double *vd, *lambda;            /* accelerations and multipliers, by hk_sim_accelerations */
  double *variable;               /* [n_variables] for sensors */
  struct hk_contact_point *point; /* [n_points] */
  double *reaction;               /* [nc] and more: see self_stress.c; NULL: not asked for yet */
  int n_self;                     /* redundant rows for which there is room */
  double (*load)[6];              /* [n_nodes] forces and moments */
  double *x_between;              /* a state within the last step */
  bool between;                   /* it is being looked at: x and x_between have changed places */
  bool have_accelerations, have_frames, have_loads, have_variables;
  bool have_step;      /* x_next is the state from which the last step came */
  double *before;      /* the state from which that was carried over an event: see dense.h; NULL: there is no room ... */
  bool carried;        /* ... and whether it was */
  bool steps_show_all; /* the frames that a step leaves are those of all markers, with velocities */
} hk_output;

/* What the steps may have mistaken of a relative motion within a film. */
typedef struct hk_fine_error {
  int force;
  double step, kept; /* [m] of the last step, of all so far as far as the film has not forgotten it */
} hk_fine_error;

/* A coordinate with a limit: its largest value, and when it first was beyond. */
typedef struct hk_limit_passed {
  int coordinate;
  double most, time;
} hk_limit_passed;

/* How good the steps since the start were: see trust.h. */
typedef struct hk_trust_record {
  hk_trust worst;
  hk_fine_error *fine;
  int n_fine;
  double *reached; /* [n_states] largest size of each; NULL: they all have a scale */
  hk_limit_passed *limit; /* of the coordinates that have one */
  int n_limits;
  double kinetic, least, most; /* largest kinetic, smallest and largest stored energy so far */
  double swing[2];             /* kinetic energies of the two steps before */
  double inertia;              /* [kg m^2] of the whole, masses at the model's length */
  double *start, *way;         /* [nq], [nv] where it began, and a chord from there; NULL: not asked for */
} hk_trust_record;

/* What is to be told of a bunch of contacts, once the energies of all bodies are known: see contact_error_four.c. */
typedef struct hk_bunch_verdict {
  hk_v4 top[2], limit[2], share[2]; /* error = top/(limit + share times the energy of the bodies) */
  hk_v4 mobility[2];
} hk_bunch_verdict;

/* Scratch of the judgement of contacts: see contact_error.h. */
typedef struct hk_contact_judge {
  double tolerance;  /* of lengths; never changes */
  double share;      /* of hk_judge_own_share and hk_judge_body_share, by the tolerance of the run; never changes */
  double grain;      /* [m] way of a velocity that counts as none, within a step; never changes */
  double *stiffness; /* [n_contacts] of the force at a depth of the tolerance; never changes */
  double *mobility;  /* [n_points] along the normal, at the end of the step; 0: far away */
  double *off;       /* [n_points] velocity along the normal by which the end may be off */
  double *energy;    /* [n_nodes] per mass, of the liveliest contact */
  hk_bunch_verdict *four; /* [n_bunches], which has what is said of mobility and off of their points */
  hk_met met;        /* the first touch that spoils the step */
  double *block;
} hk_contact_judge;

/* Steps that were made before the run asks for them: see control/step_cache.h. */
typedef struct hk_snapshot hk_snapshot;
typedef struct hk_step_cache {
  hk_snapshot *first, *last; /* from where the simulation stands to where the last of these steps ended */
  double end;                /* the time that they go to */
  size_t bytes;              /* of all snapshots */
  bool full;                 /* no further ones are kept */
} hk_step_cache;

/* The state x is everything: model, option and parameter never change, and all else is made from the
 * state when it is needed.  hk_sim_poison and the tests hold it to that. */
struct hk_sim {
  const hk_model *model;
  const hk_type *stepper; /* see hk_integrator_of */
  const char *why;        /* it is this one, in words */
  void *parameter;        /* the stepper's keys, in its struct */
  void *own;              /* the stepper's scratch: see hk_integrator.create */
  hk_analysis_dynamics option;
  double *x, *x_next;    /* states: current, and the one a step writes */
  int state_size;        /* their doubles: the model's and the stepper's */
  bool kept_past;        /* x_next is the state before x, or a try of the step after it: what x0 and x1 of a step have in
                          * common of the past need not be copied */
  hk_work *work;
  hk_system *system;     /* of the steps; its rows and coupling are those that the state names */
  hk_system *index1;     /* of accelerations and reactions */
  double told;           /* [m] within a step: the least error that positions have digits for; otherwise 0 */
  uint8_t *kept;         /* [nc] rows that are not redundant, as the state says */
  double *r, *d, *u, *y; /* scratch: [n], [nv], [2 nv], [nc] */
  double *full;          /* scratch: [nc] lambda to second order */
  hk_output out;
  double *block; /* the allocation behind states and scratch */
  hk_sim_stats stats;
  hk_trust_record trust;
  hk_contact_judge judge;
  const char *limit;    /* see hk_sim_step_limit */
  struct hk_scan *scan; /* what is looked at along steps: see scan.h; NULL: nothing */
  hk_step_cache cache;  /* steps that follow from the state and have been made already: see control/step_cache.h */
};

/* Forces of contact have kinks: a prediction goes less far, and Newton's iteration is watched closer. */
static inline bool hk_has_kinks(const hk_model *m) { return m->n_points > 0 && !m->set_valued; }

static inline const hk_integrator *hk_integrator_of(const hk_sim *s) { return s->stepper->ops; }
static inline bool hk_integrator_can(const hk_sim *s, unsigned what) {
  return (hk_integrator_of(s)->can & what) != 0;
}
/* The controller chooses the length of steps. */
static inline bool hk_sim_adapts(const hk_sim *s) { return !(s->option.step > 0); }

/* src/setup/settings.c: s->option, s->stepper and s->parameter from the model's analysis and the
 * caller's options.  Keys that the stepper chosen by `auto` does not know are told in diag. */
hk_status hk_sim_choose(hk_sim *s, const hk_sim_options *options, hk_diag *diag, hk_error *err);
/* Where the stepper that `auto` took wakes fast modes: one that damps them, or one that follows them at less cost; where
 * it is of high order: one to which a steady motion is nothing.  NULL: there is no such need, or none. */
typedef enum hk_rival { HK_RIVAL_DAMPS, HK_RIVAL_FOLLOWS, HK_RIVAL_STEADY } hk_rival;
const hk_type *hk_sim_rival(const hk_sim *s, const hk_sim_options *options, hk_rival kind);

/* A simulation that stands on its joints but has neither velocities nor accelerations yet: what
 * the analyses of equilibrium start from.  Redundant rows are known. */
hk_status hk_sim_assemble(const hk_model *model, const hk_sim_options *options, hk_sim **out,
                          hk_diag *diag, hk_error *err);
/* src/setup/equilibrium_start.c: positions and velocities of the moving equilibrium. */
hk_status hk_static_start(hk_sim *s, hk_error *err);
/* src/sim/initial.c: positions and velocities onto the constraints. */
hk_status hk_initial_positions(hk_sim *s, hk_error *err);
hk_status hk_initial_velocities(hk_sim *s, hk_error *err);
/* The same as near as it goes, with rows that may contradict each other: nobody judges what is left. */
hk_status hk_close_joints(hk_sim *s, hk_error *err);
hk_status hk_close_speeds(hk_sim *s, hk_error *err);
/* src/sim/redundancy.c: which rows to keep; builds s->system and s->index1. */
hk_status hk_find_redundancy(hk_sim *s, hk_diag *diag, hk_error *err);
/* Two constraints that cannot both hold at the position in work, named by the values (or rates) of
 * all rows; returns the row of one, -1: none found. */
int hk_explain_conflict(hk_sim *s, const double *value, bool rate, char *text, size_t size);
/* The same of the present position at a later time: motions that part from here on. */
bool hk_explain_later_conflict(hk_sim *s, double ahead, char *text, size_t size);
/* Rows that are kept but hardly independent of the others any more; false: none. */
bool hk_explain_dead_point(hk_sim *s, char *text, size_t size);
/* s->system and s->index1 of the rows s->kept, which with `full` become part of the state. */
hk_status hk_build_systems(hk_sim *s, bool full, hk_error *err);
/* They become those of the rows and the coupling that the state names. */
hk_status hk_sim_follow_state(hk_sim *s, hk_error *err);
/* Says in err which row a failure is about: its joint, the time and the row. */
hk_status hk_blame_row(const hk_sim *s, int row, hk_status status, hk_error *err);
/* src/sim/poison.c: fill all scratch with what must not be used.  No result may change by a bit.
 * Debug and sanitizer builds do so between steps. */
void hk_sim_poison(hk_sim *s);
void hk_fill_nan(double *x, int n);
/* Metric of displacements for assembly and rank: [nv], positive. */
void hk_metric(const hk_sim *s, bool for_velocity, double *weight);

/* src/sim/acceleration.c: vd and lambda at x from M vd + G^T lambda = f, G vd + bias = 0. */
hk_status hk_sim_accelerations(hk_sim *s, const double *x, double *vd, double *lambda,
                               hk_error *err);
/* Factors of index1 at the state whose frames and constraints are in work. */
hk_status hk_accelerations_factor(hk_sim *s, const hk_instant *in);
/* Powers behind the energy integrals at x1, in the order of hk_ledger; needs its forces in work. */
void hk_ledger_powers(const hk_sim *s, const double *x1, double power[3]);
/* What elements remember at the start of a run, into x. */
void hk_sim_start_memory(hk_sim *s);
/* src/control/input.c: accelerations, multipliers and powers at x anew, and no past, because an input has
 * jumped. */
hk_status hk_sim_restart(hk_sim *s, hk_error *err);
/* src/sim/state.c: rates of states at x, where no step has told them. */
hk_status hk_states_begin(hk_sim *s, double *x, hk_error *err);
/* Energy integrals from x0 to x1 by the trapezoidal rule; needs forces of x1 in work. */
void hk_ledger_advance(hk_sim *s, const double *x0, double h, double *x1);
/* What the projection of velocities tells. */
typedef struct hk_projected {
  bool rubs;    /* the factors hold friction too strong to be left out, and nothing was done */
  double noise; /* a correction that was left out because it is noise: its way over tolerance; or 0 */
} hk_projected;
/* src/integrator/projection.c: v of x1 onto the constraints at the frames of work by the factors of the
 * step, with the impulse over h into lambda_shift; noisy: rather left off them than moved by round-off.  HK_RETRY: the
 * correction is none, or leaves velocities by which a step as long drifts off the constraints by more than the tolerance. */
hk_status hk_velocity_project(hk_sim *s, double h, bool noisy, double *x1, hk_projected *told);
/* Kept rows of the right side s->r: -y, y of all rows. */
void hk_put_rows(hk_sim *s, const double *y);
/* b = a, for arrays too short for memcpy to pay. */
void hk_copy(double *restrict b, const double *restrict a, int n);
static inline void hk_zero(double *x, int n) {
  for (int i = 0; i < n; i++) x[i] = 0;
}
/* Largest |x|, NaN if there is one; where may be NULL. */
double hk_max_abs(const double *x, int n, int *where);
/* [m] The least error of a step that the places of the current state have digits for. */
double hk_least_told(const hk_sim *s);
/* [m] The error that a step may make. */
static inline double hk_tolerance(const hk_sim *s) {
  double asked = s->option.atol + s->option.rtol * s->model->length;
  return asked > s->told ? asked : s->told;
}
/* Size of a displacement from the current state that is nothing but round-off, over tolerance: none can be told
 * apart below it. */
double hk_round_off(const hk_sim *s);
/* Error norm: largest displacement component over its tolerance. */
double hk_error_norm(const hk_sim *s, const double *d);
#endif
