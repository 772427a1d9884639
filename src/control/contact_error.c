/* Error estimate of the impulses of contacts: see contact_error.h.
 *
 * Along the normal of a point, with its gap g, force N, stored energy U and the mobility 1/m of its two bodies there,
 * the error of the trapezoidal rule for the impulse of a step from 0 to 1 is its difference from Simpson's rule, with
 * the middle of the step from the cubic through both ends:
 *
 *   gm = (g0 + g1)/2 + h (g0' - g1')/8,   gm' = 3/2 (g1 - g0)/h - (g0' + g1')/4
 *   dv = h/(3 m) |N0 - 2 N(gm, gm') + N1|
 *
 * The generated or lost energy per mass, dv (u + dv/2) with the speed u = sqrt(g0'^2 + 2 U0/m) of the contact, must
 * stay a small fraction of the present energy. Like any error of a mode that is too stiff for the step (filter_error
 * in trapezoidal.c), this energy is divided by 1 + h/2 c/m + h^2/4 k/m, where c and k are the smallest damping and
 * stiffness of the contact during the step. A step is also wrong, however smooth the contact force is, if the
 * penetration at its end is so deep that the contact stores more energy than the bodies had.
 *
 * Multistep formulas estimate the error of their velocities themselves; for them Simpson's rule is used only for a
 * contact that closes and opens between two open ends. The estimate of these formulas is the distance of the
 * velocities from an extrapolation, multiplied by a constant that decreases with the order. This constant is valid
 * only if the force has as many derivatives as the order of the formula. A contact force has no derivative at the
 * instant of closing or opening. Near this instant the estimate is therefore the whole distance, but at most the error
 * by Simpson's rule, because a step that is short compared with the previous steps hardly depends on the past.
 * Otherwise the steps out of a contact with order 10 lose 1e-9 of the energy at every tolerance. The velocities of
 * these formulas are not differences of positions and have less round-off.
 *
 * When a contact is about to close, the precision of Newton's iteration may not determine whether its force is already
 * present. Therefore the change of the normal velocity due to the residual of the iteration is added to dv.
 *
 * Other loads P per mass that press the bodies together supply energy to the contact: h P within the step, and P' tol
 * permanently, where P' is the lasting part of P (P itself would include the impact of a neighbour). */
#include "control/contact_error_private.h"
#include "base/hot.h"
#include "core/contact.h"
#include "core/map.h"
#include <stdlib.h>

/* Tolerance for which the fractions in contact_error_private.h are given: the default of
 * second-order methods. With a smaller tolerance the fractions are smaller too, but not below
 * the round-off of an energy. */
static const double usual_rtol = 1e-7, least_share = 1e-9;

static double find_share(const hk_sim *s) {
  double share = s->option.rtol / usual_rtol;
  return fmax(least_share, fmin(1, share));
}

/* Tolerance of lengths: ten times the tolerance of the run, but not larger than the default tolerance. */
static double find_tolerance(const hk_sim *s) {
  double length = s->model->length, asked = s->option.atol + s->option.rtol * length;
  return fmax(asked, fmin(10 * asked, 1e-8 + 1e-6 * length));
}

hk_status hk_contact_judge_create(hk_sim *s, hk_error *err) {
  const hk_model *m = s->model;
  hk_contact_judge *j = &s->judge;
  if (m->n_points == 0) return HK_OK;
  const size_t four = (size_t)s->work->n_batches * sizeof *j->four / sizeof *j->block;
  size_t n = (size_t)m->n_contacts + 2 * (size_t)m->n_points + (size_t)m->n_nodes + four;
  j->block = calloc(n + (size_t)m->n_memory, sizeof *j->block);
  if (!j->block) return hk_fail(err, HK_ENOMEM, "out of memory");
  j->stiffness = j->block;
  j->mobility = j->stiffness + m->n_contacts;
  j->off = j->mobility + m->n_points;
  j->energy = j->off + m->n_points;
  j->four = (hk_batch_verdict *)(j->energy + m->n_nodes);
  j->tolerance = find_tolerance(s);
  j->share = find_share(s);
  j->grain = fmax(hk_judge_grain * m->length, hk_judge_velocity_floor * j->tolerance);
  for (int i = 0; i < m->n_contacts; i++) {
    const hk_contact *c = &m->contact[i];
    if (c->law->set_valued) continue;
    const hk_instant in = {.h = INFINITY, .memory = j->block + n};
    hk_law_in law = hk_law_in_at(s->work, &in);
    hk_normal out = {0};
    hk_law_in_point(c, &in, 0, &law);
    law.depth = j->tolerance - c->reach;
    law.rate = 0;
    hk_contact_normal(c, &law, &out);
    j->stiffness[i] = out.N_depth > 0 && isfinite(out.N_depth) ? out.N_depth : 0;
  }
  return HK_OK;
}

/* ---- what is known of a point ---- */

/* Computes the two sums of give_way for a row of length node->nv. */
HK_INLINE double give_along(const hk_work *w, int marker, const hk_node *node, hk_vec3 n, hk_vec3 c,
                            const double *off, double *row, double *mobility) {
  const double *give = w->model->give + node->v;
  double along = 0;
  hk_map_row(w, marker, n, hk_cross(hk_sub(c, w->frame[marker].x), n), row);
  for (int k = 0; k < node->nv; k++) {
    if (row[k] == 0) continue;
    *mobility += give[k] * row[k] * row[k];
    along += row[k] * off[node->v + k];
  }
  return along;
}

HK_APART static double give_way_wide(const hk_work *w, int marker, const hk_node *node, hk_vec3 n,
                                     hk_vec3 c, const double *off, double *mobility) {
  double row[node->nv];
  return give_along(w, marker, node, n, c, off, row, mobility);
}

/* Let c be a point that is fixed to the body of the marker, and J the row whose product with the velocities of the
 * body is the velocity of c along n. Adds the mobility J M^-1 J^T to *mobility. Returns the product of J and the
 * vector `off`. */
HK_INLINE double give_way(const hk_work *w, int marker, hk_vec3 n, hk_vec3 c, const double *off,
                          double *mobility) {
  const hk_node *node = hk_map_node(w, marker);
  double row[HK_NODE_FEW];
  if (!node) return 0;
  if (node->nv > HK_NODE_FEW) return give_way_wide(w, marker, node, n, c, off, mobility);
  return give_along(w, marker, node, n, c, off, row, mobility);
}

const double *hk_velocity_left(hk_sim *s, double impulse) {
  const hk_model *m = s->model;
  for (int i = 0; i < m->nv; i++) s->u[i] = impulse * m->give[i] * s->r[i];
  return s->u;
}

/* Values returned by the law at the last evaluation. */
HK_INLINE void note_force(const hk_contact_eval *t, double *note) {
  note[HK_TOUCH_GAP] = t->gap;
  note[HK_TOUCH_FORCE] = t->N;
  note[HK_TOUCH_STORED] = t->potential;
  note[HK_TOUCH_STIFFNESS] = t->N_depth;
  note[HK_TOUCH_DAMPING] = t->N_rate;
}

/* Same as hk_contact_ball_approach, for any contact. */
static void find_approach(const hk_work *w, const hk_contact *c, const double *off,
                          hk_approach *out) {
  hk_gap gap[HK_CONTACT_MAX_POINTS];
  double rate[HK_CONTACT_MAX_POINTS];
  hk_contact_approach(w, c, gap, rate);
  for (int i = 0; i < c->n_points; i++) {
    out[i].rate = rate[i];
    out[i].mobility = 0;
    out[i].along = give_way(w, c->b, gap[i].n, gap[i].c, off, &out[i].mobility) -
                   give_way(w, c->a, gap[i].n, gap[i].c, off, &out[i].mobility);
  }
}

/* Computes rates, mobilities and velocity errors at the points of a contact, with the frames in `work`. */
static void note_motion(const hk_sim *s, const hk_contact *c, const double *off, double *x) {
  hk_approach point[HK_CONTACT_MAX_POINTS];
  if (c->ball)
    hk_contact_ball_approach(s->work, c, off, point);
  else
    find_approach(s->work, c, off, point);
  for (int i = 0; i < c->n_points; i++) {
    hk_note_of(s->model, x, c->point + i)[HK_TOUCH_RATE] = point[i].rate;
    s->judge.mobility[c->point + i] = point[i].mobility;
    s->judge.off[c->point + i] = point[i].along;
  }
}

void hk_contact_note(const hk_sim *s, double *x) {
  const hk_model *m = s->model;
  for (int i = 0; i < m->n_contacts; i++) {
    const hk_contact *c = &m->contact[i];
    if (c->law->set_valued) continue;
    note_motion(s, c, x + m->at.v, x); /* no error yet */
    for (int k = 0; k < c->n_points; k++) {
      double *note = hk_note_of(m, x, c->point + k);
      note_force(&s->work->touch[c->point + k], note);
      note[HK_TOUCH_LAGGED] = note[HK_TOUCH_FORCE];
    }
  }
}

/* If a contact is so far away that it cannot close within a step, the mean rate is sufficient. */
static bool is_far(const hk_sim *s, const hk_contact *c, const double *x0, double h, double *x1) {
  const hk_model *m = s->model;
  const double *start = x0 + m->at.touch + c->point * HK_N_TOUCH;
  for (int i = 0; i < c->n_points; i++) {
    const double *a = start + i * HK_N_TOUCH;
    double g0 = a[HK_TOUCH_GAP], g1 = s->work->touch[c->point + i].gap;
    double move = hk_most(fabs(g1 - g0), h * fabs(a[HK_TOUCH_RATE]));
    if (!(g0 - c->reach > 4 * move && g1 - c->reach > 4 * move)) return false;
  }
  for (int i = 0; i < c->n_points; i++) {
    double *note = hk_note_of(m, x1, c->point + i), g0 = start[i * HK_N_TOUCH + HK_TOUCH_GAP];
    note[HK_TOUCH_RATE] = (s->work->touch[c->point + i].gap - g0) / h;
    s->judge.mobility[c->point + i] = 0;
  }
  return true;
}

/* ---- the error of a point ---- */

/* Stores the lasting load P of the step (see hk_judge_lasting) with the data of its end, and
 * returns P. */
static double find_load(const hk_sim *s, const hk_judged *p, double h, double before,
                        const hk_step_rule *rule) {
  double N0 = p->at0[HK_TOUCH_FORCE], N1 = p->at1[HK_TOUCH_FORCE];
  double A0 = N0 + (before > 0 ? h / before : 1) * (p->at0[HK_TOUCH_LAGGED] - N0);
  double A1 = ((1 - rule->af) * N1 + rule->af * N0 - rule->am * A0) / (1 - rule->am);
  double mean = (1 - rule->gamma) * A0 + rule->gamma * A1;
  double P = mean * p->mobility - (p->at1[HK_TOUCH_RATE] - p->at0[HK_TOUCH_RATE]) / h;
  double stiffness = s->judge.stiffness[p->c - s->model->contact];
  double x = h * sqrt(stiffness * p->mobility) / hk_judge_lasting;
  p->at1[HK_TOUCH_LAGGED] = A1;
  p->at1[HK_TOUCH_LOAD] = (p->at0[HK_TOUCH_LOAD] + x * P) / (1 + x);
  return P;
}

/* Returns an upper bound of the penetration within the step for a convex gap that is open at both ends. A convex gap
 * is never below its tangents at the two ends. */
static double flown_past(double g0, double r0, double g1, double r1, double h) {
  if (!(r0 < 0 && r1 > 0)) return 0;
  double t = (g1 - g0 - h * r1) / (r0 - r1);
  return -(g0 + r0 * t);
}

/* Smallest significant penetration of a contact that closes and opens again within a step. The smallest significant
 * penetration may be less than the tolerance, because a body may be thinner than the tolerance. */
static double least_depth(const hk_sim *s, const hk_contact *c) {
  /* limit of the penetration as a fraction of hk_contact.deepest, the penetration at which the middle of the smaller
   * body reaches the surface */
  static const double share = 1e-3;
  return hk_least(s->judge.tolerance, share * c->deepest);
}

/* Allowed energy error of a point with the speeds u (present) and v (reached) under the lasting load P. */
static double most_error(const hk_sim *s, const hk_contact *c, double u, double v, double P,
                         double h, const hk_step_rule *rule) {
  double tol = s->judge.tolerance, z = hk_judge_noise(s, rule, h);
  double all = hk_least(hk_body_energy(s, c->a), hk_body_energy(s, c->b));
  return s->judge.share * (hk_judge_own_share * v * v / 2 + hk_judge_body_share * all) +
         hk_judge_load_share * tol * hk_most(0, P) + z * (u + z);
}

/* [m/s] Velocity error of a contact point that overlaps without force at the start of the step, because its damping
 * force would be tensile, and that is open at the end. If the damping decreases with the depth, the bodies push each
 * other apart once more before they separate. This force is zero at both ends of the step. */
static double pushed_in_parting(const hk_sim *s, const hk_judged *p, const hk_instant *in) {
  enum { PARTS = 8 };
  const double *a = p->at0;
  double depth = p->c->reach - a[HK_TOUCH_GAP], rate = a[HK_TOUCH_RATE], sum = 0;
  if (!(depth > 0 && rate > 0 && a[HK_TOUCH_FORCE] == 0 && p->at1[HK_TOUCH_GAP] >= p->c->reach))
    return 0;
  hk_law_in law = hk_law_in_at(s->work, in);
  hk_law_in_point(p->c, in, p->number, &law);
  law.rate = -rate;
  for (int i = 0; i < PARTS; i++) {
    hk_normal part = {0};
    law.depth = (i + 0.5) / PARTS * depth - p->c->reach;
    hk_contact_normal(p->c, &law, &part);
    sum += part.N;
  }
  return p->mobility * sum / PARTS * depth / rate;
}

/* Returns true if the contact closes or opens within the step, or within the time `span` of one of its ends. */
static bool is_near_closing(double g0, double r0, double g1, double r1, double span) {
  return (g0 < 0) != (g1 < 0) || fabs(g0) < span * fabs(r0) || fabs(g1) < span * fabs(r1);
}

static double point_error(const hk_sim *s, const hk_judged *p, double h, double before,
                          const hk_instant *in, const hk_step_rule *rule) {
  const double *a = p->at0, *b = p->at1;
  double w = p->mobility, reach = p->c->reach;
  double P = find_load(s, p, h, before, rule);
  double g0 = a[HK_TOUCH_GAP], g1 = b[HK_TOUCH_GAP], r0 = a[HK_TOUCH_RATE], r1 = b[HK_TOUCH_RATE];
  double gm = 0.5 * (g0 + g1) + 0.125 * h * (r0 - r1), rm = 1.5 * (g1 - g0) / h - 0.25 * (r0 + r1);
  bool open = g0 >= reach && g1 >= reach;
  if (open && g1 >= reach + 0.5 * h * fabs(p->off) && gm >= reach)
    return flown_past(g0 - reach, r0, g1 - reach, r1, h) > least_depth(s, p->c) ? 8 : 0;
  hk_law_in law = hk_law_in_at(s->work, in);
  hk_normal mid = {0};
  hk_law_in_point(p->c, in, p->number, &law);
  law.depth = -gm, law.rate = -rm;
  if (gm < reach) hk_contact_normal(p->c, &law, &mid);
  double simpson = h * w / 3 * fabs(a[HK_TOUCH_FORCE] - 2 * mid.N + b[HK_TOUCH_FORCE]);
  double off = fabs(p->off);
  if (rule->scale > 0 && is_near_closing(g0 - reach, r0, g1 - reach, r1, rule->span))
    off = hk_least(off / rule->scale, hk_most(off, simpson));
  double dv = off + (rule->scale > 0 && !open ? 0 : simpson) +
              (g0 < reach ? pushed_in_parting(s, p, in) : 0);
  double u = sqrt(r0 * r0 + 2 * a[HK_TOUCH_STORED] * w), v = u + h * hk_most(P, 0);
  double limit = most_error(s, p->c, u, v, hk_least(P, b[HK_TOUCH_LOAD]), h, rule);
  double c = hk_most(0, hk_least(a[HK_TOUCH_DAMPING], hk_least(mid.N_rate, b[HK_TOUCH_DAMPING])));
  double k =
      hk_most(0, hk_least(a[HK_TOUCH_STIFFNESS], hk_least(mid.N_depth, b[HK_TOUCH_STIFFNESS])));
  double error = dv * (u + dv / 2) / (1 + 0.5 * h * w * c + 0.25 * h * h * w * k);
  double stored = b[HK_TOUCH_STORED] * w;
  if (stored > v * v) error = hk_most(error, stored - v * v / 2);
  return error / limit;
}

/* ---- steps that meet a contact ---- */

/* Time at which an open contact point will close, predicted from its motion and its constant load. A step that ends
 * in contact already includes the impact. */
static double time_to_touch(const double *note, double reach) {
  double g = note[HK_TOUCH_GAP] - reach, r = note[HK_TOUCH_RATE];
  double square = r * r + 2 * note[HK_TOUCH_LOAD] * g;
  double speed = square > 0 ? sqrt(square) - r : 0; /* g + r t - P t^2/2 = 0 */
  return speed > 0 ? 2 * g / speed : INFINITY;
}

/* Fraction of the limit allowed for the first step into a contact. */
static const double first_share = 0.5;

/* Allowed length of the first step into a contact that closes with the speed u. h is halved until the error, estimated
 * as in point_error for a force that starts at zero, is small enough. */
static double first_step(const hk_sim *s, const hk_judged *p, double u, double h,
                         const hk_instant *in, const hk_step_rule *rule) {
  hk_law_in law = hk_law_in_at(s->work, in);
  hk_law_in_point(p->c, in, p->number, &law);
  law.rate = u;
  for (int i = 0; i < 40; i++, h *= 0.5) {
    hk_normal mid = {0}, end = {0};
    law.depth = 0.5 * h * u - p->c->reach;
    hk_contact_normal(p->c, &law, &mid);
    law.depth = h * u - p->c->reach;
    hk_contact_normal(p->c, &law, &end);
    double dv = h * p->mobility / 3 * fabs(2 * mid.N - end.N);
    if (dv * (u + dv / 2) <=
        first_share * most_error(s, p->c, u, u, p->at0[HK_TOUCH_LOAD], h, rule))
      break;
  }
  return h;
}

void hk_look_ahead(hk_sim *s, const hk_judged *p, double h, const hk_instant *in,
                   const hk_step_rule *rule) {
  double reach = p->c->reach, g = p->at0[HK_TOUCH_GAP] - reach, r = p->at0[HK_TOUCH_RATE];
  if (!(g > 0)) return;
  double time = time_to_touch(p->at0, reach);
  if (!(time < h && time < s->judge.met.time)) return;
  double u = sqrt(hk_most(0, r * r + 2 * p->at0[HK_TOUCH_LOAD] * g));
  s->judge.met = (hk_met){p->c->point + p->number, time, first_step(s, p, u, h, in, rule)};
}

void hk_contact_land(const hk_sim *s, double h, hk_attempt *info) {
  const hk_met *met = &s->judge.met;
  if (!(met->time < h)) return;
  if (met->time > 3 * met->first) {
    info->memory->land = *met;
    info->memory->land.time = info->next = met->time - met->first;
  } else {
    info->next = fmin(0.5 * h, met->time + met->first);
  }
}

double hk_contact_leave(const hk_sim *s, double h, const hk_attempt *info, const double *x1) {
  const hk_model *m = s->model;
  const hk_met *land = &info->memory->land;
  if (!(land->time > 0 && h >= 0.999 * land->time)) return 0;
  const hk_contact *c = &m->contact[m->point_contact[land->point]];
  double left = time_to_touch(x1 + m->at.touch + land->point * HK_N_TOUCH, c->reach);
  return left < h ? left + land->first : 0;
}

/* Maximum contact energies of the bodies at the start of the step. */
static void collect_energy(const hk_sim *s, const hk_contact *c, const double *x0) {
  const hk_model *m = s->model;
  for (int i = 0; i < c->n_points; i++) {
    const double *a = x0 + m->at.touch + (c->point + i) * HK_N_TOUCH;
    if (a[HK_TOUCH_GAP] >= c->reach) continue;
    double energy = 0.5 * a[HK_TOUCH_RATE] * a[HK_TOUCH_RATE] +
                    a[HK_TOUCH_STORED] * s->judge.mobility[c->point + i];
    for (int end = 0; end < 2; end++) {
      int node = m->marker[end ? c->b : c->a].node;
      if (node != HK_GROUND) s->judge.energy[node] = hk_most(s->judge.energy[node], energy);
    }
  }
}

/* Collects all data of a contact at the end of a step. */
static void note_contact(const hk_sim *s, const hk_contact *c, const double *x0, double h,
                         const double *off, double *x1) {
  if (!is_far(s, c, x0, h, x1)) {
    note_motion(s, c, off, x1);
    collect_energy(s, c, x0);
  }
  for (int i = 0; i < c->n_points; i++)
    note_force(&s->work->touch[c->point + i], hk_note_of(s->model, x1, c->point + i));
}

/* ---- all points ---- */

static double single_error(hk_sim *s, const hk_contact *c, const double *x0, double h, double *x1,
                           const hk_instant *in, const hk_step_rule *rule) {
  const hk_model *m = s->model;
  double worst = 0;
  for (int k = 0; k < c->n_points; k++) {
    int i = c->point + k;
    const hk_judged p = {c,
                         k,
                         s->judge.mobility[i],
                         s->judge.off[i],
                         x0 + m->at.touch + i * HK_N_TOUCH,
                         hk_note_of(m, x1, i)};
    if (!(p.mobility > 0 && isfinite(p.mobility))) continue;
    double error = point_error(s, &p, h, x0[m->at.h], in, rule);
    worst = hk_worse(error, worst);
    if (error > 1) hk_look_ahead(s, &p, h, in, rule);
  }
  return worst;
}

HK_HOT HK_FLAT double hk_contact_error(hk_sim *s, const double *x0, double h, double *x1,
                                       const hk_step_rule *rule, const double *off) {
  const hk_model *m = s->model;
  const hk_work *w = s->work;
  double worst = 0;
  if (m->n_points == 0) return 0;
  hk_zero(s->judge.energy, m->n_nodes);
  s->judge.met.time = INFINITY;
  hk_instant in = hk_instant_at(m, x1);
  in.h = h;
  for (int i = 0; i < w->n_batches; i++) hk_batch_judge(s, i, x0, h, x1, rule, off);
  for (int i = 0; i < w->n_singles; i++) note_contact(s, &m->contact[w->single[i]], x0, h, off, x1);
  for (int i = 0; i < w->n_batches; i++)
    worst = hk_worse(hk_batch_error(s, i, x0, h, x1, &in, rule), worst);
  for (int i = 0; i < w->n_singles; i++)
    worst = hk_worse(single_error(s, &m->contact[w->single[i]], x0, h, x1, &in, rule), worst);
  /* If the user sets a minimum step, the run continues in spite of the error. */
  return h < 5 * s->option.min_step ? fmin(worst, 1) : worst;
}
