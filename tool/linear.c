/* From arguments to a linear model: see linear.h. */
#include "linear.h"
#include "results/csv.h"
#include "expr/units.h"
#include "quantity.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void tell_about_start(tool_linear *t) {
  const hk_static_report *r = &t->at;
  if (r->moving)
    hk_diag_add(&t->model.diag, HK_WARNING, &(hk_location){t->model.path, 0, 0},
                "the initial velocities are ignored: the model is linearised at rest. For the "
                "moving state give --at 0");
  if (r->newton == 0 && r->relaxation == 0) return;
  if (r->moved < 1e-14 && r->turned < 1e-14) return; /* the position has changed only by rounding */
  char what[300];
  hk_imbalance_text(&r->start, what, sizeof what);
  hk_diag_add(&t->model.diag, HK_WARNING, &(hk_location){t->model.path, 0, 0},
              "not in equilibrium as placed: %s is not balanced; "
              "linearised about the equilibrium found nearby (bodies moved by up to %.4g m and "
              "rotated by up to %.4g rad)",
              what, r->moved, r->turned);
}

static hk_status find_state(tool_linear *t, const tool_args *args) {
  const char *at = tool_value(args, "at");
  hk_status status;
  if (!at) {
    const hk_static_options o = {.as_placed = tool_flag(args, "as-placed")};
    status = hk_static_solve(t->model.model, &o, &t->sim, &t->at, &t->model.diag, &t->error);
    if (!status) tell_about_start(t);
    return status;
  }
  double time;
  status = tool_quantity(at, "s", "--at", &time, &t->error);
  const hk_sim_options still = {.no_stepping = true};
  if (!status) status = hk_sim_create(t->model.model, &still, &t->sim, &t->model.diag, &t->error);
  if (!status && time < hk_sim_time(t->sim) - 1e-12)
    status = hk_fail(&t->error, HK_EINPUT, "--at %g s is before the start, %g s", time,
                     hk_sim_time(t->sim));
  return status ? status : hk_sim_advance(t->sim, time, &t->error);
}

hk_status tool_linear_open(tool_linear *t, const tool_args *args, int dense_limit) {
  *t = (tool_linear){0};
  t->status = tool_model_load_linear(&t->model, args);
  if (!t->status) t->status = find_state(t, args);
  if (!t->status) {
    const hk_linear_options o = {.dense_limit = dense_limit, .frozen = !tool_value(args, "at")};
    t->status = hk_linear_create(t->sim, &o, &t->linear, &t->model.diag, &t->error);
  }
  return t->status;
}

void tool_linear_free(tool_linear *t) {
  hk_linear_destroy(t->linear);
  hk_sim_destroy(t->sim);
  tool_model_free(&t->model);
}

int tool_linear_report(tool_linear *t) {
  if (t->status && t->model.diag.n_errors == 0 && !t->model.diag.out_of_memory)
    tool_model_failed(&t->model, &t->error);
  tool_print_diag(&t->model.diag, 0);
  return tool_exit_code(t->status);
}

void tool_linear_json_begin(tool_json *j, const tool_linear *t) {
  tool_json_open(j, NULL, '{');
  tool_json_text(j, "status", t->status ? "failed" : "ok");
  if (!t->status) return;
  char *error = tool_first_error(&t->model.diag);
  tool_json_text(j, "error", error ? error : "out of memory");
  free(error);
}

void tool_linear_json_messages(tool_json *j, const hk_diag *d) {
  static const char *const key[] = {"notes", "warnings", "errors"};
  for (int s = HK_ERROR; s >= HK_NOTE; s--) {
    tool_json_open(j, key[s], '[');
    for (int i = 0; i < d->n; i++) {
      char text[2048];
      if ((int)d->message[i].severity != s) continue;
      hk_diag_format(&d->message[i], text, sizeof text);
      tool_json_text(j, NULL, text);
    }
    tool_json_close(j, ']');
  }
}

void tool_json_list(tool_json *j, const char *key, const double *v, int n, int stride) {
  tool_json_open(j, key, '[');
  for (int i = 0; i < n; i++) tool_json_real(j, NULL, v[(size_t)i * (size_t)stride]);
  tool_json_close(j, ']');
}

/* ---- frequencies ---- */

hk_status tool_frequency_unit(const char *unit, const char *what, double *factor, hk_error *err) {
  hk_unit given, angular, cycles;
  *factor = 1;
  if (!unit[0]) return HK_OK;
  hk_error why = {0};
  if (hk_unit_parse(unit, strlen(unit), &given, &why))
    return hk_fail(err, HK_EINPUT, "%s: %s", what, why.text);
  if (hk_unit_parse("rad/s", 5, &angular, err) || hk_unit_parse("Hz", 2, &cycles, err))
    return HK_EINPUT;
  if (hk_dim_equal(given.dim, angular.dim)) {
    *factor = given.factor / (2 * M_PI);
  } else if (!hk_dim_equal(given.dim, cycles.dim)) {
    return hk_fail(err, HK_EINPUT,
                   "%s: '%s' is not a unit of frequency; give cycles as Hz or kHz, or angular "
                   "frequency as rad/s or rpm",
                   what, unit);
  } else if (!strstr(unit, "Hz") && !strstr(unit, "hertz")) {
    return hk_fail(err, HK_EINPUT,
                   "%s: '%s' may mean cycles or radians; give cycles as Hz, or angular frequency "
                   "as rad/s",
                   what, unit);
  } else {
    *factor = given.factor;
  }
  return HK_OK;
}

/* ---- tables ---- */

void tool_table_cell(FILE *out, double value) {
  char text[HK_CSV_NUMBER_SIZE];
  hk_csv_number(text, value);
  fprintf(out, ",%s", text);
}

bool tool_output_taken(const tool_args *args) {
  const char *figure = tool_value(args, "output"), *csv = tool_value(args, "csv");
  return (csv && strcmp(csv, "-") == 0) || (figure && strcmp(figure, "-") == 0);
}
