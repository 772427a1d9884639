/* Bytes as a file, for readers that need a path.  The file is created once, in memory if there is a folder for
 * that, and rewritten for each input; HDF5 needs a file with a name. */
#ifndef HK_FUZZ_FILE_H
#define HK_FUZZ_FILE_H
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char fuzz_path[64];

static inline void fuzz_file_remove(void) { unlink(fuzz_path); }

/* `tail` zeros follow the bytes; they need neither time nor memory until they are read. */
static const char *fuzz_file_with(const void *data, size_t size, size_t tail) {
  static const char *const folder[] = {"/dev/shm", "/tmp"};
  static int fd = -1;
  for (int i = 0; fd < 0 && i < 2; i++) {
    snprintf(fuzz_path, sizeof fuzz_path, "%s/hooke-fuzz-XXXXXX", folder[i]);
    fd = mkstemp(fuzz_path);
    if (fd >= 0) atexit(fuzz_file_remove);
  }
  if (fd < 0 || ftruncate(fd, 0) != 0 || pwrite(fd, data, size, 0) != (ssize_t)size ||
      (tail && ftruncate(fd, (off_t)(size + tail)) != 0))
    abort();
  return fuzz_path;
}

static inline const char *fuzz_file(const void *data, size_t size) {
  return fuzz_file_with(data, size, 0);
}
#endif
