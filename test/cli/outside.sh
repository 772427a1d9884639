# Files outside of the model's folder: a model cannot read them without permission, and no message quotes them.
. "$(dirname "$0")/common"
mkdir -p home/model/sub home/secret
cd home
printf 'hunter2:x:0:0\nswordfish,1\n"tulip"z,2\n3,marigold\n' >secret/passwd
printf 't [s],y [m]\n0,1\n1,2\n' >secret/good.csv
printf 'solid hunter2\nfacet swordfish\nvertex 0 0 tulip\n' >secret/s.stl
printf 'v 0 0 0\nf hunter2 swordfish tulip\n' >secret/s.obj
printf 'swordfish: {tulip: 1}\n' >secret/part.yaml
cp "$source/examples/gear_rig/compliance_reference.h5" secret/c.h5
cp secret/good.csv model/sub/good.csv
mkfifo secret/pipe
ln -s ../../secret/good.csv model/sub/link.csv
ln -s ../secret model/way

# model FILE_OF_TABLE FILE_OF_MESH
model() {
  cat <<Y
format: 1
tables: {u: {file: "$1", outside: hold}}
bodies:
  b: {mass: 1 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2], shape: {type: mesh, file: "$2", unit: 1 m}}
sensors: {s: {value: u(t)}}
measures: {last: {of: s, take: final}}
analysis: {duration: 0.01 s}
Y
}
printf 'solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid s\n' >model/s.stl

# ---- the rule ----
out="lies outside of the model's folder"
for f in ../secret/good.csv "$PWD/secret/good.csv" sub/../../secret/good.csv sub/link.csv way/good.csv way/passwd \
  ../secret/nope ../secret/nope/nope /etc/passwd /dev/stdin /proc/self/environ way/pipe ../model/way/good.csv; do
  model "$f" s.stl >model/m.yaml
  expect_error "$out" "$hooke" check model/m.yaml
  expect_error "model/m.yaml:2:20: error: '$f' $out" "$hooke" run model/m.yaml
  grep -q 'No such file' err && fail "whether $f exists is told"
done
for f in ../secret/s.stl way/s.stl "$PWD/secret/s.obj"; do
  model sub/good.csv "$f" >model/m.yaml
  expect_error "$out" "$hooke" check model/m.yaml
  expect_error "$out" "$hooke" view model/m.yaml -o page.html
done
for f in sub/good.csv ./sub/good.csv sub/../sub/good.csv "$PWD/model/sub/good.csv"; do
  model "$f" s.stl >model/m.yaml
  expect 0 "" "$hooke" run model/m.yaml
  expect 0 "" sh -c "cd model && '$hooke' run m.yaml"
  expect 0 "" sh -c "cd model/sub && '$hooke' run ../m.yaml"
done
model nope/nope.csv s.stl >model/m.yaml
expect_error "cannot read 'model/nope/nope.csv': No such file" "$hooke" check model/m.yaml
# Standard input has the current folder.
model sub/good.csv s.stl >model/m.yaml
expect 0 "" sh -c "cd model && '$hooke' check - <m.yaml"
model ../secret/good.csv s.stl >model/m.yaml
expect_error "$out" sh -c "cd model && '$hooke' check - <m.yaml"
# Compliances, with the gear of an example.
sed "s|compliance_reference.h5|../secret/c.h5|" "$source/examples/gear_rig/mesh.yaml" >model/gear.yaml
expect_error "$out" "$hooke" gear model/gear.yaml
expect 0 "mesh stiffness" "$hooke" --allow-outside gear model/gear.yaml
# The user may allow this for all files or for single files.
model ../secret/good.csv s.stl >model/m.yaml
expect 0 "" "$hooke" --allow-outside run model/m.yaml
model sub/good.csv s.stl >model/m.yaml
expect 0 "" "$hooke" run model/m.yaml --set tables.u.file="$PWD/secret/good.csv"
# A study may also come from another person: its values are not permissions of the user who runs it.
printf 'format: 1\nmodel: model/m.yaml\naxes: {tables.u.file: [sub/good.csv, ../secret/good.csv]}\n' >study.yaml
expect 0 "2 variants, 1 failed" "$hooke" study study.yaml
expect 0 "$out" "$hooke" study study.yaml --collect
rm -r study.study
printf 'format: 1\nmodel: model/m.yaml\nset: {tables.u.file: ../secret/good.csv}\naxes: {b.mass: "1..2:2 kg"}\n' >study.yaml
expect 2 "$out" "$hooke" study study.yaml

# ---- pipes in the place of files: no command waits for a writer ----
mkfifo model/pipe.csv model/pipe.stl model/pipe.h5 model/pipe.yaml
expect_error "cannot read 'model/pipe.csv': it is not a regular file" timeout -k 1 20 "$hooke" run model/m.yaml \
  --set tables.u.file=pipe.csv
expect_error "cannot read 'model/pipe.stl': it is not a regular file" timeout -k 1 20 "$hooke" run model/m.yaml \
  --set b.shape.file=pipe.stl
sed "s|compliance_reference.h5|pipe.h5|" "$source/examples/gear_rig/mesh.yaml" >model/gear.yaml
expect_error "cannot read 'model/pipe.h5': it is not a regular file" timeout -k 1 20 "$hooke" gear model/gear.yaml
expect_error "there is no file 'model/pipe.yaml' to include" timeout -k 1 20 sh -c \
  "printf 'format: 1\ninclude: pipe.yaml\n' >model/i.yaml; exec '$hooke' run model/i.yaml"
printf 'format: 1\nmodel: model/m.yaml\naxes: {b.mass: "1..2:2 kg"}\n' >study.yaml
mkdir -p made/journals
for f in plan table.sqlite journals/a.journal; do
  mkfifo made/$f
  expect 2 "error: " timeout -k 1 20 "$hooke" study study.yaml --folder made
  rm -rf made
  mkdir -p made/journals
done
mkfifo made/table.sqlite
expect_error "cannot read 'made/table.sqlite': it is not a regular file" timeout -k 1 20 "$hooke" surrogate made --measure last
rm -rf made
# A pipe that the user gives is read.
model sub/good.csv s.stl >model/m.yaml
expect 0 "" sh -c "cd model && { cat m.yaml >pipe.yaml & } && exec timeout -k 1 20 '$hooke' run pipe.yaml"

# ---- no message quotes what is there ----
silent() {
  expect 2 "error" "$hooke" --allow-outside check model/m.yaml
  grep -qE 'hunter2|swordfish|tulip|marigold' err && fail "a message quotes another's file: $*" || true
}
for y in '' ', y: 2' ', y: nope' ', x: nope, y: 1' ', y_unit: furlong'; do
  for n in 1 2 3 4; do
    tail -n +$n secret/passwd >secret/rest
    model ../secret/rest s.stl | sed "s/outside: hold/outside: hold$y/" >model/m.yaml
    silent "table from line $n with '$y'"
  done
done
printf 't [swordfish],y [tulip]\n0,1\n1,2\n' >secret/rest
model ../secret/rest s.stl >model/m.yaml
silent "units"
for f in ../secret/s.stl ../secret/s.obj; do
  model sub/good.csv $f >model/m.yaml
  silent "mesh $f"
done
# Included files: broken as YAML, no model, and a model with faults that reading and compiling find.
while IFS= read -r text; do
  printf "$text" >secret/part.yaml
  printf 'format: 1\ninclude: ../secret/part.yaml\nbodies: {b: {type: point_mass, mass: 1 kg}}\nanalysis: {duration: 0.01 s}\n' >model/m.yaml
  silent "include of $text"
  grep -q '^model/../secret/part.yaml:[0-9]*:[0-9]*: error: ' err || fail "no place in the included file: $text"
  printf 'format: 1\nmodel: model/m.yaml\naxes: {b.mass: "1..2:2 kg"}\n' >study.yaml
  expect 2 "error" "$hooke" --allow-outside study study.yaml
  grep -qE 'hunter2|swordfish|tulip|marigold' out err && fail "a study quotes another's file: $text" || true
done <<'T'
hunter2:x:0:0\nswordfish,1\n"tulip"z,2\n3,marigold\n
swordfish: {tulip: 1}\n
swordfish:tulip\nhunter2: 3\n
hunter2\n
*swordfish
[swordfish, tulip
"swordfish\\ptulip"
parameters: {hunter2: swordfish}\n
parameters: {hunter2: 1, hunter2: 2}\n
parameters: {hunter2: 1 swordfish}\n
parameters: {hunter2: "1 + swordfish' tulip 'marigold"}\n
bodies: {hunter2: {type: swordfish}}\n
bodies: {hunter2: {type: point_mass, swordfish: tulip}}\n
bodies: {hunter2: {type: point_mass, mass: tulip}}\n
bodies: {hunter2: {type: point_mass, mass: 0 kg}}\n
bodies: {hunter2: swordfish}\n
joints: {hunter2: {type: fixed, a: swordfish, b: tulip}}\n
forces: {hunter2: {type: load, b: swordfish, force: [marigold, 0, 0]}}\n
forces: {hunter2: {type: load, b: b, force: [b.swordfish, 0, 0]}}\n
sensors: {hunter2: {value: swordfish(tulip)}}\n
measures: {hunter2: {of: swordfish, take: tulip}}\n
include: swordfish.yaml\n
T
# A study may refer to any file as its model: messages quote the file only if it is a model.
cp secret/passwd secret/part.yaml
for text in 'hunter2:x:0:0\nswordfish,1\n"tulip"z,2\n' 'hunter2: swordfish\ntulip: 1\n' '"swordfish\ptulip"' '[hunter2' 'hunter2\n'; do
  printf "$text" >secret/part.yaml
  printf 'format: 1\nmodel: ../secret/part.yaml\naxes: {b.mass: "1..2:2 kg"}\n' >model/study.yaml
  expect 2 "secret/part.yaml:1:" "$hooke" study model/study.yaml
  grep -qE 'hunter2|swordfish|tulip' out err && fail "a study quotes another's file as its model: $text" || true
done
printf 'format: 1\nbodis: {}\n' >secret/part.yaml
expect 2 "unknown key 'bodis'" "$hooke" study model/study.yaml
# A part outside that is sound is read, and faults of the model itself are quoted as ever.
printf 'parameters: {m: 1 kg}\n' >secret/part.yaml
printf 'format: 1\ninclude: ../secret/part.yaml\nbodies: {b: {type: point_mass, mass: mm}}\n' >model/m.yaml
expect 2 "'mm'" "$hooke" --allow-outside check model/m.yaml
# Groups and units of compliances.
compliance() { sed "s|compliance_reference.h5|../secret/c.h5|; $1" "$source/examples/gear_rig/mesh.yaml" >model/m.yaml; }
compliance 's/group_a: *[A-Za-z0-9]*/group_a: nope/'
expect 2 "has no group 'nope'" "$hooke" --allow-outside gear model/m.yaml
grep -qE 'SUC|it has' err && fail "groups of another's file are told"
compliance 's/group_a: *[A-Za-z0-9]*,*//'
expect 2 "contains several gears; specify one of its groups" "$hooke" --allow-outside gear model/m.yaml
grep -q 'SUC' err && fail "groups of another's file are told"
finish
