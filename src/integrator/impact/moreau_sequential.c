/* Contacts that pass impulses on sequentially (HK_SET_IN_TURN) in a step of Moreau's method.
 *
 * Before the problem of the step is solved, the contacts that approach receive the impulses of
 * Newton's law; contacts that are not in this group have no impulse. Then the contacts that
 * approach as a consequence receive theirs, and so on until no contact approaches. The impulses
 * that these contacts transmit in the problem of the step itself have no restitution.
 *
 * Only the velocities of the contacts are used, d rate = G dP: bodies are not moved. */
#include "integrator/impact/moreau.h"

/* Finds the sequential contacts that approach faster than `least`; returns their number, with their indices in
 * k->part_of. */
static int approaching(const hk_moreau *k, double least) {
  int n = 0;
  for (int i = 0; i < k->n; i++)
    if (k->row[k->closed[i]].in_turn && k->rate[i * k->dim] < -least) k->part_of[n++] = i;
  return n;
}

/* One round: n contacts receive their impulses. */
static hk_status pass_on(hk_moreau *k, int n) {
  const int dim = k->dim, rows = n * dim, all = k->n * dim;
  double *G = k->part, *b = G + (size_t)rows * (size_t)rows, *P = b + rows, *xi = P + rows;
  for (int a = 0; a < rows; a++) {
    int i = k->part_of[a / dim], row = i * dim + a % dim;
    const hk_contact_row *r = &k->row[k->closed[i]];
    for (int c = 0; c < rows; c++)
      G[a * rows + c] = k->d->G[row * all + k->part_of[c / dim] * dim + c % dim];
    b[a] = k->d->at[row].row ? (1 + (a % dim ? r->eT : r->eN)) * k->rate[row] : 0;
    P[a] = 0;
    k->part_mu[a / dim] = r->mu;
  }
  const hk_contact_problem p = {.dim = dim, .contacts = n, .G = G, .b = b, .mu = k->part_mu};
  if (hk_contact_solve(&p, P, xi, k->d->work[dim - 2], &k->d->result)) return HK_RETRY;
  for (int a = 0; a < rows; a++) {
    int column = k->part_of[a / dim] * dim + a % dim;
    k->turned[column] += P[a];
    for (int j = 0; j < all; j++) k->rate[j] += k->d->G[j * all + column] * P[a];
  }
  return HK_OK;
}

enum { MOST_ROUNDS = 5000 };

hk_status hk_moreau_in_turn(hk_sim *s) {
  hk_moreau *k = s->own;
  const int dim = k->dim, rows = k->n * dim;
  double fastest = 0;
  for (int j = 0; j < rows; j++) {
    k->turned[j] = 0;
    k->rate[j] = k->before[j];
    if (j % dim == 0) fastest = fmax(fastest, fabs(k->before[j]));
  }
  for (int round = 0; round < MOST_ROUNDS; round++) {
    int n = approaching(k, 1e-9 * fastest);
    if (n == 0) break;
    hk_status status = pass_on(k, n);
    if (status) return status;
  }
  for (int j = 0; j < rows; j++) {
    const hk_contact_row *r = &k->row[k->closed[j / dim]];
    if (r->in_turn) k->b[j] -= (j % dim ? r->eT : r->eN) * k->before[j];
    k->b[j] += k->rate[j] - k->before[j];
  }
  return HK_OK;
}
