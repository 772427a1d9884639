/* Trunnion that rotates in a bore with clearance: pin_in_bush with friction around the pin only.
 *
 * For rotating pins, such as the trunnions of a universal joint. Friction acts against the
 * rotation, along t = n x z_B, but not against sliding along the pin. For a pin with rigid ends
 * this sliding is a consequence of its tilting and has the same direction of motion as the
 * normal force, so that the two forces would not be unique. */
#include "base/hot.h"
#include "contact/pin_in_bush.h"

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

static void curvature(const double *k, int point, hk_curvature *out) {
  const hk_curvature r = hk_pin_in_bush_radii(k);
  *out = (hk_curvature){r.a_s, r.a_t, r.b_s, r.b_t, r.length}; /* t is around the pin */
}

static const hk_gap_ops ops = {.points = 2,
                               .concave = true,
                               .point_names = hk_pin_in_bush_points,
                               .tangents = 1,
                               .prepare = hk_pin_in_bush_prepare,
                               .deepest = hk_pin_in_bush_deepest,
                               .eval = eval,
                               .curvature = curvature,
                               .line = true};

const hk_type hk_type_contact_trunnion_in_bore = {
    .name = "trunnion_in_bore",
    .category = HK_CONTACT,
    .doc =
        "Trunnion (b, z along its axis) that rotates in a bore (a, in its middle, z along its "
        "axis) with clearance; contact is at the ends of the bore, and friction acts around the "
        "pin only.",
    .source = "distance of the bore ends from the pin axis",
    .size = sizeof(hk_pin_in_bush),
    .defaults = &defaults,
    HK_TABLE(hk_pin_in_bush_params),
    .symmetry = HK_MIRRORS,
    .ops = &ops,
    .draw = hk_pin_in_bush_draw,
};
