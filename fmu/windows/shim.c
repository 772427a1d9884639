/* Functions of POSIX for the FMU binary for Windows: see windows_shim.h. */
#define FMU_WINDOWS_SHIM_H /* this file uses the functions of the system */
#include <direct.h>
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <locale.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <wchar.h>
#include <windows.h>

typedef int locale_t;
enum { MOST = 4096 };

/* Converts a path from UTF-8 to the encoding of the system; false: it is too long, or not valid
 * UTF-8. */
static bool wide(const char *path, wchar_t out[MOST]) {
  if (MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, out, MOST) > 0) return true;
  errno = ENOENT;
  return false;
}

int fmu_shim_open(const char *path, int flags, ...);
int fmu_shim_open(const char *path, int flags, ...) {
  wchar_t name[MOST];
  return wide(path, name) ? _wopen(name, flags | _O_BINARY, _S_IREAD | _S_IWRITE) : -1;
}

FILE *fmu_shim_fopen(const char *path, const char *mode);
FILE *fmu_shim_fopen(const char *path, const char *mode) {
  wchar_t name[MOST], how[MOST];
  char binary[16];
  snprintf(binary, sizeof binary, "%.8s%s", mode, strchr(mode, 'b') ? "" : "b");
  return wide(path, name) && wide(binary, how) ? _wfopen(name, how) : NULL;
}

int fmu_shim_stat(const char *path, struct _stat64 *out);
int fmu_shim_stat(const char *path, struct _stat64 *out) {
  wchar_t name[MOST];
  return wide(path, name) ? _wstat64(name, out) : -1;
}

int fmu_shim_access(const char *path, int mode);
int fmu_shim_access(const char *path, int mode) {
  wchar_t name[MOST];
  return wide(path, name) ? _waccess(name, mode) : -1;
}

/* Returns the absolute path, with '/' as the separator; fails if the file does not exist, as
 * realpath does. */
char *fmu_shim_realpath(const char *path, char *out);
char *fmu_shim_realpath(const char *path, char *out) {
  wchar_t name[MOST], whole[MOST];
  if (!wide(path, name) || _waccess(name, 0) != 0 || !_wfullpath(whole, name, MOST)) return NULL;
  if (WideCharToMultiByte(CP_UTF8, 0, whole, -1, out, PATH_MAX, NULL, NULL) <= 0) return NULL;
  for (char *c = out; *c; c++)
    if (*c == '\\') *c = '/';
  return out;
}

int fmu_shim_mkdir(const char *path);
int fmu_shim_mkdir(const char *path) {
  wchar_t name[MOST];
  return wide(path, name) ? _wmkdir(name) : -1;
}

/* No lock is needed: without it, two processes could only waste time by computing the same gear,
 * and an FMU computes no gears. */
int fmu_shim_flock(int file, int what);
int fmu_shim_flock(int file, int what) { return (void)file, (void)what, 0; }

int64_t fmu_shim_pread(int file, void *out, size_t n, int64_t at);
int64_t fmu_shim_pread(int file, void *out, size_t n, int64_t at) {
  return _lseeki64(file, at, SEEK_SET) < 0 ? -1 : _read(file, out, (unsigned)n);
}

/* There are no such modes and links. */
int fmu_shim_fchmod(int file, unsigned mode);
int fmu_shim_fchmod(int file, unsigned mode) { return (void)file, (void)mode, 0; }
int fmu_shim_readlink(const char *path, char *out, size_t size);
int fmu_shim_readlink(const char *path, char *out, size_t size) {
  return (void)path, (void)out, (void)size, -1;
}

char *fmu_shim_strndup(const char *text, size_t most);
char *fmu_shim_strndup(const char *text, size_t most) {
  size_t n = strnlen(text, most);
  char *copy = malloc(n + 1);
  if (!copy) return NULL;
  copy[n] = '\0';
  return memcpy(copy, text, n);
}

char *fmu_shim_stpcpy(char *to, const char *text);
char *fmu_shim_stpcpy(char *to, const char *text) { return strcpy(to, text) + strlen(text); }

/* Sorts by exchanging elements at decreasing distances (Shell's method). */
typedef int fmu_shim_compare(const void *a, const void *b, void *context);
void fmu_shim_qsort_r(void *base, size_t n, size_t size, fmu_shim_compare *compare, void *context);
void fmu_shim_qsort_r(void *base, size_t n, size_t size, fmu_shim_compare *compare, void *context) {
  char *at = base;
  for (size_t gap = n / 2; gap > 0; gap = gap == 2 ? 1 : (size_t)((double)gap / 2.2))
    for (size_t i = gap; i < n; i++)
      for (size_t j = i; j >= gap; j -= gap) {
        char *a = at + (j - gap) * size, *b = at + j * size;
        if (compare(a, b, context) <= 0) break;
        for (size_t k = 0; k < size; k++) {
          char c = a[k];
          a[k] = b[k], b[k] = c;
        }
      }
}

/* ---- the locale of this thread: 1 is "C" ---- */

locale_t newlocale(int mask, const char *name, locale_t base);
locale_t newlocale(int mask, const char *name, locale_t base) {
  return (void)mask, (void)name, (void)base, 1;
}
locale_t uselocale(locale_t l);
locale_t uselocale(locale_t l) {
  if (l == 1) {
    _configthreadlocale(_ENABLE_PER_THREAD_LOCALE);
    setlocale(LC_ALL, "C");
  } else {
    _configthreadlocale(_DISABLE_PER_THREAD_LOCALE);
  }
  return 0;
}
void freelocale(locale_t l);
void freelocale(locale_t l) { (void)l; }
