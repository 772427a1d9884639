/* see mesh_force.h. */
#include "gear/mesh_force.h"
#include "gear/flank.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

enum { Z = 12 }; /* positions and rates */

/* ---- scratch ---- */

typedef struct work {
  hk_gear_axes *axes;
  hk_gear_centers *centers;
  hk_gear_section *section;
  hk_gear_rows *rows;
  double *G, *direct; /* [n][Z] */
  double *flank, *next;
} work;

static size_t in_doubles(size_t bytes) { return (bytes + sizeof(double) - 1) / sizeof(double); }

static size_t lay(const hk_gear_pair *p, double *room, work *w) {
  size_t n = (size_t)p->slices, m = n * (size_t)p->teeth_at_once, at = 0;
  const size_t size[] = {in_doubles(sizeof(hk_gear_axes)),
                         in_doubles(n * sizeof(hk_gear_centers)),
                         in_doubles(n * sizeof(hk_gear_section)),
                         in_doubles(n * sizeof(hk_gear_rows)),
                         m * Z,
                         m * Z,
                         (size_t)hk_gear_flank_scratch(p),
                         (size_t)hk_gear_slots_size(p)};
  enum { PARTS = sizeof size / sizeof *size };
  double *part[PARTS] = {NULL};
  for (int i = 0; i < PARTS; i++) {
    if (room) part[i] = room + at;
    at += size[i];
  }
  if (w)
    *w = (work){(hk_gear_axes *)part[0],
                (hk_gear_centers *)part[1],
                (hk_gear_section *)part[2],
                (hk_gear_rows *)part[3],
                part[4],
                part[5],
                part[6],
                part[7]};
  return at;
}

int hk_gear_mesh_force_scratch(const hk_gear_pair *p) { return (int)lay(p, NULL, NULL); }

/* ---- loads ---- */

/* Gradient of the penetration of a pair; `room` is used if the axes of helical gears are
 * inclined. */
static const double *overlap_row(const hk_gear_flank_at *k, const hk_gear_touched *t,
                                 double room[6]) {
  const double *row = k->rows[t->slice].overlap;
  if (t->pair == 0 || k->p->geometry.tan_base == 0) return row;
  for (int i = 0; i < 6; i++) room[i] = row[i] + t->pair * k->step.g[i];
  return room;
}

/* Normal force of one slice, including the damper, and its friction force. */
typedef struct pressed {
  double F, F_load, F_rate; /* total force, and its derivatives with respect to the load of the
                             * law and to the rate of penetration */
  double drag, rate;
  hk_line_friction rub;
} pressed;

static pressed press(const hk_gear_flank_at *k, const hk_gear_touched *t, const hk_mesh_slice *s) {
  const hk_gear_pair *p = k->p;
  pressed out = {.F = s->load.F, .F_load = 1};
  double row[6];
  out.rate = hk_gear_along(overlap_row(k, t, row), k->at->rate);
  if (p->ops->drag) {
    hk_line_drag d = p->ops->drag(p->law, &s->spot, s->load.F, out.rate);
    out.drag = d.value;
    out.F += d.value;
    out.F_load += d.by_load;
    out.F_rate = d.by_rate;
  }
  out.rub = p->ops->friction(p->law, &s->spot, out.F, t->sliding);
  return out;
}

/* Change of the contact position of a slice with changes R1, R2 of the roll lengths in its
 * middle. */
static double moved(const hk_gear_touched *t, int gear, double R1, double R2) {
  return t->moves[gear][0] * R1 + t->moves[gear][1] * R2;
}

/* Gradient of the sliding of a slice and, if requested, its derivative with respect to position. */
static void slide_rows(const hk_gear_flank_at *k, const hk_gear_touched *t, bool second,
                       double g[6], double g_q[6][6]) {
  const hk_gear_rows *r = &k->rows[t->slice];
  double R1 = t->roll[0], R2 = -t->roll[1];
  for (int i = 0; i < 6; i++) {
    g[i] = R1 * r->turn[0][i] + R2 * r->turn[1][i] + r->radial[i];
    for (int j = 0; j < 6 && second; j++)
      g_q[i][j] = R1 * r->turn_q[0][i][j] + R2 * r->turn_q[1][i][j] + r->radial_q[i][j] +
                  r->turn[0][i] * moved(t, 0, r->roll[0][j], r->roll[1][j]) -
                  r->turn[1][i] * moved(t, 1, r->roll[0][j], r->roll[1][j]);
  }
}

/* Derivatives of the sum of the speeds with respect to positions and rates. */
static void speed_slope(const hk_gear_flank_at *k, const hk_gear_touched *t, double out[Z]) {
  const hk_gear_rows *r = &k->rows[t->slice];
  const hk_gear_section *s = &k->section[t->slice];
  for (int j = 0; j < 6; j++) {
    double sum = s->turn[0] * moved(t, 0, r->roll[0][j], r->roll[1][j]) +
                 s->turn[1] * moved(t, 1, r->roll[0][j], r->roll[1][j]);
    for (int i = 0; i < 6; i++)
      sum += (t->roll[0] * r->turn_q[0][i][j] + t->roll[1] * r->turn_q[1][i][j]) * k->at->rate[i];
    out[j] = sum;
    out[6 + j] = t->roll[0] * r->turn[0][j] + t->roll[1] * r->turn[1][j];
  }
}

/* Writes dr/dz at constant x into G, and the part of dF/dz at constant x into `direct`. */
static void residual_slopes(const hk_gear_flank_at *k, const hk_gear_flank_load *l, double *G,
                            double *direct) {
  for (int m = 0; m < l->n; m++) {
    const hk_gear_touched *t = &l->touched[m];
    const hk_mesh_slice *s = &l->slice[m];
    const hk_gear_rows *r = &k->rows[t->slice];
    double u[Z], row[6], *g = G + m * Z, *d = direct + m * Z;
    const double *overlap = overlap_row(k, t, row), *z = k->axes->shift.g;
    speed_slope(k, t, u);
    for (int j = 0; j < Z; j++) {
      double whole1 = j < 6 ? r->roll[0][j] : 0, whole2 = j < 6 ? r->roll[1][j] : 0;
      double shift = j < 6 ? z[j] : 0, narrower = k->narrower * shift;
      double weight = t->weight_slope[0] * whole1 + t->weight_slope[1] * whole2;
      double R1 = moved(t, 0, whole1, whole2), R2 = moved(t, 1, whole1, whole2);
      double radius = t->radius_slope[0] * R1 + t->radius_slope[1] * R2;
      double depth = t->depth_slope[0] * R1 + t->depth_slope[1] * R2;
      g[j] = -(j < 6 ? overlap[j] : 0) + t->shape_slope[0] * R1 + t->shape_slope[1] * R2 +
             t->shape_shift * shift + s->load.y_r * radius + s->load.y_k * depth +
             s->load.y_u * u[j] + s->load.F * (t->narrow[0] * weight + t->narrow[1] * narrower);
      d[j] = s->load.F_r * radius + s->load.F_u * u[j] + s->load.F * (weight + narrower);
    }
  }
  for (int m = 0; m < l->n; m++) {
    const hk_gear_touched *t = &l->touched[m];
    const hk_gear_rows *r = &k->rows[t->slice];
    for (int i = 0; i < l->n; i++) {
      const hk_gear_touched *u = &l->touched[i];
      const hk_gear_rows *o = &k->rows[u->slice];
      double C = l->C[m * l->n + i], F = l->slice[i].load.F;
      for (int j = 0; j < Z; j++) G[m * Z + j] += C * direct[i * Z + j];
      for (int j = 0; j < 6; j++)
        for (int gear = 0; gear < 2; gear++)
          G[m * Z + j] +=
              F * (l->C_roll[gear][m * l->n + i] * moved(t, gear, r->roll[0][j], r->roll[1][j]) +
                   l->C_roll[gear][i * l->n + m] * moved(u, gear, o->roll[0][j], o->roll[1][j]));
    }
  }
}

/* Adds the derivatives of one flank to out. */
static void add_tangent(const hk_gear_flank_at *k, const hk_gear_flank_load *l, const work *w,
                        hk_gear_action *out) {
  const bool steps = k->p->geometry.tan_base != 0;
  double stepped = 0,
         /* sum of (load times number of its pair), and derivative of the rate of `step` */
      step_rate[6] = {0};
  residual_slopes(k, l, w->G, w->direct);
  hk_mesh_respond(l->slice, l->n, l->room, w->G, Z);
  for (int i = 0; i < 6 && steps; i++)
    for (int j = 0; j < 6; j++) step_rate[j] += k->step.D[i][j] * k->at->rate[i];
  for (int m = 0; m < l->n; m++) {
    const hk_gear_touched *t = &l->touched[m];
    const hk_mesh_slice *s = &l->slice[m];
    if (s->open) continue;
    const hk_gear_rows *r = &k->rows[t->slice];
    pressed q = press(k, t, s);
    double slide[6], slide_q[6][6], u[Z], T[Z], F[Z], row[6];
    const double *overlap = overlap_row(k, t, row);
    stepped += t->pair * q.F;
    slide_rows(k, t, true, slide, slide_q);
    speed_slope(k, t, u);
    for (int j = 0; j < Z; j++) {
      double rate = j < 6 ? t->pair * step_rate[j] : 0, v = 0, radius = 0;
      for (int i = 0; i < 6 && j < 6; i++) {
        rate += r->overlap_q[i][j] * k->at->rate[i];
        v += slide_q[i][j] * k->at->rate[i];
      }
      if (j < 6)
        radius = t->radius_slope[0] * moved(t, 0, r->roll[0][j], r->roll[1][j]) +
                 t->radius_slope[1] * moved(t, 1, r->roll[0][j], r->roll[1][j]);
      if (j >= 6) rate = overlap[j - 6], v = slide[j - 6];
      double load = s->load.F_x * w->G[m * Z + j] + w->direct[m * Z + j];
      F[j] = q.F_load * load + q.F_rate * rate;
      T[j] = q.rub.T_F * F[j] + q.rub.T_v * v + q.rub.T_r * radius + q.rub.T_u * u[j];
    }
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 6; j++) {
        out->Q_q[i][j] -= overlap[i] * F[j] + q.F * r->overlap_q[i][j] + slide[i] * T[j] +
                          q.rub.T * slide_q[i][j];
        out->Q_v[i][j] -= overlap[i] * F[6 + j] + slide[i] * T[6 + j];
      }
  }
  for (int i = 0; i < 6 && steps; i++)
    for (int j = 0; j < 6; j++) out->Q_q[i][j] -= stepped * k->step.D[i][j];
}

/* Stored energy, losses and supplied power: see mesh_force.h. */
static void add_energy(const hk_gear_flank_at *k, const hk_gear_flank_load *l, double dt,
                       hk_gear_action *out) {
  double shift = hk_gear_along(k->axes->shift.g, k->at->rate), narrower = k->narrower * shift;
  for (int m = 0; m < l->n; m++) {
    const hk_gear_touched *t = &l->touched[m];
    const hk_mesh_slice *s = &l->slice[m];
    if (s->open) continue;
    const hk_gear_rows *r = &k->rows[t->slice];
    double F = s->load.F, whole1 = hk_gear_along(r->roll[0], k->at->rate),
           whole2 = hk_gear_along(r->roll[1], k->at->rate), R1 = moved(t, 0, whole1, whole2),
           R2 = moved(t, 1, whole1, whole2);
    double radius = t->radius_slope[0] * R1 + t->radius_slope[1] * R2;
    double depth = t->depth_slope[0] * R1 + t->depth_slope[1] * R2, C = 0, C_t = 0;
    for (int i = 0; i < l->n; i++) {
      double other = l->slice[i].load.F;
      C += l->C[m * l->n + i] * other;
      C_t += 2 * (l->C_roll[0][m * l->n + i] * R1 + l->C_roll[1][m * l->n + i] * R2) * other;
    }
    double part = s->load.part, steady = part * s->load.steady;
    double weight = t->weight_slope[0] * whole1 + t->weight_slope[1] * whole2,
           whole = weight + narrower;
    C_t += F * (t->narrow[0] * weight + t->narrow[1] * narrower);
    out->potential += 0.5 * F * C + part * s->load.energy;
    out->applied -=
        F * (t->shape_slope[0] * R1 + t->shape_slope[1] * R2 + t->shape_shift * shift) +
        0.5 * F * C_t +
        part * (s->load.coenergy_r * radius + s->load.coenergy_k * depth - s->load.energy * whole);
    if (!(s->past.film > 0) || !hk_gear_moves(dt)) continue;
    const double *then = hk_gear_slots_recall(&k->slots, t->pair);
    double x = then ? then[HK_GEAR_TRACE * t->slice + HK_GEAR_X] : s->x;
    double film = (s->load.film - s->past.film) / dt;
    /* rates of q due to the change of the load and due to the change of position; q depends on
     * ln(depth2/radius) */
    double deform = (s->load.deformation - hk_line_deform(&s->spot, x)) / dt +
                    s->load.y_k * (depth - radius / s->spot.radius);
    double lost = (F - steady) * (deform - film);
    out->dissipated += fmax(lost, 0);
    out->applied += (steady + s->load.part_film * s->load.energy) * film - fmin(lost, 0);
  }
}

static void add_record(const hk_gear_flank_at *k, const hk_gear_flank_load *l,
                       hk_gear_record *out) {
  for (int m = 0; m < l->n; m++) {
    if (l->slice[m].open) continue;
    pressed q = press(k, &l->touched[m], &l->slice[m]);
    hk_gear_record_add(&k->slots, l, m, q.F, q.rub.T * l->touched[m].sliding, out);
  }
}

static void add_forces(const hk_gear_flank_at *k, const hk_gear_flank_load *l,
                       hk_gear_action *out) {
  for (int m = 0; m < l->n; m++) {
    const hk_gear_touched *t = &l->touched[m];
    const hk_mesh_slice *s = &l->slice[m];
    if (s->open) continue;
    pressed q = press(k, t, s);
    double slide[6], row[6];
    const double *overlap = overlap_row(k, t, row);
    slide_rows(k, t, false, slide, NULL);
    for (int i = 0; i < 6; i++) out->Q[i] -= q.F * overlap[i] + q.rub.T * slide[i];
    out->dissipated += q.rub.T * t->sliding + q.drag * q.rate;
  }
}

/* ---- the pair ---- */

static const double MOST_TILT = 0.1;   /* rad */
static const double LEAST_FACE = 1e-6; /* fraction of the face width in common */

static const char *find_centers(const hk_gear_pair *p, const hk_gear_relative *at, bool second,
                                work *w) {
  const hk_involute *g = &p->geometry;
  double B = g->base_radius[1] + g->sign * g->base_radius[0];
  double most = g->sign > 0 ? g->tip_radius[0] + g->tip_radius[1] : g->tip_radius[1];
  double apart = hypot(at->u.x, at->u.y);
  if (apart > 1.5 * most) return ""; /* far apart */
  if (!(at->Q.m[2][2] > cos(MOST_TILT)))
    return "its axes are not parallel: they are tilted by more than 0.1 rad";
  if (!(hk_gear_face_at(p->face_of, hk_gear_shift(at)).width > LEAST_FACE * g->face_width))
    return ""; /* "": the faces have no common part */
  hk_gear_centers_at(at, p->face_of, p->part, p->slices, g->tan_base != 0, second, w->axes,
                     w->centers);
  for (int i = 0; i < p->slices; i++)
    if (!(w->centers[i].distance.v > B * (1 + 1e-9)))
      return "the distance of its centers is smaller than the base circles permit";
  hk_gear_set_angles(g, w->centers, p->slices, w->rows);
  return NULL;
}

static hk_gear_flank_at open_flank(const hk_gear_pair *p, const hk_gear_relative *at, const work *w,
                                   int side, const double *memory) {
  return (hk_gear_flank_at){.p = p,
                            .at = at,
                            .axes = w->axes,
                            .centers = w->centers,
                            .f = side ? -1 : 1,
                            .section = w->section,
                            .rows = w->rows,
                            .slots = {.p = p, .flank = side ? -1 : 1, .memory = memory}};
}

static bool near(const hk_gear_flank_at *k) {
  const hk_gear_pair *p = k->p;
  double reach = (p->ops->reach ? p->ops->reach(p->law) : 0) + p->most_pitch_error -
                 p->least_shape + p->teeth_at_once * fabs(k->step.v);
  for (int i = 0; i < p->slices; i++)
    if (k->section[i].overlap > -reach) return true;
  return false;
}

static bool solve_flank(const hk_gear_flank_at *k, double dt, bool slopes,
                        hk_gear_flank_load *out) {
  hk_gear_recall r = {hk_gear_slots_recall, &k->slots, dt};
  int turn = k->f > 0 ? 1 : -1;
  hk_gear_side side = {k->f, {turn * k->slots.tooth, turn * k->other}, k->step.v};
  return hk_gear_flank_solve(k->p, k->section, &side, &r, slopes, out);
}

const char *hk_gear_mesh_force(const hk_gear_pair *p, const hk_gear_relative *at,
                               const double *memory, double dt, bool tangent, double *room,
                               hk_gear_action *out, hk_gear_record *record) {
  work w;
  lay(p, room, &w);
  *out = (hk_gear_action){0};
  if (record) *record = (hk_gear_record){.n = hk_gear_recorded(p)};
  const char *wrong = find_centers(p, at, tangent, &w);
  if (wrong) return *wrong ? wrong : NULL;
  if (record) record->face = w.axes->face.width;
  for (int side = 0; side < 2; side++) {
    hk_gear_flank_at k = open_flank(p, at, &w, side, memory);
    hk_gear_flank_load l;
    hk_gear_set_sections(&k);
    for (int i = 0; i < p->slices && side == 0 && record; i++)
      record->overlap += w.section[i].overlap / p->slices;
    if (!near(&k)) continue;
    hk_gear_set_rows(&k, tangent);
    hk_gear_flank_lay(p, w.flank, &l);
    if (!solve_flank(&k, dt, true, &l)) return "the load sharing of its teeth did not converge";
    add_forces(&k, &l, out);
    add_energy(&k, &l, dt, out);
    if (record) add_record(&k, &l, record);
    if (tangent && l.n) add_tangent(&k, &l, &w, out);
  }
  if (record) hk_gear_record_end(record);
  return NULL;
}

void hk_gear_remember(const hk_gear_pair *p, const hk_gear_relative *at, double dt, double *room,
                      double *memory) {
  work w;
  lay(p, room, &w);
  size_t bytes = (size_t)hk_gear_slots_size(p) * sizeof *memory;
  memset(w.next, 0, bytes);
  bool mesh = !find_centers(p, at, false, &w);
  for (int side = 0; side < 2 && mesh; side++) {
    hk_gear_flank_at k = open_flank(p, at, &w, side, memory);
    hk_gear_flank_load l;
    hk_gear_set_sections(&k);
    if (!near(&k)) continue;
    hk_gear_set_rows(&k, false);
    hk_gear_flank_lay(p, w.flank, &l);
    if (solve_flank(&k, dt, false, &l)) hk_gear_slots_keep(&k.slots, &l, dt, w.next);
  }
  memcpy(memory, w.next, bytes);
}

double hk_gear_overlap(const hk_gear_pair *p, const hk_gear_relative *at, double side,
                       double *room) {
  work w;
  lay(p, room, &w);
  if (find_centers(p, at, false, &w)) return NAN;
  hk_gear_flank_at k = open_flank(p, at, &w, side < 0, NULL);
  hk_gear_set_sections(&k);
  return w.section[p->slices / 2].overlap;
}

const char *hk_gear_set_phase(hk_gear_pair *p, const hk_gear_relative *at, double side,
                              double overlap, double *room) {
  const hk_involute *g = &p->geometry;
  work w;
  lay(p, room, &w);
  const char *wrong = find_centers(p, at, false, &w);
  if (wrong) return wrong;
  /* A rotation phi of the teeth of `b` increases the forward penetration by sign rb2 cos_base phi
   * and decreases the backward one by the same amount. */
  double forward = hk_gear_overlap(p, at, 1, room), backward = hk_gear_overlap(p, at, -1, room);
  /* Each penetration is that of the nearest teeth. If a tooth is opposite a tooth, the nearest
   * teeth are half a pitch away on either side. Both flanks must then belong to the same tooth
   * space. */
  const double pitch = g->cos_base * g->base_pitch;
  backward -= pitch * round((forward + backward + g->backlash) / pitch);
  double more = side > 0   ? overlap - forward
                : side < 0 ? backward - overlap
                           : 0.5 * (backward - forward);
  p->phase += more / (g->sign * g->base_radius[1] * g->cos_base);
  return NULL;
}
