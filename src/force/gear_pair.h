/* A gear pair as an item: its parameters, and what is brought to it from outside. */
#ifndef HK_FORCE_GEAR_PAIR_H
#define HK_FORCE_GEAR_PAIR_H
#include "gear/pair.h"
#include <hooke/element.h>

enum { HK_GEAR_MAX_ERRORS = 144 }; /* teeth that can have a pitch error */

/* `_a` and `_b` of the model file are [0] and [1] here. */
typedef struct hk_gear_pair_params {
  const char *a, *b, *law;
  int teeth[2];
  bool ring, corner;
  double edge;
  double module, pressure_angle, helix_angle, profile_shift[2], center_distance, face_width,
      tip_diameter[2], addendum, dedendum, backlash;
  double crown[2], tip_relief[2], tip_relief_length[2], root_relief[2], root_relief_length[2],
      lead_crown[2], lead_slope[2];
  const char *profile[2], *lead[2], *topography[2]; /* tables */
  double pitch_error[2][HK_GEAR_MAX_ERRORS + 1];    /* the last one: how many were given */
  int slices;
  double youngs_modulus[2], poisson_ratio[2];
  const char *compliance, *group[2];
  double bore[2], web[2], web_inner[2], web_outer[2];
  int stand, centers;
  double press;
  double torque, speed;
  hk_gear_compliance table[2]; /* with stations: what hk_gear_pair_bring brought */
  double drawn_phase;          /* of the teeth of b, by the compiler */
} hk_gear_pair_params;

extern const hk_type hk_type_force_gear_pair;

struct hk_drawing;
void hk_gear_pair_draw(const hk_item *item, struct hk_drawing *d);

/* For hk_type.sample and stage: gear_pair_sample.c. */
hk_status hk_gear_pair_sample(hk_item *item, hk_error *err);
void hk_gear_pair_stage(const hk_item *item, hk_stage *stage);

/* A number, or NAN if the parameter was not given. */
static inline double hk_gear_given(const hk_item *item, const char *param, double value) {
  return hk_item_has(item, param) ? value : NAN;
}

/* The constants, an hk_gear_pair; hk_force_ops.prepare. */
hk_status hk_gear_pair_prepare(const hk_item *item, hk_arena *arena, const void **constants,
                               hk_error *err);

/* Where b stands along the axes as the bodies are placed: cuts the slices from what both faces have in common. */
hk_status hk_gear_pair_shift(const hk_item *item, hk_arena *arena, double shift, hk_gear_pair *p,
                             hk_error *err);

/* Where the compliance comes from. */
typedef enum hk_gear_source { HK_GEAR_RIGID, HK_GEAR_ISO, HK_GEAR_FE, HK_GEAR_FILE } hk_gear_source;
hk_gear_source hk_gear_pair_source(const hk_item *item);

/* The geometry that the parameters give. */
hk_status hk_gear_pair_design(const hk_item *item, hk_involute *out, hk_error *err);
/* As many slices as were given, or as the twist of the teeth asks for: sliding is that in the middle of a slice, so that
 * one that goes over more of the path of contact loses less than it should (with 3, 2, 1 per base pitch 1, 3, 16 %). */
int hk_gear_pair_slices(const hk_item *item, const hk_involute *g);
/* What a table of a gear must cover. */
hk_gear_flank hk_gear_pair_flank(const hk_item *item, const hk_involute *g, int gear);
/* Gives gear 0 or 1 its compliance, which must outlive every model made from the item; refuses one that is
 * not of this gear. */
hk_status hk_gear_pair_bring(hk_item *item, int gear, const hk_gear_compliance *table,
                             hk_error *err);
#endif
