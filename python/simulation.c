/* Simulations step by step: inputs, values, states, recordings.
 *
 * Only one thread at a time may use a simulation. Every method that calls the library marks the simulation
 * as busy; a second call, from another thread or from a Python function that the library calls, raises an
 * exception. Arguments are converted before this, because their conversion may call Python functions that
 * use the simulation. */
#include "simulation.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static PyTypeObject *simulation_type;

/* ---- entering and leaving ---- */

bool hkpy_sim_enter(hkpy_simulation *s) {
  if (s->busy) {
    PyErr_SetString(
        hkpy_error,
        "the simulation is in use by another thread, or by the call that this one is part of");
    return false;
  }
  if (!s->sim) {
    PyErr_SetString(hkpy_error, "the simulation failed when it was made");
    return false;
  }
  return true;
}

/* Between these two calls the library may call Python functions, with the interpreter's lock. */
bool hkpy_sim_hold(hkpy_simulation *s) {
  if (!hkpy_sim_enter(s)) return false;
  s->busy = true;
  hkpy_callback_begin();
  return true;
}

/* Returns false if a function has raised an exception, which is set. */
bool hkpy_sim_release(hkpy_simulation *s) {
  s->busy = false;
  return !hkpy_callback_raised();
}

/* Between these two calls the interpreter's lock is released. */
static bool begin(hkpy_simulation *s, PyObject *progress, PyObject *cancel) {
  if (!hkpy_sim_enter(s)) return false;
  s->busy = true;
  hkpy_watch_begin(&s->watch, progress, cancel);
  return true;
}

static bool end(hkpy_simulation *s) {
  bool good = hkpy_watch_end(&s->watch);
  s->busy = false;
  return good;
}

/* Returns the result of an operation: None, or NULL with an exception. For HK_STOPPED the method
 * returns False. */
static PyObject *outcome(hkpy_simulation *s, bool good, hk_status status, const hk_error *err) {
  if (!good) return NULL;
  if (status == HK_STOPPED) return Py_NewRef(Py_False);
  if (status) return hkpy_raise(status, err, NULL, s->model->model);
  return Py_NewRef(Py_True);
}

/* ---- making and destroying ---- */

static hkpy_simulation *new_simulation(hkpy_model *model) {
  hkpy_simulation *s = PyObject_GC_New(hkpy_simulation, simulation_type);
  if (!s) return NULL;
  s->model = (hkpy_model *)Py_NewRef((PyObject *)model);
  s->sim = NULL;
  s->busy = false;
  s->watch = (hkpy_watch){0};
  PyObject_GC_Track(s);
  return s;
}

static int traverse(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(((hkpy_simulation *)self)->model);
  return 0;
}

static void destroy(PyObject *self) {
  hkpy_simulation *s = (hkpy_simulation *)self;
  PyTypeObject *type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  hk_sim_destroy(s->sim);
  Py_DECREF((PyObject *)s->model);
  PyObject_GC_Del(self);
  Py_DECREF(type);
}

/* simulate(model, stepper or None, one_step, progress, cancel): (Simulation, messages). */
static PyObject *simulate(PyObject *module, PyObject *args) {
  PyObject *object, *progress, *cancel;
  hk_sim_options o = {.size = sizeof o, .progress = hkpy_watch_progress};
  hk_error err = {0};
  hk_diag diag;
  int one_step;
  if (!PyArg_ParseTuple(args, "OzpOO", &object, &o.stepper, &one_step, &progress, &cancel))
    return NULL;
  hkpy_model *model = hkpy_as_model(object);
  hkpy_simulation *s = model ? new_simulation(model) : NULL;
  if (!s) return NULL;
  o.one_step = one_step;
  o.context = &s->watch;
  hk_diag_init(&diag);
  hkpy_watch_begin(&s->watch, progress, cancel);
  hk_status status = hk_sim_create(model->model, &o, &s->sim, &diag, &err);
  PyObject *out = NULL;
  if (!hkpy_watch_end(&s->watch)) {
    status = HK_STOPPED;
  } else if (status) {
    hkpy_raise(status == HK_STOPPED ? HK_EFAIL : status, &err, diag.n_errors ? &diag : NULL,
               model->model);
  } else {
    PyObject *messages = hkpy_messages(&diag, 0);
    out = messages ? Py_BuildValue("(ON)", s, messages) : NULL;
  }
  hk_diag_free(&diag);
  Py_DECREF((PyObject *)s);
  return out;
}

/* copy(): a second simulation at the same state, with the same settings. */
static PyObject *copy(PyObject *self, PyObject *unused) {
  hkpy_simulation *s = (hkpy_simulation *)self, *other = new_simulation(s->model);
  hk_error err = {0};
  if (!other || !begin(s, NULL, NULL)) {
    Py_XDECREF((PyObject *)other);
    return NULL;
  }
  hk_status status = hk_sim_copy(s->sim, &other->sim, &err);
  hk_sim_progress_set(other->sim, hkpy_watch_progress, &other->watch);
  if (end(s) && !status) return (PyObject *)other;
  Py_DECREF((PyObject *)other);
  return status ? hkpy_raise(status, &err, NULL, s->model->model) : NULL;
}

/* with_model(model): a simulation of a changed model that continues from the present state. */
static PyObject *with_model(PyObject *self, PyObject *object) {
  hkpy_simulation *s = (hkpy_simulation *)self;
  hkpy_model *model = hkpy_as_model(object);
  hkpy_simulation *other = model ? new_simulation(model) : NULL;
  hk_error err = {0};
  if (!other || !begin(s, NULL, NULL)) {
    Py_XDECREF((PyObject *)other);
    return NULL;
  }
  hk_status status = hk_sim_create_from(model->model, s->sim, &other->sim, &err);
  hk_sim_progress_set(other->sim, hkpy_watch_progress, &other->watch);
  if (end(s) && !status) return (PyObject *)other;
  Py_DECREF((PyObject *)other);
  return status ? hkpy_raise(status, &err, NULL, model->model) : NULL;
}

/* ---- steps ---- */

/* Converts a time to which the simulation can advance; false: an exception is set. */
static bool ahead(const hkpy_simulation *s, double t) {
  const double now = hk_sim_time(s->sim);
  if (t >= now - 1e-9 * fmax(1, fabs(now))) return true;
  hk_error err = {0};
  if (isnan(t))
    hk_fail(&err, HK_EINPUT, "the time to advance to is not a number");
  else
    hk_fail(&err, HK_EINPUT,
            "the simulation is at %.9g s and cannot go back to %.9g s: use save() and restore()",
            now, t);
  hkpy_raise(HK_EINPUT, &err, NULL, NULL);
  return false;
}

/* Reads the arguments of advance, by position or by name; false: an exception is set. */
static bool advance_arguments(PyObject *const *args, Py_ssize_t n, PyObject *names,
                              PyObject *out[3]) {
  static const char *const known[] = {"t", "progress", "cancel"};
  const Py_ssize_t n_names = names ? PyTuple_Size(names) : 0;
  bool done = n <= 3;
  for (Py_ssize_t i = 0; i < n && done; i++) out[i] = args[i];
  for (Py_ssize_t i = 0; i < n_names && done; i++) {
    const char *name = hkpy_utf8(PyTuple_GetItem(names, i));
    int k = 0;
    if (!name) return false;
    while (k < 3 && strcmp(name, known[k]) != 0) k++;
    done = k < 3 && !out[k];
    if (done) out[k] = args[n + i];
  }
  if (!done || !out[0]) PyErr_SetString(PyExc_TypeError, "advance(t, progress=None, cancel=None)");
  return done && out[0];
}

/* advance(t, progress, cancel): True; False: stopped. */
static PyObject *advance(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names) {
  hkpy_simulation *s = (hkpy_simulation *)self;
  hk_error err = {0};
  PyObject *given[3] = {NULL};
  if (!advance_arguments(args, n, names, given)) return NULL;
  double t = PyFloat_AsDouble(given[0]);
  if (t == -1 && PyErr_Occurred()) return NULL;
  if (!hkpy_sim_enter(s) || !ahead(s, t) || !begin(s, given[1], given[2])) return NULL;
  hk_status status = hk_sim_advance(s->sim, t, &err);
  return outcome(s, end(s), status, &err);
}

/* step(t_end): one accepted step, never past t_end. */
static PyObject *step(PyObject *self, PyObject *arg) {
  hkpy_simulation *s = (hkpy_simulation *)self;
  hk_error err = {0};
  double t = PyFloat_AsDouble(arg);
  if (t == -1 && PyErr_Occurred()) return NULL;
  if (!hkpy_sim_enter(s) || !ahead(s, t) || !begin(s, NULL, NULL)) return NULL;
  hk_status status = hk_sim_step(s->sim, t, &err);
  return outcome(s, end(s), status, &err);
}

/* ---- inputs ---- */

static bool append_text(PyObject *list, const char *text) {
  PyObject *name = hkpy_text(text);
  bool done = name && PyList_Append(list, name) == 0;
  Py_XDECREF(name);
  return done;
}

static PyObject *input_names(const hk_model *m) {
  PyObject *list = PyList_New(0);
  for (int i = 0; list && i < hk_model_input_count(m); i++)
    if (!append_text(list, hk_model_input_name(m, i))) Py_CLEAR(list);
  return list;
}

static int input_index(hkpy_simulation *s, PyObject *key) {
  const hk_model *m = s->model->model;
  if (PyUnicode_Check(key)) {
    const char *name = hkpy_utf8(key);
    int i = name ? hk_model_input_find(m, name) : -1;
    if (name && i < 0) hkpy_no_such(PyExc_KeyError, "input", key, input_names(m));
    return i;
  }
  long i = PyLong_AsLong(key);
  if (i == -1 && PyErr_Occurred()) return -1;
  if (i >= 0 && i < hk_model_input_count(m)) return (int)i;
  PyErr_Format(PyExc_IndexError, "the model has %d inputs", hk_model_input_count(m));
  return -1;
}

/* set_input(input, value) and set_input(input, value, rate). */
static PyObject *set_input(PyObject *self, PyObject *const *args, Py_ssize_t n) {
  hkpy_simulation *s = (hkpy_simulation *)self;
  hk_error err = {0};
  if (n != 2 && n != 3) return PyErr_Format(PyExc_TypeError, "set_input(input, value[, rate])");
  int i = input_index(s, args[0]);
  double value = i < 0 ? 0 : PyFloat_AsDouble(args[1]),
         rate = n > 2 && i >= 0 ? PyFloat_AsDouble(args[2]) : 0;
  if (PyErr_Occurred() || !hkpy_sim_hold(s)) return NULL;
  hk_status status = n > 2 ? hk_sim_input_ramp(s->sim, i, value, rate, &err)
                           : hk_sim_input_set(s->sim, i, value, &err);
  if (!hkpy_sim_release(s)) return NULL;
  if (status) return hkpy_raise(status, &err, NULL, s->model->model);
  return Py_NewRef(Py_None);
}

static PyObject *get_input(PyObject *self, PyObject *key) {
  hkpy_simulation *s = (hkpy_simulation *)self;
  int i = input_index(s, key);
  return i < 0 || !hkpy_sim_enter(s) ? NULL : PyFloat_FromDouble(hk_sim_input_get(s->sim, i));
}

/* ---- values ---- */

/* sim["hinge.angle"] or sim[number]. */
static PyObject *subscript(PyObject *self, PyObject *key) {
  hkpy_simulation *s = (hkpy_simulation *)self;
  int i = hkpy_channel_index(s->model, key, PyExc_KeyError);
  if (i < 0 || !hkpy_sim_hold(s)) return NULL;
  double x = hk_sim_value(s->sim, i);
  return hkpy_sim_release(s) ? PyFloat_FromDouble(x) : NULL;
}

/* sensitivity(input, channels): derivatives of channels by one input. */
static PyObject *sensitivity(PyObject *self, PyObject *args) {
  hkpy_simulation *s = (hkpy_simulation *)self;
  PyObject *key, *names, *out = NULL;
  hk_error err = {0};
  Py_ssize_t n;
  const double seed = 1;
  if (!PyArg_ParseTuple(args, "OO", &key, &names)) return NULL;
  int input = input_index(s, key),
      *channel = input < 0 ? NULL : hkpy_channels(s->model->model, names, &n);
  if (!channel) return NULL;
  double *value = calloc((size_t)n + 1, sizeof *value);
  if (!value) {
    PyErr_NoMemory();
  } else if (hkpy_sim_hold(s)) {
    hk_status status = hk_sim_sensitivity(s->sim, &input, 1, &seed, channel, (int)n, value, &err);
    if (hkpy_sim_release(s))
      out = status ? hkpy_raise(status, &err, NULL, s->model->model) : hkpy_reals(value, n);
  }
  free(value);
  free(channel);
  return out;
}

static PyObject *body_names(const hk_model *m) {
  hk_body_info body;
  PyObject *list = PyList_New(0);
  for (int i = 0; list && i < hk_model_body_count(m); i++)
    if (!hk_model_body_info(m, i, &body) && !append_text(list, body.name)) Py_CLEAR(list);
  return list;
}

/* pose(body): (position, quaternion w x y z, velocity, angular velocity). */
static PyObject *pose(PyObject *self, PyObject *arg) {
  hkpy_simulation *s = (hkpy_simulation *)self;
  const char *name = hkpy_sim_enter(s) ? hkpy_utf8(arg) : NULL;
  hk_body_pose p;
  if (!name) return NULL;
  int i = hk_model_body_find(s->model->model, name);
  if (i < 0) return hkpy_no_such(PyExc_KeyError, "body", arg, body_names(s->model->model));
  if (hk_sim_body_pose(s->sim, i, &p))
    return PyErr_Format(hkpy_input_error, "body '%s' has no position: it is a rotor", name);
  return Py_BuildValue("((ddd)(dddd)(ddd)(ddd))", p.position.x, p.position.y, p.position.z,
                       p.orientation.w, p.orientation.x, p.orientation.y, p.orientation.z,
                       p.velocity.x, p.velocity.y, p.velocity.z, p.angular_velocity.x,
                       p.angular_velocity.y, p.angular_velocity.z);
}

static PyObject *quality(PyObject *self, PyObject *unused) {
  hkpy_simulation *s = (hkpy_simulation *)self;
  hk_quality *list = NULL;
  hk_error err = {0};
  PyObject *out = NULL;
  if (!hkpy_sim_hold(s)) return NULL;
  hk_status status = hk_sim_quality(s->sim, &list, &err);
  if (hkpy_sim_release(s)) out = status ? hkpy_raise(status, &err, NULL, NULL) : hkpy_quality(list);
  hk_quality_destroy(list);
  return out;
}

static PyObject *csr(const hk_csr *a) {
  double *dense = calloc((size_t)a->rows * (size_t)a->columns + 1, sizeof *dense);
  if (!dense) return PyErr_NoMemory();
  for (int i = 0; i < a->rows; i++)
    for (int k = a->start[i]; k < a->start[i + 1]; k++)
      dense[(size_t)i * (size_t)a->columns + (size_t)a->column[k]] = a->value[k];
  PyObject *out = hkpy_matrix(dense, a->rows, a->columns);
  free(dense);
  return out;
}

/* matrices(): dict of M, C, K, G, row by row. */
static PyObject *matrices(PyObject *self, PyObject *unused) {
  hkpy_simulation *s = (hkpy_simulation *)self;
  hk_matrices m = {0};
  hk_error err = {0};
  PyObject *out = NULL;
  if (!hkpy_sim_hold(s)) return NULL;
  hk_status status = hk_sim_matrices(s->sim, &m, &err);
  if (hkpy_sim_release(s))
    out = status ? hkpy_raise(status, &err, NULL, s->model->model) : PyDict_New();
  if (out && !(hkpy_set(out, "M", csr(&m.M)) && hkpy_set(out, "C", csr(&m.C)) &&
               hkpy_set(out, "K", csr(&m.K)) && hkpy_set(out, "G", csr(&m.G))))
    Py_CLEAR(out);
  hk_matrices_free(&m);
  return out;
}

/* ---- states and recordings ---- */

static PyObject *save(PyObject *self, PyObject *unused) {
  hkpy_simulation *s = (hkpy_simulation *)self;
  hk_error err = {0};
  void *bytes;
  if (!hkpy_sim_enter(s)) return NULL;
  if (hk_sim_state_savable(s->sim, &err)) return hkpy_raise(HK_EINPUT, &err, NULL, NULL);
  PyObject *out =
      hkpy_state_new(s->model, hk_sim_stepper_name(s->sim), hk_sim_state_size(s->sim), &bytes);
  if (out) hk_sim_state_get(s->sim, bytes);
  return out;
}

static PyObject *restore(PyObject *self, PyObject *arg) {
  hkpy_simulation *s = (hkpy_simulation *)self;
  const void *bytes;
  const char *stepper;
  size_t size;
  if (!hkpy_sim_enter(s) || !hkpy_state_get(arg, s->model, &bytes, &size, &stepper)) return NULL;
  if (size != hk_sim_state_size(s->sim) || strcmp(stepper, hk_sim_stepper_name(s->sim)) != 0)
    return PyErr_Format(hkpy_input_error, "the state belongs to the integrator '%s', not to '%s'",
                        stepper, hk_sim_stepper_name(s->sim));
  if (!hkpy_sim_hold(s)) return NULL;
  hk_status status = hk_sim_state_set(s->sim, bytes);
  if (!hkpy_sim_release(s)) return NULL;
  if (status) return hkpy_raise(status, NULL, NULL, NULL);
  return Py_NewRef(Py_None);
}

/* recorder(names or None): rows are added by append(). */
static PyObject *recorder(PyObject *self, PyObject *names) {
  return hkpy_recorder((hkpy_simulation *)self, names);
}

/* ---- attributes ---- */

static PyObject *get_time(PyObject *self, void *unused) {
  hkpy_simulation *s = (hkpy_simulation *)self;
  return hkpy_sim_enter(s) ? PyFloat_FromDouble(hk_sim_time(s->sim)) : NULL;
}
static PyObject *get_stepper(PyObject *self, void *unused) {
  hkpy_simulation *s = (hkpy_simulation *)self;
  return hkpy_sim_enter(s) ? hkpy_text(hk_sim_stepper_name(s->sim)) : NULL;
}
static PyObject *get_why(PyObject *self, void *unused) {
  hkpy_simulation *s = (hkpy_simulation *)self;
  return hkpy_sim_enter(s) ? hkpy_text(hk_sim_stepper_why(s->sim)) : NULL;
}
static PyObject *get_model(PyObject *self, void *unused) {
  return Py_NewRef((PyObject *)((hkpy_simulation *)self)->model);
}
static PyObject *get_statistics(PyObject *self, void *unused) {
  hkpy_simulation *s = (hkpy_simulation *)self;
  if (!hkpy_sim_enter(s)) return NULL;
  hk_sim_stats t = hk_sim_statistics(s->sim);
  return Py_BuildValue("{s:l,s:l,s:l,s:l,s:i,s:d,s:d}", "steps", t.steps, "rejected", t.rejected,
                       "newton", t.newton, "factorizations", t.factorizations, "redundant",
                       t.redundant, "step", t.step, "constraint_error", t.constraint_error);
}

static PyGetSetDef getset[] = {
    {"time", get_time, NULL, "present time [s]", NULL},
    {"stepper", get_stepper, NULL, "name of the integrator", NULL},
    {"stepper_why", get_why, NULL, "why this integrator", NULL},
    {"statistics", get_statistics, NULL, "counts of steps and iterations", NULL},
    {"model", get_model, NULL, "the compiled model", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef methods[] = {
    {"advance", (PyCFunction)(void (*)(void))advance, METH_FASTCALL | METH_KEYWORDS,
     "advance(t, progress=None, cancel=None): steps until exactly t [s]; False: stopped before."},
    {"step", step, METH_O, "step(t_end): one accepted step, never past t_end [s]."},
    {"set_input", (PyCFunction)(void (*)(void))set_input, METH_FASTCALL,
     "set_input(name, value[, rate]): an input jumps to a value, or from now on it is value + "
     "rate*(t - now); SI units."},
    {"get_input", get_input, METH_O, "get_input(name): present value of an input."},
    {"sensitivity", sensitivity, METH_VARARGS,
     "sensitivity(input, channels): d(channel)/d(input) at the present state."},
    {"pose", pose, METH_O, "pose(body): (position, quaternion, velocity, angular velocity)."},
    {"quality", quality, METH_NOARGS, "Quality indicators since the start, as dicts."},
    {"matrices", matrices, METH_NOARGS,
     "Matrices M, C, K, G of the equations of motion, as lists of rows."},
    {"save", save, METH_NOARGS, "The whole state, for restore()."},
    {"restore", restore, METH_O,
     "restore(state): return to a saved state; what follows is the same to the last bit."},
    {"copy", copy, METH_NOARGS, "A second simulation at the same state."},
    {"with_model", with_model, METH_O, "with_model(compiled): go on with changed parameters."},
    {"recorder", recorder, METH_O,
     "recorder(names or None): a recording to which append() adds rows."},
    {NULL, NULL, 0, NULL}};

static PyType_Slot slots[] = {{Py_tp_doc,
                               "A simulation that is moved step by step.\n\nsim[\"hinge.angle\"] "
                               "is the present value of a channel in SI units."},
                              {Py_tp_dealloc, destroy},
                              {Py_tp_traverse, traverse},
                              {Py_tp_getset, getset},
                              {Py_tp_methods, methods},
                              {Py_mp_subscript, subscript},
                              {0, NULL}};
static PyType_Spec spec = {"hooke.Simulation", sizeof(hkpy_simulation), 0, HKPY_FLAGS, slots};
static PyMethodDef functions[] = {
    {"simulate", simulate, METH_VARARGS,
     "simulate(model, stepper, one_step, progress, cancel): (Simulation, messages)."},
    {NULL, NULL, 0, NULL}};

bool hkpy_simulation_init(PyObject *module) {
  return hkpy_add_type(module, &spec, &simulation_type) && hkpy_add_functions(module, functions);
}
