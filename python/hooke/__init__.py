"""Multibody dynamics for the joints of real machines.

    import hooke
    model = hooke.read("pendulum.yaml")
    r = model.run(L="80 cm", mu=0.2)
    print(r["hinge.angle"].to("deg").max(), r.measures["fastest"])

Types of the model file are functions of this module: hooke.rod(length="1 m", mass=2); help(hooke.rod) shows their tables.
Use the section if the module has another object of this name, or if several sections have a type of this name: hooke.forces.load(...).
"""

import os as _os
import sys as _sys

# HDF5 loads about forty libraries. Lazy binding resolves their functions at the first call, so that the import is fast.
_flags = _sys.getdlopenflags()
_sys.setdlopenflags(_os.RTLD_LAZY)
try:
    from . import _hooke
finally:
    _sys.setdlopenflags(_flags)
from ._hooke import Channel, Error, FailedError, Frame, InputError, Message, Recorder, Simulation, State
from ._values import Value, quantity
from ._items import SECTIONS as _SECTIONS, Item, Types as _Types, constructor as _constructor
from ._model import Model, Warning, plugin, read, read_text
from ._results import Recording, Results, ResultsFile, compare, open_results

__version__ = _hooke.version

# Parts that are loaded at their first use.
_LAZY = {
    "Equilibrium": "_analysis",
    "Mode": "_analysis",
    "Modes": "_analysis",
    "Response": "_analysis",
    "Figure": "_figure",
    "Periodic": "_analysis",
    "Optimum": "_study",
    "Study": "_study",
    "study": "_study",
    "command": "_command",
    "Fit": "_fit",
    "fit": "_fit",
    "force": "_custom",
    "sensor": "_custom",
    "conform": "_custom",
    "Conformance": "_custom",
}

for _section in _SECTIONS:
    if _section != "analysis":
        globals()[_section] = _Types(_section)
del _section


def __getattr__(name):
    if name in _LAZY:
        from importlib import import_module

        return getattr(import_module("." + _LAZY[name], __name__), name)
    made = None if name.startswith("_") else _constructor(name)
    if made is None:
        from ._items import _all_types
        from ._names import suggestion

        raise AttributeError(f"module 'hooke' has no '{name}'{suggestion(name, list(globals()) + _all_types())}")
    return made


def __dir__():
    from ._items import _all_types

    names = {n for n in globals() if not n.startswith("_")} | set(_all_types()) | set(_LAZY)
    return sorted(names | {"__version__"})
