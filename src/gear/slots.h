/* What pairs of teeth in contact remember, and where: in slots of the element's memory.
 *
 * A slot belongs to one pair of teeth from when it comes into the path of contact until it leaves it; then it is
 * free for the next one.  A pair that comes takes the lowest free slot, so that as long as the gears turn one
 * way the slots take turns.  The flanks have slots of their own, as many as they can have pairs.
 */
#ifndef HK_GEAR_SLOTS_H
#define HK_GEAR_SLOTS_H
#include "gear/pair.h"

enum { HK_GEAR_MAX_RECORDED = 16 };

/* The slots of one flank. */
typedef struct hk_gear_slots {
  const hk_gear_pair *p;
  double flank;         /* 1: forward, -1: backward */
  int tooth;            /* of pair 0, in base pitches of gear 1 */
  const double *memory; /* NULL: nothing is remembered */
} hk_gear_slots;

/* Doubles of memory. */
int hk_gear_slots_size(const hk_gear_pair *p);
/* hk_gear_recall.of; the context is an hk_gear_slots. */
const double *hk_gear_slots_recall(const void *slots, int pair);
/* The slot of a pair that is among the loads, from 0, as it has it or is about to take it. */
int hk_gear_slot(const hk_gear_slots *s, const hk_gear_flank_load *l, int pair);
/* Writes what the loads leave to remember after a step of length dt; `next` is another memory, all zero before
 * the first flank. */
void hk_gear_slots_keep(const hk_gear_slots *s, const hk_gear_flank_load *l, double dt,
                        double *next);
/* How many slots are recorded: as many pairs as can be on the path of contact of a gear as it was drawn. */
int hk_gear_recorded(const hk_gear_pair *p);
#endif
