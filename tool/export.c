/* hooke export: results as tables and as animations for other programs. */
#define _GNU_SOURCE
#include "command.h"
#include "base/file.h"
#include "curves.h"
#include "flexible_bodies.h"
#include "results/csv.h"
#include "results/matrix_file.h"
#include "results_model.h"
#include "quantity.h"
#include "scene/scene_export.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct job {
  hk_results *r;
  const char *units;
  const char **name; /* channel names of the option --channels */
  char *copy;
  hk_csv_selection selection;
  int *channel, n;
} job;

/* ---- tables ---- */

static hk_status unit_of(const job *b, int channel, char text[64], double *factor, double *offset,
                         hk_error *err) {
  return tool_unit_for(b->units, hk_results_unit(b->r, channel), text, factor, offset, err);
}

static hk_status write_csv(job *b, const char *path, hk_error *err) {
  hk_csv_unit *unit = calloc((size_t)b->n, sizeof *unit);
  hk_status status = unit ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < b->n && !status; i++)
    status = unit_of(b, b->channel[i], unit[i].text, &unit[i].factor, &unit[i].offset, err);
  hk_new_file out = {0};
  if (!status) status = hk_new_file_open(&out, path, err);
  if (!status) {
    errno = 0;
    b->selection.unit = unit;
    status = hk_csv_export(b->r, out.file, &b->selection, err);
    /* If the reader has closed the pipe, it has read enough: this is not an error. */
    if (!out.path && status == HK_EIO && errno == EPIPE) status = HK_OK;
    status = hk_new_file_close(&out, status, err);
  }
  free(unit);
  return status;
}

/* Writes the matrices data [rows, channels], names and units. */
static hk_status write_mat(job *b, const char *path, hk_error *err) {
  int64_t rows = hk_results_row_count(b->r);
  if (rows > INT32_MAX / b->n / 8)
    return hk_fail(
        err, HK_EINPUT,
        "a MAT-file is limited to 2 GB, but this would be %lld MB; select fewer channels",
        (long long)(rows * b->n * 8 >> 20));
  size_t n = (size_t)b->n;
  double *data = malloc(sizeof *data * ((size_t)rows * n + 1)),
         *column = malloc(sizeof *column * (size_t)(rows + 1));
  const char **name = calloc(n, sizeof *name), **unit = calloc(n, sizeof *unit);
  char(*text)[64] = calloc(n, sizeof *text);
  hk_status status =
      data && column && name && unit && text ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
  for (size_t i = 0; i < n && !status; i++) {
    double factor, offset;
    name[i] = hk_results_name(b->r, b->channel[i]);
    unit[i] = text[i];
    status = unit_of(b, b->channel[i], text[i], &factor, &offset, err);
    if (!status && rows) status = hk_results_read_column(b->r, b->channel[i], column, err);
    for (size_t k = 0; k < (size_t)rows && !status; k++)
      data[k * n + i] = column[k] * factor + offset;
  }
  if (!status) {
    const hk_named_matrix m[] = {{"data", (int)rows, b->n, data, NULL},
                                 {"names", b->n, 0, NULL, name},
                                 {"units", b->n, 0, NULL, unit}};
    status = hk_matrix_file_write(path, m, 3, err);
  }
  free(data), free(column), free(name), free(unit), free(text);
  return status;
}

/* ---- pictures ---- */

/* Adds the flexible bodies, if the command is to draw their deformation. */
static hk_status deform(job *b, const tool_args *args, tool_flexible_bodies *bodies,
                        hk_motion *motion, hk_error *err) {
  const char *scale = tool_value(args, "deformation");
  if (!scale) return HK_OK;
  hk_status status = tool_quantity(scale, "1", "--deformation", &motion->scale, err);
  if (!status) status = tool_flexible_open(bodies, args, b->r, NULL, err);
  for (int i = 0; i < bodies->n && !status; i++) {
    const tool_flexible_body *f = &bodies->body[i];
    int column[f->data.m + 1];
    status = tool_flexible_columns(f, b->r, column, err);
    if (!status) status = hk_motion_deform(motion, b->r, f->name, &f->data, column, err);
  }
  return status;
}

static hk_status write_motion(job *b, const tool_args *args, const char *path, int64_t most,
                              hk_status (*write)(const hk_motion *, const char *, hk_error *),
                              hk_error *err) {
  hk_scene *scene;
  hk_motion motion = {0};
  tool_flexible_bodies bodies = {0};
  hk_status status = hk_scene_of_results(b->r, &scene, err);
  if (!status) status = hk_motion_read(b->r, scene, most, &motion, err);
  if (!status) status = deform(b, args, &bodies, &motion, err);
  if (!status) status = write(&motion, path, err);
  hk_motion_free(&motion);
  tool_flexible_free(&bodies);
  hk_scene_free(scene);
  return status;
}

/* ---- command ---- */

static hk_status select_channels(job *b, const tool_args *args, hk_error *err) {
  const char *list = tool_value(args, "channels");
  b->copy = list ? strdup(list) : NULL;
  b->name = calloc(list ? strlen(list) + 1 : 1, sizeof *b->name);
  if (!b->name || (list && !b->copy)) return hk_fail(err, HK_ENOMEM, "out of memory");
  b->selection = (hk_csv_selection){.name = b->name,
                                    .n_names = b->copy ? tool_split(b->copy, b->name) : 0,
                                    .regex = tool_value(args, "match")};
  return hk_csv_select(b->r, &b->selection, &b->channel, &b->n, err);
}

static hk_status write_all(job *b, const tool_args *args, hk_error *err) {
  const char *csv = tool_value(args, "csv"), *mat = tool_value(args, "mat"),
             *glb = tool_value(args, "glb"), *vtk = tool_value(args, "vtk"),
             *frames = tool_value(args, "frames");
  char *end = NULL;
  long most = frames ? strtol(frames, &end, 10) : 0;
  if (frames && (*end || most < 1))
    return hk_fail(err, HK_EINPUT, "--frames needs a number of frames, not '%s'", frames);
  if (tool_value(args, "deformation") && !vtk)
    return hk_fail(err, HK_EINPUT, "--deformation needs --vtk");
  /* Selects first, because an invalid selection must not destroy an older file. */
  hk_status status = select_channels(b, args, err);
  if (!status && mat) {
    size_t n = strlen(mat);
    if (n < 4 || strcmp(mat + n - 4, ".mat") != 0)
      status = hk_fail(err, HK_EINPUT, "the name of a MAT-file must end in .mat, but '%s' does not",
                       mat);
  }
  if (!status && csv) status = write_csv(b, csv, err);
  if (!status && mat) status = write_mat(b, mat, err);
  if (!status && glb) status = write_motion(b, args, glb, frames ? most : 2000, hk_gltf_write, err);
  if (!status && vtk) status = write_motion(b, args, vtk, frames ? most : 200, hk_vtk_write, err);
  return status;
}

static int run(const tool_args *args) {
  job b = {.units = tool_value(args, "unit")};
  hk_error err = {0};
  if (!tool_value(args, "csv") && !tool_value(args, "mat") && !tool_value(args, "glb") &&
      !tool_value(args, "vtk")) {
    tool_error(
        "no output file; use --csv FILE (\"-\": standard output), --mat FILE, --glb FILE or --vtk "
        "FILE");
    return EXIT_BAD_INPUT;
  }
  hk_status status = tool_results_open(args, 0, &b.r, &err);
  if (!status) status = write_all(&b, args, &err);
  if (status) tool_error("%s", err.text);
  hk_results_destroy(b.r);
  free(b.name), free(b.copy), free(b.channel);
  return tool_exit_code(status);
}

static const tool_option options[] = {
    {0, "csv", "FILE", "comma-separated values; \"-\": standard output", false},
    {0, "mat", "FILE.mat", "a MAT-file for MATLAB, Octave and SciPy: data, names, units", false},
    {0, "glb", "FILE.glb", "the moving mechanism as binary glTF, for slides and 3D programs",
     false},
    {0, "vtk", "FILE.pvd", "the moving mechanism as a series of VTK files, for ParaView", false},
    {0, "deformation", "SCALE",
     "with --vtk: draw flexible bodies with their deformation, larger by this factor, and their "
     "stresses",
     false},
    {0, "frames", "COUNT", "at most so many frames of the motion; 2000 for glTF, 200 for VTK",
     false},
    {0, "channels", "NAME,NAME", "these channels, in this order", false},
    {0, "match", "REGEX", "channels with names that match this POSIX extended regular expression",
     false},
    TOOL_UNIT_OPTION,
};

const tool_command tool_command_export = {
    .name = "export",
    .arguments = "RESULTS",
    .summary = "results as tables, and the mechanism for 3D programs",
    .text =
        "Writes the channels of a results file as a table: time first, one column per channel, "
        "names and "
        "units in the first line. In SI units numbers read back exactly. With --glb and --vtk it "
        "writes the "
        "mechanism and its motion, with all bodies as solids. --deformation adds the deformed "
        "surfaces of flexible bodies to --vtk, with displacement and von Mises stress at every "
        "point. A file of a run that is active or "
        "was killed gives the rows so far.\n"
        "\n"
        "Exit status: 0 written, 2 not a results file, no such channel, or the output cannot be "
        "written.\n"
        "\n"
        "Examples:\n"
        "\n"
        "  hooke export out.h5 --csv out.csv\n"
        "  hooke export out.h5 --csv - --channels bob.x,bob.y --unit mm | head\n"
        "  hooke export out.h5 --glb out.glb\n"
        "  hooke export out.h5 --vtk out.pvd --deformation 20\n",
    TOOL_OPTIONS(options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
