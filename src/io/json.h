/* JSON output [RFC 8259]: a few calls that keep track of commas.  Texts are safe within a script
 * element of a page: '<', '>' and '&' are written as escapes. */
#ifndef HK_JSON_H
#define HK_JSON_H
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct hk_json {
  FILE *out;
  bool comma; /* a value stands before the next one */
} hk_json;

/* key is NULL inside a list and at the top. */
void hk_json_open(hk_json *j, const char *key, char bracket);
void hk_json_close(hk_json *j, char bracket);
void hk_json_text(hk_json *j, const char *key, const char *value);
void hk_json_real(hk_json *j, const char *key, double value); /* null if it is not finite */
void hk_json_reals(hk_json *j, const char *key, const double *value, int n);
void hk_json_bool(hk_json *j, const char *key, bool value);
void hk_json_int(hk_json *j, const char *key, long long value);
/* Runs put(j, what) into memory, with a decimal point in every locale.  malloc'ed; NULL when out of
 * memory. */
char *hk_json_write(void (*put)(hk_json *j, const void *what), const void *what, size_t *length);
/* A value that is JSON already. */
void hk_json_raw(hk_json *j, const char *key, const char *json);
#endif
