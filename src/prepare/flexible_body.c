/* Reads the data of the flexible bodies of a model file. Bodies of one model with the same file share the data. See
 * loaders.list. */
#include "flexible/flexible_packed.h"
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

/* Reads the file of a body, or the data that was packed in its place (read/preparation.h). *reported: an error has been
 * added to the diagnostics. */
static hk_status read_data(hk_mf *r, hk_item *item, const char *path, hk_flexible_data *out,
                           bool *reported, hk_error *err) {
  const hk_preparation *given = r->preparation;
  const hk_flexible_body *p = item->data;
  const char *folder = given->packed ? given->packed : given->pack, *name = NULL;
  hk_arena *arena = &r->spec->arena;
  bool outside;
  if (folder && !(name = hk_flexible_packed_name(folder, item->name, p->file, arena)))
    return HK_ENOMEM;
  if (given->packed) return hk_flexible_packed_read(name, arena, out, err);
  *reported = !hk_mf_may_read(r, path, p->file, hk_item_location(item, "file"), &outside);
  if (*reported) return HK_EINPUT;
  hk_status status = hk_body_file_read(path, false, outside, arena, out, err);
  return status || !name ? status : hk_flexible_packed_write(name, out, err);
}

static bool load(hk_mf *r, hk_item *item) {
  hk_flexible_body *p = item->data;
  const hk_location *place = hk_item_location(item, "file");
  const char *path = hk_mf_relative_path(r, item->place.file, p->file);
  bool reported = false;
  if (!path) return hk_mf_no_memory(r);
  p->path = hk_arena_strdup(&r->spec->arena, path);
  if (!p->path) return hk_mf_no_memory(r);
  p->data = shared(r, item, path);
  if (p->data) return true;
  hk_flexible_data *data = HK_NEW(&r->spec->arena, hk_flexible_data);
  hk_error err = {0};
  if (!data) return hk_mf_no_memory(r);
  hk_status status = read_data(r, item, path, data, &reported, &err);
  if (status == HK_ENOMEM) return hk_mf_no_memory(r);
  if (status && !reported)
    hk_diag_add(r->diag, HK_ERROR, place, "body '%s': %s", item->name, err.text);
  if (!status) p->data = data;
  return !status;
}

void hk_load_body_flexible_body(hk_mf *r, hk_item *item, const hk_mf_pending *pending) {
  const hk_flexible_body *p = item->data;
  if (pending->doc->faulty || !p->file || !load(r, item))
    hk_mf_mark_broken(r, &r->model, item->name);
}
