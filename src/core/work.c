#include "base/huge_pages.h"
#include "core/contact.h"
#include "core/force.h"
#include "core/joint_friction_fast.h"
#include "core/rotor_force.h"
#include <stdlib.h>
#include <string.h>

static void find_timed(const hk_model *m, hk_timed *timed) {
  for (int i = 0; i < m->n_forces; i++) {
    const hk_force *f = &m->force[i];
    timed[i] = (hk_timed){.on = f->n_expr > 0, .t = NAN};
    for (int k = 0; k < f->n_expr; k++) {
      const hk_bound_expr *x = &f->expr[k];
      if (x->n > 1 || (x->n == 1 && x->slot[0] != 0)) timed[i].on = false; /* slot 0 is t */
    }
  }
}

hk_work *hk_work_create(const hk_model *m) {
  size_t nodes = (size_t)m->n_nodes, markers = (size_t)m->n_markers, nc = (size_t)m->nc;
  size_t doubles = 4 * nc + 2 * (size_t)m->jacobian_size + (size_t)m->nv + (size_t)m->n_variables +
                   (size_t)m->n_scratch + (size_t)m->n_node_own + 24 * (size_t)m->widest +
                   sizeof(hk_contact_eval) / sizeof(double) * (size_t)m->n_points;
  hk_work *w = calloc(1, sizeof *w);
  size_t links = (size_t)m->n_constraints, active = (size_t)m->n_active;
  size_t contacts = (size_t)m->n_contacts;
  char *block = hk_huge_calloc(
      1, nodes * sizeof(hk_mat3) + markers * sizeof(hk_frame) + (doubles + 1) * sizeof(double) +
             active * (sizeof(hk_mount) + sizeof(int)) + links * sizeof(hk_constraint_plan) +
             (size_t)m->n_forces * (sizeof(hk_rotor_force_plan) + sizeof(hk_timed) +
                                    sizeof(hk_joint_friction) + sizeof(hk_force_result)) +
             contacts * (sizeof(hk_contact_batch) + sizeof(int)) + 16);
  if (!w || !block) {
    free(w);
    free(block);
    return NULL;
  }
  w->model = m;
  w->block = block;
  w->R = (hk_mat3 *)block;
  w->frame = (hk_frame *)(w->R + nodes);
  double *d = (double *)(w->frame + markers);
  w->node_own = d, d += m->n_node_own;
  w->g = d, d += nc;
  w->gt = d, d += nc;
  w->bias = d, d += nc;
  w->G = d, d += m->jacobian_size;
  w->f = d, d += m->nv;
  w->variable = d, d += m->n_variables;
  w->touch = (hk_contact_eval *)d,
  d += sizeof(hk_contact_eval) / sizeof(double) * (size_t)m->n_points;
  w->scratch = d, d += m->n_scratch;
  w->turning = d, d += 24 * m->widest;
  w->kept_rows = d, d += (size_t)m->jacobian_size + nc;
  w->rotor_force = (hk_rotor_force_plan *)d;
  w->timed = (hk_timed *)(w->rotor_force + m->n_forces);
  w->joint_friction = (hk_joint_friction *)(w->timed + m->n_forces);
  w->ahead = (hk_force_result *)(w->joint_friction + m->n_forces);
  w->batch = (hk_contact_batch *)(w->ahead + m->n_forces);
  w->mount = (hk_mount *)(w->batch + contacts);
  w->plan = (hk_constraint_plan *)(w->mount + active);
  w->loose = (int *)(w->plan + links);
  w->single = w->loose + active;
  /* Frames on the ground never move. */
  for (int i = 0; i < m->n_markers; i++) {
    w->frame[i].R = hk_mat3_identity();
    if (m->marker[i].node == HK_GROUND)
      w->frame[i] = (hk_frame){.x = m->marker[i].s, .R = m->marker[i].R};
  }
  hk_rotor_force_find(m, w->rotor_force);
  find_timed(m, w->timed);
  hk_kinematic_mounts(w);
  hk_constraint_plans(w);
  hk_joint_friction_find(w);
  hk_contact_batches(w);
  return w;
}

hk_status hk_work_failed(const hk_work *w, hk_error *err) {
  const hk_item *i = w->failure.item;
  hk_fail(err, HK_RETRY, "%s '%s' (%s): %s", hk_category_name(i->type->category), i->name,
          i->type->name, w->failure.what);
  hk_error_about(err, i->name, NAN, -1);
  return HK_RETRY;
}

void hk_work_destroy(hk_work *w) {
  if (!w) return;
  free(w->block);
  free(w);
}
