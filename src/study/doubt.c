/* Warnings where a run is poor: see doubt.h. */
#include "study/doubt.h"
#include <math.h>

/* Shares of the energy turned over, and sizes, from which a user should know. */
static const double energy_share = 0.01, joint_error = 1e-6, overlap_share = 0.01, most_turn = 1.5,
                    film_share = 0.01, state_share = 1e-4;

/* The tolerance counts from the model's size.  Where bodies move far less and nothing damps what they do, errors
 * of steps that are small beside that size add up to a part of the motion. */
static const double small_motion = 1.0 / 3000, step_share = 3e-7, undamped = 0.1;

/* [rad] of oscillations that nothing damps or drives. */
static const double most_phase = 0.1;

/* The tolerance that would see the motion, as far as numbers of this length have digits. */
static double seeing(const hk_run_report *p, double length) {
  return fmax(1e-9 * p->trust.moved, 1e-14 * length);
}

static bool hardly_moves(const hk_run_report *p, double length) {
  const hk_trust *t = &p->trust;
  double tolerance = p->atol + p->rtol * length;
  return t->moved > 1e-13 * length && t->moved < small_motion * length &&
         tolerance > step_share * t->moved && tolerance > 3 * seeing(p, length) &&
         t->energy_work < undamped * t->energy_scale && t->energy_scale > t->energy_floor;
}

/* Within so short a time bodies come no farther than the error that a step may make, and any motion is good enough. */
static const double instant = 1e-6, seen_share = 1e-3;

static bool is_too_short(const hk_run_report *p, double length) {
  double tolerance = p->atol + p->rtol * length;
  return !(p->step > 0) && p->end - p->start <= instant && p->trust.moved > 0 &&
         tolerance > seen_share * p->trust.moved;
}

int hk_run_doubts(const hk_run_report *p, double length, hk_diag *diag) {
  const hk_trust *t = &p->trust;
  int n = 0;
  if (!(t->energy_excess <= energy_share * t->energy_scale) &&
      !(t->energy_excess <= t->energy_floor)) {
    n++;
    hk_diag_add(
        diag, HK_WARNING, NULL,
        "the energy balance is off by %.3g J at t = %.6g s, of %.3g J that were turned over: "
        "do not trust this run as it is; tighten rtol and atol (they are %g and %g) or "
        "shorten the step",
        t->energy_defect, t->energy_time, t->energy_scale, p->rtol, p->atol);
  }
  if (t->phase > most_phase && t->energy_work < undamped * t->energy_scale &&
      t->energy_defect > t->energy_floor) {
    n++;
    hk_diag_add(
        diag, HK_WARNING, NULL,
        "an error of energy of %.2g J, small as it is, may have made the oscillations of this long "
        "run early or late by up to %.2g rad at its end: `hooke run --digits` tells how many "
        "digits stand; tighten rtol and atol (they are %g and %g)",
        t->energy_defect, t->phase, p->rtol, p->atol);
  }
  if (is_too_short(p, length)) {
    double share = 1e-6 * t->moved;
    n++;
    hk_diag_add(diag, HK_WARNING, NULL,
                "within %.3g s the bodies came no farther than %.2g m, and each step may be off by "
                "%.1g m: this motion is hardly followed; set rtol to %.0e and atol to %.0e",
                p->end - p->start, t->moved, p->atol + p->rtol * length, share / length, share);
  } else if (hardly_moves(p, length)) {
    double share = seeing(p, length);
    n++;
    hk_diag_add(
        diag, HK_WARNING, NULL,
        "the bodies came no farther than %.2g m from their start, and the tolerance counts from "
        "the model's size (%.2g m): errors of steps, up to %.1g m each, may add up to a part "
        "of this motion; set rtol to %.0e and atol to %.0e",
        t->moved, length, p->atol + p->rtol * length, share / length, share);
  }
  if (!(t->constraint_error <= joint_error * fmax(1, length))) {
    n++;
    hk_diag_add(diag, HK_WARNING, NULL, "joints were open by %.3g (m or rad) at t = %.6g s",
                t->constraint_error, t->constraint_time);
  }
  if (t->overlap > overlap_share * length) {
    n++;
    hk_diag_add(
        diag, HK_WARNING, NULL,
        "rigid contacts overlapped by %.3g m at t = %.6g s; use a shorter step, or look for "
        "bodies that overlap at the start",
        t->overlap, t->overlap_time);
  }
  if (t->turn > most_turn) {
    n++;
    hk_diag_add(diag, HK_WARNING, NULL,
                "a body turned by %.3g rad within one step at t = %.6g s, which its orientation "
                "cannot follow; use a step %.2g times shorter, or none, so that it is chosen",
                t->turn, t->turn_time, ceil(10 * t->turn));
  }
  if (t->film && !(t->film_error <= film_share)) {
    n++;
    hk_diag_add(
        diag, HK_WARNING, NULL,
        "steps may be wrong by %.2g of the clearance of '%s' at t = %.6g s: tighten rtol and "
        "atol (they are %g and %g), which count from the size of the model, use stepper: bdf, "
        "or shorten the step",
        t->film_error, t->film, t->film_time, p->rtol, p->atol);
  }
  if (t->state && !(t->state_error <= state_share)) {
    n++;
    hk_diag_add(diag, HK_WARNING, NULL,
                "state '%s' starts from 0 and never exceeded %.2g (in SI units), but its error "
                "counts from 1: "
                "it may have few right digits, or none; give it a scale of about %.0e",
                t->state, t->state_most, t->state_most);
  }
  if (t->bent) {
    n++;
    hk_diag_add(
        diag, HK_WARNING, NULL,
        "'%s' passed %.4g deg, the most that its joint's geometry allows, at t = %.6g s and "
        "reached %.4g deg: beyond, balls or rollers leave their places or touch each other, which "
        "this run does not see; bend it less",
        t->bent, t->bend_limit * 180 / M_PI, t->bend_time, t->bend * 180 / M_PI);
  }
  /* No doubt of the numbers, but of what they mean. */
  if (t->shared_impacts > 0)
    hk_diag_add(
        diag, HK_WARNING, NULL,
        "%ld impact%s (the first at t = %.6g s) pushed on through contacts that touched: the law "
        "of contact "
        "takes them all at once, and a row of touching bodies stays together; with `impact: "
        "in_turn` in "
        "the law the impulse is passed on from one contact to the next, as in Newton's cradle",
        t->shared_impacts, t->shared_impacts == 1 ? "" : "s", t->shared_time);
  if (t->kicks > 0)
    hk_diag_add(diag, HK_WARNING, NULL,
                "the velocity that motion '%s' prescribes jumps by %.3g m/s or rad/s at t = %.6g s "
                "(%ld such "
                "corner%s in all): an impulse acts there for no time, which its effort and the "
                "forces in joints do "
                "not show; round the corner, for instance by step5, to see the force",
                t->kicked, t->kick, t->kick_time, t->kicks, t->kicks == 1 ? "" : "s");
  if (t->open_pressures > 0)
    hk_diag_add(
        diag, HK_WARNING, NULL,
        "from t = %.6g s on, whether contact '%s' slides depends on how the pressure is shared "
        "between it and contact '%s', which rigid bodies do not tell: this is one of several "
        "motions; fewer contacts or a compliant law decide",
        t->open_time, t->open_contact, t->open_other);
  return n;
}
