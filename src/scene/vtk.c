/* VTK XML files [VTK file formats]: one PolyData file per frame with appended raw data, and a collection that assigns
 * files to times. */
#include "scene/scene_export.h"
#include "base/file.h"
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_far(const hk_motion *m) { return hk_norm(m->origin) > 0; }
static size_t point_bytes(const hk_motion *m) { return is_far(m) ? 24 : 12; }

/* Returns solid or link i as a piece of one surface. */
static void piece(const hk_scene *s, int i, const hk_stance *pose, const hk_mesh **mesh, hk_mat3 *R,
                  hk_vec3 *x, double *stretch, int *body) {
  *stretch = 1;
  if (i < s->n_solids) {
    hk_stance at = hk_scene_place_at(&s->solid[i].at, pose);
    *mesh = &s->mesh[s->solid[i].mesh], *R = hk_quat_matrix(at.q), *x = at.x,
    *body = s->solid[i].at.body;
    return;
  }
  const hk_scene_link *l = &s->link[i - s->n_solids];
  hk_vec3 a = hk_scene_place_at(&l->a, pose).x, d = hk_sub(hk_scene_place_at(&l->b, pose).x, a);
  double length = hk_norm(d);
  *mesh = &s->mesh[l->mesh], *x = a, *body = -1, *stretch = length;
  *R = length > 0 ? hk_frame_from_z(hk_scale(1 / length, d)) : hk_mat3_identity();
}

static void add_piece(const hk_motion *motion, int i, const hk_stance *pose, hk_bytes *points,
                      hk_bytes *cells, hk_bytes *bodies) {
  const hk_scene *s = motion->scene;
  const hk_mesh *m;
  hk_mat3 R;
  hk_vec3 x;
  double stretch;
  int body;
  piece(s, i, pose, &m, &R, &x, &stretch, &body);
  int32_t first = (int32_t)(points->n / point_bytes(motion)), number = body;
  for (size_t k = 0; k < m->n_vertices; k++) {
    hk_vec3 p = hk_mesh_position(m, k);
    p.z *= stretch;
    p = hk_add(hk_mul(&R, p), x);
    const double exact[3] = {p.x, p.y, p.z};
    const float v[3] = {(float)p.x, (float)p.y, (float)p.z};
    if (is_far(motion))
      hk_bytes_add(points, exact, sizeof exact);
    else
      hk_bytes_add(points, v, sizeof v);
  }
  for (size_t k = 0; k < m->n_triangles; k++) {
    int32_t t[3];
    for (size_t c = 0; c < 3; c++) t[c] = first + (int32_t)m->triangle[3 * k + c];
    hk_bytes_add(cells, t, sizeof t);
    hk_bytes_add(bodies, &number, sizeof number);
  }
}

static void put_block(FILE *out, const hk_bytes *b) {
  uint32_t n = (uint32_t)b->n;
  fwrite(&n, sizeof n, 1, out);
  fwrite(b->at, 1, b->n, out);
}

static void put_frame(FILE *out, const hk_motion *m, const hk_bytes *points, const hk_bytes *cells,
                      const hk_bytes *ends, const hk_bytes *bodies) {
  size_t at[4] = {0};
  at[1] = 4 + points->n, at[2] = at[1] + 4 + cells->n, at[3] = at[2] + 4 + ends->n;
  fprintf(out,
          "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"0.1\" "
          "byte_order=\"LittleEndian\" "
          "header_type=\"UInt32\">\n<PolyData>\n<Piece NumberOfPoints=\"%zu\" "
          "NumberOfPolys=\"%zu\" NumberOfVerts=\"0\" "
          "NumberOfLines=\"0\" NumberOfStrips=\"0\">\n",
          points->n / point_bytes(m), bodies->n / 4);
  fprintf(out,
          "<Points><DataArray type=\"%s\" NumberOfComponents=\"3\" format=\"appended\" "
          "offset=\"%zu\"/></Points>\n",
          is_far(m) ? "Float64" : "Float32", at[0]);
  fprintf(out,
          "<Polys><DataArray type=\"Int32\" Name=\"connectivity\" format=\"appended\" "
          "offset=\"%zu\"/><DataArray "
          "type=\"Int32\" Name=\"offsets\" format=\"appended\" offset=\"%zu\"/></Polys>\n",
          at[1], at[2]);
  fprintf(out,
          "<CellData Scalars=\"body\"><DataArray type=\"Int32\" Name=\"body\" format=\"appended\" "
          "offset=\"%zu\"/></CellData>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_",
          at[3]);
  put_block(out, points), put_block(out, cells), put_block(out, ends), put_block(out, bodies);
  fputs("\n</AppendedData>\n</VTKFile>\n", out);
}

static hk_status write_frame(const hk_motion *m, int64_t frame, const char *path, hk_error *err) {
  const hk_scene *s = m->scene;
  hk_bytes points = {0}, cells = {0}, ends = {0}, bodies = {0};
  for (int i = 0; i < s->n_solids + s->n_links; i++)
    add_piece(m, i, m->pose + frame * s->n_bodies, &points, &cells, &bodies);
  for (int32_t k = 1; k <= (int32_t)(bodies.n / 4); k++) {
    int32_t end = 3 * k;
    hk_bytes_add(&ends, &end, sizeof end);
  }
  bool failed = points.failed || cells.failed || ends.failed || bodies.failed;
  hk_new_file out;
  hk_status status =
      failed ? hk_fail(err, HK_ENOMEM, "out of memory") : hk_new_file_open(&out, path, err);
  if (!status) {
    put_frame(out.file, m, &points, &cells, &ends, &bodies);
    status = hk_new_file_close(&out, HK_OK, err);
  }
  hk_bytes_free(&points), hk_bytes_free(&cells), hk_bytes_free(&ends), hk_bytes_free(&bodies);
  return status;
}

/* ---- the series ---- */
enum { MOST_STEM = 3900 };

/* Names of a series: `folder` of its frames, and `draft`, a private folder that holds them until all of them are
 * complete. */
typedef struct series {
  const hk_motion *motion;
  const char *path;
  bool exists; /* the folder */
  char folder[MOST_STEM + 100], draft[MOST_STEM + 200];
} series;

static const char *frame_name(const char *folder, int64_t i, char name[MOST_STEM + 300]) {
  snprintf(name, MOST_STEM + 300, "%s/frame_%05lld.vtp", folder, (long long)i);
  return name;
}

static hk_status no_folder(const char *folder, hk_error *err) {
  return hk_fail(err, HK_EIO, "cannot create the folder '%s': %s", folder, strerror(errno));
}

/* Checks, before frames are written, which takes long, that nothing to be replaced is an input or a
 * folder. */
static hk_status check_target(series *s, hk_error *err) {
  char name[MOST_STEM + 300];
  struct stat there;
  hk_status status = hk_new_file_check(s->path, err);
  if (!status && stat(s->path, &there) == 0 && S_ISDIR(there.st_mode))
    return hk_fail(err, HK_EIO, "cannot write '%s': %s", s->path, strerror(EISDIR));
  s->exists = stat(s->folder, &there) == 0;
  if (!status && s->exists && !S_ISDIR(there.st_mode)) {
    errno = EEXIST;
    return no_folder(s->folder, err);
  }
  for (int64_t i = 0; i < s->motion->n && !status && s->exists; i++)
    status = hk_new_file_check(frame_name(s->folder, i, name), err);
  return status;
}

/* Creates the draft folder.  If the target folder exists, the draft is inside it, because the target may be on
 * another disk; otherwise the draft is next to the target. */
static hk_status make_draft(series *s, hk_error *err) {
  const char *slash = strrchr(s->folder, '/');
  int beside = slash ? (int)(slash - s->folder) + 1 : 0;
  if (s->exists) beside = (int)strlen(s->folder);
  for (int k = 0; k < 10000; k++) {
    snprintf(s->draft, sizeof s->draft, "%.*s%s.hooke-%ld-%d.draft", beside, s->folder,
             s->exists ? "/" : "", (long)getpid(), k);
    if (mkdir(s->draft, 0777) == 0) return HK_OK;
    if (errno != EEXIST) break;
  }
  return no_folder(s->exists ? s->draft : s->folder, err);
}

static hk_status write_frames(const series *s, hk_error *err) {
  char name[MOST_STEM + 300];
  hk_status status = HK_OK;
  for (int64_t i = 0; i < s->motion->n && !status; i++)
    status = write_frame(s->motion, i, frame_name(s->draft, i, name), err);
  return status;
}

/* Moves the complete frames to their folder. Frames of an earlier series that are not in this one,
 * and all other files in the folder, stay. */
static hk_status place_frames(const series *s, hk_error *err) {
  char from[MOST_STEM + 300], to[MOST_STEM + 300];
  if (!s->exists && hk_new_file_move(s->draft, s->folder)) return HK_OK;
  for (int64_t i = 0; i < s->motion->n; i++) {
    frame_name(s->draft, i, from), frame_name(s->folder, i, to);
    if (!hk_new_file_move(from, to))
      return hk_fail(err, HK_EIO, "cannot write '%s': %s", to, strerror(errno));
  }
  return HK_OK;
}

static void remove_draft(const series *s) {
  char name[MOST_STEM + 300];
  for (int64_t i = 0; i < s->motion->n; i++) unlink(frame_name(s->draft, i, name));
  rmdir(s->draft);
}

static void put_collection(const series *s, FILE *out) {
  const char *slash = strrchr(s->folder, '/'), *name = slash ? slash + 1 : s->folder;
  fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n",
        out);
  for (int64_t i = 0; i < s->motion->n; i++)
    fprintf(out, "<DataSet timestep=\"%.17g\" part=\"0\" file=\"%s/frame_%05lld.vtp\"/>\n",
            s->motion->t[i], name, (long long)i);
  fputs("</Collection>\n</VTKFile>\n", out);
}

/* Writes all frames.  They replace those of an earlier series only after everything has been
 * written, so that a failure leaves the earlier series unchanged. */
static hk_status write_all(const hk_motion *m, const char *path, hk_error *err) {
  series s = {.motion = m, .path = path};
  const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
  int stem = dot && (!slash || dot > slash) ? (int)(dot - path) : (int)strlen(path);
  if (stem > MOST_STEM) return hk_fail(err, HK_EINPUT, "the name '%.100s...' is too long", path);
  snprintf(s.folder, sizeof s.folder, "%.*s_frames", stem, path);
  hk_status status = check_target(&s, err);
  if (!status) status = make_draft(&s, err);
  if (status) return status;
  hk_new_file output = {0};
  status = write_frames(&s, err);
  if (!status) status = hk_new_file_open(&output, path, err);
  if (!status) {
    put_collection(&s, output.file);
    if (fflush(output.file) != 0) /* a full disk is detected before frames are replaced */
      status = hk_fail(err, HK_EIO, "cannot write '%s': %s", path, strerror(errno));
    if (!status) status = place_frames(&s, err);
    status = hk_new_file_close(&output, status, err);
  }
  remove_draft(&s);
  return status;
}

hk_status hk_vtk_write(const hk_motion *m, const char *path, hk_error *err) {
  bool plain = !strpbrk(path, "<>&\"");
  for (const char *p = path; *p && plain; p++) plain = (unsigned char)*p >= ' ' && *p != 127;
  if (!plain) /* the name contains characters that would have to be escaped in XML */
    return hk_fail(err, HK_EINPUT,
                   "the name of a VTK series must not contain < > & \" or control characters");
  locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (c == (locale_t)0) return hk_fail(err, HK_ENOMEM, "out of memory");
  locale_t users = uselocale(c);
  hk_status status = write_all(m, path, err);
  uselocale(users);
  freelocale(c);
  return status;
}
