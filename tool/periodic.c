/* hooke periodic: the periodic orbit of a model, its stability, its measures. */
#include "periodic.h"
#include "linear.h"
#include "measure_table.h"
#include "orbit.h"
#include "quantity.h"
#include "study/steady.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SHOWN = 6 };

/* ---- arguments ---- */

hk_status tool_periodic_resolve(const hk_model *m, const char *period, const char *turn,
                                hk_periodic_options *o, hk_error *err) {
  hk_status status = HK_OK;
  if (period && tool_is_number(period)) {
    status = tool_period(period, &o->period, err);
  } else if (period) {
    hk_orbit_options only = {.sim = o->sim};
    status = hk_sweep_resolve(m, &(hk_sweep_names){.period = period}, &only, NULL, err);
    o->period = only.section.period;
  }
  if (!status && turn) status = hk_steady_turn(turn, "--turn", m, o, err);
  return status;
}

static hk_status read_method(const char *text, hk_periodic_method *out, hk_error *err) {
  static const char *const name[] = {"auto", "plain", "anderson", "newton"};
  for (int i = 0; text && i < 4; i++)
    if (strcmp(text, name[i]) == 0) {
      *out = (hk_periodic_method)i;
      return HK_OK;
    }
  return text ? hk_fail(err, HK_EINPUT, "--method is auto, plain, anderson or newton, not '%s'",
                        text)
              : HK_OK;
}

static bool goes_on(void *context) {
  (void)context;
  return tool_stop_signal() == 0;
}

hk_status tool_periodic_options(const tool_args *args, hk_periodic_options *o, hk_error *err) {
  const char *tolerance = tool_value(args, "tolerance"), *from = tool_value(args, "from"),
             *runs = tool_value(args, "runs");
  hk_status status = read_method(tool_value(args, "method"), &o->method, err);
  if (!status && !tool_value(args, "period") && !tool_value(args, "turn"))
    status = hk_fail(err, HK_EINPUT,
                     "no period; give --period TIME (of the drive), or --turn \"CHANNEL = AMOUNT\" "
                     "if the period is unknown");
  if (!status && from) status = tool_quantity(from, "s", "--from", &o->from, err);
  if (!status && runs) status = tool_count(runs, "--runs", 1, 10000000, &o->most_runs, err);
  if (!status && tolerance) {
    char *end;
    o->tolerance = strtod(tolerance, &end);
    if (end == tolerance || *end || !(o->tolerance > 0 && o->tolerance < 1))
      status =
          hk_fail(err, HK_EINPUT,
                  "--tolerance needs a number between 0 and 1, such as 1e-6, not '%s'", tolerance);
  }
  const char *symmetry = tool_value(args, "symmetry");
  o->whole = symmetry && strcmp(symmetry, "none") == 0;
  if (!status && symmetry && !o->whole && strcmp(symmetry, "auto") != 0)
    status = hk_fail(err, HK_EINPUT, "--symmetry is auto or none, not '%s'", symmetry);
  o->floquet = tool_flag(args, "floquet");
  o->go_on = goes_on;
  return status;
}

/* ---- results ---- */

/* Simulates one period from the state of the orbit: measures, and the results file. */
static hk_status measure(tool_periodic *p, const tool_args *args, hk_error *err) {
  char *text = tool_model_text(&p->model);
  const hk_sim_options sim = {.stepper = p->orbit.choose};
  const hk_run_options o = {.sim = &sim,
                            .results = tool_value(args, "output"),
                            .record = tool_value(args, "record"),
                            .model_file = p->model.path,
                            .model_text = text,
                            .override_text = p->model.set,
                            .n_overrides = p->model.n_set,
                            .start = p->orbit.state,
                            .start_size = p->orbit.state_size,
                            .duration = p->orbit.period};
  hk_status status = hk_run(p->model.model, &o, &p->report, &p->model.diag);
  p->measured = true;
  free(text);
  if (status < 0) *err = p->report.error;
  return status;
}

const char *tool_stability(hk_stability s) {
  static const char *const word[] = {"unknown", "stable", "unstable", "undecided"};
  return word[s];
}

void tool_multipliers_text(const hk_periodic *o, char *text, size_t size) {
  size_t n = 0;
  text[0] = '\0';
  int shown = 0, i = 0;
  for (; i < o->n_multipliers && shown < MOST_SHOWN && n + 80 < size; i++) {
    if (o->im[i] < 0) continue;
    double size_mu = hypot(o->re[i], o->im[i]);
    if (shown > 0 && size_mu < 1e-6) break;
    n += (size_t)snprintf(text + n, size - n,
                          o->im[i] > 0 ? "%s%.6g \xC2\xB1 %.6gi (%.6g)" : "%s%.6g",
                          shown ? ", " : "", o->re[i], o->im[i], size_mu);
    shown++;
  }
  if (i < o->n_multipliers && n + 40 < size)
    snprintf(text + n, size - n, ", %d smaller", o->n_multipliers - i);
}

static void print_report(const tool_periodic *p) {
  const hk_periodic *o = &p->orbit;
  char text[800];
  printf("period %.10g s, %d unknowns: found in %d periods, %ld steps of %s (%d per period)",
         o->period, o->unknowns, o->runs, o->steps, o->stepper, o->per_period);
  if (o->derivatives) printf(", %d derivatives", o->derivatives);
  printf("\nresidual %.2g of the motion; one plain period more: %.2g\n", o->residual, o->error);
  if (o->parts > 1)
    printf(
        "the period consists of %d equal parts by the symmetry of '%s'; one part was searched, "
        "then the whole checked\n",
        o->parts, o->alike);
  if (o->unequal > 0)
    printf("the symmetry of joints and gears was not used: the model differs from it by %.2g\n",
           o->unequal);
  if (o->cuts) printf("%d steps of the grid had to be divided\n", o->cuts);
  for (int i = 0; i < o->n_drifts; i++)
    printf("drift of '%s' per period: %.9g %s (nothing depends on it)\n", o->drift[i].name,
           o->drift[i].amount, o->drift[i].unit);
  if (o->n_multipliers && !p->o.floquet)
    printf("the orbit is %s\n", o->stability == HK_UNDECIDED
                                    ? "neither clearly stable nor unstable: see --floquet"
                                    : tool_stability(o->stability));
  if (p->o.floquet && o->n_multipliers) {
    tool_multipliers_text(o, text, sizeof text);
    printf("Floquet multipliers%s %s: %s", o->parts > 1 ? " of a part" : "", text,
           tool_stability(o->stability));
    if (o->neutral) printf(" apart from %d neutral ones", o->neutral);
    printf(" (\xC2\xB1 %.1g by the steps)\n", o->uncertainty);
  }
  if (p->measured && p->report.n_measures) tool_measures_print(&p->report);
}

void tool_periodic_json(tool_json *j, const hk_periodic *o) {
  tool_json_bool(j, "found", o->found);
  tool_json_real(j, "period", o->period);
  tool_json_real(j, "residual", o->residual);
  tool_json_real(j, "plain_error", o->error);
  tool_json_text(j, "worst", o->worst);
  tool_json_int(j, "unknowns", o->unknowns);
  tool_json_int(j, "parts", o->parts);
  tool_json_int(j, "periods", o->runs);
  tool_json_int(j, "derivatives", o->derivatives);
  tool_json_int(j, "steps", o->steps);
  tool_json_int(j, "steps_per_period", o->per_period);
  tool_json_text(j, "stepper", o->stepper);
  tool_json_open(j, "drifts", '[');
  for (int i = 0; i < o->n_drifts; i++) {
    tool_json_open(j, NULL, '{');
    tool_json_text(j, "name", o->drift[i].name);
    tool_json_real(j, "amount", o->drift[i].amount);
    tool_json_text(j, "unit", o->drift[i].unit);
    tool_json_close(j, '}');
  }
  tool_json_close(j, ']');
  if (!o->n_multipliers) return;
  tool_json_open(j, "multipliers", '[');
  for (int i = 0; i < o->n_multipliers; i++) {
    tool_json_open(j, NULL, '[');
    tool_json_real(j, NULL, o->re[i]);
    tool_json_real(j, NULL, o->im[i]);
    tool_json_close(j, ']');
  }
  tool_json_close(j, ']');
  tool_json_text(j, "stability", tool_stability(o->stability));
  tool_json_int(j, "neutral", o->neutral);
  tool_json_real(j, "multiplier_error", o->uncertainty);
}

static void print_json(const tool_periodic *p, hk_status status, const char *error) {
  tool_json j = {.out = stdout};
  tool_json_open(&j, NULL, '{');
  tool_json_text(&j, "status", status == HK_STOPPED ? "stopped" : error ? "failed" : "ok");
  if (error) tool_json_text(&j, "error", error);
  tool_periodic_json(&j, &p->orbit);
  if (p->measured) tool_measures_json(&j, &p->report);
  tool_linear_json_messages(&j, &p->model.diag);
  tool_json_close(&j, '}');
  putchar('\n');
}

/* ---- command ---- */

static hk_status compute(tool_periodic *p, const tool_args *args, hk_error *err) {
  hk_status status = tool_periodic_options(args, &p->o, err);
  if (status) return status;
  if (tool_flag(args, "plot"))
    return hk_fail(err, HK_EINPUT, "--plot draws orbits over a parameter: it needs --over");
  const char *output = tool_value(args, "output");
  if (output && strcmp(output, "-") == 0)
    return hk_fail(err, HK_EINPUT,
                   "the orbit is an HDF5 file, which cannot be written to standard output");
  status = tool_model_load(&p->model, args);
  if (status) return hk_fail(err, status, "the model cannot be read");
  status = tool_periodic_resolve(p->model.model, tool_value(args, "period"),
                                 tool_value(args, "turn"), &p->o, err);
  if (status) return status;
  tool_catch_signals();
  status = hk_periodic_run(p->model.model, &p->o, &p->orbit, &p->model.diag, err);
  if (!status && p->orbit.stability == HK_UNSTABLE)
    hk_diag_add(
        &p->model.diag, HK_WARNING, &(hk_location){p->model.path, 0, 0},
        "the orbit is unstable, the largest Floquet multiplier is %.4g: a simulation leaves it",
        hypot(p->orbit.re[0], p->orbit.im[0]));
  /* The best state is also simulated if there is no orbit. */
  if ((status == HK_OK || (status == HK_EFAIL && output && isfinite(p->orbit.residual))) &&
      p->orbit.state) {
    hk_error other = {0};
    hk_status measured = measure(p, args, &other);
    if (!status && measured) {
      status = measured;
      *err = other;
    }
  }
  return status;
}

static int run(const tool_args *args) {
  if (tool_flag(args, "over") || tool_flag(args, "through")) return tool_periodic_over(args);
  tool_periodic p = {.report = {.stepper = ""}};
  hk_error err = {0};
  hk_diag_init(&p.model.diag);
  hk_status status = compute(&p, args, &err);
  hk_diag *diag = &p.model.diag;
  if (status < 0 && diag->n_errors == 0) {
    if (p.model.model)
      tool_model_failed(&p.model, &err);
    else
      hk_diag_add(diag, HK_ERROR, &(hk_location){"hooke", 0, 0}, "%s", err.text);
  }
  tool_print_diag(diag, 0);
  char *text = status < 0 ? tool_first_error(diag) : NULL;
  if (tool_flag(args, "json"))
    print_json(&p, status, status < 0 ? (text ? text : err.text) : NULL);
  else if (status == HK_OK)
    print_report(&p);
  int code = status == HK_STOPPED ? 128 + tool_stop_signal() : tool_exit_code(status);
  free(text);
  if (p.measured) hk_run_report_free(&p.report);
  hk_periodic_free(&p.orbit);
  tool_model_free(&p.model);
  return code;
}

static const tool_option options[] = {
    TOOL_SET_OPTION,
    {0, "period", "TIME",
     "the period: a time such as \"0.1 s\", a frequency or speed such as \"50 Hz\" or \"300 rpm\", "
     "or the name of a "
     "channel with this value; with --turn the first guess",
     false},
    {0, "turn", "CHANNEL=AMOUNT",
     "the period is unknown: the time in which this channel changes by this amount (\"shaft.angle "
     "= 360 deg\"), or "
     "returns to its value (amount 0, or none)",
     false},
    {0, "from", "TIME", "simulate to this time first, such as the end of a ramp", false},
    {0, "tolerance", "SHARE",
     "change over a period relative to the motion at which an orbit is found; default 1e-6", false},
    {0, "method", "NAME", "auto (default), plain (simulate until it repeats), anderson or newton",
     false},
    {0, "symmetry", "auto|none",
     "auto (default): gears and joints with equal parts repeat with every part of a turn, so only "
     "that part is searched; none: "
     "the whole period",
     false},
    {0, "runs", "COUNT", "periods to simulate at most; default 200, with --method plain 5000",
     false},
    {0, "floquet", NULL,
     "print the Floquet multipliers, which decide whether the orbit is stable; also for rigid "
     "contacts and more than 150 unknowns",
     false},
    {0, "over", "PATH=VALUES",
     "one orbit for each value, such as \"speed = 1000:3000:41 rpm\", each from the one before",
     false},
    {0, "through", NULL,
     "with --over: follow one branch of orbits also where the value turns back, with stable and "
     "unstable parts; "
     "folds, flips, Neimark-Sacker and branch points are located",
     false},
    {0, "start-at", "VALUE",
     "with --through: value of the first orbit, within the range; a closed branch (isola) ends "
     "where it began",
     false},
    {0, "channels", "NAMES",
     "with --over: channels of which minimum and maximum over the orbit are listed", false},
    {'o', "output", "FILE",
     "write one period of the orbit to this HDF5 file; with --over a table (CSV)", false},
    {0, "record", "REGEX", "write only channels with names that match", false},
    {0, "plot", "FILE.svg", "with --over: draw the table as SVG, PNG or PDF by its name", false},
    {0, "json", NULL, "print the outcome as one JSON object", false},
};

const tool_command tool_command_periodic = {
    .name = "periodic",
    .arguments = "MODEL",
    .summary = "periodic orbit (steady state), its stability, and orbits over a parameter",
    .text =
        "Finds the motion that repeats after a period, without waiting until all transients have "
        "faded: from the start "
        "of the model (or the time --from) a few periods are simulated, then the state at the "
        "start of a period is "
        "changed until it is the same at its end. Prints the effort, the remaining change, the "
        "change over one more "
        "plain period (the error of the result), and the measures of the model over one period.\n"
        "\n"
        "Several orbits may exist. The one that is found depends on the start; unstable ones may "
        "be found too.\n"
        "\n"
        "Models without rigid contacts are integrated with generalized_alpha, whose steps have a "
        "derivative. With "
        "rigid contacts, stepper: event_driven is used with differences of whole periods.\n"
        "\n"
        "Angles of rotors count modulo a turn. Coordinates on which nothing depends may drift; "
        "their drift is "
        "printed.\n"
        "\n"
        "With --over, each orbit starts from the one before; a jump shows where it ceases to "
        "exist. --through follows "
        "the branch itself, through its folds, and locates folds, flips (an orbit of twice the "
        "period branches off), "
        "Neimark-Sacker points (a second frequency appears) and branch points.\n"
        "\n"
        "If no orbit is found, a message says what still changes, and with -o the period from the "
        "best state is "
        "written.\n"
        "\n"
        "With --json, standard output is one object:\n"
        "\n"
        "  {\"status\": \"ok\" | \"failed\" | \"stopped\", \"error\": text if failed,\n"
        "   \"found\": true | false, \"period\": s, \"residual\": share, \"plain_error\": share,\n"
        "   \"worst\": name, \"unknowns\": n, \"parts\": n, \"periods\": n, \"derivatives\": n, "
        "\"steps\": n,\n"
        "   \"steps_per_period\": n, \"stepper\": name,\n"
        "   \"drifts\": [{\"name\", \"amount\", \"unit\"}],\n"
        "   \"multipliers\" (if computed): [[re, im]], \"stability\": \"stable\" | \"unstable\" "
        "|\n"
        "   \"undecided\", \"neutral\": n, \"multiplier_error\": number,\n"
        "   \"measures\": {name: {\"value\": number, \"unit\": text}},\n"
        "   \"errors\": [text], \"warnings\": [text], \"notes\": [text]}\n"
        "\n"
        "and with --over: \"columns\": [name], \"rows\": [[value]].\n"
        "\n"
        "Exit status: 0 found, 1 no orbit was found, 2 bad input, 130 stopped by Ctrl-C, 143 by "
        "SIGTERM.\n"
        "\n"
        "Examples:\n"
        "\n"
        "  hooke periodic duffing.yaml --period period --set F=0.2 --floquet\n"
        "  hooke periodic oscillator.yaml --turn mass.angle -o orbit.h5\n"
        "  hooke periodic rotor.yaml --period turn --over \"speed = 1000:3000:41 rpm\" --plot "
        "curve.svg\n",
    TOOL_OPTIONS(options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
