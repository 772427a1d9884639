/* A rolling bearing as an item: its parameters, constants and evaluation. */
#ifndef HK_FORCE_ROLLING_BEARING_H
#define HK_FORCE_ROLLING_BEARING_H
#include "bearing/design.h"
#include "bearing/life.h"
#include <hooke/element.h>

enum { HK_BEARING_MAX_SIZES = 128 }; /* maximum number of elements with a diameter deviation */

typedef struct hk_rolling_bearing_params {
  const char *a, *b;
  int kind, dynamics, control, arrangement, thrust, profile;
  int elements, rows, forward_rows, slices;
  int linear;
  double element_diameter, pitch_diameter, conformity_inner, conformity_outer, contact_angle,
      osculation, clearance, row_distance, preload, preload_displacement, roller_length, taper,
      rib_height, shoulder_inner, shoulder_outer;
  double youngs_modulus, poisson_ratio, element_youngs_modulus, element_poisson_ratio, density;
  double bore, outside, shaft_bore, housing_outside, interference_shaft, interference_housing,
      temperature_difference;
  double friction, spin_friction, viscous_factor, viscosity, pressure_viscosity, roughness, damping,
      damping_depth;
  double size_error[HK_BEARING_MAX_SIZES + 1]; /* values, followed by the number of given values */
  double waviness_inner[HK_BEARING_MAX_ORDERS + 1], waviness_outer[HK_BEARING_MAX_ORDERS + 1],
      waviness_inner_phase[HK_BEARING_MAX_ORDERS + 1],
      waviness_outer_phase[HK_BEARING_MAX_ORDERS + 1];
  double spall_inner, spall_outer, spall_element, spall_inner_at, spall_outer_at, spall_width;
  int spalled_element;
  double rating, fatigue_load, contamination;
  hk_vec3 load, moment;
  double speed;
} hk_rolling_bearing_params;

/* Constants. */
typedef struct hk_rolling_bearing {
  hk_bearing bearing;
  hk_oil oil;
  double rating;
  hk_bearing_lubrication lubrication; /* viscosity data; kappa depends on the speed */
} hk_rolling_bearing;

extern const hk_type hk_type_force_rolling_bearing;
extern const char *const hk_bearing_kind_names[], *const hk_bearing_dynamics_names[],
                                                      *const hk_bearing_control_names[],
                                                          *const hk_bearing_arrangement_names[],
                                                              *const hk_bearing_thrust_names[],
                                                                  *const hk_bearing_profile_names[];

struct hk_drawing;
void hk_rolling_bearing_draw(const hk_item *item, struct hk_drawing *d);
void hk_rolling_bearing_draw_as(const hk_rolling_bearing_params *p, struct hk_drawing *d);
hk_status hk_rolling_bearing_sample(hk_item *item, hk_error *err);
/* Same as hk_rolling_bearing_sample, for a type with other names for the number and diameter of the elements; p: its
 * random parameters. */
hk_status hk_rolling_bearing_sample_as(hk_item *item, const hk_rolling_bearing_params *p,
                                       hk_bearing_kind kind, const char *elements,
                                       const char *diameter, hk_error *err);
void hk_rolling_bearing_stage(const hk_item *item, hk_stage *stage);
/* Drawing data.  p: the parameters of the item, or of the joint's part that holds them. */
hk_bearing_design hk_rolling_bearing_design(const hk_item *item,
                                            const hk_rolling_bearing_params *p);
hk_status hk_rolling_bearing_prepare(const hk_item *item, hk_arena *arena, const void **constants,
                                     hk_error *err);

/* Internal variables: rotation of frame `b` relative to frame `a` and angle of the cage, both with whole revolutions;
 * rotation of the cage per rotation of the ring; the largest truncation of a contact so far; the largest displacement
 * of the inner ring so far, divided by half an element diameter. */
enum {
  HK_BEARING_MEMORY_TURN,
  HK_BEARING_MEMORY_CAGE,
  HK_BEARING_MEMORY_RATIO,
  HK_BEARING_MEMORY_EDGE,
  HK_BEARING_MEMORY_FAR,
  HK_BEARING_MEMORY
};

/* Angle of frame `b` relative to frame `a` about the axis, with whole revolutions; angle of the cage; rotation of the
 * cage per rotation of `b`. */
typedef struct hk_bearing_turn {
  double turn, cage, ratio;
} hk_bearing_turn;
void hk_rolling_bearing_turn(const hk_bearing *p, const hk_force_in *in, hk_bearing_turn *out);

/* Relative position of the frames in terms of the bearing. */
typedef struct hk_bearing_pose {
  hk_bearing_place place;
  hk_mat3 R;       /* axes of the cage */
  hk_vec3 w_cage;  /* angular velocity of the cage */
  hk_vec3 z, n, e; /* axes of `a` and `b`; axis of their relative rotation */
  hk_vec3 w;       /* wB - wA */
  double q;        /* 1 + n.z */
  double ratio;    /* rotation of the cage per rotation of `b` */
} hk_bearing_pose;
void hk_rolling_bearing_pose(const hk_bearing *p, const hk_force_in *in, hk_bearing_pose *out);
void hk_rolling_bearing_eval(const void *data, const hk_force_in *in, hk_force_out *out);
#endif
