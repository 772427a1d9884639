/* Parameters of tables, inputs and states; programs cannot add types of these categories. */
#ifndef HK_SPEC_SIGNAL_H
#define HK_SPEC_SIGNAL_H
#include "expr/curve.h"
#include "spec/type.h"
#include <hooke/element.h>

/* ---- tables ---- */

typedef struct hk_table_params {
  /* file that hk_table_load reads into `points`, and its columns and units */
  const char *file, *x, *y, *x_unit, *y_unit;
  hk_points points;
  int interpolation, extrapolation; /* hk_interpolation, hk_outside */
  int points_per_step;
  /* an input that follows a file: its name without parentheses means the value at the time t */
  bool of_time;
  const hk_curve *table; /* made from the points by hk_spec_table */
} hk_table_params;

/* ---- inputs and states ---- */

/* Common part of inputs and states: unit and constant initial value; either may be NULL. */
typedef struct hk_signal_params {
  const char *unit;
  hk_expr *initial_value;
} hk_signal_params;
/* Dimension of an input or state: the dimension of its unit or of its initial value. */
hk_status hk_signal_dim(const hk_item *item, hk_dim *dim, hk_error *err);

/* If a file is given, the model contains a table and a sensor instead of the input: see read/model_file_signal.c. */
typedef struct hk_input_params {
  hk_signal_params signal;
  const char *file, *column, *time, *time_unit;
  int interpolate, extrapolation; /* hk_interpolation, hk_outside */
  int points_per_step;
} hk_input_params;

typedef struct hk_state_params {
  hk_signal_params signal;
  hk_expr *rate, *scale;
  double size;  /* magnitude, from scale or initial value; set by compilation */
  bool guessed; /* neither scale nor initial value is given: the magnitude is a guess */
} hk_state_params;
/* Equations of a state on its node: see node/state.c. */
extern const hk_force_ops hk_state_rate;
#endif
