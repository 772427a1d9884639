/* The flexible bodies of a results file: see flexible_bodies.h. */
#include "flexible_bodies.h"
#include "node/flexible.h"
#include "prepare/body_file.h"
#include "spec/item.h"
#include <stdlib.h>
#include <string.h>

static hk_status add(tool_flexible_bodies *b, const hk_item *item, hk_error *err) {
  const hk_flexible_body *p = hk_item_data(item);
  tool_flexible_body *out = &b->body[b->n];
  if (!p->path) return hk_fail(err, HK_EINPUT, "body '%s' has no file", item->name);
  hk_status status = hk_body_file_read(p->path, true, false, &b->arena, &out->data, err);
  if (status) return status;
  if (out->data.m != p->data->m)
    return hk_fail(err, HK_EINPUT, "'%s' has changed: it has %d modes now, not %d", p->path,
                   out->data.m, p->data->m);
  out->name = item->name, out->path = p->path;
  b->n += out->data.surface.n_vertices > 0;
  return HK_OK;
}

static hk_status no_body(const hk_spec *s, const char *name, hk_error *err) {
  for (int i = 0; name && i < s->n[HK_BODY]; i++)
    if (strcmp(s->item[HK_BODY][i]->name, name) == 0)
      return hk_fail(err, HK_EINPUT,
                     "body '%s' is not a flexible body with a surface; `hooke reduce` writes the "
                     "surface if it reads a mesh",
                     name);
  if (name) return hk_fail(err, HK_EINPUT, "the model has no body '%s'", name);
  return hk_fail(err, HK_EINPUT,
                 "the model has no flexible body with a surface; `hooke reduce` writes the surface "
                 "if it reads a mesh");
}

hk_status tool_flexible_of_spec(tool_flexible_bodies *b, const hk_spec *spec, const char *name,
                                hk_error *err) {
  hk_status status = HK_OK;
  b->body = calloc((size_t)spec->n[HK_BODY] + 1, sizeof *b->body);
  if (!b->body) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < spec->n[HK_BODY] && !status; i++) {
    const hk_item *item = spec->item[HK_BODY][i];
    if (((const hk_body_ops *)item->type->ops)->node != &hk_node_flexible) continue;
    if (!name || strcmp(name, item->name) == 0) status = add(b, item, err);
  }
  if (!status && b->n == 0) status = no_body(spec, name, err);
  return status;
}

hk_status tool_flexible_open(tool_flexible_bodies *b, const tool_args *args, hk_results *results,
                             const char *name, hk_error *err) {
  hk_status status = tool_results_spec(&b->of_run, args, results, NULL, &b->diag, &b->spec, err);
  if (status) return status;
  if (!b->spec) {
    char *why = tool_first_error(&b->diag);
    status = hk_fail(err, HK_EINPUT, "the model of '%s' cannot be read: %s",
                     hk_results_path(results), why ? why : "");
    free(why);
    return status;
  }
  return tool_flexible_of_spec(b, b->spec, name, err);
}

void tool_flexible_free(tool_flexible_bodies *b) {
  free(b->body);
  hk_arena_free(&b->arena);
  hk_spec_destroy(b->spec);
  hk_diag_free(&b->diag);
  tool_results_model_free(&b->of_run);
}

hk_status tool_flexible_columns(const tool_flexible_body *b, hk_results *r, int *column,
                                hk_error *err) {
  char name[512];
  for (int k = 0; k < b->data.m; k++) {
    snprintf(name, sizeof name, "%.400s.mode[%d]", b->name, k + 1);
    column[k] = hk_results_find(r, name);
    if (column[k] < 0)
      return hk_fail(err, HK_EINPUT,
                     "the channel '%s' is not in '%s'; run the model again, and do not leave it "
                     "out by --record",
                     name, hk_results_path(r));
  }
  return HK_OK;
}
