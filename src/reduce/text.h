/* Text files of finite-element programs: numbers separated by blanks and line ends, with the line for messages. */
#ifndef HK_REDUCE_TEXT_H
#define HK_REDUCE_TEXT_H
#include <hooke/base.h>

enum { HK_TEXT_WORD = 128 };

typedef struct hk_text {
  const char *name;     /* name of the file, for messages */
  const char *at, *end; /* *end is 0 */
  int line;             /* of `at`, from 1 */
  int last;             /* line of the item that was read last, for messages */
  hk_error *err;
} hk_text;

/* Reads a file. Release *bytes with free(). Binary files are rejected. */
hk_status hk_text_load(const char *path, char **bytes, size_t *size, hk_error *err);
/* A text in memory; bytes[size] must be 0. */
hk_text hk_text_of(const char *name, const char *bytes, size_t size, hk_error *err);
/* Reports an error with file and line. */
hk_status hk_text_fail(const hk_text *t, const char *fmt, ...) HK_PRINTF(2, 3);

/* Reads the next number. False: the next item is not a number; the position stays unchanged. */
bool hk_text_integer(hk_text *t, long *value);
bool hk_text_number(hk_text *t, double *value);
/* Reads the next word, which ends at a blank or a comma; false at the end of the text. */
bool hk_text_word(hk_text *t, char word[HK_TEXT_WORD]);
/* Reads the next line without its end and without blanks around it: its first character and its length; false at the
 * end. */
bool hk_text_line(hk_text *t, const char **line, size_t *length);
/* Skips one comma and the blanks around it in this line; false: there is no comma. */
bool hk_text_comma(hk_text *t);
/* Skips the rest of the line. */
void hk_text_skip_line(hk_text *t);
/* Returns true if the rest of the line contains only blanks. */
bool hk_text_line_ends(const hk_text *t);
#endif
