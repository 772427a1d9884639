/* A private temporary folder that is removed when the program ends, even if it crashes. A separate
 * guardian process knows only the name of the folder and holds one end of a pipe. When the other
 * end is closed, by the program or because the program has ended, the guardian ends the registered
 * process and removes the folder. */
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
/* Registers a process that must end with the program; 0: the process has already ended. */
void hk_private_folder_entrust(hk_private_folder *f, pid_t process);
/* Removes the folder and waits until it is gone. */
void hk_private_folder_remove(hk_private_folder *f);

/* For a process after fork: closes all file descriptors except `kept` (-1: none) and standard
 * error, and ignores interrupts from the keyboard. */
void hk_forked_begin(int kept);
#endif
