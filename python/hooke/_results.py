"""Results of runs, in memory or in files: channels by name, measures, quality, tables, figures, pages."""

import os

from . import _hooke
from ._files import ending, write
from ._names import Named, no_such
from ._values import Value


class _Table:
    """Channels by name, for all kinds of results.  _inputs: files that their outputs must not overwrite, as for _files.refuse."""

    def _column(self, name):
        return self._raw.column(name)

    @property
    def names(self):
        return [n for n, _, _ in self._raw.channels()]

    @property
    def units(self):
        return Named("channel", {n: u for n, u, _ in self._raw.channels()})

    @property
    def time(self):
        """The channel of the time."""
        return self._column(self._raw.channels()[0][0])

    def __getitem__(self, name):
        try:
            return self._column(name)
        except KeyError:
            raise KeyError(no_such("channel", name, self.names)) from None

    def __contains__(self, name):
        return name in self.units

    def __iter__(self):
        return iter(self.names)

    def __len__(self):
        return self._raw.rows

    def keys(self):
        return self.names

    def at(self, t, *names):
        """Values at a time, on the straight line between rows: a float for one name, else a dict."""
        time = self.time
        n = len(time)
        if n == 0 or not time[0] <= t <= time[n - 1]:
            raise _hooke.InputError(f"the results have no time {t} s")
        low, high = 0, n - 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if time[middle] <= t else (low, middle)
        share = 0.0 if time[high] == time[low] else (t - time[low]) / (time[high] - time[low])
        values = {}
        for name in names or self.names:
            c = self[name]
            values[name] = c[low] + share * (c[high] - c[low])
        return values[names[0]] if len(names) == 1 else values

    def plot(self, *names, over=None, unit=None, dots=False, log=False, title=None, matplotlib=False):
        """Channels over the time (or over another channel) as a hooke.Figure; channels of one unit share a panel.

        unit: a unit, or a list of units, each for the channels that can be given in it, or a dict by channel; matplotlib: a figure of
        Matplotlib instead
        """
        from . import _figure

        if not names:
            raise _hooke.InputError("name the channels to draw")
        draw = _figure.plot_matplotlib if matplotlib else _figure.plot
        return draw([self], names, over, unit, dots, log, title if title is not None else self.title or None)

    def to_numpy(self, *names):
        """A NumPy array of rows and the given channels (all); one channel alone needs no copy: numpy.asarray(r[name])."""
        import numpy

        return numpy.stack([numpy.asarray(self[n]) for n in names or self.names], axis=1)

    def to_pandas(self, *names):
        """A pandas DataFrame with the time as index; units are in frame.attrs["units"]."""
        import numpy
        import pandas

        first = self.names[0]
        chosen = [n for n in names or self.names if n != first]
        frame = pandas.DataFrame(
            {n: numpy.asarray(self[n]) for n in chosen},
            index=pandas.Index(numpy.asarray(self[first]), name=first),
        )
        frame.attrs["units"] = self.units
        return frame

    def to_xarray(self, *names):
        """An xarray Dataset over the time; units are attributes of the variables."""
        import numpy
        import xarray

        first = self.names[0]
        units = self.units
        docs = {n: d for n, _, d in self._raw.channels()}
        chosen = [n for n in names or self.names if n != first]
        data = {n: (first, numpy.asarray(self[n]), {"units": units[n], "long_name": docs[n]}) for n in chosen}
        return xarray.Dataset(data, coords={first: (first, numpy.asarray(self[first]), {"units": units[first]})})


def compare(*results, channels, over=None, unit=None, labels=None, title=None):
    """The same channels of several results in one hooke.Figure."""
    from . import _figure

    names = [channels] if isinstance(channels, str) else list(channels)
    if not results or not names:
        raise _hooke.InputError("name the results and the channels to draw")
    return _figure.plot(list(results), names, over, unit, title=title, labels=labels)


def results_name(path, inputs):
    ending(path, "results", (".h5", ".hdf5"), inputs)


class Recording(_Table):
    """Rows that were recorded while a simulation advanced step by step."""

    title = None

    def __init__(self, recorder, simulation):
        self._raw = recorder
        self.simulation = simulation
        self._inputs = (simulation.model,)

    @property
    def quality(self):
        return self.simulation.quality()

    def __repr__(self):
        return f"<hooke.Recording: {len(self)} rows of {len(self.names)} channels>"


class _Paged(_Table):
    """Results with a page: the mechanism in motion, plots, measures, warnings."""

    def report(self, path=None, *others, full=None):
        """Returns the page as HTML, or writes it to a file.  Other results are shown on the same page for comparison."""
        from . import _figure

        if path is not None:
            ending(path, "pages", (".html", ".htm"), [i for r in (self, *others) for i in r._inputs])
        html = _figure.page(self, *others, full=full)
        if path is None:
            return html
        write(path, html)
        return None

    def _repr_html_(self):
        from . import _figure

        return _figure.frame(_figure.page(self))


class Results(_Paged):
    """Results of a run in memory.

    r["hinge.angle"] is a hooke.Channel; r.measures, r.quality, r.warnings and r.status tell how the run went.
    """

    def __init__(self, raw, origin):
        self._raw = raw
        self._origin = origin
        self._inputs = (raw.model,)
        self._statistics = raw.statistics()

    @property
    def status(self):
        """'finished', 'stopped' or 'failed'."""
        return self._statistics["status"]

    @property
    def statistics(self):
        """Integrator, tolerances, counts of steps and iterations, computing time."""
        return Named("statistic", self._statistics)

    @property
    def measures(self):
        """Measures by name: each is a hooke.Value with unit, time, error and note."""
        return Named("measure", {n: Value(v, u, t, e, note) for n, v, u, t, e, note in self._raw.measures()})

    @property
    def quality(self):
        """Quality indicators as a list of dicts: name, level ('good', 'remark', 'doubt'), amount, limit, sentence."""
        return self._raw.quality()

    @property
    def warnings(self):
        """Warnings of the run, as texts."""
        return [m.text for m in self._raw.messages if m.severity == "warning"]

    @property
    def doubts(self):
        """Reasons not to trust the results, as sentences."""
        return [k["sentence"] for k in self.quality if k["level"] == "doubt"]

    @property
    def title(self):
        return self._raw.model.title

    def save(self, path):
        """Write the results as an HDF5 file that `hooke plot`, `hooke report` and other programs read."""
        results_name(path, self._inputs)
        self._raw.save(os.fspath(path), *self._origin)

    def __repr__(self):
        s = self._statistics
        return f"<hooke.Results: {s['status']}, {len(self)} rows of {len(self.names)} channels, t = {s['t']:g} s>"


def _models(path, attributes):
    """Where the model of a results file may be, as in src/results/results_read.c: where it was during the run, beside the results,
    and, if it was moved or if an older version wrote the results, relative to the current folder."""
    name, place = attributes.get("model_file"), attributes.get("model_path")
    found = [place] if place else []
    if name:
        beside = os.path.basename(name) if os.path.isabs(name) else name
        found.append(os.path.join(os.path.dirname(os.path.realpath(path)), beside))
        if not (place and os.path.exists(place)):
            found += [os.path.join(os.path.dirname(os.path.abspath(path)), beside), os.path.abspath(name)]
    return found


class ResultsFile(_Paged):
    """Results in an HDF5 file, finished or still being written: refresh() reads it again."""

    def __init__(self, path):
        self._raw = _hooke.open_file(os.fspath(path))
        self._inputs = (os.path.abspath(self._raw.path), *_models(self._raw.path, self.attributes))

    def refresh(self):
        """Read a file again that is being written: more rows, another status."""
        self._raw.refresh()
        return self

    @property
    def status(self):
        """'running', 'finished', 'stopped' or 'failed: reason'."""
        return self._raw.status

    @property
    def path(self):
        return self._raw.path

    @property
    def summary(self):
        """Measures, warnings and statistics as a dict; None: the run has not finished."""
        import json

        return json.loads(self._raw.summary) if self._raw.summary else None

    @property
    def model_text(self):
        return self._raw.model_text

    @property
    def attributes(self):
        return self._raw.attributes()

    @property
    def title(self):
        return self.attributes.get("title", "")

    def __repr__(self):
        return f"<hooke.ResultsFile {self.path}: {self.status}, {len(self)} rows of {len(self.names)} channels>"


def open_results(path):
    """Open an HDF5 results file, also of a run that has not finished or was killed."""
    return ResultsFile(path)
