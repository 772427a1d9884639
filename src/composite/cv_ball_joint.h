/* Parameters of the ball-type CV joint, for the files that expand and draw it. */
#ifndef HK_COMPOSITE_CV_BALL_JOINT_H
#define HK_COMPOSITE_CV_BALL_JOINT_H
#include "composite/parts.h"
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
  double cage_density, cage_mass, cage_axial_inertia, cage_transverse_inertia;
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

/* Returns true if tracks are curved; curved tracks cross in one plane through the joint's centre, so that the joint
 * cannot plunge. */
static inline bool hk_cv_fixed(const hk_cv_ball_joint *p) { return p->track_family >= HK_CV_ARC; }

/* Sign of track k; signs alternate. */
static inline double hk_cv_sign(int k) { return k % 2 ? -1 : 1; }
static inline double hk_cv_azimuth(const hk_cv_ball_joint *p, int k) {
  return 2 * M_PI * k / p->balls;
}

static inline double hk_cv_degrees(double angle) { return angle * 57.29577951308232; }

/* Data during the expansion of a joint. */
typedef struct hk_cv_build {
  const hk_cv_ball_joint *p;
  hk_parts parts;
  hk_stand a, b;
  hk_vec3 x, v, w; /* pose and velocity midway between the races */
  hk_quat q;
  char marker[256], outer_marker[256]; /* marker names of the tracks */
} hk_cv_build;

/* The cage: cv_ball_joint_cage.c. */
typedef struct hk_cv_ring {
  double inner, outer;           /* radii */
  double length;                 /* along the axis */
  double half_width, half_angle; /* size of the windows along and around the axis */
  bool round;                    /* the cage is bounded by spheres instead of cylinders */
} hk_cv_ring;
typedef struct hk_cv_cage {
  double mass, axial, transverse; /* [kg], [kg m^2] */
} hk_cv_cage;
hk_cv_ring hk_cv_cage_ring(const hk_cv_ball_joint *p);
hk_cv_cage hk_cv_ring_inertia(const hk_cv_ring *ring, int windows, double density);
/* Returns the given values, otherwise values computed from the geometry, which are reported in a
 * note. */
hk_cv_cage hk_cv_cage_inertia(hk_cv_build *j);

/* Add the sensors of the races alone, and all sensors: cv_ball_joint_sensors.c. */
void hk_cv_add_race_sensors(hk_cv_build *j);
void hk_cv_add_sensors(hk_cv_build *j);

/* Rejects invalid parameters: cv_ball_joint_check.c. */
hk_status hk_cv_ball_joint_check(const hk_cv_ball_joint *p, hk_error *err);

/* Curved tracks: cv_ball_joint_arc.c.  Their centre lines are arcs with this radius around a centre O on the axis of
 * their race, at z = side offset (side 1: outer race, -1: inner). */
static inline double hk_cv_arc_radius(const hk_cv_ball_joint *p) {
  return hypot(0.5 * p->pcd, p->track_offset);
}
/* Returns true if the centre line is straight at the angle v around O, measured from the plane of O towards +z. */
static inline bool hk_cv_arc_straight(const hk_cv_ball_joint *p, double side, double v) {
  return p->track_family == HK_CV_UNDERCUT_FREE && side * p->track_offset * v > 0;
}
/* Finds the point where the centre line of track k meets the plane n.(x - at) = 0, and its
 * direction `along` at this point, in the axes of the race.  False: no such point. */
bool hk_cv_arc_crossing(const hk_cv_ball_joint *p, int k, double side, hk_vec3 n, hk_vec3 at,
                        hk_vec3 *where, hk_vec3 *along);
/* Computes the position x, y of the ball at azimuth a in the plane of the cage, at the articulation
 * angle b; a is measured from the axis of the articulation. */
void hk_cv_arc_in_window(const hk_cv_ball_joint *p, double b, double a, double *x, double *y);

/* Axes of a straight track k of a race, with z along the track, and origin of its centre line, in the axes of the race
 * and without tolerances. side: 1 inner race, -1 outer race. See contact/ball_in_groove.c. */
hk_mat3 hk_cv_straight_axes(const hk_cv_ball_joint *p, int k, double side, hk_vec3 *at);

/* Largest possible articulation angle: cv_ball_joint_articulation.c. */
double hk_cv_bend_limit(const hk_cv_ball_joint *p);
/* Rejects an articulation angle above this limit; the message names the part that limits it. */
hk_status hk_cv_check_bend(const hk_cv_ball_joint *p, double bend, hk_error *err);
/* Inner and outer radius of the cage in the plane of the balls. */
void hk_cv_wall(const hk_cv_ball_joint *p, double *inner, double *outer);

/* For hk_type.sample and stage: cv_ball_joint_sample.c. */
hk_status hk_cv_ball_joint_sample(hk_item *item, hk_error *err);
void hk_cv_ball_joint_stage(const hk_item *item, hk_stage *stage);
void hk_cv_ball_joint_mirror(hk_item *item);

void hk_cv_ball_joint_draw(const hk_item *item, hk_drawing *d);
#endif
