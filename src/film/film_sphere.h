/* Reynolds' equation between a ball and a complete spherical socket.
 *
 * The polar angle theta is measured from the direction of the eccentricity, and the angle phi around this direction.
 * With the radius r of the ball, the radial clearance c, the eccentricity eps as a fraction of c and the viscosity mu,
 * the film thickness is h = c (1 - eps cos(theta)). If the centre of the ball moves with the velocity V towards the
 * wall and W along it (see film_table.h), the pressure is
 *   p = 6 mu r^2/c^3 (V g0(theta) + W g1(theta) cos(phi))
 * The function g0 is known in closed form, with ambient pressure at theta = 90 degrees, as in
 * [MecanicaComputacional2022]. The function g1 is the solution of
 *   (sin H^3 g1')'/sin - H^3 g1/sin^2 = -2 sin,   H = 1 - eps cos
 * by finite elements, where sin and cos are those of theta. Either all of this pressure acts or only the part above
 * ambient (Guembel's condition). A complete socket encloses its oil, so that a no-flow condition at the edge of the
 * cavity would leave the pressure level undetermined. */
#ifndef HK_FILM_FILM_SPHERE_H
#define HK_FILM_FILM_SPHERE_H
#include "film/film_table.h"

/* Coefficients of the full film: radial, tangential; force = kappa K velocity. */
void hk_film_sphere_full(double eps, double *radial, double *tangential);

/* Makes the table. Peak pressures are in units of 6 mu r^2/c^3 times velocity. */
hk_status hk_film_sphere_make(hk_arena *arena, double cut, bool cavitates, hk_film_table *out,
                              hk_error *err);
#endif
