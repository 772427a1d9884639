/* Targets that read HDF5.  libhdf5 1.10 reads out of bounds in damaged object headers: H5O_attr_decode passes
 * an attribute's message to the decoders of types and spaces without its length.  The command handles this
 * (tool/hdf5_crash.c: exit code 2, with the name of the file); here the sanitizer ignores reads within the library
 * (test/fuzz/asan.suppressions), and a signal within the library ends the search without a finding. */
#ifndef HK_FUZZ_HDF5_H
#define HK_FUZZ_HDF5_H
#include "fuzz_file.h"
#include <hdf5.h>
#include <stddef.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <string.h>
#include <time.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
size_t __sanitizer_get_current_allocated_bytes(void); /* only clang has a header for it */

static long fuzz_executions;

/* libFuzzer prints their number only if it ends by itself. */
static void fuzz_hdf5_tell(void) {
  char text[80];
  int n = snprintf(text, sizeof text, "\nstat::number_of_executed_units: %ld\n", fuzz_executions);
  if (write(STDERR_FILENO, text, (size_t)n) < 0) _exit(1);
}

/* HDF5 leaks memory for some damaged files that it cannot open: a search ends before libFuzzer counts that as a
 * finding.  To be called before each execution. */
static void fuzz_hdf5_begin(void) {
  enum { MOST = 1 << 30 };
  fuzz_executions++;
  if (__sanitizer_get_current_allocated_bytes() < MOST) return;
  static const char said[] = "fuzz: libhdf5 itself has lost a gigabyte; the search ends here\n";
  if (write(STDERR_FILENO, said, sizeof said - 1) < 0) _exit(1);
  fuzz_hdf5_tell();
  fuzz_file_remove();
  _exit(0);
}

static void on_signal(int number) {
  void *frame[64];
  int n = backtrace(frame, 64);
  for (int i = 0; i < n; i++) {
    Dl_info at;
    if (!dladdr(frame[i], &at) || !at.dli_fname || !strstr(at.dli_fname, "libhdf5")) continue;
    static const char said[] =
        "fuzz: libhdf5 itself failed over a damaged file; the search ends here: ";
    if (write(STDERR_FILENO, said, sizeof said - 1) < 0) _exit(1);
    if (at.dli_sname && write(STDERR_FILENO, at.dli_sname, strlen(at.dli_sname)) < 0) _exit(1);
    fuzz_hdf5_tell();
    fuzz_file_remove();
    _exit(0);
  }
  signal(number, SIG_DFL);
  raise(number);
}

/* HDF5 waits before it rereads metadata that another process may be writing; here no process writes.  This
 * function replaces the one of the C library. */
int nanosleep(const struct timespec *wanted, struct timespec *left) {
  (void)wanted, (void)left;
  return 0;
}

/* HDF5 needs half a megabyte for each open file, which the sanitizer requests from the system and returns every
 * time unless HDF5 keeps it in its free lists. */
static void keep_blocks(void) {
  enum { KB = 1024, MB = 1024 * KB }; /* damaged files request large blocks, which are not kept */
  H5open();
  H5set_free_list_limits(16 * MB, 4 * MB, 4 * MB, 256 * KB, 16 * MB, 256 * KB);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  keep_blocks();
  void *frame[4];
  backtrace(frame, 4); /* modules loaded at the first use cannot be loaded in a signal handler */
  const int number[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
  struct sigaction action = {.sa_handler = on_signal};
  for (int i = 0; i < 4; i++) sigaction(number[i], &action, NULL);
  return 0;
}
#endif
