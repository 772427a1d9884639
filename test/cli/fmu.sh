# hooke fmu: the archive and its binary; test/unit/test_fmu.c tests their use by an importer.
. "$(dirname "$0")/common"

mkdir parts
printf 'parameters: {k: 400 N/m}\ntables: {road: {file: road.csv, extrapolation: hold}}\n' >parts/spring.yaml
printf 'x [m],y [N]\n-10,0\n10,1\n' >parts/road.csv
cat >m.yaml <<'Y'
format: 1
title: A mass & a <spring>
include: parts/spring.yaml
inputs: {push: {unit: N}}
bodies: {c: {type: point_mass, mass: 1 kg}}
joints: {rail: {type: point_on_line, a: ground, b: c, axis: z}}
forces:
  hold: {type: spring_damper, a: ground, b: c, stiffness: k, length: 0.9 m, damping: 1 N*s/m}
  f: {type: load, b: c, force: [0, 0, road(c.z) + push]}
analysis: {duration: 2 s, output_step: 0.01 s}
Y
sed -i 's/mass: 1 kg}}/mass: 1 kg, position: [0, 0, 0.8 m]}}/' m.yaml

# ---- the archive ----
expect 0 'FMI 3.0, co-simulation with multistep; 1 input' "$hooke" fmu m.yaml -o a.fmu
check "$hooke" fmu m.yaml -q -o b.fmu
check cmp a.fmu b.fmu # the same every time
check "$hooke" fmu m.yaml -q -o - --fmi 2 --output 'c\.z' --output c.vz --parameter k
mv out two.fmu
if command -v unzip >/dev/null; then
  check unzip -tq a.fmu
  unzip -l a.fmu >list
  for name in modelDescription.xml resources/m.yaml resources/parts/spring.yaml resources/parts/road.csv \
    resources/hooke.yaml documentation/index.html documentation/licenses/license.txt /m.so; do
    check grep -qF "$name" list
  done
  unzip -p two.fmu modelDescription.xml >two.xml
  checks=$((checks + 1))
  [ "$(grep -c 'causality="output"' two.xml)" = 2 ] || fail "not two outputs"
  unzip -p a.fmu modelDescription.xml >a.xml
  check grep -qF 'A mass &amp; a &lt;spring&gt;' a.xml
  if command -v xmllint >/dev/null; then check xmllint --noout a.xml two.xml; fi
fi

# ---- model exchange, source code ----
expect 0 'FMI 3.0, model exchange and co-simulation' "$hooke" fmu m.yaml -o e.fmu --model-exchange
check "$hooke" fmu m.yaml -q -o e2.fmu --model-exchange --fmi 2
check "$hooke" fmu m.yaml -q -o s.fmu --sources
if command -v unzip >/dev/null; then
  checks=$((checks + 3))
  unzip -p e.fmu modelDescription.xml | grep -q '<ModelExchange modelIdentifier="m"' || fail "no model exchange"
  unzip -p e2.fmu modelDescription.xml | grep -q 'numberOfEventIndicators="0"' || fail "no count of event indicators"
  mkdir s
  (cd s && unzip -q ../s.fmu)
  ls s/sources/src/solve/*.inc >/dev/null || fail "no sources"
  # every file that the sources include is there
  for name in $(sed -n 's/.*<SourceFile name="\([^"]*\)".*/\1/p' s/sources/buildDescription.xml); do
    [ -e "s/sources/$name" ] || fail "sources/$name is missing"
  done
  grep -rhoE '^#include "[^"]*"' s/sources/src s/sources/fmu | sort -u | sed 's/.*"\(.*\)"/\1/' | while read -r name; do
    [ -e "s/sources/src/$name" ] || [ -n "$(find s/sources -path "*/$name")" ] || echo "$name"
  done >missing
  check test ! -s missing
fi

# ---- the binary needs libc and libm only, of an old version, and shows functions of FMI only ----
if command -v readelf >/dev/null && ! grep -q __asan_init "$1/hooke_fmu.so"; then
  checks=$((checks + 2))
  others=$(readelf -d "$1/hooke_fmu.so" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -v '^lib[cm]\.so\|^ld-linux' || :)
  case $others in '' | libyaml*) ;; *) fail "the binary needs $others" ;; esac
  shown=$(readelf -W --dyn-syms "$1/hooke_fmu.so" | awk '$7 != "UND" && $8 ~ /[a-z]/ && $8 != "Name" {print $8}' | grep -v '^fmi[23]' || :)
  [ -z "$shown" ] || fail "the binary shows $shown"
  newest=$(readelf -W -V "$1/hooke_fmu.so" | grep -o 'GLIBC_2\.[0-9]*' | sed 's/.*\.//' | sort -n | tail -1)
  if [ "$(uname -m)" = x86_64 ]; then
    checks=$((checks + 1))
    [ "$newest" -le 28 ] || fail "the binary needs glibc 2.$newest"
  fi
fi

# ---- bad input ----
expect_error 'no output file' "$hooke" fmu m.yaml
expect_error '--sources needs FMI 3.0' "$hooke" fmu m.yaml -o x.fmu --fmi 2 --sources
sed 's/^forces:/laws: {hit: {type: signorini}}\ncontacts: {stop: {type: sphere_on_plane, a: ground, b: c, radius: 1 mm, law: hit}}\nforces:/' m.yaml >rigid.yaml
expect_error "contact 'stop' with the law 'hit' (signorini) makes velocities jump" "$hooke" fmu rigid.yaml -o x.fmu --model-exchange
expect_error '--fmi is 2 or 3' "$hooke" fmu m.yaml -o x.fmu --fmi 1
expect_error "no input 'pull'" "$hooke" fmu m.yaml -o x.fmu --input pull
expect_error "there is no channel 'c.q'" "$hooke" fmu m.yaml -o x.fmu --output c.q
expect_error 'm.yaml' "$hooke" fmu m.yaml -o m.yaml
expect_error 'instead of standard input' "$hooke" fmu - -o x.fmu
expect_error 'cannot' "$hooke" fmu m.yaml -o nowhere/x.fmu
mkdir inner
sed 's,parts/spring,../parts/spring,' m.yaml >inner/m.yaml
expect_error 'copy it to that folder' "$hooke" --allow-outside fmu inner/m.yaml -o x.fmu
checks=$((checks + 1))
[ ! -e x.fmu ] || fail "an FMU was written all the same"
finish
