/* Output quantities of a gear pair at one instant. */
#ifndef HK_GEAR_RECORD_H
#define HK_GEAR_RECORD_H
#include "gear/slots.h"

typedef struct hk_gear_record {
  double force;    /* sum of the loads along the common normal: forward minus backward flank, N */
  double overlap;  /* penetration of the forward flank, mean of all slices: the transmission
                    * error, m */
  double film;     /* smallest film thickness of a loaded slice, m; 0: no film */
  double pressure; /* maximum Hertzian pressure, Pa */
  double damping;  /* sum of the film damping, N s/m */
  double sliding_loss; /* W */
  double face;         /* common face width of both gears, m */
  double
      load_factor; /* largest load of a slice divided by the mean load of the slices of its pair; 0: no load */
  int pairs;                          /* number of pairs that carry load */
  int n;                              /* hk_gear_recorded */
  double load[HK_GEAR_MAX_RECORDED];  /* load of the pair in each slot, with the sign of `force`,
                                       * N */
  double share[HK_GEAR_MAX_RECORDED]; /* fraction of this load in the sum of all loads, 0 to 1 */
} hk_gear_record;

/* Adds slice m, with the normal force F, to the loads of a flank. loss: power of its sliding friction, W. */
void hk_gear_record_add(const hk_gear_slots *s, const hk_gear_flank_load *l, int m, double F,
                        double loss, hk_gear_record *r);
/* Computes the load shares after all slices have been added. */
void hk_gear_record_end(hk_gear_record *r);
#endif
