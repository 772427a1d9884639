/* Message if libhdf5 crashes while it reads a file: see hdf5_crash.h. */
#include "hdf5_crash.h"
#include "base/sanitizer.h"
#include "command.h"
#include "results/results_hdf5.h"
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const int SIGNALS[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
enum { N_SIGNALS = sizeof SIGNALS / sizeof *SIGNALS };

#if HK_ADDRESS_SANITIZER /* sanitizers report more details of our own errors */
enum { GUARDS = 0 };
#else
enum { GUARDS = 1 };
#endif

static const char *volatile reading;
static char stack[1 << 16]; /* the normal stack may be the one that overflowed */

/* Writes to stderr with async-signal-safe functions only. */
static void say(const char *text) {
  size_t left = strlen(text);
  while (left > 0) {
    ssize_t n = write(STDERR_FILENO, text, left);
    if (n <= 0) return;
    text += n;
    left -= (size_t)n;
  }
}

/* Writes the name of the file without control sequences of a terminal. */
static void say_name(const char *name) {
  char safe[400];
  size_t n = 0;
  for (; name[n] && n + 1 < sizeof safe; n++)
    safe[n] = (unsigned char)name[n] < ' ' || name[n] == 127 ? '?' : name[n];
  safe[n] = 0;
  say(safe);
}

static void on_crash(int number) {
  (void)number;
  say("hooke: error: libhdf5 crashed while it read '");
  say_name(reading ? reading : "");
  say("': the file is damaged; create it again (if it is valid, this is a defect of hooke: please "
      "report it)\n");
  _exit(EXIT_BAD_INPUT);
}

static void begin(const char *path) {
  stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK};
  reading = path;
  sigemptyset(&action.sa_mask);
  sigaltstack(&other, NULL);
  for (int i = 0; i < N_SIGNALS; i++) sigaction(SIGNALS[i], &action, NULL);
}

static void end(void) {
  for (int i = 0; i < N_SIGNALS; i++) signal(SIGNALS[i], SIG_DFL);
  reading = NULL;
}

void tool_guard_install(void) {
  if (GUARDS) hk_hdf5_watch(begin, end);
}
