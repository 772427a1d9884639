/* See last_write.h. */
#include "results/last_write.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

typedef struct head {
  uint64_t address, size, check;
} head;

enum { MOST = HK_LAST_WRITE_ROOM - (int)sizeof(head) };

static uint64_t checksum(const head *h, const unsigned char *bytes) {
  uLong crc = crc32(crc32(0, NULL, 0), (const Bytef *)h, offsetof(head, check));
  return crc32(crc, bytes, (uInt)h->size);
}

size_t hk_last_write_make(void *copy, uint64_t address, const void *bytes, size_t size) {
  head h = {address, size > MOST ? 0 : size, 0};
  unsigned char *to = (unsigned char *)copy + sizeof h;
  memcpy(to, bytes, (size_t)h.size);
  h.check = checksum(&h, to);
  memcpy(copy, &h, sizeof h);
  return sizeof h + (size_t)h.size;
}

/* Reads up to `size` bytes; fewer at the end of the file. */
static size_t read_at(int fd, void *bytes, size_t size, off_t at) {
  size_t n = 0;
  while (n < size) {
    ssize_t k = pread(fd, (char *)bytes + n, size - n, at + (off_t)n);
    if (k <= 0) break;
    n += (size_t)k;
  }
  return n;
}

hk_status hk_last_write_read(int fd, off_t at, hk_last_write *out) {
  head h;
  struct stat st;
  unsigned char copy[MOST], block[MOST];
  *out = (hk_last_write){0};
  if (read_at(fd, &h, sizeof h, at) < sizeof h || h.size == 0 || h.size > MOST) return HK_OK;
  /* a block is at most added at the end of the file */
  if (fstat(fd, &st) != 0 || h.address > (uint64_t)st.st_size) return HK_OK;
  size_t size = (size_t)h.size;
  if (read_at(fd, copy, size, at + (off_t)sizeof h) < size || h.check != checksum(&h, copy))
    return HK_OK;
  if (read_at(fd, block, size, (off_t)h.address) == size && memcmp(copy, block, size) == 0)
    return HK_OK;
  *out = (hk_last_write){h.address, size, malloc(size)};
  if (!out->bytes) return HK_ENOMEM;
  memcpy(out->bytes, copy, size);
  return HK_OK;
}

void hk_last_write_apply(const hk_last_write *last, uint64_t address, void *bytes, size_t size) {
  uint64_t first = address > last->address ? address : last->address;
  uint64_t end = address + size, last_end = last->address + last->size;
  if (last_end < end) end = last_end;
  if (!last->bytes || first >= end) return;
  memcpy((char *)bytes + (first - address), last->bytes + (first - last->address), end - first);
}

void hk_last_write_free(hk_last_write *last) {
  free(last->bytes);
  *last = (hk_last_write){0};
}
