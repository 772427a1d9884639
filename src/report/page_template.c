/* The viewer as built from viewer/, embedded without change. */
#include "report/page_template.h"

#ifndef HK_VIEWER /* defined by the build */
#define HK_VIEWER "viewer/dist/viewer.html"
#endif

__asm__(
    ".section .rodata\n"
    ".global hk_page_template\n"
    ".global hk_page_template_end\n"
    "hk_page_template:\n"
    ".incbin \"" HK_VIEWER
    "\"\n"
    "hk_page_template_end:\n"
    ".byte 0\n"
    ".previous\n");
