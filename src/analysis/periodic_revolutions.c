/* Angles are compared modulo a revolution. A motion in which they grow repeats only if no force depends on the number of
 * revolutions: a torsion spring that winds up on a turning shaft is no steady state, however weak it is.
 *
 * The angles are the coordinates of rotors and the joint coordinates that count revolutions. Whole revolutions are
 * subtracted from all of them at once, because shafts that are coupled turn together: n_i revolutions from the angle i.
 * Two choices of n_i are tried: the nearest whole numbers, and the whole numbers in the ratio of the speeds (gears). If
 * the accelerations differ from the original ones in both cases, forces depend on the number of revolutions. */
#include "analysis/periodic_search.h"
#include <stdio.h>
#include <stdlib.h>

typedef struct revolving {
  int n;
  int *at;        /* [n] offset of the angle in the state */
  int *v;         /* [n] coordinate of a rotor; -1: joint coordinate */
  double *change; /* [n] in the period [rad] */
  double *whole;  /* [n] revolutions */
  double most;    /* largest |change| */
} revolving;

static void add(revolving *r, const hk_search *q, int at, int v) {
  double change = q->end[at] - q->x[at];
  r->at[r->n] = at;
  r->v[r->n] = v;
  r->change[r->n] = change;
  if (fabs(change) > r->most) r->most = fabs(change);
  r->n++;
}

static bool make_list(revolving *r, const hk_search *q) {
  const hk_model *m = q->m;
  size_t room = (size_t)m->nv + (size_t)m->n_turns + 1;
  *r = (revolving){.at = calloc(2 * room, sizeof(int)), .change = calloc(2 * room, sizeof(double))};
  if (!r->at || !r->change) return false;
  r->v = r->at + room;
  r->whole = r->change + room;
  for (int i = 0; i < m->n_nodes; i++)
    for (int k = 0; k < m->node[i].nv; k++) {
      const hk_node *node = &m->node[i];
      if (node->turn < 0 && node->coordinate[k].angular)
        add(r, q, m->at.q + node->q + k, node->v + k);
    }
  for (int i = 0; i < m->n_turns; i++) add(r, q, m->at.turn + i, -1);
  return true;
}

static void free_list(revolving *r) {
  free(r->at);
  free(r->change);
}

static void take_nearest(revolving *r) {
  for (int i = 0; i < r->n; i++) r->whole[i] = rint(r->change[i] / (2 * M_PI));
}

/* Finds small whole numbers in the ratio of the changes. */
static void take_ratio(revolving *r) {
  static const int MOST = 200;
  static const double NEAR = 0.01;
  double best = INFINITY;
  int revolutions = 1;
  for (int n = 1; n <= MOST && best > NEAR; n++) {
    double off = 0;
    for (int i = 0; i < r->n; i++) {
      double share = r->change[i] / r->most * n;
      if (fabs(r->change[i]) > M_PI) off = fmax(off, fabs(share - rint(share)));
    }
    if (off < best) best = off, revolutions = n;
  }
  for (int i = 0; i < r->n; i++)
    r->whole[i] = fabs(r->change[i]) > M_PI ? rint(r->change[i] / r->most * revolutions) : 0;
}

/* Largest change of an acceleration when the revolutions are subtracted, relative to the accelerations of the motion. */
static hk_status influence(hk_search *q, const revolving *r, double *x, double *vd, double *out,
                           hk_error *err) {
  const hk_model *m = q->m;
  hk_sim *s = q->s;
  double *turned = vd + m->nv, *d = turned + m->nv, most = 0, all = 2 * M_PI / q->p.T;
  memcpy(x, q->end, hk_search_bytes(q));
  hk_zero(d, m->nv);
  for (int i = 0; i < r->n; i++) {
    if (r->v[i] >= 0)
      d[r->v[i]] = -2 * M_PI * r->whole[i];
    else
      x[r->at[i]] -= 2 * M_PI * r->whole[i];
  }
  hk_configuration_add(m, x + m->at.q, d, x + m->at.q);
  for (int side = 0; side < 2; side++) {
    const double *at = side ? x : q->end;
    double *to = side ? turned : vd;
    hk_copy(to, at + m->at.vd, m->nv);
    hk_copy(s->full, at + m->at.lambda, m->nc);
    hk_status status = hk_sim_accelerations(s, at, to, s->full, err);
    if (status) return status;
  }
  for (int j = 0; j < m->nv; j++) {
    double scale = fmax(q->p.scale[m->nv + j], 1e-300);
    most = fmax(most, fabs(turned[j] - vd[j]) / scale);
    all = fmax(all, fabs(vd[j]) / scale);
  }
  *out = most / all;
  return HK_OK;
}

/* If accelerations differ by more than this fraction, they depend on the number of revolutions. */
static const double INFLUENCE = 1e-9;

hk_status hk_search_revolutions(hk_search *q, char *text, size_t size, bool *wound, hk_error *err) {
  static void (*const choice[])(revolving *) = {take_nearest, take_ratio};
  const hk_model *m = q->m;
  revolving r;
  double *x = malloc(hk_search_bytes(q) + 3 * ((size_t)m->nv + 1) * sizeof *x);
  *wound = false;
  hk_status status = HK_OK;
  if (!make_list(&r, q) || !x) status = hk_fail(err, HK_ENOMEM, "out of memory");
  bool differs = r.most > M_PI;
  for (int k = 0; k < 2 && !status && differs; k++) {
    double most = 0;
    choice[k](&r);
    status = influence(q, &r, x, x + q->s->state_size, &most, err);
    differs = most > INFLUENCE;
  }
  *wound = !status && differs;
  if (*wound)
    snprintf(text, size,
             "shafts turn by %.4g revolutions in this time, and forces depend on the number of "
             "revolutions: while they turn, the motion does not repeat",
             r.most / (2 * M_PI));
  free(x);
  free_list(&r);
  return status;
}
