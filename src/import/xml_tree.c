/* XML texts as trees: see xml_tree.h. */
#include "import/xml_tree.h"
#include <string.h>

typedef struct builder {
  hk_arena *arena;
  hk_xml_node *open[HK_XML_MAX_DEPTH + 1];
  int n;
} builder;

static const char *without_prefix(const char *name) {
  const char *colon = strchr(name, ':');
  return colon ? colon + 1 : name;
}

static hk_status begin(void *context, const hk_xml_element *e, hk_error *err) {
  builder *b = context;
  if (b->n++ == HK_XML_MAX_ELEMENTS)
    return hk_fail(err, HK_EINPUT, "line %d: it has more than %d elements", e->line,
                   HK_XML_MAX_ELEMENTS);
  hk_xml_node *node = HK_NEW(b->arena, hk_xml_node);
  const char **text = HK_NEW_ARRAY(b->arena, const char *, 2 * e->n + 1);
  if (!node || !text) return hk_fail(err, HK_ENOMEM, "out of memory");
  *node = (hk_xml_node){.name = without_prefix(e->name),
                        .line = e->line,
                        .key = text,
                        .value = text + e->n,
                        .n = e->n};
  for (int i = 0; i < e->n; i++) node->key[i] = e->key[i], node->value[i] = e->value[i];
  b->open[e->depth] = node;
  if (e->depth == 0) return HK_OK;
  hk_xml_node *parent = b->open[e->depth - 1];
  if (parent->last)
    parent->last->next = node;
  else
    parent->first = node;
  parent->last = node;
  return HK_OK;
}

static hk_status text_of(void *context, int depth, const char *text, hk_error *err) {
  (void)err;
  builder *b = context;
  b->open[depth]->text = text;
  return HK_OK;
}

hk_status hk_xml_tree_read(char *text, size_t size, hk_arena *arena, hk_xml_node **root,
                           hk_error *err) {
  builder b = {.arena = arena};
  hk_status status = hk_xml_read(text, size, begin, text_of, &b, err);
  *root = status ? NULL : b.open[0];
  return status;
}

const char *hk_xml_value(const hk_xml_node *node, const char *key) {
  for (int i = 0; node && i < node->n; i++)
    if (strcmp(node->key[i], key) == 0) return node->value[i];
  return NULL;
}

const hk_xml_node *hk_xml_child(const hk_xml_node *node, const char *name) {
  const hk_xml_node *child = node ? node->first : NULL;
  while (child && strcmp(child->name, name) != 0) child = child->next;
  return child;
}
