/* Spherical joint at four levels of fidelity (clearance.h): frame `a` is at the centre of the socket, frame `b` at the
 * centre of the ball.
 *
 *   ideal       joint ball (spherical)
 *   compliant   force bushing, isotropic
 *   clearance   contact contact (sphere_in_socket)
 *   lubricated  force film (film_socket), and the contact, with a clearance smaller by the roughness */
#include "composite/clearance.h"
#include "mesh/drawing.h"

typedef struct spherical_clearance {
  hk_clearance play;
  int formulation, cavitation;
} spherical_clearance;

static const char *const FORMULATIONS[] = {"reynolds", "vector", "radial", "gumbel", NULL};
static const char *const CAVITATIONS[] = {"gumbel", "none", NULL};

static const spherical_clearance defaults = {.play.joint = HK_JOINT_COMMON_DEFAULTS};

static const hk_param params[] = {
    HK_CLEARANCE_PARAMS(spherical_clearance, "ball"),
    HK_ENUM(spherical_clearance, formulation, FORMULATIONS, 0, "of the film: see film_socket"),
    HK_ENUM(spherical_clearance, cavitation, CAVITATIONS, 0, "of the film: see film_socket"),
};

static void add_bushing(hk_clearance_build *k) {
  const hk_clearance *p = k->p;
  hk_clearance_part(k, HK_FORCE, "bushing", "bushing");
  hk_part_vec3(&k->parts, "stiffness", hk_v3(p->stiffness, p->stiffness, p->stiffness));
  hk_part_vec3(&k->parts, "damping", hk_v3(p->damping, p->damping, p->damping));
}

static void add_contact(hk_clearance_build *k) {
  hk_clearance_part(k, HK_CONTACT, "sphere_in_socket", "contact");
  hk_part_text(&k->parts, "law", k->p->law);
  hk_part_real(&k->parts, "socket_radius", k->p->radius + hk_clearance_left(k));
  hk_part_real(&k->parts, "ball_radius", k->p->radius);
}

static void add_film(hk_clearance_build *k, const spherical_clearance *p) {
  hk_clearance_part(k, HK_FORCE, "film_socket", "film");
  hk_part_text(&k->parts, "formulation", FORMULATIONS[p->formulation]);
  hk_part_text(&k->parts, "cavitation", CAVITATIONS[p->cavitation]);
  hk_part_real(&k->parts, "radius", k->p->radius);
  hk_part_real(&k->parts, "clearance", k->p->clearance);
  hk_part_real(&k->parts, "viscosity", k->p->viscosity);
  hk_part_real(&k->parts, "roughness", hk_clearance_roughness(k));
}

static hk_status expand(const hk_item *item, hk_spec *spec, hk_error *err) {
  const spherical_clearance *p = hk_item_data(item);
  hk_clearance_build k = {.item = item,
                          .p = &p->play,
                          .parts = {.spec = spec, .owner = hk_item_name(item), .err = err}};
  hk_status status = hk_clearance_begin(&k, "the centres");
  if (status) return status;
  if (p->play.fidelity == HK_JOINT_IDEAL) hk_clearance_part(&k, HK_JOINT, "spherical", "ball");
  if (p->play.fidelity == HK_JOINT_COMPLIANT) add_bushing(&k);
  if (p->play.fidelity >= HK_JOINT_CLEARANCE) add_contact(&k);
  if (p->play.fidelity == HK_JOINT_LUBRICATED) add_film(&k, p);
  static const char *const point[2] = {"contact", NULL};
  hk_clearance_sensors(&k, 3, point);
  return k.parts.status;
}

static const hk_quantity channels[] = {
    HK_CLEARANCE_CHANNELS,
    {"ez", "m", "position of the centre of b along z of a", HK_SHOW_DETAIL},
};

static const hk_joint_ops ops = {.frames = true, .expand = expand, HK_CHANNELS(channels)};

/* Draws a ball in a socket, in the same way at every fidelity; a missing radius is replaced by a
 * visible one. */
static void draw(const hk_item *item, hk_drawing *d) {
  const hk_clearance *p = hk_item_data(item);
  const double r = p->radius > 0 ? p->radius : 1.2 * d->size;
  const double c = p->fidelity >= HK_JOINT_CLEARANCE ? p->clearance : 0, R = r + c;
  hk_mesh ball = {0}, socket = {0};
  hk_mesh_sphere(&ball, r, 0);
  hk_mesh_socket(&socket, R, 1.35 * R, 0.3 * R);
  hk_draw(d, p->joint.b, &ball, (hk_draw_style){.paint = HK_PAINT_STEEL});
  hk_draw(d, p->joint.a, &socket, (hk_draw_style){.bore = c > 0 ? R : 0, .clearance = c});
}

static const char *const assumptions[] = {
    "Ball and socket are rigid and round; the socket encloses the ball on all sides and has no "
    "rim.",
    "clearance: one contact point, on the line through the centres.",
    "lubricated: a film by the selected formulation, with constant viscosity and temperature and "
    "full oil supply; the surfaces are rigid. For gaps below the roughness the contact carries "
    "load.",
    "compliant: an isotropic linear spring and damper; the ball rotates freely.", NULL};

const hk_type hk_type_joint_spherical_clearance_joint = {
    .name = "spherical_clearance_joint",
    .assumptions = assumptions,
    .category = HK_JOINT,
    .doc =
        "Ball (b) in a socket (a), frames at the centres: ideal, compliant, with clearance or "
        "lubricated (fidelity); adds its parts and sensors named after the joint.",
    .source = "[MecanicaComputacional2022]",
    .size = sizeof(spherical_clearance),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
    .draw = draw,
    .sample = hk_clearance_sample,
    .stage = hk_clearance_stage,
    .symmetry = HK_MIRRORS,
};
