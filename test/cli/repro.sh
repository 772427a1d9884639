# Models of test/repro that no other test runs: earlier versions gave wrong results for them without a message (test/repro/README.md).
. "$(dirname "$0")/common"
repro=$source/test/repro

# near NAME WANTED TOLERANCE: a measure in the JSON of `out`.
near() {
  checks=$((checks + 1))
  got=$(sed -n "s/.*\"$1\": {\"value\": \\([^,]*\\),.*/\\1/p" out)
  awk -v a="$got" -v b="$2" -v e="$3" 'BEGIN { d = a - b; exit !(a != "" && d <= e && -d <= e) }' ||
    fail "$1 is $got, not $2 to $3"
}
run() {
  model=$1
  shift
  check "$hooke" run "$repro/$model" --strict --json "$@"
}
# A result that is not reliable has a warning.
doubtful() {
  model=$1
  shift
  expect 1 "do not trust this run" "$hooke" run "$repro/$model" --strict "$@"
}

# ---- contacts ----
run hertz_bounce.yaml --set "measures.second={of: b.z, take: max, from: 0.15 s, to: 0.45 s}"
near top 0.2 1e-6
near second 0.2 2e-5
near worst 0 1e-4
run hertz_bounce.yaml --set "b.position=[0,0,0.11 m]" --set "measures.second={of: b.z, take: max, from: 0.05 s, to: 0.15 s}"
near second 0.11 1e-5
run hertz_bounce.yaml --set "analysis.output_step=37 ms" --set "measures.second={of: b.z, take: max, from: 0.15 s, to: 0.45 s}"
near second 0.2 2e-5
doubtful hertz_bounce_fixed.yaml
# After an impact with half of the speed, the rebound has a quarter of the height.
run hc_e.yaml --set "measures.rebound={of: b.z, take: max, from: 0.15 s, to: 0.4 s}"
near rebound 0.125 2e-4
# Shares of the speed that a row of five balls with springs of power 3/2 ends with, by another program: 0.98878
# and 0.12704; the speed of the fourth ball is evaluated 9 ms after the impact.
run hertz_cradle_default_tolerance.yaml --set 'measures.last={of: "ball[4].vx", take: max}' \
  --set 'measures.fourth={of: "ball[3].vx", take: at, at: 0.515 s}'
near last 1.60230 5e-4
near fourth 0.2058 5e-4

# ---- stiff, damped, fast ----
doubtful damp1e9.yaml
doubtful stiffdamp1e15.yaml
doubtful spin1e6_fixed.yaml
# Reference: a pendulum with a rigid rod, by a Runge-Kutta program: 0.128323 m below and 0.483253 m to the side of its pin after 1 s.
run stiffpend3e11.yaml --set "measures.y={of: a.y, take: final}" --set "measures.x={of: a.x, take: final}"
near y -0.128323 2e-5
near x -0.483253 2e-5
run spin_stable.yaml --set "analysis.duration=1 s"
near k0 1255000 1e-6
near k1 1255000 1
run spin1e6_1s.yaml --set "analysis.duration=0.5 ms" --set "measures.k={of: energy.kinetic, take: final}"
near k 1.0000005e12 1e6

# ---- meaning ----
expect 0 "warning: joint 'h': 'at' differs from the position of 'a.end', [1, 0, 0] m" "$hooke" run "$repro/at_vs_marker.yaml"
# Steady rotation without a load requires no torque.
run sensor_effort.yaml --set "measures.most={of: torque, take: max_abs}"
near most 0 1e-6
check "$hooke" run "$repro/no_force_channels_suspension.yaml" --set "analysis.duration=1 ms" -o car.h5 --quiet
check "$hooke" export car.h5 --csv car.csv --match 'b_lf|strut|tyre'
for name in b_lf.fx b_lf.force strut.force strut.length tyre.fz; do
  checks=$((checks + 1))
  head -n 1 car.csv | grep -q "$name" || fail "no channel $name"
done

# A state that starts from 0 and stays far below 1 in SI units causes a warning; with the scale of this warning the result is right.
# A sin(wt) through a lag of first order: 1.262158e-11 A*s after 1 s.
cat >charge.yaml <<'Y'
format: 1
states: {q: {unit: A*s, rate: "1e-9 A * sin(20 rad/s * t) - q / (50 ms)"}}
measures: {end: {of: q, take: final}}
analysis: {duration: 1 s}
Y
expect 1 "state 'q' starts from 0 and never exceeded 3" "$hooke" run charge.yaml --strict
check "$hooke" run charge.yaml --strict --json --set "q.scale=3e-11 A*s"
near end 1.262158e-11 1e-17

# ---- files ----
for name in bom small self; do check "$hooke" run "$repro/$name.yaml" --set "analysis.duration=0.1 s" --quiet; done
cp "$repro/self.yaml" v.yaml
expect_error "would overwrite 'v.yaml', which is an input file" "$hooke" run v.yaml -o v.yaml
cmp -s v.yaml "$repro/self.yaml" || fail "the model was written over"
if memory_can_be_limited; then
  expect 1 "out of memory: linear algebra needs" timeout 60 sh -c "ulimit -v 100000; exec '$hooke' modes '$repro/small.yaml'"
fi
if command -v g++ >/dev/null; then
  check g++ -std=c++17 -pedantic-errors -Wall -Wextra -Werror -fsyntax-only -I"$source/include" "$repro/cpp.cc"
else
  echo "skipped: no g++"
fi
finish
