/* What the functions of expressions take and give, in words. */
#ifndef HK_FUNCTION_HELP_H
#define HK_FUNCTION_HELP_H

typedef struct hk_function_help {
  const char *call; /* "clip(x, lo, hi)" */
  const char *value;
} hk_function_help;
extern const hk_function_help hk_function_helps[];
extern const int hk_n_function_helps;
#endif
