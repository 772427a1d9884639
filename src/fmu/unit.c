/* Units in a model description: see private.h. FMI allows only integer exponents of base units; units with other
 * exponents, such as N/m^1.5, are written with their names only, without base units. */
#include "fmu/private.h"
#include "integrator/continuous.h"
#include <math.h>
#include <string.h>

typedef struct display {
  const char *unit, *name;
} display;
static const display DISPLAYS[] = {
    {"rad", "deg"}, {"rad/s", "rpm"}, {"m", "mm"}, {"Pa", "MPa"}, {"N", "kN"}, {"W", "kW"},
};
enum { N_DISPLAYS = sizeof DISPLAYS / sizeof *DISPLAYS };

const char *hk_fmu_display_unit(const char *unit) {
  for (int i = 0; i < N_DISPLAYS; i++)
    if (strcmp(DISPLAYS[i].unit, unit) == 0) return DISPLAYS[i].name;
  return NULL;
}

static void describe(hk_fmu_text *t, const char *name) {
  static const char *const base[HK_DIM_BASES] = {"m", "kg", "s", "A", "K", "rad"};
  hk_unit unit = {0}, shown;
  const char *other = hk_fmu_display_unit(name);
  bool whole = hk_unit_parse(name, strlen(name), &unit, NULL) == HK_OK;
  for (int i = 0; i < HK_DIM_BASES; i++) whole = whole && unit.dim.twelfths[i] % 12 == 0;
  hk_fmu_add(t, "    <Unit name=\"");
  hk_fmu_xml(t, name);
  hk_fmu_add(t, "\">");
  if (whole) {
    hk_fmu_add(t, "<BaseUnit");
    for (int i = 0; i < HK_DIM_BASES; i++)
      if (unit.dim.twelfths[i]) hk_fmu_add(t, " %s=\"%d\"", base[i], unit.dim.twelfths[i] / 12);
    hk_fmu_add(t, "/>");
  }
  if (other && hk_unit_parse(other, strlen(other), &shown, NULL) == HK_OK) {
    hk_fmu_add(t, "<DisplayUnit name=\"%s\" factor=\"", other);
    hk_fmu_number(t, hk_unit_from_si(&shown, 1));
    hk_fmu_add(t, "\"/>");
  }
  hk_fmu_add(t, "</Unit>\n");
}

/* Unit of the k-th variable: inputs, outputs, parameters, states, derivatives; NULL after the last one. */
static const char *unit_at(const hk_fmu *f, int k) {
  hk_parameter p;
  if (k < f->input.n) return hk_model_input_unit(f->model, f->input.index[k]);
  k -= f->input.n;
  if (k < f->output.n) return hk_model_channel_unit(f->model, f->output.index[k]);
  k -= f->output.n;
  if (k < f->parameter.n)
    return hk_model_parameter(f->model, f->parameter.index[k], &p) ? NULL : p.unit;
  k -= f->parameter.n;
  int n = f->option.exchange ? hk_continuous_count(f->model) : 0;
  if (k >= 2 * n) return NULL;
  hk_state_entry e;
  hk_continuous_entry(f->model, k % n, k >= n, &e);
  return e.unit;
}

void hk_fmu_describe_units(const hk_fmu *f, hk_fmu_text *t) {
  hk_fmu_add(t, "  <UnitDefinitions>\n");
  describe(t, "s");
  const char *unit;
  for (int k = 0; (unit = unit_at(f, k)); k++) {
    bool known = strcmp(unit, "1") == 0 || strcmp(unit, "s") == 0;
    for (int i = 0; i < k && !known; i++) known = strcmp(unit_at(f, i), unit) == 0;
    if (!known) describe(t, unit);
  }
  hk_fmu_add(t, "  </UnitDefinitions>\n");
}
