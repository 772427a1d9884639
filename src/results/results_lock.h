/* One writer for a results file.
 *
 * A writer locks the file that it writes, before that file gets its name.  To take a name that is in use it
 * waits for a second lock on the file that has it, sees that the name still means this file and that nobody
 * writes it, and renames while it holds the lock; a name that is free is taken by a rename that replaces
 * nothing.  So of any number of writers that start at the same instant one gets the name, and the others find
 * the file under it written.  Locks belong to the open file and end
 * with the process, whatever ends that.
 */
#ifndef HK_RESULTS_LOCK_H
#define HK_RESULTS_LOCK_H
#include <hooke/base.h>

typedef enum hk_name_taken { HK_NAME_OURS, HK_NAME_BUSY, HK_NAME_FAILED } hk_name_taken;

/* Of a file that is open for writing.  A file system without locks has no second writer told. */
void hk_results_lock(int fd);
/* Whether another writer has the file. */
bool hk_results_is_locked(const char *path);
/* Gives the file `temporary`, which the caller has locked, the name `path`.  FAILED: see errno. */
hk_name_taken hk_results_take_name(const char *temporary, const char *path);
#endif
