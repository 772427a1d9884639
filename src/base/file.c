/* Record of input files, and output files written as drafts: see file.h. */
#include "base/file.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the record ---- */

typedef struct entry {
  dev_t device;
  ino_t inode;
  char *name;
  bool written; /* true: output, false: input */
} entry;

static struct {
  pthread_mutex_t lock;
  bool on, incomplete;
  entry *list;
  int n, capacity;
} record = {.lock = PTHREAD_MUTEX_INITIALIZER};

void hk_files_record(void) { record.on = true; }

void hk_files_forget(void) {
  pthread_mutex_lock(&record.lock);
  for (int i = 0; i < record.n; i++) free(record.list[i].name);
  free(record.list);
  record.list = NULL;
  record.n = record.capacity = 0;
  record.on = record.incomplete = false;
  pthread_mutex_unlock(&record.lock);
}

static bool same(const entry *e, const struct stat *s) {
  return e->device == s->st_dev && e->inode == s->st_ino;
}

/* Returns true if the file still exists unchanged. If it was deleted or replaced, its inode may belong to another
 * file. */
static bool exists_unchanged(const entry *e) {
  struct stat now;
  return stat(e->name, &now) == 0 && same(e, &now);
}

static const entry *find(const struct stat *s) {
  for (int i = 0; i < record.n; i++)
    if (same(&record.list[i], s) && exists_unchanged(&record.list[i])) return &record.list[i];
  return NULL;
}

static bool grow(void) {
  if (record.n < record.capacity) return true;
  int capacity = record.capacity ? 2 * record.capacity : 32;
  entry *list = realloc(record.list, (size_t)capacity * sizeof *list);
  if (!list) return false;
  record.list = list;
  record.capacity = capacity;
  return true;
}

static void note(const struct stat *s, const char *name, bool written) {
  if (!record.on || !S_ISREG(s->st_mode)) return;
  pthread_mutex_lock(&record.lock);
  if (!find(s)) {
    char *copy = grow() ? strdup(name) : NULL;
    if (copy)
      record.list[record.n++] = (entry){s->st_dev, s->st_ino, copy, written};
    else
      record.incomplete = true;
  }
  pthread_mutex_unlock(&record.lock);
}

void hk_file_note(const char *path) {
  struct stat s;
  if (record.on && stat(path, &s) == 0) note(&s, path, false);
}

FILE *hk_input_open(const char *path) {
  struct stat s;
  FILE *file = fopen(path, "rbe");
  if (file && record.on && fstat(fileno(file), &s) == 0) note(&s, path, false);
  return file;
}

FILE *hk_file_open(const char *path) {
  struct stat s;
  if (stat(path, &s) != 0) return NULL;
  if (S_ISREG(s.st_mode)) return hk_input_open(path);
  errno = S_ISDIR(s.st_mode) ? EISDIR : ESPIPE;
  return NULL;
}

const char *hk_file_trouble(int number) {
  return number == EISDIR || number == ESPIPE ? "it is not a regular file" : strerror(number);
}

static bool is_standard(const char *path) { return strcmp(path, "-") == 0; }

hk_status hk_new_file_check(const char *path, hk_error *err) {
  struct stat s, in;
  bool there = is_standard(path) ? fstat(STDOUT_FILENO, &s) == 0 : stat(path, &s) == 0;
  if (!record.on || !there || !S_ISREG(s.st_mode)) return HK_OK;
  const char *what = is_standard(path) ? "standard output" : path;
  hk_status status = HK_OK;
  pthread_mutex_lock(&record.lock);
  const entry *e = find(&s);
  if (record.incomplete)
    status = hk_fail(
        err, HK_ENOMEM,
        "out of memory for the list of input files; '%s' is not written, because it may be one of "
        "the input files",
        what);
  else if (e && e->written)
    status = hk_fail(err, HK_EINPUT,
                     "'%s' would overwrite '%s', which is another output file; choose another name",
                     what, e->name);
  else if (e)
    status = hk_fail(err, HK_EINPUT,
                     "'%s' would overwrite '%s', which is an input file; choose another name", what,
                     e->name);
  else if (fstat(STDIN_FILENO, &in) == 0 && in.st_dev == s.st_dev && in.st_ino == s.st_ino)
    status = hk_fail(err, HK_EINPUT,
                     "'%s' would overwrite the file on standard input; choose another name", what);
  pthread_mutex_unlock(&record.lock);
  return status;
}

/* ---- outputs ---- */

/* The target of a symbolic link is relative to the folder of the link. */
static char *link_target(const char *link, const char *text) {
  const char *slash = strrchr(link, '/');
  size_t folder = slash && text[0] != '/' ? (size_t)(slash - link) + 1 : 0;
  char *path = malloc(folder + strlen(text) + 1);
  if (!path) return NULL;
  memcpy(path, link, folder);
  strcpy(path + folder, text);
  return path;
}

bool hk_file_is_descriptor(const char *path) {
  return strncmp(path, "/dev/fd/", 8) == 0 || strncmp(path, "/dev/std", 8) == 0 ||
         (strncmp(path, "/proc/", 6) == 0 && strstr(path, "/fd/"));
}

char *hk_file_follow(const char *path) {
  enum { MOST_LINKS = 40 };
  char *here = strdup(path), text[PATH_MAX];
  for (int i = 0; here && i < MOST_LINKS; i++) {
    ssize_t n = hk_file_is_descriptor(here) ? -1 : readlink(here, text, sizeof text - 1);
    if (n < 0) return here; /* a name that is not a link, or a file that does not exist */
    text[n] = 0;
    char *next = link_target(here, text);
    free(here);
    here = next;
  }
  errno = here ? ELOOP : ENOMEM;
  free(here);
  return NULL;
}

static hk_status refused(const char *path, int why, hk_error *err) {
  if (why == ENOMEM) return hk_fail(err, HK_ENOMEM, "out of memory");
  const char *text = why == ENOENT   ? "the folder does not exist; create it first"
                     : why == EISDIR ? "it is a folder; choose another name"
                                     : strerror(why);
  return hk_fail(err, HK_EIO, "cannot write '%s': %s", path, text);
}

/* Returns the errno of access() for the folder of a file. */
static int folder_trouble(const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash) return access(".", W_OK | X_OK) ? errno : 0;
  char *folder = strndup(path, (size_t)(slash - path) + 1);
  if (!folder) return ENOMEM;
  int why = access(folder, W_OK | X_OK) ? errno : 0;
  free(folder);
  return why;
}

hk_status hk_new_file_possible(const char *path, hk_error *err) {
  struct stat s;
  if (is_standard(path)) return HK_OK;
  char *target = hk_file_follow(path);
  int why = target ? 0 : errno;
  bool there = target && stat(target, &s) == 0;
  if (target && !there)
    why = errno == ENOENT ? folder_trouble(target) : errno;
  else if (there && S_ISDIR(s.st_mode))
    why = EISDIR;
  else if (there && access(target, W_OK))
    why = errno;
  else if (there && S_ISREG(s.st_mode) && !hk_file_is_descriptor(target))
    why = folder_trouble(target);
  free(target);
  return why ? refused(path, why, err) : HK_OK;
}

/* Creates a new file in the folder of the target. O_EXCL: no link is followed, and the name is
 * unique to this process. */
static int create_draft(hk_new_file *o) {
  const char *slash = strrchr(o->path, '/');
  int folder = slash ? (int)(slash - o->path) + 1 : 0, fd = -1;
  size_t size = (size_t)folder + 64;
  o->draft = malloc(size);
  if (!o->draft) {
    errno = ENOMEM;
    return -1;
  }
  for (int k = 0; k < 10000 && fd < 0; k++) {
    snprintf(o->draft, size, "%.*s.hooke-%ld-%d.draft", folder, o->path, (long)getpid(), k);
    fd = open(o->draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 && errno != EEXIST) break;
  }
  return fd;
}

/* Returns the descriptor to write to, or -1 with errno. */
static int open_target(hk_new_file *o) {
  struct stat old;
  if (hk_file_is_descriptor(o->path)) return open(o->path, O_WRONLY | O_TRUNC | O_CLOEXEC);
  if (stat(o->path, &old) != 0) return errno == ENOENT ? create_draft(o) : -1;
  if (S_ISDIR(old.st_mode)) {
    errno = EISDIR;
    return -1;
  }
  if (!S_ISREG(old.st_mode)) return open(o->path, O_WRONLY | O_CLOEXEC);
  if (access(o->path, W_OK)) return -1; /* rename() does not check the permission of the file */
  int fd = create_draft(o);
  if (fd >= 0) (void)!fchmod(fd, old.st_mode & 0777);
  return fd;
}

static void release(hk_new_file *o) {
  free(o->path);
  free(o->draft);
  *o = (hk_new_file){0};
}

hk_status hk_new_file_open(hk_new_file *o, const char *path, hk_error *err) {
  *o = (hk_new_file){0};
  hk_status status = hk_new_file_check(path, err);
  if (status) return status;
  if (is_standard(path)) {
    o->file = stdout;
    return HK_OK;
  }
  o->path = hk_file_follow(path);
  int fd = o->path ? open_target(o) : -1;
  o->file = fd >= 0 ? fdopen(fd, "wb") : NULL;
  if (o->file) return HK_OK;
  int why = errno;
  if (fd >= 0) close(fd);
  if (fd >= 0 && o->draft) unlink(o->draft);
  release(o);
  return refused(path, why, err);
}

const char *hk_new_file_name(const hk_new_file *o) { return o->draft ? o->draft : o->path; }

bool hk_new_file_move(const char *draft, const char *path) { return rename(draft, path) == 0; }

/* Renames the complete file to its target and records it as an output. */
static bool put_in_place(const hk_new_file *o) {
  struct stat s;
  if (o->draft && rename(o->draft, o->path)) return false;
  if (o->path && stat(o->path, &s) == 0) note(&s, o->path, true);
  return true;
}

hk_status hk_new_file_close(hk_new_file *o, hk_status status, hk_error *err) {
  if (!o->file) return status;
  int earlier = errno; /* errno of a write that failed earlier, if any */
  errno = 0;
  bool failed = fflush(o->file) != 0 || ferror(o->file);
  int why = failed ? (errno ? errno : earlier ? earlier : EIO) : 0;
  if (o->file != stdout && fclose(o->file) != 0 && !why) why = errno;
  if (why == EPIPE) why = 0;
  if (!status && !why && !put_in_place(o)) why = errno;
  if ((status || why) && o->draft) unlink(o->draft);
  if (!status && why) status = refused(o->path ? o->path : "standard output", why, err);
  release(o);
  return status;
}
