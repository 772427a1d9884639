/* YAML documents: locations, limits, duplicate keys and hints for common mistakes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "read/doc.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reading {
  hk_arena arena;
  hk_diag diag;
  hk_doc *doc;
} reading;

static reading read_bytes(const char *text, size_t length) {
  reading r;
  hk_arena_init(&r.arena);
  hk_diag_init(&r.diag);
  r.doc = hk_doc_read_text(&r.arena, "m.yaml", text, length, &r.diag);
  return r;
}

static reading read(const char *text) { return read_bytes(text, strlen(text)); }

static void done(reading *r) {
  hk_diag_free(&r->diag);
  hk_arena_free(&r->arena);
}

static void tree_and_places(void **state) {
  (void)state;
  reading r = read("a: 1 kg\nb:\n  - x\n  - \"two words\"\nc: {d: é, e: [1, 2]}\n");
  assert_non_null(r.doc);
  assert_int_equal(r.diag.n, 0);
  assert_int_equal(r.doc->kind, HK_DOC_MAP);
  assert_int_equal(r.doc->n, 3);
  hk_doc *a = hk_doc_find(r.doc, "a");
  assert_string_equal(a->text, "1 kg");
  assert_false(a->quoted);
  assert_true(a->one_line);
  assert_int_equal(a->place.line, 1);
  assert_int_equal(a->place.column, 4);
  assert_int_equal(a->key_place.column, 1);
  assert_string_equal(a->place.file, "m.yaml");
  hk_doc *b = hk_doc_find(r.doc, "b");
  assert_int_equal(b->kind, HK_DOC_LIST);
  assert_int_equal(b->n, 2);
  assert_true(b->first->next->quoted);
  assert_int_equal(b->first->next->place.line, 4);
  hk_doc *c = hk_doc_find(r.doc, "c");
  hk_doc *e = hk_doc_find(c, "e");
  assert_int_equal(e->n, 2);
  assert_int_equal(e->key_place.column, 11); /* characters, not bytes: é is one */
  assert_null(hk_doc_find(c, "f"));
  assert_null(hk_doc_find(a, "f"));
  done(&r);
}

/* Each text is rejected at line:column with a message that contains the given words. */
static const struct {
  const char *text;
  int line, column;
  const char *words;
} TRAPS[] = {
    {"a: 1\nb: 2\na: 3\n", 3, 1, "duplicate key 'a' (first in line 1)"},
    {"a: x > 0 ? 1 : 0\n", 1, 14, "if(c, a, b)"},
    {"a: {b: x > 0 ? 1 : 0}\n", 1, 18, "if(c, a, b)"},
    {"a: *k\n", 1, 4, "'*k' is a YAML alias"},
    {"a: *k + 1\n", 1, 4, "quotes"},
    {"a: @x\n", 1, 4, "begins with '@' needs quotes"},
    {"a: &x 1\n", 1, 4, "begins with '&'"},
    {"a: !x 1\n", 1, 4, "begins with '!'"},
    {"a: %x\n", 1, 4, "begins with '%' needs quotes"},
    {"a:\n\tb: 1\n", 2, 1, "spaces, not with tabs"},
    {"a: 1\nb:2\nc: 3\n", 2, 1, "space after the colon: 'b: ...'"},
    {"x: 1\na: [1 m, 2 m\nb: 2\n", 2, 4, "the list that begins here with '[' is not closed"},
    {"x: 1\na: {b: 2\nc: 2\n", 2, 4, "the map that begins here with '{' is not closed"},
    {"a: {b: link[0]}\n", 1, 12, "a name with an index needs quotes"},
    {"a: \"x\nb: 2\n", 1, 4, "the quote that begins here is not closed"},
    {"a: \"\\q\"\n", 1, 5, "single quotes"},
    {"a: 1\n  b: 2\n", 2, 4, "indentation"},
    {"a: - x\n", 1, 4, "'- ' is not allowed here"},
    {"a: 1\n---\nb: 2\n", 2, 1, "second document"},
    {"[a]: 3\n", 1, 1, "a list cannot be a key"},
    {"? \n: 3\n", 1, 2, "a key is missing"},
    {"a: \"x\\0y\"\n", 1, 4, "NUL"},
    {"\x01", 1, 1, "control character"},
    {"a: \xff\n", 1, 4, "UTF-8"},
};

static void traps(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof TRAPS / sizeof *TRAPS; i++) {
    reading r = read(TRAPS[i].text);
    assert_null(r.doc);
    assert_true(r.diag.n >= 1);
    const hk_diag_message *m = &r.diag.message[0];
    if (!strstr(m->text, TRAPS[i].words) || m->place.line != TRAPS[i].line ||
        m->place.column != TRAPS[i].column)
      fail_msg("'%s' gives %d:%d: %s", TRAPS[i].text, m->place.line, m->place.column, m->text);
    done(&r);
  }
}

static void all_duplicates_in_one_go(void **state) {
  (void)state;
  reading r = read("a: {x: 1, x: 2, y: 1, y: 2, x: 3}\nb: {z: 1, z: 1}\n");
  assert_null(r.doc);
  assert_int_equal(r.diag.n_errors, 4);
  done(&r);
}

static void empty_file(void **state) {
  (void)state;
  static const char *const texts[] = {"", "\n", "# only a comment\n"};
  for (int i = 0; i < 3; i++) {
    reading r = read(texts[i]);
    assert_null(r.doc);
    assert_string_equal(r.diag.message[0].text, "the file is empty");
    done(&r);
  }
}

static void depth_limit(void **state) {
  (void)state;
  static char text[300];
  int n = sprintf(text, "a: ");
  memset(text + n, '[', 64);
  memset(text + n + 64, ']', 64);
  reading r = read_bytes(text, (size_t)n + 128);
  assert_null(r.doc); /* 65 levels with the outer map */
  assert_non_null(strstr(r.diag.message[0].text, "more than 64 deep"));
  done(&r);
  r = read_bytes(text + 3, 128);
  assert_non_null(r.doc);
  done(&r);
  enum { MANY = 100000 };
  char *deep = malloc(MANY);
  memset(deep, '[', MANY);
  r = read_bytes(deep, MANY);
  free(deep);
  assert_null(r.doc);
  assert_non_null(strstr(r.diag.message[0].text, "more than 64 deep"));
  done(&r);
}

static void size_limits(void **state) {
  (void)state;
  size_t n = HK_DOC_MAX_BYTES + 1;
  char *text = malloc(n);
  memset(text, ' ', n);
  memcpy(text, "a: 1\n", 5);
  text[n - 1] = '\n';
  reading r = read_bytes(text, n);
  assert_null(r.doc);
  assert_non_null(strstr(r.diag.message[0].text, "larger than 16 MiB"));
  done(&r);
  r = read_bytes(text, n - 1);
  assert_non_null(r.doc);
  done(&r);
  for (size_t i = 0; i < n; i++) text[i] = i % 2 ? ',' : 'x';
  text[0] = '[';
  text[1] = 'x';
  text[2] = ',';
  r = read_bytes(text, n - 1);
  assert_null(r.doc);
  done(&r);
  free(text);
}

static void missing_file(void **state) {
  (void)state;
  reading r = {0};
  hk_arena_init(&r.arena);
  hk_diag_init(&r.diag);
  assert_null(hk_doc_read_file(&r.arena, "no/such/file.yaml", &r.diag));
  assert_int_equal(r.diag.n_errors, 1);
  assert_string_equal(r.diag.message[0].place.file, "no/such/file.yaml");
  assert_null(hk_doc_read_file(&r.arena, "/", &r.diag));
  assert_int_equal(r.diag.n_errors, 2);
  done(&r);
}

/* Messages remain valid after the arena with the file name is freed. */
static void messages_own_their_file(void **state) {
  (void)state;
  reading r = read("a: @x\n");
  hk_arena_free(&r.arena);
  char line[300];
  hk_diag_format(&r.diag.message[0], line, sizeof line);
  assert_non_null(strstr(line, "m.yaml:1:4: error: "));
  hk_diag_free(&r.diag);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tree_and_places),
      cmocka_unit_test(traps),
      cmocka_unit_test(all_duplicates_in_one_go),
      cmocka_unit_test(empty_file),
      cmocka_unit_test(depth_limit),
      cmocka_unit_test(size_limits),
      cmocka_unit_test(missing_file),
      cmocka_unit_test(messages_own_their_file),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
