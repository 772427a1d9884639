// Simbody: a tree of pin joints (each vertical link on the ground, each horizontal link on the
// vertical to its left) and one loop closure per window. The closure is PointOnLine, two equations:
// in the plane that is exactly a revolute joint, where a Ball would add a redundant third row.
// Variants name the integrator: rkm (Runge-Kutta-Merson, default), rk3, rkf, verlet, cpodes, see2
// with error control (the parameter is the accuracy; the constraint tolerance follows it, Simbody's
// default of accuracy/10), or rkm-h, rk3-h, verlet-h, see2-h with a fixed step (the parameter is
// the step in s; constraint tolerance 1e-6).
#include <Simbody.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "four_bar.h"

using namespace SimTK;

namespace {
struct Contestant {
  MultibodySystem system;
  SimbodyMatterSubsystem matter{system};
  GeneralForceSubsystem forces{system};
  Force::Gravity gravity{forces, matter, Vec3(0, -FOUR_BAR_G, 0)};
  std::vector<MobilizedBody> link;
  std::unique_ptr<Integrator> integrator;
  State state;
};

void build(Contestant &c, const four_bar &fb) {
  const int N = fb.N;
  // A thin rod along its own x axis.
  Body::Rigid rod(MassProperties(1.0, Vec3(0), Inertia(0, FOUR_BAR_INERTIA, FOUR_BAR_INERTIA)));
  const Transform left(Vec3(-0.5, 0, 0)), right(Vec3(0.5, 0, 0));
  for (int i = 0; i <= N; i++)
    c.link.push_back(MobilizedBody::Pin(c.matter.Ground(), Transform(Vec3(i, 0, 0)), rod, left));
  for (int i = 0; i < N; i++) c.link.push_back(MobilizedBody::Pin(c.link[i], right, rod, left));
  for (int i = 0; i < N; i++)
    Constraint::PointOnLine(c.link[i + 1], UnitVec3(0, 0, 1), Vec3(0.5, 0, 0), c.link[N + 1 + i],
                            Vec3(0.5, 0, 0));
}

std::unique_ptr<Integrator> integrator(const MultibodySystem &system, std::string name) {
  if (name.size() > 2 && name.substr(name.size() - 2) == "-h") name.resize(name.size() - 2);
  auto is = [&name](const char *s) { return name == s; };
  if (is("rk3")) return std::make_unique<RungeKutta3Integrator>(system);
  if (is("rkf")) return std::make_unique<RungeKuttaFeldbergIntegrator>(system);
  if (is("verlet")) return std::make_unique<VerletIntegrator>(system);
  if (is("see2")) return std::make_unique<SemiExplicitEuler2Integrator>(system);
  if (is("cpodes")) return std::make_unique<CPodesIntegrator>(system);
  if (is("adams"))
    return std::make_unique<CPodesIntegrator>(system, CPodes::Adams, CPodes::Functional);
  if (is("rkm") || is("")) return std::make_unique<RungeKuttaMersonIntegrator>(system);
  return nullptr;
}

// The angle sums along the tree are exact, so no atan2 is needed.
void fetch(const Contestant &c, const State &s, four_bar &fb) {
  for (int i = 0; i < fb.links; i++) {
    const MobilizedBody &b = c.link[i];
    const Vec3 x = b.getBodyOriginLocation(s), v = b.getBodyOriginVelocity(s);
    double phi = b.getOneQ(s, 0);
    if (i > fb.N) phi += c.link[i - fb.N - 1].getOneQ(s, 0);
    fb.q[3 * i] = x[0], fb.q[3 * i + 1] = x[1], fb.q[3 * i + 2] = phi;
    fb.v[3 * i] = v[0], fb.v[3 * i + 1] = v[1];
    fb.v[3 * i + 2] = b.getBodyAngularVelocity(s)[2];
  }
}
}  // namespace

extern "C" void four_bar_march(four_bar *fb, void *contestant) {
  Contestant &c = *static_cast<Contestant *>(contestant);
  Integrator &integ = *c.integrator;
  while (integ.getTime() < fb->T) {
    integ.stepTo(fb->T);
    if (!fb->sample) continue;
    c.system.realize(integ.getState(), Stage::Velocity);
    fetch(c, integ.getState(), *fb);
    if (four_bar_observe(fb, integ.getTime())) break;
  }
  c.system.realize(integ.getState(), Stage::Velocity);
  fetch(c, integ.getState(), *fb);
  fb->t = integ.getTime();
  fb->steps = integ.getNumStepsTaken();
}

int main(int argc, char **argv) {
  four_bar fb;
  if (four_bar_open(&fb, "simbody", argc, argv)) return 2;
  Contestant c;
  try {
    build(c, fb);
    c.system.realizeTopology();
    c.state = c.system.getDefaultState();
    for (int i = 0; i < fb.links; i++) {
      c.link[i].setOneQ(c.state, 0, i <= fb.N ? Pi / 2 : -Pi / 2);
      c.link[i].setOneU(c.state, 0, i <= fb.N ? -1.0 : 1.0);
    }
    c.integrator = integrator(c.system, fb.variant);
    if (!c.integrator) {
      std::fprintf(stderr, "four_bar_simbody: unknown integrator '%s'\n", fb.variant);
      return 2;
    }
    if (std::strstr(fb.variant, "-h")) {
      c.integrator->setFixedStepSize(fb.param);
      c.integrator->setConstraintTolerance(1e-6);
    } else {
      c.integrator->setAccuracy(fb.param);
    }
    c.integrator->setReturnEveryInternalStep(fb.sample);
    c.integrator->setFinalTime(fb.T);
    c.integrator->initialize(c.state);
    four_bar_clock_start(&fb);
    four_bar_march(&fb, &c);
  } catch (const std::exception &e) {
    std::fprintf(stderr, "four_bar_simbody: %s\n", e.what());
    fb.status = "exception";
    if (c.integrator) fb.steps = c.integrator->getNumStepsTaken();
  }
  four_bar_clock_stop(&fb);
  return four_bar_close(&fb);
}
