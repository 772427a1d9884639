/* Files outside the folder of a model: detection, and messages that do not quote their contents.
 *
 * A model from another person may refer to a file whose contents that person must not see. A
 * message about such a file still gives the location (file, line, column), so that a user who
 * may read the file can find the fault. */
#ifndef HK_BASE_OUTSIDE_H
#define HK_BASE_OUTSIDE_H
#include <hooke/base.h>
#include <limits.h>

/* Finds the folder of the model file, links resolved; false if there is none. */
bool hk_outside_folder(const char *model_path, char folder[PATH_MAX]);
/* Returns true if `path` is in the folder or below it, links resolved. `name` is the name used in the model. */
bool hk_outside_is_inside(const char *folder, const char *path, const char *name);
/* Removes the quoted text ('...') of messages from number `first` on, if their location is in a
 * file outside the folder of the model. model_path = NULL: no model file; messages stay
 * unchanged. */
void hk_outside_hush(hk_diag *diag, int first, const char *model_path);
#endif
