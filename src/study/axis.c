/* Axes of a study: see axis.h. */
#include "base/number.h"
#include "study/axis.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number with its unit; unit "": dimensionless. */
typedef struct quantity {
  double v;
  char unit[64];
} quantity;

static const char *skip_blanks(const char *s) { return s + strspn(s, " \t"); }

/* Parses all of text[0..n); false if it is not a number with a unit. */
static bool read_quantity(const char *text, size_t n, quantity *q) {
  char buffer[128], *end;
  while (n && (*text == ' ' || *text == '\t')) text++, n--;
  while (n && (text[n - 1] == ' ' || text[n - 1] == '\t')) n--;
  if (!n || n >= sizeof buffer) return false;
  memcpy(buffer, text, n);
  buffer[n] = '\0';
  q->v = hk_number_read(buffer, &end);
  /* Rejects "nan", "inf" and "0x1p3", which the number reader accepts and a model file does not. */
  if (end == buffer || !isfinite(q->v) || strpbrk(buffer, "xX")) return false;
  const char *rest = skip_blanks(end);
  if (strlen(rest) >= sizeof q->unit) return false;
  snprintf(q->unit, sizeof q->unit, "%s", rest);
  return true;
}

static hk_status set_unit(hk_axis *a, const char *unit, hk_error *err) {
  hk_error why = {0};
  a->scale = (hk_unit){.factor = 1};
  snprintf(a->unit, sizeof a->unit, "%s", unit);
  if (!unit[0]) return HK_OK;
  if (hk_unit_parse(unit, strlen(unit), &a->scale, &why))
    return hk_fail(err, HK_EINPUT, "%s: '%s': %s", a->path, a->source, why.text);
  return HK_OK;
}

/* Converts a quantity to the unit of the axis. If `bare`, a number without a unit is accepted as a value in the unit
 * of the axis. The number 0 is always accepted. */
static hk_status convert(const hk_axis *a, const quantity *q, bool bare, double *out,
                         hk_error *err) {
  hk_unit u;
  hk_error why = {0};
  *out = q->v;
  if (strcmp(q->unit, a->unit) == 0 || (!q->unit[0] && (bare || q->v == 0))) return HK_OK;
  if (!q->unit[0])
    return hk_fail(err, HK_EINPUT, "%s: '%s': %g has no unit, but the other values are in %s",
                   a->path, a->source, q->v, a->unit);
  if (hk_unit_parse(q->unit, strlen(q->unit), &u, &why))
    return hk_fail(err, HK_EINPUT, "%s: '%s': %s", a->path, a->source, why.text);
  if (!hk_dim_equal(u.dim, a->scale.dim))
    return hk_fail(err, HK_EINPUT, "%s: '%s' mixes units of different kinds: %s and %s", a->path,
                   a->source, a->unit[0] ? a->unit : "none", q->unit);
  *out = (q->v * u.factor + u.offset - a->scale.offset) / a->scale.factor;
  return HK_OK;
}

/* ---- ranges ---- */

static hk_status read_count(const hk_axis *a, const quantity *q, int64_t *n, hk_error *err) {
  if (q->v >= 1 && q->v <= HK_AXIS_MAX_VALUES && q->v == floor(q->v)) {
    *n = (int64_t)q->v;
    return HK_OK;
  }
  if (q->v > HK_AXIS_MAX_VALUES)
    return hk_fail(err, HK_EINPUT, "%s: '%s': %g values are too many; an axis may have %d", a->path,
                   a->source, q->v, HK_AXIS_MAX_VALUES);
  return hk_fail(err, HK_EINPUT, "%s: '%s' is empty: the count must be a positive integer", a->path,
                 a->source);
}

/* Makes a range from three quantities; the unit may follow any of them. */
static hk_status make_range(hk_axis *a, const quantity *q, int n, bool bare, int default_count,
                            hk_error *err) {
  const char *unit = q[0].unit[0] ? q[0].unit : q[1].unit;
  if (bare && n == 3 && q[2].unit[0]) unit = q[2].unit;
  hk_status status = set_unit(a, unit, err);
  if (!status) status = convert(a, &q[0], bare, &a->first, err);
  if (!status) status = convert(a, &q[1], bare, &a->last, err);
  a->n = default_count;
  if (!status && n == 3) status = read_count(a, &q[2], &a->n, err);
  if (status) return status;
  if (a->n < 1)
    return hk_fail(err, HK_EINPUT, "%s: the number of values is missing; write '%s:COUNT'", a->path,
                   a->source);
  if (a->n > 1 && a->first == a->last)
    return hk_fail(err, HK_EINPUT, "%s: the range '%s' has equal ends", a->path, a->source);
  if (a->kind == HK_AXIS_LOG && !(a->first > 0 && a->last > 0))
    return hk_fail(err, HK_EINPUT, "%s: a log range needs two positive values, not '%s'", a->path,
                   a->source);
  return HK_OK;
}

/* Reads "A..B", "A..B:N" or "A:B:N"; *is: whether the text looks like a range. */
static hk_status read_range(hk_axis *a, const char *text, int default_count, bool *is,
                            hk_error *err) {
  const char *part[3], *dots = strstr(text, "..");
  size_t length[3];
  int n = 0;
  const char *at = text;
  if (dots && dots > text) {
    part[n] = text;
    length[n++] = (size_t)(dots - text);
    at = dots + 2;
  }
  for (; n < 3; n++) {
    part[n] = at;
    length[n] = strcspn(at, ":");
    at += length[n];
    if (!*at) break;
    at++;
  }
  quantity q[3] = {0};
  *is = n < 3 && n >= 1 && (dots || strchr(text, ':'));
  if (!*is) return HK_OK;
  n++;
  for (int i = 0; i < n; i++)
    if (!read_quantity(part[i], length[i], &q[i]))
      return hk_fail(err, HK_EINPUT,
                     "%s: '%s' is not a range; write FIRST..LAST:COUNT, such as \"0..10:41 N*m\"",
                     a->path, text);
  a->kind = HK_AXIS_LINEAR;
  return make_range(a, q, n, true, default_count, err);
}

/* ---- functions ---- */

/* Reads a dimensionless number: 1.2 or 120 %. */
static hk_status plain_number(const hk_axis *a, const quantity *q, double *out, hk_error *err) {
  hk_unit u = {.factor = 1};
  *out = q->v;
  if (!q->unit[0]) return HK_OK;
  if (hk_unit_parse(q->unit, strlen(q->unit), &u, err) || !hk_dim_equal(u.dim, (hk_dim){0}))
    return hk_fail(err, HK_EINPUT,
                   "%s: the factor of a distribution is a plain number, not in '%s'", a->path,
                   q->unit);
  *out = q->v * u.factor;
  return HK_OK;
}

static hk_status read_function(hk_axis *a, const char *text, hk_error *err) {
  size_t name = strcspn(text, "("), end = strlen(text);
  quantity q[HK_DISTRIBUTION_ARGUMENTS] = {0};
  int n = 0;
  const char *at = text + name + 1;
  const char *close = text + end - 1;
  while (n < HK_DISTRIBUTION_ARGUMENTS && at <= close) {
    size_t length = strcspn(at, ",)");
    if (!read_quantity(at, length, &q[n]))
      return hk_fail(err, HK_EINPUT, "%s: '%s': '%.*s' is not a quantity, such as \"5 um\"",
                     a->path, text, (int)length, at);
    n++;
    at += length;
    if (*at == ')') break;
    at++;
  }
  if (at != close)
    return hk_fail(err, HK_EINPUT,
                   "%s: '%s' has too many arguments, or the closing parenthesis is missing",
                   a->path, text);
  while (name && text[name - 1] == ' ') name--;
  bool log = name == 3 && strncmp(text, "log", 3) == 0;
  if (log || (name == 6 && strncmp(text, "linear", 6) == 0)) {
    a->kind = log ? HK_AXIS_LOG : HK_AXIS_LINEAR;
    if (n != 3)
      return hk_fail(err, HK_EINPUT, "%s: write %s(first, last, count), not '%s'", a->path,
                     log ? "log" : "linear", text);
    return make_range(a, q, n, false, 0, err);
  }
  hk_distribution *d = &a->distribution;
  if (!hk_distribution_find(text, name, &d->kind))
    return hk_fail(err, HK_EINPUT,
                   "%s: '%.*s' is neither a range (linear, log) nor a distribution (uniform, "
                   "log_uniform, normal, log_normal, triangular)",
                   a->path, (int)name, text);
  a->kind = HK_AXIS_RANDOM;
  d->n = n;
  const char *unit = "";
  for (int i = n - 1; i >= 0; i--)
    if (q[i].unit[0] && !hk_distribution_plain(d->kind, i)) unit = q[i].unit;
  hk_status status = set_unit(a, unit, err);
  for (int i = 0; i < n && !status; i++) {
    if (hk_distribution_plain(d->kind, i))
      status = plain_number(a, &q[i], &d->a[i], err);
    else
      status = convert(a, &q[i], false, &d->a[i], err);
  }
  hk_error why = {0};
  if (!status && hk_distribution_check(d, &why))
    status = hk_fail(err, HK_EINPUT, "%s: '%s': %s", a->path, text, why.text);
  return status;
}

/* ---- lists ---- */

static hk_status finish_list(hk_arena *arena, hk_axis *a, hk_error *err) {
  quantity q;
  a->kind = HK_AXIS_LIST;
  a->value = HK_NEW_ARRAY(arena, double, a->n + 1);
  if (!a->value) return hk_fail(err, HK_ENOMEM, "out of memory");
  set_unit(a, "", NULL);
  for (int64_t i = 0; i < a->n; i++) {
    if (!read_quantity(a->text[i], strlen(a->text[i]), &q)) a->words = true;
    /* The first value that has a unit determines the unit of the axis. */
    if (!a->words && !a->unit[0] && q.unit[0]) {
      hk_status status = set_unit(a, q.unit, err);
      if (status) return status;
    }
  }
  for (int64_t i = 0; i < a->n; i++) {
    a->value[i] = NAN;
    if (a->words) continue;
    read_quantity(a->text[i], strlen(a->text[i]), &q);
    hk_status status = convert(a, &q, false, &a->value[i], err);
    if (status) return status;
  }
  if (a->words) a->unit[0] = '\0';
  return HK_OK;
}

hk_status hk_axis_read_list(hk_arena *arena, const char *path, const char *const *text, int n,
                            hk_axis *a, hk_error *err) {
  size_t size = 8;
  for (int i = 0; i < n; i++) size += strlen(text[i]) + 2;
  char *all = hk_arena_alloc(arena, size), *end = all;
  *a = (hk_axis){.path = hk_arena_strdup(arena, path), .source = all, .n = n};
  a->text = HK_NEW_ARRAY(arena, const char *, n + 1);
  if (!a->path || !all || !a->text) return hk_fail(err, HK_ENOMEM, "out of memory");
  if (n == 0) return hk_fail(err, HK_EINPUT, "%s: the axis is empty: it has no value", path);
  for (int i = 0; i < n; i++) {
    a->text[i] = hk_arena_strdup(arena, text[i]);
    if (!a->text[i]) return hk_fail(err, HK_ENOMEM, "out of memory");
    if (!*skip_blanks(text[i]))
      return hk_fail(err, HK_EINPUT, "%s: value %d of the axis is empty", path, i + 1);
    if (strlen(text[i]) >= HK_AXIS_TEXT)
      return hk_fail(err, HK_EINPUT, "%s: value %d of the axis is too long", path, i + 1);
    end = stpcpy(stpcpy(end, i ? ", " : ""), text[i]);
  }
  return finish_list(arena, a, err);
}

/* Reads a list "a, b, c"; commas within brackets do not separate entries. */
static hk_status read_list(hk_arena *arena, const char *path, const char *text, hk_axis *a,
                           hk_error *err) {
  size_t size = strlen(text);
  const char **part = HK_NEW_ARRAY(arena, const char *, size + 2);
  int n = 0, depth = 0;
  const char *from = text;
  if (!part) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (const char *at = text; *skip_blanks(text); at++) {
    if (*at == '(' || *at == '[' || *at == '{') depth++;
    if (*at == ')' || *at == ']' || *at == '}') depth--;
    if ((*at == ',' && depth == 0) || !*at) {
      from = skip_blanks(from);
      size_t length = (size_t)(at > from ? at - from : 0);
      while (length && from[length - 1] == ' ') length--;
      part[n] = hk_arena_strndup(arena, from, length);
      if (!part[n++]) return hk_fail(err, HK_ENOMEM, "out of memory");
      from = at + 1;
    }
    if (!*at) break;
  }
  return hk_axis_read_list(arena, path, part, n, a, err);
}

hk_status hk_axis_read(hk_arena *arena, const char *path, const char *text, int default_count,
                       hk_axis *a, hk_error *err) {
  *a = (hk_axis){.path = hk_arena_strdup(arena, path),
                 .source = hk_arena_strdup(arena, skip_blanks(text))};
  if (!a->path || !a->source) return hk_fail(err, HK_ENOMEM, "out of memory");
  size_t n = strlen(a->source), word = strspn(a->source, "abcdefghijklmnopqrstuvwxyz_");
  bool is = false;
  if (word && a->source[word + strspn(a->source + word, " ")] == '(' && a->source[n - 1] == ')' &&
      strcspn(a->source, ")") == n - 1)
    return read_function(a, a->source, err);
  if (!strchr(a->source, ',')) {
    hk_status status = read_range(a, a->source, default_count, &is, err);
    if (is) return status;
  }
  return read_list(arena, path, a->source, a, err);
}

/* ---- values ---- */

double hk_axis_value(const hk_axis *a, int64_t i) {
  if (a->kind == HK_AXIS_LIST) return a->value[i];
  if (a->n == 1 || i == 0) return a->first;
  if (i == a->n - 1) return a->last;
  double s = (double)i / (double)(a->n - 1);
  return a->kind == HK_AXIS_LOG ? a->first * exp(s * log(a->last / a->first))
                                : a->first + (double)i * (a->last - a->first) / (double)(a->n - 1);
}

double hk_axis_at(const hk_axis *a, double u) {
  switch (a->kind) {
    case HK_AXIS_RANDOM:
      return hk_distribution_quantile(&a->distribution, u);
    case HK_AXIS_LINEAR:
      return a->first + u * (a->last - a->first);
    case HK_AXIS_LOG:
      return a->first * exp(u * log(a->last / a->first));
    case HK_AXIS_LIST:
      break;
  }
  int64_t i = (int64_t)(u * (double)a->n);
  return a->value[i < 0 ? 0 : i >= a->n ? a->n - 1 : i];
}

bool hk_axis_is_continuous(const hk_axis *a) { return a->kind != HK_AXIS_LIST; }

void hk_axis_override(const hk_axis *a, int64_t i, double x, char *out, size_t size) {
  if (a->kind == HK_AXIS_LIST && i >= 0)
    snprintf(out, size, "%s", a->text[i]);
  else
    hk_number_print(out, size, "%.17g%s%s", x, a->unit[0] ? " " : "", a->unit);
}

double hk_axis_si(const hk_axis *a, double x) { return x * a->scale.factor + a->scale.offset; }
