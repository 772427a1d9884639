/* A bearing's drawing and how it is mounted; SI units.  NAN: not given. */
#ifndef HK_BEARING_DESIGN_H
#define HK_BEARING_DESIGN_H
#include "bearing/bearing.h"
#include <hooke/base.h>

typedef enum hk_bearing_arrangement {
  HK_BEARING_TANDEM,
  HK_BEARING_BACK_TO_BACK,
  HK_BEARING_FACE_TO_FACE
} hk_bearing_arrangement;
typedef enum hk_roller_profile { HK_ROLLER_LOGARITHMIC, HK_ROLLER_STRAIGHT } hk_roller_profile;

/* Mounting: what changes the clearance.  Lengths 0: not given. */
typedef struct hk_bearing_fit {
  double bore, outside;               /* of the bearing */
  double shaft_bore, housing_outside; /* of a hollow shaft, of the housing; 0: solid, thick */
  double interference_shaft, interference_housing;     /* on the diameter; > 0: tight */
  double youngs_modulus_shaft, youngs_modulus_housing; /* 0: as the rings */
  double temperature_difference; /* inner ring and balls above outer ring [K] */
  double expansion;              /* [1/K] */
} hk_bearing_fit;

typedef struct hk_bearing_design {
  hk_bearing_kind kind;
  int rows, forward, elements; /* forward: rows that take +z; 0: by the arrangement */
  hk_bearing_arrangement arrangement;
  bool backward; /* tandem rows take -z */
  double row_distance;
  double element_diameter, pitch_diameter, conformity[2]; /* inner, outer */
  double contact_angle, clearance;
  double shoulder[2];
  double roller_length, taper, rib_height, rib_radius; /* taper: half of the roller's cone angle */
  int slices;
  hk_roller_profile profile;
  double youngs_modulus, poisson_ratio, element_youngs_modulus, element_poisson_ratio, density;
  double preload, preload_displacement; /* preload: NAN if not given */
  hk_bearing_dynamics dynamics;
  hk_bearing_control control;
  hk_bearing_fit fit;
} hk_bearing_design;

/* Fills all that the drawing decides.  Friction, damping, sizes and defects are set by whoever has them. */
hk_status hk_bearing_make(const hk_bearing_design *d, hk_bearing *out, hk_error *err);

/* By how much fits and temperature reduce the diametral clearance. */
double hk_bearing_fit_loss(const hk_bearing_design *d);
/* Growth of the inner race's radius by its speed squared; 0 where the bore is not given. */
double hk_bearing_growth(const hk_bearing_design *d);
#endif
