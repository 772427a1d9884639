/* Shared by the files of the model file reader; not for other files.
 *
 *   model_file.c          the two passes: create all items, then read their parameters
 *   model_source.c        one tree for repeated reading
 *   model_file_include.c  files -> one document tree
 *   model_file_override.c --set -> changes of this tree
 *   model_file_scope.c    parameters, indices and expressions
 *   model_file_name.c     names of bodies, markers, joints and channels
 *   model_file_expand.c   repeat -> items
 *   model_file_part.c     assemblies and parts
 *   model_file_item.c     all keys of one item, its defaults, markers and placement
 *   model_file_shape.c    shapes defined within a body
 *   model_file_value.c    one value of a document -> one parameter of an item
 *   model_file_table.c    the points of tables, from their files
 *   model_file_rotation.c the forms of directions and rotations
 *   model_file_renamed.c  former names of keys, choices and channels */
#ifndef HK_READ_MODEL_FILE_READER_H
#define HK_READ_MODEL_FILE_READER_H
#include "read/doc.h"
#include "read/model_source.h"
#include "read/preparation.h"
#include "spec/item.h"
#include "spec/registry.h"

/* Fuzzers use small limits, so that a short text cannot take seconds. */
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
enum { HK_MODEL_MAX_ITEMS = 500 };
#else
enum { HK_MODEL_MAX_ITEMS = 1000000 }; /* largest total number of items, parts and repetitions */
#endif
enum {
  HK_MODEL_MAX_INCLUDES = 8, /* depth */
  HK_MODEL_MAX_PARTS = 16,   /* depth */
  HK_MODEL_MAX_NAME = 60     /* largest length of one name in the file */
};

/* Name -> value; the strings are not owned. */
typedef struct hk_mf_names {
  struct hk_mf_name {
    const char *name;
    void *value;
  } * entry;
  uint32_t capacity, n;
} hk_mf_names;

typedef struct hk_mf_scope hk_mf_scope;

/* An index of `repeat` with its value in this repetition. */
typedef struct hk_mf_index {
  const char *name;
  long value;
  const struct hk_mf_index *next; /* index further out */
} hk_mf_index;

typedef enum hk_mf_state { HK_MF_NEW, HK_MF_OPEN, HK_MF_DONE, HK_MF_FAILED } hk_mf_state;

/* A parameter in one scope. */
typedef struct hk_mf_param {
  const hk_doc *doc;
  /* scope of the parameter's expression: the scope that creates the part if the part overrides
   * it */
  hk_mf_scope *scope;
  const hk_mf_index *index;
  hk_mf_state state;
  double value;
  hk_dim dim;
  struct hk_mf_param *below; /* the parameter that waits for the value of this one */
} hk_mf_param;

/* A reusable sub-assembly. */
typedef struct hk_mf_assembly {
  const hk_doc *doc;
  hk_mf_names param; /* name -> 1 + position */
  const hk_doc **param_doc;
  int n_params;
  const char **port;
  int n_ports;
  bool open; /* true: the assembly is being expanded, so that another use is a recursion */
} hk_mf_assembly;

/* The connection of a port of a part. */
typedef struct hk_mf_port {
  const hk_doc *doc; /* NULL: the port is not connected, which has been reported */
  const char *frame; /* full name of the frame once it is known */
  hk_mf_state state;
} hk_mf_port;

/* A scope: the model, or one part. */
struct hk_mf_scope {
  hk_mf_scope *parent; /* NULL for the model */
  const char *prefix;  /* "left." for part left, "" for the model */
  const hk_mf_names *names;
  hk_mf_param *param;
  int n_params;
  const hk_mf_assembly *assembly;
  hk_mf_port *port;
  const hk_mf_index *index; /* indices at the definition of the part, for its ports */
  bool placed;
  hk_quat rotation;
  hk_vec3 origin;
  hk_mf_scope *next; /* next scope in the list of all scopes, in the order of creation */
};

/* A created item with parameters still to be read. */
typedef struct hk_mf_pending {
  hk_doc *doc;
  hk_mf_scope *scope;
  const hk_mf_index *index;
} hk_mf_pending;

/* A name of an earlier version in a model file.  within: the text of a value in which old_name is one word of the
 * name of a channel; NULL: the old name is at the location itself. */
typedef struct hk_former_name {
  hk_location place;
  const char *old_name, *new_name, *within;
} hk_former_name;
typedef void hk_former_fn(void *context, const hk_former_name *name);

typedef struct hk_mf {
  hk_spec *spec;
  hk_diag *diag;
  const hk_preparation *preparation;
  int n_errors_before; /* number of errors in diag before reading */
  hk_arena arena;      /* memory of documents and scopes: freed when the spec is complete */
  hk_arena scratch;    /* bytecode of constants */
  hk_doc *root;
  struct hk_mf_copy *copy; /* values of single copies of repeated items: model_file_override.c */
  const char *model_path;  /* folder of the first file: all other files must be in this folder */
  const hk_override *own;  /* [n_own] values given on the command line */
  int n_own;
  /* files that are being read, each included by the one before */
  const char *including[HK_MODEL_MAX_INCLUDES + 1];
  hk_mf_scope model;
  hk_mf_scope *last_scope;
  hk_mf_names model_names, assemblies, files, broken;
  hk_mf_pending *pending[HK_N_CATEGORIES];
  int n_pending[HK_N_CATEGORIES], pending_capacity[HK_N_CATEGORIES];
  const char *last_file; /* last file name copied into the spec, and the address of the copy */
  const char *last_file_copy;
  int n_made;
  hk_former_fn *former; /* called with each former name; may be NULL */
  void *former_context;
} hk_mf;

/* Context of a value: scope for names, and owner for messages. */
typedef struct hk_mf_at {
  hk_mf *r;
  hk_mf_scope *scope;
  const hk_mf_index *index;
  const char *owner;   /* "body 'cage'" */
  const hk_item *item; /* item whose private names expressions may use; NULL: none */
} hk_mf_at;

/* --- model_file.c ---------------------------------------------------------------------------- */

/* Returns the tree of `doc` and the files that it includes. */
hk_doc *hk_mf_join_files(hk_mf *r, hk_doc *doc, const char *path);
/* Builds r->spec from r->root with the overrides; NULL if there were errors. */
hk_spec *hk_mf_build(hk_mf *r, const char *path, const hk_override *set, int n_set);

/* Reads a model and calls `former` with every former name in it. */
hk_spec *hk_model_read_former(const hk_model_text *m, hk_former_fn *former, void *context,
                              hk_diag *diag);

/* --- model_file_scope.c ---------------------------------------------------------------------- */

void *hk_mf_names_find(const hk_mf_names *t, const char *name);
/* Adds a name; replaces the value of an existing one.  Returns false if out of memory. */
bool hk_mf_names_add(hk_arena *arena, hk_mf_names *t, const char *name, void *value);
/* Returns the most similar name in the table, or NULL. */
const char *hk_mf_names_nearest(const hk_mf_names *t, const char *wrong);
bool hk_mf_no_memory(hk_mf *r); /* records that memory is exhausted and returns false */
/* returns true if reading must stop: the maximum number of errors was reached, or memory is
 * exhausted */
bool hk_mf_stop(const hk_mf *r);
/* Writes `; did you mean 'x'?` or an empty text. */
const char *hk_mf_did_you_mean(const char *near, char *buf, size_t size);

/* Evaluates all parameters of a scope; errors are added to diag. */
void hk_mf_settle(hk_mf *r, hk_mf_scope *scope);

/* Value of a scalar that must be constant.  `zero`: a plain 0, which fits every unit. */
typedef struct hk_mf_number {
  double value;
  hk_dim dim;
  bool zero;
} hk_mf_number;
bool hk_mf_constant(const hk_mf_at *at, const hk_doc *doc, const char *key, hk_mf_number *out);
bool hk_mf_integer(const hk_mf_at *at, const hk_doc *doc, const char *key, long *out);
/* Evaluates text[0..n), which begins at `offset` of the text of the scalar `doc`. */
bool hk_mf_integer_text(const hk_mf_at *at, const hk_doc *doc, int offset, const char *text,
                        size_t n, const char *key, long *out);
/* Compiles an expression of t and channels. */
hk_expr *hk_mf_expression(const hk_mf_at *at, const hk_doc *doc, const char *key);
/* Location of a byte of a scalar's text. */
hk_location hk_mf_inside(const hk_doc *doc, int offset);

/* --- model_file_name.c ----------------------------------------------------------------------- */

/* Whether a key has no value. */
bool hk_mf_is_empty(const hk_doc *doc);
bool hk_mf_check_word(hk_mf *r, const char *name, const hk_location *place, const char *what);
void hk_mf_check_keys(hk_mf *r, const hk_doc *map, const char *const *keys, int n,
                      const char *owner);
/* Returns a name in the file with its index expressions evaluated: "link[i+1]" -> "link[3]". */
char *hk_mf_indexed_name(const hk_mf_at *at, const hk_doc *doc, const char *text);
/* Returns the full name of an item: searches inner parts first, then outer ones; ports are
 * replaced. */
const char *hk_mf_full_name(const hk_mf_at *at, const char *name);
/* hk_mf_mark_broken records the name of an item that could not be created; hk_mf_is_broken is true
 * for a name of such an item, for which no further error is reported. */
void hk_mf_mark_broken(hk_mf *r, const hk_mf_scope *scope, const char *name);
bool hk_mf_is_broken(const hk_mf *r, const char *full_name);
/* Finds a frame by name; an unknown name is an error at the location of doc. */
const char *hk_mf_frame(const hk_mf_at *at, const hk_doc *doc, const char *key);
void hk_mf_check_ports(hk_mf *r);

/* --- model_file_include.c -------------------------------------------------------------------- */

/* Merges `doc` and the files it includes into r->root. */
void hk_mf_merge_file(hk_mf *r, hk_doc *doc, const char *path, int depth);
/* Path of a file, relative to the file that refers to it. */
char *hk_mf_relative_path(hk_mf *r, const char *from, const char *name);
/* Returns true if the model may read this file, which it calls `name`: only if the file is in the model's folder,
 * with links resolved, or if the user allows it. A model from an untrusted source must not reveal files in other
 * folders. If false, an error has been reported at `place`. */
bool hk_mf_may_read(hk_mf *r, const char *path, const char *name, const hk_location *place,
                    bool *outside);
/* Adds a file to those from which the spec was read, once; false: out of memory (reported). */
bool hk_mf_keep_file(hk_mf *r, const char *path, bool included);
/* Returns true if the model may read the file given by the parameter `file` of an item. */
bool hk_mf_may_read_item(hk_mf *r, const hk_item *item);
/* Records the files that a value names before the command line replaces it: they are not read now, but they belong to
 * the model, so no output may overwrite them. */
void hk_mf_note_files(hk_mf *r, const hk_doc *doc);
hk_doc *hk_mf_new_map(hk_mf *r, const char *key, hk_location place);
void hk_mf_append(hk_doc *map, hk_doc *child);

/* --- model_file_override.c ------------------------------------------------------------------- */

void hk_mf_override(hk_mf *r, const hk_override *set);
/* See hk_model_source_target; errors are reported. */
bool hk_mf_override_target(hk_mf *r, const char *path, hk_override_target *out);
/* Returns the document of the copy `name` in a section: doc, or a duplicate of it with the values that the command line
 * gives this copy only. NULL: out of memory, or a value cannot be set (reported). */
hk_doc *hk_mf_copy_of(hk_mf *r, const char *section, const char *name, hk_doc *doc);
/* Reports values for copies that do not exist. */
void hk_mf_check_copies(hk_mf *r);

/* --- model_file_expand.c --------------------------------------------------------------------- */

/* Creates the items of all sections of doc (the model or an assembly) in a scope. */
void hk_mf_expand(hk_mf *r, hk_mf_scope *scope, const hk_doc *doc, int depth);
hk_item *hk_mf_make_item(hk_mf *r, hk_mf_scope *scope, const hk_mf_index *index,
                         hk_category category, hk_doc *doc, const char *full_name);
/* A location with a file name that lives as long as the spec. */
hk_location hk_mf_keep_place(hk_mf *r, hk_location place);

/* --- model_file_shape.c ----------------------------------------------------------------------- */

/* Creates items for the `shape` of bodies and of ground. */
void hk_mf_make_shapes(hk_mf *r);

/* --- model_file_part.c ----------------------------------------------------------------------- */

void hk_mf_read_assemblies(hk_mf *r);
/* Reads a `parameters` map: `names` maps each name to its index + 1, `docs` holds the values; false: out of memory. */
bool hk_mf_list_params(hk_mf *r, const hk_doc *params, hk_mf_names *names, const hk_doc ***docs,
                       int *n);
void hk_mf_make_part(hk_mf *r, hk_mf_scope *scope, const hk_mf_index *index, hk_doc *doc,
                     const char *full_name, int depth);

/* --- model_file_value.c ---------------------------------------------------------------------- */

void hk_mf_set_param(const hk_mf_at *at, hk_item *item, int index, const hk_doc *doc);
bool hk_mf_quantity(const hk_mf_at *at, const hk_doc *doc, const char *key, hk_dim wanted,
                    double *out);
bool hk_mf_vector(const hk_mf_at *at, const hk_doc *doc, const char *key, const char *unit,
                  hk_vec3 *out);
bool hk_mf_expect(const hk_mf_at *at, const hk_doc *doc, hk_doc_kind kind, const char *key,
                  const char *what);

/* --- model_file_renamed.c --------------------------------------------------------------------- */

/* Records that a key or value is a former name.  note: adds a note with the new name. */
void hk_mf_former_key(hk_mf *r, const hk_doc *doc, const char *new_name, bool note);
void hk_mf_former_value(hk_mf *r, const hk_doc *doc, const char *new_name, bool note);
/* The current name of a channel; `full` itself if it is already current or is unknown. */
const char *hk_mf_current_channel(hk_mf *r, const hk_doc *doc, const char *full);

/* --- model_file_item.c ----------------------------------------------------------------------- */

void hk_mf_read_item(hk_mf *r, hk_item *item, const hk_mf_pending *pending);
/* Reads only references and choices of an item; errors are reported later by hk_mf_read_item. */
void hk_mf_peek_item(hk_mf *r, hk_item *item, const hk_mf_pending *pending);
void hk_mf_read_markers(hk_mf *r, hk_item *body, const hk_mf_pending *pending);
void hk_mf_read_ground(hk_mf *r, hk_doc *ground);
/* Checks types and keys of the `defaults` section. */
void hk_mf_check_defaults(hk_mf *r);

/* --- model_file_table.c ----------------------------------------------------------------------- */

/* Sets the points of a table from its file. */
void hk_mf_load_table(hk_mf *r, hk_item *item, const hk_mf_pending *pending);

/* --- model_file_signal.c ---------------------------------------------------------------------- */

/* Returns true if an item of `inputs` follows a file. */
bool hk_mf_follows_file(const hk_doc *doc);
/* Creates the event that belongs to the section `stop`. */
void hk_mf_make_stop(hk_mf *r, hk_doc *stop);
/* Creates the table and the sensor of an input that follows a file; NULL: an error was reported. */
hk_item *hk_mf_make_file_input(hk_mf *r, hk_mf_scope *scope, const hk_mf_index *index, hk_doc *doc,
                               const char *full_name);

/* --- model_file_text.c ------------------------------------------------------------------------ */

/* Marks the parameters whose texts replace values `$name`. */
void hk_mf_mark_texts(hk_mf *r);
void hk_mf_fill_texts(hk_mf *r);

/* --- model_file_rotation.c ------------------------------------------------------------------- */

bool hk_mf_direction(const hk_mf_at *at, const hk_doc *doc, const char *key, hk_vec3 *out);
bool hk_mf_rotation(const hk_mf_at *at, const hk_doc *doc, const char *key, hk_quat *out);
#endif
