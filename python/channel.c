/* Channel: one array of numbers with a unit, read-only.
 *
 * It provides its numbers by the buffer protocol, so that memoryview(c) and numpy.asarray(c)
 * make no copy. The numbers belong to the results, which a channel keeps alive; they are never
 * moved while a channel exists. */
#include "module.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct channel {
  PyObject_HEAD PyObject *owner; /* NULL: the numbers are the channel's own */
  const double *data;
  double *own;
  Py_ssize_t n;
  PyObject *name, *unit, *doc;
} channel;

static PyTypeObject *channel_type;
static PyObject *maker; /* channel_of */

static PyObject *make(PyObject *owner, const double *data, double *own, Py_ssize_t n,
                      PyObject *name, PyObject *unit, PyObject *doc) {
  channel *c = name && unit && doc ? PyObject_GC_New(channel, channel_type) : NULL;
  if (!c) {
    free(own);
    Py_XDECREF(name);
    Py_XDECREF(unit);
    Py_XDECREF(doc);
    return NULL;
  }
  c->owner = Py_XNewRef(owner);
  c->data = data;
  c->own = own;
  c->n = n;
  c->name = name;
  c->unit = unit;
  c->doc = doc;
  PyObject_GC_Track(c);
  return (PyObject *)c;
}

PyObject *hkpy_channel(PyObject *owner, const double *data, Py_ssize_t n, const char *name,
                       const char *unit, const char *doc) {
  return make(owner, data, NULL, n, hkpy_text(name), hkpy_text(unit), hkpy_text(doc));
}

PyObject *hkpy_channel_own(double *data, Py_ssize_t n, const char *name, const char *unit,
                           const char *doc) {
  return make(NULL, data, data, n, hkpy_text(name), hkpy_text(unit), hkpy_text(doc));
}

static int traverse(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(((channel *)self)->owner);
  return 0;
}

static void destroy(PyObject *self) {
  channel *c = (channel *)self;
  PyTypeObject *type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  Py_XDECREF(c->owner);
  Py_XDECREF(c->name);
  Py_XDECREF(c->unit);
  Py_XDECREF(c->doc);
  free(c->own);
  PyObject_GC_Del(self);
  Py_DECREF(type);
}

/* ---- buffer and sequence ---- */

static int get_buffer(PyObject *self, Py_buffer *view, int flags) {
  static Py_ssize_t stride = sizeof(double);
  static char format[] = "d";
  channel *c = (channel *)self;
  if (flags & PyBUF_WRITABLE) {
    view->obj = NULL;
    PyErr_SetString(PyExc_BufferError, "the numbers of a channel are read-only");
    return -1;
  }
  *view = (Py_buffer){.obj = Py_NewRef(self),
                      .buf = (void *)(uintptr_t)c->data,
                      .len = c->n * (Py_ssize_t)sizeof(double),
                      .itemsize = sizeof(double),
                      .readonly = 1,
                      .ndim = 1,
                      .format = flags & PyBUF_FORMAT ? format : NULL,
                      .shape = flags & PyBUF_ND ? &c->n : NULL,
                      .strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? &stride : NULL};
  return 0;
}

static Py_ssize_t length(PyObject *self) { return ((channel *)self)->n; }

static PyObject *item(PyObject *self, Py_ssize_t i) {
  channel *c = (channel *)self;
  if (i < 0 || i >= c->n) {
    PyErr_SetString(PyExc_IndexError, "the channel has no such row");
    return NULL;
  }
  return PyFloat_FromDouble(c->data[i]);
}

/* A slice of a channel with step 1 uses the same memory; a slice with another step is a copy. */
static PyObject *slice(channel *c, PyObject *key) {
  Py_ssize_t start, stop, step;
  if (PySlice_Unpack(key, &start, &stop, &step)) return NULL;
  Py_ssize_t n = PySlice_AdjustIndices(c->n, &start, &stop, step);
  PyObject *name = Py_NewRef(c->name), *unit = Py_NewRef(c->unit), *doc = Py_NewRef(c->doc);
  if (step == 1) return make((PyObject *)c, c->data + start, NULL, n, name, unit, doc);
  double *own = malloc(((size_t)n + 1) * sizeof *own);
  if (!own) {
    Py_DECREF(name);
    Py_DECREF(unit);
    Py_DECREF(doc);
    return PyErr_NoMemory();
  }
  for (Py_ssize_t i = 0; i < n; i++) own[i] = c->data[start + i * step];
  return make(NULL, own, own, n, name, unit, doc);
}

static PyObject *subscript(PyObject *self, PyObject *key) {
  channel *c = (channel *)self;
  if (PySlice_Check(key)) return slice(c, key);
  Py_ssize_t i = PyNumber_AsSsize_t(key, PyExc_IndexError);
  if (i == -1 && PyErr_Occurred()) return NULL;
  return item(self, i < 0 ? i + c->n : i);
}

/* ---- units ---- */

static bool parse_unit(const char *text, hk_unit *unit) {
  hk_error err = {0};
  hk_status status = hk_unit_parse(text, strlen(text), unit, &err);
  if (status) hkpy_raise(status, &err, NULL, NULL);
  return !status;
}

static PyObject *to(PyObject *self, PyObject *text) {
  channel *c = (channel *)self;
  const char *from = hkpy_utf8(c->unit), *into = hkpy_utf8(text);
  hk_unit a, b;
  if (!from || !into || !parse_unit(*from ? from : "1", &a) || !parse_unit(into, &b)) return NULL;
  if (!hk_dim_matches(a.dim, b.dim)) {
    PyErr_Format(hkpy_input_error, "channel '%U' is in %s, which cannot be given in %s", c->name,
                 from, into);
    return NULL;
  }
  double *own = malloc(((size_t)c->n + 1) * sizeof *own);
  if (!own) return PyErr_NoMemory();
  for (Py_ssize_t i = 0; i < c->n; i++) own[i] = hk_unit_from_si(&b, hk_unit_to_si(&a, c->data[i]));
  return make(NULL, own, own, c->n, Py_NewRef(c->name), Py_NewRef(text), Py_NewRef(c->doc));
}

/* ---- numbers of the whole channel ---- */

static PyObject *least(PyObject *self, PyObject *unused) {
  channel *c = (channel *)self;
  double x = NAN;
  for (Py_ssize_t i = 0; i < c->n; i++) x = fmin(x, c->data[i]);
  return PyFloat_FromDouble(x);
}

static PyObject *greatest(PyObject *self, PyObject *unused) {
  channel *c = (channel *)self;
  double x = NAN;
  for (Py_ssize_t i = 0; i < c->n; i++) x = fmax(x, c->data[i]);
  return PyFloat_FromDouble(x);
}

static PyObject *mean(PyObject *self, PyObject *unused) {
  channel *c = (channel *)self;
  double sum = 0;
  for (Py_ssize_t i = 0; i < c->n; i++) sum += c->data[i];
  return PyFloat_FromDouble(c->n ? sum / (double)c->n : NAN);
}

static PyObject *tolist(PyObject *self, PyObject *unused) {
  channel *c = (channel *)self;
  return hkpy_reals(c->data, c->n);
}

/* channel_of(bytes, name, unit, doc): makes a channel from the data of a pickle. */
static PyObject *channel_of(PyObject *module, PyObject *args) {
  const char *bytes, *name, *unit, *doc;
  Py_ssize_t size;
  if (!PyArg_ParseTuple(args, "y#sss", &bytes, &size, &name, &unit, &doc)) return NULL;
  if (size % (Py_ssize_t)sizeof(double))
    return PyErr_Format(hkpy_input_error,
                        "channel '%s': %zd bytes are not a whole number of values of 8 bytes; "
                        "write the pickle again, it is damaged",
                        name, size);
  const Py_ssize_t n = size / (Py_ssize_t)sizeof(double);
  double *own = malloc(((size_t)n + 1) * sizeof *own);
  if (!own) return PyErr_NoMemory();
  if (n) memcpy(own, bytes, (size_t)n * sizeof *own);
  return hkpy_channel_own(own, n, name, unit, doc);
}

static PyObject *reduce(PyObject *self, PyObject *unused) {
  channel *c = (channel *)self;
  return Py_BuildValue("(O(y#OOO))", maker, (const char *)c->data,
                       c->n * (Py_ssize_t)sizeof(double), c->name, c->unit, c->doc);
}

static PyObject *represent(PyObject *self) {
  channel *c = (channel *)self;
  if (c->n == 0) return PyUnicode_FromFormat("<Channel %U [%U], no rows>", c->name, c->unit);
  PyObject *a = PyFloat_FromDouble(c->data[0]), *b = PyFloat_FromDouble(c->data[c->n - 1]);
  PyObject *text = a && b ? PyUnicode_FromFormat("<Channel %U [%U], %zd rows: %R ... %R>", c->name,
                                                 c->unit, c->n, a, b)
                          : NULL;
  Py_XDECREF(a);
  Py_XDECREF(b);
  return text;
}

static PyObject *get(PyObject *self, void *which) {
  channel *c = (channel *)self;
  PyObject *const text[] = {c->name, c->unit, c->doc};
  return Py_NewRef(text[(intptr_t)which]);
}

static PyGetSetDef getset[] = {
    {"name", get, NULL, "name of the channel", (void *)0},
    {"unit", get, NULL, "unit of the numbers; \"1\": dimensionless", (void *)1},
    {"doc", get, NULL, "one line on the channel", (void *)2},
    {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef methods[] = {
    {"to", to, METH_O, "to(unit): a new channel with the numbers in another unit."},
    {"min", least, METH_NOARGS, "The least number, without NaN."},
    {"max", greatest, METH_NOARGS, "The greatest number, without NaN."},
    {"mean", mean, METH_NOARGS, "Arithmetic mean of the rows."},
    {"__reduce__", reduce, METH_NOARGS, "For pickle and copy: the numbers go along."},
    {"tolist", tolist, METH_NOARGS, "The numbers as a list."},
    {NULL, NULL, 0, NULL}};

static const char DOC[] =
    "Numbers of one channel of a run, one per row, with a unit.\n\n"
    "numpy.asarray(channel) and memoryview(channel) show the numbers without a copy; they stay "
    "valid as long as they are used.\n"
    "channel[i], channel[a:b], len(channel) and iteration work as with a list.";

static PyType_Slot slots[] = {{Py_tp_doc, (void *)(uintptr_t)DOC},
                              {Py_tp_dealloc, destroy},
                              {Py_tp_traverse, traverse},
                              {Py_tp_repr, represent},
                              {Py_tp_getset, getset},
                              {Py_tp_methods, methods},
                              {Py_bf_getbuffer, get_buffer},
                              {Py_sq_length, length},
                              {Py_sq_item, item},
                              {Py_mp_length, length},
                              {Py_mp_subscript, subscript},
                              {0, NULL}};
static PyType_Spec spec = {"hooke.Channel", sizeof(channel), 0, HKPY_FLAGS, slots};

static PyMethodDef functions[] = {
    {"channel_of", channel_of, METH_VARARGS, "channel_of(bytes, name, unit, doc): a Channel."},
    {NULL, NULL, 0, NULL}};

bool hkpy_channel_init(PyObject *module) {
  return hkpy_add_type(module, &spec, &channel_type) && hkpy_add_functions(module, functions) &&
         (maker = PyObject_GetAttrString(module, "channel_of"));
}
