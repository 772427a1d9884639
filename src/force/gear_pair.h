/* A gear pair as an item: its parameters, and the compliance tables that are supplied from
 * outside. */
#ifndef HK_FORCE_GEAR_PAIR_H
#define HK_FORCE_GEAR_PAIR_H
#include "gear/pair.h"
#include <hooke/element.h>

enum { HK_GEAR_MAX_ERRORS = 144 }; /* maximum number of teeth with a pitch deviation */

/* `_a` and `_b` of the model file are [0] and [1] here. */
typedef struct hk_gear_pair_params {
  const char *a, *b, *law;
  int teeth[2];
  bool ring, corner_contact;
  double blend_length;
  double module, pressure_angle, helix_angle, profile_shift[2], center_distance, face_width,
      face_width_b, tip_diameter[2], addendum, dedendum, backlash;
  double profile_crowning[2], tip_relief[2], tip_relief_length[2], root_relief[2],
      root_relief_length[2], lead_crowning[2], lead_slope[2];
  const char *profile[2], *lead[2], *topography[2]; /* tables */
  /* values, followed by the number of given values */
  double pitch_error[2][HK_GEAR_MAX_ERRORS + 1];
  int slices;
  double youngs_modulus[2], poisson_ratio[2];
  const char *compliance, *group[2];
  double bore[2], web[2], web_inner[2], web_outer[2];
  int initial_mesh, centers;
  double initial_flank_penetration;
  double torque, speed;
  hk_gear_compliance table[2]; /* table set by hk_gear_pair_bring; without stations: none was set */
  double drawn_phase;          /* phase of the teeth of `b`, set by the compiler */
} hk_gear_pair_params;

extern const hk_type hk_type_force_gear_pair;

struct hk_drawing;
void hk_gear_pair_draw(const hk_item *item, struct hk_drawing *d);

/* For hk_type.sample and hk_type.stage: gear_pair_sample.c. */
hk_status hk_gear_pair_sample(hk_item *item, hk_error *err);
void hk_gear_pair_stage(const hk_item *item, hk_stage *stage);
extern const hk_known_case hk_gear_pair_known[];

/* Returns the value, or NAN if the parameter was not given. */
static inline double hk_gear_given(const hk_item *item, const char *param, double value) {
  return hk_item_has(item, param) ? value : NAN;
}

/* Creates the constants, an hk_gear_pair; hk_force_ops.prepare. */
hk_status hk_gear_pair_prepare(const hk_item *item, hk_arena *arena, const void **constants,
                               hk_error *err);

/* Divides the common part of both faces into slices, for the axial shift of `b` as placed in the
 * model file. */
hk_status hk_gear_pair_shift(const hk_item *item, hk_arena *arena, double shift, hk_gear_pair *p,
                             hk_error *err);

/* Source of the compliance. */
typedef enum hk_gear_source { HK_GEAR_RIGID, HK_GEAR_ISO, HK_GEAR_FE, HK_GEAR_FILE } hk_gear_source;
hk_gear_source hk_gear_pair_source(const hk_item *item);

/* The face width of gear 0 or 1. */
double hk_gear_pair_face(const hk_item *item, int gear);
/* Geometry computed from the parameters. */
hk_status hk_gear_pair_design(const hk_item *item, hk_involute *out, hk_error *err);
/* Number of slices: as given, or from the twist of helical teeth. The sliding velocity is that
 * of the middle of a slice; if a slice covers a large part of the path of contact, the computed
 * loss is too small (by 1, 3, 16 % with 3, 2, 1 slices per base pitch). */
int hk_gear_pair_slices(const hk_item *item, const hk_involute *g);
/* Range that a compliance table of a gear must cover. */
hk_gear_flank hk_gear_pair_flank(const hk_item *item, const hk_involute *g, int gear);
/* Sets the compliance of gear 0 or 1. The table must exist as long as any model made from the item. Rejects a table
 * that belongs to another gear. */
hk_status hk_gear_pair_bring(hk_item *item, int gear, const hk_gear_compliance *table,
                             hk_error *err);
#endif
