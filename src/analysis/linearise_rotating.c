/* Steady rotation of a whole model, a relative equilibrium: see linearise.c.
 *
 * All velocities v and angular velocities w are constant in axes that rotate with W, so
 *   v' = W x v,  w' = W x w
 * (w in world axes).  These are linear equations for W; the solution of minimum norm is used,
 * because W is not unique: if all velocities are parallel, a component of W along them has no
 * effect on accelerations. */
#include "analysis/dense_matrix.h"
#include "analysis/linearise.h"
#include "core/map.h"
#include <math.h>
#include <string.h>

static hk_vec3 at3(const double *x) { return hk_v3(x[0], x[1], x[2]); }

static void put3(double *x, hk_vec3 v) { x[0] = v.x, x[1] = v.y, x[2] = v.z; }

/* Adds |v|^2 1 - v v^T to A and v x a to y: the least squares of a = W x v. */
static void add_vector(hk_vec3 v, hk_vec3 a, double A[9], double y[3]) {
  const double u[3] = {v.x, v.y, v.z};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) A[3 * i + j] += (i == j ? hk_dot(v, v) : 0) - u[i] * u[j];
  hk_vec3 c = hk_cross(v, a);
  y[0] += c.x, y[1] += c.y, y[2] += c.z;
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

static hk_status fit(hk_balance *b, const double *x, const double *vd, hk_error *err) {
  const hk_model *m = b->sim->model;
  double A[9] = {0}, y[3] = {0}, w[3];
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    const double *v = x + m->at.v + n->v, *a = vd + n->v;
    const hk_mat3 *R = &b->sim->work->R[i];
    if (hk_node_translates(n))
      add_vector(hk_scale(1 / m->length, at3(v)), hk_scale(1 / m->length, at3(a)), A, y);
    if (n->turn >= 0) add_vector(hk_mul(R, at3(v + n->turn)), hk_mul(R, at3(a + n->turn)), A, y);
  }
  hk_svd svd;
  hk_status status = hk_svd_make(A, 3, 3, 1e-10, &svd, err);
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
    /* The body rotates in the rotating axes with the remaining part of its angular velocity. */
    hk_vec3 w = hk_mul(R, at3(v + n->turn));
    hk_quat own = hk_quat_exp(hk_scale(dt, hk_sub(w, b->spin))), q = hk_quat_mul(turn, own);
    hk_mat3 E = hk_quat_matrix(own);
    put3(d + n->v + n->turn, hk_tmul(R, hk_quat_log(q)));
    put3(out + n->turn, hk_tmul(R, hk_tmul(&E, w)));
  }
  hk_configuration_add(m, from + m->at.q, d, x + m->at.q);
  x[m->at.t] += dt;
}
