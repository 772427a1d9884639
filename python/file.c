/* Results files of finished and of unfinished runs. */
#include "module.h"
#include <stdlib.h>

typedef struct file {
  PyObject_HEAD hk_results *results;
  bool busy;
} file;

static PyTypeObject *file_type;

static bool enter(file *f) {
  if (!f->busy) return true;
  PyErr_SetString(hkpy_error, "the results file is in use by another thread");
  return false;
}

static PyObject *open_file(PyObject *module, PyObject *arg) {
  const char *path = hkpy_utf8(arg);
  hk_error err = {0};
  file *f = path ? PyObject_New(file, file_type) : NULL;
  if (!f) return NULL;
  f->results = NULL;
  f->busy = false;
  PyThreadState *thread = PyEval_SaveThread();
  hk_status status = hk_results_open(path, &f->results, &err);
  PyEval_RestoreThread(thread);
  if (!status) return (PyObject *)f;
  Py_DECREF((PyObject *)f);
  return hkpy_raise(status, &err, NULL, NULL);
}

static void destroy(PyObject *self) {
  file *f = (file *)self;
  PyTypeObject *type = Py_TYPE(self);
  hk_results_destroy(f->results);
  PyObject_Free(self);
  Py_DECREF(type);
}

static PyObject *refresh(PyObject *self, PyObject *unused) {
  file *f = (file *)self;
  hk_error err = {0};
  if (!enter(f)) return NULL;
  f->busy = true;
  PyThreadState *thread = PyEval_SaveThread();
  hk_status status = hk_results_refresh(f->results, &err);
  PyEval_RestoreThread(thread);
  f->busy = false;
  if (status) return hkpy_raise(status, &err, NULL, NULL);
  return Py_NewRef(Py_None);
}

static PyObject *channels(PyObject *self, PyObject *unused) {
  const hk_results *r = ((file *)self)->results;
  if (!enter((file *)self)) return NULL;
  PyObject *list = PyList_New(0);
  for (int i = 0; list && i < hk_results_channel_count(r); i++) {
    const char *unit = hk_results_unit(r, i);
    PyObject *entry =
        Py_BuildValue("(sss)", hk_results_name(r, i), *unit ? unit : "1", hk_results_doc(r, i));
    if (!entry || PyList_Append(list, entry)) Py_CLEAR(list);
    Py_XDECREF(entry);
  }
  return list;
}

static PyObject *column(PyObject *self, PyObject *name) {
  file *f = (file *)self;
  const char *text = hkpy_utf8(name);
  hk_error err = {0};
  int i;
  if (!text || !enter(f)) return NULL;
  hk_status status = hk_results_channel(f->results, text, &i, &err);
  if (status) return hkpy_raise(status, &err, NULL, NULL);
  size_t n = (size_t)hk_results_row_count(f->results);
  double *own = malloc((n + 1) * sizeof *own);
  if (!own) return PyErr_NoMemory();
  f->busy = true;
  PyThreadState *thread = PyEval_SaveThread();
  status = n ? hk_results_read_column(f->results, i, own, &err) : HK_OK;
  PyEval_RestoreThread(thread);
  f->busy = false;
  if (status) {
    free(own);
    return hkpy_raise(status, &err, NULL, NULL);
  }
  const char *unit = hk_results_unit(f->results, i);
  return hkpy_channel_own(own, (Py_ssize_t)n, text, *unit ? unit : "1",
                          hk_results_doc(f->results, i));
}

static PyObject *attributes(PyObject *self, PyObject *unused) {
  const hk_results *r = ((file *)self)->results;
  if (!enter((file *)self)) return NULL;
  PyObject *d = PyDict_New();
  for (int i = 0; d && i < hk_results_attribute_count(r); i++) {
    hk_results_attribute a = hk_results_attribute_at(r, i);
    if (!hkpy_set(d, a.key, hkpy_text(a.value))) Py_CLEAR(d);
  }
  return d;
}

static PyObject *get(PyObject *self, void *which) {
  const hk_results *r = ((file *)self)->results;
  if (!enter((file *)self)) return NULL;
  switch ((intptr_t)which) {
    case 0:
      return hkpy_text(hk_results_status(r));
    case 1:
      return hkpy_text(hk_results_summary(r));
    case 2:
      return hkpy_text(hk_results_model_text(r));
    case 3:
      return hkpy_text(hk_results_path(r));
    case 4:
      return PyLong_FromLongLong((long long)hk_results_row_count(r));
    default:
      return PyLong_FromLongLong((long long)hk_results_lost_count(r));
  }
}

static PyGetSetDef getset[] = {
    {"status", get, NULL, "'running', 'finished', 'stopped' or 'failed: why'", (void *)0},
    {"summary", get, NULL, "summary as JSON; '': none yet", (void *)1},
    {"model_text", get, NULL, "text of the model file", (void *)2},
    {"path", get, NULL, "name of the file", (void *)3},
    {"rows", get, NULL, "number of rows", (void *)4},
    {"lost", get, NULL, "rows that a truncated file lacks", (void *)5},
    {NULL, NULL, NULL, NULL, NULL}};
static PyMethodDef methods[] = {
    {"refresh", refresh, METH_NOARGS, "Look again at a file that is being written."},
    {"channels", channels, METH_NOARGS, "List of (name, unit, doc)."},
    {"column", column, METH_O, "column(name): a Channel."},
    {"attributes", attributes, METH_NOARGS, "Dict of the texts in the root of the file."},
    {NULL, NULL, 0, NULL}};
static PyType_Slot slots[] = {{Py_tp_doc, "A results file."},
                              {Py_tp_dealloc, destroy},
                              {Py_tp_getset, getset},
                              {Py_tp_methods, methods},
                              {0, NULL}};
static PyType_Spec spec = {"hooke.File", sizeof(file), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
static PyMethodDef functions[] = {{"open_file", open_file, METH_O, "open_file(path): a File."},
                                  {NULL, NULL, 0, NULL}};

bool hkpy_file_init(PyObject *module) {
  return hkpy_add_type(module, &spec, &file_type) && hkpy_add_functions(module, functions);
}
