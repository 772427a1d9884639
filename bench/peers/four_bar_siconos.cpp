// Siconos kernel: one LagrangianLinearTIDS per link (x, y, phi; constant mass, so its iteration
// matrix is factored once), one two-row LagrangianScleronomousR per revolute joint with the
// bilateral law EqualityConditionNSL, Moreau-Jean time stepping with theta = 1/2 (no numerical
// damping). The parameter is the fixed step. The joint-space matrix is dense (LAPACK): with sparse
// storage the class Equality of the packaged version 4.4.0 crashes in its factorisation. theta
// between 1/2 and 1 gives the same energy error and larger joint gaps; gamma for the relation (a
// midpoint velocity constraint, which would conserve energy) is refused for this law
// ("Configuration not possible").
#include <SiconosKernel.hpp>

#include <cmath>
#include <vector>

#include "four_bar.h"

namespace {

// End `sa` of the first link against a ground point or end `sb` of the second link.
class Revolute : public LagrangianScleronomousR {
 public:
  explicit Revolute(const four_bar_joint &j) : joint_(j) {}

  void initialize(Interaction &inter) override {
    LagrangianR::initialize(inter);
    if (!_jachq) _jachq = std::make_shared<SimpleMatrix>(2, joint_.b < 0 ? 3 : 6);
  }

  void computeh(const BlockVector &q, BlockVector &, SiconosVector &y) override {
    double x0 = q(0) + joint_.sa * std::cos(q(2)) - joint_.xb;
    double x1 = q(1) + joint_.sa * std::sin(q(2));
    if (joint_.b >= 0) {
      x0 -= q(3) + joint_.sb * std::cos(q(5));
      x1 -= q(4) + joint_.sb * std::sin(q(5));
    }
    y.setValue(0, x0);
    y.setValue(1, x1);
  }

  void computeJachq(const BlockVector &q, BlockVector &) override {
    SimpleMatrix &G = *_jachq;
    G.setValue(0, 0, 1.0);
    G.setValue(1, 1, 1.0);
    G.setValue(0, 2, -joint_.sa * std::sin(q(2)));
    G.setValue(1, 2, joint_.sa * std::cos(q(2)));
    if (joint_.b < 0) return;
    G.setValue(0, 3, -1.0);
    G.setValue(1, 4, -1.0);
    G.setValue(0, 5, joint_.sb * std::sin(q(5)));
    G.setValue(1, 5, -joint_.sb * std::cos(q(5)));
  }

 private:
  four_bar_joint joint_;
};

struct Contestant {
  std::vector<SP::LagrangianLinearTIDS> link;
  SP::TimeStepping simulation;
};

void build(Contestant &c, const four_bar &fb) {
  auto nsds = std::make_shared<NonSmoothDynamicalSystem>(0.0, 2 * fb.T);
  auto M = std::make_shared<SimpleMatrix>(3, 3);
  (*M)(0, 0) = (*M)(1, 1) = 1.0;
  (*M)(2, 2) = FOUR_BAR_INERTIA;
  auto weight = std::make_shared<SiconosVector>(3);
  (*weight)(1) = -FOUR_BAR_G;
  for (int i = 0; i < fb.links; i++) {
    auto q = std::make_shared<SiconosVector>(3), v = std::make_shared<SiconosVector>(3);
    for (int k = 0; k < 3; k++) (*q)(k) = fb.q[3 * i + k], (*v)(k) = fb.v[3 * i + k];
    c.link.push_back(std::make_shared<LagrangianLinearTIDS>(q, v, M));
    c.link.back()->setFExtPtr(weight);
    nsds->insertDynamicalSystem(c.link.back());
  }
  auto law = std::make_shared<EqualityConditionNSL>(2);
  for (int k = 0; k < four_bar_joints(&fb); k++) {
    four_bar_joint j = four_bar_joint_at(&fb, k);
    auto inter = std::make_shared<Interaction>(law, std::make_shared<Revolute>(j));
    if (j.b < 0)
      nsds->link(inter, c.link[j.a]);
    else
      nsds->link(inter, c.link[j.a], c.link[j.b]);
  }
  double h = fb.T / std::max(1L, std::lround(fb.T / fb.param));
  auto osnspb = std::make_shared<Equality>();
  c.simulation = std::make_shared<TimeStepping>(nsds, std::make_shared<TimeDiscretisation>(0.0, h),
                                                std::make_shared<MoreauJeanOSI>(0.5), osnspb);
  c.simulation->setNewtonTolerance(1e-10);
  c.simulation->setNewtonMaxIteration(20);
  c.simulation->setWarnOnNonConvergence(false);
}

void fetch(const Contestant &c, four_bar &fb) {
  for (int i = 0; i < fb.links; i++)
    for (int k = 0; k < 3; k++) {
      fb.q[3 * i + k] = (*c.link[i]->q())(k);
      fb.v[3 * i + k] = (*c.link[i]->velocity())(k);
    }
}
}  // namespace

extern "C" void four_bar_march(four_bar *fb, void *contestant) {
  Contestant &c = *static_cast<Contestant *>(contestant);
  const long n = std::max(1L, std::lround(fb->T / fb->param));
  for (fb->steps = 0; fb->steps < n;) {
    c.simulation->computeOneStep();
    c.simulation->nextStep();
    fb->steps++;
    fb->t = fb->T * fb->steps / n;
    if (!fb->sample) continue;
    fetch(c, *fb);
    if (four_bar_observe(fb, fb->t)) break;
  }
  fetch(c, *fb);
}

int main(int argc, char **argv) {
  four_bar fb;
  if (four_bar_open(&fb, "siconos", argc, argv)) return 2;
  Contestant c;
  try {
    build(c, fb);
    c.simulation->initialize();
    four_bar_clock_start(&fb);
    four_bar_march(&fb, &c);
  } catch (...) {
    Siconos::exception::process();
    fb.status = "exception";
  }
  four_bar_clock_stop(&fb);
  return four_bar_close(&fb);
}
