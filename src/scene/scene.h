/* The scene of a model: bodies with their solids, links between bodies, joints, markers and
 * contacts, limited to the data that pictures need.
 *
 * A scene is made from a compiled model, stored in every results file as JSON and a block of bytes,
 * and can be read from these files.  A scene and one row of results give the pose of every body and
 * the contact points without the model.
 *
 * The frame of a body is that of the body's own marker: its origin and axes. */
#ifndef HK_SCENE_SCENE_H
#define HK_SCENE_SCENE_H
#include "results/pack.h"
#include "model/model.h"
#include "mesh/drawing.h"

enum { HK_SCENE_FORMAT = 1 };

/* How the pose of a body is computed from channels. */
typedef enum hk_pose_kind {
  HK_POSE_FREE,  /* x y z qw qx qy qz */
  HK_POSE_POINT, /* x y z */
  HK_POSE_TURN   /* angle about a fixed axis */
} hk_pose_kind;

typedef struct hk_stance {
  hk_vec3 x;
  hk_quat q;
} hk_stance;

typedef struct hk_scene_body {
  const char *name, *type;
  hk_pose_kind kind;
  hk_stance start; /* pose in the model file; rotating bodies: at angle zero */
  hk_vec3 axis;    /* rotating bodies: axis in the axes of the body */
  unsigned colour;
  int channel[7]; /* columns of a row; -1: not recorded (see hk_scene_bind) */
} hk_scene_body;

/* A point on a body, or on the ground with body = -1. */
typedef struct hk_scene_place {
  int body;
  hk_stance pose;
} hk_scene_place;

typedef struct hk_scene_solid {
  int mesh;
  hk_scene_place at;
  unsigned colour;
  double opacity;
  bool part;              /* a physical piece of the body, not a symbol */
  const char *owner;      /* element that this shape represents */
  double bore, clearance; /* see hk_draw_style */
} hk_scene_solid;

typedef struct hk_scene_link {
  int mesh;
  hk_scene_place a, b;
  unsigned colour;
  const char *owner;
} hk_scene_link;

typedef struct hk_scene_joint {
  const char *name, *type;
  hk_scene_place a, b;
} hk_scene_joint;

typedef struct hk_scene_marker {
  const char *name;
  hk_scene_place at;
} hk_scene_marker;

/* Channels of a contact point that a picture uses. */
enum {
  HK_POINT_N,
  HK_POINT_FX,
  HK_POINT_FY,
  HK_POINT_FZ,
  HK_POINT_P,
  HK_POINT_T,
  HK_POINT_S,
  HK_N_POINT_CHANNELS
};

typedef struct hk_scene_contact {
  const char *name, *type;
  hk_scene_place a, b;
  hk_play play;
  double clearance;
  /* index of the first contact point in the points of the scene, and number of points */
  int point, n_points;
  const hk_item *item; /* parameters of the contact; live as long as the model */
  const hk_gap_ops *gap;
  double k[HK_GAP_CONSTANTS];
} hk_scene_contact;

typedef struct hk_scene_point {
  const char *name; /* name such as "pin.near", or the name of the contact */
  int contact;
  int channel[HK_N_POINT_CHANNELS];
} hk_scene_point;

typedef struct hk_scene {
  hk_arena arena;
  const char *title;
  double size; /* radius of a symbol [m] */
  hk_vec3 up;  /* direction opposite to gravity; z without gravity */
  hk_scene_body *body;
  hk_mesh *mesh;
  hk_scene_solid *solid;
  hk_scene_link *link;
  hk_scene_joint *joint;
  hk_scene_marker *marker;
  hk_scene_contact *contact;
  hk_scene_point *point;
  int n_bodies, n_meshes, n_solids, n_links, n_joints, n_markers, n_contacts, n_points;
  int body_capacity, mesh_capacity, solid_capacity, link_capacity, joint_capacity, marker_capacity,
      contact_capacity, point_capacity;
  hk_spec *spec; /* parameters of contacts that were read from a file */
  char *json;    /* JSON as written; for a scene from a file: written again */
} hk_scene;

/* Builds the scene of a model.  Returns HK_OK or HK_ENOMEM.  Free the scene with hk_scene_free. */
hk_status hk_scene_build(const hk_model *model, hk_scene **out, hk_error *err);
void hk_scene_free(hk_scene *s);

/* Writes JSON into s->json and compressed meshes into *data. */
hk_status hk_scene_write(hk_scene *s, hk_bytes *data, hk_error *err);
/* Reads a scene from JSON and data; HK_EINPUT if they are damaged. */
hk_status hk_scene_read(const char *json, const void *data, size_t n, hk_scene **out,
                        hk_error *err);

/* Finds the columns of poses and contacts by name; `find` returns -1 for names that do not exist. */
void hk_scene_bind(hk_scene *s, int (*find)(const void *context, const char *name),
                   const void *context);
/* Returns true if the columns give the pose of this body. */
bool hk_scene_moves(const hk_scene_body *b);
/* Writes pose[n_bodies]; bodies without columns keep the pose of the model file. */
void hk_scene_poses(const hk_scene *s, const double *row, hk_stance *pose);
hk_stance hk_scene_place_at(const hk_scene_place *p, const hk_stance *pose);
hk_stance hk_stance_compose(hk_stance a, hk_stance b);

/* A contact point that carries load. */
typedef struct hk_scene_touch {
  int point;
  hk_vec3 c, n, t, force;          /* world axes; the force acts on `b` */
  double pressure, half_t, half_s; /* NaN if the law does not provide this value */
} hk_scene_touch;
/* Writes touch[n_points]; returns the number of points that carry load. */
int hk_scene_touches(const hk_scene *s, const double *row, const hk_stance *pose,
                     hk_scene_touch *touch);

/* Private: makes room for one more element; false: out of memory. */
bool hk_scene_room(void **at, int n, int *capacity, size_t size);
#define HK_SCENE_ADD(s, list, count, capacity)                                       \
  (hk_scene_room((void **)&(s)->list, (s)->count, &(s)->capacity, sizeof *(s)->list) \
       ? &(s)->list[(s)->count++]                                                    \
       : NULL)
#endif
