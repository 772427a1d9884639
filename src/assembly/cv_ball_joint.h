/* The parameters of the ball joint, for the files that expand and draw it. */
#ifndef HK_ASSEMBLY_CV_BALL_JOINT_H
#define HK_ASSEMBLY_CV_BALL_JOINT_H
#include "assembly/assembly.h"
#include <hooke/joint.h>
#include "shape/drawing.h"

enum { HK_CV_MAX_BALLS = 64 };

typedef struct hk_cv_ball_joint {
  hk_joint_common joint;
  int fidelity, track_family, balls, load;
  double pcd, ball_radius, track_radius, contact_angle, track_alpha, track_beta;
  double window_clearance, flank_play;
  const char *law, *cage_law, *housing;
  double ball_mass, ball_density;
  double cage_mass, cage_axial_inertia, cage_transverse_inertia;
  double cage_stiffness, cage_damping, cage_spin_damping;
  double cage_offset, sphere_stiffness, sphere_damping;
  double pitch_error[HK_CV_MAX_BALLS], radial_error[HK_CV_MAX_BALLS];
  double depth_error[HK_CV_MAX_BALLS], size_error[HK_CV_MAX_BALLS];
  double outer_pitch_error[HK_CV_MAX_BALLS], window_error[HK_CV_MAX_BALLS];
  double window_width_error[HK_CV_MAX_BALLS];
} hk_cv_ball_joint;

enum { HK_CV_FULL, HK_CV_IDEAL };
enum { HK_CV_CROSS_GROOVE, HK_CV_DOUBLE_OFFSET };

/* Signs of the tracks alternate. */
static inline double hk_cv_sign(int k) { return k % 2 ? -1 : 1; }
static inline double hk_cv_azimuth(const hk_cv_ball_joint *p, int k) {
  return 2 * M_PI * k / p->balls;
}

void hk_cv_ball_joint_draw(const hk_item *item, hk_drawing *d);
#endif
