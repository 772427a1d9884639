/* The study file -> a study: see study.h and docs/studies.md. */
#include "base/number.h"
#include "read/doc.h"
#include "spec/type.h"
#include "study/study.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
  hk_study *s;
  hk_diag *diag;
} reader;

static void fail(reader *r, const hk_location *place, const char *text) {
  hk_diag_add(r->diag, HK_ERROR, place, "%s", text);
}

static bool no_memory(reader *r) {
  r->diag->out_of_memory = true;
  hk_diag_add(r->diag, HK_ERROR, NULL, "out of memory");
  return false;
}

static bool is(reader *r, const hk_doc *d, hk_doc_kind kind, const char *what) {
  if (d->kind == kind && (kind != HK_DOC_SCALAR || *d->text)) return true;
  hk_diag_add(r->diag, HK_ERROR, &d->place, "'%s' must be %s", d->key ? d->key : "the study", what);
  return false;
}

static void check_keys(reader *r, const hk_doc *map, const char *const *keys, int n,
                       const char *where) {
  for (const hk_doc *c = map->first; c; c = c->next) {
    bool known = false;
    for (int i = 0; i < n; i++) known = known || strcmp(c->key, keys[i]) == 0;
    if (known) continue;
    const char *near = hk_nearest_name(c->key, keys, n);
    hk_diag_add(r->diag, HK_ERROR, &c->key_place, "unknown key '%s' in %s%s%s%s", c->key, where,
                near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  }
}

static hk_location keep_place(reader *r, hk_location p) {
  p.file = r->s->file;
  return p;
}

/* ---- parts ---- */

static void read_model_path(reader *r, const hk_doc *d) {
  hk_study *s = r->s;
  if (!is(r, d, HK_DOC_SCALAR, "the name of a model file")) return;
  const char *slash = strrchr(s->file, '/');
  s->model_path =
      d->text[0] == '/' || !slash
          ? hk_arena_strdup(&s->arena, d->text)
          : hk_arena_printf(&s->arena, "%.*s/%s", (int)(slash - s->file), s->file, d->text);
  if (!s->model_path) no_memory(r);
}

static void read_set(reader *r, const hk_doc *d) {
  hk_study *s = r->s;
  if (!is(r, d, HK_DOC_MAP, "a map from paths to values, such as {mu: 0.05}")) return;
  s->set = HK_NEW_ARRAY(&s->arena, hk_override, d->n + 1);
  s->set_place = HK_NEW_ARRAY(&s->arena, hk_location, d->n + 1);
  if (!s->set || !s->set_place) {
    no_memory(r);
    return;
  }
  for (const hk_doc *c = d->first; c; c = c->next) {
    if (!is(r, c, HK_DOC_SCALAR, "a value; put lists in quotes")) continue;
    s->set[s->n_set] =
        (hk_override){hk_arena_strdup(&s->arena, c->key), hk_arena_strdup(&s->arena, c->text)};
    if (!s->set[s->n_set].path || !s->set[s->n_set].value) no_memory(r);
    s->set_place[s->n_set++] = keep_place(r, c->key_place);
  }
}

static void read_axis(reader *r, const hk_doc *d, bool sampled, hk_axis *a) {
  hk_study *s = r->s;
  hk_error err = {0};
  hk_status status = HK_OK;
  if (d->kind == HK_DOC_MAP) {
    is(r, d, HK_DOC_SCALAR, "a list, a range such as 0..0.1:11 or a distribution");
    return;
  }
  if (d->kind == HK_DOC_LIST) {
    const char **text = HK_NEW_ARRAY(&s->arena, const char *, d->n + 1);
    int n = 0;
    if (!text) {
      no_memory(r);
      return;
    }
    for (const hk_doc *c = d->first; c; c = c->next) {
      if (c->kind != HK_DOC_SCALAR) {
        fail(r, &c->place, "a value of an axis must be a text; put lists in quotes");
        return;
      }
      text[n++] = c->text;
    }
    status = hk_axis_read_list(&s->arena, d->key, text, n, a, &err);
  } else {
    status = hk_axis_read(&s->arena, d->key, d->text, 0, a, &err);
  }
  a->place = keep_place(r, d->key_place);
  if (status) {
    fail(r, &d->place, err.text);
  } else if (!sampled && a->kind == HK_AXIS_RANDOM) {
    hk_diag_add(r->diag, HK_ERROR, &d->place,
                "%s: a distribution belongs to 'samples: {of: ...}', an axis has a list or a range",
                d->key);
  }
}

/* Reads zip: [[a, b], [c, d]]; each axis that is in no group forms its own group. */
static void read_zip(reader *r, const hk_doc *d) {
  hk_study *s = r->s;
  if (!is(r, d, HK_DOC_LIST, "a list of lists of axes that vary together, such as [[a, b]]"))
    return;
  for (const hk_doc *g = d->first; g; g = g->next) {
    int first = -1;
    if (g->kind != HK_DOC_LIST || g->n < 2) {
      fail(r, &g->place, "a group of 'zip' is a list of two or more axes: [[a, b]]");
      return;
    }
    for (const hk_doc *c = g->first; c; c = c->next) {
      int k = -1;
      const char *names[HK_STUDY_MAX_AXES];
      for (int i = 0; i < s->n_crossed; i++) {
        names[i] = s->axis[i].path;
        if (c->kind == HK_DOC_SCALAR && strcmp(c->text, s->axis[i].path) == 0) k = i;
      }
      if (k < 0) {
        const char *near =
            c->kind == HK_DOC_SCALAR ? hk_nearest_name(c->text, names, s->n_crossed) : NULL;
        hk_diag_add(r->diag, HK_ERROR, &c->place, "'zip' contains an unknown axis%s%s%s",
                    near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
      } else if (first < 0) {
        first = k;
      } else if (s->group[k] != k) {
        hk_diag_add(r->diag, HK_ERROR, &c->place, "the axis '%s' is in two groups", c->text);
      } else if (s->axis[k].n != s->axis[first].n) {
        hk_diag_add(
            r->diag, HK_ERROR, &c->place,
            "axes that vary together need the same number of values: '%s' has %lld and '%s' %lld",
            s->axis[first].path, (long long)s->axis[first].n, s->axis[k].path,
            (long long)s->axis[k].n);
      } else {
        s->group[k] = s->group[first];
      }
    }
  }
}

/* Replaces group[i], at first the number of its first axis, by the number of the group. */
static void number_groups(hk_study *s) {
  for (int i = 0; i < s->n_crossed; i++) {
    if (s->group[i] == i) {
      s->group_count[s->n_groups] = s->axis[i].n;
      s->group[i] = s->n_groups++;
    } else {
      s->group[i] = s->group[s->group[i]];
    }
  }
}

static bool read_whole(reader *r, const hk_doc *d, double least, double most, double *out) {
  char *end;
  if (!is(r, d, HK_DOC_SCALAR, "a whole number")) return false;
  *out = hk_number_read(d->text, &end);
  if (end != d->text && !*end && *out >= least && *out <= most && *out == floor(*out)) return true;
  hk_diag_add(r->diag, HK_ERROR, &d->place, "'%s' must be an integer from %.0f to %.0f", d->key,
              least, most);
  return false;
}

/* A Latin hypercube that can be enlarged has base, 2 base, 4 base, ... samples. */
static void read_base(reader *r, const hk_doc *d, int64_t base) {
  hk_sample *s = &r->s->sample;
  int64_t n = base;
  if (s->method != HK_SAMPLE_LATIN) {
    fail(r, &d->place,
         "'base' can be used only with latin_hypercube; with the other methods 'count' can be "
         "increased without it");
    return;
  }
  while (n < s->n) n *= 2;
  if (n != s->n) fail(r, &d->place, "'count' must be 'base' or 2, 4, 8, ... times it");
  s->base = base;
}

/* Reads [[a, b, 0.7], ...]: the correlation of the normal variables from which the samples of a and b are made. */
static void read_correlations(reader *r, const hk_doc *d) {
  hk_study *s = r->s;
  if (!is(r, d, HK_DOC_LIST, "a list such as [[a, b, 0.7]]")) return;
  s->correlation = HK_NEW_ARRAY(&s->arena, hk_correlation, d->n + 1);
  if (!s->correlation) {
    no_memory(r);
    return;
  }
  for (const hk_doc *c = d->first; c; c = c->next) {
    const hk_doc *a = c->kind == HK_DOC_LIST && c->n == 3 ? c->first : NULL,
                 *b = a ? a->next : NULL, *x = b ? b->next : NULL;
    char *end = NULL;
    double value = x && x->kind == HK_DOC_SCALAR ? hk_number_read(x->text, &end) : NAN;
    if (!a || a->kind != HK_DOC_SCALAR || b->kind != HK_DOC_SCALAR || !end || end == x->text ||
        *end || !(fabs(value) < 1)) {
      fail(r, &c->place, "a correlation must be written as [path, path, number between -1 and 1]");
      continue;
    }
    s->correlation[s->n_correlations++] =
        (hk_correlation){hk_arena_strdup(&s->arena, a->text), hk_arena_strdup(&s->arena, b->text),
                         value, keep_place(r, c->place)};
  }
}

static void read_samples(reader *r, const hk_doc *d) {
  static const char *const keys[] = {"method", "count", "base", "seed", "of", "correlations"};
  hk_study *s = r->s;
  double v;
  if (!is(r, d, HK_DOC_MAP, "a map such as {method: sobol, count: 256, of: {mu: ...}}")) return;
  check_keys(r, d, keys, 6, "'samples'");
  const hk_doc *method = hk_doc_find(d, "method"), *count = hk_doc_find(d, "count"),
               *seed = hk_doc_find(d, "seed"), *of = hk_doc_find(d, "of");
  s->sample = (hk_sample){.method = HK_SAMPLE_SOBOL, .seed = 1, .n = 1};
  if (method && is(r, method, HK_DOC_SCALAR, "random, latin_hypercube or sobol") &&
      !hk_sample_method_find(method->text, &s->sample.method))
    fail(r, &method->place, "'method' is random, latin_hypercube or sobol");
  if (!count)
    fail(r, &d->key_place, "'samples' needs a count");
  else if (read_whole(r, count, 1, 1e15, &v))
    s->sample.n = (int64_t)v;
  if (seed && read_whole(r, seed, 0, 9e15, &v)) s->sample.seed = (uint64_t)v;
  const hk_doc *base = hk_doc_find(d, "base");
  if (base && read_whole(r, base, 2, 1e9, &v)) read_base(r, base, (int64_t)v);
  if (!of || !is(r, of, HK_DOC_MAP, "a map from paths to distributions") || !of->n) {
    if (!of || !of->n)
      fail(r, &d->key_place, "'samples' needs 'of': a map from paths to distributions");
    return;
  }
  for (const hk_doc *c = of->first; c; c = c->next)
    if (s->n_axes < HK_STUDY_MAX_AXES) read_axis(r, c, true, &s->axis[s->n_axes++]);
  const hk_doc *together = hk_doc_find(d, "correlations");
  if (together) read_correlations(r, together);
}

static void read_keep(reader *r, const hk_doc *d) {
  hk_study *s = r->s;
  if (!is(r, d, HK_DOC_LIST, "a list of measures of the model")) return;
  s->keep = HK_NEW_ARRAY(&s->arena, const char *, d->n + 1);
  s->keep_place = HK_NEW_ARRAY(&s->arena, hk_location, d->n + 1);
  if (!s->keep || !s->keep_place) {
    no_memory(r);
    return;
  }
  for (const hk_doc *c = d->first; c; c = c->next) {
    if (c->kind != HK_DOC_SCALAR) {
      fail(r, &c->place, "the name of a measure must be a text");
      continue;
    }
    s->keep[s->n_keep] = hk_arena_strdup(&s->arena, c->text);
    s->keep_place[s->n_keep++] = keep_place(r, c->place);
  }
}

static void read_goal(reader *r, const hk_doc *c) {
  static const char *const sense[] = {"minimize", "maximize"};
  hk_study *s = r->s;
  const hk_doc *word = c->kind == HK_DOC_MAP && c->n == 1 ? c->first : c;
  const char *text = c->kind == HK_DOC_MAP && word != c ? word->key : c->text;
  hk_goal g = {.name = hk_arena_strdup(&s->arena, c->key), .place = keep_place(r, c->key_place)};
  for (int k = 0; k < 2; k++)
    if (text && strcmp(text, sense[k]) == 0) {
      g.sense = (hk_goal_sense)k;
      g.text = hk_arena_strdup(&s->arena, word == c ? c->key : word->text ? word->text : "");
    }
  if (!g.text)
    hk_diag_add(r->diag, HK_ERROR, &c->place,
                "a goal must be written as 'measure: minimize', 'measure: maximize' or 'name: "
                "{minimize: expression}'");
  else if (s->n_goals == HK_STUDY_MAX_GOALS)
    hk_diag_add(r->diag, HK_ERROR, &c->place, "a study has at most %d goals", HK_STUDY_MAX_GOALS);
  else
    s->goal[s->n_goals++] = g;
}

static void read_constraints(reader *r, const hk_doc *d) {
  if (!is(r, d, HK_DOC_LIST, "a list of conditions such as 'pressure_max <= 3 GPa'")) return;
  for (const hk_doc *c = d->first; c; c = c->next) {
    hk_error err = {0};
    hk_location place = keep_place(r, c->place);
    hk_status status =
        hk_study_add_constraint(r->s, c->kind == HK_DOC_SCALAR ? c->text : "", &place, &err);
    if (status == HK_ENOMEM)
      no_memory(r);
    else if (status)
      fail(r, &c->place, err.text);
  }
}

/* A larger limit of memory has no effect, and does not fit the system's numbers. */
static const double MOST_BYTES = 1e18;

static bool read_amount(reader *r, const hk_doc *d, const char *unit, double *out) {
  hk_axis a;
  hk_error err = {0};
  if (!is(r, d, HK_DOC_SCALAR, "a quantity")) return false;
  /* Reads a number of bytes, which is not a physical unit. */
  char *end;
  *out = hk_number_read(d->text, &end);
  const char *rest = end + strspn(end, " ");
  if (strcmp(unit, "B") == 0) {
    static const char *const name[] = {"B", "kB", "MB", "GB"};
    for (int k = 0; k < 4; k++)
      if (end != d->text && *out > 0 && strcmp(rest, name[k]) == 0) {
        *out *= pow(1000, k);
        if (*out >= 1 && *out <= MOST_BYTES) return true;
      }
    fail(r, &d->place, "'memory' must be an amount such as 500 MB or 2 GB");
    return false;
  }
  if (hk_axis_read(&r->s->arena, d->key, d->text, 0, &a, &err) || a.kind != HK_AXIS_LIST ||
      a.words) {
    hk_diag_add(r->diag, HK_ERROR, &d->place, "'%s' must be a time such as 60 s", d->key);
    return false;
  }
  hk_unit wanted;
  hk_unit_parse(unit, strlen(unit), &wanted, NULL);
  *out = hk_axis_si(&a, a.value[0]);
  if (hk_dim_equal(a.scale.dim, wanted.dim) && *out > 0) return true;
  hk_diag_add(r->diag, HK_ERROR, &d->place, "'%s' must be a time such as 60 s", d->key);
  return false;
}

static void read_limits(reader *r, const hk_doc *d) {
  static const char *const keys[] = {"time", "memory"};
  double v;
  if (!is(r, d, HK_DOC_MAP, "a map such as {time: 60 s, memory: 2 GB}")) return;
  check_keys(r, d, keys, 2, "'limits'");
  const hk_doc *time = hk_doc_find(d, "time"), *memory = hk_doc_find(d, "memory");
  if (time && read_amount(r, time, "s", &v)) r->s->time_limit = v;
  if (memory && read_amount(r, memory, "B", &v)) r->s->memory_limit = (int64_t)v;
}

/* Reads `analysis: periodic` and the keys that belong to it. */
static void read_steady(reader *r, const hk_doc *root) {
  hk_steady *y = &r->s->steady;
  const struct {
    const char *key, **to;
  } part[] = {{"period", &y->period},
              {"turn", &y->turn},
              {"from", &y->from},
              {"tolerance", &y->tolerance},
              {"symmetry", &y->symmetry}};
  const hk_doc *d = hk_doc_find(root, "analysis");
  if (d && is(r, d, HK_DOC_SCALAR, "periodic (without it variants are runs)")) {
    y->used = strcmp(d->text, "periodic") == 0;
    r->s->steady_place = keep_place(r, d->place);
    if (!y->used) fail(r, &d->place, "'analysis' must be periodic; without it variants are runs");
  }
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
    const hk_doc *c = hk_doc_find(root, part[i].key);
    if (!c || !is(r, c, HK_DOC_SCALAR, "a quantity or a name")) continue;
    if (!d)
      hk_diag_add(r->diag, HK_ERROR, &c->key_place, "'%s' belongs to 'analysis: periodic'",
                  part[i].key);
    else if (!(*part[i].to = hk_arena_strdup(&r->s->arena, c->text)))
      no_memory(r);
  }
}

/* ---- the whole ---- */

static void read_parts(reader *r, const hk_doc *root) {
  hk_study *s = r->s;
  const hk_doc *axes = hk_doc_find(root, "axes"), *d;
  if ((d = hk_doc_find(root, "title")) && is(r, d, HK_DOC_SCALAR, "a text"))
    s->title = hk_arena_strdup(&s->arena, d->text);
  if ((d = hk_doc_find(root, "model")))
    read_model_path(r, d);
  else
    fail(r, &root->place, "a study needs the name of its model: 'model: joint.yaml'");
  if ((d = hk_doc_find(root, "set"))) read_set(r, d);
  if (axes && is(r, axes, HK_DOC_MAP, "a map from paths to values")) {
    for (const hk_doc *c = axes->first; c; c = c->next)
      if (s->n_axes < HK_STUDY_MAX_AXES) read_axis(r, c, false, &s->axis[s->n_axes++]);
  }
  s->n_crossed = s->n_axes;
  for (int i = 0; i < s->n_crossed; i++) s->group[i] = i;
  if ((d = hk_doc_find(root, "zip"))) read_zip(r, d);
  number_groups(s);
  if ((d = hk_doc_find(root, "samples"))) read_samples(r, d);
  if (!s->n_axes && r->diag->n_errors == 0)
    fail(r, &root->place, "the study has no variables: add 'axes' or 'samples'");
  if ((d = hk_doc_find(root, "measures"))) read_keep(r, d);
  if ((d = hk_doc_find(root, "store")) &&
      is(r, d, HK_DOC_SCALAR, "a regular expression of channels")) {
    s->store = hk_arena_strdup(&s->arena, d->text);
    s->store_place = keep_place(r, d->place);
  }
  if ((d = hk_doc_find(root, "goals")) &&
      is(r, d, HK_DOC_MAP, "a map such as {power_loss: minimize}"))
    for (const hk_doc *c = d->first; c; c = c->next) read_goal(r, c);
  if ((d = hk_doc_find(root, "constraints"))) read_constraints(r, d);
  if ((d = hk_doc_find(root, "limits"))) read_limits(r, d);
  read_steady(r, root);
}

static hk_study *create(const char *file) {
  hk_study *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  hk_arena_init(&s->arena);
  s->sample = (hk_sample){.n = 1};
  s->file = hk_arena_strdup(&s->arena, file);
  s->title = "";
  s->axis = HK_NEW_ARRAY(&s->arena, hk_axis, HK_STUDY_MAX_AXES);
  s->group = HK_NEW_ARRAY(&s->arena, int, HK_STUDY_MAX_AXES);
  s->group_count = HK_NEW_ARRAY(&s->arena, int64_t, HK_STUDY_MAX_AXES);
  if (s->file && s->axis && s->group && s->group_count) return s;
  hk_study_destroy(s);
  return NULL;
}

hk_study *hk_study_read(const char *path, hk_diag *diag) {
  static const char *const keys[] = {"format", "title",     "model",    "set",    "axes",
                                     "zip",    "samples",   "measures", "store",  "constraints",
                                     "goals",  "limits",    "analysis", "period", "turn",
                                     "from",   "tolerance", "symmetry"};
  hk_arena text;
  hk_arena_init(&text);
  int before = diag->n_errors;
  reader r = {.s = create(path), .diag = diag};
  if (!r.s) {
    no_memory(&r);
    return NULL;
  }
  hk_doc *root = hk_doc_read_file(&text, path, diag);
  if (root && root->kind != HK_DOC_MAP)
    fail(&r, &root->place, "a study file is a map that begins with 'format: 1'");
  else if (root && hk_doc_find(root, "bodies") && !hk_doc_find(root, "model"))
    fail(&r, &root->place,
         "this file is a model, not a study; a study contains the name of its model: 'model: "
         "joint.yaml'");
  else if (root) {
    const hk_doc *format = hk_doc_find(root, "format");
    check_keys(&r, root, keys, (int)(sizeof keys / sizeof *keys), "the study file");
    if (!format || format->kind != HK_DOC_SCALAR || strcmp(format->text, "1") != 0)
      fail(&r, format ? &format->place : &root->place, "the study file must contain 'format: 1'");
    read_parts(&r, root);
  }
  hk_arena_free(&text);
  if (root && diag->n_errors == before && !diag->out_of_memory) return r.s;
  hk_study_destroy(r.s);
  return NULL;
}

hk_study *hk_study_create(const char *model_path, const hk_override *set, int n_set) {
  hk_study *s = create(model_path);
  if (!s) return NULL;
  s->model_path = s->file;
  s->set = HK_NEW_ARRAY(&s->arena, hk_override, n_set + 1);
  s->set_place = HK_NEW_ARRAY(&s->arena, hk_location, n_set + 1);
  bool good = s->set && s->set_place;
  for (int i = 0; good && i < n_set; i++) {
    s->set[s->n_set++] = (hk_override){hk_arena_strdup(&s->arena, set[i].path),
                                       hk_arena_strdup(&s->arena, set[i].value)};
    good = s->set[i].path && s->set[i].value;
  }
  if (good) return s;
  hk_study_destroy(s);
  return NULL;
}

hk_status hk_study_add_axis(hk_study *s, const char *path, const char *text, int default_count,
                            hk_error *err) {
  if (s->n_axes == HK_STUDY_MAX_AXES) return hk_fail(err, HK_EINPUT, "too many axes");
  hk_axis *a = &s->axis[s->n_axes];
  hk_status status = hk_axis_read(&s->arena, path, text, default_count, a, err);
  if (status) return status;
  a->place.file = hk_arena_printf(&s->arena, "--over %s=%s", path, text);
  if (!a->place.file) return hk_fail(err, HK_ENOMEM, "out of memory");
  if (a->kind == HK_AXIS_RANDOM)
    return hk_fail(
        err, HK_EINPUT,
        "%s: a distribution needs a study file with 'samples' (see `hooke study --help`)", path);
  for (int i = 0; i < s->n_axes; i++)
    if (strcmp(s->axis[i].path, path) == 0)
      return hk_fail(err, HK_EINPUT, "the axis '%s' is given twice", path);
  s->group[s->n_axes] = s->n_groups;
  s->group_count[s->n_groups++] = a->n;
  s->n_crossed = ++s->n_axes;
  return HK_OK;
}

void hk_study_destroy(hk_study *s) {
  if (!s) return;
  hk_model_destroy(s->base);
  hk_model_source_close(s->source);
  hk_arena_free(&s->arena);
  free(s);
}

double hk_study_count(const hk_study *s) {
  double n = (double)s->sample.n;
  for (int g = 0; g < s->n_groups; g++) n *= (double)s->group_count[g];
  return n;
}
