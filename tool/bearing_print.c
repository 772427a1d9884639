/* hooke bearing: tables and JSON. */
#include "bearing.h"
#include "json.h"
#include <math.h>

static const double DEG = 180 / M_PI, RPM = 30 / M_PI;

static void print_element(const tool_bearing *b, int i, FILE *out) {
  const hk_bearing *p = &b->s.made->bearing;
  const hk_bearing_element *e = &b->s.element[i];
  const hk_bearing_contact *c = &b->s.contact[i];
  if (p->rows > 1) fprintf(out, "  %3d", i / p->n);
  fprintf(out, "  %3d %8.2f %12.6g %12.6g %9.4f %9.4f %9.4g %9.4g", i % p->n,
          DEG * (b->s.task.cage + 2 * M_PI * (i % p->n) / p->n), e->Q_i, e->Q_o, DEG * e->angle_i,
          DEG * e->angle_o, 1e-9 * c->pressure[0], 1e-9 * c->pressure[1]);
  if (b->s.made->oil.viscosity > 0)
    fprintf(out, " %9.4g %9.4g", 1e6 * c->film[0], 1e6 * c->film[1]);
  if (c->truncated[0] > 0 || c->truncated[1] > 0) fprintf(out, "  beyond the shoulder");
  putc('\n', out);
}

static void print_life(const tool_bearing *b, FILE *out) {
  if (!(b->s.made->rating > 0)) return;
  double turns = fabs(b->s.task.speed.inner) / (2 * M_PI) * 3600;
  if (b->s.catalogue.L10 > 0)
    fprintf(out,
            "\ncatalogue life: L10 %.6g million revolutions (C %.6g N, P %.6g N, X %.3g, Y %.3g)",
            b->s.catalogue.L10, b->s.catalogue.rating, b->s.catalogue.equivalent, b->s.catalogue.X,
            b->s.catalogue.Y);
  fprintf(out, "\nlife: L10r %.6g million revolutions", b->s.life.L10r);
  if (turns > 0) fprintf(out, " (%.5g h)", 1e6 * b->s.life.L10r / turns);
  fprintf(out, ", reference load %.6g N\n", b->s.life.equivalent);
  fprintf(out, "  aligned: L10r %.6g million revolutions\n", b->s.aligned.L10r);
  if (b->s.oil.kappa > 0 && b->s.oil.fatigue_load > 0)
    fprintf(out, "  L10mr %.6g million revolutions (viscosity ratio %.4g, a_ISO %.4g)\n",
            b->s.life.L10mr, b->s.oil.kappa, b->s.life.a_iso);
  if (!isnan(b->duty_life))
    fprintf(out, "  over the duty cycle %.6g million revolutions\n", b->duty_life);
}

/* Displacements and stiffnesses that are only round-off compared with those of the other
 * directions are printed as 0. */
static double displacement(const double q[6], int i) {
  const int first = i < 3 ? 0 : 3;
  double most = 0;
  for (int j = first; j < first + 3; j++) most = fmax(most, fabs(q[j]));
  return fabs(q[i]) > 1e-9 * most ? q[i] : 0;
}

/* The rotation about the axis has hardly any stiffness; the tilting stiffness is used as the
 * scale for both. */
static double stiffness(const double K[6][6], int i, int j) {
  double size[2] = {0, 0};
  for (int k = 0; k < 6; k++) size[k / 3] = fmax(size[k / 3], fabs(K[k][k]));
  return fabs(K[i][j]) > 1e-11 * sqrt(size[i / 3] * size[j / 3]) ? K[i][j] : 0;
}

void tool_bearing_table(const tool_bearing *b, FILE *out) {
  static const char *const NAME[6] = {"Fx", "Fy", "Fz", "Mx", "My", "Mz"};
  const hk_bearing *p = &b->s.made->bearing;
  const hk_bearing_task *t = &b->s.task;
  const double *q = b->s.balance.q;
  const bool rollers = hk_bearing_has_rollers(p);
  hk_bearing_frequencies f = hk_bearing_frequencies_at(p, hk_bearing_state_angle(&b->s));
  double hz = fabs(t->speed.inner) / (2 * M_PI);
  fprintf(out, "%s: %d %s in %d row%s, mounted clearance %.4g um", b->force->name, p->n,
          rollers ? "rollers" : "balls", p->rows, p->rows > 1 ? "s" : "", 1e6 * p->clearance);
  if (p->preload_displacement != 0)
    fprintf(out, ", preload displacement %.5g um", 1e6 * p->preload_displacement);
  if (!rollers)
    fprintf(out, "\n  K inner %.6g, outer %.6g, both %.6g N/m^1.5; ellipse ratio %.5g, %.5g",
            p->ball.K_i, p->ball.K_o, p->ball.K_n, p->hertz[0].half_s / p->hertz[0].half_t,
            p->hertz[1].half_s / p->hertz[1].half_t);
  fprintf(out, "\n\nload (%.6g, %.6g, %.6g) N, (%.6g, %.6g) N m at %.6g rpm\n", t->load[0],
          t->load[1], t->load[2], t->load[3], t->load[4], t->speed.inner * RPM);
  fprintf(out, "  displacement (%.6g, %.6g, %.6g) um, tilt (%.6g, %.6g) mrad\n\n",
          1e6 * displacement(q, 0), 1e6 * displacement(q, 1), 1e6 * displacement(q, 2),
          1e3 * displacement(q, 3), 1e3 * displacement(q, 4));
  if (p->rows > 1) fprintf(out, "  row");
  fprintf(out, "  %3s %8s %12s %12s %9s %9s %9s %9s", "", "at deg", "inner N", "outer N",
          "inner deg", "outer deg", "inner GPa", "outer GPa");
  if (b->s.made->oil.viscosity > 0) fprintf(out, " %9s %9s", "inner um", "outer um");
  putc('\n', out);
  for (int i = 0; i < p->rows * p->n; i++) print_element(b, i, out);
  const double most = rollers ? 4e9 : 4.2e9; /* ISO 76 */
  double highest = 0, film = hk_bearing_state_film(&b->s);
  for (int i = 0; i < p->rows * p->n; i++)
    highest = fmax(highest, fmax(b->s.contact[i].pressure[0], b->s.contact[i].pressure[1]));
  if (highest > most)
    fprintf(out,
            "  the largest pressure is %.4g GPa: above %.2g GPa races keep dents (static limit of "
            "ISO 76)\n",
            1e-9 * highest, 1e-9 * most);
  if (film > 0) fprintf(out, "  smallest film %.4g um", 1e6 * film);
  if (film > 0 && b->s.made->oil.roughness > 0)
    fprintf(out, ", lambda %.4g", film / b->s.made->oil.roughness);
  if (film > 0) putc('\n', out);
  fprintf(out, "\nstiffness (N/m, N/rad, N m/rad)\n");
  for (int i = 0; i < 6; i++) {
    fprintf(out, "  %s", NAME[i]);
    for (int j = 0; j < 6; j++) fprintf(out, " %13.6g", stiffness(b->s.balance.K, i, j) + 0.0);
    putc('\n', out);
  }
  if (b->n_natural > 0) {
    fprintf(out, "natural frequencies of body '%s' (%.4g kg) on this bearing alone:", b->body,
            b->mass);
    for (int i = 0; i < b->n_natural; i++) fprintf(out, "%s %.5g", i ? "," : "", b->natural[i]);
    fprintf(out, " Hz\n");
  }
  fprintf(out, "\nper revolution: cage %.6f, outer race %.6f, inner race %.6f, element %.6f\n",
          f.cage, f.outer, f.inner, f.element);
  if (hz > 0)
    fprintf(out, "  FTF %.6g, BPFO %.6g, BPFI %.6g, BSF %.6g Hz\n", hz * f.cage, hz * f.outer,
            hz * f.inner, hz * f.element);
  print_life(b, out);
}

static void json_elements(tool_json *j, const tool_bearing *b) {
  const hk_bearing *p = &b->s.made->bearing;
  tool_json_open(j, "elements", '[');
  for (int i = 0; i < p->rows * p->n; i++) {
    const hk_bearing_element *e = &b->s.element[i];
    tool_json_open(j, NULL, '{');
    tool_json_int(j, "row", i / p->n);
    tool_json_real(j, "load_inner", e->Q_i);
    tool_json_real(j, "load_outer", e->Q_o);
    tool_json_real(j, "angle_inner", e->angle_i);
    tool_json_real(j, "angle_outer", e->angle_o);
    hk_json_reals(j, "pressure", b->s.contact[i].pressure, 2);
    hk_json_reals(j, "film", b->s.contact[i].film, 2);
    tool_json_bool(j, "truncated",
                   b->s.contact[i].truncated[0] > 0 || b->s.contact[i].truncated[1] > 0);
    tool_json_close(j, '}');
  }
  tool_json_close(j, ']');
}

void tool_bearing_json(const tool_bearing *b) {
  const hk_bearing *p = &b->s.made->bearing;
  hk_bearing_frequencies f = hk_bearing_frequencies_at(p, hk_bearing_state_angle(&b->s));
  tool_json j = {.out = stdout};
  double film = hk_bearing_state_film(&b->s), rough = b->s.made->oil.roughness;
  tool_json_open(&j, NULL, '{');
  tool_json_text(&j, "status", "ok");
  tool_json_text(&j, "bearing", b->force->name);
  tool_json_real(&j, "clearance", p->clearance);
  tool_json_real(&j, "preload_displacement", p->preload_displacement);
  hk_json_reals(&j, "load", b->s.task.load, 6);
  tool_json_real(&j, "speed", b->s.task.speed.inner);
  hk_json_reals(&j, "displacement", b->s.balance.q, 6);
  tool_json_open(&j, "stiffness", '[');
  for (int i = 0; i < 6; i++) hk_json_reals(&j, NULL, b->s.balance.K[i], 6);
  tool_json_close(&j, ']');
  if (b->n_natural > 0) hk_json_reals(&j, "natural_frequencies", b->natural, b->n_natural);
  tool_json_open(&j, "frequencies", '{');
  tool_json_real(&j, "cage", f.cage);
  tool_json_real(&j, "outer", f.outer);
  tool_json_real(&j, "inner", f.inner);
  tool_json_real(&j, "element", f.element);
  tool_json_close(&j, '}');
  tool_json_real(&j, "film_min", film);
  tool_json_real(&j, "lambda", rough > 0 ? film / rough : 0);
  if (b->s.made->rating > 0) {
    tool_json_open(&j, "life", '{');
    if (b->s.catalogue.L10 > 0) {
      tool_json_real(&j, "L10", b->s.catalogue.L10);
      tool_json_real(&j, "equivalent_load", b->s.catalogue.equivalent);
    }
    tool_json_real(&j, "L10r", b->s.life.L10r);
    tool_json_real(&j, "L10r_aligned", b->s.aligned.L10r);
    tool_json_real(&j, "L10mr", b->s.life.L10mr);
    tool_json_real(&j, "a_iso", b->s.life.a_iso);
    tool_json_real(&j, "reference_load", b->s.life.equivalent);
    if (!isnan(b->duty_life)) tool_json_real(&j, "duty", b->duty_life);
    tool_json_close(&j, '}');
  }
  json_elements(&j, b);
  tool_json_close(&j, '}');
  putchar('\n');
}
