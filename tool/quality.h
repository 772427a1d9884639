/* Quality of a run, as printed by `hooke run`. */
#ifndef TOOL_QUALITY_H
#define TOOL_QUALITY_H
#include "json.h"
#include <hooke/run.h>

/* Prints one line: largest errors of energy and joints, largest overlap. */
void tool_trust_print(const hk_run_report *p);
/* "trust": {...} */
void tool_trust_json(tool_json *j, const hk_run_report *p);
/* Prints every measure with its error and its significant digits. */
void tool_digits_print(const hk_run_report *p, const hk_run_digits *digits);
/* "digits": {measure: {...}} */
void tool_digits_json(tool_json *j, const hk_run_report *p, const hk_run_digits *digits);
#endif
