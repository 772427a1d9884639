/* Gear pair for hk_type.sample: gears with dimensions of metres, of a material that deforms
 * under newtons, in mesh. */
#include "force/gear_pair.h"

/* Maps a random number of the conformance tests to 0 ... 1. */
static double part(double drawn) { return fmin(fabs(drawn), 1); }

hk_status hk_gear_pair_sample(hk_item *item, hk_error *err) {
  const hk_gear_pair_params *p = hk_item_data(item);
  const double m = 0.2;
  const struct {
    const char *name;
    double value;
  } real[] = {{"module", m},
              {"face_width", 0.4 + 0.2 * p->face_width},
              {"face_width_b", 0.4 + 0.2 * part(p->face_width_b)},
              {"pressure_angle", 20 * M_PI / 180},
              {"helix_angle", 0.3 * p->helix_angle},
              {"addendum", 1},
              {"dedendum", 1.25},
              {"backlash", 0.02 * m * part(p->backlash)},
              {"blend_length", 0.1},
              {"youngs_modulus_a", 4e5},
              {"youngs_modulus_b", 6e5},
              {"poisson_ratio_a", 0.3},
              {"poisson_ratio_b", 0.3},
              {"profile_shift_a", 0.2 * part(p->profile_shift[0])},
              {"profile_shift_b", 0.2 * part(p->profile_shift[1])},
              {"initial_flank_penetration", 0.02 * m}};
  hk_status status = hk_item_int(item, "teeth_a", 19, err);
  if (!status) status = hk_item_int(item, "teeth_b", p->ring ? 61 : 25, err);
  if (!status) status = hk_item_int(item, "slices", 2, err);
  for (size_t i = 0; i < sizeof real / sizeof *real && !status; i++)
    status = hk_item_real(item, real[i].name, real[i].value, err);
  return status;
}

void hk_gear_pair_stage(const hk_item *item, hk_stage *stage) {
  hk_involute g;
  hk_error err = {0};
  if (hk_gear_pair_design(item, &g, &err)) return;
  stage->at = hk_v3(g.center_distance, 0, 0);
  stage->length = 0.02 * HK_DATA(item, hk_gear_pair_params)->module;
  stage->angle = 0.002;
  stage->speed = 0.2;
  stage->exact = 1e-4; /* accuracy of the load sharing, see gear/load_sharing.c */
}
