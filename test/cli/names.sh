# Names, texts and file names with control characters: no control character reaches the terminal, a table, a page or a script, and
# none can imitate a line of output.  All commands are tested with such models, studies and results.
. "$(dirname "$0")/common"

# In YAML: a new title of the window, a line that looks like ours, the start of that line again, C1, right to left.
evil='E\e]0;pwn\x07\nhooke: error: forged\r\x9b31m\u202e'
raw=$(printf 'E\033]0;pwn\007\nhooke: error: forged\r.')
raw=${raw%.}

# model TITLE BODY TYPE STIFFNESS MEASURE EXPRESSION MORE
model() {
  cat <<Y
format: 1
title: "$1"
parameters: {k: 400 N/m}
bodies:
  "$2": {mass: 1 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2], position: [0, 0, -1 m]}
joints:
  rail: {type: prismatic, a: ground, b: "$2", axis: [0, 0, 1]}
forces:
  g: {type: "$3"}
  hold: {type: spring_damper, a: ground, b: "$2", stiffness: "$4", length: 0.9 m, damping: 1 N*s/m}
  f: {type: load, b: "$2", force: [0, 0, 1 N]}
measures: {"$5": {of: "$6", take: final}}
analysis: {duration: 0.2 s, output_step: 0.01 s}
$7
Y
}
model t c gravity k z c.z "" >good.yaml
model "$evil" c gravity k z c.z "" >title.yaml
model t "$evil" gravity k z c.z "" >body.yaml
model t c "$evil" k z c.z "" >type.yaml
model t c gravity "400 N\\n/m" z c.z "" >unit.yaml
model t c gravity "k*(1 + $evil)" z c.z "" >factor.yaml
model t c gravity k "$evil" c.z "" >measure.yaml
model t c gravity k z "c.z + $evil" "" >expression.yaml
model t c gravity k z c.z "include: \"$evil\"" >include.yaml
model t c gravity k z c.z "tables: {\"$evil\": {file: \"$evil\"}}" >table.yaml
model t c gravity k z c.z "\"$evil\": 3" >key.yaml
{ cat good.yaml; printf 'x\033]0;pwn\007: 3\n'; } >bytes.yaml
cp good.yaml "$raw.yaml"
printf 'time [s],c.z [m]\n0,-1\n0.1,-1.02\n0.2,-1.04\n' >curve.csv
{ printf 'time [s],c.z [m],x\033]0;pwn\007 [m]\n'; printf '0,-1,1\n0.1,-1.02,1\n0.2,-1.04,1\n'; } >bad.csv
mkdir "$raw.folder"
cp good.yaml "$raw.folder/m.yaml"

study() { printf 'format: 1\ntitle: "%s"\nmodel: "%s"\naxes: {"%s": %s}\ngoals: {z: minimize}\n%s\n' "$@"; }
study s good.yaml k '"300..500:3 N/m"' "" >st.yaml
study "$evil" good.yaml k '"300..500:3 N/m"' "" >st_title.yaml
study s "$evil" k '"300..500:3 N/m"' "" >st_model.yaml
study s good.yaml "$evil" '"300..500:3 N/m"' "" >st_axis.yaml
study s good.yaml k '["400 N/m", "400\n N/m", "300 N/m"]' "" >st_words.yaml
study s good.yaml title "[\"$evil\", b, c]" "" >st_title_axis.yaml
study s good.yaml k '"300..500:3 N/m"' "limits: {\"z\\n\": \"< 3\\n m\"}" >st_limit.yaml
study s good.yaml k '"300..500:3 N/m"' "constraints: [\"z < 3\\n m\"]" >st_constraint.yaml
cp st.yaml "st_$raw.yaml"

# clean WHAT FILE...: no control character besides the ends of lines and tabulators, no forged line.
clean() {
  what=$1
  shift
  checks=$((checks + 1))
  if cat "$@" | tr -d '\n\t' | LC_ALL=C grep -aq '[[:cntrl:]]\|'"$(printf '\302')[$(printf '\200-\237')]"; then
    fail "control characters from: $what"
  fi
  if cat "$@" | grep -aq '^hooke: error: forged\|^forged'; then fail "a forged line from: $what"; fi
  if cat "$@" | grep -aq "$(printf '\342\200\256')"; then fail "right-to-left from: $what"; fi
}
# try arguments...
try() {
  code=0
  timeout 60 "$hooke" "$@" >out 2>err </dev/null || code=$?
  [ $code -le 2 ] || fail "exit code $code: $*"
  [ $code = 0 ] || grep -q 'error: ' err || fail "no message: $*"
  clean "$*" out err
}
# more COMMAND: options without which it does nothing.
more() {
  case $1 in
    frf) echo "--from forces.f.force.z --to c.z --range 0.1:10Hz" ;;
    locus) echo "--over k=300:500:3N/m" ;;
    poincare) echo "--period 0.1s --channels c.z --skip 0 --points 3" ;;
    bifurcation) echo "--over k=300:500:2N/m --period 0.1s --channels c.z --skip 0 --points 3" ;;
    fmu) echo "--write f.fmu" ;;
    view) echo "-o page.html --no-browser" ;;
    report) echo "-o page.html" ;;
    plot | spectrum) echo "--channels c.z" ;;
    optimize) echo "--variants 6 -q" ;;
    sensitivity) echo "--variants 8 -q" ;;
    surrogate) echo "--measure z" ;;
    fit) echo "--data curve.csv --vary k=300:500N/m -q" ;;
    study) echo "-q" ;;
  esac
}

# ---- every command with every file ----
check "$hooke" run good.yaml -q -o good.h5
commands=$("$hooke" --help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\)  .*/\1/p')
[ "$(echo "$commands" | wc -w)" -gt 20 ] || fail "the commands of hooke --help are not understood: $commands"
for c in $commands; do
  case $c in
    watch) continue ;; # below
    study | optimize | sensitivity | surrogate) files='st*.yaml' ;;
    *) files='[!s]*.yaml' ;;
  esac
  # Sanitizers look at what the reader does with such texts in two commands.
  case $c:${HOOKE_TEST_FLAGS:-} in
    check:* | study:* | *:) ;;
    *) files= ;;
  esac
  options=$(more $c)
  for f in $files "$raw.yaml" "$raw.folder/m.yaml"; do try $c "$f" $options; done
  try $c "$raw"
  try $c good.yaml "--$raw"
done
try "$raw"
try "--$raw"
try --plugin "$raw" run good.yaml
try run good.yaml --set "$raw=3"
try run good.yaml --set "k=3 $raw"
try run good.yaml --set "k=$raw"
try run title.yaml -o "$raw.h5"
try fit good.yaml --data bad.csv --vary k=300:500N/m
try fit good.yaml --data bad.csv --vary k=300:500N/m --match "$(printf 'x\033]0;pwn\007')=c.z" -o -
try fit good.yaml --data "$raw.csv" --vary "$raw=300:500N/m" --match "$raw=$raw"
try watch "$raw.yaml" --no-browser -o /nowhere/x.h5
try watch body.yaml --no-browser
for f in st_words.yaml st_title_axis.yaml st_constraint.yaml; do
  try study "$f" --list
  try study "$f" -q --folder "$raw.out"
  rm -rf "$raw.out"
done

# ---- results of such a name, and with such a title ----
for f in "$raw.h5"; do
  try export "$f" --csv -
  try plot "$f" --channels c.z --terminal
  try plot "$f" --channels c.z -o fig.svg
  clean "a figure" fig.svg
  try spectrum "$f" --channels c.z
  try spectrum "$f" --channels c.z --terminal
  try measure good.yaml "$f"
  try report "$f" -o page.html
done
# Results from elsewhere: the name of a channel.
sed "s/$(printf 'c\\.vz')/$(printf 'c\033vz')/g" good.h5 >bad.h5
cmp -s good.h5 bad.h5 && fail "no name was changed"
for c in "export bad.h5 --csv -" "plot bad.h5 --channels c.z" "spectrum bad.h5 --channels c.z" "report bad.h5 -o page.html" "measure good.yaml bad.h5"; do
  try $c
done
expect_error "a name or a unit of a channel contains control characters" "$hooke" export bad.h5 --csv -
# ... and in the form of JSON.
for c in "check --json" "run --json" "modes --json"; do
  "$hooke" $c title.yaml >out 2>err || true
  clean "$c" out err
done
finish
