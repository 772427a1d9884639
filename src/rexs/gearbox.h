/* A gearbox in one load case, as read from a REXS file: shafts, gears, bearings, couplings and loads, placed in the
 * axes of hooke. The axes u, v and w of REXS are z, x and y of hooke. SI units. */
#ifndef HK_REXS_GEARBOX_H
#define HK_REXS_GEARBOX_H
#include "rexs/access.h"

enum { HK_REXS_MAX_PARTS = 200, HK_REXS_MAX_SECTIONS = 48, HK_REXS_MAX_STATIONS = 24 };

/* Position and axes of a component; the columns are x, y and z. */
typedef struct hk_rexs_pose {
  double at[3], axes[3][3]; /* axes[i][j]: component i of axis j */
  bool given;
} hk_rexs_pose;

typedef struct hk_rexs_section {
  double start, length, outer, outer_end, inner;
} hk_rexs_section;

typedef struct hk_rexs_disc {
  double at, mass, inertia;
} hk_rexs_disc;

typedef struct hk_rexs_shaft {
  hk_rexs_component *c;
  hk_rexs_pose pose; /* position of the start of the shaft in the axes of hooke */
  /* The z axis of the shaft in hooke is `way` times u. All shafts that gears connect have the same direction of z. */
  double way, first; /* u of the start of the first section */
  hk_rexs_section section[HK_REXS_MAX_SECTIONS];
  int n_sections;
  double length, youngs_modulus, poisson_ratio, density;
  double station[HK_REXS_MAX_STATIONS]; /* between the ends, sorted */
  int n_stations;
  hk_rexs_disc disc[HK_REXS_MAX_STATIONS];
  int n_discs;
  double speed; /* speed about the z axis of hooke, if `defined` */
  bool defined;
  int group;     /* number of the group: shafts in a group have speeds in a fixed ratio */
  double ratio;  /* speed relative to `root`, the first shaft of the group */
  int root;      /* index of that shaft */
  char law[160]; /* the ratio as an expression of teeth and another ratio */
  double axial;  /* true: gears and loads cause an axial force along z */
} hk_rexs_shaft;

typedef struct hk_rexs_gear {
  hk_rexs_component *c;
  int shaft; /* -1: fixed to the casing */
  hk_rexs_pose pose;
  double at; /* z on the shaft */
  double teeth, module, helix, face_width, pressure_angle, shift, tip, bore;
  bool ring, has_shift;
  /* Flank modifications: the removed material, and the roll lengths to which it belongs; 0: none. */
  double tip_relief, tip_length, root_relief, root_length, profile_crowning, lead_crowning,
      lead_slope;
} hk_rexs_gear;

typedef struct hk_rexs_mesh {
  hk_rexs_component *c;
  int a, b; /* gears; b may be a ring */
  double distance;
  double working_radius_a, working_radius_b, tan_working_helix;
  double torque; /* torque about z of the shaft on gear a */
  bool has_torque;
  /* loads on the side of gear a, if the mesh is the only connection of two sides */
  bool feeds[HK_REXS_MAX_PARTS];
} hk_rexs_mesh;

typedef struct hk_rexs_support {
  hk_rexs_component *c;
  int inner, outer; /* shafts; outer -1: the casing */
  hk_rexs_pose pose;
  double at, at_outer;                 /* z on the inner and outer shaft */
  double radial, axial, tilt, torsion; /* 0: none */
  /* directions of axial force on the inner part that the bearing supports: bit 0 positive z, bit 1 negative z */
  int absorbs;
  bool coupling, rigid;
  bool default_radial, default_axial;
} hk_rexs_support;

typedef struct hk_rexs_load {
  hk_rexs_component *c;
  int shaft;
  /* load in the axes x, y, z of the shaft's start, which do not rotate */
  double at, force[3], torque[3];
  bool has_force[3], has_torque[3]; /* components that are not zero in at least one load case */
  /* its torque about z is computed from the balance of the loads */
  bool balances;
} hk_rexs_load;

typedef struct hk_rexs_gearbox {
  hk_rexs_source s;
  hk_rexs_shaft shaft[HK_REXS_MAX_PARTS];
  hk_rexs_gear gear[HK_REXS_MAX_PARTS];
  hk_rexs_mesh mesh[HK_REXS_MAX_PARTS];
  hk_rexs_support support[HK_REXS_MAX_PARTS];
  hk_rexs_load load[HK_REXS_MAX_PARTS];
  int n_shafts, n_gears, n_meshes, n_supports, n_loads;
  double gravity[3]; /* zero: not considered */
  double viscosity;  /* dynamic; 0: no lubricant */
  double temperature;
  double share; /* fraction of time of the load case */
} hk_rexs_gearbox;

/* Reads the gearbox from b->s; returns b->s.status. */
hk_status hk_rexs_gearbox_read(hk_rexs_gearbox *b);
/* Ratios, speeds, torques of meshes, balance of the loads, and axial forces (drive.c). */
void hk_rexs_drive(hk_rexs_gearbox *b);
/* shafts.c, gears.c, supports.c */
void hk_rexs_read_shafts(hk_rexs_gearbox *b);
void hk_rexs_read_gears(hk_rexs_gearbox *b);
double hk_rexs_reference_diameter(const hk_rexs_gear *g);
/* Modifications of both gears of a mesh (modifications.c). */
void hk_rexs_read_modifications(hk_rexs_gearbox *b, const hk_rexs_mesh *m);
void hk_rexs_read_supports(hk_rexs_gearbox *b);
void hk_rexs_read_loads(hk_rexs_gearbox *b);
int hk_rexs_shaft_index(const hk_rexs_gearbox *b, int id);
/* Position of a component in the axes of hooke. */
hk_rexs_pose hk_rexs_pose_of(hk_rexs_gearbox *b, hk_rexs_component *c);
/* Adds a position on a shaft at which a part is attached. The names of these positions are
 * known only after all of them have been added. */
void hk_rexs_add_station(hk_rexs_gearbox *b, hk_rexs_shaft *shaft, double at,
                         const hk_rexs_component *who);
/* Writes the name of the frame at such a position in the syntax of a model file, with quotes. */
void hk_rexs_station_name(const hk_rexs_shaft *shaft, double at, char *out, size_t size);
/* z coordinate of a point on its shaft. */
double hk_rexs_along(const hk_rexs_shaft *shaft, const double at[3], double *off);
/* Returns the text of the model, allocated with malloc; NULL: out of memory (write.c). */
char *hk_rexs_write_model(hk_rexs_gearbox *b, const char *name);

/* Values of a load case that are parameters of the model, or keys of its items (spectrum.c). */
typedef struct hk_rexs_column {
  char name[60];
  const char *unit; /* NULL: the value is a flank, see hk_rexs_flank */
  double value;
} hk_rexs_column;
/* Maximum number of values: six per load, one per shaft and mesh, two per bearing, and one for
 * the lubricant. */
enum { HK_REXS_MAX_COLUMNS = 10 * HK_REXS_MAX_PARTS + 1 };
/* `initial_mesh` of a mesh with this torque. */
const char *hk_rexs_flank(double torque);
/* Lists these values. The list is the same for all load cases that give speeds of the same
 * shafts. */
int hk_rexs_list_columns(const hk_rexs_gearbox *b, hk_rexs_column *out);
/* Marks the loads of b that become parameters: those that are not zero in at least one case. */
void hk_rexs_mark_loads(hk_rexs_gearbox *b, const hk_rexs_column *table, int n_cases);
/* Returns a study with one variant per load case, allocated with malloc; share: fractions of time. */
char *hk_rexs_write_study(const hk_rexs_file *f, const hk_rexs_column *table, const double *share,
                          int n_columns, const char *model);
#endif
