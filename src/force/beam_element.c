/* Beam element between two frames: geometrically exact rigid motions, second-order bending
 * inside.
 *
 * With the rotation phi from A to B, the frame Rm half-way between them and the chord p = Rm^T
 * (xB - xA):
 *
 *   G     = (p - phi x (phi x p)/24)/L - e1            stretch and shear of a bar of constant curvature
 *   eta   = (0, G_z/(1 + Phi_z), -G_y/(1 + Phi_y))     tilt of the section inside, parabolic
 *   eps   = G_x + c_y G_y^2 + c_z G_z^2                c = (0.6 + Phi)/(1 + Phi)^2
 *   kappa = (phi + eta x phi)/L                        the second term couples torsion and bending
 *   U     = L/2 (EA eps^2 + GA*_y G_y^2 + GA*_z G_z^2 + kappa . Ck kappa)
 *
 * Phi_y = 12 EI_z/(GA_y L^2) and 1/GA*_y = 1/GA_y + L^2/(12 EI_z), which gives the linear
 * stiffness of a Timoshenko beam of any length; exchange y and z for the other plane. U is a
 * potential at any rotation, the wrenches are exactly in equilibrium, and exchanging the ends
 * has no effect. The wrench follows from f = dU/dp and m = dU/dphi: on A act the force Rm f and the moment Rm (mu -
 * c/2), on B the force -Rm f and the moment -Rm (mu + c/2), where c = f x p and mu = S m + k phi x c. S and k describe
 * the middle frame of a rotation: d phi = S w and middle rotation = s - k phi x w for the difference w and the mean s
 * of the two rotations.
 *
 * Damping acts on the rates of p and phi in proportion to the stiffness; rigid-body motions are
 * not damped. */
#include "force/beam_bar.h"
#include "base/hot.h"

/* ---- the middle of a rotation ---- */

static double polynomial(const double *c, int n, double z, double *slope) {
  double value = 0;
  *slope = 0;
  for (int i = n - 1; i >= 0; i--) {
    *slope = *slope * z + value;
    value = value * z + c[i];
  }
  return value;
}

static hk_beam_middle middle_of(double y) {
  /* x/sin x = sum (2 - 2^(2-2n)) |B_2n| x^2n/(2n)!, and a similar series for tan(x/2)/(4x), in
   * powers of z = x^2. */
  static const double A[] = {1,
                             1.0 / 6,
                             7.0 / 360,
                             31.0 / 15120,
                             127.0 / 604800,
                             73.0 / 3421440,
                             1414477.0 / 653837184000},
                      T[] = {1.0 / 8,        1.0 / 96,          1.0 / 960,           17.0 / 161280,
                             31.0 / 2903040, 691.0 / 638668800, 5461.0 / 49816166400};
  hk_beam_middle m;
  double z = y / 4;
  if (z < 0.01) {
    double a_z, b_z, k_z, rest[6];
    for (int i = 0; i < 6; i++) rest[i] = -A[i + 1] / 4; /* b = -(a - 1)/(4 z) */
    m.a = polynomial(A, 7, z, &a_z);
    m.b = polynomial(rest, 6, z, &b_z);
    m.k = polynomial(T, 7, z, &k_z);
    m.a_y = a_z / 4, m.b_y = b_z / 4, m.k_y = k_z / 4;
    return m;
  }
  double x = sqrt(z), sine = sin(x), cosine = cos(x), half = tan(x / 2);
  m.a = x / sine;
  m.b = (1 - m.a) / y;
  m.k = half / (4 * x);
  /* dx/dy = 1/(8 x) */
  m.a_y = (sine - x * cosine) / (sine * sine) / (8 * x);
  m.b_y = (-m.a_y - m.b) / y;
  m.k_y = ((1 + half * half) / (8 * x) - half / (4 * z)) / (8 * x);
  return m;
}

static hk_vec3 times(hk_vec3 a, hk_vec3 b) { return hk_v3(a.x * b.x, a.y * b.y, a.z * b.z); }
/* M + s N */
static hk_mat3 plus(hk_mat3 M, double s, hk_mat3 N) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) M.m[i][j] += s * N.m[i][j];
  return M;
}
static hk_mat3 unit(double s) { return (hk_mat3){{{s, 0, 0}, {0, s, 0}, {0, 0, s}}}; }
/* ---- strains and stresses ---- */

static hk_vec3 tilt(const hk_beam_bar *b, hk_vec3 G) {
  return hk_v3(0, G.z / (1 + b->phi_z), -G.y / (1 + b->phi_y));
}
/* Multiplies by the transpose of tilt. */
static hk_vec3 tilt_back(const hk_beam_bar *b, hk_vec3 a) {
  return hk_v3(0, -a.z / (1 + b->phi_y), a.y / (1 + b->phi_z));
}

static void section(hk_beam_bar *b) {
  const hk_beam *e = b->beam;
  double L2 = e->length * e->length, ry = L2 / (12 * e->bend_z), rz = L2 / (12 * e->bend_y);
  b->phi_y = 1 / (e->shear_y * ry);
  b->phi_z = 1 / (e->shear_z * rz);
  b->c_y = (0.6 + b->phi_y) / ((1 + b->phi_y) * (1 + b->phi_y));
  b->c_z = (0.6 + b->phi_z) / ((1 + b->phi_z) * (1 + b->phi_z));
  b->shear = hk_v3(e->axial, 1 / (1 / e->shear_y + ry), 1 / (1 / e->shear_z + rz));
  b->curve = hk_v3(e->torsion, e->bend_y, e->bend_z);
}

static double strain(hk_beam_bar *b) {
  double L = b->beam->length, y = hk_dot(b->phi, b->phi), along = hk_dot(b->phi, b->p);
  hk_vec3 bow = hk_sub(hk_scale(along, b->phi), hk_scale(y, b->p)); /* phi x (phi x p) */
  b->G = hk_scale(1 / L, hk_axpy(b->p, -1.0 / 24, bow));
  b->G.x -= 1;
  b->eta = tilt(b, b->G);
  b->E = hk_v3(1, 2 * b->c_y * b->G.y, 2 * b->c_z * b->G.z);
  double eps = b->G.x + b->c_y * b->G.y * b->G.y + b->c_z * b->G.z * b->G.z;
  hk_vec3 kappa = hk_scale(1 / L, hk_add(b->phi, hk_cross(b->eta, b->phi)));
  b->N = b->beam->axial * eps;
  b->M = times(b->curve, kappa);
  b->g = hk_axpy(hk_scale(b->N, b->E), 1 / L, tilt_back(b, hk_cross(b->phi, b->M)));
  b->g.y += b->shear.y * b->G.y;
  b->g.z += b->shear.z * b->G.z;
  double pg = hk_dot(b->phi, b->g);
  b->f = hk_axpy(b->g, 1.0 / 24, hk_sub(hk_scale(y, b->g), hk_scale(pg, b->phi)));
  hk_vec3 turn = hk_scale(2 * hk_dot(b->g, b->p), b->phi);
  turn = hk_axpy(hk_axpy(turn, -along, b->g), -pg, b->p);
  b->m = hk_axpy(hk_add(b->M, hk_cross(b->M, b->eta)), 1.0 / 24, turn);
  return L / 2 *
         (b->N * eps + b->shear.y * b->G.y * b->G.y + b->shear.z * b->G.z * b->G.z +
          hk_dot(kappa, b->M));
}

/* Adds the viscous part to f and m; returns the dissipated power. */
static double damp(hk_beam_bar *b, const hk_mat3 *Rm, const hk_frame *A, const hk_frame *B) {
  double rate = b->beam->damping / b->beam->length;
  b->V = hk_tmul(Rm, hk_sub(B->v, A->v));
  b->s = hk_tmul(Rm, hk_scale(0.5, hk_add(A->w, B->w)));
  b->w = hk_tmul(Rm, hk_sub(B->w, A->w));
  b->spin = hk_axpy(b->s, -b->mid.k, hk_cross(b->phi, b->w));
  b->p_rate = hk_add(b->V, hk_cross(b->p, b->spin));
  b->phi_rate = hk_mul(&b->S, b->w);
  hk_vec3 f = hk_scale(rate, times(b->shear, b->p_rate)),
          m = hk_scale(rate, times(b->curve, b->phi_rate));
  b->f = hk_add(b->f, f);
  b->m = hk_add(b->m, m);
  return hk_dot(f, b->p_rate) + hk_dot(m, b->phi_rate);
}

/* ---- complete wrench ---- */

HK_HOT HK_FLAT bool hk_beam_wrench_of(const hk_beam *beam, const hk_frame *A, const hk_frame *B,
                                      hk_beam_wrench *out) {
  hk_beam_bar b = {.beam = beam};
  hk_mat3 relative = hk_tmatmul(&A->R, &B->R);
  b.phi = hk_quat_log(hk_quat_from_matrix(&relative));
  double y = hk_dot(b.phi, b.phi);
  out->bow = sqrt(y);
  if (!(out->bow < HK_BEAM_MOST_BOW)) return false;
  hk_mat3 half = hk_quat_matrix(hk_quat_exp(hk_scale(0.5, b.phi)));
  out->axes = hk_matmul(&A->R, &half);
  b.p = hk_tmul(&out->axes, hk_sub(B->x, A->x));
  b.mid = middle_of(y);
  b.S = plus(unit(b.mid.a), b.mid.b, hk_outer(b.phi, b.phi));
  section(&b);
  out->energy = strain(&b);
  out->dissipated = beam->damping > 0 ? damp(&b, &out->axes, A, B) : 0;
  hk_vec3 c = hk_cross(b.f, b.p);
  hk_vec3 mu = hk_axpy(hk_mul(&b.S, b.m), b.mid.k, hk_cross(b.phi, c));
  out->force = b.f;
  out->moment_a = hk_axpy(mu, -0.5, c);
  out->moment_b = hk_axpy(mu, 0.5, c);
  if (out->K) hk_beam_stiffness(&b, &out->axes, out->K);
  if (out->C && beam->damping > 0) hk_beam_damping(&b, &out->axes, out->C);
  return true;
}
