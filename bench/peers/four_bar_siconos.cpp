// Siconos kernel: one LagrangianLinearTIDS per link (x, y, phi; constant mass, so its iteration
// matrix is factored once), one two-row relation per revolute joint with the bilateral law
// EqualityConditionNSL, Moreau-Jean time stepping with theta = 1/2 (no numerical damping). The
// parameter is the fixed step h. Variants:
// "plain": the relation as Siconos evaluates it, G(q_k + h v_k) v_{k+1} = 0, loses energy in
//   proportion to h; theta > 1/2 changes nothing but the joint gaps, which grow.
// "midpoint" (default): what a user can do about it in the relation alone. It evaluates G at
//   q_k + h/2 v_k and, as a rheonomous relation, adds the velocity 0.2 g/h that draws the joints
//   together; the energy error then falls with h^2 and is some hundred times smaller.
// The joint-space matrix is dense (LAPACK): with sparse storage the class Equality of the packaged
// version 4.4.0 crashes in its factorisation. Gamma for the relation, which would conserve energy
// as well, is refused for this law ("Configuration not possible").
#include <SiconosKernel.hpp>

#include <cmath>
#include <cstring>
#include <vector>

#include "four_bar.h"

namespace {

// End `sa` of the first link against a ground point or end `sb` of the second link.
class Revolute : public LagrangianRheonomousR {
 public:
  // `phi`: the links' angles at which to evaluate the Jacobian, or null for the current ones.
  Revolute(const four_bar_joint &j, const double *phi, double rate)
      : joint_(j), phi_(phi), rate_(rate) {}

  void initialize(Interaction &inter) override {
    LagrangianR::initialize(inter);
    _hDot = std::make_shared<SiconosVector>(2);
    _jachq = std::make_shared<SimpleMatrix>(2, joint_.b < 0 ? 3 : 6);
  }

  void computeh(double, const BlockVector &q, BlockVector &, SiconosVector &y) override {
    double x0 = q(0) + joint_.sa * std::cos(q(2)) - joint_.xb;
    double x1 = q(1) + joint_.sa * std::sin(q(2));
    if (joint_.b >= 0) {
      x0 -= q(3) + joint_.sb * std::cos(q(5));
      x1 -= q(4) + joint_.sb * std::sin(q(5));
    }
    y.setValue(0, x0);
    y.setValue(1, x1);
  }

  void computehDot(double t, const BlockVector &q, BlockVector &z) override {
    computeh(t, q, z, *_hDot);
    *_hDot *= rate_;
  }

  void computeJachq(double, const BlockVector &q, BlockVector &) override {
    SimpleMatrix &G = *_jachq;
    const double a = phi_ ? phi_[joint_.a] : q(2);
    G.setValue(0, 0, 1.0);
    G.setValue(1, 1, 1.0);
    G.setValue(0, 2, -joint_.sa * std::sin(a));
    G.setValue(1, 2, joint_.sa * std::cos(a));
    if (joint_.b < 0) return;
    const double b = phi_ ? phi_[joint_.b] : q(5);
    G.setValue(0, 3, -1.0);
    G.setValue(1, 4, -1.0);
    G.setValue(0, 5, joint_.sb * std::sin(b));
    G.setValue(1, 5, -joint_.sb * std::cos(b));
  }

 private:
  four_bar_joint joint_;
  const double *phi_;
  double rate_;
};

struct Contestant {
  std::vector<SP::LagrangianLinearTIDS> link;
  SP::TimeStepping simulation;
  double h;
  std::vector<double> phi;  // angles at the middle of the step

  void predict_angles() {
    for (size_t i = 0; i < link.size(); i++)
      phi[i] = (*link[i]->q())(2) + 0.5 * h * (*link[i]->velocity())(2);
  }
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
  c.h = fb.T / std::max(1L, std::lround(fb.T / fb.param));
  c.phi.resize(fb.links);
  c.predict_angles();
  const bool plain = !std::strcmp(fb.variant, "plain");
  auto law = std::make_shared<EqualityConditionNSL>(2);
  for (int k = 0; k < four_bar_joints(&fb); k++) {
    four_bar_joint j = four_bar_joint_at(&fb, k);
    auto inter = std::make_shared<Interaction>(
        law, std::make_shared<Revolute>(j, plain ? nullptr : c.phi.data(), plain ? 0 : 0.2 / c.h));
    if (j.b < 0)
      nsds->link(inter, c.link[j.a]);
    else
      nsds->link(inter, c.link[j.a], c.link[j.b]);
  }
  auto osnspb = std::make_shared<Equality>();
  c.simulation =
      std::make_shared<TimeStepping>(nsds, std::make_shared<TimeDiscretisation>(0.0, c.h),
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
    c.predict_angles();
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
