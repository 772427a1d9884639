/* Beam: a slender elastic bar without mass between two frames (beam_element.c).
 *
 * Its cross-section is either circular, of a given material, or given by its stiffnesses. The
 * shear factor of a circular section, hollow with q = inner/outer diameter, is that of [Cowper
 * 1966]:
 *   6 (1+nu) (1+q^2)^2/((7+6 nu)(1+q^2)^2 + (20+12 nu) q^2).
 * The mass is assigned to the bodies at the ends (composite/shaft.c has a rule for this). */
#include "force/beam_element.h"
#include <hooke/element.h>
#include "mesh/drawing.h"

typedef struct beam {
  const char *a, *b;
  double length, outer_diameter, inner_diameter, youngs_modulus, poisson_ratio;
  double axial_stiffness, shear_stiffness_y, shear_stiffness_z, torsion_stiffness;
  double bending_stiffness_y, bending_stiffness_z, damping;
} beam;

static const beam defaults = {.a = "ground", .poisson_ratio = 0.3};

static const hk_param params[] = {
    HK_FRAME(beam, a, 0, "first end; its x axis is along the undeformed beam"),
    HK_FRAME(beam, b, HK_REQUIRED,
             "second end; undeformed if its axes are parallel to those of a and its origin is one "
             "length along x of a"),
    HK_REAL(beam, length, "m", HK_REQUIRED | HK_POSITIVE, "length of the undeformed beam"),
    HK_REAL(beam, outer_diameter, "m", HK_POSITIVE,
            "outer diameter of a round section; given stiffnesses take precedence"),
    HK_REAL(beam, inner_diameter, "m", 0, "inner diameter of a tube", HK_MIN(0)),
    HK_REAL(beam, youngs_modulus, "Pa", HK_POSITIVE, "Young's modulus of a round section"),
    HK_REAL(beam, poisson_ratio, NULL, 0, "Poisson's ratio of a round section", HK_RANGE(0, 0.5)),
    HK_REAL(beam, axial_stiffness, "N", HK_POSITIVE, "EA: force per strain"),
    HK_REAL(beam, shear_stiffness_y, "N", HK_POSITIVE,
            "GA along y, including the shear factor of the section; belongs to bending about z"),
    HK_REAL(beam, shear_stiffness_z, "N", HK_POSITIVE, "GA along z; default: as along y"),
    HK_REAL(beam, torsion_stiffness, "N m^2", HK_POSITIVE, "GJ: torque per twist angle and length"),
    HK_REAL(beam, bending_stiffness_y, "N m^2", HK_POSITIVE, "EI about y"),
    HK_REAL(beam, bending_stiffness_z, "N m^2", HK_POSITIVE, "EI about z; default: as about y"),
    HK_REAL(beam, damping, "s", 0,
            "Kelvin-Voigt damping time: 2 zeta/omega for the damping ratio zeta at the angular "
            "frequency omega",
            HK_MIN(0)),
};

/* Constants used by eval. */
typedef struct section {
  hk_beam bar;
  double area, radius, polar; /* area, radius and polar moment of a round section, for stresses;
                               * 0: not known */
} section;

static void round_section(const beam *p, section *out) {
  double ro = p->outer_diameter / 2, ri = p->inner_diameter / 2, nu = p->poisson_ratio;
  double I = M_PI / 4 * (pow(ro, 4) - pow(ri, 4)), G = p->youngs_modulus / (2 * (1 + nu));
  double q2 = ri * ri / (ro * ro), r = (1 + q2) * (1 + q2);
  double factor = 6 * (1 + nu) * r / ((7 + 6 * nu) * r + (20 + 12 * nu) * q2);
  out->area = M_PI * (ro * ro - ri * ri);
  out->radius = ro;
  out->polar = 2 * I;
  out->bar.axial = p->youngs_modulus * out->area;
  out->bar.shear_y = out->bar.shear_z = factor * G * out->area;
  out->bar.torsion = G * out->polar;
  out->bar.bend_y = out->bar.bend_z = p->youngs_modulus * I;
}

/* Computes the section; given stiffnesses take precedence over those of the round section. */
static hk_status section_of(const hk_item *item, section *out, hk_error *err) {
  const beam *p = hk_item_data(item);
  hk_beam *bar = &out->bar;
  *out = (section){.bar = {.length = p->length, .damping = p->damping}};
  if (p->outer_diameter > 0) {
    if (!(p->inner_diameter < p->outer_diameter))
      return hk_fail(err, HK_EINPUT,
                     "inner_diameter %g mm must be smaller than outer_diameter %g mm",
                     1e3 * p->inner_diameter, 1e3 * p->outer_diameter);
    if (!(p->youngs_modulus > 0))
      return hk_fail(err, HK_EINPUT,
                     "a section with outer_diameter needs youngs_modulus, the Young's modulus of "
                     "the material");
    round_section(p, out);
  }
  bar->axial = hk_given_or(p->axial_stiffness, bar->axial);
  bar->shear_y = hk_given_or(p->shear_stiffness_y, bar->shear_y);
  bar->shear_z = hk_given_or(p->shear_stiffness_z, hk_given_or(p->shear_stiffness_y, bar->shear_z));
  bar->torsion = hk_given_or(p->torsion_stiffness, bar->torsion);
  bar->bend_y = hk_given_or(p->bending_stiffness_y, bar->bend_y);
  bar->bend_z =
      hk_given_or(p->bending_stiffness_z, hk_given_or(p->bending_stiffness_y, bar->bend_z));
  if (bar->axial > 0 && bar->shear_y > 0 && bar->torsion > 0 && bar->bend_y > 0) return HK_OK;
  return hk_fail(err, HK_EINPUT,
                 "the cross-section is not defined: give outer_diameter and youngs_modulus, or "
                 "axial_stiffness, shear_stiffness_y, torsion_stiffness and bending_stiffness_y");
}

static hk_status bind(const hk_item *item, hk_force_binding *b, hk_error *err) {
  const beam *p = hk_item_data(item);
  section s;
  b->moment_a = b->moment_b = true;
  b->a = p->a;
  b->b = p->b;
  return section_of(item, &s, err);
}

/* Rejects coincident ends: the beam would have no direction and zero length. */
static hk_status stand(const hk_item *item, const hk_frame *A, const hk_frame *B, hk_error *err) {
  const beam *p = hk_item_data(item);
  double far = hk_norm(hk_sub(B->x, A->x));
  if (far > 1e-6 * p->length) return HK_OK;
  return hk_fail(err, HK_EINPUT,
                 "the ends coincide but should be %g mm apart: give a and b different positions",
                 1e3 * p->length);
}

static hk_status prepare(const hk_item *item, hk_arena *arena, const void **constants,
                         hk_error *err) {
  section *s = HK_NEW(arena, section);
  *constants = s;
  return s ? section_of(item, s, err) : hk_fail(err, HK_ENOMEM, "out of memory");
}

static void put(double *w, const hk_mat3 *R, double s, hk_vec3 a) {
  hk_vec3 x = hk_mul(R, a);
  w[0] = s * x.x, w[1] = s * x.y, w[2] = s * x.z;
}

static void eval(const void *data, const hk_force_in *in, hk_force_out *out) {
  const section *s = in->constants;
  hk_beam_wrench x = {.K = out->tangent ? out->K : NULL, .C = out->tangent ? out->C : NULL};
  if (!hk_beam_wrench_of(&s->bar, in->A, in->B, &x)) {
    out->failed =
        "the ends are rotated by more than 170 degrees relative to each other: use more elements "
        "along the beam";
    return;
  }
  out->potential = x.energy;
  out->dissipated = x.dissipated;
  put(out->w, &x.axes, 1, x.force);
  put(out->w + 3, &x.axes, 1, x.moment_a);
  put(out->w + 6, &x.axes, -1, x.force);
  put(out->w + 9, &x.axes, -1, x.moment_b);
  out->has_K = true;
  out->has_C = s->bar.damping > 0;
}

static const hk_quantity channels[] = {
    {"axial", "N", "axial force, tension positive"},
    {"torsion", "N*m", "torsional moment at the middle"},
    {"bending_a", "N*m", "magnitude of the bending moment at a"},
    {"bending_b", "N*m", "magnitude of the bending moment at b"},
    {"stress", "Pa",
     "largest equivalent stress (von Mises) of a round section, maximum of both ends"},
    {"bow", "rad", "angle between the ends", HK_SHOW_DETAIL},
};

static void read(const void *data, const hk_force_in *in, const hk_force_out *out, double *value) {
  const section *s = in->constants;
  hk_beam_wrench x = {0};
  if (!hk_beam_wrench_of(&s->bar, in->A, in->B, &x)) {
    for (int i = 0; i < 6; i++) value[i] = NAN;
    return;
  }
  value[0] = x.force.x;
  value[1] = (x.moment_a.x + x.moment_b.x) / 2;
  value[2] = hypot(x.moment_a.y, x.moment_a.z);
  value[3] = hypot(x.moment_b.y, x.moment_b.z);
  value[4] = 0;
  if (s->area > 0) {
    double normal =
        fabs(value[0]) / s->area + fmax(value[2], value[3]) * s->radius / (s->polar / 2);
    double shear = value[1] * s->radius / s->polar;
    value[4] = sqrt(normal * normal + 3 * shear * shear);
  }
  value[5] = x.bow;
}

static const hk_force_ops ops = {.bind = bind,
                                 .eval = eval,
                                 .check_placement = stand,
                                 .prepare = prepare,
                                 .read = read,
                                 HK_CHANNELS(channels)};

static void draw(const hk_item *item, hk_drawing *d) {
  const beam *p = hk_item_data(item);
  hk_draw_rod(d, HK_DRAW_A, HK_DRAW_B,
              p->outer_diameter > 0 ? p->outer_diameter / 2 : 0.5 * d->size,
              (hk_draw_style){.paint = HK_PAINT_STEEL});
}

const hk_type hk_type_force_beam = {
    .name = "beam",
    .category = HK_FORCE,
    .doc =
        "Slender elastic beam between two frames: tension, shear, torsion, bending, and the "
        "bending due to torque and tension.",
    .source =
        "Timoshenko beam of any length, large rotations by the frame half-way between the ends "
        "[Simo1985]; shear factor [Cowper1966]",
    .size = sizeof(beam),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
    .draw = draw,
    .symmetry = HK_MIRRORS,
};
