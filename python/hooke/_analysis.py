"""Analyses other than runs: equilibrium, modes, frequency response, gear pairs, bearings, Poincare sections."""

from math import isfinite
from operator import index

from . import _hooke
from ._names import Named, no_such
from ._values import Value, si


class Equilibrium:
    """A static equilibrium: e["hinge.angle"] is the value of a channel in the equilibrium."""

    def __init__(self, raw):
        self._values = raw.pop("values")
        self.messages = raw.pop("messages")
        self.report = raw

    @property
    def residual(self):
        """The largest unbalanced force: dict of size, relative, unit, body."""
        return self.report["residual"]

    def __getitem__(self, name):
        if name not in self._values:
            raise KeyError(no_such("channel", name, self._values))
        return Value(*self._values[name])

    def __iter__(self):
        return iter(self._values)

    def __len__(self):
        return len(self._values)

    def __contains__(self, name):
        return name in self._values

    def keys(self):
        return list(self._values)

    def __repr__(self):
        r = self.report
        return f"<hooke.Equilibrium: {r['newton']} iterations, residual {r['residual']['size']:.3g} {r['residual']['unit']}>"


class Mode:
    """One mode: eigenvalue [1/s], frequency [Hz], damping ratio, and shape: dict of coordinate -> complex amplitude."""

    def __init__(self, raw, names):
        self.eigenvalue = raw["eigenvalue"]
        self.frequency = raw["frequency"]
        self.damping = raw["damping"]
        self.time_constant = raw["time_constant"]
        self.free = raw["free"]
        self.shape = None if raw["shape"] is None else Named("coordinate", zip(names, raw["shape"]))

    @property
    def unstable(self):
        return self.eigenvalue.real > 0

    def __repr__(self):
        return f"<hooke.Mode: {self.frequency:.6g} Hz, damping {self.damping:.4g}>"


class Modes(list):
    """A list of hooke.Mode, ordered by natural frequency."""

    def __init__(self, raw):
        names = [n for n, _ in raw["coordinates"]]
        super().__init__(Mode(m, names) for m in raw["modes"])
        self.coordinates = names
        self.complete = raw["complete"]
        self.method = raw["method"]
        self.dof = raw["dof"]
        self.messages = raw["messages"]

    @property
    def frequencies(self):
        """Natural frequencies [Hz] of the oscillations, one for each conjugate pair."""
        return [m.frequency for m in self if m.eigenvalue.imag > 0]

    @property
    def stable(self):
        return not any(m.unstable for m in self)


class Response:
    """A frequency response: r.frequency [Hz] and r["bob.x"], complex amplitudes per unit of the input."""

    def __init__(self, raw, model):
        self._inputs = (model,)
        self.input = raw["input"]
        self.frequency = raw["frequency"]
        self.messages = raw["messages"]
        self._values = Named("channel", {n: v for n, (v, _) in raw["response"].items()})
        self.units = Named("channel", {n: u for n, (_, u) in raw["response"].items()})

    def __getitem__(self, name):
        return self._values[name]

    def __iter__(self):
        return iter(self._values)

    def magnitude(self, name):
        return [abs(z) for z in self._values[name]]

    def phase(self, name):
        """Phases [rad]."""
        import cmath

        return [cmath.phase(z) for z in self._values[name]]

    def peak(self, name):
        """(frequency, magnitude) of the largest amplitude."""
        return max(zip(self.frequency, self.magnitude(name)), key=lambda p: (p[1] == p[1], p[1]))

    def plot(self, *names, log=False, title=None):
        """Magnitudes and phases as a hooke.Figure."""
        from array import array
        from math import degrees

        from ._figure import Figure, figure

        f = array("d", self.frequency)
        panels = []
        for name in names or self._values:
            panels.append(
                ("frequency", "Hz", name, self.units[name], log, True, True, ((f, array("d", self.magnitude(name)), None, False, False),))
            )
            panels.append(
                ("frequency", "Hz", "phase", "deg", log, False, True, ((f, array("d", map(degrees, self.phase(name))), None, False, False),))
            )
        return figure(title, f"response to {self.input}", panels, inputs=self._inputs)

    def __repr__(self):
        return f"<hooke.Response to {self.input}: {len(self.frequency)} frequencies, {', '.join(self._values)}>"


class Periodic:
    """A periodic orbit: period, multipliers, stability; orbit.run() gives one period as results."""

    def __init__(self, raw, messages, model, origin):
        self._state = raw.pop("state")
        self._model = model
        self._origin = origin
        self.period = Value(raw.pop("period"), "s")
        self.stability = raw.pop("stability")
        self.multipliers = raw.pop("multipliers")
        self.drifts = Named("channel", {name: Value(amount, unit) for name, amount, unit in raw.pop("drifts")})
        self.messages = messages
        self.report = raw

    @property
    def error(self):
        """The largest change over one further period, relative to the motion."""
        return self.report["error"]

    def start(self, simulation):
        """Set a simulation of the same model and integrator to the start of the orbit."""
        simulation.restore(self._state)

    def run(self, *, record=None, results=None, progress=None, cancel=None):
        """One period, from the start of the orbit: hooke.Results with the measures of the model."""
        from . import _results
        from ._model import warn

        if results is not None:
            _results.results_name(results, (self._model,))
        raw = _hooke.run(
            self._model, record, None if results is None else str(results), progress, cancel, *self._origin, self._state, float(self.period)
        )
        out = _results.Results(raw, self._origin)
        warn(raw.messages)
        raw.raise_failure()
        return out

    def __repr__(self):
        r = self.report
        return f"<hooke.Periodic: {self.period}, {self.stability}, residual {r['residual']:.2g}>"


def periodic(
    compiled, origin, period=None, turn=None, amount=0.0, unknown=False, start=0.0, tolerance=0.0, method="auto", most_runs=0,
    floquet=True, stepper=None, progress=None, cancel=None,
):
    if period is None and turn is None:
        raise _hooke.InputError("no period; give `period` (of the drive), or `turn`, a channel, if the period is unknown")
    unit = "1"
    if turn is not None:
        unit = {n: u for n, u, _, _ in compiled.channels()}.get(turn, "1")
    raw, messages = _hooke.periodic(
        compiled, 0.0 if period is None else si(period, "s"), turn, si(amount, unit), unknown, si(start, "s"), float(tolerance), method,
        most_runs, floquet, stepper, progress, cancel,
    )
    return Periodic(raw, messages, compiled, origin)


def static(compiled, progress=None, cancel=None):
    return Equilibrium(_hooke.static(compiled, progress, cancel))


def _time(at):
    return float("nan") if at is None else si(at, "s")


def _count(name, value, default=0):
    """A count; None: the default."""
    if value is None:
        return default
    try:
        number = index(value)
    except TypeError:
        number = -1
    if number < 0:
        raise _hooke.InputError(f"{name} must be a positive whole number, not {value!r}")
    return number


def modes(compiled, as_placed=False, at=None, count=None, shift=0.0, progress=None, cancel=None):
    count = _count("count", count)
    shift = 0.0 if shift is None else si(shift, "1/s")
    if not isfinite(shift):
        raise _hooke.InputError(f"shift must be a number, not {shift}")
    out = Modes(_hooke.modes(compiled, as_placed, _time(at), count, shift, progress, cancel))
    if 0 < count < len(out):  # a small model: all were computed
        nearest = sorted(out, key=lambda m: abs(m.eigenvalue - shift))[:count]
        out[:] = [m for m in out if any(m is n for n in nearest)]
        out.complete = False
    return out


def response(
    compiled, to, input=None, frequencies=None, range=None, points=None, log=False, as_placed=False, at=None, progress=None, cancel=None
):
    names = [to] if isinstance(to, str) else list(to)
    first = last = 0.0
    if range is not None:
        try:
            first, last = map(_hertz, range)
        except (TypeError, ValueError):
            raise _hooke.InputError(f"range is the first and the last frequency, as in (1, '2 kHz'), not {range!r}") from None
    points = _count("points", points)
    if frequencies is not None:
        try:
            frequencies = [_hertz(f) for f in frequencies]
        except (TypeError, ValueError):
            raise _hooke.InputError(f"frequencies is a list of numbers in Hz or texts with a unit, not {frequencies!r}") from None
        if not all(isfinite(f) and f >= 0 for f in frequencies):
            raise _hooke.InputError("frequencies are numbers from 0 on, in Hz")
    return Response(
        _hooke.response(compiled, input, names, frequencies, first, last, points, log, as_placed, _time(at), progress, cancel),
        compiled,
    )


def _hertz(value):
    return _hooke.convert(*_hooke.quantity(value), "Hz") if isinstance(value, str) else float(value)


def gear(compiled, name=None, torque=None, speed=None, points=None):
    return _hooke.gear(
        compiled, name, 0.0 if torque is None else si(torque, "N*m"), 0.0 if speed is None else si(speed, "rad/s"), _count("points", points)
    )


def bearing(compiled, name=None, force=None, moment=None, tilt=None, speed=None, cage=None, cage_speed=None, free_tilt=False):
    nan = float("nan")

    def numbers(values, unit, n):
        return (nan,) * n if values is None else tuple(si(v, unit) for v in values)

    def one(value, unit):
        return nan if value is None else si(value, unit)

    return _hooke.bearing(
        compiled,
        name,
        numbers(force, "N", 3),
        numbers(moment, "N*m", 2),
        numbers(tilt, "rad", 2),
        one(speed, "rad/s"),
        one(cage, "rad"),
        one(cage_speed, "rad/s"),
        free_tilt,
    )


def poincare(
    compiled, channels, period=None, phase=0.0, event=None, value=0.0, modulo=0.0, direction=1, wait=0.0,
    skip=100, points=200, lyapunov=False, wrap=(), progress=None, cancel=None,
):
    if (period is None) == (event is None):
        raise _hooke.InputError("a section is given by a period or by an event: the channel that crosses a value")
    unit = "1"
    if event is not None:
        unit = {n: u for n, u, _, _ in compiled.channels()}.get(event, "1")
    return _hooke.orbit(
        compiled, list(channels), 0.0 if period is None else si(period, "s"), float(phase), event, si(value, unit),
        si(modulo, unit), direction, si(wait, "s"), _count("skip", skip, 100), _count("points", points, 200), lyapunov,
        tuple(wrap), progress, cancel,
    )
