/* Parts of composite joints: see parts.h. */
#include "base/number.h"
#include "composite/parts.h"
#include "node/node.h"
#include "spec/item.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static hk_vec3 turned(hk_quat q, hk_vec3 v) {
  hk_mat3 R = hk_quat_matrix(q);
  return hk_mul(&R, v);
}

/* Orientation and angular velocity of the frame of a body at the start time t.  Invalid bodies are ignored here; compilation
 * reports them. */
static hk_status turning(const hk_item *body, double t, hk_quat *q, hk_vec3 *w, hk_error *err) {
  const hk_body_common *c = body->data;
  const hk_body_ops *ops = body->type->ops;
  hk_mass_properties m = {0};
  hk_node n = {0};
  int nv = hk_node_count(body);
  double at[nv + 1], v[nv];
  const char *param;
  hk_arena arena;
  *q = c->orientation;
  *w = c->angular_velocity;
  hk_arena_init(&arena);
  hk_status status = ops->mass(body, &m, err);
  if (!status) status = hk_node_make(body, &m, &arena, &n, at, v, &param, err);
  if (!status && n.type->frame) {
    const hk_mat3 I = hk_mat3_identity();
    hk_marker own = {.node = 0};
    hk_frame F;
    hk_node_mount(&n, hk_v3(0, 0, 0), &I, &own.s, &own.R);
    hk_node_start_frame(&n, &own, t, at, v, &F);
    *q = hk_quat_from_matrix(&F.R);
    *w = F.w;
  }
  hk_arena_free(&arena);
  return status == HK_ENOMEM ? status : HK_OK;
}

/* Position and orientation of the frame in its body. */
static hk_status locate(const hk_spec *spec, const char *frame, hk_stand *out, hk_error *err) {
  const hk_marker_spec *marker = hk_spec_find_marker(spec, frame);
  if (marker) {
    out->body = marker->body ? hk_spec_find(spec, HK_BODY, marker->body->name) : NULL;
    out->at = marker->at;
    out->turn = marker->orientation;
    return HK_OK;
  }
  if (strcmp(frame, "ground") == 0) return HK_OK;
  out->body = hk_spec_find(spec, HK_BODY, frame);
  if (out->body) return HK_OK;
  const char *dot = strrchr(frame, '.'); /* markers defined by the body's type */
  char name[256];
  snprintf(name, sizeof name, "%.*s", dot ? (int)(dot - frame) : 0, frame);
  out->body = hk_spec_find(spec, HK_BODY, name);
  hk_builtin_marker builtin;
  if (out->body && hk_body_marker_find(out->body, dot + 1, &builtin)) {
    out->at = builtin.at;
    return HK_OK;
  }
  return hk_fail(err, HK_EINPUT, "there is no body or marker '%s'", frame);
}

hk_status hk_stand_find(const hk_spec *spec, const char *frame, hk_stand *out, hk_error *err) {
  *out = (hk_stand){.q = {1, 0, 0, 0}, .turn = {1, 0, 0, 0}};
  if (!frame) return hk_fail(err, HK_EINPUT, "the joint needs both frames, a and b");
  hk_status status = locate(spec, frame, out, err);
  if (status) return status;
  hk_vec3 origin = {0, 0, 0}, velocity = {0, 0, 0};
  hk_quat body = {1, 0, 0, 0};
  if (out->body) {
    const hk_body_common *c = out->body->data;
    origin = c->position;
    velocity = c->velocity;
    status = turning(out->body, hk_spec_start_time(spec), &body, &out->w, err);
    if (status) return status;
  }
  hk_vec3 arm = turned(body, out->at);
  out->x = hk_add(origin, arm);
  out->v = hk_add(velocity, hk_cross(out->w, arm));
  out->q = hk_quat_mul(body, out->turn);
  return HK_OK;
}

static void write_name(const hk_parts *p, const char *name, int index, char *out, size_t size) {
  if (index < 0)
    snprintf(out, size, "%s.%s", p->owner, name);
  else
    snprintf(out, size, "%s.%s[%d]", p->owner, name, index);
}

void hk_part_add(hk_parts *p, hk_category category, const char *type, const char *name, int index) {
  char full[256];
  if (p->status) return;
  write_name(p, name, index, full, sizeof full);
  p->item = hk_spec_add(p->spec, category, type, full, p->err);
  if (!p->item) p->status = p->err->code ? p->err->code : HK_EINPUT;
}

void hk_part_real(hk_parts *p, const char *param, double value) {
  if (!p->status) p->status = hk_item_real(p->item, param, value, p->err);
}
void hk_part_int(hk_parts *p, const char *param, int value) {
  if (!p->status) p->status = hk_item_int(p->item, param, value, p->err);
}
void hk_part_bool(hk_parts *p, const char *param, bool value) {
  if (!p->status) p->status = hk_item_bool(p->item, param, value, p->err);
}
void hk_part_reals(hk_parts *p, const char *param, const double *value, int n) {
  if (!p->status) p->status = hk_item_reals(p->item, param, value, n, p->err);
}
void hk_part_vec3(hk_parts *p, const char *param, hk_vec3 value) {
  if (!p->status) p->status = hk_item_vec3(p->item, param, value, p->err);
}
void hk_part_rotation(hk_parts *p, const char *param, hk_quat value) {
  if (!p->status) p->status = hk_item_rotation(p->item, param, value, p->err);
}
void hk_part_text(hk_parts *p, const char *param, const char *value) {
  if (!p->status) p->status = hk_item_text(p->item, param, value, p->err);
}
void hk_part_frame(hk_parts *p, const char *param, const char *name, int index) {
  char full[256];
  write_name(p, name, index, full, sizeof full);
  hk_part_text(p, param, full);
}

void hk_part_expression(hk_parts *p, const char *param, const char *fmt, ...) {
  char text[4096];
  if (p->status) return;
  va_list args;
  va_start(args, fmt);
  int n = hk_number_vprint(text, sizeof text, fmt, args);
  va_end(args);
  if (n < 0 || n >= (int)sizeof text)
    p->status = hk_fail(p->err, HK_EINPUT, "the name '%s' is too long", p->owner);
  else
    p->status = hk_item_expression(p->item, param, 0, text, p->err);
}

/* ---- sensors over all parts ---- */

enum { GROUP = 16 };

static const char *separator(const hk_part_terms *o) { return *o->function ? "," : "+"; }

static size_t write_term(const hk_parts *p, const char *term, int k, char *out, size_t size) {
  size_t used = 0;
  for (const char *c = term; *c && used < size; c++)
    if (*c == '@')
      used += (size_t)snprintf(out + used, size - used, "%s", p->owner);
    else if (*c == '#')
      used += (size_t)snprintf(out + used, size - used, "%d", k);
    else
      used += (size_t)snprintf(out + used, size - used, "%c", *c);
  return used;
}

static void add_group(hk_parts *p, const hk_part_terms *o, const char *name, int index, int first,
                      int end) {
  char text[4096] = "";
  size_t used = 0;
  for (int k = first; k < end && used + 1 < sizeof text; k++) {
    if (k > first) text[used++] = *separator(o);
    used += write_term(p, o->term, k, text + used, sizeof text - used);
  }
  hk_part_add(p, HK_SENSOR, "expression", name, index);
  hk_part_expression(p, "value", "%s(%s)", o->function, text);
}

void hk_part_over(hk_parts *p, const hk_part_terms *o, int n) {
  char text[4096] = "", group[64];
  size_t used = 0;
  if (n <= GROUP) {
    add_group(p, o, o->name, o->index, 0, n);
    return;
  }
  snprintf(group, sizeof group, o->index < 0 ? "%s_group" : "%s_group_%d", o->name, o->index);
  for (int g = 0; g * GROUP < n && used < sizeof text; g++) {
    const int end = (g + 1) * GROUP;
    add_group(p, o, group, g, g * GROUP, end < n ? end : n);
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%s.%s[%d]", g ? separator(o) : "",
                             p->owner, group, g);
  }
  hk_part_add(p, HK_SENSOR, "expression", o->name, o->index);
  hk_part_expression(p, "value", "%s(%s)", o->function, text);
}

void hk_part_marker_name(const hk_parts *p, const char *name, char *out, size_t size) {
  snprintf(out, size, "%s_%s", p->owner, name);
  for (char *c = out; *c; c++)
    if (*c == '.' || *c == '[' || *c == ']') *c = '_';
}

void hk_part_marker(hk_parts *p, const hk_stand *frame, const char *name, int index, hk_vec3 at,
                    const hk_mat3 *axes) {
  char full[256];
  if (p->status) return;
  if (index < 0)
    snprintf(full, sizeof full, "%s", name);
  else
    snprintf(full, sizeof full, "%s[%d]", name, index);
  hk_vec3 place = hk_add(frame->at, turned(frame->turn, at));
  hk_quat turn = axes ? hk_quat_mul(frame->turn, hk_quat_from_matrix(axes)) : frame->turn;
  p->status = hk_spec_marker(p->spec, frame->body, full, place, turn, p->err);
}

void hk_part_begin(hk_parts *p, const hk_item *joint, const char *a, hk_vec3 at,
                   const hk_mat3 *axes, const char *name, int index, hk_part_place where) {
  char full[256];
  if (p->status) return;
  write_name(p, name, index, full, sizeof full);
  const hk_start_hold hold = {joint, a, full, at, *axes, where == HK_PART_IN_PLANE};
  if (!hk_spec_hold(p->spec, &hold)) p->status = hk_fail(p->err, HK_ENOMEM, "out of memory");
}

void hk_part_guess(hk_parts *p, const char *param, hk_vec3 value) {
  hk_part_vec3(p, param, value);
  if (!p->status) hk_item_forget(p->item, param);
}

/* ---- values from the geometry ---- */

/* Adds a message at the joint whose parts are being added; expansion outside of a compilation has
 * no diagnostics. */
static void say(const hk_parts *p, hk_severity severity, const char *text) {
  const hk_item *joint = p->spec ? p->spec->expanding : NULL;
  if (joint && p->spec->diag)
    hk_diag_add(p->spec->diag, severity, hk_item_location(joint, NULL), "joint '%s': %s", p->owner,
                text);
}

void hk_part_say(const hk_parts *p, hk_severity severity, const char *fmt, ...) {
  char text[512];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  say(p, severity, text);
}

void hk_part_filled(hk_parts *p, const hk_filled *value, int n, const char *from) {
  char text[512] = "";
  size_t used = 0;
  for (int i = 0; i < n; i++)
    if (!value[i].given && used < sizeof text)
      used +=
          (size_t)snprintf(text + used, sizeof text - used, "%s%s %.4g%s%s", used ? ", " : "",
                           value[i].name, value[i].value, *value[i].unit ? " " : "", value[i].unit);
  if (used == 0) return;
  if (used < sizeof text)
    snprintf(text + used, sizeof text - used, ": computed from the geometry (%s)", from);
  say(p, HK_NOTE, text);
}

void hk_part_expect(hk_parts *p, const char *name, double value, double low, double high,
                    const char *unit) {
  char text[256];
  if (value >= low && value <= high) return;
  snprintf(text, sizeof text,
           "%s %.4g %s is outside of the range %.3g to %.3g %s that the geometry suggests", name,
           value, unit, low, high, unit);
  say(p, HK_WARNING, text);
}
