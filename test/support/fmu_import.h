/* A small importer of FMUs: unpacks the archive, loads the binary, and finds variables by name.  For tests. */
#ifndef TEST_FMU_IMPORT_H
#define TEST_FMU_IMPORT_H
#include "../../fmu/fmi2.h"
#include "../../fmu/fmi3.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* The functions that the tests call, of both FMI versions. */
#define FMI3_FUNCTIONS(X)                                                                          \
  X(fmi3Instance, fmi3InstantiateCoSimulation,                                                     \
    (fmi3String, fmi3String, fmi3String, bool, bool, bool, bool, const fmi3ValueReference *,       \
     size_t, void *, fmi3LogMessageCallback, fmi3IntermediateUpdateCallback))                      \
  X(void, fmi3FreeInstance, (fmi3Instance))                                                        \
  X(fmi3Status, fmi3EnterInitializationMode, (fmi3Instance, bool, double, double, bool, double))   \
  X(fmi3Status, fmi3ExitInitializationMode, (fmi3Instance))                                        \
  X(fmi3Status, fmi3EnterEventMode, (fmi3Instance))                                                \
  X(fmi3Status, fmi3UpdateDiscreteStates,                                                          \
    (fmi3Instance, bool *, bool *, bool *, bool *, bool *, double *))                              \
  X(fmi3Status, fmi3EnterStepMode, (fmi3Instance))                                                 \
  X(fmi3Status, fmi3Reset, (fmi3Instance))                                                         \
  X(fmi3Status, fmi3Terminate, (fmi3Instance))                                                     \
  X(fmi3Status, fmi3GetFloat64,                                                                    \
    (fmi3Instance, const fmi3ValueReference *, size_t, double *, size_t))                          \
  X(fmi3Status, fmi3SetFloat64,                                                                    \
    (fmi3Instance, const fmi3ValueReference *, size_t, const double *, size_t))                    \
  X(fmi3Status, fmi3GetDirectionalDerivative,                                                      \
    (fmi3Instance, const fmi3ValueReference *, size_t, const fmi3ValueReference *, size_t,         \
     const double *, size_t, double *, size_t))                                                    \
  X(fmi3Status, fmi3GetAdjointDerivative,                                                          \
    (fmi3Instance, const fmi3ValueReference *, size_t, const fmi3ValueReference *, size_t,         \
     const double *, size_t, double *, size_t))                                                    \
  X(fmi3Status, fmi3GetNumberOfVariableDependencies, (fmi3Instance, fmi3ValueReference, size_t *)) \
  X(fmi3Status, fmi3GetFMUState, (fmi3Instance, void **))                                          \
  X(fmi3Status, fmi3SetFMUState, (fmi3Instance, void *))                                           \
  X(fmi3Status, fmi3FreeFMUState, (fmi3Instance, void **))                                         \
  X(fmi3Status, fmi3SerializedFMUStateSize, (fmi3Instance, void *, size_t *))                      \
  X(fmi3Status, fmi3SerializeFMUState, (fmi3Instance, void *, fmi3Byte *, size_t))                 \
  X(fmi3Status, fmi3DeserializeFMUState, (fmi3Instance, const fmi3Byte *, size_t, void **))        \
  X(fmi3Status, fmi3GetOutputDerivatives,                                                          \
    (fmi3Instance, const fmi3ValueReference *, size_t, const int *, double *, size_t))             \
  X(fmi3Instance, fmi3InstantiateModelExchange,                                                    \
    (fmi3String, fmi3String, fmi3String, bool, bool, void *, fmi3LogMessageCallback))              \
  X(fmi3Status, fmi3EnterContinuousTimeMode, (fmi3Instance))                                       \
  X(fmi3Status, fmi3SetTime, (fmi3Instance, double))                                               \
  X(fmi3Status, fmi3SetContinuousStates, (fmi3Instance, const double *, size_t))                   \
  X(fmi3Status, fmi3GetContinuousStates, (fmi3Instance, double *, size_t))                         \
  X(fmi3Status, fmi3GetContinuousStateDerivatives, (fmi3Instance, double *, size_t))               \
  X(fmi3Status, fmi3GetEventIndicators, (fmi3Instance, double *, size_t))                          \
  X(fmi3Status, fmi3GetNominalsOfContinuousStates, (fmi3Instance, double *, size_t))               \
  X(fmi3Status, fmi3GetNumberOfContinuousStates, (fmi3Instance, size_t *))                         \
  X(fmi3Status, fmi3GetNumberOfEventIndicators, (fmi3Instance, size_t *))                          \
  X(fmi3Status, fmi3CompletedIntegratorStep, (fmi3Instance, bool, bool *, bool *))                 \
  X(fmi3Status, fmi3DoStep, (fmi3Instance, double, double, bool, bool *, bool *, bool *, double *))
#define FMI2_FUNCTIONS(X)                                                                         \
  X(fmi2Component, fmi2Instantiate,                                                               \
    (fmi2String, fmi2Type, fmi2String, fmi2String, const fmi2CallbackFunctions *, int, int))      \
  X(void, fmi2FreeInstance, (fmi2Component))                                                      \
  X(fmi2Status, fmi2SetupExperiment, (fmi2Component, int, double, double, int, double))           \
  X(fmi2Status, fmi2EnterInitializationMode, (fmi2Component))                                     \
  X(fmi2Status, fmi2ExitInitializationMode, (fmi2Component))                                      \
  X(fmi2Status, fmi2GetReal, (fmi2Component, const fmi2ValueReference *, size_t, double *))       \
  X(fmi2Status, fmi2SetReal, (fmi2Component, const fmi2ValueReference *, size_t, const double *)) \
  X(fmi2Status, fmi2SetRealInputDerivatives,                                                      \
    (fmi2Component, const fmi2ValueReference *, size_t, const int *, const double *))             \
  X(fmi2Status, fmi2NewDiscreteStates, (fmi2Component, fmi2EventInfo *))                          \
  X(fmi2Status, fmi2EnterContinuousTimeMode, (fmi2Component))                                     \
  X(fmi2Status, fmi2EnterEventMode, (fmi2Component))                                              \
  X(fmi2Status, fmi2CompletedIntegratorStep, (fmi2Component, int, int *, int *))                  \
  X(fmi2Status, fmi2SetTime, (fmi2Component, double))                                             \
  X(fmi2Status, fmi2SetContinuousStates, (fmi2Component, const double *, size_t))                 \
  X(fmi2Status, fmi2GetContinuousStates, (fmi2Component, double *, size_t))                       \
  X(fmi2Status, fmi2GetDerivatives, (fmi2Component, double *, size_t))                            \
  X(fmi2Status, fmi2GetEventIndicators, (fmi2Component, double *, size_t))                        \
  X(fmi2Status, fmi2DoStep, (fmi2Component, double, double, int))                                 \
  X(fmi2Status, fmi2GetRealStatus, (fmi2Component, fmi2StatusKind, double *))

typedef struct fmu_file {
  char folder[200], resources[240], token[80];
  char *xml;
  void *library;
#define MEMBER(type, name, arguments) type(*name) arguments;
  FMI3_FUNCTIONS(MEMBER) FMI2_FUNCTIONS(MEMBER)
#undef MEMBER
} fmu_file;

static inline unsigned fmu_number(const unsigned char *at, int bytes) {
  unsigned value = 0;
  for (int i = bytes; i-- > 0;) value = value << 8 | at[i];
  return value;
}

static inline void fmu_make_folders(char *path) {
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    mkdir(path, 0700);
    *slash = '/';
  }
}

/* Extracts one file of the archive to the folder; false if it is damaged. */
static inline bool fmu_unpack_one(const char *folder, const unsigned char *entry,
                                  const unsigned char *archive) {
  unsigned packed = fmu_number(entry + 20, 4), size = fmu_number(entry + 24, 4),
           length = fmu_number(entry + 28, 2);
  const unsigned char *local = archive + fmu_number(entry + 42, 4);
  const unsigned char *data = local + 30 + fmu_number(local + 26, 2) + fmu_number(local + 28, 2);
  char path[600];
  snprintf(path, sizeof path, "%s/%.*s", folder, (int)length, (const char *)entry + 46);
  unsigned char *bytes = malloc(size + 1);
  z_stream z = {.next_in = (Bytef *)data, .avail_in = packed, .next_out = bytes, .avail_out = size};
  bool ok = bytes && !strstr(path, "..") && inflateInit2(&z, -MAX_WBITS) == Z_OK &&
            inflate(&z, Z_FINISH) == Z_STREAM_END && z.total_out == size;
  inflateEnd(&z);
  ok = ok && crc32(0, bytes, size) == fmu_number(entry + 16, 4);
  fmu_make_folders(path);
  FILE *f = ok ? fopen(path, "wb") : NULL;
  ok = f && fwrite(bytes, 1, size, f) == size;
  if (f) fclose(f);
  free(bytes);
  return ok;
}

static char *fmu_read(const char *path, size_t *size) {
  FILE *f = fopen(path, "rb");
  if (!f) return NULL;
  fseek(f, 0, SEEK_END);
  *size = (size_t)ftell(f);
  rewind(f);
  char *bytes = malloc(*size + 1);
  if (bytes) bytes[fread(bytes, 1, *size, f)] = '\0';
  fclose(f);
  return bytes;
}

static inline bool fmu_unpack(const char *path, const char *folder) {
  size_t size = 0;
  unsigned char *archive = (unsigned char *)fmu_read(path, &size);
  bool ok = archive && size > 22;
  const unsigned char *end =
      ok ? archive + size - 22 : NULL; /* the archive ends without a comment */
  ok = ok && fmu_number(end, 4) == 0x06054b50;
  unsigned n = ok ? fmu_number(end + 10, 2) : 0;
  const unsigned char *entry = ok ? archive + fmu_number(end + 16, 4) : NULL;
  for (unsigned i = 0; i < n && ok; i++) {
    ok = fmu_number(entry, 4) == 0x02014b50 && fmu_unpack_one(folder, entry, archive);
    entry += 46 + fmu_number(entry + 28, 2) + fmu_number(entry + 30, 2) + fmu_number(entry + 32, 2);
  }
  free(archive);
  return ok && n > 0;
}

/* The value of an attribute after `at`; it ends at the next quote. */
static inline void fmu_attribute(const char *at, const char *name, char *out, size_t size) {
  char key[100];
  snprintf(key, sizeof key, " %s=\"", name);
  const char *from = at ? strstr(at, key) : NULL;
  snprintf(out, size, "%.*s", from ? (int)strcspn(from + strlen(key), "\"") : 0,
           from ? from + strlen(key) : "");
}

/* Value reference of a variable; 0: no such variable. */
static inline unsigned fmu_reference(const fmu_file *f, const char *name) {
  char key[200], number[40];
  snprintf(key, sizeof key, " name=\"%s\" valueReference=\"", name);
  const char *at = strstr(f->xml, key);
  fmu_attribute(at, "valueReference", number, sizeof number);
  return at ? (unsigned)strtoul(number, NULL, 10) : 0;
}

static inline bool fmu_open(fmu_file *f, const char *path) {
  size_t size;
  char name[500], identifier[130];
  *f = (fmu_file){.folder = "/tmp/hooke-import-XXXXXX"};
  if (!mkdtemp(f->folder) || !fmu_unpack(path, f->folder)) return false;
  snprintf(f->resources, sizeof f->resources, "%s/resources/", f->folder);
  snprintf(name, sizeof name, "%s/modelDescription.xml", f->folder);
  f->xml = fmu_read(name, &size);
  if (!f->xml) return false;
  bool two = strstr(f->xml, "fmiVersion=\"2.0\"");
  fmu_attribute(f->xml, two ? "guid" : "instantiationToken", f->token, sizeof f->token);
  fmu_attribute(f->xml, "modelIdentifier", identifier, sizeof identifier);
  snprintf(name, sizeof name, "%s/binaries/%s/%s.so", f->folder, two ? "linux64" : "x86_64-linux",
           identifier);
  f->library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!f->library) {
    fprintf(stderr, "%s\n", dlerror());
    return false;
  }
  bool all = true;
#define FIND(type, function, arguments)                    \
  *(void **)(&f->function) = dlsym(f->library, #function); \
  all = all && f->function;
  FMI3_FUNCTIONS(FIND)
  FMI2_FUNCTIONS(FIND)
#undef FIND
  return all;
}

static inline void fmu_close(fmu_file *f) {
  char command[260];
  if (f->library) dlclose(f->library);
  free(f->xml);
  snprintf(command, sizeof command, "rm -rf '%s'", f->folder);
  if (strncmp(f->folder, "/tmp/hooke-import-", 18) == 0 && system(command)) perror("rm");
}
#endif
