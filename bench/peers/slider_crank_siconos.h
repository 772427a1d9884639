/* The slider-crank with a dry clearance by Siconos: CPU seconds per step of its best turn, < 0 if it failed. */
#ifndef SLIDER_CRANK_SICONOS_H
#define SLIDER_CRANK_SICONOS_H
#ifdef __cplusplus
extern "C" {
#endif
double slider_crank_siconos(double clearance, double step, int turns, double *impacts_per_turn);
#ifdef __cplusplus
}
#endif
#endif
