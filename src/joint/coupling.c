/* Coupling: a weighted sum of coordinates keeps its initial value. One row.
 *   sum_i factor_i coordinate_i = initial value
 * Covers differentials, planetary gear sets (z_s phi_s + z_r phi_r - (z_s + z_r) phi_c) and any
 * other linear relation between angles and displacements of joints and rotors. */
#include <hooke/joint.h>

enum { MAX_TERMS = 32 };

typedef struct coupling {
  hk_joint_common joint;
  hk_terms terms;
} coupling;

static const coupling defaults = {.joint = HK_JOINT_COMMON_DEFAULTS};

static const hk_param params[] = {
    HK_TERMS(coupling, terms, HK_REQUIRED | HK_ANY_UNIT,
             "coordinates with their factors, as in `sun.angle: 1`"),
};

static void build(hk_joint_builder *b) {
  const coupling *p = hk_item_data(b->item);
  hk_joint_without_frames(b);
  if (p->terms.n < 1 || p->terms.n > MAX_TERMS) {
    hk_joint_refuse(b, "terms", "a coupling takes 1 to %d terms, not %d", MAX_TERMS, p->terms.n);
    return;
  }
  hk_sum_term term[MAX_TERMS];
  for (int i = 0; i < p->terms.n; i++) {
    term[i] = (hk_sum_term){p->terms.term[i].coordinate, p->terms.term[i].factor};
    if (term[i].factor == 0 || !isfinite(term[i].factor)) {
      hk_joint_refuse(b, "terms", "the factor of '%s' must be a finite number other than 0",
                      term[i].coordinate);
      return;
    }
  }
  hk_joint_sum(b, "sum", term, p->terms.n, NULL, true);
}

static const hk_joint_ops ops = {.frames = false, .build = build};

const hk_type hk_type_joint_coupling = {
    .name = "coupling",
    .category = HK_JOINT,
    .doc = "A weighted sum of joint coordinates or rotor angles keeps its initial value.",
    .source = "linear holonomic constraint [Haug1989, ch. 9]",
    .size = sizeof(coupling),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
