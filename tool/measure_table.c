/* Measures on the screen and as JSON: see measure_table.h. */
#include "measure_table.h"
#include <math.h>
#include <string.h>

/* Number of characters on the screen, for scripts in which each character takes one column. */
static int columns(const char *s) {
  int n = 0;
  for (; *s; s++) n += ((unsigned char)*s & 0xC0) != 0x80;
  return n;
}

/* Columns: name, value, unit, time. */
enum { N_CELLS = 4, CELL = 160 };
static void fill_cells(const hk_run_measure *q, char cell[N_CELLS][CELL]) {
  snprintf(cell[0], CELL, "%s", q->name);
  snprintf(cell[1], CELL, isfinite(q->value) ? "%.9g" : "none", q->value);
  snprintf(cell[2], CELL, "%s", strcmp(q->unit, "1") == 0 ? "" : q->unit);
  cell[3][0] = 0;
  if (isfinite(q->time)) snprintf(cell[3], CELL, "%.6g s", q->time);
}

void tool_measures_print(const hk_run_report *p) {
  char cell[N_CELLS][CELL] = {"measure", "value", "unit", "at"};
  int width[N_CELLS] = {7, 5, 4, 2};
  for (int i = 0; i < p->n_measures; i++) {
    fill_cells(&p->measure[i], cell);
    for (int c = 0; c < N_CELLS; c++)
      if (columns(cell[c]) > width[c]) width[c] = columns(cell[c]);
  }
  const char *const head[N_CELLS] = {"measure", "value", "unit", "at"};
  for (int i = -1; i < p->n_measures; i++) {
    /* number of blanks to print before the next text; delayed, so that no line ends in blanks */
    int blanks = 0;
    if (i >= 0) fill_cells(&p->measure[i], cell);
    for (int c = 0; c < N_CELLS; c++) {
      const char *text = i < 0 ? head[c] : cell[c];
      int pad = width[c] - columns(text);
      bool right = c == 1 || c == 3;
      if (text[0]) printf("%*s%s", blanks + (right ? pad : 0), "", text);
      blanks = (text[0] ? right ? 0 : pad : blanks + width[c]) + 2;
    }
    putchar('\n');
  }
}

void tool_measures_json(tool_json *j, const hk_run_report *p) {
  tool_json_open(j, "measures", '{');
  for (int i = 0; i < p->n_measures; i++) {
    const hk_run_measure *q = &p->measure[i];
    tool_json_open(j, q->name, '{');
    tool_json_real(j, "value", q->value);
    tool_json_text(j, "unit", q->unit);
    if (isfinite(q->time)) tool_json_real(j, "time", q->time);
    if (q->note[0]) tool_json_text(j, "note", q->note);
    tool_json_close(j, '}');
  }
  tool_json_close(j, '}');
}
