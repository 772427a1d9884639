/* Cost of each stepper on every example, and error relative to the tolerance: docs/step-control.md.
 *
 *   steppers table ROOT [PART]     Markdown: every example of ROOT/examples with forces and compliant contacts (whose
 *                                  name has PART), with every stepper, at the accuracy of the run as the file has it
 *   steppers impacts ROOT [PART]   Markdown: every example with rigid contacts
 *   steppers tolerance ROOT FIGURE Markdown: exponents of error over tolerance; the figure as SVG
 *
 * An error is the largest distance of a body's place (an angle of a rotor, a state) from the reference
 * over 40 times of the run, in m, rad or the state's unit.  The reference is the finest run, and counts only as far
 * as two methods agree on it.  CPU time is that of the process from the creation of the simulation to its end, so
 * that what `auto` tries before it chooses is counted.  Of a run that takes long only the beginning is measured; and
 * of one that is chaotic as much as can be foretold: as long as two methods agree on the reference and at least one,
 * with a tenth of the run's tolerances, keeps within a hundredth of the motion.  The error of the run with the
 * settings of the file does not influence this. */
#include "plot/plot.h"
#include "spec/registry.h"
#include "sim/sim.h"
#include <dirent.h>
#include <hooke/hooke.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { TIMES = 40, MOST_CHANNELS = 200, MOST_FILES = 200, LINE = 400 };
static const double MOST_SECONDS = 1;  /* of a run */
static const double OWN_SECONDS = 0.1; /* of the run as the file has it */
static const double LOOSEST = 1e-5;    /* tolerance: what looser ones let pass is right by chance */
static const double FINER = 0.1;       /* factor of the run's tolerances in the runs that test for chaos */
static const double FORETOLD = 1e-2;   /* fraction of the motion: if all errors are larger, the motion is chaotic */
static const double RESTS = 1e-8;      /* [m or rad] an error that is negligible compared with any motion */
static const double AGREED = 1e-3;     /* fraction of the motion: maximum uncertainty of a reference */

typedef struct track {
  double x[TIMES][MOST_CHANNELS];
} track;

typedef struct example {
  char name[LINE];
  hk_model *model;
  hk_model
      *free; /* without the step and the stepper's keys that the file gives; NULL: it gives none */
  int channel[MOST_CHANNELS], n_channels;
  double start, duration, whole; /* measured, and that of the file */
  double rtol, atol;             /* of the run as the file has it */
  bool contacts, chaotic;
} example;

typedef struct result {
  bool done, taken; /* came to the end; the stepper takes the model */
  long steps;
  double seconds, t; /* reached */
  char stepper[40];
} result;

/* ---- examples ---- */

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static int list_files(const char *folder, char **name, int n) {
  DIR *dir = opendir(folder);
  for (struct dirent *e; dir && n < MOST_FILES && (e = readdir(dir));) {
    char path[LINE];
    struct stat info;
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    size_t length = strlen(path);
    if (e->d_name[0] == '.' || stat(path, &info)) continue;
    if (S_ISDIR(info.st_mode)) n = list_files(path, name, n);
    if (S_ISREG(info.st_mode) && strcmp(path + length - 5, ".yaml") == 0) name[n++] = strdup(path);
  }
  if (dir) closedir(dir);
  qsort(name, (size_t)n, sizeof *name, by_name);
  return n;
}

static void add_channel(example *e, const char *body, const char *what) {
  char name[LINE];
  snprintf(name, sizeof name, "%s.%s", body, what);
  int i = hk_model_channel_find(e->model, *what ? name : body);
  if (i >= 0 && e->n_channels < MOST_CHANNELS) e->channel[e->n_channels++] = i;
}

static hk_model *read_model(const char *path, bool free_steps) {
  hk_diag diag;
  hk_diag_init(&diag);
  hk_spec *spec = hk_model_file_read(path, NULL, 0, &diag);
  if (spec && free_steps && spec->n[HK_ANALYSIS]) {
    hk_analysis_dynamics *d = spec->item[HK_ANALYSIS][0]->data;
    d->step = 0;
    d->stepper = "auto";
    for (int i = 0; i < spec->n[HK_STEPPER]; i++) {
      hk_item *keys = spec->item[HK_STEPPER][i];
      memset(keys->param_state, 0, (size_t)hk_type_param_count(keys->type));
    }
  }
  hk_model *m = spec ? hk_model_compile(spec, &diag) : NULL;
  hk_diag_free(&diag);
  return m;
}

/* False: not a model that can be run (part of others, a study). */
static bool open_example(const char *path, example *e) {
  *e = (example){.model = read_model(path, false)};
  hk_sim *sim = NULL;
  if (!e->model || hk_sim_create(e->model, NULL, &sim, NULL, NULL)) {
    hk_model_destroy(e->model);
    return false;
  }
  if (sim->option.step > 0) e->free = read_model(path, true);
  e->start = hk_sim_time(sim), e->duration = e->whole = sim->option.duration;
  e->rtol = sim->option.rtol, e->atol = sim->option.atol;
  hk_sim_destroy(sim);
  const hk_model *m = e->model;
  for (int i = 0; i < m->n_nodes; i++) {
    static const char *const WHAT[] = {"x", "y", "z", "angle", ""};
    for (int k = 0; k < 5; k++) add_channel(e, m->node[i].name, WHAT[k]);
  }
  e->contacts = m->n_contacts > 0;
  const char *folder = strstr(path, "/examples/");
  snprintf(e->name, sizeof e->name, "%s", folder ? folder + strlen("/examples/") : path);
  return e->duration > 0;
}

static bool has_impacts(const example *e) {
  hk_error err;
  return hk_integrator_needs_smooth(e->model, &err) != HK_OK;
}

/* ---- runs ---- */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* One run; the places of all bodies where `out` is not NULL. */
static result run_for(const example *e, const hk_sim_options *o, double most, track *out) {
  result r = {0};
  hk_sim *sim = NULL;
  double end = e->start + e->duration, begin = now();
  if (hk_sim_create(e->model, o, &sim, NULL, NULL)) return r;
  snprintf(r.stepper, sizeof r.stepper, "%s", hk_sim_stepper_name(sim));
  bool dense = hk_sim_interpolates(sim), good = true;
  for (int i = 0; good && i < TIMES; i++) {
    double t = fmin(
        end, e->start + e->duration * (i + 1) / TIMES); /* whose last may round beyond the end */
    while (good && hk_sim_time(sim) < t)
      good = !hk_sim_step(sim, dense ? end : t, NULL) && now() - begin < most;
    if (good && out) good = !hk_sim_values_at(sim, t, e->channel, e->n_channels, out->x[i], NULL);
  }
  r.seconds = now() - begin;
  r.steps = hk_sim_statistics(sim).steps;
  r.t = hk_sim_time(sim);
  r.done = good, r.taken = true;
  hk_sim_destroy(sim);
  return r;
}

static result run_once(const example *e, const hk_sim_options *o, track *out) {
  return run_for(e, o, MOST_SECONDS, out);
}

/* The best time of several: short runs need more to be steady. */
static result run_timed(const example *e, const hk_sim_options *o, track *out) {
  result r = run_once(e, o, out);
  double total = r.seconds;
  for (int i = 0; r.done && i < 8 && total < 0.1; i++) {
    result again = run_once(e, o, NULL);
    total += again.seconds;
    if (again.seconds < r.seconds) r.seconds = again.seconds;
  }
  return r;
}

/* No more of the run than the file's own stepper does in short time, to one digit. */
static void shorten(example *e) {
  result r = run_for(e, NULL, OWN_SECONDS, NULL);
  if (r.done || !(r.t > e->start)) return;
  double digit = pow(10, floor(log10(r.t - e->start)));
  e->duration = fmin(e->duration, digit * floor((r.t - e->start) / digit));
}

static double distance(const example *e, const track *a, const track *b) {
  double most = 0;
  for (int i = 0; i < TIMES; i++)
    for (int k = 0; k < e->n_channels; k++) {
      double d = fabs(a->x[i][k] - b->x[i][k]);
      most = d > most || isnan(d) ? d : most;
    }
  return most;
}

static hk_sim_options with(const char *stepper, double tol) {
  return (hk_sim_options){.stepper = stepper, .rtol = tol, .atol = tol / 10};
}

/* Whether two runs are together: each channel within `part` of its own motion, for their units differ, or so near that
 * it rests. */
static bool agree(const example *e, const track *a, const track *b, double part) {
  for (int k = 0; k < e->n_channels; k++) {
    double motion = 0, apart = 0;
    for (int i = 0; i < TIMES; i++) {
      double d = fabs(a->x[i][k] - b->x[i][k]);
      if (isnan(d)) return false;
      motion = fmax(motion, fabs(a->x[i][k] - a->x[0][k]));
      apart = fmax(apart, d);
    }
    if (apart > fmax(part * motion, RESTS)) return false;
  }
  return true;
}

/* Decades of the tolerance that a run which was not ended would have to be looser by, at least: a method of second
 * order then takes 2.15 times the steps. */
static int missing_decades(const example *e, const result *r) {
  double part = (r->t - e->start) / e->duration;
  return r->taken && part > 0 && part < 1 ? (int)(log(1 / part) / log(2.15)) : 0;
}

/* The finest run that succeeds with one method, the run that confirms it, and their difference; NaN: there is no
 * such run. */
static double make_reference(const example *e, track *fine, track *other) {
  static const char *const METHOD[] = {"bdf", "generalized_alpha"};
  int first[2] = {0};
  double tol = e->contacts ? 1e-11 : 1e-13;
  for (int i = 0; tol < 2e-8; i++, tol *= 10)
    for (int k = 0; k < 2; k++) {
      const char *second = k ? "bdf" : e->contacts ? "generalized_alpha" : "adams";
      const hk_sim_options o = with(METHOD[k], tol), p = with(second, tol),
                           q = with(METHOD[k], 3 * tol);
      if (i < first[k]) continue;
      result r = run_once(e, &o, fine);
      first[k] = i + 1 + missing_decades(e, &r);
      if (!r.done) continue;
      if (run_once(e, &p, other).done || run_once(e, &q, other).done)
        return distance(e, fine, other);
    }
  return NAN;
}

/* ---- the table ---- */

static const char *const COMPARED[] = {"bdf", "adams", "generalized_alpha", "trapezoidal"};
enum { N_COMPARED = sizeof COMPARED / sizeof *COMPARED };

/* The cheapest run that was found whose error is at most `allowed`.  Errors follow a power of the tolerance. */
static result cheapest(const example *e, int k, double allowed, const track *fine) {
  static track x;
  const char *stepper = COMPARED[k];
  double tol = LOOSEST, power = k < 2 ? 0.85 : 0.67, found = 0;
  result r = {0};
  for (int i = 0; i < 8 && tol > 1e-14 && tol <= LOOSEST; i++) {
    hk_sim_options o = with(stepper, tol);
    r = run_once(e, &o, &x);
    if (!r.done) break;
    double error = distance(e, &x, fine), change = pow(allowed / error, 1 / power);
    bool good = error <= allowed;
    if (good) found = tol;
    if (found > 0 && (!good || (i > 0 && change < 4))) break;
    tol *= good ? fmin(300, 0.5 * change) : fmax(1e-3, fmin(0.5, 0.7 * change));
    if (good && tol <= found) break;
    tol = fmin(tol, LOOSEST);
    if (tol == found) break;
  }
  if (!(found > 0)) {
    r.done = false;
    return r;
  }
  hk_sim_options o = with(stepper, found);
  return run_timed(e, &o, NULL);
}

static void print_cell(const result *r) {
  if (r->done)
    printf(" %ld, %.3g |", r->steps, 1e3 * r->seconds);
  else
    printf(!r->taken ? " no |" : r->seconds >= MOST_SECONDS ? " > %g s |" : " – |", MOST_SECONDS);
}

/* As the file has it; `own` is that run, and all others choose their steps. */
static void print_run(const example *e, const char *note, const result *own, const track *usual,
                      const track *fine, double sure) {
  double error = distance(e, usual, fine), best = INFINITY;
  printf("| %s%s | %.3g%s | %s | %ld | %.3g | %.0e | %.0e |", e->name, note, e->duration,
         e->chaotic ? ", chaotic" : "", own->stepper, own->steps, 1e3 * own->seconds, error, sure);
  error = fmax(error, fmax(3 * sure, 1e-13)); /* differences below the uncertainty count as equal */
  for (int k = 0; k < N_COMPARED; k++) {
    result r = {0};
    if (isfinite(error)) r = cheapest(e, k, error, fine);
    print_cell(&r);
    if (r.done && r.seconds < best) best = r.seconds;
  }
  printf(isfinite(best) ? " %.2g |\n" : " – |\n", own->seconds / best);
  fflush(stdout);
}

/* Errors that grow without bound: all methods miss the reference, though their tolerances are finer than those of the
 * run.  If one of them comes near to it, the error of the run is its own. */
static bool grows(const example *e, const track *fine) {
  static track x;
  static const char *const METHOD[] = {"bdf", "generalized_alpha", "adams"};
  int off = 0;
  for (int k = 0; k < 3; k++) {
    const hk_sim_options o = {
        .stepper = METHOD[k], .rtol = FINER * e->rtol, .atol = FINER * e->atol};
    if (!run_once(e, &o, &x).done) continue;
    if (agree(e, fine, &x, FORETOLD)) return false;
    off++;
  }
  return off > 1;
}

/* Chaos: half of the time, and again, until the motion can be foretold. */
static double foretell(example *f, track *fine) {
  static track other;
  for (int halved = 0;; halved++) {
    double sure = make_reference(f, fine, &other);
    if (isnan(sure) || halved == 6) return sure;
    if (agree(f, fine, &other, AGREED) && !grows(f, fine)) return sure;
    f->duration *= 0.5;
    f->chaotic = true;
  }
}

static void print_row(const example *e) {
  static track fine, usual;
  fprintf(stderr, "%s\n", e->name);
  for (int given = e->free != NULL; given >= 0; given--) {
    example f = *e;
    f.model = e->free ? e->free : e->model;
    double sure = foretell(&f, &fine);
    example as_given = f;
    if (given) as_given.model = e->model;
    result own = run_timed(&as_given, NULL, &usual);
    print_run(&f, given ? ", fixed steps" : "", &own, &usual, &fine, sure);
  }
}

/* ---- rigid contacts ---- */

static const char *const RIGID[] = {"moreau", "nonsmooth_alpha", "event_driven"};
enum { N_RIGID = sizeof RIGID / sizeof *RIGID };

/* Each as it is by default, where steps are to be given with that of the file. */
static void print_impacts(const example *e) {
  static track fine, x;
  const hk_sim_options finest = {.stepper = "event_driven", .rtol = 1e-11, .atol = 1e-13};
  hk_sim *sim = NULL;
  double step = 0;
  if (!hk_sim_create(e->model, NULL, &sim, NULL, NULL)) step = sim->option.step;
  hk_sim_destroy(sim);
  bool known = run_once(e, &finest, &fine).done;
  fprintf(stderr, "%s\n", e->name);
  printf("| %s | %.3g | %.2g |", e->name, e->duration, step);
  for (int k = 0; k < N_RIGID; k++) {
    const hk_sim_options o = {.stepper = RIGID[k]};
    result r = run_timed(e, &o, &x);
    if (r.done && known)
      printf(" %ld, %.3g, %.0e |", r.steps, 1e3 * r.seconds, distance(e, &x, &fine));
    else
      print_cell(&r);
  }
  printf("\n");
  fflush(stdout);
}

/* ---- all examples ---- */

static int for_all(const char *root, const char *part, bool impacts,
                   void (*print)(const example *e)) {
  char folder[LINE], *name[MOST_FILES];
  snprintf(folder, sizeof folder, "%s/examples", root);
  int n = list_files(folder, name, 0);
  for (int i = 0; i < n; i++) {
    example e;
    if (strstr(name[i], part) && open_example(name[i], &e)) {
      if (has_impacts(&e) == impacts) {
        shorten(&e);
        print(&e);
      }
      hk_model_destroy(e.model);
      hk_model_destroy(e.free);
    }
    free(name[i]);
  }
  return 0;
}

static int table(const char *root, const char *part) {
  printf(
      "| example | s | stepper | steps | ms | error | sure to | bdf | adams | generalized_alpha | "
      "trapezoidal | factor |\n|---|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
  return for_all(root, part, false, print_row);
}

static int impacts(const char *root, const char *part) {
  printf(
      "| example | s | step [s] | moreau | nonsmooth_alpha | event_driven |\n"
      "|---|---:|---:|---:|---:|---:|\n");
  return for_all(root, part, true, print_impacts);
}

/* ---- tolerances ---- */

static const char *const BENCHMARK[] = {"examples/benchmarks/a01_pendulum.yaml",
                                        "examples/benchmarks/a02_four_bar.yaml",
                                        "examples/benchmarks/a03_andrews.yaml",
                                        "examples/benchmarks/a04_bricard.yaml",
                                        "examples/benchmarks/a05_governor.yaml",
                                        "examples/benchmarks/spatial_slider_crank.yaml",
                                        "examples/benchmarks/universal_pendulum_1.yaml",
                                        "examples/benchmarks/universal_pendulum_2.yaml",
                                        "examples/benchmarks/universal_pendulum_3.yaml",
                                        "test/everyday/top.yaml",
                                        "test/everyday/double_pendulum.yaml"};
enum { N_BENCHMARKS = sizeof BENCHMARK / sizeof *BENCHMARK, N_TOLERANCES = 17, N_PANELS = 3 };

static double slope(const double *x, const double *y, int n) {
  double sx = 0, sy = 0, xx = 0, xy = 0;
  int used = 0;
  for (int i = 0; i < n; i++) {
    if (!(y[i] > 0)) continue;
    double a = log(x[i]), b = log(y[i]);
    sx += a, sy += b, xx += a * a, xy += a * b, used++;
  }
  return (used * xy - sx * sy) / (used * xx - sx * sx);
}

static int tolerance(const char *root, const char *path) {
  static double tol[N_TOLERANCES], error[N_PANELS][N_BENCHMARKS][N_TOLERANCES];
  static char label[N_BENCHMARKS][LINE];
  static track fine, x;
  static const char *const STEPPER[N_PANELS] = {"bdf", "adams", "generalized_alpha"};
  hk_plot_series series[N_PANELS][N_BENCHMARKS];
  hk_plot_panel panel[N_PANELS];
  printf("| case | bdf | adams | generalized_alpha |\n|---|---:|---:|---:|\n");
  for (int i = 0; i < N_TOLERANCES; i++) tol[i] = pow(10, -4 - 0.5 * i);
  for (int b = 0; b < N_BENCHMARKS; b++) {
    char file[LINE];
    example e;
    snprintf(file, sizeof file, "%s/%s", root, BENCHMARK[b]);
    if (!open_example(file, &e)) return 1;
    const char *last = strrchr(e.name, '/');
    last = last ? last + 1 : e.name;
    snprintf(label[b], LINE, "%.*s", (int)(strlen(last) - 5), last);
    double sure = make_reference(&e, &fine, &x);
    printf("| %s |", label[b]);
    for (int k = 0; k < N_PANELS; k++) {
      double *y = error[k][b];
      for (int i = 0; i < N_TOLERANCES; i++) {
        hk_sim_options o = with(STEPPER[k], tol[i]);
        y[i] = NAN;
        if (k == 2 && i > 12) continue; /* hundreds of thousands of steps */
        if (run_once(&e, &o, &x).done) y[i] = distance(&e, &x, &fine);
        if (!(y[i] > 3 * sure)) y[i] = NAN; /* limited by the accuracy of the reference */
      }
      printf(" %.2f |", slope(tol, y, N_TOLERANCES));
      series[k][b] = (hk_plot_series){
          .name = label[b], .x = tol, .y = y, .n = N_TOLERANCES, .marker = HK_MARKER_DOT};
    }
    printf("\n");
    fflush(stdout);
    hk_model_destroy(e.model);
  }
  for (int k = 0; k < N_PANELS; k++)
    panel[k] = (hk_plot_panel){.x = {.label = "rtol", .log = true},
                               .y = {.label = STEPPER[k], .unit = "m, rad", .log = true},
                               .series = series[k],
                               .n_series = N_BENCHMARKS};
  hk_error err = {0};
  const hk_plot_figure figure = {
      .title = "Largest error of a run over the tolerance that was asked",
      .panel = panel,
      .n_panels = N_PANELS,
      .share_x = true,
      .panel_height = 260};
  if (hk_plot_save(&figure, path, &err)) {
    fprintf(stderr, "steppers: %s\n", err.text);
    return 1;
  }
  return 0;
}

int main(int argc, char **argv) {
  const char *part = argc == 4 ? argv[3] : "";
  bool some = argc == 3 || argc == 4;
  if (some && strcmp(argv[1], "table") == 0) return table(argv[2], part);
  if (some && strcmp(argv[1], "impacts") == 0) return impacts(argv[2], part);
  if (argc == 4 && strcmp(argv[1], "tolerance") == 0) return tolerance(argv[2], argv[3]);
  fprintf(stderr,
          "usage: steppers table ROOT [PART] | steppers impacts ROOT [PART] | steppers tolerance "
          "ROOT FIGURE.svg\n");
  return 2;
}
