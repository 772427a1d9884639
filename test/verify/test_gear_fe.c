/* Compliance of gears by finite elements: against an independent program, against stiffnesses as a
 * function of the radius at which the body is fixed, against ISO 6336, under refinement, and with a
 * resolved contact. */
#include "verify.h"
#include "support/gear_case.h"
#include "fe/ring.h"
#include "prepare/gear_file.h"
#include <time.h>

#define REFERENCE HOOKE_SOURCE_DIR "/examples/gear_rig/compliance_reference.h5"
static const char TABLE[] = "gear_compliance";

static hk_gear_compliance must_solve(const hk_fe_gear *g, hk_arena *arena) {
  hk_gear_compliance c = {0};
  hk_error err = {0};
  if (hk_fe_gear_solve(g, arena, NULL, &c, &err)) fail_msg("%s", err.text);
  return c;
}

/* Largest relative deviation of two tables at one offset. */
static double deviation(const hk_gear_compliance *a, const hk_gear_compliance *b, int o) {
  double worst = 0;
  for (int r = 0; r < a->stations; r++)
    for (int i = 0; i < a->slices; i++)
      for (int s = 0; s < a->stations; s++)
        for (int j = 0; j < a->slices; j++)
          worst = fmax(worst, fabs(hk_gear_compliance_entry(a, o, r, i, s, j) /
                                       hk_gear_compliance_entry(b, o, r, i, s, j) -
                                   1));
  return worst;
}

static void reference_gears(void **state) {
  (void)state;
  static const char *const group[] = {"P2", "SUC"}, *const text[] = {"solid gear", "gear with web"};
  for (int web = 0; web < 2; web++) {
    hk_arena arena;
    hk_gear_compliance known;
    hk_error err = {0};
    hk_arena_init(&arena);
    hk_fe_gear g = rig_gear(web);
    clock_t begin = clock();
    hk_gear_compliance c = must_solve(&g, &arena);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    if (hk_gear_file_read(REFERENCE, group[web], false, &arena, &known, &err)) fail_msg("%s", err.text);
    vf_bound(TABLE, text[web], "loaded tooth, 75 x 75, worst", deviation(&c, &known, 0), 0.02,
             "other program, hex27");
    vf_bound(TABLE, text[web], "next tooth, 75 x 75, worst", deviation(&c, &known, 1), 0.02,
             "other program, hex27");
    vf_note(TABLE, text[web], "processor time [s]", seconds, "");
    hk_arena_free(&arena);
  }
}

/* ---- plane models: stiffness per width at the pitch point ---- */

/* Weber and Banaschek's deflection of one body under a line load w. */
static double local(double w, double h, double R, double E, double nu) {
  double E_eq = E / (1 - nu * nu), a = sqrt(8 * w * R / (M_PI * E_eq)), k = h / a;
  return 2 * w * (1 - nu * nu) / (M_PI * E) *
         (asinh(k) - nu / (1 - nu) * k * k * (sqrt(1 + 1 / (k * k)) - 1));
}

/* Along the line of action from the flank to the middle of the tooth. */
static double depth(double roll, double half_angle) {
  double phi = roll / RIG_BASE;
  return RIG_BASE * (phi - tan(phi - half_angle));
}

static const double LINE_LOAD = 2154.206 / 23e-3;

/* Slope of the local deformation of both gears at the load of the rig, at the pitch point. */
static double local_slope(const hk_fe_gear *g) {
  double T = RIG_PITCH_ROLL, h = depth(T, g->body.tooth.half_angle), w = LINE_LOAD, d = 1e-4 * w;
  return 2 * (local(w + d, h, T / 2, 210e9, 0.3) - local(w - d, h, T / 2, 210e9, 0.3)) / (2 * d);
}

/* c' of two equal gears, mean of plane strain and plane stress, fixed at this radius. */
static double single_stiffness(double bore, hk_arena *arena, const hk_fe_density *density) {
  double sum = 0;
  for (int kind = HK_FE_PLANE_STRAIN; kind <= HK_FE_PLANE_STRESS; kind++) {
    hk_fe_gear g = rig_gear(false);
    g.slices = 1, g.stations = 3, g.body.kind = kind, g.body.bore_radius = bore;
    if (density) g.density = *density;
    hk_gear_compliance c = must_solve(&g, arena);
    sum += 0.5 /
           (2 * hk_gear_compliance_entry(&c, 0, 1, 0, 1, 0) * g.body.face_width + local_slope(&g));
  }
  return sum / 1e9;
}

static void stiffness_by_hub(void **state) {
  (void)state;
  static const double bore[] = {20e-3, 30e-3, 40e-3, 50e-3}, known[] = {11.8, 14.5, 16.1, 17.6};
  hk_arena arena;
  hk_arena_init(&arena);
  for (int k = 0; k < 4; k++) {
    char text[60];
    snprintf(text, sizeof text, "c', held at r = %g mm [N/(mm um)]", 1e3 * bore[k]);
    vf_check(TABLE, "plane gears", text, single_stiffness(bore[k], &arena, NULL), known[k],
             0.05 * known[k], "other program");
  }
  /* The series of ISO describes the teeth alone, c'th; its c' for measured gears is about 0.8 of
   * that. */
  double rim = single_stiffness(66e-3, &arena, NULL);
  vf_check(TABLE, "plane gears", "c' of teeth on a rigid body", rim, 21.5, 1.5,
           "ISO 6336-1: c'th = 19.94");
  double hub = single_stiffness(33e-3, &arena, NULL);
  vf_check(TABLE, "plane gears", "c', held at r = 33 mm", hub, 15.55 * pow(LINE_LOAD / 1e5, 0.25),
           0.75, "ISO 6336-1: c' = 15.3");
  hk_arena_free(&arena);
}

static void refinement(void **state) {
  (void)state;
  static const int n[] = {4, 6, 8, 12, 16};
  hk_arena arena;
  hk_arena_init(&arena);
  double c[5];
  for (int k = 0; k < 5; k++) {
    hk_fe_density d = {
        .across = n[k], .up = n[k], .land = n[k] / 2, .rim = n[k] / 2, .growth = 1 + 3.0 / n[k]};
    c[k] = single_stiffness(20e-3, &arena, &d);
  }
  for (int k = 0; k < 4; k++) {
    char text[60];
    snprintf(text, sizeof text, "%d cells across the tooth", n[k]);
    vf_bound(TABLE, "refinement, against 16", text, fabs(c[k] / c[4] - 1), k == 0 ? 0.03 : 0.005,
             "itself");
  }
  hk_arena_free(&arena);
}

/* ---- the contact resolved ---- */

/* Increments that grow, starting with `small`: n + 1 positions from 0 to 1. */
static void graded(double small, int n, double *x) {
  double low = 1, high = 4;
  for (int i = 0; i < 80; i++) {
    double q = 0.5 * (low + high), sum = small * (pow(q, n) - 1) / (q - 1);
    *(sum > 1 ? &high : &low) = q;
  }
  x[0] = 0;
  for (int k = 0; k < n; k++) x[k + 1] = x[k] + small * pow(low, k);
  x[n] = 1;
}

enum { HALF = 14, SIDE = 16 };

typedef struct vectors {
  hk_fe_mesh m;
  const int *number;
  int n;
  double *F;
} vectors;

/* A force `share` along -n at roll length R on column line i of nodes, at radius r. */
static void push(vectors *v, int which, int i, double r, double R, double share) {
  int row;
  double at, foot, radius;
  hk_error err = {0};
  hk_fe_outline_flank(&v->m.outline, R, &radius, &foot);
  if (hk_fe_mesh_find(&v->m, i, r, &row, &at, &err)) fail_msg("%s", err.text);
  double N[3] = {0.5 * at * (at - 1), 1 - at * at, 0.5 * at * (at + 1)},
         along[3] = {1. / 6, 2. / 3, 1. / 6};
  double n[2] = {cos(foot), -sin(foot)};
  for (int k = 0; k < 3; k++)
    for (int l = 0; l < 3; l++)
      for (int d = 0; d < 2; d++)
        v->F[(size_t)which * (size_t)v->n +
             (size_t)(v->number[hk_fe_mesh_node(&v->m, i, 2 * row + k)] + 2 * l + d)] -=
            share * N[k] * along[l] * n[d];
}

/* One gear under Hertz's pressure at roll length R, with elements far smaller than the contact
 * width: the displacement of the flank, and that of the depth point. */
static void resolved(double R, double *flank, double *bulk) {
  hk_arena arena;
  hk_error err = {0};
  hk_arena_init(&arena);
  hk_fe_gear g = rig_gear(false);
  g.body.kind = HK_FE_PLANE_STRAIN;
  hk_fe_outline o;
  assert_int_equal(hk_fe_outline_make(&g.body.tooth, &o, &err), HK_OK);
  double r, foot, corner, angle, radius = R * (2 * RIG_PITCH_ROLL - R) / (2 * RIG_PITCH_ROLL);
  double a = sqrt(8 * LINE_LOAD * radius / (M_PI * (210e9 / 0.91)));
  hk_fe_outline_flank(&o, R, &r, &foot);
  hk_fe_outline_fillet(&o, 50 * M_PI / 180, &corner, &angle);
  /* Cells of a tenth of the contact's half width, growing away from it. */
  double column[2 * SIDE + 1], row[2 * HALF + 1], x[SIDE + 1],
      height = g.body.tooth.tip_radius - corner;
  double width = r * hk_fe_outline_half(&o, r), here = (r - corner) / height;
  graded(0.1 * a / width, SIDE, x);
  for (int k = 0; k <= SIDE; k++) column[2 * SIDE - k] = 1 - x[k], column[k] = x[k] - 1;
  graded(0.1 * a / (here * height), HALF, x);
  for (int k = 0; k <= HALF; k++) row[HALF - k] = here * (1 - x[k]);
  graded(0.1 * a / ((1 - here) * height), HALF, x);
  for (int k = 0; k <= HALF; k++) row[HALF + k] = here + (1 - here) * x[k];
  g.density = (hk_fe_density){
      .across = 2 * SIDE, .up = 2 * HALF, .land = 3, .rim = 6, .column = column, .row = row};
  vectors v;
  if (hk_fe_mesh_make(&g.body, &g.density, &arena, &v.m, &err)) fail_msg("%s", err.text);
  v.number = hk_fe_number(&v.m, &arena, &v.n);
  v.F = HK_NEW_ARRAY(&arena, double, 3 * (size_t)v.n);
  int edge = 2 * (v.m.tooth_first + v.m.tooth_columns),
      middle = 2 * v.m.tooth_first + v.m.tooth_columns;
  /* Along the flank ds = R/rb dR, and the pressure is (2 w / pi a) sqrt(1 - (s/a)^2): s = a sin(q). */
  enum { POINTS = 400 };
  for (int k = 0; k < POINTS; k++) {
    double q = M_PI * ((k + 0.5) / POINTS - 0.5), s = a * sin(q), at = R + s * RIG_BASE / R;
    push(&v, 0, edge, hypot(RIG_BASE, at), at, 2 * cos(q) * cos(q) / POINTS);
  }
  push(&v, 1, edge, r, R, 1);
  push(&v, 2, middle, RIG_BASE / cos(foot), R, 1);
  hk_fe_sector s;
  if (hk_fe_condense(&v.m, v.number, v.F, v.n, 3, NULL, &s, &err)) fail_msg("%s", err.text);
  hk_fe_sector_turn(&s, 2, 2 * M_PI / 57);
  double *cuts = HK_NEW_ARRAY(&arena, double, 4 * (size_t)s.n), out[3];
  if (hk_fe_ring_solve(&s, 57, 1, 1, NULL, cuts, &err)) fail_msg("%s", err.text);
  for (int k = 1; k < 3; k++) {
    out[k] = s.work[k];
    for (int i = 0; i < 2 * s.n; i++)
      out[k] += s.cut_force[(size_t)k * 2 * (size_t)s.n + (size_t)i] * cuts[s.n + i];
    out[k] *= LINE_LOAD * g.body.face_width;
  }
  *flank = out[1], *bulk = out[2];
  hk_fe_sector_free(&s);
  hk_arena_free(&arena);
}

static void bulk_and_local(void **state) {
  (void)state;
  static const double place[] = {-4e-3, 0, 4e-3};
  hk_arena arena;
  hk_arena_init(&arena);
  hk_fe_gear g = rig_gear(false);
  g.body.kind = HK_FE_PLANE_STRAIN;
  g.slices = 1;
  hk_gear_compliance c = must_solve(&g, &arena);
  for (int k = 0; k < 3; k++) {
    double R = RIG_PITCH_ROLL + place[k], flank, bulk, C = 0;
    double radius = R * (2 * RIG_PITCH_ROLL - R) / (2 * RIG_PITCH_ROLL);
    resolved(R, &flank, &bulk);
    hk_gear_touch touch = {.roll = R};
    hk_gear_compliance_locate(&c, &touch, 1);
    hk_gear_compliance_add(&c, &touch, 1, &C, NULL);
    double near = local(LINE_LOAD, depth(R, g.body.tooth.half_angle), radius, 210e9, 0.3);
    double table = C * LINE_LOAD * g.body.face_width;
    char text[60];
    snprintf(text, sizeof text, "xi = %g mm: bulk [um]", 1e3 * place[k]);
    vf_check(TABLE, "contact resolved", text, 1e6 * table, 1e6 * bulk, 0.01e6 * bulk,
             "fine mesh, Hertz pressure");
    snprintf(text, sizeof text, "xi = %g mm: bulk + local [um]", 1e3 * place[k]);
    vf_check(TABLE, "contact resolved", text, 1e6 * (table + near), 1e6 * flank, 0.03e6 * flank,
             "fine mesh, Hertz pressure");
  }
  hk_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reference_gears), cmocka_unit_test(stiffness_by_hub),
      cmocka_unit_test(refinement), cmocka_unit_test(bulk_and_local)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
