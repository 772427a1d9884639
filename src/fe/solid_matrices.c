/* Matrices of one solid element: see solid.h. */
#include "fe/solid.h"
#include <string.h>

double hk_solid_gradients(const hk_solid_rule *rule, int q, double x[][3], double g[][3]) {
  /* Jacobian J[d][i] = dx_i/dp_d, and I, its inverse times its determinant. */
  double J[3][3] = {{0}}, I[3][3];
  for (int a = 0; a < rule->nodes; a++)
    for (int d = 0; d < 3; d++)
      for (int i = 0; i < 3; i++) J[d][i] += rule->D[q][a][d] * x[a][i];
  for (int d = 0; d < 3; d++) {
    int e = (d + 1) % 3, f = (d + 2) % 3;
    for (int i = 0; i < 3; i++) {
      int j = (i + 1) % 3, k = (i + 2) % 3;
      I[i][d] = J[e][j] * J[f][k] - J[e][k] * J[f][j];
    }
  }
  double det = J[0][0] * I[0][0] + J[0][1] * I[1][0] + J[0][2] * I[2][0];
  for (int a = 0; a < rule->nodes; a++)
    for (int i = 0; i < 3; i++)
      g[a][i] =
          (I[i][0] * rule->D[q][a][0] + I[i][1] * rule->D[q][a][1] + I[i][2] * rule->D[q][a][2]) /
          det;
  return det;
}

bool hk_solid_stiffness(const hk_solid_rule *rule, double x[][3], hk_solid_elasticity e,
                        double K[HK_SOLID_NODES][HK_SOLID_NODES][9]) {
  double g[HK_SOLID_NODES][3];
  int n = rule->nodes;
  for (int a = 0; a < n; a++) memset(K[a], 0, sizeof K[a][0] * (size_t)n);
  for (int q = 0; q < rule->points; q++) {
    double det = hk_solid_gradients(rule, q, x, g), w = rule->weight[q] * det;
    if (!(det > 0)) return false;
    double lambda = w * e.lambda, mu = w * e.mu;
    for (int a = 0; a < n; a++)
      for (int b = 0; b <= a; b++) {
        double *k = K[a][b], dot = mu * (g[a][0] * g[b][0] + g[a][1] * g[b][1] + g[a][2] * g[b][2]);
        for (int i = 0; i < 3; i++) {
          for (int j = 0; j < 3; j++)
            k[3 * i + j] += lambda * g[a][i] * g[b][j] + mu * g[a][j] * g[b][i];
          k[4 * i] += dot;
        }
      }
  }
  for (int a = 0; a < n; a++)
    for (int b = 0; b < a; b++)
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) K[b][a][3 * j + i] = K[a][b][3 * i + j];
  return true;
}

double hk_solid_mass(const hk_solid_rule *rule, double x[][3], double density,
                     double m[HK_SOLID_NODES][HK_SOLID_NODES]) {
  double g[HK_SOLID_NODES][3], volume = 0;
  int n = rule->nodes;
  for (int a = 0; a < n; a++) memset(m[a], 0, sizeof m[a][0] * (size_t)n);
  for (int q = 0; q < rule->points; q++) {
    double det = hk_solid_gradients(rule, q, x, g), w = rule->weight[q] * det;
    if (!(det > 0)) return -1;
    volume += w;
    for (int a = 0; a < n; a++)
      for (int b = 0; b <= a; b++) m[a][b] += density * w * rule->N[q][a] * rule->N[q][b];
  }
  for (int a = 0; a < n; a++)
    for (int b = 0; b < a; b++) m[b][a] = m[a][b];
  return volume;
}

void hk_solid_stress(int nodes, double g[][3], double u[][3], hk_solid_elasticity e,
                     double stress[6]) {
  double D[3][3] = {{0}}; /* D[i][j] = du_i/dx_j */
  for (int a = 0; a < nodes; a++)
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) D[i][j] += u[a][i] * g[a][j];
  double volume = e.lambda * (D[0][0] + D[1][1] + D[2][2]);
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3;
    stress[i] = volume + 2 * e.mu * D[i][i];
    stress[3 + i] = e.mu * (D[i][j] + D[j][i]);
  }
}

void hk_solid_stress_stiffness(const hk_solid_rule *rule, double x[][3], double u[][3],
                               hk_solid_elasticity e, double k[HK_SOLID_NODES][HK_SOLID_NODES]) {
  double g[HK_SOLID_NODES][3], s[6];
  int n = rule->nodes;
  for (int a = 0; a < n; a++) memset(k[a], 0, sizeof k[a][0] * (size_t)n);
  for (int q = 0; q < rule->points; q++) {
    double w = rule->weight[q] * hk_solid_gradients(rule, q, x, g);
    hk_solid_stress(n, g, u, e, s);
    for (int a = 0; a < n; a++) {
      double t[3] = {w * (s[0] * g[a][0] + s[3] * g[a][1] + s[5] * g[a][2]),
                     w * (s[3] * g[a][0] + s[1] * g[a][1] + s[4] * g[a][2]),
                     w * (s[5] * g[a][0] + s[4] * g[a][1] + s[2] * g[a][2])};
      for (int b = 0; b < n; b++) k[a][b] += t[0] * g[b][0] + t[1] * g[b][1] + t[2] * g[b][2];
    }
  }
}
