/* Memory, columns, poses and contact points of a scene: see scene.h. */
#include "scene/scene.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool hk_scene_room(void **at, int n, int *capacity, size_t size) {
  if (n == *capacity) {
    int more = *capacity ? 2 * *capacity : 32;
    void *grown = realloc(*at, (size_t)more * size);
    if (!grown) return false;
    *at = grown;
    *capacity = more;
  }
  memset((char *)*at + (size_t)n * size, 0, size);
  return true;
}

void hk_scene_free(hk_scene *s) {
  if (!s) return;
  for (int i = 0; i < s->n_meshes; i++) hk_mesh_free(&s->mesh[i]);
  free(s->body), free(s->mesh), free(s->solid), free(s->link), free(s->joint);
  free(s->marker), free(s->contact), free(s->point), free(s->json);
  hk_spec_destroy(s->spec);
  hk_arena_free(&s->arena);
  free(s);
}

void hk_scene_bind(hk_scene *s, int (*find)(const void *context, const char *name),
                   const void *context) {
  static const char *const pose[] = {"x", "y", "z", "qw", "qx", "qy", "qz"};
  static const char *const touch[] = {"normal_force", "fx",           "fy",          "fz",
                                      "pressure",     "half_width_t", "half_width_s"};
  char name[1024];
  for (int i = 0; i < s->n_bodies; i++) {
    hk_scene_body *b = &s->body[i];
    int n = b->kind == HK_POSE_FREE ? 7 : b->kind == HK_POSE_POINT ? 3 : 1;
    for (int k = 0; k < 7; k++) {
      snprintf(name, sizeof name, "%s.%s", b->name, b->kind == HK_POSE_TURN ? "angle" : pose[k]);
      b->channel[k] = k < n ? find(context, name) : -1;
    }
  }
  for (int i = 0; i < s->n_points; i++)
    for (int k = 0; k < HK_N_POINT_CHANNELS; k++) {
      snprintf(name, sizeof name, "%s.%s", s->point[i].name, touch[k]);
      s->point[i].channel[k] = find(context, name);
    }
}

bool hk_scene_moves(const hk_scene_body *b) {
  int n = b->kind == HK_POSE_FREE ? 7 : b->kind == HK_POSE_POINT ? 3 : 1;
  for (int k = 0; k < n; k++)
    if (b->channel[k] < 0) return false;
  return true;
}

static hk_vec3 turned(hk_quat q, hk_vec3 v) {
  hk_mat3 R = hk_quat_matrix(q);
  return hk_mul(&R, v);
}

hk_stance hk_stance_compose(hk_stance a, hk_stance b) {
  return (hk_stance){hk_add(a.x, turned(a.q, b.x)), hk_quat_mul(a.q, b.q)};
}

void hk_scene_poses(const hk_scene *s, const double *row, hk_stance *pose) {
  for (int i = 0; i < s->n_bodies; i++) {
    const hk_scene_body *b = &s->body[i];
    const int *c = b->channel;
    pose[i] = b->start;
    if (!hk_scene_moves(b)) continue;
    if (b->kind == HK_POSE_TURN) {
      pose[i].q = hk_quat_mul(b->start.q, hk_quat_axis_angle(b->axis, row[c[0]]));
      continue;
    }
    pose[i].x = hk_v3(row[c[0]], row[c[1]], row[c[2]]);
    if (b->kind == HK_POSE_FREE)
      pose[i].q = hk_quat_normalize((hk_quat){row[c[3]], row[c[4]], row[c[5]], row[c[6]]});
  }
}

hk_stance hk_scene_place_at(const hk_scene_place *p, const hk_stance *pose) {
  return p->body < 0 ? p->pose : hk_stance_compose(pose[p->body], p->pose);
}

/* ---- contacts ---- */

static hk_frame frame_at(const hk_scene_place *p, const hk_stance *pose) {
  hk_stance at = hk_scene_place_at(p, pose);
  return (hk_frame){.x = at.x, .R = hk_quat_matrix(at.q)};
}

static double value(const double *row, int channel) { return channel < 0 ? NAN : row[channel]; }

static bool loaded(const hk_scene_point *p, const double *row) {
  double N = value(row, p->channel[HK_POINT_N]);
  return isfinite(N) && N > 0;
}

/* Returns the force on `b`.  Inside composite joints a run records only the normal force, so friction
 * is not included. */
static hk_vec3 force_of(const hk_scene_point *p, const double *row, hk_vec3 normal) {
  const int *c = p->channel;
  if (c[HK_POINT_FX] < 0 || c[HK_POINT_FY] < 0 || c[HK_POINT_FZ] < 0)
    return hk_scale(row[c[HK_POINT_N]], normal);
  return hk_v3(row[c[HK_POINT_FX]], row[c[HK_POINT_FY]], row[c[HK_POINT_FZ]]);
}

int hk_scene_touches(const hk_scene *s, const double *row, const hk_stance *pose,
                     hk_scene_touch *touch) {
  int n = 0;
  for (int i = 0; i < s->n_contacts; i++) {
    const hk_scene_contact *k = &s->contact[i];
    hk_gap gap[HK_CONTACT_MAX_POINTS];
    bool any = false;
    for (int p = 0; p < k->n_points; p++) any = any || loaded(&s->point[k->point + p], row);
    if (!any || !k->gap || !k->gap->eval) continue;
    hk_frame A = frame_at(&k->a, pose), B = frame_at(&k->b, pose);
    k->gap->eval(k->k, &A, &B, -INFINITY, false, gap);
    for (int p = 0; p < k->n_points; p++) {
      const hk_scene_point *q = &s->point[k->point + p];
      const int *c = q->channel;
      if (!loaded(q, row)) continue;
      touch[n] = (hk_scene_touch){.point = k->point + p,
                                  .c = gap[p].c,
                                  .n = gap[p].n,
                                  .t = gap[p].t,
                                  .force = force_of(q, row, gap[p].n),
                                  .pressure = value(row, c[HK_POINT_P]),
                                  .half_t = value(row, c[HK_POINT_T]),
                                  .half_s = value(row, c[HK_POINT_S])};
      n++;
    }
  }
  return n;
}
