/* `hooke types` and the JSON schema: every type and parameter is listed, and the JSON is valid. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "reference/schema.h"
#include "reference/type_help.h"
#include "registry/builtin.h"
#include "registry/builtin.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A minimal JSON reader that returns the end of a value; NULL: not JSON. */
static const char *skip_value(const char *s);

static const char *skip_space(const char *s) {
  while (s && isspace((unsigned char)*s)) s++;
  return s;
}

static const char *skip_string(const char *s) {
  if (*s++ != '"') return NULL;
  for (; *s != '"'; s++) {
    if ((unsigned char)*s < 0x20) return NULL;
    if (*s == '\\' && !*++s) return NULL;
  }
  return s + 1;
}

static const char *skip_members(const char *s, char close) {
  s = skip_space(s + 1);
  if (*s == close) return s + 1;
  for (;;) {
    if (close == '}') {
      s = skip_space(skip_string(skip_space(s)));
      if (!s || *s++ != ':') return NULL;
    }
    s = skip_space(skip_value(s));
    if (!s) return NULL;
    if (*s == close) return s + 1;
    if (*s++ != ',') return NULL;
    s = skip_space(s);
  }
}

static const char *skip_value(const char *s) {
  s = skip_space(s);
  if (!s) return NULL;
  if (*s == '{') return skip_members(s, '}');
  if (*s == '[') return skip_members(s, ']');
  if (*s == '"') return skip_string(s);
  static const char *const words[] = {"true", "false", "null"};
  for (int i = 0; i < 3; i++)
    if (strncmp(s, words[i], strlen(words[i])) == 0) return s + strlen(words[i]);
  char *end;
  strtod(s, &end);
  return end == s || !(isdigit((unsigned char)*s) || *s == '-') ? NULL : end;
}

static void assert_json(const char *text) {
  const char *end = skip_space(skip_value(text));
  assert_non_null(end);
  assert_int_equal(*end, '\0');
}

static char *print(const char *name, bool json, hk_status expected) {
  char *text = NULL;
  size_t n = 0;
  FILE *out = open_memstream(&text, &n);
  assert_int_equal(hk_types_print(out, hk_registry_builtin(), name, json), expected);
  fclose(out);
  return text;
}

static void the_json_check_can_fail(void **state) {
  (void)state;
  static const char *const bad[] = {"{", "{\"a\" 1}", "[1,]", "{\"a\": inf}", "\"\n\"", "[1 2]"};
  for (int i = 0; i < 6; i++) assert_null(skip_value(bad[i]));
}

static void list(void **state) {
  (void)state;
  char *text = print(NULL, false, HK_OK), *json = print(NULL, true, HK_OK);
  assert_json(json);
  for (int c = 0; c < HK_N_CATEGORIES; c++)
    for (int i = 0; i < hk_registry_count(hk_registry_builtin(), (hk_category)c); i++) {
      assert_non_null(strstr(text, hk_registry_at(hk_registry_builtin(), (hk_category)c, i)->name));
      assert_non_null(strstr(json, hk_registry_at(hk_registry_builtin(), (hk_category)c, i)->name));
    }
  for (const char *line = text; line && *line; line = strchr(line, '\n') + 1) {
    size_t n = strcspn(line, "\n");
    assert_true(n <= 100);
    assert_true(n == 0 || line[n - 1] != ' ');
  }
  free(text);
  free(json);
}

static void one(void **state) {
  (void)state;
  char *text = print("rod", false, HK_OK);
  assert_non_null(strstr(text, "  length: number in m, > 0, required\n"));
  assert_non_null(strstr(text, "  fixed: choice, default none\n"));
  assert_non_null(strstr(text, "one of: none, position, orientation, all"));
  assert_non_null(strstr(text, "Source: "));
  assert_null(strstr(text, "> 0, default 0")); /* 0 means "not given" there */
  free(text);
  text = print("distance", false, HK_OK); /* a joint and a sensor */
  assert_non_null(strstr(text, "distance (joint)"));
  assert_non_null(strstr(text, "distance (sensor)"));
  free(text);
  text = print("rodd", false, HK_EINPUT);
  assert_string_equal(text, "there is no type 'rodd'; did you mean 'rod'?\n");
  free(text);
  text = print("\"odd\\", true, HK_EINPUT);
  assert_json(text);
  free(text);
}

static void schema(void **state) {
  (void)state;
  char *text = hk_schema_json(hk_registry_builtin());
  assert_json(text);
  for (int c = 0; c < HK_N_CATEGORIES; c++)
    for (int i = 0; i < hk_registry_count(hk_registry_builtin(), (hk_category)c); i++) {
      char def[100];
      const hk_type *type = hk_registry_at(hk_registry_builtin(), (hk_category)c, i);
      snprintf(def, sizeof def, "\"%s_%s\": {", hk_category_name((hk_category)c), type->name);
      const char *at = strstr(text, def);
      assert_non_null(at);
      const hk_param *p;
      for (int k = 0; (p = hk_type_param(type, k)); k++) {
        snprintf(def, sizeof def, "\"%s\": {\"description\": ", p->name);
        at = strstr(at, def); /* in the order of the table */
        assert_non_null(at);
      }
    }
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_json_check_can_fail),
      cmocka_unit_test(list),
      cmocka_unit_test(one),
      cmocka_unit_test(schema),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
