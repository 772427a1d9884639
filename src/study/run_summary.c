/* The summary of a run: see run_summary.h. */
#include "study/run_summary.h"
#include "results/json.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM_PLAIN = 3000, ROOM_MEASURE = 700, ROOM_WARNINGS = 6000 };

size_t hk_run_summary_room(const hk_model *m) {
  size_t room = ROOM_PLAIN + ROOM_WARNINGS;
  for (int i = 0; i < m->spec->n[HK_MEASURE]; i++)
    room += ROOM_MEASURE + 6 * strlen(m->spec->item[HK_MEASURE][i]->name);
  return room;
}

static void put_measures(hk_json *j, const hk_run_report *p) {
  hk_json_open(j, "measures", '[');
  for (int i = 0; i < p->n_measures; i++) {
    const hk_run_measure *q = &p->measure[i];
    char note[80];
    hk_json_open(j, NULL, '{');
    hk_json_text(j, "name", q->name);
    hk_json_real(j, "value", q->value);
    hk_json_text(j, "unit", strcmp(q->unit, "1") == 0 ? "" : q->unit);
    if (isfinite(q->time)) hk_json_real(j, "time", q->time);
    snprintf(note, sizeof note, "%.79s", q->note);
    if (note[0]) hk_json_text(j, "note", note);
    hk_json_close(j, '}');
  }
  hk_json_close(j, ']');
}

static void put_warnings(hk_json *j, const hk_diag *d) {
  int left_out = 0;
  size_t used = 0;
  hk_json_open(j, "warnings", '[');
  for (int i = 0; i < d->n; i++) {
    char text[1200];
    if (d->message[i].severity != HK_WARNING) continue;
    hk_diag_format(&d->message[i], text, sizeof text);
    used += 6 * strlen(text) + 8; /* maximum length with escaped characters */
    if (used > ROOM_WARNINGS)
      left_out++;
    else
      hk_json_text(j, NULL, text);
  }
  hk_json_close(j, ']');
  if (left_out) hk_json_int(j, "warnings_left_out", left_out);
}

static void put_model(hk_json *j, const hk_model *m, const hk_run_report *p) {
  hk_json_open(j, "model", '{');
  for (int c = 0; c < HK_N_CATEGORIES; c++)
    if (m->spec->n[c]) hk_json_int(j, hk_category_section((hk_category)c), m->spec->n[c]);
  hk_json_int(j, "coordinates", m->nv);
  hk_json_int(j, "constraints", m->nc);
  hk_json_int(j, "redundant", p->stats.redundant);
  hk_json_int(j, "degrees_of_freedom", m->nv - m->nc + p->stats.redundant);
  hk_json_close(j, '}');
}

typedef struct outcome {
  const hk_model *m;
  const hk_run_report *p;
  const hk_diag *diag;
} outcome;

static void put_summary(hk_json *j, const void *what) {
  const outcome *o = what;
  const hk_run_report *p = o->p;
  hk_json_open(j, NULL, '{');
  hk_json_text(j, "stepper", p->stepper);
  hk_json_real(j, "start", p->start);
  hk_json_real(j, "end", p->t);
  hk_json_real(j, "wall_s", p->wall_seconds);
  hk_json_int(j, "steps", p->stats.steps);
  hk_json_int(j, "rejected", p->stats.rejected);
  hk_json_int(j, "newton", p->stats.newton);
  hk_json_int(j, "factorizations", p->stats.factorizations);
  hk_json_real(j, "constraint_error", p->stats.constraint_error);
  hk_json_real(j, "energy_balance_error", p->energy_balance_error);
  put_model(j, o->m, p);
  put_measures(j, p);
  put_warnings(j, o->diag);
  hk_json_close(j, '}');
}

char *hk_run_summary(const hk_model *m, const hk_run_report *p, const hk_diag *diag) {
  size_t length;
  return hk_json_write(put_summary, &(outcome){m, p, diag}, &length);
}
