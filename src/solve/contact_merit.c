/* The merit function for the results of all contact solvers (contact_problem.h). */
#include "solve/contact_private.h"

/* Natural map of one contact: |P - proj(P - xi - mu |xi_T| n)|, largest entry. */
HK_INLINE double natural_map(const int dim, double mu, const double *P, const double *xi) {
  double slip = dim == 2 ? fabs(xi[1]) : sqrt(xi[1] * xi[1] + xi[2] * xi[2]);
  double x[3] = {0}, worst = 0;
  for (int a = 0; a < dim; a++) x[a] = P[a] - xi[a];
  x[0] -= mu * slip;
  hk_contact_project(dim, mu, x);
  for (int a = 0; a < dim; a++) {
    double e = fabs(P[a] - x[a]);
    worst = e > worst ? e : worst;
  }
  return worst;
}

void hk_contact_velocity(const hk_contact_scaled *s, const double *P, double *xi) {
  const int m = s->rows;
  for (int i = 0; i < m; i++) {
    double sum = s->b[i];
    for (int j = 0; j < m; j++) sum += s->G[i * m + j] * P[j];
    xi[i] = sum;
  }
}

double hk_contact_residual(const hk_contact_scaled *s, const double *P, double *xi) {
  double worst = 0;
  hk_contact_velocity(s, P, xi);
  for (int i = 0; i < s->contacts; i++)
    worst = fmax(worst, natural_map(s->dim, s->mu[i], P + s->dim * i, xi + s->dim * i));
  return worst;
}

/* Returns the maximum without a call of fmax. Values that are not finite are detected elsewhere. */
HK_INLINE double larger(double a, double b) { return a > b ? a : b; }

/* Square root of the mean diagonal entry of contact i, or of bilateral row i - contacts. */
HK_INLINE double unit_of(const hk_contact_problem *p, int i, int n) {
  double sum = 0;
  int rows = i < p->contacts ? p->dim : 1;
  int first = i < p->contacts ? p->dim * i : p->dim * p->contacts + i - p->contacts;
  for (int a = first; a < first + rows; a++) sum += p->G[a * n + a];
  return sum > 0 ? sqrt(sum / rows) : 0;
}

HK_INLINE double merit(const hk_contact_problem *p, const int dim, const int contacts,
                       const int bilateral, const double *P) {
  const int n = dim * contacts + bilateral, blocks = contacts + bilateral;
  double top_d = 0, top_b = 0, top_P = 0, worst = 0, finite = 0;
  for (int i = 0; i < blocks; i++) top_d = larger(top_d, unit_of(p, i, n));
  if (!(top_d > 0)) top_d = 1; /* no contact point can move: any unit is valid */
  for (int i = 0; i < blocks; i++) {
    const int rows = i < contacts ? dim : 1;
    const int first = i < contacts ? dim * i : dim * contacts + i - contacts;
    double d = unit_of(p, i, n), xi[3] = {0}, x[3] = {0};
    if (!(d > 0)) d = top_d;
    for (int a = 0; a < rows; a++) {
      double sum = p->b[first + a];
      for (int j = 0; j < n; j++) sum += p->G[(first + a) * n + j] * P[j];
      xi[a] = sum / d, x[a] = P[first + a] * d;
      finite += xi[a] * 0 + x[a] * 0;
      top_b = larger(top_b, larger(fabs(p->b[first + a]), p->speed) / d);
      top_P = larger(top_P, fabs(x[a]));
    }
    worst = larger(worst, i < contacts ? natural_map(dim, p->mu[i], x, xi) : fabs(xi[0]));
  }
  if (!(finite == 0)) return HUGE_VAL;
  return worst == 0 ? 0
                    : worst / (top_b + (0.01 * top_P < 1000 * top_b ? 0.01 * top_P : 1000 * top_b));
}

double hk_contact_merit(const hk_contact_problem *p, const double *P) {
  if (p->dim == 2 && p->contacts == 1 && p->bilateral == 0) return merit(p, 2, 1, 0, P);
  if (p->dim == 3 && p->contacts == 1 && p->bilateral == 0) return merit(p, 3, 1, 0, P);
  return merit(p, p->dim, p->contacts, p->bilateral, P);
}

const char *hk_contact_solver_name(hk_contact_solver solver) {
  static const char *const name[] = {"auto", "direct", "lemke", "newton", "nsgs", "polyhedral"};
  return (unsigned)solver < sizeof name / sizeof *name ? name[solver] : "unknown";
}
