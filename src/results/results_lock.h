/* Ensures that a results file has only one writer.
 *
 * A writer locks the file that it writes before the file gets its final name.  If the name is in use,
 * the writer waits for a second lock on the file of that name, checks that the name still refers to this
 * file and that no process writes it, and renames its own file while it holds the lock.  A free name is
 * taken by a rename that does not replace a file.  Therefore, if several writers start at the same
 * time, exactly one gets the name, and the others find that the file of this name is being written.
 * Locks belong to the open file and are released when the process ends for any reason. */
#ifndef HK_RESULTS_RESULTS_LOCK_H
#define HK_RESULTS_RESULTS_LOCK_H
#include <hooke/base.h>

typedef enum hk_name_taken { HK_NAME_OURS, HK_NAME_BUSY, HK_NAME_FAILED } hk_name_taken;

/* Locks a file that is open for writing.  On a file system without locks, a second writer is not
 * detected. */
void hk_results_lock(int fd);
/* Returns true if another writer is writing the file. */
bool hk_results_is_locked(const char *path);
bool hk_results_is_written(int fd);
/* Gives the file `temporary`, which the caller has locked, the name `path`.  FAILED: see errno. */
hk_name_taken hk_results_take_name(const char *temporary, const char *path);
#endif
