/* Compliance tables on disk, so that a gear is computed only once: one file per gear, named by
 * the SHA-256 of all data on which its table depends.
 *
 * Files are written under a temporary name and renamed, so that an incomplete file is never
 * visible. While one process computes a gear, others that need the same gear wait for it
 * (flock). Each file ends with the hash of its numbers: a damaged file is recomputed, and so is one of
 * another version of the finite elements.  Only tables that pass hk_gear_compliance_check are kept and
 * used. If the folder is not writable, the gear is computed without the cache, and the report contains a
 * warning. */
#ifndef HK_FE_CACHE_H
#define HK_FE_CACHE_H
#include "fe/gear_fe.h"

typedef struct hk_fe_report {
  bool from_cache;
  char warning[400]; /* "": none */
} hk_fe_report;

/* Finds the cache folder of the user: HOOKE_CACHE, or hooke in XDG_CACHE_HOME, or .cache/hooke in
 * HOME. Returns false if none of them is set, or the name is too long. */
bool hk_fe_cache_folder(char *folder, size_t size);

/* Same as hk_fe_gear_solve, but reads the table from the folder if it exists there. folder =
 * NULL: no cache. */
hk_status hk_fe_gear_cached(const hk_fe_gear *g, const char *folder, hk_arena *arena,
                            const hk_fe_progress *progress, hk_gear_compliance *out,
                            hk_fe_report *report, hk_error *err);
#endif
