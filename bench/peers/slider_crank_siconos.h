/* The slider-crank with a dry clearance by Siconos: CPU seconds per step, < 0 if it failed. */
#ifndef SLIDER_CRANK_SICONOS_H
#define SLIDER_CRANK_SICONOS_H
#ifdef __cplusplus
extern "C" {
#endif
double slider_crank_siconos(double clearance, double step, double end, double *impacts_per_turn);
#ifdef __cplusplus
}
#endif
#endif
