/* Libraries that read files from elsewhere may crash if a file is damaged (HDF5 1.10 does for a wrong index into its
 * string heap).  Between begin and end such a crash leads to a message and exit status 2. */
#ifndef HOOKE_TOOL_GUARD_H
#define HOOKE_TOOL_GUARD_H

void tool_guard_begin(const char *path); /* path is kept */
void tool_guard_end(void);

#endif
