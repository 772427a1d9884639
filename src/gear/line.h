/* Laws of line contacts: the force of a slice of two flanks in contact along a line.
 *
 * The slice carries the load F. Its law relates F to the approach p of the flanks, measured from the undeformed
 * contact without load: p = y, the local deformation minus the film thickness. F and y are functions of x, the
 * logarithm of the steady load. Both are smooth functions of x, while the derivatives with respect to F are unbounded
 * for F -> 0. Therefore n slices that also share the compliance of the teeth,
 *   sum_j C_ij F_j + y_i = p_i
 * are a well-conditioned system in the unknowns x_i (gear/load_sharing.h).
 *
 * A law is an item of `laws` with hk_law_ops.line; laws do not depend on gears, and gears do not
 * depend on the lubrication model. */
#ifndef HK_GEAR_LINE_H
#define HK_GEAR_LINE_H
#include <stdbool.h>

/* Contact of two flanks in one slice. */
typedef struct hk_line_spot {
  double width;   /* width of the slice along the contact line, m */
  double radius;  /* equivalent radius of curvature, m */
  double depth2;  /* product of the material depths of both bodies under the contact, m^2 */
  double speed;   /* sum of the surface speeds relative to the contact, m/s, of any sign */
  double modulus; /* 2/((1 - nu1^2)/E1 + (1 - nu2^2)/E2), Pa */
  double poisson; /* sum of nu (1 + nu)/E, 1/Pa */
  double k[6];    /* constants of the law for this spot, independent of the load
                   * (hk_line_ops.ready) */
} hk_line_spot;
enum { HK_LINE_DEFORM, HK_LINE_LAW }; /* k[0] belongs to hk_line_deform4, the others to the law */

/* Film thickness at the last accepted step and the time since then. The film is steady if film =
 * 0 (no previous film) or if dt is 0 or infinite. */
typedef struct hk_line_past {
  double film, dt;
} hk_line_past;

/* The load at x = ln(steady load), with derivatives with respect to x, the radius (r), the speed
 * (u) and, if relevant, ln(depth2) (k). */
typedef struct hk_line_load {
  double F, F_x, F_r, F_u;           /* normal force >= 0, N */
  double y, y_x, y_r, y_u, y_k;      /* local deformation - film thickness, m */
  double steady;                     /* e^x */
  double deformation, deformation_x; /* m */
  double film, film_x;               /* m; 0: dry */
  double damping; /* squeeze damping: force per closing rate of the film, N s/m */
  double energy;  /* energy of the local deformation, J */
  /* derivatives of the coenergy, which is the integral of the deformation over the load, with respect to the radius
   * and to ln(depth2) */
  double coenergy_r, coenergy_k;
  /* Fraction of the steady load and of the energy at this film thickness, less than 1 near the
   * cut-off gap of a law, and its derivative with respect to the film thickness. F already
   * contains it. */
  double part, part_film;
} hk_line_load;

/* A slice for which a law is evaluated, and the destination of the result. */
typedef struct hk_line_call {
  hk_line_spot *spot;
  const hk_line_past *past;
  double x;
  hk_line_load *load;
} hk_line_call;

/* Damping force in parallel with the load, as a function of the approach velocity; and friction. */
typedef struct hk_line_drag {
  double value, by_load, by_rate; /* damping force, N, and its derivatives */
} hk_line_drag;
typedef struct hk_line_friction {
  /* friction force that opposes sliding at the speed v, and its derivatives */
  double T, T_F, T_v, T_r, T_u;
} hk_line_friction;

typedef struct hk_line_ops {
  double (*reach)(const void *law); /* cut-off gap, beyond which no force acts; NULL: 0, a dry
                                     * law */
  /* Smallest meaningful x: a slice with a smaller x is open. NULL: no limit. */
  double (*least)(const void *law);
  double (*roughness)(const void *law); /* mean Ra of the flanks, m; NULL: not known */
  /* Both functions process n slices; laws evaluate four at once (gear/line_simd4.h). `ready`
   * fills k of the spots, starting with hk_line_ready4; `load` computes the load. */
  void (*ready)(const void *law, const hk_line_call *call, int n);
  void (*load)(const void *law, const hk_line_call *call, int n);
  hk_line_drag (*drag)(const void *law, const hk_line_spot *s, double F,
                       double rate); /* may be NULL */
  hk_line_friction (*friction)(const void *law, const hk_line_spot *s, double F, double v);
} hk_line_ops;

/* Half width and maximum of the Hertzian pressure under the load F. */
void hk_line_hertz(const hk_line_spot *s, double F, double *half_width, double *peak);

/* Local deformation of one slice under the load e^x: hk_line_ready4, hk_line_deform4. */
void hk_line_ready(hk_line_spot *s);
double hk_line_deform(const hk_line_spot *s, double x);

#endif
