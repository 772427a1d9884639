/* Quasi-static rotation of a gear pair under constant torque: transmission error, stiffness,
 * load sharing, film thickness and pressure over one pitch, with nominal centre distance and
 * parallel axes. */
#ifndef HK_GEAR_QUASISTATIC_H
#define HK_GEAR_QUASISTATIC_H
#include "gear/pair.h"

enum { HK_GEAR_ORDERS = 8 };

/* Results at one position within the pitch. */
typedef struct hk_gear_point {
  double way;     /* distance of the pair nearest to the pitch point, along the line of action, m */
  double overlap; /* transmission error along the common normal, m */
  double stiffness; /* N/m */
  double damping;   /* sum of the film damping over slices and pairs, N s/m */
  double film;      /* smallest film thickness, m; 0: dry */
  double pressure;  /* largest pressure, Pa */
  int pairs;        /* number of pairs that carry load */
} hk_gear_point;

/* One tooth pair during its passage along the path of contact. */
typedef struct hk_gear_pass {
  double way;              /* position along the line of action from the pitch point, m */
  double share;            /* fraction of the load; 0: unloaded */
  double film, pressure;   /* smallest film thickness and largest pressure of its slices */
  double sliding, rolling; /* difference and sum of the surface speeds at mid-face, m/s */
  double radius;           /* equivalent radius of curvature, m */
} hk_gear_pass;

typedef struct hk_gear_mean {
  double mean, least, most;
} hk_gear_mean;

typedef struct hk_gear_quasistatic {
  int n; /* number of points in the pitch, evenly spaced */
  hk_gear_point *point;
  int n_passes; /* sorted by `way` */
  hk_gear_pass *pass;
  double load; /* sum along the common normal, N */
  hk_gear_mean overlap, stiffness, damping, film, pressure, pairs;
  double order[HK_GEAR_ORDERS]; /* amplitudes of the transmission error at 1, 2, ... times the tooth
                         * passing frequency, m */
  double friction_loss;         /* mean power loss, W */
} hk_gear_quasistatic;

/* Runs the rotation. All arrays are in the arena. The torque acts on gear 1, positive: forward. */
hk_status hk_gear_quasistatic_run(const hk_gear_pair *pair, double torque, double speed, int points,
                                  hk_arena *arena, hk_gear_quasistatic *out, hk_error *err);

/* Finds the penetration at which the flank carries `load` with pair 0 at the distance `way` beyond
 * the pitch point; `out` then holds the loads. Returns false if the iteration fails. *stiffness may
 * be NULL. */
bool hk_gear_overlap_at(const hk_gear_pair *p, double load, double speed, double flank, double way,
                        double *overlap, double *stiffness, hk_gear_section *section,
                        hk_gear_flank_load *out);
/* dF/d(penetration) at the loads of a successful solution; `room`: one double per slice of a
 * pair. */
double hk_gear_stiffness(const hk_gear_flank_load *l, double *room);
#endif
