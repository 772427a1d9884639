# FMUs in a model: the command, its messages, its files.  What an FMU may do wrong is test/unit/test_fmu_import.c.
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
# An FMU is a program: it runs only with permission, and nothing of it is unpacked or loaded without.
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
