# Output of the commands for valid input.
. "$(dirname "$0")/common"
pendulum >good.yaml

# value NAME: column 2 of the table of measures.
value() { awk -v name="$1" '$1 == name {print $2}' out; }
near() {
  checks=$((checks + 1))
  awk -v a="$1" -v b="$2" -v tol="$3" 'BEGIN {exit !(a != "" && a - b < tol && b - a < tol)}' ||
    fail "$4: $1 is not within $3 of $2"
}

# The falling pendulum, exact by energy: lowest at -1 m, where the string pulls 3 m g; its period is
# 4 sqrt(L/g) K(1/2) = 2.3678 s, so it is on the other side after half of this time.
expect 0 'x_end' "$hooke" run good.yaml -o out.h5 --set analysis.rtol=1e-8 --set analysis.atol=1e-10
near "$(value lowest)" -1 1e-6 'lowest point'
near "$(value pull)" 29.43 1e-3 'largest pull of the string'
[ ! -s err ] || fail 'nothing on stderr of a good run that is not on a terminal'
! grep -q ' $' out || fail 'no line ends in blanks'
grep -q 'results: out.h5 (21 rows)' out || fail 'rows at every output step and at both ends'
expect 0 'x_end' "$hooke" run good.yaml --set analysis.duration='1.18390 s'
near "$(value x_end)" 1 1e-3 'half a period'

# JSON: one line, the documented keys, numbers as in the table.
expect 0 '{"status": "ok", "steps": ' "$hooke" run good.yaml --json
for key in newton wall_s measures rejected factorizations redundant t_end energy_balance_error \
  warnings; do
  grep -q "\"$key\": " out || fail "no key $key"
done
grep -q '"x_end": {"value": [-0-9.e]*, "unit": "m"' out || fail 'value and unit of x_end'
grep -q '"path": {"value": [-0-9.e]*, "unit": "m\*s"' out || fail 'unit of an integral'
[ "$(wc -l <out)" = 1 ] || fail 'one line'
if command -v python3 >/dev/null; then
  cp out json
  check python3 -c 'import json, sys; json.load(open(sys.argv[1]))' json
fi
# A missing value is null and never NaN.
expect 0 '"half_way": {"value": null, "unit": "m", "note": ' \
  "$hooke" run good.yaml --json --set measures.half_way.at='5 s'
expect 0 "good.yaml:14:3: warning: measure 'half_way'" \
  "$hooke" run good.yaml --set measures.half_way.at='5 s'
expect 0 'x_end' "$hooke" run good.yaml --quiet
[ "$(wc -l <out)" = 6 ] || fail 'quiet prints the table only'
expect 0 'x_end' sh -c "'$hooke' run - --quiet <good.yaml"

# The same run twice is the same to the last bit, with and without a results file.
"$hooke" run good.yaml -o one.h5 --quiet >one
"$hooke" run good.yaml -o two.h5 --quiet >two
"$hooke" run good.yaml --quiet >three
check cmp one two
check cmp one three
"$hooke" export one.h5 --csv one.csv
"$hooke" export two.h5 --csv two.csv
check cmp one.csv two.csv

# Export: names, units, exact output times, order of channels.
check "$hooke" export one.h5 --csv - --channels bob.y,bob.x
[ "$(head -n 1 out)" = 'time [s],bob.y [m],bob.x [m]' ] || fail 'header'
[ "$(wc -l <out)" = 22 ] || fail 'one line per row'
[ "$(sed -n 5p out | cut -d, -f1)" = 0.30000000000000004 ] || fail 'k times the step, to the last bit'
[ "$(tail -n 1 out | cut -d, -f1)" = 2 ] || fail 'the end exactly'
check "$hooke" export one.h5 --csv - --match '^energy\.'
head -n 1 out | grep -q '^time \[s\],energy.kinetic \[J\]' || fail 'match'
"$hooke" run good.yaml -o few.h5 --quiet --record '^bob\.[xy]$' >/dev/null
check "$hooke" export few.h5 --csv -
[ "$(head -n 1 out)" = 'time [s],bob.x [m],bob.y [m]' ] || fail 'record'
expect 0 'time' sh -c "'$hooke' export one.h5 --csv - | head -n 1"
[ ! -s err ] || fail 'a reader who has enough is no error'

# Check.
expect 0 'degrees of freedom        2' "$hooke" check good.yaml
expect 0 '"degrees_of_freedom": 2' "$hooke" check good.yaml --json
expect 0 'energy.balance_error' "$hooke" check good.yaml --channels
# Redundant joints give a warning with the name of the joint; the run continues.
cat >two_hinges.yaml <<'Y'
format: 1
bodies:
  door: {type: box, size: [1 m, 2 m, 5 cm], mass: 20 kg, position: [0.5 m, 0, 0]}
joints:
  top: {type: revolute, b: door, at: [0, 0.8 m, 0], axis: y}
  low: {type: revolute, b: door, at: [0, -0.8 m, 0], axis: y}
analysis: {duration: 0.1 s}
Y
expect 0 'degrees of freedom        1' "$hooke" check two_hinges.yaml
grep -q 'two_hinges.yaml:[0-9]*:[0-9]*: warning: redundant' err || fail 'the redundant joint is named'
expect 0 '"redundant": 5' "$hooke" run two_hinges.yaml --json
grep -q '"warnings": \["two_hinges.yaml:' out || fail 'warnings in JSON'

# A pendulum with a spring: one model is run, changed and exported.
cat >pendulum.yaml <<'Y'
format: 1
title: pendulum with a spring
parameters:
  L: 1 m
bodies:
  arm: {type: rod, length: L, mass: 2 kg, position: [L/2, 0, 0]}
joints:
  hinge: {type: revolute, b: arm.start, at: [0, 0, 0], axis: z}
forces:
  weight: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}
  spring: {type: torsion_spring, coordinate: hinge.angle, stiffness: 5 N*m/rad, damping: 0.1 N*m*s/rad}
measures:
  lowest: {of: hinge.angle, take: min}
  pull: {of: hinge.fy, take: max_abs}
analysis: {duration: 5 s}
Y
expect 0 'lowest' "$hooke" run pendulum.yaml -o pendulum.h5
near "$(value lowest)" -1.873 2e-3 'lowest of the pendulum'
check "$hooke" run pendulum.yaml --set L="80 cm" --json
check "$hooke" export pendulum.h5 --csv - --channels hinge.angle,energy.balance_error

# Forces: in the list of channels, at rest, and in the output of `hooke types`; primary channels come first.
expect 0 'spring.torque' "$hooke" check pendulum.yaml --channels
sed '/^# details/,$d' out | grep -q '^spring.energy ' || fail 'energy of the spring among the first'
sed '1,/^# details/d' out | grep -q '^hinge.local_fx ' || fail 'local axes among the details'
expect 0 'spring.torque' "$hooke" static pendulum.yaml
grep -q '^hinge.fy  *19.62' out || fail 'the hinge carries the weight'
expect 0 '"local_fy": ' "$hooke" static pendulum.yaml --json
grep -q '"forces": {"weight": {"energy": .*"spring": {"torque": ' out || fail 'forces in JSON'
# Zero is printed without a sign.
expect 0 'turning.effort' "$hooke" static "$source/examples/cv_joint/tripod.yaml"
if grep -q -- ' -0 ' out; then fail "a zero with a sign"; fi
# The length of a spring is recorded, listed, and part of the output of `hooke static`.
cat >strut.yaml <<'END'
format: 1
bodies: {ball: {type: point_mass, mass: 1 kg, position: [0, 0, -1 m]}}
forces:
  weight: {type: gravity, acceleration: [0, 0, -10 m/s^2]}
  strut: {type: spring_damper, b: ball, stiffness: 100 N/m, damping: 1 N*s/m, length: 1 m}
analysis: {duration: 0.1 s}
END
expect 0 'length_rate [m/s]' "$hooke" types spring_damper
expect 0 'strut.length_rate' "$hooke" check strut.yaml --channels
expect 0 '"strut": {' "$hooke" static strut.yaml --json
grep -q '"strut": {[^}]*"length": 1\.\(1\|09999\)' out || fail 'length of the strut at rest in JSON'
check "$hooke" static strut.yaml
grep -q '^strut.length  *1\.\(1\|09999\)[0-9]* m$' out || fail 'length of the strut at rest'
expect 0 "load path   passed" "$hooke" conform callback
expect 3 "no check of the behaviour" "$hooke" conform rolling_wheel --check balance
expect 0 'balance     passed' "$hooke" conform spherical_clearance_joint --check balance
expect 0 'normal_force [N]' "$hooke" types joint_friction
expect 0 'secondary_torque_b' "$hooke" types tripod_joint
expect 0 '"channels": [' "$hooke" types bushing --json
tripod=$source/examples/cv_joint/tripod.yaml
check "$hooke" run "$tripod" --quiet --set analysis.duration="1 ms" -o parts.h5
check "$hooke" export parts.h5 --csv -
head -n 1 out | grep -q 'tripod.roller\[0\].qw' || fail 'parts of composite joints are recorded'
head -n 1 out | grep -q 'tripod_pin' && fail 'their markers are not'
check "$hooke" run "$tripod" --quiet --set analysis.duration="1 ms" -o parts.h5 --record .
check "$hooke" export parts.h5 --csv -
head -n 1 out | grep -q 'tripod_pin' || fail 'unless they are asked for'

# Help.
expect 0 'usage: hooke COMMAND' "$hooke" --help
expect 0 'hooke 0.' "$hooke" --version
expect 0 '"model_format": 1' "$hooke" --version --json
expect 0 '"hdf5": "1' "$hooke" --version --json
expect 2 'accepts only --json' "$hooke" --version --all
for command in $("$hooke" help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
  expect 0 "usage: hooke $command" "$hooke" "$command" --help
  cp out first
  check "$hooke" help "$command"
  cmp -s out first || fail "hooke help $command is hooke $command --help"
  expect 0 '.TH HOOKE' "$hooke" help --man "$command"
done
awk 'length > 100' first | grep . && fail 'lines of the help fit a terminal'
expect 2 "did you mean 'run'" "$hooke" help rnu

# Types and schema.
expect 0 'revolute' "$hooke" types
expect 0 'Source:' "$hooke" types revolute
expect 0 '"name": "revolute"' "$hooke" types revolute --json
expect 2 "did you mean 'revolute'" "$hooke" types revolut
[ ! -s out ] || fail 'an error must leave standard output empty'
expect 0 'https://json-schema.org' "$hooke" schema
if command -v python3 >/dev/null; then
  for words in 'types --json' schema 'check good.yaml --json --channels'; do
    "$hooke" $words >json
    check python3 -c 'import json, sys; json.load(open(sys.argv[1]))' json
  done
fi

# A failed run: exit code 1, and the file contains the rows before the failure.
cat >fails.yaml <<'Y'
format: 1
bodies: {bob: {type: point_mass, mass: 1 kg}}
forces: {push: {type: load, b: bob, force: ["1 N*s^2 / (0.5 s - t)^2", 0, 0]}}
analysis: {duration: 1 s, output_step: 10 ms}
Y
expect 1 'error: ' "$hooke" run fails.yaml -o fails.h5
grep -q 't = 0' err || fail 'the message tells the time'
expect 1 '"status": "failed", "error": "fails.yaml:' "$hooke" run fails.yaml --json
expect 0 '0.4' "$hooke" export fails.h5 --csv -
expect_error 'hooke export out.h5 --csv out.csv' "$hooke" run good.yaml -o out.csv
[ ! -e out.csv ] || fail 'no table is written'
# Grazing contacts cause round-off forces, which do not prevent an equilibrium.
expect 0 'free motion' "$hooke" modes "$source/examples/cv_joint/zero_deflection.yaml"
! grep -q 'not in equilibrium' err || fail "rounding is told as a lack of balance"
# A step that is shortened to end at an output time.
cat >cut.yaml <<'Y'
format: 1
bodies: {bob: {type: point_mass, mass: 1 kg}}
forces: {weight: {type: gravity}}
analysis: {duration: 1 s, step: 0.1 s, output_step: 10 ms}
Y
expect 0 'cut.yaml:4:33: warning: step 0.1 s is longer than output_step 0.01 s' "$hooke" run cut.yaml

# Forces of rigid contacts are means over steps, and a run says so where a peak is asked for.
cat >rigid.yaml <<'Y'
format: 1
bodies: {ball: {type: sphere, radius: 1 cm, mass: 30 g, position: [0, 0, 0.1 m]}}
forces: {g: {type: gravity}}
laws: {rigid: {type: signorini, restitution_normal: 0.8}}
contacts: {floor: {type: sphere_on_plane, a: ground, b: ball, law: rigid, radius: 1 cm}}
measures: {peak: {of: floor.normal_force, take: max}, mean: {of: floor.normal_force, take: mean}, height: {of: ball.z, take: max}}
analysis: {duration: 0.2 s, step: 0.1 ms}
Y
expect 0 "note: measure 'peak': with rigid contacts this force is the mean over a step" "$hooke" run rigid.yaml
[ "$(grep -c 'mean over a step' err)" = 1 ] || fail 'only the peak of a force has this note'

# The greatest impulse is the value of a step, with nothing between the samples: m (1 + e) sqrt(2 g h), and --digits knows it.
sed 's/measures: .*/measures: {hit: {of: floor.impulse, take: max}, fall: {of: floor.approach_velocity, take: max}}/; s/, step: 0.1 ms//' rigid.yaml >hit.yaml
check "$hooke" run hit.yaml --digits
checks=$((checks + 1))
awk 'NF > 2 { sub(/^\(/, "", $(NF - 1)) } $1 == "hit" { d = $2 - 0.03 * 1.8 * sqrt(2 * 9.81 * 0.09); hit = d * d < 1e-20 && $(NF - 1) + 0 >= 9 }
  $1 == "fall" { fall = $(NF - 1) + 0 >= 9 } END { exit !(hit && fall) }' out || fail 'an error bar on the impulse of an impact that is exact'

finish
