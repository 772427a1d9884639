#define _GNU_SOURCE /* unshare */
/* Results files under failures: kill -9, full disks, failing writes and allocations, damaged files.  In every
 * case a file that opens contains the first rows written, without gaps, and the program does not crash. */
#include "results/results.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { N = 50, CHUNK_ROWS = (128 << 10) / (8 * N), ALL = 1500 };

/* ---- writes that fail: this pwrite stands before the one of the C library ---- */
typedef enum fault { NO_FAULT, DEAD_DISK, FULL_DISK, SHORT_WRITE } fault;
static fault fault_mode;
static int fault_at, n_writes;

ssize_t pwrite(int fd, const void *buf, size_t size, off_t at) {
  struct stat st;
  n_writes++;
  if (fault_mode != NO_FAULT && n_writes >= fault_at) {
    /* on a full disk, existing bytes can still be overwritten */
    bool grows = fstat(fd, &st) != 0 || at + (off_t)size > st.st_size;
    if (fault_mode == SHORT_WRITE && n_writes == fault_at && size > 1) {
      size /= 2;
    } else if (grows || fault_mode == DEAD_DISK) {
      errno = fault_mode == DEAD_DISK ? EIO : ENOSPC;
      return -1;
    }
  }
  return syscall(SYS_pwrite64, fd, buf, size, at);
}

/* ---- allocations that fail, in our own code only: HDF5 is not ours to test ---- */
#if !defined(__SANITIZE_ADDRESS__) && defined(__GLIBC__)
#define FAILING_ALLOCATIONS 1
static int alloc_fail_at, n_allocs;
static bool starved; /* all allocations fail, including those of HDF5 */
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t);
extern char __executable_start, etext;
static bool refuse_from(const void *caller) {
  const char *c = caller;
  return starved ||
         (alloc_fail_at && c >= &__executable_start && c < &etext && ++n_allocs == alloc_fail_at);
}
void *malloc(size_t size) {
  return refuse_from(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}
void *calloc(size_t n, size_t size) {
  return refuse_from(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
}
#endif

/* HDF5 1.10 leaks memory if an object header is damaged. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libhdf5"; }

/* ---- the rows ---- */
static char folder[64], file[96];
static hk_channel_info channel[N];
static char channel_name[N][16];
static const hk_results_meta meta = {.title = "fault", .model_text = "bodies: {}\n"};

static int make_folder(void **state) {
  strcpy(folder, "hooke-fault-XXXXXX");
  if (!mkdtemp(folder)) return -1;
  snprintf(file, sizeof file, "%s/out.h5", folder);
  for (int i = 0; i < N; i++) {
    snprintf(channel_name[i], sizeof channel_name[i], i ? "channel.%d" : "time", i);
    channel[i] = (hk_channel_info){channel_name[i], "m", NULL};
  }
  return 0;
}

/* Files in the folder; removes them all if asked. */
static int count_files(bool remove_them) {
  DIR *d = opendir(folder);
  int n = 0;
  for (struct dirent *e; (e = readdir(d));) {
    char path[400];
    if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
    n++;
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    if (remove_them) unlink(path);
  }
  closedir(d);
  return n;
}

static hk_results *reading; /* open in check_prefix, also after it failed */

static int remove_folder(void **state) {
  hk_results_destroy(reading);
  reading = NULL;
  count_files(true);
  return rmdir(folder);
}

static double value_at(int64_t row, int column) {
  return column ? (double)row * N + column : 1e-4 * (double)row;
}

static hk_status append_row(hk_results_writer *w, int64_t k, hk_error *err) {
  double row[N];
  for (int i = 0; i < N; i++) row[i] = value_at(k, i);
  return hk_results_append(w, row, err);
}

/* Creates the file, appends up to n rows and closes it; returns the first failure. */
static hk_status run(int64_t n, int64_t *appended, hk_error *err) {
  hk_results_writer *w;
  *appended = 0;
  hk_status s = hk_results_create(file, channel, N, &meta, &w, err);
  if (s != HK_OK) return s;
  for (int64_t k = 0; k < n && s == HK_OK; k++) {
    s = append_row(w, k, err);
    if (s == HK_OK) ++*appended;
  }
  hk_status c = hk_results_close(w, NULL, s == HK_OK ? err : NULL);
  return s == HK_OK ? c : s;
}

/* Number of rows of the file, after a check of each row; -1 if it does not open.  A process killed between the new
 * size of the table and its last chunk leaves a table whose last chunk the reader reports as lost. */
static int64_t check_prefix(bool killed, char *status, size_t size, hk_error *err) {
  if (hk_results_open(file, &reading, err) != HK_OK) return -1;
  const hk_results *r = reading;
  int64_t n = hk_results_row_count(r);
  assert_in_range(hk_results_lost_count(r), 0, killed ? CHUNK_ROWS : 0);
  assert_int_equal(hk_results_channel_count(r), N);
  double row[N];
  for (int64_t k = 0; k < n; k++) {
    assert_int_equal(hk_results_read_rows(reading, k, 1, row, err), HK_OK);
    for (int i = 0; i < N; i++) assert_true(row[i] == value_at(k, i));
  }
  if (status) snprintf(status, size, "%s", hk_results_status(r));
  hk_results_destroy(reading);
  reading = NULL;
  return n;
}

static void nap(double seconds) {
  struct timespec t = {(time_t)seconds, (long)((seconds - floor(seconds)) * 1e9)};
  nanosleep(&t, NULL);
}

/* ---- kill -9 ---- */
static void a_killed_run_keeps_its_rows(void **state) {
  enum { KILLS = 20 };
  int readable = 0;
  int64_t total = 0, lost = 0;
  int64_t *appended = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_ptr_not_equal(appended, MAP_FAILED);
  srand(20);
  for (int k = 0; k < KILLS; k++) {
    hk_error err;
    char status[64];
    *appended = -1;
    pid_t child = fork();
    if (child == 0) {
      hk_results_writer *w;
      if (hk_results_create(file, channel, N, &meta, &w, NULL) != HK_OK) _exit(1);
      for (*appended = 0;; ++*appended)
        if (append_row(w, *appended, NULL) != HK_OK) _exit(1);
    }
    while (*(volatile int64_t *)appended < 0) nap(1e-4);
    nap(0.1 * rand() / RAND_MAX);
    assert_int_equal(kill(child, SIGKILL), 0);
    waitpid(child, NULL, 0);
    int64_t n = check_prefix(true, status, sizeof status, &err);
    if (n < 0) print_message("          kill %d: %s\n", k, err.text);
    if (n < 0) continue;
    readable++;
    total += *appended;
    lost += *appended - n;
    assert_true(n + CHUNK_ROWS >= *appended);
    assert_string_equal(status, "running");
  }
  print_message("          killed while appending: %d of %d readable, %lld of %lld rows lost\n",
                readable, KILLS, (long long)lost, (long long)total);
  munmap(appended, 4096);
  assert_int_equal(readable, KILLS);
}

static void a_kill_while_creating_leaves_the_old_or_the_new(void **state) {
  enum { KILLS = 40 };
  int old = 0, orphans = 0;
  hk_error err;
  int64_t n;
  srand(40);
  for (int k = 0; k < KILLS; k++) {
    assert_int_equal(run(77, &n, &err), HK_OK);
    pid_t child = fork();
    if (child == 0)
      for (;;) run(5, &n, NULL);
    nap(0.004 * rand() / RAND_MAX);
    assert_int_equal(kill(child, SIGKILL), 0);
    waitpid(child, NULL, 0);
    n = check_prefix(false, NULL, 0, &err);
    if (n < 0) fail_msg("kill %d: %s", k, err.text);
    assert_true(n == 77 || n <= 5);
    old += n == 77;
    orphans += count_files(true) - 1;
  }
  print_message("          killed while creating: %d of %d readable (%d old), %d orphans\n", KILLS,
                KILLS, old, orphans);
}

/* ---- the n-th write fails ---- */
static void every_write_may_fail(void **state) {
  for (fault mode = DEAD_DISK; mode <= SHORT_WRITE; mode++) {
    int n_created = 0, at;
    for (at = 1;; at++) {
      hk_error err = {0};
      int64_t appended;
      char status[128];
      fault_mode = mode, fault_at = at, n_writes = 0;
      hk_status s = run(ALL, &appended, &err);
      bool hit = n_writes >= at;
      fault_mode = NO_FAULT;
      if (!hit) {
        assert_int_equal(s, HK_OK);
        break;
      }
      if (s != HK_OK) {
        assert_int_equal(s, HK_EIO);
        assert_non_null(strstr(err.text, "out.h5"));
        if (mode != DEAD_DISK && !strstr(err.text, "the disk is full"))
          fail_msg("mode %d, write %d: %s", mode, at, err.text);
      }
      int files = count_files(false);
      if (files == 0) continue; /* failed in create: no file, no temporary file */
      assert_int_equal(files, 1);
      n_created++;
      int64_t n = check_prefix(false, status, sizeof status, &err);
      if (n < 0) fail_msg("mode %d, write %d: %s", mode, at, err.text);
      assert_true(s == HK_OK ? n == ALL : n <= appended + 1);
      if (mode != DEAD_DISK) assert_int_equal(strncmp(status, "failed: the disk", 16) == 0, s != 0);
      count_files(true);
    }
    print_message("          mode %d: %d writes failed one by one, %d left a readable file\n", mode,
                  at - 1, n_created);
    assert_true(n_created > 5);
    count_files(true);
  }
}

/* ---- the n-th allocation fails ---- */
static void every_allocation_may_fail(void **state) {
#ifndef FAILING_ALLOCATIONS
  skip();
#else
  hk_error err;
  int64_t n;
  int k;
  for (k = 1;; k++) {
    alloc_fail_at = k, n_allocs = 0;
    hk_status s = run(400, &n, &err);
    bool hit = n_allocs >= k;
    alloc_fail_at = 0;
    if (s != HK_OK) assert_int_equal(count_files(true), 0);
    if (!hit) break;
    if (s != HK_OK && s != HK_ENOMEM && s != HK_EIO) fail_msg("allocation %d: status %d", k, s);
  }
  print_message("          writer: %d allocations failed one by one\n", k - 1);
  assert_true(k > 8);
  assert_int_equal(check_prefix(false, NULL, 0, &err), 400);
  for (k = 1;; k++) {
    hk_results *r;
    alloc_fail_at = k, n_allocs = 0;
    hk_status s = hk_results_open(file, &r, &err);
    bool hit = n_allocs >= k;
    alloc_fail_at = 0;
    if (s == HK_OK) hk_results_destroy(r);
    if (!hit) break;
    assert_int_equal(s, HK_ENOMEM);
  }
  print_message("          reader: %d allocations failed one by one\n", k - 1);
  assert_true(k > 8);
#endif
}

/* ---- HDF5 gets no memory: that is no failure of the disk ---- */
static void starved_hdf5_is_told_as_such(void **state) {
#ifndef FAILING_ALLOCATIONS
  skip();
#else
  hk_error err;
  hk_results_writer *w;
  char status[HK_RESULTS_STATUS_SIZE];
  assert_int_equal(hk_results_create(file, channel, N, &meta, &w, &err), HK_OK);
  hk_status s = HK_OK;
  int64_t k = 0;
  for (; k < 2 * CHUNK_ROWS; k++) assert_int_equal(append_row(w, k, &err), HK_OK);
  starved = true;
  for (; k < 100 * CHUNK_ROWS && s == HK_OK; k++) s = append_row(w, k, &err);
  starved = false;
  assert_int_equal(s, HK_ENOMEM);
  assert_non_null(strstr(err.text, "out of memory"));
  assert_non_null(strstr(err.text, "are lost"));
  assert_int_equal(hk_results_close(w, NULL, &err), HK_ENOMEM);
  int64_t kept = check_prefix(false, status, sizeof status, &err);
  assert_true(kept >= 2 * CHUNK_ROWS && kept < k);
  assert_non_null(strstr(status, "failed: out of memory"));
#endif
}

/* ---- limits of the system, in a child that leaves by exit() so that HDF5 cleans up ---- */
static void in_child(void (*body)(void)) {
  char log[128];
  struct stat st;
  int result;
  snprintf(log, sizeof log, "%s.log", folder);
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(fd, 2);
    body();
    exit(0);
  }
  waitpid(child, &result, 0);
  assert_int_equal(stat(log, &st), 0);
  assert_true(WIFEXITED(result));
  unlink(log);
  if (WEXITSTATUS(result) == 77) skip();
  assert_int_equal(WEXITSTATUS(result), 0);
  assert_int_equal(st.st_size, 0); /* nothing on stderr */
}

static void exceed_file_size(void) {
  hk_error err = {0};
  int64_t n;
  struct rlimit limit = {300000, 300000};
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &limit);
  if (run(1000000, &n, &err) != HK_EIO || !strstr(err.text, "ulimit -f")) exit(1);
}

static void a_file_size_limit_stops_the_run_cleanly(void **state) {
  hk_error err;
  char status[64];
  in_child(exceed_file_size);
  assert_int_equal(check_prefix(false, status, sizeof status, &err), 2 * CHUNK_ROWS);
  assert_int_equal(strncmp(status, "failed: the file size", 21), 0);
}

/* A private file system of 600 KB; exit code 77 (skipped) if mounting is not permitted. */
static void fill_small_disk(void) {
  hk_error err = {0};
  int64_t n;
  char status[64], filler[96];
  if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
      mount("tmpfs", folder, "tmpfs", 0, "size=600k") != 0)
    _exit(77);
  if (run(1000000, &n, &err) != HK_EIO || !strstr(err.text, "disk is full")) exit(1);
  int64_t kept = check_prefix(false, status, sizeof status, &err);
  if (kept < CHUNK_ROWS || strncmp(status, "failed: the disk is full", 24) != 0) exit(2);
  snprintf(filler, sizeof filler, "%s/filler", folder);
  int fd = open(filler, O_WRONLY | O_CREAT, 0600);
  while (write(fd, folder, 1) == 1) continue;
  close(fd);
  /* no space for a new file: the old one stays, and no other file remains */
  if (run(10, &n, &err) != HK_EIO || !strstr(err.text, "disk is full")) exit(3);
  if (check_prefix(false, NULL, 0, &err) != kept || count_files(false) != 2) exit(4);
  unlink(filler);
  unlink(file);
  if (run(10, &n, &err) != HK_OK || check_prefix(false, NULL, 0, &err) != 10) exit(5);
}

static void a_full_disk_stops_the_run_cleanly(void **state) { in_child(fill_small_disk); }

/* ---- damaged files ---- */
static void put_file(const char *bytes, size_t n) {
  int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (write(fd, bytes, n) != (ssize_t)n) _exit(3);
  close(fd);
}

/* The bytes of a file as a killed run leaves it. */
static size_t unfinished_file(char **bytes) {
  hk_results_writer *w;
  hk_error err;
  struct stat st;
  assert_int_equal(hk_results_create(file, channel, N, &meta, &w, &err), HK_OK);
  for (int64_t k = 0; k < ALL; k++) assert_int_equal(append_row(w, k, &err), HK_OK);
  assert_int_equal(hk_results_flush(w, &err), HK_OK);
  assert_int_equal(stat(file, &st), 0);
  *bytes = malloc((size_t)st.st_size);
  int fd = open(file, O_RDONLY);
  assert_int_equal(read(fd, *bytes, (size_t)st.st_size), st.st_size);
  close(fd);
  assert_int_equal(hk_results_close(w, NULL, &err), HK_OK);
  return (size_t)st.st_size;
}

static void a_cut_file_shows_no_invented_rows(void **state) {
  char *bytes;
  size_t size = unfinished_file(&bytes);
  int opened = 0, cuts = 0;
  for (size_t cut = 8; cut < size; cut += cut < 12000 ? 101 : 10007, cuts++) {
    hk_results *r;
    hk_error err;
    double row[N];
    put_file(bytes, cut);
    if (hk_results_open(file, &r, &err) != HK_OK) continue;
    opened++;
    assert_int_equal(hk_results_row_count(r) + hk_results_lost_count(r), ALL);
    for (int64_t k = 0; k < hk_results_row_count(r); k++) {
      assert_int_equal(hk_results_read_rows(r, k, 1, row, &err), HK_OK);
      for (int i = 0; i < N; i++) assert_true(row[i] == value_at(k, i));
    }
    hk_results_destroy(r);
  }
  print_message("          cut: %d of %d lengths still open\n", opened, cuts);
  assert_true(opened > cuts / 4);
  free(bytes);
}

/* Random changes of metadata bytes: the file is rejected or read, in limited time, without a crash. */
static void changed_bytes_do_no_harm(void **state) {
  enum { BATCHES = 20, PER_BATCH = 50 };
  char *bytes;
  size_t size = unfinished_file(&bytes), head = 12000 < size ? 12000 : size;
  srand(7);
  for (int b = 0; b < BATCHES; b++) {
    unsigned seed = (unsigned)rand();
    int result;
    pid_t child = fork();
    if (child == 0) {
      alarm(60);
      srand(seed);
      for (int k = 0; k < PER_BATCH; k++) {
        hk_results *r;
        double row[N];
        int n = 1 + rand() % 4;
        size_t at[4];
        char was[4];
        for (int j = 0; j < n; j++) {
          at[j] = (size_t)rand() % head;
          was[j] = bytes[at[j]];
          bytes[at[j]] = (char)rand();
        }
        put_file(bytes, size);
        if (hk_results_open(file, &r, NULL) == HK_OK) {
          for (int64_t i = 0; i < hk_results_row_count(r); i += 100)
            if (hk_results_channel_count(r) == N) hk_results_read_rows(r, i, 1, row, NULL);
          hk_results_destroy(r);
        }
        for (int j = n - 1; j >= 0; j--) bytes[at[j]] = was[j];
      }
      _exit(0);
    }
    waitpid(child, &result, 0);
    if (!WIFEXITED(result) || WEXITSTATUS(result) != 0) fail_msg("batch %d, seed %u", b, seed);
  }
  free(bytes);
}

static void append_is_cheap(void **state) {
  enum { ROWS = 200000 };
  struct timespec a, b;
  hk_error err;
  hk_results_writer *w;
  double row[N] = {0};
  assert_int_equal(hk_results_create(file, channel, N, &meta, &w, &err), HK_OK);
  clock_gettime(CLOCK_MONOTONIC, &a);
  for (int k = 0; k < ROWS; k++) {
    row[0] = k;
    assert_int_equal(hk_results_append(w, row, &err), HK_OK);
  }
  assert_int_equal(hk_results_close(w, NULL, &err), HK_OK);
  clock_gettime(CLOCK_MONOTONIC, &b);
  double ns = 1e9 * (double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec);
  print_message("          %.0f ns per row of %d channels\n", ns / ROWS, N);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make_folder, remove_folder)
int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(a_killed_run_keeps_its_rows),
      TEST(a_kill_while_creating_leaves_the_old_or_the_new),
      TEST(every_write_may_fail),
      TEST(every_allocation_may_fail),
      TEST(starved_hdf5_is_told_as_such),
      TEST(a_file_size_limit_stops_the_run_cleanly),
      TEST(a_full_disk_stops_the_run_cleanly),
      TEST(a_cut_file_shows_no_invented_rows),
      TEST(changed_bytes_do_no_harm),
      TEST(append_is_cheap),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
