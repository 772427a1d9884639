/* Interfaces of a part: sets of nodes with one motion of six components, displacement and rotation at a centre.
 *
 * Rigid: the nodes move with the interface, which stiffens the part there.  Averaging: the motion of the interface is the
 * rigid motion that fits the nodes best (least squares), and a load is spread over the nodes; it adds no stiffness. */
#ifndef HK_PART_INTERFACE_H
#define HK_PART_INTERFACE_H
#include <hooke/base.h>

typedef struct hk_part_interface {
  char name[64]; /* at most 63 characters, as in flexible/flexible_data.h */
  bool average;
  bool observed; /* its motion is an output only: no modes of its own, no load */
  double center[3];
  int n;
  const int *node; /* ascending */
} hk_part_interface;

/* Refuses interfaces that have common nodes, fewer than three nodes, or all nodes on one line.
 * `label`: numbers of the nodes for messages; NULL: 1, 2 ... */
hk_status hk_part_interfaces_check(int n, const hk_part_interface *b, const double (*x)[3],
                                   int n_nodes, const long *label, hk_error *err);
/* Rows row[6][3 n] of the least squares fit: component j of the motion is the sum of row[j][3 i
 * + d] times displacement d of the interface's node i. */
void hk_part_interface_rows(const hk_part_interface *b, const double (*x)[3], double *row);
/* motion[6] by the displacements u of all nodes; row: of hk_part_interface_rows. */
void hk_part_interface_motion(const hk_part_interface *b, const double *row, const double *u,
                              double motion[6]);
/* Displacement of a point by component j (3 displacements, 3 rotations) of a motion at `center`. */
void hk_part_rigid_motion(int j, const double center[3], const double x[3], double u[3]);
#endif
