/* Symmetries in periodic motion: see symmetry.h. */
#include "analysis/symmetry.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

hk_status hk_symmetry_create(hk_symmetry *y, const hk_model *m, hk_error *err) {
  *y = (hk_symmetry){.m = m};
  y->node = calloc((size_t)m->n_nodes + 1, sizeof *y->node);
  y->view = calloc((size_t)m->n_nodes + 1, sizeof *y->view);
  y->q = calloc((size_t)(m->nq + m->nv) + 1, sizeof *y->q);
  if (!y->node || !y->view || !y->q) return hk_fail(err, HK_ENOMEM, "out of memory");
  y->v = y->q + m->nq;
  for (int i = 0; i < m->n_nodes; i++) y->node[i].free = HK_NO_AXIS;
  hk_symmetry_forget(y);
  return HK_OK;
}

void hk_symmetry_free(hk_symmetry *y) {
  free(y->node);
  free(y->view);
  free(y->q);
  *y = (hk_symmetry){0};
}

void hk_symmetry_forget(hk_symmetry *y) {
  y->parts = 0;
  for (int i = 0; i < y->m->n_nodes; i++)
    y->node[i] = (hk_alike){.next = i, .axis = y->node[i].axis, .free = y->node[i].free};
}

/* ---- views ---- */

static hk_vec3 axis_of(int axis) { return hk_v3(axis == 0, axis == 1, axis == 2); }
static double along(const hk_vec3 *v, int axis) {
  return axis == 0 ? v->x : axis == 1 ? v->y : v->z;
}
static hk_vec3 vector(const double *d) { return hk_v3(d[0], d[1], d[2]); }
static void put(double *d, hk_vec3 v) { d[0] = v.x, d[1] = v.y, d[2] = v.z; }
static hk_quat quat(const double *q) { return (hk_quat){q[0], q[1], q[2], q[3]}; }

/* Returns the twist of a rotation: the part of this rotation that is about the given axis. */
static double twist(hk_quat r, int axis) {
  const hk_vec3 imaginary = hk_v3(r.x, r.y, r.z);
  return 2 * atan2(along(&imaginary, axis), r.w);
}

/* Computes the rotation from the body axes of the source node to those of the view. */
static hk_quat turned_back(const hk_alike *a, int count, hk_quat now, hk_quat ref) {
  hk_quat away = hk_quat_mul(hk_quat_conj(ref), now);
  if (a->free == HK_ANY_AXIS) return away;
  if (a->free != HK_NO_AXIS) return hk_quat_exp(hk_scale(twist(away, a->free), axis_of(a->free)));
  return hk_quat_exp(hk_scale(remainder(count * a->angle, 2 * M_PI), axis_of(a->axis)));
}

static void view_rigid(hk_symmetry *y, int i, const double *x, const double *ref, int count) {
  const hk_model *m = y->m;
  const hk_node *to = &m->node[i], *from = &m->node[y->view[i].source];
  const double *q = x + m->at.q + from->q, *v = x + m->at.v + from->v;
  hk_quat now = quat(q + 3),
          back = turned_back(&y->node[i], count, now, quat(ref + m->at.q + to->q + 3));
  y->view[i].Q = hk_quat_matrix(back);
  hk_quat turned = hk_quat_mul(now, hk_quat_conj(back));
  memcpy(y->q + to->q, q, 3 * sizeof *q);
  y->q[to->q + 3] = turned.w;
  put(y->q + to->q + 4, hk_v3(turned.x, turned.y, turned.z));
  memcpy(y->v + to->v, v, 3 * sizeof *v);
  put(y->v + to->v + 3, hk_mul(&y->view[i].Q, vector(v + 3)));
}

/* Returns the node of the state that is at the position that node i has in the reference state. */
static int find_source(const hk_symmetry *y, int i, int count) {
  int at = i;
  if (count > 0) { /* applies the inverse of `next` `count` times */
    int length = 1;
    for (int k = y->node[i].next; k != i; k = y->node[k].next) length++;
    count = (length - count % length) % length;
  }
  for (int k = 0; k < abs(count); k++) at = y->node[at].next;
  return at;
}

void hk_symmetry_view(hk_symmetry *y, const double *x, const double *ref, int count) {
  const hk_model *m = y->m;
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    y->view[i].source = find_source(y, i, count);
    const hk_node *from = &m->node[y->view[i].source];
    if (n->moves == HK_MOVES_RIGID) {
      view_rigid(y, i, x, ref, count);
      continue;
    }
    memcpy(y->q + n->q, x + m->at.q + from->q, (size_t)n->nq * sizeof *x);
    memcpy(y->v + n->v, x + m->at.v + from->v, (size_t)n->nv * sizeof *x);
    if (n->moves == HK_MOVES_AXIS) y->q[n->q] -= count * y->node[i].angle;
  }
}

/* Returns the part of a rotation that a view omits. */
static hk_vec3 omitted(const hk_alike *a, hk_vec3 d) {
  if (a->free == HK_ANY_AXIS) return d;
  return a->free == HK_NO_AXIS ? hk_v3(0, 0, 0) : hk_scale(along(&d, a->free), axis_of(a->free));
}

void hk_symmetry_forward(const hk_symmetry *y, const double *d, const double *w, double *d_view,
                         double *w_view) {
  const hk_model *m = y->m;
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i], *from = &m->node[y->view[i].source];
    memcpy(d_view + n->v, d + from->v, (size_t)n->nv * sizeof *d);
    memcpy(w_view + n->v, w + from->v, (size_t)n->nv * sizeof *w);
    if (n->moves != HK_MOVES_RIGID) continue;
    /* Velocities are in the axes of the view, so they rotate with the omitted rotation Q. */
    const hk_mat3 *Q = &y->view[i].Q;
    hk_vec3 turn = vector(d + from->v + 3), lost = omitted(&y->node[i], turn);
    hk_vec3 rate = hk_tmul(Q, vector(y->v + n->v + 3));
    put(d_view + n->v + 3, hk_mul(Q, hk_sub(turn, lost)));
    put(w_view + n->v + 3, hk_mul(Q, hk_add(vector(w + from->v + 3), hk_cross(lost, rate))));
  }
}

void hk_symmetry_back(const hk_symmetry *y, const double *d_view, const double *w_view, double *d,
                      double *w) {
  const hk_model *m = y->m;
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i], *from = &m->node[y->view[i].source];
    memcpy(d + from->v, d_view + n->v, (size_t)n->nv * sizeof *d);
    memcpy(w + from->v, w_view + n->v, (size_t)n->nv * sizeof *w);
    if (n->moves != HK_MOVES_RIGID) continue;
    const hk_mat3 *Q = &y->view[i].Q;
    hk_vec3 turn = vector(d_view + n->v + 3);
    put(d + from->v + 3, hk_tmul(Q, hk_sub(turn, omitted(&y->node[i], turn))));
    put(w + from->v + 3, hk_tmul(Q, vector(w_view + n->v + 3)));
  }
}

/* ---- accelerations ---- */

/* Computes the accelerations at the state x, as if its velocities had lasted for an infinite time, so that the
 * internal variables of elements have no influence. *open: constraint violation of the joints. */
static hk_status accelerate(hk_sim *s, double *x, double *vd, double *lambda, double *open) {
  const hk_model *m = s->model;
  double h = x[m->at.h];
  x[m->at.h] = INFINITY;
  memcpy(vd, x + m->at.vd, (size_t)m->nv * sizeof *vd);
  memcpy(lambda, x + m->at.lambda, (size_t)m->nc * sizeof *vd);
  hk_status status = hk_sim_accelerations(s, x, vd, lambda, NULL);
  x[m->at.h] = h;
  *open = hk_max_abs(s->work->g, m->nc, NULL) / fmax(m->length, 1e-300);
  s->out.have_frames = s->out.have_loads = s->out.have_variables = false;
  return status;
}

/* Difference of two accelerations, relative to the largest acceleration of the same kind (translation or rotation). */
static double difference(const hk_model *m, const double *a, const double *b) {
  double most[2] = {0}, size[2] = {0};
  for (int i = 0; i < m->n_nodes; i++)
    for (int k = 0; k < m->node[i].nv; k++) {
      int j = m->node[i].v + k, kind = m->node[i].coordinate[k].angular;
      most[kind] = fmax(most[kind], fabs(a[j] - b[j]));
      size[kind] = fmax(size[kind], fabs(a[j]));
    }
  double arm = fmax(m->length, 1e-300), all = fmax(size[0], arm * size[1]);
  return all > 0 ? fmax(most[0], arm * most[1]) / all : 0;
}

typedef struct trial {
  double *x, *vd, *other, *lambda;
} trial;

static bool open_trial(const hk_sim *s, trial *t) {
  const hk_model *m = s->model;
  t->x = calloc((size_t)(s->state_size + 2 * m->nv + m->nc) + 1, sizeof *t->x);
  if (!t->x) return false;
  t->vd = t->x + s->state_size;
  t->other = t->vd + m->nv;
  t->lambda = t->other + m->nv;
  return true;
}

/* ---- orientations without effect ---- */

static const double NO_EFFECT = 1e-8, JOINT_OPENS = 1e-8, MOVES = 1e-7;

/* Computes the change of the accelerations if node i is rotated by `turn` in body axes. The velocities in world axes
 * do not change. */
static double effect(hk_sim *s, const double *x, int i, hk_vec3 turn, trial *t) {
  const hk_model *m = s->model;
  const hk_node *n = &m->node[i];
  double open, before;
  memcpy(t->x, x, (size_t)s->state_size * sizeof *x);
  if (accelerate(s, t->x, t->vd, t->lambda, &before)) return INFINITY;
  hk_quat by = hk_quat_exp(turn), now = hk_quat_mul(quat(x + m->at.q + n->q + 3), by);
  hk_mat3 Q = hk_quat_matrix(by);
  double *q = t->x + m->at.q + n->q + 3, *w = t->x + m->at.v + n->v + 3, *wd = t->vd + n->v + 3;
  q[0] = now.w;
  put(q + 1, hk_v3(now.x, now.y, now.z));
  put(w, hk_tmul(&Q, vector(w)));
  put(wd, hk_tmul(&Q, vector(wd)));
  if (accelerate(s, t->x, t->other, t->lambda, &open) || open > before + JOINT_OPENS)
    return INFINITY;
  return difference(m, t->vd, t->other);
}

hk_status hk_symmetry_find_free(hk_symmetry *y, hk_sim *s, const double *x, const double *moved) {
  trial t;
  if (!open_trial(s, &t)) return HK_ENOMEM;
  for (int i = 0; i < y->m->n_nodes; i++) {
    const hk_node *n = &y->m->node[i];
    if (n->moves != HK_MOVES_RIGID) continue;
    y->node[i].free = HK_NO_AXIS;
    if (!(hk_norm(vector(moved + n->v + 3)) > MOVES)) continue;
    if (effect(s, x, i, hk_v3(0.71, -0.43, 1.13), &t) < NO_EFFECT)
      y->node[i].free = HK_ANY_AXIS;
    else
      for (int axis = 2; axis >= 0 && y->node[i].free == HK_NO_AXIS; axis--)
        if (effect(s, x, i, hk_scale(0.3713, axis_of(axis)), &t) < NO_EFFECT &&
            effect(s, x, i, hk_scale(-1.217, axis_of(axis)), &t) < NO_EFFECT)
          y->node[i].free = axis;
  }
  free(t.x);
  return HK_OK;
}

/* ---- the declared symmetry ---- */

enum { MOST_ITEMS = 64 };

typedef struct declared {
  const hk_item *item;
  int end[2], fold[2];
  long pitches; /* rotation within the period of the caller */
} declared;

static int marker_node(const hk_model *m, int marker) {
  return marker >= 0 ? m->marker[marker].node : HK_GROUND;
}

/* Finds the body axis that is parallel to the z axis of a marker and passes through the centre
 * of its node, and the sign of its direction. */
static bool own_axis(const hk_model *m, int marker, int *axis, double *sign) {
  int node = marker_node(m, marker);
  if (node < 0) return false;
  const hk_marker *k = &m->marker[marker];
  const hk_node *n = &m->node[node];
  hk_vec3 z = hk_column(&k->R, 2);
  if (n->moves == HK_MOVES_AXIS) {
    *axis = 0;
    *sign = z.z > 0 ? 1 : -1;
    return fabs(z.z) > 1 - 1e-12;
  }
  for (*axis = 0; n->moves == HK_MOVES_RIGID && *axis < 3; ++*axis)
    if (fabs(along(&z, *axis)) > 1 - 1e-12) {
      *sign = along(&z, *axis) > 0 ? 1 : -1;
      return hk_norm(hk_cross(k->s, z)) < 1e-9 * fmax(m->length, 1e-300);
    }
  return false;
}

static double mean_rate(const hk_model *m, const double *mean, int node, int axis) {
  return mean[m->node[node].v + (m->node[node].moves == HK_MOVES_RIGID ? 3 : 0) + axis];
}

static void declare(const hk_model *m, const hk_item *item, int a, int b, const double *mean,
                    double T, declared *list, int *n) {
  hk_stage stage = {.turn = {1, 0, 0, 0}};
  if (!item->type->stage || *n == MOST_ITEMS) return;
  item->type->stage(item, &stage);
  if (stage.fold < 2) return;
  declared *d = &list[*n];
  *d = (declared){
      .item = item, .end = {a, b}, .fold = {stage.fold, stage.fold_b ? stage.fold_b : stage.fold}};
  for (int side = 0; side < 2; side++) {
    int axis;
    double sign;
    if (!own_axis(m, d->end[side], &axis, &sign)) continue;
    double pitches = sign * mean_rate(m, mean, marker_node(m, d->end[side]), axis) * T *
                     d->fold[side] / (2 * M_PI);
    if (fabs(pitches - round(pitches)) > 0.2 || fabs(pitches) < 0.5) return;
    d->pitches = lround(pitches);
    ++*n;
    return;
  }
}

static long common(long a, long b) {
  while (b) {
    long r = a % b;
    a = b, b = r;
  }
  return labs(a);
}

static void turn_ends(hk_symmetry *y, const declared *d, long parts) {
  for (int side = 0; side < 2; side++) {
    int axis;
    double sign;
    if (!own_axis(y->m, d->end[side], &axis, &sign)) continue;
    hk_alike *a = &y->node[marker_node(y->m, d->end[side])];
    a->axis = axis;
    a->angle = sign * 2 * M_PI * (double)(d->pitches / parts) / d->fold[side];
  }
}

/* The length of "owner.ball" in "owner.ball[3]", and the number. */
static int numbered(const char *name, int *number) {
  const char *open = strrchr(name, '[');
  char *end;
  if (!open) return 0;
  *number = (int)strtol(open + 1, &end, 10);
  return *end == ']' && end > open + 1 ? (int)(open - name) : 0;
}

/* A joint may have several bodies with the same name and a number, such as ball[0], ball[1], ... The symmetry moves
 * each of them to the position of another body with this name. */
static void number_parts(hk_symmetry *y, const declared *d, long parts, int way) {
  const hk_model *m = y->m;
  for (int i = 0; i < m->n_nodes; i++) {
    int at, number, count = 0, other;
    const char *name = m->node[i].name;
    if (!m->node[i].item || m->node[i].item->made_by != d->item || !(at = numbered(name, &number)))
      continue;
    for (int k = 0; k < m->n_nodes; k++)
      count += numbered(m->node[k].name, &other) == at &&
               strncmp(m->node[k].name, name, (size_t)at) == 0;
    if (count % d->fold[0]) continue;
    long shift = way * (d->pitches / parts) * (count / d->fold[0]);
    int goal = (int)(((number + shift) % count + count) % count);
    for (int k = 0; k < m->n_nodes; k++)
      if (numbered(m->node[k].name, &other) == at && other == goal &&
          strncmp(m->node[k].name, name, (size_t)at) == 0)
        y->node[i].next = k;
  }
}

/* The other bodies that rotate do so together with one of the declared bodies. */
static void turn_others(hk_symmetry *y, const bool *fixed, const double *mean, double T) {
  const hk_model *m = y->m;
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    hk_alike *a = &y->node[i];
    bool rigid = n->moves == HK_MOVES_RIGID;
    if (fixed[i] || a->free != HK_NO_AXIS || a->next != i || (!rigid && n->moves != HK_MOVES_AXIS))
      continue;
    a->axis = 0;
    for (int k = 1; k < 3 && rigid; k++)
      if (fabs(mean_rate(m, mean, i, k)) > fabs(mean_rate(m, mean, i, a->axis))) a->axis = k;
    double turned = mean_rate(m, mean, i, a->axis) * T / y->parts, best = fabs(turned);
    for (int k = 0; k < m->n_nodes; k++)
      for (int sign = -1; sign <= 1 && fixed[k]; sign += 2)
        if (fabs(sign * y->node[k].angle - turned) < best) {
          best = fabs(sign * y->node[k].angle - turned);
          a->angle = sign * y->node[k].angle;
        }
  }
}

/* Lists the items whose types declare a symmetry. For each item, also computes the number of
 * its pitches (equal parts of a revolution) within the period. */
static int list_declared(const hk_model *m, const double *mean, double T, declared *list) {
  int n = 0;
  for (int i = 0; i < m->n_composites; i++) {
    const hk_composite *k = &m->composite[i];
    for (int j = 0; j < m->spec->n[HK_JOINT]; j++) {
      const hk_item *item = m->spec->item[HK_JOINT][j];
      if (strcmp(item->name, k->name) == 0)
        declare(m, item, k->end[0], k->end[1], mean, T, list, &n);
    }
  }
  for (int i = 0; i < m->n_forces; i++)
    declare(m, m->force[i].item, m->force[i].a, m->force[i].b, mean, T, list, &n);
  return n;
}

void hk_symmetry_guess(hk_symmetry *y, hk_sim *s, const double *x, const double *mean, double T) {
  const hk_model *m = y->m;
  declared list[MOST_ITEMS];
  hk_symmetry_forget(y);
  int n = list_declared(m, mean, T, list);
  long parts = 0;
  for (int i = 0; i < n; i++) parts = common(parts, list[i].pitches);
  bool *fixed = calloc((size_t)m->n_nodes + 1, sizeof *fixed);
  if (parts && fixed) {
    y->parts = (int)parts;
    snprintf(y->name, sizeof y->name, "%s", list[0].item->name);
    for (int i = 0; i < n; i++) {
      turn_ends(y, &list[i], parts);
      number_parts(y, &list[i], parts, 1);
      for (int side = 0; side < 2; side++)
        if (marker_node(m, list[i].end[side]) >= 0) fixed[marker_node(m, list[i].end[side])] = true;
    }
    turn_others(y, fixed, mean, T);
  }
  free(fixed);
}

/* Returns the sum of the distances of all bodies from the positions that the symmetry predicts,
 * relative to the length of the model. */
static double distance(hk_symmetry *y, const double *x, const double *later) {
  const hk_model *m = y->m;
  double sum = 0;
  hk_symmetry_view(y, later, x, 1);
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    if (n->moves != HK_MOVES_RIGID && n->moves != HK_MOVES_TRANSLATION) continue;
    hk_vec3 d = hk_sub(vector(y->q + n->q), vector(x + m->at.q + n->q));
    sum += hk_dot(d, d);
  }
  return sum;
}

/* Reverses all numbering. */
static void reverse(hk_symmetry *y) {
  int n = y->m->n_nodes;
  int *back = malloc((size_t)(n + 1) * sizeof *back);
  if (!back) return;
  for (int i = 0; i < n; i++) back[y->node[i].next] = i;
  for (int i = 0; i < n; i++) y->node[i].next = back[i];
  free(back);
}

static const double EQUAL = 1e-5;

hk_status hk_symmetry_check(hk_symmetry *y, hk_sim *s, const double *x, const double *later) {
  const hk_model *m = y->m;
  trial t;
  double open;
  if (!y->parts) return HK_OK;
  if (!open_trial(s, &t)) return HK_ENOMEM;
  double forward = distance(y, x, later);
  reverse(y);
  if (!(distance(y, x, later) < forward)) reverse(y);
  hk_symmetry_view(y, later, x, 1);
  /* Computes the accelerations that the view of the later state should have. */
  memcpy(t.x, later, (size_t)s->state_size * sizeof *x);
  hk_status status = accelerate(s, t.x, t.other, t.lambda, &open);
  double *still = calloc(2 * (size_t)m->nv + 1, sizeof *still);
  if (!still) status = HK_ENOMEM;
  if (!status) hk_symmetry_forward(y, still, t.other, still + m->nv, t.vd);
  /* Computes the view with the time and the counted revolutions of x. */
  memcpy(t.x, x, (size_t)s->state_size * sizeof *x);
  memcpy(t.x + m->at.q, y->q, (size_t)m->nq * sizeof *x);
  memcpy(t.x + m->at.v, y->v, (size_t)m->nv * sizeof *x);
  if (!status) status = accelerate(s, t.x, t.other, t.lambda, &open);
  double unequal = status ? INFINITY : difference(m, t.vd, t.other);
  free(still);
  free(t.x);
  if (!(unequal < EQUAL)) {
    hk_symmetry_forget(y);
    y->unequal = unequal;
  }
  return status == HK_ENOMEM ? status : HK_OK;
}
