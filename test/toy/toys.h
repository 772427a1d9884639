/* Types that come with the tests and not with the library. */
#ifndef HK_TOYS_H
#define HK_TOYS_H
#include "spec/registry.h"
#include "support/check.h"
#include "toy/cushion.h"
#include "toy/eyring.h"

/* The types of the library and these. */
static inline hk_registry *toy_registry(void) {
  hk_registry *r = hk_registry_create();
  assert_non_null(r);
  assert_true(r->n + 2 <= r->capacity);
  r->type[r->n++] = &toy_eyring;
  r->type[r->n++] = &toy_cushion;
  return r;
}

/* One that lasts. */
static inline const hk_registry *subjects(void) {
  static hk_registry *all;
  if (!all) all = toy_registry();
  return all;
}

/* A model of them from the text of a model file, or fail with the messages. */
static inline hk_model *toy_model_of(const hk_registry *r, const char *text) {
  hk_diag diag;
  hk_diag_init(&diag);
  hk_spec *spec = hk_model_text_read_with(r, "toy", text, strlen(text), NULL, 0, &diag);
  if (!spec) print_messages(&diag);
  hk_diag_free(&diag);
  assert_non_null(spec);
  return must_compile(spec);
}
#endif
