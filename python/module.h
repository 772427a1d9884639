/* Private declarations of the Python module: one C file per kind of object.
 *
 * The module is written for the stable ABI of Python 3.11 and calls the public interface of the
 * library only.  Every call that can take long releases the interpreter's lock. If a thread uses
 * an object, calls from other threads raise an exception (hkpy_busy).  Numbers are in SI units. */
#ifndef HKPY_MODULE_H
#define HKPY_MODULE_H
#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>
#include <hooke/hooke.h>

/* Objects are made by functions of the module and take part in the search for reference cycles. */
#define HKPY_FLAGS (Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_HAVE_GC)

/* ---- errors (errors.c) ---- */

extern PyObject *hkpy_error, *hkpy_input_error, *hkpy_failed_error;
bool hkpy_errors_init(PyObject *module);
/* Raise the exception of a status, with the messages of `diag` (NULL: none) or the sentence of
 * `err` (NULL: none).  The location is that of the first message, or comes from the model (NULL:
 * unknown).  Always returns NULL. */
PyObject *hkpy_raise(hk_status status, const hk_error *err, const hk_diag *diag,
                     const hk_model *model);
/* Returns a list of hooke.Message: the messages of diag from number `first` on. */
PyObject *hkpy_messages(const hk_diag *diag, int first);

/* ---- long operations (watch.c) ---- */

/* State of an operation that runs without the interpreter's lock.  Its check tests for Ctrl-C
 * and for a cancel event, and calls the progress function of the caller. */
typedef struct hkpy_watch {
  PyThreadState *thread; /* saved while the lock is released; NULL: the lock is held */
  PyObject *progress;    /* callable or NULL (borrowed) */
  PyObject *cancel;      /* object with is_set(), or NULL (borrowed) */
  double checked, told;  /* times of the last check and of the last call of progress [s] */
  bool raised; /* a Python exception is set: the operation stops, and the exception is raised */
} hkpy_watch;
/* Release the lock, and take it again.  hkpy_watch_end returns false if an exception was raised meanwhile. */
void hkpy_watch_begin(hkpy_watch *w, PyObject *progress, PyObject *cancel);
bool hkpy_watch_end(hkpy_watch *w);
/* Called often, without the lock.  False: stop. */
bool hkpy_watch_check(hkpy_watch *w, const char *what, double done, double time, long count);
/* The same as a hk_progress_fn. */
bool hkpy_watch_progress(void *watch, const hk_progress *now);
/* Exception of a Python function that the library called in this thread (callback.c): true if there was one, which is
 * then set. */
bool hkpy_callback_raised(void);
void hkpy_callback_begin(void);

/* ---- values (convert.c) ---- */

/* A new string; invalid UTF-8 is replaced. */
PyObject *hkpy_text(const char *text);
/* None for NaN. */
PyObject *hkpy_number_or_none(double x);
/* Add an entry and drop the reference to the value; false: an exception is set. */
bool hkpy_set(PyObject *dict, const char *key, PyObject *value);
PyObject *hkpy_reals(const double *value, Py_ssize_t n);
/* A list of lists, row by row. */
PyObject *hkpy_matrix(const double *value, Py_ssize_t rows, Py_ssize_t columns);
/* UTF-8 text of a str, which lives as long as the object; NULL: an exception is set. */
const char *hkpy_utf8(PyObject *text);
/* Raises the exception "there is no WHAT 'KEY'; did you mean ...?". names: list of the valid names; the function
 * releases this reference. */
PyObject *hkpy_no_such(PyObject *type, const char *what, PyObject *key, PyObject *names);
/* The channels of a list of names, malloc'ed.  NULL: an exception is set. */
int *hkpy_channels(const hk_model *model, PyObject *names, Py_ssize_t *n);
bool hkpy_add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **type);

/* ---- channels (channel.c) ---- */

/* One array of numbers with a unit.  The numbers belong to `owner`, which is kept alive, or to the channel itself. */
PyObject *hkpy_channel(PyObject *owner, const double *data, Py_ssize_t n, const char *name,
                       const char *unit, const char *doc);
/* The same with numbers that are taken over (malloc). */
PyObject *hkpy_channel_own(double *data, Py_ssize_t n, const char *name, const char *unit,
                           const char *doc);
bool hkpy_channel_init(PyObject *module);

/* ---- compiled models (model.c) ---- */

typedef struct hkpy_model {
  PyObject_HEAD hk_model *model;
  hk_registry *registry; /* NULL: the types of the library */
  PyObject *types;       /* custom types that the registry points to: kept alive */
  PyObject *messages;    /* warnings and notes of reading and compiling */
  PyObject *index;       /* dict: name of a channel -> number */
} hkpy_model;
bool hkpy_model_init(PyObject *module);
extern PyTypeObject *hkpy_model_type;
/* The argument as a compiled model; NULL: an exception is set. */
hkpy_model *hkpy_as_model(PyObject *object);
/* Index of a channel, which is given by its name or index; -1: an exception is set, of the type `wrong` for an
 * unknown name. */
int hkpy_channel_index(hkpy_model *m, PyObject *key, PyObject *wrong);

/* ---- the rest: one function per file that adds its types and functions to the module ---- */

/* A state of a model under an integrator, whose bytes the caller fills in (state.c). */
PyObject *hkpy_state_new(hkpy_model *model, const char *stepper, size_t size, void **bytes);
/* Gets the bytes of a state; false, with an exception: the object is not a state, or belongs to
 * another model. */
bool hkpy_state_get(PyObject *object, const hkpy_model *model, const void **bytes, size_t *size,
                    const char **stepper);
/* Quality indicators as a list of dicts (run.c). */
PyObject *hkpy_quality(const hk_quality *quality);

bool hkpy_types_init(PyObject *module);      /* tables of types, units */
bool hkpy_run_init(PyObject *module);        /* runs and their results */
bool hkpy_simulation_init(PyObject *module); /* simulations step by step */
bool hkpy_state_init(PyObject *module);      /* their states */
bool hkpy_recorder_init(PyObject *module);   /* their recordings */
bool hkpy_file_init(PyObject *module);       /* results files */
bool hkpy_linear_init(PyObject *module);     /* equilibrium, modes, frequency response */
bool hkpy_machine_init(PyObject *module);    /* gear pairs, rolling bearings, orbits */
bool hkpy_periodic_init(PyObject *module);   /* periodic orbits */
bool hkpy_study_init(PyObject *module);      /* studies */
bool hkpy_callback_init(PyObject *module);   /* types written in Python, plugins, conformance */
bool hkpy_figure_init(PyObject *module);     /* figures and pages */
bool hkpy_add_functions(PyObject *module, PyMethodDef *functions);

/* Custom types (callback.c): a registry with the library's types, those of a list of custom types and those of plugins (paths).
 * NULL and no exception: neither is given. */
hk_registry *hkpy_registry(PyObject *types, PyObject *plugins, int allow);
#endif
