/* Tests of the names and values of channels, in every random model of the check "load path":
 *
 *   listed    the model offers the channels that `hooke types` lists for the type, with their units, and no others
 *   readable  expressions may read each of them
 *   offered   the names in the message about an unknown channel of a body or marker exist
 *   recorded  each has a value after a step */
#include "conform/checks.h"
#include "conform/listed_channels.h"
#include "model/compile.h"
#include "sim/sim.h"
#include "spec/own_name.h"
#include <stdio.h>
#include <string.h>

/* The trial, and the lists of the type and of a law. */
typedef struct lists {
  hk_trial *t;
  hk_listed *of[2];
} lists;

static hk_listed *listed_of(void *context, const hk_type *type) {
  lists *l = context;
  for (int i = 0; i < 2; i++) {
    if (l->of[i] && l->of[i]->type == type) return l->of[i];
    if (l->of[i]) continue;
    l->of[i] = hk_trial_room(l->t, 1, sizeof *l->of[i]);
    hk_trial_claim(l->t, hk_listed_fill(l->t->types, type, l->of[i]));
    return l->of[i];
  }
  hk_trial_fail(l->t, "an item has channels of three types");
}

static void differs(void *context, const char *sentence) {
  hk_trial_fail(((lists *)context)->t, "%s", sentence);
}

/* ---- readable ---- */

/* Compilation rejects an expression that reads a channel which the model lacks, whatever its name is. */
static void judge_readable(hk_trial *t, const hk_model *m, const char *name) {
  hk_dim dim;
  if (hk_model_channel_find(m, name) >= 0 && !hk_channel_known(m->spec, name, &dim))
    hk_trial_fail(t, "the model has the channel '%s', but expressions cannot read it", name);
}

/* Writes the name of the channel that the list calls `what`. "NAME_rate" in the list is the derivative of the item
 * itself. */
static void channel_name(const hk_item *item, const char *owner, const char *what, char *out,
                         size_t size) {
  const size_t itself = strlen(HK_ITEM_ITSELF);
  if (strncmp(what, HK_ITEM_ITSELF, itself) == 0)
    snprintf(out, size, "%s%s", item->name, what + itself);
  else
    snprintf(out, size, "%s.%s", owner, what);
}

static void judge_list(hk_trial *t, const hk_model *m, const hk_item *item, const hk_listed *in) {
  char owner[600], name[700];
  snprintf(owner, sizeof owner, "%s", item->name);
  if (item->type->category == HK_FORCE) hk_force_channel_owner(item, owner, sizeof owner);
  for (int i = 0; i < in->n; i++) {
    if (strstr(in->channel[i].name, "[i]")) continue;
    channel_name(item, owner, in->channel[i].name, name, sizeof name);
    judge_readable(t, m, name);
  }
}

/* ---- offered ---- */

static void judge_offered(hk_trial *t, const hk_model *m) {
  for (int i = 0; i < m->n_markers; i++) {
    const hk_marker *k = &m->marker[i];
    const char *suffix[HK_MOST_FRAME_NAMES];
    char text[128], name[700];
    if (!k->name || k->node == HK_GROUND) continue;
    const int n = hk_channel_frame_names(m->spec, k->name, suffix, text, sizeof text);
    for (int j = 0; j < n; j++) {
      snprintf(name, sizeof name, "%s.%s", k->name, suffix[j]);
      if (hk_model_channel_find(m, name) < 0)
        hk_trial_fail(t, "a message offers the channel '%s', which the model does not have", name);
    }
  }
}

/* ---- recorded ---- */

static bool belongs(const hk_channel *c, const char *item) {
  const size_t n = strlen(item);
  return strncmp(c->name, item, n) == 0 && (c->name[n] == '.' || c->name[n] == 0);
}

static void judge_recorded(hk_trial *t, hk_sim *sim, const hk_item *item) {
  const hk_model *m = sim->model;
  for (int i = 0; i < m->n_channels; i++) {
    const hk_channel *c = &m->channel[i];
    const double value = belongs(c, item->name) ? hk_sim_value(sim, i) : 0;
    if (!isfinite(value)) hk_trial_fail(t, "the channel '%s' has the value %g", c->name, value);
  }
}

void hk_check_channels(hk_trial *t, hk_sim *sim) {
  const hk_model *m = sim->model;
  const hk_item *item = hk_spec_find(m->spec, t->type->category, "subject");
  lists l = {.t = t};
  hk_listed_judge(&(hk_listed_look){m, listed_of, differs, &l}, item);
  judge_list(t, m, item, listed_of(&l, t->type));
  judge_offered(t, m);
  judge_recorded(t, sim, item);
}
