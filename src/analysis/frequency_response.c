/* Frequency response of a linear model: see hooke/response.h. */
#include <hooke/response.h>
#include "analysis/zero_frequency.h"
#include "analysis/dense_matrix.h"
#include "analysis/linearise.h"
#include "core/map.h"
#include "expr/units.h"
#include "relation/derive.h"
#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 256, UNIT = 128 };

/* One output: sum over k of s^k (a[k].z + p[k] u). */
typedef struct output {
  double *a[3]; /* [dof] */
  double p[3];
  char unit[UNIT];
} output;

struct hk_response {
  const hk_linear *linear;
  int dof, n;
  double *P;      /* [n of linear] displacement d per unit of the input at z = 0 */
  double *b;      /* [n of linear] generalised force per unit of input */
  double *rhs[3]; /* [dof] N^T b - N^T K P, -N^T L P, -N^T M P */
  output *out;
  double complex *A, *z; /* [dof][dof] column by column, [dof] */
  lapack_int *pivot;
  hk_svd svd; /* of G */
  /* singular value decomposition of G - (df/dlambda)^T, used if friction depends on reactions */
  hk_svd left;
  hk_work *work; /* working memory with the frames of all markers */
};

/* ---- inputs ---- */

int hk_response_input_count(const hk_linear *l) {
  return l ? hk_linear_input_count(l) + hk_linear_motion_count(l) : 0;
}

int hk_response_input_name(const hk_linear *l, int i, char *buf, size_t size) {
  if (!l) return 0;
  int forces = hk_linear_input_count(l);
  return i < forces ? hk_linear_input_name(l, i, buf, size)
                    : hk_linear_motion_name(l, i - forces, buf, size);
}

static hk_status no_input(const hk_linear *l, const char *wrong, int n, hk_error *err) {
  const char **names = calloc((size_t)n + 1, sizeof *names);
  char *text = malloc((size_t)n * NAME + 1), list[300] = "";
  if (!names || !text) {
    free(names);
    free(text);
    return hk_fail(err, HK_ENOMEM, "out of memory");
  }
  for (int i = 0; i < n; i++) {
    names[i] = text + (size_t)i * NAME;
    hk_response_input_name(l, i, text + (size_t)i * NAME, NAME);
    size_t used = strlen(list);
    if (used < 200) snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", names[i]);
  }
  const char *near = hk_nearest_name(wrong, names, n);
  hk_status status =
      n == 0
          ? hk_fail(err, HK_EINPUT, "the model has no input; add a load, an actuator or a motion")
      : near ? hk_fail(err, HK_EINPUT, "unknown input '%.100s'; did you mean '%s'?", wrong, near)
             : hk_fail(err, HK_EINPUT, "unknown input '%.100s'; there are: %s%s", wrong, list,
                       strlen(list) >= 200 ? " ..." : "");
  free(names);
  free(text);
  return status;
}

hk_status hk_response_input_find(const hk_linear *l, const char *name, int *index, hk_error *err) {
  if (!l || !name || !index)
    return hk_fail(err, HK_EINPUT, "the linear model or the name of the input is NULL");
  int forces = hk_linear_input_count(l), n = hk_response_input_count(l), first = 0, last = n;
  const char *plain = name;
  if (strncmp(name, "forces.", 7) == 0) plain += 7, last = forces;
  if (strncmp(name, "motions.", 8) == 0) plain += 8, first = forces;
  size_t length = strlen(plain);
  char text[NAME];
  int heads = 0;
  for (int i = first; i < last; i++) {
    hk_response_input_name(l, i, text, sizeof text);
    if (strcmp(text, plain) == 0) {
      *index = i;
      return HK_OK;
    }
    if (length && strncmp(text, plain, length) == 0 && text[length] == '.') heads++, *index = i;
  }
  return heads == 1 ? HK_OK : no_input(l, plain, n, err);
}

/* Unit of a parameter of a force, from its table; N or N*m along a coordinate. */
static const char *force_unit(const hk_model *m, const char *name) {
  for (int i = 0; i < m->n_forces; i++) {
    const hk_force *f = &m->force[i];
    size_t length = strlen(f->name);
    if (strncmp(f->name, name, length) != 0 || name[length] != '.') continue;
    if (f->coordinate >= 0) return m->coordinate[f->coordinate].type->angular ? "N*m" : "N";
    char param[64];
    snprintf(param, sizeof param, "%s", name + length + 1);
    param[strcspn(param, ".")] = '\0';
    const hk_param *p = hk_type_param(f->item->type, hk_type_param_find(f->item->type, param));
    return p && p->unit ? p->unit : "1";
  }
  return "1";
}

static const char *input_unit(const hk_linear *l, int input) {
  int forces = hk_linear_input_count(l);
  char name[NAME];
  hk_response_input_name(l, input, name, sizeof name);
  if (input < forces) return force_unit(l->model, name);
  return hk_linear_motion_unit(l, input - forces);
}

/* Computes the force b or displacement P of the input. */
static hk_status set_input(hk_response *r, int input, hk_error *err) {
  const hk_linear *l = r->linear;
  int forces = hk_linear_input_count(l);
  if (input < forces) {
    hk_status status = hk_linear_check_port(l, input, -1, err);
    return status ? status : hk_linear_input(l, input, r->b);
  }
  return hk_linear_motion(l, &r->svd, input - forces, r->P, err);
}

/* ---- outputs ---- */

static int find_channel(const hk_model *m, hk_owner owner, int index, int component) {
  for (int i = 0; i < m->n_channels; i++)
    if (m->channel[i].owner == owner && m->channel[i].index == index &&
        m->channel[i].component == component)
      return i;
  return -1;
}

/* out += s^k row . (N z + P u). */
static void add_row(const hk_response *r, output *o, int k, const double *row) {
  const hk_linear *l = r->linear;
  for (int i = 0; i < l->n; i++) {
    for (int j = 0; j < l->dof; j++) o->a[k][j] += row[i] * l->N[(size_t)i * l->dof + j];
    o->p[k] += row[i] * r->P[i];
  }
}

/* Adds a channel of positions and velocities; `order`: how many times it is differentiated. */
static hk_status kinematic(const hk_response *r, output *o, int channel, int order, double *cd,
                           double *cv, hk_error *err) {
  const hk_linear *l = r->linear;
  hk_status status = hk_linear_check_port(l, -1, channel, err);
  if (!status) status = hk_linear_output(l, channel, cd, cv, err);
  if (status) return status;
  double feed[hk_linear_input_count(l) + 1];
  status = hk_linear_feed(l, channel, feed);
  for (int i = 0; i < l->model->n_own_inputs && !status; i++)
    if (feed[i] != 0)
      return hk_fail(err, HK_EINPUT,
                     "output '%s' reads input '%s' directly; choose an output of the mechanism",
                     l->model->channel[channel].name, l->model->input[i].name);
  add_row(r, o, order, cd);
  if (order < 2) add_row(r, o, order + 1, cv);
  return HK_OK;
}

/* The sum of the multipliers with the weights c is y . (b - (K + s L + s^2 M) d) with y =
 * pinv(G) c. If friction depends on reactions, G^T - df/dlambda replaces G^T. */
static void multipliers(const hk_response *r, output *o, const double *c, double *y, double *row) {
  const hk_linear *l = r->linear;
  const double *A[3] = {l->K, l->L, l->M};
  hk_svd_solve(r->left.rank ? &r->left : &r->svd, c, y);
  for (int k = 0; k < 3; k++) {
    memset(row, 0, (size_t)l->n * sizeof *row);
    for (int i = 0; i < l->n; i++)
      for (int j = 0; j < l->n; j++) row[j] -= y[i] * A[k][(size_t)i * l->n + j];
    add_row(r, o, k, row);
  }
  for (int i = 0; i < l->n; i++) o->p[0] += y[i] * r->b[i];
}

/* Converts the row (jx, jt) of a marker's frame to the coordinates of the linear model. */
static void add_frame_row(const hk_response *r, int marker, hk_vec3 jx, hk_vec3 jt, double *row) {
  const hk_model *m = r->linear->model;
  int node = m->marker[marker].node;
  if (node == HK_GROUND) return;
  const hk_node *n = &m->node[node];
  double part[n->nv];
  hk_map_row(r->work, marker, jx, jt, part);
  if (n->turn >= 0 && r->linear->axes != HK_LINEAR_BODY_AXES) {
    double *turn = part + n->turn;
    hk_vec3 u = hk_mul(&r->work->R[node], hk_v3(turn[0], turn[1], turn[2]));
    turn[0] = u.x, turn[1] = u.y, turn[2] = u.z;
  }
  for (int i = 0; i < n->nv; i++) row[n->v + i] += part[i];
}

static double component(hk_vec3 v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; }

/* Subtracts H[6 + i] of two frames from the row. H[6 + i] is the derivative of component i of
 * J^T lambda on `b` with respect to position. */
static void add_curvature(const hk_response *r, int a, int b, double H[12][12], int i,
                          double *row) {
  const double *d = H[6 + i];
  add_frame_row(r, a, hk_v3(-d[0], -d[1], -d[2]), hk_v3(-d[3], -d[4], -d[5]), row);
  add_frame_row(r, b, hk_v3(-d[6], -d[7], -d[8]), hk_v3(-d[9], -d[10], -d[11]), row);
}

static double on_b(const hk_row *J, int i) {
  return i < 3 ? component(J->xb, i) : component(J->tb, i - 3);
}

/* Finds the coupled row of a screw joint, which constrains a weighted sum of the joint's
 * coordinates. */
static void add_thread(const hk_response *r, const hk_constraint *thread, int i, double *c,
                       double *row) {
  const hk_model *m = r->linear->model;
  for (int k = 0; k < thread->n_terms; k++) {
    const hk_model_term *t = &m->term[thread->term + k];
    const hk_coordinate *q = &m->coordinate[t->coordinate];
    const hk_frame *A = &r->work->frame[q->a], *B = &r->work->frame[q->b];
    double lambda = t->factor * r->linear->lambda[thread->row], H[12][12] = {{0}};
    hk_row J = {0};
    q->type->gradient(q->k, A, B, &J);
    c[thread->row] -= t->factor * on_b(&J, i);
    hk_relation_curvature(q->type, q->k, A, B, &lambda, H);
    add_curvature(r, q->a, q->b, H, i, row);
  }
}

/* Force or moment on side `b` of the joint, -J^T lambda. This force or moment varies with lambda and, because J varies,
 * with the position. */
static void reaction(const hk_response *r, output *o, const hk_channel *channel, double *c,
                     double *y, double *row) {
  const hk_linear *l = r->linear;
  const hk_model *m = l->model;
  const hk_constraint *k = &m->constraint[channel->index];
  int a = m->port[k->port], b = m->port[k->port + 1], at = k->row, i = channel->component;
  const hk_frame *A = &r->work->frame[a], *B = &r->work->frame[b];
  double H[12][12] = {{0}};
  for (int h = 0; h < k->n_held; h++) {
    const hk_held *held = &m->held[k->held + h];
    hk_row J[HK_RELATION_MAX_ROWS] = {{{0}}};
    held->type->gradient(held->k, A, B, J);
    for (int q = 0; q < held->type->rows; q++) c[at + q] = -on_b(&J[q], i);
    hk_relation_curvature(held->type, held->k, A, B, l->lambda + at, H);
    at += held->type->rows;
  }
  memset(row, 0, (size_t)l->n * sizeof *row);
  add_curvature(r, a, b, H, i, row);
  if (k->thread) add_thread(r, &m->constraint[k->thread], i, c, row);
  add_row(r, o, 0, row);
  multipliers(r, o, c, y, row);
}

/* Finds the velocity channel whose derivative is this acceleration; -1: there is no such channel. */
static int rate_channel(const hk_model *m, const hk_channel *k) {
  if (k->owner == HK_OF_COORDINATE && k->component == HK_COORDINATE_ACC)
    return find_channel(m, k->owner, k->index, HK_COORDINATE_RATE);
  if (k->owner != HK_OF_FRAME || k->component < HK_FRAME_AX) return -1;
  int from =
      k->component < HK_FRAME_ALPHAX ? HK_FRAME_AX - HK_FRAME_VX : HK_FRAME_ALPHAX - HK_FRAME_WX;
  return find_channel(m, k->owner, k->index, k->component - from);
}

static hk_status set_output(const hk_response *r, output *o, int channel, hk_error *err) {
  const hk_linear *l = r->linear;
  const hk_model *m = l->model;
  const hk_channel *k = &m->channel[channel];
  double *c = calloc((size_t)l->nc + 1, sizeof *c), *y = calloc((size_t)l->n + 1, sizeof *y),
         *row = calloc((size_t)l->n + 1, sizeof *row);
  hk_status status = c && y && row ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
  int rate = rate_channel(m, k);
  if (!status && !k->needs && k->owner != HK_OF_TIME) {
    status = kinematic(r, o, channel, 0, y, row, err);
  } else if (!status && rate >= 0) {
    status = kinematic(r, o, rate, 1, y, row, err);
  } else if (!status && k->owner == HK_OF_JOINT && k->component < HK_JOINT_OWN_FX && l->moving &&
             l->axes != HK_LINEAR_WORLD_AXES) {
    status = hk_fail(err, HK_EINPUT,
                     "reaction '%s' in world axes has no frequency response, because the equations "
                     "are constant only in rotating axes; choose another output",
                     k->name);
  } else if (!status && k->owner == HK_OF_JOINT && k->component < HK_JOINT_OWN_FX) {
    reaction(r, o, k, c, y, row);
  } else if (!status && k->owner == HK_OF_ROW) {
    c[k->index] = -1;
    multipliers(r, o, c, y, row);
  } else if (!status) {
    status = hk_fail(err, HK_EINPUT,
                     "channel '%s' has no frequency response; choose a position, velocity, "
                     "acceleration, coordinate, sensor, reaction or effort",
                     k->name);
  }
  free(c);
  free(y);
  free(row);
  return status;
}

/* Writes a unit such as "m/N"; units without a simple quotient are written with a fraction bar. */
static void ratio_unit(const char *over, const char *under, char *buf) {
  hk_unit a, b;
  if (hk_unit_parse(over, strlen(over), &a, NULL) || hk_unit_parse(under, strlen(under), &b, NULL))
    snprintf(buf, UNIT, "%.50s/(%.50s)", over, under);
  else
    hk_dim_format(hk_dim_div(a.dim, b.dim), buf, UNIT);
}

/* ---- the whole ---- */

static hk_status allocate(hk_response *r, hk_error *err) {
  size_t n = (size_t)r->linear->n + 1, dof = (size_t)r->dof + 1;
  bool good = (r->P = calloc(n, sizeof *r->P)) && (r->b = calloc(n, sizeof *r->b)) &&
              (r->out = calloc((size_t)r->n + 1, sizeof *r->out)) &&
              (r->A = calloc(dof * dof, sizeof *r->A)) && (r->z = calloc(dof, sizeof *r->z)) &&
              (r->pivot = calloc(dof, sizeof *r->pivot));
  for (int k = 0; k < 3 && good; k++) good = (r->rhs[k] = calloc(dof, sizeof(double))) != NULL;
  for (int i = 0; i < r->n && good; i++)
    for (int k = 0; k < 3 && good; k++)
      good = (r->out[i].a[k] = calloc(dof, sizeof(double))) != NULL;
  return good ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
}

static void set_right_side(hk_response *r) {
  const hk_linear *l = r->linear;
  const double *NL = l->inside->NL ? l->inside->NL : l->N;
  const double *A[3] = {l->K, l->L, l->M};
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < l->n; i++) {
      double f = k == 0 ? r->b[i] : 0;
      for (int j = 0; j < l->n; j++) f -= A[k][(size_t)i * l->n + j] * r->P[j];
      for (int j = 0; j < l->dof; j++) r->rhs[k][j] += NL[(size_t)i * l->dof + j] * f;
    }
}

/* Returns true if the model moves and contains rolling bodies: then velocities also depend on displacements, and d =
 * N z is not valid. */
static bool rolls_along(const hk_linear *l) {
  for (int i = 0; i < l->model->n_held; i++)
    if (l->moving && l->model->held[i].type->velocity_only) return true;
  return false;
}

hk_status hk_response_create(hk_sim *sim, const hk_linear *l, int input, const int *channel, int n,
                             hk_response **out, hk_error *err) {
  if (out) *out = NULL;
  if (!sim || !l || !channel || !out)
    return hk_fail(err, HK_EINPUT, "a response needs a simulation, a linear model and channels");
  if (l->sparse)
    return hk_fail(
        err, HK_EINPUT,
        "the model has %d coordinates, too many for a frequency response with dense matrices",
        l->n);
  if (rolls_along(l))
    return hk_fail(err, HK_EINPUT,
                   "a model with wheels or knife edges has a frequency response only at rest");
  if (input < 0 || input >= hk_response_input_count(l))
    return hk_fail(err, HK_EINPUT, "there is no input number %d", input);
  hk_response *r = calloc(1, sizeof *r);
  if (!r) return hk_fail(err, HK_ENOMEM, "out of memory");
  r->linear = l, r->dof = l->dof, r->n = n;
  hk_status status = allocate(r, err);
  if (!status) r->work = hk_work_create(l->model);
  if (!status && !r->work) status = hk_fail(err, HK_ENOMEM, "out of memory");
  if (!status) {
    const hk_instant in = hk_instant_at(l->model, sim->x);
    hk_kinematics(r->work, &in, HK_FRAMES_ALL);
    if (l->nc) status = hk_svd_make(l->G, l->nc, l->n, 1e-10, &r->svd, err);
    if (!status && l->nc && l->inside->load)
      status = hk_svd_make(l->inside->load, l->nc, l->n, 1e-10, &r->left, err);
  }
  if (!status) status = set_input(r, input, err);
  for (int i = 0; i < n && !status; i++) {
    if (channel[i] < 0 || channel[i] >= l->model->n_channels)
      status = hk_fail(err, HK_EINPUT, "there is no channel number %d", channel[i]);
    else
      status = set_output(r, &r->out[i], channel[i], err);
    if (!status)
      ratio_unit(l->model->channel[channel[i]].unit, input_unit(l, input), r->out[i].unit);
  }
  if (status) {
    hk_response_destroy(r);
    return status;
  }
  set_right_side(r);
  *out = r;
  return HK_OK;
}

void hk_response_destroy(hk_response *r) {
  if (!r) return;
  for (int i = 0; r->out && i < r->n; i++)
    for (int k = 0; k < 3; k++) free(r->out[i].a[k]);
  for (int k = 0; k < 3; k++) free(r->rhs[k]);
  free(r->out);
  free(r->P);
  free(r->b);
  free(r->A);
  free(r->z);
  free(r->pivot);
  hk_svd_free(&r->svd);
  hk_svd_free(&r->left);
  hk_work_destroy(r->work);
  free(r);
}

const char *hk_response_unit(const hk_response *r, int i) {
  return r && i >= 0 && i < r->n ? r->out[i].unit : "";
}

/* Kr + s Lr + s^2 Mr, column by column. */
static void fill_matrix(hk_response *r, double complex s) {
  const hk_linear *l = r->linear;
  for (int i = 0; i < r->dof; i++)
    for (int j = 0; j < r->dof; j++) {
      size_t k = (size_t)i * (size_t)r->dof + (size_t)j;
      r->A[(size_t)j * (size_t)r->dof + (size_t)i] = l->Kr[k] + s * (l->Lr[k] + s * l->Mr[k]);
    }
  for (int j = 0; j < r->dof; j++) r->z[j] = r->rhs[0][j] + s * (r->rhs[1][j] + s * r->rhs[2][j]);
}

static hk_status respond_at_zero(hk_response *r, double *out, hk_error *err) {
  const hk_linear *l = r->linear;
  hk_at_zero at;
  hk_status status = hk_at_zero_make(r->dof, l->Kr, l->Lr, l->Mr, r->rhs, &at, err);
  for (int i = 0; i < r->n && !status; i++) {
    out[2 * i] = hk_at_zero_value(&at, r->out[i].a, r->out[i].p[0]);
    out[2 * i + 1] = isnan(out[2 * i]) ? NAN : 0;
  }
  hk_at_zero_free(&at);
  return status;
}

hk_status hk_response_value(hk_response *r, double w, double *out, hk_error *err) {
  double complex s = I * w;
  if (!r || !out) return hk_fail(err, HK_EINPUT, "there is no response");
  if (w == 0 && r->dof) return respond_at_zero(r, out, err);
  lapack_int info = 0;
  fill_matrix(r, s);
  if (r->dof)
    info = LAPACKE_zgesv(LAPACK_COL_MAJOR, r->dof, 1, r->A, r->dof, r->pivot, r->z, r->dof);
  if (info < 0) return hk_fail(err, HK_EFAIL, "the response at %g rad/s is not a number", w);
  for (int i = 0; i < r->n; i++) {
    const output *o = &r->out[i];
    double complex y = 0;
    for (int k = 2; k >= 0; k--) {
      double complex a = o->p[k];
      for (int j = 0; j < r->dof; j++) a += o->a[k][j] * r->z[j];
      y = y * s + a;
    }
    out[2 * i] = info ? NAN : creal(y);
    out[2 * i + 1] = info ? NAN : cimag(y);
  }
  return HK_OK;
}
