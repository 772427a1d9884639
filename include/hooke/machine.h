/* Machine elements on their own: gear pairs and rolling bearings of a model under a given load, without a simulation.
 *
 *   hk_gear_solution g;
 *   if (hk_gear_solve(model, "mesh", &(hk_gear_options){.torque = 150, .speed = 100}, &g, &err)) ...
 *   printf("mesh stiffness %g N/m\n", g.stiffness.mean);
 *   hk_gear_solution_free(&g);
 *
 * The results are those of the commands `hooke gear` and `hooke bearing`, in SI units.
 */
#ifndef HOOKE_MACHINE_H
#define HOOKE_MACHINE_H
#include <hooke/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- gear pairs ---- */

/* For every member, 0 means the value given by the gear pair. */
typedef struct hk_gear_options {
  size_t size;   /* sizeof(hk_gear_options), or 0: the members of version 1.0 */
  double torque; /* torque on gear a [N m]; negative: loads the backward flank */
  double speed;  /* speed of gear a [rad/s] */
  int points;    /* number of positions within one pitch; default 200 */
} hk_gear_options;

typedef struct hk_range {
  double mean, least, most;
} hk_range;

enum { HK_GEAR_SOLUTION_ORDERS = 8 };
/* Quasi-static rotation over one pitch.  Arrays [n] are over the pitch, arrays [n_path] follow one tooth pair along its path of
 * contact; positions `way` and `path_way` are measured along the line of action from the pitch point [m]. */
typedef struct hk_gear_solution {
  const char *name;           /* name of the pair; lives as long as the model */
  double torque, speed, load; /* load along the common normal [N] */
  double center_distance, base_pitch, backlash, working_pressure_angle; /* [m], [rad] */
  double contact_ratio, transverse_ratio, overlap_ratio;
  hk_range transmission_error, stiffness, damping; /* [m], [N/m], [N s/m] */
  hk_range film, pressure, pairs;                  /* [m], [Pa], number of pairs in contact */
  /* amplitudes of the transmission error at multiples of the tooth passing frequency [m] */
  double order[HK_GEAR_SOLUTION_ORDERS];
  double sliding_max, friction_loss; /* [m/s], [W] */
  double roughness;                  /* roughness of the flanks [m]; 0: unknown */
  double reserved[8];
  int n;
  const double *way, *error_at, *stiffness_at, *damping_at, *film_at, *pressure_at, *pairs_at;
  int n_path;
  const double *path_way, *path_share, *path_film, *path_pressure, *path_sliding, *path_rolling,
      *path_radius;
  void *block;
} hk_gear_solution;

/* Solves a pair by name; NULL: the only pair of the model.  HK_EINPUT: no such pair, or no torque
 * is given. */
HK_API hk_status hk_gear_solve(const hk_model *model, const char *name,
                               const hk_gear_options *options, hk_gear_solution *out,
                               hk_error *err);
HK_API void hk_gear_solution_free(hk_gear_solution *s);

/* ---- rolling bearings ---- */

/* For every member, NaN means the value of the bearing in the model (hk_bearing_options_init sets
 * all members to NaN). */
typedef struct hk_bearing_options {
  size_t size;       /* sizeof(hk_bearing_options), or 0: the members of version 1.0 */
  double force[3];   /* force on the inner ring, in the axes of the outer ring [N] */
  double moment[2];  /* moments about x and y [N m] */
  double tilt[2];    /* tilt of the inner ring about x and y [rad]; NaN: 0 */
  double speed;      /* speed of the inner ring [rad/s] */
  double cage;       /* angle of the cage [rad]; NaN: 0 */
  double cage_speed; /* speed of the cage [rad/s]; NaN: follows from rolling without slip */
  bool free_tilt;    /* the inner ring tilts until its moments balance */
} hk_bearing_options;
HK_API void hk_bearing_options_init(hk_bearing_options *options);

typedef struct hk_bearing_element_load {
  int row;
  double load[2];     /* loads at the inner and at the outer race [N] */
  double angle[2];    /* contact angles [rad] */
  double pressure[2]; /* [Pa] */
  double film[2];     /* film thickness at both races [m]; 0: no oil */
  bool truncated;     /* the contact ellipse extends beyond a shoulder */
} hk_bearing_element_load;

typedef struct hk_bearing_solution {
  const char *name; /* lives as long as the model */
  double load[6], speed;
  double clearance, preload_displacement; /* as mounted [m] */
  double displacement[6];                 /* displacement of the inner ring [m, rad] */
  double stiffness[6][6];                 /* stiffness [N/m, N/rad, N m/rad] */
  double cage, outer, inner, element;     /* frequencies per revolution of the inner ring */
  /* smallest film thickness and roughness [m]; 0: no film, or unknown roughness */
  double film_min, roughness;
  /* Lives in millions of revolutions; 0: the bearing has no rating.  L10r_aligned: without tilt. */
  double L10r, L10r_aligned, L10mr, a_iso, reference_load;
  double reserved[8];
  int n_elements;
  hk_bearing_element_load *elements;
} hk_bearing_solution;

HK_API hk_status hk_bearing_solve(const hk_model *model, const char *name,
                                  const hk_bearing_options *options, hk_bearing_solution *out,
                                  hk_error *err);
HK_API void hk_bearing_solution_free(hk_bearing_solution *s);

#ifdef __cplusplus
}
#endif
#endif
