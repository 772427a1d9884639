/* Functions of FMI 3.0 for model exchange and scheduled execution.  Some importers of co-simulation look all names up when they
 * load a binary; an instance cannot get into a state in which they are allowed, so they refuse. */
#include "fmi3.h"
#include "instance.h"

#define REFUSED(name, ...)                                                          \
  __attribute__((visibility("default"))) fmi3Status name(__VA_ARGS__);              \
  __attribute__((visibility("default"))) fmi3Status name(__VA_ARGS__) {             \
    return (fmi3Status)fmu_refuse(c, #name ": this FMU is for co-simulation only"); \
  }

REFUSED(fmi3EnterContinuousTimeMode, fmi3Instance c)
REFUSED(fmi3CompletedIntegratorStep, fmi3Instance c, fmi3Boolean no_state_before,
        fmi3Boolean *event_mode, fmi3Boolean *terminate)
REFUSED(fmi3SetTime, fmi3Instance c, fmi3Float64 time)
REFUSED(fmi3SetContinuousStates, fmi3Instance c, const fmi3Float64 state[], size_t n)
REFUSED(fmi3GetContinuousStateDerivatives, fmi3Instance c, fmi3Float64 derivative[], size_t n)
REFUSED(fmi3GetEventIndicators, fmi3Instance c, fmi3Float64 indicator[], size_t n)
REFUSED(fmi3GetContinuousStates, fmi3Instance c, fmi3Float64 state[], size_t n)
REFUSED(fmi3GetNominalsOfContinuousStates, fmi3Instance c, fmi3Float64 nominal[], size_t n)
REFUSED(fmi3GetNumberOfEventIndicators, fmi3Instance c, size_t *n)
REFUSED(fmi3GetNumberOfContinuousStates, fmi3Instance c, size_t *n)
REFUSED(fmi3ActivateModelPartition, fmi3Instance c, fmi3ValueReference clock, fmi3Float64 time)
