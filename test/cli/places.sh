# Every error message has file, line and column of the element, in every command.
. "$(dirname "$0")/common"
inertia="inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2]"

# place FILE:LINE:COLUMN TEXT commands...: on the model in m.yaml.
place() {
  where=$1 what=$2
  shift 2
  for command in "$@"; do
    checks=$((checks + 1))
    code=0
    "$hooke" "$command" m.yaml $([ "$command" != view ] || echo -o page.html) >out 2>err </dev/null || code=$?
    [ $code != 0 ] || fail "$command: exit code 0"
    grep -q "^$where: error: .*$what" err || fail "$command: no $where ... $what"
    "$hooke" "$command" m.yaml --json >out 2>/dev/null </dev/null || true
    case $command in view) ;; *) grep -q "$where: error: " out || fail "$command --json: no $where" ;; esac
  done
}

cat >m.yaml <<Y
format: 1
bodies:
  a: {type: rotor, inertia: 0 kg*m^2, axis: [0, 0, 1]}
  b: {mass: 1 kg, $inertia}
analysis: {duration: 1 s}
Y
place m.yaml:3:3 "body 'a' has too little mass for its motion to be determined, coordinate angle" run check view
printf 'format: 1\nbodies: {}\nanalysis: {duration: 1 s}\n' >m.yaml
place m.yaml:1:1 "the model has no bodies" run check static modes view
cat >m.yaml <<Y
format: 1
bodies:
  b: {type: point_mass, mass: 1 kg, position: [1 m, 0, 0]}
forces:
  g: {type: gravity}
  push: {type: load, b: b, force: ["1 N*m / (b.x - 1 m)", 0, 0]}
analysis: {duration: 1 s}
Y
place m.yaml:6:3 "force 'push' is not a finite number" run check static modes view
sed -i 's|1 N\*m / (b.x - 1 m)|1 N * sqrt(0.5 - t/(1 s))|' m.yaml
place m.yaml:6:3 "no step succeeds at t = 0.5 s.*force 'push'" run
# In an included file, under another command, and as a variant of a sweep.
sed -n '4,$p' m.yaml | grep -v analysis >part.yaml
printf 'format: 1\ninclude: part.yaml\n%s\nmeasures: {x: {of: b.x, take: final}}\n' \
  "$(sed -n '2,3p;7p' m.yaml)" >whole.yaml
cp whole.yaml m.yaml
place part.yaml:3:3 "no step succeeds" run
expect 1 "part.yaml:3:3: error: no step succeeds" "$hooke" run m.yaml --over b.mass=1..2:2kg
expect 1 "part.yaml:3:3: error: no step succeeds" "$hooke" poincare m.yaml --period 0.1s --channels b.x
expect 1 "part.yaml:3:3: error: no step succeeds" "$hooke" watch m.yaml --no-browser
cat >m.yaml <<Y
format: 1
bodies: {b: {type: sphere, radius: 0.1 m, mass: 1 kg, position: [0, 0, 0.02 m]}}
laws: {w: {type: signorini}}
contacts:
  f: {type: sphere_on_plane, a: ground, b: b, law: w, radius: 0.1 m}
analysis: {duration: 0.5 s, step: 1e-4 s, stepper: moreau}
Y
place m.yaml:5:3 "contact 'f' has a penetration of 80 mm" run check
cat >m.yaml <<Y
format: 1
bodies:
  a: {mass: 1 kg, $inertia, position: [1 m, 0, 0]}
joints:
  one: {type: fixed, a: ground, b: a}
  two: {type: distance, a: ground, b: a, length: 2 m}
analysis: {duration: 1 s}
Y
place m.yaml:6:3 "conflicting constraints: joint 'two'" run check static modes view
cat >m.yaml <<Y
format: 1
bodies:
  a: {mass: 1 kg, $inertia}
joints:
  one: {type: revolute, a: ground, b: a, axis: [0, 0, 1]}
motions:
  first: {coordinate: one.angle, value: 1 rad/s * t}
  one: {coordinate: one.angle, value: 2 rad/s * t}
analysis: {duration: 1 s}
Y
place m.yaml:8:3 "conflicting speeds: motion 'one'" run check view
cat >m.yaml <<Y
format: 1
bodies:
  a: {mass: 1 kg, $inertia}
forces: {g: {type: gravity}}
analysis: {duration: 1 s}
Y
place m.yaml:3:3 "no equilibrium was found: a force of 9.81 N on body 'a'" static modes
expect 1 "m.yaml:3:3: error: no equilibrium was found" "$hooke" locus m.yaml --over a.mass=1:2:2kg
expect 1 '"error": "m.yaml:3:3: error: no equilibrium' "$hooke" locus m.yaml --over a.mass=1:2:2kg --json
# For omitted points, the message describes the first. Without stiffness the body falls.
cat >m.yaml <<Y
format: 1
parameters: {k: 1 N/m}
bodies:
  a: {type: point_mass, mass: 1 kg}
forces: {g: {type: gravity}, s: {type: load, b: a, force: [-k*a.x, -k*a.y, -k*a.z]}}
Y
expect 0 "m.yaml:4:3: warning: 1 of 2 points are omitted" "$hooke" locus m.yaml --over "k=0:100:2 N/m"

# ---- elements of parts and of arrays ----
cat >m.yaml <<Y
format: 1
bodies: {base: {mass: 1 kg, $inertia}}
assemblies:
  leg:
    bodies:
      w: {type: rotor, inertia: 0 kg*m^2, axis: [0, 0, 1]}
parts: {left: {assembly: leg}}
analysis: {duration: 1 s}
Y
place m.yaml:6:7 "body 'left.w' has too little mass" run check view
cat >m.yaml <<Y
format: 1
bodies: {base: {mass: 1 kg, $inertia}}
assemblies:
  leg:
    bodies:
      w: {type: point_mass, mass: 1 kg}
    forces:
      g: {type: load, b: w, force: ["1 N * sqrt(0.5 - t/(1 s))", 0, 0]}
parts: {left: {assembly: leg}}
analysis: {duration: 1 s}
Y
place m.yaml:8:7 "no step succeeds at t = 0.5 s.*force 'left.g'" run
cat >m.yaml <<Y
format: 1
bodies:
  p: {type: point_mass, repeat: {i: 0..3}, mass: 1 kg, position: [i*1 m, 0, 1 m]}
forces:
  f: {type: load, repeat: {i: 0..3}, b: "p[i]", force: ["1 N*m / (p[i].x - 2 m)", 0, 0]}
analysis: {duration: 1 s}
Y
place m.yaml:5:3 "force 'f\\[2\\]' is not a finite number" run check static
cat >m.yaml <<Y
format: 1
bodies:
  p: {type: point_mass, repeat: {i: 0..3}, mass: 1 kg, position: [i*1 m, 0, 1 m]}
joints:
  d: {type: distance, repeat: {i: 0..3}, a: ground, b: "p[i]", length: 4 m}
  e: {type: distance, a: ground, b: "p[1]", length: 3 m}
analysis: {duration: 1 s}
Y
place m.yaml:6:3 "conflicting constraints: joint 'e'.*joint 'd\\[1\\]'" run check

# ---- gear ----
cp "$source/examples/gear_rig/compliance_reference.h5" .
cp "$source/examples/gear_rig/mesh.yaml" m.yaml
line=$(grep -n '^  mesh:' m.yaml | cut -d: -f1)
expect_error "m.yaml:$line:3: error: a torque of zero loads no tooth" "$hooke" gear m.yaml --set forces.mesh.torque="0 N*m"
expect_error "hooke: error: a torque of zero loads no tooth" "$hooke" gear m.yaml --torque "0 N m"
expect_error "hooke: error: --torque '1 m': the unit" "$hooke" gear m.yaml --torque "1 m"
expect_error "hooke: error: unknown gear_pair 'mehs'; did you mean 'mesh'" "$hooke" gear m.yaml mehs
expect 1 "m.yaml:$line:3: error: the load sharing of the teeth did not converge" "$hooke" gear m.yaml --torque "1e30 N m"
expect 1 "\"error\": \"m.yaml:$line:3: error: the load sharing" "$hooke" gear m.yaml --torque "1e30 N m" --json
cp "$source/examples/gears/two_stage.yaml" m.yaml
line=$(grep -n '^  first:' m.yaml | cut -d: -f1)
expect_error "m.yaml:$line:3: error: the model has 2 forces of type gear_pair; give the name of one of them, such as 'first'" "$hooke" gear m.yaml
cp "$source/examples/linear/quarter_car.yaml" m.yaml
expect_error "m.yaml:1:1: error: the model has no gear_pair" "$hooke" gear m.yaml

# ---- a study's own lines ----
pendulum >model.yaml
study() { printf 'format: 1\nmodel: model.yaml\naxes: {L: "1..2:2 m"}\n%s\n' "$1" >st.yaml; }
while IFS='|' read -r line where what; do
  study "$line"
  expect_error "$where: error: $what" "$hooke" study st.yaml
done <<'L'
measures: [zz]|st.yaml:4:12|the model has no measure 'zz'
set: {measures.x_end.of: bob.zz}|st.yaml:4:7|measure 'x_end': there is no channel 'bob.zz'
set: {measures.x_end.take: order}|st.yaml:4:7|measure 'x_end': 'take: order' needs an angle
set: {bob.mass: 0 kg}|st.yaml:4:7|bob.mass: mass of body 'bob' must be > 0
goals: {zz: minimize}|st.yaml:4:9|'zz': unknown name 'zz'
constraints: ["zz <= 1 m"]|st.yaml:4:15|
L
finish
