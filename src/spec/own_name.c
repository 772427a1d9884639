/* See own_name.h. */
#include "spec/own_name.h"
#include "expr/expr.h"
#include "spec/channel.h"
#include <stdio.h>
#include <string.h>

void hk_force_channel_owner(const hk_item *force, char *buf, size_t size) {
  static const hk_category others[] = {HK_JOINT, HK_MOTION, HK_CONTACT};
  bool taken = false;
  for (int i = 0; i < 3; i++)
    taken = taken || (force->spec && hk_spec_find(force->spec, others[i], force->name));
  snprintf(buf, size, "%s%s", taken ? "forces." : "", force->name);
}

/* Channel of the coordinate along which the force acts, or of its rate; false: not yet known. */
static bool find_channel(const hk_item *force, const char *suffix, hk_dim *dim, int *slot) {
  const hk_force_ops *ops = force->type->ops;
  static const char *const only[] = {"", ".angle", ".displacement"};
  hk_force_binding b = {0};
  hk_error err;
  char owner[256], name[600], hint[256];
  (void)ops->bind(force, &b, &err); /* other parameters may not have been read yet */
  hk_force_channel_owner(force, owner, sizeof owner);
  for (int i = 0; i < 3 && (b.relation || b.coordinate); i++) {
    if (b.relation)
      snprintf(name, sizeof name, "%s.%s%s", owner, ops->coordinate_name, suffix);
    else
      snprintf(name, sizeof name, "%s%s%s", b.coordinate, only[i], suffix);
    *slot = hk_spec_variable(force->spec, name, dim, hint);
    if (*slot >= 0) return true;
  }
  return false;
}

int hk_item_own_variable(const hk_item *item, const char *word, hk_dim *dim) {
  const hk_force_ops *ops = item && item->type->category == HK_FORCE ? item->type->ops : NULL;
  const char *own = ops ? ops->coordinate_name : NULL;
  size_t n = own ? strlen(own) : 0;
  int slot = -1;
  if (!own || !item->spec || strncmp(word, own, n) != 0) return -1;
  if (word[n] && strcmp(word + n, "_rate") != 0) return -1;
  return find_channel(item, word + n, dim, &slot) ? slot : -1;
}

bool hk_item_reads_own_only(const hk_item *item, const hk_expr *e) {
  const hk_force_ops *ops = item->type->ops;
  const int *slot;
  hk_dim dim;
  int n = hk_expr_slots(e, &slot);
  return n == 0 || (n == 1 && slot[0] == hk_item_own_variable(item, ops->coordinate_name, &dim));
}
