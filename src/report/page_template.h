/* The page without its data: viewer/dist/viewer.html, embedded, with a zero byte behind it. */
#ifndef HK_PAGE_TEMPLATE_H
#define HK_PAGE_TEMPLATE_H
extern const char hk_page_template[];
#endif
