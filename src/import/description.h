/* The parts of modelDescription.xml that an importing program needs, for FMUs for co-simulation,
 * FMI 2.0 and 3.0. */
#ifndef HK_IMPORT_DESCRIPTION_H
#define HK_IMPORT_DESCRIPTION_H
#include "base/arena.h"
#include <hooke/units.h>
#include <stdint.h>

/* Types of variables.  FMI 2.0 has HK_FMU_FLOAT64, HK_FMU_INT32, HK_FMU_BOOLEAN and HK_FMU_STRING. */
typedef enum hk_fmu_kind {
  HK_FMU_FLOAT64,
  HK_FMU_FLOAT32,
  HK_FMU_INT8,
  HK_FMU_UINT8,
  HK_FMU_INT16,
  HK_FMU_UINT16,
  HK_FMU_INT32,
  HK_FMU_UINT32,
  HK_FMU_INT64,
  HK_FMU_UINT64,
  HK_FMU_BOOLEAN,
  HK_FMU_N_NUMBERS,
  HK_FMU_STRING = HK_FMU_N_NUMBERS,
  HK_FMU_OTHER /* binary, clock */
} hk_fmu_kind;

typedef enum hk_fmu_causality {
  HK_FMU_LOCAL,
  HK_FMU_PARAMETER,
  HK_FMU_CALCULATED,
  HK_FMU_INPUT,
  HK_FMU_OUTPUT,
  HK_FMU_INDEPENDENT
} hk_fmu_causality;

/* Maximum number of dimensions of an array, and of its elements. */
enum { HK_FMU_MAX_DIMENSIONS = 4, HK_FMU_MAX_ELEMENTS = 1 << 20 };

/* The size of an array in one direction: a number, or the value of a structural parameter. */
typedef struct hk_fmu_dimension {
  uint32_t size;
  uint32_t reference;
  bool by_reference;
} hk_fmu_dimension;

typedef struct hk_fmu_variable {
  const char *name, *unit, *type; /* names of the variable, of its unit and of its type definition; NULL: none */
  uint32_t reference;
  hk_fmu_kind kind;
  hk_fmu_causality causality;
  bool constant; /* the variable is a constant and cannot be set */
  bool continuous;
  bool structural;   /* this is a structural parameter: sizes of arrays may depend on it */
  const char *start; /* text of the start value or values; NULL: none */
  hk_fmu_dimension dimension[HK_FMU_MAX_DIMENSIONS];
  int n_dimensions; /* 0: a single number */
} hk_fmu_variable;

/* A unit of the description: a value in SI units is factor x + offset. */
typedef struct hk_fmu_unit {
  const char *name;
  hk_unit si;
  bool known; /* the dimension can be represented by the units of hooke */
} hk_fmu_unit;

typedef struct hk_fmu_type { /* a type definition, of which only the unit is used */
  const char *name, *unit;
} hk_fmu_type;

typedef struct hk_fmu_description {
  int version;                            /* 2 or 3 */
  const char *token, *model, *identifier; /* identifier: the name of the binary */
  bool co_simulation;
  bool interpolates, saves, serialises, needs_tool;
  bool varies; /* steps need not have the same size */
  double step; /* step size of the default experiment [s]; 0: not given */
  hk_fmu_variable *variable;
  int n, capacity;
  hk_fmu_unit *unit;
  int n_units, unit_capacity;
  hk_fmu_type *type;
  int n_types, type_capacity;
} hk_fmu_description;

enum { HK_FMU_MAX_XML = 64 << 20 }; /* bytes */

/* Parses `text`, which ends with a NUL and is modified; the description is allocated in the
 * arena. */
hk_status hk_fmu_description_read(char *text, size_t size, hk_arena *arena, hk_fmu_description *out,
                                  hk_error *err);
/* Index of a variable by name; -1: there is no such variable. */
int hk_fmu_variable_find(const hk_fmu_description *d, const char *name);
/* A value for a structural parameter that replaces the value in the description. */
typedef struct hk_fmu_structural {
  const char *name;
  uint32_t reference;
  hk_fmu_kind kind;
  double value;
} hk_fmu_structural;

/* Number of elements of a variable: 1 if it is no array.  0 with a message: the sizes are not valid. */
int hk_fmu_variable_size(const hk_fmu_description *d, const hk_fmu_variable *v,
                         const hk_fmu_structural *changed, int n_changed, hk_error *err);
/* Finds "x[2]" or "x[1,3]", an element of an array x: elements are counted from 1, the last index changes fastest.
 * *element: its index in the array, from 0.  NULL with a message. */
const hk_fmu_variable *hk_fmu_element_find(const hk_fmu_description *d, const char *name,
                                           const hk_fmu_structural *changed, int n_changed,
                                           int *element, hk_error *err);
/* Reads the start values from the description. False: their number is not n. */
bool hk_fmu_start_values(const hk_fmu_variable *v, double *value, int n);
/* The unit of a variable.  False: the variable has no unit, or an unknown one; *name is the name of
 * the unit or NULL. */
bool hk_fmu_variable_unit(const hk_fmu_description *d, const hk_fmu_variable *v, hk_unit *unit,
                          const char **name);
#endif
