/* The functions of FMI that an importer calls: types after [FMI 2.0.4, sections 2.1 and 4.2] and [FMI 3.0.2, sections 2.2 and
 * 4.2]. */
#ifndef HK_IMPORT_FUNCTIONS_H
#define HK_IMPORT_FUNCTIONS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Status codes; FMI 2.0 and 3.0 use the same numbers. */
enum { FMI_OK, FMI_WARNING, FMI_DISCARD, FMI_ERROR, FMI_FATAL, FMI_PENDING };
enum { FMI2_TERMINATED = 3 }; /* a kind of status of FMI 2.0 */

typedef struct fmi2_callbacks {
  void (*logger)(void *environment, const char *instance, int status, const char *category,
                 const char *message, ...);
  void *(*allocate)(size_t count, size_t size);
  void (*release)(void *memory);
  void (*step_finished)(void *environment, int status);
  void *environment;
} fmi2_callbacks;
typedef void fmi3_log(void *environment, int status, const char *category, const char *message);

#define FMI2_FUNCTIONS(X)                                                                          \
  X(void *, Instantiate,                                                                           \
    (const char *, int, const char *, const char *, const fmi2_callbacks *, int, int))             \
  X(void, FreeInstance, (void *))                                                                  \
  X(int, SetupExperiment, (void *, int, double, double, int, double))                              \
  X(int, EnterInitializationMode, (void *))                                                        \
  X(int, ExitInitializationMode, (void *))                                                         \
  X(int, Terminate, (void *))                                                                      \
  X(int, GetReal, (void *, const uint32_t *, size_t, double *))                                    \
  X(int, SetReal, (void *, const uint32_t *, size_t, const double *))                              \
  X(int, GetInteger, (void *, const uint32_t *, size_t, int *))                                    \
  X(int, SetInteger, (void *, const uint32_t *, size_t, const int *))                              \
  X(int, GetBoolean, (void *, const uint32_t *, size_t, int *))                                    \
  X(int, SetBoolean, (void *, const uint32_t *, size_t, const int *))                              \
  X(int, SetRealInputDerivatives, (void *, const uint32_t *, size_t, const int *, const double *)) \
  X(int, DoStep, (void *, double, double, int))                                                    \
  X(int, GetBooleanStatus, (void *, int, int *))                                                   \
  X(int, GetFMUstate, (void *, void **))                                                           \
  X(int, SetFMUstate, (void *, void *))                                                            \
  X(int, FreeFMUstate, (void *, void **))                                                          \
  X(int, SerializedFMUstateSize, (void *, void *, size_t *))                                       \
  X(int, SerializeFMUstate, (void *, void *, char *, size_t))                                      \
  X(int, DeSerializeFMUstate, (void *, const char *, size_t, void **))

#define FMI3_FUNCTIONS(X)                                                                        \
  X(void *, InstantiateCoSimulation,                                                             \
    (const char *, const char *, const char *, bool, bool, bool, bool, const uint32_t *, size_t, \
     void *, fmi3_log *, void *))                                                                \
  X(void, FreeInstance, (void *))                                                                \
  X(int, EnterConfigurationMode, (void *))                                                       \
  X(int, ExitConfigurationMode, (void *))                                                        \
  X(int, EnterInitializationMode, (void *, bool, double, double, bool, double))                  \
  X(int, ExitInitializationMode, (void *))                                                       \
  X(int, Terminate, (void *))                                                                    \
  X(int, DoStep, (void *, double, double, bool, bool *, bool *, bool *, double *))               \
  X(int, GetFMUState, (void *, void **))                                                         \
  X(int, SetFMUState, (void *, void *))                                                          \
  X(int, FreeFMUState, (void *, void **))                                                        \
  X(int, SerializedFMUStateSize, (void *, void *, size_t *))                                     \
  X(int, SerializeFMUState, (void *, void *, uint8_t *, size_t))                                 \
  X(int, DeserializeFMUState, (void *, const uint8_t *, size_t, void **))

/* FMI 3.0 has a pair of functions for each type of number, in the order of hk_fmu_kind. */
#define FMI3_NUMBERS(X) \
  X(Float64, double)    \
  X(Float32, float)     \
  X(Int8, int8_t)       \
  X(UInt8, uint8_t)     \
  X(Int16, int16_t)     \
  X(UInt16, uint16_t)   \
  X(Int32, int32_t)     \
  X(UInt32, uint32_t)   \
  X(Int64, int64_t)     \
  X(UInt64, uint64_t)   \
  X(Boolean, bool)
#endif
