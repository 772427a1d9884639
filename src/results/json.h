/* JSON output [RFC 8259]: functions that keep track of commas.  Texts are safe within a script element of a page:
 * '<', '>' and '&' are escaped. */
#ifndef HK_RESULTS_JSON_H
#define HK_RESULTS_JSON_H
#include <hooke/base.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct hk_json {
  FILE *out;
  bool comma; /* a comma is needed before the next value */
} hk_json;

/* Opens a map or a list; key is NULL inside a list and at the top level. */
void hk_json_open(hk_json *j, const char *key, char bracket);
void hk_json_close(hk_json *j, char bracket);
void hk_json_text(hk_json *j, const char *key, const char *value);
void hk_json_real(hk_json *j, const char *key, double value); /* null if it is not finite */
void hk_json_reals(hk_json *j, const char *key, const double *value, int n);
void hk_json_bool(hk_json *j, const char *key, bool value);
void hk_json_int(hk_json *j, const char *key, long long value);
/* Runs put(j, what) and returns the text, with a decimal point in every locale.  Allocated by
 * malloc; NULL if out of memory. */
char *hk_json_write(void (*put)(hk_json *j, const void *what), const void *what, size_t *length);
/* Writes a value that is already JSON made by these functions.  For text from a file use
 * hk_json_clean. */
void hk_json_raw(hk_json *j, const char *key, const char *json);

/* JSON from an unknown source, parsed and written again; texts are escaped as by hk_json_text.
 * Allocated by malloc. HK_EINPUT: the text is not JSON. */
hk_status hk_json_clean(const char *json, char **out, hk_error *err);
/* Same as hk_json_clean, for a document that was read from JSON; NULL: out of memory. */
struct hk_doc;
char *hk_json_again(const struct hk_doc *root);
#endif
