/* A registry: the types that the items of a spec may have.  The spec carries it, so that nothing below
 * knows which types there are. */
#ifndef HK_REGISTRY_H
#define HK_REGISTRY_H
#include "spec/type.h"

struct hk_registry {
  const hk_type **type; /* in the order of `hooke types` */
  int n, capacity;      /* capacity 0: not ours to change */
  /* Slot of a channel for use in an expression: see hk_spec_variable. */
  int (*variable)(hk_spec *spec, const char *name, hk_dim *dim, char *hint);
};

/* A registry with the same types, to which others can be added; NULL when out of memory. */
hk_registry *hk_registry_copy(const hk_registry *from);
int hk_registry_count(const hk_registry *r, hk_category category);
const hk_type *hk_registry_at(const hk_registry *r, hk_category category, int i);
const hk_type *hk_registry_find(const hk_registry *r, hk_category category, const char *name);
#endif
