/* hooke view: the assembled model as a page, before any run. */
#include "browser.h"
#include "linear.h"
#include "model/model.h"
#include "report/page.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FACTS = 16, MOST_WARNINGS = 100, FACT = 300, MOST_MODES = 60 };

typedef struct view {
  tool_model model;
  hk_sim *sim; /* as shown */
  hk_static_report rest;
  hk_linear *linear;
  hk_modes modes;
  hk_scene *scene;
  hk_bytes meshes;
  hk_stance *pose, *before;
  double *row;
  hk_page_fact fact[MOST_FACTS];
  char fact_text[MOST_FACTS][FACT];
  int n_facts;
  char *warning[MOST_WARNINGS];
  int n_warnings;
  hk_page_mode *mode;
  double *shape;
  int n_modes;
} view;

static int find_channel(const void *context, const char *name) {
  return hk_model_channel_find(context, name);
}

__attribute__((format(printf, 3, 4))) static void tell(view *v, const char *name, const char *fmt,
                                                       ...) {
  if (v->n_facts == MOST_FACTS) return;
  va_list args;
  va_start(args, fmt);
  vsnprintf(v->fact_text[v->n_facts], FACT, fmt, args);
  va_end(args);
  v->fact[v->n_facts] = (hk_page_fact){name, v->fact_text[v->n_facts]};
  v->n_facts++;
}

/* ---- positions ---- */

static hk_status take_poses(view *v, hk_sim *sim, hk_stance **out, hk_error *err) {
  const hk_model *m = v->model.model;
  int n = m->n_channels;
  int *channel = malloc(sizeof *channel * (size_t)n);
  if (!v->row) v->row = malloc(sizeof *v->row * (size_t)n);
  *out = malloc(sizeof **out * ((size_t)v->scene->n_bodies + 1));
  if (!channel || !v->row || !*out) {
    free(channel);
    return hk_fail(err, HK_ENOMEM, "out of memory");
  }
  for (int i = 0; i < n; i++) channel[i] = i;
  hk_status status = hk_sim_values(sim, channel, n, v->row, err);
  free(channel);
  if (!status) hk_scene_poses(v->scene, v->row, *out);
  return status;
}

static hk_status draw_model(view *v, hk_error *err) {
  hk_status status = hk_scene_build(v->model.model, &v->scene, err);
  if (!status) status = hk_scene_write(v->scene, &v->meshes, err);
  if (!status) hk_scene_bind(v->scene, find_channel, v->model.model);
  return status;
}

static const hk_sim_options no_trials = {.no_stepping = true};

static hk_status assemble(view *v, hk_error *err) {
  hk_status status = hk_sim_create(v->model.model, &no_trials, &v->sim, &v->model.diag, err);
  return status ? status : take_poses(v, v->sim, &v->pose, err);
}

/* Finds two configurations to switch between: as placed, and at rest. */
static hk_status find_rest(view *v, hk_error *err) {
  hk_sim *start;
  hk_status status = hk_sim_create(v->model.model, &no_trials, &start, &v->model.diag, err);
  if (!status) status = take_poses(v, start, &v->before, err);
  hk_sim_destroy(status ? NULL : start);
  if (!status)
    status = hk_static_solve(v->model.model, NULL, &v->sim, &v->rest, &v->model.diag, err);
  if (!status) status = take_poses(v, v->sim, &v->pose, err);
  if (status) return status;
  tell(v, "moved from the initial position", "%.4g m, rotated by %.4g rad", v->rest.moved,
       v->rest.turned);
  tell(v, "force that is not balanced", "%.3g %s", v->rest.residual.size,
       v->rest.residual.moment ? "N m" : "N");
  return HK_OK;
}

/* ---- modes ---- */

static int body_of(const hk_scene *s, const char *name, size_t length) {
  for (int i = 0; i < s->n_bodies; i++)
    if (strlen(s->body[i].name) == length && strncmp(s->body[i].name, name, length) == 0) return i;
  return -1;
}

static hk_vec3 turned(hk_quat q, hk_vec3 v) {
  hk_mat3 R = hk_quat_matrix(q);
  return hk_mul(&R, v);
}

static hk_vec3 center_of(const view *v, int body) {
  const hk_item *item = hk_spec_find(v->model.model->spec, HK_BODY, v->scene->body[body].name);
  hk_mass_properties p = {0};
  if (item) ((const hk_body_ops *)item->type->ops)->mass(item, &p, NULL);
  return p.center;
}

/* Coordinates are displacements of centres of mass and small rotations, by name: "lower.x",
 * "lower.rz", "wheel.angle".  Converts these to displacements of the body's origin and rotations in
 * world axes, which a picture needs. */
static void shape_of(const view *v, const hk_mode *m, double *out) {
  const hk_linear *l = v->linear;
  static const char *const what[] = {"x", "y", "z", "rx", "ry", "rz"};
  for (int i = 0; i < l->n; i++) {
    char name[600];
    hk_linear_coordinate_name(l, i, name, sizeof name);
    const char *dot = strrchr(name, '.');
    int body = dot ? body_of(v->scene, name, (size_t)(dot - name)) : -1;
    if (body < 0) continue;
    if (strcmp(dot + 1, "angle") == 0) {
      hk_vec3 axis = turned(v->pose[body].q, v->scene->body[body].axis);
      const double a[3] = {axis.x, axis.y, axis.z};
      for (int k = 0; k < 3; k++)
        for (int c = 0; c < 2; c++) out[12 * body + 6 + 2 * k + c] = a[k] * m->shape[2 * i + c];
    }
    for (int k = 0; k < 6; k++)
      if (strcmp(dot + 1, what[k]) == 0)
        for (int c = 0; c < 2; c++) out[12 * body + 2 * k + c] = m->shape[2 * i + c];
  }
  for (int b = 0; b < v->scene->n_bodies; b++) {
    if (v->scene->body[b].kind != HK_POSE_FREE) continue;
    hk_vec3 arm = hk_neg(turned(v->pose[b].q, center_of(v, b)));
    for (int c = 0; c < 2; c++) {
      double *x = out + 12 * b + c;
      hk_vec3 r = hk_v3(x[6], x[8], x[10]);
      if (l->axes == HK_LINEAR_BODY_AXES) r = turned(v->pose[b].q, r);
      hk_vec3 d = hk_add(hk_v3(x[0], x[2], x[4]), hk_cross(r, arm));
      x[0] = d.x, x[2] = d.y, x[4] = d.z, x[6] = r.x, x[8] = r.y, x[10] = r.z;
    }
  }
}

static hk_status find_modes(view *v, hk_error *err) {
  hk_status status = find_rest(v, err);
  free(v->before); /* the page shows only the position about which the mode oscillates */
  v->before = NULL;
  const hk_linear_options frozen = {.frozen = true};
  if (!status) status = hk_linear_create(v->sim, &frozen, &v->linear, &v->model.diag, err);
  if (!status) status = hk_modes_solve(v->linear, NULL, &v->modes, err);
  if (status) return status;
  size_t each = 12 * (size_t)v->scene->n_bodies;
  v->mode = calloc(MOST_MODES, sizeof *v->mode);
  v->shape = calloc(MOST_MODES * (each ? each : 1), sizeof *v->shape);
  if (!v->mode || !v->shape) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < v->modes.n && v->n_modes < MOST_MODES; i++) {
    const hk_mode *m = &v->modes.mode[i];
    if (m->im < 0) continue; /* only one mode of a conjugate pair is shown */
    double *shape = v->shape + each * (size_t)v->n_modes;
    shape_of(v, m, shape);
    v->mode[v->n_modes++] = (hk_page_mode){m->re, m->im, m->frequency, m->damping, m->zero, shape};
  }
  tell(v, "modes", "%d eigenvalues, %d growing", v->modes.n, v->modes.n_unstable);
  return HK_OK;
}

/* ---- the page ---- */

static void collect(view *v) {
  const hk_model *m = v->model.model;
  hk_sim_stats s = hk_sim_statistics(v->sim);
  for (int c = 0; c < HK_ANALYSIS; c++)
    if (m->spec->n[c] && c != HK_MEASURE)
      tell(v, hk_category_section((hk_category)c), "%d", m->spec->n[c]);
  tell(v, "degrees of freedom", "%d of %d coordinates, %d constraints%s",
       m->nv - m->nc + s.redundant, m->nv, m->nc, s.redundant ? ", some of them redundant" : "");
  tell(v, "joints open by at most", "%.1g m or rad", s.constraint_error);
  const hk_diag *d = &v->model.diag;
  for (int i = 0; i < d->n && v->n_warnings < MOST_WARNINGS; i++) {
    int length =
        d->message[i].severity == HK_WARNING ? hk_diag_format(&d->message[i], NULL, 0) : -1;
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (!text) continue;
    hk_diag_format(&d->message[i], text, (size_t)length + 1);
    v->warning[v->n_warnings++] = text;
  }
}

static hk_status write_page(view *v, const char *path, const char *status_text, hk_error *err) {
  const char *slash = strrchr(v->model.path, '/');
  char *text = tool_model_text(&v->model);
  const hk_page_still still = {.scene = v->scene,
                               .meshes = &v->meshes,
                               .pose = v->pose,
                               .before = v->before,
                               .name = slash ? slash + 1 : v->model.path,
                               .title = hk_model_title(v->model.model),
                               .status = status_text,
                               .model_text = text ? text : "",
                               .override_text = v->model.set,
                               .n_overrides = v->model.n_set,
                               .fact = v->fact,
                               .n_facts = v->n_facts,
                               .warning = (const char *const *)v->warning,
                               .n_warnings = v->n_warnings,
                               .mode = v->mode,
                               .n_modes = v->n_modes};
  hk_page_run run;
  hk_status status = hk_page_still_run(&still, &run, err);
  if (!status) {
    status = hk_page_save(path, &(hk_page){HK_PAGE_VIEW, &run, 1, NULL, NULL}, err);
    hk_page_run_free(&run);
  }
  free(text);
  return status;
}

static void release(view *v) {
  hk_modes_free(&v->modes);
  hk_linear_destroy(v->linear);
  hk_sim_destroy(v->sim);
  hk_scene_free(v->scene);
  hk_bytes_free(&v->meshes);
  free(v->pose), free(v->before), free(v->row), free(v->mode), free(v->shape);
  for (int i = 0; i < v->n_warnings; i++) free(v->warning[i]);
  tool_model_free(&v->model);
}

static hk_status make(view *v, const tool_args *args, const char *path, hk_error *err) {
  bool modes = tool_flag(args, "modes"), rest = tool_flag(args, "static");
  hk_status status = draw_model(v, err);
  if (!status) status = modes ? find_modes(v, err) : rest ? find_rest(v, err) : assemble(v, err);
  if (status) return status;
  collect(v);
  return write_page(v, path, modes ? "modes" : rest ? "in equilibrium" : "assembled", err);
}

static int run(const tool_args *args) {
  static view v; /* static, because the struct is large and a program needs only one */
  hk_error err = {0};
  char temporary[4096];
  const char *output = tool_value(args, "output");
  hk_status status = tool_flag(args, "modes") ? tool_model_load_linear(&v.model, args)
                                              : tool_model_load(&v.model, args);
  if (!status && !output) status = tool_temporary_page(v.model.path, temporary, &err);
  if (!status) status = make(&v, args, output ? output : temporary, &err);
  if (status && v.model.diag.n_errors == 0 && !v.model.diag.out_of_memory)
    tool_model_failed(&v.model, &err);
  tool_print_diag(&v.model.diag, 0);
  if (!status && !output) {
    bool shown = !tool_flag(args, "no-browser") && tool_browse(temporary);
    printf("%s%s\n", tool_name(temporary), shown ? "" : ": open it in a browser");
  }
  release(&v);
  return tool_exit_code(status == HK_EFAIL || status > 0 ? HK_EINPUT : status);
}

static const tool_option options[] = {
    TOOL_SET_OPTION,
    {'o', "output", "FILE",
     "write the page to this file and do not open it; \"-\": standard output", false},
    {0, "static", NULL, "show the equilibrium position and the initial position", false},
    {0, "modes", NULL, "show the modes about the equilibrium: eigenvalues and animated mode shapes",
     false},
    {0, "no-browser", NULL, "only print the name of the page", false},
};

const tool_command tool_command_view = {
    .name = "view",
    .arguments = "MODEL",
    .summary = "show the assembled model in the browser",
    .text =
        "Reads the model file (\"-\": standard input), closes its joints and shows it as a page in "
        "3D, so that a wrong axis or position is easy to see: bodies and joints "
        "with their "
        "names and axes, degrees of freedom, warnings. Bodies are drawn with their shapes, or with "
        "default shapes of their type and joints. The page is opened with $BROWSER or xdg-open; it "
        "needs no network.\n"
        "\n"
        "Exit status: 0 shown or written, 2 the model has errors, or the page cannot be written.\n"
        "\n"
        "Examples:\n"
        "\n"
        "  hooke view pendulum.yaml\n"
        "  hooke view pendulum.yaml --modes -o modes.html\n",
    TOOL_OPTIONS(options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
