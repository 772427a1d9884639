/* Private declarations that the files of simulations and recordings share. */
#ifndef HKPY_SIMULATION_H
#define HKPY_SIMULATION_H
#include "module.h"

typedef struct hkpy_simulation {
  PyObject_HEAD hkpy_model *model;
  hk_sim *sim;
  hkpy_watch watch; /* state of the present operation; the options of sim point to it */
  bool busy;
} hkpy_simulation;

/* Returns false, with an exception, if another thread uses the simulation, or if this call is
 * made by a function that the simulation called. */
bool hkpy_sim_enter(hkpy_simulation *s);
/* Between these two calls the library may call Python functions, with the interpreter's lock.
 * hkpy_sim_release returns false if one of these functions has raised an exception, which is
 * set. */
bool hkpy_sim_hold(hkpy_simulation *s);
bool hkpy_sim_release(hkpy_simulation *s);

/* A recording of channels (None: all) of a simulation (recorder.c). */
PyObject *hkpy_recorder(hkpy_simulation *s, PyObject *names);
#endif
