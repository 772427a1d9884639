/* See quasistatic.h. */
#include "gear/quasistatic.h"
#include <math.h>

enum { ROUNDS = 100 };

double hk_gear_stiffness(const hk_gear_flank_load *l, double *room) {
  double sum = 0;
  for (int i = 0; i < l->n; i++) room[i] = -1;
  hk_mesh_respond(l->slice, l->n, l->room, room, 1);
  for (int i = 0; i < l->n; i++) sum += l->slice[i].open ? 0 : l->slice[i].load.F_x * room[i];
  return sum;
}

static void set_sections(const hk_gear_pair *p, double speed, double flank, double way,
                         double overlap, hk_gear_section *section) {
  const hk_involute *g = &p->geometry;
  double length = g->center_distance * sin(g->working_pressure_angle);
  for (int i = 0; i < p->slices; i++) {
    double s = p->part[i] * p->face, R1 = g->pitch_roll[0] + way + flank * g->tan_base * s;
    section[i] = (hk_gear_section){
        .roll = {R1, length - g->sign * R1},
        .overlap = overlap,
        .turn = {flank * speed, flank * speed * g->teeth[0] / g->teeth[1]},
        .height = {s + p->middle + 0.5 * p->shift, s + p->middle - 0.5 * p->shift},
        .part = 1};
  }
}

static double total(const hk_gear_flank_load *l) {
  double sum = 0;
  for (int i = 0; i < l->n; i++) sum += l->slice[i].load.F;
  return sum;
}

/* Newton's method for the penetration, safeguarded by lower and upper bounds. */
bool hk_gear_overlap_at(const hk_gear_pair *p, double load, double speed, double flank, double way,
                        double *overlap, double *stiffness, hk_gear_section *section,
                        hk_gear_flank_load *out) {
  const hk_gear_recall none = {0};
  const hk_gear_side side = {.flank = flank};
  double low = -1, high = INFINITY, d = *overlap, response[HK_GEAR_MAX_SLICES * 16];
  if (p->slices * p->teeth_at_once > HK_GEAR_MAX_SLICES * 16) return false;
  for (int round = 0; round < ROUNDS; round++) {
    set_sections(p, speed, flank, way, d, section);
    if (!hk_gear_flank_solve(p, section, &side, &none, false, out)) return false;
    double more = load - total(out), k = out->n ? hk_gear_stiffness(out, response) : 0;
    if (more > 0) low = fmax(low, d);
    if (more < 0) high = fmin(high, d);
    double next = k > 0 ? d + more / k : INFINITY;
    bool done = fabs(next - d) <= 1e-13;
    if (done) {
      *overlap = d;
      if (stiffness) *stiffness = k;
      return true;
    }
    if (!(next > low && next < high)) {
      if (isinf(high))
        next = d + fmax(1e-6, fabs(d));
      else
        next = 0.5 * (fmax(low, -1e-3) + high);
    }
    d = next;
  }
  return false;
}

/* Stores the results at one position. */
static void take(const hk_gear_flank_load *l, hk_gear_point *out) {
  int last = 0;
  bool any = false;
  for (int i = 0; i < l->n; i++) {
    const hk_mesh_slice *s = &l->slice[i];
    if (s->open || !(s->load.F > 0)) continue;
    double half, peak;
    hk_line_hertz(&s->spot, s->load.F / s->weight, &half, &peak);
    out->pressure = fmax(out->pressure, peak);
    if (s->load.film > 0) out->film = out->film > 0 ? fmin(out->film, s->load.film) : s->load.film;
    out->damping += s->load.damping;
    if (!any || l->touched[i].pair != last) out->pairs++;
    last = l->touched[i].pair;
    any = true;
  }
}

/* Stores the results of one of the pairs in contact. */
static void take_pass(const hk_gear_pair *p, const hk_gear_flank_load *l,
                      const hk_gear_section *section, double load, int pair, double way,
                      hk_gear_pass *out) {
  const hk_involute *g = &p->geometry;
  const hk_gear_section *mid = &section[p->slices / 2];
  double R1 = mid->roll[0] + pair * g->base_pitch,
         R2 = mid->roll[1] - g->sign * pair * g->base_pitch;
  *out = (hk_gear_pass){.way = way + pair * g->base_pitch,
                        .rolling = mid->turn[0] * R1 + mid->turn[1] * R2,
                        .sliding = mid->turn[0] * R1 - mid->turn[1] * R2,
                        .radius = hk_involute_radius(g, R1, R2, NULL)};
  for (int i = 0; i < l->n; i++) {
    const hk_mesh_slice *s = &l->slice[i];
    if (l->touched[i].pair != pair || s->open) continue;
    double half, peak;
    hk_line_hertz(&s->spot, s->load.F / s->weight, &half, &peak);
    out->share += s->load.F / load;
    out->pressure = fmax(out->pressure, peak);
    if (s->load.film > 0) out->film = out->film > 0 ? fmin(out->film, s->load.film) : s->load.film;
  }
}

static void add(hk_gear_mean *m, double x, int n) {
  m->mean += x / n;
  m->least = fmin(m->least, x);
  m->most = fmax(m->most, x);
}

static void summarise(hk_gear_quasistatic *q) {
  q->overlap = q->stiffness = q->damping = q->film = q->pressure = q->pairs =
      (hk_gear_mean){0, INFINITY, -INFINITY};
  for (int i = 0; i < q->n; i++) {
    const hk_gear_point *at = &q->point[i];
    add(&q->overlap, at->overlap, q->n);
    add(&q->stiffness, at->stiffness, q->n);
    add(&q->damping, at->damping, q->n);
    add(&q->film, at->film, q->n);
    add(&q->pressure, at->pressure, q->n);
    add(&q->pairs, at->pairs, q->n);
  }
  for (int k = 1; k <= HK_GEAR_ORDERS; k++) {
    double re = 0, im = 0;
    for (int i = 0; i < q->n; i++) {
      double angle = 2 * M_PI * k * i / q->n;
      re += 2 * cos(angle) * q->point[i].overlap / q->n;
      im += 2 * sin(angle) * q->point[i].overlap / q->n;
    }
    q->order[k - 1] = hypot(re, im);
  }
}

static double friction_loss(const hk_gear_pair *p, const hk_gear_flank_load *l) {
  double sum = 0;
  for (int i = 0; i < l->n; i++)
    if (!l->slice[i].open)
      sum +=
          l->touched[i].sliding *
          p->ops->friction(p->law, &l->slice[i].spot, l->slice[i].load.F, l->touched[i].sliding).T;
  return sum;
}

hk_status hk_gear_quasistatic_run(const hk_gear_pair *pair, double torque, double speed, int points,
                                  hk_arena *arena, hk_gear_quasistatic *out, hk_error *err) {
  /* Ends contact abruptly at the tips. This is possible because the jump cannot disturb a time integration. */
  hk_gear_pair sharp = *pair, *p = &sharp;
  const hk_involute *g = &p->geometry;
  int pairs = 2 * p->teeth_at_once + 1;
  sharp.edge = fmin(pair->edge, 1e-3 * g->base_pitch);
  *out =
      (hk_gear_quasistatic){.n = points, .load = fabs(torque) / (g->base_radius[0] * g->cos_base)};
  double *scratch = HK_NEW_ARRAY(arena, double, hk_gear_flank_scratch(p));
  hk_gear_section *section = HK_NEW_ARRAY(arena, hk_gear_section, p->slices);
  out->point = HK_NEW_ARRAY(arena, hk_gear_point, points);
  out->pass = HK_NEW_ARRAY(arena, hk_gear_pass, points * pairs);
  if (!scratch || !section || !out->point || !out->pass)
    return hk_fail(err, HK_ENOMEM, "out of memory");
  hk_gear_flank_load l;
  hk_gear_flank_lay(p, scratch, &l);
  double overlap = 1e-5, flank = torque < 0 ? -1 : 1;
  /* The results of all pairs are sorted by `way`, the position along the line of action. */
  for (int i = 0; i < points; i++) {
    hk_gear_point *at = &out->point[i];
    at->way = g->base_pitch * ((double)i / points - 0.5);
    if (!hk_gear_overlap_at(p, out->load, speed, flank, at->way, &overlap, &at->stiffness, section,
                            &l))
      return hk_fail(err, HK_EFAIL,
                     "the load sharing of the teeth did not converge %.4g mm from the pitch point",
                     1e3 * at->way);
    at->overlap = overlap;
    take(&l, at);
    out->friction_loss += friction_loss(p, &l) / points;
    for (int k = 0; k < pairs; k++)
      take_pass(p, &l, section, out->load, k - p->teeth_at_once, at->way,
                &out->pass[k * points + i]);
  }
  out->n_passes = points * pairs;
  summarise(out);
  return HK_OK;
}
