/* Extrapolates the state across a switch: see scan.h. */
#include "core/contact.h"
#include "control/breakpoint.h"
#include "control/controller.h"
#include "control/scan_private.h"
#include "sim/dense_output.h"
#include "spec/item.h"
#include <stdio.h>

typedef struct crossing {
  int watched; /* -1: none */
  /* times from the present state to just before the switch and just after it */
  double before, after;
  double jump, rate_jump, change;
} crossing;

/* The Taylor polynomial of the current state over a time. */
static hk_scan_path look_along(hk_sim *s, double time) {
  hk_dense_carry(s, s->x, time, s->x_next);
  hk_instant_ends(s->model, s->x, time, s->x_next);
  hk_scan_look(s, s->x, false, s->scan->end[0]);
  hk_scan_look(s, s->x_next, false, s->scan->end[1]);
  return hk_scan_path_of(s, s->x[s->model->at.t], time);
}

/* Finds the first switch on a path. */
static crossing find(hk_sim *s, const hk_scan_path *p, double over) {
  const hk_model *m = s->model;
  double time = p->h;
  crossing first = {.watched = -1, .before = time};
  for (int i = 0; i < m->n_watched; i++) {
    hk_scan_bend bend;
    int pieces = HK_SCAN_PIECES;
    double to = first.before / time;
    if (m->watched[i].timed) continue;
    if (!hk_scan_first_bend(s, i, p, 0, to, over, &pieces, &bend)) continue;
    first =
        (crossing){i, bend.left * time, bend.right * time, bend.jump, bend.rate_jump, bend.change};
  }
  return first;
}

hk_seen hk_scan_rejected(hk_sim *s, double *h) {
  if (!s->scan->moves) return HK_SEEN_NOTHING;
  hk_scan_memory *k = hk_scan_memory_of(s, s->x);
  const hk_scan_path p = look_along(s, *h);
  const crossing c = find(s, &p, fmax(*h, k->pace));
  hk_scan_forget(s);
  s->kept_past = false;
  return c.watched < 0 ? HK_SEEN_NOTHING : hk_scan_approach(s, &p, c.before, h);
}

/* Length of a first step after the switch within which the jump moves bodies by a fifth of the tolerance. The rate of
 * a scalar state after the switch is known (hk_states_begin), so that only the change of this rate during the step
 * matters. Steps should not be shorter than necessary, because short steps reduce the accuracy of velocities, which
 * multistep formulas compute from differences of positions. */
static double first_step_behind(const hk_sim *s, const crossing *k) {
  double over = 1, jump = s->model->watched[k->watched].of_state ? 0 : k->jump;
  for (int i = 0; i < 60 && hk_scan_effect(s, k->watched, jump, k->rate_jump, over) > 0.2; i++)
    over *= 0.5;
  return over;
}

/* Moves the state along its Taylor polynomial; the motion continues from there. */
static hk_status carry(hk_sim *s, double d, hk_error *err) {
  const hk_model *m = s->model;
  double *ledger = s->x + m->at.ledger;
  for (int i = 0; i < HK_LEDGER_POWER; i++) ledger[i] += d * ledger[HK_LEDGER_POWER + i];
  hk_dense_carry(s, s->x, d, s->x_next);
  hk_copy(s->x, s->x_next, m->at.size);
  hk_status status = hk_sim_restart(s, err);
  if (!status && m->n_turns) hk_coordinates_accept(s->work, s->x + m->at.turn);
  return status;
}

/* After a switch has been crossed, the search may find the same switch again because of round-off. A switch within
 * `remains` times hk_scan_near of the crossed switch counts as the same one. MOST_REMAINS: maximum number of such
 * repetitions. */
static const double remains = 64;
enum { MOST_REMAINS = 4 };

/* The time of a switch is computed from the cubic interpolation of the step. Because of round-off, the bodies may be just
 * before the switch at this time. The scan then finds the same switch a second time, and it is crossed again. If the
 * second jump is in the opposite direction, the motion is driven to the switch from both sides: a sliding mode
 * [Filippov1988]. A kink of the forces cannot cause a sliding mode. */
static hk_status finish(hk_sim *s, const crossing *c, double t_end, bool *slides, hk_error *err) {
  hk_status status = HK_OK;
  for (int i = 0; i < MOST_REMAINS && !status && !*slides; i++) {
    double t = s->x[s->model->at.t], over = hk_scan_memory_of(s, s->x)->pace;
    double time = remains * hk_scan_near(t);
    hk_scan_bend bend;
    int pieces = HK_SCAN_PIECES;
    if (!(time < t_end - t)) return HK_OK;
    const hk_scan_path p = look_along(s, time);
    if (!hk_scan_first_bend(s, c->watched, &p, 0, 1, over, &pieces, &bend)) return HK_OK;
    bool back = bend.change * c->change < 0;
    *slides = back && hk_scan_effect(s, c->watched, bend.jump, 0, over) > 0.5;
    if (!back) status = carry(s, bend.right * time + hk_scan_near(t), err);
  }
  return status;
}

static hk_status sliding(const hk_sim *s, const hk_watched *k, hk_error *err) {
  char who[400];
  hk_expression_describe(k->item, k->text, who, sizeof who);
  hk_status status = hk_fail(
      err, HK_EFAIL,
      "no step succeeds at t = %.9g s: the expression of %s switches back and forth there, because "
      "on both sides of the switch the motion is driven back to it (a sliding mode). For dry "
      "friction use a contact with a law of type signorini, which sticks, "
      "or "
      "a force of type joint_friction; for a controller use a band in which it is smooth, such as "
      "clip(x/width, -1, 1) in place of sign(x)",
      s->x[s->model->at.t], who);
  hk_error_about(err, k->item->name, NAN, -1);
  return status;
}

static void exchange_accelerations(hk_sim *s) {
  const hk_model *m = s->model;
  for (int i = 0; i < m->nv; i++) {
    double *a = &s->x[m->at.vd + i], kept = *a;
    *a = s->out.vd[i], s->out.vd[i] = kept;
  }
}

/* Accelerations of multistep formulas are differences of velocities, which after a short step are
 * mostly round-off: the Taylor polynomial uses the accelerations of the equations of motion
 * instead, which are stored in s->out.vd. */
static hk_status renew_accelerations(hk_sim *s, hk_error *err) {
  const hk_model *m = s->model;
  s->out.have_accelerations = false;
  hk_copy(s->out.vd, s->x + m->at.vd, m->nv);
  if (hk_integrator_can(s, HK_MEANS))
    return HK_OK; /* forces of contacts are not part of these equations */
  hk_copy(s->out.lambda, s->x + m->at.lambda, m->nc);
  hk_status status = hk_sim_accelerations(s, s->x, s->out.vd, s->out.lambda, err);
  if (!status) exchange_accelerations(s);
  return status < 0 ? status : HK_OK;
}

hk_status hk_scan_cross(hk_sim *s, double t_end, hk_error *err) {
  const hk_model *m = s->model;
  hk_scan_memory *k = hk_scan_memory_of(s, s->x);
  double t = s->x[m->at.t], reach = k->reach, over = k->pace;
  if (!(reach > 0) || k->due - t > reach)
    return HK_OK; /* the expression has no switch, or the switch has not been reached */
  k->reach = 0;
  double time = fmin(4 * reach, t_end - t);
  if (m->n_bending) time = fmin(time, hk_breakpoint_due(s) - t);
  if (!(time > hk_scan_near(t))) return HK_OK;
  s->kept_past = false;
  hk_scan_forget(s);
  hk_status status = renew_accelerations(s, err);
  if (status) return status;
  const hk_scan_path p = look_along(s, time);
  const crossing c = find(s, &p, fmax(over, reach));
  if (c.watched < 0 || !hk_scan_is_calm(s, &p, 0, c.before / time, fmax(over, reach))) {
    exchange_accelerations(s);
    return HK_OK;
  }
  double d = c.after + hk_scan_near(t);
  bool to_the_end = d > 0.5 * (t_end - t); /* the remaining time is too short for another step */
  if (to_the_end) d = t_end - t;
  bool slides = false;
  hk_dense_carried(s);
  status = carry(s, d, err);
  if (to_the_end) s->x[m->at.t] = t_end;
  if (!status && !to_the_end) status = finish(s, &c, t_end, &slides, err);
  if (status) return status;
  if (slides) return sliding(s, &m->watched[c.watched], err);
  double *wanted = hk_control_wanted(s, s->x);
  *wanted = fmin(*wanted, first_step_behind(s, &c));
  return HK_OK;
}
