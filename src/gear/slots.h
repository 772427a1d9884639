/* Internal variables of tooth pairs in contact: their layout in slots of the memory of the
 * element.
 *
 * A slot belongs to one tooth pair from its entry into the path of contact until its exit; then
 * it is free for the next pair. A new pair takes the lowest free slot, so that the slots are
 * used cyclically while the gears rotate in one direction. Each flank has its own slots, as many
 * as it can have pairs. */
#ifndef HK_GEAR_SLOTS_H
#define HK_GEAR_SLOTS_H
#include "gear/pair.h"

enum { HK_GEAR_MAX_RECORDED = 16 };

/* Data for finding the slots of one flank in the internal variables of the element. */
typedef struct hk_gear_slots {
  const hk_gear_pair *p;
  double flank;         /* 1: forward, -1: backward */
  int tooth;            /* tooth of pair 0, in base pitches of gear 1 */
  const double *memory; /* NULL: no internal variables */
} hk_gear_slots;

/* Number of internal variables (doubles). */
int hk_gear_slots_size(const hk_gear_pair *p);
/* hk_gear_recall.of; the context is an hk_gear_slots. */
const double *hk_gear_slots_recall(const void *slots, int pair);
/* Returns the slot of a pair in `l`, counted from 0: its present slot, or the slot that it will get. */
int hk_gear_slot(const hk_gear_slots *s, const hk_gear_flank_load *l, int pair);
/* Writes the internal variables after a step of size dt to another memory block `next`, which
 * must be zero before the first flank. */
void hk_gear_slots_keep(const hk_gear_slots *s, const hk_gear_flank_load *l, double dt,
                        double *next);
/* Number of recorded slots: the maximum number of pairs on the path of contact at the nominal
 * centre distance. */
int hk_gear_recorded(const hk_gear_pair *p);
#endif
