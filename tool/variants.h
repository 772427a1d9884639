/* Shared by the commands that run many variants: progress, tables on the screen, figures. */
#ifndef TOOL_VARIANTS_H
#define TOOL_VARIANTS_H
#include "json.h"
#include "load.h"
#include "study/campaign.h"
#include "statistics/summary.h"
#include "study/study_table.h"

/* Progress in one line on stderr: number done, total, failures, remaining time. */
typedef struct tool_study_progress {
  bool shown, drawn;
  double began, last;
} tool_study_progress;
void tool_study_progress_begin(tool_study_progress *p, bool quiet);
/* For hk_campaign_options.go_on, with the progress as context: false after Ctrl-C. */
bool tool_study_progress_draw(void *context, int64_t done, int64_t failed, int64_t todo);
void tool_study_progress_end(tool_study_progress *p);
/* "3:20 min" */
void tool_duration(double seconds, char *text, size_t size);

/* Prints rows (at most `most`, 0: all) with the values of the axes as written. */
hk_status tool_rows_print(const hk_plan *plan, const hk_table *t, int64_t most, hk_error *err);
/* Writes the text of a cell; v is scratch memory (v->number = -1 at first). */
void tool_cell(const hk_plan *plan, const hk_table *t, hk_variant *v, int64_t row, int k,
               char *text, size_t size);
/* Number of characters of a text on a screen; and the title "name [unit]" of a column. */
int tool_columns_of(const char *text);
void tool_column_title(const hk_table_column *c, char *text, size_t size);
/* Computes statistics of one measure or goal; false for other columns and if there is no value
 * (study_statistics.c). */
bool tool_statistics_of(const hk_table *t, int k, hk_summary *out);
void tool_statistics_print(const hk_table *t);
/* "statistics": {measure: {...}} */
void tool_statistics_json(tool_json *j, const hk_table *t);
/* Writes the linear regression of every measure on the axes: as text, or as "regression" in
 * JSON. */
void tool_linear_dependence(const hk_table *t, tool_json *j);
/* Writes the fraction of rows that satisfy each constraint and all constraints, with the
 * capability; j NULL: as text.  No output without constraints. */
hk_status tool_yield(const hk_plan *plan, const hk_table *t, int64_t infeasible, int64_t failed,
                     tool_json *j, hk_error *err);
/* "columns": [...], "rows": [[...]] */
hk_status tool_rows_json(tool_json *j, const hk_plan *plan, const hk_table *t, hk_error *err);

/* Draws a figure of the table: kind "auto", "line", "map", "matrix", "slice" or "pareto"; show:
 * names of columns, separated by commas, or NULL. */
hk_status tool_study_figure(const hk_study *study, const hk_table *t, const char *kind,
                            const char *show, const char *path, hk_error *err);
#define TOOL_FIGURE_KINDS "auto, line, map, matrix, slice or pareto"

/* One HTML file with table, statistics and figures (study_report.c). */
typedef struct tool_study_report {
  const hk_plan *plan;
  const hk_table *table;
  const hk_collection *collection;
} tool_study_report;
hk_status tool_study_report_write(const tool_study_report *r, const char *path, hk_error *err);
/* Writes this page for the present contents of a study's folder in the current folder; errors in
 * the file are printed, others returned in err. */
hk_status tool_study_page(const tool_args *args, const char *output, hk_error *err);
/* Returns true if the current folder contains a folder of this study. */
bool tool_study_begun(const char *file);

/* `hooke run --over`. */
int tool_run_over(const tool_args *args);
#endif
