/* Poincare sections: see poincare.h.
 *
 * A crossing is located by repeating the crossing step with other lengths from the state before
 * it: the point found is one that the integrator itself would have computed, even through an
 * impact.  The root of f(h) is bracketed by the Illinois variant of regula falsi, with bisection
 * if that does not halve the bracket [Dowell and Jarratt 1971]. */
#include "analysis/poincare.h"
#include <math.h>
#include <stdlib.h>

hk_status hk_section_walk_begin(hk_section_walk *w, hk_sim *sim, const hk_section *section,
                                double origin, hk_error *err) {
  *w = (hk_section_walk){.sim = sim, .section = section};
  double t = hk_sim_time(sim);
  if (section->period > 0) {
    w->base = origin + section->phase * section->period;
    w->index = (int64_t)floor((t - w->base) / section->period + 1e-9) + 1;
    return HK_OK;
  }
  size_t size = hk_sim_state_size(sim);
  w->before = malloc(size);
  w->after = malloc(size);
  w->at = malloc(size);
  if (!w->before || !w->after || !w->at) return hk_fail(err, HK_ENOMEM, "out of memory");
  w->seen = t;
  return hk_sim_values(sim, &section->channel, 1, &w->last, err);
}

void hk_section_walk_end(hk_section_walk *w) {
  free(w->before);
  free(w->after);
  free(w->at);
  *w = (hk_section_walk){0};
}

/* ---- stroboscopic ---- */

static hk_status next_period(hk_section_walk *w, hk_error *err) {
  double t = w->base + (double)w->index * w->section->period;
  if (!(t > hk_sim_time(w->sim)))
    return hk_fail(err, HK_EINPUT, "a period of %g s is below the time resolution at t = %g s",
                   w->section->period, hk_sim_time(w->sim));
  w->index++;
  if (!w->stepped) return hk_sim_advance(w->sim, t, err);
  hk_status status = HK_OK;
  while (!status && hk_sim_time(w->sim) < t) {
    status = hk_sim_step(w->sim, t, err);
    if (!status) status = w->stepped(w->context, err);
  }
  return status;
}

/* ---- by event ---- */

/* Finds the level that is crossed. Levels are numbered by (value - level)/modulo, rounded to an
 * integer. An increase from a to b crosses the levels in (a, b], a decrease those in [b, a). So
 * a level at which a step ends is counted once, for any step sizes. The quotient alone is not
 * sufficient, because by rounding it may be on the other side of the integer. */
bool hk_section_level(const hk_section *s, double a, double b, double *level) {
  bool up = b > a;
  if (!(a != b) || (s->direction && (s->direction > 0) != up)) return false;
  *level = s->value;
  if (s->modulo > 0) {
    double side = up ? 1 : -1, k = side * floor(side * (a - s->value) / s->modulo);
    for (int i = 0; i < 4; i++, k += side) {
      *level = s->value + s->modulo * k;
      if (up ? *level > a : *level < a) break;
    }
  }
  return up ? a < *level && b >= *level : a > *level && b <= *level;
}

/* Repeats the crossing step up to t; returns the channel's distance from the level. */
static hk_status probe(hk_section_walk *w, double t, double level, double *f, hk_error *err) {
  *f = NAN;
  hk_sim_state_set(w->sim, w->before);
  hk_status status = hk_sim_advance(w->sim, t, err);
  if (!status) status = hk_sim_values(w->sim, &w->section->channel, 1, f, err);
  *f -= level;
  return status;
}

/* Searches from t0 (value a) to t1 (value b), which is beyond the level.  Leaves the simulation at the first point
 * found beyond it. */
static hk_status locate(hk_section_walk *w, double t0, double a, double t1, double b, double level,
                        hk_error *err) {
  double low = t0, high = t1, fl = a - level, fh = b - level;
  const double least = fmax(1e-10 * (t1 - t0), 4e-13 * fmax(1, fabs(t1)));
  hk_status status = HK_OK;
  bool stands = false; /* the simulation is at `high` */
  int side = 0;
  for (int i = 0; i < 60 && !status && fh != 0 && high - low > least; i++) {
    double t = i % 3 == 2 ? 0.5 * (low + high) : high - fh * (high - low) / (fh - fl), f;
    t = fmin(fmax(t, low + 0.5 * least), high - 0.5 * least);
    status = probe(w, t, level, &f, err);
    stands = (f > 0) != (fl > 0) || f == 0;
    if (stands) {
      high = t, fh = f;
      if (side > 0) fl *= 0.5;
      side = 1;
    } else {
      low = t, fl = f;
      if (side < 0) fh *= 0.5;
      side = -1;
    }
  }
  double f;
  return status || stands ? status : probe(w, high, level, &f, err);
}

static hk_status no_crossing(const hk_section_walk *w, hk_error *err) {
  const hk_section *s = w->section;
  return hk_fail(err, HK_EFAIL,
                 "the section is not crossed: its channel does not pass %g%s between t = %g s and "
                 "%g s (it is %g at the end)",
                 s->value,
                 s->direction > 0   ? " upwards"
                 : s->direction < 0 ? " downwards"
                                    : "",
                 w->seen, hk_sim_time(w->sim), w->last);
}

/* Makes one step from the time t, at which the channel has the value a. */
static hk_status step_on(hk_section_walk *w, double end, double *t, double *a, hk_error *err) {
  *t = hk_sim_time(w->sim), *a = w->last;
  if (!(*t < end)) return no_crossing(w, err);
  hk_sim_state_get(w->sim, w->before);
  hk_status status = hk_sim_step(w->sim, isfinite(end) ? end : *t + 1e9, err);
  if (!status && w->stepped) status = w->stepped(w->context, err);
  return status ? status : hk_sim_values(w->sim, &w->section->channel, 1, &w->last, err);
}

static hk_status next_event(hk_section_walk *w, const int *channel, int n, double *time,
                            double *out, hk_error *err) {
  const hk_section *s = w->section;
  const double end = s->wait > 0 ? w->seen + s->wait : INFINITY;
  double t = w->seen, a = w->from, level = NAN;
  hk_status status = HK_OK;
  while (!status && !(w->more && hk_section_level(s, a, w->last, &level))) {
    status = step_on(w, end, &t, &a, err);
    w->more = true;
  }
  if (status) return status;
  hk_sim_state_get(w->sim, w->after);
  status = locate(w, t, a, hk_sim_time(w->sim), w->last, level, err);
  if (!status) status = hk_sim_values(w->sim, channel, n, out, err);
  /* the value found differs from the level by round-off; if it is before the level, the same
   * level would be found again */
  w->from = level;
  *time = w->seen = hk_sim_time(w->sim);
  w->more = s->modulo >
            0; /* a long step of a steady motion may cross several levels, and so may a jump */
  hk_sim_state_get(w->sim, w->at);
  hk_sim_state_set(w->sim, w->after);
  return status;
}

hk_status hk_section_next(hk_section_walk *w, const int *channel, int n, double *time, double *out,
                          hk_error *err) {
  if (!(w->section->period > 0)) return next_event(w, channel, n, time, out, err);
  hk_status status = next_period(w, err);
  *time = hk_sim_time(w->sim);
  return status || n == 0 ? status : hk_sim_values(w->sim, channel, n, out, err);
}
