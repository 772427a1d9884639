"""Simulations step by step: inputs, values, save, restore, copy, recordings, controllers, threads."""

import math
import threading
import time
import unittest

import hooke
import support
from support import PENDULUM

MOTOR = """\
format: 1
bodies: {motor: {type: rotor, inertia: 0.02 kg*m^2}}
inputs: {torque: {unit: N*m}}
forces: {drive: {type: actuator, coordinate: motor, force: torque}}
analysis: {duration: 1 s}
"""
EXAMPLES = (
    "benchmarks/a01_pendulum.yaml",
    "benchmarks/a02_four_bar.yaml",
    "clearance/slider_crank.yaml",
    "nonlinear/duffing.yaml",
    "control/quarter_car.yaml",
)


class Steps(unittest.TestCase):
    def test_advance_and_values(self):
        s = hooke.read_text(PENDULUM).simulate()
        self.assertEqual(s.time, 0)
        self.assertTrue(s.advance(0.5))
        self.assertEqual(s.time, 0.5)
        r = hooke.read_text(PENDULUM).run()
        self.assertAlmostEqual(s["pin.angle"], r.at(0.5, "pin.angle"), places=6)
        self.assertEqual(s["pin.angle"], s[s.model.find("pin.angle")])
        self.assertTrue(s.step(1.0))
        self.assertTrue(0.5 < s.time <= 1)
        self.assertGreater(s.statistics["steps"], 5)
        with self.assertRaisesRegex(KeyError, "did you mean 'pin.angle'"):
            s["pin.angel"]
        with self.assertRaises(IndexError):
            s[10**6]
        position, q, v, w = s.pose("arm")
        self.assertAlmostEqual(math.hypot(*position), 0.5, places=6)
        self.assertAlmostEqual(w[2], s["pin.angle_rate"], places=9)

    def test_inputs(self):
        m = hooke.read_text(MOTOR)
        s = m.simulate()
        s.set_input("torque", 1.0)
        s.advance(0.1)
        self.assertAlmostEqual(s["motor.angle_rate"], 5, places=9)
        s.set_input("torque", 1.0, 10.0)  # from 1 N m, 10 N m/s
        s.advance(0.2)
        self.assertAlmostEqual(s["motor.angle_rate"], 5 + (0.1 + 0.05) / 0.02, places=4)
        self.assertAlmostEqual(s.sensitivity("torque", ["motor.angle_acc"])[0], 50, places=6)
        with self.assertRaisesRegex(KeyError, "no input 'torqe'; did you mean 'torque'"):
            s.set_input("torqe", 1)
        with self.assertRaises(TypeError):
            s.set_input("torque")

    def test_save_restore_copy(self):
        # To the last bit, with the integrator that each model takes.
        for name in EXAMPLES:
            with self.subTest(name):
                m = hooke.read(support.example(name))
                s = m.simulate()
                end = m.analysis.value("duration")
                s.advance(s.time + 0.01 * end)
                channels = [n for n, _, _, rank in s.model.channels() if rank == 0][:8]
                state, start = s.save(), s.time
                other = s.copy()

                def values(sim):
                    sim.advance(start + 0.02 * end)
                    return [sim[n] for n in channels]

                first = values(s)
                self.assertEqual(values(other), first)
                s.restore(state)
                self.assertEqual(s.time, start)
                self.assertEqual(values(s), first)

    def test_state_of_another_model(self):
        state = hooke.read_text(PENDULUM).simulate().save()
        with self.assertRaisesRegex(hooke.InputError, "another model"):
            hooke.read_text(MOTOR).simulate().restore(state)
        with self.assertRaises(TypeError):
            hooke.read_text(MOTOR).simulate().restore(b"1234")

    def test_changed_parameter(self):
        m = hooke.read_text(MOTOR.replace("0.02 kg*m^2", "J").replace("format: 1", "format: 1\nparameters: {J: 0.02 kg*m^2}"))
        s = m.simulate()
        s.set_input("torque", 1.0)
        s.advance(0.1)
        heavy = s.with_model(m.compile(J="0.04 kg*m^2"))
        heavy.advance(0.2)
        self.assertAlmostEqual(heavy["motor.angle_rate"], 5 + 2.5, places=6)
        s.advance(0.2)
        self.assertAlmostEqual(s["motor.angle_rate"], 10, places=6)

    def test_recorder(self):
        s = hooke.read_text(MOTOR).simulate()
        rec = s.recorder(["motor.angle_rate", "torque"])
        for i in range(5):
            s.set_input("torque", float(i))
            rec.append()
            s.advance((i + 1) / 10)
        self.assertEqual(rec.rows, 5)
        first = rec.column("torque")
        rec.append()
        self.assertEqual(list(first), [0, 1, 2, 3, 4])
        self.assertEqual(len(rec.column("torque")), 6)

    def test_controller(self):
        state = {"integral": 0.0}

        def controller(sim):
            error = 100 - sim["motor.angle_rate"]
            state["integral"] += 0.01 * error
            sim.set_input("torque", 0.2 * error + 1.5 * state["integral"])

        r = hooke.read_text(MOTOR).control(controller, "10 ms", "1 s", record=["motor.angle_rate", "torque"])
        self.assertEqual(len(r), 101)
        self.assertAlmostEqual(r["motor.angle_rate"][-1], 100, delta=2)
        # The same by hand: the speed is a sum of jumps of the torque.
        speed, integral = 0.0, 0.0
        for _ in range(100):
            error = 100 - speed
            integral += 0.01 * error
            speed += 0.01 * (0.2 * error + 1.5 * integral) / 0.02
        self.assertAlmostEqual(r["motor.angle_rate"][-1], speed, places=5)

    def test_matrices(self):
        s = hooke.read_text(MOTOR).simulate()
        m = s.matrices()
        self.assertEqual(m["M"], [[0.02]])
        self.assertEqual(m["G"], [])

    def test_busy(self):
        # A second thread is refused, and the simulation goes on.
        s = hooke.read_text(PENDULUM).simulate()
        done = []
        event = threading.Event()
        thread = threading.Thread(target=lambda: done.append(s.advance(1e6, None, event)))
        thread.start()
        time.sleep(0.1)
        for use in (lambda: s.advance(2.0), lambda: s["pin.angle"], lambda: s.save(), lambda: s.time):
            with self.assertRaisesRegex(hooke.Error, "in use by another thread"):
                use()
        event.set()
        thread.join(10)
        self.assertEqual(done, [False])
        self.assertGreater(s.time, 0)

    def test_progress(self):
        s = hooke.read_text(PENDULUM).simulate()
        calls = []
        self.assertFalse(s.advance(1e6, lambda *now: calls.append(now) or len(calls) < 2))
        self.assertEqual(len(calls), 2)
        self.assertTrue(0 < s.time < 1e6)


if __name__ == "__main__":
    support.main()
