/* The start of a program under older versions of the C library: their __libc_start_main is told how the program is initialised,
 * which newer ones do by themselves.  See old_names.c. */
#include <stddef.h>

typedef void start_fn(int argc, char **argv, char **environment);
extern start_fn *__init_array_start[] __attribute__((visibility("hidden")));
extern start_fn *__init_array_end[] __attribute__((visibility("hidden")));
extern void _init(void);

static void initialise(int argc, char **argv, char **environment) {
  _init();
  for (start_fn **f = __init_array_start; f < __init_array_end; f++) (*f)(argc, argv, environment);
}

__asm__(".symver old_start,__libc_start_main@GLIBC_2.2.5");
int old_start(int (*main)(int, char **, char **), int argc, char **argv, start_fn *init,
              void (*fini)(void), void (*loader_fini)(void), void *stack_end);

__attribute__((visibility("hidden"))) int __wrap___libc_start_main(
    int (*main)(int, char **, char **), int argc, char **argv, start_fn *init, void (*fini)(void),
    void (*loader_fini)(void), void *stack_end);
int __wrap___libc_start_main(int (*main)(int, char **, char **), int argc, char **argv,
                             start_fn *init, void (*fini)(void), void (*loader_fini)(void),
                             void *stack_end) {
  (void)init, (void)fini;
  return old_start(main, argc, argv, initialise, NULL, loader_fini, stack_end);
}
