/* Steps of a reduction: see reduce.h. */
#ifndef HK_REDUCE_REDUCE_PRIVATE_H
#define HK_REDUCE_REDUCE_PRIVATE_H
#include "reduce/held.h"
#include "reduce/reduce.h"

typedef struct hk_reduction {
  const hk_reduce_task *t;
  hk_held held;
  hk_arena *arena;
  size_t length;  /* 3 nodes */
  int n_boundary; /* 6 interfaces */
  int n_fixed, m;
  double mass, center[3], J0[9];
  double *rigid;    /* [6][length] motions about the centre of mass */
  double *boundary; /* [n_boundary][length] constraint modes */
  double *K;        /* [n_boundary][n_boundary] their stiffness */
  double *fixed_w2; /* [n_fixed] */
  double *fixed;    /* [n_fixed][length] */
  double *w2;       /* [m] */
  double *mode;     /* [m][length] mean-axis modes */
} hk_reduction;

/* Mean-axis modes of the basis (reduce_axes.c): fills m, w2, mode and the report. */
hk_status hk_reduction_mean_axes(hk_reduction *r, hk_reduce_report *report, hk_error *err);
/* Computes J1, J2 and c of the data (reduce_invariants.c). */
hk_status hk_reduction_invariants(const hk_reduction *r, hk_flexible_data *data, hk_error *err);
/* Computes the stress stiffness of unit accelerations and of forces on the interfaces (reduce_stiffening.c): K of the
 * data, G of the interfaces. */
hk_status hk_reduction_stiffening(const hk_reduction *r, hk_flexible_data *data,
                                  hk_flexible_interface *interface, hk_error *err);
/* Triangles, displacements and stresses of the surface (reduce_surface.c). */
hk_status hk_reduction_surface(const hk_reduction *r, hk_flexible_surface *surface, hk_error *err);
/* Reports progress; false: stop. */
bool hk_reduction_tell(const hk_reduction *r, const char *what, double done);
#endif
