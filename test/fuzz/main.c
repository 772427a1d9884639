/* A fuzz target without libFuzzer, for the build with sanitizers: it runs the inputs of the corpus, then the
 * same pseudo-random changes of them every time.  libFuzzer uses the coverage and finds more in long searches
 * (script/fuzz, script/verify).
 *
 * usage: PROGRAM EXECUTIONS LONGEST CRASH_FILE [file or folder ...] */
#include <sanitizer/common_interface_defs.h>
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);
/* Of a target that can read an input in several ways, and selects one of them for each input of a search. */
__attribute__((weak)) void fuzz_every_way(const uint8_t *data, size_t size);

enum { MOST_SEEDS = 500, SECONDS = 60 };

typedef struct input {
  uint8_t *at;
  size_t n;
} input;

static input seed[MOST_SEEDS], now;
static int n_seeds;
static const char *crash_file;

/* ---- the corpus ---- */

static void add_file(const char *path, size_t size) {
  FILE *in = fopen(path, "rb");
  uint8_t *at = malloc(size + 1);
  if (!in || !at || n_seeds == MOST_SEEDS || fread(at, 1, size, in) != size) exit(2);
  fclose(in);
  seed[n_seeds++] = (input){at, size};
}

static void add(const char *path) {
  struct stat s;
  struct dirent **entry;
  if (stat(path, &s) != 0) exit(2);
  if (!S_ISDIR(s.st_mode)) {
    add_file(path, (size_t)s.st_size);
    return;
  }
  int n = scandir(path, &entry, NULL, alphasort); /* sorted: the same order everywhere */
  for (int i = 0; i < n; i++) {
    char name[1000];
    snprintf(name, sizeof name, "%s/%s", path, entry[i]->d_name);
    if (entry[i]->d_name[0] != '.') add(name);
    free(entry[i]);
  }
  free(entry);
}

/* ---- changes ---- */

static uint64_t state = 1;

/* xorshift64* [Vigna 2016]: a random number below n. */
static size_t below(size_t n) {
  state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
  return n ? (size_t)((state * 0x2545F4914F6CDD1Dull) >> 11) % n : 0;
}

/* Replaces `out` bytes at `at` by `in` others, as far as there is space. */
static void replace(size_t at, size_t out, const uint8_t *with, size_t in, size_t longest) {
  if (now.n - out + in > longest) return;
  memmove(now.at + at + in, now.at + at + out, now.n - at - out);
  if (in) memcpy(now.at + at, with, in);
  now.n += in - out;
}

static void change(size_t longest) {
  static const char *const word[] = {"0",
                                     "-1",
                                     "1e308",
                                     "nan",
                                     "1e-320",
                                     "18446744073709551616",
                                     "\xff\xff\xff\xff",
                                     "{}",
                                     "[[[",
                                     "\n  ",
                                     "\"",
                                     ": ",
                                     "*",
                                     "%s%n"};
  const input *other = &seed[below((size_t)n_seeds)];
  size_t at = below(now.n + 1), most = now.n - at, length = below((most < 40 ? most : 40) + 1);
  uint8_t piece[40];
  switch (below(7)) {
    case 0: /* one bit */
      if (most) now.at[at] ^= (uint8_t)(1u << below(8));
      break;
    case 1: /* one byte */
      if (most) now.at[at] = (uint8_t)below(256);
      break;
    case 2:
      replace(at, length, NULL, 0, longest);
      break;
    case 3: /* repeats a piece at another position */
      memcpy(piece, now.at + at, length);
      replace(below(now.n + 1), 0, piece, length, longest);
      break;
    case 4: { /* inserts a piece of another input */
      size_t from = below(other->n + 1), left = other->n - from;
      replace(at, length, other->at + from, left < 40 ? left : 40, longest);
      break;
    }
    case 5: { /* values that often cause errors */
      const char *w = word[below(sizeof word / sizeof *word)];
      replace(at, below(2) ? length : 0, (const uint8_t *)w, strlen(w), longest);
      break;
    }
    default: /* cuts off the end */
      if (below(8) == 0) now.n = at;
  }
}

/* ---- executions ---- */

static void keep(void) {
  FILE *out = fopen(crash_file, "wb");
  if (!out) return;
  fwrite(now.at, 1, now.n, out);
  fclose(out);
  fprintf(stderr, "fuzz: the input is in %s\n", crash_file);
}

/* Handles a target that calls abort() or takes longer than SECONDS. */
static void on_signal(int number) {
  keep();
  signal(number, SIG_DFL);
  raise(number);
}

static void execute(bool of_corpus) {
  uint8_t *copy =
      malloc(now.n ? now.n : 1); /* allocated with the exact size, so that a read beyond its end is found */
  if (!copy) exit(2);
  memcpy(copy, now.at, now.n);
  alarm(SECONDS);
  if (of_corpus && fuzz_every_way)
    fuzz_every_way(copy, now.n);
  else
    LLVMFuzzerTestOneInput(copy, now.n);
  alarm(0);
  free(copy);
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  long executions = atol(argv[1]);
  size_t longest = (size_t)atol(argv[2]);
  crash_file = argv[3];
  for (int i = 4; i < argc; i++) add(argv[i]);
  if (n_seeds == 0) seed[n_seeds++] = (input){(uint8_t *)strdup(""), 0};
  for (int i = 0; i < n_seeds; i++)
    if (seed[i].n > longest) longest = seed[i].n;
  now.at = malloc(longest);
  if (!now.at) return 2;
  signal(SIGABRT, on_signal);
  signal(SIGALRM, on_signal);
  if (LLVMFuzzerInitialize) LLVMFuzzerInitialize(&argc, &argv);
  __sanitizer_set_death_callback(keep);
  for (long k = 0; k < executions; k++) {
    const input *from = &seed[k < n_seeds ? (size_t)k : below((size_t)n_seeds)];
    now.n = from->n;
    memcpy(now.at, from->at, now.n);
    for (size_t i = k < n_seeds ? 0 : 1 + below(5); i > 0; i--) change(longest);
    execute(k < n_seeds);
  }
  printf("%ld executions, %d inputs\n", executions, n_seeds);
  for (int i = 0; i < n_seeds; i++) free(seed[i].at);
  free(now.at);
  return 0;
}
