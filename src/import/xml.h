/* A small strict XML reader: elements, attributes, and the texts of elements without children. Document types,
 * user-defined entities and name spaces are not supported. All other text is skipped. */
#ifndef HK_IMPORT_XML_H
#define HK_IMPORT_XML_H
#include <hooke/base.h>
#include <stddef.h>

enum { HK_XML_MAX_DEPTH = 40, HK_XML_MAX_ATTRIBUTES = 60 };

typedef struct hk_xml_element {
  const char *name;
  int depth; /* 0: the root */
  const char *key[HK_XML_MAX_ATTRIBUTES], *value[HK_XML_MAX_ATTRIBUTES];
  int n;
  int line;
} hk_xml_element;

/* The value of an attribute, or NULL. */
const char *hk_xml_get(const hk_xml_element *e, const char *key);

/* Calls `begin` for every element. For every element without children and comments it then calls `text` (unless NULL)
 * with the text and the depth of the element. Texts are valid until the buffer is freed. The buffer must end with a
 * NUL and is changed. If a function returns a status other than 0, reading ends. */
typedef hk_status hk_xml_begin_fn(void *context, const hk_xml_element *e, hk_error *err);
typedef hk_status hk_xml_text_fn(void *context, int depth, const char *text, hk_error *err);
hk_status hk_xml_read(char *text, size_t size, hk_xml_begin_fn *begin, hk_xml_text_fn *content,
                      void *context, hk_error *err);
#endif
