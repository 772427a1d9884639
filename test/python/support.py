"""Helpers of the Python tests."""

import json
import os
import subprocess
import sys
import unittest

SOURCE = os.environ["HOOKE_SOURCE_DIR"]
BINARY = os.environ["HOOKE_BINARY_DIR"]


def example(name):
    return os.path.join(SOURCE, "examples", name)


def command(*args):
    """Output of the command hooke with --json, as a dict."""
    environment = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}
    done = subprocess.run([os.path.join(BINARY, "hooke"), *args, "--json"], stdout=subprocess.PIPE, check=True, env=environment)
    return json.loads(done.stdout)


def needs(*modules):
    """Skips a test, with a word, if a module cannot be imported."""
    import importlib.util

    missing = [m for m in modules if importlib.util.find_spec(m) is None]
    return unittest.skipIf(missing, f"there is no {', '.join(missing)}")


PENDULUM = """\
format: 1
title: Pendulum
parameters: {L: 1 m, m: 2 kg}
bodies: {arm: {type: rod, length: L, mass: m, position: [L/2, 0, 0]}}
joints: {pin: {type: revolute, b: arm, at: [0, 0, 0], axis: z}}
forces: {weight: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}}
measures: {fastest: {of: pin.angle_rate, take: min}}
analysis: {duration: 2 s, output_step: 10 ms}
"""


def main():
    unittest.main(verbosity=1)
