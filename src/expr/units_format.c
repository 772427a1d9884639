/* Dimensions as text: the shortest product of common units, and examples for messages. */
#include "expr/units.h"
#include "base/number.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const BASE[HK_DIM_BASES] = {"m", "kg", "s", "A", "K", "rad"};

/* Whole exponents of the base dimensions, with their texts. */
typedef struct named {
  int8_t exponent[HK_DIM_BASES];
  const char *text;
} named;

/* Compound units that are written in this form, although a shorter text may exist: N*m is also used for energy,
 * because a torque in joules is harder to read than an energy in newton metres. */
static const named EXACT[] = {
    {{1, 1, -2}, "N"},
    {{2, 1, -2}, "N*m"},
    {{2, 1, -3}, "W"},
    {{-1, 1, -2}, "Pa"},
    {{0, 1, -1}, "N*s/m"},
    {{0, 1, -2}, "N/m"},
    {{2, 1, -3, -1}, "V"},
    {{2, 1, -3, -2}, "Ohm"},
    {{0, 0, 1, 1}, "C"},
    {{-2, -1, 4, 2}, "F"},
    {{2, 1, -2, -2}, "H"},
    {{0, 1, -2, -1}, "T"},
    {{2, 1, -2, 0, 0, -1}, "N*m/rad"},
    {{2, 1, -1, 0, 0, -1}, "N*m*s/rad"},
};

/* Units with which the text of a compound unit begins: head^(+-1) times powers of the base units. `without` is a base
 * unit that must not occur next to the head; this prevents N/m^3 from becoming Pa/m. */
static const struct {
  named unit;
  int without;
} HEAD[] = {{{{1, 1, -2}, "N"}, -1},
            {{{-1, 1, -2}, "Pa"}, 0},
            {{{2, 1, -3}, "W"}, 2},
            {{{2, 1, -3, -1}, "V"}, -1}};
enum { N_HEADS = sizeof HEAD / sizeof *HEAD };

static hk_dim whole(const int8_t *exponent) {
  hk_dim d = {{0}};
  for (int i = 0; i < HK_DIM_BASES; i++) d.twelfths[i] = (int16_t)(12 * exponent[i]);
  return d;
}

static int cost_of(hk_dim d) {
  int cost = 0;
  for (int i = 0; i < HK_DIM_BASES; i++) cost += abs(d.twelfths[i]);
  return cost;
}

/* Text that is built in parts in a buffer that may be too small. */
typedef struct writer {
  char *buf;
  size_t size;
  int length;
} writer;

static void put(writer *w, const char *text) {
  size_t at = (size_t)w->length;
  if (at < w->size) snprintf(w->buf + at, w->size - at, "%s", text);
  w->length += (int)strlen(text);
}

static void put_factor(writer *w, const char *name, int twelfths, bool first) {
  char power[32];
  if (!first) put(w, "*");
  put(w, name);
  if (twelfths == 12) return;
  if (twelfths % 12 == 0) {
    snprintf(power, sizeof power, "^%d", twelfths / 12);
  } else if (twelfths % 3 == 0) {
    char number[HK_NUMBER_SIZE];
    hk_number_format(twelfths / 12.0, 6, number);
    snprintf(power, sizeof power, "^%.20s", number);
  } else {
    int divisor = twelfths % 4 == 0 ? 4 : twelfths % 2 == 0 ? 2 : 1;
    snprintf(power, sizeof power, "^(%d/%d)", twelfths / divisor, 12 / divisor);
  }
  put(w, power);
}

/* Usual order in mechanics: mass first, then length, time, current, temperature, angle. */
static const int ORDER[HK_DIM_BASES] = {1, 0, 2, 3, 4, 5};

/* Writes all factors with an exponent of the given sign; returns their number. */
static int put_side(writer *w, const char *head, int head_sign, hk_dim rest, int sign, bool dry) {
  int n = 0;
  if (head && head_sign == sign) {
    if (!dry) put_factor(w, head, 12, true);
    n++;
  }
  for (int k = 0; k < HK_DIM_BASES; k++) {
    int power = sign * rest.twelfths[ORDER[k]];
    if (power <= 0) continue;
    if (!dry) put_factor(w, BASE[ORDER[k]], power, n == 0);
    n++;
  }
  return n;
}

static void put_quotient(writer *w, const char *head, int head_sign, hk_dim rest) {
  if (put_side(w, head, head_sign, rest, 1, false) == 0) put(w, "1");
  int below = put_side(w, head, head_sign, rest, -1, true);
  if (below == 0) return;
  put(w, below > 1 ? "/(" : "/");
  put_side(w, head, head_sign, rest, -1, false);
  if (below > 1) put(w, ")");
}

int hk_dim_format(hk_dim d, char *buf, size_t size) {
  writer w = {buf, size, 0};
  if (size) buf[0] = '\0';
  for (size_t i = 0; i < sizeof EXACT / sizeof *EXACT; i++)
    if (hk_dim_equal(d, whole(EXACT[i].exponent))) {
      put(&w, EXACT[i].text);
      return w.length;
    }
  const char *head = NULL;
  int head_sign = 0, best = cost_of(d);
  hk_dim rest = d;
  for (int i = 0; i < N_HEADS; i++) {
    int sign = d.twelfths[1] == 12 ? 1 : d.twelfths[1] == -12 ? -1 : 0;
    if (sign == 0) break;
    hk_dim unit = whole(HEAD[i].unit.exponent);
    hk_dim left = sign > 0 ? hk_dim_div(d, unit) : hk_dim_mul(d, unit);
    if (HEAD[i].without >= 0 && left.twelfths[HEAD[i].without] != 0) continue;
    if (!hk_dim_in_range(left)) continue; /* must be readable again */
    int cost = cost_of(left) + 12;
    if (cost < best) {
      best = cost;
      head = HEAD[i].unit.text;
      head_sign = sign;
      rest = left;
    }
  }
  put_quotient(&w, head, head_sign, rest);
  return w.length;
}

static const named EXAMPLES[] = {
    {{0}, "1, %"},
    {{1}, "m, mm, um"},
    {{2}, "m^2, mm^2"},
    {{3}, "m^3, L"},
    {{0, 1}, "kg, g, t"},
    {{0, 0, 1}, "s, ms, min"},
    {{0, 0, -1}, "1/s, Hz"},
    {{0, 0, 0, 1}, "A, mA"},
    {{0, 0, 0, 0, 1}, "K, degC"},
    {{0, 0, 0, 0, 0, 1}, "rad, deg, rev"},
    {{0, 0, -1, 0, 0, 1}, "rad/s, deg/s, rpm"},
    {{0, 0, -2, 0, 0, 1}, "rad/s^2, deg/s^2"},
    {{1, 0, -1}, "m/s, mm/s, km/h"},
    {{1, 0, -2}, "m/s^2, mm/s^2"},
    {{1, 1, -2}, "N, kN"},
    {{2, 1, -2}, "N*m, kN*m, J"},
    {{2, 1, -3}, "W, kW"},
    {{-1, 1, -2}, "Pa, MPa, bar"},
    {{0, 1, -2}, "N/m, N/mm, kN/m"},
    {{0, 1, -1}, "N*s/m, N*s/mm"},
    {{2, 1, -2, 0, 0, -1}, "N*m/rad, N*m/deg"},
    {{2, 1, -1, 0, 0, -1}, "N*m*s/rad, N*m*s/deg"},
    {{2, 1, -1}, "N*m*s"},
    {{1, 1, -1}, "N*s, kg*m/s"},
    {{2, 1}, "kg*m^2, kg*mm^2"},
    {{-3, 1}, "kg/m^3"},
    {{-1, 1, -1}, "Pa*s, mPa*s"},
};

int hk_dim_examples(hk_dim d, char *buf, size_t size) {
  for (size_t i = 0; i < sizeof EXAMPLES / sizeof *EXAMPLES; i++)
    if (hk_dim_equal(d, whole(EXAMPLES[i].exponent)))
      return snprintf(buf, size, "%s", EXAMPLES[i].text);
  return hk_dim_format(d, buf, size);
}
