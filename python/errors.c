/* Exceptions: hooke.Error with its kinds, and the messages that they carry. */
#include "module.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

PyObject *hkpy_error, *hkpy_input_error, *hkpy_failed_error;
static PyTypeObject *message_type;

static PyStructSequence_Field message_fields[] = {
    {"severity", "'note', 'warning' or 'error'"},
    {"text", "the message"},
    {"file", "name of the model file; None: not in a file"},
    {"line", "line in the file, from 1; 0: unknown"},
    {"column", "column in the line, from 1; 0: unknown"},
    {"item", "what was set in Python, such as 'bodies.arm.mass'; None: nothing"},
    {NULL, NULL}};
static PyStructSequence_Desc message_description = {
    "hooke.Message", "A message of reading or compiling a model.", message_fields, 6};

/* ---- messages ---- */

/* To the library, a value that was set in Python is an override "--set PATH=VALUE". */
static PyObject *set_path(const char *file) {
  static const char prefix[] = "--set ";
  const size_t n = sizeof prefix - 1;
  if (!file || strncmp(file, prefix, n) != 0) return NULL;
  return PyUnicode_FromStringAndSize(file + n, (Py_ssize_t)strcspn(file + n, "="));
}

static PyObject *message(hk_severity severity, const char *text, const hk_location *place) {
  static const char *const NAME[] = {"note", "warning", "error"};
  PyObject *m = PyStructSequence_New(message_type);
  if (!m) return NULL;
  PyObject *item = set_path(place->file);
  if (!item && PyErr_Occurred()) {
    Py_DECREF(m);
    return NULL;
  }
  PyObject *none = Py_NewRef(Py_None);
  PyStructSequence_SetItem(m, 0, hkpy_text(NAME[severity]));
  PyStructSequence_SetItem(m, 1, hkpy_text(text));
  PyStructSequence_SetItem(m, 2, item || !place->file ? Py_NewRef(none) : hkpy_text(place->file));
  PyStructSequence_SetItem(m, 3, PyLong_FromLong(place->line));
  PyStructSequence_SetItem(m, 4, PyLong_FromLong(place->column));
  PyStructSequence_SetItem(m, 5, item ? item : Py_NewRef(none));
  Py_DECREF(none);
  if (PyErr_Occurred()) {
    Py_DECREF(m);
    return NULL;
  }
  return m;
}

PyObject *hkpy_messages(const hk_diag *diag, int first) {
  PyObject *list = PyList_New(0);
  for (int i = first; list && i < diag->n; i++) {
    const hk_diag_message *d = &diag->message[i];
    PyObject *m = message(d->severity, d->text, &d->place);
    if (!m || PyList_Append(list, m)) {
      Py_CLEAR(list);
    }
    Py_XDECREF(m);
  }
  return list;
}

/* ---- exceptions ---- */

/* Returns the name of a file for messages, without control characters. */
static const char *shown(const char *file, hk_error *room) {
  hk_fail(room, HK_EINPUT, "%s", file);
  return room->text;
}

/* Writes "file:line:column: text", or "bodies.arm: text" if the value was set in Python. */
static PyObject *sentence(const char *text, const hk_location *place) {
  hk_error room;
  PyObject *path = set_path(place->file);
  PyObject *out = path ? PyUnicode_FromFormat("%U: %s", path, text)
                  : place->file && place->line
                      ? PyUnicode_FromFormat("%s:%d:%d: %s", shown(place->file, &room), place->line,
                                             place->column, text)
                  : place->file && *place->file
                      ? PyUnicode_FromFormat("%s: %s", shown(place->file, &room), text)
                      : hkpy_text(text);
  Py_XDECREF(path);
  return out;
}

/* All errors of diag, a line each. */
static PyObject *sentences(const hk_diag *diag) {
  PyObject *all = NULL;
  for (int i = 0; i < diag->n; i++) {
    const hk_diag_message *d = &diag->message[i];
    if (d->severity != HK_ERROR) continue;
    PyObject *one = sentence(d->text, &d->place);
    PyObject *both = !one ? NULL : all ? PyUnicode_FromFormat("%U\n%U", all, one) : Py_NewRef(one);
    Py_XDECREF(one);
    Py_XDECREF(all);
    if (!(all = both)) return NULL;
  }
  return all;
}

static const hk_diag_message *first_error(const hk_diag *diag) {
  for (int i = 0; diag && i < diag->n; i++)
    if (diag->message[i].severity == HK_ERROR) return &diag->message[i];
  return NULL;
}

static bool attribute(PyObject *object, const char *name, PyObject *value) {
  bool done = value && PyObject_SetAttrString(object, name, value) == 0;
  Py_XDECREF(value);
  return done;
}

static bool fill(PyObject *e, const hk_error *err, const hk_diag *diag, const hk_location *place) {
  PyObject *item = set_path(place->file);
  bool done =
      attribute(e, "file", item || !place->file ? Py_NewRef(Py_None) : hkpy_text(place->file)) &&
      attribute(e, "line", PyLong_FromLong(place->line)) &&
      attribute(e, "column", PyLong_FromLong(place->column));
  if (done && item) done = attribute(e, "item", Py_NewRef(item));
  Py_XDECREF(item);
  if (done && diag) done = attribute(e, "messages", hkpy_messages(diag, 0));
  if (done && err && err->element[0]) done = attribute(e, "element", hkpy_text(err->element));
  if (done && err) done = attribute(e, "time", hkpy_number_or_none(err->time));
  return done;
}

PyObject *hkpy_raise(hk_status status, const hk_error *err, const hk_diag *diag,
                     const hk_model *model) {
  if (PyErr_Occurred()) return NULL;
  if (status == HK_ENOMEM || (diag && diag->out_of_memory)) return PyErr_NoMemory();
  const hk_diag_message *first = first_error(diag);
  hk_location place = {0};
  if (first)
    place = first->place;
  else if (model && err && status != HK_EIO)
    place = hk_error_location(model, err);
  PyObject *type = status == HK_EINPUT || (first && status != HK_EFAIL) ? hkpy_input_error
                   : status == HK_EIO                                   ? PyExc_OSError
                                                                        : hkpy_failed_error;
  PyObject *text = first                 ? sentences(diag)
                   : err && err->text[0] ? sentence(err->text, &place)
                                         : hkpy_text("the operation failed");
  PyObject *e = text ? PyObject_CallFunctionObjArgs(type, text, NULL) : NULL;
  Py_XDECREF(text);
  if (!e) return NULL;
  if (type == PyExc_OSError || fill(e, err, diag, &place)) PyErr_SetObject(type, e);
  Py_DECREF(e);
  return NULL;
}

/* ---- setup ---- */

static const char ERROR_DOC[] =
    "Base of all errors of hooke.\n\n"
    "messages: list of hooke.Message (severity, text, file, line, column, item)\n"
    "file, line, column: place in the model file; None and 0: unknown\n"
    "item: what was set in Python, such as 'bodies.arm.mass'; None: nothing\n"
    "element: name of the body, joint, force or contact; '': none\n"
    "time: simulated time in s; None: not applicable\n"
    "results: results up to the failure of a run; None: there are none";

static PyObject *error_class(PyObject *module, const char *name, const char *doc, PyObject *other) {
  char full[64];
  PyObject *dict = NULL, *bases = NULL, *type = NULL;
  if (!other) {
    dict = Py_BuildValue("{s:O,s:i,s:i,s:O,s:s,s:O,s:(),s:O}", "file", Py_None, "line", 0, "column",
                         0, "item", Py_None, "element", "", "time", Py_None, "messages", "results",
                         Py_None);
    bases = dict ? Py_NewRef(PyExc_Exception) : NULL;
  } else {
    bases = PyTuple_Pack(2, hkpy_error, other);
  }
  PyOS_snprintf(full, sizeof full, "hooke.%s", name);
  if (bases) type = PyErr_NewExceptionWithDoc(full, doc, bases, dict);
  Py_XDECREF(dict);
  Py_XDECREF(bases);
  if (type && PyModule_AddObjectRef(module, name, type)) Py_CLEAR(type);
  return type;
}

bool hkpy_errors_init(PyObject *module) {
  message_type = PyStructSequence_NewType(&message_description);
  if (!message_type || PyModule_AddObjectRef(module, "Message", (PyObject *)message_type))
    return false;
  hkpy_error = error_class(module, "Error", ERROR_DOC, NULL);
  hkpy_input_error =
      hkpy_error ? error_class(module, "InputError",
                               "The model, a parameter or an argument is wrong; see hooke.Error.",
                               PyExc_ValueError)
                 : NULL;
  hkpy_failed_error =
      hkpy_input_error
          ? error_class(module, "FailedError", "A computation failed for good; see hooke.Error.",
                        PyExc_RuntimeError)
          : NULL;
  return hkpy_failed_error;
}
