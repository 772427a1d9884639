"""Parameters of a model from measured curves, by the command `hooke fit`."""

import csv
import os
import tempfile

from ._command import command
from ._names import Named
from ._values import Value


class Fit(Named):
    """Fitted parameters by their paths: f["k"] is a Value with its standard uncertainty as f["k"].error.

    f.set: texts as for --set and model.run(set=...); f.correlation[a][b]; f.curves: for each column a dictionary with "rms" and so on.
    """

    def __init__(self, raw):
        parameters = raw["parameters"]
        paths = [p["path"] for p in parameters]
        super().__init__(
            "parameter", ((p["path"], Value(p["value"], p["unit"] or "1", error=p["standard_uncertainty"])) for p in parameters)
        )
        self.set = {p["path"]: f"{p['value']!r} {p['unit']}".strip() for p in parameters}
        self.at_bound = [p["path"] for p in parameters if p["at_bound"]]
        self.correlation = {p["path"]: dict(zip(paths, p["correlation"])) for p in parameters}
        self.curves = {c["column"]: c for c in raw["curves"]}
        self.converged = raw["converged"]
        self.runs = raw["runs"]

    def __repr__(self):
        return f"<hooke.Fit: {', '.join(f'{k} = {v} ± {v.error:.2g}' for k, v in self.items())}>"


def _write(path, columns):
    names, values = list(columns), [list(map(float, v)) for v in columns.values()]
    if len({len(v) for v in values}) > 1:
        raise ValueError("the columns of the data have different lengths")
    with open(path, "w", newline="", encoding="utf-8") as f:
        rows = csv.writer(f)
        rows.writerow(names)
        rows.writerows([repr(v) for v in row] for row in zip(*values))


def fit(model, data, vary, *, match=None, set=None, input=None, starts=None, allow_outside=False, allow_native=False):
    """The parameters with which a model file agrees best with measured curves: a hooke.Fit (see `hooke fit`).

        f = hooke.fit("rig.yaml", "rig.csv", {"k": "60:180 N*m/rad", "c": "0.002:0.2 N*m*s/rad"}, match={"angle": "disc.angle"})
        print(f["k"], f["k"].error)

    data: a CSV file, or a dictionary of columns such as {"time [s]": t, "angle [rad]": a}; vary: bounds by path; match: channels by
    column; set: values of other parameters by path; input: the excitation of a frequency response.
    """
    with tempfile.TemporaryDirectory(prefix="hooke-") as folder:
        if isinstance(data, dict):
            path = os.path.join(folder, "data.csv")
            _write(path, data)
        else:
            path = os.fspath(data)
        words = ["--data", path]
        for name, given in (("vary", vary), ("match", match), ("set", set)):
            for key, value in (given or {}).items():
                words += ["--" + name, f"{key}={value}"]
        words += ["--from", input] if input is not None else []
        words += ["--starts", starts] if starts is not None else []
        raw = command("fit", os.fspath(model), *words, "--quiet", json=True, allow_outside=allow_outside, allow_native=allow_native)
    return Fit(raw)
