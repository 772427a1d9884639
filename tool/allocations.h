/* Number of memory allocations of this program and its plugins. */
#ifndef TOOL_ALLOCATIONS_H
#define TOOL_ALLOCATIONS_H
/* The number of allocations since the first call; NULL: not supported by the C library. */
typedef long tool_allocation_count(void);
tool_allocation_count *tool_allocations(void);
#endif
