# Every installed MPI: tables with identical bytes, crashes of variants, resuming a killed job.
. "$(dirname "$0")/common"
pendulum >pendulum.yaml
cat >study.yaml <<'Y'
format: 1
model: pendulum.yaml
axes: {L: "0.5..2:40 m", bob.mass: [1 kg, 2 kg]}
Y
check "$hooke" study study.yaml --folder calm -q
# Without mpirun there is one rank, which runs all variants; without a library there is a message.
HOOKE_MPI=/nowhere/libmpi.so expect 2 "no MPI library was found" "$hooke" study study.yaml --mpi --folder none

try() { # name, library, launcher...
  name=$1 library=$2
  shift 2
  command -v "$1" >/dev/null || { echo "skipped: $name is not installed"; return 0; }
  export HOOKE_MPI=$library
  [ -z "${HOOKE_TEST_FLAGS:-}" ] || export ASAN_OPTIONS=detect_leaks=0 # of the MPI library
  for n in 1 3; do
    check "$@" -n $n "$hooke" study study.yaml --mpi --folder "$name-$n" -q
    check cmp calm/table.sqlite "$name-$n/table.sqlite"
  done
  [ "$(ls "$name-3/journals" | wc -l)" = 3 ] || fail "$name: not every rank has worked"
  # A variant that hangs, on whatever rank.
  cat >hangs.yaml <<'Y'
format: 1
model: pendulum.yaml
axes: {analysis.duration: [10 ms, 1e6 s, 20 ms, 30 ms]}
limits: {time: 0.5 s}
Y
  check "$@" -n 2 "$hooke" study hangs.yaml --mpi --folder "$name-hangs" -q
  check grep -q '^1,failed,.*exceeded its time limit of 0.5 s' "$name-hangs/table.csv"
  check grep -q '^3,ok' "$name-hangs/table.csv"
  # A killed job is resumed; finished variants are not run again.
  sed 's/0.5..2:40/0.5..2:400/' study.yaml >long.yaml
  "$@" -n 2 "$hooke" study long.yaml --mpi --folder "$name-killed" -q >out 2>err &
  job=$!
  i=0
  while [ "$(cat "$name-killed"/journals/*.journal 2>/dev/null | wc -c)" -lt 2000 ] && [ $i -lt 200 ]; do
    sleep 0.02
    i=$((i + 1))
  done
  kill -9 $job 2>/dev/null || true
  wait $job 2>/dev/null || true
  sleep 0.5
  check "$@" -n 2 "$hooke" study long.yaml --mpi --folder "$name-killed" --resume -q
  [ -e long_calm ] || check "$hooke" study long.yaml --folder long_calm -q
  check cmp long_calm/table.sqlite "$name-killed/table.sqlite"
  unset HOOKE_MPI
}
root=
[ "$(id -u)" != 0 ] || root=--allow-run-as-root
try openmpi libmpi.so.40 mpirun.openmpi $root --oversubscribe
try mpich libmpich.so.12 mpirun.mpich
finish
