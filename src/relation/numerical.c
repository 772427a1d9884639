/* Perturbed frames, and derivatives of relations by finite differences of their gradients. */
#include <hooke/numerical.h>

static void vary(hk_frame *f, int j, double h) {
  double d[3] = {0};
  d[j % 3] = h;
  hk_vec3 v = hk_v3(d[0], d[1], d[2]);
  switch (j / 3) {
    case 0:
      f->x = hk_add(f->x, v);
      break;
    case 1: {
      hk_mat3 turn = hk_quat_matrix(hk_quat_exp(v));
      f->R = hk_matmul(&turn, &f->R);
      break;
    }
    case 2:
      f->v = hk_add(f->v, v);
      break;
    default:
      f->w = hk_add(f->w, v);
  }
}

void hk_frames_vary(const hk_frame *A, const hk_frame *B, int j, double h, hk_frame out[2]) {
  int velocity = j >= 12 ? 6 : 0, motion = j % 12;
  out[0] = *A;
  out[1] = *B;
  vary(&out[motion / 6], motion % 6 + velocity, h);
}

/* Returns the frame after a time h with constant velocities. */
static hk_frame carried(const hk_frame *f, double h) {
  hk_frame g = *f;
  hk_mat3 turn = hk_quat_matrix(hk_quat_exp(hk_scale(h, f->w)));
  g.x = hk_axpy(f->x, h, f->v);
  g.R = hk_matmul(&turn, &f->R);
  return g;
}

void hk_relation_bias_numerical(const hk_relation_type *type, const double *k, const hk_frame *A,
                                const hk_frame *B, double *b) {
  const double h = HK_NUMERICAL_STEP;
  hk_row J[2][HK_RELATION_MAX_ROWS] = {{{{0}}}};
  for (int side = 0; side < 2; side++) {
    hk_frame a = carried(A, side ? h : -h), c = carried(B, side ? h : -h);
    type->gradient(k, &a, &c, J[side]);
  }
  for (int i = 0; i < type->rows; i++)
    b[i] = (hk_row_rate(&J[1][i], A, B) - hk_row_rate(&J[0][i], A, B)) / (2 * h);
}

static void row_numbers(const hk_row *J, double x[12]) {
  const hk_vec3 part[4] = {J->xa, J->ta, J->xb, J->tb};
  for (int i = 0; i < 4; i++)
    x[3 * i] = part[i].x, x[3 * i + 1] = part[i].y, x[3 * i + 2] = part[i].z;
}

void hk_relation_curvature_numerical(const hk_relation_type *type, const double *k,
                                     const hk_frame *A, const hk_frame *B, const double *factor,
                                     double K[12][12]) {
  const double h = HK_NUMERICAL_STEP;
  for (int j = 0; j < 12; j++)
    for (int side = -1; side <= 1; side += 2) {
      hk_row J[HK_RELATION_MAX_ROWS] = {{{0}}};
      hk_frame f[2];
      hk_frames_vary(A, B, j, side * h, f);
      type->gradient(k, &f[0], &f[1], J);
      for (int i = 0; i < type->rows; i++) {
        double x[12];
        row_numbers(&J[i], x);
        for (int r = 0; r < 12; r++) K[r][j] += side * factor[i] * x[r] / (2 * h);
      }
    }
}
