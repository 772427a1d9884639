/* Hexahedron of 27 nodes: see hexahedron.h. */
#include "fe/hexahedron.h"
#include <math.h>
#include <string.h>

static const double POINT[3] = {-0.7745966692414834, 0, 0.7745966692414834};
static const double WEIGHT[3] = {5.0 / 9, 8.0 / 9, 5.0 / 9};

/* Gradients of the shape functions in element coordinates. */
static void own_gradients(const double p[3], double g[HK_HEX_NODES][3]) {
  double N[3][3], D[3][3];
  for (int d = 0; d < 3; d++) hk_hex_line(p[d], N[d], D[d]);
  for (int n = 0; n < HK_HEX_NODES; n++) {
    int i = n % 3, j = n / 3 % 3, k = n / 9;
    g[n][0] = D[0][i] * N[1][j] * N[2][k];
    g[n][1] = N[0][i] * D[1][j] * N[2][k];
    g[n][2] = N[0][i] * N[1][j] * D[2][k];
  }
}

/* Transforms to space coordinates: g <- J^-T g; returns the volume ratio det J. */
static double to_space(double x[HK_HEX_NODES][3], double g[HK_HEX_NODES][3]) {
  double J[3][3] = {{0}}, I[3][3]; /* J[d][i] = dx_i/dp_d */
  for (int n = 0; n < HK_HEX_NODES; n++)
    for (int d = 0; d < 3; d++)
      for (int i = 0; i < 3; i++) J[d][i] += g[n][d] * x[n][i];
  for (int d = 0; d < 3; d++) {
    int e = (d + 1) % 3, f = (d + 2) % 3;
    for (int i = 0; i < 3; i++) {
      int j = (i + 1) % 3, k = (i + 2) % 3;
      I[i][d] = J[e][j] * J[f][k] - J[e][k] * J[f][j];
    }
  }
  double det = J[0][0] * I[0][0] + J[0][1] * I[1][0] + J[0][2] * I[2][0];
  for (int n = 0; n < HK_HEX_NODES; n++) {
    double own[3] = {g[n][0], g[n][1], g[n][2]};
    for (int i = 0; i < 3; i++)
      g[n][i] = (I[i][0] * own[0] + I[i][1] * own[1] + I[i][2] * own[2]) / det;
  }
  return det;
}

bool hk_hex_stiffness(double x[HK_HEX_NODES][3], hk_fe_material m,
                      double K[3 * HK_HEX_NODES][3 * HK_HEX_NODES]) {
  memset(K, 0, sizeof(double) * 9 * HK_HEX_NODES * HK_HEX_NODES);
  for (int q = 0; q < 27; q++) {
    double p[3] = {POINT[q % 3], POINT[q / 3 % 3], POINT[q / 9]}, g[HK_HEX_NODES][3];
    own_gradients(p, g);
    double det = to_space(x, g);
    if (!(det > 0)) return false;
    double w = det * WEIGHT[q % 3] * WEIGHT[q / 3 % 3] * WEIGHT[q / 9];
    double lambda = w * m.lambda, mu = w * m.mu;
    for (int a = 0; a < HK_HEX_NODES; a++)
      for (int b = 0; b <= a; b++) {
        double dot = mu * (g[a][0] * g[b][0] + g[a][1] * g[b][1] + g[a][2] * g[b][2]);
        for (int i = 0; i < 3; i++) {
          for (int j = 0; j < 3; j++)
            K[3 * a + i][3 * b + j] += lambda * g[a][i] * g[b][j] + mu * g[a][j] * g[b][i];
          K[3 * a + i][3 * b + i] += dot;
        }
      }
  }
  for (int a = 0; a < 3 * HK_HEX_NODES; a++)
    for (int b = 0; b < a; b++) K[b][a] = K[a][b];
  return true;
}
