#include "arena.h"
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 1 << 16, ALIGN = 64 };

struct hk_arena_block {
  hk_arena_block *next;
  size_t used, size;
  _Alignas(64) unsigned char data[];
};

void hk_arena_init(hk_arena *a) { *a = (hk_arena){0}; }

void hk_arena_free(hk_arena *a) {
  for (hk_arena_block *b = a->first, *next; b; b = next) {
    next = b->next;
    free(b);
  }
  *a = (hk_arena){0};
}

static hk_arena_block *block_create(size_t bytes) {
  size_t whole = sizeof(hk_arena_block) + bytes;
  whole = (whole + ALIGN - 1) / ALIGN * ALIGN;
  hk_arena_block *b = aligned_alloc(ALIGN, whole);
  if (!b) return NULL;
  memset(b, 0, whole);
  b->size = whole - sizeof(hk_arena_block);
  return b;
}

void *hk_arena_alloc(hk_arena *a, size_t bytes) {
  if (bytes > PTRDIFF_MAX / 2) return NULL;
  size_t align = bytes >= 256 ? ALIGN : 16;
  hk_arena_block *b = a->first;
  size_t start = b ? (b->used + align - 1) / align * align : 0;
  if (!b || start + bytes > b->size) {
    b = block_create(bytes > BLOCK_BYTES / 4 ? bytes : BLOCK_BYTES);
    if (!b) return NULL;
    /* A block for a request larger than the usual block size is inserted after the current block in the list, because
     * the current block still has free space. */
    if (a->first && bytes > BLOCK_BYTES / 4) {
      b->next = a->first->next;
      a->first->next = b;
    } else {
      b->next = a->first;
      a->first = b;
    }
    start = 0;
  }
  b->used = start + bytes;
  a->total += bytes;
  return b->data + start;
}

char *hk_arena_strndup(hk_arena *a, const char *s, size_t n) {
  char *copy = hk_arena_alloc(a, n + 1);
  if (copy) memcpy(copy, s, n);
  return copy;
}

char *hk_arena_strdup(hk_arena *a, const char *s) { return hk_arena_strndup(a, s, strlen(s)); }

char *hk_arena_printf(hk_arena *a, const char *fmt, ...) {
  va_list ap, again;
  va_start(ap, fmt);
  va_copy(again, ap);
  int length = vsnprintf(NULL, 0, fmt, ap);
  char *text = length < 0 ? NULL : hk_arena_alloc(a, (size_t)length + 1);
  if (text) vsnprintf(text, (size_t)length + 1, fmt, again);
  va_end(again);
  va_end(ap);
  return text;
}
