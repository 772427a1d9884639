/* Compliance of a gear by finite elements: see gear_fe.h. */
#include "fe/gear_fe.h"
#include "fe/hexahedron.h"
#include "fe/ring.h"
#include "lapack/lapack.h"
#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Vectors of the sector: first the unit forces on the flank, then the vectors whose product
 * with the displacements gives the displacements of the depth points. */
typedef struct vectors {
  const hk_fe_mesh *m;
  const int *number;
  int displacements;
  double *F;
} vectors;

/* Position in the section: column i of nodes, row of cells, and position in the row. */
typedef struct place {
  int i, row;
  double at;
} place;

static const double GAUSS[4] = {-0.8611363115940526, -0.3399810435848563, 0.3399810435848563,
                                0.8611363115940526};
static const double WEIGHT[4] = {0.3478548451374538, 0.6521451548625461, 0.6521451548625461,
                                 0.3478548451374538};

/* Adds a unit force along -n, distributed over slice j of `slices`, to one vector; as a linear
 * functional, the vector gives the mean displacement of the slice along -n. n is inclined by the
 * helix angle. */
static void add_slice(const vectors *v, double *f, place p, double foot, int j, int slices) {
  const hk_fe_mesh *m = v->m;
  const hk_fe_body *b = m->body;
  double width = b->face_width / slices, from = -0.5 * b->face_width + j * width, to = from + width;
  double lead = b->twist * b->tooth.base_radius, c = 1 / hypot(1, lead), N[3], slope[3];
  hk_hex_line(p.at, N, slope);
  for (int layer = 0; layer < m->layers; layer++) {
    double low = m->z[2 * layer], high = m->z[2 * layer + 2], a = fmax(low, from),
           e = fmin(high, to);
    for (int q = 0; q < 4 && e > a; q++) {
      double z = 0.5 * (a + e) + 0.5 * (e - a) * GAUSS[q], A[3];
      double share = WEIGHT[q] * 0.5 * (e - a) / width, angle = foot + b->twist * z;
      double n[3] = {c * cos(angle), -c * sin(angle), -c * lead * hk_fe_mesh_sense(m)};
      hk_hex_line(2 * (z - low) / (high - low) - 1, A, slope);
      for (int k = 0; k < 3; k++) {
        int node = hk_fe_mesh_node(m, p.i, 2 * p.row + k);
        for (int l = 0; l < 3; l++)
          for (int d = 0; d < m->dim; d++)
            f[v->number[node] + m->dim * (2 * layer + l - m->first[node]) + d] -=
                share * N[k] * A[l] * n[d];
      }
    }
  }
}

static double station_roll(const hk_fe_gear *g, int s) {
  return g->roll_first + (g->roll_last - g->roll_first) * s / (g->stations - 1);
}

static hk_status fill_vectors(const hk_fe_gear *g, const vectors *v, hk_error *err) {
  const hk_fe_mesh *m = v->m;
  int middle = 2 * m->tooth_first + m->tooth_columns,
      edge = 2 * (m->tooth_first + m->tooth_columns);
  int loads = g->stations * g->slices;
  for (int s = 0; s < g->stations; s++) {
    const hk_fe_outline *o = &m->outline;
    double r, foot, R = station_roll(g, s), tip = o->tooth.tip_radius;
    R = o->tooth.ring ? fmin(R, o->form_roll) : fmin(fmax(R, o->form_roll), g->roll_last);
    place flank = {.i = edge}, depth = {.i = middle};
    hk_fe_outline_flank(o, R, &r, &foot);
    hk_status status = hk_fe_mesh_find(m, edge, o->tooth.ring ? fmax(r, tip) : fmin(r, tip),
                                       &flank.row, &flank.at, err);
    /* The line of action meets the middle of the tooth at the radius rb/cos(foot). */
    if (!status)
      status = hk_fe_mesh_find(m, middle, m->outline.tooth.base_radius / cos(foot), &depth.row,
                               &depth.at, err);
    if (status) return status;
    for (int j = 0; j < g->slices; j++) {
      size_t at = (size_t)s * (size_t)g->slices + (size_t)j, n = (size_t)v->displacements;
      add_slice(v, v->F + at * n, flank, foot, j, g->slices);
      add_slice(v, v->F + (at + (size_t)loads) * n, depth, foot, j, g->slices);
    }
  }
  return HK_OK;
}

/* Computes c[offset][read][load], the sum of the work of inner forces and of the displacements
 * of the cuts. */
static void fill_table(const hk_fe_gear *g, const hk_fe_sector *s, const double *cuts, double *c) {
  int n = s->n, loads = g->stations * g->slices, rows = (2 * g->reach + 2) * n;
  int side = g->body.tooth.ring ? -1 : 1; /* side of the neighbour with the larger roll length */
  double *block = c;
  for (int o = -g->reach; o <= g->reach; o++, block += (size_t)loads * (size_t)loads) {
    /* Output vectors: depth points on the loaded tooth, flanks on the others. */
    const double *read = s->cut_force + (o ? 0 : (size_t)loads * 2 * (size_t)n);
    /* Row by row of `read`: C = read^T cuts, in transposed form because matrices are stored by
     * columns. */
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, loads, loads, 2 * n, 1,
                cuts + (size_t)(side * o + g->reach) * (size_t)n, rows, read, 2 * n, 0, block,
                loads);
    for (int r = 0; r < loads && !o; r++)
      for (int l = 0; l < loads; l++)
        block[(size_t)r * (size_t)loads + (size_t)l] +=
            s->work[(size_t)l * (size_t)s->vectors + (size_t)(loads + r)];
  }
}

static hk_status check(const hk_fe_gear *g, const hk_fe_mesh *m, hk_error *err) {
  const hk_fe_outline *o = &m->outline;
  double tip =
      sqrt(o->tooth.tip_radius * o->tooth.tip_radius - o->tooth.base_radius * o->tooth.base_radius);
  double slack = 0.05 * (g->roll_last - g->roll_first);
  if (g->stations < 2 || g->stations > HK_GEAR_MAX_STATIONS || g->slices < 1 ||
      g->slices > HK_GEAR_MAX_SLICES)
    return hk_fail(err, HK_EINPUT,
                   "%d stations and %d slices; there must be 2 to %d stations and 1 to %d slices",
                   g->stations, g->slices, HK_GEAR_MAX_STATIONS, HK_GEAR_MAX_SLICES);
  if (g->reach < 0 || g->reach > HK_GEAR_MAX_REACH || 2 * g->reach + 2 > o->tooth.teeth)
    return hk_fail(
        err, HK_EINPUT,
        "a gear with %d teeth is too small: each tooth needs %d other teeth on each side",
        o->tooth.teeth, g->reach);
  double first = o->tooth.ring ? tip : o->form_roll, last = o->tooth.ring ? o->form_roll : tip;
  if (!(g->roll_last > g->roll_first) || g->roll_first < first - slack ||
      g->roll_last > last + slack)
    return hk_fail(err, HK_EINPUT,
                   "contact from %.6g to %.6g mm of roll length is not on the flank, which is from "
                   "%.6g to %.6g mm",
                   1e3 * g->roll_first, 1e3 * g->roll_last, 1e3 * first, 1e3 * last);
  return HK_OK;
}

static hk_status solve(const hk_fe_gear *g, hk_arena *scratch, const hk_fe_progress *progress,
                       double *c, hk_error *err) {
  hk_fe_mesh m;
  hk_fe_sector sector = {0};
  int loads = g->stations * g->slices;
  /* The sector and the ring each take about half of the time. */
  hk_fe_progress part = {0};
  if (progress) part = *progress, part.share = 0.5;
  hk_fe_density density = g->density;
  if (!density.along) density.along = g->slices < 6 ? 6 : g->slices > 10 ? 10 : g->slices;
  hk_status status = hk_fe_mesh_make(&g->body, &density, scratch, &m, err);
  if (!status) status = check(g, &m, err);
  if (status) return status;
  vectors v = {.m = &m};
  v.number = hk_fe_number(&m, scratch, &v.displacements);
  v.F =
      v.number ? HK_NEW_ARRAY(scratch, double, 2 * (size_t)loads * (size_t)v.displacements) : NULL;
  if (!v.F) return hk_fail(err, HK_ENOMEM, "out of memory");
  status = fill_vectors(g, &v, err);
  if (!status)
    status = hk_fe_condense(&m, v.number, v.F, v.displacements, 2 * loads, &part, &sector, err);
  if (status) return status;
  double *cuts =
      HK_NEW_ARRAY(scratch, double, (size_t)(2 * g->reach + 2) * (size_t)sector.n * (size_t)loads);
  hk_fe_sector_turn(&sector, m.dim, 2 * M_PI / g->body.tooth.teeth);
  part.from = 0.5;
  status = cuts ? hk_fe_ring_solve(&sector, g->body.tooth.teeth, g->reach, loads, &part, cuts, err)
                : hk_fail(err, HK_ENOMEM, "out of memory");
  if (!status) fill_table(g, &sector, cuts, c);
  hk_fe_tell(&part, 1);
  hk_fe_sector_free(&sector);
  return status;
}

/* ---- loads that alternate from slice to slice ---- */

/* The depth point of a slice is at the axial position of its load, although the line of action of helical teeth leads away
 * from there, by the distance d = l sin(beta_b) cos(beta_b) if the tooth is l thick.  Under a load that alternates along the
 * face with the wave number k the table therefore contains K(k) cos(k d) instead of K(k), which decreases as exp(-k l).
 * The error is about exp(-pi l/d) of the largest eigenvalue; slices of 0.6 to 1 mm at a module of 3 mm have 1e-5 up to 20 degrees,
 * 1.5e-3 at 30, 2.5e-3 at 35 and 4.2e-3 at 45 degrees.  It is far less than the local deformation of such slices, but may make
 * their work negative.  If there are more slices than nodes along the face, the work of some loads is only round-off. */

/* Fractions of the largest eigenvalue: negative eigenvalues that are corrected, and the smallest one afterwards. */
static const double CORRECTED = 1e-2, SMALLEST = 1e-6;

/* The difference between the nearest matrix of positive work and the slices at station r; 0: none is needed. */
static hk_status work_correction(const hk_gear_compliance *g, int r, double *A, double *w,
                                 double *D, hk_error *err) {
  const int n = g->slices;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) A[i * n + j] = hk_gear_compliance_entry(g, 0, r, i, r, j);
  const int info = LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'U', n, A, n, w);
  if (info) return hk_lapack_fail(info, "the compliance of a gear", err);
  if (w[0] >= SMALLEST * w[n - 1] || w[0] < -CORRECTED * w[n - 1]) return HK_OK;
  for (int k = 0; k < n; k++) {
    const double add = fmax(0, SMALLEST * w[n - 1] - w[k]), *v = A + (size_t)k * (size_t)n;
    for (int i = 0; i < n && add > 0; i++)
      for (int j = 0; j < n; j++) D[i * n + j] += add * v[i] * v[j];
  }
  return HK_OK;
}

/* Adds the corrections. The table is interpolated between stations in both positions. Entries that belong to two
 * neighbouring stations get the mean of the corrections of these stations, so that the correction is interpolated in
 * the same way. */
static hk_status correct_work(const hk_gear_compliance *g, double *c, hk_error *err) {
  const size_t n = (size_t)g->slices, area = n * n, stations = (size_t)g->stations;
  double *A = calloc(area + n + stations * area, sizeof *A);
  if (!A) return hk_fail(err, HK_ENOMEM, "out of memory");
  double *w = A + area, *D = w + n;
  hk_status status = HK_OK;
  for (int r = 0; r < g->stations && !status; r++)
    status = work_correction(g, r, A, w, D + (size_t)r * area, err);
  double *own = c + (size_t)g->reach * stations * stations * area; /* the loaded tooth */
  for (size_t r = 0; r < stations && !status; r++)
    for (size_t s = r ? r - 1 : 0; s < stations && s <= r + 1; s++)
      for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
          own[(r * n + i) * stations * n + s * n + j] +=
              0.5 * (D[r * area + i * n + j] + D[s * area + i * n + j]);
  free(A);
  return status;
}

hk_status hk_fe_gear_solve(const hk_fe_gear *g, hk_arena *arena, const hk_fe_progress *progress,
                           hk_gear_compliance *out, hk_error *err) {
  hk_status room = hk_lapack_begin("the finite-element model of a gear", err);
  if (room) return room;
  double *roll = HK_NEW_ARRAY(arena, double, g->stations > 0 ? g->stations : 1);
  double *c =
      HK_NEW_ARRAY(arena, double, hk_gear_compliance_size(g->stations, g->slices, g->reach));
  if (!roll || !c) return hk_fail(err, HK_ENOMEM, "out of memory");
  hk_arena scratch;
  hk_arena_init(&scratch);
  hk_status status = solve(g, &scratch, progress, c, err);
  hk_arena_free(&scratch);
  if (status) return status;
  for (int s = 0; s < g->stations; s++) roll[s] = station_roll(g, s);
  *out = (hk_gear_compliance){g->stations, g->slices, g->reach, roll, c};
  hk_gear_compliance_symmetrise(out, c);
  return correct_work(out, c, err);
}
