/* The page without its data: viewer/dist/viewer.html, embedded and followed by a zero byte. */
#ifndef HK_REPORT_PAGE_TEMPLATE_H
#define HK_REPORT_PAGE_TEMPLATE_H
extern const char hk_page_template[];
#endif
