/* Solid elements of every kind, straight and distorted: tests with linear fields, rigid motions
 * and volumes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "fe/solid.h"
#include <math.h>
#include <string.h>

static const hk_solid_elasticity STEEL = {.lambda = 1.2e11, .mu = 0.8e11};

/* An element whose nodes have the positions of the element coordinates, sheared and stretched.
 * bulge: displacement of the midpoint nodes from their edges. */
static void make(hk_solid_kind kind, double bulge, double x[HK_SOLID_NODES][3]) {
  static const double CORNER[3][8][3] = {
      {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
      {{0, 0, -1}, {1, 0, -1}, {0, 1, -1}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}},
      {{-1, -1, -1},
       {1, -1, -1},
       {1, 1, -1},
       {-1, 1, -1},
       {-1, -1, 1},
       {1, -1, 1},
       {1, 1, 1},
       {-1, 1, 1}}};
  const hk_solid_type *t = &hk_solid_types[kind];
  for (int a = 0; a < t->nodes; a++) {
    double p[3];
    for (int d = 0; d < 3; d++) {
      int c = t->corners == 4 ? 0 : t->corners == 6 ? 1 : 2;
      p[d] = a < t->corners ? CORNER[c][a][d]
                            : 0.5 * (CORNER[c][t->edge[a - t->corners][0]][d] +
                                     CORNER[c][t->edge[a - t->corners][1]][d]);
      if (a >= t->corners) p[d] += bulge * sin(7 * a + d);
    }
    x[a][0] = 0.02 * (p[0] + 0.2 * p[1]);
    x[a][1] = 0.03 * (p[1] - 0.1 * p[2]);
    x[a][2] = 0.01 * (p[2] + 0.3 * p[0]);
  }
}

static double reference_volume(hk_solid_kind kind) {
  int corners = hk_solid_types[kind].corners;
  double unit = corners == 4 ? 1.0 / 6 : corners == 6 ? 1 : 8;
  return unit * 0.02 * 0.03 * 0.01 * (1 + 0.2 * 0.3 * -0.1); /* determinant of the map above */
}

static void test_volume_and_rigid_motion(void **state) {
  (void)state;
  for (int kind = 0; kind < HK_SOLID_KINDS; kind++)
    for (int curved = 0; curved < 2; curved++) {
      double x[HK_SOLID_NODES][3], K[HK_SOLID_NODES][HK_SOLID_NODES][9],
          m[HK_SOLID_NODES][HK_SOLID_NODES];
      hk_solid_rule rule;
      make((hk_solid_kind)kind, curved ? 0.05 : 0, x);
      hk_solid_stiffness_rule((hk_solid_kind)kind, &rule);
      assert_true(hk_solid_stiffness(&rule, x, STEEL, K));
      double scale = fabs(K[0][0][0]);
      for (int a = 0; a < rule.nodes; a++)
        for (int i = 0; i < 3; i++) {
          double push[3] = {0}, turn[3] = {0};
          for (int b = 0; b < rule.nodes; b++)
            for (int k = 0; k < 3; k++) {
              double f = K[a][b][3 * i + k];
              assert_true(fabs(f - K[b][a][3 * k + i]) <= 1e-15 * scale);
              push[k] += f;
              turn[(k + 2) % 3] +=
                  f * x[b][(k + 1) % 3]; /* displacement e_k of w = e_(k+2): x_(k+1) */
              turn[(k + 1) % 3] -= f * x[b][(k + 2) % 3];
            }
          for (int k = 0; k < 3; k++) {
            assert_true(fabs(push[k]) < 1e-13 * scale);
            assert_true(fabs(turn[k]) < 1e-14 * scale);
          }
        }
      hk_solid_mass_rule((hk_solid_kind)kind, &rule);
      double volume = hk_solid_mass(&rule, x, 7850, m), sum = 0;
      for (int a = 0; a < rule.nodes; a++)
        for (int b = 0; b < rule.nodes; b++) sum += m[a][b];
      assert_true(fabs(sum - 7850 * volume) < 1e-12 * sum);
      if (!curved)
        assert_true(fabs(volume - reference_volume((hk_solid_kind)kind)) < 1e-13 * volume);
    }
}

/* A linear field gives the same stress everywhere, also in distorted elements; its energy is that of the volume. */
static void test_linear_field(void **state) {
  (void)state;
  static const double D[3][3] = {{1e-4, 3e-5, -2e-5}, {5e-5, -4e-5, 1e-5}, {2e-5, 6e-5, 7e-5}};
  for (int kind = 0; kind < HK_SOLID_KINDS; kind++) {
    double x[HK_SOLID_NODES][3], u[HK_SOLID_NODES][3], g[HK_SOLID_NODES][3], s[6],
        k[HK_SOLID_NODES][HK_SOLID_NODES];
    static double K[HK_SOLID_NODES][HK_SOLID_NODES][9];
    hk_solid_rule rule, nodes;
    make((hk_solid_kind)kind, 0, x);
    hk_solid_stiffness_rule((hk_solid_kind)kind, &rule);
    hk_solid_node_rule((hk_solid_kind)kind, &nodes);
    for (int a = 0; a < rule.nodes; a++)
      for (int i = 0; i < 3; i++)
        u[a][i] = D[i][0] * x[a][0] + D[i][1] * x[a][1] + D[i][2] * x[a][2];
    double trace = D[0][0] + D[1][1] + D[2][2], expected[6], density = 0;
    for (int i = 0; i < 3; i++) {
      int j = (i + 1) % 3;
      expected[i] = STEEL.lambda * trace + 2 * STEEL.mu * D[i][i];
      expected[3 + i] = STEEL.mu * (D[i][j] + D[j][i]);
      density += 0.5 * (expected[i] * D[i][i] + expected[3 + i] * (D[i][j] + D[j][i]));
    }
    for (int q = 0; q < nodes.points; q++) {
      hk_solid_gradients(&nodes, q, x, g);
      hk_solid_stress(rule.nodes, g, u, STEEL, s);
      for (int c = 0; c < 6; c++) assert_true(fabs(s[c] - expected[c]) < 1e-9 * STEEL.mu * 1e-4);
      for (int a = 0; a < rule.nodes; a++) assert_true(fabs(nodes.N[q][a] - (a == q)) < 1e-14);
    }
    assert_true(hk_solid_stiffness(&rule, x, STEEL, K));
    double energy = 0, volume = reference_volume((hk_solid_kind)kind);
    for (int a = 0; a < rule.nodes; a++)
      for (int b = 0; b < rule.nodes; b++)
        for (int i = 0; i < 9; i++) energy += 0.5 * u[a][i / 3] * K[a][b][i] * u[b][i % 3];
    assert_true(fabs(energy - density * volume) < 1e-11 * energy);
    /* A second linear field v = x_p e: its stress stiffness is the stress pp times the volume. */
    hk_solid_stress_stiffness(&rule, x, u, STEEL, k);
    for (int p = 0; p < 3; p++)
      for (int r = 0; r < 3; r++) {
        double sum = 0;
        for (int a = 0; a < rule.nodes; a++)
          for (int b = 0; b < rule.nodes; b++) sum += x[a][p] * k[a][b] * x[b][r];
        int index = p == r ? p : p + r == 1 ? 3 : p + r == 3 ? 4 : 5;
        assert_true(fabs(sum - expected[index] * volume) < 1e-11 * fabs(expected[0] * volume));
      }
  }
}

/* Elements of second order contain all quadratic fields where their edges are straight: integral of x^2 by the mass. */
static void test_quadratic_mass(void **state) {
  (void)state;
  static const hk_solid_kind second[] = {HK_SOLID_TETRAHEDRON_10, HK_SOLID_HEXAHEDRON_20,
                                         HK_SOLID_WEDGE_15};
  static const double exact[] = {2.0 / 5040 * 12, 8.0 / 5,
                                 2.0 / 30}; /* integral of r^4 over the element */
  for (int i = 0; i < 3; i++) {
    hk_solid_rule rule;
    double x[HK_SOLID_NODES][3], m[HK_SOLID_NODES][HK_SOLID_NODES], sum = 0;
    make(second[i], 0, x);
    for (int a = 0; a < hk_solid_types[second[i]].nodes; a++) { /* undo the map */
      double r = x[a][0] / 0.02, s = x[a][1] / 0.03, t = x[a][2] / 0.01, det = 1 - 0.006;
      double own[3] = {(r - 0.2 * s - 0.02 * t) / det, 0, 0};
      own[2] = t - 0.3 * own[0], own[1] = s + 0.1 * own[2];
      memcpy(x[a], own, sizeof own);
    }
    hk_solid_mass_rule(second[i], &rule);
    assert_true(hk_solid_mass(&rule, x, 1, m) > 0);
    for (int a = 0; a < rule.nodes; a++)
      for (int b = 0; b < rule.nodes; b++) sum += x[a][0] * x[a][0] * m[a][b] * x[b][0] * x[b][0];
    assert_true(fabs(sum - exact[i]) < 1e-12);
  }
}

static void test_inverted(void **state) {
  (void)state;
  for (int kind = 0; kind < HK_SOLID_KINDS; kind++) {
    static double K[HK_SOLID_NODES][HK_SOLID_NODES][9], m[HK_SOLID_NODES][HK_SOLID_NODES];
    double x[HK_SOLID_NODES][3];
    hk_solid_rule rule;
    make((hk_solid_kind)kind, 0, x);
    for (int a = 0; a < HK_SOLID_NODES; a++) x[a][2] = -x[a][2];
    hk_solid_stiffness_rule((hk_solid_kind)kind, &rule);
    assert_false(hk_solid_stiffness(&rule, x, STEEL, K));
    hk_solid_mass_rule((hk_solid_kind)kind, &rule);
    assert_true(hk_solid_mass(&rule, x, 1, m) < 0);
  }
}

/* Normals of the faces point outwards: the integral of x . n over the faces is three times the
 * volume. */
static void test_faces(void **state) {
  (void)state;
  for (int kind = 0; kind < HK_SOLID_KINDS; kind++) {
    double x[HK_SOLID_NODES][3], sum = 0;
    make((hk_solid_kind)kind, 0, x);
    for (int f = 0; f < hk_solid_types[kind].faces; f++) {
      int node[HK_SOLID_FACE_NODES], corners;
      int n = hk_solid_face((hk_solid_kind)kind, f, node, &corners);
      assert_int_equal(
          n, hk_solid_types[kind].nodes > hk_solid_types[kind].corners ? 2 * corners : corners);
      for (int i = 1; i + 1 < corners; i++) {
        const double *a = x[node[0]], *b = x[node[i]], *c = x[node[i + 1]];
        for (int d = 0; d < 3; d++) {
          int e = (d + 1) % 3, g = (d + 2) % 3;
          sum += a[d] * (b[e] * c[g] - b[g] * c[e]) / 6;
        }
      }
      for (int i = corners; i < n; i++)
        for (int d = 0; d < 3; d++) {
          const double *a = x[node[i - corners]], *b = x[node[(i + 1 - corners) % corners]];
          assert_true(fabs(x[node[i]][d] - 0.5 * (a[d] + b[d])) < 1e-15);
        }
    }
    assert_true(fabs(sum - reference_volume((hk_solid_kind)kind)) < 1e-13 * sum);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_volume_and_rigid_motion),
      cmocka_unit_test(test_linear_field),
      cmocka_unit_test(test_quadratic_mass),
      cmocka_unit_test(test_inverted),
      cmocka_unit_test(test_faces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
