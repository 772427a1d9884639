/* See film.h.
 *
 * With dn = P dt/|t| and tau rotating so that it stays normal to n (b = n x tau), the
 * derivatives of F = -kappa (base w + eps (r n + s tau)) contain no 1/|t|:
 *   by w: base + eps (n (r_V n + r_W tau)^T + tau (s_V n + s_W tau)^T + s/W b b^T)
 *   by t: 1/c (n ((r + eps r_eps) n + (r_V W - r_W V - s) tau)^T
 *              + tau ((s + eps s_eps) n + (r + s_V W - s_W V) tau)^T + (r - s V/W) b b^T) */
#include "force/film.h"

hk_film_place hk_film_locate(hk_vec3 t, hk_vec3 w, double clearance, double cut, hk_vec3 side) {
  hk_film_place p = {0};
  double length = hk_norm(t), speed = hk_norm(w);
  p.eps = length / clearance;
  p.held = p.eps < cut ? p.eps : cut;
  /* At the centre any direction is valid; the direction of motion is used because it is the next
   * direction of the eccentricity. */
  p.n = p.eps > 1e-13 ? hk_scale(1 / length, t)
        : speed > 0   ? hk_scale(1 / speed, w)
                      : hk_unit3(hk_cross(side, hk_v3(0.36, 0.48, 0.8)));
  p.V = hk_dot(p.n, w);
  hk_vec3 along = hk_axpy(w, -p.V, p.n);
  p.W = hk_norm(along);
  if (p.W > 1e-14 * speed) {
    p.tau = hk_scale(1 / p.W, along);
    /* If the motion is nearly along n, the part of the velocity perpendicular to n is mostly round-off and may have a
     * component along n. This component must be removed, because it would enter all derivatives. */
    p.tau = hk_unit3(hk_axpy(p.tau, -hk_dot(p.tau, p.n), p.n));
  } else {
    hk_vec3 across = hk_cross(side, p.n);
    double size = hk_norm(across);
    const hk_mat3 any = hk_frame_from_z(p.n);
    p.tau = size > 1e-6 ? hk_scale(1 / size, across) : hk_column(&any, 0);
    p.W = 0;
  }
  return p;
}

static void add(hk_mat3 *M, double f, hk_vec3 a, hk_vec3 b) {
  *M = hk_mat3_add(*M, hk_mat3_scale(f, hk_outer(a, b)));
}

hk_vec3 hk_film_force(const hk_film_place *p, const hk_film_rest *f, double kappa, double base,
                      double clearance, hk_mat3 *by_t, hk_mat3 *by_w) {
  const hk_vec3 n = p->n, tau = p->tau;
  const double eps = p->held;
  hk_vec3 F = hk_scale(-kappa * (base * p->V + eps * f->r), n);
  F = hk_axpy(F, -kappa * (base * p->W + eps * f->s), tau);
  if (!by_t) return F;
  hk_vec3 b = hk_cross(n, tau);
  *by_w = hk_mat3_scale(-kappa * base, hk_mat3_identity());
  add(by_w, -kappa * eps, n, hk_axpy(hk_scale(f->r_V, n), f->r_W, tau));
  add(by_w, -kappa * eps, tau, hk_axpy(hk_scale(f->s_V, n), f->s_W, tau));
  add(by_w, -kappa * eps * f->s_by_W, b, b);
  /* otherwise eps is limited to `held`, and the force changes only with the direction n */
  const bool moves = eps == p->eps;
  const double k = -kappa / clearance * (moves ? 1 : eps / p->eps);
  double rn = moves ? f->r + eps * f->r_eps : 0, sn = moves ? f->s + eps * f->s_eps : 0;
  *by_t = (hk_mat3){{{0}}};
  add(by_t, k, n, hk_axpy(hk_scale(rn, n), f->r_V * p->W - f->r_W * p->V - f->s, tau));
  add(by_t, k, tau, hk_axpy(hk_scale(sn, n), f->r + f->s_V * p->W - f->s_W * p->V, tau));
  add(by_t, k * (f->r - f->s_by_W * p->V), b, b);
  if (!(p->eps > 1e-13))
    *by_t = (hk_mat3){{{0}}}; /* at the centre the limit depends on the direction */
  return F;
}

double hk_film_regime(double thickness, double roughness) {
  return thickness > 3 * roughness ? HK_FILM_FULL
         : thickness > roughness   ? HK_FILM_MIXED
                                   : HK_FILM_DRY;
}

hk_status hk_film_check(double radius, double clearance, double viscosity, double roughness,
                        hk_error *err) {
  const struct {
    const char *name;
    double value, unit;
    const char *as;
  } size[] = {{"clearance", clearance, 1e6, "um"},
              {"viscosity", viscosity, 1, "Pa s"},
              {"radius", radius, 1e3, "mm"}};
  for (int i = 0; i < 3; i++)
    if (!(size[i].value > 0) || !isfinite(size[i].value))
      return hk_fail(err, HK_EINPUT, "%s is %g %s: it must be positive and finite", size[i].name,
                     size[i].unit * size[i].value, size[i].as);
  if (!(clearance < radius))
    return hk_fail(err, HK_EINPUT, "clearance %g um must be smaller than radius %g um",
                   1e6 * clearance, 1e6 * radius);
  if (!(roughness >= 0) || !(roughness < clearance))
    return hk_fail(
        err, HK_EINPUT,
        "roughness %g um must be smaller than clearance %g um, otherwise the surfaces always touch",
        1e6 * roughness, 1e6 * clearance);
  return HK_OK;
}

double hk_film_roughness(const hk_item *item, double given, double clearance) {
  return hk_item_has(item, "roughness") ? given : 1e-3 * clearance;
}

hk_status hk_film_apart(double distance, double clearance, const char *what, hk_error *err) {
  if (distance <= HK_FILM_LOST * clearance) return HK_OK;
  return hk_fail(err, HK_EINPUT,
                 "%s of a and b are %g mm apart as placed in the model file, %.3g times the "
                 "clearance of %g um; place the frames so that they nearly coincide",
                 what, 1e3 * distance, distance / clearance, 1e6 * clearance);
}

hk_status hk_film_sample(hk_item *item, double clearance, double viscosity, hk_error *err) {
  const double c = 2 + 2 * clearance;
  hk_status status = hk_item_real(item, "clearance", c, err);
  if (!status) status = hk_item_real(item, "radius", 1.1 * c, err);
  if (!status) status = hk_item_real(item, "viscosity", 0.003 * viscosity, err);
  return status ? status : hk_item_real(item, "roughness", 0.2 * c, err);
}

const char hk_film_lost[] =
    "the eccentricity of the journal exceeds 20 clearances, where the film cannot hold it; add a "
    "contact to the film, or use a clearance joint";
