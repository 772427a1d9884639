/* What films between two frames share: the force over eccentricity and velocity with its derivatives,
 * and what they say of themselves. */
#ifndef HK_FORCE_FILM_H
#define HK_FORCE_FILM_H
#include "film/film_table.h"
#include <hooke/element.h>

/* Eccentricities beyond this many clearances mean that nothing holds the journal. */
static const double HK_FILM_LOST = 20;

/* The journal in its clearance: t from the middle of the socket to that of the journal, w its velocity as
 * the film sees it.  V and W are the parts of w along n and tau. */
typedef struct hk_film_place {
  hk_vec3 n, tau;
  double eps, V, W;
  double held; /* eps, or the largest one that the film knows */
} hk_film_place;

/* `side` is any direction that is not along n, where w has no part across n. */
hk_film_place hk_film_locate(hk_vec3 t, hk_vec3 w, double clearance, double cut, hk_vec3 side);

/* F = -kappa (base w + held (r n + s tau)), and its derivatives by t and w if they are not NULL. */
hk_vec3 hk_film_force(const hk_film_place *p, const hk_film_rest *rest, double kappa, double base,
                      double clearance, hk_mat3 *by_t, hk_mat3 *by_w);

/* Full film, mixed friction, dry contact: least thickness over roughness above 3, down to 1, below. */
enum { HK_FILM_FULL, HK_FILM_MIXED, HK_FILM_DRY };
double hk_film_regime(double thickness, double roughness);

/* The largest eccentricity at which there is a film.  Refuses sizes that make none. */
hk_status hk_film_check(double radius, double clearance, double viscosity, double roughness,
                        hk_error *err);
/* Roughness if it is given, else a thousandth of the clearance. */
double hk_film_roughness(const hk_item *item, double given, double clearance);
/* Refuses frames that are further apart than a journal can be in its bore. */
hk_status hk_film_apart(double distance, double clearance, const char *what, hk_error *err);
/* For hk_type.sample: a bearing of metres, filled with an oil that suits bodies of kilograms. */
hk_status hk_film_sample(hk_item *item, double clearance, double viscosity, hk_error *err);
extern const char hk_film_lost[]; /* what happened, beyond HK_FILM_LOST */
#endif
