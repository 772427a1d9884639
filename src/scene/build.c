/* Builds the scene of a compiled model.
 *
 * Every item whose type can draw adds its solids, except for bodies with their own shapes.  Bodies without any solid are
 * drawn by skeleton.c.  Equal meshes are stored once, so that the balls of a joint are copies of one mesh. */
#include "shape/shape.h"
#include "scene/builder.h"
#include <float.h>
#include <stdlib.h>
#include <string.h>

static const unsigned PALETTE[] = {0x5b8db8, 0xd9a05b, 0x6fae8f, 0xb57ba6,
                                   0xc97b63, 0x8f9bb3, 0xa8b05c, 0x7fb7be};
enum { N_PALETTE = sizeof PALETTE / sizeof *PALETTE };

/* ---- positions ---- */

static hk_stance marker_pose(const hk_marker *k) {
  return (hk_stance){k->s, hk_quat_from_matrix(&k->R)};
}

static hk_stance inverse(hk_stance a) {
  hk_quat q = hk_quat_conj(a.q);
  hk_mat3 R = hk_quat_matrix(q);
  return (hk_stance){hk_neg(hk_mul(&R, a.x)), q};
}

/* Returns the position of a marker relative to the frame of its body; both are fixed to the same
 * node. */
hk_scene_place hk_scene_place_of(const hk_scene_builder *b, int marker) {
  const hk_marker *k = &b->m->marker[marker];
  if (k->node == HK_GROUND || b->own[k->node] < 0) return (hk_scene_place){-1, marker_pose(k)};
  hk_stance own = marker_pose(&b->m->marker[b->own[k->node]]);
  return (hk_scene_place){k->node, hk_stance_compose(inverse(own), marker_pose(k))};
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const hk_scene_name *)a)->name, ((const hk_scene_name *)b)->name);
}

static bool sort_markers(hk_scene_builder *b) {
  b->names = malloc(sizeof *b->names * ((size_t)b->m->n_markers + 1));
  for (int i = 0; b->names && i < b->m->n_markers; i++)
    if (b->m->marker[i].name) b->names[b->n_names++] = (hk_scene_name){b->m->marker[i].name, i};
  if (b->names) qsort(b->names, (size_t)b->n_names, sizeof *b->names, by_name);
  return b->names != NULL;
}

static int find_marker(const hk_scene_builder *b, const char *name) {
  const hk_scene_name key = {name, 0};
  const hk_scene_name *found = bsearch(&key, b->names, (size_t)b->n_names, sizeof key, by_name);
  return found ? found->marker : -1;
}

static const char *keep(hk_scene_builder *b, const char *text) {
  const char *copy = hk_arena_strdup(&b->s->arena, text ? text : "");
  if (!copy) b->failed = true;
  return copy ? copy : "";
}

/* ---- bodies ---- */

/* Bodies are the first nodes of a model; scalar states follow them. */
static int n_bodies(const hk_model *m) {
  int n = 0;
  while (n < m->n_nodes && m->node[n].item->type->category == HK_BODY) n++;
  return n;
}

static const hk_item *composite_of(const hk_scene_builder *b, const char *name);

/* Adds a body; parts of composite joints have the colour of steel, every other body has its own
 * colour. */
static void add_body(hk_scene_builder *b, int node) {
  const hk_item *item = b->m->node[node].item;
  const hk_body_common *c = item->data;
  const hk_body_ops *ops = item->type->ops;
  hk_scene_body *out = HK_SCENE_ADD(b->s, body, n_bodies, body_capacity);
  if (!out) {
    b->failed = true;
    return;
  }
  *out =
      (hk_scene_body){.name = keep(b, item->name),
                      .type = keep(b, item->type->name),
                      .start = {c->position, c->orientation},
                      .axis = {0, 0, 1},
                      .colour = composite_of(b, item->name) ? 0xb4bcc6 : PALETTE[node % N_PALETTE]};
  for (int i = 0; i < 7; i++) out->channel[i] = -1;
  if (ops->node->records == HK_RECORDS_PLACE) out->kind = HK_POSE_POINT;
  if (!ops->node->axis) return;
  hk_mass_properties p = {0};
  out->kind = HK_POSE_TURN;
  if (ops->mass(item, &p, NULL) == HK_OK && hk_norm(p.axis) > 0) out->axis = hk_unit3(p.axis);
}

/* ---- drawings of elements ---- */

static unsigned paint(const hk_scene_builder *b, const hk_draw_style *style, int body) {
  switch (style->paint) {
    case HK_PAINT_STEEL:
      return 0x9aa5b1;
    case HK_PAINT_BRASS:
      return 0xc9a227;
    case HK_PAINT_DARK:
      return 0x4a5160;
    case HK_PAINT_SPRING:
      return 0x7d6b57;
    case HK_PAINT_OWN:
      return style->colour;
    default:
      return body < 0 ? 0xa9adb3 : b->s->body[body].colour;
  }
}

static int add_mesh(hk_scene_builder *b, hk_mesh *mesh) {
  hk_scene *s = b->s;
  for (int i = s->n_meshes - 1; i >= 0 && i > s->n_meshes - 64; i--)
    if (hk_mesh_equal(&s->mesh[i], mesh)) return i;
  hk_mesh *own = HK_SCENE_ADD(s, mesh, n_meshes, mesh_capacity);
  if (!own) {
    b->failed = true;
    return 0;
  }
  *own = *mesh;
  *mesh = (hk_mesh){0};
  return s->n_meshes - 1;
}

/* Finds the marker that a drawing refers to; ends[2] are the frames of the element itself. */
static int marker_named(const hk_scene_builder *b, const char *frame, const int ends[2]) {
  if (frame == HK_DRAW_A) return ends[0];
  if (frame == HK_DRAW_B) return ends[1];
  return find_marker(b, frame);
}

void hk_scene_take(hk_scene_builder *b, const hk_item *item, hk_drawing *d, const int ends[2]) {
  hk_scene *s = b->s;
  for (int i = 0; i < d->n_solids && !b->failed; i++) {
    hk_draw_solid *o = &d->solid[i];
    int marker = marker_named(b, o->frame, ends);
    if (marker < 0 || !o->mesh.n_triangles) continue;
    hk_scene_place at = hk_scene_place_of(b, marker);
    hk_scene_solid *out = HK_SCENE_ADD(s, solid, n_solids, solid_capacity);
    if (!out) {
      b->failed = true;
      return;
    }
    at.pose = hk_stance_compose(at.pose, (hk_stance){o->at, o->turn});
    *out = (hk_scene_solid){.mesh = add_mesh(b, &o->mesh),
                            .at = at,
                            .colour = paint(b, &o->style, at.body),
                            .opacity = o->style.paint == HK_PAINT_GLASS ? 0.32 : 1,
                            .part = o->style.part,
                            .owner = keep(b, item->name),
                            .bore = o->style.bore,
                            .clearance = o->style.clearance};
    if (o->style.part && at.body >= 0) b->part[at.body] = true;
  }
  for (int i = 0; i < d->n_links && !b->failed; i++) {
    hk_draw_link *o = &d->link[i];
    int from = marker_named(b, o->a, ends), to = marker_named(b, o->b, ends);
    if (from < 0 || to < 0) continue;
    hk_scene_link *out = HK_SCENE_ADD(s, link, n_links, link_capacity);
    if (!out) {
      b->failed = true;
      return;
    }
    *out = (hk_scene_link){.mesh = add_mesh(b, &o->mesh),
                           .a = hk_scene_place_of(b, from),
                           .b = hk_scene_place_of(b, to),
                           .colour = paint(b, &o->style, -1),
                           .owner = keep(b, item->name)};
  }
  if (d->failed) b->failed = true;
}

/* Calls the draw function of an item; *play and *clearance return the clearance of a contact. */
static void draw_item(hk_scene_builder *b, const hk_item *item, const int ends[2], hk_play *play,
                      double *clearance) {
  if (!item->type->draw || b->failed) return;
  hk_drawing d;
  hk_drawing_init(&d, b->s->size);
  item->type->draw(item, &d);
  hk_scene_take(b, item, &d, ends);
  if (play) *play = d.play, *clearance = d.clearance;
  hk_drawing_free(&d);
}

static void draw_shapes(hk_scene_builder *b) {
  const hk_spec *spec = b->m->spec;
  for (int i = 0; i < spec->n[HK_SHAPE] && !b->failed; i++) {
    const hk_item *item = spec->item[HK_SHAPE][i];
    const hk_shape_common *c = item->data;
    hk_mesh mesh = {0};
    hk_error err;
    if (hk_shape_mesh(item, &mesh, &err) == HK_OK) { /* unreadable files were rejected earlier */
      hk_drawing d;
      hk_draw_style style = {.part = true};
      hk_drawing_init(&d, b->s->size);
      if (c->color && hk_colour_parse(c->color, &style.colour)) style.paint = HK_PAINT_OWN;
      hk_draw(&d, c->body, &mesh, style);
      hk_scene_take(b, item, &d, (const int[2]){-1, -1});
      hk_drawing_free(&d);
      int marker = find_marker(b, c->body);
      if (marker >= 0 && b->m->marker[marker].node >= 0)
        b->shaped[b->m->marker[marker].node] = true;
    }
    hk_mesh_free(&mesh);
  }
}

static void draw_bodies(hk_scene_builder *b) {
  for (int i = 0; i < n_bodies(b->m); i++)
    if (!b->part[i]) draw_item(b, b->m->node[i].item, (const int[2]){-1, -1}, NULL, NULL);
}

/* ---- joints, forces, contacts, markers ---- */

/* Returns the composite joint that added this part, or NULL. */
static const hk_item *composite_of(const hk_scene_builder *b, const char *name) {
  char owner[512];
  const char *dot = strrchr(name, '.');
  if (!dot || dot - name >= (ptrdiff_t)sizeof owner) return NULL;
  memcpy(owner, name, (size_t)(dot - name));
  owner[dot - name] = 0;
  const hk_item *joint = hk_spec_find(b->m->spec, HK_JOINT, owner);
  return joint && joint->expanded && ((const hk_joint_ops *)joint->type->ops)->expand ? joint
                                                                                      : NULL;
}

/* Parts of a composite joint are not drawn if the joint draws itself. */
static bool drawn_by_composite(const hk_scene_builder *b, const char *name) {
  const hk_item *joint = composite_of(b, name);
  return joint && joint->type->draw;
}

/* Returns true if this is a node of a shaft: the beams of the composite joint end there and show its position. */
static bool shown_by_links(const hk_scene_builder *b, int node) {
  const hk_item *joint = composite_of(b, b->m->node[node].item->name);
  if (!joint || joint->type->draw) return false;
  for (int i = 0; i < b->m->n_forces; i++) {
    const hk_force *f = &b->m->force[i];
    bool here = (f->a >= 0 && b->m->marker[f->a].node == node) ||
                (f->b >= 0 && b->m->marker[f->b].node == node);
    if (here && f->item->type->draw && composite_of(b, f->name) == joint) return true;
  }
  return false;
}

static void add_joint(hk_scene_builder *b, const hk_constraint *k) {
  const int ends[2] = {b->m->port[k->port], b->m->port[k->port + 1]};
  hk_scene_joint *out = HK_SCENE_ADD(b->s, joint, n_joints, joint_capacity);
  if (!out) {
    b->failed = true;
    return;
  }
  *out = (hk_scene_joint){keep(b, k->name), keep(b, k->item->type->name),
                          hk_scene_place_of(b, ends[0]), hk_scene_place_of(b, ends[1])};
  if (!composite_of(b, k->name)) draw_item(b, k->item, ends, NULL, NULL);
}

static void add_joints(hk_scene_builder *b) {
  const hk_spec *spec = b->m->spec;
  for (int i = 0; i < spec->n[HK_JOINT]; i++)
    if (((const hk_joint_ops *)spec->item[HK_JOINT][i]->type->ops)->expand)
      draw_item(b, spec->item[HK_JOINT][i], (const int[2]){-1, -1}, NULL, NULL);
  for (int i = 0; i < b->m->n_constraints && !b->failed; i++)
    if (b->m->constraint[i].n_held) add_joint(b, &b->m->constraint[i]);
}

static void add_forces(hk_scene_builder *b) {
  for (int i = 0; i < b->m->n_forces && !b->failed; i++) {
    const hk_force *f = &b->m->force[i];
    int ends[2] = {f->a, f->b};
    if (ends[0] < 0 && f->coordinate >= 0)
      ends[0] = b->m->coordinate[f->coordinate].a, ends[1] = b->m->coordinate[f->coordinate].b;
    if (!drawn_by_composite(b, f->name)) draw_item(b, f->item, ends, NULL, NULL);
  }
}

static void add_contact(hk_scene_builder *b, const hk_contact *k) {
  hk_scene *s = b->s;
  const int ends[2] = {k->a, k->b};
  hk_play play = HK_PLAY_NONE;
  double clearance = 0;
  /* The composite joint draws its parts, so the item is not drawn here; only its clearance is
   * recorded. */
  if (composite_of(b, k->name) && k->item->type->draw) {
    hk_drawing d;
    hk_drawing_init(&d, s->size);
    k->item->type->draw(k->item, &d);
    play = d.play, clearance = d.clearance;
    hk_drawing_free(&d);
  } else {
    draw_item(b, k->item, ends, &play, &clearance);
  }
  hk_scene_contact *out = HK_SCENE_ADD(s, contact, n_contacts, contact_capacity);
  if (!out) {
    b->failed = true;
    return;
  }
  *out = (hk_scene_contact){.name = keep(b, k->name),
                            .type = keep(b, k->item->type->name),
                            .a = hk_scene_place_of(b, k->a),
                            .b = hk_scene_place_of(b, k->b),
                            .play = play,
                            .clearance = clearance,
                            .point = s->n_points,
                            .n_points = k->n_points,
                            .gap = k->gap,
                            .item = k->item};
  memcpy(out->k, k->k, sizeof out->k);
  for (int p = 0; p < k->n_points && !b->failed; p++) {
    hk_scene_point *q = HK_SCENE_ADD(s, point, n_points, point_capacity);
    const char *point = k->gap->point_names ? k->gap->point_names[p] : NULL;
    const char *name =
        hk_arena_printf(&s->arena, "%s%s%s", k->name, point ? "." : "", point ? point : "");
    if (!q || !name) {
      b->failed = true;
      return;
    }
    *q = (hk_scene_point){.name = name, .contact = s->n_contacts - 1};
    for (int i = 0; i < HK_N_POINT_CHANNELS; i++) q->channel[i] = -1;
  }
}

static void add_markers(hk_scene_builder *b) {
  for (int i = 0; i < b->m->n_markers && !b->failed; i++) {
    if (!b->m->marker[i].name) continue;
    hk_scene_marker *out = HK_SCENE_ADD(b->s, marker, n_markers, marker_capacity);
    if (out)
      *out = (hk_scene_marker){keep(b, b->m->marker[i].name), hk_scene_place_of(b, i)};
    else
      b->failed = true;
  }
}

typedef struct box {
  hk_vec3 low, high;
} box;

static void box_add(box *b, hk_vec3 x) {
  b->low = hk_v3(fmin(b->low.x, x.x), fmin(b->low.y, x.y), fmin(b->low.z, x.z));
  b->high = hk_v3(fmax(b->high.x, x.x), fmax(b->high.y, x.y), fmax(b->high.z, x.z));
}

/* Size of symbols: one fiftieth of the distance across all markers, or of the model's length if all
 * markers coincide.  The origin of the ground is ignored if the model is far from it. */
static double symbol_size(const hk_scene_builder *b) {
  static const double far = 50;
  box all = {{DBL_MAX, DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX, -DBL_MAX}}, model = all;
  hk_stance *start = calloc((size_t)b->s->n_bodies + 1, sizeof *start);
  if (!start) return 0.01;
  for (int i = 0; i < b->s->n_bodies; i++) start[i] = b->s->body[i].start;
  for (int i = 0; i < b->m->n_markers; i++) {
    hk_scene_place p = hk_scene_place_of(b, i);
    hk_vec3 x = hk_scene_place_at(&p, start).x;
    box_add(&all, x);
    if (p.body >= 0 || hk_norm(x) > 0) box_add(&model, x);
  }
  free(start);
  double across = hk_norm(hk_sub(all.high, all.low)),
         alone = hk_norm(hk_sub(model.high, model.low));
  if (model.low.x <= model.high.x && alone > 1e-9 && across > far * alone) across = alone;
  if (!(across > 1e-9)) across = b->m->length;
  return across > 1e-9 ? 0.02 * across : 0.02;
}

/* The upward direction, opposite to the first gravity of the model. */
static hk_vec3 find_up(const hk_spec *spec) {
  for (int i = 0; i < spec->n[HK_FORCE]; i++) {
    const hk_item *item = spec->item[HK_FORCE][i];
    int k = strcmp(item->type->name, "gravity") == 0
                ? hk_type_param_find(item->type, "acceleration")
                : -1;
    const hk_param *p = k < 0 ? NULL : hk_type_param(item->type, k);
    hk_vec3 g = {0, 0, 0};
    if (p && p->kind == HK_PARAM_VEC3) memcpy(&g, (const char *)item->data + p->offset, sizeof g);
    if (hk_norm(g) > 0) return hk_unit3(hk_neg(g));
  }
  return hk_v3(0, 0, 1);
}

static void fill(hk_scene_builder *b) {
  for (int i = 0; i < n_bodies(b->m) && !b->failed; i++) add_body(b, i);
  if (b->failed) return;
  b->s->size = symbol_size(b);
  b->s->up = find_up(b->m->spec);
  draw_shapes(b);
  add_joints(b);
  for (int i = 0; i < b->m->n_contacts && !b->failed; i++) add_contact(b, &b->m->contact[i]);
  draw_bodies(b);
  for (int i = 0; i < n_bodies(b->m) && !b->failed; i++)
    if (!b->part[i] && !shown_by_links(b, i)) hk_scene_skeleton(b, i);
  add_forces(b);
  for (int i = 0; i < n_bodies(b->m) && !b->failed; i++)
    if (!b->shaped[i] && !shown_by_links(b, i)) hk_scene_bridge(b, i);
  add_markers(b);
}

hk_status hk_scene_build(const hk_model *model, hk_scene **out, hk_error *err) {
  hk_scene_builder b = {.m = model, .s = calloc(1, sizeof *b.s)};
  *out = NULL;
  b.own = calloc((size_t)model->n_nodes + 1, sizeof *b.own);
  b.part = calloc((size_t)model->n_nodes + 1, sizeof *b.part);
  b.shaped = calloc((size_t)model->n_nodes + 1, sizeof *b.shaped);
  b.failed = !b.s || !b.own || !b.part || !b.shaped || !sort_markers(&b);
  if (b.s) hk_arena_init(&b.s->arena);
  if (!b.failed) {
    b.s->title = keep(&b, model->title);
    for (int i = 0; i < model->n_nodes; i++)
      b.own[i] = i < n_bodies(model) ? find_marker(&b, model->node[i].name) : -1;
    fill(&b);
  }
  free(b.own);
  free(b.part);
  free(b.shaped);
  free(b.names);
  if (!b.failed) {
    *out = b.s;
    return HK_OK;
  }
  hk_scene_free(b.s);
  return hk_fail(err, HK_ENOMEM, "out of memory for the scene");
}
