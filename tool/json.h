/* JSON output: results/json.h under the names of the tool. */
#ifndef TOOL_JSON_H
#define TOOL_JSON_H
#include "results/json.h"

typedef hk_json tool_json;
#define tool_json_open hk_json_open
#define tool_json_close hk_json_close
#define tool_json_text hk_json_text
#define tool_json_real hk_json_real
#define tool_json_bool hk_json_bool
#define tool_json_int hk_json_int
#endif
