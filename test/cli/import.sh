# hooke import: gearboxes in the format REXS.
. "$(dirname "$0")/common"
cp "$source/test/cli/rexs_file.py" .

# ---- loads of a two-stage gearbox: meshes and bearings against statics, four load cases ----
cat >balance.py <<'P'
"""Forces on the pinions and reactions of the bearings by statics of rigid shafts on points.

The axial force of helical teeth acts in the middle of the path of contact (mean over a mesh period), which is `offset`
from the pitch point towards the tip of gear 1 on the line of action; 0 gives the usual formulas with the pitch point."""
from math import atan, cos, acos, hypot, radians, sin, sqrt, tan

def stage(z1, z2, m, beta, x1, x2, a):
    beta = radians(beta)
    at = atan(tan(radians(20)) / cos(beta))
    d = [z * m / cos(beta) for z in (z1, z2)]
    db = [v * cos(at) for v in d]
    aw = acos(sum(db) / 2 / a)
    dw = [2 * a * z / (z1 + z2) for z in (z1, z2)]
    df = [v - 2 * m * (1.25 - x) for v, x in zip(d, (x1, x2))]
    da = [2 * a - df[1] - 0.5 * m, 2 * a - df[0] - 0.5 * m]
    recess, approach = [sqrt(da[i] ** 2 - db[i] ** 2) / 2 - dw[i] / 2 * sin(aw) for i in (0, 1)]
    return dict(aw=aw, db=db, dw=dw, da=da, bb=atan(tan(beta) * cos(at)), tbw=tan(beta) * dw[0] / d[0],
                offset=(recess - approach) / 2)

def mesh(s, torque, e, offset):
    """Force (u, v, w) on gear 1 and the point where its axial part acts, from the axis of gear 1, for axes apart
    along e = +-1 times w."""
    ft = torque / (s["dw"][0] / 2)
    fa, fr = ft * s["tbw"], abs(ft) * tan(s["aw"])
    force = (fa, ft * e, -fr * e)  # on gear 1: against its torque about u
    # The contact moves on the line of action from the root of gear 1 to its tip, in the direction in which gear 1 drives.
    turn = 1 if torque > 0 else -1
    away = offset if offset else 0
    return force, (away * -turn * e * cos(s["aw"]), (s["dw"][0] / 2 + away * sin(s["aw"])) * e)
P
check python3 - "$hooke" <<'P'
import json, math, subprocess, sys
sys.path.insert(0, ".")
import balance, rexs_file
hooke = sys.argv[1]
f, n = rexs_file.two_stages()
open("box.rexs", "w").write(f.xml())
s10 = balance.stage(27, 51, 4.5, 21, 0.231415, 0.231415, 190)
s11 = balance.stage(23, 34, 6.5, -10, 0.15074, 0.15074, 190)

def solve(force_points, at):
    """Reactions (v, w) at two places u of one shaft, from forces (fu, fv, fw) at (u, v, w)."""
    out = []
    for axis in (1, 2):
        # moment about the place at[0], in the plane of u and the axis
        moment = sum(fo[axis] * (p[0] - at[0]) - fo[0] * p[axis] for fo, p in force_points)
        total = sum(fo[axis] for fo, p in force_points)
        second = -moment / (at[1] - at[0])
        out.append((-total - second, second))
    return [(out[0][i], out[1][i]) for i in (0, 1)]

def reactions(torque, n1, fi, fo, offset):
    t4 = -torque * 51 / 27
    m10 = balance.mesh(s10, 1000 * torque, -1, offset * s10["offset"])
    m11 = balance.mesh(s11, 1000 * t4 * 1, 1, offset * s11["offset"])
    r = {}
    minus = lambda v: tuple(-x for x in v)
    # shaft 3: u from -70; carried at -5 by the casing and at 105 by shaft 5
    r["24"], r["27"] = solve([(m10[0], (47, *m10[1])), ((0, fi, 0), (-70, 0, 0))], (-5, 105))
    # shaft 4, axis at w = -190
    p8 = (47, m10[1][0], m10[1][1] + 190)
    r["28"], r["29"] = solve([(minus(m10[0]), p8), (m11[0], (155, *m11[1]))], (-5, 225))
    # shaft 5
    p9 = (155, m11[1][0], m11[1][1] - 190)
    r["25"], r["26"] = solve([(minus(m11[0]), p9), ((fo[1], fo[0], 0), (260, 0, 0)),
                              ((0, -r["27"][0], -r["27"][1]), (105, 0, 0))], (105.2204, 227.958))
    axial = {"24": -m10[0][0], "28": m10[0][0] - m11[0][0], "25": m11[0][0] - fo[1], "27": 0, "29": 0, "26": 0}
    return {k: (*v, axial[k]) for k, v in r.items()}

# The statics of this test with the pitch point gives the published reactions of load case 1.
known = {"24": (3820.2, 88.4, -3344.8), "27": (4344.9, -3713.5, 0), "28": (-2420.3, 5481.2, 856.8),
         "29": (7768.9, 3724.3, 0), "25": (-3919.1, -9334.6, 2488.0), "26": (-5828.7, 40.7, 0)}
for k, v in reactions(567, 543, 456, (123, 0), 0).items():
    assert math.dist(v, known[k]) < 2e-4 * math.hypot(*known[k]), (k, v, known[k])

loads = [(567, 543, 456, (123, 0)), (345, 3456, 678, (0, 123)), (456, 1234, 876, (345, 0)), (789, 789, 1233, (0, 567))]
PHASES = 6
worst = 0
for case, load in enumerate(loads, 1):
    subprocess.run([hooke, "import", "box.rexs", "--load-case", str(case), "-o", "box.yaml"], check=True,
                   stdout=subprocess.DEVNULL)
    text = open("box.yaml").read()
    mean = {}
    for i in range(PHASES):
        turned = text
        for shaft, teeth, at in (("3", 27, "[0 mm, 0 mm, -70 mm]"), ("4", 23, "[0 mm, -190 mm, -25 mm]")):
            name = f"      shaft_{n['shafts'][shaft]}: "
            assert name + at in turned
            turned = turned.replace(name + at, name + "{at: %s, orientation: {axis: z, angle: %.12g deg}}" % (at, 360 / teeth * i / PHASES))
        open("phase.yaml", "w").write(turned)
        run = subprocess.run([hooke, "static", "phase.yaml", "--set", "running=0", "--json", "--set", "radial_stiffness=3e9 N/m",
                              "--set", f"stage_{n['stages']['10']}.slices=1", "--set", f"stage_{n['stages']['11']}.slices=1"],
                             capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        force = json.loads(run.stdout)["forces"]
        for name, number in n["bearings"].items():
            v = force[f"bearing_{number}"]
            mean.setdefault(name, []).append((v["fx"], v["fy"], v["fz"]))
        for name, s in (("10", s10), ("11", s11)):
            torque = load[0] * (51 / 27 if name == "11" else 1)
            normal = torque / (s["db"][0] / 2e3) / math.cos(s["bb"])
            found = abs(force[f"stage_{n['stages'][name]}"]["load"])
            assert abs(found - normal) < 1e-4 * normal, (name, found, normal)
        out = abs(force[f"load_{n['brake']}"]["torque"])
        assert abs(out - load[0] * 51 / 27 * 34 / 23) < 1e-4 * out, out
    want = reactions(*load, 1)
    for name, v in mean.items():
        got = [sum(x[c] for x in v) / PHASES for c in range(3)]
        error = math.dist(got, want[name]) / math.hypot(*want[name])
        worst = max(worst, error)
        assert error < 2e-3, (case, name, got, want[name], error)
print("worst reaction", worst)
P
cat out

# ---- the same gearbox in other spellings gives the same model or the same loads ----
check python3 - "$hooke" <<'P'
import json, math, subprocess, sys, zipfile
sys.path.insert(0, ".")
import rexs_file
hooke = sys.argv[1]

def model(name):
    subprocess.run([hooke, "import", name, "-o", "same.yaml"], check=True, stdout=subprocess.DEVNULL)
    return [line for line in open("same.yaml") if not line.startswith("#") and not line.startswith("title")]

def forces(name, numbers):
    model(name)
    out = subprocess.run([hooke, "static", "same.yaml", "--set", "running=0", "--json"], check=True, capture_output=True, text=True)
    force = json.loads(out.stdout)["forces"]
    return {k: force[f"bearing_{v}"] for k, v in numbers["bearings"].items()}

f, n = rexs_file.two_stages()
plain = model("box.rexs")
open("box.rexsj", "w").write(f.rexsj())
assert model("box.rexsj") == plain
with zipfile.ZipFile("box.rexsz", "w", zipfile.ZIP_DEFLATED) as z:
    z.write("box.rexs")
assert model("box.rexsz") == plain
old, _ = rexs_file.two_stages(version="1.0", degree="\u00b0")
open("old.rexs", "w").write(old.xml())
assert model("old.rexs") == plain

# Shaft 4 with its u axis the other way round, and the whole unit elsewhere, turned by 90 degrees about w.
straight = forces("box.rexs", n)
for name, option in (("turn", {"turn": True}), ("nested", {"nested": True})):
    g, m = rexs_file.two_stages(**option)
    open(name + ".rexs", "w").write(g.xml())
    other = forces(name + ".rexs", m)
    for k, v in straight.items():
        w = other[k]
        a, b = ([x[c] for c in (("local_fx", "local_fy", "local_fz") if name == "nested" else ("fx", "fy", "fz"))] for x in (v, w))
        assert math.dist(a, b) < 2e-3 * math.hypot(*a), (name, k, a, b)
P

# ---- at speed, load spectrum ----
expect 0 "smallest one of ISO/TR 10064-2" "$hooke" import box.rexs -o box.yaml --study spectrum.yaml
check "$hooke" check box.yaml
for stage in $(sed -n 's/^  \(stage_[0-9]*\):.*/\1/p' box.yaml); do
  check "$hooke" gear box.yaml $stage
done
expect 0 "simulated" "$hooke" run box.yaml --set "analysis.duration=0.5 ms"
expect 0 "4 variants" "$hooke" study spectrum.yaml --list
grep -q 'case 3: 35 % of the time' spectrum.yaml || fail "share of a load case"
expect 0 "oil: {type: ehl_line, viscosity: 0.022" "$hooke" import box.rexs
expect 0 ": 3456 rpm" "$hooke" import box.rexs --load-case 2

# ---- a load case with the torque in the other direction: other bearings hold the shafts, the other flanks carry the load ----
check python3 - "$hooke" <<'P'
import json, math, re, subprocess, sys
sys.path.insert(0, ".")
import rexs_file
hooke = sys.argv[1]
f = rexs_file.File()
unit = f.add("gear_unit", "unit", (0, 0, 0), base=1)
casing = f.add("gear_casing", "casing")
helix = math.radians(15)
away = 3 * 61 / 2 / math.cos(helix)
s = [f.shaft(unit, "in", (0, 0, 0), [(200, 40, 0)], defines_speed="true"), f.shaft(unit, "out", (0, away, 0), [(200, 50, 0)])]
g = [f.gear(s[0], "pinion", (80, 0, 0), 20, 3, 15, 30, 0), f.gear(s[1], "wheel", (80, away, 0), 41, 3, -15, 30, 0)]
stage = f.stage(unit, g[0], g[1], away)
bearings = [f.bearing(s[i], casing, at, (at, i * away, 0), way) for i in (0, 1) for at, way in ((10, "negative"), (190, "positive"))]
drive, brake = f.load(s[0], 0, "true"), f.load(s[1], 200, "false")
for torque, warm in ((100, 70), (-60, 40)):
    f.case(**{f"c{s[0]}": {"rotational_speed": (1000, "1 / min")}, f"c{drive}": {"torque_around_u_axis": (torque, "N m")},
              f"c{casing}": {"temperature_lubricant": (warm, "C")}})
oil = f.add("lubricant", "oil", viscosity_at_40_degree_celsius=(100, "mm^2 / s"),
            viscosity_at_100_degree_celsius=(11, "mm^2 / s"), density_at_15_degree_celsius=(0.88, "kg / dm^3"))
f.relate("reference", origin=casing, referenced=oil)
open("both.rexs", "w").write(f.xml())

def run(*command):
    return subprocess.run([hooke, *command], check=True, capture_output=True, text=True).stdout

def forces(*command):
    force = json.loads(run("static", *command, "--set", "running=0", "--json"))["forces"]
    return [[force[f"bearing_{k}"][c] for c in ("fx", "fy", "fz")] for k in bearings]

run("import", "both.rexs", "--load-case", "2", "-o", "second.yaml")
run("import", "both.rexs", "-o", "both.yaml", "--study", "both_study.yaml")
want = forces("second.yaml")
axes = {k: [v.strip() for v in values.split(",")] for k, values in re.findall(r"^  (\S+): \[(.*)\]$", open("both_study.yaml").read(), re.M)}
assert axes[f"stage_{stage}.initial_mesh"] == ["forward", "backward"] and "oil.viscosity" in axes, axes
got = forces("both.yaml", *(x for k, v in axes.items() for x in ("--set", f"{k}={v[1]}")))
for a, b in zip(got, want):
    assert math.dist(a, b) < 1e-6 * math.hypot(*b), (a, b)
# The axial force has the size of the tooth force times the tangent of the helix angle, on the other bearings.
axial = 60 / (3 * 20 / 2 / math.cos(helix) / 1000) * math.tan(helix)
assert all(abs(abs(v[2]) - (axial if i in (0, 3) else 0)) < 1e-3 * axial for i, v in enumerate(want)), want
P

# ---- bad files: one sentence with the component, exit 2, nothing written ----
broken() { # broken TEXT SED: a change of the good file
  sed "$2" box.rexs >bad.rexs
  cmp -s box.rexs bad.rexs && fail "no change: $2"
  expect_error "$1" "$hooke" import bad.rexs -o none.yaml
  [ ! -e none.yaml ] || fail "a file was written: $2"
}
broken "version 2.0" 's/version="1.6"/version="2.0"/'
broken "not a REXS" 's/<model version/<modell version/;s/<.model>/<\/modell>/'
broken "the unit 'N m' of face_width is not known for a length" '/cylindrical_gear"/s/id="face_width" unit="mm"/id="face_width" unit="N m"/'
broken "is not a number" '/cylindrical_gear"/s/unit="mm">50</unit="mm">fifty</'
broken "number_of_teeth is missing" 's/id="number_of_teeth"/id="teeth"/'
broken "do not mesh" 's/>-21</>21</'
broken "do not overlap" 's/<c>47<.c><c>0<.c><c>-190<.c>/<c>147<\/c><c>0<\/c><c>-190<\/c>/'
broken "not parallel" '/"middle"/s/<c>1<.c><c>0<.c><c>0<.c>/<c>1<\/c><c>0.1<\/c><c>0<\/c>/'
broken "sections do not follow" 's/id="u_coordinate_on_shaft" unit="mm">45</id="u_coordinate_on_shaft" unit="mm">46</'
broken "two components with the id 3" '0,/component id="4"/s//component id="3"/'
broken "is missing or is not a cylindrical gear" 's/role="gear_2"/role="gear_3"/'
broken "outside of shaft" 's/id="u_coordinate_on_shaft" unit="mm">170</id="u_coordinate_on_shaft" unit="mm">1700</'
broken "planetary_stage" 's/type="cylindrical_stage"/type="planetary_stage"/'
broken "no relation 'side'" 's/type="side"/type="beside"/'
broken "document types and entities are not allowed" '1a <!DOCTYPE m [<!ENTITY x "xxxxxxxxxx">]>'
broken "document types and entities are not allowed" '1a <!DOCTYPE m SYSTEM "file:///etc/passwd">'
broken "unknown or invalid reference" '/"shaft"/s/name="in"/name="\&x;"/'
broken "reference_component_for_position form a loop" '/type="gear_unit" name="unit"/s/\(for_position" unit="none">\)1</\13</'
expect_error "there is no load case '9'" "$hooke" import box.rexs --load-case 9
printf 'no xml' >bad.rexs
expect_error "root element" "$hooke" import bad.rexs
head -c 3000 box.rexs >bad.rexs
expect_error "bad.rexs: line" "$hooke" import bad.rexs
expect_error "cannot be read" "$hooke" import missing.rexs
expect_error "-o with the name of a file is needed" "$hooke" import box.rexs --study s.yaml

# The study finds the model in another folder too, and whatever the name is.
mkdir far
check "$hooke" import box.rexs -o far/'a "b": {c.yaml' --study s.yaml
expect 0 "4 variants" "$hooke" study s.yaml --list
check "$hooke" import box.rexs -o far/near.yaml --study far/s.yaml
check grep -q '^model: "near.yaml"' far/s.yaml

# No text of a file begins a line of the model: YAML ends lines at U+0085, U+2028 and U+2029 too.
for c in '&#10;' '&#13;' '&#133;' '&#8232;' '&#8233;'; do
  for what in applicationId version name; do
    sed "s/ $what=\"\([^\"]*\)\"/ $what=\"\1\\${c}include: evil.yaml #\"/" box.rexs >evil.rexs
    checks=$((checks + 1))
    if "$hooke" import evil.rexs >out 2>err; then
      python3 -c 'import re; assert not any(l.startswith("include") for l in re.split("[\n\r\x85\u2028\u2029]", open("out").read()))' ||
        fail "a text of a gearbox begins a line of the model: $what with $c"
    else
      grep -q 'error: ' err || fail "no message for $what with $c"
    fi
  done
done
cp box.rexs keep.rexs
expect_error "input" "$hooke" import box.rexs -o box.rexs
cmp -s box.rexs keep.rexs || fail "the input was changed"
finish
