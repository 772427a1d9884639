"""Models built in Python: names and checks of the tables, reading back, changing, saving."""

import os
import tempfile
import unittest

import hooke
import support
from support import PENDULUM


def pendulum():
    m = hooke.Model(title="Pendulum")
    m.parameters["L"] = "1 m"
    m.parameters["m"] = "2 kg"
    m.bodies["arm"] = hooke.rod(length="L", mass="m", position=["L/2", 0, 0])
    m.joints["pin"] = hooke.revolute(b="arm", at=[0, 0, 0], axis="z")
    m.forces["weight"] = hooke.gravity(acceleration=[0, -9.81, 0])
    m.measures["fastest"] = hooke.channel(of="pin.angle_rate", take="min")
    m.analysis = hooke.dynamics(duration=2, output_step="10 ms")
    return m


class Building(unittest.TestCase):
    def test_same_as_file(self):
        a, b = pendulum().run(L="70 cm"), hooke.read_text(PENDULUM).run(L="70 cm")
        self.assertEqual(a.names, b.names)
        for name in a:
            self.assertEqual(a[name].tolist(), b[name].tolist(), name)

    def test_text(self):
        m = pendulum()
        again = hooke.read_text(m.text)
        self.assertEqual(again.run()["pin.angle"].tolist(), m.run()["pin.angle"].tolist())
        with tempfile.TemporaryDirectory() as d:
            path = os.path.join(d, "p.yaml")
            m.save(path)
            self.assertEqual(hooke.read(path).run()["pin.angle"].tolist(), m.run()["pin.angle"].tolist())

    def test_names_are_checked_at_once(self):
        with self.assertRaisesRegex(AttributeError, "no parameter 'lenght'; did you mean 'length'"):
            hooke.rod(lenght="1 m")
        with self.assertRaisesRegex(TypeError, r"^rod\(\) takes"):
            hooke.rod("1 m")
        with self.assertRaisesRegex(TypeError, "not 3$"):
            hooke.conform(3)
        with self.assertRaisesRegex(AttributeError, "did you mean 'rod'"):
            hooke.rodd
        m = pendulum()
        with self.assertRaisesRegex(AttributeError, "did you mean 'mass'"):
            m.bodies["arm"].mas = 3
        with self.assertRaisesRegex(hooke.InputError, "no type of joints"):
            m.joints["x"] = hooke.rod(length=1, mass=1)
        with self.assertRaisesRegex(KeyError, "did you mean 'arm'"):
            m.bodies["arn"]
        with self.assertRaisesRegex(AttributeError, "no 'titel'; did you mean 'title'"):
            m.titel = "x"
        with self.assertRaisesRegex(AttributeError, "parameters are set by name"):
            m.parameters = {"L": "1 m"}
        with self.assertRaisesRegex(AttributeError, "items are set by name"):
            m.bodies = {}

    def test_ranges_and_choices(self):
        with self.assertRaisesRegex(hooke.InputError, "must be positive"):
            hooke.rod(length=-1)
        with self.assertRaisesRegex(hooke.InputError, "one of"):
            hooke.dynamics(initial_state="equilibrum")
        m = pendulum()
        m.bodies["arm"].length = "-1 m"
        with self.assertRaisesRegex(hooke.InputError, "bodies.arm"):
            m.compile()

    def test_reading_back(self):
        m = pendulum()
        arm = m.bodies["arm"]
        self.assertEqual(arm.length, "L")
        self.assertEqual((arm.value("length"), arm.value("length").unit), (1, "m"))
        self.assertEqual(arm.value("position"), [0.5, 0, 0])
        self.assertEqual(arm.velocity, [0, 0, 0])  # a default
        self.assertEqual(m.joints["pin"].value("b"), "arm")
        self.assertEqual(list(m.bodies), ["arm"])
        self.assertEqual(m.parameters.keys(), ["L", "m"])
        f = hooke.read_text(PENDULUM)
        self.assertEqual((f.bodies["arm"].type, f.bodies["arm"].mass), ("rod", 2))
        self.assertEqual(f.analysis.duration, 2)
        self.assertEqual(list(f.forces), ["weight"])

    def test_changing(self):
        m = pendulum()
        before = m.run()["pin.angle"][-1]
        m.bodies["arm"].length = "80 cm"
        self.assertNotEqual(m.run()["pin.angle"][-1], before)
        m.bodies["arm"].length = "L"
        self.assertEqual(m.run()["pin.angle"][-1], before)
        m.forces["friction"] = hooke.actuator(coordinate="pin.angle", force="-1 N*m*s/rad * pin.angle_rate")
        damped = m.run()["pin.angle"][-1]
        self.assertNotEqual(damped, before)
        del m.forces["friction"]
        self.assertEqual(m.run()["pin.angle"][-1], before)
        with self.assertRaises(KeyError):
            del m.forces["friction"]

    def test_changing_a_file(self):
        f = hooke.read_text(PENDULUM)
        before = f.run()["pin.angle"][-1]
        f.bodies["arm"].length = 0.8
        f.bodies["arm"].position = ["0.4 m", 0, 0]
        self.assertEqual(f.run()["pin.angle"].tolist(), pendulum().run(L=0.8)["pin.angle"].tolist())
        f.forces["drive"] = hooke.actuator(coordinate="pin.angle", force="1 N*m")
        self.assertIn("drive", f.forces)
        self.assertNotEqual(f.run()["pin.angle"][-1], before)
        del f.forces["weight"]
        self.assertEqual(list(f.forces), ["drive"])
        # Without weight the torque alone accelerates: M/J = 1/(2*0.8^2/3).
        self.assertAlmostEqual(f.run()["pin.angle_rate"][-1], 2 / (2 * 0.8**2 / 3), places=6)

    def test_copy(self):
        m = pendulum()
        other = m.copy()
        other.bodies["arm"].length = 0.5
        self.assertEqual(m.bodies["arm"].value("length"), 1)
        self.assertEqual(other.bodies["arm"].value("length"), 0.5)
        with self.assertRaisesRegex(hooke.InputError, "already"):
            other.bodies["second"] = m.bodies["arm"]

    def test_kinds_of_values(self):
        m = hooke.Model()
        m.bodies["b"] = hooke.rigid_body(
            mass=2, inertia=[1, 2, 3], position=[0, "1 m", 0], orientation={"axis": "z", "angle": "30 deg"},
            markers={"tip": [0.5, 0, 0]},
        )
        m.bodies["c"] = hooke.rigid_body(mass=1, inertia=[1, 1, 1], position=[0, 5, 0], orientation=[1, 0, 0, 0])
        m.inputs["u"] = "N"
        m.sensors["height"] = "b.tip.y"
        m.forces["f"] = hooke.forces.load(b="b.tip", force=["u", 0, 0])
        m.analysis = {"duration": "1 s"}
        m.tables["road"] = hooke.table(points=[["0 s", "0 m"], ["1 s", "2 m"]])
        c = m.compile()
        self.assertAlmostEqual(c.value("bodies", "b", "orientation")[1][0], 0.9659258262890683)
        self.assertIn("height", m.channels)
        self.assertEqual([n for n, _ in c.inputs()], ["u"])

    def test_many_by_a_loop(self):
        m = hooke.Model()
        n = 60
        for i in range(n):
            m.bodies[f"r{i}"] = hooke.rotor(inertia=0.01)
            if i:
                m.forces[f"s{i}"] = hooke.actuator(coordinate=f"r{i}", force=f"-100 N*m/rad * (r{i}.angle - r{i-1}.angle)")
        m.analysis = hooke.dynamics(duration=0.1)
        self.assertEqual(m.compile().sizes["bodies"], n)

    def test_words_of_python(self):
        m = pendulum()
        m.measures["late"] = hooke.channel(of="pin.angle_rate", take="min", from_="1.5 s")
        self.assertEqual(m.measures["late"].from_, "1.5 s")
        r = m.run()
        late = [v for t, v in zip(r.time, r["pin.angle_rate"]) if t >= 1.5]
        self.assertAlmostEqual(r.measures["late"], min(late), places=3)

    def test_documentation(self):
        self.assertIn("length: number [m], required", hooke.rod.__doc__)
        self.assertIn("rod", dir(hooke))
        self.assertIn("revolute", dir(hooke.joints))
        self.assertIn("length", dir(hooke.rod()))


if __name__ == "__main__":
    support.main()
