/* Studies: the variants of a study file, row by row. */
#include "module.h"
#include <math.h>

typedef struct study {
  PyObject_HEAD hk_variants *variants;
  hk_registry *registry;
  bool busy;
} study;

static PyTypeObject *study_type;

static PyObject *open_study(PyObject *module, PyObject *args) {
  const char *path;
  PyObject *plugins;
  int allow;
  hk_error err = {0};
  hk_diag diag;
  if (!PyArg_ParseTuple(args, "sOi", &path, &plugins, &allow)) return NULL;
  PyObject *none = PyTuple_New(0);
  hk_registry *registry = none ? hkpy_registry(none, plugins, allow) : NULL;
  Py_XDECREF(none);
  if (PyErr_Occurred()) return NULL;
  study *s = PyObject_New(study, study_type);
  if (!s) {
    hk_registry_destroy(registry);
    return NULL;
  }
  s->variants = NULL;
  s->registry = registry;
  s->busy = false;
  hk_diag_init(&diag);
  PyThreadState *thread = PyEval_SaveThread();
  hk_status status = hk_variants_open(path, registry, &s->variants, &diag, &err);
  PyEval_RestoreThread(thread);
  if (status) {
    Py_DECREF((PyObject *)s);
    s = NULL;
    hkpy_raise(status, &err, diag.n_errors ? &diag : NULL, NULL);
  }
  hk_diag_free(&diag);
  return (PyObject *)s;
}

static void destroy(PyObject *self) {
  study *s = (study *)self;
  PyTypeObject *type = Py_TYPE(self);
  hk_variants_destroy(s->variants);
  hk_registry_destroy(s->registry);
  PyObject_Free(self);
  Py_DECREF(type);
}

/* ---- running ---- */

static bool enter(const study *s) {
  if (s->busy) PyErr_SetString(hkpy_error, "the study is running");
  return !s->busy;
}

typedef struct running {
  hkpy_watch watch;
  const hk_variants *variants;
  PyObject *row;
} running;

static PyObject *values_of(const hk_variants *v, const hk_variant_row *row) {
  const int n = hk_variants_column_count(v);
  PyObject *list = PyList_New(n);
  for (int i = 0; list && i < n; i++) {
    PyObject *x = row->word[i] ? hkpy_text(row->word[i]) : hkpy_number_or_none(row->value[i]);
    if (!x || PyList_SetItem(list, i, x)) Py_CLEAR(list);
  }
  return list;
}

static bool on_row(void *context, const hk_variant_row *row) {
  running *r = context;
  if (r->watch.raised) return false;
  PyEval_RestoreThread(r->watch.thread);
  PyObject *values = values_of(r->variants, row), *answer = NULL;
  if (values)
    answer = PyObject_CallFunction(r->row, "LNsdN", (long long)row->number,
                                   PyBool_FromLong(row->failed), row->error, row->seconds, values);
  bool go_on = answer && answer != Py_False;
  Py_XDECREF(answer);
  if (PyErr_Occurred()) r->watch.raised = true;
  r->watch.thread = PyEval_SaveThread();
  return go_on;
}

static bool on_progress(void *context, const hk_progress *now) {
  return hkpy_watch_progress(&((running *)context)->watch, now);
}

/* run(folder, jobs, resume, row, progress, cancel): True; False: stopped. */
static PyObject *run(PyObject *self, PyObject *args) {
  study *s = (study *)self;
  PyObject *row, *progress, *cancel, *out = NULL;
  hk_variants_options o = {.size = sizeof o, .row = on_row, .progress = on_progress};
  hk_error err = {0};
  hk_diag diag;
  int resume;
  if (!PyArg_ParseTuple(args, "sipOOO", &o.folder, &o.jobs, &resume, &row, &progress, &cancel))
    return NULL;
  if (!enter(s)) return NULL;
  running r = {.variants = s->variants, .row = row};
  o.resume = resume;
  o.context = &r;
  s->busy = true;
  hk_diag_init(&diag);
  hkpy_watch_begin(&r.watch, progress, cancel);
  hk_status status = hk_variants_run(s->variants, &o, &diag, &err);
  bool good = hkpy_watch_end(&r.watch);
  s->busy = false;
  if (good && status >= 0)
    out = PyBool_FromLong(status == HK_OK);
  else if (good)
    hkpy_raise(status, &err, diag.n_errors ? &diag : NULL, NULL);
  hk_diag_free(&diag);
  return out;
}

/* table(folder, csv or None) */
static PyObject *table(PyObject *self, PyObject *args) {
  study *s = (study *)self;
  const char *folder, *csv;
  hk_error err = {0};
  if (!PyArg_ParseTuple(args, "sz", &folder, &csv) || !enter(s)) return NULL;
  s->busy = true;
  PyThreadState *thread = PyEval_SaveThread();
  hk_status status = hk_variants_table(s->variants, folder, csv, &err);
  PyEval_RestoreThread(thread);
  s->busy = false;
  if (status) return hkpy_raise(status, &err, NULL, NULL);
  return Py_NewRef(Py_None);
}

static PyObject *columns(PyObject *self, PyObject *unused) {
  const hk_variants *v = ((study *)self)->variants;
  PyObject *list = PyList_New(0);
  for (int i = 0; list && i < hk_variants_column_count(v); i++) {
    PyObject *entry = Py_BuildValue("(sss)", hk_variants_column_name(v, i),
                                    hk_variants_column_unit(v, i), hk_variants_column_role(v, i));
    if (!entry || PyList_Append(list, entry)) Py_CLEAR(list);
    Py_XDECREF(entry);
  }
  return list;
}

static PyObject *get_count(PyObject *self, void *unused) {
  return PyLong_FromLongLong((long long)hk_variants_count(((study *)self)->variants));
}
static PyObject *get_title(PyObject *self, void *unused) {
  return hkpy_text(hk_variants_title(((study *)self)->variants));
}

static PyGetSetDef getset[] = {{"count", get_count, NULL, "number of variants", NULL},
                               {"title", get_title, NULL, "title of the study", NULL},
                               {NULL, NULL, NULL, NULL, NULL}};
static PyMethodDef methods[] = {
    {"run", run, METH_VARARGS,
     "run(folder, jobs, resume, row, progress, cancel): True; False: stopped."},
    {"table", table, METH_VARARGS, "table(folder, csv or None): collect the finished variants."},
    {"columns", columns, METH_NOARGS, "List of (name, unit, role)."},
    {NULL, NULL, 0, NULL}};
static PyType_Slot slots[] = {{Py_tp_doc, "The variants of a study file."},
                              {Py_tp_dealloc, destroy},
                              {Py_tp_getset, getset},
                              {Py_tp_methods, methods},
                              {0, NULL}};
static PyType_Spec spec = {"hooke.Variants", sizeof(study), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
static PyMethodDef functions[] = {
    {"open_study", open_study, METH_VARARGS, "open_study(path, plugins): Variants."},
    {NULL, NULL, 0, NULL}};

bool hkpy_study_init(PyObject *module) {
  return hkpy_add_type(module, &spec, &study_type) && hkpy_add_functions(module, functions);
}
