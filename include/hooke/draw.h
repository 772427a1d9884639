/* Drawing: the solids that represent a type (including types of plugins) in reports and in the viewer.
 *
 * A type that is drawn has a function `draw` in its hk_type. It adds solids to a drawing, each on a frame:
 *
 *   static void draw(const hk_item *item, hk_drawing *d) {
 *     hk_draw_style steel = {HK_PAINT_STEEL, 0, false, 0, 0};
 *     hk_draw_sphere(d, HK_DRAW_B, hk_v3(0, 0, 0), 0.5 * hk_draw_size(d), steel);
 *     hk_draw_rod(d, HK_DRAW_A, HK_DRAW_B, 0.1 * hk_draw_size(d), steel);
 *   }
 *
 * HK_DRAW_A and HK_DRAW_B are the frames `a` and `b` of the element; any other name is that of a body or a marker. A
 * solid is either a part, which is a physical piece of a body, or a symbol, which shows the location of an element. A
 * body without any part gets a default part. Lengths are in metres. The functions copy their arguments; if memory runs
 * out, the whole scene fails. */
#ifndef HOOKE_DRAW_H
#define HOOKE_DRAW_H
#include <hooke/type.h>

#ifdef __cplusplus
extern "C" {
#endif

HK_API extern const char hk_draw_frame_a[];
HK_API extern const char hk_draw_frame_b[];
#define HK_DRAW_A hk_draw_frame_a
#define HK_DRAW_B hk_draw_frame_b

/* Colours, with the same meaning in every picture. */
typedef enum hk_paint {
  HK_PAINT_BODY, /* colour of the body */
  HK_PAINT_STEEL,
  HK_PAINT_BRASS,
  HK_PAINT_DARK,
  HK_PAINT_SPRING,
  HK_PAINT_GLASS, /* translucent: for parts that enclose others */
  HK_PAINT_OWN    /* the given colour */
} hk_paint;

typedef struct hk_draw_style {
  hk_paint paint;
  unsigned colour; /* HK_PAINT_OWN: 0xrrggbb */
  bool part;       /* true: a physical piece of the body; false: a symbol */
  /* A bore that is shown wider when clearance is exaggerated: its radius and clearance [m]; 0: none. */
  double bore, clearance;
} hk_draw_style;

/* Returns a suitable radius of symbols in this model [m]. */
HK_API double hk_draw_size(const hk_drawing *d);

/* Add solids centred at `at`, in the axes of the frame.  The axis of the tube is z of the frame
 * rotated by `orientation`; inner = 0: solid cylinder. */
HK_API void hk_draw_box(hk_drawing *d, const char *frame, hk_vec3 at, hk_quat orientation,
                        hk_vec3 size, hk_draw_style style);
HK_API void hk_draw_tube(hk_drawing *d, const char *frame, hk_vec3 at, hk_quat orientation,
                         double radius, double inner, double length, hk_draw_style style);
HK_API void hk_draw_sphere(hk_drawing *d, const char *frame, hk_vec3 at, double radius,
                           hk_draw_style style);
/* Add a rod, and a coil of `turns` turns, that connect the origins of two frames at any
 * distance. */
HK_API void hk_draw_rod(hk_drawing *d, const char *a, const char *b, double radius,
                        hk_draw_style style);
HK_API void hk_draw_spring(hk_drawing *d, const char *a, const char *b, double radius, int turns);
/* Adds any solid as flat triangles, with corners counter-clockwise as seen from outside.  A
 * triangle with a corner index outside of 0 .. n_corners - 1 is omitted. */
HK_API void hk_draw_triangles(hk_drawing *d, const char *frame, const hk_vec3 *corner,
                              int n_corners, const int (*triangle)[3], int n_triangles,
                              hk_draw_style style);

#ifdef __cplusplus
}
#endif
#endif
