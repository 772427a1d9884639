/* Scratch memory of one simulation: everything that can be recomputed from model and state.
 *
 * "computed by" names the function that fills a member. Only constants are kept from step to step: the frames on the
 * ground and the constant entries of G and gt, which are written at creation. All other members may be filled with NaN
 * between steps without changing one bit of a result. */
#ifndef HK_CORE_WORK_H
#define HK_CORE_WORK_H
#include "base/simd4.h"
#include "core/instant.h"
#include "solve/linear_solver.h"

/* Address, in the matrix, of the block that belongs to one pair of ports. */
typedef struct hk_slot {
  double *at; /* NULL: not in the pattern */
  int stride;
} hk_slot;

typedef struct hk_system hk_system;
typedef struct hk_rotor_force_plan hk_rotor_force_plan;
typedef struct hk_joint_friction hk_joint_friction;

/* Evaluation plan of a constraint in the fast loops. Wide: both ports are rigid bodies or the ground, so that a row is
 * twelve contiguous columns, which are zero for the ground. Wide constraints that hold a point, or a point and an axis,
 * have special functions. */
typedef enum hk_constraint_form {
  HK_FORM_GENERAL,
  HK_FORM_WIDE,
  HK_FORM_POINT,
  HK_FORM_REVOLUTE
} hk_constraint_form;
typedef struct hk_constraint_plan {
  hk_constraint_form form;
  int a, b;         /* nodes, if wide */
  int va, vb;       /* first velocity of each node; -1: the ground */
  int ma, mb;       /* mount of each port, if the constraint holds a point; -1: the ground */
  bool from_ground; /* `a` is the ground, and all relations of `b` provide turning_b */
  /* index of the first friction force of the joint in hk_model.force, and number of such forces. These forces act
   * along coordinates between the two frames of the joint, and both bodies are rigid. Their tangents are assembled
   * together with the joint */
  int first_friction, n_frictions;
  double turned[2]; /* upper bound of the geometric stiffness of a unit force and of a unit
                     * moment of the joint, relative to the inertia of its bodies; INFINITY if it
                     * has other causes than the rotation of the bodies */
} hk_constraint_plan;

/* Active marker of a rigid body: position and axes as one 3 x 4 matrix in node axes, so that one
 * product with the rotation of the node gives both in world axes. */
typedef struct hk_mount {
  double K[3][4];
  int frame, node, q, v;
  bool moving; /* a force needs the velocity of this marker */
} hk_mount;
/* Returns hk_marker.s (axis = -1) or a column of hk_marker.R. */
static inline hk_vec3 hk_mount_axis(const hk_mount *p, int axis) {
  return hk_v3(p->K[0][1 + axis], p->K[1][1 + axis], p->K[2][1 + axis]);
}
static inline hk_vec3 hk_mount_position(const hk_mount *p) { return hk_mount_axis(p, -1); }

/* Quantities of a contact point of a compliant law at the last evaluation. */
typedef struct hk_contact_eval {
  double gap, N, sliding_power;
  double potential, N_depth, N_rate;
  double rate;   /* rate of the gap, if N > 0 */
  double f, f_v; /* contacts of balls: friction function and its derivative, see contact_ball.c */
} hk_contact_eval;

/* Batch of up to four contacts of balls with the same frame A, evaluated at once: see
 * contact_simd4.c. */
typedef struct hk_contact_batch {
  int n;
  /* unused lanes repeat the first contact, including in the arrays below */
  const hk_contact *contact[4];
  hk_m4 used; /* mask of the lanes in use */
  /* for each contact: its index, its first point, and the frame, the node and the first velocity of its ball */
  int index[4], point[4], frame[4], node[4], v[4];
  hk_v4 k[HK_GAP_CONSTANTS], l[HK_LAW_CONSTANTS];
} hk_contact_batch;

/* Values of the expressions of a force that depend on time only: all evaluations of the end of a
 * step use the same time. */
typedef struct hk_timed {
  bool on; /* all expressions of the force depend on time only */
  double t, e[HK_FORCE_MAX_EXPR];
} hk_timed;

/* Element that could not be evaluated, and the reason as text. */
typedef struct hk_failure {
  const hk_item *item; /* NULL: no failure */
  char what[240];
} hk_failure;

typedef struct hk_work {
  const hk_model *model;
  hk_mat3 *R;       /* [n_nodes] rotation matrices        computed by hk_kinematics */
  double *node_own; /* private data of the nodes          computed by hk_kinematics */
  hk_frame *frame;  /* [n_markers] only active markers    computed by hk_kinematics */
  hk_mount *mount;  /* [n_mounts] markers of rigid bodies computed by hk_kinematic_mounts, once */
  int *loose;       /* [n_loose] other active markers     computed by hk_kinematic_mounts, once */
  int n_mounts, n_loose;
  double *g;         /* [nc] constraint values             computed by hk_constraints */
  double *gt;        /* [nc] partial time derivative of g  computed by hk_constraints */
  double *G;         /* Jacobian rows in node coordinates  computed by hk_constraints */
  double *kept_rows; /* memory for a copy of G and gt, used by hk_sim_poison only: a step must
                      * not allocate */
  hk_constraint_plan
      *plan;    /* [n_constraints]                    computed by hk_constraint_plans, once */
  double *bias; /* [nc] G' v + gtt                    computed by hk_constraint_bias */
  hk_contact_eval *touch; /* [n_points]                         computed by hk_contact_forces */
  hk_contact_batch
      *batch;  /* [n_batches] compliant contacts     computed by hk_contact_batches, once */
  int *single; /* [n_singles] contacts in no batch   computed by hk_contact_batches, once */
  int n_batches, n_singles;
  double (*load)[6]; /* [n_nodes] world axes, at the node; NULL: not requested. Computed by
                      * hk_forces */
  double *f;         /* [nv] applied and gyroscopic forces computed by hk_forces */
  double *variable;  /* [n_variables]                      computed by hk_forces */
  hk_rotor_force_plan *
      rotor_force; /* [n_forces] along angles of rotors  computed by hk_forces; see core/rotor_force.h */
  struct hk_force_result
      *ahead;      /* [n_forces] with tangents           computed by hk_forces_ahead */
  hk_timed *timed; /* [n_forces] values of expressions   computed by hk_force_evaluate */
  /* [n_forces] joint friction          computed by hk_forces; see core/joint_friction_fast.h */
  hk_joint_friction *joint_friction;
  /* [2][12][widest] scratch memory of hk_pair_tangent, used within the assembly of one element */
  double *turning;
  double *scratch;    /* [n_scratch] used only by the element that is being evaluated */
  hk_failure failure; /* the first failure in               hk_forces, hk_assemble */
  bool still;         /* prescribed rotations are frozen, for the model at rest */
  double potential, dissipated, applied; /*               computed by hk_forces */
  double kinetic;                        /*               computed by hk_kinetic_energy */
  void *block;                           /* the single allocation that holds all arrays */
} hk_work;

hk_work *hk_work_create(const hk_model *m);
void hk_work_destroy(hk_work *w);

/* Frames that are computed at (q, v). STEP: the markers that elements use, with velocities only if a force needs them;
 * MOVING: the same markers, all with velocities; ALL: all markers. */
typedef enum hk_frames_wanted { HK_FRAMES_STEP, HK_FRAMES_MOVING, HK_FRAMES_ALL } hk_frames_wanted;
void hk_kinematic_mounts(hk_work *w);
void hk_kinematics(hk_work *w, const hk_instant *in, hk_frames_wanted wanted);
/* Gives the same result as hk_kinematics with HK_FRAMES_MOVING if the frames in `work` are at in->q
 * already and only the velocities have changed. */
void hk_kinematic_speeds(hk_work *w, const hk_instant *in);
/* q1 = q0 (+) d, d in node coordinates: Lie-group update.  q1 may be q0. */
void hk_configuration_add(const hk_model *m, const double *q0, const double *d, double *q1);
/* d = q1 (-) q0: the inverse of the update. */
void hk_configuration_sub(const hk_model *m, const double *q1, const double *q0, double *d);
/* Computes d = q1 (-) q0 to first order, by the chord: for a quaternion 2 Im(q0* q1) = -2 Im(q1* q0). q0 may be a sum
 * of configurations with a quaternion that is not of unit length. */
void hk_configuration_chord(const hk_model *m, const double *q1, const double *q0, double *d);
/* Finds q1 such that the chord q1 (-) q0 is d; q0 may be a sum of configurations. */
void hk_configuration_chord_add(const hk_model *m, const double *q0, const double *d, double *q1);
/* Replaces xi, a small displacement of q1, by the change of the chord d from q0 to q1 that it
 * causes. Valid if Re(q1* q0) is near 1. */
void hk_configuration_chord_tangent(const hk_model *m, const double *d, double *xi);
/* Replaces xi by T^-1(D) xi: converts a small displacement at q0 (+) D to a change of D. */
void hk_configuration_tangent_inv(const hk_model *m, const double *D, double *xi);
/* Computes rate[nq] = q' for the velocities v: q (0, w)/2 for a quaternion, whose length need not
 * be 1. */
void hk_configuration_rate(const hk_model *m, const double *q, const double *v, double *rate);
/* Normalizes the quaternions of a sum of configurations. */
void hk_configuration_unit(const hk_model *m, double *q);

/* See hk_constraint_form. */
bool hk_constraint_is_wide(const hk_model *m, const hk_constraint *c);
/* Fills w->plan and the constant entries of G. */
void hk_constraint_plans(hk_work *w);
/* Computes g, gt and G at the frames of w. */
void hk_constraints(hk_work *w, const hk_instant *in);
/* Computes g and gt only; G is not changed. */
void hk_constraint_values(hk_work *w, const hk_instant *in);
void hk_constraint_bias(hk_work *w, const hk_instant *in);
/* f -= G^T lambda */
void hk_constraint_force(const hk_work *w, const double *lambda, double *f);
/* Does the work of hk_constraints and hk_constraint_force in one loop, so that G of a large model
 * is loaded from memory only once. */
void hk_constraints_with_force(hk_work *w, const hk_instant *in, const double *lambda, double *f);
/* f -= G^T lambda and y[nc] = G vd + bias, with one pass over G. */
void hk_constraint_accelerations(const hk_work *w, const double *vd, const double *lambda,
                                 double *f, double *y);
/* y[nc] = G v */
void hk_constraint_rate(const hk_work *w, const double *v, double *y);
/* Returns one entry of G v. */
double hk_constraint_row_rate(const hk_work *w, int row, const double *v);
/* y[nc] = G v + gt */
void hk_constraint_velocity(const hk_work *w, const double *v, double *y);

/* Return the value of a coordinate, unwrapped, and its rate. */
double hk_coordinate_value(const hk_work *w, int coordinate, const double *turn);
double hk_coordinate_rate(const hk_work *w, int coordinate);
/* Returns the acceleration of a coordinate for zero accelerations of the nodes: J' v, including
 * the bias acceleration of its markers. */
double hk_coordinate_bias(const hk_work *w, int coordinate);
/* Acceleration of a coordinate; vd: accelerations of the nodes. */
double hk_coordinate_acceleration(const hk_work *w, int coordinate, const double *vd);
void hk_coordinates_accept(const hk_work *w, double *turn);

/* Computes f, all forces except constraint forces, with energies and powers. HK_RETRY: an element
 * failed, see w->failure. */
hk_status hk_forces(hk_work *w, const hk_instant *in);
/* Same as hk_forces. This function also stores the forces between frames together with their tangents, which
 * hk_assemble with `ahead` uses at the same instant. */
hk_status hk_forces_ahead(hk_work *w, const hk_instant *in);
/* Returns HK_RETRY and writes w->failure as a message to err. */
hk_status hk_work_failed(const hk_work *w, hk_error *err);
/* Returns the first element with a force that is not finite at the frames in `work`, or NULL. */
const hk_item *hk_forces_not_finite(hk_work *w, const hk_instant *in);
/* src/core/memory.c: internal variables of elements at the frames in `work`. `memory` is part of the
 * state, [n_memory]. hk_memory_start initialises it at the start of a run. hk_memory_accept updates
 * it at the end `in` of an accepted step; in->memory holds the values at the start of the step. */
void hk_memory_start(hk_work *w, const hk_instant *in, double *memory);
void hk_memory_accept(hk_work *w, const hk_instant *in, double *memory);
/* Kinetic energy at the frames of w (hk_mass_multiply uses the same frames). The prescribed
 * rotation of a node is excluded because no force can change it. */
double hk_kinetic_energy(const hk_work *w, const double *v);
/* y = M x */
void hk_mass_multiply(const hk_work *w, const double *x, double *y);

/* Computes the values of channels that expressions may use; stores them in w->variable. */
void hk_variables(hk_work *w, const hk_instant *in);
/* Computes the values of all channels, with frames of all markers; NaN for values that exist at
 * output only. */
void hk_variables_all(hk_work *w, const hk_instant *in);
double hk_channel_state_value(const hk_work *w, int channel, const hk_instant *in);

/* A node with friction that depends on the load of a joint: blocks (node, multiplier) and
 * (multiplier, node). */
typedef struct hk_loaded {
  const double *column, *gradient;
  int v, nv;     /* first velocity of the node, and number of its velocities */
  int row, rows; /* first kept row of the joint, and number of its kept rows */
} hk_loaded;

/* Contiguous range of matrix entries. */
typedef struct hk_matrix_run {
  size_t from, n;
} hk_matrix_run;

/* The linear system: pattern, matrix and solver for one choice of kept rows. */
struct hk_system {
  const hk_model *model;
  int *constraint_block; /* [n_constraints] block index or -1; nodes are blocks 0 .. n_nodes-1 */
  uint8_t *kept;         /* [nc] */
  int *row_at;           /* [nc] scalar row in the system, or -1 */
  /* [n_kept] the kept rows in order: kept row number k is scalar row nv + k of the system */
  int *kept_row;
  int n_kept;
  double *softness; /* [n_kept] estimate of a diagonal entry of G M^-1 G^T, from the masses only */
  int n;            /* scalar unknowns */
  bool full;        /* the pattern contains the geometric coupling between bodies */
  hk_block_pattern *pattern;
  hk_block_matrix *matrix;
  hk_linear_solver *solver;
  /* [n_sums] ranges of matrix entries that are sums of several contributions and must be
   * cleared before an assembly; all other entries are overwritten: see hk_assemble */
  hk_matrix_run *sum;
  int n_sums;
  hk_slot *diagonal;   /* [n_nodes] */
  hk_slot *multiplier; /* [n_constraints] diagonal blocks of the kept rows */
  hk_slot *to_row;     /* [n_ports of constraints] block (multiplier, node) */
  hk_slot *to_node;    /* block (node, multiplier) */
  /* index of the first of the n_ports^2 slots of each element, in the order constraints, forces,
   * contacts */
  int *pair_start;
  hk_slot *pair;
  hk_slot
      *load; /* [4 n_forces] friction: block (node, multiplier of its joint), then of the coupled
             * row of its joint */
  hk_loaded *loaded; /* [n_loaded] */
  int n_loaded;
  bool loads; /* the assembled matrix contains the derivatives of joint friction with respect to
               * loads */
};

/* full: the pattern contains all couplings between bodies; otherwise it contains the geometric
 * stiffness of constraints only within each body. */
hk_status hk_system_create(const hk_model *m, const uint8_t *kept, bool full,
                           hk_linear_solver_kind kind, hk_system **out, hk_error *err);
void hk_system_destroy(hk_system *s);
/* y = A x with the node blocks only, [nv]. */
void hk_system_node_multiply(const hk_system *s, const double *x, double *y);
/* y = F mu, [nv]: F is the part added to G^T by friction that depends on joint loads; mu: kept
 * rows. */
void hk_system_load_multiply(const hk_system *s, const double *mu, double *y);

/* Coefficients of the matrix: cM M + cC C + cK K on nodes, G and G^T on multipliers. With
 * `step_rotation` (step size times mean velocity, [nv] or NULL) the columns of the inertia are
 * multiplied by T^-1. */
typedef struct hk_coefficients {
  double cM, cC, cK;
  const double *step_rotation;
  /* factor on hk_system.softness; the product is subtracted from the diagonal of the multipliers,
   * so that a singular configuration does not amplify round-off */
  double soft;
  bool ideal;    /* true: the dependence of friction on joint loads is omitted */
  double slight; /* fraction of the inertia below which the geometric stiffness of joints is
                  * omitted; 0: never omitted */
  bool ahead;    /* use the tangents that hk_forces_ahead has computed at this instant */
} hk_coefficients;
/* Fills s->matrix at the frames, G and forces of w. HK_RETRY as for hk_forces. */
hk_status hk_assemble(hk_system *s, hk_work *w, const hk_coefficients *c, const hk_instant *in);
/* Fills s->matrix with the metric W (node masses, or a substitute for massless nodes) and G, for
 * the assembly of initial positions and the rank analysis. The multiplier diagonals are
 * -epsilon. */
void hk_assemble_metric(hk_system *s, const hk_work *w, const double *weight, double epsilon);
#endif
