/* Oil film between a journal and its bush: frame A in the middle of the bush, z along its axis;
 * frame B on the journal axis, with its z axis b along it.
 *
 * The film is divided into slices at the stations Q = xA + zeta z_A. With X the foot of Q on the
 * journal axis, the eccentricity t = X - Q and the velocity u of the journal at X relative to
 * the bush, a slice has the force
 *   F = -kappa (R n + S tau)(eps, w),   w = (1 - b b^T) u - (spin/2) b x t,   spin = b.(wB - wA)
 * at X: the wedge effect of rotation is equivalent to squeezing along w [Booker1965]. R and S
 * are those of the whole bearing of finite length, including cavitation (film/film_journal.h),
 * kappa = 12 mu r^3 L/c^3. The force of the whole bearing is distributed over the slices like the pressure of a short
 * bearing along its axis, as 1 - (2 zeta/L)^2: stations and weights are those of the Gauss quadrature with this weight
 * function. One slice represents an aligned journal; more slices take misalignment into account.
 *
 * Misalignment: the Reynolds equation couples the slices along the axis. With x = 2 zeta/L, a
 * source s0 + s1 x and a film H0 + H1 x, its solution in a short bearing is, to first order in
 * s1 and H1,
 *   p = (1 - x^2)/(2 H0^3) (s0 + s1 x/3 - 2 s0 H1 x/H0)
 * while independent slices would have s1 x and -3 s0 H1 x/H0. Therefore the slices use values of
 * t and w closer to those in the middle, t0 and w0:  t0 + alpha (t - t0),  w0 + beta (w - w0),
 * alpha = 2/3, beta = 1/3.  If the motion is tilting only, with sources of both signs, the film
 * extends from x = -1/2 to 1: p = (1 - x)(x + 1/2)^2 s1/(6 H^3), beta = 27/64. In a long bearing
 * the slices are independent and equally loaded; with the weights above this gives 5/3. For bearings between these two
 * limits, alpha and beta are functions of k = (L/D)^2/(1 - eps0) that were fitted to solutions of the equation in two
 * dimensions (test/verify/test_film_tilt.c):
 *   alpha = 2/3 + k/(k + 6),  beta = 1/3 + 4/3 k/(k + 12),  27/64 + 1.245 k/(k + 17)
 * The two values of beta are blended by (d^2/(d^2 + 9 w0^2))^2, d = change of w towards an end.
 * The shear of the film does not couple the slices. The journal also has the moment about its
 * axis
 *   M = -b.(t x F)/2 - J spin,   J = 2 pi mu r^3 L/(c sqrt(1 - eps^2))
 * due to the pressure on the eccentric surfaces and the shear of the film, assumed to fill the
 * whole gap. The dissipated power is -F.w + J spin^2. For roughness see film_socket.c. */
#include "film/film_journal.h"
#include "force/film.h"
#include "mesh/drawing.h"

typedef struct film_journal {
  const char *a, *b;
  double radius, clearance, length, viscosity, roughness;
  int slices;
} film_journal;

enum { MOST_SLICES = 9 };

static const film_journal defaults = {.a = "ground", .slices = 3};

static const hk_param params[] = {
    HK_FRAME(film_journal, a, 0, "frame in the middle of the bush; z along its axis"),
    HK_FRAME(film_journal, b, HK_REQUIRED, "frame on the journal axis, z along it"),
    HK_REAL(film_journal, radius, "m", HK_REQUIRED | HK_POSITIVE, "radius of the journal"),
    HK_REAL(film_journal, clearance, "m", HK_REQUIRED | HK_POSITIVE,
            "radial clearance: radius of the bush minus that of the journal"),
    HK_REAL(film_journal, length, "m", HK_REQUIRED | HK_POSITIVE,
            "length of the film, from -length/2 to length/2 along z of a; its ends are open"),
    HK_REAL(film_journal, viscosity, "Pa s", HK_REQUIRED | HK_POSITIVE,
            "dynamic viscosity of the oil"),
    HK_REAL(film_journal, roughness, "m", 0,
            "film thickness at which the surfaces touch; default: a thousandth of the clearance",
            HK_MIN(0)),
    HK_INT(film_journal, slices, 0,
           "slices along the axis, for misalignment; 1: misalignment has no effect",
           HK_RANGE(1, MOST_SLICES)),
};

typedef struct slice {
  double at, share; /* position along z of a [m]; weight of the slice, sum 1 */
} slice;

typedef struct constants {
  double kappa, pressure, drag, cut, roughness;
  double slender2; /* (length over diameter)^2 */
  slice slice[MOST_SLICES];
  hk_film_table table;
} constants;

static hk_status bind(const hk_item *item, hk_force_binding *b, hk_error *err) {
  const film_journal *p = hk_item_data(item);
  const double slenderness = 0.5 * p->length / p->radius;
  b->a = p->a;
  b->b = p->b;
  b->moment_a = b->moment_b = true;
  if (!(slenderness >= HK_FILM_LEAST_SLENDERNESS && slenderness <= HK_FILM_MOST_SLENDERNESS))
    return hk_fail(
        err, HK_EINPUT,
        "length %g mm / diameter %g mm = %.3g is outside the range of the film model, %g to %g",
        1e3 * p->length, 2e3 * p->radius, slenderness, HK_FILM_LEAST_SLENDERNESS,
        HK_FILM_MOST_SLENDERNESS);
  return hk_film_check(p->radius, p->clearance, p->viscosity,
                       hk_film_roughness(item, p->roughness, p->clearance), err);
}

/* Gauss points for the weight function 1 - x^2 on -1 .. 1: the zeros of the derivative of
 * Legendre's polynomial P of degree n + 1, with weights proportional to (1 - x^2)/P(x)^2. */
static void set_slices(const film_journal *p, slice *out) {
  const int n = p->slices;
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double x = -cos(M_PI * (i + 1) / (n + 1)), P = 0, before = 0, slope = 0;
    for (int round = 0; round < 100; round++) {
      P = x, before = 1;
      for (int k = 2; k <= n + 1; k++) {
        double next = ((2 * k - 1) * x * P - (k - 1) * before) / k;
        before = P, P = next;
      }
      slope = (n + 1) * (before - x * P) / (1 - x * x);
      double bend = (2 * x * slope - (n + 1) * (n + 2) * P) / (1 - x * x), step = slope / bend;
      x -= step;
      if (fabs(step) < 1e-16) break;
    }
    out[i] = (slice){0.5 * p->length * x, (1 - x * x) / (P * P)};
    sum += out[i].share;
  }
  for (int i = 0; i < n; i++) out[i].share /= sum;
}

static hk_status prepare(const hk_item *item, hk_arena *arena, const void **out, hk_error *err) {
  const film_journal *p = hk_item_data(item);
  const double c = p->clearance, r = p->radius, mu = p->viscosity;
  constants *k = HK_NEW(arena, constants);
  if (!k) return hk_fail(err, HK_ENOMEM, "out of memory");
  k->roughness = hk_film_roughness(item, p->roughness, c);
  k->kappa = 12 * mu * r * r * r * p->length / (c * c * c);
  k->pressure = 12 * mu * r * r / (c * c * c);
  k->drag = 2 * M_PI * mu * r * r * r * p->length / c;
  k->cut = fmin(1 - k->roughness / c, 1 - 1e-9);
  k->slender2 = 0.25 * p->length * p->length / (r * r);
  set_slices(p, k->slice);
  *out = k;
  return hk_film_journal_make(arena, 0.5 * p->length / r, k->cut, &k->table, err);
}

/* ---- one slice ---- */

typedef struct station {
  hk_vec3 b, z, u, t, X; /* u = Q - xB; z = zeta z_A; X: from the origin of B to the foot */
  hk_vec3 seen, w; /* velocity of the journal relative to the bush, and relative to the film */
  double q, spin;  /* q = u.b */
} station;

static station locate(const hk_force_in *in, double at) {
  const hk_frame *A = in->A, *B = in->B;
  station s = {.b = hk_column(&B->R, 2), .z = hk_scale(at, hk_column(&A->R, 2))};
  s.u = hk_sub(hk_add(A->x, s.z), B->x);
  s.q = hk_dot(s.u, s.b);
  s.X = hk_scale(s.q, s.b);
  s.t = hk_sub(s.X, s.u);
  s.spin = hk_dot(s.b, hk_sub(B->w, A->w));
  s.seen =
      hk_add(hk_sub(B->v, A->v), hk_sub(hk_cross(B->w, s.X), hk_cross(A->w, hk_add(s.z, s.t))));
  s.w = hk_axpy(hk_axpy(s.seen, -hk_dot(s.b, s.seen), s.b), -0.5 * s.spin, hk_cross(s.b, s.t));
  return s;
}

/* Changes due to small displacements (x) and rotations (theta) of the frames A and B, or due to changes of the
 * velocities of these frames. */
typedef struct change {
  hk_vec3 b, t, X, z, w;
  double spin;
} change;

static change displaced(const hk_force_in *in, const station *s, const hk_vec3 d[4]) {
  change c = {.b = hk_cross(d[3], s->b), .z = hk_cross(d[1], s->z)};
  hk_vec3 u = hk_sub(hk_add(d[0], c.z), d[2]);
  c.X = hk_axpy(hk_scale(s->q, c.b), hk_dot(u, s->b) + hk_dot(s->u, c.b), s->b);
  c.t = hk_sub(c.X, u);
  c.spin = hk_dot(c.b, hk_sub(in->B->w, in->A->w));
  hk_vec3 seen = hk_sub(hk_cross(in->B->w, c.X), hk_cross(in->A->w, hk_add(c.z, c.t)));
  double along = hk_dot(s->b, s->seen), along_d = hk_dot(c.b, s->seen) + hk_dot(s->b, seen);
  c.w = hk_axpy(hk_axpy(seen, -along_d, s->b), -along, c.b);
  c.w = hk_axpy(c.w, -0.5 * c.spin, hk_cross(s->b, s->t));
  c.w = hk_axpy(c.w, -0.5 * s->spin, hk_add(hk_cross(c.b, s->t), hk_cross(s->b, c.t)));
  return c;
}

static change accelerated(const station *s, const hk_vec3 d[4]) {
  change c = {.spin = hk_dot(s->b, hk_sub(d[3], d[1]))};
  hk_vec3 seen =
      hk_add(hk_sub(d[2], d[0]), hk_sub(hk_cross(d[3], s->X), hk_cross(d[1], hk_add(s->z, s->t))));
  c.w = hk_axpy(hk_axpy(seen, -hk_dot(s->b, seen), s->b), -0.5 * c.spin, hk_cross(s->b, s->t));
  return c;
}

/* ---- effect of misalignment on the slices ---- */

typedef struct tilting {
  station middle, end[2];
  double alpha, beta;
  double alpha_eps, beta_eps; /* derivatives with respect to the eccentricity ratio in the middle */
  /* fraction with which two values are blended, and the derivative with respect to this fraction */
  double beta_mix, mix;
  double w2, d2; /* |w0|^2, |d|^2 */
  hk_vec3 n, d;  /* direction of the eccentricity in the middle; change of w towards an end */
} tilting;

/* low + range k/(k + c), and its derivative with respect to k */
static double between(double low, double range, double k, double c, double *slope) {
  *slope = range * c / ((k + c) * (k + c));
  return low + range * k / (k + c);
}

static tilting tilting_of(const film_journal *p, const constants *k, const hk_force_in *in) {
  tilting o = {.middle = locate(in, 0), .alpha = 1, .beta = 1};
  if (p->slices == 1) return o;
  for (int i = 0; i < 2; i++) o.end[i] = locate(in, (i - 0.5) * p->length);
  const double length = hk_norm(o.middle.t), eps = length / p->clearance;
  const bool held = eps >= k->cut;
  const double thin = 1 - (held ? k->cut : eps), x = k->slender2 / thin;
  const double x_eps = held || !(length > 0) ? 0 : x / thin;
  double by_alpha, by_low, by_high;
  o.alpha = between(2.0 / 3, 1, x, 6, &by_alpha);
  const double low = between(1.0 / 3, 4.0 / 3, x, 12, &by_low);
  const double high = between(27.0 / 64, 5.0 / 3 - 27.0 / 64, x, 17, &by_high);
  o.d = hk_scale(0.5, hk_sub(o.end[1].w, o.end[0].w));
  o.w2 = hk_dot(o.middle.w, o.middle.w), o.d2 = hk_dot(o.d, o.d);
  const double all = o.d2 + 9 * o.w2, share = all > 0 ? o.d2 / all : 0;
  o.mix = share * share;
  o.beta = low + o.mix * (high - low);
  o.beta_mix = high - low;
  o.alpha_eps = by_alpha * x_eps;
  o.beta_eps = (by_low + o.mix * (by_high - by_low)) * x_eps;
  o.n = length > 0 ? hk_scale(1 / length, o.middle.t) : hk_v3(0, 0, 0);
  return o;
}

/* Returns a slice with t and w replaced by their effective values. */
static station felt(const tilting *o, const station *s) {
  station out = *s;
  out.t = hk_axpy(o->middle.t, o->alpha, hk_sub(s->t, o->middle.t));
  out.w = hk_axpy(o->middle.w, o->beta, hk_sub(s->w, o->middle.w));
  return out;
}

/* Changes of the quantities common to all slices. */
typedef struct tilting_change {
  change middle;
  double alpha, beta;
} tilting_change;

static tilting_change tilting_changed(const film_journal *p, const tilting *o, const change *middle,
                                      const change end[2]) {
  tilting_change c = {.middle = *middle};
  const double eps = hk_dot(o->n, middle->t) / p->clearance, all = o->d2 + 9 * o->w2;
  c.alpha = o->alpha_eps * eps;
  c.beta = o->beta_eps * eps;
  if (!(all > 0)) return c;
  const double d2 = hk_dot(o->d, hk_sub(end[1].w, end[0].w)),
               w2 = 2 * hk_dot(o->middle.w, middle->w);
  c.beta += o->beta_mix * 2 * (o->d2 / all) * 9 * (d2 * o->w2 - o->d2 * w2) / (all * all);
  return c;
}

/* Force and moments of a slice, and their derivatives. */
typedef struct load {
  hk_film_place at;
  hk_vec3 F, n; /* n: direction of the actual eccentricity */
  hk_mat3 by_t, by_w;
  double J, J_eps, M;
} load;

static load load_of(const film_journal *p, const constants *k, const tilting *o, const station *s,
                    double share, bool tangent) {
  load l;
  hk_film_rest rest;
  const station f = felt(o, s);
  l.at = hk_film_locate(f.t, f.w, p->clearance, k->cut, s->b);
  hk_film_table_read(&k->table, l.at.eps, l.at.V, l.at.W, &rest);
  l.F = hk_film_force(&l.at, &rest, share * k->kappa, k->table.base, p->clearance,
                      tangent ? &l.by_t : NULL, &l.by_w);
  double length = hk_norm(s->t), eps = length / p->clearance, e = fmin(eps, k->cut),
         root = sqrt(1 - e * e);
  l.n = length > 0 ? hk_scale(1 / length, s->t) : hk_v3(0, 0, 0);
  l.J = share * k->drag / root;
  l.J_eps = eps > e ? 0 : l.J * e / (root * root);
  l.M = -0.5 * hk_dot(s->b, hk_cross(s->t, l.F)) - l.J * s->spin;
  return l;
}

static void put(double *w, hk_vec3 a) { w[0] += a.x, w[1] += a.y, w[2] += a.z; }

/* Adds a column to a matrix of negative derivatives. */
static void put_column(double K[12][12], int j, const hk_vec3 row[4]) {
  for (int i = 0; i < 4; i++) {
    K[3 * i][j] -= row[i].x;
    K[3 * i + 1][j] -= row[i].y;
    K[3 * i + 2][j] -= row[i].z;
  }
}

static void vary(const film_journal *p, const tilting *o, const station *s, const load *l,
                 const tilting_change *oc, const change *c, int j, double K[12][12]) {
  const change *m = &oc->middle;
  hk_vec3 t = hk_axpy(m->t, o->alpha, hk_sub(c->t, m->t)),
          w = hk_axpy(m->w, o->beta, hk_sub(c->w, m->w));
  t = hk_axpy(t, oc->alpha, hk_sub(s->t, o->middle.t));
  w = hk_axpy(w, oc->beta, hk_sub(s->w, o->middle.w));
  hk_vec3 F = hk_add(hk_mul(&l->by_t, t), hk_mul(&l->by_w, w));
  double eps = hk_dot(l->n, c->t) / p->clearance;
  double M = -0.5 * (hk_dot(c->b, hk_cross(s->t, l->F)) +
                     hk_dot(s->b, hk_add(hk_cross(c->t, l->F), hk_cross(s->t, F)))) -
             l->J * c->spin - l->J_eps * eps * s->spin;
  hk_vec3 couple = hk_axpy(hk_scale(M, s->b), l->M, c->b);
  hk_vec3 arm = hk_add(s->z, s->t), arm_d = hk_add(c->z, c->t);
  const hk_vec3 row[4] = {hk_neg(F),
                          hk_neg(hk_add(hk_add(hk_cross(arm_d, l->F), hk_cross(arm, F)), couple)),
                          F, hk_add(hk_add(hk_cross(c->X, l->F), hk_cross(s->X, F)), couple)};
  put_column(K, j, row);
}

/* Changes of the stations for each of the twelve displacements; then for each of the twelve velocities. */
static void tangent(const film_journal *p, const hk_force_in *in, const tilting *o,
                    const station *s, const load *l, hk_force_out *out) {
  for (int j = 0; j < 12; j++) {
    hk_vec3 d[4] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    double *part = j % 3 == 0 ? &d[j / 3].x : j % 3 == 1 ? &d[j / 3].y : &d[j / 3].z;
    *part = 1;
    const change place = displaced(in, &o->middle, d), speed = accelerated(&o->middle, d);
    const change place_end[2] = {displaced(in, &o->end[0], d), displaced(in, &o->end[1], d)};
    const change speed_end[2] = {accelerated(&o->end[0], d), accelerated(&o->end[1], d)};
    const tilting_change by_place = tilting_changed(p, o, &place, place_end),
                         by_speed = tilting_changed(p, o, &speed, speed_end);
    for (int i = 0; i < p->slices; i++) {
      const change moved = displaced(in, &s[i], d), faster = accelerated(&s[i], d);
      vary(p, o, &s[i], &l[i], &by_place, &moved, j, out->K);
      vary(p, o, &s[i], &l[i], &by_speed, &faster, j, out->C);
    }
  }
}

static void eval(const void *data, const hk_force_in *in, hk_force_out *out) {
  const film_journal *p = data;
  const constants *k = in->constants;
  const tilting o = tilting_of(p, k, in);
  station s[MOST_SLICES];
  load l[MOST_SLICES];
  double lost = 0;
  for (int i = 0; i < p->slices; i++) {
    s[i] = locate(in, k->slice[i].at);
    l[i] = load_of(p, k, &o, &s[i], k->slice[i].share, out->tangent);
    if (!(l[i].at.eps < HK_FILM_LOST)) {
      out->failed = hk_film_lost;
      return;
    }
    hk_vec3 couple = hk_scale(l[i].M, s[i].b);
    put(out->w, hk_neg(l[i].F));
    put(out->w + 3, hk_neg(hk_add(hk_cross(hk_add(s[i].z, s[i].t), l[i].F), couple)));
    put(out->w + 6, l[i].F);
    put(out->w + 9, hk_add(hk_cross(s[i].X, l[i].F), couple));
    lost -= hk_dot(l[i].F, s[i].w);
    out->dissipated += l[i].J * s[i].spin * s[i].spin;
  }
  out->dissipated += fmax(0, lost);
  if (out->tangent) tangent(p, in, &o, s, l, out);
  out->has_K = out->has_C = out->tangent;
}

/* Checks that the eccentricity at the ends of the bush is within the range of the film. */
static hk_status stand(const hk_item *item, const hk_frame *A, const hk_frame *B, hk_error *err) {
  const film_journal *p = hk_item_data(item);
  const hk_force_in in = {.A = A, .B = B};
  double most = 0;
  for (int i = -1; i <= 1; i += 2) {
    const station s = locate(&in, 0.5 * i * p->length);
    most = fmax(most, hk_norm(s.t));
  }
  return hk_film_apart(most, p->clearance, "at an end of the bush the axes", err);
}

/* ---- channels ---- */

static const hk_quantity channels[] = {
    {"eccentricity", "1",
     "eccentricity ratio: distance of the axes in the middle of the bush divided by the clearance"},
    {"min_film_thickness", "m", "minimum film thickness, at an end of the bush"},
    {"pressure", "Pa", "maximum film pressure"},
    {"regime", "1",
     "lubrication regime; 0: full film; 1: mixed, film below 3 roughnesses; 2: boundary, the load "
     "is carried by a contact"},
    {"ex", "m", "eccentricity of b in the middle of the bush, world axes", HK_SHOW_DETAIL},
    {"ey", "m", "eccentricity of b in the middle of the bush, world axes", HK_SHOW_DETAIL},
    {"ez", "m", "eccentricity of b in the middle of the bush, world axes", HK_SHOW_DETAIL},
    {"tilt", "rad", "angle between the axes", HK_SHOW_DETAIL},
};

static void read(const void *data, const hk_force_in *in, const hk_force_out *out, double *value) {
  const film_journal *p = data;
  const constants *k = in->constants;
  const tilting tilt = tilting_of(p, k, in);
  const station middle = tilt.middle;
  double most = 0, peak = 0;
  for (int i = -1; i <= 1; i += 2) {
    const station end = locate(in, 0.5 * i * p->length);
    most = fmax(most, hk_norm(end.t));
  }
  for (int i = 0; i < p->slices; i++) {
    const station actual = locate(in, k->slice[i].at), s = felt(&tilt, &actual);
    hk_film_place at = hk_film_locate(s.t, s.w, p->clearance, k->cut, s.b);
    peak = fmax(peak, hk_film_table_peak(&k->table, at.eps, at.V, at.W));
  }
  hk_vec3 z = hk_column(&in->A->R, 2);
  value[0] = hk_norm(middle.t) / p->clearance;
  value[1] = p->clearance - most;
  value[2] = k->pressure * peak;
  value[3] = hk_film_regime(value[1], k->roughness);
  value[4] = middle.t.x, value[5] = middle.t.y, value[6] = middle.t.z;
  value[7] = atan2(hk_norm(hk_cross(z, middle.b)), hk_dot(z, middle.b));
}

static double fine(const void *data) { return ((const film_journal *)data)->clearance; }

static const hk_force_ops ops = {.bind = bind,
                                 .length_scale = fine,
                                 .check_placement = stand,
                                 .eval = eval,
                                 .prepare = prepare,
                                 .read = read,
                                 HK_CHANNELS(channels)};

static void draw(const hk_item *item, hk_drawing *d) {
  const film_journal *p = hk_item_data(item);
  double r = p->radius, R = r + p->clearance;
  hk_draw_cylinder(d, HK_DRAW_A, 1.4 * R, R, p->length,
                   (hk_draw_style){.bore = R, .clearance = p->clearance});
  hk_draw_cylinder(d, HK_DRAW_B, r, 0, 1.3 * p->length, (hk_draw_style){.paint = HK_PAINT_STEEL});
  d->play = HK_PLAY_PIN, d->clearance = p->clearance;
}

static hk_status sample(hk_item *item, hk_error *err) {
  const film_journal *p = hk_item_data(item);
  hk_status status = hk_item_real(item, "length", 1 + p->length, err);
  return status ? status : hk_film_sample(item, p->clearance, p->viscosity, err);
}

/* Reynolds' equation in two dimensions by finite differences, 240 around and 48 along the bush, with
 * the wedge of rotation and Reynolds' cavitation condition. */
#define BUSH "radius 0.025, clearance 5e-5, length 0.025, viscosity 0.03"
static const hk_known_case known[] = {{.what = "a concentric journal that tips",
                                       .values = BUSH,
                                       .w = {0, 0.05, 0},
                                       .moment = {0, -0.093768, 0},
                                       .force_error = 1e-6,
                                       .moment_error = 0.002},
                                      {.what = "a tilted journal that rotates about its axis, "
                                               "eccentric by 0.4, at the ends by 0.2 and 0.6",
                                       .values = BUSH,
                                       .at = {2e-5, 0, 0},
                                       .turn = {0, 8e-4, 0},
                                       .w = {0.0799999915, 0, 99.999968},
                                       .force = {-96.96, 172.96, 0},
                                       .moment = {-0.15798, -0.1946, -0.16457},
                                       .force_error = 6,
                                       .moment_error = 0.03},
                                      {0}};

const hk_type hk_type_force_film_journal = {
    .name = "film_journal",
    .category = HK_FORCE,
    .doc =
        "Oil film of a journal (b, z along its axis) in a bush of finite length (a, in its middle, "
        "z along its axis): squeezing, rotation and misalignment.",
    .source =
        "Reynolds' equation with Reynolds' cavitation condition; [Booker1965; Butenschoen1976]",
    .size = sizeof(film_journal),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
    .draw = draw,
    .sample = sample,
    .known = known,
    .symmetry = HK_MIRRORS,
};
