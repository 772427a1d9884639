/* A flexible body as a binary file that is read without HDF5. An FMU carries its bodies in this form (src/fmu).
 *
 * The file contains the numbers that a simulation needs, without the surface, in the byte order of the processor. It
 * ends with the hash of all its bytes. */
#ifndef HK_FLEXIBLE_FLEXIBLE_PACKED_H
#define HK_FLEXIBLE_FLEXIBLE_PACKED_H
#include "base/arena.h"
#include "flexible/flexible_data.h"

/* Name of the file in `folder` for the body `name` of a model, whose parameter `file` is given. Memory from the arena;
 * NULL: out of memory. */
const char *hk_flexible_packed_name(const char *folder, const char *name, const char *file,
                                    hk_arena *arena);
/* HK_EIO with the reason in err. */
hk_status hk_flexible_packed_write(const char *path, const hk_flexible_data *b, hk_error *err);
/* Returns the same bits as were written, in memory from the arena. The data is checked (hk_flexible_check). */
hk_status hk_flexible_packed_read(const char *path, hk_arena *arena, hk_flexible_data *b,
                                  hk_error *err);
#endif
