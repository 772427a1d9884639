/* Flexible node: coordinates, inertia, elastic forces. See flexible.h; its markers: flexible_marker.c. */
#include "node/flexible.h"
#include "node/rigid.h"
#include <stdio.h>
#include <string.h>

static const hk_flexible *constants(const hk_node *n) { return n->data; }
static hk_flexible_own own_of(const hk_pose *p) {
  return hk_flexible_own_at(constants(p->node)->m, p->own);
}

/* Product of a vector and a symmetric matrix, which is given by xx yy zz xy xz yz at the given distance in memory. */
static hk_vec3 times(const double *s, int stride, hk_vec3 w) {
  double xx = s[0], yy = s[stride], zz = s[2 * stride], xy = s[3 * stride], xz = s[4 * stride],
         yz = s[5 * stride];
  return hk_v3(xx * w.x + xy * w.y + xz * w.z, xy * w.x + yy * w.y + yz * w.z,
               xz * w.x + yz * w.y + zz * w.z);
}
/* Returns column l of a matrix with three rows of m numbers. */
static hk_vec3 column(const double *C, int m, int l) { return hk_v3(C[l], C[m + l], C[2 * m + l]); }

/* out[m] = sum of x_k A[k][m] */
static void weighted_rows(const double *A, const double *x, int m, double *out) {
  memset(out, 0, (size_t)m * sizeof *out);
  hk_flexible_add_rows(A, x, m, out);
}

static double along(const double *x, const double *y, int m) {
  double sum = 0;
  for (int k = 0; k < m; k++) sum += x[k] * y[k];
  return sum;
}

/* Returns C x for a matrix C with three rows of m numbers. */
static hk_vec3 rows_times(const double *C, const double *x, int m) {
  return hk_v3(along(C, x, m), along(C + m, x, m), along(C + 2 * m, x, m));
}

/* ---- preparation ---- */

/* Writes the six numbers of a symmetric 3 x 3 matrix. */
static const int ELEMENT[6] = {0, 4, 8, 1, 2, 5};

/* Copies x[n], multiplied by a factor. */
static double *scaled(hk_arena *arena, const double *x, size_t n, double factor) {
  double *out = hk_arena_alloc(arena, (n + 1) * sizeof *out);
  for (size_t i = 0; out && i < n; i++) out[i] = factor * x[i];
  return out;
}

static bool scale_inertia(const hk_flexible_body *b, hk_flexible *f, hk_arena *arena) {
  const hk_flexible_data *d = b->data;
  size_t m = (size_t)d->m, mm = m * m;
  double *J1 = hk_arena_alloc(arena, 6 * m * sizeof *J1);
  double *J2 = hk_arena_alloc(arena, 6 * mm * sizeof *J2);
  double *c = hk_arena_alloc(arena, 3 * mm * sizeof *c);
  if (!J1 || !J2 || !c) return false;
  bool stiffening = b->stiffening && d->K;
  for (int e = 0; e < 6; e++) {
    const int at = ELEMENT[e];
    f->J0[e] = d->J0.m[at / 3][at % 3];
    for (size_t k = 0; k < m; k++)
      J1[(size_t)e * m + k] = sqrt(d->mass) * d->J1[9 * k + (size_t)at];
    for (size_t k = 0; k < mm; k++)
      J2[(size_t)e * mm + k] =
          d->mass * (d->J2[9 * k + (size_t)at] - (stiffening ? d->K[9 * k + (size_t)at] : 0));
  }
  for (size_t a = 0; a < 3; a++)
    for (size_t k = 0; k < mm; k++) c[a * mm + k] = d->mass * d->c[3 * k + a];
  f->J1 = J1, f->J2 = J2, f->c = c;
  return true;
}

static bool scale_ports(const hk_flexible_body *b, hk_flexible *f, hk_arena *arena) {
  const hk_flexible_data *d = b->data;
  size_t m = (size_t)d->m;
  hk_flexible_port *port = hk_arena_alloc(arena, ((size_t)d->n_interfaces + 1) * sizeof *port);
  if (!port) return false;
  for (int i = 0; i < d->n_interfaces; i++) {
    const hk_flexible_interface *k = &d->interface[i];
    bool stiffening = b->stiffening && k->G;
    port[i] = (hk_flexible_port){.s = k->s,
                                 .phi = scaled(arena, k->phi, 3 * m, sqrt(d->mass)),
                                 .psi = scaled(arena, k->psi, 3 * m, sqrt(d->mass)),
                                 .G = stiffening ? scaled(arena, k->G, 3 * m * m, d->mass) : NULL};
    if (!port[i].phi || !port[i].psi || (stiffening && !port[i].G)) return false;
  }
  f->port = port;
  f->ports = d->n_interfaces;
  return true;
}

/* Damping d_k = beta w2_k. A mode of the mounted body at the angular frequency w then has the damping ratio beta w/2.
 * Modes above the frequencies with held interfaces represent static deformation only. */
static bool scale_modes(const hk_flexible_body *b, hk_flexible *f, hk_arena *arena) {
  const hk_flexible_data *d = b->data;
  double *k = scaled(arena, d->w2, (size_t)d->m, d->mass);
  double beta = b->damping_ratio > 0 ? 2 * b->damping_ratio / (2 * M_PI * b->at_frequency) : 0;
  double *c = scaled(arena, d->w2, (size_t)d->m, d->mass * beta);
  if (!k || !c) return false;
  double highest = 0;
  for (int i = 0; i < d->n_fixed; i++) highest = fmax(highest, d->fixed_w2[i]);
  for (int i = 0; i < d->m; i++)
    if (d->w2[i] > highest)
      c[i] = fmax(c[i], 2 * b->statics_damping_ratio * sqrt(d->w2[i]) * d->mass);
  f->k = k, f->d = c;
  return true;
}

static const hk_node_coordinate RIGID[6] = {{"x", "force", false},  {"y", "force", false},
                                            {"z", "force", false},  {"rx", "moment", true},
                                            {"ry", "moment", true}, {"rz", "moment", true}};

static const hk_node_coordinate *name_coordinates(int m, hk_arena *arena) {
  hk_node_coordinate *c = hk_arena_alloc(arena, (6 + (size_t)m) * sizeof *c);
  if (!c) return NULL;
  memcpy(c, RIGID, sizeof RIGID);
  for (int k = 0; k < m; k++) {
    char *name = hk_arena_alloc(arena, 24);
    if (!name) return NULL;
    snprintf(name, 24, "mode[%d]", k + 1);
    c[6 + k] = (hk_node_coordinate){name, "force", false};
  }
  return c;
}

static int count(const hk_item *item) {
  const hk_flexible_body *b = item->data;
  return 6 + (b->data ? b->data->m : 0);
}

static hk_status prepare(hk_node *n, hk_arena *arena, const char **param, hk_error *err) {
  const hk_flexible_body *b = n->item->data;
  hk_flexible *f = hk_arena_alloc(arena, sizeof *f);
  n->coordinate = name_coordinates(b->data->m, arena);
  if (!f || !n->coordinate) return hk_fail(err, HK_ENOMEM, "out of memory");
  *f = (hk_flexible){.m = b->data->m, .mass = b->data->mass};
  if (!scale_inertia(b, f, arena) || !scale_ports(b, f, arena) || !scale_modes(b, f, arena))
    return hk_fail(err, HK_ENOMEM, "out of memory");
  n->data = f;
  n->n_own = hk_flexible_own_size(f->m, f->ports);
  return HK_OK;
}

static void start(hk_node *n, const hk_mass_properties *p, double *q, double *v) {
  hk_node_rigid.start(n, p, q, v);
  memset(q + 7, 0, (size_t)constants(n)->m * sizeof *q);
  memset(v + 6, 0, (size_t)constants(n)->m * sizeof *v);
}

static hk_mass_rank rank(const hk_node *n) { return hk_node_rigid.rank(n); }
static double gyration(const hk_node *n) { return hk_node_rigid.gyration(n); }
static double resistance(const hk_node *n, bool angular, double length) {
  return hk_node_rigid.resistance(n, angular, length);
}

static void diagonal(const hk_node *n, double *out) {
  hk_node_rigid.diagonal(n, out);
  for (int k = 6; k < n->nv; k++) out[k] = n->mass;
}

static int interfaces(const hk_node *n) { return constants(n)->ports; }
static hk_vec3 interface(const hk_node *n, int i) { return constants(n)->port[i].s; }
static bool observed(const hk_node *n, int i) {
  return HK_DATA(n->item, hk_flexible_body)->data->interface[i].observed;
}

/* ---- state ---- */

/* dJ_k = J1_k + 2 J2_kl a_l,  J = J0 + a_k (J1_k + dJ_k)/2,  C = a_k c_k. */
static void sum_modes(const hk_flexible *f, hk_flexible_own *o) {
  const int m = f->m;
  for (int e = 0; e < 6; e++) {
    double *dJ = o->dJ + e * m;
    const double *J1 = f->J1 + e * m;
    double sum = 0;
    weighted_rows(f->J2 + e * m * m, o->a, m, dJ);
    for (int k = 0; k < m; k++) {
      dJ[k] = J1[k] + 2 * dJ[k];
      sum += o->a[k] * (J1[k] + dJ[k]);
    }
    o->J[e] = f->J0[e] + 0.5 * sum;
  }
  for (int a = 0; a < 3; a++) weighted_rows(f->c + a * m * m, o->a, m, o->C + a * m);
}

static void place(const hk_node *n, double t, bool still, const double *q, const double *v,
                  hk_mat3 *R, double *own) {
  const hk_flexible *f = constants(n);
  const int m = f->m;
  hk_flexible_own o = hk_flexible_own_at(m, own);
  *R = hk_quat_matrix(hk_quat_at(q + 3));
  memcpy(o.w, v + 3, 3 * sizeof *v);
  memcpy(o.rate, v + 6, (size_t)m * sizeof *v);
  const int size = hk_flexible_port_size(m);
  for (int i = 0; i < f->ports; i++) o.port[(i + 1) * size - 1] = 0; /* G a' */
  if (*o.computed == 1 && memcmp(o.a, q + 7, (size_t)m * sizeof *q) == 0) return;
  memcpy(o.a, q + 7, (size_t)m * sizeof *q);
  sum_modes(f, &o);
  for (int i = 0; i < f->ports; i++) hk_flexible_port_place(&f->port[i], m, o.a, o.port + i * size);
  *o.computed = 1;
}

/* ---- inertia and elasticity ---- */

static void multiply(const hk_pose *p, const double *x, double *y) {
  const hk_flexible *f = constants(p->node);
  const hk_flexible_own o = own_of(p);
  const int m = f->m;
  const hk_vec3 w = hk_rigid_spin(x);
  for (int k = 0; k < 3; k++) y[k] = f->mass * x[k];
  hk_vec3 turn = hk_add(times(o.J, 1, w), rows_times(o.C, x + 6, m));
  y[3] = turn.x, y[4] = turn.y, y[5] = turn.z;
  for (int k = 0; k < m; k++) y[6 + k] = f->mass * x[6 + k] + hk_dot(column(o.C, m, k), w);
}

static double energy(const hk_pose *p, const double *v) {
  const hk_flexible *f = constants(p->node);
  const hk_flexible_own o = own_of(p);
  const hk_vec3 w = hk_rigid_spin(v);
  hk_vec3 turn = hk_axpy(rows_times(o.C, v + 6, f->m), 0.5, times(o.J, 1, w));
  return 0.5 * f->mass * (along(v, v, 3) + along(v + 6, v + 6, f->m)) + hk_dot(w, turn);
}

static void stored(const hk_pose *p, const double *v, double *potential, double *dissipated) {
  const hk_flexible *f = constants(p->node);
  const hk_flexible_own o = own_of(p);
  for (int k = 0; k < f->m; k++) {
    *potential += 0.5 * f->k[k] * o.a[k] * o.a[k];
    *dissipated += f->d[k] * v[6 + k] * v[6 + k];
  }
}

static void stiffness(const hk_node *n, double out[2]) {
  const hk_flexible *f = constants(n);
  out[0] = INFINITY, out[1] = 0;
  for (int k = 0; k < f->m; k++) {
    out[0] = fmin(out[0], f->k[k]);
    out[1] = fmax(out[1], f->k[k]);
  }
}

/* Computes Z[l] = a'_k (omega . c_kl), and the sum of a'_k dJ_k as six numbers. */
static void rates(const hk_flexible *f, const hk_flexible_own *o, const double *v, double *Z,
                  double *Jt) {
  const int m = f->m;
  double row[m];
  memset(Z, 0, (size_t)m * sizeof *Z);
  for (int a = 0; a < 3; a++) {
    weighted_rows(f->c + a * m * m, v + 6, m, row);
    for (int l = 0; l < m; l++) Z[l] += v[3 + a] * row[l];
  }
  for (int e = 0; e < 6; e++) Jt[e] = along(o->dJ + e * m, v + 6, m);
}

static void force(const hk_pose *p, const double *v, double *out) {
  const hk_flexible *f = constants(p->node);
  const hk_flexible_own o = own_of(p);
  const int m = f->m;
  const hk_vec3 w = hk_rigid_spin(v);
  double Z[m], Jt[6];
  rates(f, &o, v, Z, Jt);
  hk_vec3 spin = hk_add(times(o.J, 1, w), rows_times(o.C, v + 6, m));
  hk_vec3 turn = hk_sub(hk_cross(spin, w), times(Jt, 1, w));
  out[0] = out[1] = out[2] = 0;
  out[3] = turn.x, out[4] = turn.y, out[5] = turn.z;
  const double *d = o.dJ;
  for (int l = 0; l < m; l++) {
    double around =
        w.x * w.x * d[l] + w.y * w.y * d[m + l] + w.z * w.z * d[2 * m + l] +
        2 * (w.x * w.y * d[3 * m + l] + w.x * w.z * d[4 * m + l] + w.y * w.z * d[5 * m + l]);
    out[6 + l] = 0.5 * around - 2 * Z[l] - f->k[l] * o.a[l] - f->d[l] * v[6 + l];
  }
}

/* Row r of columns 3 to 5 of the inertia, with the tangent operator of the rotation in the step. */
static void add_turned(const hk_inertia_weights *c, hk_vec3 row, double *out) {
  if (c->D) {
    hk_vec3 phi = hk_rigid_spin(c->D);
    row = hk_tangent_inv(hk_tangent_coefficient(phi), hk_neg(phi), row);
  }
  out[0] += row.x, out[1] += row.y, out[2] += row.z;
}

/* Adds the rows and columns of the rotation. */
static void turn_tangent(const hk_flexible *f, const hk_flexible_own *o,
                         const hk_inertia_weights *c, const double *Jt, double *out, int stride) {
  const int m = f->m;
  const hk_vec3 w = hk_rigid_spin(c->v);
  const hk_vec3 l = hk_add(times(o->J, 1, w), rows_times(o->C, c->v + 6, m));
  for (int j = 0; j < 3; j++) {
    hk_vec3 e = hk_v3(j == 0, j == 1, j == 2);
    /* J is symmetric: row j of w~ J is -(J w~)^T, that is, J (e x w) */
    hk_vec3 row = hk_axpy(times(Jt, 1, e), 1, times(o->J, 1, hk_cross(e, w)));
    row = hk_add(row, hk_cross(l, e)); /* row j of -l~ */
    add_turned(c, hk_axpy(hk_scale(c->cC, row), c->cM, times(o->J, 1, e)), out + j * stride);
  }
}

/* Adds the blocks between rotation and modes, without cK; rate[3][m]: a'_k c_kl. */
static void couple_tangent(const hk_flexible *f, const hk_flexible_own *o,
                           const hk_inertia_weights *c, const double *rate, double *out,
                           int stride) {
  const int m = f->m;
  const hk_vec3 w = hk_rigid_spin(c->v);
  for (int l = 0; l < m; l++) {
    hk_vec3 C = column(o->C, m, l), dJw = times(o->dJ + l, m, w);
    hk_vec3 of_rate = hk_axpy(hk_scale(c->cC, hk_add(hk_cross(w, C), dJw)), c->cM, C);
    double *to = out + 3 + l;
    to[0] += of_rate.x, to[stride] += of_rate.y, to[2 * stride] += of_rate.z;
    hk_vec3 of_spin = hk_sub(hk_scale(2, hk_v3(rate[l], rate[m + l], rate[2 * m + l])), dJw);
    add_turned(c, hk_axpy(hk_scale(c->cC, of_spin), c->cM, C), out + (3 + l) * stride);
  }
}

/* Derivative of the rotational forces with respect to a: w x (dJ_l w + c_lk a'_k) + 2 a'_k
 * J2_kl w. */
static void turn_by_modes(const hk_flexible *f, const hk_flexible_own *o,
                          const hk_inertia_weights *c, const double *rate, double *out,
                          int stride) {
  const int m = f->m;
  const hk_vec3 w = hk_rigid_spin(c->v);
  double second[6 * m];
  for (int e = 0; e < 6; e++) weighted_rows(f->J2 + e * m * m, c->v + 6, m, second + e * m);
  for (int l = 0; l < m; l++) {
    hk_vec3 dJw = times(o->dJ + l, m, w), c_l = hk_v3(rate[l], rate[m + l], rate[2 * m + l]);
    hk_vec3 r = hk_add(hk_cross(w, hk_sub(dJw, c_l)), hk_scale(2, times(second + l, m, w)));
    double *to = out + 3 + l;
    to[0] += c->cK * r.x, to[stride] += c->cK * r.y, to[2 * stride] += c->cK * r.z;
  }
}

/* Adds the block of the modes: 2 c_kl.w, and -w.J2_kl w with the elastic stiffness. */
static void mode_tangent(const hk_flexible *f, const hk_inertia_weights *c, double *out,
                         int stride) {
  const int m = f->m, mm = m * m;
  const hk_vec3 w = hk_rigid_spin(c->v);
  const double *J = f->J2, g = -c->cK, gx = 2 * c->cC * w.x, gy = 2 * c->cC * w.y,
               gz = 2 * c->cC * w.z;
  const double xx = g * w.x * w.x, yy = g * w.y * w.y, zz = g * w.z * w.z, xy = 2 * g * w.x * w.y,
               xz = 2 * g * w.x * w.z, yz = 2 * g * w.y * w.z;
  for (int l = 0; l < m; l++) {
    double *restrict to = out + l * stride;
    const double *s = J + l * m, *a = f->c + l * m;
    for (int k = 0; k < m; k++) /* c_kl = -c_lk */
      to[k] += xx * s[k] + yy * s[mm + k] + zz * s[2 * mm + k] + xy * s[3 * mm + k] +
               xz * s[4 * mm + k] + yz * s[5 * mm + k] -
               (gx * a[k] + gy * a[mm + k] + gz * a[2 * mm + k]);
    to[l] += c->cM * f->mass + c->cC * f->d[l] + c->cK * f->k[l];
  }
}

static void tangent(const hk_pose *p, const hk_inertia_weights *c, double *out, int stride) {
  const hk_flexible *f = constants(p->node);
  const hk_flexible_own o = own_of(p);
  double Jt[6];
  for (int e = 0; e < 6; e++) Jt[e] = along(o.dJ + e * f->m, c->v + 6, f->m);
  for (int k = 0; k < 3; k++) out[k * stride + k] += c->cM * f->mass;
  double *turn = out + 3 * stride + 3;
  turn_tangent(f, &o, c, Jt, turn, stride);
  double rate[3 * f->m];
  for (int a = 0; a < 3; a++)
    weighted_rows(f->c + a * f->m * f->m, c->v + 6, f->m, rate + a * f->m);
  couple_tangent(f, &o, c, rate, turn, stride);
  if (c->cK != 0) turn_by_modes(f, &o, c, rate, turn, stride);
  mode_tangent(f, c, out + 6 * stride + 6, stride);
}

static void field(const hk_pose *p, const double *q, const hk_field *a, double *f,
                  double *potential) {
  hk_node_center_field(p->node->mass, hk_v3(q[0], q[1], q[2]), a, f, potential);
}

const hk_node_type hk_node_flexible = {
    .name = "flexible",
    .noun = "flexible body",
    .nv = 6,
    .count = count,
    .coordinate = RIGID,
    .moves = HK_MOVES_CUSTOM,
    .turn = 3,
    .translates = true,
    .records = HK_RECORDS_ALL,
    .prepare = prepare,
    .start = start,
    .rank = rank,
    .gyration = gyration,
    .diagonal = diagonal,
    .resistance = resistance,
    .interfaces = interfaces,
    .interface = interface,
    .observed = observed,
    .place = place,
    .frame = hk_flexible_frame,
    .map = hk_flexible_map,
    .geometric = hk_flexible_geometric,
    .turning = hk_flexible_turning,
    .bias = hk_flexible_bias,
    .multiply = multiply,
    .energy = energy,
    .force = force,
    .tangent = tangent,
    .stored = stored,
    .deformation = hk_flexible_deformation,
    .stiffness = stiffness,
    .field = field,
};
