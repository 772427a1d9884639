/* Quantities on the command line: see quantity.h. */
#include "quantity.h"
#include "expr/units.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_blanks(const char *s) { return s + strspn(s, " \t"); }

hk_status tool_quantity(const char *text, const char *unit, const char *what, double *out,
                        hk_error *err) {
  char *end;
  double v = strtod(text, &end);
  const char *rest = skip_blanks(end);
  if (end == text || !isfinite(v))
    return hk_fail(err, HK_EINPUT, "%s needs a number, such as \"2 %s\", not '%s'", what, unit,
                   text);
  if (*rest) {
    hk_unit given, wanted;
    hk_error why = {0};
    if (hk_unit_parse(rest, strlen(rest), &given, &why))
      return hk_fail(err, HK_EINPUT, "%s '%s': %s", what, text, why.text);
    if (hk_unit_parse(unit, strlen(unit), &wanted, err)) return HK_EINPUT;
    if (!hk_dim_equal(given.dim, wanted.dim)) {
      char fit[128];
      hk_dim_examples(wanted.dim, fit, sizeof fit);
      return hk_fail(err, HK_EINPUT, "%s '%s': the unit must be one of %s", what, text, fit);
    }
    v = (v * given.factor + given.offset) / wanted.factor;
  }
  *out = v;
  return HK_OK;
}

/* Reads the number at *at and the text after it up to ':' or the end. */
static bool read_part(const char **at, double *v, char rest[64]) {
  char *end;
  *v = strtod(*at, &end);
  if (end == *at || !isfinite(*v)) return false;
  const char *s = skip_blanks(end);
  size_t n = strcspn(s, ":");
  if (n >= 64) return false;
  memcpy(rest, s, n);
  rest[n] = '\0';
  while (n && rest[n - 1] == ' ') rest[--n] = '\0';
  *at = s + strcspn(s, ":");
  return true;
}

hk_status tool_range(const char *text, const char *unit, const char *what, double *first,
                     double *last, int *count, char unit_text[64], hk_error *err) {
  double v[3];
  char rest[3][64] = {"", "", ""}, plain[300];
  int n = 0;
  /* Replaces FIRST..LAST:COUNT, the form used in studies, by FIRST:LAST:COUNT. */
  const char *dots = strstr(text, "..");
  snprintf(plain, sizeof plain, dots ? "%.*s:%s" : "%.*s%s", dots ? (int)(dots - text) : 0, text,
           dots ? dots + 2 : text);
  const char *at = plain;
  bool good = true;
  for (; n < 3 && good; n++) {
    good = read_part(&at, &v[n], rest[n]);
    if (good && *at == ':') {
      at++;
    } else {
      n += good;
      break;
    }
  }
  const char *own = n == 3 && rest[2][0] ? rest[2] : rest[1][0] ? rest[1] : rest[0];
  good = good && !*at && n >= 2 && (n == 2 || count) && v[0] != v[1];
  if (n == 3 && !(v[2] >= 2 && v[2] <= 100000 && v[2] == floor(v[2]))) good = false;
  for (int i = 0; i < n; i++)
    if (rest[i][0] && strcmp(rest[i], own) != 0) good = false;
  if (!good)
    return hk_fail(err, HK_EINPUT, "%s needs FIRST:LAST%s, such as \"0:10%s %s\", not '%s'", what,
                   count ? " or FIRST:LAST:COUNT" : "", count ? ":41" : "", unit ? unit : "N*m",
                   text);
  hk_unit given;
  hk_error why = {0};
  if (own[0] && hk_unit_parse(own, strlen(own), &given, &why))
    return hk_fail(err, HK_EINPUT, "%s '%s': %s", what, text, why.text);
  if (n == 3) *count = (int)v[2];
  if (unit_text) snprintf(unit_text, 64, "%s", own);
  *first = v[0], *last = v[1];
  if (!unit || !own[0]) return HK_OK;
  char quantity[128];
  for (int i = 0; i < 2; i++) {
    snprintf(quantity, sizeof quantity, "%.17g %s", v[i], own);
    hk_status status = tool_quantity(quantity, unit, what, i ? last : first, err);
    if (status) return status;
  }
  return HK_OK;
}

int tool_split(char *text, const char **name) {
  int n = 0;
  for (char *at = text; at;) {
    char *comma = strchr(at, ',');
    if (comma) *comma++ = '\0';
    if (*at) name[n++] = at;
    at = comma;
  }
  return n;
}
