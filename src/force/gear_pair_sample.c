/* Gear pair for hk_type.sample: gears with dimensions of metres, of a material that deforms
 * under newtons, in mesh; and for hk_type.known. */
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
  const hk_gear_pair_params *p = HK_DATA(item, hk_gear_pair_params);
  stage->fold = p->teeth[0];
  stage->fold_b = p->ring ? p->teeth[1] : -p->teeth[1];
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < HK_GEAR_MAX_ERRORS; k++)
      if (p->pitch_error[i][k] != 0) stage->fold = stage->fold_b = 0;
}

/* Cases in which the forward flanks overlap by 10 um. Their forces were computed by a separate
 * program from the same equations, tooth by tooth: the line contact of Weber and Banaschek, the
 * stiffness of ISO 6336-1, helical teeth in 8000 sections. The results differ for two reasons:
 * hooke assumes the contact point between the flanks and not on one of them (0.05 %, or 0.2 %
 * where a relief begins), and it uses few slices (0.2 %). */
#define PRESSED "initial_mesh forward, initial_flank_penetration 1e-5, "
#define RIGID PRESSED "compliance rigid, "
const hk_known_case hk_gear_pair_known[] = {
    {.what = "spur gears of unequal widths beside each other, with 10 mm in common",
     .values = RIGID "teeth_a 20, teeth_b 31, module 0.004, face_width 0.03, face_width_b 0.05",
     .at = {0.102, 0, 0.03},
     .force = {3910.1, 10743, 0},
     .moment = {214.86, -78.203, -666.07},
     .force_error = 2,
     .moment_error = 0.2},
    {.what = "axes 0.1 mm further apart than drawn",
     .values = RIGID "teeth_a 20, teeth_b 31, module 0.004, face_width 0.03, center_distance 0.102",
     .at = {0.1021, 0, 0},
     .force = {11881, 32372, 0},
     .moment = {0, 0, -2009},
     .force_error = 35,
     .moment_error = 2},
    {.what = "wide helical gears with the default number of slices",
     .values = RIGID
     "teeth_a 25, teeth_b 31, module 0.002, face_width 0.06, helix_angle 0.52359877559829887, "
     "profile_shift_a 0, profile_shift_b 0",
     .at = {0.0646632301492381, 0, 0},
     .force = {22613, 53804, -31064},
     .moment = {-39.051, -1095.5, -1926},
     .force_error = 130,
     .moment_error = 4},
    {.what = "an undercut pinion whose flank does not reach to the next pair of teeth",
     .values = RIGID "teeth_a 15, teeth_b 20, module 0.001, face_width 0.01, profile_shift_a -0.1, "
                     "profile_shift_b 0.1",
     .at = {0.01610285711, -0.006851860532, 0},
     .force = {5033.2, 5388, 0},
     .moment = {0, 0, -69.285},
     .force_error = 7,
     .moment_error = 0.07},
    {.what = "a ring with tip relief",
     .values = RIGID
     "teeth_a 18, teeth_b 60, ring true, module 0.002, face_width 0.02, profile_shift_a 0.2, "
     "profile_shift_b -0.2, tip_diameter_a 0.0408, tip_diameter_b 0.1184, tip_relief_b 5e-6, "
     "tip_relief_length_b 0.0015",
     .at = {0.041670847, -0.005247905313, 0},
     .force = {-13231, -25769, 0},
     .moment = {0, 0, 1633.2},
     .force_error = 90,
     .moment_error = 5},
    {.what = "the web of one gear",
     .values =
         PRESSED "teeth_a 20, teeth_b 60, module 0.003, face_width 0.03, profile_shift_a 0.3, "
                 "profile_shift_b -0.1, web_b 0.005",
     .at = {0.1205892619864386, 0, 0},
     .force = {1068.8, 2820.2, 0},
     .moment = {0, 0, -255.07},
     .force_error = 3,
     .moment_error = 0.3},
    {.what = "helical teeth with the stiffness of ISO 6336",
     .values = PRESSED
     "teeth_a 20, teeth_b 31, module 0.004, face_width 0.03, helix_angle 0.43633231299858238, "
     "profile_shift_a 0, profile_shift_b 0",
     .at = {0.112544548, 0, 0},
     .force = {1917.4, 4774.4, -2226.3},
     .moment = {-7.3676, -149.34, -326.61},
     .force_error = 30,
     .moment_error = 2},
    {0}};
