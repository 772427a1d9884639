/* A contact law with memory that acts at a distance, in one file: a cushion of thickness L on the surface,
 * which acts for gaps below L.  Compressed by s = L - gap it has an elastic and a damping force, by backward
 * differences,
 *   N = K s^2 + D s (s - s0)/h,   not less than 0
 * with s0 at the last accepted step.  At rest only the elastic force remains.
 */
#ifndef HK_TOY_CUSHION_H
#define HK_TOY_CUSHION_H
#include "law/friction.h"

typedef struct cushion {
  double stiffness, damping, thickness;
  hk_friction friction;
} cushion;

static const cushion cushion_defaults = {.friction = HK_FRICTION_DEFAULTS};

static const hk_param cushion_params[] = {
    HK_REAL(cushion, stiffness, "N/m^2", HK_REQUIRED | HK_POSITIVE, "K"),
    HK_REAL(cushion, damping, "N*s/m^2", 0, "D", HK_MIN(0)),
    HK_REAL(cushion, thickness, "m", HK_REQUIRED | HK_POSITIVE, "L"),
    HK_FRICTION_PARAMS(cushion, friction),
};

enum { CUSHION_K, CUSHION_D, CUSHION_L };

static hk_status cushion_prepare(const hk_item *law, const hk_curvature *radii, double *k,
                                 hk_error *err) {
  const cushion *p = hk_item_data(law);
  k[CUSHION_K] = p->stiffness;
  k[CUSHION_D] = p->damping;
  k[CUSHION_L] = p->thickness;
  return hk_friction_prepare(law, &p->friction, &(hk_hertz){0}, k, err);
}

static double cushion_reach(const double *k) { return k[CUSHION_L]; }

static void cushion_normal(const double *k, const hk_law_in *in, hk_normal *out) {
  double s = in->depth + k[CUSHION_L], D = k[CUSHION_D], rate = 0, by_depth = 0;
  if (!(s > 0)) {
    *out = (hk_normal){0};
    return;
  }
  if (in->h == 0) rate = in->rate;
  if (in->h > 0 && !isinf(in->h)) rate = (s - in->memory[0]) / in->h, by_depth = 1 / in->h;
  out->elastic = k[CUSHION_K] * s * s;
  out->potential = k[CUSHION_K] * s * s * s / 3;
  out->N = fmax(0, out->elastic + D * s * rate);
  bool pushes = out->N > 0;
  out->N_depth = pushes ? 2 * k[CUSHION_K] * s + D * rate + D * s * by_depth : 0;
  out->N_rate = pushes && in->h == 0 ? D * s : 0;
}

static void cushion_accept(const double *k, const hk_law_in *in, double *memory) {
  memory[0] = fmax(0, in->depth + k[CUSHION_L]);
}

static const hk_law_ops cushion_ops = {.prepare = cushion_prepare,
                                       .normal = cushion_normal,
                                       .reach = cushion_reach,
                                       .memory = 1,
                                       .accept = cushion_accept,
                                       HK_FRICTION_OPS};

static const hk_type toy_cushion = {
    .name = "cushion",
    .category = HK_LAW,
    .doc = "A layer that is felt before the surfaces meet.",
    .source = "toy",
    .size = sizeof(cushion),
    .defaults = &cushion_defaults,
    HK_TABLE(cushion_params),
    .ops = &cushion_ops,
};
#endif
