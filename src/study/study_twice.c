/* Finds duplicates in a study: two axes that change the same value of the model, under the same
 * or different names, and equal names of columns. */
#include "study/study.h"
#include <stdlib.h>
#include <string.h>

/* Returns true if the value `inner` is equal to the value `outer` or is a part of it. */
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
                "'%s' and '%s' change the same value: one path refers to all copies, the other to "
                "one of them",
                a->path, b->path);
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

/* ---- columns ---- */

/* Returns true if the table itself has a column of this name. */
static bool belongs_to_table(const hk_study *s, const char *name) {
  static const char *const always[] = {"variant", "number", "status", "error"};
  for (size_t i = 0; i < sizeof always / sizeof *always; i++)
    if (strcmp(name, always[i]) == 0) return true;
  if (s->n_limits > 0 && strcmp(name, "feasible") == 0) return true;
  return s->n_goals > 1 && strcmp(name, "pareto") == 0;
}

static void check_axis_name(const hk_study *s, const hk_axis *a, hk_diag *diag) {
  static const char advice[] = "give the axis with its section, such as 'parameters.m'";
  if (belongs_to_table(s, a->path))
    hk_diag_add(diag, HK_ERROR, &a->place, "'%s' is a column of the table itself; %s", a->path,
                advice);
  for (int i = 0; i < s->n_measures; i++)
    if (strcmp(s->measure[i].name, a->path) == 0)
      hk_diag_add(diag, HK_ERROR, &a->place, "'%s' is both an axis and a measure; %s", a->path,
                  advice);
}

static void check_measure_name(const hk_study *s, int k, hk_diag *diag) {
  const hk_location whole = {.file = s->file};
  const hk_location *place = s->n_keep ? &s->keep_place[k] : &whole;
  const char *name = s->measure[k].name;
  if (belongs_to_table(s, name))
    hk_diag_add(diag, HK_ERROR, place,
                "the measure '%s' has the name of a column of the table itself; rename it in the "
                "model, or leave it out with 'measures: [...]'",
                name);
  for (int i = 0; i < k; i++)
    if (strcmp(s->measure[i].name, name) == 0)
      hk_diag_add(diag, HK_ERROR, place, "the measure '%s' is given twice", name);
}

void hk_study_check_columns(const hk_study *s, hk_diag *diag) {
  for (int i = 0; i < s->n_axes; i++) check_axis_name(s, &s->axis[i], diag);
  for (int i = 0; i < s->n_measures; i++) check_measure_name(s, i, diag);
  for (int i = 0; i < s->n_goals; i++)
    if (belongs_to_table(s, s->goal[i].name))
      hk_diag_add(diag, HK_ERROR, &s->goal[i].place,
                  "the goal '%s' has the name of a column of the table itself; rename it",
                  s->goal[i].name);
}
