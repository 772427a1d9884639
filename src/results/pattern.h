/* Regular expressions from users: POSIX extended syntax, limited in memory and time. */
#ifndef HK_RESULTS_PATTERN_H
#define HK_RESULTS_PATTERN_H
#include <hooke/base.h>
#include <regex.h>

/* Free with regfree.  HK_EINPUT: not a regular expression, or too expensive: more than 1000 characters,
 * repetition counts {n,m} with a product above 1000, or back-references. */
hk_status hk_pattern_compile(const char *pattern, regex_t *out, hk_error *err);
/* Returns true if the name of a channel, or a former name of it, matches. */
bool hk_pattern_matches(const regex_t *regex, const char *name);
#endif
