/* Files from elsewhere are read by libraries that may crash over a damaged one (HDF5 1.10 does, over a wrong
 * index into its heap of strings).  Between begin and end such a crash ends in a sentence and exit status 2. */
#ifndef HOOKE_TOOL_GUARD_H
#define HOOKE_TOOL_GUARD_H

void tool_guard_begin(const char *path); /* path is kept */
void tool_guard_end(void);

#endif
