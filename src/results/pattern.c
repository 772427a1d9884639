/* See pattern.h. */
#include "results/pattern.h"
#include "spec/renamed.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LENGTH = 1000 };
static const double MAX_REPEATS = 1000;

/* Product of all repetition counts {n,m}: the number of copies of the repeated expression that the library makes. */
static double repeats(const char *s) {
  double product = 1;
  for (; *s; s++) {
    if (*s == '\\' && s[1]) {
      s++;
      continue;
    }
    if (*s != '{' || !isdigit((unsigned char)s[1])) continue;
    char *end;
    double most = strtod(s + 1, &end);
    if (*end == ',' && isdigit((unsigned char)end[1])) most = strtod(end + 1, &end);
    if (most > 1) product *= most;
  }
  return product;
}

static bool refers_back(const char *s) {
  for (; *s; s++)
    if (*s == '\\' && s[1]) {
      if (isdigit((unsigned char)s[1])) return true;
      s++;
    }
  return false;
}

hk_status hk_pattern_compile(const char *pattern, regex_t *out, hk_error *err) {
  if (strlen(pattern) > MAX_LENGTH)
    return hk_fail(err, HK_EINPUT, "the regular expression '%.40s...' has more than %d characters",
                   pattern, MAX_LENGTH);
  if (repeats(pattern) > MAX_REPEATS)
    return hk_fail(err, HK_EINPUT,
                   "the regular expression '%.200s' has repetition counts with a product above %g",
                   pattern, MAX_REPEATS);
  if (refers_back(pattern))
    return hk_fail(
        err, HK_EINPUT,
        "the regular expression '%.200s' contains a back reference, which may take unlimited time",
        pattern);
  int code = regcomp(out, pattern, REG_EXTENDED | REG_NOSUB);
  if (!code) return HK_OK;
  char why[200];
  regerror(code, out, why, sizeof why);
  if (code == REG_ESPACE) return hk_fail(err, HK_ENOMEM, "out of memory");
  return hk_fail(err, HK_EINPUT, "'%.200s' is not a regular expression: %s", pattern, why);
}

static bool matches(const void *regex, const char *name) {
  return regexec(regex, name, 0, NULL, 0) == 0;
}

bool hk_pattern_matches(const regex_t *regex, const char *name) {
  char other[512];
  return matches(regex, name) ||
         hk_renamed_channel(name, HK_TO_FORMER, matches, regex, other, sizeof other, NULL);
}
