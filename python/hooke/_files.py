"""Text files, written as the command writes them: a draft in the same folder takes the name when it is complete, so a full disk
leaves the older file unchanged."""

import itertools
import os

from . import _hooke


def _draft(folder):
    for k in itertools.count():
        path = os.path.join(folder, f".hooke-{os.getpid()}-{k}.draft")
        try:
            return path, os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
        except FileExistsError:
            continue


def refuse(path, inputs):
    """InputError if the path names an input of what is written: `inputs` are objects with reads(path), or names of files."""
    path = os.fspath(path)
    for i in inputs:
        if isinstance(i, str):
            name = i if os.path.exists(i) and os.path.isfile(path) and os.path.samefile(i, path) else None
        else:
            name = i.reads(path)
        if name is not None:
            raise _hooke.InputError(f"'{path}' would overwrite '{name}', which is an input file; choose another name")


def write(path, text, inputs=()):
    """inputs: see refuse."""
    refuse(path, inputs)
    target = os.path.realpath(path)
    if os.path.exists(target) and not (os.path.isfile(target) and os.access(target, os.W_OK)):
        with open(path, "w", encoding="utf-8") as f:  # a device, a pipe, or an error
            f.write(text)
        return
    draft, descriptor = _draft(os.path.dirname(target))
    try:
        with open(descriptor, "w", encoding="utf-8") as f:
            if os.path.exists(target):
                os.chmod(draft, os.stat(target).st_mode & 0o777)
            f.write(text)
        os.replace(draft, target)
    except BaseException:
        os.unlink(draft)
        raise
