"""Writes the wheel of the Python module: the package with libhooke.so inside, for the stable ABI of Python 3.11.

usage: wheel.py VERSION PREFIX FOLDER      PREFIX: an installed tree
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
Requires-External: libhdf5
Requires-External: liblapacke
Requires-External: libklu
Requires-External: libsqlite3
Requires-External: libyaml
Provides-Extra: all
Requires-Dist: numpy; extra == "all"
Requires-Dist: pandas; extra == "all"
Requires-Dist: xarray; extra == "all"
Requires-Dist: matplotlib; extra == "all"
"""
WHEEL = "Wheel-Version: 1.0\nGenerator: hooke\nRoot-Is-Purelib: false\nTag: {tag}\n"


def main(version, prefix, folder):
    tag = "cp311-abi3-linux_" + os.uname().machine
    path = os.path.join(folder, f"hooke-{version}-{tag}.whl")
    package = glob.glob(os.path.join(prefix, "lib", "python3", "dist-packages", "hooke"))[0]
    library = glob.glob(os.path.join(prefix, "lib", "**", "libhooke.so.*.*.*"), recursive=True)[0]
    soname = os.path.basename(library).rsplit(".", 1)[0]
    files = {f"hooke/{name}": os.path.join(package, name) for name in sorted(os.listdir(package)) if name != "__pycache__"}
    files[f"hooke/{soname}"] = library
    info = f"hooke-{version}.dist-info"
    texts = {
        f"{info}/METADATA": METADATA.format(version=version).encode(),
        f"{info}/WHEEL": WHEEL.format(tag=tag).encode(),
    }
    record = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:

        def add(name, data, mode=0o644):
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = mode << 16
            z.writestr(entry, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(data)}")

        for name, source in files.items():
            with open(source, "rb") as f:
                add(name, f.read(), 0o755 if ".so" in name else 0o644)
        for name, data in texts.items():
            add(name, data)
        record.append(f"{info}/RECORD,,")
        z.writestr(zipfile.ZipInfo(f"{info}/RECORD", (2020, 1, 1, 0, 0, 0)), "\n".join(record) + "\n")
    print(f"{path}: {os.path.getsize(path)} bytes")


main(*sys.argv[1:])
