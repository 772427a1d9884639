/* An axis of a study: one quantity of the model and the values that the study gives to it.
 *
 * As text, in a study file and after --over:
 *
 *   0..0.1:11            eleven values from 0 to 0.1; a unit may follow the range or any number;
 *                        0:0.1:11 means the same
 *   log(1 um, 1 mm, 7)   seven values with a constant ratio
 *   500 N*m, 1 kN*m      a list; also of words: full, ideal
 *   normal(0 um, 5 um)   a distribution (distribution.h), for samples
 *
 * Values are in the unit of the axis, as the user wrote it; the function si() converts values to SI units. */
#ifndef HK_STUDY_AXIS_H
#define HK_STUDY_AXIS_H
#include "base/arena.h"
#include "expr/units.h"
#include "statistics/distribution.h"

typedef enum hk_axis_kind {
  HK_AXIS_LIST,
  HK_AXIS_LINEAR,
  HK_AXIS_LOG,
  HK_AXIS_RANDOM
} hk_axis_kind;

typedef struct hk_axis {
  const char *path;   /* as in --set */
  const char *source; /* the original text */
  hk_location place;
  hk_axis_kind kind;
  int64_t n; /* number of values; 0 for RANDOM */
  double first, last;
  const char **text; /* LIST: as written */
  double *value;     /* LIST: in the unit of the axis; NaN for words */
  bool words;        /* at least one value is not a number */
  hk_distribution distribution;
  char unit[64]; /* "": a plain number */
  hk_unit scale; /* of it */
} hk_axis;

enum { HK_AXIS_MAX_VALUES = 10000000 };

/* Parses text into *a; all memory is from the arena.  default_count: number of values of ranges that do not give it;
 * 0: it is required. */
hk_status hk_axis_read(hk_arena *arena, const char *path, const char *text, int default_count,
                       hk_axis *a, hk_error *err);
/* Same as hk_axis_read, for a list whose n entries are separate texts. */
hk_status hk_axis_read_list(hk_arena *arena, const char *path, const char *const *text, int n,
                            hk_axis *a, hk_error *err);

/* Returns value i of n; NaN for a word. */
double hk_axis_value(const hk_axis *a, int64_t i);
/* The value at a fraction u of the axis: the quantile of a distribution, linear interpolation in a range, the entry
 * of a list. */
double hk_axis_at(const hk_axis *a, double u);
/* Returns true if the axis is a range or a distribution, which has a value at every fraction 0..1; false for a list. */
bool hk_axis_is_continuous(const hk_axis *a);
/* Writes the text of an override for value x (entry i of a list). */
void hk_axis_override(const hk_axis *a, int64_t i, double x, char *out, size_t size);
double hk_axis_si(const hk_axis *a, double x);
enum { HK_AXIS_TEXT = 400 }; /* maximum length of an override */
#endif
