#ifndef KIND_SIZE_H
#define KIND_SIZE_H
#include "spec/registry.h"

static inline size_t kind_size(const hk_param *p) { return hk_param_size(p); }
#endif
