/* Reading of REXS files: see file.h. */
#include "rexs/file.h"
#include "base/file.h"
#include "import/archive.h"
#include "import/xml_tree.h"
#include "rexs/json.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_BYTES = 64 << 20 };

/* ---- XML ---- */

static hk_status no_memory(hk_error *err) { return hk_fail(err, HK_ENOMEM, "out of memory"); }

static const char *text_of(const hk_xml_node *node, const char *key) {
  const char *text = hk_xml_value(node, key);
  return text ? text : "";
}

static hk_status read_id(const hk_xml_node *node, int *id, hk_error *err) {
  const char *text = text_of(node, "id");
  char *end = NULL;
  const long value = strtol(text, &end, 10);
  if (end == text || *end || value < 0 || value > 1000000000)
    return hk_fail(err, HK_EINPUT, "line %d: the id of '%s' is not a whole number", node->line,
                   node->name);
  *id = (int)value;
  return HK_OK;
}

static bool is(const hk_xml_node *node, const char *name) { return strcmp(node->name, name) == 0; }

static hk_status read_relation(const hk_xml_node *node, hk_rexs_relation *r, hk_error *err) {
  r->type = text_of(node, "type");
  hk_status status = read_id(node, &r->id, err);
  for (const hk_xml_node *c = node->first; c && !status; c = c->next) {
    if (!is(c, "ref")) continue;
    if (r->n == HK_REXS_MAX_REFS)
      return hk_fail(err, HK_EINPUT, "line %d: relation %d has more than %d references", c->line,
                     r->id, HK_REXS_MAX_REFS);
    r->ref[r->n].role = text_of(c, "role");
    status = read_id(c, &r->ref[r->n++].id, err);
  }
  return status;
}

static bool only_space(const char *text) { return text[strspn(text, " \t\r\n")] == '\0'; }

/* Lists the texts below a node, such as the elements of an array; returns their number. */
static int list_texts(const hk_xml_node *node, const char **out, int n) {
  for (const hk_xml_node *c = node->first; c; c = c->next) {
    n = list_texts(c, out, n);
    if (!c->text || only_space(c->text)) continue;
    if (out) out[n] = c->text;
    n++;
  }
  return n;
}

static hk_status read_component(hk_rexs_file *f, const hk_xml_node *node, hk_rexs_component *c,
                                hk_error *err) {
  c->type = text_of(node, "type");
  c->name = text_of(node, "name");
  hk_rexs_attribute **end = &c->first;
  for (const hk_xml_node *k = node->first; k; k = k->next) {
    if (!is(k, "attribute")) continue;
    if (!hk_xml_value(k, "id"))
      return hk_fail(err, HK_EINPUT, "line %d: an attribute has no id", k->line);
    hk_rexs_attribute *a = HK_NEW(&f->arena, hk_rexs_attribute);
    if (!a) return no_memory(err);
    *a = (hk_rexs_attribute){.name = text_of(k, "id"), .unit = text_of(k, "unit")};
    if (k->text && !only_space(k->text)) a->text = k->text;
    a->n = list_texts(k, NULL, 0);
    a->number = HK_NEW_ARRAY(&f->arena, const char *, a->n + 1);
    if (!a->number) return no_memory(err);
    list_texts(k, a->number, 0);
    *end = a;
    end = &a->next;
  }
  return read_id(node, &c->id, err);
}

static hk_status read_components(hk_rexs_file *f, const hk_xml_node *from, hk_rexs_component **end,
                                 bool unique, hk_error *err) {
  hk_status status = HK_OK;
  for (const hk_xml_node *k = from ? from->first : NULL; k && !status; k = k->next) {
    if (!is(k, "component")) continue;
    hk_rexs_component *c = HK_NEW(&f->arena, hk_rexs_component);
    if (!c) return no_memory(err);
    status = read_component(f, k, c, err);
    if (!status && unique && hk_rexs_find(f, c->id))
      status = hk_fail(err, HK_EINPUT, "line %d: there are two components with the id %d", k->line,
                       c->id);
    *end = c;
    end = &c->next;
  }
  return status;
}

static hk_status read_relations(hk_rexs_file *f, const hk_xml_node *from, hk_error *err) {
  hk_rexs_relation **end = &f->relation;
  hk_status status = HK_OK;
  for (const hk_xml_node *k = from ? from->first : NULL; k && !status; k = k->next) {
    if (!is(k, "relation")) continue;
    hk_rexs_relation *r = HK_NEW(&f->arena, hk_rexs_relation);
    if (!r) return no_memory(err);
    status = read_relation(k, r, err);
    *end = r;
    end = &r->next;
  }
  return status;
}

static hk_status read_cases(hk_rexs_file *f, const hk_xml_node *spectrum, hk_error *err) {
  hk_rexs_case **end = &f->load_case;
  hk_status status = HK_OK;
  for (const hk_xml_node *k = spectrum ? spectrum->first : NULL; k && !status; k = k->next) {
    if (!is(k, "load_case")) continue; /* `accumulation` has results */
    hk_rexs_case *c = HK_NEW(&f->arena, hk_rexs_case);
    if (!c) return no_memory(err);
    c->name = text_of(k, "id");
    status = read_components(f, k, &c->first, false, err);
    *end = c;
    end = &c->next;
  }
  return status;
}

static hk_status parse_xml(hk_rexs_file *f, char *bytes, size_t size, hk_error *err) {
  hk_xml_node *root;
  hk_status status = hk_xml_tree_read(bytes, size, &f->arena, &root, err);
  if (status) return status;
  if (!is(root, "model") || !hk_xml_value(root, "version"))
    return hk_fail(err, HK_EINPUT,
                   "line %d: the root element is '%s', not a REXS 'model' with a version",
                   root->line, root->name);
  f->version = text_of(root, "version");
  f->application = text_of(root, "applicationId");
  status = read_relations(f, hk_xml_child(root, "relations"), err);
  if (!status)
    status = read_components(f, hk_xml_child(root, "components"), &f->component, true, err);
  return status ? status : read_cases(f, hk_xml_child(root, "load_spectrum"), err);
}

/* ---- versions ---- */

static hk_status check_version(const hk_rexs_file *f, hk_error *err) {
  char *end;
  const long major = strtol(f->version, &end, 10);
  if (f->version[strspn(f->version, "0123456789.")] || end == f->version || *end != '.' || !end[1])
    return hk_fail(err, HK_EINPUT, "'%.20s' is not a version of REXS", f->version);
  const long minor = strtol(end + 1, NULL, 10);
  if (major != 1 || minor > 7)
    return hk_fail(err, HK_EINPUT,
                   "version %.20s of REXS is not known; versions 1.0 to 1.7 are read", f->version);
  return HK_OK;
}

/* ---- files ---- */

hk_status hk_rexs_file_parse(hk_rexs_file *f, char *bytes, size_t size, hk_error *err) {
  memset(f, 0, sizeof *f);
  hk_arena_init(&f->arena);
  const char *start = bytes;
  if (strncmp(start, "\xEF\xBB\xBF", 3) == 0) start += 3;
  start += strspn(start, " \t\r\n");
  hk_status status = *start == '{'
                         ? hk_rexs_json_parse(f, start, size - (size_t)(start - bytes), err)
                         : parse_xml(f, bytes, size, err);
  return status ? status : check_version(f, err);
}

static bool ends_with(const char *name, const char *end) {
  const size_t n = strlen(name), m = strlen(end);
  return n > m && strcmp(name + n - m, end) == 0;
}

/* Finds the model file in an archive, which must contain exactly one. */
static hk_status unpack(const char *path, unsigned char **bytes, size_t *size, hk_error *err) {
  hk_archive a;
  hk_status status = hk_archive_open(&a, path, err);
  const hk_archive_entry *found = NULL;
  for (int i = 0; i < a.n && !status; i++) {
    if (!ends_with(a.entry[i].name, ".rexs") && !ends_with(a.entry[i].name, ".rexsj")) continue;
    if (found)
      status = hk_fail(err, HK_EINPUT, "the archive has more than one model: '%.100s' and '%.100s'",
                       found->name, a.entry[i].name);
    found = &a.entry[i];
  }
  if (!status && !found)
    status = hk_fail(err, HK_EINPUT, "the archive has no .rexs or .rexsj file");
  if (!status && found->size > MAX_BYTES)
    status =
        hk_fail(err, HK_EINPUT, "the file in the archive has more than %d MB", MAX_BYTES >> 20);
  if (!status) status = hk_archive_read(&a, found, bytes, err);
  if (!status) *size = found->size;
  hk_archive_close(&a);
  return status;
}

static hk_status load(const char *path, unsigned char **bytes, size_t *size, hk_error *err) {
  FILE *in = hk_input_open(path);
  if (!in) return hk_fail(err, HK_EINPUT, "it cannot be read");
  size_t room = 1 << 16, n = 0;
  unsigned char *text = malloc(room + 1);
  hk_status status = text ? HK_OK : no_memory(err);
  while (!status) {
    n += fread(text + n, 1, room - n, in);
    if (n < room) break;
    unsigned char *more = room < MAX_BYTES ? realloc(text, 2 * room + 1) : NULL;
    if (!more)
      status = room < MAX_BYTES
                   ? no_memory(err)
                   : hk_fail(err, HK_EINPUT, "it has more than %d MB", MAX_BYTES >> 20);
    else
      text = more, room *= 2;
  }
  if (!status && ferror(in)) status = hk_fail(err, HK_EIO, "it cannot be read to its end");
  fclose(in);
  if (status) {
    free(text);
    return status;
  }
  text[n] = '\0';
  *bytes = text;
  *size = n;
  return HK_OK;
}

hk_status hk_rexs_file_read(hk_rexs_file *f, const char *path, hk_error *err) {
  unsigned char *bytes = NULL;
  size_t size = 0;
  memset(f, 0, sizeof *f);
  hk_status status = load(path, &bytes, &size, err);
  if (!status && size > 1 && bytes[0] == 'P' && bytes[1] == 'K') {
    free(bytes);
    bytes = NULL;
    status = unpack(path, &bytes, &size, err);
  }
  if (!status && memchr(bytes, '\0', size))
    status = hk_fail(err, HK_EINPUT, "it is neither a text nor an archive");
  if (!status) status = hk_rexs_file_parse(f, (char *)bytes, size, err);
  f->bytes = bytes;
  return status;
}

void hk_rexs_file_free(hk_rexs_file *f) {
  hk_arena_free(&f->arena);
  free(f->bytes);
}

hk_rexs_component *hk_rexs_find(const hk_rexs_file *f, int id) {
  for (hk_rexs_component *c = f->component; c; c = c->next)
    if (c->id == id) return c;
  return NULL;
}

int hk_rexs_case_count(const hk_rexs_file *f) {
  int n = 0;
  for (const hk_rexs_case *c = f->load_case; c; c = c->next) n++;
  return n;
}
