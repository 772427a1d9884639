/* Dimensions of parameters: checks of the unit of a value, and the messages of wrong units. */
#include "spec/item.h"
#include "spec/registry.h"
#include <string.h>

static hk_dim dim_of(const char *text) {
  hk_unit unit = {0};
  if (text && *text) hk_unit_parse(text, strlen(text), &unit, NULL);
  return unit.dim;
}

bool hk_param_dim(const hk_param *p, hk_dim *dim) {
  bool any = p->flags & HK_ANY_UNIT;
  *dim = dim_of(any ? NULL : p->unit);
  return !any;
}

bool hk_param_angular_dim(const hk_param *p, hk_dim *dim) {
  *dim = dim_of(p->angular_unit);
  return p->angular_unit != NULL;
}

hk_status hk_dim_misfit(const char *param, const char *owner, hk_dim dim, hk_dim wanted,
                        hk_error *err) {
  char got[128], fits[256];
  hk_dim_format(dim, got, sizeof got);
  hk_dim_examples(wanted, fits, sizeof fits);
  if (hk_dim_is_none(wanted))
    return hk_fail(err, HK_EINPUT, "%s of %s is a plain number, but this has the unit %s", param,
                   owner, got);
  if (hk_dim_is_none(dim))
    return hk_fail(err, HK_EINPUT, "%s of %s needs a unit: %s", param, owner, fits);
  if (hk_dim_matches(dim, wanted) && hk_dim_counts_cycles(dim, wanted))
    return hk_fail(err, HK_EINPUT,
                   "%s of %s is an angular velocity or contains one (%s); Hz means cycles per "
                   "second: use rad/s, rpm or 2*pi*...",
                   param, owner, fits);
  return hk_fail(err, HK_EINPUT, "%s of %s needs another unit (%s), got %s", param, owner, fits,
                 got);
}

/* Checks the dimension of a parameter with two units. */
static hk_status misfit_both(const hk_item *item, const hk_param *p, hk_dim dim, hk_error *err) {
  char label[300], got[128], along[256], about[256];
  hk_dim linear, angular;
  hk_param_dim(p, &linear);
  hk_param_angular_dim(p, &angular);
  hk_item_label(item, label, sizeof label);
  hk_dim_format(dim, got, sizeof got);
  hk_dim_examples(linear, along, sizeof along);
  hk_dim_examples(angular, about, sizeof about);
  if (hk_dim_counts_cycles(dim, angular))
    return hk_fail(err, HK_EINPUT,
                   "%s of %s: Hz means cycles per second; for an angle write 2*pi*...", p->name,
                   label);
  return hk_fail(err, HK_EINPUT, "%s of %s needs %s unit: %s along a length, %s along an angle%s%s",
                 p->name, label, hk_dim_is_none(dim) ? "a" : "another", along, about,
                 hk_dim_is_none(dim) ? "" : "; got ", hk_dim_is_none(dim) ? "" : got);
}

hk_status hk_item_check_dim(hk_item *item, int index, hk_dim dim, bool zero, hk_error *err) {
  const hk_param *p = hk_type_param(item->type, index);
  hk_dim wanted, angular;
  unsigned char *state = &item->param_state[index];
  *state &= (unsigned char)~(HK_PARAM_LINEAR | HK_PARAM_ANGULAR);
  if (zero || !hk_param_dim(p, &wanted)) return HK_OK;
  bool two = hk_param_angular_dim(p, &angular), fits = hk_dim_fits(dim, wanted);
  if (two && fits) *state |= HK_PARAM_LINEAR;
  if (two && hk_dim_fits(dim, angular)) *state |= HK_PARAM_ANGULAR, fits = true;
  if (fits) return HK_OK;
  if (two) return misfit_both(item, p, dim, err);
  char label[300];
  hk_item_label(item, label, sizeof label);
  return hk_dim_misfit(p->name, label, dim, wanted, err);
}
