# Inputs that follow a file, in the model file and by --input: in forces and in motions they give the same results as a formula.
. "$(dirname "$0")/common"

awk 'BEGIN { print "time,T,angle"; print "s,N*m,deg"
  for (i = 0; i <= 400; i++) { t = i / 200; printf "%.17g,%.17g,%.17g\n", t, 5 * sin(3 * t), 30 * sin(2 * t) } }' >bench.csv
cat >rig.yaml <<'Y'
format: 1
inputs:
  torque: {file: bench.csv, column: T, interpolate: cubic}
  way: {file: bench.csv, column: angle, interpolate: cubic, time: time}
  extra: {unit: N*m, initial_value: 1 N*m}
bodies:
  driven: {type: rotor, inertia: 0.5 kg*m^2}
  led: {type: rotor, inertia: 0.5 kg*m^2}
forces: {drive: {type: actuator, coordinate: driven.angle, force: torque + extra}}
motions: {lead: {coordinate: led.angle, value: way}}
sensors: {twice: {value: 2*torque}}
measures:
  speed: {of: driven.angle_rate, take: final}
  angle: {of: led.angle, take: final}
  shown: {of: torque, take: final}
  twice: {of: twice, take: final}
analysis: {duration: 2 s}
Y
# near NAME VALUE TOLERANCE: a measure in `out`.
near() {
  checks=$((checks + 1))
  awk -v name="$1" -v want="$2" -v by="$3" '$1 == name { d = $2 - want; ok = d <= by && -d <= by } END { exit !ok }' out ||
    fail "$1 is not $2"
}
check "$hooke" run rig.yaml
near speed 4.132765 1e-5 # (5/3 (1 - cos 6) + 2)/0.5
near angle -0.396261 1e-6
near shown -1.397077 1e-6
near twice -2.794155 1e-6

# --input, and a path relative to the working directory
mkdir folder
sed 's/file: bench/file: other/' rig.yaml >folder/rig.yaml
cp bench.csv folder/other.csv
check "$hooke" run folder/rig.yaml --input extra=bench.csv:T
near speed 0.265531 1e-5
check "$hooke" run rig.yaml --set 'inputs.extra={file: bench.csv, column: T, interpolate: cubic}'
near speed 0.265531 1e-5
awk -F, 'NR > 2 { print $1 "," $2 }' bench.csv | sed '1i time [s],T [N*m]' >two.csv
check "$hooke" run rig.yaml --input extra=two.csv
near speed 0.265531 1e-5
expect_error "--input needs NAME=FILE" "$hooke" run rig.yaml --input extra
expect 2 "there is no entry 'extr' in inputs; did you mean 'extra'?" "$hooke" run rig.yaml --input extr=bench.csv:T
expect 2 "has no column 'U'" "$hooke" run rig.yaml --input extra=bench.csv:U
expect 2 'is in deg according to the file, not in N*m' "$hooke" run rig.yaml --input extra=bench.csv:angle
expect 2 "unknown key 'colum' in input 'torque'" "$hooke" run rig.yaml --set inputs.torque.colum=T
expect 1 "points are between 0 and 2" "$hooke" run rig.yaml --set analysis.duration='3 s'
expect_error "cannot be a table of the same name" "$hooke" run rig.yaml --set 'tables.torque={points: [[0 s, 0 m], [1 s, 0 m]]}'
expect_error "'column' of an input needs 'file'" "$hooke" run rig.yaml --set inputs.extra.column=T
# Steps end near the corners of a linear signal: half of a triangle of 1 N*m over 1 s, then 0
printf 'time [s],T [N*m]\n0,0\n0.3,1\n1,0\n2,0\n' >corners.csv
check "$hooke" run rig.yaml --set 'inputs.torque={file: corners.csv}' --set inputs.extra.initial_value='0 N*m'
near speed 1 1e-6
# An assembly has its own inputs.
cat >parts.yaml <<'Y'
format: 1
assemblies:
  rig:
    inputs: {torque: {file: two.csv}}
    bodies: {wheel: {type: rotor, inertia: 0.5 kg*m^2}}
    forces: {drive: {type: actuator, coordinate: wheel.angle, force: torque}}
parts: {left: {assembly: rig}, right: {assembly: rig}}
measures: {left: {of: left.wheel.angle_rate, take: final}, right: {of: right.torque, take: final}}
analysis: {duration: 2 s}
Y
check "$hooke" run parts.yaml
near left 0.132765 1e-4
near right -1.397077 1e-5
finish
