# hooke bearing: numbers and JSON; an impossible value is rejected with the value and the permitted range.
. "$(dirname "$0")/common"
rotor=$source/examples/bearings/rotor.yaml
cat >6206.yaml <<'Y'
format: 1
parameters: {spin: 0 rad/s, mode: static}
bodies:
  shaft: {mass: 1 kg, inertia: [1e-3 kg*m^2, 1e-3 kg*m^2, 1e-3 kg*m^2], angular_velocity: [0, 0, spin]}
forces:
  front:
    type: rolling_bearing
    a: ground
    b: shaft
    elements: 9
    element_diameter: 9.525 mm
    pitch_diameter: 46 mm
    conformity_inner: 0.515
    conformity_outer: 0.525
    clearance: 12 um
    dynamics: $mode
    rating: 20.3 kN
    load: [2000 N, 0 N, 0 N]
analysis: {duration: 1 ms}
Y
bearing() { "$hooke" bearing 6206.yaml "$@"; }
expect 0 'displacement (27.83' bearing
expect 0 '1052.9' bearing
expect 0 'L10r 932.' bearing
expect 0 'FTF 19.8234, BPFO 178.41, BPFI 271.59, BSF 115.558 Hz' bearing --speed "3000 rpm"
expect 0 '"displacement": [2.880' bearing --force "2000, 0, 800 N" --free-tilt --json
expect 0 '"L10r"' bearing --json
expect 0 'tilt (0, 0.5) mrad' bearing --tilt "0, 0.5 mrad"
printf 'share, rpm, fx, fy, fz\n0.5, 1000, 2000, 0, 0\n0.5, 3000, 1000, 0, 500\n' >duty.csv
expect 0 'over the duty cycle' bearing --duty duty.csv
# Clearance 0, radial load: the catalogue's formula and the loads of all balls agree within 1.3 %.
expect 0 'L10 1045.68 million revolutions (C 20300 N, P 2000 N, X 1, Y 0)' bearing --set forces.front.clearance=0
expect 0 'L10r 1032.' bearing --set forces.front.clearance=0
expect 0 'X 0.56, Y 1.27' bearing --force "500, 0, 2000 N"
expect 0 'L10r 843.' bearing --outer-turns
expect 0 "natural frequencies of body 'shaft' (1 kg) on this bearing alone" bearing --force "2000, 0, 800 N"
for f in svg html png; do
  check "$hooke" bearing "$rotor" front -o front.$f
  test -s front.$f || fail "front.$f is empty"
done
grep -q 'speed of the inner ring' front.html || fail "the page has no stiffness over speed"
grep -q 'stiffness (N/m, N/rad, N m/rad)' front.html || fail "the page has no table"
# A run also reports a contact that extends beyond its shoulder.
expect 0 "reached beyond its shoulder by" "$hooke" run "$rotor" --set forces.front.shoulder_inner="0.6 mm" --set analysis.duration="1 ms" -o edge.h5
expect 0 '14 balls in 1 row' "$hooke" bearing "$rotor" rear
expect 0 'gyroscopic' "$hooke" types rolling_bearing

# One angular-contact row supports one direction only; the message names it.
expect 1 'supports forces on b along +z only' "$hooke" bearing "$rotor" front --force "500, 2000, -300 N"
expect 1 'supports forces on b along -z only' "$hooke" bearing "$source/examples/bearings/gearbox.yaml" right --force "800, 2000, -300 N"
# Round-off beside the stiffness of other directions is printed as 0.
expect 0 '            0             0' "$hooke" bearing "$rotor" front --force "0, 0, 500 N"
checks=$((checks + 1))
grep -q '[0-9]e-' out && fail "round-off is printed: $(grep '[0-9]e-' out)"
# Waves and size errors are deviations of manufacture.
expect_error 'waviness_inner has a value of 1000 um; not more than 1 % of element_diameter, 95.25 um' bearing --set forces.front.waviness_inner="[1 mm]"
expect_error 'waviness_outer has a value of -200 um' bearing --set forces.front.waviness_outer="[0 um, -0.2 mm]"
expect_error 'size_error has a value of 100 um' bearing --set forces.front.size_error="[100 um]"
expect 0 'stiffness' bearing --set forces.front.waviness_inner="[20 um]"

# Cylindrical rollers, as in case R1 of test_bearing.
cat >nu209.yaml <<'Y'
format: 1
bodies: {shaft: {mass: 1 kg, inertia: [1e-3 kg*m^2, 1e-3 kg*m^2, 1e-3 kg*m^2]}}
forces:
  front:
    type: rolling_bearing
    kind: cylindrical_roller
    b: shaft
    elements: 14
    element_diameter: 10 mm
    roller_length: 9.6 mm
    pitch_diameter: 65 mm
    clearance: 30 um
    load: [5000 N, 0 N, 0 N]
analysis: {duration: 1 ms}
Y
expect 0 'displacement (30.87' "$hooke" bearing nu209.yaml
expect 0 '"angle_inner": 0,' "$hooke" bearing nu209.yaml --json

# ---- joints ----
cat >joint.yaml <<'Y'
format: 1
parameters: {fidelity: quasi_static}
bodies:
  shaft: {mass: 3 kg, inertia: [24e-3 kg*m^2, 24e-3 kg*m^2, 12e-4 kg*m^2]}
joints:
  front:
    type: ball_bearing
    fidelity: $fidelity
    kind: angular_contact
    a: ground
    b: shaft
    rows: 2
    arrangement: back_to_back
    row_distance: 18 mm
    balls: 14
    ball_diameter: 11.1125 mm
    pitch_diameter: 60 mm
    contact_angle: 25 deg
    preload: 500 N
    damping: 200 N*s/m
measures: {sag: {of: front.axial, take: final}}
forces: {weight: {type: gravity}}
analysis: {duration: 1 ms}
Y
expect 0 '14 balls in 2 rows' "$hooke" bearing joint.yaml front --force "100, 0, 0 N"
for f in linear quasi_static; do
  "$hooke" modes joint.yaml --set fidelity=$f 2>err | awk '/±/ { print $5 }' >$f.modes
done
checks=$((checks + 1))
[ "$(grep -c . linear.modes)" -ge 4 ] && paste linear.modes quasi_static.modes |
  awk '{ d = $1/$2 - 1; if (d*d > 1e-8) exit 1 }' || fail "linear and quasi_static have other modes"
expect 0 'front.balls.element[3].load_inner' "$hooke" check joint.yaml --channels
expect 0 '5 constraints' "$hooke" modes joint.yaml --set fidelity=ideal
expect_error "cannot be linearised without a load" "$hooke" check joint.yaml --set fidelity=linear \
  --set joints.front.preload="0 N"
cat >spherical.yaml <<'Y'
format: 1
bodies:
  shaft: {mass: 4 kg, inertia: [0.02 kg*m^2, 0.02 kg*m^2, 3e-3 kg*m^2]}
joints:
  b: {type: roller_bearing, kind: spherical, fidelity: quasi_static, a: ground, b: shaft, rows: 2, rollers: 19, roller_diameter: 14 mm,
      roller_length: 13 mm, pitch_diameter: 91 mm, contact_angle: 9 deg, clearance: 30 um, load: [0 N, -10 kN, 2 kN]}
analysis: {duration: 1 ms}
Y
expect 0 'tilt (0, 0) mrad' "$hooke" bearing spherical.yaml --free-tilt
expect 0 '3 constraints' "$hooke" modes spherical.yaml --set joints.b.fidelity=ideal
expect 1 'transmits no moment' "$hooke" bearing spherical.yaml --free-tilt --moment "5, 0, 0 N*m"
expect_error "the rows overlap: with contact_angle 3 deg" "$hooke" check spherical.yaml --set joints.b.contact_angle="3 deg"
expect_error "one or two rows, not 3" "$hooke" check spherical.yaml --set joints.b.rows=3
cat >typical.yaml <<'Y'
format: 1
bodies: {shaft: {mass: 1 kg, inertia: [1e-3 kg*m^2, 1e-3 kg*m^2, 1e-3 kg*m^2]}}
joints: {front: {type: ball_bearing, fidelity: quasi_static, a: ground, b: shaft, bore: 30 mm, outside: 62 mm}}
analysis: {duration: 1 ms}
Y
expect_error "typical values for this bore and outside are balls: 9, ball_diameter: 9.6 mm, pitch_diameter: 46 mm" \
  "$hooke" check typical.yaml
expect 0 '9 balls in 1 row' "$hooke" bearing typical.yaml --set joints.front.dimensions=typical --force "100, 0, 0 N"
expect_error "needs balls, or 'dimensions: typical' with bore" "$hooke" check typical.yaml --set joints.front.bore="62 mm"
expect 0 '9 rollers in 1 row' "$hooke" bearing typical.yaml --set joints.front.type=roller_bearing \
  --set joints.front.dimensions=typical --force "100, 0, 0 N"

# ---- a spall, found by its envelope ----
spall=$source/examples/bearings/spall.yaml
envelope() { "$hooke" spectrum "$@" --channels housing.ay --from "0.05 s" --envelope "1000:4000 Hz" --up-to "800 Hz" --peaks 1; }
check "$hooke" run "$spall" -q --set analysis.duration="0.15 s" -o spall.h5
check "$hooke" run "$spall" -q --set analysis.duration="0.15 s" --set depth="0 um" -o sound.h5
expect 0 '  BPFO' envelope spall.h5 --mark "BPFO=178.41 Hz"
expect 0 '"mark": "BPFO"' envelope spall.h5 --mark "BPFO=178.41 Hz" --json
at() { envelope "$1" --at 178.41 | awk 'END { print $2 }'; }
checks=$((checks + 1))
awk -v a="$(at spall.h5)" -v b="$(at sound.h5)" 'BEGIN { exit !(a > 20 * b && b > 0) }' ||
  fail "the spall's line is not 20 times that of a sound bearing: $(at spall.h5), $(at sound.h5)"
expect 0 "  BPFO" "$hooke" spectrum spall.h5 --channels housing.ay --from "0.05 s" --envelope "1000:4000 Hz" --orders plane.angle --up-to 16 \
  --peaks 1 --mark BPFO=3.5682
expect_error "is not a band" "$hooke" spectrum spall.h5 --channels housing.ay --envelope 1000
expect_error "the rows resolve only up to" "$hooke" spectrum spall.h5 --channels housing.ay --envelope "1000:20000 Hz"
expect_error "is not NAME=VALUE" "$hooke" spectrum spall.h5 --channels housing.ay --mark 178

# ---- fidelity: full ----
expect 0 'balls 9, ball_diameter 9.6 mm, pitch_diameter 46 mm: computed from the geometry (typical of bore and outside)' \
  "$hooke" check typical.yaml --set joints.front.dimensions=typical
expect 0 'front.ball[27]' "$hooke" check joint.yaml --set fidelity=full --channels
check "$hooke" run joint.yaml -q --set fidelity=full
for g in balls inner_ring outer_ring; do
  check "$hooke" run joint.yaml -q --set fidelity=full --set joints.front.guidance=$g
done
full() { "$hooke" check joint.yaml --set fidelity=full "$@"; }
expect_error "leave no bar between them" full --set joints.front.pocket_clearance="3 mm"
expect_error "kind four_point has no fidelity full" full --set joints.front.kind=four_point
expect_error "spall_outer has no effect with fidelity full" full --set joints.front.spall_outer="1 um"
expect_error "must be larger than the largest size_error" full --set joints.front.size_error="[10 um]" \
  --set joints.front.pocket_clearance="5 um"
expect_error "do not fit on a pitch circle" full --set joints.front.balls=20
expect_error "cannot be 'full'" "$hooke" check typical.yaml --set joints.front.type=roller_bearing --set joints.front.fidelity=full

# ---- examples ----
skid() { "$hooke" run -q "$source/examples/bearings/skidding.yaml" --set analysis.duration="30 ms" --set measures.cage_ratio.from="20 ms" "$@" | awk '/^cage_ratio/ { print $2 }'; }
checks=$((checks + 1))
awk -v light="$(skid)" -v heavy="$(skid --set load="400 N")" \
  'BEGIN { exit !(light > 0.1 && light < 0.35 && heavy > 0.39 && heavy < 0.3966) }' ||
  fail "the cage skids: $(skid), $(skid --set load="400 N")"
vc=$source/examples/bearings/variable_compliance.yaml
section() { "$hooke" poincare "$vc" --set speed="$1 rpm" --period passing --channels rotor.x,rotor.y --skip 400 --points 64; }
expect 0 'period 1,' section 4500
expect 0 'period 2,' section 5800
expect 0 'not periodic' section 6500
expect 0 'not periodic' section 9400

gearbox=$source/examples/bearings/gearbox.yaml
expect 0 'left_axial' "$hooke" run "$gearbox" --set fidelity=linear --set analysis.duration="11 ms"
expect 0 'simulated' "$hooke" run "$gearbox" --set analysis.duration="1 ms"
expect 0 'do not hold the shaft in this direction' "$hooke" run "$gearbox" --set joints.left.thrust=backward --set joints.left.slices=5 \
  --set joints.right.slices=5 --set analysis.duration="12 ms"
expect 0 'catalogue life: L10 16206' "$hooke" bearing "$gearbox" left --free-tilt

expect_error "give the name of one of them" "$hooke" bearing "$rotor"
expect_error "did you mean 'front'" "$hooke" bearing "$rotor" fornt
expect_error "has no rolling_bearing" "$hooke" bearing "$source/examples/linear/quarter_car.yaml"
expect_error "needs 3 numbers" bearing --force "2 N"
expect_error "cannot read 'none.csv'" bearing --duty none.csv
printf 'a\n-1, 2\n' >wrong.csv
expect_error "wrong.csv:2:1" bearing --duty wrong.csv
expect_error "--duty needs the dynamic load rating" "$hooke" bearing "$source/examples/bearings/variable_compliance.yaml" --force 100,0,0N --duty duty.csv
# A file without loads, units, texts after numbers and values that are no numbers are refused, not left out.
for text in '' 'share, rpm, fx, fy, fz' 'root:x:0:0:root'; do
  printf '%s\n' "$text" >wrong.csv
  expect_error "'wrong.csv' has no line with a load" bearing --duty wrong.csv
done
for line in '1,1000,100 kN,0,0' '1,1000,100,0,0,0,0,0' '1,nan,100,0,0' 'inf,1000,100,0,0' 'end' '1,1000,100,0,'; do
  printf 'share, rpm, fx, fy, fz\n%s\n' "$line" >wrong.csv
  expect_error "wrong.csv:2:1" bearing --duty wrong.csv
done
expect_error "16 balls of 9.525 mm do not fit on a pitch circle of 46 mm" bearing --set forces.front.elements=16
expect_error "at most 15 fit" bearing --set forces.front.elements=16
expect_error "is too low: the groove ends at" bearing --set forces.front.shoulder_inner="0.01 mm"
expect_error "larger than the grooves permit" bearing --set forces.front.clearance="2 mm"
expect_error "larger than 0.5" bearing --set forces.front.conformity_inner=0.5
expect_error "preload is for angular_contact" bearing --set forces.front.preload="100 N"
expect_error "needs a value between 0 and 86 deg" bearing --set forces.front.kind=angular_contact
expect_error "contact_angle 20 deg does not apply to this kind" bearing --set forces.front.contact_angle="20 deg"
expect_error "rollers need roller_length" bearing --set forces.front.kind=cylindrical_roller
expect_error "use centrifugal" bearing --set forces.front.kind=four_point --set forces.front.contact_angle="30 deg" \
  --set mode=gyroscopic
expect 1 "too large for this bearing" bearing --force "1e7, 0, 0 N"
expect 0 "races keep dents" bearing --force "20, 0, 0 kN"
expect 1 "stay in contact up to 1.403e+04 rpm" bearing --set mode=gyroscopic --set forces.front.clearance="-2 um" \
  --force "0, 0, 0 N" --speed "40000 rpm"
expect_error "is not less than a tenth of element_diameter" "$hooke" check "$gearbox" --set joints.floating.clearance="5 mm"
expect_error "2 rows need row_distance" bearing --set forces.front.rows=2
angular="--set forces.front.kind=angular_contact --set forces.front.clearance=0"
expect_error "opens the bearing" bearing $angular --set forces.front.contact_angle="25 deg" \
  --set forces.front.preload_displacement="-20 um"
expect_error "not both" "$hooke" bearing "$rotor" front --set forces.front.preload_displacement="20 um"
expect 0 'displacement' "$hooke" bearing "$rotor" front --set preload="0 N" --set dynamics=static
expect_error "2 % of the radius, it is" "$hooke" bearing "$rotor" front --set forces.front.preload="1e9 N"
expect_error "a preload of 3e+07 N cannot be reached" "$hooke" check "$gearbox" --set joints.left.preload="3e7 N"
expect_error "bore 40 mm is not smaller than" bearing --set forces.front.bore="40 mm"
expect_error "must be along the bearing axis within" bearing --set bodies.shaft.orientation="{axis: x, angle: 20 deg}"
expect_error "mm apart" bearing --set bodies.shaft.position="[0, 0, 20 mm]"
expect_error "size_error has 10 values, but there are only 9" bearing \
  --set forces.front.size_error="[0 m, 0 m, 0 m, 0 m, 0 m, 0 m, 0 m, 0 m, 0 m, 1 um]"
expect_error "a spall needs spall_width" bearing --set forces.front.spall_outer="8 um"
expect 1 "cannot carry this load" bearing --set forces.front.kind=angular_contact \
  --set forces.front.contact_angle="25 deg" --set forces.front.clearance="0 um" --force "0, 0, -100 N"
finish
