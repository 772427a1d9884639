/* Two balls: frames A and B are at their centres. With d = xB - xA, L = |d|:
 *   gap = L - R_a - R_b,  n = d/L,  c = xB - (R_b + gap/2) n
 * If the centres coincide, the direction is undefined and the z axis of A is used. */
#include "base/hot.h"
#include <hooke/gap.h>
#include "mesh/drawing.h"

typedef struct sphere_on_sphere {
  hk_contact_common common;
  double radius_a, radius_b;
} sphere_on_sphere;

static const sphere_on_sphere defaults = {{0}, 0, 0};

static const hk_param params[] = {
    HK_REAL(sphere_on_sphere, radius_a, "m", HK_REQUIRED | HK_POSITIVE, "radius of the ball at a"),
    HK_REAL(sphere_on_sphere, radius_b, "m", HK_REQUIRED | HK_POSITIVE, "radius of the ball at b"),
};

enum { RADIUS_A, RADIUS_B };

static hk_status prepare(const hk_item *item, double *k, hk_error *err) {
  (void)err;
  const sphere_on_sphere *p = hk_item_data(item);
  k[RADIUS_A] = p->radius_a;
  k[RADIUS_B] = p->radius_b;
  return HK_OK;
}

HK_HOT static void eval(const double *k, const hk_frame *A, const hk_frame *B, double near,
                        bool with_t, hk_gap *out) {
  hk_vec3 d = hk_sub(B->x, A->x);
  double L = hk_norm(d), reach = k[RADIUS_A] + k[RADIUS_B], least = 1e-9 * reach;
  bool direction = L > least;
  out->gap = L - reach;
  out->n = direction ? hk_scale(1 / L, d) : hk_column(&A->R, 2);
  out->c = hk_gap_ball_point(B, k[RADIUS_B], out);
  bool slopes = out->gap < near;
  hk_gap_free_tangent(A, false, out);
  if (!slopes) return;
  const hk_vec3 tau[2] = {out->t, hk_cross(out->n, out->t)};
  const double turn = 1 / (direction ? L : least), both[2] = {turn, turn};
  hk_gap_ball(d, k[RADIUS_B], 2, tau, both, out);
  if (with_t) hk_gap_free_tangent(A, true, out);
}

static void curvature(const double *k, int point, hk_curvature *out) {
  (void)point;
  *out = (hk_curvature){k[RADIUS_A], k[RADIUS_A], k[RADIUS_B], k[RADIUS_B]};
}

static double deepest(const double *k) { return fmin(k[RADIUS_A], k[RADIUS_B]); }

static const hk_gap_ops ops = {.points = 1,
                               .round = true,
                               .tangents = 2,
                               .prepare = prepare,
                               .deepest = deepest,
                               .eval = eval,
                               .curvature = curvature};

static void draw(const hk_item *item, hk_drawing *d) {
  const sphere_on_sphere *p = hk_item_data(item);
  hk_mesh a = {0}, b = {0};
  hk_mesh_sphere(&a, p->radius_a, 0);
  hk_mesh_sphere(&b, p->radius_b, 0);
  hk_draw(d, HK_DRAW_A, &a, (hk_draw_style){0});
  hk_draw(d, HK_DRAW_B, &b, (hk_draw_style){0});
}

const hk_type hk_type_contact_sphere_on_sphere = {
    .name = "sphere_on_sphere",
    .category = HK_CONTACT,
    .doc = "Two balls, centred at a and b.",
    .source = "distance of the centres",
    .size = sizeof(sphere_on_sphere),
    .defaults = &defaults,
    HK_TABLE(params),
    .symmetry = HK_SWAPS | HK_MIRRORS,
    .ops = &ops,
    .draw = draw,
};
