/* Gear pairs and rolling bearings on their own: see hooke/machine.h. */
#include "analysis/machine.h"
#include "analysis/bearing_state.h"
#include "base/arena.h"
#include "base/options.h"
#include "force/gear_pair.h"
#include "gear/quasistatic.h"
#include "model/model.h"
#include <hooke/machine.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Finds a force of this type by its name; without a name, finds the only force of this type. */
static hk_status find(const hk_model *m, const hk_type *type, const char *name,
                      const hk_force **out, hk_error *err) {
  enum { MOST = 200 };
  const char *names[MOST];
  int n = 0;
  *out = NULL;
  for (int i = 0; m && i < m->n_forces; i++) {
    const hk_force *f = &m->force[i];
    if (f->item->type != type) continue;
    if (!*out && (!name || strcmp(f->name, name) == 0)) *out = f;
    if (n < MOST) names[n] = f->name;
    n++;
  }
  if (!m) return hk_fail(err, HK_EINPUT, "there is no model");
  if (n == 0) return hk_fail(err, HK_EINPUT, "the model has no %s", type->name);
  if (!*out) {
    const char *near = hk_nearest_name(name, names, n < MOST ? n : MOST);
    return hk_fail(err, HK_EINPUT, "unknown %s '%s'; %s '%s'", type->name, name,
                   near ? "did you mean" : "the model has", near ? near : names[0]);
  }
  if (name || n == 1) return HK_OK;
  return hk_fail(err, HK_EINPUT,
                 "the model has %d forces of type %s; give the name of one of them, such as '%s'",
                 n, type->name, names[0]);
}

/* ---- gear pairs ---- */

static hk_range range_of(const hk_gear_mean *m) { return (hk_range){m->mean, m->least, m->most}; }

/* Stores points and loaded passes as columns in one block. */
static hk_status take_columns(const hk_gear_quasistatic *q, hk_gear_solution *s, hk_error *err) {
  enum { OVER_PITCH = 7, OVER_PATH = 7 };
  const size_t n = (size_t)q->n, room = (size_t)q->n_passes;
  double *v = calloc(OVER_PITCH * n + OVER_PATH * room + 1, sizeof *v);
  if (!v) return hk_fail(err, HK_ENOMEM, "out of memory");
  s->block = v;
  s->n = q->n;
  for (size_t i = 0; i < n; i++) {
    const hk_gear_point *p = &q->point[i];
    const double value[OVER_PITCH] = {p->way,  p->overlap,  p->stiffness,    p->damping,
                                      p->film, p->pressure, (double)p->pairs};
    for (int k = 0; k < OVER_PITCH; k++) v[(size_t)k * n + i] = value[k];
  }
  s->way = v, s->error_at = v + n, s->stiffness_at = v + 2 * n, s->damping_at = v + 3 * n;
  s->film_at = v + 4 * n, s->pressure_at = v + 5 * n, s->pairs_at = v + 6 * n;
  v += OVER_PITCH * n;
  for (int i = 0; i < q->n_passes; i++) {
    const hk_gear_pass *p = &q->pass[i];
    if (!(p->share > 0)) continue;
    const double value[OVER_PATH] = {p->way,     p->share,   p->film,  p->pressure,
                                     p->sliding, p->rolling, p->radius};
    for (int k = 0; k < OVER_PATH; k++) v[(size_t)k * room + (size_t)s->n_path] = value[k];
    s->sliding_max = fmax(s->sliding_max, fabs(p->sliding));
    s->n_path++;
  }
  s->path_way = v, s->path_share = v + room, s->path_film = v + 2 * room;
  s->path_pressure = v + 3 * room, s->path_sliding = v + 4 * room;
  s->path_rolling = v + 5 * room, s->path_radius = v + 6 * room;
  return HK_OK;
}

static void take_gear(const hk_gear_pair *pair, const hk_gear_quasistatic *q, hk_gear_solution *s) {
  const hk_involute *g = &pair->geometry;
  s->load = q->load;
  s->center_distance = g->center_distance;
  s->base_pitch = g->base_pitch;
  s->backlash = g->backlash;
  s->working_pressure_angle = g->working_pressure_angle;
  s->contact_ratio = g->total_ratio;
  s->transverse_ratio = g->transverse_ratio;
  s->overlap_ratio = g->overlap_ratio;
  s->transmission_error = range_of(&q->overlap);
  s->stiffness = range_of(&q->stiffness);
  s->damping = range_of(&q->damping);
  s->film = range_of(&q->film);
  s->pressure = range_of(&q->pressure);
  s->pairs = range_of(&q->pairs);
  s->friction_loss = q->friction_loss;
  s->roughness = pair->ops->roughness ? pair->ops->roughness(pair->law) : 0;
  for (int i = 0; i < HK_GEAR_SOLUTION_ORDERS && i < HK_GEAR_ORDERS; i++) s->order[i] = q->order[i];
}

/* Returns the name of the input without a value; NULL: none.  A speed of 0 is a value, a torque of 0 is not. */
static const char *missing_input(const hk_gear_solution *s) {
  if (!(fabs(s->torque) > 0)) return "torque";
  return isnan(s->speed) ? "speed" : NULL;
}

hk_status hk_gear_solve(const hk_model *model, const char *name, const hk_gear_options *options,
                        hk_gear_solution *out, hk_error *err) {
  hk_gear_options o;
  const hk_force *f;
  hk_gear_quasistatic q;
  hk_arena arena;
  HK_TAKE_OPTIONS(o, options);
  if (!out) return hk_fail(err, HK_EINPUT, "the pointer to the solution is NULL");
  *out = (hk_gear_solution){.name = ""};
  hk_status status = find(model, &hk_type_force_gear_pair, name, &f, err);
  if (status) return status;
  const hk_gear_pair *pair = f->constants;
  out->name = f->name;
  out->torque = o.torque != 0 ? o.torque : pair->torque;
  out->speed = o.speed != 0 ? o.speed : pair->speed;
  if (o.points && (o.points < 16 || o.points > 20000))
    return hk_fail(err, HK_EINPUT,
                   "the number of points per pitch must be from 16 to 20000, not %d", o.points);
  const char *missing = missing_input(out);
  if (missing) {
    hk_fail(err, HK_EINPUT, "gear pair '%s' has no %s; set its %s", f->name, missing, missing);
    hk_error_about(err, f->name, NAN, -1);
    return HK_EINPUT;
  }
  hk_arena_init(&arena);
  status = hk_gear_quasistatic_run(pair, out->torque, out->speed, o.points ? o.points : 200, &arena,
                                   &q, err);
  if (!status) take_gear(pair, &q, out);
  if (!status) status = take_columns(&q, out, err);
  hk_arena_free(&arena);
  if (status) hk_error_about(err, f->name, NAN, -1);
  return status;
}

void hk_gear_solution_free(hk_gear_solution *s) {
  if (!s) return;
  free(s->block);
  *s = (hk_gear_solution){.name = ""};
}

/* ---- rolling bearings ---- */

void hk_bearing_options_init(hk_bearing_options *o) {
  if (!o) return;
  *o = (hk_bearing_options){.size = sizeof *o,
                            .force = {NAN, NAN, NAN},
                            .moment = {NAN, NAN},
                            .tilt = {NAN, NAN},
                            .speed = NAN,
                            .cage = NAN,
                            .cage_speed = NAN};
}

static void set_given(double *to, double given) {
  if (!isnan(given)) *to = given;
}

static void set_load(hk_bearing_task *t, const hk_bearing_options *o) {
  for (int i = 0; i < 3; i++) set_given(&t->load[i], o->force[i]);
  for (int i = 0; i < 2; i++) set_given(&t->load[3 + i], o->moment[i]);
  for (int i = 0; i < 2; i++) set_given(&t->start[3 + i], o->tilt[i]);
  set_given(&t->speed.inner, o->speed);
  set_given(&t->cage, o->cage);
  set_given(&t->speed.cage, o->cage_speed);
  if (o->free_tilt) t->free[3] = t->free[4] = true;
}

static hk_status take_bearing(const hk_bearing_state *b, hk_bearing_solution *s, hk_error *err) {
  const hk_bearing *p = &b->made->bearing;
  const hk_bearing_frequencies f = hk_bearing_frequencies_at(p, hk_bearing_state_angle(b));
  memcpy(s->load, b->task.load, sizeof s->load);
  memcpy(s->displacement, b->balance.q, sizeof s->displacement);
  memcpy(s->stiffness, b->balance.K, sizeof s->stiffness);
  s->speed = b->task.speed.inner;
  s->clearance = p->clearance;
  s->preload_displacement = p->preload_displacement;
  s->cage = f.cage, s->outer = f.outer, s->inner = f.inner, s->element = f.element;
  s->film_min = hk_bearing_state_film(b);
  s->roughness = b->made->oil.roughness;
  if (b->made->rating > 0) {
    s->L10r = b->life.L10r, s->L10mr = b->life.L10mr, s->a_iso = b->life.a_iso;
    s->L10r_aligned = b->aligned.L10r, s->reference_load = b->life.equivalent;
  }
  s->n_elements = p->rows * p->n;
  s->elements = calloc((size_t)s->n_elements + 1, sizeof *s->elements);
  if (!s->elements) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < s->n_elements; i++) {
    const hk_bearing_element *e = &b->element[i];
    const hk_bearing_contact *c = &b->contact[i];
    s->elements[i] =
        (hk_bearing_element_load){.row = i / p->n,
                                  .load = {e->Q_i, e->Q_o},
                                  .angle = {e->angle_i, e->angle_o},
                                  .pressure = {c->pressure[0], c->pressure[1]},
                                  .film = {c->film[0], c->film[1]},
                                  .truncated = c->truncated[0] > 0 || c->truncated[1] > 0};
  }
  return HK_OK;
}

hk_status hk_bearing_solve(const hk_model *model, const char *name,
                           const hk_bearing_options *options, hk_bearing_solution *out,
                           hk_error *err) {
  hk_bearing_options o;
  const hk_force *f;
  if (!out) return hk_fail(err, HK_EINPUT, "the pointer to the solution is NULL");
  *out = (hk_bearing_solution){.name = ""};
  hk_status status = find(model, &hk_type_force_rolling_bearing, name, &f, err);
  if (status) return status;
  hk_bearing_options_init(&o);
  if (options) {
    size_t size = options->size && options->size < sizeof o ? options->size : sizeof o;
    memcpy(&o, options, size);
  }
  hk_bearing_state *b = calloc(1, sizeof *b);
  if (!b) return hk_fail(err, HK_ENOMEM, "out of memory");
  out->name = f->name;
  hk_bearing_state_init(b, f->item->data, f->constants);
  set_load(&b->task, &o);
  if (hk_bearing_state_is_free(b))
    status = hk_fail(err, HK_EINPUT, "bearing '%s' has no load; give a force", f->name);
  if (!status) status = hk_bearing_state_solve(b, err);
  if (!status) status = take_bearing(b, out, err);
  if (status) hk_error_about(err, f->name, NAN, -1);
  free(b);
  return status;
}

void hk_bearing_solution_free(hk_bearing_solution *s) {
  if (!s) return;
  free(s->elements);
  *s = (hk_bearing_solution){.name = ""};
}

/* ---- any element ---- */

static hk_status try_gear(const hk_model *m, const hk_force *f, double load, hk_error *err) {
  enum { FEW_POINTS = 16 };
  const hk_gear_pair *pair = f->constants;
  const bool given = isfinite(pair->torque) && pair->torque != 0;
  hk_gear_solution s;
  hk_status status = hk_gear_solve(
      m, f->name, &(hk_gear_options){.torque = given ? 0 : load, .points = FEW_POINTS}, &s, err);
  hk_gear_solution_free(&s);
  return status;
}

static hk_status try_bearing(const hk_model *m, const hk_force *f, double load, hk_error *err) {
  hk_bearing_options o;
  hk_bearing_solution s;
  hk_bearing_options_init(&o);
  hk_status status = hk_bearing_solve(m, f->name, &o, &s, err);
  if (status == HK_EINPUT) { /* no load is given */
    o.force[0] = o.force[2] = load;
    hk_bearing_solution_free(&s);
    status = hk_bearing_solve(m, f->name, &o, &s, err);
  }
  hk_bearing_solution_free(&s);
  return status;
}

hk_status hk_machine_analyse(const hk_model *m, const hk_force *force, double load, hk_error *err) {
  static const struct {
    const hk_type *type;
    hk_status (*analyse)(const hk_model *m, const hk_force *f, double load, hk_error *err);
  } element[] = {{&hk_type_force_gear_pair, try_gear},
                 {&hk_type_force_rolling_bearing, try_bearing}};
  for (size_t i = 0; i < sizeof element / sizeof *element; i++)
    if (force->item->type == element[i].type) return element[i].analyse(m, force, load, err);
  return HK_OK;
}
