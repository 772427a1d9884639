/* Conversions between C values and Python objects. */
#include "module.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

PyObject *hkpy_text(const char *text) {
  return PyUnicode_DecodeUTF8(text ? text : "", text ? (Py_ssize_t)strlen(text) : 0, "replace");
}

PyObject *hkpy_number_or_none(double x) {
  return isnan(x) ? Py_NewRef(Py_None) : PyFloat_FromDouble(x);
}

bool hkpy_set(PyObject *dict, const char *key, PyObject *value) {
  bool done = value && PyDict_SetItemString(dict, key, value) == 0;
  Py_XDECREF(value);
  return done;
}

PyObject *hkpy_reals(const double *value, Py_ssize_t n) {
  PyObject *list = PyList_New(n);
  for (Py_ssize_t i = 0; list && i < n; i++) {
    PyObject *x = PyFloat_FromDouble(value[i]);
    if (!x || PyList_SetItem(list, i, x)) Py_CLEAR(list);
  }
  return list;
}

PyObject *hkpy_matrix(const double *value, Py_ssize_t rows, Py_ssize_t columns) {
  PyObject *list = PyList_New(rows);
  for (Py_ssize_t i = 0; list && i < rows; i++) {
    PyObject *row = hkpy_reals(value + i * columns, columns);
    if (!row || PyList_SetItem(list, i, row)) Py_CLEAR(list);
  }
  return list;
}

const char *hkpy_utf8(PyObject *text) {
  if (!PyUnicode_Check(text)) {
    PyErr_SetString(PyExc_TypeError, "a text is needed");
    return NULL;
  }
  Py_ssize_t n;
  const char *s = PyUnicode_AsUTF8AndSize(text, &n);
  if (s && strlen(s) != (size_t)n) {
    PyErr_SetString(PyExc_ValueError, "the text has a null character");
    return NULL;
  }
  return s;
}

PyObject *hkpy_no_such(PyObject *type, const char *what, PyObject *key, PyObject *names) {
  PyObject *module = names ? PyImport_ImportModule("hooke._names") : NULL;
  PyObject *sentence =
      module ? PyObject_CallMethod(module, "no_such", "sOO", what, key, names) : NULL;
  if (sentence) PyErr_SetObject(type, sentence);
  Py_XDECREF(sentence);
  Py_XDECREF(module);
  Py_XDECREF(names);
  return NULL;
}

int *hkpy_channels(const hk_model *model, PyObject *names, Py_ssize_t *n) {
  hk_error err = {0};
  PyObject *fast = PySequence_Tuple(names);
  *n = fast ? PyTuple_Size(fast) : 0;
  int *channel = fast ? malloc(((size_t)*n + 1) * sizeof *channel) : NULL;
  const char **text = channel ? malloc(((size_t)*n + 1) * sizeof *text) : NULL;
  bool done = text;
  if (fast && !text) PyErr_NoMemory();
  for (Py_ssize_t i = 0; i < *n && done; i++)
    done = (text[i] = hkpy_utf8(PyTuple_GetItem(fast, i)));
  if (done) {
    hk_status status = hk_model_channels_find(model, text, (int)*n, channel, &err);
    if (status) hkpy_raise(status, &err, NULL, NULL);
    done = !status;
  }
  free(text);
  Py_XDECREF(fast);
  if (done) return channel;
  free(channel);
  return NULL;
}

bool hkpy_add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **type) {
  PyObject *made = PyType_FromModuleAndSpec(module, spec, NULL);
  if (!made) return false;
  *type = (PyTypeObject *)made;
  const char *dot = strrchr(spec->name, '.');
  return PyModule_AddObjectRef(module, dot ? dot + 1 : spec->name, made) == 0;
}

bool hkpy_add_functions(PyObject *module, PyMethodDef *functions) {
  return PyModule_AddFunctions(module, functions) == 0;
}
