/* Zip archives: see archive.h.  Layout after [PKWARE APPNOTE 6.3.9]. */
#include "import/archive.h"
#include "base/file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum {
  END_SIZE = 22,
  MOST_COMMENT = 65535,
  ENTRY_SIZE = 46,
  LOCAL_SIZE = 30,
  FLAG_ENCRYPTED = 1,
  STORED = 0,
  DEFLATED = 8,
  MADE_ON_UNIX = 3,
};

static uint32_t number(const unsigned char *at, int bytes) {
  uint32_t value = 0;
  for (int i = bytes; i-- > 0;) value = value << 8 | at[i];
  return value;
}

/* ---- the directory ---- */

/* Finds the record "end of central directory": the last such record whose comment ends exactly
 * at the end of the archive. */
static const unsigned char *find_end(const hk_archive *a) {
  if (a->size < END_SIZE) return NULL;
  size_t most = a->size - END_SIZE;
  for (size_t back = 0; back <= MOST_COMMENT && back <= most; back++) {
    const unsigned char *at = a->bytes + most - back;
    if (memcmp(at, "PK\5\6", 4) == 0 && number(at + 20, 2) == back) return at;
  }
  return NULL;
}

/* Returns the reason why a name is invalid, or NULL. Parts of names are separated by '/'; no part
 * may be empty, "." or "..". */
static const char *wrong_name(const char *name, size_t length) {
  if (length == 0) return "is empty";
  if (length > HK_ARCHIVE_MAX_NAME) return "is too long";
  if (memchr(name, 0, length)) return "contains a zero byte";
  if (memchr(name, '\\', length)) return "contains a backslash";
  if (name[0] == '/' || (length > 1 && name[1] == ':')) return "is absolute";
  for (size_t i = 0; i < length; i++)
    if ((unsigned char)name[i] < ' ' || name[i] == 127) return "contains a control character";
  for (size_t at = 0; at < length;) {
    const char *slash = memchr(name + at, '/', length - at);
    size_t n = slash ? (size_t)(slash - name) - at : length - at;
    if (n == 0) return "has an empty part";
    if (n == 2 && name[at] == '.' && name[at + 1] == '.') return "leads out of the archive";
    if (n == 1 && name[at] == '.') return "contains '.' as a part";
    at += n + 1;
  }
  return NULL;
}

static hk_status read_entry(hk_archive *a, const unsigned char *at, size_t left, char *text,
                            size_t *used, uint64_t *total, hk_error *err) {
  if (left < ENTRY_SIZE || memcmp(at, "PK\1\2", 4) != 0)
    return hk_fail(err, HK_EINPUT, "its directory is damaged");
  size_t length = number(at + 28, 2), extra = (size_t)number(at + 30, 2) + number(at + 32, 2);
  if (left < ENTRY_SIZE + length + extra)
    return hk_fail(err, HK_EINPUT, "its directory is damaged");
  const char *wrong = wrong_name((const char *)at + ENTRY_SIZE, length);
  if (wrong) return hk_fail(err, HK_EINPUT, "the name of file %d in it %s", a->n + 1, wrong);
  memcpy(text, at + ENTRY_SIZE, length);
  text[length] = '\0';
  *used = ENTRY_SIZE + length + extra;
  hk_archive_entry e = {.name = text,
                        .method = number(at + 10, 2),
                        .crc = number(at + 16, 4),
                        .packed = number(at + 20, 4),
                        .size = number(at + 24, 4),
                        .offset = number(at + 42, 4)};
  uint32_t mode = at[5] == MADE_ON_UNIX ? number(at + 40, 2) : 0;
  if ((mode & S_IFMT) && !S_ISREG(mode) && !S_ISDIR(mode))
    return hk_fail(err, HK_EINPUT, "'%s' in it is a link or a device", text);
  if (number(at + 8, 2) & FLAG_ENCRYPTED)
    return hk_fail(err, HK_EINPUT, "'%s' in it is encrypted", text);
  if (e.method != STORED && e.method != DEFLATED)
    return hk_fail(err, HK_EINPUT, "'%s' in it is packed by method %u; only deflate is known", text,
                   e.method);
  if (e.size == UINT32_MAX || e.packed == UINT32_MAX || e.offset == UINT32_MAX)
    return hk_fail(err, HK_EINPUT, "'%s' in it is larger than 4 GiB", text);
  *total += e.size;
  if (*total > HK_ARCHIVE_MAX_BYTES)
    return hk_fail(err, HK_EINPUT, "its files have more than %u MiB",
                   (unsigned)(HK_ARCHIVE_MAX_BYTES >> 20));
  a->entry[a->n++] = e;
  return HK_OK;
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const hk_archive_entry *)a)->name, ((const hk_archive_entry *)b)->name);
}

/* Some programs write an entry again for each file that they add to a folder: repetitions with the
 * same contents are dropped.  Different files with one name would overwrite each other. */
static hk_status drop_repetitions(hk_archive *a, hk_error *err) {
  int n = 0;
  for (int i = 0; i < a->n; i++) {
    const hk_archive_entry *e = &a->entry[i], *before = n ? &a->entry[n - 1] : NULL;
    if (!before || strcmp(before->name, e->name) != 0)
      a->entry[n++] = *e;
    else if (before->crc != e->crc || before->size != e->size)
      return hk_fail(err, HK_EINPUT, "'%s' is in it twice", e->name);
  }
  a->n = n;
  return HK_OK;
}

static hk_status read_directory(hk_archive *a, hk_error *err) {
  const unsigned char *end = find_end(a);
  if (!end) return hk_fail(err, HK_EINPUT, "it is not a zip archive, or its end is missing");
  uint32_t n = number(end + 10, 2), size = number(end + 12, 4), start = number(end + 16, 4);
  size_t before = (size_t)(end - a->bytes);
  if (number(end + 4, 4) != 0 || number(end + 8, 2) != n)
    return hk_fail(err, HK_EINPUT, "it is a part of a split archive");
  if (n > HK_ARCHIVE_MAX_ENTRIES)
    return hk_fail(err, HK_EINPUT, "it has more than %d files", HK_ARCHIVE_MAX_ENTRIES);
  if (start > before || size > before - start)
    return hk_fail(err, HK_EINPUT, "its directory is damaged");
  size_t texts = (size_t)size + n;
  a->entry = malloc((n + 1) * sizeof *a->entry + texts);
  if (!a->entry) return hk_fail(err, HK_ENOMEM, "out of memory");
  char *text = (char *)(a->entry + n + 1);
  const unsigned char *at = a->bytes + start;
  uint64_t total = 0;
  size_t left = size;
  for (uint32_t i = 0; i < n; i++) {
    size_t used = 0;
    hk_status status = read_entry(a, at, left, text, &used, &total, err);
    if (status) return status;
    text += strlen(text) + 1;
    at += used;
    left -= used;
  }
  if (a->n) qsort(a->entry, (size_t)a->n, sizeof *a->entry, by_name);
  return drop_repetitions(a, err);
}

/* ---- opening ---- */

static hk_status read_bytes(hk_archive *a, FILE *f, hk_error *err) {
  struct stat about;
  if (fstat(fileno(f), &about)) return hk_fail(err, HK_EINPUT, "%s", strerror(errno));
  if ((uint64_t)about.st_size > HK_ARCHIVE_MAX_BYTES)
    return hk_fail(err, HK_EINPUT, "it has more than %u MiB",
                   (unsigned)(HK_ARCHIVE_MAX_BYTES >> 20));
  a->size = (size_t)about.st_size;
  a->bytes = malloc(a->size + 1);
  if (!a->bytes) return hk_fail(err, HK_ENOMEM, "out of memory");
  if (fread(a->bytes, 1, a->size, f) != a->size)
    return hk_fail(err, HK_EINPUT, "it cannot be read to its end");
  return HK_OK;
}

hk_status hk_archive_open(hk_archive *a, const char *path, hk_error *err) {
  *a = (hk_archive){0};
  FILE *f = hk_file_open(path);
  if (!f) return hk_fail(err, HK_EINPUT, "%s", hk_file_trouble(errno));
  hk_status status = read_bytes(a, f, err);
  fclose(f);
  return status ? status : read_directory(a, err);
}

hk_status hk_archive_of(hk_archive *a, const void *bytes, size_t size, hk_error *err) {
  *a = (hk_archive){.bytes = malloc(size + 1), .size = size};
  if (!a->bytes) return hk_fail(err, HK_ENOMEM, "out of memory");
  if (size) memcpy(a->bytes, bytes, size);
  return read_directory(a, err);
}

void hk_archive_close(hk_archive *a) {
  free(a->bytes);
  free(a->entry);
  *a = (hk_archive){0};
}

const hk_archive_entry *hk_archive_find(const hk_archive *a, const char *name) {
  const hk_archive_entry key = {.name = name};
  return a->n ? bsearch(&key, a->entry, (size_t)a->n, sizeof *a->entry, by_name) : NULL;
}

/* ---- contents ---- */

static bool inflate_into(const unsigned char *data, const hk_archive_entry *e, unsigned char *out) {
  z_stream z = {.next_in = (Bytef *)(uintptr_t)data,
                .avail_in = e->packed,
                .next_out = out,
                .avail_out = e->size};
  if (inflateInit2(&z, -MAX_WBITS) != Z_OK) return false;
  int done = inflate(&z, Z_FINISH);
  bool whole = done == Z_STREAM_END && z.total_out == e->size;
  inflateEnd(&z);
  return whole;
}

hk_status hk_archive_read(const hk_archive *a, const hk_archive_entry *e, unsigned char **out,
                          hk_error *err) {
  *out = NULL;
  const unsigned char *local = a->bytes + e->offset;
  if (a->size < LOCAL_SIZE || e->offset > a->size - LOCAL_SIZE || memcmp(local, "PK\3\4", 4) != 0)
    return hk_fail(err, HK_EINPUT, "'%s' in it is damaged", e->name);
  uint64_t start = (uint64_t)e->offset + LOCAL_SIZE + number(local + 26, 2) + number(local + 28, 2);
  if (start > a->size || e->packed > a->size - start)
    return hk_fail(err, HK_EINPUT, "'%s' in it is damaged", e->name);
  /* The deflate format compresses by a factor of at most about 1032: a larger stated size is false
   * and would only reserve memory. */
  if (e->method == STORED ? e->packed != e->size : e->size > 1100ull * e->packed + 64)
    return hk_fail(err, HK_EINPUT, "'%s' in it does not have the size that the archive states",
                   e->name);
  unsigned char *bytes = malloc((size_t)e->size + 1);
  if (!bytes) return hk_fail(err, HK_ENOMEM, "out of memory");
  bool whole = true;
  if (e->method == STORED)
    memcpy(bytes, a->bytes + start, e->size);
  else
    whole = inflate_into(a->bytes + start, e, bytes);
  if (!whole || crc32(0, bytes, e->size) != e->crc) {
    free(bytes);
    return hk_fail(err, HK_EINPUT, "'%s' in it is damaged", e->name);
  }
  bytes[e->size] = '\0';
  *out = bytes;
  return HK_OK;
}

static bool make_folders(char *path, size_t from) {
  for (char *slash = strchr(path + from, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
    *slash = '/';
    if (!made) return false;
  }
  return true;
}

static hk_status unpack_one(const hk_archive *a, const hk_archive_entry *e, const char *folder,
                            hk_error *err) {
  char path[1024];
  unsigned char *bytes;
  size_t length = strlen(e->name), from = strlen(folder) + 1;
  if (snprintf(path, sizeof path, "%s/%s", folder, e->name) >= (int)sizeof path)
    return hk_fail(err, HK_EINPUT, "the path of '%s' is too long", e->name);
  bool made = make_folders(path, from);
  if (made && e->name[length - 1] == '/') return HK_OK;
  hk_status status = made ? hk_archive_read(a, e, &bytes, err) : HK_OK;
  if (status) return status;
  /* Creates a new file in the private folder. This file must not exist yet: a file with this name could only come from
   * the same archive. */
  int f = made ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0700) : -1;
  bool written = f >= 0;
  for (size_t at = 0; written && at < e->size;) {
    ssize_t n = write(f, bytes + at, e->size - at);
    if (n < 0 && errno == EINTR) continue;
    written = n > 0;
    if (written) at += (size_t)n;
  }
  if (!written)
    status = hk_fail(err, HK_EIO, "'%s' cannot be unpacked: %s", e->name, strerror(errno));
  if (f >= 0) close(f);
  if (made) free(bytes);
  return status;
}

hk_status hk_archive_unpack(const hk_archive *a, const char *prefix, const char *folder,
                            hk_error *err) {
  size_t n = strlen(prefix);
  for (int i = 0; i < a->n; i++) {
    if (strncmp(a->entry[i].name, prefix, n) != 0) continue;
    hk_status status = unpack_one(a, &a->entry[i], folder, err);
    if (status) return status;
  }
  return HK_OK;
}
