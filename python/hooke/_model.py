"""Models: read from a file or a text, or built in Python, changed, compiled and run."""

import os

from . import _hooke
from ._files import ending, write
from ._items import SECTIONS, Item, FileItem, Section, _custom_types
from ._names import Named, suggestion
from ._values import Value, flow, quoted, scalar
from . import _results


class Warning(UserWarning):
    """A warning of the library: about a model, or about the accuracy of a run."""


#: Plugins with which every model is read: paths of shared objects.
_plugins = []


def plugin(path):
    """Add the types of a plugin (a shared object) for all models that are compiled from now on."""
    path = os.path.abspath(os.fspath(path))
    _hooke.compile("plugin", "format: 1\n", [], (), tuple(_plugins) + (path,), 0)
    _plugins.append(path)


def warn(messages, level=3):
    import warnings

    for m in messages:
        if m.severity == "warning":
            place = f"{m.file}:{m.line}:{m.column}: " if m.file and m.line else f"{m.item}: " if m.item else ""
            warnings.warn(place + m.text, Warning, stacklevel=level)


class Parameters:
    """Top-level parameters of a model by name: model.parameters["L"] = "80 cm"."""

    def __init__(self, model):
        self._model = model
        self._own = {}

    def _all(self):
        return {n: Value(v, u) for n, v, u, _ in self._model.compile().parameters()}

    def __getitem__(self, name):
        values = self._all()
        if name not in values:
            raise KeyError(f"the model has no parameter '{name}'{suggestion(name, values)}")
        return values[name]

    def __setitem__(self, name, value):
        if self._model._has_source:
            self._model._override(f"parameters.{name}", self._model._parameter_text(name, value))
        else:
            self._own[name] = value
            self._model._changed()

    def __contains__(self, name):
        return name in self._all()

    def __iter__(self):
        return iter(self._all())

    def __len__(self):
        return len(self._all())

    def keys(self):
        return list(self._all())

    def items(self):
        return list(self._all().items())

    def __repr__(self):
        return "<parameters: " + ", ".join(f"{n} = {v}" for n, v in self._all().items()) + ">"


class Model:
    """A model: from a file (hooke.read), from a text (hooke.read_text), or built in Python.

        m = hooke.Model(title="pendulum")
        m.bodies["arm"] = hooke.rod(length="1 m", mass=2)
        m.joints["pin"] = hooke.revolute(b="arm", axis="z")
        m.forces["weight"] = hooke.gravity(acceleration=[0, -9.81, 0])
        m.analysis = hooke.dynamics(duration="2 s")
        r = m.run()

    Sections have the names of the model file: bodies, joints, forces, laws, contacts, motions, tables, inputs, states,
    sensors, measures; `parameters` and `analysis` too.  Texts are written as in the file; numbers are in SI units.
    """

    def __init__(self, title=None, *, path=None, text=None, name=None, allow_outside=False, allow_native=False):
        self._path = os.fspath(path) if path is not None else None
        self._source = text
        self._name = name or "model"
        self._title = title
        self._allow = bool(allow_outside) + 2 * bool(allow_native)
        self._has_source = path is not None or text is not None
        self._overrides = {}
        self._sections = {s: Section(self, s) for s in SECTIONS if s != "analysis"}
        self._analysis = None
        self.parameters = Parameters(self)
        self._cache = {}
        self._warned = set()

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)  # also while a model is made of a pickle, before it has sections
        if name in self._sections:
            return self._sections[name]
        raise AttributeError(f"a model has no '{name}'" + suggestion(name, dir(self)))

    def __setattr__(self, name, value):
        if name in SECTIONS and name != "analysis":
            raise AttributeError(f"items are set by name: model.{name}[\"name\"] = ...")
        if name == "parameters" and name in self.__dict__:
            raise AttributeError("parameters are set by name: model.parameters[\"name\"] = ...")
        if not (name.startswith("_") or name == "parameters" or isinstance(getattr(type(self), name, None), property)):
            raise AttributeError(f"a model has no '{name}'" + suggestion(name, dir(self)))
        object.__setattr__(self, name, value)

    def __dir__(self):
        return sorted(set(super().__dir__()) | set(self._sections))

    # ---- the description ----

    @property
    def title(self):
        return self.compile().title

    @title.setter
    def title(self, text):
        self._title = str(text)
        self._changed()

    @property
    def analysis(self):
        """The analysis: model.analysis.duration = "2 s", or model.analysis = hooke.dynamics(...)."""
        if self._analysis is not None:
            return self._analysis
        if not self._has_source:
            self.analysis = Item("dynamics")
            return self._analysis
        types = dict(self._source_items("analysis"))
        return FileItem(self, "analysis", "analysis", next(iter(types.values()), "dynamics"))

    @analysis.setter
    def analysis(self, item):
        if isinstance(item, dict):
            given = dict(item)
            item = Item(given.pop("type", "dynamics"), **given)
        if not isinstance(item, Item):
            raise TypeError("the analysis is hooke.dynamics(...) or a dict")
        object.__setattr__(item, "_home", (self, "analysis", "analysis"))
        self._analysis = item
        self._changed()

    def _changed(self):
        self._cache.clear()

    def _override(self, path, text):
        self._overrides.pop(path, None)
        self._overrides[path] = text
        self._changed()

    def set(self, path, value):
        """Change one value by its path, as `hooke --set` does: model.set("joints.pin.friction", 0.1)."""
        self._override(path, scalar(value) if isinstance(value, str) else flow(value))

    def _own_text(self):
        """The first lines of the text of a model without a file."""
        lines = ["format: 1"]
        if self.parameters._own:
            lines.append("parameters:")
            lines += [f"  {n}: {_scalar_or_flow(v)}" for n, v in self.parameters._own.items()]
        return "\n".join(lines) + "\n"

    def _changes(self):
        """All changes as overrides, in order."""
        out = []
        if self._title is not None:
            out.append(("title", self._title))
        for name, section in self._sections.items():
            out += [(f"{name}.{item}", "~") for item in section._removed]
            out += [(f"{name}.{n}", item._text(name)) for n, item in section._items.items()]
        if self._analysis is not None:
            text = self._analysis._text("analysis")
            if text != "{}":
                out.append(("analysis", text))
        out += list(self._overrides.items())
        return out

    def _custom(self):
        used = {i.type for i in self._sections["forces"]._items.values()}
        if self._has_source:  # a file may name any of them
            used = set(_custom_types)
        return tuple(_custom_types[n] for n in _custom_types if n in used)

    @property
    def text(self):
        """The model as the text of a model file.  For a model that was read from a file: the text of that file, without the changes."""
        if self._has_source:
            if self._source is not None:
                return self._source
            with open(self._path, encoding="utf-8") as f:
                return f.read()
        lines = [self._own_text().rstrip("\n")]
        if self._title is not None:
            lines.append(f"title: {quoted(self._title)}")
        if self._overrides:
            raise _hooke.InputError("changes made by set() have no place in the text of a model; set attributes instead")
        for name, section in self._sections.items():
            if section._items:
                lines.append(f"{name}:")
                lines += [f"  {n}: {item._text(name)}" for n, item in section._items.items()]
        if self._analysis is not None and self._analysis._text("analysis") != "{}":
            lines.append(f"analysis: {self._analysis._text('analysis')}")
        return "\n".join(lines) + "\n"

    def save(self, path):
        """Write the model as a model file.  Its own file may be replaced, its tables, meshes and other inputs may not."""
        ending(path, "models", (".yaml", ".yml", ".json", ".txt"), self._inputs(path))
        write(path, self.text)

    def _inputs(self, path):
        """Files that an output of this model must not overwrite, except the file from which the model was read."""
        if self._path is not None and os.path.exists(path) and os.path.samefile(path, self._path):
            return ()
        try:
            return (self.compile(),)
        except _hooke.Error:  # a model with errors can be saved: the files that its items name are known
            given = [item._given for section in self._sections.values() for item in section._items.values()]
            return [str(g[key]) for g in given for key in ("file", "compliance") if key in g]

    def __getstate__(self):
        state = dict(self.__dict__)
        state["_cache"] = {}  # compiled models stay in their process
        return state

    def copy(self):
        """An independent copy."""
        other = Model(self._title, path=self._path, text=self._source, name=self._name)
        other._allow = self._allow
        other._overrides = dict(self._overrides)
        other.parameters._own = dict(self.parameters._own)
        for name, section in self._sections.items():
            other._sections[name]._removed = set(section._removed)
            for n, item in section._items.items():
                other._sections[name][n] = Item(item.type, **item._given)
        if self._analysis is not None:
            other.analysis = Item(self._analysis.type, **self._analysis._given)
        return other

    # ---- compiling ----

    def _parameter_text(self, name, value):
        """A number for a parameter with a unit is in SI units."""
        if isinstance(value, (str, bool)) or isinstance(value, Value):
            return scalar(value)
        units = {n: u for n, _, u, _ in self.compile().parameters()}
        return scalar(value, units.get(name, "1"))

    def compile(self, set=None, analysis=None, **parameters):
        """The compiled model, with values of parameters and other changes that apply to this compilation only."""
        changes = self._changes()
        for name, value in parameters.items():
            changes.append((f"parameters.{name}", self._parameter_text(name, value)))
        for key, value in (analysis or {}).items():
            from ._items import written

            changes.append((f"analysis.{key}", written("analysis", "dynamics", key, value)))
        for path, value in (set or {}).items():
            changes.append((path, scalar(value) if isinstance(value, str) else flow(value)))
        key = tuple(changes)
        if key in self._cache:
            return self._cache[key]
        if self._path is not None:
            name, text = self._path, None
        else:
            name, text = self._name, self._source if self._source is not None else self._own_text()
        compiled = _hooke.compile(name, text, changes, self._custom(), tuple(_plugins), self._allow)
        if len(self._cache) > 8 or self._path is not None:
            self._cache.clear()
        self._cache[key] = compiled
        return compiled

    def _compiled_for(self, options):
        compiled = self.compile(**options)
        warn([m for m in compiled.messages if m.text not in self._warned], 4)
        self._warned.update(m.text for m in compiled.messages)
        return compiled

    def _source_items(self, section):
        """Items of the file only, as [(name, type)]."""
        key = "source"
        if key not in self._cache:
            name, text = (self._path, None) if self._path is not None else (self._name, self._source)
            self._cache[key] = _hooke.compile(name, text, [], self._custom(), tuple(_plugins), self._allow)
        return self._cache[key].items(section)

    def _value(self, section, name, key):
        text, numbers, _ = self.compile().value(section, name, key)
        from ._items import table

        types = dict(self.compile().items(section))
        p = table(section, types.get(name, next(iter(types.values()), "")))["parameters"].get(key)
        if numbers is None or p is None:
            return text
        if p["kind"] == "choice":
            return p["choices"][int(numbers[0])]
        if p["kind"] == "boolean":
            return bool(numbers[0])
        if p["kind"] == "integer":
            return int(numbers[0])
        if p["kind"] in ("number", "expression"):
            unit = text.split(" ", 1)[1] if " " in text and p["kind"] == "number" else p["unit"]
            return Value(numbers[0], unit)
        return numbers

    @property
    def channels(self):
        """All channels that can be recorded: dict of name -> (unit, description)."""
        return Named("channel", {n: (u, d) for n, u, d, _ in self.compile().channels()})

    # ---- computing ----

    def run(self, *, record=None, results=None, progress=None, cancel=None, set=None, analysis=None, **parameters):
        """Run the analysis and return hooke.Results.

        Keywords are parameters of the model for this run: model.run(L="80 cm", mu=0.2).
        record: names of channels, or a POSIX regular expression; default: all but the insides of composite joints
        results: also write this HDF5 file
        progress: function of (what, done, time, count), called ten times a second; if it returns False, the run stops
        cancel: an object with is_set(), such as threading.Event: set, it stops the run
        set: other changes by path: {"joints.pin.friction": 0.1}
        analysis: keys of the analysis: {"duration": "2 s"}
        """
        options = dict(set=set, analysis=analysis, **parameters)
        compiled = self._compiled_for(options)
        if results is not None:
            _results.results_name(results, (compiled,))
        origin = self._origin(set, analysis, parameters)
        raw = _hooke.run(
            compiled, record, None if results is None else os.fspath(results), progress, cancel, *origin
        )
        out = _results.Results(raw, origin)
        warn(raw.messages)
        try:
            raw.raise_failure()
        except _hooke.Error as e:
            e.results = out if len(out) else None
            raise
        return out

    def _origin(self, set, analysis, parameters):
        """The data of the model for a results file: name of the file, text, changes."""
        changes = [f"{p}={v}" for p, v in self._overrides.items()]
        given = {**parameters, **{f"analysis.{k}": v for k, v in (analysis or {}).items()}, **(set or {})}
        changes += [f"{p}={_scalar_or_flow(v)}" for p, v in given.items()]
        own = self._path is None and self._source is None and self._overrides
        return self._path or self._name, self._own_text() if own else self.text, changes

    def simulate(self, *, stepper=None, progress=None, cancel=None, one_step=False, set=None, analysis=None, **parameters):
        """A hooke.Simulation that is moved step by step: inputs, values, save and restore."""
        compiled = self._compiled_for(dict(set=set, analysis=analysis, **parameters))
        simulation, messages = _hooke.simulate(compiled, stepper, one_step, progress, cancel)
        warn(messages)
        return simulation

    def _split(self, options, names):
        """Keywords of an analysis and those of the model."""
        own = {k: options.pop(k) for k in list(options) if k in names}
        return self._compiled_for(options), own

    def static(self, **options):
        """The static equilibrium near the positions in the file: a hooke.Equilibrium.  Keywords as in run()."""
        from . import _analysis

        compiled, own = self._split(options, ("progress", "cancel"))
        out = _analysis.static(compiled, **own)
        warn(out.messages)
        return out

    def modes(self, **options):
        """Modes about the equilibrium: a list of hooke.Mode.

        as_placed: about the position of the file, at rest, instead; at: about the state in steady motion at this time; count, shift:
        the few eigenvalues nearest to a real number [1/s], for large models.  Other keywords as in run().
        """
        from . import _analysis

        compiled, own = self._split(options, ("as_placed", "at", "count", "shift", "progress", "cancel"))
        out = _analysis.modes(compiled, **own)
        warn(out.messages)
        return out

    def frf(self, to, **options):
        """Frequency response of channels `to` to an input (a load, an actuator or a motion): a hooke.Response.

        input: its name, if the model has several; frequencies: list [Hz]; or range: (first, last), points, log; default: a range
        with all resonances; as_placed, at: as for modes().  Other keywords as in run().
        """
        from . import _analysis

        names = ("input", "frequencies", "range", "points", "log", "as_placed", "at", "progress", "cancel")
        compiled, own = self._split(options, names)
        out = _analysis.response(compiled, to, **own)
        warn(out.messages)
        return out

    def state_space(self, channels=(), *, as_placed=False, at=None, **options):
        """Matrices A, B, C, D of the linear model with the names of inputs, states and outputs, as a dict."""
        from ._analysis import _time

        return _hooke.state_space(self._compiled_for(options), list(channels), as_placed, _time(at))

    def gear(self, name=None, **options):
        """A gear pair over one pitch under a torque and at a speed: a dict in SI units (see `hooke gear`)."""
        from . import _analysis

        compiled, own = self._split(options, ("torque", "speed", "points"))
        return _analysis.gear(compiled, name, **own)

    def bearing(self, name=None, **options):
        """A rolling bearing under load: displacement, stiffness, loads of its elements, life: a dict (see `hooke bearing`).

        force: three components; moment, tilt: two; speed, cage, cage_speed; free_tilt
        """
        from . import _analysis

        names = ("force", "moment", "tilt", "speed", "cage", "cage_speed", "free_tilt")
        compiled, own = self._split(options, names)
        return _analysis.bearing(compiled, name, **own)

    def poincare(self, *channels, **options):
        """Poincare section of channels: a dict of time, points, period, and with lyapunov=True the largest exponent.

        period: one point per period; or event: a channel that crosses `value` (plus multiples of `modulo`) in `direction`;
        skip, points: sections to pass and to record; wrap: names of angles to be counted from -pi to pi
        """
        from . import _analysis

        names = (
            "period", "phase", "event", "value", "modulo", "direction", "wait", "skip", "points", "lyapunov", "wrap", "progress",
            "cancel",
        )
        compiled, own = self._split(options, names)
        return _analysis.poincare(compiled, channels, **own)

    def periodic(self, period=None, *, turn=None, set=None, analysis=None, **options):
        """The periodic orbit to which the motion converges: a hooke.Periodic with its period, stability and Floquet multipliers.

        period: of the drive; or turn: a channel, if the period is unknown (the time in which it changes by `amount`, or in which it
        returns); unknown=True: `period` is a first guess; start: simulate to this time first; tolerance, method ('auto', 'plain',
        'anderson', 'newton'), most_runs, floquet, stepper.  Other keywords as in run().
        """
        from . import _analysis

        names = ("amount", "unknown", "start", "tolerance", "method", "most_runs", "floquet", "stepper", "progress", "cancel")
        own = {k: options.pop(k) for k in list(options) if k in names}
        compiled = self._compiled_for(dict(set=set, analysis=analysis, **options))
        out = _analysis.periodic(compiled, self._origin(set, analysis, options), period, turn, **own)
        warn(out.messages)
        return out

    def fmu(self, path, *, fmi=3, inputs=(), outputs=(), parameters=(), terminals=(), arrays=(), rates=False, model_exchange=False):
        """Write the model as an FMU (FMI 2.0 or 3.0) for other programs; default: all inputs, main channels, all parameters.

        terminals: texts such as "flange=torque,shaft.angle"; arrays: FMI 3.0, texts such as "position=arm.x,arm.y,arm.z"; rates: FMI 3.0, a
        second input der(u) for each input u; model_exchange: other programs may integrate the model too
        """
        import tempfile

        from ._command import command

        ending(path, "FMUs", (".fmu",))
        words = ["-o", os.path.abspath(os.fspath(path)), "--fmi", str(fmi), "--quiet"] + ["--rates"] * bool(rates)
        words += ["--model-exchange"] * bool(model_exchange)
        for option, names in (("input", inputs), ("output", outputs), ("parameter", parameters), ("terminal", terminals), ("array", arrays)):
            for name in [names] if isinstance(names, str) else names:
                words += [f"--{option}", name]
        with tempfile.TemporaryDirectory() as folder:
            file = self._path
            if file is None:
                file = os.path.join(folder, "model.yaml")
                write(file, self._source if self._source is not None else self.text)
            if self._has_source:
                for p, v in self._changes():
                    words += ["--set", f"{p}={v}"]
            command("fmu", file, *words, allow_outside=self._allow & 1, allow_native=self._allow & 2)

    def control(self, controller, period, until, *, record=None, **options):
        """Run with a controller in Python that is called every period: controller(sim) reads values and sets inputs.

        Returns the recorded rows, one per period, as hooke.Recording.  until: end time; other keywords as in simulate().
        """
        from ._values import si

        period, until = si(period, "s"), si(until, "s")
        if not 0 < period < float("inf") or not abs(until) < float("inf"):
            raise _hooke.InputError(f"the period must be positive and the end a time, not {period} s and {until} s")
        sim = self.simulate(**options)
        recorder = sim.recorder(record)
        start = sim.time
        steps = max(1, round((until - start) / period))
        for i in range(steps):
            controller(sim)
            recorder.append()
            sim.advance(start + (i + 1) * period if i + 1 < steps else until)
        recorder.append()
        return _results.Recording(recorder, sim)

    def check(self, **parameters):
        """Compile the model and return its warnings and notes as a list of hooke.Message."""
        return list(self.compile(**parameters).messages)

    def __repr__(self):
        if self._has_source:
            return f"<hooke.Model {self._path or self._name}>"
        counts = ", ".join(f"{len(s._items)} {n}" for n, s in self._sections.items() if s._items)
        return f"<hooke.Model {self._title or self._name}: {counts or 'empty'}>"


def _scalar_or_flow(value):
    if isinstance(value, str):
        return quoted(value)
    return flow(value)


def read(path, *, allow_outside=False, allow_native=False):
    """Read a model file.  allow_outside: it may refer to files outside of its folder; allow_native: its FMUs may run."""
    model = Model(path=path, allow_outside=allow_outside, allow_native=allow_native)
    model._source_items("bodies")  # errors are told here
    return model


def read_text(text, name="model"):
    """Read a model from the text of a model file."""
    model = Model(text=text, name=name)
    model._source_items("bodies")
    return model
