/* From arguments to a linear model: see linear.h. */
#include "linear.h"
#include "quantity.h"
#include <stdlib.h>

static void tell_about_start(tool_linear *t) {
  const hk_static_report *r = &t->at;
  if (r->moving)
    hk_diag_add(&t->model.diag, HK_WARNING, &(hk_place){t->model.path, 0, 0},
                "the velocities at the start are left out: the model is linearised at rest. For "
                "the moving state give --at 0");
  if (r->newton == 0 && r->relaxation == 0) return;
  hk_diag_add(&t->model.diag, HK_WARNING, &(hk_place){t->model.path, 0, 0},
              "not in equilibrium as placed: a %s of %.6g %s on body '%s' is not balanced; "
              "linearised about the equilibrium found near by (bodies moved by up to %.4g m and "
              "turned by up to %.4g rad)",
              r->start.moment ? "moment" : "force", r->start.size, r->start.moment ? "N m" : "N",
              r->start.body, r->moved, r->turned);
}

static hk_status find_state(tool_linear *t, const tool_args *args) {
  const char *at = tool_value(args, "at");
  hk_status status;
  if (!at) {
    const hk_static_options o = {.as_placed = tool_flag(args, "as-placed")};
    status = hk_static_solve(t->model.model, &o, &t->sim, &t->at, &t->model.diag, &t->error);
    if (!status) tell_about_start(t);
    /* What has no equilibrium cannot be linearised: bad input. */
    return status == HK_EFAIL ? HK_EINPUT : status;
  }
  double time;
  status = tool_quantity(at, "s", "--at", &time, &t->error);
  if (!status) status = hk_sim_create(t->model.model, NULL, &t->sim, &t->model.diag, &t->error);
  if (!status && time < hk_sim_time(t->sim) - 1e-12)
    status = hk_fail(&t->error, HK_EINPUT, "--at %g s lies before the start, %g s", time,
                     hk_sim_time(t->sim));
  return status ? status : hk_sim_advance(t->sim, time, &t->error);
}

hk_status tool_linear_open(tool_linear *t, const tool_args *args, int dense_limit) {
  *t = (tool_linear){0};
  t->status = tool_model_load(&t->model, args);
  if (!t->status) t->status = find_state(t, args);
  if (!t->status) {
    const hk_linear_options o = {.dense_limit = dense_limit};
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
    hk_diag_add(&t->model.diag, HK_ERROR, &(hk_place){t->model.path, 0, 0}, "%s", t->error.text);
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
