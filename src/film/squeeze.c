/* See squeeze.h. */
#include "film/squeeze.h"
#include <math.h>

double hk_squeeze_rest(double x, double *slope) {
  if (fabs(x) < 0.15) { /* sum of (j + 3)/(j + 4) x^j */
    double sum = 0;
    *slope = 0;
    for (int j = 20; j >= 0; j--) {
      *slope = *slope * x + sum;
      sum = sum * x + (j + 3.0) / (j + 4.0);
    }
    return sum;
  }
  double log1 = log1p(-x), gap = 1 - x, x2 = x * x;
  double B = log1 / (x * x2) + 1 / (x2 * gap) - 0.5 / x;
  double B_x = -3 * log1 / (x2 * x2) - 3 / (x * x2 * gap) + 1 / (x2 * gap * gap) + 0.5 / x2;
  double rest = (B - HK_SQUEEZE_CENTRE) / x;
  *slope = (B_x - rest) / x;
  return rest;
}

double hk_squeeze(double x, double *slope) {
  double rest_x, rest = hk_squeeze_rest(x, &rest_x);
  *slope = rest + x * rest_x;
  return HK_SQUEEZE_CENTRE + x * rest;
}
