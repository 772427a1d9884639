/* Compliance tables on disk, so that a gear is computed once: a file per gear, named by the SHA-256 of all
 * that its table depends on.
 *
 * Files are written under a temporary name and renamed, so that none is ever seen half; while one process
 * computes a gear, others that want the same wait for it (flock).  Each file ends with the hash of its
 * numbers: a damaged one is computed anew.  Where the folder cannot be written the gear is computed all the
 * same, and the report says so.
 */
#ifndef HK_FE_CACHE_H
#define HK_FE_CACHE_H
#include "fe/gear_fe.h"

typedef struct hk_fe_report {
  bool from_cache;
  char warning[400]; /* "": none */
} hk_fe_report;

/* The user's folder: HOOKE_CACHE, or hooke in XDG_CACHE_HOME, or .cache/hooke in HOME.  False: none of them is
 * set, or it is too long. */
bool hk_fe_cache_folder(char *folder, size_t size);

/* As hk_fe_gear_solve, from the folder if it is there.  folder = NULL: no cache. */
hk_status hk_fe_gear_cached(const hk_fe_gear *g, const char *folder, hk_arena *arena,
                            const hk_fe_progress *progress, hk_gear_compliance *out,
                            hk_fe_report *report, hk_error *err);
#endif
