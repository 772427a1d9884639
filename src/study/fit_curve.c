/* Curves of a model at the measured points: a simulation, or the response of the linear model. */
#include "study/fit_curve.h"
#include "base/number.h"
#include "expr/units.h"
#include "model/model.h"
#include "sim/sim.h"
#include <hooke/response.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE_SIZE = 128 };

static void explain(const hk_diag *diag, hk_error *err) {
  for (int i = 0; i < diag->n; i++)
    if (diag->message[i].severity == HK_ERROR) {
      hk_diag_format(&diag->message[i], err->text, sizeof err->text);
      return;
    }
}

static hk_status read_model(const hk_fit *f, const double *value, hk_model **out, hk_error *err) {
  size_t n = (size_t)f->n_parameters;
  hk_override *all = calloc((size_t)f->n_set + n + 1, sizeof *all);
  char(*text)[VALUE_SIZE] = calloc(n + 1, sizeof *text);
  hk_diag diag;
  hk_diag_init(&diag);
  *out = NULL;
  if (all && text) {
    if (f->n_set) memcpy(all, f->set, (size_t)f->n_set * sizeof *all);
    for (int i = 0; i < f->n_parameters; i++) {
      const hk_fit_parameter *p = &f->parameter[i];
      hk_number_print(text[i], sizeof text[i], "%.17g%s%.60s", value[i], p->unit[0] ? " " : "",
                      p->unit);
      all[f->n_set + i] = (hk_override){p->path, text[i]};
    }
    hk_spec *spec =
        hk_model_file_read_with(f->types, f->model_path, all, f->n_set + f->n_parameters, &diag);
    if (spec && f->by_frequency && hk_spec_first_order(spec, err)) {
      hk_spec_destroy(spec);
      spec = NULL;
    }
    *out = spec ? hk_model_compile(spec, &diag) : NULL;
    explain(&diag, err);
  } else {
    diag.out_of_memory = true;
  }
  hk_status status = *out ? HK_OK : diag.out_of_memory ? HK_ENOMEM : HK_RETRY;
  if (status == HK_ENOMEM) hk_fail(err, status, "out of memory");
  hk_diag_free(&diag);
  free(text);
  free(all);
  return status;
}

/* ---- the two kinds of curves ---- */

/* The unit of a column must fit the unit of the model's curve. */
static hk_status check_unit(hk_fit_curve *c, const char *unit, hk_error *err) {
  hk_unit wanted;
  char given[128];
  if (c->part == HK_FIT_PHASE) unit = "rad";
  snprintf(c->unit, sizeof c->unit, "%.60s", unit);
  if (hk_unit_parse(unit, strlen(unit), &wanted, err)) return HK_EINPUT;
  if (hk_dim_is_none(c->dim) || hk_dim_matches(c->dim, wanted.dim)) return HK_OK;
  hk_dim_format(c->dim, given, sizeof given);
  return hk_fail(err, HK_EINPUT, "column '%s' has the unit %s in SI, but '%s' of the model has %s",
                 c->column, given, c->channel, unit);
}

static hk_status simulate(hk_fit *f, const hk_model *m, const int *channel, double *y,
                          double *noise, hk_error *err) {
  hk_sim *s = NULL;
  size_t n = (size_t)f->n, c = (size_t)f->n_curves;
  double *row = malloc((n * c + 1) * sizeof *row);
  hk_status status = row ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
  for (size_t k = 0; k < c && !status; k++)
    status = check_unit(&f->curve[k], hk_model_channel_unit(m, channel[k]), err);
  if (!status) status = hk_sim_create(m, NULL, &s, NULL, err);
  if (!status && f->x[0] < hk_sim_time(s) - 1e-12)
    status = hk_fail(err, HK_EINPUT,
                     "the data begin at %.9g s, before the start of the simulation, %.9g s",
                     f->x[0], hk_sim_time(s));
  if (!status) status = hk_sim_sample(s, f->x, f->n, channel, f->n_curves, row, err);
  for (size_t i = 0; i < n && !status; i++)
    for (size_t k = 0; k < c; k++) y[k * n + i] = row[i * c + k];
  if (!status && noise) *noise = s->option.step > 0 ? 1e-10 : s->option.rtol;
  hk_sim_destroy(s);
  free(row);
  return status;
}

static double part_of(const double h[2], hk_fit_part part) {
  return part == HK_FIT_RE          ? h[0]
         : part == HK_FIT_IM        ? h[1]
         : part == HK_FIT_MAGNITUDE ? hypot(h[0], h[1])
                                    : atan2(h[1], h[0]);
}

static hk_status respond(hk_fit *f, const hk_model *m, const int *channel, double *y, double *noise,
                         hk_error *err) {
  hk_sim *s = NULL;
  hk_linear *linear = NULL;
  hk_response *response = NULL;
  hk_static_report at;
  int input = 0;
  size_t n = (size_t)f->n, c = (size_t)f->n_curves;
  double *h = malloc((2 * c + 1) * sizeof *h);
  hk_status status =
      h ? hk_static_solve(m, NULL, &s, &at, NULL, err) : hk_fail(err, HK_ENOMEM, "out of memory");
  const hk_linear_options o = {.dense_limit = 3000, .frozen = true};
  if (!status) status = hk_linear_create(s, &o, &linear, NULL, err);
  if (!status && !f->input && hk_response_input_count(linear) != 1)
    status = hk_fail(err, HK_EINPUT,
                     "the model has %d inputs; select the input of the measurement by --from",
                     hk_response_input_count(linear));
  if (!status && f->input) status = hk_response_input_find(linear, f->input, &input, err);
  if (!status) status = hk_response_create(s, linear, input, channel, f->n_curves, &response, err);
  for (int k = 0; k < f->n_curves && !status; k++)
    status = check_unit(&f->curve[k], hk_response_unit(response, k), err);
  for (size_t i = 0; i < n && !status; i++) {
    status = hk_response_value(response, 2 * M_PI * f->x[i], h, err);
    for (size_t k = 0; k < c && !status; k++) y[k * n + i] = part_of(h + 2 * k, f->curve[k].part);
  }
  if (noise) *noise = 1e-12;
  hk_response_destroy(response);
  hk_linear_destroy(linear);
  hk_sim_destroy(s);
  free(h);
  return status;
}

static hk_status find_channels(const hk_fit *f, const hk_model *m, int *channel, hk_error *err) {
  for (int k = 0; k < f->n_curves; k++) {
    const char *name = f->curve[k].channel;
    channel[k] = hk_model_channel_find(m, name);
    if (channel[k] >= 0) continue;
    const char **all = calloc((size_t)m->n_channels + 1, sizeof *all);
    for (int i = 0; i < m->n_channels && all; i++) all[i] = m->channel[i].name;
    const char *near = all ? hk_nearest_name(name, all, m->n_channels) : NULL;
    free(all);
    return hk_fail(err, HK_EINPUT, "the model has no channel '%s'%s%s%s", name,
                   near ? "; did you mean '" : "; see `hooke check MODEL --channels`",
                   near ? near : "", near ? "'?" : "");
  }
  return HK_OK;
}

hk_status hk_fit_curves(hk_fit *f, const double *value, double *y, double *noise, hk_error *err) {
  hk_model *m = NULL;
  int *channel = calloc((size_t)f->n_curves + 1, sizeof *channel);
  hk_status status = channel ? read_model(f, value, &m, err) : HK_ENOMEM;
  f->unread = status != HK_OK;
  if (!status) status = find_channels(f, m, channel, err);
  if (!status) status = (f->by_frequency ? respond : simulate)(f, m, channel, y, noise, err);
  hk_model_destroy(m);
  free(channel);
  f->runs++;
  if (status == HK_EFAIL || status > 0) status = HK_RETRY;
  if (status == HK_OK || status == HK_RETRY)
    if (f->go_on && !f->go_on(f->context, f->runs))
      return hk_fail(err, HK_STOPPED, "stopped by the caller");
  return status;
}
