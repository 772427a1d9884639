/* See friction_integral.h. */
#include "law/friction_integral.h"
#include "law/saturation.h"

enum { RADII = 14, ANGLES = 40, QUARTER = ANGLES / 4 };
/* Radii sqrt(1 - s^2) at the positive Gauss points s of the interval from -1 to 1 (the integrand is even in s), and their weights 3 s^2 ds/ANGLES,
 * which add up to 1 over all points. */
static const double RADIUS[RADII] = {0.9984819837262315, 0.9863655262518575, 0.9622798297628906,
                                     0.9265175641296121, 0.8795133438574798, 0.8218385388864371,
                                     0.7541944979231562, 0.6774043372669043, 0.5924035630097849,
                                     0.5002300864099949, 0.4020151253124504, 0.298980309273941,
                                     0.1924684328223864, 0.08427543549920029};
static const double WEIGHT[RADII] = {
    2.503895429001558e-05, 0.0002208172879256772, 0.0005887489315772735, 0.001084173226560965,
    0.001646291702402798,  0.002204842878357885,  0.002687829687885632,  0.003029460790906942,
    0.003177443602042228,  0.003098837016606555,  0.002783828475595231,  0.002247029598035764,
    0.001526196941301816,  0.0006794609065112134};
/* cos(4.5 deg + 9 deg (i - QUARTER)): from index QUARTER on the cosines, from 0 on the sines of the angles. */
static const double COSINE[ANGLES + QUARTER] = {
    0.078459095727845,   0.2334453638559055,  0.3826834323650898,  0.5224985647159489,
    0.6494480483301837,  0.7604059656000312,  0.8526401643540922,  0.9238795325112866,
    0.9723699203976768,  0.9969173337331279,  0.9969173337331279,  0.9723699203976768,
    0.9238795325112866,  0.8526401643540922,  0.7604059656000312,  0.6494480483301837,
    0.5224985647159489,  0.3826834323650898,  0.2334453638559055,  0.078459095727845,
    -0.078459095727845,  -0.2334453638559055, -0.3826834323650898, -0.5224985647159489,
    -0.6494480483301837, -0.7604059656000312, -0.8526401643540922, -0.9238795325112866,
    -0.9723699203976768, -0.9969173337331279, -0.9969173337331279, -0.9723699203976768,
    -0.9238795325112866, -0.8526401643540922, -0.7604059656000312, -0.6494480483301837,
    -0.5224985647159489, -0.3826834323650898, -0.2334453638559055, -0.078459095727845,
    0.078459095727845,   0.2334453638559055,  0.3826834323650898,  0.5224985647159489,
    0.6494480483301837,  0.7604059656000312,  0.8526401643540922,  0.9238795325112866,
    0.9723699203976768,  0.9969173337331279};

HK_INLINE double sum_of(hk_v4 a) { return (a[0] + a[1]) + (a[2] + a[3]); }

HK_HOT void hk_friction_integral(const double half[2], double rate, const double slip[3],
                                 double out[3], double slope[3][3]) {
  const hk_v4 none = hk_all4(0), tiny = hk_all4(1e-200);
  hk_v4 f[3] = {none, none, none}, tt = none, ts = none, ss = none, tw = none, sw = none, ww = none;
  for (int i = 0; i < RADII; i++) {
    const double a_t = half[0] * RADIUS[i], a_s = half[1] * RADIUS[i];
    for (int j = 0; j < ANGLES; j += 4) {
      const double *s = COSINE + j, *c = s + QUARTER;
      const hk_v4 x = a_t * (hk_v4){c[0], c[1], c[2], c[3]},
                  y = a_s * (hk_v4){s[0], s[1], s[2], s[3]};
      const hk_v4 t = slip[0] - slip[2] * y, n = slip[1] + slip[2] * x, across = x * n - y * t;
      const hk_v4 v = hk_sqrt4(t * t + n * n + tiny);
      hk_v4 by_v, g = WEIGHT[i] * hk_saturation_four(v * rate, &by_v);
      f[0] += g * t, f[1] += g * n, f[2] += g * across;
      if (!slope) continue;
      const hk_v4 b = WEIGHT[i] * rate * by_v / v;
      tt += g + b * t * t, ts += b * t * n, ss += g + b * n * n;
      tw += b * t * across - g * y, sw += b * n * across + g * x;
      ww += g * (x * x + y * y) + b * across * across;
    }
  }
  for (int i = 0; i < 3; i++) out[i] = rate * sum_of(f[i]);
  if (!slope) return;
  slope[0][0] = rate * sum_of(tt), slope[1][1] = rate * sum_of(ss), slope[2][2] = rate * sum_of(ww);
  slope[0][1] = slope[1][0] = rate * sum_of(ts);
  slope[0][2] = slope[2][0] = rate * sum_of(tw);
  slope[1][2] = slope[2][1] = rate * sum_of(sw);
}
