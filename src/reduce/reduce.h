/* Reduction of a part to modes [Craig and Bampton], then to mean-axis modes.
 *
 * The basis consists of one constraint mode per component of each interface, and of the lowest modes with held
 * interfaces.  The basis is made orthogonal to the six exact rigid motions in the metric of the mass, and is then
 * diagonalized: all modes phi_k have unit modal mass and are orthogonal to rigid motions, so that the body's frame is
 * at the centre of mass and has mean axes. */
#ifndef HK_REDUCE_REDUCE_H
#define HK_REDUCE_REDUCE_H
#include "base/arena.h"
#include "flexible/flexible_data.h"
#include "reduce/assemble.h"
#include "reduce/interface.h"

typedef struct hk_reduce_task {
  const hk_nodal_matrix *A;
  const double (*x)[3];
  const long *label; /* numbers of the nodes for messages; NULL: 1, 2 ... */
  int n_interfaces;
  const hk_part_interface *interface;
  /* sets of nodes whose mean motion is an output; they have no modes and carry no load */
  int n_observed;
  const hk_part_interface *observed;
  /* number of modes with held interfaces; if `frequency` is given: the maximum number */
  int n_fixed;
  /* use all modes with held interfaces up to this frequency [Hz]; 0: use the number */
  double frequency;
  /* only with `frequency`: uses so many modes that omitting half of them changes the free frequencies up to
   * `frequency` by less than this fraction; 0: not used */
  double error;
  bool stiffening; /* needs mesh and material */
  /* NULL: the matrices have no mesh, so stiffening and surface cannot be computed */
  const hk_part_mesh *mesh;
  const hk_part_material *material;
  bool surface;
  hk_progress_fn *progress;
  void *context;
} hk_reduce_task;

typedef struct hk_reduce_report {
  double size[3]; /* extent of the part [m] */
  /* largest force that a rigid motion causes, relative to its terms; 0 for a correct stiffness */
  double strain_of_rigid;
  /* the six lowest frequencies of the reduced free body, which should be 0: they belong to rigid motions */
  double rigid_hz[6];
  /* free frequencies sqrt(data.w2)/(2 pi), and, for comparison, those with half of the modes omitted: */
  int n_free;
  double *half_hz; /* [n_free] NaN: no frequency to compare with */
  /* largest entry of phi^T M (rigid motions), relative, before the last correction, which makes it 0 */
  double mass_of_modes;
  double factor_entries, factor_flops;
} hk_reduce_report;

/* Computes the reduced body. data and report are allocated in the arena; source and hash of data stay empty. */
hk_status hk_reduce(const hk_reduce_task *t, hk_arena *arena, hk_flexible_data *data,
                    hk_reduce_report *report, hk_error *err);
#endif
