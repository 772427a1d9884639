/* hk_sim: step control, statistics. */
#include "core/contact.h"
#include "node/dispatch.h"
#include "solve/contact_problem.h"
#include "stepper/dense.h"
#include "stepper/knot.h"
#include "stepper/lookup.h"
#include "stepper/scan.h"
#include "stepper/sim.h"
#include "stepper/trust.h"
#include <stdio.h>
#include <string.h>

void hk_ledger_powers(const hk_sim *s, const double *x1, double power[3]) {
  const hk_model *m = s->model;
  power[0] = s->work->dissipated, power[1] = 0, power[2] = s->work->applied;
  const double *lambda = x1 + m->at.lambda, *shift = x1 + m->at.lambda_shift;
  for (int i = 0; i < m->n_constraints; i++)
    if (m->constraint[i].value) {
      int r = m->constraint[i].row;
      power[1] += (lambda[r] + shift[r]) * s->work->gt[r];
    }
}

void hk_ledger_advance(hk_sim *s, const double *x0, double h, double *x1) {
  const hk_model *m = s->model;
  double *l1 = x1 + m->at.ledger, power[3];
  const double *l0 = x0 + m->at.ledger;
  hk_ledger_powers(s, x1, power);
  if (m->compliant) hk_contact_ledger(s->work, x0, h, x1);
  for (int k = 0; k < 3; k++) {
    l1[k] = l0[k] + 0.5 * h * (l0[HK_LEDGER_POWER + k] + power[k]);
    l1[HK_LEDGER_POWER + k] = power[k];
  }
}

/* The equation that the last attempt left worst: s->r holds what Newton could not bring down.  Returns
 * its node, or -1. */
static int name_worst_equation(const hk_sim *s, char *text, size_t size, int *constraint_row) {
  const hk_model *m = s->model;
  int row = -1, node = -1;
  *constraint_row = -1;
  hk_max_abs(s->r, s->system->n, &row);
  snprintf(text, size, "the equations of motion");
  for (int i = 0; i < m->n_nodes; i++)
    if (row >= m->node[i].v && row < m->node[i].v + m->node[i].nv) {
      bool state = m->node[i].type->number;
      snprintf(text, size, "the %s%s of %s '%s'",
               m->node[i].coordinate[row - m->node[i].v].equation, state ? "" : " balance",
               state ? "state" : "body", m->node[i].name);
      node = i;
    }
  for (int r = 0; r < m->nc; r++)
    if (row >= m->nv && s->kept[r] && s->system->row_at[r] == row) {
      hk_model_row_text(m, r, text, size);
      *constraint_row = r;
    }
  return node;
}

/* The contact that presses a node hardest, with its law; NULL: none touches it. */
static const hk_contact *hardest_contact(const hk_sim *s, int node, int *point) {
  const hk_model *m = s->model;
  const hk_contact *found = NULL;
  double most = 0;
  for (int i = 0; i < m->n_points; i++) {
    const hk_contact *c = &m->contact[m->point_contact[i]];
    if (c->law->set_valued || !(s->work->touch[i].N > most)) continue;
    if (m->marker[c->a].node != node && m->marker[c->b].node != node) continue;
    most = s->work->touch[i].N;
    found = c;
    *point = i - c->point;
  }
  return found;
}

/* The element whose force was not a finite number where the last attempt ended, or NULL. */
static const hk_item *find_not_finite(hk_sim *s, double h) {
  const hk_model *m = s->model;
  hk_instant in = hk_instant_at(m, s->x_next), before = hk_instant_at(m, s->x);
  in.h = h;
  if (!isfinite(hk_max_abs(in.q, m->nq, NULL) + hk_max_abs(in.v, m->nv, NULL)))
    in.q = before.q, in.v = before.v; /* it is the force that broke them */
  hk_kinematics(s->work, &in, HK_FRAMES_STEP);
  return hk_forces_not_finite(s->work, &in);
}

static hk_status about(hk_error *err, const char *element, int row, hk_status status) {
  hk_error_about(err, element, NAN, row);
  return status;
}

/* The contact solver gave up: the contact with the largest impulse of the last attempt stands for all. */
static hk_status impulses_not_found(const hk_sim *s, double h, hk_error *err) {
  const hk_model *m = s->model;
  const char *name = NULL;
  double most = -1;
  for (int i = 0; i < m->n_points; i++) {
    const hk_contact *c = &m->contact[m->point_contact[i]];
    double N = fabs(s->x_next[m->at.touch + i * HK_N_TOUCH + HK_TOUCH_IMPULSE_N]);
    if (c->law->set_valued && N > most) most = N, name = c->name;
  }
  return about(
      err, name, -1,
      hk_fail(err, HK_EFAIL,
              "no step succeeds at t = %.9g s, even with h = %.3g s: the impulses of the contacts "
              "cannot be found, their equations are left by %.2g; the largest is that of contact "
              "'%s'. Try less friction, another step, or look for contacts that press against each "
              "other",
              s->x[m->at.t], h, s->stats.contact_merit, name ? name : ""));
}

/* why: what the stepper itself has to say, or NULL. */
static hk_status give_up(hk_sim *s, double h, const char *why, hk_error *err) {
  char where[600];
  int row = -1;
  const hk_item *reader = NULL;
  if (!why &&
      (reader = hk_lookups_explain(s->model, s->work->variable, false, where, sizeof where)))
    why = where;
  const hk_item *e = s->work->failure.item ? s->work->failure.item
                     : why                 ? NULL
                                           : find_not_finite(s, h);
  if (e)
    return about(
        err, e->name, -1,
        hk_fail(
            err, HK_EFAIL, "no step succeeds at t = %.9g s, even with h = %.3g s: %s '%s' (%s): %s",
            s->x[s->model->at.t], h, hk_category_name(e->type->category), e->name, e->type->name,
            s->work->failure.item ? s->work->failure.what : "its force is not a finite number"));
  if (why)
    return about(err, reader ? reader->name : NULL, -1,
                 hk_fail(err, HK_EFAIL, "no step succeeds at t = %.9g s, even with h = %.3g s: %s",
                         s->x[s->model->at.t], h, why));
  if (s->stats.contact_merit > HK_CONTACT_TOL) return impulses_not_found(s, h, err);
  if (hk_explain_later_conflict(s, 1e-3 * fmax(s->option.duration, 1e-3), where, sizeof where))
    return hk_fail(
        err, HK_EFAIL,
        "no step succeeds at t = %.9g s: from here on %s. Remove one of them or make them agree",
        s->x[s->model->at.t], where);
  if (hk_explain_dead_point(s, where, sizeof where))
    return hk_fail(err, HK_EFAIL, "no step succeeds at t = %.9g s, even with h = %.3g s: %s",
                   s->x[s->model->at.t], h, where);
  int point = 0, node = name_worst_equation(s, where, sizeof where, &row);
  const hk_contact *c = node < 0 ? NULL : hardest_contact(s, node, &point);
  if (c)
    return about(
        err, c->name, -1,
        hk_fail(
            err, HK_EFAIL,
            "no step succeeds at t = %.9g s, even with h = %.3g s; the worst equation is %s, "
            "pressed "
            "hardest by contact '%s%s%s' between '%s' and '%s' (%.4g N). Try more damping or a "
            "larger velocity (below which friction fades) in law '%s', or a smaller max_step or "
            "min_step",
            s->x[s->model->at.t], h, where, c->name, c->gap->point_names ? "." : "",
            c->gap->point_names ? c->gap->point_names[point] : "",
            ((const hk_contact_common *)c->item->data)->a,
            ((const hk_contact_common *)c->item->data)->b, s->work->touch[c->point + point].N,
            c->law_item->name));
  const char *name = node >= 0  ? s->model->node[node].name
                     : row >= 0 ? s->model->constraint[s->model->row_constraint[row]].name
                                : NULL;
  return about(
      err, name, row,
      hk_fail(
          err, HK_EFAIL,
          "no step succeeds at t = %.9g s, even with h = %.3g s; the worst equation is %s. Try a "
          "smaller max_step, a looser rtol, more damping, or look for a jump in a load or motion "
          "at this time",
          s->x[s->model->at.t], h, where));
}

/* Angles are counted over whole turns from step to step: no body may turn too far in one.  Values between the ends of a step that come
 * from these alone know of no whole turns either; and a body that turns evenly lets such steps grow beyond what follows it where it does not stay
 * so: one that turns over, or a rolling wheel, whose noise doubles in steps of 1.5. */
static const double most_turn = 1.5, most_turn_by_ends = 1;

/* Of the bodies between which an angle is counted; `all`: and of those that turn in space. */
static double fastest_turn(const hk_sim *s, bool all, int *node) {
  const hk_model *m = s->model;
  double most = 1e-300; /* rad^2/s^2 */
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    double lengths, angles;
    if (!n->counted && !(all && n->turn >= 0)) continue;
    hk_node_squares(n, s->x + m->at.v + n->v, &lengths, &angles);
    if (!(angles > most)) continue;
    most = angles;
    if (node) *node = i;
  }
  return sqrt(most);
}

/* Length of the next step: as wanted, but landing on t_end after whole steps of equal length. */
static double fit_step(const hk_sim *s, double wanted, double t_end) {
  const hk_model *m = s->model;
  double t = s->x[m->at.t], left = t_end - t, h = wanted;
  if (s->option.max_step > 0) h = fmin(h, s->option.max_step);
  bool all = hk_stepper_of(s)->interpolate == hk_dense_hermite;
  if ((all || m->n_turns > 0) && !(s->option.step > 0))
    h = fmin(h, (all ? most_turn_by_ends : most_turn) / fastest_turn(s, all, NULL));
  double n = ceil(left / h * (1 - 1e-9));
  return n <= 1 ? left : n < HK_EVEN_STEPS ? left / n : h;
}

void hk_sim_start_memory(hk_sim *s) {
  const hk_model *m = s->model;
  if (!m->n_memory) return;
  const hk_instant in = hk_instant_settled(m, s->x, s->x + m->at.lambda);
  hk_kinematics(s->work, &in, HK_FRAMES_MOVING);
  hk_memory_start(s->work, &in, s->x + m->at.memory);
  hk_copy(s->x + m->at.memory_old, s->x + m->at.memory, m->n_memory);
}

/* At the end of an accepted step, whose frames are in work.  A jump of velocities takes no time. */
static void remember(hk_sim *s, double h, double *x) {
  const hk_model *m = s->model;
  double *lambda = s->full;
  hk_copy(x + m->at.memory_old, x + m->at.memory, m->n_memory);
  if (!(h > 0)) return;
  for (int r = 0; r < m->nc; r++) lambda[r] = x[m->at.lambda + r] + x[m->at.lambda_shift + r];
  hk_instant in = hk_instant_last(m, x, lambda);
  in.h = h;
  hk_memory_accept(s->work, &in, x + m->at.memory);
}

/* Whether attempted steps are scanned. */
static bool scans(const hk_sim *s) {
  return s->model->n_watched > 0 && !(s->option.step > 0) && hk_stepper_of(s)->adaptive;
}

static void accept(hk_sim *s, double h, double error) {
  const hk_model *m = s->model;
  double *x = s->x_next;
  if (m->n_memory) remember(s, h, x);
  if (!hk_stepper_of(s)->own_ledger) hk_ledger_advance(s, s->x, h, x);
  if (m->n_turns) hk_coordinates_accept(s->work, x + m->at.turn);
  if (m->n_lookups) hk_lookups_accept(s, x);
  s->x_next = s->x;
  s->x = x;
  s->kept_past = s->out.have_step = true;
  s->out.have_accelerations = s->out.have_loads = s->out.have_variables = false;
  s->out.have_frames = hk_stepper_of(s)->leaves_frames && s->out.steps_show_all;
  if (scans(s)) hk_scan_accept(s, h);
  s->stats.steps++;
  s->stats.step = h;
  s->stats.constraint_error = m->nc ? hk_max_abs(s->work->g, m->nc, NULL) : 0;
  hk_trust_step(s, error);
}

/* Rows left out as redundant must stay satisfied by themselves. */
static bool redundancy_broken(const hk_sim *s) {
  const hk_model *m = s->model;
  if (s->stats.redundant == 0) return false;
  double tolerance = 1e-10 * fmax(1, m->length);
  for (int r = 0; r < m->nc; r++)
    if (!s->kept[r] && !(fabs(s->work->g[r]) <= tolerance)) return true;
  return false;
}

static hk_status take_rows_back(hk_sim *s, hk_error *err) {
  const hk_model *m = s->model;
  int before = s->stats.redundant;
  const hk_instant in = hk_instant_at(m, s->x_next);
  hk_kinematics(s->work, &in, HK_FRAMES_MOVING);
  hk_constraints(s->work, &in);
  hk_status status = hk_find_redundancy(s, NULL, err);
  if (status) return status;
  if (s->stats.redundant >= before) {
    char text[600] = "the mechanism jams or leaves a singular position";
    int row = hk_explain_conflict(s, s->work->g, false, text, sizeof text);
    hk_fail(
        err, HK_EFAIL, "at t = %.9g s constraints that were redundant no longer agree: %s%s",
        s->x[m->at.t], text,
        s->stats.steps == 0 ? "; if the mechanism stands at a dead point, start beside it" : "");
    return hk_blame_row(s, row, HK_EFAIL, err);
  }
  /* A row that is left out now must not go on with the force it had. */
  s->kept_past = false;
  for (int r = 0; r < m->nc; r++)
    if (!s->kept[r])
      s->x[m->at.lambda + r] = s->x[m->at.lambda_shift + r] = s->x[m->at.lambda_old + r] =
          s->x[m->at.lambda_old + m->nc + r] = 0;
  if (hk_stepper_of(s)->forget) hk_stepper_of(s)->forget(m, s->x);
  return hk_build_systems(s, s->system->full, err);
}

/* The points of a table are not to be stepped over: what is left of the step is an error like others. */
static void keep_pace(const hk_sim *s, double h, hk_step_info *info) {
  double pace = hk_lookups_pace(s, s->x);
  bool own = hk_stepper_of(s)->set_valued; /* places its steps itself: only the next one is told */
  hk_step_raise_error(info, own ? fmin(1, pace * pace * pace) : pace * pace * pace);
  if (info->next > 0 && pace > 0) info->next = fmin(info->next, 0.9 * h / pace);
}

/* An error so small that nothing happens: steps then grow faster. */
static const double nothing = 1e-4;

/* The length that the controller would like after an accepted step of length h.  Small gains are not
 * worth a change: the next one would be refused more often.  What has just failed is not tried again at once. */
static double next_length(const hk_step_info *info, double h, double ratio) {
  double wanted = info->wanted;
  if (info->next > 0)
    return h < 0.99 * wanted && info->next >= h ? fmax(info->next, wanted) : info->next;
  if (ratio <= 1.25 && ratio >= 1) return wanted;
  double next = fmin(ratio, info->rejected ? 1 : info->error < nothing ? 4 : 2) * h;
  return next > wanted || ratio < 1 || h >= 0.9 * wanted ? next : wanted;
}

static const char *limit_of(const hk_sim *s, const hk_step_info *info, double h, double t_end,
                            double due) {
  double t = s->x[s->model->at.t];
  if (s->option.step > 0) return "the step that is given";
  if (info->ended && info->h < h) return "an impact";
  if (info->scanned) return "a load or state that changes or switches within a longer step";
  if (info->failed) return "equations that could not be solved for a longer step";
  if (t + h >= t_end) return "the end of the run or the next output";
  if (t + h >= due) return "a load or motion that switches at a time";
  if (s->option.max_step > 0 && h >= s->option.max_step) return "max_step";
  return "the error that a longer step would make";
}

static hk_status check_length(hk_sim *s, double h, bool adaptive, hk_error *err) {
  const hk_model *m = s->model;
  double t = s->x[m->at.t];
  if (!(t + h > t) && adaptive && s->stats.steps > 0) return give_up(s, h, NULL, err);
  if (!(t + h > t))
    return hk_fail(
        err, HK_EFAIL,
        "a step of %.3g s cannot be told from none at t = %.9g s; let the run start nearer to 0", h,
        t);
  int node = 0;
  if (!adaptive && m->n_turns > 0 && h * fastest_turn(s, false, &node) > M_PI)
    return about(err, m->node[node].name, -1,
                 hk_fail(err, HK_EFAIL,
                         "a step of %.4g s turns body '%s' by more than half a turn at t = %.9g s, "
                         "so that angles "
                         "cannot be counted; use a step below %.3g s",
                         h, m->node[node].name, t, M_PI / 2 / fastest_turn(s, false, NULL)));
  return HK_OK;
}

/* Switches that the state is carried over before one step. */
enum { MOST_SWITCHES = 20 };

/* *switches counts those to which the state has come before the step.  One more than before: no step has been taken, and the
 * state is to be carried over it first. */
static hk_status take_step(hk_sim *s, double t_end, int *switches, hk_error *err) {
  const hk_model *m = s->model;
  double t = s->x[m->at.t], smallest = s->option.min_step;
  if (!(t_end > t)) return HK_OK;
  if (!s->own && hk_stepper_of(s)->create) { /* a simulation that an analysis of rest has left */
    hk_status made = hk_stepper_of(s)->create(s, err);
    if (made) return made;
  }
#ifdef HK_POISON
  hk_sim_poison(s);
#endif
  s->out.have_step = false;
  s->work->still = false; /* as hk_static_solve leaves it */
  if (!(smallest > 0)) smallest = 1e-12 * fmax(1, fabs(t));
  if (s->x[m->at.jump] > 0) {
    hk_status restarted = hk_sim_restart(s, err);
    if (restarted) return restarted;
  }
  bool adaptive = !(s->option.step > 0), may_cross = *switches < MOST_SWITCHES;
  if (m->n_bending && adaptive) {
    hk_status met = hk_knots_meet(s, err);
    if (met) return met;
    t = s->x[m->at.t];
    if (!(t_end > t)) return HK_OK;
  }
  if (scans(s)) {
    hk_status crossed = hk_scan_cross(s, t_end, err);
    if (crossed) return crossed;
    may_cross = may_cross && (*switches == 0 || s->x[m->at.t] > t);
    t = s->x[m->at.t];
    if (!(t_end > t)) return HK_OK;
  }
  hk_step_info info = {.wanted = adaptive ? s->x[m->at.h + 2] : s->option.step};
  double due = m->n_bending && adaptive ? fmin(t_end, hk_knot_due(s)) : t_end;
  double h = fit_step(s, info.wanted, due);
  if (m->n_bulging && adaptive) h = fmin(h, hk_bulge_due(s, t + h) - t);
  hk_status status = check_length(s, h, adaptive, err);
  if (status) return status;
  for (int attempt = 0;; attempt++) {
    info.next = 0;
    info.due = h >= due - t;
    /* From the angles on, what the step does not write goes on as it was. */
    memcpy(s->x_next + m->at.turn, s->x + m->at.turn,
           (size_t)(m->at.size - m->at.turn) * sizeof *s->x);
    status = hk_stepper_of(s)->step(s, s->x, h, s->x_next, &info);
    if (status < 0)
      return hk_fail(err, status, "%s",
                     info.why ? info.why : "the linear solver ran out of memory");
    if (!status && adaptive && m->n_lookups) keep_pace(s, h, &info);
    bool good = !status && (!adaptive || info.error <= 1);
    if (good && redundancy_broken(s)) {
      if (attempt >= 3) return give_up(s, h, info.why, err);
      status = take_rows_back(s, err);
      if (status) return status;
      continue;
    }
    hk_scan_verdict seen = HK_SCAN_CLEAR;
    double until = good && info.ended ? info.h : h; /* 0: velocities jump, and nothing else */
    if (scans(s) && until > 0)
      seen = good ? hk_scan_step(s, &until, may_cross) : hk_scan_rejected(s, &until);
    if (seen == HK_SCAN_CROSS && may_cross) {
      ++*switches;
      return HK_OK;
    }
    good = good && seen != HK_SCAN_SHORTER;
    double ratio = adaptive && info.error > 0 ? 0.9 * pow(info.error, -1.0 / 3) : 4;
    if (good) {
      s->limit = limit_of(s, &info, h, t_end, due);
      accept(s, info.ended ? info.h : h, hk_step_error_made(&info));
      if (t_end - s->x[m->at.t] < 1e-13 * fmax(1, fabs(t_end))) s->x[m->at.t] = t_end;
      s->x[m->at.h + 2] = adaptive ? next_length(&info, h, ratio) : info.wanted;
      return HK_OK;
    }
    s->stats.rejected++;
    info.rejected++;
    if (attempt == 0 && adaptive && seen != HK_SCAN_SHORTER &&
        hk_tolerance(s) < hk_least_told(s)) {
      s->told = hk_least_told(s);
      continue; /* the same once more: it may be good enough */
    }
    info.scanned = info.scanned || seen == HK_SCAN_SHORTER;
    info.failed = info.failed || status;
    if (seen == HK_SCAN_SHORTER) {
      h = until;
    } else if (!status) {
      double before = h;
      h = info.next > 0 ? info.next : h * fmax(0.2, fmin(0.9, ratio));
      if (info.next > 0 && h < smallest && before > 1.01 * smallest) h = smallest;
    } else if (m->nc && !s->system->full && s->option.tangent == HK_TANGENT_AUTO && attempt == 1) {
      /* Preloaded joints may need the geometric coupling between bodies. */
      status = hk_build_systems(s, true, err);
      if (status) return status;
    } else {
      h /= attempt < 6 ? 2 : 8;
    }
    bool too_short = h < smallest && seen != HK_SCAN_SHORTER; /* to land on a switch it may be */
    if (too_short || attempt > 60) return give_up(s, h, info.why, err);
    info.wanted = h;
  }
}

static hk_status step_past_switches(hk_sim *s, double t_end, hk_error *err) {
  int switches = 0, before;
  hk_status status;
  do {
    before = switches;
    status = take_step(s, t_end, &switches, err);
  } while (!status && switches > before);
  return status;
}

hk_status hk_sim_step(hk_sim *s, double t_end, hk_error *err) {
  double t = hk_sim_time(s);
  hk_status status = HK_OK;
  hk_scan_new_step(s);
  if (!hk_ahead_step(s, t_end, &status))
    status = step_past_switches(s, t_end, err);
  else if (status)
    hk_fail(err, status, "out of memory");
  s->told = 0;
  if (status) hk_error_about(err, NULL, t, -1);
  return status;
}

hk_status hk_sim_advance(hk_sim *s, double t, hk_error *err) {
  while (s->x[s->model->at.t] < t) {
    hk_status status = hk_sim_step(s, t, err);
    if (status) return status;
  }
  return HK_OK;
}

double hk_sim_time(const hk_sim *s) { return s->x[s->model->at.t]; }
hk_sim_stats hk_sim_statistics(const hk_sim *s) { return s->stats; }
const char *hk_sim_stepper_name(const hk_sim *s) { return s->stepper->name; }
const char *hk_sim_stepper_why(const hk_sim *s) { return s->why; }
const char *hk_sim_step_limit(const hk_sim *s) { return s->limit ? s->limit : "nothing yet"; }
size_t hk_sim_state_size(const hk_sim *s) { return (size_t)s->state_size * sizeof(double); }
void hk_sim_state_get(const hk_sim *s, void *bytes) { memcpy(bytes, s->x, hk_sim_state_size(s)); }

hk_status hk_sim_follow_state(hk_sim *s, hk_error *err) {
  const hk_model *m = s->model;
  const double *kept = s->x + m->at.kept;
  bool full = s->x[m->at.full] != 0, same = s->system && s->system->full == full;
  s->stats.redundant = 0;
  for (int r = 0; r < m->nc; r++) {
    same = same && s->kept[r] == (kept[r] != 0);
    s->kept[r] = kept[r] != 0;
    s->stats.redundant += !s->kept[r];
  }
  return same ? HK_OK : hk_build_systems(s, full, err);
}

hk_status hk_sim_state_set(hk_sim *s, const void *bytes) {
  memcpy(s->x, bytes, hk_sim_state_size(s));
  s->kept_past = false;
  hk_scan_new_step(s);
  hk_output *o = &s->out;
  o->have_accelerations = o->have_frames = o->have_loads = o->have_variables = o->have_step = false;
  s->stats.step = s->x[s->model->at.h];
  return hk_sim_follow_state(s, NULL);
}
