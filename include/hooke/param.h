/* Short forms for the lines of a parameter table.
 *
 *   static const hk_param params[] = {
 *       HK_REAL(spring, stiffness, "N/m", HK_REQUIRED, "force per length", HK_MIN(0)),
 *       HK_ENUM(load, axes, AXES, 0, "axes of the components"),
 *   };
 *
 * The name in the model file is the member's name; HK_PARAM_AS gives another.  After the doc text, designated initialisers of
 * hk_param may follow, such as HK_MIN(0) or HK_RANGE(0, 1).
 */
#ifndef HOOKE_PARAM_H
#define HOOKE_PARAM_H
#include <hooke/type.h>
#include <math.h>

/* The variable arguments initialise the members of hk_param from `flags` on. */
#define HK_PARAM_AS(name_, kind_, S, member, unit_, ...)                        \
  {                                                                             \
    .name = name_, .kind = kind_, .offset = offsetof(S, member), .unit = unit_, \
    .flags = __VA_ARGS__                                                        \
  }

/* Unit that applies if the item's coordinate is an angle. */
#define HK_OR_ALONG_ANGLE(unit_) .angular_unit = unit_
#define HK_MIN(low) .min = low, .max = INFINITY
#define HK_RANGE(low, high) .min = low, .max = high

#define HK_REAL(S, member, unit, ...) \
  HK_PARAM_AS(#member, HK_PARAM_REAL, S, member, unit, __VA_ARGS__)
#define HK_INT(S, member, ...) HK_PARAM_AS(#member, HK_PARAM_INT, S, member, NULL, __VA_ARGS__)
#define HK_BOOL(S, member, flags, doc) \
  HK_PARAM_AS(#member, HK_PARAM_BOOL, S, member, NULL, flags, doc)
#define HK_ENUM(S, member, choices_, flags, doc) \
  HK_PARAM_AS(#member, HK_PARAM_ENUM, S, member, NULL, flags, doc, .choices = choices_)
#define HK_VEC3(S, member, unit, ...) \
  HK_PARAM_AS(#member, HK_PARAM_VEC3, S, member, unit, __VA_ARGS__)
#define HK_DIRECTION(S, member, flags, doc) \
  HK_PARAM_AS(#member, HK_PARAM_DIRECTION, S, member, NULL, flags, doc)
#define HK_ROTATION(S, member, flags, doc) \
  HK_PARAM_AS(#member, HK_PARAM_ROTATION, S, member, NULL, flags, doc)
#define HK_INERTIA(S, member, flags, doc) \
  HK_PARAM_AS(#member, HK_PARAM_INERTIA, S, member, "kg m^2", flags, doc)
#define HK_REALS(S, member, count_, unit, flags, doc) \
  HK_PARAM_AS(#member, HK_PARAM_REALS, S, member, unit, flags, doc, .count = count_)
/* A list of deviations, one per part of a composite joint. The list may be shorter; missing entries are zero. */
#define HK_REALS_EACH(S, member, count_, unit, each_, doc)                              \
  HK_PARAM_AS(#member, HK_PARAM_REALS, S, member, unit, HK_UP_TO, doc, .count = count_, \
              .each = each_)
#define HK_FRAME(S, member, flags, doc) \
  HK_PARAM_AS(#member, HK_PARAM_FRAME, S, member, NULL, flags, doc)
#define HK_JOINT_NAME(S, member, flags, doc) \
  HK_PARAM_AS(#member, HK_PARAM_JOINT, S, member, NULL, flags, doc)
#define HK_LAW_NAME(S, member, flags, doc) \
  HK_PARAM_AS(#member, HK_PARAM_LAW, S, member, NULL, flags, doc)
#define HK_COORDINATE(S, member, flags, doc) \
  HK_PARAM_AS(#member, HK_PARAM_COORDINATE, S, member, NULL, flags, doc)
#define HK_CHANNEL(S, member, flags, doc) \
  HK_PARAM_AS(#member, HK_PARAM_CHANNEL, S, member, NULL, flags, doc)
#define HK_EXPR(S, member, unit, ...) \
  HK_PARAM_AS(#member, HK_PARAM_EXPR, S, member, unit, __VA_ARGS__)
#define HK_EXPR3(S, member, unit, flags, doc) \
  HK_PARAM_AS(#member, HK_PARAM_EXPR3, S, member, unit, flags, doc)
#define HK_TEXT(S, member, flags, doc) \
  HK_PARAM_AS(#member, HK_PARAM_STRING, S, member, NULL, flags, doc)
#define HK_POINTS(S, member, flags, doc) \
  HK_PARAM_AS(#member, HK_PARAM_POINTS, S, member, NULL, flags, doc)
#define HK_TERMS(S, member, flags, doc) \
  HK_PARAM_AS(#member, HK_PARAM_TERMS, S, member, NULL, flags, doc)

#define HK_STEPPER_NAME(S, member, flags, doc) \
  HK_PARAM_AS(#member, HK_PARAM_STEPPER, S, member, NULL, flags, doc)

/* The last members of a type: its parameter table and the number of its lines. */
#define HK_TABLE(table) .params = table, .n_params = (int)(sizeof(table) / sizeof((table)[0]))
#endif
