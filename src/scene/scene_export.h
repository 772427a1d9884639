/* Exports a run for other programs: glTF with animation, VTK for ParaView. */
#ifndef HK_SCENE_SCENE_EXPORT_H
#define HK_SCENE_SCENE_EXPORT_H
#include "flexible/flexible_data.h"
#include "results/results.h"
#include "scene/scene.h"

/* Reads the scene of a results file, bound to its columns.  HK_EINPUT: the file has no scene. */
hk_status hk_scene_of_results(const hk_results *r, hk_scene **out, hk_error *err);

/* A flexible body whose deformation is drawn. */
typedef struct hk_deformed {
  int body; /* in the scene */
  const hk_flexible_data *data;
  /* [n][m] coordinates of the m modes at each of the n times, as in the channels `mode[k]` */
  double *a;
} hk_deformed;

/* Poses of all bodies in some rows, from the first to the last. */
typedef struct hk_motion {
  const hk_scene *scene;
  double *t;       /* [n] */
  hk_stance *pose; /* [n][n_bodies] */
  int64_t n;
  /* a point near the model if the model is far from the origin: subtracted if positions are written
   * in single precision; otherwise zero */
  hk_vec3 origin;
  int64_t *row; /* [n] rows of the results file */
  hk_deformed *deformed;
  int n_deformed;
  double scale; /* deformations are drawn larger by this factor */
} hk_motion;
/* Reads the poses at `most` times or fewer: from rows of the results at equal distances, and from the last row. */
hk_status hk_motion_read(hk_results *r, const hk_scene *s, int64_t most, hk_motion *out,
                         hk_error *err);
void hk_motion_free(hk_motion *m);
/* Adds a flexible body; column [m]: the columns of the coordinates of its modes.  `data` must outlive the motion. */
hk_status hk_motion_deform(hk_motion *m, hk_results *r, const char *body,
                           const hk_flexible_data *data, const int *column, hk_error *err);

/* Writes one binary glTF 2.0 file: a node per body with its solids; translation and rotation are
 * animated over time.  An origin that was subtracted is in the `extras` of the root node. */
hk_status hk_gltf_write(const hk_motion *m, const char *path, hk_error *err);
/* Writes path.pvd and the folder path_frames with one .vtp file per frame, which contains all solids; each triangle
 * carries the number of its body.  With flexible bodies the points carry displacement and von Mises stress too.  Points are in double precision if the model is far from zero. */
hk_status hk_vtk_write(const hk_motion *m, const char *path, hk_error *err);
#endif
