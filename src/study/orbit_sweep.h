/* Orbits over a parameter: each value is the model read again, compiled and run to its end orbit.
 */
#ifndef HK_ORBIT_SWEEP_H
#define HK_ORBIT_SWEEP_H
#include "study/eigen_sweep.h"
#include <hooke/model_file.h>
#include <hooke/nonlinear.h>

/* Names are looked up again in every model of a sweep, whose channels may differ. */
typedef struct hk_sweep_names {
  const char *const *channel; /* of a point */
  const char *event;          /* NULL: stroboscopic */
  const char *period;         /* channel whose value at the start is the period; NULL: given */
} hk_sweep_names;

typedef struct hk_sweep_point {
  const double *value; /* [n_axes] of the parameters */
  bool done, down;     /* down: of the way back */
  bool fresh;          /* the orbit before could not be gone on from: from the start again */
  hk_status status;
  char *message; /* why it failed, or NULL */
  hk_orbit orbit;
} hk_sweep_point;

typedef struct hk_orbit_sweep {
  hk_sweep_point *point; /* [n] upwards, then [n] on the way back where that is asked for */
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
  const hk_spread *spread; /* random starts; NULL: the model's own */
  uint64_t seed;
  hk_orbit_options orbit; /* its channels by `names` */
  hk_sweep_names names;
  bool carry_on; /* each value starts where the one before ended: one process per direction */
  bool both;     /* with carry_on: there and back */
  int jobs;
  /* Asked several times per second.  False stops in good order: what is done is there. */
  bool (*go_on)(void *context, const hk_orbit_sweep *now);
  void *context;
} hk_orbit_sweep_options;

/* value [n][n_axes].  HK_OK also if some points failed; HK_EFAIL if all did; HK_EINPUT with
 * messages in diag if the model can be read at neither end of the values; HK_STOPPED.  Free in any
 * case. */
hk_status hk_orbit_sweep_run(const hk_orbit_sweep_options *options, const double *value, int n,
                             hk_orbit_sweep *out, hk_diag *diag, hk_error *err);
void hk_orbit_sweep_free(hk_orbit_sweep *b);

/* Channels, event and period of a model by names, into `o` (o->channel must point to `channel`,
 * which has room).  Errors suggest the nearest name. */
hk_status hk_sweep_resolve(const hk_model *model, const hk_sweep_names *names, hk_orbit_options *o,
                           int *channel, hk_error *err);
/* An orbit as bytes (without its end state), and back; *bytes is malloc'ed. */
hk_status hk_orbit_pack(const hk_orbit *orbit, void **bytes, size_t *size);
hk_status hk_orbit_unpack(const void *bytes, size_t size, hk_orbit *orbit);
#endif
