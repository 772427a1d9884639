"""Writes the wheel: the package, the command and libhooke.so with all that they stand on, for the stable ABI of Python 3.11.

usage: wheel.py VERSION PREFIX SOURCE FOLDER      PREFIX: an installed tree
"""

import base64
import glob
import hashlib
import os
import sys
import zipfile

METADATA = """Metadata-Version: 2.1
Name: hooke
Version: {version}
Summary: Multibody dynamics for the joints of real machines
License: Apache-2.0
Requires-Python: >=3.11
Description-Content-Type: text/markdown
Provides-Extra: all
Requires-Dist: numpy; extra == "all"
Requires-Dist: pandas; extra == "all"
Requires-Dist: xarray; extra == "all"
Requires-Dist: matplotlib; extra == "all"

{description}"""
WHEEL = "Wheel-Version: 1.0\nGenerator: hooke\nRoot-Is-Purelib: false\nTag: {tag}\n"
# pip replaces the first line by the Python that it installs for.
COMMAND = """#!python
import os, sys
from importlib.util import find_spec
program = os.path.join(os.path.dirname(find_spec("hooke").origin), "command")
os.execv(program, ["hooke", *sys.argv[1:]])
"""


def main(version, prefix, source, folder):
    machine = os.uname().machine
    tag = "cp311-abi3-" + ("manylinux_2_17_x86_64" if machine == "x86_64" else "linux_" + machine)
    path = os.path.join(folder, f"hooke-{version}-{tag}.whl")
    package = glob.glob(os.path.join(prefix, "lib", "python3", "dist-packages", "hooke"))[0]
    library = glob.glob(os.path.join(prefix, "lib", "**", "libhooke.so.*.*.*"), recursive=True)[0]
    soname = os.path.basename(library).rsplit(".", 1)[0]
    files = {f"hooke/{name}": os.path.join(package, name) for name in sorted(os.listdir(package)) if name != "__pycache__"}
    files[f"hooke/{soname}"] = library
    files["hooke/command"] = os.path.join(prefix, "bin", "hooke")
    info = f"hooke-{version}.dist-info"
    files[f"{info}/licenses/LICENSE"] = os.path.join(source, "LICENSE")
    files[f"{info}/licenses/THIRD-PARTY.md"] = os.path.join(source, "portable", "THIRD-PARTY.md")
    with open(os.path.join(source, "docs", "python.md"), encoding="utf-8") as f:
        description = f.read()
    texts = {
        f"hooke-{version}.data/scripts/hooke": COMMAND.encode(),
        f"{info}/METADATA": METADATA.format(version=version, description=description).encode(),
        f"{info}/WHEEL": WHEEL.format(tag=tag).encode(),
    }
    record = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as z:

        def add(name, data, mode=0o644):
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100000 | mode) << 16
            z.writestr(entry, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(data)}")

        for name, origin in files.items():
            with open(origin, "rb") as f:
                add(name, f.read(), 0o755 if ".so" in name or name.endswith("/command") else 0o644)
        for name, data in texts.items():
            add(name, data, 0o755 if "/scripts/" in name else 0o644)
        record.append(f"{info}/RECORD,,")
        z.writestr(zipfile.ZipInfo(f"{info}/RECORD", (2020, 1, 1, 0, 0, 0)), "\n".join(record) + "\n")
    print(f"{path}: {os.path.getsize(path)} bytes")


main(*sys.argv[1:])
