/* Included first in every file of the FMU binary for Windows (script/fmu_win64): the POSIX
 * functions that the layers up to `read` call and that an FMU needs.  Paths are UTF-8. */
#ifndef FMU_WINDOWS_SHIM_H
#define FMU_WINDOWS_SHIM_H
#include <direct.h>
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <wchar.h>

#define O_CLOEXEC 0
#define O_NONBLOCK 0
#define LOCK_EX 2
#define LOCK_UN 8

/* io.h declares functions with names that the library uses for its own. */
#undef tell
#undef read
#define tell fmu_own_tell
#define read fmu_own_read

int fmu_shim_open(const char *path, int flags, ...);
FILE *fmu_shim_fopen(const char *path, const char *mode);
int fmu_shim_stat(const char *path, struct _stat64 *out);
int fmu_shim_access(const char *path, int mode);
char *fmu_shim_realpath(const char *path, char *out);
int fmu_shim_mkdir(const char *path);
int fmu_shim_flock(int file, int what);
int fmu_shim_fchmod(int file, unsigned mode);
int fmu_shim_readlink(const char *path, char *out, size_t size);
typedef int fmu_shim_compare(const void *a, const void *b, void *context);
void fmu_shim_qsort_r(void *base, size_t n, size_t size, fmu_shim_compare *compare, void *context);
char *fmu_shim_strndup(const char *text, size_t most);
char *fmu_shim_stpcpy(char *to, const char *text);
ssize_t fmu_shim_pread(int file, void *out, size_t n, int64_t at);

/* Memory from malloc is aligned to 16 bytes, which is sufficient for the code on this platform.
 * Unlike memory from _aligned_malloc, it may be released by free. */
#define aligned_alloc(align, size) malloc(size)
#define open fmu_shim_open
#define fopen fmu_shim_fopen
#undef stat
#undef fstat
#define stat _stat64
#define _stat64(path, out) fmu_shim_stat(path, out)
#define fstat(file, out) _fstat64(file, out)
#define access fmu_shim_access
#define realpath fmu_shim_realpath
#define mkdir(path, mode) fmu_shim_mkdir(path)
#define flock fmu_shim_flock
#define fchmod fmu_shim_fchmod
#define readlink fmu_shim_readlink
#define qsort_r fmu_shim_qsort_r
#define pread fmu_shim_pread
#define strndup fmu_shim_strndup
#define stpcpy fmu_shim_stpcpy

/* The locale of this thread only. */
typedef int locale_t;
#define LC_ALL_MASK 0
locale_t newlocale(int mask, const char *name, locale_t base);
locale_t uselocale(locale_t l);
void freelocale(locale_t l);
#endif
