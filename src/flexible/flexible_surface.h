/* Deformation, stress and surface velocity of a flexible body at a state of its modes. */
#ifndef HK_FLEXIBLE_FLEXIBLE_SURFACE_H
#define HK_FLEXIBLE_FLEXIBLE_SURFACE_H
#include "flexible/flexible_data.h"

/* The coordinates a [m] are those of the channels `mode[k]`: root mean square displacements.  The surface must have been read. */

/* out [n_vertices][3]: displacements [m], body axes. */
void hk_flexible_displacement(const hk_flexible_data *d, const double *a, float *out);
/* out [n_vertices][6]: stresses xx, yy, zz, xy, yz, zx [Pa], body axes; the body must have them. */
void hk_flexible_stress(const hk_flexible_data *d, const double *a, float *out);
double hk_von_mises(const float stress[6]);

/* Integral over the surface of the squared normal velocity: v.B v with v = (velocity of the centre of mass, angular velocity, rates of
 * the modes), body axes.  B [6 + m][6 + m], symmetric. */
hk_status hk_flexible_surface_velocity(const hk_flexible_data *d, double *B, hk_error *err);
#endif
