/* Equilibrium, linearisation, modes and frequency response. */
#include "module.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An equilibrium with its linear equations.  The watch lives as long as the simulation, whose options point to it. */
typedef struct equilibrium {
  hkpy_model *model;
  hk_sim *sim;
  hk_linear *linear;
  hk_static_report at;
  hk_diag diag;
  hk_error err;
  hkpy_watch watch;
} equilibrium;

static void equilibrium_free(equilibrium *e) {
  hk_linear_destroy(e->linear);
  hk_sim_destroy(e->sim);
  hk_diag_free(&e->diag);
}

/* The state for the linearisation: the equilibrium; the position of the file at rest
 * (as_placed); or the state in motion at the time `at` (NaN: not given). */
typedef struct place {
  int as_placed;
  double at;
} place;

/* The results are valid for a state that differs from the one in the file. */
static void warn_about_start(equilibrium *e) {
  const hk_static_report *r = &e->at;
  char what[300];
  if (r->moving)
    hk_diag_add(
        &e->diag, HK_WARNING, NULL,
        "the initial velocities are ignored: the model is linearised at rest; for the moving state "
        "give at=0");
  if ((r->newton == 0 && r->relaxation == 0) || (r->moved < 1e-14 && r->turned < 1e-14)) return;
  hk_imbalance_text(&r->start, what, sizeof what);
  hk_diag_add(&e->diag, HK_WARNING, NULL,
              "not in equilibrium as placed: %s is not balanced; linearised about the equilibrium "
              "found nearby "
              "(bodies moved by up to %.4g m and rotated by up to %.4g rad)",
              what, r->moved, r->turned);
}

/* Without the interpreter's lock. */
static hk_status find_equilibrium(equilibrium *e, place where, bool linear) {
  hk_static_options o = {.size = sizeof o,
                         .as_placed = where.as_placed,
                         .progress = hkpy_watch_progress,
                         .context = &e->watch};
  hk_status status;
  if (isnan(where.at)) {
    status = hk_static_solve(e->model->model, &o, &e->sim, &e->at, &e->diag, &e->err);
  } else {
    hk_sim_options s = {.size = sizeof s, .progress = hkpy_watch_progress, .context = &e->watch};
    status = hk_sim_create(e->model->model, &s, &e->sim, &e->diag, &e->err);
    if (!status && where.at > hk_sim_time(e->sim))
      status = hk_sim_advance(e->sim, where.at, &e->err);
  }
  if (!status && linear && isnan(where.at)) warn_about_start(e);
  hk_linear_options l = {.size = sizeof l, .frozen = isnan(where.at)};
  if (!status && linear) status = hk_linear_create(e->sim, &l, &e->linear, &e->diag, &e->err);
  return status;
}

static PyObject *failed(equilibrium *e, bool good, hk_status status) {
  if (good) {
    if (status == HK_STOPPED) PyErr_SetString(hkpy_failed_error, "stopped");
    hkpy_raise(status, &e->err, e->diag.n_errors ? &e->diag : NULL, e->model->model);
  }
  equilibrium_free(e);
  return NULL;
}

/* Returns all primary and detail channels at the state of a simulation as a dict of name ->
 * value. */
static PyObject *values_of(const hk_model *m, hk_sim *sim) {
  PyObject *d = PyDict_New();
  for (int i = 1; d && i < hk_model_channel_count(m); i++) {
    if (hk_model_channel_rank(m, i) > 1) continue;
    const double x = hk_sim_value(sim, i);
    PyObject *pair =
        hkpy_callback_raised() ? NULL : Py_BuildValue("(ds)", x, hk_model_channel_unit(m, i));
    if (!hkpy_set(d, hk_model_channel_name(m, i), pair)) Py_CLEAR(d);
  }
  return d;
}

static PyObject *imbalance(const hk_imbalance *i) {
  return Py_BuildValue("{s:d,s:d,s:s,s:s}", "size", i->size, "relative", i->relative, "unit",
                       i->moment ? "N*m" : "N", "body", i->body ? i->body : "");
}

/* static(model, progress, cancel): dict. */
static PyObject *statics(PyObject *module, PyObject *args) {
  PyObject *object, *progress, *cancel;
  if (!PyArg_ParseTuple(args, "OOO", &object, &progress, &cancel)) return NULL;
  equilibrium e = {.model = hkpy_as_model(object)};
  if (!e.model) return NULL;
  hk_diag_init(&e.diag);
  hkpy_watch_begin(&e.watch, progress, cancel);
  hk_status status = find_equilibrium(&e, (place){.at = NAN}, false);
  bool good = hkpy_watch_end(&e.watch);
  if (!good || status) return failed(&e, good, status);
  PyObject *d = Py_BuildValue(
      "{s:N,s:N,s:i,s:i,s:d,s:d,s:i,s:N,s:N}", "residual", imbalance(&e.at.residual),
      "residual_as_placed", imbalance(&e.at.start), "newton", e.at.newton, "relaxation",
      e.at.relaxation, "moved", e.at.moved, "turned", e.at.turned, "redundant", e.at.redundant,
      "values", values_of(e.model->model, e.sim), "messages", hkpy_messages(&e.diag, 0));
  equilibrium_free(&e);
  return d;
}

static PyObject *names_of(const hk_linear *l) {
  PyObject *list = PyList_New(0);
  char name[400];
  for (int i = 0; list && i < l->n; i++) {
    hk_linear_coordinate_name(l, i, name, sizeof name);
    PyObject *entry = Py_BuildValue("(ss)", name, hk_linear_coordinate_unit(l, i));
    if (!entry || PyList_Append(list, entry)) Py_CLEAR(list);
    Py_XDECREF(entry);
  }
  return list;
}

static PyObject *shape_of(const hk_mode *m, int n) {
  if (!m->shape) return Py_NewRef(Py_None);
  PyObject *list = PyList_New(n);
  for (int i = 0; list && i < n; i++) {
    PyObject *z = PyComplex_FromDoubles(m->shape[2 * i], m->shape[2 * i + 1]);
    if (!z || PyList_SetItem(list, i, z)) Py_CLEAR(list);
  }
  return list;
}

static PyObject *modes_of(const hk_modes *m, int n) {
  PyObject *list = PyList_New(0);
  for (int i = 0; list && i < m->n; i++) {
    const hk_mode *k = &m->mode[i];
    PyObject *entry = Py_BuildValue("{s:N,s:d,s:d,s:d,s:N,s:N}", "eigenvalue",
                                    PyComplex_FromDoubles(k->re, k->im), "frequency", k->frequency,
                                    "damping", k->damping, "time_constant", k->time_constant,
                                    "free", PyBool_FromLong(k->zero), "shape", shape_of(k, n));
    if (!entry || PyList_Append(list, entry)) Py_CLEAR(list);
    Py_XDECREF(entry);
  }
  return list;
}

/* modes(model, as_placed, at, count, shift, progress, cancel): dict. */
static PyObject *modes(PyObject *module, PyObject *args) {
  PyObject *object, *progress, *cancel;
  place where;
  hk_modes_options o = {.size = sizeof o, .progress = hkpy_watch_progress};
  hk_modes m = {0};
  if (!PyArg_ParseTuple(args, "OpdidOO", &object, &where.as_placed, &where.at, &o.count, &o.shift,
                        &progress, &cancel))
    return NULL;
  equilibrium e = {.model = hkpy_as_model(object)};
  if (!e.model) return NULL;
  o.context = &e.watch;
  hk_diag_init(&e.diag);
  hkpy_watch_begin(&e.watch, progress, cancel);
  hk_status status = find_equilibrium(&e, where, true);
  if (!status) status = hk_modes_solve(e.linear, &o, &m, &e.err);
  bool good = hkpy_watch_end(&e.watch);
  if (!good || status) {
    hk_modes_free(&m);
    return failed(&e, good, status);
  }
  PyObject *d =
      Py_BuildValue("{s:N,s:N,s:i,s:i,s:N,s:s,s:i,s:N}", "modes", modes_of(&m, e.linear->n),
                    "coordinates", names_of(e.linear), "unstable", m.n_unstable, "infinite",
                    m.n_infinite, "complete", PyBool_FromLong(m.complete), "method", m.method,
                    "dof", e.linear->dof, "messages", hkpy_messages(&e.diag, 0));
  hk_modes_free(&m);
  equilibrium_free(&e);
  return d;
}

/* ---- frequency response ---- */

typedef struct response {
  equilibrium e;
  const char *input;
  int *channel;
  Py_ssize_t n_channels;
  double first, last;
  int points, log;
  double *given; /* frequencies [Hz]; NULL: first, last, points */
  double *f, *value;
  int n, index;
  hk_response *r;
} response;

static hk_status choose_input(response *q) {
  const hk_linear *l = q->e.linear;
  if (q->input) return hk_response_input_find(l, q->input, &q->index, &q->e.err);
  if (hk_response_input_count(l) == 1) return HK_OK;
  char text[600] = "";
  for (int i = 0; i < hk_response_input_count(l) && strlen(text) < 400; i++) {
    size_t used = strlen(text);
    if (i) used += (size_t)PyOS_snprintf(text + used, sizeof text - used, ", ");
    hk_response_input_name(l, i, text + used, sizeof text - used);
  }
  return hk_fail(&q->e.err, HK_EINPUT,
                 text[0] ? "name the input, one of: %s"
                         : "the model has no input; add a load, an actuator or a motion%s",
                 text);
}

static hk_status respond(response *q, place where) {
  equilibrium *e = &q->e;
  hk_status status = find_equilibrium(e, where, true);
  if (!status) status = choose_input(q);
  if (!status && q->given) {
    q->f = q->given;
    q->given = NULL;
  } else if (!status) {
    status = hk_response_frequencies(e->linear, q->first, q->last, q->points, q->log, &q->f, &q->n,
                                     &e->err);
  }
  if (!status)
    status = hk_response_create(e->sim, e->linear, q->index, q->channel, (int)q->n_channels, &q->r,
                                &e->err);
  if (!status &&
      !(q->value = calloc((size_t)q->n * (size_t)q->n_channels * 2 + 1, sizeof *q->value)))
    status = HK_ENOMEM;
  for (int i = 0; i < q->n && !status; i++) {
    status = hk_response_value(q->r, 2 * M_PI * q->f[i],
                               q->value + (size_t)i * (size_t)q->n_channels * 2, &e->err);
    if (!hkpy_watch_check(&e->watch, "frequencies", (double)i / q->n, NAN, i)) status = HK_STOPPED;
  }
  return status;
}

static PyObject *response_values(const response *q, PyObject *names) {
  PyObject *d = PyDict_New();
  for (Py_ssize_t k = 0; d && k < q->n_channels; k++) {
    PyObject *list = PyList_New(q->n), *name = PySequence_GetItem(names, k);
    for (int i = 0; list && i < q->n; i++) {
      const double *z = q->value + ((size_t)i * (size_t)q->n_channels + (size_t)k) * 2;
      PyObject *entry = PyComplex_FromDoubles(z[0], z[1]);
      if (!entry || PyList_SetItem(list, i, entry)) Py_CLEAR(list);
    }
    PyObject *pair =
        list && name ? Py_BuildValue("(Os)", list, hk_response_unit(q->r, (int)k)) : NULL;
    if (!pair || PyDict_SetItem(d, name, pair)) Py_CLEAR(d);
    Py_XDECREF(pair);
    Py_XDECREF(list);
    Py_XDECREF(name);
  }
  return d;
}

static bool read_frequencies(response *q, PyObject *list) {
  if (list == Py_None) return true;
  PyObject *t = PySequence_Tuple(list);
  if (!t) return false;
  q->n = (int)PyTuple_Size(t);
  q->given = calloc((size_t)q->n + 1, sizeof *q->given);
  for (int i = 0; q->given && i < q->n; i++) q->given[i] = PyFloat_AsDouble(PyTuple_GetItem(t, i));
  Py_DECREF(t);
  if (!q->given) PyErr_NoMemory();
  return !PyErr_Occurred();
}

static void response_free(response *q) {
  hk_response_destroy(q->r);
  free(q->channel);
  free(q->given);
  free(q->f);
  free(q->value);
}

/* response(model, input or None, channels, frequencies or None, first, last, points, log, as_placed, at, progress, cancel): dict. */
static PyObject *frequency_response(PyObject *module, PyObject *args) {
  PyObject *object, *names, *frequencies, *progress, *cancel, *out = NULL;
  response q = {0};
  place where;
  if (!PyArg_ParseTuple(args, "OzOOddippdOO", &object, &q.input, &names, &frequencies, &q.first,
                        &q.last, &q.points, &q.log, &where.as_placed, &where.at, &progress,
                        &cancel))
    return NULL;
  q.e.model = hkpy_as_model(object);
  if (!q.e.model || !(q.channel = hkpy_channels(q.e.model->model, names, &q.n_channels)) ||
      !read_frequencies(&q, frequencies)) {
    response_free(&q);
    return NULL;
  }
  hk_diag_init(&q.e.diag);
  hkpy_watch_begin(&q.e.watch, progress, cancel);
  hk_status status = respond(&q, where);
  bool good = hkpy_watch_end(&q.e.watch);
  if (good && !status) {
    char input[400];
    hk_response_input_name(q.e.linear, q.index, input, sizeof input);
    out = Py_BuildValue("{s:s,s:N,s:N,s:N}", "input", input, "frequency", hkpy_reals(q.f, q.n),
                        "response", response_values(&q, names), "messages",
                        hkpy_messages(&q.e.diag, 0));
    response_free(&q);
    equilibrium_free(&q.e);
    return out;
  }
  response_free(&q);
  return failed(&q.e, good, status);
}

/* state_space(model, channels, as_placed, at): dict of A, B, C, D and names. */
static PyObject *state_space(PyObject *module, PyObject *args) {
  PyObject *object, *names, *out = NULL;
  place where;
  int *channel = NULL;
  Py_ssize_t n = 0;
  hk_state_space s = {0};
  if (!PyArg_ParseTuple(args, "OOpd", &object, &names, &where.as_placed, &where.at)) return NULL;
  equilibrium e = {.model = hkpy_as_model(object)};
  if (!e.model || !(channel = hkpy_channels(e.model->model, names, &n))) return NULL;
  hk_diag_init(&e.diag);
  hkpy_watch_begin(&e.watch, NULL, NULL);
  hk_status status = find_equilibrium(&e, where, true);
  if (!status) status = hk_linear_state_space(e.linear, n ? channel : NULL, (int)n, &s, &e.err);
  bool good = hkpy_watch_end(&e.watch);
  free(channel);
  if (!good || status) return failed(&e, good, status);
  PyObject *inputs = PyList_New(0), *states = PyList_New(0), *outputs = PyList_New(0);
  char text[400];
  bool done = inputs && states && outputs;
  for (int i = 0; done && i < s.inputs + s.n + s.outputs; i++) {
    PyObject *list = i < s.inputs ? inputs : i < s.inputs + s.n ? states : outputs, *name;
    if (list == inputs) hk_state_space_input_name(e.linear, &s, i, text, sizeof text);
    if (list == states) hk_state_space_state_name(e.linear, &s, i - s.inputs, text, sizeof text);
    name = hkpy_text(list == outputs
                         ? hk_model_channel_name(e.model->model, s.output[i - s.inputs - s.n])
                         : text);
    done = name && PyList_Append(list, name) == 0;
    Py_XDECREF(name);
  }
  if (done)
    out = Py_BuildValue("{s:N,s:N,s:N,s:N,s:O,s:O,s:O}", "A", hkpy_matrix(s.A, s.n, s.n), "B",
                        hkpy_matrix(s.B, s.n, s.inputs), "C", hkpy_matrix(s.C, s.outputs, s.n), "D",
                        hkpy_matrix(s.D, s.outputs, s.inputs), "inputs", inputs, "states", states,
                        "outputs", outputs);
  Py_XDECREF(inputs);
  Py_XDECREF(states);
  Py_XDECREF(outputs);
  hk_state_space_free(&s);
  equilibrium_free(&e);
  return out;
}

static PyMethodDef functions[] = {
    {"static", statics, METH_VARARGS, "static(model, progress, cancel): equilibrium as a dict."},
    {"modes", modes, METH_VARARGS,
     "modes(model, as_placed, at, count, shift, progress, cancel): modes as a dict."},
    {"response", frequency_response, METH_VARARGS,
     "response(model, input, channels, frequencies, first, last, points, log, as_placed, progress, "
     "cancel): a dict."},
    {"state_space", state_space, METH_VARARGS,
     "state_space(model, channels, as_placed, at): a dict."},
    {NULL, NULL, 0, NULL}};

bool hkpy_linear_init(PyObject *module) { return hkpy_add_functions(module, functions); }
