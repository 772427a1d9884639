/* Text files of finite-element programs: numbers separated by blanks and line ends, with the line for messages. */
#ifndef HK_PART_TEXT_H
#define HK_PART_TEXT_H
#include <hooke/base.h>

enum { HK_TEXT_WORD = 128 };

typedef struct hk_text {
  const char *name;     /* of the file, for messages */
  const char *at, *end; /* *end is 0 */
  int line;             /* of `at`, from 1 */
  int last;             /* line of what was read last, for messages */
  hk_error *err;
} hk_text;

/* Reads a file; *bytes is to be freed.  Binary files are refused. */
hk_status hk_text_load(const char *path, char **bytes, size_t *size, hk_error *err);
/* A text in memory; bytes[size] must be 0. */
hk_text hk_text_of(const char *name, const char *bytes, size_t size, hk_error *err);
/* Message with file and line. */
hk_status hk_text_fail(const hk_text *t, const char *fmt, ...) HK_PRINTF(2, 3);

/* Next number of the text; false without a change of the position if there is none. */
bool hk_text_integer(hk_text *t, long *value);
bool hk_text_number(hk_text *t, double *value);
/* Next word up to a blank or a comma; false at the end of the text. */
bool hk_text_word(hk_text *t, char word[HK_TEXT_WORD]);
/* Next line without its end and without blanks around it: first character and length; false at the end. */
bool hk_text_line(hk_text *t, const char **line, size_t *length);
/* Skips one comma and the blanks around it in this line; false if there is none. */
bool hk_text_comma(hk_text *t);
/* Skips the rest of the line. */
void hk_text_skip_line(hk_text *t);
/* Whether the rest of the line has only blanks. */
bool hk_text_line_ends(const hk_text *t);
#endif
