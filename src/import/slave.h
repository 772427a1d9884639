/* One running instance of an FMU in this process: the same functions for FMI 2.0 and 3.0. */
#ifndef HK_IMPORT_SLAVE_H
#define HK_IMPORT_SLAVE_H
#include "import/description.h"

/* An array of which some elements are exchanged. FMI reads and sets it only as a whole. */
typedef struct hk_fmu_array {
  const char *name;
  uint32_t reference;
  hk_fmu_kind kind;
  int size;
  const double *start; /* [size] start values in units of the FMU; NULL: only the FMU has them */
} hk_fmu_array;

/* A variable that is exchanged, or an element of an array. */
typedef struct hk_fmu_port {
  const char *name;
  uint32_t reference;
  hk_fmu_kind kind;
  /* array: index in the arrays of the plan; -1: the variable is a single number */
  int array, element;
  hk_unit unit; /* conversion of the unit; factor 1 and offset 0 if the FMU gives no unit */
} hk_fmu_port;

typedef struct hk_fmu_start {
  hk_fmu_port port;
  double value; /* SI */
} hk_fmu_start;

/* Constant data from which an instance is created. */
typedef struct hk_fmu_plan {
  hk_fmu_description description;
  const char *name, *path; /* name of the item, and path of the file */
  hk_fmu_port *input, *output;
  hk_fmu_start *start;
  hk_fmu_array *array;
  hk_fmu_structural *structural;
  int n_inputs, n_outputs, n_starts, n_arrays, n_structural;
  bool linear; /* the inputs change linearly within a step */
  bool native; /* the user has permitted to execute the FMU */
  bool in_process;
  double time_limit; /* [s] */
} hk_fmu_plan;

typedef void hk_slave_tell(void *context, const char *text);
typedef struct hk_slave hk_slave;

/* Loads the binary from the unpacked folder, makes an instance, sets the start values and begins its initialisation at the time
 * t.  tell: receives warnings and errors of the FMU.  On failure *out is NULL. */
hk_status hk_slave_open(const hk_fmu_plan *plan, const char *folder, double t, hk_slave_tell *tell,
                        void *context, hk_slave **out, hk_error *err);
/* Computes the outputs for the inputs u during initialisation; last: ends the initialisation. */
hk_status hk_slave_settle(hk_slave *s, const double *u, bool last, double *y, hk_error *err);
/* HK_EFAIL: the FMU refuses the step. */
hk_status hk_slave_step(hk_slave *s, double t, double h, const double *u, const double *next,
                        double *y, hk_error *err);
/* The state of the FMU as bytes; *size is 0 if the FMU cannot save its state. */
hk_status hk_slave_state_size(hk_slave *s, size_t *size, hk_error *err);
hk_status hk_slave_save(hk_slave *s, void *bytes, size_t size, hk_error *err);
hk_status hk_slave_restore(hk_slave *s, const void *bytes, size_t size, hk_error *err);
void hk_slave_close(hk_slave *s);

/* The path of the binary in an archive: "binaries/linux64/motor.so". */
void hk_fmu_binary_path(const hk_fmu_description *d, char *out, size_t size);
#endif
