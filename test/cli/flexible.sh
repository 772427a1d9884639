# Flexible bodies in results: channels of modes and interfaces, hooke stress, deformed surfaces in VTK files.
. "$(dirname "$0")/common"

# A bar, 0.5 x 0.02 x 0.04 m, held at one end and pushed by 10 N across at the other one.
"$source/test/cli/bar_mesh.py" 20 2 2 0.5 0.02 0.04 >bar.msh
check "$hooke" reduce bar.msh --unit m --young 210GPa --poisson 0.3 --density 7850 --interface "A=rigid:plane(0,0,0; 1,0,0)" --interface "B=rigid:plane(0.5,0,0; 1,0,0)" --modes 8 -o bar.h5
cat >bar.yaml <<'Y'
format: 1
bodies:
  bar: {type: flexible_body, file: bar.h5}
joints:
  hold: {type: fixed, a: ground, b: bar.A}
forces:
  push: {type: load, b: bar.B, force: [0, 10 N, 0]}
sensors:
  twice: {value: "bar.mode[1] + 0.001 s*bar.mode_rate[1]"}
analysis: {duration: 2 ms, output_step: 1 ms, initial_state: equilibrium}
Y
expect 0 "simulated" "$hooke" run bar.yaml -o run.h5
"$hooke" export run.h5 --csv run.csv --channels 'bar.B.y,bar.B.deflection_y,bar.B.rotation_z,bar.elastic_energy,bar.mode[1],twice,bar.A.y'
check "$hooke" stress run.h5 --strength "2 MPa" --csv stress.csv
expect 0 '"safety"' "$hooke" stress run.h5 --strength "2 MPa" --json
cp out stress.json
check "$hooke" export run.h5 --vtk run.pvd --deformation 1000 --frames 1
check python3 - <<'P'
import csv, json, math, re, struct

# Timoshenko beam, with the shear area 5/6.
P, L, b, h, E, G = 10, 0.5, 0.04, 0.02, 210e9, 210e9 / 2.6
I, A = b * h**3 / 12, b * h
tip = P * L**3 / (3 * E * I) + P * L / (5 / 6 * G * A)
turn = P * L**2 / (2 * E * I)
rows = list(csv.reader(open("run.csv")))
v = dict(zip((c.split(" ")[0] for c in rows[0]), map(float, rows[-1])))
bent = v["bar.B.y"] - v["bar.A.y"]
assert abs(bent - tip) < 0.012 * tip, (bent, tip)
# The deflection is relative to the floating frame, which is turned; the energy is half of the work.
assert abs(v["bar.elastic_energy"] - P * bent / 2) < 1e-6 * P * bent / 2
assert 0 < v["bar.B.deflection_y"] < 0.5 * tip and 0 < v["bar.B.rotation_z"] < turn
assert abs(v["twice"] - v["bar.mode[1]"]) < 1e-9 * abs(v["bar.mode[1]"])

def stress_at(x):
    return P * (L - x) * (h / 2) / I

found = json.load(open("stress.json"))["bodies"]["bar"]
assert 0.9 * stress_at(0) < found["stress"]["value"] < 1.1 * stress_at(0), found
assert found["stress"]["at"][0] < 0.06 and abs(found["safety"] - 2e6 / found["stress"]["value"]) < 1e-6
rows = list(csv.reader(open("stress.csv")))
assert len(rows) == 4 and rows[0][1] == "bar.stress [Pa]"
assert abs(float(rows[-1][1]) - found["stress"]["value"]) < 1e-6 * found["stress"]["value"]

data = open("run_frames/frame_00000.vtp", "rb").read()
head, data = data.split(b'<AppendedData encoding="raw">\n_', 1)
array = {}
for m in re.finditer(r"<DataArray ([^>]*)/>", head.decode()):
    a = dict(re.findall(r'(\w+)="([^"]*)"', m[1]))
    size, = struct.unpack_from("<I", data, int(a["offset"]))
    kind = {"Float32": "f", "Float64": "d", "Int32": "i"}[a["type"]]
    array[a.get("Name", "points")] = struct.unpack_from("<%d%s" % (size // struct.calcsize(kind), kind), data, int(a["offset"]) + 4)
points, moved, stress = array["points"], array["displacement"], array["von_mises"]
assert len(points) == len(moved) == 3 * len(stress) and max(array["connectivity"]) == len(stress) - 1
middle = 0
for i, s in enumerate(stress):
    x = [points[3 * i + c] - 1000 * moved[3 * i + c] for c in range(3)]
    if s > 0 and abs(x[0] - 0.25) < 1e-4 and abs(abs(x[1]) - h / 2) < 1e-4:
        middle += 1
        assert abs(s - stress_at(0.25)) < 0.01 * stress_at(0.25), (x, s)
assert middle >= 6, middle
P
# ---- a force that depends on modes: the closed loop G/(1 - K G) follows from the response G without the dependence ----
loop() { # loop NAME FORCE
  cat >loop.yaml <<Y
format: 1
bodies:
  bar: {type: flexible_body, file: bar.h5, damping_ratio: 0.01, at_frequency: 500 Hz}
joints:
  hold: {type: fixed, a: ground, b: bar.A}
inputs:
  u: {unit: N}
forces:
  push: {type: load, b: bar.B, force: [0, "$2", 0]}
analysis: {duration: 1 ms}
Y
  check "$hooke" frf loop.yaml --from u --to "bar.mode[1],bar.mode[3],bar.mode_rate[3]" --range "10:3000 Hz" --points 12 --json
  cp out "$1.json"
}
loop open "u"
loop closed "u - 5e5 N/m*bar.mode[1] - 2e6 N/m*bar.mode[3] - 1000 N*s/m*bar.mode_rate[3]"
check python3 - <<'P'
import json, math

def responses(name):
    r = json.load(open(name + ".json"))
    f, out = r["frequency_hz"], r["outputs"]
    return f, [[complex(o["re"][i], o["im"][i]) for o in out] for i in range(len(f))]

frequency, without = responses("open")
_, closed = responses("closed")
most = 0
for f, G, C in zip(frequency, without, closed):
    back = -5e5 * G[0] - 2e6 * G[1] - 1000 * G[2]
    most = max(most, abs(back))
    assert abs(G[2] - 2j * math.pi * f * G[1]) < 1e-12 * abs(G[2])
    for g, c in zip(G, C):
        assert abs(c - g / (1 - back)) < 1e-11 * abs(c), (f, g, c)
assert most > 0.5, most
P
# ---- radiated power: bending, sliding and turning of the bar, placed elsewhere and turned ----
bar() { # bar JOINT INPUT FREQUENCY
  cat >noise.yaml <<Y
format: 1
bodies:
  bar: {type: flexible_body, file: bar.h5, position: [0, 1 m, 0], orientation: [{axis: x, angle: 90 deg}]}
joints:
  hold: {type: $1, a: ground, b: bar.A, at: [0, 1 m, 0]}
forces:
  push: {type: load, b: bar.B, force: [0 N, 0 N, 0 N]}
analysis: {duration: 1 ms}
Y
  check "$hooke" erp noise.yaml --from "forces.push.force.$2" --range "$3:1000 Hz" --points 2 --csv noise.csv
  sed -n 2p noise.csv >>powers
}
bar fixed z 0.5
bar 'prismatic, axis: x' x 5
bar 'revolute, axis: y' z 0.5
check python3 - <<'P'
from math import pi
L, b, h, E, G, rho = 0.5, 0.04, 0.02, 210e9, 210e9 / 2.6, 7850
I, A, m = b * h**3 / 12, b * h, rho * b * h * L
bent, slid, turned = [float(line.split(",")[1]) for line in open("powers")]
n = 1000
squares = sum((x * x * (3 * L - x) / (6 * E * I) + x / (5 / 6 * G * A)) ** 2 * L / n for x in ((i + 0.5) * L / n for i in range(n)))
want = 0.5 * 413 * (2 * pi * 0.5) ** 2 * 2 * b * squares
assert abs(bent - want) < 0.03 * want, (bent, want)
want = 0.5 * 413 * (1 / (m * 2 * pi * 5)) ** 2 * 2 * b * h
assert abs(slid - want) < 1e-4 * want, (slid, want)
rate = L / (m * (L**2 / 3 + h**2 / 12)) / (2 * pi * 0.5)
want = 0.5 * 413 * rate**2 * (2 * b * L**3 / 3 + 2 * b * h**3 / 12)
assert abs(turned - want) < 1e-4 * want, (turned, want)
P
# The same of a run: lines with the power of the two loads, and their sum as the mean power.
cat >shake.yaml <<'Y'
format: 1
parameters: {first: 40 Hz, second: 110 Hz}
bodies:
  bar: {type: flexible_body, file: bar.h5, position: [0, 1 m, 0], orientation: [{axis: x, angle: 30 deg}], damping_ratio: 0.1, at_frequency: 60 Hz}
joints:
  hold: {type: fixed, a: ground, b: bar.A, at: [0, 1 m, 0]}
forces:
  push: {type: load, b: bar.B, force: [0, "10 N * sin(2 rad*pi*t*first)", "5 N * cos(2 rad*pi*t*second)"]}
analysis: {duration: 1.5 s, output_step: 1 ms}
Y
sed 's/"[15]0* N .*)", "5 N .*)"/0 N, 0 N/' shake.yaml >still.yaml
check "$hooke" run shake.yaml -q -o shake.h5
check "$hooke" erp shake.h5 --skip "0.5 s" --csv shake.csv
"$hooke" erp shake.h5 --skip "0.5 s" --json >shake.json
for at in "y 40:41" "z 110:111"; do
  "$hooke" erp still.yaml --from "forces.push.force.${at% *}" --range "${at#* } Hz" --points 2 --csv one.csv >/dev/null 2>&1
  sed -n 2p one.csv
done >each
check python3 - <<'P'
import csv, json
first, second = [float(line.split(",")[1]) * a**2 for line, a in zip(open("each"), (10, 5))]
rows = [(float(r[0]), float(r[1])) for r in list(csv.reader(open("shake.csv")))[1:]]
for frequency, want in ((40, first), (110, second)):
    line = max(p for f, p in rows if abs(f - frequency) < 3)
    assert 0.96 * want < line < 1.01 * want, (frequency, line, want)
total = json.load(open("shake.json"))["bodies"]["bar"]["total"]
assert abs(total - first - second) < 2e-3 * total, (total, first + second)
P
expect_error "--set and --as-placed are for models" "$hooke" erp shake.h5 --from forces.push.force.y
expect_error "--set and --as-placed are for models" "$hooke" erp shake.h5 --set first=50Hz
expect_error "--range contains no line of the spectrum, which has lines from 0 to 499" "$hooke" erp shake.h5 --range "2:3 kHz" -o none.svg
expect_error "the spectrum needs 16" "$hooke" erp shake.h5 --skip "9 s"
expect_error "would overwrite 'shake.yaml'" "$hooke" erp shake.h5 --csv shake.yaml
expect_error "would overwrite 'bar.yaml'" "$hooke" stress run.h5 --csv bar.yaml
# A motion slower than the run: the bar slides with a velocity that grows with t^2. Only its ends, 2 x 0.02 x 0.04 m, radiate.
cat >slide.yaml <<'Y'
format: 1
bodies:
  bar: {type: flexible_body, file: bar.h5, damping_ratio: 0.1, at_frequency: 60 Hz}
joints:
  slide: {type: prismatic, axis: x, a: ground, b: bar.A}
forces:
  push: {type: load, b: bar.B, force: ["1000 N * t/(1 s)", 0 N, 0 N]}
analysis: {duration: 1 s, output_step: 5 ms}
Y
check "$hooke" run slide.yaml -q -o slide.h5
"$hooke" erp slide.h5 --json >slide.json 2>err || fail "erp of a slow motion"
"$hooke" export slide.h5 --csv slide.csv --channels bar.vx
check python3 - <<'P'
import csv, json, math
v = [float(r[1]) for r in list(csv.reader(open("slide.csv")))[1:]]
mean = sum(v) / len(v)
window = [math.sin(math.pi * (i + 0.5) / len(v)) ** 4 for i in range(len(v))]
want = 413 * 2 * 0.02 * 0.04 * sum(w * (x - mean) ** 2 for w, x in zip(window, v)) / sum(window)
total = json.load(open("slide.json"))["bodies"]["bar"]["total"]
assert abs(total - want) < 2e-3 * want, (total, want)
P

# ---- the body is drawn with its surface ----
check "$hooke" export run.h5 --vtk plain.pvd --frames 1
check python3 - <<'P'
import re
points = {k: int(re.search(rb'NumberOfPoints="(\d+)"', open(k + "_frames/frame_00000.vtp", "rb").read())[1]) for k in ("run", "plain")}
assert points["run"] == points["plain"] > 500, points
P
expect_error "the model has no body 'wing'" "$hooke" erp noise.yaml --body wing
expect_error "no body 'wing'" "$hooke" stress run.h5 --body wing
expect_error "needs --vtk" "$hooke" export run.h5 --glb run.glb --deformation 2
expect_error "not a results file" "$hooke" stress bar.h5
check "$hooke" run bar.yaml -o thin.h5 --record 'bar.x'
expect_error "the channel 'bar.mode[1]' is not in 'thin.h5'" "$hooke" stress thin.h5
finish
