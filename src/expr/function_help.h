/* Help texts for the functions of expressions: arguments and result. */
#ifndef HK_EXPR_FUNCTION_HELP_H
#define HK_EXPR_FUNCTION_HELP_H

typedef struct hk_function_help {
  const char *call; /* "clip(x, lo, hi)" */
  const char *value;
} hk_function_help;
extern const hk_function_help hk_function_helps[];
extern const int hk_n_function_helps;
#endif
