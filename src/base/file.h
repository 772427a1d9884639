/* Files: the record of what a program reads, and outputs that never replace an input.
 *
 * Every file that the library reads is opened by hk_file_open or noted by hk_file_note.  Every file that it writes for
 * a user is opened by hk_new_file_open, which refuses the name of a file in the record: by device and inode, so that
 * links and other spellings of a name do not matter.  An output is written beside its target and renamed when it is
 * whole: a full disk or a signal leaves the older file as it was.
 *
 * The record is off unless the program switches it on, as the command does: a C program may read a file, and
 * later replace it.  Record functions may be called from several threads. */
#ifndef HK_FILE_H
#define HK_FILE_H
#include <hooke/base.h>
#include <stdio.h>

/* Switches the record on; standard input belongs to it from then on. */
void hk_files_record(void);
/* Empties the record and switches it off. */
void hk_files_forget(void);

/* Opens a regular file for reading in binary mode and notes it; NULL with errno.  A pipe or a device is refused with
 * EISDIR or ESPIPE: the name may come from a file of somebody else, and opening a pipe would wait for its writer. */
FILE *hk_file_open(const char *path);
/* The same for a name that the user gives, which may also be a pipe or a device. */
FILE *hk_input_open(const char *path);
/* The text of an errno of these two. */
const char *hk_file_trouble(int number);
/* Notes a file that another library opens by its name. */
void hk_file_note(const char *path);

/* HK_EINPUT if the program reads `path`, by whatever name, or has written it as an output; "-" is standard
 * output.  HK_ENOMEM if the record is not complete. */
hk_status hk_new_file_check(const char *path, hk_error *err);

typedef struct hk_new_file {
  FILE *file;
  char *path;  /* of the target, links followed; NULL: standard output */
  char *draft; /* the file beside it; NULL: a device or a pipe, which is written at once */
} hk_new_file;
/* On failure o is empty and needs no closing. */
hk_status hk_new_file_open(hk_new_file *o, const char *path, hk_error *err);
/* The name of the file that is being written, for another program that fills it; NULL: standard output. */
const char *hk_new_file_name(const hk_new_file *o);
/* With HK_OK the draft takes the place of the target.  With any other status it is removed, and that status
 * is returned.  A reader that has closed a pipe is not an error. */
hk_status hk_new_file_close(hk_new_file *o, hk_status status, hk_error *err);

/* Whether the path is a name of an open file, as /dev/fd/3 and /proc/self/fd/3: such a file is written in place, for a
 * draft cannot be renamed to it. */
bool hk_file_is_descriptor(const char *path);
/* The name at the end of a chain of links, which need not exist; malloc'ed, NULL with errno.  The name of an open file
 * is the end of a chain. */
char *hk_file_follow(const char *path);
#endif
