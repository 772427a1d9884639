#!/bin/sh
# The Python module under the thread sanitizer: its tests with threads, functions that call back and objects that outlive others.
# Python of the system is no position-independent program, which the sanitizer needs; a program that contains Python is one.
# usage: threads.sh BUILD      BUILD: a build with HOOKE_SANITIZE_THREAD and HOOKE_SHARED
set -eu
build=$1
source=$(cd "$(dirname "$0")/../.." && pwd)
config=$(command -v python3-config) || { echo "threads.sh: there is no python3-config (python3-dev); skipped" >&2; exit 77; }
work="$build/python_threads"
mkdir -p "$work/hooke"
cp "$source"/python/hooke/*.py "$work/hooke"
printf 'int Py_BytesMain(int, char **);\nint main(int n, char **word) { return Py_BytesMain(n, word); }\n' >"$work/program.c"
cc -fsanitize=thread -g "$work/program.c" -o "$work/python" $($config --embed --ldflags)
cc -fsanitize=thread -O1 -g -shared -fPIC $($config --includes) -I"$source/include" "$source"/python/*.c -o "$work/hooke/_hooke.abi3.so" \
  -L"$build" -lhooke -Wl,-rpath,"$build"
export PYTHONPATH="$work:$source/test/python" PYTHONDONTWRITEBYTECODE=1 HOOKE_SOURCE_DIR="$source" HOOKE_BINARY_DIR="$build" HOOKE_PYTHON_SLOW=1
export TSAN_OPTIONS=halt_on_error=1
cd "$work"
# Without random addresses, which the runtime of some versions cannot map.
run() { setarch -R ./python -W ignore "$source/test/python/$1" $2; }
run test_attack.py "Threads CallingBack Owners"
run test_simulation.py "Steps.test_busy Steps.test_save_restore_copy"
run test_run.py "Threads Stopping.test_cancel"
echo "python/threads: nothing found"
