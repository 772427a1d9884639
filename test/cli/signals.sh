# Ctrl-C, SIGTERM and kill -9 in the middle of a run.
. "$(dirname "$0")/common"
pendulum >good.yaml
long="--set analysis.duration=1e5s --set analysis.max_step=1ms --set analysis.output_step=1ms"

# A background job of a shell ignores SIGINT; a program that sets a handler receives it nevertheless.
start() {
  rm -f out.h5
  "$hooke" run good.yaml $long -o out.h5 "$@" >out 2>err &
  pid=$!
  i=0
  while [ ! -s out.h5 ] && [ $i -lt 200 ]; do
    sleep 0.05
    i=$((i + 1))
  done
  sleep 0.5
}

for signal in INT TERM; do
  want=130
  [ $signal = INT ] || want=143
  start --json
  kill -$signal "$pid"
  code=0
  wait "$pid" || code=$?
  checks=$((checks + 1))
  [ "$code" = $want ] || fail "exit code $code after SIG$signal, not $want"
  grep -q '"status": "stopped"' out || fail "status after SIG$signal"
  grep -Eq '"lowest": \{"value": -(0.99|1[.,])' out || fail "measures so far after SIG$signal"
  expect 0 'time [s]' "$hooke" export out.h5 --csv - --channels bob.x
  [ "$(wc -l <out)" -gt 10 ] || fail "rows after SIG$signal"
done

# SIGKILL cannot be caught; the rows written so far can be read.
start
sleep 1.2
kill -KILL "$pid"
wait "$pid" 2>/dev/null || true
expect 0 'time [s]' "$hooke" export out.h5 --csv - --channels bob.x
[ "$(wc -l <out)" -gt 10 ] || fail 'rows after SIGKILL'

# A progress line on a terminal, wiped at the end; never in a pipe, never when quiet.
if command -v script >/dev/null; then
  slow="$hooke run good.yaml --set analysis.max_step=0.2ms"
  TERM=xterm script -qec "$slow --set analysis.duration=60s" /dev/null >tty </dev/null
  cp tty out
  checks=$((checks + 1))
  grep -q 't .* of 60 s .*h .* s left' tty || fail 'progress on a terminal'
  grep -q "$(printf '\033\\[K')" tty || fail 'the line is wiped'
  TERM=xterm script -qec "$slow --set analysis.duration=40s --quiet" /dev/null >tty </dev/null
  ! grep -q 'Newton/step' tty || fail 'quiet'
  TERM=xterm script -qec "$slow --set analysis.duration=40s 2>&1 | cat" /dev/null >tty </dev/null
  ! grep -q 'Newton/step' tty || fail 'no progress in a pipe'
fi
finish
