/* Painleve's paradox in a step of Moreau's method [Painleve1895; GenotBrogliato1999].
 *
 * A contact that slides with the velocity v, s = v/|v|, under the normal force N adds
 *   g N,  g = G_nn - mu sum_a s_a G_n,ta
 * to the rate of its gap. If g <= 0, no normal force keeps the bodies apart while they slide;
 * if they would separate without a normal force, they may also stay together. Time stepping then gives an impulse that
 * ends the sliding within the step, however short the step is. The same holds for two contacts if the matrix of these
 * numbers has a negative determinant: then it is not a P-matrix, and for some loads there is no motion or more than
 * one.
 *
 * Sliding that the forces of one step can stop is not a paradox: the contacts then stick. */
#include "integrator/impact/moreau.h"
#include "sim/quality.h"

/* A contact is slow if its velocity changes by more than this fraction within the step. */
static const double slow = 0.1;

/* Returns true if closed contact i slides too fast to stick at the end of this step. If a contact approaches faster
 * than the forces of a step can cause, it has an impact and is not considered. */
static bool slides(const hk_moreau *k, int i) {
  const hk_contact_row *r = &k->row[k->closed[i]];
  const double *before = k->before + i * k->dim, *b = k->b + i * k->dim;
  if (r->two_sided || !(r->mu > 0) || r->tangents == 0) return false;
  double change = 0, speed = 0;
  for (int a = 0; a < k->dim; a++) {
    double free = b[a] - (1 + (a ? r->eT : r->eN)) * before[a];
    change += free * free;
    if (a) speed += before[a] * before[a];
  }
  return speed > 0 && change < slow * slow * speed && before[0] * before[0] <= change;
}

/* Computes the rate of gap i per unit of normal force in contact j. *friction: the part of this rate that friction
 * causes. */
static double rate(const hk_moreau *k, int i, int j, double *friction) {
  const int dim = k->dim, rows = k->n * dim;
  const double *G = k->d->G + i * dim * rows + j * dim, *v = k->before + j * dim;
  double speed = 0, sum = 0;
  for (int a = 1; a < dim; a++) speed += v[a] * v[a], sum += v[a] * G[a];
  *friction = -k->row[k->closed[j]].mu * sum / sqrt(speed);
  return G[0] + *friction;
}

/* A determinant below this fraction of the product of the diagonal entries is round-off. */
static const double grain = 1e-9;

void hk_moreau_find_paradox(hk_sim *s, const double *x0) {
  const hk_moreau *k = s->own;
  for (int i = 0; i < k->n; i++) {
    if (!slides(k, i)) continue;
    const hk_contact_row *r = &k->row[k->closed[i]];
    const char *name = s->model->contact[r->contact].name;
    double f, g = rate(k, i, i, &f), limit = f < 0 ? r->mu * (g - f) / -f : INFINITY;
    bool none = g <= 0;
    for (int j = 0; j < i && !none; j++) {
      if (!slides(k, j)) continue;
      double fj, fij, fji, gj = rate(k, j, j, &fj);
      double cross = rate(k, i, j, &fij) * rate(k, j, i, &fji);
      none = gj > 0 && g * gj - cross < -grain * g * gj;
      if (none) limit = r->mu; /* an upper bound: the limit of two contacts together is not known */
    }
    if (!none) continue;
    hk_quality_event(s, HK_QUALITY_PARADOX, limit, x0[s->model->at.t], name, NULL);
    return;
  }
}
