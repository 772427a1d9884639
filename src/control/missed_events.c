/* Events that steps of fixed length may have missed: see missed_events.h. */
#include "control/missed_events.h"
#include "control/gap_scan.h"
#include "control/scan_private.h"
#include "sim/quality.h"
#include <stdio.h>
#include <stdlib.h>

/* A switch or pulse is reported if it moves bodies within a step by more than this fraction of the model's length. */
static const double counts = 1e-5;

/* If the penetration of a rigid contact exceeds this fraction of the length of the model, the bodies do not only graze
 * each other. */
static const double deep = 1e-6;
/* The corresponding limit for small bodies, as a fraction of the depth at which half of the
 * body has passed through the surface. */
static const double deep_share = 1e-3;

static bool can_be_passed(const hk_model *m, bool rigid) {
  for (int i = 0; i < m->n_contacts; i++)
    if (m->contact[i].law->set_valued == rigid && !m->contact[i].gap->concave) return true;
  return false;
}

hk_status hk_passed_create(hk_passed *p, const hk_sim *s) {
  const hk_model *m = s->model;
  *p = (hk_passed){0};
  if (!(s->option.step > 0)) return HK_OK;
  p->n_rows = can_be_passed(m, true) ? hk_contact_rows_count(m) : 0;
  p->compliant = can_be_passed(m, false);
  p->on = m->n_watched > 0 || p->n_rows > 0 || p->compliant;
  if (!p->on) return HK_OK;
  p->load = calloc((size_t)m->n_watched + 1, sizeof *p->load);
  p->contact = calloc((size_t)m->n_contacts + 1, sizeof *p->contact);
  p->row = calloc((size_t)p->n_rows + 1, sizeof *p->row);
  p->gap = calloc(2 * (size_t)p->n_rows + 1, sizeof *p->gap);
  p->search = calloc((size_t)p->n_rows + 1, sizeof *p->search);
  p->entered = calloc(2 * (size_t)p->n_rows + 1, sizeof *p->entered);
  if (!p->load || !p->contact || !p->row || !p->gap || !p->entered || !p->search) {
    hk_passed_free(p);
    return HK_ENOMEM;
  }
  p->before = p->entered + p->n_rows;
  if (p->n_rows) hk_contact_rows_bind(m, p->row);
  return HK_OK;
}

void hk_passed_free(hk_passed *p) {
  free(p->load);
  free(p->contact);
  free(p->row);
  free(p->gap);
  free(p->entered);
  free(p->search);
  *p = (hk_passed){0};
}

static void note(hk_passed_count *c, double t) {
  if (c->n++ == 0) c->first = t;
}

/* ---- loads ---- */

/* Displacement caused by a change of an expression within the step, relative to the model's length. */
static double share_moved(const hk_sim *s, int watched, double change, double h) {
  return hk_scan_effect(s, watched, change, 0, h) * hk_tolerance(s) / s->model->length;
}

enum { MOST_PIECES = 200, DEPTH = 40 };

/* Returns true if the expression leaves the bounds anywhere on the path. */
static bool leaves(const hk_sim *s, const hk_watched *k, const hk_scan_path *p, double lo,
                   double hi, double *at) {
  double from = 0, to = 1, later[DEPTH];
  int n = 0;
  for (int pieces = 0; pieces < MOST_PIECES; pieces++) {
    const hk_flow f = hk_scan_flow(s, k, p, from, to);
    double middle = 0.5 * (from + to);
    if (f.known && (f.lo < lo || f.hi > hi) && n < DEPTH) {
      double y = hk_scan_value(s, k, p, middle);
      if (y < lo || y > hi) return *at = middle, true;
      later[n++] = to, to = middle;
      continue;
    }
    if (n == 0) return false;
    from = to, to = later[--n];
  }
  return false;
}

/* Returns true if the ranges exclude a missed event: over many steps ahead, or over this step. */
static bool stays_between_ends(const hk_sim *s, int watched, const hk_scan_path *p,
                               double allowed) {
  const hk_watched *k = &s->model->watched[watched];
  if (k->timed) {
    hk_outlook *ahead = &s->scan->ahead[watched];
    const hk_flow *f = hk_outlook_over(ahead, k->expr, p->t, p->t + p->h);
    if (hk_flow_stays_between_ends(f, allowed)) return true;
  }
  const hk_flow whole = hk_scan_flow(s, k, p, 0, 1);
  return hk_flow_stays_between_ends(&whole, allowed);
}

static void look_at_loads(hk_passed *p, hk_sim *s, const hk_scan_path *path) {
  for (int i = 0; i < s->model->n_watched; i++) {
    const hk_watched *k = &s->model->watched[i];
    /* Smallest change of the expression that is significant, computed from the displacement per unit of the
     * expression. */
    double unit = share_moved(s, i, 1, path->h);
    double least = unit > 0 ? counts / unit : INFINITY;
    if (stays_between_ends(s, i, path, least)) continue;
    double y0 = hk_scan_value(s, k, path, 0), y1 = hk_scan_value(s, k, path, 1), at = 0;
    double allowed = fmax(least, fabs(y1 - y0));
    if (leaves(s, k, path, fmin(y0, y1) - allowed, fmax(y0, y1) + allowed, &at)) {
      note(&p->load[i], path->t + at * path->h);
      continue;
    }
    hk_scan_bend bend;
    int pieces = MOST_PIECES;
    if (hk_scan_first_bend(s, i, path, 0, 1, path->h, &pieces, &bend) &&
        share_moved(s, i, bend.jump, path->h) > counts)
      note(&p->load[i], path->t + bend.left * path->h);
  }
}

/* ---- rigid contacts ---- */

static void read_gaps(hk_passed *p, hk_sim *s, const double *x, double *gap) {
  const hk_instant in = hk_instant_at(s->model, x);
  hk_kinematics(s->work, &in, HK_FRAMES_MOVING);
  hk_contact_rows_at(s->work, -INFINITY, p->row);
  for (int i = 0; i < p->n_rows; i++) gap[i] = p->row[i].gap;
}

static bool is_the_one(const void *context, int i) { return *(const int *)context == i; }

static hk_vec3 relative_velocity(const hk_sim *s, const hk_contact_row *r) {
  const hk_contact *c = &s->model->contact[r->contact];
  return hk_sub(s->work->frame[c->b].v, s->work->frame[c->a].v);
}

/* The velocities have not changed, so no contact force has acted. */
static bool is_unchanged(hk_vec3 now, hk_vec3 before) {
  static const double share = 0.01;
  return hk_norm(before) > 0 && hk_norm(hk_sub(now, before)) < share * hk_norm(before);
}

/* Records gaps that were closed at the end of a step and are open again. Integrators that detect contacts at the middle
 * of their steps miss such contacts. */
static bool went_through(hk_passed *p, const hk_sim *s, int i, hk_vec3 before) {
  const hk_vec3 now = relative_velocity(s, &p->row[i]), entered = p->entered[i], none = {0, 0, 0};
  bool was_open = p->gap[i] > 0, is_open = p->gap[p->n_rows + i] > 0;
  if (was_open && !is_open) p->entered[i] = before;
  if (was_open || !is_open) return false;
  p->entered[i] = none;
  return is_unchanged(now, entered);
}

static void look_at_gaps(hk_passed *p, hk_sim *s, double h) {
  const hk_model *m = s->model;
  const double *x0 = s->x_next, *x1 = s->x;
  const hk_gap_way way = {x0, x1 + m->at.q, x1 + m->at.v, h};
  read_gaps(p, s, x0, p->gap);
  hk_vec3 *before = p->before;
  for (int i = 0; i < p->n_rows; i++) before[i] = relative_velocity(s, &p->row[i]);
  read_gaps(p, s, x1, p->gap + p->n_rows);
  for (int i = 0; i < p->n_rows; i++) {
    const hk_contact_row *r = &p->row[i];
    bool open = p->gap[i] > 0 && p->gap[p->n_rows + i] > 0,
         through = went_through(p, s, i, before[i]);
    /* An impact may have reversed the velocities. Then the cubic between both ends drops below 0, but the real gap
     * does not. */
    p->search[i] = open && is_unchanged(relative_velocity(s, r), before[i]);
    if (through && !m->contact[r->contact].gap->concave) note(&p->contact[r->contact], x0[m->at.t]);
  }
  for (int i = 0; i < p->n_rows; i++) {
    if (!p->search[i]) continue;
    double time = hk_gap_scan(s, &way, p->row, p->n_rows, is_the_one, &i, deep * m->length);
    if (time <= h) note(&p->contact[p->row[i].contact], x0[m->at.t] + time);
  }
}

/* ---- compliant contacts ---- */

/* If a point is open at both ends of the step and no contact force acted at these ends, a contact between them was
 * missed. */
static void look_at_compliant(hk_passed *p, hk_sim *s, double h) {
  const hk_model *m = s->model;
  const double *x0 = s->x_next, *x1 = s->x;
  const hk_gap_way way = {x0, x1 + m->at.q, x1 + m->at.v, h};
  for (int i = 0; i < m->n_contacts; i++) {
    const hk_contact *c = &m->contact[i];
    if (c->law->set_valued || c->gap->concave) continue;
    for (int k = 0; k < c->n_points; k++) {
      bool open = true;
      for (int end = 0; end < 2 && open; end++) {
        const hk_instant in = hk_instant_at(m, end ? x1 : x0);
        hk_kinematics(s->work, &in, HK_FRAMES_MOVING);
        open = hk_gap_at(s->work, c, k) >= c->reach;
      }
      double depth = fmin(deep * m->length, deep_share * c->deepest) - c->reach;
      double time = open ? hk_gap_closes(s, &way, c, k, h, depth) : INFINITY;
      if (time <= h) note(&p->contact[i], x0[m->at.t] + time);
    }
  }
}

/* ---- a step, and the end ---- */

void hk_passed_step(hk_passed *p, hk_sim *s) {
  const hk_model *m = s->model;
  double t = s->x_next[m->at.t], h = s->x[m->at.t] - t;
  if (!p->on || !(h > 0)) return;
  if (m->n_watched > 0) {
    if (s->scan->moves) hk_scan_last_step(s);
    const double *a = s->scan->last[0], *b = s->scan->last[1];
    const hk_scan_path path = {t, h, a, a + m->n_variables, b, b + m->n_variables};
    look_at_loads(p, s, &path);
  }
  if (p->n_rows > 0) look_at_gaps(p, s, h);
  if (p->compliant) look_at_compliant(p, s, h);
  s->out.have_frames = s->out.have_loads = s->out.have_variables = false;
}

static const char *times(long n) { return n == 1 ? "time" : "times"; }

/* Returns the record of missed events; NULL: no event was missed, or out of memory. */
static hk_indicator *add(hk_quality *out, hk_quality_kind kind, const hk_passed_count *c,
                         const hk_item *item) {
  hk_indicator *k = c->n ? hk_quality_append(out, kind, &item->place) : NULL;
  if (!k) return NULL;
  k->level = HK_LEVEL_DOUBT;
  k->amount = (double)c->n, k->count = c->n, k->time = c->first;
  snprintf(k->element, sizeof k->element, "%s", item->name);
  return k;
}

hk_status hk_passed_report(const hk_passed *p, const hk_model *m, hk_quality *out) {
  for (int i = 0; p->on && i < m->n_watched; i++) {
    const hk_item *item = m->watched[i].item;
    hk_indicator *k = add(out, HK_QUALITY_MISSED_SWITCH, &p->load[i], item);
    if (!p->load[i].n) continue;
    if (!k) return HK_ENOMEM;
    snprintf(k->sentence, sizeof k->sentence,
             "%s '%s' switches, or rises and falls, within a step of fixed length: %ld %s, first "
             "at t = %.6g s; use a shorter step, or none, so that steps end there",
             hk_category_name(item->type->category), item->name, k->count, times(k->count),
             k->time);
  }
  for (int i = 0; p->on && i < m->n_contacts; i++) {
    hk_indicator *k = add(out, HK_QUALITY_MISSED_CONTACT, &p->contact[i], m->contact[i].item);
    if (!p->contact[i].n) continue;
    if (!k) return HK_ENOMEM;
    snprintf(k->sentence, sizeof k->sentence,
             "contact '%s' closes and opens again within a step of fixed length, which passes "
             "through it: %ld %s, first at t = %.6g s; use a shorter step, or %s",
             m->contact[i].item->name, k->count, times(k->count), k->time,
             m->contact[i].law->set_valued ? "stepper: event_driven or nonsmooth_alpha"
                                           : "none, so that it is chosen");
  }
  return HK_OK;
}
