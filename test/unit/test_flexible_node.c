/* The flexible node against finite differences of its own frames and forces, and its conservation laws: with and without
 * stiffening, for markers on an interface, at an offset from one, and on the floating frame. */
#include "support/check.h"
#include "flexible/flexible_sample.h"
#include "core/map.h"
#include "node/flexible.h"

enum { NV = 6 + HK_SAMPLE_MODES, NQ = NV + 1, MARKERS = 4 };

typedef struct rig {
  hk_flexible_sample c;
  hk_spec *spec;
  hk_model *model;
  hk_diag diag;
  const hk_node *node;
  hk_marker marker[MARKERS];
  double q[NQ], v[NV];
} rig;

static void make_rig(rig *r, bool stiffening) {
  *r = (rig){0};
  hk_flexible_sample_make(&r->c, stiffening);
  hk_diag_init(&r->diag);
  r->spec = hk_spec_create();
  hk_item *item = add_item(r->spec, HK_BODY, "flexible_body", "part");
  hk_flexible_body *p = item->data;
  p->file = "part.h5";
  p->data = &r->c.data;
  p->damping_ratio = 0.03;
  set_real(item, "at_frequency", 40);
  r->model = hk_model_compile(r->spec, &r->diag);
  if (!r->model) print_messages(&r->diag);
  assert_non_null(r->model);
  r->node = &r->model->node[0];
  assert_int_equal(r->node->nv, NV);
  for (int i = 0; i < MARKERS; i++) {
    hk_marker *k = &r->marker[i];
    hk_quat turn = random_rotation();
    *k = (hk_marker){.interface = i < 3 ? i % 2 : -1};
    k->R = hk_quat_matrix(turn);
    k->s = i < 3 ? r->c.interface[i % 2].s : hk_v3(0.1, 0.2, -0.1);
    if (i == 2) k->s = hk_add(k->s, hk_v3(0.07, -0.03, 0.05)); /* at an offset */
  }
  hk_quat q = random_rotation();
  for (int i = 0; i < NQ; i++) r->q[i] = uniform(-0.2, 0.2);
  r->q[3] = q.w, r->q[4] = q.x, r->q[5] = q.y, r->q[6] = q.z;
  for (int i = 0; i < NV; i++) r->v[i] = uniform(-3, 3);
}

static void free_rig(rig *r) {
  hk_model_destroy(r->model);
  hk_diag_free(&r->diag);
}

/* Everything at a state. */
typedef struct view {
  hk_mat3 R;
  double own[1000];
  hk_pose pose;
} view;

static void place(const rig *r, const double *q, const double *v, view *out) {
  assert_true(r->node->n_own <= 1000);
  memset(out->own, 0, sizeof out->own);
  r->node->type->place(r->node, 0, false, q, v, &out->R, out->own);
  out->pose = (hk_pose){r->node, &out->R, out->own};
}

static hk_frame frame_at(const rig *r, const hk_marker *k, const double *q, const double *v) {
  view w;
  hk_frame F;
  place(r, q, v, &w);
  r->node->type->frame(&w.pose, k, q, v, &F);
  return F;
}

static void shifted(const rig *r, int k, double h, double *q) {
  double d[NV] = {0};
  d[k] = h;
  hk_node_add(r->node, r->q, d, q);
}

/* Derivative of f(h) at 0 from four points. */
#define SLOPE(f) ((8 * ((f)[2] - (f)[1]) - ((f)[3] - (f)[0])) / (12 * STEP))
static const double STEP = 1e-3, AT[4] = {-2, -1, 1, 2};

static void for_all(void (*check)(const rig *, const char *)) {
  for (int stiffening = 0; stiffening < 2; stiffening++)
    for (int trial = 0; trial < 5; trial++) {
      rig r;
      char who[60];
      random_seed(17 + (uint64_t)trial);
      make_rig(&r, stiffening);
      snprintf(who, sizeof who, "%s stiffening, state %d", stiffening ? "with" : "without", trial);
      check(&r, who);
      free_rig(&r);
    }
}

/* ---- frames ---- */

static double twist_of(const hk_frame *F, hk_vec3 jv, hk_vec3 jw) {
  return hk_dot(jv, F->v) + hk_dot(jw, F->w);
}

/* T by the motion of the frame; the velocities of the frame; and, with `turning`, their change with the position. */
static void check_frames(const rig *r, const char *who) {
  for (int n = 0; n < MARKERS; n++) {
    const hk_marker *k = &r->marker[n];
    view w;
    hk_vec3 a = random_vector(1), b = random_vector(1);
    double map[NV], turning[NV] = {0}, speed = 0;
    place(r, r->q, r->v, &w);
    hk_frame F = frame_at(r, k, r->q, r->v);
    r->node->type->map(&w.pose, k, &F, a, b, map);
    r->node->type->turning(&w.pose, k, &F, a, b, turning);
    for (int j = 0; j < NV; j++) {
      double moved[4], twist[4], q[NQ];
      for (int i = 0; i < 4; i++) {
        shifted(r, j, AT[i] * STEP, q);
        hk_frame G = frame_at(r, k, q, r->v);
        hk_mat3 turn = hk_matmult(&G.R, &F.R);
        hk_vec3 th = hk_quat_log(hk_quat_from_matrix(&turn));
        moved[i] = hk_dot(a, hk_sub(G.x, F.x)) + hk_dot(b, th);
        twist[i] = twist_of(&G, a, b);
      }
      assert_near(map[j], SLOPE(moved), 2e-9, "%s, marker %d: map of %d", who, n, j);
      assert_near(turning[j], SLOPE(twist), 1e-8, "%s, marker %d: turning of %d", who, n, j);
      speed += map[j] * r->v[j];
    }
    assert_near(twist_of(&F, a, b), speed, 1e-13, "%s, marker %d: velocity", who, n);
    assert_near(hk_norm(hk_sub(F.x, hk_add(hk_v3(r->q[0], r->q[1], r->q[2]), F.s))), 0, 1e-14,
                "%s, marker %d: lever arm", who, n);
  }
}

/* d(T^T (f, m)) at constant force and moment, and the acceleration at constant velocities. */
static void check_second_order(const rig *r, const char *who) {
  for (int n = 0; n < MARKERS; n++) {
    const hk_marker *k = &r->marker[n];
    view w;
    hk_vec3 f = random_vector(5), m = random_vector(2), a, alpha;
    double K[NV][NV] = {{0}}, row[4][NV], q[NQ], d[NV], bias[4];
    place(r, r->q, r->v, &w);
    hk_frame F = frame_at(r, k, r->q, r->v);
    r->node->type->geometric(&w.pose, k, &F, f, m, 0.7, K[0], NV);
    for (int j = 0; j < NV; j++) {
      for (int i = 0; i < 4; i++) {
        view at;
        shifted(r, j, AT[i] * STEP, q);
        place(r, q, r->v, &at);
        hk_frame G = frame_at(r, k, q, r->v);
        r->node->type->map(&at.pose, k, &G, f, m, row[i]);
      }
      for (int i = 0; i < NV; i++) {
        double at[4] = {row[0][i], row[1][i], row[2][i], row[3][i]};
        assert_near(K[i][j], 0.7 * SLOPE(at), 2e-8, "%s, marker %d: geometric %d, %d", who, n, i,
                    j);
      }
    }
    r->node->type->bias(&w.pose, k, &F, &a, &alpha);
    for (int i = 0; i < 4; i++) { /* along the motion at constant v */
      for (int j = 0; j < NV; j++) d[j] = AT[i] * STEP * r->v[j];
      hk_node_add(r->node, r->q, d, q);
      hk_frame G = frame_at(r, k, q, r->v);
      bias[i] = twist_of(&G, f, m);
    }
    assert_near(hk_dot(f, a) + hk_dot(m, alpha), SLOPE(bias), 1e-7, "%s, marker %d: bias", who, n);
  }
}

/* ---- forces ---- */

static void force_at(const rig *r, const double *q, const double *v, double *f) {
  view w;
  place(r, q, v, &w);
  r->node->type->force(&w.pose, v, f);
}

static void check_tangent(const rig *r, const char *who) {
  view w;
  place(r, r->q, r->v, &w);
  for (int part = 0; part < 3; part++) {
    double A[NV][NV] = {{0}};
    const hk_inertia_weights c = {part == 0, part == 1, part == 2, r->v, NULL};
    r->node->type->tangent(&w.pose, &c, A[0], NV);
    for (int j = 0; j < NV; j++) {
      double f[4][NV], e[NV] = {0}, y[NV];
      e[j] = 1;
      r->node->type->multiply(&w.pose, e, y);
      for (int i = 0; i < 4; i++) {
        double q[NQ], v[NV];
        memcpy(q, r->q, sizeof q);
        memcpy(v, r->v, sizeof v);
        if (part == 2) shifted(r, j, AT[i] * STEP, q);
        v[j] += part == 1 ? AT[i] * STEP : 0;
        force_at(r, q, v, f[i]);
      }
      for (int i = 0; i < NV; i++) {
        double at[4] = {f[0][i], f[1][i], f[2][i], f[3][i]};
        assert_near(A[i][j], part == 0 ? y[i] : -SLOPE(at), 1e-8,
                    "%s: part %d of the tangent, %d, %d", who, part, i, j);
      }
    }
  }
}

static double energy_at(const rig *r, const double *q, const double *v, double *lost) {
  view w;
  double stored = 0;
  *lost = 0;
  place(r, q, v, &w);
  r->node->type->stored(&w.pose, v, &stored, lost);
  return stored + r->node->type->energy(&w.pose, v);
}

/* Without loads, M v' = f: energy falls by the damping only; the angular momentum about the centre of mass is constant. */
static void check_conservation(const rig *r, const char *who) {
  view w;
  double f[NV], power = 0, energy[4], lost, unused, q[NQ], d[NV];
  place(r, r->q, r->v, &w);
  force_at(r, r->q, r->v, f);
  energy_at(r, r->q, r->v, &lost);
  for (int i = 0; i < NV; i++) power += f[i] * r->v[i]; /* = v . M v' */
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < NV; j++) d[j] = AT[i] * STEP * r->v[j];
    hk_node_add(r->node, r->q, d, q);
    energy[i] = energy_at(r, q, r->v, &unused);
  }
  assert_near(power + SLOPE(energy), -lost, 1e-8, "%s: power", who);
  assert_true(lost > 0);
  /* L = R (J w + C a'): with M v' = f, R^T L' = w x (J w + C a') + (d/dt at constant v) + f_w = 0 */
  hk_vec3 spin[4], w_body = hk_v3(r->v[3], r->v[4], r->v[5]), change;
  for (int i = 0; i < 4; i++) {
    view at;
    double y[NV];
    for (int j = 0; j < NV; j++) d[j] = AT[i] * STEP * r->v[j];
    hk_node_add(r->node, r->q, d, q);
    place(r, q, r->v, &at);
    r->node->type->multiply(&at.pose, r->v, y);
    spin[i] = hk_v3(y[3], y[4], y[5]);
  }
  change = hk_scale(1 / (12 * STEP),
                    hk_sub(hk_scale(8, hk_sub(spin[2], spin[1])), hk_sub(spin[3], spin[0])));
  double y[NV];
  r->node->type->multiply(&w.pose, r->v, y);
  hk_vec3 sum =
      hk_add(hk_add(change, hk_cross(w_body, hk_v3(y[3], y[4], y[5]))), hk_v3(f[3], f[4], f[5]));
  assert_near(hk_norm(sum), 0, 1e-8, "%s: angular momentum", who);
  assert_true(f[0] == 0 && f[1] == 0 && f[2] == 0);
}

/* The kinetic energy is that of the point masses from which the data was computed. */
static void check_masses(const rig *r, const char *who) {
  if (r->c.data.K) return; /* stiffening changes it to second order */
  hk_quat turn = {r->q[3], r->q[4], r->q[5], r->q[6]};
  hk_mat3 R = hk_quat_matrix(turn);
  hk_vec3 spin = hk_v3(r->v[3], r->v[4], r->v[5]);
  double energy = 0, root = sqrt(r->node->mass), lost;
  for (int p = 0; p < HK_SAMPLE_POINTS; p++) {
    double x[3], u[3];
    for (int a = 0; a < 3; a++) {
      x[a] = HK_SAMPLE_X[p][a], u[a] = 0;
      for (int k = 0; k < HK_SAMPLE_MODES; k++) {
        x[a] += root * r->q[7 + k] * r->c.mode[k][3 * p + a];
        u[a] += root * r->v[6 + k] * r->c.mode[k][3 * p + a];
      }
    }
    hk_vec3 v = hk_add(hk_cross(spin, hk_v3(x[0], x[1], x[2])), hk_v3(u[0], u[1], u[2]));
    v = hk_add(hk_mul(&R, v), hk_v3(r->v[0], r->v[1], r->v[2]));
    energy += 0.5 * (r->node->mass / HK_SAMPLE_POINTS) * hk_dot(v, v);
  }
  double stored = 0;
  for (int k = 0; k < HK_SAMPLE_MODES; k++)
    stored += 0.5 * r->c.w2[k] * r->node->mass * r->q[7 + k] * r->q[7 + k];
  assert_near(energy_at(r, r->q, r->v, &lost), energy + stored, 1e-13, "%s: energy", who);
}

static void frames(void **state) {
  (void)state;
  for_all(check_frames);
}
static void second_order(void **state) {
  (void)state;
  for_all(check_second_order);
}
static void tangents(void **state) {
  (void)state;
  for_all(check_tangent);
}
static void conservation(void **state) {
  (void)state;
  for_all(check_conservation);
}
static void masses(void **state) {
  (void)state;
  for_all(check_masses);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frames),       cmocka_unit_test(second_order), cmocka_unit_test(tangents),
      cmocka_unit_test(conservation), cmocka_unit_test(masses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
