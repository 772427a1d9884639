/* Types written in Python, for quick tests: forces and sensors whose values a Python function returns.
 *
 * Their derivatives are finite differences, as for every type without derivatives. A custom type is a
 * separate hk_type, so that model files, conformance tests and messages treat it like any other type.
 * The function is called by the thread that runs the simulation, with the lock of the interpreter. An
 * exception in the function ends the operation, and the operation raises it. */
#include "module.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Arguments of the function, by their names; from ARGUMENT_PARAMETER on: parameters. */
enum { ARGUMENT_T, ARGUMENT_X, ARGUMENT_RATE, ARGUMENT_A, ARGUMENT_B, ARGUMENT_PARAMETER };
static const char *const ARGUMENT[] = {"t", "x", "rate", "A", "B"};
enum { MOST_ARGUMENTS = 40 };

/* The parameters of an item in the form in which the library stores them. */
typedef struct data {
  const char *a, *b, *coordinate;
  double value[];
} data;

typedef struct custom {
  PyObject_HEAD hk_type type;
  hk_force_ops ops;
  hk_param *param;
  hk_quantity *quantity;
  data *defaults;
  PyObject *function, *texts; /* list that owns the strings of the tables */
  int argument[MOST_ARGUMENTS], n_arguments;
  bool sensor; /* exerts no force */
} custom;

static PyTypeObject *custom_type, *frame_type;

static PyStructSequence_Field frame_fields[] = {
    {"x", "position of the origin [m], world axes"},
    {"R", "rows of the rotation matrix: columns are the axes of the frame"},
    {"v", "velocity [m/s]"},
    {"w", "angular velocity [rad/s]"},
    {NULL, NULL}};
static PyStructSequence_Desc frame_description = {
    "hooke.Frame", "A frame as a function of a custom force gets it.", frame_fields, 4};

/* ---- exceptions of functions ---- */

static _Thread_local struct { PyObject *type, *value, *trace; } pending;

void hkpy_callback_begin(void) {
  Py_CLEAR(pending.type);
  Py_CLEAR(pending.value);
  Py_CLEAR(pending.trace);
}

bool hkpy_callback_raised(void) {
  if (!pending.type) return false;
  PyErr_Restore(pending.type, pending.value, pending.trace);
  pending.type = pending.value = pending.trace = NULL;
  return true;
}

/* ---- calling a function ---- */

static PyObject *vector(hk_vec3 v) { return Py_BuildValue("(ddd)", v.x, v.y, v.z); }

static PyObject *frame(const hk_frame *f) {
  PyObject *s = PyStructSequence_New(frame_type);
  if (!s) return NULL;
  const hk_vec3 a = hk_mul(&f->R, hk_v3(1, 0, 0)), b = hk_mul(&f->R, hk_v3(0, 1, 0)),
                c = hk_mul(&f->R, hk_v3(0, 0, 1));
  PyStructSequence_SetItem(s, 0, vector(f->x));
  PyStructSequence_SetItem(
      s, 1, Py_BuildValue("((ddd)(ddd)(ddd))", a.x, b.x, c.x, a.y, b.y, c.y, a.z, b.z, c.z));
  PyStructSequence_SetItem(s, 2, vector(f->v));
  PyStructSequence_SetItem(s, 3, vector(f->w));
  if (PyErr_Occurred()) Py_CLEAR(s);
  return s;
}

static PyObject *argument(int which, const data *d, const hk_force_in *in) {
  switch (which) {
    case ARGUMENT_T:
      return PyFloat_FromDouble(in->t);
    case ARGUMENT_X:
      return PyFloat_FromDouble(in->c);
    case ARGUMENT_RATE:
      return PyFloat_FromDouble(in->rate);
    case ARGUMENT_A:
      return frame(in->A);
    case ARGUMENT_B:
      return frame(in->B);
    default:
      return PyFloat_FromDouble(d->value[which - ARGUMENT_PARAMETER]);
  }
}

static PyObject *call(const custom *c, const data *d, const hk_force_in *in) {
  PyObject *args = PyTuple_New(c->n_arguments);
  for (int i = 0; args && i < c->n_arguments; i++) {
    PyObject *x = argument(c->argument[i], d, in);
    if (!x || PyTuple_SetItem(args, i, x)) Py_CLEAR(args);
  }
  PyObject *out = NULL, *function = c->function;
  if (args && !function) {
    PyErr_Format(PyExc_RuntimeError,
                 "the function of '%s' was already deleted together with its model; keep a "
                 "reference to the model as long as its simulations are used",
                 c->type.name);
  } else if (args) {
    Py_INCREF(function);
    out = PyObject_Call(function, args, NULL);
    Py_DECREF(function);
  }
  Py_XDECREF(args);
  return out;
}

static bool three(PyObject *object, double out[3]) {
  PyObject *t = PySequence_Tuple(object);
  bool done = t && PyTuple_Size(t) == 3;
  if (t && !done)
    PyErr_Format(PyExc_ValueError, "a force or moment has three components, not %zd",
                 PyTuple_Size(t));
  for (int i = 0; i < 3 && done; i++) {
    out[i] = PyFloat_AsDouble(PyTuple_GetItem(t, i));
    done = !PyErr_Occurred();
  }
  Py_XDECREF(t);
  return done;
}

/* Converts force and moment on B at its origin to balanced forces on both frames. */
static void place(const hk_force_in *in, const double F[3], const double M[3], double w[12]) {
  const hk_vec3 arm = hk_cross(hk_sub(in->B->x, in->A->x), hk_v3(F[0], F[1], F[2]));
  const double turn[3] = {arm.x, arm.y, arm.z};
  for (int i = 0; i < 3; i++) {
    w[6 + i] = F[i];
    w[9 + i] = M[i];
    w[i] = -F[i];
    w[3 + i] = -M[i] - turn[i];
  }
}

/* Returns the force from the result of the function, without the values of channels. */
static bool take_force(const custom *c, PyObject *result, const hk_force_in *in,
                       hk_force_out *out) {
  double F[3] = {0}, M[3] = {0};
  if (!in->B) {
    out->F = PyFloat_AsDouble(result);
    return !PyErr_Occurred();
  }
  /* (fx, fy, fz), or (force, moment). */
  bool pair = PySequence_Check(result) && PySequence_Size(result) == 2;
  PyObject *first = pair ? PySequence_GetItem(result, 0) : Py_NewRef(result),
           *second = pair ? PySequence_GetItem(result, 1) : NULL;
  bool done = first && three(first, F) && (!pair || (second && three(second, M)));
  Py_XDECREF(first);
  Py_XDECREF(second);
  if (done) place(in, F, M, out->w);
  return done;
}

/* Channels are passed as a dict, after the force if there is one. */
static PyObject *split(const custom *c, PyObject *result, PyObject **values) {
  *values = NULL;
  if (!c->type.ops || c->ops.n_channels == 0) return Py_NewRef(result);
  if (c->sensor) {
    *values = Py_NewRef(result);
    return Py_NewRef(Py_None);
  }
  if (!PyTuple_Check(result) || PyTuple_Size(result) != 2) {
    PyErr_Format(PyExc_ValueError, "function of '%s': it returns (force, {channel: value})",
                 c->type.name);
    return NULL;
  }
  *values = Py_NewRef(PyTuple_GetItem(result, 1));
  return Py_NewRef(PyTuple_GetItem(result, 0));
}

static bool take_channels(const custom *c, PyObject *values, double *value) {
  for (int i = 0; i < c->ops.n_channels; i++) {
    PyObject *x = PyDict_Check(values)     ? PyDict_GetItemString(values, c->quantity[i].name)
                  : c->ops.n_channels == 1 ? values
                                           : NULL;
    if (!x) {
      PyErr_Format(PyExc_ValueError, "function of '%s': there is no value of '%s'", c->type.name,
                   c->quantity[i].name);
      return false;
    }
    value[i] = PyFloat_AsDouble(x);
    if (PyErr_Occurred()) return false;
  }
  return true;
}

/* Call the function and store the force in `out` or the channels in `value`. False: an exception
 * is set. */
static bool evaluate(const data *d, const hk_force_in *in, hk_force_out *out, double *value) {
  const custom *c = in->constants;
  if (pending.type) return false;
  PyGILState_STATE lock = PyGILState_Ensure();
  PyObject *values = NULL, *result = call(c, d, in),
           *force = result ? split(c, result, &values) : NULL;
  bool done = force && (value || c->sensor || take_force(c, force, in, out)) &&
              (!value || take_channels(c, values, value));
  Py_XDECREF(result);
  Py_XDECREF(values);
  Py_XDECREF(force);
  if (!done) PyErr_Fetch(&pending.type, &pending.value, &pending.trace);
  PyGILState_Release(lock);
  return done;
}

static double power(const hk_force_in *in, const hk_force_out *out) {
  double sum = out->F * in->rate;
  const hk_frame *f[2] = {in->A, in->B};
  for (int i = 0; i < 2 && in->B; i++) {
    const double *w = out->w + 6 * i;
    sum += hk_dot(hk_v3(w[0], w[1], w[2]), f[i]->v) + hk_dot(hk_v3(w[3], w[4], w[5]), f[i]->w);
  }
  return sum;
}

static void eval(const void *d, const hk_force_in *in, hk_force_out *out) {
  if (!evaluate(d, in, out, NULL)) {
    out->failed = "its Python function raised an exception";
    return;
  }
  out->applied = power(in, out);
}

static void read_channels(const void *d, const hk_force_in *in, const hk_force_out *out,
                          double *value) {
  const custom *c = in->constants;
  (void)out;
  if (!evaluate(d, in, NULL, value))
    for (int i = 0; i < c->ops.n_channels; i++) value[i] = NAN;
}

static hk_status bind(const hk_item *item, hk_force_binding *b, hk_error *err) {
  const data *d = hk_item_data(item);
  (void)err;
  b->coordinate = d->coordinate;
  if (!d->coordinate) {
    b->a = d->a;
    b->b = d->b;
  }
  return HK_OK;
}

/* The hk_type of an item is the first member of a custom object after the object's header. */
static hk_status prepare(const hk_item *item, hk_arena *arena, const void **constants,
                         hk_error *err) {
  (void)arena;
  (void)err;
  *constants = (const char *)hk_item_type(item) - offsetof(custom, type);
  return HK_OK;
}

/* ---- making a type ---- */

/* Returns a string that remains valid as long as the custom type. */
static const char *keep(custom *c, PyObject *text) {
  if (!text || !PyUnicode_Check(text)) {
    PyErr_SetString(PyExc_TypeError, "names, units and descriptions are texts");
    return NULL;
  }
  return PyList_Append(c->texts, text) ? NULL : hkpy_utf8(text);
}

/* parameters: [(name, unit, doc, default or None)] */
static bool add_parameters(custom *c, PyObject *list, bool frames) {
  PyObject *rows = PySequence_Tuple(list);
  Py_ssize_t n = rows ? PyTuple_Size(rows) : 0, at = 0;
  const size_t size = sizeof(data) + (size_t)n * sizeof(double);
  c->param = rows ? calloc((size_t)n + 2, sizeof *c->param) : NULL;
  c->defaults = rows ? calloc(1, size) : NULL;
  bool done = c->param && c->defaults;
  if (rows && !done) PyErr_NoMemory();
  if (done && frames) {
    c->defaults->a = "ground";
    c->param[at++] = (hk_param)HK_FRAME(data, a, 0, "first frame");
    c->param[at++] = (hk_param)HK_FRAME(data, b, HK_REQUIRED, "second frame: the force acts on it");
  } else if (done) {
    c->param[at++] = (hk_param)HK_COORDINATE(data, coordinate, HK_REQUIRED,
                                             "coordinate along which the force acts");
  }
  for (Py_ssize_t i = 0; i < n && done; i++) {
    PyObject *name, *unit, *doc, *value;
    done = PyArg_ParseTuple(PyTuple_GetItem(rows, i), "OOOO", &name, &unit, &doc, &value);
    if (!done) break;
    const bool required = value == Py_None;
    c->defaults->value[i] = required ? 0 : PyFloat_AsDouble(value);
    c->param[at++] = (hk_param){.name = keep(c, name),
                                .kind = HK_PARAM_REAL,
                                .offset = offsetof(data, value) + (size_t)i * sizeof(double),
                                .unit = keep(c, unit),
                                .doc = keep(c, doc),
                                .flags = required ? HK_REQUIRED : 0};
    done = !PyErr_Occurred();
  }
  Py_XDECREF(rows);
  c->type.params = c->param;
  c->type.n_params = (int)at;
  c->type.size = size;
  c->type.defaults = c->defaults;
  return done;
}

/* channels: [(name, unit, doc)] */
static bool add_channels(custom *c, PyObject *list) {
  PyObject *rows = PySequence_Tuple(list);
  Py_ssize_t n = rows ? PyTuple_Size(rows) : 0;
  c->quantity = rows ? calloc((size_t)n + 1, sizeof *c->quantity) : NULL;
  bool done = c->quantity;
  if (rows && !done) PyErr_NoMemory();
  for (Py_ssize_t i = 0; i < n && done; i++) {
    PyObject *name, *unit, *doc;
    done = PyArg_ParseTuple(PyTuple_GetItem(rows, i), "OOO", &name, &unit, &doc);
    if (!done) break;
    c->quantity[i] =
        (hk_quantity){.name = keep(c, name), .unit = keep(c, unit), .doc = keep(c, doc)};
    done = !PyErr_Occurred();
  }
  Py_XDECREF(rows);
  c->ops.channel = c->quantity;
  c->ops.n_channels = (int)n;
  if (n) c->ops.read = read_channels;
  return done;
}

static bool add_arguments(custom *c, PyObject *names, bool frames) {
  PyObject *list = PySequence_Tuple(names);
  Py_ssize_t n = list ? PyTuple_Size(list) : 0;
  bool done = list && n <= MOST_ARGUMENTS;
  if (list && !done) PyErr_SetString(PyExc_ValueError, "the function has too many arguments");
  const int first = frames ? 2 : 1;
  for (Py_ssize_t i = 0; i < n && done; i++) {
    const char *name = hkpy_utf8(PyTuple_GetItem(list, i));
    int which = -1;
    for (int k = 0; name && k < ARGUMENT_PARAMETER; k++)
      if (strcmp(name, ARGUMENT[k]) == 0 && (k == ARGUMENT_T || (k >= ARGUMENT_A) == frames))
        which = k;
    for (int k = first; name && k < c->type.n_params; k++)
      if (strcmp(name, c->param[k].name) == 0) which = ARGUMENT_PARAMETER + k - first;
    done = which >= 0;
    if (name && !done)
      PyErr_Format(PyExc_TypeError,
                   frames
                       ? "function of '%s': '%s' is neither t, A, B nor one of its parameters"
                       : "function of '%s': '%s' is neither t, x, rate nor one of its parameters",
                   c->type.name, name);
    if (done) c->argument[c->n_arguments++] = which;
  }
  Py_XDECREF(list);
  return done;
}

/* A function often refers to models that use its type, by its closure or its module. Such
 * reference cycles are found because all objects of the module take part in garbage collection;
 * this function breaks them. */
static int traverse(PyObject *self, visitproc visit, void *arg) {
  const custom *c = (const custom *)self;
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(c->function);
  Py_VISIT(c->texts);
  return 0;
}

static int clear(PyObject *self) {
  Py_CLEAR(((custom *)self)->function);
  return 0;
}

static void destroy(PyObject *self) {
  custom *c = (custom *)self;
  PyTypeObject *type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  free(c->param);
  free(c->quantity);
  free(c->defaults);
  Py_XDECREF(c->function);
  Py_XDECREF(c->texts);
  PyObject_GC_Del(self);
  Py_DECREF(type);
}

/* custom_force(name, doc, function, argument names, frames, sensor, parameters, channels) */
static PyObject *custom_force(PyObject *module, PyObject *args) {
  PyObject *name, *doc, *function, *names, *parameters, *channels;
  int frames, sensor;
  hk_error err = {0};
  if (!PyArg_ParseTuple(args, "OOOOppOO", &name, &doc, &function, &names, &frames, &sensor,
                        &parameters, &channels))
    return NULL;
  custom *c = PyObject_GC_New(custom, custom_type);
  if (!c) return NULL;
  memset((char *)c + offsetof(custom, type), 0, sizeof *c - offsetof(custom, type));
  c->function = Py_NewRef(function);
  c->texts = PyList_New(0);
  c->sensor = sensor;
  PyObject_GC_Track(c);
  c->ops = (hk_force_ops){.bind = bind, .eval = eval, .prepare = prepare};
  c->type = (hk_type){
      .category = HK_FORCE, .source = "defined in Python", .ops = &c->ops, .numerical = true};
  bool done = c->texts && (c->type.name = keep(c, name)) && (c->type.doc = keep(c, doc)) &&
              add_parameters(c, parameters, frames) && add_channels(c, channels) &&
              add_arguments(c, names, frames);
  /* A registry checks the table. */
  hk_registry *trial = done ? hk_registry_create() : NULL;
  hk_status status = trial ? hk_registry_add(trial, &c->type, &err) : HK_OK;
  hk_registry_destroy(trial);
  if (done && !status) return (PyObject *)c;
  if (status) hkpy_raise(status, &err, NULL, NULL);
  Py_DECREF((PyObject *)c);
  return NULL;
}

/* ---- registries ---- */

static bool add_types(hk_registry *registry, PyObject *types) {
  hk_error err = {0};
  for (Py_ssize_t i = 0; i < PyTuple_Size(types); i++) {
    PyObject *c = PyTuple_GetItem(types, i);
    if (Py_TYPE(c) != custom_type) {
      PyErr_SetString(PyExc_TypeError, "a custom type is needed");
      return false;
    }
    hk_status status = hk_registry_add(registry, &((custom *)c)->type, &err);
    if (!status) continue;
    hkpy_raise(status, &err, NULL, NULL);
    return false;
  }
  return true;
}

static bool add_plugins(hk_registry *registry, PyObject *plugins) {
  hk_error err = {0};
  for (Py_ssize_t i = 0; i < PyTuple_Size(plugins); i++) {
    const char *path = hkpy_utf8(PyTuple_GetItem(plugins, i));
    hk_status status = path ? hk_registry_load(registry, path, &err) : HK_OK;
    if (path && !status) continue;
    if (status) hkpy_raise(status, &err, NULL, NULL);
    return false;
  }
  return true;
}

hk_registry *hkpy_registry(PyObject *types, PyObject *plugins, int allow) {
  if (!PyTuple_Check(types) || !PyTuple_Check(plugins)) {
    PyErr_SetString(PyExc_TypeError, "types and plugins are tuples");
    return NULL;
  }
  if (PyTuple_Size(types) == 0 && PyTuple_Size(plugins) == 0 && !allow) return NULL;
  hk_registry *registry = hk_registry_create();
  if (!registry) return PyErr_NoMemory(), NULL;
  if (allow & 1) hk_registry_allow_outside(registry);
  if (allow & 2) hk_registry_allow_native(registry);
  if (add_types(registry, types) && add_plugins(registry, plugins)) return registry;
  hk_registry_destroy(registry);
  return NULL;
}

/* ---- conformance ---- */

static PyObject *report_of(const hk_conform_report *r) {
  static const char *const VERDICT[] = {"passed", "failed", "not meant"};
  PyObject *list = PyList_New(0);
  for (int i = 0; list && i < r->n; i++) {
    const hk_conform_check *k = &r->check[i];
    PyObject *entry = Py_BuildValue("(sssids)", k->name, k->what, VERDICT[k->verdict], k->cases,
                                    k->worst, k->text);
    if (!entry || PyList_Append(list, entry)) Py_CLEAR(list);
    Py_XDECREF(entry);
  }
  return list;
}

/* conform(section, type, types, plugins, only or None, draws): list of (check, what, verdict, cases, worst, text). */
static PyObject *conform(PyObject *module, PyObject *args) {
  const char *section, *type;
  PyObject *types, *plugins;
  hk_conform_options o = {.size = sizeof o};
  hk_error err = {0};
  if (!PyArg_ParseTuple(args, "ssOOzi", &section, &type, &types, &plugins, &o.only, &o.draws))
    return NULL;
  int category = 0;
  while (category < HK_N_CATEGORIES &&
         strcmp(hk_category_section((hk_category)category), section) != 0)
    category++;
  if (category == HK_N_CATEGORIES)
    return PyErr_Format(PyExc_KeyError, "there is no section '%s'", section);
  hk_registry *registry = hkpy_registry(types, plugins, 0);
  if (!registry && !PyErr_Occurred()) registry = hk_registry_create();
  hk_conform_report *report = registry ? calloc(1, sizeof *report) : NULL;
  if (!report) {
    hk_registry_destroy(registry);
    return PyErr_Occurred() ? NULL : PyErr_NoMemory();
  }
  hkpy_watch watch;
  hkpy_watch_begin(&watch, NULL, NULL);
  hk_status status = hk_conform(registry, (hk_category)category, type, &o, report, &err);
  PyObject *out = NULL;
  if (hkpy_watch_end(&watch))
    out = status == HK_OK || status == HK_EFAIL ? report_of(report)
                                                : hkpy_raise(status, &err, NULL, NULL);
  hk_registry_destroy(registry);
  free(report);
  return out;
}

/* ---- setup ---- */

static PyType_Slot slots[] = {{Py_tp_doc, "A type whose values a Python function returns."},
                              {Py_tp_dealloc, destroy},
                              {Py_tp_traverse, traverse},
                              {Py_tp_clear, clear},
                              {0, NULL}};
static PyType_Spec spec = {"hooke.Custom", sizeof(custom), 0, HKPY_FLAGS, slots};

static PyMethodDef functions[] = {{"custom_force", custom_force, METH_VARARGS,
                                   "custom_force(name, doc, function, arguments, frames, sensor, "
                                   "parameters, channels): a Custom."},
                                  {"conform", conform, METH_VARARGS,
                                   "conform(section, type, types, plugins, only, draws): list of "
                                   "(check, what, verdict, cases, worst, text)."},
                                  {NULL, NULL, 0, NULL}};

bool hkpy_callback_init(PyObject *module) {
  frame_type = PyStructSequence_NewType(&frame_description);
  return frame_type && PyModule_AddObjectRef(module, "Frame", (PyObject *)frame_type) == 0 &&
         hkpy_add_type(module, &spec, &custom_type) && hkpy_add_functions(module, functions);
}
