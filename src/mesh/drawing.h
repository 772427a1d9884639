/* Appearance of an element: the solids that its type draws.
 *
 * A visible type has a function `draw` (hooke/type.h). It adds meshes to a drawing, each on a
 * frame: HK_DRAW_A and HK_DRAW_B are the frames `a` and `b` of the element itself; any other name is the name of a
 * body or a marker. A solid is either a part, a real piece of a body, or a symbol that shows the position of an
 * element. A body without any part gets a default part.
 *
 * Plugins use the part declared in hooke/draw.h; types of the library can add any mesh. */
#ifndef HK_MESH_DRAWING_H
#define HK_MESH_DRAWING_H
#include "base/arena.h"
#include "mesh/mesh.h"
#include <hooke/draw.h>

typedef struct hk_draw_solid {
  const char *frame;
  hk_vec3 at;
  hk_quat turn;
  hk_mesh mesh;
  hk_draw_style style;
} hk_draw_solid;

/* A solid between the origins of two frames, such as a coil or a rod. */
typedef struct hk_draw_link {
  const char *a, *b;
  hk_mesh mesh; /* mesh of unit length, from z = 0 to z = 1 */
  hk_draw_style style;
} hk_draw_link;

/* Possible motion of `b` in `a` before contact: small clearances that may be exaggerated. */
typedef enum hk_play { HK_PLAY_NONE, HK_PLAY_POINT, HK_PLAY_PIN, HK_PLAY_TURN } hk_play;

struct hk_drawing {
  double size; /* suitable radius of a symbol in this model [m] */
  hk_draw_solid *solid;
  int n_solids, solid_capacity;
  hk_draw_link *link;
  int n_links, link_capacity;
  hk_play play;     /* kind of clearance of the current element */
  double clearance; /* clearance of the current element [m] */
  hk_arena arena;   /* names of frames */
  bool failed;      /* out of memory */
};

void hk_drawing_init(hk_drawing *d, double size);
void hk_drawing_free(hk_drawing *d);
/* Adds a mesh on the frame itself, or shifted and rotated in it. The drawing takes ownership of
 * the mesh. */
void hk_draw(hk_drawing *d, const char *frame, hk_mesh *mesh, hk_draw_style style);
void hk_draw_at(hk_drawing *d, const char *frame, hk_vec3 at, hk_quat turn, hk_mesh *mesh,
                hk_draw_style style);

/* Rotation from z to x or y. */
hk_quat hk_draw_along_x(void);
hk_quat hk_draw_along_y(void);
/* A cylinder along z of the frame, the most common solid. */
void hk_draw_cylinder(hk_drawing *d, const char *frame, double radius, double inner, double length,
                      hk_draw_style style);
/* Draws the sleeve of an elastic bearing around z of the first frame. */
void hk_draw_sleeve(hk_drawing *d);

/* Parses "#rrggbb" or one of the names of hk_colour_names; false: neither. */
bool hk_colour_parse(const char *text, unsigned *rgb);
extern const char *const hk_colour_names[]; /* ends with NULL */
#endif
