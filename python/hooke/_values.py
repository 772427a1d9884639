"""Numbers with units, and Python values written as a model file writes them."""

from . import _hooke


class Value(float):
    """A number in SI units that knows its unit: float(v), v.unit, v.to("deg")."""

    __slots__ = ("unit", "time", "error", "note")

    def __new__(cls, value, unit="1", time=None, error=0.0, note=""):
        self = float.__new__(cls, value)
        self.unit = unit
        self.time = time
        self.error = error
        self.note = note
        return self

    def to(self, unit):
        """The number in another unit."""
        return Value(_hooke.convert(float(self), self.unit, unit), unit, self.time, self.error, self.note)

    def __getnewargs__(self):
        return float(self), self.unit, self.time, self.error, self.note

    def __str__(self):
        return f"{float(self):.9g}" + ("" if self.unit == "1" else " " + self.unit)

    def __repr__(self):
        return f"<{self}>"

    def __format__(self, spec):
        return format(float(self), spec) if spec else str(self)


def quantity(text):
    """A Value of a text such as "5 N*m" or "2*pi/60 * 3 kW"."""
    if isinstance(text, (int, float)):
        return Value(text)
    return Value(*_hooke.quantity(text))


def si(value, unit):
    """The number in SI units of a quantity with the dimension of `unit`: a text with a unit, or a number in SI units."""
    if isinstance(value, str):
        return _hooke.quantity_as(value, unit)
    return float(value)


_units = {}


def unit_text(unit):
    """The SI unit as a model file writes it after a number; "": none."""
    if unit not in _units:
        text = _hooke.unit_text(unit)
        _units[unit] = "" if text == "1" else text
    return _units[unit]


def quoted(text):
    """A text as a YAML scalar in double quotes."""
    out = ['"']
    for c in text:
        if c in '"\\':
            out.append("\\" + c)
        elif c < " " or c == "\x7f":
            out.append(f"\\x{ord(c):02x}")
        else:
            out.append(c)
    out.append('"')
    return "".join(out)


def number(x, unit="1"):
    """A number in SI units with its unit."""
    x = float(x)
    if x != x or x in (float("inf"), float("-inf")):
        raise _hooke.InputError(f"{x} is not a number that a model can use")
    text = unit_text(unit)
    return repr(x) if x == 0 or not text else f"{x!r} {text}"


def is_number(x):
    return isinstance(x, (int, float)) or (hasattr(x, "__float__") and not hasattr(x, "__len__"))


def scalar(x, unit="1"):
    """A scalar of a model file without quotes, as --set takes it."""
    if isinstance(x, bool):
        return "true" if x else "false"
    if isinstance(x, str):
        return x
    if isinstance(x, Value) and x.unit != "1":
        return number(_hooke.convert(float(x), x.unit, unit_text(x.unit) or "1"), x.unit)
    if is_number(x):
        # Whole numbers stay whole: the model file requires integers for counts.
        if isinstance(x, int) and unit == "1":
            return str(x)
        return number(x, unit)
    raise TypeError(f"a number, a text, a list or a dict is needed, not {type(x).__name__}")


def flow(x, unit="1"):
    """Any value in YAML's flow style."""
    if isinstance(x, dict):
        return "{" + ", ".join(f"{quoted(str(k))}: {flow(v, unit)}" for k, v in x.items()) + "}"
    if not isinstance(x, str) and hasattr(x, "__iter__"):
        return "[" + ", ".join(flow(v, unit) for v in x) + "]"
    text = scalar(x, unit)
    return quoted(text) if isinstance(x, str) or " " in text else text
