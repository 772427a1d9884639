"""Forces and sensors written as Python functions, for experiments; plugins are much faster (docs/develop/extending.md)."""

from . import _hooke
from ._items import Item, _constructors, _custom, _custom_types, _tables


def _make(function, name, doc, frames, sensor, parameters, channels):
    code = function.__code__
    arguments = code.co_varnames[: code.co_argcount]
    rows = []
    for key, given in (parameters or {}).items():
        # "N/m", or ("N/m", default), or ("N/m", default, description)
        given = (given,) if isinstance(given, str) else tuple(given)
        unit = given[0]
        default = given[1] if len(given) > 1 else None
        if isinstance(default, str):
            default = _hooke.quantity_as(default, unit)
        rows.append((key, unit, given[2] if len(given) > 2 else key, default))
    quantities = []
    for key, given in (channels or {}).items():
        given = (given,) if isinstance(given, str) else tuple(given)
        quantities.append((key, given[0], given[1] if len(given) > 1 else key))
    made = _hooke.custom_force(name, doc, function, arguments, frames, sensor, rows, quantities)
    table = {
        "name": name, "section": "forces", "category": "force", "doc": doc, "source": "defined in Python",
        "in_programs_only": False, "parameters": {},
    }
    blank = {
        "angular_unit": None, "positive": False, "any_unit": False, "min": None, "max": None, "group": None,
        "suffix": None, "choices": [],
    }
    own = [("a", "frame", "1", "first frame", False), ("b", "frame", "1", "second frame", True)]
    if not frames:
        own = [("coordinate", "coordinate", "1", "coordinate along which the force acts", True)]
    own += [(k, "number", u, d, default is None) for k, u, d, default in rows]
    for key, kind, unit, text, required in own:
        table["parameters"][key] = dict(blank, name=key, kind=kind, unit=unit, doc=text, required=required)
    _custom[name] = table
    _custom_types[name] = made
    _constructors.pop(name, None)
    _tables.pop(("forces", name), None)
    from ._items import constructor

    return constructor(name)


def _decorator(frames_names, sensor, function, name, parameters, channels):
    def decorate(f):
        if not hasattr(f, "__code__"):
            raise TypeError(f"a force or sensor is a Python function (def or lambda), not {type(f).__name__}")
        code = f.__code__
        arguments = code.co_varnames[: code.co_argcount]
        frames = sensor or any(a in frames_names for a in arguments)
        if sensor and any(a in ("x", "rate") for a in arguments):
            frames = False
        doc = (f.__doc__ or f"{name or f.__name__}, defined in Python").strip().split("\n")[0]
        return _make(f, name or f.__name__, doc, frames, sensor, parameters, channels)

    return decorate if function is None else decorate(function)


def force(function=None, *, name=None, parameters=None, channels=None):
    """Decorator: a force type from a function.

    Along a coordinate the function gets x and rate, between two frames A and B (hooke.Frame: x, R, v, w), and in both cases t
    and its parameters by name.  It returns the force along the coordinate, or the force on B as three numbers, or (force,
    moment) on B at its origin; A gets the opposite.  With channels it returns (force, {channel: value}).

        @hooke.force(parameters={"k": "N/m", "c": ("N*s/m", 0.0)})
        def strut(x, rate, k, c):
            return -k*x - c*rate

        m.forces["s"] = strut(coordinate="slide.displacement", k="100 N/m")

    The function must return the same for the same arguments.  Derivatives are differences; hooke.conform(strut) checks it.
    """
    return _decorator(("A", "B"), False, function, name, parameters, channels)


def sensor(function=None, *, name=None, unit="1", parameters=None, channels=None):
    """Decorator: a sensor from a function of frames A and B, or of x and rate, t and parameters, that exerts no force.

    It is an item of `forces`, and its channel is "item.value", or the given channels.  Expressions of the model cannot read it.
    """
    return _decorator((), True, function, name, parameters, channels or {"value": (unit, "value of the sensor")})


class Conformance(list):
    """Checks of a type: list of (check, what, verdict, cases, worst, text)."""

    @property
    def passed(self):
        return all(verdict != "failed" for _, _, verdict, _, _, _ in self)

    @property
    def failures(self):
        return [(name, text) for name, _, verdict, _, _, text in self if verdict == "failed"]

    def __repr__(self):
        lines = [f"{name}: {verdict}{'; ' + text if text else ''}" for name, _, verdict, _, _, text in self]
        return "\n".join(lines)


def conform(type, *, section=None, only=None, draws=0):
    """Run the checks that every type of the library passes, on a type by its name or constructor."""
    from ._items import sections_of, _all_types
    from ._names import suggestion
    from ._model import _plugins

    name = type if isinstance(type, str) else getattr(type, "__name__", None)
    if name is None:
        raise TypeError(f"conform takes a type or its name, not {type!r}")
    if section is None:
        found = sections_of(name)
        if not found:
            raise _hooke.InputError(f"there is no type '{name}'{suggestion(name, _all_types())}")
        section = found[0]
    types = (_custom_types[name],) if name in _custom_types else ()
    return Conformance(_hooke.conform(section, name, types, tuple(_plugins), only, draws))
