"""Periodic orbits, FMUs, optimisation, sensitivity, surrogates, and the command behind them."""

import cmath
import math
import os
import subprocess
import sys
import tempfile
import unittest
import zipfile

import hooke
import support
from support import PENDULUM

OSCILLATOR = """\
format: 1
parameters: {w: 9 rad/s, c: 1.2 N*s/m}
bodies: {bob: {type: point_mass, mass: 2 kg, position: [0, 0, 0]}}
joints: {guide: {type: point_on_line, b: bob, axis: x}}
forces: {spring: {type: load, b: bob, force: ["-180 N/m * bob.x - c * bob.vx + 3 N * sin(w * t)", 0, 0]}}
measures: {high: {of: bob.x, take: max}}
analysis: {duration: 1 s}
"""
# Where the fall of a pendulum is fastest at its lowest point: v = sqrt(3 g L); the miss has its least at L = 0.9 m.
DESIGN = """\
format: 1
model: model.yaml
axes: {L: "0.5..1.5:5 m", m: "1..3:3 kg"}
measures: [fastest]
goals: {miss: {minimize: "(fastest + 5.7184 rad/s)^2"}}
"""


class Periodic(unittest.TestCase):
    def test_forced_oscillator(self):
        m = hooke.read_text(OSCILLATOR)
        for w, c in ((9, 1.2), (11, 0.4)):
            p = m.periodic(2 * math.pi / w, w=f"{w} rad/s", c=f"{c} N*s/m")
            self.assertAlmostEqual(p.period, 2 * math.pi / w, places=12)
            self.assertEqual(p.stability, "stable")
            r = p.run()
            amplitude = 3 / abs(180 - 2 * w * w + 1j * c * w)
            self.assertAlmostEqual(r.measures["high"] / amplitude, 1, places=4)
            self.assertAlmostEqual(r["bob.x"][0], r["bob.x"][-1], delta=1e-5 * amplitude)
            eigenvalue = -c / 4 + 1j * math.sqrt(90 - (c / 4) ** 2)
            expected = cmath.exp(eigenvalue * p.period)
            found = max(p.multipliers, key=lambda z: (z.imag > 0, abs(z)))
            self.assertAlmostEqual(abs(found - complex(expected.real, abs(expected.imag))), 0, places=4)
            s = m.simulate(stepper=p.report["stepper"], w=f"{w} rad/s", c=f"{c} N*s/m")
            p.start(s)
            self.assertEqual(s["bob.x"], r["bob.x"][0])

    def test_errors(self):
        m = hooke.read_text(OSCILLATOR)
        with self.assertRaisesRegex(hooke.InputError, "no period; give"):
            m.periodic()
        with self.assertRaisesRegex(hooke.InputError, "the method is"):
            m.periodic("0.7 s", method="fast")
        with self.assertRaisesRegex(hooke.InputError, "bob.y"):
            m.periodic(turn="bob.yy")
        with self.assertRaises(hooke.FailedError):  # too few periods
            m.periodic(2 * math.pi / 9, most_runs=1, tolerance=1e-12, method="plain")
        with self.assertRaises(hooke.InputError):
            m.periodic(2 * math.pi / 9).start(hooke.read_text(OSCILLATOR).simulate())


class Commands(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name, text=None):
        path = os.path.join(self.folder, name)
        if text is not None:
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
        return path

    def test_fmu(self):
        text = PENDULUM + "inputs: {push: {unit: N}}\n"
        built = hooke.Model(title="built")
        built.parameters["J"] = "2 kg*m^2"
        built.bodies["wheel"] = hooke.rotor(inertia="J")
        built.analysis = hooke.dynamics(duration="1 s")
        for k, m in enumerate((hooke.read(self.path("m.yaml", text)), hooke.read_text(text), built)):
            for fmi in (2, 3):
                path = self.path(f"{k}{fmi}.fmu")
                m.fmu(path, fmi=fmi)
                with zipfile.ZipFile(path) as z:
                    description = z.read("modelDescription.xml").decode()
                    self.assertIn(f'fmiVersion="{fmi}.0"', description)
                    self.assertIn('"J"' if m is built else '"push"', description)
        m = hooke.read_text(text)
        m.parameters["L"] = "80 cm"
        m.fmu(self.path("c.fmu"), outputs="pin.angle", parameters=["L"])
        with zipfile.ZipFile(self.path("c.fmu")) as z:
            description = z.read("modelDescription.xml").decode()
        self.assertIn('start="0.8"', description)
        self.assertNotIn('"arm.x"', description)
        m.fmu(self.path("e.fmu"), arrays="position=arm.x,arm.y,arm.z", model_exchange=True)
        with zipfile.ZipFile(self.path("e.fmu")) as z:
            description = z.read("modelDescription.xml").decode()
        self.assertIn('<Dimension start="3"/>', description)
        self.assertIn("<ModelExchange ", description)
        with self.assertRaisesRegex(hooke.InputError, "nothing"):
            m.fmu(self.path("d.fmu"), outputs="nothing")
        self.assertFalse(os.path.exists(self.path("d.fmu")))

    def test_optimum_sensitivity_surrogate(self):
        self.path("model.yaml", PENDULUM)
        s = hooke.study(self.path("design.yaml", DESIGN), folder=self.path("study"), jobs=2)
        best = s.optimize(variants=60)
        self.assertTrue(best.feasible)
        self.assertLess(best.value, 1e-4)
        length = hooke.quantity(best["parameters.L" if "parameters.L" in best else "L"])
        self.assertAlmostEqual(length, 0.9, delta=0.01)
        again = hooke.study(self.path("design.yaml"), folder=self.path("study"), jobs=2).optimize(variants=60)
        self.assertEqual((again, again.value), (best, best.value))
        effects = s.sensitivity(samples=4)["fastest"]
        by_axis = {k.split(".")[-1]: v["mu_star"] for k, v in effects.items()}
        self.assertGreater(by_axis["L"], 1)
        self.assertLess(by_axis["m"], 1e-3)
        s.run()
        table = s.surrogate("fastest", "L=0.5..1.5:11")
        lengths, speeds = list(table.values())[0], list(table.values())[-2]
        self.assertEqual(len(lengths), 11)
        for x, v in zip(lengths, speeds):
            self.assertAlmostEqual(v, -math.sqrt(3 * 9.81 / x), delta=0.15)

    def test_fit(self):
        path = self.path("oscillator.yaml", """\
format: 1
parameters: {k: 100 N*m/rad, c: 0.01 N*m*s/rad}
bodies: {disc: {type: rotor, inertia: 0.0021 kg*m^2, angle: 0.1 rad}}
forces: {rod: {type: torsion_spring, b: disc, stiffness: k, damping: c}}
analysis: {duration: 0.3 s}
""")
        k, c, inertia = 118.3, 0.0213, 0.0021
        z = c / (2 * inertia)
        w = math.sqrt(k / inertia - z * z)
        t = [i / 1000 for i in range(301)]
        data = {"time [s]": t, "angle [rad]": [0.1 * math.exp(-z * x) * (math.cos(w * x) + z / w * math.sin(w * x)) for x in t]}
        bounds = {"k": "60:180 N*m/rad", "c": "0.002:0.2 N*m*s/rad"}
        f = hooke.fit(path, data, bounds, match={"angle": "disc.angle"})
        self.assertAlmostEqual(f["k"], k, delta=1e-6)
        self.assertAlmostEqual(f["c"], c, delta=1e-8)
        self.assertEqual(f["k"].unit, "N*m/rad")
        self.assertLess(f["k"].error, 1e-6)
        self.assertAlmostEqual(f.correlation["k"]["k"], 1)
        self.assertTrue(f.converged)
        self.assertAlmostEqual(hooke.read(path).run(set=f.set)["disc.angle"][-1], data["angle [rad]"][-1], delta=1e-8)
        with self.assertRaisesRegex(hooke.FailedError, "distinguish these parameters"):
            hooke.fit(path, data, {**bounds, "bodies.disc.inertia": "0.001:0.004 kg*m^2"}, match={"angle": "disc.angle"})
        with self.assertRaisesRegex(hooke.InputError, "no column"):
            hooke.fit(path, data, bounds)
        with self.assertRaises(ValueError):
            hooke.fit(path, {"time [s]": t, "angle [rad]": [1.0]}, bounds)

    def test_other_arguments(self):
        self.path("model.yaml", PENDULUM)
        design = DESIGN.replace("goals: {", 'goals: {slow: {maximize: fastest}, ')
        path = self.path("design.yaml", design)
        s = hooke.study(path, folder=self.path("study"), jobs=2)
        slow, miss = s.optimize("slow", variants=12), s.optimize("miss", variants=12)
        self.assertEqual((slow.goal, miss.goal), ("slow", "miss"))
        self.assertGreaterEqual(slow["L"], miss["L"])
        for given in ({"variants": 14}, {"variants": 12, "seed": 5}, {"variants": 12, "seed": 6}):
            once = s.optimize("miss", **given)
            self.assertEqual(once.goal, "miss")
            self.assertEqual(s.optimize("miss", **given), once)
        morris = s.sensitivity(samples=3)
        sobol = s.sensitivity("sobol", samples=4)
        self.assertNotEqual(morris, sobol)
        self.assertEqual(s.sensitivity(samples=3), morris)
        self.assertNotEqual(s.sensitivity(samples=3, seed=9), morris)
        self.assertNotEqual(s.sensitivity(samples=2), morris)
        # Without resume every call has a folder of its own.
        folders = len(os.listdir(self.folder))
        new = hooke.study(path, folder=self.path("study"), jobs=2, resume=False)
        self.assertEqual(new.sensitivity(samples=3), morris)
        self.assertEqual(new.sensitivity(samples=3), morris)
        self.assertEqual(new.optimize("miss", variants=12), miss)
        self.assertEqual(len(os.listdir(self.folder)), folders + 3)
        # A folder that is named is used as it is: it goes on with the same arguments only.
        own = self.path("own")
        self.assertEqual(s.optimize("miss", variants=12, folder=own), miss)
        self.assertEqual(s.optimize("miss", variants=12, folder=own), miss)
        for wrong in (lambda: s.optimize("miss", variants=13, folder=own), lambda: new.optimize("miss", variants=12, folder=own)):
            with self.assertRaises(hooke.InputError):
                wrong()
        with self.assertRaisesRegex(hooke.InputError, "none/../x"):
            s.optimize("none/../x")

    def test_surrogate_before_the_run(self):
        self.path("model.yaml", PENDULUM)
        s = hooke.study(self.path("design.yaml", DESIGN), folder=self.path("study"))
        for use in (lambda: s.surrogate("fastest", "L=0.5..1.5:11"), s.table):
            with self.assertRaisesRegex(hooke.InputError, "run the study first"):
                use()

    def test_command(self):
        path = self.path("m.yaml", PENDULUM)
        told = hooke.command("run", path, "-o", self.path("r.h5"), json=True)
        self.assertAlmostEqual(told["measures"]["fastest"]["value"], hooke.read(path).run().measures["fastest"], places=12)
        self.assertIn("usage", hooke.command("run", "--help"))
        with self.assertRaisesRegex(hooke.InputError, "lenght"):
            hooke.command("check", self.path("w.yaml", PENDULUM.replace("length:", "lenght:")))
        with self.assertRaises(hooke.InputError):
            hooke.command("no-such-command")
        environment = {**os.environ}
        done = subprocess.run([sys.executable, "-m", "hooke", "--version"], stdout=subprocess.PIPE, text=True, env=environment)
        self.assertEqual(done.stdout.split(), ["hooke", hooke.__version__])

    def test_no_command_or_another_version(self):
        wrong = self.path("hooke", "#!/bin/sh\necho hooke 9.9.9\n")
        os.chmod(wrong, 0o755)
        program = "import hooke\ntry:\n    hooke.command('--version')\nexcept hooke.Error as e:\n    print(e)\n"
        done = subprocess.run(
            [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env={**os.environ, "HOOKE_COMMAND": wrong}, check=True
        )
        self.assertIn("is version 9.9.9", done.stdout)
        # What HOOKE_COMMAND names is used or refused, never replaced by another command.
        plain, fails = self.path("plain", "no program"), self.path("fails", "#!/bin/sh\nexit 1\n")
        os.chmod(fails, 0o755)
        for name, told in (
            (self.path("missing"), "not a program"), (plain, "not a program"), (self.folder, "not a program"),
            ("no-such-program", "not a program"),
            (fails, "not the command hooke"), ("true", "not the command hooke"),
        ):
            done = subprocess.run(
                [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env={**os.environ, "HOOKE_COMMAND": name}, check=True
            )
            self.assertIn(f"HOOKE_COMMAND names '{name}'", done.stdout)
            self.assertIn(told, done.stdout)

    def test_environment(self):
        # The command has the environment of the program, all of it.
        script = self.path("hooke", '#!/bin/sh\ncase $1 in --version) echo "hooke $VERSION";; *) echo "$LD_PRELOAD";; esac\n')
        os.chmod(script, 0o755)
        preload = os.environ.get("LD_PRELOAD") or "libc.so.6"
        done = subprocess.run(
            [sys.executable, "-c", "import hooke\nprint(hooke.command('run'))"], stdout=subprocess.PIPE, text=True, check=True,
            env={**os.environ, "HOOKE_COMMAND": script, "VERSION": hooke.__version__, "LD_PRELOAD": preload},
        )
        self.assertEqual(done.stdout.strip(), preload)


if __name__ == "__main__":
    support.main()
