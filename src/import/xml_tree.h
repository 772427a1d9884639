/* An XML text as a tree: see xml.h for the syntax.  Names are without the prefix of their name space. */
#ifndef HK_IMPORT_XML_TREE_H
#define HK_IMPORT_XML_TREE_H
#include "base/arena.h"
#include "import/xml.h"

enum { HK_XML_MAX_ELEMENTS = 500000 };

typedef struct hk_xml_node hk_xml_node;
struct hk_xml_node {
  const char *name;
  int line;
  const char *text; /* text of an element without children and comments; NULL: another element */
  const char **key, **value; /* [n] attributes */
  int n;
  hk_xml_node *first, *last, *next;
};

/* Parses `text`, which must end with a NUL, is modified, and must live as long as the tree. */
hk_status hk_xml_tree_read(char *text, size_t size, hk_arena *arena, hk_xml_node **root,
                           hk_error *err);
/* The value of an attribute; NULL: the attribute does not exist, or node is NULL. */
const char *hk_xml_value(const hk_xml_node *node, const char *key);
/* The first child with this name; NULL: the child does not exist, or node is NULL. */
const hk_xml_node *hk_xml_child(const hk_xml_node *node, const char *name);
#endif
