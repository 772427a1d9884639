/* Recorder: channels of a simulation, recorded row by row by the program that advances the
 * simulation. */
#include "simulation.h"
#include <stdlib.h>
#include <string.h>

typedef struct recorder {
  PyObject_HEAD hkpy_simulation *simulation;
  hk_recording *recording;
} recorder;

static PyTypeObject *recorder_type;

PyObject *hkpy_recorder(hkpy_simulation *s, PyObject *names) {
  hk_error err = {0};
  Py_ssize_t n = 0;
  int *channel = NULL;
  if (names != Py_None && !(channel = hkpy_channels(s->model->model, names, &n))) return NULL;
  if (!hkpy_sim_enter(s)) {
    free(channel);
    return NULL;
  }
  recorder *r = PyObject_GC_New(recorder, recorder_type);
  if (r) {
    r->simulation = (hkpy_simulation *)Py_NewRef((PyObject *)s);
    r->recording = NULL;
    PyObject_GC_Track(r);
    hk_status status = hk_recording_create(s->model->model, channel, (int)n, &r->recording, &err);
    if (status) {
      Py_CLEAR(r);
      hkpy_raise(status, &err, NULL, NULL);
    }
  }
  free(channel);
  return (PyObject *)r;
}

static PyObject *append(PyObject *self, PyObject *unused) {
  recorder *r = (recorder *)self;
  hk_error err = {0};
  if (!hkpy_sim_hold(r->simulation)) return NULL;
  hk_status status = hk_recording_append(r->recording, r->simulation->sim, &err);
  if (!hkpy_sim_release(r->simulation)) return NULL;
  if (status) return hkpy_raise(status, &err, NULL, r->simulation->model->model);
  return Py_NewRef(Py_None);
}

static PyObject *channels(PyObject *self, PyObject *unused) {
  const hk_recording *r = ((recorder *)self)->recording;
  PyObject *list = PyList_New(0);
  for (int i = 0; list && i < hk_recording_channel_count(r); i++) {
    PyObject *entry = Py_BuildValue("(sss)", hk_recording_name(r, i), hk_recording_unit(r, i),
                                    hk_recording_doc(r, i));
    if (!entry || PyList_Append(list, entry)) Py_CLEAR(list);
    Py_XDECREF(entry);
  }
  return list;
}

/* Returns a copy, because the columns are moved in memory when rows are added. */
static PyObject *column(PyObject *self, PyObject *name) {
  const hk_recording *r = ((recorder *)self)->recording;
  const char *text = hkpy_utf8(name);
  if (!text) return NULL;
  int i = hk_recording_find(r, text);
  if (i < 0) return PyErr_Format(PyExc_KeyError, "the recording has no channel '%s'", text);
  size_t n = (size_t)hk_recording_row_count(r);
  double *own = malloc((n + 1) * sizeof *own);
  if (!own) return PyErr_NoMemory();
  if (n) memcpy(own, hk_recording_column(r, i), n * sizeof *own);
  return hkpy_channel_own(own, (Py_ssize_t)n, text, hk_recording_unit(r, i),
                          hk_recording_doc(r, i));
}

static int traverse(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(((recorder *)self)->simulation);
  return 0;
}

static void destroy(PyObject *self) {
  recorder *r = (recorder *)self;
  PyTypeObject *type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  hk_recording_destroy(r->recording);
  Py_XDECREF((PyObject *)r->simulation);
  PyObject_GC_Del(self);
  Py_DECREF(type);
}

static PyObject *rows(PyObject *self, void *unused) {
  return PyLong_FromLongLong((long long)hk_recording_row_count(((recorder *)self)->recording));
}

static PyGetSetDef getset[] = {{"rows", rows, NULL, "number of rows", NULL},
                               {NULL, NULL, NULL, NULL, NULL}};
static PyMethodDef methods[] = {
    {"append", append, METH_NOARGS, "One more row: the present values."},
    {"channels", channels, METH_NOARGS, "List of (name, unit, doc)."},
    {"column", column, METH_O, "column(name): a copy of the rows so far as a Channel."},
    {NULL, NULL, 0, NULL}};
static PyType_Slot slots[] = {{Py_tp_doc, "Rows of channels, added one by one."},
                              {Py_tp_dealloc, destroy},
                              {Py_tp_traverse, traverse},
                              {Py_tp_getset, getset},
                              {Py_tp_methods, methods},
                              {0, NULL}};
static PyType_Spec spec = {"hooke.Recorder", sizeof(recorder), 0, HKPY_FLAGS, slots};

bool hkpy_recorder_init(PyObject *module) { return hkpy_add_type(module, &spec, &recorder_type); }
