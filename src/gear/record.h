/* What a gear pair has to tell of one moment. */
#ifndef HK_GEAR_RECORD_H
#define HK_GEAR_RECORD_H
#include "gear/slots.h"

typedef struct hk_gear_record {
  double force;    /* sum of the loads along the common normal: forward flank less the other, N */
  double overlap;  /* of the forward flank, mean of all slices: the transmission error, m */
  double film;     /* smallest that carries load, m; 0: none */
  double pressure; /* largest of Hertz, Pa */
  double damping;  /* sum of the films' damping, N s/m */
  double sliding_loss; /* W */
  double face;         /* width of the faces that both gears have in common, m */
  double load_factor;  /* largest load of a slice over the mean of its pair; 0: none */
  int pairs;           /* that carry load */
  int n;               /* hk_gear_recorded */
  double load[HK_GEAR_MAX_RECORDED];  /* of the pair in each slot, with the sign of `force`, N */
  double share[HK_GEAR_MAX_RECORDED]; /* its part of all loads, 0 to 1 */
} hk_gear_record;

/* Adds slice m of a flank's loads, which presses with F; loss: its sliding, W. */
void hk_gear_record_add(const hk_gear_slots *s, const hk_gear_flank_load *l, int m, double F,
                        double loss, hk_gear_record *r);
/* Parts of the whole, after all slices. */
void hk_gear_record_end(hk_gear_record *r);
#endif
