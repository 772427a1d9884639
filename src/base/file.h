/* Files: a record of the input files, and output files that never replace an input.
 *
 * Every file that the library reads is opened by hk_file_open or recorded by hk_file_note. Every
 * file that it writes for a user is opened by hk_new_file_open, which rejects a recorded input.
 * The check compares device and inode, so that links and different spellings of a name are
 * detected. An output is written to a draft in the folder of its target and renamed when complete:
 * a full disk, or a Unix signal that ends the program, leaves the previous file unchanged.
 *
 * The record is off by default; the command-line program switches it on. A C program may read a
 * file and later replace it. The functions of the record are thread-safe. */
#ifndef HK_BASE_FILE_H
#define HK_BASE_FILE_H
#include <hooke/base.h>
#include <stdio.h>

/* Switches the record of files on; from then on it includes standard input. */
void hk_files_record(void);
/* Empties the record and switches it off. */
void hk_files_forget(void);

/* Opens a regular file for reading in binary mode and records it; NULL with errno on failure.
 * Pipes and devices are rejected with EISDIR or ESPIPE: the name may come from the model file of
 * another person, and opening a pipe would wait for its writer. */
FILE *hk_file_open(const char *path);
/* Opens a file whose name was given by the user: pipes and devices are allowed. */
FILE *hk_input_open(const char *path);
/* Message text for an errno of hk_file_open and hk_input_open. */
const char *hk_file_trouble(int number);
/* Records a file that another library opens by name. */
void hk_file_note(const char *path);

/* Checks an output path.  HK_EINPUT if `path`, under any name, is an input of the program or an
 * output already written; "-" is standard output. HK_ENOMEM if the record is incomplete. */
hk_status hk_new_file_check(const char *path, hk_error *err);
/* Checks whether an output can be created, without creating it: HK_EIO if its folder does not exist or cannot be
 * written, or if the name is that of a folder or of a file that is write-protected. */
hk_status hk_new_file_possible(const char *path, hk_error *err);

typedef struct hk_new_file {
  FILE *file;
  char *path;  /* path of the target, links resolved; NULL: standard output */
  char *draft; /* path of the draft in the same folder; NULL: a device or a pipe, written
                * directly */
} hk_new_file;
/* Opens an output file.  On failure o is empty and need not be closed. */
hk_status hk_new_file_open(hk_new_file *o, const char *path, hk_error *err);
/* Name of the file that is being written, for another library that fills it; NULL: standard
 * output. */
const char *hk_new_file_name(const hk_new_file *o);
/* Closes the file. With HK_OK the draft replaces the target. With any other status the draft is
 * removed, and this status is returned. A pipe closed by its reader is not an error. */
hk_status hk_new_file_close(hk_new_file *o, hk_status status, hk_error *err);

/* Renames a complete file or folder from the name of its draft to `path`; false with errno. A file
 * that is replaced must have been checked by hk_new_file_check. */
bool hk_new_file_move(const char *draft, const char *path);

/* Returns true if the path names an open file descriptor, such as /dev/fd/3 or /proc/self/fd/3. Such a file is
 * written in place, because a draft cannot be renamed to it. */
bool hk_file_is_descriptor(const char *path);
/* Returns the name at the end of a chain of symbolic links, which need not exist; allocated with
 * malloc, NULL with errno. A name of an open file descriptor ends the chain. */
char *hk_file_follow(const char *path);
#endif
