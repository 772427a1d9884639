/* Set-valued contacts in node coordinates: see contact_rows.h. */
#include "core/contact_rows.h"
#include "core/map.h"

static bool two_sided(const hk_contact *c) { return c->gap->tight && c->gap->tight(c->k); }

static int points_of(const hk_contact *c) {
  if (!c->law->set_valued) return 0;
  return two_sided(c) ? 1 : c->n_points;
}

int hk_contact_rows_count(const hk_model *m) {
  int n = 0;
  for (int i = 0; i < m->n_contacts; i++) n += points_of(&m->contact[i]);
  return n;
}

void hk_contact_rows_bind(const hk_model *m, hk_contact_row *row) {
  for (int i = 0; i < m->n_contacts; i++) {
    const hk_contact *c = &m->contact[i];
    int a = m->marker[c->a].node, b = m->marker[c->b].node;
    for (int k = 0; k < points_of(c); k++, row++) {
      *row = (hk_contact_row){.contact = i, .point = c->point + k};
      if (a != HK_GROUND) row->va = m->node[a].v, row->na = m->node[a].nv;
      if (b != HK_GROUND) row->vb = m->node[b].v, row->nb = m->node[b].nv;
      row->two_sided = two_sided(c);
      row->mu = c->l[HK_SET_MU];
      row->tangents = row->mu > 0 ? c->gap->tangents
                                  : 0; /* without friction there is no impulse along the tangents */
      row->eN = row->two_sided ? 0 : c->l[HK_SET_RESTITUTION_N];
      row->eT = c->l[HK_SET_RESTITUTION_T];
      row->count_above = c->l[HK_SET_COUNT];
      row->in_turn = c->l[HK_SET_IN_TURN] != 0 && !row->two_sided;
    }
  }
}

/* Converts a row that is multiplied by the displacement of a frame to the row W that is multiplied by the velocities
 * of its node. Returns the velocity due to a prescribed rotation. */
HK_INLINE double map_frame(const hk_work *w, int marker, hk_vec3 jx, hk_vec3 jt, double *out) {
  hk_map_row(w, marker, jx, jt, out);
  return w->model->guided ? hk_map_drift(w, marker, jx, jt) : 0;
}

/* Computes the row of the velocity of B relative to A at the point `at`, along the direction e. */
HK_INLINE void map_direction(const hk_work *w, const hk_contact *c, hk_vec3 at, hk_vec3 e, int k,
                             hk_contact_row *r) {
  hk_vec3 ra = hk_sub(at, w->frame[c->a].x), rb = hk_sub(at, w->frame[c->b].x);
  r->drift[k] = map_frame(w, c->a, hk_neg(e), hk_cross(e, ra), r->W[k]) +
                map_frame(w, c->b, e, hk_cross(rb, e), r->W[k] + HK_NODE_FEW);
}

static int point_rows(const hk_work *w, const hk_contact *c, double near, hk_contact_row *row) {
  hk_gap gap[HK_CONTACT_MAX_POINTS];
  int n = 0;
  c->gap->eval(c->k, &w->frame[c->a], &w->frame[c->b], -INFINITY, false, gap);
  for (int i = 0; i < c->n_points; i++, row++) {
    const hk_gap *g = &gap[i];
    row->gap = g->gap;
    if (!(g->gap <= near || row->wanted)) continue;
    n++;
    map_direction(w, c, g->c, g->n, HK_DIR_N, row);
    if (row->tangents > 0) map_direction(w, c, g->c, g->t, HK_DIR_T, row);
    if (row->tangents > 1) map_direction(w, c, g->c, hk_cross(g->n, g->t), HK_DIR_S, row);
  }
  return n;
}

HK_INLINE void map_row(const hk_work *w, const hk_contact *c, const hk_row *J, int k,
                       hk_contact_row *r) {
  r->drift[k] = map_frame(w, c->a, J->xa, J->ta, r->W[k]) +
                map_frame(w, c->b, J->xb, J->tb, r->W[k] + HK_NODE_FEW);
}

static int coordinate_rows(const hk_work *w, const hk_contact *c, double near,
                           hk_contact_row *row) {
  hk_gap_rows rows[HK_CONTACT_MAX_POINTS];
  int n = 0, points = row->two_sided ? 1 : c->n_points;
  c->gap->rows(c->k, &w->frame[c->a], &w->frame[c->b], rows);
  for (int i = 0; i < points; i++, row++) {
    row->gap = rows[i].gap;
    if (!(row->gap <= near || row->two_sided || row->wanted)) continue;
    n++;
    map_row(w, c, &rows[i].N, HK_DIR_N, row);
    for (int k = 0; k < row->tangents; k++) map_row(w, c, &rows[i].T[k], HK_DIR_T + k, row);
  }
  return n;
}

HK_HOT HK_FLAT int hk_contact_rows_at(const hk_work *w, double near, hk_contact_row *row) {
  const hk_model *m = w->model;
  int n = 0;
  for (int i = 0; i < m->n_contacts; i++) {
    const hk_contact *c = &m->contact[i];
    if (!c->law->set_valued) continue;
    n += c->gap->rows ? coordinate_rows(w, c, near, row) : point_rows(w, c, near, row);
    row += row->two_sided ? 1 : c->n_points;
  }
  return n;
}

void hk_contact_rows_poison(hk_contact_row *row, int n) {
  for (int i = 0; i < n; i++) {
    row[i].gap = NAN;
    for (int k = 0; k < HK_N_DIR; k++) {
      row[i].drift[k] = NAN;
      for (int c = 0; c < 12; c++) row[i].W[k][c] = NAN;
    }
  }
}
