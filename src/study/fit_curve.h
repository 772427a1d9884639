/* Curves of a model at the measured points, for fits. */
#ifndef HK_STUDY_FIT_CURVE_H
#define HK_STUDY_FIT_CURVE_H
#include "study/fit.h"

/* Reads the model with these values of the parameters (in their units), and computes the curves y [n_curves][n] at
 * the measured points. noise: relative error of the curves due to the tolerances of the run; NULL: not requested.
 * HK_RETRY: the model is not valid with these values, or cannot be simulated; err has the reason. */
hk_status hk_fit_curves(hk_fit *f, const double *value, double *y, double *noise, hk_error *err);
#endif
