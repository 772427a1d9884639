/* Periodic orbits as variants of a study: see steady.h. */
#include "study/steady.h"
#include "base/number.h"
#include "expr/units.h"
#include "model/model.h"
#include "study/orbit_sweep.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads a number with a unit; *dim: its dimension.  Without a unit the number is taken in SI units. */
static hk_status read_number(const char *text, const char *key, double *out, hk_dim *dim,
                             bool *plain, hk_error *err) {
  char *end;
  hk_unit unit;
  hk_error why = {0};
  *out = hk_number_read(text, &end);
  if (end == text || !isfinite(*out))
    return hk_fail(err, HK_EINPUT, "%s needs a number with a unit, not '%s'", key, text);
  end += strspn(end, " ");
  *plain = *end == '\0';
  if (*plain) return HK_OK;
  if (hk_unit_parse(end, strlen(end), &unit, &why))
    return hk_fail(err, HK_EINPUT, "%s '%s': %s", key, text, why.text);
  *out = *out * unit.factor + unit.offset;
  *dim = unit.dim;
  return HK_OK;
}

static hk_status read_as(const char *text, const char *key, const char *unit, double *out,
                         hk_error *err) {
  hk_unit wanted;
  hk_dim dim;
  bool plain;
  hk_status status = read_number(text, key, out, &dim, &plain, err);
  if (status || plain) return status;
  if (hk_unit_parse(unit, strlen(unit), &wanted, err)) return HK_EINPUT;
  if (hk_dim_equal(dim, wanted.dim)) return HK_OK;
  return hk_fail(err, HK_EINPUT, "%s must have the unit %s or one like it, not '%s'", key, unit,
                 text);
}

static bool has_dim(hk_dim dim, const char *unit) {
  hk_unit u;
  return hk_unit_parse(unit, strlen(unit), &u, NULL) == HK_OK && hk_dim_equal(dim, u.dim);
}

static hk_status read_period(const char *text, const hk_model *m, double *period, hk_error *err) {
  hk_dim dim;
  bool plain;
  if (!strchr("+-.0123456789", text[0])) {
    hk_orbit_options only = {0};
    hk_status status = hk_sweep_resolve(m, &(hk_sweep_names){.period = text}, &only, NULL, err);
    *period = only.section.period;
    return status;
  }
  hk_status status = read_number(text, "'period'", period, &dim, &plain, err);
  if (status || plain || has_dim(dim, "s")) return status;
  bool cycles = strstr(text, "Hz") && has_dim(dim, "Hz");
  if (!cycles && !has_dim(dim, "rad/s"))
    return hk_fail(err, HK_EINPUT,
                   "'period' must be a time, a frequency, a speed or a channel, not '%s'", text);
  *period = (cycles ? 1 : 2 * M_PI) / *period;
  return HK_OK;
}

hk_status hk_steady_turn(const char *text, const char *key, const hk_model *m,
                         hk_periodic_options *o, hk_error *err) {
  const char *equal = strchr(text, '=');
  char name[300];
  size_t n = equal ? (size_t)(equal - text) : strlen(text);
  while (n > 0 && text[n - 1] == ' ') n--;
  if (n == 0 || n >= sizeof name)
    return hk_fail(err, HK_EINPUT,
                   "%s needs CHANNEL = AMOUNT, such as \"shaft.angle = 360 deg\", not '%s'", key,
                   text);
  snprintf(name, sizeof name, "%.*s", (int)n, text);
  hk_orbit_options only = {0};
  hk_status status = hk_sweep_resolve(m, &(hk_sweep_names){.event = name}, &only, NULL, err);
  if (status) return status;
  o->turn = only.section.channel;
  o->unknown = true;
  return equal ? read_as(equal + 1 + strspn(equal + 1, " "), key, hk_model_channel_unit(m, o->turn),
                         &o->amount, err)
               : HK_OK;
}

hk_status hk_steady_resolve(const hk_steady *s, const hk_model *m, hk_periodic_options *out,
                            hk_error *err) {
  *out = (hk_periodic_options){0};
  if (!s->period && !s->turn)
    return hk_fail(
        err, HK_EINPUT,
        "'analysis: periodic' needs 'period' or 'turn', such as \"shaft.angle = 360 deg\"");
  hk_status status = s->period ? read_period(s->period, m, &out->period, err) : HK_OK;
  if (!status && s->turn) status = hk_steady_turn(s->turn, "'turn'", m, out, err);
  if (!status && s->from) status = read_as(s->from, "'from'", "s", &out->from, err);
  if (!status && s->tolerance)
    status = read_as(s->tolerance, "'tolerance'", "1", &out->tolerance, err);
  if (!status && (out->tolerance < 0 || out->tolerance >= 1))
    status = hk_fail(err, HK_EINPUT, "'tolerance' must be between 0 and 1, not '%s'", s->tolerance);
  out->whole = s->symmetry && strcmp(s->symmetry, "none") == 0;
  if (!status && s->symmetry && !out->whole && strcmp(s->symmetry, "auto") != 0)
    status = hk_fail(err, HK_EINPUT, "'symmetry' is auto or none, not '%s'", s->symmetry);
  return status;
}
