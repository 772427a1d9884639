# Touching contacts: the time stepping and the event-driven stepper find the same impacts.
. "$(dirname "$0")/common"
repro=$source/test/repro

value() { awk -v name="$1" '$1 == name {print $2}' out; }
for stepper in "--set analysis.step=0.01ms" "--set analysis.stepper=event_driven --set analysis.step=0"; do
  set -- $stepper
  [ "$2" = "analysis.step=0.01ms" ] && set -- --set "analysis.step=0.01 ms"
  expect 0 first "$hooke" run "$repro/cradle_touching.yaml" "$@"
  awk -v a="$(value first)" -v b="$(value last)" 'BEGIN {exit !(a > -0.6001 && a < -0.5999 && b > 0.3999 && b < 0.4001)}' ||
    fail "e = 1 at all contacts together gives -0.6 and 0.4 m/s"
done
expect 0 "e " "$hooke" run "$repro/cradle_steppers_disagree.yaml"
moreau=$(value e)
expect 0 "e " "$hooke" run "$repro/cradle_steppers_disagree.yaml" --set analysis.stepper=event_driven --set analysis.step=0
awk -v a="$moreau" -v b="$(value e)" 'BEGIN {exit !(a != "" && a - b < 1e-6 && b - a < 1e-6)}' || fail "energies $moreau and $(value e) J"

# The planar joint holds the corners laterally: friction does not act in this direction, and its full limit remains available.
sed '/^analysis/d' "$repro/rocking_block_planar_event.yaml" > block.yaml
cat >> block.yaml <<'END'
measures: {f: {of: r.friction_force, take: max_abs}, w: {of: b.wy, take: final}}
analysis: {duration: 0.4 s, stepper: nonsmooth_alpha, step: 0.2 ms}
END
for stepper in event_driven moreau nonsmooth_alpha; do
  for step in 0.1 0.2; do
    expect 0 "f " "$hooke" run block.yaml --set analysis.stepper=$stepper --set "analysis.step=$step ms"
    awk -v f="$(value f)" -v w="$(value w)" 'BEGIN {exit !(f > 16.6 && f < 16.64 && w > -0.2657 && w < -0.2643)}' ||
      fail "$stepper with $step ms: friction $(value f) N, rate $(value w) rad/s"
  done
done

# Which contacts of the blocks slide depends on pressures that are indeterminate for rigid bodies.
expect 0 "whether contact 't1' slides depends on how the normal force is shared" "$hooke" run "$repro/plank_on_three_blocks.yaml"
expect 0 '"open_pressures": ' "$hooke" run --json "$repro/plank_on_three_blocks.yaml"
grep -q '"open_pressures": [1-9]' out || fail "no count of open pressures"

finish
