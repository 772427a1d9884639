/* What an element looks like: the solids that its type draws.
 *
 * A type that wants to be seen has a function `draw` (spec/type.h).  It adds meshes to a drawing,
 * each on a frame: HK_DRAW_A and HK_DRAW_B are the frames a and b of the element itself, any other
 * name is that of a body or a marker.  A solid is either a part, a true piece of a body, or a
 * symbol that shows where an element sits.  A body that has no part gets one by default.
 */
#ifndef HK_SHAPE_DRAWING_H
#define HK_SHAPE_DRAWING_H
#include "base/arena.h"
#include "shape/mesh.h"

extern const char HK_DRAW_A[], HK_DRAW_B[];

typedef enum hk_paint {                /* colours that mean the same in every picture */
                        HK_PAINT_BODY, /* that of the body */
                        HK_PAINT_STEEL,
                        HK_PAINT_BRASS,
                        HK_PAINT_DARK,
                        HK_PAINT_SPRING,
                        HK_PAINT_GLASS, /* translucent: what encloses other things */
                        HK_PAINT_OWN    /* the one given */
} hk_paint;

typedef struct hk_draw_style {
  hk_paint paint;
  unsigned colour; /* HK_PAINT_OWN: 0xrrggbb */
  bool part;
  /* A bore that is shown wider when clearance is exaggerated: its radius and the clearance [m]; 0:
   * none. */
  double bore, clearance;
} hk_draw_style;

typedef struct hk_draw_solid {
  const char *frame;
  hk_vec3 at;
  hk_quat turn;
  hk_mesh mesh;
  hk_draw_style style;
} hk_draw_solid;

/* Something stretched between the origins of two frames: a coil, or a rod. */
typedef struct hk_draw_link {
  const char *a, *b;
  hk_mesh mesh; /* from z = 0 to z = 1 */
  hk_draw_style style;
} hk_draw_link;

/* How b may move in a before they touch; what is small and worth enlarging. */
typedef enum hk_play { HK_PLAY_NONE, HK_PLAY_POINT, HK_PLAY_PIN, HK_PLAY_TURN } hk_play;

typedef struct hk_drawing {
  double size; /* radius that suits a symbol in this model [m] */
  hk_draw_solid *solid;
  int n_solids, solid_capacity;
  hk_draw_link *link;
  int n_links, link_capacity;
  hk_play play;     /* of the element in hand */
  double clearance; /* ... and how much [m] */
  hk_arena arena;   /* names of frames */
  bool failed;      /* out of memory */
} hk_drawing;

void hk_drawing_init(hk_drawing *d, double size);
void hk_drawing_free(hk_drawing *d);
/* Take the mesh over, on the frame itself or shifted and turned in it. */
void hk_draw(hk_drawing *d, const char *frame, hk_mesh *mesh, hk_draw_style style);
void hk_draw_at(hk_drawing *d, const char *frame, hk_vec3 at, hk_quat turn, hk_mesh *mesh,
                hk_draw_style style);
void hk_draw_rod(hk_drawing *d, const char *a, const char *b, double radius, hk_draw_style style);
void hk_draw_spring(hk_drawing *d, const char *a, const char *b, double radius, int turns);

/* Turns z to x or y; hk_quat_identity leaves it. */
hk_quat hk_draw_along_x(void);
hk_quat hk_draw_along_y(void);
/* A cylinder along z of the frame, the most common solid. */
void hk_draw_cylinder(hk_drawing *d, const char *frame, double radius, double inner, double length,
                      hk_draw_style style);
/* The sleeve of an elastic bearing around z of the first frame. */
void hk_draw_sleeve(hk_drawing *d);

/* "#rrggbb" or one of the names of hk_colour_names; false: neither. */
bool hk_colour_parse(const char *text, unsigned *rgb);
extern const char *const hk_colour_names[]; /* ends with NULL */
#endif
