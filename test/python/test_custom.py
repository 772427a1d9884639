"""Forces and sensors written in Python."""

import threading
import unittest

import hooke
import support
from test_build import pendulum


@hooke.force(parameters={"k": "N*m/rad", "c": ("N*m*s/rad", 0.0, "damping")})
def spiral(x, rate, k, c):
    """Torsion spring with damping."""
    return -k * x - c * rate


@hooke.force(parameters={"k": "N/m"})
def tether(A, B, k):
    return [-k * (b - a) for a, b in zip(A.x, B.x)]


@hooke.force(parameters={"k": "N/m"})
def to_the_origin(A, B, k):
    # Wrong: it depends on where the model stands.
    return [-k * b for b in B.x]


@hooke.sensor(unit="m")
def height(A, B):
    return B.x[1] - A.x[1]


@hooke.force(parameters={"k": "N*m/rad"}, channels={"stored": ("J", "stored energy")})
def watched(x, k):
    return -k * x, {"stored": k * x * x / 2}


class Custom(unittest.TestCase):
    def test_same_as_built_in(self):
        m = pendulum()
        m.analysis.rtol = 1e-9
        m.forces["s"] = spiral(coordinate="pin.angle", k="10 N*m/rad", c=0.5)
        mine = m.run()["pin.angle"]
        m.forces["s"] = hooke.torsion_spring(coordinate="pin.angle", stiffness="10 N*m/rad", damping="0.5 N*m*s/rad")
        theirs = m.run()["pin.angle"]
        self.assertLess(max(abs(a - b) for a, b in zip(mine, theirs)), 1e-6)

    def test_between_frames(self):
        m = pendulum()
        m.forces["cord"] = tether(b="arm.end", k=50)
        mine = m.run()["pin.angle"]
        m.forces["cord"] = hooke.forces.load(
            b="arm.end", force=["-50 N/m * arm.end.x", "-50 N/m * arm.end.y", "-50 N/m * arm.end.z"]
        )
        theirs = m.run()["pin.angle"]
        self.assertLess(max(abs(a - b) for a, b in zip(mine, theirs)), 1e-5)

    def test_in_a_file(self):
        m = hooke.read_text(support.PENDULUM.replace("forces: {", "forces: {s: {type: spiral, coordinate: pin.angle, k: 10 N*m/rad}, "))
        self.assertEqual(m.forces["s"].k, 10)
        self.assertNotEqual(m.run()["pin.angle"][-1], hooke.read_text(support.PENDULUM).run()["pin.angle"][-1])

    def test_sensor_and_channels(self):
        m = pendulum()
        m.forces["h"] = height(b="arm.end")
        m.forces["w"] = watched(coordinate="pin.angle", k=3)
        r = m.run()
        for a, b in zip(r["h.value"], r["arm.end.y"]):
            self.assertAlmostEqual(a, b, places=12)
        self.assertAlmostEqual(r["w.stored"][5], 1.5 * r["pin.angle"][5] ** 2)
        self.assertEqual(r["h.value"].unit, "m")

    def test_exception(self):
        @hooke.force
        def broken(x, t):
            if t > 0.5:
                raise ZeroDivisionError("in the force")
            return 0.0

        m = pendulum()
        m.forces["b"] = broken(coordinate="pin.angle")
        with self.assertRaisesRegex(ZeroDivisionError, "in the force"):
            m.run()
        s = m.simulate()
        s.advance(0.4)
        with self.assertRaisesRegex(ZeroDivisionError, "in the force"):
            s.advance(1.0)

    def test_wrong_result(self):
        @hooke.force
        def wordy(x):
            return "much"

        m = pendulum()
        m.forces["b"] = wordy(coordinate="pin.angle")
        with self.assertRaises(TypeError):
            m.run()

    def test_wrong_arguments(self):
        with self.assertRaisesRegex(TypeError, "'y' is neither t, x, rate nor one of its parameters"):

            @hooke.force
            def wrong(x, y):
                return 0.0

    def test_parameters(self):
        with self.assertRaisesRegex(AttributeError, "no parameter 'q'"):
            spiral(coordinate="pin.angle", q=1)
        m = pendulum()
        m.forces["s"] = spiral(coordinate="pin.angle", k="10 N")
        with self.assertRaisesRegex(hooke.InputError, "forces.s"):
            m.compile()
        m.forces["s"] = spiral(coordinate="pin.angle")
        with self.assertRaisesRegex(hooke.InputError, "k"):
            m.compile()

    def test_threads(self):
        m = pendulum()
        m.forces["s"] = spiral(coordinate="pin.angle", k=10)
        alone = m.run()["pin.angle"].tolist()
        out = []
        threads = [threading.Thread(target=lambda: out.append(m.run()["pin.angle"].tolist())) for _ in range(3)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(out, [alone] * 3)

    def test_conform(self):
        report = hooke.conform(spiral, only="tangent")
        self.assertTrue(report.passed, report)
        report = hooke.conform(to_the_origin, only="invariance")
        self.assertFalse(report.passed)
        self.assertEqual(report.failures[0][0], "invariance")
        with self.assertRaises(hooke.InputError):
            hooke.conform("no_such_type")


if __name__ == "__main__":
    support.main()
