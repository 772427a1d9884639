/* Former names of types, keys, choices and channels: the table is renamed.list. */
#ifndef HK_SPEC_RENAMED_H
#define HK_SPEC_RENAMED_H
#include "spec/type.h"

typedef struct hk_renamed {
  const char *new_name;
  bool note; /* the reader reports the new name */
} hk_renamed;

/* Return the current name of a type, a key or a choice; new_name is NULL if `old` is not a former
 * name. */
hk_renamed hk_renamed_type(hk_category category, const char *old);
hk_renamed hk_renamed_key(const hk_type *type, const char *old);
hk_renamed hk_renamed_choice(const hk_type *type, const char *key, const char *old);

/* Returns former name number i of a key of the type; key = NULL: of all its keys. NULL after the last one. */
const char *hk_former_key(const hk_type *type, const char *key, int i);
/* Return the i-th former name of a choice of a key, and of a type. */
const char *hk_former_choice(const hk_type *type, const char *key, int i);
const char *hk_former_type(const hk_type *type, int i);

/* Finds another name of a channel by replacing words of its name: `out` is the first new name for which `exists`
 * returns true. Former words are replaced by current ones (HK_TO_CURRENT), current ones by former ones (HK_TO_FORMER),
 * or both, for results that an earlier version may have written. `note` may be NULL. */
enum { HK_TO_CURRENT = 1, HK_TO_FORMER = 2 };
typedef bool hk_name_exists(const void *context, const char *name);
bool hk_renamed_channel(const char *name, unsigned which, hk_name_exists *exists,
                        const void *context, char *out, size_t size, bool *note);

/* Returns the key of a type that is most similar to a misspelt one, by its current name.  Compares
 * keys, former keys, keys of the steppers if `item` is an analysis, and n further names. */
const char *hk_nearest_key(const hk_type *type, const hk_item *item, const char *wrong,
                           const char *const *more, int n);
#endif
