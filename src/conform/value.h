/* Values of parameters, of any kind. */
#ifndef HK_VALUE_H
#define HK_VALUE_H
#include "conform/trial.h"

/* One drawn value, in the forms that a call and a file need. */
typedef struct hk_value {
  double x[144]; /* as many as a list in a file may have */
  int n;
  char text[3][400];
  bool yes;
} hk_value;
/* Draw one for a parameter, set it by the C setters, and look whether the struct holds it. */
void hk_value_draw(hk_trial *t, const hk_param *p, hk_value *v);
hk_status hk_value_set(hk_trial *t, hk_item *item, const hk_param *p, const hk_value *v,
                       hk_error *err);
bool hk_value_holds(hk_trial *t, const hk_item *item, const hk_param *p, const hk_value *v);
#endif
