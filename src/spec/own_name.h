/* Names that only the expressions of one item know: the coordinate of a force (hk_force_ops.coordinate_name). */
#ifndef HK_SPEC_OWN_NAME_H
#define HK_SPEC_OWN_NAME_H
#include "spec/type.h"

/* Prefix of the channels of a force: its name, or "forces.name" if a joint, motion or contact has the same name. */
void hk_force_channel_owner(const hk_item *force, char *buf, size_t size);
/* Slot of the variable for a word in the expressions of this item; -1: the word is not one of the item's private
 * names. */
int hk_item_own_variable(const hk_item *item, const char *word, hk_dim *dim);
/* Returns true if the expression of a force uses no variable other than the coordinate of this force. */
bool hk_item_reads_own_only(const hk_item *item, const hk_expr *e);
#endif
