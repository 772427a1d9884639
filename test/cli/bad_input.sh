# Bad input causes one clear message and exit code 2; an older result file is unchanged.
. "$(dirname "$0")/common"
pendulum >good.yaml

# No case may change this file.
expect 0 'results: kept.h5' "$hooke" run good.yaml -o kept.h5
cp kept.h5 before.h5
untouched() {
  checks=$((checks + 1))
  cmp -s kept.h5 before.h5 || fail "the older result was touched: $1"
  [ "$(ls -A | grep -c 'kept')" = 1 ] || fail "a temporary file is left: $1"
}
# bad TEXT: runs and checks the model on standard input; both must fail with this text.
bad() {
  cat >bad.yaml
  expect_error "$1" "$hooke" run bad.yaml -o kept.h5
  untouched "$1"
  expect_error "$1" "$hooke" check bad.yaml
  expect 2 '"status": "failed"' "$hooke" run bad.yaml --json
}

expect_error 'nowhere.yaml: error: cannot be read: No such file' "$hooke" run nowhere.yaml -o kept.h5
untouched 'missing file'
mkdir folder
expect_error 'folder: error: cannot be read: Is a directory' "$hooke" run folder -o kept.h5
untouched 'directory'
head -c 100000 "$hooke" >junk.yaml
expect_error 'junk.yaml:1:1: error:' "$hooke" run junk.yaml -o kept.h5
untouched 'binary junk'
: >empty.yaml
expect 2 'error:' "$hooke" run empty.yaml -o kept.h5
untouched 'empty file'
head -c 17000000 /dev/zero | tr '\0' '#' >big.yaml
expect_error 'big.yaml' "$hooke" run big.yaml -o kept.h5
untouched 'more than 16 MiB'

bad "bad.yaml:2:40: error: mass of body 'bob' needs another unit (kg, g, t), got m" <<'Y'
format: 1
bodies: {bob: {type: point_mass, mass: 1 m}}
analysis: {duration: 1 s}
Y
bad "bad.yaml:2:40: error: mass of body 'bob'" <<'Y'
format: 1
bodies: {bob: {type: point_mass, mass: 1}}
analysis: {duration: 1 s}
Y
bad "bad.yaml:2:22: error: unknown type of body 'point_mas'; did you mean 'point_mass'?" <<'Y'
format: 1
bodies: {bob: {type: point_mas, mass: 1 kg}}
analysis: {duration: 1 s}
Y
bad "mass of body 'bob' must be > 0" <<'Y'
format: 1
bodies: {bob: {type: point_mass, mass: 0 kg}}
analysis: {duration: 1 s}
Y
bad "body 'top' has too little mass" <<'Y'
format: 1
bodies: {top: {type: rigid_body, mass: 1 kg, inertia: [0, 0, 0]}}
analysis: {duration: 1 s}
Y
bad "length of joint 'link' must be > 0" <<'Y'
format: 1
bodies: {bob: {type: point_mass, mass: 1 kg, position: [1 m, 0, 0]}}
joints: {link: {type: distance, a: ground, b: bob, length: 0 m}}
analysis: {duration: 1 s}
Y
bad "joint 'link': the two points of the link coincide" <<'Y'
format: 1
bodies: {bob: {type: point_mass, mass: 1 kg}}
joints: {link: {type: distance, a: ground, b: bob}}
analysis: {duration: 1 s}
Y
bad "bad.yaml:4:3: error: duplicate key 'bob' (first in line 3)" <<'Y'
format: 1
bodies:
  bob: {type: point_mass, mass: 1 kg}
  bob: {type: point_mass, mass: 2 kg}
analysis: {duration: 1 s}
Y
for nan in nan .nan NaN '0/0' '(-1)^0.5' 'sqrt(-1)'; do
  bad "mass of body 'bob'" <<Y
format: 1
bodies: {bob: {type: point_mass, mass: "$nan kg"}}
analysis: {duration: 1 s}
Y
done
bad "error:" <<'Y'
format: 1
bodies: {bob: {type: point_mass, mass: 1e308 kg, position: [1e308 m, 0, 0]}}
forces: {weight: {type: gravity}}
analysis: {duration: 1 s}
Y
bad "error:" <<'Y'
format: 1
bodies: {bar: {type: rod, length: 1e308 m, mass: 1e308 kg}}
joints: {hinge: {type: revolute, b: bar, at: [0, 0, 0], axis: z}}
analysis: {duration: 1 s}
Y
bad "this number is too large" <<'Y'
format: 1
bodies: {bob: {type: point_mass, mass: 1e309 kg}}
analysis: {duration: 1 s}
Y
bad "recording every" <<'Y'
format: 1
bodies: {bob: {type: point_mass, mass: 1 kg}}
analysis: {duration: 1e300 s, output_step: 1 s}
Y
bad "bad.yaml:3:20: error: measure 'x': there is no channel 'bbo.x'; did you mean 'bob.x'?" <<'Y'
format: 1
bodies: {bob: {type: point_mass, mass: 1 kg}}
measures: {x: {of: bbo.x, take: final}}
analysis: {duration: 1 s}
Y
bad "'take: at' needs the time" <<'Y'
format: 1
bodies: {bob: {type: point_mass, mass: 1 kg}}
measures: {x: {of: bob.x, take: at}}
analysis: {duration: 1 s}
Y
bad "'n' is only used with 'take: event_time'" <<'Y'
format: 1
bodies: {bob: {type: point_mass, mass: 1 kg}}
measures: {x: {of: bob.x, take: events, n: 2}}
analysis: {duration: 1 s}
Y
bad "'take: order' needs an angle" <<'Y'
format: 1
bodies: {bob: {type: point_mass, mass: 1 kg}}
measures: {x: {of: bob.x, take: order}}
analysis: {duration: 1 s}
Y
bad "'bob.y' is not an angle; its unit is m" <<'Y'
format: 1
bodies: {bob: {type: point_mass, mass: 1 kg}}
measures: {x: {of: bob.x, take: order, over: bob.y}}
analysis: {duration: 1 s}
Y
bad "'over' is only used with 'take: order'" <<'Y'
format: 1
bodies: {bob: {type: point_mass, mass: 1 kg}}
measures: {x: {of: bob.x, take: max, over: bob.y}}
analysis: {duration: 1 s}
Y
bad "measure 'x': level" <<'Y'
format: 1
bodies: {bob: {type: point_mass, mass: 1 kg}}
measures: {x: {of: bob.x, take: event_time, level: 2 s}}
analysis: {duration: 1 s}
Y
bad "'every' must be above 0" <<'Y'
format: 1
bodies: {bob: {type: point_mass, mass: 1 kg}}
measures: {x: {of: bob.x, take: events, every: -1 m}}
analysis: {duration: 1 s}
Y
# For a loop that cannot be closed, the message contains the joint and the distance.
bad "joint 'b'" <<'Y'
format: 1
bodies: {bar: {type: rod, length: 1 m, mass: 1 kg, position: [0.5 m, 0, 0]}}
joints:
  a: {type: spherical, a: ground, b: bar.start}
  b: {type: distance, a: ground, b: bar.end, length: 3 m}
analysis: {duration: 1 s}
Y

# All errors of a file are reported together.
cat >two.yaml <<'Y'
format: 1
bodies:
  one: {type: point_mass, mass: 1 m}
  two: {type: point_mass, mas: 1 kg}
analysis: {duration: 1 s}
Y
expect 2 "did you mean 'mass'?" "$hooke" run two.yaml
grep -q 'two.yaml:3:' err && grep -q 'two.yaml:4:' err || fail 'both errors are reported'

# Output that cannot be written.
expect_error 'the folder does not exist' "$hooke" run good.yaml -o nowhere/out.h5
expect_error 'it is a folder' "$hooke" run good.yaml -o folder
expect_error "is not a regular file" "$hooke" run good.yaml -o /dev/full
[ -c /dev/full ] || fail '/dev/full is still a device'
if [ "$(id -u)" != 0 ]; then
  mkdir locked
  chmod a-w locked
  expect_error 'not permitted' "$hooke" run good.yaml -o locked/out.h5
fi
# A full disk, simulated by a limit of the file size: first no row fits, then only a few rows.
expect_error 'limit is reached' sh -c "ulimit -f 1; exec '$hooke' run good.yaml -o kept.h5"
untouched 'a disk that is full from the start'
expect 2 'limit is reached' sh -c \
  "ulimit -f 200; exec '$hooke' run good.yaml -o part.h5 --set analysis.output_step='1 ms'"
expect 0 'time [s]' "$hooke" export part.h5 --csv -
expect_error 'the disk is full' "$hooke" export kept.h5 --csv /dev/full
expect_error 'hooke: error: cannot write to standard output: No space left' \
  sh -c "exec '$hooke' run good.yaml >/dev/full"

# Arguments.
expect_error "unknown command 'rnu'; did you mean 'run'?" "$hooke" rnu
expect_error "unknown option '--jsom'; did you mean '--json'?" "$hooke" run --jsom good.yaml
expect_error "unknown option '-x'" "$hooke" run -x good.yaml
expect_error "needs MODEL" "$hooke" run
expect_error "unexpected argument of" "$hooke" run good.yaml other.yaml
expect_error "did you mean --set 'mass=2 kg'" "$hooke" run good.yaml "mass=2 kg"
expect_error "--output needs FILE" "$hooke" run good.yaml -o
expect_error "--json takes no value" "$hooke" run good.yaml --json=yes
expect_error "--output is given twice" "$hooke" run good.yaml -o a.h5 -o b.h5
expect_error "--set needs PATH=VALUE" "$hooke" run good.yaml --set L
expect_error "--set nothing=1: error: the model has no item 'nothing'" "$hooke" run good.yaml --set nothing=1
expect_error "--set L=1 mmm: error: " "$hooke" run good.yaml --set L='1 mmm'
expect_error "is not a regular expression" "$hooke" run good.yaml -o kept.h5 --record '('
expect_error "no channel matches" "$hooke" run good.yaml -o kept.h5 --record nothing
untouched 'arguments'
expect 2 'usage: hooke' "$hooke"
expect_error "not" "$hooke" export good.yaml --csv out.csv
expect_error "did you mean 'bob.x'" "$hooke" export kept.h5 --csv kept.csv --channels bb.x
[ ! -e kept.csv ] || fail 'a refused export writes nothing'
expect_error "no output file; use --csv" "$hooke" export kept.h5
# All errors are reported together: a wrong joint does not hide wrong forces and causes only one error.
cat >two.yaml <<'Y'
format: 1
bodies:
  p: {type: point_mass, mass: 1 kg}
  b: {type: rod, length: 1 m, mass: 1 kg}
joints:
  bad: {type: revolute, b: p, at: [0, 0, 0], axis: z}
forces:
  f: {type: bushing, b: p, stiffness: [1 N/m, 1 N/m, 1 N/m]}
  g: {type: torsion_spring, coordinate: bad.angle, stiffness: 1 N*m/rad}
  s: {type: spring_damper, a: b.start, b: b.end, stiffness: 1 N/m, length: 1 m}
analysis: {duration: 1 s}
Y
expect 2 'which are the same body' "$hooke" check two.yaml
[ "$(grep -c 'error: ' err)" = 3 ] || fail 'not exactly three errors in two.yaml'

# A body that does not exist, in every composite joint.
for joint in cv_joint/plunging:outer cv_joint/tripod:housing cv_joint/rzeppa:inner; do
  expect 2 "unknown type of body 'nobody'" "$hooke" check "$source/examples/${joint%:*}.yaml" --set "bodies.${joint#*:}.type=nobody"
done

finish
