/* Periodic orbits of a model. */
#include "module.h"
#include <math.h>
#include <string.h>

static bool go_on(void *watch) { return hkpy_watch_check(watch, "periods", NAN, NAN, 0); }

static PyObject *drifts_of(const hk_periodic *o) {
  PyObject *list = PyList_New(0);
  for (int i = 0; list && i < o->n_drifts; i++) {
    const hk_drift *d = &o->drift[i];
    PyObject *entry = Py_BuildValue("(sds)", d->name, d->amount, d->unit);
    if (!entry || PyList_Append(list, entry)) Py_CLEAR(list);
    Py_XDECREF(entry);
  }
  return list;
}

static PyObject *multipliers_of(const hk_periodic *o) {
  PyObject *list = PyList_New(o->n_multipliers);
  for (int i = 0; list && i < o->n_multipliers; i++) {
    PyObject *z = PyComplex_FromDoubles(o->re[i], o->im[i]);
    if (!z || PyList_SetItem(list, i, z)) Py_CLEAR(list);
  }
  return list;
}

static PyObject *state_of(hkpy_model *m, const hk_periodic *o) {
  void *bytes;
  PyObject *state = hkpy_state_new(m, o->stepper, o->state_size, &bytes);
  if (state && o->state_size) memcpy(bytes, o->state, o->state_size);
  return state;
}

static PyObject *orbit_of(hkpy_model *m, const hk_periodic *o) {
  static const char *const STABILITY[] = {"unknown", "stable", "unstable", "undecided"};
  return Py_BuildValue("{s:d,s:d,s:d,s:s,s:i,s:i,s:i,s:l,s:N,s:N,s:i,s:N,s:s,s:N}", "period",
                       o->period, "residual", o->residual, "error", o->error, "stepper", o->stepper,
                       "unknowns", o->unknowns, "runs", o->runs, "steps_per_period", o->per_period,
                       "steps", o->steps, "drifts", drifts_of(o), "multipliers", multipliers_of(o),
                       "neutral", o->neutral, "uncertainty", hkpy_number_or_none(o->uncertainty),
                       "stability", STABILITY[o->stability], "state", state_of(m, o));
}

/* periodic(model, period, turn: channel or None, amount, unknown, from, tolerance, method, most_runs, floquet, stepper or None,
 * progress, cancel): (dict, messages). */
static PyObject *periodic(PyObject *module, PyObject *args) {
  static const char *const METHOD[] = {"auto", "plain", "anderson", "newton"};
  PyObject *object, *turn, *progress, *cancel, *out = NULL;
  hk_sim_options sim = {.size = sizeof sim};
  hk_periodic_options o = {.size = sizeof o, .sim = &sim, .go_on = go_on};
  hk_periodic orbit = {0};
  hk_error err = {0};
  hk_diag diag;
  hkpy_watch watch;
  const char *method;
  int unknown, floquet;
  if (!PyArg_ParseTuple(args, "OdOdpddsipzOO", &object, &o.period, &turn, &o.amount, &unknown,
                        &o.from, &o.tolerance, &method, &o.most_runs, &floquet, &sim.stepper,
                        &progress, &cancel))
    return NULL;
  hkpy_model *m = hkpy_as_model(object);
  if (!m) return NULL;
  int k = 0;
  while (k < 4 && strcmp(METHOD[k], method) != 0) k++;
  if (k == 4)
    return PyErr_Format(hkpy_input_error, "the method is auto, plain, anderson or newton, not '%s'",
                        method);
  if (turn != Py_None && (o.turn = hkpy_channel_index(m, turn, hkpy_input_error)) < 0) return NULL;
  o.method = (hk_periodic_method)k;
  o.unknown = unknown || turn != Py_None;
  o.floquet = floquet;
  o.context = &watch;
  hk_diag_init(&diag);
  hkpy_watch_begin(&watch, progress, cancel);
  hk_status status = hk_periodic_run(m->model, &o, &orbit, &diag, &err);
  if (hkpy_watch_end(&watch)) {
    if (status == HK_STOPPED) hk_fail(&err, HK_EFAIL, "stopped");
    out = status ? hkpy_raise(status == HK_STOPPED ? HK_EFAIL : status, &err,
                              diag.n_errors ? &diag : NULL, m->model)
                 : Py_BuildValue("(NN)", orbit_of(m, &orbit), hkpy_messages(&diag, 0));
  }
  hk_periodic_free(&orbit);
  hk_diag_free(&diag);
  return out;
}

static PyMethodDef functions[] = {
    {"periodic", periodic, METH_VARARGS,
     "periodic(model, period, turn, amount, unknown, from, tolerance, method, most_runs, floquet, "
     "stepper, progress, cancel): (dict, messages)."},
    {NULL, NULL, 0, NULL}};

bool hkpy_periodic_init(PyObject *module) { return hkpy_add_functions(module, functions); }
