/* Drawing data and mounting of a bearing; SI units. NAN: not given. */
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

/* Mounting conditions that change the clearance. Lengths 0: not given. */
typedef struct hk_bearing_fit {
  double bore, outside;               /* bore and outside diameter of the bearing */
  double shaft_bore, housing_outside; /* inner diameter of a hollow shaft, outside diameter of
                                       * the housing; 0: solid, very thick */
  double interference_shaft, interference_housing;     /* diametral; > 0: interference */
  double youngs_modulus_shaft, youngs_modulus_housing; /* 0: as the rings */
  double temperature_difference; /* temperature of inner ring and balls minus that of the outer
                                  * ring [K] */
  double expansion;              /* [1/K] */
} hk_bearing_fit;

typedef struct hk_bearing_design {
  hk_bearing_kind kind;
  /* forward: number of rows that support +z; 0: it follows from the arrangement */
  int rows, forward, elements;
  hk_bearing_arrangement arrangement;
  bool backward; /* tandem rows support -z */
  double row_distance;
  double element_diameter, pitch_diameter, conformity[2]; /* inner, outer */
  double contact_angle, clearance;
  double shoulder[2];
  double roller_length, taper, rib_height, rib_radius; /* taper: half of the cone angle of a
                                                        * roller */
  double osculation; /* barrel-shaped rollers: radius of their profile over that of the races */
  int slices;
  hk_roller_profile profile;
  double youngs_modulus, poisson_ratio, element_youngs_modulus, element_poisson_ratio, density;
  double preload, preload_displacement; /* preload: NAN if not given */
  hk_bearing_dynamics dynamics;
  hk_bearing_control control;
  hk_bearing_fit fit;
} hk_bearing_design;

/* Computes all data that follow from the drawing. The caller sets friction, damping, element
 * sizes and defects. */
hk_status hk_bearing_make(const hk_bearing_design *d, hk_bearing *out, hk_error *err);

/* Reduction of the diametral clearance by fits and temperature. */
double hk_bearing_fit_loss(const hk_bearing_design *d);
/* Growth of the inner race radius per speed squared; 0 if the bore is not given. */
double hk_bearing_growth(const hk_bearing_design *d);
#endif
