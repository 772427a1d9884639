/* Reduction of a part to modes [Craig and Bampton], then to mean-axis modes.
 *
 * Basis: one constraint mode per component of each interface, and the lowest modes with held
 * interfaces.  The basis is made orthogonal to the six exact rigid motions in the metric of the
 * mass, and is then diagonalized: all modes phi_k have unit modal mass and are orthogonal to
 * rigid motions, so that the frame of the body is its centre of mass with mean axes. */
#ifndef HK_PART_REDUCE_H
#define HK_PART_REDUCE_H
#include "base/arena.h"
#include "flexible/flexible_data.h"
#include "part/assemble.h"
#include "part/interface.h"

typedef struct hk_reduce_task {
  const hk_nodal_matrix *A;
  const double (*x)[3];
  const long *label; /* numbers of the nodes for messages; NULL: 1, 2 ... */
  int n_interfaces;
  const hk_part_interface *interface;
  int n_observed; /* sets of nodes whose mean motion is an output; they add no modes and carry no load */
  const hk_part_interface *observed;
  int n_fixed;      /* number of modes with held interfaces; with `frequency`: the largest number */
  double frequency; /* take all of them up to this frequency [Hz]; 0: by number */
  double
      error; /* with `frequency`: take as many as keep the change of the free frequencies up to it, if
                     * half of the modes are left out, below this fraction; 0: not used */
  bool stiffening;          /* needs mesh and material */
  const hk_part_mesh *mesh; /* NULL: matrices without a mesh, neither stiffening nor surface */
  const hk_part_material *material;
  bool surface;
  hk_progress_fn *progress;
  void *context;
} hk_reduce_task;

typedef struct hk_reduce_report {
  double size[3];         /* extent of the part [m] */
  double strain_of_rigid; /* largest force caused by a rigid motion, relative to its terms */
  double rigid_hz[6]; /* the six lowest frequencies of the reduced free body, which should be 0 */
  int n_free; /* free frequencies: sqrt(data.w2) / 2 pi, and the ones with half of the fixed modes: */
  double *half_hz; /* [n_free] for the comparison; NAN where there is none */
  double
      mass_of_modes; /* largest entry of phi^T M (rigid motions), relative, before a last correction makes it 0 */
  double factor_entries, factor_flops;
} hk_reduce_report;

/* data and report are allocated in the arena; source and hash of data stay empty. */
hk_status hk_reduce(const hk_reduce_task *t, hk_arena *arena, hk_flexible_data *data,
                    hk_reduce_report *report, hk_error *err);
#endif
