/* The module hooke._hooke: the functions and objects used by the package hooke. */
#include "module.h"

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    "_hooke",
    "Functions and objects of hooke in C; import hooke instead.",
    -1,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL};

PyMODINIT_FUNC PyInit__hooke(void);
PyMODINIT_FUNC PyInit__hooke(void) {
  static bool (*const init[])(PyObject *) = {
      hkpy_errors_init,   hkpy_types_init,      hkpy_channel_init, hkpy_model_init,
      hkpy_run_init,      hkpy_simulation_init, hkpy_state_init,   hkpy_recorder_init,
      hkpy_callback_init, hkpy_file_init,       hkpy_linear_init,  hkpy_machine_init,
      hkpy_periodic_init, hkpy_study_init,      hkpy_figure_init};
  PyObject *module = PyModule_Create(&definition);
  bool done = module && PyModule_AddStringConstant(module, "version", hk_version()) == 0;
  for (size_t i = 0; done && i < sizeof init / sizeof *init; i++) done = init[i](module);
  if (!done) Py_CLEAR(module);
  return module;
}
