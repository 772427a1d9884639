/* Bulk compliance of a gear by finite elements: the table of gear/compliance.h.
 *
 * The whole gear, fixed at its bore, under a unit force on one slice of one tooth along the
 * normal of the flank. On the loaded tooth the displacement is taken not at the flank but at the
 * depth point, at which the line of action meets the middle of the tooth. The deformation
 * between them is the local deformation, which belongs to the law of the contact (the formula of
 * Weber and Banaschek is the approach of the surface and a point at that depth), so that no
 * deformation is counted twice [WeberBanaschek1953; AnderssonVedmar2003]. On neighbouring teeth
 * the displacement is taken at the flank. */
#ifndef HK_FE_GEAR_FE_H
#define HK_FE_GEAR_FE_H
#include "fe/condense.h"
#include "gear/compliance.h"

typedef struct hk_fe_gear {
  hk_fe_body body;
  /* body.twist > 0: with increasing slice number the teeth are displaced towards the side of the
   * loaded flank; then at any instant the roll length increases with the slice number. For the
   * other flank use the slices in reverse order. */
  int slices, stations, reach;  /* dimensions of the table */
  double roll_first, roll_last; /* m: first and last station */
  hk_fe_density density;
} hk_fe_gear;

/* Computes the table; `progress` may be NULL; its from and share are ignored. */
hk_status hk_fe_gear_solve(const hk_fe_gear *gear, hk_arena *arena, const hk_fe_progress *progress,
                           hk_gear_compliance *out, hk_error *err);
#endif
