/* Drawing of the ball-type CV joint: races with their tracks, the cage with its windows. The balls are bodies with
 * their own drawing. Tracks have the true radius, position and inclination. Length and thickness of the races are not
 * part of the model; typical values are used. */
#include "composite/cv_ball_joint.h"
#include <stdio.h>

/* Track k of a race: see contact/ball_in_groove.c. */
static hk_track track(const hk_cv_ball_joint *p, int k, double side) {
  double a = side * hk_cv_sign(k) * p->track_skew_angle,
         b = side * hk_cv_sign(k) * p->track_inclination;
  double phi = hk_cv_azimuth(p, k), c = cos(phi), s = sin(phi), r = 0.5 * p->pcd;
  if (hk_cv_fixed(p))
    return (hk_track){
        .at = hk_v3(r * c, r * s, 0),
        .radius = p->track_radius,
        .arc_radius = hk_cv_arc_radius(p),
        .arc_center = -side * p->track_offset,
        .straight = p->track_family == HK_CV_UNDERCUT_FREE ? -side * p->track_offset : 0};
  hk_vec3 e = hk_v3(-cos(a) * sin(b), sin(a), cos(a) * cos(b)); /* radial, circumferential, axial */
  return (hk_track){hk_v3(r * c, r * s, 0), hk_v3(c * e.x - s * e.y, s * e.x + c * e.y, e.z),
                    p->track_radius};
}

void hk_cv_ball_joint_draw(const hk_item *item, hk_drawing *d) {
  const hk_cv_ball_joint *p = hk_item_data(item);
  double r = 0.5 * p->pcd, b = p->ball_radius, length = 3.4 * b;
  hk_track inner[HK_CV_MAX_BALLS], outer[HK_CV_MAX_BALLS];
  for (int k = 0; k < p->balls; k++) inner[k] = track(p, k, 1), outer[k] = track(p, k, -1);
  hk_mesh races[2] = {{0}};
  if (hk_cv_fixed(p)) {
    hk_mesh_outer_ball_race(&races[0], p->guide_outer_radius, r + 1.9 * b, length, outer, p->balls);
    hk_mesh_inner_ball_race(&races[1], fmax(0.2 * r, r - 2.1 * b), p->guide_inner_radius, 2.6 * b,
                            inner, p->balls);
  } else {
    hk_mesh_outer_race(&races[0], r + 0.38 * b, r + 1.75 * b, length, outer, p->balls);
    hk_mesh_inner_race(&races[1], fmax(0.2 * r, r - 2.1 * b), r - 0.38 * b, length, inner,
                       p->balls);
  }
  hk_draw(d, p->joint.a, &races[0], (hk_draw_style){.paint = HK_PAINT_GLASS, .part = true});
  hk_draw(d, p->joint.b, &races[1], (hk_draw_style){.part = true});
  if (p->fidelity == HK_CV_IDEAL) return;
  char frame[300];
  hk_mesh cage = {0};
  const hk_cv_ring ring = hk_cv_cage_ring(p);
  snprintf(frame, sizeof frame, "%s.cage", hk_item_name(item));
  hk_mesh_cage(&cage, ring.inner, ring.outer, ring.length, p->balls, ring.half_width,
               ring.half_angle);
  if (ring.round) hk_mesh_make_round(&cage);
  hk_draw(d, frame, &cage, (hk_draw_style){.paint = HK_PAINT_BRASS, .part = true});
}
