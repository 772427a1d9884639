/* See record.h. */
#include "gear/record.h"
#include <math.h>

void hk_gear_record_add(const hk_gear_slots *s, const hk_gear_flank_load *l, int m, double F,
                        double loss, hk_gear_record *r) {
  const hk_mesh_slice *c = &l->slice[m];
  int pair = l->touched[m].pair, first = m;
  r->force += s->flank * F;
  r->sliding_loss += loss;
  /* If the centre distance is below its nominal value, one tooth pair more than the number of slots may be in contact.
   * The additional pair is counted in the first slot. */
  int slot = hk_gear_slot(s, l, pair) % r->n;
  r->load[slot] += s->flank * F;
  r->share[slot] += F;
  if (!(c->load.F > 0)) return;
  double half, peak, mean = 0;
  hk_line_hertz(&c->spot, c->load.F / c->weight, &half, &peak);
  r->pressure = fmax(r->pressure, peak);
  if (c->load.film > 0) r->film = r->film > 0 ? fmin(r->film, c->load.film) : c->load.film;
  r->damping += c->load.damping;
  while (first > 0 && l->touched[first - 1].pair == pair) first--;
  bool alone = true; /* true until a loaded slice of this pair is found */
  for (int i = first; i < l->n && l->touched[i].pair == pair; i++) {
    mean += l->slice[i].load.F / s->p->slices;
    if (i < m && l->slice[i].load.F > 0) alone = false;
  }
  r->pairs += alone;
  r->load_factor = fmax(r->load_factor, c->load.F / mean);
}

void hk_gear_record_end(hk_gear_record *r) {
  double all = 0;
  for (int i = 0; i < r->n; i++) all += r->share[i];
  for (int i = 0; i < r->n && all > 0; i++) r->share[i] /= all;
}
