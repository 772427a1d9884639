/* Speeds and torques of a gearbox: ratios from the teeth, torques of the meshes from the balance of power. */
#include "rexs/gearbox.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* One connection whose speeds have a fixed ratio: a mesh or a coupling. */
typedef struct edge {
  int from, to;             /* shafts */
  double ratio;             /* speed of `to` divided by the speed of `from` */
  const hk_rexs_mesh *mesh; /* NULL: a coupling */
} edge;

static int list_edges(const hk_rexs_gearbox *b, edge *out) {
  int n = 0;
  for (int i = 0; i < b->n_meshes; i++) {
    const hk_rexs_mesh *m = &b->mesh[i];
    const hk_rexs_gear *p = &b->gear[m->a], *q = &b->gear[m->b];
    if (p->shaft < 0 || q->shaft < 0) continue;
    out[n++] = (edge){p->shaft, q->shaft, (q->ring ? 1 : -1) * p->teeth / q->teeth, m};
  }
  for (int i = 0; i < b->n_supports; i++) {
    const hk_rexs_support *p = &b->support[i];
    if (p->coupling && p->outer >= 0) out[n++] = (edge){p->outer, p->inner, 1, NULL};
  }
  return n;
}

/* ---- speeds ---- */

static void name_ratio(const hk_rexs_gearbox *b, const edge *e, bool forward) {
  const hk_rexs_shaft *known = &b->shaft[forward ? e->from : e->to];
  hk_rexs_shaft *next = (hk_rexs_shaft *)(uintptr_t)&b->shaft[forward ? e->to : e->from];
  if (!e->mesh) {
    snprintf(next->law, sizeof next->law, "ratio_%d", known->c->id);
    return;
  }
  const hk_rexs_gear *p = &b->gear[e->mesh->a], *q = &b->gear[e->mesh->b];
  snprintf(next->law, sizeof next->law, "%sratio_%d*%d/%d", q->ring ? "" : "-", known->c->id,
           (int)(forward ? p->teeth : q->teeth), (int)(forward ? q->teeth : p->teeth));
}

static void find_ratios(hk_rexs_gearbox *b, const edge *e, int n) {
  int groups = 0;
  for (int i = 0; i < b->n_shafts; i++) b->shaft[i].group = -1;
  /* The search starts at the shafts with a given speed, so that each of them is the first of its group. */
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < b->n_shafts; i++) {
      hk_rexs_shaft *root = &b->shaft[i];
      if (root->group >= 0 || (pass == 0 && !root->defined)) continue;
      root->group = groups++;
      root->ratio = 1;
      root->root = i;
      snprintf(root->law, sizeof root->law, "1");
      for (bool more = true; more;) {
        more = false;
        for (int k = 0; k < n; k++) {
          hk_rexs_shaft *from = &b->shaft[e[k].from], *to = &b->shaft[e[k].to];
          if ((from->group == root->group) == (to->group == root->group)) continue;
          const bool forward = from->group == root->group;
          hk_rexs_shaft *next = forward ? to : from;
          next->group = root->group;
          next->root = i;
          next->ratio = forward ? from->ratio * e[k].ratio : to->ratio / e[k].ratio;
          name_ratio(b, &e[k], forward);
          more = true;
        }
      }
    }
  for (int k = 0; k < n; k++) {
    const hk_rexs_shaft *from = &b->shaft[e[k].from], *to = &b->shaft[e[k].to];
    if (fabs(from->ratio * e[k].ratio - to->ratio) > 1e-9 * fabs(to->ratio))
      hk_rexs_fail(&b->s, e[k].mesh ? e[k].mesh->c : NULL,
                   "the gears give two different speeds of shaft %d, so that the gearbox is locked",
                   to->c->id);
  }
  for (int i = 0; i < b->n_shafts; i++) {
    hk_rexs_shaft *shaft = &b->shaft[i];
    const hk_rexs_shaft *root = &b->shaft[shaft->root];
    const double speed = root->defined ? root->speed * shaft->ratio : 0;
    if (shaft->defined && fabs(shaft->speed - speed) > 1e-4 * fabs(speed))
      hk_rexs_note(&b->s, shaft->c,
                   "rotational_speed %.7g 1/min contradicts the gears, which give %.7g 1/min",
                   shaft->speed * 30 / M_PI, speed * 30 / M_PI);
    if (!root->defined)
      hk_rexs_note(
          &b->s, shaft->c,
          "neither its speed nor that of a shaft that drives it is given: its speed is zero");
    shaft->speed = speed;
  }
}

/* ---- torques ---- */

/* Returns the sum of torque times speed ratio over the loads on the shafts with mark[]. Torques
 * are about the z axis of hooke. */
static double power(const hk_rexs_gearbox *b, const bool *mark) {
  double sum = 0;
  for (int i = 0; i < b->n_loads; i++) {
    const hk_rexs_shaft *on = &b->shaft[b->load[i].shaft];
    if (mark[b->load[i].shaft]) sum += b->load[i].torque[2] * on->ratio;
  }
  return sum;
}

/* Computes the torque of the load that has no value in the file: it balances the other loads. */
static void balance(hk_rexs_gearbox *b) {
  bool mark[HK_REXS_MAX_PARTS] = {false};
  for (int root = 0; root < b->n_shafts; root++) {
    if (b->shaft[root].root != root) continue;
    hk_rexs_load *rest = NULL;
    for (int i = 0; i < b->n_loads; i++) {
      hk_rexs_load *l = &b->load[i];
      if (b->shaft[l->shaft].root != root || !l->balances) continue;
      l->torque[2] = 0;
      if (rest) {
        hk_rexs_note(
            &b->s, l->c,
            "load %d balances the torques of the other loads; the torque of this load is zero",
            rest->c->id);
        l->balances = false;
      } else {
        rest = l;
      }
    }
    for (int i = 0; i < b->n_shafts; i++) mark[i] = b->shaft[i].root == root;
    const double sum = power(b, mark);
    if (rest)
      rest->torque[2] = -sum / b->shaft[rest->shaft].ratio;
    else if (fabs(sum) > 1e-6)
      hk_rexs_note(&b->s, b->shaft[root].c,
                   "the torques of its loads and of the loads on shafts that it drives are not "
                   "balanced: their sum is %.6g N m",
                   sum);
  }
}

/* Returns the torque on gear `a` of a mesh. This is possible only if the shafts separate into two groups when the mesh
 * is removed. */
static void find_torque(hk_rexs_gearbox *b, const edge *e, int n, int cut) {
  bool mark[HK_REXS_MAX_PARTS] = {false};
  hk_rexs_mesh *m = (hk_rexs_mesh *)(uintptr_t)e[cut].mesh;
  mark[e[cut].from] = true;
  for (bool more = true; more;) {
    more = false;
    for (int k = 0; k < n; k++) {
      if (k == cut || mark[e[k].from] == mark[e[k].to]) continue;
      mark[e[k].from] = mark[e[k].to] = more = true;
    }
  }
  m->has_torque = !mark[e[cut].to];
  if (!m->has_torque) return;
  m->torque = power(b, mark) / b->shaft[e[cut].from].ratio;
  for (int i = 0; i < b->n_loads; i++) m->feeds[i] = mark[b->load[i].shaft];
}

/* Axial force on gear a: F_t tan(beta_w), with a sign that follows from the torque on this gear and the hand of its
 * helix. */
static void add_axial(hk_rexs_gearbox *b) {
  for (int i = 0; i < b->n_meshes; i++) {
    const hk_rexs_mesh *m = &b->mesh[i];
    if (!m->has_torque) continue;
    const double axial = m->torque / m->working_radius_a * m->tan_working_helix;
    b->shaft[b->gear[m->a].shaft].axial += axial;
    if (b->gear[m->b].shaft >= 0) b->shaft[b->gear[m->b].shaft].axial -= axial;
  }
  for (int i = 0; i < b->n_loads; i++) b->shaft[b->load[i].shaft].axial += b->load[i].force[2];
}

/* A bearing that supports only one axial direction becomes an axial spring if the load of the shaft has this
 * direction. */
static void hold_axially(hk_rexs_gearbox *b) {
  for (int i = 0; i < b->n_shafts; i++) {
    hk_rexs_shaft *shaft = &b->shaft[i];
    bool held = false;
    for (int k = 0; k < b->n_supports; k++) {
      hk_rexs_support *p = &b->support[k];
      if (p->inner != i || p->coupling || !p->absorbs) continue;
      const int needed = shaft->axial > 0 ? 1 : shaft->axial < 0 ? 2 : 3;
      if (p->absorbs != 3 && !(p->absorbs & needed)) {
        hk_rexs_note(&b->s, p->c,
                     "it holds the shaft in the direction without load only: no axial stiffness in "
                     "this load case");
        p->axial = 0;
      } else if (p->absorbs != 3) {
        hk_rexs_note(
            &b->s, p->c,
            "it holds the shaft in one direction; in this load case it is an axial spring in both");
      }
      held |= p->axial > 0;
    }
    for (int k = 0; k < b->n_supports; k++)
      held |= b->support[k].coupling && (b->support[k].inner == i || b->support[k].outer == i) &&
              (b->support[k].rigid || b->support[k].axial > 0);
    for (int k = 0; k < b->n_supports; k++)
      held |= b->support[k].outer == i && b->support[k].axial > 0;
    if (!held)
      hk_rexs_note(&b->s, shaft->c, "no bearing holds it axially against its load of %.6g N",
                   shaft->axial);
  }
}

void hk_rexs_drive(hk_rexs_gearbox *b) {
  edge e[2 * HK_REXS_MAX_PARTS];
  const int n = list_edges(b, e);
  find_ratios(b, e, n);
  if (b->s.status) return;
  balance(b);
  for (int k = 0; k < n; k++)
    if (e[k].mesh) find_torque(b, e, n, k);
  for (int i = 0; i < b->n_meshes; i++) {
    hk_rexs_mesh *m = &b->mesh[i];
    if (!m->has_torque)
      hk_rexs_note(
          &b->s, m->c,
          "its torque cannot be computed from the loads only: the teeth start in the middle "
          "of the backlash");
  }
  add_axial(b);
  hold_axially(b);
}
