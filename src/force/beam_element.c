/* A bar between two frames: geometrically exact rigid motions, second-order bow inside.
 *
 * With the rotation phi from A to B, the frame Rm half-way between them and the line p = Rm^T (xB - xA):
 *
 *   G     = (p - phi x (phi x p)/24)/L - e1            stretch and shear of a bar of constant curvature
 *   eta   = (0, G_z/(1 + Phi_z), -G_y/(1 + Phi_y))     tilt of the section inside, parabolic
 *   eps   = G_x + c_y G_y^2 + c_z G_z^2                c = (0.6 + Phi)/(1 + Phi)^2
 *   kappa = (phi + eta x phi)/L                        torque and bending meet in the second term
 *   U     = L/2 (EA eps^2 + GA*_y G_y^2 + GA*_z G_z^2 + kappa . Ck kappa)
 *
 * Phi_y = 12 EI_z/(GA_y L^2) and 1/GA*_y = 1/GA_y + L^2/(12 EI_z), which makes the linear stiffness that
 * of Timoshenko's beam at any length; y and z change places for the other plane.  U is a potential at any
 * rotation, the wrenches balance exactly, and swapping the ends changes nothing.  The wrench follows from
 * f = dU/dp and m = dU/dphi: on A the force Rm f and the moment Rm (mu - c/2), on B their opposites with
 * +c/2, where c = f x p and mu = S m + k phi x c.  S and k belong to the middle of a rotation:
 * d phi = S w and mid spin = s - k phi x w for the difference w and the mean s of the two spins.
 *
 * Damping acts on the rates of p and phi in proportion to the stiffness; motions of both ends together
 * are not damped.
 */
#include "force/beam_element.h"
#include <string.h>

/* ---- the middle of a rotation ---- */

/* Of y = phi . phi, with x = |phi|/2: a = x/sin x, b = (1 - a)/y, k = tan(x/2)/(4 x), and their
 * derivatives with respect to y. */
typedef struct middle {
  double a, b, k, a_y, b_y, k_y;
} middle;

static double polynomial(const double *c, int n, double z, double *slope) {
  double value = 0;
  *slope = 0;
  for (int i = n - 1; i >= 0; i--) {
    *slope = *slope * z + value;
    value = value * z + c[i];
  }
  return value;
}

static middle middle_of(double y) {
  /* x/sin x = sum (2 - 2^(2-2n)) |B_2n| x^2n/(2n)!, tan(x/2)/(4x) likewise, by powers of z = x^2. */
  static const double A[] = {1,
                             1.0 / 6,
                             7.0 / 360,
                             31.0 / 15120,
                             127.0 / 604800,
                             73.0 / 3421440,
                             1414477.0 / 653837184000},
                      T[] = {1.0 / 8,        1.0 / 96,          1.0 / 960,           17.0 / 161280,
                             31.0 / 2903040, 691.0 / 638668800, 5461.0 / 49816166400};
  middle m;
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

static hk_mat3 diagonal(hk_vec3 d) { return (hk_mat3){{{d.x, 0, 0}, {0, d.y, 0}, {0, 0, d.z}}}; }
static hk_vec3 times(hk_vec3 a, hk_vec3 b) { return hk_v3(a.x * b.x, a.y * b.y, a.z * b.z); }
/* M + s N */
static hk_mat3 plus(hk_mat3 M, double s, hk_mat3 N) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) M.m[i][j] += s * N.m[i][j];
  return M;
}
static hk_mat3 unit(double s) { return (hk_mat3){{{s, 0, 0}, {0, s, 0}, {0, 0, s}}}; }
/* diag(d) M */
static hk_mat3 rows(hk_vec3 d, hk_mat3 M) {
  for (int j = 0; j < 3; j++) M.m[0][j] *= d.x, M.m[1][j] *= d.y, M.m[2][j] *= d.z;
  return M;
}

/* dS u / dphi */
static hk_mat3 slope_of_S(const middle *m, hk_vec3 phi, hk_vec3 u) {
  double along = hk_dot(phi, u);
  hk_vec3 first = hk_axpy(hk_scale(2 * m->a_y, u), 2 * m->b_y * along, phi);
  hk_mat3 M = hk_outer(first, phi);
  M = plus(M, m->b, hk_outer(phi, u));
  return plus(M, m->b * along, unit(1));
}

/* ---- strains and stresses ---- */

typedef struct bar {
  const hk_beam *beam;
  hk_vec3 phi, p;
  middle mid;
  hk_mat3 S;
  hk_vec3 shear, curve; /* (EA, GA*_y, GA*_z), (GJ, EI_y, EI_z) */
  double phi_y, phi_z, c_y, c_z;
  hk_vec3 G, eta, E, M, g; /* E: d eps/dG */
  double N;
  hk_vec3 f, m; /* elastic and viscous together */
  /* of the velocities, in middle axes */
  hk_vec3 V, s, w, spin, p_rate, phi_rate;
} bar;

static hk_vec3 tilt(const bar *b, hk_vec3 G) {
  return hk_v3(0, G.z / (1 + b->phi_z), -G.y / (1 + b->phi_y));
}
/* The transposed of tilt. */
static hk_vec3 tilt_back(const bar *b, hk_vec3 a) {
  return hk_v3(0, -a.z / (1 + b->phi_y), a.y / (1 + b->phi_z));
}

static void section(bar *b) {
  const hk_beam *e = b->beam;
  double L2 = e->length * e->length, ry = L2 / (12 * e->bend_z), rz = L2 / (12 * e->bend_y);
  b->phi_y = 1 / (e->shear_y * ry);
  b->phi_z = 1 / (e->shear_z * rz);
  b->c_y = (0.6 + b->phi_y) / ((1 + b->phi_y) * (1 + b->phi_y));
  b->c_z = (0.6 + b->phi_z) / ((1 + b->phi_z) * (1 + b->phi_z));
  b->shear = hk_v3(e->axial, 1 / (1 / e->shear_y + ry), 1 / (1 / e->shear_z + rz));
  b->curve = hk_v3(e->torsion, e->bend_y, e->bend_z);
}

static double strain(bar *b) {
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

/* Adds the viscous part to f and m; returns the power lost. */
static double damp(bar *b, const hk_mat3 *Rm, const hk_frame *A, const hk_frame *B) {
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

/* ---- tangents ---- */

/* Change of a vector with dp, dphi and the spin r of the middle. */
typedef struct slope {
  hk_mat3 p, phi, r;
} slope;

/* f and m, elastic: the second derivatives of U. */
static void elastic_slopes(const bar *b, slope *f, slope *m) {
  const double L = b->beam->length, q = 1.0 / 24;
  const hk_vec3 phi = b->phi, p = b->p, g = b->g;
  double y = hk_dot(phi, phi), along = hk_dot(phi, p), pg = hk_dot(phi, g);
  /* G by p and phi */
  hk_mat3 S2 = plus(unit(1 + q * y), -q, hk_outer(phi, phi));
  hk_mat3 Gp = hk_mat3_scale(1 / L, S2), Gphi = hk_outer(hk_scale(2, p), phi);
  Gphi = plus(plus(Gphi, -along, unit(1)), -1, hk_outer(phi, p));
  Gphi = hk_mat3_scale(q / L, Gphi);
  hk_mat3 T = {{{0, 0, 0}, {0, 0, 1 / (1 + b->phi_z)}, {0, -1 / (1 + b->phi_y), 0}}};
  hk_mat3 phi_x = hk_skew(phi), eta_x = hk_skew(b->eta), M_x = hk_skew(b->M);
  /* kappa = (phi + eta x phi)/L;  eta x dphi - phi x deta */
  hk_mat3 by_eta = hk_matmul(&phi_x, &T); /* phi x T dG */
  hk_mat3 bend = rows(b->curve, hk_mat3_scale(1 / L, by_eta));
  hk_mat3 Mp = hk_matmul(&bend, &Gp), Mphi = hk_matmul(&bend, &Gphi);
  Mp = hk_mat3_scale(-1, Mp);
  Mphi = plus(rows(b->curve, hk_mat3_scale(1 / L, plus(unit(1), 1, eta_x))), -1, Mphi);
  /* g by G, then by M and phi: T^T (phi x dM - M x dphi)/L */
  hk_mat3 gG = hk_outer(hk_scale(b->beam->axial, b->E), b->E);
  gG.m[1][1] += 2 * b->c_y * b->N + b->shear.y;
  gG.m[2][2] += 2 * b->c_z * b->N + b->shear.z;
  hk_mat3 gM = hk_mat3_scale(1 / L, hk_tmatmul(&T, &phi_x)),
          gphi0 = hk_mat3_scale(-1 / L, hk_tmatmul(&T, &M_x));
  hk_mat3 gp = plus(hk_matmul(&gG, &Gp), 1, hk_matmul(&gM, &Mp));
  hk_mat3 gphi = plus(plus(hk_matmul(&gG, &Gphi), 1, hk_matmul(&gM, &Mphi)), 1, gphi0);
  /* f */
  hk_mat3 fphi = plus(plus(hk_outer(hk_scale(2, g), phi), -pg, unit(1)), -1, hk_outer(phi, g));
  f->p = hk_matmul(&S2, &gp);
  f->phi = plus(hk_matmul(&S2, &gphi), q, fphi);
  /* m = M + M x eta + (2 (g.p) phi - (phi.p) g - (phi.g) p)/24 */
  hk_mat3 W = plus(plus(hk_outer(hk_scale(2, phi), p), -along, unit(1)), -1, hk_outer(p, phi));
  hk_mat3 here = plus(hk_outer(g, p), 1, hk_outer(p, g));
  hk_mat3 MT = hk_matmul(&M_x, &T), by_M = plus(unit(1), -1, eta_x); /* dM x eta = -eta x dM */
  m->p = hk_transpose(&f->phi); /* U has mixed derivatives in either order */
  m->phi = plus(hk_matmul(&by_M, &Mphi), 1, hk_matmul(&MT, &Gphi));
  m->phi = plus(m->phi, q, hk_matmul(&W, &gphi));
  m->phi = plus(plus(m->phi, 2 * q * hk_dot(g, p), unit(1)), -q, here);
}

/* What the damping's rates add at fixed velocities. */
static void viscous_slopes(const bar *b, slope *f, slope *m) {
  double rate = b->beam->damping / b->beam->length;
  hk_vec3 Dp = hk_scale(rate, b->shear), Dphi = hk_scale(rate, b->curve);
  hk_mat3 p_x = hk_skew(b->p), w_x = hk_skew(b->w), phi_x = hk_skew(b->phi);
  hk_mat3 phi_w = hk_matmul(&phi_x, &w_x);
  /* the mid spin by dphi and by the turning of the middle axes */
  hk_mat3 spin_phi =
      plus(hk_mat3_scale(b->mid.k, w_x), -2 * b->mid.k_y, hk_outer(hk_cross(b->phi, b->w), b->phi));
  hk_mat3 spin_r = plus(hk_skew(b->s), -b->mid.k, phi_w);
  f->p = plus(f->p, -1, rows(Dp, hk_skew(b->spin)));
  f->phi = plus(f->phi, 1, rows(Dp, hk_matmul(&p_x, &spin_phi)));
  f->r = rows(Dp, plus(hk_skew(b->V), 1, hk_matmul(&p_x, &spin_r)));
  m->phi = plus(m->phi, 1, rows(Dphi, slope_of_S(&b->mid, b->phi, b->w)));
  m->r = rows(Dphi, hk_matmul(&b->S, &w_x));
}

/* One row of blocks of the tangent, by the differences of displacement d and spin w and the mean spin
 * s, carried to the columns of both frames and to world axes:
 *   dp = d + p x r,  dphi = S w,  r = s - k phi x w
 * y: the vector of the row itself, which turns with the middle. */
static void spread(const bar *b, const hk_mat3 *Rm, const slope *x, hk_vec3 y, double sign,
                   double (*out)[12]) {
  hk_mat3 p_x = hk_skew(b->p), phi_x = hk_skew(b->phi);
  hk_mat3 by_s = plus(plus(hk_matmul(&x->p, &p_x), 1, x->r), -1, hk_skew(y));
  hk_mat3 by_w = plus(hk_matmul(&x->phi, &b->S), -b->mid.k, hk_matmul(&by_s, &phi_x));
  const hk_mat3 *local[3] = {&x->p, &by_s, &by_w};
  hk_mat3 world[3];
  for (int i = 0; i < 3; i++) {
    hk_mat3 left = hk_matmul(Rm, local[i]);
    world[i] = hk_matmult(&left, Rm);
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      double d = sign * world[0].m[i][j], s = sign * world[1].m[i][j] / 2,
             w = sign * world[2].m[i][j];
      out[i][j] = -d;
      out[i][3 + j] = s - w;
      out[i][6 + j] = d;
      out[i][9 + j] = s + w;
    }
}

/* Rows of both frames from those of f and m.  The vectors that turn with the middle are those of the
 * wrench (zero for the damping matrix, which has no geometric part). */
static void spread_all(const bar *b, const hk_mat3 *Rm, const slope *f, const slope *m, bool turns,
                       double (*out)[12]) {
  const hk_vec3 zero = {0, 0, 0}, force = turns ? b->f : zero, c = hk_cross(force, b->p);
  double k = b->mid.k;
  hk_mat3 p_x = hk_skew(b->p), phi_x = hk_skew(b->phi);
  slope dc = {hk_matmul(&p_x, &f->p), hk_matmul(&p_x, &f->phi), hk_matmul(&p_x, &f->r)};
  dc.p = plus(hk_mat3_scale(-1, dc.p), 1, hk_skew(force));
  dc.phi = hk_mat3_scale(-1, dc.phi);
  dc.r = hk_mat3_scale(-1, dc.r);
  slope mu = {plus(hk_matmul(&b->S, &m->p), k, hk_matmul(&phi_x, &dc.p)),
              plus(hk_matmul(&b->S, &m->phi), k, hk_matmul(&phi_x, &dc.phi)),
              plus(hk_matmul(&b->S, &m->r), k, hk_matmul(&phi_x, &dc.r))};
  hk_vec3 moment = zero;
  if (turns) {
    moment = hk_axpy(hk_mul(&b->S, b->m), k, hk_cross(b->phi, c));
    mu.phi = plus(mu.phi, 1, slope_of_S(&b->mid, b->phi, b->m));
    mu.phi = plus(mu.phi, -k, hk_skew(c));
    mu.phi = plus(mu.phi, 2 * b->mid.k_y, hk_outer(hk_cross(b->phi, c), b->phi));
  }
  slope end[2];
  for (int i = 0; i < 2; i++) {
    double s = i ? 0.5 : -0.5;
    end[i] = (slope){plus(mu.p, s, dc.p), plus(mu.phi, s, dc.phi), plus(mu.r, s, dc.r)};
  }
  spread(b, Rm, f, force, -1, out);
  spread(b, Rm, &end[0], hk_axpy(moment, -0.5, c), -1, out + 3);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 12; j++) out[6 + i][j] = -out[i][j];
  spread(b, Rm, &end[1], hk_axpy(moment, 0.5, c), 1, out + 9);
}

bool hk_beam_wrench_of(const hk_beam *beam, const hk_frame *A, const hk_frame *B,
                       hk_beam_wrench *out) {
  bar b = {.beam = beam};
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
  if (out->K) {
    slope f = {0}, m = {0};
    elastic_slopes(&b, &f, &m);
    if (beam->damping > 0) viscous_slopes(&b, &f, &m);
    spread_all(&b, &out->axes, &f, &m, true, out->K);
  }
  if (out->C && beam->damping > 0) {
    double rate = beam->damping / beam->length;
    slope f = {.p = diagonal(hk_scale(rate, b.shear))},
          m = {.phi = diagonal(hk_scale(rate, b.curve))};
    spread_all(&b, &out->axes, &f, &m, false, out->C);
  }
  return true;
}
