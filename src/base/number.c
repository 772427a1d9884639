/* Numbers as text: see number.h. */
#include "base/number.h"
#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Replaces the decimal sign of a locale, one or several bytes between two digits, by a point. */
static int make_point(char *buf) {
  char *sign = buf;
  while (*sign == '-' || *sign == '+' || isdigit((unsigned char)*sign)) sign++;
  if (*sign && !strchr(".eEinfaINFA", *sign)) {
    char *rest = sign;
    while (*rest && !isdigit((unsigned char)*rest) && *rest != 'e' && *rest != 'E') rest++;
    *sign = '.';
    memmove(sign + 1, rest, strlen(rest) + 1);
  }
  return (int)strlen(buf);
}

int hk_number_format(double x, int digits, char buf[HK_NUMBER_SIZE]) {
  snprintf(buf, HK_NUMBER_SIZE, "%.*g", digits, x);
  return make_point(buf);
}

int hk_number_exact(double x, char buf[HK_NUMBER_SIZE]) {
  for (int digits = 15; digits < 17; digits++) {
    snprintf(buf, HK_NUMBER_SIZE, "%.*g", digits, x);
    if (strtod(buf, NULL) == x) return make_point(buf);
  }
  return hk_number_format(x, 17, buf);
}

int hk_number_vprint(char *out, size_t size, const char *format, va_list args) {
#ifdef _WIN32
  _locale_t plain = _create_locale(LC_ALL, "C");
  int n = _vsnprintf_l(out, size, format, plain, args);
  _free_locale(plain);
#else
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (plain == (locale_t)0) return -1;
  locale_t users = uselocale(plain);
  int n = vsnprintf(out, size, format, args);
  uselocale(users);
  freelocale(plain);
#endif
  return n;
}

int hk_number_print(char *out, size_t size, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = hk_number_vprint(out, size, format, args);
  va_end(args);
  return n;
}

/* Reads a copy of the text in which the point is replaced by the locale's decimal sign. */
double hk_number_read(const char *text, char **end) {
  const char *sign = localeconv()->decimal_point, *point = NULL, *s = text;
  char *stop;
  if (strcmp(sign, ".") == 0) {
    double x = strtod(text, &stop);
    if (end) *end = stop;
    return x;
  }
  while (isspace((unsigned char)*s) || *s == '-' || *s == '+' || isalnum((unsigned char)*s) ||
         (*s == '.' && !point)) {
    if (*s == '.') point = s;
    s++;
  }
  size_t before = point ? (size_t)(point - text) : (size_t)(s - text), width = strlen(sign);
  size_t after = point ? (size_t)(s - point) - 1 : 0;
  char room[128], *copy = room;
  if (before + width + after + 1 > sizeof room && !(copy = malloc(before + width + after + 1))) {
    if (end) *end = (char *)text;
    return NAN;
  }
  memcpy(copy, text, before);
  memcpy(copy + before, sign, point ? width : 0);
  if (point) memcpy(copy + before + width, point + 1, after);
  copy[before + (point ? width : 0) + after] = '\0';
  double x = strtod(copy, &stop);
  size_t used = (size_t)(stop - copy);
  if (point && used > before) used -= width - 1;
  if (end) *end = (char *)text + used;
  if (copy != room) free(copy);
  return x;
}
