/* Rigid contact: Signorini's condition, Coulomb's friction and Newton's impact law in both
 * directions,
 *   0 <= P_N _|_ v_N+ + e_N v_N- >= 0,   -P_T in mu P_N Sgn(v_T+ + e_T v_T-)
 * [Glocker2001; Ali2025, eqs 6 to 13]. With e_N = e_T an impact never adds energy,
 *   dT = P^T xi/(1 + e) - (1 - e)/(2 (1 + e)) P^T G P;
 * with friction and e_N > e_T an impact may add energy, so that such a pair of values must be allowed explicitly.
 *
 * If several contacts share bodies, the law must also define their order. `simultaneous`: the law
 * holds for all contacts simultaneously, and a contact that does not approach does not separate:
 * a row of balls that is hit moves as one body. `sequential`: only contacts that approach have
 * impulses; contacts that approach as a consequence follow, until none approaches. An impulse
 * then travels through a row of balls as in Newton's cradle, where the elasticity of the bodies
 * makes one contact end before the next begins. */
#include "law/law.h"

typedef struct signorini {
  double restitution_normal, restitution_tangential, mu, impact_threshold;
  bool allow_energy_gain;
  int impact;
} signorini;

static const signorini defaults = {0, 0, 0, 0, false, 0};
static const char *const IMPACT[] = {"simultaneous", "sequential", NULL};

static const hk_param params[] = {
    HK_REAL(signorini, restitution_normal, NULL, 0,
            "coefficient of restitution of the normal velocity: 0 = plastic, 1 = elastic",
            HK_RANGE(0, 1)),
    HK_REAL(signorini, restitution_tangential, NULL, 0,
            "coefficient of restitution of the sliding velocity; default: restitution_normal",
            HK_RANGE(0, 1)),
    HK_REAL(signorini, mu, NULL, 0, "coefficient of friction", HK_MIN(0)),
    HK_REAL(
        signorini, impact_threshold, "m/s", 0,
        "approach velocity above which a contact is counted as an impact in the channel `impacts`",
        HK_MIN(0)),
    HK_BOOL(signorini, allow_energy_gain, 0,
            "accept restitution_normal > restitution_tangential with friction, although an impact "
            "can then add energy"),
    HK_ENUM(
        signorini, impact, IMPACT, 0,
        "impulses of contacts with common bodies: simultaneous: a row of bodies that is hit moves "
        "as one; sequential: the impulse passes from contact to contact, as in Newton's cradle"),
};

static hk_status prepare(const hk_item *law, const hk_curvature *radii, double *k, hk_error *err) {
  (void)radii;
  const signorini *p = hk_item_data(law);
  double eN = p->restitution_normal;
  double eT = hk_item_has(law, "restitution_tangential") ? p->restitution_tangential : eN;
  if (eN > eT && p->mu > 0 && !p->allow_energy_gain)
    return hk_fail(err, HK_EINPUT,
                   "with friction and restitution_normal %g > restitution_tangential %g an impact "
                   "can add energy; make them equal or set allow_energy_gain: true",
                   eN, eT);
  k[HK_SET_RESTITUTION_N] = eN;
  k[HK_SET_RESTITUTION_T] = eT;
  k[HK_SET_MU] = p->mu;
  k[HK_SET_COUNT] = p->impact_threshold;
  k[HK_SET_IN_TURN] = p->impact;
  return HK_OK;
}

static const hk_law_ops ops = {.set_valued = true, .prepare = prepare};

const hk_type hk_type_law_signorini = {
    .name = "signorini",
    .category = HK_LAW,
    .doc =
        "Rigid contact with dry friction and Newton's restitution; for integrators that support "
        "impacts.",
    .source = "Signorini, Coulomb, Newton in the form of [Glocker2001]; [Ali2025, eqs 6 to 13]",
    .size = sizeof(signorini),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
