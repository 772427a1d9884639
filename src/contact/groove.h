/* Common part of straight and curved tracks (grooves): a cross-section of two circular flanks
 * (gothic arch).
 *
 * In the plane (x, y) across the track, x radial and y circumferential, the circle of a flank
 * has the radius R_track and the centre M. The ball is at (x, y); r = (x, y) - M, L = |r|
 * [Marter2020, eqs 9 to 13]:
 *
 *   gap = R_track - R_ball - L,   n = -r/L
 *
 * With e = R_track - R_ball - clearance and the contact angle,
 *
 *   inner race:  M = e (cos, +-sin),   outer race:  M = -e (cos, +-sin)
 *
 * The upper sign is for the flank that is loaded if the inner race pushes the balls in the
 * circumferential direction (torque_direction: forward). A flank is the half circle around its nominal
 * normal. If the ball is beyond the centre of the flank, it has left the track: L then counts as negative, and the gap
 * stays open. */
#ifndef HK_CONTACT_GROOVE_H
#define HK_CONTACT_GROOVE_H
#include "base/simd4.h"
#include <hooke/gap.h>

typedef struct hk_groove {
  hk_contact_common common;
  int race, torque_direction;
  double azimuth, pitch_radius;
  double ball_radius, track_radius, contact_angle, clearance;
} hk_groove;

enum { HK_GROOVE_INNER, HK_GROOVE_OUTER };
extern const char *const hk_groove_races[], *const hk_groove_loads[], *const hk_groove_points[];

/* Parameter table lines of a struct that begins with an hk_groove. */
#define HK_GROOVE_PARAMS                                                                           \
  HK_ENUM(hk_groove, race, hk_groove_races, HK_REQUIRED, "race that has the track"),               \
      HK_ENUM(hk_groove, torque_direction, hk_groove_loads, 0,                                     \
              "direction of torque that defines the loaded flank; forward: the inner race pushes " \
              "the balls in the "                                                                  \
              "circumferential direction (+ about z)"),                                            \
      HK_REAL(hk_groove, azimuth, "rad", 0,                                                        \
              "angular position of the track about the axis of the race"),                         \
      HK_REAL(hk_groove, pitch_radius, "m", HK_REQUIRED | HK_POSITIVE,                             \
              "distance of the track centre line from the axis of the race: half the PCD"),        \
      HK_REAL(hk_groove, ball_radius, "m", HK_REQUIRED | HK_POSITIVE, "radius of the ball"),       \
      HK_REAL(hk_groove, track_radius, "m", HK_REQUIRED | HK_POSITIVE,                             \
              "radius of the flanks, larger than the radius of the ball"),                         \
      HK_REAL(hk_groove, contact_angle, "rad", 0,                                                  \
              "angle between the contact normal and the radial direction", HK_RANGE(0.01, 1.56)),  \
      HK_REAL(hk_groove, clearance, "m", 0,                                                        \
              "clearance at each flank if the ball is centred in the track; < 0: preload")

/* Constants of the cross-section: radii, and flank centres relative to the origin of the ball
 * coordinates (x, y). */
enum {
  HK_GROOVE_LOADED = 0,
  HK_GROOVE_COUNTER = 4,
  HK_GROOVE_BALL = 8,
  HK_GROOVE_CLEARANCE,
  HK_GROOVE_TRACK,
  HK_GROOVE_CONSTANTS
};

/* Constants of a track centred at (x0, y0). Rejects cross-sections that cannot hold a ball. */
/* Changes the parameters to those of the mirror image: see hk_type.mirror. */
void hk_groove_mirror(hk_item *item);
hk_status hk_groove_prepare(const hk_groove *p, double x0, double y0, double *k, hk_error *err);

/* along: radius of curvature of the track bottom in the direction of the track; INFINITY:
 * straight. */
static inline hk_curvature hk_groove_curvature(const double *k, double along) {
  return (hk_curvature){
      .a_t = along, .a_s = -k[HK_GROOVE_TRACK], .b_t = k[HK_GROOVE_BALL], .b_s = k[HK_GROOVE_BALL]};
}

/* Position of the ball relative to a flank. */
typedef struct hk_flank {
  double gap, s; /* 1/L */
  double nx, ny; /* components of n */
} hk_flank;

/* Flank i (0: loaded, 1: unloaded) of a ball at (x, y). */
HK_INLINE hk_flank hk_groove_flank(const double *k, int i, double x, double y) {
  const double *flank = k + (i ? HK_GROOVE_COUNTER : HK_GROOVE_LOADED);
  double rx = x - flank[0], ry = y - flank[1], L = sqrt(rx * rx + ry * ry);
  /* at the centre the direction is undefined: use the direction towards the flank */
  if (L < 1e-12) {
    rx = -1e-12 * flank[2], ry = -1e-12 * flank[3];
    L = sqrt(rx * rx + ry * ry);
  }
  if (rx * flank[2] + ry * flank[3] > 0) L = -L;
  double s = 1 / L;
  return (hk_flank){k[HK_GROOVE_CLEARANCE] - L, s, -rx * s, -ry * s};
}
/* Computes both flanks of four balls at (x, y): gap, radius, n in the axes X and Y of the
 * cross-sections, and the curvature across the track, along tau = -ny X + nx Y. */
HK_INLINE void hk_groove_four(const hk_v4 *k, hk_v4 x, hk_v4 y, const hk_v4 X[3], const hk_v4 Y[3],
                              bool derivatives, hk_ball_four *out) {
  const hk_v4 tiny = hk_all4(1e-12), none = hk_all4(0);
  for (int i = 0; i < 2; i++) {
    const hk_v4 *flank = k + (i ? HK_GROOVE_COUNTER : HK_GROOVE_LOADED);
    hk_v4 rx = x - flank[0], ry = y - flank[1], L = hk_sqrt4(rx * rx + ry * ry);
    hk_m4 centre = L < tiny;
    if (hk_any4(centre)) {
      rx = hk_where4(centre, -tiny * flank[2], rx), ry = hk_where4(centre, -tiny * flank[3], ry);
      L = hk_sqrt4(rx * rx + ry * ry);
    }
    L = hk_where4(rx * flank[2] + ry * flank[3] > none, -L, L);
    hk_v4 s = -1 / L, nx = rx * s, ny = ry * s;
    out[i].radius = k[HK_GROOVE_BALL];
    out[i].gap = k[HK_GROOVE_CLEARANCE] - L;
    for (int j = 0; j < 3; j++) out[i].n[j] = nx * X[j] + ny * Y[j];
    if (!derivatives) continue;
    out[i].kappa[0] = s;
    for (int j = 0; j < 3; j++) out[i].tau[0][j] = nx * Y[j] - ny * X[j];
  }
}
#endif
