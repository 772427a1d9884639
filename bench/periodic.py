"""Effort of periodic orbits: periods, steps and CPU seconds of `hooke periodic`.

usage: bench/periodic.py HOOKE EXAMPLES
Prints a table. CPU seconds include the start of the program and the period over which the measures are evaluated.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile

DUFFING = """\
format: 1
parameters: {{w: {w} rad/s, z: {z}}}
bodies: {{m: {{type: rotor, inertia: 1 kg*m^2}}}}
sensors: {{period: {{value: 2*pi/w * 1 rad}}}}
forces:
  f: {{type: actuator, coordinate: m.angle, force: (0.2*cos(w*t/(1 rad)) - 2*z*m.angle_rate/(1 rad/s) - m.angle/(1 rad)
    - (m.angle/(1 rad))^3) * 1 N*m}}
analysis: {{duration: 10 s}}
"""
VAN_DER_POL = """\
format: 1
bodies: {m: {type: rotor, inertia: 1 kg*m^2, rate: 2 rad/s}}
forces:
  f: {type: actuator, coordinate: m.angle, force: ((1 - (m.angle/(1 rad))^2)*m.angle_rate/(1 rad/s) - m.angle/(1 rad)) * 1 N*m}
analysis: {duration: 100 s}
"""


def cpu(line):
    """The JSON object that a command prints, and its CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return json.loads(out), after.ru_utime - before.ru_utime


def main(hooke, examples):
    tooth = ["--turn", "fly_a.angle = 6.3157894736842 deg"]
    rig = os.path.join(examples, "gear_rig", "rig.yaml")
    joint = os.path.join(examples, "cv_joint", "plunging.yaml")
    with tempfile.TemporaryDirectory() as folder:
        def model(name, text):
            path = os.path.join(folder, name)
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
            return path

        cases = [
            ("Duffing, ζ = 0.05, ω = 1", [model("a.yaml", DUFFING.format(w=1, z=0.05)), "--period", "period"]),
            ("Duffing, ζ = 0.0005, ω = 0.8", [model("b.yaml", DUFFING.format(w=0.8, z=0.0005)), "--period", "period"]),
            ("van der Pol, unknown period", [model("c.yaml", VAN_DER_POL), "--turn", "m.angle"]),
            ("gear rig with films, one tooth", [rig, *tooth]),
            (
                "ball joint from equilibrium, to 1e-5",
                [joint, "--period", "0.2s", "--tolerance", "1e-5", "--set", "analysis.initial_state=equilibrium", "--set", "begin_at=0.07s"],
            ),
            ("gear rig, six speeds", [rig, *tooth, "--over", "speed = 1500:1600:6 rpm"]),
            ("Duffing, branch through two folds", [os.path.join(folder, "a.yaml"), "--period", "period", "--over", "w = 1:2:21 rad/s", "--through"]),
        ]
        print("| case | periods | steps | steps per period | CPU [s] |\n|---|---:|---:|---:|---:|")
        for name, arguments in cases:
            told, seconds = cpu([hooke, "periodic", *arguments, "--json"])
            cells = [told.get(k, "") for k in ("periods", "steps", "steps_per_period")]
            print(f"| {name} | {' | '.join(map(str, cells))} | {seconds:.2f} |", flush=True)


main(*sys.argv[1:])
