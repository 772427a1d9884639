/* What is said when a library crashes over a file: see guard.h. */
#include "guard.h"
#include "command.h"
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const int SIGNALS[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
enum { N_SIGNALS = sizeof SIGNALS / sizeof *SIGNALS };

#ifdef __SANITIZE_ADDRESS__ /* sanitizers tell more about our own faults */
enum { GUARDS = 0 };
#else
enum { GUARDS = 1 };
#endif

static const char *volatile reading;
static char stack[1 << 16]; /* the common one may be what overflowed */

/* Only functions that are safe in a signal's handler. */
static void say(const char *text) {
  size_t left = strlen(text);
  while (left > 0) {
    ssize_t n = write(STDERR_FILENO, text, left);
    if (n <= 0) return;
    text += n;
    left -= (size_t)n;
  }
}

/* A name from elsewhere may hold what a terminal obeys. */
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
  say("hooke: error: a library crashed while it read '");
  say_name(reading ? reading : "");
  say("' or a file named in it: one of them is damaged; make it anew (if all are sound, this is a "
      "fault "
      "of hooke: please report it)\n");
  _exit(EXIT_BAD_INPUT);
}

void tool_guard_begin(const char *path) {
  stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK};
  reading = path;
  if (!GUARDS) return;
  sigemptyset(&action.sa_mask);
  sigaltstack(&other, NULL);
  for (int i = 0; i < N_SIGNALS; i++) sigaction(SIGNALS[i], &action, NULL);
}

void tool_guard_end(void) {
  for (int i = 0; GUARDS && i < N_SIGNALS; i++) signal(SIGNALS[i], SIG_DFL);
  reading = NULL;
}
