/* The load spectrum of a REXS file as a study. */
#include "rexs/gearbox.h"
#include "base/number.h"
#include "base/safe_text.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *hk_rexs_flank(double torque) {
  return torque == 0 ? "centered" : torque > 0 ? "forward" : "backward";
}

static void add_item(hk_rexs_column *out, int *n, const char *item, int id, const char *key,
                     const char *unit, double value) {
  snprintf(out[*n].name, sizeof out[*n].name, "%s_%d.%s", item, id, key);
  out[*n].unit = unit;
  out[(*n)++].value = value;
}

/* Values other than loads and speeds that depend on the load case: the directions that bearings
 * support, stiffnesses at the operating point, the flanks that carry the load, the temperature
 * of the oil. */
static int list_conditions(const hk_rexs_gearbox *b, hk_rexs_column *out, int n) {
  for (int i = 0; i < b->n_supports; i++) {
    const hk_rexs_support *p = &b->support[i];
    if (p->coupling) continue;
    add_item(out, &n, "bearing", p->c->id, "radial_stiffness", "N/m", p->radial);
    add_item(out, &n, "bearing", p->c->id, "axial_stiffness", "N/m", p->axial);
  }
  for (int i = 0; i < b->n_meshes; i++) {
    const hk_rexs_mesh *m = &b->mesh[i];
    add_item(out, &n, "stage", m->c->id, "initial_mesh", NULL, (m->torque > 0) - (m->torque < 0));
  }
  snprintf(out[n].name, sizeof out[n].name, "oil.viscosity");
  out[n].unit = "Pa*s";
  out[n++].value = b->viscosity;
  return n;
}

int hk_rexs_list_columns(const hk_rexs_gearbox *b, hk_rexs_column *out) {
  static const char AXES[] = "xyz";
  int n = 0;
  for (int i = 0; i < b->n_loads; i++)
    for (int turning = 0; turning < 2; turning++)
      for (int k = 0; k < 3; k++) {
        const hk_rexs_load *l = &b->load[i];
        snprintf(out[n].name, sizeof out[n].name, "%s_%d_%c", turning ? "torque" : "force",
                 l->c->id, AXES[k]);
        out[n].unit = turning ? "N*m" : "N";
        out[n++].value = turning ? (k == 2 && l->balances ? 0 : l->torque[k]) : l->force[k];
      }
  for (int i = 0; i < b->n_shafts; i++) {
    if (b->shaft[i].root != i) continue;
    snprintf(out[n].name, sizeof out[n].name, "speed_%d", b->shaft[i].c->id);
    out[n].unit = "rpm";
    out[n++].value = b->shaft[i].speed * 30 / M_PI;
  }
  return list_conditions(b, out, n);
}

void hk_rexs_mark_loads(hk_rexs_gearbox *b, const hk_rexs_column *table, int n_cases) {
  for (int i = 0; i < b->n_loads; i++)
    for (int k = 0; k < 3; k++)
      for (int c = 0; c < n_cases; c++) {
        const hk_rexs_column *of = table + (size_t)c * HK_REXS_MAX_COLUMNS + 6 * i;
        b->load[i].has_force[k] |= of[k].value != 0;
        b->load[i].has_torque[k] |= of[3 + k].value != 0;
      }
}

char *hk_rexs_write_study(const hk_rexs_file *f, const hk_rexs_column *table, const double *share,
                          int n_columns, const char *model) {
  char *text = NULL, line[200];
  const int n_cases = hk_rexs_case_count(f);
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) return NULL;
  fputs("# The load spectrum: one variant for each load case, in the order of the file.\n", out);
  const hk_rexs_case *at = f->load_case;
  for (int k = 0; k < n_cases; k++, at = at->next) {
    char name[100];
    hk_safe_text(at->name, name, sizeof name);
    hk_number_print(line, sizeof line, "#   case %s: %.6g %% of the time\n", name, 100 * share[k]);
    fputs(line, out);
  }
  fputs("format: 1\nmodel: ", out);
  hk_put_yaml_text(out, model);
  fputs("\naxes:\n", out);
  int varying[HK_REXS_MAX_COLUMNS], n = 0;
  for (int c = 0; c < n_columns; c++) {
    bool varies = false;
    for (int k = 1; k < n_cases; k++)
      varies |= table[(size_t)k * HK_REXS_MAX_COLUMNS + (size_t)c].value != table[c].value;
    if (varies) varying[n++] = c;
  }
  for (int i = 0; i < n; i++) {
    fprintf(out, "  %s: [", table[varying[i]].name);
    for (int k = 0; k < n_cases; k++) {
      const hk_rexs_column *v = &table[(size_t)k * HK_REXS_MAX_COLUMNS + (size_t)varying[i]];
      if (v->unit)
        hk_number_print(line, sizeof line, "%s%.12g %s", k ? ", " : "", v->value, v->unit);
      else
        snprintf(line, sizeof line, "%s%s", k ? ", " : "", hk_rexs_flank(v->value));
      fputs(line, out);
    }
    fputs("]\n", out);
  }
  if (n > 1) {
    fputs("zip: [[", out);
    for (int i = 0; i < n; i++) fprintf(out, "%s%s", i ? ", " : "", table[varying[i]].name);
    fputs("]]\n", out);
  }
  if (fclose(out)) {
    free(text);
    return NULL;
  }
  if (n) return text;
  free(text); /* all cases are the same */
  return NULL;
}
