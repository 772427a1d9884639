# `hooke watch`: clients that do not read, send no request or send too much do not block other clients; no files or processes remain.  Skipped, with
# a message if there is no Python 3.
. "$(dirname "$0")/common"
command -v python3 >/dev/null || {
  echo "skipped: there is no python3"
  exit 77
}
export TMPDIR="$dir/tmp"
mkdir tmp
pendulum | sed 's/duration: 2 s/duration: 1e7 s/; s/output_step: 0.1 s/output_step: 0.01 s/' >long.yaml
pendulum >model.yaml

# begin arguments...: starts `hooke watch` in the background; $server: its process, $address: its address.
begin() {
  : >address
  "$hooke" watch "$@" --no-browser >address 2>err &
  server=$!
  n=0
  until [ -s address ] || [ $n -gt 100 ]; do sleep 0.1; n=$((n + 1)); done
  address=$(cat address)
}
# gone PID: checks that the process ends within three seconds.
gone() {
  n=0
  while kill -0 "$1" 2>/dev/null && [ $n -lt 30 ]; do sleep 0.1; n=$((n + 1)); done
  ! kill -0 "$1" 2>/dev/null
}
child_of() { cat "/proc/$1/task/$1/children" | tr -d ' '; }

cat >client.py <<'P'
import socket, sys, time, re
mode, address = sys.argv[1:3]
host, port, word = re.match(r"http://([^:]*):(\d+)/(\w+)/", address).groups()
port = int(port)
def connect():
    return socket.create_connection((host, port), 5)
def ask(path, name=None):
    c = connect()
    c.sendall(f"GET {path} HTTP/1.1\r\nHost: {name or f'{host}:{port}'}\r\n\r\n".encode())
    return c
def first(c, n=15, wait=3):
    c.settimeout(wait)
    try:
        return c.recv(n).decode("latin1")
    except (TimeoutError, socket.timeout):
        return "nothing"
    except OSError as e:
        return str(e)
def page():
    begun = time.time()
    c = ask(f"/{word}/")
    c.settimeout(3)
    text = b""
    while True:
        more = c.recv(1 << 16)
        if not more:
            break
        text += more
    assert b"</html>" in text, "the page is not whole"
    assert time.time() - begun < 2, f"the page took {time.time() - begun:.1f} s"
if mode == "page":
    page()
elif mode == "idle":  # many that say nothing, and do not go
    crowd = [connect() for i in range(100)]
    page()
    events = ask(f"/{word}/events")
    assert first(events).startswith("HTTP/1.1 200"), "no events beside idle connections"
    more = [connect() for i in range(100)]  # nor do later ones push out one that watches
    time.sleep(0.5)
    events.settimeout(3)
    assert events.recv(100), "the events stopped"
    time.sleep(5.5)
    alive = sum(first(c, 1, 0.05) == "nothing" for c in crowd + more)
    assert alive == 0, f"{alive} idle connections were kept"
elif mode == "slow":  # asks for events and for the page, and reads nothing
    crowd = [ask(f"/{word}/events") for i in range(6)] + [ask(f"/{word}/") for i in range(6)]
    time.sleep(1.5)
    for i in range(3):
        page()
elif mode == "drip":  # a request that never ends, one letter at a time
    c = connect()
    begun = time.time()
    try:
        while time.time() - begun < 9:
            c.sendall(b"G")
            time.sleep(0.1)
        sys.exit("a request that never ends was kept")
    except OSError:
        pass
    page()
elif mode == "wrong":
    for path, name in [("/", None), ("/" + "0" * 32 + "/", None), (f"/{word}/", "evil.example"), (f"/{word}/../x", None)]:
        assert first(ask(path, name)).startswith("HTTP/1.1 404"), path
    c = connect()
    try:
        c.sendall(b"A" * 100000)
    except OSError:
        pass
    assert not first(c).startswith("HTTP/1.1 200")
    c = connect()
    c.sendall(b"\x00\xff\r\n\r\n")
    assert first(c).startswith("HTTP/1.1 404")
    for i in range(500):
        connect().close()
    page()
P
client() { checks=$((checks + 1)); python3 client.py "$@" >out 2>>err || fail "client $*"; }

# ---- clients ----
# Idle clients on a separate server, at the same time.
begin long.yaml
first=$server
python3 client.py idle "$address" >idle.out 2>idle.err &
idle=$!
begin long.yaml
client page "$address"
sleep 1
child=$(child_of $server)
kill -STOP $child # it has rows by now, and need not compute more of them
for mode in slow drip wrong page; do client $mode "$address"; done
kill -CONT $child
checks=$((checks + 1))
wait $idle || { cp idle.out out; cp idle.err err; fail "client idle"; }
kill -INT $first
gone $first || fail "Ctrl-C is not obeyed after idle clients"
# A signal has an immediate effect, also with clients that do not read.
python3 -c "
import re, socket, time
host, port, word = re.match(r'http://([^:]*):(\d+)/(\w+)/', '$address').groups()
c = [socket.create_connection((host, int(port))) for i in range(8)]
for x in c: x.sendall(f'GET /{word}/events HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n'.encode())
time.sleep(20)" &
crowd=$!
sleep 1
kill -INT $server
checks=$((checks + 1))
gone $server || fail "Ctrl-C is not obeyed beside clients that do not read"
kill $crowd 2>/dev/null || true
[ -z "$(ls -A tmp)" ] || fail "left in the temporary folder: $(ls -A tmp)"

# ---- the browser's command line, which other users see, opens the page once ----
cat >browser <<'B'
#!/bin/sh
echo "$1" >shown
B
chmod +x browser
rm -f shown
BROWSER=./browser "$hooke" watch long.yaml >address 2>err &
server=$!
n=0
until [ -s shown ] || [ $n -gt 100 ]; do sleep 0.1; n=$((n + 1)); done
address=$(cat address)
checks=$((checks + 1))
case $(cat shown) in
  "$address" | "") fail "the browser is called with '$(cat shown)'" ;;
esac
cat >once.py <<'P'
import sys, time, urllib.request, urllib.error
once, address = sys.argv[1:]
answer = urllib.request.urlopen(once, timeout=5)
assert answer.geturl() == address, answer.geturl()
assert b"</html>" in answer.read()
try:
    urllib.request.urlopen(once, timeout=5)
    sys.exit("the address of the command line serves twice")
except urllib.error.HTTPError as e:
    assert e.code == 404
assert b"</html>" in urllib.request.urlopen(address, timeout=5).read()
P
python3 once.py "$(cat shown)" "$address" >out 2>err || fail "the address that the browser gets"
kill -INT $server
gone $server || fail "Ctrl-C is not obeyed after a browser was started"

# ---- the file of the results has no name ----
begin long.yaml
n=0
until python3 client.py page "$address" >out 2>err || [ $n -gt 20 ]; do n=$((n + 1)); done
checks=$((checks + 1))
[ -z "$(ls -A tmp)" ] || fail "a temporary file has a name: $(find tmp)"
child=$(child_of $server)
[ -n "$child" ] || fail "the run is no child"
readlink /proc/$child/fd/* | grep -q "^$dir/tmp/.*(deleted)" || fail "the results are not in the temporary folder"
kill -9 $server
gone "$child" || fail "the run goes on without its server"
[ -z "$(ls -A tmp)" ] || fail "left behind after kill -9 of the server: $(find tmp)"
# Both at once, at the start and later.
for wait in 0 0.02 0.3; do
  checks=$((checks + 1))
  "$hooke" watch long.yaml --no-browser >address 2>err &
  server=$!
  sleep $wait
  child=$(child_of $server)
  kill -9 $server $child
  gone $server || fail "the server survives kill -9"
  [ -z "$child" ] || gone "$child" || fail "the run survives kill -9"
  [ -z "$(ls -A tmp)" ] || fail "left behind after kill -9 of both: $(find tmp)"
done
# If the file cannot be created, there is a message.
expect_error "cannot make a temporary file in '$dir/none'" env TMPDIR="$dir/none" "$hooke" watch model.yaml --no-browser
# Results that are kept are closed regularly.
begin long.yaml -o keep.h5
n=0
until [ -s keep.h5 ] || [ $n -gt 50 ]; do sleep 0.1; n=$((n + 1)); done
child=$(child_of $server)
kill -9 $server
gone "$child" || fail "the run with -o goes on without its server"
expect 0 "time" "$hooke" export keep.h5 --csv - --channels bob.x

# ---- an older file of the name stays until the new one is there ----
check "$hooke" run model.yaml -q -o old.h5
cp old.h5 before.h5
printf 'format: 1\n' >broken.yaml
expect 2 "" "$hooke" watch broken.yaml --no-browser -o old.h5
cmp -s old.h5 before.h5 || fail "a watch that cannot begin lost the older results"
finish
