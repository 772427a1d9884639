/* See slots.h. A slot: number of the tooth pair, from 1 (0: free), then for each slice the
 * variables listed in pair.h. */
#include "gear/slots.h"
#include <math.h>
#include <stddef.h>

static int slot_size(const hk_gear_pair *p) { return 1 + HK_GEAR_TRACE * p->slices; }
int hk_gear_slots_size(const hk_gear_pair *p) { return 2 * p->teeth_at_once * slot_size(p); }

int hk_gear_recorded(const hk_gear_pair *p) {
  const hk_involute *g = &p->geometry;
  double ends = p->corner ? 0.9 : p->edge / g->base_pitch;
  int n = (int)ceil(g->total_ratio + ends);
  n = n < p->teeth_at_once ? n : p->teeth_at_once;
  return n < HK_GEAR_MAX_RECORDED ? n : HK_GEAR_MAX_RECORDED;
}

static int number_of(const hk_gear_slots *s, int pair) {
  int z = s->p->geometry.teeth[0], tooth = (s->flank > 0 ? 1 : -1) * (s->tooth + pair) % z;
  return (tooth + z) % z + (s->flank > 0 ? 0 : z) + 1;
}

static const double *slot_at(const hk_gear_slots *s, int slot) {
  int first = s->flank > 0 ? 0 : s->p->teeth_at_once;
  return s->memory + (first + slot) * slot_size(s->p);
}

/* Returns the slot of a pair; -1: the pair has no slot. */
static int find(const hk_gear_slots *s, int pair) {
  int number = number_of(s, pair);
  for (int i = 0; s->memory && i < s->p->teeth_at_once; i++)
    if (*slot_at(s, i) == number) return i;
  return -1;
}

const double *hk_gear_slots_recall(const void *slots, int pair) {
  const hk_gear_slots *s = slots;
  int slot = find(s, pair);
  return slot < 0 ? NULL : slot_at(s, slot) + 1;
}

/* Returns true if this slot belongs to a pair that is still in contact. */
static bool taken(const hk_gear_slots *s, const hk_gear_flank_load *l, int slot) {
  for (int m = 0; s->memory && m < l->n; m++)
    if (*slot_at(s, slot) == number_of(s, l->touched[m].pair)) return true;
  return false;
}

int hk_gear_slot(const hk_gear_slots *s, const hk_gear_flank_load *l, int pair) {
  int slot = find(s, pair),
      /* number of pairs that come into contact at the same time as this pair and are stored
       * before it */
      before = 0;
  if (slot >= 0) return slot;
  for (int m = 0; m < l->n && l->touched[m].pair < pair; m++) {
    bool another = m == 0 || l->touched[m].pair != l->touched[m - 1].pair;
    before += another && find(s, l->touched[m].pair) < 0;
  }
  for (slot = 0; slot < s->p->teeth_at_once - 1; slot++)
    if (!taken(s, l, slot) && before-- == 0) break;
  return slot;
}

void hk_gear_slots_keep(const hk_gear_slots *s, const hk_gear_flank_load *l, double dt,
                        double *next) {
  const double *then = NULL;
  double *now = NULL;
  for (int m = 0; m < l->n; m++) {
    const hk_gear_touched *t = &l->touched[m];
    const hk_mesh_slice *c = &l->slice[m];
    if (m == 0 || t->pair != l->touched[m - 1].pair) {
      int first = s->flank > 0 ? 0 : s->p->teeth_at_once;
      then = hk_gear_slots_recall(s, t->pair);
      now = next + (first + hk_gear_slot(s, l, t->pair)) * slot_size(s->p);
      *now++ = number_of(s, t->pair);
    }
    double *trace = now + HK_GEAR_TRACE * t->slice;
    const double *old = then ? then + HK_GEAR_TRACE * t->slice : NULL;
    trace[HK_GEAR_FILM] = c->open ? 0 : c->load.film;
    trace[HK_GEAR_X] = isfinite(c->x) ? c->x : 0;
    if (!hk_gear_moves(dt) || !old || old[HK_GEAR_X] == 0 || c->open) continue;
    double rate = (c->x - old[HK_GEAR_X]) / dt;
    trace[HK_GEAR_X_RATE] = rate;
    if (old[HK_GEAR_X_RATE] != 0) trace[HK_GEAR_X_BEND] = (rate - old[HK_GEAR_X_RATE]) / dt;
  }
}
