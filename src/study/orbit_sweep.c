/* Orbits over parameters and starts: see orbit_sweep.h. */
#include "base/number.h"
#include "study/orbit_sweep.h"
#include "study/fork_pool.h"
#include "model/model.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

static hk_status find_channel(const hk_model *m, const char *name, int *out, hk_error *err) {
  *out = hk_model_channel_find(m, name);
  if (*out >= 0) return HK_OK;
  const char **all = calloc((size_t)m->n_channels + 1, sizeof *all);
  for (int i = 0; i < m->n_channels && all; i++) all[i] = m->channel[i].name;
  const char *near = all ? hk_nearest_name(name, all, m->n_channels) : NULL;
  free(all);
  if (near)
    return hk_fail(err, HK_EINPUT, "there is no channel '%s'; did you mean '%s'?", name, near);
  return hk_fail(err, HK_EINPUT,
                 "there is no channel '%s'; `hooke check --channels` lists all %d of the model",
                 name, m->n_channels);
}

static hk_status read_period(const hk_model *m, const char *name, hk_orbit_options *o,
                             hk_error *err) {
  int channel;
  hk_sim *sim;
  hk_status status = find_channel(m, name, &channel, err);
  if (status) return status;
  if (strcmp(hk_model_channel_unit(m, channel), "s") != 0)
    return hk_fail(err, HK_EINPUT, "the period must be a time; channel '%s' is in %s", name,
                   hk_model_channel_unit(m, channel));
  hk_sim_options options = o->sim ? *o->sim : (hk_sim_options){0};
  options.no_stepping = true;
  status = hk_sim_create(m, &options, &sim, NULL,
                         /* called without diag, because the run itself reports the warnings */
                         err);
  if (status) return status;
  o->section.period = hk_sim_value(sim, channel);
  hk_sim_destroy(sim);
  if (!(o->section.period > 0) || !isfinite(o->section.period))
    return hk_fail(err, HK_EINPUT, "the period must be positive; channel '%s' is %g s at the start",
                   name, o->section.period);
  return HK_OK;
}

hk_status hk_sweep_resolve(const hk_model *m, const hk_sweep_names *names, hk_orbit_options *o,
                           int *channel, hk_error *err) {
  hk_status status = HK_OK;
  for (int i = 0; i < o->n_channels && !status; i++)
    status = find_channel(m, names->channel[i], &channel[i], err);
  o->channel = channel;
  if (!status && names->event) status = find_channel(m, names->event, &o->section.channel, err);
  if (!status && names->period) status = read_period(m, names->period, o, err);
  return status;
}

/* ---- results as bytes ---- */

/* An orbit without its arrays, as the header of a packed orbit. */
typedef struct packed_orbit {
  int n, n_channels;
  hk_repeat repeat;
  hk_exponent exponent;
  long steps;
} packed_orbit;

hk_status hk_orbit_pack(const hk_orbit *o, void **bytes, size_t *size) {
  const packed_orbit head = {o->n, o->n_channels, o->repeat, o->exponent, o->steps};
  size_t n = (size_t)o->n, m = (size_t)o->n_channels, d = sizeof(double);
  if (!o->first || !o->time || !o->point || !o->extent || !o->scale) n = m = 0;
  *size = sizeof head + (n + n * m + 3 * m) * d;
  char *at = *bytes = malloc(*size);
  if (!at) return HK_ENOMEM;
  memcpy(at, &head, sizeof head);
  at += sizeof head;
  if (m == 0) return HK_OK;
  memcpy(at, o->time, n * d);
  memcpy(at += n * d, o->point, n * m * d);
  memcpy(at += n * m * d, o->extent, m * d);
  memcpy(at += m * d, o->scale, m * d);
  memcpy(at + m * d, o->first, m * d);
  return HK_OK;
}

hk_status hk_orbit_unpack(const void *bytes, size_t size, hk_orbit *o) {
  packed_orbit head;
  *o = (hk_orbit){0};
  if (size < sizeof head) return HK_EFAIL;
  memcpy(&head, bytes, sizeof head);
  *o = (hk_orbit){.repeat = head.repeat, .exponent = head.exponent, .steps = head.steps};
  const char *at = (const char *)bytes + sizeof head;
  size_t n = (size_t)head.n, m = (size_t)head.n_channels, d = sizeof(double);
  if (size - sizeof head != (n + n * m + 3 * m) * d)
    return HK_OK; /* only an orbit without points has this size */
  o->first = malloc(m * d + 1);
  o->time = malloc(n * d + 1);
  o->point = malloc(n * m * d + 1);
  o->extent = malloc(m * d + 1);
  o->scale = malloc(m * d + 1);
  if (!o->first || !o->time || !o->point || !o->extent || !o->scale) {
    hk_orbit_free(o);
    return HK_ENOMEM;
  }
  o->n = head.n;
  o->n_channels = head.n_channels;
  memcpy(o->time, at, n * d);
  memcpy(o->point, at += n * d, n * m * d);
  memcpy(o->extent, at += n * m * d, m * d);
  memcpy(o->scale, at += m * d, m * d);
  memcpy(o->first, at + m * d, m * d);
  return HK_OK;
}

/* ---- one value ---- */

typedef struct sweep {
  const hk_orbit_sweep_options *o;
  hk_orbit_sweep *out;
  hk_pool_link *link;
} sweep;

static bool orbit_goes_on(void *context) { return !hk_pool_stopped(context); }

enum { VALUE_SIZE = 128 };

static hk_model *read_model(const hk_orbit_sweep_options *o, const double *value, hk_diag *diag) {
  size_t n = (size_t)o->n_axes;
  hk_override *all = calloc((size_t)o->n_set + n + 1, sizeof *all);
  char(*text)[VALUE_SIZE] = calloc(n + 1, sizeof *text);
  hk_model *model = NULL;
  if (all && text) {
    if (o->n_set) memcpy(all, o->set, (size_t)o->n_set * sizeof *all);
    for (int i = 0; i < o->n_axes; i++) {
      const hk_sweep_axis *a = &o->axis[i];
      hk_number_print(text[i], sizeof text[i], "%.17g%s%.60s", value[i], a->unit[0] ? " " : "",
                      a->unit);
      all[o->n_set + i] = (hk_override){a->path, text[i]};
    }
    hk_spec *spec =
        hk_model_file_read_with(o->types, o->model_path, all, o->n_set + o->n_axes, diag);
    model = spec ? hk_model_compile(spec, diag) : NULL;
  } else {
    diag->out_of_memory = true;
  }
  free(text);
  free(all);
  return model;
}

/* Copies the first error of diag to err, unless err has one. */
static void explain(const hk_diag *diag, hk_error *err) {
  for (int i = 0; i < diag->n; i++)
    if (diag->message[i].severity == HK_ERROR) {
      hk_diag_format(&diag->message[i], err->text, sizeof err->text);
      return;
    }
}

/* The state at the end of the previous orbit. */
typedef struct trail {
  void *state;
  size_t size;
  double period;
} trail;

static hk_status run_value(const sweep *s, int at, trail *before, bool *fresh, hk_orbit *orbit,
                           hk_error *err) {
  hk_diag diag;
  hk_diag_init(&diag);
  hk_orbit_options o = s->o->orbit;
  int *channel = calloc((size_t)o.n_channels + 1, sizeof *channel);
  hk_model *model = read_model(s->o, s->out->point[at].value, &diag);
  hk_status status = HK_EINPUT;
  o.go_on = orbit_goes_on;
  o.context = s->link;
  *fresh = true;
  *orbit = (hk_orbit){0};
  if (!channel || diag.out_of_memory)
    status = hk_fail(err, HK_ENOMEM, "out of memory");
  else if (!model)
    explain(&diag, err);
  else
    status = hk_sweep_resolve(model, &s->o->names, &o, channel, err);
  if (!status && before && before->state) {
    o.start = before->state;
    o.start_size = before->size;
    o.start_period = before->period;
    status = hk_orbit_run(model, &o, orbit, &diag, err);
    *fresh = status < 0 && status != HK_ENOMEM;
    o.start = NULL;
    if (*fresh) {
      hk_orbit_free(orbit);
      status = HK_OK;
    }
  }
  if (!status && *fresh)
    status = s->o->spread ? hk_orbit_run_scattered(model, &o, s->o->spread, s->o->seed, at, orbit,
                                                   &diag, err)
                          : hk_orbit_run(model, &o, orbit, &diag, err);
  if (!status && before) {
    free(before->state);
    *before = (trail){orbit->state, orbit->state_size, o.section.period};
    orbit->state = NULL;
  }
  free(channel);
  hk_model_destroy(model);
  hk_diag_free(&diag);
  return status;
}

/* ---- in the workers ---- */

typedef struct report {
  hk_status status;
  bool fresh;
  char text[1024];
} report;

static hk_status emit(const sweep *s, int at, hk_status result, bool fresh, const hk_error *why,
                      const hk_orbit *orbit, hk_error *err) {
  void *packed;
  size_t size;
  report head = {.status = result, .fresh = fresh};
  if (result < 0) snprintf(head.text, sizeof head.text, "%.1000s", why->text);
  if (hk_orbit_pack(orbit, &packed, &size)) return hk_fail(err, HK_ENOMEM, "out of memory");
  char *bytes = malloc(sizeof head + size);
  hk_status status = HK_ENOMEM;
  if (bytes) {
    memcpy(bytes, &head, sizeof head);
    memcpy(bytes + sizeof head, packed, size);
    status = hk_pool_emit(s->link, at, bytes, sizeof head + size, err);
  } else {
    hk_fail(err, HK_ENOMEM, "out of memory");
  }
  free(bytes);
  free(packed);
  return status;
}

/* Computes value number `at`.  HK_STOPPED: there is no such value. */
static hk_status work_value(sweep *s, int at, trail *before, hk_error *err) {
  hk_orbit orbit;
  hk_error why = {0};
  bool fresh;
  hk_status result = run_value(s, at, before, &fresh, &orbit, &why);
  hk_status status = result;
  if (result == HK_ENOMEM)
    hk_fail(err, HK_ENOMEM, "%s", why.text);
  else if (result != HK_STOPPED)
    status = emit(s, at, result, fresh && before, &why, &orbit, err);
  hk_orbit_free(&orbit);
  return status;
}

/* Processes one item: one value or, with carry_on, a whole sweep. */
static hk_status work(void *context, int item, hk_pool_link *link, hk_error *err) {
  sweep s = *(sweep *)context;
  s.link = link;
  if (!s.o->carry_on) return work_value(&s, item, NULL, err);
  trail before = {0};
  hk_status status = HK_OK;
  for (int i = 0; i < s.out->n && !status; i++)
    status = work_value(&s, item * s.out->n + i, &before, err);
  free(before.state);
  return status;
}

/* ---- in the caller ---- */

static hk_status take(void *context, int tag, const void *bytes, size_t size, hk_error *err) {
  const sweep *s = context;
  hk_sweep_point *p = &s->out->point[tag];
  report head;
  if (tag >= s->out->n_all || size < sizeof head || p->done)
    return hk_fail(err, HK_EFAIL, "a process sent an invalid result");
  memcpy(&head, bytes, sizeof head);
  hk_status status =
      hk_orbit_unpack((const char *)bytes + sizeof head, size - sizeof head, &p->orbit);
  if (status) return hk_fail(err, status, "out of memory");
  p->done = true;
  p->status = head.status;
  p->fresh = head.fresh;
  s->out->n_done++;
  if (head.status >= 0) return HK_OK;
  s->out->n_failed++;
  p->message = strdup(head.text);
  return p->message ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
}

static void lost(void *context, int item, const char *why) {
  const sweep *s = context;
  int n = s->o->carry_on ? s->out->n : 1;
  for (int i = item * n; i < (item + 1) * n; i++) {
    hk_sweep_point *p = &s->out->point[i];
    if (p->done) continue;
    p->done = true;
    p->status = HK_EFAIL;
    p->message = strdup(why);
    s->out->n_done++;
    s->out->n_failed++;
  }
}

static bool go_on(void *context) {
  const sweep *s = context;
  return !s->o->go_on || s->o->go_on(s->o->context, s->out);
}

static hk_status try_read(const hk_orbit_sweep_options *o, const double *value, hk_diag *diag,
                          hk_error *err) {
  hk_orbit_options orbit = o->orbit;
  int *channel = calloc((size_t)orbit.n_channels + 1, sizeof *channel);
  hk_model *model = read_model(o, value, diag);
  hk_status status = HK_EINPUT;
  if (!channel)
    status = hk_fail(err, HK_ENOMEM, "out of memory");
  else if (!model)
    hk_fail(err, HK_EINPUT, "the model cannot be read");
  else
    status = hk_sweep_resolve(model, &o->names, &orbit, channel, err);
  free(channel);
  hk_model_destroy(model);
  return status;
}

/* Reports a model that fails at both ends as invalid input; one that fails at one end is
 * omitted. */
static hk_status check_ends(const hk_orbit_sweep_options *o, const hk_orbit_sweep *out,
                            hk_diag *diag, hk_error *err) {
  hk_diag quiet;
  hk_diag_init(&quiet);
  hk_status status = try_read(o, out->point[out->n - 1].value, &quiet, err);
  hk_diag_free(&quiet);
  return status ? try_read(o, out->point[0].value, diag, err) : HK_OK;
}

hk_status hk_orbit_sweep_run(const hk_orbit_sweep_options *o, const double *value, int n,
                             hk_orbit_sweep *out, hk_diag *diag, hk_error *err) {
  bool both = o->carry_on && o->both;
  size_t m = (size_t)o->n_axes;
  *out = (hk_orbit_sweep){.n = n, .n_all = both ? 2 * n : n};
  out->point = calloc((size_t)out->n_all + 1, sizeof *out->point);
  out->value = calloc((size_t)n * m + 1, sizeof *out->value);
  if (!out->point || !out->value) return hk_fail(err, HK_ENOMEM, "out of memory");
  if (m) memcpy(out->value, value, (size_t)n * m * sizeof *value);
  for (int i = 0; i < out->n_all; i++) {
    int k = i < n ? i : 2 * n - 1 - i;
    out->point[i] = (hk_sweep_point){.value = out->value + (size_t)k * m, .down = i >= n};
  }
  hk_status status = check_ends(o, out, diag, err);
  if (status) return status;
  sweep s = {.o = o, .out = out};
  const hk_pool_task task = {.n = o->carry_on ? 1 + both : n,
                             .jobs = o->jobs,
                             .context = &s,
                             .work = work,
                             .take = take,
                             .lost = lost,
                             .go_on = go_on};
  status = hk_fork_pool_run(&task, err);
  if (!status && out->n_failed == out->n_all)
    status = hk_fail(err, HK_EFAIL, "there is no orbit; the first failed because: %s",
                     out->point[0].message ? out->point[0].message : "out of memory");
  return status;
}

void hk_orbit_sweep_free(hk_orbit_sweep *b) {
  for (int i = 0; i < b->n_all && b->point; i++) {
    free(b->point[i].message);
    hk_orbit_free(&b->point[i].orbit);
  }
  free(b->point);
  free(b->value);
  *b = (hk_orbit_sweep){0};
}
