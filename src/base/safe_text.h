/* Texts from files and file names in messages.  A control character could move the cursor of a terminal, change its
 * title or begin a line that looks like another message, and a character that changes the direction of writing could
 * show a name as another one. Both kinds of characters are written as escape sequences. */
#ifndef HK_BASE_SAFE_TEXT_H
#define HK_BASE_SAFE_TEXT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Number of bytes of the control character at `text`; 0: another character. */
int hk_unsafe_bytes(const char *text);
/* Returns true if a text has no control character. */
bool hk_text_is_safe(const char *text);
/* The text with \n, \t, \r or \xNN for each byte of a control character.  Writes at most size bytes with the final 0,
 * and returns the length of the whole, as snprintf. */
size_t hk_safe_text(const char *text, char *buf, size_t size);
/* Writes the text in double quotes, so that YAML reads the same text. Control characters are
 * written by their numbers, because YAML also ends a line at some characters beyond ASCII. */
void hk_put_yaml_text(FILE *out, const char *text);
#endif
