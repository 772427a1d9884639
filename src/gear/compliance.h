/* Bulk compliance of a gear: deflection of the teeth along the line of action, without the local
 * (Hertzian) deformation, which belongs to the law of the line contact.
 *
 * A tooth is divided into slices over the face width. A unit force on slice j of a tooth,
 * distributed over the slice and along the normal of the flank at the roll length s (radius of
 * curvature of the involute), moves slice i of the same or a neighbouring tooth, at roll length
 * r, by
 *   c[offset][r][i][s][j]
 * along its normal. Offset +1 is the neighbour with a roll length that is one base pitch larger
 * at the same instant. By the theorem of Maxwell and Betti, c[offset][r][i][s][j] = c[-offset][s][j][r][i]. Between
 * the stations of the table the interpolation is bilinear in both roll lengths; beyond its ends the end value is used.
 * Teeth further apart than the table covers couple like the furthest ones in the table: this is the wind-up of the
 * gear body, which hardly depends on the distance. In a table without neighbours teeth do not couple.
 *
 * Sources of a table: finite elements (src/fe), a file (src/prepare/gear_file.h), ISO 6336; rigid teeth have no
 * table. */
#ifndef HK_GEAR_COMPLIANCE_H
#define HK_GEAR_COMPLIANCE_H
#include "base/arena.h"
#include <hooke/base.h>

enum { HK_GEAR_MAX_STATIONS = 200, HK_GEAR_MAX_SLICES = 64, HK_GEAR_MAX_REACH = 4 };

typedef struct hk_gear_compliance {
  int stations, slices; /* stations = 0: rigid */
  int reach;            /* neighbours on each side in the table */
  const double *roll;   /* [stations] ascending, m */
  const double *c;      /* [2 reach + 1][stations][slices][stations][slices], m/N */
} hk_gear_compliance;

/* Number of doubles in c. */
size_t hk_gear_compliance_size(int stations, int slices, int reach);
/* One entry: offset in [-reach, reach]. */
double hk_gear_compliance_entry(const hk_gear_compliance *g, int offset, int r, int i, int s,
                                int j);

/* Loaded point of a gear. */
typedef struct hk_gear_touch {
  /* tooth number; it increases with the roll length, by one from neighbour to neighbour */
  int tooth;
  int slice;
  double roll; /* m */
  /* Set by hk_gear_compliance_locate: */
  int station;
  double along; /* 0..1, from that station to the next */
  double slope; /* derivative of `along` with respect to the roll length; 0 beyond the ends of
                 * the table */
} hk_gear_touch;

void hk_gear_compliance_locate(const hk_gear_compliance *g, hk_gear_touch *touch, int n);
/* Adds the mutual influence of n located points to the symmetric C[n][n] and, if C_roll is not
 * NULL, the derivative of each entry with respect to the roll length of its row: the total is
 * dC_ab = C_roll_ab dR_a + C_roll_ba dR_b. */
void hk_gear_compliance_add(const hk_gear_compliance *g, const hk_gear_touch *touch, int n,
                            double *C, double *C_roll);

/* Returns the part of the compliance of a slice that does not also displace its neighbours on
 * the same tooth: its compliance minus the mean coupling with its neighbours. For uncoupled slices
 * it is the whole compliance. `slope`: derivative with respect to the roll length. */
double hk_gear_compliance_own(const hk_gear_compliance *g, const hk_gear_touch *touch,
                              double *slope);

/* Checks that the values can be those of an elastic gear: stations ascend, all entries are
 * finite and symmetric within HK_GEAR_SYMMETRY of the largest entry, and every force does
 * positive work. The error message names the location. */
#define HK_GEAR_SYMMETRY 1e-3
hk_status hk_gear_compliance_check(const hk_gear_compliance *g, hk_error *err);

/* Replaces entries of `c` that should be equal by their mean. */
void hk_gear_compliance_symmetrise(const hk_gear_compliance *g, double *c);

/* The gear for which a table is needed. */
typedef struct hk_gear_flank {
  int slices;
  double roll_first, roll_last; /* m: range of the flank in contact */
  double roll_tip; /* m: end of the flank; for an internal gear the largest roll length */
} hk_gear_flank;
/* Checks that a table can be that of this gear: equal number of slices, stations on the flank,
 * and the whole path of contact covered. */
hk_status hk_gear_compliance_fits(const hk_gear_compliance *g, const hk_gear_flank *flank,
                                  hk_error *err);

/* Computes a table with the same number of slices for a part of the face, between the positions `from` and `to`; the
 * whole face extends from -1/2 to 1/2. A load on a new slice is distributed over the old slices that it covers. The
 * deflection of a new slice is the mean of the deflections of these old slices, so that the table stays symmetric. */
hk_status hk_gear_compliance_refit(hk_arena *arena, const hk_gear_compliance *g, double from,
                                   double to, hk_gear_compliance *out, hk_error *err);

/* ---- stiffness of ISO 6336-1, method B ---- */

/* A pair of steel gears with the basic rack of ISO 53: 1 is the pinion, the gear with fewer
 * teeth, 2 the wheel; z2 = 0: a ring or rack. */
typedef struct hk_iso_pair {
  double z1, z2, x1, x2;    /* teeth, profile shift */
  double module;            /* normal, m */
  double pressure_angle;    /* pressure angle of the rack, normal section, rad */
  double helix_angle;       /* helix angle at the reference cylinder, rad */
  double dedendum;          /* dedendum of the rack, in modules: 1.25 by ISO 53 */
  double contact_ratio;     /* transverse */
  double face_width;        /* m */
  double web[2], rim[2];    /* thickness of web and rim below the root, m; web = 0: solid */
  double youngs_modulus[2]; /* Pa; for other materials than steel the stiffness is proportional
                             * to the modulus */
  double line_load;         /* N/m: below 100 N/mm the stiffness decreases with its fourth root */
} hk_iso_pair;

typedef struct hk_iso_stiffness {
  double theoretical; /* c'th, N/m^2: force per face width and deflection, both in the transverse
                    * section */
  double single;      /* c': maximum stiffness of one pair of teeth */
  double mesh;        /* c_gamma_alpha: mean stiffness of the teeth in contact */
} hk_iso_stiffness;
hk_status hk_iso_stiffness_of(const hk_iso_pair *p, hk_iso_stiffness *out, hk_error *err);

/* Computes half of the bulk compliance of such a pair, as a table for one of its gears; teeth
 * and slices are uncoupled. The stiffness is c' at the middle of the path of contact and
 * decreases with the square of the distance from it, so that the mean over the path gives the
 * mesh stiffness. `local` [m^2/N] is the deflection of the local contact of both gears per line
 * load, which is part of the ISO stiffness and is subtracted; the rest must be positive. Force
 * and deflection of ISO are in the transverse section. Along the common normal, used in the
 * tables, the force is larger by 1/cos(beta_b), the deflection smaller by cos(beta_b), and a
 * slice of face width b has a contact line of length b/cos(beta_b): C b = cos(beta_b)^2/c' -
 * cos(beta_b) local. */
typedef struct hk_iso_teeth {
  double contact_ratio; /* transverse */
  double local;         /* m^2/N */
  double face_width;    /* m */
  double cos_base;      /* cosine of the base helix angle */
} hk_iso_teeth;
hk_status hk_gear_compliance_iso(hk_arena *arena, const hk_iso_stiffness *iso,
                                 const hk_iso_teeth *teeth, const hk_gear_flank *flank,
                                 hk_gear_compliance *out, hk_error *err);

#endif
