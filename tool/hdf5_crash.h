/* libhdf5 1.10 may crash if a file is damaged: it reads out of bounds in attributes and in its string heap.  After this
 * call such a crash leads to a message with the name of the file and exit status 2, in every command. */
#ifndef HOOKE_TOOL_HDF5_CRASH_H
#define HOOKE_TOOL_HDF5_CRASH_H

void tool_guard_install(void);

#endif
