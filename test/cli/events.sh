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

finish
