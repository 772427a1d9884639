/* Common functions of integrators: see integrator.h. */
#include "sim/integrator.h"
#include "sim/sim.h"

hk_status hk_integrator_needs_smooth(const hk_model *m, hk_error *why) {
  int i = 0;
  while (i < m->n_contacts && !m->contact[i].law->set_valued) i++;
  if (i == m->n_contacts) return HK_OK;
  const hk_contact *c = &m->contact[i];
  hk_fail(why, HK_EINPUT, "does not support impacts, but contact '%s' uses the law '%s' (%s)",
          c->name, c->law_item->name, c->law_item->type->name);
  hk_error_about(why, c->name, NAN, -1);
  return HK_EINPUT;
}

hk_status hk_integrator_needs_free(const hk_model *m, hk_error *why) {
  if (m->nc == 0) return HK_OK;
  return hk_fail(why, HK_EINPUT,
                 "does not support joints, but this model has %d constraint rows (first: '%s')",
                 m->nc, m->constraint[0].name);
}

hk_status hk_integrator_needs_mass(const hk_model *m, hk_error *why) {
  if (!m->massless) return HK_OK;
  return hk_fail(why, HK_EINPUT,
                 "does not support bodies without mass and states of differential equations");
}
