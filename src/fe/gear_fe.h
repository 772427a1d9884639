/* Bulk compliance of a gear by finite elements: the table of gear/compliance.h.
 *
 * The whole gear, held at its bore, under a unit force on one slice of one tooth along the flank's normal.
 * On the loaded tooth the displacement is read not at the flank but at the depth point, where the line of
 * action meets the middle of the tooth: what is between is the local deformation, which the law of the
 * contact has (Weber and Banaschek's formula is the approach of a surface and a point at that depth), so
 * nothing counts twice [WeberBanaschek1953; AnderssonVedmar2003].  On neighbouring teeth it is read at the
 * flank.
 */
#ifndef HK_GEAR_FE_H
#define HK_GEAR_FE_H
#include "fe/condense.h"
#include "gear/compliance.h"

typedef struct hk_fe_gear {
  hk_fe_body body;
  /* body.twist > 0: with rising slice number the teeth lie further to the side that the loaded flank faces;
   * then at any moment the roll length rises with the slice number.  For the other flank take the slices in
   * reverse. */
  int slices, stations, reach;  /* of the table */
  double roll_first, roll_last; /* m: first and last station */
  hk_fe_density density;
} hk_fe_gear;

/* `progress` may be NULL; its from and share are not looked at. */
hk_status hk_fe_gear_solve(const hk_fe_gear *gear, hk_arena *arena, const hk_fe_progress *progress,
                           hk_gear_compliance *out, hk_error *err);
#endif
