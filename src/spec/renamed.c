/* See renamed.h. */
#include "spec/renamed.h"
#include "spec/stepper_keys.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { QUIET = 0, NOTE = 1 };

typedef struct line {
  bool note;
  int category;
  const char *type, *key, *old_name, *new_name;
} line;

#define HK_RENAMED_TYPE(note, category, old, new) {note, category, NULL, NULL, old, new},
#define HK_RENAMED_KEY(note, category, type, old, new)
#define HK_RENAMED_CHOICE(category, type, key, old, new)
#define HK_RENAMED_CHANNEL(note, old, new)
static const line TYPES[] = {
#include "spec/renamed.list"
};
#undef HK_RENAMED_TYPE
#undef HK_RENAMED_KEY
#define HK_RENAMED_TYPE(note, category, old, new)
#define HK_RENAMED_KEY(note, category, type, old, new) {note, category, type, NULL, old, new},
static const line KEYS[] = {
#include "spec/renamed.list"
};
#undef HK_RENAMED_KEY
#undef HK_RENAMED_CHOICE
#define HK_RENAMED_KEY(note, category, type, old, new)
#define HK_RENAMED_CHOICE(category, type, key, old, new) {QUIET, category, type, key, old, new},
static const line CHOICES[] = {
#include "spec/renamed.list"
};
#undef HK_RENAMED_CHOICE
#undef HK_RENAMED_CHANNEL
#define HK_RENAMED_CHOICE(category, type, key, old, new)
#define HK_RENAMED_CHANNEL(note, old, new) {note, 0, NULL, NULL, old, new},
static const line CHANNELS[] = {
#include "spec/renamed.list"
};
#undef HK_RENAMED_TYPE
#undef HK_RENAMED_KEY
#undef HK_RENAMED_CHOICE
#undef HK_RENAMED_CHANNEL

#define COUNT(table) (int)(sizeof(table) / sizeof *(table))

static hk_renamed as_renamed(const line *l) { return (hk_renamed){l->new_name, l->note}; }

hk_renamed hk_renamed_type(hk_category category, const char *old) {
  for (int i = 0; i < COUNT(TYPES); i++)
    if (TYPES[i].category == (int)category && strcmp(TYPES[i].old_name, old) == 0)
      return as_renamed(&TYPES[i]);
  return (hk_renamed){0};
}

static bool is_of(const line *l, const hk_type *type) {
  return l->category == (int)type->category && (!*l->type || strcmp(l->type, type->name) == 0);
}

static bool has_key(const hk_type *type, const char *name) {
  const hk_param *p;
  for (int i = 0; (p = hk_type_param(type, i)); i++)
    if (strcmp(p->name, name) == 0) return true;
  return false;
}

hk_renamed hk_renamed_key(const hk_type *type, const char *old) {
  for (int i = 0; i < COUNT(KEYS); i++)
    if (is_of(&KEYS[i], type) && strcmp(KEYS[i].old_name, old) == 0 && !has_key(type, old) &&
        has_key(type, KEYS[i].new_name))
      return as_renamed(&KEYS[i]);
  return (hk_renamed){0};
}

hk_renamed hk_renamed_choice(const hk_type *type, const char *key, const char *old) {
  for (int i = 0; i < COUNT(CHOICES); i++)
    if (is_of(&CHOICES[i], type) && strcmp(CHOICES[i].key, key) == 0 &&
        strcmp(CHOICES[i].old_name, old) == 0)
      return as_renamed(&CHOICES[i]);
  return (hk_renamed){0};
}

const char *hk_former_key(const hk_type *type, const char *key, int i) {
  for (int k = 0; k < COUNT(KEYS); k++) {
    if (!is_of(&KEYS[k], type) || (key && strcmp(KEYS[k].new_name, key) != 0)) continue;
    if (hk_renamed_key(type, KEYS[k].old_name).new_name && i-- == 0) return KEYS[k].old_name;
  }
  return NULL;
}

const char *hk_former_choice(const hk_type *type, const char *key, int i) {
  for (int k = 0; k < COUNT(CHOICES); k++)
    if (is_of(&CHOICES[k], type) && strcmp(CHOICES[k].key, key) == 0 && i-- == 0)
      return CHOICES[k].old_name;
  return NULL;
}

const char *hk_former_type(const hk_type *type, int i) {
  for (int k = 0; k < COUNT(TYPES); k++)
    if (TYPES[k].category == (int)type->category && strcmp(TYPES[k].new_name, type->name) == 0 &&
        i-- == 0)
      return TYPES[k].old_name;
  return NULL;
}

/* ---- channels ---- */

typedef struct search {
  hk_name_exists *exists;
  const void *context;
  unsigned which;
  char *out;
  size_t size;
  int tries;
  bool note;
} search;

/* Length of the part of a word that is looked up in the table: without index, _rate and _acc. */
static size_t stem_length(const char *word, size_t n) {
  static const char *const tails[] = {"_rate", "_acc"};
  size_t stem = 0;
  while (stem < n && word[stem] != '[') stem++;
  for (int i = 0; i < 2; i++) {
    const size_t k = strlen(tails[i]);
    if (stem > k && strncmp(word + stem - k, tails[i], k) == 0) return stem - k;
  }
  return stem;
}

static bool is_word(const char *name, const char *word, size_t n) {
  return strlen(name) == n && strncmp(name, word, n) == 0;
}

/* Tries all combinations in which each remaining word of the name is unchanged or replaced.
 * `used` bytes of out are already filled. */
static bool try_words(search *s, const char *rest, size_t used, bool changed, bool note) {
  enum { MOST_TRIES = 64 };
  if (!*rest) {
    if (!changed || s->tries++ >= MOST_TRIES || !s->exists(s->context, s->out)) return false;
    return s->note = note, true;
  }
  const size_t n = strcspn(rest, "."), step = n + (rest[n] == '.'), stem = stem_length(rest, n);
  for (int i = 0; i < 2 * COUNT(CHANNELS); i++) {
    const line *l = &CHANNELS[i / 2];
    const bool back = i % 2;
    if (!(s->which & (back ? HK_TO_FORMER : HK_TO_CURRENT)) ||
        !is_word(back ? l->new_name : l->old_name, rest, stem))
      continue;
    const char *word = back ? l->old_name : l->new_name;
    const int k =
        snprintf(s->out + used, s->size - used, "%s%.*s", word, (int)(step - stem), rest + stem);
    if (used + (size_t)k < s->size &&
        try_words(s, rest + step, used + (size_t)k, true, note || l->note))
      return true;
  }
  if (used + step >= s->size) return false;
  snprintf(s->out + used, s->size - used, "%.*s", (int)step, rest);
  return try_words(s, rest + step, used + step, changed, note);
}

bool hk_renamed_channel(const char *name, unsigned which, hk_name_exists *exists,
                        const void *context, char *out, size_t size, bool *note) {
  search s = {exists, context, which, out, size, 0, false};
  bool found = try_words(&s, name, 0, false, false);
  if (found && note) *note = s.note;
  return found;
}

/* ---- suggestions ---- */

const char *hk_nearest_key(const hk_type *type, const hk_item *item, const char *wrong,
                           const char *const *more, int n) {
  const int n_steppers = item ? hk_stepper_key_names(item, NULL, 0) : 0,
            n_own = hk_type_param_count(type);
  int n_former = 0, at = 0;
  while (hk_former_key(type, NULL, n_former)) n_former++;
  const char **names = malloc((size_t)(n + n_own + n_former + n_steppers + 1) * sizeof *names);
  if (!names) return NULL;
  for (int i = 0; i < n; i++) names[at++] = more[i];
  for (int i = 0; i < n_own; i++) names[at++] = hk_type_param(type, i)->name;
  if (item) at += hk_stepper_key_names(item, names + at, n_steppers);
  for (int i = 0; i < n_former; i++) names[at++] = hk_former_key(type, NULL, i);
  const char *near = hk_nearest_name(wrong, names, at);
  free(names);
  const char *current = near ? hk_renamed_key(type, near).new_name : NULL;
  return current ? current : near;
}
