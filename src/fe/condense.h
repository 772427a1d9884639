/* Condensation of a sector of a gear to its two cuts: K u = f with all displacements eliminated
 * except those of the cuts.
 *
 * The cells of the section are divided into halves recursively. Each half is represented by the stiffness matrix of
 * its boundary, a dense matrix. When two halves are joined, the nodes of the mesh that belong to no other part are
 * eliminated by Cholesky's method. The order of elimination is that of nested dissection [George1973], and no sparse
 * matrix is needed: the work consists of dense products. */
#ifndef HK_FE_CONDENSE_H
#define HK_FE_CONDENSE_H
#include "fe/gear_mesh.h"

/* With L the Cholesky factor of the inner part, F the given vectors and Y = L^-1 F:
 *   work = Y^T Y           work of inner forces on inner displacements, with the cuts fixed
 *   cut_force = F_cut - K_cut,inner K_inner^-1 F    equivalent forces on the cuts
 *   stiffness              of the cuts, [left; right], each n */
typedef struct hk_fe_sector {
  int n, vectors;
  double *stiffness; /* [2 n][2 n], by columns */
  double *cut_force; /* [2 n][vectors], by columns */
  double *work;      /* [vectors][vectors] */
  int *cut_node;     /* [n / dim] nodes of the section on the left cut */
} hk_fe_sector;

/* Progress callback: reports the completed fraction of the whole, 0..1; this task covers the
 * range from `from` to `from` + `share` of the whole. */
typedef struct hk_fe_progress {
  void (*tell)(void *context, double done); /* NULL: no reports */
  void *context;
  double from, share;
} hk_fe_progress;
static inline void hk_fe_tell(const hk_fe_progress *p, double done) {
  if (p && p->tell) p->tell(p->context, p->from + p->share * done);
}

/* For each node of the section, the number of displacements before it; *total: number of all
 * displacements. */
int *hk_fe_number(const hk_fe_mesh *m, hk_arena *arena, int *total);

/* Condenses a sector; `F` is [displacements][vectors] by columns, numbered as hk_fe_number does. */
hk_status hk_fe_condense(const hk_fe_mesh *m, const int *number, const double *F, int displacements,
                         int vectors, const hk_fe_progress *progress, hk_fe_sector *out,
                         hk_error *err);
void hk_fe_sector_free(hk_fe_sector *s);
#endif
