# hooke periodic: orbits, stability, measures, files, orbits over a parameter, wrong input.
. "$(dirname "$0")/common"

duffing=$source/examples/nonlinear/duffing.yaml
pendulum=$source/examples/nonlinear/pendulum.yaml
at="--period period --set F=0.2"

# The orbit with all forms of the period.
expect 0 'residual' "$hooke" periodic "$duffing" $at
expect 0 'the orbit is stable' "$hooke" periodic "$duffing" --set F=0.2 --period '1.2 rad/s'
expect 0 'the orbit is stable' "$hooke" periodic "$duffing" --set F=0.2 --period 5.235987755982988
expect 0 '(0.45595): stable' "$hooke" periodic "$duffing" $at --floquet
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
expect_error 'can only be used with --through' "$hooke" periodic "$duffing" --period period --over F=1:2 --start-at 1
expect_error 'the start of a branch must be between' "$hooke" periodic "$duffing" --period period --over F=0.1:0.2:3 --through --start-at 3

# Symmetry: one tooth of a gear rig with films, and a quarter turn of a ball joint.  References: simulation over 2 s, and of three turns.
rig=$source/examples/gear_rig/rig.yaml
tooth='fly_a.angle = 6.3157894736842 deg'
check "$hooke" periodic "$rig" --turn "$tooth" --over 'speed = 1500:1510:2 rpm' --channels mesh.load,bearing_a1.fx -o rig.csv
checks=$((checks + 1))
awk -F, 'NR == 2 { if ($2 != 1 || ($3 / 7.01754385965e-4 - 1)^2 > 1e-18 || $5 > 1e-6 || $7 != "stable" || $6 < .9995 || $6 > .9999 ||
    ($11 - $10 - 52.07)^2 > 1e-3 || ($8 / 2049.07 - 1)^2 > 1e-6 || ($9 / 2385.58 - 1)^2 > 1e-6) bad = 1; n++ }
  END { exit !(n && !bad) }' rig.csv || fail "gear rig: $(cat rig.csv)"
expect 0 'drift' "$hooke" periodic shaft.yaml --period '5 rad/s' --symmetry none
joint=$source/examples/cv_joint/plunging.yaml
at_once="--period 0.2s --set analysis.begin=equilibrium --set begin_at=0.07s --tolerance"
check "$hooke" periodic "$joint" $at_once 1e-5 --json
checks=$((checks + 1))
python3 - <<'P' || fail 'ball joint'
import json
d = json.load(open('out'))
m = {k: v['value'] for k, v in d['measures'].items()}
near = lambda x, y, share: abs(x / y - 1) < share
assert d['parts'] == 4 and d['stability'] == 'stable' and d['plain_error'] < 1e-3 and d['steps'] < 10000
assert near(m['axial_amplitude'], 5.7744e-5, 1e-3) and near(m['axial_order_4'], 5.5339e-5, 1e-3)
assert near(m['axial_order_12'], 5.703e-6, 3e-3) and near(m['track_force_max'], 1.93503, 1e-3)
drift = {x['name']: x['amount'] for x in d['drifts']}
assert near(drift['cvj.cage.rz'], -0.00862, 5e-3)
assert near(max(complex(*x).__abs__() for x in d['multipliers']), 0.434, 5e-3)
P
# One ball differs: the joint repeats with a whole turn only.
if [ "${HOOKE_LONG:-}" ]; then
  expect 0 'period 0.2' "$hooke" periodic "$joint" $at_once 1e-3 --set 'cvj.ball[2].size_error=1 um'
  checks=$((checks + 1))
  ! grep -q 'equal parts' out || fail 'a symmetry is used that the joint does not have'
fi

# Orders of a linear drive line: the response from one linear model is that of the orbit.
drive=$source/examples/linear/engine_orders.yaml
orders="--orders 1,2,4 --period period --to gear.angle"
for speed in 900 1800 3100; do
  check "$hooke" frf "$drive" $orders --set "speed=$speed rpm" --csv frf.csv
  check "$hooke" periodic "$drive" --period period --set "speed=$speed rpm" --json
  checks=$((checks + 1))
  python3 - <<'P' || fail "orders at $speed rpm: $(cat frf.csv)"
import json
row = open('frf.csv').read().split('\n')[1].split(',')
m = json.load(open('out'))['measures']
for i, k in enumerate((1, 2, 4)):
    assert abs(float(row[2 + 2 * i]) / m[f'gear_order_{k}']['value'] - 1) < 2e-3, (k, row, m)
P
done
expect 0 'peak' "$hooke" frf "$drive" $orders --over 'speed = 600:6000:55 rpm'
expect 0 '"order": 2' "$hooke" frf "$drive" $orders --over 'speed = 600:700:2 rpm' --json
check "$hooke" frf "$drive" $orders --over 'speed = 600:6000:10 rpm' -o orders.svg
expect_error 'does not repeat' "$hooke" frf "$drive" --orders 1 --period '11 ms' --to gear.angle
expect_error 'needs --period' "$hooke" frf "$drive" --orders 1 --to gear.angle
expect_error 'whole numbers' "$hooke" frf "$drive" --orders 1,x --period period --to gear.angle
expect_error 'cannot be used with --orders' "$hooke" frf "$drive" $orders --from gas
expect_error "there is no channel 'gears'" "$hooke" frf "$drive" --orders 1 --period period --to gears

# No orbit, and mistakes.
expect 1 'still changes by' "$hooke" periodic "$duffing" --set F=0.2 --period '1 s' --runs 40 -o best.h5
[ -s best.h5 ] || fail 'the best state is not written'
expect 1 'the motion is chaotic' "$hooke" periodic "$duffing" --period period --method plain --runs 60
expect 1 'repeats after 2 periods: try --period "10.47197551 s"' "$hooke" periodic "$duffing" --period period --set F=0.28 --method plain --runs 60
expect 0 'the orbit is stable' "$hooke" periodic "$duffing" --set F=0.28 --period '10.47197551 s'
cat >forced.yaml <<'Y'
format: 1
bodies: {m: {type: rotor, inertia: 1 kg*m^2, rate: 2 rad/s}}
forces:
  f: {type: actuator, coordinate: m.angle, force: "((1 - (m.angle/(1 rad))^2)*m.angle_rate/(1 rad/s) - m.angle/(1 rad) + 0.3*cos(1.7*t/(1 s)))*1 N*m"}
analysis: {duration: 100 s, step: 20 ms}
Y
expect 1 'a second frequency (it is quasi-periodic)' "$hooke" periodic forced.yaml --period '1.7 rad/s'
# A spring that winds up on a turning shaft, weak or strong, is no second frequency, and no orbit with a coarse tolerance
# either; a spring between two turning shafts, with the right period or not, is not in the way.
cat >weak.yaml <<'Y'
format: 1
parameters: {k: 1e-6 N*m/rad, K: 0 N*m/rad}
bodies:
  a: {type: rotor, inertia: 1 kg*m^2, rate: 10 rad/s}
  b: {type: rotor, inertia: 0.3 kg*m^2, rate: 10 rad/s}
  c: {mass: 1 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2], angular_velocity: [0 rad/s, 0 rad/s, 10 rad/s]}
joints: {hinge: {type: revolute, a: ground, b: c}}
forces:
  drive: {type: actuator, coordinate: a.angle, force: "(10 N*m) - (1 N*m*s)*a.angle_rate - k*a.angle + (3 N*m)*cos(10*t/(1 s))"}
  shaft: {type: torsion_spring, a: a, b: b, stiffness: 300 N*m/rad, damping: 3 N*m*s/rad}
  torque: {type: actuator, coordinate: hinge.angle, force: "(10 N*m) - (1 N*m*s)*hinge.angle_rate - K*hinge.angle + (3 N*m)*cos(10*t/(1 s))"}
analysis: {duration: 100 s, step: 20 ms}
Y
for weak in k=1e-6 k=1e-3 K=1e-6 K=1e-3; do
  expect 1 'forces depend on the number of revolutions' "$hooke" periodic weak.yaml --set "k=0 N*m/rad" --period '10 rad/s' --set "$weak N*m/rad"
done
expect 1 "forces depend on the number of revolutions" "$hooke" periodic weak.yaml --period '10 rad/s' --tolerance 1e-2
expect 0 'the orbit is stable' "$hooke" periodic weak.yaml --set "k=0 N*m/rad" --period '10 rad/s'
expect 1 'has a second frequency' "$hooke" periodic weak.yaml --set "k=0 N*m/rad" --period '9.3 rad/s' --runs 60
# Without losses the phases of neighbouring amplitudes separate in proportion to time. This is not chaos.
cat >swing.yaml <<'Y'
format: 1
bodies: {arm: {type: rod, mass: 2 kg, length: 1 m, position: [0.5 m, 0, 0]}}
joints: {pin: {type: revolute, b: arm, at: [0, 0, 0], axis: z}}
forces: {g: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}}
analysis: {duration: 1 s, output_step: 10 ms}
Y
expect 1 'in proportion to time' "$hooke" periodic swing.yaml --period '1 s' --runs 3
expect 1 'in proportion to time' "$hooke" periodic swing.yaml --period '2.2 s' --runs 2 --method plain
cat >hard.yaml <<'Y'
format: 1
bodies: {m: {type: rotor, inertia: 1 kg*m^2, angle: 1.6 rad}}
forces:
  f: {type: actuator, coordinate: m.angle, force: "(-m.angle/(1 rad) - (m.angle/(1 rad))^3)*1 N*m"}
analysis: {duration: 100 s, step: 20 ms}
Y
expect 1 'in proportion to time' "$hooke" periodic hard.yaml --period '1 s' --runs 3
cat >faster.yaml <<'Y'
format: 1
bodies: {m: {type: rotor, inertia: 1 kg*m^2, rate: 2 rad/s}}
forces:
  f: {type: actuator, coordinate: m.angle, force: "(0.3 + cos(5*t/(1 s)))*1 N*m"}
analysis: {duration: 100 s, step: 20 ms}
Y
expect 1 'drifts in one direction' "$hooke" periodic faster.yaml --period '5 rad/s' --runs 5 --method plain
cat >slow.yaml <<'Y'
format: 1
bodies: {m: {type: rotor, inertia: 1 kg*m^2, rate: 2 rad/s}}
forces:
  f: {type: actuator, coordinate: m.angle, force: "(-0.02*m.angle_rate/(1 rad/s) - m.angle/(1 rad) + 0.3*cos(1.7*t/(1 s)))*1 N*m"}
analysis: {duration: 100 s, step: 20 ms}
Y
expect 1 'transients still fade' "$hooke" periodic slow.yaml --period '1.7 rad/s' --method plain --runs 20
expect 0 'the orbit is stable' "$hooke" periodic slow.yaml --period '1.7 rad/s'
expect 1 'does not return' "$hooke" periodic shaft.yaml --turn r.angle
expect 1 'no orbit was found at any' "$hooke" periodic "$duffing" --period '1 s' --over F=0.1:0.2:2 --runs 20 --channels x
expect_error 'no period; give' "$hooke" periodic "$duffing"
expect_error 'must be positive' "$hooke" periodic "$duffing" --period '0 s'
expect_error "there is no channel 'xx'" "$hooke" periodic "$duffing" --turn xx=1
expect_error "did you mean 'period'" "$hooke" periodic "$duffing" --period periode
expect_error 'auto, plain, anderson or newton' "$hooke" periodic "$duffing" $at --method fast
expect_error '--symmetry is auto or none' "$hooke" periodic "$duffing" $at --symmetry half
expect_error 'between 0 and 1' "$hooke" periodic "$duffing" $at --tolerance 2
expect_error 'needs --over' "$hooke" periodic "$duffing" $at --plot p.svg
expect_error 'FIRST:LAST:COUNT' "$hooke" periodic "$duffing" --period period --over F
expect_error 'must be a file' "$hooke" periodic - --period 1 --over F=1:2 <"$duffing"
expect_error 'nothing to draw' "$hooke" periodic "$duffing" --period period --over F=0.1:0.2:2 --plot p.svg
expect 2 'FF' "$hooke" periodic "$duffing" --period period --over FF=1:2:2
# Folds of the hardening oscillator with default settings: 1.522448029 and 1.2520149591 rad/s by Runge-Kutta.
cat >hard.yaml <<'Y'
format: 1
parameters: {w: 1 rad/s}
bodies: {m: {type: rotor, inertia: 1 kg*m^2}}
sensors: {period: {value: 2*pi/w * 1 rad}}
forces:
  f: {type: actuator, coordinate: m.angle, force: "(0.2*cos(w*t/(1 rad)) - 0.1*m.angle_rate/(1 rad/s) - m.angle/(1 rad) - (m.angle/(1 rad))^3) * 1 N*m"}
analysis: {duration: 10 s}
Y
check "$hooke" periodic hard.yaml --period period --over 'w = 1:2:21 rad/s' --through -o hard.csv
checks=$((checks + 1))
awk -F, '$8 == "fold" { n++; d = $1 - (n == 1 ? 1.522448029 : 1.2520149591); if (d*d > 1e-12) bad = 1 } END { exit !(n == 2 && !bad) }' hard.csv ||
  fail "folds with default settings: $(grep fold hard.csv | cut -d, -f1)"
# Few steps: an orbit of the gear rig, and orbits over its speed.
tooth='fly_a.angle = 6.3157894736842 deg'
check "$hooke" periodic "$source/examples/gear_rig/rig.yaml" --turn "$tooth" --json
checks=$((checks + 1))
steps=$(tr -d '\n' <out | sed 's/.*"steps": \([0-9]*\).*/\1/')
[ "$steps" -le 900 ] || fail "gear rig: $steps steps"
check "$hooke" periodic "$source/examples/gear_rig/rig.yaml" --turn "$tooth" --over 'speed = 1500:1540:3 rpm'
checks=$((checks + 1))
steps=$(sed -n 's/ steps in all//p' out)
[ "$steps" -le 2400 ] || fail "gear rig over its speed: $steps steps"
finish
