/* The analysis `dynamics` of a model: what a simulation over time is told. */
#ifndef HK_DYNAMICS_H
#define HK_DYNAMICS_H
#include <stdbool.h>

typedef struct hk_analysis_dynamics {
  double duration, start;
  double output_step;
  double step;          /* fixed step when given (> 0) */
  double max_step, min_step, initial_step;
  double rtol, atol;    /* local error per step: relative and absolute (in lengths and radians) */
  double rho;           /* spectral radius at infinite frequency of generalized-alpha */
  int begin;            /* hk_begin */
  int stepper;          /* hk_stepper_choice */
  int max_newton;
  int tangent;          /* hk_tangent_choice */
  /* moreau: */
  double theta;         /* where forces are taken within the step; 1/2: the middle */
  bool paper;           /* forces at the velocities of the step's start, no projection */
  bool projection;      /* contacts that overlap are pushed apart */
} hk_analysis_dynamics;
typedef enum hk_begin { HK_BEGIN_AS_PLACED, HK_BEGIN_EQUILIBRIUM } hk_begin;
typedef enum hk_tangent_choice { HK_TANGENT_AUTO, HK_TANGENT_FULL, HK_TANGENT_REDUCED } hk_tangent_choice;
typedef enum hk_stepper_choice {
  HK_STEPPER_AUTO,
  HK_STEPPER_ALPHA,
  HK_STEPPER_TRAPEZOIDAL,
  HK_STEPPER_MOREAU,
  HK_STEPPER_EVENT_DRIVEN,
  HK_STEPPER_BDF
} hk_stepper_choice;

extern const hk_analysis_dynamics hk_dynamics_defaults;
#endif
