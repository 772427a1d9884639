#ifndef KIND_SIZE_H
#define KIND_SIZE_H
#include "spec/type.h"

/* Bytes that a parameter takes in its struct. */
static inline size_t kind_size(const hk_param *p) {
  switch (p->kind) {
    case HK_PARAM_REAL:
      return sizeof(double);
    case HK_PARAM_INT:
    case HK_PARAM_ENUM:
      return sizeof(int);
    case HK_PARAM_BOOL:
      return sizeof(bool);
    case HK_PARAM_VEC3:
    case HK_PARAM_DIRECTION:
      return sizeof(hk_vec3);
    case HK_PARAM_ROTATION:
      return sizeof(hk_quat);
    case HK_PARAM_INERTIA:
      return 6 * sizeof(double);
    case HK_PARAM_REALS:
      return (size_t)p->count * sizeof(double);
    case HK_PARAM_EXPR3:
      return 3 * sizeof(hk_expr *);
    case HK_PARAM_POINTS:
      return sizeof(hk_points);
    case HK_PARAM_TERMS:
      return sizeof(hk_terms);
    default:
      return sizeof(void *);
  }
}
#endif
