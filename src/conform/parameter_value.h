/* Random values of parameters of any kind. */
#ifndef HK_CONFORM_PARAMETER_VALUE_H
#define HK_CONFORM_PARAMETER_VALUE_H
#include "conform/trial.h"

/* One random value, in the forms that a C call and a model file need. */
typedef struct hk_value {
  double x[144]; /* maximum length of a list in a model file */
  int n;
  char text[3][400];
  bool yes;
} hk_value;
/* Draws a value for a parameter, sets it by the C setters, and tests whether the struct contains it. */
void hk_value_draw(hk_trial *t, const hk_param *p, hk_value *v);
hk_status hk_value_set(hk_trial *t, hk_item *item, const hk_param *p, const hk_value *v,
                       hk_error *err);
bool hk_value_holds(hk_trial *t, const hk_item *item, const hk_param *p, const hk_value *v);
#endif
