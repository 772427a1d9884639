/* See schema.h.  Required parameters are checked by a separate rule at the top, because `defaults` and `include` may
 * provide them. */
#define _GNU_SOURCE
#include "reference/schema.h"
#include "reference/type_help.h"
#include "spec/renamed.h"
#include <float.h>
#include <stdlib.h>
#include <string.h>

/* `$name`: the text of a parameter. */
#define FROM_PARAMETER "{\"$ref\": \"#/$defs/from_parameter\"}"

static bool has_unit(const hk_param *p) {
  return p->unit && strcmp(p->unit, "1") != 0 && !(p->flags & HK_ANY_UNIT);
}

static void quantity(FILE *out, const hk_param *p) {
  if (p->flags & HK_ANY_UNIT) {
    fprintf(out, "{\"type\": [\"string\", \"number\"]}");
  } else if (has_unit(p)) {
    fprintf(out, "{\"$ref\": \"#/$defs/quantity\"}");
  } else if (p->flags & HK_POSITIVE) {
    fprintf(out, "{\"type\": [\"string\", \"number\"], \"exclusiveMinimum\": 0}");
  } else if (p->min != 0 || p->max != 0) {
    fprintf(out, "{\"type\": [\"string\", \"number\"]");
    if (p->min > -DBL_MAX) fprintf(out, ", \"minimum\": %.17g", p->min);
    if (p->max < DBL_MAX) fprintf(out, ", \"maximum\": %.17g", p->max);
    fputc('}', out);
  } else {
    fprintf(out, "{\"type\": [\"string\", \"number\"]}");
  }
}

static void list_of(FILE *out, const hk_param *p, int min, int max) {
  fprintf(out, "\"type\": \"array\", \"minItems\": %d, \"maxItems\": %d, \"items\": ", min, max);
  quantity(out, p);
}

/* Choices, including former ones. */
static void choices(FILE *out, const hk_registry *types, const hk_type *type, const hk_param *p) {
  const char *word;
  fputc('[', out);
  for (int i = 0; (word = hk_param_choice(types, p, i)); i++) {
    if (i) fprintf(out, ", ");
    hk_json_string(out, word);
  }
  for (int i = 0; (word = hk_former_choice(type, p->name, i)); i++) {
    fprintf(out, ", ");
    hk_json_string(out, word);
  }
  fputc(']', out);
}

static void param_value(FILE *out, const hk_registry *types, const hk_type *type,
                        const hk_param *p) {
  switch (p->kind) {
    case HK_PARAM_REAL:
    case HK_PARAM_INT:
    case HK_PARAM_EXPR:
      fprintf(out, "\"allOf\": [");
      quantity(out, p);
      fputc(']', out);
      break;
    case HK_PARAM_BOOL:
      fprintf(out, "\"anyOf\": [{\"type\": \"boolean\"}, " FROM_PARAMETER "]");
      break;
    case HK_PARAM_ENUM:
    case HK_PARAM_STEPPER:
      fprintf(out, "\"anyOf\": [{\"enum\": ");
      choices(out, types, type, p);
      fprintf(out, "}, " FROM_PARAMETER "]");
      break;
    case HK_PARAM_STRING:
      fprintf(out, "\"type\": [\"string\", \"number\", \"boolean\"]");
      break;
    case HK_PARAM_VEC3:
    case HK_PARAM_EXPR3:
      list_of(out, p, 3, 3);
      break;
    case HK_PARAM_DIRECTION:
      fprintf(out, "\"allOf\": [{\"$ref\": \"#/$defs/direction\"}]");
      break;
    case HK_PARAM_ROTATION:
      fprintf(out, "\"allOf\": [{\"$ref\": \"#/$defs/rotation\"}]");
      break;
    case HK_PARAM_INERTIA:
      list_of(out, p, 3, 6);
      break;
    case HK_PARAM_REALS:
      fprintf(out, "\"type\": \"array\"");
      break;
    case HK_PARAM_POINTS:
      fprintf(out,
              "\"type\": \"array\", \"minItems\": 1, \"items\": {\"type\": \"array\", "
              "\"minItems\": 2, \"maxItems\": 2, \"items\": {\"type\": [\"string\", "
              "\"number\"]}}");
      break;
    case HK_PARAM_TERMS:
      fprintf(out,
              "\"type\": \"object\", \"additionalProperties\": {\"type\": [\"string\", "
              "\"number\"]}");
      break;
    default:
      fprintf(out, "\"type\": \"string\"");
  }
}

static void describe(const hk_type *type, const hk_param *p, char *doc, size_t size) {
  char text[400], range[80];
  int n = snprintf(doc, size, "%s", p->doc ? p->doc : "");
  if (has_unit(p)) n += snprintf(doc + n, size - (size_t)n, " [%s]", p->unit);
  if (p->angular_unit)
    n += snprintf(doc + n, size - (size_t)n, " [along an angle: %s]", p->angular_unit);
  if (*hk_param_range(p, range, sizeof range))
    n += snprintf(doc + n, size - (size_t)n, "; %s", range);
  if (hk_param_default(type, p, text, sizeof text))
    snprintf(doc + n, size - (size_t)n, "; default %s", text);
}

/* Writes one property. cut: number of letters at the end of `name` that are omitted because the name of the group already
 * contains them; 0: the parameter is in no group. */
static void property(FILE *out, const hk_registry *types, const hk_type *type, const hk_param *p,
                     const char *name, size_t cut, const char *description, bool deprecated) {
  char key[128];
  snprintf(key, sizeof key, "%.*s", (int)(strlen(name) - cut), name);
  fprintf(out, "\n        ");
  hk_json_string(out, key);
  fprintf(out, ": {\"description\": ");
  hk_json_string(out, description);
  fprintf(out, deprecated ? ", \"deprecated\": true, " : ", ");
  param_value(out, types, type, p);
  fputc('}', out);
}

/* Writes a parameter under its name and, marked as deprecated, under its former names. */
static void param(FILE *out, const hk_registry *types, const hk_type *type, const hk_param *p,
                  size_t cut) {
  char doc[1600], now[160];
  const char *former;
  describe(type, p, doc, sizeof doc);
  property(out, types, type, p, p->name, cut, doc, false);
  for (int i = 0; (former = hk_former_key(type, p->name, i)); i++) {
    snprintf(now, sizeof now, "former name of %.*s", (int)(strlen(p->name) - cut), p->name);
    fputc(',', out);
    property(out, types, type, p, former, cut, now, true);
  }
}

static void params(FILE *out, const hk_registry *types, const hk_type *type) {
  const hk_param *p;
  for (int i = 0; (p = hk_type_param(type, i)); i++) {
    if (i) fputc(',', out);
    param(out, types, type, p, 0);
  }
  for (const hk_group *g = type->groups; g && g->name; g++) {
    int n = 0;
    fprintf(out, ",\n        \"%s\": {\"description\": ", g->name);
    hk_json_string(out, g->doc);
    fprintf(
        out,
        ", \"type\": [\"object\", \"null\"], \"additionalProperties\": false, \"properties\": {");
    for (int i = 0; (p = hk_type_param(type, i)); i++) {
      if (hk_type_group(type, p) != g) continue;
      if (n++) fputc(',', out);
      param(out, types, type, p, strlen(g->suffix));
    }
    fprintf(out, "}}");
  }
}

/* Returns true if one of the steppers before the i-th has this key too. */
static bool named_before(const hk_registry *types, int i, const char *key) {
  while (i-- > 0)
    if (hk_type_param_find(hk_registry_at(types, HK_STEPPER, i), key) >= 0) return true;
  return false;
}

/* Writes every key of every stepper as a property of the analysis; the first stepper that has a key
 * describes it. */
static void stepper_keys(FILE *out, const hk_registry *types) {
  const hk_param *p;
  for (int i = 0; i < hk_registry_count(types, HK_STEPPER); i++) {
    const hk_type *type = hk_registry_at(types, HK_STEPPER, i);
    for (int k = 0; (p = hk_type_param(type, k)); k++) {
      if (named_before(types, i, p->name)) continue;
      fputc(',', out);
      param(out, types, type, p, 0);
    }
  }
}

/* Writes rules: if a stepper is specified, keys of other steppers are rejected. */
static void stepper_rules(FILE *out, const hk_registry *types) {
  const hk_param *p;
  int n = hk_registry_count(types, HK_STEPPER);
  fprintf(out, ",\n      \"allOf\": [");
  for (int i = 0; i < n; i++) {
    const hk_type *type = hk_registry_at(types, HK_STEPPER, i);
    int listed = 0;
    fprintf(out,
            "%s\n        {\"if\": {\"properties\": {\"stepper\": {\"const\": \"%s\"}}, "
            "\"required\": [\"stepper\"]}, \"then\": {\"properties\": {",
            i ? "," : "", type->name);
    for (int j = 0; j < n; j++)
      for (int k = 0; (p = hk_type_param(hk_registry_at(types, HK_STEPPER, j), k)); k++)
        if (!named_before(types, j, p->name) && hk_type_param_find(type, p->name) < 0)
          fprintf(out, "%s\"%s\": false", listed++ ? ", " : "", p->name);
    fprintf(out, "}}}");
  }
  fprintf(out, "]");
}

static bool names_stepper(const hk_type *type) {
  const hk_param *p;
  for (int i = 0; (p = hk_type_param(type, i)); i++)
    if (p->kind == HK_PARAM_STEPPER) return true;
  return false;
}

/* Writes the keys that every item of a category may have in addition to its parameters. */
static void item_keys(FILE *out, hk_category c) {
  fprintf(out, "\n        \"type\": {\"description\": \"one of `hooke types`\"}");
  if (c != HK_ANALYSIS)
    fprintf(out,
            ",\n        \"repeat\": {\"$ref\": \"#/$defs/repeat\"}, \"name\": {\"type\": "
            "\"string\"}");
  if (c == HK_FMU)
    fprintf(
        out,
        ",\n        \"inputs\": {\"type\": [\"object\", \"null\"]}, \"outputs\": {\"type\": "
        "[\"object\", "
        "\"null\"]},\n        \"units\": {\"type\": [\"object\", \"null\"]}, \"start\": {\"type\": "
        "[\"object\", \"null\"]}");
  if (c == HK_BODY)
    fprintf(
        out,
        ",\n        \"markers\": {\"$ref\": \"#/$defs/markers\"}, \"shape\": {\"anyOf\": "
        "[{\"type\": \"null\"}, {\"$ref\": \"#/$defs/shape\"}, {\"type\": \"array\", \"items\": "
        "{\"$ref\": \"#/$defs/shape\"}}]}");
}

static void type_def(FILE *out, const hk_registry *types, const hk_type *type) {
  const char *category = hk_category_name(type->category);
  fprintf(out, ",\n    \"%s_%s\": {\n      \"description\": ", category, type->name);
  hk_json_string(out, type->doc);
  fprintf(out, ",\n      \"additionalProperties\": false,\n      \"properties\": {");
  if (type->category != HK_STEPPER) item_keys(out, type->category);
  if (type->category != HK_STEPPER && hk_type_param(type, 0)) fputc(',', out);
  params(out, types, type);
  if (names_stepper(type)) stepper_keys(out, types);
  fprintf(out, "}");
  if (names_stepper(type)) stepper_rules(out, types);
  fprintf(out, "}");
}

/* Writes "if the type is this one, then": without a type, the default type of the category
 * applies. */
static void if_type(FILE *out, const hk_type *type) {
  const char *standard = hk_category_default_type(type->category);
  bool required = !standard || strcmp(standard, type->name) != 0;
  fprintf(out, "\n      {\"if\": {\"properties\": {\"type\": {\"enum\": [\"%s\"", type->name);
  for (int i = 0; hk_former_type(type, i); i++) fprintf(out, ", \"%s\"", hk_former_type(type, i));
  fprintf(out, "]}}%s}, \"then\": ", required ? ", \"required\": [\"type\"]" : "");
}

/* Writes a required parameter by any of its names, within its group or without. */
static void by_any_name(FILE *out, const hk_type *type, const hk_param *p) {
  const hk_group *g = hk_type_group(type, p);
  const char *name = p->name;
  fprintf(out, "{\"anyOf\": [");
  for (int i = 0; name; name = hk_former_key(type, p->name, i++)) {
    fprintf(out, "%s{\"required\": [\"%s\"]}", i ? ", " : "", name);
    if (g)
      fprintf(out,
              ", {\"required\": [\"%s\"], \"properties\": {\"%s\": {\"required\": [\"%.*s\"]}}}",
              g->name, g->name, (int)(strlen(name) - strlen(g->suffix)), name);
  }
  fprintf(out, "]}");
}

static void required_keys(FILE *out, const hk_type *type) {
  const hk_param *p;
  int n = 0;
  fprintf(out, "{\"allOf\": [");
  for (int i = 0; (p = hk_type_param(type, i)); i++) {
    if (!(p->flags & HK_REQUIRED)) continue;
    if (n++) fputc(',', out);
    by_any_name(out, type, p);
  }
  fprintf(out, n ? "]}" : "true]}");
}

static void category_def(FILE *out, const hk_registry *types, hk_category c) {
  const char *name = hk_category_name(c);
  int n = hk_registry_count(types, c);
  for (int i = 0; i < n; i++) type_def(out, types, hk_registry_at(types, c, i));
  if (c == HK_STEPPER) return; /* no separate section */
  fprintf(out,
          ",\n    \"%s\": {\"type\": \"object\",%s\n      \"properties\": {\"type\": {\"anyOf\": "
          "[" FROM_PARAMETER ", {\"enum\": [",
          name, hk_category_default_type(c) ? "" : " \"required\": [\"type\"],");
  for (int i = 0; i < n; i++) {
    const hk_type *type = hk_registry_at(types, c, i);
    fprintf(out, "%s\"%s\"", i ? ", " : "", type->name);
    for (int k = 0; hk_former_type(type, k); k++) fprintf(out, ", \"%s\"", hk_former_type(type, k));
  }
  fprintf(out, "]}]}},\n      \"allOf\": [");
  for (int i = 0; i < n; i++) {
    if (i) fputc(',', out);
    if_type(out, hk_registry_at(types, c, i));
    fprintf(out, "{\"$ref\": \"#/$defs/%s_%s\"}}", name, hk_registry_at(types, c, i)->name);
  }
  fprintf(out, "]},\n    \"complete_%s\": {\"allOf\": [", name);
  for (int i = 0; i < n; i++) {
    if (i) fputc(',', out);
    if_type(out, hk_registry_at(types, c, i));
    required_keys(out, hk_registry_at(types, c, i));
    fputc('}', out);
  }
  fprintf(out, "]}");
}

static const char FIXED_DEFS[] =
    "    \"from_parameter\": {\"description\": \"$name: the text of the parameter `name`\",\n"
    "      \"type\": \"string\", \"pattern\": \"^\\\\$.\"},\n"
    "    \"quantity\": {\"description\": \"number with unit, or an expression: 50 um, 2*L\",\n"
    "      \"anyOf\": [{\"type\": \"string\"}, {\"const\": 0}]},\n"
    "    \"vector\": {\"type\": \"array\", \"minItems\": 3, \"maxItems\": 3,\n"
    "      \"items\": {\"$ref\": \"#/$defs/quantity\"}},\n"
    "    \"direction\": {\"anyOf\": [{\"enum\": [\"x\", \"y\", \"z\", \"-x\", \"-y\", \"-z\", "
    "\"+x\", \"+y\", \"+z\"]}, " FROM_PARAMETER
    ",\n"
    "      {\"type\": \"array\", \"minItems\": 3, \"maxItems\": 3, \"items\": {\"type\": "
    "[\"string\", \"number\"]}}]},\n"
    "    \"turn\": {\"type\": \"object\", \"additionalProperties\": false, \"properties\": {\n"
    "      \"axis\": {\"$ref\": \"#/$defs/direction\"}, \"angle\": {\"$ref\": "
    "\"#/$defs/quantity\"},\n"
    "      \"quaternion\": {\"type\": \"array\", \"minItems\": 4, \"maxItems\": 4},\n"
    "      \"euler\": {\"anyOf\": [{\"type\": \"string\", \"pattern\": "
    "\"^[xyz]{3}$\"}, " FROM_PARAMETER
    "]},\n"
    "      \"angles\": {\"$ref\": \"#/$defs/vector\"},\n"
    "      \"z\": {\"$ref\": \"#/$defs/direction\"}, \"x\": {\"$ref\": \"#/$defs/direction\"}}},\n"
    "    \"rotation\": {\"anyOf\": [{\"$ref\": \"#/$defs/turn\"},\n"
    "      {\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/turn\"}}]},\n"
    "    \"repeat\": {\"description\": \"one item per value of the index: {i: 0..3}\",\n"
    "      \"type\": \"object\", \"maxProperties\": 4, \"additionalProperties\":\n"
    "        {\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"array\", \"items\": {\"type\": "
    "[\"integer\", \"string\"]}}]}},\n"
    "    \"markers\": {\"description\": \"frames fixed to the body, in its axes\",\n"
    "      \"type\": [\"object\", \"null\"], \"additionalProperties\": {\"anyOf\": [{\"type\": "
    "\"null\"},\n"
    "        {\"$ref\": \"#/$defs/vector\"},\n"
    "        {\"type\": \"object\", \"additionalProperties\": false, \"properties\": {\n"
    "          \"at\": {\"$ref\": \"#/$defs/vector\"}, \"orientation\": {\"$ref\": "
    "\"#/$defs/rotation\"}}}]}},\n"
    "    \"parameters\": {\"description\": \"named quantities; may refer to each other\",\n"
    "      \"type\": [\"object\", \"null\"], \"additionalProperties\": {\"type\": [\"string\", "
    "\"number\", \"boolean\"]}},\n"
    "    \"part\": {\"description\": \"one copy of an assembly\", \"type\": \"object\",\n"
    "      \"additionalProperties\": false, \"required\": [\"assembly\"], \"properties\": {\n"
    "      \"assembly\": {\"type\": \"string\"}, \"parameters\": {\"$ref\": "
    "\"#/$defs/parameters\"},\n"
    "      \"connect\": {\"type\": [\"object\", \"null\"], \"additionalProperties\": {\"type\": "
    "\"string\"}},\n"
    "      \"position\": {\"$ref\": \"#/$defs/vector\"}, \"orientation\": {\"$ref\": "
    "\"#/$defs/rotation\"},\n"
    "      \"repeat\": {\"$ref\": \"#/$defs/repeat\"}, \"name\": {\"type\": \"string\"}}},\n"
    "    \"parts\": {\"type\": [\"object\", \"null\"],\n"
    "      \"additionalProperties\": {\"$ref\": \"#/$defs/part\"}}";

/* Writes bodies, joints, ... as properties of the model or of an assembly. */
static void sections(FILE *out, bool model) {
  for (int c = 0; c < HK_ANALYSIS; c++) {
    fprintf(out, ",\n    \"%s\": {\"type\": [\"object\", \"null\"], ",
            hk_category_section((hk_category)c));
    if (c == HK_BODY && model)
      fprintf(
          out,
          "\"properties\": {\"ground\": {\"type\": [\"object\", \"null\"], "
          "\"additionalProperties\": false, \"properties\": {\"markers\": {\"$ref\": "
          "\"#/$defs/markers\"}, \"shape\": {\"type\": [\"object\", \"array\", \"null\"]}}}}, ");
    fprintf(out,
            "\"propertyNames\": {\"pattern\": \"^[A-Za-z_][A-Za-z0-9_]*$\"}, "
            "\"additionalProperties\": {\"$ref\": \"#/$defs/%s\"}}",
            hk_category_name((hk_category)c));
  }
  fprintf(out, ",\n    \"parts\": {\"$ref\": \"#/$defs/parts\"}");
}

/* Returns true if the name was listed before: several types, one per category, may have the same name. */
static bool listed_before(const hk_registry *types, const hk_type *type) {
  for (int c = 0; c < (int)type->category; c++)
    if (hk_registry_find(types, (hk_category)c, type->name)) return true;
  return false;
}

static void defaults(FILE *out, const hk_registry *types) {
  fprintf(out,
          ",\n    \"defaults\": {\"description\": \"parameters for every item of a type\", "
          "\"type\": [\"object\", \"null\"], \"additionalProperties\": false, \"properties\": {");
  int n = 0;
  for (int c = 0; c < HK_N_CATEGORIES; c++)
    for (int i = 0; i < hk_registry_count(types, (hk_category)c); i++) {
      const hk_type *type = hk_registry_at(types, (hk_category)c, i);
      if (listed_before(types, type)) continue;
      fprintf(out, "%s\n      \"%s\": {\"type\": [\"object\", \"null\"], \"anyOf\": [",
              n++ ? "," : "", type->name);
      int listed = 0;
      for (int k = c; k < HK_N_CATEGORIES; k++)
        if (hk_registry_find(types, (hk_category)k, type->name))
          fprintf(out, "%s{\"$ref\": \"#/$defs/%s_%s\"}", listed++ ? ", " : "",
                  hk_category_name((hk_category)k), type->name);
      fprintf(out, "]}");
    }
  fprintf(out, "}}");
}

static void assemblies(FILE *out) {
  fprintf(out,
          ",\n    \"assemblies\": {\"description\": \"reusable groups of items\", \"type\": "
          "[\"object\", \"null\"], \"additionalProperties\": {\"type\": \"object\", "
          "\"additionalProperties\": false, \"properties\": {\n    \"parameters\": {\"$ref\": "
          "\"#/$defs/parameters\"},\n    \"ports\": {\"type\": [\"array\", \"null\"], "
          "\"items\": {\"type\": \"string\"}}");
  sections(out, false);
  fprintf(out, "}}}");
}

static void schema(FILE *out, const hk_registry *types) {
  fprintf(out,
          "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
          "  \"title\": \"hooke model file\",\n  \"type\": \"object\",\n"
          "  \"required\": [\"format\"],\n  \"additionalProperties\": false,\n  \"properties\": {\n"
          "    \"format\": {\"const\": 1},\n    \"title\": {\"type\": [\"string\", \"number\"]},\n"
          "    \"include\": {\"description\": \"files whose sections are merged into this one\",\n"
          "      \"anyOf\": [{\"type\": [\"string\", \"null\"]}, {\"type\": \"array\", \"items\": "
          "{\"type\": \"string\"}}]},\n"
          "    \"parameters\": {\"$ref\": \"#/$defs/parameters\"}");
  defaults(out, types);
  sections(out, true);
  assemblies(out);
  fprintf(out,
          ",\n    \"stop\": {\"$ref\": \"#/$defs/event\"},\n"
          "    \"analysis\": {\"anyOf\": [{\"type\": \"null\"}, {\"$ref\": "
          "\"#/$defs/analysis\"}]}},\n");
  fprintf(out,
          "  \"if\": {\"not\": {\"anyOf\": [{\"required\": [\"defaults\"]}, {\"required\": "
          "[\"include\"]}]}},\n  \"then\": {\"properties\": {");
  for (int c = 0; c < HK_ANALYSIS; c++)
    fprintf(out,
            "%s\n    \"%s\": {%s\"additionalProperties\": {\"$ref\": \"#/$defs/complete_%s\"}}",
            c ? "," : "", hk_category_section((hk_category)c),
            c == HK_BODY ? "\"properties\": {\"ground\": true}, " : "",
            hk_category_name((hk_category)c));
  fprintf(out, "}},\n  \"$defs\": {\n%s", FIXED_DEFS);
  for (int c = 0; c < HK_N_CATEGORIES; c++) category_def(out, types, (hk_category)c);
  fprintf(out, "\n  }\n}\n");
}

char *hk_schema_json(const hk_registry *types) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  if (!out) return NULL;
  schema(out, types);
  bool failed = ferror(out);
  if (fclose(out) != 0 || failed) {
    free(text);
    return NULL;
  }
  return text;
}
