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

/* ---- HDF5's own checksum ---- */
enum { WORD = 4, WORDS = 3, BYTE = 8, WORD_BITS = WORD * BYTE };

static uint32_t rotate(uint32_t x, int bits) { return x << bits | x >> (WORD_BITS - bits); }

/* Adds up to three words of n bytes, the lowest byte first; missing bytes are zero. */
static void add_words(uint32_t state[WORDS], const unsigned char *bytes, size_t n) {
  for (size_t i = 0; i < n && i < WORD * WORDS; i++)
    state[i / WORD] += (uint32_t)bytes[i] << (BYTE * (i % WORD));
}

/* lookup3 [Jenkins 2006], with which HDF5 ends each block of its structure. */
static uint32_t hdf5_checksum(const unsigned char *bytes, size_t n) {
  static const int mix[] = {4, 6, 8, 16, 19, 4}, last[] = {14, 11, 25, 16, 4, 14, 24};
  static const uint32_t start = 0xdeadbeef;
  uint32_t s[WORDS] = {start + (uint32_t)n, start + (uint32_t)n, start + (uint32_t)n};
  for (; n > sizeof s; n -= sizeof s, bytes += sizeof s) {
    add_words(s, bytes, n);
    for (size_t i = 0; i < sizeof mix / sizeof *mix; i++) {
      uint32_t *at = &s[i % WORDS], *before = &s[(i + 2) % WORDS];
      *at = (*at - *before) ^ rotate(*before, mix[i]);
      *before += s[(i + 1) % WORDS];
    }
  }
  add_words(s, bytes, n);
  for (size_t i = 0; n > 0 && i < sizeof last / sizeof *last; i++) {
    uint32_t *at = &s[(i + 2) % WORDS], before = s[(i + 1) % WORDS];
    *at = (*at ^ before) - rotate(before, last[i]);
  }
  return s[2];
}

static bool is_whole(const unsigned char *block, size_t size) {
  uint32_t stored[WORDS] = {0};
  if (size < WORD) return false;
  add_words(stored, block + size - WORD, WORD);
  return stored[0] == hdf5_checksum(block, size - WORD);
}

/* ---- the copy ---- */
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
  /* a block may be added at the end of the file, but not beyond it */
  if (fstat(fd, &st) != 0 || h.address > (uint64_t)st.st_size) return HK_OK;
  size_t size = (size_t)h.size;
  if (read_at(fd, copy, size, at + (off_t)sizeof h) < size || h.check != checksum(&h, copy))
    return HK_OK;
  if (read_at(fd, block, size, (off_t)h.address) == size && is_whole(block, size)) return HK_OK;
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
