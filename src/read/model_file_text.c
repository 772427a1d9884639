/* Texts from parameters: a value `$name` in an item is the text of the parameter of that name, so
 * that names, choices and files can be changed by --set, as numeric values can.  Such a parameter
 * is not evaluated as a quantity. */
#include "read/model_file_reader.h"
#include <string.h>

static void fill(hk_mf *r, hk_doc *doc, hk_doc *params) {
  for (hk_doc *c = doc->first; c; c = c->next) {
    if (c->kind != HK_DOC_SCALAR) {
      fill(r, c, params);
      continue;
    }
    if (c->text[0] != '$' || !c->text[1]) continue;
    hk_doc *from = params && params->kind == HK_DOC_MAP ? hk_doc_find(params, c->text + 1) : NULL;
    if (!from || from->kind != HK_DOC_SCALAR) {
      hk_diag_add(r->diag, HK_ERROR, &c->place,
                  "'%s' means the text of a parameter, but there is no parameter '%s'%s", c->text,
                  c->text + 1, from ? " that is a text" : "");
      c->faulty = true;
      continue;
    }
    c->text = from->text;
    c->quoted = true;
    from->is_text = true;
  }
}

static void mark(const hk_doc *doc, hk_doc *params) {
  for (const hk_doc *c = doc->first; c; c = c->next) {
    if (c->kind != HK_DOC_SCALAR)
      mark(c, params);
    else if (c->text[0] == '$') {
      hk_doc *from = hk_doc_find(params, c->text + 1);
      if (from) from->is_text = true;
    }
  }
}

/* Uses the tree before overrides: a parameter remains a text even if an override changes the item that uses it. */
void hk_mf_mark_texts(hk_mf *r) {
  hk_doc *params = hk_doc_find(r->root, "parameters");
  if (!params || params->kind != HK_DOC_MAP) return;
  for (const hk_doc *section = r->root->first; section; section = section->next)
    if (section != params) mark(section, params);
}

void hk_mf_fill_texts(hk_mf *r) {
  hk_doc *params = hk_doc_find(r->root, "parameters");
  for (hk_doc *section = r->root->first; section; section = section->next)
    if (section != params) fill(r, section, params);
  if (!params || params->kind != HK_DOC_MAP) return;
  hk_doc **at = &params->first; /* all other parameters are quantities */
  while (*at)
    if ((*at)->is_text)
      *at = (*at)->next, params->n--;
    else
      at = &(*at)->next;
}
