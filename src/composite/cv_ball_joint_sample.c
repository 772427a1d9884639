/* A ball-type CV joint for the conformance tests (hk_type.sample, stage and mirror), with sizes of about 1 m and 1 kg
 * in realistic proportions. */
#include "composite/cv_ball_joint.h"
#include "spec/item.h"

/* Magnitude of a random value, at most 1. */
static double part(double drawn) { return fmin(fabs(drawn), 1); }

/* Sets the deviations of all balls: the random values, scaled to at most `most`. */
static void shrink(hk_parts *s, const char *name, const double *drawn, int balls, double most) {
  double list[HK_CV_MAX_BALLS];
  if (!hk_item_has(s->item, name)) return;
  for (int k = 0; k < balls; k++) list[k] = most * fmax(-1, fmin(1, drawn[k]));
  hk_part_reals(s, name, list, balls);
}

/* Sets tracks and balls; returns the flank radius minus the ball radius. */
static double size_balls(hk_parts *s, const hk_cv_ball_joint *p) {
  const int balls = 4 + 2 * (p->balls % 2);
  const double pcd = 1.5 + 0.2 * p->pcd, r = 0.17 * pcd, e = 0.4 * r;
  hk_part_int(s, "balls", balls);
  hk_part_real(s, "pcd", pcd);
  hk_part_real(s, "ball_radius", r);
  hk_part_real(s, "track_radius", r + e);
  hk_part_real(s, "contact_angle", 0.6 + 0.3 * part(p->contact_angle));
  hk_part_real(s, "flank_clearance", 0.1 * e * part(p->flank_clearance));
  hk_part_real(s, "window_clearance", 0.1 * e + 0.1 * e * part(p->window_clearance));
  hk_part_real(s, "track_skew_angle",
               p->track_family == HK_CV_CROSS_GROOVE ? 0.1 + 0.2 * part(p->track_skew_angle) : 0);
  hk_part_real(s, "track_inclination",
               p->track_family == HK_CV_CROSS_GROOVE ? 0.2 * part(p->track_inclination) : 0);
  return e;
}

hk_status hk_cv_ball_joint_sample(hk_item *item, hk_error *err) {
  const hk_cv_ball_joint *p = hk_item_data(item);
  hk_parts s = {.item = item, .err = err};
  const double e = size_balls(&s, p);
  const double r = 0.5 * p->pcd, most = 0.02 * e;
  const struct {
    const char *name;
    const double *drawn;
  } lists[] = {{"pitch_error", p->pitch_error},
               {"radial_error", p->radial_error},
               {"outer_pitch_error", p->outer_pitch_error},
               {"depth_error", p->depth_error},
               {"size_error", p->size_error},
               {"window_error", p->window_error},
               {"window_width_error", p->window_width_error}};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    shrink(&s, lists[i].name, lists[i].drawn, p->balls, most);
  bool spheres = hk_cv_fixed(p) || hk_item_has(item, "guide_outer_radius");
  hk_part_real(&s, "guide_outer_radius", spheres ? 1.2 * r : 0);
  hk_part_real(&s, "guide_inner_radius", spheres ? 0.8 * r : 0);
  hk_part_real(&s, "guide_clearance", 0.1 * e * part(p->guide_clearance));
  /* The cage of an articulated double offset joint is displaced radially: a support at the centre would be loaded. */
  if (p->track_family == HK_CV_DOUBLE_OFFSET) hk_part_real(&s, "cage_stiffness", 0);
  hk_part_real(&s, "cage_offset", 0.15 * r);
  hk_part_real(&s, "track_offset", 0.15 * r);
  /* Masses are near 1 kg, as in the rest of the test model. */
  if (!hk_item_has(item, "cage_mass")) hk_part_real(&s, "cage_mass", 1);
  if (!s.status && hk_item_has(item, "ball_mass")) hk_item_forget(item, "ball_density");
  return s.status;
}

static bool equal_balls(const hk_cv_ball_joint *p) {
  const double *const error[] = {p->pitch_error,       p->radial_error, p->outer_pitch_error,
                                 p->depth_error,       p->size_error,   p->window_error,
                                 p->window_width_error};
  for (size_t i = 0; i < sizeof error / sizeof *error; i++)
    for (int k = 0; k < p->balls; k++)
      if (error[i][k] != 0) return false;
  return true;
}

/* The tracks of a cross groove joint have two directions. */
static bool alternating(const hk_cv_ball_joint *p) {
  return p->track_family == HK_CV_CROSS_GROOVE &&
         (p->track_skew_angle != 0 || p->track_inclination != 0);
}

/* A small articulation angle; balls and races are displaced by a fraction of the space between the flanks. */
void hk_cv_ball_joint_stage(const hk_item *item, hk_stage *stage) {
  const hk_cv_ball_joint *p = hk_item_data(item);
  double e = p->track_radius - p->ball_radius;
  const hk_vec3 bend = hk_v3(0.1, -0.05, 0);
  stage->turn = hk_quat_exp(bend);
  if (p->track_family == HK_CV_DOUBLE_OFFSET &&
      /* the axes must meet in front of `b`, so that the spheres of the cage fit */
      p->fidelity == HK_CV_FULL) {
    hk_mat3 B = hk_quat_matrix(stage->turn);
    stage->at = hk_scale(p->cage_offset * (1 - 1 / cos(0.5 * hk_norm(bend))), hk_column(&B, 2));
  }
  stage->length = 0.3 * e;
  stage->angle = 0.3 * e / p->pcd;
  stage->speed = 0.3;
  if (p->fidelity == HK_CV_FULL && equal_balls(p))
    stage->fold = alternating(p) ? p->balls / 2 : p->balls;
}

void hk_cv_ball_joint_mirror(hk_item *item) {
  hk_cv_ball_joint *p = hk_item_edit(item);
  double *const along[] = {p->radial_error, p->depth_error, p->size_error, p->window_error,
                           p->window_width_error};
  p->track_skew_angle = -p->track_skew_angle;
  hk_mirror_ring(p->pitch_error, p->balls, -1);
  hk_mirror_ring(p->outer_pitch_error, p->balls, -1);
  for (size_t i = 0; i < sizeof along / sizeof *along; i++) hk_mirror_ring(along[i], p->balls, 1);
}
