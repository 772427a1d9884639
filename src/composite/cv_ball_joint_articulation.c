/* Largest articulation angle of a ball-type CV joint.
 *
 * At the articulation angle b, each ball is in the bisecting plane, at the point where the centre lines of its two
 * tracks meet. Once per revolution it moves relative to the cage, radially in the wall and along its window:
 *
 *   fixed joints     see cv_ball_joint_arc.c
 *   straight tracks  with the normal n of that plane in axes of the inner race, at the angle b/2 to its axis:
 *                    x = P - (n.P)/(n.d) d, P on the pitch circle, d along the track.
 *                    In a double offset joint the displacement c tan(b/2) of the cage in the plane of articulation is
 *                    subtracted: its two spheres stay on the axes of the races, at the distance c on both sides of the balls.
 *
 * An articulation angle is possible if
 *   - the tracks cross the bisecting plane, before the ends of arcs;
 *   - no ball leaves the wall of the cage. Spheres of the radii R with centres at the distance c give a wall with the radii
 *     sqrt(R^2 - c^2) in the plane of the balls. Without given radii the wall fills at most the space between the races, which
 *     extend at least to the contacts at the contact angle g: r -+ r_ball cos g;
 *   - balls do not touch each other and, with straight tracks, windows do not overlap. A window is as long as the motion of
 *     its ball requires and ends at planes through the cage's axis: at the radius x a ball needs the angle asin(r_ball/x) on
 *     each side.
 *
 * The length of the tracks is not part of the model: the limit of a real joint may be smaller. */
#include "composite/cv_ball_joint.h"

enum { AROUND = 360 };

void hk_cv_wall(const hk_cv_ball_joint *p, double *inner, double *outer) {
  double r = 0.5 * p->pcd, room = p->ball_radius * cos(p->contact_angle);
  double c = p->track_family == HK_CV_DOUBLE_OFFSET ? p->cage_offset : 0;
  bool spheres = p->track_family != HK_CV_CROSS_GROOVE && p->guide_outer_radius > 0;
  double least = p->guide_inner_radius, most = p->guide_outer_radius;
  *inner = spheres ? sqrt(fmax(0, least * least - c * c)) : r - room;
  *outer = spheres ? sqrt(fmax(0, most * most - c * c)) : r + room;
}

/* A track of the inner race: position of its ball at zero articulation angle, and its direction. */
typedef struct track {
  hk_vec3 at, d;
  double azimuth;
} track;

static track straight_track(const hk_cv_ball_joint *p, int k) {
  track t = {.azimuth = hk_cv_azimuth(p, k)};
  hk_mat3 axes = hk_cv_straight_axes(p, k, 1, &t.at);
  t.d = hk_column(&axes, 2);
  return t;
}

/* Position of the track's ball in the plane of the cage.  sh, ch: sine and cosine of half the
 * articulation angle; aside: radial displacement of the cage; cp, sp: direction of the plane of
 * articulation. */
static void straight_in_window(const track *t, double sh, double ch, double aside, double cp,
                               double sp, double *x, double *y) {
  hk_vec3 n = {sh * cp, sh * sp, ch}, along = {ch * cp, ch * sp, -sh}, across = {-sp, cp, 0};
  hk_vec3 ball = hk_axpy(t->at, -hk_dot(n, t->at) / hk_dot(n, t->d), t->d);
  double u = hk_dot(ball, along) - aside, v = hk_dot(ball, across);
  *x = u * cp - v * sp;
  *y = u * sp + v * cp;
}

static const char *const LEAVES = "the balls leave the wall of the cage";

static const char *fixed_obstacle(const hk_cv_ball_joint *p, double b) {
  if (!(asin(fabs(p->track_offset) / hk_cv_arc_radius(p)) + 0.5 * b < 0.5 * M_PI))
    return "the balls reach the ends of their arcs";
  for (int i = 0; i < AROUND; i++) {
    double a = 2 * M_PI * i / AROUND, x[2], y[2];
    hk_cv_arc_in_window(p, b, a, &x[0], &y[0]);
    hk_cv_arc_in_window(p, b, a + 2 * M_PI / p->balls, &x[1], &y[1]);
    double r = hypot(x[0], y[0]);
    if (r < p->guide_inner_radius || r > p->guide_outer_radius) return LEAVES;
    if (hypot(x[1] - x[0], y[1] - y[0]) < 2 * p->ball_radius) return "the balls touch each other";
  }
  return NULL;
}

/* Returns the obstacle of straight tracks.  Tracks of two kinds alternate: computes the extent of
 * the window of each kind around the cage, in both directions. */
static const char *straight_obstacle(const hk_cv_ball_joint *p, double b) {
  double inner, outer, ahead[2] = {0, 0}, back[2] = {0, 0};
  double steepest = acos(fmax(-1, fmin(1, cos(p->track_skew_angle) * cos(p->track_inclination))));
  hk_cv_wall(p, &inner, &outer);
  if (!(0.5 * b + steepest < 0.5 * M_PI)) return "the tracks no longer cross";
  const double h = 0.5 * b, sh = sin(h), ch = cos(h);
  const double aside = p->track_family == HK_CV_DOUBLE_OFFSET ? p->cage_offset * tan(h) : 0;
  const track of[2] = {straight_track(p, 0), straight_track(p, 1)};
  for (int i = 0; i < AROUND; i++) {
    const double psi = 2 * M_PI * i / AROUND, cp = cos(psi), sp = sin(psi);
    for (int k = 0; k < 2; k++) {
      double x, y;
      straight_in_window(&of[k], sh, ch, aside, cp, sp, &x, &y);
      double far = hypot(x, y), turn = remainder(atan2(y, x) - of[k].azimuth, 2 * M_PI);
      if (far < inner || far > outer) return LEAVES;
      double half = asin(fmin(1, p->ball_radius / far));
      ahead[k] = fmax(ahead[k], turn + half);
      back[k] = fmin(back[k], turn - half);
    }
  }
  for (int k = 0; k < 2; k++)
    if (!(2 * M_PI / p->balls - ahead[k] + back[1 - k] > 0))
      return "the windows that the balls need overlap";
  return NULL;
}

/* Returns the obstacle at the articulation angle b; NULL: none. */
static const char *obstacle(const hk_cv_ball_joint *p, double b) {
  return hk_cv_fixed(p) ? fixed_obstacle(p, b) : straight_obstacle(p, b);
}

double hk_cv_bend_limit(const hk_cv_ball_joint *p) {
  double low = 0, high = M_PI;
  for (int i = 0; i < 40; i++) {
    double middle = 0.5 * (low + high);
    if (obstacle(p, middle))
      high = middle;
    else
      low = middle;
  }
  return low;
}

hk_status hk_cv_check_bend(const hk_cv_ball_joint *p, double bend, hk_error *err) {
  if (!obstacle(p, bend)) return HK_OK;
  double limit = hk_cv_bend_limit(p);
  return hk_fail(
      err, HK_EINPUT,
      "the initial articulation angle is %g deg, but the geometry allows %.4g deg: beyond this, %s",
      hk_cv_degrees(bend), hk_cv_degrees(limit), obstacle(p, limit + 1e-9));
}
