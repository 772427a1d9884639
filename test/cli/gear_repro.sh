# Gear pairs of test/repro: earlier versions gave wrong results for them without a message.
. "$(dirname "$0")/common"
repro=$source/test/repro

# stiffness, error, loss: means of `out`, in N/um, um and W.
stiffness() { sed -n 's/.*"stiffness": {"mean": \([^,]*\),.*/\1/p' out | awk '{ print 1e-6 * $1 }'; }
error() { sed -n 's/.*"transmission_error": {"mean": \([^,]*\),.*/\1/p' out | awk '{ print 1e6 * $1 }'; }
number() { sed -n "s/.*\"$1\": \\([^,}]*\\)[,}].*/\\1/p" out; }
near() {
  checks=$((checks + 1))
  awk -v a="$1" -v b="$2" -v e="$3" 'BEGIN { d = a - b; exit !(a != "" && d <= e && -d <= e) }' || fail "$1 is not $2 to $3"
}
gear() {
  model=$1
  shift
  check "$hooke" gear "$repro/gear_$model.yaml" --json "$@"
}

# The tip of a ring gear touches the root of its pinion: removing the same material from either gear has the same effect.
gear ring_root_relief_a
near "$(error)" 7.42199 1e-4
gear ring_tip_relief_b
near "$(error)" 7.42199 1e-4
# The stiffness by ISO depends on pinion and wheel, not on which of them is a.
gear iso_a20_b60
near "$(stiffness)" 609.05 0.01
gear iso_a60_b20
near "$(stiffness)" 609.05 0.01
# One web counts as much beside a solid gear; a rim of 8.95 mm, 2.98 modules, instead of one brings C_R from 0.7365 to
# 0.8228, and the deflection, A/C_R + B, to that between these and the 1/609.05 of a solid gear.
gear iso_web_both
near "$(stiffness)" 445.046 0.01
gear iso_web_one
near "$(stiffness)" 445.046 0.01
gear iso_web_one --set "mesh.web_outer_b=154 mm"
near "$(stiffness)" 498.5 0.5
# Undercut takes off the begin of the path of contact; where was found by laying 24 million places of the rack's round tip
# through the blank.  Without a speed the gears stand still.
gear undercut --set "mesh.speed=0 rad/s"
near "$(number transverse_contact_ratio)" 1.44631 1e-4
sed 's/, speed: 10 rad\/s//' "$repro/gear_undercut.yaml" >still.yaml
expect 0 '"speed": 0,' "$hooke" gear still.yaml --json
# The default number of slices, from the overlap ratio, gives the same loss as many slices; too few cause a warning.
gear wide
near "$(number friction_loss)" 75.27 0.05
gear wide --set mesh.slices=0
near "$(number friction_loss)" 75.27 0.6
expect 0 "warning: force 'mesh': 3 slices are few for helical teeth with an overlap ratio of 4.77" \
  "$hooke" gear "$repro/gear_wide.yaml" --set mesh.slices=3
# Faces of 30 mm that are 40 mm apart do not touch.
expect_error "force 'e': the teeth of a and b have no common face: b is shifted by 40 mm along z" \
  "$hooke" check "$repro/gear_axial_40mm.yaml"
# 20 mm apart: forces in the middle of what is left, 10 mm beyond the middle of a.  2500 N at 20 teeth of 4 mm.
sed -e 's/0.0 m, 0.19 m/0.0 m, 0.17 m/' -e 's/0.0 m, 0.04 m/0.0 m, 0.02 m/' "$repro/gear_axial_40mm.yaml" >shifted.yaml
check "$hooke" static shifted.yaml
near "$(awk '$1 == "ja.tx" { print $2 }' out)" 225 1e-3
near "$(awk '$1 == "jb.tx" { print $2 }' out)" -400 1e-3
# Bearings of helical stages: N per 1e9 N/m, by statics with all forces at the pitch points; a slice in the middle of each
# face, and where the teeth stand the contact is up to half a millimetre beside the pitch points.
check "$hooke" static "$repro/gear_two_stage_shafts.yaml" --set mesh10.slices=1 --set mesh11.slices=1
for bearing in "24 3821.2" "25 10124.0" "26 5828.8" "27 5715.6" "28 5991.8" "29 8615.4"; do
  near "$(awk -v name="brg${bearing% *}.radial" '$1 == name { print 1e9 * $2 }' out)" "${bearing#* }" 20
done
# The same with a and b exchanged.
sed -e '/mesh10:/ { s/a: "s3.station\[1\]", b: "s4.station\[1\]", teeth_a: 27, teeth_b: 51/a: "s4.station[1]", b: "s3.station[1]", teeth_a: 51, teeth_b: 27/
  s/helix_angle: 21 deg/helix_angle: -21 deg/; s/tip_diameter_a: 141.089489 mm, tip_diameter_b: 256.773148 mm/tip_diameter_a: 256.773148 mm, tip_diameter_b: 141.089489 mm/ }' \
  "$repro/gear_two_stage_shafts.yaml" >exchanged.yaml
check "$hooke" static exchanged.yaml --set mesh10.slices=1 --set mesh11.slices=1
for bearing in "24 3821.2" "27 5715.6" "28 5991.8" "29 8615.4"; do
  near "$(awk -v name="brg${bearing% *}.radial" '$1 == name { print 1e9 * $2 }' out)" "${bearing#* }" 20
done
finish
