/* Reads the data of the flexible bodies of a model file. Bodies of one model with the same file share the data. See
 * loaders.list. */
#include "node/flexible.h"
#include "prepare/body_file.h"
#include "prepare/prepare.h"
#include <string.h>

/* The data of another body that was read from the same file; NULL: none. */
static const hk_flexible_data *shared(const hk_mf *r, const hk_item *item, const char *path) {
  const hk_spec *s = r->spec;
  for (int i = 0; i < s->n[HK_BODY]; i++) {
    const hk_item *other = s->item[HK_BODY][i];
    if (other == item || other->type != item->type) continue;
    const hk_flexible_body *p = other->data;
    const char *name =
        p->data ? hk_mf_relative_path((hk_mf *)(uintptr_t)r, other->place.file, p->file) : NULL;
    if (name && strcmp(name, path) == 0) return p->data;
  }
  return NULL;
}

static bool load(hk_mf *r, hk_item *item) {
  hk_flexible_body *p = item->data;
  const hk_location *place = hk_item_location(item, "file");
  const char *path = hk_mf_relative_path(r, item->place.file, p->file);
  bool outside;
  if (!path) return hk_mf_no_memory(r);
  if (!hk_mf_may_read(r, path, p->file, place, &outside)) return false;
  p->path = hk_arena_strdup(&r->spec->arena, path);
  if (!p->path) return hk_mf_no_memory(r);
  p->data = shared(r, item, path);
  if (p->data) return true;
  hk_flexible_data *data = HK_NEW(&r->spec->arena, hk_flexible_data);
  hk_error err = {0};
  if (!data) return hk_mf_no_memory(r);
  hk_status status = hk_body_file_read(path, false, outside, &r->spec->arena, data, &err);
  if (status == HK_ENOMEM) return hk_mf_no_memory(r);
  if (status) {
    hk_diag_add(r->diag, HK_ERROR, place, "body '%s': %s", item->name, err.text);
    return false;
  }
  p->data = data;
  return true;
}

void hk_load_body_flexible_body(hk_mf *r, hk_item *item, const hk_mf_pending *pending) {
  const hk_flexible_body *p = item->data;
  if (pending->doc->faulty || !p->file || !load(r, item))
    hk_mf_mark_broken(r, &r->model, item->name);
}
