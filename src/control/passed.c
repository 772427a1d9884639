/* What steps of a fixed length may have passed over: see passed.h. */
#include "control/passed.h"
#include "control/gap_scan.h"
#include "control/scan_private.h"
#include <stdlib.h>

/* A switch or bump moves bodies within a step by this share of the model's length, or it is not worth a word. */
static const double counts = 1e-5;

/* A rigid contact that was as deep as this share of the model's length was not touched in passing only. */
static const double deep = 1e-6;

static bool can_be_passed(const hk_model *m) {
  for (int i = 0; i < m->n_contacts; i++)
    if (m->contact[i].law->set_valued && !m->contact[i].gap->concave) return true;
  return false;
}

hk_status hk_passed_create(hk_passed *p, const hk_sim *s) {
  const hk_model *m = s->model;
  *p = (hk_passed){0};
  if (!(s->option.step > 0)) return HK_OK;
  p->n_rows = can_be_passed(m) ? hk_contact_rows_count(m) : 0;
  p->on = m->n_watched > 0 || p->n_rows > 0;
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

/* The displacement that a change of an expression causes within the step, over the model's length. */
static double share_moved(const hk_sim *s, int watched, double change, double h) {
  return hk_scan_effect(s, watched, change, 0, h) * hk_tolerance(s) / s->model->length;
}

enum { MOST_PIECES = 200, DEPTH = 40 };

/* Does the expression leave the bounds anywhere on the path? */
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

static void look_at_loads(hk_passed *p, hk_sim *s, const hk_scan_path *path) {
  for (int i = 0; i < s->model->n_watched; i++) {
    const hk_watched *k = &s->model->watched[i];
    double y0 = hk_scan_value(s, k, path, 0), y1 = hk_scan_value(s, k, path, 1), at = 0;
    /* What would be noticed: a unit of the expression moves so much. */
    double unit = share_moved(s, i, 1, path->h);
    double allowed = unit > 0 ? fmax(counts / unit, fabs(y1 - y0)) : INFINITY;
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

/* Velocities that are what they were: nothing pressed. */
static bool is_unchanged(hk_vec3 now, hk_vec3 before) {
  static const double share = 0.01;
  return hk_norm(before) > 0 && hk_norm(hk_sub(now, before)) < share * hk_norm(before);
}

/* A gap that was closed at the end of a step and is open again.  Where steps look for contacts in their middle they do not see
 * it. */
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
    /* Where an impact has turned the velocities the curve between the ends dips below 0, and tells nothing. */
    p->search[i] = open && is_unchanged(relative_velocity(s, r), before[i]);
    if (through && !m->contact[r->contact].gap->concave) note(&p->contact[r->contact], x0[m->at.t]);
  }
  for (int i = 0; i < p->n_rows; i++) {
    if (!p->search[i]) continue;
    double time = hk_gap_scan(s, &way, p->row, p->n_rows, is_the_one, &i, deep * m->length);
    if (time <= h) note(&p->contact[p->row[i].contact], x0[m->at.t] + time);
  }
}

/* ---- a step, and the end ---- */

void hk_passed_step(hk_passed *p, hk_sim *s) {
  const hk_model *m = s->model;
  double t = s->x_next[m->at.t], h = s->x[m->at.t] - t;
  if (!p->on || !(h > 0)) return;
  if (m->n_watched > 0) {
    hk_scan_last_step(s);
    const double *a = s->scan->last[0], *b = s->scan->last[1];
    const hk_scan_path path = {t, h, a, a + m->n_variables, b, b + m->n_variables};
    look_at_loads(p, s, &path);
  }
  if (p->n_rows > 0) look_at_gaps(p, s, h);
  s->out.have_frames = s->out.have_loads = s->out.have_variables = false;
}

static const char *times(long n) { return n == 1 ? "time" : "times"; }

int hk_passed_report(const hk_passed *p, const hk_model *m, hk_diag *diag) {
  int told = 0;
  for (int i = 0; p->on && i < m->n_watched; i++) {
    const hk_passed_count *c = &p->load[i];
    const hk_item *item = m->watched[i].item;
    if (!c->n) continue;
    told++;
    hk_diag_add(
        diag, HK_WARNING, &item->place,
        "%s '%s' switches, or rises and falls, within a step of fixed length: %ld %s, first "
        "at t = %.6g s; use a shorter step, or none, so that steps end there",
        hk_category_name(item->type->category), item->name, c->n, times(c->n), c->first);
  }
  for (int i = 0; p->on && i < m->n_contacts; i++) {
    const hk_passed_count *c = &p->contact[i];
    if (!c->n) continue;
    told++;
    hk_diag_add(
        diag, HK_WARNING, &m->contact[i].item->place,
        "contact '%s' closes and opens again within a step of fixed length, which passes "
        "through it: %ld %s, first at t = %.6g s; use a shorter step, or stepper: event_driven "
        "or nonsmooth_alpha",
        m->contact[i].item->name, c->n, times(c->n), c->first);
  }
  return told;
}
