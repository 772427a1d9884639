/* Copies of specs: see hooke/spec.h.
 *
 * A copy has separate items.  Constant data (texts, expressions, points, data computed by a type) is shared with the
 * original, whose memory is kept until the last copy is destroyed.  Lists that setters append to are copied.
 *
 * Parts of composite joints are not copied: the parameters of the joint may change, and the next compilation adds the parts
 * again.
 */
#include "spec/item.h"
#include <string.h>

static bool copy_terms(hk_arena *arena, hk_terms *terms) {
  int room = 1;
  while (room < terms->n) room *= 2; /* capacities are powers of two, as in hk_item_term */
  hk_term *own = HK_NEW_ARRAY(arena, hk_term, room);
  if (!own) return false;
  if (terms->n) memcpy(own, terms->term, (size_t)terms->n * sizeof *own);
  terms->term = own;
  return true;
}

static bool copy_lists(hk_spec *to, hk_item *item) {
  const hk_param *p;
  for (int i = 0; (p = hk_type_param(item->type, i)); i++)
    if (p->kind == HK_PARAM_TERMS &&
        !copy_terms(&to->arena, (void *)((char *)item->data + p->offset)))
      return false;
  return true;
}

static bool copy_item(hk_spec *to, const hk_item *from) {
  hk_item *item = hk_spec_add(to, from->type->category, from->type->name, from->name, NULL);
  int n = 0;
  if (!item) return false;
  while (hk_type_param(from->type, n)) n++;
  memcpy(item->data, from->data, from->type->size);
  memcpy(item->param_place, from->param_place, (size_t)n * sizeof *item->param_place);
  item->place = from->place;
  memcpy(item->param_state, from->param_state, (size_t)hk_type_param_count(from->type));
  return copy_lists(to, item);
}

static bool copy_items(hk_spec *to, const hk_spec *from) {
  for (int k = 0; k < HK_N_CATEGORIES; k++)
    for (int i = 0; i < from->n[k]; i++)
      if (!from->item[k][i]->made_by && !copy_item(to, from->item[k][i])) return false;
  return true;
}

static bool copy_markers(hk_spec *to, const hk_spec *from) {
  for (int i = 0; i < from->n_markers; i++) {
    const hk_marker_spec *m = &from->marker[i];
    if (m->made_by) continue;
    hk_item *body = m->body ? hk_spec_find(to, HK_BODY, m->body->name) : NULL;
    if (hk_spec_marker(to, body, m->name, m->at, m->orientation, NULL)) return false;
    /* copied exactly, without normalisation */
    to->marker[to->n_markers - 1].orientation = m->orientation;
    to->marker[to->n_markers - 1].place = m->place;
  }
  return true;
}

static bool copy_variables(hk_spec *to, const hk_spec *from) {
  to->variable = HK_NEW_ARRAY(&to->arena, hk_variable, from->n_variables + 1);
  if (!to->variable) return false;
  if (from->n_variables)
    memcpy(to->variable, from->variable, (size_t)from->n_variables * sizeof *to->variable);
  to->n_variables = from->n_variables;
  to->variable_capacity = from->n_variables + 1;
  return true;
}

hk_spec *hk_spec_copy(const hk_spec *from) {
  if (!from) return NULL;
  hk_spec *to = hk_spec_create_with(from->registry), *origin = (hk_spec *)from;
  if (!to) return NULL;
  to->title = from->title;
  to->file = from->file;
  to->read = from->read;
  /* shared by both copies, because only the reader of model files writes it, before the first copy is made */
  to->parameter = from->parameter;
  to->n_parameters = from->n_parameters;
  to->origin = origin;
  atomic_fetch_add(&origin->owners, 1);
  if (!copy_variables(to, from) || !copy_items(to, from) || !copy_markers(to, from)) {
    hk_spec_destroy(to);
    return NULL;
  }
  to->error = from->error;
  return to;
}
