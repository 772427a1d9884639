/* State: a saved state of a simulation, or the start of a periodic orbit.  It belongs to one compiled model and one integrator. */
#include "module.h"
#include <stdlib.h>

typedef struct state {
  PyObject_HEAD hkpy_model *model;
  char stepper[64];
  size_t size;
  void *bytes;
} state;

static PyTypeObject *state_type;

PyObject *hkpy_state_new(hkpy_model *model, const char *stepper, size_t size, void **bytes) {
  state *out = PyObject_GC_New(state, state_type);
  if (!out) return NULL;
  out->model = (hkpy_model *)Py_NewRef((PyObject *)model);
  out->size = size;
  PyOS_snprintf(out->stepper, sizeof out->stepper, "%s", stepper);
  *bytes = out->bytes = malloc(size + 1);
  PyObject_GC_Track(out);
  if (out->bytes) return (PyObject *)out;
  Py_DECREF((PyObject *)out);
  return PyErr_NoMemory();
}

bool hkpy_state_get(PyObject *object, const hkpy_model *model, const void **bytes, size_t *size,
                    const char **stepper) {
  const state *s = (const state *)object;
  if (Py_TYPE(object) != state_type) {
    PyErr_SetString(PyExc_TypeError, "a state made by save() or of an orbit is needed");
    return false;
  }
  if (s->model != model) {
    PyErr_SetString(hkpy_input_error, "the state belongs to another model");
    return false;
  }
  *bytes = s->bytes;
  *size = s->size;
  *stepper = s->stepper;
  return true;
}

static int traverse(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(((state *)self)->model);
  return 0;
}

static void destroy(PyObject *self) {
  state *s = (state *)self;
  PyTypeObject *type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  free(s->bytes);
  Py_DECREF((PyObject *)s->model);
  PyObject_GC_Del(self);
  Py_DECREF(type);
}

static PyType_Slot slots[] = {{Py_tp_doc, "A saved state of a simulation."},
                              {Py_tp_dealloc, destroy},
                              {Py_tp_traverse, traverse},
                              {0, NULL}};
static PyType_Spec spec = {"hooke.State", sizeof(state), 0, HKPY_FLAGS, slots};

bool hkpy_state_init(PyObject *module) { return hkpy_add_type(module, &spec, &state_type); }
