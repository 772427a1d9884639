# Results of a study are correct: constraints, joined axes, units, failures, spellings; against closed forms.
. "$(dirname "$0")/common"

cat >m.yaml <<'Y'
format: 1
parameters: {x1: 0.5, x2: 0.5, x3: 0.5, x4: 0.5, L: 1 m}
bodies: {p: {type: point_mass, mass: 1 kg, position: [0, 0, 0]}}
sensors:
  ishi: {value: sin(x1) + 7*sin(x2)^2 + 0.1*x3^4*sin(x1)}
  f1: {value: x1^2 + x2^2}
  f2: {value: (x1-1)^2 + x2^2}
  v1: {value: x1}
  len: {value: L}
  root: {value: x2 + 0*sqrt(x4 - 0.25)}
measures:
  ishi: {of: ishi, take: final}
  f1: {of: f1, take: final}
  f2: {of: f2, take: final}
  v1: {of: v1, take: final}
  len: {of: len, take: final}
  root: {of: root, take: final}
analysis: {duration: 1 ms, step: 1 ms, output_step: 1 ms}
Y
# study NAME LINES...: a study of m.yaml
study() {
  name=$1
  shift
  { printf 'format: 1\nmodel: m.yaml\n'; printf '%s\n' "$@"; } >"$name.yaml"
}

# ---- constraints: chains and `and` are evaluated, other conditions rejected ----
for condition in "1 <= x1 <= 2" "2 >= x1 >= 1" "x1 >= 1 and x1 <= 2" "f1 >= 0 and 1 <= x1 <= 2 and f1 <= 100"; do
  study chain 'axes: {x1: "-2..2:5"}' 'measures: [f1]' 'goals: {f1: minimize}' "constraints: [$condition]"
  rm -rf chain.study chain.optimize
  expect 0 "3 beyond a constraint" "$hooke" study chain.yaml
  expect 0 '--set x1="1' "$hooke" optimize chain.yaml -q
done
for condition in "f1 >= 0 or x1 >= 1" "not f1 >= 0" "f1 < 1" "f1 == 1 and x1 >= 0" "(f1 >= 0 and x1 >= 1)" \
  "x1 >= 0 and f1" "f1"; do
  study wrong 'axes: {x1: "-2..2:5"}' 'measures: [f1]' "constraints: ['$condition']"
  expect_error "a constraint must have the form 'left <= right'" "$hooke" study wrong.yaml
done

# ---- zip: joined axes go together in searches, too.  (x - 1)^2 + x^2 is least at 1/2 ----
study joined 'axes: {x1: "0..1:3", x2: "0..1:3"}' 'zip: [[x1, x2]]' 'measures: [f2]' 'goals: {f2: minimize}'
expect 0 "least f2: 0.5" "$hooke" optimize joined.yaml -q
expect 0 "x1 + x2" "$hooke" sensitivity joined.yaml -q
expect 0 '"x1 + x2"' "$hooke" sensitivity joined.yaml -q --json --resume

# ---- distributions ----
study factor 'measures: [len]' 'samples: {count: 64, of: {L: "log_normal(1 m, 120 %)"}}'
check "$hooke" study factor.yaml -q -o factor.csv
study plain 'measures: [len]' 'samples: {count: 64, of: {L: "log_normal(1 m, 1.2)"}}'
check "$hooke" study plain.yaml -q -o plain.csv
check cmp factor.csv plain.csv
study metre 'measures: [len]' 'samples: {count: 8, of: {L: "log_normal(1 m, 2 m)"}}'
expect_error "is a plain number" "$hooke" study metre.yaml
study far 'measures: [v1]' 'samples: {count: 8, of: {x1: "normal(0, 1, 50, 60)"}}'
expect_error "deviations from the mean" "$hooke" study far.yaml

# ---- failures are reported, and too many are an error ----
study some 'axes: {x4: "0.24..1:2", x2: "0..1:2"}' 'measures: [root]'
expect 0 "are omitted" "$hooke" sensitivity some.yaml -q --method sobol
study many 'axes: {x4: "0..1:2", x2: "0..1:2"}' 'measures: [root]'
expect 1 "reduce the ranges of the axes" "$hooke" sensitivity many.yaml -q --method sobol
# An axis with failing end values is accepted; an axis with only failing values is an error.
study island 'axes: {x4: [0, 0.1, 0.2, 1, 0, 0.1, 0.2]}' 'measures: [root]'
expect 0 "7 variants, 6 failed" "$hooke" study island.yaml
study dead 'axes: {x4: [0, 0.1, 0.2]}' 'measures: [root]'
expect_error "not a finite number" "$hooke" study dead.yaml

# ---- all variants are rows, with number and status ----
check "$hooke" study island.yaml --json --folder again && cp out island.json
check python3 - <<'P'
import json
d = json.load(open("island.json"))
name = [c["name"] for c in d["columns"]]
assert len(d["rows"]) == d["variants"] == 7
for i, row in enumerate(d["rows"]):
    row = dict(zip(name, row))
    good = row["x4"] == 1
    assert row["number"] == i and row["status"] == ("ok" if good else "failed"), row
    assert (row["root"] == 0.5) == good and bool(row["error"]) != good, row
P

# ---- one value under two names; a measure that changes its dimension ----
study twice 'axes: {x1: "0..1:2", parameters.x1: "0..1:2"}' 'measures: [v1]'
expect_error "'x1' and 'parameters.x1' are the same value" "$hooke" study twice.yaml
study body 'axes: {p.mass: [1 kg, 2 kg], bodies.p.mass: [1 kg, 2 kg]}' 'measures: [v1]'
expect_error "are the same value" "$hooke" study body.yaml
expect_error "are the same value" "$hooke" run "$source/examples/cv_joint/plunging.yaml" \
  --over "cvj.ball[2].size_error=0 um,1 um" --over "cvj.size_error[2]=0 um,1 um"
printf 'format: 1\nlaws: {steel: {type: hertz, youngs_modulus: 2e11 Pa, poisson_ratio: 0.3}}\n' >law.yaml
cat m.yaml | tail -n +2 >>law.yaml
printf 'format: 1\nmodel: law.yaml\naxes: {steel.young: [1e11 Pa, 2e11 Pa], laws.steel.youngs_modulus: [1e11 Pa]}\nmeasures: [v1]\n' \
  >names.yaml
expect_error "are the same value" "$hooke" study names.yaml
# Every column of a table has a name of its own, which goals and constraints read.
printf 'format: 1\nparameters: {x: 2 m, status: 1}\nbodies: {p: {type: point_mass, mass: 1 kg, position: [x, 0, 0]}}\n%s\n%s\n' \
  'measures: {x: {of: p.x, take: final}, error: {of: p.vx, take: final}, feasible: {of: p.y, take: final}}' 'analysis: {duration: 1 ms}' >column.yaml
column() {
  printf 'format: 1\nmodel: column.yaml\n%b\n' "$1" >columns.yaml
  expect_error "$2" "$hooke" study columns.yaml
}
column 'axes: {x: [1 m, 2 m]}\nmeasures: [x]' "'x' is both an axis and a measure"
column 'axes: {parameters.x: [1 m, 2 m]}\nmeasures: [x, x]' "the measure 'x' is given twice"
column 'axes: {status: [1, 2]}\nmeasures: [x]' "'status' is a column of the table itself"
column 'axes: {parameters.x: [1 m, 2 m]}' "the measure 'error' has the name of a column"
column 'axes: {parameters.x: [1 m, 2 m]}\nmeasures: [feasible]\nconstraints: [feasible <= 1 m]' "the measure 'feasible' has the name"
column 'axes: {parameters.x: [1 m, 2 m]}\nmeasures: [x]\nconstraints: [x <= 1 m]\ngoals: {feasible: {minimize: x}}' "the goal 'feasible' has the name"
printf 'format: 1\nmodel: column.yaml\naxes: {parameters.x: [1 m, 2 m]}\nmeasures: [x, feasible]\n' >columns.yaml
check "$hooke" study columns.yaml -q
[ "$(head -n 1 columns.study/table.csv)" = 'variant,status,parameters.x [m],x [m],feasible [m],error' ] || fail "columns of a table"
# Items that `repeat` makes: --set changes one copy, [*] samples all of them separately.
printf 'format: 1\nbodies: {p: {repeat: {i: 0..3}, type: point_mass, mass: 1 kg, position: [i * 1 m, 0, 0]}}\n%s\n%s\n' \
  'measures: {x: {of: "p[1].x", take: final}}' 'analysis: {duration: 1 s}' >row.yaml
printf 'format: 1\nmodel: row.yaml\nsamples: {count: 4, of: {"p[*].mass": "uniform(1 kg, 2 kg)"}}\n' >row_study.yaml
expect 0 '"p[3].mass": "1' "$hooke" study row_study.yaml --list --json
check "$hooke" study row_study.yaml -q
cat >copies.yaml <<'Y'
format: 1
bodies:
  p: {repeat: {i: 1..3}, type: point_mass, mass: 1 kg, position: [i * 1 m, 0, 0], velocity: [i * 1 m/s, 0, 0]}
  q: {repeat: {k: 0..1}, name: "v[k+5]", type: point_mass, mass: 2 kg}
forces: {push: {repeat: {i: 1..3}, type: load, b: "p[i]", force: [6 N, 0, 0]}}
measures:
  x: {repeat: {i: 1..3}, of: "p[i].x", take: final}
  speed: {repeat: {i: 1..3}, of: "p[i].vx", take: final}
analysis: {duration: 1 s}
Y
expect 0 "measures" "$hooke" run copies.yaml --json --set "p[2].mass=2 kg" --set "push[3].force[0]=0 N" \
  --set "bodies.p[1].velocity=[0, 0, 0]" --set "v[6].mass=3 kg"
cp out copies.json
check python3 - <<'P'
import json
m = {k: v["value"] for k, v in json.load(open("copies.json"))["measures"].items()}
want = {"x[1]": 1 + 3, "x[2]": 2 + 2 + 1.5, "x[3]": 3 + 3, "speed[1]": 6, "speed[2]": 2 + 3, "speed[3]": 3}
assert all(abs(m[k] - v) < 1e-9 for k, v in want.items()), m
P
for wrong in "p[0].mass=1 kg" "p[4].mass=1 kg" "v[4].mass=1 kg" "w[1].mass=1 kg"; do
  expect_error "the model has no item" "$hooke" check copies.yaml --set "$wrong"
done
expect_error "mas" "$hooke" check copies.yaml --set "p[2].mas=1 kg"
printf 'format: 1\nmodel: copies.yaml\naxes: {p.mass: [1 kg, 2 kg], "p[2].mass": [1 kg, 3 kg]}\n' >all.yaml
expect_error "one path refers to all copies, the other to one of them" "$hooke" study all.yaml
# Copies with a name of their own, a value that contains another one, and other names of a value that the file omits.
printf 'format: 1\nmodel: copies.yaml\naxes: {q.mass: [1 kg, 2 kg], "bodies.v[6].mass": [1 kg, 3 kg]}\n' >own.yaml
expect_error "one path refers to all copies, the other to one of them" "$hooke" study own.yaml
printf 'format: 1\nmodel: copies.yaml\naxes: {"v[6].mass": [1 kg, 2 kg], "bodies.v[6].mass": [1 kg, 3 kg]}\n' >own.yaml
expect_error "are the same value" "$hooke" study own.yaml
printf 'format: 1\nmodel: copies.yaml\naxes: {"v[5].mass": [1 kg, 2 kg], "v[6].mass": [1 kg, 3 kg]}\n' >own.yaml
check "$hooke" study own.yaml --list
expect_error "one contains the other" "$hooke" run copies.yaml --over "p[1].position=[0, 0, 0],[1, 0, 0]" \
  --over "p[1].position[2]=0 m,1 m"
sed 's/youngs_modulus: 2e11 Pa, //' law.yaml >soft.yaml
sed 's/law.yaml/soft.yaml/' names.yaml >soft_names.yaml
expect_error "are the same value" "$hooke" study soft_names.yaml
# Copies that do not start at 0 or 1, and those with a name of their own.
printf 'format: 1\nmodel: copies.yaml\nsamples: {count: 2, of: {"v[*].mass": "uniform(1 kg, 2 kg)"}}\n' >row_study.yaml
expect 0 '"v[6].mass": "1' "$hooke" study row_study.yaml --list --json
# Numbers with gaps, unordered: every copy is sampled, and none twice.
cat >gaps.yaml <<'Y'
format: 1
bodies:
  p: {repeat: {i: [7, 0, 2]}, type: point_mass, mass: 1 kg}
  q: {repeat: {k: 1..3}, name: "v[2*k]", type: point_mass, mass: 2 kg}
sensors: {sum: {value: "p[0].x + v[2].x"}}
measures: {sum: {of: sum, take: final}}
analysis: {duration: 1 ms}
Y
printf 'format: 1\nmodel: gaps.yaml\nsamples: {count: 2, of: {"p[*].mass": "uniform(1 kg, 2 kg)", "v[*].mass": "uniform(1 kg, 2 kg)"}}\n' \
  >gaps_study.yaml
check "$hooke" study gaps_study.yaml --list
[ "$(grep '^0 ' out | grep -o '[pv]\[[0-9]*\]' | tr '\n' ' ')" = 'p[0] p[2] p[7] v[2] v[4] v[6] ' ] || fail "copies with gaps: $(cat out)"
# Each copy has its own values: a Latin hypercube has one in every slice, for each of them.
printf 'format: 1\nmodel: copies.yaml\nsamples: {count: 16, method: latin_hypercube, of: {"p[*].mass": "uniform(1 kg, 2 kg)"}}\n' \
  >row_study.yaml
check "$hooke" study row_study.yaml --json --folder row.study && cp out row.json
check python3 - <<'P'
import json
d = json.load(open("row.json"))
name = [c["name"] for c in d["columns"]]
for row in d["rows"]:
    row = dict(zip(name, row))
    for i in (1, 2, 3):
        assert abs(row["speed[%d]" % i] - (i + 6 / row["p[%d].mass" % i])) < 1e-6, row
for i in (1, 2, 3):
    assert len({int((row[name.index("p[%d].mass" % i)] - 1) * 16) for row in d["rows"]}) == 16
P
study second 'axes: {L: [1 s, 2 m]}' 'measures: [len]'
expect_error "unit" "$hooke" study second.yaml
study time 'axes: {L: [1 s, 2 s]}' 'measures: [len]'
expect 1 "may not change the dimension of a measure" "$hooke" study time.yaml

# ---- Ishigami: x2 makes 44 % of the variance, symmetric about 0 and of half the period of the range ----
study ishigami 'samples:' '  count: 8' '  of:' '    x1: uniform(-3.141592653589793, 3.141592653589793)' \
  '    x2: uniform(-3.141592653589793, 3.141592653589793)' \
  '    x3: uniform(-3.141592653589793, 3.141592653589793)' 'measures: [ishi]'
check "$hooke" sensitivity ishigami.yaml -q --json && cp out morris.json
check python3 - <<'P'
import json
m = json.load(open("morris.json"))["measures"]["ishi"]
assert m["x2"]["mu_star"] > m["x1"]["mu_star"] > 1 and m["x2"]["low"] > 5, m
P
# ---- quantiles, yield and capability: normal(10, 1) within 8 and 13 has Cpk 2/3 and a yield of 97.6 % ----
study limits 'measures: [v1]' 'samples: {count: 512, of: {x1: "normal(10, 1)"}}' 'constraints: [8 <= v1 <= 13]'
check "$hooke" study limits.yaml -q --json && cp out limits.json
check python3 - <<'P'
import json
d = json.load(open("limits.json"))
s = d["statistics"]["v1"]
near = lambda a, b, t: abs(a - b) <= t
assert near(s["p05"], 10 - 1.645, 0.05) and near(s["median"], 10, 0.02) and near(s["p95"], 11.645, 0.05), s
assert s["mean_low"] < 10 < s["mean_high"] and near(s["mean_high"] - s["mean"], 1.96 / 512**0.5, 2e-3), s
y = d["yield"]
assert near(y["cpk"], 2 / 3, 0.01) and near(y["share"], 0.9759, 0.004) and y["low"] < 0.9759 < y["high"], y
assert near(d["constraints"][1]["cpk"], 1, 0.015), d["constraints"]
P
expect 0 "yield: 97." "$hooke" study limits.yaml --collect
expect 0 '"variants": [{"x1": "' "$hooke" study limits.yaml --list --json
# Failed variants are not part of the yield, as the output states: x4 is uniform in 0 ... 1, a quarter fails, and 0.8 of the others satisfy the limit.
study rejects 'measures: [root]' 'samples: {count: 64, of: {x4: "uniform(0, 1)"}}' 'constraints: [x4 <= 0.85]'
expect 0 "% if the 16 that failed are rejects" "$hooke" study rejects.yaml
check "$hooke" study rejects.yaml --json --resume && cp out rejects.json
check python3 - <<'P'
import json
y = json.load(open("rejects.json"))["yield"]
assert y["failed"] == 16 and abs(y["share"] - 0.8) < 0.02 and abs(y["share_of_all"] - 0.6) < 0.02, y
P
study memory 'axes: {x1: "0..1:3"}' 'measures: [v1]' 'limits: {memory: 200 MB}'
expect 0 "#SBATCH --mem-per-cpu=" "$hooke" study memory.yaml --slurm
# ---- a model instead of a study ----
expect_error "is a model, not a study" "$hooke" study m.yaml
finish
