/* Shared by the files that read systems of FMUs: see ssp.h.
 *
 * ssp_read.c         systems, components, connectors, connections
 * ssp_parameters.c   parameter sets and where they apply
 * ssp_net.c          the output that drives each input, and the conversion of units
 * ssp_write.c        the model file */
#ifndef HK_IMPORT_SSP_PRIVATE_H
#define HK_IMPORT_SSP_PRIVATE_H
#include "import/description.h"
#include "import/ssp.h"
#include "import/xml_tree.h"

/* Maximum number of files and of nesting levels. Limits are needed because an archive may refer to itself. */
enum { SSP_MAX_DEPTH = 20, SSP_MAX_FILES = 200, SSP_MAX_PARTS = 5000, SSP_MAX_PORTS = 20000 };

typedef enum ssp_part_kind { SSP_SYSTEM, SSP_FMU, SSP_DICTIONARY } ssp_part_kind;

/* A value of a parameter set. */
typedef struct ssp_value {
  const double *number; /* number of elements of an array; 1: a single number */
  int n;
  bool has_unit;
  hk_unit unit;
  double factor, offset; /* applied to the number in the unit of the port */
} ssp_value;

/* A system, an FMU in it, or a signal dictionary. */
typedef struct ssp_part {
  ssp_part_kind kind;
  const char *name;
  const char *item; /* FMU: name of the item in the model file */
  const char *file; /* FMU: its name in the archive */
  int parent;       /* -1: the outermost system */
  hk_fmu_description *fmu;
  const hk_xml_node *node, *units; /* list of units of the file in which the part is defined */
  const hk_xml_node *component;    /* system in a separate file: the component that refers to it */
  const char *source;              /* file in which the part is defined */
} ssp_part;

/* A connector of a system, a variable of an FMU, or a signal of a dictionary. */
typedef struct ssp_port {
  int part;
  const char *name, *kind;         /* kind that the connector declares; NULL: none */
  const hk_fmu_variable *variable; /* FMU */
  bool has_unit;
  hk_unit unit; /* unit as declared by the FMU; otherwise by the connector */
  /* true: values in the model file have this unit; otherwise they are plain numbers */
  bool carried;
  bool has_value;
  ssp_value value; /* of a parameter set */
  int line;
  const char *source;
  int first_wire; /* -1: none */
  int mark;       /* scratch of searches */
  bool used;      /* an output of an FMU that is read by an input or a connector */
} ssp_port;

/* One end of a connection. */
typedef struct ssp_wire {
  int to;   /* port */
  int next; /* next connection of the same port; -1: none */
  /* true: the search passes the connection in the direction in which the value is passed */
  double factor, offset;
  bool raw; /* units are not converted */
} ssp_wire;

typedef struct ssp {
  const hk_archive *archive;
  const char *name; /* of the archive */
  hk_diag *diag;
  hk_arena arena;
  const hk_ssp_options *option;
  const char *title;
  double start, stop; /* NaN: not given */
  ssp_part *part;
  int n_parts, part_capacity;
  ssp_port *port;
  int n_ports, port_capacity;
  ssp_wire *wire;
  int n_wires, wire_capacity;
  int n_connections, n_files;
} ssp;

/* Adds an error with a file of the archive and a line; returns false. */
bool ssp_refuse(ssp *s, const char *source, int line, const char *fmt, ...) HK_PRINTF(4, 5);
bool ssp_no_memory(ssp *s);
/* Makes room for one more element of an array that is allocated in the arena. */
bool ssp_grow(ssp *s, void **array, int n, int *capacity, size_t size, int most);
/* An XML file of the archive.  `reference`: the URI in the file `base`.  NULL with an error. */
const hk_xml_node *ssp_open(ssp *s, const char *base, int line, const char *reference,
                            const char **name);
/* Returns the name in the archive of the file to which a URI in the file `base` refers; NULL with an error. */
const char *ssp_resolve(ssp *s, const char *base, int line, const char *reference);

/* Reads the outermost system with all its parts. */
bool ssp_read(ssp *s, const char *file);
/* Index of the part of a system with this name; -1: there is none. */
int ssp_find_part(const ssp *s, int system, const char *name);
/* Index of the port with this name. If the port does not exist yet, it is added, provided that the FMU has such a
 * variable or the system has such a connector. -1: there is no such port. */
int ssp_port_of(ssp *s, int part, const char *name);
/* A unit by its name in a list of units of SSP.  False: there is none, or its dimension is
 * unknown. */
bool ssp_unit(const hk_xml_node *units, const char *name, hk_unit *unit);
/* Reads the number in a text; false: the text is not a number. */
bool ssp_number(const char *text, double *out);
/* factor and offset of a LinearTransformation within the node; 1 and 0 if there is none.  False: with an error. */
bool ssp_transformation(ssp *s, const char *source, const hk_xml_node *node, double *factor,
                        double *offset);

/* Applies all parameter sets, which give values to ports. */
bool ssp_apply_parameters(ssp *s);

/* What drives a port. */
typedef enum ssp_driver_kind { SSP_NOTHING, SSP_SIGNAL, SSP_CONSTANT } ssp_driver_kind;
typedef struct ssp_driver {
  ssp_driver_kind kind;
  int port;              /* the source */
  double factor, offset; /* number of the driven port = factor * number of the source + offset */
} ssp_driver;
/* Returns true if a port can drive others (or be driven). */
bool ssp_is_source(const ssp *s, const ssp_port *p);
bool ssp_is_sink(const ssp *s, const ssp_port *p);
/* Finds the source of every driven port. False with an error: a port has two sources, or the units have different
 * dimensions. */
bool ssp_find_driver(ssp *s, int port, ssp_driver *out);

/* Returns the text of the model file, allocated with malloc. */
char *ssp_write(ssp *s, hk_ssp_counts *counts);
#endif
