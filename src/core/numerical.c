/* Derivatives by finite differences, for forces and laws that provide none: see
 * hooke/numerical.h. */
#include "core/contact.h"
#include "core/force.h"
#include <hooke/numerical.h>
#include <string.h>

/* out = the force at `in`, without derivatives. */
static void look(const hk_force *f, const hk_force_in *in, hk_force_out *out) {
  memset(out, 0, offsetof(hk_force_out, K));
  out->has_K = out->has_C = false;
  out->potential = out->dissipated = out->applied = 0;
  f->ops->eval(f->item->data, in, out);
}

/* Derivatives of w (slope[12]) and of F (returned) with respect to *x, a member of `in`. */
static double slope_by(const hk_force *f, const hk_force_in *in, double *x, double slope[12]) {
  const double at = *x, h = HK_NUMERICAL_STEP * fmax(1, fabs(at));
  hk_force_out out[2];
  for (int side = 0; side < 2; side++) {
    *x = at + (side ? h : -h);
    look(f, in, &out[side]);
  }
  *x = at;
  for (int i = 0; i < 12; i++) slope[i] = (out[1].w[i] - out[0].w[i]) / (2 * h);
  return (out[1].F - out[0].F) / (2 * h);
}

void hk_force_differences(const hk_force *f, const hk_force_in *at, hk_force_out *out) {
  const double h = HK_NUMERICAL_STEP;
  hk_force_in in = *at;
  double unused[12];
  for (int j = 0; at->A && j < 24; j++) {
    hk_force_out side[2];
    double(*to)[12] = j < 12 ? out->K : out->C;
    for (int i = 0; i < 2; i++) {
      hk_frame varied[2];
      hk_frames_vary(at->A, at->B, j, i ? h : -h, varied);
      in.A = &varied[0];
      in.B = &varied[1];
      look(f, &in, &side[i]);
      if (side[i].failed) out->failed = side[i].failed;
    }
    for (int r = 0; r < 12; r++) to[r][j % 12] = (side[0].w[r] - side[1].w[r]) / (2 * h);
  }
  out->has_K = out->has_C = at->A != NULL;
  in = *at;
  if (f->coordinate >= 0) {
    out->F_c = slope_by(f, &in, &in.c, unused);
    out->F_rate = slope_by(f, &in, &in.rate, unused);
  }
  if (f->joint >= 0) out->F_load = slope_by(f, &in, &in.load, out->w_load);
  for (int i = 0; i < f->n_expr; i++) out->F_e[i] = slope_by(f, &in, &in.e[i], out->w_e[i]);
}

/* The difference step is relative to the current values, because the penetrations of stiff bodies are very small. */
void hk_law_differences(const hk_contact *c, const hk_law_in *at, hk_normal *out) {
  const double h[2] = {HK_NUMERICAL_STEP * fmax(fabs(at->depth), 1e-9),
                       HK_NUMERICAL_STEP * fmax(fabs(at->rate), 1e-3)};
  double *slope[2] = {&out->N_depth, &out->N_rate};
  out->N_depth = out->N_rate = 0;
  /* N = 0: an open contact, or the kink at which it opens */
  for (int i = 0; i < 2 && out->N != 0; i++) {
    double N[2];
    for (int side = 0; side < 2; side++) {
      hk_law_in in = *at;
      hk_normal there = {0};
      *(i ? &in.rate : &in.depth) += side ? h[i] : -h[i];
      c->law->normal(c->l, &in, &there);
      N[side] = there.N;
      if (there.failed) out->failed = there.failed;
    }
    *slope[i] = (N[1] - N[0]) / (2 * h[i]);
  }
}
