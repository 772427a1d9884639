# hooke export, report and view: files for other programs are written, and these programs can read them; wrong input is
# rejected.  Parts that need Python with h5py, SciPy or VTK are skipped with a message if these are missing.
. "$(dirname "$0")/common"

crank=$source/examples/tutorial/slider_crank.yaml
check "$hooke" run "$crank" -o crank.h5
expect 0 "time [s],stroke [mm],main.angle [deg]" \
  "$hooke" export crank.h5 --csv - --channels stroke,main.angle --unit mm,deg
check "$hooke" export crank.h5 --csv si.csv --channels stroke
check "$hooke" export crank.h5 --csv mm.csv --channels stroke --unit mm
check awk -F, 'NR == FNR { a[FNR] = $2; next } FNR > 1 { d = $2 - 1000 * a[FNR]; if (d * d > 1e-12) exit 1 }' si.csv mm.csv
expect_error "unknown unit 'furlong'" "$hooke" export crank.h5 --csv - --unit furlong
expect_error "no output file" "$hooke" export crank.h5
expect_error "must end in .mat" "$hooke" export crank.h5 --mat crank.txt
expect_error "--frames needs a number" "$hooke" export crank.h5 --glb a.glb --frames none
expect_error "cannot write" "$hooke" export crank.h5 --glb none/a.glb
expect_error "the folder does not exist" "$hooke" export crank.h5 --vtk none/a.pvd
check "$hooke" export crank.h5 --glb a.glb --vtk a.pvd --mat a.mat --frames 5
expect 0 "glTF" head -c 4 a.glb
[ "$(ls a_frames | wc -l)" = 5 ] || fail "not five frames"

# If a series cannot be written, the earlier series remains, if there was one.
draft_left() { find . -name '*.draft' | grep -q .; }
expect_error "control characters" "$hooke" export crank.h5 --vtk "$(printf 'a\nb.pvd')"
mkdir folder.pvd
expect_error "it is a folder" "$hooke" export crank.h5 --vtk folder.pvd
[ ! -e folder_frames ] || fail "a folder of frames without a series"
echo mine >taken_frames
expect_error "cannot create the folder 'taken_frames': File exists" "$hooke" export crank.h5 --vtk taken.pvd
[ "$(cat taken_frames)" = mine ] && [ ! -e taken.pvd ] || fail "a file was taken for the folder of frames"
(ulimit -f 2; "$hooke" export crank.h5 --vtk new.pvd --frames 5 >out 2>err) && fail "frames beyond the size limit were written"
[ ! -e new.pvd ] && [ ! -e new_frames ] || fail "a failed series left something"
cp -r a_frames before_frames
cp a.pvd before.pvd
echo mine >a_frames/notes
(ulimit -f 2; "$hooke" export crank.h5 --vtk a.pvd --frames 4 >out 2>err) && fail "frames beyond the size limit were written"
cmp -s a.pvd before.pvd && diff -r -x notes a_frames before_frames >out || fail "a failed series damaged the earlier one"
draft_left && fail "a failed series left a draft"
check "$hooke" export crank.h5 --vtk a.pvd --frames 4
[ "$(grep -c DataSet a.pvd)" = 4 ] && [ "$(cat a_frames/notes)" = mine ] || fail "a second series over the first"
mkdir b_frames
ln crank.h5 b_frames/frame_00001.vtp
expect_error "would overwrite" "$hooke" export crank.h5 --vtk b.pvd --frames 4
mkdir shut
chmod 555 shut
[ -w shut ] || expect_error "Permission denied" "$hooke" export crank.h5 --vtk shut/a.pvd
draft_left && fail "a draft was left"
# A full disk, if one can be simulated without privileges.
if unshare -rm true 2>/dev/null; then
  expect 2 "No space left on device" unshare -rm sh -c \
    'mkdir -p small && mount -t tmpfs -o size=100k none small && cd small && code=0 && { "$1" export ../crank.h5 --vtk a.pvd --frames 50 || code=$?; } && ls -A && exit $code' sh "$hooke"
  [ ! -s out ] || fail "a full disk left something"
fi

expect_error "use -o FILE.html" "$hooke" report crank.h5
expect_error "not a results file" "$hooke" report "$crank" -o r.html
expect_error "cannot write" "$hooke" report crank.h5 -o none/r.html
expect_error "not a regular expression" "$hooke" report crank.h5 --full '(' -o r.html
[ ! -e r.html ] || fail "a page in spite of an error"
check "$hooke" report crank.h5 -o r.html
expect 0 "connect-src 'none'" cat r.html
check "$hooke" view "$crank" -o v.html
check "$hooke" view "$crank" --static -o s.html
expect 2 "unknown key" sh -c "printf 'format: 1\nbodis: {}\n' | '$hooke' view - -o x.html"
[ ! -e x.html ] || fail "a page of a model with errors"
expect 0 "open it in a browser" env TMPDIR="$dir" "$hooke" view "$crank" --no-browser
# The report of a file without a scene, as older versions wrote it, has curves but no picture.
cat >falls.yaml <<'Y'
format: 1
bodies: {stone: {type: sphere, radius: 1 m, mass: 3 kg}}
analysis: {duration: 1 s}
Y
check "$hooke" run falls.yaml -o falls.h5 --record '^energy'
check "$hooke" report falls.h5 -o falls.html

python=$(for p in /usr/bin/python3 python3; do "$p" -c 'import h5py, scipy.io' 2>/dev/null && echo "$p" && break; done || true)
if [ -n "$python" ]; then
  # The lines of the documentation.
  check "$hooke" run "$source/examples/cv_joint/plunging.yaml" --set revolutions=0.1 -o joint.h5
  awk '/^```python/ { on = 1; next } /^```/ { on = 0 } on' "$source/docs/analysis/reports.md" >lines.py
  [ "$(grep -c . lines.py)" -le 11 ] || fail "not ten lines of Python"
  expect 0 "cage angle up to" "$python" lines.py
  cat >mat.py <<'P'
import scipy.io
m = scipy.io.loadmat("a.mat")
assert m["data"].shape[1] == len(m["names"]) == len(m["units"])
assert m["names"][0].strip() == "time" and m["units"][0].strip() == "s" and abs(m["data"][-1, 0] - 0.4) < 1e-12
P
  check "$python" mat.py
else
  echo "skipped: reading HDF5 and MAT-files by Python (Debian: python3-h5py python3-scipy)"
fi
if /usr/bin/python3 -c 'import vtk' 2>/dev/null; then
  cat >polydata.py <<'P'
import vtk, glob
for f in sorted(glob.glob("a_frames/*.vtp")):
    r = vtk.vtkXMLPolyDataReader()
    r.SetFileName(f)
    r.Update()
    p = r.GetOutput()
    assert r.GetErrorCode() == 0 and p.GetNumberOfPolys() > 1000
    low, high = p.GetCellData().GetArray("body").GetRange()
    assert low >= -1 and high == 2
    b = p.GetBounds()
    assert b[1] - b[0] < 1 and b[1] - b[0] > 0.1
P
  check /usr/bin/python3 polydata.py
else
  echo "skipped: reading VTK files by VTK (Debian: python3-vtk9)"
fi
finish
