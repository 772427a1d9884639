/* Journals: see journal.h. */
#include "study/journal.h"
#include "base/file.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char MAGIC[8] = {'H', 'O', 'O', 'K', 'E', 'J', '1', '\n'};
enum { MAX_TEXT = 2000, MAX_VALUES = 1 << 20 };

typedef struct head {
  char magic[8];
  unsigned char identity[HK_KEY_SIZE];
  uint32_t n_values, reserved;
} head;

typedef struct record_head {
  uint32_t size, crc; /* size of the data after these two members */
  int64_t number;
  unsigned char key[HK_KEY_SIZE];
  uint32_t outcome, text;
  double seconds;
} record_head;
enum { UNCOUNTED = 2 * sizeof(uint32_t) };

struct hk_journal {
  int fd, n_values;
  char *buffer;
  off_t end; /* end of the valid records */
  bool sync, threaded;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t wake;
  bool dirty, quit;
  int failed; /* errno of a failed sync */
};

/* CRC-32 of IEEE 802.3, four bits at a time. */
static inline uint32_t crc32(const void *bytes, size_t n) {
  static const uint32_t nibble[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
                                      0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
                                      0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                      0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
  uint32_t c = 0xffffffffu;
  for (const unsigned char *p = bytes; n--; p++) {
    c ^= *p;
    c = c >> 4 ^ nibble[c & 15];
    c = c >> 4 ^ nibble[c & 15];
  }
  return ~c;
}

/* ---- writing ---- */

/* The lock is not held during the sync, so the worker continues. */
static void *keep_synced(void *context) {
  hk_journal *j = context;
  pthread_mutex_lock(&j->lock);
  while (!j->quit || j->dirty) {
    if (!j->dirty) {
      pthread_cond_wait(&j->wake, &j->lock);
      continue;
    }
    j->dirty = false;
    pthread_mutex_unlock(&j->lock);
    int failed = fdatasync(j->fd) ? errno : 0;
    pthread_mutex_lock(&j->lock);
    if (failed && failed != EINVAL && failed != ENOSYS) j->failed = failed;
  }
  pthread_mutex_unlock(&j->lock);
  return NULL;
}

static int open_new(const char *folder, char *path, size_t size) {
  char host[65] = "host";
  struct timespec now;
  gethostname(host, sizeof host - 1);
  for (char *c = host; *c; c++)
    if (*c == '/') *c = '_';
  for (int attempt = 0; attempt < 100; attempt++) {
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(path, size, "%s/%s-%ld-%lld%09ld.journal", folder, host, (long)getpid(),
             (long long)now.tv_sec, now.tv_nsec);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

static bool write_all(int fd, const char *bytes, size_t n) {
  while (n > 0) {
    ssize_t got = write(fd, bytes, n);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    bytes += got;
    n -= (size_t)got;
  }
  return true;
}

hk_status hk_journal_create(const char *folder, const unsigned char identity[HK_KEY_SIZE],
                            int n_values, bool sync, hk_journal **out, hk_error *err) {
  char path[4096];
  head h = {.n_values = (uint32_t)n_values};
  hk_journal *j = calloc(1, sizeof *j);
  *out = NULL;
  if (j) j->buffer = malloc(sizeof(record_head) + (size_t)n_values * sizeof(double) + MAX_TEXT);
  if (!j || !j->buffer) {
    free(j);
    return hk_fail(err, HK_ENOMEM, "out of memory");
  }
  memcpy(h.magic, MAGIC, sizeof h.magic);
  memcpy(h.identity, identity, sizeof h.identity);
  j->n_values = n_values;
  j->fd = open_new(folder, path, sizeof path);
  if (j->fd < 0 || !write_all(j->fd, (const char *)&h, sizeof h)) {
    hk_fail(err, HK_EIO, "cannot write the journal '%s': %s", path, strerror(errno));
    if (j->fd >= 0) {
      close(j->fd);
      unlink(path);
    }
    free(j->buffer);
    free(j);
    return HK_EIO;
  }
  j->end = sizeof h;
  j->sync = sync;
  pthread_mutex_init(&j->lock, NULL);
  pthread_cond_init(&j->wake, NULL);
  if (sync) j->threaded = pthread_create(&j->thread, NULL, keep_synced, j) == 0;
  *out = j;
  return HK_OK;
}

static hk_status request_sync(hk_journal *j, hk_error *err) {
  int failed = 0;
  if (!j->sync) return HK_OK;
  if (j->threaded) {
    pthread_mutex_lock(&j->lock);
    j->dirty = true;
    failed = j->failed;
    pthread_cond_signal(&j->wake);
    pthread_mutex_unlock(&j->lock);
  } else if (fdatasync(j->fd)) {
    failed = errno;
  }
  return failed
             ? hk_fail(err, HK_EIO, "a journal cannot be written to the disk: %s", strerror(failed))
             : HK_OK;
}

hk_status hk_journal_append(hk_journal *j, const hk_record *r, hk_error *err) {
  size_t text = strlen(r->error), values = (size_t)j->n_values * sizeof(double);
  if (text > MAX_TEXT) text = MAX_TEXT;
  record_head h = {.number = r->number,
                   .outcome = (uint32_t)r->outcome,
                   .text = (uint32_t)text,
                   .seconds = r->seconds};
  memcpy(h.key, r->key, sizeof h.key);
  size_t size = sizeof h + values + text;
  h.size = (uint32_t)(size - UNCOUNTED);
  memcpy(j->buffer, &h, sizeof h);
  memcpy(j->buffer + sizeof h, r->value, values);
  memcpy(j->buffer + sizeof h + values, r->error, text);
  h.crc = crc32(j->buffer + UNCOUNTED, h.size);
  memcpy(j->buffer, &h, sizeof h);
  if (!write_all(j->fd, j->buffer, size)) {
    hk_fail(err, HK_EIO, "cannot write a journal: %s", strerror(errno));
    /* An incomplete record would make the following records unreadable. */
    if (ftruncate(j->fd, j->end) == 0) lseek(j->fd, j->end, SEEK_SET);
    return HK_EIO;
  }
  j->end += (off_t)size;
  return request_sync(j, err);
}

hk_status hk_journal_close(hk_journal *j, hk_error *err) {
  if (!j) return HK_OK;
  if (j->threaded) {
    pthread_mutex_lock(&j->lock);
    j->quit = true;
    pthread_cond_signal(&j->wake);
    pthread_mutex_unlock(&j->lock);
    pthread_join(j->thread, NULL);
  }
  int failed = j->failed;
  pthread_cond_destroy(&j->wake);
  pthread_mutex_destroy(&j->lock);
  if (close(j->fd) && !failed) failed = errno;
  free(j->buffer);
  free(j);
  return failed
             ? hk_fail(err, HK_EIO, "a journal cannot be written to the disk: %s", strerror(failed))
             : HK_OK;
}

/* ---- reading ---- */

typedef struct scanning {
  int n_values;
  hk_status (*take)(void *context, const hk_record *r, hk_error *err);
  void *context;
  hk_journal_scan *scan;
  double *value;
  char *bytes; /* room for one record and a terminating zero */
} scanning;

/* Reads one record into s->bytes and checks it; false after the last valid record. */
static bool next_record(scanning *s, FILE *file, record_head *h, bool *torn) {
  size_t values = (size_t)s->n_values * sizeof(double);
  size_t got = fread(s->bytes, 1, sizeof *h, file);
  *torn = got > 0;
  if (got < sizeof *h) return false;
  memcpy(h, s->bytes, sizeof *h);
  if (h->text > MAX_TEXT || h->size != sizeof *h - UNCOUNTED + values + h->text) return false;
  size_t rest = values + h->text;
  if (fread(s->bytes + sizeof *h, 1, rest, file) < rest) return false;
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
  return true; /* when fuzzing, a changed record would never have the right checksum */
#else
  return h->crc == crc32(s->bytes + UNCOUNTED, h->size);
#endif
}

/* Reads records one by one, so that memory does not grow with the study. */
static hk_status read_records(scanning *s, FILE *file, hk_error *err) {
  size_t values = (size_t)s->n_values * sizeof(double);
  record_head h;
  bool torn;
  while (next_record(s, file, &h, &torn)) {
    memcpy(s->value, s->bytes + sizeof h, values);
    s->bytes[sizeof h + values + h.text] = '\0';
    hk_record r = {.number = h.number,
                   .outcome = h.outcome ? HK_OUTCOME_FAILED : HK_OUTCOME_OK,
                   .seconds = h.seconds,
                   .value = s->value,
                   .error = s->bytes + sizeof h + values};
    memcpy(r.key, h.key, sizeof r.key);
    s->scan->records++;
    hk_status status = s->take(s->context, &r, err);
    if (status) return status;
  }
  s->scan->torn += torn;
  return HK_OK;
}

static hk_status read_one(scanning *s, const char *path, const unsigned char *identity,
                          hk_error *err) {
  head h;
  FILE *file = hk_file_open(path);
  if (!file) return hk_fail(err, HK_EIO, "cannot read '%s': %s", path, hk_file_trouble(errno));
  size_t got = fread(&h, 1, sizeof h, file);
  hk_status status = HK_OK;
  if (got < sizeof h)
    s->scan->torn += got > 0;
  else if (memcmp(h.magic, MAGIC, sizeof h.magic) == 0 &&
           memcmp(h.identity, identity, sizeof h.identity) == 0 &&
           h.n_values == (uint32_t)s->n_values)
    status = read_records(s, file, err);
  else
    s->scan->foreign++;
  if (!status && ferror(file))
    status = hk_fail(err, HK_EIO, "cannot read '%s': %s", path, strerror(errno));
  fclose(file);
  return status;
}

hk_status hk_journal_read_all(const char *folder, const unsigned char identity[HK_KEY_SIZE],
                              int n_values,
                              hk_status (*take)(void *context, const hk_record *r, hk_error *err),
                              void *context, hk_journal_scan *scan, hk_error *err) {
  scanning s = {.n_values = n_values, .take = take, .context = context, .scan = scan};
  *scan = (hk_journal_scan){0};
  DIR *d = opendir(folder);
  if (!d && errno == ENOENT) return HK_OK;
  if (!d) return hk_fail(err, HK_EIO, "cannot read '%s': %s", folder, strerror(errno));
  s.value = calloc((size_t)n_values + 1, sizeof *s.value);
  s.bytes = malloc(sizeof(record_head) + (size_t)n_values * sizeof(double) + MAX_TEXT + 1);
  hk_status status = s.value && s.bytes ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
  for (const struct dirent *e; !status && (e = readdir(d));) {
    size_t n = strlen(e->d_name);
    char path[4096];
    if (n < 8 || strcmp(e->d_name + n - 8, ".journal") != 0) continue;
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    status = read_one(&s, path, identity, err);
  }
  closedir(d);
  free(s.value);
  free(s.bytes);
  return status;
}
