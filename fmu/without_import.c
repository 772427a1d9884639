/* What the binary of FMUs does not contain: FMUs within an FMU, because it does not load other binaries, and flexible bodies,
 * because it does not read HDF5. */
#include "prepare/prepare.h"

void hk_load_fmu_fmu(hk_mf *r, hk_item *item, const hk_mf_pending *pending) {
  (void)pending;
  hk_diag_add(r->diag, HK_ERROR, hk_item_location(item, "file"),
              "fmu '%s': an FMU within an FMU is not supported", item->name);
  hk_mf_mark_broken(r, &r->model, item->name);
}

void hk_load_body_flexible_body(hk_mf *r, hk_item *item, const hk_mf_pending *pending) {
  (void)pending;
  hk_diag_add(r->diag, HK_ERROR, hk_item_location(item, "file"),
              "body '%s': a flexible body within an FMU is not supported", item->name);
  hk_mf_mark_broken(r, &r->model, item->name);
}
