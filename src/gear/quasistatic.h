/* A gear pair that turns slowly under a constant torque: transmission error, stiffness, load sharing, films
 * and pressures over one pitch, with centres and axes as in the drawing. */
#ifndef HK_GEAR_QUASISTATIC_H
#define HK_GEAR_QUASISTATIC_H
#include "gear/pair.h"

enum { HK_GEAR_ORDERS = 8 };

/* At one place of the pitch. */
typedef struct hk_gear_point {
  double way; /* of the pair nearest to the pitch point along the line of action, from there, m */
  double overlap;   /* transmission error along the common normal, m */
  double stiffness; /* N/m */
  double damping;   /* sum over slices and pairs of the films' damping, N s/m */
  double film;      /* smallest, m; 0: dry */
  double pressure;  /* largest, Pa */
  int pairs;        /* that carry load */
} hk_gear_point;

/* One pair of teeth on its way along the path of contact. */
typedef struct hk_gear_pass {
  double way;              /* along the line of action from the pitch point, m */
  double share;            /* of the load; 0: none */
  double film, pressure;   /* smallest and largest of its slices */
  double sliding, rolling; /* difference and sum of the surfaces' speeds at mid-face, m/s */
  double radius;           /* equivalent, m */
} hk_gear_pass;

typedef struct hk_gear_mean {
  double mean, least, most;
} hk_gear_mean;

typedef struct hk_gear_quasistatic {
  int n; /* points of the pitch, evenly spread */
  hk_gear_point *point;
  int n_passes; /* by way */
  hk_gear_pass *pass;
  double load; /* sum along the common normal, N */
  hk_gear_mean overlap, stiffness, damping, film, pressure, pairs;
  double order
      [HK_GEAR_ORDERS]; /* amplitudes of the transmission error at 1, 2, ... times tooth passing, m */
  double friction_loss; /* mean, W */
} hk_gear_quasistatic;

/* Everything is in the arena.  The torque acts on gear 1, forward if positive. */
hk_status hk_gear_quasistatic_run(const hk_gear_pair *pair, double torque, double speed, int points,
                                  hk_arena *arena, hk_gear_quasistatic *out, hk_error *err);

/* Overlap under which the flank carries `load` with pair 0 `way` beyond the pitch point; `out` then holds
 * the loads.  False: not found.  *stiffness may be NULL. */
bool hk_gear_overlap_at(const hk_gear_pair *p, double load, double speed, double flank, double way,
                        double *overlap, double *stiffness, hk_gear_section *section,
                        hk_gear_flank_load *out);
/* dF/d(overlap) of loads that have been found; `room`: one double per slice of a pair. */
double hk_gear_stiffness(const hk_gear_flank_load *l, double *room);
#endif
