# hooke poincare and hooke bifurcation: sections, periods, files, figures, wrong input, Ctrl-C.
. "$(dirname "$0")/common"

duffing=$source/examples/nonlinear/duffing.yaml
pendulum=$source/examples/nonlinear/pendulum.yaml
coarse="--set analysis.step=50ms"

is_figure() {
  checks=$((checks + 1))
  : >err
  head -c 4 "$1" >out 2>err
  grep -q '<svg' out && tail -n 1 "$1" | grep -q '</svg>' || fail "no figure: $1"
  ! grep -qi 'nan\|inf"' "$1" || fail "not a number in $1"
}
json() {
  checks=$((checks + 1))
  command -v python3 >/dev/null || return 0
  python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$1" || fail "no JSON: $1"
}

# Sections.
at="--channels x,v --skip 60 --points 30 $coarse"
few="--period period --channels x,v --skip 60 --points 6 --set F=0.2 $coarse"
expect 0 'period 1, repeats within' "$hooke" poincare "$duffing" --period period $at --set F=0.2
expect 0 'period 2' "$hooke" poincare "$duffing" --period '1.2 rad/s' $at --set F=0.28
expect 0 'period 2' "$hooke" poincare "$duffing" --period 5.235987755982988 $at --set F=0.28
expect 0 'Lyapunov exponent -0.1' "$hooke" poincare "$duffing" --period period --phase '90 deg' $at \
  --set F=0.2 --lyapunov
expect 0 'period 1' "$hooke" poincare "$duffing" --event v --direction down $at --set F=0.2
expect 0 'period 1' "$hooke" poincare "$duffing" --event x=0.9 --direction up $at --set F=0.2
expect 0 'period 1' "$hooke" poincare "$pendulum" --period period --skip 60 --points 12 --set g=1.35 \
  --channels hinge.angle,hinge.angle_rate --wrap hinge.angle
check "$hooke" poincare "$duffing" --period period $at -o p.csv --plot p.svg && is_figure p.svg
[ "$(head -n 1 p.csv)" = 'time [s],x [1],v [1]' ] || fail 'header of the points'
[ "$(wc -l <p.csv)" = 31 ] || fail 'one line per point'
check "$hooke" poincare "$duffing" --period period $at -o p.h5 && [ -s p.h5 ]
check "$hooke" poincare "$duffing" --period period --channels x $coarse --plot q.svg
is_figure q.svg
check "$hooke" poincare "$duffing" --period period $at --lyapunov --json && cp out p.json && json p.json
for key in period repeat_error distinct per_second standard_error section; do
  grep -q "\"$key\": " p.json || fail "no key $key"
done

# Basins: two wells, each a third of the starts at least.
expect 0 '30 starts, 2 attractors' "$hooke" poincare "$duffing" $few --basin 30 \
  --spread 'x0=-1.5:1.5 rad' --spread '0.1 rad/s' --seed 3 --plot b.svg
is_figure b.svg
check "$hooke" poincare "$duffing" $few --basin 8 --spread '1 rad' --json && cp out b.json && json b.json
grep -q '"attractors": \[{"starts": ' b.json || fail 'attractors in JSON'

# Bifurcation diagrams do not depend on the number of processes.
sweep="--over F=0.2:0.3:7 --period period --channels x,v --skip 60 --points 24 $coarse --lyapunov"
check "$hooke" bifurcation "$duffing" $sweep --jobs 1 -o one.csv --plot d.svg && is_figure d.svg
check "$hooke" bifurcation "$duffing" $sweep --jobs 3 -o three.csv
check cmp one.csv three.csv
[ "$(wc -l <one.csv)" = 169 ] || fail 'seven values of 24 points, and the names'
expect 0 'period 2' "$hooke" bifurcation "$duffing" $sweep
check "$hooke" bifurcation "$duffing" $sweep --json && cp out d.json && json d.json
check "$hooke" bifurcation "$duffing" $sweep --both --plot e.svg -o e.h5 && is_figure e.svg
expect 0 'in decreasing direction' cat e.svg
expect 0 '1 of 4 values are omitted; reason of the first, omega = 0 rad/s: ' "$hooke" bifurcation \
  "$duffing" --over 'omega=0:1.2:4 rad/s' --period period --channels x --skip 5 --points 4 $coarse

# Mistakes.
expect_error 'give --period TIME' "$hooke" poincare "$duffing" --channels x
expect_error 'both kinds of section' "$hooke" poincare "$duffing" --channels x --period 1 --event v
expect_error 'no channels given' "$hooke" poincare "$duffing" --period 1
expect_error "there is no channel 'xx'" "$hooke" poincare "$duffing" --period 1 --channels xx
expect_error "did you mean 'period'" "$hooke" poincare "$duffing" --period periode --channels x
expect_error 'the period must be a time' "$hooke" poincare "$duffing" --period x --channels x
expect_error 'must be positive' "$hooke" poincare "$duffing" --period '0 s' --channels x
expect_error 'up, down or both' "$hooke" poincare "$duffing" --event v --direction left --channels x
expect_error 'whole number' "$hooke" poincare "$duffing" --period 1 --channels x --points many
expect_error "'v' is not among" "$hooke" poincare "$duffing" --period 1 --channels x --wrap v
expect_error "'x' is not an angle" "$hooke" poincare "$duffing" --period 1 --channels x --wrap x
expect_error 'use --spread' "$hooke" poincare "$duffing" --period 1 --channels x --basin 3
expect_error 'needs a length' "$hooke" poincare "$duffing" --period 1 --channels x --basin 3 --spread '1 kg'
expect_error 'needs --basin' "$hooke" poincare "$duffing" --period 1 --channels x --spread '1 m'
expect_error 'FIRST:LAST:COUNT' "$hooke" bifurcation "$duffing" --period 1 --channels x
expect 2 "FF" "$hooke" bifurcation "$duffing" --over FF=1:2 --period 1 --channels x
expect_error 'expected a unit' "$hooke" bifurcation "$duffing" --over F=0.2-0.3:3 --period 1 --channels x
expect_error 'must be a file' "$hooke" bifurcation - --over F=1:2 --period 1 --channels x <"$duffing"
expect_error 'cannot write' "$hooke" poincare "$duffing" --period 5 --channels x --skip 1 --points 3 \
  --plot none/a.svg
# An output file that cannot be written is reported before the computation, which takes minutes here.
expect_error 'cannot write' timeout 20 "$hooke" bifurcation "$duffing" --over F=0.2:0.6:100000 \
  --period period --channels x -o none/a.csv
expect_error 'cannot write' timeout 20 "$hooke" poincare "$duffing" --period period --channels x \
  --points 1000000 --plot none/a.svg
expect 0 'too few points' "$hooke" bifurcation "$duffing" --over F=0.2:0.3:2 --period period --channels x \
  --skip 1 --points 2 $coarse
# Columns stay apart under long names.
expect 0 '  hinge.angle_rate [rad/s]  hinge.angle_acc [rad/s^2]' "$hooke" poincare "$pendulum" \
  --period period --channels hinge.angle_rate,hinge.angle_acc --skip 1 --points 2
expect 1 'the section is not crossed' "$hooke" poincare "$duffing" --event x=9 --channels x --wait '20 s'

# A model that fails during the run.
cat >fails.yaml <<'Y'
format: 1
parameters: {at: 0.5 s}
bodies: {bob: {type: point_mass, mass: 1 kg}}
forces: {push: {type: load, b: bob, force: ["1 N*s^2 / (at - t)^2", 0, 0]}}
analysis: {duration: 1 s}
Y
expect 1 'no step succeeds' "$hooke" poincare fails.yaml --period '0.1 s' --channels bob.x
expect 1 'there is no orbit' "$hooke" bifurcation fails.yaml --over 'at=0.4:0.6:3 s' \
  --period '0.1 s' --channels bob.x

# Ctrl-C: finished results are written, and no process remains.
# A slow machine may not have finished the first value when it comes: then it is given more time.
for seconds in 1 4 16; do
  "$hooke" bifurcation "$duffing" --over F=0.2:0.6:4000 --period period --channels x --skip 100 \
    --points 10 --jobs 2 -o stop.csv --json >out 2>err &
  pid=$!
  sleep "$seconds"
  kill -INT "$pid"
  code=0
  wait "$pid" || code=$?
  [ "$(wc -l <stop.csv)" -le 10 ] || break
done
checks=$((checks + 1))
[ "$code" = 130 ] || fail "exit code $code after SIGINT, not 130"
grep -q '"status": "stopped"' out || fail 'status after SIGINT'
lines=$(wc -l <stop.csv)
[ "$lines" -gt 10 ] && [ "$lines" -lt 40001 ] || fail "$lines lines after SIGINT"
finish
