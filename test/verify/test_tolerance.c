/* Errors follow the tolerance: all examples and the models of test/tolerance, with every adaptive stepper that takes them,
 * at rtol 1e-4 to 1e-12, for positions, velocities and forces, at the ends of steps and between them.
 *
 * The error of a run after N steps is at most about
 *
 *   promise = N kappa (rtol + contact)
 *
 * because a step may displace bodies by rtol of the model's length (by `contact`, the part that
 * contact_error.c allows for a compliant contact), and a displacement changes channels by the
 * factor kappa. kappa is measured: bodies of the reference are displaced by 1e-9 of the length.
 * Round-off affects the channels by the same factor.  A step adds up to k + 2 terms with weights
 * w_j, sum |w_j| <= 7 (bdf of order 5), each rounded by eps/2: the error of the sum is at most 0.5
 * (k + 2) 7 = 25 eps, and about 10 eps if signs are mixed.  So
 *
 *   floor = 10 eps N kappa + 3 |difference of the two references|
 *
 * A series of runs fails if a hundredth of the tolerance does not halve an error above promise and
 * floor:
 *
 *   E(rtol/100) > max(E(rtol)/2, promise + floor)
 *
 * Tolerances with a promise above 1 % (N kappa rtol > 0.01) are too loose to be tested: unresolved
 * fast modes are right or wrong by chance. If this holds for all tolerances, the motion is chaotic,
 * or too stiff for the channels. Tolerances below hk_least_told cannot be met by any integrator and
 * are not tested either. */
#define _XOPEN_SOURCE 700
#include "verify/tolerance_run.h"
#include <float.h>
#include <ftw.h>

static const char *const STEPPER[] = {
#define HK_TYPE(category, name) #name,
#include "integrator/integrators.list"
#undef HK_TYPE
};
enum {
  N_STEPPERS = sizeof STEPPER / sizeof *STEPPER,
  LOOSEST = 4,
  TIGHTEST = 12,
  MOST_FILES = 200
};

/* ---- judgement ---- */

/* Runs with one integrator, by the decimal digits of the tolerance. */
typedef struct series {
  tol_errors run[TIGHTEST + 1];
  double bound[TIGHTEST + 1][N_KINDS]; /* promise + floor */
  double floor[TIGHTEST + 1][N_KINDS];
  bool loose[TIGHTEST + 1][N_KINDS]; /* nothing is promised */
} series;

/* The result for a series, or for the worst of several. */
typedef struct verdict {
  int windows;  /* number of comparisons with a hundredth of the tolerance */
  double worst; /* E(rtol/100) over max(E(rtol)/2, promise + floor) */
  char what[160];
} verdict;

static void judge(const hk_model *m, const char *stepper, const series *s, verdict *out) {
  static const char *const KIND[N_KINDS] = {"positions", "velocities", "forces"};
  static const char *const PLACE[N_PLACES] = {"at ends", "between"};
  for (int d = LOOSEST; d + 2 <= TIGHTEST; d++) {
    const tol_errors *a = &s->run[d], *b = &s->run[d + 2];
    if (!a->good || !b->good || !b->told) continue;
    for (int k = 0; k < N_KINDS; k++)
      for (int p = 0; p < N_PLACES; p++) {
        if (s->loose[d][k]) continue;
        double ratio = b->error[k][p] / fmax(a->error[k][p] / 2, s->bound[d + 2][k]);
        out->windows++;
        if (!(ratio <= out->worst)) {
          out->worst = ratio;
          snprintf(out->what, sizeof out->what,
                   "%s, 1e-%02d to 1e-%02d, %s %s %.1e to %.1e (%.40s)", stepper, d, d + 2, KIND[k],
                   PLACE[p], a->error[k][p], b->error[k][p],
                   hk_model_channel_name(m, b->worst[k][p]));
        }
      }
  }
}

/* Exponent of the position errors over the tolerance, by least squares; NaN: too few are above the
 * floor. */
static double exponent(const series *s) {
  double x[TIGHTEST + 1], y[TIGHTEST + 1];
  int n = 0;
  for (int d = LOOSEST; d <= TIGHTEST; d++) {
    const tol_errors *e = &s->run[d];
    double off = fmax(e->error[POSITION][AT_ENDS], e->error[POSITION][BETWEEN]);
    if (!e->good || s->loose[d][POSITION] || !(off > s->floor[d][POSITION])) continue;
    x[n] = pow(10, -d), y[n++] = off;
  }
  return n < 2 ? NAN : vf_slope(x, y, n);
}

/* ---- one model ---- */

typedef struct references {
  tol_reference r[2]; /* of two steppers, the better one first */
  double apart[N_KINDS], kappa[N_KINDS];
} references;

/* Integrators for references, the most accurate first.  event_driven restarts in each step: its
 * errors are independent of those of multistep methods. */
static const char *const PREFERRED[] = {"event_driven", "adams", "bdf", "nonsmooth_alpha",
                                        "generalized_alpha"};
enum { N_PREFERRED = sizeof PREFERRED / sizeof *PREFERRED };

/* Runs of all integrators that support the model, at most three; second-order methods need too many
 * steps for the tightest tolerance. */
static int run_references(tol_subject *k, tol_reference *r, hk_error *err) {
  int n = 0;
  for (int i = 0; i < N_PREFERRED && n < (i < 3 ? 3 : 2); i++) {
    double rtol = i < 3 ? 1e-13 : 1e-12, loosest = i < 3 ? 1e-13 : 1e-10;
    while (rtol < 2 * loosest && !tol_reference_run(k, PREFERRED[i], rtol, NULL, NULL, &r[n], err))
      rtol *= 10;
    if (rtol < 2 * loosest) n++;
  }
  return n;
}

/* The first reference and the one nearest to it, unless two others agree ten times better. */
static void choose_references(tol_subject *k, tol_reference *r, int n, references *out) {
  double least = INFINITY;
  int a = 0, b = 1;
  tol_find_scales(k, &r[0]);
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++) {
      tol_errors e;
      tol_compare(k, &r[i], &r[j], &e);
      double weighed = e.error[POSITION][AT_ENDS] * (i > 0 ? 10 : 1);
      if (!(weighed < least)) continue;
      least = weighed, a = i, b = j;
      for (int c = 0; c < N_KINDS; c++) out->apart[c] = e.error[c][AT_ENDS];
    }
  out->r[0] = r[a], out->r[1] = r[b];
  for (int i = 0; i < n; i++)
    if (i != a && i != b) tol_reference_free(&r[i]);
  tol_find_scales(k, &out->r[0]);
}

static bool find_references(tol_subject *k, references *out, char *why, size_t size) {
  hk_error err = {0};
  tol_reference r[3];
  long most = k->most;
  k->most = 60000;
  int n = run_references(k, r, &err);
  if (n < 2) {
    snprintf(why, size, "no two references: %.150s", err.text);
    if (n == 1) tol_reference_free(&r[0]);
    return false;
  }
  choose_references(k, r, n, out);
  tol_sensitivity(k, &out->r[0], out->kappa);
  k->most = most;
  return true;
}

static bool run_series(const tol_subject *k, const char *stepper, references *ref, series *s) {
  int digits = vf_long() ? 1 : 2;
  bool any = false;
  *s = (series){0};
  for (int d = LOOSEST; d <= TIGHTEST; d += digits) {
    tol_errors *e = &s->run[d];
    double rtol = pow(10, -d);
    tol_run(k, stepper, rtol, &ref->r[strcmp(ref->r[0].stepper, stepper) == 0], e);
    for (int i = 0; i < N_KINDS; i++) {
      double steps = (double)e->steps * ref->kappa[i];
      s->floor[d][i] = 10 * DBL_EPSILON * steps + 3 * ref->apart[i];
      s->bound[d][i] = steps * (rtol + e->contact) + s->floor[d][i];
      s->loose[d][i] = steps * rtol > 0.01;
    }
    any = any || e->good;
    if (!e->good && (e->steps == 0 || e->steps > k->most))
      break; /* rejected; tighter tolerances take longer */
  }
  return any;
}

static bool is_adaptive(const tol_subject *k, const char *stepper) {
  hk_error err = {0};
  hk_sim *s = tol_sim(k, stepper, 1e-6, &err);
  hk_sim_destroy(s);
  return s != NULL; /* it rejects the model, or requires fixed steps */
}

/* The time that a run with so many steps reaches, or its end; 0: no integrator supports the
 * model. */
static double reached(const tol_subject *k, long steps) {
  for (int i = 0; i < N_PREFERRED; i++) {
    hk_error err = {0};
    hk_sim *s = tol_sim(k, PREFERRED[(i + 2) % N_PREFERRED], 1e-8, &err);
    if (!s) continue;
    double end = s->option.duration;
    while (hk_sim_time(s) < end && hk_sim_statistics(s).steps < steps)
      if (hk_sim_step(s, end, &err)) break;
    double t = fmin(hk_sim_time(s), end);
    hk_sim_destroy(s);
    if (t > 0) return t;
  }
  return 0;
}

/* The reason why a model is not tested, in `skip`; or a result. */
static void judge_model(tol_subject *k, long first, verdict *v, char *text, size_t size,
                        char *source, char *skip) {
  static references ref;
  static series s;
  int used = 0;
  k->end = reached(k, first);
  for (int i = 0; i < N_TIMES; i++)
    k->times[i] = k->end * (i + 0.37 + 0.5 * fmod(0.618 * i, 1)) / N_TIMES;
  if (!find_references(k, &ref, skip, 200)) return;
  snprintf(source, 100, "%s and %s, apart by %.0e", ref.r[0].stepper, ref.r[1].stepper,
           ref.apart[POSITION]);
  if (tol_way(k, &ref.r[0]) < 1e-8) snprintf(skip, 200, "it rests");
  for (int i = 0; i < N_STEPPERS && !*skip; i++) {
    if (!is_adaptive(k, STEPPER[i]) || !run_series(k, STEPPER[i], &ref, &s)) continue;
    judge(k->model, STEPPER[i], &s, v);
    double p = exponent(&s);
    used += snprintf(text + used, size - (size_t)used, isnan(p) ? "%s%s" : "%s%s %.2f",
                     used ? ", " : "", STEPPER[i], p);
  }
  if (!*skip && v->windows == 0)
    snprintf(skip, 200, "no tolerance promises 1 %% (a displacement grows %.0e-fold)",
             ref.kappa[POSITION]);
  for (int i = 0; i < 2; i++) tol_reference_free(&ref.r[i]);
}

/* ---- all models ---- */

static char *file[MOST_FILES];
static int n_files;

static int visit(const char *path, const struct stat *status, int type, struct FTW *walk) {
  (void)status, (void)walk;
  if (type == FTW_F && strstr(path, ".yaml") && n_files < MOST_FILES)
    file[n_files++] = strdup(path);
  return 0;
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* first: number of steps of the run at rtol 1e-8 that are compared; most: maximum number of steps
 * of a run.  Returns the number of models that fail. */
static int check_file(const char *path, long first, long most, int *judged) {
  static tol_subject k;
  const char *name = path + strlen(HOOKE_SOURCE_DIR) + 1;
  const hk_override free_steps = {"analysis.step", "0 s"};
  char text[400] = "", source[100] = "", skip[200] = "";
  verdict v = {0};
  hk_diag diag;
  hk_diag_init(&diag);
  hk_spec *spec = hk_model_file_read(path, &free_steps, 1, &diag);
  hk_model *m = spec ? hk_model_compile(spec, &diag) : NULL;
  if (m) {
    k = (tol_subject){.model = m, .most = most};
    tol_find_channels(m, &k.channels);
    judge_model(&k, first, &v, text, sizeof text, source, skip);
  } else {
    snprintf(skip, sizeof skip, "no model: %.150s", diag.n > 0 ? diag.message[0].text : "");
  }
  hk_model_destroy(m);
  hk_diag_free(&diag);
  if (*skip) {
    print_message("%s: skipped: %s\n", name, skip);
    return 0;
  }
  char ours[40], limit[] = "1";
  snprintf(ours, sizeof ours, "%.2g", v.worst);
  bool good = v.worst <= 1;
  vf_row("tolerance", name, text, "", source, ours, ours, limit, good);
  if (!good) print_message("%s FAILS: %s\n", name, v.what);
  ++*judged;
  return !good;
}

/* every: one of so many files is tested. */
static void check_folder(const char *folder, int every, long first, long most, int least) {
  char path[600];
  const char *only =
      getenv("HOOKE_TOLERANCE"); /* a part of the file names, for tests by hand */
  int failed = 0, judged = 0;
  n_files = 0;
  snprintf(path, sizeof path, "%s/%s", HOOKE_SOURCE_DIR, folder);
  nftw(path, visit, 8, FTW_PHYS);
  qsort(file, (size_t)n_files, sizeof *file, by_name);
  for (int i = 0; i < n_files; i++) {
    bool due = only ? strstr(file[i], only) != NULL : i % every == 0;
    if (due) failed += check_file(file[i], first, most, &judged);
    free(file[i]);
  }
  if (!only) assert_true(judged >= least);
  assert_int_equal(failed, 0);
}

static void test_models(void **state) {
  (void)state;
  check_folder("test/tolerance", 1, 100000, vf_long() ? 60000 : 4000, 38);
}

static void test_examples(void **state) {
  (void)state;
  if (vf_long())
    check_folder("examples", 1, 150, 30000, 40);
  else
    check_folder("examples", 3, 40, 2000, 13);
}

/* ---- a closed form ---- */

/* test/tolerance/kink_abs.yaml: half waves with two alternating frequencies. */
static void swing(double t, double *x, double *v) {
  const double stiff = sqrt(160), soft = sqrt(40), half = M_PI / stiff;
  t = fmod(t, half + M_PI / soft);
  double w = t < half ? stiff : soft, sign = t < half ? 1 : -1;
  if (t >= half) t -= half;
  *x = sign * sin(w * t) / w;
  *v = sign * cos(w * t);
}

/* Largest position error at the ends of all steps. */
static double kink_error(const char *stepper, double rtol) {
  vf_case c;
  double worst = 0;
  vf_file(&c, "test/tolerance/kink_abs.yaml", NULL, 0);
  vf_start(&c, &(hk_sim_options){.stepper = stepper, .rtol = rtol, .atol = 0.01 * rtol});
  while (hk_sim_time(c.sim) < 1.5) {
    double x, v;
    if (hk_sim_step(c.sim, 1.5, &c.err)) fail_msg("%s", c.err.text);
    swing(hk_sim_time(c.sim), &x, &v);
    worst = fmax(worst, fabs(vf_value(&c, "m.x") - x));
    worst = fmax(worst, fabs(vf_value(&c, "m.vx") - v) / sqrt(160));
  }
  vf_close(&c);
  return worst;
}

/* Every switch is a restart.  Its first steps cause velocity errors, which must follow the
 * tolerance to the end: from 1e-11 to 1e-13 by at least 100^(2/3), the power of order 2. */
static void test_behind_switches(void **state) {
  (void)state;
  static const char *const stepper[] = {"bdf", "adams", "event_driven"};
  for (int i = 0; i < 3; i++) {
    double before = kink_error(stepper[i], 1e-11);
    vf_bound("tolerance", "mass on a spring with a kink, five switches", stepper[i],
             kink_error(stepper[i], 1e-13), fmax(before / pow(100, 2.0 / 3), 1e-12),
             "closed form; 100 times the tolerance");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_behind_switches),
      cmocka_unit_test(test_models),
      cmocka_unit_test(test_examples),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
