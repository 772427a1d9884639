# The schema for editors agrees with the reader: on the examples, on texts of parameters ($name) wherever the reader fills
# them, and on mistakes.
. "$(dirname "$0")/common"

python=/usr/bin/python3
"$python" -c 'import jsonschema, yaml' 2>/dev/null || {
  echo 'python3-jsonschema or python3-yaml is not installed'
  exit 77
}
check "$hooke" schema
cp out schema.json
cat >judge.py <<'P'
import sys, json, jsonschema, yaml
schema = jsonschema.Draft202012Validator(json.load(open("schema.json")))
class Loader(yaml.SafeLoader):
    pass
# A model file has texts where YAML 1.1 has dates or times in base 60.
Loader.yaml_implicit_resolvers = {k: [r for r in v if r[0] not in ("tag:yaml.org,2002:timestamp",)]
                                  for k, v in yaml.SafeLoader.yaml_implicit_resolvers.items()}
for path in sys.argv[1:]:
    errors = list(schema.iter_errors(yaml.load(open(path), Loader)))
    print(path, "good" if not errors else "bad %s: %s" % ("/".join(map(str, errors[0].path)), errors[0].message[:200]))
P

# Both accept the file, or both refuse it.
both() {
  "$python" judge.py "$2" >verdict 2>&1
  grep -q "^$2 $1" verdict || fail "$2 is $1, but the schema says: $(cat verdict)"
  case $1 in
    good) check "$hooke" check "$2" ;;
    bad) expect 2 'error: ' "$hooke" check "$2" ;;
  esac
}

for file in "$source"/examples/*/*.yaml; do
  case $file in */studies/* | */pin_in_slot.yaml) continue ;; esac # no models; a type of a plugin
  "$python" judge.py "$file" >verdict 2>&1
  checks=$((checks + 1))
  grep -q ' good$' verdict || fail "the schema refuses $(cat verdict)"
done

# model FILE PARAMETERS BODY JOINT FORCE ANALYSIS
model() {
  cat >"$1" <<Y
format: 1
parameters: {$2}
tables: {curve: {points: [[0 s, 0 N*m], [1 s, 1 N*m]], extrapolation: constant}}
bodies:
  bar: {type: rod, length: 0.2 m, mass: 1 kg, $3}
joints:
  pin: {$4}
forces:
  push: {$5}
analysis: {duration: 0.5 s, $6}
Y
}
body='position: [0.1 m, 0, 0]'
pin='type: revolute, a: ground, b: bar.start, at: [0, 0, 0], axis: z'
push='type: actuator, coordinate: pin.angle, force: curve(t)'
model plain.yaml 'n: 1' "$body" "$pin" "$push" 'stepper: bdf'
both good plain.yaml
model texts.yaml 'kind: revolute, way: z, spring: actuator, who: bar, method: bdf, hold: position, amount: 2 N*m, x: 0.1 m' \
  'position: [$x, 0, 0], fixed: $hold' 'type: $kind, a: ground, b: $who, at: [0, 0, 0], axis: $way' \
  'type: $spring, coordinate: pin.angle, force: $amount' 'stepper: $method'
both good texts.yaml
model euler.yaml 'order: zxz' "$body, orientation: {euler: \$order, angles: [0, 0, 0]}" "$pin" "$push" 'stepper: bdf'
both good euler.yaml
model choice.yaml 'n: 1' "$body, fixed: positon" "$pin" "$push" 'stepper: bdf'
both bad choice.yaml
model kind.yaml 'n: 1' "$body" 'type: revolut, a: ground, b: bar.start, at: [0, 0, 0], axis: z' "$push" 'stepper: bdf'
both bad kind.yaml
model way.yaml 'n: 1' "$body" 'type: revolute, a: ground, b: bar.start, at: [0, 0, 0], axis: zz' "$push" 'stepper: bdf'
both bad way.yaml
model method.yaml 'n: 1' "$body" "$pin" "$push" 'stepper: bfd'
both bad method.yaml
model key.yaml 'n: 1' "$body" "$pin" "$push, speed: 3" 'stepper: bdf'
both bad key.yaml
# A parameter that does not exist is an error of the reader; the schema cannot know it.
model unknown.yaml 'n: 1' "$body, fixed: \$other" "$pin" "$push" 'stepper: bdf'
expect 2 "there is no parameter 'other'" "$hooke" check unknown.yaml
finish
