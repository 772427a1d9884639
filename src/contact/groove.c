/* Cross-section of a track: see groove.h. */
#include "contact/groove.h"

enum { FORWARD, REVERSE };
const char *const hk_groove_races[] = {"inner", "outer", NULL};
const char *const hk_groove_loads[] = {"forward", "reverse", NULL};
const char *const hk_groove_points[] = {"loaded", "unloaded"};

static hk_status check(const hk_groove *p, hk_error *err) {
  double e = p->track_radius - p->ball_radius;
  if (!(e > 0))
    return hk_fail(err, HK_EINPUT,
                   "track_radius %g m must be larger than ball_radius %g m; otherwise the contact "
                   "is not a single point",
                   p->track_radius, p->ball_radius);
  if (!(p->clearance < e))
    return hk_fail(err, HK_EINPUT,
                   "clearance %g m must be smaller than track_radius - ball_radius = %g m",
                   p->clearance, e);
  if (!(p->pitch_radius > p->ball_radius))
    return hk_fail(err, HK_EINPUT, "pitch_radius %g m must be larger than ball_radius %g m",
                   p->pitch_radius, p->ball_radius);
  return HK_OK;
}

/* Stores the centre (x, y) of a flank, and the direction M beyond which the ball has left the
 * flank. */
static void put_flank(double *k, double x0, double y0, double mx, double my) {
  k[0] = x0 + mx, k[1] = y0 + my, k[2] = mx, k[3] = my;
}

hk_status hk_groove_prepare(const hk_groove *p, double x0, double y0, double *k, hk_error *err) {
  hk_status status = check(p, err);
  if (status) return status;
  double room = p->track_radius - p->ball_radius, e = room - p->clearance;
  double side = p->race == HK_GROOVE_INNER ? 1 : -1;
  double mx = side * e * cos(p->contact_angle), my = side * e * sin(p->contact_angle);
  if (p->torque_direction == REVERSE) my = -my;
  put_flank(k + HK_GROOVE_LOADED, x0, y0, mx, my);
  put_flank(k + HK_GROOVE_COUNTER, x0, y0, mx, -my);
  k[HK_GROOVE_BALL] = p->ball_radius;
  k[HK_GROOVE_TRACK] = p->track_radius;
  k[HK_GROOVE_CLEARANCE] = room;
  return HK_OK;
}

void hk_groove_mirror(hk_item *item) {
  hk_groove *p = hk_item_edit(item);
  p->azimuth = -p->azimuth;
  p->torque_direction = p->torque_direction == FORWARD ? REVERSE : FORWARD;
}
