/* Gear pair: cylindrical involute gears, spur or helical, external or internal (ring), between
 * any two bodies.
 *
 * The frames `a` and `b` are in the middle of the faces, with their z axes along the axes of the gears. Centre
 * distance, tilt and axial shift follow from the motion of the bodies; the force does not constrain them. If one gear
 * is shifted along the other, only the common part of both faces is in contact; without a common part there is no
 * force. Forces act along the common normals of the flanks, at the contact, and against sliding. Equations:
 * gear/involute.h (geometry), gear/pair.h (teeth in contact), gear/load_sharing.h (load sharing), gear/line.h (local
 * contact), gear/mesh_force.h (force, derivatives, energy).
 *
 * Limits: axes parallel within 0.1 rad; involute flanks with modifications of micrometres; the
 * inertia of the teeth belongs to the bodies. */
#include "force/gear_pair.h"
#include "base/arena.h"
#include "gear/mesh_force.h"
#include "spec/item.h"
#include "spec/signal.h"
#include <hooke/registry.h>
#include <string.h>

typedef hk_gear_pair_params gear_pair;

static const char *const MESHES[] = {"centered", "forward", "backward", "marked", NULL};
typedef enum initial_mesh { CENTERED, FORWARD, BACKWARD, MARKED } initial_mesh;
static const char *const CENTERS[] = {"fixed", "moving", NULL};
enum { FIXED, MOVING };

static const gear_pair defaults = {.teeth = {20, 20},
                                   .pressure_angle = 20 * M_PI / 180,
                                   .addendum = 1,
                                   .dedendum = 1.25,
                                   .blend_length = 0.01,
                                   .youngs_modulus = {210e9, 210e9},
                                   .poisson_ratio = {0.3, 0.3},
                                   .compliance = "iso"};

#define BOTH(kind, name, unit, flags, doc, ...)                                                \
  HK_PARAM_AS(#name "_a", kind, gear_pair, name[0], unit, flags, doc ", of a", ##__VA_ARGS__), \
      HK_PARAM_AS(#name "_b", kind, gear_pair, name[1], unit, flags, doc ", of b", ##__VA_ARGS__)
#define PITCH_ERROR(index, gear)                                                                  \
  HK_PARAM_AS(                                                                                    \
      "pitch_error_" gear, HK_PARAM_REALS, gear_pair, pitch_error[index], "m",                    \
      HK_UP_TO | HK_COUNTED,                                                                      \
      "index deviation of the teeth of " gear                                                     \
      ", positive counter-clockwise about z, at the "                                             \
      "reference circle; tooth 0 is the one at the x axis of the frame (`marked`) or next to it", \
      .count = HK_GEAR_MAX_ERRORS, .each = "tooth", .each_count = "teeth_" gear)
#define BOTH_REAL(name, unit, flags, doc, ...) \
  BOTH(HK_PARAM_REAL, name, unit, flags, doc, ##__VA_ARGS__)

static const hk_group GROUPS[] = {{"gear_a", "_a", "gear a"}, {"gear_b", "_b", "gear b"}, {0}};

static const hk_param params[] = {
    HK_FRAME(gear_pair, a, HK_REQUIRED, "gear a: z of the frame is the axis of the gear"),
    HK_FRAME(gear_pair, b, HK_REQUIRED, "gear b: z axis in the same direction as that of a"),
    HK_LAW_NAME(gear_pair, law, 0,
                "law of the line contact, such as ehl_line; default: dry and undamped"),
    BOTH(HK_PARAM_INT, teeth, NULL, HK_REQUIRED, "number of teeth", HK_RANGE(3, 2000)),
    HK_BOOL(gear_pair, ring, 0, "b is a ring with internal teeth"),
    HK_REAL(gear_pair, module, "m", HK_REQUIRED | HK_POSITIVE, "normal module"),
    HK_REAL(gear_pair, pressure_angle, "rad", 0,
            "pressure angle of the basic rack, in the normal section", HK_RANGE(0.05, 0.75)),
    HK_REAL(gear_pair, helix_angle, "rad", 0,
            "helix angle at the reference cylinder; positive: a is right-handed", HK_RANGE(-1, 1)),
    BOTH_REAL(profile_shift, NULL, 0,
              "profile shift coefficient; default: from the center distance", HK_RANGE(-2, 2)),
    HK_REAL(gear_pair, center_distance, "m", HK_POSITIVE,
            "nominal centre distance; default: from the profile shifts, without backlash"),
    HK_REAL(gear_pair, face_width, "m", HK_REQUIRED | HK_POSITIVE,
            "face width of a, and of b unless face_width_b is given; the common part of both faces "
            "is in contact"),
    HK_REAL(
        gear_pair, face_width_b, "m", HK_POSITIVE,
        "face width of b, if it differs from that of a; each frame is in the middle of its face"),
    BOTH_REAL(tip_diameter, "m", HK_POSITIVE,
              "tip diameter; default: from the rack, shortened for the tip clearance"),
    HK_REAL(gear_pair, addendum, NULL, HK_POSITIVE, "addendum coefficient of the rack (ISO 53: 1)"),
    HK_REAL(gear_pair, dedendum, NULL, HK_POSITIVE,
            "dedendum coefficient of the rack (ISO 53: 1.25)"),
    HK_REAL(gear_pair, backlash, "m", 0,
            "normal backlash due to thinner teeth, in addition to that of the center distance",
            HK_RANGE(-1, 1)),
    BOTH_REAL(profile_crowning, "m", 0,
              "profile crowning: material removed at both ends of the path of contact",
              HK_RANGE(0, 1e-2)),
    BOTH_REAL(tip_relief, "m", 0, "tip relief: material removed at the tip, parabolic",
              HK_RANGE(0, 1e-2)),
    BOTH_REAL(tip_relief_length, "m", 0, "roll length of the tip relief", HK_RANGE(0, 1)),
    BOTH_REAL(root_relief, "m", 0,
              "root relief: material removed at the root end of the path of contact",
              HK_RANGE(0, 1e-2)),
    BOTH_REAL(root_relief_length, "m", 0, "roll length of the root relief", HK_RANGE(0, 1)),
    BOTH_REAL(lead_crowning, "m", 0, "helix crowning: material removed at both ends of the face",
              HK_RANGE(0, 1e-2)),
    BOTH_REAL(lead_slope, "m", 0,
              "helix slope modification: material removed at the end at +z, minus that at -z",
              HK_RANGE(-1e-2, 1e-2)),
    BOTH(HK_PARAM_STRING, profile, NULL, 0,
         "table of the measured material removed from the flank over the roll length"),
    BOTH(HK_PARAM_STRING, lead, NULL, 0,
         "table of the measured material removed from the flank over the position along z"),
    BOTH(HK_PARAM_STRING, topography, NULL, 0,
         "tables of the measured material removed from the flank over the roll length, at "
         "positions evenly distributed over the face: `flank` means flank[0] at the end at -z, "
         "flank[1], ..., the last one at +z"),
    PITCH_ERROR(0, "a"),
    PITCH_ERROR(1, "b"),
    HK_INT(gear_pair, slices, 0,
           "slices of the face width; 0: 3, or four per base pitch of the twist of helical teeth, "
           "or as in the file",
           HK_RANGE(0, HK_GEAR_MAX_SLICES)),
    BOTH_REAL(youngs_modulus, "Pa", HK_POSITIVE, "Young's modulus"),
    BOTH_REAL(poisson_ratio, NULL, 0, "Poisson's ratio", HK_RANGE(0, 0.49)),
    HK_TEXT(gear_pair, compliance, HK_FILE,
            "compliance of teeth and gear bodies: `iso` (ISO 6336), `fe` (finite elements), "
            "`rigid`, or an HDF5 file"),
    BOTH(HK_PARAM_STRING, group, NULL, 0, "group of the compliance table in that file"),
    BOTH_REAL(bore, "m", 0,
              "diameter of the bore, fixed to the shaft; for a ring, the outer diameter (`fe`)",
              HK_MIN(0)),
    BOTH_REAL(web, "m", 0, "thickness of the web; 0: a solid gear (`fe`, `iso`)", HK_MIN(0)),
    BOTH_REAL(web_inner, "m", 0, "inner diameter of the web (`fe`)", HK_MIN(0)),
    BOTH_REAL(web_outer, "m", 0, "outer diameter of the web (`fe`)", HK_MIN(0)),
    HK_BOOL(gear_pair, corner_contact, 0,
            "corner contact: tip contact beyond the path of contact, as in loaded teeth; otherwise "
            "contact ends there"),
    HK_REAL(gear_pair, blend_length, NULL, 0,
            "length over which contact is blended out at the tips, in base pitches; steps should "
            "not be much longer",
            HK_RANGE(1e-4, 0.5)),
    HK_ENUM(gear_pair, initial_mesh, MESHES, 0,
            "initial position of the teeth of b in those of a, as the bodies are placed: "
            "`centered` in the backlash; touching with the flank that drives if a rotates "
            "`forward` (counter-clockwise about z) or `backward`; or as `marked`: x of a frame "
            "points to the middle of a tooth, of a ring to the middle of a space"),
    HK_ENUM(gear_pair, centers, CENTERS, 0,
            "`fixed`: the centres move only by bearing deflections; `moving`: they move around, as "
            "on a planet carrier or a moving housing. Defines the reference of transmission_error"),
    HK_REAL(gear_pair, initial_flank_penetration, "m", 0,
            "initial penetration of the `forward` or `backward` flanks", HK_RANGE(-1e-2, 1e-2)),
    HK_REAL(gear_pair, torque, "N m", 0,
            "torque on gear a, for `hooke gear`; negative: backward flank", HK_RANGE(-1e12, 1e12)),
    HK_REAL(gear_pair, speed, "rad/s", 0, "speed of a, for `hooke gear`; default: at rest",
            HK_RANGE(-1e6, 1e6)),
};

/* ---- geometry ---- */

hk_gear_source hk_gear_pair_source(const hk_item *item) {
  const char *from = HK_DATA(item, gear_pair)->compliance;
  if (!from || strcmp(from, "iso") == 0) return HK_GEAR_ISO;
  if (strcmp(from, "rigid") == 0) return HK_GEAR_RIGID;
  return strcmp(from, "fe") == 0 ? HK_GEAR_FE : HK_GEAR_FILE;
}

double hk_gear_pair_face(const hk_item *item, int gear) {
  const gear_pair *p = hk_item_data(item);
  return gear && hk_item_has(item, "face_width_b") ? p->face_width_b : p->face_width;
}

hk_status hk_gear_pair_design(const hk_item *item, hk_involute *out, hk_error *err) {
  const gear_pair *p = hk_item_data(item);
  hk_gear_drawing d = {
      .teeth = {p->teeth[0], p->teeth[1]},
      .ring = p->ring,
      .module = p->module,
      .pressure_angle = p->pressure_angle,
      .helix_angle = p->helix_angle,
      .profile_shift = {hk_gear_given(item, "profile_shift_a", p->profile_shift[0]),
                        hk_gear_given(item, "profile_shift_b", p->profile_shift[1])},
      .center_distance = hk_gear_given(item, "center_distance", p->center_distance),
      .face_width = fmin(hk_gear_pair_face(item, 0), hk_gear_pair_face(item, 1)),
      .tip_diameter = {hk_gear_given(item, "tip_diameter_a", p->tip_diameter[0]),
                       hk_gear_given(item, "tip_diameter_b", p->tip_diameter[1])},
      .addendum = p->addendum,
      .dedendum = p->dedendum,
      .backlash = p->backlash};
  return hk_involute_design(&d, out, err);
}

int hk_gear_pair_slices(const hk_item *item, const hk_involute *g) {
  const gear_pair *p = hk_item_data(item);
  if (p->slices) return p->slices;
  for (int i = 0; i < 2 && hk_gear_pair_source(item) == HK_GEAR_FILE; i++)
    if (p->table[i].stations) return p->table[i].slices;
  return (int)fmax(3, fmin(ceil(4 * g->overlap_ratio), HK_GEAR_MAX_SLICES));
}

hk_gear_flank hk_gear_pair_flank(const hk_item *item, const hk_involute *g, int gear) {
  double length = g->center_distance * sin(g->working_pressure_angle);
  double ends[2] = {g->path[0], g->path[1]};
  if (gear == 1)
    for (int i = 0; i < 2; i++) ends[i] = length - g->sign * g->path[i];
  bool ring = gear == 1 && g->sign < 0;
  return (hk_gear_flank){
      .slices = hk_gear_pair_slices(item, g),
      .roll_first = fmin(ends[0], ends[1]),
      .roll_last = fmax(ends[0], ends[1]),
      .roll_tip = ring ? sqrt(fmax(pow(g->root_radius[1], 2) - pow(g->base_radius[1], 2), 0))
                       : g->tip_roll[gear]};
}

hk_status hk_gear_pair_bring(hk_item *item, int gear, const hk_gear_compliance *table,
                             hk_error *err) {
  hk_involute g;
  if (hk_item_type(item) != &hk_type_force_gear_pair)
    return hk_fail(err, HK_EINPUT, "'%s' is not a gear_pair", hk_item_name(item));
  hk_status status = hk_gear_pair_design(item, &g, err);
  if (status) return status;
  hk_gear_flank flank = hk_gear_pair_flank(item, &g, gear);
  const gear_pair *p = hk_item_data(item);
  if (!p->slices && !p->table[1 - gear].stations) flank.slices = table->slices;
  status = hk_gear_compliance_check(table, err);
  if (!status) status = hk_gear_compliance_fits(table, &flank, err);
  if (!status) ((gear_pair *)item->data)->table[gear] = *table;
  return status;
}

/* ---- initial placement ---- */

static const double MOST_TILT = 0.1;

static hk_status place(const hk_item *item, const hk_frame *A, const hk_frame *B, void *constants,
                       hk_arena *arena, hk_error *err) {
  hk_gear_pair *p = constants;
  const hk_involute *g = &p->geometry;
  hk_gear_relative at;
  hk_gear_relate(A, B, &at);
  double tilt = acos(fmax(-1, fmin(1, at.Q.m[2][2]))), apart = hypot(at.u.x, at.u.y);
  if (tilt > MOST_TILT)
    return hk_fail(err, HK_EINPUT,
                   "the z axes of a and b differ by %.4g deg; the axes of the gears must be "
                   "parallel within %.2g deg",
                   tilt * 180 / M_PI, MOST_TILT * 180 / M_PI);
  if (fabs(apart - g->center_distance) > 0.5 * g->module)
    return hk_fail(err, HK_EINPUT,
                   "the axes of a and b are %.6g mm apart as placed in the model file, but the "
                   "center distance of this pair is %.6g mm",
                   1e3 * apart, 1e3 * g->center_distance);
  hk_status status = hk_gear_pair_shift(item, arena, hk_gear_shift(&at), p, err);
  if (status) return status;
  p->placed = hk_sub(B->x, A->x);
  p->carried = HK_DATA(item, gear_pair)->centers == MOVING;
  initial_mesh how = (initial_mesh)HK_DATA(item, gear_pair)->initial_mesh;
  double press = HK_DATA(item, gear_pair)->initial_flank_penetration;
  if (how == MARKED) return HK_OK;
  double *room = HK_NEW_ARRAY(arena, double, hk_gear_mesh_force_scratch(p));
  if (!room) return hk_fail(err, HK_ENOMEM, "out of memory");
  double flank = how == FORWARD ? 1 : how == BACKWARD ? -1 : 0;
  const char *wrong = hk_gear_set_phase(p, &at, flank, press, room);
  ((gear_pair *)item->data)->drawn_phase = p->phase;
  return wrong ? hk_fail(err, HK_EINPUT, "%s", wrong) : HK_OK;
}

/* ---- force ---- */

static hk_status bind(const hk_item *item, hk_force_binding *b, hk_error *err) {
  const gear_pair *p = hk_item_data(item);
  b->a = p->a;
  b->b = p->b;
  b->moment_a = b->moment_b = true;
  return HK_OK;
}

static void sizes(const void *data, const void *constants, int *memory, int *scratch) {
  *memory = hk_gear_slots_size(constants);
  *scratch = hk_gear_mesh_force_scratch(constants);
}

/* Computes J: relative displacements from those of the frames, d(u, psi) = J d; and L: relative
 * rates at constant velocities, d(u', omega) = L d. */
static void motion_rows(const hk_frame *A, const hk_frame *B, double J[6][12], double L[6][12]) {
  hk_vec3 r = hk_sub(B->x, A->x), w = hk_sub(B->w, A->w);
  hk_vec3 v = hk_sub(hk_sub(B->v, A->v), hk_cross(A->w, r));
  hk_mat3 Rt = hk_transpose(&A->R), rs = hk_skew(r), vs = hk_skew(v), ws = hk_skew(w),
          As = hk_skew(A->w);
  hk_mat3 Rtr = hk_matmul(&Rt, &rs), Rtv = hk_matmul(&Rt, &vs), Rtw = hk_matmul(&Rt, &ws),
          RtA = hk_matmul(&Rt, &As);
  memset(J, 0, 6 * sizeof *J);
  memset(L, 0, 6 * sizeof *L);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      J[i][j] = -Rt.m[i][j], J[i][6 + j] = Rt.m[i][j];
      J[i][3 + j] = Rtr.m[i][j];
      J[3 + i][3 + j] = -Rt.m[i][j], J[3 + i][9 + j] = Rt.m[i][j];
      L[i][j] = RtA.m[i][j], L[i][6 + j] = -RtA.m[i][j];
      L[i][3 + j] = Rtv.m[i][j];
      L[3 + i][3 + j] = Rtw.m[i][j];
    }
}

/* out -= J^T S X */
static void subtract(double J[6][12], double S[6][6], double X[6][12], double out[12][12]) {
  double SX[6][12] = {{0}};
  for (int i = 0; i < 6; i++)
    for (int l = 0; l < 6; l++)
      for (int j = 0; j < 12; j++) SX[i][j] += S[i][l] * X[l][j];
  for (int l = 0; l < 6; l++)
    for (int i = 0; i < 12; i++)
      for (int j = 0; j < 12; j++) out[i][j] -= J[l][i] * SX[l][j];
}

/* Adds the change of the wrench of a constant Q with rotations and displacements of the frames. */
static void geometric(hk_vec3 r, hk_vec3 F, hk_vec3 M, double K[12][12]) {
  hk_mat3 Fs = hk_skew(F), Ms = hk_skew(M), rs = hk_skew(r), rF = hk_matmul(&rs, &Fs);
  hk_block_add(K, 0, 3, -1, &Fs);
  hk_block_add(K, 3, 0, 1, &Fs);
  hk_block_add(K, 3, 6, -1, &Fs);
  hk_block_add(K, 3, 3, -1, &Ms);
  hk_block_add(K, 3, 3, -1, &rF);
  hk_block_add(K, 6, 3, 1, &Fs);
  hk_block_add(K, 9, 3, 1, &Ms);
}

static void eval(const void *data, const hk_force_in *in, hk_force_out *out) {
  hk_gear_relative at;
  hk_gear_action act;
  double J[6][12], L[6][12];
  hk_gear_relate(in->A, in->B, &at);
  out->failed = hk_gear_mesh_force(in->constants, &at, in->memory, in->h, out->tangent, in->scratch,
                                   &act, NULL);
  if (out->failed) return;
  motion_rows(in->A, in->B, J, L);
  for (int l = 0; l < 6; l++)
    for (int i = 0; i < 12; i++) out->w[i] += J[l][i] * act.Q[l];
  out->potential = act.potential;
  out->dissipated = act.dissipated;
  out->applied = act.applied;
  if (!out->tangent) return;
  subtract(J, act.Q_q, J, out->K);
  subtract(J, act.Q_v, L, out->K);
  subtract(J, act.Q_v, J, out->C);
  geometric(hk_sub(in->B->x, in->A->x), hk_v3(out->w[6], out->w[7], out->w[8]),
            hk_v3(out->w[9], out->w[10], out->w[11]), out->K);
  out->has_K = out->has_C = true;
}

static void accept(const void *data, const hk_force_in *in, double *memory) {
  hk_gear_relative at;
  hk_gear_relate(in->A, in->B, &at);
  hk_gear_remember(in->constants, &at, in->h, in->scratch, memory);
}

static const hk_quantity channels[] = {
    {"transmission_error", "m",
     "penetration of the forward flanks due to rotation only: with the centres at their initial "
     "position or, for `moving` centres, at their initial distance; NaN if `fixed` centres have "
     "moved around"},
    {"mesh_deflection", "m",
     "penetration of the forward flanks along the common normal, mean of all slices"},
    {"load", "N", "sum of the tooth loads along the common normal; backward flank: negative"},
    {"pairs", "1", "number of tooth pairs that carry load"},
    {"min_film_thickness", "m", "smallest film thickness of a loaded contact; 0: no film"},
    {"pressure", "Pa", "maximum Hertzian pressure between the teeth"},
    {"sliding_loss", "W", "power lost by sliding"},
    {"film_damping", "N s/m", "squeeze damping of the films, sum over slices and tooth pairs",
     HK_SHOW_DETAIL},
    {"load_factor", "1", "largest load of a slice divided by the mean of its tooth",
     HK_SHOW_DETAIL},
    {"face_width", "m", "common face width of both gears at their current position; 0: none",
     HK_SHOW_DETAIL},
    {"pair[i].load", "N",
     "load of one pair of teeth from the start to the end of its contact, then of the next pair in "
     "the same slot; backward flank: negative; the sum over i is `load`"},
    {"pair[i].share", "1", "load share: fraction of the total load carried by this pair of teeth"},
};
enum { PLAIN = sizeof channels / sizeof *channels - 2 };

static int repeats(const void *constants) { return hk_gear_recorded(constants); }

/* If the line of centres rotates by more than this angle, the cause cannot be the deflection of bearings. */
static const double MOST_TURN = 0.1;

/* Position of the centre of gear 2 in the axes of gear 1 without bearing deflections. */
static hk_vec3 rigid_center(const hk_gear_pair *p, const hk_frame *A, hk_vec3 u) {
  hk_vec3 held = hk_tmul(&A->R, p->placed);
  double distance = hypot(held.x, held.y), now = hypot(u.x, u.y);
  double turn = atan2(held.x * u.y - held.y * u.x, held.x * u.x + held.y * u.y);
  if (p->carried) return hk_v3(distance / now * u.x, distance / now * u.y, u.z);
  return fabs(turn) > MOST_TURN ? hk_v3(NAN, NAN, u.z) : hk_v3(held.x, held.y, u.z);
}

static void read(const void *data, const hk_force_in *in, const hk_force_out *out, double *value) {
  hk_gear_relative at;
  hk_gear_action act;
  hk_gear_record r;
  hk_gear_relate(in->A, in->B, &at);
  hk_gear_mesh_force(in->constants, &at, in->memory, in->h, false, in->scratch, &act, &r);
  at.u = rigid_center(in->constants, in->A, at.u);
  bool known = !isnan(at.u.x);
  double error = known ? hk_gear_overlap(in->constants, &at, 1, in->scratch) : NAN;
  const double all[PLAIN] = {known && isnan(error) ? 0 : error,
                             r.overlap,
                             r.force,
                             r.pairs,
                             r.film,
                             r.pressure,
                             r.sliding_loss,
                             r.damping,
                             r.load_factor,
                             r.face};
  memcpy(value, all, sizeof all);
  for (int i = 0; i < r.n; i++) {
    value[PLAIN + 2 * i] = r.load[i];
    value[PLAIN + 2 * i + 1] = r.share[i];
  }
}

static const hk_force_ops ops = {.bind = bind,
                                 .eval = eval,
                                 .prepare = hk_gear_pair_prepare,
                                 .set_placement = place,
                                 .sizes = sizes,
                                 .accept = accept,
                                 .read = read,
                                 .repeats = repeats,
                                 HK_CHANNELS(channels)};

static void mirror(hk_item *item) {
  static const initial_mesh other[] = {
      [CENTERED] = CENTERED, [FORWARD] = BACKWARD, [BACKWARD] = FORWARD, [MARKED] = MARKED};
  gear_pair *p = hk_item_edit(item);
  p->helix_angle = -p->helix_angle;
  p->initial_mesh = other[p->initial_mesh];
  p->torque = -p->torque;
  p->speed = -p->speed;
  for (int i = 0; i < 2; i++) {
    double *list = p->pitch_error[i];
    if (!(list[HK_GEAR_MAX_ERRORS] > 0) || p->teeth[i] > HK_GEAR_MAX_ERRORS) continue;
    hk_mirror_ring(list, p->teeth[i], -1); /* teeth that are not listed have no deviation */
    list[HK_GEAR_MAX_ERRORS] = p->teeth[i];
  }
}

/* Exchanges the frames `a` and `b`. Possible only with `initial_mesh: marked`: otherwise the teeth are placed relative
 * to the x axis of frame `a`, and the exchanged pair would be placed differently. */
static bool swap(hk_item *item) {
  gear_pair *p = hk_item_edit(item);
  double width = hk_gear_pair_face(item, 1);
  p->face_width_b = p->face_width;
  p->face_width = width;
  p->helix_angle = -p->helix_angle;
  return !p->ring && p->initial_mesh == MARKED;
}

const hk_type hk_type_force_gear_pair = {
    .name = "gear_pair",
    .category = HK_FORCE,
    .doc =
        "Involute gears in mesh, spur or helical: elastic teeth and gear bodies, dry or lubricated "
        "contact in slices, backlash, modified flanks, actual center distance and tilt.",
    .source = "[Scurria2019]; geometry [ISO21771; Litvin2004]",
    .size = sizeof(gear_pair),
    .defaults = &defaults,
    HK_TABLE(params),
    .groups = GROUPS,
    .ops = &ops,
    .draw = hk_gear_pair_draw,
    .sample = hk_gear_pair_sample,
    .stage = hk_gear_pair_stage,
    .known = hk_gear_pair_known,
    .symmetry = HK_SWAPS | HK_MIRRORS,
    .mirror = mirror,
    .swap = swap,
};
