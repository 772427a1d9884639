/* Order and meaning of the doubles of a state: one table. */
#ifndef HK_MODEL_LAYOUT_H
#define HK_MODEL_LAYOUT_H
#include "model/model.h"
#include <hooke/state.h>

/* Fills m->at. */
void hk_layout_fill(hk_model *m);
/* Describes entry i < m->at.size; the entries after these belong to the integrator. */
void hk_layout_entry(const hk_model *m, int i, hk_state_entry *out);
#endif
