/* The text of `hooke types`, made from the parameter tables. */
#ifndef HK_REFERENCE_TYPE_HELP_H
#define HK_REFERENCE_TYPE_HELP_H
#include <hooke/element.h>
#include "spec/registry.h"
#include <stdio.h>

/* HK_OK if a type of this name exists in any category; otherwise HK_EINPUT with a suggestion in err. */
hk_status hk_type_check(const hk_registry *types, const char *name, hk_error *err);
/* Prints all types by category, or all types named `name`, as text or JSON.  HK_EINPUT if there is no such type: then
 * the message of hk_type_check is printed instead. */
hk_status hk_types_print(FILE *out, const hk_registry *types, const char *name, bool json);

/* Reports every channel that an item of the type may have, without the item's name: "force" for "strut.force".
 * Sensors and similar items are channels themselves; "NAME_rate" means the item's name followed by _rate. */
#define HK_ITEM_ITSELF "NAME"
typedef void hk_channel_fn(void *context, const hk_quantity *channel);
void hk_type_channels(const hk_registry *types, const hk_type *type, hk_channel_fn *give,
                      void *context);
/* Names of the points of a contact, each of which has these channels ("strip.left.gap"); none: the contact itself has
 * them. */
const char *const *hk_type_points(const hk_type *type, int *n);

/* Shared with the schema. */
/* Kind of a parameter's value: "number", "list of 3", "frame" ... */
const char *hk_param_kind_name(hk_param_kind kind);
/* Writes the default as in a model file; returns false if there is none to show. */
bool hk_param_default(const hk_type *type, const hk_param *p, char *buf, size_t size);
/* Returns the i-th name that a choice or an integrator may have; NULL after the last and for other
 * kinds. */
const char *hk_param_choice(const hk_registry *types, const hk_param *p, int i);
void hk_param_choices_json(FILE *out, const hk_registry *types, const hk_param *p);
/* Writes the range as "> 0", ">= 0", "0 ... 1", or "". */
const char *hk_param_range(const hk_param *p, char *buf, size_t size);
/* Writes a JSON string with its quotes. */
void hk_json_string(FILE *out, const char *text);
#endif
