/* Spec -> model, in passes: bodies and markers, joints and motions, forces and sensors, channels.
 * Arrays grow while compiling and move into the model's arena at the end of each pass.
 */
#ifndef HK_MODEL_COMPILE_H
#define HK_MODEL_COMPILE_H
#include "model/model.h"
#include <stdlib.h>

/* A growing array of T; `n` elements at `at`. */
#define HK_VECTOR(T) \
  struct {           \
    T *at;           \
    int n, capacity; \
  }
/* Returns the address of a new zeroed last element, or NULL if out of memory. */
#define HK_PUSH(v)                                                             \
  (hk_vector_grow((void **)&(v)->at, &(v)->n, &(v)->capacity, sizeof *(v)->at) \
       ? &(v)->at[(v)->n - 1]                                                  \
       : NULL)
bool hk_vector_grow(void **at, int *n, int *capacity, size_t size);

typedef struct hk_pending_sum { /* a sum of coordinates that may be declared later in the file */
  int constraint;
  hk_sum_term *term;
  int n;
} hk_pending_sum;

typedef struct hk_marker_name {
  const char *name;
  int marker;
} hk_marker_name;

typedef struct hk_compiler {
  hk_model *m;
  hk_spec *spec;
  hk_diag *diag;
  int errors_before; /* number of errors in diag when compilation started */
  bool out_of_memory;
  /* some joints are invalid, so coordinates may be missing: no further error is reported about
   * these */
  bool joints_failed;
  const hk_item *refused_law; /* the last law that was rejected, so that it is reported only once */
  int own_marker_of_ground;
  int *own_marker;             /* [n_nodes] marker of the frame of each body */
  hk_marker_name *marker_name; /* sorted by name; markers of joints have no name */
  int n_marker_names;
  HK_VECTOR(hk_marker) marker;
  HK_VECTOR(hk_coordinate) coordinate;
  HK_VECTOR(hk_constraint) constraint;
  HK_VECTOR(hk_held) held;
  HK_VECTOR(hk_model_term) term;
  HK_VECTOR(int) port;
  HK_VECTOR(const char *) row_name;
  HK_VECTOR(bool) row_angular;
  HK_VECTOR(int) velocity_row;
  HK_VECTOR(hk_pending_sum) sum;
  HK_VECTOR(hk_force) force;
  HK_VECTOR(hk_contact) contact;
  HK_VECTOR(hk_sensor) sensor;
  HK_VECTOR(hk_channel) channel;
  HK_VECTOR(hk_composite) composite;
  HK_VECTOR(hk_member) member;
  HK_VECTOR(const hk_type *)
  numerical; /* types with numerical derivatives: one note each */
} hk_compiler;

/* compile_joint.c */
void hk_compile_shapes(hk_compiler *c);
void hk_compile_joints(hk_compiler *c);
/* compile_fmu.c */
void hk_compile_fmus(hk_compiler *c);
/* compile_force.c */
void hk_compile_forces(hk_compiler *c);
/* Adds the ports of forces; called after the channels of their expressions are known. */
void hk_compile_force_ports(hk_compiler *c);
void hk_compile_sensors(hk_compiler *c);
/* compile_contact.c */
void hk_compile_contacts(hk_compiler *c);
/* compile_owned.c */
void hk_compile_owned(hk_compiler *c);
/* compile_differences.c: detects whether the element just compiled provides derivatives.  scratch:
 * number of scratch doubles of the force. */
void hk_compile_force_differences(hk_compiler *c, hk_force *f, int scratch);
void hk_compile_contact_differences(hk_compiler *c, hk_contact *k);
/* Adds the note that the derivatives of an item's type are finite differences, once per type. */
void hk_compile_numerical(hk_compiler *c, const hk_item *item);
/* compile_shaft.c: checks the axes of a joint between shafts on the markers a and b; false: rejected. */
bool hk_compile_shafts(hk_compiler *c, const hk_item *item, int a, int b);
/* compile_unit.c: checks the units that depend on the coordinate of an item, and the terms of a sum, after its coordinates
 * are known. */
void hk_compile_units(hk_compiler *c, const hk_item *item, int coordinate);
/* Returns true if a sum of coordinates is an angle, so that its reaction is a moment. The units of the weights of the
 * coordinates decide, if they are known. Otherwise `first` (the first coordinate is an angle) and `all` (all
 * coordinates are angles) decide. */
bool hk_sum_is_angle(const hk_item *item, bool first, bool all);
void hk_compile_term_units(hk_compiler *c, const hk_constraint *k);
/* compile_start.c: adds the rows that are active only during assembly, stored after all others. */
void hk_compile_starts(hk_compiler *c);
/* compile_composite.c */
void hk_compile_composites(hk_compiler *c);
/* channel.c */
void hk_compile_channels(hk_compiler *c);
/* compile_variable.c */
void hk_compile_variables(hk_compiler *c);
/* Implementation of hk_spec_variable, passed to the spec by the registry, because the channels are known here. */
int hk_channel_variable(hk_spec *spec, const char *name, hk_dim *dim, char *hint);
/* Returns true if expressions of the spec may read this channel, as far as this is known before compilation. */
bool hk_channel_known(const hk_spec *spec, const char *name, hk_dim *dim);
/* Names of the channels of a frame that a message about an unknown name lists; returns their number.  text: all names in
 * one line. */
enum { HK_MOST_FRAME_NAMES = 12 };
int hk_channel_frame_names(const hk_spec *spec, const char *frame,
                           const char *suffix[HK_MOST_FRAME_NAMES], char *text, size_t size);
/* See hk_registry.current_channel. */
bool hk_channel_current(const hk_spec *spec, const char *name, char *out, size_t size, bool *note);
/* compile_lookup.c: table lookups; called after the variables of a step are known. */
void hk_compile_lookups(hk_compiler *c);
void hk_compile_watched(hk_compiler *c);
/* compile_signal.c */
void hk_compile_inputs(hk_compiler *c);
void hk_compile_events(hk_compiler *c);
void hk_compile_event_channels(hk_compiler *c);
void hk_compile_states(hk_compiler *c);
/* Adds the rates of states, as forces on their nodes. */
void hk_compile_rates(hk_compiler *c);
/* compile_force.c: binds the expression to its variable slots; on_state, if not NULL, receives
 * whether it reads more than t. */
bool hk_compile_expr(hk_compiler *c, const hk_expr *e, hk_bound_expr *out, bool *on_state);

/* Returns a marker by name, or -1. */
int hk_compile_find_marker(const hk_compiler *c, const char *name);
/* Returns a marker by name ("crank", "crank.tip", "ground"); -1: unknown, with an error at the
 * location of the parameter. */
int hk_compile_frame(hk_compiler *c, const hk_item *item, const char *param, const char *name);
/* Returns a coordinate by name ("hinge.angle", a rotor's name, or a joint's name if it has only one
 * coordinate). */
int hk_compile_coordinate(hk_compiler *c, const hk_item *item, const char *param, const char *name);
int hk_compile_add_marker(hk_compiler *c, const char *name, int node, hk_vec3 s, hk_mat3 R);
/* compile_body.c: nodes and markers of all bodies; coordinates of nodes. */
void hk_compile_bodies(hk_compiler *c);
void hk_compile_node_coordinates(hk_compiler *c);
/* For relations of a rotor's angle: returns a frame of the rotor with z along the axis of rotation
 * instead of the axes of the marker.  Markers of other nodes are returned unchanged. */
int hk_compile_spin_marker(hk_compiler *c, int marker);
int hk_compile_add_coordinate(hk_compiler *c, const char *name, const hk_relation_type *type,
                              const double *k, int nk, int a, int b);
/* The frame of a marker in the initial position. */
hk_frame hk_compile_frame_at(const hk_compiler *c, int marker);
/* Add two ports. */
bool hk_compile_ports(hk_compiler *c, int a, int b);
/* Reserves n doubles for internal variables of an element in the state; returns their offset. */
int hk_compile_memory(hk_compiler *c, int n, int scratch);
void hk_compile_error(hk_compiler *c, const hk_item *item, const char *param, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
#endif
