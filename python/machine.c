/* Gear pairs, rolling bearings, and orbits (Poincare sections). */
#include "module.h"
#include <math.h>
#include <stdlib.h>

static PyObject *range_of(const hk_range *r) {
  return Py_BuildValue("{s:d,s:d,s:d}", "mean", r->mean, "least", r->least, "most", r->most);
}

static PyObject *gear_of(const hk_gear_solution *s) {
  const double *const pitch[] = {s->way,     s->error_at,    s->stiffness_at, s->damping_at,
                                 s->film_at, s->pressure_at, s->pairs_at};
  static const char *const pitch_name[] = {"way",  "transmission_error", "stiffness", "damping",
                                           "film", "pressure",           "pairs"};
  const double *const path[] = {s->path_way,     s->path_share,   s->path_film,  s->path_pressure,
                                s->path_sliding, s->path_rolling, s->path_radius};
  static const char *const path_name[] = {"way",     "share",   "film",  "pressure",
                                          "sliding", "rolling", "radius"};
  PyObject *over_pitch = PyDict_New(), *over_path = PyDict_New();
  bool done = over_pitch && over_path;
  for (int k = 0; k < 7 && done; k++)
    done = hkpy_set(over_pitch, pitch_name[k], hkpy_reals(pitch[k], s->n)) &&
           hkpy_set(over_path, path_name[k], hkpy_reals(path[k], s->n_path));
  PyObject *d = NULL;
  if (done)
    d = Py_BuildValue(
        "{s:s,s:d,s:d,s:d,s:d,s:d,s:d,s:d,s:d,s:d,s:d,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:d,s:d,s:d,s:O,"
        "s:O}",
        "pair", s->name, "torque", s->torque, "speed", s->speed, "load", s->load, "center_distance",
        s->center_distance, "base_pitch", s->base_pitch, "backlash", s->backlash,
        "working_pressure_angle", s->working_pressure_angle, "contact_ratio", s->contact_ratio,
        "transverse_contact_ratio", s->transverse_ratio, "overlap_ratio", s->overlap_ratio,
        "transmission_error", range_of(&s->transmission_error), "stiffness",
        range_of(&s->stiffness), "damping", range_of(&s->damping), "film", range_of(&s->film),
        "pressure", range_of(&s->pressure), "pairs", range_of(&s->pairs), "orders",
        hkpy_reals(s->order, HK_GEAR_SOLUTION_ORDERS), "sliding_max", s->sliding_max,
        "friction_loss", s->friction_loss, "roughness", s->roughness, "pitch", over_pitch, "path",
        over_path);
  Py_XDECREF(over_pitch);
  Py_XDECREF(over_path);
  return d;
}

/* gear(model, name or None, torque, speed, points): dict; 0: value of the pair in the model. */
static PyObject *gear(PyObject *module, PyObject *args) {
  PyObject *object;
  const char *name;
  hk_gear_options o = {.size = sizeof o};
  hk_gear_solution s;
  hk_error err = {0};
  if (!PyArg_ParseTuple(args, "Ozddi", &object, &name, &o.torque, &o.speed, &o.points)) return NULL;
  hkpy_model *m = hkpy_as_model(object);
  if (!m) return NULL;
  PyThreadState *thread = PyEval_SaveThread();
  hk_status status = hk_gear_solve(m->model, name, &o, &s, &err);
  PyEval_RestoreThread(thread);
  if (status) return hkpy_raise(status, &err, NULL, m->model);
  PyObject *d = gear_of(&s);
  hk_gear_solution_free(&s);
  return d;
}

static PyObject *elements_of(const hk_bearing_solution *s) {
  PyObject *list = PyList_New(0);
  for (int i = 0; list && i < s->n_elements; i++) {
    const hk_bearing_element_load *e = &s->elements[i];
    PyObject *entry = Py_BuildValue("{s:i,s:(dd),s:(dd),s:(dd),s:(dd),s:N}", "row", e->row, "load",
                                    e->load[0], e->load[1], "angle", e->angle[0], e->angle[1],
                                    "pressure", e->pressure[0], e->pressure[1], "film", e->film[0],
                                    e->film[1], "truncated", PyBool_FromLong(e->truncated));
    if (!entry || PyList_Append(list, entry)) Py_CLEAR(list);
    Py_XDECREF(entry);
  }
  return list;
}

/* bearing(model, name or None, (fx, fy, fz), (mx, my), (tilt x, tilt y), speed, cage, cage speed, free_tilt): dict;
 * NaN: value of the bearing in the model. */
static PyObject *bearing(PyObject *module, PyObject *args) {
  PyObject *object, *d;
  const char *name;
  hk_bearing_options o;
  hk_bearing_solution s;
  hk_error err = {0};
  int tilts;
  hk_bearing_options_init(&o);
  if (!PyArg_ParseTuple(args, "Oz(ddd)(dd)(dd)dddp", &object, &name, &o.force[0], &o.force[1],
                        &o.force[2], &o.moment[0], &o.moment[1], &o.tilt[0], &o.tilt[1], &o.speed,
                        &o.cage, &o.cage_speed, &tilts))
    return NULL;
  o.free_tilt = tilts;
  hkpy_model *m = hkpy_as_model(object);
  if (!m) return NULL;
  PyThreadState *thread = PyEval_SaveThread();
  hk_status status = hk_bearing_solve(m->model, name, &o, &s, &err);
  PyEval_RestoreThread(thread);
  if (status) return hkpy_raise(status, &err, NULL, m->model);
  d = Py_BuildValue("{s:s,s:N,s:d,s:d,s:d,s:N,s:N,s:{s:d,s:d,s:d,s:d},s:d,s:d,s:N}", "bearing",
                    s.name, "load", hkpy_reals(s.load, 6), "speed", s.speed, "clearance",
                    s.clearance, "preload_displacement", s.preload_displacement, "displacement",
                    hkpy_reals(s.displacement, 6), "stiffness",
                    hkpy_matrix(&s.stiffness[0][0], 6, 6), "frequencies", "cage", s.cage, "outer",
                    s.outer, "inner", s.inner, "element", s.element, "film_min", s.film_min,
                    "roughness", s.roughness, "elements", elements_of(&s));
  if (d && s.L10r > 0 &&
      !hkpy_set(
          d, "life",
          Py_BuildValue("{s:d,s:d,s:d,s:d,s:d}", "L10r", s.L10r, "L10r_aligned", s.L10r_aligned,
                        "L10mr", s.L10mr, "a_iso", s.a_iso, "reference_load", s.reference_load)))
    Py_CLEAR(d);
  hk_bearing_solution_free(&s);
  return d;
}

/* ---- orbits ---- */

static bool go_on(void *watch) { return hkpy_watch_check(watch, "sections", NAN, NAN, 0); }

static PyObject *orbit_of(const hk_orbit *o) {
  PyObject *d = Py_BuildValue("{s:N,s:N,s:N,s:i,s:d,s:i}", "time", hkpy_reals(o->time, o->n),
                              "points", hkpy_matrix(o->point, o->n, o->n_channels), "extent",
                              hkpy_reals(o->extent, o->n_channels), "period", o->repeat.period,
                              "error", o->repeat.error, "distinct", o->repeat.distinct);
  const hk_exponent *e = &o->exponent;
  if (d && e->sections &&
      !hkpy_set(d, "lyapunov",
                Py_BuildValue("{s:d,s:d,s:d,s:d,s:i}", "per_section", e->per_section, "per_second",
                              e->per_second, "error", e->error, "second_half", e->second_half,
                              "merged", e->merged)))
    Py_CLEAR(d);
  return d;
}

/* orbit(model, channels, period, phase, event channel or None, value, modulo, direction, wait, skip, points,
 * lyapunov, wrap, progress, cancel): dict. */
static PyObject *orbit(PyObject *module, PyObject *args) {
  PyObject *object, *names, *event, *wraps, *progress, *cancel, *out = NULL;
  hk_orbit_options o = {.size = sizeof o, .go_on = go_on};
  hk_section *s = &o.section;
  hk_orbit result = {0};
  hk_error err = {0};
  hk_diag diag;
  hkpy_watch watch;
  int lyapunov;
  if (!PyArg_ParseTuple(args, "OOddOddidiipOOO", &object, &names, &s->period, &s->phase, &event,
                        &s->value, &s->modulo, &s->direction, &s->wait, &o.skip, &o.points,
                        &lyapunov, &wraps, &progress, &cancel))
    return NULL;
  hkpy_model *m = hkpy_as_model(object);
  Py_ssize_t n = 0;
  int *channel = m ? hkpy_channels(m->model, names, &n) : NULL;
  bool *wrap = channel ? calloc((size_t)n + 1, sizeof *wrap) : NULL;
  if (channel && !wrap) PyErr_NoMemory();
  for (Py_ssize_t i = 0; wrap && i < n; i++) {
    PyObject *name = PySequence_GetItem(names, i);
    wrap[i] = name && PySequence_Contains(wraps, name) == 1;
    Py_XDECREF(name);
  }
  if (wrap && event != Py_None) s->channel = hkpy_channel_index(m, event, hkpy_input_error);
  if (wrap && !PyErr_Occurred()) {
    o.channel = channel;
    o.n_channels = (int)n;
    o.wrap = wrap;
    o.lyapunov = lyapunov;
    o.context = &watch;
    hk_diag_init(&diag);
    hkpy_watch_begin(&watch, progress, cancel);
    hk_status status = hk_orbit_run(m->model, &o, &result, &diag, &err);
    if (hkpy_watch_end(&watch))
      out = status < 0 ? hkpy_raise(status, &err, diag.n_errors ? &diag : NULL, m->model)
                       : orbit_of(&result);
    hk_orbit_free(&result);
    hk_diag_free(&diag);
  }
  free(wrap);
  free(channel);
  return out;
}

static PyMethodDef functions[] = {
    {"gear", gear, METH_VARARGS, "gear(model, name, torque, speed, points): a dict."},
    {"bearing", bearing, METH_VARARGS,
     "bearing(model, name, force, moment, tilt, speed, cage, cage speed, free_tilt): a dict."},
    {"orbit", orbit, METH_VARARGS,
     "orbit(model, channels, period, phase, event, value, modulo, direction, wait, skip, points, "
     "lyapunov, wrap, progress, cancel)."},
    {NULL, NULL, 0, NULL}};

bool hkpy_machine_init(PyObject *module) { return hkpy_add_functions(module, functions); }
