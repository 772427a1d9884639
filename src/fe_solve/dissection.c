/* Nested dissection: see dissection.h. */
#include "fe_solve/dissection.h"
#include <amd.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sets of at most this many nodes are ordered by minimum degree. */
enum { LEAF = 120 };

typedef struct job {
  const size_t *first;
  const int *column;
  const double (*x)[3];
  int *owner; /* [n] number of the set that contains the node; -1: the node is in a separator */
  signed char *side, *best;
  double *key; /* [n] coordinate along which a set is split */
  double *sorted;
  int *match, *queue, *local, *seen;
  int sets;
} job;

/* ---- splits ---- */

/* Returns the k-th smallest element of v; v is reordered. */
static double select_kth(double *v, int n, int k) {
  int low = 0, high = n - 1;
  while (low < high) {
    double pivot = v[low + (high - low) / 2];
    int i = low, j = high;
    while (i <= j) {
      while (v[i] < pivot) i++;
      while (v[j] > pivot) j--;
      if (i <= j) {
        double t = v[i];
        v[i++] = v[j], v[j--] = t;
      }
    }
    if (k <= j)
      high = j;
    else if (k >= i)
      low = i;
    else
      break;
  }
  return v[k];
}

/* Splits a set at the median of its keys. Returns the size of the smaller boundary. */
static int split(job *j, const int *node, int n, signed char *side) {
  for (int i = 0; i < n; i++) j->sorted[i] = j->key[node[i]];
  double median = select_kth(j->sorted, n, n / 2);
  int equal = 0, below = 0;
  for (int i = 0; i < n; i++) below += j->key[node[i]] < median;
  for (int i = 0; i < n; i++) {
    double k = j->key[node[i]];
    side[node[i]] = (signed char)(k < median                ? 0
                                  : k > median              ? 1
                                  : below + equal++ < n / 2 ? 0
                                                            : 1);
  }
  int boundary[2] = {0, 0}, own = j->owner[node[0]];
  for (int i = 0; i < n; i++) {
    int a = node[i];
    for (size_t e = j->first[a]; e < j->first[a + 1]; e++) {
      int b = j->column[e];
      if (j->owner[b] != own || side[b] == side[a]) continue;
      boundary[(int)side[a]]++;
      break;
    }
  }
  return boundary[0] < boundary[1] ? boundary[0] : boundary[1];
}

/* Covariance of the positions; its principal axes are computed by Jacobi's rotations. */
static void principal_axes(const job *j, const int *node, int n, double axis[3][3]) {
  double c[3] = {0}, A[3][3] = {{0}};
  for (int i = 0; i < n; i++)
    for (int d = 0; d < 3; d++) c[d] += j->x[node[i]][d] / n;
  for (int i = 0; i < n; i++)
    for (int d = 0; d < 3; d++)
      for (int e = 0; e < 3; e++) A[d][e] += (j->x[node[i]][d] - c[d]) * (j->x[node[i]][e] - c[e]);
  for (int d = 0; d < 3; d++)
    for (int e = 0; e < 3; e++) axis[d][e] = d == e;
  for (int sweep = 0; sweep < 20; sweep++)
    for (int p = 0; p < 3; p++) {
      int q = (p + 1) % 3;
      if (A[p][q] == 0) continue;
      double theta = (A[q][q] - A[p][p]) / (2 * A[p][q]);
      double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1)),
             cs = 1 / sqrt(t * t + 1), sn = t * cs;
      for (int k = 0; k < 3; k++) {
        double u = A[k][p], v = A[k][q];
        A[k][p] = cs * u - sn * v, A[k][q] = sn * u + cs * v;
      }
      for (int k = 0; k < 3; k++) {
        double u = A[p][k], v = A[q][k];
        A[p][k] = cs * u - sn * v, A[q][k] = sn * u + cs * v;
        u = axis[p][k], v = axis[q][k];
        axis[p][k] = cs * u - sn * v, axis[q][k] = sn * u + cs * v;
      }
    }
}

/* Computes the distance in the graph from node `start` as key; returns the farthest node. Nodes that cannot be
 * reached get the largest keys. */
static int distances(job *j, const int *node, int n, int start) {
  int own = j->owner[node[0]], from = 0, to = 0;
  for (int i = 0; i < n; i++) j->key[node[i]] = n;
  j->key[start] = 0;
  j->queue[to++] = start;
  while (from < to) {
    int a = j->queue[from++];
    for (size_t e = j->first[a]; e < j->first[a + 1]; e++) {
      int b = j->column[e];
      if (j->owner[b] != own || j->key[b] < n) continue;
      j->key[b] = j->key[a] + 1;
      j->queue[to++] = b;
    }
  }
  return j->queue[to - 1];
}

/* Chooses the split with the smallest boundary and stores it in j->best. */
static void choose_split(job *j, const int *node, int n) {
  double axis[6][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  int least = n + 1;
  principal_axes(j, node, n, axis + 3);
  for (int c = 0; c < 7; c++) {
    if (c < 6)
      for (int i = 0; i < n; i++) {
        const double *x = j->x[node[i]];
        j->key[node[i]] = axis[c][0] * x[0] + axis[c][1] * x[1] + axis[c][2] * x[2];
      }
    else
      distances(j, node, n, distances(j, node, n, distances(j, node, n, node[0])));
    int size = split(j, node, n, j->side);
    if (size >= least) continue;
    least = size;
    for (int i = 0; i < n; i++) j->best[node[i]] = j->side[node[i]];
  }
}

/* ---- separator: minimum vertex cover of the edges between the sides ---- */

/* Searches for an augmenting path that starts at node a of side 0, breadth first. local: for nodes of side 1, the
 * predecessor on the path. */
static bool augment(job *j, int own, int a, int mark) {
  int from = 0, to = 0;
  j->queue[to++] = a;
  while (from < to) {
    int p = j->queue[from++];
    for (size_t e = j->first[p]; e < j->first[p + 1]; e++) {
      int b = j->column[e];
      if (j->owner[b] != own || j->best[b] != 1 || j->seen[b] == mark) continue;
      j->seen[b] = mark;
      j->local[b] = p;
      if (j->match[b] >= 0) {
        j->queue[to++] = j->match[b];
        continue;
      }
      for (int q = b; q >= 0;) {
        int before = j->local[q], next = j->match[before];
        j->match[q] = before, j->match[before] = q;
        q = before == a ? -1 : next;
      }
      return true;
    }
  }
  return false;
}

/* Marks the nodes of both sides that can be reached by alternating paths from free nodes of
 * side 0. */
static void mark_reached(job *j, const int *node, int n, int own, int mark) {
  int from = 0, to = 0;
  for (int i = 0; i < n; i++)
    if (j->best[node[i]] == 0 && j->match[node[i]] < 0)
      j->queue[to++] = node[i], j->seen[node[i]] = mark;
  while (from < to) {
    int p = j->queue[from++];
    for (size_t e = j->first[p]; e < j->first[p + 1]; e++) {
      int b = j->column[e];
      if (j->owner[b] != own || j->best[b] != 1 || j->seen[b] == mark) continue;
      j->seen[b] = mark;
      int q = j->match[b];
      if (q >= 0 && j->seen[q] != mark) j->seen[q] = mark, j->queue[to++] = q;
    }
  }
}

/* Moves the separator in j->best to side 2. */
static void separate(job *j, const int *node, int n) {
  int own = j->owner[node[0]], mark = 0;
  for (int i = 0; i < n; i++) j->match[node[i]] = -1, j->seen[node[i]] = -1;
  for (int i = 0; i < n; i++) {
    int a = node[i];
    if (j->best[a] != 0) continue;
    for (size_t e = j->first[a]; e < j->first[a + 1] && j->match[a] < 0; e++) {
      int b = j->column[e];
      if (j->owner[b] == own && j->best[b] == 1 && j->match[b] < 0)
        j->match[a] = b, j->match[b] = a;
    }
  }
  for (int i = 0; i < n; i++)
    if (j->best[node[i]] == 0 && j->match[node[i]] < 0) augment(j, own, node[i], mark++);
  mark_reached(j, node, n, own, mark);
  /* The cover consists of the nodes of side 0 that were not reached, and of the matched nodes of side 1 that were
   * reached. */
  for (int i = 0; i < n; i++) {
    int a = node[i];
    bool reached = j->seen[a] == mark;
    if (j->match[a] >= 0 && reached == (j->best[a] == 1)) j->best[a] = 2;
  }
}

/* ---- recursion ---- */

/* Orders a small set in place by minimum degree; edges to other sets are ignored. */
static hk_status order_leaf(job *j, int *node, int n, hk_error *err) {
  int Ap[LEAF + 1], P[LEAF], copy[LEAF], own = j->owner[node[0]], used = 0;
  int *Ai = calloc(LEAF * LEAF, sizeof *Ai);
  if (!Ai) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < n; i++) j->local[node[i]] = i;
  for (int i = 0; i < n; i++) {
    Ap[i] = used;
    for (size_t e = j->first[node[i]]; e < j->first[node[i] + 1]; e++) {
      int b = j->column[e];
      if (j->owner[b] == own && b != node[i]) Ai[used++] = j->local[b];
    }
  }
  Ap[n] = used;
  int code = amd_order(n, Ap, Ai, P, NULL, NULL);
  free(Ai);
  if (code != AMD_OK && code != AMD_OK_BUT_JUMBLED) return hk_fail(err, HK_ENOMEM, "out of memory");
  memcpy(copy, node, sizeof *node * (size_t)n);
  for (int i = 0; i < n; i++) node[i] = copy[P[i]];
  return HK_OK;
}

/* Orders a set of nodes in place. */
static hk_status dissect(job *j, int *node, int n, hk_error *err) {
  if (n <= 0) return HK_OK;
  int own = ++j->sets;
  for (int i = 0; i < n; i++) j->owner[node[i]] = own;
  if (n <= LEAF) return order_leaf(j, node, n, err);
  choose_split(j, node, n);
  separate(j, node, n);
  int count[3] = {0}, at[3] = {0};
  for (int i = 0; i < n; i++) count[(int)j->best[node[i]]]++;
  if (count[0] == 0 || count[1] == 0) return HK_OK; /* all nodes are connected with each other */
  at[1] = count[0], at[2] = count[0] + count[1];
  for (int i = 0; i < n; i++) j->queue[at[(int)j->best[node[i]]]++] = node[i];
  memcpy(node, j->queue, sizeof *node * (size_t)n);
  for (int i = count[0] + count[1]; i < n; i++) j->owner[node[i]] = -1;
  hk_status status = dissect(j, node, count[0], err);
  return status ? status : dissect(j, node + count[0], count[1], err);
}

hk_status hk_dissect(int n, const size_t *first, const int *column, const double (*x)[3],
                     int *order, hk_error *err) {
  size_t room = (size_t)n + 1;
  job j = {.first = first, .column = column, .x = x};
  j.owner = malloc(room * sizeof *j.owner);
  j.side = malloc(room);
  j.best = malloc(room);
  j.key = malloc(room * sizeof *j.key);
  j.sorted = malloc(room * sizeof *j.sorted);
  j.match = malloc(room * sizeof *j.match);
  j.queue = malloc(room * sizeof *j.queue);
  j.local = malloc(room * sizeof *j.local);
  j.seen = malloc(room * sizeof *j.seen);
  hk_status status = HK_OK;
  if (!j.owner || !j.side || !j.best || !j.key || !j.sorted || !j.match || !j.queue || !j.local ||
      !j.seen)
    status = hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < n; i++) order[i] = i;
  if (!status) status = dissect(&j, order, n, err);
  free(j.owner);
  free(j.side);
  free(j.best);
  free(j.key);
  free(j.sorted);
  free(j.match);
  free(j.queue);
  free(j.local);
  free(j.seen);
  return status;
}
