/* Reading of REXS files in JSON: see json.h.  The YAML reader is used, because JSON is a part of YAML. */
#include "rexs/json.h"
#include "read/doc.h"
#include <stdlib.h>
#include <string.h>

static hk_status no_memory(hk_error *err) { return hk_fail(err, HK_ENOMEM, "out of memory"); }

static const char *text_of(const hk_doc *map, const char *key) {
  const hk_doc *d = hk_doc_find(map, key);
  return d && d->kind == HK_DOC_SCALAR ? d->text : "";
}

static hk_status read_id(const hk_doc *map, int *id, hk_error *err) {
  char *end;
  const char *text = text_of(map, "id");
  const long value = strtol(text, &end, 10);
  if (end == text || *end || value < 0 || value > 1000000000)
    return hk_fail(err, HK_EINPUT, "line %d: the id '%.40s' is not a whole number", map->place.line,
                   text);
  *id = (int)value;
  return HK_OK;
}

/* Returns the children of the list that is stored under a key of a map. */
static const hk_doc *list_of(const hk_doc *map, const char *key) {
  const hk_doc *list = map && map->kind == HK_DOC_MAP ? hk_doc_find(map, key) : NULL;
  return list && list->kind == HK_DOC_LIST ? list->first : NULL;
}

static hk_status read_value(hk_rexs_file *f, const hk_doc *value, hk_rexs_attribute *a,
                            hk_error *err) {
  if (value->kind == HK_DOC_SCALAR) {
    a->text = value->text;
    return HK_OK;
  }
  if (value->kind != HK_DOC_LIST) return HK_OK;
  a->number = HK_NEW_ARRAY(&f->arena, const char *, value->n + 1);
  if (!a->number) return no_memory(err);
  for (const hk_doc *c = value->first; c; c = c->next)
    if (c->kind == HK_DOC_SCALAR) a->number[a->n++] = c->text;
  return HK_OK;
}

static hk_status read_component(hk_rexs_file *f, const hk_doc *d, hk_rexs_component *c,
                                hk_error *err) {
  hk_rexs_attribute **end = &c->first;
  c->type = text_of(d, "type");
  c->name = text_of(d, "name");
  hk_status status = read_id(d, &c->id, err);
  for (const hk_doc *e = list_of(d, "attributes"); e && !status; e = e->next) {
    hk_rexs_attribute *a = HK_NEW(&f->arena, hk_rexs_attribute);
    if (!a) return no_memory(err);
    *end = a;
    end = &a->next;
    a->name = text_of(e, "id");
    a->unit = text_of(e, "unit");
    /* The key under which a value is stored is its type. */
    for (const hk_doc *v = e->kind == HK_DOC_MAP ? e->first : NULL; v && !status; v = v->next)
      if (strcmp(v->key, "id") != 0 && strcmp(v->key, "unit") != 0)
        status = read_value(f, v, a, err);
  }
  return status;
}

static hk_status read_components(hk_rexs_file *f, const hk_doc *from, hk_rexs_component **end,
                                 bool unique, hk_error *err) {
  hk_status status = HK_OK;
  for (const hk_doc *d = list_of(from, "components"); d && !status; d = d->next) {
    hk_rexs_component *c = HK_NEW(&f->arena, hk_rexs_component);
    if (!c) return no_memory(err);
    status = read_component(f, d, c, err);
    if (!status && unique && hk_rexs_find(f, c->id))
      status = hk_fail(err, HK_EINPUT, "line %d: there are two components with the id %d",
                       d->place.line, c->id);
    *end = c;
    end = &c->next;
  }
  return status;
}

static hk_status read_relations(hk_rexs_file *f, const hk_doc *model, hk_error *err) {
  hk_rexs_relation **end = &f->relation;
  hk_status status = HK_OK;
  for (const hk_doc *d = list_of(model, "relations"); d && !status; d = d->next) {
    hk_rexs_relation *r = HK_NEW(&f->arena, hk_rexs_relation);
    if (!r) return no_memory(err);
    r->type = text_of(d, "type");
    status = read_id(d, &r->id, err);
    for (const hk_doc *e = list_of(d, "refs"); e && !status; e = e->next) {
      if (r->n == HK_REXS_MAX_REFS)
        return hk_fail(err, HK_EINPUT, "line %d: relation %d has more than %d references",
                       e->place.line, r->id, HK_REXS_MAX_REFS);
      r->ref[r->n].role = text_of(e, "role");
      status = read_id(e, &r->ref[r->n++].id, err);
    }
    *end = r;
    end = &r->next;
  }
  return status;
}

static hk_status read_cases(hk_rexs_file *f, const hk_doc *model, hk_error *err) {
  const hk_doc *spectrum = hk_doc_find(model, "load_spectrum");
  if (spectrum && spectrum->kind == HK_DOC_LIST) spectrum = spectrum->first;
  hk_rexs_case **end = &f->load_case;
  hk_status status = HK_OK;
  for (const hk_doc *d = list_of(spectrum, "load_cases"); d && !status; d = d->next) {
    hk_rexs_case *c = HK_NEW(&f->arena, hk_rexs_case);
    if (!c) return no_memory(err);
    c->name = text_of(d, "id");
    status = read_components(f, d, &c->first, false, err);
    *end = c;
    end = &c->next;
  }
  return status;
}

hk_status hk_rexs_json_parse(hk_rexs_file *f, const char *text, size_t size, hk_error *err) {
  hk_diag diag;
  hk_diag_init(&diag);
  const hk_doc *root = hk_doc_read_text(&f->arena, "", text, size, &diag), *model = NULL;
  hk_status status = HK_OK;
  if (!root)
    status = diag.n ? hk_fail(err, HK_EINPUT, "line %d: %s", diag.message[0].place.line,
                              diag.message[0].text)
                    : no_memory(err);
  else if (root->kind != HK_DOC_MAP || !(model = hk_doc_find(root, "model")) ||
           model->kind != HK_DOC_MAP)
    status = hk_fail(err, HK_EINPUT, "it has no 'model', so it is not a REXS file");
  hk_diag_free(&diag);
  if (status) return status;
  f->version = text_of(model, "version");
  f->application = text_of(model, "applicationId");
  status = read_relations(f, model, err);
  if (!status) status = read_components(f, model, &f->component, true, err);
  if (!status) status = read_cases(f, model, err);
  return status;
}
