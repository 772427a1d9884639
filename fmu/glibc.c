/* Names of newer versions of the C library, so that an FMU also runs on systems that are older than the one it was built on:
 * the linker replaces calls of f by __wrap_f (cmake/fmu.cmake), which calls the oldest version of f.  Both versions compute the
 * same number; they differ in how errors are reported. */
#include <math.h>
#include <sys/stat.h>

#define OLD(name, version) __asm__(".symver old_" #name "," #name "@" version)

#define OLD_1(name)             \
  OLD(name, "GLIBC_2.2.5");     \
  double old_##name(double);    \
  double __wrap_##name(double); \
  double __wrap_##name(double x) { return old_##name(x); }
#define OLD_2(name)                     \
  OLD(name, "GLIBC_2.2.5");             \
  double old_##name(double, double);    \
  double __wrap_##name(double, double); \
  double __wrap_##name(double x, double y) { return old_##name(x, y); }

OLD_1(exp)
OLD_1(exp2)
OLD_1(log)
OLD_1(log2)
OLD_2(pow)
OLD_2(hypot)

/* stat and fstat were inline functions around these. */
OLD(__xstat, "GLIBC_2.2.5");
OLD(__fxstat, "GLIBC_2.2.5");
int old___xstat(int version, const char *path, struct stat *out);
int old___fxstat(int version, int fd, struct stat *out);
enum { STAT_VERSION = 1 };
int __wrap_stat(const char *path, struct stat *out);
int __wrap_stat(const char *path, struct stat *out) { return old___xstat(STAT_VERSION, path, out); }
int __wrap_fstat(int fd, struct stat *out);
int __wrap_fstat(int fd, struct stat *out) { return old___fxstat(STAT_VERSION, fd, out); }
