/* Interfaces of a part. An interface is a set of nodes. The motion of an interface has six components: displacement
 * and rotation at a centre.
 *
 * Rigid interface: its nodes move as one rigid body, which makes the part stiffer at this interface. Averaging
 * interface: its motion is the rigid motion that fits the motion of its nodes best (least squares), and its load is
 * distributed over the nodes; it adds no stiffness. */
#ifndef HK_REDUCE_INTERFACE_H
#define HK_REDUCE_INTERFACE_H
#include <hooke/base.h>

typedef struct hk_part_interface {
  char name[64]; /* at most 63 characters, as in flexible/flexible_data.h */
  bool average;
  /* true: the motion of this interface is only an output; the interface has no modes and
   * carries no load */
  bool observed;
  double center[3];
  int n;
  const int *node; /* ascending */
} hk_part_interface;

/* Rejects interfaces that have nodes in common, fewer than three nodes, or all nodes on one line. `label`: numbers of
 * the nodes for messages; NULL: 1, 2 ... */
hk_status hk_part_interfaces_check(int n, const hk_part_interface *b, const double (*x)[3],
                                   int n_nodes, const long *label, hk_error *err);
/* Computes the rows row[6][3 n] of the least-squares fit: component j of the motion is the sum of row[j][3 i + d]
 * times displacement d of the interface's node i. */
void hk_part_interface_rows(const hk_part_interface *b, const double (*x)[3], double *row);
/* Computes motion[6] from the displacements u of all nodes; row: from hk_part_interface_rows. */
void hk_part_interface_motion(const hk_part_interface *b, const double *row, const double *u,
                              double motion[6]);
/* Displacement of a point caused by component j (0..2 displacements, 3..5 rotations) of a motion with this `center`. */
void hk_part_rigid_motion(int j, const double center[3], const double x[3], double u[3]);
#endif
