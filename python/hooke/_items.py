"""Items of models: bodies, joints, forces ... with the names and the checks of the tables of types."""

from . import _hooke
from ._names import suggestion
from ._values import Value, flow, is_number, scalar

#: Sections of the model file: section -> (category, default type).  Integrators have no section: their keys are in the analysis.
SECTIONS = {section: (category, default) for section, category, default in _hooke.sections() if category != "stepper"}
STEPPERS = [section for section, category, _ in _hooke.sections() if category == "stepper"][0]
_tables = {}


def table(section, name):
    """The table of a type: a dict with `parameters` by name; None: no such type."""
    key = section, name
    if key not in _tables:
        t = _custom.get(name) if section == "forces" and name in _custom else _hooke.type_table(section, name)
        if t is not None and not isinstance(t["parameters"], dict):
            t["parameters"] = {p["name"]: p for p in t["parameters"]}
        if name in _custom and section == "forces":
            return t
        _tables[key] = t
    return _tables[key]


#: Tables of custom types by name; the objects themselves are in `_custom_types`.
_custom = {}
_custom_types = {}


def sections_of(name):
    """The sections that have a type of this name."""
    tables = [(s, table(s, name)) for s in SECTIONS]
    return [s for s, t in tables if t is not None and not t["in_programs_only"]]


# Keys of an item that are not parameters of its type.
_OTHER_KEYS = {
    "bodies": ("markers", "shapes", "repeat"),
    "laws": (),
    "analysis": (),
}


def _keys(section, t):
    keys = dict(t["parameters"])
    for p in t["parameters"].values():
        if p["group"]:
            keys.setdefault(p["group"], None)
    for other in _OTHER_KEYS.get(section, ("repeat",)):
        keys.setdefault(other, None)
    if section == "analysis":
        for stepper in _hooke.type_names(STEPPERS):
            for p in _hooke.type_table(STEPPERS, stepper)["parameters"]:
                keys.setdefault(p["name"], p)
    return keys


def check(section, name, key, value):
    """Refuses unknown keys, choices and ranges; units and names of other items are checked when the model is compiled."""
    t = table(section, name)
    keys = _keys(section, t)
    if key not in keys:
        raise AttributeError(
            f"{t['category']} type '{name}' has no parameter '{key}'{suggestion(key, keys)}"
        )
    p = keys[key]
    if p is None:
        return None
    what = f"'{key}' of {t['category']} type '{name}'"
    if p["kind"] == "choice" and isinstance(value, str) and not value.startswith("$"):
        if value not in p["choices"]:
            raise _hooke.InputError(
                f"{what} is one of {', '.join(p['choices'])}, not '{value}'{suggestion(value, p['choices'])}"
            )
    if p["kind"] in ("number", "integer") and is_number(value) and not isinstance(value, bool):
        x = float(value)
        if p["positive"] and not x > 0:
            raise _hooke.InputError(f"{what} must be positive, not {x:g}")
        if p["min"] is not None and x < p["min"]:
            raise _hooke.InputError(f"{what} must be at least {p['min']:g}, not {x:g}")
        if p["max"] is not None and x > p["max"]:
            raise _hooke.InputError(f"{what} must be at most {p['max']:g}, not {x:g}")
    return p


def written(section, name, key, value):
    """The value of a key as a model file writes it."""
    p = check(section, name, key, value)
    unit = "1"
    if p is not None:
        if p["angular_unit"] is None and not p["any_unit"] and p["kind"] not in ("direction", "rotation", "points"):
            unit = p["unit"]
        if p["kind"] == "rotation" and not isinstance(value, (str, dict)) and len(value) == 4:
            if all(is_number(x) for x in value):
                value = {"quaternion": list(value)}
    elif key == "markers":
        unit = "m"
    if isinstance(value, str) or is_number(value):
        return scalar(value, unit)
    return flow(value, unit)


def plain(key):
    """from_ is the key `from`: some keys of the model file are reserved words of Python."""
    if key.endswith("_"):
        from keyword import iskeyword

        if iskeyword(key[:-1]):
            return key[:-1]
    return key


class Item:
    """An item of a model: its type and the parameters that were given.

    hooke.rod(length="1 m", mass=2) makes one.  Texts are written as in the model file, with units, names of parameters and
    expressions; numbers are in SI units.  Attributes read what was given; item.value(name) is the number that counts in the
    model, defaults and expressions included.
    """

    def __init__(self, type, /, **parameters):
        object.__setattr__(self, "_type", type)
        object.__setattr__(self, "_given", {})
        object.__setattr__(self, "_home", None)  # (model, section, name)
        if not sections_of(type):
            raise _hooke.InputError(f"there is no type '{type}'{suggestion(type, _all_types())}")
        for key, value in parameters.items():
            setattr(self, key, value)

    @property
    def type(self):
        return self._type

    @property
    def given(self):
        """A copy of the given parameters."""
        return dict(self._given)

    def _sections(self):
        return [self._home[1]] if self._home else sections_of(self._type)

    def __setattr__(self, key, value):
        key = plain(key)
        problem = None
        for section in self._sections():
            try:
                check(section, self._type, key, value)
                break
            except (AttributeError, _hooke.InputError) as e:
                problem = problem or e
        else:
            raise problem
        self._given[key] = value
        if self._home:
            self._home[0]._changed()

    def __getattr__(self, key):
        if key.startswith("_"):
            raise AttributeError(key)
        key = plain(key)
        if key in self._given:
            return self._given[key]
        section = self._sections()[0]
        check(section, self._type, key, None)
        if self._home:
            return self._home[0]._value(section, self._home[2], key)
        raise AttributeError(f"'{key}' was not given, and the item belongs to no model that knows its default")

    def __delattr__(self, key):
        key = plain(key)
        if key not in self._given:
            raise AttributeError(f"'{key}' was not given")
        del self._given[key]
        if self._home:
            self._home[0]._changed()

    def value(self, key):
        """The value of a parameter in the model: a hooke.Value, a list of numbers, or a text."""
        if not self._home:
            raise _hooke.InputError("the item belongs to no model")
        return self._home[0]._value(self._home[1], self._home[2], key)

    def __reduce__(self):
        return _blank, (self._type,), dict(self.__dict__)

    def _text(self, section):
        entries = [f"type: {self._type}"] if section != "analysis" or self._type != "dynamics" else []
        for key, value in self._given.items():
            text = written(section, self._type, key, value)
            # A list or a dict is in flow style already.
            entries.append(f"{key}: {text if text[:1] in '[{' and not isinstance(value, str) else _quote(text)}")
        return "{" + ", ".join(entries) + "}"

    def __dir__(self):
        names = set(super().__dir__())
        for section in self._sections():
            names.update(_keys(section, table(section, self._type)))
        return sorted(names)

    def __repr__(self):
        given = ", ".join(f"{k}={v!r}" for k, v in self._given.items())
        return f"hooke.{self._type}({given})"


def _quote(text):
    from ._values import quoted

    return quoted(text)


def _blank(name):
    """An item without parameters, for pickle and copy."""
    kind = constructor(name)
    return kind.__new__(kind)


class FileItem:
    """An item of the file or text from which a model was read.  Setting an attribute changes the model, not the file."""

    def __init__(self, model, section, name, type):
        object.__setattr__(self, "_home", (model, section, name))
        object.__setattr__(self, "_type", type)

    @property
    def type(self):
        return self._type

    def __setattr__(self, key, value):
        model, section, name = self._home
        key = plain(key)
        path = f"{section}.{key}" if section == "analysis" else f"{section}.{name}.{key}"
        model._override(path, written(section, self._type, key, value))

    def __getattr__(self, key):
        if key.startswith("_"):
            raise AttributeError(key)
        model, section, name = self._home
        key = plain(key)
        check(section, self._type, key, None)
        return model._value(section, name, key)

    value = __getattr__

    def __dir__(self):
        return sorted(set(super().__dir__()) | set(_keys(self._home[1], table(self._home[1], self._type))))

    def __repr__(self):
        return f"<{SECTIONS[self._home[1]][0]} '{self._home[2]}' of type {self._type}>"


class Section:
    """The items of one section of a model by name, such as model.bodies."""

    def __init__(self, model, section):
        self._model = model
        self._section = section
        self._items = {}
        self._removed = set()

    def _from_file(self):
        if not self._model._has_source:
            return {}
        return {n: t for n, t in self._model._source_items(self._section) if n not in self._removed}

    def __getitem__(self, name):
        if name in self._items:
            return self._items[name]
        types = self._from_file()
        if name not in types:
            raise KeyError(f"{self._section} has no '{name}'{suggestion(name, self)}")
        return FileItem(self._model, self._section, name, types[name])

    def __setitem__(self, name, item):
        category, default = SECTIONS[self._section]
        if isinstance(item, dict):
            given = dict(item)
            item = Item(given.pop("type", default) or "", **given)
        if isinstance(item, str) or is_number(item):
            item = _short(self._section, item)
        if not isinstance(item, Item):
            raise TypeError(f"{self._section} takes items such as hooke.{_example(self._section)}(...), or dicts")
        if item._home:
            raise _hooke.InputError(f"the item is '{item._home[2]}' already; make another one")
        if table(self._section, item.type) is None:
            raise _hooke.InputError(
                f"'{item.type}' is no type of {self._section}{suggestion(item.type, _hooke.type_names(self._section))}"
            )
        for key, value in item._given.items():
            check(self._section, item.type, key, value)
        if name in self._items:
            object.__setattr__(self._items[name], "_home", None)
        object.__setattr__(item, "_home", (self._model, self._section, name))
        self._items[name] = item
        self._removed.discard(name)
        self._model._changed()

    def __delitem__(self, name):
        if name in self._items:
            object.__setattr__(self._items.pop(name), "_home", None)
            if self._model._has_source and name in self._from_file():
                self._removed.add(name)
        elif name in self._from_file():
            self._removed.add(name)
        else:
            raise KeyError(f"{self._section} has no '{name}'{suggestion(name, self)}")
        self._model._changed()

    def __contains__(self, name):
        return name in self._items or name in self._from_file()

    def __iter__(self):
        names = [n for n in self._from_file() if n not in self._items]
        return iter(names + list(self._items))

    def __len__(self):
        return len(list(iter(self)))

    def keys(self):
        return list(self)

    def values(self):
        return [self[n] for n in self]

    def items(self):
        return [(n, self[n]) for n in self]

    def __repr__(self):
        return f"<{self._section}: {', '.join(self)}>"


def _short(section, value):
    """m.sensors["s"] = "a.x - b.x", m.inputs["u"] = "N"."""
    key = {"sensors": "value", "inputs": "unit"}.get(section)
    if key is None:
        raise TypeError(f"{section} takes items, such as hooke.{_example(section)}(...), or dicts")
    return Item(SECTIONS[section][1], **{key: value})


def _example(section):
    names = _hooke.type_names(section)
    return names[0] if names else "item"


def _all_types():
    return [n for s in SECTIONS for n in _hooke.type_names(s) if sections_of(n)] + list(_custom)


def documentation(name):
    """Docstring of a type from its tables."""
    parts = []
    for section in sections_of(name):
        t = table(section, name)
        parts.append(f"{t['category']}: {t['doc']}\n\nParameters:")
        for p in t["parameters"].values():
            unit = "" if p["unit"] == "1" or p["kind"] not in ("number", "vector", "numbers", "inertia", "expression", "expressions") else f" [{p['unit']}]"
            choices = f" ({', '.join(p['choices'])})" if p["choices"] else ""
            parts.append(f"    {p['name']}: {p['kind']}{unit}{', required' if p['required'] else ''}: {p['doc']}{choices}")
        parts.append("")
    return "\n".join(parts)


_constructors = {}


def constructor(name):
    """The class hooke.NAME of a type; None: no such type."""
    if name not in _constructors:
        if not sections_of(name):
            return None

        def __init__(self, /, **parameters):
            Item.__init__(self, name, **parameters)

        __init__.__qualname__ = name  # in the message about an argument without a name
        _constructors[name] = type(
            name, (Item,), {"__init__": __init__, "__doc__": documentation(name), "__module__": "hooke"}
        )
    return _constructors[name]


class Types:
    """The types of one section: hooke.joints.distance, hooke.sensors.distance."""

    def __init__(self, section):
        self._section = section

    def __getattr__(self, name):
        if name.startswith("_") or table(self._section, name) is None:
            raise AttributeError(f"{self._section} has no type '{name}'{suggestion(name, dir(self))}")
        return constructor(name)

    def __dir__(self):
        return _hooke.type_names(self._section)

    def __repr__(self):
        return f"<types of {self._section}: {', '.join(dir(self))}>"
