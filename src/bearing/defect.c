/* See defect.h. The deviation of the outer race is h_o(phi). The inner race rotates with its
 * ring: h_i(phi - turn). A spall of a ball touches both races during one rotation of the ball,
 * so it acts twice per rotation. */
#include "bearing/defect.h"
#include <string.h>

typedef struct curve {
  double h, slope, bend;
} curve;

static double wrapped(double x, double period) { return x - period * round(x / period); }

static void add_spall(const hk_spall *s, double x, double period, curve *out) {
  if (!(s->depth != 0 && s->half > 0)) return;
  double off = wrapped(x - s->at, period), w = M_PI / s->half;
  if (!(fabs(off) < s->half)) return;
  out->h += 0.5 * s->depth * (1 + cos(w * off));
  out->slope -= 0.5 * s->depth * w * sin(w * off);
  out->bend -= 0.5 * s->depth * w * w * cos(w * off);
}

static void add_waves(const hk_waviness *w, double x, curve *out) {
  for (int n = 1; n <= w->orders; n++) {
    double a = w->amplitude[n], angle = n * (x - w->phase[n]);
    if (a == 0) continue;
    out->h += a * cos(angle);
    out->slope -= a * n * sin(angle);
    out->bend -= a * n * n * cos(angle);
  }
}

void hk_defect_at(const hk_bearing *p, int k, double cage, double turn, hk_defect *out) {
  double phi = cage + 2 * M_PI * k / p->n;
  curve inner = {0}, outer = {0}, own = {0};
  add_waves(&p->wavy[0], phi - turn, &inner);
  add_spall(&p->spall[0], phi - turn, 2 * M_PI, &inner);
  add_waves(&p->wavy[1], phi, &outer);
  add_spall(&p->spall[1], phi, 2 * M_PI, &outer);
  if (k == p->spalled) add_spall(&p->spall[2], p->spin_ratio * turn, M_PI, &own);
  out->h = inner.h + outer.h + own.h;
  out->by[0] = inner.slope + outer.slope;
  out->by[1] = p->spin_ratio * own.slope - inner.slope;
  out->bend[0][0] = inner.bend + outer.bend;
  out->bend[0][1] = out->bend[1][0] = -inner.bend;
  out->bend[1][1] = inner.bend + p->spin_ratio * p->spin_ratio * own.bend;
}
