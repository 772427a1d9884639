/* A private folder that vanishes with the program, however the program ends.
 *
 * A guardian process holds nothing but the name of the folder and one end of a pipe.  When the other end is closed, by the
 * program or by its death, it ends the process that was entrusted to it and removes the folder. */
#ifndef HK_IMPORT_FOLDER_H
#define HK_IMPORT_FOLDER_H
#include <hooke/base.h>
#include <sys/types.h>

typedef struct hk_private_folder {
  char path[200];
  pid_t guardian; /* 0: none */
  int pipe;
} hk_private_folder;

hk_status hk_private_folder_make(hk_private_folder *f, hk_error *err);
/* A process to be ended with the program; 0: it has ended. */
void hk_private_folder_entrust(hk_private_folder *f, pid_t process);
/* Removes the folder and waits until it is gone. */
void hk_private_folder_remove(hk_private_folder *f);

/* For a process after fork: closes all files but `kept` (-1: none) and standard error, and ignores the keyboard. */
void hk_forked_begin(int kept);
#endif
