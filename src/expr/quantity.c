/* Quantities for programs: conversion between a number and text with a unit. See hooke/units.h. */
#include "base/number.h"
#include "expr/expr.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static hk_status no_unit(const char *text, hk_dim dim, hk_dim wanted, hk_error *err) {
  char got[128], fits[256];
  hk_dim_format(dim, got, sizeof got);
  hk_dim_examples(wanted, fits, sizeof fits);
  if (hk_dim_is_none(wanted))
    return hk_fail(err, HK_EINPUT, "'%.200s' has the unit %s, but must be a plain number", text,
                   got);
  if (hk_dim_is_none(dim)) return hk_fail(err, HK_EINPUT, "'%.200s' needs a unit: %s", text, fits);
  return hk_fail(err, HK_EINPUT, "'%.200s' needs another unit (%s), got %s", text, fits, got);
}

/* Cycles are not radians: 50 Hz for a quantity in rad/s would be read as 50 rad/s. */
static bool counts_cycles(hk_dim dim, hk_dim wanted) {
  hk_dim rate = {{0, 0, -12, 0, 0, 0}};
  return hk_dim_equal(dim, rate) && wanted.twelfths[5] != 0;
}

static hk_status parse(const char *text, const hk_dim *wanted, double *si, hk_dim *dim,
                       hk_error *err) {
  hk_arena arena;
  hk_expr_error why = {0};
  hk_status status = HK_OK;
  hk_arena_init(&arena);
  const hk_expr *e = hk_expr_compile(&arena, text, strlen(text), NULL, NULL, &why);
  if (!e) {
    status = why.text[0] ? hk_fail(err, HK_EINPUT, "'%.200s', column %d: %s", text, why.column + 1,
                                   why.text)
                         : hk_fail(err, HK_ENOMEM, "out of memory");
  } else {
    hk_dim read = hk_expr_dim(e);
    if (wanted && !hk_expr_is_plain_zero(e)) {
      if (!hk_dim_matches(read, *wanted) || hk_dim_is_none(read) != hk_dim_is_none(*wanted))
        status = no_unit(text, read, *wanted, err);
      else if (counts_cycles(read, *wanted))
        status = hk_fail(err, HK_EINPUT,
                         "'%.200s' counts cycles, but an angle per time is required: write rad/s "
                         "or rpm, or multiply it by 2*pi rad",
                         text);
    }
    if (!status && si) *si = hk_expr_value(e, NULL);
    if (!status && dim) *dim = read;
  }
  hk_arena_free(&arena);
  return status;
}

hk_status hk_quantity_parse(const char *text, double *si, hk_dim *dim, hk_error *err) {
  if (!text) return hk_fail(err, HK_EINPUT, "the text is NULL");
  return parse(text, NULL, si, dim, err);
}

hk_status hk_quantity_parse_as(const char *text, const char *unit, double *si, hk_error *err) {
  hk_unit u;
  if (!text || !unit) return hk_fail(err, HK_EINPUT, "the text or the unit is NULL");
  hk_status status = hk_unit_parse(unit, strlen(unit), &u, err);
  return status ? status : parse(text, &u.dim, si, NULL, err);
}

int hk_quantity_format(double si, hk_dim dim, char *buf, size_t size) {
  char number[HK_NUMBER_SIZE], unit[128];
  hk_number_exact(si, number);
  hk_dim_format(dim, unit, sizeof unit);
  return hk_dim_is_none(dim) ? snprintf(buf, size, "%s", number)
                             : snprintf(buf, size, "%s %s", number, unit);
}
