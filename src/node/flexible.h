/* Flexible node: a floating frame at the centre of mass and the modes of a reduced body.
 *
 * d = (dx, R^T dtheta, da): q = (x, unit quaternion, a), v = (x', omega, a') with omega in body axes.  The coordinate of a
 * mode is a = eta/sqrt(mass), the root mean square of its displacement over the mass of the body: a length, with the
 * mass of the body as its inertia.  The data of flexible/flexible_data.h is scaled accordingly.
 *
 *   m x''                                                              = F
 *   J omega' + C a'' + omega x (J omega + C a') + a'_k dJ_k omega      = M
 *   m a_l'' + C_l.omega' + 2 omega.(a'_k c_kl) - omega.dJ_l omega/2 + k_l a_l + d_l a_l' = Q_l
 *
 * where J = J0 + a_k J1_k + a_k a_l J2_kl, dJ_k = dJ/da_k and C_l = a_k c_kl. J0, J1, J2, c and k are constants of the
 * reduced body, and repeated indices are summed. Both sides follow from one kinetic and one elastic energy, so
 * momentum and energy are exact for any number of modes. */
#ifndef HK_NODE_FLEXIBLE_H
#define HK_NODE_FLEXIBLE_H
#include "flexible/flexible_data.h"
#include "node/node.h"

/* Parameters of the body. */
typedef struct hk_flexible_body {
  hk_body_common body;
  const char *file, *path; /* path: the file as it was opened; NULL: not read */
  double damping_ratio, at_frequency, statics_damping_ratio;
  bool stiffening;
  const hk_flexible_data *data; /* data of the body's file; NULL: not read yet */
} hk_flexible_body;

/* Scaled data of one interface. */
typedef struct hk_flexible_port {
  hk_vec3 s;
  const double *phi, *psi; /* [3][m] */
  const double *G;         /* [3][m][m]; NULL: none */
} hk_flexible_port;

/* Constants of a node: hk_node.data. */
typedef struct hk_flexible {
  int m, ports;
  double mass, J0[6];  /* xx yy zz xy xz yz */
  const double *k, *d; /* [m] stiffness and damping of the modes */
  const double *J1;    /* [6][m] */
  const double *J2;    /* [6][m][m], with stiffening */
  const double *c;     /* [3][m][m] */
  const hk_flexible_port *port;
} hk_flexible;

/* Kinematics of an interface for the modal coordinates `a`, in body axes. The position of the interface is p = x + R
 * r, its orientation is R E, its velocity is R (omega x r + U a') and its angular velocity is R (omega + W a'). */
typedef struct hk_flexible_state {
  hk_vec3 r, th;
  hk_mat3 E;
} hk_flexible_state;

/* Private data of a node: copies of a, omega and a'; sums over the modes; and for each port its state, U[3][m],
 * W[3][m], G a'[3][m] and a flag that is set when G a' has been computed. */
typedef struct hk_flexible_own {
  double *computed; /* 1: the sums and the ports have been computed for the present a */
  double *a;        /* [m] */
  double *w;        /* [3] */
  double *rate;     /* [m] */
  double *J;        /* [6] xx yy zz xy xz yz */
  double *dJ;       /* [6][m] */
  double *C;        /* [3][m] */
  double *port;     /* [ports][hk_flexible_port_size(m)] */
} hk_flexible_own;

enum { HK_FLEXIBLE_STATE = sizeof(hk_flexible_state) / sizeof(double) };
static inline int hk_flexible_port_size(int m) { return HK_FLEXIBLE_STATE + 9 * m + 1; }
static inline hk_flexible_own hk_flexible_own_at(int m, const double *own) {
  double *d = (double *)(uintptr_t)own;
  return (hk_flexible_own){d,
                           d + 1,
                           d + 1 + m,
                           d + 4 + m,
                           d + 4 + 2 * m,
                           d + 10 + 2 * m,
                           d + 10 + 8 * m,
                           d + 10 + 11 * m};
}
static inline int hk_flexible_own_size(int m, int ports) {
  return 10 + 11 * m + ports * hk_flexible_port_size(m);
}

/* out[m] += sum of x_k A[k][m]. Four rows are added at a time, so that `out` is loaded and stored less often. */
static inline void hk_flexible_add_rows(const double *restrict A, const double *restrict x, int m,
                                        double *restrict out) {
  int k = 0;
  for (; k + 4 <= m; k += 4, A += 4 * m) {
    const double *B = A + m, *C = B + m, *D = C + m, a = x[k], b = x[k + 1], c = x[k + 2],
                 d = x[k + 3];
    for (int l = 0; l < m; l++) out[l] += (a * A[l] + b * B[l]) + (c * C[l] + d * D[l]);
  }
  for (; k < m; k++, A += m)
    for (int l = 0; l < m; l++) out[l] += x[k] * A[l];
}

/* Computes the state, U and W of an interface: see hk_flexible_state. */
void hk_flexible_port_place(const hk_flexible_port *p, int m, const double *a, double *out);

/* Functions of the node table for its markers: node/flexible_marker.c. */
double hk_flexible_deformation(const hk_pose *p, const hk_marker *k, int component);
void hk_flexible_frame(const hk_pose *p, const hk_marker *k, const double *q, const double *v,
                       hk_frame *F);
void hk_flexible_map(const hk_pose *p, const hk_marker *k, const hk_frame *F, hk_vec3 jx,
                     hk_vec3 jt, double *out);
void hk_flexible_geometric(const hk_pose *p, const hk_marker *k, const hk_frame *F, hk_vec3 f,
                           hk_vec3 m, double c, double *out, int stride);
void hk_flexible_turning(const hk_pose *p, const hk_marker *k, const hk_frame *F, hk_vec3 jv,
                         hk_vec3 jw, double *out);
void hk_flexible_bias(const hk_pose *p, const hk_marker *k, const hk_frame *F, hk_vec3 *a,
                      hk_vec3 *alpha);
#endif
