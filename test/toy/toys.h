/* Types that belong to the tests and not to the library. */
#ifndef HK_TOYS_H
#define HK_TOYS_H
#include "spec/registry.h"
#include "support/check.h"
#include "toy/cushion.h"
#include "toy/eyring.h"
#include "toy/trolley.c"

/* Registers the types of the library and these types. */
static inline hk_registry *toy_registry(void) {
  hk_registry *r = hk_registry_create();
  assert_non_null(r);
  assert_true(r->n + 3 <= r->capacity);
  r->type[r->n++] = &toy_eyring;
  r->type[r->n++] = &toy_cushion;
  r->type[r->n++] = &hk_type_body_trolley;
  return r;
}

/* One that lasts. */
static inline const hk_registry *subjects(void) {
  static hk_registry *all;
  if (!all) all = toy_registry();
  return all;
}

/* A model with these types from the text of a model file; fails with the messages. */
static inline hk_model *toy_model_of(const hk_registry *r, const char *text) {
  return model_of_types(r, text);
}
#endif
