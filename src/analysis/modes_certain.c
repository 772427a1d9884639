/* Growth that is only rounding.
 *
 * Let e be the relative rounding error and w the scale of the frequencies. Rounding of M, L and K changes the matrix
 * P(s) = s^2 M + s L + K by dP, which is up to e w^2 M. With the left vector y and the shape z of an eigenvalue s,
 * this changes s by
 *   ds = -y^H dP z/(y^H (2 s M + L) z),   |ds| <= e w^2 |y| |z|/|y^H (2 s M + L) z|   with |z|^2 = z^H M z.
 * The denominator is small if s is a double eigenvalue with only one shape. Rounding splits
 * such a double value into two, which differ by the square root of e: one of the two grows and the other decays,
 * although the true value does neither. An example is a free model in axes that rotate with W: its translation in
 * proportion to time has the double values +-i W. */
#include "analysis/pencil.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

/* x^H M y */
static double complex product(const hk_linear *l, const double complex *x, const double complex *y,
                              const double *M) {
  double complex sum = 0;
  for (int i = 0; i < l->dof; i++)
    for (int j = 0; j < l->dof; j++)
      sum += conj(x[i]) * M[(size_t)i * (size_t)l->dof + (size_t)j] * y[j];
  return sum;
}

/* Error of the eigenvalue s by rounding `noise`, relative to the largest s of this scale. work: [dof][dof] and 2 [dof]. */
static hk_status error_of(const hk_linear *l, double complex s, double noise, double scale,
                          double complex *work, lapack_int *pivot, double *out, hk_error *err) {
  const int n = l->dof;
  double complex *z = work + (size_t)n * (size_t)n, *y = z + n;
  hk_status status = hk_pencil_factor(l, s, work, pivot, err);
  for (int i = 0; i < n; i++) z[i] = y[i] = 1 + 0.37 * sin(1.7 * i) + 0.2 * I * cos(2.3 * i);
  if (!status) status = hk_pencil_iterate(n, work, pivot, false, z, err);
  if (!status) status = hk_pencil_iterate(n, work, pivot, true, y, err);
  if (status) return status;
  double size = sqrt(cabs(product(l, z, z, l->Mr)) * cabs(product(l, y, y, l->Mr)));
  double slope = cabs(2 * s * product(l, y, z, l->Mr) + product(l, y, z, l->Lr));
  *out = slope > 0 ? noise * scale * scale * size / slope : INFINITY;
  return HK_OK;
}

hk_status hk_modes_drop_rounding(const hk_linear *l, double noise, hk_modes *out, hk_error *err) {
  const size_t n = (size_t)l->dof;
  double complex *work = malloc((n * n + 2 * n + 1) * sizeof *work);
  lapack_int *pivot = malloc((n + 1) * sizeof *pivot);
  hk_status status = work && pivot ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < out->n && !status; i++) {
    const double re = out->mode[i].re, im = out->mode[i].im, scale = out->mode[i].frequency;
    /* rounding cannot change a double eigenvalue by more than this */
    const double most = sqrt(noise) * scale;
    double error = 0;
    if (!(re > 0) || re > most || re <= 1e-9 * fabs(im)) continue;
    status = error_of(l, re + I * im, noise, scale, work, pivot, &error, err);
    if (status || re > error) continue;
    error = fmin(error, most);
    for (int k = 0; k < out->n; k++) {
      hk_mode *o = &out->mode[k];
      if (hypot(o->re - re, o->im - im) <= 3 * error) o->re = 0;
    }
  }
  free(work);
  free(pivot);
  return status;
}
