/* Orbits over a parameter: for each value the model is read again, compiled and run to its final orbit. */
#ifndef HK_STUDY_ORBIT_SWEEP_H
#define HK_STUDY_ORBIT_SWEEP_H
#include "study/eigen_sweep.h"
#include <hooke/model_file.h>
#include <hooke/nonlinear.h>

/* Names of channels; they are resolved in every model of a sweep, because the channels may
 * differ. */
typedef struct hk_sweep_names {
  const char *const *channel; /* of a point */
  const char *event;          /* NULL: stroboscopic */
  const char *period; /* channel with the period as its initial value; NULL: the period is given */
} hk_sweep_names;

typedef struct hk_sweep_point {
  const double *value; /* [n_axes] values of the parameters */
  bool done;           /* the orbit was computed, or failed with `status` */
  bool down;           /* the point belongs to the return sweep */
  /* true: the previous orbit could not be continued, so this orbit started from the initial state */
  bool fresh;
  hk_status status;
  char *message; /* reason of the failure, or NULL */
  hk_orbit orbit;
} hk_sweep_point;

typedef struct hk_orbit_sweep {
  /* [n] points in ascending order, followed by [n] points of the return sweep if requested */
  hk_sweep_point *point;
  int n, n_all;
  int n_done, n_failed;
  double *value; /* [n][n_axes] */
} hk_orbit_sweep;

typedef struct hk_orbit_sweep_options {
  const char *model_path;
  const hk_registry *types; /* NULL: those of the library */
  const hk_override *set;
  int n_set;
  const hk_sweep_axis *axis; /* parameters that change */
  int n_axes;
  const hk_spread *spread; /* random initial states; NULL: that of the model */
  uint64_t seed;
  hk_orbit_options orbit; /* options of the orbits; their channels are given by `names` */
  hk_sweep_names names;
  bool
      /* true: the run of each value starts at the final state of the previous value; one
       * process then computes a whole sweep in one direction */
      carry_on;
  bool both; /* with carry_on: sweeps upwards, then back */
  int jobs;
  /* Called several times per second.  False stops regularly: finished values are kept. */
  bool (*go_on)(void *context, const hk_orbit_sweep *now);
  void *context;
} hk_orbit_sweep_options;

/* Runs the sweep; value [n][n_axes].  HK_OK even if some points failed; HK_EFAIL if all failed;
 * HK_EINPUT with messages in diag if the model is invalid at both ends of the values; HK_STOPPED.
 * Free *out in any case. */
hk_status hk_orbit_sweep_run(const hk_orbit_sweep_options *options, const double *value, int n,
                             hk_orbit_sweep *out, hk_diag *diag, hk_error *err);
void hk_orbit_sweep_free(hk_orbit_sweep *b);

/* Resolves channels, event and period of a model by name into `o` (o->channel must point to `channel`, which is large
 * enough).  Errors suggest the nearest name. */
hk_status hk_sweep_resolve(const hk_model *model, const hk_sweep_names *names, hk_orbit_options *o,
                           int *channel, hk_error *err);
/* Converts an orbit to bytes (without its final state) and back; *bytes is allocated by malloc. */
hk_status hk_orbit_pack(const hk_orbit *orbit, void **bytes, size_t *size);
hk_status hk_orbit_unpack(const void *bytes, size_t size, hk_orbit *orbit);
#endif
