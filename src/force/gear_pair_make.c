/* Preparation of a gear pair: geometry, compliance, flanks and law from its parameters. */
#include "base/arena.h"
#include "force/gear_pair.h"
#include "gear/relative_position.h"
#include "spec/signal.h"
#include <hooke/registry.h>
#include <stdio.h>
#include <string.h>

typedef hk_gear_pair_params gear_pair;

static const double ISO_LOAD = 1e5; /* N/m: line load for the stiffness of ISO 6336 */

/* Local deflection of both gears per line load, at the pitch point under ISO_LOAD. */
static double local_deflection(const hk_gear_pair *p) {
  const hk_involute *g = &p->geometry;
  const double *R = g->pitch_roll;
  hk_line_spot s = {
      .width = 1,
      .radius = hk_involute_radius(g, R[0], R[1], NULL),
      .depth2 = hk_involute_depth(g, 0, R[0], NULL) * hk_involute_depth(g, 1, R[1], NULL),
      .modulus = p->modulus,
      .poisson = p->poisson};
  hk_line_ready(&s);
  return hk_line_deform(&s, log(ISO_LOAD)) / ISO_LOAD;
}

/* Thickness of the rim between the root circle and the web, if known; a ring has no web. */
static double rim_of(const gear_pair *q, const hk_involute *g, int gear) {
  return q->web_outer[gear] > 0 ? g->root_radius[gear] - q->web_outer[gear] / 2 : 0;
}

static hk_status set_iso(const hk_item *item, hk_arena *arena, hk_gear_pair *p, hk_error *err) {
  const gear_pair *q = hk_item_data(item);
  const hk_involute *g = &p->geometry;
  int pinion = q->teeth[1] < q->teeth[0], wheel = 1 - pinion;
  hk_iso_pair iso = {.z1 = q->teeth[pinion],
                     .z2 = q->ring ? 0 : q->teeth[wheel],
                     .x1 = g->shift[pinion],
                     .x2 = q->ring ? 0 : g->shift[wheel],
                     .module = q->module,
                     .pressure_angle = q->pressure_angle,
                     .helix_angle = q->helix_angle,
                     .dedendum = q->dedendum,
                     .contact_ratio = g->transverse_ratio,
                     .face_width = g->face_width,
                     .web = {q->web[0], q->ring ? 0 : q->web[1]},
                     .rim = {rim_of(q, g, 0), rim_of(q, g, 1)},
                     .youngs_modulus = {q->youngs_modulus[0], q->youngs_modulus[1]},
                     .line_load = ISO_LOAD};
  const hk_iso_teeth teeth = {.contact_ratio = g->transverse_ratio,
                              .local = local_deflection(p),
                              .face_width = p->face,
                              .cos_base = g->cos_base};
  hk_iso_stiffness stiffness;
  hk_status status = hk_iso_stiffness_of(&iso, &stiffness, err);
  for (int i = 0; i < 2 && !status; i++) {
    hk_gear_flank flank = hk_gear_pair_flank(item, g, i);
    status = hk_gear_compliance_iso(arena, &stiffness, &teeth, &flank, &p->compliance[i][0], err);
    p->compliance[i][1] = p->compliance[i][0];
  }
  return status;
}

static hk_status set_compliance(const hk_item *item, hk_arena *arena, hk_gear_pair *p,
                                hk_error *err) {
  const gear_pair *q = hk_item_data(item);
  hk_gear_source source = hk_gear_pair_source(item);
  if (source == HK_GEAR_RIGID) return HK_OK;
  if (source == HK_GEAR_ISO) return set_iso(item, arena, p, err);
  for (int i = 0; i < 2; i++) {
    if (!q->table[i].stations)
      return hk_fail(err, HK_EINPUT,
                     "the compliance '%s' of gear %c has not been loaded; a C program must call "
                     "hk_gear_pair_bring",
                     q->compliance, "ab"[i]);
    for (int back = 0; back < 2; back++) p->compliance[i][back] = q->table[i];
    /* Only the common part of both faces is used; the backward flank uses the mirrored table. */
    double middle = (p->middle + (i ? -0.5 : 0.5) * p->shift) / p->face_of[i],
           half = 0.5 * p->face / p->face_of[i];
    for (int back = 0; back < 2 && half < 0.5; back++) {
      double at = back ? -middle : middle;
      hk_status status = hk_gear_compliance_refit(arena, &q->table[i], at - half, at + half,
                                                  &p->compliance[i][back], err);
      if (status) return status;
    }
  }
  return HK_OK;
}

/* name[0], name[1], ... */
static hk_status set_topography(const hk_item *item, const char *name, hk_arena *arena,
                                hk_gear_shape *shape, hk_error *err) {
  enum { MOST = 200 };
  const hk_curve *found[MOST];
  char each[300];
  int n = 0;
  for (; n < MOST; n++) {
    snprintf(each, sizeof each, "%s[%d]", name, n);
    if (!hk_spec_find(item->spec, HK_TABLE, each)) break;
    found[n] = hk_spec_table(item->spec, each, err);
    if (!found[n]) return HK_EINPUT;
  }
  snprintf(each, sizeof each, "%s[%d]", name, MOST);
  if (n == MOST && hk_spec_find(item->spec, HK_TABLE, each))
    return hk_fail(err, HK_EINPUT, "a topography '%s' has more than %d tables", name, MOST);
  if (n < 2)
    return hk_fail(err, HK_EINPUT,
                   "a topography '%s' needs two tables or more, named %s[0], %s[1], ... (repeat "
                   "creates them); there %s",
                   name, name, name, n ? "is only one" : "is none");
  const hk_curve **trace = HK_NEW_ARRAY(arena, const hk_curve *, n);
  if (!trace) return hk_fail(err, HK_ENOMEM, "out of memory");
  memcpy(trace, found, sizeof *trace * (size_t)n);
  shape->trace = trace;
  shape->traces = n;
  return HK_OK;
}

/* Checks that a measured helix trace covers the whole face. */
static hk_status check_lead(const hk_curve *c, double face_width, char gear, hk_error *err) {
  double end = 0.495 * face_width;
  if (!c || (hk_curve_covers(c, -end) && hk_curve_covers(c, end))) return HK_OK;
  return hk_fail(err, HK_EINPUT,
                 "lead_%c: the table '%s' covers %.6g to %.6g mm, but the face is from %.6g to "
                 "%.6g mm; extend the table, or define its extrapolation (extrapolation: constant)",
                 gear, c->name, 1e3 * c->x[0], 1e3 * c->x[c->n - 1], -500 * face_width,
                 500 * face_width);
}

/* Checks that a measured profile trace covers the whole path of contact: outside of a table
 * there are no values. */
static hk_status check_trace(const hk_curve *c, const hk_gear_shape *s, const char *what, char gear,
                             hk_error *err) {
  double low = fmin(s->first, s->last), high = fmax(s->first, s->last), slack = 0.01 * (high - low);
  if (!c || (hk_curve_covers(c, low + slack) && hk_curve_covers(c, high - slack))) return HK_OK;
  return hk_fail(
      err, HK_EINPUT,
      "%s_%c: the table '%s' covers %.6g to %.6g mm, but contact is from %.6g to %.6g "
      "mm of roll length; extend the table, or define its extrapolation (extrapolation: constant)",
      what, gear, c->name, 1e3 * c->x[0], 1e3 * c->x[c->n - 1], 1e3 * low, 1e3 * high);
}

static hk_status set_shape(const hk_item *item, hk_arena *arena, hk_gear_pair *p, hk_error *err) {
  const gear_pair *q = hk_item_data(item);
  for (int i = 0; i < 2; i++) {
    hk_gear_flank flank = hk_gear_pair_flank(item, &p->geometry, i);
    bool ring = i == 1 && q->ring; /* the tip of a ring is at the smallest roll length */
    p->shape[i] = (hk_gear_shape){.first = ring ? flank.roll_last : flank.roll_first,
                                  .last = ring ? flank.roll_first : flank.roll_last,
                                  .face_width = p->face_of[i],
                                  .crown = q->profile_crowning[i],
                                  .tip_relief = q->tip_relief[i],
                                  .tip_length = q->tip_relief_length[i],
                                  .root_relief = q->root_relief[i],
                                  .root_length = q->root_relief_length[i],
                                  .lead_crown = q->lead_crowning[i],
                                  .lead_slope = q->lead_slope[i]};
    const char *name[2] = {q->profile[i], q->lead[i]};
    const hk_curve *curve[2] = {NULL, NULL};
    for (int k = 0; k < 2; k++) {
      if (!name[k]) continue;
      curve[k] = hk_spec_table(item->spec, name[k], err);
      if (!curve[k]) return HK_EINPUT;
    }
    p->shape[i].profile = curve[0];
    p->shape[i].lead = curve[1];
    hk_status status = check_trace(curve[0], &p->shape[i], "profile", "ab"[i], err);
    if (!status) status = check_lead(curve[1], p->face_of[i], "ab"[i], err);
    if (!status && q->topography[i])
      status = set_topography(item, q->topography[i], arena, &p->shape[i], err);
    for (int k = 0; k < p->shape[i].traces && !status; k++)
      status = check_trace(p->shape[i].trace[k], &p->shape[i], "topography", "ab"[i], err);
    if (status) return status;
    p->least_shape += hk_gear_shape_least(&p->shape[i], hk_gear_path_margin(p));
  }
  return HK_OK;
}

static hk_status set_pitch_errors(const hk_item *item, hk_arena *arena, hk_gear_pair *p,
                                  hk_error *err) {
  const gear_pair *q = hk_item_data(item);
  const hk_involute *g = &p->geometry;
  p->pitch_normal = cos(g->transverse_pressure_angle) * g->cos_base;
  for (int i = 0; i < 2; i++) {
    const double *list = q->pitch_error[i];
    int n = (int)list[HK_GEAR_MAX_ERRORS];
    double most = 0;
    if (n > g->teeth[i])
      return hk_fail(err, HK_EINPUT, "pitch_error_%c has %d values, but the gear has %d teeth",
                     'a' + i, n, g->teeth[i]);
    for (int k = 0; k < n; k++) most = fmax(most, fabs(list[k]));
    if (most > 0.1 * g->module)
      return hk_fail(err, HK_EINPUT,
                     "a pitch deviation of %.4g um is larger than a tenth of the module, %.4g um; "
                     "check the values and their unit",
                     1e6 * most, 1e5 * g->module);
    if (!(most > 0)) continue;
    double *all = HK_NEW_ARRAY(arena, double, g->teeth[i]); /* the other teeth have no deviation */
    if (!all) return hk_fail(err, HK_ENOMEM, "out of memory");
    memcpy(all, list, sizeof *all * (size_t)n);
    p->most_pitch_error += p->pitch_normal * most;
    p->shape[i].pitch_error = all;
    p->shape[i].teeth = g->teeth[i];
  }
  return HK_OK;
}

static hk_status set_law(const hk_item *item, hk_gear_pair *p, hk_error *err) {
  const gear_pair *q = hk_item_data(item);
  const hk_item *law = q->law ? hk_spec_find(item->spec, HK_LAW, q->law) : NULL;
  if (q->law && !law) return hk_fail(err, HK_EINPUT, "there is no law '%s'", q->law);
  const hk_type *type =
      law ? law->type : hk_registry_find(item->spec->registry, HK_LAW, "dry_line");
  if (!type) return hk_fail(err, HK_EINPUT, "it needs a law");
  p->ops = ((const hk_law_ops *)type->ops)->line;
  p->law = law ? law->data : type->defaults;
  if (!p->ops)
    return hk_fail(err, HK_EINPUT,
                   "'%s' (%s) is not a law of line contacts; use ehl_line or dry_line", q->law,
                   type->name);
  double soft = 0;
  for (int i = 0; i < 2; i++) {
    double nu = q->poisson_ratio[i], E = q->youngs_modulus[i];
    soft += (1 - nu * nu) / E;
    p->poisson += nu * (1 + nu) / E;
  }
  p->modulus = 2 / soft;
  return HK_OK;
}

/* Divides the common part of both faces into slices. */
static void set_face(double shift, hk_gear_pair *p) {
  const hk_involute *g = &p->geometry;
  hk_gear_face f = hk_gear_face_at(p->face_of, shift);
  p->shift = shift;
  p->face = f.width;
  p->middle = f.middle;
  p->width = p->face / p->slices / g->cos_base;
  p->spread = fabs(g->tan_base) * p->face / p->slices;
}

hk_status hk_gear_pair_shift(const hk_item *item, hk_arena *arena, double shift, hk_gear_pair *p,
                             hk_error *err) {
  double least = p->geometry.face_width;
  if (fabs(shift) < 1e-9 * least) return HK_OK;
  if (!(hk_gear_face_at(p->face_of, shift).width > 1e-3 * least))
    return hk_fail(err, HK_EINPUT,
                   "the teeth of a and b have no common face: b is shifted by %.6g mm along z as "
                   "placed in the model file, and the faces are %.6g and %.6g mm wide; place each "
                   "frame in the middle of its face",
                   1e3 * shift, 1e3 * p->face_of[0], 1e3 * p->face_of[1]);
  set_face(shift, p);
  return set_compliance(item, arena, p, err);
}

hk_status hk_gear_pair_prepare(const hk_item *item, hk_arena *arena, const void **constants,
                               hk_error *err) {
  const gear_pair *q = hk_item_data(item);
  hk_gear_pair *p = HK_NEW(arena, hk_gear_pair);
  if (!p) return hk_fail(err, HK_ENOMEM, "out of memory");
  hk_status status = hk_gear_pair_design(item, &p->geometry, err);
  if (status) return status;
  p->slices = hk_gear_pair_slices(item, &p->geometry);
  double *part = HK_NEW_ARRAY(arena, double, p->slices);
  if (!part) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < p->slices; i++) part[i] = (i + 0.5) / p->slices - 0.5;
  p->part = part;
  for (int i = 0; i < 2; i++) p->face_of[i] = hk_gear_pair_face(item, i);
  set_face(0, p);
  p->corner = q->corner_contact;
  p->edge = q->blend_length * p->geometry.base_pitch;
  p->teeth_at_once = (int)ceil(p->geometry.total_ratio) + 2;
  p->torque = hk_gear_given(item, "torque", q->torque);
  p->speed = q->speed;
  status = set_law(item, p, err);
  if (!status) status = set_shape(item, arena, p, err);
  if (!status) status = set_pitch_errors(item, arena, p, err);
  if (!status) status = set_compliance(item, arena, p, err);
  *constants = p;
  return status;
}
