/* Shared by the tests of the model file: read a text, then inspect the spec or the messages. */
#ifndef MODEL_FILE_CASE_H
#define MODEL_FILE_CASE_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "read/model_file.h"
#include "spec/item.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reading {
  hk_diag diag;
  hk_spec *spec;
} reading;

/* `format: 1` is added as the first line of the text. */
static inline reading read_set(const char *body, const hk_override *set, int n_set) {
  reading r;
  size_t n = strlen(body) + 16;
  char *text = malloc(n);
  int length = snprintf(text, n, "format: 1\n%s", body);
  hk_diag_init(&r.diag);
  r.spec = hk_model_text_read("m.yaml", text, (size_t)length, set, n_set, &r.diag);
  free(text);
  return r;
}

static inline reading read_text(const char *body) { return read_set(body, NULL, 0); }

static inline void done(reading *r) {
  hk_spec_destroy(r->spec);
  hk_diag_free(&r->diag);
}

static inline void assert_read(const reading *r) {
  char line[2000];
  if (r->spec) return;
  if (r->diag.n) hk_diag_format(&r->diag.message[0], line, sizeof line);
  fail_msg("%s", r->diag.n ? line : "no spec and no message");
}

static inline hk_item *item_of(const reading *r, hk_category c, const char *name) {
  hk_item *item = hk_spec_find(r->spec, c, name);
  if (!item) fail_msg("there is no '%s'", name);
  return item;
}

static inline void *field(const hk_item *item, const char *name) {
  const hk_param *p = hk_type_param(item->type, hk_type_param_find(item->type, name));
  if (!p) fail_msg("'%s' has no '%s'", item->name, name);
  return (char *)item->data + p->offset;
}

static inline double real(const reading *r, hk_category c, const char *name, const char *param) {
  return *(double *)field(item_of(r, c, name), param);
}

static inline const char *text(const reading *r, hk_category c, const char *name,
                               const char *param) {
  return *(const char **)field(item_of(r, c, name), param);
}

static inline void assert_vec3(const reading *r, hk_category c, const char *name, const char *param,
                               double x, double y, double z) {
  hk_vec3 v = *(hk_vec3 *)field(item_of(r, c, name), param);
  if (fabs(v.x - x) > 1e-14 || fabs(v.y - y) > 1e-14 || fabs(v.z - z) > 1e-14)
    fail_msg("%s of %s is [%g, %g, %g]", param, name, v.x, v.y, v.z);
}
#endif
