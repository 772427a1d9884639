/* Error estimate of contacts, four at once: point_error of contact_error.c with one contact per SIMD lane.
 *
 * Contacts of a batch have the same frame A and no range of action.  Their limit needs the energies of the bodies,
 * which are known when all contacts have been evaluated; the result is stored until then. */
#include "base/hot.h"
#include "core/contact.h"
#include "control/contact_error_private.h"

_Static_assert(HK_TOUCH_LAGGED == HK_TOUCH_GAP + 7, "the notes of a point are eight in a row");
enum { GAP, RATE, FORCE, STORED, STIFFNESS, DAMPING, LOAD, LAGGED };

HK_INLINE hk_v4 less4(hk_v4 a, hk_v4 b) { return hk_where4(a < b, a, b); }
HK_INLINE hk_v4 more4(hk_v4 a, hk_v4 b) { return hk_where4(a > b, a, b); }
HK_INLINE hk_v4 size4(hk_v4 a) { return more4(a, -a); }

/* Loads four numbers for each of the four lanes; out[k] holds number k of all lanes. */
HK_INLINE void gather(const double *const at[4], hk_v4 out[4]) {
  hk_transpose4(HK_V4C(at[0]), HK_V4C(at[1]), HK_V4C(at[2]), HK_V4C(at[3]), out);
}
enum { NOTES = 8 }; /* numbers that the state stores for a contact point, in two groups of four */
HK_INLINE void gather_notes(const double *x, const int point[4], hk_v4 out[NOTES]) {
  const double *at[4], *next[4];
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) at[i] = x + point[i] * HK_N_TOUCH, next[i] = at[i] + 4;
  gather(at, out);
  gather(next, out + 4);
}

/* Writes the results of all lanes. A lane without a contact of its own contains a copy of the
 * first lane. */
HK_INLINE void put_notes(const hk_v4 note[NOTES], const int point[4], double *x) {
  hk_v4 first[4], second[4];
  hk_transpose4(note[0], note[1], note[2], note[3], first);
  hk_transpose4(note[4], note[5], note[6], note[7], second);
#pragma GCC unroll 4
  for (int i = 3; i >= 0; i--) {
    double *at = x + point[i] * HK_N_TOUCH;
    HK_V4(at) = first[i], HK_V4(at + 4) = second[i];
  }
}

/* A point of each lane: stored values at the start and at the end of the step. */
typedef struct notes {
  hk_v4 a[NOTES], b[NOTES];
  int point[4];
} notes;

/* Fills the values at the end of the step from the force evaluation, and the loads from the stored ones. */
HK_INLINE void look(const hk_sim *s, const hk_contact_batch *b, int k, const double *from,
                    const double *to, notes *n) {
  const double *touch[4], *next[4], *load[4];
  hk_v4 t[NOTES], old[4];
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) {
    n->point[i] = b->point[i] + k;
    touch[i] = (const double *)&s->work->touch[n->point[i]], next[i] = touch[i] + 4;
    load[i] = to + n->point[i] * HK_N_TOUCH + STIFFNESS;
  }
  gather_notes(from, n->point, n->a);
  gather(touch, t);
  gather(next, t + 4);
  gather(load, old);
  n->b[GAP] = t[0], n->b[FORCE] = t[1], n->b[STORED] = t[3];
  n->b[STIFFNESS] = t[4], n->b[DAMPING] = t[5];
  n->b[LOAD] = old[LOAD - STIFFNESS], n->b[LAGGED] = old[LAGGED - STIFFNESS];
}

/* is_far */
HK_INLINE hk_m4 far(const notes *n, double h) {
  hk_v4 g0 = n->a[GAP], g1 = n->b[GAP], move = 4 * more4(size4(g1 - g0), h * size4(n->a[RATE]));
  return (g0 > move) & (g1 > move);
}

/* Same as collect_energy of contact_error.c, for four contacts: energies of the points that were closed at the start. */
HK_INLINE hk_v4 energy_of(const notes *n, hk_v4 mobility) {
  hk_v4 r = n->a[RATE];
  return hk_only4(n->a[GAP] < hk_all4(0), 0.5 * r * r + n->a[STORED] * mobility);
}

static void collect(const hk_sim *s, const hk_contact_batch *b, hk_v4 energy) {
  double *of = s->judge.energy, all = 0;
  int node = s->model->marker[b->contact[0]->a].node;
  for (int i = 0; i < b->n; i++) {
    of[b->node[i]] = hk_most(of[b->node[i]], energy[i]);
    all = hk_most(all, energy[i]);
  }
  if (node != HK_GROUND) of[node] = hk_most(of[node], all);
}

/* Same as find_load of contact_error.c, for four contacts, in the active lanes. */
HK_INLINE hk_v4 find_loads(notes *n, hk_m4 judged, hk_v4 mobility, hk_v4 stiffness, double h,
                           double ratio, const hk_step_rule *rule) {
  const hk_v4 *a = n->a, *b = n->b;
  double back = 1 / (1 - rule->am), by_h = 1 / h;
  hk_v4 N0 = a[FORCE], A0 = N0 + ratio * (a[LAGGED] - N0);
  hk_v4 A1 = (1 - rule->af) * back * b[FORCE] + rule->af * back * N0 - rule->am * back * A0;
  hk_v4 P = ((1 - rule->gamma) * A0 + rule->gamma * A1) * mobility - (b[RATE] - a[RATE]) * by_h;
  hk_v4 x = h / hk_judge_lasting * hk_sqrt4(stiffness * mobility);
  n->b[LAGGED] = hk_where4(judged, A1, b[LAGGED]);
  n->b[LOAD] = hk_where4(judged, (a[LOAD] + x * P) / (1 + x), b[LOAD]);
  return P;
}

/* Same as pushed_in_parting of contact_error.c, for four contacts. */
HK_INLINE hk_v4 pushed_in_parting(const hk_contact_batch *batch, const notes *n, hk_v4 mobility) {
  enum { PARTS = 8 };
  const hk_v4 none = hk_all4(0), *a = n->a;
  const hk_m4 parts = (a[GAP] < none) & (n->b[GAP] >= none) & (a[RATE] > none) & (a[FORCE] == none);
  if (!hk_any4(parts)) return none;
  hk_v4 sum = none, closing = -a[RATE];
  for (int i = 0; i < PARTS; i++) {
    hk_v4 depth = hk_only4(parts, -(i + 0.5) / PARTS * a[GAP]);
    hk_normal_four part;
    batch->contact[0]->law->four->normal(batch->l, &depth, &closing, &part);
    sum += part.N;
  }
  return hk_only4(parts, -1.0 / PARTS * mobility * sum * a[GAP] / a[RATE]);
}

/* Same as point_error of contact_error.c, for four contacts: stores the three parts of the error. */
HK_INLINE void judge(const hk_sim *s, const hk_contact_batch *batch, notes *n, int i, double h,
                     double ratio, const hk_step_rule *rule, hk_v4 along, hk_batch_verdict *out) {
  const hk_v4 none = hk_all4(0), w = out->mobility[i], off = size4(along);
  const int *index = batch->index;
  const double *k0 = s->judge.stiffness;
  const hk_v4 stiffness = {k0[index[0]], k0[index[1]], k0[index[2]], k0[index[3]]};
  const hk_m4 judged = (w > none) & (w < hk_all4(INFINITY)) & batch->used;
  const hk_v4 *a = n->a, *b = n->b;
  hk_v4 P = find_loads(n, judged, w, stiffness, h, ratio, rule);
  hk_v4 g0 = a[GAP], g1 = b[GAP], r0 = a[RATE], r1 = b[RATE];
  hk_v4 gm = 0.5 * (g0 + g1) + 0.125 * h * (r0 - r1), rm = (g1 - g0) * (1.5 / h) - 0.25 * (r0 + r1);
  hk_m4 open = (g0 >= none) & (g1 >= none), clear = open & (g1 >= 0.5 * h * off) & (gm >= none);
  out->top[i] = out->share[i] = none, out->limit[i] = hk_all4(1);
  if (!hk_any4(judged & ~(clear & ((r0 >= none) | (r1 <= none))))) return;
  double tol = s->judge.tolerance, z = hk_judge_noise(s, rule, h), share = s->judge.share;
  hk_v4 past = hk_only4((r0 < none) & (r1 > none), -(g0 + r0 * (g1 - g0 - h * r1) / (r0 - r1)));
  hk_normal_four mid;
  hk_v4 depth = more4(none, -gm), closing = -rm;
  batch->contact[0]->law->four->normal(batch->l, &depth, &closing, &mid);
  hk_v4 simpson = h / 3 * w * size4(a[FORCE] - 2 * mid.N + b[FORCE]);
  hk_v4 velocity = off;
  if (rule->scale > 0) {
    hk_m4 near = ((g0 < none) ^ (g1 < none)) | (size4(g0) < rule->span * size4(r0)) |
                 (size4(g1) < rule->span * size4(r1));
    velocity = hk_where4(near, less4(off / rule->scale, more4(off, simpson)), off);
    simpson = hk_only4(open, simpson);
  }
  hk_v4 dv = velocity + simpson + pushed_in_parting(batch, n, w);
  hk_v4 u = hk_sqrt4(r0 * r0 + 2 * a[STORED] * w), v = u + h * more4(P, none), v2 = v * v;
  hk_v4 limit = 0.5 * share * hk_judge_own_share * v2 +
                hk_judge_load_share * tol * more4(none, less4(P, b[LOAD])) + z * (u + z);
  hk_v4 c = more4(none, less4(a[DAMPING], less4(mid.N_rate, b[DAMPING])));
  hk_v4 k = more4(none, less4(a[STIFFNESS], less4(mid.N_depth, b[STIFFNESS])));
  hk_v4 error = dv * (u + 0.5 * dv) / (1 + 0.5 * h * w * c + 0.25 * h * h * w * k);
  hk_v4 stored = b[STORED] * w;
  error = hk_where4(stored > v2, more4(error, stored - 0.5 * v2), error);
  hk_v4 flown = hk_only4(past > hk_all4(tol), hk_all4(8));
  hk_m4 weighed = judged & ~clear;
  out->top[i] = hk_only4(judged, hk_where4(clear, flown, error));
  out->limit[i] = hk_where4(weighed, limit, hk_all4(1));
  out->share[i] = hk_only4(weighed, hk_all4(share * hk_judge_body_share));
}

HK_HOT HK_FLAT void hk_batch_judge(hk_sim *s, int batch, const double *x0, double h, double *x1,
                                   const hk_step_rule *rule, const double *off) {
  const hk_model *m = s->model;
  const hk_contact_batch *b = &s->work->batch[batch];
  hk_batch_verdict *out = &s->judge.four[batch];
  const double before = x0[m->at.h], ratio = before > 0 ? h / before : 1;
  const double *from = x0 + m->at.touch + HK_TOUCH_GAP;
  double *to = x1 + m->at.touch + HK_TOUCH_GAP;
  const hk_v4 none = hk_all4(0);
  hk_approach_four known;
  notes n[2];
  hk_contact_batch_approach(s->work, b, off, &known);
  look(s, b, 0, from, to, &n[0]);
  look(s, b, 1, from, to, &n[1]);
  const hk_m4 away = far(&n[0], h) & far(&n[1], h);
  for (int i = 0; i < 2; i++) {
    out->mobility[i] = hk_where4(away, none, known.mobility[i]);
    n[i].b[RATE] = hk_where4(away, (n[i].b[GAP] - n[i].a[GAP]) * (1 / h), known.rate[i]);
  }
  collect(s, b,
          hk_only4(~away,
                   more4(energy_of(&n[0], out->mobility[0]), energy_of(&n[1], out->mobility[1]))));
  for (int i = 0; i < 2; i++) {
    judge(s, b, &n[i], i, h, ratio, rule, known.along[i], out);
    put_notes(n[i].b, n[i].point, to);
  }
}

HK_HOT HK_FLAT double hk_batch_error(hk_sim *s, int batch, const double *x0, double h, double *x1,
                                     const hk_instant *in, const hk_step_rule *rule) {
  const hk_contact_batch *b = &s->work->batch[batch];
  const hk_batch_verdict *v = &s->judge.four[batch];
  const double *e = s->judge.energy, a = hk_body_energy(s, b->contact[0]->a);
  const int *node = b->node;
  const hk_v4 energy = less4((hk_v4){e[node[0]], e[node[1]], e[node[2]], e[node[3]]}, hk_all4(a));
  double worst = 0;
  for (int k = 0; k < 2; k++) {
    hk_v4 error = v->top[k] / (v->limit[k] + v->share[k] * energy);
    if (!hk_any4(~(error <= hk_all4(hk_least(worst, 1))))) continue; /* nothing new */
    for (int i = 0; i < b->n; i++) {
      worst = hk_worse(error[i], worst);
      if (!(error[i] > 1)) continue;
      int point = b->point[i] + k;
      const hk_judged p = {b->contact[i],
                           k,
                           v->mobility[k][i],
                           0,
                           hk_note_of(s->model, (double *)x0, point),
                           hk_note_of(s->model, x1, point)};
      hk_look_ahead(s, &p, h, in, rule);
    }
  }
  return worst;
}
