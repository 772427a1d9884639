/* Units in which pages show quantities: one table for the command line and for the page. */
#ifndef HK_REPORT_PAGE_UNITS_H
#define HK_REPORT_PAGE_UNITS_H
#include "results/json.h"
#include <hooke/base.h>

/* Checks a list such as "mm, deg, kN".  "si" alone fixes the SI unit of every quantity.  NULL: the page selects units by
 * magnitude. */
hk_status hk_page_units_check(const char *list, hk_error *err);
/* Writes the table as JSON; quantities in a valid list have the key "fixed". */
void hk_page_units_write(hk_json *j, const char *key, const char *list);
#endif
