/* Units: the table of symbols and the parser; see units.h for the syntax. */
#include "expr/units.h"
#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846
#define POUND 0.45359237 /* kg, exact by definition */
#define GRAVITY 9.80665  /* m/s^2, standard gravity: exact by definition */
#define INCH 0.0254      /* m, exact by definition */

typedef struct symbol {
  const char *name;
  double factor;
  int8_t exponent[HK_DIM_BASES]; /* m, kg, s, A, K, rad */
  bool takes_prefix;
} symbol;

static const symbol SYMBOLS[] = {
    {"m", 1, {1}, true},
    {"g", 1e-3, {0, 1}, true},
    {"s", 1, {0, 0, 1}, true},
    {"A", 1, {0, 0, 0, 1}, true},
    {"K", 1, {0, 0, 0, 0, 1}, true},
    {"rad", 1, {0, 0, 0, 0, 0, 1}, true},
    {"N", 1, {1, 1, -2}, true},
    {"Pa", 1, {-1, 1, -2}, true},
    {"J", 1, {2, 1, -2}, true},
    {"W", 1, {2, 1, -3}, true},
    {"Hz", 1, {0, 0, -1}, true},
    {"C", 1, {0, 0, 1, 1}, true},
    {"V", 1, {2, 1, -3, -1}, true},
    {"Ohm", 1, {2, 1, -3, -2}, true},
    {"\xCE\xA9", 1, {2, 1, -3, -2}, true},     /* Greek capital omega */
    {"\xE2\x84\xA6", 1, {2, 1, -3, -2}, true}, /* ohm sign */
    {"F", 1, {-2, -1, 4, 2}, true},
    {"H", 1, {2, 1, -2, -2}, true},
    {"T", 1, {0, 1, -2, -1}, true},
    {"Wb", 1, {2, 1, -2, -1}, true},
    {"Nm", 1, {2, 1, -2}, true},
    {"Nmm", 1e-3, {2, 1, -2}, true},
    {"Ns", 1, {1, 1, -1}, true},
    {"Nms", 1, {2, 1, -1}, true},
    {"Ws", 1, {2, 1, -2}, true},
    {"Wh", 3600, {2, 1, -2}, true},
    {"As", 1, {0, 0, 1, 1}, true},
    {"Ah", 3600, {0, 0, 1, 1}, true},
    {"bar", 1e5, {-1, 1, -2}, true},
    {"L", 1e-3, {3}, true},
    {"l", 1e-3, {3}, true},
    {"t", 1e3, {0, 1}, false},
    {"min", 60, {0, 0, 1}, false},
    {"h", 3600, {0, 0, 1}, false},
    {"deg", PI / 180, {0, 0, 0, 0, 0, 1}, false},
    {"\xC2\xB0", PI / 180, {0, 0, 0, 0, 0, 1}, false}, /* degree sign */
    {"rev", 2 * PI, {0, 0, 0, 0, 0, 1}, false},
    {"rpm", 2 * PI / 60, {0, 0, -1, 0, 0, 1}, false},
    {"in", INCH, {1}, false},
    {"ft", 12 * INCH, {1}, false},
    {"lb", POUND, {0, 1}, false},
    {"lbf", POUND *GRAVITY, {1, 1, -2}, false},
    {"psi", POUND *GRAVITY / (INCH * INCH), {-1, 1, -2}, false},
    {"degC", 1, {0, 0, 0, 0, 1}, false},
    {"\xC2\xB0"
     "C",
     1,
     {0, 0, 0, 0, 1},
     false},
    {"%", 1e-2, {0}, false},
};
enum { N_SYMBOLS = sizeof SYMBOLS / sizeof *SYMBOLS };

/* Peta and larger prefixes are omitted: mechanics does not need them, and `PS` is not a
 * petasiemens. */
static const struct {
  const char *name;
  double factor;
} PREFIXES[] = {{"T", 1e12}, {"G", 1e9},         {"M", 1e6},         {"k", 1e3},   {"h", 1e2},
                {"da", 10},  {"d", 1e-1},        {"c", 1e-2},        {"m", 1e-3},  {"u", 1e-6},
                {"n", 1e-9}, {"\xC2\xB5", 1e-6}, {"\xCE\xBC", 1e-6}, {"p", 1e-12}, {"f", 1e-15}};
enum { N_PREFIXES = sizeof PREFIXES / sizeof *PREFIXES };

/* Common words for a unit, and the correct symbol. */
static const char *const SPOKEN[][2] = {
    {"meter", "m"},      {"metre", "m"},     {"meters", "m"},   {"metres", "m"},
    {"micron", "um"},    {"sec", "s"},       {"second", "s"},   {"seconds", "s"},
    {"minute", "min"},   {"hour", "h"},      {"hr", "h"},       {"gram", "g"},
    {"kilogram", "kg"},  {"tonne", "t"},     {"ton", "t"},      {"newton", "N"},
    {"pascal", "Pa"},    {"joule", "J"},     {"watt", "W"},     {"hertz", "Hz"},
    {"radian", "rad"},   {"radians", "rad"}, {"degree", "deg"}, {"degrees", "deg"},
    {"inch", "in"},      {"inches", "in"},   {"foot", "ft"},    {"feet", "ft"},
    {"lbs", "lb"},       {"litre", "L"},     {"liter", "L"},    {"kelvin", "K"},
    {"celsius", "degC"}, {"percent", "%"},   {"kmh", "km/h"},   {"kph", "km/h"},
    {"mps", "m/s"},      {"rps", "rev/s"},   {"ohm", "Ohm"},    {"sqm", "m^2"},
};

static const char *const COMMON[] = {
    "m",  "mm", "um", "nm",   "cm", "km",  "s",   "ms",  "us",   "min", "h",   "kg",  "g",   "mg",
    "t",  "N",  "kN", "MN",   "mN", "Nm",  "kNm", "Nmm", "Pa",   "kPa", "MPa", "GPa", "bar", "J",
    "kJ", "W",  "kW", "MW",   "Hz", "kHz", "MHz", "rad", "mrad", "deg", "rev", "rpm", "A",   "mA",
    "V",  "kV", "K",  "degC", "L",  "in",  "ft",  "lb",  "lbf",  "psi", "Nms", "Ns",  "Ohm", "kWh"};

/* --- Dimensions ------------------------------------------------------------------------------ */

bool hk_dim_equal(hk_dim a, hk_dim b) {
  return memcmp(a.twelfths, b.twelfths, sizeof a.twelfths) == 0;
}

bool hk_dim_matches(hk_dim a, hk_dim b) {
  a.twelfths[HK_DIM_BASES - 1] = b.twelfths[HK_DIM_BASES - 1];
  return hk_dim_equal(a, b);
}

bool hk_dim_is_none(hk_dim a) { return hk_dim_equal(a, (hk_dim){{0}}); }

bool hk_dim_counts_cycles(hk_dim dim, hk_dim wanted) {
  return dim.cycles && wanted.twelfths[HK_DIM_BASES - 1];
}

bool hk_dim_fits(hk_dim dim, hk_dim wanted) {
  return hk_dim_matches(dim, wanted) && hk_dim_is_none(dim) == hk_dim_is_none(wanted) &&
         !hk_dim_counts_cycles(dim, wanted);
}

bool hk_dim_in_range(hk_dim a) {
  for (int i = 0; i < HK_DIM_BASES; i++)
    if (a.twelfths[i] > HK_DIM_LIMIT || a.twelfths[i] < -HK_DIM_LIMIT) return false;
  return true;
}

static int16_t saturated(int sum) {
  return (int16_t)(sum > INT16_MAX ? INT16_MAX : sum < -INT16_MAX ? -INT16_MAX : sum);
}

/* 2*pi*5 Hz is an angular velocity: pi converts cycles to an angle. */
static hk_dim turn_cycles(hk_dim a) {
  if (!a.pi || !a.cycles) return a;
  int16_t *rad = &a.twelfths[HK_DIM_BASES - 1];
  *rad = saturated(*rad + a.cycles);
  a.cycles = 0;
  return a;
}

static hk_dim combine(hk_dim a, hk_dim b, int sign) {
  for (int i = 0; i < HK_DIM_BASES; i++)
    a.twelfths[i] = saturated(a.twelfths[i] + sign * b.twelfths[i]);
  a.cycles = saturated(a.cycles + sign * b.cycles);
  a.pi = a.pi || b.pi;
  return turn_cycles(a);
}

hk_dim hk_dim_mul(hk_dim a, hk_dim b) { return combine(a, b, 1); }
hk_dim hk_dim_div(hk_dim a, hk_dim b) { return combine(a, b, -1); }

bool hk_dim_pow(hk_dim a, int num, int den, hk_dim *out) {
  if (den == 0) return false;
  for (int i = 0; i < HK_DIM_BASES; i++) {
    int64_t scaled = (int64_t)a.twelfths[i] * num;
    if (scaled % den != 0) return false;
    scaled /= den;
    if (scaled > HK_DIM_LIMIT || scaled < -HK_DIM_LIMIT) return false;
    a.twelfths[i] = (int16_t)scaled;
  }
  a.cycles = saturated((int)((int64_t)a.cycles * num / den));
  *out = a;
  return true;
}

/* --- Near misses ----------------------------------------------------------------------------- */

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

int hk_word_distance(const char *a, size_t a_length, const char *b, size_t b_length) {
  enum { MAX = 32, EDIT = 4 };
  if (a_length >= MAX || b_length >= MAX) return 4 * MAX * EDIT;
  int row[3][MAX + 1]; /* optimal string alignment needs the last two rows */
  for (size_t j = 0; j <= b_length; j++) row[0][j] = EDIT * (int)j;
  for (size_t i = 1; i <= a_length; i++) {
    int *now = row[i % 3], *up = row[(i + 2) % 3], *upper = row[(i + 1) % 3];
    now[0] = EDIT * (int)i;
    for (size_t j = 1; j <= b_length; j++) {
      char x = a[i - 1], y = b[j - 1];
      int best = up[j - 1] + (x == y ? 0 : lower(x) == lower(y) ? 1 : EDIT);
      if (up[j] + EDIT < best) best = up[j] + EDIT;
      if (now[j - 1] + EDIT < best) best = now[j - 1] + EDIT;
      if (i > 1 && j > 1 && x == b[j - 2] && a[i - 2] == y && upper[j - 2] + EDIT < best)
        best = upper[j - 2] + EDIT;
      now[j] = best;
    }
  }
  return row[a_length % 3][b_length];
}

static const char *find_near_miss(const char *word, size_t length) {
  for (size_t i = 0; i < sizeof SPOKEN / sizeof *SPOKEN; i++) {
    size_t n = strlen(SPOKEN[i][0]);
    if (n == length && hk_word_distance(word, length, SPOKEN[i][0], n) < 4) return SPOKEN[i][1];
  }
  /* Words of two letters are excluded, because one edit would match nearly any of them. */
  int limit = length >= 6 ? 8 : length >= 3 ? 6 : 3;
  const char *best = NULL;
  for (size_t i = 0; i < sizeof COMMON / sizeof *COMMON; i++) {
    int d = hk_word_distance(word, length, COMMON[i], strlen(COMMON[i]));
    if (d <= limit) {
      best = COMMON[i];
      limit = d - 1;
    }
  }
  return best;
}

/* --- Reader ---------------------------------------------------------------------------------- */

enum { MAX_DEPTH = 32, MAX_LENGTH = 1024, SHOWN = 48 };

typedef struct reader {
  const char *text;
  size_t length, at;
  int depth;
  hk_error *err;
} reader;

/* Copies a part of the text for a message, without control characters or incomplete UTF-8
 * sequences. */
static const char *quote(const char *text, size_t length, char buf[SHOWN + 8]) {
  size_t n = length < SHOWN ? length : SHOWN;
  while (n < length && n > 0 && ((unsigned char)text[n] & 0xC0) == 0x80) n--;
  for (size_t i = 0; i < n; i++) {
    unsigned char c = (unsigned char)text[i];
    buf[i] = c < 0x20 || c == 0x7F ? '?' : text[i];
  }
  strcpy(buf + n, n < length ? "..." : "");
  return buf;
}

static char peek(const reader *r) { return r->at < r->length ? r->text[r->at] : '\0'; }

static bool accept(reader *r, const char *what) {
  size_t n = strlen(what);
  if (r->length - r->at < n || memcmp(r->text + r->at, what, n) != 0) return false;
  r->at += n;
  return true;
}

static bool skip_blanks(reader *r) {
  size_t from = r->at;
  while (peek(r) == ' ' || peek(r) == '\t') r->at++;
  return r->at > from;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool starts_with(const reader *r, const char *what) {
  reader copy = *r;
  return accept(&copy, what);
}

/* Returns true if a unit symbol begins here: it consists of letters, `%` and multibyte
 * characters other than operators. */
static bool at_symbol(const reader *r) {
  char c = peek(r);
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '%') return true;
  if (((unsigned char)c & 0x80) == 0) return false;
  return !starts_with(r, "\xC2\xB7") && !starts_with(r, "\xE2\x8B\x85") &&
         !starts_with(r, "\xC2\xB2") && !starts_with(r, "\xC2\xB3");
}

static bool find_symbol(const char *word, size_t length, bool prefixed, hk_unit *unit) {
  for (int i = 0; i < N_SYMBOLS; i++) {
    const symbol *s = &SYMBOLS[i];
    if (prefixed && !s->takes_prefix) continue;
    if (strlen(s->name) != length || memcmp(s->name, word, length) != 0) continue;
    *unit = (hk_unit){.factor = s->factor};
    for (int k = 0; k < HK_DIM_BASES; k++) unit->dim.twelfths[k] = (int16_t)(12 * s->exponent[k]);
    if (strcmp(s->name, "Hz") == 0) unit->dim.cycles = 12;
    if (length >= 2 && word[length - 1] == 'C' && s->exponent[4] == 1) unit->offset = 273.15;
    return true;
  }
  return false;
}

/* A complete symbol takes precedence over a prefix, so `min` is a minute and `Pa` a pascal. */
static bool look_up(const char *word, size_t length, hk_unit *unit) {
  if (find_symbol(word, length, false, unit)) return true;
  for (int i = 0; i < N_PREFIXES; i++) {
    size_t n = strlen(PREFIXES[i].name);
    if (n >= length || memcmp(word, PREFIXES[i].name, n) != 0) continue;
    if (find_symbol(word + n, length - n, true, unit)) {
      unit->factor *= PREFIXES[i].factor;
      return true;
    }
  }
  return false;
}

static hk_status read_symbol(reader *r, hk_unit *unit) {
  char shown[SHOWN + 8];
  size_t from = r->at;
  while (at_symbol(r)) r->at++;
  const char *word = r->text + from;
  size_t length = r->at - from;
  if (!look_up(word, length, unit)) {
    const char *near = find_near_miss(word, length);
    quote(word, length, shown);
    if (near)
      return hk_fail(r->err, HK_EINPUT, "unknown unit '%s'; did you mean '%s'?", shown, near);
    return hk_fail(r->err, HK_EINPUT, "unknown unit '%s'", shown);
  }
  if (is_digit(peek(r))) {
    quote(word, length, shown);
    return hk_fail(r->err, HK_EINPUT, "a power is written with '^': '%s^%c'", shown, peek(r));
  }
  return HK_OK;
}

static hk_status fail_exponent(reader *r) {
  return hk_fail(r->err, HK_EINPUT,
                 "the exponent of a unit must be a number such as 2, -1, 1.5 or (3/2)");
}

/* Reads an integer or decimal as num/den, small enough to avoid overflow later. */
static hk_status read_rational(reader *r, int *num, int *den) {
  bool negative = accept(r, "-");
  if (!negative) accept(r, "+");
  int digits = 0;
  *num = 0;
  *den = 1;
  bool decimals = false;
  for (; is_digit(peek(r)) ||
         (peek(r) == '.' && !decimals && r->at + 1 < r->length && is_digit(r->text[r->at + 1]));
       r->at++) {
    if (peek(r) == '.') {
      decimals = true;
      continue;
    }
    if (++digits > 6)
      return hk_fail(r->err, HK_EINPUT, "the exponent of a unit has too many digits");
    *num = 10 * *num + (peek(r) - '0');
    if (decimals) *den *= 10;
  }
  if (digits == 0) return fail_exponent(r);
  if (negative) *num = -*num;
  return HK_OK;
}

static int64_t common_divisor(int64_t a, int64_t b) {
  if (a < 0) a = -a;
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* Reads num/den, or (num/den) in parentheses, in lowest terms. */
static hk_status read_exponent(reader *r, int *num, int *den) {
  skip_blanks(r);
  bool open = accept(r, "(");
  if (read_rational(r, num, den)) return HK_EINPUT;
  int64_t top = *num, bottom = *den;
  if (open) {
    skip_blanks(r);
    if (accept(r, "/")) {
      int num2, den2;
      skip_blanks(r);
      if (read_rational(r, &num2, &den2)) return HK_EINPUT;
      top *= den2;
      bottom *= num2;
      if (bottom == 0) return fail_exponent(r);
      skip_blanks(r);
    }
    if (!accept(r, ")")) return fail_exponent(r);
  }
  int64_t divisor = common_divisor(top, bottom < 0 ? -bottom : bottom);
  if (bottom < 0) divisor = -divisor;
  top /= divisor;
  bottom /= divisor;
  if (top > 100000 || top < -100000 || bottom > 100000) return fail_exponent(r);
  *num = (int)top;
  *den = (int)bottom;
  return HK_OK;
}

static hk_status check_range(reader *r, const hk_unit *u) {
  if (!hk_dim_in_range(u->dim))
    return hk_fail(r->err, HK_EINPUT, "an exponent of this unit exceeds 100");
  if (!isnormal(u->factor))
    return hk_fail(r->err, HK_EINPUT, "this unit is too large or too small to calculate with");
  return HK_OK;
}

static hk_status check_no_offset(reader *r, const hk_unit *u) {
  if (u->offset == 0) return HK_OK;
  return hk_fail(r->err, HK_EINPUT,
                 "degC has an offset and can only be used alone; write K in a compound unit");
}

static hk_status read_product(reader *r, hk_unit *unit);

static hk_status read_atom(reader *r, hk_unit *unit) {
  char shown[SHOWN + 8];
  if (at_symbol(r)) return read_symbol(r, unit);
  if (accept(r, "(")) {
    if (++r->depth > MAX_DEPTH) return hk_fail(r->err, HK_EINPUT, "too many parentheses in a unit");
    if (read_product(r, unit)) return HK_EINPUT;
    r->depth--;
    if (!accept(r, ")")) return hk_fail(r->err, HK_EINPUT, "expected ')' in a unit");
    return HK_OK;
  }
  if (is_digit(peek(r))) {
    if (!accept(r, "1") || is_digit(peek(r)) || at_symbol(r))
      return hk_fail(r->err, HK_EINPUT, "the only number a unit may contain is 1, as in '1/s'");
    *unit = (hk_unit){.factor = 1};
    return HK_OK;
  }
  if (r->at >= r->length) return hk_fail(r->err, HK_EINPUT, "a unit is missing at the end");
  size_t rest = r->length - r->at;
  return hk_fail(r->err, HK_EINPUT, "expected a unit at '%s'", quote(r->text + r->at, rest, shown));
}

static hk_status read_power(reader *r, hk_unit *unit) {
  if (read_atom(r, unit)) return HK_EINPUT;
  size_t before = r->at;
  skip_blanks(r);
  int num = 1, den = 1;
  if (accept(r, "\xC2\xB2")) {
    num = 2;
  } else if (accept(r, "\xC2\xB3")) {
    num = 3;
  } else if (accept(r, "^") || accept(r, "**")) {
    if (read_exponent(r, &num, &den)) return HK_EINPUT;
  } else {
    r->at = before;
    return HK_OK;
  }
  if (starts_with(r, "^") || starts_with(r, "**"))
    return hk_fail(r->err, HK_EINPUT, "a unit cannot have two exponents; use parentheses");
  if (check_no_offset(r, unit)) return HK_EINPUT;
  if (!hk_dim_pow(unit->dim, num, den, &unit->dim))
    return hk_fail(
        r->err, HK_EINPUT,
        "the exponent %g is out of range or not a multiple of 1/12; write a third as ^(1/3)",
        (double)num / den);
  unit->factor = pow(unit->factor, (double)num / den);
  return check_range(r, unit);
}

static hk_status read_product(reader *r, hk_unit *unit) {
  skip_blanks(r);
  if (read_power(r, unit)) return HK_EINPUT;
  bool divided = false;
  for (;;) {
    bool blank = skip_blanks(r);
    bool divide = false;
    if (accept(r, "/")) {
      divide = divided = true;
    } else if (!accept(r, "*") && !accept(r, ".") && !accept(r, "\xC2\xB7") &&
               !accept(r, "\xE2\x8B\x85")) {
      if (!blank || !at_symbol(r)) return HK_OK;
      if (divided)
        return hk_fail(r->err, HK_EINPUT,
                       "a blank after '/' is ambiguous; write '*' or parentheses");
    }
    hk_unit next;
    skip_blanks(r);
    if (read_power(r, &next)) return HK_EINPUT;
    if (check_no_offset(r, unit) || check_no_offset(r, &next)) return HK_EINPUT;
    unit->dim = divide ? hk_dim_div(unit->dim, next.dim) : hk_dim_mul(unit->dim, next.dim);
    unit->factor = divide ? unit->factor / next.factor : unit->factor * next.factor;
    if (check_range(r, unit)) return HK_EINPUT;
  }
}

hk_status hk_unit_parse(const char *text, size_t length, hk_unit *unit, hk_error *err) {
  char shown[SHOWN + 8];
  reader r = {.text = text, .length = length, .err = err};
  hk_unit read = {.factor = 1};
  *unit = read;
  if (length > MAX_LENGTH) return hk_fail(err, HK_EINPUT, "this unit is too long");
  skip_blanks(&r);
  if (r.at == length)
    return hk_fail(err, HK_EINPUT, "the unit is empty; write 1 for a plain number");
  if (read_product(&r, &read)) return HK_EINPUT;
  skip_blanks(&r);
  if (r.at < length)
    return hk_fail(err, HK_EINPUT, "unexpected '%s' in a unit",
                   quote(text + r.at, length - r.at, shown));
  *unit = read;
  return HK_OK;
}

double hk_unit_to_si(const hk_unit *unit, double number) {
  double inverse = rint(1 / unit->factor);
  if (unit->factor < 1 && inverse <= 1e15 && 1 / inverse == unit->factor)
    return number / inverse + unit->offset;
  return number * unit->factor + unit->offset;
}

double hk_unit_from_si(const hk_unit *unit, double si) {
  double inverse = rint(1 / unit->factor);
  if (unit->factor < 1 && inverse <= 1e15 && 1 / inverse == unit->factor)
    return (si - unit->offset) * inverse;
  return (si - unit->offset) / unit->factor;
}
