/* Scratch of one simulation: everything that can be recomputed from model and state.
 *
 * "computed by" says which function fills a member.  Nothing here survives a step but what
 * never changes: frames on the ground and constant entries of G and gt, written at creation.  The rest
 * may be poisoned between steps and no result may change by one bit.
 */
#ifndef HK_WORK_H
#define HK_WORK_H
#include "base/four.h"
#include "core/instant.h"
#include "solve/linear_solver.h"

/* Addresses in the matrix of one pair of ports. */
typedef struct hk_slot {
  double *at; /* NULL: not in the pattern */
  int stride;
} hk_slot;

typedef struct hk_system hk_system;
typedef struct hk_spin hk_spin;
typedef struct hk_rub hk_rub;

/* How the hot loops take a constraint.  Wide: its two ports are rigid bodies or the ground, so that
 * a row has twelve columns in one piece, those of the ground zero.  Of the wide ones those that
 * hold a point, and an axis too, have their own evaluation. */
typedef enum hk_shape {
  HK_SHAPE_GENERAL,
  HK_SHAPE_WIDE,
  HK_SHAPE_POINT,
  HK_SHAPE_REVOLUTE
} hk_shape;
typedef struct hk_link {
  hk_shape shape;
  int a, b;   /* nodes, where wide */
  int va, vb; /* first velocity of each; of the ground: -1 */
  int ma, mb; /* mount of each port, where it holds a point; of the ground: -1 */
  bool from_ground; /* a is the ground, and all relations of b tell their turning_b */
  int rubbing, n_rubbing; /* forces, one behind the other, that are friction along coordinates between the very frames of
                           * the joint, where their tangents go together: both bodies are rigid */
  double turned[2]; /* geometric stiffness that a force, a moment of the joint may make, over the inertia of its bodies; infinite where
                     * it does not come from their turning alone */
} hk_link;

/* An active marker of a rigid body: its place and axes, side by side, in node axes, so that one product with the
 * node's rotation gives both in world axes. */
typedef struct hk_mount {
  double K[3][4];
  int frame, node, q, v;
  bool moving; /* a force asks for its velocity */
} hk_mount;
/* hk_marker.s and the columns of its R. */
static inline hk_vec3 hk_mount_axis(const hk_mount *p, int axis) {
  return hk_v3(p->K[0][1 + axis], p->K[1][1 + axis], p->K[2][1 + axis]);
}
static inline hk_vec3 hk_mount_place(const hk_mount *p) { return hk_mount_axis(p, -1); }

/* A contact point of a compliant law at the last evaluation. */
typedef struct hk_touch {
  double gap, N, sliding_power;
  double potential, N_depth, N_rate;
  double rate;   /* of the gap, where N > 0 */
  double f, f_v; /* of contacts of balls: what the law says of their sliding; see contact_ball.c */
} hk_touch;

/* Up to four contacts of balls with the same frame A that are evaluated at once: see contact_four.c. */
typedef struct hk_bunch {
  int n;
  const hk_contact *contact[4]; /* those of lanes without one: the first again, as in the next */
  hk_m4 used; /* lanes that have a contact */
  int index[4], point[4], frame[4], node[4], v[4]; /* of the contact, its first point, its ball */
  hk_v4 k[HK_GAP_CONSTANTS], l[HK_LAW_CONSTANTS];
} hk_bunch;

/* Expressions of a force that depend on nothing but the time: all evaluations of a step's end are at one time. */
typedef struct hk_timed {
  bool on; /* all of its expressions are such */
  double t, e[HK_FORCE_MAX_EXPR];
} hk_timed;

/* An element that could not be evaluated, and why in words. */
typedef struct hk_failure {
  const hk_item *item; /* NULL: none failed */
  char what[240];
} hk_failure;

typedef struct hk_work {
  const hk_model *model;
  hk_mat3 *R;       /* [n_nodes] rotation matrices        computed by hk_kinematics */
  double *node_own; /* numbers of the nodes' own          computed by hk_kinematics */
  hk_frame *frame;  /* [n_markers] active ones            computed by hk_kinematics */
  hk_mount *mount;  /* [n_mounts] those of rigid bodies   computed by hk_kinematic_mounts, once */
  int *loose;       /* [n_loose] active ones of others    computed by hk_kinematic_mounts, once */
  int n_mounts, n_loose;
  double *g;        /* [nc] constraint values             computed by hk_constraints */
  double *gt;       /* [nc] partial time derivative of g  computed by hk_constraints */
  double *G;        /* Jacobian rows in node coordinates  computed by hk_constraints */
  double *kept_rows; /* room for a copy of G and gt, for hk_sim_poison alone: a step allocates nothing */
  hk_link *link;    /* [n_constraints]                    computed by hk_constraint_links, once */
  double *bias;     /* [nc] G' v + gtt                    computed by hk_constraint_bias */
  hk_touch *touch;  /* [n_points]                         computed by hk_contact_forces */
  hk_bunch *bunch;  /* [n_bunches] compliant contacts     computed by hk_contact_bunches, once */
  int *single;      /* [n_singles] those in no bunch      computed by hk_contact_bunches, once */
  int n_bunches, n_singles;
  double (*load)[6]; /* [n_nodes] world axes, at the node; NULL: not wanted.  By hk_forces */
  double *f;        /* [nv] applied and gyroscopic forces computed by hk_forces */
  double *variable; /* [n_variables]                      computed by hk_forces */
  hk_spin *spin;    /* [n_forces] along angles of rotors  computed by hk_forces; see core/spin.h */
  hk_timed *timed;  /* [n_forces] values of expressions   computed by hk_force_evaluate */
  hk_rub *rub;      /* [n_forces] friction of joints      computed by hk_forces; see core/rub.h */
  double *scratch;  /* [n_scratch] of the element that is being evaluated, and of no other */
  hk_failure failure; /* the first one in                 hk_forces, hk_assemble */
  bool still;                            /* guides stand still: the model at rest */
  double potential, dissipated, applied; /*               computed by hk_forces */
  double kinetic;                        /*               computed by hk_kinetic_energy */
  void *block;                           /* the one allocation behind all of these */
} hk_work;

hk_work *hk_work_create(const hk_model *m);
void hk_work_destroy(hk_work *w);

/* Frames at (q, v): of the markers that elements use, with velocities where a force needs them; of
 * the same with all velocities; of all markers. */
typedef enum hk_frames_wanted { HK_FRAMES_STEP, HK_FRAMES_MOVING, HK_FRAMES_ALL } hk_frames_wanted;
void hk_kinematic_mounts(hk_work *w);
void hk_kinematics(hk_work *w, const hk_instant *in, hk_frames_wanted wanted);
/* The same as HK_FRAMES_MOVING where the frames in work are at in->q already: only velocities have changed. */
void hk_kinematic_speeds(hk_work *w, const hk_instant *in);
/* q1 = q0 (+) d, d in node coordinates: Lie-group update.  q1 may be q0. */
void hk_configuration_add(const hk_model *m, const double *q0, const double *d, double *q1);
/* d = q1 (-) q0: the inverse of the update. */
void hk_configuration_sub(const hk_model *m, const double *q1, const double *q0, double *d);
/* d = q1 (-) q0 to first order, by the chord: 2 Im(q0* q1) = -2 Im(q1* q0) of a quaternion.  q0 may
 * be a sum of configurations, whose quaternion is no unit. */
void hk_configuration_chord(const hk_model *m, const double *q1, const double *q0, double *d);
/* q1 of which q1 (-) q0 is d by the chord, where q0 may be such a sum. */
void hk_configuration_chord_add(const hk_model *m, const double *q0, const double *d, double *q1);
/* xi <- the change of the chord d that a small displacement xi at its end q1 makes, where Re(q1* q0) is nearly 1: q0 is
 * on the tangent at q1. */
void hk_configuration_chord_tangent(const hk_model *m, const double *d, double *xi);
/* xi <- T^-1(D) xi: a small displacement at q0 (+) D, in terms of the change of D. */
void hk_configuration_tangent_inv(const hk_model *m, const double *D, double *xi);
/* rate[nq] = q' of the velocities v: q (0, w)/2 of a quaternion, which need be no unit. */
void hk_configuration_rate(const hk_model *m, const double *q, const double *v, double *rate);
/* A sum of configurations becomes one: quaternions of length 1. */
void hk_configuration_unit(const hk_model *m, double *q);

/* See hk_shape. */
bool hk_constraint_is_wide(const hk_model *m, const hk_constraint *c);
/* w->link, and those entries of G that never change. */
void hk_constraint_links(hk_work *w);
/* g, gt and G at the frames of w. */
void hk_constraints(hk_work *w, const hk_instant *in);
/* g and gt alone: G stays that of other frames. */
void hk_constraint_values(hk_work *w, const hk_instant *in);
void hk_constraint_bias(hk_work *w, const hk_instant *in);
/* f -= G^T lambda */
void hk_constraint_force(const hk_work *w, const double *lambda, double *f);
/* Both at once: G of a large model is not fetched again. */
void hk_constraints_with_force(hk_work *w, const hk_instant *in, const double *lambda, double *f);
/* f -= G^T lambda and y[nc] = G vd + bias, in one reading of G. */
void hk_constraint_accelerations(const hk_work *w, const double *vd, const double *lambda,
                                 double *f, double *y);
/* y[nc] = G v */
void hk_constraint_rate(const hk_work *w, const double *v, double *y);
/* One entry of G v. */
double hk_constraint_row_rate(const hk_work *w, int row, const double *v);
/* y[nc] = G v + gt */
void hk_constraint_velocity(const hk_work *w, const double *v, double *y);

/* Value of a coordinate, unwrapped, and its rate. */
double hk_coordinate_value(const hk_work *w, int coordinate, const double *turn);
double hk_coordinate_rate(const hk_work *w, int coordinate);
/* J' v of a coordinate, with the markers' own part: its acceleration less G a. */
double hk_coordinate_bias(const hk_work *w, int coordinate);
/* Its acceleration, with those of the nodes. */
double hk_coordinate_acceleration(const hk_work *w, int coordinate, const double *vd);
void hk_coordinates_accept(const hk_work *w, double *turn);

/* f = all forces that are not constraint forces, with energies and powers.  HK_RETRY: one could not be
 * found, see w->failure. */
hk_status hk_forces(hk_work *w, const hk_instant *in);
/* HK_RETRY, with w->failure as a sentence. */
hk_status hk_work_failed(const hk_work *w, hk_error *err);
/* The first element whose force is not a finite number at the frames in work, or NULL. */
const hk_item *hk_forces_not_finite(hk_work *w, const hk_instant *in);
/* src/core/memory.c: what elements remember, at the frames in work.  `memory` is the state's, [n_memory].
 * At the start of a run; at the end of the step that `in` ends, whose memory is that of its start. */
void hk_memory_start(hk_work *w, const hk_instant *in, double *memory);
void hk_memory_accept(hk_work *w, const hk_instant *in, double *memory);
/* Both at the frames of w; guided nodes count without their turning, which no force can change. */
double hk_kinetic_energy(const hk_work *w, const double *v);
/* y = M x */
void hk_mass_multiply(const hk_work *w, const double *x, double *y);

/* Values of channels that expressions may use, into w->variable. */
void hk_variables(hk_work *w, const hk_instant *in);
/* The same for all of them, at frames of all markers; NaN for what is known at output only. */
void hk_variables_all(hk_work *w, const hk_instant *in);
double hk_channel_state_value(const hk_work *w, int channel, const hk_instant *in);

/* A node that rubs under the load of a joint: the blocks (node, multiplier) and (multiplier, node). */
typedef struct hk_loaded {
  const double *column, *gradient;
  int v, nv;     /* of the node */
  int row, rows; /* of the joint's kept rows */
} hk_loaded;

/* Numbers of the matrix, one behind the other. */
typedef struct hk_matrix_run {
  size_t from, n;
} hk_matrix_run;

/* The linear system: pattern, matrix and solver for one choice of kept rows. */
struct hk_system {
  const hk_model *model;
  int *constraint_block; /* [n_constraints] or -1; nodes are blocks 0 .. n_nodes-1 */
  uint8_t *kept;         /* [nc] */
  int *row_at;           /* [nc] scalar row in the system, or -1 */
  int *kept_row;         /* [n_kept] the kept rows in order: number k is scalar row nv + k */
  int n_kept;
  double *softness;      /* [n_kept] size of a diagonal entry of G M^-1 G^T, from the masses alone */
  int n;     /* scalar unknowns */
  bool full; /* pattern holds the geometric coupling between bodies */
  hk_block_pattern *pattern;
  hk_block_matrix *matrix;
  hk_linear_solver *solver;
  hk_matrix_run *sum; /* [n_sums] what an assembly adds up; all else it writes anew: see hk_assemble */
  int n_sums;
  hk_slot *diagonal; /* [n_nodes] */
  hk_slot *multiplier; /* [n_constraints] diagonal blocks of the kept rows */
  hk_slot *to_row;   /* [n_ports of constraints] block (multiplier, node) */
  hk_slot *to_node;  /* block (node, multiplier) */
  int *pair_start;   /* constraints, then forces, then contacts: first of n_ports^2 slots */
  hk_slot *pair;
  hk_slot *
      load; /* [4 n_forces] friction: (node, multiplier of its joint), then of its joint's thread */
  hk_loaded *loaded; /* [n_loaded] */
  int n_loaded;
  bool loads; /* the matrix was assembled with friction by loads */
};

/* full: with every coupling; else constraint curvature only inside each body. */
hk_status hk_system_create(const hk_model *m, const uint8_t *kept, bool full,
                           hk_linear_solver_kind kind, hk_system **out, hk_error *err);
void hk_system_destroy(hk_system *s);
/* y = A x over the nodes alone, [nv]. */
void hk_system_node_multiply(const hk_system *s, const double *x, double *y);
/* y = F mu, [nv], F being what friction by loads has put beside G^T; mu of the kept rows. */
void hk_system_load_multiply(const hk_system *s, const double *mu, double *y);

/* Coefficients of the matrix: cM M + cC C + cK K on nodes, G and G^T on multipliers.  With
 * `step_rotation` (h times the mean velocity, [nv] or NULL) the inertia's columns carry T^-1. */
typedef struct hk_coefficients {
  double cM, cC, cK;
  const double *step_rotation;
  double soft; /* times hk_system.softness: off the multipliers' diagonal, so that a singular position
                * does not magnify round-off */
  bool ideal;  /* friction without its dependence on the joints' loads */
  double slight; /* part of the inertia below which geometric stiffness of joints is left out; 0: it never is */
} hk_coefficients;
/* Fill s->matrix at the frames, G and forces of w.  HK_RETRY as hk_forces. */
hk_status hk_assemble(hk_system *s, hk_work *w, const hk_coefficients *c, const hk_instant *in);
/* A matrix of the metric W (node masses or a substitute for massless ones) with G; used by
 * assembly of initial positions and by the rank analysis.  epsilon goes on multiplier diagonals. */
void hk_assemble_metric(hk_system *s, const hk_work *w, const double *weight, double epsilon);
#endif
