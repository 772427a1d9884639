/* Steady rotation of a whole model, a relative equilibrium: see linearise.c.
 *
 * All velocities v, angular velocities w and angular momenta h of the bodies are constant in axes that rotate with W, so
 *   v' = W x v,  w' = W x w,  h' = W x h
 * (in world axes).  These are linear equations for W.  The momenta decide if all velocities are parallel, as in
 * the precession of a free symmetric body: w' alone allows any component of W along w.  The solution of minimum norm is
 * used, because W is not unique if the momenta are parallel to the velocities, too. */
#include "analysis/dense_matrix.h"
#include "analysis/linearise.h"
#include "core/map.h"
#include <math.h>
#include <string.h>

static hk_vec3 at3(const double *x) { return hk_v3(x[0], x[1], x[2]); }

static void put3(double *x, hk_vec3 v) { x[0] = v.x, x[1] = v.y, x[2] = v.z; }

/* Linear equations for W, reduced to triangular form by Givens rotations, so that directions that differ by only 1e-5
 * still determine W. The last column is the right-hand side. */
typedef struct equations {
  double R[3][4];
} equations;

static void add_equation(equations *t, double x, double y, double z, double right) {
  double row[4] = {x, y, z, right};
  for (int k = 0; k < 3; k++) {
    const double size = hypot(t->R[k][k], row[k]);
    if (!(size > 0)) continue;
    const double c = t->R[k][k] / size, s = row[k] / size;
    for (int j = k; j < 4; j++) {
      double old = t->R[k][j];
      t->R[k][j] = c * old + s * row[j];
      row[j] = c * row[j] - s * old;
    }
  }
}

/* a = W x v */
static void add_vector(hk_vec3 v, hk_vec3 a, equations *t) {
  add_equation(t, 0, v.z, -v.y, a.x);
  add_equation(t, -v.z, 0, v.x, a.y);
  add_equation(t, v.y, -v.x, 0, a.z);
}

/* Returns true if the accelerations vd are those of the rotation `spin`, within rounding; scratch [nv]. */
static bool explains(const hk_balance *b, const double *x, const double *vd, double tolerance,
                     double *scratch) {
  const hk_model *m = b->sim->model;
  double speed = 0;
  for (int i = 0; i < m->nv; i++) speed = fmax(speed, fabs(x[m->at.v + i]) * sqrt(b->unit[i]));
  hk_balance_rotation(b, x, scratch);
  for (int i = 0; i < m->nv; i++)
    if (!(fabs(vd[i] - scratch[i]) * sqrt(b->unit[i]) <= tolerance * speed * speed / m->length))
      return false;
  return true;
}

/* Adds the angular momentum of a body and its rate, in world axes, with the size of its angular velocity w; J w and
 * J w' are in body axes. */
static void add_momentum(const hk_mat3 *R, hk_vec3 w, hk_vec3 Jw, hk_vec3 Ja, equations *t) {
  const double size = hk_norm(Jw);
  if (!(size > 0)) return;
  const hk_vec3 rate = hk_add(Ja, hk_cross(w, Jw));
  const double scale = hk_norm(w) / size;
  add_vector(hk_scale(scale, hk_mul(R, Jw)), hk_scale(scale, hk_mul(R, rate)), t);
}

static hk_status fit(hk_balance *b, const double *x, const double *vd, hk_error *err) {
  const hk_model *m = b->sim->model;
  equations t = {{{0}}};
  double A[9], y[3], w[3];
  double *momentum = b->a, *force = b->r; /* scratch memory */
  hk_mass_multiply(b->sim->work, x + m->at.v, momentum);
  hk_mass_multiply(b->sim->work, vd, force);
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    const double *v = x + m->at.v + n->v, *a = vd + n->v;
    const hk_mat3 *R = &b->sim->work->R[i];
    if (hk_node_translates(n))
      add_vector(hk_scale(1 / m->length, at3(v)), hk_scale(1 / m->length, at3(a)), &t);
    if (n->turn < 0) continue;
    const int turn = n->v + n->turn;
    add_vector(hk_mul(R, at3(v + n->turn)), hk_mul(R, at3(a + n->turn)), &t);
    add_momentum(R, at3(v + n->turn), at3(momentum + turn), at3(force + turn), &t);
  }
  for (int i = 0; i < 9; i++) A[i] = t.R[i / 3][i % 3];
  for (int i = 0; i < 3; i++) y[i] = t.R[i][3];
  hk_svd svd;
  hk_status status = hk_svd_make(A, 3, 3, 1e-7, &svd, err);
  if (status) return status;
  hk_svd_solve(&svd, y, w);
  hk_svd_free(&svd);
  double size = hypot(hypot(w[0], w[1]), w[2]);
  for (int k = 0; k < 3; k++)
    if (fabs(w[k]) <= 1e-12 * size) w[k] = 0; /* rounding */
  b->spin = at3(w);
  return HK_OK;
}

hk_status hk_linear_find_rotation(hk_linear *l, hk_balance *b, double tolerance, hk_error *err) {
  hk_sim *s = b->sim;
  const hk_model *m = s->model;
  const double *x = l->inside->x;
  const hk_instant in = hk_instant_at(m, x);
  /* The values of the last step are the first guess; those in s->out may belong to an earlier state. */
  hk_copy(s->out.vd, s->x + m->at.vd, m->nv);
  hk_copy(s->out.lambda, s->x + m->at.lambda, m->nc);
  hk_status status = hk_sim_accelerations(s, s->x, s->out.vd, s->out.lambda, err);
  if (status) return status;
  s->out.have_accelerations = true;
  s->out.have_frames = false;
  hk_kinematics(s->work, &in, HK_FRAMES_MOVING);
  b->spin = hk_v3(0, 0, 0);
  if (explains(b, x, s->out.vd, tolerance, b->a)) return HK_OK;
  status = fit(b, x, s->out.vd, err);
  if (!status) b->rotating = explains(b, x, s->out.vd, tolerance, b->a);
  if (!b->rotating) b->spin = hk_v3(0, 0, 0);
  return status;
}

bool hk_linear_next_rotation(const hk_linear *l, hk_balance *b, double tolerance, int *node) {
  const hk_model *m = l->model;
  const double *x = l->inside->x;
  const hk_vec3 before = b->spin;
  for (; *node < m->n_nodes; ++*node) {
    const hk_node *n = &m->node[*node];
    b->spin = hk_map_guide(b->sim->work, *node, NULL);
    if (n->turn >= 0) b->spin = hk_mul(&b->sim->work->R[*node], at3(x + m->at.v + n->v + n->turn));
    if (!(hk_norm(b->spin) > 0)) continue;
    if (hk_norm(hk_sub(b->spin, before)) <= tolerance * hk_norm(b->spin)) continue;
    if (explains(b, x, b->sim->out.vd, tolerance, b->a)) return true;
  }
  b->spin = before;
  return false;
}

/* Integral of exp(s spin~) v over s from 0 to dt. */
static hk_vec3 path(hk_vec3 spin, hk_vec3 v, double dt) {
  double w = hk_norm(spin), angle = w * dt;
  if (!(angle > 1e-8)) return hk_scale(dt, v);
  hk_vec3 e = hk_scale(1 / w, spin), along = hk_scale(hk_dot(e, v), e), across = hk_sub(v, along);
  hk_vec3 sum = hk_axpy(hk_scale(dt, along), sin(angle) / w, across);
  return hk_axpy(sum, (1 - cos(angle)) / w, hk_cross(e, v));
}

void hk_linear_rotate(const hk_balance *b, const double *from, double dt, double *d, double *x,
                      hk_mat3 *turned) {
  const hk_model *m = b->sim->model;
  const hk_quat turn = hk_quat_exp(hk_scale(dt, b->spin));
  *turned = hk_quat_matrix(turn);
  memcpy(x, from, (size_t)m->at.size * sizeof *x);
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    const hk_mat3 *R = &b->sim->work->R[i];
    const double *v = from + m->at.v + n->v;
    double *out = x + m->at.v + n->v;
    for (int k = 0; k < n->nv; k++) d[n->v + k] = dt * v[k];
    if (hk_node_translates(n)) {
      put3(d + n->v, path(b->spin, at3(v), dt));
      put3(out, hk_mul(turned, at3(v)));
    }
    if (n->turn < 0) continue;
    /* The rest of the body's angular velocity is a rotation relative to the rotating axes. */
    hk_vec3 w = hk_mul(R, at3(v + n->turn));
    hk_quat own = hk_quat_exp(hk_scale(dt, hk_sub(w, b->spin))), q = hk_quat_mul(turn, own);
    hk_mat3 E = hk_quat_matrix(own);
    put3(d + n->v + n->turn, hk_tmul(R, hk_quat_log(q)));
    put3(out + n->turn, hk_tmul(R, hk_tmul(&E, w)));
  }
  hk_configuration_add(m, from + m->at.q, d, x + m->at.q);
  x[m->at.t] += dt;
}
