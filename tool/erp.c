/* hooke erp: the power that the vibrating surfaces of flexible bodies radiate, by the formula of the equivalent radiated power. */
#include "erp.h"
#include "base/file.h"
#include "figure.h"
#include "frf_input.h"
#include "model/model.h"
#include "linear.h"
#include "quantity.h"
#include "results/csv.h"
#include "results_model.h"
#include <hooke/response.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DENSE_LIMIT = 3000, MOST_POINTS = 100000 };
/* Reference of the level of a sound power. */
static const double LEVEL_ZERO = 1e-12;

double tool_erp_level(double power) { return 10 * log10(power / LEVEL_ZERO); }

/* ---- the response to one input of a linear model ---- */

typedef struct sweep {
  bool of_run; /* the argument is a results file */
  double skip;
  double first, last;
  int points;
  double *f; /* [n] Hz */
  int n;
  char input[TOOL_FRF_NAME];
  tool_erp erp;
} sweep;

/* Channels of a body: the velocities of its frame in world axes, then the rates of its modes. */
static hk_status find_channels(const hk_model *m, const tool_erp_body *b, int *channel,
                               hk_error *err) {
  static const char *const rigid[6] = {"vx", "vy", "vz", "wx", "wy", "wz"};
  char name[512];
  for (int i = 0; i < 6 + b->body->data.m; i++) {
    if (i < 6)
      snprintf(name, sizeof name, "%.400s.%s", b->body->name, rigid[i]);
    else
      snprintf(name, sizeof name, "%.400s.mode_rate[%d]", b->body->name, i - 5);
    channel[i] = hk_model_channel(m, name);
    if (channel[i] < 0) return hk_fail(err, HK_EINPUT, "the model has no channel '%s'", name);
  }
  return HK_OK;
}

static hk_status orientation(hk_sim *sim, const hk_model *m, const char *body, hk_mat3 *R) {
  static const char *const part[4] = {"qw", "qx", "qy", "qz"};
  double q[4];
  char name[512];
  for (int i = 0; i < 4; i++) {
    snprintf(name, sizeof name, "%.400s.%s", body, part[i]);
    q[i] = hk_sim_value(sim, hk_model_channel(m, name));
  }
  *R = hk_quat_matrix((hk_quat){q[0], q[1], q[2], q[3]});
  return HK_OK;
}

static hk_status of_body(tool_linear *t, sweep *s, int input, tool_erp_body *b, hk_error *err) {
  const int n = 6 + b->body->data.m;
  int channel[n];
  double value[2 * n];
  hk_mat3 R;
  hk_response *response = NULL;
  hk_status status = find_channels(t->model.model, b, channel, err);
  if (!status) status = orientation(t->sim, t->model.model, b->body->name, &R);
  if (!status) status = hk_response_create(t->sim, t->linear, input, channel, n, &response, err);
  b->power = calloc((size_t)s->n + 1, sizeof *b->power);
  if (!status && !b->power) status = hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < s->n && !status; i++) {
    double re[n], im[n];
    status = hk_response_value(response, 2 * M_PI * s->f[i], value, err);
    for (int k = 0; k < n; k++) re[k] = value[2 * k], im[k] = value[2 * k + 1];
    tool_erp_to_body(&b->body->data, &R, re), tool_erp_to_body(&b->body->data, &R, im);
    /* mean of a harmonic motion */
    b->power[i] = 0.5 * s->erp.impedance * (tool_erp_form(b, re) + tool_erp_form(b, im));
  }
  hk_response_destroy(response);
  return status;
}

static hk_status respond(tool_linear *t, const tool_args *args, sweep *s) {
  int input = 0;
  hk_spec *spec = hk_model_spec(t->model.model);
  if (!spec) return hk_fail(&t->error, HK_ENOMEM, "out of memory");
  s->erp.bodies.spec = spec; /* it is destroyed by tool_erp_free */
  hk_status status = tool_erp_begin(&s->erp, spec, tool_value(args, "body"), &t->error);
  if (!status)
    status = tool_frf_input(t->linear, tool_value(args, "from"), s->input, &input, &t->error);
  if (!status)
    status = hk_response_frequencies(t->linear, s->first, s->last, s->points, false, &s->f, &s->n,
                                     &t->error);
  for (int i = 0; i < s->erp.n && !status; i++)
    status = of_body(t, s, input, &s->erp.body[i], &t->error);
  return status;
}

/* ---- arguments and output ---- */

static hk_status read_options(const tool_args *args, sweep *s, hk_error *err) {
  const char *range = tool_value(args, "range"), *points = tool_value(args, "points"),
             *impedance = tool_value(args, "impedance");
  s->erp.impedance = TOOL_ERP_AIR;
  hk_status status = range ? tool_frf_range(range, &s->first, &s->last, err) : HK_OK;
  if (!status && impedance)
    status = tool_quantity(impedance, "Pa*s/m", "--impedance", &s->erp.impedance, err);
  if (!status && !(s->erp.impedance > 0))
    status = hk_fail(err, HK_EINPUT, "--impedance must be positive");
  if (!status && points) {
    char *end;
    long n = strtol(points, &end, 10);
    if (*end || end == points || n < 2 || n > MOST_POINTS)
      return hk_fail(err, HK_EINPUT, "--points needs a whole number from 2 to %d, not '%s'",
                     MOST_POINTS, points);
    s->points = (int)n;
  }
  return status;
}

static hk_status write_csv(const sweep *s, const char *path, hk_error *err) {
  hk_new_file out;
  hk_status status = hk_new_file_open(&out, path, err);
  if (status) return status;
  fputs("frequency [Hz]", out.file);
  for (int k = 0; k < s->erp.n; k++)
    fprintf(out.file, ",%s.power [W],%s.level [dB]", s->erp.body[k].body->name,
            s->erp.body[k].body->name);
  fputc('\n', out.file);
  for (int i = 0; i < s->n; i++) {
    char text[HK_CSV_NUMBER_SIZE];
    hk_csv_number(text, s->f[i]);
    fputs(text, out.file);
    for (int k = 0; k < s->erp.n; k++) {
      tool_table_cell(out.file, s->erp.body[k].power[i]);
      tool_table_cell(out.file, tool_erp_level(s->erp.body[k].power[i]));
    }
    fputc('\n', out.file);
  }
  return hk_new_file_close(&out, HK_OK, err);
}

static hk_status draw(const sweep *s, const char *subtitle, const char *path, hk_error *err) {
  hk_plot_series *series = calloc((size_t)s->erp.n, sizeof *series);
  double *level = calloc((size_t)s->erp.n * (size_t)s->n + 1, sizeof *level);
  hk_status status = series && level ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
  for (int k = 0; k < s->erp.n && !status; k++) {
    double *y = level + (size_t)k * (size_t)s->n;
    for (int i = 0; i < s->n; i++) y[i] = tool_erp_level(s->erp.body[k].power[i]);
    series[k] = (hk_plot_series){.name = s->erp.body[k].body->name,
                                 .x = s->f,
                                 .y = y,
                                 .n = s->n,
                                 .colour = HK_COLOUR_FIRST + k};
  }
  char title[600];
  snprintf(title, sizeof title,
           s->of_run ? "Radiated power" : "Radiated power by %s of amplitude 1", s->input);
  const hk_plot_panel panel = {.x = {.label = "frequency", .unit = "Hz", .tight = true},
                               .y = {.label = "level re 1 pW", .unit = "dB"},
                               .series = series,
                               .n_series = s->erp.n};
  const hk_plot_figure figure = {
      .title = title, .subtitle = subtitle, .panel = &panel, .n_panels = 1};
  if (!status) status = tool_figure_save(&figure, path, err);
  free(series), free(level);
  return status;
}

enum { MOST_PEAKS = 12 };
/* Above the side lobes of the window, relative to the largest line. */
static const double SIDE_LOBE = 1e-3;

/* Prints the ends of the range and the local maxima; of a run the largest ones. */
static void print_table(const sweep *s) {
  for (int k = 0; k < s->erp.n; k++) {
    const double *p = s->erp.body[k].power;
    double least = 0;
    if (s->of_run)
      printf("%s: mean power %.6g W, %.2f dB\n", s->erp.body[k].body->name, s->erp.body[k].total,
             tool_erp_level(s->erp.body[k].total));
    else
      printf("%s, by %s of amplitude 1\n", s->erp.body[k].body->name, s->input);
    for (int i = 1; s->of_run && i < s->n; i++) least = fmax(least, SIDE_LOBE * p[i]);
    for (int i = 0, peaks = 0; i < s->n && peaks < (s->of_run ? MOST_PEAKS : s->n); i++) {
      bool end = !s->of_run && (i == 0 || i == s->n - 1);
      bool peak = i > 0 && i < s->n - 1 && p[i] > p[i - 1] && p[i] >= p[i + 1] && p[i] > least;
      peaks += peak;
      if (end || peak)
        printf("  %13.7g Hz  %13.6g W  %8.2f dB%s\n", s->f[i], p[i], tool_erp_level(p[i]),
               peak ? "  peak" : "");
    }
  }
}

static void put_bodies(tool_json *j, const sweep *s) {
  tool_json_list(j, "frequency_hz", s->f, s->n, 1);
  tool_json_open(j, "bodies", '{');
  for (int k = 0; k < s->erp.n; k++) {
    tool_json_open(j, s->erp.body[k].body->name, '{');
    if (s->of_run) tool_json_real(j, "total", s->erp.body[k].total);
    tool_json_list(j, "power", s->erp.body[k].power, s->n, 1);
    tool_json_close(j, '}');
  }
  tool_json_close(j, '}');
}

static void print_json(const tool_linear *t, const sweep *s) {
  tool_json j = {.out = stdout};
  tool_linear_json_begin(&j, t);
  if (!t->status) {
    tool_json_text(&j, "input", s->input);
    put_bodies(&j, s);
  }
  tool_linear_json_messages(&j, &t->model.diag);
  tool_json_close(&j, '}');
  putchar('\n');
}

/* Writes the files of the options. */
static hk_status write_files(const sweep *s, const tool_args *args, const char *subtitle,
                             hk_error *err) {
  const char *figure = tool_value(args, "output"), *csv = tool_value(args, "csv");
  hk_status status = csv ? write_csv(s, csv, err) : HK_OK;
  return !status && figure ? draw(s, subtitle, figure, err) : status;
}

/* Removes all frequencies outside of --range. */
static hk_status cut(sweep *s, hk_error *err) {
  int first = 0, n = 0;
  if (!(s->last > s->first)) return HK_OK;
  while (first < s->n && s->f[first] < s->first) first++;
  while (first + n < s->n && s->f[first + n] <= s->last) n++;
  if (n == 0)
    return hk_fail(err, HK_EINPUT,
                   "--range contains no line of the spectrum, which has lines from 0 to %.6g Hz",
                   s->f[s->n - 1]);
  memmove(s->f, s->f + first, sizeof *s->f * (size_t)n);
  for (int k = 0; k < s->erp.n; k++)
    memmove(s->erp.body[k].power, s->erp.body[k].power + first, sizeof(double) * (size_t)n);
  s->n = n;
  return HK_OK;
}

static hk_status open_run(sweep *s, const tool_args *args, hk_results **results,
                          tool_flexible_bodies *of, hk_error *err) {
  const char *skip = tool_value(args, "skip");
  hk_status status = skip ? tool_quantity(skip, "s", "--skip", &s->skip, err) : HK_OK;
  static const char *const of_model[] = {"from", "points", "set"};
  bool wrong = tool_flag(args, "as-placed");
  for (size_t i = 0; i < sizeof of_model / sizeof *of_model; i++)
    wrong = wrong || tool_value(args, of_model[i]);
  if (!status && wrong)
    status = hk_fail(err, HK_EINPUT,
                     "--from, --points, --set and --as-placed are for models, not for results");
  if (!status) status = tool_results_open(args, 0, results, err);
  if (!status) status = tool_flexible_open(of, args, *results, tool_value(args, "body"), err);
  return status;
}

static int run_results(const tool_args *args, sweep *s) {
  hk_error err = {0};
  hk_results *results = NULL;
  tool_flexible_bodies of = {0};
  hk_status status = open_run(s, args, &results, &of, &err);
  if (!status) status = tool_erp_begin(&s->erp, of.spec, tool_value(args, "body"), &err);
  if (!status) status = tool_erp_of_run(&s->erp, results, s->skip, &s->f, &s->n, &err);
  if (!status) status = cut(s, &err);
  if (!status) status = write_files(s, args, args->word[0], &err);
  if (status) tool_error("%s", err.text);
  if (tool_flag(args, "json")) {
    tool_json j = {.out = stdout};
    tool_json_open(&j, NULL, '{');
    tool_json_text(&j, "status", status ? "failed" : "ok");
    if (status) tool_json_text(&j, "error", err.text);
    if (!status) put_bodies(&j, s);
    tool_json_close(&j, '}');
    putchar('\n');
  } else if (!status && !tool_output_taken(args)) {
    print_table(s);
  }
  tool_erp_free(&s->erp);
  free(s->f);
  tool_flexible_free(&of);
  hk_results_destroy(results);
  return tool_exit_code(status);
}

static int run(const tool_args *args) {
  sweep s = {0};
  tool_linear t;
  hk_error err = {0};
  size_t length = strlen(args->word[0]);
  if (read_options(args, &s, &err)) {
    tool_error("%s", err.text);
    return EXIT_BAD_INPUT;
  }
  s.of_run = length > 3 && strcmp(args->word[0] + length - 3, ".h5") == 0;
  if (s.of_run) return run_results(args, &s);
  if (tool_value(args, "skip")) {
    tool_error("--skip is for results, not for models");
    return EXIT_BAD_INPUT;
  }
  if (!tool_linear_open(&t, args, DENSE_LIMIT)) t.status = respond(&t, args, &s);
  const char *title = t.model.model ? hk_model_title(t.model.model) : NULL;
  if (!t.status) t.status = write_files(&s, args, title && *title ? title : t.model.path, &t.error);
  int code = tool_linear_report(&t);
  if (tool_flag(args, "json"))
    print_json(&t, &s);
  else if (!t.status && !tool_output_taken(args))
    print_table(&s);
  tool_erp_free(&s.erp);
  free(s.f);
  tool_linear_free(&t);
  return code;
}

static const tool_option options[] = {
    {0, "body", "NAME", "only this flexible body; default: all that have a surface", false},
    {0, "from", "INPUT",
     "excitation: a component of a load or actuator (forces.push.force.x) or a motion "
     "(motions.drive); optional if there is only one",
     false},
    {0, "range", "F0:F1", "frequencies, such as \"100:4000 Hz\"; default: all oscillations", false},
    {0, "points", "N",
     "number of frequencies, evenly spaced; default: 400 and more near resonances", false},
    {0, "skip", "TIME", "with results: ignore the rows before this time", false},
    {0, "impedance", "RHO_C",
     "density times speed of sound of the air; default 413 Pa s/m, at 20 degrees Celsius", false},
    {'o', "output", "FILE.svg", "draw the level as SVG, PNG or PDF by its name", false},
    {0, "csv", "FILE", "write a table; \"-\": standard output", false},
    TOOL_SET_OPTION,
    TOOL_AS_PLACED_OPTION,
    {0, "json", NULL, "print as one JSON object", false},
};

const tool_command tool_command_erp = {
    .name = "erp",
    .arguments = "MODEL|RESULTS",
    .summary = "noise of flexible bodies: equivalent radiated power over frequency",
    .text =
        "With a model: linearises it about its equilibrium, excites one input harmonically with "
        "unit "
        "amplitude at each frequency, and gives the equivalent radiated power of the flexible "
        "bodies: half of the impedance of the air times the integral of the squared amplitude of "
        "the normal velocity over the surface. The power is that of an input of 1 N, 1 N m or 1 m; "
        "it grows with the square of the amplitude. The formula assumes that every part of the "
        "surface radiates like a large plate; at low frequencies, where the body is small "
        "compared with the wavelength, it is an upper bound. Levels are relative to 1 pW.\n"
        "\n"
        "With a results file (.h5): the same power from the motion of the run after the time "
        "--skip, "
        "as the mean power and as a spectrum in which a harmonic motion gives a line with its "
        "power. The rows must be equally spaced.\n"
        "\n"
        "With --json, standard output is one object:\n"
        "\n"
        "  {\"status\": \"ok\" | \"failed\", \"error\": text if failed, \"input\": name,\n"
        "   \"frequency_hz\": [f], \"bodies\": {name: {\"total\": W, of a run, \"power\": [W]}},\n"
        "   \"errors\": [text], \"warnings\": [text], \"notes\": [text]}\n"
        "\n"
        "Exit status: 0 done, 1 failed (no equilibrium was found), 2 bad input.\n"
        "\n"
        "Examples:\n"
        "\n"
        "  hooke erp gearbox.yaml --body housing --from forces.shake.force.z --range \"100:4000 "
        "Hz\" "
        "-o noise.svg\n"
        "  hooke erp run.h5 --skip \"0.2 s\" --range \"0:5 kHz\" --csv noise.csv\n",
    TOOL_OPTIONS(options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
