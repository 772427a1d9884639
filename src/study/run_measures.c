/* Measures of a run, bound to channels: see run_measures.h. */
#include "study/run_measures.h"
#include "expr/units.h"
#include "spec/item.h"
#include "sim/dense_output.h"
#include "sim/sim.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *nearest_channel(const hk_model *m, const char *wrong) {
  const char **names = malloc(((size_t)m->n_channels + 1) * sizeof *names);
  if (!names) return NULL;
  for (int i = 0; i < m->n_channels; i++) names[i] = m->channel[i].name;
  const char *near = hk_nearest_name(wrong, names, m->n_channels);
  free(names);
  return near;
}

/* Reads a key of events: a constant in the unit of the channel. */
static double event_value(const hk_run_measures *r, int i, const hk_item *item, const char *key,
                          const hk_expr *e, hk_diag *diag) {
  const char *text = r->model->channel[r->channel[i]].unit;
  hk_unit unit;
  char label[200];
  hk_error err = {0};
  if (!hk_expr_is_constant(e)) {
    hk_diag_add(diag, HK_ERROR, hk_item_location(item, key),
                "measure '%s': '%s' must be a constant", item->name, key);
    return 0;
  }
  snprintf(label, sizeof label, "channel '%s'", r->model->channel[r->channel[i]].name);
  if (!hk_expr_is_plain_zero(e) && !hk_unit_parse(text, strlen(text), &unit, NULL) &&
      !hk_dim_fits(hk_expr_dim(e), unit.dim)) {
    hk_dim_misfit(key, label, hk_expr_dim(e), unit.dim, &err);
    hk_diag_add(diag, HK_ERROR, hk_item_location(item, key), "measure '%s': %s", item->name,
                err.text);
    return 0;
  }
  return hk_expr_value(e, NULL);
}

/* Returns true if the channel counts impacts, of a contact or of a joint with contacts. */
static bool counts_impacts(const hk_channel *c) {
  const char *last = strrchr(c->name, '.');
  return (c->owner == HK_OF_CONTACT && c->component == HK_CONTACT_IMPACTS) ||
         (c->owner == HK_OF_SENSOR && last && !strcmp(last, ".impacts"));
}

/* Defines the event of a channel; for a counter of impacts the default is every impact. */
static void bind_events(hk_run_measures *r, int i, const hk_item *item, hk_diag *diag) {
  const hk_measure_params *p = HK_DATA(item, hk_measure_params);
  const hk_channel *c = &r->model->channel[r->channel[i]];
  hk_event_rule rule = {.crossing = (hk_crossing)p->crossing, .n = p->n};
  if (counts_impacts(c) && !p->level && !p->every) rule.level = 0.5, rule.every = 1;
  if (p->level) rule.level = event_value(r, i, item, "level", p->level, diag);
  if (p->every) rule.every = event_value(r, i, item, "every", p->every, diag);
  if (p->every && !(rule.every > 0))
    hk_diag_add(diag, HK_ERROR, hk_item_location(item, "every"),
                "measure '%s': 'every' must be above 0", item->name);
  hk_measure_set_events(&r->measure[i], &rule);
}

static void check_event_keys(const hk_item *item, bool event, bool time, hk_diag *diag) {
  static const char *const key[] = {"level", "every", "crossing", "n"};
  for (int k = 0; k < 4; k++)
    if (hk_item_has(item, key[k]) && !(k < 3 ? event : time))
      hk_diag_add(diag, HK_ERROR, hk_item_location(item, key[k]),
                  "measure '%s': '%s' is only used with 'take: event_time'%s", item->name, key[k],
                  k < 3 ? " and 'take: events'" : "");
}

static int find_channel(const hk_run_measures *r, const hk_item *item, const char *key,
                        const char *name, hk_diag *diag) {
  int channel = hk_model_channel(r->model, name);
  if (channel >= 0) return channel;
  const char *near = nearest_channel(r->model, name);
  if (near)
    hk_diag_add(diag, HK_ERROR, hk_item_location(item, key),
                "measure '%s': there is no channel '%s'; did you mean '%s'?", item->name, name,
                near);
  else
    hk_diag_add(diag, HK_ERROR, hk_item_location(item, key),
                "measure '%s': there is no channel '%s'; `hooke check --channels` lists them",
                item->name, name);
  return -1;
}

/* Binds the shaft angle of a measure `take: order`. */
static void bind_order(hk_run_measures *r, int i, const hk_item *item, hk_diag *diag) {
  const hk_measure_params *p = HK_DATA(item, hk_measure_params);
  if (!p->over) {
    hk_diag_add(
        diag, HK_ERROR, hk_item_location(item, "take"),
        "measure '%s': 'take: order' needs an angle as reference, such as 'over: spin.angle'",
        item->name);
    return;
  }
  r->over[i] = find_channel(r, item, "over", p->over, diag);
  if (r->over[i] >= 0 && strcmp(r->model->channel[r->over[i]].unit, "rad") != 0)
    hk_diag_add(diag, HK_ERROR, hk_item_location(item, "over"),
                "measure '%s': '%s' is not an angle; its unit is %s", item->name, p->over,
                r->model->channel[r->over[i]].unit);
  hk_measure_set_order(&r->measure[i], p->order);
}

/* Adds a note to extremes of forces that depend on the step size: at rigid contacts, forces are mean values over a
 * step. */
static void note_mean(const hk_run_measures *r, int i, const hk_item *item, hk_diag *diag) {
  static const hk_measure_kind extremes[] = {HK_MEASURE_MIN, HK_MEASURE_MAX, HK_MEASURE_MAX_ABS,
                                             HK_MEASURE_PEAK_TO_PEAK, HK_MEASURE_PERCENTILE};
  const hk_channel *c = &r->model->channel[r->channel[i]];
  bool extreme = false, force = strcmp(c->unit, "N") == 0 || strcmp(c->unit, "N*m") == 0;
  for (size_t k = 0; k < sizeof extremes / sizeof *extremes; k++)
    extreme = extreme || r->measure[i].kind == extremes[k];
  if (!r->model->set_valued || !extreme || !force) return;
  if (c->owner != HK_OF_CONTACT && c->owner != HK_OF_JOINT) return;
  hk_diag_add(diag, HK_NOTE, hk_item_location(item, "of"),
              "measure '%s': with rigid contacts this force is the mean over a step, so that its "
              "peak depends on the "
              "step; the channel 'impulse' of a contact is the impulse of a step, and a compliant "
              "law has force peaks",
              item->name);
}

static void bind(hk_run_measures *r, int i, hk_diag *diag) {
  const hk_item *item = r->model->spec->item[HK_MEASURE][i];
  const hk_measure_params *p = HK_DATA(item, hk_measure_params);
  r->over[i] = -1;
  r->channel[i] = find_channel(r, item, "of", p->of, diag);
  if (r->channel[i] < 0) return;
  double from = hk_item_has(item, "from") ? p->from : NAN;
  double to = hk_item_has(item, "to") ? p->to : NAN;
  if (to < from)
    hk_diag_add(diag, HK_ERROR, hk_item_location(item, "to"),
                "measure '%s': its window ends at %g s, before it starts at %g s", item->name, to,
                from);
  if (p->take == HK_MEASURE_AT) {
    if (!hk_item_has(item, "at"))
      hk_diag_add(diag, HK_ERROR, hk_item_location(item, "take"),
                  "measure '%s': 'take: at' needs the time, such as 'at: 2 s'", item->name);
    from = p->at;
  } else if (hk_item_has(item, "at")) {
    hk_diag_add(diag, HK_ERROR, hk_item_location(item, "at"),
                "measure '%s': 'at' is only used with 'take: at'", item->name);
  }
  hk_measure_init(&r->measure[i], (hk_measure_kind)p->take, from, to);
  if (p->take == HK_MEASURE_HARMONIC) {
    if (!hk_item_has(item, "period"))
      hk_diag_add(diag, HK_ERROR, hk_item_location(item, "take"),
                  "measure '%s': 'take: harmonic' needs the period, such as 'period: 0.2 s'",
                  item->name);
    hk_measure_set_frequency(&r->measure[i], 2 * M_PI * p->order / p->period);
  } else if (hk_item_has(item, "period") ||
             (hk_item_has(item, "order") && p->take != HK_MEASURE_ORDER)) {
    hk_diag_add(
        diag, HK_ERROR, hk_item_location(item, hk_item_has(item, "period") ? "period" : "order"),
        "measure '%s': 'period' and 'order' are only used with 'take: harmonic'", item->name);
  }
  bool percentile = p->take == HK_MEASURE_PERCENTILE;
  if (percentile != hk_item_has(item, "share"))
    hk_diag_add(
        diag, HK_ERROR, hk_item_location(item, percentile ? "take" : "share"),
        percentile
            ? "measure '%s': 'take: percentile' needs the share of the time, such as 'share: 95 %%'"
            : "measure '%s': 'share' is only used with 'take: percentile'",
        item->name);
  else if (percentile && !(p->share <= 1))
    hk_diag_add(diag, HK_ERROR, hk_item_location(item, "share"),
                "measure '%s': share must be between 0 and 1 (100 %%), not %g; for per cent write "
                "'share: %g %%'",
                item->name, p->share, p->share);
  hk_measure_set_share(&r->measure[i], p->share);
  if (p->take == HK_MEASURE_ORDER)
    bind_order(r, i, item, diag);
  else if (p->over)
    hk_diag_add(diag, HK_ERROR, hk_item_location(item, "over"),
                "measure '%s': 'over' is only used with 'take: order'", item->name);
  bool time = p->take == HK_MEASURE_EVENT_TIME, event = time || p->take == HK_MEASURE_EVENTS;
  if (event) bind_events(r, i, item, diag);
  check_event_keys(item, event, time, diag);
  note_mean(r, i, item, diag);
  r->ends_only[i] =
      (p->take == HK_MEASURE_FINAL && isnan(to)) || (p->take == HK_MEASURE_INITIAL && isnan(from));
}

hk_status hk_run_measures_init(hk_run_measures *r, const hk_model *model, hk_diag *diag) {
  size_t n = (size_t)model->spec->n[HK_MEASURE] + 1;
  int before = diag->n_errors;
  *r = (hk_run_measures){.model = model,
                         .n = model->spec->n[HK_MEASURE],
                         .long_step = INFINITY,
                         .last = NAN,
                         .earliest = INFINITY};
  r->measure = calloc(n, sizeof *r->measure);
  r->channel = calloc(n, sizeof *r->channel);
  r->ends_only = calloc(n, sizeof *r->ends_only);
  r->over = calloc(n, sizeof *r->over);
  r->all = calloc(2 * n, sizeof *r->all);
  r->all_measure = calloc(2 * n, sizeof *r->all_measure);
  r->sampled = calloc(2 * n, sizeof *r->sampled);
  r->sampled_all = calloc(2 * n, sizeof *r->sampled_all);
  r->value = calloc(2 * n, sizeof *r->value);
  r->inside = calloc(8 * n, sizeof *r->inside);
  r->coarse = calloc(n, sizeof *r->coarse);
  r->fruitless = calloc(n, sizeof *r->fruitless);
  r->error = calloc(n, sizeof *r->error);
  r->least = calloc(4 * n, sizeof *r->least);
  if (!r->measure || !r->channel || !r->over || !r->ends_only || !r->all || !r->all_measure ||
      !r->sampled || !r->sampled_all || !r->value || !r->inside || !r->least || !r->coarse ||
      !r->fruitless || !r->error)
    return HK_ENOMEM;
  r->most = r->least + 2 * n;
  for (size_t i = 0; i < 2 * n; i++) r->least[i] = INFINITY, r->most[i] = -INFINITY;
  for (int i = 0; i < r->n; i++) {
    bind(r, i, diag);
    for (int angle = r->over[i] >= 0; angle >= 0; angle--) {
      int channel = angle ? r->over[i] : r->channel[i];
      if (!r->ends_only[i]) {
        const hk_channel *c = &model->channel[channel < 0 ? 0 : channel];
        const hk_watched *k = c->owner == HK_OF_SENSOR ? &model->sensor_watched[c->index] : NULL;
        r->has_ranges = r->has_ranges || (k && k->expr && !k->at_output);
        r->sampled[r->n_sampled] = channel;
        r->sampled_all[r->n_sampled++] = r->n_all;
      }
      r->all_measure[r->n_all] = i;
      r->all[r->n_all++] = channel;
    }
    if (!r->ends_only[i]) r->earliest = fmin(r->earliest, r->measure[i].t0);
  }
  return diag->n_errors > before ? HK_EINPUT : HK_OK;
}

void hk_run_measures_open(hk_run_measures *r) {
  for (int i = 0; i < r->n; i++) {
    hk_measure *m = &r->measure[i];
    if (m->kind == HK_MEASURE_AT) continue;
    m->t0 = -INFINITY;
    m->t1 = m->end.at = INFINITY;
    m->point.at = m->kind == HK_MEASURE_FINAL ? m->t1 : m->t0;
  }
  r->earliest = -INFINITY;
}

void hk_run_measures_free(hk_run_measures *r) {
  for (int i = 0; i < r->n && r->measure; i++) hk_measure_free(&r->measure[i]);
  free(r->measure);
  free(r->channel);
  free(r->ends_only);
  free(r->over);
  free(r->all);
  free(r->all_measure);
  free(r->sampled);
  free(r->sampled_all);
  free(r->value);
  free(r->inside);
  free(r->least);
  free(r->coarse);
  free(r->fruitless);
  free(r->error);
  memset(r, 0, sizeof *r);
}

bool hk_run_measures_is_angle(const hk_run_measures *r, int at) {
  return at + 1 < r->n_all && r->all_measure[at + 1] == r->all_measure[at];
}

hk_status hk_run_measures_event(hk_run_measures *r, hk_sim *sim, int i, double t, double y,
                                hk_error *err) {
  hk_measure *m = &r->measure[i];
  if (m->kind != HK_MEASURE_EVENT_TIME) return HK_OK;
  double level = hk_measure_event_ahead(m, t, y), side = y > m->last.y ? 1 : -1;
  if (isnan(level) || m->last.t < hk_sim_step_start(sim)) return HK_OK;
  double a = m->last.t, b = t, fa = side * (m->last.y - level), fb = side * (y - level);
  for (int pass = 0; pass < 60 && fb > 0 && b - a > 1e-15 * fabs(b); pass++) {
    /* Estimate of the root by the secant method; in every third pass, or if the secant leaves the
     * bracket, the middle of the bracket. The secant alone may always move the same end. */
    double c = pass % 3 == 2 ? 0.5 * (a + b) : a + (b - a) * (fa / (fa - fb)), found;
    if (!(c > a && c < b)) c = 0.5 * (a + b);
    hk_status status = hk_sim_values_at(sim, c, &r->channel[i], 1, &found, err);
    if (status) return status;
    double f = side * (found - level);
    if (f >= 0) b = c, fb = f;
    if (!(f >= 0)) a = c, fa = f;
  }
  if (b < t) hk_measure_add(m, b, level);
  return HK_OK;
}

/* Returns true if this step is so far before the first window that it need not be sampled. Four samples are
 * sufficient to interpolate at the start of the window; the length of adaptive steps hardly more than doubles. */
static bool is_early(const hk_run_measures *r, const hk_sim *sim) {
  double t = hk_sim_time(sim), step = sim->option.step;
  if (step > 0) return t + 5 * step < r->earliest;
  return hk_sim_interpolates(sim) && t + 16 * (t - hk_sim_step_start(sim)) < r->earliest;
}

/* Returns true if the channel has exactly one value for each step or impact. All of these
 * values are sampled, so there is nothing to interpolate between them. */
static bool has_values_of_steps(const hk_channel *c) {
  return c->owner == HK_OF_CONTACT &&
         (c->component == HK_CONTACT_IMPULSE || c->component == HK_CONTACT_APPROACH ||
          c->component == HK_CONTACT_IMPACTS);
}

/* Adds a sample and updates the error bound: between samples a smooth curve exceeds its highest
 * sample by at most an eighth of the second difference there. */
static void add_sample(hk_run_measures *r, int i, double t, double y) {
  hk_measure *m = &r->measure[i];
  hk_run_measure_error *e = &r->error[i];
  double bow = has_values_of_steps(&r->model->channel[r->channel[i]])
                   ? 0
                   : fabs(e->before - 2 * m->last.y + y) / 8;
  if (m->max == m->last.y && m->max_t == m->last.t) e->max = bow;
  if (m->min == m->last.y && m->min_t == m->last.t) e->min = bow;
  e->before = m->any ? m->last.y : y;
  hk_measure_add(m, t, y);
}

hk_status hk_run_measures_sample(hk_run_measures *r, hk_sim *sim, bool end, hk_error *err) {
  double t = hk_sim_time(sim);
  /* compares the numbers of steps, because two states may have the same time (an impact) */
  long steps = hk_sim_statistics(sim).steps;
  int n = end ? r->n_all : r->n_sampled;
  if (n == 0) return HK_OK;
  if (!end && is_early(r, sim)) return HK_OK;
  hk_status status = hk_sim_values(sim, end ? r->all : r->sampled, n, r->value, err);
  if (status) return status;
  for (int k = 0; k < n && !status; k++) {
    int at = end ? k : r->sampled_all[k], i = r->all_measure[at];
    if (!r->ends_only[i] && t == r->last && steps == r->steps) continue;
    if (hk_run_measures_is_angle(r, at)) {
      hk_measure_set_angle(&r->measure[i], r->value[k]);
      continue;
    }
    if (hk_integrator_of(sim)->dense)
      status = hk_run_measures_event(r, sim, i, t, r->value[k], err);
    add_sample(r, i, t, r->value[k]);
  }
  for (int k = 0; k < r->n_sampled; k++) r->inside[k] = r->value[end ? r->sampled_all[k] : k];
  r->last = t;
  r->steps = steps;
  return status;
}

/* After omitted steps: adds the start of the last omitted step. */
static hk_status add_start(hk_run_measures *r, hk_sim *sim, hk_error *err) {
  double start = hk_sim_step_start(sim);
  hk_status status = hk_sim_values_at(sim, start, r->sampled, r->n_sampled, r->value, err);
  if (status) return status;
  for (int k = 0; k < r->n_sampled; k++) {
    hk_measure *m = &r->measure[r->all_measure[r->sampled_all[k]]];
    if (hk_run_measures_is_angle(r, r->sampled_all[k]))
      hk_measure_set_angle(m, r->value[k]);
    else
      hk_measure_add(m, start, r->value[k]);
    r->inside[k] = r->value[k];
  }
  r->last = start;
  return HK_OK;
}

hk_status hk_run_measures_step(hk_run_measures *r, hk_sim *sim, hk_error *err) {
  double h = hk_sim_time(sim) - hk_sim_step_start(sim);
  bool is_long = hk_sim_interpolates(sim) && (hk_integrator_of(sim)->order > 2 || h > r->long_step);
  if (is_early(r, sim)) return HK_OK;
  if (r->n_sampled > 0 && hk_sim_interpolates(sim) && r->last < hk_sim_step_start(sim)) {
    hk_status status = hk_dense_on_the_way(sim, r->last, sim->out.x_between)
                           ? hk_run_measures_carried(r, sim, err)
                           : add_start(r, sim, err);
    if (status) return status;
  }
  if (!hk_sim_interpolates(sim) || r->n_sampled == 0 || hk_sim_step_start(sim) != r->last)
    return hk_run_measures_sample(r, sim, false, err);
  hk_status status = hk_run_measures_inside(r, sim, is_long, err);
  r->last = hk_sim_time(sim);
  r->steps = hk_sim_statistics(sim).steps;
  return status;
}

/* Writes the unit of a measure: unit of the channel, times seconds for an integral, per second for
 * a rate; for events, dimensionless or seconds. */
static void unit_of(hk_measure_kind kind, const char *channel, char *buf, size_t size) {
  hk_unit unit, second;
  if (kind == HK_MEASURE_EVENTS || kind == HK_MEASURE_EVENT_TIME)
    snprintf(buf, size, "%s", kind == HK_MEASURE_EVENTS ? "1" : "s");
  else if (kind == HK_MEASURE_RATE && !hk_unit_parse(channel, strlen(channel), &unit, NULL) &&
           !hk_unit_parse("s", 1, &second, NULL))
    hk_dim_format(hk_dim_div(unit.dim, second.dim), buf, size);
  else if (kind == HK_MEASURE_INTEGRAL && !hk_unit_parse(channel, strlen(channel), &unit, NULL) &&
           !hk_unit_parse("s", 1, &second, NULL))
    hk_dim_format(hk_dim_mul(unit.dim, second.dim), buf, size);
  else
    snprintf(buf, size, "%s", channel);
}

static double error_of(const hk_measure *m, const hk_run_measure_error *e) {
  double span = m->last_t - m->first_t;
  switch (m->kind) {
    case HK_MEASURE_MIN:
      return e->min;
    case HK_MEASURE_MAX:
      return e->max;
    case HK_MEASURE_PEAK_TO_PEAK:
      return e->min + e->max;
    case HK_MEASURE_MAX_ABS:
      return m->max > -m->min ? e->max : e->min;
    case HK_MEASURE_INTEGRAL:
      return e->sum;
    case HK_MEASURE_PERCENTILE: /* the error near a level may be several times as large as the mean
                                 * error */
      return span > 0 ? 5 * e->sum / span : 0;
    case HK_MEASURE_MEAN:
    case HK_MEASURE_RMS:
      return span > 0 ? e->sum / span : 0;
    case HK_MEASURE_HARMONIC:
    case HK_MEASURE_ORDER:
      return span > 0 ? 2 * e->sum / span : 0;
    default:
      return 0;
  }
}

hk_status hk_run_measures_report(const hk_run_measures *r, hk_run_report *report, hk_diag *diag) {
  report->measure = calloc((size_t)r->n + 1, sizeof *report->measure);
  if (!report->measure) return HK_ENOMEM;
  report->n_measures = r->n;
  for (int i = 0; i < r->n; i++) {
    const hk_item *item = r->model->spec->item[HK_MEASURE][i];
    const hk_measure *m = &r->measure[i];
    hk_measure_state state = hk_measure_status(m);
    hk_run_measure *out = &report->measure[i];
    *out = (hk_run_measure){.name = item->name,
                            .note = hk_measure_why(state),
                            .value = hk_measure_value(m) + 0.0, /* no negative zero */
                            .time = hk_measure_time(m),
                            .error = error_of(m, &r->error[i])};
    unit_of(m->kind, r->model->channel[r->channel[i]].unit, out->unit, sizeof out->unit);
    if (r->coarse[i] && diag)
      hk_diag_add(diag, HK_WARNING, &item->place,
                  "measure '%s': its sensor changes too often within steps to be followed "
                  "everywhere, so its value may be wrong; set max_step in the analysis",
                  item->name);
    if (state && diag)
      hk_diag_add(diag, HK_WARNING, &item->place, "measure '%s': %s", item->name, out->note);
  }
  return HK_OK;
}
