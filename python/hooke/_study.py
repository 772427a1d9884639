"""Studies: many variants of a model on all processors, one row per finished variant; interrupted ones are resumed."""

import os

from . import _hooke
from ._files import write
from ._names import Named
from ._values import Value, flow


class Row(Named):
    """A finished variant: values by the names of the columns.  row.number, row.failed, row.error, row.seconds."""

    def __init__(self, number, failed, error, seconds, columns, values):
        super().__init__(
            "column", ((name, Value(v, unit or "1") if isinstance(v, float) else v) for (name, unit, _), v in zip(columns, values))
        )
        self.number = number
        self.failed = failed
        self.error = error
        self.seconds = seconds


class Optimum(Named):
    """The best variant: o["k"] is the value of an axis as a text for --set; other attributes: goal, value, measures, feasible, variants."""

    def __init__(self, raw):
        super().__init__("axis", raw["at"])
        self.goal = raw["goal"]
        self.value = Value(raw["value"], raw["unit"] or "1")
        self.measures = Named("measure", raw["measures"])
        self.feasible = raw["status"] == "ok"
        self.variants = raw["variants"]

    def __repr__(self):
        return f"<hooke.Optimum: {self.goal} = {self.value} at {', '.join(f'{k} = {v}' for k, v in self.items())}>"


class Study:
    """The variants of a study.  Iterating runs the variants that are not finished, and yields each row when its variant is finished.

        for row in hooke.study("stiffness.yaml", jobs=2):
            print(row["k"], row["peak"])
    """

    def __init__(self, path, folder=None, jobs=0, resume=True, progress=None, allow=0):
        from ._model import _plugins

        self.path = os.path.abspath(os.fspath(path))
        name = os.path.splitext(os.path.basename(self.path))[0]
        self.folder = os.fspath(folder) if folder is not None else name + ".study"
        self.jobs = jobs
        self.resume = resume
        self.progress = progress
        self._allow = allow
        self._raw = _hooke.open_study(self.path, tuple(_plugins), allow)

    @property
    def columns(self):
        """Columns of the table: list of (name, unit, role)."""
        return self._raw.columns()

    @property
    def title(self):
        return self._raw.title

    def __len__(self):
        return self._raw.count

    def __iter__(self):
        import queue
        import threading

        rows = queue.SimpleQueue()
        stop = threading.Event()
        columns = self._raw.columns()
        end = object()

        def work():
            try:
                self._raw.run(
                    self.folder, self.jobs, self.resume,
                    lambda *row: rows.put(row) or not stop.is_set(),
                    self.progress, stop,
                )
                rows.put(end)
            except BaseException as e:
                rows.put(e)

        thread = threading.Thread(target=work, name="hooke.study")
        thread.start()
        try:
            while True:
                try:
                    row = rows.get(timeout=0.05)  # so that Ctrl-C is seen
                except queue.Empty:
                    continue
                if row is end:
                    return
                if isinstance(row, BaseException):
                    raise row
                yield Row(*row[:4], columns, row[4])
        finally:
            stop.set()
            thread.join()

    def run(self):
        """Run all variants and return their rows by number."""
        return sorted(self, key=lambda row: row.number)

    def table(self, csv=None):
        """Collect the finished variants: table.sqlite in the folder, and a CSV file if named."""
        if not os.path.isdir(os.path.join(self.folder, "journals")):
            raise _hooke.InputError(f"there are no finished variants in '{self.folder}': run the study first, with run()")
        self._raw.table(self.folder, None if csv is None else os.fspath(csv))

    def to_pandas(self):
        """A pandas DataFrame of all variants by number."""
        import pandas

        rows = self.run()
        names = [n for n, _, _ in self.columns]
        data = {n: [float(r[n]) if isinstance(r[n], Value) else r[n] for r in rows] for n in names}
        frame = pandas.DataFrame(data, index=pandas.Index([r.number for r in rows], name="number"))
        frame["failed"] = [r.failed for r in rows]
        frame.attrs["units"] = {n: u for n, u, _ in self.columns}
        return frame

    def _command(self, name, words, given, folder):
        """The object that a command with a folder of its own prints.

        given: the arguments that decide its variants.  They are part of the folder's name, so that a call with others begins anew.
        """
        from urllib.parse import quote

        from ._command import command

        own = folder is None
        folder = ".".join([self.folder, name, *(quote(str(x), safe="") for x in given)]) if own else os.fspath(folder)
        words = [*words, "--quiet"] + (["--jobs", self.jobs] if self.jobs else [])
        if self.resume and os.path.isdir(folder):
            words.append("--resume")
        elif own:
            first, n = folder, 1
            while os.path.exists(folder):
                n += 1
                folder = f"{first}.{n}"
        return command(
            name, self.path, *words, "--folder", folder, json=True, allow_outside=self._allow & 1, allow_native=self._allow & 2
        )

    def optimize(self, goal=None, *, variants=None, seed=None, folder=None):
        """The values of the axes that are best for a goal of the study: a hooke.Optimum (see `hooke optimize`).

        folder: where the variants are kept; default: one for each goal, number of variants and seed.  An interrupted search goes on
        there; if the study has resume=False, a new folder is begun.
        """
        words, given = _options(goal=goal, variants=variants, seed=seed)
        return Optimum(self._command("optimize", words, given, folder))

    def sensitivity(self, method="morris", *, samples=None, seed=None, folder=None):
        """Which axes the measures depend on: {measure: {axis: {"mu_star": ...}}}, or with method="sobol" fractions of the variance.

        folder: as for optimize(); default: one for each method, number of samples and seed
        """
        words, given = _options(method=method, samples=samples, seed=seed)
        return self._command("sensitivity", words, given, folder)["measures"]

    def surrogate(self, measure, over, *, at=None, kind="auto"):
        """A map from a function fitted to the finished variants: columns by name, with the standard error (see `hooke surrogate`).

        over: one or two texts such as "mu=0..0.1:100"; at: values of other axes by path; kind: "auto", "quadratic", "gaussian"
        """
        import csv

        from ._command import command

        words = ["--measure", measure, "--kind", kind, "-o", "-"]
        for axis in [over] if isinstance(over, str) else over:
            words += ["--over", axis]
        for key, value in (at or {}).items():
            words += ["--at", f"{key}={value}"]
        self.table()
        rows = [r for r in csv.reader(command("surrogate", self.folder, *words).splitlines()) if r and not r[0].startswith("#")]
        return {name: [float(r[k]) for r in rows[1:]] for k, name in enumerate(rows[0])}

    def __repr__(self):
        return f"<hooke.Study {self.path}: {len(self)} variants>"


def study(
    source, axes=None, *, samples=None, measures=None, constraints=None, goals=None, folder=None, jobs=0, resume=True,
    progress=None,
):
    """A hooke.Study of a study file, or of a model and the values to vary.

        hooke.study("stiffness.yaml")
        hooke.study(model, {"k": "100..200:11 N/m", "L": ["1 m", "2 m"]}, folder="stiffness")

    axes: values by the names of parameters or by paths, as in the section `axes` of a study file; they are crossed
    samples: dict(count=128, of={"mu": "uniform(0.1, 0.2)"}), as in the file
    measures: names of the measures to keep; default: all
    constraints, goals: as in the file
    folder: where journals, tables and (of a model) the files are kept; an interrupted study goes on there
    jobs: processes at a time; 0: one per processor
    """
    from ._model import Model

    if not isinstance(source, Model):
        return Study(source, folder, jobs, resume, progress)
    if not (axes or samples) or folder is None:
        raise _hooke.InputError("a study of a model needs axes or samples, and a folder")
    if source._has_source and source._changes():
        raise _hooke.InputError("a model that was read and then changed has no file; save the changes in one, or make them axes")
    folder = os.fspath(folder)
    os.makedirs(folder, exist_ok=True)
    model = os.path.abspath(source._path) if source._path is not None else "model.yaml"
    if source._path is None:
        _write(os.path.join(folder, model), _MARK + source.text, source)
    lines = [_MARK + "format: 1", f"model: {flow(model)}"]
    if axes:
        lines.append("axes:")
        lines += [f"  {_key(k)}: {_axis(source, k, v)}" for k, v in axes.items()]
    for key, value in (("samples", samples), ("measures", measures), ("constraints", constraints), ("goals", goals)):
        if value:
            lines.append(f"{key}: {flow(value if isinstance(value, dict) else list(value))}")
    path = os.path.join(folder, "study.yaml")
    _write(path, "\n".join(lines) + "\n", source)
    return Study(path, os.path.join(folder, "variants"), jobs, resume, progress, source._allow)


def _options(**given):
    """Options of a command line for the given arguments, and parts for the name of a folder, such as "seed-3"."""
    given = {k: v for k, v in given.items() if v is not None}
    return [w for k, v in given.items() for w in (f"--{k}", v)], [f"{k}-{v}" for k, v in given.items()]


_MARK = "# written by hooke.study\n"


def _write(path, text, model):
    """Writes the file only if its text differs, so that its time is that of the last change; replaces only files written here."""
    if os.path.exists(path):
        with open(path, encoding="utf-8", errors="replace") as f:
            old = f.read()
        if old == text:
            return
        if not old.startswith(_MARK):
            raise _hooke.InputError(f"'{path}' was not written by hooke.study and is not replaced; choose another folder")
    write(path, text, (model.compile(),))


def _key(name):
    return name if name.replace("_", "a").replace(".", "a").isalnum() else flow(name)


def _axis(model, name, value):
    if isinstance(value, str):
        return flow(value)
    return "[" + ", ".join(flow(model._parameter_text(name, v)) for v in value) + "]"
