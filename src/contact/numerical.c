/* Derivatives of the normal, point and tangent of a gap by finite differences: see
 * hooke/numerical.h. */
#include <hooke/numerical.h>

static void add(double D[3][12], int j, double factor, hk_vec3 v) {
  D[0][j] += factor * v.x;
  D[1][j] += factor * v.y;
  D[2][j] += factor * v.z;
}

/* Function that gives the points at displaced frames: `place`, or the eval of `ops`. */
typedef struct placer {
  hk_gap_place_fn *place;
  const hk_gap_ops *ops;
} placer;

static void differences(const placer *by, const double *k, const hk_frame *A, const hk_frame *B,
                        int points, bool with_t, hk_gap *out) {
  const double h = HK_NUMERICAL_STEP;
  for (int p = 0; p < points; p++)
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 12; j++) out[p].n_d[i][j] = out[p].c_d[i][j] = out[p].t_d[i][j] = 0;
  for (int j = 0; j < 12; j++)
    for (int side = -1; side <= 1; side += 2) {
      hk_gap at[HK_CONTACT_MAX_POINTS];
      hk_frame f[2];
      hk_frames_vary(A, B, j, side * h, f);
      if (by->place)
        by->place(k, &f[0], &f[1], at);
      else
        by->ops->eval(k, &f[0], &f[1], -INFINITY, with_t, at);
      for (int p = 0; p < points; p++) {
        double factor = side / (2 * h);
        add(out[p].n_d, j, factor, at[p].n);
        add(out[p].c_d, j, factor, at[p].c);
        if (with_t) add(out[p].t_d, j, factor, at[p].t);
      }
    }
}

void hk_gap_numerical(hk_gap_place_fn *place, const double *k, const hk_frame *A, const hk_frame *B,
                      int points, bool with_t, hk_gap *out) {
  differences(&(placer){.place = place}, k, A, B, points, with_t, out);
}

void hk_gap_differences(const hk_gap_ops *ops, const double *k, const hk_frame *A,
                        const hk_frame *B, hk_gap *out) {
  differences(&(placer){.ops = ops}, k, A, B, ops->points, true, out);
}
