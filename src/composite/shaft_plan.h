/* Nodes of a shaft with their masses, and stiffnesses of the beams between them: see shaft.c. */
#ifndef HK_COMPOSITE_SHAFT_PLAN_H
#define HK_COMPOSITE_SHAFT_PLAN_H
#include <hooke/joint.h>

enum { HK_SHAFT_SECTIONS = 48, HK_SHAFT_PLACES = 24, HK_SHAFT_NODES = 400 };

/* The parameters of the joint. */
typedef struct hk_shaft {
  hk_joint_common joint;
  /* by section */
  double lengths[HK_SHAFT_SECTIONS], outer_diameters[HK_SHAFT_SECTIONS],
      end_diameters[HK_SHAFT_SECTIONS], inner_diameters[HK_SHAFT_SECTIONS],
      section_youngs_modulus[HK_SHAFT_SECTIONS], section_density[HK_SHAFT_SECTIONS],
      axial_stiffnesses[HK_SHAFT_SECTIONS], shear_stiffnesses[HK_SHAFT_SECTIONS],
      torsion_stiffnesses[HK_SHAFT_SECTIONS], bending_stiffnesses[HK_SHAFT_SECTIONS],
      line_masses[HK_SHAFT_SECTIONS];
  double stations[HK_SHAFT_PLACES];
  double disc_positions[HK_SHAFT_PLACES], disc_masses[HK_SHAFT_PLACES],
      disc_inertias[HK_SHAFT_PLACES], disc_diameters[HK_SHAFT_PLACES], disc_widths[HK_SHAFT_PLACES];
  double spline_positions[HK_SHAFT_PLACES], spline_stiffnesses[HK_SHAFT_PLACES],
      spline_backlashes[HK_SHAFT_PLACES], spline_dampings[HK_SHAFT_PLACES];
  double youngs_modulus, poisson_ratio, density, damping, speed, bow, bow_angle, accuracy,
      highest_frequency;
  int elements, hold, splines;
} hk_shaft;

/* Stiffnesses and, per length, mass and inertias of a section. */
typedef struct hk_shaft_section {
  double axial, shear, torsion, bending;
  double mass, across, along;
  double outer, inner; /* diameters; outer = 0: not known */
} hk_shaft_section;

/* Mass of a node, its first moment along the shaft, and inertias about the node. */
typedef struct hk_shaft_lump {
  double mass, moment, across, along;
} hk_shaft_lump;

typedef struct hk_shaft_plan {
  const hk_shaft *p;
  int n_sections, n_stations, n_discs, n_splines, n_nodes;
  double length;
  double error;             /* estimated relative error of frequencies up to `frequency` */
  double frequency;         /* [Hz] */
  double z[HK_SHAFT_NODES]; /* positions of the nodes along the shaft */
} hk_shaft_plan;

/* Checks the parameters and places the nodes. */
hk_status hk_shaft_plan_make(const hk_item *item, hk_shaft_plan *out, hk_error *err);
/* Properties of the beam after node k: its flexibilities are means over its length, its mass is
 * exact. */
hk_shaft_section hk_shaft_beam(const hk_shaft_plan *s, int k);
/* Adds the mass properties that the beam after node k contributes to a node; towards: 1 for its
 * first, -1 for its second node. */
void hk_shaft_add_half(const hk_shaft_plan *s, int k, double towards, hk_shaft_lump *to);
/* Adds the mass properties of the discs at node k. */
void hk_shaft_add_discs(const hk_shaft_plan *s, int k, hk_shaft_lump *to);
/* Returns the index of the entry of a list whose position is that of node k; -1: there is none. */
int hk_shaft_place_at(const hk_shaft_plan *s, const double *place, int n, int k);
#endif
