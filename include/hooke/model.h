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

/* The file that the model was read from, model file, included file, table or mesh, which `path` is too, by
 * whatever name: to write there would destroy it.  NULL: it is none of them. */
HK_API const char *hk_model_reads(const hk_model *model, const char *path);

/* Where the element stands that a failure is about: in the model file, with line and column, if the model was read
 * from one. */
HK_API hk_place hk_error_place(const hk_model *model, const hk_error *err);

HK_API const char *hk_model_title(const hk_model *model);
HK_API int hk_model_degrees(const hk_model *model);    /* velocity coordinates */
HK_API int hk_model_constraints(const hk_model *model); /* constraint rows */
/* Channels: everything that can be recorded; channel 0 is time. */
HK_API int hk_model_channel_count(const hk_model *model);
HK_API const char *hk_model_channel_name(const hk_model *model, int i);
HK_API const char *hk_model_channel_unit(const hk_model *model, int i);
HK_API const char *hk_model_channel_doc(const hk_model *model, int i);
/* 0: what one looks for first; 1: components and derivatives; 2: the insides of composite joints.
 * Channels stand in this order. */
HK_API int hk_model_channel_rank(const hk_model *model, int i);
HK_API int hk_model_channel_find(const hk_model *model, const char *name); /* -1: none */
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
