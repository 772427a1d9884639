/* What the binary of FMUs does not contain: FMUs within an FMU, because it does not load other binaries. */
#include "prepare/prepare.h"

void hk_load_fmu_fmu(hk_mf *r, hk_item *item, const hk_mf_pending *pending) {
  (void)pending;
  hk_diag_add(r->diag, HK_ERROR, hk_item_location(item, "file"),
              "fmu '%s': an FMU within an FMU is not supported", item->name);
  hk_mf_mark_broken(r, &r->model, item->name);
}
