/* Journals: what workers have finished, one file per process, only ever appended to.
 *
 * A record is complete when write() returns, so a process that is killed loses nothing that it had
 * finished; a thread of the journal brings every record to the disk (fdatasync) while the next
 * variant runs, so a machine that loses power loses at most what finished since.  A torn record at
 * the end of a file is found by its length and checksum and dropped.
 *
 * File: a head {magic, identity of the plan, number of values}, then records {size, CRC-32, number,
 * key, status, seconds, values, text}, in the byte order of the machine.
 */
#ifndef HK_JOURNAL_H
#define HK_JOURNAL_H
#include "study/plan.h"

typedef enum hk_outcome { HK_OUTCOME_OK, HK_OUTCOME_FAILED } hk_outcome;

typedef struct hk_record {
  int64_t number;
  unsigned char key[HK_KEY_SIZE];
  hk_outcome outcome;
  double seconds;      /* it took */
  const double *value; /* [n_values of the journal] */
  const char *error;   /* "" where it went well */
} hk_record;

typedef struct hk_journal hk_journal;

/* A new file in the folder, named after host, process and time.  sync false: nothing is brought to
 * the disk (for tables that are thrown away). */
hk_status hk_journal_create(const char *folder, const unsigned char identity[HK_KEY_SIZE],
                            int n_values, bool sync, hk_journal **out, hk_error *err);
/* HK_EIO: disk full and the like; the journal then ends before this record. */
hk_status hk_journal_append(hk_journal *j, const hk_record *r, hk_error *err);
/* Waits for the disk.  NULL is allowed. */
hk_status hk_journal_close(hk_journal *j, hk_error *err);

typedef struct hk_journal_scan {
  int64_t records, torn, foreign; /* foreign: files of another plan, which are left alone */
} hk_journal_scan;
/* Every good record of every journal in the folder, in no order.  `take` may refuse with a status. */
hk_status hk_journal_read_all(const char *folder, const unsigned char identity[HK_KEY_SIZE],
                              int n_values,
                              hk_status (*take)(void *context, const hk_record *r, hk_error *err),
                              void *context, hk_journal_scan *scan, hk_error *err);
#endif
