/* Version of the library, and the mark of exported functions.
 *
 * The macros give the version of the headers a program was compiled with, hk_version() that of the library at run time.
 * While the major version is 0, each minor version has a different binary interface.
 */
#ifndef HOOKE_VERSION_H
#define HOOKE_VERSION_H

#define HK_VERSION_MAJOR 0
#define HK_VERSION_MINOR 1
#define HK_VERSION_PATCH 0
/* 10203 for 1.2.3, to be compared with < and >=. */
#define HK_VERSION_NUMBER (10000 * HK_VERSION_MAJOR + 100 * HK_VERSION_MINOR + HK_VERSION_PATCH)

#if defined(__GNUC__)
#define HK_API __attribute__((visibility("default")))
#else
#define HK_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

HK_API const char *hk_version(void); /* "1.2.3" */
HK_API int hk_version_number(void);  /* HK_VERSION_NUMBER of the library */

#ifdef __cplusplus
}
#endif
#endif
