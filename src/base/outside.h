/* Files outside of a model's folder: which ones are, and messages that quote nothing of them.
 *
 * A model from elsewhere may name a file that its author must not see.  A message about such a file keeps its place
 * (file, line, column), so that whoever may read the file finds the fault there. */
#ifndef HK_OUTSIDE_H
#define HK_OUTSIDE_H
#include <hooke/base.h>
#include <limits.h>

/* The folder of the model file, links followed; false if there is none. */
bool hk_outside_folder(const char *model_path, char folder[PATH_MAX]);
/* Whether `path` lies in the folder or below it, links followed.  `name` is how the model names it. */
bool hk_outside_is_inside(const char *folder, const char *path, const char *name);
/* Replaces what the messages from number `first` on quote ('...') if their place is in a file outside of the folder
 * of the model.  NULL: no model file, nothing is replaced. */
void hk_outside_hush(hk_diag *diag, int first, const char *model_path);
#endif
