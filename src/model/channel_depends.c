/* Dependencies of the channels of a model: see hk_model_channel_depends in hooke/model.h. */
#include "model/model.h"

_Static_assert((int)HK_CHANNEL_SOLVER == (int)HK_OF_SOLVER,
               "hk_channel_kind must match the owners");
_Static_assert((int)HK_CHANNEL_MOTION == (int)HK_OF_ROW,
               "hk_channel_kind must have the order of the owners");

enum { EVERYTHING = HK_DEPENDS_TIME | HK_DEPENDS_MOTION | HK_DEPENDS_INPUT | HK_DEPENDS_HISTORY };

static unsigned of_channel(const hk_model *m, int i);

static unsigned of_expression(const hk_model *m, const hk_bound_expr *e) {
  unsigned all = 0;
  for (int i = 0; i < e->n; i++) all |= of_channel(m, m->variable_channel[e->slot[i]]);
  return all;
}

/* Dependencies of a force: on its frames, on time (fields and prescribed rotations), and on the channels of its
 * expressions. Forces of types added by a program may depend on time without an expression. */
static unsigned of_force(const hk_model *m, const hk_force *f) {
  unsigned all = HK_DEPENDS_TIME | HK_DEPENDS_MOTION;
  if (f->n_memory > 0) all |= HK_DEPENDS_HISTORY;
  if (f->joint >= 0) return EVERYTHING; /* friction: it depends on a reaction */
  for (int i = 0; i < f->n_expr; i++) all |= of_expression(m, &f->expr[i]);
  return all;
}

/* Returns the dependencies of a channel of a contact: counters and work depend on the history,
 * and channels of rigid contacts depend on all forces. */
static unsigned of_contact(const hk_model *m, const hk_channel *c) {
  const hk_contact *k = &m->contact[m->point_contact[c->index]];
  switch (c->component) {
    case HK_CONTACT_GAP:
    case HK_CONTACT_SLIP:
      return HK_DEPENDS_MOTION | (m->guided ? HK_DEPENDS_TIME : 0);
    case HK_CONTACT_SLIDING_WORK:
    case HK_CONTACT_IMPULSE:
    case HK_CONTACT_APPROACH:
    case HK_CONTACT_IMPACTS:
    case HK_CONTACT_CLOSED_TIME:
      return HK_DEPENDS_HISTORY;
    default:
      return k->law->set_valued
                 ? EVERYTHING
                 : HK_DEPENDS_MOTION | HK_DEPENDS_HISTORY | (m->guided ? HK_DEPENDS_TIME : 0);
  }
}

static unsigned of_channel(const hk_model *m, int i) {
  const hk_channel *c = &m->channel[i];
  unsigned motion = HK_DEPENDS_MOTION | (m->guided ? HK_DEPENDS_TIME : 0);
  switch (c->owner) {
    case HK_OF_TIME:
      return HK_DEPENDS_TIME;
    case HK_OF_INPUT:
      return HK_DEPENDS_INPUT;
    case HK_OF_FRAME:
    case HK_OF_COORDINATE:
    case HK_OF_DEFORMATION:
      return c->needs & (HK_NEEDS_ACCELERATIONS | HK_NEEDS_LOADS) ? EVERYTHING : motion;
    case HK_OF_STATE:
      return c->component ? EVERYTHING : motion;
    case HK_OF_SENSOR:
      return of_expression(m, &m->sensor[c->index].expr);
    case HK_OF_FORCE:
      return of_force(m, &m->force[c->index]);
    case HK_OF_CONTACT:
      return of_contact(m, c);
    case HK_OF_ENERGY:
      return HK_DEPENDS_MOTION | HK_DEPENDS_HISTORY | HK_DEPENDS_TIME;
    case HK_OF_SOLVER:
      return HK_DEPENDS_STEP;
    default:
      return EVERYTHING;
  }
}

unsigned hk_model_channel_depends(const hk_model *m, int i) {
  if (!m) return 0;
  if (i < 0 || i >= m->n_channels) return 0;
  unsigned needs = of_channel(m, i);
  return m->n_inputs ? needs : needs & ~(unsigned)HK_DEPENDS_INPUT;
}

bool hk_channel_is_of_state(const hk_channel *c) {
  switch (c->owner) {
    case HK_OF_TIME:
    case HK_OF_FRAME:
    case HK_OF_COORDINATE:
    case HK_OF_FORCE:
    case HK_OF_STATE:
    case HK_OF_DEFORMATION:
    case HK_OF_INPUT:
      return !c->needs;
    default:
      return false;
  }
}

hk_channel_kind hk_model_channel_kind(const hk_model *m, int i) {
  if (!m) return HK_CHANNEL_TIME;
  return i >= 0 && i < m->n_channels ? (hk_channel_kind)m->channel[i].owner : HK_CHANNEL_TIME;
}

/* ---- parameters ---- */

int hk_model_parameter_count(const hk_model *m) { return m ? m->spec->n_parameters : 0; }

hk_status hk_model_parameter(const hk_model *m, int i, hk_parameter *out) {
  if (!out) return HK_EINPUT;
  if (!m) return HK_EINPUT;
  *out = (hk_parameter){.name = "", .unit = "", .text = ""};
  if (i < 0 || i >= m->spec->n_parameters) return HK_EINPUT;
  const hk_parameter_spec *p = &m->spec->parameter[i];
  out->name = p->name, out->unit = p->unit, out->text = p->text, out->value = p->value;
  return HK_OK;
}

int hk_model_parameter_find(const hk_model *m, const char *name) {
  if (!m) return -1;
  for (int i = 0; name && i < m->spec->n_parameters; i++)
    if (strcmp(m->spec->parameter[i].name, name) == 0) return i;
  return -1;
}
