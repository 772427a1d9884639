/* Angle by which B leads A about the mean of their z axes, wrapped: see twist.c. */
#ifndef HK_RELATION_TWIST_H
#define HK_RELATION_TWIST_H
#include <hooke/relation.h>

extern const hk_relation_type hk_relation_twist;
#endif
