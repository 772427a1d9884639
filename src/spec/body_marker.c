/* Access to the markers that the type of a body defines, by a function or by a list: see item.h. */
#include "spec/item.h"
#include <hooke/element.h>
#include <string.h>

bool hk_body_marker(const hk_item *body, int i, hk_builtin_marker *out) {
  const hk_body_ops *ops = body->type->ops;
  hk_builtin_marker few[6];
  if (ops->marker) return ops->marker(body, i, out);
  if (!ops->markers || i >= ops->markers(body, few)) return false;
  *out = few[i];
  return true;
}

bool hk_body_marker_find(const hk_item *body, const char *name, hk_builtin_marker *out) {
  for (int i = 0; hk_body_marker(body, i, out); i++)
    if (strcmp(out->name, name) == 0) return true;
  return false;
}
