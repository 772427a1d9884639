/* Files outside the folder of a model: see outside.h. */
#include "base/outside.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool hk_outside_folder(const char *model_path, char folder[PATH_MAX]) {
  char name[PATH_MAX];
  const char *slash = strrchr(model_path, '/');
  int n = slash ? snprintf(name, sizeof name, "%.*s", (int)(slash - model_path) + 1, model_path)
                : snprintf(name, sizeof name, ".");
  return n > 0 && (size_t)n < sizeof name && realpath(name, folder);
}

/* Returns the canonical path of the file; if the file does not exist, the canonical path of its
 * folder plus its name. */
static bool resolve(const char *path, char out[PATH_MAX]) {
  char folder[PATH_MAX], resolved[PATH_MAX];
  if (realpath(path, out)) return true;
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  int n = name == path ? snprintf(folder, sizeof folder, ".")
                       : snprintf(folder, sizeof folder, "%.*s", (int)(name - path), path);
  if (n <= 0 || (size_t)n >= sizeof folder || !realpath(folder, resolved)) return false;
  n = snprintf(out, PATH_MAX, "%s/%s", resolved, name);
  return n > 0 && n < PATH_MAX;
}

/* Returns true if a name contains "..". A folder that does not exist cannot be resolved; it is inside the model
 * folder if its name does not contain "..". */
static bool goes_up(const char *name) {
  if (name[0] == '/') return true;
  for (const char *at = name; at; at = strchr(at, '/') ? strchr(at, '/') + 1 : NULL)
    if (strncmp(at, "..", 2) == 0 && (at[2] == '/' || !at[2])) return true;
  return false;
}

static bool is_below(const char *folder, const char *canonical) {
  size_t n = strlen(folder);
  if (n == 1) n = 0; /* "/" contains everything */
  return strncmp(canonical, folder, n) == 0 && canonical[n] == '/';
}

bool hk_outside_is_inside(const char *folder, const char *path, const char *name) {
  char canonical[PATH_MAX];
  return resolve(path, canonical) ? is_below(folder, canonical) : !goes_up(name);
}

/* Removes the text from the first quote to the last: the text between them may contain quotes. */
static void hush(char *text) {
  char *first = strchr(text, '\''), *last = strrchr(text, '\'');
  if (first == last) return;
  size_t inside = (size_t)(last - first) - 1, n = inside < 3 ? inside : 3;
  memset(first + 1, '.', n);
  memmove(first + 1 + n, last, strlen(last) + 1);
}

void hk_outside_hush(hk_diag *diag, int first, const char *model_path) {
  char folder[PATH_MAX], canonical[PATH_MAX];
  if (!model_path || first >= diag->n) return;
  bool known = hk_outside_folder(model_path, folder);
  for (int i = first; i < diag->n; i++) {
    const char *file = diag->message[i].place.file;
    if (!file || strcmp(file, model_path) == 0 || !realpath(file, canonical)) continue;
    if (!known || !is_below(folder, canonical)) hush(diag->message[i].text);
  }
}
