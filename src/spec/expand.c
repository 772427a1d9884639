/* Expansion of composite joints into bodies, contacts, forces and sensors, and of the internal variables of forces
 * into states of the model. */
#include "spec/type.h"
#include <hooke/element.h>

void hk_item_expand(hk_item *item, hk_spec *spec, hk_diag *diag) {
  const hk_joint_ops *ops = item->type->ops;
  if (item->expanded || !ops->expand) return;
  item->expanded = true;
  hk_error err = {0};
  spec->expanding = item;
  spec->diag = diag;
  hk_status status = ops->expand(item, spec, &err);
  spec->expanding = NULL;
  spec->diag = NULL;
  if (!status) return;
  if (err.code == HK_ENOMEM) diag->out_of_memory = true;
  hk_diag_add(diag, HK_ERROR, hk_item_location(item, NULL), "joint '%s': %s", item->name, err.text);
}

void hk_spec_expand(hk_spec *spec, hk_diag *diag) {
  int n = spec->n[HK_JOINT]; /* parts of a composite joint are not composite joints */
  for (int i = 0; i < n; i++) hk_item_expand(spec->item[HK_JOINT][i], spec, diag);
}

hk_status hk_spec_first_order(hk_spec *spec, hk_error *err) {
  hk_status status = HK_OK;
  if (!spec) return hk_fail(err, HK_EINPUT, "the spec is NULL");
  for (int i = 0; i < spec->n[HK_FORCE] && !status; i++) {
    hk_item *item = spec->item[HK_FORCE][i];
    const hk_force_ops *ops = item->type->ops;
    hk_error why = {0};
    if (item->type->category != HK_FORCE || !ops->first_order) continue;
    spec->expanding = item;
    status = ops->first_order(item, spec, &why);
    spec->expanding = NULL;
    if (status) hk_fail(err, status, "force '%s': %.700s", item->name, why.text);
  }
  return status;
}
