/* Opens a page in the user's browser. */
#ifndef TOOL_BROWSER_H
#define TOOL_BROWSER_H
#include <hooke/base.h>

/* A name for a page in the temporary folder; buf of 4096. */
hk_status tool_temporary_page(const char *stem, char *buf, hk_error *err);
/* Opens a file or an address with $BROWSER or xdg-open; false: neither is available. */
bool tool_browse(const char *what);
#endif
