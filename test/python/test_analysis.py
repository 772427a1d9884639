"""Equilibrium, modes, frequency response, gears, bearings, Poincare sections: against closed forms and the command."""

import math
import unittest
import warnings

import hooke
import support
from support import PENDULUM

OSCILLATOR = """\
format: 1
parameters: {k: 100 N/m, c: 2 N*s/m}
bodies: {bob: {type: point_mass, mass: 2 kg}}
joints: {guide: {type: point_on_line, b: bob, axis: x}}
forces:
  push: {type: load, b: bob, force: [0 N, 0, 0]}
  spring: {type: load, b: bob, force: ["-k*bob.x - c*bob.vx", 0, 0]}
analysis: {duration: 1 s}
"""


class Linear(unittest.TestCase):
    def test_warnings(self):
        # Results that do not belong to the state of the file come with a warning.
        with self.assertWarnsRegex(hooke.Warning, "not in equilibrium as placed"):
            hooke.read_text(PENDULUM).modes()
        with self.assertWarnsRegex(hooke.Warning, "initial velocities are ignored"):
            hooke.read(support.example("linear/bicycle.yaml")).modes()

    def test_static(self):
        m = hooke.read_text(PENDULUM.replace("forces: {", "forces: {push: {type: load, b: arm.end, force: [5 N, 0, 0]}, "))
        e = m.static()
        # The rod hangs at an angle whose tangent is 2 F/(m g) from the vertical.
        self.assertAlmostEqual(e["pin.angle"], -math.pi / 2 + math.atan(2 * 5 / (2 * 9.81)), places=9)
        self.assertEqual(e["pin.angle"].unit, "rad")
        self.assertLess(e.residual["relative"], 1e-9)
        with self.assertRaises(KeyError):
            e["pin.angel"]

    def test_no_equilibrium(self):
        m = hooke.read_text(OSCILLATOR.replace("-k*bob.x - c*bob.vx", "1 N"))
        with self.assertRaises(hooke.FailedError):
            m.static()

    def test_modes(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            modes = hooke.read_text(PENDULUM).modes()
        self.assertAlmostEqual(modes.frequencies[0], math.sqrt(1.5 * 9.81) / (2 * math.pi), places=9)
        damped = hooke.read_text(OSCILLATOR).modes()
        s = [m for m in damped if m.eigenvalue.imag > 0][0]
        exact = -0.5 + 1j * math.sqrt(50 - 0.25)
        self.assertAlmostEqual(abs(s.eigenvalue - exact), 0, places=9)
        self.assertAlmostEqual(s.damping, 0.5 / math.sqrt(50), places=9)
        self.assertTrue(damped.stable)
        self.assertAlmostEqual(abs(s.shape["bob.x"]), 1)

    def test_frf(self):
        m = hooke.read_text(OSCILLATOR)
        r = m.frf("bob.x", input="push.force.x", frequencies=[0.0, 0.5, 1.0, 1.125, 3.0])
        for f, z in zip(r.frequency, r["bob.x"]):
            w = 2 * math.pi * f
            self.assertAlmostEqual(abs(z - 1 / (100 - 2 * w * w + 2j * w)), 0, places=12)
        self.assertEqual(r.units["bob.x"], "m/N")
        wide = m.frf(["bob.x", "bob.vx"], input="push.force.x", k="200 N/m")
        self.assertAlmostEqual(wide.peak("bob.x")[0], math.sqrt(100 - 0.5) / (2 * math.pi), places=3)
        self.assertIn("<svg", wide.plot("bob.x").svg)
        with self.assertRaisesRegex(hooke.InputError, "name the input, one of"):
            m.frf("bob.x")

    def test_state_space(self):
        s = hooke.read_text(OSCILLATOR).state_space(["bob.x"])
        self.assertEqual(s["outputs"], ["bob.x"])
        w, i = 3.0, s["inputs"].index("push.force.x")
        try:
            import numpy
        except ImportError:
            self.skipTest("there is no numpy")
        a, b, c, d = (numpy.array(s[k]) for k in "ABCD")
        h = (c @ numpy.linalg.solve(1j * w * numpy.eye(len(a)) - a, b) + d)[0, i]
        self.assertAlmostEqual(abs(h - 1 / (100 - 2 * w * w + 2j * w)), 0, places=12)

    def test_as_command(self):
        path = support.example("linear/quarter_car.yaml")
        told = support.command("modes", path)
        mine = hooke.read(path).modes()
        theirs = told["eigenvalues"]
        self.assertEqual(len(mine), len(theirs))
        for a, b in zip(mine, theirs):
            self.assertAlmostEqual(a.eigenvalue.imag, b["im"], places=6)
            self.assertAlmostEqual(a.eigenvalue.real, b["re"], places=6)


    def test_in_motion(self):
        # The weave and capsize of a bicycle at its speed.
        path = support.example("linear/bicycle.yaml")
        told = support.command("modes", path, "--at", "0")["eigenvalues"]
        mine = hooke.read(path).modes(at=0)
        for a, b in zip(mine, told):
            self.assertAlmostEqual(a.eigenvalue.real, b["re"], places=6)
            self.assertAlmostEqual(a.eigenvalue.imag, b["im"], places=6)
        self.assertTrue(any(m.eigenvalue.imag > 0 for m in mine))


class Machines(unittest.TestCase):
    def test_gear(self):
        path = support.example("gear_rig/mesh.yaml")
        told = support.command("gear", path, "--all", "--torque", "100 N m")
        mine = hooke.read(path).gear(torque="100 N*m")
        for key in ("load", "contact_ratio", "sliding_max", "friction_loss", "speed"):
            self.assertEqual(mine[key], told[key], key)
        self.assertEqual(mine["stiffness"]["mean"], told["stiffness"]["mean"])
        self.assertEqual(mine["orders"], told["transmission_error"]["orders"])
        self.assertEqual(mine["pitch"]["stiffness"], told["pitch"]["stiffness"])
        self.assertEqual(mine["path"]["share"], told["path"]["share"])
        with self.assertRaisesRegex(hooke.InputError, "unknown gear_pair 'mash'; did you mean 'mesh'"):
            hooke.read(path).gear("mash")
        with self.assertRaisesRegex(hooke.InputError, "the model has no gear_pair"):
            hooke.read_text(PENDULUM).gear()

    def test_bearing(self):
        path = support.example("bearings/rotor.yaml")
        told = support.command("bearing", path, "rear", "--force", "300, 100, -400 N", "--speed", "1500 rpm")
        mine = hooke.read(path).bearing("rear", force=["0.3 kN", 100, -400], speed="1500 rpm")
        self.assertEqual(mine["displacement"], told["displacement"])
        self.assertEqual(mine["stiffness"], told["stiffness"])
        self.assertEqual(mine["life"]["L10r"], told["life"]["L10r"])
        self.assertEqual([e["load"][0] for e in mine["elements"]], [e["load_inner"] for e in told["elements"]])
        self.assertEqual(mine["frequencies"], told["frequencies"])


class Nonlinear(unittest.TestCase):
    def test_poincare(self):
        # A driven linear oscillator ends on an orbit with the period of its load.
        m = hooke.read_text(OSCILLATOR.replace("[0 N, 0, 0]", "[\"1 N * sin(2*pi*1 Hz * t)\", 0, 0]"))
        o = m.poincare("bob.x", "bob.vx", period="1 s", skip=40, points=20, analysis={"rtol": 1e-11, "atol": 1e-13})
        self.assertEqual(o["period"], 1)
        self.assertEqual((len(o["points"]), len(o["points"][0])), (20, 2))
        w = 2 * math.pi
        h = 1 / (100 - 2 * w * w + 2j * w)
        self.assertAlmostEqual(o["points"][-1][0], h.imag, places=6)
        with self.assertRaises(hooke.InputError):
            m.poincare("bob.x")


if __name__ == "__main__":
    support.main()
