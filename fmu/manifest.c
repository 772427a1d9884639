/* The list of the variables of an FMU: see manifest.h. */
#include "manifest.h"
#include "base/number.h"
#include "read/doc.h"
#include <string.h>

static hk_status missing(const hk_doc *at, const char *key, const char *what, hk_diag *diag) {
  return hk_diag_add(diag, HK_ERROR, at ? &at->place : NULL, "'%s' must be %s", key, what);
}

static hk_status read_text(const hk_doc *root, const char *key, const char **out, hk_diag *diag) {
  const hk_doc *d = hk_doc_find(root, key);
  if (!d || d->kind != HK_DOC_SCALAR) return missing(d ? d : root, key, "a text", diag);
  *out = d->text;
  return HK_OK;
}

static hk_status read_names(fmu_manifest *m, const hk_doc *root, const char *key, fmu_names *out,
                            hk_diag *diag) {
  const hk_doc *d = hk_doc_find(root, key);
  if (!d || d->kind != HK_DOC_LIST) return missing(d ? d : root, key, "a list of names", diag);
  out->name = HK_NEW_ARRAY(&m->arena, const char *, d->n + 1);
  if (!out->name) return HK_ENOMEM;
  for (const hk_doc *c = d->first; c; c = c->next) {
    if (c->kind != HK_DOC_SCALAR) return missing(c, key, "a list of names", diag);
    out->name[out->n++] = c->text;
  }
  return HK_OK;
}

static hk_status read_overrides(fmu_manifest *m, const hk_doc *root, hk_diag *diag) {
  static const char what[] = "a list of pairs of a path and a value";
  const hk_doc *d = hk_doc_find(root, "set");
  if (!d || d->kind != HK_DOC_LIST) return missing(d ? d : root, "set", what, diag);
  m->set = HK_NEW_ARRAY(&m->arena, hk_override, d->n + 1);
  if (!m->set) return HK_ENOMEM;
  for (const hk_doc *c = d->first; c; c = c->next) {
    if (c->kind != HK_DOC_LIST || c->n != 2 || c->first->kind != HK_DOC_SCALAR ||
        c->first->next->kind != HK_DOC_SCALAR)
      return missing(c, "set", what, diag);
    m->set[m->n_set++] = (hk_override){c->first->text, c->first->next->text};
  }
  return HK_OK;
}

static hk_status read_arrays(fmu_manifest *m, const hk_doc *root, hk_diag *diag) {
  static const char what[] = "a list of pairs of a value reference and a size";
  const hk_doc *d = hk_doc_find(root, "arrays");
  if (!d || d->kind != HK_DOC_LIST) return missing(d ? d : root, "arrays", what, diag);
  m->array = HK_NEW_ARRAY(&m->arena, fmu_array, d->n + 1);
  if (!m->array) return HK_ENOMEM;
  for (const hk_doc *c = d->first; c; c = c->next) {
    if (c->kind != HK_DOC_LIST || c->n != 2 || c->first->kind != HK_DOC_SCALAR ||
        c->first->next->kind != HK_DOC_SCALAR)
      return missing(c, "arrays", what, diag);
    const double first = hk_number_read(c->first->text, NULL),
                 n = hk_number_read(c->first->next->text, NULL);
    if (!(first >= 1 && first < 1e9 && n >= 1 && n < 1e6)) return missing(c, "arrays", what, diag);
    m->array[m->n_arrays++] = (fmu_array){(unsigned)first, (int)n};
  }
  return HK_OK;
}

hk_status fmu_manifest_read(fmu_manifest *m, const char *resources, hk_diag *diag) {
  *m = (fmu_manifest){0};
  hk_arena_init(&m->arena);
  const char *path = hk_arena_printf(&m->arena, "%s/hooke.yaml", resources), *version = "";
  const char *exchange = "", *rtol = "";
  const hk_doc *root = path ? hk_doc_read_file(&m->arena, path, diag) : NULL;
  if (!root) return path ? HK_EINPUT : HK_ENOMEM;
  hk_status status = root->kind == HK_DOC_MAP ? read_text(root, "fmu", &version, diag)
                                              : missing(root, "hooke.yaml", "a map", diag);
  if (!status && strcmp(version, "1") != 0)
    status = hk_diag_add(diag, HK_ERROR, &root->place,
                         "the FMU was written by another version of hooke (fmu: %s)", version);
  if (!status) status = read_text(root, "token", &m->token, diag);
  if (!status) status = read_text(root, "model", &m->model, diag);
  if (!status) status = read_text(root, "stepper", &m->stepper, diag);
  if (!status) status = read_text(root, "rtol", &rtol, diag);
  m->rtol = hk_number_read(rtol, NULL);
  if (!status) status = read_overrides(m, root, diag);
  if (!status) status = read_names(m, root, "inputs", &m->input, diag);
  if (!status) status = read_names(m, root, "outputs", &m->output, diag);
  if (!status) status = read_names(m, root, "parameters", &m->parameter, diag);
  if (!status) status = read_arrays(m, root, diag);
  if (!status) status = read_text(root, "exchange", &exchange, diag);
  m->exchange = strcmp(exchange, "true") == 0;
  return status;
}

void fmu_manifest_free(fmu_manifest *m) { hk_arena_free(&m->arena); }
