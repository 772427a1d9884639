/* Units that depend on the coordinate an item acts on: newton along a length, newton metre along an angle. */
#include "model/compile.h"
#include "spec/item.h"

void hk_compile_units(hk_compiler *c, const hk_item *item, int coordinate) {
  const hk_coordinate *q = &c->coordinate.at[coordinate];
  bool angle = q->type->angular;
  const int wrong = angle ? HK_PARAM_LINEAR : HK_PARAM_ANGULAR;
  const hk_param *p;
  for (int i = 0; (p = hk_type_param(item->type, i)); i++) {
    if ((item->param_state[i] & (HK_PARAM_LINEAR | HK_PARAM_ANGULAR)) != wrong) continue;
    hk_dim along, about;
    char length[128], turn[128];
    hk_param_dim(p, &along);
    hk_param_angular_dim(p, &about);
    hk_dim_format(along, length, sizeof length);
    hk_dim_format(about, turn, sizeof turn);
    hk_compile_error(c, item, p->name, "'%s' is %s, so its %s must be in %s, not in %s", q->name,
                     angle ? "an angle" : "a length", p->name, angle ? turn : length,
                     angle ? length : turn);
  }
}

static const hk_terms *terms_of(const hk_item *item) {
  const hk_param *p;
  for (int i = 0; (p = hk_type_param(item->type, i)); i++)
    if (p->kind == HK_PARAM_TERMS) return (const hk_terms *)((const char *)item->data + p->offset);
  return NULL;
}

static const hk_dim METRE = {{12}}, RADIAN = {{0, 0, 0, 0, 0, 12}};

/* Returns the dimension of factor times coordinate, which must be the same for all terms. */
static hk_dim term_dim(const hk_compiler *c, const hk_term *term, int coordinate) {
  return hk_dim_mul(term->dim, c->coordinate.at[coordinate].type->angular ? RADIAN : METRE);
}

bool hk_sum_is_angle(const hk_item *item, bool first, bool all) {
  const hk_terms *terms = terms_of(item);
  if (!terms || terms->n == 0 || !terms->term[0].has_dim) return all;
  hk_dim sum = hk_dim_mul(terms->term[0].dim, first ? RADIAN : METRE);
  return hk_dim_equal(sum, RADIAN) || (all && !hk_dim_equal(sum, METRE));
}

void hk_compile_term_units(hk_compiler *c, const hk_constraint *k) {
  const hk_terms *terms = terms_of(k->item);
  if (!terms || terms->n != k->n_terms) return;
  for (int j = 0; j < terms->n; j++)
    if (!terms->term[j].has_dim) return;
  for (int j = 1; j < terms->n; j++) {
    int first = c->term.at[k->term].coordinate, other = c->term.at[k->term + j].coordinate;
    hk_dim a = term_dim(c, &terms->term[0], first), b = term_dim(c, &terms->term[j], other);
    if (hk_dim_matches(a, b)) continue;
    char left[128], right[128];
    hk_dim_format(a, left, sizeof left);
    hk_dim_format(b, right, sizeof right);
    hk_diag_add(c->diag, HK_ERROR, &terms->term[j].place,
                "joint '%s': the terms of '%s' and '%s' cannot be added: %s and %s; give the "
                "factors units, such as 20 mm/rad to add an angle to a length",
                k->item->name, c->coordinate.at[first].name, c->coordinate.at[other].name, left,
                right);
    return;
  }
}
