"""Writes files as the command does: into a temporary file in the same folder, which is renamed when it is complete. If the
disk is full, the older file therefore stays unchanged."""

import itertools
import os

from . import _hooke


def _draft(target):
    folder = os.path.dirname(target)
    for k in itertools.count():
        path = os.path.join(folder, f".hooke-{os.getpid()}-{k}.draft")
        try:
            return path, os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
        except FileExistsError:
            continue
        except OSError as e:
            e.filename = target  # the name that the user gave, not that of the temporary file
            raise


def refuse(path, inputs):
    """InputError if the path is one of the inputs of the output: `inputs` are objects with reads(path), or names of files."""
    path = os.fspath(path)
    for i in inputs:
        if isinstance(i, str):
            name = i if os.path.exists(i) and os.path.isfile(path) and os.path.samefile(i, path) else None
        else:
            name = i.reads(path)
        if name is not None:
            raise _hooke.InputError(f"'{path}' would overwrite '{name}', which is an input file; choose another name")


#: Endings that name a format.
_FORMATS = set(
    ".svg .png .pdf .eps .ps .jpg .jpeg .gif .tif .tiff .bmp .webp .html .htm .csv .tsv .txt .json .yaml .yml .h5 .hdf5 .mat .xlsx .npy "
    ".npz .vtk .gltf .glb .fmu .zip .py .c".split()
)


def ending(path, what, allowed, inputs=()):
    """The ending of a name, in lower case; InputError if it names an input, or a format in which such files are not written."""
    refuse(path, inputs)
    last = os.path.splitext(os.fspath(path))[1].lower()
    if last in _FORMATS and last not in allowed:
        names = " or ".join(filter(None, (", ".join(allowed[:-1]), allowed[-1])))
        raise _hooke.InputError(f"'{os.fspath(path)}': {what} are written as {names}, not as {last}")
    return last


def write(path, text, inputs=()):
    """text: a str, or bytes; inputs: see refuse."""
    refuse(path, inputs)
    mode = {"mode": "wb"} if isinstance(text, bytes) else {"mode": "w", "encoding": "utf-8"}
    target = os.path.realpath(path)
    if os.path.exists(target) and not (os.path.isfile(target) and os.access(target, os.W_OK)):
        with open(path, **mode) as f:  # a device, a pipe, or an error
            f.write(text)
        return
    draft, descriptor = _draft(target)
    try:
        with open(descriptor, **mode) as f:
            if os.path.exists(target):
                os.chmod(draft, os.stat(target).st_mode & 0o777)
            f.write(text)
        os.replace(draft, target)
    except BaseException:
        os.unlink(draft)
        raise
