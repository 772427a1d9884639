/* The binary of an FMU (fmu/) and its licences, embedded in the command. */
#ifndef TOOL_FMU_BINARY_H
#define TOOL_FMU_BINARY_H
extern const char tool_fmu_binary[], tool_fmu_binary_end[];
extern const char tool_fmu_licence[]; /* a text */
#endif
