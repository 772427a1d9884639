"""Figures in the style of the project (SVG), and pages of results for notebooks and browsers."""

import os

from . import _hooke
from ._files import ending, write
from ._names import suggestion


class Figure:
    """A figure as SVG: notebooks show it, save() writes it."""

    def __init__(self, svg, inputs=()):
        self.svg = svg
        self._inputs = tuple(inputs)

    def _repr_svg_(self):
        return self.svg

    def save(self, path):
        """Write the figure; the ending of the name is the format: .svg, or .png and .pdf, which need rsvg-convert."""
        format = ending(path, "figures", (".svg", ".png", ".pdf"), self._inputs)
        write(path, _converted(self.svg, format[1:], path) if format in (".png", ".pdf") else self.svg)

    def __repr__(self):
        return f"<hooke.Figure, {len(self.svg)} bytes of SVG>"


def _converted(svg, format, path):
    import subprocess

    line = ["rsvg-convert", "--format", format, "--zoom", "2" if format == "png" else "1"]
    try:
        done = subprocess.run(line, input=svg.encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except FileNotFoundError:
        raise _hooke.InputError(
            f"'{os.fspath(path)}': PNG and PDF require rsvg-convert, which is not installed (Debian: librsvg2-bin); save an .svg instead"
        ) from None
    if done.returncode:
        raise _hooke.FailedError(f"'{os.fspath(path)}': rsvg-convert failed: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


def figure(title, subtitle, panels, columns=1, inputs=()):
    """panels: (x label, x unit, y label, y unit, log x, log y, tight, ((x, y, name, dots, dashed), ...))
    inputs: the files that the figure must not overwrite, as for _files.refuse"""
    return Figure(_hooke.plot(title, subtitle, tuple(panels), columns), inputs)


def _plain(unit):
    return None if unit in ("", "1") else unit


def _fits(unit, other):
    try:
        _hooke.convert(0.0, unit or "1", other)
    except _hooke.InputError:
        return False
    return True


def _chosen_units(table, names, given):
    """Dict from the name of a channel to the unit in which it is drawn.

    given: a unit, or several, each for the channels that can be given in it; or a dict by channel or by SI unit.
    """
    units = {n: table[n].unit for n in names}
    if given is None:
        return {}
    if isinstance(given, dict):
        chosen = {}
        for key, unit in sorted(given.items(), key=lambda pair: pair[0] in units):  # those of single channels count
            members = [key] if key in units else [n for n in units if units[n] == key]
            if not members:
                raise _hooke.InputError(f"unit: neither a channel nor a unit that is drawn: '{key}'{suggestion(key, units)}")
            for n in members:
                if not _fits(units[n], unit):
                    table[n].to(unit)  # raises
            chosen.update(dict.fromkeys(members, unit))
        return chosen
    chosen = {}
    for unit in [given] if isinstance(given, str) else given:
        _hooke.convert(0.0, unit, unit)  # an unknown unit is told as such
        members = [n for n in units if n not in chosen and _fits(units[n], unit)]
        if not members:
            drawn = ", ".join(f"'{n}' in {u or '1'}" for n, u in units.items())
            raise _hooke.InputError(f"unit '{unit}' fits none of the channels: {drawn}")
        chosen.update(dict.fromkeys(members, unit))
    return chosen


def _panels(tables, names, over, units, dots, log, labels):
    """Panels for figure(): channels of one unit share a panel; several results are drawn in the same panels."""
    if labels is not None and (isinstance(labels, str) or len(labels) != len(tables)):
        raise _hooke.InputError(f"labels: {len(tables)} texts are needed, one for each of the results")
    x_name = over or tables[0].names[0]
    chosen = _chosen_units(tables[0], (x_name, *names), units)

    def column(table, name):
        return table[name].to(chosen[name]) if name in chosen else table[name]

    panels = {}
    for k, table in enumerate(tables):
        x = column(table, x_name)
        for name in names:
            y = column(table, name)
            label = name if len(tables) == 1 else f"{name}, {labels[k] if labels else k + 1}"
            panels.setdefault(y.unit, []).append((x, y, label, dots, bool(k % 2)))
    out = []
    for unit, curves in panels.items():
        x, y, label = curves[0][:3]
        one = len(curves) == 1
        if one:
            curves = [(x, y, None, dots, False)]
        out.append((x_name, _plain(x.unit), label if one else None, _plain(unit), False, log, over is None, tuple(curves)))
    return out


def plot(tables, names, over=None, units=None, dots=False, log=False, title=None, subtitle=None, labels=None):
    """Channels over the time or over another channel."""
    panels = _panels(tables, names, over, units, dots, log, labels)
    return figure(title, subtitle, panels, inputs=[i for t in tables for i in t._inputs])


def plot_matplotlib(tables, names, over=None, units=None, dots=False, log=False, title=None):
    """The same with Matplotlib: returns its figure."""
    import matplotlib.pyplot as plt
    import numpy

    panels = _panels(tables, names, over, units, dots, log, None)
    fig, axes = plt.subplots(len(panels), 1, sharex=True, squeeze=False)
    for axis, (x_name, x_unit, label, unit, _, log_y, _, curves) in zip(axes[:, 0], panels):
        for x, y, name, dotted, _ in curves:
            axis.plot(numpy.asarray(x), numpy.asarray(y), "." if dotted else "-", label=name)
        axis.set_ylabel(" ".join(filter(None, (label, unit and f"[{unit}]"))))
        if log_y:
            axis.set_yscale("log")
        if len(curves) > 1:
            axis.legend()
    axes[-1, 0].set_xlabel(" ".join(filter(None, (x_name, x_unit and f"[{x_unit}]"))))
    if title:
        fig.suptitle(title)
    return fig


def page(*results, full=None):
    """Results as one HTML page, which needs no network: the mechanism in motion, plots, measures, warnings."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for i, r in enumerate(results):
            if hasattr(r, "path"):
                paths.append(r.path)
            else:
                paths.append(os.path.join(folder, f"{i}.h5"))
                r.save(paths[-1])
        return _hooke.report(tuple(paths), full)


def frame(html, height=620):
    """A page as a frame (iframe) of another page, for notebooks."""
    text = html.replace("&", "&amp;").replace('"', "&quot;")
    return (
        f'<iframe srcdoc="{text}" style="width:100%;height:{height}px;border:1px solid #ccc" '
        'sandbox="allow-scripts allow-downloads"></iframe>'
    )
