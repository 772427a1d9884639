/* Output of the events of a run, as text and as JSON. */
#ifndef TOOL_EVENTS_H
#define TOOL_EVENTS_H
#include "json.h"
#include <hooke/run.h>

void tool_events_print(const hk_run_report *p);
void tool_events_json(tool_json *j, const hk_run_report *p);
#endif
