/* Common part of oil films between two frames: the force as a function of eccentricity and
 * velocity with its derivatives, checks and messages. */
#ifndef HK_FORCE_FILM_H
#define HK_FORCE_FILM_H
#include "film/film_table.h"
#include <hooke/element.h>

/* At eccentricities above this many clearances the film cannot carry the journal. */
static const double HK_FILM_LOST = 20;

/* Position of the journal in its clearance: t is the vector from the centre of the socket to the centre of the
 * journal, n = t/|t|, w is the velocity of the journal relative to the film. V and W are the components of w along n
 * and along tau, which is perpendicular to n. */
typedef struct hk_film_place {
  hk_vec3 n, tau;
  double eps, V, W;
  double held; /* eps, or the largest value covered by the film table */
} hk_film_place;

/* `side`: any direction not parallel to n, used for tau if w has no component perpendicular to
 * n. */
hk_film_place hk_film_locate(hk_vec3 t, hk_vec3 w, double clearance, double cut, hk_vec3 side);

/* F = -kappa (base w + held (r n + s tau)), and its derivatives with respect to t and w if they
 * are not NULL. */
hk_vec3 hk_film_force(const hk_film_place *p, const hk_film_rest *rest, double kappa, double base,
                      double clearance, hk_mat3 *by_t, hk_mat3 *by_w);

/* Regime of a film, determined by the ratio of minimum film thickness and roughness: full film
 * (above 3), mixed friction (1 to 3), dry contact (below 1). */
enum { HK_FILM_FULL, HK_FILM_MIXED, HK_FILM_DRY };
double hk_film_regime(double thickness, double roughness);

/* Rejects dimensions that do not define a film. */
hk_status hk_film_check(double radius, double clearance, double viscosity, double roughness,
                        hk_error *err);
/* The given roughness; default: a thousandth of the clearance. */
double hk_film_roughness(const hk_item *item, double given, double clearance);
/* Rejects frames whose distance is larger than a journal in its bore allows. */
hk_status hk_film_apart(double distance, double clearance, const char *what, hk_error *err);
/* For hk_type.sample: a bearing with dimensions of metres and an oil suitable for bodies of
 * kilograms. */
hk_status hk_film_sample(hk_item *item, double clearance, double viscosity, hk_error *err);
extern const char hk_film_lost[]; /* message if the eccentricity exceeds HK_FILM_LOST */
#endif
