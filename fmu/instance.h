/* One instance of an FMU: the part that FMI 2.0 and 3.0 have in common.  fmi2.c and fmi3.c
 * translate the calls of the two standards, which use the same numbers for a status. */
#ifndef FMU_INSTANCE_H
#define FMU_INSTANCE_H
#include "expr/expr.h"
#include "manifest.h"
#include "read/model_source.h"
#include <hooke/hooke.h>

/* Functions that importers call. */
#ifdef _WIN32
#define FMU_EXPORT __declspec(dllexport)
#else
#define FMU_EXPORT __attribute__((visibility("default")))
#endif

typedef enum fmu_status { FMU_OK, FMU_WARNING, FMU_DISCARD, FMU_ERROR, FMU_FATAL } fmu_status;

/* Kinds of messages, by which an importer can select them. */
typedef enum fmu_category { FMU_LOG_ERROR, FMU_LOG_WARNING, FMU_LOG_EVENTS } fmu_category;
extern const char *const fmu_category_name[];

typedef enum fmu_mode {
  FMU_INSTANTIATED,
  FMU_INITIALIZING,
  FMU_STEPPING,
  FMU_EVENT,
  FMU_TERMINATED
} fmu_mode;

/* Values set by the importer.  A getter returns them until a step or a new model replaces them. */
typedef struct fmu_given {
  double value;
  double given; /* 1: set by the importer */
} fmu_given;

typedef struct fmu_instance fmu_instance;

/* Callbacks that pass messages and intermediate results to the importer; set by fmi2.c or
 * fmi3.c. */
typedef struct fmu_importer {
  void *environment;
  void (*tell)(const fmu_instance *f, fmu_status status, const char *category, const char *message);
  /* Called after every step of the integrator. true: fmu_step returns at *until, or at the next
   * possible time after it. */
  bool (*look)(fmu_instance *f, double time, double *until);
  void (*function)(
      void); /* instance environment of the importer, with its type for `tell` and `look` */
  void (*second)(void);
  bool early, events; /* the importer accepts steps that end early, and handles events */
  bool debug;         /* the importer requests messages about events */
  bool rates_last;    /* rates of inputs stay until they are set again */
  bool exchange;      /* model exchange: the importer integrates the states */
} fmu_importer;

typedef struct fmu_expanded {
  unsigned *reference;
  size_t capacity;
} fmu_expanded;

struct fmu_instance {
  fmu_importer importer;
  char *name, *resources;
  fmu_manifest manifest;
  hk_preparation preparation;
  hk_model_source *source;
  hk_model *model;
  hk_sim *sim; /* NULL before the initialization is complete */
  fmu_mode mode;
  int n_inputs, n_outputs, n_parameters;
  int *input, *channel, *parameter; /* numbers in the model */
  int *one_channel;                 /* scratch of derivatives */
  double *scratch;
  fmu_expanded expanded[2]; /* references of elements, see array.c */
  fmu_given *given;         /* inputs, their rates, parameters: all that is set from outside */
  bool parameters_changed;
  double tolerance, start, stop; /* NaN: not given */
  double time;                   /* communication point, or the time of the importer's integrator */

  /* Steps that pass communication points, see step.c: */
  bool ahead;
  void *before; /* state of the simulation before its last step */

  /* FMUs for model exchange, see continuous.c: */
  int n_states, n_switches;
  double *x, *rate, *event; /* states of the importer; derivatives; event indicators */
  bool placed, have_rates;  /* the simulation is at x; rates are those of x */
  hk_knot next, passed;     /* the next and the last time event */
};

static inline fmu_given *fmu_input(const fmu_instance *f, int i) { return f->given + i; }
static inline fmu_given *fmu_rate(const fmu_instance *f, int i) {
  return f->given + f->n_inputs + i;
}
static inline fmu_given *fmu_parameter(const fmu_instance *f, int i) {
  return f->given + 2 * f->n_inputs + i;
}
/* The importer integrates, and the initialization is complete. */
static inline bool fmu_exchanges(const fmu_instance *f) {
  return f->importer.exchange && f->mode > FMU_INITIALIZING;
}
static inline int fmu_n_given(const fmu_instance *f) { return 2 * f->n_inputs + f->n_parameters; }

void fmu_tell(const fmu_instance *f, fmu_status status, fmu_category category, const char *fmt, ...)
    HK_PRINTF(4, 5);
fmu_status fmu_refuse(const fmu_instance *f, const char *fmt, ...) HK_PRINTF(2, 3);

/* Creates an instance. name: name of the instance; resources: path of the folder. NULL on
 * failure; the log of the importer then contains the reasons. */
fmu_instance *fmu_create(const fmu_importer *importer, const char *name, const char *token,
                         const char *resources);
void fmu_destroy(fmu_instance *f);

/* start, stop and tolerance may be NaN. */
fmu_status fmu_setup(fmu_instance *f, double tolerance, double start, double stop);
fmu_status fmu_begin(fmu_instance *f);      /* enters the initialization mode */
fmu_status fmu_initialize(fmu_instance *f); /* ends the initialisation: the simulation is created
                                             * here at the latest */
fmu_status fmu_reset(fmu_instance *f);
/* Creates model and simulation with the values set by the importer; called by every function that depends on them. */
fmu_status fmu_settle(fmu_instance *f);
/* Same as fmu_ready, and for model exchange also moves the simulation to the states of the
 * importer. */
fmu_status fmu_ready(fmu_instance *f);
/* Logs an error of a call of the library: FMU_DISCARD if another step length may help, otherwise FMU_ERROR. */
fmu_status fmu_failed(const fmu_instance *f, const hk_error *err);
/* For arrays that must not be NULL. */
fmu_status fmu_need(const fmu_instance *f, const void *array, size_t n);
fmu_status fmu_change_mode(fmu_instance *f, fmu_mode from, fmu_mode to);
fmu_status fmu_terminate(fmu_instance *f);
fmu_status fmu_set_debug(fmu_instance *f, bool on, size_t n, const char *const category[]);
/* Values of a type that no variable has. */
fmu_status fmu_no_values(const fmu_instance *f, size_t n);

fmu_status fmu_get(fmu_instance *f, const unsigned *reference, size_t n, double *out);
fmu_status fmu_set(fmu_instance *f, const unsigned *reference, size_t n, const double *value);
fmu_status fmu_set_rate(fmu_instance *f, unsigned reference, double rate);
/* Index of an input or output; -1: the reference is neither an input nor an output. */
int fmu_is_input(const fmu_instance *f, unsigned reference);
int fmu_is_output(const fmu_instance *f, unsigned reference);
/* ---- arrays: array.c ---- */

/* Number of values of a variable. */
int fmu_size_of(const fmu_instance *f, unsigned reference);
/* Value references with those of all elements of arrays.  slot: 0 or 1, the memory that keeps them until the next call for the
 * same slot.  FMU_ERROR: the variables do not have n_values values. */
fmu_status fmu_expand(fmu_instance *f, int slot, const unsigned *reference, size_t n,
                      size_t n_values, const unsigned **out);

/* First derivatives of outputs by the time. */
fmu_status fmu_output_rates(fmu_instance *f, const unsigned *reference, size_t n, double *out);
/* Sums of d(unknown)/d(known) times the seed of the knowns, or (adjoint) of the unknowns. */
fmu_status fmu_derivative(fmu_instance *f, const unsigned *unknown, size_t n_unknown,
                          const unsigned *known, size_t n_known, const double *seed, bool adjoint,
                          double *out);

typedef struct fmu_stepped {
  bool early; /* the step ended before the requested end */
  bool event; /* velocities have jumped at the end */
} fmu_stepped;
/* From the communication point t over h. */
fmu_status fmu_step(fmu_instance *f, double t, double h, fmu_stepped *out);
/* Call after the initialization, and after the simulation was replaced: determines whether steps
 * may pass communication points. */
fmu_status fmu_step_begin(fmu_instance *f);
/* Steps until the simulation reaches the communication point. */
fmu_status fmu_step_reach(fmu_instance *f);
/* Repeats the last step such that it ends at the communication point. */
fmu_status fmu_step_back(fmu_instance *f);

/* ---- model exchange: continuous.c ---- */

/* After the initialization. */
void fmu_continuous_begin(fmu_instance *f);
fmu_status fmu_set_time(fmu_instance *f, double time);
fmu_status fmu_set_states(fmu_instance *f, const double *x, size_t n);
fmu_status fmu_get_states(fmu_instance *f, double *x, size_t n);
fmu_status fmu_get_state_rates(fmu_instance *f, double *rate, size_t n);
fmu_status fmu_get_nominals(fmu_instance *f, double *nominal, size_t n);
fmu_status fmu_get_indicators(fmu_instance *f, double *indicator, size_t n);
/* One of the variables for model exchange. i: 0, 1, ... counts states, then derivatives, then
 * event indicators. */
fmu_status fmu_get_continuous(fmu_instance *f, int i, double *out);
/* *event: the importer must enter the event mode. */
fmu_status fmu_completed_step(fmu_instance *f, bool *event);
/* In event mode.  *changed: the states have changed; *next: INFINITY if there is no time event. */
fmu_status fmu_update_discrete(fmu_instance *f, bool *changed, double *next);

/* ---- states ---- */

/* A state of the instance: one block of memory without pointers. */
typedef struct fmu_state fmu_state;
fmu_status fmu_state_get(fmu_instance *f, fmu_state **state);
fmu_status fmu_state_set(fmu_instance *f, const fmu_state *state);
size_t fmu_state_size(const fmu_state *state);
fmu_status fmu_state_write(const fmu_instance *f, const fmu_state *state, void *bytes, size_t size);
fmu_status fmu_state_read(const fmu_instance *f, const void *bytes, size_t size, fmu_state **state);
#endif
