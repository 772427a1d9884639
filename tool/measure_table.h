/* Measures on the screen and as JSON. */
#ifndef TOOL_MEASURE_TABLE_H
#define TOOL_MEASURE_TABLE_H
#include "json.h"
#include <hooke/run.h>

void tool_measures_print(const hk_run_report *p);
/* Writes "measures": {name: {"value": ..., "unit": ...}}. */
void tool_measures_json(tool_json *j, const hk_run_report *p);
#endif
