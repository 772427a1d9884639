/* The keys of a stepper, given in the analysis together with the common keys:
 *
 *   analysis: {duration: 1 s, step: 1e-4 s, stepper: moreau, theta: 0.6}
 *
 * They are stored in a separate item of the stepper's type and name, so that only its parameter table defines them.  With
 * `auto` the stepper is chosen after the model is compiled, so a key is stored for every stepper that has it.
 */
#ifndef HK_SPEC_STEPPER_KEYS_H
#define HK_SPEC_STEPPER_KEYS_H
#include "spec/type.h"

/* The stepper type requested by the item; NULL: auto, or not an analysis. */
const hk_type *hk_stepper_chosen(const hk_item *analysis);
/* Returns true if the item has no such parameter but its stepper has (with auto: some stepper has). */
bool hk_stepper_takes(const hk_item *analysis, const char *key);
/* Returns the i-th item that stores the key, and creates it if needed; NULL after the last one,
 * or on failure, with *status set. */
hk_item *hk_stepper_host(hk_item *analysis, const char *key, int i, hk_status *status,
                         hk_error *err);
/* Writes the error text for a key of another stepper: "'theta' belongs to the stepper moreau, ...";
 * false: no stepper has this key. */
bool hk_stepper_whose(const hk_item *analysis, const char *key, char *text, size_t size);
/* Same as hk_stepper_whose, for callers that already know the stepper of the key. */
bool hk_stepper_misplaced(const hk_registry *types, const hk_type *stepper, const char *key,
                          char *text, size_t size);
/* Names of all stepper keys that may be given in the item, for suggestions; returns their number. */
int hk_stepper_key_names(const hk_item *analysis, const char **names, int room);
/* Reports keys that were given for steppers other than `type`, with their locations.  Returns their number. */
int hk_stepper_check(const hk_spec *spec, const hk_type *type, hk_severity severity, hk_diag *diag);
#endif
