/* hooke modes: eigenvalues and eigenvectors of a model about an equilibrium or a steady motion. */
#include "results/matrix_file.h"
#include "linear.h"
#include "pattern.h"
#include "quantity.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- matrices ---- */

enum { NAME = 300 };

/* A list of n texts with room for NAME characters each; NULL if out of memory. */
static char **text_list(int n) {
  char **list = calloc((size_t)n + 1, sizeof *list + NAME);
  if (!list) return NULL;
  char *text = (char *)(list + n + 1);
  for (int i = 0; i < n; i++) list[i] = text + (size_t)i * NAME;
  return list;
}

static hk_status write_mkb(const hk_linear *l, const char *path, hk_error *err) {
  if (l->sparse)
    return hk_fail(err, HK_EINPUT,
                   "the model is too large to write dense matrices (%d coordinates)", l->n);
  char **coordinate = text_list(l->n);
  if (!coordinate) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < l->n; i++) hk_linear_coordinate_name(l, i, coordinate[i], NAME);
  const hk_named_matrix m[] = {
      {"M", l->n, l->n, l->M, NULL},
      {"L", l->n, l->n, l->L, NULL},
      {"K", l->n, l->n, l->K, NULL},
      {"G", l->nc, l->n, l->G, NULL},
      {"N", l->n, l->dof, l->N, NULL},
      {"Mr", l->dof, l->dof, l->Mr, NULL},
      {"Lr", l->dof, l->dof, l->Lr, NULL},
      {"Kr", l->dof, l->dof, l->Kr, NULL},
      {"lambda", l->nc, 1, l->lambda, NULL},
      {"coordinates", l->n, 0, NULL, (const char *const *)coordinate},
  };
  hk_status status = hk_matrix_file_write(path, m, sizeof m / sizeof *m, err);
  free(coordinate);
  return status;
}

static hk_status write_abcd(const hk_linear *l, const char *path, hk_error *err) {
  hk_state_space s;
  hk_status status = hk_linear_state_space(l, NULL, 0, &s, err);
  if (status) return status;
  char **input = text_list(s.inputs), **output = text_list(s.outputs), **state = text_list(s.n);
  if (input && output && state) {
    for (int i = 0; i < s.inputs; i++) hk_state_space_input_name(l, &s, i, input[i], NAME);
    for (int i = 0; i < s.n; i++) hk_state_space_state_name(l, &s, i, state[i], NAME);
    for (int i = 0; i < s.outputs; i++)
      snprintf(output[i], NAME, "%s [%s]", hk_model_channel_name(l->model, s.output[i]),
               hk_model_channel_unit(l->model, s.output[i]));
    const hk_named_matrix m[] = {
        {"A", s.n, s.n, s.A, NULL},
        {"B", s.n, s.inputs, s.B, NULL},
        {"C", s.outputs, s.n, s.C, NULL},
        {"D", s.outputs, s.inputs, s.D, NULL},
        {"inputs", s.inputs, 0, NULL, (const char *const *)input},
        {"outputs", s.outputs, 0, NULL, (const char *const *)output},
        {"states", s.n, 0, NULL, (const char *const *)state},
    };
    status = hk_matrix_file_write(path, m, sizeof m / sizeof *m, err);
  } else {
    status = hk_fail(err, HK_ENOMEM, "out of memory");
  }
  free(state);
  free(input);
  free(output);
  hk_state_space_free(&s);
  return status;
}

/* ---- output ---- */

static void print_json_vector(tool_json *j, const hk_linear *l, const char *key,
                              const double *vector) {
  double most = 0;
  for (int i = 0; i < 2 * l->n; i++) most = fmax(most, fabs(vector[i]));
  tool_json_open(j, key, '{');
  for (int i = 0; i < l->n; i++) {
    char name[NAME];
    if (hypot(vector[2 * i], vector[2 * i + 1]) < 1e-9 * most) continue;
    hk_linear_coordinate_name(l, i, name, sizeof name);
    tool_json_open(j, name, '[');
    tool_json_real(j, NULL, vector[2 * i]);
    tool_json_real(j, NULL, vector[2 * i + 1]);
    tool_json_close(j, ']');
  }
  tool_json_close(j, '}');
}

static void print_json_mode(tool_json *j, const hk_linear *l, const hk_mode *m, bool shape,
                            const double *left) {
  tool_json_open(j, NULL, '{');
  tool_json_real(j, "re", m->re);
  tool_json_real(j, "im", m->im);
  tool_json_real(j, "frequency_hz", m->frequency);
  tool_json_real(j, "damping", m->damping);
  tool_json_real(j, "time_constant", m->time_constant);
  tool_json_text(j, "stability",
                 !isfinite(m->time_constant) ? "neutral"
                 : m->re > 0                 ? "unstable"
                                             : "stable");
  tool_json_bool(j, "free", m->zero);
  if (shape) print_json_vector(j, l, "shape", m->shape);
  if (left) print_json_vector(j, l, "left", left);
  tool_json_close(j, '}');
}

static const char *axes_name(const hk_linear *l) {
  return l->axes == HK_LINEAR_BODY_AXES    ? "body"
         : l->axes == HK_LINEAR_WORLD_AXES ? "world"
                                           : "rotating";
}

/* left: [shown][2 n]; NULL: not wanted */
static void print_json(const tool_linear *t, const hk_modes *modes, int shown, const double *left) {
  tool_json j = {.out = stdout};
  const hk_linear *l = t->linear;
  tool_linear_json_begin(&j, t);
  if (l) {
    tool_json_real(&j, "t", l->t);
    tool_json_int(&j, "coordinates", l->n);
    tool_json_int(&j, "constraints", l->nc);
    tool_json_int(&j, "rank", l->rank);
    tool_json_int(&j, "redundant", l->nc - l->rank);
    tool_json_int(&j, "dof", l->dof);
    tool_json_text(&j, "axes", axes_name(l));
    if (l->axes == HK_LINEAR_ROTATING_AXES) tool_json_list(&j, "axes_rate", l->rate, 3, 1);
    tool_json_real(&j, "residual", l->residual.size);
    tool_json_real(&j, "self_stress", l->self_stress);
  }
  if (!t->status) {
    tool_json_text(&j, "method", modes->method);
    tool_json_real(&j, "infinite", modes->n_infinite < 0 ? NAN : modes->n_infinite);
    tool_json_int(&j, "unstable", modes->n_unstable);
    tool_json_open(&j, "eigenvalues", '[');
    for (int i = 0; i < modes->n && i < shown; i++)
      print_json_mode(&j, l, &modes->mode[i], modes->block != NULL && modes->mode[i].shape,
                      left ? left + 2 * (size_t)i * (size_t)l->n : NULL);
    tool_json_close(&j, ']');
  }
  tool_linear_json_messages(&j, &t->model.diag);
  tool_json_close(&j, '}');
  putchar('\n');
}

/* The significant components of a shape, by decreasing magnitude. */
static void print_shape(const hk_linear *l, const hk_mode *m) {
  enum { MOST = 8 };
  double last = INFINITY;
  int last_index = -1, printed = 0;
  for (; printed < MOST; printed++) {
    int best = -1;
    double size = 0.01;
    for (int i = 0; i < l->n; i++) {
      double a = hypot(m->shape[2 * i], m->shape[2 * i + 1]);
      bool after = a < last || (a == last && i > last_index);
      if (after && a > size) size = a, best = i;
    }
    if (best < 0) break;
    char name[NAME];
    hk_linear_coordinate_name(l, best, name, sizeof name);
    double phase = atan2(m->shape[2 * best + 1], m->shape[2 * best]) * 180 / M_PI;
    printf("%s %s %.3g", printed ? "," : "   ", name, size);
    if (fabs(phase) > 179.95)
      printf(" opposed");
    else if (fabs(phase) > 0.05)
      printf(" at %+.1f deg", phase);
    last = size;
    last_index = best;
  }
  if (printed) putchar('\n');
}

static const char *plural(int n) { return n == 1 ? "" : "s"; }

static void print_table(const tool_linear *t, const hk_modes *modes, int shown, bool shapes) {
  const hk_linear *l = t->linear;
  const char *title = hk_model_title(t->model.model);
  if (title && title[0]) tool_put(stdout, title), putchar('\n');
  printf("%d coordinate%s, %d constraint%s of rank %d, %d degree%s of freedom", l->n, plural(l->n),
         l->nc, plural(l->nc), l->rank, l->dof, plural(l->dof));
  if (modes->n_infinite > 0)
    printf("; %d eigenvalue%s infinite (massless)", modes->n_infinite,
           modes->n_infinite == 1 ? " is" : "s are");
  else if (modes->n_infinite < 0)
    printf("; infinite eigenvalues (massless) are not counted");
  if (l->axes == HK_LINEAR_ROTATING_AXES)
    printf(
        "\nin axes that rotate with [%.9g, %.9g, %.9g] rad/s; at this time they are those of the "
        "world",
        l->rate[0], l->rate[1], l->rate[2]);
  printf("\n%5s %15s %15s %13s %9s %13s\n", "mode", "real [1/s]", "imag [rad/s]", "frequency [Hz]",
         "damping", "time const [s]");
  int number = 0, printed = 0;
  for (int i = 0; i < modes->n && printed < shown; i++) {
    const hk_mode *m = &modes->mode[i];
    if (m->im < 0) continue; /* listed with its conjugate */
    bool pair = m->im > 0;
    char constant[32] = "-";
    if (isfinite(m->time_constant)) snprintf(constant, sizeof constant, "%.5g", m->time_constant);
    printf("%5d %15.9g %s%14.9g %13.6g %9.4f %13s  %s\n", ++number, m->re, pair ? "±" : " ", m->im,
           m->frequency, m->damping, constant,
           m->zero                       ? "free motion"
           : !isfinite(m->time_constant) ? "neutral"
           : m->re > 0                   ? "UNSTABLE"
                                         : "stable");
    if (shapes) print_shape(l, m);
    printed += pair ? 2 : 1;
  }
  if (!modes->complete) printf("nearest to the shift; there are others\n");
  if (modes->n_unstable)
    printf("unstable: %d growing eigenvalue%s\n", modes->n_unstable, plural(modes->n_unstable));
  else
    printf("no growing eigenvalue\n");
}

/* ---- command ---- */

static hk_status write_files(tool_linear *t, const tool_args *args) {
  const char *mkb = tool_value(args, "mkb"), *abcd = tool_value(args, "abcd"),
             *pattern = tool_value(args, "pattern");
  hk_status status = HK_OK;
  if (mkb) status = write_mkb(t->linear, mkb, &t->error);
  if (abcd && !status) status = write_abcd(t->linear, abcd, &t->error);
  if (pattern && !status) status = tool_pattern_draw(t->linear, pattern, &t->error);
  return status;
}

/* Checks the options before any work is done. */
static bool read_options(const tool_args *args, hk_modes_options *o, int *shown) {
  const char *count = tool_value(args, "modes"), *shift = tool_value(args, "shift");
  const char *method = tool_value(args, "method");
  hk_error err = {0};
  *shown = 1 << 30;
  if (count) {
    char *end;
    long n = strtol(count, &end, 10);
    if (*end || end == count || n < 1 || n > 1000000) {
      tool_error("--modes needs a whole number from 1 on, not '%s'", count);
      return false;
    }
    *shown = o->count = (int)n;
  }
  if (shift && strstr(shift, "Hz")) {
    tool_error("--shift is a real number in 1/s, not '%s'", shift);
    return false;
  }
  if (shift && tool_quantity(shift, "1/s", "--shift", &o->shift, &err)) {
    tool_error("%s", err.text);
    return false;
  }
  if (method && strcmp(method, "dense") == 0)
    o->method = HK_MODES_DENSE;
  else if (method && strcmp(method, "sparse") == 0)
    o->method = HK_MODES_SPARSE;
  else if (method && strcmp(method, "auto") != 0) {
    tool_error("--method is auto, dense or sparse, not '%s'", method);
    return false;
  }
  const char *file[] = {tool_value(args, "mkb"), tool_value(args, "abcd")};
  for (int i = 0; i < 2; i++)
    if (file[i] && hk_matrix_file_check(file[i], &err)) {
      tool_error("%s", err.text);
      return false;
    }
  return true;
}

/* Computes left eigenvectors of the first n modes, allocated by malloc. */
static hk_status find_left(tool_linear *t, const hk_modes *modes, int n, double **out) {
  size_t each = 2 * (size_t)t->linear->n;
  *out = malloc(each * (size_t)n * sizeof **out + 1);
  hk_status status = *out ? HK_OK : hk_fail(&t->error, HK_ENOMEM, "out of memory");
  for (int i = 0; i < n && !status; i++)
    status = hk_mode_left(t->linear, &modes->mode[i], *out + each * (size_t)i, &t->error);
  return status;
}

static int run(const tool_args *args) {
  hk_modes_options o = {0};
  int shown;
  if (!read_options(args, &o, &shown)) return EXIT_BAD_INPUT;
  tool_linear t;
  hk_modes modes = {.method = ""};
  int limit = o.method == HK_MODES_SPARSE ? 1 : o.method == HK_MODES_DENSE ? 20000 : 0;
  tool_linear_open(&t, args, limit);
  if (!t.status) {
    /* A single coordinate needs the dense method. */
    if (o.method == HK_MODES_SPARSE && !t.linear->sparse) o.method = HK_MODES_AUTO;
    t.status = hk_modes_solve(t.linear, &o, &modes, &t.error);
  }
  if (!t.status) t.status = write_files(&t, args);
  bool json = tool_flag(args, "json");
  double *left = NULL;
  /* A conjugate pair is printed completely or not at all. */
  if (json && !t.status && shown < modes.n && modes.mode[shown - 1].im > 0) shown++;
  if (json && !t.status && tool_flag(args, "left"))
    t.status = find_left(&t, &modes, shown < modes.n ? shown : modes.n, &left);
  int code = tool_linear_report(&t);
  if (json)
    print_json(&t, &modes, shown, left);
  else if (!t.status)
    print_table(&t, &modes, shown, !tool_flag(args, "no-shapes"));
  free(left);
  hk_modes_free(&modes);
  tool_linear_free(&t);
  return code;
}

static const tool_option options[] = {
    TOOL_SET_OPTION,
    TOOL_AT_OPTION,
    TOOL_AS_PLACED_OPTION,
    {0, "modes", "N",
     "number of eigenvalues shown, slowest first; one more if a conjugate pair would be split",
     false},
    {0, "shift", "S",
     "large models: look for eigenvalues near this real number, such as \"10 1/s\"", false},
    {0, "method", "NAME", "auto, dense or sparse; auto: dense up to 600 coordinates", false},
    {0, "no-shapes", NULL, "table without mode shapes", false},
    {0, "mkb", "FILE",
     "write M, L, K, G and their reduced forms to this .mat (version 4), .h5 or .csv file", false},
    {0, "abcd", "FILE",
     "write the state space A, B, C, D: inputs are the inputs of the model, expressions of loads "
     "and actuators, rates of states and the "
     "accelerations of motions, outputs are sensors and joint coordinates",
     false},
    {0, "pattern", "FILE.svg",
     "draw which entries of K are not zero, body by body, as SVG, PNG or PDF by its name", false},
    {0, "left", NULL, "with --json: the left eigenvector of each mode too", false},
    {0, "json", NULL, "print as one JSON object", false},
};

const tool_command tool_command_modes = {
    .name = "modes",
    .arguments = "MODEL",
    .summary = "eigenvalues and mode shapes about an equilibrium",
    .text =
        "Linearises the model about its equilibrium (or, with --at, about a steady motion), with "
        "the tangent stiffness of all preloads and the gyroscopic terms of spinning bodies, "
        "reduces it "
        "to its degrees of freedom and prints eigenvalues s: natural frequency |s|/2 pi, damping "
        "ratio -re/|s|, time constant -1/re, stability, and the largest components of each mode "
        "shape by body and coordinate. Displacements are those of the centre of mass in world "
        "axes, rotations rx, ry, rz those about the axes of the body (of a spinning model: of the "
        "world).\n"
        "\n"
        "A model that is not in equilibrium in its initial position is moved to a nearby "
        "equilibrium, with a "
        "warning that gives the residual and the body it acts on. With --as-placed it is rejected "
        "instead, and so is a state at --at that is not steady.\n"
        "\n"
        "With --json, standard output is one object:\n"
        "\n"
        "  {\"status\": \"ok\" | \"failed\", \"error\": text if failed, \"t\": s,\n"
        "   \"coordinates\": n, \"constraints\": n, \"rank\": n, \"redundant\": n, \"dof\": n,\n"
        "   \"axes\": \"body\" | \"world\" | \"rotating\", \"axes_rate\": [rad/s] if rotating,\n"
        "   \"residual\": N, \"self_stress\": number,\n"
        "   \"method\": name, \"infinite\": n or null if not counted, \"unstable\": n,\n"
        "   \"eigenvalues\": [{\"re\": 1/s, \"im\": rad/s, \"frequency_hz\": Hz,\n"
        "     \"damping\": number, \"time_constant\": s or null,\n"
        "     \"stability\": \"stable\" | \"unstable\" | \"neutral\",\n"
        "     \"free\": true if s = 0: a free motion,\n"
        "     \"shape\": {\"body.x\": [re, im]},\n"
        "     \"left\": the same with --left: w with w^H (2 s M + L) d = 1 for the shape d; a "
        "change\n"
        "       of the matrices shifts s by -w^H (s^2 dM + s dL + dK) d}],\n"
        "   \"errors\": [text], \"warnings\": [text], \"notes\": [text]}\n"
        "\n"
        "Exit status: 0 done (also if unstable), 1 failed (no equilibrium was found), 2 bad input "
        "(also --as-placed or --at without an equilibrium or steady motion).\n"
        "\n"
        "Examples:\n"
        "\n"
        "  hooke modes point.yaml\n"
        "  hooke modes rotor.yaml --at \"0 s\" --modes 8\n"
        "  hooke modes point.yaml --set parameters.r=\"2 m\" --mkb matrices.mat\n",
    TOOL_OPTIONS(options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
