/* The binary of an FMU (fmu/) and its licences, embedded in the command. */
#ifndef TOOL_FMU_BINARY_H
#define TOOL_FMU_BINARY_H
extern const char tool_fmu_binary[], tool_fmu_binary_end[];
/* The binary for Windows; empty if it was not built (script/fmu_win64). */
extern const char tool_fmu_win64[], tool_fmu_win64_end[];
/* Archive of its source code. */
extern const char tool_fmu_sources[], tool_fmu_sources_end[];
extern const char tool_fmu_licence[]; /* a text */
#endif
