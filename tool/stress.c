/* hooke stress: stresses and displacements of flexible bodies in a results file. */
#include "base/file.h"
#include "flexible/flexible_surface.h"
#include "flexible_bodies.h"
#include "json.h"
#include "quantity.h"
#include "results/csv.h"
#include "results_model.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The largest value on a body, in one row or in all rows. */
typedef struct peak {
  double value, t;
  int vertex;
} peak;

typedef struct found {
  const tool_flexible_body *body;
  peak stress, moved; /* moved: displacement by deformation */
  double *history;    /* [rows][2] largest stress and displacement of each row */
} found;

typedef struct stressing {
  const tool_args *args;
  hk_results *results;
  tool_flexible_bodies bodies;
  found *found; /* [bodies.n] */
  double *t, strength;
  int64_t rows;
} stressing;

static hk_status no_memory(hk_error *err) { return hk_fail(err, HK_ENOMEM, "out of memory"); }

/* Largest von Mises stress and displacement at one state of the modes; buffer[9 n_vertices]. */
static void look(const hk_flexible_data *d, const double *a, float *buffer, peak *stress,
                 peak *moved) {
  const int n = d->surface.n_vertices;
  float *s = buffer, *u = buffer + 6 * (size_t)n;
  *stress = *moved = (peak){.value = -1};
  hk_flexible_displacement(d, a, u);
  if (d->surface.stress) hk_flexible_stress(d, a, s);
  for (int i = 0; i < n; i++) {
    const float *x = u + 3 * i;
    double far = sqrt((double)x[0] * x[0] + (double)x[1] * x[1] + (double)x[2] * x[2]);
    if (far > moved->value) *moved = (peak){.value = far, .vertex = i};
    if (!d->surface.stress) continue;
    double size = hk_von_mises(s + 6 * i);
    if (size > stress->value) *stress = (peak){.value = size, .vertex = i};
  }
}

static hk_status read_modes(const stressing *w, const tool_flexible_body *b, double *a,
                            hk_error *err) {
  int column[b->data.m + 1];
  hk_status status = tool_flexible_columns(b, w->results, column, err);
  double *one = malloc(((size_t)w->rows + 1) * sizeof *one);
  if (!one) status = no_memory(err);
  for (int k = 0; k < b->data.m && !status; k++) {
    status = hk_results_read_column(w->results, column[k], one, err);
    for (int64_t i = 0; i < w->rows && !status; i++) a[i * b->data.m + k] = one[i];
  }
  free(one);
  return status;
}

static hk_status search(const stressing *w, found *f, hk_error *err) {
  const hk_flexible_data *d = &f->body->data;
  double *a = malloc(((size_t)w->rows * (size_t)d->m + 1) * sizeof *a);
  float *buffer = malloc((9 * (size_t)d->surface.n_vertices + 1) * sizeof *buffer);
  f->history = malloc((2 * (size_t)w->rows + 1) * sizeof *f->history);
  hk_status status = a && buffer && f->history ? read_modes(w, f->body, a, err) : no_memory(err);
  f->stress = f->moved = (peak){.value = -1};
  for (int64_t i = 0; i < w->rows && !status; i++) {
    peak stress, moved;
    look(d, a + i * d->m, buffer, &stress, &moved);
    f->history[2 * i] = d->surface.stress ? stress.value : NAN, f->history[2 * i + 1] = moved.value;
    stress.t = moved.t = w->t[i];
    if (stress.value > f->stress.value) f->stress = stress;
    if (moved.value > f->moved.value) f->moved = moved;
  }
  free(a), free(buffer);
  return status;
}

static hk_status compute(stressing *w, hk_error *err) {
  const char *strength = tool_value(w->args, "strength");
  hk_status status = HK_OK;
  if (strength) status = tool_quantity(strength, "Pa", "--strength", &w->strength, err);
  if (!status && strength && !(w->strength > 0))
    status = hk_fail(err, HK_EINPUT, "--strength needs a stress above 0, not '%s'", strength);
  if (!status)
    status = tool_flexible_open(&w->bodies, w->args, w->results, tool_value(w->args, "body"), err);
  if (status) return status;
  w->rows = hk_results_row_count(w->results);
  if (w->rows < 1)
    return hk_fail(err, HK_EINPUT, "'%s' contains no rows", hk_results_path(w->results));
  w->t = malloc((size_t)w->rows * sizeof *w->t);
  w->found = calloc((size_t)w->bodies.n, sizeof *w->found);
  if (!w->t || !w->found) return no_memory(err);
  status = hk_results_read_column(w->results, 0, w->t, err);
  for (int i = 0; i < w->bodies.n && !status; i++) {
    w->found[i].body = &w->bodies.body[i];
    status = search(w, &w->found[i], err);
  }
  return status;
}

/* Position of a vertex in the axes of the finite-element model. */
static hk_vec3 place(const hk_flexible_data *d, int vertex) {
  const float *x = d->surface.vertex + 3 * vertex;
  return hk_add(d->center, hk_v3(x[0], x[1], x[2]));
}

static void print(const stressing *w) {
  for (int i = 0; i < w->bodies.n; i++) {
    const found *f = &w->found[i];
    const hk_flexible_data *d = &f->body->data;
    hk_vec3 at = place(d, f->stress.vertex);
    printf("%s\n", f->body->name);
    if (d->surface.stress)
      printf("  largest von Mises stress  %13.6g Pa at t = %.9g s, at %.5g, %.5g, %.5g m\n",
             f->stress.value, f->stress.t, at.x, at.y, at.z);
    else
      printf("  no stresses: '%s' contains none\n", tool_name(f->body->path));
    if (d->surface.stress && w->strength > 0)
      printf("  safety                    %13.6g against %.6g Pa\n", w->strength / f->stress.value,
             w->strength);
    at = place(d, f->moved.vertex);
    printf("  largest deflection        %13.6g m  at t = %.9g s, at %.5g, %.5g, %.5g m\n",
           f->moved.value, f->moved.t, at.x, at.y, at.z);
  }
}

static void put_peak(tool_json *j, const char *key, const hk_flexible_data *d, const peak *p) {
  hk_vec3 at = place(d, p->vertex);
  tool_json_open(j, key, '{');
  tool_json_real(j, "value", p->value);
  tool_json_real(j, "t", p->t);
  hk_json_reals(j, "at", (const double[]){at.x, at.y, at.z}, 3);
  tool_json_close(j, '}');
}

static void print_json(const stressing *w, const hk_error *err) {
  tool_json j = {.out = stdout};
  tool_json_open(&j, NULL, '{');
  tool_json_text(&j, "status", err->code ? "failed" : "ok");
  if (err->code) tool_json_text(&j, "error", err->text);
  tool_json_open(&j, "bodies", '{');
  for (int i = 0; i < w->bodies.n && !err->code; i++) {
    const found *f = &w->found[i];
    const hk_flexible_data *d = &f->body->data;
    tool_json_open(&j, f->body->name, '{');
    if (d->surface.stress) put_peak(&j, "stress", d, &f->stress);
    if (d->surface.stress && w->strength > 0)
      tool_json_real(&j, "safety", w->strength / f->stress.value);
    put_peak(&j, "deflection", d, &f->moved);
    tool_json_close(&j, '}');
  }
  tool_json_close(&j, '}');
  tool_json_close(&j, '}');
  putchar('\n');
}

static hk_status write_csv(const stressing *w, const char *path, hk_error *err) {
  hk_new_file out;
  hk_status status = hk_new_file_open(&out, path, err);
  if (status) return status;
  fputs("time [s]", out.file);
  for (int k = 0; k < w->bodies.n; k++)
    fprintf(out.file, ",%s.stress [Pa],%s.largest_deflection [m]", w->found[k].body->name,
            w->found[k].body->name);
  for (int64_t i = 0; i < w->rows; i++) {
    char text[HK_CSV_NUMBER_SIZE];
    hk_csv_number(text, w->t[i]);
    fprintf(out.file, "\n%s", text);
    for (int k = 0; k < 2 * w->bodies.n; k++) {
      hk_csv_number(text, w->found[k / 2].history[2 * i + k % 2]);
      fprintf(out.file, ",%s", text);
    }
  }
  fputc('\n', out.file);
  return hk_new_file_close(&out, HK_OK, err);
}

static int run(const tool_args *args) {
  stressing w = {.args = args};
  hk_error err = {0};
  const char *csv = tool_value(args, "csv");
  hk_status status = tool_results_open(args, 0, &w.results, &err);
  if (!status) status = compute(&w, &err);
  if (!status && csv) status = write_csv(&w, csv, &err);
  if (status) tool_error("%s", err.text);
  if (tool_flag(args, "json"))
    print_json(&w, &err);
  else if (!status && !(csv && strcmp(csv, "-") == 0))
    print(&w);
  for (int i = 0; w.found && i < w.bodies.n; i++) free(w.found[i].history);
  free(w.found), free(w.t);
  tool_flexible_free(&w.bodies);
  hk_results_destroy(w.results);
  return tool_exit_code(status);
}

static const tool_option options[] = {
    {0, "body", "NAME", "only this flexible body; default: all that have a surface", false},
    {0, "strength", "STRESS", "permitted stress, such as \"355 MPa\": prints the safety", false},
    {0, "csv", "FILE", "write the largest values of each row; \"-\": standard output", false},
    {0, "json", NULL, "print as one JSON object, in SI units", false},
};

const tool_command tool_command_stress = {
    .name = "stress",
    .arguments = "FILE",
    .summary = "stresses and deflections of flexible bodies in a results file",
    .text =
        "Computes the stresses at the surface of the flexible bodies of a run from the "
        "coordinates of their modes, and prints the largest von Mises stress and the largest "
        "deflection with their time and place. Places are coordinates of the finite-element "
        "model. Deflections are relative to the floating frame, which follows the mean rotation "
        "of the body. Only the rows of the file are used: choose the output step short enough. "
        "The files of the bodies must still be where the model names them.\n"
        "\n"
        "`hooke export --vtk` writes the deformed bodies with their stresses for ParaView.\n"
        "\n"
        "With --json, standard output is one object:\n"
        "\n"
        "  {\"status\": \"ok\" | \"failed\", \"error\": text if failed,\n"
        "   \"bodies\": {name: {\"stress\": {\"value\": Pa, \"t\": s, \"at\": [m, m, m]},\n"
        "     \"safety\": number, \"deflection\": {\"value\": m, \"t\": s, \"at\": [m, m, m]}}}}\n"
        "\n"
        "Exit status: 0 done, 1 failed, 2 bad input.\n"
        "\n"
        "Examples:\n"
        "\n"
        "  hooke stress run.h5 --strength \"355 MPa\"\n"
        "  hooke stress run.h5 --body housing --csv stress.csv\n",
    TOOL_OPTIONS(options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
