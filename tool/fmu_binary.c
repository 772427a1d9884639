/* The files as built, embedded without change: see fmu_binary.h. */
#include "fmu_binary.h"

#ifndef HK_FMU_BINARY /* given by the build */
#define HK_FMU_BINARY "build/hooke_fmu.so"
#define HK_FMU_SOURCES "build/fmu_sources.zip"
#define HK_FMU_NOTICE "fmu/NOTICE"
#define HK_FMU_LICENCE "LICENSE"
#endif

#ifdef HK_FMU_WIN64
#define WIN64 ".incbin \"" HK_FMU_WIN64 "\"\n"
#else
#define WIN64 ""
#endif

__asm__(
    ".section .rodata\n"
    ".global tool_fmu_binary\n"
    ".global tool_fmu_binary_end\n"
    ".global tool_fmu_licence\n"
    "tool_fmu_binary:\n"
    ".incbin \"" HK_FMU_BINARY
    "\"\n"
    "tool_fmu_binary_end:\n"
    ".global tool_fmu_win64\n"
    ".global tool_fmu_win64_end\n"
    "tool_fmu_win64:\n" WIN64
    "tool_fmu_win64_end:\n"
    ".global tool_fmu_sources\n"
    ".global tool_fmu_sources_end\n"
    "tool_fmu_sources:\n"
    ".incbin \"" HK_FMU_SOURCES
    "\"\n"
    "tool_fmu_sources_end:\n"
    "tool_fmu_licence:\n"
    ".incbin \"" HK_FMU_NOTICE
    "\"\n"
    ".incbin \"" HK_FMU_LICENCE
    "\"\n"
    ".byte 0\n"
    ".previous\n");
