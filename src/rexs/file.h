/* REXS files, the exchange format of gearboxes: components with attributes, relations between components, and load
 * cases.  References: specification of REXS 1.0 to 1.7 (FVA). */
#ifndef HK_REXS_FILE_H
#define HK_REXS_FILE_H
#include "base/arena.h"
#include <hooke/base.h>

typedef struct hk_rexs_attribute {
  const char *name, *unit;
  const char *text;    /* text of a scalar; NULL: an array, or no value */
  const char **number; /* elements of an array */
  int n;
  bool used;
  struct hk_rexs_attribute *next;
} hk_rexs_attribute;

typedef struct hk_rexs_component {
  int id;
  const char *type, *name; /* "" if there is no name */
  hk_rexs_attribute *first;
  bool used;
  struct hk_rexs_component *next;
} hk_rexs_component;

typedef struct hk_rexs_ref {
  const char *role;
  int id;
} hk_rexs_ref;

enum { HK_REXS_MAX_REFS = 16 };
typedef struct hk_rexs_relation {
  const char *type;
  int id;
  hk_rexs_ref ref[HK_REXS_MAX_REFS];
  int n;
  struct hk_rexs_relation *next;
} hk_rexs_relation;

typedef struct hk_rexs_case {
  const char *name; /* its id */
  hk_rexs_component *first;
  struct hk_rexs_case *next;
} hk_rexs_case;

typedef struct hk_rexs_file {
  hk_arena arena;
  void *bytes; /* contents of the file, which contain all names and texts */
  const char *version, *application;
  hk_rexs_component *component;
  hk_rexs_relation *relation;
  hk_rexs_case *load_case; /* all cases of the load spectrum */
} hk_rexs_file;

/* Reads a file: XML (.rexs), JSON (.rexsj), or an archive that contains one of these. Call hk_rexs_file_free even if
 * this fails. */
hk_status hk_rexs_file_read(hk_rexs_file *f, const char *path, hk_error *err);
/* Same for a text of `size` bytes. The text must end with a NUL, is modified, and must exist as long as f. */
hk_status hk_rexs_file_parse(hk_rexs_file *f, char *text, size_t size, hk_error *err);
void hk_rexs_file_free(hk_rexs_file *f);

/* NULL: there is none. */
hk_rexs_component *hk_rexs_find(const hk_rexs_file *f, int id);
int hk_rexs_case_count(const hk_rexs_file *f);
#endif
