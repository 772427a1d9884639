/* Journals: finished variants, one append-only file per process.
 *
 * A record is complete when write() returns, so a killed process loses no finished variant.  A thread of the journal
 * writes every record to the disk (fdatasync) while the next variant runs, so a power failure loses at most the
 * variants finished since then.  An incomplete record at the end of a file is detected by its length and checksum and
 * dropped.
 *
 * File: a header {magic, identity of the plan, number of values}, then records {size, CRC-32, number, key, status,
 * seconds, values, text}, in the byte order of the machine. */
#ifndef HK_STUDY_JOURNAL_H
#define HK_STUDY_JOURNAL_H
#include "study/plan.h"

typedef enum hk_outcome { HK_OUTCOME_OK, HK_OUTCOME_FAILED } hk_outcome;

typedef struct hk_record {
  int64_t number;
  unsigned char key[HK_KEY_SIZE];
  hk_outcome outcome;
  double seconds;      /* it took */
  const double *value; /* [n_values of the journal] values */
  const char *error;   /* "" on success */
} hk_record;

typedef struct hk_journal hk_journal;

/* Creates a file in the folder, named after host, process and time.  sync false: nothing is synced to the disk (for
 * temporary tables). */
hk_status hk_journal_create(const char *folder, const unsigned char identity[HK_KEY_SIZE],
                            int n_values, bool sync, hk_journal **out, hk_error *err);
/* HK_EIO: the record cannot be written, for example because the disk is full; the journal then ends before this
 * record. */
hk_status hk_journal_append(hk_journal *j, const hk_record *r, hk_error *err);
/* Waits until the journal is on the disk, and closes it. NULL is allowed. */
hk_status hk_journal_close(hk_journal *j, hk_error *err);

typedef struct hk_journal_scan {
  int64_t records, torn, foreign; /* foreign: number of files of another plan, which are ignored */
} hk_journal_scan;
/* Passes every valid record of every journal in the folder to `take`, in any order; `take` may
 * return a failure. */
hk_status hk_journal_read_all(const char *folder, const unsigned char identity[HK_KEY_SIZE],
                              int n_values,
                              hk_status (*take)(void *context, const hk_record *r, hk_error *err),
                              void *context, hk_journal_scan *scan, hk_error *err);
#endif
