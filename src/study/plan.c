/* Numbers of variants: see plan.h. */
#include "base/number.h"
#include "study/plan.h"
#include "statistics/distribution.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the rule of a study: groups crossed, the last one fastest, samples fastest of all ---- */

/* Returns sample i of axes with correlations: normal variables z are mixed and mapped back to (0,
 * 1) [Iman and Conover 1982; a Gaussian copula]. */
static double mixed(const hk_study *s, int i, const double *z) {
  int n = s->n_axes - s->n_crossed;
  double sum = 0;
  for (int k = 0; k <= i; k++) sum += s->mixing[(size_t)i * (size_t)n + (size_t)k] * z[k];
  double u = 0.5 * erfc(-sum / sqrt(2));
  return fmin(1 - 0x1p-53, fmax(0x1p-60, u));
}

static void study_point(const hk_plan *p, int64_t number, int64_t *entry, double *value) {
  const hk_study *s = p->study;
  int64_t sample = number % s->sample.n, digit[HK_STUDY_MAX_AXES];
  number /= s->sample.n;
  for (int g = s->n_groups - 1; g >= 0; g--) {
    digit[g] = number % s->group_count[g];
    number /= s->group_count[g];
  }
  for (int i = 0; i < s->n_crossed; i++) {
    entry[i] = s->axis[i].kind == HK_AXIS_LIST ? digit[s->group[i]] : -1;
    value[i] = hk_axis_value(&s->axis[i], digit[s->group[i]]);
  }
  int sampled = s->n_axes - s->n_crossed;
  double z[s->mixing ? sampled : 1];
  for (int i = 0; i < sampled && s->mixing; i++)
    z[i] = hk_normal_quantile(hk_sample_at(&s->sample, sample, i));
  for (int i = s->n_crossed; i < s->n_axes; i++) {
    double u = s->mixing ? mixed(s, i - s->n_crossed, z)
                         : hk_sample_at(&s->sample, sample, i - s->n_crossed);
    entry[i] = s->axis[i].kind == HK_AXIS_LIST ? (int64_t)(u * (double)s->axis[i].n) : -1;
    value[i] = hk_axis_at(&s->axis[i], u);
  }
}

void hk_plan_of_study(const hk_study *s, hk_plan *plan) {
  *plan = (hk_plan){.study = s, .n = (int64_t)hk_study_count(s), .point = study_point};
  if (s->n_axes > s->n_crossed && s->n_crossed == 0 && hk_sample_grows(&s->sample))
    /* The rule contains the base and not the number of samples: variant i is the same for any number of samples, so
     * that a study can be enlarged and resumed. */
    snprintf(plan->rule, sizeof plan->rule, "samples (%s, base %lld, seed %llu)",
             hk_sample_method_name(s->sample.method), (long long)s->sample.base,
             (unsigned long long)s->sample.seed);
  else if (s->n_axes > s->n_crossed)
    snprintf(plan->rule, sizeof plan->rule, "axes crossed with %lld samples (%s, seed %llu)",
             (long long)s->sample.n, hk_sample_method_name(s->sample.method),
             (unsigned long long)s->sample.seed);
  else
    snprintf(plan->rule, sizeof plan->rule, "axes crossed");
}

static bool same_entry(const hk_study *s, int group, int64_t i, int64_t k) {
  for (int a = 0; a < s->n_crossed; a++) {
    if (s->group[a] != group) continue;
    if (s->axis[a].kind != HK_AXIS_LIST) return false; /* ranges never repeat */
    if (strcmp(s->axis[a].text[i], s->axis[a].text[k]) != 0) return false;
  }
  return true;
}

int64_t hk_plan_first_alike(const hk_plan *p, int64_t number) {
  const hk_study *s = p->study;
  if (p->point != study_point) return number;
  int64_t rest = number / s->sample.n, first = number % s->sample.n, unit = s->sample.n;
  for (int g = s->n_groups - 1; g >= 0; g--) {
    int64_t digit = rest % s->group_count[g], alike = 0;
    bool list = false;
    for (int a = 0; a < s->n_crossed; a++)
      list = list || (s->group[a] == g && s->axis[a].kind == HK_AXIS_LIST);
    alike = list ? 0 : digit;
    while (alike < digit && !same_entry(s, g, alike, digit)) alike++;
    first += alike * unit;
    unit *= s->group_count[g];
    rest /= s->group_count[g];
  }
  return first;
}

/* ---- identity ---- */

typedef struct naming {
  void (*line)(void *context, const char *text);
  void *context;
} naming;

static void model_line(void *context, const char *text) {
  const naming *n = context;
  size_t size = strlen(text) + 16;
  char *line = malloc(size);
  if (!line) return;
  snprintf(line, size, "model %s", text);
  n->line(n->context, line);
  free(line);
}

static void say(const naming *n, const char *what, const char *key, const char *value) {
  size_t size = strlen(what) + strlen(key) + strlen(value) + 8;
  char *line = malloc(size);
  if (!line) return;
  snprintf(line, size, "%s%s%s: %s", what, *key ? " " : "", key, value);
  n->line(n->context, line);
  free(line);
}

void hk_plan_lines(const hk_plan *p, void (*line)(void *context, const char *text), void *context) {
  const hk_study *s = p->study;
  naming n = {line, context};
  char text[64];
  say(&n, "version", "", hk_version());
  say(&n, "rule", "", p->rule);
  for (int i = 0; i < s->n_axes; i++) {
    say(&n, i < s->n_crossed ? "axis" : "sampled", s->axis[i].path, s->axis[i].source);
    if (i >= s->n_crossed) continue;
    snprintf(text, sizeof text, "%d", s->group[i] + 1);
    say(&n, "group", s->axis[i].path, text);
  }
  for (int i = 0; i < s->n_correlations; i++) {
    hk_number_print(text, sizeof text, "%.17g", s->correlation[i].value);
    say(&n, "correlation", s->correlation[i].a, s->correlation[i].b);
    say(&n, "correlation of", s->correlation[i].b, text);
  }
  for (int i = 0; i < s->n_measures; i++)
    say(&n, "measure", s->measure[i].name, s->measure[i].unit);
  say(&n, "store", "", s->store ? s->store : "");
  for (int i = 0; i < s->n_set; i++) say(&n, "set", s->set[i].path, s->set[i].value);
  hk_model_source_lines(s->source, model_line, &n);
}

static void hash_line(void *context, const char *text) { hk_sha256_add_text(context, text); }

hk_status hk_plan_open(hk_plan *p, hk_error *err) {
  unsigned char all[32];
  hk_sha256 h;
  if (p->n < 1) return hk_fail(err, HK_EINPUT, "the study has no variants");
  hk_sha256_begin(&h);
  hk_plan_lines(p, hash_line, &h);
  hk_sha256_end(&h, all);
  memcpy(p->identity, all, sizeof p->identity);
  hk_sha256_begin(&p->base);
  hk_sha256_add_text(&p->base, hk_version());
  hk_model_source_lines(p->study->source, hash_line, &p->base);
  const hk_steady *steady = &p->study->steady;
  const char *const how[] = {steady->period, steady->turn, steady->from, steady->tolerance,
                             steady->symmetry};
  for (int i = 0; i < 5 && steady->used; i++) hk_sha256_add_text(&p->base, how[i] ? how[i] : "-");
  hk_sha256_add_text(&p->base, "");
  return HK_OK;
}

/* ---- one variant ---- */

hk_status hk_variant_init(hk_variant *v, const hk_study *s, hk_error *err) {
  size_t n = (size_t)s->n_axes + 1;
  *v = (hk_variant){.n_set = s->n_set + s->n_axes};
  v->entry = calloc(n, sizeof *v->entry);
  v->value = calloc(n, sizeof *v->value);
  v->set = calloc(n + (size_t)s->n_set, sizeof *v->set);
  v->text = calloc(n, HK_AXIS_TEXT);
  if (!v->entry || !v->value || !v->set || !v->text) {
    hk_variant_free(v);
    return hk_fail(err, HK_ENOMEM, "out of memory");
  }
  if (s->n_set) memcpy(v->set, s->set, (size_t)s->n_set * sizeof *v->set);
  for (int i = 0; i < s->n_axes; i++)
    v->set[s->n_set + i] =
        (hk_override){s->axis[i].path, v->text + (size_t)i * (size_t)HK_AXIS_TEXT};
  return HK_OK;
}

void hk_variant_free(hk_variant *v) {
  free(v->entry);
  free(v->value);
  free(v->set);
  free(v->text);
  *v = (hk_variant){0};
}

void hk_variant_make(hk_variant *v, const hk_plan *p, int64_t number) {
  const hk_study *s = p->study;
  unsigned char all[32];
  hk_sha256 h = p->base;
  v->number = number;
  p->point(p, number, v->entry, v->value);
  for (int i = 0; i < s->n_axes; i++)
    hk_axis_override(&s->axis[i], v->entry[i], v->value[i],
                     v->text + (size_t)i * (size_t)HK_AXIS_TEXT, HK_AXIS_TEXT);
  for (int i = 0; i < v->n_set; i++) {
    hk_sha256_add_text(&h, v->set[i].path);
    hk_sha256_add_text(&h, v->set[i].value);
  }
  hk_sha256_end(&h, all);
  memcpy(v->key, all, sizeof v->key);
}

/* Returns true if a variant gives a valid model; if not, `why` is the first error. */
static bool makes_model(const hk_plan *p, hk_variant *v, int64_t number, char *why, size_t size) {
  hk_diag diag;
  hk_diag_init(&diag);
  hk_variant_make(v, p, number);
  hk_spec *spec = hk_model_source_read(p->study->source, v->set, v->n_set, &diag);
  for (int i = 0; i < diag.n && !spec; i++) {
    if (diag.message[i].severity != HK_ERROR) continue;
    hk_diag_format(&diag.message[i], why, size);
    break;
  }
  hk_spec_destroy(spec);
  hk_diag_free(&diag);
  return spec != NULL;
}

int64_t hk_spread_number(int i, int64_t n) {
  double x = 0, bit = 0.5;
  if (n <= HK_PLAN_MOST_TRIES) return i;
  if (i < 2) return i * (n - 1);
  for (int k = i - 1; k > 0; k /= 2, bit /= 2) x += bit * (k % 2);
  return (int64_t)(x * (double)n);
}

hk_status hk_plan_check(const hk_plan *p, hk_diag *diag) {
  const int tries = p->n < HK_PLAN_MOST_TRIES ? (int)p->n : HK_PLAN_MOST_TRIES;
  char why[1500] = "out of memory";
  hk_variant v;
  if (hk_variant_init(&v, p->study, NULL)) {
    diag->out_of_memory = true;
    return HK_ENOMEM;
  }
  bool good = false;
  /* the order is reversed, so that `why` finally contains the reason of the first failure */
  for (int i = tries; i-- > 0 && !good;)
    good = makes_model(p, &v, hk_spread_number(i, p->n), why, sizeof why);
  hk_variant_free(&v);
  if (good) return HK_OK;
  return hk_diag_add(
      diag, HK_ERROR, &(hk_location){.file = p->study->file},
      "none of %d variants spread over the study gives a valid model; reason of the first: %s",
      tries, why);
}

void hk_plan_si(const hk_study *s, const double *axis_value, const double *measure, double *out) {
  for (int i = 0; i < s->n_axes; i++) out[i] = hk_axis_si(&s->axis[i], axis_value[i]);
  for (int i = 0; i < s->n_measures; i++) out[s->n_axes + i] = measure[i];
}
