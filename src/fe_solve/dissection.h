/* Order of elimination for the graph of a finite-element mesh, by nested dissection.
 *
 * A set of nodes is split at the median of a coordinate: along one of its principal axes, or by
 * the distance in the graph from one end of the set; the split with the smallest separator is
 * used.  The separator is a minimum vertex cover of the edges between the halves [Koenig].
 * Small sets are ordered by minimum degree (AMD). */
#ifndef HK_FE_SOLVE_DISSECTION_H
#define HK_FE_SOLVE_DISSECTION_H
#include <hooke/base.h>

/* order[i] = node that is eliminated in step i. The graph must contain both directions of each edge; edges from a
 * node to itself are ignored. x: positions of the nodes. */
hk_status hk_dissect(int n, const size_t *first, const int *column, const double (*x)[3],
                     int *order, hk_error *err);
#endif
