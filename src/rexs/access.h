/* Access to the attributes of components in one load case.  Every attribute that is read is marked as used. */
#ifndef HK_REXS_ACCESS_H
#define HK_REXS_ACCESS_H
#include "rexs/file.h"
#include "rexs/unit.h"

typedef struct hk_rexs_source {
  hk_rexs_file *file;
  const hk_rexs_case *load_case; /* the load case; NULL: the file has none */
  hk_error *err;
  hk_status status; /* of the first error */
  char **note;
  int n_notes, room;
} hk_rexs_source;

/* Records an error about a component; later ones are ignored. */
void hk_rexs_fail(hk_rexs_source *s, const hk_rexs_component *c, const char *format, ...)
    HK_PRINTF(3, 4);
/* Records an assumption, or data of the file that is not used. c may be NULL. */
void hk_rexs_note(hk_rexs_source *s, const hk_rexs_component *c, const char *format, ...)
    HK_PRINTF(3, 4);

/* A number in SI units; false: it is missing, or it was reported as invalid. */
bool hk_rexs_number(hk_rexs_source *s, hk_rexs_component *c, const char *name, hk_rexs_dim dim,
                    double *out);
/* Same as hk_rexs_number, but a missing number is an error. */
bool hk_rexs_required(hk_rexs_source *s, hk_rexs_component *c, const char *name, hk_rexs_dim dim,
                      double *out);
/* A vector of three numbers. */
bool hk_rexs_vector(hk_rexs_source *s, hk_rexs_component *c, const char *name, hk_rexs_dim dim,
                    double out[3]);
/* A text; NULL: it is missing. */
const char *hk_rexs_text(hk_rexs_source *s, hk_rexs_component *c, const char *name);
/* Reads a truth value; if it is missing, returns `otherwise`. */
bool hk_rexs_flag(hk_rexs_source *s, hk_rexs_component *c, const char *name, bool otherwise);

/* Iterates over the components that relations of this type connect: `from` has the role `from_role`, the result the role
 * `to_role`.  *at is NULL at first.  NULL: there are no more. */
hk_rexs_component *hk_rexs_related(const hk_rexs_source *s, const char *type, const char *from_role,
                                   int from, const char *to_role, hk_rexs_relation **at);
/* The id of the component with this role in a relation; -1: there is none. */
int hk_rexs_role(const hk_rexs_relation *r, const char *role);

/* Adds notes about components and attributes that were not used. */
void hk_rexs_note_unused(hk_rexs_source *s);
#endif
