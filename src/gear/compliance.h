/* Bulk compliance of a gear: how far the teeth give way along the line of action, without the local
 * (Hertzian) deformation, which belongs to the law of the line contact.
 *
 * A tooth is cut into slices over the face width.  A unit force on slice j of a tooth, spread over the
 * slice and along the flank's normal where the roll length (radius of curvature of the involute) is s,
 * moves slice i of the same or of a neighbouring tooth, at roll length r, by
 *   c[offset][r][i][s][j]
 * along its own normal.  Offset +1 is the neighbour whose roll length is one base pitch larger at the
 * same moment.  By Maxwell and Betti c[o][r][i][s][j] = c[-o][s][j][r][i].  Between the stations of the
 * table it is bilinear in both roll lengths; beyond its ends the value of the end holds.  Teeth further
 * apart than the table reaches couple as the furthest it knows: what is left there is the wind-up of
 * the body, which hardly depends on the distance.  In a table without neighbours teeth do not couple.
 *
 * Where a table comes from: finite elements (src/fe), a file (src/io/gear_file.h), ISO 6336, or none,
 * for rigid teeth.
 */
#ifndef HK_GEAR_COMPLIANCE_H
#define HK_GEAR_COMPLIANCE_H
#include "base/arena.h"
#include <hooke/base.h>

enum { HK_GEAR_MAX_STATIONS = 200, HK_GEAR_MAX_SLICES = 64, HK_GEAR_MAX_REACH = 4 };

typedef struct hk_gear_compliance {
  int stations, slices; /* stations = 0: rigid */
  int reach;            /* neighbours on each side that the table knows */
  const double *roll;   /* [stations] ascending, m */
  const double *c;      /* [2 reach + 1][stations][slices][stations][slices], m/N */
} hk_gear_compliance;

/* Doubles in c. */
size_t hk_gear_compliance_size(int stations, int slices, int reach);
/* One of them: offset in [-reach, reach]. */
double hk_gear_compliance_entry(const hk_gear_compliance *g, int offset, int r, int i, int s,
                                int j);

/* One place where a gear is touched. */
typedef struct hk_gear_touch {
  int tooth; /* rises with the roll length: neighbours differ by one */
  int slice;
  double roll; /* m */
  /* Filled by hk_gear_compliance_locate. */
  int station;
  double along; /* 0..1, from that station to the next */
  double slope; /* of `along` with the roll length; 0 beyond the table's ends */
} hk_gear_touch;

void hk_gear_compliance_locate(const hk_gear_compliance *g, hk_gear_touch *touch, int n);
/* Adds the influence of n located touches on each other to the symmetric C[n][n] and, if C_roll is not NULL, the
 * derivative of each entry by the roll length of its row: all of it is dC_ab = C_roll_ab dR_a + C_roll_ba dR_b. */
void hk_gear_compliance_add(const hk_gear_compliance *g, const hk_gear_touch *touch, int n,
                            double *C, double *C_roll);

/* What a slice does not share with its neighbour on the same tooth: its own compliance less that between both, of
 * slices on their own all of it; `slope` by its roll length. */
double hk_gear_compliance_own(const hk_gear_compliance *g, const hk_gear_touch *touch,
                              double *slope);

/* Whether the numbers can be those of an elastic gear: stations ascend, all is finite and symmetric to
 * HK_GEAR_SYMMETRY of the largest entry, and every force does work.  Else a sentence that says where. */
#define HK_GEAR_SYMMETRY 1e-3
hk_status hk_gear_compliance_check(const hk_gear_compliance *g, hk_error *err);

/* The mean of what should be equal, in the table's own numbers `c`. */
void hk_gear_compliance_symmetrise(const hk_gear_compliance *g, double *c);

/* The gear that a table is wanted for. */
typedef struct hk_gear_flank {
  int slices;
  double roll_first, roll_last; /* m: the part of the flank that is in contact */
  double roll_tip; /* m: where the flank ends; for an internal gear the largest there is */
} hk_gear_flank;
/* Whether a table can be that of this gear: as many slices, stations on the flank, and over all of the
 * path of contact. */
hk_status hk_gear_compliance_fits(const hk_gear_compliance *g, const hk_gear_flank *flank,
                                  hk_error *err);

/* The table of as many slices over another part of the face: from `from` to `to`, where the whole goes from
 * -1/2 to 1/2.  A load on one of them is spread over the old slices below it, and what is read is their mean,
 * so that the table stays symmetric. */
hk_status hk_gear_compliance_refit(hk_arena *arena, const hk_gear_compliance *g, double from,
                                   double to, hk_gear_compliance *out, hk_error *err);

/* ---- stiffness of ISO 6336-1, method B ---- */

/* A pair of gears of steel with the basic rack of ISO 53: 1 is the pinion, the gear with fewer teeth, 2 the
 * wheel; z2 = 0: a ring or rack. */
typedef struct hk_iso_pair {
  double z1, z2, x1, x2;    /* teeth, profile shift */
  double module;            /* normal, m */
  double pressure_angle;    /* of the rack, normal section, rad */
  double helix_angle;       /* at the reference cylinder, rad */
  double dedendum;          /* of the rack, in modules: 1.25 by ISO 53 */
  double contact_ratio;     /* transverse */
  double face_width;        /* m */
  double web[2], rim[2];    /* thickness of web and rim below the root, m; web = 0: solid */
  double youngs_modulus[2]; /* Pa; other than steel's: the stiffness is in proportion */
  double line_load;         /* N/m: the stiffness falls below 100 N/mm with its fourth root */
} hk_iso_pair;

typedef struct hk_iso_stiffness {
  double
      theoretical; /* c'th, N/m^2: force per face width and deflection, both in the transverse section */
  double single; /* c' of one pair of teeth at its stiffest */
  double mesh;   /* c_gamma_alpha: mean of the teeth that share the load */
} hk_iso_stiffness;
hk_status hk_iso_stiffness_of(const hk_iso_pair *p, hk_iso_stiffness *out, hk_error *err);

/* Half of the bulk compliance of such a pair as the table of one of its gears: teeth and slices on their
 * own, c' at the middle of the path of contact and falling with the square of the distance from it, so
 * that the mean over the path gives the mesh stiffness.  `local` [m^2/N] is the deflection of the local
 * contact of both gears per line load, which ISO's stiffness contains and which is taken out; the rest
 * must be positive.
 * ISO's force and deflection are those of the transverse section.  Along the common normal, in which tables
 * are, the force is 1/cos(beta_b) times and the deflection cos(beta_b) times as large, and a slice of face
 * width b has a line of contact of b/cos(beta_b): C b = cos(beta_b)^2/c' - cos(beta_b) local. */
typedef struct hk_iso_teeth {
  double contact_ratio; /* transverse */
  double local;         /* m^2/N */
  double face_width;    /* m */
  double cos_base;      /* of the base helix angle */
} hk_iso_teeth;
hk_status hk_gear_compliance_iso(hk_arena *arena, const hk_iso_stiffness *iso,
                                 const hk_iso_teeth *teeth, const hk_gear_flank *flank,
                                 hk_gear_compliance *out, hk_error *err);

#endif
