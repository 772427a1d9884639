/* What all gaps share. */
#ifndef HK_GAP_H
#define HK_GAP_H
#include "core/element.h"
#include "spec/param.h"

/* The common parameters of contacts: a, b, law. */
extern const hk_param hk_contact_params[];
extern const int hk_contact_n_params;
#endif
