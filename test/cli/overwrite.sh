# No command overwrites its input: every command, every output and every input, by the name of the input, by a link
# and by a second name of the same file.  A command or an output that is not in the list below is a failure.
. "$(dirname "$0")/common"

printf 'parameters: {k: 400 N/m}\n' >part.yaml
printf 'x [m],y [N]\n-10,0\n10,1\n' >road.csv
printf 't [s],F [N]\n0,0\n10,0\n' >bench.csv
cp bench.csv rig.csv
printf '0.5,1000,100,0,0\n0.5,2000,50,0,0\n' >duty.csv
printf 'solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid s\n' >s.stl
cat >m.yaml <<'Y'
format: 1
include: part.yaml
tables: {road: {file: road.csv, outside: hold}}
inputs: {shove: {file: bench.csv, column: F, extrapolation: hold}}
bodies:
  c:
    mass: 1 kg
    inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2]
    position: [0, 0, -1 m]
    shape: {type: mesh, file: s.stl, unit: 1 m}
joints:
  rail: {type: prismatic, a: ground, b: c, axis: [0, 0, 1]}
forces:
  g: {type: gravity}
  hold: {type: spring_damper, a: ground, b: c, stiffness: k, length: 0.9 m, damping: 1 N*s/m}
  f: {type: load, b: c, force: [0, 0, road(c.z)]}
  s: {type: load, b: c, force: [0, 0, shove]}
  beat: {type: load, b: c, force: [0, 0, 1 N * sin(20 rad/s * pi * t)]}
measures: {z: {of: c.z, take: final}}
analysis: {duration: 2 s, output_step: 0.01 s}
Y
printf 'format: 1\nmodel: m.yaml\naxes: {k: "300..500:3 N/m"}\ngoals: {z: minimize}\n' >st.yaml
cp "$source/examples/gear_rig/compliance_reference.h5" .
cp "$source/examples/gear_rig/mesh.yaml" gear.yaml
cp "$source/examples/bearings/variable_compliance.yaml" bearing.yaml
cp "$source/examples/bearings/spall.yaml" .
cp "$source/test/flexible/bracket.msh" part.msh
cp "$source/examples/gearbox/two_stage.rexs" box.rexs
cp "$source/examples/flexible/connecting_rod.step" rod.step
cp "$source/test/flexible/plate_K.mtx" K.mtx
cp "$source/test/flexible/plate_m.mtx" M.mtx
cp "$source/test/flexible/plate_nodes.csv" nodes.csv
# The same model with a flexible body, and a model with an FMU.
check "$hooke" reduce part.msh --unit m --young 70GPa --poisson 0.33 --density 2700 --interface hub=rigid --modes 1 -q -o lever.h5
cat >flexible.yaml <<'Y'
format: 1
include: m.yaml
bodies: {lever: {type: flexible_body, file: lever.h5, damping_ratio: 0.1, at_frequency: 200 Hz}}
joints: {wall: {type: fixed, a: ground, b: lever.hub}}
Y
check "$hooke" fmu m.yaml -q -o small.fmu --output c.z
cat >native.yaml <<'Y'
format: 1
fmus: {small: {file: small.fmu, period: 0.1 s}}
analysis: {duration: 0.2 s, output_step: 0.1 s}
Y
check "$hooke" run m.yaml -q -o r.h5
check "$hooke" reduce part.msh --unit m --young 70GPa --poisson 0.33 --density 2700 --interface hub=rigid --interface hole=rigid --modes 2 -o body.h5
cat >bend.yaml <<'Y'
format: 1
bodies: {part: {type: flexible_body, file: body.h5}}
joints: {hold: {type: fixed, a: ground, b: part.hub}}
forces: {push: {type: load, b: part.hole, force: [0, 0, 1 N]}}
analysis: {duration: 1 ms, output_step: 0.1 ms}
Y
check "$hooke" run bend.yaml -q -o bend.h5
check "$hooke" study st.yaml -q
for f in st.study/journals/*; do journal=$f; break; done

model="m.yaml part.yaml road.csv s.stl bench.csv"
study="$model st.yaml st.study/table.sqlite st.study/table.sqlite.lock st.study/lock st.study/plan st.study/study $journal"
"$hooke" export r.h5 --csv curve.csv --channels c.z
fit="$model curve.csv"
results="r.h5 m.yaml"
bent="bend.h5 body.h5 bend.yaml"
bend="bend.yaml body.h5"
gear="gear.yaml compliance_reference.h5"

# COMMAND OPTION EXTENSION INPUTS ARGUMENTS; the extension is one that the option takes.  "none": writes no file.
list="
run       output  h5   model    run m.yaml
run       output  csv  model    run m.yaml --over k=300..500:2N/m
run       plot    svg  model    run m.yaml --over k=300..500:2N/m
run       output  h5   stdin    run -
run       output  h5   input    run m.yaml --input shove=rig.csv:F
run       output  csv  input    run m.yaml --input shove=rig.csv:F --over k=300..500:2N/m
run       plot    svg  input    run m.yaml --input shove=rig.csv --over k=300..500:2N/m
run       output  h5   fmu      --allow-native run native.yaml
measure   none
study     output  csv  study    study st.yaml --resume
study     output  csv  study    study st.yaml --collect
study     plot    svg  study    study st.yaml --collect
study     plot    png  study    study st.yaml --collect
study     report  html study    study st.yaml --collect
optimize  plot    svg  search   optimize st.yaml --resume --variants 10
sensitivity none
fit       output  csv  fit      fit m.yaml --data curve.csv --vary k=300:500N/m
fit       plot    svg  fit      fit m.yaml --data curve.csv --vary k=300:500N/m
surrogate output  csv  study    surrogate st.yaml --measure z --over k=300..500:5N/m
surrogate plot    svg  study    surrogate st.yaml --measure z --over k=300..500:5N/m
surrogate output  csv  study    surrogate st.study --measure z --over k=300..500:5N/m
surrogate plot    svg  study    surrogate st.study/table.sqlite --measure z --over k=300..500:5N/m
check     none
migrate   output  yaml model    migrate m.yaml
ssp       none
import    output  yaml rexs     import box.rexs
import    study   yaml rexs     import box.rexs -o imported.yaml
static    none
gear      output  svg  gear     gear gear.yaml
bearing   output  svg  bearing  bearing bearing.yaml --force 100,0,0N
bearing   output  html bearing  bearing bearing.yaml --force 100,0,0N
bearing   output  svg  duty     bearing spall.yaml --force 100,0,0N --duty duty.csv
bearing   output  html duty     bearing spall.yaml --force 100,0,0N --duty duty.csv
reduce    output  h5   matrices reduce K.mtx M.mtx nodes.csv --unit m-kg-s --interface A=rigid:nodes(1,2,3) --modes 2
reduce    output  h5   cad      reduce rod.step --unit mm --size 8 --young 70GPa --poisson 0.33 --density 2700 --interface big=average:cylinder(0,0,0;0,0,1;20) --modes 2
reduce    output  h5   part     reduce part.msh --unit m --young 70GPa --poisson 0.33 --density 2700 --interface hub=rigid --modes 2
stress    csv     csv  bent     stress bend.h5
erp       output  svg  bend     erp bend.yaml --from forces.push.force.z --range 100:1000Hz
erp       csv     csv  bend     erp bend.yaml --from forces.push.force.z --range 100:1000Hz
modes     mkb     mat  model    modes m.yaml
modes     abcd    csv  model    modes m.yaml
modes     pattern svg  model    modes m.yaml
frf       output  svg  model    frf m.yaml --from forces.f.force.z --to c.z --range 0.1:10Hz
frf       csv     csv  model    frf m.yaml --from forces.f.force.z --to c.z --range 0.1:10Hz
frf       output  svg  model    frf m.yaml --orders 1,2 --period 0.1s --to c.z --over k=300:500:3N/m
frf       csv     csv  model    frf m.yaml --orders 1,2 --period 0.1s --to c.z --over k=300:500:3N/m
locus     output  svg  model    locus m.yaml --over k=300:500:3N/m
locus     csv     csv  model    locus m.yaml --over k=300:500:3N/m
poincare  output  csv  model    poincare m.yaml --period 0.1s --channels c.z --skip 0 --points 3
poincare  output  mat  model    poincare m.yaml --period 0.1s --channels c.z --skip 0 --points 3
poincare  plot    svg  model    poincare m.yaml --period 0.1s --channels c.z --skip 0 --points 3
bifurcation output csv model    bifurcation m.yaml --over k=300:500:2N/m --period 0.1s --channels c.z --skip 0 --points 3
bifurcation output h5  model    bifurcation m.yaml --over k=300:500:2N/m --period 0.1s --channels c.z --skip 0 --points 3
bifurcation plot  svg  model    bifurcation m.yaml --over k=300:500:2N/m --period 0.1s --channels c.z --skip 0 --points 3
periodic  output  h5   model    periodic m.yaml --period 0.1s
periodic  output  csv  model    periodic m.yaml --period 0.1s --over k=300:500:2N/m
periodic  plot    svg  model    periodic m.yaml --period 0.1s --over k=300:500:2N/m
periodic  output  csv  model    periodic m.yaml --period 0.1s --over k=399:401:2N/m --through
periodic  plot    svg  model    periodic m.yaml --period 0.1s --over k=399:401:2N/m --through
fmu       write   fmu  model    fmu m.yaml
export    csv     csv  results  export r.h5
export    mat     mat  results  export r.h5
export    glb     glb  results  export r.h5
export    vtk     pvd  results  export r.h5
plot      output  svg  results  plot r.h5 --channels c.z
plot      output  pdf  results  plot r.h5 --channels c.z
spectrum  output  svg  results  spectrum r.h5 --channels c.z
spectrum  csv     csv  results  spectrum r.h5 --channels c.z
spectrum  csv     csv  results  spectrum r.h5 --channels c.z --map
report    output  html results  report r.h5
report    output  html bench    report r.h5 --measured curve.csv
report    output  html measured report r.h5 --measured curve.csv
report    output  html study    report st.yaml
view      output  html model    view m.yaml
view      output  html stdin    view -
watch     output  h5   model    watch m.yaml --no-browser
types     none
functions none
schema    none
conform   none
completion none
help      none
"

# Flexible bodies read a file of their own: every command with a model reads the model with such a body too.
more=$(echo "$list" | sed -n '/^fmu /d; s/ model  *\(.*\)m\.yaml/ flexible \1flexible.yaml/p')
[ "$(echo "$more" | wc -l)" -gt 20 ] || fail "no commands with a flexible body"
command -v gmsh >/dev/null || list=$(echo "$list" | grep -v ' cad ')
list="$list
$more"

# ---- the list is complete ----
commands=$("$hooke" --help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\)  .*/\1/p')
[ "$(echo "$commands" | wc -w)" -gt 20 ] || fail "the commands of hooke --help are not understood: $commands"
for c in $commands; do
  outputs=$("$hooke" "$c" --help | sed -n 's/^ .*--\([a-z]*\) FILE.*/\1/p')
  for o in ${outputs:-none}; do
    checks=$((checks + 1))
    echo "$list" | grep -q "^$c  *$o " || echo "$list" | grep -q "^$c  *$o\$" ||
      fail "hooke $c --$o writes a file and is not in the list of this test"
  done
done

# What the arguments of all options are: values, inputs, outputs or folders. A new kind of argument must be added here, and an
# input or a folder to the list above or below.
values=" RHO_C SCALE 1,2,... 2|3 AMOUNT ANGLE CHANNEL CHANNEL,... CHANNEL=AMOUNT CHANNEL[=VALUE] COLUMN=CHANNEL COORDINATE COUNT D0 E F F0:F1 \
FREQUENCY HIGHEST I/N ID INPUT KIND L LENGTH LIST LOW:HIGH M N NAME NAME,NAME NAME.ssd NAME=VALUE,... NAME=VARIABLE,... NAMES NU NUMBER \
PATH=LOW:HIGH PATH=RANGE PATH=VALUE PATH=VALUES PHI RADIUS REGEX RHO RHO_C S SCALE SHARE SPEC STEP STRESS T TEXT TIME U UNIT,UNIT UNITS VALUE W WAY auto|none \
held|linear "
reads= folders=
for c in $commands; do
  "$hooke" "$c" --help | sed -n 's/^  \(-., \|    \)--\([a-z-]*\) \([^ ][^ ]*\).*/\2 \3/p' >options
  while read -r o argument; do
    checks=$((checks + 1))
    case $argument in
      FILE*) ;;
      CSV | TABLE | INCLUDED | BENCH.csv | NAME=FILE*) reads="$reads $c.$o" ;;
      DIR) folders="$folders $c.$o" ;;
      *)
        [ $o = folder ] && folders="$folders $c.$o"
        case $values in *" $argument "*) ;; *) fail "what is $argument of hooke $c --$o: a value, an input or an output?" ;; esac
        ;;
    esac
  done <options
done
rm options
[ "$reads" = " run.input fit.data bearing.duty report.measured migrate.file" ] ||
  fail "an option with an input is not in the list of this test:$reads"
[ "$folders" = " study.folder optimize.folder sensitivity.folder ssp.folder" ] ||
  fail "a command that writes into a folder is not tried below:$folders"
if command -v python3 >/dev/null; then
  items=$("$hooke" types --json | python3 -c "
import json, sys
print(*sorted(t['name'] for t in json.load(sys.stdin) if any('relative to the model file' in p.get('doc', '') or 'HDF5 file' in p.get('doc', '') for p in t['parameters'])))")
  [ "$items" = "flexible_body fmu gear_pair input mesh table" ] || fail "items that read a file, of which some are not in the models of this test: $items"
fi

# ---- nothing in it is overwritten ----
seal() { find . -type f ! -name out ! -name err ! -name seal ! -name now ! -name alias.\* ! -path './cache/*' | sort | xargs md5sum; }

# attempt WANTED_EXIT arguments...: runs a command with the standard input $input.
attempt() {
  checks=$((checks + 1))
  code=0
  "$hooke" "$@" >out 2>err <"$input" || code=$?
  seal >now
  cmp -s seal now || fail "something was changed by: $* ($(diff seal now | tr '\n' ' '))"
  [ "$code" = 2 ] || fail "exit code $code, not 2: $*"
  grep -q 'would overwrite' err || fail "refused for another reason: $*"
}

# An output that cannot be written: a sentence, an exit code, and the older file as it was, also under its second name.
hopeless() {
  # It is known before anything is read and computed: here the input does not exist.
  early=$(echo "$arguments" | sed 's/ \([A-Za-z0-9_]*\)\.\(yaml\|h5\|msh\|mtx\|step\|rexs\|study\)/ missing.\2/')
  expect_error "'nowhere/new.$extension': the folder does not exist" "$hooke" $early "--$option" "nowhere/new.$extension" <"$input"
  case $extension in
    svg | png | pdf)
      [ "$command" = bearing ] ||
        expect_error "'new.html': figures are written as .svg, .png or .pdf" "$hooke" $early "--$option" new.html <"$input" ;;
  esac
  mkdir "folder.$extension"
  refused "it is a folder|Is a directory" "folder.$extension"
  rmdir "folder.$extension" || fail "something was written into a folder: $arguments"
  refused "No such file|does not exist" "nowhere/new.$extension"
  echo old >"old.$extension"
  ln "old.$extension" "twin.$extension"
  ln -s /dev/full "full.$extension"
  refused "No space left|not a regular file|cannot write" "full.$extension"
  checks=$((checks + 1))
  code=0
  (ulimit -f 1; exec "$hooke" $arguments "--$option" "old.$extension") >out 2>err <"$input" || code=$?
  case $code in
    0) ;; # so little that it fits
    1 | 2)
      grep -q 'error: ' err || fail "no message of a full disk: $arguments"
      # The results of a run are in the file as far as they go.
      [ "$(cat "old.$extension")" = old ] || [ "$extension" = h5 ] || fail "a full disk damaged an older file: $arguments"
      ;;
    *) fail "exit code $code on a full disk: $arguments" ;;
  esac
  [ "$(cat "twin.$extension")" = old ] || fail "a second name of an older file was written: $arguments"
  rm -rf "old.$extension" "twin.$extension" "full.$extension" old_frames
  ls -a . | grep -q 'draft$\|\.tmp$' && fail "a draft was left: $arguments"
  return 0
}
# refused PATTERN OUTPUT
refused() {
  checks=$((checks + 1))
  code=0
  timeout 60 "$hooke" $arguments "--$option" "$2" >out 2>err <"$input" || code=$?
  [ $code = 2 ] || [ $code = 1 ] || fail "exit code $code: $arguments --$option $2"
  grep -qE "error: .*($1)" err || fail "no sentence about: $arguments --$option $2"
}

echo "$list" | while read -r command option extension inputs arguments; do
  [ "$option" != none ] && [ -n "$command" ] || continue
  input=/dev/null
  case $inputs in
    model) files=$model ;;
    fit) files=$fit ;;
    study | search) files=$study ;;
    results) files=$results ;;
    measured) files="r.h5 curve.csv m.yaml" ;;
    gear) files=$gear ;;
    bearing) files=bearing.yaml ;;
    part) files=part.msh ;;
    flexible) files=lever.h5 ;;
    input) files="$model rig.csv" ;;
    fmu) files="native.yaml small.fmu" ;;
    duty) files="spall.yaml duty.csv" ;;
    matrices) files="K.mtx M.mtx nodes.csv" ;;
    cad) files=rod.step ;;
    bent) files=$bent ;;
    bend) files=$bend ;;
    rexs) files=box.rexs ;;
    bench) files="r.h5 curve.csv m.yaml" ;;
    stdin) files=m.yaml input=m.yaml ;;
    *) fail "no such inputs: $inputs" && continue ;;
  esac
  [ $inputs != search ] || files="$model st.yaml"
  seal >seal
  for f in $files; do
    for alias in link second; do
      rm -f "alias.$extension"
      if [ $alias = link ]; then ln -s "$f" "alias.$extension"; else ln "$f" "alias.$extension"; fi
      attempt $arguments "--$option" "alias.$extension"
      [ "alias.$extension" -ef "$f" ] || fail "the alias of $f was replaced: $arguments --$option"
    done
    rm -f "alias.$extension"
    # The name itself, where the option does not refuse its extension for a reason of its own.
    case $option:$f in
      mkb:* | abcd:* | mat:* | output:* | plot:* | pattern:*) ;;
      *) attempt $arguments "--$option" "./$f" ;;
    esac
  done
  echo "$checks $failures" >count
  # The same command does write elsewhere.
  case $command:$inputs in
    watch:* | *:flexible) continue ;;
    optimize:*) arguments="optimize st.yaml --variants 10" ;;
  esac
  code=0
  checks=$((checks + 1))
  "$hooke" $arguments "--$option" "new.$extension" >out 2>err <"$input" || code=$?
  [ $code = 0 ] && [ -s "new.$extension" ] || fail "exit code $code: $arguments --$option new.$extension"
  rm -rf "new.$extension" new_frames
  [ $command != optimize ] || arguments="optimize st.yaml --resume --variants 10"
  hopeless
  ls -a . | grep -q 'draft$' && fail "a draft was left: $arguments"
  echo "$checks $failures" >count
done
read -r checks failures <count

# ---- standard output and two outputs of one name ----
cp m.yaml before.yaml
code=0
"$hooke" view m.yaml -o - >>m.yaml 2>err || code=$?
[ $code = 2 ] && cmp -s m.yaml before.yaml || fail "standard output was appended to the model"
expect_error "--csv and --glb would write the same file 'x.glb'" "$hooke" export r.h5 --csv x.glb --glb x.glb
ln -s x.glb y.csv
expect 2 "which is another output" "$hooke" export r.h5 --csv y.csv --glb x.glb

# A name of an open file is written through, not replaced.
checks=$((checks + 1))
"$hooke" export r.h5 --csv /dev/stdout --channels c.z >through.csv 2>err || fail "/dev/stdout"
"$hooke" export r.h5 --csv - --channels c.z >plain.csv 2>err || fail "standard output"
cmp -s through.csv plain.csv || fail "/dev/stdout and - differ"
# If the folder of a study contains other files, nothing is run, and nothing is written there.
for f in plan study stored table.sqlite table.csv; do
  for c in study optimize sensitivity; do
    rm -rf other
    mkdir other
    echo mine >other/$f
    expect_error "'other/$f' exists and does not belong to a study" "$hooke" $c st.yaml --folder other -q
    [ "$(cat other/$f)" = mine ] || fail "another file was taken for the $f of a study"
    grep -q mine err && fail "another file is quoted as the $f of a study" || true
    [ "$(ls other)" = $f ] || fail "written into a folder of something else: $(ls other)"
  done
done
# An output that is an input is refused before the branch is computed, which would take minutes here.
ln -s part.yaml branch.csv
expect 2 "'branch.csv' would overwrite 'part.yaml'" timeout 20 "$hooke" periodic m.yaml --period 0.1s --over k=300:500:100000N/m --through -o branch.csv
rm branch.csv
# Results know their model: a command that reads them prints nothing before it refuses to replace that.
expect 2 "'m.yaml' would overwrite 'm.yaml'" "$hooke" spectrum r.h5 --channels c.z --csv m.yaml
[ ! -s out ] || fail "a spectrum was computed before its output was refused"

# They know it in every folder, under every name of the results and of the model, and after both were moved.
# in_folder FOLDER RESULTS MODEL: no command called in this folder replaces the model.
in_folder() {
  (cd "$1" && cp "$3" "$dir/model.before")
  for command in "export $2 --csv $3" "export $2 --mat $3" "report $2 -o $3" "plot $2 --channels bob.x -o $3"; do
    expect 2 "would overwrite" sh -c 'cd "$1" && shift && exec "$@"' sh "$1" "$hooke" $command
    (cd "$1" && cmp -s "$3" "$dir/model.before") || fail "the model was replaced in $1 by $command"
  done
}
mkdir -p far/sub far/other far/results far/links
pendulum >far/sub/pendulum
(cd far/sub && "$hooke" run pendulum -q -o run.h5 && "$hooke" run "$PWD/pendulum" -q -o ../results/full.h5 && cd .. && "$hooke" run sub/pendulum -q -o results/run.h5) >out
in_folder far/sub run.h5 pendulum
in_folder far sub/run.h5 sub/pendulum
in_folder far results/run.h5 sub/pendulum
in_folder far/other ../sub/run.h5 ../sub/pendulum
in_folder far/other "$dir/far/sub/run.h5" "$dir/far/sub/pendulum"
in_folder far/other ../results/full.h5 ../sub/pendulum
ln -s ../sub/run.h5 far/links/run.h5
ln -s ../sub/pendulum far/links/model
in_folder far/links run.h5 model
in_folder far/links run.h5 ../sub/pendulum
# A file of the same name in another folder is not the model.
echo other >far/other/pendulum
checks=$((checks + 1))
(cd far/other && "$hooke" export ../sub/run.h5 --csv pendulum >../../out 2>../../err) || fail "a file of the name of the model could not be replaced"
grep -q bob.x far/other/pendulum || fail "no table in far/other/pendulum"
# The results alone were moved; then the results and the model; then the folder was copied.
mv far/sub/run.h5 far/other/run.h5
rm far/other/pendulum
in_folder far/other run.h5 ../sub/pendulum
mv far/other/run.h5 far/sub/run.h5
cp -r far/sub far/copy
in_folder far copy/run.h5 copy/pendulum
mv far/sub far/moved
in_folder far moved/run.h5 moved/pendulum
in_folder far/moved run.h5 pendulum
# Locks are files of the study also in the command that creates them.
for f in lock table.sqlite.lock; do
  rm -rf locked
  expect 2 "'locked/$f' would overwrite 'locked/$f'" "$hooke" study st.yaml --folder locked -q -o locked/$f
  [ ! -s locked/$f ] || fail "a table was written over locked/$f"
done
# Another database in the place of the table, in the folder of a study.
if command -v python3 >/dev/null; then
  rm other/*
  check "$hooke" study st.yaml --folder other -q
  rm other/table.sqlite
  python3 -c "
import sqlite3
c = sqlite3.connect('other/table.sqlite')
c.execute('create table variant(mine)')
c.commit()"
  cp other/table.sqlite mine.sqlite
  for how in --resume --collect; do
    expect 2 "'other/table.sqlite' exists and is not a table of a study" "$hooke" study st.yaml --folder other -q $how
    cmp -s other/table.sqlite mine.sqlite || fail "another database was taken for the table of a study ($how)"
  done
  # A table that another program is writing, and a folder of its name.
  rm other/table.sqlite
  check "$hooke" study st.yaml --folder other -q --collect
  cp other/table.sqlite mine.sqlite
  cat >busy.py <<'P'
import sqlite3, subprocess, sys
c = sqlite3.connect('other/table.sqlite', isolation_level=None)
c.execute('begin exclusive')
sys.exit(subprocess.call(sys.argv[1:]))
P
  expect 2 "'other/table.sqlite' is in use by another program" python3 busy.py "$hooke" study st.yaml --folder other -q --collect
  cmp -s other/table.sqlite mine.sqlite || fail "a table in use was written"
  rm other/table.sqlite
  mkdir other/table.sqlite
  expect 2 "'other/table.sqlite' exists and is not a table of a study" "$hooke" study st.yaml --folder other -q --collect
else
  echo "without python3: a table of another program and a table in use are not tried"
fi
# A link to a name of an open file leads to that file, even if it is a pipe.
ln -s /dev/stdout through
checks=$((checks + 1))
"$hooke" export r.h5 --csv through --channels c.z 2>err | cmp -s - plain.csv || fail "a link to /dev/stdout"
expect 2 "which is another output" sh -c '"$1" export r.h5 --csv /dev/fd/3 --glb third.glb 3>third.glb' sh "$hooke"
expect_error "it is not a regular file" sh -c '"$1" run m.yaml -o /dev/fd/3 3>third.h5' sh "$hooke"

# ---- standard output to a full disk: every command reports it ----
cat >printing <<'T'
run m.yaml
run m.yaml --json
run m.yaml --over k=300..500:2N/m
measure r.h5
study st.yaml --collect
study st.yaml --collect -o -
study st.yaml --slurm
optimize st.yaml --resume --variants 10
sensitivity st.yaml
fit m.yaml --data curve.csv --vary k=300:500N/m
surrogate st.study --measure z
check m.yaml
migrate m.yaml
reduce part.msh --unit m --young 70GPa --poisson 0.33 --density 2700 --interface hub=rigid --modes 2 -o printed.h5
import box.rexs
stress bend.h5
erp bend.yaml --from forces.push.force.z --range 100:1000Hz
static m.yaml
gear gear.yaml
gear gear.yaml -o -
bearing bearing.yaml --force 100,0,0N
modes m.yaml
frf m.yaml --from forces.f.force.z --to c.z --range 0.1:10Hz
locus m.yaml --over k=300:500:3N/m
locus m.yaml --over k=300:500:3N/m --csv -
poincare m.yaml --period 0.1s --channels c.z --skip 0 --points 3
bifurcation m.yaml --over k=300:500:2N/m --period 0.1s --channels c.z --skip 0 --points 3
periodic m.yaml --period 0.1s
fmu m.yaml -o -
export r.h5 --csv -
export r.h5 --glb -
plot r.h5 --channels c.z -o -
spectrum r.h5 --channels c.z
report r.h5 -o -
view m.yaml -o -
types
functions
schema
conform revolute --check table
completion bash
help
T
# A system of one FMU, if there is something that makes the archive.
check "$hooke" fmu m.yaml -q -o m.fmu
python3 - <<'P' 2>/dev/null && echo 'ssp m.ssp' >>printing
import zipfile
with zipfile.ZipFile("m.ssp", "w") as z:
    z.write("m.fmu")
    z.writestr("SystemStructure.ssd", '<SystemStructureDescription version="1.0" name="m"><System><Elements>'
               '<Component name="c" source="m.fmu"/></Elements></System></SystemStructureDescription>')
P
for c in $commands; do
  [ $c = watch ] || { [ $c = ssp ] && [ ! -e m.ssp ]; } || grep -q "^$c\( \|\$\)" printing || fail "hooke $c is not among those that print"
done
while read -r arguments; do
  [ -w /dev/full ] || continue
  checks=$((checks + 1))
  code=0
  timeout 60 "$hooke" $arguments >/dev/full 2>err </dev/null || code=$?
  [ $code = 2 ] && grep -qE 'error: .*(No space left|disk is full|cannot write)' err ||
    fail "exit code $code with a full disk behind standard output: $arguments"
done <printing

# ---- a full disk leaves the older file ----
if ln -s /dev/full full 2>/dev/null && [ -w full ]; then
  expect 2 "No space left on device" "$hooke" report r.h5 -o full
fi
check "$hooke" report r.h5 -o page.html
check "$hooke" export r.h5 --glb r.glb --csv r.csv
for f in page.html r.glb r.csv; do cp $f $f.before; done
(ulimit -f 2; "$hooke" report r.h5 -o page.html >out 2>err) && fail "a page beyond the size limit was written"
(ulimit -f 2; "$hooke" export r.h5 --glb r.glb >out 2>err) && fail "a glTF beyond the size limit was written"
(ulimit -f 2; "$hooke" export r.h5 --csv r.csv >out 2>err) && fail "a table beyond the size limit was written"
for f in page.html r.glb r.csv; do
  checks=$((checks + 1))
  cmp -s $f $f.before || fail "$f was damaged by a full disk"
done
ls -a . | grep -q 'draft$' && fail "a draft was left by a full disk"
# A file that is write-protected stays.
chmod 444 page.html
[ -w page.html ] || expect 2 "Permission denied" "$hooke" report r.h5 -o page.html

# ---- no other way to a file ----
checks=$((checks + 1))
"$source/script/outputs" >out 2>err || fail "a file is opened past src/base/file.h"
mkdir -p copy/tool copy/src
printf 'void f(void) { fopen("x", "w"); }\n' >copy/tool/zz.c
! "$source/script/outputs" copy >out 2>err || fail "a new fopen was not noticed"
finish
