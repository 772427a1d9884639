# hooke bearing: numbers and JSON; what cannot be is answered with the value and what would fit.
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
expect 0 '14 balls in 1 row' "$hooke" bearing "$rotor" rear
expect 0 'gyroscopic' "$hooke" types rolling_bearing

expect_error "name one of them" "$hooke" bearing "$rotor"
expect_error "did you mean 'front'" "$hooke" bearing "$rotor" fornt
expect_error "has no rolling_bearing" "$hooke" bearing "$source/examples/linear/quarter_car.yaml"
expect_error "needs 3 numbers" bearing --force "2 N"
expect_error "cannot read 'none.csv'" bearing --duty none.csv
printf 'a\n-1, 2\n' >wrong.csv
expect_error "wrong.csv:2:1" bearing --duty wrong.csv
expect_error "16 balls of 9.525 mm do not fit on a pitch circle of 46 mm" bearing --set forces.front.elements=16
expect_error "at most 15 fit" bearing --set forces.front.elements=16
expect_error "is lower than the contact" bearing --set forces.front.shoulder_inner="0.01 mm"
expect_error "larger than the grooves permit" bearing --set forces.front.clearance="2 mm"
expect_error "larger than 0.5" bearing --set forces.front.conformity_inner=0.5
expect_error "preload is for angular_contact" bearing --set forces.front.preload="100 N"
expect_error "needs a value between 0 and 86 deg" bearing --set forces.front.kind=angular_contact
expect_error "contact_angle 20 deg does not apply to this kind" bearing --set forces.front.contact_angle="20 deg"
expect_error "rollers need roller_length" bearing --set forces.front.kind=cylindrical_roller
expect_error "use centrifugal" bearing --set forces.front.kind=four_point --set forces.front.contact_angle="30 deg" \
  --set mode=gyroscopic
expect_error "2 rows need row_distance" bearing --set forces.front.rows=2
angular="--set forces.front.kind=angular_contact --set forces.front.clearance=0"
expect_error "opens the bearing" bearing $angular --set forces.front.contact_angle="25 deg" \
  --set forces.front.preload_displacement="-20 um"
expect_error "not both" "$hooke" bearing "$rotor" front --set forces.front.preload_displacement="20 um"
expect 0 'displacement' "$hooke" bearing "$rotor" front --set preload="0 N" --set dynamics=static
expect_error "bore 40 mm is not smaller than" bearing --set forces.front.bore="40 mm"
expect_error "must be along the bearing axis within" bearing --set bodies.shaft.orientation="{axis: x, angle: 20 deg}"
expect_error "mm apart" bearing --set bodies.shaft.position="[0, 0, 20 mm]"
expect_error "size_error has 10 numbers for 9" bearing \
  --set forces.front.size_error="[0 m, 0 m, 0 m, 0 m, 0 m, 0 m, 0 m, 0 m, 0 m, 1 um]"
expect_error "a spall needs spall_width" bearing --set forces.front.spall_outer="8 um"
expect 1 "cannot carry this load" bearing --set forces.front.kind=angular_contact \
  --set forces.front.contact_angle="25 deg" --set forces.front.clearance="0 um" --force "0, 0, -100 N"
finish
