/* A sector of a gear reduced to its two cuts: K u = f with everything eliminated but the displacements of
 * the cuts.
 *
 * The section's cells are divided into halves again and again; each part knows the stiffness of its edge
 * (a dense matrix), and where two meet, the nodes between them that nothing else touches are eliminated by
 * Cholesky's method.  So the order of elimination is that of nested dissection [George1973], and there is
 * no sparse matrix at all: the work is done by dense products.
 */
#ifndef HK_FE_CONDENSE_H
#define HK_FE_CONDENSE_H
#include "fe/mesh.h"

/* With L the Cholesky factor of the inner part, F the given vectors and Y = L^-1 F:
 *   work = Y^T Y           what inner forces do on inner displacements, cuts held
 *   cut_force = F_cut - K_cut,inner K_inner^-1 F    forces on the cuts instead of F
 *   stiffness              of the cuts, [left; right], each n */
typedef struct hk_fe_sector {
  int n, vectors;
  double *stiffness; /* [2 n][2 n], by columns */
  double *cut_force; /* [2 n][vectors], by columns */
  double *work;      /* [vectors][vectors] */
  int *cut_node;     /* [n / dim] section's node of the left cut ... */
} hk_fe_sector;

/* Told how much of the whole is done, 0..1, by a part of it that is `share` of the whole from `from` on. */
typedef struct hk_fe_progress {
  void (*tell)(void *context, double done); /* NULL: nobody is told */
  void *context;
  double from, share;
} hk_fe_progress;
static inline void hk_fe_tell(const hk_fe_progress *p, double done) {
  if (p && p->tell) p->tell(p->context, p->from + p->share * done);
}

/* Number of displacements before those of a node of the section; *total: of all. */
int *hk_fe_number(const hk_fe_mesh *m, hk_arena *arena, int *total);

/* `F` is [displacements][vectors] by columns, numbered as hk_fe_number does. */
hk_status hk_fe_condense(const hk_fe_mesh *m, const int *number, const double *F, int displacements,
                         int vectors, const hk_fe_progress *progress, hk_fe_sector *out,
                         hk_error *err);
void hk_fe_sector_free(hk_fe_sector *s);
#endif
