# hooke gear: numbers, JSON and figures; impossible gear pairs are rejected.
. "$(dirname "$0")/common"
mesh=$source/examples/gear_rig/mesh.yaml
gear() { "$hooke" gear "$mesh" "$@"; }

expect 0 'contact ratio 1.640880' gear
expect 0 '"transmission_error": {"mean": 9.86' gear --json
for key in '"contact_ratio": 1.64088' '"peak_to_peak": 1.88' '"orders": [1.0' '"stiffness": {"mean": 2376' \
  '"min": ' '"max": ' '"damping": {"mean": 906' '"film": {"min": 9.25'; do
  expect 0 "$key" gear mesh --json
done
expect 0 '"damping": {"mean": 123.39' gear --set exponent=1 --set speed="750 rpm" --json
expect 0 '"damping": {"mean": 77.7' gear --set exponent=1 --json
expect 0 '"mean": 1.0867' gear --set law=dry --json
expect 0 '"mean": 8.04' gear --set crown="0 um" --speed "750 rpm" --json
expect 0 '"way": [' gear --json --all --points 32
expect 0 '"mean": 9.8677' gear --torque "-150 N m" --speed "-1500 rpm" --json
check "$hooke" gear "$mesh" -o mesh.svg
[ -s mesh.svg ] || fail 'no figure'
cp "$source/examples/gear_rig/compliance_reference.h5" mine.h5
expect 0 '"mean": 9.867' gear --set compliance="$PWD/mine.h5" --json
expect 0 'mesh stiffness' gear --set compliance=rigid --set forces.mesh.corner=true

expect_error "the model has no gear_pair" "$hooke" gear "$source/examples/linear/quarter_car.yaml"
expect_error "give the name of one of them" "$hooke" gear "$source/examples/gears/two_stage.yaml"
expect_error "did you mean 'first'" "$hooke" gear "$source/examples/gears/two_stage.yaml" frist
expect_error "16 to 20000" gear --points 3
expect_error "a torque of zero loads no tooth" gear --torque "0 N m"
expect_error "must be > 0, got 0 Pa s" gear --set viscosity="0 Pa*s"
expect_error "a backlash of -10 um is negative" gear --set forces.mesh.backlash="-10 um"
expect_error "pointed" gear --set forces.mesh.tip_diameter_a="175 mm"
expect_error "interfere" gear --set forces.mesh.tip_diameter_a="157 mm"
expect_error "the contact ratio is 0." gear --set forces.mesh.tip_diameter_a="152 mm" \
  --set forces.mesh.tip_diameter_b="152 mm"
expect_error "must be parallel within" gear --set bodies.p2.orientation="{axis: x, angle: 20 deg}"
expect_error "160 mm apart" gear --set bodies.p2.position="[160 mm, 0, 0]"
expect_error "nope.h5" gear --set compliance=nope.h5
expect_error "3 slices, but the gear has 4" gear --set forces.mesh.slices=4
expect_error "no law 'ehk'; did you mean 'ehl'" gear --set law=ehk
expect_error "no table" gear --set forces.mesh.profile_a=missing
# A wrong index into the heap of strings, with which HDF5 1.10 itself would crash.
cp "$source/examples/gear_rig/compliance_reference.h5" damaged.h5
printf '\001' | dd of=damaged.h5 bs=1 seek=7007 conv=notrunc 2>/dev/null
expect_error "the unit of 'compliance' is not a short text" gear --set compliance="$PWD/damaged.h5"
cat >ball.yaml <<'Y'
format: 1
bodies:
  ball: {type: sphere, radius: 10 mm, mass: 1 kg, position: [0, 0, 10 mm]}
laws:
  oil: {type: ehl_line, viscosity: 0.02 Pa*s}
contacts:
  floor: {type: sphere_on_plane, a: ground, b: ball, radius: 10 mm, law: oil}
analysis: {duration: 1 s}
Y
expect_error "is a law of line contacts" "$hooke" check ball.yaml
printf 'format: 1\nparameters: {x: 1 m}\nbodies:\n  a: {mass: 1 kg, inertia: $y}\n' >text.yaml
expect 2 "there is no parameter 'y'" "$hooke" check text.yaml

# Loads of tooth pairs: in expressions, in results, and in the JSON object of their force.
cp "$mesh" "$source/examples/gear_rig/compliance_reference.h5" .
sharing() {
  printf 'format: 1\ninclude: mesh.yaml\nsensors: {twice: {value: "2*mesh.pair[%s].load"}}\n' "$1" >sharing.yaml
  "$hooke" check sharing.yaml
}
expect 0 'degrees of freedom' sharing 1
expect_error "reads 'mesh.pair[9].load', which this model does not have" sharing 9
expect 0 '"pair[0].load"' "$hooke" static "$mesh" --json
[ "$(grep -o '"mesh": {' out | wc -l)" = 1 ] || fail 'a force stands twice in JSON'
finish
