/* Values of the model that two axes of a study change, under whatever names. */
#include "study/study.h"
#include <stdlib.h>
#include <string.h>

/* Returns true if the value `inner` is the value `outer` or a part of it. */
static bool contains(const char *outer, const char *inner) {
  return strncmp(inner, outer, strlen(outer)) == 0;
}

static bool report_pair(const hk_axis *a, const hk_override_target *of_a, const hk_axis *b,
                        const hk_override_target *of_b, hk_diag *diag) {
  if (!contains(of_a->value, of_b->value) && !contains(of_b->value, of_a->value)) return false;
  if (*of_a->copy && *of_b->copy && strcmp(of_a->copy, of_b->copy) != 0) return false;
  if (strcmp(a->path, b->path) == 0)
    hk_diag_add(diag, HK_ERROR, &b->place, "'%s' is both an axis and sampled", b->path);
  else if (strcmp(of_a->copy, of_b->copy) != 0)
    hk_diag_add(diag, HK_ERROR, &b->place,
                "'%s' and '%s' change the same value: one of them is that of all copies", a->path,
                b->path);
  else if (strcmp(of_a->value, of_b->value) == 0)
    hk_diag_add(diag, HK_ERROR, &b->place, "'%s' and '%s' are the same value", a->path, b->path);
  else
    hk_diag_add(diag, HK_ERROR, &b->place,
                "'%s' and '%s' change the same value: one contains the other", a->path, b->path);
  return true;
}

void hk_study_check_twice(const hk_study *s, hk_diag *diag) {
  hk_override_target *target = malloc(((size_t)s->n_axes + 1) * sizeof *target);
  bool *found = calloc((size_t)s->n_axes + 1, sizeof *found);
  if (!target || !found) diag->out_of_memory = true;
  bool reported = !target || !found;
  for (int i = 0; i < s->n_axes && !reported; i++) {
    /* An invalid path is reported when the axis is checked. */
    found[i] = hk_model_source_target(s->source, s->axis[i].path, &target[i]);
    for (int k = 0; k < i && found[i] && !reported; k++)
      reported = found[k] && report_pair(&s->axis[k], &target[k], &s->axis[i], &target[i], diag);
  }
  free(target);
  free(found);
}
