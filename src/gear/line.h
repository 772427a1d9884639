/* Laws of a line contact: what a slice of two flanks that touch along a line exerts.
 *
 * The slice is pressed by F.  Its law relates F to the approach of the flanks, counted from where they
 * would touch unloaded and undeformed: p = y, the local deformation less the film.  Both are given as
 * functions of x, the logarithm of the steady load, in which all of them are mild: for F -> 0 the slopes
 * by F grow without bound, those by x do not.  So n slices that also share the compliance of the teeth,
 *   sum_j C_ij F_j + y_i = p_i
 * are one well-behaved system in the unknowns x_i (gear/mesh.h).
 *
 * A law is an item of `laws` whose hk_law_ops has `line`; it knows nothing of gears, and gears nothing of
 * oil.
 */
#ifndef HK_GEAR_LINE_H
#define HK_GEAR_LINE_H
#include <stdbool.h>

/* Where two flanks meet, in one slice. */
typedef struct hk_line_spot {
  double width;   /* of the slice along the line, m */
  double radius;  /* equivalent radius of curvature, m */
  double depth2;  /* product of the depths of both bodies under the contact, m^2 */
  double speed;   /* sum of the speeds of both surfaces over the contact, m/s, of any sign */
  double modulus; /* 2/((1 - nu1^2)/E1 + (1 - nu2^2)/E2), Pa */
  double poisson; /* sum of nu (1 + nu)/E, 1/Pa */
  double k[6];    /* what the law makes of these once for all loads (hk_line_ops.ready) */
} hk_line_spot;
enum { HK_LINE_DEFORM, HK_LINE_LAW }; /* k[0] is of hk_line_deform4, the others are the law's own */

/* What comes before: the film at the last accepted step and the time since then.  film = 0: there was
 * none, or dt is 0 or infinite: the film is steady. */
typedef struct hk_line_past {
  double film, dt;
} hk_line_past;

/* The load at x = ln(steady load), with derivatives by x, the radius (r), the speed (u) and, where it
 * matters, ln(depth2) (k). */
typedef struct hk_line_load {
  double F, F_x, F_r, F_u;           /* pressing force >= 0, N */
  double y, y_x, y_r, y_u, y_k;      /* local deformation - film, m */
  double steady;                     /* e^x */
  double deformation, deformation_x; /* m */
  double film, film_x;               /* m; 0: dry */
  double damping;                    /* force per rate at which the film closes, N s/m */
  double energy;                     /* of the local deformation, J */
  double coenergy_r,
      coenergy_k; /* slopes of the integral of the deformation over the load, by the radius
                                  * and by ln(depth2) */
  /* Of the steady load and of the energy, the part that is there at this film: less than 1 where a law fades, and its
   * slope by the film.  F has it already. */
  double part, part_film;
} hk_line_load;

/* A slice to which a law is asked, and where its answer goes. */
typedef struct hk_line_call {
  hk_line_spot *spot;
  const hk_line_past *past;
  double x;
  hk_line_load *load;
} hk_line_call;

/* A force that grows with the rate of approach, beside the load; and friction. */
typedef struct hk_line_drag {
  double value, by_load, by_rate; /* of the damper, N */
} hk_line_drag;
typedef struct hk_line_friction {
  double T, T_F, T_v, T_r, T_u; /* force against sliding at speed v, and slopes */
} hk_line_friction;

typedef struct hk_line_ops {
  double (*reach)(const void *law); /* gap at which nothing acts any more; NULL: 0, a dry law */
  /* Least x that has a meaning: a slice that would go below it is open.  NULL: none. */
  double (*least)(const void *law);
  double (*roughness)(const void *law); /* mean Ra of the flanks, m; NULL: not known */
  /* Both for n slices: laws take four at once (gear/line_four.h).  `ready` fills k of the spots, by hk_line_ready4 first;
   * `load` answers. */
  void (*ready)(const void *law, const hk_line_call *call, int n);
  void (*load)(const void *law, const hk_line_call *call, int n);
  hk_line_drag (*drag)(const void *law, const hk_line_spot *s, double F,
                       double rate); /* may be NULL */
  hk_line_friction (*friction)(const void *law, const hk_line_spot *s, double F, double v);
} hk_line_ops;

/* Half width and peak of Hertz's pressure under the load F. */
void hk_line_hertz(const hk_line_spot *s, double F, double *half_width, double *peak);

/* Local deformation of one slice under the load e^x: hk_line_ready4, hk_line_deform4. */
void hk_line_ready(hk_line_spot *s);
double hk_line_deform(const hk_line_spot *s, double x);

#endif
