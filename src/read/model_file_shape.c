/* Shapes defined within a body: `shape: {...}` or a list of these.  They become separate items, named "body.shape" or
 * "body.shape[i]". */
#include "read/model_file_reader.h"
#include <stdio.h>
#include <string.h>

static void make_shape(const hk_mf_pending *body, hk_mf *r, const char *owner, hk_doc *doc,
                       int index) {
  char name[300];
  hk_error err = {0};
  if (!doc->key) doc->key_place = doc->place;
  const hk_doc *repeat = hk_doc_find(doc, "repeat");
  if (repeat) {
    hk_diag_add(r->diag, HK_ERROR, &repeat->key_place,
                "a shape within a body cannot be repeated; give a list of shapes");
    return;
  }
  if (index < 0)
    snprintf(name, sizeof name, "%s.shape", owner);
  else
    snprintf(name, sizeof name, "%s.shape[%d]", owner, index);
  hk_item *item = hk_mf_make_item(r, body->scope, body->index, HK_SHAPE, doc, name);
  if (item && hk_item_text(item, "body", owner, &err)) hk_mf_no_memory(r);
}

static void make_shapes(hk_mf *r, const hk_mf_pending *body, const char *owner, hk_doc *shape) {
  char key[300];
  if (!shape || shape->faulty || hk_mf_is_empty(shape)) return;
  snprintf(key, sizeof key, "shape of '%.200s'", owner);
  hk_mf_at at = {.r = r};
  if (shape->kind != HK_DOC_LIST) {
    if (hk_mf_expect(&at, shape, HK_DOC_MAP, key,
                     "a map such as {type: box, size: [1 m, 1 m, 1 m]}, or "
                     "a list of such maps"))
      make_shape(body, r, owner, shape, -1);
    else
      shape->faulty = true;
    return;
  }
  int i = 0;
  for (hk_doc *c = shape->first; c && !hk_mf_stop(r); c = c->next)
    if (hk_mf_expect(&at, c, HK_DOC_MAP, key, "a map such as {type: box, size: [1 m, 1 m, 1 m]}"))
      make_shape(body, r, owner, c, i++);
}

void hk_mf_make_shapes(hk_mf *r) {
  for (int i = 0; i < r->n_pending[HK_BODY] && !hk_mf_stop(r); i++) {
    const hk_mf_pending *body = &r->pending[HK_BODY][i];
    make_shapes(r, body, r->spec->item[HK_BODY][i]->name, hk_doc_find(body->doc, "shape"));
  }
  const hk_doc *ground = hk_doc_find(hk_doc_find(r->root, "bodies"), "ground");
  const hk_mf_pending fixed = {.scope = &r->model};
  if (ground && ground->kind == HK_DOC_MAP)
    make_shapes(r, &fixed, "ground", hk_doc_find(ground, "shape"));
}
