/* A compiled model: immutable, may be shared between threads. */
#ifndef HOOKE_MODEL_H
#define HOOKE_MODEL_H
#include <hooke/spec.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hk_model hk_model;

/* Compile a spec.  Takes the spec over (destroys it, also on failure).  NULL on errors, which are
 * in diag with the places they come from. */
HK_API hk_model *hk_model_compile(hk_spec *spec, hk_diag *diag);
HK_API void hk_model_destroy(hk_model *model);
/* The spec from which the model was compiled, to be changed and compiled again: without the parts of composite joints, which
 * the next compilation adds.  NULL: out of memory. */
HK_API hk_spec *hk_model_spec(const hk_model *model);

/* The file that the model was read from, model file, included file, table or mesh, which `path` is too, by
 * whatever name: to write there would destroy it.  NULL: it is none of them. */
HK_API const char *hk_model_reads(const hk_model *model, const char *path);

/* Where the element stands that a failure is about: in the model file, with line and column, if the model was read
 * from one. */
HK_API hk_location hk_error_location(const hk_model *model, const hk_error *err);

HK_API const char *hk_model_title(const hk_model *model);
HK_API int hk_model_position_count(const hk_model *model);   /* position coordinates: a rigid body has 7 */
HK_API int hk_model_velocity_count(const hk_model *model);   /* velocity coordinates: a rigid body has 6 */
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
/* 0: what one looks for first; 1: components and derivatives; 2: the insides of composite joints.
 * Channels stand in this order. */
HK_API int hk_model_channel_rank(const hk_model *model, int i);
HK_API int hk_model_channel_find(const hk_model *model, const char *name); /* -1: none */

/* What a channel belongs to. */
typedef enum hk_channel_kind {
  HK_CHANNEL_TIME,
  HK_CHANNEL_FRAME,      /* motion of a body or marker */
  HK_CHANNEL_COORDINATE, /* of a joint, with its rates */
  HK_CHANNEL_SENSOR,
  HK_CHANNEL_INPUT,
  HK_CHANNEL_STATE,
  HK_CHANNEL_FORCE,
  HK_CHANNEL_JOINT,     /* reactions */
  HK_CHANNEL_MOTION,    /* generalized forces of motions and couplings */
  HK_CHANNEL_CONTACT,
  HK_CHANNEL_BODY,      /* sums of the loads on a body */
  HK_CHANNEL_COMPOSITE, /* composite joints */
  HK_CHANNEL_ENERGY,
  HK_CHANNEL_SOLVER
} hk_channel_kind;
HK_API hk_channel_kind hk_model_channel_kind(const hk_model *model, int i);

/* What a channel depends on directly, at one instant: a set of these. */
enum {
  HK_DEPENDS_TIME = 1,
  HK_DEPENDS_MOTION = 2,  /* positions and velocities */
  HK_DEPENDS_INPUT = 4,   /* it changes at once if an input jumps */
  HK_DEPENDS_HISTORY = 8, /* internal variables of elements, counters, work since the start */
  HK_DEPENDS_STEP = 16    /* the last step of the integrator */
};
/* 0: there is no such channel.  A dependency that is not listed does not exist; one that is listed may be zero now. */
HK_API unsigned hk_model_channel_needs(const hk_model *model, int i);
/* Several at once; HK_EINPUT names the first that there is not, and what was perhaps meant. */
HK_API hk_status hk_model_channels_find(const hk_model *model, const char *const *name, int n,
                                        int *channel, hk_error *err);

/* Inputs: what hk_sim_input_set sets, in the order of the model file; their units are SI units. */
HK_API int hk_model_input_count(const hk_model *model);
HK_API const char *hk_model_input_name(const hk_model *model, int i);
HK_API const char *hk_model_input_unit(const hk_model *model, int i);
HK_API int hk_model_input_find(const hk_model *model, const char *name); /* -1: none */

#ifdef __cplusplus
}
#endif
#endif
