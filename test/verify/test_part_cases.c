/* Reduced parts against an independent program: frequencies, flexibilities, gravity, and a disc that rotates. */
#include "support/reduced_part.h"
#include "verify/verify.h"

static void row(const char *text, const char *quantity, double ours, double reference,
                double relative) {
  vf_check("reduced", text, quantity, ours, reference, relative * fabs(reference),
           "independent program");
}

static void test_rod(void **state) {
  (void)state;
  static const char *const text = "rod, 2 rigid ends, 6 modes (matrices)";
  body b;
  make_rod(&b, 6);
  const hk_flexible_data *d = &b.data;
  double dJ[9];
  row(text, "mass [kg]", d->mass, 0.0667557023, 1e-8);
  row(text, "inertia yy [kg m^2]", d->J0.m[1][1], 5.01102508e-4, 1e-8);
  row(text, "first mode, ends held [Hz]", hertz(d->fixed_w2[0]), 299.1458, 1e-6);
  row(text, "first mode, free [Hz]", hertz(d->w2[0]), 299.1749, 1e-6);
  vf_check("reduced", text, "the same", hertz(d->w2[0]), 298.96217, 0.7, "exact beam");
  row(text, "sixth mode, free [Hz]", hertz(d->w2[5]), 2684.7533, 1e-6);
  row(text, "flexibility y [m/N]", flexibility(d, 0, 1, 1, 1), 7.0735823e-4, 1e-6);
  vf_check("reduced", text, "the same", flexibility(d, 0, 1, 1, 1), 7.0744743e-4, 2e-7,
           "exact beam");
  row(text, "flexibility y by moment z [1/N]", flexibility(d, 0, 1, 1, 5), 3.5367765e-3, 1e-6);
  row(text, "sag of the end [m]", sag(d, 0, 1, 1, 1, -9.81), -1.7371153e-4, 1e-6);
  inertia_change(d, (double[3]){0, 0, 300}, dJ);
  row(text, "change of inertia at 300 rad/s", dJ[4], 1.9245422e-8, 1e-6);
  free_body(&b);
}

static void test_plate(void **state) {
  (void)state;
  static const char *const text = "plate, averaging interface, 16 modes (matrices)";
  static const double mode[] = {133.6327, 195.6257, 242.7915, 345.3030};
  static const long label[] = {81,  82,  87,  88,  89,  90,  92,  94,  121, 122,
                               124, 126, 127, 128, 129, 130, 131, 132, 133, 134};
  int node[20];
  body b;
  read_matrices(&b, "plate");
  find_nodes(&b, label, 20, node);
  hk_part_interface mid = interface_of("mid", true, 0, 0, 0, node, 20);
  reduce_part(&b, NULL, &mid, 1, 16, false);
  for (int k = 0; k < 4; k++) {
    char quantity[40];
    snprintf(quantity, sizeof quantity, "mode %d, free [Hz]", k + 1);
    row(text, quantity, hertz(b.data.w2[k]), mode[k], 1e-6);
  }
  free_body(&b);
}

/* Reduces a mesh of test/flexible whose groups are rigid interfaces. */
static void reduce_mesh(body *b, const char *file, const hk_part_material *material,
                        const char *const *name, const double (*center)[3], int n, int n_fixed,
                        bool stiffening) {
  char path[512];
  hk_error err = {0};
  hk_part_interface interface[8];
  snprintf(path, sizeof path, "%s/test/flexible/%s", HOOKE_SOURCE_DIR, file);
  *b = (body){.mesh = {0}};
  assert_int_equal(hk_gmsh_read(path, 1, &b->mesh, &err), HK_OK);
  for (int i = 0; i < n; i++) {
    const hk_part_set *s = hk_part_mesh_set(&b->mesh, name[i]);
    assert_non_null(s);
    interface[i] =
        interface_of(name[i], false, center[i][0], center[i][1], center[i][2], s->node, s->n);
  }
  reduce_part(b, material, interface, n, n_fixed, stiffening);
}

static const hk_part_material aluminium = {.young = 70e9, .poisson = 0.33, .density = 2700};

static void test_bracket(void **state) {
  (void)state;
  static const char *const text = "bracket, 513 tetrahedra, 12 modes", *const name[] = {"hole",
                                                                                        "hub"};
  static const double center[][3] = {{0.154, 0, 0.08}, {0, 0, 0.006}},
                      held[] = {209.6686, 453.5255, 768.8221, 1136.5521, 2578.345};
  body b;
  reduce_mesh(&b, "bracket.msh", &aluminium, name, center, 2, 12, false);
  double hz[5];
  row(text, "mass [kg]", b.data.mass, 0.3154839023078339, 1e-12);
  row(text, "inertia xz [kg m^2]", b.data.J0.m[0][2], -0.00025602087181210393, 1e-12);
  row(text, "first mode, interfaces held [Hz]", hertz(b.data.fixed_w2[0]), 2341.4817800092796,
      1e-10);
  row(text, "first mode, free [Hz]", hertz(b.data.w2[0]), 922.3432178029934, 1e-10);
  held_frequencies(&b.data, 1, 5, hz);
  for (int k = 0; k < 5; k += 2) {
    char quantity[40];
    snprintf(quantity, sizeof quantity, "mode %d, hub held [Hz]", k + 1);
    row(text, quantity, hz[k], held[k], 1e-6);
  }
  row(text, "flexibility xz of the hole [m/N]", flexibility(&b.data, 1, 0, 0, 2), -2.1296804e-6,
      1e-6);
  row(text, "sag of the hole [m]", sag(&b.data, 1, 0, 2, 2, -9.81), -5.4865443e-6, 1e-6);
  free_body(&b);
}

static void test_housing(void **state) {
  (void)state;
  static const char *const text = "housing, 5 rigid interfaces, 20 modes", *const name[] = {
                                                                               "base", "seat1",
                                                                               "seat2", "seat3",
                                                                               "seat4"};
  static const double center[][3] = {{0.15, 0.1, 0},
                                     {0.09, 0.005, 0.09},
                                     {0.21, 0.005, 0.09},
                                     {0.09, 0.195, 0.09},
                                     {0.21, 0.195, 0.09}};
  static const double held[] = {1587.9331, 1782.7481, 2431.8553, 2763.7121, 3009.2325, 3395.1922};
  static const char *const axis[] = {"stiffness of seat 1, x [N/m]", "y", "z"};
  static const double stiffness[] = {1.0568965e9, 2.4552906e8, 1.7839162e9};
  body b;
  reduce_mesh(&b, "housing.msh", &aluminium, name, center, 5, 20, false);
  row(text, "mass [kg]", b.data.mass, 7.60152585, 1e-8);
  row(text, "first mode, interfaces held [Hz]", hertz(b.data.fixed_w2[0]), 1838.0262291928984,
      1e-10);
  row(text, "20th mode, interfaces held [Hz]", hertz(b.data.fixed_w2[19]), 8570.121722237382,
      1e-10);
  double hz[6];
  held_frequencies(&b.data, 0, 6, hz);
  for (int k = 0; k < 6; k++) {
    char quantity[40];
    snprintf(quantity, sizeof quantity, "mode %d, base held [Hz]", k + 1);
    row(text, quantity, hz[k], held[k], 1e-6);
  }
  for (int i = 0; i < 3; i++)
    row(text, axis[i], 1 / flexibility(&b.data, 0, 1, i, i), stiffness[i], 1e-6);
  free_body(&b);
}

/* ---- a disc that rotates ---- */

static hk_mat3 cross_matrix(const double *r) {
  return (hk_mat3){{{0, -r[2], r[1]}, {r[2], 0, -r[0]}, {-r[1], r[0], 0}}};
}

static void add_product(hk_mat3 *sum, double s, const hk_mat3 *a, const hk_mat3 *b) {
  hk_mat3 c = hk_matmul(a, b);
  for (int i = 0; i < 9; i++) sum->m[i / 3][i % 3] += s * c.m[i / 3][i % 3];
}

/* Mass (sum of u_k . u_l), gyroscopic and centrifugal matrices in the rotating frame about z, interface 0 held at the
 * centre of mass: u_k = phi_k + t_k + r_k x X, and rotations r to second order. */
static void rotating_matrices(const hk_flexible_data *d, double speed, bool stiffening, double *M,
                              double *G, double *K) {
  int m = d->m;
  const hk_mat3 *J0 = &d->J0;
  double half = 0.5 * (J0->m[0][0] + J0->m[1][1] + J0->m[2][2]);
  hk_mat3 XX, plane = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 0}}};
  for (int i = 0; i < 9; i++) XX.m[i / 3][i % 3] = (i % 4 ? 0 : half) - J0->m[i / 3][i % 3];
  double(*c)[6] = calloc((size_t)m, sizeof *c);
  hk_mat3 *PX = calloc((size_t)m, sizeof *PX),
          *R = calloc((size_t)m, sizeof *R); /* sum m X phi_k^T */
  assert_true(c && PX && R);
  for (int k = 0; k < m; k++) {
    const double *J = d->J1 + 9 * k, trace = (J[0] + J[4] + J[8]) / 4;
    for (int i = 0; i < 9; i++) PX[k].m[i / 3][i % 3] = 0.5 * ((i % 4 ? 0 : 2 * trace) - J[i]);
    counter_motion(d, 0, k, c[k]);
    R[k] = cross_matrix(c[k] + 3);
  }
  for (int k = 0; k < m; k++)
    for (int l = 0; l < m; l++) {
      const double *J = d->J2 + 9 * (k * m + l), *w = d->c + 3 * (k * m + l),
                   trace = 0.5 * (J[0] + J[4] + J[8]);
      hk_mat3 P, A = cross_matrix(w), Rl, second = {0}, load;
      for (int i = 0; i < 9; i++)
        P.m[i / 3][i % 3] = (i % 4 ? 0 : trace) - J[i] - 0.5 * A.m[i / 3][i % 3] +
                            d->mass * c[k][i / 3] * c[l][i % 3];
      for (int i = 0; i < 9; i++) Rl.m[i / 3][i % 3] = R[l].m[i % 3][i / 3];
      add_product(&P, 1, &PX[k], &Rl);
      add_product(&P, 1, &R[k], &PX[l]);
      hk_mat3 half_way = hk_matmul(&R[k], &XX);
      add_product(&P, 1, &half_way, &Rl);
      add_product(&second, 0.5, &R[k], &R[l]);
      add_product(&second, 0.5, &R[l], &R[k]);
      load = hk_matmul(&second, &XX);
      add_product(&load, 1, &R[k], &PX[l]);
      add_product(&load, 1, &R[l], &PX[k]);
      hk_mat3 outward = hk_matmul(&plane, &load);
      double centrifugal = P.m[0][0] + P.m[1][1] + outward.m[0][0] + outward.m[1][1];
      if (stiffening) centrifugal -= d->K[9 * (k * m + l) + 8];
      M[k * m + l] = P.m[0][0] + P.m[1][1] + P.m[2][2];
      G[k * m + l] = 2 * speed * (P.m[1][0] - P.m[0][1]);
      K[k * m + l] = (k == l ? d->w2[k] : 0) - speed * speed * centrifugal;
    }
  free(c);
  free(PX);
  free(R);
}

static int compare_double(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Lowest n frequencies [Hz] of M x'' + G x' + K x = 0. */
static void rotating_frequencies(const hk_flexible_data *d, double speed, bool stiffening, int n,
                                 double *hz) {
  int m = d->m, N = 2 * m;
  size_t mm = (size_t)m * (size_t)m;
  double *M = calloc(3 * mm, sizeof *M), *A = calloc(4 * mm, sizeof *A),
         *re = calloc(2 * (size_t)N, sizeof *re);
  int *pivot = calloc((size_t)m, sizeof *pivot);
  assert_true(M && A && re && pivot);
  double *G = M + mm, *K = G + mm, *im = re + N;
  rotating_matrices(d, speed, stiffening, M, G, K);
  /* LAPACK has columns: the stored rows are the transposed matrices, which have the same eigenvalues as M^T, K^T and -G. */
  LAPACKE_dgetrf(LAPACK_ROW_MAJOR, m, m, M, m, pivot);
  LAPACKE_dgetrs(LAPACK_ROW_MAJOR, 'N', m, m, M, m, pivot, G, m);
  LAPACKE_dgetrs(LAPACK_ROW_MAJOR, 'N', m, m, M, m, pivot, K, m);
  for (int i = 0; i < m; i++) {
    A[i * N + m + i] = 1;
    for (int k = 0; k < m; k++)
      A[(m + i) * N + k] = -K[i * m + k], A[(m + i) * N + m + k] = -G[i * m + k];
  }
  assert_int_equal(LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'N', N, A, N, re, im, NULL, N, NULL, N), 0);
  qsort(im, (size_t)N, sizeof *im, compare_double);
  for (int k = 0; k < n; k++) hz[k] = im[m + k] / (2 * M_PI);
  free(M);
  free(A);
  free(re);
  free(pivot);
}

static void test_disc(void **state) {
  (void)state;
  static const hk_part_material steel = {.young = 206e9, .poisson = 0.3, .density = 7850};
  static const char *const name[] = {"bore"};
  static const double center[][3] = {{0, 0, 0}};
  static const struct {
    double speed;
    bool stiffening;
    double hz[6];
  } c[] = {
      {0,
       true,
       {1645.888997888857, 1664.26217635396, 2280.942139286615, 3178.133208791547,
        3185.9249476606556, 4430.863772268537}},
      {1000,
       true,
       {1654.363113679512, 1675.4342091123033, 2286.319539707433, 3175.2016747566377,
        3208.173307771651, 4431.120997125001}},
      {1000,
       false,
       {1651.1892073420922, 1672.297321124345, 2280.8991381036067, 3165.1646885743558,
        3198.144628126159, 4430.779965257451}},
      {2000,
       true,
       {1680.20561165128, 1707.8456957084272, 2302.3755511066347, 3188.2150434652795,
        3252.762844658075, 4431.892582353538}},
      {2000,
       false,
       {1667.7096311653283, 1695.463190592091, 2280.7700987105877, 3148.248895516775,
        3212.813373981585, 4430.528534829544}},
  };
  body b;
  reduce_mesh(&b, "blank.msh", &steel, name, center, 1, 16, true);
  for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
    double hz[6];
    char text[80], quantity[40];
    snprintf(text, sizeof text, "gear blank, %g rad/s, %s stiffening", c[i].speed,
             c[i].stiffening ? "with" : "without");
    rotating_frequencies(&b.data, c[i].speed, c[i].stiffening, 6, hz);
    for (int k = 0; k < 6; k++) {
      snprintf(quantity, sizeof quantity, "mode %d [Hz]", k + 1);
      row(text, quantity, hz[k], c[i].hz[k], 1e-5);
    }
  }
  free_body(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rod),     cmocka_unit_test(test_plate), cmocka_unit_test(test_bracket),
      cmocka_unit_test(test_housing), cmocka_unit_test(test_disc),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
