/* Couplings: other programs' models that exchange numbers with a simulation at fixed times (`fmus` of a model file).
 *
 * The simulation uses only this table of functions; src/import implements it for FMUs. The other program is called the
 * partner. At the sample times (start + k period) the inputs u of the partner are read from channels. Then the partner
 * makes its step up to this time, and its outputs y become inputs of the model (HK_INPUT), which are held or
 * extrapolated until the next sample. */
#ifndef HK_SPEC_COUPLING_H
#define HK_SPEC_COUPLING_H
#include "spec/type.h"

typedef struct hk_coupling hk_coupling;
typedef void hk_coupling_tell(void *context, const char *text);

/* A partner is one running instance of such a program.  Values are in SI units. */
typedef struct hk_coupling_ops {
  /* Creates a partner and begins its initialisation at the time t. */
  hk_status (*open)(const hk_coupling *c, double t, void **partner, hk_error *err);
  /* Computes the outputs y for the inputs u during initialisation. last: ends the
   * initialisation; steps may follow. */
  hk_status (*settle)(void *partner, const double *u, bool last, double *y, hk_error *err);
  /* Makes a step of length h from t. u: inputs at the start of the step; next: inputs at its
   * end. */
  hk_status (*step)(void *partner, double t, double h, const double *u, const double *next,
                    double *y, hk_error *err);
  /* Returns the number of bytes of a saved state; 0: states cannot be saved. */
  size_t (*state_size)(void *partner);
  hk_status (*save)(void *partner, void *bytes, size_t size, hk_error *err);
  hk_status (*restore)(void *partner, const void *bytes, size_t size, hk_error *err);
  /* Returns the warnings and errors that the partner has reported since the last call. */
  void (*messages)(void *partner, hk_coupling_tell *tell, void *context);
  void (*close)(void *partner);
} hk_coupling_ops;

/* Interpolation of the exchanged values between two samples; in the order of the type's choices. */
typedef enum hk_between_samples { HK_SIGNALS_HELD, HK_SIGNALS_LINEAR } hk_between_samples;

/* Constant, in the arena of the spec. */
struct hk_coupling {
  const hk_coupling_ops *ops;
  const void *data; /* for ops */
  const char *name; /* of the item */
  double period;
  hk_between_samples signals;
  const char *
      *input; /* [n_inputs] sensors of the model, with the dimension that the partner expects: */
  const hk_dim *input_dim;
  const bool *input_checked; /* false: the unit in which the partner expects the input is unknown */
  int n_inputs;
  const char **output;       /* [n_outputs] inputs of the model */
  const bool *output_smooth; /* whether each output may be extrapolated */
  int n_outputs;
};

/* Parameters of the type `fmu`. */
typedef struct hk_fmu_params {
  const char *file;
  double period, time_limit;
  int signals;                 /* hk_between_samples */
  const hk_coupling *coupling; /* set when the model file is read */
} hk_fmu_params;
#endif
