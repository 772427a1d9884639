/* Compliance tables: interpolation between stations, and checks. See compliance.h. */
#include "gear/compliance.h"
#include <math.h>

size_t hk_gear_compliance_size(int stations, int slices, int reach) {
  size_t n = (size_t)stations * (size_t)slices;
  return (size_t)(2 * reach + 1) * n * n;
}

static size_t entry_at(const hk_gear_compliance *g, int offset, int r, int i, int s, int j) {
  size_t n = (size_t)g->stations * (size_t)g->slices;
  size_t row = (size_t)r * (size_t)g->slices + (size_t)i;
  size_t column = (size_t)s * (size_t)g->slices + (size_t)j;
  return ((size_t)(offset + g->reach) * n + row) * n + column;
}

double hk_gear_compliance_entry(const hk_gear_compliance *g, int offset, int r, int i, int s,
                                int j) {
  return g->c[entry_at(g, offset, r, i, s, j)];
}

void hk_gear_compliance_locate(const hk_gear_compliance *g, hk_gear_touch *touch, int n) {
  int last = g->stations - 1;
  if (last < 0) return;
  double per_length = last > 0 ? last / (g->roll[last] - g->roll[0]) : 0;
  for (int k = 0; k < n; k++) {
    hk_gear_touch *t = &touch[k];
    t->station = 0, t->along = 0, t->slope = 0;
    if (last == 0 || !(t->roll > g->roll[0])) continue;
    if (t->roll >= g->roll[last]) {
      t->station = last - 1, t->along = 1;
      continue;
    }
    /* Estimates the interval as for evenly spaced stations, and searches from there. */
    int at = (int)((t->roll - g->roll[0]) * per_length);
    at = at < 0 ? 0 : at > last - 1 ? last - 1 : at;
    while (at > 0 && t->roll < g->roll[at]) at--;
    while (at < last - 1 && t->roll >= g->roll[at + 1]) at++;
    t->station = at;
    t->slope = 1 / (g->roll[at + 1] - g->roll[at]);
    t->along = (t->roll - g->roll[at]) * t->slope;
  }
}

void hk_gear_compliance_add(const hk_gear_compliance *g, const hk_gear_touch *touch, int n,
                            double *C, double *C_roll) {
  if (g->stations == 0) return;
  size_t by_column = g->stations > 1 ? (size_t)g->slices : 0;
  size_t by_row = by_column * (size_t)g->stations * (size_t)g->slices;
  for (int a = 0; a < n; a++)
    for (int b = 0; b <= a; b++) {
      const hk_gear_touch *r = &touch[a], *s = &touch[b];
      int offset = r->tooth - s->tooth;
      if (offset && !g->reach) continue;
      offset = offset > g->reach ? g->reach : offset < -g->reach ? -g->reach : offset;
      const double *c = g->c + entry_at(g, offset, r->station, r->slice, s->station, s->slice);
      double here = c[0] + s->along * (c[by_column] - c[0]);
      double there = c[by_row] + s->along * (c[by_row + by_column] - c[by_row]);
      double value = here + r->along * (there - here);
      C[a * n + b] += value;
      if (a != b) C[b * n + a] += value;
      if (!C_roll) continue;
      double by_s = c[by_column] - c[0] +
                    r->along * (c[by_row + by_column] - c[by_row] - c[by_column] + c[0]);
      double by_row_roll = r->slope * (there - here), by_column_roll = s->slope * by_s;
      if (a == b) by_row_roll = by_column_roll = 0.5 * (by_row_roll + by_column_roll);
      C_roll[a * n + b] += by_row_roll;
      if (a != b) C_roll[b * n + a] += by_column_roll;
    }
}

double hk_gear_compliance_own(const hk_gear_compliance *g, const hk_gear_touch *touch,
                              double *slope) {
  const int i = touch->slice;
  size_t by_column = g->stations > 1 ? (size_t)g->slices : 0;
  size_t by_row = by_column * (size_t)g->stations * (size_t)g->slices;
  const double *c = g->c + entry_at(g, 0, touch->station, i, touch->station, i);
  /* coupling with the neighbours on both sides, so that both hands of the helix are equal */
  const double *d[2];
  int n = 0;
  for (int other = i - 1; other <= i + 1 && g->reach > 0; other += 2)
    if (other >= 0 && other < g->slices)
      d[n++] = g->c + entry_at(g, 0, touch->station, i, touch->station, other);
  double own[4];
  for (int k = 0; k < 4; k++) {
    size_t at = (k & 1 ? by_column : 0) + (k & 2 ? by_row : 0);
    own[k] = c[at];
    for (int m = 0; m < n; m++) own[k] -= d[m][at] / n;
  }
  double t = touch->along, here = own[0] + t * (own[1] - own[0]),
         there = own[2] + t * (own[3] - own[2]);
  *slope =
      touch->slope * (there - here + own[1] - own[0] + t * (own[3] - own[2] - own[1] + own[0]));
  return here + t * (there - here);
}

/* ---- checks ---- */

static hk_status check_sizes(const hk_gear_compliance *g, hk_error *err) {
  if (g->stations < 2 || g->stations > HK_GEAR_MAX_STATIONS)
    return hk_fail(err, HK_EINPUT, "a compliance table has 2 to %d stations, not %d",
                   HK_GEAR_MAX_STATIONS, g->stations);
  if (g->slices < 1 || g->slices > HK_GEAR_MAX_SLICES)
    return hk_fail(err, HK_EINPUT, "a compliance table has 1 to %d slices, not %d",
                   HK_GEAR_MAX_SLICES, g->slices);
  if (g->reach < 0 || g->reach > HK_GEAR_MAX_REACH)
    return hk_fail(err, HK_EINPUT,
                   "a compliance table has at most %d neighbours on each side, not %d",
                   HK_GEAR_MAX_REACH, g->reach);
  for (int r = 0; r < g->stations; r++) {
    if (!isfinite(g->roll[r]) || g->roll[r] < 0)
      return hk_fail(err, HK_EINPUT, "roll length %d is %g m; it must be finite and not negative",
                     r + 1, g->roll[r]);
    if (r && !(g->roll[r] > g->roll[r - 1]))
      return hk_fail(err, HK_EINPUT,
                     "roll lengths must ascend, but number %d is %.9g m after %.9g m", r + 1,
                     g->roll[r], g->roll[r - 1]);
  }
  return HK_OK;
}

/* Returns the largest magnitude, or an error with the location of a value that is not finite. */
static hk_status check_finite(const hk_gear_compliance *g, double *largest, hk_error *err) {
  *largest = 0;
  for (int o = -g->reach; o <= g->reach; o++)
    for (int r = 0; r < g->stations; r++)
      for (int i = 0; i < g->slices; i++)
        for (int s = 0; s < g->stations; s++)
          for (int j = 0; j < g->slices; j++) {
            double c = hk_gear_compliance_entry(g, o, r, i, s, j);
            if (!isfinite(c))
              return hk_fail(
                  err, HK_EINPUT,
                  "compliance of tooth %+d, station %d, slice %d under a force at station "
                  "%d, slice %d is %g; it must be finite",
                  o, r + 1, i + 1, s + 1, j + 1, c);
            *largest = fmax(*largest, fabs(c));
          }
  return HK_OK;
}

static hk_status check_symmetry(const hk_gear_compliance *g, double largest, hk_error *err) {
  for (int o = 0; o <= g->reach; o++)
    for (int r = 0; r < g->stations; r++)
      for (int i = 0; i < g->slices; i++)
        for (int s = 0; s < g->stations; s++)
          for (int j = 0; j < g->slices; j++) {
            double c = hk_gear_compliance_entry(g, o, r, i, s, j);
            double mirrored = hk_gear_compliance_entry(g, -o, s, j, r, i);
            if (fabs(c - mirrored) > HK_GEAR_SYMMETRY * largest)
              return hk_fail(
                  err, HK_EINPUT,
                  "compliance is not symmetric: tooth %+d, station %d, slice %d deflects by %.6g "
                  "m/N under a force at station %d, slice %d, but the reverse is %.6g m/N; they "
                  "may differ by %.3g m/N (use the mean of both)",
                  o, r + 1, i + 1, c, s + 1, j + 1, mirrored, HK_GEAR_SYMMETRY * largest);
          }
  return HK_OK;
}

/* Cholesky factorization of the slices at one station: checks that the matrix is positive
 * definite. */
static bool is_elastic(const hk_gear_compliance *g, int r) {
  double L[HK_GEAR_MAX_SLICES][HK_GEAR_MAX_SLICES];
  for (int i = 0; i < g->slices; i++)
    for (int j = 0; j <= i; j++) {
      double a = hk_gear_compliance_entry(g, 0, r, i, r, j);
      for (int k = 0; k < j; k++) a -= L[i][k] * L[j][k];
      if (i == j && !(a > 0)) return false;
      L[i][j] = i == j ? sqrt(a) : a / L[j][j];
    }
  return true;
}

hk_status hk_gear_compliance_check(const hk_gear_compliance *g, hk_error *err) {
  double largest;
  hk_status status = check_sizes(g, err);
  if (!status) status = check_finite(g, &largest, err);
  if (!status) status = check_symmetry(g, largest, err);
  for (int r = 0; r < g->stations && !status; r++)
    if (!is_elastic(g, r))
      status = hk_fail(
          err, HK_EINPUT,
          "compliance at station %d is not positive definite: some load would do no work", r + 1);
  return status;
}

void hk_gear_compliance_symmetrise(const hk_gear_compliance *g, double *c) {
  for (int o = 0; o <= g->reach; o++)
    for (int r = 0; r < g->stations; r++)
      for (int i = 0; i < g->slices; i++)
        for (int s = 0; s < g->stations; s++)
          for (int j = 0; j < g->slices; j++) {
            size_t at = entry_at(g, o, r, i, s, j), mirrored = entry_at(g, -o, s, j, r, i);
            c[at] = c[mirrored] = 0.5 * (c[at] + c[mirrored]);
          }
}

hk_status hk_gear_compliance_fits(const hk_gear_compliance *g, const hk_gear_flank *flank,
                                  hk_error *err) {
  if (g->stations == 0) return HK_OK;
  double first = g->roll[0], last = g->roll[g->stations - 1];
  /* Tolerance for the end of the flank, which depends on the accuracy of the diameter used for
   * the table. */
  double slack = 0.01 * (flank->roll_last - flank->roll_first);
  if (g->slices != flank->slices)
    return hk_fail(err, HK_EINPUT, "the compliance table has %d slices, but the gear has %d",
                   g->slices, flank->slices);
  if (last > flank->roll_tip + slack)
    return hk_fail(err, HK_EINPUT,
                   "the compliance is that of another gear: its stations end at a roll length of "
                   "%.6g mm, but the flank ends at %.6g mm",
                   1e3 * last, 1e3 * flank->roll_tip);
  if (first > flank->roll_first + slack || last < flank->roll_last - slack)
    return hk_fail(err, HK_EINPUT,
                   "the compliance is that of another gear: its stations are from %.6g to %.6g mm "
                   "of roll length, but contact is from %.6g to %.6g mm",
                   1e3 * first, 1e3 * last, 1e3 * flank->roll_first, 1e3 * flank->roll_last);
  return HK_OK;
}

/* Returns the fraction of the new slice j that is in the old slice i. The new slices cover the
 * part `from` .. `to` of the face, the old ones the whole face. */
static double covered(int slices, double from, double to, int j, int i) {
  double width = (to - from) / slices, low = from + j * width;
  double begin = (double)i / slices - 0.5, end = (i + 1.0) / slices - 0.5;
  return fmax(0, fmin(low + width, end) - fmax(low, begin)) / width;
}

hk_status hk_gear_compliance_refit(hk_arena *arena, const hk_gear_compliance *g, double from,
                                   double to, hk_gear_compliance *out, hk_error *err) {
  int n = g->slices;
  double part[HK_GEAR_MAX_SLICES][HK_GEAR_MAX_SLICES], half[HK_GEAR_MAX_SLICES];
  double *c = HK_NEW_ARRAY(arena, double, hk_gear_compliance_size(g->stations, n, g->reach));
  if (!c) return hk_fail(err, HK_ENOMEM, "out of memory");
  *out = *g;
  out->c = c;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) part[j][i] = covered(n, from, to, j, i);
  for (int o = -g->reach; o <= g->reach; o++)
    for (int r = 0; r < g->stations; r++)
      for (int s = 0; s < g->stations; s++)
        for (int j = 0; j < n; j++) {
          for (int k = 0; k < n; k++) { /* deflection of the new slice j under a force on the old
                                         * slice k */
            half[k] = 0;
            for (int i = 0; i < n; i++)
              half[k] += part[j][i] * hk_gear_compliance_entry(g, o, r, i, s, k);
          }
          for (int k = 0; k < n; k++) {
            double sum = 0;
            for (int i = 0; i < n; i++) sum += half[i] * part[k][i];
            c[entry_at(g, o, r, j, s, k)] = sum;
          }
        }
  return HK_OK;
}
