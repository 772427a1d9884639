/* Checks of the data of a flexible body: see flexible_data.h. */
#include "flexible/flexible_data.h"
#include "base/eigen_small.h"
#include <ctype.h>
#include <math.h>
#include <string.h>

/* Tolerance of the symmetry checks, relative to the largest number of the array. The tolerance is larger than
 * round-off, because the data may come from text files with fewer digits. */
static const double TOLERANCE = 1e-6;

bool hk_flexible_name_ok(const char *name) {
  if (!isalpha((unsigned char)*name)) return false;
  size_t n = 1;
  while (isalnum((unsigned char)name[n]) || name[n] == '_') n++;
  return !name[n] && n < HK_FLEXIBLE_NAME;
}

int hk_flexible_interface_find(const hk_flexible_data *b, const char *name) {
  for (int i = 0; i < b->n_interfaces; i++)
    if (strcmp(b->interface[i].name, name) == 0) return i;
  return -1;
}

static hk_status finite_all(const double *x, size_t n, const char *name, hk_error *err) {
  for (size_t i = 0; x && i < n; i++)
    if (!isfinite(x[i]))
      return hk_fail(err, HK_EINPUT, "number %zu of '%s' is not finite", i + 1, name);
  return HK_OK;
}

static hk_status finite_floats(const float *x, size_t n, const char *name, hk_error *err) {
  for (size_t i = 0; x && i < n; i++)
    if (!isfinite(x[i]))
      return hk_fail(err, HK_EINPUT, "number %zu of '%s' is not finite", i + 1, name);
  return HK_OK;
}

static double largest(const double *x, size_t n) {
  double most = 0;
  for (size_t i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

/* Checks blocks of 3 x 3 numbers for symmetry. */
static hk_status symmetric_blocks(const double *x, size_t n, const char *name, hk_error *err) {
  double bound = TOLERANCE * largest(x, 9 * n);
  for (size_t i = 0; i < n; i++, x += 9)
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < r; c++)
        if (fabs(x[3 * r + c] - x[3 * c + r]) > bound)
          return hk_fail(err, HK_EINPUT,
                         "matrix %zu of '%s' is not symmetric: its elements %d,%d and %d,%d are "
                         "%.9g and %.9g",
                         i + 1, name, r + 1, c + 1, c + 1, r + 1, x[3 * r + c], x[3 * c + r]);
  return HK_OK;
}

/* Checks that x[m][m][n] changes only by the factor `sign` when the two modes are exchanged. */
static hk_status symmetric_modes(const double *x, int m, int n, double sign, const char *name,
                                 hk_error *err) {
  double bound = TOLERANCE * largest(x, (size_t)m * (size_t)m * (size_t)n);
  for (int k = 0; k < m; k++)
    for (int l = 0; l <= k; l++)
      for (int i = 0; i < n; i++) {
        double a = x[((size_t)k * (size_t)m + (size_t)l) * (size_t)n + (size_t)i];
        double b = x[((size_t)l * (size_t)m + (size_t)k) * (size_t)n + (size_t)i];
        if (fabs(a - sign * b) > bound)
          return hk_fail(err, HK_EINPUT, "'%s' is not %s in the modes %d and %d: %.9g and %.9g",
                         name, sign > 0 ? "symmetric" : "antisymmetric", k + 1, l + 1, a, b);
      }
  return HK_OK;
}

static hk_status check_rigid(const hk_flexible_data *b, hk_error *err) {
  if (!isfinite(b->mass) || !(b->mass > 0))
    return hk_fail(err, HK_EINPUT, "'mass' is %g kg; it must be positive", b->mass);
  const double center[3] = {b->center.x, b->center.y, b->center.z};
  hk_status status = finite_all(center, 3, "center", err);
  if (!status) status = finite_all(&b->J0.m[0][0], 9, "inertia", err);
  if (!status) status = symmetric_blocks(&b->J0.m[0][0], 1, "inertia", err);
  if (status) return status;
  double moment[3];
  hk_symmetric_eigenvalues(&b->J0.m[0][0], 3, moment);
  if (!(moment[0] > 0) || moment[0] + moment[1] < moment[2] * (1 - 1e-9))
    return hk_fail(
        err, HK_EINPUT,
        "'inertia' is impossible for a body: its principal moments are %.6g, %.6g and %.6g "
        "kg m^2",
        moment[0], moment[1], moment[2]);
  return HK_OK;
}

/* Every J2_kl has the trace 2 tr(P_kl) = 2 delta_kl, because the modes are normalised by the mass. */
static hk_status check_norm(const hk_flexible_data *b, hk_error *err) {
  for (int k = 0; k < b->m; k++)
    for (int l = 0; l < b->m; l++) {
      const double *J = b->J2 + 9 * ((size_t)k * (size_t)b->m + (size_t)l);
      double trace = J[0] + J[4] + J[8], wanted = k == l ? 2 : 0;
      if (fabs(trace - wanted) > 1e-5)
        return hk_fail(
            err, HK_EINPUT,
            "the modes %d and %d are not orthonormal with the mass of the body: the trace "
            "of their matrix in 'inertia_2' is %.9g, and must be %g",
            k + 1, l + 1, trace, wanted);
    }
  return HK_OK;
}

static hk_status check_modes(const hk_flexible_data *b, hk_error *err) {
  size_t m = (size_t)b->m, mm = m * m;
  hk_status status = finite_all(b->w2, m, "squared_frequency", err);
  for (int k = 0; k < b->m && !status; k++)
    if (!(b->w2[k] > 0))
      status = hk_fail(err, HK_EINPUT,
                       "mode %d in 'squared_frequency' has %g 1/s^2; rigid motions do not belong "
                       "to the modes, so all values must be positive",
                       k + 1, b->w2[k]);
  if (!status) status = finite_all(b->J1, 9 * m, "inertia_1", err);
  if (!status) status = finite_all(b->J2, 9 * mm, "inertia_2", err);
  if (!status) status = finite_all(b->c, 3 * mm, "coriolis", err);
  if (!status) status = finite_all(b->K, 9 * mm, "stiffening", err);
  if (!status)
    status = finite_all(b->fixed_w2, b->n_fixed > 0 ? (size_t)b->n_fixed : 0,
                        "fixed_squared_frequency", err);
  if (!status) status = symmetric_blocks(b->J1, m, "inertia_1", err);
  if (!status) status = symmetric_blocks(b->J2, mm, "inertia_2", err);
  if (!status) status = symmetric_modes(b->J2, b->m, 9, 1, "inertia_2", err);
  if (!status) status = symmetric_modes(b->c, b->m, 3, -1, "coriolis", err);
  if (!status && b->K) status = symmetric_blocks(b->K, mm, "stiffening", err);
  if (!status && b->K) status = symmetric_modes(b->K, b->m, 9, 1, "stiffening", err);
  return status ? status : check_norm(b, err);
}

static hk_status check_interface(const hk_flexible_data *b, const hk_flexible_interface *f,
                                 hk_error *err) {
  size_t m = (size_t)b->m;
  const double s[3] = {f->s.x, f->s.y, f->s.z};
  hk_status status = finite_all(s, 3, "position", err);
  if (!status) status = finite_all(f->phi, 3 * m, "translation", err);
  if (!status) status = finite_all(f->psi, 3 * m, "rotation", err);
  if (!status) status = finite_all(f->G, 3 * m * m, "second_order", err);
  for (int a = 0; a < 3 && !status && f->G; a++)
    status = symmetric_modes(f->G + (size_t)a * m * m, b->m, 1, 1, "second_order", err);
  return status;
}

static hk_status check_surface(const hk_flexible_data *b, hk_error *err) {
  const hk_flexible_surface *s = &b->surface;
  size_t n = (size_t)s->n_vertices, m = (size_t)b->m;
  hk_status status = finite_floats(s->vertex, 3 * n, "vertices", err);
  if (!status) status = finite_floats(s->displacement, 3 * n * m, "displacement", err);
  if (!status) status = finite_floats(s->stress, 6 * n * m, "stress", err);
  for (size_t i = 0; i < 3 * (size_t)s->n_triangles && !status; i++)
    if (s->triangle[i] < 0 || s->triangle[i] >= s->n_vertices)
      status = hk_fail(err, HK_EINPUT, "triangle %zu of the surface has the vertex %d of %d",
                       i / 3 + 1, (int)s->triangle[i], s->n_vertices);
  return status;
}

hk_status hk_flexible_check(const hk_flexible_data *b, hk_error *err) {
  if (b->m < 1 || b->m > HK_FLEXIBLE_MAX_MODES)
    return hk_fail(err, HK_EINPUT, "it has %d modes; 1 to %d are possible", b->m,
                   HK_FLEXIBLE_MAX_MODES);
  hk_status status = check_rigid(b, err);
  if (!status) status = check_modes(b, err);
  for (int i = 0; i < b->n_interfaces && !status; i++) {
    const hk_flexible_interface *f = &b->interface[i];
    hk_error why = {0};
    if (!hk_flexible_name_ok(f->name))
      return hk_fail(err, HK_EINPUT,
                     "interface %d has the name '%.80s'; a name is a letter followed by letters, "
                     "digits and _",
                     i + 1, f->name);
    for (int k = 0; k < i; k++)
      if (strcmp(b->interface[k].name, f->name) == 0)
        return hk_fail(err, HK_EINPUT, "two interfaces have the name '%s'", f->name);
    status = check_interface(b, f, &why);
    if (status) hk_fail(err, status, "interface '%s': %s", f->name, why.text);
  }
  return status ? status : check_surface(b, err);
}
