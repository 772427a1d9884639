/* Quality indicators of a run, compared with their limits: see quality.h. */
#include "sim/quality.h"
#include "base/required.h"
#include "sim/creep.h"
#include "spec/signal.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Limits above which the user is warned: fractions of the exchanged energy, lengths and angles. */
static const double energy_share = 0.01, joint_error = 1e-6, overlap_share = 0.01, most_turn = 1.5,
                    film_share = 0.01, state_share = 1e-4, creep_share = 1e-3;

/* The tolerance is relative to the model's size. If bodies move much less than this size and without damping, the
 * accumulated errors of the steps may be a significant fraction of the motion. */
static const double small_motion = 1.0 / 3000, step_share = 3e-7, undamped = 0.1;

/* Limit of the phase error [rad] of oscillations without damping or excitation. */
static const double most_phase = 0.1;

/* A run is short if its duration is below `instant` [s]. In such a run bodies may move by less than the allowed error
 * of a step. Therefore the limit for a short run is seen_share, which is larger than the usual limit. */
static const double instant = 1e-6, seen_share = 1e-3;

/* A state that has never exceeded round-off may be exactly 0 in theory, so there is no warning
 * about it. */
static const double noise = 1e-14;

static void warn(hk_indicator *k, hk_quality_level level, const char *fmt, ...) HK_PRINTF(3, 4);
static void warn(hk_indicator *k, hk_quality_level level, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  k->level = level;
  vsnprintf(k->sentence, sizeof k->sentence, fmt, ap);
  va_end(ap);
}

static void name_element(hk_indicator *k, const char *name) {
  snprintf(k->element, sizeof k->element, "%s", name ? name : "");
}

/* Each check sets limit, scale and sentence of an indicator; amount, time, count and element come from the record;
 * false: the kind does not apply to this simulation. */
typedef bool check_fn(const hk_sim *s, hk_indicator *k);

static bool check_energy(const hk_sim *s, hk_indicator *k) {
  const hk_quality_record *r = &s->quality;
  k->scale = r->energy_scale;
  k->limit = fmax(energy_share * r->energy_scale, r->energy_floor);
  if (!(r->worst[HK_QUALITY_ENERGY].amount <= energy_share * r->energy_scale) &&
      !(r->worst[HK_QUALITY_ENERGY].amount <= r->energy_floor))
    warn(k, HK_LEVEL_DOUBT,
         "the error of the energy balance is %.3g J at t = %.6g s, of %.3g J exchanged: do not "
         "trust this run; tighten rtol and atol (they are %g and %g) or "
         "shorten the step",
         k->amount, k->time, r->energy_scale, s->option.rtol, s->option.atol);
  return true;
}

static bool check_phase(const hk_sim *s, hk_indicator *k) {
  const hk_quality_record *r = &s->quality;
  double defect = r->worst[HK_QUALITY_ENERGY].amount;
  k->limit = most_phase;
  k->time = NAN;
  if (k->amount > most_phase && r->energy_work < undamped * r->energy_scale &&
      defect > r->energy_floor)
    warn(k, HK_LEVEL_DOUBT,
         "a small energy error of %.2g J may have shifted the phase of the oscillations of this "
         "long run by up to %.2g rad at its end: `hooke run --digits` shows the "
         "significant digits; tighten rtol and atol (they are %g and %g)",
         defect, k->amount, s->option.rtol, s->option.atol);
  return true;
}

/* Returns the tolerance that would resolve the motion, or the smallest tolerance that double precision allows. */
static double resolving(double moved, double length) { return fmax(1e-9 * moved, 1e-14 * length); }

/* Returns true if the model has no losses, so that errors of steps accumulate. Loads do not count as losses: they may
 * be springs written as expressions. */
static bool is_lossless(const hk_sim *s) {
  const double *l = s->x + s->model->at.ledger;
  return fabs(l[HK_LEDGER_DISSIPATED]) + fabs(l[HK_LEDGER_MOTION]) <
         undamped * s->quality.energy_scale;
}

/* Returns true if the motion is larger than round-off and has no damping, so that errors accumulate. */
static bool adds_up(const hk_sim *s) {
  const hk_quality_record *r = &s->quality;
  return r->moved > 1e-13 * s->model->length && is_lossless(s) && r->energy_scale > r->energy_floor;
}

static bool hardly_moves(const hk_sim *s, double tolerance) {
  const hk_quality_record *r = &s->quality;
  double length = s->model->length;
  return r->moved < small_motion * length && tolerance > step_share * r->moved &&
         tolerance > 3 * resolving(r->moved, length) && adds_up(s);
}

static bool check_small_motion(const hk_sim *s, hk_indicator *k) {
  double moved = s->quality.moved, length = s->model->length;
  double tolerance = s->option.atol + s->option.rtol * length;
  double since = s->x[s->model->at.t] - s->option.start;
  if (!(moved > 0) || s->option.step > 0) return false;
  bool short_run = since <= instant;
  k->amount = tolerance / moved, k->scale = moved, k->time = NAN;
  k->limit = short_run ? seen_share : step_share;
  if (short_run && tolerance > seen_share * moved) {
    double share = 1e-6 * moved;
    warn(k, HK_LEVEL_DOUBT,
         "within %.3g s the bodies moved by at most %.2g m, and each step may have an error of "
         "%.1g m: the steps hardly resolve this motion; set rtol to %.0e and atol to %.0e",
         since, moved, tolerance, share / length, share);
  } else if (hardly_moves(s, tolerance)) {
    double share = resolving(moved, length);
    warn(k, HK_LEVEL_DOUBT,
         "the bodies moved by at most %.2g m from their start, but the tolerance is relative to "
         "the model's size (%.2g m): errors of steps, up to %.1g m each, may add up to a part "
         "of this motion; set rtol to %.0e and atol to %.0e",
         moved, length, tolerance, share / length, share);
  } else {
    /* if the motion is damped or large, the errors are small compared with it */
    k->limit = INFINITY;
  }
  return true;
}

static bool check_constraint(const hk_sim *s, hk_indicator *k) {
  k->limit = joint_error * fmax(1, s->model->length);
  if (!(k->amount <= k->limit))
    warn(k, HK_LEVEL_DOUBT, "largest constraint violation %.3g (m or rad) at t = %.6g s", k->amount,
         k->time);
  return s->model->nc > 0 || k->level;
}

static bool check_penetration(const hk_sim *s, hk_indicator *k) {
  k->limit = overlap_share * s->model->length;
  if (k->amount > k->limit)
    warn(k, HK_LEVEL_DOUBT,
         "rigid contacts overlapped by %.3g m at t = %.6g s; use a shorter step, or look for "
         "bodies that overlap at the start",
         k->amount, k->time);
  return s->model->set_valued;
}

static bool check_rotation(const hk_sim *s, hk_indicator *k) {
  k->limit = most_turn;
  if (k->amount > most_turn)
    warn(k, HK_LEVEL_DOUBT,
         "a body rotated by %.3g rad within one step at t = %.6g s, too far for an accurate "
         "orientation; use a step %.2g times shorter, or omit the step, so that it is selected "
         "automatically",
         k->amount, k->time, ceil(10 * k->amount));
  return s->option.step > 0;
}

static bool check_film(const hk_sim *s, hk_indicator *k) {
  k->limit = film_share;
  if (!k->element[0]) return false;
  if (!(k->amount <= film_share))
    warn(
        k, HK_LEVEL_DOUBT,
        "steps may have an error of %.2g times the clearance of '%s' at t = %.6g s: tighten rtol "
        "and "
        "atol (they are %g and %g), which are relative to the size of the model, use stepper: bdf, "
        "or shorten the step",
        k->amount, k->element, k->time, s->option.rtol, s->option.atol);
  return true;
}

/* Checks a state without a scale.  The error of a state that starts at 0 is relative to 1 in SI
 * units, because no other reference is known.  A state that stayed far below 1 has hardly any
 * significant digits. */
static bool check_state(const hk_sim *s, hk_indicator *k) {
  const hk_model *m = s->model;
  double tolerance = hk_tolerance(s);
  k->limit = state_share, k->time = NAN;
  for (int i = 0; s->quality.reached && s->option.step == 0 && i < m->n_states; i++) {
    double most = s->quality.reached[i];
    bool guessed = ((const hk_state_params *)m->state[i].item->data)->guessed;
    if (!guessed || !(most > noise) || tolerance <= k->amount * most) continue;
    k->amount = tolerance / most, k->scale = most;
    name_element(k, m->state[i].name);
  }
  if (!k->element[0]) return false;
  if (!(k->amount <= state_share))
    warn(
        k, HK_LEVEL_DOUBT,
        "state '%s' starts from 0 and never exceeded %.2g (in SI units), but its error is relative "
        "to 1: it may have few significant digits, or none; give it a scale of about %.0e",
        k->element, k->scale, k->scale);
  return true;
}

/* Checks the joint that exceeds its angular limit most or, if no joint does, is nearest to its limit. */
static bool check_articulation(const hk_sim *s, hk_indicator *k) {
  double farthest = -INFINITY;
  for (int i = 0; i < s->quality.n_limits; i++) {
    const hk_limit_passed *p = &s->quality.limit[i];
    const hk_coordinate *c = &s->model->coordinate[p->coordinate];
    if (!(p->most > farthest * c->limit)) continue;
    farthest = p->most / c->limit;
    k->amount = p->most, k->limit = c->limit, k->time = p->most > c->limit ? p->time : NAN;
    name_element(k, c->name);
  }
  if (s->quality.n_limits == 0) return false;
  if (k->amount > k->limit)
    warn(k, HK_LEVEL_DOUBT,
         "'%s' exceeded %.4g deg, the limit of the joint's geometry, at t = %.6g s and reached "
         "%.4g deg: beyond the limit, balls or rollers leave their tracks or touch each other, "
         "which the model does not contain; reduce the angle",
         k->element, k->limit * 180 / M_PI, k->time, k->amount * 180 / M_PI);
  return true;
}

/* Checks the sum of the local errors. On 70 random oscillators, pendulums, gyros, chains of springs, orbits and
 * mechanisms, the final error relative to the range of a channel is 0.4 to 5 times the sum relative to the motion for
 * 50 models, and larger where a small motion is superposed on a large rotation. */
static bool check_local_error(const hk_sim *s, hk_indicator *k) {
  double moved = s->quality.moved;
  k->limit = INFINITY, k->time = NAN;
  if (!adds_up(s)) return true;
  k->limit = HK_ACCURATE_MOTION * moved, k->scale = moved;
  if (!(k->amount <= k->limit))
    warn(k, HK_LEVEL_DOUBT,
         "the errors of %ld steps may add up to %.2g m or more, compared with an undamped motion "
         "of %.2g m: "
         "tighten rtol and atol (they are %g and %g)%s",
         s->stats.steps, k->amount, moved, s->option.rtol, s->option.atol,
         hk_integrator_of(s)->order > 2 ? ""
                                        : ", or use stepper: multistep, which is of higher order");
  return true;
}

static bool check_simultaneous(const hk_sim *s, hk_indicator *k) {
  (void)s;
  k->amount = (double)k->count;
  if (k->count > 0)
    warn(
        k, HK_LEVEL_REMARK,
        "%ld impact%s (the first at t = %.6g s) acted through contacts that were already closed: "
        "the law applies all impulses simultaneously, and a row of touching bodies stays together; "
        "with `impact: sequential` in the law the impulse is passed on from one contact to the "
        "next, as in Newton's cradle",
        k->count, k->count == 1 ? "" : "s", k->time);
  return k->count > 0;
}

static bool check_jump(const hk_sim *s, hk_indicator *k) {
  (void)s;
  if (k->count > 0)
    warn(k, HK_LEVEL_REMARK,
         "the velocity that motion '%s' prescribes jumps by %.3g m/s or rad/s at t = %.6g s "
         "(%ld such "
         "corner%s in all): an impulse acts at that instant, which its effort and the forces in "
         "joints do not show; use a smooth transition such as step5 to obtain the force",
         k->element, k->amount, k->time, k->count, k->count == 1 ? "" : "s");
  return k->count > 0;
}

static bool check_indeterminate(const hk_sim *s, hk_indicator *k) {
  k->amount = (double)k->count;
  if (k->count > 0)
    warn(
        k, HK_LEVEL_REMARK,
        "from t = %.6g s on, whether contact '%s' slides depends on how the normal force is shared "
        "between this contact and contact '%s', which is indeterminate for rigid bodies: the "
        "computed motion is one of several possible ones; use fewer contacts or a compliant law",
        k->time, k->element, s->quality.worst[HK_QUALITY_INDETERMINATE].other);
  return k->count > 0;
}

static bool check_depth(const hk_sim *s, hk_indicator *k) {
  const hk_model *m = s->model;
  bool limited = false;
  double limit = NAN;
  for (int i = 0; i < m->n_contacts; i++) {
    limited = limited || isfinite(m->contact[i].deepest);
    if (m->contact[i].name == s->quality.worst[HK_QUALITY_DEPTH].element)
      limit = m->contact[i].deepest;
  }
  k->limit = 1;
  if (k->amount > 1)
    warn(k, HK_LEVEL_DOUBT,
         "contact '%s' was pressed %.3g m deep at t = %.6g s; beyond %.3g m the middle of one "
         "body has passed the surface of the other, and bodies may come out on the other side: "
         "do not trust this run; use a stiffer law or lower speeds",
         k->element, k->amount * limit, k->time, limit);
  return limited;
}

static bool check_creep(const hk_sim *s, hk_indicator *k) {
  const hk_creep *c = hk_creep_worst(s);
  if (!c) return false;
  const hk_item *item =
      c->force >= 0 ? s->model->force[c->force].item : s->model->contact[c->contact].item;
  bool contact = c->force < 0;
  k->amount = hk_norm(c->way), k->scale = c->full, k->time = NAN;
  /* Creep that is a small fraction of the total sliding distance does not matter: also a fast sliding motion is slow
   * for a moment at every reversal. */
  k->limit = creep_share * fmax(s->model->length, c->slid);
  name_element(k, item->name);
  if (!(k->amount > k->limit)) return true;
  char remedy[160] = "";
  if (contact || hk_type_param_find(item->type, "velocity") >= 0)
    snprintf(remedy, sizeof remedy, "; set `velocity`%s to %.1g times the present value%s",
             contact ? " in its law" : "", 0.1 * k->limit / k->amount,
             contact ? ", or use a law of type signorini, which sticks" : "");
  warn(k, HK_LEVEL_DOUBT,
       "%s '%s' slid by %.3g m in %.3g s at less than %.3g m/s, the speed at which its friction "
       "reaches its full value: bodies that should stick creep, and slow sliding has too little "
       "friction%s",
       hk_category_name(item->type->category), item->name, k->amount, c->time, c->full, remedy);
  return true;
}

/* far_away [m]: below this distance from the origin there is no warning, because moving the model to the origin would
 * not help. far_share: allowed relative error. */
static const double far_away = 1e3, far_share = 3e-4;

static bool check_distance(const hk_sim *s, hk_indicator *k) {
  const hk_quality_record *r = &s->quality;
  k->scale = r->far_motion, k->limit = far_share * r->far_motion, k->time = NAN;
  bool force = !(k->amount > k->limit);
  if (!(r->far_distance > far_away * s->model->length)) {
    k->limit = INFINITY;
    return k->amount > 0;
  }
  if (!force || r->far_force > far_share * r->most_force)
    warn(k, HK_LEVEL_DOUBT,
         "bodies are up to %.3g m from the origin, where positions have too few digits: %s may "
         "have an error of %.2g %s of %.2g %s; place the model near the origin",
         r->far_distance, force ? "contact forces" : "their motion relative to each other",
         force ? r->far_force : k->amount, force ? "N" : "m", force ? r->most_force : r->far_motion,
         force ? "N" : "m");
  return true;
}

static bool check_paradox(const hk_sim *s, hk_indicator *k) {
  (void)s;
  k->limit = INFINITY;
  if (k->count > 0)
    warn(k, HK_LEVEL_DOUBT,
         "friction of contact '%s' presses the sliding bodies together more than its normal force "
         "separates them, in %ld step%s from t = %.6g s on (Painleve's paradox): rigid bodies have "
         "no solution here or several, and this run selected one of them by an impulse; use mu < "
         "%.4g, another geometry or a compliant law",
         k->element, k->count, k->count == 1 ? "" : "s", k->time, k->amount);
  return k->count > 0;
}

/* Checks the force that has left its range of validity by the largest amount. */
static bool check_range(const hk_sim *s, hk_indicator *k) {
  const hk_model *m = s->model;
  double farthest = -INFINITY;
  char text[900] = "";
  k->time = NAN;
  for (int i = 0; i < m->n_forces; i++) {
    const hk_force *f = &m->force[i];
    double amount = 0, limit = 0;
    char own[900] = "";
    if (!f->ops->invalid) continue;
    bool left = f->ops->invalid(f->item->data, s->x + m->at.memory + f->memory, &amount, &limit,
                                own, sizeof own);
    if (!(amount - limit > farthest)) continue;
    farthest = amount - limit;
    k->amount = amount, k->limit = limit;
    name_element(k, f->name);
    memcpy(text, own, sizeof text);
    if (!left) text[0] = 0;
  }
  if (text[0]) warn(k, HK_LEVEL_DOUBT, "force '%s': %s", k->element, text);
  return isfinite(farthest);
}

/* Kinds without a check come from other parts of the program (hk_quality_append). */
static const struct kind {
  const char *name, *unit;
  check_fn *check;
} KIND[HK_N_QUALITY_KINDS] = {
    [HK_QUALITY_ENERGY] = {"energy", "J", check_energy},
    [HK_QUALITY_PHASE] = {"phase", "rad", check_phase},
    [HK_QUALITY_SMALL_MOTION] = {"small_motion", "1", check_small_motion},
    [HK_QUALITY_CONSTRAINT] = {"constraint", "m", check_constraint},
    [HK_QUALITY_PENETRATION] = {"penetration", "m", check_penetration},
    [HK_QUALITY_ROTATION] = {"rotation", "rad", check_rotation},
    [HK_QUALITY_FILM] = {"film", "1", check_film},
    [HK_QUALITY_STATE] = {"state", "1", check_state},
    [HK_QUALITY_ARTICULATION] = {"articulation", "rad", check_articulation},
    [HK_QUALITY_LOCAL_ERROR] = {"local_error", "m", check_local_error},
    [HK_QUALITY_SIMULTANEOUS] = {"simultaneous_impacts", "1", check_simultaneous},
    [HK_QUALITY_JUMP] = {"velocity_jump", "1", check_jump},
    [HK_QUALITY_INDETERMINATE] = {"indeterminate_friction", "1", check_indeterminate},
    [HK_QUALITY_DEPTH] = {"depth", "1", check_depth},
    [HK_QUALITY_CREEP] = {"creep", "m", check_creep},
    [HK_QUALITY_DISTANCE] = {"distance", "m", check_distance},
    [HK_QUALITY_PARADOX] = {"paradox", "1", check_paradox},
    [HK_QUALITY_RANGE] = {"range", "1", check_range},
    [HK_QUALITY_MISSED_SWITCH] = {"missed_switch", "1", NULL},
    [HK_QUALITY_MISSED_CONTACT] = {"missed_contact", "1", NULL},
};

const char *hk_quality_kind_name(hk_quality_kind kind) {
  return (unsigned)kind < HK_N_QUALITY_KINDS ? KIND[kind].name : NULL;
}

/* ---- the list ---- */

typedef struct entry {
  hk_indicator indicator;
  hk_location location;
} entry;

struct hk_quality {
  entry *entry;
  int n, capacity;
};

hk_indicator *hk_quality_append(hk_quality *q, hk_quality_kind kind, const hk_location *location) {
  if (q->n == q->capacity) {
    int capacity = q->capacity ? 2 * q->capacity : 16;
    entry *grown = realloc(q->entry, (size_t)capacity * sizeof *grown);
    if (!grown) return NULL;
    q->entry = grown;
    q->capacity = capacity;
  }
  entry *e = &q->entry[q->n++];
  *e = (entry){.indicator = {.kind = kind,
                             .name = KIND[kind].name,
                             .unit = KIND[kind].unit,
                             .scale = NAN,
                             .time = NAN}};
  if (location) e->location = *location;
  return &e->indicator;
}

hk_quality *hk_quality_list(const hk_sim *s) {
  hk_quality *q = calloc(1, sizeof *q);
  for (int i = 0; q && i < HK_N_QUALITY_KINDS; i++) {
    const hk_worst *w = &s->quality.worst[i];
    if (!KIND[i].check) continue;
    hk_indicator *k = hk_quality_append(q, (hk_quality_kind)i, NULL);
    if (!k) {
      hk_quality_destroy(q);
      return NULL;
    }
    k->amount = w->amount, k->time = w->time, k->count = w->count;
    name_element(k, w->element);
    if (!KIND[i].check(s, k)) q->n--;
  }
  return q;
}

hk_status hk_sim_quality(const hk_sim *sim, hk_quality **out, hk_error *err) {
  HK_REQUIRE(out, err);
  *out = NULL;
  if (!sim) return hk_fail(err, HK_EINPUT, "the simulation is NULL");
  *out = hk_quality_list(sim);
  return *out ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
}

int hk_quality_count(const hk_quality *q) { return q ? q->n : 0; }

const hk_indicator *hk_quality_at(const hk_quality *q, int i) {
  return q && i >= 0 && i < q->n ? &q->entry[i].indicator : NULL;
}

const hk_indicator *hk_quality_find(const hk_quality *q, hk_quality_kind kind) {
  for (int i = 0; q && i < q->n; i++)
    if (q->entry[i].indicator.kind == kind) return &q->entry[i].indicator;
  return NULL;
}

void hk_quality_destroy(hk_quality *q) {
  if (!q) return;
  free(q->entry);
  free(q);
}

int hk_quality_report(const hk_quality *q, hk_diag *diag) {
  int doubts = 0;
  for (int i = 0; q && i < q->n; i++) {
    const hk_indicator *k = &q->entry[i].indicator;
    if (k->level == HK_LEVEL_GOOD) continue;
    doubts += k->level == HK_LEVEL_DOUBT;
    hk_diag_add(diag, HK_WARNING, &q->entry[i].location, "%s", k->sentence);
  }
  return doubts;
}
