/* Checks of the parameters of a ball-type CV joint: see cv_ball_joint.h. */
#include "composite/cv_ball_joint.h"

/* Smallest clearance of a ball in its window.  Windows of fixed joints may be narrower than the
 * balls, which then have no clearance. */
static double smallest_clearance(const hk_cv_ball_joint *p) {
  return hk_cv_fixed(p) ? -0.01 * p->ball_radius : 0;
}

static hk_status check_angles(const hk_cv_ball_joint *p, hk_error *err) {
  const struct {
    const char *name;
    double value;
  } angle[] = {{"contact_angle", p->contact_angle},
               {"track_skew_angle", p->track_skew_angle},
               {"track_inclination", p->track_inclination}};
  for (int i = 0; i < 3; i++)
    if (!(fabs(hk_cv_degrees(angle[i].value)) < 90 - 1e-9))
      return hk_fail(err, HK_EINPUT, "%s %g deg must be less than 90 deg", angle[i].name,
                     hk_cv_degrees(angle[i].value));
  if (!(p->contact_angle > 0.01))
    return hk_fail(err, HK_EINPUT, "contact_angle %g deg must be larger than %g deg",
                   hk_cv_degrees(p->contact_angle), hk_cv_degrees(0.01));
  return HK_OK;
}

static hk_status check_errors(const hk_cv_ball_joint *p, hk_error *err) {
  const struct {
    const char *name;
    const double *value;
  } list[] = {{"pitch_error", p->pitch_error},
              {"radial_error", p->radial_error},
              {"depth_error", p->depth_error},
              {"size_error", p->size_error},
              {"outer_pitch_error", p->outer_pitch_error},
              {"window_error", p->window_error},
              {"window_width_error", p->window_width_error}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    for (int k = p->balls; k < HK_CV_MAX_BALLS; k++)
      if (list[i].value[k] != 0)
        return hk_fail(err, HK_EINPUT,
                       "%s has a number for ball %d, but there are only %d balls (numbered from 0)",
                       list[i].name, k, p->balls);
  double least = smallest_clearance(p);
  for (int k = 0; k < p->balls; k++)
    if (p->window_clearance + p->window_width_error[k] - 2 * p->size_error[k] < least)
      return hk_fail(err, HK_EINPUT, "ball %d is %.9g mm thick, more than its window's %.9g mm", k,
                     2e3 * (p->ball_radius + p->size_error[k]),
                     1e3 * (2 * p->ball_radius + p->window_clearance + p->window_width_error[k]));
  return HK_OK;
}

static hk_status check_family(const hk_cv_ball_joint *p, hk_error *err) {
  if (p->track_family == HK_CV_CROSS_GROOVE && p->balls % 2)
    return hk_fail(
        err, HK_EINPUT,
        "the number of balls is %d, but it must be even, because the signs of the tracks alternate",
        p->balls);
  if (p->track_family == HK_CV_CROSS_GROOVE) return HK_OK;
  if (p->track_skew_angle != 0 || p->track_inclination != 0)
    return hk_fail(
        err, HK_EINPUT,
        "the tracks of %s joint lie in planes through the axes: track_skew_angle %g deg and "
        "track_inclination %g deg must be 0",
        hk_cv_fixed(p) ? "a fixed ball" : "a double_offset", hk_cv_degrees(p->track_skew_angle),
        hk_cv_degrees(p->track_inclination));
  if (p->track_family == HK_CV_DOUBLE_OFFSET && !(p->cage_offset > 0))
    return hk_fail(err, HK_EINPUT, "a double_offset joint needs a cage_offset > 0");
  return HK_OK;
}

/* Checks the funnel of arcs of a fixed joint. */
static hk_status check_fixed(const hk_cv_ball_joint *p, hk_error *err) {
  double r = 0.5 * p->pcd;
  if (p->balls < 3)
    return hk_fail(err, HK_EINPUT, "a fixed ball joint needs at least 3 balls; got %d", p->balls);
  if (!(fabs(p->track_offset) > 1e-6 * r))
    return hk_fail(err, HK_EINPUT,
                   "with a track_offset of %g mm the tracks do not meet at an angle: the tracks "
                   "could not hold the cage in the bisecting plane",
                   1e3 * p->track_offset);
  if (!(fabs(p->track_offset) < r))
    return hk_fail(err, HK_EINPUT, "track_offset %g mm must be smaller than half the pcd, %g mm",
                   1e3 * p->track_offset, 1e3 * r);
  return HK_OK;
}

/* Checks the radii of the cage's spheres. */
static hk_status check_guides(const hk_cv_ball_joint *p, hk_error *err) {
  double r = 0.5 * p->pcd;
  if (!(p->guide_inner_radius > 0) || !(p->guide_outer_radius > 0))
    return hk_fail(err, HK_EINPUT,
                   "a cage on spheres needs both guide_inner_radius and guide_outer_radius");
  if (!(p->guide_inner_radius < r && r < p->guide_outer_radius))
    return hk_fail(err, HK_EINPUT,
                   "the balls are outside of the cage's wall: half the pcd, %g mm, must be between "
                   "guide_inner_radius %g mm and guide_outer_radius %g mm",
                   1e3 * r, 1e3 * p->guide_inner_radius, 1e3 * p->guide_outer_radius);
  double inner, outer;
  hk_cv_wall(p, &inner, &outer);
  if (!(inner < r && r < outer))
    return hk_fail(
        err, HK_EINPUT,
        "the balls are outside of the cage's wall: with guide spheres at a cage_offset of %g mm, "
        "the wall is between %g mm and %g mm in the plane of the balls, but half the pcd is %g mm",
        1e3 * p->cage_offset, 1e3 * inner, 1e3 * outer, 1e3 * r);
  if (!(p->guide_clearance >= 0))
    return hk_fail(err, HK_EINPUT,
                   "guide_clearance %g um is an interference: the cage's spheres must fit, only "
                   "windows may be narrower than balls",
                   1e6 * p->guide_clearance);
  return HK_OK;
}

static hk_status check_balls(const hk_cv_ball_joint *p, hk_error *err) {
  double ball = 2 * p->ball_radius, e = p->track_radius - p->ball_radius;
  double chord = p->pcd * sin(M_PI / p->balls);
  if (!(p->pcd > ball))
    return hk_fail(err, HK_EINPUT, "pcd %g mm must be larger than the balls' diameter %g mm",
                   1e3 * p->pcd, 1e3 * ball);
  if (!(chord > ball))
    return hk_fail(err, HK_EINPUT,
                   "the balls overlap: on a pcd of %g mm the centres of %d balls are %g mm apart, "
                   "less than their diameter %g mm",
                   1e3 * p->pcd, p->balls, 1e3 * chord, 1e3 * ball);
  if (!(e > 0))
    return hk_fail(err, HK_EINPUT, "track_radius %g mm must be larger than ball_radius %g mm",
                   1e3 * p->track_radius, 1e3 * p->ball_radius);
  if (!(p->flank_clearance < e))
    return hk_fail(err, HK_EINPUT,
                   "the tracks never touch the balls: flank_clearance %g um must be smaller than "
                   "track_radius - ball_radius = %g um",
                   1e6 * p->flank_clearance, 1e6 * e);
  if (p->window_clearance < smallest_clearance(p))
    return hk_fail(err, HK_EINPUT,
                   "the cage's windows are %.9g mm wide, less than the balls' %.9g mm%s",
                   1e3 * (ball + p->window_clearance), 1e3 * ball,
                   hk_cv_fixed(p) ? " by more than the largest interference of 0.5 %" : "");
  return check_errors(p, err);
}

hk_status hk_cv_ball_joint_check(const hk_cv_ball_joint *p, hk_error *err) {
  hk_status status = check_angles(p, err);
  if (!status) status = check_family(p, err);
  if (!status && hk_cv_fixed(p)) status = check_fixed(p, err);
  bool spheres = p->guide_inner_radius > 0 || p->guide_outer_radius > 0;
  if (!status && (hk_cv_fixed(p) || (spheres && p->track_family == HK_CV_DOUBLE_OFFSET)))
    status = check_guides(p, err);
  return status ? status : check_balls(p, err);
}
