/* ODE (Open Dynamics Engine), double precision. The parameter is the fixed step.
 * Tree joints (ground pins, left ends of the horizontals) are hinges, which keep every link in the
 * plane; the right ends are ball joints: their in-plane rows are all a revolute needs there, and a
 * hinge would add two more redundant rows. Variants: "step" (default; direct solver, dWorldStep)
 * and "quick<n>" (iterative solver, dWorldQuickStep, n iterations). ERP and CFM are the library's
 * defaults (0.2 and 1e-10), gyroscopic terms are off because they vanish in the plane. */
#include <ode/ode.h>
#include <math.h>
#include <string.h>
#include <stdlib.h>

#include "four_bar.h"

typedef struct contestant {
  dWorldID world;
  dBodyID *link;
  int quick; /* iterations; 0: direct solver */
} contestant;

static void build(contestant *c, const four_bar *fb) {
  c->world = dWorldCreate();
  dWorldSetGravity(c->world, 0, -FOUR_BAR_G, 0);
  if (c->quick) dWorldSetQuickStepNumIterations(c->world, c->quick);
  for (int i = 0; i < fb->links; i++) {
    const double *q = fb->q + 3 * i, *v = fb->v + 3 * i;
    dBodyID b = c->link[i] = dBodyCreate(c->world);
    dMass m;
    /* A thin rod along x; the axial inertia plays no part but must be positive. */
    dMassSetParameters(&m, 1, 0, 0, 0, 1e-3, FOUR_BAR_INERTIA, FOUR_BAR_INERTIA, 0, 0, 0);
    dBodySetMass(b, &m);
    dMatrix3 R;
    dRFromAxisAndAngle(R, 0, 0, 1, q[2]);
    dBodySetRotation(b, R);
    dBodySetPosition(b, q[0], q[1], 0);
    dBodySetLinearVel(b, v[0], v[1], 0);
    dBodySetAngularVel(b, 0, 0, v[2]);
    dBodySetGyroscopicMode(b, 0);
  }
  for (int k = 0; k < four_bar_joints(fb); k++) {
    four_bar_joint j = four_bar_joint_at(fb, k);
    const double *q = fb->q + 3 * j.a;
    double x = q[0] + j.sa * cos(q[2]), y = q[1] + j.sa * sin(q[2]);
    dBodyID a = c->link[j.a], b = j.b < 0 ? 0 : c->link[j.b];
    int closes_loop = j.b >= 0 && j.sa > 0;
    if (closes_loop) {
      dJointID id = dJointCreateBall(c->world, 0);
      dJointAttach(id, a, b);
      dJointSetBallAnchor(id, x, y, 0);
    } else {
      dJointID id = dJointCreateHinge(c->world, 0);
      dJointAttach(id, a, b);
      dJointSetHingeAnchor(id, x, y, 0);
      dJointSetHingeAxis(id, 0, 0, 1);
    }
  }
}

static void fetch(const contestant *c, four_bar *fb) {
  for (int i = 0; i < fb->links; i++) {
    double *q = fb->q + 3 * i, *v = fb->v + 3 * i;
    const dReal *x = dBodyGetPosition(c->link[i]), *R = dBodyGetRotation(c->link[i]);
    const dReal *u = dBodyGetLinearVel(c->link[i]), *w = dBodyGetAngularVel(c->link[i]);
    q[0] = x[0], q[1] = x[1], q[2] = atan2(R[4], R[0]);
    v[0] = u[0], v[1] = u[1], v[2] = w[2];
  }
}

void four_bar_march(four_bar *fb, void *p) {
  contestant *c = p;
  long n = lround(fb->T / fb->param);
  if (n < 1) n = 1;
  double h = fb->T / (double)n;
  for (fb->steps = 0; fb->steps < n;) {
    if (c->quick)
      dWorldQuickStep(c->world, h);
    else
      dWorldStep(c->world, h);
    fb->steps++;
    fb->t = h * (double)fb->steps;
    if (!fb->sample) continue;
    fetch(c, fb);
    if (four_bar_observe(fb, fb->t)) break;
  }
  fetch(c, fb);
}

int main(int argc, char **argv) {
  four_bar fb;
  contestant c = {0};
  if (four_bar_open(&fb, "ode", argc, argv)) return 2;
  if (!strncmp(fb.variant, "quick", 5)) c.quick = atoi(fb.variant + 5);
  c.link = calloc((size_t)fb.links, sizeof *c.link);
  if (!c.link) return 2;
  dInitODE2(0);
  dAllocateODEDataForThread(dAllocateMaskAll);
  build(&c, &fb);
  four_bar_clock_start(&fb);
  four_bar_march(&fb, &c);
  four_bar_clock_stop(&fb);
  int rc = four_bar_close(&fb);
  dWorldDestroy(c.world);
  dCloseODE();
  free(c.link);
  return rc;
}
