/* A scene under construction: shared by build.c and skeleton.c. */
#ifndef HK_SCENE_BUILDER_H
#define HK_SCENE_BUILDER_H
#include "scene/scene.h"

typedef struct hk_scene_name {
  const char *name;
  int marker;
} hk_scene_name;

typedef struct hk_scene_builder {
  const hk_model *m;
  hk_scene *s;
  int *own;             /* [n_nodes] marker of each body's frame */
  bool *part;           /* [n_nodes] whether the body has a part */
  bool *shaped;         /* [n_nodes] whether the model file gives its colour */
  hk_scene_name *names; /* names of markers, sorted */
  int n_names;
  bool failed;
} hk_scene_builder;

/* Returns the position of a marker relative to the frame of its body. */
hk_scene_place hk_scene_place_of(const hk_scene_builder *b, int marker);
/* Adds the solids drawn by an item to the scene; ends: the markers of HK_DRAW_A and HK_DRAW_B. */
void hk_scene_take(hk_scene_builder *b, const hk_item *item, hk_drawing *d, const int ends[2]);

/* Draws a body that has no solids: rods from its centre of mass to its markers, or a box with its inertia. */
void hk_scene_skeleton(hk_scene_builder *b, int node);
/* Adds rods between the separate parts of one body: its solids, and the points at which elements are attached. */
void hk_scene_bridge(hk_scene_builder *b, int node);
#endif
