/* Regular expressions of users: POSIX extended ones, of a size that costs neither memory nor time. */
#ifndef HK_PATTERN_H
#define HK_PATTERN_H
#include <hooke/base.h>
#include <regex.h>

/* Free with regfree.  HK_EINPUT: it is none, or it could take for ever: more than 1000 characters, repetitions
 * of repetitions beyond 1000 in all, or references back to what was matched. */
hk_status hk_pattern_compile(const char *pattern, regex_t *out, hk_error *err);
#endif
