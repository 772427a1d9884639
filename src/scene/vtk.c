/* VTK XML files [VTK file formats]: one PolyData file per frame with appended raw data, and a collection that assigns
 * files to times. */
#include "scene/scene_export.h"
#include "base/file.h"
#include "flexible/flexible_surface.h"
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_far(const hk_motion *m) { return hk_norm(m->origin) > 0; }
static size_t point_bytes(const hk_motion *m) { return is_far(m) ? 24 : 12; }

/* Returns solid or link i as a part of one surface. */
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

/* The data of one picture of the series. moved, stress: displacement and stress of each point, only if there are
 * flexible bodies. */
typedef struct frame {
  const hk_motion *motion;
  hk_bytes points, cells, ends, bodies, moved, stress;
} frame;

static int32_t points_so_far(const frame *f) {
  return (int32_t)(f->points.n / point_bytes(f->motion));
}

static void add_point(frame *f, hk_vec3 p) {
  const double exact[3] = {p.x, p.y, p.z};
  const float v[3] = {(float)p.x, (float)p.y, (float)p.z};
  if (is_far(f->motion))
    hk_bytes_add(&f->points, exact, sizeof exact);
  else
    hk_bytes_add(&f->points, v, sizeof v);
}

static void add_triangle(frame *f, int32_t first, const int32_t corner[3], int32_t body) {
  const int32_t t[3] = {first + corner[0], first + corner[1], first + corner[2]};
  hk_bytes_add(&f->cells, t, sizeof t);
  hk_bytes_add(&f->bodies, &body, sizeof body);
}

static void add_piece(frame *f, int i, const hk_stance *pose) {
  const hk_scene *s = f->motion->scene;
  const hk_mesh *m;
  hk_mat3 R;
  hk_vec3 x;
  double stretch;
  const float none[3] = {0};
  int body;
  piece(s, i, pose, &m, &R, &x, &stretch, &body);
  int32_t first = points_so_far(f);
  for (size_t k = 0; k < m->n_vertices; k++) {
    hk_vec3 p = hk_mesh_position(m, k);
    p.z *= stretch;
    add_point(f, hk_add(hk_mul(&R, p), x));
    if (!f->motion->n_deformed) continue;
    hk_bytes_add(&f->moved, none, sizeof none);
    hk_bytes_add(&f->stress, none, sizeof *none);
  }
  for (size_t k = 0; k < m->n_triangles; k++) {
    const int32_t t[3] = {(int32_t)m->triangle[3 * k], (int32_t)m->triangle[3 * k + 1],
                          (int32_t)m->triangle[3 * k + 2]};
    add_triangle(f, first, t, body);
  }
}

/* Adds the deformed surface of a flexible body; false: out of memory. */
static bool add_deformed(frame *f, const hk_deformed *d, int64_t at, const hk_stance *pose) {
  const hk_flexible_surface *s = &d->data->surface;
  const size_t n = (size_t)s->n_vertices;
  const double *a = d->a + at * d->data->m;
  const hk_mat3 R = hk_quat_matrix(pose[d->body].q);
  const int32_t first = points_so_far(f);
  float *u = calloc(9 * n + 1, sizeof *u);
  if (!u) return false;
  float *stress = u + 3 * n;
  hk_flexible_displacement(d->data, a, u);
  if (s->stress) hk_flexible_stress(d->data, a, stress);
  for (size_t i = 0; i < n; i++) {
    const float *x = s->vertex + 3 * i, *v = u + 3 * i;
    hk_vec3 moved = hk_mul(&R, hk_v3(v[0], v[1], v[2]));
    hk_vec3 r = hk_mul(&R, hk_add(d->data->center, hk_v3(x[0], x[1], x[2])));
    add_point(f, hk_axpy(hk_add(pose[d->body].x, r), f->motion->scale, moved));
    const float shown[4] = {(float)moved.x, (float)moved.y, (float)moved.z,
                            (float)hk_von_mises(stress + 6 * i)};
    hk_bytes_add(&f->moved, shown, 3 * sizeof *shown);
    hk_bytes_add(&f->stress, shown + 3, sizeof *shown);
  }
  for (int k = 0; k < s->n_triangles; k++) add_triangle(f, first, s->triangle + 3 * k, d->body);
  free(u);
  return true;
}

static void put_block(FILE *out, const hk_bytes *b) {
  uint32_t n = (uint32_t)b->n;
  fwrite(&n, sizeof n, 1, out);
  fwrite(b->at, 1, b->n, out);
}

static void put_frame(FILE *out, const frame *f) {
  const char *real = is_far(f->motion) ? "Float64" : "Float32";
  size_t at = 0;
  fprintf(out,
          "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"0.1\" "
          "byte_order=\"LittleEndian\" "
          "header_type=\"UInt32\">\n<PolyData>\n<Piece NumberOfPoints=\"%d\" "
          "NumberOfPolys=\"%zu\" NumberOfVerts=\"0\" "
          "NumberOfLines=\"0\" NumberOfStrips=\"0\">\n",
          (int)points_so_far(f), f->bodies.n / 4);
  fprintf(out,
          "<Points><DataArray type=\"%s\" NumberOfComponents=\"3\" format=\"appended\" "
          "offset=\"%zu\"/></Points>\n",
          real, at);
  at += 4 + f->points.n;
  fprintf(out,
          "<Polys><DataArray type=\"Int32\" Name=\"connectivity\" format=\"appended\" "
          "offset=\"%zu\"/><DataArray "
          "type=\"Int32\" Name=\"offsets\" format=\"appended\" offset=\"%zu\"/></Polys>\n",
          at, at + 4 + f->cells.n);
  at += 8 + f->cells.n + f->ends.n;
  fprintf(out,
          "<CellData Scalars=\"body\"><DataArray type=\"Int32\" Name=\"body\" format=\"appended\" "
          "offset=\"%zu\"/></CellData>\n",
          at);
  at += 4 + f->bodies.n;
  if (f->motion->n_deformed)
    fprintf(out,
            "<PointData Scalars=\"von_mises\" Vectors=\"displacement\"><DataArray "
            "type=\"Float32\" Name=\"displacement\" NumberOfComponents=\"3\" "
            "format=\"appended\" offset=\"%zu\"/><DataArray type=\"Float32\" "
            "Name=\"von_mises\" format=\"appended\" offset=\"%zu\"/></PointData>\n",
            at, at + 4 + f->moved.n);
  fprintf(out, "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_");
  put_block(out, &f->points), put_block(out, &f->cells), put_block(out, &f->ends);
  put_block(out, &f->bodies);
  if (f->motion->n_deformed) put_block(out, &f->moved), put_block(out, &f->stress);
  fputs("\n</AppendedData>\n</VTKFile>\n", out);
}

/* Whether solid i is the undeformed shape of a body whose deformation is drawn. */
static bool is_deformed(const hk_motion *m, int i) {
  const hk_scene *s = m->scene;
  for (int k = 0; k < m->n_deformed && i < s->n_solids; k++)
    if (s->solid[i].at.body == m->deformed[k].body && s->solid[i].part &&
        strcmp(s->solid[i].owner, s->body[m->deformed[k].body].name) == 0)
      return true;
  return false;
}

static hk_status write_frame(const hk_motion *m, int64_t at, const char *path, hk_error *err) {
  const hk_scene *s = m->scene;
  const hk_stance *pose = m->pose + at * s->n_bodies;
  frame f = {.motion = m};
  bool failed = false;
  for (int i = 0; i < s->n_solids + s->n_links; i++)
    if (!is_deformed(m, i)) add_piece(&f, i, pose);
  for (int i = 0; i < m->n_deformed; i++)
    failed = !add_deformed(&f, &m->deformed[i], at, pose) || failed;
  for (int32_t k = 1; k <= (int32_t)(f.bodies.n / 4); k++) {
    int32_t end = 3 * k;
    hk_bytes_add(&f.ends, &end, sizeof end);
  }
  failed = failed || f.points.failed || f.cells.failed || f.ends.failed || f.bodies.failed ||
           f.moved.failed || f.stress.failed;
  hk_new_file out;
  hk_status status =
      failed ? hk_fail(err, HK_ENOMEM, "out of memory") : hk_new_file_open(&out, path, err);
  if (!status) {
    put_frame(out.file, &f);
    status = hk_new_file_close(&out, HK_OK, err);
  }
  hk_bytes_free(&f.points), hk_bytes_free(&f.cells), hk_bytes_free(&f.ends);
  hk_bytes_free(&f.bodies), hk_bytes_free(&f.moved), hk_bytes_free(&f.stress);
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

/* Checks that the files to be replaced are neither inputs nor folders. Called before the frames are written, because
 * writing takes a long time. */
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

/* Writes all frames. The new frames replace the frames of an earlier series only after everything has been written, so
 * that a failure leaves the earlier series unchanged. */
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
