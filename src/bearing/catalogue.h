/* Basic rating life L10 as catalogues compute it: equivalent load P = X F_r + Y F_a with the factors of ISO 281, from the
 * load on the whole bearing alone.  Clearance, speed, tilt and the stiffness of the rings have no effect on it. */
#ifndef HK_BEARING_CATALOGUE_H
#define HK_BEARING_CATALOGUE_H
#include "bearing/bearing.h"

typedef struct hk_bearing_catalogue {
  double X, Y;       /* factors for the present ratio of loads */
  double e;          /* the ratio F_a/F_r at which X and Y change */
  double rating;     /* C of all rows [N] */
  double equivalent; /* P [N] */
  double L10;        /* millions of revolutions */
} hk_bearing_catalogue;

/* `rating`: C of one row.  Returns false if the standard has no factors for this bearing or no load acts. */
bool hk_bearing_catalogue_life(const hk_bearing *p, double rating, const double force[3],
                               hk_bearing_catalogue *out);
#endif
