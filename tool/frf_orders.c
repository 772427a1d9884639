/* hooke frf --orders: steady response to periodic loads over a parameter, from one linear model per value. */
#include "frf_orders.h"
#include "base/file.h"
#include "figure.h"
#include "linear.h"
#include "orbit.h"
#include "periodic.h"
#include "quantity.h"
#include "results/csv.h"
#include <hooke/model_file.h>
#include <hooke/response.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_CHANNELS = 16,
  MOST_ORDERS = 32,
  DEFAULT_VALUES = 201,
  DENSE_LIMIT = 3000,
  MOST_PANELS = 8
};

typedef struct orders {
  const tool_args *args;
  tool_overrides overrides;
  hk_diag diag;
  char path[300], unit[64];
  double first, last;
  int n; /* values */
  int order[MOST_ORDERS], n_orders;
  char *names;
  const char **name;
  int n_channels;
  char label[MOST_CHANNELS][200], channel_unit[MOST_CHANNELS][64];
  double *x, *period, *value; /* [n], [n], [n][orders][channels][2] */
} orders;

/* ---- arguments ---- */

static hk_status read_orders(orders *o, hk_error *err) {
  const char *at = tool_value(o->args, "orders");
  while (*at) {
    char *end;
    long k = strtol(at, &end, 10);
    end += strspn(end, " ");
    if (end == at || k < 1 || k > 1000 || (*end && *end != ',') || o->n_orders == MOST_ORDERS)
      return hk_fail(err, HK_EINPUT,
                     "--orders needs up to %d whole numbers such as 1,2,4, not '%s'", MOST_ORDERS,
                     tool_value(o->args, "orders"));
    o->order[o->n_orders++] = (int)k;
    at = *end ? end + 1 : end;
  }
  return o->n_orders ? HK_OK : hk_fail(err, HK_EINPUT, "--orders needs at least one number");
}

static hk_status read_axis(orders *o, hk_error *err) {
  const char *text = tool_value(o->args, "over"), *equal = text ? strchr(text, '=') : NULL;
  o->n = 1;
  if (!text) return HK_OK;
  size_t length = equal ? (size_t)(equal - text) : 0;
  while (length > 0 && text[length - 1] == ' ') length--;
  if (length == 0 || length >= sizeof o->path)
    return hk_fail(
        err, HK_EINPUT,
        "--over needs PATH=FIRST:LAST:COUNT, such as \"speed = 100:6000:60 rpm\", not '%s'", text);
  snprintf(o->path, sizeof o->path, "%.*s", (int)length, text);
  o->n = DEFAULT_VALUES;
  hk_status status = tool_range(equal + 1 + strspn(equal + 1, " "), NULL, "--over", &o->first,
                                &o->last, &o->n, o->unit, err);
  return !status && o->n < 2
             ? hk_fail(err, HK_EINPUT, "--over needs at least 2 values, not %d", o->n)
             : status;
}

static hk_status read_arguments(orders *o, hk_error *err) {
  static const char *const other[] = {"from", "range", "points"};
  const char *to = tool_value(o->args, "to");
  for (int i = 0; i < 3; i++)
    if (tool_value(o->args, other[i]))
      return hk_fail(
          err, HK_EINPUT,
          "--%s cannot be used with --orders, because the loads of the model are the excitation",
          other[i]);
  if (!to) return hk_fail(err, HK_EINPUT, "no output channel; give --to CHANNEL,CHANNEL");
  if (!tool_value(o->args, "period"))
    return hk_fail(
        err, HK_EINPUT,
        "--orders needs --period: the time of order 1, its frequency or speed, or a channel");
  if (strcmp(o->args->word[0], "-") == 0)
    return hk_fail(err, HK_EINPUT,
                   "the model is read once per value, so it must be a file, not standard input");
  o->names = strdup(to);
  o->name = calloc(strlen(to) + 1, sizeof *o->name);
  if (!o->names || !o->name) return hk_fail(err, HK_ENOMEM, "out of memory");
  o->n_channels = tool_split(o->names, o->name);
  if (o->n_channels > MOST_CHANNELS)
    return hk_fail(err, HK_EINPUT, "--to needs 1 to %d channels", MOST_CHANNELS);
  hk_status status = read_orders(o, err);
  if (!status) status = read_axis(o, err);
  if (status) return status;
  o->x = calloc((size_t)o->n * (size_t)(2 + 2 * o->n_orders * o->n_channels) + 1, sizeof *o->x);
  if (!o->x) return hk_fail(err, HK_ENOMEM, "out of memory");
  o->period = o->x + o->n;
  o->value = o->period + o->n;
  return tool_overrides_read(&o->overrides, o->args, &o->diag);
}

/* ---- one value ---- */

static hk_model *read_model(orders *o, double value, hk_error *err) {
  char text[128];
  hk_model *model = NULL;
  hk_override *set = calloc((size_t)o->overrides.n + 1, sizeof *set);
  if (!set) {
    o->diag.out_of_memory = true;
    return NULL;
  }
  int n = o->overrides.n;
  if (n) memcpy(set, o->overrides.set, (size_t)n * sizeof *set);
  snprintf(text, sizeof text, "%.17g%s%.60s", value, o->unit[0] ? " " : "", o->unit);
  if (o->path[0]) set[n++] = (hk_override){o->path, text};
  hk_diag diag;
  hk_diag_init(&diag);
  hk_spec *spec = hk_model_file_read_with(o->args->types, o->args->word[0], set, n, &diag);
  if (spec && hk_spec_first_order(spec, err)) hk_diag_add(&diag, HK_ERROR, NULL, "%s", err->text);
  if (spec) model = hk_model_compile(spec, &diag);
  if (!model) {
    char *first = tool_first_error(&diag);
    hk_fail(err, HK_EINPUT, "%s", first ? first : "out of memory");
    free(first);
  }
  hk_diag_free(&diag);
  free(set);
  return model;
}

static hk_status find_state(const orders *o, hk_model *m, hk_sim **sim, hk_diag *diag,
                            hk_error *err) {
  const char *at = tool_value(o->args, "at");
  hk_static_report report;
  const hk_static_options still = {.as_placed = tool_flag(o->args, "as-placed")};
  if (!at) return hk_static_solve(m, &still, sim, &report, diag, err);
  double time;
  hk_status status = tool_quantity(at, "s", "--at", &time, err);
  if (!status) status = hk_sim_create(m, &(hk_sim_options){.no_stepping = true}, sim, diag, err);
  return status ? status : hk_sim_advance(*sim, time, err);
}

static hk_status respond(orders *o, hk_model *m, int i, hk_diag *diag, hk_error *err) {
  int channel[MOST_CHANNELS];
  hk_orbit_options only = {.n_channels = o->n_channels};
  hk_status status =
      hk_sweep_resolve(m, &(hk_sweep_names){.channel = o->name}, &only, channel, err);
  for (int k = 0; k < o->n_channels && !status && i == 0; k++) {
    snprintf(o->label[k], sizeof o->label[k], "%.190s", o->name[k]);
    snprintf(o->channel_unit[k], sizeof o->channel_unit[k], "%.60s",
             hk_model_channel_unit(m, channel[k]));
  }
  hk_periodic_options how = {0};
  hk_sim *sim = NULL;
  hk_linear *linear = NULL;
  if (!status) status = tool_periodic_resolve(m, tool_value(o->args, "period"), NULL, &how, err);
  o->period[i] = how.period;
  if (!status) status = find_state(o, m, &sim, diag, err);
  const hk_linear_options lo = {.dense_limit = DENSE_LIMIT, .frozen = !tool_value(o->args, "at")};
  if (!status) status = hk_linear_create(sim, &lo, &linear, diag, err);
  if (!status)
    status =
        hk_response_orders(sim, linear, how.period, o->order, o->n_orders, channel, o->n_channels,
                           o->value + (size_t)i * 2 * (size_t)(o->n_orders * o->n_channels), err);
  hk_linear_destroy(linear);
  hk_sim_destroy(sim);
  return status;
}

static hk_status compute(orders *o, hk_error *err) {
  hk_status status = read_arguments(o, err);
  tool_catch_signals();
  for (int i = 0; i < o->n && !status; i++) {
    o->x[i] = i == o->n - 1 ? o->last : o->first + i * (o->last - o->first) / (o->n - 1);
    if (!o->path[0]) o->x[i] = 0;
    hk_diag diag;
    hk_diag_init(&diag);
    hk_model *m = read_model(o, o->x[i], err);
    status = m ? respond(o, m, i, &diag, err) : HK_EINPUT;
    if (status && o->path[0]) {
      hk_error why = *err;
      hk_fail(err, status, "at %s = %.9g%s%s: %s", o->path, o->x[i], o->unit[0] ? " " : "", o->unit,
              why.text);
    }
    hk_model_destroy(m);
    hk_diag_free(&diag);
    if (!status && i == 0) status = tool_outputs_check(o->args, err);
    if (!status && tool_stop_signal()) status = hk_fail(err, HK_STOPPED, "stopped");
  }
  return status;
}

/* ---- output ---- */

static double magnitude(const orders *o, int i, int k, int c, double *phase) {
  const double *v =
      o->value + 2 * ((size_t)(i * o->n_orders + k) * (size_t)o->n_channels + (size_t)c);
  if (phase) *phase = atan2(v[1], v[0]) * 180 / M_PI;
  return hypot(v[0], v[1]);
}

static hk_status write_csv(const orders *o, const char *path, hk_error *err) {
  hk_new_file file;
  char text[HK_CSV_NUMBER_SIZE];
  hk_status status = hk_new_file_open(&file, path, err);
  if (status) return status;
  fprintf(file.file, "%s [%s],period [s]", o->path[0] ? o->path : "value",
          o->unit[0] ? o->unit : "1");
  for (int c = 0; c < o->n_channels; c++)
    for (int k = 0; k < o->n_orders; k++)
      fprintf(file.file, ",%s.order_%d [%s],%s.order_%d.phase [deg]", o->label[c], o->order[k],
              o->channel_unit[c], o->label[c], o->order[k]);
  fputc('\n', file.file);
  for (int i = 0; i < o->n; i++) {
    hk_csv_number(text, o->x[i]);
    fputs(text, file.file);
    tool_table_cell(file.file, o->period[i]);
    for (int c = 0; c < o->n_channels; c++)
      for (int k = 0; k < o->n_orders; k++) {
        double phase;
        tool_table_cell(file.file, magnitude(o, i, k, c, &phase));
        tool_table_cell(file.file, phase);
      }
    fputc('\n', file.file);
  }
  return hk_new_file_close(&file, HK_OK, err);
}

/* One panel per channel, one line per order. */
static hk_status draw(const orders *o, const char *path, hk_error *err) {
  if (o->n < 2) return hk_fail(err, HK_EINPUT, "a figure of orders needs --over");
  int panels = o->n_channels < MOST_PANELS ? o->n_channels : MOST_PANELS;
  double *y = malloc((size_t)o->n * (size_t)(panels * o->n_orders) * sizeof *y + 1), *at = y;
  hk_plot_series series[MOST_PANELS][MOST_ORDERS];
  hk_plot_panel panel[MOST_PANELS] = {{{0}}};
  char order[MOST_ORDERS][32];
  if (!y) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (int c = 0; c < panels; c++) {
    for (int k = 0; k < o->n_orders; k++, at += o->n) {
      snprintf(order[k], sizeof order[k], "order %d", o->order[k]);
      for (int i = 0; i < o->n; i++) at[i] = magnitude(o, i, k, c, NULL);
      series[c][k] = (hk_plot_series){
          .name = order[k], .x = o->x, .y = at, .n = o->n, .colour = HK_COLOUR_FIRST + k};
    }
    panel[c] = (hk_plot_panel){.x = {.label = o->path, .unit = o->unit, .tight = true},
                               .y = {.label = o->label[c], .unit = o->channel_unit[c], .log = true},
                               .series = series[c],
                               .n_series = o->n_orders};
  }
  const hk_plot_figure figure = {
      .title = "Steady response by orders", .panel = panel, .n_panels = panels, .share_x = true};
  hk_status status = tool_figure_save(&figure, path, err);
  free(y);
  return status;
}

/* Prints the values at both ends of the range and at the local maxima. */
static void print_table(const orders *o) {
  for (int c = 0; c < o->n_channels; c++)
    for (int k = 0; k < o->n_orders; k++) {
      printf("%s, order %d [%s]\n", o->label[c], o->order[k], o->channel_unit[c]);
      for (int i = 0; i < o->n; i++) {
        double phase, a = magnitude(o, i, k, c, &phase);
        bool end = i == 0 || i == o->n - 1;
        bool peak =
            !end && a > magnitude(o, i - 1, k, c, NULL) && a >= magnitude(o, i + 1, k, c, NULL);
        if (!end && !peak) continue;
        if (o->path[0]) printf("  %s %13.7g %s", o->path, o->x[i], o->unit);
        printf("  magnitude %13.7g  phase %8.2f deg%s\n", a, phase, peak ? "  peak" : "");
      }
    }
}

static void print_json(const orders *o, hk_status status, const hk_error *err) {
  tool_json j = {.out = stdout};
  tool_json_open(&j, NULL, '{');
  tool_json_text(&j, "status", status ? "failed" : "ok");
  if (status) tool_json_text(&j, "error", err->text);
  if (!status) {
    size_t step = 2 * (size_t)(o->n_orders * o->n_channels);
    tool_json_list(&j, "value", o->x, o->n, 1);
    tool_json_list(&j, "period_s", o->period, o->n, 1);
    tool_json_open(&j, "outputs", '[');
    for (int c = 0; c < o->n_channels; c++)
      for (int k = 0; k < o->n_orders; k++) {
        const double *v = o->value + 2 * (k * o->n_channels + c);
        tool_json_open(&j, NULL, '{');
        tool_json_text(&j, "channel", o->label[c]);
        tool_json_text(&j, "unit", o->channel_unit[c]);
        tool_json_int(&j, "order", o->order[k]);
        tool_json_list(&j, "re", v, o->n, (int)step);
        tool_json_list(&j, "im", v + 1, o->n, (int)step);
        tool_json_close(&j, '}');
      }
    tool_json_close(&j, ']');
  }
  tool_linear_json_messages(&j, &o->diag);
  tool_json_close(&j, '}');
  putchar('\n');
}

int tool_frf_orders(const tool_args *args) {
  orders o = {.args = args};
  hk_error err = {0};
  hk_diag_init(&o.diag);
  hk_status status = compute(&o, &err);
  const char *figure = tool_value(args, "output"), *csv = tool_value(args, "csv");
  if (!status && csv) status = write_csv(&o, csv, &err);
  if (!status && figure) status = draw(&o, figure, &err);
  if (status < 0 && o.diag.n_errors == 0)
    hk_diag_add(&o.diag, HK_ERROR, &(hk_location){args->word[0], 0, 0}, "%s", err.text);
  tool_print_diag(&o.diag, 0);
  if (tool_flag(args, "json"))
    print_json(&o, status, &err);
  else if (!status && !tool_output_taken(args))
    print_table(&o);
  free(o.names);
  free(o.name);
  free(o.x);
  tool_overrides_free(&o.overrides);
  hk_diag_free(&o.diag);
  return status == HK_STOPPED ? 128 + tool_stop_signal() : tool_exit_code(status);
}
