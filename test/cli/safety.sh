# No data are lost and no process waits for ever: inputs are not overwritten, a results file has one writer, signals,
# a lack of memory or disk space, texts from files on the terminal, values that are not numbers.
. "$(dirname "$0")/common"

pendulum >model.yaml
cp model.yaml before.yaml
ln -s model.yaml link.yaml
ln model.yaml hard.yaml
same() { cmp -s "$1" "$2" || fail "$1 was changed"; checks=$((checks + 1)); }

# ---- output over what is read ----
for out in model.yaml ./model.yaml link.yaml hard.yaml "$dir/model.yaml"; do
  expect_error "would overwrite 'model.yaml', which is an input file" "$hooke" run model.yaml -o "$out"
  same model.yaml before.yaml
done
cat >part.yaml <<'Y'
parameters: {g: 9.81 m/s^2}
Y
printf 't [s],f [N]\n0,0\n1,5\n' >load.csv
cat >whole.yaml <<'Y'
format: 1
include: part.yaml
tables: {push: {file: load.csv, outside: hold}}
bodies: {m: {type: point_mass, mass: 1 kg}}
forces: {f: {type: load, b: m, force: [push(t), 0, 0]}}
analysis: {duration: 0.1 s}
Y
cp part.yaml part.before
cp load.csv load.before
expect_error "would overwrite 'part.yaml', which is an input file" "$hooke" run whole.yaml -o ./part.yaml
expect_error "would overwrite 'load.csv', which is an input file" "$hooke" modes whole.yaml --abcd load.csv
same part.yaml part.before
same load.csv load.before
check "$hooke" run model.yaml -o run.h5 --quiet
cp run.h5 run.before
expect_error "would overwrite 'run.h5', which is an input file" "$hooke" export run.h5 --csv ./run.h5
expect_error "would overwrite 'run.h5', which is an input file" "$hooke" plot run.h5 --channels bob.x -o run.h5
same run.h5 run.before
expect 0 "results: new.h5" "$hooke" run whole.yaml -o new.h5

# ---- one writer ----
"$hooke" run model.yaml --set "analysis.duration=1e6 s" -o long.h5 --quiet >/dev/null 2>&1 &
first=$!
n=0
until [ -s long.h5 ] || [ $n -gt 200 ]; do sleep 0.1; n=$((n + 1)); done
expect_error "another run is writing it (process $first)" "$hooke" run model.yaml -o long.h5
# SIGHUP ends it regularly.
kill -HUP $first
code=0
wait $first || code=$?
checks=$((checks + 1))
[ $code = 129 ] || fail "SIGHUP: exit code $code, not 129"
check "$hooke" export long.h5 --csv long.csv
[ "$(wc -l <long.csv)" -gt 1 ] || fail "a run that was stopped has no rows"
check "$hooke" run model.yaml -o long.h5 --quiet

# Many that start at the same instant: one gets the file, the others are refused with its process named, whether
# the file was there before or not.
race() {
  checks=$((checks + 1))
  rm -f race.*.err
  for i in 1 2 3 4 5 6 7 8; do
    "$hooke" run model.yaml --set "analysis.duration=1e6 s" -o race.h5 --quiet >/dev/null 2>race.$i.err &
    eval "pid$i=$!"
  done
  n=0
  until [ "$(cat race.*.err | grep -c 'another run is writing it')" -ge 7 ] || [ $n -gt 300 ]; do
    sleep 0.1
    n=$((n + 1))
  done
  winner=$(sed -n 's/.*another run is writing it (process \([0-9]*\)).*/\1/p' race.*.err | sort -u)
  refused=$(cat race.*.err | grep -c 'another run is writing it (process [0-9]*)')
  [ "$refused" = 7 ] || fail "$1: $refused of 8 runs were refused"
  [ "$(echo "$winner" | wc -l)" = 1 ] || fail "$1: several winners are named: $winner"
  for i in 1 2 3 4 5 6 7 8; do
    eval "p=\$pid$i"
    kill -HUP "$p" 2>/dev/null || true
    code=0
    wait "$p" || code=$?
    case $code in
      2) [ "$p" != "$winner" ] || fail "$1: the winner was refused" ;;
      129) [ "$p" = "$winner" ] || fail "$1: process $p wrote beside $winner" ;;
      *) fail "$1: exit code $code" ;;
    esac
  done
  check "$hooke" export race.h5 --csv race.csv
  [ "$(ls -a | grep -c 'hooke-.*tmp')" = 0 ] || fail "$1: temporary files are left"
}
race "a new file"
race "a file that was there"

# ---- memory ----
if memory_can_be_limited; then
  expect 1 "out of memory: linear algebra needs" timeout 60 sh -c "ulimit -v 180000; exec '$hooke' modes model.yaml"
  for kb in 60000 65000 70000 74300 80000 90000; do
    checks=$((checks + 1))
    code=0
    timeout 60 sh -c "ulimit -v $kb; exec '$hooke' run model.yaml -o small.h5" >out 2>err || code=$?
    case $code in
      0 | 1 | 2 | 126 | 127) ;;
      *) fail "ulimit -v $kb: exit code $code" ;;
    esac
    [ $code != 1 ] || grep -q 'out of memory' err || fail "ulimit -v $kb: not told"
  done
  # Lack of memory is not reported as a damaged file, also if a library runs out of memory.
  cat >study.yaml <<'Y'
format: 1
model: model.yaml
axes: {L: 50..200:4 cm, bob.mass: 1..5:4 kg}
goals: {x_end: maximize}
Y
  check "$hooke" study study.yaml --quiet
  "$hooke" run model.yaml -o rows.h5 --quiet >/dev/null
  cat >table.yaml <<'Y'
format: 1
tables: {push: {file: rows.h5, y: bob.y, y_unit: m, outside: hold}}
bodies: {m: {type: point_mass, mass: 1 kg}}
forces: {f: {type: load, b: m, force: ["push(t)*1 N/m", 0, 0]}}
analysis: {duration: 0.1 s}
Y
  gears="$source/examples/gear_rig/mesh.yaml"
  starved() {
    kb=$1 text=$2
    shift 2
    expect 1 "$text" timeout 60 sh -c "ulimit -v $kb; exec \"\$@\"" sh "$@"
    if grep -q damaged err; then fail "a lack of memory passes for damage: $*"; fi
  }
  starved 180000 "out of memory: a surrogate needs" "$hooke" surrogate study.yaml --measure x_end --kind quadratic
  starved 180000 "out of memory: a surrogate needs" "$hooke" surrogate study.yaml --measure x_end --kind gaussian
  starved 180000 "out of memory: the search needs" "$hooke" optimize study.yaml --variants 20 -j 1 --quiet
  starved 180000 "out of memory: the finite-element model of a gear needs" "$hooke" gear "$gears" --set compliance=fe
  starved 92000 "out of memory" "$hooke" run table.yaml
  starved 92000 "out of memory" "$hooke" export rows.h5 --csv rows.csv
  starved 92000 "out of memory" "$hooke" gear "$gears" --set compliance=rows.h5
fi

# ---- files of other folders ----
mkdir -p inner
printf 'parameters: {L: 2 m}\n' >outer.yaml
ln -s ../outer.yaml inner/link.yaml
for name in ../outer.yaml "$dir/outer.yaml" link.yaml; do
  { echo "include: $name"; cat model.yaml; } >inner/model.yaml
  expect_error "inner/model.yaml:1:10: error: '$name' lies outside of the model's folder" "$hooke" run inner/model.yaml
  expect 0 "degrees of freedom" "$hooke" --allow-outside check inner/model.yaml
done
printf 'format: 1\nmodel: inner/model.yaml\naxes: {bob.mass: 1..5:2 kg}\n' >outside.yaml
expect_error "lies outside of the model's folder" "$hooke" study outside.yaml --quiet
check "$hooke" --allow-outside study outside.yaml --quiet

# ---- disk ----
"$hooke" run model.yaml --set "analysis.output_step=10 us" -o big.h5 --quiet >/dev/null
checks=$((checks + 1))
(ulimit -f 2000; "$hooke" run model.yaml --set "analysis.output_step=10 us" -o limited.h5 --quiet) >out 2>err && fail "a full disk is no success"
grep -q 'of [0-9]* rows are in the file, the last [0-9]* are lost' err || fail "lost rows are not counted"
kept=$(sed -n 's/.*(\([0-9]*\) of [0-9]* rows.*/\1/p' err)
"$hooke" export limited.h5 --csv limited.csv >/dev/null
checks=$((checks + 1))
[ "$(wc -l <limited.csv)" = $((kept + 1)) ] || fail "$kept rows were promised, $(wc -l <limited.csv) lines are there"
expect 2 "cannot write to standard output" sh -c "'$hooke' types >/dev/full"

# ---- texts ----
printf '\357\273\277' >bom.yaml
cat model.yaml >>bom.yaml
check "$hooke" run bom.yaml --quiet
printf 'format: 1\ntitle: "a\\e[31mred\\x07"\nbodies: {m: {type: point_mass, mass: 1 kg}}\nanalysis: {duration: 0.1 s}\n' >red.yaml
check "$hooke" run red.yaml
printf 'format: 1\n"bod\\e[2Jies": {}\n' >clear.yaml
"$hooke" check clear.yaml >>out 2>>err || true
checks=$((checks + 1))
if cat out err | LC_ALL=C grep -q '[[:cntrl:]]'; then
  if cat out err | tr -d '\n\t' | LC_ALL=C grep -q '[[:cntrl:]]'; then fail "control characters reach the terminal"; fi
fi
expect_error "cannot be written to standard output" "$hooke" run model.yaml -o -
expect_error "did you mean '-o'" "$hooke" run model.yaml --out x.h5
expect_error "did you mean '-o'" "$hooke" run model.yaml --out=x.h5
[ ! -e x.h5 ] || fail "x.h5 was written"

# ---- patterns that could take for ever ----
expect_error "repetition counts with a product above" "$hooke" run model.yaml -o y.h5 --record '((a{1,255}){1,255}){1,255}'
expect_error "back reference" "$hooke" run model.yaml -o y.h5 --record '(.*)*\1x'
expect_error "more than 1000 characters" "$hooke" export run.h5 --csv - --match "$(printf 'a%.0s' $(seq 1001))"
[ ! -e y.h5 ] || fail "y.h5 was written"

# ---- no number ----
cat >nan.yaml <<'Y'
format: 1
bodies: {m: {type: point_mass, mass: 1 kg, velocity: [1 m/s, 0, 0]}}
sensors: {root: {value: "sqrt(0.55 m - m.x)"}, twice: {value: 2*root}}
analysis: {duration: 1 s, output_step: 0.1 s}
Y
expect 0 "channel 'root', and 1 more: recorded without a value (NaN), first at t = 0.6 s" "$hooke" run nan.yaml -o nan.h5
checks=$((checks + 1))
"$hooke" run nan.yaml -o nan.h5 --json 2>/dev/null | grep -q "warnings.*without a value" || fail "JSON has no warning of NaN"

# ---- the format of a figure follows from its name ----
check "$hooke" plot run.h5 --channels bob.x -o x.png
checks=$((checks + 1))
[ "$(head -c 4 x.png | od -An -tx1 | tr -d ' ')" = 89504e47 ] || fail "x.png is no PNG"
finish
