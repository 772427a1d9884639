/* Creep: slow sliding under regularised friction.
 *
 * With Coulomb's law bodies stick. With a regularised law they slide under any load, however small, at a fraction of
 * the regularisation velocity. Over a long time this distance may become as large as the motion of interest. The
 * distance is the integral of the velocity vector, so that a joint that oscillates about rest adds nothing. */
#ifndef HK_SIM_CREEP_H
#define HK_SIM_CREEP_H
#include "sim/sim.h"

/* Creates a record for each force and contact with regularised friction. */
hk_status hk_creep_create(hk_sim *s);
/* Resets all distances and times. */
void hk_creep_begin(hk_sim *s);
/* Call after a step that ends at the time `now`, with the frames of this end in `work`. */
void hk_creep_step(hk_sim *s, double now);
/* The record with the longest distance; NULL: the model has no regularised friction. */
const hk_creep *hk_creep_worst(const hk_sim *s);

/* The part of a record that continues from step to step, as an array of this many doubles. */
enum { HK_CREEP_KEPT = 9 };
void hk_creep_save(const hk_creep *c, double *out);
void hk_creep_restore(hk_creep *c, const double *in);
#endif
