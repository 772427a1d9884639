/* A small flexible body with exact integrals: see flexible_sample.h. */
#include "flexible/flexible_sample.h"
#include <math.h>
#include <string.h>

const double HK_SAMPLE_X[HK_SAMPLE_POINTS][3] = {
    {0.3, 0.1, -0.1}, {-0.2, 0.25, 0.1}, {-0.15, -0.2, 0.2}, {0.05, -0.15, -0.2}};

/* Removes the part of v along the n given vectors, which are orthonormal. */
static void project(double *v, double basis[][3 * HK_SAMPLE_POINTS], int n) {
  for (int twice = 0; twice < 2; twice++)
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (int j = 0; j < 3 * HK_SAMPLE_POINTS; j++) sum += v[j] * basis[i][j];
      for (int j = 0; j < 3 * HK_SAMPLE_POINTS; j++) v[j] -= sum * basis[i][j];
    }
  double size = 0;
  for (int j = 0; j < 3 * HK_SAMPLE_POINTS; j++) size += v[j] * v[j];
  for (int j = 0; j < 3 * HK_SAMPLE_POINTS; j++) v[j] /= sqrt(size);
}

/* Creates the modes: arbitrary displacements, made orthogonal to the six rigid motions of four equal masses. */
static void make_modes(hk_flexible_sample *c, double mass) {
  double basis[6 + HK_SAMPLE_MODES][3 * HK_SAMPLE_POINTS] = {{0}};
  for (int i = 0; i < 6 + HK_SAMPLE_MODES; i++) {
    for (int p = 0; p < HK_SAMPLE_POINTS; p++) {
      const double *X = HK_SAMPLE_X[p];
      double *v = &basis[i][3 * p];
      if (i < 3) v[i] = 1;
      if (i == 3) v[1] = -X[2], v[2] = X[1];
      if (i == 4) v[0] = X[2], v[2] = -X[0];
      if (i == 5) v[0] = -X[1], v[1] = X[0];
      for (int a = 0; a < 3 && i > 5; a++) v[a] = sin(1.7 * i + 2.3 * p + 0.9 * a * i);
    }
    project(basis[i], basis, i);
  }
  for (int k = 0; k < HK_SAMPLE_MODES; k++)
    for (int j = 0; j < 3 * HK_SAMPLE_POINTS; j++) c->mode[k][j] = basis[6 + k][j] / sqrt(mass);
}

void hk_flexible_sample_make(hk_flexible_sample *c, bool stiffening) {
  const double mass = 0.5; /* of each point */
  memset(c, 0, sizeof *c);
  make_modes(c, mass);
  hk_flexible_data *d = &c->data;
  *d = (hk_flexible_data){.m = HK_SAMPLE_MODES,
                          .mass = HK_SAMPLE_POINTS * mass,
                          .center = {0.1, -0.2, 0.05},
                          .w2 = c->w2,
                          .J1 = &c->J1[0][0][0],
                          .J2 = &c->J2[0][0][0][0],
                          .c = &c->c[0][0][0],
                          .K = stiffening ? &c->K[0][0][0][0] : NULL,
                          .n_fixed = -1,
                          .n_interfaces = 2,
                          .interface = c->interface,
                          .source = "four point masses",
                          .hash = ""};
  for (int p = 0; p < HK_SAMPLE_POINTS; p++) {
    const double *X = HK_SAMPLE_X[p];
    double XX = X[0] * X[0] + X[1] * X[1] + X[2] * X[2];
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++) {
        d->J0.m[a][b] += mass * ((a == b) * XX - X[a] * X[b]);
        for (int k = 0; k < HK_SAMPLE_MODES; k++) {
          const double *u = &c->mode[k][3 * p];
          double Xu = X[0] * u[0] + X[1] * u[1] + X[2] * u[2];
          c->J1[k][a][b] += mass * (2 * (a == b) * Xu - X[a] * u[b] - u[a] * X[b]);
          for (int l = 0; l < HK_SAMPLE_MODES; l++) {
            const double *w = &c->mode[l][3 * p];
            double uw = u[0] * w[0] + u[1] * w[1] + u[2] * w[2];
            c->J2[k][l][a][b] += mass * ((a == b) * uw - 0.5 * (u[a] * w[b] + u[b] * w[a]));
            if (b == 0) {
              int e = (a + 1) % 3, f = (a + 2) % 3;
              c->c[k][l][a] += mass * (u[e] * w[f] - u[f] * w[e]);
            }
          }
        }
      }
  }
  for (int k = 0; k < HK_SAMPLE_MODES; k++) {
    c->w2[k] = 4e4 * (k + 1);
    for (int l = 0; l < HK_SAMPLE_MODES; l++)
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
          c->K[k][l][a][b] = 0.2 * cos(k + l) * (1 + (a == b) + 0.3 * a * b);
  }
  for (int i = 0; i < 2; i++) {
    const double *X = HK_SAMPLE_X[i];
    c->interface[i] = (hk_flexible_interface){.name = i ? "right" : "left",
                                              .s = {X[0], X[1], X[2]},
                                              .phi = &c->phi[i][0][0],
                                              .psi = &c->psi[i][0][0],
                                              .G = stiffening ? &c->G[i][0][0][0] : NULL};
    for (int a = 0; a < 3; a++)
      for (int k = 0; k < HK_SAMPLE_MODES; k++) {
        c->phi[i][a][k] = c->mode[k][3 * i + a];
        c->psi[i][a][k] = 2 * sin(1 + a + 3 * k + i);
        for (int l = 0; l < HK_SAMPLE_MODES; l++) c->G[i][a][k][l] = -0.7 * cos(a + k + l + i);
      }
  }
}
