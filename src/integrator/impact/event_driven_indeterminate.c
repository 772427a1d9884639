/* Rigid bodies with undetermined or nonexistent contact forces: which quantities are still unique, and how the other
 * cases are reported.
 *
 * Forces of closed contacts are not unique if their directions depend on each other or on the
 * joints. Let Z be the combinations of forces that have no effect along any held direction. The
 * motion is still unique if these forces have no effect in any other direction either, A^-1 F Z
 * = 0. This always holds for contacts that stick or have no friction, because then F Z = 0
 * follows from Z' G Z = 0. Friction of sliding points is not symmetric and may make Z move the
 * bodies; then the motion is undetermined, which is reported. If the motion is unique, forces
 * are shared in proportion to the limits of friction, so that parallel contacts reach their
 * limits together.
 *
 * Sliding friction may press bodies together more strongly than the normal force separates them. Then the principal
 * minors of G are no longer all positive, and the equations of motion may have no solution or several solutions
 * [Painleve1895; GenotBrogliato1999]. */
#include "integrator/impact/event_driven.h"
#include "sim/quality.h"
#include <stdarg.h>
#include <stdio.h>

hk_status hk_event_refuse(hk_event_driven *e, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  vsnprintf(e->text, sizeof e->text, fmt, args);
  va_end(args);
  e->why = e->text;
  return HK_EFAIL;
}

const char *hk_event_point_name(const hk_sim *s, const hk_event_driven *e, int i) {
  return s->model->contact[e->row[i].contact].name;
}

/* ---- forces that are not unique ---- */

static bool rubs(const hk_event_driven *e, int i) {
  return e->point[i].mode == HK_MODE_SLIP && e->row[i].mu > 0 && e->row[i].tangents > 0;
}

/* Returns the contact point with the largest component in z. */
static int largest_part(const hk_event_driven *e, const double *z) {
  int found = 0;
  double most = -1;
  for (int i = 0; i < e->n; i++)
    for (int k = 0; k < e->point[i].unknowns; k++)
      if (fabs(z[e->point[i].first + k]) > most) most = fabs(z[e->point[i].first + k]), found = i;
  return found;
}

/* Returns true if the forces z, which have no effect along held directions, move the bodies. The effect is compared
 * with that of the largest of these forces acting on the bodies alone. */
static bool moves(const hk_sim *s, const hk_event_driven *e, const double *z) {
  const hk_delassus *d = e->delassus;
  double sum = 0, felt = 0;
  for (int r = 0; r < s->model->nv; r++) {
    double all = 0;
    for (int j = 0; j < d->n; j++) {
      double x = hk_delassus_column(d, j)[r];
      all += z[j] * x;
      felt = fmax(felt, fabs(x));
    }
    sum = fmax(sum, fabs(all));
  }
  return sum > 1e-8 * felt * hk_max_abs(z, d->n, NULL);
}

/* The sliding point with the largest normal force. */
static int hardest(const hk_event_driven *e) {
  int found = -1;
  for (int i = 0; i < e->n; i++)
    if (rubs(e, i) && (found < 0 || e->point[i].force[HK_DIR_N] > e->point[found].force[HK_DIR_N]))
      found = i;
  return found;
}

hk_status hk_event_unique(const hk_sim *s, hk_event_driven *e, double t) {
  const hk_delassus *d = e->delassus;
  int slides = hardest(e);
  if (slides < 0 || e->any_forces) return HK_OK;
  if (d->reversed && d->rank == d->n) {
    hk_event_refuse(e,
                    "friction of contact '%s' (mu = %g) presses the sliding bodies together more "
                    "than its pressure parts them from t = %.9g s on (Painleve's paradox; its "
                    "pressure was %.4g N): rigid bodies have no unique motion here. Use less "
                    "friction, another geometry or a compliant law",
                    hk_event_point_name(s, e, slides), e->row[slides].mu, t,
                    e->point[slides].force[HK_DIR_N]);
    return HK_RETRY;
  }
  for (int k = 0; k < d->n - d->rank; k++) {
    const double *z = d->Z + (size_t)k * (size_t)d->n;
    if (!moves(s, e, z)) continue;
    return hk_event_refuse(
        e,
        "at t = %.9g s the normal forces of contact '%s' and others are not unique, because the "
        "bodies are statically overdetermined, and the friction of sliding contacts depends on "
        "them: the motion is not determined. Use fewer contacts, or stepper: moreau, which selects "
        "one of the motions",
        t, hk_event_point_name(s, e, largest_part(e, z)));
  }
  return HK_OK;
}

/* In a motion that no force causes, a component below this fraction of the largest component counts as 0. */
static const double no_part = 1e-6;

void hk_event_find_open(hk_event_driven *e) {
  const hk_delassus *d = e->delassus;
  for (int i = 0; i < e->n; i++) {
    hk_event_point *p = &e->point[i];
    p->open = false;
    bool sticks = p->mode == HK_MODE_STICK && e->row[i].mu > 0 && e->row[i].tangents > 0;
    for (int k = 0; k < d->n - d->rank && sticks; k++) {
      const double *z = d->Z + (size_t)k * (size_t)d->n;
      p->open = p->open || fabs(z[p->first]) > no_part * hk_max_abs(z, d->n, NULL);
    }
  }
}

static int other_open(const hk_event_driven *e, int than) {
  for (int i = 0; i < e->n; i++)
    if (i != than && e->point[i].open) return i;
  return than;
}

void hk_event_doubt_hold(hk_sim *s, const hk_event_driven *e, const double *f) {
  for (int i = 0; i < e->n; i++) {
    if (!e->point[i].open || !(f[2 * i + 1] < 0)) continue;
    hk_quality_event(s, HK_QUALITY_INDETERMINATE, 0, e->start[s->model->at.t],
                     hk_event_point_name(s, e, i), hk_event_point_name(s, e, other_open(e, i)));
    return;
  }
}

/* If all of these points slide together, only the sum of their friction matters, and the motion is unique. */
void hk_event_doubt_slide(hk_sim *s, const hk_event_driven *e, double t) {
  int slides = -1, sticks = -1;
  for (int i = 0; i < e->n; i++) {
    if (!e->point[i].open) continue;
    if (e->point[i].mode == HK_MODE_SLIP) slides = i;
    if (e->point[i].mode == HK_MODE_STICK) sticks = i;
  }
  if (slides >= 0 && sticks >= 0)
    hk_quality_event(s, HK_QUALITY_INDETERMINATE, 0, t, hk_event_point_name(s, e, slides),
                     hk_event_point_name(s, e, sticks));
}

static const double least_load = 1e-6; /* of a pressed point, relative to the mean load */

void hk_event_share(hk_event_driven *e) {
  double mean = 0;
  int pressed = 0;
  for (int i = 0; i < e->n; i++)
    if (e->point[i].unknowns > 0) mean += fabs(e->r[e->point[i].first]), pressed++;
  if (!(mean > 0)) return;
  mean /= pressed;
  for (int i = 0; i < e->n; i++)
    for (int k = 0; k < e->point[i].unknowns; k++) {
      double N = fmax(fabs(e->r[e->point[i].first]), least_load * mean);
      e->weight[e->point[i].first + k] = k == HK_DIR_N ? 1 : sqrt(mean / (e->row[i].mu * N));
    }
  hk_delassus_share(e->delassus, e->weight, e->r);
}

static const double torn_share =
    1e-7; /* smaller accelerations are round-off, relative to those that cancel */

void hk_event_find_torn(hk_event_driven *e, double size) {
  for (int i = 0; i < e->n; i++) {
    hk_event_point *p = &e->point[i];
    for (int k = 0; k < p->unknowns; k++) {
      double a = hk_event_along(&e->row[i], k, e->z) + p->bias[k];
      p->torn[k] = fabs(a) > torn_share * (fabs(p->bias[k]) + size) ? a : 0;
    }
  }
}

/* ---- no forces ---- */

hk_status hk_event_no_forces(hk_sim *s, hk_event_driven *e, int n, int dim, double t) {
  hk_delassus *d = e->delassus;
  const int rows = n * dim;
  double merit = d->result.merit;
  for (int a = 0; a < n; a++) {
    int i = e->list[a];
    double g = d->G[a * dim * (rows + 1)], b = e->b[a * dim], mu = e->row[i].mu;
    if (!rubs(e, i) || g > 0 || b >= 0) continue;
    hk_direction normal = hk_event_direction(e, i, HK_DIR_N);
    normal.c[HK_DIR_T] = normal.c[HK_DIR_S] = 0;
    hk_delassus_begin(d, e->N);
    hk_delassus_add(d, &normal);
    hk_delassus_set_up(d, s->index1->solver);
    double smooth = d->G[0];
    return hk_event_refuse(
        e,
        "at t = %.9g s sliding contact '%s' has no normal force that keeps the bodies apart "
        "(Painleve's paradox): its gap closes with %.4g m/s^2, and a normal force of 1 N adds %.4g "
        "m/s^2 to that with mu = %g, but without friction it reduces it by %.4g m/s^2. Rigid "
        "bodies "
        "have no motion here; use mu < %.4g, another geometry or a compliant law",
        t, hk_event_point_name(s, e, i), -b, -g, mu, smooth, mu * smooth / (smooth - g));
  }
  return hk_event_refuse(e,
                         "at t = %.9g s no contact forces are found that hold contact '%s' and "
                         "the %d others that touch (residual of the equations: %.2g): too much "
                         "friction for the geometry, or joints and contacts that contradict each "
                         "other",
                         t, hk_event_point_name(s, e, e->list[0]), n - 1, merit);
}
