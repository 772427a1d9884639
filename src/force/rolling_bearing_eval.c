/* Conversion between frames and the action of a bearing.
 *
 * The elements have fixed azimuths in the cage, a frame with the origin of a that is rotated
 * about z of a by
 *   phi = phi_0 + ratio (psi - psi_0)
 * with psi the rotation of b about z relative to a: psi' = e.(wB - wA), e = (n + z)/(1 + n.z), n
 * the z axis of b.  phi_0, psi_0 and the ratio are internal variables from the last step.
 * bearing/ring_force.h acts between the cage C and b; C moves by
 *   dtheta_C = dtheta_A + ratio z eps.d,   eps.d = e.(dtheta_B - dtheta_A)
 * Therefore a moment on C along z acts on a, and in addition -ratio and +ratio times this moment
 * acts about e on a and b: this torque closes the energy balance of the variable compliance. S
 * is the sum of all moments about e: this one, friction, and those of defects that rotate with
 * cage or ring. */
#include "force/rolling_bearing.h"
#include <string.h>

/* Columns: displacements of the cage and of b. `follow` converts the columns of the cage to
 * those of a. */
enum { XA, TA = 3, XB = 6, TB = 9, S_ROW = 12, ROWS };

static hk_vec3 vec(const double *v) { return hk_v3(v[0], v[1], v[2]); }
static void put(double *to, hk_vec3 v) { to[0] = v.x, to[1] = v.y, to[2] = v.z; }
static void add(double *to, hk_vec3 v) { to[0] += v.x, to[1] += v.y, to[2] += v.z; }

void hk_rolling_bearing_pose(const hk_bearing *p, const hk_force_in *in, hk_bearing_pose *out) {
  const hk_frame *A = in->A, *B = in->B;
  hk_mat3 Q = hk_tmatmul(&A->R, &B->R);
  double raw = atan2(Q.m[1][0] - Q.m[0][1], Q.m[0][0] + Q.m[1][1]), before = 0, cage = 0;
  out->ratio = p->linear.on ? 0 : p->kappa; /* a linearised bearing does not rotate with its cage */
  if (in->memory && in->memory[HK_BEARING_MEMORY_RATIO] != 0) {
    before = in->memory[HK_BEARING_MEMORY_TURN];
    cage = in->memory[HK_BEARING_MEMORY_CAGE];
    out->ratio = in->memory[HK_BEARING_MEMORY_RATIO];
  }
  double turned = remainder(raw - before, 2 * M_PI);
  cage += out->ratio * turned;
  double c = cos(cage), s = sin(cage);
  hk_mat3 Rz = {{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
  out->R = hk_matmul(&A->R, &Rz);
  out->z = hk_column(&A->R, 2), out->n = hk_column(&B->R, 2);
  out->q = 1 + hk_dot(out->n, out->z);
  out->e = hk_scale(1 / out->q, hk_add(out->n, out->z));
  out->w = hk_sub(B->w, A->w);
  double spin = hk_dot(out->e, out->w);
  out->w_cage = hk_axpy(A->w, out->ratio * spin, out->z);
  hk_vec3 r = hk_sub(B->x, A->x);
  hk_vec3 v = hk_sub(hk_sub(B->v, A->v), hk_cross(out->w_cage, r));
  out->place = (hk_bearing_place){.u = hk_tmul(&out->R, r),
                                  .Q = hk_tmatmul(&out->R, &B->R),
                                  .cage = cage,
                                  .turn = before + turned,
                                  .speed = {spin, hk_dot(A->w, out->z), NAN}};
  put(out->place.rate, hk_tmul(&out->R, v));
  put(out->place.rate + 3, hk_tmul(&out->R, hk_sub(B->w, out->w_cage)));
  out->place.rate[HK_BEARING_CAGE] = out->ratio * spin;
  out->place.rate[HK_BEARING_TURN] = spin;
}

/* ---- derivatives ---- */

typedef struct matrix {
  double m[ROWS][12];
} matrix;

/* Rows of forces and moments on b and of S, with respect to displacements of the cage and of b,
 * from the derivatives `D` of the action. */
typedef struct turned {
  hk_mat3 block[2][2]; /* world axes */
  hk_vec3 row[2];      /* rows of S */
  hk_vec3 by_turn[2];  /* forces with respect to ratio phi + psi */
  double S_by_turn;
} turned;

static hk_mat3 into_world(const hk_mat3 *R, double D[8][8], int i, int j) {
  hk_mat3 M;
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) M.m[a][b] = D[i + a][j + b];
  hk_mat3 RM = hk_matmul(R, &M);
  return hk_matmult(&RM, R);
}

static turned turn_out(const hk_bearing_pose *s, double D[8][8]) {
  turned t;
  const double k = s->ratio;
  for (int i = 0; i < 2; i++) {
    double row[3], column[3];
    for (int j = 0; j < 2; j++) t.block[i][j] = into_world(&s->R, D, 3 * i, 3 * j);
    for (int a = 0; a < 3; a++) {
      row[a] = D[7][3 * i + a] + k * D[6][3 * i + a];
      column[a] = D[3 * i + a][7] + k * D[3 * i + a][6];
    }
    t.row[i] = hk_mul(&s->R, vec(row));
    t.by_turn[i] = hk_mul(&s->R, vec(column));
  }
  t.S_by_turn = D[7][7] + k * (D[7][6] + D[6][7]) + k * k * D[6][6];
  return t;
}

/* K.m[row..][column..] += s M */
static void add_block(matrix *K, int row, int column, double s, const hk_mat3 *M) {
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) K->m[row + a][column + b] += s * M->m[a][b];
}

/* Adds the contribution of the relative displacements  du = dxB - dxC + r x dthetaC,  dtheta =
 * dthetaB - dthetaC. */
static void add_relative(const turned *t, const hk_mat3 *arm, matrix *K) {
  for (int i = 0; i < 2; i++) {
    const int row = XB + 3 * i;
    const hk_mat3 lever = hk_matmul(&t->block[i][0], arm);
    add_block(K, row, XB, 1, &t->block[i][0]);
    add_block(K, row, XA, -1, &t->block[i][0]);
    add_block(K, row, TA, 1, &lever);
    add_block(K, row, TB, 1, &t->block[i][1]);
    add_block(K, row, TA, -1, &t->block[i][1]);
  }
  double *S = K->m[S_ROW];
  add(S + XB, t->row[0]), add(S + XA, hk_neg(t->row[0]));
  add(S + TB, t->row[1]), add(S + TA, hk_neg(t->row[1]));
  add(S + TA, hk_tmul(arm, t->row[0]));
}

/* Adds the product of a column of all rows and a row vector. */
static void add_column(const hk_vec3 f[2], double S, const double by[12], matrix *K) {
  const double rows[7] = {f[0].x, f[0].y, f[0].z, f[1].x, f[1].y, f[1].z, S};
  for (int i = 0; i < 7; i++)
    for (int j = 0; j < 12; j++) K->m[XB + i][j] += rows[i] * by[j];
}

/* Rates at constant velocities: du' = -wC x (dxB - dxC) + v x dthetaC,  domega = omega x dthetaC. */
static void add_rates(const turned *t, hk_vec3 w_cage, hk_vec3 v, hk_vec3 omega, matrix *K) {
  const hk_mat3 W = hk_skew(w_cage), V = hk_skew(v), O = hk_skew(omega);
  for (int i = 0; i < 2; i++) {
    const hk_mat3 a = hk_matmul(&t->block[i][0], &W), b = hk_matmul(&t->block[i][0], &V),
                  c = hk_matmul(&t->block[i][1], &O);
    add_block(K, XB + 3 * i, XB, -1, &a), add_block(K, XB + 3 * i, XA, 1, &a);
    add_block(K, XB + 3 * i, TA, 1, &b), add_block(K, XB + 3 * i, TA, 1, &c);
  }
  double *S = K->m[S_ROW];
  const hk_vec3 a = hk_tmul(&W, t->row[0]);
  add(S + XB, hk_neg(a)), add(S + XA, a);
  add(S + TA, hk_tmul(&V, t->row[0])), add(S + TA, hk_tmul(&O, t->row[1]));
}

/* Computes the rows of force and moment on the cage from those on b, as their reaction. */
static void add_reaction(const hk_mat3 *arm, matrix *K) {
  for (int j = 0; j < 12; j++)
    for (int a = 0; a < 3; a++) {
      double moment = K->m[TB + a][j];
      for (int b = 0; b < 3; b++) moment += arm->m[a][b] * K->m[XB + b][j];
      K->m[XA + a][j] -= K->m[XB + a][j];
      K->m[TA + a][j] -= moment;
    }
}

/* Adds ratio z.M_C to S, from the rows of the moment on the cage. */
static void add_to_turn(double ratio, hk_vec3 z, matrix *K) {
  for (int j = 0; j < 12; j++)
    K->m[S_ROW][j] += ratio * (z.x * K->m[TA][j] + z.y * K->m[TA + 1][j] + z.z * K->m[TA + 2][j]);
}

/* Converts the columns of the cage to those of a: dtheta_C = dtheta_A + ratio z by.d */
static void follow(const matrix *from, double ratio, hk_vec3 z, const double by[12], matrix *K) {
  for (int i = 0; i < ROWS; i++) {
    double along = ratio * hk_dot(vec(from->m[i] + TA), z);
    for (int j = 0; j < 12; j++) K->m[i][j] += along * by[j];
  }
}

/* Copies the matrix to the output, with the moments -S e on a and S e on b. */
static void hand_out(const matrix *K, hk_vec3 e, double out[12][12]) {
  const double axis[3] = {e.x, e.y, e.z};
  memcpy(out, K->m, 12 * sizeof *out);
  for (int a = 0; a < 3; a++)
    for (int j = 0; j < 12; j++) {
      out[TA + a][j] -= axis[a] * K->m[S_ROW][j];
      out[TB + a][j] += axis[a] * K->m[S_ROW][j];
    }
}

/* S de, de = -(1 - e z^T) n~ dthetaB/q - (1 - e n^T) z~ dthetaA/q. */
static void add_axis(const hk_bearing_pose *s, double S, double K[12][12]) {
  const hk_vec3 other[2] = {s->n, s->z}, own[2] = {s->z, s->n};
  for (int side = 0; side < 2; side++) { /* 0: rotation of a */
    hk_mat3 P = hk_mat3_scale(-1, hk_outer(s->e, other[side])), X = hk_skew(own[side]);
    for (int a = 0; a < 3; a++) P.m[a][a] += 1;
    const hk_mat3 d = hk_matmul(&P, &X);
    hk_block_add(K, TA, side ? TB : TA, -S / s->q, &d);
    hk_block_add(K, TB, side ? TB : TA, S / s->q, &d);
  }
}

typedef struct vectors {
  hk_vec3 r, F, M, M_cage;
  double S;
} vectors;

/* Gradient of the relative rotation (eps), and of its rate with respect to positions (eta). */
static void turn_rows(const hk_bearing_pose *s, double eps[12], double eta[12]) {
  memset(eps, 0, 12 * sizeof *eps), memset(eta, 0, 12 * sizeof *eta);
  const double spin = hk_dot(s->e, s->w);
  put(eps + TA, hk_neg(s->e)), put(eps + TB, s->e);
  put(eta + TB, hk_scale(1 / s->q, hk_cross(s->n, hk_axpy(s->w, -spin, s->z))));
  put(eta + TA, hk_scale(1 / s->q, hk_cross(s->z, hk_axpy(s->w, -spin, s->n))));
}

/* Derivatives with respect to displacements of cage and b: relative positions and rates, and
 * vectors that rotate with the cage. */
static void by_cage(const hk_bearing_pose *s, const turned *k, const turned *c, const vectors *v,
                    const hk_mat3 *arm, matrix *K, matrix *C) {
  const hk_mat3 Fs = hk_skew(v->F), Ms = hk_skew(v->M);
  add_relative(k, arm, K);
  add_block(K, XB, TA, 1, &Fs);
  add_block(K, TB, TA, 1, &Ms);
  if (c) {
    const hk_vec3 rate = hk_mul(&s->R, vec(s->place.rate)),
                  omega = hk_mul(&s->R, vec(s->place.rate + 3));
    add_relative(c, arm, C);
    add_rates(c, s->w_cage, rate, omega, K);
    add_reaction(arm, C);
    add_to_turn(s->ratio, s->z, C);
  }
  add_reaction(arm, K);
  add_block(K, TA, XA, 1, &Fs); /* lever arm of the reaction */
  add_block(K, TA, XB, -1, &Fs);
  add_to_turn(s->ratio, s->z, K);
}

/* Derivatives with respect to the relative rotation, its rate and the ring speeds: columns of a
 * and b. */
static void by_turn(const hk_force_in *in, const hk_bearing_pose *s, const turned *k,
                    const turned *c, const hk_bearing_action *act, bool inertia, const double *eps,
                    const double *eta, matrix *K, matrix *C) {
  add_column(k->by_turn, k->S_by_turn, eps, K);
  if (c) add_column(c->by_turn, c->S_by_turn, eps, C);
  if (c) add_column(c->by_turn, c->S_by_turn, eta, K);
  for (int w = 0; w < 2 && inertia; w++) { /* speeds of the inner and of the outer ring */
    const double *Q = act->Q_w[w];
    const hk_vec3 f[2] = {hk_neg(hk_mul(&s->R, vec(Q))), hk_neg(hk_mul(&s->R, vec(Q + 3)))};
    const double S = -Q[HK_BEARING_TURN] - s->ratio * Q[HK_BEARING_CAGE];
    double by_v[12] = {0}, by_x[12] = {0};
    put(by_v + TA, s->z), put(by_x + TA, hk_cross(s->z, in->A->w));
    add_column(f, S, w ? by_v : eps, C);
    add_column(f, S, w ? by_x : eta, K);
  }
}

static void tangent(const hk_force_in *in, const hk_bearing *p, const hk_bearing_pose *s,
                    hk_bearing_action *act, const vectors *v, hk_force_out *out) {
  const bool inertia = p->dynamics != HK_BEARING_STATIC, moves = act->moves || inertia;
  const bool turns = p->defects || act->moves || inertia;
  const hk_mat3 arm = hk_skew(v->r);
  const double spin = s->place.rate[HK_BEARING_TURN];
  double eps[12], eta[12];
  matrix K = {{{0}}}, C = {{{0}}}, own_K = {{{0}}}, own_C = {{{0}}};
  turn_rows(s, eps, eta);
  turned c;
  const turned k = turn_out(s, act->K);
  if (act->moves) c = turn_out(s, act->C);
  by_cage(s, &k, act->moves ? &c : NULL, v, &arm, &K, &C);
  if (turns) {
    by_turn(in, s, &k, act->moves ? &c : NULL, act, inertia, eps, eta, &own_K, &own_C);
    add_reaction(&arm, &own_K), add_to_turn(s->ratio, s->z, &own_K);
  }
  if (moves) {
    const matrix C0 = C;
    follow(&C0, s->ratio, s->z, eta, &own_K);
    for (int i = 0; i < ROWS; i++) /* z rotates with a */
      add(own_K.m[i] + TA, hk_scale(s->ratio * spin, hk_cross(s->z, vec(C0.m[i] + TA))));
    follow(&C0, s->ratio, s->z, eps, &C);
    add_reaction(&arm, &own_C), add_to_turn(s->ratio, s->z, &own_C);
    for (int i = 0; i < ROWS; i++)
      for (int j = 0; j < 12; j++) C.m[i][j] += own_C.m[i][j];
    hand_out(&C, s->e, out->C);
    out->has_C = true;
  }
  follow(&K, s->ratio, s->z, eps, &own_K);
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < 12; j++) K.m[i][j] += own_K.m[i][j];
  add(K.m[S_ROW] + TA, hk_scale(-s->ratio, hk_cross(s->z, v->M_cage)));
  hand_out(&K, s->e, out->K);
  add_axis(s, v->S, out->K);
  out->has_K = true;
}

void hk_rolling_bearing_eval(const void *data, const hk_force_in *in, hk_force_out *out) {
  const hk_bearing *p = &((const hk_rolling_bearing *)in->constants)->bearing;
  hk_bearing_pose s;
  hk_bearing_action act;
  hk_rolling_bearing_pose(p, in, &s);
  out->failed = hk_bearing_act(p, &s.place, out->tangent, &act, NULL);
  if (out->failed) return;
  vectors v = {.r = hk_sub(in->B->x, in->A->x),
               .F = hk_mul(&s.R, vec(act.Q)),
               .M = hk_mul(&s.R, vec(act.Q + 3))};
  v.M_cage = hk_neg(hk_add(v.M, hk_cross(v.r, v.F)));
  v.S = act.Q[HK_BEARING_TURN] + s.ratio * (act.Q[HK_BEARING_CAGE] + hk_dot(s.z, v.M_cage));
  put(out->w, hk_neg(v.F));
  put(out->w + TA, hk_axpy(v.M_cage, -v.S, s.e));
  put(out->w + XB, v.F);
  put(out->w + TB, hk_axpy(v.M, v.S, s.e));
  out->potential = act.potential;
  out->dissipated = act.dissipated;
  out->applied = act.applied;
  if (out->tangent) tangent(in, p, &s, &act, &v, out);
}
