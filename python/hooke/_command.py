"""The command `hooke` as a process, for functions that the library does not have; JSON is returned as Python objects."""

import os
import sys

from . import _hooke


def _version(path):
    import subprocess

    try:
        done = subprocess.run([path, "--version"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    except OSError:
        return None
    told = done.stdout.split()
    return told[1] if done.returncode == 0 and len(told) == 2 and told[0] == "hooke" else None


_found = None


def _named(name):
    """The program that HOOKE_COMMAND names."""
    import shutil

    path = shutil.which(name)
    if path is None:
        raise _hooke.InputError(f"HOOKE_COMMAND names '{name}', which is not a program that can be started: correct or unset it")
    if _version(path) is None:
        raise _hooke.InputError(f"HOOKE_COMMAND names '{name}', which is not the command hooke: correct or unset it")
    return path


def program():
    """The path of the command of this version: HOOKE_COMMAND, or the command of the wheel, of the build or of the system."""
    global _found
    if _found is None:
        import shutil

        here = os.path.dirname(os.path.abspath(__file__))
        name = os.environ.get("HOOKE_COMMAND")
        tried = [_named(name)] if name else [
            os.path.join(here, "command"),
            os.path.join(os.path.dirname(os.path.dirname(here)), "hooke"),
            shutil.which("hooke"),
        ]
        for path in tried:
            if path and os.path.isfile(path) and os.access(path, os.X_OK):
                version = _version(path)
                if version == _hooke.version:
                    _found = os.path.abspath(path)
                    break
                if version:
                    raise _hooke.Error(f"'{path}' is version {version}, the module is {_hooke.version}: install the same version of both")
        else:
            raise _hooke.Error("there is no command 'hooke': install it (Debian: package hooke), or name it in HOOKE_COMMAND")
    return _found


def command(*words, json=None, cwd=None, plugins=None, allow_outside=False, allow_native=False):
    """Run `hooke WORDS...` and return its output: a text, or with json=True the object that --json prints.

        hooke.command("spectrum", "out.h5", "case.ax", json=True)
        hooke.command("locus", "rotor.yaml", "--over", "speed=0..500:50 rad/s", json=True)

    Wrong input raises hooke.InputError, a failure hooke.FailedError, each with the messages of the command.  Ctrl-C ends the command.
    """
    import subprocess

    from ._model import _plugins

    line = [program()]
    for path in _plugins if plugins is None else plugins:
        line += ["--plugin", path]
    line += ["--allow-outside"] * bool(allow_outside) + ["--allow-native"] * bool(allow_native)
    line += [os.fspath(w) if hasattr(w, "__fspath__") else str(w) for w in words] + ["--json"] * bool(json)
    done = subprocess.run(
        line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd, encoding="utf-8", errors="replace",
    )
    told = done.stderr.strip()
    if done.returncode == 130 or done.returncode == -2:
        raise KeyboardInterrupt
    if done.returncode != 0:
        kind = _hooke.InputError if done.returncode == 2 else _hooke.FailedError
        raise kind(told or f"the command ended with {done.returncode}")
    for text in told.splitlines():
        if "warning: " in text:
            import warnings

            from ._model import Warning

            warnings.warn(text, Warning, stacklevel=3)
    if not json:
        return done.stdout
    import json as _json

    return _json.loads(done.stdout)


def main(arguments=None):
    """`python -m hooke`: replaces this process by the command."""
    path = program()
    os.execv(path, ["hooke", *(sys.argv[1:] if arguments is None else arguments)])
