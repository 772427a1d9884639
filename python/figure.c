/* Figures as SVG and pages of results as HTML. */
#include "module.h"
#include <stdlib.h>

/* One curve: buffers of x and y. */
typedef struct curve {
  Py_buffer x, y;
  bool has_x, has_y;
} curve;

typedef struct drawing {
  curve *curve;
  hk_plot_series *series;
  hk_plot_panel *panel;
  int n_curves, n_panels;
} drawing;

static void drawing_free(drawing *d) {
  for (int i = 0; i < d->n_curves; i++) {
    if (d->curve[i].has_x) PyBuffer_Release(&d->curve[i].x);
    if (d->curve[i].has_y) PyBuffer_Release(&d->curve[i].y);
  }
  free(d->curve);
  free(d->series);
  free(d->panel);
}

static bool numbers(PyObject *object, Py_buffer *view) {
  if (PyObject_GetBuffer(object, view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT)) return false;
  if (view->itemsize == sizeof(double) && view->format && view->format[0] == 'd' &&
      !view->format[1])
    return true;
  PyBuffer_Release(view);
  PyErr_SetString(PyExc_TypeError, "a curve is drawn of channels or arrays of floats");
  return false;
}

/* (x, y, name or None, dots, dashed) */
static bool add_curve(drawing *d, PyObject *tuple) {
  PyObject *x, *y;
  const char *name;
  int dots, dashed;
  curve *c = &d->curve[d->n_curves];
  if (!PyArg_ParseTuple(tuple, "OOzpp", &x, &y, &name, &dots, &dashed)) return false;
  d->n_curves++;
  if (!(c->has_x = numbers(x, &c->x)) || !(c->has_y = numbers(y, &c->y))) return false;
  if (c->x.len != c->y.len) {
    PyErr_SetString(PyExc_ValueError, "the two arrays of a curve differ in length");
    return false;
  }
  d->series[d->n_curves - 1] = (hk_plot_series){.name = name,
                                                .x = c->x.buf,
                                                .y = c->y.buf,
                                                .n = c->x.len / (Py_ssize_t)sizeof(double),
                                                .line = dots     ? HK_LINE_NONE
                                                        : dashed ? HK_LINE_DASHED
                                                                 : HK_LINE_SOLID,
                                                .marker = dots ? HK_MARKER_DOT : HK_MARKER_NONE};
  return true;
}

/* (x label, x unit, y label or None, y unit, log x, log y, tight, [curves]) */
static bool add_panel(drawing *d, PyObject *tuple, int room) {
  PyObject *curves;
  int log_x, log_y, tight;
  hk_plot_panel *p = &d->panel[d->n_panels];
  if (!PyArg_ParseTuple(tuple, "zzzzpppO", &p->x.label, &p->x.unit, &p->y.label, &p->y.unit, &log_x,
                        &log_y, &tight, &curves))
    return false;
  p->x.log = log_x, p->y.log = log_y, p->x.tight = tight;
  p->series = &d->series[d->n_curves];
  p->n_series = (int)PyTuple_Size(curves);
  if (d->n_curves + p->n_series > room) return false;
  for (int i = 0; i < p->n_series; i++)
    if (!add_curve(d, PyTuple_GetItem(curves, i))) return false;
  d->n_panels++;
  return true;
}

/* plot(title or None, subtitle or None, (panels), columns): SVG. */
static PyObject *plot(PyObject *module, PyObject *args) {
  hk_plot_figure f = {.share_x = true};
  PyObject *panels, *out = NULL;
  drawing d = {0};
  hk_error err = {0};
  int room = 0;
  if (!PyArg_ParseTuple(args, "zzO!i", &f.title, &f.subtitle, &PyTuple_Type, &panels, &f.columns))
    return NULL;
  for (Py_ssize_t i = 0; i < PyTuple_Size(panels); i++) {
    PyObject *p = PyTuple_GetItem(panels, i);
    PyObject *curves = PyTuple_Check(p) && PyTuple_Size(p) == 8 ? PyTuple_GetItem(p, 7) : NULL;
    if (!curves || !PyTuple_Check(curves)) {
      PyErr_SetString(PyExc_TypeError, "a panel is a tuple that ends in a tuple of curves");
      return NULL;
    }
    room += (int)PyTuple_Size(curves);
  }
  d.curve = calloc((size_t)room + 1, sizeof *d.curve);
  d.series = calloc((size_t)room + 1, sizeof *d.series);
  d.panel = calloc((size_t)PyTuple_Size(panels) + 1, sizeof *d.panel);
  bool done = d.curve && d.series && d.panel;
  if (!done) PyErr_NoMemory();
  for (Py_ssize_t i = 0; i < PyTuple_Size(panels) && done; i++)
    done = add_panel(&d, PyTuple_GetItem(panels, i), room);
  if (done) {
    char *svg = NULL;
    f.panel = d.panel;
    f.n_panels = d.n_panels;
    hk_status status = hk_plot_text(&f, &svg, &err);
    out = status ? hkpy_raise(status, &err, NULL, NULL) : hkpy_text(svg);
    free(svg);
  }
  drawing_free(&d);
  return out;
}

/* report((paths), full or None): HTML. */
static PyObject *report(PyObject *module, PyObject *args) {
  PyObject *paths, *out = NULL;
  const char *full;
  hk_results *run[HK_REPORT_MAX_RUNS] = {0};
  hk_error err = {0};
  char *html = NULL;
  size_t length = 0;
  hk_status status = HK_OK;
  if (!PyArg_ParseTuple(args, "O!z", &PyTuple_Type, &paths, &full)) return NULL;
  Py_ssize_t n = PyTuple_Size(paths);
  if (n < 1 || n > HK_REPORT_MAX_RUNS)
    return PyErr_Format(hkpy_input_error, "a page shows 1 to %d results", HK_REPORT_MAX_RUNS);
  for (Py_ssize_t i = 0; i < n && !status; i++) {
    const char *path = hkpy_utf8(PyTuple_GetItem(paths, i));
    status = path ? hk_results_open(path, &run[i], &err) : HK_EINPUT;
  }
  PyThreadState *thread = PyEval_SaveThread();
  if (!status) status = hk_report_text(run, (int)n, full, &html, &length, &err);
  PyEval_RestoreThread(thread);
  if (status)
    hkpy_raise(status, &err, NULL, NULL);
  else
    out = PyUnicode_DecodeUTF8(html, (Py_ssize_t)length, "replace");
  free(html);
  for (Py_ssize_t i = 0; i < n; i++) hk_results_destroy(run[i]);
  return out;
}

static PyMethodDef functions[] = {
    {"plot", plot, METH_VARARGS, "plot(title, subtitle, panels, columns): a figure as SVG."},
    {"report", report, METH_VARARGS, "report(paths, full): results files as one HTML page."},
    {NULL, NULL, 0, NULL}};

bool hkpy_figure_init(PyObject *module) { return hkpy_add_functions(module, functions); }
