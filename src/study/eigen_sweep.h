/* Eigenvalues over a parameter: for each point the model is read again with another value and linearised, and its
 * modes are matched with those of the previous point.
 *
 * Modes are matched by the assignment of minimum total cost; the cost of a pair is
 *
 *   1 - MAC + |s - s*| / (|s| + |s*|),   MAC = |a^H b|^2 / (|a|^2 |b|^2)
 *
 * with the mode shapes a, b (a radian is weighted by the model's characteristic length) and s* extrapolated from the
 * two previous points [Allemang 2003].  In this way branches that cross are tracked by their
 * mode shapes, and branches that only approach each other are not exchanged. */
#ifndef HK_STUDY_EIGEN_SWEEP_H
#define HK_STUDY_EIGEN_SWEEP_H
#include <hooke/linear.h>
#include <hooke/model_file.h>

/* The state at which the model is linearised. */
typedef enum hk_operating_mode {
  HK_OPERATE_STATIC, /* equilibrium at rest */
  /* the state after a simulation up to a given time; if this is the start time: the initial position of the model
   * file with the initial velocities */
  HK_OPERATE_AT
} hk_operating_mode;
typedef struct hk_operating_point {
  hk_operating_mode mode;
  double at; /* [s] */
  hk_linear_options linear;
} hk_operating_point;

/* Creates the simulation and its linear model; *sim and *linear are NULL on failure; destroy linear
 * first. */
hk_status hk_operating_point_make(const hk_model *model, const hk_operating_point *point,
                                  hk_sim **sim, hk_linear **linear, hk_diag *diag, hk_error *err);

typedef struct hk_branch {
  double *re, *im; /* [n of the sweep]; NaN at points without this branch */
  /* [n] MAC with the shape at the previous point; NaN at the first point of the branch */
  double *mac;
} hk_branch;

typedef struct hk_eigen_sweep {
  int n, n_done;     /* number of points, and number of points computed so far */
  double *parameter; /* [n] */
  hk_branch *branch;
  int n_branches;
  int n_failed; /* number of points without a result: see first_failure */
  hk_error first_failure;
  hk_status first_status;
  /* location of the element that caused the first failure; the sweep owns the text of the file name */
  hk_location first_place;
  /* Mode shapes of the last point, for the matching. */
  double *shape; /* [n_branches][size][2] */
  int size;
} hk_eigen_sweep;

hk_status hk_eigen_sweep_init(hk_eigen_sweep *s, const double *parameter, int n, hk_error *err);
/* Adds the modes of the next point; weight [size] scales the coordinates of shapes, NULL: 1. */
hk_status hk_eigen_sweep_add(hk_eigen_sweep *s, const hk_modes *modes, int size,
                             const double *weight, hk_error *err);
/* Records that the next point has no result. */
void hk_eigen_sweep_skip(hk_eigen_sweep *s, hk_status status, const hk_error *why);
void hk_eigen_sweep_free(hk_eigen_sweep *s);

/* The swept parameter: value and unit become the text of an override. */
typedef struct hk_sweep_axis {
  const char *path, *unit; /* unit may be "" */
} hk_sweep_axis;
/* Computes all points of s.  A point that fails is skipped; if all fail, the status is that of the
 * first.  Errors common to all points and errors of a model that cannot be read are in diag, with
 * the location of the element.  types NULL: the types of the library. */
hk_status hk_eigen_sweep_run(hk_eigen_sweep *s, const hk_registry *types, const char *model_path,
                             const hk_override *set, int n_set, const hk_sweep_axis *axis,
                             const hk_operating_point *point, hk_diag *diag, hk_error *err);
#endif
