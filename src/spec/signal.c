/* Tables and inputs in expressions. */
#include <hooke/element.h>
#include "spec/item.h"
#include "spec/signal.h"
#include <string.h>

const hk_curve *hk_spec_table(const hk_spec *spec, const char *name, hk_error *err) {
  const hk_item *item = hk_spec_find(spec, HK_TABLE, name);
  hk_table_params *p = item ? item->data : NULL;
  if (!p) return hk_fail(err, HK_EINPUT, "there is no table '%s'", name), NULL;
  if (p->table) return p->table;
  if (p->points.n == 0)
    return hk_fail(err, HK_EINPUT, "table '%s' has no points yet%s", name,
                   p->file ? "; its file is read by hk_table_load" : ""),
           NULL;
  hk_error why = {0};
  hk_curve *table =
      hk_curve_create(&item->spec->arena, p->points.x, p->points.y, p->points.n,
                      (hk_interpolation)p->interpolation, (hk_outside)p->extrapolation, &why);
  if (!table) return hk_fail(err, why.code, "table '%s': %s", name, why.text), NULL;
  table->name = item->name;
  table->x_dim = p->points.x_dim;
  table->y_dim = p->points.y_dim;
  table->points_per_step = p->points_per_step;
  table->of_time = p->of_time;
  return p->table = table;
}

hk_status hk_signal_dim(const hk_item *item, hk_dim *dim, hk_error *err) {
  const hk_signal_params *p = item->data;
  hk_unit unit = {0};
  *dim = (hk_dim){{0}};
  if (p->unit && hk_unit_parse(p->unit, strlen(p->unit), &unit, err)) return HK_EINPUT;
  if (p->initial_value && !hk_expr_is_constant(p->initial_value))
    return hk_fail(
        err, HK_EINPUT,
        "its initial_value must be constant: it may use parameters, but not channels or time");
  if (p->unit) *dim = unit.dim;
  if (!p->unit && p->initial_value) *dim = hk_expr_dim(p->initial_value);
  if (p->unit && p->initial_value && !hk_expr_is_plain_zero(p->initial_value) &&
      !hk_dim_fits(hk_expr_dim(p->initial_value), *dim)) {
    char label[300];
    hk_item_label(item, label, sizeof label);
    return hk_dim_misfit("initial_value", label, hk_expr_dim(p->initial_value), *dim, err);
  }
  return HK_OK;
}
