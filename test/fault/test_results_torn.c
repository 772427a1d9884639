/* A kill at every point of a run.  The writes of a run are recorded and repeated one by one in another file, which is read
 * after every write and within the writes: a system that is stopped there leaves the first bytes of the new block and the
 * last bytes of the old one.  At most the chunk that is being written may be lost, also for readers that were opened before.
 * Copies of the file whose parts are of different age are read as far as their index goes. */
#include "results/results.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <fcntl.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
  N = 50,
  CHUNK_ROWS = (128 << 10) / (8 * N),
  PAGE = 4096,
  RAW = 64 << 10,
  MOST_WRITES = 5000
};

/* ---- the writes of a run: this pwrite and this ftruncate stand before those of the C library ---- */
typedef struct event {
  enum { WRITE, TRUNCATE } kind;
  off_t at;
  size_t size;
  char *bytes;
  int64_t appended; /* rows when it was written; -1 before the file has its name */
} event;

static event recorded[MOST_WRITES];
static int n_recorded;
static bool recording;
static int64_t appended;

static void record(int kind, off_t at, const void *bytes, size_t size) {
  if (!recording || n_recorded == MOST_WRITES) return;
  event *e = &recorded[n_recorded++];
  *e = (event){kind, at, size, malloc(size + 1), appended};
  if (!e->bytes) abort();
  if (size) memcpy(e->bytes, bytes, size);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) {
  record(WRITE, at, bytes, size);
  return syscall(SYS_pwrite64, fd, bytes, size, at);
}

int ftruncate(int fd, off_t size) {
  record(TRUNCATE, size, NULL, 0);
  return (int)syscall(SYS_ftruncate, fd, size);
}

/* ---- the run ---- */
static char folder[64], written[96], torn[96], name[N][16];

static double value_at(int64_t row, int column) {
  return column ? (double)row * N + column : 1e-4 * (double)row;
}

static void run(int chunks) {
  static hk_channel_info channel[N];
  static const float between[3 * N] = {[3] = 0.5f, [5] = 2};
  const hk_results_meta meta = {
      .title = "torn", .model_text = "bodies: {}\n", .summary_room = 2000};
  hk_results_writer *w;
  hk_error err;
  double row[N];
  for (int i = 0; i < N; i++) {
    snprintf(name[i], sizeof name[i], i ? "c%d" : "time", i);
    channel[i] = (hk_channel_info){name[i], "m", NULL};
  }
  n_recorded = 0, appended = -1, recording = true;
  assert_int_equal(hk_results_create(written, channel, N, &meta, &w, &err), HK_OK);
  for (appended = 0; appended < (int64_t)chunks * CHUNK_ROWS; appended++) {
    for (int i = 0; i < N; i++) row[i] = value_at(appended, i);
    assert_int_equal(hk_results_append_between(w, row, between, &err), HK_OK);
  }
  assert_int_equal(hk_results_close(w, NULL, &err), HK_OK);
  recording = false;
  assert_in_range(n_recorded, 8 * chunks, MOST_WRITES - 1);
}

/* ---- what is left of it ---- */
static hk_results *reading;
static int n_read;
static int64_t most_lost;

/* The first and the last row of every chunk. */
static void check_rows(hk_results *r, int64_t n) {
  hk_error err;
  double row[N];
  float between[3 * N];
  for (int64_t k = 0; k < n; k += k % CHUNK_ROWS ? 1 : CHUNK_ROWS - 1) {
    assert_int_equal(hk_results_read_rows(r, k, 1, row, &err), HK_OK);
    for (int i = 0; i < N; i++) assert_true(row[i] == value_at(k, i));
    assert_int_equal(hk_results_read_between_rows(r, k, 1, between, &err), HK_OK);
    assert_true(between[3] == 0.5f && between[4] == 0 && between[5] == 2);
  }
}

static void read_torn(const event *e, size_t done, bool rows_too) {
  hk_error err;
  if (hk_results_open(torn, &reading, &err) != HK_OK)
    fail_msg("write %d, %zu of %zu bytes at %lld: %s", (int)(e - recorded), done, e->size,
             (long long)e->at, err.text);
  int64_t n = hk_results_row_count(reading), lost = e->appended - n;
  if (lost > CHUNK_ROWS || hk_results_lost_count(reading) > CHUNK_ROWS)
    fail_msg("write %d, %zu of %zu bytes at %lld: %lld of %lld rows are lost", (int)(e - recorded),
             done, e->size, (long long)e->at, (long long)lost, (long long)e->appended);
  if (lost > most_lost) most_lost = lost;
  assert_int_equal(hk_results_refresh(reading, &err), HK_OK);
  assert_int_equal(hk_results_row_count(reading), n);
  if (rows_too) check_rows(reading, n);
  hk_results_destroy(reading);
  reading = NULL;
  n_read++;
}

/* Next number of bytes after which the write is interrupted: every `step` bytes and at the borders of pages.  Rows are
 * interrupted in their middle.  The first 48 bytes of a file are one block of HDF5 in one page, which systems write at
 * once. */
static size_t next_stop(const event *e, size_t done, size_t step) {
  size_t page = ((size_t)e->at + done) / PAGE * PAGE + PAGE - (size_t)e->at, next = done + step;
  if (e->at == 0 && e->size <= 48) return e->size;
  if (e->size > RAW) return done < e->size / 2 ? e->size / 2 : e->size;
  if (page < next) next = page;
  return next < e->size ? next : e->size;
}

static void put(int fd, const void *bytes, size_t size, off_t at) {
  assert_int_equal(syscall(SYS_pwrite64, fd, bytes, size, at), size);
}

/* Repeats a write that is not interrupted, or a change of the length. */
static void repeat_whole(const event *e, int fd) {
  if (e->kind == TRUNCATE)
    assert_int_equal(syscall(SYS_ftruncate, fd, e->at), 0);
  else
    put(fd, e->bytes, e->size, e->at);
}

static void repeat(const event *e, int fd, size_t step) {
  if (e->kind == TRUNCATE || e->appended < 0) {
    repeat_whole(e, fd);
    return;
  }
  for (size_t done = 0, next; done < e->size; done = next) {
    next = next_stop(e, done, step);
    put(fd, e->bytes + done, next - done, e->at + (off_t)done);
    read_torn(e, next, next == e->size && e->size > RAW);
  }
}

enum { CHUNKS = 30, STEP = 23 };

static int begin(int chunks) {
  run(chunks);
  n_read = 0;
  int fd = open(torn, O_RDWR | O_CREAT | O_TRUNC, 0600);
  assert_true(fd >= 0);
  return fd;
}

static void every_kill_loses_one_chunk_at_most(void **state) {
  int fd = begin(CHUNKS);
  for (int i = 0; i < n_recorded; i++) repeat(&recorded[i], fd, STEP);
  close(fd);
  print_message(
      "          %d writes of a run of %d chunks: interrupted at %d points, %lld rows lost at "
      "most\n",
      n_recorded, CHUNKS, n_read, (long long)most_lost);
  assert_true(n_read > 5 * n_recorded);
}

/* ---- readers that were opened before the kill ---- */

/* After `done` bytes of a write: two readers that were opened before it have the rows of one that is opened now. */
static void refresh_torn(const event *e, size_t done, hk_results *const before[2]) {
  hk_error err;
  double last[N];
  assert_int_equal(hk_results_open(torn, &reading, &err), HK_OK);
  const int64_t n = hk_results_row_count(reading);
  for (int i = 0; i < 2; i++) {
    if (hk_results_refresh(before[i], &err) != HK_OK)
      fail_msg("write %d, %zu of %zu bytes at %lld: %s", (int)(e - recorded), done, e->size,
               (long long)e->at, err.text);
    assert_int_equal(hk_results_row_count(before[i]), n);
    if (n == 0) continue;
    assert_int_equal(hk_results_read_rows(before[i], n - 1, 1, last, &err), HK_OK);
    assert_true(last[N - 1] == value_at(n - 1, N - 1));
  }
  hk_results_destroy(reading);
  reading = NULL;
  n_read++;
}

static void repeat_for_readers(const event *e, int fd) {
  struct stat was;
  hk_results *before[2];
  hk_error err;
  assert_int_equal(fstat(fd, &was), 0);
  char *old = calloc(1, e->size);
  assert_non_null(old);
  assert_true(pread(fd, old, e->size, e->at) >= 0);
  for (size_t done = 0; done < e->size;) {
    done = next_stop(e, done, STEP);
    put(fd, old, e->size, e->at);
    assert_int_equal(syscall(SYS_ftruncate, fd, was.st_size), 0);
    for (int i = 0; i < 2; i++) assert_int_equal(hk_results_open(torn, &before[i], &err), HK_OK);
    put(fd, e->bytes, done, e->at);
    refresh_torn(e, done, before);
    for (int i = 0; i < 2; i++) hk_results_destroy(before[i]);
  }
  free(old);
}

static void readers_survive_every_kill(void **state) {
  int fd = begin(CHUNKS);
  for (int i = 0; i < n_recorded; i++)
    if (recorded[i].kind == TRUNCATE || recorded[i].appended < 0)
      repeat_whole(&recorded[i], fd);
    else
      repeat_for_readers(&recorded[i], fd);
  close(fd);
  print_message("          refreshed at %d points\n", n_read);
  assert_true(n_read > 5 * n_recorded);
}

/* ---- parts of different age ---- */

static off_t place_of_copies(void) {
  hid_t file = H5Fopen(written, H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t set = H5Dopen2(file, "last_write", H5P_DEFAULT);
  haddr_t at = H5Dget_offset(set);
  assert_true(at != HADDR_UNDEF);
  H5Dclose(set);
  H5Fclose(file);
  return (off_t)at;
}

static int64_t rows_now(void) {
  hk_error err;
  assert_int_equal(hk_results_open(torn, &reading, &err), HK_OK);
  int64_t n = hk_results_row_count(reading);
  check_rows(reading, n);
  hk_results_destroy(reading);
  reading = NULL;
  n_read++;
  return n;
}

/* A program that copies several parts of the file at the same time may find /last_write older than the index. */
static void an_older_copy_hides_no_rows(void **state) {
  enum { OLDER = 14, FEW_CHUNKS = 12 };
  const event *copy[OLDER] = {0};
  int n_copies = 0, fd = begin(FEW_CHUNKS);
  const off_t at = place_of_copies();
  for (int i = 0; i < n_recorded; i++) {
    const event *e = &recorded[i];
    repeat_whole(e, fd);
    if (e->appended < 0 || e->kind == TRUNCATE) continue;
    if (e->at == at) {
      copy[n_copies++ % OLDER] = e;
      continue;
    }
    int64_t n = n_copies ? rows_now() : 0;
    for (int k = 2; k <= OLDER && k <= n_copies; k++) {
      repeat_whole(copy[(n_copies - k) % OLDER], fd);
      assert_int_equal(rows_now(), n);
    }
    if (n_copies) repeat_whole(copy[(n_copies - 1) % OLDER], fd);
  }
  close(fd);
  print_message("          read %d times\n", n_read);
  assert_true(n_copies > FEW_CHUNKS && n_read > OLDER * FEW_CHUNKS);
}

static int make_folder(void **state) {
  strcpy(folder, "hooke-torn-XXXXXX");
  if (!mkdtemp(folder)) return -1;
  snprintf(written, sizeof written, "%s/written.h5", folder);
  snprintf(torn, sizeof torn, "%s/torn.h5", folder);
  return 0;
}

static int remove_folder(void **state) {
  hk_results_destroy(reading);
  for (int i = 0; i < n_recorded; i++) free(recorded[i].bytes);
  unlink(written);
  unlink(torn);
  return rmdir(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(every_kill_loses_one_chunk_at_most, make_folder,
                                      remove_folder),
      cmocka_unit_test_setup_teardown(readers_survive_every_kill, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(an_older_copy_hides_no_rows, make_folder, remove_folder),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
