/* Parameters of tables, inputs and states, which the library alone has types of. */
#ifndef HK_SIGNAL_H
#define HK_SIGNAL_H
#include "expr/curve.h"
#include "spec/type.h"
#include <hooke/element.h>

/* ---- tables ---- */

typedef struct hk_table_params {
  const char *file, *x, *y, *x_unit, *y_unit; /* read by hk_table_load into points */
  hk_points points;
  int interpolation, extrapolation; /* hk_interpolation, hk_outside */
  int points_per_step;
  const hk_curve *table; /* made from the points by hk_spec_table */
} hk_table_params;

/* ---- inputs and states ---- */

/* Of every input and state: its unit and its value at the start, a constant; either may be NULL. */
typedef struct hk_signal_params {
  const char *unit;
  hk_expr *initial_value;
} hk_signal_params;
/* Dimension of an input or state: that of the unit, or of the start. */
hk_status hk_signal_dim(const hk_item *item, hk_dim *dim, hk_error *err);

typedef struct hk_state_params {
  hk_signal_params signal;
  hk_expr *rate, *scale;
  double size;  /* from scale or start, by the compiler */
  bool guessed; /* from neither of them */
} hk_state_params;
/* What a state does to its node: see node/state.c. */
extern const hk_force_ops hk_state_rate;
#endif
