/* What each stepper costs on every example, and what tolerances mean: docs/steppers.md.
 *
 *   steppers table ROOT            Markdown: every example of ROOT/examples without rigid contacts with every
 *                                  stepper, at the accuracy of the run as the file has it
 *   steppers tolerance ROOT FIGURE Markdown: exponents of error over tolerance; the figure as SVG
 *
 * An error is the largest distance of a body's place (an angle of a rotor, a state) from the reference
 * over 40 times of the run, in m, rad or the state's unit.  The reference is the finest run, and counts only as far
 * as two methods agree on it.
 */
#include "io/plot.h"
#include "spec/registry.h"
#include "stepper/sim.h"
#include <dirent.h>
#include <hooke/hooke.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { TIMES = 40, MOST_CHANNELS = 200, MOST_FILES = 200, LINE = 400 };
static const double MOST_SECONDS = 3; /* of a run */

typedef struct track {
  double x[TIMES][MOST_CHANNELS];
} track;

typedef struct example {
  char name[LINE];
  hk_model *model;
  int channel[MOST_CHANNELS], n_channels;
  double start, duration;
  bool contacts;
} example;

typedef struct result {
  bool done;
  long steps;
  double seconds;
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

/* False: not a model that can be run (part of others, a study). */
static bool open_example(const char *path, example *e) {
  hk_diag diag;
  hk_diag_init(&diag);
  *e = (example){0};
  hk_spec *spec = hk_model_file_read(path, NULL, 0, &diag);
  e->model = spec ? hk_model_compile(spec, &diag) : NULL;
  hk_diag_free(&diag);
  hk_sim *sim = NULL;
  if (!e->model || hk_sim_create(e->model, NULL, &sim, NULL, NULL)) {
    hk_model_destroy(e->model);
    return false;
  }
  e->start = hk_sim_time(sim), e->duration = sim->option.duration;
  hk_sim_destroy(sim);
  const hk_model *m = e->model;
  for (int i = 0; i < m->n_nodes; i++) {
    static const char *const WHAT[] = {"x", "y", "z", "angle", ""};
    for (int k = 0; k < 5; k++) add_channel(e, m->node[i].name, WHAT[k]);
  }
  e->contacts = m->n_contacts > 0;
  const char *file = strrchr(path, '/');
  snprintf(e->name, sizeof e->name, "%s", file ? file + 1 : path);
  return e->duration > 0;
}

static bool has_impacts(const example *e) {
  hk_error err;
  return hk_stepper_needs_smooth(e->model, &err) != HK_OK;
}

/* ---- runs ---- */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* One run; the places of all bodies where `out` is not NULL.  CPU time is that of the steps alone. */
static result run_once(const example *e, const hk_sim_options *o, track *out) {
  result r = {0};
  hk_sim *sim = NULL;
  if (hk_sim_create(e->model, o, &sim, NULL, NULL)) return r;
  snprintf(r.stepper, sizeof r.stepper, "%s", hk_sim_stepper_name(sim));
  double end = e->start + e->duration, begin = now();
  bool dense = hk_sim_interpolates(sim), good = true;
  for (int i = 0; good && i < TIMES; i++) {
    double t = e->start + e->duration * (i + 1) / TIMES;
    while (good && hk_sim_time(sim) < t)
      good = !hk_sim_step(sim, dense ? end : t, NULL) && now() - begin < MOST_SECONDS;
    if (good && out) good = !hk_sim_values_at(sim, t, e->channel, e->n_channels, out->x[i], NULL);
  }
  r.seconds = now() - begin;
  r.steps = hk_sim_statistics(sim).steps;
  r.done = good;
  hk_sim_destroy(sim);
  return r;
}

/* The best time of several: short runs need more to be steady. */
static result run_timed(const example *e, const hk_sim_options *o, track *out) {
  result r = run_once(e, o, out);
  double total = r.seconds;
  for (int i = 0; r.done && i < 8 && total < 0.3; i++) {
    result again = run_once(e, o, NULL);
    total += again.seconds;
    if (again.seconds < r.seconds) r.seconds = again.seconds;
  }
  return r;
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

/* The finest run that two methods get through, and how far they agree; NaN: there is none. */
static double make_reference(const example *e, track *fine) {
  static track other;
  const char *second = e->contacts ? "generalized_alpha" : "adams";
  for (double tol = e->contacts ? 1e-11 : 1e-13; tol < 2e-9; tol *= 10) {
    const hk_sim_options o = with("bdf", tol), p = with(second, tol), q = with("bdf", 3 * tol);
    if (!run_once(e, &o, fine).done) continue;
    if (run_once(e, &p, &other).done || run_once(e, &q, &other).done)
      return distance(e, fine, &other);
  }
  return NAN;
}

/* ---- the table ---- */

static const char *const COMPARED[] = {"bdf", "adams", "generalized_alpha", "trapezoidal"};
enum { N_COMPARED = sizeof COMPARED / sizeof *COMPARED };

/* The cheapest of the runs by decades of tolerance whose error is at most `allowed`. */
static result cheapest(const example *e, const char *stepper, double allowed, const track *fine) {
  static track x;
  for (double tol = 1e-4; tol > 0.5e-12; tol /= sqrt(10)) {
    hk_sim_options o = with(stepper, tol);
    result r = run_once(e, &o, &x);
    if (!*r.stepper) return r;
    if (r.done && distance(e, &x, fine) <= allowed) return run_timed(e, &o, NULL);
    if (r.seconds > MOST_SECONDS) break;
  }
  return (result){0};
}

static void print_row(const example *e) {
  static track fine, usual;
  double sure = make_reference(e, &fine);
  result own = run_timed(e, NULL, &usual);
  double error = distance(e, &usual, &fine), best = INFINITY;
  fprintf(stderr, "%s\n", e->name);
  printf("| %s | %s | %ld | %.3g | %.1e | %.0e |", e->name, own.stepper, own.steps,
         1e3 * own.seconds, error, sure);
  if (!(error > 3 * sure)) error = 3 * sure; /* what cannot be told apart is equal */
  for (int k = 0; k < N_COMPARED; k++) {
    result r = isfinite(error) ? cheapest(e, COMPARED[k], error, &fine) : (result){0};
    if (r.done) printf(" %ld, %.3g |", r.steps, 1e3 * r.seconds);
    if (!r.done) printf(" – |");
    if (r.done && r.seconds < best) best = r.seconds;
  }
  printf(isfinite(best) ? " %.2g |\n" : " – |\n", own.seconds / best);
  fflush(stdout);
}

static int table(const char *root) {
  char folder[LINE], *name[MOST_FILES];
  snprintf(folder, sizeof folder, "%s/examples", root);
  int n = list_files(folder, name, 0);
  printf(
      "| example | stepper | steps | ms | error | sure to | bdf | adams | generalized_alpha | "
      "trapezoidal | factor |\n|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
  for (int i = 0; i < n; i++) {
    example e;
    if (open_example(name[i], &e)) {
      if (!has_impacts(&e)) print_row(&e);
      hk_model_destroy(e.model);
    }
    free(name[i]);
  }
  return 0;
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
    snprintf(label[b], LINE, "%.*s", (int)(strlen(e.name) - 5), e.name);
    double sure = make_reference(&e, &fine);
    printf("| %s |", label[b]);
    for (int k = 0; k < N_PANELS; k++) {
      double *y = error[k][b];
      for (int i = 0; i < N_TOLERANCES; i++) {
        hk_sim_options o = with(STEPPER[k], tol[i]);
        y[i] = NAN;
        if (k == 2 && i > 12) continue; /* hundreds of thousands of steps */
        if (run_once(&e, &o, &x).done) y[i] = distance(&e, &x, &fine);
        if (!(y[i] > 3 * sure)) y[i] = NAN; /* no more than the reference knows */
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
  if (argc == 3 && strcmp(argv[1], "table") == 0) return table(argv[2]);
  if (argc == 4 && strcmp(argv[1], "tolerance") == 0) return tolerance(argv[2], argv[3]);
  fprintf(stderr, "usage: steppers table ROOT | steppers tolerance ROOT FIGURE.svg\n");
  return 2;
}
