/* JSON output: a few calls that keep track of commas. */
#ifndef TOOL_JSON_H
#define TOOL_JSON_H
#include <stdbool.h>
#include <stdio.h>

typedef struct tool_json {
  FILE *out;
  bool comma; /* a value stands before the next one */
} tool_json;

/* key is NULL inside a list and at the top. */
void tool_json_open(tool_json *j, const char *key, char bracket);
void tool_json_close(tool_json *j, char bracket);
void tool_json_text(tool_json *j, const char *key, const char *value);
void tool_json_real(tool_json *j, const char *key, double value); /* null if it is not finite */
void tool_json_bool(tool_json *j, const char *key, bool value);
void tool_json_int(tool_json *j, const char *key, long long value);
#endif
