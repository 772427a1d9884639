"""References that calls of the module leave behind, counted by a debug build of Python (test/python/references.sh)."""

import gc
import os
import pickle
import sys
import tempfile
import warnings

warnings.simplefilter("ignore")
import hooke
from support import PENDULUM
from test_simulation import MOTOR

model = hooke.read_text(PENDULUM)
motor = hooke.read_text(MOTOR)
loaded = hooke.read_text(PENDULUM.replace("forces: {", "forces: {push: {type: load, b: arm, force: [0 N, 0, 0]}, "))
folder = tempfile.mkdtemp()


@hooke.force(parameters={"k": "N*m/rad"}, channels={"e": "N*m"})
def spiral(x, k):
    return -k * x, {"e": x}


own = hooke.read_text(PENDULUM)
own.forces["s"] = spiral(coordinate="pin.angle", k=1)
results = model.run()
path = os.path.join(folder, "r.h5")
results.save(path)


def refused(*functions):
    for f in functions:
        try:
            f()
        except Exception as e:
            str(e)
        else:
            raise AssertionError("nothing was raised")


def run():
    r = model.run()
    r["pin.angle"].to("deg")[3:9].tolist(), r["pin.angle"][::3], r.measures, r.quality, r.statistics, r.names, repr(r), r.at(0.5)


def simulation():
    s = motor.simulate(stepper="generalized_alpha")
    s.set_input("torque", 1.0)
    s.advance(0.01)
    state = s.save()
    s.copy().restore(state)
    rec = s.recorder(["torque"])
    rec.append()
    rec.column("torque"), s.quality(), s.matrices(), s.statistics, s["motor.angle"], s.with_model(motor.compile())
    s.sensitivity("torque", ["motor.angle_acc"]), s.get_input("torque")
    refused(
        lambda: s.advance(), lambda: s.advance(-1), lambda: s["x"], lambda: s.set_input("a", "b"), lambda: s.restore(1),
        lambda: s.recorder(["x"]), lambda: s.pose("x"), lambda: s.sensitivity("torque", ["x"]),
    )


def errors():
    refused(
        lambda: hooke.read_text("x: ["), lambda: hooke.read_text(PENDULUM.replace("length", "lenght")), lambda: results["none"],
        lambda: results["pin.angle"].to("m"), lambda: model.run(record=["q"]), lambda: model.run(record=5), lambda: hooke.quantity("1 xx"),
        lambda: model.periodic("1 s", most_runs=1, method="plain", tolerance=1e-12), lambda: results.plot("none"),
    )


def file():
    f = hooke.open_results(path)
    f["pin.angle"], f.status, f.summary, f.attributes, f.refresh()


def tables():
    raw, c = hooke._hooke, model.compile()
    raw.type_table("bodies", "rod"), raw.sections(), raw.type_names("forces"), raw.convert(1.0, "m", "mm")
    c.items("bodies"), c.value("bodies", "arm", "mass"), c.parameters(), c.channels(), c.inputs()


CASES = (
    run, simulation, errors, file, tables,
    lambda: pickle.loads(pickle.dumps((results["pin.angle"], model))),
    lambda: (loaded.static(), loaded.modes(), loaded.state_space(["pin.angle"])),
    lambda: loaded.frf("pin.angle", input="push.force.x", frequencies=[1.0, 2.0]),
    lambda: own.run(analysis={"duration": "20 ms"}),
    lambda: (results.plot("pin.angle", "arm.x"), results.report()),
    lambda: model.poincare("arm.x", period="0.3 s", points=3, skip=0),
    lambda: hooke.conform(spiral, only="tangent"),
)
REPEAT = 12
lost = []
for case in CASES:
    for _ in range(4):
        case()
    gc.collect()
    before = sys.gettotalrefcount()
    for _ in range(REPEAT):
        case()
    gc.collect()
    lost.append((sys.gettotalrefcount() - before) / REPEAT)
print("python/references: per call", " ".join(f"{x:.2f}" for x in lost))
sys.exit(max(lost) >= 1)  # a lost reference is one in every call; the interpreter itself keeps one or two in all
