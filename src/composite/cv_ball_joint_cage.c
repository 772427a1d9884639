/* Geometry, mass and inertia of the cage of a ball joint.
 *
 * The cage is a ring of rectangular section with a window per ball, bounded by cylinders or, in fixed joints, by the
 * spheres that guide the cage. A model does not contain all dimensions of the cage: the width (3 ball radii) and,
 * without guide radii, the thickness (0.6 ball radii) are typical values, also used in drawings.
 *
 * With the area A = pi (ro^2 - ri^2) of the section normal to the axis, the fraction c = n half_angle/pi of the circumference that
 * the windows take, and l = width/2, h = half the width of a window,
 *   M0 = int f dz = 2 (l - c h),  M2 = int f z^2 dz = 2/3 (l^3 - c h^3),  f = 1 - c within the windows, else 1,
 *   mass = rho A M0,  axial inertia = rho A/2 ((ro^2 + ri^2) M0 - 2 s M2),  transverse = axial/2 + rho A M2,
 * where s = 1 for spheres (their radii decrease as r^2 - z^2, so that A stays constant) and 0 for cylinders. */
#include "composite/cv_ball_joint.h"
#include <stdio.h>

hk_cv_ring hk_cv_cage_ring(const hk_cv_ball_joint *p) {
  const double r = 0.5 * p->pcd, b = p->ball_radius;
  hk_cv_ring ring = {.inner = r - 0.3 * b,
                     .outer = r + 0.3 * b,
                     .length = 3 * b,
                     .half_width = b + 0.5 * p->window_clearance,
                     .half_angle = fmin(1.25 * b / r, 0.85 * M_PI / p->balls),
                     .round = hk_cv_fixed(p)};
  if (ring.round) {
    ring.inner = p->guide_inner_radius, ring.outer = p->guide_outer_radius;
    ring.length = fmin(ring.length, 1.9 * ring.inner);
  } else if (p->guide_outer_radius > 0) {
    hk_cv_wall(p, &ring.inner, &ring.outer);
  }
  ring.half_width = fmin(ring.half_width, 0.45 * ring.length);
  return ring;
}

hk_cv_cage hk_cv_ring_inertia(const hk_cv_ring *ring, int windows, double density) {
  const double ri = ring->inner, ro = ring->outer, l = 0.5 * ring->length, h = ring->half_width;
  const double c = windows * ring->half_angle / M_PI;
  const double M0 = 2 * (l - c * h), M2 = 2.0 / 3 * (l * l * l - c * h * h * h);
  const double line = density * M_PI * (ro * ro - ri * ri); /* mass per length without windows */
  hk_cv_cage cage = {.mass = line * M0};
  cage.axial = 0.5 * line * ((ro * ro + ri * ri) * M0 - (ring->round ? 2 * M2 : 0));
  cage.transverse = 0.5 * cage.axial + line * M2;
  return cage;
}

/* Scales the inertia that follows from the geometry if the mass is given. */
hk_cv_cage hk_cv_cage_inertia(hk_cv_build *j) {
  const hk_cv_ball_joint *p = j->p;
  const hk_cv_ring ring = hk_cv_cage_ring(p);
  const hk_cv_cage shape = hk_cv_ring_inertia(&ring, p->balls, p->cage_density);
  hk_cv_cage cage = {p->cage_mass, p->cage_axial_inertia, p->cage_transverse_inertia};
  if (cage.mass > 0)
    hk_part_expect(&j->parts, "cage_mass", cage.mass, 0.05 * shape.mass, 10 * shape.mass, "kg");
  else
    cage.mass = shape.mass;
  const double scale = cage.mass / shape.mass;
  if (!(cage.axial > 0)) cage.axial = scale * shape.axial;
  if (!(cage.transverse > 0)) cage.transverse = fmax(scale * shape.transverse, 0.5 * cage.axial);
  hk_part_expect(&j->parts, "cage_axial_inertia", cage.axial, 0.1 * scale * shape.axial,
                 10 * scale * shape.axial, "kg*m^2");
  hk_part_expect(&j->parts, "cage_transverse_inertia", cage.transverse,
                 0.1 * scale * shape.transverse, 10 * scale * shape.transverse, "kg*m^2");
  const hk_filled filled[] = {
      {"cage_mass", cage.mass, "kg", p->cage_mass > 0},
      {"cage_axial_inertia", cage.axial, "kg*m^2", p->cage_axial_inertia > 0},
      {"cage_transverse_inertia", cage.transverse, "kg*m^2", p->cage_transverse_inertia > 0}};
  char from[96];
  snprintf(from, sizeof from, "a ring %g mm wide with windows, cage_density %g kg/m^3",
           1e3 * ring.length, p->cage_density);
  hk_part_filled(&j->parts, filled, 3, from);
  return cage;
}
