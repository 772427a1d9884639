/* The parameters of the ball joint, for the files that expand and draw it. */
#ifndef HK_ASSEMBLY_CV_BALL_JOINT_H
#define HK_ASSEMBLY_CV_BALL_JOINT_H
#include "composite/assembly.h"
#include <hooke/joint.h>
#include "mesh/drawing.h"

enum { HK_CV_MAX_BALLS = 64 };

typedef struct hk_cv_ball_joint {
  hk_joint_common joint;
  int fidelity, track_family, balls, torque_direction;
  double pcd, ball_radius, track_radius, contact_angle, track_skew_angle, track_inclination;
  double window_clearance, flank_clearance;
  const char *law, *cage_law, *guide_law, *housing;
  double ball_mass, ball_density;
  double cage_mass, cage_axial_inertia, cage_transverse_inertia;
  double cage_stiffness, cage_damping, cage_spin_damping;
  double cage_offset, sphere_stiffness, sphere_damping;
  double track_offset, guide_outer_radius, guide_inner_radius, guide_clearance;
  double pitch_error[HK_CV_MAX_BALLS], radial_error[HK_CV_MAX_BALLS];
  double depth_error[HK_CV_MAX_BALLS], size_error[HK_CV_MAX_BALLS];
  double outer_pitch_error[HK_CV_MAX_BALLS], window_error[HK_CV_MAX_BALLS];
  double window_width_error[HK_CV_MAX_BALLS];
} hk_cv_ball_joint;

enum { HK_CV_FULL, HK_CV_IDEAL };
enum { HK_CV_CROSS_GROOVE, HK_CV_DOUBLE_OFFSET, HK_CV_ARC, HK_CV_UNDERCUT_FREE };

/* Curved tracks that cross in one plane through the joint's centre: it cannot plunge. */
static inline bool hk_cv_fixed(const hk_cv_ball_joint *p) { return p->track_family >= HK_CV_ARC; }

/* Signs of the tracks alternate. */
static inline double hk_cv_sign(int k) { return k % 2 ? -1 : 1; }
static inline double hk_cv_azimuth(const hk_cv_ball_joint *p, int k) {
  return 2 * M_PI * k / p->balls;
}

static inline double hk_cv_degrees(double angle) { return angle * 57.29577951308232; }

/* A joint while it is expanded. */
typedef struct hk_cv_build {
  const hk_cv_ball_joint *p;
  hk_parts parts;
  hk_stand a, b;
  hk_vec3 x, v, w; /* between the races */
  hk_quat q;
  char marker[256], outer_marker[256]; /* of the tracks */
} hk_cv_build;

/* What it reads, of the races alone and of balls and cage: cv_ball_joint_sensors.c. */
void hk_cv_add_race_sensors(hk_cv_build *j);
void hk_cv_add_sensors(hk_cv_build *j);

/* Says what makes no joint: cv_ball_joint_check.c. */
hk_status hk_cv_ball_joint_check(const hk_cv_ball_joint *p, hk_error *err);

/* Curved tracks: cv_ball_joint_arc.c.  Their middle lines go around a centre O on their race's axis, at
 * z = side offset (side 1: outer race, -1: inner), with this radius. */
static inline double hk_cv_arc_radius(const hk_cv_ball_joint *p) {
  return hypot(0.5 * p->pcd, p->track_offset);
}
/* Is the middle line straight at the angle v around O, counted from the plane of O towards +z? */
static inline bool hk_cv_arc_straight(const hk_cv_ball_joint *p, double side, double v) {
  return p->track_family == HK_CV_UNDERCUT_FREE && side * p->track_offset * v > 0;
}
/* Where the middle line of track k meets the plane n.(x - at) = 0, all in axes of the race; `along` is its
 * direction there.  False: it does not. */
bool hk_cv_arc_crossing(const hk_cv_ball_joint *p, int k, double side, hk_vec3 n, hk_vec3 at,
                        hk_vec3 *where, hk_vec3 *along);
/* The ball at azimuth a of the joint bent by b, across the axis of the cage; a counts from the axis of the bend. */
void hk_cv_arc_in_window(const hk_cv_ball_joint *p, double b, double a, double *x, double *y);

/* The middle line of a straight track k of a race (side 1: inner, -1: outer), z along it, in the race's axes,
 * without its errors: see gap/ball_in_groove.c. */
hk_mat3 hk_cv_straight_axes(const hk_cv_ball_joint *p, int k, double side, hk_vec3 *at);

/* How far the joint bends: cv_ball_joint_bend.c. */
double hk_cv_bend_limit(const hk_cv_ball_joint *p);
/* Refuses a bend beyond that, and says what is in the way. */
hk_status hk_cv_check_bend(const hk_cv_ball_joint *p, double bend, hk_error *err);
/* The wall of the cage in the plane of the balls. */
void hk_cv_wall(const hk_cv_ball_joint *p, double *inner, double *outer);

/* For hk_type.sample and stage: cv_ball_joint_sample.c. */
hk_status hk_cv_ball_joint_sample(hk_item *item, hk_error *err);
void hk_cv_ball_joint_stage(const hk_item *item, hk_stage *stage);
void hk_cv_ball_joint_mirror(hk_item *item);

void hk_cv_ball_joint_draw(const hk_item *item, hk_drawing *d);
#endif
