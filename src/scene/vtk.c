/* VTK XML files [VTK file formats]: one PolyData file per frame with appended raw data, and a collection that assigns
 * files to times. */
#include "scene/export.h"
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

/* Solids and links as pieces of one surface. */
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

/* A folder that was made for a series that failed, with what was written. */
static void remove_frames(const hk_motion *m, const char *folder) {
  char file[4300];
  for (int64_t i = 0; i < m->n; i++) {
    snprintf(file, sizeof file, "%s/frame_%05lld.vtp", folder, (long long)i);
    unlink(file);
  }
  rmdir(folder);
}

static hk_status write_all(const hk_motion *m, const char *path, hk_error *err) {
  char folder[4000], file[4300];
  const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
  int stem = dot && (!slash || dot > slash) ? (int)(dot - path) : (int)strlen(path);
  if (stem > 3900) return hk_fail(err, HK_EINPUT, "the name '%.100s...' is too long", path);
  hk_status status = hk_new_file_check(path, err); /* before the frames, which take long */
  if (status) return status;
  snprintf(folder, sizeof folder, "%.*s_frames", stem, path);
  bool made = mkdir(folder, 0777) == 0;
  if (!made && errno != EEXIST)
    return hk_fail(err, HK_EIO, "cannot make the folder '%s': %s", folder, strerror(errno));
  for (int64_t i = 0; i < m->n && !status; i++) {
    snprintf(file, sizeof file, "%s/frame_%05lld.vtp", folder, (long long)i);
    status = write_frame(m, i, file, err);
  }
  hk_new_file output;
  if (!status) status = hk_new_file_open(&output, path, err);
  if (status) {
    if (made) remove_frames(m, folder);
    return status;
  }
  FILE *out = output.file;
  fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n",
        out);
  const char *name = strrchr(folder, '/') ? strrchr(folder, '/') + 1 : folder;
  for (int64_t i = 0; i < m->n; i++)
    fprintf(out, "<DataSet timestep=\"%.17g\" part=\"0\" file=\"%s/frame_%05lld.vtp\"/>\n", m->t[i],
            name, (long long)i);
  fputs("</Collection>\n</VTKFile>\n", out);
  status = hk_new_file_close(&output, HK_OK, err);
  if (status && made) remove_frames(m, folder);
  return status;
}

hk_status hk_vtk_write(const hk_motion *m, const char *path, hk_error *err) {
  if (strpbrk(path, "<>&\"")) /* they would have to be escaped in XML */
    return hk_fail(err, HK_EINPUT, "the name of a VTK series cannot hold < > & or \"");
  locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (c == (locale_t)0) return hk_fail(err, HK_ENOMEM, "out of memory");
  locale_t users = uselocale(c);
  hk_status status = write_all(m, path, err);
  uselocale(users);
  freelocale(c);
  return status;
}
