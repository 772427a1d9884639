/* A REXS file as a model file: see import.h. */
#include "rexs/import.h"
#include "rexs/gearbox.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- unit and lubricant ---- */

static void read_gravity(hk_rexs_gearbox *b, hk_rexs_component *unit) {
  hk_rexs_source *s = &b->s;
  double uvw[3] = {0}, size = 9.81;
  if (!hk_rexs_flag(s, unit, "account_for_gravity", false)) return;
  hk_rexs_number(s, unit, "direction_vector_gravity_u", HK_REXS_DIRECTION, &uvw[0]);
  hk_rexs_number(s, unit, "direction_vector_gravity_v", HK_REXS_DIRECTION, &uvw[1]);
  hk_rexs_number(s, unit, "direction_vector_gravity_w", HK_REXS_DIRECTION, &uvw[2]);
  hk_rexs_number(s, unit, "gravitational_acceleration", HK_REXS_ACCELERATION, &size);
  const double n = sqrt(uvw[0] * uvw[0] + uvw[1] * uvw[1] + uvw[2] * uvw[2]);
  if (!(n > 0)) {
    hk_rexs_note(s, unit, "gravity has no direction and is ignored");
    return;
  }
  const double xyz[3] = {uvw[1], uvw[2], uvw[0]};
  for (int i = 0; i < 3; i++) b->gravity[i] = size * xyz[i] / n;
}

/* Kinematic viscosity by Walther's equation (ASTM D341), from its values at two temperatures in mm^2/s. */
static double walther(double v40, double v100, double celsius) {
  const double y40 = log10(log10(v40 + 0.7)), y100 = log10(log10(v100 + 0.7));
  const double x40 = log10(313.15), x100 = log10(373.15), x = log10(273.15 + celsius);
  return pow(10, pow(10, y40 + (y100 - y40) * (x - x40) / (x100 - x40))) - 0.7;
}

static void read_lubricant(hk_rexs_gearbox *b) {
  hk_rexs_source *s = &b->s;
  hk_rexs_component *oil = NULL;
  double v40, v100, density = 880, temperature = 70;
  bool warm = false;
  for (hk_rexs_component *c = s->file->component; c && !s->status; c = c->next) {
    if (strcmp(c->type, "lubricant") == 0) {
      if (oil)
        hk_rexs_note(s, c, "only one lubricant is used for all teeth: that of component %d",
                     oil->id);
      if (!oil) oil = c;
    }
    if (strcmp(c->type, "gear_casing") == 0 || strcmp(c->type, "cylindrical_stage") == 0) {
      double found;
      if (!warm && hk_rexs_number(s, c, "temperature_lubricant", HK_REXS_TEMPERATURE, &found))
        temperature = found, warm = true;
    }
  }
  if (!oil || s->status) return;
  if (!hk_rexs_number(s, oil, "viscosity_at_40_degree_celsius", HK_REXS_VISCOSITY, &v40) ||
      !hk_rexs_number(s, oil, "viscosity_at_100_degree_celsius", HK_REXS_VISCOSITY, &v100) ||
      !(v40 > v100) || !(v100 > 1e-6)) {
    hk_rexs_note(s, oil, "it has no pair of viscosities at 40 and 100 C: the teeth are dry");
    return;
  }
  if (!hk_rexs_number(s, oil, "density_at_15_degree_celsius", HK_REXS_DENSITY, &density))
    hk_rexs_note(s, oil, "density_at_15_degree_celsius is missing; assumed: 880 kg/m^3");
  if (!warm) hk_rexs_note(s, oil, "temperature_lubricant is missing; assumed: 70 C");
  if (temperature < -60 || temperature > 300) {
    hk_rexs_fail(s, oil, "a temperature of %.6g C is not possible", temperature);
    return;
  }
  /* thermal expansion of mineral oil: about 6.5e-4 per kelvin */
  b->viscosity = 1e-6 * walther(1e6 * v40, 1e6 * v100, temperature) * density *
                 (1 - 6.5e-4 * (temperature - 15));
  b->temperature = temperature;
  hk_rexs_note(s, oil, "its pressure-viscosity coefficient is assumed: 2e-8 1/Pa");
}

/* Rejects components that the model cannot contain. */
static void refuse_types(hk_rexs_gearbox *b) {
  static const char *const REFUSED[] = {"planetary_stage", "planet_carrier", "side_plate",
                                        "bevel_stage",     "worm_stage",     "beveloid_stage"};
  for (const hk_rexs_component *c = b->s.file->component; c; c = c->next)
    for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++)
      if (strcmp(c->type, REFUSED[i]) == 0)
        hk_rexs_fail(&b->s, c,
                     "this type cannot be imported: only cylindrical stages with fixed axes can");
}

hk_status hk_rexs_gearbox_read(hk_rexs_gearbox *b) {
  hk_rexs_source *s = &b->s;
  hk_rexs_component *unit = s->file->component;
  while (unit && strcmp(unit->type, "gear_unit") != 0) unit = unit->next;
  if (!unit) hk_rexs_fail(s, NULL, "the file has no gear_unit");
  if (unit && !s->status) {
    hk_rexs_pose_of(b, unit);
    read_gravity(b, unit);
    if (hk_rexs_number(s, unit, "operating_time_fraction", HK_REXS_NUMBER, &b->share) &&
        b->share > 1)
      b->share /= 100;
  }
  if (!s->status) refuse_types(b);
  if (!s->status) hk_rexs_read_shafts(b);
  if (!s->status) hk_rexs_read_gears(b);
  if (!s->status) hk_rexs_read_supports(b);
  if (!s->status) hk_rexs_read_loads(b);
  if (!s->status) read_lubricant(b);
  if (!s->status) hk_rexs_drive(b);
  for (hk_rexs_component *c = s->file->component; c; c = c->next)
    if (strcmp(c->type, "gear_casing") == 0) c->used = true;
  return s->status;
}

/* ---- load cases ---- */

enum { MAX_CASES = 2000 };

static void free_notes(hk_rexs_source *s) {
  for (int i = 0; i < s->n_notes; i++) free(s->note[i]);
  free(s->note);
  s->note = NULL;
  s->n_notes = 0;
}

typedef struct job {
  hk_rexs_file *file;
  const hk_rexs_options *options;
  hk_rexs_gearbox *chosen; /* the load case that the model contains */
  hk_rexs_column *table;   /* [cases][HK_REXS_MAX_COLUMNS] */
  double *share;
  int n_columns;
  bool same; /* true: all cases have the same columns */
} job;

static hk_status read_case(job *j, const hk_rexs_case *k, int index, bool chosen, hk_error *err) {
  hk_rexs_gearbox *b = calloc(1, sizeof *b);
  if (!b) return hk_fail(err, HK_ENOMEM, "out of memory");
  b->s = (hk_rexs_source){.file = j->file, .load_case = k, .err = err};
  hk_status status = hk_rexs_gearbox_read(b);
  if (!status) {
    const int n = hk_rexs_list_columns(b, j->table + (size_t)index * HK_REXS_MAX_COLUMNS);
    if (index && n != j->n_columns) j->same = false;
    j->n_columns = n;
    j->share[index] = b->share;
  }
  if (chosen && !status) {
    j->chosen = b;
  } else {
    free_notes(&b->s);
    free(b);
  }
  return status;
}

static hk_status read_cases(job *j, hk_error *err) {
  const char *wanted = j->options->load_case;
  const int n = hk_rexs_case_count(j->file);
  if (n > MAX_CASES)
    return hk_fail(err, HK_EINPUT, "it has %d load cases; at most %d are read", n, MAX_CASES);
  j->table = calloc((size_t)(n ? n : 1) * HK_REXS_MAX_COLUMNS, sizeof *j->table);
  j->share = calloc((size_t)(n ? n : 1), sizeof *j->share);
  if (!j->table || !j->share) return hk_fail(err, HK_ENOMEM, "out of memory");
  j->same = true;
  hk_status status = HK_OK;
  int i = 0;
  for (const hk_rexs_case *k = j->file->load_case; k && !status; k = k->next, i++)
    status = read_case(j, k, i, !j->chosen && (!wanted || strcmp(wanted, k->name) == 0), err);
  if (!status && !n && !wanted) status = read_case(j, NULL, 0, true, err);
  if (!status && !j->chosen)
    status = hk_fail(err, HK_EINPUT, "there is no load case '%.60s'; the file has %d: %.60s%s",
                     wanted, n, n ? j->file->load_case->name : "none", n > 1 ? ", ..." : "");
  return status;
}

static hk_status translate(hk_rexs_file *f, const char *name, const hk_rexs_options *options,
                           hk_rexs_result *out, hk_error *err) {
  job j = {.file = f, .options = options};
  hk_status status = read_cases(&j, err);
  if (!status) {
    const int n = hk_rexs_case_count(f);
    hk_rexs_gearbox *b = j.chosen;
    hk_rexs_mark_loads(b, j.table, n ? n : 1);
    if (!j.same)
      hk_rexs_note(&b->s, NULL,
                   "the load cases contain the speeds of different shafts: no study is written");
    out->model = hk_rexs_write_model(b, name);
    if (options->model && n > 1 && j.same)
      out->study = hk_rexs_write_study(f, j.table, j.share, j.n_columns, options->model);
    if (!out->model) status = hk_fail(err, HK_ENOMEM, "out of memory");
    out->note = b->s.note;
    out->n_notes = b->s.n_notes;
    if (b->s.status) status = b->s.status;
  }
  free(j.chosen);
  free(j.table);
  free(j.share);
  return status;
}

hk_status hk_rexs_import(const char *path, const hk_rexs_options *options, hk_rexs_result *out,
                         hk_error *err) {
  hk_rexs_file f;
  memset(out, 0, sizeof *out);
  hk_status status = hk_rexs_file_read(&f, path, err);
  const char *name = strrchr(path, '/');
  if (!status) status = translate(&f, name ? name + 1 : path, options, out, err);
  hk_rexs_file_free(&f);
  return status;
}

hk_status hk_rexs_import_text(char *text, size_t size, const hk_rexs_options *options,
                              hk_rexs_result *out, hk_error *err) {
  hk_rexs_file f;
  memset(out, 0, sizeof *out);
  hk_status status = hk_rexs_file_parse(&f, text, size, err);
  if (!status) status = translate(&f, "a text", options, out, err);
  hk_rexs_file_free(&f);
  return status;
}

void hk_rexs_result_free(hk_rexs_result *r) {
  free(r->model);
  free(r->study);
  for (int i = 0; i < r->n_notes; i++) free(r->note[i]);
  free(r->note);
  memset(r, 0, sizeof *r);
}
