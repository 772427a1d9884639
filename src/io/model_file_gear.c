/* Compliance of gear pairs, where it is not made from their parameters alone: see model_file_reader.h. */
#include "force/gear_pair.h"
#include "io/gear_file.h"
#include "io/model_file_reader.h"
#include <unistd.h>

/* The group of a gear: the one given; without one the root or the only group. */
static hk_status from_file(hk_mf *r, hk_item *item, int gear, hk_gear_compliance *out,
                           hk_error *err) {
  const hk_gear_pair_params *p = item->data;
  const char *path = hk_mf_relative_path(r, item->place.file, p->compliance);
  if (!path) return hk_fail(err, HK_ENOMEM, "out of memory");
  if (access(path, F_OK)) path = p->compliance; /* given on the command line */
  return hk_gear_file_read(path, p->group[gear], &r->spec->arena, out, err);
}

void hk_mf_load_compliance(hk_mf *r, hk_item *item, const hk_mf_pending *pending) {
  if (item->type != &hk_type_force_gear_pair || pending->doc->faulty || r->diag->n_errors) return;
  hk_involute geometry;
  hk_error unsound = {0};
  hk_gear_source source = hk_gear_pair_source(item);
  if (source != HK_GEAR_FILE) return;
  if (hk_gear_pair_design(item, &geometry, &unsound)) return; /* compiling will say so */
  for (int i = 0; i < 2; i++) {
    hk_gear_compliance table;
    hk_error err = {0};
    hk_status status = from_file(r, item, i, &table, &err);
    if (!status) status = hk_gear_pair_bring(item, i, &table, &err);
    if (status == HK_ENOMEM) r->diag->out_of_memory = true;
    if (!status) continue;
    hk_diag_add(r->diag, HK_ERROR, hk_item_where(item, "compliance"),
                "compliance of gear %c of force '%s': %s", "ab"[i], item -> name, err.text);
    return;
  }
}
