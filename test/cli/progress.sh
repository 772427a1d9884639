# The progress line of a run has one width at 80 and at 120 columns, and does not wrap.
. "$(dirname "$0")/common"
python=/usr/bin/python3
[ -x $python ] || { echo "there is no $python"; exit 77; }
cat >slow.yaml <<'Y'
format: 1
bodies: {bob: {type: point_mass, mass: 1 kg, position: [1 m, 0, 0]}}
joints: {string: {type: distance, a: ground, b: bob}}
forces: {weight: {type: gravity}}
analysis: {duration: 12000 s, stepper: generalized_alpha, step: 1 ms, output_step: 10 s}
Y
cat >watch.py <<'P'
import fcntl, os, pty, re, struct, sys, termios, time
hooke, columns = sys.argv[1], int(sys.argv[2])
pid, fd = pty.fork()
if pid == 0:
    os.environ["TERM"] = "xterm"
    fcntl.ioctl(2, termios.TIOCSWINSZ, struct.pack("HHHH", 25, columns, 0, 0))
    os.execv(hooke, [hooke, "run", "slow.yaml"])
seen, end = b"", time.time() + 2.5
while time.time() < end:
    try:
        seen += os.read(fd, 65536)
    except OSError:
        break
os.kill(pid, 15)
try:
    while os.read(fd, 65536):
        pass
except OSError:
    pass
os.waitpid(pid, 0)
lines = [l for l in re.findall(r"\r(\[[#.]*\] [^\x1b\r]*)\x1b\[K", seen.decode())]
print(len(lines), sorted({len(l) for l in lines}), sorted({l.index("]") for l in lines}), lines[-1] if lines else seen[-200:])
sys.exit(not (len(lines) > 5 and len({l.index("]") for l in lines}) == 1 and max(map(len, lines)) < columns))
P
for columns in 80 120; do
  check $python watch.py "$hooke" $columns
done
finish
