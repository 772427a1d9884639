#!/bin/sh
# Counts the references that calls of the Python module leave behind, by a debug build of Python.
# usage: references.sh BUILD      BUILD: a build with shared libraries
set -eu
build=$1
source=$(cd "$(dirname "$0")/../.." && pwd)
python=$(command -v python3.11d || command -v python3.12d || command -v python3.13d) ||
  { echo "references.sh: there is no debug build of Python (python3-dbg); skipped" >&2; exit 77; }
work="$build/python_references"
mkdir -p "$work/hooke"
cp "$source"/python/hooke/*.py "$work/hooke"
include=$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')
# Debian keeps the other headers in the folder of the plain build.
cc -O1 -g -shared -fPIC -DPy_DEBUG -I"$include" -I"${include%d}" -I"$source/include" "$source"/python/*.c -o "$work/hooke/_hooke.abi3.so" \
  -L"$build" -lhooke -Wl,-rpath,"$build"
PYTHONPATH="$work:$source/test/python" PYTHONDONTWRITEBYTECODE=1 HOOKE_SOURCE_DIR="$source" HOOKE_BINARY_DIR="$build" \
  "$python" "$source/test/python/references.py"
