/* Options for sections and channels, Ctrl-C and SIGTERM, and the progress line: see orbit.h. */
#include "orbit.h"
#include "expr/units.h"
#include "quantity.h"
#include "sim/sim.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- numbers ---- */

hk_status tool_count(const char *text, const char *what, long least, long most, int *out,
                     hk_error *err) {
  char *end;
  long v = strtol(text, &end, 10);
  if (end == text || *end || v < least || v > most)
    return hk_fail(err, HK_EINPUT, "%s needs a whole number from %ld to %ld, not '%s'", what, least,
                   most, text);
  *out = (int)v;
  return HK_OK;
}

static hk_status read_share(const char *text, const char *what, double *out, hk_error *err) {
  char *end;
  *out = strtod(text, &end);
  if (end == text || *end || !(*out > 0 && *out < 1))
    return hk_fail(err, HK_EINPUT, "%s needs a number between 0 and 1, such as 1e-3, not '%s'",
                   what, text);
  return HK_OK;
}

static bool has_unit(const char *text, const char *unit) {
  char *end;
  hk_unit given, wanted;
  strtod(text, &end);
  const char *rest = end + strspn(end, " \t");
  return *rest && !hk_unit_parse(rest, strlen(rest), &given, NULL) &&
         !hk_unit_parse(unit, strlen(unit), &wanted, NULL) && hk_dim_equal(given.dim, wanted.dim);
}

/* ---- the section ---- */

bool tool_is_number(const char *text) {
  const char *first = text + strspn(text, " \t+-.");
  return *first >= '0' && *first <= '9';
}

hk_status tool_period(const char *text, double *period, hk_error *err) {
  double v = 0;
  hk_status status;
  if (has_unit(text, "rad/s") && !has_unit(text, "Hz")) {
    status = tool_quantity(text, "rad/s", "--period", &v, err);
    *period = 2 * M_PI / v;
  } else if (has_unit(text, "Hz")) {
    status = tool_quantity(text, "Hz", "--period", &v, err);
    *period = 1 / v;
  } else {
    status = tool_quantity(text, "s", "--period", &v, err);
    *period = v;
  }
  if (!status && (!(*period > 0) || !isfinite(*period)))
    status = hk_fail(err, HK_EINPUT, "--period must be positive, not '%s'", text);
  return status;
}

/* Reads a time, a frequency, or the name of a channel. */
static hk_status read_period(tool_orbit *t, const char *text, hk_error *err) {
  if (tool_is_number(text)) return tool_period(text, &t->o.section.period, err);
  t->names.period = text;
  t->o.section.period = 1; /* replaced when the channel is read */
  return HK_OK;
}

static hk_status read_phase(tool_orbit *t, const char *text, hk_error *err) {
  double v;
  hk_status status = tool_quantity(text, has_unit(text, "rad") ? "rad" : "1", "--phase", &v, err);
  if (status) return status;
  if (has_unit(text, "rad")) v /= 2 * M_PI;
  t->o.section.phase = v - floor(v);
  return HK_OK;
}

static double duration(const hk_model *m) {
  for (int i = 0; i < m->spec->n[HK_ANALYSIS]; i++)
    if (strcmp(m->spec->item[HK_ANALYSIS][i]->type->name, "dynamics") == 0)
      return HK_DATA(m->spec->item[HK_ANALYSIS][i], hk_analysis_dynamics)->duration;
  return 0;
}

static hk_status read_event(tool_orbit *t, const tool_args *args, const char *text, hk_error *err) {
  hk_section *s = &t->o.section;
  const char *way = tool_value(args, "direction"), *modulo = tool_value(args, "modulo"),
             *wait = tool_value(args, "wait");
  t->event = strdup(text);
  if (!t->event) return hk_fail(err, HK_ENOMEM, "out of memory");
  char *value = strchr(t->event, '=');
  if (value) *value++ = '\0';
  t->names.event = t->event;
  hk_orbit_options only = {0};
  hk_status status =
      hk_sweep_resolve(t->model.model, &(hk_sweep_names){.event = t->event}, &only, NULL, err);
  if (status) return status;
  const char *unit = hk_model_channel_unit(t->model.model, only.section.channel);
  if (value) status = tool_quantity(value, unit, "--event", &s->value, err);
  if (!status && modulo) status = tool_quantity(modulo, unit, "--modulo", &s->modulo, err);
  if (!status && modulo && !(s->modulo > 0))
    status = hk_fail(err, HK_EINPUT, "--modulo must be positive, not '%s'", modulo);
  s->direction = !way || strcmp(way, "up") == 0 ? 1 : strcmp(way, "down") == 0 ? -1 : 0;
  if (!status && s->direction == 0 && strcmp(way, "both") != 0)
    status = hk_fail(err, HK_EINPUT, "--direction is up, down or both, not '%s'", way);
  s->wait = duration(t->model.model);
  if (!status && wait) status = tool_quantity(wait, "s", "--wait", &s->wait, err);
  return status;
}

static hk_status read_section(tool_orbit *t, const tool_args *args, hk_error *err) {
  const char *period = tool_value(args, "period"), *event = tool_value(args, "event"),
             *phase = tool_value(args, "phase");
  if (!period == !event)
    return hk_fail(err, HK_EINPUT,
                   "%s: give --period TIME (once per period of the drive) or --event "
                   "CHANNEL=VALUE (whenever a channel crosses a value)",
                   period ? "both kinds of section are given" : "no section is given");
  if (event) return read_event(t, args, event, err);
  hk_status status = read_period(t, period, err);
  return !status && phase ? read_phase(t, phase, err) : status;
}

/* ---- channels ---- */

static hk_status read_channels(tool_orbit *t, const tool_args *args, hk_error *err) {
  const char *list = tool_value(args, "channels"), *wrap = tool_value(args, "wrap");
  if (!list)
    return hk_fail(err, HK_EINPUT,
                   "no channels given; use --channels NAME,...; `hooke check "
                   "--channels` lists them");
  size_t n = strlen(list) + 1, n_wrap = wrap ? strlen(wrap) + 1 : 1;
  t->text = strdup(list);
  t->wrap_text = strdup(wrap ? wrap : "");
  t->channel = calloc(n + n_wrap, sizeof *t->channel);
  t->wrap = calloc(n, sizeof *t->wrap);
  t->index = calloc(n, sizeof *t->index);
  if (!t->text || !t->wrap_text || !t->channel || !t->wrap || !t->index)
    return hk_fail(err, HK_ENOMEM, "out of memory");
  t->o.n_channels = tool_split(t->text, t->channel);
  if (t->o.n_channels == 0)
    return hk_fail(err, HK_EINPUT, "--channels is empty; give at least one channel");
  const char **angle = t->channel + n;
  int n_angles = tool_split(t->wrap_text, angle);
  for (int i = 0; i < n_angles; i++) {
    bool found = false;
    for (int k = 0; k < t->o.n_channels; k++)
      if (strcmp(angle[i], t->channel[k]) == 0) t->wrap[k] = found = true;
    if (!found)
      return hk_fail(err, HK_EINPUT, "--wrap: '%s' is not among the --channels", angle[i]);
  }
  t->names.channel = t->channel;
  t->o.wrap = t->wrap;
  hk_status status = hk_sweep_resolve(t->model.model, &t->names, &t->o, t->index, err);
  for (int k = 0; k < t->o.n_channels && !status; k++)
    if (t->wrap[k] && strcmp(hk_model_channel_unit(t->model.model, t->index[k]), "rad") != 0)
      status = hk_fail(err, HK_EINPUT, "--wrap: '%s' is not an angle", t->channel[k]);
  return status;
}

/* Checks that an output can be written, so that an error is reported before the work, not after
 * it. */
static hk_status check_writable(const char *path, hk_error *err) {
  if (!path || strcmp(path, "-") == 0 || access(path, W_OK) == 0) return HK_OK;
  int why = errno;
  const char *slash = strrchr(path, '/');
  if (why == ENOENT) {
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    if (!folder) return hk_fail(err, HK_ENOMEM, "out of memory");
    why = access(folder, W_OK | X_OK) == 0 ? 0 : errno;
    free(folder);
  }
  return why ? hk_fail(err, HK_EIO, "cannot write '%s': %s", path, strerror(why)) : HK_OK;
}

hk_status tool_orbit_open(tool_orbit *t, const tool_args *args, int skip, int points,
                          hk_error *err) {
  const char *n_skip = tool_value(args, "skip"), *n_points = tool_value(args, "points"),
             *tolerance = tool_value(args, "tolerance"), *distance = tool_value(args, "distance");
  *t = (tool_orbit){.o = {.skip = skip, .points = points, .tolerance = 1e-3}};
  hk_status status = tool_model_load(&t->model, args);
  if (status) return hk_fail(err, status, "the model cannot be read");
  status = read_section(t, args, err);
  if (!status) status = read_channels(t, args, err);
  if (!status && n_skip) status = tool_count(n_skip, "--skip", 0, 10000000, &t->o.skip, err);
  if (!status && n_points) status = tool_count(n_points, "--points", 1, 1000000, &t->o.points, err);
  if (!status && tolerance) status = read_share(tolerance, "--tolerance", &t->o.tolerance, err);
  if (!status && distance) status = read_share(distance, "--distance", &t->o.distance, err);
  t->o.lyapunov = tool_flag(args, "lyapunov");
  if (!status) status = check_writable(tool_value(args, "output"), err);
  if (!status) status = check_writable(tool_value(args, "plot"), err);
  return status;
}

void tool_orbit_free(tool_orbit *t) {
  free(t->text);
  free(t->wrap_text);
  free(t->event);
  free(t->channel);
  free(t->wrap);
  free(t->index);
  tool_model_free(&t->model);
}

/* ---- signals and progress ---- */

/* Set by the signal handler. */
static volatile sig_atomic_t stop_signal;

static void on_signal(int signal_number) { stop_signal = signal_number; }

void tool_catch_signals(void) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGHUP, &action, NULL); /* the terminal is gone */
}

int tool_stop_signal(void) { return (int)stop_signal; }

static double wall_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void tool_counter_begin(tool_counter *c, bool quiet) {
  const char *term = getenv("TERM");
  bool dumb = term && strcmp(term, "dumb") == 0;
  *c = (tool_counter){.shown = !quiet && !dumb && isatty(STDERR_FILENO), .last = wall_seconds()};
}

void tool_counter_draw(tool_counter *c, int done, int all) {
  if (!c->shown) return;
  double now = wall_seconds();
  if (now - c->last < 0.2) return;
  c->last = now;
  c->drawn = true;
  fprintf(stderr, "\r%3d %%  %d of %d\033[K", all > 0 ? (int)(100.0 * done / all) : 0, done, all);
  fflush(stderr);
}

void tool_counter_end(tool_counter *c) {
  if (!c->drawn) return;
  fputs("\r\033[K", stderr);
  fflush(stderr);
}

/* ---- output ---- */

void tool_channel_title(const tool_orbit *t, int k, char *text, size_t size) {
  const char *unit = hk_model_channel_unit(t->model.model, t->index[k]);
  snprintf(text, size, "%s [%s]", t->channel[k], unit);
}

static void exponent_json(tool_json *j, const hk_exponent *e) {
  tool_json_open(j, "lyapunov", '{');
  tool_json_real(j, "per_second", e->per_second);
  tool_json_real(j, "per_section", e->per_section);
  tool_json_real(j, "standard_error", e->error);
  tool_json_real(j, "second_half", e->second_half);
  tool_json_int(j, "sections", e->sections);
  tool_json_int(j, "merged", e->merged);
  tool_json_close(j, '}');
}

void tool_orbit_json(tool_json *j, const tool_orbit *t, const hk_orbit *orbit) {
  tool_json_int(j, "period", orbit->repeat.period);
  tool_json_int(j, "candidate", orbit->repeat.candidate);
  tool_json_real(j, "repeat_error", orbit->repeat.error);
  tool_json_int(j, "distinct", orbit->repeat.distinct);
  if (t->o.lyapunov) exponent_json(j, &orbit->exponent);
  tool_json_open(j, "extent", '[');
  for (int k = 0; k < orbit->n_channels; k++) tool_json_real(j, NULL, orbit->extent[k]);
  tool_json_close(j, ']');
  tool_json_open(j, "time", '[');
  for (int i = 0; i < orbit->n; i++) tool_json_real(j, NULL, orbit->time[i]);
  tool_json_close(j, ']');
  tool_json_open(j, "section", '[');
  for (int i = 0; i < orbit->n; i++) {
    tool_json_open(j, NULL, '[');
    for (int k = 0; k < orbit->n_channels; k++)
      tool_json_real(j, NULL, orbit->point[(size_t)i * (size_t)orbit->n_channels + (size_t)k]);
    tool_json_close(j, ']');
  }
  tool_json_close(j, ']');
}

void tool_repeat_text(const hk_orbit *orbit, char *text, size_t size) {
  const hk_repeat *r = &orbit->repeat;
  if (r->period > 0)
    snprintf(text, size, "period %d, repeats within %.2g of its extent", r->period, r->error);
  else if (r->candidate > 0)
    snprintf(text, size, "not periodic: at best within %.2g of its extent, after %d", r->error,
             r->candidate);
  else
    snprintf(text, size, "too few points for a period");
}

bool tool_is_csv(const char *path) {
  size_t length = strlen(path);
  return strcmp(path, "-") == 0 || (length >= 4 && strcmp(path + length - 4, ".csv") == 0);
}

void tool_csv_titles(const tool_orbit *t, FILE *out) {
  for (int k = 0; k < t->o.n_channels; k++) {
    char title[400];
    tool_channel_title(t, k, title, sizeof title);
    fprintf(out, ",%s", title);
  }
  fputc('\n', out);
}

tool_orbit_end tool_orbit_finish(tool_orbit *t, const tool_args *args, hk_status status,
                                 const hk_error *err) {
  hk_diag *diag = &t->model.diag;
  if (status < 0 && diag->n_errors == 0) tool_model_failed(&t->model, err);
  tool_print_diag(diag, 0);
  const char *points = tool_value(args, "output"), *figure = tool_value(args, "plot");
  bool taken = (points && strcmp(points, "-") == 0) || (figure && strcmp(figure, "-") == 0);
  tool_orbit_end end = {.json = tool_flag(args, "json"), .report = status >= 0 && !taken};
  end.text = status < 0 ? tool_first_error(diag) : NULL;
  end.error = status < 0 && !end.text ? "out of memory" : end.text;
  end.code = status == HK_STOPPED ? 128 + tool_stop_signal() : tool_exit_code(status);
  return end;
}
