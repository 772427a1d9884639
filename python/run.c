/* Whole runs and their results in memory. */
#include "module.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct run {
  PyObject_HEAD hkpy_model *model; /* the report points into it */
  hk_run_report report;
  hk_recording *recording; /* NULL: nothing was recorded */
  PyObject *messages;
  hk_diag diag;
} run;

static PyTypeObject *run_type;

/* ---- the run ---- */

static bool on_step(void *context, const hk_run_progress *now) {
  double span = now->end - now->start;
  return hkpy_watch_check(context, "steps", span > 0 ? (now->t - now->start) / span : NAN, now->t,
                          now->steps);
}

typedef struct request {
  hk_run_options options;
  hk_sim_options sim;
  int *channel;
  const char *model_file, *model_text;
  PyObject *progress, *cancel;
  const char **overrides;
  PyObject *override_list;
} request;

static void request_free(request *q) {
  free(q->channel);
  free(q->overrides);
  Py_XDECREF(q->override_list);
}

/* The --set texts that are written into a results file. */
static bool request_overrides(request *q, PyObject *texts) {
  q->override_list = PySequence_Tuple(texts);
  if (!q->override_list) return false;
  Py_ssize_t n = PyTuple_Size(q->override_list);
  q->overrides = calloc((size_t)n + 1, sizeof *q->overrides);
  if (!q->overrides) {
    PyErr_NoMemory();
    return false;
  }
  for (Py_ssize_t i = 0; i < n; i++)
    if (!(q->overrides[i] = hkpy_utf8(PyTuple_GetItem(q->override_list, i)))) return false;
  q->options.override_text = q->overrides;
  q->options.n_overrides = (int)n;
  return true;
}

/* record: None (all channels except internal ones of composite joints), a text (regular
 * expression) or a sequence of names. */
static bool request_record(request *q, const hk_model *model, PyObject *record) {
  Py_ssize_t n;
  if (record == Py_None) return true;
  if (PyUnicode_Check(record)) return (q->options.record = hkpy_utf8(record));
  q->channel = hkpy_channels(model, record, &n);
  q->options.channel = q->channel;
  q->options.n_channels = (int)n;
  return q->channel;
}

static bool request_start(request *q, const hkpy_model *model, PyObject *start) {
  q->sim.size = sizeof q->sim;
  q->options.sim = &q->sim;
  return hkpy_state_get(start, model, &q->options.start, &q->options.start_size, &q->sim.stepper);
}

static run *new_run(hkpy_model *model) {
  run *r = PyObject_GC_New(run, run_type);
  if (!r) return NULL;
  r->model = (hkpy_model *)Py_NewRef((PyObject *)model);
  r->report = (hk_run_report){.stepper = ""};
  r->recording = NULL;
  r->messages = NULL;
  hk_diag_init(&r->diag);
  PyObject_GC_Track(r);
  return r;
}

/* run(model, record, results, progress, cancel, model_file, model_text, overrides, start: State
 * or None, duration): returns a Run, also if the run failed. */
static PyObject *run_model(PyObject *module, PyObject *args) {
  request q = {.options = {.size = sizeof(hk_run_options)}};
  PyObject *object, *record, *overrides, *start = Py_None;
  hkpy_watch watch;
  if (!PyArg_ParseTuple(args, "OOzOOzzO|Od", &object, &record, &q.options.results, &q.progress,
                        &q.cancel, &q.options.model_file, &q.options.model_text, &overrides, &start,
                        &q.options.duration))
    return NULL;
  hkpy_model *model = hkpy_as_model(object);
  if (!model || !request_record(&q, model->model, record) || !request_overrides(&q, overrides)) {
    request_free(&q);
    return NULL;
  }
  if (start != Py_None && !request_start(&q, model, start)) {
    request_free(&q);
    return NULL;
  }
  run *r = new_run(model);
  if (!r) {
    request_free(&q);
    return NULL;
  }
  q.options.recording = &r->recording;
  q.options.progress = on_step;
  q.options.context = &watch;
  hkpy_watch_begin(&watch, q.progress, q.cancel);
  hk_run(model->model, &q.options, &r->report, &r->diag);
  bool good = hkpy_watch_end(&watch);
  request_free(&q);
  r->messages = good ? hkpy_messages(&r->diag, 0) : NULL;
  if (r->messages) return (PyObject *)r;
  Py_DECREF((PyObject *)r);
  return NULL;
}

static int traverse(PyObject *self, visitproc visit, void *arg) {
  const run *r = (const run *)self;
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(r->model);
  Py_VISIT(r->messages);
  return 0;
}

static void destroy(PyObject *self) {
  run *r = (run *)self;
  PyTypeObject *type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  hk_recording_destroy(r->recording);
  hk_run_report_free(&r->report);
  hk_diag_free(&r->diag);
  Py_XDECREF(r->messages);
  Py_DECREF((PyObject *)r->model);
  PyObject_GC_Del(self);
  Py_DECREF(type);
}

/* ---- what it tells ---- */

static PyObject *status_text(hk_status status) {
  return hkpy_text(status == HK_OK ? "finished" : status == HK_STOPPED ? "stopped" : "failed");
}

/* raise_failure(): raises the error of a run that failed. */
static PyObject *raise_failure(PyObject *self, PyObject *unused) {
  run *r = (run *)self;
  const hk_run_report *p = &r->report;
  if (p->status >= 0) return Py_NewRef(Py_None);
  /* Errors of the model are reported as messages, failures of a simulation as one sentence. */
  return hkpy_raise(p->status, &p->error, r->diag.n_errors ? &r->diag : NULL, r->model->model);
}

static PyObject *statistics(PyObject *self, PyObject *unused) {
  const hk_run_report *p = &((run *)self)->report;
  PyObject *status = status_text(p->status);
  if (!status) return NULL;
  PyObject *d = Py_BuildValue(
      "{s:N,s:s,s:s,s:i,s:d,s:d,s:d,s:d,s:d,s:d,s:d,s:l,s:l,s:l,s:l,s:i,s:N,s:i,s:L}", "status",
      status, "stepper", p->stepper ? p->stepper : "", "stepper_why",
      p->stepper_why ? p->stepper_why : "", "order", p->order, "rtol", p->rtol, "atol", p->atol,
      "step", p->step, "start", p->start, "end", p->end, "t", p->t, "wall_seconds", p->wall_seconds,
      "steps", p->stats.steps, "rejected", p->stats.rejected, "newton", p->stats.newton,
      "factorizations", p->stats.factorizations, "redundant", p->stats.redundant,
      "energy_balance_error", hkpy_number_or_none(p->energy_balance_error), "doubts", p->doubts,
      "rows", (long long)p->rows);
  return d;
}

static PyObject *measures(PyObject *self, PyObject *unused) {
  const hk_run_report *p = &((run *)self)->report;
  PyObject *list = PyList_New(0);
  for (int i = 0; list && i < p->n_measures; i++) {
    const hk_run_measure *m = &p->measure[i];
    PyObject *entry = Py_BuildValue("(sdsNds)", m->name, m->value, m->unit,
                                    hkpy_number_or_none(m->time), m->error, m->note ? m->note : "");
    if (!entry || PyList_Append(list, entry)) Py_CLEAR(list);
    Py_XDECREF(entry);
  }
  return list;
}

PyObject *hkpy_quality(const hk_quality *quality) {
  static const char *const LEVEL[] = {"good", "remark", "doubt"};
  PyObject *list = PyList_New(0);
  for (int i = 0; list && i < hk_quality_count(quality); i++) {
    const hk_indicator *k = hk_quality_at(quality, i);
    PyObject *entry =
        Py_BuildValue("{s:s,s:s,s:s,s:d,s:d,s:N,s:N,s:l,s:s,s:s}", "name", k->name, "level",
                      LEVEL[k->level], "unit", k->unit, "amount", k->amount, "limit", k->limit,
                      "scale", hkpy_number_or_none(k->scale), "time", hkpy_number_or_none(k->time),
                      "count", k->count, "element", k->element, "sentence", k->sentence);
    if (!entry || PyList_Append(list, entry)) Py_CLEAR(list);
    Py_XDECREF(entry);
  }
  return list;
}

static PyObject *quality(PyObject *self, PyObject *unused) {
  return hkpy_quality(((run *)self)->report.quality);
}

/* ---- channels ---- */

static PyObject *channels(PyObject *self, PyObject *unused) {
  const hk_recording *r = ((run *)self)->recording;
  PyObject *list = PyList_New(0);
  for (int i = 0; list && r && i < hk_recording_channel_count(r); i++) {
    PyObject *entry = Py_BuildValue("(sss)", hk_recording_name(r, i), hk_recording_unit(r, i),
                                    hk_recording_doc(r, i));
    if (!entry || PyList_Append(list, entry)) Py_CLEAR(list);
    Py_XDECREF(entry);
  }
  return list;
}

static PyObject *column(PyObject *self, PyObject *name) {
  const hk_recording *r = ((run *)self)->recording;
  const char *text = hkpy_utf8(name);
  if (!text) return NULL;
  int i = r ? hk_recording_find(r, text) : -1;
  if (i < 0) return PyErr_Format(PyExc_KeyError, "the run has no channel '%s'", text);
  return hkpy_channel(self, hk_recording_column(r, i), (Py_ssize_t)hk_recording_row_count(r),
                      hk_recording_name(r, i), hk_recording_unit(r, i), hk_recording_doc(r, i));
}

/* save(path, model_file, model_text, overrides) */
static PyObject *save(PyObject *self, PyObject *args) {
  run *r = (run *)self;
  request q = {.options = {.size = sizeof(hk_run_options)}};
  PyObject *overrides;
  hk_error err = {0};
  if (!PyArg_ParseTuple(args, "szzO", &q.options.results, &q.options.model_file,
                        &q.options.model_text, &overrides))
    return NULL;
  if (!r->recording) return PyErr_Format(hkpy_input_error, "the run has recorded nothing");
  if (!request_overrides(&q, overrides)) {
    request_free(&q);
    return NULL;
  }
  PyThreadState *thread = PyEval_SaveThread();
  hk_status status =
      hk_run_save(r->model->model, r->recording, &q.options, &r->report, &r->diag, &err);
  PyEval_RestoreThread(thread);
  request_free(&q);
  if (status) return hkpy_raise(status, &err, NULL, NULL);
  return Py_NewRef(Py_None);
}

static PyObject *get_messages(PyObject *self, void *unused) {
  return Py_NewRef(((run *)self)->messages);
}
static PyObject *get_rows(PyObject *self, void *unused) {
  const hk_recording *r = ((run *)self)->recording;
  return PyLong_FromLongLong(r ? (long long)hk_recording_row_count(r) : 0);
}
static PyObject *get_model(PyObject *self, void *unused) {
  return Py_NewRef((PyObject *)((run *)self)->model);
}

static PyGetSetDef getset[] = {{"messages", get_messages, NULL, "list of hooke.Message", NULL},
                               {"rows", get_rows, NULL, "number of rows", NULL},
                               {"model", get_model, NULL, "the compiled model", NULL},
                               {NULL, NULL, NULL, NULL, NULL}};
static PyMethodDef methods[] = {
    {"raise_failure", raise_failure, METH_NOARGS, "Raise the error of a run that failed."},
    {"statistics", statistics, METH_NOARGS, "Status, integrator, tolerances, counts."},
    {"measures", measures, METH_NOARGS, "List of (name, value, unit, time, error, note)."},
    {"quality", quality, METH_NOARGS, "List of quality indicators as dicts."},
    {"channels", channels, METH_NOARGS, "List of (name, unit, doc)."},
    {"column", column, METH_O, "column(name): a Channel, without a copy."},
    {"save", save, METH_VARARGS,
     "save(path, model_file, model_text, overrides): write a results file."},
    {NULL, NULL, 0, NULL}};
static PyType_Slot slots[] = {{Py_tp_doc, "A run that ended, with its results in memory."},
                              {Py_tp_dealloc, destroy},
                              {Py_tp_traverse, traverse},
                              {Py_tp_getset, getset},
                              {Py_tp_methods, methods},
                              {0, NULL}};
static PyType_Spec spec = {"hooke.Run", sizeof(run), 0, HKPY_FLAGS, slots};

static PyMethodDef functions[] = {
    {"run", run_model, METH_VARARGS,
     "run(model, record, results, progress, cancel, model_file, model_text, overrides): a Run."},
    {NULL, NULL, 0, NULL}};

bool hkpy_run_init(PyObject *module) {
  return hkpy_add_type(module, &spec, &run_type) && hkpy_add_functions(module, functions);
}
