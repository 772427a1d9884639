# FMUs in a model: the command, its messages, its files.  test/unit/test_fmu_import.c tests faults of FMUs.
. "$(dirname "$0")/common"
TMPDIR=$PWD/tmp
export TMPDIR
mkdir tmp

cat >half.yaml <<'Y'
format: 1
inputs: {torque: {unit: N*m}}
bodies: {b: {type: rotor, inertia: 0.9 kg*m^2, axis: z, rate: 3 rad/s}}
forces: {r: {type: actuator, coordinate: b.angle, force: torque}}
sensors: {speed: {value: b.angle_rate}}
analysis: {duration: 1 s}
Y
cat >m.yaml <<'Y'
format: 1
bodies: {a: {type: rotor, inertia: 0.4 kg*m^2, axis: z}}
forces: {s: {type: actuator, coordinate: a.angle, force: (0.3 N*m*s)*(half.speed - a.angle_rate)}}
fmus:
  half: {file: half.fmu, period: 1 ms, inputs: {torque: (0.3 N*m*s)*(a.angle_rate - half.speed)}}
measures: {end: {of: a.angle_rate, take: final}, sent: {of: half.torque, take: mean}}
analysis: {duration: 0.1 s}
Y
check "$hooke" fmu half.yaml -q -o half.fmu --output speed
expect 0 'fmus                      1' "$hooke" check m.yaml
# An FMU is a program: without permission it is neither unpacked, loaded nor executed.
for command in "run m.yaml -o none.h5" "--in-process run m.yaml -o none.h5"; do
  expect_error "runs only with your permission" "$hooke" $command
done
[ ! -e none.h5 ] || fail "results of a run that was refused"
check "$hooke" --allow-native run m.yaml -o out.h5
cp out first
check grep -q 'end ' first
check "$hooke" --allow-native --in-process run m.yaml
checks=$((checks + 1))
[ "$(sed -n 's/^end *//p' first)" = "$(sed -n 's/^end *//p' out)" ] || fail "another process changes the result"
checks=$((checks + 1))
[ -z "$(ls tmp)" ] || fail "files are left: $(ls tmp)"

# ---- an FMU is an input: no output replaces it ----
cp half.fmu kept
expect_error 'half.fmu' "$hooke" run m.yaml -o half.fmu
check cmp half.fmu kept
mkdir inner
sed 's|half.fmu|../half.fmu|' m.yaml >inner/m.yaml
expect_error '--allow-outside' "$hooke" run inner/m.yaml
check "$hooke" --allow-outside --allow-native run inner/m.yaml

# ---- arrays: exported by hooke, and their elements in a model ----
cat >free.yaml <<'Y'
format: 1
inputs: {fx: {unit: N}, fy: {unit: N}, fz: {unit: N, initial_value: 6 N}}
bodies: {b: {type: point_mass, mass: 2 kg, position: [1 m, 0, 0]}}
forces: {f: {type: load, b: b, force: [fx, fy, fz]}}
analysis: {duration: 1 s, output_step: 10 ms}
Y
cat >pair.yaml <<'Y'
format: 1
fmus:
  free: {file: free.fmu, period: 10 ms, inputs: {"force[2]": (4 N/s)*t}, signals: linear}
sensors: {half: {value: "free.position[3]/2"}}
measures:
  x: {of: "free.position[1]", take: final}
  y: {of: "free.position[2]", take: final}
  z: {of: half, take: final}
analysis: {duration: 1 s, output_step: 10 ms}
Y
check "$hooke" fmu free.yaml -q -o free.fmu --array force=fx,fy,fz --array 'position=b.[xyz]' --output b.vx --rates
check "$hooke" --allow-native run pair.yaml -q -o pair.h5
check "$hooke" export pair.h5 --csv - --channels 'free.position[1],free.position[2],half'
checks=$((checks + 1))
# force 4 t along y on 2 kg: t^3/3; 6 N along z: 3 t^2/2, and half of it
tail -1 out | awk -F, 'function far(x, y) { return x < y - 1e-4 || x > y + 1e-4 }
  { exit far($1, 1) || far($2, 1) || far($3, 1 / 3) || far($4, 0.75) }' || fail "wrong values of arrays"
bad_pair() {
  sed "s/{\"force\[2\]\": (4 N\/s)\*t}/{$1}/" pair.yaml >bad.yaml
  expect_error "$2" "$hooke" --allow-native run bad.yaml
}
bad_pair '"force[4]": 1 N' "'force[4]' is not an element of the FMU's array, which has the elements force[1] to [3]"
bad_pair 'force: 1 N' "is an array; name one of its elements, such as 'force[1]'"
bad_pair '"force[2]": 1 m' 'bad.yaml:3'
bad_pair '"b.vx[1]": 1 m' "the FMU has no array for 'b.vx[1]'"
bad_pair '"force[2]x": 1 m' "which has the elements force[1] to [3]"
for array in 'position=b.x,fx' 'fx=b.x' 'p=b.x,b.vx' 'p' '=b.x'; do
  expect_error '--array' "$hooke" fmu free.yaml -o x.fmu --array "$array"
done
expect_error 'another array' "$hooke" fmu free.yaml -o x.fmu --array p=b.x --array q=b.x
expect_error 'FMI 3.0' "$hooke" fmu free.yaml -o x.fmu --fmi 2 --array p=b.x

# ---- what does not go together ----
expect_error "fmu 'half'" "$hooke" modes m.yaml
expect_error "fmu 'half'" "$hooke" static m.yaml
expect_error "FMU" "$hooke" fmu m.yaml -o x.fmu
sed 's/torque: (/torqe: (/' m.yaml >bad.yaml
expect_error "no variable 'torqe'; did you mean 'torque'" "$hooke" run bad.yaml
sed 's/half.speed - a.angle_rate)}}/half.sped - a.angle_rate)}}/' m.yaml >bad.yaml
expect_error "bad.yaml:3:" "$hooke" run bad.yaml
head -c 2000 half.fmu >short.fmu
sed 's/half.fmu/short.fmu/' m.yaml >bad.yaml
expect_error 'not a zip archive' "$hooke" run bad.yaml
finish
