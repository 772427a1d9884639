/* Steps an FMU for co-simulation, FMI 3.0, on Linux or on Windows, and prints its outputs; then goes back to half of the time and
 * prints how many differ after the same steps: "rollback 0".  For script/fmu_win64.
 *
 * usage: drive BINARY TOKEN RESOURCES STOP STEPS OUTPUTS FIRST_REFERENCE */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef _WIN32
#include <windows.h>
#define OPEN(path) LoadLibraryA(path)
#define FIND(library, name) GetProcAddress(library, name)
typedef HMODULE library;
#else
#include <dlfcn.h>
#define OPEN(path) dlopen(path, RTLD_NOW)
#define FIND(library, name) dlsym(library, name)
typedef void *library;
#endif

enum { MOST = 1000 };
static int (*do_step)(void *, double, double, bool, bool *, bool *, bool *, double *);
static int (*get)(void *, const unsigned *, size_t, double *, size_t);

static void tell(void *environment, int status, const char *category, const char *message) {
  (void)environment;
  fprintf(stderr, "%d %s: %s\n", status, category, message);
}

static bool go(void *f, int from, int to, double h) {
  for (int k = from; k < to; k++) {
    bool event, end, early;
    double last;
    if (do_step(f, k * h, h, true, &event, &end, &early, &last)) return false;
  }
  return true;
}

int main(int argc, char **argv) {
  library l = argc == 8 ? OPEN(argv[1]) : NULL;
  if (!l) return 2;
  void *(*make)(const char *, const char *, const char *, bool, bool, bool, bool, const unsigned *,
                size_t, void *, void *, void *) = (void *)FIND(l, "fmi3InstantiateCoSimulation");
  int (*enter)(void *, bool, double, double, bool, double) =
      (void *)FIND(l, "fmi3EnterInitializationMode");
  int (*leave)(void *) = (void *)FIND(l, "fmi3ExitInitializationMode");
  int (*save)(void *, void **) = (void *)FIND(l, "fmi3GetFMUState");
  int (*restore)(void *, void *) = (void *)FIND(l, "fmi3SetFMUState");
  int (*forget)(void *, void **) = (void *)FIND(l, "fmi3FreeFMUState");
  void (*destroy)(void *) = (void *)FIND(l, "fmi3FreeInstance");
  do_step = (void *)FIND(l, "fmi3DoStep");
  get = (void *)FIND(l, "fmi3GetFloat64");
  double stop = atof(argv[4]), a[MOST], b[MOST];
  int steps = atoi(argv[5]), n = atoi(argv[6]), differ = 0;
  unsigned reference[MOST];
  void *state = NULL;
  if (n > MOST || !make || !get || !do_step) return 2;
  for (int k = 0; k < n; k++) reference[k] = (unsigned)(atoi(argv[7]) + k);
  void *f = make("drive", argv[2], argv[3], 0, 0, 0, 0, NULL, 0, NULL, (void *)tell, NULL);
  if (!f || enter(f, false, 0, 0, true, stop) || leave(f)) return 3;
  if (!go(f, 0, steps / 2, stop / steps) || save(f, &state)) return 4;
  if (!go(f, steps / 2, steps, stop / steps) || get(f, reference, n, a, n)) return 5;
  if (restore(f, state) || !go(f, steps / 2, steps, stop / steps)) return 6;
  if (get(f, reference, n, b, n)) return 7;
  for (int k = 0; k < n; k++) {
    printf("%.15g\n", a[k]);
    differ += a[k] != b[k];
  }
  printf("rollback %d\n", differ);
  forget(f, &state);
  destroy(f);
  return 0;
}
