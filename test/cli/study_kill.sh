# kill -9 of the master or of a worker at random times, repeatedly: finished variants remain, and the
# table has identical bytes.  HOOKE_LONG: 100 kills.
. "$(dirname "$0")/common"
kills=8
[ -z "${HOOKE_LONG:-}" ] || kills=100

pendulum | sed 's/duration: .*/duration: 8 s}/' >pendulum.yaml
grep -q 'duration: 8 s' pendulum.yaml || { : >out; : >err; fail "the model has no duration"; }
cat >study.yaml <<Y
format: 1
model: pendulum.yaml
axes: {L: "0.5..2:$((kills * 40)) m", bob.mass: [1 kg, 2 kg]}
Y
check "$hooke" study study.yaml -j 2 --folder calm -q

# How long to wait before a kill [ms], and whom to kill: 0 the master, 1 and 2 its workers.
awk -v n=$((kills * 20)) 'BEGIN { srand(7); for (i = 0; i < n; i++) print int(20 + 280 * rand()), int(3 * rand()) }' >dice
killed=0 masters=0
exec 3<dice
while [ $killed -lt $kills ]; do
  "$hooke" study study.yaml -j 2 --folder wild --resume -q 2>>noise &
  master=$!
  while [ $killed -lt $kills ] && read -r wait whom <&3; do
    sleep "$(printf '0.%03d' "$wait")"
    kill -0 $master 2>/dev/null || break
    if [ "$whom" = 0 ]; then
      ! kill -9 $master 2>/dev/null || { killed=$((killed + 1)) && masters=$((masters + 1)); }
      break
    fi
    victim=$(pgrep -P $master 2>/dev/null | sed -n "${whom}p")
    [ -z "$victim" ] || ! kill -9 "$victim" 2>/dev/null || killed=$((killed + 1))
  done
  wait $master 2>/dev/null || true
  [ -n "${wait:-}" ] || break # no dice left
done
# An incomplete record, as a kill leaves it: half of a record is appended to a valid journal.
last=$(ls wild/journals/*.journal | tail -n 1)
head -c 50 "$last" | tail -c 18 >>"$last"
expect 0 "" "$hooke" study study.yaml -j 2 --folder wild --resume -q
grep -q "incomplete record" out err || fail "the torn record was not told"
check cmp calm/table.csv wild/table.csv
check cmp calm/table.sqlite wild/table.sqlite
grep -q ',failed,' wild/table.csv && { fail "a killed variant counts as failed"; }
echo "$killed kills, $masters of them of the master, $(ls wild/journals | wc -l) journals"
[ $killed -ge $kills ] || fail "only $killed kills"
finish
