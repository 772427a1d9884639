# Start of a run: reports of moved bodies, changed speeds, locked mechanisms, contradictions and overlaps.
. "$(dirname "$0")/common"
repro=$source/test/repro

value() { awk -v name="$1" '$1 == name {print $2}' out; }

# --- assembly ------------------------------------------------------------------------------------
for command in check run; do
  expect 0 "assembly_moves_5m_silently.yaml:6:3: warning: to close the joints, body 'coupler' was moved by 4801 mm and rotated by 23.5 deg" \
    "$hooke" $command "$repro/assembly_moves_5m_silently.yaml"
  grep -q "body 'crank' was moved by 53.2 mm and rotated by 64.28 deg" err || fail "crank: $command"
done
cat >fourbar.yaml <<'Y'
format: 1
parameters: {a: 0.1 m, b: 0.3 m, c: 0.25 m, d: 0.3 m}
bodies:
  ground: {markers: {d: [d, 0, 0]}}
  crank: {type: rod, length: a, mass: 1 kg, position: [0, a/2, 0], orientation: {axis: z, angle: 90 deg}, fixed: all}
  coupler: {type: rod, length: b, mass: 1 kg, position: [0.15 m, -0.16 m, 0], orientation: {axis: z, angle: 87 deg}}
  rocker: {type: rod, length: c, mass: 1 kg, position: [d, c/2, 0], orientation: {axis: z, angle: 61 deg}}
joints:
  A: {type: revolute, b: crank.start, at: [0, 0, 0], axis: z}
  B: {type: revolute, a: crank.end, b: coupler.start}
  C: {type: revolute, a: coupler.end, b: rocker.end}
  D: {type: revolute, a: ground.d, b: rocker.start}
analysis: {duration: 1 ms}
Y
expect 0 "fourbar.yaml:11:3: warning: joint 'C' was closed in another branch than in the file" "$hooke" check fourbar.yaml
! grep -q "body 'crank'" err || fail 'what is fixed stays'
# If it closes without displacement, there is no message.
cat >closed.yaml <<'Y'
format: 1
bodies: {r: {type: rod, length: 1 m, mass: 1 kg, position: [0.5 m, 0, 0], angular_velocity: [0, 0, 2 rad/s]}}
joints: {h: {type: revolute, b: r.start, axis: z}}
analysis: {duration: 10 ms}
Y
check "$hooke" check closed.yaml
[ ! -s err ] || fail 'nothing to be told'
cat >reversed.yaml <<'Y'
format: 1
bodies: {r: {type: rod, length: 1 m, mass: 1 kg, position: [0.5 m, 0, 0], markers: {m: {at: [-0.5 m, 0, 0], orientation: {axis: x, angle: 180 deg}}}}}
joints: {h: {type: revolute, b: r.m}}
analysis: {duration: 10 ms}
Y
expect 0 "joint 'h' is closed the other way round" "$hooke" check reversed.yaml

# --- speeds ----------------------------------------------------------------------------------------
# The shaft that the cross is fitted to keeps its speed; there is no message.
expect 0 "" "$hooke" run "$repro/ujoint_reduced_start_rate.yaml" -o u.h5
[ ! -s err ] || fail 'no speed is changed'
check "$hooke" export u.h5 --csv u.csv --channels a.angle_rate,b.angle_rate
sed -n 2p u.csv | awk -F, '{exit !($2 == 1 && $3 > 0.2 - 1e-9 && $3 < 0.2 + 1e-9)}' || fail "start rates: $(sed -n 2p u.csv)"
cat >speeds.yaml <<'Y'
format: 1
bodies:
  a: {type: rotor, inertia: 1 kg*m^2, rate: 3 rad/s}
  b: {type: rotor, inertia: 1 kg*m^2, rate: 1 rad/s}
joints: {g: {type: gear, first: a.angle, second: b.angle, ratio: 1}}
analysis: {duration: 10 ms}
Y
expect 0 "speeds.yaml:3:45: warning: the joints do not allow the rate given for body 'a': 3 rad/s in the file, 2 rad/s at the start" \
  "$hooke" run speeds.yaml

# Parts of a composite joint, as the ends of a shaft, have no velocity given by the user: there is no message about them.
for model in steering tripod cross_groove; do
  expect 0 'degrees of freedom' "$hooke" check "$source/examples/half_shaft/$model.yaml"
  if grep -q 'warning' err; then fail "half_shaft/$model.yaml begins with a warning"; fi
done

# --- degrees of freedom, contradictions, dead centres, unconnected bodies -----------------------------
expect 0 "wrong_axis_zero_dof_no_warning.yaml:9:3: warning: no degree of freedom is left: 'crank', 'coupler', 'rocker' are locked by 'A', 'B', 'C', 'D'" \
  "$hooke" run "$repro/wrong_axis_zero_dof_no_warning.yaml"
expect 1 "the mechanism has reached a dead point, where one of its constraints is no longer independent of the others (motion 'drive' (motion), drive: follows from 'A', 'B', 'C', 'D')" \
  "$hooke" run "$repro/locked_message.yaml"
motions() {
  cat <<Y
format: 1
bodies: {r: {type: rod, length: 1 m, mass: 1 kg, position: [0.5 m, 0, 0]}}
joints: {h: {type: revolute, b: r.start, axis: z}}
motions:
  one: {coordinate: h.angle, value: $1}
  two: {coordinate: h.angle, value: $2}
analysis: {duration: 1 s}
Y
}
motions "10 deg + 1 rad/s * t" "20 deg + 1 rad/s * t" >m.yaml
expect 2 "motion 'two' (motion), drive contradicts motion 'one' (motion), drive by 10 deg" "$hooke" run m.yaml
motions "1 rad/s * t" "2 rad/s * t" >m.yaml
expect 2 "conflicting speeds: motion 'two' (motion), drive contradicts motion 'one' (motion), drive by 1 rad/s" "$hooke" run m.yaml
motions "1 rad/s^2 * t^2" 0 >m.yaml
expect 1 "motion 'two' (motion), drive contradicts motion 'one' (motion), drive" "$hooke" run m.yaml
motions "\"step5(t, 0.5 s, 0 rad, 1 s, 1 rad)\"" 0 >m.yaml
expect 1 "constraints that were redundant no longer agree: motion 'two' (motion), drive contradicts" "$hooke" run m.yaml
cat >loose.yaml <<'Y'
format: 1
bodies:
  r: {type: rod, length: 1 m, mass: 1 kg, position: [0.5 m, 0, 0]}
  s: {type: sphere, radius: 1 cm, mass: 1 kg}
joints: {h: {type: revolute, b: r.start, axis: y}}
forces: {g: {type: gravity}}
analysis: {duration: 10 ms}
Y
expect 0 "loose.yaml:4:3: note: 's': no joint, force or contact acts on it" "$hooke" run loose.yaml
expect 1 "on body 's' remains unbalanced" "$hooke" static loose.yaml

# --- overlaps ------------------------------------------------------------------------------------
expect_error "contact 'f' has a penetration of 80 mm in the initial position" "$hooke" run "$repro/overlap_moreau.yaml"
expect_error "contact 'f' has a penetration of 1100 mm in the initial position" "$hooke" check "$repro/overlap_neg_moreau.yaml"
expect 0 "warning: contact 'f' has a penetration of 80 mm in the initial position, and will be pushed apart" \
  "$hooke" run "$repro/overlap_moreau.yaml" --set analysis.initial_penetration=allow
expect 0 "warning: contact 'f' has a penetration of 1 mm in the initial position, and will be pushed apart" \
  "$hooke" run "$repro/overlap_moreau.yaml" --set "b.position=[0, 0, 99 mm]"
check "$hooke" run "$repro/overlap_moreau.yaml" --set "b.position=[0, 0, 0.1 m]"
[ ! -s err ] || fail 'touching is no overlap'

# --- in articulated joints the balls start at the crossing points of their tracks -------------------
start_energy() { # MODEL LIMIT [--set ...]
  model=$1 limit=$2
  shift 2
  check "$hooke" run "$model" --set "analysis.duration=0.1 ms" --set "analysis.output_step=0.1 ms" -o start.h5 "$@"
  ! grep -q overlaps err || fail "overlap at the start: $model $*"
  check "$hooke" export start.h5 --csv start.csv --channels energy.potential
  sed -n 2p start.csv | awk -F, -v limit="$limit" '{exit !($2 >= 0 && $2 < limit)}' ||
    fail "stored at the start of $model $*: $(sed -n 2p start.csv) J"
}
# It was 204 J, and 6108 J of the half shaft.
start_energy "$repro/cv_and_tripod_start_overlapped.yaml" 1e-4
for bend in 1 15 22; do
  # The axial stop is a spring of the model, and the shaft moves by 0.5 mm at 22 degrees: without it.
  start_energy "$repro/cv_and_tripod_start_overlapped.yaml" 1e-4 --set "parameters.bend=$bend deg" \
    --set "stop.axial_stiffness=1e-3 N/m"
done
half=$source/examples/cv_joint/half_shaft.yaml
start_energy "$half" 1e-9 --set cvj.fidelity=full
start_energy "$half" 1e-9 --set cvj.fidelity=full --set "parameters.offset=120 mm"
start_energy "$half" 1e-9 --set cvj.fidelity=full --set "cvj.flank_clearance=20 um"
# Any phase: all three bodies rotated together.
sed 's|orientation: {axis: y, angle: tilt}|orientation: [{axis: y, angle: tilt}, {axis: z, angle: 37 deg}]|
     s|rate: speed|rate: speed, angle: 37 deg|' "$half" >phase.yaml
start_energy phase.yaml 1e-9 --set cvj.fidelity=full

# Another contact of the model, pressed in by 1 um, does not change the positions of the parts.
for height in 99.999 100.001; do
  sed "s|^bodies:|&\n  ball: {type: sphere, radius: 0.1 m, mass: 1 kg, position: [1 m, 0, $height mm]}|
       s|^laws:|contacts: {floor: {type: sphere_on_plane, a: ground, b: ball, law: steel, radius: 0.1 m}}\n&|" "$half" >floor.yaml
  check "$hooke" run floor.yaml --set cvj.fidelity=full --set "analysis.duration=1 us" --set "analysis.output_step=1 us" -o floor.h5
  check "$hooke" export floor.h5 --csv "floor_$height.csv" --channels cvj.ball[1].x,cvj.ball[1].vz,cvj.ball[3].y,cvj.cage.wx,shaft.x
  sed -n 2p "floor_$height.csv"
done >floor
[ "$(sort -u floor | wc -l)" = 1 ] || fail "positions of parts depend on another contact: $(cat floor)"

# A slider-crank that starts at its dead centre: with a given speed, and from rest.
for value in "-0.05 m/s * t" "-0.05 m/s^2 * t^2"; do
  cat > dead.yaml <<END
format: 1
bodies:
  crank: {type: rod, length: 0.1 m, mass: 0.1 kg, position: [0.05 m, 0, 0]}
  rod: {type: rod, length: 0.3 m, mass: 0.4 kg, position: [0.25 m, 0, 0]}
  slider: {mass: 1 kg, inertia: [1e-3 kg*m^2, 1e-3 kg*m^2, 1e-3 kg*m^2], position: [0.4 m, 0, 0]}
joints:
  a: {type: revolute, b: crank.start, axis: z}
  b: {type: revolute, a: crank.end, b: rod.start, axis: z}
  c: {type: revolute, a: rod.end, b: slider, axis: z}
  d: {type: prismatic, b: slider, at: [0.4 m, 0, 0], axis: x}
motions: {m: {coordinate: d.displacement, value: "$value"}}
analysis: {duration: 0.1 s}
END
  code=2
  [ "$value" = "-0.05 m/s * t" ] || code=1
  expect $code "start next to it" "$hooke" run dead.yaml
done

finish
