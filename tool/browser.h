/* Opens a page in the user's browser. */
#ifndef TOOL_BROWSER_H
#define TOOL_BROWSER_H
#include <hooke/base.h>

/* Writes a name for a page in the temporary folder; buf has 4096 bytes. */
hk_status tool_temporary_page(const char *stem, char *buf, hk_error *err);
/* Opens a file or an address with $BROWSER or xdg-open; false: neither is available. */
bool tool_browse(const char *what);
#endif
