/* Oil film between a ball and its socket: frame A is at the centre of the socket, frame B at the centre of the ball.
 *
 * With t = xB - xA, n = t/|t|, eps = |t|/c and kappa = 6 pi mu r^4/c^3, the possible
 * interpretations of [MecanicaComputacional2022], which is not unique, are
 *   vector  F = -kappa B(eps) t'            its eqs 17 and 18 as printed
 *   radial  F = -kappa B(eps) (n.t') n      its text: the force is collinear with the eccentricity
 *   gumbel  F = -kappa B(s eps) (n.t') n, s = sign(n.t'): for a ball that separates, the film above
 *           ambient pressure is on the opposite side
 * These consider squeezing only, with B of film/squeeze.h. The fourth, which is the physics of a
 * thin film,
 *   reynolds  F = -kappa (R n + S tau)(eps, w),  w = t' - (wA + wB)/2 x t
 * is a solution of Reynolds' equation for motion in any direction (film/film_sphere.h), of the
 * whole film or of the part above ambient pressure. A mean rotation of the surfaces carries the
 * film along and is therefore subtracted from the velocity. The moment on the ball is then -t x
 * F/2 - J (wB - wA), with
 *   J = 8 pi/3 mu r^4/c atanh(eps)/eps,   the mean of the film shear over all axes.
 *
 * Forces act at the centre of the ball. t' of `vector` is relative to the world, as in the
 * publication, so that it also depends on a rotation of the whole joint; the power of this force
 * against such a rotation counts as supplied from outside (applied). At eps = 1 - roughness/c,
 * where the film is as thin as the roughness, the film force no longer increases; a contact with
 * the gap c - roughness - |t| must carry the load. */
#include "film/film_sphere.h"
#include "film/squeeze.h"
#include "force/film.h"
#include "mesh/drawing.h"

typedef struct film_socket {
  const char *a, *b;
  int formulation, cavitation;
  double radius, clearance, viscosity, roughness;
} film_socket;

enum { VECTOR, RADIAL, GUMBEL, REYNOLDS };
static const char *const FORMULATIONS[] = {"vector", "radial", "gumbel", "reynolds", NULL};
enum { GUMBEL_CAVITY, NO_CAVITY };
static const char *const CAVITATIONS[] = {"gumbel", "none", NULL};

static const film_socket defaults = {.a = "ground", .formulation = REYNOLDS};

static const hk_param params[] = {
    HK_FRAME(film_socket, a, 0, "frame at the centre of the socket"),
    HK_FRAME(film_socket, b, HK_REQUIRED, "frame at the centre of the ball"),
    HK_ENUM(film_socket, formulation, FORMULATIONS, 0,
            "formulation of the film force: reynolds covers motion in all directions; vector, "
            "radial and gumbel are closed forms for squeezing only"),
    HK_ENUM(film_socket, cavitation, CAVITATIONS, 0,
            "cavitation condition for reynolds: gumbel, only pressures above ambient act; none, "
            "the film can pull"),
    HK_REAL(film_socket, radius, "m", HK_REQUIRED | HK_POSITIVE, "radius of the ball"),
    HK_REAL(film_socket, clearance, "m", HK_REQUIRED | HK_POSITIVE,
            "radial clearance: radius of the socket minus that of the ball"),
    HK_REAL(film_socket, viscosity, "Pa s", HK_REQUIRED | HK_POSITIVE,
            "dynamic viscosity of the oil"),
    HK_REAL(film_socket, roughness, "m", 0,
            "film thickness at which the surfaces touch; default: a thousandth of the clearance",
            HK_MIN(0)),
};

typedef struct constants {
  double kappa, pressure, drag, cut, roughness;
  hk_film_table table; /* reynolds */
} constants;

static hk_status bind(const hk_item *item, hk_force_binding *b, hk_error *err) {
  const film_socket *p = hk_item_data(item);
  b->a = p->a;
  b->b = p->b;
  b->moment_a = p->formulation == VECTOR || p->formulation == REYNOLDS;
  b->moment_b = p->formulation == REYNOLDS;
  return hk_film_check(p->radius, p->clearance, p->viscosity,
                       hk_film_roughness(item, p->roughness, p->clearance), err);
}

static hk_status prepare(const hk_item *item, hk_arena *arena, const void **out, hk_error *err) {
  const film_socket *p = hk_item_data(item);
  const double c = p->clearance, r2 = p->radius * p->radius, mu = p->viscosity;
  constants *k = HK_NEW(arena, constants);
  if (!k) return hk_fail(err, HK_ENOMEM, "out of memory");
  k->roughness = hk_film_roughness(item, p->roughness, c);
  k->kappa = 6 * M_PI * mu * r2 * r2 / (c * c * c);
  k->pressure = 6 * mu * r2 / (c * c * c);
  k->drag = 8 * M_PI / 3 * mu * r2 * r2 / c;
  k->cut = fmin(1 - k->roughness / c, 1 - 1e-9);
  *out = k;
  if (p->formulation != REYNOLDS) return HK_OK;
  return hk_film_sphere_make(arena, k->cut, p->cavitation == GUMBEL_CAVITY, &k->table, err);
}

static hk_status stand(const hk_item *item, const hk_frame *A, const hk_frame *B, hk_error *err) {
  return hk_film_apart(hk_norm(hk_sub(B->x, A->x)), HK_DATA(item, film_socket)->clearance,
                       "the centres", err);
}

/* ---- the force ---- */

/* Closed forms: `vector` resists all motions equally, the other formulations have no component
 * perpendicular to n. */
static double closed_form(int formulation, const hk_film_place *at, hk_film_rest *f) {
  double slope, eps = at->held, V = at->V, W = at->W;
  *f = (hk_film_rest){0};
  if (formulation == VECTOR) {
    double rest = hk_squeeze_rest(eps, &slope);
    *f = (hk_film_rest){rest * V, slope * V, rest, 0, rest * W, slope * W, 0, rest, rest};
    return HK_SQUEEZE_CENTRE;
  }
  if (!(eps > 1e-13)) return HK_SQUEEZE_CENTRE; /* n is the direction of the motion here */
  double side = formulation == GUMBEL && V < 0 ? -1 : 1, B = hk_squeeze(side * eps, &slope);
  f->r = B * V / eps;
  f->r_V = B / eps;
  f->r_eps = (side * slope * eps - B) * V / (eps * eps);
  return 0;
}

/* State of the ball in the film. */
typedef struct motion {
  hk_vec3 t, w, spin; /* spin: angular velocity of B relative to A */
  hk_film_place at;
  hk_film_rest rest;
  double base;
} motion;

static motion measure(const film_socket *p, const constants *k, const hk_force_in *in) {
  const hk_frame *A = in->A, *B = in->B;
  motion m = {.t = hk_sub(B->x, A->x), .w = hk_sub(B->v, A->v), .spin = hk_sub(B->w, A->w)};
  if (p->formulation == REYNOLDS) {
    hk_vec3 mean = hk_scale(0.5, hk_add(A->w, B->w));
    m.w = hk_sub(m.w, hk_cross(mean, m.t));
  }
  m.at = hk_film_locate(m.t, m.w, p->clearance, k->cut, hk_column(&A->R, 2));
  if (p->formulation == REYNOLDS) {
    hk_film_table_read(&k->table, m.at.eps, m.at.V, m.at.W, &m.rest);
    m.base = k->table.base;
  } else {
    m.base = closed_form(p->formulation, &m.at, &m.rest);
  }
  return m;
}

/* Shear resistance of the film against rotation, and its derivative with respect to the
 * eccentricity. */
static double spin_drag(const constants *k, const hk_film_place *at, double *slope) {
  double e = at->held, f = e < 1e-4 ? 1 + e * e / 3 : atanh(e) / e;
  *slope = e < 1e-4 ? k->drag * 2 * e / 3 : k->drag * (1 / (1 - e * e) - f) / e;
  if (at->eps > at->held) *slope = 0;
  return k->drag * f;
}

static void put(double *w, hk_vec3 a) { w[0] = a.x, w[1] = a.y, w[2] = a.z; }

/* Adds the rows of the forces and moments on A and B, for d(force) = D d(column) and d(moment on B)
 * = M d(column). The moment on A is -t x F minus the moment on B. */
static void spread(double K[12][12], int column, double s, const hk_mat3 *t, const hk_mat3 *D,
                   const hk_mat3 *M) {
  hk_mat3 arm = hk_matmul(t, D), on_a = hk_mat3_add(arm, *M);
  hk_block_add(K, 0, column, s, D);
  hk_block_add(K, 3, column, s, &on_a);
  hk_block_add(K, 6, column, -s, D);
  hk_block_add(K, 9, column, -s, M);
}

/* Squeeze formulations: F(t, t') with t' relative to the world. */
static void squeezing_tangent(const motion *m, hk_vec3 F, const hk_mat3 *by_t, const hk_mat3 *by_w,
                              hk_force_out *out) {
  const hk_mat3 none = {{{0}}}, arm = hk_skew(m->t), lever = hk_skew(F);
  spread(out->K, 0, -1, &arm, by_t, &none);
  spread(out->K, 6, 1, &arm, by_t, &none);
  spread(out->C, 0, -1, &arm, by_w, &none);
  spread(out->C, 6, 1, &arm, by_w, &none);
  hk_block_add(out->K, 3, 0, 1, &lever); /* dt x F = -F x dt */
  hk_block_add(out->K, 3, 6, -1, &lever);
}

/* dw = dt' - mean x dt + t x (dwA + dwB)/2;
 * d(moment on B) = -(t x dF - F x dt)/2 - J dspin - spin dJ */
static void reynolds_tangent(const motion *m, double J, double J_eps, double clearance,
                             hk_vec3 mean, hk_vec3 F, const hk_mat3 *by_t, const hk_mat3 *by_w,
                             hk_force_out *out) {
  const hk_mat3 arm = hk_skew(m->t), lever = hk_skew(F), turn = hk_skew(mean);
  hk_mat3 D = hk_mat3_add(*by_t, hk_mat3_scale(-1, hk_matmul(by_w, &turn)));
  hk_mat3 M = hk_mat3_scale(-0.5, hk_mat3_add(hk_matmul(&arm, &D), hk_mat3_scale(-1, lever)));
  M = hk_mat3_add(M, hk_outer(hk_scale(-J_eps / clearance, m->spin), m->at.n));
  spread(out->K, 0, -1, &arm, &D, &M);
  spread(out->K, 6, 1, &arm, &D, &M);
  hk_block_add(out->K, 3, 0, 1, &lever);
  hk_block_add(out->K, 3, 6, -1, &lever);
  hk_mat3 Mw = hk_mat3_scale(-0.5, hk_matmul(&arm, by_w));
  spread(out->C, 0, -1, &arm, by_w, &Mw);
  spread(out->C, 6, 1, &arm, by_w, &Mw);
  hk_mat3 Dt = hk_mat3_scale(0.5, hk_matmul(by_w, &arm)),
          drag = hk_mat3_scale(J, hk_mat3_identity());
  hk_mat3 half = hk_mat3_scale(-0.5, hk_matmul(&arm, &Dt));
  hk_mat3 on_a = hk_mat3_add(half, drag), on_b = hk_mat3_add(half, hk_mat3_scale(-1, drag));
  spread(out->C, 3, 1, &arm, &Dt, &on_a);
  spread(out->C, 9, 1, &arm, &Dt, &on_b);
}

static void eval(const void *data, const hk_force_in *in, hk_force_out *out) {
  const film_socket *p = data;
  const constants *k = in->constants;
  const motion m = measure(p, k, in);
  if (!(m.at.eps < HK_FILM_LOST)) {
    out->failed = hk_film_lost;
    return;
  }
  hk_mat3 by_t, by_w;
  hk_vec3 F = hk_film_force(&m.at, &m.rest, k->kappa, m.base, p->clearance,
                            out->tangent ? &by_t : NULL, &by_w);
  hk_vec3 couple = hk_cross(m.t, F), on_b = {0, 0, 0};
  out->dissipated = fmax(0, -hk_dot(F, m.w));
  if (p->formulation == REYNOLDS) {
    double J_eps, J = spin_drag(k, &m.at, &J_eps);
    hk_vec3 mean = hk_scale(0.5, hk_add(in->A->w, in->B->w));
    on_b = hk_axpy(hk_scale(-0.5, couple), -J, m.spin);
    out->dissipated += J * hk_dot(m.spin, m.spin);
    if (out->tangent) reynolds_tangent(&m, J, J_eps, p->clearance, mean, F, &by_t, &by_w, out);
  } else {
    if (p->formulation == VECTOR) out->applied = -hk_dot(couple, in->A->w);
    if (out->tangent) squeezing_tangent(&m, F, &by_t, &by_w, out);
  }
  put(out->w, hk_neg(F));
  put(out->w + 3, hk_neg(hk_add(couple, on_b)));
  put(out->w + 6, F);
  put(out->w + 9, on_b);
  out->has_K = out->has_C = out->tangent;
}

/* ---- channels ---- */

static const hk_quantity channels[] = {
    {"eccentricity", "1", "eccentricity ratio: distance of the centres divided by the clearance"},
    {"min_film_thickness", "m", "minimum film thickness"},
    {"pressure", "Pa", "maximum film pressure"},
    {"regime", "1",
     "lubrication regime; 0: full film; 1: mixed, film below 3 roughnesses; 2: boundary, the load "
     "is carried by a contact"},
    {"ex", "m", "eccentricity of b, world axes", HK_SHOW_DETAIL},
    {"ey", "m", "eccentricity of b, world axes", HK_SHOW_DETAIL},
    {"ez", "m", "eccentricity of b, world axes", HK_SHOW_DETAIL},
};

/* Largest pressure of the closed forms. The largest pressure is at the thinnest film or, for a ball that separates, on
 * the opposite side. */
static double peak(const film_socket *p, const constants *k, const motion *m) {
  if (p->formulation == REYNOLDS)
    return k->pressure * hk_film_table_peak(&k->table, m->at.eps, m->at.V, m->at.W);
  double e = m->at.held, V = p->formulation == VECTOR ? hk_norm(m->w) : m->at.V;
  if (p->formulation == GUMBEL && V < 0) e = -e;
  return k->pressure * fabs(V) * (1 - 0.5 * e) / ((1 - e) * (1 - e));
}

static void read(const void *data, const hk_force_in *in, const hk_force_out *out, double *value) {
  const film_socket *p = data;
  const constants *k = in->constants;
  const motion m = measure(p, k, in);
  value[0] = m.at.eps;
  value[1] = p->clearance * (1 - m.at.eps);
  value[2] = peak(p, k, &m);
  value[3] = hk_film_regime(value[1], k->roughness);
  value[4] = m.t.x, value[5] = m.t.y, value[6] = m.t.z;
}

static double fine(const void *data) { return ((const film_socket *)data)->clearance; }

static const hk_force_ops ops = {.bind = bind,
                                 .length_scale = fine,
                                 .check_placement = stand,
                                 .eval = eval,
                                 .prepare = prepare,
                                 .read = read,
                                 HK_CHANNELS(channels)};

static void draw(const hk_item *item, hk_drawing *d) {
  const film_socket *p = hk_item_data(item);
  double r = p->radius, c = p->clearance;
  hk_mesh ball = {0}, socket = {0};
  hk_mesh_sphere(&ball, r, 0);
  hk_mesh_socket(&socket, r + c, 1.35 * (r + c), 0.3 * (r + c));
  hk_draw(d, HK_DRAW_B, &ball, (hk_draw_style){.paint = HK_PAINT_STEEL});
  hk_draw(d, HK_DRAW_A, &socket, (hk_draw_style){.bore = r + c, .clearance = c});
  d->play = HK_PLAY_POINT, d->clearance = c;
}

static hk_status sample(hk_item *item, hk_error *err) {
  const film_socket *p = hk_item_data(item);
  return hk_film_sample(item, p->clearance, p->viscosity, err);
}

const hk_type hk_type_force_film_socket = {
    .name = "film_socket",
    .category = HK_FORCE,
    .doc = "Oil film of a ball (b, at its centre) in a socket (a, at its centre).",
    .source = "[MecanicaComputacional2022, eqs 10 to 18]; Reynolds' equation",
    .size = sizeof(film_socket),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
    .draw = draw,
    .sample = sample,
    .symmetry = HK_MIRRORS,
};
