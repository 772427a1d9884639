/* The whole gear assembled from equal sectors: a chain of sectors is condensed to its two ends
 * by repeated doubling of its length, and closed to a ring with the few sectors for which
 * displacements are needed.
 *
 * Displacements of a cut are in the axes of the sector to its right, so that all sectors are
 * equal and no Fourier harmonics are needed: exact for any number of teeth. */
#ifndef HK_FE_RING_H
#define HK_FE_RING_H
#include "fe/condense.h"

/* Computes the displacements of the cuts -reach .. reach + 1 of the ring under the first n vectors
 * of the sector, which act on sector 0: out[(2 reach + 2) s->n][n] by columns. Cut 0 is the left
 * cut of sector 0. */
hk_status hk_fe_ring_solve(const hk_fe_sector *s, int teeth, int reach, int n,
                           const hk_fe_progress *progress, double *out, hk_error *err);

/* Transforms the right cut of the sector to the axes of the next sector, rotated by `turn`. */
void hk_fe_sector_turn(hk_fe_sector *s, int dim, double turn);
#endif
