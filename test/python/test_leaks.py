"""Memory after many repetitions: neither Python objects nor memory of the library grow."""

import gc
import os
import tempfile
import tracemalloc
import unittest

import hooke
import support
from support import PENDULUM
from test_simulation import MOTOR

SLOW = "HOOKE_PYTHON_SLOW" in os.environ


def resident():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Leaks(unittest.TestCase):
    def grow(self, what, repeat=150):
        """Growth of Python's memory and of all resident memory [bytes per repetition]."""
        for _ in range(20):
            what()
        gc.collect()
        tracemalloc.start()
        what()
        gc.collect()
        before, resident_before = tracemalloc.get_traced_memory()[0], resident()
        for _ in range(repeat):
            what()
        gc.collect()
        python, all = tracemalloc.get_traced_memory()[0] - before, resident() - resident_before
        tracemalloc.stop()
        return python / repeat, all / repeat

    def check(self, what, repeat=150):
        python, all = self.grow(what, 20 if SLOW else repeat)
        # Caches may settle; an object of 60 bytes that is lost in each repetition shows.
        self.assertLess(python, 60 if not SLOW else 400)
        if not SLOW:  # sanitizers keep freed memory for a while
            self.assertLess(all, 4000)

    def test_run(self):
        model = hooke.read_text(PENDULUM)
        self.check(lambda: model.run()["pin.angle"].to("deg")[3:9].tolist())

    def test_failed_run(self):
        model = hooke.read_text(PENDULUM + "motions: {drive: {coordinate: pin.angle, value: \"if(t < 1 s, 0 rad, 1 rad)\"}}\n")

        def fail():
            try:
                model.run()
            except hooke.FailedError as e:
                self.assertTrue(e.results)

        self.check(fail, 40)

    def test_wrong_model(self):
        def wrong():
            try:
                hooke.read_text(PENDULUM.replace("length", "lenght"))
            except hooke.InputError as e:
                self.assertTrue(e.messages)

        self.check(wrong)

    def test_simulation(self):
        model = hooke.read_text(MOTOR)

        def use():
            s = model.simulate(stepper="generalized_alpha")
            s.set_input("torque", 1.0)
            s.advance(0.01)
            state = s.save()
            s.copy().restore(state)
            r = s.recorder(["torque"])
            r.append()
            r.column("torque")
            s.quality(), s.matrices(), s.statistics, s["motor.angle"]

        self.check(use)

    def test_analyses(self):
        model = hooke.read_text(PENDULUM.replace("forces: {", "forces: {push: {type: load, b: arm, force: [0 N, 0, 0]}, "))

        def use():
            model.static()
            model.modes()
            model.frf("pin.angle", input="push.force.x", frequencies=[1.0, 2.0])
            model.state_space(["pin.angle"])

        self.check(use, 60)

    def test_custom_force(self):
        @hooke.force(parameters={"k": "N*m/rad"})
        def spiral(x, k):
            return -k * x

        model = hooke.read_text(PENDULUM)
        model.forces["s"] = spiral(coordinate="pin.angle", k=1)
        self.check(lambda: model.run(analysis={"duration": "0.1 s"}), 60)

    def test_file_and_figures(self):
        results = hooke.read_text(PENDULUM).run()
        with tempfile.TemporaryDirectory() as d:
            path = os.path.join(d, "r.h5")

            def use():
                results.save(path)
                f = hooke.open_results(path)
                f["pin.angle"]
                results.plot("pin.angle", "arm.x")

            self.check(use, 40)


if __name__ == "__main__":
    support.main()
