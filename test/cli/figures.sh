# hooke plot, frf, locus and modes --pattern: figures are written, wrong input is rejected.
. "$(dirname "$0")/common"

car=$source/examples/linear/quarter_car.yaml
rotor=$source/examples/linear/rotor_campbell.yaml
joint=$source/examples/cv_linear/point.yaml

is_figure() {
  checks=$((checks + 1))
  : >err
  head -c 4 "$1" >out 2>err
  grep -q '<svg' out && tail -n 1 "$1" | grep -q '</svg>' || fail "no figure: $1"
  ! grep -qi 'nan\|inf"' "$1" || fail "not a number in $1"
}

check "$hooke" run "$car" -o ride.h5
check "$hooke" plot ride.h5 --channels body.z,wheel.z,body.az -o a.svg && is_figure a.svg
check "$hooke" plot ride.h5 --channels body.vz --x body.z --from "1 s" --to "3000 ms" -o b.svg
is_figure b.svg
check "$hooke" plot ride.h5 --match '^energy' -o - && cp out c.svg && is_figure c.svg
check "$hooke" plot ride.h5 ride.h5 --channels body.z,stroke --over wheel.z --unit mm -o e.svg && is_figure e.svg
check "$hooke" plot ride.h5 --channels body.z --spectrum --log -o e.svg && is_figure e.svg
check "$hooke" plot ride.h5 --channels body.z --dots -o e.svg && is_figure e.svg
check "$hooke" plot ride.h5 --channels stroke --right body.az,wheel.az --unit mm -o e.svg && is_figure e.svg
expect 0 "body.az (right)" cat e.svg
expect 0 "right, " "$hooke" plot ride.h5 --channels stroke --right body.az --terminal
expect_error "the axis at the right can have only one unit" "$hooke" plot ride.h5 --channels stroke --right body.az,body.z -o d.svg
expect_error "a figure with two axes needs channels for both" "$hooke" plot ride.h5 --channels stroke --right stroke -o d.svg
check "$hooke" plot ride.h5 --channels body.z --over wheel.z --unit mm --circle "20 mm" -o e.svg && is_figure e.svg
expect_error "--circle needs --over" "$hooke" plot ride.h5 --channels body.z --circle "20 mm" -o d.svg
expect_error "the unit must be one of" "$hooke" plot ride.h5 --channels body.z --over body.vz --circle "20 mm" -o d.svg
expect_error "no channel has the unit" "$hooke" plot ride.h5 --channels body.vz --over body.z --circle "20 mm" -o d.svg
expect 0 "[mm]" "$hooke" plot ride.h5 --channels body.z --unit mm --terminal
check "$hooke" run "$source/examples/tutorial/slider_crank.yaml" -o crank.h5
check "$hooke" plot crank.h5 --phase main.angle --unit deg,rpm -o e.svg && is_figure e.svg
check "$hooke" plot crank.h5 --channels stroke --orders main.angle -o e.svg && is_figure e.svg
expect_error "needs an angle" "$hooke" plot crank.h5 --channels stroke --orders stroke -o d.svg
# Negative values on a logarithmic axis: by their size, in a dotted curve of the same colour.
cat >signs.yaml <<'Y'
format: 1
parameters: {u: 1 s}
bodies: {r: {type: rotor, inertia: 1 kg*m^2, rate: 1 rad/s}}
sensors:
  falls: {value: "cos(9*t/u)*exp(-2*t/u)"}
  under: {value: "-1 - t/u"}
  low: {value: "-2 - t/u"}
  pos: {value: "3 + t/u"}
  hole: {value: "sqrt(sin(20*t/u))"}
analysis: {duration: 2 s, output_step: 1 ms}
Y
check "$hooke" run signs.yaml -o signs.h5
check "$hooke" plot signs.h5 --channels falls,under --log -o signs.svg && is_figure signs.svg
grep -q '−falls' signs.svg && grep -q '−under' signs.svg && [ "$(grep -c '>under<' signs.svg)" = 0 ] || fail "names of negative values"
check "$hooke" plot signs.h5 --channels falls --right under --log -o signs.svg
grep -q '−under (right)' signs.svg || fail "negative values over a second axis"
# One colour per channel, also for channels that have only negative values: five curves of four channels, first falls and -falls.
for channels in "falls,under,low,pos" "falls,low --right under,pos"; do
  check "$hooke" plot signs.h5 --channels $channels --log -o signs.svg
  sed -n 's/^<path fill="none" stroke="\(#[0-9a-f]*\)".*/\1/p' signs.svg >strokes
  [ "$(wc -l <strokes)" = 5 ] && [ "$(head -n 2 strokes | sort -u | wc -l)" = 1 ] && [ "$(sort -u strokes | wc -l)" = 4 ] ||
    fail "colours of $channels: $(tr '\n' ' ' <strokes)"
done
expect 0 "'hole' has no value in " "$hooke" spectrum signs.h5 --channels hole
expect 0 "'hole' has no value in " "$hooke" plot signs.h5 --channels hole --spectrum -o hole.svg
expect_error "only one of" "$hooke" plot crank.h5 --channels stroke --spectrum --over main.angle -o d.svg
expect_error "unknown unit" "$hooke" plot crank.h5 --channels stroke --unit furlong -o d.svg
if command -v rsvg-convert >/dev/null; then
  check "$hooke" plot ride.h5 --channels body.z -o e.png
  check "$hooke" plot ride.h5 --channels body.z -o e.PDF
  expect 0 "PNG" head -c 4 e.png
  expect 0 "%PDF" head -c 4 e.PDF
  expect_error "cannot write" "$hooke" plot ride.h5 --channels body.z -o none/e.png
  # Every command that draws, not only `plot`.
  check "$hooke" frf "$car" --to body.z --range "0.1:30 Hz" --log -o f.png
  expect 0 "PNG" head -c 4 f.png
  check "$hooke" modes "$car" --pattern pattern.png
  expect 0 "PNG" head -c 4 pattern.png
else
  echo "skipped: PNG and PDF (Debian: librsvg2-bin)"
fi
expect_error "PNG and PDF require rsvg-convert" env PATH=/nowhere "$hooke" plot ride.h5 --channels body.z -o d.png
expect_error "did you mean 'body.z'" "$hooke" plot ride.h5 --channels bodi.z -o d.svg
expect_error "did you mean 'body.z'" "$hooke" plot ride.h5 --channels wheel.z --x boddy.z -o d.svg
expect_error "use -o FILE.svg" "$hooke" plot ride.h5 --channels body.z
expect_error "no channels given" "$hooke" plot ride.h5 -o d.svg
expect_error "give at least one channel" "$hooke" plot ride.h5 --channels , -o d.svg
expect_error "the run covers 0 s to 5 s" "$hooke" plot ride.h5 --channels body.z --from 9 -o d.svg
expect_error "must be one of s, ms" "$hooke" plot ride.h5 --channels body.z --from 9m -o d.svg
expect_error "not a results file" "$hooke" plot "$car" --channels body.z -o d.svg
expect_error "cannot write" "$hooke" plot ride.h5 --channels body.z -o none/d.svg
[ ! -e d.svg ] || fail "a figure in spite of an error"

# Spectra: a run-up with orders 1 and 2, in resonance at 1800 and 900 rpm.
check "$hooke" run "$source/examples/linear/run_up.yaml" -o up.h5
expect 0 "order      amplitude" "$hooke" spectrum up.h5 --channels housing.z --orders spin.angle --from "9 s"
check "$hooke" spectrum up.h5 --channels housing.z --orders spin.angle --from "9 s" --at 1,2,3 --json
check awk '{ n = split($0, a, /"amplitude": /); exit !(n == 4 && a[2] > 1e-5 && a[3] > 1e-6 && a[3] < 1.3e-6 && a[4] < 1e-7) }' out
# An angular speed can be used instead of an angle.
check "$hooke" spectrum up.h5 --channels housing.z --orders spin.angle_rate --from "9 s" --at 1,2,3 --json
check awk '{ n = split($0, a, /"amplitude": /); exit !(n == 4 && a[2] > 1e-5 && a[3] > 1e-6 && a[3] < 1.3e-6 && a[4] < 1e-7) }' out
check "$hooke" spectrum up.h5 --channels housing.z,housing.vz --psd --window "1 s" -o s.svg && is_figure s.svg
expect 0 '"density": [' "$hooke" spectrum up.h5 --channels housing.z --psd --json
check "$hooke" spectrum up.h5 --channels housing.z --map --orders spin.angle --log -o s.svg && is_figure s.svg
check "$hooke" spectrum up.h5 --channels housing.z --map --speed spin.angle --up-to "100 Hz" -o s.svg && is_figure s.svg
expect 0 "1863" "$hooke" spectrum up.h5 --channels housing.z --map --orders spin.angle
expect 0 '"amplitude": [[' "$hooke" spectrum up.h5 --channels housing.z --map --window "0.5 s" --json
check "$hooke" spectrum up.h5 --channels housing.z --orders spin.angle --track 1,2 -o s.svg --csv s.csv && is_figure s.svg
# The peak of order 1 comes late: between 1800 and 1950 rpm, in rad/s.
check awk -F, 'NR > 1 && $4 > top { top = $4; at = $3 } END { exit !(at > 188 && at < 204 && top > 1.2e-4) }' s.csv
expect_error "orders need an angle or an angular speed" "$hooke" spectrum up.h5 --channels housing.z --orders housing.z
expect_error "give either --orders or --speed" "$hooke" spectrum up.h5 --channels housing.z --map --orders spin.angle --speed spin.angle
expect_error "only one of --psd, --map and --track" "$hooke" spectrum up.h5 --channels housing.z --psd --map
expect_error "resolve only up to" "$hooke" spectrum up.h5 --channels housing.z --at "600 Hz"
expect_error "is longer than the data" "$hooke" spectrum up.h5 --channels housing.z --psd --window "20 s"
expect_error "a map shows one channel" "$hooke" spectrum up.h5 --channels housing.z,housing.vz --map -o d.svg
expect_error "did you mean 'spin.angle'" "$hooke" spectrum up.h5 --channels housing.z --orders spin.angel
expect_error "needs at least 8 values" "$hooke" spectrum up.h5 --channels housing.z --to "3 ms"
[ ! -e d.svg ] || fail "a figure in spite of an error"

check "$hooke" frf "$car" --to body.z,road.effort --range "0.1:30 Hz" --log -o f.svg --csv f.csv
is_figure f.svg
# At 30 Hz the force of the road on tyre and contact patch is about (kt - m w^2) u with kt 180 kN/m, m 1 kg.
check awk -F, 'END { exit !($8 > 1.2e5 && $8 < 1.8e5) }' f.csv
expect 0 "frequency [Hz],body.z.re [1],body.z.im [1],body.z.magnitude [1],body.z.phase [deg]" \
  head -n 1 f.csv
expect 0 '"frequency_hz": [1, 2, 3]' "$hooke" frf "$car" --to body.z --range 1:3 --points 3 --json
expect 2 "did you mean 'road'" "$hooke" frf "$car" --from motions.rod --to body.z
expect 2 "did you mean 'body.z'" "$hooke" frf "$car" --to body.zz
expect 2 "has no frequency response" "$hooke" frf "$car" --to energy.kinetic
expect 2 "give --from INPUT, one of: drive.torque.x" "$hooke" frf "$joint" --to cv.fx
expect_error "give --to" "$hooke" frf "$car"
expect_error "may mean cycles or radians" "$hooke" frf "$car" --to body.z --range "1:10 1/s"
expect_error "is not a unit of frequency" "$hooke" frf "$car" --to body.z --range "1:10 m"
expect 0 '"frequency_hz": [1, 2]' "$hooke" frf "$car" --to body.z --range "60:120 rpm" --points 2 --json
expect_error 'such as "0:10 Hz"' "$hooke" frf "$car" --to body.z --range 5
expect_error "above 0" "$hooke" frf "$car" --to body.z --range 0:5 --log

check "$hooke" locus "$joint" --over "torque=0:10:11 N*m" -o g.svg --csv g.csv && is_figure g.svg
expect 0 "unstable" "$hooke" locus "$joint" --over "torque=0:10:11 N*m"
expect 0 "67" sh -c 'wc -l <g.csv' # six branches at eleven points, and the names
check "$hooke" locus "$rotor" --over "speed=0:9000:31 rpm" --at 0 -o h.svg && is_figure h.svg
# Interpolated between points on the growing branch, also with free motions; the exact value is 6468 rpm.
expect 0 "from speed = 6468" "$hooke" locus "$source/examples/half_shaft/whirl.yaml" --over "speed=6000:7000:5 rpm" --at 0
expect 0 "Campbell" cat h.svg
check "$hooke" locus "$rotor" --over "speed=0:9000:5 rpm" --at 0 --orders 1,3.5,6 -o h.svg && is_figure h.svg
expect 0 "3.5×" cat h.svg
expect_error "positive numbers" "$hooke" locus "$rotor" --over "speed=0:9000:5 rpm" --at 0 --orders 1,-3
expect_error "--orders needs a speed" "$hooke" locus "$joint" --over "torque=0:10:11 N*m" --orders 1
expect 0 ",0,nan" "$hooke" locus "$car" --over "c=0:1:2 kN*s/m" --csv - # undamped: 0, not -0
expect 2 "torqe" "$hooke" locus "$joint" --over "parameters.torqe=0:10 N*m"
expect 2 "needs a unit" "$hooke" locus "$car" --over "c=1:2"
expect_error "FIRST:LAST:COUNT" "$hooke" locus "$joint"
expect_error "FIRST:LAST:COUNT" "$hooke" locus "$joint" --over "torque=5 N*m"

expect_error "may mean cycles or radians" "$hooke" locus "$joint" --over "torque=0:10 N*m" --up-to "3 1/s"
expect_error "a real number in 1/s" "$hooke" modes "$joint" --shift "3 Hz"

# Without any equilibrium: exit code 1 in all commands.  If a state without equilibrium is requested (--as-placed, --at): 2.
cat >falls.yaml <<'Y'
format: 1
bodies: {stone: {type: sphere, radius: 1 m, mass: 3 kg}}
forces: {g: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}, push: {type: load, b: stone, force: [1 N, 0 N, 0 N]}}
Y
for command in "static" "modes" "frf --to stone.x --from push.force.x"; do
  expect 1 "no equilibrium was found" "$hooke" $command falls.yaml
done
over="bodies.stone.mass=1:2:2 kg"
expect 1 "no equilibrium was found" "$hooke" locus falls.yaml --over "$over"
expect 2 "not in equilibrium" "$hooke" modes falls.yaml --as-placed
expect 2 "not in equilibrium" "$hooke" frf falls.yaml --to stone.x --from push.force.x --as-placed
expect 2 "not in equilibrium" "$hooke" modes falls.yaml --at 0
expect 2 "not in equilibrium" "$hooke" locus falls.yaml --over "$over" --at 0

# A conjugate pair is printed completely, free motions are zero and marked as such, and one degree of freedom is printed in the singular.
check "$hooke" modes "$joint" --json --modes 1 && cp out one.json
expect 0 '{"re": 0, "im": 0, "frequency_hz": 0, "damping": 0, "time_constant": null' cat one.json
expect 0 '"stability": "neutral", "free": true' cat one.json
[ "$("$hooke" modes "$joint" --json --modes 3 | grep -o '"free": false' | wc -l)" = 2 ] ||
  fail "a pair was cut"
pendulum >pendulum.yaml
expect 0 "3 coordinates, 1 constraint of rank 1, 2 degrees of freedom" "$hooke" modes pendulum.yaml
check "$hooke" modes pendulum.yaml --mkb k.csv
! grep -q '^-0$\|^-0,\|,-0,\|,-0$' k.csv || fail "negative zeros in k.csv"

check "$hooke" modes "$joint" --pattern i.svg && is_figure i.svg
expect 0 "8 not zero" cat i.svg
finish
