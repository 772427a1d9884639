/* Quality of a run: indicators of the accuracy of its results.
 *
 * A run keeps a list of indicators, such as the largest error of the energy balance. Each indicator has a worst amount
 * and a limit. If the amount exceeds the limit, the indicator is a warning and has a sentence with the numbers and a
 * remedy:
 *
 *   hk_quality *q = report.quality;                        or hk_sim_quality(sim, &q, &err)
 *   for (int i = 0; i < hk_quality_count(q); i++) {
 *     const hk_indicator *k = hk_quality_at(q, i);
 *     if (k->level == HK_LEVEL_DOUBT) printf("%s\n", k->sentence);
 *   }
 *
 * The list holds copies of everything: it may outlive the simulation and the model. */
#ifndef HOOKE_QUALITY_H
#define HOOKE_QUALITY_H
#include <hooke/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Quantity that an indicator describes. Most kinds occur at most once in a list; the MISSED kinds occur once per load
 * or contact. */
typedef enum hk_quality_kind {
  HK_QUALITY_ENERGY, /* largest error of the energy balance [J]; scale: energy exchanged */
  HK_QUALITY_PHASE,  /* possible phase error of undamped oscillations at the end of the run [rad] */
  /* local error allowed per step, divided by the largest displacement [1]; scale: that displacement [m] */
  HK_QUALITY_SMALL_MOTION,
  HK_QUALITY_CONSTRAINT,  /* largest constraint violation [m or rad] */
  HK_QUALITY_PENETRATION, /* deepest penetration of rigid contacts [m] */
  HK_QUALITY_ROTATION,    /* largest rotation of a body within one fixed step [rad] */
  HK_QUALITY_FILM, /* possible position error divided by the clearance of a lubricant film [1]; element: the force */
  /* error tolerance of a state without a scale, divided by its largest value [1]; scale: that value */
  HK_QUALITY_STATE,
  HK_QUALITY_ARTICULATION, /* largest articulation angle beyond the geometric limit of a joint [rad]; element: the sensor */
  HK_QUALITY_LOCAL_ERROR, /* sum of the local errors of all steps [m]; scale: largest displacement, without losses */
  HK_QUALITY_SIMULTANEOUS, /* number of impacts that were transmitted through touching contacts and treated simultaneously */
  HK_QUALITY_JUMP, /* first jump of a prescribed velocity [m/s or rad/s]; element: the motion; count: number of jumps */
  HK_QUALITY_INDETERMINATE, /* number of stick-slip decisions that depend on an indeterminate normal force; element: contact */
  HK_QUALITY_MISSED_SWITCH, /* number of fixed steps that passed over a switch or a short pulse of a load; element: the load */
  HK_QUALITY_MISSED_CONTACT, /* number of fixed steps within which a contact closed and opened; element: the contact */
  /* depth of a compliant contact divided by the depth up to which its geometry is meaningful [1]; element: contact */
  HK_QUALITY_DEPTH,
  /* distance slid at speeds below the speed of full friction [m]; scale: that speed; element: force
   * or contact */
  HK_QUALITY_CREEP,
  /* error caused by round-off of positions far from the origin [m]; scale: relative motion of the bodies [m] */
  HK_QUALITY_DISTANCE,
  /* largest friction coefficient for which the motion of a sliding rigid contact is unique [1]; element: contact;
   * count: steps */
  HK_QUALITY_PARADOX,
  HK_QUALITY_RANGE, /* largest amount by which a force left the range in which it is valid [1]; element: the force */
  HK_N_QUALITY_KINDS
} hk_quality_kind;

typedef enum hk_quality_level {
  HK_LEVEL_GOOD,   /* within the limit */
  HK_LEVEL_REMARK, /* the values are as accurate as usual, but they need care in interpretation */
  HK_LEVEL_DOUBT   /* the results may be wrong */
} hk_quality_level;

/* One indicator.  Later versions may use the reserved room. */
typedef struct hk_indicator {
  hk_quality_kind kind;
  hk_quality_level level;
  const char *name;    /* name of the kind: "energy" */
  const char *unit;    /* SI unit of amount and limit */
  double amount;       /* worst value since the simulation was created */
  double limit;        /* largest amount without a warning; INFINITY: this kind never warns */
  double scale;        /* value with which `amount` is compared; NaN: none */
  double time;         /* time of the worst value, or of the first event [s]; NaN: not applicable */
  long count;          /* number of events so far; 0: this kind does not count events */
  char element[128];   /* name of the force, contact, motion, sensor or state; "": none */
  char sentence[1024]; /* text of the warning: the problem and the remedy; "": no warning */
  double reserved[8];
} hk_indicator;

/* A list of indicators, in the order of their kinds. */
typedef struct hk_quality hk_quality;
/* Number of indicators; 0 for NULL. */
HK_API int hk_quality_count(const hk_quality *quality);
HK_API const hk_indicator *hk_quality_at(const hk_quality *quality,
                                         int i); /* NULL: no such entry */
/* The first indicator of a kind; NULL: not in the list. */
HK_API const hk_indicator *hk_quality_find(const hk_quality *quality, hk_quality_kind kind);
HK_API void hk_quality_destroy(hk_quality *quality);

/* "energy", "phase", ...; NULL: no such kind. */
HK_API const char *hk_quality_kind_name(hk_quality_kind kind);

#ifdef __cplusplus
}
#endif
#endif
