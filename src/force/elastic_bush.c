/* Elastic bush: stiffness and damping between a bush (A) and a journal (B) that slides and
 * rotates freely in it.
 *
 * The frame A is in the middle of the bush, with z along the bush axis. The frame B is anywhere on the axis of the
 * journal; n is the z axis of B, along the journal axis. Springs distributed evenly along the bush act perpendicular
 * to n and pull the bush axis towards the journal axis. With
 *   p = xA - xB,  alpha = p.n,  P = 1 - n n^T,  e = P p  (from the journal axis to the middle of the bush)
 * a point xA + s z of the bush axis is at the distance |e + s P z| from the journal axis, and the sum of the springs
 * over s is
 *   E = k |e|^2/2 + k_t |P z|^2/2,   k_t = k length^2/12 if there are no other springs.
 * The energy depends only on the two axes: neither the angle of rotation nor the position of B
 * along the journal changes it, and it has no jumps. Forces on B, at the foot f = xA - e on the
 * journal axis:
 *   F = k e - c P U,   U = vB + alpha wB x n - vA + wA x e  (velocity of the journal axis at f relative to A)
 *   M = k_t (n.z) n x z - c_t P (wB - wA)
 * and their opposites at the same point on A. There is no force along n and no moment about it.
 *
 * Tangent, with dn = dthetaB x n, dz = dthetaA x z:
 *   de = P (dxA - dxB) - (n p^T + alpha) dn,   dalpha = n.(dxA - dxB) + p.dn
 *   d(P y) = P dy - (n.y + n y^T) dn */
#include <hooke/element.h>
#include "mesh/drawing.h"

typedef struct elastic_bush {
  const char *a, *b;
  double stiffness, damping, tilt_stiffness, tilt_damping;
} elastic_bush;

static const elastic_bush defaults = {.a = "ground"};

static const hk_param params[] = {
    HK_FRAME(elastic_bush, a, 0,
             "frame in the middle of the bush; its z axis is the axis of the bush"),
    HK_FRAME(elastic_bush, b, HK_REQUIRED, "frame anywhere on the axis of the journal, z along it"),
    HK_REAL(elastic_bush, stiffness, "N/m", 0, "radial stiffness at the middle of the bush",
            HK_MIN(0)),
    HK_REAL(elastic_bush, damping, "N s/m", 0, "radial damping at the middle of the bush",
            HK_MIN(0)),
    HK_REAL(elastic_bush, tilt_stiffness, "N m/rad", 0, "stiffness against tilting", HK_MIN(0)),
    HK_REAL(elastic_bush, tilt_damping, "N m s/rad", 0, "damping against tilting", HK_MIN(0)),
};

static hk_status bind(const hk_item *item, hk_force_binding *b, hk_error *err) {
  const elastic_bush *p = hk_item_data(item);
  (void)err;
  b->a = p->a;
  b->b = p->b;
  b->moment_a = b->moment_b = true;
  return HK_OK;
}

/* Derivatives of a vector with respect to xA, thetaA, xB, thetaB (or to the corresponding
 * velocities). */
typedef struct slope {
  hk_mat3 by[4];
} slope;

static hk_mat3 unit(void) { return (hk_mat3){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}; }

/* s 1 + a b^T */
static hk_mat3 form(double s, hk_vec3 a, hk_vec3 b) {
  return hk_mat3_add(hk_mat3_scale(s, unit()), hk_outer(a, b));
}
static slope times(const hk_mat3 *M, const slope *x) {
  slope out;
  for (int i = 0; i < 4; i++) out.by[i] = hk_matmul(M, &x->by[i]);
  return out;
}
static slope sum(const slope *x, double s, const slope *y) {
  slope out;
  for (int i = 0; i < 4; i++) out.by[i] = hk_mat3_add(x->by[i], hk_mat3_scale(s, y->by[i]));
  return out;
}

/* Positions and velocities of both axes. */
typedef struct kinematics {
  hk_vec3 n, z, p, e, U, w, across; /* across: P U */
  double alpha;
} kinematics;

static hk_vec3 square_to(hk_vec3 n, hk_vec3 y) { return hk_axpy(y, -hk_dot(n, y), n); }

static kinematics measure(const hk_force_in *in) {
  const hk_frame *A = in->A, *B = in->B;
  kinematics k = {.n = hk_column(&B->R, 2), .z = hk_column(&A->R, 2), .p = hk_sub(A->x, B->x)};
  k.alpha = hk_dot(k.p, k.n);
  k.e = square_to(k.n, k.p);
  k.U = hk_sub(hk_axpy(B->v, k.alpha, hk_cross(B->w, k.n)), hk_sub(A->v, hk_cross(A->w, k.e)));
  k.across = square_to(k.n, k.U);
  k.w = hk_sub(B->w, A->w);
  return k;
}

/* d(P y) for dy and dn. */
static slope projected(const kinematics *k, hk_vec3 y, const slope *dy, const slope *dn) {
  hk_mat3 P = form(1, hk_neg(k->n), k->n), turned = form(hk_dot(k->n, y), k->n, y);
  slope a = times(&P, dy), b = times(&turned, dn);
  return sum(&a, -1, &b);
}

/* Adds s times the derivative of the wrenches on A and B to K, from the derivatives of F, M and
 * of the lever arms e and alpha n. */
static void spread(double K[12][12], double s, const kinematics *k, hk_vec3 F, const slope *dF,
                   const slope *dM, const slope *de, const slope *dlever) {
  hk_mat3 E = hk_skew(k->e), L = hk_skew(hk_scale(k->alpha, k->n)), Fs = hk_skew(F);
  slope a = times(&E, dF), b = times(&L, dF), arm;
  if (de) arm = times(&Fs, de), a = sum(&a, -1, &arm);
  if (dlever) arm = times(&Fs, dlever), b = sum(&b, -1, &arm);
  for (int i = 0; i < 4; i++) {
    hk_block_add(K, 0, 3 * i, -s, &dF->by[i]);
    hk_block_add(K, 3, 3 * i, s, &a.by[i]);
    hk_block_add(K, 3, 3 * i, -s, &dM->by[i]);
    hk_block_add(K, 6, 3 * i, s, &dF->by[i]);
    hk_block_add(K, 9, 3 * i, s, &b.by[i]);
    hk_block_add(K, 9, 3 * i, s, &dM->by[i]);
  }
}

/* Adds the derivatives with respect to positions, at constant velocities. */
static void tangent_place(const elastic_bush *p, const hk_force_in *in, const kinematics *k,
                          hk_vec3 F, double K[12][12]) {
  slope dn = {0}, dz = {0}, dp = {0};
  dn.by[3] = hk_skew(hk_neg(k->n));
  dz.by[1] = hk_skew(hk_neg(k->z));
  dp.by[0] = unit(), dp.by[2] = hk_mat3_scale(-1, unit());
  slope de = projected(k, k->p, &dp, &dn);
  /* d(alpha n) = dp - de */
  slope dlever = sum(&dp, -1, &de);
  hk_mat3 wA = hk_skew(in->A->w), wB = hk_skew(in->B->w);
  slope dU = times(&wB, &dlever), turned = times(&wA, &de);
  dU = sum(&dU, 1, &turned);
  slope dG = projected(k, k->U, &dU, &dn);
  slope none = {0}, dF = sum(&none, p->stiffness, &de);
  dF = sum(&dF, -p->damping, &dG);
  /* d((n.z) n x z) = ((n x z) n^T + (n.z) n~) dz + ((n x z) z^T - (n.z) z~) dn */
  hk_vec3 nz = hk_cross(k->n, k->z);
  double c = hk_dot(k->n, k->z);
  hk_mat3 by_z = hk_mat3_add(hk_outer(nz, k->n), hk_mat3_scale(c, hk_skew(k->n)));
  hk_mat3 by_n = hk_mat3_add(hk_outer(nz, k->z), hk_mat3_scale(-c, hk_skew(k->z)));
  slope M1 = times(&by_z, &dz), M2 = times(&by_n, &dn), dM = sum(&M1, 1, &M2);
  slope drag = projected(k, k->w, &none, &dn);
  dM = sum(&none, p->tilt_stiffness, &dM);
  dM = sum(&dM, -p->tilt_damping, &drag);
  spread(K, -1, k, F, &dF, &dM, &de, &dlever);
}

static void tangent_speed(const elastic_bush *p, const kinematics *k, hk_vec3 F, double C[12][12]) {
  slope dU = {0}, dw = {0}, none = {0};
  dU.by[0] = hk_mat3_scale(-1, unit());
  dU.by[1] = hk_skew(hk_neg(k->e));
  dU.by[2] = unit();
  dU.by[3] = hk_skew(hk_scale(-k->alpha, k->n));
  dw.by[1] = hk_mat3_scale(-1, unit());
  dw.by[3] = unit();
  slope dF = projected(k, k->U, &dU, &none), dM = projected(k, k->w, &dw, &none);
  dF = sum(&none, -p->damping, &dF);
  dM = sum(&none, -p->tilt_damping, &dM);
  spread(C, -1, k, F, &dF, &dM, NULL, NULL);
}

static void put(double *w, hk_vec3 a) { w[0] = a.x, w[1] = a.y, w[2] = a.z; }

static void eval(const void *data, const hk_force_in *in, hk_force_out *out) {
  const elastic_bush *p = data;
  const kinematics k = measure(in);
  hk_vec3 nz = hk_cross(k.n, k.z), tilting = square_to(k.n, k.w);
  hk_vec3 F = hk_axpy(hk_scale(p->stiffness, k.e), -p->damping, k.across);
  hk_vec3 M =
      hk_axpy(hk_scale(p->tilt_stiffness * hk_dot(k.n, k.z), nz), -p->tilt_damping, tilting);
  put(out->w, hk_neg(F));
  put(out->w + 3, hk_sub(hk_cross(k.e, F), M));
  put(out->w + 6, F);
  put(out->w + 9, hk_add(hk_cross(hk_scale(k.alpha, k.n), F), M));
  out->potential = 0.5 * (p->stiffness * hk_dot(k.e, k.e) + p->tilt_stiffness * hk_dot(nz, nz));
  out->dissipated =
      p->damping * hk_dot(k.across, k.across) + p->tilt_damping * hk_dot(tilting, tilting);
  if (!out->tangent) return;
  tangent_place(p, in, &k, F, out->K);
  tangent_speed(p, &k, F, out->C);
  out->has_K = out->has_C = true;
}

static const hk_quantity channels[] = {
    {"radial", "m", "distance of the middle of the bush from the axis of the journal"},
    {"tilt", "rad", "angle between the two axes"},
    {"axial", "m", "position of b along its axis, relative to the middle of the bush",
     HK_SHOW_DETAIL},
    {"radial_speed", "m/s",
     "radial velocity of the journal axis at the middle of the bush, relative to a",
     HK_SHOW_DETAIL},
};

static void read(const void *data, const hk_force_in *in, const hk_force_out *out, double *value) {
  const kinematics k = measure(in);
  value[0] = hk_norm(k.e);
  value[1] = atan2(hk_norm(hk_cross(k.n, k.z)), fabs(hk_dot(k.n, k.z)));
  value[2] = -k.alpha;
  value[3] = hk_norm(k.across);
}

static const hk_force_ops ops = {.bind = bind, .eval = eval, .read = read, HK_CHANNELS(channels)};

static void draw(const hk_item *item, hk_drawing *d) { hk_draw_sleeve(d); }

const hk_type hk_type_force_elastic_bush = {
    .name = "elastic_bush",
    .category = HK_FORCE,
    .doc =
        "Elastic bush (a) around a journal (b) that slides and rotates freely in it: radial "
        "stiffness and stiffness against tilting.",
    .source = "springs distributed along the bush, perpendicular to the axis of the journal",
    .size = sizeof(elastic_bush),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
    .draw = draw,
    .symmetry = HK_MIRRORS,
};
