# The table of a study: correlated samples, regression, the Pareto column, and a study that is enlarged; against closed forms.
. "$(dirname "$0")/common"

cat >m.yaml <<'Y'
format: 1
parameters: {a: 1, b: 2, c: 3}
bodies: {r: {type: rotor, inertia: 1 kg*m^2}}
sensors:
  y: {value: "2 * a - 3 * b + 0.001 * c"}
  w: {value: "a * a + b"}
measures:
  y: {of: y, take: final}
  w: {of: w, take: final}
analysis: {duration: 1 ms, output_step: 1 ms}
Y
cat >s.yaml <<'Y'
format: 1
model: m.yaml
samples:
  method: latin_hypercube
  base: 50
  count: 50
  seed: 3
  of: {a: "normal(1, 0.1)", b: "normal(2, 0.2)", c: "uniform(0, 1)"}
  correlations: [[a, b, 0.8]]
goals: {y: maximize, w: minimize}
constraints: [y <= -3.5]
Y
expect 0 "a linear function explains 100 % of its variance" "$hooke" study s.yaml
cp s.study/table.csv before.csv
sed 's/count: 50/count: 800/' s.yaml >t && mv t s.yaml
expect 0 "800 variants, 0 failed" "$hooke" study s.yaml --resume -j 2
expect 0 '"regression"' "$hooke" study s.yaml --resume --json
cp out all.json
cat >check.py <<'P'
import csv, json, math
rows = list(csv.DictReader(open('s.study/table.csv')))
early = list(csv.DictReader(open('before.csv')))
assert len(rows) == 800 and len(early) == 50
for r, e in zip(rows, early):  # the first 50 are those that were there
    assert all(r[k] == e[k] for k in ('a', 'b', 'c', 'y', 'w')), (r, e)
col = lambda k: [float(r[k]) for r in rows]
a, b, c = col('a'), col('b'), col('c')
def corr(x, y):
    n = len(x); mx, my = sum(x) / n, sum(y) / n
    sxy = sum((p - mx) * (q - my) for p, q in zip(x, y))
    return sxy / math.sqrt(sum((p - mx) ** 2 for p in x) * sum((q - my) ** 2 for q in y))
assert abs(corr(a, b) - 0.8) < 3 * (1 - 0.64) / math.sqrt(800), corr(a, b)
assert abs(corr(a, c)) < 3 / math.sqrt(800), corr(a, c)
mean = sum(b) / 800
sd = math.sqrt(sum((x - mean) ** 2 for x in b) / 799)
assert abs(mean - 2) < 3 * 0.2 / math.sqrt(800) and abs(sd - 0.2) < 0.015, (mean, sd)
# c is independent: one value in each of 800 slices
assert sorted(int(x * 800) for x in c) == list(range(800))
# the front of (y up, w down) among the feasible ones, by comparing all pairs
ok = [r['feasible'] == '1' for r in rows]
y, w = col('y'), col('w')
assert all(o == (q <= -3.5) for o, q in zip(ok, y)) and 0 < sum(ok) < 800
for i, r in enumerate(rows):
    beaten = any(ok[k] and y[k] >= y[i] and w[k] <= w[i] and (y[k] > y[i] or w[k] < w[i]) for k in range(800))
    assert (r['pareto'] == '1') == (ok[i] and not beaten), i
assert sum(r['pareto'] == '1' for r in rows) > 3
j = json.load(open('all.json'))
g = j['regression']['y']
assert abs(g['r2'] - 1) < 1e-9 and abs(g['constant']) < 1e-9
for name, slope in (('a', 2), ('b', -3), ('c', 0.001)):
    assert abs(g['axes'][name]['slope'] - slope) < 1e-9, g
assert abs(g['axes']['a']['correlation'] - corr(a, y)) < 1e-9
assert abs(j['yield']['share'] - sum(ok) / 800) < 1e-12
P
check python3 check.py

# ---- bad input ----
sed 's/count: 800/count: 150/' s.yaml >bad.yaml
expect_error "bad.yaml:5:9: error: 'count' must be 'base' or 2, 4, 8, ... times it" "$hooke" study bad.yaml
sed 's/\[a, b, 0.8\]/[a, b, 0.8], [a, c, 0.9], [b, c, -0.9]/' s.yaml >bad.yaml
expect_error "not positive definite" "$hooke" study bad.yaml
sed 's/\[a, b, 0.8\]/[a, d, 0.8]/' s.yaml >bad.yaml
expect_error "'d' is not one of the samples" "$hooke" study bad.yaml
sed 's/\[a, b, 0.8\]/[a, b, 1.2]/' s.yaml >bad.yaml
expect_error "number between -1 and 1" "$hooke" study bad.yaml
sed 's/latin_hypercube/sobol/' s.yaml >bad.yaml
expect_error "'base' can be used only with latin_hypercube" "$hooke" study bad.yaml
expect 2 "correlations between its samples" "$hooke" sensitivity s.yaml -q
# With crossed axes the numbers of variants change with the count: the study is not resumed.
cat >x.yaml <<'Y'
format: 1
model: m.yaml
axes: {c: [1, 2]}
samples: {method: random, count: 3, of: {a: "normal(1, 0.1)"}}
Y
expect 0 "6 variants, 0 failed" "$hooke" study x.yaml
sed 's/count: 3/count: 4/' x.yaml >t && mv t x.yaml
expect 2 "rule was" "$hooke" study x.yaml --resume
expect_error "x.yaml:2:1: error: this file is a study, not a model: run it with \`hooke study\`" "$hooke" run x.yaml
sed 's/count: 4/count: 3/' x.yaml >t && mv t x.yaml
expect 2 "figures are written as .svg, .png or .pdf, not as .xyz" "$hooke" study x.yaml --collect --plot z.xyz
[ ! -e z.xyz ] || fail "a figure of an unknown format was written"
# ---- a zero has no sign: neither as a measure nor as a capability whose mean is the limit, nor as a goal that is maximised ----
cat >zero.yaml <<'Y'
format: 1
parameters: {a: 1, b: 1}
bodies: {r: {type: rotor, inertia: 1 kg*m^2}}
sensors: {n: {value: "-0 * abs(a)"}, y: {value: "a"}}
measures: {n: {of: n, take: final}, low: {of: n, take: min}, y: {of: y, take: final}}
analysis: {duration: 1 ms, output_step: 1 ms}
Y
cat >zeros.yaml <<'Y'
format: 1
model: zero.yaml
axes: {a: [1, 2, 3]}
goals: {n: maximize}
constraints: [y <= 2]
Y
unsigned() {
  checks=$((checks + 1))
  "$@" >out 2>err || fail "$*"
  ! grep -qE '(^|[^0-9A-Za-z_.e])-0(\.0+)?([^0-9.]|$)' out || fail "a negative zero is shown by $*"
}
unsigned "$hooke" run zero.yaml -o zero.h5
unsigned "$hooke" run zero.yaml --json
unsigned "$hooke" measure zero.h5
unsigned "$hooke" run zero.yaml --over a=1,2 -o -
unsigned "$hooke" study zeros.yaml
unsigned "$hooke" study zeros.yaml --resume --json
grep -q '"cpk": 0}' out || fail "the capability of a constraint whose limit is the mean"
unsigned "$hooke" optimize zeros.yaml --variants 10
unsigned "$hooke" optimize zeros.yaml --variants 10 --json --resume
finish
