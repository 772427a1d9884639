/* Calls of functions that newer versions of the C library have renamed or added, so that binaries also run on older systems
 * (glibc 2.17 and later).
 *
 * The linker replaces calls of f by __wrap_f (cmake/portable.cmake): in the binary of FMUs, and in the command and the libraries
 * that are linked statically for the tarball and the wheel, objects of static libraries included.  __wrap_f calls the oldest
 * version of f.  Both versions do the same; those of the mathematical functions differ in how errors are reported. */
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* __wrap_<name> jumps to <old>@GLIBC_2.2.5, whatever its arguments.  A section of its own: the linker removes those that are not
 * called. */
#define OLD_AS(name, old)                                                          \
  __asm__(".symver old_" #name "," #old                                            \
          "@GLIBC_2.2.5\n"                                                         \
          ".pushsection .text.wrap_" #name                                         \
          ",\"ax\",@progbits\n"                                                    \
          ".globl __wrap_" #name "\n.hidden __wrap_" #name "\n.type __wrap_" #name \
          ",@function\n"                                                           \
          "__wrap_" #name ":\n\tendbr64\n\tjmp old_" #name                         \
          "@PLT\n"                                                                 \
          ".size __wrap_" #name ", .-__wrap_" #name "\n.popsection")
#define OLD(name) OLD_AS(name, name)

OLD(exp);
OLD(exp2);
OLD(log);
OLD(log2);
OLD(pow);
OLD(hypot);
OLD(logf);
OLD(powf);

OLD_AS(fcntl64, fcntl);
OLD(dlopen);
OLD(dlclose);
OLD(dlerror);
OLD(dlsym);
OLD(dladdr);
OLD(pthread_create);
OLD(pthread_join);
OLD(pthread_detach);
OLD(pthread_once);
OLD(pthread_kill);
OLD(pthread_sigmask);
OLD(pthread_getspecific);
OLD(pthread_setspecific);
OLD(pthread_key_create);
OLD(__pthread_key_create);
OLD(pthread_key_delete);
OLD(pthread_mutex_trylock);
OLD(pthread_mutexattr_init);
OLD(pthread_mutexattr_destroy);
OLD(pthread_mutexattr_settype);

/* stat and its relatives were inline functions around these. */
#define HIDDEN __attribute__((visibility("hidden")))
__asm__(".symver old_xstat,__xstat@GLIBC_2.2.5");
__asm__(".symver old_lxstat,__lxstat@GLIBC_2.2.5");
__asm__(".symver old_fxstat,__fxstat@GLIBC_2.2.5");
int old_xstat(int version, const char *path, struct stat *out);
int old_lxstat(int version, const char *path, struct stat *out);
int old_fxstat(int version, int fd, struct stat *out);
enum { STAT_VERSION = 1 };
HIDDEN int __wrap_stat(const char *path, struct stat *out);
HIDDEN int __wrap_stat(const char *path, struct stat *out) {
  return old_xstat(STAT_VERSION, path, out);
}
HIDDEN int __wrap_lstat(const char *path, struct stat *out);
HIDDEN int __wrap_lstat(const char *path, struct stat *out) {
  return old_lxstat(STAT_VERSION, path, out);
}
HIDDEN int __wrap_fstat(int fd, struct stat *out);
HIDDEN int __wrap_fstat(int fd, struct stat *out) { return old_fxstat(STAT_VERSION, fd, out); }
/* On 64-bit systems the same structure. */
HIDDEN int __wrap_stat64(const char *path, struct stat *out);
HIDDEN int __wrap_stat64(const char *path, struct stat *out) {
  return old_xstat(STAT_VERSION, path, out);
}
HIDDEN int __wrap_lstat64(const char *path, struct stat *out);
HIDDEN int __wrap_lstat64(const char *path, struct stat *out) {
  return old_lxstat(STAT_VERSION, path, out);
}
HIDDEN int __wrap_fstat64(int fd, struct stat *out);
HIDDEN int __wrap_fstat64(int fd, struct stat *out) { return old_fxstat(STAT_VERSION, fd, out); }

/* System calls for which older libraries have no function. */
HIDDEN int __wrap_renameat2(int from_folder, const char *from, int to_folder, const char *to,
                            unsigned flags);
HIDDEN int __wrap_renameat2(int from_folder, const char *from, int to_folder, const char *to,
                            unsigned flags) {
  return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}

HIDDEN void __wrap_closefrom(int first);
HIDDEN void __wrap_closefrom(int first) {
  enum { MOST = 65536 };
  struct rlimit limit;
  if (syscall(SYS_close_range, first, ~0U, 0) == 0) return;
  if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur > MOST) limit.rlim_cur = MOST;
  for (int fd = first; fd < (int)limit.rlim_cur; fd++) close(fd);
}

HIDDEN long __wrap_getrandom(void *bytes, size_t size, unsigned flags);
HIDDEN long __wrap_getrandom(void *bytes, size_t size, unsigned flags) {
  return syscall(SYS_getrandom, bytes, size, flags);
}

HIDDEN int __wrap_memfd_create(const char *name, unsigned flags);
HIDDEN int __wrap_memfd_create(const char *name, unsigned flags) {
  return (int)syscall(SYS_memfd_create, name, flags);
}

/* Asked for by the unwinder of traces: none is found, and a trace ends. */
HIDDEN int __wrap__dl_find_object(void *address, void *result);
HIDDEN int __wrap__dl_find_object(void *address, void *result) {
  (void)address, (void)result;
  return -1;
}
