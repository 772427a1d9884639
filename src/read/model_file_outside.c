/* Files that items refer to, and the permission to read them: see model_file_reader.h. */
#include "read/model_file_reader.h"
#include "base/file.h"
#include "spec/type.h"

/* Returns the parameter `file` of an item: every type that reads a file has this parameter, such as tables, meshes and
 * types defined by plugins. NULL: the type does not read a file, or no file is given. */
static const char *file_of(const hk_item *item) {
  int i = hk_type_param_find(item->type, "file");
  const hk_param *p = i < 0 ? NULL : hk_type_param(item->type, i);
  if (!p || p->kind != HK_PARAM_STRING) return NULL;
  const void *at = (const char *)item->data + p->offset;
  return *(const char *const *)at;
}

bool hk_mf_may_read_item(hk_mf *r, const hk_item *item) {
  const char *name = file_of(item);
  bool outside;
  if (!name || !name[0]) return true;
  const char *path = hk_mf_relative_path(r, item->place.file, name);
  if (!path) return hk_mf_no_memory(r);
  if (hk_mf_may_read(r, path, name, hk_item_location(item, "file"), &outside)) return true;
  hk_mf_mark_broken(r, &r->model, item->name);
  return false;
}

void hk_mf_note_files(hk_mf *r, const hk_doc *doc) {
  if (doc->kind == HK_DOC_SCALAR && *doc->text) {
    const char *path = hk_mf_relative_path(r, doc->place.file, doc->text);
    if (path) hk_file_note(path);
  }
  for (const hk_doc *c = doc->first; c; c = c->next) hk_mf_note_files(r, c);
}
