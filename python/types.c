/* Tables of types, their parameters and units; the Python side uses them to check names, ranges and units. */
#include "module.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const KIND[] = {[HK_PARAM_REAL] = "number",
                                   [HK_PARAM_INT] = "integer",
                                   [HK_PARAM_BOOL] = "boolean",
                                   [HK_PARAM_ENUM] = "choice",
                                   [HK_PARAM_STRING] = "text",
                                   [HK_PARAM_VEC3] = "vector",
                                   [HK_PARAM_DIRECTION] = "direction",
                                   [HK_PARAM_ROTATION] = "rotation",
                                   [HK_PARAM_INERTIA] = "inertia",
                                   [HK_PARAM_REALS] = "numbers",
                                   [HK_PARAM_FRAME] = "frame",
                                   [HK_PARAM_JOINT] = "joint",
                                   [HK_PARAM_LAW] = "law",
                                   [HK_PARAM_COORDINATE] = "coordinate",
                                   [HK_PARAM_CHANNEL] = "channel",
                                   [HK_PARAM_EXPR] = "expression",
                                   [HK_PARAM_EXPR3] = "expressions",
                                   [HK_PARAM_TERMS] = "terms",
                                   [HK_PARAM_POINTS] = "points",
                                   [HK_PARAM_STEPPER] = "stepper"};

/* The types of the library, shared by all threads and never changed. */
static hk_registry *library;

static PyObject *choices_of(const hk_param *p) {
  PyObject *list = PyList_New(0);
  for (int i = 0; list && p->choices && p->choices[i]; i++) {
    PyObject *text = hkpy_text(p->choices[i]);
    if (!text || PyList_Append(list, text)) Py_CLEAR(list);
    Py_XDECREF(text);
  }
  return list;
}

static PyObject *parameter(const hk_type *type, const hk_param *p) {
  PyObject *choices = choices_of(p), *d = choices ? PyDict_New() : NULL;
  const bool limited = p->min != 0 || p->max != 0;
  const hk_group *group = hk_type_group(type, p);
  const bool any = p->flags & HK_ANY_UNIT;
  bool done =
      d && hkpy_set(d, "name", hkpy_text(p->name)) &&
      hkpy_set(d, "kind", hkpy_text(KIND[p->kind])) &&
      hkpy_set(d, "unit", hkpy_text(p->unit ? p->unit : "1")) &&
      hkpy_set(d, "angular_unit",
               p->angular_unit ? hkpy_text(p->angular_unit) : Py_NewRef(Py_None)) &&
      hkpy_set(d, "doc", hkpy_text(p->doc)) &&
      hkpy_set(d, "required", PyBool_FromLong(p->flags & HK_REQUIRED)) &&
      hkpy_set(d, "positive", PyBool_FromLong((p->flags & HK_POSITIVE) != 0)) &&
      hkpy_set(d, "any_unit", PyBool_FromLong(any)) &&
      hkpy_set(d, "min",
               limited && isfinite(p->min) ? PyFloat_FromDouble(p->min) : Py_NewRef(Py_None)) &&
      hkpy_set(d, "max",
               limited && isfinite(p->max) ? PyFloat_FromDouble(p->max) : Py_NewRef(Py_None)) &&
      hkpy_set(d, "group", group ? hkpy_text(group->name) : Py_NewRef(Py_None)) &&
      hkpy_set(d, "suffix", group ? hkpy_text(group->suffix) : Py_NewRef(Py_None)) &&
      hkpy_set(d, "choices", Py_NewRef(choices));
  Py_XDECREF(choices);
  if (!done) Py_CLEAR(d);
  return d;
}

/* Returns the table of a type of any registry; callback.c uses this function for types written
 * in Python. */
static PyObject *table(const hk_type *type) {
  PyObject *params = PyList_New(0), *d = NULL;
  for (int i = 0; params && i < hk_type_param_count(type); i++) {
    PyObject *p = parameter(type, hk_type_param(type, i));
    if (!p || PyList_Append(params, p)) Py_CLEAR(params);
    Py_XDECREF(p);
  }
  if (params) d = PyDict_New();
  bool done = d && hkpy_set(d, "name", hkpy_text(type->name)) &&
              hkpy_set(d, "section", hkpy_text(hk_category_section(type->category))) &&
              hkpy_set(d, "category", hkpy_text(hk_category_name(type->category))) &&
              hkpy_set(d, "doc", hkpy_text(type->doc)) &&
              hkpy_set(d, "source", hkpy_text(type->source)) &&
              hkpy_set(d, "in_programs_only", PyBool_FromLong(type->in_programs_only)) &&
              hkpy_set(d, "parameters", Py_NewRef(params));
  Py_XDECREF(params);
  if (!done) Py_CLEAR(d);
  return d;
}

/* type_names(section): names of the library's types. */
static PyObject *type_names(PyObject *module, PyObject *arg) {
  const char *section = hkpy_utf8(arg);
  if (!section) return NULL;
  PyObject *list = PyList_New(0);
  for (int c = 0; list && c < HK_N_CATEGORIES; c++) {
    if (strcmp(hk_category_section((hk_category)c), section) != 0) continue;
    for (int i = 0; list && i < hk_registry_count(library, (hk_category)c); i++) {
      PyObject *name = hkpy_text(hk_registry_at(library, (hk_category)c, i)->name);
      if (!name || PyList_Append(list, name)) Py_CLEAR(list);
      Py_XDECREF(name);
    }
  }
  return list;
}

/* type_table(section, name): its table as a dict; None: there is no such type. */
static PyObject *type_table(PyObject *module, PyObject *args) {
  const char *section, *name;
  if (!PyArg_ParseTuple(args, "ss", &section, &name)) return NULL;
  for (int c = 0; c < HK_N_CATEGORIES; c++) {
    if (strcmp(hk_category_section((hk_category)c), section) != 0) continue;
    const hk_type *type = hk_registry_find(library, (hk_category)c, name);
    if (type) return table(type);
  }
  return Py_NewRef(Py_None);
}

/* sections(): list of (section, category, default type or None). */
static PyObject *sections(PyObject *module, PyObject *unused) {
  PyObject *list = PyList_New(0);
  for (int c = 0; list && c < HK_N_CATEGORIES; c++) {
    PyObject *entry =
        Py_BuildValue("(ssz)", hk_category_section((hk_category)c),
                      hk_category_name((hk_category)c), hk_category_default_type((hk_category)c));
    if (!entry || PyList_Append(list, entry)) Py_CLEAR(list);
    Py_XDECREF(entry);
  }
  return list;
}

/* ---- units ---- */

static bool parse(const char *text, hk_unit *unit) {
  hk_error err = {0};
  hk_status status = hk_unit_parse(text, strlen(text), unit, &err);
  if (status) hkpy_raise(status, &err, NULL, NULL);
  return !status;
}

/* unit_text(unit): the unit as written after a number in a model file. */
static PyObject *unit_text(PyObject *module, PyObject *arg) {
  const char *text = hkpy_utf8(arg);
  hk_unit unit;
  char out[160];
  if (!text || !parse(text, &unit)) return NULL;
  hk_dim_format(unit.dim, out, sizeof out);
  return hkpy_text(out);
}

/* convert(number, from, to) */
static PyObject *convert(PyObject *module, PyObject *args) {
  double x;
  const char *from, *to;
  hk_unit a, b;
  if (!PyArg_ParseTuple(args, "dss", &x, &from, &to) || !parse(from, &a) || !parse(to, &b))
    return NULL;
  if (!hk_dim_matches(a.dim, b.dim))
    return PyErr_Format(hkpy_input_error, "a quantity in %s cannot be given in %s", from, to);
  return PyFloat_FromDouble(hk_unit_from_si(&b, hk_unit_to_si(&a, x)));
}

/* quantity(text): (SI value, unit). */
static PyObject *quantity(PyObject *module, PyObject *arg) {
  const char *text = hkpy_utf8(arg);
  double si;
  hk_dim dim;
  hk_error err = {0};
  char unit[160];
  if (!text) return NULL;
  hk_status status = hk_quantity_parse(text, &si, &dim, &err);
  if (status) return hkpy_raise(status, &err, NULL, NULL);
  hk_dim_format(dim, unit, sizeof unit);
  return Py_BuildValue("(ds)", si, unit);
}

/* quantity_as(text, unit): SI value of a quantity that must be of the kind of a unit. */
static PyObject *quantity_as(PyObject *module, PyObject *args) {
  const char *text, *unit;
  double si;
  hk_error err = {0};
  if (!PyArg_ParseTuple(args, "ss", &text, &unit)) return NULL;
  hk_status status = hk_quantity_parse_as(text, unit, &si, &err);
  return status ? hkpy_raise(status, &err, NULL, NULL) : PyFloat_FromDouble(si);
}

static PyMethodDef functions[] = {
    {"sections", sections, METH_NOARGS, "List of (section, category, default type or None)."},
    {"type_names", type_names, METH_O, "type_names(section): names of its types."},
    {"type_table", type_table, METH_VARARGS,
     "type_table(section, name): the table of a type, or None."},
    {"unit_text", unit_text, METH_O, "unit_text(unit): the SI unit as a model file writes it."},
    {"convert", convert, METH_VARARGS, "convert(number, from, to): a number in another unit."},
    {"quantity", quantity, METH_O, "quantity(text): (SI value, unit)."},
    {"quantity_as", quantity_as, METH_VARARGS, "quantity_as(text, unit): SI value."},
    {NULL, NULL, 0, NULL}};

bool hkpy_types_init(PyObject *module) {
  library = hk_registry_create();
  if (!library) {
    PyErr_NoMemory();
    return false;
  }
  return hkpy_add_functions(module, functions);
}
