# The job script of `hooke study --slurm` through a real queue: munged, slurmctld and slurmd are started
# here, with separate ports and folders, and stopped at the end.  Skipped with a message if they
# are not installed or cannot run on this machine.
. "$(dirname "$0")/common"
sources=$2
daemons=
stop_all() {
  for pid in $daemons; do kill "$pid" 2>/dev/null || true; done
  sleep 0.3
  for pid in $daemons; do kill -9 "$pid" 2>/dev/null || true; done
  rm -rf "$dir" "$run"
}
run=$(mktemp -d /tmp/hooke-slurm-XXXXXX) # sockets want short paths
trap stop_all EXIT
skip() {
  echo "skipped: $*"
  exit 0
}

# ---- the script, which needs no queue ----
pendulum >pendulum.yaml
cat >study.yaml <<'Y'
format: 1
model: pendulum.yaml
axes: {L: "0.5..2:30 m", bob.mass: [1 kg, 2 kg]}
Y
expect 0 "#SBATCH --array=0-0" "$hooke" study study.yaml --slurm
cp out one.sh
check sh -n one.sh
expect 0 "60 variants" cat one.sh
check "$hooke" study study.yaml --folder calm -q
expect 0 "'--allow-outside' study --folder=" "$hooke" --allow-outside study study.yaml --slurm

# A limit of memory that is less than a byte, or does not fit the system's numbers, would be no limit.
for memory in '0.5 B' '1e30 B' '1e300 GB' 'inf GB' 'nan B' '-1 GB'; do
  { cat study.yaml && echo "limits: {memory: $memory}"; } >limited.yaml
  expect_error "'memory' must be an amount such as 500 MB or 2 GB" "$hooke" study limited.yaml --slurm
done
sed 's/memory: .*/memory: 2 GB}/' limited.yaml >large.yaml
expect 0 "#SBATCH --mem-per-cpu=2100M" "$hooke" study large.yaml --slurm

# Names are quoted in the script; a name with a control character is rejected.
odd="a'b;\$(touch owned)\`touch owned\`&|# x.yaml"
cp study.yaml "$odd"
cp study.yaml ./-q.yaml
for name in "$odd" -q.yaml; do
  checks=$((checks + 1))
  "$hooke" study --slurm --folder "f $name" -- "$name" >odd.sh 2>err || fail "no script for $name"
  SLURM_ARRAY_TASK_ID=0 sh odd.sh >out 2>err || fail "the script of $name fails"
  sed -n 's/^#   //p' odd.sh >collect.sh
  sh collect.sh >out 2>err || fail "the last line of the script of $name fails"
  cmp -s calm/table.sqlite "f $name/table.sqlite" || fail "the script of $name did something else"
done
newline=$(printf 'x\ntouch owned\n#.yaml')
cp study.yaml "$newline"
expect_error "the name of the study file contains a control character (code 10 at byte 2)" \
  "$hooke" study "$newline" --slurm
expect_error "the name of the study's folder contains a control character" \
  "$hooke" study study.yaml --slurm --folder "$newline"
expect_error "control character (code 27" "$hooke" study study.yaml --slurm --folder "$(printf 'a\033[2J')"
[ ! -e owned ] || fail "a name was run"

PATH=$PATH:/usr/sbin:/sbin
for program in munged slurmctld slurmd sbatch squeue sinfo; do
  command -v $program >/dev/null || { finish && skip "$program is not installed"; }
done
[ "$(id -u)" = 0 ] || { finish && skip "slurmd needs root"; }

# ---- a queue of one node ----
node=$(hostname -s)
port=$((20000 + $$ % 20000))
mkdir "$run/state" "$run/spool"
dd if=/dev/urandom of="$run/munge.key" bs=1024 count=1 2>/dev/null
chmod 700 "$run"
chmod 600 "$run/munge.key"
cat >"$run/slurm.conf" <<C
ClusterName=hooke
SlurmctldHost=$node(127.0.0.1)
SlurmUser=root
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$run/munge.socket
CredType=cred/munge
StateSaveLocation=$run/state
SlurmdSpoolDir=$run/spool
SlurmctldPidFile=$run/slurmctld.pid
SlurmdPidFile=$run/slurmd.pid
SlurmctldLogFile=$run/slurmctld.log
SlurmdLogFile=$run/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
SchedulerParameters=sched_interval=1,defer
NodeName=$node NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=here Nodes=$node Default=YES MaxTime=INFINITE State=UP
C
export SLURM_CONF="$run/slurm.conf"
munged --foreground --force --key-file="$run/munge.key" --socket="$run/munge.socket" \
  --pid-file="$run/munged.pid" --log-file="$run/munged.log" --seed-file="$run/seed" >"$run/munged.out" 2>&1 &
daemons=$!
i=0
while [ ! -S "$run/munge.socket" ] && [ $i -lt 50 ]; do sleep 0.1 && i=$((i + 1)); done
[ -S "$run/munge.socket" ] || skip "munged does not run here: $(tail -n 1 "$run/munged.out")"
slurmctld -D -c -f "$SLURM_CONF" >"$run/slurmctld.out" 2>&1 &
daemons="$daemons $!"
slurmd -D -f "$SLURM_CONF" -N "$node" >"$run/slurmd.out" 2>&1 &
daemons="$daemons $!"
i=0
while ! sinfo -h -o %T 2>/dev/null | grep -q '^idle' && [ $i -lt 150 ]; do sleep 0.2 && i=$((i + 1)); done
sinfo -h -o %T 2>/dev/null | grep -q '^idle' ||
  skip "Slurm does not run here: $(tail -n 2 "$run/slurmd.log" "$run/slurmctld.log" 2>/dev/null | tr '\n' ' ')"

# ---- jobs ----
submit() { # script with so many tasks; waits until the queue is empty
  sbatch --parsable "$1" >job 2>err || { : >out; fail "sbatch refuses $1"; }
  i=0
  while [ -n "$(squeue -h 2>/dev/null)" ] && [ $i -lt 600 ]; do sleep 0.2 && i=$((i + 1)); done
  [ -z "$(squeue -h 2>/dev/null)" ] || { : >out; fail "the queue does not get empty"; }
}
submit one.sh
check "$hooke" study study.yaml --folder study.study --collect -q
check cmp calm/table.sqlite study.study/table.sqlite
# Four tasks, side by side on two processors: the script with other numbers.
sed -e 's/--array=0-0/--array=0-3/' -e "s|SLURM_ARRAY_TASK_ID/1|SLURM_ARRAY_TASK_ID/4|" -e "s|study\.study|four|" one.sh >four.sh
grep -q 'TASK_ID/4' four.sh && grep -q "'four'" four.sh || { : >out; : >err; fail "the script looks different"; }
submit four.sh
check "$hooke" study study.yaml --folder four --collect -q
check cmp calm/table.sqlite four/table.sqlite
echo "$(ls four/journals | wc -l) journals of 4 tasks"
# A task that was cancelled during its work continues when it is submitted again.
pendulum | sed 's/duration: 2 s/duration: 400 s/' >pendulum.yaml
"$hooke" study study.yaml --slurm --folder slow >slow.sh 2>err || fail "no script"
sbatch --parsable slow.sh >job
i=0
while [ "$(ls slow/journals 2>/dev/null | wc -l)" = 0 ] && [ $i -lt 100 ]; do sleep 0.2 && i=$((i + 1)); done
sleep 1.5
scancel --full "$(cat job)" 2>/dev/null || scancel "$(cat job)"
i=0
while [ -n "$(squeue -h 2>/dev/null)" ] && [ $i -lt 100 ]; do sleep 0.2 && i=$((i + 1)); done
submit slow.sh
check "$hooke" study study.yaml --folder slow --collect -q
check "$hooke" study study.yaml --folder slow_calm -q
check cmp slow_calm/table.sqlite slow/table.sqlite
finish
