/* Location of an item and of its expressions in the model file, and labels of items for messages. */
#include "spec/item.h"
#include "spec/registry.h"
#include <stdio.h>

static const hk_location unknown_location; /* location of a NULL item */

const hk_location *hk_item_location(const hk_item *item, const char *param) {
  if (!item) return &unknown_location;
  int i = param ? hk_type_param_find(item->type, param) : -1;
  return i >= 0 && item->param_place[i].file ? &item->param_place[i] : &item->place;
}

const hk_location *hk_item_expression_location(const hk_item *item, const hk_expr *expr) {
  if (!item) return &unknown_location;
  for (int i = 0; expr && i < item->type->n_params; i++) {
    const hk_param *p = &item->type->params[i];
    int n = p->kind == HK_PARAM_EXPR ? 1 : p->kind == HK_PARAM_EXPR3 ? 3 : 0;
    const hk_expr *const *at = (const void *)((const char *)item->data + p->offset);
    for (int k = 0; k < n; k++)
      if (at[k] == expr) return hk_item_location(item, p->name);
  }
  return &item->place;
}

int hk_expression_describe(const hk_item *item, const hk_expr *expr, char *text, size_t size) {
  const hk_location *place = hk_item_expression_location(item, expr);
  const char *category = hk_category_name(item->type->category);
  if (!place->file || place->line == 0)
    return snprintf(text, size, "%s '%s'", category, item->name);
  return snprintf(text, size, "%s '%s' at %s:%d:%d", category, item->name, place->file, place->line,
                  place->column);
}

int hk_item_label(const hk_item *item, char *buf, size_t size) {
  if (item->type->category == HK_ANALYSIS || item->type->category == HK_STEPPER)
    return snprintf(buf, size, "the analysis");
  return snprintf(buf, size, "%s '%s'", hk_category_name(item->type->category), item->name);
}
