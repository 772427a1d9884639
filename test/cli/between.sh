# Motion between rows or steps: spectra and measures of aliased rows are rejected, and runs with fixed steps report
# events within steps.
. "$(dirname "$0")/common"
value() { awk -v name="$1" '$1 == name {print $2}' out; }
near() { awk -v a="$1" -v b="$2" -v d="$3" 'BEGIN {exit !(a != "" && a - b < d && b - a < d)}' || fail "$1, not $2"; }

cat > fast.yaml <<'END'
format: 1
bodies: {m: {type: point_mass, mass: 1 kg, position: [1.1 m, 0, 0]}}
forces: {k: {type: spring_damper, b: m, stiffness: 1e6 N/m, length: 1 m}}
measures: {n: {of: m.vx, take: events}, top: {of: m.x, take: max, from: 0.1 s}}
analysis: {duration: 10 s}
END
expect 0 "n " "$hooke" run fast.yaml -o fast.h5
near "$(value n)" 3183 1.5
expect 2 "oscillates between rows" "$hooke" spectrum fast.h5 --channels m.x
expect 2 "measure 'n' of these rows would be wrong" "$hooke" measure fast.h5
expect 2 "oscillates between rows" "$hooke" plot fast.h5 --channels m.x --spectrum -o fast.svg
# Extremes between rows are known.
expect 0 "top " "$hooke" measure fast.h5 --set measures.n="{of: m.x, take: final}"
near "$(value top)" 1.1 1e-3
# With the step size of the message there is a line at 159.15 Hz, and the count is right.
expect 0 "n " "$hooke" run fast.yaml -o fast.h5 --set "analysis.output_step=1 ms"
expect 0 " 159.1" "$hooke" spectrum fast.h5 --channels m.x --peaks 1
expect 0 "n " "$hooke" measure fast.h5
near "$(value n)" 3183 1.5

# Rows that resolve the motion cause no message.
sed 's/1e6/1e3/' fast.yaml > slow.yaml
expect 0 "n " "$hooke" run slow.yaml -o slow.h5
expect 0 " 5.03" "$hooke" spectrum slow.h5 --channels m.x --peaks 1
[ ! -s err ] || fail "a warning of rows that are good"

cat > bump.yaml <<'END'
format: 1
bodies: {m: {type: point_mass, mass: 1 kg, velocity: [1 m/s, 0, 0]}}
forces: {f: {type: load, b: m, force: ["20 N * pulse(m.x, 5.003 m, 5.007 m)", 0, 0]}}
measures: {v: {of: m.vx, take: final}}
analysis: {duration: 10 s, step: 0.01 s, stepper: generalized_alpha}
END
expect 0 "bump.yaml:3:10: warning: force 'f' switches, or rises and falls, within a step of fixed length: 1 time, first at t = 5.00" \
  "$hooke" run bump.yaml
cat > balls.yaml <<'END'
format: 1
bodies:
  a: {type: sphere, radius: 1 cm, mass: 1 kg, position: [-1 m, 0, 0], velocity: [101 m/s, 0, 0]}
  b: {type: sphere, radius: 1 cm, mass: 1 kg}
laws: {l: {type: signorini, restitution_normal: 1}}
contacts: {c: {type: sphere_on_sphere, a: a, b: b, radius_a: 1 cm, radius_b: 1 cm, law: l}}
measures: {v: {of: a.vx, take: final}}
analysis: {duration: 0.05 s, output_step: 0.7 ms, step: 0.7 ms, stepper: moreau}
END
expect 0 "contact 'c' closes and opens again within a step of fixed length" "$hooke" run balls.yaml
expect 0 "contact 'c' closes" "$hooke" run balls.yaml --set a.velocity="[147 m/s, 0, 0]"
expect 0 "v " "$hooke" run balls.yaml --set "analysis.step=0.05 ms"
[ "$(value v)" = 0 ] && ! grep -q passes err || fail "a contact that was found"

finish
