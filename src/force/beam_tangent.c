/* Tangents of a beam: see beam_element.c for the beam itself.
 *
 * With d, w the differences of the displacements and rotations of the ends, s the mean of the
 * rotations, r = s - k phi x w the rotation of the middle frame, and all vectors in its axes,
 *
 *   dp = d + p x r,   dphi = S w,
 *
 * and a vector X of the wrench, fixed to the middle frame, changes by dX = X_p dp + X_phi dphi +
 * X_r r + r x X.  Therefore
 *
 *   by d: X_p,   by s: X_p p~ + X_r - X~,   by w: X_phi S - k (by s) phi~.
 *
 * Only f and m need explicit derivatives; c = f x p and mu = S m + k phi x c follow from them by
 * cross products. Matrices are first transformed to world axes and then multiplied by world
 * vectors, because a cross product costs a third of a matrix product. Rows have four lanes; the
 * last lane is not used. */
#include "force/beam_bar.h"
#include "base/hot.h"

#pragma GCC diagnostic ignored "-Wpsabi" /* all helpers are inlined */

typedef struct mat {
  hk_v4 r[3];
} mat;

/* The last lane repeats z. The lane is not set to zero, because valgrind does not support the instruction that some
 * processors use for this. */
HK_INLINE hk_v4 lanes(double x, double y, double z) { return (hk_v4){x, y, z, z}; }
HK_INLINE hk_v4 wide(hk_vec3 a) { return lanes(a.x, a.y, a.z); }
HK_INLINE mat load(const hk_mat3 *R) {
  return (mat){{lanes(R->m[0][0], R->m[0][1], R->m[0][2]),
                lanes(R->m[1][0], R->m[1][1], R->m[1][2]),
                lanes(R->m[2][0], R->m[2][1], R->m[2][2])}};
}
HK_INLINE mat transposed(const mat *A) {
  return (mat){{lanes(A->r[0][0], A->r[1][0], A->r[2][0]),
                lanes(A->r[0][1], A->r[1][1], A->r[2][1]),
                lanes(A->r[0][2], A->r[1][2], A->r[2][2])}};
}
HK_INLINE mat unit(double s) {
  return (mat){{s * (hk_v4){1, 0, 0, 0}, s * (hk_v4){0, 1, 0, 0}, s * (hk_v4){0, 0, 1, 0}}};
}
HK_INLINE mat skew(hk_vec3 a) {
  return (mat){{lanes(a.z, a.z, a.y) * (hk_v4){0, -1, 1, 0},
                lanes(a.z, a.z, a.x) * (hk_v4){1, 0, -1, 0},
                lanes(a.y, a.x, a.x) * (hk_v4){-1, 1, 0, 0}}};
}
/* a b^T */
HK_INLINE mat outer(hk_vec3 a, hk_vec3 b) {
  hk_v4 w = wide(b);
  return (mat){{a.x * w, a.y * w, a.z * w}};
}
/* A + s B */
HK_INLINE mat plus(mat A, double s, mat B) {
  return (mat){{A.r[0] + s * B.r[0], A.r[1] + s * B.r[1], A.r[2] + s * B.r[2]}};
}
HK_INLINE mat scaled(double s, mat A) { return (mat){{s * A.r[0], s * A.r[1], s * A.r[2]}}; }
/* diag(d) A */
HK_INLINE mat rows(hk_vec3 d, mat A) { return (mat){{d.x * A.r[0], d.y * A.r[1], d.z * A.r[2]}}; }
/* A diag(d) */
HK_INLINE mat columns(mat A, hk_vec3 d) {
  hk_v4 w = wide(d);
  return (mat){{A.r[0] * w, A.r[1] * w, A.r[2] * w}};
}
HK_INLINE mat product(mat A, mat B) {
  mat C;
  for (int i = 0; i < 3; i++) C.r[i] = A.r[i][0] * B.r[0] + A.r[i][1] * B.r[1] + A.r[i][2] * B.r[2];
  return C;
}
/* a^T A, a row */
HK_INLINE hk_v4 along(hk_vec3 a, mat A) { return a.x * A.r[0] + a.y * A.r[1] + a.z * A.r[2]; }
/* A + a x^T for a row x */
HK_INLINE mat plus_row(mat A, hk_vec3 a, hk_v4 x) {
  return (mat){{A.r[0] + a.x * x, A.r[1] + a.y * x, A.r[2] + a.z * x}};
}
/* a~ A: cross product of a with each column */
HK_INLINE mat cross_left(hk_vec3 a, mat A) {
  return (mat){
      {a.y * A.r[2] - a.z * A.r[1], a.z * A.r[0] - a.x * A.r[2], a.x * A.r[1] - a.y * A.r[0]}};
}
/* A a~: cross product of each row with a */
HK_INLINE mat cross_right(mat A, hk_vec3 a) {
  const hk_v4 yzx = lanes(a.y, a.z, a.x), zxy = lanes(a.z, a.x, a.y);
  for (int i = 0; i < 3; i++) {
    hk_v4 r = A.r[i], r_yzx = lanes(r[1], r[2], r[0]), r_zxy = lanes(r[2], r[0], r[1]);
    A.r[i] = r_yzx * zxy - r_zxy * yzx;
  }
  return A;
}

/* ---- derivatives of f and m ---- */

/* Product of the matrix T of the tilt (see beam_element.c) and A; product of its transpose and
 * A. */
HK_INLINE mat tilt(const hk_beam_bar *b, mat A) {
  return (mat){{{0}, 1 / (1 + b->phi_z) * A.r[2], -1 / (1 + b->phi_y) * A.r[1]}};
}
HK_INLINE mat tilt_back(const hk_beam_bar *b, mat A) {
  return (mat){{{0}, -1 / (1 + b->phi_y) * A.r[2], 1 / (1 + b->phi_z) * A.r[1]}};
}

/* dg/dG times A: EA E E^T + diag(0, 2 c N + GA*) */
HK_INLINE mat by_stretch(const hk_beam_bar *b, mat A) {
  hk_vec3 stiff = hk_v3(0, 2 * b->c_y * b->N + b->shear.y, 2 * b->c_z * b->N + b->shear.z);
  return plus_row(rows(stiff, A), hk_scale(b->beam->axial, b->E), along(b->E, A));
}

typedef struct elastic {
  mat f_p, f_phi, m_phi; /* m_p is the transpose of f_phi: both are second derivatives of U */
} elastic;

HK_INLINE elastic elastic_slopes(const hk_beam_bar *b) {
  const double L = b->beam->length, q = 1.0 / 24;
  const hk_vec3 phi = b->phi, p = b->p, g = b->g, stiff = hk_scale(1 / L, b->curve);
  double y = hk_dot(phi, phi), in_line = hk_dot(phi, p), pg = hk_dot(phi, g), bow = 1 + q * y;
  mat G_p = scaled(1 / L, plus(unit(bow), -q, outer(phi, phi)));
  mat G_phi = plus(outer(hk_scale(2, p), phi), -1, plus(unit(in_line), 1, outer(phi, p)));
  G_phi = scaled(q / L, G_phi);
  /* M = Ck (phi + eta x phi)/L */
  mat T_p = tilt(b, G_p), T_phi = tilt(b, G_phi);
  mat M_p = rows(hk_scale(-1, stiff), cross_left(phi, T_p));
  mat M_phi = rows(stiff, plus(plus(unit(1), 1, skew(b->eta)), -1, cross_left(phi, T_phi)));
  /* dg through G, and through T^T (phi x dM - M x dphi)/L */
  mat g_p = plus(by_stretch(b, G_p), 1 / L, tilt_back(b, cross_left(phi, M_p)));
  mat turn = plus(cross_left(phi, M_phi), -1, skew(b->M));
  mat g_phi = plus(by_stretch(b, G_phi), 1 / L, tilt_back(b, turn));
  /* f = g + (y g - phi (phi.g))/24 */
  elastic e;
  e.f_p = plus_row(scaled(bow, g_p), hk_scale(-q, phi), along(phi, g_p));
  e.f_phi = plus_row(scaled(bow, g_phi), hk_scale(-q, phi), along(phi, g_phi));
  mat here = plus(outer(hk_scale(2, g), phi), -1, plus(unit(pg), 1, outer(phi, g)));
  e.f_phi = plus(e.f_phi, q, here);
  /* m = M + M x eta + (2 (g.p) phi - (phi.p) g - (phi.g) p)/24 */
  e.m_phi = plus(M_phi, -1, cross_left(b->eta, M_phi));
  e.m_phi = plus(e.m_phi, 1, cross_left(b->M, T_phi));
  mat by_g = plus_row(scaled(-in_line, g_phi), hk_scale(2, phi), along(p, g_phi));
  by_g = plus_row(by_g, hk_scale(-1, p), along(phi, g_phi));
  by_g = plus(by_g, 1, unit(2 * hk_dot(g, p)));
  by_g = plus(by_g, -1, plus(outer(g, p), 1, outer(p, g)));
  e.m_phi = plus(e.m_phi, q, by_g);
  return e;
}

/* dS u / dphi */
HK_INLINE mat slope_of_S(const hk_beam_bar *b, hk_vec3 u) {
  const hk_beam_middle *m = &b->mid;
  double in_line = hk_dot(b->phi, u);
  hk_vec3 first = hk_axpy(hk_scale(2 * m->a_y, u), 2 * m->b_y * in_line, b->phi);
  return plus(plus(outer(first, b->phi), m->b, outer(b->phi, u)), m->b * in_line, unit(1));
}

/* Contributions of damping at constant velocities. */
typedef struct viscous {
  mat f_p, f_phi, f_r, m_phi, m_r;
} viscous;

HK_INLINE viscous viscous_slopes(const hk_beam_bar *b) {
  double rate = b->beam->damping / b->beam->length, k = b->mid.k;
  hk_vec3 Dp = hk_scale(rate, b->shear), Dphi = hk_scale(rate, b->curve);
  mat w_x = skew(b->w);
  /* rotation of the middle frame: derivatives with respect to dphi and to the rotation of the
   * middle axes */
  mat spin_phi = plus(scaled(k, w_x), -2 * b->mid.k_y, outer(hk_cross(b->phi, b->w), b->phi));
  mat spin_r = plus(skew(b->s), -k, cross_left(b->phi, w_x));
  mat S_w = plus_row(scaled(b->mid.a, w_x), hk_scale(b->mid.b, b->phi), along(b->phi, w_x));
  return (viscous){.f_p = rows(Dp, skew(hk_scale(-1, b->spin))),
                   .f_phi = rows(Dp, cross_left(b->p, spin_phi)),
                   .f_r = rows(Dp, plus(skew(b->V), 1, cross_left(b->p, spin_r))),
                   .m_phi = rows(Dphi, slope_of_S(b, b->w)),
                   .m_r = rows(Dphi, S_w)};
}

/* ---- rows of both frames ---- */

/* A vector X of the wrench and, in the notation above, its derivatives X_p, X_phi S and X_r; all in world axes. */
typedef struct change {
  hk_vec3 x;
  mat p, w, r;
} change;

/* Quantities common to all rows, in world axes. */
typedef struct place {
  mat R, Rt, RS, SRt; /* S: see beam_element.c */
  hk_vec3 P, phi;
  double k;
} place;

HK_INLINE place place_of(const hk_beam_bar *b, const hk_mat3 *Rm) {
  place w = {.R = load(Rm), .P = hk_mul(Rm, b->p), .phi = hk_mul(Rm, b->phi), .k = b->mid.k};
  w.Rt = transposed(&w.R);
  w.RS = plus(scaled(b->mid.a, w.R), b->mid.b, outer(w.phi, b->phi));
  w.SRt = transposed(&w.RS);
  return w;
}

/* c = f x p */
HK_INLINE change moment_of(const place *w, const change *f) {
  change c = {.x = hk_cross(f->x, w->P),
              .p = plus(skew(f->x), -1, cross_left(w->P, f->p)),
              .w = scaled(-1, cross_left(w->P, f->w)),
              .r = scaled(-1, cross_left(w->P, f->r))};
  return c;
}

typedef struct row {
  mat d, s, w;
} row;

HK_INLINE row row_of(const place *at, const change *x) {
  row o = {.d = x->p};
  o.s = plus(plus(cross_right(x->p, at->P), 1, x->r), -1, skew(x->x));
  o.w = plus(x->w, -at->k, cross_right(o.s, at->phi));
  return o;
}

/* sign (a + half b), three rows of the matrix. Four numbers are written at a time: the number
 * beyond the end of a row is overwritten by the next row; the last row is written as single
 * numbers. */
HK_INLINE void put(const row *a, double half, const row *b, double sign, bool last,
                   double (*out)[12]) {
  for (int i = 0; i < 3; i++) {
    hk_v4 d = sign * (a->d.r[i] + half * b->d.r[i]),
          s = 0.5 * sign * (a->s.r[i] + half * b->s.r[i]),
          w = sign * (a->w.r[i] + half * b->w.r[i]), end = s + w;
    HK_V4(out[i]) = -d;
    HK_V4(out[i] + 3) = s - w;
    HK_V4(out[i] + 6) = d;
    if (last && i == 2)
      out[i][9] = end[0], out[i][10] = end[1], out[i][11] = end[2];
    else
      HK_V4(out[i] + 9) = end;
  }
}

HK_INLINE void put_all(const place *at, const change *f, const change *mu, double (*out)[12]) {
  change c = moment_of(at, f);
  change m = *mu; /* plus k phi x c */
  m.p = plus(m.p, at->k, cross_left(at->phi, c.p));
  m.w = plus(m.w, at->k, cross_left(at->phi, c.w));
  m.r = plus(m.r, at->k, cross_left(at->phi, c.r));
  m.x = hk_axpy(m.x, at->k, hk_cross(at->phi, c.x));
  row F = row_of(at, f), M = row_of(at, &m), Cr = row_of(at, &c);
  put(&F, 0, &Cr, -1, false, out);
  put(&M, -0.5, &Cr, -1, false, out + 3);
  put(&F, 0, &Cr, 1, false, out + 6);
  put(&M, 0.5, &Cr, 1, true, out + 9);
}

HK_HOT HK_FLAT void hk_beam_stiffness(const hk_beam_bar *b, const hk_mat3 *Rm, double (*K)[12]) {
  place at = place_of(b, Rm);
  elastic e = elastic_slopes(b);
  hk_vec3 c = hk_cross(b->f, b->p), phi_c = hk_cross(b->phi, c);
  change f = {.x = hk_mul(Rm, b->f)}, mu = {0};
  mu.x = hk_axpy(hk_scale(b->mid.a, b->m), b->mid.b * hk_dot(b->phi, b->m), b->phi); /* S m */
  mu.x = hk_mul(Rm, mu.x);
  f.w = product(product(at.R, e.f_phi), at.SRt);
  mu.p = transposed(&f.w);
  /* S and k in mu = S m + k phi x c also change with phi */
  mat more = plus(slope_of_S(b, b->m), -at.k, skew(c));
  more = plus(more, 2 * b->mid.k_y, outer(phi_c, b->phi));
  if (b->beam->damping > 0) {
    viscous v = viscous_slopes(b);
    e.f_p = plus(e.f_p, 1, v.f_p);
    e.m_phi = plus(e.m_phi, 1, v.m_phi);
    f.w = plus(f.w, 1, product(product(at.R, v.f_phi), at.SRt));
    f.r = product(product(at.R, v.f_r), at.Rt);
    mu.r = product(product(at.RS, v.m_r), at.Rt);
  }
  f.p = product(product(at.R, e.f_p), at.Rt);
  mu.w = product(plus(product(at.RS, e.m_phi), 1, product(at.R, more)), at.SRt);
  put_all(&at, &f, &mu, K);
}

HK_HOT HK_FLAT void hk_beam_damping(const hk_beam_bar *b, const hk_mat3 *Rm, double (*C)[12]) {
  double rate = b->beam->damping / b->beam->length;
  place at = place_of(b, Rm);
  change f = {.p = product(columns(at.R, hk_scale(rate, b->shear)), at.Rt)},
         mu = {.w = product(columns(at.RS, hk_scale(rate, b->curve)), at.SRt)};
  put_all(&at, &f, &mu, C);
}
