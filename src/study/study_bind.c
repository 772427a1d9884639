/* Checks a study against its model: see hk_study_bind. */
#include "study/run_measures.h"
#include "spec/type.h"
#include "study/plan.h"
#include "study/study.h"
#include <limits.h>
#include <math.h>
#include "prepare/prepare.h"
#include "read/model_file.h"
#include "results/pattern.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading the model with some values changed ---- */

/* Reports the first error of a model that was read with one changed value. The location is the line of the study that
 * gives this value. */
static void pass_on(const hk_diag *from, const char *what, const hk_location *place, hk_diag *to) {
  if (from->out_of_memory) to->out_of_memory = true;
  for (int i = 0; i < from->n; i++) {
    const hk_diag_message *m = &from->message[i];
    if (m->severity != HK_ERROR) continue;
    if (!m->place.file || strncmp(m->place.file, "--set ", 6) == 0) {
      hk_diag_add(to, HK_ERROR, place, "%s: %s", what, m->text);
    } else {
      char text[1500];
      hk_diag_format(m, text, sizeof text);
      hk_diag_add(to, HK_ERROR, place, "%s: the model says %s", what, text);
    }
    return;
  }
}

/* Returns the line of the study that gives the value to which the message refers; otherwise the
 * location of the message. */
static const hk_location *place_in_study(const hk_study *s, const hk_diag_message *m) {
  for (int i = 0; m->place.file && i < s->n_set; i++) {
    size_t n = strlen(s->set[i].path);
    if (s->set_place[i].line && strncmp(m->place.file, "--set ", 6) == 0 &&
        strncmp(m->place.file + 6, s->set[i].path, n) == 0 && m->place.file[6 + n] == '=')
      return &s->set_place[i];
  }
  return &m->place;
}

/* Passes on all messages; messages about the study's own values get their lines in the study. */
static void pass_on_at_home(const hk_study *s, const hk_diag *from, hk_diag *to) {
  if (from->out_of_memory) to->out_of_memory = true;
  for (int i = 0; i < from->n; i++) {
    const hk_diag_message *m = &from->message[i];
    hk_diag_add(to, m->severity, place_in_study(s, m), "%s", m->text);
  }
}

/* All errors, unchanged. */
static void pass_on_all(const hk_diag *from, hk_diag *to) {
  if (from->out_of_memory) to->out_of_memory = true;
  for (int i = 0; i < from->n; i++)
    if (from->message[i].severity == HK_ERROR)
      hk_diag_add(to, HK_ERROR, &from->message[i].place, "%s", from->message[i].text);
}

static hk_spec *read_with(const hk_study *s, const hk_override *more, hk_diag *diag) {
  hk_override *set = calloc((size_t)s->n_set + 1, sizeof *set);
  if (!set) {
    diag->out_of_memory = true;
    hk_diag_add(diag, HK_ERROR, NULL, "out of memory");
    return NULL;
  }
  if (s->n_set) memcpy(set, s->set, (size_t)s->n_set * sizeof *set);
  if (more) set[s->n_set] = *more;
  hk_spec *spec = hk_model_source_read(s->source, set, s->n_set + (more ? 1 : 0), diag);
  free(set);
  return spec;
}

/* Checks that each fixed value exists in the model. Called only if the model could not be read with all values
 * together. */
static void blame_set(const hk_study *s, hk_diag *diag, const hk_diag *whole) {
  for (int i = 0; i < s->n_set; i++) {
    if (!s->set_place[i].line) continue;
    hk_diag quiet;
    hk_diag_init(&quiet);
    hk_spec *spec = hk_model_source_read(s->source, &s->set[i], 1, &quiet);
    hk_spec_destroy(spec);
    if (!spec) pass_on(&quiet, s->set[i].path, &s->set_place[i], diag);
    hk_diag_free(&quiet);
    if (!spec) return;
  }
  pass_on_all(whole, diag);
}

static hk_spec *read_base(const hk_study *s, hk_diag *diag) {
  hk_diag own;
  hk_diag_init(&own);
  hk_spec *spec = read_with(s, NULL, &own);
  if (!spec) blame_set(s, diag, &own);
  hk_diag_free(&own);
  return spec;
}

/* ---- [*] ---- */

static const long NO_PART = LONG_MAX;

/* Parts of a composite joint and copies of an item with `repeat` are named "cvj.ball[k]", in any section. Returns the
 * smallest number k above `after` for which an item "stem[k]" exists; the numbers may begin at any value and may have
 * gaps. NO_PART: there is no such item. */
static long next_part(const hk_spec *spec, const char *stem, size_t length, long after) {
  long next = NO_PART;
  for (int c = 0; c < HK_N_CATEGORIES; c++)
    for (int i = 0; i < spec->n[c]; i++) {
      const char *name = spec->item[c][i]->name;
      char *end;
      if (strncmp(name, stem, length) != 0 || name[length] != '[') continue;
      const long k = strtol(name + length + 1, &end, 10);
      if (strcmp(end, "]") == 0 && k > after && k < next) next = k;
    }
  return next;
}

/* Finds the item of this name, with or without a leading section. */
static const hk_item *find_item(const hk_spec *spec, const char *name) {
  const hk_item *item = NULL;
  for (int c = 0; c < HK_N_CATEGORIES && !item; c++) {
    const char *section = hk_category_section((hk_category)c);
    size_t n = section ? strlen(section) : 0;
    bool within = n && strncmp(name, section, n) == 0 && name[n] == '.';
    item = hk_spec_find(spec, (hk_category)c, within ? name + n + 1 : name);
  }
  return item;
}

/* Number of entries of a list that has one value per part of this item. */
static int numbers_of(const hk_item *item, const hk_param *p) {
  int i = p->each_count ? hk_type_param_find(item->type, p->each_count) : -1;
  if (i < 0) return p->count;
  int n = *(const int *)((const char *)item->data + hk_type_param(item->type, i)->offset);
  return n < p->count ? n : p->count;
}

/* Number of entries of a list that the type of an item has for each part, such as "pin" of "ujoint"; there is no item
 * "ujoint.pin". */
static int count_each(const hk_spec *spec, const char *path, const char *star) {
  char name[300];
  size_t length = (size_t)(star - path);
  const char *each = star, *param = strrchr(star, '.');
  while (each > path && *each != '.') each--;
  if (each == path || !param || length >= sizeof name) return 0;
  snprintf(name, sizeof name, "%.*s", (int)(each - path), path);
  const hk_item *item = find_item(spec, name);
  int i = item ? hk_type_param_find(item->type, param + 1) : -1;
  const hk_param *p = i >= 0 ? hk_type_param(item->type, i) : NULL;
  size_t n = length - (size_t)(each + 1 - path);
  bool same = p && p->each && strlen(p->each) == n && strncmp(p->each, each + 1, n) == 0;
  return same ? numbers_of(item, p) : 0;
}

/* Adds an axis to out; with a number of [*], the path has this number instead. */
static bool add_axis(hk_study *s, const hk_axis *a, const char *star, long number, hk_axis *out,
                     int *n_out, hk_diag *diag) {
  if (*n_out == HK_STUDY_MAX_AXES) {
    hk_diag_add(diag, HK_ERROR, &a->place, "%s: a study has at most %d axes", a->path,
                HK_STUDY_MAX_AXES);
    return false;
  }
  out[*n_out] = *a;
  if (star)
    out[*n_out].path =
        hk_arena_printf(&s->arena, "%.*s[%ld]%s", (int)(star - a->path), a->path, number, star + 3);
  if (!out[(*n_out)++].path) diag->out_of_memory = true;
  return true;
}

static void expand_star(hk_study *s, const hk_spec *spec, int k, hk_axis *out, int *n_out,
                        hk_diag *diag) {
  const hk_axis *a = &s->axis[k];
  const char *star = strstr(a->path, "[*]");
  if (!star) {
    add_axis(s, a, NULL, 0, out, n_out, diag);
    return;
  }
  if (k < s->n_crossed) {
    hk_diag_add(diag, HK_ERROR, &a->place,
                "%s: [*] samples one value for each part; a crossed axis must specify one part",
                a->path);
    return;
  }
  /* "joints.cvj.ball" and "cvj.ball" both mean the parts of cvj. */
  const char *stem = a->path, *dot = memchr(stem, '.', (size_t)(star - stem));
  if (dot && next_part(spec, stem, (size_t)(star - stem), LONG_MIN) == NO_PART) stem = dot + 1;
  size_t length = (size_t)(star - stem);
  int before = *n_out;
  for (long i = LONG_MIN; (i = next_part(spec, stem, length, i)) != NO_PART;)
    if (!add_axis(s, a, star, i, out, n_out, diag)) return;
  int each = *n_out == before ? count_each(spec, a->path, star) : 0;
  for (int i = 0; i < each; i++)
    if (!add_axis(s, a, star, i, out, n_out, diag)) return;
  if (*n_out == before)
    hk_diag_add(diag, HK_ERROR, &a->place, "%s: the model has no part '%.*s[0]'", a->path,
                (int)(star - a->path), a->path);
}

static void expand_stars(hk_study *s, const hk_spec *spec, hk_diag *diag) {
  hk_axis *all = HK_NEW_ARRAY(&s->arena, hk_axis, HK_STUDY_MAX_AXES);
  int n = 0;
  if (!all) {
    diag->out_of_memory = true;
    hk_diag_add(diag, HK_ERROR, NULL, "out of memory");
    return;
  }
  for (int k = 0; k < s->n_axes; k++) expand_star(s, spec, k, all, &n, diag);
  s->axis = all;
  s->n_axes = n;
  if (s->sample.method == HK_SAMPLE_SOBOL && n - s->n_crossed > HK_SOBOL_DIMENSIONS)
    hk_diag_add(diag, HK_ERROR, &all[s->n_crossed].place,
                "the Sobol sequence supports %d dimensions, but %d values are sampled; use "
                "'method: latin_hypercube'",
                HK_SOBOL_DIMENSIONS, n - s->n_crossed);
}

/* ---- axes ---- */

/* Checks an axis. An error is reported only if none of its values can be read; if some are invalid, the variants with
 * these values fail. If there are many values, only some are checked: the ends first, then values between them at
 * decreasing distances. */
static void check_axis(const hk_study *s, const hk_axis *a, hk_diag *diag) {
  enum { FINE = 1000 };
  char text[HK_AXIS_TEXT];
  hk_diag first;
  hk_diag_init(&first);
  bool good = false;
  int64_t n = a->kind == HK_AXIS_RANDOM ? FINE : a->n;
  for (int k = 0; k < HK_PLAN_MOST_TRIES && k < n && !good; k++) {
    hk_diag quiet;
    hk_diag_init(&quiet);
    int64_t i = hk_spread_number(k, n);
    double x =
        a->kind == HK_AXIS_RANDOM ? hk_axis_at(a, ((double)i + 0.5) / FINE) : hk_axis_value(a, i);
    hk_axis_override(a, i, x, text, sizeof text);
    hk_spec *spec = read_with(s, &(hk_override){a->path, text}, k ? &quiet : &first);
    good = spec != NULL;
    hk_spec_destroy(spec);
    hk_diag_free(&quiet);
  }
  if (!good) pass_on(&first, a->path, &a->place, diag);
  hk_diag_free(&first);
}

/* ---- measures ---- */

static void choose_measures(hk_study *s, const hk_run_report *all, hk_diag *diag) {
  const char **names = calloc((size_t)all->n_measures + 1, sizeof *names);
  int n = s->n_keep ? s->n_keep : all->n_measures;
  s->measure = HK_NEW_ARRAY(&s->arena, hk_study_measure, n + 1);
  if (!names || !s->measure) {
    diag->out_of_memory = true;
    free(names);
    return;
  }
  for (int i = 0; i < all->n_measures; i++) names[i] = all->measure[i].name;
  for (int k = 0; k < n; k++) {
    int i = k;
    if (s->n_keep)
      for (i = 0; i < all->n_measures && strcmp(names[i], s->keep[k]) != 0; i++)
        ;
    if (i == all->n_measures) {
      const char *near = hk_nearest_name(s->keep[k], names, all->n_measures);
      hk_diag_add(diag, HK_ERROR, &s->keep_place[k], "the model has no measure '%s'%s%s%s",
                  s->keep[k], near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
      continue;
    }
    const char *unit = all->measure[i].unit;
    s->measure[s->n_measures++] =
        (hk_study_measure){.name = hk_arena_strdup(&s->arena, names[i]),
                           .unit = hk_arena_strdup(&s->arena, strcmp(unit, "1") ? unit : ""),
                           .index = i};
  }
  free(names);
}

static void ask_measures(hk_study *s, const hk_model *model, hk_diag *diag) {
  hk_run_measures measures;
  hk_run_report report = {0};
  if (hk_run_check(model, diag)) return;
  if (model->spec->n[HK_MEASURE] == 0) {
    hk_diag_add(diag, HK_ERROR, &(hk_location){s->model_path, 1, 1},
                "the model has no measures, so its variants would have no results; add "
                "'measures: {...}'");
    return;
  }
  hk_status status = hk_run_measures_init(&measures, model, diag);
  if (!status) status = hk_run_measures_report(&measures, &report, NULL);
  if (status == HK_ENOMEM) diag->out_of_memory = true;
  if (!status) choose_measures(s, &report, diag);
  hk_run_report_free(&report);
  hk_run_measures_free(&measures);
}

static void check_steady(const hk_study *s, const hk_model *model, hk_diag *diag) {
  hk_periodic_options orbit;
  hk_error err = {0};
  if (s->steady.used && hk_steady_resolve(&s->steady, model, &orbit, &err))
    hk_diag_add(diag, HK_ERROR, &s->steady_place, "%s", err.text);
}

static void find_measures(hk_study *s, const hk_model *model, hk_diag *diag) {
  hk_diag own;
  hk_diag_init(&own);
  ask_measures(s, model, &own);
  pass_on_at_home(s, &own, diag);
  hk_diag_free(&own);
}

/* ---- the whole ---- */

static void check_store(const hk_study *s, const hk_model *model, hk_diag *diag) {
  regex_t regex;
  if (!s->store) return;
  hk_error err = {0};
  if (hk_pattern_compile(s->store, &regex, &err)) {
    hk_diag_add(diag, HK_ERROR, &s->store_place, "%s", err.text);
    return;
  }
  int found = 0;
  for (int i = 1; i < hk_model_channel_count(model); i++)
    found += hk_pattern_matches(&regex, hk_model_channel_name(model, i));
  regfree(&regex);
  if (!found)
    hk_diag_add(diag, HK_ERROR, &s->store_place,
                "no channel matches '%s'; `hooke check --channels` lists them", s->store);
}

static void check_count(const hk_study *s, hk_diag *diag) {
  double n = hk_study_count(s);
  if (n <= HK_STUDY_MAX_VARIANTS) return;
  char text[400] = "";
  size_t used = 0;
  for (int g = 0; g < s->n_groups && used < sizeof text - 60; g++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%lld", g ? " x " : "",
                             (long long)s->group_count[g]);
  if (s->n_axes > s->n_crossed)
    snprintf(text + used, sizeof text - used, "%s%lld samples", s->n_groups ? " x " : "",
             (long long)s->sample.n);
  hk_diag_add(
      diag, HK_ERROR, &(hk_location){.file = s->file},
      "the study has %.3g variants (%s), but the maximum is %d; use fewer values or 'samples'", n,
      text, HK_STUDY_MAX_VARIANTS);
}

hk_status hk_study_bind(hk_study *s, hk_diag *diag) {
  int before = diag->n_errors;
  check_count(s, diag);
  if (diag->n_errors > before) return HK_EINPUT;
  const hk_model_text source = {
      .types = s->types, .preparation = &hk_preparation_full, .name = s->model_path};
  s->source = hk_model_source_open(&source, s->file, diag);
  hk_spec *spec = s->source ? read_base(s, diag) : NULL;
  if (spec) expand_stars(s, spec, diag);
  if (spec && diag->n_errors == before) hk_study_bind_correlations(s, diag);
  if (spec && diag->n_errors == before) {
    hk_study_check_twice(s, diag);
    for (int i = 0; i < s->n_axes; i++) {
      /* All axes that were created from one [*] are equivalent, so only the first one is
       * checked. */
      if (i && s->axis[i].source == s->axis[i - 1].source) continue;
      check_axis(s, &s->axis[i], diag);
    }
  }
  hk_model *model = NULL;
  if (spec && diag->n_errors == before && !diag->out_of_memory) {
    model = s->base = hk_model_compile(spec, diag);
    spec = NULL; /* the model's now */
  }
  if (model) {
    check_steady(s, model, diag);
    find_measures(s, model, diag);
    check_store(s, model, diag);
    if (diag->n_errors == before) hk_study_check_columns(s, diag);
    if (diag->n_errors == before) hk_study_bind_goals(s, diag);
  }
  hk_spec_destroy(spec);
  if (diag->out_of_memory) return HK_ENOMEM;
  s->bound = diag->n_errors == before && s->source;
  return s->bound ? HK_OK : HK_EINPUT;
}
