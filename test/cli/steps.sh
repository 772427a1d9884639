# Models of test/repro/steps: events, impacts and slow or far motions that earlier versions missed without a message.  Each result is
# right with default settings, or has a warning.
. "$(dirname "$0")/common"
steps=$source/test/repro/steps

# At the same time, twelve seconds of a run that cannot end (HOOKE_LONG).
[ -z "${HOOKE_LONG:-}" ] || timeout 12 "$hooke" run "$steps/step300.yaml" >endless.out 2>endless.err </dev/null &
endless=$!

seen=
run() {
  seen="$seen $1"
  check "$hooke" run "$steps/$1.yaml" --strict --json
}
# near MEASURE TRUE TOLERANCE of the last run.
near() {
  checks=$((checks + 1))
  got=$(sed -n "s/.*\"$1\": {\"value\": \\([^,]*\\),.*/\\1/p" out)
  awk -v a="$got" -v b="$2" -v e="$3" 'BEGIN { d = a - b; exit !(a != "" && d <= e && -d <= e) }' ||
    fail "$1 is $got, not $2 to $3"
}
# doubtful MODEL TEXT: the run reports why its result is not reliable.
doubtful() {
  seen="$seen $1"
  expect 1 "$2" "$hooke" run "$steps/$1.yaml" --strict
}

# ---- loads, springs, sensors and states that depend on the motion ----
run car_gauss
near w 0.0974826 1e-6
near jump 0.5200289 1e-6
run car_pulse
near w 0.1053627 1e-6
near jump 0.5194045 1e-6
run cam
near top 0.01008008 1e-7
near n 3 0
run brake_zone
near v 0 1e-6
near x 5.05 1e-6
for model in place_pulse_3 place_gauss_0_1 place_grav_1 place_beside_pend_0_001 rotor_detent_1; do
  run $model
  near v 1.414213562 1e-6
done
run prod_gauss_0_1
near v 1.648721271 1e-6
run drag_bump
near v 0.705080 1e-6
run state_place_1
near z 1 1e-6

# ---- impacts ----
run drop_on_ball
near z 4.99975 1e-5
run billiard_nonsm_2
near va 0 1e-9
near vb 2 1e-9
run rigid_hit_driven_100
near va 0 1e-9
near vb 100 1e-6
run first_impact
near vx_end -3.236 2e-6
# Selected by `auto`, at tolerances from 1e-8 to 1e-13.
run heavy_drop
near rebound 0.581732774 1e-8

# ---- values between steps ----
run racket
# Its rotation about the middle axis is unstable: an error grows by a factor of 97 until 0.37 s, and the spin is 14.7 rad/s.
near spin_x 4.65820022757 1.4e-7
check "$hooke" run "$steps/racket.yaml" --strict --json --set analysis.rtol=1e-12
near spin_x 4.65820022757 1.4e-9
check "$hooke" run "$steps/racket.yaml" --strict --json --set analysis.rtol=1e-13
near spin_x 4.65820022757 1.4e-10
run rotor_order
near o3 0.5 1e-4
near mean 1 1e-3
near rms 1.0606602 1e-3
run rotor_tip_100
near n 160 1
run sensor_sin_50
near n 500 1
near mx 1 1e-6
run sensor_place_1
near sm 1 1e-6
near um 1 1e-6
near qm 1 1e-6
run driven_tip_order
near o20 1 1e-4
near o3 0.5 1e-4
# 159.15 Hz in 401 rows: the run counts correctly and gives a warning about the phase; a spectrum of the rows is rejected (see between.sh).
seen="$seen alias"
check "$hooke" run "$steps/alias.yaml" -o alias.h5 --json
near n 3183 1
expect 2 "oscillates between rows" "$hooke" spectrum alias.h5 --channels m.x

# ---- runs with quality warnings ----
doubtful pendulum_1e5s "shifted the phase of the oscillations"
expect 0 "the velocity that motion 'd' prescribes jumps by 2 m/s" "$hooke" run "$steps/corner_abs2.yaml"
doubtful incline_creep "force 'f' slid by 0.828 m in 1e+03 s at less than 0.00265 m/s"
expect 0 "x " "$hooke" run "$steps/incline_creep.yaml" --strict --set "f.velocity=5e-8 m/s"
doubtful bullet_hertz_1_1e-06 "contact 'c' was pressed 2e-06 m deep"
doubtful far_origin "bodies are up to 1e+09 m from the origin"
for model in relay coulomb_sign; do
  seen="$seen $model"
  expect 1 "the expression of force 'f' at $steps/$model.yaml:3:39 switches back and forth" "$hooke" run "$steps/$model.yaml"
  expect 1 "use a contact with a law of type signorini, which sticks" "$hooke" run "$steps/$model.yaml"
done
# The critical friction of the rod is 4/3; below it, and for the opposite direction, there is no warning.
doubtful painleve_rod "from t = 0 s on (Painleve's paradox)"
expect 1 "use mu < 1.333," "$hooke" run "$steps/painleve_rod.yaml" --strict
check "$hooke" run "$steps/painleve_rod.yaml" --strict --set rough.mu=1.32
check "$hooke" run "$steps/painleve_rod.yaml" --strict --set "rod.velocity=[5 m/s, 0, 0]"

# ---- a run without an end ----
if [ -n "${HOOKE_LONG:-}" ]; then
  wait $endless || true
  checks=$((checks + 1))
  cp endless.out out
  cp endless.err err
  grep -q "after 10 s: t = .* of 1 s, .* steps, the last of 1e-300 s, kept short by the fixed step" err ||
    fail "no word about a run that will not end"
fi

# Every model is in this list.
for file in "$steps"/*.yaml; do
  name=$(basename "$file" .yaml)
  case " $seen step300 corner_abs2 " in
    *" $name "*) ;;
    *) fail "no check of $name" ;;
  esac
done
finish
