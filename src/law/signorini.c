/* Rigid contact: Signorini's condition, Coulomb's friction and Newton's impact law in both
 * directions,
 *   0 <= P_N _|_ v_N+ + e_N v_N- >= 0,   -P_T in mu P_N Sgn(v_T+ + e_T v_T-)
 * [Glocker2001; Ali2025, eqs 6 to 13].  With e_N = e_T an impact never adds energy,
 *   dT = P^T xi/(1 + e) - (1 - e)/(2 (1 + e)) P^T G P;
 * with e_N > e_T and friction it can, so that such a pair must be asked for.
 *
 * Where contacts touch each other's bodies the law has to say more.  `at_once`: it holds for all of them together,
 * and one that does not approach has no reason to separate: a row of balls that is hit moves off as one.
 * `in_turn`: only contacts that approach take impulses; those that approach because of them follow, until none does.
 * So an impulse runs through a row of balls as it does in Newton's cradle, where the bodies' elasticity makes
 * one contact end before the next begins.
 */
#include "law/law.h"

typedef struct signorini {
  double restitution_normal, restitution_tangential, mu, count_above;
  bool allow_energy_gain;
  int impact;
} signorini;

static const signorini defaults = {0, 0, 0, 0, false, 0};
static const char *const IMPACT[] = {"at_once", "in_turn", NULL};

static const hk_param params[] = {
    HK_REAL(signorini, restitution_normal, NULL, 0,
            "of the normal velocity at an impact: 0 none, 1 all", HK_RANGE(0, 1)),
    HK_REAL(signorini, restitution_tangential, NULL, 0,
            "of the sliding velocity; that of the normal one if left out", HK_RANGE(0, 1)),
    HK_REAL(signorini, mu, NULL, 0, "coefficient of friction", HK_MIN(0)),
    HK_REAL(signorini, count_above, "m/s", 0,
            "approach velocity above which a touch counts as an impact in the channel `impacts`",
            HK_MIN(0)),
    HK_BOOL(signorini, allow_energy_gain, 0,
            "accept restitution_normal > restitution_tangential with friction, although an impact "
            "can then add energy"),
    HK_ENUM(signorini, impact, IMPACT, 0,
            "impulses of contacts that touch: at_once, a row of bodies that is hit moves off "
            "together; in_turn, "
            "the impulse is passed on from contact to contact, as in Newton's cradle"),
};

static hk_status prepare(const hk_item *law, const hk_curvature *radii, double *k, hk_error *err) {
  (void)radii;
  const signorini *p = law->data;
  double eN = p->restitution_normal;
  double eT = hk_item_has(law, "restitution_tangential") ? p->restitution_tangential : eN;
  if (eN > eT && p->mu > 0 && !p->allow_energy_gain)
    return hk_fail(err, HK_EINPUT,
                   "with friction, restitution_normal %g > restitution_tangential %g can make an "
                   "impact add energy; make them equal or set allow_energy_gain: true",
                   eN, eT);
  k[HK_SET_RESTITUTION_N] = eN;
  k[HK_SET_RESTITUTION_T] = eT;
  k[HK_SET_MU] = p->mu;
  k[HK_SET_COUNT] = p->count_above;
  k[HK_SET_IN_TURN] = p->impact;
  return HK_OK;
}

static const hk_law_ops ops = {.set_valued = true, .prepare = prepare};

const hk_type hk_type_law_signorini = {
    .name = "signorini",
    .category = HK_LAW,
    .doc =
        "Rigid contact with dry friction and Newton's restitution; for steppers that take impacts.",
    .source = "Signorini, Coulomb, Newton in the form of [Glocker2001]; [Ali2025, eqs 6 to 13]",
    .size = sizeof(signorini),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
