/* The analysis `dynamics` of a model: settings of a simulation over time. */
#ifndef HK_SIM_DYNAMICS_H
#define HK_SIM_DYNAMICS_H
#include "spec/type.h"

/* The keys common to all integrators; the keys of one integrator are in its own struct: see
 * hk_integrator. */
typedef struct hk_analysis_dynamics {
  double duration, start;
  double output_step;
  double step; /* fixed step if given (> 0) */
  double max_step, min_step, initial_step;
  /* tolerances of the local error per step: relative and absolute (in metres and radians) */
  double rtol, atol;
  int initial_state;   /* hk_begin */
  const char *stepper; /* a type of HK_STEPPER, or "auto" */
  int max_newton;
  int tangent;             /* hk_tangent_choice */
  int initial_penetration; /* hk_overlap */
} hk_analysis_dynamics;
typedef enum hk_begin { HK_BEGIN_AS_PLACED, HK_BEGIN_EQUILIBRIUM } hk_begin;
typedef enum hk_overlap { HK_OVERLAP_REFUSE, HK_OVERLAP_ALLOW } hk_overlap;
typedef enum hk_tangent_choice {
  HK_TANGENT_AUTO,
  HK_TANGENT_FULL,
  HK_TANGENT_REDUCED
} hk_tangent_choice;

extern const hk_analysis_dynamics hk_dynamics_defaults;
extern const hk_type hk_type_analysis_dynamics;
#endif
