/* Functions for a joint's build function; they forward to the functions of the caller. */
#include <hooke/element.h>
#include <stdio.h>
#include <string.h>

void hk_joint_hold(hk_joint_builder *b, const hk_relation_type *type, const double *k, int nk,
                   const char *names) {
  if (!b->status && b->ops->hold) b->ops->hold(b, type, k, nk, names);
}

void hk_joint_free(hk_joint_builder *b, const char *name, const hk_relation_type *type,
                   const double *k, int nk) {
  if (!b->status && b->ops->free) b->ops->free(b, name, type, k, nk);
}

void hk_joint_sum(hk_joint_builder *b, const char *row, const hk_sum_term *term, int n,
                  const hk_expr *value, bool start_as_is) {
  if (!b->status && b->ops->sum) b->ops->sum(b, row, term, n, value, start_as_is);
}

void hk_joint_refuse(hk_joint_builder *b, const char *param, const char *fmt, ...) {
  if (b->status || !b->ops->refuse) return;
  char text[512];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  b->ops->refuse(b, param, text);
}

/* Search for one free coordinate; all other relations are ignored. */
typedef struct search {
  const char *name; /* NULL: the first */
  const hk_relation_type *found;
} search;

static void look(hk_joint_builder *b, const char *name, const hk_relation_type *type,
                 const double *k, int nk) {
  search *s = b->context;
  if (s->name ? strcmp(s->name, name) == 0 : !s->found) s->found = type;
}

const hk_relation_type *hk_joint_coordinate_type(const hk_item *item, const char *coordinate) {
  static const hk_joint_builder_ops LOOK = {.free = look};
  const hk_joint_ops *ops = hk_item_type(item)->ops;
  search s = {coordinate, NULL};
  hk_frame A = {.R = hk_mat3_identity()}, B = A;
  B.x = hk_v3(1, 0, 0); /* different positions, so that distances are defined */
  hk_joint_builder b = {.item = item, .A = &A, .B = &B, .ops = &LOOK, .context = &s};
  if (ops->build) ops->build(&b);
  return s.found;
}
