/* Archives of libraries such as HDF5 are compiled for programs: they read stdout and stderr from where a program has them, which a
 * shared library cannot.  The linker gives them these copies instead (cmake/portable.cmake). */
#include <stdio.h>

extern FILE *__real_stdin, *__real_stdout, *__real_stderr;
extern FILE *__wrap_stdin, *__wrap_stdout, *__wrap_stderr;
FILE *__wrap_stdin, *__wrap_stdout, *__wrap_stderr;

/* Before all other constructors. */
__attribute__((constructor(101))) static void copy(void) {
  __wrap_stdin = __real_stdin;
  __wrap_stdout = __real_stdout;
  __wrap_stderr = __real_stderr;
}
