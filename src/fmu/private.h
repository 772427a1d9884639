/* Shared by the files of this folder.
 *
 * fmu_export.c    reads the model, selects the variables, collects the archive
 * resources.c     the files of the model, and data that is packed in their place
 * description.c   modelDescription.xml
 * unit.c          units in it
 * array.c         variables that are grouped to arrays
 * terminal.c      terminalsAndIcons.xml
 * sources.c       source code, and how it is compiled
 * zip.c           the archive
 */
#ifndef HK_FMU_PRIVATE_H
#define HK_FMU_PRIVATE_H
#include "fmu/fmu_export.h"
#include "fmu/zip.h"
#include "model/model.h"

typedef struct hk_fmu_list {
  int *index; /* inputs, channels or parameters of the model */
  int n;
} hk_fmu_list;

/* Maximum number of elements of an array. */
enum { HK_FMU_MAX_ELEMENTS = 1000 };

/* Elements `first` to `first + n - 1` of the inputs or outputs. */
typedef struct hk_fmu_array {
  char name[100];
  bool input;
  int first, n;
} hk_fmu_array;

struct hk_fmu {
  hk_fmu_options option;
  hk_model *model;
  hk_sim *sim;
  const char *model_path;
  char *folder;         /* private folder that receives prepared data while the model is read */
  char identifier[128]; /* name of the binary: a C identifier */
  char token[80];
  hk_fmu_list input, output, parameter;
  hk_fmu_array *array;
  int n_arrays;
  hk_zip zip;
};

/* A text buffer that grows as text is added; after a failed allocation `failed` is set and the
 * buffer stays empty. */
typedef struct hk_fmu_text {
  char *text;
  size_t n, capacity;
  bool failed;
} hk_fmu_text;
void hk_fmu_add(hk_fmu_text *t, const char *fmt, ...) HK_PRINTF(2, 3);
/* Adds a text in which the reserved characters of XML, or of YAML in double quotes, are escaped. */
void hk_fmu_xml(hk_fmu_text *t, const char *text);
void hk_fmu_yaml(hk_fmu_text *t, const char *text);
/* Adds a number such that reading it gives exactly the same value, with a decimal point in every
 * locale. */
void hk_fmu_number(hk_fmu_text *t, double value);

/* Names of variables: a parameter with the same name as a channel gets the prefix "parameters.". */
const char *hk_fmu_input_name(const hk_fmu *f, int i);
const char *hk_fmu_output_name(const hk_fmu *f, int i);
void hk_fmu_parameter_name(const hk_fmu *f, int i, char *name, size_t size);
/* Value references, see fmu/manifest.h. */
unsigned hk_fmu_input_reference(const hk_fmu *f, int i);
unsigned hk_fmu_output_reference(const hk_fmu *f, int i);
unsigned hk_fmu_parameter_reference(const hk_fmu *f, int i);
unsigned hk_fmu_rate_reference(const hk_fmu *f, int i);
/* Model exchange: state i, derivative i after all states, event indicator i after all derivatives. */
unsigned hk_fmu_continuous_reference(const hk_fmu *f, int i);

/* False: out of memory. */
bool hk_fmu_list_add(hk_fmu_list *l, int index);
/* Adds the channel with this name, or all channels that match this regular expression. */
hk_status hk_fmu_select_matching(hk_fmu *f, const char *name, hk_fmu_list *out, hk_diag *diag);
hk_status hk_fmu_select_arrays(hk_fmu *f, hk_diag *diag);
/* The array that contains input or output i; NULL: none. */
const hk_fmu_array *hk_fmu_array_of(const hk_fmu *f, bool input, int i);
/* Returns true if input or output i has an entry in the description: it is a single variable or the first element of
 * an array. */
bool hk_fmu_is_variable(const hk_fmu *f, bool input, int i);
/* Unit of input or output i. */
const char *hk_fmu_unit(const hk_fmu *f, bool input, int i);

hk_status hk_fmu_pack(hk_fmu *f, hk_diag *diag);
void hk_fmu_describe(const hk_fmu *f, hk_fmu_text *t);
/* The folder `sources` with its buildDescription.xml. */
hk_status hk_fmu_add_sources(hk_fmu *f, hk_diag *diag);
/* All units of the variables, each once. */
void hk_fmu_describe_units(const hk_fmu *f, hk_fmu_text *t);
/* "deg" of "rad"; NULL: none. */
const char *hk_fmu_display_unit(const char *unit);
hk_status hk_fmu_terminals(const hk_fmu *f, hk_fmu_text *t, hk_diag *diag);
#endif
