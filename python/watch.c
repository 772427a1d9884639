/* Long operations: Ctrl-C, cancel and progress while the interpreter's lock is released. */
#include "module.h"
#include <time.h>

static const double CHECK_INTERVAL = 0.02, PROGRESS_INTERVAL = 0.1; /* [s] */

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void hkpy_watch_begin(hkpy_watch *w, PyObject *progress, PyObject *cancel) {
  *w = (hkpy_watch){.progress = progress == Py_None ? NULL : progress,
                    .cancel = cancel == Py_None ? NULL : cancel,
                    .checked = seconds()};
  hkpy_callback_begin();
  w->thread = PyEval_SaveThread();
}

bool hkpy_watch_end(hkpy_watch *w) {
  if (w->thread) PyEval_RestoreThread(w->thread);
  w->thread = NULL;
  return !hkpy_callback_raised() && !w->raised;
}

/* With the lock held.  False: stop. */
static bool ask(hkpy_watch *w, const char *what, double done, double time, long count, double now) {
  if (PyErr_CheckSignals()) return false;
  if (w->cancel) {
    PyObject *set = PyObject_CallMethod(w->cancel, "is_set", NULL);
    int stop = set ? PyObject_IsTrue(set) : -1;
    Py_XDECREF(set);
    if (stop) return false;
  }
  if (!w->progress || now - w->told < PROGRESS_INTERVAL) return true;
  w->told = now;
  PyObject *answer = PyObject_CallFunction(w->progress, "sddl", what, done, time, count);
  /* None, the result of a function without a return statement, means continue. NumPy's False is
   * another object than False, so its truth value is tested. */
  bool go_on = answer && (answer == Py_None || PyObject_IsTrue(answer) == 1);
  Py_XDECREF(answer);
  return go_on;
}

bool hkpy_watch_check(hkpy_watch *w, const char *what, double done, double time, long count) {
  double now = seconds();
  if (w->raised) return false;
  if (!w->thread || now - w->checked < CHECK_INTERVAL) return true;
  w->checked = now;
  PyEval_RestoreThread(w->thread);
  bool go_on = ask(w, what, done, time, count, now);
  if (PyErr_Occurred()) w->raised = true;
  w->thread = PyEval_SaveThread();
  return go_on;
}

bool hkpy_watch_progress(void *watch, const hk_progress *now) {
  return hkpy_watch_check(watch, now->what ? now->what : "", now->done, now->time, now->count);
}
