# Help and JSON agree: every key that a command prints with --json is in its help; functions are the same in
# both; the assumptions of composite joints are the same on their page.
. "$(dirname "$0")/common"
examples=$source/examples

pendulum >model.yaml
printf 'format: 1\nmodel: model.yaml\naxes: {L: 50..200:3 cm, bob.mass: 1..5:3 kg}\ngoals: {x_end: maximize}\n' >study.yaml

# keys COMMAND ...: those of its JSON, without the names that the model gives: of measures, bodies, forces.
own='part|bob|hub|effort|gravity|string|weight|x_end|half_way|lowest|path|pull|guide|patch|road|strut|suspension|tyre|up|wheel|body|[xyz]|q[wxyz]|(local_)?[ft][xyz]'
keys() {
  command=$1
  checks=$((checks + 1))
  "$hooke" "$@" --json >out 2>err || fail "$*"
  { "$hooke" "$command" --help; [ "$command" != bifurcation ] || "$hooke" poincare --help; } >help
  for key in $(sed 's/"[a-z_0-9]*": {"value"/{"value"/g' out | grep -o '"[a-z_]*":' | tr -d '":' | sort -u | grep -Evx "$own"); do
    grep -q "\"$key\"" help || fail "hooke $command --help does not know \"$key\""
  done
}
keys run model.yaml --digits -o run.h5
keys run "$examples/slider_crank_clearance/lubricated.yaml" --set "revolutions=0.01"
keys measure run.h5
keys check model.yaml --channels
keys static "$examples/linear/quarter_car.yaml"
keys modes "$examples/linear/quarter_car.yaml"
keys frf "$examples/linear/quarter_car.yaml" --to body.z
keys gear "$examples/gear_rig/mesh.yaml"
keys reduce "$source/test/flexible/bracket.msh" --unit m --young 70GPa --poisson 0.33 --density 2700 --interface hub=rigid --modes 2 -o body.h5
cat >bend.yaml <<'Y'
format: 1
bodies: {part: {type: flexible_body, file: body.h5}}
joints: {hold: {type: fixed, a: ground, b: part.hub}}
forces: {push: {type: load, b: part.hub, torque: [0, 0, 1 N*m]}}
analysis: {duration: 1 ms, output_step: 0.1 ms}
Y
check "$hooke" run bend.yaml -q -o bend.h5
keys stress bend.h5 --strength 1MPa
keys erp bend.yaml --from forces.push.torque.z --range 100:1000Hz --points 3
keys spectrum run.h5 --channels bob.x --peaks 2
keys poincare "$examples/nonlinear/duffing.yaml" --period period --channels x,v --set F=0.2 --lyapunov --points 10
keys bifurcation "$examples/nonlinear/duffing.yaml" --over F=0.2:0.3:2 --period period --channels x --skip 5 --points 4
keys periodic "$examples/nonlinear/duffing.yaml" --period period --set F=0.2 --floquet
keys periodic "$examples/nonlinear/duffing.yaml" --period period --over F=0.2:0.21:2 --channels x
keys study study.yaml
keys optimize study.yaml --variants 12 -j 1
keys sensitivity study.yaml -j 1
check "$hooke" export run.h5 --csv curve.csv --channels bob.x
keys fit model.yaml --data curve.csv --vary L=0.9:1.1m
keys conform revolute --check table
keys types
keys functions

squeeze() { tr -s ' \n' '  '; }
check "$hooke" types --json
cp out types.json
# Cautions and ranges are in both.
for name in dynamics hunt_crossley tripod_joint spring_damper; do
  "$hooke" types "$name" | squeeze >text
  "$hooke" types "$name" --json | tr '\n' ' ' | sed 's/"channels": .*//' >json
  grep -o '"\(doc\|default\|range\)": "[^"]*"' json | sed 's/^"[a-z]*": "//; s/"$//' | sort -u >told
  checks=$((checks + 1))
  while read -r line; do grep -qF -e "$line" text || fail "types $name: JSON alone says '$line'"; done <told
done

# ---- functions ----
"$hooke" functions --json | grep -o '"call": "[^"]*"' | sed 's/.*: "//; s/"//' >names
"$hooke" functions >text
[ "$(wc -l <names)" -gt 20 ] || fail 'functions'
while read -r name; do
  checks=$((checks + 1))
  grep -qF -e "$name" text || fail "functions: JSON alone has '$name'"
done <names

# ---- assumptions: the page and the types ----
grep -o '"assumptions": \[[^]]*\]' types.json | sed 's/^"assumptions": \["//; s/"\]$//; s/", "/\n/g' >assumptions
[ "$(wc -l <assumptions)" -gt 20 ] || fail "assumptions: $(wc -l <assumptions)"
squeeze <"$source/docs/joints/composite.md" >page
while read -r line; do
  checks=$((checks + 1))
  grep -qF -e "$line" page || fail "docs/joints/composite.md does not say '$line'"
done <assumptions
checks=$((checks + 1))
[ "$(grep -c '^- ' "$source/docs/joints/composite.md")" = "$(wc -l <assumptions)" ] || fail 'the page says more than the types'
finish
