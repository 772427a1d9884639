/* How good a run is: see quality.h. */
#include "quality.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

void tool_trust_print(const hk_run_report *p) {
  const hk_trust *t = &p->trust;
  printf("energy off by at most %.2g J of %.3g J turned over", t->energy_defect, t->energy_scale);
  if (t->constraint_error > 0) printf("; joints open by at most %.1g", t->constraint_error);
  if (t->overlap > 0) printf("; rigid contacts overlap by at most %.2g m", t->overlap);
  putchar('\n');
}

void tool_trust_json(tool_json *j, const hk_run_report *p) {
  const hk_trust *t = &p->trust;
  tool_json_open(j, "trust", '{');
  tool_json_int(j, "doubts", p->doubts);
  tool_json_real(j, "energy_defect", t->energy_defect);
  tool_json_real(j, "energy_defect_at", t->energy_time);
  tool_json_real(j, "energy_turned_over", t->energy_scale);
  tool_json_real(j, "constraint_error", t->constraint_error);
  tool_json_real(j, "overlap", t->overlap);
  tool_json_real(j, "local_error_sum", t->local_error);
  if (t->film) tool_json_real(j, "film_error", t->film_error);
  tool_json_int(j, "shared_impacts", t->shared_impacts);
  tool_json_int(j, "open_pressures", t->open_pressures);
  tool_json_real(j, "rtol", p->rtol);
  tool_json_real(j, "atol", p->atol);
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
