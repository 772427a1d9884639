/* Selection of the nodes of an interface by a text:
 *
 *   NAME                                   a physical group or a set of nodes of the file
 *   cylinder(x,y,z; ax,ay,az; r[; length]) all nodes within the radius of an axis; length: along the axis, centred at the point
 *   plane(x,y,z; nx,ny,nz)                 all nodes on a plane
 *   nodes(1,2,...)                         nodes by their numbers
 *
 * Lengths are in the unit of the file. */
#ifndef HK_REDUCE_SELECT_H
#define HK_REDUCE_SELECT_H
#include "reduce/mesh.h"

/* Selects nodes. Release *node with free(). centre: the point of a cylinder; otherwise the mean of the nodes. */
hk_status hk_part_select(const hk_part_mesh *m, const char *text, double unit, int **node, int *n,
                         double center[3], hk_error *err);
#endif
