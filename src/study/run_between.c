/* Extremes of channels between two rows: see run_between.h. */
#include "study/run_between.h"
#include <math.h>
#include <stdlib.h>

/* This function processes every channel at every step. Comparisons are several times faster
 * than fmin and fmax; they are correct because no value is NaN here. */
static double lower(double a, double b) { return b < a ? b : a; }
static double higher(double a, double b) { return b > a ? b : a; }

/* A change of direction counts only if it exceeds this fraction of the range so far and round-off, because noise
 * changes its direction all the time. */
static const double counts = 1e-3, round_off = 1e-12;

hk_status hk_between_init(hk_between *b, int n) {
  *b = (hk_between){.n = n};
  b->channel = calloc((size_t)n + 1, sizeof *b->channel);
  b->record = calloc(3 * (size_t)n + 1, sizeof *b->record);
  if (!b->channel || !b->record) return HK_ENOMEM;
  for (int i = 0; i < n; i++) b->channel[i] = (hk_between_channel){.row = NAN, .low = NAN};
  return HK_OK;
}

void hk_between_free(hk_between *b) {
  free(b->channel);
  free(b->record);
  *b = (hk_between){0};
}

static void add(hk_between_channel *c, double y) {
  /* true: the channel does not change, such as the force of an open contact; false: it changes,
   * or there is no row yet */
  if (y == c->low && y == c->high && y == c->turn) return;
  if (isnan(c->row)) *c = (hk_between_channel){y, y, y, y, y, y, 0, 0};
  if (!isfinite(y)) return;
  c->low = lower(c->low, y), c->high = higher(c->high, y);
  c->least = lower(c->least, y), c->most = higher(c->most, y);
  double back = y - c->turn, matters = counts * (c->most - c->least) + round_off * fabs(y);
  if (c->direction * back >= 0 && c->direction != 0) {
    c->turn = y;
  } else if (fabs(back) > matters) {
    c->turns += c->direction != 0;
    c->direction = back > 0 ? 1 : -1;
    c->turn = y;
  }
}

void hk_between_add(hk_between *b, const double *value) {
  for (int i = 0; i < b->n; i++) add(&b->channel[i], value[i]);
}

void hk_between_row(hk_between *b, const double *value) {
  for (int i = 0; i < b->n; i++) {
    hk_between_channel *c = &b->channel[i];
    add(c, value[i]);
    b->record[3 * i] = (float)fmax(fmin(c->row, value[i]) - c->low, 0);
    b->record[3 * i + 1] = (float)fmax(c->high - fmax(c->row, value[i]), 0);
    b->record[3 * i + 2] = (float)c->turns;
    c->row = c->low = c->high = value[i];
    c->turns = 0;
  }
}
