/* Naming rules common to the list of channels and to expressions. */
#ifndef HK_MODEL_CHANNEL_NAME_H
#define HK_MODEL_CHANNEL_NAME_H
#include "spec/channel.h"

/* Prefix of the channels of a force: its name, or "forces.name" if a joint, motion or contact has the same name. */
void hk_force_channel_owner(const hk_item *force, char *buf, size_t size);
#endif
