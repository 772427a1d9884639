/* The table and the figure of periodic orbits over a parameter. */
#include "base/file.h"
#include "figure.h"
#include "linear.h"
#include "periodic_over.h"
#include "results/csv.h"
#include <hooke/plot.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIXED = 5, MOST_COLUMNS = TOOL_OVER_MOST_COLUMNS };

/* ---- tables and figure ---- */

static hk_status write_csv(const tool_over *v, const char *path, hk_error *err) {
  hk_new_file file;
  char text[HK_CSV_NUMBER_SIZE];
  hk_status status = hk_new_file_open(&file, path, err);
  if (status) return status;
  fprintf(file.file, "%s [%s],found,period [s],residual,plain error,largest multiplier,stability%s",
          v->path, v->unit[0] ? v->unit : "1", v->through ? ",event" : "");
  for (int k = 0; k < v->n_columns; k++) fprintf(file.file, ",%s", v->title[k]);
  fputc('\n', file.file);
  for (int i = 0; i < v->done; i++) {
    const tool_over_row *r = &v->rows[i];
    const double number[] = {r->value, r->found, r->period, r->residual, r->error, r->mu};
    for (int k = 0; k < 6; k++) {
      hk_csv_number(text, number[k]);
      fprintf(file.file, "%s%s", k ? "," : "", text);
    }
    fprintf(file.file, ",%s", tool_stability(r->stability));
    if (v->through) fprintf(file.file, ",%s", hk_special_name(r->special));
    for (int k = 0; k < v->n_columns; k++) {
      hk_csv_number(text, r->found ? r->column[k] : NAN);
      fprintf(file.file, ",%s", text);
    }
    fputc('\n', file.file);
  }
  return hk_new_file_close(&file, HK_OK, err);
}

static void print_table(const tool_over *v) {
  long steps = 0;
  printf("%16.16s  %12s  %9s  %8s  %-9s", v->path, "period [s]", "error", "|mu|", "");
  for (int k = 0; k < v->n_columns && k < FIXED; k++) printf("  %20.20s", v->title[k]);
  putchar('\n');
  for (int i = 0; i < v->done; i++) {
    const tool_over_row *r = &v->rows[i];
    printf("%16.9g  ", r->value);
    if (!r->found) {
      printf("no orbit: changes by %.2g per period\n", r->residual);
      continue;
    }
    printf("%12.7g  %9.1e  %8.5g  %-9s", r->period, r->error, r->mu,
           r->stability ? tool_stability(r->stability) : "");
    for (int k = 0; k < v->n_columns && k < FIXED; k++) printf("  %20.9g", r->column[k]);
    if (r->special)
      printf("  %s%s\n", hk_special_name(r->special), r->located ? "" : " near here, not located");
    else
      puts(r->fresh && i ? "  (new start)" : "");
    steps += r->steps;
  }
  if (!v->through) printf("%ld steps in all\n", steps);
}

static void print_json(const tool_over *v, hk_status status, const char *error) {
  tool_json j = {.out = stdout};
  tool_json_open(&j, NULL, '{');
  tool_json_text(&j, "status", status == HK_STOPPED ? "stopped" : error ? "failed" : "ok");
  if (error) tool_json_text(&j, "error", error);
  static const char *const fixed[] = {"value",    "found",       "period",
                                      "residual", "plain_error", "largest_multiplier"};
  const int texts = v->through ? 2 : 0;
  tool_json_open(&j, "columns", '[');
  for (int k = 0; k < 6; k++) tool_json_text(&j, NULL, fixed[k]);
  if (texts) tool_json_text(&j, NULL, "stability"), tool_json_text(&j, NULL, "event");
  for (int k = 0; k < v->n_columns; k++) tool_json_text(&j, NULL, v->title[k]);
  tool_json_close(&j, ']');
  tool_json_open(&j, "rows", '[');
  for (int i = 0; i < v->done; i++) {
    const tool_over_row *r = &v->rows[i];
    const double number[] = {r->value, r->found, r->period, r->residual, r->error, r->mu};
    tool_json_open(&j, NULL, '[');
    for (int k = 0; k < 6; k++) tool_json_real(&j, NULL, number[k]);
    if (texts) {
      tool_json_text(&j, NULL, tool_stability(r->stability));
      tool_json_text(&j, NULL, hk_special_name(r->special));
    }
    for (int k = 0; k < v->n_columns; k++) tool_json_real(&j, NULL, r->found ? r->column[k] : NAN);
    tool_json_close(&j, ']');
  }
  tool_json_close(&j, ']');
  tool_linear_json_messages(&j, &v->diag);
  tool_json_close(&j, '}');
  putchar('\n');
}

/* ---- figure ---- */

enum { MOST_PANELS = 6, PARTS = 4, MOST_NOTES = 40 };

/* Returns true if row i belongs to a series of a panel: stable, unstable or undecided orbits, or events. An event
 * ends one part of a curve and begins the next. */
static bool belongs(const tool_over *v, int i, int part) {
  static const hk_stability of[] = {HK_STABLE, HK_UNSTABLE, HK_UNDECIDED};
  const tool_over_row *r = &v->rows[i];
  if (!r->found) return false;
  if (part == PARTS - 1) return r->special != HK_ORDINARY;
  if (r->stability == HK_STABILITY_UNKNOWN && !r->special) return part == 0;
  if (!r->special) return r->stability == of[part];
  return (i > 0 && v->rows[i - 1].stability == of[part]) ||
         (i + 1 < v->done && v->rows[i + 1].stability == of[part]);
}

static hk_plot_series part_of(const tool_over *v, int part, const double *x, const double *y) {
  static const char *const name[] = {"stable", "unstable", "undecided", NULL};
  static const hk_plot_line line[] = {HK_LINE_SOLID, HK_LINE_DASHED, HK_LINE_DOTTED, HK_LINE_NONE};
  static const hk_plot_marker marker[] = {HK_MARKER_DOT, HK_MARKER_CIRCLE, HK_MARKER_CIRCLE,
                                          HK_MARKER_CROSS};
  const bool event = part == PARTS - 1;
  bool jumps = !v->through &&
               part > 0; /* without --through, neighbouring rows may belong to different branches */
  return (hk_plot_series){.name = name[part],
                          .x = x,
                          .y = y,
                          .n = v->done,
                          .line = jumps ? HK_LINE_NONE : line[part],
                          .marker = v->through && !event ? HK_MARKER_NONE : marker[part],
                          .colour = event ? HK_COLOUR_GREY : HK_COLOUR_FIRST + part};
}

static void draw_panel(const tool_over *v, int k, double *at, const double *x,
                       hk_plot_series *series, hk_plot_note *note, hk_plot_panel *panel) {
  int n = 0, notes = 0;
  for (int part = 0; part < PARTS; part++) {
    bool any = false;
    for (int i = 0; i < v->done; i++) {
      bool in = belongs(v, i, part);
      at[i] = in ? v->rows[i].column[k] : NAN;
      any |= in;
    }
    if (!any) continue;
    series[n++] = part_of(v, part, x, at);
    at += v->done;
  }
  for (int i = 0; i < v->done && notes < MOST_NOTES; i++)
    if (v->rows[i].found && v->rows[i].special)
      note[notes++] =
          (hk_plot_note){x[i], v->rows[i].column[k], hk_special_name(v->rows[i].special)};
  panel->y.label = v->title[k];
  panel->series = series;
  panel->n_series = n;
  panel->note = note;
  panel->n_notes = notes;
}

/* Draws each column over the parameter. */
static hk_status draw(const tool_over *v, const char *path, hk_error *err) {
  int panels = v->n_columns < MOST_PANELS ? v->n_columns : MOST_PANELS;
  if (panels == 0)
    return hk_fail(err, HK_EINPUT,
                   "--plot has nothing to draw: the model has no measures; give --channels NAMES");
  size_t n = (size_t)v->done;
  double *x = malloc((PARTS * n + 1) * (size_t)(panels + 1) * sizeof *x);
  hk_plot_series series[MOST_PANELS][PARTS];
  hk_plot_note note[MOST_PANELS][MOST_NOTES];
  hk_plot_panel panel[MOST_PANELS] = {{{0}}};
  char label[400];
  if (!x) return hk_fail(err, HK_ENOMEM, "out of memory");
  snprintf(label, sizeof label, "%.299s [%.63s]", v->path, v->unit[0] ? v->unit : "1");
  for (size_t i = 0; i < n; i++) x[i] = v->rows[i].value;
  for (int k = 0; k < panels; k++) {
    panel[k].x.label = label;
    draw_panel(v, k, x + n + PARTS * n * (size_t)k, x, series[k], note[k], &panel[k]);
  }
  const hk_plot_figure figure = {.panel = panel, .n_panels = panels};
  hk_status status = tool_figure_save(&figure, path, err);
  free(x);
  return status;
}

/* ---- all outputs ---- */

hk_status tool_over_show(tool_over *v, hk_status ran, hk_error *err) {
  const char *output = tool_value(v->args, "output"), *plot = tool_value(v->args, "plot");
  hk_status status = HK_OK;
  for (int i = 0; i < v->done; i++)
    if (v->rows[i].why) {
      hk_diag_add(&v->diag, HK_WARNING, &(hk_location){.file = v->args->word[0]},
                  "%d of %d values have no orbit; the first is %g %s: %s", v->done - v->found,
                  v->done, v->rows[i].value, v->unit, v->rows[i].why);
      break;
    }
  if (output) status = write_csv(v, output, err);
  if (!status && plot && v->found) status = draw(v, plot, err);
  if (!status && !tool_flag(v->args, "json") && (!output || strcmp(output, "-") != 0))
    print_table(v);
  if (!status && !ran && v->found == 0)
    status = hk_fail(err, HK_EFAIL, "no orbit was found at any of the values");
  return status;
}

int tool_over_end(tool_over *v, hk_status status, hk_error *err) {
  if (status < 0 && v->diag.n_errors == 0)
    hk_diag_add(&v->diag, HK_ERROR, &(hk_location){"hooke", 0, 0}, "%s", err->text);
  tool_print_diag(&v->diag, 0);
  if (tool_flag(v->args, "json")) print_json(v, status, status < 0 ? err->text : NULL);
  for (int i = 0; i < v->done && v->rows; i++) free(v->rows[i].why);
  free(v->rows);
  free(v->state);
  free(v->channels);
  free(v->channel);
  tool_overrides_free(&v->overrides);
  hk_diag_free(&v->diag);
  return status == HK_STOPPED ? 128 + tool_stop_signal() : tool_exit_code(status);
}
