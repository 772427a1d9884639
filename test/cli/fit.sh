# hooke fit: closed forms, references of another program, weights, refusals, mistakes.
. "$(dirname "$0")/common"

cat >rig.yaml <<'Y'
format: 1
parameters: {k: 100 N*m/rad, c: 0.01 N*m*s/rad, J: 0.0021 kg*m^2, phi: 0.1 rad, unused: 1 N}
bodies: {disc: {type: rotor, inertia: J, angle: phi}}
forces:
  rod: {type: torsion_spring, b: disc, stiffness: k, damping: c}
  shaker: {type: actuator, coordinate: disc.angle, force: 0 N*m}
sensors: {twice: {value: 2*disc.angle}}
analysis: {duration: 0.3 s}
Y
# Free decay with k 118.3, c 0.0213, in closed form; noise: a sequence that looks random.
awk 'BEGIN {
  J = 0.0021; k = 118.3; c = 0.0213; z = c/(2*J); w = sqrt(k/J - z*z)
  print "time [s],disc.angle [rad]" >"clean.csv"
  print "t [ms];angle [deg];twice [mrad];nothing [deg]" >"noisy.csv"
  for (i = 0; i <= 300; i++) {
    t = i/1000; x = 0.1*exp(-z*t)*(cos(w*t) + z/w*sin(w*t))
    printf "%.17g,%.17g\n", t, x >"clean.csv"
    a = x + 1e-3*sin(1.7*i*i + 0.3); b = 2*x + 2e-2*sin(2.3*i*i + 0.7)
    printf "%.17g;%.17g;%.17g;0\n", 1000*t, a*180/3.14159265358979323846, 1000*b >"noisy.csv"
  }
  # Frequency response to the shaker: 1/(k - J w^2 + i c w)
  print "f [Hz],disc.angle.magnitude [rad/(N*m)],disc.angle.phase [deg],disc.angle.re [rad/(N*m)]" >"frf.csv"
  for (f = 10; f <= 80; f += 0.5) {
    s = 2*3.14159265358979323846*f; re = k - J*s*s; im = c*s
    printf "%.17g,%.17g,%.17g,%.17g\n", f, 1/sqrt(re*re + im*im), -atan2(im, re)*180/3.14159265358979323846, re/(re*re + im*im) >"frf.csv"
  }
}'
vary='--vary k=60:180N*m/rad --vary c=0.002:0.2N*m*s/rad'

# near NAME WANTED TOLERANCE: the value of a parameter in the last JSON object; uncertain: its standard uncertainty.
field() { tr -d '\n' <out | sed "s/.*\"path\": \"$1\",[^}]*\"$2\": \([-+.e0-9]*\).*/\1/"; }
near() {
  checks=$((checks + 1))
  awk "BEGIN { d = $(field "$1" "$4") - $2; exit !(d <= $3 && d >= -$3) }" || fail "$1 $4: $(field "$1" "$4"), not $2"
}

# The exact values, to the accuracy of the run.
check "$hooke" fit rig.yaml --data clean.csv $vary --json -q
near k 118.3 1e-6 value
near c 0.0213 1e-8 value
# Noise: values and uncertainties of scipy.optimize.least_squares with the closed form.
check "$hooke" fit rig.yaml --data noisy.csv --match 'angle = disc.angle' $vary --json -q
near k 118.286122 2e-6 value
near c 0.0212598791 1e-8 value
near k 9.53311e-3 1e-5 standard_uncertainty
near c 4.046994e-5 1e-7 standard_uncertainty
# Two curves, the second ten times less accurate: the same with weights by their errors.
check "$hooke" fit rig.yaml --data noisy.csv --match 'angle = disc.angle' --match twice=twice $vary --json -q
near k 118.286409 2e-4 value
near c 0.0212585646 1e-6 value
near k 9.46818e-3 2e-4 standard_uncertainty
# Over frequency, several parts.
check "$hooke" fit rig.yaml --data frf.csv $vary --from shaker --json -q
near k 118.3 1e-8 value
near c 0.0213 1e-11 value
# A bound, a wide range, one start.
expect 0 '(at its bound)' "$hooke" fit rig.yaml --data clean.csv --vary 'k = 119:180 N*m/rad' --vary 'c = 0.002:0.2 N*m*s/rad'
expect 0 'is at its bound' "$hooke" fit rig.yaml --data clean.csv --vary 'k = 119:180 N*m/rad'
expect 0 'are not random' "$hooke" fit rig.yaml --data clean.csv --vary 'k = 119:180 N*m/rad'
check "$hooke" fit rig.yaml --data clean.csv --vary 'k = 10:10000 N*m/rad' --vary 'c = 1e-5:1 N*m*s/rad' --starts 100 --json
near k 118.3 1e-5 value
# Table and figure.
check "$hooke" fit rig.yaml --data noisy.csv --match 'angle = disc.angle' $vary -o fit.csv --plot fit.svg
checks=$((checks + 1))
[ "$(head -1 fit.csv)" = 'time [s],angle measured [rad],angle fitted [rad]' ] && [ "$(wc -l <fit.csv)" = 302 ] &&
  grep -q '>measured<' fit.svg || fail 'table or figure'
# Names with commas are quoted.
sed '1s/angle [^;]*/"angle, <b> [deg]"/' noisy.csv >quoted.csv
check "$hooke" fit rig.yaml --data quoted.csv --match 'angle, <b> = disc.angle' $vary -o fit.csv
checks=$((checks + 1))
[ "$(head -1 fit.csv)" = 'time [s],"angle, <b> measured [rad]","angle, <b> fitted [rad]"' ] || fail 'names with commas are not quoted'

# Parameters that the data do not determine.
expect 1 "the measured curves do not depend on 'unused'" "$hooke" fit rig.yaml --data clean.csv --vary 'k = 60:180 N*m/rad' --vary 'unused = 1:2 N'
expect 1 'cannot distinguish these parameters' "$hooke" fit rig.yaml --data clean.csv $vary --vary 'J = 0.001:0.004 kg*m^2'
grep -q "raising 'k' by .* and raising 'c' by .* and raising 'J' by " err || fail 'the direction is not described'
awk 'BEGIN { print "t [s],disc.angle [rad]"; for (i = 0; i < 9; i++) print i/1000 "," 0.1 + 0.01*sin(7*i*i) }' >short.csv
expect 1 'standard uncertainty' "$hooke" fit rig.yaml --data short.csv --vary 'c = 0.02:0.03 N*m*s/rad'
expect 1 'cannot determine' "$hooke" fit rig.yaml --data short.csv --vary 'c = 0.02:0.03 N*m*s/rad'

# Mistakes.
expect_error 'no parameters; give --vary' "$hooke" fit rig.yaml --data clean.csv
expect_error 'no measured curves' "$hooke" fit rig.yaml --vary k=1:2N*m/rad
expect_error 'the lower bound 180 is not below' "$hooke" fit rig.yaml --data clean.csv --vary k=180:60N*m/rad
expect_error "names 'k' twice" "$hooke" fit rig.yaml --data clean.csv --vary k=1:2N*m/rad --vary k=1:2N*m/rad
expect_error '--vary needs PATH=LOW:HIGH' "$hooke" fit rig.yaml --data clean.csv --vary k
expect_error '--match needs COLUMN=CHANNEL' "$hooke" fit rig.yaml --data clean.csv --vary k=1:2N*m/rad --match angle
expect_error "has no column 'angel'; did you mean 'angle'?" "$hooke" fit rig.yaml --data noisy.csv --vary k=1:2N*m/rad --match angel=disc.angle
expect 2 "did you mean 'disc.angle'?" "$hooke" fit rig.yaml --data noisy.csv --vary k=60:180N*m/rad --match angle=disc.angel
expect 2 "column 'angle' has the unit rad in SI" "$hooke" fit rig.yaml --data noisy.csv --vary k=60:180N*m/rad --match angle=disc.angle_rate
printf 't [s],angle\n0,2\n1,3\n' >other.csv
expect_error "no column of 'other.csv' has the name of a channel" "$hooke" fit rig.yaml --data other.csv --vary k=60:180N*m/rad
expect_error '2 measured values cannot determine 2 parameters' "$hooke" fit rig.yaml --data other.csv --match angle=disc.angle $vary
printf 'x [m],disc.angle\n1,2\n3,4\n' >length.csv
expect_error 'must be a time or a frequency' "$hooke" fit rig.yaml --data length.csv --vary k=1:2N*m/rad
expect_error "cannot read 'none.csv'" "$hooke" fit rig.yaml --data none.csv --vary k=1:2N*m/rad
expect_error 'so its part must be given' "$hooke" fit rig.yaml --data frf.csv --vary k=1:2N*m/rad --match 'disc.angle.phase=disc.angle'
expect 2 "unknown key 'no'" "$hooke" fit rig.yaml --data clean.csv --vary forces.rod.no=1:2N*m/rad
printf 't [s],disc.angle [rad]\n-1,0\n0,1\n1,1\n' >early.csv
expect 2 'before the start of the simulation' "$hooke" fit rig.yaml --data early.csv --vary k=60:180N*m/rad
expect_error 'would overwrite' "$hooke" fit rig.yaml --data clean.csv --vary k=60:180N*m/rad -o clean.csv
finish
