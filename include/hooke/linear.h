/* Static equilibrium, linearisation and modes.
 *
 *   hk_sim *sim;
 *   hk_static_report at;
 *   hk_linear *linear;
 *   hk_modes modes;
 *   hk_static_solve(model, NULL, &sim, &at, &diag, &err);      equilibrium
 *   hk_linear_create(sim, NULL, &linear, &diag, &err);          M d'' + L d' + K d = 0, G d = 0
 *   hk_modes_solve(linear, NULL, &modes, &err);
 *   for (int i = 0; i < modes.n; i++) printf("%g + %gi\n", modes.mode[i].re, modes.mode[i].im);
 *
 * Theory, limits and file formats: docs/analysis/linear.md.
 */
#ifndef HOOKE_LINEAR_H
#define HOOKE_LINEAR_H
#include <hooke/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- static equilibrium ---- */

/* For every member, 0 means the default. */
typedef struct hk_static_options {
  size_t size; /* sizeof(hk_static_options), or 0: the members of version 1.0 */
  /* largest residual force on each body relative to the loads on it; default 1e-10 */
  double tolerance;
  int max_newton;           /* 100 */
  int max_relaxation;       /* 2000 */
  bool as_placed;           /* only assemble the model, without a search for an equilibrium */
  hk_progress_fn *progress; /* after every iteration */
  void *context;
} hk_static_options;

/* Largest unbalanced force or moment, relative to the loads on its body. */
typedef struct hk_imbalance {
  double size;      /* [N] or [N m] */
  double relative;  /* relative to the loads on this body */
  bool moment;      /* true: a moment; false: a force */
  const char *body; /* lives as long as the model; "": no body */
  /* true: `body` is the name of a scalar state, and `size` is the rate of this state divided by its scale [1/s] */
  bool state;
} hk_imbalance;
/* Writes a text such as "a force of 5 N on body 'crank'" into buf; returns the length that it
 * needs. */
HK_API int hk_imbalance_text(const hk_imbalance *e, char *buf, size_t size);

typedef struct hk_static_report {
  hk_imbalance start,
      residual;           /* in the position of the file, and in the position that was found */
  int newton, relaxation; /* iterations */
  double moved; /* largest displacement of a body from the assembled initial position [m] */
  /* largest rotation of a body from its assembled initial orientation [rad] */
  double turned;
  /* number of redundant constraint rows; if > 0, the reactions are those of minimum norm */
  int redundant;
  bool moving; /* the file gives initial velocities, which were set to zero */
  double reserved[4];
} hk_static_report;

/* Assemble the model at the start time, at rest, and find a nearby equilibrium: Newton's method
 * with a line search, then overdamped relaxation.  *sim holds the state; its channels give
 * positions and reactions.  HK_EFAIL: no equilibrium was found; err gives the residual and its
 * body, and the report is filled too.  Destroy *sim with hk_sim_destroy. */
HK_API hk_status hk_static_solve(const hk_model *model, const hk_static_options *options,
                                 hk_sim **sim, hk_static_report *report, hk_diag *diag,
                                 hk_error *err);

/* ---- linearisation ---- */

typedef enum hk_linear_axes {
  HK_LINEAR_BODY_AXES,  /* rotations about the axes of each body */
  HK_LINEAR_WORLD_AXES, /* rotations about world axes: the choice for spinning bodies */
  /* displacements and rotations in axes that rotate steadily (hk_linear.rate); at the time of
   * the linearisation they are parallel to the world axes */
  HK_LINEAR_ROTATING_AXES,
} hk_linear_axes;

typedef struct hk_linear_options {
  size_t size; /* sizeof(hk_linear_options), or 0: the members of version 1.0 */
  double
      tolerance; /* tolerance of the force balance relative to the loads; 1e-9 at rest, 1e-6 in motion, 1e-5 after steps */
  double rank_tol; /* rank tolerance: singular values of G relative to the largest; 1e-10 */
  int dense_limit; /* largest number of velocity coordinates for dense matrices; 600 */
  bool
      /* true: equations that depend explicitly on time are used at the present time, with a
       * warning; false: they are rejected */
      frozen;
} hk_linear_options;

/* Linear equations about a state:
 *
 *   M d'' + L d' + K d + G^T dlambda = 0,   G d = 0,      d = N z,  N^T M N z'' + ... = 0
 *
 * d are displacements of the bodies' centres of mass in world axes and small rotations (of a rotor: its angle).  K holds the
 * tangent stiffness of the constraint forces.  Matrices are dense, row by row.  Above dense_limit they are NULL and `sparse`
 * is true: modes are computed by projection on the free motions if these are few, else by shift-and-invert. */
typedef struct hk_linear {
  const hk_model *model;
  double t;
  /* numbers of coordinates and of constraint rows; rank of G; dof = n - rank */
  int n, nc, rank, dof;
  hk_linear_axes axes;
  bool sparse;
  bool moving;          /* the velocities of the state are not zero */
  double *M, *L, *K;    /* [n][n] */
  double *G;            /* [nc][n] */
  double *lambda;       /* [nc] multipliers at this state, of minimum norm */
  double *N;            /* [n][dof] basis of the free motions; dof rows of N form the identity */
  double *Mr, *Lr, *Kr; /* [dof][dof] reduced matrices N^T M N, N^T L N, N^T K N */
  hk_imbalance residual;
  /* Largest stiffness of free motions caused by a self-stress of 1 N, times the characteristic length.  If it is not zero,
   * the position is singular and the result depends on the self-stress, which is assumed to be zero. */
  double self_stress;
  struct hk_linear_inside *inside;
  double rate[3]; /* angular velocity of rotating axes [rad/s]; 0 for other axes */
} hk_linear;

/* Linearise about the state of sim, which must be an equilibrium or a steady motion; for other
 * states, err gives the residual and its body.  sim must outlive *out. */
HK_API hk_status hk_linear_create(hk_sim *sim, const hk_linear_options *options, hk_linear **out,
                                  hk_diag *diag, hk_error *err);
HK_API void hk_linear_destroy(hk_linear *linear);
/* Writes the name of coordinate i, such as "lower.x", "lower.rz" or "wheel.angle", into buf;
 * returns the length that it needs. */
HK_API int hk_linear_coordinate_name(const hk_linear *linear, int i, char *buf, size_t size);
HK_API const char *hk_linear_coordinate_unit(const hk_linear *linear, int i);

/* Inputs: the expressions of loads and actuators, such as "push.force.x". b [n] is the generalised force per unit of
 * the input. */
HK_API int hk_linear_input_count(const hk_linear *linear);
HK_API int hk_linear_input_name(const hk_linear *linear, int i, char *buf, size_t size);
HK_API int hk_linear_input_find(const hk_linear *linear, const char *name); /* -1: none */
HK_API hk_status hk_linear_input(const hk_linear *linear, int i, double *b);
/* Output: a channel that expressions may use (positions, velocities, coordinates, sensors); the
 * change of its value is cd.d + cv.d'.  HK_EINPUT for other channels. */
HK_API hk_status hk_linear_output(const hk_linear *linear, int channel, double *cd, double *cv,
                                  hk_error *err);

/* Motions, which can also serve as excitation, such as "road" and "table.x". */
HK_API int hk_linear_motion_count(const hk_linear *linear);
HK_API int hk_linear_motion_name(const hk_linear *linear, int i, char *buf, size_t size);

/* State space x' = A x + B u, y = C x + D u of the reduced model.  States are the free motions z and their rates (massless
 * directions condensed), then the values of the motions and their rates. Inputs are the forces, then the accelerations of the
 * motions: with these the equations need no derivatives of inputs, and the response to the value of a motion is s^2 times
 * that to its acceleration.  A has two more zero eigenvalues per motion than the model.  Dense models only. */
typedef struct hk_state_space {
  int n, inputs, outputs;
  /* number of motions: the last `motions` inputs and the last 2 * motions states belong to them */
  int motions;
  double *A, *B, *C, *D; /* row by row */
  int *output;           /* channels */
  int first_order;       /* number of first-order states, which follow z1 ... and z1.rate ... */
} hk_state_space;
/* Computes the state space with all inputs, and the given channels as outputs; n_channels = 0:
 * sensors and joint coordinates. */
HK_API hk_status hk_linear_state_space(const hk_linear *linear, const int *channel, int n_channels,
                                       hk_state_space *out, hk_error *err);
HK_API void hk_state_space_free(hk_state_space *s);
/* Names such as "push.force.x" or "road.acceleration" (inputs); "z1", "z1.rate", "y1", "road",
 * "road.rate" (states). */
HK_API int hk_state_space_input_name(const hk_linear *linear, const hk_state_space *s, int i,
                                     char *buf, size_t size);
HK_API int hk_state_space_state_name(const hk_linear *linear, const hk_state_space *s, int i,
                                     char *buf, size_t size);

/* ---- modes ---- */

typedef struct hk_mode {
  double re, im;        /* eigenvalue s [1/s] */
  double frequency;     /* natural frequency |s|/2 pi [Hz] */
  double damping;       /* -re/|s|; 0 for a zero mode */
  double time_constant; /* -1/re [s]; infinite if the mode neither grows nor decays */
  bool zero;            /* s = 0 within round-off (then set to exactly 0): a free motion */
  const double *shape;  /* [n][2] displacement (real, imaginary), largest component 1 */
} hk_mode;

typedef enum hk_modes_method { HK_MODES_AUTO, HK_MODES_DENSE, HK_MODES_SPARSE } hk_modes_method;

typedef struct hk_modes_options {
  size_t size; /* sizeof(hk_modes_options), or 0: the members of version 1.0 */
  hk_modes_method method;
  int count; /* sparse: number of eigenvalues; 0: 20 */
  double
      shift; /* sparse: find the eigenvalues nearest to this real number [1/s]; 0: nearest to zero */
  bool values_only;
  /* Sparse models: if there are at most this number of free motions, their matrices are formed
   * as dense matrices and all eigenvalues are computed. 0: 300; < 0: never. */
  int project_limit;
  /* sparse and projected methods: called after every product with the inverse. The dense method cannot be stopped */
  hk_progress_fn *progress;
  void *context;
} hk_modes_options;

typedef struct hk_modes {
  int n; /* number of eigenvalues, sorted by ascending |s|, then descending real part; conjugate pairs are adjacent */
  hk_mode *mode;
  int n_infinite; /* eigenvalues at infinity, caused by massless directions and not listed; -1: not counted */
  int n_unstable;     /* number of eigenvalues with a positive real part */
  bool complete;      /* all eigenvalues were computed */
  const char *method; /* "dense", "projected" or "sparse" */
  int iterations;     /* sparse method: number of products with the inverse */
  double *block;
} hk_modes;

HK_API hk_status hk_modes_solve(const hk_linear *linear, const hk_modes_options *options,
                                hk_modes *out, hk_error *err);
HK_API void hk_modes_free(hk_modes *modes);
/* Computes the left eigenvector w of a mode with shape d, as `left` [2 n] in the coordinates of the
 * linear model: w^H P(s) x = 0 for every free motion x, with P(s) = s^2 M + s L + K, and w^H (2 s M
 * + L) d = 1.  A change dP of the matrices shifts the eigenvalue by ds = -w^H dP(s) d.  For a
 * multiple eigenvalue with only one shape, w is scaled to a largest component of 1 instead.
 * HK_EINPUT: the model is sparse (dense_limit) or rolls, or the mode has no shape. */
HK_API hk_status hk_mode_left(const hk_linear *linear, const hk_mode *mode, double *left,
                              hk_error *err);

#ifdef __cplusplus
}
#endif
#endif
