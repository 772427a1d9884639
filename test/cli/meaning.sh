# Units and meaning: a model file is computed as written, or rejected with the correct notation.
. "$(dirname "$0")/common"
repro=$source/test/repro

value() { awk -v name="$1" '$1 == name {print $2}' out; }
near() {
  checks=$((checks + 1))
  awk -v a="$1" -v b="$2" -v tol="$3" 'BEGIN {exit !(a != "" && a - b < tol && b - a < tol)}' ||
    fail "$4: $1 is not within $3 of $2"
}

# --- the force of an actuator: newton metre along an angle, newton along a length -----------------
torque() { sed "s|force: 5 kN|force: $1|" "$repro/actuator_no_unit_check.yaml" >torque.yaml; }
expect_error "actuator_no_unit_check.yaml:5:58: error: force 'f': 'h.angle' is an angle, so its force must be in N*m, not in N" \
  "$hooke" run "$repro/actuator_no_unit_check.yaml"
for wrong in 5 "5 m" "5 kg" "t" "2 N*s * h.angle_rate"; do
  torque "$wrong"
  expect_error "N*m" "$hooke" check torque.yaml
done
torque 5
expect_error "force of force 'f' needs a unit: N, kN along a length, N*m, kN*m, J along an angle" "$hooke" check torque.yaml
for right in "5 kN*mm" 0 "-3 N*m*s/rad * h.angle_rate" "2 kg*m^2 * (2*pi*5 Hz)^2 * sin(2*pi*5 Hz * t)"; do
  torque "$right"
  check "$hooke" check torque.yaml
done
torque "5 kN*mm"
expect 0 rate "$hooke" run torque.yaml
near "$(value rate)" 15 1e-6 'a torque of 5 N m on a rod of 1 kg and 1 m for one second'

# --- a motion's value --------------------------------------------------------------------------
motion() {
  sed "s|value: 5 Hz \* t|value: $1|; s|^bodies|parameters: {f: 5 Hz, w: 2*pi*f, two_pi: 2*pi}\nbodies|" \
    "$repro/motion_no_unit_check.yaml" >motion.yaml
}
expect_error "motion_no_unit_check.yaml:6:43: error: value of motion 'd': Hz means cycles per second; for an angle write 2*pi*..." \
  "$hooke" run "$repro/motion_no_unit_check.yaml"
for wrong in "5 m/s * t" "5*t" t "f*t" "f * 1 s" "3" "1 rad * sin(f*t)" "w" "1 N * t"; do
  motion "$wrong"
  expect 2 "error: " "$hooke" check motion.yaml
done
for right in "5 rad/s * t" "2*pi*5 Hz * t" "w*t" "two_pi*f*t" "300 rpm * t" "1 rad * sin(2*pi*f*t)" 0; do
  motion "$right"
  check "$hooke" check motion.yaml
done
motion "2*pi*5 Hz * t"
expect 0 rate "$hooke" run motion.yaml
near "$(value rate)" 31.4159265 1e-6 'five turns a second'
# Hz from a parameter is not an angular velocity either; multiplied by 2*pi it is one.
cat >spin.yaml <<'Y'
format: 1
parameters: {f: 5 Hz, w: 2*pi*f}
bodies: {r: {type: rotor, inertia: 1 kg*m^2, rate: f}}
Y
expect_error "spin.yaml:3:52: error: rate of body 'r' is an angular velocity" "$hooke" check spin.yaml
check "$hooke" check spin.yaml --set r.rate=w
check "$hooke" check spin.yaml --set "r.rate=2*pi*5 Hz"

# --- a load, along a rail, a Maxwell element, a coupling ------------------------------------------
cat >rail.yaml <<'Y'
format: 1
bodies:
  b: {mass: 1 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2]}
  w: {type: rotor, inertia: 1 kg*m^2}
joints:
  slide: {type: prismatic, b: b, axis: x}
  rack: {type: coupling, terms: {slide.displacement: 1, w.angle: -20 mm/rad}}
forces:
  push: {type: actuator, coordinate: slide.displacement, force: 3 N}
  pull: {type: load, b: b, force: [-1 N, 0, 0]}
  lag: {type: maxwell, coordinate: slide.displacement, stiffness: 2 N/m, damping: 3 N*s/m}
analysis: {duration: 1 s}
Y
check "$hooke" run rail.yaml
expect_error "'slide.displacement' is a length, so its force must be in N, not in N*m" \
  "$hooke" check rail.yaml --set "push.force=3 N*m"
expect_error "force of force 'pull' needs a unit: N, kN" "$hooke" check rail.yaml --set "pull.force=[-1, 0, 0]"
expect_error "force of force 'pull' needs another unit (N, kN), got N*m" \
  "$hooke" check rail.yaml --set "pull.force=[1 N*m, 0, 0]"
expect_error "so its stiffness must be in N/m, not in N*m/rad" "$hooke" check rail.yaml --set "lag.stiffness=2 N*m/rad"
sed 's|-20 mm/rad|-0.02|' rail.yaml >rack.yaml
expect_error "rack.yaml:7:57: error: joint 'rack': the terms of 'slide.displacement' and 'w.angle' cannot be added: m and rad" \
  "$hooke" check rack.yaml

# --- shafts that stand bent ----------------------------------------------------------------------
for type in universal_at_axis_wrong_ratio cv_at_axis_not_homokinetic; do
  expect_error "'out' rotates about [0, -0.34202, 0.939693] (joint 'bout'); give one axis per shaft: axis_a: [0, 0, 1], axis_b: [0, -0.34202, 0.939693]" \
    "$hooke" run "$repro/$type.yaml"
  sed 's|u: \(.*\), axis: z}|u: \1, axis_a: z, axis_b: [0, -sin(b), cos(b)]}|' "$repro/$type.yaml" >$type.yaml
  expect 0 max "$hooke" run $type.yaml
  if [ $type = cv_at_axis_not_homokinetic ]; then
    near "$(value max)" 1 1e-8 'a constant velocity joint'
    near "$(value min)" 1 1e-8 'a constant velocity joint'
  else
    near "$(value max)" 1.0641777725 1e-6 'a universal joint: 1/cos(20 deg)'
    near "$(value min)" 0.9396926208 1e-6 'a universal joint: cos(20 deg)'
  fi
  expect_error "omit it if axis_a and axis_b are given" "$hooke" check $type.yaml --set u.axis=z
done
sed 's|, axis_b: .*|}|' universal_at_axis_wrong_ratio.yaml >half.yaml
expect_error "give both axis_a and axis_b, or neither" "$hooke" check half.yaml
# The axis of a shaft without a bearing on the ground follows from the shape of the body.
sed 's|^  bout: .*||; s|^sensors.*||; s|^measures.*||' "$repro/universal_at_axis_wrong_ratio.yaml" >loose.yaml
expect_error "'out' is a cylinder along [0, -0.34202, 0.939693]" "$hooke" check loose.yaml

# --- the thread of a screw -----------------------------------------------------------------------
# Self-locking: the nut creeps slowly, and the thread carries its weight.
expect 0 axial "$hooke" run "$repro/screw_friction.yaml"
near "$(value axial_force_on_nut)" 19.62 1e-6 'the thread is part of the reaction'
near "$(value acceleration)" 0 1e-6 'mu 0.5 holds a lead of 20 mm on a radius of 10 mm'
# Sliding: with q = pitch/(2 pi), T (1 + m q (q - mu r)/J) = m g.
expect 0 axial "$hooke" run "$repro/screw_friction.yaml" --set rub.mu=0.1
near "$(value axial_force_on_nut)" \
  "$(awk 'BEGIN {q = 0.02/6.283185307179586; printf "%.9f", 2*9.81/(1 + 2*q*(q - 0.001)/0.003)}')" 1e-5 'sliding thread'

# --- friction that falls from rest to sliding -------------------------------------------------------
cat >stribeck.yaml <<'Y'
format: 1
bodies: {b: {mass: 2 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2]}}
joints: {slide: {type: prismatic, b: b, axis: x}}
forces:
  g: {type: gravity}
  rub: {type: joint_friction, joint: slide, mu: 0.1, mu_static: 0.3, stribeck_velocity: 50 mm/s}
motions: {drive: {coordinate: slide.displacement, value: 0.1 m/s * t}}
measures: {drag: {of: rub.force, take: final}}
analysis: {duration: 1 s}
Y
expect 0 drag "$hooke" run stribeck.yaml
near "$(value drag)" "$(awk 'BEGIN {printf "%.9f", -(0.1 + 0.2*exp(-4))*2*9.81}')" 1e-4 'at twice the Stribeck velocity'

# --- measures, bushings, rollers -------------------------------------------------------------------
expect 0 change "$hooke" run "$repro/measure_change_vs_final_initial.yaml" --json
cp out json
! command -v python3 >/dev/null || check python3 - json <<'P'
import json, sys
m = json.load(open(sys.argv[1]))["measures"]
v = lambda name: m[name]["value"]
assert v("change") == v("final") - v("initial"), (v("change"), v("final") - v("initial"))
assert abs(v("rate") - v("change") / (1.7771 - 0.1234)) < 1e-12 * abs(v("rate"))
P
expect 1 "force 'k' (bushing): its frames are rotated by 180 degrees relative to each other" \
  "$hooke" run "$repro/bushing_past_180.yaml"
near "$(value jump)" 0 1e-6 'no energy has jumped before that'
expect 1 "rotated by 180 degrees" "$hooke" run "$repro/bushing_past_180.yaml" --set analysis.stepper=auto
check "$hooke" check "$repro/tripod_rollers_tumble.yaml"

# ---- velocities that a body cannot have are not lost ----

printf 'format: 1\nbodies: {w: {type: rotor, inertia: 1 kg*m^2, angular_velocity: [0, 0, 7 rad/s]}}\nanalysis: {duration: 1 s}\n' > w.yaml
expect_error "body 'w': it rotates about a fixed axis only: give its angular velocity as 'rate', not as 'angular_velocity'" "$hooke" run w.yaml
printf 'format: 1\nbodies: {w: {type: rotor, inertia: 1 kg*m^2, velocity: [1 m/s, 0, 0]}}\nanalysis: {duration: 1 s}\n' > w.yaml
expect_error "give its angular velocity as 'rate', not as 'velocity'" "$hooke" run w.yaml
printf 'format: 1\nbodies: {p: {type: point_mass, mass: 1 kg, angular_velocity: [1 rad/s, 0, 0]}}\nanalysis: {duration: 1 s}\n' > w.yaml
expect_error "it does not rotate: remove 'angular_velocity'" "$hooke" run w.yaml

# ---- Hz is no angular velocity in sums, comparisons and arguments of tables either ----

for value in "(3 rad/s + 50 Hz) * t" "cam(30 Hz * t)" "interp(30 Hz * t, 0 deg, 0, 90 deg, 1)" "if(2 rad > 1 Hz * t, 1 rad, 0)"; do
  cat > w.yaml <<END
format: 1
tables: {cam: {points: [[0, 0], [90 deg, 1 rad]]}}
bodies: {a: {type: rotor, inertia: 1 kg*m^2}}
motions: {m: {coordinate: a.angle, value: "$value"}}
analysis: {duration: 0.01 s}
END
  expect_error "cycles: an angle is 2*pi*..." "$hooke" run w.yaml
done
sed -i 's/value: .*}$/value: "2*pi*50 Hz * t + 3 rad"}}/; s/}}}/}}/' w.yaml
check "$hooke" check w.yaml

finish
