/* Check of the pointers that a public function requires: NULL is an error of the caller, which is reported and does not crash. */
#ifndef HK_BASE_REQUIRED_H
#define HK_BASE_REQUIRED_H
#include <hooke/base.h>

#define HK_REQUIRE(condition, err)                                                   \
  do {                                                                               \
    if (!(condition))                                                                \
      return hk_fail((err), HK_EINPUT, "%s: a required argument is NULL", __func__); \
  } while (0)

#endif
