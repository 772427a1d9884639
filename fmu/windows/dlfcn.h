/* An FMU loads no plugins. */
#ifndef FMU_WINDOWS_DLFCN_H
#define FMU_WINDOWS_DLFCN_H
#define RTLD_NOW 0
#define RTLD_LOCAL 0
static inline void *dlopen(const char *path, int flags) {
  return (void)path, (void)flags, (void *)0;
}
static inline void *dlsym(void *library, const char *name) {
  return (void)library, (void)name, (void *)0;
}
static inline char *dlerror(void) { return (char *)"this program loads no plugins"; }
static inline int dlclose(void *library) { return (void)library, 0; }
#endif
