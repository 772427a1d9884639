/* Quality of a run: see quality.h. */
#include "quality.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Amount of an indicator; 0: it does not apply to the run. */
static double amount(const hk_run_report *p, hk_quality_kind kind) {
  const hk_indicator *k = hk_quality_find(p->quality, kind);
  return k ? k->amount : 0;
}

static double energy_scale(const hk_run_report *p) {
  const hk_indicator *k = hk_quality_find(p->quality, HK_QUALITY_ENERGY);
  return k ? k->scale : 0;
}

void tool_trust_print(const hk_run_report *p) {
  double joints = amount(p, HK_QUALITY_CONSTRAINT), overlap = amount(p, HK_QUALITY_PENETRATION);
  printf("largest energy error %.2g J of %.3g J exchanged", amount(p, HK_QUALITY_ENERGY),
         energy_scale(p));
  if (joints > 0) printf("; joints open by at most %.1g", joints);
  if (overlap > 0) printf("; rigid contacts overlap by at most %.2g m", overlap);
  putchar('\n');
}

static void warning_json(tool_json *j, const hk_indicator *k) {
  tool_json_open(j, NULL, '{');
  tool_json_text(j, "kind", k->name);
  tool_json_bool(j, "doubt", k->level == HK_LEVEL_DOUBT);
  tool_json_real(j, "amount", k->amount);
  tool_json_text(j, "unit", k->unit);
  if (isfinite(k->limit)) tool_json_real(j, "limit", k->limit);
  if (isfinite(k->time)) tool_json_real(j, "time", k->time);
  if (k->element[0]) tool_json_text(j, "element", k->element);
  tool_json_text(j, "sentence", k->sentence);
  tool_json_close(j, '}');
}

void tool_trust_json(tool_json *j, const hk_run_report *p) {
  const hk_indicator *energy = hk_quality_find(p->quality, HK_QUALITY_ENERGY);
  tool_json_open(j, "trust", '{');
  tool_json_int(j, "doubts", p->doubts);
  tool_json_real(j, "energy_defect", amount(p, HK_QUALITY_ENERGY));
  tool_json_real(j, "energy_defect_at", energy ? energy->time : 0);
  tool_json_real(j, "energy_turned_over", energy_scale(p));
  tool_json_real(j, "constraint_error", amount(p, HK_QUALITY_CONSTRAINT));
  tool_json_real(j, "overlap", amount(p, HK_QUALITY_PENETRATION));
  tool_json_real(j, "local_error_sum", amount(p, HK_QUALITY_LOCAL_ERROR));
  if (hk_quality_find(p->quality, HK_QUALITY_FILM))
    tool_json_real(j, "film_error", amount(p, HK_QUALITY_FILM));
  tool_json_int(j, "shared_impacts", (long)amount(p, HK_QUALITY_SIMULTANEOUS));
  tool_json_int(j, "open_pressures", (long)amount(p, HK_QUALITY_INDETERMINATE));
  tool_json_real(j, "rtol", p->rtol);
  tool_json_real(j, "atol", p->atol);
  tool_json_open(j, "warnings", '[');
  for (int i = 0; i < hk_quality_count(p->quality); i++) {
    const hk_indicator *k = hk_quality_at(p->quality, i);
    if (k->level != HK_LEVEL_GOOD) warning_json(j, k);
  }
  tool_json_close(j, ']');
  tool_json_close(j, '}');
}

void tool_digits_json(tool_json *j, const hk_run_report *p, const hk_run_digits *digits) {
  tool_json_open(j, "digits", '{');
  for (int i = 0; i < p->n_measures; i++) {
    tool_json_open(j, p->measure[i].name, '{');
    tool_json_real(j, "value", digits[i].value);
    tool_json_real(j, "error", digits[i].error);
    tool_json_int(j, "digits", digits[i].digits);
    tool_json_bool(j, "settled", digits[i].settled);
    tool_json_close(j, '}');
  }
  tool_json_close(j, '}');
}

static void print_one(const hk_run_digits *d, const char *unit) {
  if (!isfinite(d->value))
    printf("none\n");
  else if (d->error == 0)
    printf("%.9g %s in all runs\n", d->value, unit);
  else if (!d->settled)
    printf(
        "%.3g +- %.2g %s: does not converge; finer steps give other values (chaos, or impacts "
        "that fall on other steps)\n",
        d->value, d->error, unit);
  else
    printf("%.*g +- %.1g %s (%d digit%s)\n", d->digits > 1 ? d->digits : 2, d->value, d->error,
           unit, d->digits, d->digits == 1 ? "" : "s");
}

void tool_digits_print(const hk_run_report *p, const hk_run_digits *digits) {
  size_t width = strlen("measure");
  for (int i = 0; i < p->n_measures; i++)
    if (strlen(p->measure[i].name) > width) width = strlen(p->measure[i].name);
  printf("%-*s  value +- error\n", (int)width, "measure");
  for (int i = 0; i < p->n_measures; i++) {
    const hk_run_measure *q = &p->measure[i];
    printf("%-*s  ", (int)width, q->name);
    print_one(&digits[i], strcmp(q->unit, "1") == 0 ? "" : q->unit);
  }
}
