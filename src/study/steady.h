/* Variants whose result is a periodic orbit instead of a run: `analysis: periodic` of a study file. */
#ifndef HK_STUDY_STEADY_H
#define HK_STUDY_STEADY_H
#include <hooke/nonlinear.h>

/* Texts as given in the study file; NULL: not given. */
typedef struct hk_steady {
  bool used;
  const char *period; /* a time, a frequency, a speed, or a channel with the period as its value */
  const char *turn;   /* "shaft.angle = 360 deg": the period is unknown */
  const char *from, *tolerance, *symmetry;
} hk_steady;

/* Sets the options for the search for orbits of this model. HK_EINPUT: a text is invalid, or a channel does not
 * exist. */
hk_status hk_steady_resolve(const hk_steady *s, const hk_model *m, hk_periodic_options *out,
                            hk_error *err);
/* Reads "CHANNEL = AMOUNT", the condition that defines an unknown period. key: the name of this option in messages. */
hk_status hk_steady_turn(const char *text, const char *key, const hk_model *m,
                         hk_periodic_options *o, hk_error *err);
#endif
