/* Data of a reduced flexible body: a floating frame at the centre of mass with mean axes, and m mass-normalised modes.
 *
 * A point X of the body, from the centre of mass in body axes, moves by phi_k(X) eta_k.  The modes are
 * orthogonal to all rigid motions (sum m phi = 0, sum m X x phi = 0), so the origin of the frame is
 * always the centre of mass, and its translation is not coupled to the modes.  The integrals over
 * the mass are
 *
 *   J(eta) = J0 + eta_k J1_k + eta_k eta_l (J2_kl - K_kl)   inertia about the centre of mass
 *   C_l(eta) = eta_k c_kl                                   coupling of the spin and eta'_l
 *
 * with c_kl = sum m phi_k x phi_l.  K_kl and G are corrections of second order by the stresses in the body: the work of a
 * body force, or of a force on an interface, on the second-order displacements.  All data is in SI units.
 * prepare/body_file.h reads and writes it. */
#ifndef HK_FLEXIBLE_FLEXIBLE_DATA_H
#define HK_FLEXIBLE_FLEXIBLE_DATA_H
#include <hooke/base.h>
#include <hooke/math3.h>

enum {
  HK_FLEXIBLE_MAX_MODES = 1000,
  HK_FLEXIBLE_MAX_INTERFACES = 500,
  HK_FLEXIBLE_NAME = 64 /* size of the name of an interface, with the final 0 */
};

/* An interface: a part of the body's surface to which joints and forces are attached. With the modal coordinates eta,
 * the position of the frame of the interface is r = s + phi eta + eta G eta / 2, and its rotation is exp(psi eta). */
typedef struct hk_flexible_interface {
  const char *name;
  /* a set of nodes without constraint modes: its motion can be measured, but no load may act on it */
  bool observed;
  hk_vec3 s;         /* position from the centre of mass, body axes */
  const double *phi; /* [3][m] displacement per mode */
  const double *psi; /* [3][m] rotation vector per mode */
  const double *G;   /* [3][m][m] second-order displacement, symmetric in the modes; NULL: none */
} hk_flexible_interface;

/* The surface, for pictures and stresses. */
typedef struct hk_flexible_surface {
  int n_vertices, n_triangles; /* 0: none */
  const float *vertex;         /* [n_vertices][3] from the centre of mass, body axes */
  const int32_t *triangle;     /* [n_triangles][3] vertices, counterclockwise from outside */
  const float *displacement;   /* [m][n_vertices][3] per mode; NULL: not read */
  /* [m][n_vertices][6] xx, yy, zz, xy, yz, zx per mode [Pa]; NULL: none, or not read */
  const float *stress;
} hk_flexible_surface;

typedef struct hk_flexible_data {
  int m; /* number of modes */
  double mass;
  hk_vec3 center;   /* position of the centre of mass in the finite-element model, body axes */
  hk_mat3 J0;       /* inertia of the undeformed body about the centre of mass */
  const double *w2; /* [m] squared natural angular frequencies of the free body */
  const double *J1; /* [m][3][3] = 2 tr(P_0k) 1 - P_0k - P_0k^T,  P_0k = sum m X phi_k^T */
  const double *J2; /* [m][m][3][3] = tr(P_kl) 1 - (P_kl + P_kl^T)/2,  P_kl = sum m phi_k phi_l^T */
  const double *c;  /* [m][m][3], antisymmetric in the modes */
  const double *K;  /* [m][m][3][3] stiffening by the centrifugal stresses; NULL: not computed */
  int n_fixed;      /* number of modes with held interfaces in the basis; -1: unknown */
  const double
      *fixed_w2; /* [n_fixed] their squared angular frequencies, ascending; NULL: unknown */
  int n_interfaces;
  const hk_flexible_interface *interface; /* interfaces, in ascending order of their names */
  hk_flexible_surface surface;
  const char *source; /* description of the source of the data, one line; "": unknown */
  const char *hash;   /* SHA-256 of all inputs as hexadecimal digits; "" unknown */
} hk_flexible_data;

/* Checks that all numbers are finite, symmetric as stated above, and possible for a body. Messages use the names of
 * the data in the file. */
hk_status hk_flexible_check(const hk_flexible_data *b, hk_error *err);
/* Index of the interface with this name; -1: there is none. */
int hk_flexible_interface_find(const hk_flexible_data *b, const char *name);
/* Returns true if an interface may have this name: a letter, followed by letters, digits and `_`. */
bool hk_flexible_name_ok(const char *name);
#endif
