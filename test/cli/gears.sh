# Gear pairs: sources of compliance, the cache of finite elements, rejected input, the examples.
. "$(dirname "$0")/common"

mesh=$source/examples/gear_rig/mesh.yaml
export HOOKE_CACHE="$PWD/cache/gears"

# The mean transmission error of a JSON answer in um.
mean() { sed -n 's/.*"transmission_error": {"mean": \([^,]*\),.*/\1/p' "$1" | awk '{ printf "%.4f\n", 1e6 * $1 }'; }
near() {
  checks=$((checks + 1))
  awk -v a="$1" -v b="$2" -v e="$3" 'BEGIN { d = a - b; exit !(a != "" && d < e && -d < e) }' || fail "$1 is not $2 to $3"
}

check "$hooke" gear "$mesh" --json
near "$(mean out)" 9.868 0.05
# Finite elements of hooke: nearly the same result, computed only once.
check "$hooke" gear "$mesh" --set compliance=fe --json
near "$(mean out)" 9.868 0.1
[ "$(ls "$HOOKE_CACHE" | wc -l)" = 2 ] || fail "two gears are kept: $(ls "$HOOKE_CACHE")"
cp out first
check "$hooke" gear "$mesh" --set compliance=fe --json
cmp -s out first || fail "the answer from the cache differs"
# A damaged file is computed again.
for f in "$HOOKE_CACHE"/*; do printf x | dd of="$f" bs=1 seek=1000 conv=notrunc 2>/dev/null; done
check "$hooke" gear "$mesh" --set compliance=fe --json
cmp -s out first || fail "the answer after damage differs"
# If the cache cannot be written, there is a warning and the same result.
expect 0 "warning: the compliance of the gear is not stored: cannot create the folder '/proc/none'" \
  env HOOKE_CACHE=/proc/none "$hooke" gear "$mesh" --set compliance=fe --json
cmp -s out first || fail "the answer without a cache differs"
expect 0 '"specific_film": {"min": 2.31' "$hooke" gear "$mesh" --json
expect 0 "transmission error" "$hooke" gear "$mesh" --set compliance=iso
expect 0 "transmission error" "$hooke" gear "$mesh" --set compliance=rigid

bad() {
  text=$1
  shift
  expect_error "$text" "$hooke" gear "$mesh" "$@"
}
bad "cannot read" --set compliance=none.h5
bad "it is not HDF5, or damaged" --set "compliance=$source/CMakeLists.txt"
bad "has no group 'P3'; it has P2, SUC" --set mesh.group_a=P3
bad "the compliance table has 3 slices, but the gear has 5" --set mesh.slices=5
bad "the compliance is that of another gear" --set "mesh.tip_diameter_a=154 mm"
bad "finite elements need the diameter of the bore" --set compliance=fe --set "mesh.bore_a=0 mm"
bad "the radius of the bore is 75 mm" --set compliance=fe --set "mesh.bore_b=150 mm"
bad "the web is 30 mm thick" --set compliance=fe --set "mesh.web_a=30 mm"
bad "the teeth of gear a are pointed" --set mesh.addendum=3
bad "the contact ratio is 0.8425" --set mesh.addendum=0.5
bad "needs a sum of profile shifts of" --set mesh.teeth_b=40
bad "backlash" --set "mesh.backlash=-0.1 mm"
bad "viscosity" --set "viscosity=0 Pa*s"
# A ring by finite elements, fixed at its outer circle: more compliant than by ISO, because its body deforms too.
ring() { "$hooke" gear "$source/examples/gears/planetary.yaml" ring_1 --torque "100 N m" --speed "100 rpm" "$@"; }
stiffness() { sed -n 's/.*"stiffness": {"mean": \([^,]*\),.*/\1/p' "$1" | awk '{ printf "%.1f\n", 1e-6 * $1 }'; }
check ring --json --set forces.ring_1.compliance=fe --set "forces.ring_1.bore_a=10 mm" --set "forces.ring_1.bore_b=200 mm"
near "$(stiffness out)" 383 8
expect_error "finite elements need the diameter of the circle at which the ring is held, bore_b" ring \
  --set forces.ring_1.compliance=fe --set "forces.ring_1.bore_a=10 mm"
expect_error "the outer radius of the ring is 60 mm; it must be above 63.75 mm" ring \
  --set forces.ring_1.compliance=fe --set "forces.ring_1.bore_a=10 mm" --set "forces.ring_1.bore_b=120 mm"

# A measured flank with the crowning and the slope of the lead that the parameters have.
awk 'BEGIN { print "roll [mm],z[0] [um],z[1] [um],z[2] [um]"
  for (i = 0; i <= 200; i++) { u = i / 100 - 1; c = 10 * u * u
    printf "%.9f,%.9f,%.9f,%.9f\n", 27.865620 + 6.297322 * u, c - 1.5, c, c + 1.5 } }' >flank.csv
sed -e 's/profile_crowning_b: crown/topography_b: flank/' -e 's/^laws:/tables:\
  flank: {repeat: {i: 0..2}, file: flank.csv, x: roll, y: "z[i]", interpolation: cubic}\
laws:/' "$mesh" >flank.yaml
cp "$source/examples/gear_rig/compliance_reference.h5" .
check "$hooke" gear "$mesh" --set "mesh.lead_slope_b=3 um" --json
slope=$(mean out)
check "$hooke" gear flank.yaml --json
near "$(mean out)" "$slope" 0.0002
expect_error "a topography 'nothing' needs two tables or more" "$hooke" gear flank.yaml --set mesh.topography_b=nothing
sed -i '/^2[0-9]/d' flank.csv
expect_error "topography_b: the table 'flank[0]' covers 30.0" "$hooke" gear flank.yaml

# A measured lead trace must cover the whole face.
printf 'z [mm],e [um]\n-9,1\n0,0\n9,1\n' >lead.csv
sed -e 's/profile_crowning_b: crown/lead_b: lead/' -e 's/^laws:/tables:\
  lead: {file: lead.csv, x: z, y: e}\
laws:/' "$mesh" >lead.yaml
expect_error "lead_b: the table 'lead' covers -9 to 9 mm, but the face is from -11.5 to 11.5 mm" "$hooke" gear lead.yaml

# Pitch errors: one per tooth.
rig=$source/examples/gear_rig/rig_r0.yaml
check "$hooke" run "$rig" --set 'mesh.tooth[5].pitch_error_a=5 um' --set "analysis.duration=1 ms"
expect_error "pitch_error_a has 61 values, but the gear has 57 teeth" "$hooke" check "$rig" --set 'mesh.tooth[60].pitch_error_a=5 um'
expect_error "has one value per tooth, not per 'pin'" "$hooke" check "$rig" --set 'mesh.pin[6].pitch_error_a=5 um'
expect_error "larger than a tenth of the module, 260 um" "$hooke" check "$rig" --set 'mesh.tooth[6].pitch_error_a=5 mm'
cat >pitch.yaml <<Y
format: 1
model: $rig
set: {analysis.duration: 0.1 ms, measures.load: "{of: mesh.load, take: mean}"}
samples:
  method: latin_hypercube
  count: 2
  of:
    mesh.tooth[*].pitch_error_a: normal(0, 2 um)
measures: [load]
Y
check "$hooke" study pitch.yaml -q
head -1 pitch.study/table.csv | grep -q 'tooth\[56\].pitch_error_a' || fail "no number for the last tooth"
! head -1 pitch.study/table.csv | grep -q 'tooth\[57\]' || fail "more numbers than teeth"

# Helical teeth push along the axis: F tan(beta) at the pitch cylinder, 540.0 and 913.5 N.
check "$hooke" run "$source/examples/gears/two_stage.yaml" --json
near "$(sed -n 's/.*"axial_1": {"value": \([^,]*\),.*/\1/p' out)" -540.0 2
near "$(sed -n 's/.*"axial_2": {"value": \([^,]*\),.*/\1/p' out)" -913.5 4
# Planets share the load if the sun can move radially, and not if it is supported rigidly.
check "$hooke" run "$source/examples/gears/planetary.yaml" --json
near "$(sed -n 's/.*"load_1": {"value": \([^,]*\),.*/\1/p' out)" 886.7 40
check "$hooke" run "$source/examples/gears/planetary.yaml" --set "sun_stiffness=1e9 N/m" --json
near "$(sed -n 's/.*"load_1": {"value": \([^,]*\),.*/\1/p' out)" 1880 60
finish
