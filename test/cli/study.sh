# hooke run --over and hooke study: tables, resuming, failures, bad input, identical bytes from every
# engine.
. "$(dirname "$0")/common"

pendulum >pendulum.yaml
cat >study.yaml <<'Y'
format: 1
title: lengths
model: pendulum.yaml
axes:
  L: 0.5..2:8 m
  bob.mass: [1 kg, 2 kg, 5000 g]
goals: {x_end: minimize}
constraints: [x_end <= -0.6 m]
Y

# ---- quick sweeps ----
expect 0 "L [m]" "$hooke" run pendulum.yaml --over "L=0.5..1:3 m" -j 2
[ "$(wc -l <out)" = 4 ] || fail "not three rows"
expect 0 '"rows": [[' "$hooke" run pendulum.yaml --over "L=0.5 m,80 cm" --over "bob.mass=1 kg,2 kg" --json
check "$hooke" run pendulum.yaml --over "L=0.5..1:3 m" -j 1 -o one.csv --plot one.svg
check "$hooke" run pendulum.yaml --over "L=0.5:1:3 m" -j 3 -o three.csv
check cmp one.csv three.csv
check grep -q '<svg' one.svg
expect 0 "1,ok,2," "$hooke" run pendulum.yaml --over "L=log(1 m, 4 m, 3)" -o -
# A row equals the result of the run itself.
"$hooke" run pendulum.yaml --set "L=0.75 m" --json | sed 's/.*"x_end": {"value": \([^,]*\),.*/\1/' >direct
check grep -q ",0.75,$(cat direct)," one.csv
# The table is printed without a file left behind.
check sh -c 'TMPDIR=$PWD/empty; mkdir empty; export TMPDIR; "$1" run pendulum.yaml --over "L=1 m,2 m" && rmdir empty' sh "$hooke"

# All commands use the same notation of ranges.
check "$hooke" locus "$source/examples/linear/rotor_campbell.yaml" --over "speed=0..6000:3 rpm" --at 0 --csv a.csv
check "$hooke" locus "$source/examples/linear/rotor_campbell.yaml" --over "speed=0:6000:3 rpm" --at 0 --csv b.csv
check cmp a.csv b.csv
# ---- measures on a results file ----
check "$hooke" run pendulum.yaml -o out.h5 --set "L=90 cm"
expect 0 '"lowest"' "$hooke" measure out.h5 --json
expect 0 "top" "$hooke" measure out.h5 --set measures.top="{of: bob.y, take: max, from: 1 s}"
expect_error "there is no channel 'bob.q'" "$hooke" measure out.h5 --set measures.top="{of: bob.q, take: max}"
check "$hooke" run pendulum.yaml -o some.h5 --record '^bob.x$'
expect_error "was not recorded" "$hooke" measure some.h5
expect_error "cannot" "$hooke" measure missing.h5
# ---- periodic orbits as variants: the same as `hooke periodic` ----
cat >steady.yaml <<Y
format: 1
model: wheel.yaml
analysis: periodic
period: 2 rad/s
axes: {F: 0.1..0.3:3}
Y
cat >wheel.yaml <<'Y'
format: 1
parameters: {F: 0.2}
bodies: {m: {type: rotor, inertia: 1 kg*m^2}}
forces:
  f: {type: actuator, coordinate: m.angle, force: (F*cos(2*t/(1 s)) - 0.1*m.angle_rate/(1 rad/s) - m.angle/(1 rad)) * 1 N*m}
measures: {swing: {of: m.angle, take: peak_to_peak}}
analysis: {duration: 1 s, rtol: 1e-8, atol: 1e-10}
Y
check "$hooke" study steady.yaml -q -o steady.csv
checks=$((checks + 1))
# A linear oscillator: twice F/sqrt((1 - w^2)^2 + (c w)^2).
awk -F, 'NR > 1 { want = 2 * $3 / sqrt(9 + 0.04); n++; if (($NF / want - 1)^2 > 1e-8 && ($4 / want - 1)^2 > 1e-8) bad = 1 } END { exit !(n == 3 && !bad) }' steady.csv ||
  fail "periodic variants: $(cat steady.csv)"
expect 0 '"swing"' "$hooke" periodic wheel.yaml --period '2 rad/s' --json
sed 's/^period.*/period: nothing/' steady.yaml >bad.yaml
expect_error "there is no channel 'nothing'" "$hooke" study bad.yaml
sed 's/^period.*/period: 2 m*Hz/' steady.yaml >bad.yaml
expect_error "must be a time, a frequency" "$hooke" study bad.yaml
sed '/^period/d' steady.yaml >bad.yaml
expect_error "needs 'period' or 'turn'" "$hooke" study bad.yaml
sed 's/^analysis.*//' steady.yaml >bad.yaml
expect_error "belongs to 'analysis: periodic'" "$hooke" study bad.yaml
sed 's/^analysis.*/analysis: static/' steady.yaml >bad.yaml
expect_error "must be periodic" "$hooke" study bad.yaml
# ---- a study ----
expect 0 "24 variants, 0 failed, 18 beyond a constraint" "$hooke" study study.yaml -j 2
check cmp study.study/table.csv study.study/table.csv
expect 2 "24 of 24 variants are already in 'study.study'; continue with --resume" "$hooke" study study.yaml
check "$hooke" study study.yaml --resume -q
check "$hooke" study study.yaml -j 1 --folder again -q -o again.csv
check cmp study.study/table.csv again.csv
check cmp study.study/table.sqlite again/table.sqlite
expect 0 "24 variants: axes crossed" "$hooke" study study.yaml --list
for kind in line map matrix slice; do
  check "$hooke" study study.yaml --collect -q --plot $kind.svg --figure $kind
  check grep -q '<svg' $kind.svg
done
check "$hooke" study study.yaml --collect -q --report page.html
[ "$(grep -c '<svg' page.html)" -ge 4 ] || fail "figures are missing in the report"
! grep -q 'src=\|href=\|<script' page.html || fail "the report asks for something from outside"
check "$hooke" report study.yaml -o same.html
check cmp page.html same.html
expect_error "--unit is for results, not for studies" "$hooke" report study.yaml --unit mm -o other.html
expect_error "--measured is for results, not for studies" "$hooke" report study.yaml --measured bench.csv -o other.html
expect 2 "one study file" "$hooke" report study.yaml study.yaml -o two.html
# Tasks of a job array, in any order, one of them twice.
for i in 2 0 1 0; do check "$hooke" study study.yaml --task $i/3 --folder tasks -q; done
check "$hooke" study study.yaml --collect --folder tasks -q
check cmp study.study/table.sqlite tasks/table.sqlite

# ---- samples, zip, duplicates, words ----
cat >samples.yaml <<'Y'
format: 1
model: pendulum.yaml
axes: {analysis.duration: [10 ms, 20 ms, 10 ms]}
samples: {method: latin_hypercube, count: 5, seed: 3, of: {L: "normal(1 m, 10 cm)", bob.mass: "uniform(1 kg, 2 kg)"}}
measures: [x_end]
store: "^bob.x$"
Y
expect 0 "15 variants, 0 failed" "$hooke" study samples.yaml -j 2 --plot samples.svg
[ "$(ls samples.study/stored | wc -l)" = 10 ] || fail "a value that is named twice was run twice"
check "$hooke" export samples.study/stored/00000003.h5 --csv -
[ "$(sed -n 2p samples.study/table.csv | cut -d, -f2-)" = "$(sed -n 12p samples.study/table.csv | cut -d, -f2-)" ] ||
  fail "twins differ"
cat >zip.yaml <<'Y'
format: 1
model: pendulum.yaml
axes:
  L: [1 m, 2 m, 3 m]
  bob.mass: 1..3:3 kg
zip: [[L, bob.mass]]
Y
expect 0 "3 variants, 0 failed" "$hooke" study zip.yaml

# ---- optimiser, sensitivity, surrogate ----
cat >best.yaml <<'Y'
format: 1
model: pendulum.yaml
set: {analysis.duration: 0.3 s}
axes: {L: "0.5..2:2 m", bob.mass: "log(1 kg, 10 kg, 2)"}
measures: [x_end, lowest]
goals: {x_end: maximize, fall: {maximize: -lowest/L}}
constraints: [bob.mass <= 5 kg]
Y
expect_error "has 2 goals; choose one with --goal" "$hooke" optimize best.yaml
expect 0 "at its bound" "$hooke" optimize best.yaml --goal x_end --variants 60 -j 2 --plot best.svg -q
expect 0 '"status": "ok"' "$hooke" optimize best.yaml --goal x_end --variants 60 --resume --json
grep -q '"failed": 0' out || fail 'none of these variants fails'
# Variants that fail are counted.
cat >some.yaml <<'Y'
format: 1
parameters: {k: 1 N/m}
bodies: {b: {type: point_mass, mass: 1 kg, position: [1 m, 0, 0]}}
joints: {g: {type: point_on_line, a: ground, b: b, axis: x}}
forces: {f: {type: actuator, coordinate: g.displacement, force: "-k*g.displacement/(if(k > 2 N/m, 0, 1))"}}
measures: {x: {of: b.x, take: final}}
analysis: {duration: 1 s}
Y
printf 'format: 1\nmodel: some.yaml\naxes: {k: "0.5..3:11 N/m"}\ngoals: {x: minimize}\n' >fails.yaml
expect 0 'variants gave no result' "$hooke" optimize fails.yaml --variants 20 -j 2
[ "$(grep -c ',failed,' fails.optimize/table.csv)" = "$(sed -n 's/^\([0-9]*\) of 20 variants gave no result.*/\1/p' out)" ] ||
  fail 'the number of failed variants is that of the table'
expect_error "the study in 'best.optimize' was started with other values" "$hooke" optimize best.yaml --goal x_end --variants 61 --resume
expect 0 "mu*" "$hooke" sensitivity best.yaml --samples 3 -j 2 -q
expect 0 '"total_high"' "$hooke" sensitivity best.yaml --method sobol --samples 8 --folder shares --json
check "$hooke" study study.yaml --resume -q
expect 0 "each run predicted from all others" "$hooke" surrogate study.yaml --measure x_end --over "L=50..200:20 cm" --over "bob.mass=1..5:20 kg" -o map.csv --plot map.svg
[ "$(wc -l <map.csv)" = 401 ] || fail "a map of 20 by 20 has 400 points"
expect_error "did you mean 'x_end'" "$hooke" surrogate study.yaml --measure x_ende
expect_error "is m, not s" "$hooke" surrogate study.yaml --measure x_end --over "L=1..2:5 s"

# ---- variants that fail ----
cat >fails.yaml <<'Y'
format: 1
model: pendulum.yaml
axes: {L: [1 m, -1 m, 2 m]}
Y
expect 0 "1 of 3 variants failed; the first, number 1, because: pendulum.yaml:7:" "$hooke" study fails.yaml
check grep -q '^1,failed,-1,,' fails.study/table.csv
cat >hangs.yaml <<'Y'
format: 1
model: pendulum.yaml
axes: {analysis.duration: [10 ms, 1e6 s, 20 ms]}
limits: {time: 0.3 s}
Y
expect 0 "it exceeded its time limit of 0.3 s" "$hooke" study hangs.yaml -j 2
check grep -q '^2,ok' hangs.study/table.csv

# Without any result the exit status is 1, however the table is asked for; a task of a cluster leaves that to the table.
cat >none.yaml <<'Y'
format: 1
model: pendulum.yaml
axes: {L: [1 m, 2 m]}
set: {analysis.duration: 1e6 s}
limits: {time: 0.1 s}
goals: {x_end: minimize}
Y
for how in "" "--resume -q" --collect "--collect -o -" "--collect --plot none.svg" "--collect --json --plot none.svg"; do
  expect 1 "error: no variant succeeded; see none.study/table.csv for the reasons" "$hooke" study none.yaml $how
done
grep -q '"status": "failed"' out || fail "the status of a study without a result"
[ ! -e none.svg ] || fail "a figure of a study without a result"
cat >stuck.yaml <<'Y'
format: 1
bodies: {b: {type: sphere, mass: 1 kg, radius: 1 m}}
forces: {push: {type: load, b: b, force: ["1 N * sqrt(0.5 - t/(1 s))", 0, 0]}}
analysis: {duration: 1 s}
measures: {x: {of: b.x, take: final}}
Y
expect 1 "error: no variant succeeded" "$hooke" run stuck.yaml --over b.mass=1..2:2kg --json --plot none.svg
grep -q '"status": "failed"' out && [ ! -e none.svg ] || fail "the status of a sweep without a result"
check "$hooke" study none.yaml --task 0/1
expect 1 "error: no variant succeeded; see none.optimize/table.csv" "$hooke" optimize none.yaml --variants 10 -j 2 --quiet
expect 1 "more than 10 %" "$hooke" sensitivity none.yaml --samples 2 -j 2
expect 1 "error: no variant of the study succeeded; reason of the first failure: it exceeded its time limit" "$hooke" surrogate none.yaml
expect 0 "variants of the study failed and are omitted" "$hooke" surrogate fails.optimize

# ---- Ctrl-C ----
cat >long.yaml <<'Y'
format: 1
model: pendulum.yaml
axes: {L: "0.5..2:40 m"}
set: {analysis.duration: 600 s}
Y
"$hooke" study long.yaml -j 2 >out 2>err &
pid=$!
i=0
while [ "$(cat long.study/journals/*.journal 2>/dev/null | wc -c)" -lt 100 ] && [ $i -lt 300 ]; do sleep 0.02 && i=$((i + 1)); done
expect_error "another process is running the study" "$hooke" study long.yaml --resume
kill -TERM $pid
code=0
wait $pid || code=$?
checks=$((checks + 1))
[ $code = 143 ] || fail "exit code $code after SIGTERM, not 143"
[ -s long.study/table.csv ] || fail "no table of what was done"
expect 0 "40 variants, 0 failed" "$hooke" study long.yaml --resume

# ---- bad input ----
bad() { # TEXT, then the lines of a study
  text=$1
  shift
  { printf 'format: 1\nmodel: pendulum.yaml\n'; printf '%s\n' "$@"; } >bad.yaml
  expect_error "$text" "$hooke" study bad.yaml --folder bad
  [ ! -e bad ] || fail "bad input left a folder"
}
bad "bad.yaml:3:8: error: LL: the model has no item 'LL'" 'axes: {LL: [1 m]}'
bad "bad.yaml:3:8: error: L: the model says pendulum.yaml:5:50: error: position of body 'bob' needs another unit (m, mm, um), got s" 'axes: {L: [1 s]}'
bad "the axis is empty" 'axes: {L: []}'
bad "is empty: the count" 'axes: {L: "0..1:0 m"}'
bad "1e+12 variants (1000000 x 1000000)" 'axes: {L: "1..2:1000000 m", bob.mass: "1..2:1000000 kg"}'
bad "an axis may have 10000000" 'axes: {L: "1..2:1e12 m"}'
bad "the model has no measure 'x_ende'; did you mean 'x_end'?" 'axes: {L: [1 m]}' 'measures: [x_ende]'
bad "bad.yaml:4:9: error: 'y_end'" 'axes: {L: [1 m]}' 'goals: {y_end: minimize}'
bad "'x_end - 1 s" 'axes: {L: [1 m]}' 'constraints: ["x_end - 1 s <= 0 m"]'
bad "unknown key 'axis'" 'axis: {L: [1 m]}'
bad "has 2 and 'bob.mass' 3" 'axes: {L: [1 m, 2 m], bob.mass: "1..2:3 kg"}' 'zip: [[L, bob.mass]]'
bad "a distribution belongs to 'samples" 'axes: {L: "normal(1 m, 1 cm)"}'
bad "the model has no part 'bob[0]'" 'samples: {count: 3, of: {"bob[*].mass": "normal(1 kg, 1 g)"}}'
bad "has no variables" 'set: {L: 1 m}'
bad "bad.yaml:3:7: error: LL: the model has no item" 'set: {LL: 1 m}' 'axes: {L: [1 m]}'
bad "no channel matches 'nothing'" 'axes: {L: [1 m]}' 'store: nothing'
expect_error "--over L=1 s: error: L: the model says" "$hooke" run pendulum.yaml --over "L=1 s"
expect_error "--over needs PATH=VALUES" "$hooke" run pendulum.yaml --over L
expect_error "cannot be read" "$hooke" study missing.yaml
expect_error "--task needs I/N" "$hooke" study study.yaml --task 3/3
expect_error "cannot be used together" "$hooke" study study.yaml --mpi --collect
# Samples that give no valid model are reported before the first run.
cat >pins.yaml <<Y
format: 1
model: $source/examples/ujoint_clearance/spatial.yaml
samples: {count: 9, of: {"joint.pin[*].clearance_error": "uniform(0 um, 1 um)"}}
Y
expect_error "gives a valid model; reason of the first: " "$hooke" study pins.yaml
grep -q "pin 2 has deviations, but its side has no clearance" err || fail "the reason is not told"
# Changes since the first run are reported with --resume.
sed 's/8 m/9 m/' study.yaml >changed.yaml
expect 2 "note: axis L was '0.5..2:8 m' and is now '0.5..2:9 m'" "$hooke" study changed.yaml --folder study.study --resume
sed 's/L: 1 m/L: 2 m/' pendulum.yaml >p2.yaml
mv pendulum.yaml p1.yaml
mv p2.yaml pendulum.yaml
expect 2 "note: model parameters.L was '1 m' and is now '2 m'" "$hooke" study study.yaml --resume
mv p1.yaml pendulum.yaml
# A full disk in the middle: the limit is one on the size of files.
sed 's/8 m/200 m/' study.yaml >full.yaml
expect 2 "cannot write a journal" sh -c 'ulimit -f 8; exec "$@"' sh "$hooke" study full.yaml --folder full -j 1
check "$hooke" study full.yaml --collect --folder full -q
[ "$(wc -l <full/table.csv)" -gt 20 ] || fail "what was finished before the disk was full is lost"
expect 0 "600 variants, 0 failed" "$hooke" study full.yaml --folder full --resume
check "$hooke" study full.yaml --folder never_full -q
check cmp never_full/table.sqlite full/table.sqlite
finish
