# The statements of docs/develop/extending.md: the examples in C build and run, plugins add types, invalid types are rejected
# with a reason, and `hooke conform` distinguishes right types from wrong ones.
. "$(dirname "$0")/common"

: >out
: >err
# run CODE arguments...: runs hooke and checks its exit code; tells TEXT then checks that its output contains a line with this text.
run() {
  want=$1
  shift
  checks=$((checks + 1))
  code=0
  "$hooke" "$@" >out 2>err </dev/null || code=$?
  [ "$code" = "$want" ] || fail "exit code $code, not $want: hooke $*"
}
tells() {
  checks=$((checks + 1))
  cat out err | grep -q -e "$1" || fail "it does not say '$1'"
}

flags="-Wall -Werror -Wno-unused-parameter -I$source/include ${HOOKE_TEST_FLAGS:-}"
build=$(dirname "$hooke")
plugin() { # plugin FILE NAME [flags]
  cc $flags -shared -fPIC ${3:-} "$1" -o "$2.so"
}

# Three examples: a force in a program, a joint as a plugin, a callback.
for e in magnet controller; do
  cc $flags "$source/examples/c/$e.c" -L"$build" -lhooke -lm -Wl,-rpath,"$build" -o $e
  ./$e >$e.out 2>$e.err || fail "example $e"
  checks=$((checks + 1))
  [ "$(grep -c 'are finite differences' $e.err)" = 1 ] || fail "$e: differences are told once"
done
awk '$1 == "2.00" && $2 < -0.19 && $3 < 1e-4 && $3 > -1e-4 {ok = 1} END {exit !ok}' magnet.out ||
  fail "the disc of magnet.c swings to the other side and keeps its energy"
awk '$1 == "5.00" && $2 < 0.05 && $3 < 2e-3 && $3 > -2e-3 {ok = 1} END {exit !ok}' controller.out ||
  fail "the pendulum of controller.c stands"
cc $flags "$source/examples/c/samples.c" -L"$build" -lhooke -lm -Wl,-rpath,"$build" -o samples
check ./samples '40 cm' samples.h5
tells '^a pendulum of 0.4 m$'
tells '^body rod (rod) of 1 kg at 0.2000 0.0000 0.0000, state 1 to 7$'
tells '^state of [0-9]* numbers: t \[s\] rod.x \[m\].* rod.qz \[1\]$'
tells '^ 2.00 s '
tells '^pendulum has [0-9]* channels and differs by 0.0e+00$'
expect 2 "'40 s' needs another unit" ./samples '40 s' samples.h5
plugin "$source/examples/c/pin_in_slot.c" pin_in_slot
run 0 --plugin ./pin_in_slot.so run "$source/examples/c/pin_in_slot.yaml" --quiet
tells '^pin_travel *0\.\(39999\|4\)'
run 2 run "$source/examples/c/pin_in_slot.yaml"
tells "unknown type of joint 'pin_in_slot'"
run 0 --plugin=./pin_in_slot.so types pin_in_slot
tells 'A pin that slides along a slot'
run 0 --plugin ./pin_in_slot.so conform pin_in_slot
tells 'tangent *passed'

# An integrator: it passes all checks, and the result of a run agrees with the integrators of the library.
plugin "$source/examples/c/runge_kutta.c" runge_kutta
run 0 --plugin ./runge_kutta.so conform runge_kutta
for check in order tolerance dense future; do tells "$check *passed"; done
sed 's/^\(  duration:.*\)$/\1\n  stepper: runge_kutta/' "$source/examples/benchmarks/a01_pendulum.yaml" >rk.yaml
run 0 --plugin ./runge_kutta.so run rk.yaml --quiet --json
tells '"stepper": "runge_kutta"'
run 2 run rk.yaml --quiet
tells "runge_kutta"
# Defects are found: a wrong order, a wrong error estimate, past steps that are not part of the state, allocations in every step.
wrong() { # wrong CHECK SED
  sed "$2" "$source/examples/c/runge_kutta.c" >wrong_rk.c
  cmp -s wrong_rk.c "$source/examples/c/runge_kutta.c" && fail "the mutant of $1 is none"
  plugin wrong_rk.c wrong_rk
  run 1 --plugin ./wrong_rk.so conform runge_kutta --check "$1"
  tells "$1 *FAILED"
}
wrong order 's|{2.0 / 9, 1.0 / 3, 4.0 / 9}|{1.0 / 9, 3.0 / 9, 5.0 / 9}|'
wrong tolerance 's|if (!(error <= a->error)) a->error = error;|(void)error, a->error = 1e-3;|'
wrong dense 's|  return hk_integrator_accelerations(s, x1, k->v_rate\[i\], x1 + at.lambda);|&|; s|.dense = hk_integrator_dense|.dense = off_dense|; s|^static hk_status supports|static void off_dense(const hk_sim *s, double t, double *x) { hk_integrator_dense(s, t, x); x[hk_integrator_parts(s).v] += 1e-3; }\n&|'
wrong future 's|  status = hk_integrator_project(s, x1);|  static double last; x1[at.v] += 1e-9 * last; last = x1[at.v];\n&|'
# Sanitizers replace the allocation functions: with them the check reports that it was not made.
"$hooke" --plugin ./runge_kutta.so conform runge_kutta --check allocation --json >counts.json || [ $? = 3 ]
if grep -q '"verdict": "passed"' counts.json; then
  wrong allocation 's|  status = hk_integrator_project(s, x1);|  free(memcpy(malloc(16), \&x1, sizeof x1));\n&|'
else
  grep -q '"not meant"' counts.json || fail "the check of allocations says nothing"
fi
sed 's|.attempt = attempt,||' "$source/examples/c/runge_kutta.c" >wrong_rk.c
sed -i 's|^static hk_status attempt|__attribute__((unused)) &|' wrong_rk.c
plugin wrong_rk.c wrong_rk
run 2 --plugin ./wrong_rk.so types runge_kutta
tells 'needs the function attempt'

# The joint of docs/develop/architecture.md, copied from the page.
awk '/^   ```c$/ {on = 1; next} /^   ```$/ {on = 0} on' "$source/docs/develop/architecture.md" |
  sed 's/^   //' >square.c
[ -s square.c ] || fail "docs/develop/architecture.md shows no joint"
echo '#include <hooke/registry.h>
HK_PLUGIN(&hk_type_joint_square)' >>square.c
plugin square.c square
run 0 --plugin ./square.so conform square
tells 'energy *passed'

# Toys, each one file and one line.
for toy in foam ball_on_post drag cord; do
  plugin "$source/test/toy/$toy.c" $toy
  run 0 --plugin ./$toy.so conform $toy
  tells '^  [a-z]* *passed'
  [ $toy = foam ] || tells "provides no derivatives: they are computed by differences"
done
# A law without slopes; compilation of a model reports this too, once for all items of a type.
sed '/out->N_depth = /d; /out->N_rate = /d; s/"foam"/"silent"/' "$source/test/toy/foam.c" >silent.c
plugin silent.c silent
run 0 --plugin ./silent.so conform silent
tells "provides no derivatives: they are computed by differences"
run 0 --plugin ./silent.so conform silent --json
tells '"numerical": true'
cat >silent.yaml <<'END'
format: 1
bodies:
  ball: {type: sphere, radius: 0.1 m, mass: 1 kg, position: [0.21 m, 0, 0], velocity: [-0.1 m/s, 0, 0]}
  other: {type: sphere, radius: 0.1 m, mass: 1 kg, position: [-0.21 m, 0, 0], velocity: [-0.1 m/s, 0, 0]}
laws: {soft: {type: silent, stiffness: 1 kN/m}}
contacts:
  one: {type: ball_on_post, a: ground, b: ball, ball: 0.1 m, post: 0.1 m, law: soft}
  two: {type: ball_on_post, a: ground, b: other, ball: 0.1 m, post: 0.1 m, law: soft}
forces:
  slow: {type: drag, b: ball, coefficient: 0.1 N*s^2/m^2}
  slower: {type: drag, b: other, coefficient: 0.1 N*s^2/m^2}
joints: {tie: {type: cord, a: ball, b: other}}
analysis: {duration: 0.2 s}
END
run 0 --plugin ./silent.so --plugin ./ball_on_post.so --plugin ./drag.so --plugin ./cord.so run silent.yaml
for type in silent ball_on_post drag cord; do
  checks=$((checks + 1))
  [ "$(cat out err | grep -c "derivatives of type '$type' are finite differences")" = 1 ] ||
    fail "differences of $type are told once"
done
run 0 --plugin ./foam.so --plugin ./drag.so types
tells '^  foam '
tells '^  drag '

# Wrong types are found: a tangent, a force without reaction, a wrong energy.
sed 's/3 \* k\[K2\]/2 * k[K2]/; s/"foam"/"wrong"/' "$source/test/toy/foam.c" >wrong_law.c
sed 's/put(out->w, hk_neg(F), hk_neg(hk_cross(arm, F)));/put(out->w, hk_neg(F), none);/; s/"drag"/"wrong"/' \
  "$source/test/toy/drag.c" >wrong_force.c
sed 's/out->dissipated = -hk_dot(F, v);/out->dissipated = -2 * hk_dot(F, v);/; s/"drag"/"wrong"/' \
  "$source/test/toy/drag.c" >wrong_power.c
sed 's/{1, 0, 0, 0, 0, 1, 0}/{0, 0, 1, 0, 0, 1, 0}/; s/"square",$/"wrong",/' square.c >wrong_joint.c
sed 's/  \*out = (hk_normal){0};//; s/"foam"/"wrong"/' "$source/test/toy/foam.c" >wrong_zeros.c
for w in 'zeros law non-zero values' 'law law slope of N by depth' 'force balance forces add up' 'power power power' \
  'joint balance never closed'; do
  set -- $w
  file=$1 check=$2
  shift 2
  plugin wrong_$file.c wrong_$file
  run 1 --plugin ./wrong_$file.so conform wrong --check $check
  tells "FAILED"
  tells "$*"
done

# A force with a power supply that acts only in some states: this must be evaluated at the state itself, and not
# at the displaced states of finite differences.
sed -e '/^static const char MODEL/,$d' -e 's/"magnet",$/"rack",/' -e 's/<stdio.h>/<math.h>/' \
  -e '/double r2 = /d' -e 's/out->F = .*/out->F = sin(in->c \/ 1e-4) > 0 ? p->strength : 0;/' \
  -e 's/out->potential = .*/out->applied = out->F * in->rate;/' "$source/examples/c/magnet.c" >rack.c
echo 'HK_PLUGIN(&magnet_type)' >>rack.c
plugin rack.c rack
run 0 --plugin ./rack.so conform rack --check power
tells 'power *passed'

# A composite joint is tested as a whole: a correct one, and defects of its parts.
plugin "$source/test/toy/knee.c" knee
run 0 --plugin ./knee.so conform pad
run 0 --plugin ./knee.so conform knee
for check in jacobian tangent balance power invariance work energy restart; do
  tells "^  $check *passed"
done
sed 's/put(out->K, 9, 9, -1, &to_b);//' "$source/test/toy/knee.c" >wrong_knee.c
plugin wrong_knee.c wrong_knee
run 1 --plugin ./wrong_knee.so conform knee --check tangent
tells "joint 'knee' between first.m and second.m: matrix"
sed 's/out->w\[3 + i\] = -M\[i\], //' "$source/test/toy/knee.c" >no_reaction.c
plugin no_reaction.c no_reaction
run 1 --plugin ./no_reaction.so conform knee --check balance
tells "forces add up to"
sed 's/out->potential = 0.5/out->potential = 0.6/' "$source/test/toy/knee.c" >no_energy.c
plugin no_energy.c no_energy
run 1 --plugin ./no_energy.so conform knee --check power
tells "power"
run 2 conform revolute --draws none
tells "draws"

# A plugin that cannot be loaded gives the reason.
run 2 --plugin pin_in_slot.so types
tells "no folders are searched"
run 2 --plugin ./none.so types
tells "cannot open plugin './none.so'"
echo 'int x;' >empty.c
plugin empty.c empty
run 2 --plugin ./empty.so types
tells "is not a plugin of hooke"
mkdir -p old/hooke
cp "$source"/include/hooke/*.h old/hooke/
sed 's/HK_VERSION_MINOR 1/HK_VERSION_MINOR 0/' "$source/include/hooke/version.h" >old/hooke/version.h
cc -Iold -shared -fPIC "$source/examples/c/pin_in_slot.c" -o old.so
run 2 --plugin ./old.so types
tells "was built for hooke 0.0.0, but this is hooke"
# Other headers of the same version: any struct that both sides read has changed.
sizes=$(sed -n '/^#define HK_PLUGIN_SIZES/,/^#define HK_PLUGIN(/p' "$source/include/hooke/registry.h")
for struct in $(cd "$source/include/hooke" &&
  sed -n '/^typedef enum/,/^}/d; s/^} \(hk_[a-z_]*\);.*/\1/p' type.h element.h frame.h relation.h joint.h); do
  checks=$((checks + 1))
  echo "$sizes" | grep -q "[ (]$struct[,)]" || fail "the size of $struct is not compared: HK_PLUGIN_SIZES"
done
for struct in hk_law_in hk_gap hk_quantity hk_force_in hk_joint_builder_ops hk_frame hk_row hk_stage; do
  rm -rf other
  mkdir -p other/hooke
  cp "$source"/include/hooke/*.h other/hooke/
  sed -i "s/^} $struct;/  double one_more; } $struct;/" other/hooke/*.h
  grep -q "one_more; } $struct;" other/hooke/*.h || fail "no struct $struct"
  cc -Wno-missing-field-initializers -Iother -shared -fPIC "$source/examples/c/pin_in_slot.c" -o other.so
  run 2 --plugin ./other.so types
  tells "was built with other headers of hooke"
done
run 2 --plugin ./pin_in_slot.so --plugin ./pin_in_slot.so types
tells "there is a type of joint named 'pin_in_slot' already"
sed 's/"pin_in_slot"/"Pin"/' "$source/examples/c/pin_in_slot.c" >name.c
plugin name.c name
run 2 --plugin ./name.so types
tells "name of a type begins with a small letter"
run 2 --plugin
tells "needs the path"
run 2 conform no_such_type
tells "there is no type"
run 2 conform revolute --check nonsense
tells "there is no check"
run 0 conform revolute --check jacobian --json
tells '"verdict": "passed"'

# A callback cannot be used in a model file.
cat >callback.yaml <<'END'
format: 1
bodies: {ball: {type: point_mass, mass: 1 kg}}
forces: {f: {type: callback, b: ball}}
analysis: {duration: 1 s}
END
run 2 run callback.yaml
tells "callback.yaml:3:10: error: .*a C program sets it with hk_force_callback"
finish
