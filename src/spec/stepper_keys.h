/* The keys of a stepper, which stand in the analysis beside the common ones:
 *
 *   analysis: {duration: 1 s, step: 1e-4 s, stepper: moreau, theta: 0.6}
 *
 * They live in an item of their own, of the stepper's type and name, so that its parameter table
 * alone says what they are.  Under `auto`, where the choice is made when the model is known, a key
 * goes to every stepper that has it.
 */
#ifndef HK_STEPPER_KEYS_H
#define HK_STEPPER_KEYS_H
#include "spec/type.h"

/* The type that the item names, NULL: auto, or not an item that names one. */
const hk_type *hk_stepper_chosen(const hk_item *analysis);
/* Whether the item has no such parameter but the stepper that it names has, or some under auto. */
bool hk_stepper_takes(const hk_item *analysis, const char *key);
/* The i-th item that keeps the key, made if need be; NULL behind the last, or with *status set. */
hk_item *hk_stepper_host(hk_item *analysis, const char *key, int i, hk_status *status,
                         hk_error *err);
/* Why the key does not fit if another stepper has it: "'theta' belongs to the stepper moreau, ...";
 * false: none has. */
bool hk_stepper_whose(const hk_item *analysis, const char *key, char *text, size_t size);
/* The same for a stepper that is known. */
bool hk_stepper_misplaced(const hk_registry *types, const hk_type *stepper, const char *key,
                          char *text, size_t size);
/* Names of all keys that may stand in the item besides its own, for hints; returns how many. */
int hk_stepper_key_names(const hk_item *analysis, const char **names, int room);
/* Keys that were given for other steppers than `type`, which has none of that name: told with
 * their places.  Returns how many. */
int hk_stepper_check(const hk_spec *spec, const hk_type *type, hk_severity severity, hk_diag *diag);
#endif
