/* Modifications of flanks in a REXS file: reliefs, crownings and slopes. */
#include "rexs/gearbox.h"
#include <math.h>
#include <string.h>

double hk_rexs_reference_diameter(const hk_rexs_gear *g) {
  return g->teeth * g->module / cos(g->helix);
}

static double base_radius(const hk_rexs_gear *g) {
  const double transverse = atan(tan(g->pressure_angle) / cos(g->helix));
  return 0.5 * hk_rexs_reference_diameter(g) * cos(transverse);
}

/* Returns the roll length of the point of the flank with this diameter. */
static double roll(const hk_rexs_gear *g, double diameter) {
  const double base = base_radius(g), r = 0.5 * diameter;
  return sqrt(fmax(0, r * r - base * base));
}

/* Tip diameter of an external gear: the value in the file, or that of the basic rack with a tip clearance of 0.25
 * modules. */
static double tip_of(const hk_rexs_gear *g, const hk_rexs_gear *mate, double distance) {
  if (g->tip > 0) return g->tip;
  const double rack = hk_rexs_reference_diameter(g) + 2 * g->module * (1 + g->shift);
  const double root = hk_rexs_reference_diameter(mate) - 2 * g->module * (1.25 - mate->shift);
  return fmin(rack, 2 * distance - root - 0.5 * g->module);
}

typedef struct flank {
  hk_rexs_gearbox *b;
  hk_rexs_gear *g;
  bool external;     /* both gears have external teeth */
  double start, end; /* roll lengths at both ends of the path of contact */
} flank;

static void read_relief(const flank *f, hk_rexs_component *c, bool tip) {
  hk_rexs_source *s = &f->b->s;
  double depth = 0, length = 0, diameter;
  const char *shape = hk_rexs_text(s, c, "shape_of_relief");
  if (!hk_rexs_number(s, c, tip ? "tip_relief_depth" : "root_relief_depth", HK_REXS_LENGTH,
                      &depth) ||
      depth == 0)
    return;
  if (hk_rexs_number(s, c, tip ? "tip_relief_datum_diameter" : "root_relief_datum_diameter",
                     HK_REXS_LENGTH, &diameter) &&
      diameter > 0)
    length = tip ? f->end - roll(f->g, diameter) : roll(f->g, diameter) - f->start;
  else if (!hk_rexs_number(s, c, tip ? "tip_relief_datum_length" : "root_relief_datum_length",
                           HK_REXS_LENGTH, &length))
    hk_rexs_fail(s, c, "it has neither a datum diameter nor a datum length");
  if (s->status) return;
  if (!(length > 0) || length > f->end - f->start || depth < 0) {
    hk_rexs_note(s, c,
                 "a relief of %.6g um over a roll length of %.6g mm is impossible and is ignored",
                 1e6 * depth, 1e3 * length);
    return;
  }
  if (shape && !strstr(shape, "parabolic"))
    hk_rexs_note(s, c, "its shape, '%.40s', is parabolic in the model", shape);
  else if (!shape)
    hk_rexs_note(s, c, "shape_of_relief is missing; assumed: parabolic");
  if (tip)
    f->g->tip_relief = depth, f->g->tip_length = length;
  else
    f->g->root_relief = depth, f->g->root_length = length;
}

/* Mean of the amounts at both ends. */
static double both_ends(hk_rexs_source *s, hk_rexs_component *c, const char *one,
                        const char *other) {
  double a = 0, b = 0;
  const bool has_a = hk_rexs_number(s, c, one, HK_REXS_LENGTH, &a),
             has_b = hk_rexs_number(s, c, other, HK_REXS_LENGTH, &b);
  if (!has_a) a = b;
  if (!has_b) b = a;
  if (fabs(a - b) > 1e-9)
    hk_rexs_note(s, c, "its amounts at both ends, %.6g and %.6g um, differ: the mean is used",
                 1e6 * a, 1e6 * b);
  return 0.5 * (a + b);
}

static void read_one(const flank *f, hk_rexs_component *c) {
  hk_rexs_source *s = &f->b->s;
  hk_rexs_gear *g = f->g;
  if (strcmp(c->type, "helix_crowning") == 0) {
    g->lead_crowning =
        both_ends(s, c, "helix_crowning_amount_datum_face", "helix_crowning_amount_non_datum_face");
  } else if (strcmp(c->type, "helix_slope") == 0) {
    if (hk_rexs_number(s, c, "helix_slope", HK_REXS_LENGTH, &g->lead_slope) && g->lead_slope != 0) {
      hk_rexs_note(s, c, "its sign is assumed: positive removes material at the end at +u");
      if (g->shaft >= 0) g->lead_slope *= f->b->shaft[g->shaft].way;
    }
  } else if (strcmp(c->type, "profile_crowning") == 0) {
    g->profile_crowning = both_ends(s, c, "profile_crowning_at_tip", "profile_crowning_at_root");
  } else if ((strcmp(c->type, "tip_relief") == 0 || strcmp(c->type, "root_relief") == 0) &&
             f->external) {
    read_relief(f, c, *c->type == 't');
  }
}

static void read_gear(hk_rexs_gearbox *b, const hk_rexs_mesh *m, hk_rexs_gear *g,
                      const hk_rexs_gear *mate) {
  hk_rexs_source *s = &b->s;
  flank f = {.b = b, .g = g, .external = !g->ring && !mate->ring};
  if (f.external) {
    const double sum = base_radius(g) + base_radius(mate);
    const double line = sqrt(fmax(0, m->distance * m->distance - sum * sum));
    f.end = roll(g, tip_of(g, mate, m->distance));
    f.start = fmax(0, line - roll(mate, tip_of(mate, g, m->distance)));
  }
  /* In hooke both flanks of a gear are equal. The modifications of the left flank are used; if it has none, those of
   * the right flank. */
  static const char *const SIDES[] = {"left", "right"};
  hk_rexs_component *side = NULL;
  for (int i = 0; i < 2 && !side; i++) {
    hk_rexs_relation *at = NULL;
    side = hk_rexs_related(s, "flank", "gear", g->c->id, SIDES[i], &at);
  }
  const int from[2] = {side ? side->id : -1, g->c->id};
  for (int i = 0; i < 2; i++) {
    hk_rexs_component *c;
    hk_rexs_relation *at = NULL;
    while (!s->status &&
           (c = hk_rexs_related(s, "reference", "origin", from[i], "referenced", &at)))
      read_one(&f, c);
  }
}

void hk_rexs_read_modifications(hk_rexs_gearbox *b, const hk_rexs_mesh *m) {
  hk_rexs_gear *p = &b->gear[m->a], *q = &b->gear[m->b];
  read_gear(b, m, p, q);
  read_gear(b, m, q, p);
}
