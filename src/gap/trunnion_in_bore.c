/* A pin that turns in a bore with clearance: pin_in_bush with friction around the pin only.
 *
 * For pins that turn, as the trunnions of a universal joint: their friction acts against turning,
 * along t = n x z_B, and not against sliding along the pin, which for a pin with rigid ends is a
 * consequence of its tilting and would share one direction of motion with the pressure: the two
 * would not be unique then.
 */
#include "base/hot.h"
#include "gap/pin_in_bush.h"

static const hk_pin_in_bush defaults = {{0}, 0, 0, 0};

HK_HOT static void eval(const double *k, const hk_frame *A, const hk_frame *B, double near,
                        bool with_t, hk_gap *out) {
  hk_vec3 b = hk_column(&B->R, 2);
  hk_pin_in_bush_eval(k, A, B, near, false, out);
  for (int i = 0; i < 2; i++) {
    hk_gap *o = &out[i];
    o->t = hk_cross(o->n, b);
    if (!with_t || !(o->gap < near)) continue;
    /* dt = dn x b + n x (dthetaB x b) */
    hk_gap_clear(o->t_d);
    for (int j = 0; j < 12; j++) {
      hk_vec3 dn = {o->n_d[0][j], o->n_d[1][j], o->n_d[2][j]}, dt = hk_cross(dn, b);
      if (j >= HK_GAP_TB) {
        hk_vec3 e = {j == HK_GAP_TB, j == HK_GAP_TB + 1, j == HK_GAP_TB + 2};
        dt = hk_add(dt, hk_cross(o->n, hk_cross(e, b)));
      }
      o->t_d[0][j] = dt.x, o->t_d[1][j] = dt.y, o->t_d[2][j] = dt.z;
    }
  }
}

static const hk_gap_ops ops = {.points = 2,
                               .concave = true,
                               .point_names = hk_pin_in_bush_points,
                               .tangents = 1,
                               .prepare = hk_pin_in_bush_prepare,
                               .eval = eval};

const hk_type hk_type_contact_trunnion_in_bore = {
    .name = "trunnion_in_bore",
    .category = HK_CONTACT,
    .doc =
        "Pin (b, z its axis) that turns in a bore (a, in its middle, z its axis) with "
        "clearance, touching at the bore's ends; friction acts around the pin only.",
    .source = "distance of the bore's ends from the pin's axis",
    .size = sizeof(hk_pin_in_bush),
    .defaults = &defaults,
    HK_TABLE(hk_pin_in_bush_params),
    .ops = &ops,
    .draw = hk_pin_in_bush_draw,
};
