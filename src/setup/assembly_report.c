/* Report of the assembly: see assembly_report.h. */
#include "setup/assembly_report.h"
#include "core/contact.h"
#include "node/dispatch.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TOLD = 8, NAMES = 600 };
/* Limits for a note and for a warning: displacements relative to the model's size, rotations in
 * radians. */
static const double NOTED = 1e-3, WARNED = 0.1;
/* If the assembly rotates a body or a hinge by more than this angle, it has probably changed the assembly branch. */
static const double FLIPPED = 0.5 * M_PI;

static bool is_body(const hk_node *n) { return n->item->type->category == HK_BODY; }

/* Parts of composite joints are placed by the joint and move with the bodies that it connects. */
static bool is_part(const hk_node *n) {
  char owner[256];
  const char *dot = strrchr(n->name, '.');
  snprintf(owner, sizeof owner, "%.*s", dot ? (int)(dot - n->name) : 0, n->name);
  const hk_item *joint = dot ? hk_spec_find(n->item->spec, HK_JOINT, owner) : NULL;
  return joint && ((const hk_joint_ops *)joint->type->ops)->expand;
}

/* Appends "'name'" to a list that has n already. */
static void list_name(char *text, int n, const char *name) {
  size_t used = strlen(text);
  if (n < MOST_TOLD)
    snprintf(text + used, NAMES - used, "%s'%s'", n ? ", " : "", name);
  else if (n == MOST_TOLD)
    snprintf(text + used, NAMES - used, ", ...");
}

/* ---- positions ---- */

/* A change below this fraction of the model's length, or below this angle, is round-off. */
static const double unmoved = 1e-9;

static void tell_moved(const hk_model *m, const hk_node *n, double way, double turn,
                       hk_diag *diag) {
  bool fixed = n->fixed != HK_FIXED_NONE, flipped = turn > FLIPPED;
  bool far = way > WARNED * m->length || turn > WARNED || fixed;
  char by[160] = "";
  size_t used = 0;
  if (way > unmoved * m->length) used = (size_t)snprintf(by, sizeof by, "by %.4g mm", 1e3 * way);
  if (turn > unmoved)
    snprintf(by + used, sizeof by - used, "%srotated by %.4g deg", used ? " and " : "",
             turn * 180 / M_PI);
  hk_diag_add(diag, far ? HK_WARNING : HK_NOTE, &n->item->place,
              "to close the joints, body '%s' was %s%s%s%s", n->name, used ? "moved " : "", by,
              fixed ? ", although it is fixed" : "",
              flipped ? "; it may be on another assembly branch than in the file: place it nearer "
                        "to its final position"
                      : "");
}

static void tell_bodies(const hk_sim *s, hk_diag *diag) {
  const hk_model *m = s->model;
  double *d = calloc((size_t)m->nv + 1, sizeof *d);
  int told = 0;
  if (!d) return;
  hk_configuration_sub(m, s->x + m->at.q, m->q0, d);
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    double lengths, angles;
    hk_node_squares(n, d + n->v, &lengths, &angles);
    double way = sqrt(lengths), turn = sqrt(angles), least = n->fixed ? unmoved : NOTED;
    if (!is_body(n) || is_part(n) || (way <= least * m->length && turn <= least)) continue;
    if (told++ < MOST_TOLD) tell_moved(m, n, way, turn, diag);
  }
  if (told > MOST_TOLD)
    hk_diag_add(diag, HK_WARNING, NULL, "%d further bodies were moved to close the joints",
                told - MOST_TOLD);
  free(d);
}

/* Reports joints that were assembled with reversed axes. This is possible because joints constrain directions by
 * scalar products, which are also zero for the opposite direction. */
static void tell_reversed(const hk_sim *s, hk_diag *diag) {
  const hk_model *m = s->model;
  for (int i = 0; i < m->n_constraints; i++) {
    const hk_constraint *c = &m->constraint[i];
    for (int k = 0; k < c->n_held; k++) {
      if (m->held[c->held + k].type != &hk_relation_parallel) continue;
      const hk_frame *A = &s->work->frame[m->port[c->port]],
                     *B = &s->work->frame[m->port[c->port + 1]];
      if (hk_dot(hk_column(&A->R, 2), hk_column(&B->R, 2)) > 0) continue;
      hk_diag_add(diag, HK_WARNING, &c->item->place,
                  "joint '%s' is closed the other way round: the z axes of its two frames point in "
                  "opposite directions; rotate one of its bodies or markers by 180 degrees",
                  c->name);
    }
  }
}

/* ---- branches ---- */

/* Returns the vector from the marker to the farthest joint of its body, in world axes; zero: the body has no other
 * joint. */
static hk_vec3 link_from(const hk_sim *s, int marker) {
  const hk_model *m = s->model;
  const hk_marker *here = &m->marker[marker];
  hk_vec3 longest = {0, 0, 0};
  for (int i = 0; i < m->n_constraints; i++)
    for (int p = 0; p < m->constraint[i].n_ports; p++) {
      int other = m->port[m->constraint[i].port + p];
      if (m->marker[other].node != here->node) continue;
      hk_vec3 way = hk_sub(s->work->frame[other].x, s->work->frame[marker].x);
      if (hk_norm(way) > hk_norm(longest)) longest = way;
    }
  return longest;
}

/* Returns the sine of the angle between the two links of a hinge; 0: the joint is not a hinge
 * between two links. */
static double elbow_at(const hk_sim *s, const hk_constraint *c) {
  const hk_model *m = s->model;
  bool hinge = false;
  for (int k = 0; k < c->n_held; k++)
    hinge = hinge || m->held[c->held + k].type == &hk_relation_parallel;
  if (!hinge || c->n_rows != 5 || c->n_held != 2) return 0;
  int a = m->port[c->port], b = m->port[c->port + 1];
  if (m->marker[a].node == HK_GROUND || m->marker[b].node == HK_GROUND) return 0;
  hk_vec3 z = hk_column(&s->work->frame[a].R, 2), u = link_from(s, a), w = link_from(s, b);
  u = hk_sub(u, hk_scale(hk_dot(u, z), z)), w = hk_sub(w, hk_scale(hk_dot(w, z), z));
  double size = hk_norm(u) * hk_norm(w);
  return size > 1e-6 * m->length * m->length ? hk_dot(hk_cross(u, w), z) / size : 0;
}

static void elbows_at(const hk_sim *s, const double *q, double *elbow) {
  const hk_model *m = s->model;
  hk_instant in = hk_instant_at(m, s->x);
  in.q = q;
  hk_kinematics(s->work, &in, HK_FRAMES_MOVING);
  for (int i = 0; i < m->n_constraints; i++) elbow[i] = elbow_at(s, &m->constraint[i]);
}

/* Reports hinges whose links are in another assembly branch than in the file. */
static void tell_elbows(const hk_sim *s, hk_diag *diag) {
  const hk_model *m = s->model;
  const double straight = 0.02;
  double *drawn = calloc(2 * (size_t)m->n_constraints + 1, sizeof *drawn);
  if (!drawn) return;
  double *closed = drawn + m->n_constraints;
  elbows_at(s, m->q0, drawn);
  elbows_at(s, s->x + m->at.q, closed);
  for (int i = 0; i < m->n_constraints; i++) {
    if (fmin(fabs(drawn[i]), fabs(closed[i])) < straight || drawn[i] * closed[i] > 0) continue;
    hk_diag_add(diag, HK_WARNING, &m->constraint[i].item->place,
                "joint '%s' was closed in another branch than in the file: its two links are on "
                "the other side. Place the bodies nearer to their final positions",
                m->constraint[i].name);
  }
  free(drawn);
}

/* ---- freedom ---- */

static int root_of(int *parent, int i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

/* Groups the nodes: nodes that joints connect have the same root. */
static void tie(const hk_model *m, int *parent) {
  for (int i = 0; i < m->n_nodes; i++) parent[i] = i;
  for (int i = 0; i < m->n_constraints; i++) {
    const hk_constraint *c = &m->constraint[i];
    int first = -1;
    for (int p = 0; p < c->n_ports; p++) {
      int node = m->marker[m->port[c->port + p]].node;
      if (node == HK_GROUND) continue;
      if (first < 0) first = root_of(parent, node);
      parent[root_of(parent, node)] = first;
    }
  }
}

static int group_of(const hk_model *m, const hk_constraint *c, int *parent) {
  for (int p = 0; p < c->n_ports; p++) {
    int node = m->marker[m->port[c->port + p]].node;
    if (node != HK_GROUND) return root_of(parent, node);
  }
  return -1;
}

static void tell_locked(const hk_model *m, int group, int *parent, hk_diag *diag) {
  char bodies[NAMES] = "", joints[NAMES] = "";
  const hk_item *first = NULL;
  int nb = 0, nj = 0;
  bool meant = true; /* fixed joints only */
  for (int i = 0; i < m->n_nodes; i++)
    if (root_of(parent, i) == group) list_name(bodies, nb++, m->node[i].name);
  for (int i = 0; i < m->n_constraints; i++) {
    const hk_constraint *c = &m->constraint[i];
    if (group_of(m, c, parent) != group) continue;
    list_name(joints, nj++, c->name);
    first = first ? first : c->item;
    meant = meant && c->n_held && c->n_rows == 6;
  }
  if (meant || !first) return;
  hk_diag_add(diag, HK_WARNING, &first->place,
              "no degree of freedom is left: %s %s locked by %s. If they should move, check for a "
              "joint with a wrong axis or position, or for one joint too many",
              bodies, nb > 1 ? "are" : "is", joints);
}

static void tell_freedom(const hk_sim *s, hk_diag *diag) {
  const hk_model *m = s->model;
  int *parent = calloc(2 * (size_t)m->n_nodes + 1, sizeof *parent);
  if (!parent) return;
  int *freedom = parent + m->n_nodes;
  tie(m, parent);
  for (int i = 0; i < m->n_nodes; i++) freedom[root_of(parent, i)] += m->node[i].nv;
  for (int i = 0; i < m->n_constraints; i++) {
    const hk_constraint *c = &m->constraint[i];
    int group = group_of(m, c, parent);
    if (group < 0 || c->value) continue; /* a coordinate driven by a motion can move */
    for (int r = c->row; r < c->row + c->n_rows; r++) freedom[group] -= s->kept[r];
  }
  /* The row of a redundant motion is omitted, because the joints already determine the coordinate of this motion. */
  for (int i = 0; i < m->n_nodes; i++)
    if (parent[i] == i && freedom[i] <= 0 && m->node[i].nv > 0) tell_locked(m, i, parent, diag);
  free(parent);
}

/* ---- bodies without support ---- */

static void mark(const hk_model *m, bool *held, int port, int n) {
  for (int p = port; p < port + n; p++)
    if (m->marker[m->port[p]].node != HK_GROUND) held[m->marker[m->port[p]].node] = true;
}

static void tell_loose(const hk_sim *s, hk_diag *diag) {
  const hk_model *m = s->model;
  bool *held = calloc((size_t)m->n_nodes + 1, sizeof *held), any = false;
  if (!held) return;
  for (int i = 0; i < m->n_constraints; i++)
    mark(m, held, m->constraint[i].port, m->constraint[i].n_ports);
  for (int i = 0; i < m->n_forces; i++) mark(m, held, m->force[i].port, m->force[i].n_ports);
  for (int i = 0; i < m->n_contacts; i++) mark(m, held, m->contact[i].port, 2);
  for (int i = 0; i < m->n_nodes; i++) any = any || held[i];
  char names[NAMES] = "";
  const hk_item *first = NULL;
  int n = 0;
  for (int i = 0; i < m->n_nodes && any; i++) {
    const hk_node *k = &m->node[i];
    if (held[i] || !is_body(k) || !k->type->frame || k->guided || k->type->axis) continue;
    list_name(names, n++, k->name);
    first = first ? first : k->item;
  }
  if (first)
    hk_diag_add(diag, HK_NOTE, &first->place,
                "%s: no joint, force or contact acts on %s, except gravity", names,
                n > 1 ? "them" : "it");
  free(held);
}

void hk_tell_assembly(const hk_sim *s, hk_diag *diag) {
  const hk_model *m = s->model;
  if (!diag) return;
  if (m->nc) {
    tell_bodies(s, diag);
    tell_elbows(s, diag);
    tell_reversed(s, diag);
  }
  tell_freedom(s, diag);
  tell_loose(s, diag);
}

/* ---- velocities ---- */

static void tell_speed(const hk_node *n, const char *what, double was, double is, double change,
                       const char *unit, hk_diag *diag) {
  hk_diag_add(diag, HK_WARNING, hk_item_location(n->item, what),
              "the joints do not allow the %s given for body '%s': %.6g %s in the file, %.6g %s at "
              "the start (a change of %.6g %s)",
              what, n->name, was, unit, is, unit, change, unit);
}

void hk_tell_speeds(const hk_sim *s, hk_diag *diag) {
  const hk_model *m = s->model;
  const double *v = s->x + m->at.v;
  if (!diag || m->nc == 0) return;
  double fastest = hk_max_abs(v, m->nv, NULL) + hk_max_abs(m->v0, m->nv, NULL);
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    double d[n->nv], was[2], is[2], change[2];
    for (int k = 0; k < n->nv; k++) d[k] = v[n->v + k] - m->v0[n->v + k];
    hk_node_squares(n, m->v0 + n->v, &was[0], &was[1]);
    hk_node_squares(n, v + n->v, &is[0], &is[1]);
    hk_node_squares(n, d, &change[0], &change[1]);
    static const char *const keys[2][2] = {{"velocity", NULL}, {"angular_velocity", "rate"}};
    for (int k = 0; k < 2 && is_body(n) && !is_part(n); k++)
      for (int j = 0; j < 2; j++) {
        if (!keys[k][j] || !hk_item_has(n->item, keys[k][j])) continue;
        if (sqrt(change[k]) <= 1e-3 * sqrt(fmax(was[k], is[k])) ||
            sqrt(change[k]) <= 1e-6 * fastest)
          continue;
        tell_speed(n, keys[k][j], sqrt(was[k]), sqrt(is[k]), sqrt(change[k]), k ? "rad/s" : "m/s",
                   diag);
      }
  }
}

/* ---- contacts ---- */

/* Limits of penetration relative to the model's size; the first number is for rigid contacts, the second for compliant
 * ones. TOLD: a larger penetration is reported. DEEPEST: a larger penetration is too deep to be intended. */
static const double TOLD[2] = {1e-6, 1e-3}, DEEPEST[2] = {0.05, 0.5};

static void name_point(const hk_contact *c, int point, char *text, size_t size) {
  const char *const *names = c->gap->point_names;
  snprintf(text, size, "%s%s%s", c->name, names ? "." : "", names ? names[point] : "");
}

static void gaps_of(const hk_work *w, const hk_contact *c, double *gap) {
  hk_gap point[HK_CONTACT_MAX_POINTS];
  hk_gap_rows rows[HK_CONTACT_MAX_POINTS];
  double rate[HK_CONTACT_MAX_POINTS];
  if (c->gap->rows)
    c->gap->rows(c->k, &w->frame[c->a], &w->frame[c->b], rows);
  else
    hk_contact_approach(w, c, point, rate);
  for (int k = 0; k < c->n_points; k++) gap[k] = c->gap->rows ? rows[k].gap : point[k].gap;
}

double hk_deepest_part_overlap(hk_sim *s) {
  const hk_model *m = s->model;
  const hk_instant in = hk_instant_settled(m, s->x, s->x + m->at.lambda);
  double gap[HK_CONTACT_MAX_POINTS], deepest = 0;
  hk_kinematics(s->work, &in, HK_FRAMES_MOVING);
  for (int i = 0; i < m->n_contacts; i++) {
    if (!m->contact[i].item->made_by) continue;
    gaps_of(s->work, &m->contact[i], gap);
    for (int k = 0; k < m->contact[i].n_points; k++) deepest = fmax(deepest, -gap[k]);
  }
  return deepest;
}

hk_status hk_tell_overlaps(hk_sim *s, hk_diag *diag, hk_error *err) {
  const hk_model *m = s->model;
  if (!m->n_points) return HK_OK;
  const hk_instant in = hk_instant_settled(m, s->x, s->x + m->at.lambda);
  hk_kinematics(s->work, &in, HK_FRAMES_MOVING);
  bool balanced = s->option.initial_state == HK_BEGIN_EQUILIBRIUM,
       allowed = s->option.initial_penetration == HK_OVERLAP_ALLOW;
  int told = 0;
  for (int i = 0; i < m->n_contacts; i++) {
    const hk_contact *c = &m->contact[i];
    double gap[HK_CONTACT_MAX_POINTS];
    gaps_of(s->work, c, gap);
    for (int k = 0; k < c->n_points; k++) {
      bool rigid = c->law->set_valued;
      double depth = -gap[k], least = TOLD[!rigid] * m->length;
      if (!(depth > least) || (balanced && !rigid)) continue;
      char name[300];
      name_point(c, k, name, sizeof name);
      if (depth > DEEPEST[!rigid] * m->length && !allowed && !balanced) {
        hk_fail(
            err, HK_EINPUT,
            "contact '%s' has a penetration of %.4g mm in the initial position. Move the bodies "
            "apart, or, if this is intended, write 'initial_penetration: allow' in the analysis",
            name, 1e3 * depth);
        hk_error_about(err, c->name, in.t, -1);
        return HK_EINPUT;
      }
      if (told++ < MOST_TOLD && diag)
        hk_diag_add(diag, HK_WARNING, &c->item->place,
                    "contact '%s' has a penetration of %.4g mm in the initial position%s", name,
                    1e3 * depth, rigid ? ", and will be pushed apart" : "");
    }
  }
  if (told > MOST_TOLD && diag)
    hk_diag_add(diag, HK_WARNING, NULL, "%d further points of contact overlap at the start",
                told - MOST_TOLD);
  return HK_OK;
}
