/* Points of tables from their files. */
#include "read/model_file_reader.h"
#include "read/table_file.h"
#include "spec/signal.h"
#include <hooke/element.h>

static bool complain(hk_mf *r, const hk_item *item, const char *param, const char *what) {
  hk_diag_add(r->diag, HK_ERROR, hk_item_location(item, param), "table '%s': %s", item->name, what);
  return false;
}

/* Checks that either a file with its keys, or points are given. */
static bool check_source(hk_mf *r, const hk_item *item, const hk_table_params *p) {
  static const char *const of_file[] = {"x", "y", "x_unit", "y_unit"};
  bool points = hk_item_has(item, "points");
  if (hk_expr_is_function(item->name))
    return complain(r, item, NULL, "this is the name of a function; choose another");
  if (p->file && points) return complain(r, item, "points", "give either a file or points");
  if (!p->file && !points) return complain(r, item, NULL, "needs a 'file' or 'points'");
  for (int i = 0; i < 4 && points; i++)
    if (hk_item_has(item, of_file[i]))
      return complain(r, item, of_file[i],
                      "this key needs 'file'; with 'points', write the unit after each number");
  return true;
}

/* A table without points is marked as invalid. */
void hk_mf_load_table(hk_mf *r, hk_item *item, const hk_mf_pending *pending) {
  const hk_table_params *p = item->data;
  hk_error err = {0};
  bool ok = !pending->doc->faulty && check_source(r, item, p);
  if (ok && p->file) {
    const char *path = hk_mf_relative_path(r, item->place.file, p->file);
    hk_table_files files = {.hdf5 = r->preparation->table_hdf5};
    ok = path ? hk_mf_may_read(r, path, p->file, hk_item_location(item, "file"), &files.quiet) &&
                    hk_table_load_from(item, path, &files, r->diag) == HK_OK
              : hk_mf_no_memory(r);
  }
  if (ok && !hk_spec_table(r->spec, item->name, &err)) {
    if (err.code == HK_ENOMEM) r->diag->out_of_memory = true;
    hk_diag_add(r->diag, HK_ERROR, hk_item_location(item, p->file ? "file" : "points"), "%s",
                err.text);
    ok = false;
  }
  if (!ok) hk_mf_mark_broken(r, &r->model, item->name);
}
