/* Stiffness of a hexahedron of 27 nodes, isotropic and linear, by 3 x 3 x 3 Gauss points.
 *
 * Node (i, j, k) of the element, each 0..2, has number i + 3 j + 9 k.
 */
#ifndef HK_FE_HEXAHEDRON_H
#define HK_FE_HEXAHEDRON_H
#include <stdbool.h>

enum { HK_HEX_NODES = 27 };

/* Lame's constants. */
typedef struct hk_fe_material {
  double lambda, mu;
} hk_fe_material;

/* K[3 a + i][3 b + j] for nodes a, b and directions i, j. Returns false if the element is
 * inverted (negative volume). */
bool hk_hex_stiffness(double x[HK_HEX_NODES][3], hk_fe_material material,
                      double K[3 * HK_HEX_NODES][3 * HK_HEX_NODES]);

/* Quadratic shape functions in one direction at p, -1..1: values and derivatives. */
static inline void hk_hex_line(double p, double N[3], double slope[3]) {
  N[0] = 0.5 * p * (p - 1), N[1] = 1 - p * p, N[2] = 0.5 * p * (p + 1);
  slope[0] = p - 0.5, slope[1] = -2 * p, slope[2] = p + 0.5;
}
#endif
