# Model files with former names still run, and `hooke migrate` replaces only the names: both files give
# bit-identical results.
. "$(dirname "$0")/common"

# A short part of each run is enough: the same numbers go through the same operations.
duration() {
  case $1 in
    a03_andrews) echo 2e-3 ;;
    bump_stop | slope_sphere | stick_slip_contact | superball) echo 0.2 ;;
    four_bar_films | lubricated) echo 2e-3 ;;
    plunging | rzeppa | tripod | cv_and_tripod_start_overlapped) echo 2e-4 ;;
    planetary | two_stage | gear_two_stage_shafts) echo 1e-4 ;;
    *) echo 1e-2 ;;
  esac
}

table() {
  "$hooke" export "$1" --csv - | grep -v '^#'
}

for old in "$source"/test/former_names/*.yaml; do
  name=$(basename "$old" .yaml)
  end=$(duration "$name")
  cp "$old" "$name.yaml"
  # A text parameter ($track) holds the former name of a choice: the user must replace this name.
  code=0
  [ "$name" != rzeppa ] || code=1
  expect $code 'replaced' "$hooke" migrate "$name.yaml" -o "$name.new.yaml"
  grep -q '^[1-9][0-9]* names* replaced' out || fail "$name has no former names"
  [ $code = 1 ] || expect 0 '0 names replaced' "$hooke" migrate "$name.new.yaml"
  [ "$(wc -l <"$name.yaml")" = "$(wc -l <"$name.new.yaml")" ] || fail "$name: lines were added or lost"
  grep '#' "$name.yaml" | sed 's/.*#/#/' >comments
  grep '#' "$name.new.yaml" | sed 's/.*#/#/' | cmp -s - comments || fail "$name: comments have changed"
  for file in "$name" "$name.new"; do
    rm -f run.h5
    expect 0 'results:' "$hooke" run "$file.yaml" --set analysis.duration="$end s" --set analysis.output_step="$end s / 20" \
      --record . -o run.h5
    table run.h5 >"$file.csv"
  done
  checks=$((checks + 1))
  cmp -s "$name.csv" "$name.new.csv" || fail "$name: the model with new names runs otherwise"
  rm -f "$name"*.csv
done

# One model in which names are given in all possible ways.
cat >spring.yaml <<'Y'
format: 1
bodies: {m: {type: point_mass, mass: 1 kg, position: [2 m, 0, 0]}}
forces: {s: {type: spring_damper, b: m, stiffness: 10 N/m, length: 1 m}}
measures: {pull: {of: s.own_fx, take: min}}
analysis: {duration: 0.1 s, integrator: adams}
Y
expect 0 '-10' "$hooke" run spring.yaml -o s.h5
expect 0 's.local_fx [N]' "$hooke" export s.h5 --csv - --channels s.own_fx
expect 0 's.local_fx' "$hooke" export s.h5 --csv - --match 's[.]own_fx'
expect 0 'results:' "$hooke" run spring.yaml --record 's[.]own_fx' -o one.h5
expect 0 's.local_fx' "$hooke" export one.h5 --csv -
expect 0 '-5' "$hooke" run spring.yaml --set s.free_length='1.5 m'
expect 0 '-5' "$hooke" run spring.yaml --set forces.s.length='1.5 m'
expect 0 '-15' "$hooke" run spring.yaml --over s.length='0.5 m,1 m'
expect 0 '-15' "$hooke" run spring.yaml --over s.free_length='0.5 m,1 m'
expect 0 'moreau' "$hooke" check spring.yaml --set analysis.stepper=moreau --set analysis.step='1 ms' --json
cat >both.yaml <<'Y'
format: 1
bodies: {m: {type: point_mass, mass: 1 kg}}
forces: {s: {type: spring_damper, b: m, stiffness: 10 N/m, length: 1 m, free_length: 1 m}}
Y
expect_error "free_length of force 's' is given twice" "$hooke" check both.yaml
expect 0 'youngs_modulus: number in Pa, > 0; formerly young' "$hooke" types beam
expect 0 'gear_b: map, gear b' "$hooke" types gear_pair
expect 0 'articulation_angle (sensor)' "$hooke" types bend
expect 0 'note:' "$hooke" check "$source/test/former_names/ujoint_reduced_start_rate.yaml"
finish
