/* A model as an FMU: the archive with its description, the binary and everything that the model reads.
 *
 * The binary (fmu/) is the same for all models; the model itself is stored as text. */
#ifndef HK_FMU_FMU_EXPORT_H
#define HK_FMU_FMU_EXPORT_H
#include <hooke/hooke.h>

/* A binary of the FMU's code for one platform, or another file of fixed contents. */
typedef struct hk_fmu_binary {
  const char *platform;  /* "linux64": named as in FMI 2.0 */
  const char *platform3; /* "x86_64-linux": as in FMI 3.0 */
  const char *extension; /* ".so" */
  const void *bytes;
  size_t size;
} hk_fmu_binary;

/* Names from the command line. */
typedef struct hk_fmu_names {
  const char *const *name;
  int n;
} hk_fmu_names;

typedef struct hk_fmu_options {
  int fmi; /* 2 or 3 */
  const hk_registry *types;
  const hk_override *set;
  int n_set;
  hk_fmu_names input;  /* none: all */
  hk_fmu_names output; /* names or POSIX extended regular expressions; empty: primary channels */
  hk_fmu_names
      parameter; /* empty: all parameters with a value that does not depend on other parameters */
  hk_fmu_names terminal; /* "flange=torque,shaft.angle" */
  hk_fmu_names array;    /* FMI 3.0: "position=arm.x,arm.y,arm.z" */
  bool rates;            /* FMI 3.0: a variable der(u) for each input u */
  bool exchange;         /* for model exchange too */
  const hk_fmu_binary *binary;
  int n_binaries;
  /* zip archive of the code of the binary, to be packed as `sources` (FMI 3.0); NULL: none */
  const void *sources;
  size_t sources_size;
  const char *licence; /* text of documentation/licenses/license.txt */
} hk_fmu_options;

/* Reads the model file, then hk_fmu_write makes the archive: between the two calls the caller
 * checks that the output file is not an input file. */
typedef struct hk_fmu hk_fmu;
/* HK_OK, HK_EINPUT (messages in diag) or HK_ENOMEM.  If *out is not NULL, call hk_fmu_destroy in
 * any case. */
hk_status hk_fmu_create(const char *model, const hk_fmu_options *options, hk_fmu **out,
                        hk_diag *diag);
hk_status hk_fmu_write(const hk_fmu *fmu, const char *path, hk_error *err);
void hk_fmu_destroy(hk_fmu *fmu);

/* For the summary of the command. */
const char *hk_fmu_stepper(const hk_fmu *fmu);
int hk_fmu_count(const hk_fmu *fmu, int *inputs, int *outputs, int *parameters);
#endif
