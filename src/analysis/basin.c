/* Basins of attraction: random initial states and the attractors that they lead to.  See include/hooke/nonlinear.h.
 */
#include "analysis/period.h"
#include "base/required.h"
#include "base/random.h"
#include "core/work.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- random starts ---- */

/* Draws random displacements d [nv] and random changes e [nv] of the velocities. */
static void scatter(const hk_model *m, const hk_spread *spread, uint64_t random, double *d,
                    double *e) {
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    for (int k = 0; k < n->nv; k++) {
      bool turn = n->coordinate[k].angular;
      bool fixed =
          n->fixed == HK_FIXED_ALL || n->fixed == (turn ? HK_FIXED_ORIENTATION : HK_FIXED_POSITION);
      /* Two random numbers are drawn for each coordinate even if they are not used, so that the sequences of
       * different models are comparable. */
      double a = hk_random_signed(&random), b = hk_random_signed(&random);
      d[n->v + k] = fixed ? 0 : a * (turn ? spread->angle : spread->length);
      e[n->v + k] = b * (turn ? spread->angular_velocity : spread->velocity);
    }
  }
}

hk_status hk_orbit_run_scattered(const hk_model *model, const hk_orbit_options *options,
                                 const hk_spread *spread, uint64_t seed, int index, hk_orbit *out,
                                 hk_diag *diag, hk_error *err) {
  HK_REQUIRE(out, err);
  static const hk_spread none;
  *out = (hk_orbit){0};
  if (!model) return hk_fail(err, HK_EINPUT, HK_NO_MODEL);
  if (!spread) spread = &none;
  size_t nv = (size_t)model->nv, nq = (size_t)model->nq;
  double *block = malloc((3 * nv + nq + 1) * sizeof *block);
  if (!block) return hk_fail(err, HK_ENOMEM, "out of memory");
  double *d = block, *e = d + nv, *v = e + nv, *q = v + nv;
  scatter(model, spread, hk_random_stream(seed, (uint64_t)index + 1), d, e);
  hk_configuration_add(model, model->q0, d, q);
  for (size_t i = 0; i < nv; i++) v[i] = model->v0[i] + e[i];
  /* Uses the same model with another initial state. */
  hk_model moved = *model;
  moved.q0 = q;
  moved.v0 = v;
  hk_status status = hk_orbit_run(&moved, options, out, diag, err);
  free(block);
  return status;
}

/* ---- attractors ---- */

static const double *point_of(const hk_orbit *o, int i) {
  return o->point + (size_t)i * (size_t)o->n_channels;
}

/* Distance from the points of the orbit `a` to the nearest points of the orbit `b`: the largest distance, or the
 * mean. */
static double one_way(const hk_orbit *a, const hk_orbit *b, const bool *wrap, const double *scale,
                      bool mean) {
  double most = 0, sum = 0;
  for (int i = 0; i < a->n; i++) {
    double nearest = INFINITY;
    for (int k = 0; k < b->n; k++) {
      double d = hk_point_distance(point_of(a, i), point_of(b, k), a->n_channels, wrap, scale);
      if (d < nearest) nearest = d;
    }
    most = fmax(most, nearest);
    sum += nearest;
  }
  return mean ? sum / a->n : most;
}

/* Periodic orbits are equal if their points are (Hausdorff distance).  Points of one strange attractor are mixed
 * without coinciding, so their mean distance is used [Dubuisson and Jain 1994]. */
static bool same(const hk_orbit *a, const hk_orbit *b, const bool *wrap, const double *scale,
                 double tolerance) {
  const double cloud = 0.1;
  if (a->repeat.period != b->repeat.period || a->n_channels != b->n_channels) return false;
  bool mean = a->repeat.period == 0;
  double limit = mean ? cloud : 10 * tolerance;
  return one_way(a, b, wrap, scale, mean) <= limit && one_way(b, a, wrap, scale, mean) <= limit;
}

static bool has_points(const hk_orbit *o) { return o->n > 0 && o->point && o->scale; }

/* Computes a common scale: the largest scale of an orbit, or a hundredth of the range of all
 * orbits, because several positions of rest have no extent. */
static void common_scale(const hk_orbit *orbit, int n, int m, double *scale) {
  for (int k = 0; k < m; k++) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < n; i++) {
      if (!has_points(&orbit[i]) || orbit[i].n_channels != m) continue;
      scale[k] = fmax(scale[k], orbit[i].scale[k]);
      for (int p = 0; p < orbit[i].n; p++) {
        double x = point_of(&orbit[i], p)[k];
        low = fmin(low, x), high = fmax(high, x);
      }
    }
    if (high > low) scale[k] = fmax(scale[k], 1e-2 * (high - low));
    if (!(scale[k] > 0)) scale[k] = 1;
  }
}

int hk_orbit_classify(const hk_orbit *orbit, int n, const bool *wrap, double tolerance,
                      int *attractor) {
  int count = 0, m = 0;
  for (int i = 0; i < n; i++)
    if (has_points(&orbit[i])) m = orbit[i].n_channels;
  double *scale = calloc((size_t)m + 1, sizeof *scale);
  int *first = calloc((size_t)n + 1, sizeof *first); /* orbit that represents an attractor */
  if (!scale || !first)
    count = HK_ENOMEM;
  else
    common_scale(orbit, n, m, scale);
  for (int i = 0; i < n && count >= 0; i++) {
    attractor[i] = -1;
    if (!has_points(&orbit[i]) || orbit[i].n_channels != m) continue;
    for (int a = 0; a < count && attractor[i] < 0; a++)
      if (same(&orbit[i], &orbit[first[a]], wrap, scale, tolerance)) attractor[i] = a;
    if (attractor[i] >= 0) continue;
    first[count] = i;
    attractor[i] = count++;
  }
  free(scale);
  free(first);
  return count;
}
