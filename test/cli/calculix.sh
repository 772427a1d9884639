# Compares three parts with CalculiX: modes with a held interface, deflections by a force, and stored matrices.
# CalculiX integrates the mass of tetrahedra with four points, which changes frequencies of coarse meshes by up to 1e-4.
. "$(dirname "$0")/common"
for program in ccx gmsh; do
  command -v $program >/dev/null || { echo "$program is not installed"; exit 77; }
done
python=/usr/bin/python3
$python -c 'import h5py, numpy' 2>/dev/null || { echo "h5py is not installed"; exit 77; }

# Three parts, each with the sets HELD and LOAD: a connecting rod, a bent plate with a hole, a stepped shaft of bricks.
cp "$source/examples/flexible/connecting_rod.step" .
cat >rod.geo <<'G'
SetFactory("OpenCASCADE");
Merge "connecting_rod.step";
Physical Surface("HELD") = {Surface In BoundingBox{-17.5,-17.5,-9, 17.5,17.5,9}};
Physical Surface("LOAD") = {Surface In BoundingBox{109.5,-10.5,-7, 130.5,10.5,7}};
Physical Volume("PART") = Volume{:};
Mesh.MeshSizeMax = 9; Mesh.ElementOrder = 2;
G
cat >angle.geo <<'G'
SetFactory("OpenCASCADE");
Box(1) = {0,0,0, 60,40,5};
Box(2) = {0,0,0, 5,40,50};
BooleanUnion(3) = {Volume{1}; Delete;}{Volume{2}; Delete;};
Cylinder(4) = {45,20,-1, 0,0,10, 8};
BooleanDifference(5) = {Volume{3}; Delete;}{Volume{4}; Delete;};
Physical Surface("HELD") = {Surface In BoundingBox{-1,-1,49, 6,41,51}};
Physical Surface("LOAD") = {Surface In BoundingBox{36,11,-1, 54,29,6}};
Physical Volume("PART") = Volume{:};
Mesh.MeshSizeMax = 8; Mesh.ElementOrder = 2;
G
cat >shaft.geo <<'G'
Point(1) = {0,0,0}; Point(2) = {20,0,0}; Point(3) = {20,15,0}; Point(4) = {0,15,0};
Line(1) = {1,2}; Line(2) = {2,3}; Line(3) = {3,4}; Line(4) = {4,1};
Curve Loop(1) = {1,2,3,4}; Plane Surface(1) = {1};
Transfinite Curve{1,2,3,4} = 3; Transfinite Surface{1}; Recombine Surface{1};
e[] = Extrude{0,0,100}{Surface{1}; Layers{10}; Recombine;};
Physical Surface("HELD") = {1};
Physical Surface("LOAD") = {e[0]};
Physical Volume("PART") = Volume{:};
Mesh.ElementOrder = 2; Mesh.SecondOrderIncomplete = 1;
G

# Mean displacement of the nodes of a set by a force on it, with another set held: from the file of the body.
cat >flexibility.py <<'P'
import h5py, numpy as np, sys
f = h5py.File(sys.argv[1])
a, b, w2 = f['interfaces/held'], f['interfaces/load'], f['squared_frequency'][()]
s, t = a['position'][()].ravel(), b['position'][()].ravel()
r = -a['rotation'][()]
u = -a['translation'][()] - np.cross(r.T, s).T
v = b['translation'][()] + u + np.cross(r.T, t).T
for i in range(3): print(*(v @ np.diag(1 / w2) @ v.T)[i])
P
# Rows of displacements of all nodes of LOAD in a .dat file, one table per load: means.
cat >means.py <<'P'
import sys
import numpy as np
table = []
for line in open(sys.argv[1]):
    words = line.split()
    if line.strip().startswith('displacements'): table.append([])
    elif len(words) == 4 and table: table[-1].append([float(x) for x in words[1:]])
for t in table: print(*np.mean(t, axis=0))
P
compare() { # FILE FILE LIMIT: the largest difference of two tables relative to the largest number
  $python -c '
import sys, numpy as np
a, b = (np.loadtxt(f) for f in sys.argv[1:3])
d = abs(a - b).max() / abs(b).max()
print("%.2e" % d)
sys.exit(not d < float(sys.argv[3]))' "$@"
}

for part in rod angle shaft; do
  check gmsh -3 -setnumber Mesh.SaveGroupsOfNodes 1 $part.geo -o $part.inp
  awk '/^\*\*/ {next} /^\*/ {skip = /CPS/} !skip' $part.inp >mesh.inp # without the faces
  cat >material.inp <<'I'
*MATERIAL, NAME=M
*ELASTIC
210000, 0.3
*DENSITY
7.85e-9
*SOLID SECTION, ELSET=PART, MATERIAL=M
I
  # Modes with HELD at rest: interface held alone, rigid.
  { cat mesh.inp material.inp; printf '*BOUNDARY\nHELD, 1, 3\n*STEP\n*FREQUENCY\n8\n*END STEP\n'; } >modes.inp
  check ccx modes
  awk '/E I G E N/ {t = 1} /P A R T/ {t = 0} t && NF == 5 && $1 > 0 {print $4}' modes.dat >ccx_modes
  steel="--unit mm --young 210GPa --poisson 0.3 --density 7850"
  check "$hooke" reduce mesh.inp $steel --interface held=rigid:HELD --modes 8 -o $part.h5 --json
  sed 's/.*"fixed_frequencies": \[\([^]]*\)\].*/\1/' out | tr -d ' ' | tr ',' '\n' >own_modes
  compare own_modes ccx_modes 1e-4 >limit || fail "$part: modes differ by $(cat limit)"
  modes=$(cat limit)
  # Deflections: the force is spread over the nodes of LOAD evenly, which is the load of an averaging interface at their mean.
  n=$(awk 'toupper($0) ~ /^\*NSET,NSET=LOAD/ {t = 1; next} /^\*/ {t = 0} t {gsub(",", " "); n += NF} END {print n}' mesh.inp)
  { cat mesh.inp material.inp; printf '*BOUNDARY\nHELD, 1, 3\n'
    for d in 1 2 3; do
      printf '*STEP\n*STATIC\n*CLOAD, OP=NEW\nLOAD, %d, %s\n*NODE PRINT, NSET=LOAD\nU\n*END STEP\n' $d "$(awk "BEGIN {printf \"%.12e\", 1 / $n}")"
    done; } >static.inp
  check ccx static
  $python means.py static.dat | awk '{printf "%.9e %.9e %.9e\n", 1e-3 * $1, 1e-3 * $2, 1e-3 * $3}' >ccx_static
  check "$hooke" reduce mesh.inp $steel --interface held=rigid:HELD --interface load=average:LOAD --modes 4 -o both.h5
  $python flexibility.py both.h5 >own_static
  compare own_static ccx_static 1e-5 >limit || fail "$part: deflections differ by $(cat limit)"
  deflections=$(cat limit)
  # The matrices that CalculiX stores: the same body as from its own elements, up to the mass.
  { cat mesh.inp material.inp; printf '*STEP\n*FREQUENCY, SOLVER=MATRIXSTORAGE\n1\n*END STEP\n'; } >matrices.inp
  ccx matrices >out 2>err || true # it stops after it has stored them
  check "$hooke" reduce matrices.sti --unit mm-t-s --interface held=rigid:HELD --interface load=average:LOAD --modes 4 -o stored.h5
  # None of the four files is overwritten, though the command names one.
  for end in sti mas dof inp; do
    ln -sf "matrices.$end" alias.h5
    expect_error "would overwrite 'matrices.$end'" "$hooke" reduce matrices.sti --unit mm-t-s --interface held=rigid:HELD --modes 4 -o alias.h5
  done
  $python flexibility.py stored.h5 >stored_static
  compare stored_static own_static 1e-7 >limit || fail "$part: deflections by stored matrices differ by $(cat limit)"
  echo "$part: modes $modes, deflections $deflections, by stored matrices $(cat limit)"
done
finish
