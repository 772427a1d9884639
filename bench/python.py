"""Numbers of the Python module: import, reading of a value, overhead of a step, two threads, numbers without a copy.

usage: PYTHONPATH=build/python python3 bench/python.py
Every number is the least of several repetitions: other work on the machine only adds to it.
"""

import statistics
import subprocess
import sys
import threading
import time
import timeit

import hooke

MODEL = """\
format: 1
bodies: {motor: {type: rotor, inertia: 0.02 kg*m^2}}
inputs: {torque: {unit: N*m}}
forces: {drive: {type: actuator, coordinate: motor, force: torque}}
analysis: {duration: 1000 s, step: 1 ms, stepper: generalized_alpha, output_step: 1 ms}
"""
CHAIN = "format: 1\nbodies:\n" + "".join(
    f"  b{i}: {{type: rod, length: 0.1 m, mass: 0.1 kg, position: [{0.1 * i + 0.05} m, 0, 0]}}\n" for i in range(20)
) + "joints:\n" + "".join(
    f"  j{i}: {{type: revolute, a: {'ground' if i == 0 else f'b{i - 1}'}, b: b{i}, at: [{0.1 * i} m, 0, 0], axis: z}}\n" for i in range(20)
) + "forces: {w: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}}\nanalysis: {duration: 1 s}\n"


def import_time():
    """Time of `import hooke` in a new interpreter [ms], without that of the interpreter."""
    code = "import time; t = time.perf_counter(); import hooke; print(time.perf_counter() - t)"
    return 1e3 * min(float(subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE).stdout) for _ in range(15))


def value_time():
    sim = hooke.read_text(MODEL).simulate()
    sim.advance(0.01)
    k = sim.model.find("motor.angle_rate")
    n = 100000
    by_number = min(timeit.repeat("for i in r: s[k]", globals=dict(s=sim, k=k, r=range(n)), number=1, repeat=15)) / n
    by_name = min(timeit.repeat("for i in r: s['motor.angle_rate']", globals=dict(s=sim, r=range(n)), number=1, repeat=15)) / n
    empty = min(timeit.repeat("for i in r: k", globals=dict(k=k, r=range(n)), number=1, repeat=15)) / n
    return 1e6 * (by_number - empty), 1e6 * (by_name - empty)


def step_overhead():
    """A call of advance() to the present time, which makes no step [us]."""
    sim = hooke.read_text(MODEL).simulate()
    sim.advance(1.0)
    n = 50000
    return 1e6 * min(timeit.repeat("for i in r: s.advance(1.0)", globals=dict(s=sim, r=range(n)), number=1, repeat=9)) / n


def two_threads():
    model = hooke.read_text(CHAIN)
    compiled_options = dict(analysis={"duration": "2 s"})
    model.run(**compiled_options)

    def run():
        model.run(record=["b19.x"], **compiled_options)

    best = 0.0
    for _ in range(5):
        t = time.perf_counter()
        run()
        run()
        one = time.perf_counter() - t
        threads = [threading.Thread(target=run) for _ in range(2)]
        t = time.perf_counter()
        for x in threads:
            x.start()
        for x in threads:
            x.join()
        best = max(best, one / (time.perf_counter() - t))
    return best


def million():
    try:
        import numpy
    except ImportError:
        return None
    r = hooke.read_text(MODEL).run(record=["motor.angle"])
    c = r["motor.angle"]
    t = min(timeit.repeat(lambda: numpy.asarray(c), number=1, repeat=5))
    a = numpy.asarray(c)
    return a.size, a.flags.owndata, 1e6 * t


print(f"import                       {import_time():7.1f} ms")
number, name = value_time()
print(f"value by number, by name     {number:7.3f} {name:.3f} us")
print(f"call of advance without step {step_overhead():7.3f} us")
print(f"two threads                  {two_threads():7.2f} times one")
print(f"NumPy (size, owns, us)       {million()}")
