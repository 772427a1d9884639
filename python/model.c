/* Compiled models: reading, channels, parameters, inputs and reading back of items. */
#include "module.h"
#include <stdlib.h>
#include <string.h>

PyTypeObject *hkpy_model_type;

/* ---- reading and compiling ---- */

typedef struct overrides {
  PyObject *pairs; /* tuple: keeps the texts alive */
  hk_override *set;
  Py_ssize_t n;
} overrides;

static void overrides_free(overrides *o) {
  free(o->set);
  Py_XDECREF(o->pairs);
}

/* A sequence of pairs (path, value). */
static bool overrides_read(overrides *o, PyObject *sequence) {
  *o = (overrides){.pairs = PySequence_Tuple(sequence)};
  if (!o->pairs) return false;
  o->n = PyTuple_Size(o->pairs);
  o->set = calloc((size_t)o->n + 1, sizeof *o->set);
  if (!o->set) {
    PyErr_NoMemory();
    return false;
  }
  for (Py_ssize_t i = 0; i < o->n; i++)
    if (!PyArg_ParseTuple(PyTuple_GetItem(o->pairs, i), "ss", &o->set[i].path, &o->set[i].value))
      return false;
  return true;
}

typedef struct reading {
  const char *name, *text; /* text NULL: `name` is a file */
  Py_ssize_t length;
  overrides set;
  hk_registry *registry;
} reading;

static hk_model *read_and_compile(const reading *r, hk_diag *diag) {
  const int n = (int)r->set.n;
  hk_spec *spec = r->text ? hk_model_text_read_with(r->registry, r->name, r->text,
                                                    (size_t)r->length, r->set.set, n, diag)
                          : hk_model_file_read_with(r->registry, r->name, r->set.set, n, diag);
  return spec ? hk_model_compile(spec, diag) : NULL;
}

static PyObject *channel_index(const hk_model *model) {
  PyObject *dict = PyDict_New();
  for (int i = 0; dict && i < hk_model_channel_count(model); i++) {
    PyObject *number = PyLong_FromLong(i);
    if (!number || PyDict_SetItemString(dict, hk_model_channel_name(model, i), number))
      Py_CLEAR(dict);
    Py_XDECREF(number);
  }
  return dict;
}

static PyObject *wrap(hk_model *model, hk_registry *registry, PyObject *types,
                      const hk_diag *diag) {
  hkpy_model *m = PyObject_GC_New(hkpy_model, hkpy_model_type);
  if (!m) {
    hk_model_destroy(model);
    hk_registry_destroy(registry);
    return NULL;
  }
  m->model = model;
  m->registry = registry;
  m->types = Py_NewRef(types);
  m->messages = hkpy_messages(diag, 0);
  m->index = channel_index(model);
  PyObject_GC_Track(m);
  if (m->messages && m->index) return (PyObject *)m;
  Py_DECREF((PyObject *)m);
  return NULL;
}

static PyObject *compile_model(PyObject *module, PyObject *args) {
  reading r = {0};
  PyObject *set, *types, *plugins;
  int allow; /* 1: files of other folders, 2: native code of FMUs */
  hk_diag diag;
  if (!PyArg_ParseTuple(args, "sz#OOOi", &r.name, &r.text, &r.length, &set, &types, &plugins,
                        &allow))
    return NULL;
  r.registry = hkpy_registry(types, plugins, allow);
  if (PyErr_Occurred()) return NULL;
  if (!overrides_read(&r.set, set)) {
    overrides_free(&r.set);
    hk_registry_destroy(r.registry);
    return NULL;
  }
  hk_diag_init(&diag);
  PyThreadState *thread = PyEval_SaveThread();
  hk_model *model = read_and_compile(&r, &diag);
  PyEval_RestoreThread(thread);
  overrides_free(&r.set);
  PyObject *out;
  if (model) {
    out = wrap(model, r.registry, types, &diag);
  } else {
    hk_registry_destroy(r.registry);
    out = hkpy_raise(HK_EINPUT, NULL, &diag, NULL);
  }
  hk_diag_free(&diag);
  return out;
}

static int traverse(PyObject *self, visitproc visit, void *arg) {
  const hkpy_model *m = (const hkpy_model *)self;
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(m->types);
  Py_VISIT(m->messages);
  Py_VISIT(m->index);
  return 0;
}

static void destroy(PyObject *self) {
  hkpy_model *m = (hkpy_model *)self;
  PyTypeObject *type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  hk_model_destroy(m->model);
  hk_registry_destroy(m->registry);
  Py_XDECREF(m->types);
  Py_XDECREF(m->messages);
  Py_XDECREF(m->index);
  PyObject_GC_Del(self);
  Py_DECREF(type);
}

hkpy_model *hkpy_as_model(PyObject *object) {
  if (Py_TYPE(object) == hkpy_model_type) return (hkpy_model *)object;
  PyErr_SetString(PyExc_TypeError, "a compiled model is needed");
  return NULL;
}

/* ---- channels ---- */

int hkpy_channel_index(hkpy_model *m, PyObject *key, PyObject *wrong) {
  if (PyUnicode_Check(key)) {
    PyObject *number = PyDict_GetItemWithError(m->index, key);
    if (number) return (int)PyLong_AsLong(number);
    const char *name = PyErr_Occurred() ? NULL : hkpy_utf8(key);
    if (name) hkpy_no_such(wrong, "channel", key, PyDict_Keys(m->index));
    return -1;
  }
  long i = PyLong_AsLong(key);
  if (i == -1 && PyErr_Occurred()) return -1;
  if (i >= 0 && i < hk_model_channel_count(m->model)) return (int)i;
  PyErr_Format(PyExc_IndexError, "the model has channels 0 to %d, not %ld",
               hk_model_channel_count(m->model) - 1, i);
  return -1;
}

static PyObject *channels(PyObject *self, PyObject *unused) {
  const hk_model *m = ((hkpy_model *)self)->model;
  PyObject *list = PyList_New(0);
  for (int i = 0; list && i < hk_model_channel_count(m); i++) {
    PyObject *c = Py_BuildValue("(sssi)", hk_model_channel_name(m, i), hk_model_channel_unit(m, i),
                                hk_model_channel_doc(m, i), hk_model_channel_rank(m, i));
    if (!c || PyList_Append(list, c)) Py_CLEAR(list);
    Py_XDECREF(c);
  }
  return list;
}

/* reads(path): the input file of the model that `path` names, or None. */
static PyObject *reads(PyObject *self, PyObject *arg) {
  const char *path = hkpy_utf8(arg);
  const char *name = path ? hk_model_reads(((hkpy_model *)self)->model, path) : NULL;
  if (!path) return NULL;
  return name ? hkpy_text(name) : Py_NewRef(Py_None);
}

static PyObject *find(PyObject *self, PyObject *key) {
  int i = hkpy_channel_index((hkpy_model *)self, key, hkpy_input_error);
  return i < 0 ? NULL : PyLong_FromLong(i);
}

static PyObject *parameters(PyObject *self, PyObject *unused) {
  const hk_model *m = ((hkpy_model *)self)->model;
  PyObject *list = PyList_New(0);
  for (int i = 0; list && i < hk_model_parameter_count(m); i++) {
    hk_parameter p;
    PyObject *entry = hk_model_parameter(m, i, &p)
                          ? NULL
                          : Py_BuildValue("(sdss)", p.name, p.value, p.unit, p.text);
    if (!entry || PyList_Append(list, entry)) Py_CLEAR(list);
    Py_XDECREF(entry);
  }
  return list;
}

static PyObject *inputs(PyObject *self, PyObject *unused) {
  const hk_model *m = ((hkpy_model *)self)->model;
  PyObject *list = PyList_New(0);
  for (int i = 0; list && i < hk_model_input_count(m); i++) {
    PyObject *entry = Py_BuildValue("(ss)", hk_model_input_name(m, i), hk_model_input_unit(m, i));
    if (!entry || PyList_Append(list, entry)) Py_CLEAR(list);
    Py_XDECREF(entry);
  }
  return list;
}

/* ---- items, read back ---- */

static hk_category category_of(const char *section) {
  for (int c = 0; c < HK_N_CATEGORIES; c++)
    if (strcmp(hk_category_section((hk_category)c), section) == 0) return (hk_category)c;
  PyErr_Format(PyExc_KeyError, "there is no section '%s'", section);
  return HK_N_CATEGORIES;
}

/* items(section): list of (name, type), without the parts of composite joints. */
static PyObject *items(PyObject *self, PyObject *arg) {
  const char *section = hkpy_utf8(arg);
  hk_category c = section ? category_of(section) : HK_N_CATEGORIES;
  if (c == HK_N_CATEGORIES) return NULL;
  hk_spec *spec = hk_model_spec(((hkpy_model *)self)->model);
  if (!spec) return PyErr_NoMemory();
  PyObject *list = PyList_New(0);
  for (int i = 0; list && i < hk_spec_count(spec, c); i++) {
    const hk_item *item = hk_spec_at(spec, c, i);
    PyObject *entry = Py_BuildValue("(ss)", hk_item_name(item), hk_item_type_name(item));
    if (!entry || PyList_Append(list, entry)) Py_CLEAR(list);
    Py_XDECREF(entry);
  }
  hk_spec_destroy(spec);
  return list;
}

static PyObject *value_of(const hk_item *item, const char *param) {
  enum { MOST = 4096 };
  int size = hk_item_get(item, param, NULL, 0), n = hk_item_get_reals(item, param, NULL, 0);
  char *text = size < 0 ? NULL : malloc((size_t)size + 1);
  double *number = malloc(((size_t)(n > 0 ? n : 0) + 1) * sizeof *number);
  PyObject *out = NULL;
  if (size < 0) {
    PyErr_Format(PyExc_AttributeError, "'%s' of type %s has no parameter '%s'", hk_item_name(item),
                 hk_item_type_name(item), param);
  } else if (!text || !number) {
    PyErr_NoMemory();
  } else {
    hk_item_get(item, param, text, (size_t)size + 1);
    hk_item_get_reals(item, param, number, n > 0 ? n : 0);
    PyObject *numbers = n < 0 ? Py_NewRef(Py_None) : hkpy_reals(number, n);
    PyObject *words = hkpy_text(text);
    if (numbers && words)
      out = Py_BuildValue("(OOO)", words, numbers, hk_item_has(item, param) ? Py_True : Py_False);
    Py_XDECREF(numbers);
    Py_XDECREF(words);
  }
  free(text);
  free(number);
  return out;
}

/* value(section, name, parameter): (text, list of SI numbers or None, whether it was given). */
static PyObject *value(PyObject *self, PyObject *args) {
  const char *section, *name, *param;
  if (!PyArg_ParseTuple(args, "sss", &section, &name, &param)) return NULL;
  hk_category c = category_of(section);
  if (c == HK_N_CATEGORIES) return NULL;
  hk_spec *spec = hk_model_spec(((hkpy_model *)self)->model);
  if (!spec) return PyErr_NoMemory();
  const hk_item *item = hk_spec_find(spec, c, name);
  if (!item && c == HK_ANALYSIS) item = hk_spec_at(spec, c, 0);
  PyObject *out = NULL;
  if (item)
    out = value_of(item, param);
  else
    PyErr_Format(PyExc_KeyError, "%s has no '%s'", section, name);
  hk_spec_destroy(spec);
  return out;
}

/* ---- the type ---- */

static PyObject *get_title(PyObject *self, void *unused) {
  return hkpy_text(hk_model_title(((hkpy_model *)self)->model));
}
static PyObject *get_messages(PyObject *self, void *unused) {
  return Py_NewRef(((hkpy_model *)self)->messages);
}
static PyObject *get_sizes(PyObject *self, void *unused) {
  const hk_model *m = ((hkpy_model *)self)->model;
  return Py_BuildValue("{s:i,s:i,s:i,s:i,s:i}", "bodies", hk_model_body_count(m), "positions",
                       hk_model_position_count(m), "velocities", hk_model_velocity_count(m),
                       "constraints", hk_model_constraint_count(m), "channels",
                       hk_model_channel_count(m));
}

static PyGetSetDef getset[] = {
    {"title", get_title, NULL, "title of the model", NULL},
    {"messages", get_messages, NULL, "warnings and notes: list of hooke.Message", NULL},
    {"sizes", get_sizes, NULL, "numbers of bodies, coordinates, constraints, channels", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef methods[] = {
    {"channels", channels, METH_NOARGS, "List of (name, unit, doc, rank)."},
    {"reads", reads, METH_O, "The input file of the model that a path names, or None."},
    {"find", find, METH_O, "Number of a channel by its name."},
    {"parameters", parameters, METH_NOARGS, "List of (name, SI value, unit, text)."},
    {"inputs", inputs, METH_NOARGS, "List of (name, unit)."},
    {"items", items, METH_O, "items(section): list of (name, type)."},
    {"value", value, METH_VARARGS,
     "value(section, name, parameter): (text, SI numbers or None, given)."},
    {NULL, NULL, 0, NULL}};

static PyType_Slot slots[] = {
    {Py_tp_doc, "A compiled model: it never changes and may be shared by threads."},
    {Py_tp_dealloc, destroy},
    {Py_tp_traverse, traverse},
    {Py_tp_getset, getset},
    {Py_tp_methods, methods},
    {0, NULL}};
static PyType_Spec spec = {"hooke.Compiled", sizeof(hkpy_model), 0, HKPY_FLAGS, slots};

static PyMethodDef functions[] = {
    {"compile", compile_model, METH_VARARGS,
     "compile(name, text or None, [(path, value)], types, plugins, allow): a compiled model."},
    {NULL, NULL, 0, NULL}};

bool hkpy_model_init(PyObject *module) {
  return hkpy_add_type(module, &spec, &hkpy_model_type) && hkpy_add_functions(module, functions);
}
