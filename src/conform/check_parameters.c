/* Every parameter of a type: a value that is set by a call appears in the struct of the type, all other parameters
 * keep their defaults, and invalid values are rejected. */
#include "conform/checks.h"
#include "conform/subject.h"
#include "conform/parameter_value.h"
#include <string.h>

static void give_back_spec(void *spec) { hk_spec_destroy(spec); }

static const void *field(const hk_item *item, const hk_param *p) {
  return (const char *)item->data + p->offset;
}

static int given_count(const hk_item *item) {
  int n = 0;
  for (int i = 0; i < hk_type_param_count(item->type); i++) n += hk_item_given(item, i);
  return n;
}

static void check_setters(hk_trial *t, const hk_type *type) {
  const hk_param *p, *q;
  for (int i = 0; (p = hk_type_param(type, i)); i++) {
    hk_spec *spec = hk_spec_create_with(t->types);
    hk_trial_keep(t, spec, give_back_spec);
    hk_item *item = hk_world_add(t, spec, type->category, type->name, "subject");
    hk_error err = {0};
    hk_value v;
    hk_trial_claim(t, memcmp(item->data, type->defaults, type->size) == 0);
    hk_trial_claim(t, given_count(item) == 0);
    hk_value_draw(t, p, &v);
    if (hk_value_set(t, item, p, &v, &err)) hk_trial_fail(t, "%s", err.text);
    if (!hk_value_holds(t, item, p, &v))
      hk_trial_fail(t, "%s of '%s' has another value than the one that was set", p->name,
                    type->name);
    hk_trial_claim(t, given_count(item) == 1 && hk_item_given(item, i));
    for (int j = 0; (q = hk_type_param(type, j)); j++)
      if (j != i)
        hk_trial_claim(t, memcmp(field(item, q), (const char *)type->defaults + q->offset,
                                 hk_param_size(q)) == 0);
    hk_trial_drop(t, spec);
  }
}

/* Tests that a value is rejected and that the item does not change. */
static void assert_refused(hk_trial *t, hk_item *item, const hk_param *p, double x) {
  hk_error err = {0};
  hk_status status = HK_OK;
  const hk_vec3 v = {1, x, 1};
  if (p->kind == HK_PARAM_REAL) status = hk_item_real(item, p->name, x, &err);
  if (p->kind == HK_PARAM_VEC3) status = hk_item_vec3(item, p->name, v, &err);
  if (p->kind == HK_PARAM_INT) status = hk_item_int(item, p->name, (long)x, &err);
  if (p->kind == HK_PARAM_INERTIA || p->kind == HK_PARAM_REALS) {
    double list[64] = {0};
    list[1] = x;
    status = hk_item_reals(item, p->name, list, p->kind == HK_PARAM_INERTIA ? 6 : p->count, &err);
  }
  if (status != HK_EINPUT || !strstr(err.text, p->name))
    hk_trial_fail(t, "%s of '%s' accepts %g (%s)", p->name, item->type->name, x, err.text);
  hk_trial_claim(t, memcmp(item->data, item->type->defaults, item->type->size) == 0);
  hk_trial_claim(t, given_count(item) == 0);
}

static void check_ranges(hk_trial *t, const hk_type *type) {
  const hk_param *p;
  hk_spec *spec = hk_spec_create_with(t->types);
  hk_trial_keep(t, spec, give_back_spec);
  hk_item *item = hk_world_add(t, spec, type->category, type->name, "subject");
  hk_error err = {0};
  for (int i = 0; (p = hk_type_param(type, i)); i++) {
    bool whole = p->kind == HK_PARAM_INT;
    bool number = whole || p->kind == HK_PARAM_REAL || p->kind == HK_PARAM_VEC3 ||
                  p->kind == HK_PARAM_INERTIA || p->kind == HK_PARAM_REALS;
    if (number && !whole) {
      assert_refused(t, item, p, NAN);
      assert_refused(t, item, p, INFINITY);
    }
    if (number && p->flags & HK_POSITIVE)
      assert_refused(t, item, p, 0), assert_refused(t, item, p, -1);
    bool limited = (p->min != 0 || p->max != 0) && !(p->flags & HK_POSITIVE);
    if (number && limited && isfinite(p->min)) assert_refused(t, item, p, p->min - 1);
    if (number && limited && isfinite(p->max)) assert_refused(t, item, p, p->max + 1);
    /* Tests that a value of the wrong kind is rejected. */
    bool text =
        p->kind == HK_PARAM_STRING || (p->kind >= HK_PARAM_FRAME && p->kind <= HK_PARAM_EXPR);
    hk_status status = text ? hk_item_bool(item, p->name, true, &err)
                            : hk_item_text(item, p->name, "no such thing", &err);
    hk_trial_claim(t, status == HK_EINPUT);
    hk_trial_claim(t, given_count(item) == 0);
  }
  hk_trial_drop(t, spec);
}

void hk_check_parameters(hk_trial *t) {
  hk_random_seed(t, 0);
  check_setters(t, t->type);
  check_ranges(t, t->type);
  t->check->cases = 1;
}
