/* Cost of the parts of a Newton iteration of the ball-type CV joint, each repeated separately at one state. */
#include "core/contact.h"
#include "cv_joint.h"
#include <stdio.h>

enum { KINEMATICS, FORCES, CONTACT_FORCES, ASSEMBLE, CONTACT_ASSEMBLE, FACTOR, SOLVE, N_WHAT };

/* Never inlined, so that a profiler can be told to count in here only. */
__attribute__((noinline)) void cvj_repeat(hk_sim *s, int part, int times) {
  const hk_model *m = s->model;
  const hk_instant in = hk_instant_at(m, s->x);
  const double h = 8e-5;
  const hk_coefficients c = {.cM = 1, .cC = 0.5 * h, .cK = 0.25 * h * h};
  for (int i = 0; i < times; i++) switch (part) {
      case KINEMATICS:
        hk_kinematics(s->work, &in, HK_FRAMES_STEP);
        break;
      case FORCES:
        hk_forces(s->work, &in);
        break;
      case CONTACT_FORCES:
        hk_contact_forces(s->work, &in);
        break;
      case ASSEMBLE:
        hk_assemble(s->system, s->work, &c, &in);
        break;
      case CONTACT_ASSEMBLE:
        hk_contact_assemble(s->system, s->work, &c, &in);
        break;
      case FACTOR:
        hk_linear_solver_factor(s->system->solver, s->system->matrix);
        break;
      case SOLVE:
        hk_linear_solver_solve(s->system->solver, s->r);
        break;
      default:
        break;
    }
}

/* Nanoseconds per call: the best of several tries. */
static double cost(hk_sim *s, int part) {
  double best = INFINITY;
  const int times = 2000;
  for (int i = 0; i < 15; i++) {
    for (int k = 0; k < s->model->nv; k++) s->r[k] = 1;
    double start = cvj_seconds();
    cvj_repeat(s, part, times);
    best = fmin(best, (cvj_seconds() - start) / times);
  }
  return 1e9 * best;
}

void cvj_prepare(cvj *j) {
  cvj_repeat(j->sim, KINEMATICS, 1);
  cvj_repeat(j->sim, FORCES, 1);
  cvj_repeat(j->sim, ASSEMBLE, 1);
  cvj_repeat(j->sim, FACTOR, 1);
}

void cvj_parts(cvj *j, bool header) {
  hk_sim *s = j->sim;
  const hk_model *m = s->model;
  double ns[N_WHAT];
  cvj_prepare(j);
  int touching = 0;
  for (int i = 0; i < m->n_points; i++) touching += s->work->touch[i].N > 0;
  static const int order[] = {KINEMATICS, CONTACT_FORCES, FORCES, CONTACT_ASSEMBLE,
                              ASSEMBLE,   FACTOR,         SOLVE};
  for (int i = 0; i < N_WHAT; i++) {
    if (order[i] == FACTOR) cvj_repeat(s, ASSEMBLE, 1);
    ns[order[i]] = cost(s, order[i]);
  }
  if (header)
    printf(
        "| balls | points | touching | frames [us] | forces [us] | assembly [us] | factor [us] | "
        "solve "
        "[us] | force of a touching point [ns] | with tangent [ns] |\n"
        "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
  printf("| %d | %d | %d | %.2f | %.2f | %.2f | %.2f | %.2f | %.0f | %.0f |\n", m->n_points / 6,
         m->n_points, touching, 1e-3 * ns[KINEMATICS], 1e-3 * ns[FORCES], 1e-3 * ns[ASSEMBLE],
         1e-3 * ns[FACTOR], 1e-3 * ns[SOLVE], ns[CONTACT_FORCES] / touching,
         ns[CONTACT_ASSEMBLE] / touching);
  fflush(stdout);
}
