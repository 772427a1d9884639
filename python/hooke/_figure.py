"""Figures in the style of the project (SVG), and pages of results for notebooks and browsers."""

import os

from . import _hooke
from ._files import write


class Figure:
    """A figure as SVG: notebooks show it, save() writes it."""

    def __init__(self, svg, inputs=()):
        self.svg = svg
        self._inputs = tuple(inputs)

    def _repr_svg_(self):
        return self.svg

    def save(self, path):
        """Write the figure; .svg only: other programs convert it."""
        write(path, self.svg, self._inputs)

    def __repr__(self):
        return f"<hooke.Figure, {len(self.svg)} bytes of SVG>"


def figure(title, subtitle, panels, columns=1, inputs=()):
    """panels: (x label, x unit, y label, y unit, log x, log y, tight, ((x, y, name, dots, dashed), ...))
    inputs: the files that the figure must not overwrite, as for _files.refuse"""
    return Figure(_hooke.plot(title, subtitle, tuple(panels), columns), inputs)


def _plain(unit):
    return None if unit in ("", "1") else unit


def plot(tables, names, over=None, units=None, dots=False, log=False, title=None, subtitle=None, labels=None):
    """Channels over the time or over another channel; channels of one unit share a panel, several results lie over each other."""
    units = {} if units is None else {units: units} if isinstance(units, str) else dict(units)

    def column(table, name):
        c = table[name]
        for key in (name, c.unit):
            if key in units:
                return c.to(units[key])
        for target in units.values():
            try:
                return c.to(target)
            except _hooke.InputError:
                continue
        return c

    first = tables[0]
    x_name = over or first.names[0]
    panels = {}
    for k, table in enumerate(tables):
        x = column(table, x_name)
        for name in names:
            y = column(table, name)
            label = name if len(tables) == 1 else f"{name}, {labels[k] if labels else k + 1}"
            panels.setdefault(y.unit, []).append((x, y, label, dots, bool(k % 2)))
    out = []
    for unit, curves in panels.items():
        one = len(curves) == 1
        x = curves[0][0]
        if one:
            curves = [(curves[0][0], curves[0][1], None, dots, False)]
        y_label = panels[unit][0][2] if one else None
        out.append((x_name, _plain(x.unit), y_label, _plain(unit), False, log, over is None, tuple(curves)))
    return figure(title, subtitle, out, inputs=[i for t in tables for i in t._inputs])


def plot_matplotlib(tables, names, over=None, units=None):
    """The same with Matplotlib: returns its figure."""
    import matplotlib.pyplot as plt
    import numpy

    first = tables[0]
    groups = {}
    for name in names:
        groups.setdefault(first[name].unit, []).append(name)
    fig, axes = plt.subplots(len(groups), 1, sharex=True, squeeze=False)
    for axis, (unit, members) in zip(axes[:, 0], groups.items()):
        for table in tables:
            x = table[over] if over else table.time
            for name in members:
                y = table[name]
                if isinstance(units, str):
                    try:
                        y = y.to(units)
                    except _hooke.InputError:
                        pass
                axis.plot(numpy.asarray(x), numpy.asarray(y), label=name)
                axis.set_ylabel(f"[{y.unit}]")
        axis.legend()
    axes[-1, 0].set_xlabel(f"{x.name} [{x.unit}]")
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
    """A page within a page, for notebooks."""
    text = html.replace("&", "&amp;").replace('"', "&quot;")
    return (
        f'<iframe srcdoc="{text}" style="width:100%;height:{height}px;border:1px solid #ccc" '
        'sandbox="allow-scripts allow-downloads"></iframe>'
    )
