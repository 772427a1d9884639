/* hooke reduce: output of the result as a table and as JSON. */
#include "json.h"
#include "reduce.h"
#include <math.h>
#include <string.h>

static const char *kind(const hk_part_interface *b) {
  return b->observed ? "observe" : b->average ? "average" : "rigid";
}

static double hertz(double w2) { return sqrt(fmax(0, w2)) / (2 * M_PI); }

static void list(FILE *out, const char *title, const double *w2, int n) {
  enum { SHOWN = 12 };
  fprintf(out, "%-34s", title);
  for (int k = 0; k < n && k < SHOWN; k++) fprintf(out, " %.6g", hertz(w2[k]));
  fprintf(out,
          n > SHOWN ? " ... %.6g Hz (%d)\n"
          : n       ? " Hz\n"
                    : " none\n",
          n ? hertz(w2[n - 1]) : 0, n);
}

/* Half of the highest frequency with held interfaces: up to this frequency the modes are accurate. */
static double valid_to(const tool_reduce *r) {
  return r->data.n_fixed > 0 ? 0.5 * hertz(r->data.fixed_w2[r->data.n_fixed - 1]) : 0;
}

/* Upper end of the frequency range for which the error is printed. */
static double error_limit(const tool_reduce *r) {
  return r->error > 0 ? r->frequency : valid_to(r);
}

/* Largest relative change of the free frequencies below this limit when half of the fixed modes are omitted. */
static double worst_change(const tool_reduce *r, int *modes) {
  double worst = 0;
  *modes = 0;
  for (int k = 0; k < r->data.m && hertz(r->data.w2[k]) <= error_limit(r); k++) {
    ++*modes;
    double half = r->report.half_hz[k];
    worst = isnan(half) ? INFINITY : fmax(worst, half / hertz(r->data.w2[k]) - 1);
  }
  return worst;
}

void tool_reduce_print(const tool_reduce *r, FILE *out) {
  const hk_flexible_data *d = &r->data;
  const hk_reduce_report *p = &r->report;
  fprintf(out, "%-34s %d nodes", "part", r->mesh.n_nodes);
  if (r->has_mesh) fprintf(out, ", %d elements", r->mesh.n_elements);
  fprintf(out, ", %.4g x %.4g x %.4g m\n", p->size[0], p->size[1], p->size[2]);
  fprintf(out, "%-34s %.9g kg\n", "mass", d->mass);
  fprintf(out, "%-34s %.9g, %.9g, %.9g m\n", "centre of mass", d->center.x, d->center.y,
          d->center.z);
  fprintf(out, "%-34s %.9g, %.9g, %.9g kg m^2\n", "inertia xx, yy, zz", d->J0.m[0][0],
          d->J0.m[1][1], d->J0.m[2][2]);
  fprintf(out, "%-34s %.9g, %.9g, %.9g kg m^2\n", "inertia xy, yz, zx", d->J0.m[0][1],
          d->J0.m[1][2], d->J0.m[2][0]);
  for (int i = 0; i < r->n_read; i++) {
    const hk_part_interface *b = &r->interface[i];
    char title[100];
    snprintf(title, sizeof title, "interface %s", b->name);
    fprintf(out, "%-34s %s, %d nodes, centre %.6g, %.6g, %.6g m\n", title, kind(b), b->n,
            b->center[0], b->center[1], b->center[2]);
  }
  fprintf(out, "%-34s", "six rigid motions (should be 0)");
  for (int k = 0; k < 6; k++) fprintf(out, " %.1e", p->rigid_hz[k]);
  fprintf(out, " Hz\n");
  list(out, "modes with held interfaces", d->fixed_w2, d->n_fixed);
  list(out, "modes of the free body", d->w2, d->m);
  int modes;
  double worst = worst_change(r, &modes);
  if (modes && isfinite(worst))
    fprintf(out,
            "%-34s below %.2g %% in the %d modes up to %.4g Hz (change by half of the %d modes)\n",
            "error of free frequencies", 100 * worst, modes, error_limit(r), d->n_fixed);
  if (d->n_fixed)
    fprintf(out, "%-34s about %.4g Hz, half of the highest frequency with held interfaces\n",
            "valid up to", valid_to(r));
  fprintf(out, "%-34s %s\n", "stiffening by stress", d->K ? "yes" : "no");
}

static void numbers(hk_json *j, const char *key, const double *v, int n) {
  hk_json_open(j, key, '[');
  for (int i = 0; i < n; i++) hk_json_real(j, NULL, v[i]);
  hk_json_close(j, ']');
}

static void frequencies(hk_json *j, const char *key, const double *w2, int n) {
  hk_json_open(j, key, '[');
  for (int i = 0; i < n; i++) hk_json_real(j, NULL, hertz(w2[i]));
  hk_json_close(j, ']');
}

void tool_reduce_json(const tool_reduce *r, FILE *out) {
  const hk_flexible_data *d = &r->data;
  hk_json j = {.out = out};
  hk_json_open(&j, NULL, '{');
  hk_json_text(&j, "status", "ok");
  hk_json_int(&j, "nodes", r->mesh.n_nodes);
  hk_json_int(&j, "elements", r->mesh.n_elements);
  numbers(&j, "size", r->report.size, 3);
  hk_json_real(&j, "mass", d->mass);
  numbers(&j, "center", &d->center.x, 3);
  numbers(&j, "inertia", &d->J0.m[0][0], 9);
  numbers(&j, "rigid_frequencies", r->report.rigid_hz, 6);
  frequencies(&j, "fixed_frequencies", d->fixed_w2, d->n_fixed);
  frequencies(&j, "free_frequencies", d->w2, d->m);
  numbers(&j, "half_frequencies", r->report.half_hz, r->report.n_free);
  hk_json_real(&j, "valid_to", valid_to(r));
  hk_json_open(&j, "interfaces", '{');
  for (int i = 0; i < r->n_read; i++) {
    hk_json_open(&j, r->interface[i].name, '{');
    hk_json_text(&j, "kind", kind(&r->interface[i]));
    hk_json_int(&j, "nodes", r->interface[i].n);
    numbers(&j, "center", r->interface[i].center, 3);
    hk_json_close(&j, '}');
  }
  hk_json_close(&j, '}');
  hk_json_close(&j, '}');
  fputc('\n', out);
}
