/* See type_help.h. */
#include "reference/type_help.h"
#include "spec/renamed.h"
#include <float.h>
#include <math.h>
#include <string.h>

const char *hk_param_kind_name(hk_param_kind kind) {
  static const char *const name[] = {[HK_PARAM_REAL] = "number",
                                     [HK_PARAM_INT] = "whole number",
                                     [HK_PARAM_BOOL] = "true or false",
                                     [HK_PARAM_ENUM] = "choice",
                                     [HK_PARAM_STRING] = "text",
                                     [HK_PARAM_VEC3] = "list of 3",
                                     [HK_PARAM_DIRECTION] = "direction",
                                     [HK_PARAM_ROTATION] = "rotation",
                                     [HK_PARAM_INERTIA] = "3 or 6 moments",
                                     [HK_PARAM_REALS] = "list",
                                     [HK_PARAM_FRAME] = "frame",
                                     [HK_PARAM_JOINT] = "joint",
                                     [HK_PARAM_LAW] = "law",
                                     [HK_PARAM_COORDINATE] = "coordinate",
                                     [HK_PARAM_CHANNEL] = "channel",
                                     [HK_PARAM_EXPR] = "expression",
                                     [HK_PARAM_EXPR3] = "3 expressions",
                                     [HK_PARAM_TERMS] = "coordinates with factors",
                                     [HK_PARAM_STEPPER] = "stepper",
                                     [HK_PARAM_POINTS] = "list of points"};
  return (unsigned)kind < sizeof name / sizeof *name ? name[kind] : "?";
}

static const char *unit_of(const hk_param *p) {
  return p->unit && strcmp(p->unit, "1") != 0 ? p->unit : "";
}

/* A unit before a number is written as one word: `N*m`, not `N m`. */
static void number_text(const hk_param *p, double v, char *buf, size_t size) {
  int n = snprintf(buf, size, "%.10g%s%s", v, v != 0 && *unit_of(p) ? " " : "",
                   v != 0 ? unit_of(p) : "");
  char *space = n > 0 ? strchr(buf, ' ') : NULL;
  for (char *c = space ? space + 1 : NULL; c && *c; c++)
    if (*c == ' ') *c = '*';
}

static void list_text(const hk_param *p, const double *v, int n, char *buf, size_t size) {
  size_t used = 0;
  for (int i = 0; i < n && used < size; i++) {
    char one[80];
    number_text(p, v[i], one, sizeof one);
    used += (size_t)snprintf(buf + used, size - used, "%s%s", i ? ", " : "[", one);
  }
  if (used < size) snprintf(buf + used, size - used, "]");
}

static bool outside(const hk_param *p, double v) {
  if (p->flags & HK_POSITIVE) return v <= 0;
  return (p->min != 0 || p->max != 0) && (v < p->min || v > p->max);
}

bool hk_param_default(const hk_type *type, const hk_param *p, char *buf, size_t size) {
  if (!type->defaults || p->flags & HK_REQUIRED) return false;
  const void *field = (const char *)type->defaults + p->offset;
  const double *v = field;
  const char *text;
  switch (p->kind) {
    case HK_PARAM_REAL:
      if (!isfinite(*v) || outside(p, *v)) return false; /* represents "not given" */
      number_text(p, *v, buf, size);
      return true;
    case HK_PARAM_INT:
      snprintf(buf, size, "%d", *(const int *)field);
      return true;
    case HK_PARAM_BOOL:
      snprintf(buf, size, "%s", *(const bool *)field ? "true" : "false");
      return true;
    case HK_PARAM_ENUM:
      snprintf(buf, size, "%s", p->choices[*(const int *)field]);
      return true;
    case HK_PARAM_VEC3:
    case HK_PARAM_DIRECTION:
      list_text(p, v, 3, buf, size);
      return true;
    case HK_PARAM_ROTATION:
      if (v[0] == 1) return false; /* no rotation */
      snprintf(buf, size, "{quaternion: [%g, %g, %g, %g]}", v[0], v[1], v[2], v[3]);
      return true;
    case HK_PARAM_STRING:
    case HK_PARAM_FRAME:
    case HK_PARAM_JOINT:
    case HK_PARAM_LAW:
    case HK_PARAM_COORDINATE:
    case HK_PARAM_CHANNEL:
    case HK_PARAM_STEPPER:
      text = *(const char *const *)field;
      if (!text) return false;
      snprintf(buf, size, "%s", text);
      return true;
    default:
      return false;
  }
}

const char *hk_param_choice(const hk_registry *types, const hk_param *p, int i) {
  if (p->kind == HK_PARAM_ENUM) return p->choices[i];
  if (p->kind != HK_PARAM_STEPPER) return NULL;
  const hk_type *type = hk_registry_at(types, HK_STEPPER, i - 1);
  return i == 0 ? "auto" : type ? type->name : NULL;
}

void hk_param_choices_json(FILE *out, const hk_registry *types, const hk_param *p) {
  fputc('[', out);
  for (int i = 0; hk_param_choice(types, p, i); i++) {
    if (i) fprintf(out, ", ");
    hk_json_string(out, hk_param_choice(types, p, i));
  }
  fputc(']', out);
}

const char *hk_param_range(const hk_param *p, char *buf, size_t size) {
  bool above = p->min > -DBL_MAX, below = p->max < DBL_MAX;
  *buf = '\0';
  if (p->flags & HK_POSITIVE) {
    snprintf(buf, size, "> 0");
  } else if (p->min == 0 && p->max == 0) {
    return buf;
  } else if (above && below) {
    snprintf(buf, size, "%g ... %g", p->min, p->max);
  } else if (above) {
    snprintf(buf, size, ">= %g", p->min);
  } else if (below) {
    snprintf(buf, size, "<= %g", p->max);
  }
  return buf;
}

void hk_json_string(FILE *out, const char *text) {
  fputc('"', out);
  for (const unsigned char *c = (const unsigned char *)(text ? text : ""); *c; c++) {
    if (*c == '"' || *c == '\\') {
      fprintf(out, "\\%c", *c);
    } else if (*c < 0x20) {
      fprintf(out, "\\u%04x", *c);
    } else {
      fputc(*c, out);
    }
  }
  fputc('"', out);
}

/* --- Text ------------------------------------------------------------------------------------ */

/* Prints `text` wrapped at 100 columns, all lines after the first indented. */
static void wrap(FILE *out, const char *text, int column, int indent) {
  if (!text) text = "";
  for (const char *word = text; *word;) {
    size_t n = strcspn(word, " ");
    if (column + 1 + (int)n > 100 && column > indent) {
      fprintf(out, "\n%*s", indent, "");
      column = indent;
    }
    fprintf(out, "%s%.*s", word == text || column == indent ? "" : " ", (int)n, word);
    column += (int)n + (column > indent);
    word += n;
    while (*word == ' ') word++;
  }
  fputc('\n', out);
}

static void print_list(FILE *out, const hk_registry *types) {
  for (int c = 0; c < HK_N_CATEGORIES; c++) {
    int n = hk_registry_count(types, (hk_category)c);
    if (!n) continue;
    const char *standard = hk_category_default_type((hk_category)c);
    fprintf(out, "%s%s:\n", c ? "\n" : "", hk_category_section((hk_category)c));
    for (int i = 0; i < n; i++) {
      const hk_type *type = hk_registry_at(types, (hk_category)c, i);
      bool is_standard = standard && strcmp(standard, type->name) == 0;
      int width = fprintf(out, "  %-18s ", type->name);
      char doc[1000];
      snprintf(doc, sizeof doc, "%s%s", type->doc ? type->doc : "",
               is_standard && n > 1 ? " (if no type is named)" : "");
      wrap(out, doc, width, 21);
    }
  }
  fprintf(out, "\n`hooke types NAME` shows the parameters and channels of a type.\n");
}

/* The name of a parameter in its group: "teeth" for teeth_a. */
static int short_length(const hk_group *group, const hk_param *p) {
  return (int)(strlen(p->name) - (group ? strlen(group->suffix) : 0));
}

static void print_param(FILE *out, const hk_registry *types, const hk_type *type,
                        const hk_param *p) {
  const hk_group *group = hk_type_group(type, p);
  char text[400], range[80];
  fprintf(out, "%s%.*s", group ? "    " : "  ", short_length(group, p), p->name);
  fprintf(out, ": %s", hk_param_kind_name(p->kind));
  if (p->kind == HK_PARAM_REALS)
    fprintf(out, " of %s%d%s%s", p->flags & HK_UP_TO ? "up to " : "", p->count,
            p->each ? ", one per " : "", p->each ? p->each : "");
  if (*unit_of(p)) fprintf(out, " in %s", p->unit);
  if (p->angular_unit) fprintf(out, " (%s along an angle)", p->angular_unit);
  if (*hk_param_range(p, range, sizeof range)) fprintf(out, ", %s", range);
  if (p->flags & HK_REQUIRED) fprintf(out, ", required");
  if (hk_param_default(type, p, text, sizeof text)) fprintf(out, ", default %s", text);
  for (int i = 0; hk_former_key(type, p->name, i); i++)
    fprintf(out, "%s %s", i ? "," : "; formerly", hk_former_key(type, p->name, i));
  const int indent = group ? 8 : 6;
  fprintf(out, "\n%*s", indent, "");
  wrap(out, p->doc, indent, indent);
  if (hk_param_choice(types, p, 0)) {
    fprintf(out, "%*sone of:", indent, "");
    for (int i = 0; hk_param_choice(types, p, i); i++)
      fprintf(out, "%s %s", i ? "," : "", hk_param_choice(types, p, i));
    fputc('\n', out);
  }
}

/* Prints the parameters of one rank, with a heading before the first. */
typedef struct channel_printer {
  FILE *out;
  const hk_type *type;
  hk_show show;
  int n;
} channel_printer;

static void print_heading(FILE *out, const hk_type *type) {
  int n;
  const char *const *point = hk_type_points(type, &n);
  fprintf(out, "\nchannels");
  for (int i = 0; i < n; i++) fprintf(out, "%s%s", i ? ", " : " of each point, ", point[i]);
  fprintf(out, ":\n");
}

static void print_channel(void *context, const hk_quantity *q) {
  channel_printer *p = context;
  if (q->show != p->show) return;
  if (p->show == HK_SHOW_FIRST) {
    if (p->n == 0) print_heading(p->out, p->type);
    fprintf(p->out, "  %s [%s]: %s\n", q->name, q->unit, q->doc);
  } else {
    fprintf(p->out, "%s%s", p->n == 0 ? "  and " : ", ", q->name);
  }
  p->n++;
}

static void print_type_channels(FILE *out, const hk_registry *types, const hk_type *type) {
  channel_printer first = {out, type, HK_SHOW_FIRST, 0}, details = {out, type, HK_SHOW_DETAIL, 0};
  hk_type_channels(types, type, print_channel, &first);
  if (first.n) hk_type_channels(types, type, print_channel, &details);
  if (details.n) fputc('\n', out);
}

/* Prints the groups, each of which is a map. If two groups are equal, the second one is not listed again. */
static void print_groups(FILE *out, const hk_registry *types, const hk_type *type) {
  const hk_param *p;
  for (const hk_group *g = type->groups; g && g->name; g++) {
    bool alike = g > type->groups;
    for (int i = 0; alike && (p = hk_type_param(type, i)); i++) {
      char other[128];
      if (hk_type_group(type, p) != g) continue;
      snprintf(other, sizeof other, "%.*s%s", short_length(g, p), p->name, type->groups->suffix);
      alike = hk_type_param_find(type, other) >= 0;
    }
    fprintf(out, "  %s: map, %s; its keys may also be written without the map, as KEY%s\n", g->name,
            g->doc, g->suffix);
    if (alike) fprintf(out, "    the keys of %s\n", type->groups->name);
    for (int i = 0; !alike && (p = hk_type_param(type, i)); i++)
      if (hk_type_group(type, p) == g) print_param(out, types, type, p);
  }
}

static void print_type(FILE *out, const hk_registry *types, const hk_type *type) {
  fprintf(out, "%s (%s)\n  ", type->name, hk_category_name(type->category));
  wrap(out, type->doc, 2, 2);
  if (type->caution) {
    fprintf(out, "  Caution: ");
    wrap(out, type->caution, 11, 2);
  }
  if (type->source) fprintf(out, "  Source: %s\n", type->source);
  if (type->assumptions) fputs("\nassumptions:\n", out);
  for (int i = 0; type->assumptions && type->assumptions[i]; i++) {
    fputs("  - ", out);
    wrap(out, type->assumptions[i], 4, 4);
  }
  if (type->category == HK_STEPPER)
    fprintf(out, "  Selected by `analysis: {stepper: %s}`; its keys are given in the same map.\n",
            type->name);
  fprintf(out, hk_type_param(type, 0) ? "\nparameters:\n" : "\nno further parameters\n");
  const hk_param *p;
  for (int i = 0; (p = hk_type_param(type, i)); i++)
    if (!hk_type_group(type, p)) print_param(out, types, type, p);
  print_groups(out, types, type);
  print_type_channels(out, types, type);
}

/* --- JSON ------------------------------------------------------------------------------------ */

static void json_param(FILE *out, const hk_registry *types, const hk_type *type,
                       const hk_param *p) {
  char text[400], range[80];
  fprintf(out, "{\"name\": ");
  hk_json_string(out, p->name);
  fprintf(out, ", \"kind\": ");
  hk_json_string(out, hk_param_kind_name(p->kind));
  if (p->unit) fprintf(out, ", \"unit\": "), hk_json_string(out, p->unit);
  if (p->angular_unit) fprintf(out, ", \"angular_unit\": "), hk_json_string(out, p->angular_unit);
  if (p->count) fprintf(out, ", \"count\": %d", p->count);
  if (p->each) fprintf(out, ", \"each\": "), hk_json_string(out, p->each);
  const hk_group *group = hk_type_group(type, p);
  if (group) fprintf(out, ", \"group\": "), hk_json_string(out, group->name);
  for (int i = 0; hk_former_key(type, p->name, i); i++) {
    fprintf(out, i ? ", " : ", \"formerly\": [");
    hk_json_string(out, hk_former_key(type, p->name, i));
  }
  if (hk_former_key(type, p->name, 0)) fputc(']', out);
  fprintf(out, ", \"required\": %s", p->flags & HK_REQUIRED ? "true" : "false");
  if (*hk_param_range(p, range, sizeof range))
    fprintf(out, ", \"range\": "), hk_json_string(out, range);
  if (hk_param_default(type, p, text, sizeof text))
    fprintf(out, ", \"default\": "), hk_json_string(out, text);
  if (hk_param_choice(types, p, 0)) {
    fprintf(out, ", \"choices\": ");
    hk_param_choices_json(out, types, p);
  }
  fprintf(out, ", \"doc\": ");
  hk_json_string(out, p->doc);
  fputc('}', out);
}

static void json_channel(void *context, const hk_quantity *q) {
  channel_printer *p = context;
  fprintf(p->out, "%s\n    {\"name\": ", p->n++ ? "," : "");
  hk_json_string(p->out, q->name);
  fprintf(p->out, ", \"unit\": ");
  hk_json_string(p->out, q->unit);
  fprintf(p->out, ", \"doc\": ");
  hk_json_string(p->out, q->doc);
  fputc('}', p->out);
}

static void json_type(FILE *out, const hk_registry *types, const hk_type *type) {
  fprintf(out, "{\"name\": ");
  hk_json_string(out, type->name);
  fprintf(out, ", \"category\": ");
  hk_json_string(out, hk_category_name(type->category));
  fprintf(out, ", \"doc\": ");
  hk_json_string(out, type->doc);
  if (type->caution) fprintf(out, ", \"caution\": "), hk_json_string(out, type->caution);
  fprintf(out, ", \"source\": ");
  hk_json_string(out, type->source);
  if (type->assumptions) {
    fprintf(out, ", \"assumptions\": [");
    for (int i = 0; type->assumptions[i]; i++) {
      if (i) fprintf(out, ", ");
      hk_json_string(out, type->assumptions[i]);
    }
    fputc(']', out);
  }
  fprintf(out, ", \"parameters\": [");
  const hk_param *p;
  for (int i = 0; (p = hk_type_param(type, i)); i++) {
    fprintf(out, "%s\n    ", i ? "," : "");
    json_param(out, types, type, p);
  }
  int n_points;
  const char *const *point = hk_type_points(type, &n_points);
  if (n_points) fprintf(out, "], \"points\": [");
  for (int i = 0; i < n_points; i++) {
    if (i) fprintf(out, ", ");
    hk_json_string(out, point[i]);
  }
  fprintf(out, "], \"channels\": [");
  channel_printer all = {.out = out};
  hk_type_channels(types, type, json_channel, &all);
  fprintf(out, "]}");
}

/* --- Both ------------------------------------------------------------------------------------ */

/* Returns true if a type has this name or former name. */
static bool is_called(const hk_type *type, const char *name) {
  if (strcmp(type->name, name) == 0) return true;
  for (int i = 0; hk_former_type(type, i); i++)
    if (strcmp(hk_former_type(type, i), name) == 0) return true;
  return false;
}

hk_status hk_type_check(const hk_registry *types, const char *name, hk_error *err) {
  const char *best = NULL;
  for (int c = 0; c < HK_N_CATEGORIES; c++)
    for (int i = 0; i < hk_registry_count(types, (hk_category)c); i++) {
      const char *pair[2] = {hk_registry_at(types, (hk_category)c, i)->name, best};
      if (is_called(hk_registry_at(types, (hk_category)c, i), name)) return HK_OK;
      const char *near = hk_nearest_name(name, pair, best ? 2 : 1);
      if (near) best = near;
    }
  if (best) return hk_fail(err, HK_EINPUT, "there is no type '%s'; did you mean '%s'?", name, best);
  return hk_fail(err, HK_EINPUT, "there is no type '%s'; `hooke types` lists them", name);
}

hk_status hk_types_print(FILE *out, const hk_registry *types, const char *name, bool json) {
  hk_error err;
  if (name && hk_type_check(types, name, &err)) {
    if (json) fprintf(out, "{\"error\": "), hk_json_string(out, err.text), fprintf(out, "}\n");
    if (!json) fprintf(out, "%s\n", err.text);
    return HK_EINPUT;
  }
  if (!name && !json) {
    print_list(out, types);
    return ferror(out) ? HK_EIO : HK_OK;
  }
  int n = 0;
  if (json) fprintf(out, "[");
  for (int c = 0; c < HK_N_CATEGORIES; c++)
    for (int i = 0; i < hk_registry_count(types, (hk_category)c); i++) {
      const hk_type *type = hk_registry_at(types, (hk_category)c, i);
      if (name && !is_called(type, name)) continue;
      if (n++) fprintf(out, json ? ",\n" : "\n");
      if (json) json_type(out, types, type);
      if (!json) print_type(out, types, type);
    }
  if (json) fprintf(out, "]\n");
  return ferror(out) ? HK_EIO : HK_OK;
}
