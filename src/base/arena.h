/* Arena: many small allocations with one owner and one release.  Memory is zeroed. */
#ifndef HK_BASE_ARENA_H
#define HK_BASE_ARENA_H
#include <hooke/version.h>
#include <stddef.h>

typedef struct hk_arena_block hk_arena_block;
typedef struct hk_arena {
  hk_arena_block *first;
  size_t total; /* bytes allocated */
} hk_arena;

void hk_arena_init(hk_arena *a);
void hk_arena_free(hk_arena *a);
/* Returns zeroed memory, aligned to 64 bytes if large, otherwise to 16; NULL if out of memory. */
HK_API void *hk_arena_alloc(hk_arena *a, size_t bytes);
char *hk_arena_strdup(hk_arena *a, const char *s);
char *hk_arena_strndup(hk_arena *a, const char *s, size_t n);
char *hk_arena_printf(hk_arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#define HK_NEW(arena, type) ((type *)hk_arena_alloc((arena), sizeof(type)))
#define HK_NEW_ARRAY(arena, type, n) ((type *)hk_arena_alloc((arena), (size_t)(n) * sizeof(type)))
#endif
