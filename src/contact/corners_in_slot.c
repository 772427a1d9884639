/* Block between two parallel guides: a slider with translational clearance, for plane motion.
 *
 * Frame A belongs to the guides, x along and y across them; they are at y = +-(half_height +
 * clearance). Frame B is at the centre of the block, with corners at (+-half_length,
 * +-half_height) in its axes x, y. Each corner can touch the guide on its side
 * [FloresLeineGlocker2010]:
 *   gap = half_height + clearance -+ y . (corner - xA),  n = -+y,  c = corner - (gap/2) n,  t = x */
#include "base/hot.h"
#include <hooke/gap.h>
#include "mesh/drawing.h"

typedef struct corners_in_slot {
  hk_contact_common common;
  double half_length, half_height, clearance;
} corners_in_slot;

static const corners_in_slot defaults = {{0}, 0, 0, 0};

static const hk_param params[] = {
    HK_REAL(corners_in_slot, half_length, "m", HK_REQUIRED | HK_POSITIVE,
            "half the length of the block, along the guides"),
    HK_REAL(corners_in_slot, half_height, "m", HK_REQUIRED | HK_POSITIVE,
            "half the height of the block, across the guides"),
    HK_REAL(corners_in_slot, clearance, "m", HK_REQUIRED,
            "gap on each side if the block is centred", HK_MIN(0)),
};

enum { LENGTH, HEIGHT, HALF_WIDTH };

static hk_status prepare(const hk_item *item, double *k, hk_error *err) {
  (void)err;
  const corners_in_slot *p = hk_item_data(item);
  k[LENGTH] = p->half_length;
  k[HEIGHT] = p->half_height;
  k[HALF_WIDTH] = p->half_height + p->clearance;
  return HK_OK;
}

HK_HOT static void eval(const double *k, const hk_frame *A, const hk_frame *B, double near,
                        bool with_t, hk_gap *out) {
  hk_vec3 x = hk_column(&A->R, 0), y = hk_column(&A->R, 1);
  hk_vec3 along = hk_scale(k[LENGTH], hk_column(&B->R, 0));
  hk_vec3 across = hk_scale(k[HEIGHT], hk_column(&B->R, 1));
  for (int i = 0; i < 4; i++) {
    hk_gap *o = &out[i];
    hk_vec3 r = hk_axpy(hk_axpy(hk_v3(0, 0, 0), i < 2 ? 1 : -1, along), i % 2 ? -1 : 1, across);
    o->n = i % 2 ? y : hk_neg(y);
    const hk_vec3 corner = hk_add(B->x, r), u = hk_sub(corner, A->x);
    o->gap = k[HALF_WIDTH] + hk_dot(o->n, u);
    o->c = hk_axpy(corner, -0.5 * o->gap, o->n);
    o->t = x;
    if (!(o->gap < near)) continue;
    hk_gap_clear(o->n_d);
    hk_gap_clear(o->c_d);
    hk_gap_carry(o->n_d, HK_GAP_TA, 1, o->n);
    for (int j = 0; j < 3; j++) o->c_d[j][HK_GAP_XB + j] = 1;
    hk_gap_carry(o->c_d, HK_GAP_TB, 1, r);
    double opening[12]; /* dc = dcorner - (dgap n + gap dn)/2 */
    hk_gap_row(o->n, u, r, opening);
    hk_gap_outer(o->c_d, hk_scale(-0.5, o->n), opening);
    hk_gap_carry(o->c_d, HK_GAP_TA, -0.5 * o->gap, o->n);
    if (with_t) hk_gap_carried_tangent(HK_GAP_TA, o);
  }
}

static const char *const POINTS[] = {"front_top", "front_bottom", "back_top", "back_bottom"};
static double deepest(const double *k) { return k[HEIGHT]; }

static const hk_gap_ops ops = {.points = 4,
                               .concave = true,
                               .point_names = POINTS,
                               .tangents = 1,
                               .prepare = prepare,
                               .deepest = deepest,
                               .eval = eval};

static void draw(const hk_item *item, hk_drawing *d) {
  const corners_in_slot *p = hk_item_data(item);
  double l = 2 * p->half_length, h = 2 * p->half_height, w = h + 2 * p->clearance;
  hk_mesh block = {0}, guides = {0}, other = {0};
  hk_mesh_box(&block, hk_v3(l, h, h));
  hk_mesh_box(&guides, hk_v3(8 * l, 0.2 * h, h));
  hk_mesh_append(&other, &guides);
  hk_mat3 I = hk_mat3_identity();
  hk_mesh_move(&guides, &I, hk_v3(0, 0.5 * w + 0.1 * h, 0));
  hk_mesh_move(&other, &I, hk_v3(0, -0.5 * w - 0.1 * h, 0));
  hk_mesh_append(&guides, &other);
  hk_mesh_free(&other);
  hk_draw(d, HK_DRAW_B, &block, (hk_draw_style){.part = true});
  hk_draw(d, HK_DRAW_A, &guides, (hk_draw_style){.paint = HK_PAINT_DARK});
}

const hk_type hk_type_contact_corners_in_slot = {
    .name = "corners_in_slot",
    .category = HK_CONTACT,
    .doc =
        "Four corners of a block (b, at its centre) between two parallel guides (a, x along them, "
        "y across), for plane motion: front is +x, top is +y of the block.",
    .source = "[FloresLeineGlocker2010]",
    .size = sizeof(corners_in_slot),
    .defaults = &defaults,
    HK_TABLE(params),
    .symmetry = HK_MIRRORS,
    .ops = &ops,
    .draw = draw,
};
