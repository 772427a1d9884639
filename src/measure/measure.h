/* Measures: one number from a channel over a time window, accumulated during the run.
 *
 * A measure receives samples (t, y) at accepted steps, ordered in time with any spacing, and
 * treats y as piecewise linear between them: the integral is trapezoidal, and the mean is the integral divided by the
 * length of the window. The rms uses the exact integral of the square of this piecewise linear curve, a harmonic the
 * exact integral of its product with sine and cosine. Values at the ends of the window are interpolated. The errors of
 * these measures are of second order in the step size. Extremes are those of the samples and the ends of the window:
 * no parabola is fitted, because contact forces have kinks. If the caller knows that the curve between two samples is
 * smooth, it passes `bow`, the deviation of the middle of the curve from the straight line between the samples. The
 * curve between the two samples is then this parabola, for extremes and integrals. `at`, `initial` and `final`, and
 * with them `change` and `rate`, use cubic interpolation: Hermite if both neighbours have a rate, otherwise through up
 * to four neighbouring samples (fourth order). An event is a crossing of a level; its time is that of the parabola
 * through the two samples around it and the previous one (third order). Two samples at the same time are a jump:
 * interpolation does not cross it, and the later value counts at that time. */
#ifndef HK_MEASURE_MEASURE_H
#define HK_MEASURE_MEASURE_H
#include <hooke/base.h>

typedef enum hk_measure_kind {
  HK_MEASURE_MIN,
  HK_MEASURE_MAX,
  HK_MEASURE_MEAN,
  HK_MEASURE_RMS,
  HK_MEASURE_PEAK_TO_PEAK,
  HK_MEASURE_MAX_ABS,
  HK_MEASURE_INTEGRAL,
  HK_MEASURE_INITIAL,
  HK_MEASURE_FINAL,
  HK_MEASURE_AT,
  HK_MEASURE_CHANGE,     /* FINAL minus INITIAL */
  HK_MEASURE_RATE,       /* change per time */
  HK_MEASURE_HARMONIC,   /* amplitude at a frequency: hk_measure_set_frequency */
  HK_MEASURE_EVENTS,     /* number of crossings: hk_measure_set_events */
  HK_MEASURE_EVENT_TIME, /* time of the n-th crossing */
  HK_MEASURE_ORDER,      /* amplitude per revolution of a shaft: hk_measure_set_order */
  HK_MEASURE_PERCENTILE, /* value that the channel does not exceed during a given fraction of the
                          * time: hk_measure_set_share */
  HK_MEASURE_N_KINDS
} hk_measure_kind;

typedef enum hk_measure_state {
  HK_MEASURE_OK,
  HK_MEASURE_PARTIAL, /* a value exists, but the samples do not cover the whole window */
  /* NaN: no sample is in the window, or no samples are on both sides of the requested time */
  HK_MEASURE_NO_SAMPLE,
  HK_MEASURE_NOT_FINITE, /* NaN: a sample in the window is NaN or infinite */
  HK_MEASURE_UNORDERED,  /* NaN: time decreased */
  HK_MEASURE_BAD_WINDOW, /* NaN: t1 < t0, or `at` is NaN */
  HK_MEASURE_NO_EVENT,   /* NaN: fewer events than the requested one */
  HK_MEASURE_NO_MEMORY   /* NaN: there was not enough memory for the curve */
} hk_measure_state;

typedef struct hk_measure_node {
  double t, y, rate;
  bool has_rate;
  /* the curve from the previous sample to this one: y in the middle minus the mean of both ends; 0: straight line */
  double bow;
} hk_measure_node;

/* Crossings of a level that count as events. */
typedef enum hk_crossing { HK_CROSSING_BOTH, HK_CROSSING_RISING, HK_CROSSING_FALLING } hk_crossing;

/* Definition of an event: the value reaches a level from one side. The levels are `level` + k
 * `every` for all whole numbers k, or only `level` if `every` is 0. A value that starts at a
 * level and leaves it is not an event. */
typedef struct hk_event_rule {
  double level, every;
  hk_crossing crossing;
  int64_t n; /* number of the requested event, for HK_MEASURE_EVENT_TIME */
} hk_event_rule;

/* Integrals over the angle of a shaft; the angle is measured from the start of the window. */
typedef struct hk_turn_sums {
  double co, si, sum; /* integrals of y cos, y sin, y */
} hk_turn_sums;
typedef struct hk_measure_turn {
  double order;
  double angle, last_angle; /* angle of the shaft at the next sample and at the previous one */
  double start, way, end; /* angle at the start; direction, 1 or -1; angle from the start so far */
  double whole;           /* angle at the last complete revolution */
  hk_turn_sums now, at_whole;
} hk_measure_turn;

/* The value at one time, from the samples around it. */
typedef struct hk_measure_point {
  hk_measure_kind kind; /* AT, INITIAL or FINAL */
  double at;
  hk_measure_node node[4]; /* last stored samples, oldest first */
  int n_nodes, n_after;    /* number of stored samples; number of stored samples after `at` */
  bool done;               /* the interpolated value is final */
  double value, time;
} hk_measure_point;

/* A part of the curve between two samples, for percentiles: duration, values at both ends, and deviation of the
 * parabola from the chord at the middle (`bow`). */
typedef struct hk_measure_stay {
  double time, ya, yb, bow;
} hk_measure_stay;
typedef struct hk_measure_pile {
  hk_measure_stay *piece;
  int64_t n, room;
  bool lost; /* memory was exhausted */
} hk_measure_pile;

/* Access only through the functions below. */
typedef struct hk_measure {
  hk_measure_kind kind;
  double t0, t1;          /* the window; -INFINITY / INFINITY if open */
  hk_measure_point point; /* AT, INITIAL, FINAL; for CHANGE and RATE: start of the window */
  hk_measure_point end;   /* end of the window */
  int64_t n_inside;       /* number of samples and interpolated ends in the window */
  double first_t, last_t; /* covered part of the window: times of its first and last sample */
  double last_y;          /* value at last_t */
  double min, max, min_t, max_t;
  double omega;                  /* HARMONIC: angular frequency */
  double co, co_low, si, si_low; /* integrals of y cos and y sin, with compensated summation */
  hk_event_rule rule;            /* EVENTS, EVENT_TIME */
  /* the second to last sample, if the curve is continuous between the last two */
  hk_measure_node before;
  bool has_before;
  int64_t n_events;     /* so far */
  double event_t;       /* time of event number rule.n; NaN: not yet */
  hk_measure_turn turn; /* ORDER */
  double share;         /* PERCENTILE: 0 ... 1 */
  /* PERCENTILE: the parts of the curve between successive samples in the window */
  hk_measure_pile pile;
  double sum, sum_low; /* integral, compensated */
  double sq, sq_low;   /* integral of the square, with compensated summation */
  /* times of the first and of the last sample, even if they are outside of the window */
  double seen_t0, seen_t1;
  hk_measure_node last; /* last sample, inside the window or not */
  bool any, not_finite, unordered;
} hk_measure;

/* Initialises a measure over [t0, t1]; NaN: that end is open. For HK_MEASURE_AT, t0 is the time and
 * t1 is ignored. */
void hk_measure_init(hk_measure *m, hk_measure_kind kind, double t0, double t1);
/* HK_MEASURE_HARMONIC: amplitude 2/T |integral of (y - mean) exp(i omega t)|; exact for windows
 * of whole periods. */
void hk_measure_set_frequency(hk_measure *m, double omega);
/* HK_MEASURE_ORDER: `order` cycles per revolution; the angle of the shaft must be set before
 * each sample. */
void hk_measure_set_order(hk_measure *m, double order);
void hk_measure_set_angle(hk_measure *m, double angle);
/* HK_MEASURE_PERCENTILE: share of the time, 0 ... 1. Call hk_measure_free at the end. */
void hk_measure_set_share(hk_measure *m, double share);
void hk_measure_free(hk_measure *m);
/* HK_MEASURE_EVENTS and HK_MEASURE_EVENT_TIME. */
void hk_measure_set_events(hk_measure *m, const hk_event_rule *rule);
void hk_measure_add(hk_measure *m, double t, double y);
/* Adds a sample. The curve from the last sample to this one is a parabola: see hk_measure_node.bow. */
void hk_measure_add_bowed(hk_measure *m, double t, double y, double bow);
/* Adds a sample with dy/dt, so that `at`, `initial` and `final` use Hermite interpolation. */
void hk_measure_add_rate(hk_measure *m, double t, double y, double rate);
/* Returns the level that is crossed if the requested event is before (t, y), taken as the next
 * sample; otherwise NaN. For callers that can locate the time of the event more accurately than by
 * three samples: a sample at that time, with this level as its value, is used without
 * interpolation. */
double hk_measure_event_ahead(const hk_measure *m, double t, double y);
/* Returns the value so far; NaN: no value. May be called at any time without side effects. */
double hk_measure_value(const hk_measure *m);
hk_measure_state hk_measure_status(const hk_measure *m);
/* Reason for a missing or partial value: one sentence, "" for HK_MEASURE_OK. */
const char *hk_measure_why(hk_measure_state state);
/* Time of the value (extremes, events and point values); NaN for mean, rms and integral. */
double hk_measure_time(const hk_measure *m);

/* "min", "max", "mean", "rms", "peak_to_peak", "max_abs", "integral", "initial", "final", "at",
 * "change", "rate", "harmonic", "events", "event_time", "order", "percentile". */
const char *hk_measure_kind_name(hk_measure_kind kind);
/* False if the name is unknown. */
bool hk_measure_kind_find(const char *name, hk_measure_kind *kind);

/* Parameters of an item in `measures`. */
typedef struct hk_measure_params {
  const char *of;  /* channel */
  int take;        /* hk_measure kind */
  double from, to; /* window; to <= from: the whole run */
  double at;       /* time of take: at */
  /* period for `take: harmonic`; order for `take: harmonic` and `take: order` */
  double period, order;
  const char *over;              /* channel of the angle, for `take: order` */
  int n;                         /* number of the event, for take: event_time */
  struct hk_expr *level, *every; /* for take: events and take: event_time: the levels */
  int crossing;                  /* hk_crossing */
  double share;                  /* for take: percentile: the fraction of the time */
} hk_measure_params;

/* ---- measure_event.c, for measure.c ---- */

/* Adds the events of the curve from (ta, ya) to (tb, yb); the curve has a jump if both times are equal. */
void hk_measure_add_events(hk_measure *m, double ta, double ya, double tb, double yb);

/* ---- measure_order.c, for measure.c ---- */

/* A parabola over lo ... hi, of time or of an angle: ya and yb are its values at the ends, and bow is its value in the
 * middle minus their mean. */
typedef struct hk_measure_piece {
  double lo, hi, ya, yb, bow;
} hk_measure_piece;
/* Integral of a parabola y over its interval, and integral of y exp(i omega x), both exact. With the middle c of the
 * interval, its length h and u = omega h/2, the second integral is
 *   (mean sinc u + 2 bow (sinc u - cos u)/u^2 + i slope h/(2 u) (sinc u - cos u)) h exp(i omega c). */
double hk_measure_area(const hk_measure_piece *p);
void hk_measure_wave(double omega, const hk_measure_piece *p, double *c, double *s);
/* Adds a part of the curve, as a function of the angle, to the integrals of the order. */
void hk_measure_add_turn(hk_measure *m, const hk_measure_piece *p);
double hk_measure_order_value(const hk_measure *m);

/* ---- measure_percentile.c, for measure.c ---- */

void hk_measure_add_stay(hk_measure *m, const hk_measure_piece *p);
double hk_measure_percentile_value(const hk_measure *m);
#endif
