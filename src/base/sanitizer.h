/* HK_ADDRESS_SANITIZER: 1 if this file is compiled with the address sanitizer, of gcc or clang. */
#ifndef HK_BASE_SANITIZER_H
#define HK_BASE_SANITIZER_H
#if defined(__SANITIZE_ADDRESS__)
#define HK_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HK_ADDRESS_SANITIZER 1
#endif
#endif
#ifndef HK_ADDRESS_SANITIZER
#define HK_ADDRESS_SANITIZER 0
#endif
#endif
