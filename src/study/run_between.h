/* What recorded channels do between two rows of the results: by how much they go beyond both, and how often they turn.
 *
 * Rows are a few hundred unless the model asks for more, whatever the motion does.  An oscillation that is faster than they are
 * looks like a slow one in them.  With this record a reader knows, and plots show how far a channel really came.
 */
#ifndef HK_RUN_BETWEEN_H
#define HK_RUN_BETWEEN_H
#include <hooke/base.h>
#include <stdint.h>

typedef struct hk_between_channel {
  double row;           /* value of the last row */
  double low, high;     /* since then */
  double least, most;   /* of all */
  double turn;          /* farthest value in the direction that it goes now */
  int direction, turns; /* 1 up, -1 down, 0 not known; changes of it since the last row */
} hk_between_channel;

typedef struct hk_between {
  hk_between_channel *channel; /* [n] */
  float *record;               /* [3 n] below, above, turns: see hk_results_append */
  int n;
} hk_between;

hk_status hk_between_init(hk_between *b, int n);
void hk_between_free(hk_between *b);
/* The values at the end of a step, [n]. */
void hk_between_add(hk_between *b, const double *value);
/* A row with these values; b->record is of the time since the one before. */
void hk_between_row(hk_between *b, const double *value);
#endif
