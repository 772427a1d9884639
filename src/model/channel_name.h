/* What the list of channels and the names in expressions must agree on. */
#ifndef HK_CHANNEL_NAME_H
#define HK_CHANNEL_NAME_H
#include "spec/channel.h"

/* The name under which a force has its channels: its own, or "forces.name" where a joint, motion or
 * contact has the same. */
void hk_force_channel_owner(const hk_item *force, char *buf, size_t size);
#endif
