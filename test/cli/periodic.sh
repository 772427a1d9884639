# hooke periodic: orbits, stability, measures, files, orbits over a parameter, mistakes.
. "$(dirname "$0")/common"

duffing=$source/examples/nonlinear/duffing.yaml
pendulum=$source/examples/nonlinear/pendulum.yaml
at="--period period --set F=0.2"

# The orbit, by all ways to state the period.
expect 0 'residual' "$hooke" periodic "$duffing" $at
expect 0 'the orbit is stable' "$hooke" periodic "$duffing" --set F=0.2 --period '1.2 rad/s'
expect 0 'the orbit is stable' "$hooke" periodic "$duffing" --set F=0.2 --period 5.235987755982988
expect 0 '(0.455986): stable' "$hooke" periodic "$duffing" $at --floquet
for method in plain anderson newton; do
  expect 0 'one plain period more' "$hooke" periodic "$duffing" $at --method $method
done
expect 0 'a simulation leaves it' "$hooke" periodic "$duffing" --period period # chaotic: F = 0.5
expect 0 'the orbit is stable' "$hooke" periodic "$pendulum" --period period --set g=0.9

# A joint and a drift: a driven shaft.
cat >shaft.yaml <<'Y'
format: 1
bodies: {s: {mass: 1 kg, inertia: [1 kg*m^2, 1 kg*m^2, 2 kg*m^2]}, r: {type: rotor, inertia: 2 kg*m^2}}
joints: {pin: {type: revolute, b: s}}
forces:
  f: {type: actuator, coordinate: pin.angle, force: "(3 + cos(5*t/(1 s)))*1 N*m - 2 N*m*s/rad * pin.angle_rate - 30 N*m * sin(pin.angle)"}
  g: {type: actuator, coordinate: r.angle, force: "(3 + cos(5*t/(1 s)))*1 N*m - 0.1 N*m*s/rad * r.angle_rate"}
measures: {swing: {of: pin.angle, take: peak_to_peak, from: 1 s}}
analysis: {duration: 2 s, step: 2 ms}
Y
expect 0 "drift of 'r.angle' per period: 37.699" "$hooke" periodic shaft.yaml --period '5 rad/s'
expect 0 'swing' "$hooke" periodic shaft.yaml --period '5 rad/s' -o orbit.h5
check "$hooke" measure orbit.h5 && [ -s orbit.h5 ]

# An unknown period.
cat >vdp.yaml <<'Y'
format: 1
bodies: {m: {type: rotor, inertia: 1 kg*m^2, rate: 2 rad/s}}
forces:
  f: {type: actuator, coordinate: m.angle, force: "((1 - (m.angle/(1 rad))^2)*m.angle_rate/(1 rad/s) - m.angle/(1 rad))*1 N*m"}
analysis: {duration: 100 s, step: 5 ms}
Y
expect 0 'period 6.6633' "$hooke" periodic vdp.yaml --turn m.angle
expect 0 'period 6.6633' "$hooke" periodic vdp.yaml --turn 'm.angle = 0 deg' --period '6.5 s'

# Over a parameter.
check "$hooke" periodic "$duffing" --period period --over 'F = 0.1:0.2:3' --channels x -o t.csv --plot t.svg
checks=$((checks + 1))
[ "$(wc -l <t.csv)" = 4 ] && grep -q 'x max' t.csv && grep -q '</svg>' t.svg || fail 'table over a parameter'
expect 0 'x max' "$hooke" periodic "$duffing" --period period --over F=0.1:0.2:2 --channels x -o -

# Through the folds: two of them, the part between them is unstable.
fold="--set delta=0.1 --set F=0.06 --over"
check "$hooke" periodic "$duffing" --period period $fold 'omega = 1:1.6:13 rad/s' --through --channels x -o b.csv --plot b.svg
checks=$((checks + 1))
awk -F, 'NR > 1 && $8 == "fold" { n++; if (n == 1 && ($1 - 1.272951)^2 > 1e-8 || n == 2 && ($1 - 1.108752)^2 > 1e-8) bad = 1; next }
  NR > 1 { s = n == 1 ? "unstable" : "stable"; if ($7 != s) bad = 1; last = $1 }
  END { exit !(n == 2 && !bad && last == 1.6) }' b.csv || fail "folds of the branch: $(cut -d, -f1,7,8 b.csv)"
grep -q '>unstable<' b.svg && grep -q '>fold<' b.svg || fail 'figure of the branch'
expect 0 'fold' "$hooke" periodic "$duffing" --period period $fold 'omega = 1.2:1.3:5 rad/s' --through --channels x
expect 0 'turns back and leaves the range' "$hooke" periodic "$duffing" --period period $fold 'omega = 1.2:1.3:5 rad/s' --through
expect 0 '"event"' "$hooke" periodic "$duffing" --period period --over 'F = 0.1:0.15:3' --through --json
expect 0 'stable' "$hooke" periodic "$duffing" --period period --over 'F = 0.1:0.2:3' --through --start-at 0.15
expect_error 'FIRST:LAST:COUNT' "$hooke" periodic "$duffing" --period period --through
expect_error 'belongs to --through' "$hooke" periodic "$duffing" --period period --over F=1:2 --start-at 1
expect_error 'starts between' "$hooke" periodic "$duffing" --period period --over F=0.1:0.2:3 --through --start-at 3

# No orbit, and mistakes.
expect 1 'still changes by' "$hooke" periodic "$duffing" --set F=0.2 --period '1 s' --runs 40 -o best.h5
[ -s best.h5 ] || fail 'the best state is not written'
expect 1 'does not return' "$hooke" periodic shaft.yaml --turn r.angle
expect 1 'no orbit was found at any' "$hooke" periodic "$duffing" --period '1 s' --over F=0.1:0.2:2 --runs 20 --channels x
expect_error 'which period' "$hooke" periodic "$duffing"
expect_error 'must be positive' "$hooke" periodic "$duffing" --period '0 s'
expect_error "there is no channel 'xx'" "$hooke" periodic "$duffing" --turn xx=1
expect_error "did you mean 'period'" "$hooke" periodic "$duffing" --period periode
expect_error 'auto, plain, anderson or newton' "$hooke" periodic "$duffing" $at --method fast
expect_error 'between 0 and 1' "$hooke" periodic "$duffing" $at --tolerance 2
expect_error 'needs --over' "$hooke" periodic "$duffing" $at --plot p.svg
expect_error 'FIRST:LAST:COUNT' "$hooke" periodic "$duffing" --period period --over F
expect_error 'must be a file' "$hooke" periodic - --period 1 --over F=1:2 <"$duffing"
expect_error 'nothing to draw' "$hooke" periodic "$duffing" --period period --over F=0.1:0.2:2 --plot p.svg
expect 2 'FF' "$hooke" periodic "$duffing" --period period --over FF=1:2:2
finish
