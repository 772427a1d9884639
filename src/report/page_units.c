/* See page_units.h. */
#include "report/page_units.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_UNITS = 4, MOST_DERIVED = 2, LENGTH = 24 };

/* from: the page selects this unit if the largest value is at least this number of SI units;
 * NEVER: the unit is used only if the user of the page or the model file selects it. */
static const double NEVER = -1;

typedef struct unit {
  const char *name, *typed; /* typed: the name as written with a keyboard; NULL: same as the name */
  double factor, from;
} unit;

typedef struct quantity {
  const char *name, *label;
  const char *derived[MOST_DERIVED]; /* units that are chosen together, such as m/s with m */
  unit unit[MOST_UNITS];             /* the SI unit is the one with the factor 1 */
} quantity;

static const quantity table[] = {
    {"angle",
     "angles",
     {0},
     {{"deg", NULL, 180 / M_PI, 0}, {"rad", NULL, 1, NEVER}, {"rev", NULL, 0.5 / M_PI, NEVER}}},
    {"speed",
     "angular speeds",
     {0},
     {{"rpm", NULL, 30 / M_PI, 0}, {"rad/s", NULL, 1, NEVER}, {"deg/s", NULL, 180 / M_PI, NEVER}}},
    {"length",
     "lengths",
     {"m/s", "m/s^2"},
     {{"µm", "um", 1e6, 0}, {"mm", NULL, 1e3, 1e-3}, {"m", NULL, 1, 2}}},
    {"force", "forces", {0}, {{"N", NULL, 1, 0}, {"kN", NULL, 1e-3, 5e3}}},
    {"torque", "torques", {0}, {{"N*m", NULL, 1, 0}, {"kN*m", NULL, 1e-3, 5e3}}},
    {"pressure",
     "pressures",
     {0},
     {{"Pa", NULL, 1, 0},
      {"kPa", NULL, 1e-3, 1e4},
      {"MPa", NULL, 1e-6, 1e5},
      {"GPa", NULL, 1e-9, 1e10}}},
    {"power", "powers", {0}, {{"W", NULL, 1, 0}, {"kW", NULL, 1e-3, 5e3}}},
    {"time", "times", {0}, {{"ms", NULL, 1e3, 0}, {"s", NULL, 1, 0.2}}},
};
enum { QUANTITIES = sizeof table / sizeof *table };

static bool is(const unit *u, const char *name) {
  return u->name && (strcmp(u->name, name) == 0 || (u->typed && strcmp(u->typed, name) == 0));
}

/* Copies the next name of a list and moves to the name after it; false at the end of the list. */
static bool next(const char **list, char name[LENGTH]) {
  *list += strspn(*list, ", ");
  size_t n = strcspn(*list, ", ");
  snprintf(name, LENGTH, "%.*s", (int)(n < LENGTH ? n : LENGTH - 1), *list);
  *list += n;
  return n > 0;
}

static const unit *find(const char *name, const quantity **of) {
  for (int i = 0; i < QUANTITIES; i++)
    for (int k = 0; k < MOST_UNITS; k++)
      if (is(&table[i].unit[k], name)) return *of = &table[i], &table[i].unit[k];
  return NULL;
}

static hk_status unknown(const char *name, hk_error *err) {
  char all[400] = "";
  size_t at = 0;
  for (int i = 0; i < QUANTITIES; i++)
    for (int k = 0; k < MOST_UNITS && table[i].unit[k].name; k++) {
      const unit *u = &table[i].unit[k];
      at += (size_t)snprintf(all + at, sizeof all - at, "%s%s", at ? ", " : "",
                             u->typed ? u->typed : u->name);
    }
  return hk_fail(err, HK_EINPUT, "a page cannot show the unit '%s'; choose si, %s", name, all);
}

hk_status hk_page_units_check(const char *list, hk_error *err) {
  const quantity *seen[QUANTITIES] = {0}, *q;
  const char *before[QUANTITIES] = {0};
  char name[LENGTH];
  if (!list || strcmp(list, "si") == 0) return HK_OK;
  if (list[strspn(list, ", ")] == '\0') return hk_fail(err, HK_EINPUT, "no unit is given");
  while (next(&list, name)) {
    const unit *u = find(name, &q);
    if (strcmp(name, "si") == 0)
      return hk_fail(err, HK_EINPUT,
                     "'si' fixes the units of all quantities, so no other unit can be given");
    if (!u) return unknown(name, err);
    const ptrdiff_t i = q - table;
    if (seen[i])
      return hk_fail(err, HK_EINPUT, "'%s' and '%s' are both units of %s; one is needed", before[i],
                     u->name, q->label);
    seen[i] = q, before[i] = u->name;
  }
  return HK_OK;
}

/* Returns the unit of a quantity that the list fixes; NULL: none. */
static const char *fixed(const quantity *q, const char *list) {
  char name[LENGTH];
  const quantity *of;
  if (!list) return NULL;
  for (int k = 0; strcmp(list, "si") == 0 && k < MOST_UNITS; k++)
    if (q->unit[k].factor == 1) return q->unit[k].name;
  while (next(&list, name)) {
    const unit *u = find(name, &of);
    if (u && of == q) return u->name;
  }
  return NULL;
}

void hk_page_units_write(hk_json *j, const char *key, const char *list) {
  hk_json_open(j, key, '[');
  for (int i = 0; i < QUANTITIES; i++) {
    const quantity *q = &table[i];
    const char *one = fixed(q, list);
    hk_json_open(j, NULL, '{');
    hk_json_text(j, "name", q->name);
    hk_json_text(j, "label", q->label);
    if (one) hk_json_text(j, "fixed", one);
    hk_json_open(j, "derived", '[');
    for (int k = 0; k < MOST_DERIVED; k++)
      if (q->derived[k]) hk_json_text(j, NULL, q->derived[k]);
    hk_json_close(j, ']');
    hk_json_open(j, "choices", '[');
    for (int k = 0; k < MOST_UNITS && q->unit[k].name; k++) {
      hk_json_open(j, NULL, '{');
      hk_json_text(j, "unit", q->unit[k].name);
      hk_json_real(j, "factor", q->unit[k].factor);
      if (q->unit[k].from >= 0) hk_json_real(j, "from", q->unit[k].from);
      hk_json_close(j, '}');
    }
    hk_json_close(j, ']');
    hk_json_close(j, '}');
  }
  hk_json_close(j, ']');
}
