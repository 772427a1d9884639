# hooke periodic on eleven small models, compared with independent programs: Runge-Kutta until transients have decayed, closed forms, long runs.
. "$(dirname "$0")/common"

cat >models.py <<'P'
import json, math, subprocess, sys
hooke = sys.argv[1]

def rk4(f, y, t, h, n, watch=None):
    for _ in range(n):
        a = f(t, y)
        b = f(t + h / 2, [u + h / 2 * v for u, v in zip(y, a)])
        c = f(t + h / 2, [u + h / 2 * v for u, v in zip(y, b)])
        d = f(t + h, [u + h * v for u, v in zip(y, c)])
        y = [u + h / 6 * (p + 2 * q + 2 * r + s) for u, p, q, r, s in zip(y, a, b, c, d)]
        t += h
        if watch is not None: watch.append(y[0])
    return y

def settled(f, y, T, periods, steps=400):
    """Minimum and maximum of the first coordinate in the last period."""
    y = rk4(f, y, 0, T / steps, periods * steps)
    seen = []
    rk4(f, y, periods * T, T / steps, steps, seen)
    return min(seen), max(seen)

def orbit(bodies, forces, options, rest='', of='m.angle'):
    open('m.yaml', 'w').write(f'''format: 1
bodies: {bodies}
{rest}
forces: {forces}
measures: {{low: {{of: {of}, take: min}}, high: {{of: {of}, take: max}}}}
analysis: {{duration: 50 s, rtol: 1e-8, atol: 1e-10}}
''')
    r = subprocess.run([hooke, 'periodic', 'm.yaml', '--json', *options], capture_output=True, text=True)
    if r.returncode: raise SystemExit(r.stdout + r.stderr)
    d = json.loads(r.stdout)
    return d, d['measures']['low']['value'], d['measures']['high']['value']

def close(what, got, want, share=2e-4):
    scale = max(abs(w) for w in want)
    if any(abs(g - w) > share * scale for g, w in zip(got, want)): raise SystemExit(f'{what}: {got}, not {want}')
    print(what, got)

one = '{m: {type: rotor, inertia: 1 kg*m^2, rate: 0.5 rad/s, angle: 0.1 rad}}'
def rotor(torque): return '{f: {type: actuator, coordinate: m.angle, force: "(' + torque + ')*1 N*m"}}'
X, V, t = '(m.angle/(1 rad))', '(m.angle_rate/(1 rad/s))', '(t/(1 s))'
tau = 2 * math.pi

# 1 a forced oscillator that a strong drive entrains
f = lambda s, y: [y[1], (1 - y[0]**2) * y[1] - y[0] + 2 * math.cos(1.1 * s)]
_, *got = orbit(one, rotor(f'(1 - {X}^2)*{V} - {X} + 2*cos(1.1*{t})'), ['--period', '1.1 rad/s'])
close('entrained', got, settled(f, [0.1, 0.5], tau / 1.1, 60))
# 2 quadratic damping
f = lambda s, y: [y[1], -0.3 * y[1] * abs(y[1]) - 4 * y[0] + math.cos(1.9 * s)]
_, *got = orbit(one, rotor(f'-0.3*{V}*abs({V}) - 4*{X} + cos(1.9*{t})'), ['--period', '1.9 rad/s'])
close('quadratic damping', got, settled(f, [0.1, 0.5], tau / 1.9, 200))
# 3 regularised dry friction
f = lambda s, y: [y[1], -0.4 * math.tanh(y[1] / 0.05) - y[0] + math.cos(0.7 * s)]
_, *got = orbit(one, rotor(f'-0.4*tanh({V}/0.05) - {X} + cos(0.7*{t})'), ['--period', '0.7 rad/s'])
close('friction', got, settled(f, [0.1, 0.5], tau / 0.7, 40, 4000))
# 4 a spring in one direction only
f = lambda s, y: [y[1], -0.1 * y[1] - y[0] - 5 * max(y[0], 0) + 0.5 * math.cos(1.3 * s)]
_, *got = orbit(one, rotor(f'-0.1*{V} - {X} - 5*max({X}, 0) + 0.5*cos(1.3*{t})'), ['--period', '1.3 rad/s'])
close('one-sided spring', got, settled(f, [0.1, 0.5], tau / 1.3, 90, 2000))
# 5 a parametrically excited oscillator: determinant of its multipliers exp(-c T), product of both
d, *_ = orbit(one, rotor(f'-0.2*{V} - (1 + 0.4*cos(2.6*{t}))*{X} + 0.3*sin(2.6*{t})'), ['--period', '2.6 rad/s', '--floquet'])
mu = [complex(*z) for z in d['multipliers']]
close('determinant', [(mu[0] * mu[1]).real], [math.exp(-0.2 * tau / 2.6)])
# 6 a motor with a pulsating load: mean speed 3 rad/s, the angle drifts by 3 T
d, *_ = orbit(one, rotor(f'6 + cos(5*{t}) - 2*{V}'), ['--period', '5 rad/s'])
close('drift', [d['drifts'][0]['amount']], [3 * tau / 5])
# 7 a pendulum driven over the top: period unknown, against its own crossing times
f = lambda s, y: [y[1], 2 - 0.4 * y[1] - math.sin(y[0])]
y, h = rk4(f, [0.1, 4.0], 0, 1e-3, 60000), 1e-3
start, n, z = y[0], 0, y
while z[0] < start + tau: z, last = rk4(f, z, 0, h, 1), z; n += 1
T = h * (n - 1) + h * (start + tau - last[0]) / (z[0] - last[0])
d, *_ = orbit(one, rotor(f'2 - 0.4*{V} - sin(m.angle)'), ['--turn', 'm.angle = 360 deg'])
close('rotating pendulum', [d['period']], [T])
# 8 two coupled oscillators, one with a cubic spring
f = lambda s, y: [y[1], -0.1 * y[1] - y[0] - y[0]**3 - (y[0] - y[2]) + 0.4 * math.cos(1.2 * s), y[3], -0.1 * y[3] - (y[2] - y[0])]
two = '{m: {type: rotor, inertia: 1 kg*m^2}, k: {type: rotor, inertia: 1 kg*m^2}}'
Y, W = '(k.angle/(1 rad))', '(k.angle_rate/(1 rad/s))'
_, *got = orbit(two, '{f: {type: actuator, coordinate: m.angle, force: "(' + f'-0.1*{V} - {X} - {X}^3 - ({X} - {Y}) + 0.4*cos(1.2*{t})' +
                ')*1 N*m"}, g: {type: actuator, coordinate: k.angle, force: "(' + f'-0.1*{W} - ({Y} - {X})' + ')*1 N*m"}}', ['--period', '1.2 rad/s'])
close('coupled', got, settled(f, [0, 0, 0, 0], tau / 1.2, 60))
# 9 a rigid pendulum in a revolute joint on a point that is shaken: against x'' = -(g + a)/l sin x - c/(m l^2) x'
f = lambda s, y: [y[1], -9.81 * math.sin(y[0]) - 0.5 * y[1] - 4 * math.cos(4 * s) * math.cos(y[0])]
_, *got = orbit('{b: {mass: 1 kg, inertia: [1e-9 kg*m^2, 1e-9 kg*m^2, 1e-9 kg*m^2], position: [0, -1 m, 0]}}',
                '{g: {type: gravity, acceleration: [0 m/s^2, -9.81 m/s^2, 0 m/s^2]}, d: {type: actuator, coordinate: pin.angle, force: -0.5 N*m*s/rad * pin.angle_rate},'
                ' a: {type: load, b: b, force: ["-4 N * cos(4*t/(1 s))", 0 N, 0 N]}}', ['--period', '4 rad/s'],
                'joints: {pin: {type: revolute, a: ground, b: b, at: [0, 0, 0], axis: z}}', 'pin.angle')
close('pendulum in a joint', got, settled(f, [0, 0], tau / 4, 30))
# 10 self-excited by negative damping that its speed limits: period unknown, against upward crossings of zero
f = lambda s, y: [y[1], (0.8 - y[1]**2) * y[1] - y[0] - 0.5 * y[0]**3]
y, h, crossing = rk4(f, [0.1, 0.5], 0, 1e-3, 80000), 1e-3, []
for n in range(20000):
    last, y = y, rk4(f, y, 0, h, 1)
    if last[0] < 0 <= y[0]: crossing.append(h * (n - last[0] / (y[0] - last[0])))
d, *_ = orbit(one, rotor(f'(0.8 - {V}^2)*{V} - {X} - 0.5*{X}^3'), ['--turn', 'm.angle'])
close('self-excited', [d['period']], [crossing[-1] - crossing[-2]])
# 11 two rotors, driven at 20 rad/s and dragged along, on a weak spring that holds them 40 rad away: a thousand amplitudes from the start
w, a = 20, 50 + 20j
det = (50 - w * w + 1.2j * w) * (a - w * w + 0.1) - a * a
x = abs(5 * (a - w * w + 0.1) / det)
_, *got = orbit(two, '{f: {type: actuator, coordinate: m.angle, force: "(' + f'5*cos(20*{t}) + 0.2*(20 - {V}) - 50*({X} - {Y}) - ({V} - {W})' +
                ')*1 N*m"}, g: {type: actuator, coordinate: k.angle, force: "(' + f'50*({X} - {Y}) + {V} - {W} - 0.1*{Y}' + ')*1 N*m"}}',
                ['--period', '20 rad/s'])
close('far away', [(got[1] - got[0]) / 2], [x])
close('far away', [(got[1] + got[0]) / 2], [40.08], 2e-6)
P
checks=$((checks + 1))
python3 models.py "$hooke" >out 2>err || fail 'an orbit differs from its reference'
cat out
finish
