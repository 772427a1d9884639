# hooke reduce: numbers, units, selections, JSON and the file; messages for parts that cannot be reduced.
. "$(dirname "$0")/common"
part=$source/test/flexible
aluminium="--young 70GPa --poisson 0.33 --density 2700"
bracket() { "$hooke" reduce "$part/bracket.msh" --unit m $aluminium --modes 12 -o b.h5 "$@"; }
ends="--interface hub=rigid@0,0,0.006 --interface hole=rigid@0.154,0,0.08"

# Frequencies of a bracket, which an independent program confirms; the same part in millimetres.
expect 0 'mass                               0.315483902 kg' bracket $ends
expect 0 'modes with held interfaces         2341.48 2656.5 5771.92' bracket $ends
expect 0 'modes of the free body             922.343 2551.85 2943.89' bracket $ends
expect 0 '"valid_to": 7838.2' bracket $ends --json
awk '/^\$Nodes/ {n = 2} n == 2 && NF == 1 && !/\$/ {n = 3} /^\$EndNodes/ {n = 0}
  n == 3 && NF == 4 {printf "%s %.17g %.17g %.17g\n", $1, 1000 * $2, 1000 * $3, 1000 * $4; next} {print}' "$part/bracket.msh" >mm.msh
expect 0 'modes of the free body             922.343 2551.85 2943.89' "$hooke" reduce mm.msh --unit mm $aluminium --modes 12 $(echo $ends | sed 's/@0.154,0,0.08/@154,0,80/; s/@0,0,0.006/@0,0,6/') -o mm.h5

# Selections: here a plane selects the same nodes as a group; the centre of a cylinder's interface is the point of the cylinder.
expect 0 'interface hub                      rigid, 33 nodes' bracket --interface "hub=rigid:plane(0,0,0.006; 1,0,0)"
expect 0 'interface hub                      rigid, 33 nodes' bracket --interface hub=rigid
expect 0 'interface a                        average, 70 nodes, centre 0.154, 0, 0.08 m' bracket --interface "a=average:cylinder(0.154,0,0.08; 1,0,0; 0.008; 0.02)"
expect 0 'stiffening by stress               yes' bracket $ends --stiffening
# All modes up to a frequency: the sixth has 7087 Hz, the seventh 10557 Hz.
expect 0 'modes with held interfaces         2341.48 2656.5 5771.92 6119.51 6270.25 7087.09 Hz' "$hooke" reduce "$part/bracket.msh" --unit m $aluminium $ends --modes 8kHz -o f.h5

# As many as an error needs: the modes are doubled until half of them change little.
expect 0 'in the 3 modes up to 4000 Hz (change by half of the 16 modes)' "$hooke" reduce "$part/bracket.msh" --unit m $aluminium $ends --modes 4kHz --error 0.01 -o e.h5
expect 0 'in the 3 modes up to 4000 Hz (change by half of the 32 modes)' "$hooke" reduce "$part/bracket.msh" --unit m $aluminium $ends --modes 4kHz --error 0.001 -o e.h5

# Matrices.
rod="$part/rod_K.mtx $part/rod_m.mtx $part/rod_nodes.csv"
rod_ends="--interface A=rigid:nodes(1,4,5,8,12,16,17,20) --interface B=rigid:nodes(141,142,143,144,146,149,151,152)"
expect 0 'modes with held interfaces         299.146 596.121 824.566' "$hooke" reduce $rod --unit m-kg-s $rod_ends --modes 6 -o rod.h5

# In a model: the frequencies of the held body are those of the reduction. An observed set moves with an averaging interface on
# the same nodes, by a load on another one.
expect 0 'modes with held interfaces         209.663 453.416 767.767' "$hooke" reduce "$part/bracket.msh" --unit m $aluminium --interface hub=rigid@0,0,0.006 --modes 6 -o held.h5
cat >held.yaml <<'Y'
format: 1
bodies:
  bracket: {type: flexible_body, file: held.h5, position: [0, 0, -0.006 m]}
joints:
  wall: {type: fixed, a: ground, b: bracket.hub}
analysis: {duration: 1 ms}
Y
expect 0 '209.663    0.0000' "$hooke" modes held.yaml
expect 0 '767.767    0.0000' "$hooke" modes held.yaml
expect 0 'interface eye                      observe, 70 nodes' bracket $ends --interface eye=observe:hole@0.154,0,0.08
cat >seen.yaml <<'Y'
format: 1
bodies:
  bracket: {type: flexible_body, file: b.h5, position: [0, 0, -0.006 m]}
joints:
  wall: {type: fixed, a: ground, b: bracket.hub}
forces:
  pull: {type: load, b: bracket.hole, force: [0.1 N, 0, 0]}
sensors:
  same: {value: bracket.eye.x - bracket.hole.x}
  moved: {value: (bracket.eye.x - 0.154 m) / 0.1 N}
measures:
  same: {of: same, take: final}
  moved: {of: moved, take: final}
analysis: {duration: 1 ms, begin: equilibrium}
Y
expect 0 '"moved": {"value": 2.3031' "$hooke" run seen.yaml -q --json -o seen_run.h5

# A missing or incorrect option is an error; no value is assumed.
refuse() { text=$1; shift; expect_error "$text" "$@"; [ ! -e no.h5 ] || fail "a file was written: $*"; }
b="$hooke reduce $part/bracket.msh -o no.h5"
refuse 'a mesh file does not contain its unit of length; add --unit mm or --unit m' $b $aluminium $ends
refuse '--unit must be a unit of length, such as mm, m or in, not '"'kg'" $b --unit kg $aluminium $ends
refuse '--density is missing, for example --density 2700' $b --unit m --young 70GPa --poisson 0.33 $ends
refuse '--density is 2.7e-09 kg/m^3, outside of the range of solids' $b --unit m --young 70GPa --poisson 0.33 --density 2.7e-9 $ends
refuse "--young '70 kg': the unit must be one of" $b --unit m --young "70 kg" --poisson 0.33 --density 2700 $ends
refuse "the mesh has no group 'axle'; it has hub, hole, solid" $b --unit m $aluminium --interface axle=rigid
refuse "interfaces 'again' and 'hub' overlap: 33 nodes are in both" $b --unit m $aluminium --interface hub=rigid --interface again=rigid:hub
refuse "interface 'hub' must be rigid, average or observe, not 'stiff'" $b --unit m $aluminium --interface hub=stiff
refuse "interface 'x' has 2 nodes; a rotation needs at least three nodes" $b --unit m $aluminium --interface "x=rigid:nodes(1,2)"
refuse 'no node is in plane(7,0,0; 1,0,0); the part reaches from (0, -0.02, 0) to (0.16, 0.02, 0.1)' $b --unit m $aluminium --interface "x=rigid:plane(7,0,0; 1,0,0)"
refuse 'a body needs at least one interface' $b --unit m $aluminium
refuse 'with one interface and no modes the body is rigid' $b --unit m $aluminium --interface hub=rigid --modes 0
refuse 'no output file; use -o FILE.h5' "$hooke" reduce "$part/bracket.msh" --unit m $aluminium $ends
refuse '--modes must be 0 to 500' $b --unit m $aluminium $ends --modes 1000
refuse '--error needs the frequency up to which it counts' $b --unit m $aluminium $ends --error 0.01
refuse '--error must be a fraction' $b --unit m $aluminium $ends --modes 4kHz --error 3
refuse "cannot read 'none.msh'" "$hooke" reduce none.msh --unit m $aluminium $ends -o no.h5
refuse "is not supported; supported are .msh" "$hooke" reduce "$part/rod_nodes.csv" --unit m -o no.h5
refuse '--unit of matrices must be a system of units' "$hooke" reduce $rod --unit mm $rod_ends -o no.h5
refuse 'more than any solid; the unit (--unit) does not fit the files' "$hooke" reduce $rod --unit mm-t-s $rod_ends -o no.h5
refuse 'stiffening by stress needs the elements' "$hooke" reduce $rod --unit m-kg-s $rod_ends --stiffening -o no.h5
refuse 'matrices need three files' "$hooke" reduce "$part/rod_K.mtx" --unit m-kg-s $rod_ends -o no.h5
# Matrices with six digits fewer, so that rigid motions cause forces; a spring to the ground, for which the message names the node of the spring.
awk 'NR > 3 {$3 = sprintf("%.9g", $3)} {print}' "$part/rod_K.mtx" >short.mtx
refuse 'the stiffness has too few digits' "$hooke" reduce short.mtx "$part/rod_m.mtx" "$part/rod_nodes.csv" --unit m-kg-s $rod_ends -o no.h5
awk '$1 == 100 && $2 == 100 && NF == 3 {$3 = sprintf("%.17g", 2 * $3)} {print}' "$part/rod_K.mtx" >held.mtx
refuse 'the stiffness is not that of a free part: a rigid motion causes a force' "$hooke" reduce held.mtx "$part/rod_m.mtx" "$part/rod_nodes.csv" --unit m-kg-s $rod_ends -o no.h5
# An inverted element, and an element that is not connected to the part.
awk '/^\$Elements/ {e = 1} e && $2 == 11 && !d {k = $(NF - 9); $(NF - 9) = $(NF - 8); $(NF - 8) = k; d = 1} {print}' "$part/bracket.msh" >inside.msh
refuse 'is inverted: its volume is' "$hooke" reduce inside.msh --unit m $aluminium $ends -o no.h5
awk '/^\$Nodes/ {getline n; print; print n + 4; next} /^\$EndNodes/ {print "90001 5 0 0\n90002 6 0 0\n90003 5 1 0\n90004 5 0 1"}
  /^\$Elements/ {getline n; print; print n + 1; next} /^\$EndElements/ {print "90001 4 2 3 1 90001 90002 90003 90004"} {print}' "$part/bracket.msh" >loose.msh
refuse '2 pieces that are not connected; one has 4 nodes, at (5, 0, 0) m' "$hooke" reduce loose.msh --unit m $aluminium $ends -o no.h5

# Elements of first order cause a warning.  Ctrl-C stops the command, which then writes no file.
awk 'BEGIN {
  n = 26; print "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n0 1 \"end\"\n$EndPhysicalNames\n$Nodes"; print (n + 1) ^ 3
  for (k = 0; k <= n; k++) for (j = 0; j <= n; j++) for (i = 0; i <= n; i++) print 1 + i + (n + 1) * (j + (n + 1) * k), i, j, k
  print "$EndNodes\n$Elements"; print n ^ 3 + 4
  for (i = 1; i < 5; i++) print n ^ 3 + i, 15, 2, 1, 1, i == 4 ? (n + 1) * n + 1 : i
  for (k = 0; k < n; k++) for (j = 0; j < n; j++) for (i = 0; i < n; i++) {
    a = 1 + i + (n + 1) * (j + (n + 1) * k); b = a + n + 1; c = a + (n + 1) ^ 2; d = c + n + 1
    print 1 + i + n * (j + n * k), 5, 2, 2, 2, a, a + 1, b + 1, b, c, c + 1, d + 1, d
  }
  print "$EndElements" }' >cube.msh
checks=$((checks + 1))
"$hooke" reduce cube.msh --unit mm $aluminium --interface end=rigid --modes 60 -o stopped.h5 >out 2>err &
child=$!
sleep 0.7
kill -INT $child
code=0
wait $child || code=$?
{ [ $code = 130 ] && [ ! -e stopped.h5 ]; } || fail "Ctrl-C gave exit code $code"
printf '$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n8\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0 0 1\n6 1 0 1\n7 1 1 1\n8 0 1 1\n$EndNodes\n$Elements\n1\n1 5 0 1 2 3 4 5 6 7 8\n$EndElements\n' >linear.msh
expect 0 'of first order, which are much too stiff in bending' "$hooke" reduce linear.msh --unit m $aluminium --interface "a=rigid:plane(0,0,0; 1,0,0)" --modes 3 -o linear.h5

# From a CAD file, if gmsh is installed.
if command -v gmsh >/dev/null; then
  printf 'SetFactory("OpenCASCADE");\nBox(1) = {0, 0, 0, 60, 20, 10};\nCylinder(2) = {50, 10, -1, 0, 0, 12, 5};\nBooleanDifference{ Volume{1}; Delete; }{ Volume{2}; Delete; }\n' >plate.geo
  check gmsh -0 plate.geo -o plate.step
  hole="hole=average:cylinder(50,10,5;0,0,1;5)"
  foot="foot=rigid:plane(0,10,5;1,0,0)"
  expect 0 'interface hole                     average' "$hooke" reduce plate.step --unit mm --size 8 $aluminium --interface "$hole" --interface "$foot" --modes 6 -o plate.h5
  expect_error 'a CAD file needs the size of the elements' "$hooke" reduce plate.step --unit mm $aluminium --interface "$hole" -o no.h5
  echo nonsense >bad.step
  expect_error "gmsh could not mesh 'bad.step'" "$hooke" reduce bad.step --unit mm --size 8 $aluminium --interface "$hole" -o no.h5
  # The volume of a plate with a hole; straight faces and curved edges.
  "$hooke" reduce plate.step --unit mm --size 8 $aluminium --interface "$hole" --interface "$foot" --modes 6 -o plate.h5 --json >out
  awk -F'"mass": ' '{split($2, m, ","); v = 2700e-9 * 10 * (60 * 20 - 25 * 3.14159265358979); if (m[1] / v - 1 > 1e-3 || m[1] / v - 1 < -1e-3) exit 1}' out || fail "the mass of the plate"
  checks=$((checks + 1))
else
  echo "left out, gmsh is not installed: a body from CAD"
fi
touch empty.step
without() { PATH=/nowhere "$@"; }
expect_error 'a CAD file needs gmsh, which is not installed' without "$hooke" reduce empty.step --unit mm --size 8 $aluminium --interface a=rigid -o no.h5

# gmsh ends with hooke, also if hooke is killed, and leaves no file.
if command -v gmsh >/dev/null; then
  mkdir private
  TMPDIR=$PWD/private "$hooke" reduce "$source/examples/flexible/connecting_rod.step" --unit mm --size 1 $aluminium --modes 2 \
    --interface "big=average:cylinder(0,0,0; 0,0,1; 20)" -q -o killed.h5 >out 2>err &
  killed=$!
  n=0
  until pgrep -f "$PWD/private/.*mesh.msh" >/dev/null || [ $n -gt 100 ]; do sleep 0.1; n=$((n + 1)); done
  kill -9 $killed
  wait $killed 2>/dev/null || true
  n=0
  while { pgrep -f "$PWD/private/.*mesh.msh" >/dev/null || [ -n "$(ls private)" ]; } && [ $n -lt 100 ]; do sleep 0.1; n=$((n + 1)); done
  checks=$((checks + 1))
  [ $n -lt 100 ] || fail "gmsh or its files stay after hooke was killed: $(ls private)"
  [ ! -e killed.h5 ] || fail "a file of a reduction that was killed"
fi
finish
