/* See design.h. */
#include "bearing/design.h"
#include "bearing/ring_force.h"
#include <string.h>

static const double MM = 1e3, UM = 1e6, DEG = 180 / M_PI;

static const char *const WHAT[] = {"balls", "balls", "balls", "rollers", "rollers", "rollers"};

static double effective_modulus(double E, double nu, double E_b, double nu_b) {
  return 2 / ((1 - nu * nu) / E + (1 - nu_b * nu_b) / E_b);
}

/* Radius of the outer race of spherical rollers, for which the middles of both rows are on the pitch circle. */
static double sphere_radius(const hk_bearing_design *d) {
  return 0.5 * d->pitch_diameter / cos(d->contact_angle) + 0.5 * d->element_diameter;
}

/* ---- checks ---- */

static hk_status check_circle(const hk_bearing_design *d, hk_error *err) {
  double D = d->element_diameter, dm = d->pitch_diameter, apart = dm * sin(M_PI / d->elements);
  if (!(D < dm))
    return hk_fail(err, HK_EINPUT,
                   "element_diameter %.6g mm is not less than pitch_diameter %.6g mm", MM * D,
                   MM * dm);
  if (apart > D) return HK_OK;
  return hk_fail(
      err, HK_EINPUT,
      "%d %s of %.6g mm do not fit on a pitch circle of %.6g mm: their centres are %.6g mm "
      "apart; at most %d fit",
      d->elements, WHAT[d->kind], MM * D, MM * dm, MM * apart, (int)ceil(M_PI / asin(D / dm)) - 1);
}

static hk_status check_angle(const hk_bearing_design *d, hk_error *err) {
  const double a = d->contact_angle;
  const bool needs = d->kind == HK_BEARING_ANGULAR_CONTACT || d->kind == HK_BEARING_FOUR_POINT ||
                     d->kind == HK_BEARING_TAPERED_ROLLER ||
                     (d->kind == HK_BEARING_SPHERICAL_ROLLER && d->rows > 1);
  if (needs && !(a > 0 && a < 1.5))
    return hk_fail(err, HK_EINPUT,
                   "contact_angle %.4g deg: this bearing needs a value between 0 and 86 deg",
                   DEG * a);
  if (!needs && a != 0 && d->kind == HK_BEARING_SPHERICAL_ROLLER)
    return hk_fail(err, HK_EINPUT,
                   "contact_angle %.4g deg: with one row, a spherical roller bearing has the "
                   "contact angle 0; omit it or use rows: 2",
                   DEG * a);
  if (!needs && a != 0)
    return hk_fail(
        err, HK_EINPUT,
        "contact_angle %.4g deg does not apply to this kind; use clearance, or another kind",
        DEG * a);
  if (d->kind == HK_BEARING_TAPERED_ROLLER && !(2 * d->taper < a))
    return hk_fail(err, HK_EINPUT,
                   "taper %.4g deg: the inner race would be inclined in the opposite direction; "
                   "use at most %.4g deg",
                   DEG * d->taper, 0.5 * DEG * a);
  return HK_OK;
}

/* The contact must be below the edge of the shoulder, at acos(1 - 2 h/D). */
static hk_status check_shoulders(const hk_bearing_design *d, double angle, hk_error *err) {
  static const char *const RING[] = {"inner", "outer"};
  for (int i = 0; i < 2; i++) {
    double h = d->shoulder[i], D = d->element_diameter;
    if (!(h > 0)) continue;
    double edge = acos(fmax(1 - 2 * h / D, -1));
    if (!(edge > angle))
      return hk_fail(err, HK_EINPUT,
                     "shoulder_%s %.4g mm is too low: the groove ends at %.4g deg, but the "
                     "contact angle without load is %.4g deg; use at least %.4g mm",
                     RING[i], MM * h, DEG * edge, DEG * angle, MM * 0.5 * D * (1 - cos(angle)));
  }
  return HK_OK;
}

static hk_status check_fit(const hk_bearing_design *d, hk_error *err) {
  const hk_bearing_fit *f = &d->fit;
  double in = d->pitch_diameter - d->element_diameter,
         out = d->pitch_diameter + d->element_diameter;
  if (f->bore > 0 && !(f->bore < in))
    return hk_fail(err, HK_EINPUT,
                   "bore %.6g mm is not smaller than the diameter of the inner race, %.6g mm",
                   MM * f->bore, MM * in);
  if (f->outside > 0 && !(f->outside > out))
    return hk_fail(
        err, HK_EINPUT,
        "outside diameter %.6g mm is not larger than the diameter of the outer race, %.6g mm",
        MM * f->outside, MM * out);
  if (f->shaft_bore > 0 && !(f->shaft_bore < f->bore))
    return hk_fail(err, HK_EINPUT, "shaft_bore %.6g mm is not smaller than bore %.6g mm",
                   MM * f->shaft_bore, MM * f->bore);
  if (f->housing_outside > 0 && !(f->housing_outside > f->outside))
    return hk_fail(err, HK_EINPUT, "housing_outside %.6g mm is not larger than outside %.6g mm",
                   MM * f->housing_outside, MM * f->outside);
  if (f->interference_shaft > 0 && !(f->bore > 0))
    return hk_fail(err, HK_EINPUT, "interference_shaft needs bore");
  if (f->interference_housing > 0 && !(f->outside > 0))
    return hk_fail(err, HK_EINPUT, "interference_housing needs outside");
  return HK_OK;
}

static hk_status check_spherical(const hk_bearing_design *d, hk_error *err) {
  if (d->rows > 2)
    return hk_fail(err, HK_EINPUT, "a spherical roller bearing has one or two rows, not %d",
                   d->rows);
  if (d->dynamics != HK_BEARING_STATIC)
    return hk_fail(
        err, HK_EINPUT,
        "spherical rollers support only dynamics: static, because they are used at low speeds");
  const double R = sphere_radius(d), apart = d->pitch_diameter * tan(d->contact_angle);
  if (!(d->roller_length < R))
    return hk_fail(
        err, HK_EINPUT,
        "roller_length %.4g mm is not less than the radius of the spherical race, %.4g mm",
        MM * d->roller_length, MM * R);
  if (d->rows > 1 && !(d->roller_length * cos(d->contact_angle) < apart))
    return hk_fail(
        err, HK_EINPUT,
        "the rows overlap: with contact_angle %.4g deg their middles are %.4g mm apart, "
        "and rollers of %.4g mm need %.4g mm; use a larger contact_angle or shorter rollers",
        DEG * d->contact_angle, MM * apart, MM * d->roller_length,
        MM * d->roller_length * cos(d->contact_angle));
  return HK_OK;
}

static hk_status check(const hk_bearing_design *d, hk_error *err) {
  const bool rollers = d->kind >= HK_BEARING_CYLINDRICAL_ROLLER;
  const bool ball = d->kind <= HK_BEARING_ANGULAR_CONTACT;
  hk_status status = check_circle(d, err);
  if (!status) status = check_angle(d, err);
  if (!status) status = check_fit(d, err);
  if (status) return status;
  for (int i = 0; i < 2 && !rollers; i++)
    if (!(d->conformity[i] > 0.5))
      return hk_fail(err, HK_EINPUT,
                     "conformity_%s %.6g must be larger than 0.5: the groove radius is larger than "
                     "the ball radius",
                     i ? "outer" : "inner", d->conformity[i]);
  if (d->kind >= HK_BEARING_FOUR_POINT && !(fabs(d->clearance) < 0.1 * d->element_diameter))
    return hk_fail(err, HK_EINPUT,
                   "clearance %.4g um is not less than a tenth of element_diameter, %.4g um",
                   UM * d->clearance, UM * 0.1 * d->element_diameter);
  if (rollers && !(d->roller_length > 0))
    return hk_fail(err, HK_EINPUT, "rollers need roller_length");
  if (d->kind == HK_BEARING_SPHERICAL_ROLLER) status = check_spherical(d, err);
  if (status) return status;
  if (!ball && d->dynamics == HK_BEARING_GYROSCOPIC)
    return hk_fail(
        err, HK_EINPUT,
        "dynamics: gyroscopic is for balls with one contact on each race; use centrifugal");
  if (d->rows > 1 && !(d->row_distance > 0) && d->kind != HK_BEARING_SPHERICAL_ROLLER)
    return hk_fail(err, HK_EINPUT, "%d rows need row_distance", d->rows);
  if (d->forward > d->rows)
    return hk_fail(err, HK_EINPUT, "forward_rows %d is larger than rows %d", d->forward, d->rows);
  const bool directed =
      d->kind == HK_BEARING_ANGULAR_CONTACT || d->kind == HK_BEARING_TAPERED_ROLLER;
  if (!directed && (!isnan(d->preload) || d->preload_displacement != 0))
    return hk_fail(err, HK_EINPUT,
                   "preload is for angular_contact and tapered_roller; use a negative clearance");
  if (!isnan(d->preload) && d->preload_displacement != 0)
    return hk_fail(err, HK_EINPUT, "give preload or preload_displacement, not both");
  return HK_OK;
}

/* ---- elements ---- */

static void set_ball(const hk_bearing_design *d, hk_bearing *p) {
  hk_ball *b = &p->ball;
  double D = d->element_diameter, f_i = d->conformity[0], f_o = d->conformity[1], g = p->g;
  const hk_curvature inner = {0.5 * D, 0.5 * D, 0.5 * D * (1 - g) / g, -f_i * D};
  const hk_curvature outer = {0.5 * D, 0.5 * D, -0.5 * D * (1 + g) / g, -f_o * D};
  hk_hertz_contact(&inner, 0.5 * p->modulus, HK_ELASTIC_ELLIPTIC, &p->hertz[0]);
  hk_hertz_contact(&outer, 0.5 * p->modulus, HK_ELASTIC_ELLIPTIC, &p->hertz[1]);
  *b = (hk_ball){.A = (f_i + f_o - 1) * D,
                 .l_i = (f_i - 0.5) * D,
                 .l_o = (f_o - 0.5) * D,
                 .K_i = p->hertz[0].K,
                 .K_o = p->hertz[1].K,
                 .D = D,
                 .dm = d->pitch_diameter,
                 .gp = D / d->pitch_diameter,
                 .mass = d->density * M_PI / 6 * D * D * D,
                 .dynamics = d->dynamics,
                 .control = d->control};
  b->K_n = pow(pow(b->K_i, -2.0 / 3) + pow(b->K_o, -2.0 / 3), -1.5);
  b->outer_part = pow(b->K_n / b->K_o, 2.0 / 3);
  double a = p->hertz[0].half_s, ratio = p->hertz[0].half_t / a, K, S;
  hk_elliptic(ratio, &K, &S);
  p->friction.spin_arm = 0.375 * a * K * (1 - S);
}

static void set_roller(const hk_bearing_design *d, hk_bearing *p) {
  hk_roller *r = &p->roller;
  /* The constant of ISO/TS 16281 for steel (N, mm); the stiffness is proportional to the
   * modulus. */
  static const double STEEL = 208e9 / (1 - 0.09);
  double L = d->roller_length, D = d->element_diameter, outer = d->contact_angle,
         inner = outer - 2 * d->taper, middle = outer - d->taper, n = d->slices;
  const bool tapered = d->kind == HK_BEARING_TAPERED_ROLLER,
             barrel = d->kind == HK_BEARING_SPHERICAL_ROLLER;
  const double R = sphere_radius(d);
  *r = (hk_roller){.slices = d->slices,
                   .padded = (d->slices + 3) / 4 * 4,
                   .c = 35948 * pow(MM * L, 8.0 / 9) * pow(MM, 10.0 / 9) / n * p->modulus / STEEL,
                   .half = 0.5 * L,
                   .n_i = {cos(inner), sin(inner)},
                   .n_o = {cos(outer), sin(outer)},
                   .axis = {-sin(middle), cos(middle)},
                   .tapered = tapered,
                   .barrel = barrel,
                   .reach = barrel ? 2 * R - D : 0,
                   .D = D,
                   .dm = d->pitch_diameter,
                   .mass = d->density * M_PI / 4 * D * D * L,
                   .dynamics = d->dynamics};
  r->c_1 = pow(2, 10.0 / 9) * r->c;
  for (int i = 0; i < r->padded; i++) {
    double x = ((i + 0.5) / n - 0.5) * L, part = 2 * x / L;
    bool log_profile = d->profile == HK_ROLLER_LOGARITHMIC;
    r->x[i] = i < d->slices ? x : 0;
    r->relief[i] = log_profile ? (tapered ? 0.00045 : 0.00035) * D * -log1p(-part * part) : 0;
    if (barrel) r->relief[i] = 0.5 * x * x * (1 / (d->osculation * R) - 1 / R);
    if (i >= d->slices) r->relief[i] = 1e3; /* a kilometre: never loaded */
  }
  if (!tapered) return;
  double apex = 0.5 * d->pitch_diameter / sin(middle) + 0.5 * L;
  double radius = d->rib_radius > 0 ? d->rib_radius : 0.9 * apex;
  r->rib_height = d->rib_height > 0 ? d->rib_height : 0.15 * D;
  r->rib_offset = 0.5 * D - r->rib_height;
  r->rib = 4.0 / 3 * 0.5 * p->modulus * sqrt(radius);
}

/* ---- rows ---- */

static double row_side(const hk_bearing_design *d, int row) {
  if (d->kind == HK_BEARING_SPHERICAL_ROLLER && d->rows > 1) return row > 0 ? 1 : -1;
  if (d->kind != HK_BEARING_ANGULAR_CONTACT && d->kind != HK_BEARING_TAPERED_ROLLER) return 0;
  if (d->arrangement == HK_BEARING_TANDEM) return d->backward ? -1 : 1;
  int forward = d->forward > 0 ? d->forward : (d->rows + 1) / 2;
  /* Arrangement back to back: the rows at lower z support forces along +z. Face to face: the rows at higher z do. */
  if (d->arrangement == HK_BEARING_BACK_TO_BACK) return row < forward ? 1 : -1;
  return row >= d->rows - forward ? 1 : -1;
}

static void set_ball_row(const hk_bearing_design *d, const hk_bearing *p, double side, double loss,
                         hk_bearing_row *r) {
  const hk_ball *b = &p->ball;
  double c = cos(d->contact_angle), s = sin(d->contact_angle), cos0 = c;
  double d0_r = b->A * c, d0_z = side * b->A * s;
  if (d->kind == HK_BEARING_DEEP_GROOVE) cos0 = fmin(1 - 0.5 * d->clearance / b->A, 1);
  if (d->kind == HK_BEARING_DEEP_GROOVE) d0_r = b->A;
  d0_r += 0.5 * (loss - d->clearance);
  r->R[0] = 0.5 * d->pitch_diameter + b->l_i * cos0;
  r->z[0] = r->at + side * b->l_i * s;
  r->from[0][0] = r->R[0] - d0_r;
  r->from[0][1] = r->z[0] - d0_z;
}

static void set_four(const hk_bearing_design *d, hk_bearing *p, double loss, hk_bearing_row *r) {
  const hk_ball *b = &p->ball;
  double c = cos(d->contact_angle), s = sin(d->contact_angle);
  double R = 0.5 * d->pitch_diameter + b->l_i * c,
         outer = R - b->A * c - 0.5 * (loss - d->clearance);
  for (int i = 0; i < 2; i++) {
    double side = i ? -1 : 1;
    r->R[i] = R;
    r->z[i] = r->at + side * b->l_i * s;
    r->from[i][0] = r->R[i], r->from[i][1] = r->z[i];
    p->four.inner[i][0] = R, p->four.inner[i][1] = side * b->l_i * s;
    p->four.outer[i][0] = outer, p->four.outer[i][1] = -side * b->l_o * s;
  }
}

static void set_roller_row(const hk_bearing_design *d, const hk_bearing *p, double side,
                           hk_bearing_row *r) {
  const hk_roller *k = &p->roller;
  const double turn = d->contact_angle - d->taper, n[2] = {cos(turn), sin(turn)};
  const double way = side < 0 ? -1 : 1;
  for (int i = 0; i < 2; i++) {
    double x = i ? -k->half : k->half, down = 0.5 * k->D - x * tan(d->taper);
    r->R[i] = 0.5 * d->pitch_diameter + x * k->axis[0] - down * n[0];
    r->z[i] = r->at + way * (x * k->axis[1] - down * n[1]);
    r->from[i][0] = r->R[i], r->from[i][1] = r->z[i];
  }
}

/* For both rows the displacement is measured from the centre of the spherical race. */
static void set_spherical_row(const hk_bearing_design *d, const hk_bearing *p, double side,
                              hk_bearing_row *r) {
  r->R[0] = p->roller.reach * cos(d->contact_angle);
  r->z[0] = side * p->roller.reach * sin(d->contact_angle);
  r->from[0][0] = r->from[0][1] = 0;
}

static void set_rows(const hk_bearing_design *d, hk_bearing *p, double loss) {
  for (int i = 0; i < d->rows; i++) {
    hk_bearing_row *r = &p->row[i];
    r->side = row_side(d, i);
    r->at = (i - 0.5 * (d->rows - 1)) * d->row_distance;
    if (d->kind == HK_BEARING_FOUR_POINT)
      set_four(d, p, loss, r);
    else if (d->kind == HK_BEARING_SPHERICAL_ROLLER)
      set_spherical_row(d, p, r->side, r);
    else if (d->kind >= HK_BEARING_CYLINDRICAL_ROLLER)
      set_roller_row(d, p, r->side, r);
    else
      set_ball_row(d, p, r->side, loss, r);
  }
  p->roller.clearance = 0.5 * (d->clearance - loss);
  if (p->roller.barrel) p->roller.clearance *= cos(d->contact_angle); /* along the normal */
}

/* ---- preload ---- */

/* Axial force of one row with its outer ring shifted by dp relative to the inner one; NAN: it
 * cannot be computed. */
static double axial_force(const hk_bearing *p, double dp) {
  hk_bearing one = *p;
  hk_bearing_action a;
  hk_bearing_place at = {.Q = hk_mat3_identity(), .speed.cage = NAN};
  one.rows = 1;
  one.dynamics = one.ball.dynamics = one.roller.dynamics = HK_BEARING_STATIC;
  double side = one.row[0].side;
  for (int i = 0; i < 2; i++) one.row[0].from[i][1] -= side * dp;
  return hk_bearing_act(&one, &at, false, &a, NULL) ? NAN : -side * a.Q[2];
}

/* Displacements by a preload are less than this fraction of the radius. */
static const double most_preload = 0.02;

static hk_status find_preload(const hk_bearing *p, double force, double *dp, hk_error *err) {
  const double most = most_preload * p->row[0].R[0];
  double low = -0.01 * p->ball.D, high = 1e-6;
  if (hk_bearing_has_rollers(p)) low = -0.01 * p->roller.D;
  while (axial_force(p, high) < force && high < most) high = fmin(2 * high, most);
  if (!(axial_force(p, high) >= force))
    return hk_fail(
        err, HK_EINPUT,
        "a preload of %.6g N cannot be reached: with a displacement of %.3g mm, %g %% of "
        "the radius, it is %.4g N",
        force, 1e3 * high, 100 * most_preload, axial_force(p, high));
  if (!(axial_force(p, low) <= force))
    return hk_fail(
        err, HK_EINPUT,
        "a preload of %.6g N cannot be reached: with the rings displaced apart by %.3g mm "
        "it is still %.4g N; use a larger clearance",
        force, -1e3 * low, axial_force(p, low));
  for (int i = 0; i < 200 && high - low > 1e-16; i++) {
    double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    *(axial_force(p, middle) <= force ? &low : &high) = middle;
  }
  *dp = 0.5 * (low + high);
  return HK_OK;
}

/* All rows are equal except for the side to which their contact angle opens. The displacement of one row is computed
 * before any row is shifted. */
static hk_status set_preload(const hk_bearing_design *d, double loss, hk_bearing *p,
                             hk_error *err) {
  double dp[2] = {d->preload_displacement, d->preload_displacement}; /* forward, backward */
  int n[2] = {0, 0};
  for (int i = 0; i < d->rows; i++) n[p->row[i].side < 0]++;
  for (int i = 0; i < 2 && !isnan(d->preload); i++) {
    hk_status status = n[i] ? find_preload(p, d->preload / n[i], &dp[i], err) : HK_OK;
    if (status) return status;
  }
  if (isnan(d->preload) && dp[0] < 0 && !(axial_force(p, dp[0]) > 0))
    return hk_fail(err, HK_EINPUT,
                   "preload_displacement %.4g um opens the bearing: fits and temperature reduce "
                   "the clearance by only %.4g um; use a larger value",
                   UM * dp[0], UM * loss);
  p->preload_displacement = n[0] ? dp[0] : dp[1];
  for (int i = 0; i < d->rows; i++)
    for (int k = 0; k < 2; k++) p->row[i].from[k][1] -= p->row[i].side * dp[p->row[i].side < 0];
  return HK_OK;
}

hk_status hk_bearing_make(const hk_bearing_design *drawing, hk_bearing *p, hk_error *err) {
  hk_bearing_design own = *drawing;
  const hk_bearing_design *d = &own;
  if (own.kind != HK_BEARING_TAPERED_ROLLER)
    own.taper = 0; /* the default taper is valid for tapered rollers only */
  memset(p, 0, sizeof *p);
  hk_status status = check(d, err);
  if (status) return status;
  const bool rollers = d->kind >= HK_BEARING_CYLINDRICAL_ROLLER;
  p->kind = d->kind, p->rows = d->rows, p->n = d->elements;
  p->points =
      d->kind <= HK_BEARING_ANGULAR_CONTACT || d->kind == HK_BEARING_SPHERICAL_ROLLER ? 1 : 2;
  p->dynamics = d->dynamics;
  p->nominal_angle =
      d->kind == HK_BEARING_TAPERED_ROLLER ? d->contact_angle - d->taper : d->contact_angle;
  double gp = d->element_diameter / d->pitch_diameter;
  p->g = gp * cos(p->nominal_angle);
  p->modulus = effective_modulus(d->youngs_modulus, d->poisson_ratio, d->element_youngs_modulus,
                                 d->element_poisson_ratio);
  if (rollers)
    set_roller(d, p);
  else
    set_ball(d, p);
  double loss = hk_bearing_fit_loss(d), a0 = d->contact_angle;
  p->clearance = d->clearance - loss;
  if (d->kind == HK_BEARING_DEEP_GROOVE) {
    if (!(p->clearance < 2 * p->ball.A))
      return hk_fail(
          err, HK_EINPUT,
          "clearance %.4g um is larger than the grooves permit; it must be less than %.4g um",
          UM * p->clearance, 2 * UM * p->ball.A);
    a0 = acos(fmin(1 - 0.5 * p->clearance / p->ball.A, 1));
  }
  if (!rollers) status = check_shoulders(d, a0, err);
  if (status) return status;
  p->kappa = 0.5 * (1 - p->g);
  p->ball.free_ratio = 0.5 * (1 - gp * cos(a0));
  p->roller.free_ratio = p->kappa;
  p->spin_ratio = 0.5 * (1 - p->g * p->g) / gp;
  p->growth = d->dynamics == HK_BEARING_STATIC ? 0 : hk_bearing_growth(d);
  for (int i = 0; i < 2; i++) p->shoulder[i] = d->shoulder[i], p->conformity[i] = d->conformity[i];
  for (int k = 0; k < p->n; k++) {
    p->cosine[k] = cos(2 * M_PI * k / p->n);
    p->sine[k] = sin(2 * M_PI * k / p->n);
  }
  p->spalled = -1;
  set_rows(d, p, loss);
  return set_preload(d, loss, p, err);
}
