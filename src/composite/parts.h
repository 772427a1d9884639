/* Helpers for composite joints: initial positions of frames, and adding items part by part.
 *
 * A part is begun with hk_part_add; setters then act on it.  After the first failure all further calls have no effect, so
 * that an expand function is a list of calls with one check at its end.
 */
#ifndef HK_COMPOSITE_PARTS_H
#define HK_COMPOSITE_PARTS_H
#include <hooke/element.h>

/* A frame in the initial position of the model file, and its velocity. */
typedef struct hk_stand {
  hk_item *body; /* NULL: ground */
  hk_vec3 x;     /* world */
  hk_quat q;
  hk_vec3 at; /* in the body */
  hk_quat turn;
  hk_vec3 v, w; /* velocity of the frame, world axes */
} hk_stand;
hk_status hk_stand_find(const hk_spec *spec, const char *frame, hk_stand *out, hk_error *err);

typedef struct hk_parts {
  hk_spec *spec;
  const char *owner; /* name of the joint */
  hk_item *item;     /* the part that was added last; the setters change this part */
  hk_error *err;
  hk_status status;
} hk_parts;

/* Begins the part "owner.name", or "owner.name[index]" with index >= 0. */
void hk_part_add(hk_parts *p, hk_category category, const char *type, const char *name, int index);
void hk_part_real(hk_parts *p, const char *param, double value);
void hk_part_int(hk_parts *p, const char *param, int value);
void hk_part_bool(hk_parts *p, const char *param, bool value);
void hk_part_reals(hk_parts *p, const char *param, const double *value, int n);
void hk_part_vec3(hk_parts *p, const char *param, hk_vec3 value);
void hk_part_rotation(hk_parts *p, const char *param, hk_quat value);
void hk_part_text(hk_parts *p, const char *param, const char *value);
/* "owner.name", or "owner.name[index]". */
void hk_part_frame(hk_parts *p, const char *param, const char *name, int index);
void hk_part_expression(hk_parts *p, const char *param, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Adds a sensor "name": `function` (such as max) of one term per part. In the term, @ is
 * replaced by the joint and # by the number of the part. Without a function the terms are
 * summed. The length of an expression is limited, so the terms of many parts are divided into
 * groups. */
typedef struct hk_part_terms {
  const char *name;
  int index;
  const char *function, *term;
} hk_part_terms;
void hk_part_over(hk_parts *p, const hk_part_terms *o, int n);
/* Adds a note or a warning with the location of the joint. */
void hk_part_say(const hk_parts *p, hk_severity severity, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Writes "owner_name" as one word, for markers on bodies that may belong to several joints. */
void hk_part_marker_name(const hk_parts *p, const char *name, char *out, size_t size);
/* Adds a marker "name[index]" on the body of a frame, in the axes of this frame. */
void hk_part_marker(hk_parts *p, const hk_stand *frame, const char *name, int index, hk_vec3 at,
                    const hk_mat3 *axes);
/* Adds a start condition for the part "name[index]": the part is on the z axis, or in the plane of the x and y axes,
 * of a coordinate system that is fixed to the frame `a`. */
typedef enum hk_part_place { HK_PART_ON_LINE, HK_PART_IN_PLANE } hk_part_place;
void hk_part_begin(hk_parts *p, const hk_item *joint, const char *a, hk_vec3 at,
                   const hk_mat3 *axes, const char *name, int index, hk_part_place where);
/* Sets an initial guess of a velocity. The joints may change this velocity, and it does not count as given by the
 * user. */
void hk_part_guess(hk_parts *p, const char *param, hk_vec3 value);
/* A parameter of the joint, given by the user or computed. */
typedef struct hk_filled {
  const char *name;
  double value;
  const char *unit;
  bool given;
} hk_filled;
/* Adds a note that lists the values that the user did not give. `from`: how these values were computed. */
void hk_part_filled(hk_parts *p, const hk_filled *value, int n, const char *from);
/* Adds a warning if a value is outside of the range that the geometry suggests: the most common
 * cause is a wrong unit. */
void hk_part_expect(hk_parts *p, const char *name, double value, double low, double high,
                    const char *unit);
/* Common lines of the channel tables of joints with tracks. */
#define HK_TRACK_CHANNELS                                                                    \
  {"articulation_angle", "rad", "articulation angle: between the axes of a and b"},          \
      {"transmission_error", "rad", "angular transmission error: angle by which b leads a"}, \
      {"plunge", "m", "displacement of b along the axis of a"},                              \
      {"track_force_max", "N", "largest force of the loaded flanks"}, {                      \
    "track_force_min", "N", "smallest force of the loaded flanks"                            \
  }

#endif
