/* Behaviour of recorded channels between two rows of the results: how far they exceed both rows, and how often they
 * change direction.
 *
 * By default there are a few hundred rows, independent of the motion. If an oscillation is faster than the rows, the
 * values in the rows look like a slow oscillation. With this record, a program that reads the results detects such
 * oscillations, and plots show the true range of a channel. */
#ifndef HK_STUDY_RUN_BETWEEN_H
#define HK_STUDY_RUN_BETWEEN_H
#include <hooke/base.h>
#include <stdint.h>

typedef struct hk_between_channel {
  double row;         /* value of the last row */
  double low, high;   /* since then */
  double least, most; /* of all */
  double turn;        /* extreme value in the present direction */
  /* direction of change: 1 up, -1 down, 0 not known; number of changes of direction since the last
   * row */
  int direction, turns;
} hk_between_channel;

typedef struct hk_between {
  hk_between_channel *channel; /* [n] */
  float *record;               /* [3 n] below, above, turns: see hk_results_append */
  int n;
} hk_between;

hk_status hk_between_init(hk_between *b, int n);
void hk_between_free(hk_between *b);
/* Adds the values at the end of a step, [n]. */
void hk_between_add(hk_between *b, const double *value);
/* Ends an interval at a row with these values; b->record describes the time since the previous row. */
void hk_between_row(hk_between *b, const double *value);
#endif
