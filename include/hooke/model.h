/* A compiled model: immutable, may be shared between threads. */
#ifndef HOOKE_MODEL_H
#define HOOKE_MODEL_H
#include <hooke/spec.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hk_model hk_model;

/* Compiles a spec.  Takes ownership of the spec: destroys it, even on failure.  Returns NULL on
 * errors; diag holds them with their locations. */
HK_API hk_model *hk_model_compile(hk_spec *spec, hk_diag *diag);
HK_API void hk_model_destroy(hk_model *model);
/* A copy of the spec from which the model was compiled, to be changed and compiled again.  It does not contain the parts of
 * composite joints; the next compilation adds them.  NULL: out of memory. */
HK_API hk_spec *hk_model_spec(const hk_model *model);

/* If `path` refers to a file that the model was read from (model file, included file, table or
 * mesh; even through a link), returns the name of that file.  Programs call this before they write,
 * so as not to overwrite their input.  NULL: `path` is not an input file. */
HK_API const char *hk_model_reads(const hk_model *model, const char *path);

/* Location of the element named in an error: model file, line and column; all zero if the model was not read from a file. */
HK_API hk_location hk_error_location(const hk_model *model, const hk_error *err);

HK_API const char *hk_model_title(const hk_model *model);
/* number of position coordinates: a rigid body has 7 */
HK_API int hk_model_position_count(const hk_model *model);
/* number of velocity coordinates: a rigid body has 6 */
HK_API int hk_model_velocity_count(const hk_model *model);
HK_API int hk_model_constraint_count(const hk_model *model); /* constraint rows */

/* Top-level `parameters:` of the model file, in its order.  To change one, read the file again with an override
 * (hooke/model_file.h). */
typedef struct hk_parameter {
  const char *name; /* texts live as long as the model */
  double value;     /* in SI units */
  const char *unit; /* SI; "1": dimensionless */
  const char *text; /* as in the file or the override: "20 mm", "2*radius" */
  double reserved[4];
} hk_parameter;
HK_API int hk_model_parameter_count(const hk_model *model);
HK_API hk_status hk_model_parameter(const hk_model *model, int i, hk_parameter *out);
HK_API int hk_model_parameter_find(const hk_model *model, const char *name); /* -1: none */

/* Channels: everything that can be recorded; channel 0 is time. */
HK_API int hk_model_channel_count(const hk_model *model);
HK_API const char *hk_model_channel_name(const hk_model *model, int i);
HK_API const char *hk_model_channel_unit(const hk_model *model, int i);
HK_API const char *hk_model_channel_doc(const hk_model *model, int i);
/* 0: primary quantities; 1: components and derivatives; 2: internal quantities of composite joints.  Channels are sorted by
 * rank. */
HK_API int hk_model_channel_rank(const hk_model *model, int i);
HK_API int hk_model_channel_find(const hk_model *model, const char *name); /* -1: none */

/* Kind of object that a channel belongs to. */
typedef enum hk_channel_kind {
  HK_CHANNEL_TIME,
  HK_CHANNEL_FRAME,      /* motion of a body or marker */
  HK_CHANNEL_COORDINATE, /* coordinate of a joint, and its rates */
  HK_CHANNEL_SENSOR,
  HK_CHANNEL_INPUT,
  HK_CHANNEL_STATE,
  HK_CHANNEL_FORCE,
  HK_CHANNEL_JOINT,  /* reactions */
  HK_CHANNEL_MOTION, /* generalized forces of motions and couplings */
  HK_CHANNEL_CONTACT,
  HK_CHANNEL_BODY,      /* sums of the loads on a body */
  HK_CHANNEL_COMPOSITE, /* composite joints */
  HK_CHANNEL_ENERGY,
  HK_CHANNEL_SOLVER,
  HK_CHANNEL_DEFORMATION /* modes of a flexible body, deflections of its interfaces */
} hk_channel_kind;
HK_API hk_channel_kind hk_model_channel_kind(const hk_model *model, int i);

/* Quantities on which a channel depends directly, at one instant: a set of these flags. */
enum {
  HK_DEPENDS_TIME = 1,
  HK_DEPENDS_MOTION = 2,  /* positions and velocities */
  HK_DEPENDS_INPUT = 4,   /* if an input jumps, the channel jumps too */
  HK_DEPENDS_HISTORY = 8, /* internal variables of elements, counters, work since the start */
  HK_DEPENDS_STEP = 16    /* the last step of the integrator */
};
/* Returns the set of flags for a channel; 0: unknown channel.  The set is complete, but a
 * dependency in the set may have no effect at present. */
HK_API unsigned hk_model_channel_depends(const hk_model *model, int i);
/* Finds several channels in one call; HK_EINPUT: err gives the first unknown name and suggests a
 * similar one. */
HK_API hk_status hk_model_channels_find(const hk_model *model, const char *const *name, int n,
                                        int *channel, hk_error *err);

/* Inputs (set by hk_sim_input_set), in the order of the model file.  Units are SI units. */
HK_API int hk_model_input_count(const hk_model *model);
HK_API const char *hk_model_input_name(const hk_model *model, int i);
HK_API const char *hk_model_input_unit(const hk_model *model, int i);
HK_API int hk_model_input_find(const hk_model *model, const char *name); /* -1: none */

#ifdef __cplusplus
}
#endif
#endif
