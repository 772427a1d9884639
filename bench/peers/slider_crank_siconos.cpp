// Siconos kernel on the slider-crank with a dry clearance, reduced by hand to two coordinates: the angle phi of the rod
// and the place x of the slider. Moreau-Jean time stepping with theta = 1/2, Newton's law of impact, Lemke's solver. The
// crank's angle is a function of time, so that the gap is a rheonomous relation:
//   P = r (cos wt, sin wt),  t = (x, 0) - P - l (cos phi, sin phi),  gap = c - |t|
//   (I + m l^2/4) phi'' = -m l/2 u'.P'',  u' = (-sin phi, cos phi)
// The force is taken at the middle of the step, as far as the velocity tells it there.
#include "slider_crank_siconos.h"

#include <SiconosKernel.hpp>
#include <cmath>
#include <ctime>
#include <memory>

namespace {

const double R = 0.05, L = 0.12, MASS = 0.21, INERTIA = 2.5e-4, SLIDER = 0.14, RESTITUTION = 0.9;
const double OMEGA = 5000 * 2 * M_PI / 60;

class Gap : public LagrangianRheonomousR {
 public:
  explicit Gap(double clearance) : c_(clearance) {}

  void initialize(Interaction &inter) override {
    LagrangianR::initialize(inter);
    _hDot = std::make_shared<SiconosVector>(1);
    _jachq = std::make_shared<SimpleMatrix>(1, 2);
  }

  void computeh(double t, const BlockVector &q, BlockVector &, SiconosVector &y) override {
    look(t, q);
    y.setValue(0, c_ - offset_);
  }

  void computehDot(double t, const BlockVector &q, BlockVector &) override {
    look(t, q);
    _hDot->setValue(0, R * OMEGA * (-nx_ * std::sin(OMEGA * t) + ny_ * std::cos(OMEGA * t)));
  }

  void computeJachq(double t, const BlockVector &q, BlockVector &) override {
    look(t, q);
    _jachq->setValue(0, 0, -L * (nx_ * std::sin(q(0)) - ny_ * std::cos(q(0))));
    _jachq->setValue(0, 1, -nx_);
  }

 private:
  void look(double t, const BlockVector &q) {
    double x = q(1) - R * std::cos(OMEGA * t) - L * std::cos(q(0));
    double y = -R * std::sin(OMEGA * t) - L * std::sin(q(0));
    offset_ = std::hypot(x, y);
    nx_ = offset_ > 0 ? x / offset_ : 1;
    ny_ = offset_ > 0 ? y / offset_ : 0;
  }

  double c_, offset_ = 0, nx_ = 1, ny_ = 0;
};

struct Model {
  SP::LagrangianLinearTIDS crank;
  SP::SiconosVector force;
  SP::Interaction contact;
  SP::TimeStepping simulation;
  double h;
  bool pressed = false;
};

void build(Model &m, double clearance, double step, double end) {
  auto M = std::make_shared<SimpleMatrix>(2, 2);
  (*M)(0, 0) = INERTIA + MASS * L * L / 4;
  (*M)(1, 1) = SLIDER;
  auto q = std::make_shared<SiconosVector>(2), v = std::make_shared<SiconosVector>(2);
  (*q)(1) = R + L;
  (*v)(0) = -OMEGA * R / L;
  m.h = step;
  m.force = std::make_shared<SiconosVector>(2);
  m.crank = std::make_shared<LagrangianLinearTIDS>(q, v, M);
  m.crank->setFExtPtr(m.force);
  auto nsds = std::make_shared<NonSmoothDynamicalSystem>(0.0, 2 * end);
  nsds->insertDynamicalSystem(m.crank);
  m.contact = std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(RESTITUTION),
                                            std::make_shared<Gap>(clearance));
  nsds->link(m.contact, m.crank);
  m.simulation = std::make_shared<TimeStepping>(
      nsds, std::make_shared<TimeDiscretisation>(0.0, step), std::make_shared<MoreauJeanOSI>(0.5),
      std::make_shared<LCP>(SICONOS_LCP_LEMKE));
}

void take_force(Model &m, double t) {
  double phi = (*m.crank->q())(0) + 0.5 * m.h * (*m.crank->velocity())(0), a = OMEGA * (t + 0.5 * m.h);
  double u = R * OMEGA * OMEGA * (std::sin(phi) * std::cos(a) - std::cos(phi) * std::sin(a));
  (*m.force)(0) = -MASS * L / 2 * u;
}

double cpu() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
}  // namespace

// Steps [from, to). Its own symbol: callgrind can collect in it alone.
extern "C" __attribute__((noinline)) void slider_crank_siconos_march(void *model, long from, long to,
                                                                     long *impacts) {
  Model &m = *static_cast<Model *>(model);
  for (long i = from; i < to; i++) {
    take_force(m, m.h * (double)i);
    double gap_rate = (*m.contact->y(1))(0);
    m.simulation->computeOneStep();
    bool presses = (*m.contact->lambda(1))(0) > 0;
    *impacts += presses && !m.pressed && -gap_rate > 0.2;
    m.pressed = presses;
    m.simulation->nextStep();
  }
}

double slider_crank_siconos(double clearance, double step, int turns, double *impacts_per_turn) {
  Model m;
  const double turn = 2 * M_PI / OMEGA;
  const long each = std::lround(turn / step);
  long impacts = 0;
  double best = 1e9;
  try {
    build(m, clearance, step, turn * turns);
    m.simulation->initialize();
    for (int i = 0; i < turns; i++) {
      double start = cpu();
      slider_crank_siconos_march(&m, i * each, (i + 1) * each, &impacts);
      best = std::fmin(best, cpu() - start);
    }
    *impacts_per_turn = (double)impacts / turns;
    return best / (double)each;
  } catch (...) {
    Siconos::exception::process();
    return -1;
  }
}
